/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hipdownload
 * @title: hipdownload
 *
 * Brings video from the device to CPU memory. The transfer is started and the
 * buffer pushed at once; the first access of the CPU waits for it. Where
 * downstream insists on a pool of its own, frames are copied there by the CPU
 * when they have arrived, with #GstHipDownload:async-depth frames of latency.
 * Frames in CPU memory pass through, and so do frames in HIP memory where
 * nothing downstream takes CPU memory.
 *
 * Where downstream names DMA-BUFs and no CPU memory, and those that the device
 * exports can be mapped, it gets its frames in such, linear, by one copy on the
 * device. A frame is pushed when it is complete, since nobody could wait for it:
 * #GstHipDownload:async-depth frames of latency. On AMD's devices that takes
 * HIP 7; on the CPU a DMA-BUF is a memfd, which other processes and this library
 * map, and no driver of a GPU imports.
 *
 * Where downstream names CUDA memory (nvcodec's encoders), it gets such memory on
 * NVIDIA's devices: the frame itself, not a copy. That needs GStreamer 1.24.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! hipupload ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* How does a frame on the device get to the CPU? Must not know vendors.
 * Invariants: I1, except that a frame for downstream's own pool is waited for
 * once async-depth newer ones are queued, a wait that flush and state change
 * end; frames and serialized events keep their order.
 */
#include "config.h"

#include <gst/base/gstqueuearray.h>

#include "gsthipdownload.h"
#include "hip-bridge.h"
#include "hip-cuda.h"
#include "hip-dmabuf-caps.h"
#include "hip-dmabuf-pool.h"
#include "hip-download-caps.h"
#include "hip-frame-copy.h"
#include "hip-required-pool.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_download_debug);
#define GST_CAT_DEFAULT gst_hip_download_debug

#define DEFAULT_ASYNC_DEPTH 1

enum
{
  PROP_0,
  PROP_ASYNC_DEPTH,
};

/* A frame that is pushed when it has arrived: in pinned memory, to be copied for
 * downstream, or in a DMA-BUF. */
typedef struct
{
  GstBuffer *buffer;
  guint64 count;                /* arrived when so many frames have finished */
} PendingFrame;

struct _GstHipDownload
{
  GstHipBaseFilter parent;

  guint async_depth;            /* object lock */
  GstBufferPool *sink_pool;     /* object lock; downstream's, if it insists */
  guint latency_frames;         /* object lock */

  gint dmabufs;                 /* object lock; can those that the device exports be mapped? -1: not known yet */
  gboolean dmabuf_out;          /* streaming thread */
  gboolean cuda_out;            /* streaming thread */
  GstMiniObject *cuda_stream;   /* GstCuda's; streaming thread */

  GstQueueArray *pending;
  guint64 last_count;
};

G_DEFINE_FINAL_TYPE_WITH_CODE (GstHipDownload, gst_hip_download,
    GST_TYPE_HIP_BASE_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_hip_download_debug, "hipdownload", 0,
        "HIP download"));
GST_ELEMENT_REGISTER_DEFINE (hipdownload, "hipdownload", GST_RANK_NONE,
    GST_TYPE_HIP_DOWNLOAD);

/* --- caps --- */

static GstCaps *
gst_hip_download_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  g_autoptr (GstCaps) result = direction == GST_PAD_SINK ?
      hip_download_caps_get_outputs (GST_HIP_BASE_FILTER (trans),
      &GST_HIP_DOWNLOAD (trans)->dmabufs, caps) :
      hip_download_caps_get_inputs (caps);

  return filter ? gst_caps_intersect_full (filter, result,
      GST_CAPS_INTERSECT_FIRST) : g_steal_pointer (&result);
}

/* --- allocation --- */

static void
set_sink_pool (GstHipDownload * self, GstBufferPool * pool)
{
  GstBufferPool *old;
  gboolean changed;
  guint latency;

  GST_OBJECT_LOCK (self);
  old = self->sink_pool;
  self->sink_pool = pool ? gst_object_ref (pool) : NULL;
  latency = pool || self->dmabuf_out ? self->async_depth : 0;
  changed = latency != self->latency_frames;
  self->latency_frames = latency;
  GST_OBJECT_UNLOCK (self);

  if (old) {
    if (old != pool)
      gst_buffer_pool_set_active (old, FALSE);
    gst_object_unref (old);
  }
  if (changed)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_latency (GST_OBJECT (self)));
}

