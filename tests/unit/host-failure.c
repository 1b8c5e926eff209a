/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device when it fails: each operation's error, a lost device, sleepers
 * that must wake, streams that never end, and a process that exits meanwhile.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "host-common.h"

#define FAILED GST_HIP_ERROR_FAILED
#define LOST GST_HIP_ERROR_DEVICE_LOST

/* Every slot that can fail and needs no kernel, in the order of HostFault */
static gboolean
call (guint i, HipNativeContext context, HipNativeStream stream,
    HipNativeEvent event, GError ** error)
{
  static guint8 bytes[2];
  HipCopy2D copy = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, (guintptr) & bytes[0],
    (guintptr) & bytes[1], 0, 0, 1, 1
  };
  guintptr address;
  gpointer made;

  switch (i) {
    case HOST_FAULT_MEMORY:
      if (!host->memory_alloc (context, HIP_SPACE_DEVICE, 10, &address, error))
        return FALSE;
      host->memory_free (context, HIP_SPACE_DEVICE, address);
      return TRUE;
    case HOST_FAULT_STREAM:
      made = host->stream_new (context, 0, error);
      if (made)
        host->stream_free (context, made, FALSE);
      return made != NULL;
    case HOST_FAULT_EVENT:
      made = host->event_new (context, FALSE, error);
      if (made)
        host->event_free (context, made);
      return made != NULL;
    case HOST_FAULT_COPY:
      return host->stream_copy_2d (context, stream, &copy, error);
    case HOST_FAULT_FILL:
      return host->stream_fill (context, stream, HIP_SPACE_DEVICE,
          (guintptr) bytes, 1, 0, error);
    case HOST_FAULT_RECORD:
      return host->event_record (context, event, stream, error);
    case HOST_FAULT_WAIT:
      return host->stream_wait_event (context, stream, event, error);
    default:
      return FALSE;
  }
}

GST_START_TEST (test_operations_fail)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  HipNativeEvent event = new_event (context);
  guint i, j;

  for (i = HOST_FAULT_MEMORY; i <= HOST_FAULT_WAIT; i++) {
    GstHipError wanted = i == HOST_FAULT_MEMORY ? GST_HIP_ERROR_OUT_OF_MEMORY :
        FAILED;

    /* The second call, once, and no other operation */
    host_inject_failure (context, i, 2);
    for (j = HOST_FAULT_MEMORY; j <= HOST_FAULT_WAIT; j++)
      assert_ok (call (j, context, stream, event, &error));
    assert_fails (call (i, context, stream, event, &error), wanted);
    assert_ok (call (i, context, stream, event, &error));
  }
  synchronize (context, stream);

  host->event_free (context, event);
  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

typedef struct
{
  HipNativeContext context;
  HipNativeStream stream;
  HipNativeEvent event;
  gint awake;
} Sleeper;

static gpointer
sleep_for_event (gpointer data)
{
  Sleeper *sleeper = data;

  assert_fails (host->event_synchronize (sleeper->context, sleeper->event,
          &error), LOST);
  g_atomic_int_set (&sleeper->awake, TRUE);
  return NULL;
}

static gpointer
sleep_for_stream (gpointer data)
{
  Sleeper *sleeper = data;

  assert_fails (host->stream_synchronize (sleeper->context, sleeper->stream,
          &error), LOST);
  g_atomic_int_set (&sleeper->awake, TRUE);
  return NULL;
}

GST_START_TEST (test_device_lost)
{
  HipNativeContext context = open_host (), again;
  HipNativeStream stream = new_stream (context);
  HipNativeStream waiting = new_stream (context);
  HipNativeEvent done = new_event (context), pending = new_event (context);
  HipNativeEvent behind = new_event (context);
  Sleeper one = { context, stream, pending, FALSE };
  Sleeper two = { context, waiting, pending, FALSE };
  GThread *threads[2];
  HostRecord *held;
  guint8 byte = 1;
  guint i;

  record (context, done, stream);
  synchronize (context, stream);
  host_inject_block (stream);
  fill_bytes (context, stream, &byte, 1, 2);
  record (context, pending, stream);
  wait_event (context, waiting, pending);
  record (context, behind, waiting);

  threads[0] = g_thread_new ("sleeper", sleep_for_event, &one);
  threads[1] = g_thread_new ("sleeper", sleep_for_stream, &two);
  fail_if (g_atomic_int_get (&one.awake) || g_atomic_int_get (&two.awake));
  host_inject_failure (context, HOST_FAULT_DEVICE, 0);
  for (i = 0; i < 2; i++)
    g_thread_join (threads[i]);

  assert_state (context, pending, GST_HIP_EVENT_STATE_FAILED);
  assert_state (context, behind, GST_HIP_EVENT_STATE_FAILED);
  /* Streams drop what they hold by themselves. */
  held = host_event_get_record (pending);
  while (g_atomic_int_get (&held->state) == GST_HIP_EVENT_STATE_PENDING)
    g_usleep (1000);
  host_record_unref (held);
  assert_state (context, done, GST_HIP_EVENT_STATE_DONE);
  for (i = HOST_FAULT_MEMORY; i <= HOST_FAULT_WAIT; i++)
    assert_fails (call (i, context, stream, done, &error), LOST);
  assert_fails (host->host_register (context, &byte, 1, &(guintptr) {
          0}
          , &error), LOST);
  assert_fails (host->event_elapsed (context, behind, pending, &(gdouble) {
          0}
          , &error), LOST);

  /* Objects can still be freed; what was queued was not done. */
  assert_ok (host->context_enter (context, &error));
  host->stream_free (context, stream, FALSE);
  host->stream_free (context, waiting, FALSE);
  host->context_leave (context);
  fail_unless_equals_int (byte, 1);

  /* Who opens the device now gets a healthy one. */
  again = open_host ();
  fail_unless (host->context_native (again) != host->context_native (context));
  stream = new_stream (again);
  fill_bytes (again, stream, &byte, 1, 3);
  synchronize (again, stream);
  fail_unless_equals_int (byte, 3);
  host->stream_free (again, stream, FALSE);
  host->context_close (again);

  host->event_free (context, done);
  host->event_free (context, pending);
  host->event_free (context, behind);
  host->context_close (context);
}

