/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is GStreamer's CUDA library in this process, and which context of its stands
 * for a device of ours?
 *
 * Who has CUDA memory or asks for a CUDA context has loaded the library; without
 * such a neighbour it is left alone. Its context wraps the one that this
 * library works in, so that both mean the same addresses and streams. Must not
 * know elements and frames.
 */
#include "config.h"

#include <dlfcn.h>

#include "hip-gstcuda.h"

#define LIBRARY "libgstcuda-1.0.so.0"

static GMutex lock;
static HipGstCuda table;
static const HipGstCuda *found; /* atomic */
static gboolean is_useless;
static GHashTable *contexts;    /* native context -> GWeakRef of its GstCudaContext */

static gboolean
find (gpointer library, const gchar * name, gpointer * function)
{
  *function = dlsym (library, name);
  return *function != NULL;
}

static gboolean
find_all (gpointer library)
{
  gboolean needed = TRUE, later = TRUE;

#define FIND(need, member, result, name, parameters) \
  need &= find (library, #name, (gpointer *) & table.member);
  HIP_GSTCUDA_SYMBOLS (FIND)
#undef FIND
      if (!later) {
    table.memory_get_stream = NULL;
    table.stream_new = NULL;
    table.stream_get_handle = NULL;
    table.alloc_wrapped = NULL;
  }
  return needed;
}

/* With the lock. The library stays: its types are registered for good. */
static void
open_library (gboolean load)
{
  gpointer library =
      dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL | (load ? 0 : RTLD_NOLOAD));

  if (!library) {
    is_useless = load;
    return;
  }
  is_useless = !find_all (library) || !table.load_library ();
  if (is_useless)
    return;
  table.memory_init_once ();
  g_atomic_pointer_set (&found, &table);
}

const HipGstCuda *
hip_gstcuda_get (gboolean load)
{
  const HipGstCuda *there = g_atomic_pointer_get (&found);

  if (there)
    return there;
  g_mutex_lock (&lock);
  if (!found && !is_useless)
    open_library (load);
  there = found;
  g_mutex_unlock (&lock);
  return there;
}

static void
weak_ref_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* With the lock */
static GWeakRef *
get_slot (gpointer handle)
{
  GWeakRef *slot;

  if (!contexts)
    contexts = g_hash_table_new_full (NULL, NULL, NULL, weak_ref_free);
  slot = g_hash_table_lookup (contexts, handle);
  if (!slot) {
    slot = g_new0 (GWeakRef, 1);
    g_weak_ref_init (slot, NULL);
    g_hash_table_insert (contexts, handle, slot);
  }
  return slot;
}

static GstObject *
wrap (const HipGstCuda * cuda, GstHipDevice * device, gpointer handle)
{
  GstObject *context = cuda->context_new_wrapped (handle,
      (gint) gst_hip_device_get_device_id (device));

  if (!context)
    return NULL;
  if (g_object_is_floating (context))
    gst_object_ref_sink (context);
  /* What is wrapped has to live as long. */
  g_object_set_data_full (G_OBJECT (context), "gst-hip-device",
      gst_object_ref (device), gst_object_unref);
  return context;
}

GstObject *
hip_gstcuda_ref_context (GstHipDevice * device, gboolean load)
{
  gpointer handle = (gpointer) gst_hip_device_get_native_context (device);
  const HipGstCuda *cuda;
  GstObject *context;

  if (gst_hip_device_get_vendor (device) != GST_HIP_VENDOR_NVIDIA
      || gst_hip_device_is_lost (device) || !(cuda = hip_gstcuda_get (load)))
    return NULL;
  g_mutex_lock (&lock);
  context = g_weak_ref_get (get_slot (handle));
  g_mutex_unlock (&lock);
  if (context)
    return context;

  context = wrap (cuda, device, handle);
  if (!context)
    return NULL;
  g_mutex_lock (&lock);
  {
    GstObject *other = g_weak_ref_get (get_slot (handle));

    if (other) {
      GstObject *mine = context;

      g_mutex_unlock (&lock);
      gst_object_unref (mine);
      return other;
    }
  }
  g_weak_ref_set (get_slot (handle), context);
  g_mutex_unlock (&lock);
  return context;
}
