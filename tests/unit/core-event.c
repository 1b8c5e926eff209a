/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do events tell the truth, and does their recycling cost nothing? */
#include "core-common.h"

GST_START_TEST (test_states)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *event;

  block (stream);
  event = record (stream);
  fail_unless_equals_int (gst_hip_event_get_vendor (event),
      GST_HIP_VENDOR_HOST);
  fail_unless_equals_int (gst_hip_event_get_device_id (event), 0);
  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_PENDING);
  fail_if (hip_event_is_known_done (event));
  fail_unless (hip_event_get_stream_serial (event)
      == hip_stream_get_serial (stream));
  unblock (stream);
  fail_unless (gst_hip_event_wait (event, NULL));
  fail_unless (hip_event_is_known_done (event));
  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_DONE);

  gst_clear_hip_event (&event);
  fail_unless (event == NULL);
  gst_clear_hip_stream (&stream);
  fail_unless (stream == NULL);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_failed_is_never_pending)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *pending, *done;
  GError *error = NULL;

  done = record (stream);
  fail_unless (gst_hip_event_wait (done, NULL));
  block (stream);
  pending = record (stream);
  fail_device (device);
  fail_unless_equals_int (gst_hip_event_query_state (pending),
      GST_HIP_EVENT_STATE_FAILED);
  fail_if (gst_hip_event_wait (pending, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  /* What was done before stays done. */
  fail_unless_equals_int (gst_hip_event_query_state (done),
      GST_HIP_EVENT_STATE_DONE);

  gst_hip_event_unref (pending);
  gst_hip_event_unref (done);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_failure_while_waiting)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *event;
  GError *error = NULL;

  /* The device fails behind the caller's back, as a faulting kernel does. */
  host_inject_delay (hip_stream_get_native (stream), 20 * 1000 * 1000);
  host_inject_failure_in_stream (hip_stream_get_native (stream));
  event = record (stream);
  fail_if (gst_hip_event_wait (event, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  fail_unless (gst_hip_device_is_lost (device));

  gst_hip_event_unref (event);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_record_again)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device), *other = new_stream (device);
  GstHipEvent *event;
  GError *error = NULL;

  block (stream);
  event = record (stream);
  fail_if (gst_hip_event_record_on_stream (event, other, &error));
  assert_error (error, GST_HIP_ERROR_INVALID);
  unblock (stream);
  fail_unless (gst_hip_event_wait (event, NULL));
  block (other);
  fail_unless (gst_hip_event_record_on_stream (event, other, &error));
  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_PENDING);
  fail_unless (hip_event_get_stream_serial (event)
      == hip_stream_get_serial (other));
  unblock (other);
  fail_unless (gst_hip_event_wait (event, NULL));

  gst_hip_event_unref (event);
  gst_hip_stream_unref (stream);
  gst_hip_stream_unref (other);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

/* --- one event, many threads --- */

typedef struct
{
  GstHipEvent *event;
  GstHipStream *stream;
  gint *go;
  GError *error;
  gboolean recorded;
} Recorder;

static gpointer
run_recorder (gpointer data)
{
  Recorder *recorder = data;

  while (!g_atomic_int_get (recorder->go))
    continue;
  recorder->recorded = gst_hip_event_record_on_stream (recorder->event,
      recorder->stream, &recorder->error);

  return NULL;
}

/* Whoever comes first records it; it is pending then, or being recorded. */
GST_START_TEST (test_record_by_many_threads)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEventPool *pool = gst_hip_event_pool_new (GST_HIP_VENDOR_HOST, 0);

  for (guint round = 0; round < 200; round++) {
    Recorder recorders[4];
    GThread *threads[G_N_ELEMENTS (recorders)];
    GstHipEvent *event = NULL;
    guint i, winners = 0;
    gint go = 0;

    fail_unless (gst_hip_event_pool_acquire (pool, &event));
    block (stream);
    for (i = 0; i < G_N_ELEMENTS (recorders); i++) {
      recorders[i] = (Recorder) {
      event, stream, &go};
      threads[i] = g_thread_new (NULL, run_recorder, &recorders[i]);
    }
    g_atomic_int_set (&go, 1);
    for (i = 0; i < G_N_ELEMENTS (recorders); i++) {
      g_thread_join (threads[i]);
      winners += recorders[i].recorded;
      if (!recorders[i].recorded)
        assert_error (recorders[i].error, GST_HIP_ERROR_INVALID);
    }
    unblock (stream);
    fail_unless_equals_int (winners, 1);
    fail_unless (gst_hip_event_wait (event, NULL));
    gst_hip_event_unref (event);
  }

  gst_object_unref (pool);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_steady_state_makes_none)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *seen[2] = { NULL, NULL };
  guint before, i;

  for (i = 0; i < 1000; i++) {
    GstHipEvent *event = record (stream);

    fail_unless (gst_hip_event_wait (event, NULL));
    if (i < 2)
      seen[i] = event;
    else
      fail_unless (event == seen[0], "not the same object: %u", i);
    gst_hip_event_unref (event);
    if (i == 0)
      before = hip_event_native_count ();
  }
  fail_unless_equals_int (hip_event_native_count (), before);
  fail_unless (seen[0] == seen[1]);

  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

