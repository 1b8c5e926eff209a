/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What do programs queue on a stream, and what comes after what?
 *
 * Nothing here waits except what says "Blocking".
 *
 * Must not know: who orders accesses to a memory (that is the memory's
 * begin/end access); copies and fills order nothing by themselves.
 */
#include "hip-stream.h"
#include "gsthiperror.h"

/**
 * gst_hip_stream_new:
 * @vendor: which backend; %GST_HIP_VENDOR_UNKNOWN: chosen as gst_hip_device_new() does
 * @device_id: ordinal of the device within it
 *
 * Makes a stream of normal priority. The device stays open while it lives.
 *
 * Blocking: while a device is opened for the first time.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new stream, or %NULL if the device
 *   cannot be opened or has no stream left (the reason is logged)
 *
 * Since: 1.30
 */
GstHipStream *
gst_hip_stream_new (GstHipVendor vendor, guint device_id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HipContext) context = NULL;
  GstHipStream *stream = NULL;

  context = hip_context_acquire (vendor, device_id, &error);
  if (context)
    stream = hip_stream_new (context, 0, &error);
  if (!stream)
    GST_ERROR ("no stream: %s", error->message);

  return stream;
}

/**
 * gst_hip_stream_new_full:
 * @device: a #GstHipDevice
 * @priority: 0 is normal, lower is more urgent; clamped to what the device has
 * @error: return location for an error
 *
 * Makes a stream: work queued on it is done in order, and at the same time as
 * that of other streams.
 *
 * Errors: OUT_OF_MEMORY, DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new stream
 *
 * Since: 1.30
 */
GstHipStream *
gst_hip_stream_new_full (GstHipDevice * device, gint priority, GError ** error)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);

  return hip_stream_new (hip_device_get_context (device), priority, error);
}

/**
 * gst_hip_stream_get_vendor:
 * @stream: a #GstHipStream
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the vendor of the stream's device
 *
 * Since: 1.30
 */
GstHipVendor
gst_hip_stream_get_vendor (GstHipStream * stream)
{
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), GST_HIP_VENDOR_UNKNOWN);

  return hip_stream_get_context (stream)->info.vendor;
}

/**
 * gst_hip_stream_get_device_id:
 * @stream: a #GstHipStream
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the ordinal of the stream's device within its vendor
 *
 * Since: 1.30
 */
guint
gst_hip_stream_get_device_id (GstHipStream * stream)
{
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), 0);

  return hip_stream_get_context (stream)->info.device_id;
}

/**
 * gst_hip_stream_is_for_device:
 * @stream: a #GstHipStream
 * @device: a #GstHipDevice
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @stream belongs to @device or one that is equal to it
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_is_for_device (GstHipStream * stream, GstHipDevice * device)
{
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), FALSE);

  return hip_stream_get_context (stream) == hip_device_get_context (device);
}

/**
 * gst_hip_stream_get_native_handle:
 * @stream: a #GstHipStream
 *
 * For native calls of the driver: a CUstream, a hipStream_t, on the host a
 * number that means nothing outside. It lives as long as @stream.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the driver's handle
 *
 * Since: 1.30
 */
guintptr
gst_hip_stream_get_native_handle (GstHipStream * stream)
{
  HipContext *context;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), 0);

  context = hip_stream_get_context (stream);
  return context->backend->stream_native (hip_stream_get_native (stream));
}

/**
 * gst_hip_stream_record:
 * @stream: a #GstHipStream
 * @timed: whether gst_hip_event_get_elapsed() will be asked
 * @error: return location for an error
 *
 * Records an event behind all work that is queued now.
 *
 * Errors: OUT_OF_MEMORY, DEVICE_LOST, FAILED.
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): an event that is done when that work is
 *
 * Since: 1.30
 */
GstHipEvent *
gst_hip_stream_record (GstHipStream * stream, gboolean timed, GError ** error)
{
  GstHipEvent *event;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), NULL);

  event = hip_event_acquire (hip_stream_get_context (stream), timed, error);
  if (event && !gst_hip_event_record_on_stream (event, stream, error))
    gst_clear_hip_event (&event);
  /* What was queued runs on, and nothing can tell when it is done: whoever gets
   * no event may free what that work uses. */
  if (!event)
    gst_hip_stream_synchronize (stream);

  return event;
}

