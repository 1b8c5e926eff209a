/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is everybody told once, in order, from a worker, whatever happens? */
#include "core-common.h"

#define N_STREAMS 5
#define N_TOTAL 10000

typedef struct
{
  guint next;                   /* written by the stream's worker only */
  gint called, destroyed, failed, out_of_order;
} Lane;

typedef struct
{
  Lane *lane;
  guint index;
} Note;

static GThread *main_thread;
static gint on_main_thread;

static void
count (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  Note *note = data;

  if (g_thread_self () == main_thread)
    g_atomic_int_inc (&on_main_thread);
  if (note->index != note->lane->next++)
    g_atomic_int_inc (&note->lane->out_of_order);
  if (state != GST_HIP_EVENT_STATE_DONE)
    g_atomic_int_inc (&note->lane->failed);
  /* The event's state and what is told are the same. */
  if (gst_hip_event_query_state (event) != state)
    g_atomic_int_inc (&note->lane->out_of_order);
  g_atomic_int_inc (&note->lane->called);
}

static void
destroyed (gpointer data)
{
  Note *note = data;

  g_atomic_int_inc (&note->lane->destroyed);
  g_free (note);
}

static void
notify (GstHipEvent * event, Lane * lane, guint index)
{
  Note *note = g_new (Note, 1);

  note->lane = lane;
  note->index = index;
  gst_hip_event_notify (event, count, note, destroyed);
}

