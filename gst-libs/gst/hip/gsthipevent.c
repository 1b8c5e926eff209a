/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Has the device come that far?
 *
 * An event is recorded on a stream and ends (done or failed) when the work
 * before it has. Its state is three-valued (I6) and is remembered once it has
 * ended. Events are recycled, objects and driver's handles both, through two
 * caches of their context, so that steady state makes neither. A cached event
 * holds no reference on its context; one whose work is still pending waits in
 * its cache until that is done.
 *
 * Must not know: streams' inside; who waits for events and why.
 */
#include "hip-stream.h"
#include "gsthiperror.h"

/* The state word: what is below, and how often the event was recorded above,
 * so that an answer about an older record cannot end a newer one. */
typedef enum
{
  EVENT_UNRECORDED,
  EVENT_PENDING,
  EVENT_DONE,
  EVENT_FAILED,
} EventState;

#define WORD_STATE(word) ((EventState) ((word) & 3))
#define WORD_NEXT(word, state) ((((word) | 3) + 1) | (state))
#define WORD_WITH(word, state) (((word) & ~3u) | (state))

struct _GstHipEvent
{
  GstMiniObject mini_object;

  HipContext *context;          /* NULL while cached */
  HipNativeEvent native;
  gboolean timed;
  guint word;                   /* atomic */
  gint recording;               /* atomic: some thread is at it */

  HipMutex lock;                /* guards what follows; no other is taken under it */
  HipLane *lane;                /* of the stream that it was recorded on */
  HipRecord record;

  GstHipEvent *next;            /* in a cache */
};

struct _HipEventCache
{
  HipMutex lock;
  GstHipEvent *ready;           /* ended: reused last in, first out */
  GstHipEvent *first_pending, *last_pending;
};

GST_DEFINE_MINI_OBJECT_TYPE (GstHipEvent, gst_hip_event);

static gint native_count;

HipEventCache *
hip_event_cache_new (void)
{
  HipEventCache *cache = g_new0 (HipEventCache, 1);

  hip_mutex_init (&cache->lock);

  return cache;
}

static void
cache_push (HipEventCache * cache, GstHipEvent * event, gboolean ready)
{
  hip_mutex_lock (&cache->lock);
  if (ready) {
    event->next = cache->ready;
    cache->ready = event;
  } else {
    event->next = NULL;
    if (cache->last_pending)
      cache->last_pending->next = event;
    else
      cache->first_pending = event;
    cache->last_pending = event;
  }
  hip_mutex_unlock (&cache->lock);
}

/* An event that has ended, else the one that is pending longest */
static GstHipEvent *
cache_pop (HipEventCache * cache)
{
  GstHipEvent *event;

  hip_mutex_lock (&cache->lock);
  event = cache->ready;
  if (event) {
    cache->ready = event->next;
  } else if ((event = cache->first_pending)) {
    cache->first_pending = event->next;
    if (!cache->first_pending)
      cache->last_pending = NULL;
  }
  hip_mutex_unlock (&cache->lock);
  if (event)
    event->next = NULL;

  return event;
}

void
hip_event_cache_free (HipContext * context, HipEventCache * cache)
{
  GstHipEvent *event;

  while ((event = cache_pop (cache))) {
    context->backend->event_free (context->native, event->native);
    gst_mini_object_unref (GST_MINI_OBJECT_CAST (event));
  }
  hip_mutex_clear (&cache->lock);
  g_free (cache);
}

/* Remembers the answer about the record that word stands for. What was recorded
 * before it on the same stream is done with it, whoever asks for that. */
static void
event_set_ended (GstHipEvent * event, guint word, EventState state)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&event->lock);

  if (!g_atomic_int_compare_and_exchange ((gint *) & event->word, (gint) word,
          (gint) WORD_WITH (word, state)))
    return;
  if (state == EVENT_DONE && event->lane)
    hip_lane_passed (event->lane, event->record.begin);
}

