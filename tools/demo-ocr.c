/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Can a trained model, PP-OCR's, read the clock off the clip, and what does it
 * look like drawn on the frames by GStreamer's overlay? Must not know how models
 * work.
 */
#include "config.h"

#include <string.h>

#include <gst/video/video.h>

#include "demo-clock.h"
#include "demo.h"

#ifdef HAVE_ONNX
#include <gst/analytics/analytics.h>

#include "../examples/03-read-timestamp/ctc.h"

#define N_FRAMES 30
/* Black around the clock, which is the part that the model sees */
#define BOX_WIDTH 160
#define BOX_HEIGHT 28
#define FRAMES "filesrc name=video ! decodebin ! videoconvert ! videoscale ! " \
    "video/x-raw,format=I420,width=320,height=240 ! identity name=clock ! "

typedef struct
{
  gchar **keys;
  gchar *texts[N_FRAMES];       /* what was read */
  guint written, read, right;
  gboolean draws;
  DemoFrames *frames;
} Ocr;

/* What was read of a frame, as an object that the overlay draws: it writes above
 * the box, so that is below the clock. */
static void
attach (GstBuffer * buffer, const gchar * text)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_add_analytics_relation_meta (buffer);
  GstAnalyticsODMtd box;

  gst_analytics_relation_meta_add_od_mtd (meta, g_quark_from_string (text),
      DEMO_CLOCK_LEFT, 2 * BOX_HEIGHT, BOX_WIDTH, 2, 1, &box);
}

static void
burn (GstBuffer * buffer, GstPad * pad, const gchar * text)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READWRITE))
    return;
  for (guint y = 0; y < BOX_HEIGHT; y++)
    memset ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), 16, BOX_WIDTH);
  demo_clock_write (GST_VIDEO_FRAME_PLANE_DATA (&frame, 0),
      GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), text);
  gst_video_frame_unmap (&frame);
}

static GstPadProbeReturn
write_clock (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  gchar text[DEMO_CLOCK_LENGTH + 1];
  Ocr *self = data;

  if (self->written >= N_FRAMES) {
    gst_buffer_unref (buffer);
    GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
    return GST_PAD_PROBE_HANDLED;
  }
  /* Decoders look at their frames again. */
  buffer = gst_buffer_copy_deep (buffer);
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  demo_clock_text (self->written, text);
  burn (buffer, pad, text);
  if (self->draws && self->texts[self->written])
    attach (buffer, self->texts[self->written]);
  self->written++;
  return GST_PAD_PROBE_OK;
}

static void
read_clock (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (buffer);
  gchar truth[DEMO_CLOCK_LENGTH + 1];
  const GstTensor *tensor;
  Ocr *self = data;
  GstMapInfo map;

  if (!meta || self->read >= N_FRAMES)
    return;
  tensor = gst_tensor_meta_get (meta, 0);
  if (tensor->num_dims != 3
      || tensor->data_type != GST_TENSOR_DATA_TYPE_FLOAT32
      || !gst_buffer_map (tensor->data, &map, GST_MAP_READ))
    return;
  self->texts[self->read] = ctc_decode (self->keys, (gfloat *) map.data,
      tensor->dims[1], tensor->dims[2]);
  gst_buffer_unmap (tensor->data, &map);
  demo_clock_text (self->read, truth);
  self->right += strcmp (self->texts[self->read++], truth) == 0;
}

static void
keep_frame (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  demo_frames_add (((Ocr *) data)->frames, buffer, pad);
}

/* behind: what frames go through, with a fakesink "sink" and perhaps a "model" */
static gboolean
run (Ocr * self, const gchar * video, const gchar * behind,
    const gchar * model_file, GCallback handoff, GError ** error)
{
  g_autofree gchar *text = g_strconcat (FRAMES, behind, NULL);
  g_autoptr (GstElement) pipeline = NULL, file = NULL, burner = NULL;
  g_autoptr (GstElement) model = NULL, sink = NULL;
  g_autoptr (GstPad) pad = NULL;
  gboolean ok;

  pipeline = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      error);
  if (!pipeline)
    return FALSE;
  file = gst_bin_get_by_name (GST_BIN (pipeline), "video");
  burner = gst_bin_get_by_name (GST_BIN (pipeline), "clock");
  model = gst_bin_get_by_name (GST_BIN (pipeline), "model");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  pad = gst_element_get_static_pad (burner, "src");
  g_object_set (file, "location", video, NULL);
  if (model)
    g_object_set (model, "model-file", model_file, NULL);
  self->written = 0;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, write_clock, self, NULL);
  g_signal_connect (sink, "handoff", handoff, self);
  ok = demo_run (pipeline, error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}

static gboolean
has_element (const gchar * name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);

  return factory != NULL;
}

/* The frames once more, with what was read */
static gboolean
draw (Ocr * self, const gchar * video, const gchar * filename, GError ** error)
{
  DemoFrames *rows[1];
  gboolean ok;

  if (!has_element ("objectdetectionoverlay")) {
    g_print ("clock: GStreamer's objectdetectionoverlay, which would draw what "
        "was read, is not here\n");
    return TRUE;
  }
  self->draws = TRUE;
  self->frames = rows[0] = demo_frames_new ();
  ok = run (self, video, "videoconvert ! objectdetectionoverlay ! videoconvert"
      " ! video/x-raw,format=RGB ! fakesink name=sink signal-handoffs=true",
      NULL, G_CALLBACK (keep_frame), error)
      && demo_sheet_write (rows, 1, filename, error);
  demo_frames_free (self->frames);
  if (ok)
    g_print ("clock: what was read, drawn on the frames: %s\n", filename);
  return ok;
}

gboolean
demo_ocr (const gchar * video, const gchar * filename, GError ** error)
{
  const gchar *folder = g_getenv ("GST_HIP_OCR_MODELS");
  g_autofree gchar *keys = NULL, *model = NULL, *text = NULL;
  Ocr self = { NULL, };
  gboolean ok;

  if (!folder || !has_element ("videocrop")) {
    g_print ("clock: PP-OCR's models, which read it, too, are not here\n");
    return TRUE;
  }
  keys = g_build_filename (folder, OCR_KEYS, NULL);
  model = g_build_filename (folder, OCR_MODEL, NULL);
  if (!g_file_get_contents (keys, &text, NULL, error))
    return FALSE;
  self.keys = g_strsplit (g_strchomp (text), "\n", -1);
  /* Lines 48 pixels high, blue, green, red from -1 to 1 */
  ok = run (&self, video, "videocrop top=4 bottom=212 left=0 right=160 ! "
      "videoscale method=lanczos ! video/x-raw,width=320,height=48 ! hipupload "
      "! hiponnxinference name=model input-format=bgr mean=<0.5> std=<0.5> ! "
      "fakesink name=sink signal-handoffs=true", model, G_CALLBACK (read_clock),
      error);
  if (ok) {
    g_print ("clock: read by PP-OCR on %u frames, right on %u; the last one "
        "says %s\n", self.read, self.right,
        self.read ? self.texts[self.read - 1] : "nothing");
    ok = draw (&self, video, filename, error);
  }
  if (ok && self.right * 100 < self.read * 95) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "PP-OCR misread the clock on %u frames", self.read - self.right);
    ok = FALSE;
  }
  for (guint i = 0; i < N_FRAMES; i++)
    g_free (self.texts[i]);
  g_strfreev (self.keys);
  return ok;
}

#else

gboolean
demo_ocr (const gchar * video, const gchar * filename, GError ** error)
{
  return TRUE;
}
#endif