GST_END_TEST;

/* As a faulting kernel: what was before it is done, what is behind it fails. */
GST_START_TEST (test_lost_in_stream)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  HipNativeEvent before = new_event (context), behind = new_event (context);
  guint8 byte = 0;

  host_inject_block (stream);
  fill_bytes (context, stream, &byte, 1, 1);
  record (context, before, stream);
  host_inject_failure_in_stream (stream);
  fill_bytes (context, stream, &byte, 1, 2);
  record (context, behind, stream);
  host_inject_unblock (stream);

  assert_fails (host->event_synchronize (context, behind, &error), LOST);
  assert_state (context, before, GST_HIP_EVENT_STATE_DONE);
  fail_unless_equals_int (byte, 1);

  host->stream_free (context, stream, FALSE);
  fail_unless_equals_int (byte, 1);
  host->event_free (context, before);
  host->event_free (context, behind);
  host->context_close (context);
}

GST_END_TEST;

/* A stream of a healthy device that waits for a lost one goes on. */
GST_START_TEST (test_wait_for_lost_device)
{
  HipNativeContext lost = open_host (), context;
  HipNativeStream stream = new_stream (lost), waiting;
  HipNativeEvent event = new_event (lost);

  host_inject_block (stream);
  record (lost, event, stream);
  host_inject_failure (lost, HOST_FAULT_DEVICE, 0);
  context = open_host ();
  waiting = new_stream (context);
  wait_event (context, waiting, event);
  synchronize (context, waiting);

  host->stream_free (lost, stream, FALSE);
  host->event_free (lost, event);
  host->context_close (lost);
  host->stream_free (context, waiting, FALSE);
  host->context_close (context);
}

GST_END_TEST;

/* The thread stays, and nothing of it is used again. */
GST_START_TEST (test_abandon)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context), other = new_stream (context);
  HipNativeEvent event = new_event (context), last = new_event (context);
  guint8 byte = 0;

  host_inject_block (stream);
  fill_bytes (context, stream, &byte, 1, 1);
  record (context, event, stream);
  record (context, last, stream);
  host->stream_free (context, stream, TRUE);
  host->event_free (context, event);

  /* The device goes on without it, beyond its last close too. */
  fill_bytes (context, other, &byte, 1, 2);
  synchronize (context, other);
  fail_unless_equals_int (byte, 2);
  host->stream_free (context, other, FALSE);
  host->context_close (context);

  /* Its work comes late and finds all it needs; its thread stays. */
  host_inject_unblock (stream);
  assert_ok (host->event_synchronize (context, last, &error));
  fail_unless_equals_int (byte, 1);
  fail_unless_equals_int (count_threads ("hip-stream"), 1);
  host->event_free (context, last);
}

GST_END_TEST;

static void
slow (guint64 begin, guint64 end, gpointer data)
{
  g_usleep (1000);
}

static gpointer
work_forever (gpointer data)
{
  for (;;)
    host_workers_run (1000, 1, slow, NULL);
  return NULL;
}

/* exit () while streams and workers are at work: no crash, no hang */
GST_START_TEST (test_exit_while_busy)
{
  guint i;

  for (i = 0; i < 10; i++) {
    gint status = 0;
    pid_t child = fork ();

    fail_unless (child >= 0);
    if (child == 0) {
      HipNativeContext context = open_host ();
      HipNativeStream busy = new_stream (context);
      HipNativeStream held = new_stream (context);
      guint8 *data = g_malloc (8 << 20);

      alarm (60);
      host_inject_block (held);
      g_thread_new ("worker", work_forever, NULL);
      do {
        fill_bytes (context, busy, data, 8 << 20, 1);
      } while (host->stream_query (context, busy, NULL) !=
          GST_HIP_EVENT_STATE_PENDING);
      exit (42);
    }
    fail_unless (waitpid (child, &status, 0) == child);
    fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 42,
        "status %d", status);
  }
}

GST_END_TEST;

static Suite *
host_failure_suite (void)
{
  Suite *s = suite_create ("host-failure");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_operations_fail);
  tcase_add_test (tc, test_device_lost);
  tcase_add_test (tc, test_lost_in_stream);
  tcase_add_test (tc, test_wait_for_lost_device);
  tcase_add_test (tc, test_abandon);
  tcase_add_test (tc, test_exit_while_busy);

  return s;
}

GST_CHECK_MAIN (host_failure);
