/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Streams, events and copies, which are the host backend's, with the rules for
 * their use.
 *
 * Must not know: what an API calls them.
 */
#include "fake.h"

/* The next piece of work may wait so long: 2 of 3 do not. */
#define REORDER_NS (600 * 1000)

static FakeResult
translate (gboolean ok, GError * error)
{
  g_clear_error (&error);
  return ok ? FAKE_OK : FAKE_FAILED;
}

static FakeResult
state_result (GstHipEventState state, GError * error)
{
  g_clear_error (&error);
  return state == GST_HIP_EVENT_STATE_DONE ? FAKE_OK :
      state == GST_HIP_EVENT_STATE_PENDING ? FAKE_NOT_READY : FAKE_FAILED;
}

static void
check_stream (FakeStream * stream, const gchar * call)
{
  fake_handle_check (stream, FAKE_STREAM, call);
  fake_rule (stream->context == fake_current (call),
      "a stream is used in its context", call);
}

/* How much later than asked for */
static guint64
reorder_ns (void)
{
  static HipMutex lock;
  static GRand *random;
  const gchar *seed = fake_variable ("REORDER");
  guint64 ns;

  if (!seed)
    return 0;
  hip_mutex_lock (&lock);
  if (!random)
    random = g_rand_new_with_seed ((guint32) fake_number ("REORDER", 0));
  ns = g_rand_int_range (random, 0, 3) ? 0 :
      (guint64) g_rand_int_range (random, REORDER_NS / 4, REORDER_NS);
  hip_mutex_unlock (&lock);
  return ns;
}

void
fake_stream_begin (FakeStream * stream, const gchar * call)
{
  guint64 delay_ns = (guint64) fake_number ("DELAY_US", 0) * 1000
      + reorder_ns ();

  check_stream (stream, call);
  if (delay_ns)
    host_inject_delay (stream->host, delay_ns);
}

/* --- functions --- */

typedef struct
{
  HipNativeContext host;
  HipNativeEvent begin;         /* the stream has come to it */
  HipNativeEvent end;           /* the stream waits for this */
  HostRecord *record;
  void (*func) (gpointer data, gboolean ran);
  gpointer data;
} Call;

static gpointer
call_main (gpointer data)
{
  Call *call = data;
  g_autoptr (GError) error = NULL;

  call->func (call->data, host_event_synchronize (call->host, call->begin,
          &error));
  host_record_end (call->record, GST_HIP_EVENT_STATE_DONE);
  host_record_unref (call->record);
  host_event_free (call->host, call->begin);
  host_event_free (call->host, call->end);
  g_free (call);
  return NULL;
}

gboolean
fake_stream_call (FakeStream * stream, void (*func) (gpointer data,
        gboolean ran), gpointer data)
{
  HipNativeContext host = stream->context->host;
  guint64 delay_ns = (guint64) fake_number ("DELAY_US", 0) * 1000
      + reorder_ns ();
  g_autoptr (GError) error = NULL;
  Call *call;

  fake_handle_check (stream, FAKE_STREAM, G_STRFUNC);
  if (g_atomic_int_get (&stream->context->lost))
    return FALSE;
  if (delay_ns)
    host_inject_delay (stream->host, delay_ns);
  call = g_new0 (Call, 1);
  call->host = host;
  call->func = func;
  call->data = data;
  call->begin = host_event_new (host, FALSE, &error);
  call->end = host_event_new (host, FALSE, &error);
  if (!call->begin || !call->end || !host_stream_record (host, call->begin,
          stream->host, &error)) {
    if (call->begin)
      host_event_free (host, call->begin);
    if (call->end)
      host_event_free (host, call->end);
    g_free (call);
    return FALSE;
  }
  call->record = host_event_begin_record (call->end);
  host_stream_wait_event (host, stream->host, call->end, &error);
  g_thread_unref (g_thread_new ("fake-call", call_main, call));
  return TRUE;
}

/* --- streams --- */

static HipMutex streams_lock;
static GPtrArray *streams;

static gboolean
streams_are_idle (FakeContext * context)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&streams_lock);
  gboolean idle = TRUE;

  for (guint i = 0; streams && i < streams->len && idle; i++) {
    FakeStream *stream = g_ptr_array_index (streams, i);
    g_autoptr (GError) error = NULL;

    idle = stream->context != context || host_stream_query (context->host,
        stream->host, &error) != GST_HIP_EVENT_STATE_PENDING;
  }
  return idle;
}

