/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Who waits for the device, so that nobody else has to (I1, I4)?
 *
 * A lane is the ordered queue of one stream's notifications. It is served by
 * at most one worker; a worker that serves it sleeps in the driver for the
 * lane's OLDEST pending event and then completes, with queries that do not
 * wait, everything that is done meanwhile. Sleeping for a later event would
 * need fewer wake-ups, but whoever waits to be told of the oldest, an element
 * that may have only so many frames unfinished, would wait for all of them,
 * and for ever where a later one needs that element to go on.
 *
 * A worker stays with its lane for a while after the last entry, so that a
 * stream in use costs no thread start and no global lock per frame; then it
 * takes other work, waits idle for a moment, and ends. Threads are never
 * joined: a callback may drop the last reference of anything.
 *
 * A lane also knows how far its stream has come, so that what was recorded
 * earlier on it is known to be done without asking the driver for it.
 *
 * Must not know: what the work is. No callback runs with a lock held.
 */
#include <stdatomic.h>

#include "hip-worker.h"
#include "hip-recycler.h"
#include "hip-stream.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_event_debug, "hipevent", "HIP events")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_event_debug ()

/* How long a worker without work stays */
#define IDLE_US (300 * G_TIME_SPAN_MILLISECOND)
/* Tasks may wait (a stream that does not become idle); so many may at once */
#define MAX_TASK_THREADS 16
/* How long exit () waits for tasks that are in the driver */
#define EXIT_US (500 * G_TIME_SPAN_MILLISECOND)

typedef struct
{
  GstHipEvent *event;
  GstHipEventNotify func;
  gpointer data;
  GDestroyNotify destroy;
} LaneEntry;

struct _HipLane
{
  gint ref_count;
  _Atomic guint64 passed;       /* records of the stream that are done */
  HipMutex lock;
  HipCond cond;
  LaneEntry *ring;              /* capacity is a power of two; grows, never shrinks */
  guint capacity, first, n_entries;
  gboolean scheduled;           /* a worker has it, or it waits for one */
  gboolean waiting;             /* its worker waits on cond */
  gboolean retired;
  HipLane *next;                /* queue of lanes without a worker */
};

typedef struct _Task Task;
struct _Task
{
  HipTaskFunc func;
  gpointer data;
  Task *next;
};

static HipRecycler tasks;

/* Lanes with their rings, for events of streams that are not ours: each has one
 * for itself. */
#define MOST_IDLE_LANES 64
static HipMutex idle_lock;
static HipLane *idle_lanes;     /* by next */
static guint n_idle_lanes;

static struct
{
  HipMutex lock;
  HipCond cond;
  HipLane *first_lane, *last_lane;
  Task *first_task, *last_task;
  guint queued_lanes, queued_tasks;
  guint threads, idle, in_task;
  guint contexts;
} pool;

/* FALSE: the process is exiting, the thread must not touch anything more. */
static gboolean
entry_finish (LaneEntry * entry)
{
  GstHipEventState state = hip_event_wait_ended (entry->event);

  if (state == GST_HIP_EVENT_STATE_PENDING)
    return FALSE;

  if (entry->func)
    entry->func (entry->event, state, entry->data);
  if (entry->destroy)
    entry->destroy (entry->data);
  gst_hip_event_unref (entry->event);

  return TRUE;
}

/* With the lane's lock: TRUE if there is an entry. */
static gboolean
lane_wait_for_entry (HipLane * lane)
{
  gint64 end = g_get_monotonic_time () + IDLE_US;
  gboolean in_time = TRUE;

  while (lane->n_entries == 0 && in_time && !lane->retired) {
    lane->waiting = TRUE;
    in_time = hip_cond_wait_until (&lane->cond, &lane->lock, end);
    lane->waiting = FALSE;
  }

  return lane->n_entries > 0;
}

static LaneEntry *
lane_entry (HipLane * lane, guint i)
{
  return &lane->ring[(lane->first + i) & (lane->capacity - 1)];
}

/* Takes the queue's reference. FALSE: the process is exiting. */
static gboolean
lane_serve (HipLane * lane)
{
  hip_mutex_lock (&lane->lock);
  while (lane_wait_for_entry (lane)) {
    LaneEntry entry = *lane_entry (lane, 0);

    lane->first = (lane->first + 1) & (lane->capacity - 1);
    lane->n_entries--;
    hip_mutex_unlock (&lane->lock);

    if (!entry_finish (&entry))
      return FALSE;
    hip_mutex_lock (&lane->lock);
  }
  lane->scheduled = FALSE;
  hip_mutex_unlock (&lane->lock);
  hip_lane_unref (lane);

  return TRUE;
}

