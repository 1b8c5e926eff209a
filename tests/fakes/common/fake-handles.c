/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which objects of the driver live?
 *
 * Must not know: what they are made of.
 */
#include "fake.h"

typedef struct
{
  FakeKind kind;
  FakeContext *context;         /* that was current, or NULL */
} Handle;

static HipMutex lock;
static GHashTable *handles;     /* handle -> Handle */
static guint n_live[FAKE_N_KINDS];

void
fake_handle_add (gpointer handle, FakeKind kind)
{
  Handle *entry = g_new0 (Handle, 1);

  entry->kind = kind;
  if (kind != FAKE_CONTEXT && fake_family.current)
    entry->context = fake_family.current ();
  hip_mutex_lock (&lock);
  if (!handles)
    handles = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (g_hash_table_insert (handles, handle, entry))
    n_live[kind]++;
  hip_mutex_unlock (&lock);
}

void
fake_handle_remove (gpointer handle)
{
  Handle *entry;

  hip_mutex_lock (&lock);
  entry = handles ? g_hash_table_lookup (handles, handle) : NULL;
  if (entry) {
    n_live[entry->kind]--;
    g_hash_table_remove (handles, handle);
  }
  hip_mutex_unlock (&lock);
}

void
fake_handles_forget_context (FakeContext * context)
{
  GHashTableIter iter;
  gpointer value;

  hip_mutex_lock (&lock);
  g_hash_table_iter_init (&iter, handles);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    Handle *entry = value;

    if (entry->context == context) {
      n_live[entry->kind]--;
      g_hash_table_iter_remove (&iter);
    }
  }
  hip_mutex_unlock (&lock);
}

void
fake_handle_check (gpointer handle, FakeKind kind, const gchar * call)
{
  Handle *entry;
  gboolean good;

  hip_mutex_lock (&lock);
  entry = handles ? g_hash_table_lookup (handles, handle) : NULL;
  good = entry && entry->kind == kind;
  hip_mutex_unlock (&lock);
  fake_rule (good, "handles are of the right kind and not destroyed", call);
}

guint
fake_live (gchar ** what)
{
  static const gchar *const names[] = { "streams", "events", "modules",
    "memories", "programs", "textures", "external memories"
  };
  g_autoptr (GString) text = g_string_new (NULL);
  guint sum = 0;

  hip_mutex_lock (&lock);
  for (guint kind = 0; kind < FAKE_FUNCTION; kind++) {
    sum += n_live[kind];
    if (n_live[kind])
      g_string_append_printf (text, "%s%u %s", text->len ? ", " : "",
          n_live[kind], names[kind]);
  }
  hip_mutex_unlock (&lock);
  if (what)
    *what = g_string_free (g_steal_pointer (&text), FALSE);
  return sum;
}