/* What came before on a stream is done when something later is: nobody asks the
 * driver for it. What came after, and other streams' work, are not. */
GST_START_TEST (test_later_one_tells_of_earlier_ones)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device), *other = new_stream (device);
  GstHipEvent *earlier[3], *later, *behind, *elsewhere;

  block (other);
  elsewhere = record (other);
  for (guint i = 0; i < G_N_ELEMENTS (earlier); i++)
    earlier[i] = record (stream);
  later = record (stream);
  for (guint i = 0; i < G_N_ELEMENTS (earlier); i++)
    fail_if (hip_event_is_known_done (earlier[i]), "%u", i);
  fail_unless (gst_hip_event_wait (later, NULL));
  block (stream);
  behind = record (stream);

  for (guint i = 0; i < G_N_ELEMENTS (earlier); i++)
    fail_unless (hip_event_is_known_done (earlier[i]), "%u", i);
  fail_if (hip_event_is_known_done (behind));
  fail_if (hip_event_is_known_done (elsewhere));
  fail_unless_equals_int (gst_hip_event_query_state (behind),
      GST_HIP_EVENT_STATE_PENDING);

  /* One that is recorded again is a new one. */
  fail_unless (gst_hip_event_record_on_stream (earlier[0], stream, NULL));
  fail_if (hip_event_is_known_done (earlier[0]));
  fail_unless_equals_int (gst_hip_event_query_state (earlier[0]),
      GST_HIP_EVENT_STATE_PENDING);

  unblock (stream);
  unblock (other);
  fail_unless (gst_hip_event_wait (earlier[0], NULL));
  fail_unless (hip_event_is_known_done (behind));
  fail_unless (gst_hip_event_wait (elsewhere, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (earlier); i++)
    gst_hip_event_unref (earlier[i]);
  gst_hip_event_unref (later);
  gst_hip_event_unref (behind);
  gst_hip_event_unref (elsewhere);
  gst_hip_stream_unref (stream);
  gst_hip_stream_unref (other);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_pending_is_not_reused)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stuck = new_stream (device), *stream = new_stream (device);
  GstHipEvent *pending, *event;
  guint i, before;

  block (stuck);
  pending = record (stuck);
  gst_hip_event_unref (pending);        /* waits in the cache */

  for (i = 0; i < 100; i++) {
    event = record (stream);
    fail_unless (event != pending, "reused while pending");
    gst_hip_event_unref (event);        /* perhaps pending, too */
  }
  gst_hip_stream_synchronize (stream);
  /* One stream that stands still does not make the others leak. */
  before = hip_event_native_count ();
  for (i = 0; i < 1000; i++) {
    event = record (stream);
    fail_unless (event != pending, "reused while pending");
    fail_unless (gst_hip_event_wait (event, NULL));
    gst_hip_event_unref (event);
  }
  fail_unless (hip_event_native_count () <= before + 1);

  unblock (stuck);
  gst_hip_stream_synchronize (stuck);
  gst_hip_stream_unref (stuck);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_elapsed)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *start, *stop, *plain;
  GError *error = NULL;
  gdouble ns = -1;

  start = gst_hip_stream_record (stream, TRUE, NULL);
  host_inject_delay (hip_stream_get_native (stream), 2 * 1000 * 1000);
  block (stream);
  stop = gst_hip_stream_record (stream, TRUE, NULL);
  plain = record (stream);
  fail_if (gst_hip_event_get_elapsed (start, stop, &ns, &error));
  assert_error (error, GST_HIP_ERROR_INVALID);
  unblock (stream);
  fail_unless (gst_hip_event_wait (plain, NULL));
  fail_unless (gst_hip_event_get_elapsed (start, stop, &ns, &error));
  /* A lower limit: the device slept so long. */
  fail_unless (ns >= 2e6, "%f ns", ns);
  fail_if (gst_hip_event_get_elapsed (start, plain, &ns, &error));
  assert_error (error, GST_HIP_ERROR_INVALID);

  gst_hip_event_unref (start);
  gst_hip_event_unref (stop);
  gst_hip_event_unref (plain);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_stream_waits_for_event)
{
  GstHipDevice *device = open_host ();
  GstHipStream *first = new_stream (device), *second = new_stream (device);
  GstHipEvent *event, *after;
  GError *error = NULL;

  block (first);
  event = record (first);
  fail_unless (gst_hip_stream_wait_event (second, event, &error));
  after = record (second);
  /* The wait was queued: the second stream cannot pass it. */
  g_usleep (10000);
  fail_unless_equals_int (gst_hip_event_query_state (after),
      GST_HIP_EVENT_STATE_PENDING);
  unblock (first);
  fail_unless (gst_hip_event_wait (after, NULL));
  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_DONE);
  gst_hip_event_unref (event);
  gst_hip_event_unref (after);

  /* A wait for one's own stream, or for what is done, asks nothing of the
   * driver: an armed fault stays armed. */
  block (first);
  event = record (first);
  host_inject_failure (hip_device_get_context (device)->native,
      HOST_FAULT_WAIT, 1);
  fail_unless (gst_hip_stream_wait_event (first, event, &error));
  unblock (first);
  fail_unless (gst_hip_event_wait (event, NULL));
  fail_unless (gst_hip_stream_wait_event (second, event, &error));
  gst_hip_event_unref (event);
  block (first);
  event = record (first);
  fail_if (gst_hip_stream_wait_event (second, event, &error));
  assert_error (error, GST_HIP_ERROR_FAILED);
  fail_if (gst_hip_device_is_lost (device));
  unblock (first);

  gst_hip_event_unref (event);
  gst_hip_stream_unref (first);
  gst_hip_stream_unref (second);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_event_outlives_stream_and_device)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *event;

  host_inject_delay (hip_stream_get_native (stream), 5 * 1000 * 1000);
  event = record (stream);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  fail_unless (gst_hip_event_wait (event, NULL));
  gst_hip_event_unref (event);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_driver_errors)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  HipNativeContext native = hip_device_get_context (device)->native;
  GstHipEvent *event = NULL;
  GError *error = NULL;

  host_inject_failure (native, HOST_FAULT_EVENT, 1);
  fail_if (gst_hip_stream_record (stream, FALSE, &error));
  assert_error (error, GST_HIP_ERROR_FAILED);
  host_inject_failure (native, HOST_FAULT_RECORD, 1);
  fail_if (gst_hip_stream_record_event (stream, &event));
  fail_unless (event == NULL);
  host_inject_failure (native, HOST_FAULT_STREAM, 1);
  fail_if (gst_hip_stream_new_full (device, 0, &error));
  assert_error (error, GST_HIP_ERROR_FAILED);
  /* Without anybody to tell */
  host_inject_failure (native, HOST_FAULT_STREAM, 1);
  fail_if (gst_hip_stream_new_full (device, 0, NULL));

  fail_unless (gst_hip_stream_record_event (stream, &event));
  fail_unless (gst_hip_event_wait (event, NULL));
  gst_hip_event_unref (event);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

static Suite *
core_event_suite (void)
{
  Suite *s = suite_create ("core-event");
  TCase *tc = tcase_create ("event");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_states);
  tcase_add_test (tc, test_failed_is_never_pending);
  tcase_add_test (tc, test_failure_while_waiting);
  tcase_add_test (tc, test_record_again);
  tcase_add_test (tc, test_record_by_many_threads);
  tcase_add_test (tc, test_steady_state_makes_none);
  tcase_add_test (tc, test_later_one_tells_of_earlier_ones);
  tcase_add_test (tc, test_pending_is_not_reused);
  tcase_add_test (tc, test_elapsed);
  tcase_add_test (tc, test_stream_waits_for_event);
  tcase_add_test (tc, test_event_outlives_stream_and_device);
  tcase_add_test (tc, test_driver_errors);

  return s;
}

GST_CHECK_MAIN (core_event);
