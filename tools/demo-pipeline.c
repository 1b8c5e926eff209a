/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does the demo run a pipeline to its end, and which encoder does this
 * machine have? An encoder counts when it has encoded something here.
 */
#include "config.h"

#include "demo.h"

typedef struct
{
  const gchar *text;
  const gchar *extension;
} Encoder;

/* Smaller files first, and those that say nothing on the terminal */
static const Encoder encoders[] = {
  {"x264enc speed-preset=veryfast ! h264parse ! matroskamux", "mkv"},
  {"vp8enc deadline=1 target-bitrate=2000000 ! webmmux", "webm"},
  {"openh264enc bitrate=2000000 ! h264parse ! matroskamux", "mkv"},
  {"theoraenc ! oggmux", "ogv"},
  {"avenc_mpeg4 bitrate=4000000 ! avimux", "avi"},
  {"jpegenc ! avimux", "avi"},
};

gboolean
demo_run (GstElement * pipeline, GError ** error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  gboolean ok = TRUE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, error, NULL);
    ok = FALSE;
  }
  return ok;
}

static gboolean
works (const Encoder * encoder)
{
  g_autofree gchar *text = g_strdup_printf ("videotestsrc num-buffers=3 ! "
      "video/x-raw,width=64,height=48 ! videoconvert ! %s ! fakesink",
      encoder->text);
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok;

  pipeline = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      &error);
  if (!pipeline)
    return FALSE;
  ok = demo_run (pipeline, &error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}

const gchar *
demo_encoder_find (const gchar ** extension)
{
  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    if (works (&encoders[i])) {
      *extension = encoders[i].extension;
      return encoders[i].text;
    }
  return NULL;
}
