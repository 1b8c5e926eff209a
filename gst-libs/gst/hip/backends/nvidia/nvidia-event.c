/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Has the device come so far?
 *
 * Recording an event that can be waited for asleep costs the thread that
 * records it four times as much as one that cannot (1.4 and 0.33 us on an H200
 * whose stream is busy). Almost all events are recorded on streaming threads
 * and waited for by workers. So those without times are light ones, and who
 * waits for one brings what it takes to sleep: a stream of its own that waits on
 * the device for the event, with a heavy event behind that. Timed ones are
 * heavy themselves; times cost the device a little.
 *
 * Invariant: nobody waits awake.
 */
#include "nvidia-internal.h"

#define ASK_US 500              /* between two questions where nothing better can be had */
#define LAST_ASKS 200           /* until a sleeper's stream is left to its context */

struct _NvidiaSleeper
{
  CuStream stream;
  CuEvent event;
  NvidiaSleeper *next;
};

HipNativeEvent
nvidia_event_new (HipNativeContext context, gboolean timed, GError ** error)
{
  guint flags = timed ? CU_FLAG_EVENT_BLOCKING : CU_FLAG_EVENT_NO_TIMING;
  CuEvent handle = NULL;
  NvidiaEvent *event;

  if (!NVIDIA_CALL (error, cuEventCreate, &handle, flags))
    return NULL;
  event = g_new (NvidiaEvent, 1);
  event->handle = handle;
  event->light = !timed;
  return event;
}

void
nvidia_event_free (HipNativeContext context, HipNativeEvent native)
{
  NvidiaEvent *event = native;

  NVIDIA_CALL_NOTED (cuEventDestroy_v2, event->handle);
  g_free (event);
}

guintptr
nvidia_event_native (HipNativeEvent event)
{
  return (guintptr) ((NvidiaEvent *) event)->handle;
}

gboolean
nvidia_event_record (HipNativeContext context, HipNativeEvent event,
    HipNativeStream stream, GError ** error)
{
  return NVIDIA_CALL (error, cuEventRecord, ((NvidiaEvent *) event)->handle,
      ((NvidiaStream *) stream)->handle);
}

GstHipEventState
nvidia_event_query (HipNativeContext context, HipNativeEvent event,
    GError ** error)
{
  return nvidia_state (nvidia_cuda.cuEventQuery (((NvidiaEvent *)
              event)->handle), "cuEventQuery", error);
}

/* --- sleeping --- */

/* One that could not be put to sleep, or not until the end, may have a wait left
 * on its stream, which ends a little after the event that it waits for. */
static gboolean
is_idle (NvidiaSleeper * sleeper)
{
  for (guint i = 0; i < LAST_ASKS; i++) {
    if (nvidia_cuda.cuStreamQuery (sleeper->stream) != CU_NOT_READY)
      return TRUE;
    g_usleep (ASK_US);
  }
  return FALSE;
}

static void
sleeper_free (NvidiaSleeper * sleeper)
{
  if (sleeper->stream && !is_idle (sleeper)) {
    g_free (sleeper);
    return;
  }
  if (sleeper->event)
    NVIDIA_CALL_NOTED (cuEventDestroy_v2, sleeper->event);
  if (sleeper->stream)
    NVIDIA_CALL_NOTED (cuStreamDestroy_v2, sleeper->stream);
  g_free (sleeper);
}

void
nvidia_sleepers_free (NvidiaContext * context)
{
  NvidiaSleeper *sleeper;

  while ((sleeper = context->sleepers)) {
    context->sleepers = sleeper->next;
    sleeper_free (sleeper);
  }
}

/* The most urgent priority there is: such streams share no queue of the device
 * with those that work, which would wait, too. */
static NvidiaSleeper *
sleeper_new (NvidiaContext * context)
{
  NvidiaSleeper *sleeper = g_new0 (NvidiaSleeper, 1);

  if (nvidia_cuda.cuStreamCreateWithPriority (&sleeper->stream,
          CU_FLAG_STREAM_NON_BLOCKING, context->priority_greatest) == CU_OK
      && nvidia_cuda.cuEventCreate (&sleeper->event,
          CU_FLAG_EVENT_BLOCKING | CU_FLAG_EVENT_NO_TIMING) == CU_OK)
    return sleeper;
  sleeper_free (sleeper);
  return NULL;
}

static NvidiaSleeper *
take_sleeper (NvidiaContext * context)
{
  NvidiaSleeper *sleeper;

  hip_mutex_lock (&context->lock);
  sleeper = context->sleepers;
  if (sleeper)
    context->sleepers = sleeper->next;
  hip_mutex_unlock (&context->lock);
  return sleeper ? sleeper : sleeper_new (context);
}

static void
give_sleeper (NvidiaContext * context, NvidiaSleeper * sleeper)
{
  hip_mutex_lock (&context->lock);
  sleeper->next = context->sleepers;
  context->sleepers = sleeper;
  hip_mutex_unlock (&context->lock);
}

/* FALSE: it could not be put behind the event */
static gboolean
prepare_sleeper (NvidiaSleeper * sleeper, CuEvent event)
{
  return nvidia_cuda.cuStreamWaitEvent (sleeper->stream, event, 0) == CU_OK
      && nvidia_cuda.cuEventRecord (sleeper->event, sleeper->stream) == CU_OK;
}

static gboolean
ask_until_done (CuEvent event, GError ** error)
{
  CuResult result;

  while ((result = nvidia_cuda.cuEventQuery (event)) == CU_NOT_READY)
    g_usleep (ASK_US);
  return nvidia_check (result, "cuEventQuery", error);
}

gboolean
nvidia_event_synchronize (HipNativeContext native, HipNativeEvent native_event,
    GError ** error)
{
  NvidiaContext *context = native;
  NvidiaEvent *event = native_event;
  NvidiaSleeper *sleeper;
  CuResult result;
  gboolean slept = FALSE, done = FALSE;

  if (!event->light)
    return NVIDIA_CALL (error, cuEventSynchronize, event->handle);
  result = nvidia_cuda.cuEventQuery (event->handle);
  if (result != CU_NOT_READY)
    return nvidia_check (result, "cuEventQuery", error);

  sleeper = take_sleeper (context);
  if (sleeper && prepare_sleeper (sleeper, event->handle)) {
    done = NVIDIA_CALL (error, cuEventSynchronize, sleeper->event);
    slept = TRUE;
  }
  if (sleeper)
    give_sleeper (context, sleeper);
  return slept ? done : ask_until_done (event->handle, error);
}

gboolean
nvidia_event_elapsed (HipNativeContext context, HipNativeEvent start,
    HipNativeEvent stop, gdouble * ns, GError ** error)
{
  CuEvent from = ((NvidiaEvent *) start)->handle;
  CuEvent to = ((NvidiaEvent *) stop)->handle;
  gfloat ms = 0;
  CuResult result = nvidia_cuda.cuEventElapsedTime_v2 ?
      nvidia_cuda.cuEventElapsedTime_v2 (&ms, from, to) :
      nvidia_cuda.cuEventElapsedTime (&ms, from, to);

  if (!nvidia_check (result, "cuEventElapsedTime", error))
    return FALSE;
  *ns = (gdouble) ms *1e6;
  return TRUE;
}
