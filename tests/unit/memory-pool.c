/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What happens to memory between two users: order across recycling (I3),
 * counts, allocations, nothing left behind, nothing allocated in steady state?
 */
#include <string.h>

#include "../common/count-allocations.h"
#include "core-common.h"
#include "hip-memory.h"

#define SIZE 10000

/* fail_unless () allocates */
#define must(condition) G_STMT_START {  \
  if (!(condition))                     \
    fail ("%s", #condition);            \
} G_STMT_END

static GstHipDevice *device;
static GstHipStream *a, *b;

static void
setup (void)
{
  device = open_host ();
  a = new_stream (device);
  b = new_stream (device);
}

static void
teardown (void)
{
  gst_clear_hip_stream (&a);
  gst_clear_hip_stream (&b);
  gst_clear_object (&device);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

static void
fill (GstHipStream * stream, GstMemory * memory, guint8 value)
{
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  must (gst_hip_memory_begin_access (mem, stream, GST_MAP_WRITE, NULL));
  must (gst_hip_stream_fill (stream, memory, 0, memory->size, value, NULL));
  must (gst_hip_memory_end_access (mem, stream, GST_MAP_WRITE, NULL));
}

static void
copy (GstHipStream * stream, GstMemory * dst, GstMemory * src)
{
  GstHipCopyEnd to = { dst, NULL, 0, 0 }, from = { src, NULL, 0, 0 };
  GstHipMemory *d = GST_HIP_MEMORY_CAST (dst), *s = GST_HIP_MEMORY_CAST (src);
  GstHipEvent *event;

  must (gst_hip_memory_begin_access (s, stream, GST_MAP_READ, NULL));
  must (gst_hip_memory_begin_access (d, stream, GST_MAP_WRITE, NULL));
  must (gst_hip_stream_copy_2d (stream, &to, &from, src->size, 1, NULL));
  must (event = gst_hip_stream_record (stream, FALSE, NULL));
  gst_hip_memory_end_access_with_event (s, event, GST_MAP_READ);
  gst_hip_memory_end_access_with_event (d, event, GST_MAP_WRITE);
  gst_hip_event_unref (event);
}

static void
assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;
  gsize i;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (i = 0; i < map.size && map.data[i] == value; i++);
  fail_unless (i == map.size);
  gst_memory_unmap (memory, &map);
}

static void
assert_does_not_overtake (GstHipStream * stream)
{
  GstHipEvent *event = record (stream);
  guint i;

  for (i = 0; i < 60; i++) {
    fail_unless_equals_int (gst_hip_event_query_state (event),
        GST_HIP_EVENT_STATE_PENDING);
    g_usleep (500);
  }
  gst_hip_event_unref (event);
}

static GstBufferPool *
new_pool (GstHipMemoryKind kind, const gchar * caps_string, guint size,
    guint min, guint max)
{
  GstBufferPool *pool = gst_hip_buffer_pool_new_full (device, kind);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps =
      caps_string ? gst_caps_from_string (caps_string) : NULL;

  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  return pool;
}

static GstBuffer *
acquire (GstBufferPool * pool)
{
  GstBuffer *buffer = NULL;

  must (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) == GST_FLOW_OK);
  return buffer;
}

/* --- order across recycling --- */

