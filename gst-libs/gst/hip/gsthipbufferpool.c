/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which buffers do elements exchange, and with which layout?
 *
 * Takes video caps or a plain size. Strides are the device's, but in a pinned
 * pool that nobody asked for video meta, whose consumers know only what caps
 * say. Configuring allocates nothing. Acquiring never waits for the device
 * (I3). Must not know: how memory is recycled.
 */
#include <string.h>

#include "gsthipbufferpool.h"
#include "hip-error.h"
#include "hip-layout.h"
#include "hip-lock.h"
#include "hip-memory.h"
#include "hip-stream.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_buffer_pool_debug);
#define GST_CAT_DEFAULT gst_hip_buffer_pool_debug

#define CONFIG_STREAM "hip-stream"
/* So many buffers of the device's take turns before one is given out on which
 * work is pending. Buffers come back as soon as that is queued; with one of them
 * every frame would have to wait, on the device, for the one before it. */
#define IN_TURN 4

struct _GstHipBufferPoolPrivate
{
  GstHipMemoryKind kind;

  /* of the configuration */
  gboolean is_video;
  GstVideoInfo info;
  gsize size;
  GstHipStream *stream;

  GstHipPoolAllocator *allocator;       /* while active */
  gint n_buffers;               /* atomic */
  gint in_turn;                 /* atomic: IN_TURN, or 0 once no more can be had */
};

G_DEFINE_TYPE_WITH_PRIVATE (GstHipBufferPool, gst_hip_buffer_pool,
    GST_TYPE_BUFFER_POOL);

static guint allocation_failed_signal;

static const gchar **
gst_hip_buffer_pool_get_options (GstBufferPool * pool)
{
  static const gchar *options[] = { GST_BUFFER_POOL_OPTION_VIDEO_META,
    GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT, NULL
  };

  return options;
}

/* --- configuration --- */

static gboolean
is_raw_video (GstCaps * caps)
{
  return caps && gst_caps_get_size (caps) > 0
      && gst_structure_has_name (gst_caps_get_structure (caps, 0),
      "video/x-raw");
}

/* Alignments are powers of two minus one. */
static gboolean
is_alignment (const GstVideoAlignment * align)
{
  guint i;

  for (i = 0; i < GST_VIDEO_MAX_PLANES; i++) {
    if (align->stride_align[i] & (align->stride_align[i] + 1))
      return FALSE;
  }
  return TRUE;
}

static gboolean
lay_out (GstHipBufferPool * self, GstStructure * config, GstVideoInfo * info)
{
  GstVideoAlignment align;
  g_autoptr (GError) error = NULL;
  gboolean padded = gst_buffer_pool_config_has_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gboolean meta = gst_buffer_pool_config_has_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_META);
  guint i, stride_align = gst_hip_device_get_info (self->device)->stride_align;

  gst_video_alignment_reset (&align);
  if (padded && !gst_buffer_pool_config_get_video_alignment (config, &align))
    padded = FALSE;
  if (!is_alignment (&align)) {
    GST_WARNING_OBJECT (self, "stride alignments are powers of two minus one");
    return FALSE;
  }

  if (self->priv->kind == GST_HIP_MEMORY_KIND_PINNED && !meta) {
    if (hip_layout_check (info, &error))
      return TRUE;
  } else if (hip_layout_set (info, &align, stride_align, &error)) {
    if (padded) {
      for (i = 0; i < GST_VIDEO_MAX_PLANES; i++)
        align.stride_align[i] = MAX (align.stride_align[i],
            MAX (stride_align, 1) - 1);
      gst_buffer_pool_config_set_video_alignment (config, &align);
    }
    return TRUE;
  }
  GST_WARNING_OBJECT (self, "%s", error->message);
  return FALSE;
}

static gboolean
take_stream (GstHipBufferPool * self, GstStructure * config)
{
  GstHipStream *stream = gst_buffer_pool_config_get_hip_stream (config);

  if (stream && !gst_hip_stream_is_for_device (stream, self->device)) {
    GST_WARNING_OBJECT (self, "the stream is another device's");
    gst_hip_stream_unref (stream);
    return FALSE;
  }
  gst_clear_hip_stream (&self->priv->stream);
  self->priv->stream = stream;
  return TRUE;
}

