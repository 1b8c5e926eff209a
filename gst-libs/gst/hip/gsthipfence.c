/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What has to stay alive until queued work is done, and who lets go of it?
 *
 * Fence data collects pointers with the functions that release them. Given to
 * an event it releases them, in the order of the pushes, on a worker when the
 * event has ended (I4). Room for a frame's worth of entries is inside, more is
 * kept for the next use, so that a pooled one costs nothing in steady state.
 * Nothing is released with a lock held.
 *
 * Must not know: what is in it.
 */
#include "gsthipfence.h"
#include "gsthipevent.h"
#include "hip-lock.h"

#define N_INLINE 8

typedef struct
{
  gpointer data;
  GDestroyNotify destroy;
} FenceEntry;

struct _GstHipFenceData
{
  gint ref_count;
  HipMutex lock;                /* guards what follows, but not next */
  guint n_attached;             /* events that have not ended */
  FenceEntry *entries;          /* inside, or allocated once that was too small */
  guint n_entries, capacity;
  FenceEntry inside[N_INLINE];

  GstHipFenceDataPool *pool;    /* where it goes with its last reference */
  GstHipFenceData *next;        /* in a pool */
};

struct _GstHipFenceDataPool
{
  GstObject parent;

  HipMutex lock;
  GstHipFenceData *unused;
};

struct _GstHipFenceDataPoolClass
{
  GstObjectClass parent_class;
};

/* *INDENT-OFF* */
G_DEFINE_BOXED_TYPE (GstHipFenceData, gst_hip_fence_data,
    gst_hip_fence_data_ref, gst_hip_fence_data_unref);
G_DEFINE_FINAL_TYPE (GstHipFenceDataPool, gst_hip_fence_data_pool,
    GST_TYPE_OBJECT);
/* *INDENT-ON* */

static void
fence_free (GstHipFenceData * fence)
{
  if (fence->entries != fence->inside)
    g_free (fence->entries);
  hip_mutex_clear (&fence->lock);
  g_free (fence);
}

/* Releases what is in there now; what is pushed meanwhile goes too. */
static void
fence_release (GstHipFenceData * fence)
{
  guint i;

  hip_mutex_lock (&fence->lock);
  for (i = 0; i < fence->n_entries; i++) {
    FenceEntry entry = fence->entries[i];

    hip_mutex_unlock (&fence->lock);
    if (entry.destroy)
      entry.destroy (entry.data);
    hip_mutex_lock (&fence->lock);
  }
  fence->n_entries = 0;
  hip_mutex_unlock (&fence->lock);
}

static void
gst_hip_fence_data_pool_finalize (GObject * object)
{
  GstHipFenceDataPool *self = GST_HIP_FENCE_DATA_POOL (object);

  HIP_REFERENCE_LAST (object);
  while (self->unused) {
    GstHipFenceData *fence = self->unused;

    self->unused = fence->next;
    fence_free (fence);
  }
  hip_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_hip_fence_data_pool_parent_class)->finalize (object);
}

static void
gst_hip_fence_data_pool_class_init (GstHipFenceDataPoolClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_hip_fence_data_pool_finalize;
}

static void
gst_hip_fence_data_pool_init (GstHipFenceDataPool * self)
{
  hip_mutex_init (&self->lock);
}

/**
 * gst_hip_fence_data_new:
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): new, empty fence data
 *
 * Since: 1.30
 */
GstHipFenceData *
gst_hip_fence_data_new (void)
{
  GstHipFenceData *fence = g_new0 (GstHipFenceData, 1);

  fence->ref_count = 1;
  hip_mutex_init (&fence->lock);
  fence->entries = fence->inside;
  fence->capacity = N_INLINE;

  return fence;
}

/**
 * gst_hip_fence_data_ref:
 * @fence: a #GstHipFenceData
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): @fence
 *
 * Since: 1.30
 */
GstHipFenceData *
gst_hip_fence_data_ref (GstHipFenceData * fence)
{
  g_return_val_if_fail (fence != NULL, NULL);

  g_atomic_int_inc (&fence->ref_count);

  return fence;
}

