/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Can a model read a clock off the clip, as one reads it off the pictures of a
 * camera? The clock is burnt into decoded frames, the model sees them on the
 * device, and what it reads is compared with what was written. Must not know
 * how the model works.
 */
#include "config.h"

#include <string.h>

#include <gst/video/video.h>

#include "demo-clock.h"
#include "demo.h"

#ifdef HAVE_ONNX
#include <gst/analytics/analytics.h>

#define FRAME_MS 40
#define MIN_WIDTH (DEMO_CLOCK_LEFT + DEMO_CLOCK_LENGTH * DEMO_CLOCK_COLUMNS * \
    DEMO_CLOCK_SCALE)
#define MIN_HEIGHT (DEMO_CLOCK_TOP + DEMO_CLOCK_ROWS * DEMO_CLOCK_SCALE)

typedef struct
{
  guint limit;                  /* 0: none */
  guint written, read, right;
  gboolean too_small;
  gchar last[DEMO_CLOCK_LENGTH + 1];
} Clock;

/* 25 frames a second, whatever the clip says */
void
demo_clock_text (guint frame, gchar * text)
{
  guint ms = frame * FRAME_MS;

  g_snprintf (text, DEMO_CLOCK_LENGTH + 1, "%02u:%02u:%02u.%03u",
      ms / 3600000 % 100, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

static const DemoGlyph *
find_glyph (gchar character)
{
  for (guint i = 0; i < G_N_ELEMENTS (demo_clock_glyphs); i++) {
    if (demo_clock_glyphs[i].character == character)
      return &demo_clock_glyphs[i];
  }
  return NULL;
}

/* White on black, of video range */
static void
write_glyph (guint8 * luma, guint stride, guint place, const DemoGlyph * glyph)
{
  guint cell = DEMO_CLOCK_COLUMNS * DEMO_CLOCK_SCALE;
  guint8 *to = luma + DEMO_CLOCK_TOP * stride + DEMO_CLOCK_LEFT + place * cell;

  for (guint y = 0; y < DEMO_CLOCK_ROWS * DEMO_CLOCK_SCALE; y++) {
    guint bits = glyph->rows[y / DEMO_CLOCK_SCALE];

    for (guint x = 0; x < cell; x++) {
      guint bit = DEMO_CLOCK_COLUMNS - 1 - x / DEMO_CLOCK_SCALE;

      to[y * stride + x] = bits >> bit & 1 ? 235 : 16;
    }
  }
}

void
demo_clock_write (guint8 * luma, guint stride, const gchar * text)
{
  for (guint i = 0; text[i]; i++)
    write_glyph (luma, stride, i, find_glyph (text[i]));
}

static gboolean
burn (GstBuffer * buffer, GstPad * pad, guint number)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  gchar text[DEMO_CLOCK_LENGTH + 1];
  GstVideoFrame frame;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps)
      || GST_VIDEO_INFO_WIDTH (&info) < MIN_WIDTH
      || GST_VIDEO_INFO_HEIGHT (&info) < MIN_HEIGHT
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READWRITE))
    return FALSE;
  demo_clock_text (number, text);
  demo_clock_write (GST_VIDEO_FRAME_PLANE_DATA (&frame, 0),
      GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), text);
  gst_video_frame_unmap (&frame);
  return TRUE;
}

static GstPadProbeReturn
write_clock (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  Clock *self = data;

  if (self->limit && self->written >= self->limit) {
    gst_buffer_unref (buffer);
    GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
    return GST_PAD_PROBE_HANDLED;
  }
  /* Decoders look at their frames again. */
  buffer = gst_buffer_copy_deep (buffer);
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  if (!burn (buffer, pad, self->written))
    self->too_small = TRUE;
  GST_BUFFER_OFFSET (buffer) = self->written++;
  return GST_PAD_PROBE_OK;
}

static void
read_clock (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (buffer);
  gchar truth[DEMO_CLOCK_LENGTH + 1];
  gint64 places[DEMO_CLOCK_LENGTH];
  Clock *self = data;

  if (!meta || gst_buffer_extract (gst_tensor_meta_get (meta, 0)->data, 0,
          places, sizeof (places)) != sizeof (places))
    return;
  for (guint i = 0; i < DEMO_CLOCK_LENGTH; i++)
    self->last[i] = demo_clock_glyphs[CLAMP (places[i], 0,
            (gint64) G_N_ELEMENTS (demo_clock_glyphs) - 1)].character;
  demo_clock_text ((guint) GST_BUFFER_OFFSET (buffer), truth);
  self->read++;
  self->right += strcmp (self->last, truth) == 0;
}

static void
connect (GstElement * pipeline, const gchar * video, Clock * clock)
{
  g_autoptr (GstElement) file = gst_bin_get_by_name (GST_BIN (pipeline),
      "video");
  g_autoptr (GstElement) burner = gst_bin_get_by_name (GST_BIN (pipeline),
      "clock");
  g_autoptr (GstElement) model = gst_bin_get_by_name (GST_BIN (pipeline),
      "model");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline),
      "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (burner, "src");

  g_object_set (file, "location", video, NULL);
  g_object_set (model, "model-file", DEMO_CLOCK_MODEL, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, write_clock, clock, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (read_clock), clock);
}

gboolean
demo_clock (const gchar * video, guint n_frames, GError ** error)
{
  g_autoptr (GstElement) pipeline = NULL, model = NULL;
  g_autofree gchar *provider = NULL;
  Clock clock = {.limit = n_frames };
  gboolean ok;

  if (!g_file_test (DEMO_CLOCK_MODEL, G_FILE_TEST_EXISTS)) {
    g_print ("clock: its model was not built (it takes Python's onnx)\n");
    return TRUE;
  }
  pipeline = gst_parse_launch_full ("filesrc name=video ! decodebin ! "
      "videoconvert ! video/x-raw,format=I420 ! identity name=clock ! "
      "hipupload ! hiponnxinference name=model ! fakesink name=sink "
      "signal-handoffs=true", NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (!pipeline)
    return FALSE;
  connect (pipeline, video, &clock);
  ok = demo_run (pipeline, error);
  model = gst_bin_get_by_name (GST_BIN (pipeline), "model");
  g_object_get (model, "used-provider", &provider, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (clock.too_small) {
    g_clear_error (error);
    g_print ("clock: there is no room for one in frames of this size\n");
    return TRUE;
  }
  if (!ok)
    return FALSE;
  g_print ("clock: burnt into %u frames, read by a model (%s) on %u, right on "
      "%u; the last one says %s\n", clock.written, provider, clock.read,
      clock.right, clock.last);
  if (clock.written > 0 && clock.right == clock.written)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
      "the clock was misread on %u frames", clock.written - clock.right);
  return FALSE;
}

#else

gboolean
demo_clock (const gchar * video, guint n_frames, GError ** error)
{
  g_print ("clock: this build has no inference, which takes GStreamer 1.26 and "
      "ONNX Runtime's headers\n");
  return TRUE;
}
#endif
