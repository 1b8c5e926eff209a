/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hipupload
 * @title: hipupload
 *
 * Brings video from CPU memory to the device. It offers upstream a pool of
 * page-locked memory, which the device reads by itself while the next frame is
 * made. Frames in HIP memory pass through, and so do others where nothing
 * downstream takes HIP memory.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! hipupload ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* How does a frame in CPU memory get to the device? Must not know vendors.
 * Invariants: I1 (only queues), I3 (CPU memory that the device reads is held
 * by fence data until it is done).
 */
#include "config.h"

#include "gsthipupload.h"
#include "hip-bridge.h"
#include "hip-frame-copy.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_upload_debug);
#define GST_CAT_DEFAULT gst_hip_upload_debug

struct _GstHipUpload
{
  GstHipBaseFilter parent;

  GstBufferPool *staging;       /* pinned; made when first needed */
  gboolean reads_any;           /* the device reads any CPU memory */
};

G_DEFINE_FINAL_TYPE_WITH_CODE (GstHipUpload, gst_hip_upload,
    GST_TYPE_HIP_BASE_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_hip_upload_debug, "hipupload", 0,
        "HIP upload"));
GST_ELEMENT_REGISTER_DEFINE (hipupload, "hipupload", GST_RANK_NONE,
    GST_TYPE_HIP_UPLOAD);

static void
drop_staging (GstHipUpload * self)
{
  if (self->staging)
    gst_buffer_pool_set_active (self->staging, FALSE);
  gst_clear_object (&self->staging);
}

static gboolean
gst_hip_upload_open (GstHipBaseFilter * filter, GError ** error)
{
  const GstHipDeviceInfo *info =
      gst_hip_device_get_info (gst_hip_base_filter_get_device (filter));

  GST_HIP_UPLOAD (filter)->reads_any =
      (info->caps & GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE) != 0;
  return TRUE;
}

static void
gst_hip_upload_close (GstHipBaseFilter * filter)
{
  drop_staging (GST_HIP_UPLOAD (filter));
}

static gboolean
gst_hip_upload_set_info (GstHipBaseFilter * filter, GstCaps * in_caps,
    const GstVideoInfo * in_info, GstCaps * out_caps,
    const GstVideoInfo * out_info, GError ** error)
{
  drop_staging (GST_HIP_UPLOAD (filter));
  return TRUE;
}

static GstCaps *
gst_hip_upload_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  static const gchar *const both[] = {
    GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY,
    NULL
  };
  static const gchar *const system[] = {
    GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY, NULL
  };

  if (direction == GST_PAD_SINK)
    return hip_bridge_caps_or_same (GST_BASE_TRANSFORM_SRC_PAD (trans), caps,
        filter, GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  return hip_bridge_caps (caps, filter, both, system);
}

/* --- the three ways --- */