static gboolean
gst_hip_buffer_pool_set_config (GstBufferPool * pool, GstStructure * config)
{
  GstHipBufferPool *self = GST_HIP_BUFFER_POOL (pool);
  GstHipBufferPoolPrivate *priv = self->priv;
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;
  GstCaps *caps;
  guint size, min, max;
  gboolean is_video;

  if (!gst_buffer_pool_config_get_params (config, &caps, &size, &min, &max)) {
    GST_WARNING_OBJECT (self, "the configuration is incomplete");
    return FALSE;
  }
  is_video = is_raw_video (caps);
  if (is_video) {
    if (!gst_hip_video_info_from_caps (&info, caps, &error)) {
      GST_WARNING_OBJECT (self, "no frames of %" GST_PTR_FORMAT ": %s", caps,
          error->message);
      return FALSE;
    }
    if (!lay_out (self, config, &info))
      return FALSE;
    /* A camera's driver may want more than rows need. */
    info.size = MAX (info.size, size);
    if (info.size > G_MAXUINT) {
      GST_WARNING_OBJECT (self, "frames of %" G_GSIZE_FORMAT " bytes are too "
          "large for a pool", info.size);
      return FALSE;
    }
    size = info.size;
  } else if (size == 0) {
    GST_WARNING_OBJECT (self, "neither video caps nor a size");
    return FALSE;
  }
  if (!take_stream (self, config))
    return FALSE;

  priv->is_video = is_video;
  if (is_video)
    priv->info = info;
  priv->size = size;
  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  return GST_BUFFER_POOL_CLASS (gst_hip_buffer_pool_parent_class)->set_config
      (pool, config);
}

/* --- buffers --- */

static gboolean
gst_hip_buffer_pool_start (GstBufferPool * pool)
{
  GstHipBufferPool *self = GST_HIP_BUFFER_POOL (pool);
  GstHipBufferPoolPrivate *priv = self->priv;

  priv->allocator = gst_hip_pool_allocator_new_full (self->device, priv->kind,
      priv->is_video ? &priv->info : NULL, priv->size, 0);
  gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (priv->allocator), TRUE);
  g_atomic_int_set (&priv->in_turn, IN_TURN);
  /* allocates the minimum */
  return GST_BUFFER_POOL_CLASS (gst_hip_buffer_pool_parent_class)->start (pool);
}

static void
drop_allocator (GstHipBufferPool * self)
{
  if (self->priv->allocator) {
    gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (self->priv->allocator),
        FALSE);
    gst_clear_object (&self->priv->allocator);
  }
}

static gboolean
gst_hip_buffer_pool_stop (GstBufferPool * pool)
{
  gboolean stopped =
      GST_BUFFER_POOL_CLASS (gst_hip_buffer_pool_parent_class)->stop (pool);

  drop_allocator (GST_HIP_BUFFER_POOL (pool));
  return stopped;
}

static void
set_meta (GstVideoMeta * meta, const GstVideoInfo * info)
{
  guint i;

  meta->width = GST_VIDEO_INFO_WIDTH (info);
  meta->height = GST_VIDEO_INFO_FIELD_HEIGHT (info);
  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    meta->offset[i] = info->offset[i];
    meta->stride[i] = info->stride[i];
  }
}

static GstFlowReturn
gst_hip_buffer_pool_alloc_buffer (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstHipBufferPoolPrivate *priv = GST_HIP_BUFFER_POOL (pool)->priv;
  GstMemory *memory;
  GstFlowReturn flow;

  flow = gst_hip_pool_allocator_acquire_memory (priv->allocator, &memory);
  if (flow != GST_FLOW_OK)
    return flow;
  gst_hip_memory_set_stream (GST_HIP_MEMORY_CAST (memory), priv->stream);
  g_atomic_int_inc (&priv->n_buffers);
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, memory);
  if (priv->is_video)
    gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (&priv->info), GST_VIDEO_INFO_WIDTH (&priv->info),
        GST_VIDEO_INFO_FIELD_HEIGHT (&priv->info),
        GST_VIDEO_INFO_N_PLANES (&priv->info), priv->info.offset,
        priv->info.stride);
  return GST_FLOW_OK;
}

static gboolean
is_idle (GstBuffer * buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (gst_is_hip_memory (memory)
        && !gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (memory),
            GST_MAP_READWRITE))
      return FALSE;
  }
  return TRUE;
}

/* The parent's queue gives what came back first, or makes one where there is
 * none. Busy ones go back in their order. */
