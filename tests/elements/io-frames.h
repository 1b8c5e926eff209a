/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames for tests: random pixels, put into a buffer in many layouts, and
 * compared byte by byte afterwards. Also: which device tests run on.
 */
#pragma once

#include <gst/check/check.h>
#include <gst/check/gstharness.h>
#include <gst/hip/gsthip.h>
#include <string.h>

G_GNUC_UNUSED static const gchar *
test_vendor (void)
{
  const gchar *vendor = g_getenv ("GST_HIP_TEST_VENDOR");

  return vendor ? vendor : "host";
}

/* Visible bytes of every plane, packed. */
typedef struct
{
  GstVideoInfo info;
  gsize row_bytes[GST_VIDEO_MAX_PLANES];
  guint rows[GST_VIDEO_MAX_PLANES];
  guint8 *planes[GST_VIDEO_MAX_PLANES];
} Picture;

typedef enum
{
  LAYOUT_CAPS,                  /* one memory, no video meta */
  LAYOUT_ODD,                   /* odd strides and offsets, guard bytes around every row */
  LAYOUT_TALL,                  /* the second plane starts after 16 more rows than the first has */
  LAYOUT_PER_PLANE,             /* one memory for each plane */
  LAYOUT_CUT,                   /* memories end inside of planes, no video meta */
  LAYOUT_BOTTOM_UP,             /* negative strides */
  N_LAYOUTS,
} Layout;

#define GUARD_BYTE 0xA5

G_GNUC_UNUSED static void
picture_init (Picture * picture, GstVideoFormat format, guint width, guint height, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint i;
  gsize k;

  memset (picture, 0, sizeof (*picture));
  fail_unless (gst_video_info_set_format (&picture->info, format, width, height));
  picture->info.fps_n = 30;
  picture->info.fps_d = 1;
  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (&picture->info); i++) {
    gsize size;

    fail_unless (gst_hip_video_info_get_plane_size (&picture->info, i, &picture->row_bytes[i], &picture->rows[i]));
    size = picture->row_bytes[i] * picture->rows[i];
    picture->planes[i] = g_malloc (size);
    for (k = 0; k + 4 <= size; k += 4) {
      guint32 value = g_rand_int (rand);

      memcpy (picture->planes[i] + k, &value, 4);
    }
    for (; k < size; k++)
      picture->planes[i][k] = (guint8) g_rand_int (rand);
  }
}

G_GNUC_UNUSED static void
picture_clear (Picture * picture)
{
  guint i;

  for (i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    g_clear_pointer (&picture->planes[i], g_free);
}

G_GNUC_UNUSED static gsize
picture_layout (const Picture * picture, Layout layout, gsize offset[4], gint stride[4])
{
  guint i, n = GST_VIDEO_INFO_N_PLANES (&picture->info);
  gsize at = 0;

  for (i = 0; i < n; i++) {
    switch (layout) {
      case LAYOUT_CAPS:
      case LAYOUT_CUT:
        offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (&picture->info, i);
        stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (&picture->info, i);
        continue;
      case LAYOUT_ODD:
        stride[i] = (gint) (picture->row_bytes[i] + 5 + 2 * i) | 1;
        offset[i] = at + 13;
        at = offset[i] + (gsize) stride[i] * picture->rows[i] + 3;
        break;
      case LAYOUT_TALL:
        stride[i] = (gint) picture->row_bytes[i];
        offset[i] = at;
        at += (gsize) stride[i] * (picture->rows[i] + 16);
        break;
      case LAYOUT_BOTTOM_UP:
        stride[i] = -(gint) (picture->row_bytes[i] + 2);
        offset[i] = at + (gsize) (-stride[i]) * (picture->rows[i] - 1);
        at += (gsize) (-stride[i]) * picture->rows[i];
        break;
      case LAYOUT_PER_PLANE:
      default:
        stride[i] = (gint) picture->row_bytes[i] + 1;
        offset[i] = at;
        at += (gsize) stride[i] * picture->rows[i] + 7;
        break;
    }
  }
  return MAX (at, layout == LAYOUT_CAPS || layout == LAYOUT_CUT ? GST_VIDEO_INFO_SIZE (&picture->info) : at);
}

/* The picture in a new buffer. */
G_GNUC_UNUSED static GstBuffer *
picture_to_buffer (const Picture * picture, Layout layout)
{
  guint i, row, n = GST_VIDEO_INFO_N_PLANES (&picture->info);
  gsize offset[4] = { 0, }, size, begin, end;
  gint stride[4] = { 0, };
  GstBuffer *buffer = gst_buffer_new ();
  guint8 *data;

  size = picture_layout (picture, layout, offset, stride);
  data = g_malloc (size);
  memset (data, GUARD_BYTE, size);
  for (i = 0; i < n; i++) {
    for (row = 0; row < picture->rows[i]; row++)
      memcpy (data + (gssize) offset[i] + (gssize) stride[i] * row, picture->planes[i] + row * picture->row_bytes[i],
          picture->row_bytes[i]);
  }

  if (layout == LAYOUT_PER_PLANE || layout == LAYOUT_CUT) {
    guint n_pieces = layout == LAYOUT_CUT ? 3 : n;

    for (i = 0; i < n_pieces; i++) {
      begin = layout == LAYOUT_CUT ? size * i / 3 : offset[i];
      end = layout == LAYOUT_CUT ? size * (i + 1) / 3 : (i + 1 < n ? offset[i + 1] : size);
      if (end > begin) {
        gpointer piece = g_memdup2 (data + begin, end - begin);

        gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, piece, end - begin, 0, end - begin, piece,
                g_free));
      }
    }
    g_free (data);
  } else {
    gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, data, size, 0, size, data, g_free));
  }

  if (layout != LAYOUT_CAPS && layout != LAYOUT_CUT)
    gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_INFO_FORMAT (&picture->info),
        GST_VIDEO_INFO_WIDTH (&picture->info), GST_VIDEO_INFO_HEIGHT (&picture->info), n, offset, stride);
  return buffer;
}

