/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does what queued work uses live until then, and is it let go in the
 * background? */
#include "core-common.h"

#define N_ITEMS 20              /* more than there is room inside */

static GThread *main_thread;
static gint released, on_main_thread, out_of_order;

static void
release (gpointer data)
{
  if (g_thread_self () == main_thread)
    g_atomic_int_inc (&on_main_thread);
  if (GPOINTER_TO_INT (data) != g_atomic_int_add (&released, 1))
    g_atomic_int_inc (&out_of_order);
}

static void
push_items (GstHipFenceData * fence, guint n)
{
  guint i;

  main_thread = g_thread_self ();
  g_atomic_int_set (&released, 0);
  for (i = 0; i < n; i++)
    gst_hip_fence_data_push (fence, GINT_TO_POINTER (i), release);
}

GST_START_TEST (test_released_in_order_by_a_worker)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipFenceData *fence = gst_hip_fence_data_new ();
  GstHipEvent *event;

  push_items (fence, N_ITEMS);
  block (stream);
  event = record (stream);
  gst_hip_fence_data_attach (fence, event);
  gst_hip_fence_data_unref (fence);
  gst_hip_event_unref (event);
  g_usleep (5000);
  fail_unless_equals_int (g_atomic_int_get (&released), 0);
  unblock (stream);
  wait_for (g_atomic_int_get (&released) == N_ITEMS);
  fail_unless_equals_int (out_of_order, 0);
  fail_unless_equals_int (on_main_thread, 0);

  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_released_when_the_device_fails)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipFenceData *fence = gst_hip_fence_data_new ();
  GstHipEvent *event;

  push_items (fence, 3);
  block (stream);
  event = record (stream);
  gst_hip_fence_data_attach (fence, event);
  gst_hip_fence_data_unref (fence);
  gst_hip_event_unref (event);
  fail_device (device);
  wait_for (g_atomic_int_get (&released) == 3);
  fail_unless_equals_int (on_main_thread, 0);

  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_never_recorded)
{
  GstHipEventPool *pool = gst_hip_event_pool_new (GST_HIP_VENDOR_HOST, 0);
  GstHipFenceData *fence = gst_hip_fence_data_new ();
  GstHipEvent *event;

  fail_unless (gst_hip_event_pool_acquire (pool, &event));
  push_items (fence, 3);
  gst_hip_fence_data_attach (fence, event);
  gst_hip_fence_data_unref (fence);
  gst_hip_event_unref (event);
  gst_object_unref (pool);
  wait_for (g_atomic_int_get (&released) == 3);
  fail_unless_equals_int (on_main_thread, 0);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_last_of_several_events)
{
  GstHipDevice *device = open_host ();
  GstHipStream *one = new_stream (device), *two = new_stream (device);
  GstHipFenceData *fence = gst_hip_fence_data_new ();
  GstHipEvent *first, *second;

  push_items (fence, 2);
  block (two);
  first = record (one);
  second = record (two);
  gst_hip_fence_data_attach (fence, second);
  gst_hip_fence_data_attach (fence, first);
  fail_unless (gst_hip_event_wait (first, NULL));
  g_usleep (5000);
  fail_unless_equals_int (g_atomic_int_get (&released), 0);
  unblock (two);
  wait_for (g_atomic_int_get (&released) == 2);

  /* Kept, it is filled and used again. */
  push_items (fence, 2);
  gst_hip_fence_data_attach (fence, first);
  wait_for (g_atomic_int_get (&released) == 2);
  fail_unless_equals_int (out_of_order, 0);

  gst_hip_fence_data_unref (fence);
  gst_hip_event_unref (first);
  gst_hip_event_unref (second);
  gst_hip_stream_unref (one);
  gst_hip_stream_unref (two);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

static gboolean
ends_with_reference (gpointer data)
{
  GstMiniObject *object = data;

  return GST_MINI_OBJECT_REFCOUNT_VALUE (object) == 1;
}

GST_START_TEST (test_objects)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipFenceData *fence = gst_hip_fence_data_new ();
  GstBuffer *buffer = gst_buffer_new ();
  GObject *object = g_object_new (GST_TYPE_BIN, NULL);
  gpointer weak = object;
  GstHipEvent *event = record (stream);

  g_object_ref_sink (object);
  g_object_add_weak_pointer (object, &weak);
  gst_hip_fence_data_push_object (fence, object);
  gst_hip_fence_data_push_mini_object (fence,
      GST_MINI_OBJECT_CAST (gst_buffer_ref (buffer)));
  gst_hip_fence_data_push_mini_object (fence,
      GST_MINI_OBJECT_CAST (gst_hip_stream_ref (stream)));
  gst_hip_fence_data_push (fence, NULL, NULL);
  gst_hip_fence_data_attach (fence, event);
  gst_hip_fence_data_unref (fence);
  gst_hip_event_unref (event);
  wait_for (ends_with_reference (buffer));
  wait_for (ends_with_reference (stream));
  fail_unless (weak == NULL);

  gst_buffer_unref (buffer);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_pool_recycles)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipFenceDataPool *pool = gst_hip_fence_data_pool_new ();
  GstHipFenceData *fence, *first;
  GstHipEvent *event;
  guint i;

  fence = first = gst_hip_fence_data_pool_acquire (pool);
  for (i = 0; i < 5; i++) {
    fail_unless (fence == first, "not recycled");
    push_items (fence, N_ITEMS);
    event = record (stream);
    gst_hip_fence_data_attach (fence, event);
    gst_hip_fence_data_unref (fence);
    gst_hip_event_unref (event);
    wait_for (g_atomic_int_get (&released) == N_ITEMS);
    /* It goes back after what is in it was released. */
    wait_for (GST_OBJECT_REFCOUNT_VALUE (pool) == 1);
    fence = gst_hip_fence_data_pool_acquire (pool);
  }
  fail_unless_equals_int (out_of_order, 0);

  /* The pool may go first; without an event what is in there goes at once. */
  push_items (fence, 1);
  gst_object_unref (pool);
  gst_hip_fence_data_unref (fence);
  fail_unless_equals_int (g_atomic_int_get (&released), 1);

  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

