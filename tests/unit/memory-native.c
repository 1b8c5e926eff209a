/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a stream of which only the driver's handle is known, as another
 * library's, take its place in the order of a memory's users (I2)?
 *
 * Streams of this library stand for such ones: what is queued on them here says
 * nothing to the memory but by gst_hip_memory_begin_native_access () and its
 * end. Run with and without GST_HIP_HOST_STAGING.
 */
#include "core-common.h"
#include "hip-memory.h"

#define SIZE 10000
#define OLD 0x11
#define NEW 0x22

static GstHipDevice *device;
static GstHipStream *ours, *theirs;

static void
setup (void)
{
  device = open_host ();
  ours = new_stream (device);
  theirs = new_stream (device);
}

static void
teardown (void)
{
  gst_clear_hip_stream (&ours);
  gst_clear_hip_stream (&theirs);
  gst_clear_object (&device);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

static GstMemory *
new_memory (guint8 value)
{
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, SIZE, NULL);
  GstMapInfo map;

  fail_unless (memory != NULL);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, value, map.size);
  gst_memory_unmap (memory, &map);
  return memory;
}

static void
assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    fail_unless (map.data[i] == value, "byte %" G_GSIZE_FORMAT " is 0x%02x", i,
        map.data[i]);
  gst_memory_unmap (memory, &map);
}

static void
copy_unseen (GstHipStream * stream, GstMemory * dst, GstMemory * src)
{
  GstHipCopyEnd to = { dst, NULL, 0, 0 }, from = { src, NULL, 0, 0 };

  fail_unless (gst_hip_stream_copy_2d (stream, &to, &from, SIZE, 1, NULL));
}

static void
begin (GstMemory * memory, GstMapFlags flags)
{
  fail_unless (gst_hip_memory_begin_native_access (GST_HIP_MEMORY_CAST (memory),
          gst_hip_stream_get_native_handle (theirs), flags, NULL));
}

static void
end (GstMemory * memory, GstMapFlags flags)
{
  fail_unless (gst_hip_memory_end_native_access (GST_HIP_MEMORY_CAST (memory),
          gst_hip_stream_get_native_handle (theirs), flags, NULL));
}

/* Were a wait missing, stream's work would be done within this time. */
static void
assert_waits (GstHipStream * stream)
{
  g_autoptr (GstHipEvent) event = record (stream);

  for (guint i = 0; i < 60; i++) {
    fail_unless_equals_int (gst_hip_event_query_state (event),
        GST_HIP_EVENT_STATE_PENDING);
    g_usleep (500);
  }
}

/* They read after we wrote. */
GST_START_TEST (test_theirs_after_ours)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  block (ours);
  fail_unless (gst_hip_memory_begin_access (mem, ours, GST_MAP_WRITE, NULL));
  fail_unless (gst_hip_stream_fill (ours, memory, 0, SIZE, NEW, NULL));
  fail_unless (gst_hip_memory_end_access (mem, ours, GST_MAP_WRITE, NULL));
  begin (memory, GST_MAP_READ);
  begin (out, GST_MAP_WRITE);
  copy_unseen (theirs, out, memory);
  end (memory, GST_MAP_READ);
  end (out, GST_MAP_WRITE);
  assert_waits (theirs);
  unblock (ours);
  assert_bytes (out, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

/* We read after they wrote, and write after they read. */
GST_START_TEST (test_ours_after_theirs)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  block (theirs);
  begin (memory, GST_MAP_WRITE);
  fail_unless (gst_hip_stream_fill (theirs, memory, 0, SIZE, NEW, NULL));
  end (memory, GST_MAP_WRITE);
  fail_unless (gst_hip_memory_begin_access (mem, ours, GST_MAP_READ, NULL));
  copy_unseen (ours, out, memory);
  fail_unless (gst_hip_memory_end_access (mem, ours, GST_MAP_READ, NULL));
  assert_waits (ours);
  unblock (theirs);
  fail_unless (gst_hip_stream_synchronize (ours));
  /* Their reading is one more reader. */
  block (theirs);
  begin (memory, GST_MAP_READ);
  end (memory, GST_MAP_READ);
  fail_unless (gst_hip_memory_is_idle (mem, GST_MAP_READ));
  fail_if (gst_hip_memory_is_idle (mem, GST_MAP_WRITE));
  unblock (theirs);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

/* An allocation lives until they are done with it, too. */
GST_START_TEST (test_they_keep_it)
{
  GstMemory *memory = new_memory (OLD);
  guint before = hip_memory_live_count ();

  block (theirs);
  begin (memory, GST_MAP_READ);
  end (memory, GST_MAP_READ);
  gst_memory_unref (memory);
  g_usleep (20000);
  fail_unless_equals_int (hip_memory_live_count (), before);
  unblock (theirs);
  wait_for (hip_memory_live_count () < before);
}

GST_END_TEST;

GST_START_TEST (test_refusals)
{
  GstMemory *memory = new_memory (OLD);
  GError *error = NULL;

  GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);
  fail_if (gst_hip_memory_begin_native_access (GST_HIP_MEMORY_CAST (memory),
          gst_hip_stream_get_native_handle (theirs), GST_MAP_WRITE, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);
  begin (memory, GST_MAP_READ);
  end (memory, GST_MAP_READ);
  gst_memory_unref (memory);
}

GST_END_TEST;

static Suite *
memory_native_suite (void)
{
  Suite *s = suite_create ("memory-native");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_theirs_after_ours);
  tcase_add_test (tc, test_ours_after_theirs);
  tcase_add_test (tc, test_they_keep_it);
  tcase_add_test (tc, test_refusals);
  return s;
}

GST_CHECK_MAIN (memory_native);