/* Fails unless buffer shows the picture. */
G_GNUC_UNUSED static void
picture_compare (const Picture * picture, GstBuffer * buffer, const gchar * what)
{
  GstVideoInfo info = picture->info;
  GstVideoFrame frame;
  guint i, row;

  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ), "%s: does not map", what);
  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (&info); i++) {
    for (row = 0; row < picture->rows[i]; row++) {
      const guint8 *is = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, i)
          + (gssize) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i) * row;
      const guint8 *should = picture->planes[i] + row * picture->row_bytes[i];
      gsize x;

      if (memcmp (is, should, picture->row_bytes[i]) == 0)
        continue;
      for (x = 0; is[x] == should[x]; x++);
      fail ("%s: %s %dx%d plane %u row %u byte %" G_GSIZE_FORMAT ": is %u, should be %u", what,
          GST_VIDEO_INFO_NAME (&info), GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info), i, row, x, is[x],
          should[x]);
    }
  }
  gst_video_frame_unmap (&frame);
}

/* Every format that the elements list and this GStreamer knows. */
G_GNUC_UNUSED static GArray *
listed_formats (void)
{
  g_autoptr (GstCaps) caps = gst_hip_get_supported_formats_caps (NULL);
  GArray *formats = g_array_new (FALSE, FALSE, sizeof (GstVideoFormat));
  guint i, k;

  for (i = 0; i < gst_caps_get_size (caps); i++) {
    const GValue *list = gst_structure_get_value (gst_caps_get_structure (caps, i), "format");

    for (k = 0; k < gst_value_list_get_size (list); k++) {
      GstVideoFormat format = gst_video_format_from_string (g_value_get_string (gst_value_list_get_value (list, k)));

      fail_unless (format != GST_VIDEO_FORMAT_UNKNOWN);
      g_array_append_val (formats, format);
    }
  }
  fail_unless (formats->len >= 36, "only %u formats", formats->len);
  return formats;
}

G_GNUC_UNUSED static GstHarness *
harness_new (const gchar * chain, const GstVideoInfo * info)
{
  g_autofree gchar *text = g_strdup_printf (chain, test_vendor (), test_vendor ());
  GstHarness *h = gst_harness_new_parse (text);

  if (info) {
    GstVideoInfo copy = *info;

    gst_harness_set_src_caps (h, gst_video_info_to_caps (&copy));
  }
  return h;
}

G_GNUC_UNUSED static guint64
stat_uint64 (GstElement * element, const gchar * field)
{
  GstStructure *stats = NULL;
  guint64 value = 0;
  guint value32 = 0;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (stats != NULL);
  if (gst_structure_get_uint (stats, field, &value32))
    value = value32;
  else
    fail_unless (gst_structure_get_uint64 (stats, field, &value), "no %s in the statistics", field);
  gst_structure_free (stats);
  return value;
}
