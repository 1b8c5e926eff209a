/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which frames does the element take, and what does it tell its neighbours?
 * Frames go on as they came, so downstream's wishes are upstream's conditions.
 * Must not know how frames flow.
 */
#include "config.h"

#include "gsthiponnxinference-private.h"

#define GST_CAT_DEFAULT gst_hip_onnx_inference_debug

/* --- caps --- */

static void
take_formats (GstStructure * structure)
{
  const GstVideoFormat *formats;
  GValue list = G_VALUE_INIT;
  guint n;

  g_value_init (&list, GST_TYPE_LIST);
  formats = gst_video_formats_raw (&n);
  for (guint i = 0; i < n; i++) {
    GValue value = G_VALUE_INIT;

    if (!gst_hip_converter_is_supported_format (formats[i]))
      continue;
    g_value_init (&value, G_TYPE_STRING);
    g_value_set_string (&value, gst_video_format_to_string (formats[i]));
    gst_value_list_append_and_take_value (&list, &value);
  }
  gst_structure_take_value (structure, "format", &list);
}

GstCaps *
hip_onnx_template_caps (void)
{
  static const gchar *const memories[] = { GST_CAPS_FEATURE_MEMORY_HIP_MEMORY,
    GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY
  };
  g_autoptr (GstStructure) structure = NULL;
  GstCaps *caps = gst_caps_new_empty ();

  structure = gst_structure_new ("video/x-raw",
      "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "framerate", GST_TYPE_FRACTION_RANGE, 0, 1, G_MAXINT, 1, NULL);
  take_formats (structure);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (memories); i++) {
    GstCapsFeatures *features = gst_caps_features_new_empty ();

    gst_caps_features_add (features, memories[i / 2]);
    if (i % 2)
      gst_caps_features_add (features,
          GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
    gst_caps_append_structure_full (caps, gst_structure_copy (structure),
        features);
  }
  return caps;
}

/* Who can choose the size of its frames had best take the model's. */
static GstCaps *
prefer_size (GstHipOnnxInference * self, GstCaps * caps)
{
  gint64 width = 0, height = 0;
  GstCaps *both;

  GST_OBJECT_LOCK (self);
  if (self->frames && self->model) {
    width = self->model->image.width;
    height = self->model->image.height;
  }
  GST_OBJECT_UNLOCK (self);
  if (width <= 0 && height <= 0)
    return caps;
  both = gst_caps_copy (caps);
  if (width > 0)
    gst_caps_set_simple (both, "width", G_TYPE_INT, (gint) width, NULL);
  if (height > 0)
    gst_caps_set_simple (both, "height", G_TYPE_INT, (gint) height, NULL);
  gst_caps_append (both, caps);
  return both;
}

static gboolean
answer_caps (GstHipOnnxInference * self, GstPad * pad, GstPad * other,
    GstQuery * query)
{
  g_autoptr (GstCaps) ours = gst_pad_get_pad_template_caps (pad);
  g_autoptr (GstCaps) theirs = NULL, result = NULL;
  GstCaps *filter, *filtered;

  gst_query_parse_caps (query, &filter);
  if (pad == self->sink_pad)
    ours = prefer_size (self, g_steal_pointer (&ours));
  if (filter) {
    filtered = gst_caps_intersect_full (ours, filter, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (ours);
    ours = filtered;
  }
  theirs = gst_pad_peer_query_caps (other, ours);
  /* Order: the model's size before others, then as downstream likes it */
  result = gst_caps_intersect_full (ours, theirs, GST_CAPS_INTERSECT_FIRST);
  gst_query_set_caps_result (query, result);
  return TRUE;
}

gboolean
hip_onnx_set_caps (GstHipOnnxInference * self, GstCaps * caps)
{
  g_autoptr (GstStructure) config = hip_onnx_make_config (self);
  GstClockTime duration = GST_CLOCK_TIME_NONE;
  GError *error = NULL;
  GstVideoInfo info;

  /* Caps that were refused come again: what has failed once goes on failing, or
   * the pipeline would go on behind an error. */
  if (g_atomic_int_get (&self->error_posted))
    return FALSE;
  if (!gst_hip_video_info_from_caps (&info, caps, &error)
      || !hip_onnx_frames_set_info (self->frames, &info, &self->model->image,
          self->batch, config, &error)) {
    hip_onnx_post_error (self, "The model cannot be shown these frames", error);
    self->has_info = FALSE;
    return FALSE;
  }
  self->info = info;
  self->has_info = hip_onnx_queue_warm_up (self);
  if (!self->has_info)
    return FALSE;
  if (GST_VIDEO_INFO_FPS_N (&info) > 0)
    duration = gst_util_uint64_scale (GST_SECOND, GST_VIDEO_INFO_FPS_D (&info),
        GST_VIDEO_INFO_FPS_N (&info));
  g_mutex_lock (&self->lock);
  if (self->frame_duration == duration)
    duration = GST_CLOCK_TIME_NONE;
  else
    self->frame_duration = duration;
  g_mutex_unlock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (duration))
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_latency (GST_OBJECT (self)));
  return TRUE;
}