static HipLane *
pool_pop_lane (void)
{
  HipLane *lane = pool.first_lane;

  if (lane) {
    pool.first_lane = lane->next;
    if (!pool.first_lane)
      pool.last_lane = NULL;
    lane->next = NULL;
    pool.queued_lanes--;
  }

  return lane;
}

static Task *
pool_pop_task (void)
{
  Task *task = NULL;

  if (pool.in_task < MAX_TASK_THREADS)
    task = pool.first_task;
  if (task) {
    pool.first_task = task->next;
    if (!pool.first_task)
      pool.last_task = NULL;
    pool.queued_tasks--;
  }

  return task;
}

/* With the pool's lock, which it gives up meanwhile. FALSE: end the thread. */
static gboolean
worker_run_task (Task * task)
{
  if (hip_is_exiting ()) {
    hip_mutex_unlock (&pool.lock);
    return FALSE;
  }
  pool.in_task++;
  hip_mutex_unlock (&pool.lock);
  task->func (task->data);
  hip_recycler_give (&tasks, task);
  hip_mutex_lock (&pool.lock);
  pool.in_task--;
  if (pool.in_task == 0 && hip_is_exiting ())
    hip_cond_broadcast (&pool.cond);

  return TRUE;
}

/* With the pool's lock. FALSE: nothing came. */
static gboolean
worker_wait (void)
{
  gint64 end = g_get_monotonic_time () + IDLE_US;
  gboolean in_time = TRUE;

  pool.idle++;
  while (pool.queued_lanes == 0 && pool.queued_tasks == 0 && in_time
      && pool.contexts > 0)
    in_time = hip_cond_wait_until (&pool.cond, &pool.lock, end);
  pool.idle--;

  return pool.queued_lanes > 0
      || (pool.queued_tasks > 0 && pool.in_task < MAX_TASK_THREADS);
}

static gpointer
worker_main (gpointer unused)
{
  hip_mutex_lock (&pool.lock);
  do {
    HipLane *lane;
    Task *task;

    while ((lane = pool_pop_lane ())) {
      hip_mutex_unlock (&pool.lock);
      if (!lane_serve (lane))
        return NULL;
      hip_mutex_lock (&pool.lock);
    }
    while (!pool.first_lane && (task = pool_pop_task ())) {
      if (!worker_run_task (task))
        return NULL;
    }
  } while (worker_wait ());
  pool.threads--;
  hip_mutex_unlock (&pool.lock);

  return NULL;
}

/* With the pool's lock: TRUE if a thread has to be started for what was queued
 * last. It is counted already. */
static gboolean
pool_wants_thread (gboolean for_task)
{
  if (pool.idle >= pool.queued_lanes + pool.queued_tasks) {
    hip_cond_signal (&pool.cond);
    return FALSE;
  }
  if (for_task && pool.in_task + pool.queued_tasks > MAX_TASK_THREADS)
    return FALSE;
  pool.threads++;

  return TRUE;
}

static void
pool_start_thread (void)
{
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_try_new ("hip-worker", worker_main, NULL, &error);

  if (thread) {
    g_thread_unref (thread);
    return;
  }
  /* Whoever works already, or the next one that is started, does it. */
  GST_ERROR ("cannot start a worker thread: %s", error->message);
  hip_mutex_lock (&pool.lock);
  pool.threads--;
  hip_mutex_unlock (&pool.lock);
}

static void
pool_queue_lane (HipLane * lane)
{
  gboolean start;

  hip_mutex_lock (&pool.lock);
  if (pool.last_lane)
    pool.last_lane->next = lane;
  else
    pool.first_lane = lane;
  pool.last_lane = lane;
  pool.queued_lanes++;
  start = pool_wants_thread (FALSE);
  hip_mutex_unlock (&pool.lock);

  if (start)
    pool_start_thread ();
}

/* Runs func on a worker, off the caller's thread; it may wait. */
void
hip_worker_run (HipTaskFunc func, gpointer data)
{
  Task *task;
  gboolean start;

  if (hip_is_exiting ())
    return;

  task = hip_recycler_take (&tasks, sizeof (Task));
  *task = (Task) {
  .func = func,.data = data};
  hip_mutex_lock (&pool.lock);
  if (pool.last_task)
    pool.last_task->next = task;
  else
    pool.first_task = task;
  pool.last_task = task;
  pool.queued_tasks++;
  start = pool_wants_thread (TRUE);
  hip_mutex_unlock (&pool.lock);

  if (start)
    pool_start_thread ();
}

