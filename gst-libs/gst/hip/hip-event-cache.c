/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where do events come from, and where do they go?
 *
 * They are recycled, objects and driver's handles both, through two caches of
 * their context, so that steady state makes neither. A cached event holds no
 * reference on its context; one whose work is still pending waits in its cache
 * until that is done.
 */
#include "hip-event.h"
#include "gsthiperror.h"

struct _HipEventCache
{
  HipMutex lock;
  GstHipEvent *ready;           /* ended: reused last in, first out */
  GstHipEvent *first_pending, *last_pending;
};

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

/* The last reference went. FALSE: the event lives on in its cache. */
static gboolean
event_dispose (GstMiniObject * object)
{
  GstHipEvent *event = (GstHipEvent *) object;
  HipContext *context = event->context;
  HipEventState state = hip_event_recall (event);

  HIP_REFERENCE_LAST (object);
  /* Of a pending one it tells when it may be used again. */
  if (event->lane && state != HIP_EVENT_PENDING)
    hip_lane_unref (g_steal_pointer (&event->lane));
  if (!context || state == HIP_EVENT_FAILED || hip_context_is_lost (context))
    return TRUE;

  gst_mini_object_ref (object);
  event->context = NULL;
  cache_push (context->event_caches[event->timed], event,
      state != HIP_EVENT_PENDING);
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
    HipEventState state = hip_event_poll (event, context);

    /* To the end: one stream that stands still must not hide the others'. */
    if (state == HIP_EVENT_PENDING || state == HIP_EVENT_FAILED) {
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
      HIP_EVENT_WORD_NEXT ((guint) g_atomic_int_get (&event->word),
          HIP_EVENT_UNRECORDED));

  return event;
}

guint
hip_event_native_count (void)
{
  return g_atomic_int_get (&native_count);
}