#define N_FRAMES 8

/* Of work that piled up each is told when it has ended, neither early nor with
 * what is behind it: that may need somebody who waits to be told. */
GST_START_TEST (test_told_one_by_one)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);

  main_thread = g_thread_self ();
  g_atomic_int_set (&released, 0);
  for (guint i = 0; i < N_FRAMES; i++) {
    GstHipFenceData *fence = gst_hip_fence_data_new ();
    GstHipEvent *event;

    block (stream);
    event = record (stream);
    gst_hip_fence_data_push (fence, GINT_TO_POINTER (i), release);
    gst_hip_fence_data_attach (fence, event);
    gst_hip_fence_data_unref (fence);
    gst_hip_event_unref (event);
  }
  for (gint i = 0; i < N_FRAMES; i++) {
    g_usleep (2000);
    fail_unless (g_atomic_int_get (&released) <= i);
    unblock (stream);
    wait_for (g_atomic_int_get (&released) == i + 1);
  }
  wait_for (g_atomic_int_get (&released) == N_FRAMES);
  fail_unless_equals_int (out_of_order, 0);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

static Suite *
core_fence_suite (void)
{
  Suite *s = suite_create ("core-fence");
  TCase *tc = tcase_create ("fence");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_released_in_order_by_a_worker);
  tcase_add_test (tc, test_released_when_the_device_fails);
  tcase_add_test (tc, test_never_recorded);
  tcase_add_test (tc, test_last_of_several_events);
  tcase_add_test (tc, test_objects);
  tcase_add_test (tc, test_pool_recycles);
  tcase_add_test (tc, test_told_one_by_one);

  return s;
}

GST_CHECK_MAIN (core_fence);