/* With one buffer, acquiring would hang here if it waited for the reader. */
GST_START_TEST (test_recycled_with_slow_reader)
{
  GstBufferPool *pool = new_pool (GST_HIP_MEMORY_KIND_DEVICE, NULL, SIZE, 0, 1);
  GstMemory *out = gst_hip_allocator_alloc_linear (NULL, device, SIZE, NULL);
  GstMemory *first;
  GstBuffer *buffer;

  gst_buffer_pool_set_active (pool, TRUE);
  buffer = acquire (pool);
  first = gst_buffer_peek_memory (buffer, 0);
  fill (a, first, 1);
  block (a);
  copy (a, out, first);
  gst_buffer_unref (buffer);

  buffer = acquire (pool);
  fail_unless (gst_buffer_peek_memory (buffer, 0) == first);
  fill (b, first, 2);
  assert_does_not_overtake (b);
  unblock (a);
  assert_bytes (out, 1);
  assert_bytes (first, 2);
  gst_buffer_unref (buffer);
  gst_memory_unref (out);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

GST_END_TEST;

/* Buffers come back at once, so one would do; then every frame would wait on the
 * device for the one before. The sixth is busy again, and never waited for. */
GST_START_TEST (test_busy_buffers_take_turns)
{
  GstBufferPool *pool = new_pool (GST_HIP_MEMORY_KIND_DEVICE, NULL, SIZE, 0, 0);
  GstMemory *first, *memory[6];
  GstBuffer *buffer;

  gst_buffer_pool_set_active (pool, TRUE);
  for (guint i = 0; i < 3; i++) {       /* idle: always the same */
    buffer = acquire (pool);
    first = gst_buffer_peek_memory (buffer, 0);
    fail_unless (i == 0 || first == memory[0]);
    memory[0] = first;
    gst_buffer_unref (buffer);
  }
  block (a);
  for (guint i = 0; i < G_N_ELEMENTS (memory); i++) {
    buffer = acquire (pool);
    memory[i] = gst_buffer_peek_memory (buffer, 0);
    fill (a, memory[i], i);
    gst_buffer_unref (buffer);
  }
  fail_unless (memory[0] == first);
  for (guint i = 1; i < 4; i++) {
    for (guint k = 0; k < i; k++)
      fail_unless (memory[i] != memory[k], "%u and %u are one", i, k);
  }
  fail_unless (memory[4] == memory[0]);
  fail_unless (memory[5] == memory[1]);
  unblock (a);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

GST_END_TEST;

/* A maximum below that is kept, and running into it is no wait. */
GST_START_TEST (test_turns_within_maximum)
{
  GstBufferPool *pool = new_pool (GST_HIP_MEMORY_KIND_DEVICE, NULL, SIZE, 0, 2);
  GstMemory *memory[5];

  gst_buffer_pool_set_active (pool, TRUE);
  block (a);
  for (guint i = 0; i < G_N_ELEMENTS (memory); i++) {
    GstBuffer *buffer = acquire (pool);

    memory[i] = gst_buffer_peek_memory (buffer, 0);
    fill (a, memory[i], i);
    gst_buffer_unref (buffer);
  }
  fail_unless (memory[0] != memory[1]);
  for (guint i = 2; i < G_N_ELEMENTS (memory); i++)
    fail_unless (memory[i] == memory[i - 2]);
  unblock (a);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

GST_END_TEST;

GST_START_TEST (test_allocator_recycles_with_slow_reader)
{
  GstHipPoolAllocator *allocator = gst_hip_pool_allocator_new_full (device,
      GST_HIP_MEMORY_KIND_DEVICE, NULL, SIZE, 1);
  GstMemory *out = gst_hip_allocator_alloc_linear (NULL, device, SIZE, NULL);
  GstMemory *memory, *again;

  gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (allocator), TRUE);
  fail_unless_equals_int (gst_hip_pool_allocator_acquire_memory (allocator,
          &memory), GST_FLOW_OK);
  fail_unless (gst_is_hip_memory (memory));
  fill (a, memory, 1);
  block (a);
  copy (a, out, memory);
  gst_memory_resize (memory, 10, 20);
  gst_memory_unref (memory);
  fail_unless_equals_int (gst_hip_pool_allocator_acquire_memory (allocator,
          &again), GST_FLOW_OK);
  fail_unless (again == memory);
  fail_unless_equals_uint64 (again->size, SIZE);
  fail_unless_equals_uint64 (again->offset, 0);
  fill (b, again, 2);
  assert_does_not_overtake (b);
  unblock (a);
  assert_bytes (out, 1);
  assert_bytes (again, 2);
  gst_memory_unref (out);
  gst_memory_unref (again);
  gst_object_unref (allocator);
}

GST_END_TEST;

/* Dropped with the pool while the device still reads it */
GST_START_TEST (test_pool_dropped_with_slow_reader)
{
  GstBufferPool *pool = new_pool (GST_HIP_MEMORY_KIND_DEVICE, NULL, SIZE, 2, 0);
  GstMemory *out = gst_hip_allocator_alloc_linear (NULL, device, SIZE, NULL);
  GstBuffer *buffer;

  gst_buffer_pool_set_active (pool, TRUE);
  buffer = acquire (pool);
  fill (a, gst_buffer_peek_memory (buffer, 0), 1);
  block (a);
  copy (a, out, gst_buffer_peek_memory (buffer, 0));
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  wait_for (hip_memory_live_count () == 2);
  g_usleep (10000);
  fail_unless_equals_int (hip_memory_live_count (), 2);
  unblock (a);
  wait_for (hip_memory_live_count () == 1);
  assert_bytes (out, 1);
  gst_memory_unref (out);
}

GST_END_TEST;

/* --- counts --- */

GST_START_TEST (test_configuring_allocates_nothing)
{
  GstBufferPool *pool = new_pool (GST_HIP_MEMORY_KIND_DEVICE,
      "video/x-raw,format=NV12,width=640,height=480", 0, 3, 0);

  fail_unless_equals_int (hip_memory_live_count (), 0);
  gst_buffer_pool_set_active (pool, TRUE);
  fail_unless_equals_int (hip_memory_live_count (), 3);
  gst_buffer_pool_set_active (pool, FALSE);
  wait_for (hip_memory_live_count () == 0);
  gst_object_unref (pool);
}

GST_END_TEST;

GST_START_TEST (test_outstanding_count)
{
  GstHipPoolAllocator *allocator = gst_hip_pool_allocator_new_full (device,
      GST_HIP_MEMORY_KIND_DEVICE, NULL, SIZE, 5);
  GstMemory *memories[5];
  guint round, i;

  for (round = 0; round < 3; round++) {
    gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (allocator), TRUE);
    for (i = 0; i < 5; i++)
      fail_unless_equals_int (gst_hip_pool_allocator_acquire_memory (allocator,
              &memories[i]), GST_FLOW_OK);
    fail_unless_equals_int (hip_pool_allocator_outstanding (allocator), 5);
    /* one comes back before, the others after */
    gst_memory_unref (memories[0]);
    fail_unless_equals_int (hip_pool_allocator_outstanding (allocator), 4);
    gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (allocator), FALSE);
    for (i = 1; i < 5; i++)
      gst_memory_unref (memories[i]);
    fail_unless_equals_int (hip_pool_allocator_outstanding (allocator), 0);
    wait_for (hip_memory_live_count () == 0);
  }
  gst_object_unref (allocator);
}

