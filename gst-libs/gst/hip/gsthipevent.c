/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What programs do with events: record, ask, wait, be told. */
#include "hip-event.h"
#include "gsthiperror.h"

GST_DEFINE_MINI_OBJECT_TYPE (GstHipEvent, gst_hip_event);

/**
 * gst_hip_event_get_vendor:
 * @event: a #GstHipEvent
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the vendor of the event's device
 *
 * Since: 1.30
 */
GstHipVendor
gst_hip_event_get_vendor (GstHipEvent * event)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), GST_HIP_VENDOR_UNKNOWN);

  return event->context->info.vendor;
}

/**
 * gst_hip_event_get_device_id:
 * @event: a #GstHipEvent
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the ordinal of the event's device within its vendor
 *
 * Since: 1.30
 */
guint
gst_hip_event_get_device_id (GstHipEvent * event)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), 0);

  return event->context->info.device_id;
}

/**
 * gst_hip_event_record_on_stream:
 * @event: a #GstHipEvent
 * @stream: a #GstHipStream of the same device
 * @error: return location for an error
 *
 * Records @event on @stream: it will be done when all work that was queued
 * before on @stream is. An event that is still pending cannot be recorded
 * again (%GST_HIP_ERROR_INVALID), since others may wait for it; one that ended
 * can, by one thread at a time: the others get the same error.
 *
 * Errors: INVALID for an event that is pending or being recorded, or another
 * device's stream; DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether the event was recorded
 *
 * Since: 1.30
 */
gboolean
gst_hip_event_record_on_stream (GstHipEvent * event, GstHipStream * stream,
    GError ** error)
{
  gboolean recorded;

  g_return_val_if_fail (GST_IS_HIP_EVENT (event), FALSE);
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);

  if (hip_stream_get_context (stream) != event->context) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the event belongs to another device than the stream: "
        "take it from the stream's device");
    return FALSE;
  }
  if (!g_atomic_int_compare_and_exchange (&event->recording, 0, 1)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the event is being recorded by another thread: record another one");
    return FALSE;
  }
  recorded = hip_event_record (event, stream, error);
  g_atomic_int_set (&event->recording, 0);

  return recorded;
}

/**
 * gst_hip_event_query_state:
 * @event: a #GstHipEvent
 *
 * Asks whether the work before @event has finished. An event that was never
 * recorded has nothing to wait for and is done. A device that failed, or that
 * cannot be asked any more, gives %GST_HIP_EVENT_STATE_FAILED, never "pending".
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the state
 *
 * Since: 1.30
 */
GstHipEventState
gst_hip_event_query_state (GstHipEvent * event)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), GST_HIP_EVENT_STATE_FAILED);

  switch (hip_event_poll (event, event->context)) {
    case HIP_EVENT_PENDING:
      return GST_HIP_EVENT_STATE_PENDING;
    case HIP_EVENT_FAILED:
      return GST_HIP_EVENT_STATE_FAILED;
    default:
      return GST_HIP_EVENT_STATE_DONE;
  }
}

/**
 * gst_hip_event_wait:
 * @event: a #GstHipEvent
 * @error: return location for an error
 *
 * Sleeps until the work before @event has finished. To make a stream wait,
 * which costs the CPU nothing, use gst_hip_stream_wait_event().
 *
 * Errors: DEVICE_LOST and what the device reports where that work failed.
 *
 * Blocking: waits for the device.
 *
 * Threads: any.
 *
 * Returns: whether the work finished
 *
 * Since: 1.30
 */
gboolean
gst_hip_event_wait (GstHipEvent * event, GError ** error)
{
  HipEventState state;

  g_return_val_if_fail (GST_IS_HIP_EVENT (event), FALSE);

  state = hip_event_recall (event);
  if (state == HIP_EVENT_DONE || state == HIP_EVENT_UNRECORDED)
    return TRUE;
  if (state == HIP_EVENT_PENDING)
    return hip_event_wait (event, error);

  hip_context_set_lost_error (event->context, error);

  return FALSE;
}

