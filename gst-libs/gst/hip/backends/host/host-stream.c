/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device's streams: work in order, on a thread of its own.
 *
 * Calls put a command into the stream's ring and return; the thread, started
 * by the first command, takes them out one by one. A stream that waits for an
 * event sleeps on its thread and so delays no other stream.
 *
 * Must not know what is copied or computed. Keeps: no call but synchronize and
 * free waits for queued work; the thread holds no lock while it runs a command;
 * once the device is lost, commands are dropped and their events fail.
 */
#include <gst/hip/gsthiperror.h>

#include "host-internal.h"

typedef enum
{
  COMMAND_COPY,
  COMMAND_FILL,
  COMMAND_LAUNCH,
  COMMAND_RECORD,
  COMMAND_WAIT,
  COMMAND_DELAY,                /* from here on: for tests */
  COMMAND_BLOCK,
  COMMAND_FAIL,
} CommandType;

/* One cell each; a launch's parameters follow in the cells behind it. */
typedef struct
{
  CommandType type;
  union
  {
    HipCopy2D copy;
    struct
    {
      gpointer dst;
      gsize count;
      guint unit_bytes;         /* 1, 2 or 4 */
      guint32 value;
    } fill;
    struct
    {
      HipNativeFunction function;
      gsize shared_bytes;
      guint grid[3], block[3];
    } launch;
    HostRecord *record;         /* RECORD and WAIT; a reference */
    guint64 delay_ns;
  };
} Command;

G_STATIC_ASSERT (sizeof (Command) <= HOST_RING_CELL);

struct _HostStream
{
  HostContext *context;
  GList link;                   /* in context->streams */

  HipMutex lock;                /* everything below */
  HipCond cond;                 /* for the thread: a command, quit, unblock, failure */
  HipCond idle_cond;            /* for synchronize: completed has grown */
  HostRing ring;
  GThread *thread;
  gboolean sleeping, quit;
  guint idle_waiters, unblocks;
  guint64 submitted, completed; /* commands */
};

/* --- the stream's thread --- */

static void
run_delay (HostStream * stream, guint64 ns)
{
  gint64 end_us = g_get_monotonic_time () + (gint64) (ns / 1000);

  hip_mutex_lock (&stream->lock);
  while (!host_context_is_lost (stream->context)
      && hip_cond_wait_until (&stream->cond, &stream->lock, end_us));
  hip_mutex_unlock (&stream->lock);
}

static void
run_block (HostStream * stream)
{
  hip_mutex_lock (&stream->lock);
  while (stream->unblocks == 0 && !host_context_is_lost (stream->context))
    hip_cond_wait (&stream->cond, &stream->lock);
  if (stream->unblocks)
    stream->unblocks--;
  hip_mutex_unlock (&stream->lock);
}

static void
run (HostStream * stream, Command * command)
{
  switch (command->type) {
    case COMMAND_COPY:
      host_memory_copy_2d (&command->copy);
      break;
    case COMMAND_FILL:
      host_memory_fill (command->fill.dst, command->fill.count,
          command->fill.unit_bytes, command->fill.value);
      break;
    case COMMAND_LAUNCH:
      host_function_run (command->launch.function, command->launch.grid,
          command->launch.block, command->launch.shared_bytes,
          (guint8 *) command + HOST_RING_CELL);
      break;
    case COMMAND_WAIT:
      /* A record that fails, its device being lost, ends the wait too: that
       * device reports it, and this stream must not hang for it. */
      host_record_wait (command->record);
      break;
    case COMMAND_DELAY:
      run_delay (stream, command->delay_ns);
      break;
    case COMMAND_BLOCK:
      run_block (stream);
      break;
    case COMMAND_FAIL:
      host_inject_failure (stream->context, HOST_FAULT_DEVICE, 0);
      break;
    case COMMAND_RECORD:
      g_assert_not_reached ();
  }
}

static void
command_clear (Command * command)
{
  if (command->type == COMMAND_LAUNCH)
    host_function_unref (command->launch.function);
  else if (command->type == COMMAND_WAIT || command->type == COMMAND_RECORD)
    host_record_unref (command->record);
}

/* Takes and gives back the lock; the command is out of the ring afterwards. A
 * record ends in the same critical section that counts it, so that a stream
 * whose last event is done is idle for everybody. */
static void
process (HostStream * stream, Command * command)
{
  gboolean lost = host_context_is_lost (stream->context);

  if (command->type == COMMAND_RECORD) {
    host_record_end (command->record, lost ? GST_HIP_EVENT_STATE_FAILED :
        GST_HIP_EVENT_STATE_DONE);
    command_clear (command);
  } else {
    hip_mutex_unlock (&stream->lock);
    if (!lost)
      run (stream, command);
    command_clear (command);
    hip_mutex_lock (&stream->lock);
  }

  host_ring_pop (&stream->ring);
  stream->completed++;
  if (stream->idle_waiters)
    hip_cond_broadcast (&stream->idle_cond);
}

