/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Streams, events and copies, as HIP has them. */
#include <string.h>

#include "fake-hip.h"

/* --- streams --- */

AmdResult
hipStreamCreateWithPriority (AmdHipStream * stream, unsigned int flags,
    int priority)
{
  FakeStream *made = NULL;
  FakeResult result;

  FAKE_CALL ();
  fake_rule (flags == AMD_FLAG_STREAM_NON_BLOCKING,
      "streams do not wait for the default stream", G_STRFUNC);
  result = fake_stream_new (&made, priority, G_STRFUNC);
  *stream = (AmdHipStream) made;
  RETURN (result);
}

AmdResult
hipStreamDestroy (AmdHipStream stream)
{
  FAKE_CALL_FREES (stream);
  RETURN (fake_stream_free (STREAM (stream), G_STRFUNC));
}

AmdResult
hipStreamQuery (AmdHipStream stream)
{
  FAKE_CALL ();
  if (!stream)                  /* the default one, which has no work here */
    return AMD_OK;
  RETURN (fake_stream_query (STREAM (stream), G_STRFUNC));
}

AmdResult
hipStreamSynchronize (AmdHipStream stream)
{
  FAKE_CALL ();
  RETURN (fake_stream_synchronize (STREAM (stream), G_STRFUNC));
}

AmdResult
hipStreamWaitEvent (AmdHipStream stream, AmdHipEvent event, unsigned int flags)
{
  FAKE_CALL ();
  fake_rule (flags == 0, "the flags are 0", G_STRFUNC);
  RETURN (fake_stream_wait_event (STREAM (stream), EVENT (event), G_STRFUNC));
}

/* --- events --- */

AmdResult
hipEventCreateWithFlags (AmdHipEvent * event, unsigned int flags)
{
  FakeEvent *made = NULL;
  FakeResult result;

  FAKE_CALL ();
  fake_rule (flags & AMD_FLAG_EVENT_BLOCKING, "events are waited for asleep",
      G_STRFUNC);
  result = fake_event_new (&made, !(flags & AMD_FLAG_EVENT_NO_TIMING),
      G_STRFUNC);
  *event = (AmdHipEvent) made;
  RETURN (result);
}

AmdResult
hipEventDestroy (AmdHipEvent event)
{
  FAKE_CALL_FREES (event);
  RETURN (fake_event_free (EVENT (event), G_STRFUNC));
}

AmdResult
hipEventRecord (AmdHipEvent event, AmdHipStream stream)
{
  FAKE_CALL ();
  RETURN (fake_event_record (EVENT (event), STREAM (stream), G_STRFUNC));
}

AmdResult
hipEventQuery (AmdHipEvent event)
{
  FAKE_CALL ();
  RETURN (fake_event_query (EVENT (event), G_STRFUNC));
}

AmdResult
hipEventSynchronize (AmdHipEvent event)
{
  FAKE_CALL ();
  RETURN (fake_event_synchronize (EVENT (event), G_STRFUNC));
}

AmdResult
hipEventElapsedTime (float *ms, AmdHipEvent start, AmdHipEvent stop)
{
  FAKE_CALL ();
  RETURN (fake_event_elapsed (ms, EVENT (start), EVENT (stop), G_STRFUNC));
}

/* --- copies --- */

/* Any other kind says where the addresses lie, and is wrong where they do not. */
static void
check_kind (unsigned int kind, const gchar * call)
{
  fake_rule (kind == AMD_COPY_DEFAULT, "a copy's addresses say what it is",
      call);
}

AmdResult
hipMemcpyAsync (void *dst, const void *src, size_t bytes, unsigned int kind,
    AmdHipStream stream)
{
  HipCopy2D what = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, (guintptr) dst,
    (guintptr) src, bytes, bytes, bytes, 1
  };

  FAKE_CALL ();
  check_kind (kind, G_STRFUNC);
  RETURN (fake_copy (STREAM (stream), &what, G_STRFUNC));
}

AmdResult
hipMemcpy2DAsync (void *dst, size_t dst_pitch, const void *src,
    size_t src_pitch, size_t width_bytes, size_t height, unsigned int kind,
    AmdHipStream stream)
{
  HipCopy2D what = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, (guintptr) dst,
    (guintptr) src, dst_pitch, src_pitch, width_bytes, height
  };

  FAKE_CALL ();
  check_kind (kind, G_STRFUNC);
  if (dst_pitch < width_bytes || src_pitch < width_bytes)
    return AMD_INVALID_PITCH;
  RETURN (fake_copy (STREAM (stream), &what, G_STRFUNC));
}

AmdResult
hipMemcpyDtoH (void *dst, void *src, size_t bytes)
{
  FAKE_CALL ();
  fake_current (G_STRFUNC);
  memcpy (dst, src, bytes);
  return AMD_OK;
}

AmdResult
hipMemsetAsync (void *dst, int value, size_t bytes, AmdHipStream stream)
{
  FAKE_CALL ();
  RETURN (fake_fill (STREAM (stream), (guintptr) dst, (guint8) value, bytes,
          G_STRFUNC));
}