/* What is known without asking the driver */
static EventState
event_recall (GstHipEvent * event)
{
  guint word = g_atomic_int_get (&event->word);

  if (WORD_STATE (word) != EVENT_PENDING)
    return WORD_STATE (word);

  hip_mutex_lock (&event->lock);
  word = g_atomic_int_get (&event->word);
  if (WORD_STATE (word) == EVENT_PENDING && event->lane
      && event->record.end > 0
      && event->record.end <= hip_lane_get_passed (event->lane)) {
    word = WORD_WITH (word, EVENT_DONE);
    g_atomic_int_set (&event->word, word);
  }
  hip_mutex_unlock (&event->lock);

  return WORD_STATE (word);
}

/* Asks the driver, never waits. context: the cached event has none. */
static EventState
event_poll (GstHipEvent * event, HipContext * context)
{
  guint word = g_atomic_int_get (&event->word);
  g_autoptr (GError) error = NULL;
  EventState state = event_recall (event);

  if (state != EVENT_PENDING)
    return state;

  state = EVENT_FAILED;
  if (hip_context_enter (context, &error)) {
    GstHipEventState answer =
        context->backend->event_query (context->native, event->native, &error);

    hip_context_leave (context);
    if (answer == GST_HIP_EVENT_STATE_PENDING)
      return EVENT_PENDING;
    if (answer == GST_HIP_EVENT_STATE_DONE)
      state = EVENT_DONE;
    else
      hip_context_wait_failed (context, error);
  } else if (hip_is_exiting ()) {
    return EVENT_FAILED;
  }
  event_set_ended (event, word, state);

  return state;
}

/* Sleeps in the driver until a pending event has ended. */
static gboolean
event_wait (GstHipEvent * event, GError ** error)
{
  HipContext *context = event->context;
  guint word = g_atomic_int_get (&event->word);
  GError *failure = NULL;
  gboolean done = FALSE;

  if (!hip_context_enter (context, &failure)) {
    if (!hip_is_exiting ())
      event_set_ended (event, word, EVENT_FAILED);
    g_propagate_error (error, failure);
    return FALSE;
  }
  done = context->backend->event_synchronize (context->native, event->native,
      &failure);
  /* Not after exit () has begun: the driver may be gone. */
  if (!hip_is_exiting ())
    hip_context_leave (context);
  event_set_ended (event, word, done ? EVENT_DONE : EVENT_FAILED);

  return done || hip_context_wait_failed_with (context, error, failure);
}

GstHipEventState
hip_event_wait_ended (GstHipEvent * event)
{
  EventState state = event_recall (event);

  /* Backends ask before they sleep. */
  if (state == EVENT_PENDING)
    state = event_wait (event, NULL) ? EVENT_DONE : EVENT_FAILED;
  if (hip_is_exiting ())
    return GST_HIP_EVENT_STATE_PENDING;

  return state == EVENT_FAILED ? GST_HIP_EVENT_STATE_FAILED :
      GST_HIP_EVENT_STATE_DONE;
}

/* The last reference went. FALSE: the event lives on in its cache. */
static gboolean
event_dispose (GstMiniObject * object)
{
  GstHipEvent *event = (GstHipEvent *) object;
  HipContext *context = event->context;
  EventState state = event_recall (event);

  HIP_REFERENCE_LAST (object);
  /* Of a pending one it tells when it may be used again. */
  if (event->lane && state != EVENT_PENDING)
    hip_lane_unref (g_steal_pointer (&event->lane));
  if (!context || state == EVENT_FAILED || hip_context_is_lost (context))
    return TRUE;

  gst_mini_object_ref (object);
  event->context = NULL;
  cache_push (context->event_caches[event->timed], event,
      state != EVENT_PENDING);
  hip_context_unref (context);

  return FALSE;
}

static void
event_destroy (GstHipEvent * event)
{
  if (event->lane)
    hip_lane_unref (event->lane);
  hip_mutex_clear (&event->lock);
  g_free (event);
}

/* On a worker */
static void
event_close (gpointer data)
{
  GstHipEvent *event = data;
  HipContext *context = event->context;

  if (hip_context_enter_for_free (context)) {
    context->backend->event_free (context->native, event->native);
    hip_context_leave (context);
  }
  event_destroy (event);
  hip_context_unref (context);
}

