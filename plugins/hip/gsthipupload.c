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
 * What comes in other CPU memory is copied to page-locked memory first. Memory
 * of a pool that comes again and again, at least 256 KiB large, is page-locked
 * itself from its third frame on, up to 64 memories of 512 MiB in all, and the
 * device reads it from then on: path `pinned-transfer` instead of `cpu-copy`, and
 * `page-locked` in #GstHipBaseFilter:stats.
 *
 * Frames in DMA-BUFs (of VA decoders, cameras, PipeWire) are not copied on
 * devices that import them, AMD's and the CPU: what goes downstream is the same
 * memory, which its producer gets back when the device has read it. They have to
 * be linear. What cannot be imported is copied, which one warning in the log and
 * #GstHipBaseFilter:path tell; so is, on the device, a frame that leaves its
 * producer with too few buffers.
 *
 * So are frames in memory of GStreamer's CUDA elements (nvcodec's decoders) on
 * NVIDIA's devices: those elements are given the context that this one works
 * in. Of a frame that comes in another context the device makes one copy.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! hipupload ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* How does a frame in CPU memory, a DMA-BUF or CUDA memory get to the device? Must not know
 * vendors. Invariants: I1 (only queues), I3 (CPU memory that the device reads is
 * held by fence data until it is done; a DMA-BUF by the memory that is a view
 * of it). What a buffer is made of is looked at, whatever its caps say.
 */
#include "config.h"

#include "gsthipupload.h"
#include "hip-bridge.h"
#include "hip-cuda.h"
#include "hip-dmabuf-caps.h"
#include "hip-frame-copy.h"
#include "hip-import.h"
#include "hip-page-locks.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_upload_debug);
#define GST_CAT_DEFAULT gst_hip_upload_debug

#define DEFAULT_ASSUME_LINEAR FALSE
/* How long stopping waits for pages to be unlocked: the application may free its memory then. */
#define MOST_UNLOCKING_US (5 * G_TIME_SPAN_SECOND)

enum
{
  PROP_0,
  PROP_ASSUME_LINEAR,
};

struct _GstHipUpload
{
  GstHipBaseFilter parent;

  GstBufferPool *staging;       /* pinned; made when first needed */
  gboolean reads_any;           /* the device reads any CPU memory */
  HipPageLocks *page_locks;     /* where it does not; of the last device when closed */
  gboolean imports;             /* the device imports DMA-BUFs */
  GstBuffer *imported;          /* this frame in HIP memory, to be copied from; or NULL */
  gboolean is_output;           /* ... or to be the output */
  gboolean warned;              /* that a frame which others do not copy is copied */
  gboolean assume_linear;       /* object lock */
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
  GST_HIP_UPLOAD (filter)->imports =
      (info->caps & GST_HIP_DEVICE_CAP_DMABUF_IMPORT) != 0;
  GST_HIP_UPLOAD (filter)->warned = FALSE;
  g_clear_pointer (&GST_HIP_UPLOAD (filter)->page_locks, hip_page_locks_unref);
  if (!GST_HIP_UPLOAD (filter)->reads_any)
    GST_HIP_UPLOAD (filter)->page_locks =
        hip_page_locks_new (gst_hip_base_filter_get_device (filter),
        gst_hip_base_filter_get_in_flight (filter));
  return TRUE;
}

static void
gst_hip_upload_close (GstHipBaseFilter * filter)
{
  GstHipUpload *self = GST_HIP_UPLOAD (filter);

  drop_staging (self);
  if (self->page_locks)
    hip_page_locks_close (self->page_locks);
}

static gboolean
gst_hip_upload_set_info (GstHipBaseFilter * filter, GstCaps * in_caps,
    const GstVideoInfo * in_info, GstCaps * out_caps,
    const GstVideoInfo * out_info, GError ** error)
{
  drop_staging (GST_HIP_UPLOAD (filter));
  return TRUE;
}

static GstStateChangeReturn
gst_hip_upload_change_state (GstElement * element, GstStateChange transition)
{
  GstHipUpload *self = GST_HIP_UPLOAD (element);
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_hip_upload_parent_class)->change_state (element,
      transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY && self->page_locks
      && !hip_page_locks_wait (self->page_locks, MOST_UNLOCKING_US))
    GST_WARNING_OBJECT (self, "memory of others is still page-locked");
  return ret;
}

/* --- caps --- */