static gpointer
stream_thread (gpointer data)
{
  HostStream *stream = data;

  hip_mutex_lock (&stream->lock);
  for (;;) {
    Command *command = host_ring_peek (&stream->ring);

    if (command) {
      process (stream, command);
    } else if (stream->quit) {
      break;
    } else {
      stream->sleeping = TRUE;
      hip_cond_wait (&stream->cond, &stream->lock);
      stream->sleeping = FALSE;
    }
  }
  hip_mutex_unlock (&stream->lock);

  return NULL;
}

/* --- queueing --- */

/* On success the stream is locked until commit (). */
static Command *
reserve (HostStream * stream, CommandType type, gsize params_size,
    GError ** error)
{
  Command *command;

  hip_mutex_lock (&stream->lock);
  if (G_UNLIKELY (stream->thread == NULL)) {
    stream->thread = g_thread_try_new ("hip-stream", stream_thread, stream,
        error);
    if (stream->thread == NULL) {
      hip_mutex_unlock (&stream->lock);
      if (error && *error) {
        (*error)->domain = GST_HIP_ERROR;
        (*error)->code = GST_HIP_ERROR_FAILED;
        g_prefix_error (error, "Host stream: no thread for it; use fewer "
            "streams or raise the limit of threads: ");
      }
      return NULL;
    }
  }

  command = host_ring_reserve (&stream->ring, HOST_RING_CELL + params_size);
  if (G_UNLIKELY (command == NULL)) {
    hip_mutex_unlock (&stream->lock);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "Host stream: no memory left for another queued command");
    return NULL;
  }
  command->type = type;

  return command;
}

static gboolean
commit (HostStream * stream)
{
  gboolean wake = stream->sleeping;

  host_ring_push (&stream->ring);
  stream->submitted++;
  /* Once is enough, until it has slept again */
  stream->sleeping = FALSE;
  hip_mutex_unlock (&stream->lock);
  if (wake)
    hip_cond_signal (&stream->cond);

  return TRUE;
}

gboolean
host_stream_copy_2d (HipNativeContext context, HipNativeStream native,
    const HipCopy2D * copy, GError ** error)
{
  HostStream *stream = native;
  Command *command;

  if (!host_context_check (context, HOST_FAULT_COPY, error))
    return FALSE;

  command = reserve (stream, COMMAND_COPY, 0, error);
  if (command == NULL)
    return FALSE;
  command->copy = *copy;
  return commit (stream);
}

gboolean
host_stream_fill (HipNativeContext context, HipNativeStream native,
    HipSpace space, guintptr address, gsize size, guint8 value, GError ** error)
{
  return host_stream_fill_units (context, native, address, size, 1, value,
      error);
}

gboolean
host_stream_fill_units (HipNativeContext context, HipNativeStream native,
    guintptr address, gsize count, guint unit_bytes, guint32 value,
    GError ** error)
{
  HostStream *stream = native;
  Command *command;

  if (!host_context_check (context, HOST_FAULT_FILL, error))
    return FALSE;

  command = reserve (stream, COMMAND_FILL, 0, error);
  if (command == NULL)
    return FALSE;
  command->fill.dst = (gpointer) address;
  command->fill.count = count;
  command->fill.unit_bytes = unit_bytes;
  command->fill.value = value;
  return commit (stream);
}

gboolean
host_stream_launch (HipNativeContext context, HipNativeStream native,
    HipNativeFunction function, const HipLaunch * launch, GError ** error)
{
  HostStream *stream = native;
  Command *command;
  guint i;

  if (!host_context_check (context, HOST_FAULT_LAUNCH, error))
    return FALSE;

  command = reserve (stream, COMMAND_LAUNCH,
      host_function_params_size (function), error);
  if (command == NULL)
    return FALSE;
  host_function_ref (function);
  command->launch.function = function;
  command->launch.shared_bytes = launch->shared_bytes;
  for (i = 0; i < 3; i++) {
    command->launch.grid[i] = launch->grid[i];
    command->launch.block[i] = launch->block[i];
  }
  host_function_pack_params (function, launch->params,
      (guint8 *) command + HOST_RING_CELL);
  return commit (stream);
}

gboolean
host_stream_record (HipNativeContext context, HipNativeEvent event,
    HipNativeStream native, GError ** error)
{
  HostStream *stream = native;
  Command *command;

  if (!host_context_check (context, HOST_FAULT_RECORD, error))
    return FALSE;

  command = reserve (stream, COMMAND_RECORD, 0, error);
  if (command == NULL)
    return FALSE;
  command->record = host_event_begin_record (event);
  return commit (stream);
}

gboolean
host_stream_wait_event (HipNativeContext context, HipNativeStream native,
    HipNativeEvent event, GError ** error)
{
  HostStream *stream = native;
  HostRecord *record;
  Command *command;

  if (!host_context_check (context, HOST_FAULT_WAIT, error))
    return FALSE;

  record = host_event_get_record (event);
  if (record == NULL)
    return TRUE;
  if (g_atomic_int_get (&record->state) == GST_HIP_EVENT_STATE_DONE) {
    host_record_unref (record);
    return TRUE;
  }

  command = reserve (stream, COMMAND_WAIT, 0, error);
  if (command == NULL) {
    host_record_unref (record);
    return FALSE;
  }
  command->record = record;
  return commit (stream);
}