static GstFlowReturn
acquire_in_turn (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstHipBufferPoolPrivate *priv = GST_HIP_BUFFER_POOL (pool)->priv;
  GstBufferPoolClass *parent =
      GST_BUFFER_POOL_CLASS (gst_hip_buffer_pool_parent_class);
  GstBufferPoolAcquireParams at_once = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstBuffer *busy[IN_TURN];
  guint n_busy = 0;
  GstFlowReturn flow = parent->acquire_buffer (pool, buffer, params);

  HIP_REFERENCE_LAST (pool);
  if (flow != GST_FLOW_OK || priv->kind != GST_HIP_MEMORY_KIND_DEVICE)
    return flow;
  while (n_busy < IN_TURN && g_atomic_int_get (&priv->n_buffers) <
      g_atomic_int_get (&priv->in_turn) && !is_idle (*buffer)) {
    busy[n_busy++] = *buffer;
    if (parent->acquire_buffer (pool, buffer, &at_once) != GST_FLOW_OK) {
      g_atomic_int_set (&priv->in_turn, 0);
      *buffer = busy[0];
      memmove (busy, busy + 1, --n_busy * sizeof (*busy));
      break;
    }
  }
  for (guint i = 0; i < n_busy; i++)
    parent->release_buffer (pool, busy[i]);
  return GST_FLOW_OK;
}

/* Memory of a failed device is of no use to anybody. */
static GstFlowReturn
gst_hip_buffer_pool_acquire_buffer (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  GstHipBufferPool *self = GST_HIP_BUFFER_POOL (pool);
  HipContext *context = hip_device_get_context (self->device);
  g_autoptr (GError) error = gst_hip_take_error ();
  GstFlowReturn flow;

  g_clear_error (&error);
  if (!hip_context_is_lost (context)) {
    flow = acquire_in_turn (pool, buffer, params);
    if (flow == GST_FLOW_ERROR)
      error = gst_hip_take_error ();
  } else if (GST_BUFFER_POOL_IS_FLUSHING (pool)) {
    flow = GST_FLOW_FLUSHING;
  } else {
    flow = GST_FLOW_ERROR;
    hip_context_set_lost_error (context, &error);
  }
  if (error) {
    g_signal_emit (self, allocation_failed_signal, 0, error);
    hip_error_keep (error);
  }
  return flow;
}

static void
gst_hip_buffer_pool_free_buffer (GstBufferPool * pool, GstBuffer * buffer)
{
  HIP_REFERENCE_LAST (pool);
  g_atomic_int_add (&GST_HIP_BUFFER_POOL (pool)->priv->n_buffers, -1);
  GST_BUFFER_POOL_CLASS (gst_hip_buffer_pool_parent_class)->free_buffer (pool,
      buffer);
}

/* What a user may have changed on its way: crop by a smaller meta, the stream.
 * The contents are nobody's now. */
static void
gst_hip_buffer_pool_reset_buffer (GstBufferPool * pool, GstBuffer * buffer)
{
  GstHipBufferPoolPrivate *priv = GST_HIP_BUFFER_POOL (pool)->priv;
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstMemory *memory;

  if (meta && priv->is_video
      && meta->format == GST_VIDEO_INFO_FORMAT (&priv->info))
    set_meta (meta, &priv->info);
  if (gst_buffer_n_memory (buffer) == 1
      && (memory = gst_buffer_peek_memory (buffer, 0))
      && gst_is_hip_memory (memory)) {
    gst_hip_memory_set_stream (GST_HIP_MEMORY_CAST (memory), priv->stream);
    hip_memory_discard (GST_HIP_MEMORY_CAST (memory));
  }
  GST_BUFFER_POOL_CLASS (gst_hip_buffer_pool_parent_class)->reset_buffer (pool,
      buffer);
  /* Whoever takes or frees it next comes by way of the parent's queue. */
  HIP_REFERENCE_DROPPED (pool);
}

/* --- the object --- */

static void
gst_hip_buffer_pool_dispose (GObject * object)
{
  GstHipBufferPool *self = GST_HIP_BUFFER_POOL (object);

  drop_allocator (self);
  gst_clear_hip_stream (&self->priv->stream);
  gst_clear_object (&self->device);
  G_OBJECT_CLASS (gst_hip_buffer_pool_parent_class)->dispose (object);
}

static void
gst_hip_buffer_pool_class_init (GstHipBufferPoolClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBufferPoolClass *pool_class = GST_BUFFER_POOL_CLASS (klass);

  object_class->dispose = gst_hip_buffer_pool_dispose;
  pool_class->get_options = gst_hip_buffer_pool_get_options;
  pool_class->set_config = gst_hip_buffer_pool_set_config;
  pool_class->start = gst_hip_buffer_pool_start;
  pool_class->stop = gst_hip_buffer_pool_stop;
  pool_class->alloc_buffer = gst_hip_buffer_pool_alloc_buffer;
  pool_class->acquire_buffer = gst_hip_buffer_pool_acquire_buffer;
  pool_class->free_buffer = gst_hip_buffer_pool_free_buffer;
  pool_class->reset_buffer = gst_hip_buffer_pool_reset_buffer;

  /**
   * GstHipBufferPool::allocation-failed:
   * @pool: the pool
   * @error: why
   *
   * A buffer could not be acquired. Who acquires it hears no reason from
   * GStreamer; who made the pool can say it. On the thread that acquires.
   *
   * Since: 1.30
   */
  allocation_failed_signal = g_signal_new ("allocation-failed",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_NONE, 1, G_TYPE_ERROR);
  GST_DEBUG_CATEGORY_INIT (gst_hip_buffer_pool_debug, "hipbufferpool", 0,
      "HIP buffer pool");
}

