/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which bytes travel between device and CPU, when, and what if they cannot
 * (I5)? On the host device with its memory out of the CPU's reach
 * (GST_HIP_HOST_STAGING), whose real bytes the test sees all the same.
 */
#include <string.h>

#include "core-common.h"
#include "hip-memory.h"

#define SIZE 5000
#define NEED_UPLOAD GST_HIP_MEMORY_TRANSFER_NEED_UPLOAD
#define NEED_DOWNLOAD GST_HIP_MEMORY_TRANSFER_NEED_DOWNLOAD

static GstHipDevice *device;
static GstHipStream *stream;

static void
setup (void)
{
  device = open_host ();
  stream = new_stream (device);
}

static void
teardown (void)
{
  gst_clear_hip_stream (&stream);
  gst_clear_object (&device);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

static GstMemory *
new_memory (void)
{
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, SIZE,
      NULL);

  fail_unless (memory != NULL);
  fail_unless (GST_HIP_MEMORY_CAST (memory)->priv->is_staged);
  gst_hip_memory_set_stream (GST_HIP_MEMORY_CAST (memory), stream);
  return memory;
}

static guint8 *
device_bytes (GstMemory * memory)
{
  return (guint8 *) gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memory));
}

static void
fill (GstMemory * memory, guint8 value)
{
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  fail_unless (gst_hip_memory_begin_access (mem, stream, GST_MAP_WRITE, NULL));
  fail_unless (gst_hip_stream_fill (stream, memory, 0, memory->size, value,
          NULL));
  fail_unless (gst_hip_memory_end_access (mem, stream, GST_MAP_WRITE, NULL));
}

static void
cpu_fill (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, value, map.size);
  gst_memory_unmap (memory, &map);
}

static gboolean
all_are (const guint8 * data, gsize size, guint8 value)
{
  gsize i;

  for (i = 0; i < size && data[i] == value; i++);
  return i == size;
}

static void
assert_cpu_sees (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_unless (all_are (map.data, map.size, value));
  gst_memory_unmap (memory, &map);
}

static void
assert_marks (GstMemory * memory, guint marks)
{
  fail_unless_equals_int (GST_MEMORY_FLAGS (memory)
      & (NEED_UPLOAD | NEED_DOWNLOAD), marks);
}

/* With the device address, as a kernel would use it */
static gboolean
device_map (GstMemory * memory, GstMapFlags flags)
{
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, flags | GST_MAP_HIP))
    return FALSE;
  fail_unless (map.data == device_bytes (memory));
  gst_memory_unmap (memory, &map);
  return TRUE;
}