void
fake_wait_for_device (FakeContext * context)
{
  fake_close_door (TRUE);
  while (!streams_are_idle (context))
    g_usleep (200);
  fake_close_door (FALSE);
}

static void
note_stream (FakeStream * stream, gboolean lives)
{
  hip_mutex_lock (&streams_lock);
  if (!streams)
    streams = g_ptr_array_new ();
  if (lives)
    g_ptr_array_add (streams, stream);
  else
    g_ptr_array_remove_fast (streams, stream);
  hip_mutex_unlock (&streams_lock);
}

FakeResult
fake_stream_new (FakeStream ** stream, gint priority, const gchar * call)
{
  FakeContext *context = fake_current (call);
  GError *error = NULL;
  HipNativeStream host = host_stream_new (context->host, priority, &error);

  if (!host)
    return translate (FALSE, error);
  *stream = g_new0 (FakeStream, 1);
  (*stream)->context = context;
  (*stream)->host = host;
  fake_handle_add (*stream, FAKE_STREAM);
  note_stream (*stream, TRUE);
  return FAKE_OK;
}

FakeStream *
fake_stream_default (const gchar * call)
{
  static HipMutex lock;
  FakeContext *context = fake_current (call);

  hip_mutex_lock (&lock);
  if (!context->stream)
    fake_stream_new (&context->stream, 0, call);
  hip_mutex_unlock (&lock);
  return context->stream;
}

void
fake_stream_free_default (FakeContext * context)
{
  GError *error = NULL;

  if (!context->stream)
    return;
  fake_handle_remove (context->stream);
  note_stream (context->stream, FALSE);
  if (!host_stream_synchronize (context->host, context->stream->host, &error))
    g_clear_error (&error);
  host_stream_free (context->host, context->stream->host, FALSE);
  g_clear_pointer (&context->stream, g_free);
}

FakeResult
fake_stream_free (FakeStream * stream, const gchar * call)
{
  GError *error = NULL;

  check_stream (stream, call);
  if (stream->ends_late
      && !host_stream_synchronize (stream->context->host, stream->host, &error))
    g_clear_error (&error);
  fake_rule (host_stream_query (stream->context->host, stream->host, &error)
      != GST_HIP_EVENT_STATE_PENDING, "a stream is idle when destroyed", call);
  g_clear_error (&error);
  fake_handle_remove (stream);
  note_stream (stream, FALSE);
  host_stream_free (stream->context->host, stream->host, FALSE);
  g_free (stream);
  return FAKE_OK;
}

FakeResult
fake_stream_query (FakeStream * stream, const gchar * call)
{
  GError *error = NULL;
  GstHipEventState state;

  check_stream (stream, call);
  state = host_stream_query (stream->context->host, stream->host, &error);
  return state_result (state, error);
}

FakeResult
fake_stream_synchronize (FakeStream * stream, const gchar * call)
{
  GError *error = NULL;
  gboolean ok;

  check_stream (stream, call);
  ok = host_stream_synchronize (stream->context->host, stream->host, &error);
  return translate (ok, error);
}

FakeResult
fake_stream_wait_event (FakeStream * stream, FakeEvent * event,
    const gchar * call)
{
  GError *error = NULL;
  gboolean ok;

  check_stream (stream, call);
  fake_handle_check (event, FAKE_EVENT, call);
  if (!g_atomic_int_get (&event->recorded))
    return FAKE_OK;
  ok = host_stream_wait_event (stream->context->host, stream->host,
      event->host, &error);
  return translate (ok, error);
}

/* --- events --- */

FakeResult
fake_event_new (FakeEvent ** event, gboolean timed, const gchar * call)
{
  FakeContext *context = fake_current (call);
  GError *error = NULL;
  HipNativeEvent host = host_event_new (context->host, timed, &error);

  if (!host)
    return translate (FALSE, error);
  *event = g_new0 (FakeEvent, 1);
  (*event)->context = context;
  (*event)->host = host;
  (*event)->timed = timed;
  fake_handle_add (*event, FAKE_EVENT);
  return FAKE_OK;
}

FakeResult
fake_event_free (FakeEvent * event, const gchar * call)
{
  fake_handle_check (event, FAKE_EVENT, call);
  fake_rule (event->context == fake_current (call),
      "an event is destroyed in its context", call);
  fake_handle_remove (event);
  host_event_free (event->context->host, event->host);
  g_free (event);
  return FAKE_OK;
}

