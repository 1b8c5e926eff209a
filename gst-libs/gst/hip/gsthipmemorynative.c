/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a stream of which only the driver's handle is known, another
 * library's, take its place in the order of a memory's users (I2)?
 *
 * What is pending on the memory is waited for on that stream, by the device;
 * what was done there is noted as an event. Must not know: whose stream it is.
 */
#include "gsthiperror.h"
#include "hip-memory.h"
#include "hip-native.h"
#include "hip-stream.h"

static gboolean
check_access (GstHipMemory * mem, GstMapFlags flags, GError ** error)
{
  if (!mem->priv->context->backend->native_wait_event) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "%s knows no streams of others", mem->priv->context->backend->name);
    return FALSE;
  }
  if ((flags & GST_MAP_WRITE) && GST_MEMORY_IS_READONLY (mem)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a read-only memory cannot be written to: copy it");
    return FALSE;
  }
  return TRUE;
}

static gboolean
wait_for (HipContext * context, guintptr stream, GstHipEvent * event,
    GError ** error)
{
  GError *failure = NULL;
  gboolean queued = FALSE;

  if (hip_event_is_known_done (event))
    return TRUE;
  if (hip_context_is_lost (hip_event_get_context (event))) {
    hip_context_set_lost_error (hip_event_get_context (event), error);
    return FALSE;
  }
  if (hip_context_enter (context, &failure)) {
    queued = context->backend->native_wait_event (context->native, stream,
        hip_event_get_native (event), &failure);
    hip_context_leave (context);
  }
  return queued || hip_context_failed_with (context, error, failure);
}

/**
 * gst_hip_memory_begin_native_access:
 * @mem: a #GstHipMemory
 * @stream: a stream of the driver's (a CUstream, a hipStream_t) on @mem's
 *     device, 0 for the driver's default one
 * @flags: %GST_MAP_READ, %GST_MAP_WRITE or both: what is going to be done
 * @error: (out) (optional): return location for an error
 *
 * gst_hip_memory_begin_access() for a stream that another library made: what is
 * queued there from now on comes after the work that is pending on @mem.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if @mem is read-only,
 *     %GST_HIP_ERROR_UNSUPPORTED, %GST_HIP_ERROR_DEVICE_LOST, or what the driver
 *     reported; there is nothing to end then
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_memory_begin_native_access (GstHipMemory * mem, guintptr stream,
    GstMapFlags flags, GError ** error)
{
  HipEventSet set = { 0 };
  gboolean ordered = TRUE;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), FALSE);
  g_return_val_if_fail (flags & GST_MAP_READWRITE, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_access (mem, flags, error)
      || !hip_memory_upload_on_own_stream (mem, error))
    return FALSE;
  hip_memory_get_pending (mem->priv, NULL, flags, &set);
  for (guint i = 0; ordered && i < hip_event_set_length (&set); i++)
    ordered = wait_for (mem->priv->context, stream, hip_event_set_get (&set, i),
        error);
  hip_event_set_clear (&set);
  return ordered;
}

/* So that it ends before anybody goes on who does not wait for it */
static void
wait_instead (HipContext * context, guintptr stream)
{
  const HipNativeFunctions *functions;
  HipResult result;

  functions = hip_native_get (context->info.vendor, &result);
  if (!functions || !functions->StreamSynchronize
      || !hip_context_enter (context, NULL))
    return;
  functions->StreamSynchronize ((HipStreamHandle) stream);
  hip_context_leave (context);
}

/**
 * gst_hip_memory_end_native_access:
 * @mem: a #GstHipMemory
 * @stream: a stream of the driver's on @mem's device, 0 for its default one
 * @flags: what was done there: %GST_MAP_READ, %GST_MAP_WRITE or both
 * @error: (out) (optional): return location for an error
 *
 * gst_hip_memory_end_access() for a stream that another library made: whoever
 * uses @mem next comes after what is queued there now. Without
 * gst_hip_memory_begin_native_access() it tells of work that was queued before
 * @mem was made of its bytes.
 *
 * Returns: %FALSE if no event could be recorded: the work was waited for
 *     instead, as far as the device still answers
 *
 * Blocking: only where no event can be recorded, until the work is done.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_memory_end_native_access (GstHipMemory * mem, guintptr stream,
    GstMapFlags flags, GError ** error)
{
  HipContext *context;
  g_autoptr (GstHipEvent) event = NULL;
  HipResult result;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), FALSE);
  g_return_val_if_fail (flags & GST_MAP_READWRITE, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  context = mem->priv->context;
  event = hip_event_acquire (context, FALSE, error);
  if (!event) {
    wait_instead (context, stream);
    return FALSE;
  }
  result = hip_event_record_native (event, stream);
  if (result != HIP_OK) {
    wait_instead (context, stream);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "no event could be recorded on another library's stream: %s",
        hip_native_result_name (result));
    return FALSE;
  }
  hip_memory_note_access (mem->priv, event, flags);
  if (flags & GST_MAP_WRITE)
    hip_memory_device_wrote (hip_memory_get_root (mem));
  return TRUE;
}