static void
event_free (GstMiniObject * object)
{
  GstHipEvent *event = (GstHipEvent *) object;

  /* The driver's handle of one that comes from a cache is freed already. */
  if (event->context)
    hip_worker_run (event_close, event);
  else
    event_destroy (event);
}

static GstHipEvent *
event_new (HipContext * context, gboolean timed, GError ** error)
{
  GstHipEvent *event;
  HipNativeEvent native;
  GError *failure = NULL;

  if (!hip_context_enter (context, error))
    return NULL;
  native = context->backend->event_new (context->native, timed, &failure);
  hip_context_leave (context);
  if (!native) {
    hip_context_failed_with (context, error, failure);
    return NULL;
  }

  g_atomic_int_inc (&native_count);
  event = g_new0 (GstHipEvent, 1);
  gst_mini_object_init (GST_MINI_OBJECT_CAST (event), 0, GST_TYPE_HIP_EVENT,
      NULL, event_dispose, event_free);
  hip_mutex_init (&event->lock);
  event->native = native;
  event->timed = timed;

  return event;
}

GstHipEvent *
hip_event_acquire (HipContext * context, gboolean timed, GError ** error)
{
  HipEventCache *cache = context->event_caches[timed ? 1 : 0];
  GstHipEvent *event = cache_pop (cache);

  if (event) {
    EventState state = event_poll (event, context);

    /* To the end: one stream that stands still must not hide the others'. */
    if (state == EVENT_PENDING || state == EVENT_FAILED) {
      cache_push (cache, event, FALSE);
      event = NULL;
    }
  }
  if (!event)
    event = event_new (context, timed ? 1 : 0, error);
  if (!event)
    return NULL;

  if (event->lane)
    hip_lane_unref (g_steal_pointer (&event->lane));
  event->context = hip_context_ref (context);
  event->record = (HipRecord) {
  0};
  g_atomic_int_set (&event->word,
      WORD_NEXT ((guint) g_atomic_int_get (&event->word), EVENT_UNRECORDED));

  return event;
}

guint
hip_event_native_count (void)
{
  return g_atomic_int_get (&native_count);
}

HipContext *
hip_event_get_context (GstHipEvent * event)
{
  return event->context;
}

HipNativeEvent
hip_event_get_native (GstHipEvent * event)
{
  return event->native;
}

guint64
hip_event_get_stream_serial (GstHipEvent * event)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&event->lock);

  return event->record.serial;
}

HipRecord
hip_event_get_record (GstHipEvent * event)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&event->lock);

  return event->record;
}

gboolean
hip_event_is_known_done (GstHipEvent * event)
{
  EventState state = event_recall (event);

  return state == EVENT_DONE || state == EVENT_UNRECORDED;
}

/**
 * gst_hip_event_get_vendor:
 * @event: a #GstHipEvent
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the vendor of the event's device
 *
 * Since: 1.30
 */
GstHipVendor
gst_hip_event_get_vendor (GstHipEvent * event)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), GST_HIP_VENDOR_UNKNOWN);

  return event->context->info.vendor;
}

/**
 * gst_hip_event_get_device_id:
 * @event: a #GstHipEvent
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the ordinal of the event's device within its vendor
 *
 * Since: 1.30
 */
guint
gst_hip_event_get_device_id (GstHipEvent * event)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), 0);

  return event->context->info.device_id;
}

static gboolean
check_not_pending (GstHipEvent * event, GError ** error)
{
  if (event_poll (event, event->context) != EVENT_PENDING)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the event is pending: record another one, or wait for it first");
  return FALSE;
}

/* Takes lane. */
static void
note_recorded (GstHipEvent * event, HipLane * lane, HipRecord record)
{
  HipLane *old_lane;

  hip_mutex_lock (&event->lock);
  old_lane = event->lane;
  event->lane = lane;
  event->record = record;
  g_atomic_int_set (&event->word,
      WORD_NEXT ((guint) g_atomic_int_get (&event->word), EVENT_PENDING));
  hip_mutex_unlock (&event->lock);
  if (old_lane)
    hip_lane_unref (old_lane);
}

/* A stream of which nothing is known is never "the same", and its events end
 * in no order with others: each has a lane of its own. */
