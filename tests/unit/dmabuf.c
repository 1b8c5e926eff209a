/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is a DMA-BUF read where it lies, after its producer has finished and until
 * the device is done with it; is it imported once, and is nothing left of it?
 *
 * memfds stand for DMA-BUFs: no kernel module is needed for them. Run with and
 * without GST_HIP_HOST_STAGING.
 */
#include "late-fence.h"

#include <string.h>

#include <gst/allocators/gstdmabuf.h>

#include "core-common.h"
#include "hip-memory.h"

#define SIZE 8192
#define OLD 0x11
#define NEW 0x22

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
  wait_for (hip_dmabuf_live_count () == 0);
  wait_for (hip_fence_wait_is_idle ());
  assert_no_threads ();
}

static GstMemory *
import_at (gint fd, gsize offset, gsize size)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_import_dmabuf (NULL, device, stream, fd,
      offset, size, NULL, NULL, &error);

  fail_unless (memory != NULL, "%s", error ? error->message : "no error");
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

/* A copy that stream makes; it is not waited for. */
static GstMemory *
read_on_stream (GstMemory * memory)
{
  GstMemory *copy = gst_hip_allocator_alloc_pinned (NULL, device, memory->size,
      NULL);
  GstHipCopyEnd to = { copy, NULL, 0, 0 }, from = { memory, NULL, 0, 0 };
  GError *error = NULL;

  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory),
          stream, GST_MAP_READ, &error));
  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (copy),
          stream, GST_MAP_WRITE, &error));
  fail_unless (gst_hip_stream_copy_2d (stream, &to, &from, memory->size, 1,
          &error));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (memory),
          stream, GST_MAP_READ, &error));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (copy),
          stream, GST_MAP_WRITE, &error));
  return copy;
}

static gint n_destroyed;
static GThread *destroyer;
static gint ends_before;

static void
note_destroyed (gpointer data)
{
  destroyer = g_thread_self ();
  ends_before = g_atomic_int_get (&late.ends);
  g_atomic_int_inc (&n_destroyed);
}

static GstMemory *
import_noted (gint fd)
{
  GstMemory *memory = gst_hip_allocator_import_dmabuf (NULL, device, stream, fd,
      0, SIZE, NULL, note_destroyed, NULL);

  fail_unless (memory != NULL);
  return memory;
}

/* On a thread */
static gpointer
end_soon (gpointer unused)
{
  g_usleep (20000);
  late_end ();
  return NULL;
}

/* --- it is the DMA-BUF --- */

GST_START_TEST (test_is_not_copied)
{
  gint fd = new_dmabuf (2 * SIZE, OLD);
  GstMemory *memory = import_at (fd, SIZE, SIZE - 1), *copy;

  fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
          (memory)), GST_HIP_MEMORY_KIND_DMABUF);
  fail_unless_equals_uint64 (memory->size, SIZE - 1);
  copy = read_on_stream (memory);
  assert_bytes (copy, OLD);
  gst_memory_unref (copy);

  fill_dmabuf (fd, SIZE, SIZE - 1, NEW);
  copy = read_on_stream (memory);
  assert_bytes (copy, NEW);
  gst_memory_unref (copy);
  gst_memory_unref (memory);
  close (fd);
}

GST_END_TEST;

GST_START_TEST (test_is_read_only)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstMemory *memory = import_at (fd, 0, SIZE);
  GError *error = NULL;
  GstMapInfo map;

  fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), stream,
          GST_MAP_WRITE, &error));
  assert_error (error, GST_HIP_ERROR_INVALID);
  fail_if (gst_memory_map (memory, &map, GST_MAP_WRITE));
  gst_memory_unref (memory);
  close (fd);
}

GST_END_TEST;

/* The application's descriptor may go, and its number may become another's. */
GST_START_TEST (test_descriptors_stay_the_callers)
{
  gint fd = new_dmabuf (SIZE, OLD), other;
  GstMemory *memory = import_at (fd, 0, SIZE);

  fail_unless (close (fd) == 0);
  other = new_dmabuf (SIZE, NEW);
  fail_unless_equals_int (other, fd);
  assert_bytes (memory, OLD);
  gst_memory_unref (memory);
  memory = import_at (other, 0, SIZE);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
  fail_unless (close (other) == 0);
}

GST_END_TEST;

/* --- the cache --- */

