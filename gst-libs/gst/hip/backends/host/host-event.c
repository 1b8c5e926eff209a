/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When has queued work ended? Events of the host device.
 *
 * An event points to its latest record; each recording is a record of its own,
 * so that a stream that waits for an earlier one is not confused when the event
 * is recorded again, and an event may be freed while it is pending. In steady
 * state the same record is used again and nothing is allocated.
 *
 * Must not know how streams queue. Keeps: a record that ended never changes
 * its state until nobody but its event holds it; sleepers of a record wake when
 * it ends or its device fails.
 */
#include <time.h>

#include <gst/hip/gsthiperror.h>

#include "host-internal.h"

struct _HostEvent
{
  HostContext *context;
  gboolean timed;
  HipMutex lock;
  HostRecord *record;           /* NULL: never recorded */
};

/* --- records --- */

/* An event that is recorded again while streams still have to look at what it was
 * before takes another record: this many of them for each event are made with it,
 * so that when threads come to run does not decide whether a frame allocates. */
#define RECORDS_PER_EVENT 4

/* With the records locked */
static void
add_free_record (HostContext * context)
{
  HostRecord *record = g_new0 (HostRecord, 1);

  hip_mutex_init (&record->lock);
  hip_cond_init (&record->cond);
  record->next = context->records;
  context->records = record;
  record->next_free = context->records_free;
  context->records_free = record;
  context->n_records++;
}

static HostRecord *
record_new (HostContext * context)
{
  HostRecord *record;

  hip_mutex_lock (&context->records_lock);
  if (!context->records_free)
    add_free_record (context);
  record = context->records_free;
  context->records_free = record->next_free;
  hip_mutex_unlock (&context->records_lock);

  record->context = host_context_ref (context);
  g_atomic_int_set (&record->state, GST_HIP_EVENT_STATE_PENDING);
  g_atomic_int_set (&record->refs, 1);

  return record;
}

void
host_record_unref (HostRecord * record)
{
  HostContext *context = record->context;

  if (!g_atomic_int_dec_and_test (&record->refs))
    return;

  hip_mutex_lock (&context->records_lock);
  record->next_free = context->records_free;
  context->records_free = record;
  hip_mutex_unlock (&context->records_lock);
  host_context_unref (context);
}

static gint64
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * G_GINT64_CONSTANT (1000000000) + now.tv_nsec;
}

void
host_record_end (HostRecord * record, GstHipEventState state)
{
  hip_mutex_lock (&record->lock);
  record->time_ns = now_ns ();
  g_atomic_int_set (&record->state, state);
  if (record->waiters)
    hip_cond_broadcast (&record->cond);
  hip_mutex_unlock (&record->lock);
}

/* A lost device's pending work never ends, whatever its thread still does. */
static GstHipEventState
record_state (HostRecord * record)
{
  GstHipEventState state = g_atomic_int_get (&record->state);

  if (state == GST_HIP_EVENT_STATE_PENDING
      && host_context_is_lost (record->context))
    return GST_HIP_EVENT_STATE_FAILED;
  return state;
}

GstHipEventState
host_record_wait (HostRecord * record)
{
  GstHipEventState state = record_state (record);

  if (state != GST_HIP_EVENT_STATE_PENDING)
    return state;

  hip_mutex_lock (&record->lock);
  record->waiters++;
  while ((state = record_state (record)) == GST_HIP_EVENT_STATE_PENDING)
    hip_cond_wait (&record->cond, &record->lock);
  record->waiters--;
  hip_mutex_unlock (&record->lock);

  return state;
}

/* The device failed: whoever sleeps for a record looks again, also where its
 * stream never comes back from what it runs. */
void
host_context_wake_records (HostContext * context)
{
  HostRecord *record;

  hip_mutex_lock (&context->records_lock);
  for (record = context->records; record; record = record->next) {
    hip_mutex_lock (&record->lock);
    hip_cond_broadcast (&record->cond);
    hip_mutex_unlock (&record->lock);
  }
  hip_mutex_unlock (&context->records_lock);
}

void
host_context_free_records (HostContext * context)
{
  while (context->records) {
    HostRecord *record = context->records;

    context->records = record->next;
    hip_mutex_clear (&record->lock);
    hip_cond_clear (&record->cond);
    g_free (record);
  }
}

