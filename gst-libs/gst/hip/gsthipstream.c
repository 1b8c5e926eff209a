/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is done in order on a device, and how is it queued?
 *
 * Nothing here waits except what says "Blocking". A stream's last reference
 * may go while work is queued: a worker waits until the driver's stream is
 * idle and frees it then, or abandons it after GST_HIP_SHUTDOWN_TIMEOUT (I6).
 * Serial numbers never repeat; "the same stream" is decided by them, because
 * addresses do.
 *
 * Must not know: who orders accesses to a memory (that is the memory's
 * begin/end access); copies and fills order nothing by themselves.
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
/* Streams that one waits for again and again: before and behind it, a tee's others */
#define N_WAITED 4

/* How far this stream waits for another one already */
typedef struct
{
  guint64 serial;
  guint64 covered;              /* what had ended when the last one waited for began */
  guint64 last;                 /* that one itself */
} Waited;

struct _GstHipStream
{
  GstMiniObject mini_object;

  HipContext *context;
  HipNativeStream native;
  HipLane *lane;
  guint64 serial;
  atomic_uint_least64_t n_records;

  HipMutex lock;                /* guards what follows */
  Waited waited[N_WAITED];
  guint next_waited;            /* whose place the next stream gets */
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
  hip_mutex_clear (&stream->lock);
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

static GstHipStream *
stream_new (HipContext * context, gint priority, GError ** error)
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
  hip_mutex_init (&stream->lock);

  return stream;
}

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

/* Does stream wait for that already, because it waits for something behind it
 * on the same stream? */
static gboolean
has_waited (GstHipStream * stream, const HipRecord * record)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&stream->lock);

  for (guint i = 0; i < N_WAITED; i++) {
    const Waited *waited = &stream->waited[i];

    if (waited->serial == record->serial)
      return record->end <= waited->covered || record->end == waited->last;
  }
  return FALSE;
}

/* Once the wait is queued: what comes after it on stream comes after record. */
static void
note_waited (GstHipStream * stream, const HipRecord * record)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&stream->lock);
  Waited *waited = NULL;

  for (guint i = 0; i < N_WAITED && !waited; i++) {
    if (stream->waited[i].serial == record->serial)
      waited = &stream->waited[i];
  }
  if (!waited) {
    waited = &stream->waited[stream->next_waited];
    stream->next_waited = (stream->next_waited + 1) % N_WAITED;
    waited->serial = record->serial;
    waited->covered = waited->last = 0;
  }
  waited->covered = MAX (waited->covered, record->begin);
  waited->last = MAX (waited->last, record->end);
}

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
  stream = stream_new (context, 0, error);
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

/**
 * gst_hip_stream_new:
 * @vendor: which backend; %GST_HIP_VENDOR_UNKNOWN: chosen as gst_hip_device_new() does
 * @device_id: ordinal of the device within it
 *
 * Makes a stream of normal priority. The device stays open while it lives.
 *
 * Blocking: while a device is opened for the first time.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new stream, or %NULL if the device
 *   cannot be opened or has no stream left (the reason is logged)
 *
 * Since: 1.30
 */
GstHipStream *
gst_hip_stream_new (GstHipVendor vendor, guint device_id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HipContext) context = NULL;
  GstHipStream *stream = NULL;

  context = hip_context_acquire (vendor, device_id, &error);
  if (context)
    stream = stream_new (context, 0, &error);
  if (!stream)
    GST_ERROR ("no stream: %s", error->message);

  return stream;
}

/**
 * gst_hip_stream_new_full:
 * @device: a #GstHipDevice
 * @priority: 0 is normal, lower is more urgent; clamped to what the device has
 * @error: return location for an error
 *
 * Makes a stream: work queued on it is done in order, and at the same time as
 * that of other streams.
 *
 * Errors: OUT_OF_MEMORY, DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new stream
 *
 * Since: 1.30
 */
GstHipStream *
gst_hip_stream_new_full (GstHipDevice * device, gint priority, GError ** error)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);

  return stream_new (hip_device_get_context (device), priority, error);
}

/**
 * gst_hip_stream_get_vendor:
 * @stream: a #GstHipStream
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the vendor of the stream's device
 *
 * Since: 1.30
 */
GstHipVendor
gst_hip_stream_get_vendor (GstHipStream * stream)
{
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), GST_HIP_VENDOR_UNKNOWN);

  return stream->context->info.vendor;
}

/**
 * gst_hip_stream_get_device_id:
 * @stream: a #GstHipStream
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the ordinal of the stream's device within its vendor
 *
 * Since: 1.30
 */
guint
gst_hip_stream_get_device_id (GstHipStream * stream)
{
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), 0);

  return stream->context->info.device_id;
}

/**
 * gst_hip_stream_is_for_device:
 * @stream: a #GstHipStream
 * @device: a #GstHipDevice
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @stream belongs to @device or one that is equal to it
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_is_for_device (GstHipStream * stream, GstHipDevice * device)
{
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), FALSE);

  return stream->context == hip_device_get_context (device);
}

/**
 * gst_hip_stream_get_native_handle:
 * @stream: a #GstHipStream
 *
 * For native calls of the driver: a CUstream, a hipStream_t, on the host a
 * number that means nothing outside. It lives as long as @stream.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the driver's handle
 *
 * Since: 1.30
 */
guintptr
gst_hip_stream_get_native_handle (GstHipStream * stream)
{
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), 0);

  return stream->context->backend->stream_native (stream->native);
}

