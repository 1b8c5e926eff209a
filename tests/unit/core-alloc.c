/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does steady state allocate nothing, on any thread? This program counts every
 * call of the allocator; sanitizers have one of their own, so it only
 * runs there and counts nothing. */
#include "../common/count-allocations.h"
#include "core-common.h"

GST_START_TEST (test_allocations_are_counted)
{
  gint before = count_allocations ();

  g_free (g_malloc (100));
  g_object_unref (g_object_new (GST_TYPE_HIP_FENCE_DATA_POOL, NULL));
#ifndef COUNTS_NOTHING
  fail_unless (count_allocations () > before);
#else
  fail_unless_equals_int (count_allocations (), before);
#endif
}

GST_END_TEST;

static void
note (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

/* What an element does for a frame, without the frame: up to 8 unfinished */
static void
run_frames (GstHipStream * streams[2], GstHipFenceDataPool * pool,
    gint * told, guint n)
{
  gint start = g_atomic_int_get (told);
  guint i;

  for (i = 0; i < n; i++) {
    GstHipFenceData *fence = gst_hip_fence_data_pool_acquire (pool);
    GstHipEvent *event, *timed;

    gst_hip_fence_data_push_object (fence, gst_object_ref (pool));
    event = gst_hip_stream_record (streams[i % 2], FALSE, NULL);
    gst_hip_stream_wait_event (streams[(i + 1) % 2], event, NULL);
    timed = gst_hip_stream_record (streams[(i + 1) % 2], TRUE, NULL);
    gst_hip_fence_data_attach (fence, timed);
    gst_hip_fence_data_unref (fence);
    gst_hip_event_notify (event, note, told, NULL);
    gst_hip_event_unref (event);
    gst_hip_event_unref (timed);
    while (start + (gint) i + 1 - g_atomic_int_get (told) >= 8)
      g_usleep (50);
  }
  while (g_atomic_int_get (told) - start < (gint) n)
    g_usleep (50);
}

GST_START_TEST (test_steady_state_allocates_nothing)
{
  GstHipDevice *device = open_host ();
  GstHipStream *streams[2] = { new_stream (device), new_stream (device) };
  GstHipFenceDataPool *pool = gst_hip_fence_data_pool_new ();
  gint told = 0, before, round, made = -1;

  /* How deep queues get is a matter of luck: they may grow in some round, but
   * there is a last time. */
  for (round = 0; round < 50 && made != 0; round++) {
    run_frames (streams, pool, &told, 500);
    before = count_allocations ();
    run_frames (streams, pool, &told, 1000);
    made = count_allocations () - before;
  }
  fail_unless_equals_int (made, 0);

  gst_object_unref (pool);
  gst_hip_stream_unref (streams[0]);
  gst_hip_stream_unref (streams[1]);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

static Suite *
core_alloc_suite (void)
{
  Suite *s = suite_create ("core-alloc");
  TCase *tc = tcase_create ("alloc");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_allocations_are_counted);
  tcase_add_test (tc, test_steady_state_allocates_nothing);

  return s;
}

GST_CHECK_MAIN (core_alloc);
