/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Streams, events, copies of the simulated driver. */
#include <string.h>

#include "fake.h"

static CuResult
translate (gboolean ok, GError * error)
{
  CuResult result = ok ? CU_OK : CU_LAUNCH_FAILED;

  g_clear_error (&error);
  return result;
}

static CuResult
state_result (GstHipEventState state, GError * error)
{
  g_clear_error (&error);
  return state == GST_HIP_EVENT_STATE_DONE ? CU_OK :
      state == GST_HIP_EVENT_STATE_PENDING ? CU_NOT_READY : CU_LAUNCH_FAILED;
}

static void
check_stream (CuStream stream, const gchar * call)
{
  fake_handle_check (stream, FAKE_STREAM, call);
  fake_rule (stream->context == fake_current (call),
      "a stream is used in its context", call);
}

void
fake_stream_begin (CuStream stream, const gchar * call)
{
  guint64 delay_ns = fake_delay_ns ();

  check_stream (stream, call);
  if (delay_ns)
    host_inject_delay (stream->host, delay_ns);
}

/* --- streams --- */

CuResult
cuStreamCreateWithPriority (CuStream * stream, unsigned int flags, int priority)
{
  CuContext context;
  GError *error = NULL;
  HipNativeStream host;

  FAKE_CALL (FALSE);
  context = fake_current (G_STRFUNC);
  fake_rule (flags == CU_FLAG_STREAM_NON_BLOCKING,
      "streams do not wait for the default stream", G_STRFUNC);
  host = host_stream_new (context->host, priority, &error);
  if (!host)
    return translate (FALSE, error);
  *stream = g_new0 (struct CUstream_st, 1);
  (*stream)->context = context;
  (*stream)->host = host;
  fake_handle_add (*stream, FAKE_STREAM);
  return CU_OK;
}

CuResult
cuStreamDestroy_v2 (CuStream stream)
{
  GError *error = NULL;

  FAKE_CALL (FALSE);
  check_stream (stream, G_STRFUNC);
  fake_rule (host_stream_query (stream->context->host, stream->host, &error)
      != GST_HIP_EVENT_STATE_PENDING, "a stream is idle when destroyed",
      G_STRFUNC);
  g_clear_error (&error);
  fake_handle_remove (stream);
  host_stream_free (stream->context->host, stream->host, FALSE);
  g_free (stream);
  return CU_OK;
}

CuResult
cuStreamQuery (CuStream stream)
{
  GError *error = NULL;
  GstHipEventState state;

  FAKE_CALL (FALSE);
  if (!stream)                  /* the default one, which has no work here */
    return CU_OK;
  check_stream (stream, G_STRFUNC);
  state = host_stream_query (stream->context->host, stream->host, &error);
  return state_result (state, error);
}

CuResult
cuStreamSynchronize (CuStream stream)
{
  GError *error = NULL;
  gboolean ok;

  FAKE_CALL (FALSE);
  check_stream (stream, G_STRFUNC);
  ok = host_stream_synchronize (stream->context->host, stream->host, &error);
  return translate (ok, error);
}

CuResult
cuStreamWaitEvent (CuStream stream, CuEvent event, unsigned int flags)
{
  GError *error = NULL;
  gboolean ok;

  FAKE_CALL (FALSE);
  check_stream (stream, G_STRFUNC);
  fake_handle_check (event, FAKE_EVENT, G_STRFUNC);
  fake_rule (flags == 0, "the flags are 0", G_STRFUNC);
  if (!g_atomic_int_get (&event->recorded))
    return CU_OK;
  ok = host_stream_wait_event (stream->context->host, stream->host,
      event->host, &error);
  return translate (ok, error);
}

/* --- events --- */

CuResult
cuEventCreate (CuEvent * event, unsigned int flags)
{
  CuContext context;
  GError *error = NULL;
  HipNativeEvent host;
  gboolean timed = !(flags & CU_FLAG_EVENT_NO_TIMING);

  FAKE_CALL (FALSE);
  context = fake_current (G_STRFUNC);
  fake_rule (flags & CU_FLAG_EVENT_BLOCKING, "events are waited for asleep",
      G_STRFUNC);
  host = host_event_new (context->host, timed, &error);
  if (!host)
    return translate (FALSE, error);
  *event = g_new0 (struct CUevent_st, 1);
  (*event)->context = context;
  (*event)->host = host;
  (*event)->timed = timed;
  fake_handle_add (*event, FAKE_EVENT);
  return CU_OK;
}

CuResult
cuEventDestroy_v2 (CuEvent event)
{
  FAKE_CALL (FALSE);
  fake_handle_check (event, FAKE_EVENT, G_STRFUNC);
  fake_rule (event->context == fake_current (G_STRFUNC),
      "an event is destroyed in its context", G_STRFUNC);
  fake_handle_remove (event);
  host_event_free (event->context->host, event->host);
  g_free (event);
  return CU_OK;
}

