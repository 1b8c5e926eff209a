/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* 100,000 notifications whose callbacks drop the last references of streams,
 * devices and pools: each called once, in the order of its stream, without a
 * deadlock, and as many when the device fails.
 */
#include "core-common.h"
#include "hip-memory.h"

#define N_TOTAL 100000
/* Notifications of one stream */
#define N_LANE 50

typedef struct _Lane Lane;

/* One notification */
typedef struct
{
  Lane *lane;
  guint index;
  gint called, destroyed;       /* atomic */
} Note;

/* Everything of one stream; goes with its last notification. */
struct _Lane
{
  GstHipDevice *device;
  GstHipStream *stream;
  GstBufferPool *pool;
  GstBuffer *buffer;
  GstHipFenceDataPool *fences;
  guint next, gone;             /* callbacks called, destroyed */
  Note notes[N_LANE];
};

static gint called, destroyed, failed, wrong;
/* Ends of what the callbacks let go of: on a worker, or on the test's thread */
static gint ended_by_workers, ended_here;
static GThread *here;

/* Cases may run in one process, one after the other. */
static void
setup (void)
{
  called = destroyed = failed = wrong = 0;
  ended_by_workers = ended_here = 0;
  here = g_thread_self ();
}

static void
count_end (void)
{
  g_atomic_int_inc (g_thread_self () == here ? &ended_here : &ended_by_workers);
}

static void
object_ended (gpointer data, GObject * object)
{
  count_end ();
}

static void
stream_ended (gpointer data, GstMiniObject * object)
{
  count_end ();
}

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
  g_object_weak_ref (G_OBJECT (lane->device), object_ended, NULL);
  g_object_weak_ref (G_OBJECT (lane->pool), object_ended, NULL);
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (lane->stream), stream_ended,
      NULL);
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
  Note *note = data;
  Lane *lane = note->lane;

  g_atomic_int_inc (&called);
  if (state == GST_HIP_EVENT_STATE_FAILED)
    g_atomic_int_inc (&failed);
  else if (state != GST_HIP_EVENT_STATE_DONE)
    g_atomic_int_inc (&wrong);
  /* once, not by the one who queued the work, and in the stream's order */
  if (g_atomic_int_add (&note->called, 1) != 0 || g_thread_self () == here
      || note->index != lane->next++)
    g_atomic_int_inc (&wrong);
  if (lane->next == N_LANE)
    lane_drop (lane);
}

static void
gone (gpointer data)
{
  Note *note = data;
  Lane *lane = note->lane;

  /* once, right after its callback */
  if (g_atomic_int_add (&note->destroyed, 1) != 0
      || !g_atomic_int_get (&note->called) || ++lane->gone != lane->next)
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

/* All of lane's notifications, behind gate if there is one; its last callback
 * lets go of everything, and with a gate nobody else has anything by then. */
static void
lane_go (Lane * lane, GstHipEvent * gate)
{
  GstMemory *memory = gst_buffer_peek_memory (lane->buffer, 0);
  GstHipStream *stream = gst_hip_stream_ref (lane->stream);
  GstHipFenceDataPool *fences = gst_object_ref (lane->fences);
  GstBuffer *buffer = gst_buffer_ref (lane->buffer);

  if (gate && !gst_hip_stream_wait_event (stream, gate, NULL))
    g_atomic_int_inc (&wrong);
  for (guint i = 0; i < N_LANE; i++) {
    Note *note = &lane->notes[i];
    GstHipEvent *event = NULL;
    GstHipFenceData *fence;

    note->lane = lane;
    note->index = i;
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
    gst_hip_event_notify (event, told, note, gone);
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

#define N_LANES (N_TOTAL / N_LANE)
/* Not more streams, which are threads here, than a machine may have */
#define N_AT_ONCE 40

/* Callbacks come while more is queued. */
GST_START_TEST (test_hundred_thousand)
{
  for (guint i = 0; i < N_LANES; i++) {
    lane_go (lane_new (), NULL);
    wait_for (g_atomic_int_get (&destroyed) + N_AT_ONCE * N_LANE
        >= (gint) i * N_LANE);
  }
  assert_everything_gone (N_TOTAL);
  fail_unless_equals_int (failed, 0);
  fail_unless_equals_int (ended_here + ended_by_workers, 3 * N_LANES);
}

GST_END_TEST;

/* Callbacks come when all is queued, and have the last references of streams,
 * devices and pools. */
GST_START_TEST (test_hundred_thousand_with_last_references)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stopped = new_stream (device);

  for (guint i = 0; i < N_LANES / N_AT_ONCE; i++) {
    GstHipEvent *gate;

    block (stopped);
    gate = record (stopped);
    for (guint k = 0; k < N_AT_ONCE; k++)
      lane_go (lane_new (), gate);
    gst_hip_event_unref (gate);
    fail_unless_equals_int (called, i * N_AT_ONCE * N_LANE);
    unblock (stopped);
    wait_for (g_atomic_int_get (&destroyed)
        == (gint) (i + 1) * N_AT_ONCE * N_LANE);
  }
  gst_hip_stream_unref (stopped);
  gst_object_unref (device);
  assert_everything_gone (N_TOTAL);
  fail_unless_equals_int (failed, 0);
  fail_unless_equals_int (ended_here, 0);
  fail_unless_equals_int (ended_by_workers, 3 * N_LANES);
}

GST_END_TEST;

#define N_FAILING 10
#define N_ROUNDS 200

/* Each round loses the device with all its streams, half of which cannot get
 * anywhere before. */
GST_START_TEST (test_device_fails_meanwhile)
{
  for (guint round = 0; round < N_ROUNDS; round++) {
    GstHipDevice *device = open_host ();
    Lane *lanes[N_FAILING];
    gint before = failed;

    for (guint i = 0; i < N_FAILING; i++) {
      lanes[i] = lane_new ();
      if (i % 2)
        block (lanes[i]->stream);
    }
    for (guint i = 0; i < N_FAILING; i++)
      lane_go (lanes[i], NULL);
    fail_device (device);
    gst_object_unref (device);
    wait_for (g_atomic_int_get (&destroyed)
        == (gint) (round + 1) * N_FAILING * N_LANE);
    fail_unless (failed - before >= N_FAILING / 2 * N_LANE);
  }
  assert_everything_gone (N_TOTAL);
  fail_unless_equals_int (ended_here + ended_by_workers,
      3 * N_ROUNDS * N_FAILING);
}

GST_END_TEST;

static Suite *
notify_suite (void)
{
  Suite *suite = suite_create ("notify");
  TCase *tcase = tcase_create ("notify");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_checked_fixture (tcase, setup, NULL);
  tcase_add_test (tcase, test_hundred_thousand);
  tcase_add_test (tcase, test_hundred_thousand_with_last_references);
  tcase_add_test (tcase, test_device_fails_meanwhile);
  return suite;
}

GST_CHECK_MAIN (notify);
