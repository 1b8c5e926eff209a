/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do the elements wait only where they may, and does everything that is queued
 * survive flush, end of stream and state changes? Proved by order and counters
 * with a device that is stopped on purpose.
 */
#include "io-frames.h"
#include "io-gate.h"

#define CHAIN "hipupload name=up vendor=%s ! hipdownload name=down vendor=%s"
#define UPLOAD "hipupload name=up vendor=%s max-in-flight=4"

typedef struct
{
  GstHarness *h;
  Picture picture;
  GThread *thread;
  gint n_pushed;                /* atomic */
  gint last_ret;                /* atomic */
  guint n_to_push;
} Pusher;

static gpointer
push_frames (gpointer data)
{
  Pusher *pusher = data;
  GstFlowReturn ret = GST_FLOW_OK;
  guint i;

  for (i = 0; i < pusher->n_to_push && ret == GST_FLOW_OK; i++) {
    ret = gst_harness_push (pusher->h,
        picture_to_buffer (&pusher->picture, LAYOUT_CAPS));
    g_atomic_int_set (&pusher->last_ret, ret);
    if (ret == GST_FLOW_OK)
      g_atomic_int_inc (&pusher->n_pushed);
  }
  return NULL;
}

static void
pusher_start (Pusher * pusher, const gchar * chain, guint n)
{
  memset (pusher, 0, sizeof (*pusher));
  picture_init (&pusher->picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  pusher->h = harness_new (chain, &pusher->picture.info);
  pusher->n_to_push = n;
}

static void
pusher_go (Pusher * pusher)
{
  pusher->thread = g_thread_new ("pusher", push_frames, pusher);
}

static void
pusher_end (Pusher * pusher)
{
  g_thread_join (pusher->thread);
  gst_harness_teardown (pusher->h);
  picture_clear (&pusher->picture);
}

/* The picture, which arrives in the buffer's memory once the gate is open. */
static GstBuffer *
gated_buffer (Gate * gate, const Picture * picture)
{
  g_autoptr (GstBuffer) plain = picture_to_buffer (picture, LAYOUT_CAPS);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer, gate_new_memory (gate, plain));
  return buffer;
}

GST_START_TEST (test_source_keeps_pace_up_to_max_in_flight)
{
  GstElement *up;
  Pusher pusher;
  Gate *gate = gate_new ();
  guint i;

  pusher_start (&pusher, UPLOAD, 20);
  up = gst_bin_get_by_name (GST_BIN (pusher.h->element), "up");

  /* The first frame waits on the device for the gate, so all others do. */
  fail_unless_equals_int (gst_harness_push (pusher.h,
          gated_buffer (gate, &pusher.picture)), GST_FLOW_OK);
  pusher_go (&pusher);
  /* It must get that far ... */
  while (stat_uint64 (up, "submitted") < 4
      || gst_harness_buffers_received (pusher.h) < 4)
    g_usleep (1000);
  /* ... and no further, however long it is given. */
  for (i = 0; i < 50; i++) {
    g_usleep (1000);
    fail_unless_equals_uint64 (stat_uint64 (up, "submitted"), 4);
    fail_unless_equals_uint64 (stat_uint64 (up, "finished"), 0);
    fail_unless (g_atomic_int_get (&pusher.n_pushed) <= 3);
  }
  /* All four went downstream although none is done. */
  fail_unless_equals_int (gst_harness_buffers_received (pusher.h), 4);

  gate_open (gate);
  for (i = 0; i < 21; i++)
    gst_buffer_unref (gst_harness_pull (pusher.h));
  fail_unless_equals_uint64 (stat_uint64 (up, "in-flight-peak"), 4);
  gst_object_unref (up);
  pusher_end (&pusher);
  gate_free (gate);
}

GST_END_TEST;

GST_START_TEST (test_flush_ends_the_wait)
{
  GstElement *up;
  Pusher pusher;
  Gate *gate = gate_new ();
  GstBuffer *out;

  pusher_start (&pusher, UPLOAD, 20);
  up = gst_bin_get_by_name (GST_BIN (pusher.h->element), "up");
  fail_unless_equals_int (gst_harness_push (pusher.h,
          gated_buffer (gate, &pusher.picture)), GST_FLOW_OK);
  pusher_go (&pusher);
  while (stat_uint64 (up, "submitted") < 4)
    g_usleep (1000);

  /* The device is still stopped. */
  fail_unless (gst_harness_push_event (pusher.h, gst_event_new_flush_start ()));
  g_thread_join (pusher.thread);
  fail_unless_equals_int (g_atomic_int_get (&pusher.last_ret),
      GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (pusher.h,
          gst_event_new_flush_stop (TRUE)));
  fail_unless_equals_uint64 (stat_uint64 (up, "finished"), 0);

  while ((out = gst_harness_try_pull (pusher.h)))
    gst_buffer_unref (out);
  gate_open (gate);

  /* It works on as if nothing had been. */
  {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_harness_push_event (pusher.h,
            gst_event_new_segment (&segment)));
  }
  pusher.n_pushed = 0;
  pusher_go (&pusher);
  g_thread_join (pusher.thread);
  fail_unless_equals_int (g_atomic_int_get (&pusher.n_pushed), 20);
  gst_object_unref (up);
  gst_harness_teardown (pusher.h);
  picture_clear (&pusher.picture);
  gate_free (gate);
}