/* Before 1.24 caps of DMA-BUFs do not say how frames lie in them. */
static gboolean
takes_plain_dmabufs (GstHipUpload * self)
{
  gboolean takes;

  GST_OBJECT_LOCK (self);
  takes = self->assume_linear;
  GST_OBJECT_UNLOCK (self);
  return takes || GST_CHECK_VERSION (1, 24, 0);
}

/* Where frames are not taken as they are, page-locked memory is the better way. */
static void
get_preferences (GstHipUpload * self, gboolean * dmabufs, gboolean * cuda)
{
  const GstHipDeviceInfo *info;
  GstHipDevice *device;

  *dmabufs = *cuda = TRUE;
  GST_OBJECT_LOCK (self);
  device = gst_hip_base_filter_get_device (GST_HIP_BASE_FILTER (self));
  if (device) {
    info = gst_hip_device_get_info (device);
    *dmabufs = (info->caps & GST_HIP_DEVICE_CAP_DMABUF_IMPORT) != 0;
    *cuda = info->vendor == GST_HIP_VENDOR_NVIDIA;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
append_bridged (GstCaps ** result, GstCaps * one, const gchar * memory)
{
  const gchar *const to[] = { memory, NULL }, *const none[] = { NULL };

  *result = gst_caps_merge (*result, hip_bridge_caps (one, NULL, to,
          g_str_equal (memory, GST_CAPS_FEATURE_MEMORY_HIP_MEMORY) ? none :
          to));
}

/* What the frames of structure index can be made of */
static GstCaps *
append_inputs (GstHipUpload * self, GstCaps * result, GstCaps * caps,
    guint index)
{
  g_autoptr (GstCaps) one = gst_caps_copy_nth (caps, index);
  g_autoptr (GstCaps) dmabufs = gst_caps_new_empty ();
  g_autoptr (GstCaps) cuda = gst_caps_new_empty ();
  gboolean first, cuda_first;

  if (hip_caps_are_dmabuf (one, 0)) {
    if (gst_structure_has_field (gst_caps_get_structure (one, 0), "drm-format")
        || takes_plain_dmabufs (self))
      gst_caps_append (result, g_steal_pointer (&one));
    return result;
  }
  get_preferences (self, &first, &cuda_first);
  hip_dmabuf_caps_append_from_hip (dmabufs, one, 0, takes_plain_dmabufs (self));
  hip_cuda_caps_append_from_hip (cuda, one, 0);
  append_bridged (&result, one, GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  if (cuda_first)
    result = gst_caps_merge (result, gst_caps_ref (cuda));
  if (first)
    result = gst_caps_merge (result, gst_caps_ref (dmabufs));
  append_bridged (&result, one, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  if (!first)
    result = gst_caps_merge (result, gst_caps_ref (dmabufs));
  if (!cuda_first)
    result = gst_caps_merge (result, gst_caps_ref (cuda));
  return result;
}

static GstCaps *
gst_hip_upload_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  GstHipUpload *self = GST_HIP_UPLOAD (trans);
  g_autoptr (GstCaps) result = NULL, in_hip = NULL;

  if (direction == GST_PAD_SINK) {
    in_hip = hip_dmabuf_caps_to_hip (caps, takes_plain_dmabufs (self));
    return hip_bridge_caps_or_same (GST_BASE_TRANSFORM_SRC_PAD (trans), caps,
        in_hip, filter, GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  }
  result = gst_caps_new_empty ();
  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    result = append_inputs (self, result, caps, i);
  return filter ? gst_caps_intersect_full (filter, result,
      GST_CAPS_INTERSECT_FIRST) : g_steal_pointer (&result);
}

/* Nobody else can tell why such caps are refused. */
static void
explain_refusal (GstHipUpload * self, GstCaps * caps)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;

  if (!gst_caps_is_fixed (caps) || !hip_caps_are_dmabuf (caps, 0))
    return;
  if (!gst_hip_video_info_from_caps (&info, caps, &error))
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("%s", error->message),
        ("refused: %" GST_PTR_FORMAT, caps));
  else if (!gst_structure_has_field (gst_caps_get_structure (caps, 0),
          "drm-format") && !takes_plain_dmabufs (self))
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("caps of GStreamer before 1.24 "
            "do not say whether frames in DMA-BUFs are tiled: if they are not, "
            "set assume-linear=true"), ("refused: %" GST_PTR_FORMAT, caps));
}

static gboolean
gst_hip_upload_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  gboolean answered, accepted;
  GstCaps *caps;

  answered = GST_BASE_TRANSFORM_CLASS (gst_hip_upload_parent_class)->query
      (trans, direction, query);
  if (direction == GST_PAD_SINK && answered
      && GST_QUERY_TYPE (query) == GST_QUERY_ACCEPT_CAPS) {
    gst_query_parse_accept_caps_result (query, &accepted);
    gst_query_parse_accept_caps (query, &caps);
    if (!accepted)
      explain_refusal (GST_HIP_UPLOAD (trans), caps);
  }
  return answered;
}

