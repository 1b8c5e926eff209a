/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* 100,000 notifications whose callbacks drop the last references of streams,
 * devices and pools: each called once, in the order of its stream, without a
 * deadlock, also when the device fails.
 */
#include "core-common.h"
#include "hip-memory.h"

#define N_TOTAL 100000
/* Notifications of one stream */
#define N_LANE 50

/* Everything of one stream; goes with its last notification. */
typedef struct
{
  GstHipDevice *device;
  GstHipStream *stream;
  GstBufferPool *pool;
  GstBuffer *buffer;
  GstHipFenceDataPool *fences;
  guint next, gone;             /* callbacks called, destroyed */
} Lane;

static gint called, destroyed, failed, wrong;

static GstBufferPool *
new_pool (GstHipDevice * device)
{
  GstBufferPool *pool = gst_hip_buffer_pool_new (device);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, NULL, 64, 0, 0);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

static Lane *
lane_new (void)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->device = open_host ();
  lane->stream = new_stream (lane->device);
  lane->pool = new_pool (lane->device);
  lane->fences = gst_hip_fence_data_pool_new ();
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (lane->pool,
          &lane->buffer, NULL), GST_FLOW_OK);
  return lane;
}

static void
lane_drop (Lane * lane)
{
  gst_buffer_unref (lane->buffer);
  gst_buffer_pool_set_active (lane->pool, FALSE);
  gst_object_unref (lane->pool);
  gst_object_unref (lane->fences);
  gst_hip_stream_unref (lane->stream);
  gst_object_unref (lane->device);
}

static void
told (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  Lane *lane = data;

  g_atomic_int_inc (&called);
  if (state == GST_HIP_EVENT_STATE_FAILED)
    g_atomic_int_inc (&failed);
  else if (state != GST_HIP_EVENT_STATE_DONE)
    g_atomic_int_inc (&wrong);
  lane->next++;
  if (lane->next == N_LANE)
    lane_drop (lane);
}

static void
gone (gpointer data)
{
  Lane *lane = data;

  /* one right after the other */
  if (++lane->gone != lane->next)
    g_atomic_int_inc (&wrong);
  if (lane->gone == N_LANE)
    g_free (lane);
  g_atomic_int_inc (&destroyed);
}

static void
release_buffer (gpointer buffer)
{
  gst_buffer_unref (buffer);
}

/* All of lane's notifications; its last callback lets go of everything. */
static void
lane_go (Lane * lane)
{
  GstMemory *memory = gst_buffer_peek_memory (lane->buffer, 0);
  GstHipStream *stream = gst_hip_stream_ref (lane->stream);
  GstHipFenceDataPool *fences = gst_object_ref (lane->fences);
  GstBuffer *buffer = gst_buffer_ref (lane->buffer);

  for (guint i = 0; i < N_LANE; i++) {
    GstHipEvent *event = NULL;
    GstHipFenceData *fence;

    if (!gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), stream,
            GST_MAP_WRITE, NULL)
        || !gst_hip_stream_fill (stream, memory, 0, 64, i, NULL)
        || !(event = gst_hip_stream_record (stream, FALSE, NULL)))
      g_atomic_int_inc (&wrong);
    gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (memory), event,
        GST_MAP_WRITE);
    fence = gst_hip_fence_data_pool_acquire (fences);
    gst_hip_fence_data_push (fence, gst_buffer_ref (buffer), release_buffer);
    gst_hip_fence_data_attach (fence, event);
    gst_hip_fence_data_unref (fence);
    gst_hip_event_notify (event, told, lane, gone);
    gst_hip_event_unref (event);
  }
  gst_buffer_unref (buffer);
  gst_object_unref (fences);
  gst_hip_stream_unref (stream);
}

static void
assert_everything_gone (gint total)
{
  wait_for (g_atomic_int_get (&destroyed) == total);
  fail_unless_equals_int (called, total);
  fail_unless_equals_int (wrong, 0);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

GST_START_TEST (test_hundred_thousand)
{
  for (guint i = 0; i < N_TOTAL / N_LANE; i++) {
    lane_go (lane_new ());
    /* Not more streams, which are threads here, than a machine may have */
    wait_for (g_atomic_int_get (&destroyed) + 40 * N_LANE >= (gint) i * N_LANE);
  }
  assert_everything_gone (N_TOTAL);
  fail_unless_equals_int (failed, 0);
}

GST_END_TEST;

#define N_FAILING 10

GST_START_TEST (test_device_fails_meanwhile)
{
  for (guint round = 0; round < 50; round++) {
    GstHipDevice *device = open_host ();
    Lane *lanes[N_FAILING];
    gint before = failed;

    for (guint i = 0; i < N_FAILING; i++) {
      lanes[i] = lane_new ();
      /* Half of them cannot get anywhere before it fails. */
      if (i % 2)
        block (lanes[i]->stream);
    }
    for (guint i = 0; i < N_FAILING; i++)
      lane_go (lanes[i]);
    fail_device (device);
    gst_object_unref (device);
    wait_for (g_atomic_int_get (&destroyed)
        == (gint) (round + 1) * N_FAILING * N_LANE);
    fail_unless (failed - before >= N_FAILING / 2 * N_LANE);
  }
  assert_everything_gone (50 * N_FAILING * N_LANE);
}

GST_END_TEST;

static Suite *
notify_suite (void)
{
  Suite *suite = suite_create ("notify");
  TCase *tcase = tcase_create ("notify");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, test_hundred_thousand);
  tcase_add_test (tcase, test_device_fails_meanwhile);
  return suite;
}

GST_CHECK_MAIN (notify);