static gboolean
gst_hip_download_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  g_autoptr (GstBufferPool) required = NULL;
  g_autoptr (GstBufferPool) pool = NULL;
  gboolean with_meta;
  guint size, min, max;
  GstHipMemoryKind kind = self->cuda_out ? GST_HIP_MEMORY_KIND_DEVICE :
      GST_HIP_MEMORY_KIND_PINNED;
  GstCaps *caps;

  const GstVideoInfo *info = gst_hip_base_filter_get_out_info (filter);
  g_autoptr (GstCaps) plain = NULL;

  gst_query_parse_allocation (query, &caps, NULL);
  with_meta =
      gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  if (!self->cuda_out)
    required = hip_required_pool_find (query, &size, &min, &max);
  if (required && !hip_required_pool_start (required, query, caps, size,
          min, max)) {
    GST_WARNING_OBJECT (self, "%" GST_PTR_FORMAT " cannot be used; frames "
        "come from a pool of this element", required);
    g_clear_object (&required);
  }
  set_sink_pool (self, required);

  /* Behind downstream's pool, ours is for staging: any layout will do. For CUDA
   * memory it is for frames that cannot be lent. */
  if (self->dmabuf_out)
    plain = gst_video_info_to_caps (info);
  if (self->dmabuf_out && !required)
    pool = hip_dmabuf_pool_new (gst_hip_base_filter_get_device (filter), caps,
        info, with_meta, &size);
  else
    pool = gst_hip_base_filter_new_pool (filter, kind, plain ? plain : caps, 0,
        with_meta || required || self->cuda_out, &size);
  if (!pool)
    return FALSE;
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_set_nth_allocation_pool (query, 0, pool, size, 0, 0);
  else
    gst_query_add_allocation_pool (query, pool, size, 0, 0);

  return GST_BASE_TRANSFORM_CLASS
      (gst_hip_download_parent_class)->decide_allocation (trans, query);
}

static gboolean
gst_hip_download_set_info (GstHipBaseFilter * filter, GstCaps * in_caps,
    const GstVideoInfo * in_info, GstCaps * out_caps,
    const GstVideoInfo * out_info, GError ** error)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (filter);

  self->cuda_out = hip_caps_are_cuda (out_caps, 0);
  self->dmabuf_out = hip_caps_are_dmabuf (out_caps, 0);
  set_sink_pool (self, NULL);
  return TRUE;
}

static void
gst_hip_download_close (GstHipBaseFilter * filter)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (filter);

  g_clear_pointer (&self->cuda_stream, gst_mini_object_unref);
  GST_OBJECT_LOCK (self);
  self->dmabufs = -1;
  GST_OBJECT_UNLOCK (self);
}

/* --- a frame --- */

static gboolean
all_on_device (HipFrame * frame, GstHipDevice * device, gboolean * host_side)
{
  *host_side = FALSE;
  if (hip_frame_is_on_device (frame, device, FALSE))
    return TRUE;
  *host_side = TRUE;
  return hip_frame_is_on_device (frame, device, TRUE);
}

static gboolean
queue_download (GstHipDownload * self, GstBuffer * in, GstBuffer * out,
    GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GstHipDevice *device = gst_hip_base_filter_get_device (filter);
  const GstVideoInfo *info = gst_hip_base_filter_get_in_info (filter);
  GstHipFenceData *fence = NULL;
  g_autoptr (GstHipEvent) event = NULL;
  HipFrame src, dst;
  gboolean ok, host_side, out_is_host = !self->cuda_out;

  if (!hip_frame_locate (&src, in, info, error)
      || !hip_frame_locate (&dst, out, info, error))
    return FALSE;
  if (self->dmabuf_out && hip_dmabuf_pool_to_hip (&dst))
    out_is_host = FALSE;
  if (!all_on_device (&src, device, &host_side)
      || !hip_frame_is_on_device (&dst, device, out_is_host)) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the caps say memory:HIPMemory, but the buffer's memory is not HIP "
        "memory of this device");
    return FALSE;
  }

  ok = hip_frame_queue_copy (gst_hip_base_filter_get_stream (filter), &dst,
      &src, error);
  event = gst_hip_base_filter_record (filter, ok ? error : NULL);
  if (!event)
    return FALSE;
  hip_frame_copy_end (&dst, &src, event);
  /* I3: device memory goes back to its pool at once, what the CPU may write
   * next is held. The output is not: a reference of ours would make
   * downstream copy before it writes, and its next writer is this element,
   * whose stream is ordered after this copy. */
  if (host_side) {
    fence = gst_hip_base_filter_acquire_fence (filter);
    gst_hip_fence_data_push_mini_object (fence,
        GST_MINI_OBJECT_CAST (gst_buffer_ref (in)));
  }
  self->last_count = gst_hip_base_filter_submit_frame (filter, event, fence);
  return ok;
}