GST_START_TEST (test_marks)
{
  GstMemory *memory = new_memory ();

  assert_marks (memory, 0);
  cpu_fill (memory, 1);
  assert_marks (memory, NEED_UPLOAD);
  /* the copy that the CPU has is the newest */
  assert_cpu_sees (memory, 1);
  assert_marks (memory, NEED_UPLOAD);
  fail_unless (device_map (memory, GST_MAP_READ));
  assert_marks (memory, 0);
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  fail_unless (all_are (device_bytes (memory), SIZE, 1));

  fill (memory, 2);
  assert_marks (memory, NEED_DOWNLOAD);
  assert_cpu_sees (memory, 2);
  assert_marks (memory, 0);

  fail_unless (device_map (memory, GST_MAP_WRITE));
  assert_marks (memory, NEED_DOWNLOAD);
  cpu_fill (memory, 3);
  assert_marks (memory, NEED_UPLOAD);
  fill (memory, 4);
  assert_marks (memory, NEED_DOWNLOAD);
  assert_cpu_sees (memory, 4);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Both would wait for the stream, which stands still. */
GST_START_TEST (test_writing_reads_nothing_back)
{
  GstMemory *memory = new_memory ();
  HipNativeContext native = hip_device_get_context (device)->native;

  block (stream);
  fill (memory, 2);
  host_inject_failure (native, HOST_FAULT_COPY, 1);
  cpu_fill (memory, 1);
  assert_marks (memory, NEED_UPLOAD);
  /* the failure is still there: no copy was made */
  fail_if (device_map (memory, GST_MAP_READ));
  unblock (stream);
  fail_unless (device_map (memory, GST_MAP_READ));
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  fail_unless (all_are (device_bytes (memory), SIZE, 1));
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Nothing travels twice. */
GST_START_TEST (test_no_needless_transfer)
{
  GstMemory *memory = new_memory ();
  HipNativeContext native = hip_device_get_context (device)->native;

  cpu_fill (memory, 1);
  fail_unless (device_map (memory, GST_MAP_READ));
  host_inject_failure (native, HOST_FAULT_COPY, 1);
  fail_unless (device_map (memory, GST_MAP_READ));
  assert_cpu_sees (memory, 1);
  fill (memory, 2);
  fail_unless (device_map (memory, GST_MAP_READ));
  {
    GstMapInfo map;

    fail_if (gst_memory_map (memory, &map, GST_MAP_READ));
  }
  assert_cpu_sees (memory, 2);
  assert_cpu_sees (memory, 2);
  gst_memory_unref (memory);
}

GST_END_TEST;

GST_START_TEST (test_failed_transfers_leave_marks)
{
  static const HostFault faults[] = { HOST_FAULT_COPY, HOST_FAULT_RECORD };
  HipNativeContext native = hip_device_get_context (device)->native;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (faults); i++) {
    GstMemory *memory = new_memory ();
    GstMapInfo map;
    GError *error = NULL;

    cpu_fill (memory, 1);
    host_inject_failure (native, faults[i], 1);
    fail_if (device_map (memory, GST_MAP_READ));
    assert_marks (memory, NEED_UPLOAD);
    host_inject_failure (native, faults[i], 1);
    fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), stream,
            GST_MAP_READ, &error));
    fail_unless (error != NULL);
    g_clear_error (&error);
    assert_marks (memory, NEED_UPLOAD);
    fail_unless (device_map (memory, GST_MAP_READ));
    gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
    fail_unless (all_are (device_bytes (memory), SIZE, 1));

    fill (memory, 2);
    host_inject_failure (native, faults[i], 1);
    fail_if (gst_memory_map (memory, &map, GST_MAP_READ));
    assert_marks (memory, NEED_DOWNLOAD);
    assert_cpu_sees (memory, 2);
    gst_memory_unref (memory);
  }
}

GST_END_TEST;

GST_START_TEST (test_no_memory_for_staging)
{
  HipNativeContext native = hip_device_get_context (device)->native;
  GstMemory *memory = new_memory ();
  GstMapInfo map;

  fill (memory, 2);
  host_inject_failure (native, HOST_FAULT_MEMORY, 1);
  fail_if (gst_memory_map (memory, &map, GST_MAP_READ));
  assert_marks (memory, NEED_DOWNLOAD);
  assert_cpu_sees (memory, 2);
  gst_memory_unref (memory);
}

GST_END_TEST;

typedef struct
{
  GstMemory *memory;
  gint mapped;
} Writer;

static gpointer
write_3 (gpointer data)
{
  Writer *writer = data;
  GstMapInfo map;

  fail_unless (gst_memory_map (writer->memory, &map, GST_MAP_WRITE));
  g_atomic_int_set (&writer->mapped, 1);
  memset (map.data, 3, map.size);
  gst_memory_unmap (writer->memory, &map);
  return NULL;
}

/* The CPU must not write over what an upload still reads. */
GST_START_TEST (test_writing_waits_for_upload)
{
  GstMemory *memory = new_memory (), *out = new_memory ();
  GstHipCopyEnd to = { out, NULL, 0, 0 }, from = { memory, NULL, 0, 0 };
  Writer writer = { memory, 0 };
  GThread *thread;
  guint i;

  cpu_fill (memory, 1);
  block (stream);
  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory),
          stream, GST_MAP_READ, NULL));
  assert_marks (memory, 0);
  fail_unless (gst_hip_stream_copy_2d (stream, &to, &from, SIZE, 1, NULL));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (memory),
          stream, GST_MAP_READ, NULL));
  thread = g_thread_new ("writer", write_3, &writer);
  for (i = 0; i < 60; i++) {
    fail_if (g_atomic_int_get (&writer.mapped));
    g_usleep (500);
  }
  unblock (stream);
  g_thread_join (thread);
  assert_cpu_sees (out, 1);
  assert_cpu_sees (memory, 3);
  fail_unless (device_map (memory, GST_MAP_READ));
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  fail_unless (all_are (device_bytes (memory), SIZE, 3));
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