GST_START_TEST (test_each_once_and_in_order)
{
  GstHipDevice *device = open_host ();
  GstHipStream *streams[N_STREAMS];
  Lane lanes[N_STREAMS] = { {0} };
  guint i, s;

  main_thread = g_thread_self ();
  for (s = 0; s < N_STREAMS; s++)
    streams[s] = new_stream (device);

  for (i = 0; i < N_TOTAL / N_STREAMS; i++) {
    for (s = 0; s < N_STREAMS; s++) {
      GstHipEvent *event = record (streams[s]);

      notify (event, &lanes[s], i);
      gst_hip_event_unref (event);
    }
  }
  for (s = 0; s < N_STREAMS; s++) {
    wait_for (g_atomic_int_get (&lanes[s].destroyed) == N_TOTAL / N_STREAMS);
    fail_unless_equals_int (lanes[s].called, N_TOTAL / N_STREAMS);
    fail_unless_equals_int (lanes[s].out_of_order, 0);
    fail_unless_equals_int (lanes[s].failed, 0);
    gst_hip_stream_unref (streams[s]);
  }
  fail_unless_equals_int (on_main_thread, 0);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

typedef struct
{
  GstHipEvent *event;
  Lane lane;
} Attacher;

static gpointer
attach_many (gpointer data)
{
  Attacher *self = data;
  guint i;

  for (i = 0; i < 250; i++)
    notify (self->event, &self->lane, i);

  return NULL;
}

GST_START_TEST (test_many_threads_attach)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  Attacher attachers[4] = { {0}
  };
  GThread *threads[4];
  GstHipEvent *event;
  guint i;

  block (stream);
  event = record (stream);
  for (i = 0; i < 4; i++) {
    attachers[i].event = event;
    threads[i] = g_thread_new ("attach", attach_many, &attachers[i]);
  }
  for (i = 0; i < 4; i++) {
    g_thread_join (threads[i]);
    fail_unless_equals_int (g_atomic_int_get (&attachers[i].lane.called), 0);
  }
  gst_hip_event_unref (event);
  unblock (stream);
  for (i = 0; i < 4; i++) {
    wait_for (g_atomic_int_get (&attachers[i].lane.destroyed) == 250);
    fail_unless_equals_int (attachers[i].lane.called, 250);
    fail_unless_equals_int (attachers[i].lane.out_of_order, 0);
  }
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_ended_event_from_a_worker)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *done, *never;
  GstHipEventPool *pool = gst_hip_event_pool_new (GST_HIP_VENDOR_HOST, 0);
  Lane lane = { 0 }, lane_never = { 0 };
  guint i;

  main_thread = g_thread_self ();
  done = record (stream);
  fail_unless (gst_hip_event_wait (done, NULL));
  fail_unless (gst_hip_event_pool_acquire (pool, &never));
  for (i = 0; i < 10; i++) {
    notify (done, &lane, i);
    notify (never, &lane_never, i);
  }
  wait_for (g_atomic_int_get (&lane.destroyed) == 10);
  wait_for (g_atomic_int_get (&lane_never.destroyed) == 10);
  fail_unless_equals_int (lane.failed + lane_never.failed, 0);
  fail_unless_equals_int (lane.out_of_order + lane_never.out_of_order, 0);
  fail_unless_equals_int (on_main_thread, 0);

  gst_hip_event_unref (done);
  gst_hip_event_unref (never);
  gst_object_unref (pool);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_slow_stream_delays_no_other)
{
  GstHipDevice *device = open_host ();
  GstHipStream *slow = new_stream (device), *fast = new_stream (device);
  GstHipEvent *event;
  Lane slow_lane = { 0 }, fast_lane = { 0 };
  guint i;

  block (slow);
  event = record (slow);
  notify (event, &slow_lane, 0);
  gst_hip_event_unref (event);
  for (i = 0; i < 100; i++) {
    event = record (fast);
    notify (event, &fast_lane, i);
    gst_hip_event_unref (event);
  }
  wait_for (g_atomic_int_get (&fast_lane.destroyed) == 100);
  fail_unless_equals_int (g_atomic_int_get (&slow_lane.called), 0);
  unblock (slow);
  wait_for (g_atomic_int_get (&slow_lane.destroyed) == 1);

  gst_hip_stream_unref (slow);
  gst_hip_stream_unref (fast);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_oldest_is_told_while_newer_is_pending)
{
  /* What max-in-flight rests on: no waiting for the newest. */
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  Lane lane = { 0 };
  guint i;

  for (i = 0; i < 3; i++) {
    GstHipEvent *event;

    block (stream);
    event = record (stream);
    notify (event, &lane, i);
    gst_hip_event_unref (event);
  }
  for (i = 0; i < 3; i++) {
    fail_unless_equals_int (g_atomic_int_get (&lane.called), (gint) i);
    unblock (stream);
    wait_for (g_atomic_int_get (&lane.called) == (gint) i + 1);
  }
  wait_for (g_atomic_int_get (&lane.destroyed) == 3);
  fail_unless_equals_int (lane.out_of_order, 0);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_failed_device_ends_all)
{
  GstHipDevice *device = open_host ();
  GstHipStream *streams[3];
  Lane lanes[3] = { {0}
  };
  GError *error = NULL;
  guint i, s;

  for (s = 0; s < 3; s++) {
    streams[s] = new_stream (device);
    block (streams[s]);
    for (i = 0; i < 20; i++) {
      GstHipEvent *event = record (streams[s]);

      notify (event, &lanes[s], i);
      gst_hip_event_unref (event);
    }
  }
  fail_device (device);
  for (s = 0; s < 3; s++) {
    wait_for (g_atomic_int_get (&lanes[s].destroyed) == 20);
    fail_unless_equals_int (lanes[s].failed, 20);
    fail_unless_equals_int (lanes[s].out_of_order, 0);
  }
  fail_unless (gst_hip_device_is_lost (device));
  fail_if (gst_hip_stream_record (streams[0], FALSE, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  fail_if (gst_hip_stream_synchronize_full (streams[0], &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  fail_if (gst_hip_stream_new_full (device, 0, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);

  for (s = 0; s < 3; s++)
    gst_hip_stream_unref (streams[s]);
  gst_object_unref (device);
  assert_no_threads ();

  /* Opened again it is a new one. */
  device = open_host ();
  fail_if (gst_hip_device_is_lost (device));
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

typedef struct
{
  GstHipDevice *device;
  GstHipStream *stream;
  GstHipEvent *event;
  gint *released;
} Everything;

static void
release_everything (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  Everything *all = data;

  gst_hip_event_unref (all->event);
  gst_hip_stream_unref (all->stream);
  gst_object_unref (all->device);
}

static void
everything_released (gpointer data)
{
  Everything *all = data;
  gint *released = all->released;

  g_free (all);
  g_atomic_int_inc (released);
}

GST_START_TEST (test_callback_drops_last_references)
{
  gint released = 0;
  guint i;

  for (i = 0; i < 100; i++) {
    Everything *all = g_new (Everything, 1);
    GstHipEvent *event;

    all->released = &released;
    all->device = open_host ();
    all->stream = new_stream (all->device);
    fail_unless (gst_hip_device_get_stream (all->device) != NULL);
    event = all->event = record (all->stream);
    gst_hip_event_ref (event);
    gst_hip_event_notify (event, release_everything, all, everything_released);
    gst_hip_event_unref (event);
  }
  wait_for (g_atomic_int_get (&released) == 100);
  assert_no_threads ();
}

GST_END_TEST;

static void
attach_again (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  gint *left = data;

  if (g_atomic_int_dec_and_test (left))
    return;
  gst_hip_event_notify (event, attach_again, left, NULL);
}

GST_START_TEST (test_callback_attaches)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *event = record (stream);
  gint left = 50;

  gst_hip_event_notify (event, attach_again, &left, NULL);
  gst_hip_event_unref (event);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  wait_for (g_atomic_int_get (&left) == 0);
  assert_no_threads ();
}

GST_END_TEST;

static Suite *
core_notify_suite (void)
{
  Suite *s = suite_create ("core-notify");
  TCase *tc = tcase_create ("notify");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_each_once_and_in_order);
  tcase_add_test (tc, test_many_threads_attach);
  tcase_add_test (tc, test_ended_event_from_a_worker);
  tcase_add_test (tc, test_slow_stream_delays_no_other);
  tcase_add_test (tc, test_oldest_is_told_while_newer_is_pending);
  tcase_add_test (tc, test_failed_device_ends_all);
  tcase_add_test (tc, test_callback_drops_last_references);
  tcase_add_test (tc, test_callback_attaches);

  return s;
}

GST_CHECK_MAIN (core_notify);