CuResult
cuEventRecord (CuEvent event, CuStream stream)
{
  GError *error = NULL;
  gboolean ok;

  FAKE_CALL (FALSE);
  check_stream (stream, G_STRFUNC);
  fake_handle_check (event, FAKE_EVENT, G_STRFUNC);
  fake_rule (event->context == stream->context,
      "event and stream are of one context", G_STRFUNC);
  ok = host_stream_record (event->context->host, event->host, stream->host,
      &error);
  g_atomic_int_set (&event->recorded, TRUE);
  return translate (ok, error);
}

CuResult
cuEventQuery (CuEvent event)
{
  GError *error = NULL;
  GstHipEventState state;

  FAKE_CALL (FALSE);
  fake_handle_check (event, FAKE_EVENT, G_STRFUNC);
  if (!g_atomic_int_get (&event->recorded))
    return CU_OK;
  state = host_event_query (event->context->host, event->host, &error);
  return state_result (state, error);
}

CuResult
cuEventSynchronize (CuEvent event)
{
  GError *error = NULL;
  gboolean ok;

  FAKE_CALL (FALSE);
  fake_handle_check (event, FAKE_EVENT, G_STRFUNC);
  if (!g_atomic_int_get (&event->recorded))
    return CU_OK;
  ok = host_event_synchronize (event->context->host, event->host, &error);
  return translate (ok, error);
}

static CuResult
elapsed (float *ms, CuEvent start, CuEvent stop, const gchar * call)
{
  GError *error = NULL;
  gdouble ns = 0;
  gboolean ok;

  fake_handle_check (start, FAKE_EVENT, call);
  fake_handle_check (stop, FAKE_EVENT, call);
  if (!start->timed || !stop->timed || !start->recorded || !stop->recorded)
    return CU_INVALID_HANDLE;
  if (host_event_query (stop->context->host, stop->host, NULL)
      == GST_HIP_EVENT_STATE_PENDING)
    return CU_NOT_READY;
  ok = host_event_elapsed (start->context->host, start->host, stop->host, &ns,
      &error);
  *ms = (float) (ns / 1e6);
  return translate (ok, error);
}

CuResult
cuEventElapsedTime (float *ms, CuEvent start, CuEvent stop)
{
  FAKE_CALL (FALSE);
  return elapsed (ms, start, stop, G_STRFUNC);
}

CuResult
cuEventElapsedTime_v2 (float *ms, CuEvent start, CuEvent stop)
{
  FAKE_CALL (FALSE);
  return elapsed (ms, start, stop, G_STRFUNC);
}

/* --- copies --- */

static CuResult
copy (CuStream stream, const HipCopy2D * what, const gchar * call)
{
  GError *error = NULL;
  gboolean ok;

  fake_stream_begin (stream, call);
  ok = host_stream_copy_2d (stream->context->host, stream->host, what, &error);
  fake_memory_use (stream->context, stream, what->dst,
      (what->rows - 1) * what->dst_stride + what->row_bytes, call);
  fake_memory_use (stream->context, stream, what->src,
      (what->rows - 1) * what->src_stride + what->row_bytes, call);
  return translate (ok, error);
}

CuResult
cuMemcpyAsync (CuDevicePtr dst, CuDevicePtr src, size_t bytes, CuStream stream)
{
  HipCopy2D what = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, dst, src, bytes, bytes,
    bytes, 1
  };

  FAKE_CALL (FALSE);
  return copy (stream, &what, G_STRFUNC);
}

CuResult
cuMemcpy2DAsync_v2 (const struct CUDA_MEMCPY2D_st *native, CuStream stream)
{
  CuMemcpy2D in;
  HipCopy2D what = { 0 };

  FAKE_CALL (FALSE);
  memcpy (&in, native, sizeof (in));
  fake_rule (in.dst_pitch >= in.width_bytes && in.src_pitch >= in.width_bytes,
      "rows do not overlap", G_STRFUNC);
  fake_rule (!in.src_x_bytes && !in.src_y && !in.dst_x_bytes && !in.dst_y,
      "copies start at their address", G_STRFUNC);
  what.dst = in.dst_type == CU_MEMORY_HOST ? (guintptr) in.dst_host :
      (guintptr) in.dst_device;
  what.src = in.src_type == CU_MEMORY_HOST ? (guintptr) in.src_host :
      (guintptr) in.src_device;
  what.dst_stride = in.dst_pitch;
  what.src_stride = in.src_pitch;
  what.row_bytes = in.width_bytes;
  what.rows = in.height;
  return copy (stream, &what, G_STRFUNC);
}

CuResult
cuMemcpyDtoH_v2 (void *dst, CuDevicePtr src, size_t bytes)
{
  FAKE_CALL (FALSE);
  fake_current (G_STRFUNC);
  memcpy (dst, (gconstpointer) (guintptr) src, bytes);
  return CU_OK;
}

CuResult
cuMemsetD8Async (CuDevicePtr dst, unsigned char value, size_t bytes,
    CuStream stream)
{
  GError *error = NULL;
  gboolean ok;

  FAKE_CALL (FALSE);
  fake_stream_begin (stream, G_STRFUNC);
  ok = host_stream_fill (stream->context->host, stream->host, HIP_SPACE_DEVICE,
      dst, bytes, value, &error);
  fake_memory_use (stream->context, stream, dst, bytes, G_STRFUNC);
  return translate (ok, error);
}