HipResult
hip_event_record_native (GstHipEvent * event, guintptr stream)
{
  HipContext *context = event->context;
  g_autoptr (GError) error = NULL;
  const HipNativeFunctions *functions;
  HipRecord record = { 0 };
  HipLane *lane;
  HipResult result = HIP_NOT_SUPPORTED;
  guintptr handle = (guintptr) event->native;

  functions = hip_native_get (context->info.vendor, &result);
  if (!functions || !functions->EventRecord)
    return result;
  if (!check_not_pending (event, &error)
      || !hip_context_enter (context, &error))
    return hip_native_result (error);
  if (context->backend->event_native)
    handle = context->backend->event_native (event->native);
  result = functions->EventRecord ((HipEventHandle) handle,
      (HipStreamHandle) stream);
  hip_context_leave (context);
  if (result != HIP_OK)
    return result;

  lane = hip_lane_new ();
  hip_lane_retire (lane);
  record.serial = hip_stream_next_serial ();
  note_recorded (event, lane, record);
  return HIP_OK;
}

static gboolean
record_on_stream (GstHipEvent * event, GstHipStream * stream, GError ** error)
{
  HipContext *context = event->context;
  HipRecord record = { 0 };
  GError *failure = NULL;
  gboolean recorded;

  if (!check_not_pending (event, error) || !hip_context_enter (context, error))
    return FALSE;
  record.serial = hip_stream_get_serial (stream);
  record.begin = hip_stream_record_begin (stream);
  recorded = context->backend->event_record (context->native, event->native,
      hip_stream_get_native (stream), &failure);
  record.end = hip_stream_record_end (stream);
  hip_context_leave (context);
  if (!recorded)
    return hip_context_failed_with (context, error, failure);

  note_recorded (event, hip_lane_ref (hip_stream_get_lane (stream)), record);

  return TRUE;
}

/**
 * gst_hip_event_record_on_stream:
 * @event: a #GstHipEvent
 * @stream: a #GstHipStream of the same device
 * @error: return location for an error
 *
 * Records @event on @stream: it will be done when all work that was queued
 * before on @stream is. An event that is still pending cannot be recorded
 * again (%GST_HIP_ERROR_INVALID), since others may wait for it; one that ended
 * can, by one thread at a time: the others get the same error.
 *
 * Errors: INVALID for an event that is pending or being recorded, or another
 * device's stream; DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether the event was recorded
 *
 * Since: 1.30
 */
gboolean
gst_hip_event_record_on_stream (GstHipEvent * event, GstHipStream * stream,
    GError ** error)
{
  gboolean recorded;

  g_return_val_if_fail (GST_IS_HIP_EVENT (event), FALSE);
  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);

  if (hip_stream_get_context (stream) != event->context) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the event belongs to another device than the stream: "
        "take it from the stream's device");
    return FALSE;
  }
  if (!g_atomic_int_compare_and_exchange (&event->recording, 0, 1)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the event is being recorded by another thread: record another one");
    return FALSE;
  }
  recorded = record_on_stream (event, stream, error);
  g_atomic_int_set (&event->recording, 0);

  return recorded;
}

/**
 * gst_hip_event_query_state:
 * @event: a #GstHipEvent
 *
 * Asks whether the work before @event has finished. An event that was never
 * recorded has nothing to wait for and is done. A device that failed, or that
 * cannot be asked any more, gives %GST_HIP_EVENT_STATE_FAILED, never "pending".
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the state
 *
 * Since: 1.30
 */
GstHipEventState
gst_hip_event_query_state (GstHipEvent * event)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), GST_HIP_EVENT_STATE_FAILED);

  switch (event_poll (event, event->context)) {
    case EVENT_PENDING:
      return GST_HIP_EVENT_STATE_PENDING;
    case EVENT_FAILED:
      return GST_HIP_EVENT_STATE_FAILED;
    default:
      return GST_HIP_EVENT_STATE_DONE;
  }
}

