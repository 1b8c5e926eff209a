/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is work put in order on an AMD GPU, and how are bytes moved?
 *
 * Streams never order themselves with the default stream. Copies whose rows lie
 * close together are one plain copy; others are one copy with strides, or, at
 * strides that the runtime does not take, one for each row. The runtime finds
 * out by the addresses what is copied from where to where: pinned and registered
 * memory has the CPU's addresses. From CPU memory to CPU memory goes by way of the
 * device, since no HIP documentation promises that such a copy does not wait.
 *
 * Invariant: nothing here waits but amd_stream_synchronize ().
 */
#include "amd-internal.h"

/* --- streams --- */

HipNativeStream
amd_stream_new (HipNativeContext native, gint priority, GError ** error)
{
  AmdContext *context = native;
  AmdStream *stream = g_new0 (AmdStream, 1);

  /* Numbers fall with urgency here too; the greatest is the lowest of them. */
  priority = CLAMP (priority, context->priority_greatest,
      context->priority_least);
  if (AMD_CALL (error, hipStreamCreateWithPriority, &stream->handle,
          AMD_FLAG_STREAM_NON_BLOCKING, priority)) {
    stream->idle = amd_event_new (context, FALSE, error);
    if (stream->idle) {
      hip_mutex_init (&stream->scratch.lock);
      hip_heap_add_stream (context->heap, stream->handle);
      return stream;
    }
    AMD_CALL_NOTED (hipStreamDestroy, stream->handle);
  }
  g_free (stream);
  return NULL;
}

void
amd_stream_free (HipNativeContext native_context, HipNativeStream native,
    gboolean abandon)
{
  AmdContext *context = native_context;
  AmdStream *stream = native;

  if (abandon)                  /* somebody may still wait for it */
    return;
  if (stream->scratch.address)
    amd_memory_free (context, HIP_SPACE_DEVICE, stream->scratch.address);
  hip_heap_remove_stream (context->heap, stream->handle);
  amd_event_free (context, stream->idle);
  AMD_CALL_NOTED (hipStreamDestroy, stream->handle);
  hip_mutex_clear (&stream->scratch.lock);
  g_free (stream);
}

guintptr
amd_stream_native (HipNativeStream stream)
{
  return (guintptr) ((AmdStream *) stream)->handle;
}

GstHipEventState
amd_stream_query (HipNativeContext context, HipNativeStream stream,
    GError ** error)
{
  return amd_state (amd_hip.hipStreamQuery (((AmdStream *) stream)->handle),
      "hipStreamQuery", error);
}

/* Several threads may do so at once: each waits for what was recorded when it
 * began to wait, or for more. */
gboolean
amd_stream_synchronize (HipNativeContext context, HipNativeStream native,
    GError ** error)
{
  AmdStream *stream = native;
  GstHipEventState state = amd_stream_query (context, stream, error);

  if (state != GST_HIP_EVENT_STATE_PENDING)
    return state == GST_HIP_EVENT_STATE_DONE;
  if (amd_hip.hipEventRecord (stream->idle, stream->handle) == AMD_OK)
    return amd_event_synchronize (context, stream->idle, error);
  /* Better awake than not at all */
  return amd_check_wait (amd_hip.hipStreamSynchronize (stream->handle),
      "hipStreamSynchronize", error);
}

gboolean
amd_stream_wait_event (HipNativeContext context, HipNativeStream stream,
    HipNativeEvent event, GError ** error)
{
  return AMD_CALL (error, hipStreamWaitEvent, ((AmdStream *) stream)->handle,
      event, 0);
}

gboolean
amd_native_wait_event (HipNativeContext context, guintptr stream,
    HipNativeEvent event, GError ** error)
{
  return AMD_CALL (error, hipStreamWaitEvent, (AmdHipStream) stream, event, 0);
}

/* --- moving bytes --- */

static gboolean
copy_bytes (guintptr dst, guintptr src, gsize size, AmdHipStream stream,
    GError ** error)
{
  return AMD_CALL (error, hipMemcpyAsync, (gpointer) dst, (gconstpointer) src,
      size, AMD_COPY_DEFAULT, stream);
}

static gboolean
copy_rows (const HipCopy2D * copy, AmdHipStream stream, GError ** error)
{
  for (gsize row = 0; row < copy->rows; row++) {
    if (!copy_bytes (copy->dst + row * copy->dst_stride,
            copy->src + row * copy->src_stride, copy->row_bytes, stream, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
copy_strided (HipNativeContext native, HipNativeStream native_stream,
    const HipCopy2D * copy, GError ** error)
{
  AmdContext *context = native;
  AmdHipStream stream = ((AmdStream *) native_stream)->handle;
  AmdResult result;

  if (copy->rows == 1 || (copy->dst_stride == copy->row_bytes
          && copy->src_stride == copy->row_bytes))
    return copy_bytes (copy->dst, copy->src, copy->row_bytes * copy->rows,
        stream, error);
  if (MAX (copy->dst_stride, copy->src_stride) > context->max_pitch)
    return copy_rows (copy, stream, error);

  result = amd_hip.hipMemcpy2DAsync ((gpointer) copy->dst, copy->dst_stride,
      (gconstpointer) copy->src, copy->src_stride, copy->row_bytes, copy->rows,
      AMD_COPY_DEFAULT, stream);
  if (result == AMD_INVALID_VALUE || result == AMD_INVALID_PITCH)
    return copy_rows (copy, stream, error);
  return amd_check (result, "hipMemcpy2DAsync", error);
}

gboolean
amd_stream_copy_2d (HipNativeContext context, HipNativeStream stream,
    const HipCopy2D * copy, GError ** error)
{
  if (copy->src_space == HIP_SPACE_PINNED
      && copy->dst_space == HIP_SPACE_PINNED)
    return hip_scratch_copy_2d (&((AmdStream *) stream)->scratch, context,
        stream, copy, amd_memory_alloc, copy_strided, error);
  return copy_strided (context, stream, copy, error);
}

gboolean
amd_stream_fill (HipNativeContext context, HipNativeStream stream,
    HipSpace space, guintptr address, gsize size, guint8 value, GError ** error)
{
  return AMD_CALL (error, hipMemsetAsync, (gpointer) address, value, size,
      ((AmdStream *) stream)->handle);
}
