/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames, harnesses and comparison for the tests of hipkernel. */
#include "config.h"

#include "kernel-common.h"

gchar *
kernel_test_file (const gchar * name)
{
  return g_build_filename (g_getenv ("GST_HIP_SOURCE_DIR"), name, NULL);
}

gchar *
kernel_test_example (const gchar * name)
{
  return g_strdup_printf ("location=%s/examples/kernels/%s.hip",
      g_getenv ("GST_HIP_SOURCE_DIR"), name);
}

GstVideoInfo
kernel_test_info (const gchar * text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  GstVideoInfo info;

  fail_unless (caps && gst_video_info_from_caps (&info, caps), "%s", text);
  return info;
}

GstBuffer *
kernel_test_frame (const GstVideoInfo * info, GRand * rand, guint kind)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  gboolean deep = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8;
  GstMapInfo map;
  gsize i;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (i = 0; i + 1 < map.size; i += 2) {
    guint a = g_rand_int (rand), value = 0;

    switch (kind % 4) {
      case 0:
        value = a;
        break;
      case 1:
        value = a & 0x0f0f;
        break;
      case 2:
        value = a | 0xf0f0;
        break;
      default:
        value = deep ? (guint) i *9 : (i & 255) | ((i + 1) & 255) << 8;
        break;
    }
    /* Ten bits lie at the top of sixteen, the rest is zero. */
    if (deep)
      value = kind % 4 == 1 ? (value & 0x3ff) << 6 : value & 0xffc0;
    map.data[i] = (guint8) value;
    map.data[i + 1] = (guint8) (value >> 8);
  }
  if (i < map.size)
    map.data[i] = (guint8) g_rand_int (rand);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

GstHarness *
kernel_test_harness (const gchar * properties, const gchar * caps,
    const gchar * out_caps)
{
  g_autofree gchar *filter = out_caps ?
      g_strdup_printf (" ! capsfilter caps=\"%s\"", out_caps) : g_strdup ("");
  g_autofree gchar *text = g_strdup_printf ("hipupload ! hipkernel name=kernel "
      "%s ! hipdownload%s", properties, filter);
  GstHarness *h = gst_harness_new_parse (text);

  fail_unless (h != NULL, "%s", text);
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

guint8 *
kernel_test_at (const GstVideoFrame * frame, guint component, gint x, gint y)
{
  const GstVideoFormatInfo *finfo = frame->info.finfo;
  guint plane = GST_VIDEO_FORMAT_INFO_PLANE (finfo, component);
  gint offset = GST_VIDEO_FORMAT_INFO_POFFSET (finfo, component);

  /* GStreamer 1.22 says 1. */
  if (GST_VIDEO_FRAME_FORMAT (frame) == GST_VIDEO_FORMAT_P010_10LE
      && component == 2)
    offset = 2;
  return (guint8 *) frame->data[plane] + offset
      + (y >> GST_VIDEO_FORMAT_INFO_H_SUB (finfo, component))
      * GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane)
      + (x >> GST_VIDEO_FORMAT_INFO_W_SUB (finfo, component))
      * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);
}

guint
kernel_test_get (const GstVideoFrame * frame, guint component, gint x, gint y)
{
  const guint8 *at = kernel_test_at (frame, component, x, y);

  return GST_VIDEO_FRAME_COMP_DEPTH (frame, component) == 8 ? *at :
      GST_READ_UINT16_LE (at) >> 6;
}

void
kernel_test_compare (const GstVideoFrame * expected, const GstVideoFrame * got,
    const gchar * what)
{
  fail_unless_equals_int (GST_VIDEO_FRAME_FORMAT (expected),
      GST_VIDEO_FRAME_FORMAT (got));
  fail_unless_equals_int (GST_VIDEO_FRAME_WIDTH (expected),
      GST_VIDEO_FRAME_WIDTH (got));
  fail_unless_equals_int (GST_VIDEO_FRAME_HEIGHT (expected),
      GST_VIDEO_FRAME_HEIGHT (got));
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (got); c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (got); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (got); x++) {
        guint a = kernel_test_get (expected, c, x, y);
        guint b = kernel_test_get (got, c, x, y);

        if (a != b)
          fail ("%s: component %u at %d,%d is %u, expected %u", what, c, x, y,
              b, a);
      }
}