HipLane *
hip_lane_new (void)
{
  HipLane *lane;

  hip_mutex_lock (&idle_lock);
  lane = idle_lanes;
  if (lane) {
    idle_lanes = lane->next;
    n_idle_lanes--;
  }
  hip_mutex_unlock (&idle_lock);
  if (lane) {
    lane->next = NULL;
    lane->first = 0;
    lane->retired = FALSE;
    atomic_store (&lane->passed, 0);
    g_atomic_int_set (&lane->ref_count, 1);
    return lane;
  }
  lane = g_new0 (HipLane, 1);
  lane->ref_count = 1;
  hip_mutex_init (&lane->lock);
  hip_cond_init (&lane->cond);

  return lane;
}

HipLane *
hip_lane_ref (HipLane * lane)
{
  g_atomic_int_inc (&lane->ref_count);
  return lane;
}

void
hip_lane_unref (HipLane * lane)
{
  gboolean kept = FALSE;

  if (!g_atomic_int_dec_and_test (&lane->ref_count))
    return;
  g_assert (lane->n_entries == 0 && !lane->scheduled);
#ifndef __SANITIZE_ADDRESS__
  hip_mutex_lock (&idle_lock);
  kept = n_idle_lanes < MOST_IDLE_LANES;
  if (kept) {
    lane->next = idle_lanes;
    idle_lanes = lane;
    n_idle_lanes++;
  }
  hip_mutex_unlock (&idle_lock);
#endif
  if (kept)
    return;
  hip_cond_clear (&lane->cond);
  hip_mutex_clear (&lane->lock);
  g_free (lane->ring);
  g_free (lane);
}

void
hip_lane_passed (HipLane * lane, guint64 n_records)
{
  guint64 passed = atomic_load (&lane->passed);

  while (passed < n_records
      && !atomic_compare_exchange_weak (&lane->passed, &passed, n_records));
}

guint64
hip_lane_get_passed (HipLane * lane)
{
  return atomic_load (&lane->passed);
}

/* With the lane's lock */
static void
lane_grow (HipLane * lane)
{
  guint capacity = MAX (16, lane->capacity * 2);
  LaneEntry *ring = g_new (LaneEntry, capacity);
  guint i;

  for (i = 0; i < lane->n_entries; i++)
    ring[i] = lane->ring[(lane->first + i) & (lane->capacity - 1)];
  g_free (lane->ring);
  lane->ring = ring;
  lane->capacity = capacity;
  lane->first = 0;
}

void
hip_lane_push (HipLane * lane, GstHipEvent * event, GstHipEventNotify func,
    gpointer data, GDestroyNotify destroy)
{
  gboolean queue;
  LaneEntry *entry;

  hip_mutex_lock (&lane->lock);
  if (lane->n_entries == lane->capacity)
    lane_grow (lane);
  entry = lane_entry (lane, lane->n_entries);
  entry->event = gst_hip_event_ref (event);
  entry->func = func;
  entry->data = data;
  entry->destroy = destroy;
  lane->n_entries++;
  queue = !lane->scheduled;
  lane->scheduled = TRUE;
  if (lane->waiting)
    hip_cond_signal (&lane->cond);
  hip_mutex_unlock (&lane->lock);

  if (queue)
    pool_queue_lane (hip_lane_ref (lane));
}

void
hip_lane_retire (HipLane * lane)
{
  hip_mutex_lock (&lane->lock);
  lane->retired = TRUE;
  hip_cond_signal (&lane->cond);
  hip_mutex_unlock (&lane->lock);
}

void
hip_worker_context_opened (void)
{
  hip_mutex_lock (&pool.lock);
  pool.contexts++;
  hip_mutex_unlock (&pool.lock);
}

void
hip_worker_context_closed (void)
{
  hip_mutex_lock (&pool.lock);
  pool.contexts--;
  if (pool.contexts == 0)
    hip_cond_broadcast (&pool.cond);
  hip_mutex_unlock (&pool.lock);
}

void
hip_worker_wait_tasks (void)
{
  gint64 end = g_get_monotonic_time () + EXIT_US;
  gboolean in_time = TRUE;

  hip_mutex_lock (&pool.lock);
  while (pool.in_task > 0 && in_time)
    in_time = hip_cond_wait_until (&pool.cond, &pool.lock, end);
  hip_mutex_unlock (&pool.lock);
}

guint
hip_worker_thread_count (void)
{
  guint count;

  hip_mutex_lock (&pool.lock);
  count = pool.threads;
  hip_mutex_unlock (&pool.lock);

  return count;
}
