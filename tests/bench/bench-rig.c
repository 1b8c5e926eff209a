/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is one element driven with nothing else on the thread? A pad of ours
 * pushes into it, another takes what comes out and keeps it. The caller's
 * thread is the streaming thread. */
#include <string.h>

#include "bench.h"

GstCaps *
bench_caps (const gchar * format, gint width, gint height, gboolean hip)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      format, "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, 30, 1, NULL);

  if (hip)
    gst_caps_set_features_simple (caps,
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, NULL));
  return caps;
}

static GstFlowReturn
take_output (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  g_ptr_array_add (gst_pad_get_element_private (pad), buffer);
  return GST_FLOW_OK;
}

static GstPad *
make_pad (GstPadDirection direction, const gchar * name, GstCaps * caps)
{
  g_autoptr (GstPadTemplate) template =
      gst_pad_template_new (name, direction, GST_PAD_ALWAYS, caps);
  GstPad *pad = gst_pad_new_from_template (template, name);

  return gst_object_ref_sink (pad);
}

static gboolean
fail (GError ** error, const gchar * what)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED, "%s", what);
  return FALSE;
}

static gboolean
make_input (BenchRig * rig, Bench * bench, GstCaps * caps, gboolean pinned,
    GError ** error)
{
  GstCapsFeatures *features = gst_caps_get_features (caps, 0);
  GstStructure *config;
  GstVideoInfo info;

  if (gst_caps_features_contains (features, GST_CAPS_FEATURE_MEMORY_HIP_MEMORY))
    rig->input = gst_hip_buffer_pool_new (bench->device);
  else if (pinned)
    rig->input = gst_hip_buffer_pool_new_full (bench->device,
        GST_HIP_MEMORY_KIND_PINNED);
  else
    rig->input = gst_video_buffer_pool_new ();

  if (!gst_video_info_from_caps (&info, caps))
    return fail (error, "these caps have no frame size");
  config = gst_buffer_pool_get_config (rig->input);
  gst_buffer_pool_config_set_params (config, caps, info.size, 0, 0);
  if (!gst_buffer_pool_set_config (rig->input, config) ||
      !gst_buffer_pool_set_active (rig->input, TRUE))
    return fail (error, "the input's pool does not start");
  return TRUE;
}

static gboolean
start (BenchRig * rig, GstCaps * in_caps, GError ** error)
{
  GstSegment segment;

  if (gst_element_set_state (rig->element,
          GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    return fail (error, "the element does not start");
  gst_pad_set_active (rig->sink, TRUE);
  gst_pad_set_active (rig->src, TRUE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  if (!gst_pad_push_event (rig->src, gst_event_new_stream_start ("bench")) ||
      !gst_pad_push_event (rig->src, gst_event_new_caps (in_caps)) ||
      !gst_pad_push_event (rig->src, gst_event_new_segment (&segment)))
    return fail (error, "the element refuses these caps");
  return TRUE;
}

BenchRig *
bench_rig_new (Bench * bench, const gchar * element, GstCaps * in_caps,
    GstCaps * out_caps, gboolean pinned, GError ** error)
{
  g_autoptr (BenchRig) rig = g_new0 (BenchRig, 1);
  g_autoptr (GstContext) context = NULL;
  g_autoptr (GstPad) sink = NULL;
  g_autoptr (GstPad) src = NULL;

  rig->outputs = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_buffer_unref);
  if (strstr (element, " ! "))
    rig->element = gst_parse_bin_from_description_full (element, TRUE, NULL,
        GST_PARSE_FLAG_FATAL_ERRORS, error);
  else
    rig->element = gst_parse_launch_full (element, NULL,
        GST_PARSE_FLAG_FATAL_ERRORS | GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS,
        error);
  if (rig->element == NULL)
    return NULL;
  gst_object_ref_sink (rig->element);
  context = gst_context_new_hip_device (bench->device);
  gst_element_set_context (rig->element, context);

  rig->src = make_pad (GST_PAD_SRC, "src", in_caps);
  rig->sink = make_pad (GST_PAD_SINK, "sink", out_caps);
  gst_pad_set_element_private (rig->sink, rig->outputs);
  gst_pad_set_chain_function (rig->sink, take_output);
  sink = gst_element_get_static_pad (rig->element, "sink");
  src = gst_element_get_static_pad (rig->element, "src");
  if (gst_pad_link (rig->src, sink) != GST_PAD_LINK_OK ||
      gst_pad_link (src, rig->sink) != GST_PAD_LINK_OK) {
    fail (error, "the element's pads do not fit these caps");
    return NULL;
  }
  if (!make_input (rig, bench, in_caps, pinned, error) ||
      !start (rig, in_caps, error))
    return NULL;
  return g_steal_pointer (&rig);
}

void
bench_rig_free (BenchRig * rig)
{
  if (rig == NULL)
    return;
  if (rig->src != NULL)
    gst_pad_set_active (rig->src, FALSE);
  if (rig->element != NULL)
    gst_element_set_state (rig->element, GST_STATE_NULL);
  if (rig->sink != NULL)
    gst_pad_set_active (rig->sink, FALSE);
  g_ptr_array_unref (rig->outputs);
  gst_clear_object (&rig->element);
  gst_clear_object (&rig->src);
  gst_clear_object (&rig->sink);
  if (rig->input != NULL)
    gst_buffer_pool_set_active (rig->input, FALSE);
  gst_clear_object (&rig->input);
  g_free (rig);
}

GstBuffer *
bench_rig_acquire (BenchRig * rig, GError ** error)
{
  GstBuffer *buffer = NULL;

  if (gst_buffer_pool_acquire_buffer (rig->input, &buffer, NULL) != GST_FLOW_OK)
    fail (error, "no buffer for the input");
  return buffer;
}

gboolean
bench_rig_push (BenchRig * rig, GstBuffer * buffer, GError ** error)
{
  GstFlowReturn flow = gst_pad_push (rig->src, buffer);

  if (flow == GST_FLOW_OK)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
      "the element ends with %s", gst_flow_get_name (flow));
  return FALSE;
}

void
bench_rig_wait (BenchRig * rig)
{
  for (guint i = 0; i < rig->outputs->len; i++) {
    GstMemory *memory =
        gst_buffer_peek_memory (g_ptr_array_index (rig->outputs, i), 0);

    if (gst_is_hip_memory (memory))
      gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  }
}
