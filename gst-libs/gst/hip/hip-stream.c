/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When do streams begin and end?
 *
 * A stream's last reference may go while work is queued: a worker waits until
 * the driver's stream is idle and frees it then, or abandons it after
 * GST_HIP_SHUTDOWN_TIMEOUT (I6). Serial numbers never repeat; "the same stream"
 * is decided by them, because addresses do.
 *
 * Must not know: what is queued.
 */
#include <stdatomic.h>

#include "hip-stream.h"
#include "gsthiperror.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_stream_debug, "hipstream", "HIP streams")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_stream_debug ()

#define DEFAULT_TIMEOUT_S 5
#define MIN_SLEEP_US 50
#define MAX_SLEEP_US 20000

struct _GstHipStream
{
  GstMiniObject mini_object;

  HipContext *context;
  HipNativeStream native;
  HipLane *lane;
  guint64 serial;
  atomic_uint_least64_t n_records;

  HipWaits waits;
};

/* Configurations of pools hold a stream, and GStreamer compares them. */
static gint
compare_values (const GValue * a, const GValue * b)
{
  return g_value_get_boxed (a) == g_value_get_boxed (b) ? GST_VALUE_EQUAL :
      GST_VALUE_UNORDERED;
}

/* With the first stream, not with the type, which may be asked for before
 * GStreamer is initialised: introspection does. */
static void
register_compare (void)
{
  /* GStreamer keeps the address */
  static GstValueTable table = {.compare = compare_values };
  static gsize once;

  if (g_once_init_enter (&once)) {
    table.type = GST_TYPE_HIP_STREAM;
    gst_value_register (&table);
    g_once_init_leave (&once, 1);
  }
}

GST_DEFINE_MINI_OBJECT_TYPE (GstHipStream, gst_hip_stream);

guint64
hip_stream_next_serial (void)
{
  static HipMutex lock;
  static guint64 last;
  guint64 serial;

  hip_mutex_lock (&lock);
  serial = ++last;
  hip_mutex_unlock (&lock);

  return serial;
}

/* --- the end --- */

static gint64
shutdown_timeout_us (void)
{
  const gchar *value = g_getenv ("GST_HIP_SHUTDOWN_TIMEOUT");
  guint64 seconds = DEFAULT_TIMEOUT_S;

  if (value && !g_ascii_string_to_unsigned (value, 10, 0, 3600, &seconds, NULL))
    seconds = DEFAULT_TIMEOUT_S;

  return seconds * G_TIME_SPAN_SECOND;
}

/* TRUE: idle or failed, so that nothing of it runs any more. Sleeps between
 * questions: a wait in the driver could not be given up. */
static gboolean
stream_wait_idle (GstHipStream * stream)
{
  HipContext *context = stream->context;
  gint64 end = g_get_monotonic_time () + shutdown_timeout_us ();
  gulong sleep_us = MIN_SLEEP_US;

  for (;;) {
    g_autoptr (GError) error = NULL;
    GstHipEventState state;

    state = context->backend->stream_query (context->native, stream->native,
        &error);
    if (error)
      hip_context_wait_failed (context, error);
    if (state != GST_HIP_EVENT_STATE_PENDING)
      return TRUE;
    if (g_get_monotonic_time () >= end || hip_is_exiting ())
      return FALSE;
    g_usleep (sleep_us);
    sleep_us = MIN (sleep_us * 2, MAX_SLEEP_US);
    if (hip_is_exiting ())
      return FALSE;
  }
}