/* --- events --- */

HipNativeEvent
host_event_new (HipNativeContext native, gboolean timed, GError ** error)
{
  HostContext *context = native;
  HostEvent *event;

  if (!host_context_check (context, HOST_FAULT_EVENT, error))
    return NULL;

  event = g_new0 (HostEvent, 1);
  event->context = host_context_ref (context);
  event->timed = timed;
  hip_mutex_init (&event->lock);
  hip_mutex_lock (&context->records_lock);
  context->n_events++;
  while (context->n_records < RECORDS_PER_EVENT * context->n_events)
    add_free_record (context);
  hip_mutex_unlock (&context->records_lock);

  return event;
}

void
host_event_free (HipNativeContext context, HipNativeEvent native)
{
  HostEvent *event = native;

  hip_mutex_lock (&event->context->records_lock);
  event->context->n_events--;
  hip_mutex_unlock (&event->context->records_lock);
  if (event->record)
    host_record_unref (event->record);
  hip_mutex_clear (&event->lock);
  host_context_unref (event->context);
  g_free (event);
}

HostRecord *
host_event_begin_record (HostEvent * event)
{
  HostRecord *record;

  hip_mutex_lock (&event->lock);
  record = event->record;
  if (record && g_atomic_int_get (&record->refs) == 1) {
    g_atomic_int_set (&record->state, GST_HIP_EVENT_STATE_PENDING);
  } else {
    if (record)
      host_record_unref (record);
    record = event->record = record_new (event->context);
  }
  g_atomic_int_inc (&record->refs);
  hip_mutex_unlock (&event->lock);

  return record;
}

HostRecord *
host_event_get_record (HostEvent * event)
{
  HostRecord *record;

  hip_mutex_lock (&event->lock);
  record = event->record;
  if (record)
    g_atomic_int_inc (&record->refs);
  hip_mutex_unlock (&event->lock);

  return record;
}

/* What ended before the device failed stays done: that is the truth, and what
 * a caller may still rely on. */
GstHipEventState
host_event_query (HipNativeContext context, HipNativeEvent native,
    GError ** error)
{
  HostEvent *event = native;
  GstHipEventState state = GST_HIP_EVENT_STATE_DONE;

  hip_mutex_lock (&event->lock);
  if (event->record)
    state = record_state (event->record);
  hip_mutex_unlock (&event->lock);

  if (state == GST_HIP_EVENT_STATE_FAILED)
    host_context_lost_error (error);
  return state;
}

gboolean
host_event_synchronize (HipNativeContext context, HipNativeEvent native,
    GError ** error)
{
  HostEvent *event = native;
  HostRecord *record = host_event_get_record (event);
  GstHipEventState state;

  if (record == NULL)
    return TRUE;

  state = host_record_wait (record);
  host_record_unref (record);

  if (state != GST_HIP_EVENT_STATE_DONE)
    return host_context_lost_error (error);
  return TRUE;
}

/* FALSE if the event has no time */
static gboolean
event_get_time (HostEvent * event, gint64 * time_ns, GError ** error)
{
  GstHipEventState state;
  gboolean recorded;

  hip_mutex_lock (&event->lock);
  recorded = event->record != NULL;
  state = recorded ? record_state (event->record) : GST_HIP_EVENT_STATE_DONE;
  if (recorded && state == GST_HIP_EVENT_STATE_DONE)
    *time_ns = event->record->time_ns;
  hip_mutex_unlock (&event->lock);

  if (state == GST_HIP_EVENT_STATE_FAILED)
    return host_context_lost_error (error);
  if (event->timed && recorded && state == GST_HIP_EVENT_STATE_DONE)
    return TRUE;

  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "Elapsed time of host events: one %s", !event->timed ?
      "is not timed; create it as a timed event" : !recorded ?
      "was never recorded" : "is still pending; wait for it first");
  return FALSE;
}

gboolean
host_event_elapsed (HipNativeContext context, HipNativeEvent start,
    HipNativeEvent stop, gdouble * ns, GError ** error)
{
  gint64 start_ns, stop_ns;

  if (!event_get_time (start, &start_ns, error)
      || !event_get_time (stop, &stop_ns, error))
    return FALSE;

  *ns = (gdouble) (stop_ns - start_ns);
  return TRUE;
}
