/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is seen of one pipeline? Must not know which, nor what is done to the
 * driver.
 *
 * Every frame knows its place: its bytes are computed from its time stamp, by
 * the source that fills it and by the sink that looks at it.
 */
#include <string.h>

#include <gst/hip/gsthip.h>
#include <gst/video/video.h>

#ifdef HAVE_ONNX
#include <gst/analytics/analytics.h>
#endif

#include "driver-line.h"
#include "robust.h"

#define FRAMES_PER_SECOND 30

/* --- frames --- */

static guint8
byte_of (guint frame, guint plane, guint x, guint y)
{
  return (guint8) (frame * 37 + plane * 11 + x * 3 + y * 5);
}

guint
driver_line_frame_of (GstBuffer * buffer)
{
  return (guint) gst_util_uint64_scale_round (GST_BUFFER_PTS (buffer),
      FRAMES_PER_SECOND, GST_SECOND);
}

static gboolean
plane_size (const GstVideoFrame * frame, guint plane, guint * row_bytes,
    guint * rows)
{
  gsize bytes;
  GstVideoInfo info = frame->info;

  if (!gst_hip_video_info_get_plane_size (&info, plane, &bytes, rows))
    return FALSE;
  *row_bytes = (guint) bytes;
  return TRUE;
}

/* Fills the frame, or tells whether it is what it would be filled with */
static gboolean
go_over (GstVideoFrame * frame, guint number, gboolean fill, guint8 mask)
{
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (frame); p++) {
    guint row_bytes, rows;

    if (!plane_size (frame, p, &row_bytes, &rows))
      return FALSE;
    for (guint y = 0; y < rows; y++) {
      guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, p)
          + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);

      for (guint x = 0; x < row_bytes; x++) {
        if (fill)
          row[x] = byte_of (number, p, x, y);
        else if (row[x] != (byte_of (number, p, x, y) ^ mask))
          return FALSE;
      }
    }
  }
  return TRUE;
}

static GstPadProbeReturn
fill (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo info;

  if (gst_video_info_from_caps (&info, caps)
      && gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE)) {
    go_over (&frame, driver_line_frame_of (buffer), TRUE, 0);
    gst_video_frame_unmap (&frame);
  }
  return GST_PAD_PROBE_OK;
}

#ifdef HAVE_ONNX
/* A model that shows what it has seen: the picture's bytes without padding.
 * FALSE: they cannot be mapped. */
static gboolean
look_at_tensor (GstBuffer * buffer, const GstVideoInfo * info,
    gboolean * is_right)
{
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (buffer);
  guint width = GST_VIDEO_INFO_WIDTH (info);
  guint number = driver_line_frame_of (buffer);
  GstMapInfo map;

  *is_right = FALSE;
  if (!meta)
    return TRUE;
  if (!gst_buffer_map (gst_tensor_meta_get (meta, 0)->data, &map, GST_MAP_READ))
    return FALSE;
  *is_right = map.size == (gsize) width *GST_VIDEO_INFO_HEIGHT (info);
  for (gsize i = 0; i < map.size && *is_right; i++)
    *is_right = map.data[i] == byte_of (number, 0, i % width, i / width);
  gst_buffer_unmap (gst_tensor_meta_get (meta, 0)->data, &map);
  return TRUE;
}
#else
static gboolean
look_at_tensor (GstBuffer * buffer, const GstVideoInfo * info,
    gboolean * is_right)
{
  *is_right = FALSE;
  return TRUE;
}
#endif

static void
look (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  Line *line = data;
  Target *target = line->target;
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  gboolean is_right = TRUE;
  GstVideoFrame frame;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps) || (line->tensors
          && !look_at_tensor (buffer, &info, &is_right))
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    g_autoptr (GError) error = gst_hip_take_error ();

    /* Another thread may post an error meanwhile. */
    g_mutex_lock (&line->lock);
    if (target->unmapped++ == 0 && target->errors == 0)
      g_strlcpy (target->text, error ? error->message : "",
          sizeof (target->text));
    g_mutex_unlock (&line->lock);
  } else {
    is_right = is_right && go_over (&frame, driver_line_frame_of (buffer),
        FALSE, line->inverted ? 0xff : 0);
    gst_video_frame_unmap (&frame);
    /* Nothing comes after one that did not. */
    if (is_right && target->unmapped == 0)
      target->right++;
    else
      target->wrong++;
  }
  g_mutex_lock (&line->lock);
  line->seen++;
  g_cond_broadcast (&line->cond);
  g_mutex_unlock (&line->lock);
}