/**
 * gst_hip_event_get_elapsed:
 * @start: a #GstHipEvent that was recorded timed
 * @stop: another one, recorded later on the same device
 * @elapsed_ns: (out): time between them on the device, nanoseconds
 * @error: return location for an error
 *
 * Both have to be done already (%GST_HIP_ERROR_INVALID otherwise).
 *
 * Errors: INVALID for events that are not timed, not done, or of different
 * devices; DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @elapsed_ns was set
 *
 * Since: 1.30
 */
gboolean
gst_hip_event_get_elapsed (GstHipEvent * start, GstHipEvent * stop,
    gdouble * elapsed_ns, GError ** error)
{
  HipContext *context;
  GError *failure = NULL;
  gboolean known;

  g_return_val_if_fail (GST_IS_HIP_EVENT (start), FALSE);
  g_return_val_if_fail (GST_IS_HIP_EVENT (stop), FALSE);
  g_return_val_if_fail (elapsed_ns != NULL, FALSE);

  context = start->context;
  if (context != stop->context || !start->timed || !stop->timed) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "time is known only between two timed events of one device");
    return FALSE;
  }
  if (hip_event_poll (start, context) != HIP_EVENT_DONE
      || hip_event_poll (stop, context) != HIP_EVENT_DONE) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "time is known only between events that were recorded and are done");
    return FALSE;
  }

  if (!hip_context_enter (context, error))
    return FALSE;
  known = context->backend->event_elapsed (context->native, start->native,
      stop->native, elapsed_ns, &failure);
  hip_context_leave (context);

  return known || hip_context_failed_with (context, error, failure);
}

/**
 * gst_hip_event_notify:
 * @event: a #GstHipEvent
 * @func: (scope notified) (closure user_data) (destroy destroy): called when @event is done or failed
 * @user_data: data for @func
 * @destroy: (nullable): called with @user_data after @func
 *
 * Has @func called once, from a worker thread of the library, with no lock
 * held, when @event has ended. Notifications of the events of one stream come
 * in the order of the calls of this function; those of different streams do
 * not wait for each other. For an event that has ended already @func is called
 * soon, from a worker too, never from the caller.
 *
 * After exit() has begun nothing is called any more.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_event_notify (GstHipEvent * event, GstHipEventNotify func,
    gpointer user_data, GDestroyNotify destroy)
{
  HipLane *lane;

  g_return_if_fail (GST_IS_HIP_EVENT (event));
  g_return_if_fail (func != NULL);

  hip_mutex_lock (&event->lock);
  if (!event->lane) {
    /* Never recorded: a queue of its own, served and forgotten */
    event->lane = hip_lane_new ();
    hip_lane_retire (event->lane);
  }
  lane = hip_lane_ref (event->lane);
  hip_mutex_unlock (&event->lock);

  hip_lane_push (lane, event, func, user_data, destroy);
  hip_lane_unref (lane);
}

/**
 * gst_hip_event_ref:
 * @event: a #GstHipEvent
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): @event
 *
 * Since: 1.30
 */
GstHipEvent *
gst_hip_event_ref (GstHipEvent * event)
{
  return (GstHipEvent *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (event));
}

/**
 * gst_hip_event_unref:
 * @event: (transfer full): a #GstHipEvent
 *
 * An event may go while it is pending: it is reused when it is done.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_event_unref (GstHipEvent * event)
{
  HIP_REFERENCE_DROPPED (event);
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (event));
}

/**
 * gst_clear_hip_event: (skip)
 * @event: (inout) (nullable): location of an event
 *
 * Drops the reference in @event, if there is one, and sets it to %NULL.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_clear_hip_event (GstHipEvent ** event)
{
  g_clear_pointer (event, gst_hip_event_unref);
}
