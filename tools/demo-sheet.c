/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which frames of a video are shown on a contact sheet, and how is it drawn?
 * Streams of unknown length: the list is halved whenever it is full.
 */
#include "config.h"

#include <string.h>

#include "demo.h"

#define KEPT 12
#define COLUMNS 6
#define GAP 8
#define BACKGROUND 40

static void
picture_free (gpointer data)
{
  DemoPicture *picture = data;

  g_free (picture->rgb);
  g_free (picture);
}

DemoFrames *
demo_frames_new (void)
{
  DemoFrames *self = g_new0 (DemoFrames, 1);

  self->pictures = g_ptr_array_new_with_free_func (picture_free);
  self->step = 1;
  return self;
}

void
demo_frames_free (DemoFrames * self)
{
  g_ptr_array_unref (self->pictures);
  g_free (self);
}

static void
keep_every_second (DemoFrames * self)
{
  GPtrArray *all = self->pictures;

  self->pictures = g_ptr_array_new_with_free_func (picture_free);
  for (guint i = 0; i < all->len; i++) {
    if (i % 2)
      picture_free (g_ptr_array_index (all, i));
    else
      g_ptr_array_add (self->pictures, g_ptr_array_index (all, i));
  }
  g_ptr_array_set_free_func (all, NULL);
  g_ptr_array_unref (all);
  self->step *= 2;
}

void
demo_frames_add (DemoFrames * self, GstBuffer * buffer, GstPad * pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  DemoPicture *picture;
  GstVideoFrame frame;
  GstVideoInfo info;

  if (self->seen++ % self->step)
    return;
  if (!caps || !gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    return;
  if (self->pictures->len == KEPT)
    keep_every_second (self);
  if ((self->seen - 1) % self->step == 0) {
    picture = g_new (DemoPicture, 1);
    picture->width = (guint) info.width;
    picture->height = (guint) info.height;
    picture->rgb = g_malloc (3 * (gsize) info.width * (gsize) info.height);
    for (guint y = 0; y < picture->height; y++)
      memcpy (picture->rgb + 3 * (gsize) y * picture->width,
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
          3 * (gsize) picture->width);
    g_ptr_array_add (self->pictures, picture);
  }
  gst_video_frame_unmap (&frame);
}

/* RGB into a PNG file, by GStreamer's own encoder. */
static gboolean
write_png (guint8 * rgb, guint width, guint height, guint stride,
    const gchar * filename, GError ** error)
{
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) source = NULL, sink = NULL;
  GstFlowReturn flow;
  GstBuffer *buffer;
  gboolean ok;
  g_autofree gchar *text =
      g_strdup_printf ("appsrc name=source format=time num-buffers=1 "
      "caps=video/x-raw,format=RGB,width=%u,height=%u,framerate=1/1 "
      "! pngenc ! filesink name=sink", width, height);

  pipeline = gst_parse_launch (text, error);
  if (!pipeline)
    return FALSE;
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (sink, "location", filename, NULL);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  buffer = gst_buffer_new_wrapped (rgb, (gsize) stride * height);
  GST_BUFFER_PTS (buffer) = 0;
  g_signal_emit_by_name (source, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
  g_signal_emit_by_name (source, "end-of-stream", &flow);
  ok = demo_run (pipeline, error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}

gboolean
demo_sheet_write (DemoFrames * const *rows, guint n_rows,
    const gchar * filename, GError ** error)
{
  guint shown = rows[0]->pictures->len, columns, width, height, stride;
  guint cell_width = 0, cell_height = 0;
  guint8 *rgb;

  for (guint row = 0; row < n_rows; row++) {
    shown = MIN (shown, rows[row]->pictures->len);
    for (guint i = 0; i < rows[row]->pictures->len; i++) {
      DemoPicture *p = g_ptr_array_index (rows[row]->pictures, i);

      cell_width = MAX (cell_width, p->width);
      cell_height = MAX (cell_height, p->height);
    }
  }
  columns = MIN (shown, COLUMNS);
  if (!columns) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "there was no frame to show");
    return FALSE;
  }
  width = columns * (cell_width + GAP) + GAP;
  height = n_rows * (cell_height + GAP) + GAP;
  stride = GST_ROUND_UP_4 (3 * width);
  rgb = g_malloc ((gsize) stride * height);
  memset (rgb, BACKGROUND, (gsize) stride * height);
  for (guint row = 0; row < n_rows; row++)
    for (guint column = 0; column < columns; column++) {
      DemoPicture *p = g_ptr_array_index (rows[row]->pictures,
          columns > 1 ? column * (shown - 1) / (columns - 1) : 0);
      guint left = GAP + column * (cell_width + GAP);
      guint top = GAP + row * (cell_height + GAP);

      for (guint y = 0; y < p->height; y++)
        memcpy (rgb + (gsize) (top + y) * stride + 3 * (gsize) left,
            p->rgb + 3 * (gsize) y * p->width, 3 * (gsize) p->width);
    }
  return write_png (rgb, width, height, stride, filename, error);
}
