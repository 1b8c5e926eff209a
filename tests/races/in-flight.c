/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a streaming thread wait for room, and for nothing else (I1)? Is it woken
 * whenever there is some? The test's own thread is the streaming thread, or one
 * that it starts.
 */
#include "elements.h"

/* Calls gst_hip_event_query_state () of the elements go through here. */
GstHipEventState __wrap_gst_hip_event_query_state (GstHipEvent * event);
GstHipEventState __real_gst_hip_event_query_state (GstHipEvent * event);

/* --- waiting for room --- */

static gpointer
push_ten (gpointer data)
{
  for (guint i = 0; i < 10; i++) {
    fail_unless_equals_int (gst_harness_push (h, new_frame (i)), GST_FLOW_OK);
    g_atomic_int_inc ((gint *) data);
  }
  return NULL;
}

static void
check_max_in_flight (const gchar * chain, const gchar * caps,
    const gchar * slow)
{
  GstHipStream *stream;
  GThread *thread;
  gint returned = 0;

  start (chain, caps);
  stream = stream_of (slow);
  block (stream);
  thread = g_thread_new ("streaming", push_ten, &returned);
  /* No call waits for the device ... */
  wait_for (g_atomic_int_get (&returned) == 4);
  /* ... until there are four unfinished. */
  for (guint i = 0; i < 60; i++) {
    fail_unless_equals_int (g_atomic_int_get (&returned), 4);
    g_usleep (500);
  }
  unblock (stream);
  g_thread_join (thread);
  for (guint i = 0; i < 10; i++)
    assert_frame (gst_harness_pull (h), i);
  gst_hip_stream_unref (stream);
  stop ();
}

GST_START_TEST (test_i1_upload_waits_for_max_in_flight_only)
{
  check_max_in_flight ("hipupload name=up vendor=host max-in-flight=4 ! "
      "hipdownload name=down vendor=host", SYSTEM_CAPS, "up");
}

GST_END_TEST;

GST_START_TEST (test_i1_download_waits_for_max_in_flight_only)
{
  check_max_in_flight ("hipupload name=up vendor=host ! hipdownload name=down "
      "vendor=host max-in-flight=4", SYSTEM_CAPS, "down");
}

GST_END_TEST;

GST_START_TEST (test_i1_kernel_waits_for_max_in_flight_only)
{
  check_max_in_flight ("hipupload name=up vendor=host ! " KERNEL
      "max-in-flight=4 ! hipdownload name=down vendor=host", SYSTEM_CAPS,
      "kernel");
}

GST_END_TEST;

GST_START_TEST (test_i1_convert_waits_for_max_in_flight_only)
{
  check_max_in_flight ("hipupload name=up vendor=host ! " CONVERT
      "max-in-flight=4 " TO_BGRA "! hipdownload name=down vendor=host",
      "video/x-raw," RGBA_CAPS, "convert");
}

GST_END_TEST;

static gpointer
push_until_it_fails (gpointer data)
{
  gint *submitted = data;
  GstFlowReturn ret;

  while ((ret = gst_harness_push (h, new_frame (0))) == GST_FLOW_OK)
    g_atomic_int_inc (submitted);
  return GINT_TO_POINTER (ret);
}

/* The device stays as it is: only the wait for it ends. */
static void
check_wait_ends (void (*end_it) (void))
{
  GstHipStream *stream;
  GThread *thread;
  gint submitted = 0;

  start ("hipupload name=up vendor=host max-in-flight=4 ! "
      "hipdownload name=down vendor=host", SYSTEM_CAPS);
  stream = stream_of ("up");
  block (stream);
  thread = g_thread_new ("streaming", push_until_it_fails, &submitted);
  wait_for (g_atomic_int_get (&submitted) == 4);
  g_usleep (5000);
  end_it ();
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  fail_unless_equals_int (g_atomic_int_get (&submitted), 4);
  assert_stays_pending (record (stream));
  unblock (stream);
  gst_hip_stream_unref (stream);
  stop ();
}

static void
flush (void)
{
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
}

static void
shut_down (void)
{
  fail_unless_equals_int (gst_element_set_state (h->element, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
}

GST_START_TEST (test_i1_flush_ends_the_wait)
{
  check_wait_ends (flush);
}

GST_END_TEST;

GST_START_TEST (test_i1_state_change_ends_the_wait)
{
  check_wait_ends (shut_down);
}

GST_END_TEST;

/* --- an answer that was true when it was asked for --- */

/* The thread whose questions are counted, which of them comes back late, and
 * what is let go meanwhile */
static struct
{
  GThread *thread;
  gint left;                    /* atomic */
  GstHipStream *stream;
} late;

static void
tell (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  g_atomic_int_set ((gint *) data, 1);
}

/* While the answer is on its way the frame ends and the workers have told all
 * who asked before. */
GstHipEventState
__wrap_gst_hip_event_query_state (GstHipEvent * event)
{
  GstHipEventState state = __real_gst_hip_event_query_state (event);
  gint told = 0;

  if (g_thread_self () == late.thread && state == GST_HIP_EVENT_STATE_PENDING
      && g_atomic_int_dec_and_test (&late.left)) {
    gst_hip_event_notify (event, tell, &told, NULL);
    unblock (late.stream);
    wait_for (g_atomic_int_get (&told));
  }
  return state;
}

static gpointer
push_three (gpointer data)
{
  late.thread = g_thread_self ();
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (gst_harness_push (h, new_frame (i)), GST_FLOW_OK);
  late.thread = NULL;
  return NULL;
}

/* Returns whether so many questions were asked while the stream stood still. */
static gboolean
check_late_answer (gint nth)
{
  GThread *thread;
  gboolean asked;

  start ("hipupload name=up vendor=host ! " KERNEL "max-in-flight=2 ! "
      "hipdownload name=down vendor=host", SYSTEM_CAPS);
  late.stream = stream_of ("kernel");
  g_atomic_int_set (&late.left, nth);
  block (late.stream);
  thread = g_thread_new ("streaming", push_three, NULL);
  /* Either the question lets it go, or nobody asks any more. */
  for (guint i = 0; i < 100 && g_atomic_int_get (&late.left) > 0; i++)
    g_usleep (1000);
  asked = g_atomic_int_get (&late.left) <= 0;
  if (!asked)
    unblock (late.stream);
  g_thread_join (thread);
  for (guint i = 0; i < 3; i++)
    assert_frame (gst_harness_pull (h), i);
  gst_clear_hip_stream (&late.stream);
  stop ();
  return asked;
}

GST_START_TEST (test_i1_what_is_told_while_it_looks_wakes)
{
  gint nth = 1;

  while (check_late_answer (nth))
    nth++;
  /* One before it has asked a worker to tell, one after */
  fail_unless (nth > 2, "only %d questions", nth - 1);
}

GST_END_TEST;

static Suite *
in_flight_suite (void)
{
  Suite *suite = suite_create ("in-flight");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, setup, NULL);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_i1_upload_waits_for_max_in_flight_only);
  tcase_add_test (tcase, test_i1_download_waits_for_max_in_flight_only);
  tcase_add_test (tcase, test_i1_kernel_waits_for_max_in_flight_only);
  tcase_add_test (tcase, test_i1_convert_waits_for_max_in_flight_only);
  tcase_add_test (tcase, test_i1_flush_ends_the_wait);
  tcase_add_test (tcase, test_i1_state_change_ends_the_wait);
  tcase_add_test (tcase, test_i1_what_is_told_while_it_looks_wakes);
  return suite;
}

GST_CHECK_MAIN (in_flight);
