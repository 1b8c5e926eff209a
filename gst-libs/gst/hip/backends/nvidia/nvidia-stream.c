/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is work put in order on an NVIDIA GPU, and how are bytes moved?
 *
 * Streams never order themselves with the default stream. Copies whose rows lie
 * close together are one plain copy; others are one copy with strides, or, at
 * strides that the driver does not take, one for each row. A copy from CPU
 * memory to CPU memory goes by way of the device: the driver makes such a one
 * itself, when everything before it is done, and the caller wait for that.
 *
 * Invariant: nothing here waits but nvidia_stream_synchronize ().
 */
#include "nvidia-internal.h"

/* --- streams --- */

HipNativeStream
nvidia_stream_new (HipNativeContext native, gint priority, GError ** error)
{
  NvidiaContext *context = native;
  NvidiaStream *stream = g_new0 (NvidiaStream, 1);

  /* Numbers fall with urgency here too; the greatest is the lowest of them. */
  priority = CLAMP (priority, context->priority_greatest,
      context->priority_least);
  if (NVIDIA_CALL (error, cuStreamCreateWithPriority, &stream->handle,
          CU_FLAG_STREAM_NON_BLOCKING, priority)) {
    if (NVIDIA_CALL (error, cuEventCreate, &stream->idle,
            CU_FLAG_EVENT_BLOCKING | CU_FLAG_EVENT_NO_TIMING)) {
      hip_mutex_init (&stream->scratch.lock);
      hip_heap_add_stream (context->heap, stream->handle);
      return stream;
    }
    NVIDIA_CALL_NOTED (cuStreamDestroy_v2, stream->handle);
  }
  g_free (stream);
  return NULL;
}

void
nvidia_stream_free (HipNativeContext context, HipNativeStream native,
    gboolean abandon)
{
  NvidiaStream *stream = native;

  if (abandon)                  /* somebody may still wait for it */
    return;
  if (stream->scratch.address)
    nvidia_memory_free (context, HIP_SPACE_DEVICE, stream->scratch.address);
  hip_heap_remove_stream (((NvidiaContext *) context)->heap, stream->handle);
  NVIDIA_CALL_NOTED (cuEventDestroy_v2, stream->idle);
  NVIDIA_CALL_NOTED (cuStreamDestroy_v2, stream->handle);
  hip_mutex_clear (&stream->scratch.lock);
  g_free (stream);
}

guintptr
nvidia_stream_native (HipNativeStream stream)
{
  return (guintptr) ((NvidiaStream *) stream)->handle;
}

GstHipEventState
nvidia_stream_query (HipNativeContext context, HipNativeStream stream,
    GError ** error)
{
  return nvidia_state (nvidia_cuda.cuStreamQuery (((NvidiaStream *)
              stream)->handle), "cuStreamQuery", error);
}

/* Several threads may do so at once: each waits for what was recorded when it
 * began to wait, or for more. */
gboolean
nvidia_stream_synchronize (HipNativeContext context, HipNativeStream native,
    GError ** error)
{
  NvidiaStream *stream = native;
  GstHipEventState state = nvidia_stream_query (context, stream, error);

  if (state != GST_HIP_EVENT_STATE_PENDING)
    return state == GST_HIP_EVENT_STATE_DONE;
  if (nvidia_cuda.cuEventRecord (stream->idle, stream->handle) == CU_OK)
    return NVIDIA_CALL (error, cuEventSynchronize, stream->idle);
  /* Better awake than not at all */
  return NVIDIA_CALL (error, cuStreamSynchronize, stream->handle);
}

gboolean
nvidia_stream_wait_event (HipNativeContext context, HipNativeStream stream,
    HipNativeEvent event, GError ** error)
{
  return NVIDIA_CALL (error, cuStreamWaitEvent,
      ((NvidiaStream *) stream)->handle, ((NvidiaEvent *) event)->handle, 0);
}

gboolean
nvidia_native_wait_event (HipNativeContext context, guintptr stream,
    HipNativeEvent event, GError ** error)
{
  return NVIDIA_CALL (error, cuStreamWaitEvent, (CuStream) stream,
      ((NvidiaEvent *) event)->handle, 0);
}

/* --- moving bytes --- */

/* The calls that say where the bytes lie need not find it out. */
static gboolean
copy_bytes (NvidiaContext * context, CuStream stream, const HipCopy2D * copy,
    gsize bytes, GError ** error)
{
  gboolean from_cpu = copy->src_space == HIP_SPACE_PINNED;
  gboolean to_cpu = copy->dst_space == HIP_SPACE_PINNED;

  if (context->host_type != CU_MEMORY_HOST && (from_cpu || to_cpu))
    return NVIDIA_CALL (error, cuMemcpyAsync, copy->dst, copy->src, bytes,
        stream);
  if (from_cpu)
    return NVIDIA_CALL (error, cuMemcpyHtoDAsync_v2, copy->dst,
        (gconstpointer) copy->src, bytes, stream);
  if (to_cpu)
    return NVIDIA_CALL (error, cuMemcpyDtoHAsync_v2, (gpointer) copy->dst,
        copy->src, bytes, stream);
  return NVIDIA_CALL (error, cuMemcpyDtoDAsync_v2, copy->dst, copy->src, bytes,
      stream);
}