GST_END_TEST;

GST_START_TEST (test_failed_allocation)
{
  HipNativeContext native = hip_device_get_context (device)->native;
  GstHipPoolAllocator *allocator = gst_hip_pool_allocator_new_full (device,
      GST_HIP_MEMORY_KIND_DEVICE, NULL, SIZE, 1);
  GstMemory *memory;

  gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (allocator), TRUE);
  host_inject_failure (native, HOST_FAULT_MEMORY, 1);
  fail_unless_equals_int (gst_hip_pool_allocator_acquire_memory (allocator,
          &memory), GST_FLOW_ERROR);
  fail_unless (memory == NULL);
  fail_unless_equals_int (hip_pool_allocator_outstanding (allocator), 0);
  fail_unless_equals_int (gst_hip_pool_allocator_acquire_memory (allocator,
          &memory), GST_FLOW_OK);
  gst_memory_unref (memory);
  gst_object_unref (allocator);
}

GST_END_TEST;

static guint
count_fds (void)
{
  GDir *dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

GST_START_TEST (test_ten_thousand_pools)
{
  guint i, fds = 0, events = 0;

  for (i = 0; i < 10000; i++) {
    GstBufferPool *pool = new_pool (i % 2 ? GST_HIP_MEMORY_KIND_PINNED :
        GST_HIP_MEMORY_KIND_DEVICE,
        "video/x-raw,format=I420,width=33,height=17", 0, i % 3, 0);

    if (i % 4) {
      GstBuffer *buffer;

      gst_buffer_pool_set_active (pool, TRUE);
      buffer = acquire (pool);
      fill (a, gst_buffer_peek_memory (buffer, 0), i);
      gst_buffer_unref (buffer);
      if (i % 5)
        gst_buffer_pool_set_active (pool, FALSE);
    }
    gst_object_unref (pool);
    if (i % 256 == 0)
      gst_hip_stream_synchronize (a);
    if (i == 1000) {
      wait_for (hip_memory_live_count () == 0);
      fds = count_fds ();
      events = hip_event_native_count ();
    }
  }
  wait_for (hip_memory_live_count () == 0);
  fail_unless_equals_int (count_fds (), fds);
  /* as many as are pending at once, not as many as there were pools */
  fail_unless (hip_event_native_count () < events + 2500);
}

GST_END_TEST;

/* --- steady state --- */

#ifndef COUNTS_NOTHING
/* What an upload and a filter do for a frame, on one streaming thread */
static void
run_frame (GstBufferPool * from, GstBufferPool * to)
{
  GstBuffer *in = acquire (from), *out = acquire (to);

  fill (a, gst_buffer_peek_memory (in, 0), 1);
  copy (b, gst_buffer_peek_memory (out, 0), gst_buffer_peek_memory (in, 0));
  gst_buffer_unref (in);
  gst_buffer_unref (out);
}

GST_START_TEST (test_steady_state_allocates_nothing)
{
  const gchar *caps = "video/x-raw,format=NV12,width=320,height=240";
  GstBufferPool *from = new_pool (GST_HIP_MEMORY_KIND_DEVICE, caps, 0, 2, 0);
  GstBufferPool *to = new_pool (GST_HIP_MEMORY_KIND_DEVICE, caps, 0, 2, 0);
  guint i, round, native, before, allocated = 0;

  gst_buffer_pool_set_active (from, TRUE);
  gst_buffer_pool_set_active (to, TRUE);
  /* The first ones fill caches: with more frames pending than will ever be again,
   * whichever thread comes first. */
  for (round = 0; round < 8; round++) {
    block (a);
    for (i = 0; i < 32; i++)
      run_frame (from, to);
    unblock (a);
    gst_hip_stream_synchronize (b);
  }
  native = hip_event_native_count ();
  for (i = 0; i < 1000; i++) {
    if (i % 8 == 0)
      gst_hip_stream_synchronize (b);
    before = count_allocations_here ();
    run_frame (from, to);
    allocated += count_allocations_here () - before;
  }
  fail_unless_equals_int (allocated, 0);
  /* GLib's are counted too */
  before = count_allocations_here ();
  g_free (g_malloc (SIZE));
  fail_unless_equals_int (count_allocations_here () - before, 1);
  fail_unless_equals_int (hip_event_native_count (), native);
  gst_buffer_pool_set_active (from, FALSE);
  gst_buffer_pool_set_active (to, FALSE);
  gst_object_unref (from);
  gst_object_unref (to);
}

GST_END_TEST;
#endif

static Suite *
memory_pool_suite (void)
{
  Suite *suite = suite_create ("memory-pool");
  TCase *tcase = tcase_create ("memory-pool");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 100);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_recycled_with_slow_reader);
  tcase_add_test (tcase, test_busy_buffers_take_turns);
  tcase_add_test (tcase, test_turns_within_maximum);
  tcase_add_test (tcase, test_allocator_recycles_with_slow_reader);
  tcase_add_test (tcase, test_pool_dropped_with_slow_reader);
  tcase_add_test (tcase, test_configuring_allocates_nothing);
  tcase_add_test (tcase, test_outstanding_count);
  tcase_add_test (tcase, test_failed_allocation);
  tcase_add_test (tcase, test_ten_thousand_pools);
#ifndef COUNTS_NOTHING
  tcase_add_test (tcase, test_steady_state_allocates_nothing);
#endif
  return suite;
}

GST_CHECK_MAIN (memory_pool);
