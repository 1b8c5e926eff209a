/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* 03: the time that a camera burns into its pictures, read by PP-OCR. The clock
 * is burnt into a clip here, so that it is known what there is to read.
 *
 * usage: read-timestamp FOLDER [VIDEO]
 *
 * FOLDER has PP-OCR's ch_PP-OCRv4_rec_infer.onnx and ppocr_keys_v1.txt (see
 * README.md); without it nothing is done, with status 77.
 */
#include <string.h>

#include <gst/analytics/analytics.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include "../../tools/demo-clock.h"
#include "ctc.h"

#define N_FRAMES 30
#define FRAME_MS 40

typedef struct
{
  gchar **keys;                 /* characters, from class 1 on; the last one is a space */
  guint written, read, right;
} Reader;

/* --- the clock --- */

static void
clock_text (guint frame, gchar text[DEMO_CLOCK_LENGTH + 1])
{
  /* Some time in the afternoon */
  guint ms = frame * FRAME_MS + 52381240;

  g_snprintf (text, DEMO_CLOCK_LENGTH + 1, "%02u:%02u:%02u.%03u",
      ms / 3600000 % 24, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

static guint
glyph_row (gchar character, guint row)
{
  for (guint i = 0; i < G_N_ELEMENTS (demo_clock_glyphs); i++) {
    if (demo_clock_glyphs[i].character == character)
      return demo_clock_glyphs[i].rows[row];
  }
  return 0;
}

/* White on black, into the luma of a frame of I420 */
static void
burn (GstVideoFrame * frame, const gchar * text)
{
  guint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);
  guint8 *luma = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);
  guint columns = DEMO_CLOCK_COLUMNS, scale = DEMO_CLOCK_SCALE;

  for (guint y = 0; y < 28; y++)
    memset (luma + y * stride, 16, 160);
  for (guint y = 0; y < DEMO_CLOCK_ROWS * scale; y++) {
    for (guint x = 0; x < DEMO_CLOCK_LENGTH * columns * scale; x++) {
      guint bits = glyph_row (text[x / scale / columns], y / scale);

      if (bits >> (columns - 1 - x / scale % columns) & 1)
        luma[(DEMO_CLOCK_TOP + y) * stride + DEMO_CLOCK_LEFT + x] = 235;
    }
  }
}

static GstPadProbeReturn
write_clock (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  gchar text[DEMO_CLOCK_LENGTH + 1];
  GstVideoFrame frame;
  GstVideoInfo video;
  Reader *self = data;

  if (self->written >= N_FRAMES) {
    gst_buffer_unref (buffer);
    GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
    return GST_PAD_PROBE_HANDLED;
  }
  /* Decoders look at their frames again. */
  buffer = gst_buffer_copy_deep (buffer);
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  if (gst_video_info_from_caps (&video, caps)
      && gst_video_frame_map (&frame, &video, buffer, GST_MAP_READWRITE)) {
    clock_text (self->written++, text);
    burn (&frame, text);
    gst_video_frame_unmap (&frame);
  }
  return GST_PAD_PROBE_OK;
}

/* --- what the model says --- */

static void
read_clock (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (buffer);
  gchar truth[DEMO_CLOCK_LENGTH + 1];
  g_autofree gchar *text = NULL;
  const GstTensor *tensor;
  Reader *self = data;
  gboolean right;
  GstMapInfo map;

  if (!meta)
    return;
  tensor = gst_tensor_meta_get (meta, 0);
  if (tensor->num_dims != 3 || tensor->data_type !=
      GST_TENSOR_DATA_TYPE_FLOAT32
      || !gst_buffer_map (tensor->data, &map, GST_MAP_READ))
    return;
  text = ctc_decode (self->keys, (gfloat *) map.data, tensor->dims[1],
      tensor->dims[2]);
  gst_buffer_unmap (tensor->data, &map);
  clock_text (self->read++, truth);
  right = strcmp (text, truth) == 0;
  self->right += right;
  if (self->read % 10 == 1 || !right)
    g_print ("frame %2u: %s, read: %s%s\n", self->read, truth, text,
        right ? "" : "  WRONG");
}

/* --- the pipeline --- */

static gboolean
run (Reader * self, const gchar * folder, const gchar * video, GError ** error)
{
  g_autofree gchar *model_file = g_build_filename (folder, OCR_MODEL, NULL);
  g_autoptr (GstElement) pipeline = NULL, file = NULL, burner = NULL;
  g_autoptr (GstElement) model = NULL, sink = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstPad) pad = NULL;

  /* PP-OCR reads lines 48 pixels high, of any width, with numbers of -1 to 1 in
   * the order blue, green, red. */
  pipeline = gst_parse_launch ("filesrc name=file ! decodebin ! videoconvert !"
      " video/x-raw,format=I420,width=320,height=240 ! identity name=clock !"
      " videocrop top=4 bottom=212 left=0 right=160 ! videoscale"
      " method=lanczos ! video/x-raw,width=320,height=48 ! hipupload !"
      " hiponnxinference name=model input-format=bgr mean=<0.5> std=<0.5> !"
      " fakesink name=sink signal-handoffs=true", error);
  if (!pipeline)
    return FALSE;
  file = gst_bin_get_by_name (GST_BIN (pipeline), "file");
  burner = gst_bin_get_by_name (GST_BIN (pipeline), "clock");
  model = gst_bin_get_by_name (GST_BIN (pipeline), "model");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  pad = gst_element_get_static_pad (burner, "src");
  g_object_set (file, "location", video, NULL);
  g_object_set (model, "model-file", model_file, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, write_clock, self, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (read_clock), self);

  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    return TRUE;
  gst_message_parse_error (message, error, NULL);
  return FALSE;
}

int
main (int argc, char **argv)
{
  const gchar *folder = argc > 1 ? argv[1] : g_getenv ("GST_HIP_OCR_MODELS");
  const gchar *source = g_getenv ("GST_HIP_SOURCE_DIR");
  g_autofree gchar *clip = g_build_filename (source ? source : ".",
      "tests/data/cars_320x240.h264", NULL);
  g_autofree gchar *keys_file = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  Reader reader = { NULL, };

  gst_init (&argc, &argv);
  if (!folder) {
    const gchar *why = g_getenv ("GST_HIP_OCR_MODELS_MISSING");

    g_print ("1..0 # SKIP PP-OCR's models are not there%s%s\n", why ? ": " : "",
        why ? why : "");
    return 77;
  }
  keys_file = g_build_filename (folder, OCR_KEYS, NULL);
  if (!g_file_get_contents (keys_file, &text, NULL, &error)) {
    g_printerr ("read-timestamp: %s\n", error->message);
    return 1;
  }
  reader.keys = g_strsplit (g_strchomp (text), "\n", -1);
  if (!run (&reader, folder, argc > 2 ? argv[2] : clip, &error)) {
    g_printerr ("read-timestamp: %s\n", error ? error->message : "failed");
    return 1;
  }
  g_strfreev (reader.keys);
  g_print ("%u frames, the time read right on %u\n", reader.read, reader.right);
  return reader.read == N_FRAMES && reader.right * 100 >= N_FRAMES * 95 ? 0 : 1;
}