/* --- messages --- */

static gboolean
is_ours (GstObject * object)
{
  return g_str_has_prefix (G_OBJECT_TYPE_NAME (object), "GstHip");
}

static void
note_error (Line * line, GstMessage * message)
{
  Target *target = line->target;
  g_autoptr (GError) error = NULL;

  if (!is_ours (GST_MESSAGE_SRC (message))) {
    target->other_errors++;
    line->source_ended = TRUE;
    return;
  }
  gst_message_parse_error (message, &error, NULL);
  if (target->errors++ == 0) {
    g_strlcpy (target->domain, g_quark_to_string (error->domain),
        sizeof (target->domain));
    target->code = error->code;
    g_snprintf (target->text, sizeof (target->text), "%s: %s",
        GST_MESSAGE_SRC_NAME (message), error->message);
  } else {
    g_snprintf (target->more, sizeof (target->more), "%s: %s",
        GST_MESSAGE_SRC_NAME (message), error->message);
  }
}

static GstBusSyncReply
note_message (GstBus * bus, GstMessage * message, gpointer data)
{
  Line *line = data;

  g_mutex_lock (&line->lock);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    note_error (line, message);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    line->target->eos = TRUE;
  g_cond_broadcast (&line->cond);
  g_mutex_unlock (&line->lock);
  gst_message_unref (message);
  return GST_BUS_DROP;
}

/* An error while a seek takes the pipeline from PLAYING through PAUSED leaves it
 * there, as GStreamer's bins have it: neither the end nor the source's error
 * comes then. */
static gboolean
has_ended (Line * line)
{
  return line->target->eos || line->source_ended || line->failed_to_start
      || (line->sought && line->target->errors > 0);
}

gboolean
driver_line_may_seek (Line * line)
{
  gboolean may;

  g_mutex_lock (&line->lock);
  may = line->target->errors == 0;
  line->sought |= may;
  g_mutex_unlock (&line->lock);
  return may;
}

void
driver_line_wait (Line * line, guint frames)
{
  g_mutex_lock (&line->lock);
  while (line->seen < frames && !has_ended (line))
    g_cond_wait (&line->cond, &line->lock);
  g_mutex_unlock (&line->lock);
}

/* --- one pipeline --- */

void
driver_line_probe (Line * line, const gchar * element, const gchar * pad,
    GstPadProbeType type, GstPadProbeCallback callback, gpointer data)
{
  g_autoptr (GstElement) found =
      gst_bin_get_by_name (GST_BIN (line->pipeline), element);
  g_autoptr (GstPad) at = found ? gst_element_get_static_pad (found, pad) :
      NULL;

  if (at)
    gst_pad_add_probe (at, type, callback, data, NULL);
}

void
driver_line_init (Line * line, Target * target, const DriverRunTarget * what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstElement) kernel = NULL, sink = NULL;

  memset (line, 0, sizeof (*line));
  line->target = target;
  line->inverted = what->inverted;
  line->tensors = what->tensors;
  target->frames = what->frames;
  g_mutex_init (&line->lock);
  g_cond_init (&line->cond);
  line->pipeline = gst_parse_launch (what->description, &error);
  g_assert_no_error (error);
  kernel = gst_bin_get_by_name (GST_BIN (line->pipeline), "kernel");
  if (kernel)
    g_object_set (kernel, "source", invert, NULL);
  sink = gst_bin_get_by_name (GST_BIN (line->pipeline), "sink");
  g_object_set (sink, "signal-handoffs", TRUE, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (look), line);
  driver_line_probe (line, "source", "src", GST_PAD_PROBE_TYPE_BUFFER, fill,
      NULL);
  bus = gst_element_get_bus (line->pipeline);
  gst_bus_set_sync_handler (bus, note_message, line, NULL);
}

void
driver_line_start (Line * line)
{
  gboolean failed = gst_element_set_state (line->pipeline,
      GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE;

  g_mutex_lock (&line->lock);
  line->failed_to_start = failed;
  g_mutex_unlock (&line->lock);
}

void
driver_line_finish (Line * line)
{
  driver_line_wait (line, G_MAXUINT);
  if (gst_element_set_state (line->pipeline, GST_STATE_NULL)
      != GST_STATE_CHANGE_SUCCESS)
    g_error ("NULL was not reached");
}

void
driver_line_clear (Line * line)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (line->pipeline);

  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  gst_object_unref (line->pipeline);
  g_mutex_clear (&line->lock);
  g_cond_clear (&line->cond);
}
