/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How one piece of work is spread over the CPUs.
 *
 * The caller works too, so that a job always gets on, whatever the workers do
 * and even if there are none. Ranges are handed out by a counter, as each
 * thread becomes free. A worker goes to the job with the fewest workers, and
 * looks again after a while if there are several jobs: so that streams share
 * the CPUs evenly.
 *
 * Must not know what the work is. Keeps: a job is on its caller's stack and
 * nobody touches it once host_workers_run () has returned. Workers start on
 * first use and stay; they own nothing, so that the process may exit at any
 * time.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* sched_getaffinity */
#endif
#include <sched.h>
#include <unistd.h>

#include "host-internal.h"

#define MAX_CPUS 1024
/* More ranges than this do not balance better. Keeps the counter from
 * overflowing, which every thread raises once past the end. */
#define MAX_RANGES (1 << 20)

/* How long a worker stays with one job of several */
#define SLICE_US 200

typedef struct
{
  HostRangeFunc func;
  gpointer data;
  guint64 n, grain;
  gint n_ranges;
  gint next;                    /* atomic: range to hand out */
  guint helpers;                /* workers inside */
  HipCond left;                 /* for the caller: the last helper left */
  GList link;                   /* data is NULL when not in the queue */
} Job;

static struct
{
  HipMutex lock;
  HipCond work;                 /* for workers: a job is there */
  GQueue jobs;                  /* with ranges left, as far as known */
  gint n_jobs;                  /* atomic: length of jobs */
  guint idle;                   /* workers asleep */
} pool = { HIP_MUTEX_INIT, HIP_COND_INIT, G_QUEUE_INIT, 0, 0 };

static HipOnce count_once = HIP_ONCE_INIT;
static HipOnce start_once = HIP_ONCE_INIT;
static guint count;

static guint
usable_cpus (void)
{
  glong online = sysconf (_SC_NPROCESSORS_ONLN);
  gsize size = CPU_ALLOC_SIZE (MAX_CPUS);
  cpu_set_t *set = CPU_ALLOC (MAX_CPUS);
  gint n = 0;

  if (set && sched_getaffinity (0, size, set) == 0)
    n = CPU_COUNT_S (size, set);
  if (set)
    CPU_FREE (set);

  return n > 0 ? (guint) n : (guint) CLAMP (online, 1, MAX_CPUS);
}

static void
count_cpus (void)
{
  const gchar *text = g_getenv ("GST_HIP_HOST_THREADS");
  guint64 value;

  count = usable_cpus ();
  if (text == NULL || *text == '\0')
    return;
  if (g_ascii_string_to_unsigned (text, 10, 1, MAX_CPUS, &value, NULL))
    count = (guint) value;
  else
    g_warning ("GST_HIP_HOST_THREADS=%s is no number from 1 to %d; using %u",
        text, MAX_CPUS, count);
}

guint
host_workers_count (void)
{
  hip_once (&count_once, count_cpus);
  return count;
}

/* FALSE: no range was left */
static gboolean
run_range (Job * job)
{
  gint index = g_atomic_int_add (&job->next, 1);
  guint64 begin = (guint64) index * job->grain;

  if (index >= job->n_ranges)
    return FALSE;

  job->func (begin, MIN (job->n - begin, job->grain) + begin, job->data);
  return TRUE;
}

/* Locked. */
static void
withdraw (Job * job)
{
  if (job->link.data) {
    job->link.data = NULL;
    g_queue_unlink (&pool.jobs, &job->link);
    g_atomic_int_set (&pool.n_jobs, (gint) pool.jobs.length);
  }
}

/* Locked. */
static Job *
neediest_job (void)
{
  Job *best = NULL;
  GList *link;

  for (link = pool.jobs.head; link; link = link->next) {
    Job *job = link->data;

    if (best == NULL || job->helpers < best->helpers)
      best = job;
  }
  return best;
}

/* FALSE: no range was left. TRUE: look whether another job is needier */
static gboolean
run_slice (Job * job)
{
  gint64 end_us = g_get_monotonic_time () + SLICE_US;

  while (run_range (job)) {
    if (g_atomic_int_get (&pool.n_jobs) > 1
        && g_get_monotonic_time () >= end_us)
      return TRUE;
  }
  return FALSE;
}

static gpointer
worker_thread (gpointer data)
{
  hip_mutex_lock (&pool.lock);
  for (;;) {
    Job *job = neediest_job ();
    gboolean more;

    if (job == NULL) {
      pool.idle++;
      hip_cond_wait (&pool.work, &pool.lock);
      pool.idle--;
      continue;
    }

    job->helpers++;
    hip_mutex_unlock (&pool.lock);
    more = run_slice (job);
    hip_mutex_lock (&pool.lock);

    if (!more)
      withdraw (job);
    if (--job->helpers == 0 && job->link.data == NULL)
      hip_cond_signal (&job->left);
  }

  return NULL;
}

static void
start_workers (void)
{
  guint i;

  for (i = 1; i < host_workers_count (); i++) {
    g_autofree gchar *name = g_strdup_printf ("hip-host-%u", i);
    GThread *thread = g_thread_try_new (name, worker_thread, NULL, NULL);

    /* Fewer will do. */
    if (thread == NULL)
      break;
    g_thread_unref (thread);
  }
}

/* Wakes as many workers as the job has ranges for. */
static void
offer (Job * job)
{
  guint wake;

  hip_mutex_lock (&pool.lock);
  job->link.data = job;
  g_queue_push_tail_link (&pool.jobs, &job->link);
  g_atomic_int_set (&pool.n_jobs, (gint) pool.jobs.length);
  wake = MIN (pool.idle, (guint) job->n_ranges - 1);
  hip_mutex_unlock (&pool.lock);

  while (wake--)
    hip_cond_signal (&pool.work);
}

void
host_workers_run (guint64 n, guint64 grain, HostRangeFunc func, gpointer data)
{
  Job job = {.func = func,.data = data,.n = n };

  if (n == 0)
    return;

  job.grain = MAX (MAX (grain, 1), n / MAX_RANGES + 1);
  job.n_ranges = (gint) ((n - 1) / job.grain + 1);
  if (job.n_ranges == 1 || host_workers_count () == 1) {
    func (0, n, data);
    return;
  }

  hip_once (&start_once, start_workers);
  hip_cond_init (&job.left);
  offer (&job);
  while (run_range (&job));

  hip_mutex_lock (&pool.lock);
  withdraw (&job);
  while (job.helpers)
    hip_cond_wait (&job.left, &pool.lock);
  hip_mutex_unlock (&pool.lock);
  hip_cond_clear (&job.left);
}