/**
 * gst_hip_fence_data_unref:
 * @fence: (transfer full): a #GstHipFenceData
 *
 * With the last reference what is still in there is released, at once, and
 * fence data of a pool goes back to it. An event that it was given to holds a
 * reference.
 *
 * Blocking: never, if the functions that release do not.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_fence_data_unref (GstHipFenceData * fence)
{
  GstHipFenceDataPool *pool;

  g_return_if_fail (fence != NULL);

  if (!g_atomic_int_dec_and_test (&fence->ref_count))
    return;

  fence_release (fence);
  pool = g_steal_pointer (&fence->pool);
  if (!pool) {
    fence_free (fence);
    return;
  }
  hip_mutex_lock (&pool->lock);
  fence->next = pool->unused;
  pool->unused = fence;
  hip_mutex_unlock (&pool->lock);
  HIP_REFERENCE_DROPPED (pool);
  gst_object_unref (pool);
}

/**
 * gst_hip_fence_data_push:
 * @fence: a #GstHipFenceData
 * @data: (transfer full) (nullable): what has to stay alive
 * @destroy: (nullable) (scope async): called with @data to release it
 *
 * Adds @data, which is @fence's from now on.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_fence_data_push (GstHipFenceData * fence, gpointer data,
    GDestroyNotify destroy)
{
  FenceEntry *entry;

  g_return_if_fail (fence != NULL);

  hip_mutex_lock (&fence->lock);
  if (fence->n_entries == fence->capacity) {
    fence->capacity *= 2;
    if (fence->entries == fence->inside) {
      fence->entries = g_new (FenceEntry, fence->capacity);
      memcpy (fence->entries, fence->inside, sizeof (fence->inside));
    } else {
      fence->entries = g_renew (FenceEntry, fence->entries, fence->capacity);
    }
  }
  entry = &fence->entries[fence->n_entries++];
  entry->data = data;
  entry->destroy = destroy;
  hip_mutex_unlock (&fence->lock);
}

/**
 * gst_hip_fence_data_push_object:
 * @fence: a #GstHipFenceData
 * @object: (transfer full): an object
 *
 * gst_hip_fence_data_push() with g_object_unref().
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_fence_data_push_object (GstHipFenceData * fence, GObject * object)
{
  g_return_if_fail (G_IS_OBJECT (object));

  gst_hip_fence_data_push (fence, object, g_object_unref);
}

/**
 * gst_hip_fence_data_push_mini_object:
 * @fence: a #GstHipFenceData
 * @object: (transfer full): a buffer, a memory, an event, a stream...
 *
 * gst_hip_fence_data_push() with gst_mini_object_unref().
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_fence_data_push_mini_object (GstHipFenceData * fence,
    GstMiniObject * object)
{
  g_return_if_fail (object != NULL);

  gst_hip_fence_data_push (fence, object,
      (GDestroyNotify) gst_mini_object_unref);
}

/* On a worker */
static void
fence_event_ended (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  GstHipFenceData *fence = data;
  gboolean last;

  hip_mutex_lock (&fence->lock);
  last = --fence->n_attached == 0;
  hip_mutex_unlock (&fence->lock);
  if (last)
    fence_release (fence);
}

/**
 * gst_hip_fence_data_attach:
 * @fence: a #GstHipFenceData
 * @event: a #GstHipEvent
 *
 * Has what is in @fence released on a worker thread when @event is done or
 * failed; soon for an event that has ended or was never recorded. Given to
 * several events it waits for the last of them. The event takes a reference of
 * its own on @fence, so that the caller's can go at once; one that is kept can
 * be filled and attached again after that.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_fence_data_attach (GstHipFenceData * fence, GstHipEvent * event)
{
  g_return_if_fail (fence != NULL);
  g_return_if_fail (GST_IS_HIP_EVENT (event));

  hip_mutex_lock (&fence->lock);
  fence->n_attached++;
  hip_mutex_unlock (&fence->lock);
  gst_hip_event_notify (event, fence_event_ended,
      gst_hip_fence_data_ref (fence),
      (GDestroyNotify) gst_hip_fence_data_unref);
}

/**
 * gst_hip_fence_data_pool_new:
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): a new pool of fence data
 *
 * Since: 1.30
 */
GstHipFenceDataPool *
gst_hip_fence_data_pool_new (void)
{
  return gst_object_ref_sink (g_object_new (GST_TYPE_HIP_FENCE_DATA_POOL,
          NULL));
}

/**
 * gst_hip_fence_data_pool_acquire:
 * @pool: a #GstHipFenceDataPool
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): empty fence data that goes back to @pool with its
 *   last reference
 *
 * Since: 1.30
 */
GstHipFenceData *
gst_hip_fence_data_pool_acquire (GstHipFenceDataPool * pool)
{
  GstHipFenceData *fence;

  g_return_val_if_fail (GST_IS_HIP_FENCE_DATA_POOL (pool), NULL);

  hip_mutex_lock (&pool->lock);
  fence = pool->unused;
  if (fence)
    pool->unused = fence->next;
  hip_mutex_unlock (&pool->lock);

  if (!fence)
    fence = gst_hip_fence_data_new ();
  fence->next = NULL;
  fence->ref_count = 1;
  fence->pool = gst_object_ref (pool);

  return fence;
}