/* --- allocation --- */

void
hip_onnx_note_allocation (GstHipOnnxInference * self, GstQuery * query)
{
  const GstStructure *params = NULL;
  gboolean takes_hip = FALSE;
  guint index;

  if (gst_query_find_allocation_meta (query, GST_TENSOR_META_API_TYPE, &index)) {
    gst_query_parse_nth_allocation_meta (query, index, &params);
    if (params)
      gst_structure_get_boolean (params, "hip-memory", &takes_hip);
  }
  g_mutex_lock (&self->lock);
  self->asked_downstream = TRUE;
  self->results_in_hip = takes_hip;
  g_mutex_unlock (&self->lock);
}

gboolean
hip_onnx_propose_allocation (GstHipOnnxInference * self, GstQuery * query)
{
  g_autoptr (GstBufferPool) pool = NULL;
  gboolean need_pool, hip;
  GstCaps *caps;
  guint size;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (!caps || !self->frames)
    return FALSE;
  hip = gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  if (need_pool && gst_query_get_n_allocation_pools (query) == 0) {
    /* CPU memory in the exact layout of caps, which everybody reads */
    pool = hip_onnx_frames_new_pool (self->frames, hip ?
        GST_HIP_MEMORY_KIND_DEVICE : GST_HIP_MEMORY_KIND_PINNED, caps, &size);
    if (pool)
      gst_query_add_allocation_pool (query, pool, size, 0, 0);
  }
  if (hip && !gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
          NULL))
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

/* --- queries --- */

static gboolean
answer_context (GstHipOnnxInference * self, GstQuery * query)
{
  g_autoptr (GstHipDevice) device = NULL;

  GST_OBJECT_LOCK (self);
  if (self->frames)
    device = gst_object_ref (hip_onnx_frames_get_device (self->frames));
  GST_OBJECT_UNLOCK (self);
  return device
      && gst_hip_handle_context_query (GST_ELEMENT (self), query, device);
}

/* A frame that comes in when as many as there may be are on their way leaves
 * when those have left, and what keeps up does so in as many frames' time. */
static gboolean
answer_latency (GstHipOnnxInference * self, GstQuery * query)
{
  GstClockTime min, max, ours = 0;
  gboolean live;

  if (!gst_pad_peer_query (self->sink_pad, query))
    return FALSE;
  gst_query_parse_latency (query, &live, &min, &max);
  g_mutex_lock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (self->frame_duration))
    ours = self->limit * self->frame_duration;
  g_mutex_unlock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += ours;
  gst_query_set_latency (query, live, min + ours, max);
  return TRUE;
}

gboolean
hip_onnx_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (parent);

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CONTEXT:
      return answer_context (self, query)
          || gst_pad_query_default (pad, parent, query);
    case GST_QUERY_CAPS:
      return answer_caps (self, pad, self->src_pad, query);
    case GST_QUERY_ALLOCATION:
      hip_onnx_pass_query (self, query);
      return hip_onnx_propose_allocation (self, query);
    default:
      if (GST_QUERY_IS_SERIALIZED (query))
        return hip_onnx_pass_query (self, query);
      return gst_pad_query_default (pad, parent, query);
  }
}

gboolean
hip_onnx_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (parent);

  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_CONTEXT:
      return answer_context (self, query)
          || gst_pad_query_default (pad, parent, query);
    case GST_QUERY_CAPS:
      return answer_caps (self, pad, self->sink_pad, query);
    case GST_QUERY_LATENCY:
      return answer_latency (self, query);
    default:
      return gst_pad_query_default (pad, parent, query);
  }
}
