/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is a stream kept busy for as long as something is measured? By a kernel
 * that reads a flag in page-locked memory until the CPU sets it. Other streams
 * are kept busy by letting them wait for this one. */
#include "bench.h"

static const gchar blocker_source[] =
    "extern \"C\" __global__ void wait_for (const volatile int *flag)\n"
    "{ while (*flag == 0) { } }\n";

struct _BenchBlocker
{
  GstHipKernelModule *module;
  GstHipKernelArgs *args;
  GstHipStream *stream;
  GstMemory *memory;
  GstMapInfo map;               /* for as long as we live: that is no access of a stream's */
};

static void
release (BenchBlocker * blocker)
{
  g_atomic_int_set ((gint *) blocker->map.data, 1);
}

BenchBlocker *
bench_blocker_new (Bench * bench, GstHipStream * stream, GError ** error)
{
  g_autoptr (BenchBlocker) blocker = g_new0 (BenchBlocker, 1);

  blocker->stream = stream != NULL ? gst_hip_stream_ref (stream) :
      gst_hip_stream_new_full (bench->device, 0, error);
  if (blocker->stream == NULL)
    return NULL;
  blocker->module = gst_hip_kernel_module_new_from_source (bench->device,
      blocker_source, NULL, error);
  if (blocker->module == NULL)
    return NULL;
  blocker->memory = gst_hip_allocator_alloc_pinned (NULL, bench->device,
      sizeof (gint), error);
  if (blocker->memory == NULL)
    return NULL;
  if (!gst_memory_map (blocker->memory, &blocker->map, GST_MAP_READWRITE)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED, "no map");
    return NULL;
  }
  blocker->args = gst_hip_kernel_args_new ();
  if (!gst_hip_kernel_args_add_memory_full (blocker->args, blocker->memory, 0,
          GST_MAP_READ, error))
    return NULL;
  release (blocker);
  return g_steal_pointer (&blocker);
}

void
bench_blocker_free (BenchBlocker * blocker)
{
  if (blocker == NULL)
    return;
  if (blocker->map.data != NULL) {
    release (blocker);
    gst_hip_stream_synchronize (blocker->stream);
    gst_memory_unmap (blocker->memory, &blocker->map);
  }
  g_clear_pointer (&blocker->args, gst_hip_kernel_args_unref);
  if (blocker->memory != NULL)
    gst_memory_unref (blocker->memory);
  g_clear_pointer (&blocker->module, gst_hip_kernel_module_unref);
  gst_clear_hip_stream (&blocker->stream);
  g_free (blocker);
}

gboolean
bench_blocker_start (BenchBlocker * blocker, GError ** error)
{
  static const guint one[3] = { 1, 1, 1 };

  /* the last one must have seen its flag before that is taken back */
  if (!gst_hip_stream_synchronize_full (blocker->stream, error))
    return FALSE;
  g_atomic_int_set ((gint *) blocker->map.data, 0);
  return gst_hip_kernel_module_launch (blocker->module, "wait_for",
      blocker->stream, one, one, blocker->args, error);
}

gboolean
bench_blocker_join (BenchBlocker * blocker, GstMemory * memory,
    GstMapFlags flags, GError ** error)
{
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  if (!gst_is_hip_memory (memory))
    return TRUE;
  return gst_hip_memory_begin_access (mem, blocker->stream, flags, error) &&
      gst_hip_memory_end_access (mem, blocker->stream, flags, error);
}

void
bench_blocker_release (BenchBlocker * blocker)
{
  release (blocker);
}
