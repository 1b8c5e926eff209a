/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is given back what a driver takes back only when the device is idle?
 *
 * cuMemFreeHost () and cuModuleUnload () wait for every kernel that runs in
 * their context, and meanwhile other calls wait for them: a stream that stands
 * still would stop all others, and for good if it waits for the CPU (seen on
 * an H200, driver 580). HIP says of hipFree () that it waits for the device. So
 * memory is handed out in parts of large blocks, modules whose last user went
 * are kept, and both go back when there are many and none of our streams has
 * anything to do; at the latest when the last user of the context goes, and who
 * opens it again meanwhile waits.
 *
 * Invariant: the driver's functions are called nowhere else, and on workers;
 * but where memory is out, unused blocks go back at once if the device is idle.
 */
#include "hip-heap.h"
#include "gsthiperror.h"

/* Kept for the next who asks */
#define KEEP_BYTES ((gsize) 256 << 20)
#define KEEP_MODULES 16

struct _HipHeap
{
  const HipHeapDriver *driver;
  guintptr handle;
  guint users;                  /* heaps_lock */
  HipSlabs pinned, device;

  HipMutex lock;                /* guards what follows; held for calls that do not wait */
  GPtrArray *streams;           /* all of ours */
  GPtrArray *modules;           /* nobody's */
};

static HipMutex heaps_lock;
static GPtrArray *heaps;

HipHeap *
hip_heap_acquire (const HipHeapDriver * driver, guintptr handle)
{
  HipHeap *heap = NULL;

  hip_mutex_lock (&heaps_lock);
  if (!heaps)
    heaps = g_ptr_array_new ();
  for (guint i = 0; i < heaps->len && !heap; i++) {
    heap = g_ptr_array_index (heaps, i);
    if (heap->driver != driver || heap->handle != handle)
      heap = NULL;
  }
  if (!heap) {
    heap = g_new0 (HipHeap, 1);
    heap->driver = driver;
    heap->handle = handle;
    hip_slabs_init (&heap->pinned);
    hip_slabs_init (&heap->device);
    hip_mutex_init (&heap->lock);
    heap->streams = g_ptr_array_new ();
    heap->modules = g_ptr_array_new ();
    g_ptr_array_add (heaps, heap);
  }
  heap->users++;
  hip_mutex_unlock (&heaps_lock);
  return heap;
}

void
hip_heap_release (HipHeap * heap, gboolean current)
{
  guintptr block;

  hip_mutex_lock (&heaps_lock);
  if (--heap->users > 0) {
    hip_mutex_unlock (&heaps_lock);
    return;
  }
  while ((block = hip_slabs_take_any (&heap->pinned))) {
    if (current)
      heap->driver->free_pinned (block);
  }
  while ((block = hip_slabs_take_any (&heap->device))) {
    if (current)
      heap->driver->free_device (block);
  }
  for (guint i = 0; current && i < heap->modules->len; i++)
    heap->driver->unload_module (g_ptr_array_index (heap->modules, i));
  g_ptr_array_remove_fast (heaps, heap);
  hip_mutex_unlock (&heaps_lock);

  g_ptr_array_unref (heap->streams);
  g_ptr_array_unref (heap->modules);
  hip_mutex_clear (&heap->lock);
  hip_slabs_clear (&heap->pinned);
  hip_slabs_clear (&heap->device);
  g_free (heap);
}

void
hip_heap_add_stream (HipHeap * heap, gpointer stream)
{
  hip_mutex_lock (&heap->lock);
  g_ptr_array_add (heap->streams, stream);
  hip_mutex_unlock (&heap->lock);
}

void
hip_heap_remove_stream (HipHeap * heap, gpointer stream)
{
  hip_mutex_lock (&heap->lock);
  g_ptr_array_remove_fast (heap->streams, stream);
  hip_mutex_unlock (&heap->lock);
}

/* --- giving back --- */

static gboolean
is_idle (HipHeap * heap)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&heap->lock);
  gboolean idle = TRUE;

  for (guint i = 0; idle && i < heap->streams->len; i++)
    idle = heap->driver->stream_is_idle (g_ptr_array_index (heap->streams, i));
  return idle;
}

static gpointer
take_module (HipHeap * heap, guint keep)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&heap->lock);

  return heap->modules->len > keep ?
      g_ptr_array_steal_index (heap->modules, 0) : NULL;
}

static gboolean
has_many_modules (HipHeap * heap)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&heap->lock);

  return heap->modules->len > KEEP_MODULES;
}

static void
free_surplus (HipHeap * heap, gsize keep_bytes)
{
  guintptr block;

  while ((block = hip_slabs_take_surplus (&heap->pinned, keep_bytes)))
    heap->driver->free_pinned (block);
  while ((block = hip_slabs_take_surplus (&heap->device, keep_bytes)))
    heap->driver->free_device (block);
}

/* On a worker, with the context current */
static void
sweep (HipHeap * heap)
{
  gpointer module;

  if ((!hip_slabs_has_surplus (&heap->pinned, KEEP_BYTES)
          && !hip_slabs_has_surplus (&heap->device, KEEP_BYTES)
          && !has_many_modules (heap)) || !is_idle (heap))
    return;
  free_surplus (heap, KEEP_BYTES);
  while ((module = take_module (heap, KEEP_MODULES)))
    heap->driver->unload_module (module);
}

void
hip_heap_retire_module (HipHeap * heap, gpointer module)
{
  hip_mutex_lock (&heap->lock);
  g_ptr_array_add (heap->modules, module);
  hip_mutex_unlock (&heap->lock);
  sweep (heap);
}

/* --- memory --- */

static HipSlabs *
slabs_of (HipHeap * heap, HipSpace space)
{
  return space == HIP_SPACE_PINNED ? &heap->pinned : &heap->device;
}

static gboolean
has_unused (HipHeap * heap)
{
  return hip_slabs_has_surplus (&heap->pinned, 0)
      || hip_slabs_has_surplus (&heap->device, 0);
}

gboolean
hip_heap_alloc (HipHeap * heap, HipSpace space, gsize size, guintptr * address,
    GError ** error)
{
  HipSlabAlloc alloc = space == HIP_SPACE_PINNED ?
      heap->driver->alloc_pinned : heap->driver->alloc_device;
  g_autoptr (GError) failure = NULL;

  if (hip_slabs_alloc (slabs_of (heap, space), size, alloc, address, &failure))
    return TRUE;
  if (g_error_matches (failure, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY)
      && has_unused (heap) && is_idle (heap)) {
    g_clear_error (&failure);
    free_surplus (heap, 0);
    return hip_slabs_alloc (slabs_of (heap, space), size, alloc, address,
        error);
  }
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

void
hip_heap_free (HipHeap * heap, HipSpace space, guintptr address)
{
  hip_slabs_free (slabs_of (heap, space), address);
  sweep (heap);
}