static void
inject (HostStream * stream, CommandType type, guint64 delay_ns)
{
  g_autoptr (GError) error = NULL;
  Command *command = reserve (stream, type, 0, &error);

  if (command == NULL)
    g_error ("%s", error->message);
  command->delay_ns = delay_ns;
  commit (stream);
}

void
host_inject_delay (HipNativeStream stream, guint64 ns)
{
  inject (stream, COMMAND_DELAY, ns);
}

void
host_inject_block (HipNativeStream stream)
{
  inject (stream, COMMAND_BLOCK, 0);
}

void
host_inject_failure_in_stream (HipNativeStream stream)
{
  inject (stream, COMMAND_FAIL, 0);
}

void
host_inject_unblock (HipNativeStream native)
{
  HostStream *stream = native;

  hip_mutex_lock (&stream->lock);
  stream->unblocks++;
  hip_mutex_unlock (&stream->lock);
  hip_cond_signal (&stream->cond);
}

/* --- life --- */

/* Priorities are a hint, and threads of a process without rights have none
 * that could be raised: all streams are equal. */
HipNativeStream
host_stream_new (HipNativeContext native, gint priority, GError ** error)
{
  HostContext *context = native;
  HostStream *stream;

  if (!host_context_check (context, HOST_FAULT_STREAM, error))
    return NULL;

  stream = g_new0 (HostStream, 1);
  if (!host_ring_init (&stream->ring)) {
    g_free (stream);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "Host stream: no memory left for its queue");
    return NULL;
  }
  hip_mutex_init (&stream->lock);
  hip_cond_init (&stream->cond);
  hip_cond_init (&stream->idle_cond);
  stream->context = host_context_ref (context);
  stream->link.data = stream;

  hip_mutex_lock (&context->streams_lock);
  g_queue_push_tail_link (&context->streams, &stream->link);
  hip_mutex_unlock (&context->streams_lock);

  return stream;
}

/* An abandoned stream stays as it is for the rest of the process: its thread
 * may never come back from what it runs, and wakes for nobody but a failure. */
void
host_stream_free (HipNativeContext native, HipNativeStream native_stream,
    gboolean abandon)
{
  HostStream *stream = native_stream;
  HostContext *context = stream->context;

  if (abandon)
    return;

  hip_mutex_lock (&stream->lock);
  stream->quit = TRUE;
  hip_mutex_unlock (&stream->lock);
  hip_cond_signal (&stream->cond);
  if (stream->thread)
    g_thread_join (stream->thread);

  hip_mutex_lock (&context->streams_lock);
  g_queue_unlink (&context->streams, &stream->link);
  hip_mutex_unlock (&context->streams_lock);

  host_ring_clear (&stream->ring);
  hip_mutex_clear (&stream->lock);
  hip_cond_clear (&stream->cond);
  hip_cond_clear (&stream->idle_cond);
  g_free (stream);
  host_context_unref (context);
}

guintptr
host_stream_native (HipNativeStream stream)
{
  return (guintptr) stream;
}

/* What the default stream does comes after everything anyhow (host-native.c). */
gboolean
host_native_wait_event (HipNativeContext context, guintptr stream,
    HipNativeEvent event, GError ** error)
{
  return !stream || host_stream_wait_event (context, (HipNativeStream) stream,
      event, error);
}

GstHipEventState
host_stream_query (HipNativeContext context, HipNativeStream native,
    GError ** error)
{
  HostStream *stream = native;
  gboolean idle;

  if (host_context_is_lost (context)) {
    host_context_lost_error (error);
    return GST_HIP_EVENT_STATE_FAILED;
  }

  hip_mutex_lock (&stream->lock);
  idle = stream->completed == stream->submitted;
  hip_mutex_unlock (&stream->lock);

  return idle ? GST_HIP_EVENT_STATE_DONE : GST_HIP_EVENT_STATE_PENDING;
}

gboolean
host_stream_synchronize (HipNativeContext context, HipNativeStream native,
    GError ** error)
{
  HostStream *stream = native;
  guint64 target;

  hip_mutex_lock (&stream->lock);
  target = stream->submitted;
  stream->idle_waiters++;
  while (stream->completed < target && !host_context_is_lost (stream->context))
    hip_cond_wait (&stream->idle_cond, &stream->lock);
  stream->idle_waiters--;
  hip_mutex_unlock (&stream->lock);

  if (host_context_is_lost (context))
    return host_context_lost_error (error);
  return TRUE;
}

/* The device failed: whoever sleeps for a stream, or in it, looks again. */
void
host_context_wake_streams (HostContext * context)
{
  GList *link;

  hip_mutex_lock (&context->streams_lock);
  for (link = context->streams.head; link; link = link->next) {
    HostStream *stream = link->data;

    hip_mutex_lock (&stream->lock);
    hip_cond_broadcast (&stream->cond);
    hip_cond_broadcast (&stream->idle_cond);
    hip_mutex_unlock (&stream->lock);
  }
  hip_mutex_unlock (&context->streams_lock);
}