static GstFlowReturn
gst_hip_download_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  GError *error = NULL;

  if (self->cuda_out)           /* made of it, and counted, before */
    return GST_FLOW_OK;
  if (!queue_download (self, in, out, &error)) {
    gst_hip_base_filter_post_error (filter, "Frame not downloaded", error);
    return GST_FLOW_ERROR;
  }
  gst_hip_base_filter_count_path (filter, self->sink_pool ? HIP_PATH_CPU_COPY :
      self->dmabuf_out ? HIP_PATH_DEVICE_COPY : HIP_PATH_PINNED_TRANSFER);
  return GST_FLOW_OK;
}

/* --- frames as CUDA memory --- */

/* In one device memory, as it has to be to be lent */
static GstBuffer *
copy_to_device (GstHipDownload * self, GstBuffer * in, GError ** error)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstBuffer) copy = NULL;

  if (GST_BASE_TRANSFORM_CLASS
      (gst_hip_download_parent_class)->prepare_output_buffer (trans, in,
          &copy) != GST_FLOW_OK) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no memory for a copy");
    return NULL;
  }
  return queue_download (self, in, copy, error) ? g_steal_pointer (&copy) :
      NULL;
}

static GstBuffer *
make_cuda (GstHipDownload * self, GstBuffer * in, HipPath * path,
    GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  g_autoptr (GstBuffer) copy = NULL;
  GError *own = NULL;
  GstBuffer *result =
      hip_frame_export_cuda (filter, in, &self->cuda_stream, &own);

  *path = HIP_PATH_ZERO_COPY;
  if (result || !g_error_matches (own, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED)) {
    if (own)
      g_propagate_error (error, own);
    return result;
  }
  GST_DEBUG_OBJECT (self, "copied: %s", own->message);
  g_error_free (own);
  *path = HIP_PATH_DEVICE_COPY;
  copy = copy_to_device (self, in, error);
  return copy ? hip_frame_export_cuda (filter, copy, &self->cuda_stream, error)
      : NULL;
}

static GstFlowReturn
gst_hip_download_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);
  GError *error = NULL;
  HipPath path;

  if (!self->cuda_out || gst_base_transform_is_passthrough (trans))
    return
        GST_BASE_TRANSFORM_CLASS
        (gst_hip_download_parent_class)->prepare_output_buffer (trans, in, out);
  *out = make_cuda (self, in, &path, &error);
  if (!*out) {
    gst_hip_base_filter_post_error (GST_HIP_BASE_FILTER (self),
        "Frame not given as CUDA memory", error);
    return GST_FLOW_ERROR;
  }
  GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, in, *out);
  gst_hip_base_filter_count_path (GST_HIP_BASE_FILTER (self), path);
  return GST_FLOW_OK;
}

/* --- frames for downstream's own pool, and in DMA-BUFs --- */

static gboolean
copy_to_buffer (GstHipDownload * self, GstBuffer * staged, GstBuffer * out,
    GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  HipInFlight *in_flight = gst_hip_base_filter_get_in_flight (filter);
  const GstVideoInfo *info = gst_hip_base_filter_get_out_info (filter);
  HipFrameHold *from = hip_frame_hold_acquire (in_flight);
  HipFrameHold *to = hip_frame_hold_acquire (in_flight);
  HipFrame src, dst;
  gboolean ok;

  ok = hip_frame_locate (&src, staged, info, error)
      && hip_frame_locate (&dst, out, info, error);
  if (ok) {
    hip_frame_hold_set_buffer (from, staged);
    ok = hip_frame_map (&src, from, GST_MAP_READ, error);
  }
  if (ok && dst.spans) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "planes of downstream's buffer lie across several memories");
    ok = FALSE;
  }
  if (ok)
    ok = hip_frame_map (&dst, to, GST_MAP_WRITE, error);
  if (ok)
    hip_frame_copy_cpu (&dst, &src);
  hip_frame_hold_release (from);
  hip_frame_hold_release (to);
  return ok;
}

/* The oldest pending frame in a buffer of downstream. Blocking: until it has
 * arrived, or downstream's pool has a buffer; flush ends both. */