/* On a worker */
static void
stream_close (gpointer data)
{
  GstHipStream *stream = data;
  HipContext *context = stream->context;
  gboolean idle = TRUE;

  /* Where it cannot be entered the device is lost, and the driver's stream
   * with it. */
  if (hip_context_enter_for_free (context)) {
    idle = stream_wait_idle (stream);
    if (hip_is_exiting ())
      return;
    context->backend->stream_free (context->native, stream->native, !idle);
    hip_context_leave (context);
  } else if (hip_is_exiting ()) {
    return;
  }

  hip_lane_unref (stream->lane);
  hip_waits_clear (&stream->waits);
  g_free (stream);
  if (idle) {
    hip_context_unref (context);
    return;
  }
  /* What still runs may use anything of the context, which stays. */
  GST_ERROR ("TIMEOUT: a stream of %s device %u is not idle %d s after its "
      "last reference went: abandoned, with its thread and its memory (see "
      "GST_HIP_SHUTDOWN_TIMEOUT)", context->backend->name,
      context->info.device_id,
      (gint) (shutdown_timeout_us () / G_TIME_SPAN_SECOND));
}

static void
stream_free (GstMiniObject * object)
{
  GstHipStream *stream = (GstHipStream *) object;

  HIP_REFERENCE_LAST (object);
  hip_lane_retire (stream->lane);
  hip_worker_run (stream_close, stream);
}

/* --- the beginning --- */

GstHipStream *
hip_stream_new (HipContext * context, gint priority, GError ** error)
{
  GstHipStream *stream;
  HipNativeStream native;
  GError *failure = NULL;

  if (!hip_context_enter (context, error))
    return NULL;
  native = context->backend->stream_new (context->native, priority, &failure);
  hip_context_leave (context);
  if (!native) {
    hip_context_failed_with (context, error, failure);
    return NULL;
  }

  register_compare ();
  stream = g_new0 (GstHipStream, 1);
  gst_mini_object_init (GST_MINI_OBJECT_CAST (stream), 0, GST_TYPE_HIP_STREAM,
      NULL, NULL, stream_free);
  stream->context = hip_context_ref (context);
  stream->native = native;
  stream->lane = hip_lane_new ();
  stream->serial = hip_stream_next_serial ();
  hip_waits_init (&stream->waits);

  return stream;
}

/* --- what others see --- */

HipContext *
hip_stream_get_context (GstHipStream * stream)
{
  return stream->context;
}

HipNativeStream
hip_stream_get_native (GstHipStream * stream)
{
  return stream->native;
}

HipLane *
hip_stream_get_lane (GstHipStream * stream)
{
  return stream->lane;
}

guint64
hip_stream_get_serial (GstHipStream * stream)
{
  return stream->serial;
}

guint64
hip_stream_record_begin (GstHipStream * stream)
{
  return atomic_load (&stream->n_records);
}

guint64
hip_stream_record_end (GstHipStream * stream)
{
  return atomic_fetch_add (&stream->n_records, 1) + 1;
}

HipWaits *
hip_stream_get_waits (GstHipStream * stream)
{
  return &stream->waits;
}

/* --- the default stream --- */

void
hip_context_add_device (HipContext * context)
{
  hip_mutex_lock (&context->lock);
  context->n_devices++;
  hip_mutex_unlock (&context->lock);
}

void
hip_context_remove_device (HipContext * context)
{
  GstHipStream *stream = NULL;

  hip_mutex_lock (&context->lock);
  if (--context->n_devices == 0)
    stream = g_steal_pointer (&context->default_stream);
  hip_mutex_unlock (&context->lock);
  gst_clear_hip_stream (&stream);
}

GstHipStream *
hip_context_get_default_stream (HipContext * context, GError ** error)
{
  GstHipStream *stream = NULL, *unused = NULL;

  hip_mutex_lock (&context->lock);
  if (context->default_stream)
    stream = gst_hip_stream_ref (context->default_stream);
  hip_mutex_unlock (&context->lock);
  if (stream)
    return stream;

  /* No lock while the driver is called: the first one that is there stays. */
  stream = hip_stream_new (context, 0, error);
  if (!stream)
    return NULL;
  hip_mutex_lock (&context->lock);
  if (context->default_stream) {
    unused = stream;
    stream = gst_hip_stream_ref (context->default_stream);
  } else if (context->n_devices > 0) {
    context->default_stream = gst_hip_stream_ref (stream);
  }
  hip_mutex_unlock (&context->lock);
  gst_clear_hip_stream (&unused);

  return stream;
}