static gboolean
copy_rows (NvidiaContext * context, CuStream stream, const HipCopy2D * copy,
    GError ** error)
{
  HipCopy2D row = *copy;

  for (gsize i = 0; i < copy->rows; i++) {
    if (!copy_bytes (context, stream, &row, copy->row_bytes, error))
      return FALSE;
    row.dst += copy->dst_stride;
    row.src += copy->src_stride;
  }
  return TRUE;
}

static guint
memory_type (NvidiaContext * context, HipSpace space)
{
  return space == HIP_SPACE_DEVICE ? CU_MEMORY_DEVICE : context->host_type;
}

static gboolean
copy_strided (HipNativeContext native, HipNativeStream native_stream,
    const HipCopy2D * copy, GError ** error)
{
  NvidiaContext *context = native;
  CuStream stream = ((NvidiaStream *) native_stream)->handle;
  CuMemcpy2D native_copy = { 0 };
  CuResult result;

  if (copy->rows == 1 || (copy->dst_stride == copy->row_bytes
          && copy->src_stride == copy->row_bytes))
    return copy_bytes (context, stream, copy, copy->row_bytes * copy->rows,
        error);
  if (MAX (copy->dst_stride, copy->src_stride) > context->max_pitch)
    return copy_rows (context, stream, copy, error);

  native_copy.src_type = memory_type (context, copy->src_space);
  native_copy.src_host = (gconstpointer) copy->src;
  native_copy.src_device = copy->src;
  native_copy.src_pitch = copy->src_stride;
  native_copy.dst_type = memory_type (context, copy->dst_space);
  native_copy.dst_host = (gpointer) copy->dst;
  native_copy.dst_device = copy->dst;
  native_copy.dst_pitch = copy->dst_stride;
  native_copy.width_bytes = copy->row_bytes;
  native_copy.height = copy->rows;
  result = nvidia_cuda.cuMemcpy2DAsync_v2 ((const struct CUDA_MEMCPY2D_st *)
      &native_copy, stream);
  /* Allowed by its documentation between two places on the device at strides
   * that the driver did not choose */
  if (result == CU_INVALID_VALUE)
    return copy_rows (context, stream, copy, error);
  return nvidia_check (result, "cuMemcpy2DAsync_v2", error);
}

gboolean
nvidia_stream_copy_2d (HipNativeContext context, HipNativeStream stream,
    const HipCopy2D * copy, GError ** error)
{
  if (copy->src_space == HIP_SPACE_PINNED
      && copy->dst_space == HIP_SPACE_PINNED)
    return hip_scratch_copy_2d (&((NvidiaStream *) stream)->scratch, context,
        stream, copy, nvidia_memory_alloc, copy_strided, error);
  return copy_strided (context, stream, copy, error);
}

gboolean
nvidia_stream_copy_peer (HipNativeContext native, HipNativeStream stream,
    HipNativeContext from, const HipCopy2D * copy, GError ** error)
{
  NvidiaContext *context = native;
  CuMemcpy3DPeer native_copy = { 0 };

  if (!nvidia_cuda.cuMemcpy3DPeerAsync) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "this driver has no cuMemcpy3DPeerAsync, which copies between contexts");
    return FALSE;
  }
  native_copy.src_type = CU_MEMORY_DEVICE;
  native_copy.src_device = copy->src;
  native_copy.src_context = ((NvidiaContext *) from)->handle;
  native_copy.src_pitch = copy->src_stride;
  native_copy.src_height = copy->rows;
  native_copy.dst_type = memory_type (context, copy->dst_space);
  native_copy.dst_host = (gpointer) copy->dst;
  native_copy.dst_device = copy->dst;
  native_copy.dst_context = context->handle;
  native_copy.dst_pitch = copy->dst_stride;
  native_copy.dst_height = copy->rows;
  native_copy.width_bytes = copy->row_bytes;
  native_copy.height = copy->rows;
  native_copy.depth = 1;
  return NVIDIA_CALL (error, cuMemcpy3DPeerAsync,
      (const struct CUDA_MEMCPY3D_PEER_st *) &native_copy,
      ((NvidiaStream *) stream)->handle);
}

gboolean
nvidia_stream_fill (HipNativeContext context, HipNativeStream stream,
    HipSpace space, guintptr address, gsize size, guint8 value, GError ** error)
{
  return NVIDIA_CALL (error, cuMemsetD8Async, address, value, size,
      ((NvidiaStream *) stream)->handle);
}