GST_START_TEST (test_one_import_by_any_name)
{
  gint fd = new_dmabuf (SIZE, OLD), again = dup (fd), third;
  g_autofree gchar *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  GstMemory *memories[3];
  guintptr address;

  third = open (path, O_RDONLY | O_CLOEXEC);
  fail_unless (third >= 0 && third != fd && again != fd);
  memories[0] = import_at (fd, 0, SIZE);
  memories[1] = import_at (again, 0, SIZE);
  memories[2] = import_at (third, 4096, SIZE - 4096);
  fail_unless_equals_int (hip_dmabuf_live_count (), 1);
  address = gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memories[0]));
  fail_unless (gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memories[1]))
      == address);
  fail_unless (gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memories[2]))
      == address + 4096);
  for (guint i = 0; i < 3; i++)
    gst_memory_unref (memories[i]);
  /* ... and is there for the next frame. */
  wait_for (hip_memory_live_count () == 0);
  memories[0] = import_at (again, 0, SIZE);
  fail_unless (gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memories[0]))
      == address);
  gst_memory_unref (memories[0]);
  close (fd);
  close (again);
  close (third);
}

GST_END_TEST;

GST_START_TEST (test_another_size_is_another_import)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstMemory *memory = import_at (fd, 0, SIZE);
  GError *error = NULL;

  gst_memory_unref (memory);
  fail_unless (ftruncate (fd, 2 * SIZE) == 0);
  fill_dmabuf (fd, SIZE, SIZE, NEW);
  memory = import_at (fd, SIZE, SIZE);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
  fail_unless (ftruncate (fd, SIZE) == 0);
  fail_unless (gst_hip_allocator_import_dmabuf (NULL, device, stream, fd, SIZE,
          SIZE, NULL, NULL, &error) == NULL);
  assert_error (error, GST_HIP_ERROR_INVALID);
  close (fd);
}

GST_END_TEST;

GST_START_TEST (test_ten_thousand_leave_none_open)
{
  guint before, most;
  gint fd;

  /* What stays for the whole process: one descriptor that wakes a thread */
  fd = new_dmabuf (SIZE, 0);
  late_begin (fd);
  gst_memory_unref (import_at (fd, 0, SIZE));
  late_end ();
  close (fd);
  teardown ();
  before = count_fds ();
  setup ();
  most = count_fds () + HIP_DMABUF_MOST_CACHED;

  for (guint i = 0; i < 10000; i++) {
    fd = new_dmabuf (1, 0);
    gst_memory_unref (import_at (fd, 0, 1));
    close (fd);
    /* What went out of the cache is released by workers. */
    if (i % 500 == 0)
      wait_for (hip_dmabuf_live_count () <= HIP_DMABUF_MOST_CACHED);
  }
  wait_for (hip_dmabuf_live_count () == HIP_DMABUF_MOST_CACHED);
  fail_unless (count_fds () <= most);
  teardown ();
  fail_unless_equals_int (count_fds (), before);
  setup ();
}

GST_END_TEST;

static GstMemory *
import_memory (GstMemory * source, GError ** error)
{
  return gst_hip_allocator_import_memory (NULL, device, stream, source, NULL,
      NULL, error);
}

GST_START_TEST (test_forgotten_with_its_memory)
{
  GstAllocator *allocator = gst_dmabuf_allocator_new ();
  GstMemory *source, *part, *memory;
  gint fd = new_dmabuf (SIZE, OLD);

  fill_dmabuf (fd, 100, 50, NEW);
  source = gst_dmabuf_allocator_alloc (allocator, fd, SIZE);
  part = gst_memory_share (source, 100, 50);
  memory = import_memory (part, NULL);
  gst_memory_unref (part);
  fail_unless (memory != NULL);
  fail_unless_equals_uint64 (memory->size, 50);
  assert_bytes (memory, NEW);
  /* It keeps what it is a view of, descriptor included. */
  gst_memory_unref (source);
  assert_bytes (memory, NEW);
  fail_unless_equals_int (hip_dmabuf_live_count (), 1);
  gst_memory_unref (memory);
  wait_for (hip_dmabuf_live_count () == 0);
  fail_unless (fcntl (fd, F_GETFD) < 0);
  gst_object_unref (allocator);
}

GST_END_TEST;

/* --- promises that are not kept --- */

static void
refused (gint fd, gsize offset, gsize size, GstHipError wanted)
{
  GError *error = NULL;

  fail_unless (gst_hip_allocator_import_dmabuf (NULL, device, stream, fd,
          offset, size, NULL, NULL, &error) == NULL);
  assert_error (error, wanted);
}

