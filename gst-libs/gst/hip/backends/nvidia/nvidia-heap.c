/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is given back what the driver takes back only when the device is idle?
 *
 * cuMemFreeHost () and cuModuleUnload () wait for every kernel that runs in
 * their context, and meanwhile other calls wait for them: a stream that stands
 * still would stop all others, and for good if it waits for the CPU (seen on
 * an H200, driver 580). So pinned memory is handed out in parts of large
 * blocks, modules whose last user went are kept, and both go back when there
 * are many and none of our streams has anything to do; at the latest when the
 * last user of the context goes, and who opens it again meanwhile waits.
 *
 * Invariant: those two functions are called nowhere else, and on workers.
 */
#include "nvidia-internal.h"

/* Kept for the next who asks */
#define KEEP_PINNED_BYTES ((gsize) 256 << 20)
#define KEEP_MODULES 16

struct _NvidiaHeap
{
  CuContext handle;
  guint users;                  /* heaps_lock */
  HipSlabs pinned;

  HipMutex lock;                /* guards what follows; held for calls that do not wait */
  GPtrArray *streams;           /* of CuStream: all of ours */
  GPtrArray *modules;           /* of CuModule: nobody's */
};

static HipMutex heaps_lock;
static GPtrArray *heaps;

NvidiaHeap *
nvidia_heap_acquire (CuContext handle)
{
  NvidiaHeap *heap = NULL;

  hip_mutex_lock (&heaps_lock);
  if (!heaps)
    heaps = g_ptr_array_new ();
  for (guint i = 0; i < heaps->len && !heap; i++) {
    heap = g_ptr_array_index (heaps, i);
    if (heap->handle != handle)
      heap = NULL;
  }
  if (!heap) {
    heap = g_new0 (NvidiaHeap, 1);
    heap->handle = handle;
    hip_slabs_init (&heap->pinned);
    hip_mutex_init (&heap->lock);
    heap->streams = g_ptr_array_new ();
    heap->modules = g_ptr_array_new ();
    g_ptr_array_add (heaps, heap);
  }
  heap->users++;
  hip_mutex_unlock (&heaps_lock);
  return heap;
}

static void
free_pinned (guintptr address)
{
  NVIDIA_CALL_NOTED (cuMemFreeHost, (gpointer) address);
}

/* current: the context is; else it is gone, with all that was in it. */
void
nvidia_heap_release (NvidiaHeap * heap, gboolean current)
{
  guintptr block;

  hip_mutex_lock (&heaps_lock);
  if (--heap->users > 0) {
    hip_mutex_unlock (&heaps_lock);
    return;
  }
  while ((block = hip_slabs_take_any (&heap->pinned))) {
    if (current)
      free_pinned (block);
  }
  for (guint i = 0; current && i < heap->modules->len; i++)
    NVIDIA_CALL_NOTED (cuModuleUnload, g_ptr_array_index (heap->modules, i));
  g_ptr_array_remove_fast (heaps, heap);
  hip_mutex_unlock (&heaps_lock);

  g_ptr_array_unref (heap->streams);
  g_ptr_array_unref (heap->modules);
  hip_mutex_clear (&heap->lock);
  hip_slabs_clear (&heap->pinned);
  g_free (heap);
}

void
nvidia_heap_add_stream (NvidiaHeap * heap, CuStream stream)
{
  hip_mutex_lock (&heap->lock);
  g_ptr_array_add (heap->streams, stream);
  hip_mutex_unlock (&heap->lock);
}

void
nvidia_heap_remove_stream (NvidiaHeap * heap, CuStream stream)
{
  hip_mutex_lock (&heap->lock);
  g_ptr_array_remove_fast (heap->streams, stream);
  hip_mutex_unlock (&heap->lock);
}

/* --- giving back --- */

static gboolean
is_idle (NvidiaHeap * heap)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&heap->lock);
  gboolean idle = TRUE;

  for (guint i = 0; idle && i < heap->streams->len; i++)
    idle = nvidia_cuda.cuStreamQuery (g_ptr_array_index (heap->streams, i))
        == CU_OK;
  return idle;
}

static CuModule
take_module (NvidiaHeap * heap, guint keep)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&heap->lock);

  return heap->modules->len > keep ?
      g_ptr_array_steal_index (heap->modules, 0) : NULL;
}

static gboolean
has_many_modules (NvidiaHeap * heap)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&heap->lock);

  return heap->modules->len > KEEP_MODULES;
}

/* On a worker, with the context current */
static void
sweep (NvidiaHeap * heap)
{
  guintptr block;
  CuModule module;

  if ((!hip_slabs_has_surplus (&heap->pinned, KEEP_PINNED_BYTES)
          && !has_many_modules (heap)) || !is_idle (heap))
    return;
  while ((block = hip_slabs_take_surplus (&heap->pinned, KEEP_PINNED_BYTES)))
    free_pinned (block);
  while ((module = take_module (heap, KEEP_MODULES)))
    NVIDIA_CALL_NOTED (cuModuleUnload, module);
}

void
nvidia_heap_retire_module (NvidiaHeap * heap, CuModule module)
{
  hip_mutex_lock (&heap->lock);
  g_ptr_array_add (heap->modules, module);
  hip_mutex_unlock (&heap->lock);
  sweep (heap);
}

/* --- pinned memory --- */

/* Portable and mapped, so every context of the process can use it */
static gboolean
alloc_pinned (gsize size, guintptr * address, GError ** error)
{
  gpointer data = NULL;

  if (!nvidia_check_as (nvidia_cuda.cuMemHostAlloc (&data, size,
              CU_FLAG_HOST_PORTABLE | CU_FLAG_HOST_DEVICEMAP),
          "cuMemHostAlloc", GST_HIP_ERROR_OUT_OF_MEMORY,
          "no pinned memory of that size", error))
    return FALSE;
  *address = (guintptr) data;
  return TRUE;
}

gboolean
nvidia_heap_alloc (NvidiaHeap * heap, gsize size, guintptr * address,
    GError ** error)
{
  return hip_slabs_alloc (&heap->pinned, size, alloc_pinned, address, error);
}

void
nvidia_heap_free (NvidiaHeap * heap, guintptr address)
{
  hip_slabs_free (&heap->pinned, address);
  sweep (heap);
}