static gboolean
gst_hip_upload_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  g_autoptr (GstCaps) caps = NULL;
  GstCaps *theirs;
  gboolean handled;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &theirs);
    caps = gst_caps_ref (theirs);
  }
  handled = GST_BASE_TRANSFORM_CLASS (gst_hip_upload_parent_class)->sink_event
      (trans, event);
  if (!handled && caps)
    explain_refusal (GST_HIP_UPLOAD (trans), caps);
  return handled;
}

/* --- frames that are taken as they are --- */

/* One warning, until it goes well again */
static void
give_up_import (GstHipUpload * self, const gchar * memory, const GError * error)
{
  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT, self->warned ? GST_LEVEL_DEBUG :
      GST_LEVEL_WARNING, self, "frames in %s are copied: %s", memory,
      error->message);
  self->warned = TRUE;
}

/* A frame in CUDA memory may be in another context. */
static gboolean
is_of_our_device (GstHipBaseFilter * filter, GstBuffer * imported)
{
  GstHipMemory *memory =
      GST_HIP_MEMORY_CAST (gst_buffer_peek_memory (imported, 0));

  return gst_hip_device_is_equal (memory->device,
      gst_hip_base_filter_get_device (filter));
}

/* FALSE: the frame is not what it says. Without self->imported it is to be
 * copied by the CPU or from pinned memory. */
static gboolean
try_import (GstHipUpload * self, GstBuffer * in)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GError *error = NULL;
  gboolean cuda;

  gst_clear_buffer (&self->imported);
  self->is_output = FALSE;
  if (!gst_hip_base_filter_is_hip_out (filter))
    return TRUE;
  if ((cuda = hip_frame_is_in_cuda (in)))
    self->imported = hip_frame_import_cuda (filter, in, &error);
  else if (hip_frame_is_in_dmabufs (in))
    self->imported = hip_frame_import (filter, in, &error);
  else
    return TRUE;
  if (self->imported) {
    self->warned = FALSE;
    self->is_output = is_of_our_device (filter, self->imported)
        && !hip_frame_is_wanted_back (filter, in);
    return TRUE;
  }
  if (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID)
      || g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_DEVICE_LOST)) {
    gst_hip_base_filter_post_error (filter, "Frame not uploaded", error);
    return FALSE;
  }
  give_up_import (self, cuda ? "CUDA memory" : "DMA-BUFs", error);
  g_error_free (error);
  return TRUE;
}

static GstFlowReturn
gst_hip_upload_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * input, GstBuffer ** output)
{
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (trans);
  GstHipUpload *self = GST_HIP_UPLOAD (trans);

  if (!gst_base_transform_is_passthrough (trans)) {
    if (!try_import (self, input))
      return GST_FLOW_ERROR;
    if (self->is_output) {
      klass->copy_metadata (trans, input, self->imported);
      *output = g_steal_pointer (&self->imported);
      return GST_FLOW_OK;
    }
  }
  return GST_BASE_TRANSFORM_CLASS
      (gst_hip_upload_parent_class)->prepare_output_buffer (trans, input,
      output);
}

/* --- copies --- */

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

/* Makes src, which is what was imported of in where that is so, something that
 * the device reads by itself, kept by fence. */