/**
 * gst_hip_stream_record_event:
 * @stream: a #GstHipStream
 * @event: (out) (nullable) (transfer full): the event
 *
 * gst_hip_stream_record(), not timed, with its error logged.
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 *
 * Threads: any.
 *
 * Returns: whether @event was set
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_record_event (GstHipStream * stream, GstHipEvent ** event)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (event != NULL, FALSE);

  *event = gst_hip_stream_record (stream, FALSE, &error);
  if (!*event)
    GST_ERROR ("no event recorded: %s", error->message);

  return *event != NULL;
}

/**
 * gst_hip_stream_wait_event:
 * @stream: a #GstHipStream
 * @event: a #GstHipEvent of the same vendor
 * @error: return location for an error
 *
 * Makes what is queued on @stream from now on wait, on the device, until
 * @event is done. Nothing is queued where that is known already: for an event
 * of @stream itself, one that is done, one that was never recorded, or one that
 * @stream waits for anyhow because it waits for a later one of that stream.
 *
 * Errors: UNSUPPORTED for another vendor's event, DEVICE_LOST if the event's
 * device failed, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @stream will wait, or need not
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_wait_event (GstHipStream * stream, GstHipEvent * event,
    GError ** error)
{
  HipContext *context;
  GError *failure = NULL;
  HipWaits *waits;
  HipRecord record;
  gboolean queued;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), FALSE);

  context = hip_stream_get_context (stream);
  waits = hip_stream_get_waits (stream);
  if (hip_event_is_known_done (event))
    return TRUE;
  if (hip_event_get_context (event)->backend != context->backend) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "a stream of %s cannot wait on the device for an event of %s",
        context->backend->name, hip_event_get_context (event)->backend->name);
    return FALSE;
  }
  if (hip_context_is_lost (hip_event_get_context (event))) {
    hip_context_set_lost_error (hip_event_get_context (event), error);
    return FALSE;
  }
  record = hip_event_get_record (event);
  if (record.serial == hip_stream_get_serial (stream)
      || hip_waits_have (waits, &record))
    return TRUE;

  if (!hip_context_enter (context, error))
    return FALSE;
  queued = context->backend->stream_wait_event (context->native,
      hip_stream_get_native (stream), hip_event_get_native (event), &failure);
  hip_context_leave (context);
  if (!queued)
    return hip_context_failed_with (context, error, failure);

  hip_waits_note (waits, &record);
  return TRUE;
}

/**
 * gst_hip_stream_synchronize_full:
 * @stream: a #GstHipStream
 * @error: return location for an error
 *
 * Waits until all work that is queued now has finished.
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
gst_hip_stream_synchronize_full (GstHipStream * stream, GError ** error)
{
  HipContext *context;
  GError *failure = NULL;
  gboolean done;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);

  context = hip_stream_get_context (stream);
  if (!hip_context_enter (context, error))
    return FALSE;
  done = context->backend->stream_synchronize (context->native,
      hip_stream_get_native (stream), &failure);
  hip_context_leave (context);

  return done || hip_context_wait_failed_with (context, error, failure);
}

/**
 * gst_hip_stream_synchronize:
 * @stream: a #GstHipStream
 *
 * gst_hip_stream_synchronize_full() with its error logged.
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
gst_hip_stream_synchronize (GstHipStream * stream)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);

  if (gst_hip_stream_synchronize_full (stream, &error))
    return TRUE;
  GST_ERROR ("cannot wait for the stream: %s", error->message);

  return FALSE;
}

/**
 * gst_hip_stream_ref:
 * @stream: a #GstHipStream
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): @stream
 *
 * Since: 1.30
 */
GstHipStream *
gst_hip_stream_ref (GstHipStream * stream)
{
  return (GstHipStream *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (stream));
}

/**
 * gst_hip_stream_unref:
 * @stream: (transfer full): a #GstHipStream
 *
 * With the last reference the stream ends once its work is done; nobody waits
 * for that.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_stream_unref (GstHipStream * stream)
{
  HIP_REFERENCE_DROPPED (stream);
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (stream));
}

/**
 * gst_clear_hip_stream: (skip)
 * @stream: (inout) (nullable): location of a stream
 *
 * Drops the reference in @stream, if there is one, and sets it to %NULL.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_clear_hip_stream (GstHipStream ** stream)
{
  g_clear_pointer (stream, gst_hip_stream_unref);
}