static GstFlowReturn
finish_oldest (GstHipDownload * self, GstBuffer ** out)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  PendingFrame frame =
      *(PendingFrame *) gst_queue_array_pop_head_struct (self->pending);
  g_autoptr (GstBuffer) staged = frame.buffer;
  g_autoptr (GstBuffer) buffer = NULL;
  GError *error = NULL;
  GstFlowReturn ret;

  if (!hip_in_flight_wait_finished (gst_hip_base_filter_get_in_flight (filter),
          frame.count))
    return GST_FLOW_FLUSHING;
  if (!self->sink_pool) {
    *out = g_steal_pointer (&staged);
    return GST_FLOW_OK;
  }
  ret = gst_buffer_pool_acquire_buffer (self->sink_pool, &buffer, NULL);
  if (ret != GST_FLOW_OK)
    return ret;
  if (!copy_to_buffer (self, staged, buffer, &error)) {
    gst_hip_base_filter_post_error (filter,
        "Frame not copied to downstream's pool", error);
    return GST_FLOW_ERROR;
  }
  if (!gst_buffer_copy_into (buffer, staged, GST_BUFFER_COPY_FLAGS |
          GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_META, 0, -1))
    return GST_FLOW_ERROR;
  *out = g_steal_pointer (&buffer);
  return GST_FLOW_OK;
}

static void
clear_pending (GstHipDownload * self)
{
  PendingFrame *frame;

  while ((frame = gst_queue_array_pop_head_struct (self->pending)))
    gst_buffer_unref (frame->buffer);
}

/* Pushes everything that is pending, so that what follows stays behind it. */
static GstFlowReturn
drain (GstHipDownload * self)
{
  GstFlowReturn ret = GST_FLOW_OK;
  GstBuffer *buffer;

  while (ret == GST_FLOW_OK && !gst_queue_array_is_empty (self->pending)) {
    ret = finish_oldest (self, &buffer);
    if (ret == GST_FLOW_OK)
      ret = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self), buffer);
  }
  clear_pending (self);
  return ret;
}

static GstFlowReturn
gst_hip_download_generate_output (GstBaseTransform * trans, GstBuffer ** out)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);
  PendingFrame frame;
  GstFlowReturn ret;
  guint depth;

  ret = GST_BASE_TRANSFORM_CLASS
      (gst_hip_download_parent_class)->generate_output (trans, out);
  if (ret != GST_FLOW_OK || !(self->sink_pool || self->dmabuf_out)
      || gst_base_transform_is_passthrough (trans))
    return ret;

  if (*out) {
    frame.buffer = g_steal_pointer (out);
    frame.count = self->last_count;
    gst_queue_array_push_tail_struct (self->pending, &frame);
  }
  GST_OBJECT_LOCK (self);
  depth = self->async_depth;
  GST_OBJECT_UNLOCK (self);
  if (gst_queue_array_get_length (self->pending) > depth)
    ret = finish_oldest (self, out);
  return ret;
}

static GstFlowReturn
gst_hip_download_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * input)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);
  GstFlowReturn ret;

  if (gst_pad_needs_reconfigure (GST_BASE_TRANSFORM_SRC_PAD (trans))) {
    ret = drain (self);
    if (ret != GST_FLOW_OK) {
      gst_buffer_unref (input);
      return ret;
    }
  }
  return GST_BASE_TRANSFORM_CLASS
      (gst_hip_download_parent_class)->submit_input_buffer (trans, is_discont,
      input);
}

/* --- order with events, flush, latency --- */

static void
set_pool_flushing (GstHipDownload * self, gboolean flushing)
{
  g_autoptr (GstBufferPool) pool = NULL;

  GST_OBJECT_LOCK (self);
  if (self->sink_pool)
    pool = gst_object_ref (self->sink_pool);
  GST_OBJECT_UNLOCK (self);
  if (pool)
    gst_buffer_pool_set_flushing (pool, flushing);
}

static gboolean
gst_hip_download_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      set_pool_flushing (self, TRUE);
      break;
    case GST_EVENT_FLUSH_STOP:
      clear_pending (self);
      set_pool_flushing (self, FALSE);
      break;
    default:
      if (GST_EVENT_IS_SERIALIZED (event))
        drain (self);
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_hip_download_parent_class)->sink_event
      (trans, event);
}

static GstClockTime
added_latency (GstHipDownload * self)
{
  const GstVideoInfo *info =
      gst_hip_base_filter_get_out_info (GST_HIP_BASE_FILTER (self));
  guint frames;

  GST_OBJECT_LOCK (self);
  frames = self->latency_frames;
  GST_OBJECT_UNLOCK (self);
  if (frames == 0 || GST_VIDEO_INFO_FPS_N (info) <= 0)
    return 0;
  return gst_util_uint64_scale_int (frames * GST_SECOND,
      GST_VIDEO_INFO_FPS_D (info), GST_VIDEO_INFO_FPS_N (info));
}