/* An upload is a writer: it comes after readers, and readers after it. */
GST_START_TEST (test_upload_is_ordered)
{
  GstMemory *memory = new_memory (), *out = new_memory (), *out2 =
      new_memory ();
  GstHipStream *slow = new_stream (device), *other = new_stream (device);
  GstHipCopyEnd to = { out, NULL, 0, 0 }, from = { memory, NULL, 0, 0 };
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  cpu_fill (memory, 1);
  fail_unless (device_map (memory, GST_MAP_READ));
  gst_hip_memory_sync (mem);
  block (slow);
  fail_unless (gst_hip_memory_begin_access (mem, slow, GST_MAP_READ, NULL));
  fail_unless (gst_hip_stream_copy_2d (slow, &to, &from, SIZE, 1, NULL));
  fail_unless (gst_hip_memory_end_access (mem, slow, GST_MAP_READ, NULL));

  cpu_fill (memory, 2);
  fail_unless (device_map (memory, GST_MAP_READ));      /* queues the upload */
  assert_marks (memory, 0);
  to.memory = out2;
  fail_unless (gst_hip_memory_begin_access (mem, other, GST_MAP_READ, NULL));
  fail_unless (gst_hip_stream_copy_2d (other, &to, &from, SIZE, 1, NULL));
  fail_unless (gst_hip_memory_end_access (mem, other, GST_MAP_READ, NULL));
  g_usleep (20000);
  fail_unless (all_are (device_bytes (memory), SIZE, 1));
  unblock (slow);
  fail_unless (gst_hip_stream_synchronize (slow));
  fail_unless (gst_hip_stream_synchronize (other));
  fail_unless (all_are (device_bytes (out), SIZE, 1));
  fail_unless (all_are (device_bytes (out2), SIZE, 2));
  gst_memory_unref (memory);
  gst_memory_unref (out);
  gst_memory_unref (out2);
  gst_hip_stream_unref (slow);
  gst_hip_stream_unref (other);
}

GST_END_TEST;

GST_START_TEST (test_parts_share_marks)
{
  GstMemory *memory = new_memory (), *part;

  fill (memory, 7);
  part = gst_memory_share (memory, 10, 20);
  assert_cpu_sees (part, 7);
  assert_marks (memory, 0);
  cpu_fill (part, 8);
  assert_marks (memory, NEED_UPLOAD);
  fail_unless (device_map (part, GST_MAP_READ));
  assert_marks (memory, 0);
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  fail_unless (all_are (device_bytes (part), 20, 8));
  fail_unless (device_bytes (part) == device_bytes (memory) + 10);
  fail_unless (all_are (device_bytes (memory), 10, 7));
  fail_unless (all_are (device_bytes (part) + 20, SIZE - 30, 7));
  gst_memory_unref (part);
  gst_memory_unref (memory);
}

GST_END_TEST;

GST_START_TEST (test_discard)
{
  GstMapInfo map;
  GstMemory *memory = new_memory ();
  HipNativeContext native = hip_device_get_context (device)->native;

  cpu_fill (memory, 1);
  hip_memory_discard (GST_HIP_MEMORY_CAST (memory));
  assert_marks (memory, 0);
  host_inject_failure (native, HOST_FAULT_COPY, 1);
  fail_unless (device_map (memory, GST_MAP_READ));
  fill (memory, 5);
  fail_if (gst_memory_map (memory, &map, GST_MAP_READ));
  assert_cpu_sees (memory, 5);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Bytes that belong to the picture are 1 in mask. */
static guint8 *
make_mask (const GstVideoInfo * info)
{
  guint8 *mask = g_malloc0 (info->size);
  guint plane, row, rows;
  gsize row_bytes;

  for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    gst_hip_video_info_get_plane_size (info, plane, &row_bytes, &rows);
    for (row = 0; row < rows; row++)
      memset (mask + info->offset[plane] + (gsize) row * info->stride[plane],
          1, row_bytes);
  }
  return mask;
}

static void
check_visible_bytes (GstVideoFormat format, gint width, gint height)
{
  GstVideoInfo info;
  GstMemory *memory;
  GstMapInfo map;
  guint8 *mask;
  gsize i;

  gst_video_info_set_format (&info, format, width, height);
  memory = gst_hip_allocator_alloc (NULL, device, &info);
  fail_unless (memory != NULL);
  fail_unless (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory),
          &info));
  fail_unless_equals_uint64 (memory->size, info.size);
  mask = make_mask (&info);

  /* up: the CPU's bytes between rows stay behind */
  fill (memory, 0xd0);
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  cpu_fill (memory, 0xc0);
  fail_unless (device_map (memory, GST_MAP_READ));
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  for (i = 0; i < info.size; i++)
    fail_unless (device_bytes (memory)[i] == (mask[i] ? 0xc0 : 0xd0),
        "%s %dx%d: byte %" G_GSIZE_FORMAT, info.finfo->name, width, height, i);

  /* down: so do the device's */
  fill (memory, 0xe0);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (i = 0; i < info.size; i++)
    fail_unless (map.data[i] == (mask[i] ? 0xe0 : 0xc0),
        "%s %dx%d: byte %" G_GSIZE_FORMAT, info.finfo->name, width, height, i);
  gst_memory_unmap (memory, &map);
  g_free (mask);
  gst_memory_unref (memory);
}