/**
 * gst_hip_event_wait:
 * @event: a #GstHipEvent
 * @error: return location for an error
 *
 * Sleeps until the work before @event has finished. To make a stream wait,
 * which costs the CPU nothing, use gst_hip_stream_wait_event().
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
gst_hip_event_wait (GstHipEvent * event, GError ** error)
{
  EventState state;

  g_return_val_if_fail (GST_IS_HIP_EVENT (event), FALSE);

  state = event_recall (event);
  if (state == EVENT_DONE || state == EVENT_UNRECORDED)
    return TRUE;
  if (state == EVENT_PENDING)
    return event_wait (event, error);

  hip_context_set_lost_error (event->context, error);

  return FALSE;
}

/**
 * gst_hip_event_get_elapsed:
 * @start: a #GstHipEvent that was recorded timed
 * @stop: another one, recorded later on the same device
 * @elapsed_ns: (out): time between them on the device, nanoseconds
 * @error: return location for an error
 *
 * Both have to be done already (%GST_HIP_ERROR_INVALID otherwise).
 *
 * Errors: INVALID for events that are not timed, not done, or of different
 * devices; DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @elapsed_ns was set
 *
 * Since: 1.30
 */
gboolean
gst_hip_event_get_elapsed (GstHipEvent * start, GstHipEvent * stop,
    gdouble * elapsed_ns, GError ** error)
{
  HipContext *context;
  GError *failure = NULL;
  gboolean known;

  g_return_val_if_fail (GST_IS_HIP_EVENT (start), FALSE);
  g_return_val_if_fail (GST_IS_HIP_EVENT (stop), FALSE);
  g_return_val_if_fail (elapsed_ns != NULL, FALSE);

  context = start->context;
  if (context != stop->context || !start->timed || !stop->timed) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "time is known only between two timed events of one device");
    return FALSE;
  }
  if (event_poll (start, context) != EVENT_DONE
      || event_poll (stop, context) != EVENT_DONE) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "time is known only between events that were recorded and are done");
    return FALSE;
  }

  if (!hip_context_enter (context, error))
    return FALSE;
  known = context->backend->event_elapsed (context->native, start->native,
      stop->native, elapsed_ns, &failure);
  hip_context_leave (context);

  return known || hip_context_failed_with (context, error, failure);
}

/**
 * gst_hip_event_notify:
 * @event: a #GstHipEvent
 * @func: (scope notified) (closure user_data) (destroy destroy): called when @event is done or failed
 * @user_data: data for @func
 * @destroy: (nullable): called with @user_data after @func
 *
 * Has @func called once, from a worker thread of the library, with no lock
 * held, when @event has ended. Notifications of the events of one stream come
 * in the order of the calls of this function; those of different streams do
 * not wait for each other. For an event that has ended already @func is called
 * soon, from a worker too, never from the caller.
 *
 * After exit() has begun nothing is called any more.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_event_notify (GstHipEvent * event, GstHipEventNotify func,
    gpointer user_data, GDestroyNotify destroy)
{
  HipLane *lane;

  g_return_if_fail (GST_IS_HIP_EVENT (event));
  g_return_if_fail (func != NULL);

  hip_mutex_lock (&event->lock);
  if (!event->lane) {
    /* Never recorded: a queue of its own, served and forgotten */
    event->lane = hip_lane_new ();
    hip_lane_retire (event->lane);
  }
  lane = hip_lane_ref (event->lane);
  hip_mutex_unlock (&event->lock);

  hip_lane_push (lane, event, func, user_data, destroy);
  hip_lane_unref (lane);
}

/**
 * gst_hip_event_ref:
 * @event: a #GstHipEvent
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): @event
 *
 * Since: 1.30
 */
GstHipEvent *
gst_hip_event_ref (GstHipEvent * event)
{
  return (GstHipEvent *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (event));
}

/**
 * gst_hip_event_unref:
 * @event: (transfer full): a #GstHipEvent
 *
 * An event may go while it is pending: it is reused when it is done.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_event_unref (GstHipEvent * event)
{
  HIP_REFERENCE_DROPPED (event);
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (event));
}

/**
 * gst_clear_hip_event: (skip)
 * @event: (inout) (nullable): location of an event
 *
 * Drops the reference in @event, if there is one, and sets it to %NULL.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_clear_hip_event (GstHipEvent ** event)
{
  g_clear_pointer (event, gst_hip_event_unref);
}