GST_START_TEST (test_sizes_and_descriptors_that_lie)
{
  gint fd = new_dmabuf (SIZE, OLD), ends[2];

  refused (fd, 0, SIZE + 1, GST_HIP_ERROR_INVALID);
  refused (fd, SIZE, 1, GST_HIP_ERROR_INVALID);
  refused (fd, G_MAXSIZE, SIZE, GST_HIP_ERROR_INVALID);
  refused (fd, 0, 0, GST_HIP_ERROR_INVALID);
  close (fd);
  refused (fd, 0, SIZE, GST_HIP_ERROR_INVALID);
  refused (-1, 0, SIZE, GST_HIP_ERROR_INVALID);
  fail_unless (pipe (ends) == 0);
  refused (ends[0], 0, SIZE, GST_HIP_ERROR_UNSUPPORTED);
  close (ends[0]);
  close (ends[1]);
  fail_unless_equals_int (hip_dmabuf_live_count (), 0);
}

GST_END_TEST;

GST_START_TEST (test_descriptor_replaced_under_its_memory)
{
  GstAllocator *allocator = gst_dmabuf_allocator_new ();
  gint fd = new_dmabuf (SIZE, OLD), other = new_dmabuf (SIZE, NEW);
  GstMemory *source = gst_dmabuf_allocator_alloc (allocator, fd, SIZE), *plain;
  GError *error = NULL;

  gst_memory_unref (import_memory (source, &error));
  fail_unless (dup2 (other, fd) == fd);
  fail_unless (import_memory (source, &error) == NULL);
  assert_error (error, GST_HIP_ERROR_INVALID);
  plain = gst_allocator_alloc (NULL, SIZE, NULL);
  fail_unless (import_memory (plain, &error) == NULL);
  assert_error (error, GST_HIP_ERROR_INVALID);
  gst_memory_unref (plain);
  gst_memory_unref (source);
  gst_object_unref (allocator);
  close (other);
}

GST_END_TEST;

/* Of an import of a frame whose producer is late each thing fails in turn. */
static void
check_failure (HostFault fault)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GError *error = NULL;

  late_begin (fd);
  /* Where no event is to be had the stream is waited for: let it end. */
  if (fault == HOST_FAULT_RECORD)
    g_thread_unref (g_thread_new ("late", end_soon, NULL));
  host_inject_failure (hip_device_get_context (device)->native, fault, 1);
  fail_unless (gst_hip_allocator_import_dmabuf (NULL, device, stream, fd, 0,
          SIZE, NULL, note_destroyed, &error) == NULL);
  assert_error (error, GST_HIP_ERROR_FAILED);
  wait_for (hip_memory_live_count () == 0);
  fail_if (g_atomic_int_get (&n_destroyed));

  /* And goes well afterwards. */
  late_end ();
  gst_memory_unref (import_noted (fd));
  wait_for (g_atomic_int_get (&n_destroyed) == 1);
  close (fd);
}

GST_START_TEST (test_failures_leave_nothing)
{
  static const HostFault faults[] = { HOST_FAULT_IMPORT, HOST_FAULT_EVENT,
    HOST_FAULT_WAIT, HOST_FAULT_RECORD
  };
  guint before = count_fds ();

  check_failure (faults[__i__]);
  teardown ();
  /* That of the test, and the one that wakes the thread which waits for it */
  fail_unless (count_fds () <= before + 2);
  setup ();
}

GST_END_TEST;

/* --- the producer --- */

GST_START_TEST (test_late_producer_is_waited_for_elsewhere)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstMemory *memory, *copy;
  GstHipEvent *event;

  late_begin (fd);
  /* If this thread waited, it would for ever. */
  memory = import_noted (fd);
  copy = read_on_stream (memory);
  event = record (stream);
  for (guint i = 0; i < 60; i++) {
    fail_unless_equals_int (gst_hip_event_query_state (event),
        GST_HIP_EVENT_STATE_PENDING);
    fail_if (g_atomic_int_get (&late.starts));
    g_usleep (500);
  }
  fail_if (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (memory), GST_MAP_READ));
  fill_dmabuf (fd, 0, SIZE, NEW);
  late_end ();
  assert_bytes (copy, NEW);
  /* Caches are made right after the producer, not here. */
  fail_unless_equals_int (g_atomic_int_get (&late.starts), 1);
  fail_if (late.starter == g_thread_self ());
  gst_memory_unref (copy);
  gst_memory_unref (memory);
  wait_for (g_atomic_int_get (&n_destroyed) == 1);
  fail_unless_equals_int (ends_before, 1);
  fail_if (destroyer == g_thread_self ());
  gst_hip_event_unref (event);
  close (fd);
}

GST_END_TEST;

