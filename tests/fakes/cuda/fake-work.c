/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Streams, events and copies, as the CUDA driver API has them. */
#include <string.h>

#include "fake-cuda.h"

/* No stream: the default one */
static FakeStream *
stream_of (CuStream stream, const gchar * call)
{
  return stream ? STREAM (stream) : fake_stream_default (call);
}

/* --- streams --- */

CuResult
cuStreamCreateWithPriority (CuStream * stream, unsigned int flags, int priority)
{
  FakeStream *made = NULL;
  FakeResult result;

  FAKE_CUDA_CALL ();
  fake_rule (flags == CU_FLAG_STREAM_NON_BLOCKING,
      "streams do not wait for the default stream", G_STRFUNC);
  result = fake_stream_new (&made, priority, G_STRFUNC);
  *stream = (CuStream) made;
  RETURN (result);
}

/* For programs that want one that the default stream waits for, which that does
 * not do here. */
CuResult
cuStreamCreate (CuStream * stream, unsigned int flags)
{
  FakeStream *made = NULL;
  FakeResult result;

  FAKE_CUDA_CALL ();
  result = fake_stream_new (&made, 0, G_STRFUNC);
  if (made)
    made->ends_late = TRUE;
  *stream = (CuStream) made;
  RETURN (result);
}

CuResult
cuStreamDestroy_v2 (CuStream stream)
{
  FAKE_CUDA_CALL_FREES (stream);
  RETURN (fake_stream_free (STREAM (stream), G_STRFUNC));
}

CuResult
cuStreamQuery (CuStream stream)
{
  FAKE_CUDA_CALL ();
  if (!stream && !fake_current (G_STRFUNC)->stream)
    return CU_OK;               /* nobody has used it */
  RETURN (fake_stream_query (stream_of (stream, G_STRFUNC), G_STRFUNC));
}

CuResult
cuStreamSynchronize (CuStream stream)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_stream_synchronize (stream_of (stream, G_STRFUNC), G_STRFUNC));
}

CuResult
cuStreamWaitEvent (CuStream stream, CuEvent event, unsigned int flags)
{
  FAKE_CUDA_CALL ();
  fake_rule (flags == 0, "the flags are 0", G_STRFUNC);
  RETURN (fake_stream_wait_event (stream_of (stream, G_STRFUNC), EVENT (event),
          G_STRFUNC));
}

/* --- events --- */

CuResult
cuEventCreate (CuEvent * event, unsigned int flags)
{
  FakeEvent *made = NULL;
  FakeResult result;

  FAKE_CUDA_CALL ();
  result = fake_event_new (&made, !(flags & CU_FLAG_EVENT_NO_TIMING),
      G_STRFUNC);
  if (made)
    made->spins = !(flags & CU_FLAG_EVENT_BLOCKING);
  *event = (CuEvent) made;
  RETURN (result);
}

CuResult
cuEventDestroy_v2 (CuEvent event)
{
  FAKE_CUDA_CALL_FREES (event);
  RETURN (fake_event_free (EVENT (event), G_STRFUNC));
}

CuResult
cuEventRecord (CuEvent event, CuStream stream)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_event_record (EVENT (event), stream_of (stream, G_STRFUNC),
          G_STRFUNC));
}

CuResult
cuEventQuery (CuEvent event)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_event_query (EVENT (event), G_STRFUNC));
}

CuResult
cuEventSynchronize (CuEvent event)
{
  FAKE_CUDA_CALL ();
  fake_rule (!EVENT (event)->spins, "events are waited for asleep", G_STRFUNC);
  RETURN (fake_event_synchronize (EVENT (event), G_STRFUNC));
}

CuResult
cuEventElapsedTime (float *ms, CuEvent start, CuEvent stop)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_event_elapsed (ms, EVENT (start), EVENT (stop), G_STRFUNC));
}

CuResult
cuEventElapsedTime_v2 (float *ms, CuEvent start, CuEvent stop)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_event_elapsed (ms, EVENT (start), EVENT (stop), G_STRFUNC));
}

/* --- copies --- */

static CuResult
copy_bytes (guintptr dst, guintptr src, gsize bytes, CuStream stream,
    const gchar * call)
{
  HipCopy2D what = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, dst, src, bytes, bytes,
    bytes, 1
  };

  RETURN (fake_copy (STREAM (stream), &what, call));
}

CuResult
cuMemcpyAsync (CuDevicePtr dst, CuDevicePtr src, size_t bytes, CuStream stream)
{
  FAKE_CUDA_CALL ();
  return copy_bytes (dst, src, bytes, stream, G_STRFUNC);
}