/**
 * gst_hip_stream_record:
 * @stream: a #GstHipStream
 * @timed: whether gst_hip_event_get_elapsed() will be asked
 * @error: return location for an error
 *
 * Records an event behind all work that is queued now.
 *
 * Errors: OUT_OF_MEMORY, DEVICE_LOST, FAILED.
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): an event that is done when that work is
 *
 * Since: 1.30
 */
GstHipEvent *
gst_hip_stream_record (GstHipStream * stream, gboolean timed, GError ** error)
{
  GstHipEvent *event;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), NULL);

  event = hip_event_acquire (stream->context, timed, error);
  if (event && !gst_hip_event_record_on_stream (event, stream, error))
    gst_clear_hip_event (&event);
  /* What was queued runs on, and nothing can tell when it is done: whoever gets
   * no event may free what that work uses. */
  if (!event)
    gst_hip_stream_synchronize (stream);

  return event;
}

/**
 * gst_hip_stream_record_event:
 * @stream: a #GstHipStream
 * @event: (out) (nullable) (transfer full): the event
 *
 * gst_hip_stream_record(), not timed, with its error logged.
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 *
 * Threads: any.
 *
 * Returns: whether @event was set
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_record_event (GstHipStream * stream, GstHipEvent ** event)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (event != NULL, FALSE);

  *event = gst_hip_stream_record (stream, FALSE, &error);
  if (!*event)
    GST_ERROR ("no event recorded: %s", error->message);

  return *event != NULL;
}

/**
 * gst_hip_stream_wait_event:
 * @stream: a #GstHipStream
 * @event: a #GstHipEvent of the same vendor
 * @error: return location for an error
 *
 * Makes what is queued on @stream from now on wait, on the device, until
 * @event is done. Nothing is queued where that is known already: for an event
 * of @stream itself, one that is done, one that was never recorded, or one that
 * @stream waits for anyhow because it waits for a later one of that stream.
 *
 * Errors: UNSUPPORTED for another vendor's event, DEVICE_LOST if the event's
 * device failed, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @stream will wait, or need not
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_wait_event (GstHipStream * stream, GstHipEvent * event,
    GError ** error)
{
  HipContext *context;
  GError *failure = NULL;
  HipRecord record;
  gboolean queued;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), FALSE);

  context = stream->context;
  if (hip_event_is_known_done (event))
    return TRUE;
  if (hip_event_get_context (event)->backend != context->backend) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "a stream of %s cannot wait on the device for an event of %s",
        context->backend->name, hip_event_get_context (event)->backend->name);
    return FALSE;
  }
  if (hip_context_is_lost (hip_event_get_context (event))) {
    hip_context_set_lost_error (hip_event_get_context (event), error);
    return FALSE;
  }
  record = hip_event_get_record (event);
  if (record.serial == stream->serial || has_waited (stream, &record))
    return TRUE;

  if (!hip_context_enter (context, error))
    return FALSE;
  queued = context->backend->stream_wait_event (context->native,
      stream->native, hip_event_get_native (event), &failure);
  hip_context_leave (context);
  if (!queued)
    return hip_context_failed_with (context, error, failure);

  note_waited (stream, &record);
  return TRUE;
}

/**
 * gst_hip_stream_synchronize_full:
 * @stream: a #GstHipStream
 * @error: return location for an error
 *
 * Waits until all work that is queued now has finished.
 *
 * Errors: DEVICE_LOST and what the device reports where that work failed.
 *
 * Blocking: waits for the device.
 *
 * Threads: any.
 *
 * Returns: whether the work finished
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_synchronize_full (GstHipStream * stream, GError ** error)
{
  HipContext *context;
  GError *failure = NULL;
  gboolean done;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);

  context = stream->context;
  if (!hip_context_enter (context, error))
    return FALSE;
  done = context->backend->stream_synchronize (context->native,
      stream->native, &failure);
  hip_context_leave (context);

  return done || hip_context_wait_failed_with (context, error, failure);
}

/**
 * gst_hip_stream_synchronize:
 * @stream: a #GstHipStream
 *
 * gst_hip_stream_synchronize_full() with its error logged.
 *
 * Blocking: waits for the device.
 *
 * Threads: any.
 *
 * Returns: whether the work finished
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_synchronize (GstHipStream * stream)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);

  if (gst_hip_stream_synchronize_full (stream, &error))
    return TRUE;
  GST_ERROR ("cannot wait for the stream: %s", error->message);

  return FALSE;
}

/**
 * gst_hip_stream_ref:
 * @stream: a #GstHipStream
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): @stream
 *
 * Since: 1.30
 */
GstHipStream *
gst_hip_stream_ref (GstHipStream * stream)
{
  return (GstHipStream *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (stream));
}

/**
 * gst_hip_stream_unref:
 * @stream: (transfer full): a #GstHipStream
 *
 * With the last reference the stream ends once its work is done; nobody waits
 * for that.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_stream_unref (GstHipStream * stream)
{
  HIP_REFERENCE_DROPPED (stream);
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (stream));
}

/**
 * gst_clear_hip_stream: (skip)
 * @stream: (inout) (nullable): location of a stream
 *
 * Drops the reference in @stream, if there is one, and sets it to %NULL.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_clear_hip_stream (GstHipStream ** stream)
{
  g_clear_pointer (stream, gst_hip_stream_unref);
}
