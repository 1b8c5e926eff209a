/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Has this context the module already, or is somebody making it?
 *
 * Entries are weak: a module removes itself with its last reference. An entry
 * without a module is one being made; whoever asks for it sleeps until it is
 * there or has failed, and shares the error.
 *
 * Invariant: one make per key at a time, and never with the lock held.
 */
#include "hip-kernel.h"

typedef struct
{
  gint ref_count;               /* under lock: the table's and those of waiters */
  GstHipKernelModule *module;   /* weak */
  GError *error;
  gboolean making;
} Entry;

struct _HipModuleCache
{
  HipMutex lock;
  HipCond made;
  GHashTable *entries;          /* key: Entry */
};

static void
entry_unref (Entry * entry)
{
  if (--entry->ref_count > 0)
    return;
  g_clear_error (&entry->error);
  g_free (entry);
}

static Entry *
entry_ref (Entry * entry)
{
  entry->ref_count++;
  return entry;
}

static void
cache_free (gpointer data)
{
  HipModuleCache *cache = data;

  g_hash_table_unref (cache->entries);
  hip_mutex_clear (&cache->lock);
  hip_cond_clear (&cache->made);
  g_free (cache);
}

static HipModuleCache *
get_cache (HipContext * context)
{
  HipModuleCache *cache;

  hip_mutex_lock (&context->lock);
  if (!context->module_cache) {
    cache = g_new0 (HipModuleCache, 1);
    hip_mutex_init (&cache->lock);
    hip_cond_init (&cache->made);
    cache->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
        (GDestroyNotify) entry_unref);
    context->module_cache = cache;
    context->module_cache_free = cache_free;
  }
  cache = context->module_cache;
  hip_mutex_unlock (&context->lock);
  return cache;
}

/* With the lock held. A failed entry leaves, so that the next one tries again. */
static void
finish (HipModuleCache * cache, const gchar * key, Entry * entry,
    GstHipKernelModule * module, const GError * error)
{
  entry->making = FALSE;
  entry->module = module;
  if (!module) {
    entry->error = g_error_copy (error);
    g_hash_table_remove (cache->entries, key);
  }
  hip_cond_broadcast (&cache->made);
}

/* With the lock held: a reference on what is there, else NULL. Sleeps while it is
 * being made; an error of that is shared. */
static GstHipKernelModule *
find (HipModuleCache * cache, const gchar * key, GError ** error)
{
  GstHipKernelModule *module = NULL;
  Entry *entry;

  while ((entry = g_hash_table_lookup (cache->entries, key)) && entry->making) {
    entry_ref (entry);
    while (entry->making)
      hip_cond_wait (&cache->made, &cache->lock);
    if (entry->error)
      *error = g_error_copy (entry->error);
    entry_unref (entry);
    if (*error)
      return NULL;
    /* Its module may have come and gone while we slept: only what is in the
     * table is alive. */
  }
  /* If the last reference is going, what removes it will not find itself. */
  if (entry && hip_module_try_ref (entry->module))
    module = entry->module;
  return module;
}

GstHipKernelModule *
hip_module_cache_get (HipContext * context, const gchar * key,
    HipModuleMake make, gpointer data, GError ** error)
{
  HipModuleCache *cache = get_cache (context);
  GstHipKernelModule *module;
  g_autoptr (GError) failure = NULL;
  Entry *entry;

  hip_mutex_lock (&cache->lock);
  module = find (cache, key, &failure);
  if (module || failure) {
    hip_mutex_unlock (&cache->lock);
    if (failure)
      g_propagate_error (error, g_steal_pointer (&failure));
    return module;
  }
  entry = g_new0 (Entry, 1);
  entry->ref_count = 2;
  entry->making = TRUE;
  g_hash_table_replace (cache->entries, g_strdup (key), entry);
  hip_mutex_unlock (&cache->lock);

  module = make (data, &failure);

  hip_mutex_lock (&cache->lock);
  finish (cache, key, entry, module, failure);
  entry_unref (entry);
  hip_mutex_unlock (&cache->lock);
  if (!module)
    g_propagate_error (error, g_steal_pointer (&failure));
  return module;
}

void
hip_module_cache_remove (HipContext * context, const gchar * key,
    GstHipKernelModule * module)
{
  HipModuleCache *cache = get_cache (context);
  Entry *entry;

  hip_mutex_lock (&cache->lock);
  entry = g_hash_table_lookup (cache->entries, key);
  if (entry && entry->module == module)
    g_hash_table_remove (cache->entries, key);
  hip_mutex_unlock (&cache->lock);
}
