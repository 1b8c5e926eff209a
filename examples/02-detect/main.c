/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* 02: objects in a video. A model finds a ball; GStreamer's own decoder for the
 * outputs of SSD models makes boxes of its tensors, of stretched frames; this
 * program does, of letterboxed ones, with the map that comes with the tensors.
 * Each box is compared with where the ball is.
 *
 * usage: detect [MODEL]
 */
#include <gst/analytics/analytics.h>
#include <gst/gst.h>
#include <gst/hip/gsthip.h>
#include <gst/video/video.h>

#define N_FRAMES 60
#define MODEL_SIZE 160
#define BOXES "Gst.Model.ObjectDetector.Boxes"
/* The model sees the frame at 160x160, so it knows edges to 2 pixels; one more
 * for what scaling makes of them. */
#define NEAR 3

typedef struct
{
  guint frames, found, right;
  gboolean letterboxed;         /* boxes are the program's to make */
} Result;

typedef struct
{
  gint x, y, width, height;
} Box;

/* What is brighter than half, which the model is to find */
static gboolean
find_truth (GstVideoFrame * frame, Box * box)
{
  gint width = GST_VIDEO_FRAME_WIDTH (frame);
  gint height = GST_VIDEO_FRAME_HEIGHT (frame);
  gint left = width, right = -1, top = height, bottom = -1;

  for (gint y = 0; y < height; y++) {
    const guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0) +
        y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

    for (gint x = 0; x < width; x++) {
      if (row[x] < 128)
        continue;
      left = MIN (left, x);
      right = MAX (right, x);
      top = MIN (top, y);
      bottom = MAX (bottom, y);
    }
  }
  box->x = left;
  box->y = top;
  box->width = right + 1 - left;
  box->height = bottom + 1 - top;
  return right >= 0;
}

static gboolean
find_detection (GstBuffer * buffer, Box * box, gfloat * score)
{
  GstAnalyticsRelationMeta *relations =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd detection;
  gpointer state = NULL;

  return relations && gst_analytics_relation_meta_iterate (relations, &state,
      gst_analytics_od_mtd_get_mtd_type (), &detection)
      && gst_analytics_od_mtd_get_location (&detection, &box->x, &box->y,
      &box->width, &box->height, score);
}

/* One box of y, x, y, x in parts of the model's picture. The map knows what of
 * that is frame, and where. */
static gboolean
decode (GstBuffer * buffer, Box * box)
{
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (buffer);
  gdouble x, y, width, height;
  GstHipFrameMap map;
  gfloat edges[4];

  for (gsize i = 0; meta && i < meta->num_tensors; i++) {
    const GstTensor *tensor = gst_tensor_meta_get (meta, i);

    if (tensor->id != g_quark_from_static_string (BOXES)
        || gst_buffer_extract (tensor->data, 0, edges, sizeof (edges))
        != sizeof (edges) || !gst_hip_frame_map_find (buffer, BOXES, &map))
      continue;
    if (!gst_hip_frame_map_box (&map, edges[1] * MODEL_SIZE,
            edges[0] * MODEL_SIZE, (edges[3] - edges[1]) * MODEL_SIZE,
            (edges[2] - edges[0]) * MODEL_SIZE, &x, &y, &width, &height))
      continue;
    box->x = (gint) (x + 0.5);
    box->y = (gint) (y + 0.5);
    box->width = (gint) (width + 0.5);
    box->height = (gint) (height + 0.5);
    return TRUE;
  }
  return FALSE;
}

static void
look (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  Result *result = data;
  GstVideoFrame frame;
  GstVideoInfo info;
  Box truth, box;
  gfloat score = 1;
  gboolean right;

  result->frames++;
  if (!gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    return;
  if (find_truth (&frame, &truth) && (result->letterboxed ?
          decode (buffer, &box) : find_detection (buffer, &box, &score))) {
    right = ABS (box.x - truth.x) <= NEAR && ABS (box.y - truth.y) <= NEAR
        && ABS (box.width - truth.width) <= NEAR
        && ABS (box.height - truth.height) <= NEAR;
    result->found++;
    result->right += right;
    if (result->frames % 20 == 1 || !right)
      g_print ("frame %2u: ball at %d,%d, %dx%d, score %.2f; it is at %d,%d, "
          "%dx%d%s\n", result->frames, box.x, box.y, box.width, box.height,
          score, truth.x, truth.y, truth.width, truth.height,
          right ? "" : ": WRONG");
  }
  gst_video_frame_unmap (&frame);
}

static gboolean
run (const gchar * model, Result * result, GError ** error)
{
  g_autoptr (GstElement) pipeline = NULL, inference = NULL, sink = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autofree gchar *text = NULL;
  g_autoptr (GstBus) bus = NULL;

  /* The decoder of GStreamer 1.26 takes a box's far corner for its size, so its
   * threshold for boxes as large as the frame is off. */
  text = g_strconcat ("videotestsrc pattern=ball num-buffers="
      G_STRINGIFY (N_FRAMES) " ! video/x-raw,format=GRAY8,width=320,height=240"
      " ! hipupload ! hiponnxinference name=inference resize-mode=",
      result->letterboxed ? "letterbox ! hipdownload" :
      "stretch ! hipdownload ! ssdobjectdetector size-threshold=1",
      " ! fakesink name=sink signal-handoffs=true", NULL);
  pipeline = gst_parse_launch (text, error);
  if (!pipeline)
    return FALSE;
  inference = gst_bin_get_by_name (GST_BIN (pipeline), "inference");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (inference, "model-file", model, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (look), result);

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
  g_autoptr (GError) error = NULL;
  gboolean right = TRUE;

  gst_init (&argc, &argv);
  for (guint i = 0; i < 2; i++) {
    Result result = {.letterboxed = i == 1 };

    if (!run (argc > 1 ? argv[1] : EXAMPLE_MODEL, &result, &error)) {
      g_printerr ("detect: %s\n", error ? error->message : "no pipeline");
      return 1;
    }
    g_print ("%s: %u frames, the ball found on %u, at the right place on %u\n",
        result.letterboxed ? "letterboxed" : "stretched", result.frames,
        result.found, result.right);
    right = right && result.frames == N_FRAMES && result.right == N_FRAMES;
  }
  return right ? 0 : 1;
}
