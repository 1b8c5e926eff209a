/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does memory go between two users?
 *
 * Back here at once, whatever is still pending on it (I3): the next user's
 * stream waits for that on the device, or its CPU map does. A memory that is
 * out holds a reference on this allocator, one that is in does not (it has the
 * default allocator's meanwhile), so that there is no cycle. The driver is
 * called, and references are dropped, without the lock.
 */
#include <gst/base/gstqueuearray.h>

#include "hip-error.h"
#include "hip-memory.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_pool_allocator_debug);
#define GST_CAT_DEFAULT gst_hip_pool_allocator_debug

struct _GstHipPoolAllocatorPrivate
{
  /* fixed */
  GstHipMemoryKind kind;
  gboolean is_video;
  gsize size;
  guint max_memories;           /* 0: no limit */

  HipMutex lock;                /* guards what follows */
  HipCond cond;
  gboolean active;
  GstQueueArray *idle;          /* of GstMemory, longest idle first */
  guint n_memories;             /* idle, out, and being allocated */
  guint n_outstanding;
};

G_DEFINE_TYPE_WITH_PRIVATE (GstHipPoolAllocator, gst_hip_pool_allocator,
    GST_TYPE_HIP_ALLOCATOR);

guint
hip_pool_allocator_outstanding (GstHipPoolAllocator * allocator)
{
  guint n;

  hip_mutex_lock (&allocator->priv->lock);
  n = allocator->priv->n_outstanding;
  hip_mutex_unlock (&allocator->priv->lock);
  return n;
}

/* The last reference of a memory went. FALSE: it lives on here. */
static gboolean
memory_came_back (GstMiniObject * object)
{
  GstMemory *memory = GST_MEMORY_CAST (object);
  GstHipPoolAllocator *self = GST_HIP_POOL_ALLOCATOR (memory->allocator);
  GstHipPoolAllocatorPrivate *priv = self->priv;
  gboolean kept;

  hip_mutex_lock (&priv->lock);
  priv->n_outstanding--;
  kept = priv->active;
  if (kept) {
    gst_memory_ref (memory);
    object->dispose = NULL;
    memory->allocator = GST_ALLOCATOR_CAST (hip_allocator_get_default ());
    gst_queue_array_push_tail (priv->idle, memory);
  } else {
    priv->n_memories--;
  }
  hip_cond_signal (&priv->cond);
  hip_mutex_unlock (&priv->lock);

  HIP_REFERENCE_DROPPED (self);
  /* Else its own end drops it. */
  if (kept)
    gst_object_unref (self);
  return !kept;
}

static void
hand_out (GstHipPoolAllocator * self, GstMemory * memory)
{
  GstAllocator *other = memory->allocator;

  memory->allocator = GST_ALLOCATOR_CAST (gst_object_ref (self));
  memory->mini_object.dispose = memory_came_back;
  /* whatever the user before did to the view */
  memory->offset = 0;
  memory->size = self->priv->size;
  GST_MINI_OBJECT_FLAG_UNSET (memory, GST_MEMORY_FLAG_READONLY);
  gst_object_unref (other);
}

static GstMemory *
allocate (GstHipPoolAllocator * self)
{
  GstHipPoolAllocatorPrivate *priv = self->priv;
  g_autoptr (GError) error = NULL;
  GstMemory *memory;

  if (priv->is_video)
    memory = gst_hip_allocator_alloc_video (NULL, self->device, priv->kind,
        &self->info, &error);
  else if (priv->kind == GST_HIP_MEMORY_KIND_PINNED)
    memory = gst_hip_allocator_alloc_pinned (NULL, self->device, priv->size,
        &error);
  else
    memory = gst_hip_allocator_alloc_linear (NULL, self->device, priv->size,
        &error);
  if (!memory) {
    GST_ERROR_OBJECT (self, "no memory: %s", error->message);
    hip_error_keep (error);
  }
  return memory;
}

static gboolean
gst_hip_pool_allocator_set_active (GstHipAllocator * allocator, gboolean active)
{
  GstHipPoolAllocatorPrivate *priv = GST_HIP_POOL_ALLOCATOR (allocator)->priv;
  GstMemory *memory;

  hip_mutex_lock (&priv->lock);
  priv->active = active;
  hip_cond_broadcast (&priv->cond);
  while (!priv->active && (memory = gst_queue_array_pop_head (priv->idle))) {
    priv->n_memories--;
    hip_mutex_unlock (&priv->lock);
    gst_memory_unref (memory);
    hip_mutex_lock (&priv->lock);
  }
  hip_mutex_unlock (&priv->lock);
  return TRUE;
}

static void
gst_hip_pool_allocator_dispose (GObject * object)
{
  gst_hip_pool_allocator_set_active (GST_HIP_ALLOCATOR (object), FALSE);
  G_OBJECT_CLASS (gst_hip_pool_allocator_parent_class)->dispose (object);
}

static void
gst_hip_pool_allocator_finalize (GObject * object)
{
  GstHipPoolAllocator *self = GST_HIP_POOL_ALLOCATOR (object);

  HIP_REFERENCE_LAST (object);
  gst_queue_array_free (self->priv->idle);
  hip_mutex_clear (&self->priv->lock);
  hip_cond_clear (&self->priv->cond);
  gst_clear_object (&self->device);
  G_OBJECT_CLASS (gst_hip_pool_allocator_parent_class)->finalize (object);
}

static void
gst_hip_pool_allocator_class_init (GstHipPoolAllocatorClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstHipAllocatorClass *allocator_class = GST_HIP_ALLOCATOR_CLASS (klass);

  object_class->dispose = gst_hip_pool_allocator_dispose;
  object_class->finalize = gst_hip_pool_allocator_finalize;
  allocator_class->set_active = gst_hip_pool_allocator_set_active;
  GST_DEBUG_CATEGORY_INIT (gst_hip_pool_allocator_debug, "hippoolallocator",
      0, "HIP memory between two users");
}

static void
gst_hip_pool_allocator_init (GstHipPoolAllocator * self)
{
  self->priv = gst_hip_pool_allocator_get_instance_private (self);
  hip_mutex_init (&self->priv->lock);
  hip_cond_init (&self->priv->cond);
  self->priv->idle = gst_queue_array_new (16);
}

/**
 * gst_hip_pool_allocator_new:
 * @device: the device
 * @info: format and size of the frames
 *
 * Makes an inactive allocator of frames on @device, without a limit, in the
 * layout of gst_hip_allocator_alloc().
 *
 * Returns: (transfer full) (nullable): a new allocator; %NULL (with the reason
 *     logged) if there cannot be such frames
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipPoolAllocator *
gst_hip_pool_allocator_new (GstHipDevice * device, const GstVideoInfo * info)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo aligned;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (info != NULL, NULL);

  aligned = *info;
  if (!gst_hip_video_info_align (&aligned,
          gst_hip_device_get_info (device)->stride_align, &error)) {
    GST_ERROR_OBJECT (device, "no pool: %s", error->message);
    return NULL;
  }
  return gst_hip_pool_allocator_new_full (device, GST_HIP_MEMORY_KIND_DEVICE,
      &aligned, 0, 0);
}

/**
 * gst_hip_pool_allocator_new_full:
 * @device: the device
 * @kind: %GST_HIP_MEMORY_KIND_DEVICE or %GST_HIP_MEMORY_KIND_PINNED
 * @info: (nullable): layout of the frames, taken as it is, or %NULL for linear
 *     memory
 * @size: bytes of a linear memory; not used with @info
 * @max_memories: as many memories at most, or 0 for no limit
 *
 * Makes an inactive allocator. Activate it with gst_hip_allocator_set_active().
 *
 * Returns: (transfer full): a new allocator
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipPoolAllocator *
gst_hip_pool_allocator_new_full (GstHipDevice * device, GstHipMemoryKind kind,
    const GstVideoInfo * info, gsize size, guint max_memories)
{
  GstHipPoolAllocator *self;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (kind == GST_HIP_MEMORY_KIND_DEVICE
      || kind == GST_HIP_MEMORY_KIND_PINNED, NULL);

  self = g_object_new (GST_TYPE_HIP_POOL_ALLOCATOR, NULL);
  gst_object_ref_sink (self);
  self->device = gst_object_ref (device);
  self->priv->kind = kind;
  self->priv->max_memories = max_memories;
  self->priv->size = size;
  if (info) {
    self->info = *info;
    self->priv->is_video = TRUE;
    self->priv->size = info->size;
  }
  return self;
}

/**
 * gst_hip_pool_allocator_acquire_memory:
 * @allocator: a #GstHipPoolAllocator
 * @memory: (out) (transfer full): return location for a memory
 *
 * Takes a memory, an idle one where there is one. Its contents are undefined,
 * and work of users before may be pending on it: gst_hip_memory_begin_access()
 * orders after that, as does a map. It comes back with its last reference, and
 * keeps @allocator alive until then.
 *
 * Returns: %GST_FLOW_OK; %GST_FLOW_FLUSHING if @allocator is or becomes
 *     inactive; %GST_FLOW_ERROR (logged) if there is none and none can be
 *     allocated
 *
 * Blocking: never for the device; where the maximum is reached, until a memory
 *     comes back or @allocator becomes inactive.
 * Threads: any.
 * Since: 1.30
 */
GstFlowReturn
gst_hip_pool_allocator_acquire_memory (GstHipPoolAllocator * allocator,
    GstMemory ** memory)
{
  GstHipPoolAllocatorPrivate *priv;
  GstMemory *found = NULL;

  g_return_val_if_fail (GST_IS_HIP_POOL_ALLOCATOR (allocator), GST_FLOW_ERROR);
  g_return_val_if_fail (memory != NULL, GST_FLOW_ERROR);

  *memory = NULL;
  priv = allocator->priv;
  hip_mutex_lock (&priv->lock);
  while (priv->active && !(found = gst_queue_array_pop_head (priv->idle))
      && priv->max_memories && priv->n_memories >= priv->max_memories)
    hip_cond_wait (&priv->cond, &priv->lock);
  if (!priv->active) {
    hip_mutex_unlock (&priv->lock);
    return GST_FLOW_FLUSHING;
  }
  priv->n_outstanding++;
  if (!found)
    priv->n_memories++;
  hip_mutex_unlock (&priv->lock);

  if (!found && !(found = allocate (allocator))) {
    hip_mutex_lock (&priv->lock);
    priv->n_memories--;
    priv->n_outstanding--;
    hip_cond_signal (&priv->cond);
    hip_mutex_unlock (&priv->lock);
    return GST_FLOW_ERROR;
  }
  hand_out (allocator, found);
  *memory = found;
  return GST_FLOW_OK;
}