/* All that use it wait, whatever their stream; a CPU, too. */
GST_START_TEST (test_late_producer_is_waited_for_by_all)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstHipStream *other = new_stream (device);
  GstMemory *memory;
  GstHipEvent *event;

  late_begin (fd);
  memory = import_at (fd, 0, SIZE);
  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), other,
          GST_MAP_READ, NULL));
  event = record (other);
  g_usleep (20000);
  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_PENDING);
  late_end ();
  fail_unless (gst_hip_event_wait (event, NULL));
  assert_bytes (memory, OLD);
  gst_hip_event_unref (event);
  gst_memory_unref (memory);
  gst_hip_stream_unref (other);
  close (fd);
}

GST_END_TEST;

GST_START_TEST (test_finished_producer_costs_no_wait)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstMemory *memory;

  block (stream);
  memory = import_noted (fd);
  fail_unless (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (memory),
          GST_MAP_READ));
  fail_unless_equals_int (g_atomic_int_get (&late.starts), 1);
  fail_unless (hip_fence_wait_is_idle ());
  unblock (stream);
  gst_memory_unref (memory);
  wait_for (g_atomic_int_get (&n_destroyed) == 1);
  fail_unless_equals_int (ends_before, 1);
  close (fd);
}

GST_END_TEST;

GST_START_TEST (test_producer_is_kept_out_while_read)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstMemory *memory = import_noted (fd), *copy;

  block (stream);
  copy = read_on_stream (memory);
  gst_memory_unref (memory);
  g_usleep (20000);
  fail_if (g_atomic_int_get (&n_destroyed));
  fail_if (g_atomic_int_get (&late.ends));
  unblock (stream);
  wait_for (g_atomic_int_get (&n_destroyed) == 1);
  assert_bytes (copy, OLD);
  gst_memory_unref (copy);
  close (fd);
}

GST_END_TEST;

GST_START_TEST (test_dropped_before_the_producer_has_finished)
{
  gint fd = new_dmabuf (SIZE, OLD);

  late_begin (fd);
  gst_memory_unref (import_noted (fd));
  g_usleep (20000);
  fail_if (g_atomic_int_get (&n_destroyed));
  late_end ();
  wait_for (g_atomic_int_get (&n_destroyed) == 1);
  close (fd);
}

GST_END_TEST;

/* Its fence never ends; nothing hangs. */
GST_START_TEST (test_lost_device_waits_for_no_producer)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstMemory *memory;

  late_begin (fd);
  memory = import_noted (fd);
  fail_device (device);
  fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), stream,
          GST_MAP_READ, NULL) && gst_hip_stream_synchronize (stream));
  gst_memory_unref (memory);
  wait_for (g_atomic_int_get (&n_destroyed) == 1);
  gst_clear_hip_stream (&stream);
  gst_clear_object (&device);
  wait_for (hip_fence_wait_is_idle ());
  close (fd);
}

GST_END_TEST;

static void
teardown_lost (void)
{
  /* What the device may still use is kept for good (I6). */
}

static Suite *
dmabuf_suite (void)
{
  Suite *suite = suite_create ("dmabuf");
  TCase *tcase = tcase_create ("dmabuf"), *lost = tcase_create ("lost");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_is_not_copied);
  tcase_add_test (tcase, test_is_read_only);
  tcase_add_test (tcase, test_descriptors_stay_the_callers);
  tcase_add_test (tcase, test_one_import_by_any_name);
  tcase_add_test (tcase, test_another_size_is_another_import);
  tcase_add_test (tcase, test_ten_thousand_leave_none_open);
  tcase_add_test (tcase, test_forgotten_with_its_memory);
  tcase_add_test (tcase, test_sizes_and_descriptors_that_lie);
  tcase_add_test (tcase, test_descriptor_replaced_under_its_memory);
  tcase_add_loop_test (tcase, test_failures_leave_nothing, 0, 4);
  tcase_add_test (tcase, test_late_producer_is_waited_for_elsewhere);
  tcase_add_test (tcase, test_late_producer_is_waited_for_by_all);
  tcase_add_test (tcase, test_finished_producer_costs_no_wait);
  tcase_add_test (tcase, test_producer_is_kept_out_while_read);
  tcase_add_test (tcase, test_dropped_before_the_producer_has_finished);
  suite_add_tcase (suite, lost);
  tcase_add_checked_fixture (lost, setup, teardown_lost);
  tcase_add_test (lost, test_lost_device_waits_for_no_producer);
  return suite;
}

GST_CHECK_MAIN (dmabuf);