CuResult
cuMemcpyHtoDAsync_v2 (CuDevicePtr dst, const void *src, size_t bytes,
    CuStream stream)
{
  FAKE_CUDA_CALL ();
  fake_rule (fake_memory_is_host ((guintptr) src) && !fake_memory_is_host (dst),
      "a copy goes where its name says", G_STRFUNC);
  return copy_bytes (dst, (guintptr) src, bytes, stream, G_STRFUNC);
}

CuResult
cuMemcpyDtoHAsync_v2 (void *dst, CuDevicePtr src, size_t bytes, CuStream stream)
{
  FAKE_CUDA_CALL ();
  fake_rule (fake_memory_is_host ((guintptr) dst) && !fake_memory_is_host (src),
      "a copy goes where its name says", G_STRFUNC);
  return copy_bytes ((guintptr) dst, src, bytes, stream, G_STRFUNC);
}

CuResult
cuMemcpyDtoDAsync_v2 (CuDevicePtr dst, CuDevicePtr src, size_t bytes,
    CuStream stream)
{
  FAKE_CUDA_CALL ();
  fake_rule (!fake_memory_is_host (dst) && !fake_memory_is_host (src),
      "a copy goes where its name says", G_STRFUNC);
  return copy_bytes (dst, src, bytes, stream, G_STRFUNC);
}

CuResult
cuMemcpy2DAsync_v2 (const struct CUDA_MEMCPY2D_st *native, CuStream stream)
{
  CuMemcpy2D in;
  HipCopy2D what = { 0 };

  FAKE_CUDA_CALL ();
  memcpy (&in, native, sizeof (in));
  fake_rule (in.dst_pitch >= in.width_bytes && in.src_pitch >= in.width_bytes,
      "rows do not overlap", G_STRFUNC);
  what.dst = in.dst_type == CU_MEMORY_HOST ? (guintptr) in.dst_host :
      (guintptr) in.dst_device;
  what.src = in.src_type == CU_MEMORY_HOST ? (guintptr) in.src_host :
      (guintptr) in.src_device;
  what.dst += in.dst_y * in.dst_pitch + in.dst_x_bytes;
  what.src += in.src_y * in.src_pitch + in.src_x_bytes;
  what.dst_stride = in.dst_pitch;
  what.src_stride = in.src_pitch;
  what.row_bytes = in.width_bytes;
  what.rows = in.height;
  RETURN (fake_copy (stream_of (stream, G_STRFUNC), &what, G_STRFUNC));
}

CuResult
cuMemcpy3DPeerAsync (const struct CUDA_MEMCPY3D_PEER_st *native,
    CuStream stream)
{
  CuMemcpy3DPeer in;
  HipCopy2D what = { 0 };

  FAKE_CUDA_CALL ();
  memcpy (&in, native, sizeof (in));
  fake_rule (in.depth == 1 && in.src_type == CU_MEMORY_DEVICE
      && in.dst_type == CU_MEMORY_DEVICE, "a frame of device memory",
      G_STRFUNC);
  fake_rule (in.dst_pitch >= in.width_bytes && in.src_pitch >= in.width_bytes
      && in.src_height >= in.height && in.dst_height >= in.height,
      "rows do not overlap", G_STRFUNC);
  fake_rule (CONTEXT (in.dst_context) == fake_current (G_STRFUNC),
      "the copy is made in the context where it goes", G_STRFUNC);
  what.dst = in.dst_device;
  what.src = in.src_device;
  what.dst_stride = in.dst_pitch;
  what.src_stride = in.src_pitch;
  what.row_bytes = in.width_bytes;
  what.rows = in.height;
  RETURN (fake_copy_peer (STREAM (stream), CONTEXT (in.src_context), &what,
          G_STRFUNC));
}

CuResult
cuMemcpyDtoH_v2 (void *dst, CuDevicePtr src, size_t bytes)
{
  FAKE_CUDA_CALL ();
  fake_current (G_STRFUNC);
  memcpy (dst, (gconstpointer) (guintptr) src, bytes);
  return CU_OK;
}

CuResult
cuMemsetD16Async (CuDevicePtr dst, unsigned short value, size_t count,
    CuStream stream)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_fill_units (STREAM (stream), dst, value, 2, count, G_STRFUNC));
}

CuResult
cuMemsetD32Async (CuDevicePtr dst, unsigned int value, size_t count,
    CuStream stream)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_fill_units (STREAM (stream), dst, value, 4, count, G_STRFUNC));
}

CuResult
cuMemsetD8Async (CuDevicePtr dst, unsigned char value, size_t bytes,
    CuStream stream)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_fill (STREAM (stream), dst, value, bytes, G_STRFUNC));
}