static gboolean
acquire_staging (GstHipUpload * self, GstBuffer ** buffer, GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  g_autoptr (GError) before = gst_hip_take_error ();
  g_autoptr (GstCaps) caps = NULL;
  guint size;

  if (!self->staging) {
    caps = gst_video_info_to_caps (gst_hip_base_filter_get_in_info (filter));
    self->staging = gst_hip_base_filter_new_pool (filter,
        GST_HIP_MEMORY_KIND_PINNED, caps, 0, TRUE, &size);
    if (self->staging && !gst_buffer_pool_set_active (self->staging, TRUE))
      gst_clear_object (&self->staging);
  }
  if (!self->staging || gst_buffer_pool_acquire_buffer (self->staging, buffer,
          NULL) != GST_FLOW_OK) {
    hip_propagate_reason (error, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no page-locked memory for staging");
    return FALSE;
  }
  return TRUE;
}

/* The CPU copies src to a pinned buffer; src describes that one afterwards.
 * fence keeps the buffer. */
static gboolean
stage (GstHipUpload * self, HipFrame * src, GstBuffer * in,
    GstHipFenceData * fence, GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  HipInFlight *in_flight = gst_hip_base_filter_get_in_flight (filter);
  HipFrameHold *from_hold, *to_hold;
  GstBuffer *buffer;
  HipFrame staged, mapped;
  gboolean ok;

  if (!acquire_staging (self, &buffer, error))
    return FALSE;
  /* Takes the buffer over. */
  gst_hip_fence_data_push_mini_object (fence, GST_MINI_OBJECT_CAST (buffer));

  from_hold = hip_frame_hold_acquire (in_flight);
  to_hold = hip_frame_hold_acquire (in_flight);
  hip_frame_hold_set_buffer (from_hold, in);
  hip_frame_hold_set_buffer (to_hold, buffer);
  ok = hip_frame_locate (&staged, buffer,
      gst_hip_base_filter_get_in_info (filter), error);
  if (ok) {
    mapped = staged;
    ok = hip_frame_map (src, from_hold, GST_MAP_READ, error)
        && hip_frame_map (&mapped, to_hold, GST_MAP_WRITE, error);
  }
  if (ok)
    hip_frame_copy_cpu (&mapped, src);
  hip_frame_hold_release (from_hold);
  hip_frame_hold_release (to_hold);
  *src = staged;
  return ok;
}

/* Makes src something that the device reads by itself, kept by fence. */
static gboolean
prepare_source (GstHipUpload * self, HipFrame * src, GstBuffer * in,
    GstHipFenceData * fence, HipPath * path, GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GstHipDevice *device = gst_hip_base_filter_get_device (filter);
  HipFrameHold *hold;

  *path = HIP_PATH_PINNED_TRANSFER;
  if (hip_frame_is_on_device (src, device, FALSE)) {
    *path = HIP_PATH_DEVICE_COPY;
    return TRUE;                /* I3: goes back to its pool at once */
  }
  if (hip_frame_is_on_device (src, device, TRUE)) {
    gst_hip_fence_data_push_mini_object (fence,
        GST_MINI_OBJECT_CAST (gst_buffer_ref (in)));
    return TRUE;
  }
  if (self->reads_any && !src->bottom_up) {
    hold = hip_frame_hold_acquire (gst_hip_base_filter_get_in_flight (filter));
    hip_frame_hold_set_buffer (hold, in);
    gst_hip_fence_data_push (fence, hold, hip_frame_hold_release);
    return hip_frame_map (src, hold, GST_MAP_READ, error);
  }
  *path = HIP_PATH_CPU_COPY;
  return stage (self, src, in, fence, error);
}

static GstFlowReturn
gst_hip_upload_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstHipUpload *self = GST_HIP_UPLOAD (trans);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  const GstVideoInfo *info = gst_hip_base_filter_get_in_info (filter);
  GstHipFenceData *fence = gst_hip_base_filter_acquire_fence (filter);
  g_autoptr (GstHipEvent) event = NULL;
  GError *error = NULL;
  HipFrame src, dst;
  HipPath path;
  gboolean ok;

  ok = hip_frame_locate (&src, in, info, &error)
      && hip_frame_locate (&dst, out, info, &error)
      && prepare_source (self, &src, in, fence, &path, &error);
  if (!ok) {
    gst_hip_fence_data_unref (fence);
    gst_hip_base_filter_post_error (filter, "Frame not uploaded", error);
    return GST_FLOW_ERROR;
  }

  ok = hip_frame_queue_copy (gst_hip_base_filter_get_stream (filter), &dst,
      &src, &error);
  /* Also after a failure: some planes may be on their way. */
  event = gst_hip_base_filter_record (filter, ok ? &error : NULL);
  if (!event) {
    gst_hip_fence_data_unref (fence);
    ok = FALSE;
  } else {
    hip_frame_copy_end (&dst, &src, event);
    gst_hip_base_filter_submit_frame (filter, event, fence);
  }
  if (!ok) {
    gst_hip_base_filter_post_error (filter, "Frame not uploaded", error);
    return GST_FLOW_ERROR;
  }
  gst_hip_base_filter_count_path (filter, path);
  return GST_FLOW_OK;
}

static void
gst_hip_upload_finalize (GObject * object)
{
  drop_staging (GST_HIP_UPLOAD (object));
  G_OBJECT_CLASS (gst_hip_upload_parent_class)->finalize (object);
}

static void
gst_hip_upload_init (GstHipUpload * self)
{
}

static void
gst_hip_upload_class_init (GstHipUploadClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstHipBaseFilterClass *filter_class = GST_HIP_BASE_FILTER_CLASS (klass);

  object_class->finalize = gst_hip_upload_finalize;

  gst_element_class_add_pad_template (element_class,
      hip_bridge_template (GST_PAD_SINK,
          GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY,
          GST_CAPS_FEATURE_MEMORY_HIP_MEMORY));
  gst_element_class_add_pad_template (element_class,
      hip_bridge_template (GST_PAD_SRC,
          GST_CAPS_FEATURE_MEMORY_HIP_MEMORY,
          GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY));
  gst_element_class_set_static_metadata (element_class, "HIP uploader",
      "Filter/Video/Uploader", "Brings video from CPU memory to the device",
      "GstHip contributors");

  trans_class->passthrough_on_same_caps = TRUE;
  trans_class->transform_caps = gst_hip_upload_transform_caps;
  trans_class->transform = gst_hip_upload_transform;

  filter_class->open = gst_hip_upload_open;
  filter_class->close = gst_hip_upload_close;
  filter_class->set_info = gst_hip_upload_set_info;
}