static void
gst_hip_buffer_pool_init (GstHipBufferPool * self)
{
  self->priv = gst_hip_buffer_pool_get_instance_private (self);
}

/**
 * gst_hip_buffer_pool_new:
 * @device: the device
 *
 * gst_hip_buffer_pool_new_full() with device memory.
 *
 * Returns: (transfer full): a new pool, to be configured
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstBufferPool *
gst_hip_buffer_pool_new (GstHipDevice * device)
{
  return gst_hip_buffer_pool_new_full (device, GST_HIP_MEMORY_KIND_DEVICE);
}

/**
 * gst_hip_buffer_pool_new_full:
 * @device: the device
 * @kind: %GST_HIP_MEMORY_KIND_DEVICE or %GST_HIP_MEMORY_KIND_PINNED
 *
 * Makes a pool of buffers with one memory each. Configured with caps of raw
 * video it makes frames, and corrects the size in its configuration to that of
 * their layout; with other caps or none, linear memory of the size given.
 *
 * Frames have a #GstVideoMeta, always. Their strides suit the device; those of
 * pinned frames only with %GST_BUFFER_POOL_OPTION_VIDEO_META, otherwise they
 * are what caps say. The padding of
 * %GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT is honoured.
 *
 * Acquired buffers may have work of users before pending on them, see
 * gst_hip_pool_allocator_acquire_memory().
 *
 * Returns: (transfer full): a new pool, to be configured
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstBufferPool *
gst_hip_buffer_pool_new_full (GstHipDevice * device, GstHipMemoryKind kind)
{
  GstHipBufferPool *self;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (kind == GST_HIP_MEMORY_KIND_DEVICE
      || kind == GST_HIP_MEMORY_KIND_PINNED, NULL);

  self = g_object_new (GST_TYPE_HIP_BUFFER_POOL, NULL);
  gst_object_ref_sink (self);
  self->device = gst_object_ref (device);
  self->priv->kind = kind;
  return GST_BUFFER_POOL_CAST (self);
}

/**
 * gst_hip_buffer_pool_get_kind:
 * @pool: a #GstHipBufferPool
 *
 * Returns: the kind of memory that @pool gives
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipMemoryKind
gst_hip_buffer_pool_get_kind (GstHipBufferPool * pool)
{
  g_return_val_if_fail (GST_IS_HIP_BUFFER_POOL (pool),
      GST_HIP_MEMORY_KIND_DEVICE);

  return pool->priv->kind;
}

/**
 * gst_buffer_pool_config_set_hip_stream:
 * @config: configuration of a #GstHipBufferPool
 * @stream: (transfer none): a stream of the pool's device
 *
 * Makes @stream the one of the pool's memories, see
 * gst_hip_memory_get_stream().
 *
 * Blocking: never.
 * Threads: any; one @config by one thread at a time.
 * Since: 1.30
 */
void
gst_buffer_pool_config_set_hip_stream (GstStructure * config,
    GstHipStream * stream)
{
  g_return_if_fail (config != NULL);
  g_return_if_fail (GST_IS_HIP_STREAM (stream));

  gst_structure_set (config, CONFIG_STREAM, GST_TYPE_HIP_STREAM, stream, NULL);
}

/**
 * gst_buffer_pool_config_get_hip_stream:
 * @config: configuration of a #GstHipBufferPool
 *
 * Returns: (transfer full) (nullable): the stream of
 *     gst_buffer_pool_config_set_hip_stream(), if any
 *
 * Blocking: never.
 * Threads: any; one @config by one thread at a time.
 * Since: 1.30
 */
GstHipStream *
gst_buffer_pool_config_get_hip_stream (GstStructure * config)
{
  GstHipStream *stream = NULL;

  g_return_val_if_fail (config != NULL, NULL);

  gst_structure_get (config, CONFIG_STREAM, GST_TYPE_HIP_STREAM, &stream, NULL);
  return stream;
}