static gboolean
gst_hip_download_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);
  GstClockTime min, max, added;
  gboolean live;

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query))
    drain (self);
  if (!GST_BASE_TRANSFORM_CLASS (gst_hip_download_parent_class)->query (trans,
          direction, query))
    return FALSE;

  if (direction == GST_PAD_SRC && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY) {
    added = added_latency (self);
    gst_query_parse_latency (query, &live, &min, &max);
    min += added;
    if (GST_CLOCK_TIME_IS_VALID (max))
      max += added;
    gst_query_set_latency (query, live, min, max);
  }
  return TRUE;
}

static GstStateChangeReturn
gst_hip_download_change_state (GstElement * element, GstStateChange transition)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (element);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    set_pool_flushing (self, TRUE);
  return GST_ELEMENT_CLASS (gst_hip_download_parent_class)->change_state
      (element, transition);
}

static gboolean
gst_hip_download_stop (GstBaseTransform * trans)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (trans);

  clear_pending (self);
  set_sink_pool (self, NULL);
  return GST_BASE_TRANSFORM_CLASS (gst_hip_download_parent_class)->stop (trans);
}

/* --- object --- */

static void
gst_hip_download_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (object);

  switch (id) {
    case PROP_ASYNC_DEPTH:
      GST_OBJECT_LOCK (self);
      self->async_depth = g_value_get_uint (value);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_hip_download_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (object);

  switch (id) {
    case PROP_ASYNC_DEPTH:
      GST_OBJECT_LOCK (self);
      g_value_set_uint (value, self->async_depth);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_hip_download_finalize (GObject * object)
{
  GstHipDownload *self = GST_HIP_DOWNLOAD (object);

  clear_pending (self);
  gst_queue_array_free (self->pending);
  gst_clear_object (&self->sink_pool);
  G_OBJECT_CLASS (gst_hip_download_parent_class)->finalize (object);
}

static void
gst_hip_download_init (GstHipDownload * self)
{
  self->async_depth = DEFAULT_ASYNC_DEPTH;
  self->dmabufs = -1;
  self->pending = gst_queue_array_new_for_struct (sizeof (PendingFrame), 4);
}

static void
gst_hip_download_class_init (GstHipDownloadClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstHipBaseFilterClass *filter_class = GST_HIP_BASE_FILTER_CLASS (klass);
  GstCaps *caps;

  object_class->set_property = gst_hip_download_set_property;
  object_class->get_property = gst_hip_download_get_property;
  object_class->finalize = gst_hip_download_finalize;

  /**
   * GstHipDownload:async-depth:
   *
   * Where frames must be copied to downstream's own pool, or go in DMA-BUFs: how
   * many may be on their way before the oldest is pushed.
   *
   * Since: 1.30
   */
  g_object_class_install_property (object_class, PROP_ASYNC_DEPTH,
      g_param_spec_uint ("async-depth", "Async depth",
          "Frames on their way before the oldest is pushed, where downstream "
          "insists on a pool of its own or takes DMA-BUFs", 0, 64,
          DEFAULT_ASYNC_DEPTH,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));

  gst_element_class_add_pad_template (element_class,
      hip_bridge_template (GST_PAD_SINK,
          hip_bridge_template_caps (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY,
              GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY)));
  caps = hip_bridge_template_caps (GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY,
      GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  hip_dmabuf_caps_append_template (caps);
  hip_cuda_caps_append_template (caps);
  gst_element_class_add_pad_template (element_class,
      hip_bridge_template (GST_PAD_SRC, caps));
  gst_element_class_set_static_metadata (element_class, "HIP downloader",
      "Filter/Video/Downloader", "Brings video from the device to CPU memory",
      "GstHip contributors");

  element_class->change_state = gst_hip_download_change_state;

  trans_class->passthrough_on_same_caps = TRUE;
  trans_class->transform_caps = gst_hip_download_transform_caps;
  trans_class->prepare_output_buffer = gst_hip_download_prepare_output_buffer;
  trans_class->transform = gst_hip_download_transform;
  trans_class->generate_output = gst_hip_download_generate_output;
  trans_class->submit_input_buffer = gst_hip_download_submit_input_buffer;
  trans_class->decide_allocation = gst_hip_download_decide_allocation;
  trans_class->sink_event = gst_hip_download_sink_event;
  trans_class->query = gst_hip_download_query;
  trans_class->stop = gst_hip_download_stop;

  filter_class->close = gst_hip_download_close;
  filter_class->set_info = gst_hip_download_set_info;
}