FakeResult
fake_event_record (FakeEvent * event, FakeStream * stream, const gchar * call)
{
  GError *error = NULL;
  gboolean ok;

  check_stream (stream, call);
  fake_handle_check (event, FAKE_EVENT, call);
  fake_rule (event->context == stream->context,
      "event and stream are of one context", call);
  ok = host_stream_record (event->context->host, event->host, stream->host,
      &error);
  g_atomic_int_set (&event->recorded, TRUE);
  return translate (ok, error);
}

FakeResult
fake_event_query (FakeEvent * event, const gchar * call)
{
  GError *error = NULL;
  GstHipEventState state;

  fake_handle_check (event, FAKE_EVENT, call);
  if (!g_atomic_int_get (&event->recorded))
    return FAKE_OK;
  state = host_event_query (event->context->host, event->host, &error);
  return state_result (state, error);
}

FakeResult
fake_event_synchronize (FakeEvent * event, const gchar * call)
{
  GError *error = NULL;
  gboolean ok;

  fake_handle_check (event, FAKE_EVENT, call);
  if (!g_atomic_int_get (&event->recorded))
    return FAKE_OK;
  ok = host_event_synchronize (event->context->host, event->host, &error);
  return translate (ok, error);
}

FakeResult
fake_event_elapsed (gfloat * ms, FakeEvent * start, FakeEvent * stop,
    const gchar * call)
{
  GError *error = NULL;
  gdouble ns = 0;
  gboolean ok;

  fake_handle_check (start, FAKE_EVENT, call);
  fake_handle_check (stop, FAKE_EVENT, call);
  if (!start->timed || !stop->timed || !g_atomic_int_get (&start->recorded)
      || !g_atomic_int_get (&stop->recorded))
    return FAKE_BAD_HANDLE;
  fake_rule (start->context == stop->context,
      "time passes between events of one context", call);
  if (fake_event_query (stop, call) == FAKE_NOT_READY)
    return FAKE_NOT_READY;
  ok = host_event_elapsed (start->context->host, start->host, stop->host, &ns,
      &error);
  *ms = (gfloat) (ns / 1e6);
  return translate (ok, error);
}

/* --- copies --- */

FakeResult
fake_copy (FakeStream * stream, const HipCopy2D * what, const gchar * call)
{
  GError *error = NULL;
  gboolean ok;

  fake_rule (what->rows == 1 || (what->dst_stride >= what->row_bytes
          && what->src_stride >= what->row_bytes), "rows do not overlap", call);
  fake_stream_begin (stream, call);
  fake_memory_check (stream, what->dst,
      (what->rows - 1) * what->dst_stride + what->row_bytes, call);
  fake_memory_check (stream, what->src,
      (what->rows - 1) * what->src_stride + what->row_bytes, call);
  ok = host_stream_copy_2d (stream->context->host, stream->host, what, &error);
  fake_memory_use (stream, what->dst);
  fake_memory_use (stream, what->src);
  if (ok && fake_memory_is_host (what->dst) && fake_memory_is_host (what->src))
    ok = host_stream_synchronize (stream->context->host, stream->host, &error);
  return translate (ok, error);
}

FakeResult
fake_copy_peer (FakeStream * stream, FakeContext * from,
    const HipCopy2D * what, const gchar * call)
{
  FakeStream in_from = { from, stream->host };
  GError *error = NULL;
  gboolean ok;

  fake_handle_check (from, FAKE_CONTEXT, call);
  fake_stream_begin (stream, call);
  fake_memory_check (stream, what->dst,
      (what->rows - 1) * what->dst_stride + what->row_bytes, call);
  fake_memory_check (&in_from, what->src,
      (what->rows - 1) * what->src_stride + what->row_bytes, call);
  ok = host_stream_copy_2d (stream->context->host, stream->host, what, &error);
  fake_memory_use (stream, what->dst);
  fake_memory_use (stream, what->src);
  return translate (ok, error);
}

FakeResult
fake_fill (FakeStream * stream, guintptr address, guint8 value, gsize size,
    const gchar * call)
{
  return fake_fill_units (stream, address, value, 1, size, call);
}

FakeResult
fake_fill_units (FakeStream * stream, guintptr address, guint32 value,
    guint unit_bytes, gsize count, const gchar * call)
{
  GError *error = NULL;
  gboolean ok;

  fake_stream_begin (stream, call);
  fake_rule (address % unit_bytes == 0, "what is filled is aligned", call);
  fake_memory_check (stream, address, count * unit_bytes, call);
  ok = host_stream_fill_units (stream->context->host, stream->host, address,
      count, unit_bytes, value, &error);
  fake_memory_use (stream, address);
  return translate (ok, error);
}
