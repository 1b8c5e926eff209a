/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does this device really work? A copy on the device and a kernel that is
 * compiled here and now, unless it is installed or cached, both checked byte by byte, the way an application
 * would do it. */
#include "config.h"

#include "hip-info.h"

#define COUNT (1u << 20)
#define BLOCK 256u

/* self-test.hip, embedded by the build, which also precompiles it */
extern const char hip_info_self_test_source[];

typedef struct
{
  GstHipDevice *device;
  GstHipStream *stream;
  GstMemory *first, *second;
} SelfTest;

static void
self_test_clear (SelfTest * test)
{
  g_clear_pointer (&test->first, gst_memory_unref);
  g_clear_pointer (&test->second, gst_memory_unref);
  gst_clear_hip_stream (&test->stream);
  gst_clear_object (&test->device);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SelfTest, self_test_clear);

static guint32
pattern (guint i)
{
  return (i ^ (i >> 3)) * 2654435761u;
}

static gboolean
write_pattern (GstMemory * memory, GError ** error)
{
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_WRITE)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "device memory cannot be written from the CPU");
    return FALSE;
  }
  for (guint i = 0; i < COUNT; i++)
    ((guint32 *) map.data)[i] = pattern (i);
  gst_memory_unmap (memory, &map);
  return TRUE;
}

/* What is in memory, compared with pattern () at reversed or plain places. */
static gboolean
check (GstMemory * memory, guint32 factor, gboolean reversed, GError ** error)
{
  GstMapInfo map;
  guint i;

  if (!gst_memory_map (memory, &map, GST_MAP_READ)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "device memory cannot be read from the CPU");
    return FALSE;
  }
  for (i = 0; i < COUNT; i++) {
    guint from = reversed ? i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK : i;

    if (((guint32 *) map.data)[i] != pattern (from) * factor)
      break;
  }
  if (i < COUNT)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "%s: value %u is %u and should be another",
        reversed ? "kernel" : "copy", i, ((guint32 *) map.data)[i]);
  gst_memory_unmap (memory, &map);
  return i == COUNT;
}

static gboolean
open_device (SelfTest * test, GstHipVendor vendor, guint device_id,
    GError ** error)
{
  const gsize size = COUNT * sizeof (guint32);

  return (test->device = gst_hip_device_new_full (vendor, device_id, error))
      && (test->stream = gst_hip_stream_new_full (test->device, 0, error))
      && (test->first = gst_hip_allocator_alloc_linear (NULL, test->device,
          size, error))
      && (test->second = gst_hip_allocator_alloc_linear (NULL, test->device,
          size, error));
}

static gboolean
test_copy (SelfTest * test, GError ** error)
{
  const gsize size = COUNT * sizeof (guint32);
  const GstHipCopyEnd from = {.memory = test->first,.stride = size };
  const GstHipCopyEnd to = {.memory = test->second,.stride = size };
  GstHipMemory *first = GST_HIP_MEMORY_CAST (test->first);
  GstHipMemory *second = GST_HIP_MEMORY_CAST (test->second);

  return write_pattern (test->first, error)
      && gst_hip_memory_begin_access (first, test->stream, GST_MAP_READ, error)
      && gst_hip_memory_begin_access (second, test->stream, GST_MAP_WRITE,
      error)
      && gst_hip_stream_copy_2d (test->stream, &to, &from, size, 1, error)
      && gst_hip_memory_end_access (first, test->stream, GST_MAP_READ, error)
      && gst_hip_memory_end_access (second, test->stream, GST_MAP_WRITE, error)
      && check (test->second, 1, FALSE, error);
}

static gboolean
test_kernel (SelfTest * test, GstStructure * result, GError ** error)
{
  const guint grid[3] = { COUNT / BLOCK, 1, 1 }, block[3] = { BLOCK, 1, 1 };
  const guint32 factor = 5;
  g_autoptr (GstHipKernelModule) module = NULL;
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  g_autoptr (GstHipEvent) start = NULL, stop = NULL;
  gint64 before = g_get_monotonic_time ();
  gdouble ns = 0;

  module = gst_hip_kernel_module_new_from_source (test->device,
      hip_info_self_test_source, NULL, error);
  if (!module)
    return FALSE;
  gst_structure_set (result, "self-test-compile-ms", G_TYPE_UINT,
      (guint) ((g_get_monotonic_time () - before) / 1000), NULL);
  if (!gst_hip_kernel_args_add_memory (args, test->first, 0, error)
      || !gst_hip_kernel_args_add_memory (args, test->second, 0, error))
    return FALSE;
  gst_hip_kernel_args_add_uint32 (args, factor);
  start = gst_hip_stream_record (test->stream, TRUE, error);
  if (!start || !gst_hip_kernel_module_launch (module, "self_test",
          test->stream, grid, block, args, error))
    return FALSE;
  stop = gst_hip_stream_record (test->stream, TRUE, error);
  if (!stop || !check (test->second, factor, TRUE, error)
      || !gst_hip_event_wait (stop, error)
      || !gst_hip_event_get_elapsed (start, stop, &ns, error))
    return FALSE;
  gst_structure_set (result, "self-test-kernel-us", G_TYPE_UINT,
      (guint) (ns / 1000), NULL);
  return TRUE;
}

gboolean
hip_info_self_test (GstHipVendor vendor, guint device_id, GstStructure * result)
{
  g_auto (SelfTest) test = { NULL, };
  g_autoptr (GError) error = NULL;
  gboolean passed = open_device (&test, vendor, device_id, &error)
      && test_copy (&test, &error) && test_kernel (&test, result, &error);
  g_autofree gchar *text = passed ? g_strdup ("passed")
      : g_strdup_printf ("failed: %s", error ? error->message : "no reason");

  gst_structure_set (result, "self-test", G_TYPE_STRING, text, NULL);
  return passed;
}