static gboolean
prepare_source (GstHipUpload * self, HipFrame * src, GstBuffer * in,
    gboolean imported, GstHipFenceData * fence, HipPath * path, GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GstHipDevice *device = gst_hip_base_filter_get_device (filter);
  HipFrameHold *hold;

  *path = HIP_PATH_PINNED_TRANSFER;
  if (imported || hip_frame_is_on_device (src, device, FALSE)) {
    *path = HIP_PATH_DEVICE_COPY;
    return TRUE;                /* I3: goes back to its pool at once */
  }
  if (hip_frame_is_on_device (src, device, TRUE) || (self->page_locks
          && hip_page_locks_use (self->page_locks, in, src))) {
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
  g_autoptr (GstHipFenceData) fence = NULL;
  g_autoptr (GstBuffer) imported = g_steal_pointer (&self->imported);
  g_autoptr (GstHipEvent) event = NULL;
  GError *error = NULL;
  HipFrame src, dst;
  HipPath path;
  gboolean ok;

  if (self->is_output) {
    gst_hip_base_filter_count_path (filter, HIP_PATH_ZERO_COPY);
    return GST_FLOW_OK;
  }
  fence = gst_hip_base_filter_acquire_fence (filter);
  ok = hip_frame_locate (&src, imported ? imported : in, info, &error)
      && hip_frame_locate (&dst, out, info, &error)
      && prepare_source (self, &src, in, imported != NULL, fence, &path,
      &error);
  if (!ok) {
    gst_hip_base_filter_post_error (filter, "Frame not uploaded", error);
    return GST_FLOW_ERROR;
  }

  ok = hip_frame_queue_copy (gst_hip_base_filter_get_stream (filter), &dst,
      &src, &error);
  /* Also after a failure: some planes may be on their way. */
  event = gst_hip_base_filter_record (filter, ok ? &error : NULL);
  if (!event) {
    ok = FALSE;
  } else {
    hip_frame_copy_end (&dst, &src, event);
    gst_hip_base_filter_submit_frame (filter, event,
        path == HIP_PATH_DEVICE_COPY ? NULL : g_steal_pointer (&fence));
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
  GstHipUpload *self = GST_HIP_UPLOAD (object);

  drop_staging (self);
  gst_clear_buffer (&self->imported);
  g_clear_pointer (&self->page_locks, hip_page_locks_unref);
  G_OBJECT_CLASS (gst_hip_upload_parent_class)->finalize (object);
}

static void
gst_hip_upload_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  if (id != PROP_ASSUME_LINEAR) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  GST_HIP_UPLOAD (object)->assume_linear = g_value_get_boolean (value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_hip_upload_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  if (id != PROP_ASSUME_LINEAR) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (object);
  g_value_set_boolean (value, GST_HIP_UPLOAD (object)->assume_linear);
  GST_OBJECT_UNLOCK (object);
}

static GstPadTemplate *
new_template (GstPadDirection direction, const gchar * first,
    const gchar * second)
{
  GstCaps *caps = hip_bridge_template_caps (first, second);

  hip_dmabuf_caps_append_template (caps);
  if (direction == GST_PAD_SINK)
    hip_cuda_caps_append_template (caps);
  return hip_bridge_template (direction, caps);
}

static void
gst_hip_upload_init (GstHipUpload * self)
{
  self->assume_linear = DEFAULT_ASSUME_LINEAR;
}

static void
gst_hip_upload_class_init (GstHipUploadClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstHipBaseFilterClass *filter_class = GST_HIP_BASE_FILTER_CLASS (klass);

  object_class->set_property = gst_hip_upload_set_property;
  object_class->get_property = gst_hip_upload_get_property;
  object_class->finalize = gst_hip_upload_finalize;
  g_object_class_install_property (object_class, PROP_ASSUME_LINEAR,
      g_param_spec_boolean ("assume-linear", "Assume linear",
          "Take DMA-BUFs whose caps do not say whether frames are tiled (before "
          "GStreamer 1.24; no effect since)", DEFAULT_ASSUME_LINEAR,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_READY));

  gst_element_class_add_pad_template (element_class,
      new_template (GST_PAD_SINK,
          GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY,
          GST_CAPS_FEATURE_MEMORY_HIP_MEMORY));
  gst_element_class_add_pad_template (element_class,
      new_template (GST_PAD_SRC,
          GST_CAPS_FEATURE_MEMORY_HIP_MEMORY,
          GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY));
  gst_element_class_set_static_metadata (element_class, "HIP uploader",
      "Filter/Video/Uploader", "Brings video from CPU memory to the device",
      "GstHip contributors");

  element_class->change_state = gst_hip_upload_change_state;
  trans_class->passthrough_on_same_caps = TRUE;
  trans_class->transform_caps = gst_hip_upload_transform_caps;
  trans_class->query = gst_hip_upload_query;
  trans_class->sink_event = gst_hip_upload_sink_event;
  trans_class->prepare_output_buffer = gst_hip_upload_prepare_output_buffer;
  trans_class->transform = gst_hip_upload_transform;

  filter_class->open = gst_hip_upload_open;
  filter_class->close = gst_hip_upload_close;
  filter_class->set_info = gst_hip_upload_set_info;
}