GST_END_TEST;

GST_START_TEST (test_state_change_ends_the_wait)
{
  GstElement *up;
  Pusher pusher;
  Gate *gate = gate_new ();

  pusher_start (&pusher, UPLOAD, 20);
  up = gst_bin_get_by_name (GST_BIN (pusher.h->element), "up");
  fail_unless_equals_int (gst_harness_push (pusher.h,
          gated_buffer (gate, &pusher.picture)), GST_FLOW_OK);
  pusher_go (&pusher);
  while (stat_uint64 (up, "submitted") < 4)
    g_usleep (1000);

  /* Completes although the device is stopped. */
  fail_unless_equals_int (gst_element_set_state (pusher.h->element,
          GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  g_thread_join (pusher.thread);
  fail_unless_equals_uint64 (stat_uint64 (up, "finished"), 0);
  gate_open (gate);
  while (stat_uint64 (up, "finished") < 4)
    g_usleep (1000);
  gst_object_unref (up);
  gst_harness_teardown (pusher.h);
  picture_clear (&pusher.picture);
  gate_free (gate);
}

GST_END_TEST;

/* I3: what the device still reads is not given back; device memory is. */
GST_START_TEST (test_pinned_input_is_held_until_the_device_is_done)
{
  Picture picture;
  GstHarness *h;
  GstBuffer *in, *out;
  Gate *gate = gate_new ();
  GstElement *up;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = harness_new (UPLOAD, &picture.info);
  up = gst_bin_get_by_name (GST_BIN (h->element), "up");
  in = gst_buffer_ref (gated_buffer (gate, &picture));
  fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
  out = gst_harness_pull (h);
  fail_unless (GST_MINI_OBJECT_REFCOUNT_VALUE (in) == 2);
  gst_buffer_unref (out);
  gate_open (gate);
  while (stat_uint64 (up, "finished") < 1)
    g_usleep (1000);
  fail_unless (GST_MINI_OBJECT_REFCOUNT_VALUE (in) == 1);
  gst_buffer_unref (in);
  gst_object_unref (up);
  gst_harness_teardown (h);
  picture_clear (&picture);
  gate_free (gate);
}

GST_END_TEST;

/* hipdownload pushes at once; only a CPU map waits. */
GST_START_TEST (test_download_is_pushed_before_it_has_arrived)
{
  Picture picture;
  GstHarness *h;
  GstBuffer *out[3];
  Gate *gate = gate_new ();
  GstElement *down;
  guint i;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = harness_new (CHAIN, &picture.info);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  down = gst_bin_get_by_name (GST_BIN (h->element), "down");
  for (i = 0; i < 3; i++) {
    fail_unless_equals_int (gst_harness_push (h, gated_buffer (gate, &picture)),
        GST_FLOW_OK);
    out[i] = gst_harness_pull (h);
  }
  fail_unless_equals_uint64 (stat_uint64 (down, "submitted"), 3);
  fail_unless_equals_uint64 (stat_uint64 (down, "finished"), 0);
  fail_unless_equals_uint64 (stat_uint64 (down, "pinned-transfer"), 3);
  gate_open (gate);
  for (i = 0; i < 3; i++) {
    picture_compare (&picture, out[i], "mapped after the gate was opened");
    gst_buffer_unref (out[i]);
  }
  gst_object_unref (down);
  gst_harness_teardown (h);
  picture_clear (&picture);
  gate_free (gate);
}

GST_END_TEST;

static Suite *
io_flow_suite (void)
{
  Suite *s = suite_create ("io-flow");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_source_keeps_pace_up_to_max_in_flight);
  tcase_add_test (tc, test_flush_ends_the_wait);
  tcase_add_test (tc, test_state_change_ends_the_wait);
  tcase_add_test (tc, test_pinned_input_is_held_until_the_device_is_done);
  tcase_add_test (tc, test_download_is_pushed_before_it_has_arrived);
  return s;
}

GST_CHECK_MAIN (io_flow);
