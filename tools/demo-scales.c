/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What do the methods of scaling look like? For each a row: rings that get finer
 * outwards, made four times smaller, where what was too fine should be grey and
 * no new rings; and a small picture of edges, made ten times larger.
 */
#include "config.h"

#include <math.h>

#include "demo.h"

#define WIDTH 240
#define HEIGHT 180
#define N_METHODS (GST_HIP_SCALE_METHOD_AUTO + 1)

/* Finest at the edges: two pixels a ring */
static void
paint_rings (guint8 * rgb, guint width, guint height)
{
  for (guint i = 0; i < width * height; i++) {
    gdouble x = i % width - width / 2.0, y = i / width - height / 2.0;
    gdouble wave = cos (G_PI / width * (x * x + y * y));

    rgb[3 * i] = rgb[3 * i + 1] = rgb[3 * i + 2] = lrint (127.5 + 127.5 * wave);
  }
}

static void
paint_edges (guint8 * rgb, guint width, guint height)
{
  for (guint i = 0; i < width * height; i++) {
    guint x = i % width, y = i / width;
    gboolean on = x < width / 2 ? (x + y) % 7 < 2 : (x / 3 + y / 3) % 2;

    rgb[3 * i] = on ? 255 : 20;
    rgb[3 * i + 1] = on ? 200 : 40;
    rgb[3 * i + 2] = on ? 40 : 120;
  }
}

static GstBuffer *
new_frame (GstHipDevice * device, const GstVideoInfo * info, GError ** error)
{
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, info->size,
      error);
  GstBuffer *buffer;

  if (!memory)
    return NULL;
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, memory);
  return buffer;
}

/* A picture of the sheet */
static gboolean
scale (GstHipDevice * device, GstHipScaleMethod method, guint width,
    guint height, void (*paint) (guint8 *, guint, guint), DemoFrames * row,
    GError ** error)
{
  g_autoptr (GstStructure) config = gst_structure_new ("config",
      GST_HIP_CONVERTER_OPT_METHOD, GST_TYPE_HIP_SCALE_METHOD, method, NULL);
  g_autoptr (GstHipConverter) converter = NULL;
  g_autoptr (GstBuffer) in = NULL;
  g_autoptr (GstBuffer) out = NULL;
  g_autofree guint8 *rgb = g_malloc (3 * width * height);
  GstVideoInfo in_info, out_info;
  DemoPicture *picture;

  gst_video_info_set_format (&in_info, GST_VIDEO_FORMAT_RGB, width, height);
  gst_video_info_set_format (&out_info, GST_VIDEO_FORMAT_RGB, WIDTH, HEIGHT);
  in = new_frame (device, &in_info, error);
  out = in ? new_frame (device, &out_info, error) : NULL;
  converter = out ? gst_hip_converter_new (device, &in_info, &out_info, config,
      error) : NULL;
  if (!converter)
    return FALSE;
  paint (rgb, width, height);
  gst_buffer_fill (in, 0, rgb, 3 * width * height);
  if (!gst_hip_converter_convert_buffer (converter, NULL, in, out, NULL, error))
    return FALSE;
  picture = g_new0 (DemoPicture, 1);
  picture->width = WIDTH;
  picture->height = HEIGHT;
  picture->rgb = g_malloc (3 * WIDTH * HEIGHT);
  gst_buffer_extract (out, 0, picture->rgb, 3 * WIDTH * HEIGHT);
  g_ptr_array_add (row->pictures, picture);
  return TRUE;
}

gboolean
demo_scales (const gchar * filename, GError ** error)
{
  g_autoptr (GstHipDevice) device =
      gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, error);
  GEnumClass *klass = g_type_class_ref (GST_TYPE_HIP_SCALE_METHOD);
  DemoFrames *rows[N_METHODS];
  gboolean ok = device != NULL;

  g_print ("methods of scaling, from above:");
  for (guint i = 0; i < N_METHODS; i++) {
    rows[i] = demo_frames_new ();
    ok = ok && scale (device, i, 4 * WIDTH, 4 * HEIGHT, paint_rings, rows[i],
        error) && scale (device, i, WIDTH / 10, HEIGHT / 10, paint_edges,
        rows[i], error);
    g_print (" %s", g_enum_get_value (klass, i)->value_nick);
  }
  g_print ("\n");
  ok = ok && demo_sheet_write (rows, N_METHODS, filename, error);
  for (guint i = 0; i < N_METHODS; i++)
    demo_frames_free (rows[i]);
  g_type_class_unref (klass);
  if (ok)
    g_print ("  to look at    %s\n", filename);
  return ok;
}
