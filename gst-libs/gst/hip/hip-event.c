/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Has the device come that far, and when was the event recorded?
 *
 * The state of an event is three-valued (I6) and is remembered once it has
 * ended. One that is done tells of all that was recorded before it on its
 * stream.
 *
 * Must not know: streams' inside; who waits for events and why.
 */
#include "hip-event.h"
#include "gsthiperror.h"

/* Remembers the answer about the record that word stands for. What was recorded
 * before it on the same stream is done with it, whoever asks for that. */
static void
event_set_ended (GstHipEvent * event, guint word, HipEventState state)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&event->lock);

  if (!g_atomic_int_compare_and_exchange ((gint *) & event->word, (gint) word,
          (gint) HIP_EVENT_WORD_WITH (word, state)))
    return;
  if (state == HIP_EVENT_DONE && event->lane)
    hip_lane_passed (event->lane, event->record.begin);
}

HipEventState
hip_event_recall (GstHipEvent * event)
{
  guint word = g_atomic_int_get (&event->word);

  if (HIP_EVENT_WORD_STATE (word) != HIP_EVENT_PENDING)
    return HIP_EVENT_WORD_STATE (word);

  hip_mutex_lock (&event->lock);
  word = g_atomic_int_get (&event->word);
  if (HIP_EVENT_WORD_STATE (word) == HIP_EVENT_PENDING && event->lane
      && event->record.end > 0
      && event->record.end <= hip_lane_get_passed (event->lane)) {
    word = HIP_EVENT_WORD_WITH (word, HIP_EVENT_DONE);
    g_atomic_int_set (&event->word, word);
  }
  hip_mutex_unlock (&event->lock);

  return HIP_EVENT_WORD_STATE (word);
}

HipEventState
hip_event_poll (GstHipEvent * event, HipContext * context)
{
  guint word = g_atomic_int_get (&event->word);
  g_autoptr (GError) error = NULL;
  HipEventState state = hip_event_recall (event);

  if (state != HIP_EVENT_PENDING)
    return state;

  state = HIP_EVENT_FAILED;
  if (hip_context_enter (context, &error)) {
    GstHipEventState answer =
        context->backend->event_query (context->native, event->native, &error);

    hip_context_leave (context);
    if (answer == GST_HIP_EVENT_STATE_PENDING)
      return HIP_EVENT_PENDING;
    if (answer == GST_HIP_EVENT_STATE_DONE)
      state = HIP_EVENT_DONE;
    else
      hip_context_wait_failed (context, error);
  } else if (hip_is_exiting ()) {
    return HIP_EVENT_FAILED;
  }
  event_set_ended (event, word, state);

  return state;
}

gboolean
hip_event_wait (GstHipEvent * event, GError ** error)
{
  HipContext *context = event->context;
  guint word = g_atomic_int_get (&event->word);
  GError *failure = NULL;
  gboolean done = FALSE;

  if (!hip_context_enter (context, &failure)) {
    if (!hip_is_exiting ())
      event_set_ended (event, word, HIP_EVENT_FAILED);
    g_propagate_error (error, failure);
    return FALSE;
  }
  done = context->backend->event_synchronize (context->native, event->native,
      &failure);
  /* Not after exit () has begun: the driver may be gone. */
  if (!hip_is_exiting ())
    hip_context_leave (context);
  event_set_ended (event, word, done ? HIP_EVENT_DONE : HIP_EVENT_FAILED);

  return done || hip_context_wait_failed_with (context, error, failure);
}

GstHipEventState
hip_event_wait_ended (GstHipEvent * event)
{
  HipEventState state = hip_event_recall (event);

  /* Backends ask before they sleep. */
  if (state == HIP_EVENT_PENDING)
    state = hip_event_wait (event, NULL) ? HIP_EVENT_DONE : HIP_EVENT_FAILED;
  if (hip_is_exiting ())
    return GST_HIP_EVENT_STATE_PENDING;

  return state == HIP_EVENT_FAILED ? GST_HIP_EVENT_STATE_FAILED :
      GST_HIP_EVENT_STATE_DONE;
}

/* --- records --- */

static gboolean
check_not_pending (GstHipEvent * event, GError ** error)
{
  if (hip_event_poll (event, event->context) != HIP_EVENT_PENDING)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the event is pending: record another one, or wait for it first");
  return FALSE;
}

/* Takes lane. */
static void
note_recorded (GstHipEvent * event, HipLane * lane, HipRecord record)
{
  HipLane *old_lane;

  hip_mutex_lock (&event->lock);
  old_lane = event->lane;
  event->lane = lane;
  event->record = record;
  g_atomic_int_set (&event->word,
      HIP_EVENT_WORD_NEXT ((guint) g_atomic_int_get (&event->word),
          HIP_EVENT_PENDING));
  hip_mutex_unlock (&event->lock);
  if (old_lane)
    hip_lane_unref (old_lane);
}

/* A stream of which nothing is known is never "the same", and its events end
 * in no order with others: each has a lane of its own. */
HipResult
hip_event_record_native (GstHipEvent * event, guintptr stream)
{
  HipContext *context = event->context;
  g_autoptr (GError) error = NULL;
  const HipNativeFunctions *functions;
  HipRecord record = { 0 };
  HipLane *lane;
  HipResult result = HIP_NOT_SUPPORTED;
  guintptr handle = (guintptr) event->native;

  functions = hip_native_get (context->info.vendor, &result);
  if (!functions || !functions->EventRecord)
    return result;
  if (!check_not_pending (event, &error)
      || !hip_context_enter (context, &error))
    return hip_native_result (error);
  if (context->backend->event_native)
    handle = context->backend->event_native (event->native);
  result = functions->EventRecord ((HipEventHandle) handle,
      (HipStreamHandle) stream);
  hip_context_leave (context);
  if (result != HIP_OK)
    return result;

  lane = hip_lane_new ();
  hip_lane_retire (lane);
  record.serial = hip_stream_next_serial ();
  note_recorded (event, lane, record);
  return HIP_OK;
}

gboolean
hip_event_record (GstHipEvent * event, GstHipStream * stream, GError ** error)
{
  HipContext *context = event->context;
  HipRecord record = { 0 };
  GError *failure = NULL;
  gboolean recorded;

  if (!check_not_pending (event, error) || !hip_context_enter (context, error))
    return FALSE;
  record.serial = hip_stream_get_serial (stream);
  record.begin = hip_stream_record_begin (stream);
  recorded = context->backend->event_record (context->native, event->native,
      hip_stream_get_native (stream), &failure);
  record.end = hip_stream_record_end (stream);
  hip_context_leave (context);
  if (!recorded)
    return hip_context_failed_with (context, error, failure);

  note_recorded (event, hip_lane_ref (hip_stream_get_lane (stream)), record);

  return TRUE;
}

/* --- what others see --- */

HipContext *
hip_event_get_context (GstHipEvent * event)
{
  return event->context;
}

HipNativeEvent
hip_event_get_native (GstHipEvent * event)
{
  return event->native;
}

guint64
hip_event_get_stream_serial (GstHipEvent * event)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&event->lock);

  return event->record.serial;
}

HipRecord
hip_event_get_record (GstHipEvent * event)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&event->lock);

  return event->record;
}

gboolean
hip_event_is_known_done (GstHipEvent * event)
{
  HipEventState state = hip_event_recall (event);

  return state == HIP_EVENT_DONE || state == HIP_EVENT_UNRECORDED;
}