GST_START_TEST (test_only_visible_bytes_travel)
{
  static const gchar *formats[] = { "I420", "NV12", "RGBA", "RGB", "GRAY8",
    "P010_10LE", "v210", "UYVP", "RGB8P", "A420", "GBR", "YUY2"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (formats); i++) {
    GstVideoFormat format = gst_video_format_from_string (formats[i]);

    check_visible_bytes (format, 1, 1);
    check_visible_bytes (format, 5, 7);
    check_visible_bytes (format, 17, 9);
  }
}

GST_END_TEST;

/* What was never written is at least nobody else's. */
GST_START_TEST (test_staging_is_clean)
{
  GstVideoInfo info;
  GstMemory *memory;
  GstMapInfo map;
  guint8 *mask;
  gsize i;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 7, 5);
  memory = gst_hip_allocator_alloc (NULL, device, &info);
  gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory), &info);
  mask = make_mask (&info);
  fill (memory, 9);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (i = 0; i < info.size; i++)
    fail_unless_equals_int (map.data[i], mask[i] ? 9 : 0);
  gst_memory_unmap (memory, &map);
  g_free (mask);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Many at once find one transfer made, and right bytes. */
static gpointer
read_7 (gpointer data)
{
  guint i;

  for (i = 0; i < 200; i++)
    assert_cpu_sees (data, 7);
  return NULL;
}

static gpointer
device_read_7 (gpointer data)
{
  GstHipStream *own = new_stream (device);
  GstMemory *out = new_memory ();
  GstHipCopyEnd to = { out, NULL, 0, 0 }, from = { data, NULL, 0, 0 };

  fail_unless (gst_hip_memory_begin_access (data, own, GST_MAP_READ, NULL));
  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (out), own,
          GST_MAP_WRITE, NULL));
  fail_unless (gst_hip_stream_copy_2d (own, &to, &from, SIZE, 1, NULL));
  fail_unless (gst_hip_memory_end_access (data, own, GST_MAP_READ, NULL));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (out), own,
          GST_MAP_WRITE, NULL));
  assert_cpu_sees (out, 7);
  gst_memory_unref (out);
  gst_hip_stream_unref (own);
  return NULL;
}

GST_START_TEST (test_threads)
{
  guint round, i;

  for (round = 0; round < 30; round++) {
    GstMemory *memory = new_memory ();
    GThread *threads[6];

    if (round % 2)
      cpu_fill (memory, 7);
    else
      fill (memory, 7);
    for (i = 0; i < 6; i++)
      threads[i] = g_thread_new ("reader", i % 2 ? read_7 : device_read_7,
          memory);
    for (i = 0; i < 6; i++)
      g_thread_join (threads[i]);
    gst_memory_unref (memory);
  }
}

GST_END_TEST;

static Suite *
memory_map_suite (void)
{
  Suite *suite = suite_create ("memory-map");
  TCase *tcase = tcase_create ("memory-map");

  g_setenv ("GST_HIP_HOST_STAGING", "1", TRUE);
  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_marks);
  tcase_add_test (tcase, test_writing_reads_nothing_back);
  tcase_add_test (tcase, test_no_needless_transfer);
  tcase_add_test (tcase, test_failed_transfers_leave_marks);
  tcase_add_test (tcase, test_no_memory_for_staging);
  tcase_add_test (tcase, test_writing_waits_for_upload);
  tcase_add_test (tcase, test_upload_is_ordered);
  tcase_add_test (tcase, test_parts_share_marks);
  tcase_add_test (tcase, test_discard);
  tcase_add_test (tcase, test_only_visible_bytes_travel);
  tcase_add_test (tcase, test_staging_is_clean);
  tcase_add_test (tcase, test_threads);
  return suite;
}

GST_CHECK_MAIN (memory_map);
