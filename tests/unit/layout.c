/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are plane sizes and layouts right for every format of the running GStreamer?
 * The references are GStreamer's own layouts (as an upper bound) and its own
 * packers: a picture copied by our sizes has to unpack to the same pixels.
 */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "gsthiperror.h"
#include "hip-layout.h"

static const gint sizes[][2] = {
  {1, 1}, {2, 2}, {3, 3}, {5, 7}, {17, 9}, {321, 241}, {642, 480}, {1919, 1079},
};

/* Room behind a packed picture: GStreamer's packers write whole groups. */
#define SLACK 256

static guint
get_n_supported (const GstVideoFormat ** formats)
{
  static GstVideoFormat supported[256];
  guint i, n_raw, n = 0;
  const GstVideoFormat *raw = gst_video_formats_raw (&n_raw);

  for (i = 0; i < n_raw; i++) {
    if (hip_layout_is_supported (gst_video_format_get_info (raw[i])))
      supported[n++] = raw[i];
  }
  *formats = supported;
  fail_unless (n > 80);
  return n;
}

static gsize
get_end (const GstVideoInfo * info, guint plane)
{
  gsize row_bytes;
  guint rows;

  fail_unless (gst_hip_video_info_get_plane_size (info, plane, &row_bytes,
          &rows));
  fail_unless (rows > 0 && row_bytes > 0);
  return info->offset[plane] + (gsize) info->stride[plane] * (rows - 1) +
      row_bytes;
}

static void
assert_planes_apart (const GstVideoInfo * info)
{
  guint a, b;

  for (a = 0; a < GST_VIDEO_INFO_N_PLANES (info); a++) {
    gsize end = get_end (info, a);

    fail_unless (end <= info->size, "%s %dx%d: plane %u ends at %"
        G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, info->finfo->name, info->width,
        info->height, a, end, info->size);
    for (b = 0; b < GST_VIDEO_INFO_N_PLANES (info); b++) {
      if (info->offset[b] > info->offset[a])
        fail_unless (end <= info->offset[b], "%s %dx%d: plane %u ends at %"
            G_GSIZE_FORMAT ", %u starts at %" G_GSIZE_FORMAT,
            info->finfo->name, info->width, info->height, a, end, b,
            info->offset[b]);
      else
        fail_unless (a == b || info->offset[a] != info->offset[b]);
    }
  }
}

GST_START_TEST (test_inside_default_layout)
{
  const GstVideoFormat *formats;
  guint f, s, plane, n = get_n_supported (&formats);

  for (f = 0; f < n; f++) {
    for (s = 0; s < G_N_ELEMENTS (sizes); s++) {
      GstVideoInfo info;

      gst_video_info_set_format (&info, formats[f], sizes[s][0], sizes[s][1]);
      assert_planes_apart (&info);
      fail_unless (hip_layout_check (&info, NULL));
      for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (&info); plane++) {
        gsize row_bytes;
        guint rows;

        gst_hip_video_info_get_plane_size (&info, plane, &row_bytes, &rows);
        if (rows > 1)
          fail_unless (row_bytes <= (gsize) info.stride[plane]);
      }
      fail_if (gst_hip_video_info_get_plane_size (&info, plane, NULL, NULL));
    }
  }
}

GST_END_TEST;

/* --- the picture is all there --- */

typedef struct
{
  guint8 *base;
  gpointer data[GST_VIDEO_MAX_PLANES];
} Picture;

static void
picture_init (Picture * picture, const GstVideoInfo * info, guint8 fill)
{
  guint i;

  picture->base = g_malloc (info->size + SLACK);
  memset (picture->base, fill, info->size + SLACK);
  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    picture->data[i] = picture->base + info->offset[i];
}

static gboolean
can_pack (const GstVideoFormatInfo * finfo)
{
  return finfo->pack_func && finfo->unpack_func
      && finfo->pack_lines == 1 && !GST_VIDEO_FORMAT_INFO_HAS_PALETTE (finfo);
}

static gsize
get_line_bytes (const GstVideoInfo * info)
{
  const GstVideoFormatInfo *unpacked =
      gst_video_format_get_info (info->finfo->unpack_format);

  return (gsize) GST_VIDEO_FORMAT_INFO_PSTRIDE (unpacked, 0) *
      (info->width + 16);
}

static void
pack_random (Picture * picture, const GstVideoInfo * info)
{
  gsize i, line_bytes = get_line_bytes (info);
  guint8 *line = g_malloc (line_bytes);
  gint y;

  for (y = 0; y < info->height; y++) {
    for (i = 0; i < line_bytes; i++)
      line[i] = g_random_int ();
    info->finfo->pack_func (info->finfo, GST_VIDEO_PACK_FLAG_NONE, line,
        line_bytes, picture->data, info->stride, GST_VIDEO_CHROMA_SITE_NONE,
        y, info->width);
  }
  g_free (line);
}

static void
unpack_line (const Picture * picture, const GstVideoInfo * info, gint y,
    guint8 * line)
{
  memset (line, 0, get_line_bytes (info));
  info->finfo->unpack_func (info->finfo, GST_VIDEO_PACK_FLAG_NONE, line,
      (gpointer *) picture->data, info->stride, 0, y, info->width);
}

static void
copy_planes (Picture * dst, const GstVideoInfo * dst_info, const Picture * src,
    const GstVideoInfo * src_info)
{
  guint plane, row, rows;
  gsize row_bytes;

  for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (src_info); plane++) {
    gst_hip_video_info_get_plane_size (src_info, plane, &row_bytes, &rows);
    for (row = 0; row < rows; row++)
      memcpy ((guint8 *) dst->data[plane] + (gsize) row *
          dst_info->stride[plane], (guint8 *) src->data[plane] +
          (gsize) row * src_info->stride[plane], row_bytes);
  }
}

/* GStreamer's own rows are too short at this width: its packer writes the end
 * of a row into the next, and there is no picture to keep. */
static gboolean
rows_overlap (const GstVideoInfo * info)
{
  GstVideoInfo tight = *info;
  guint i;

  fail_unless (gst_hip_video_info_align (&tight, 1, NULL));
  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    if (tight.stride[i] > info->stride[i])
      return TRUE;
  }
  return FALSE;
}

static void
check_copy_keeps_picture (const GstVideoInfo * info)
{
  GstVideoInfo aligned = *info;
  Picture src, dst;
  guint8 *line1, *line2;
  gint y;

  fail_unless (gst_hip_video_info_align (&aligned, 64, NULL));
  picture_init (&src, info, 0x11);
  picture_init (&dst, &aligned, 0xee);
  pack_random (&src, info);
  copy_planes (&dst, &aligned, &src, info);

  line1 = g_malloc (get_line_bytes (info));
  line2 = g_malloc (get_line_bytes (info));
  for (y = 0; y < info->height; y++) {
    unpack_line (&src, info, y, line1);
    unpack_line (&dst, &aligned, y, line2);
    fail_unless (memcmp (line1, line2, get_line_bytes (info)) == 0,
        "%s %dx%d: line %d is another one after a copy", info->finfo->name,
        info->width, info->height, y);
  }
  g_free (line1);
  g_free (line2);
  g_free (src.base);
  g_free (dst.base);
}

GST_START_TEST (test_copy_keeps_picture)
{
  const GstVideoFormat *formats;
  guint f, s, packed = 0, n = get_n_supported (&formats);

  for (f = 0; f < n; f++) {
    for (s = 0; s < G_N_ELEMENTS (sizes) - 1; s++) {
      GstVideoInfo info;

      gst_video_info_set_format (&info, formats[f], sizes[s][0], sizes[s][1]);
      if (!can_pack (info.finfo) || rows_overlap (&info))
        continue;
      check_copy_keeps_picture (&info);
      packed++;
    }
  }
  fail_unless (packed > 500, "only %u pictures were compared", packed);
}

GST_END_TEST;

/* --- numbers worked out by hand --- */

static const struct
{
  const gchar *format;
  gint width, height;
  guint plane;
  gsize row_bytes;
  guint rows;
} known[] = {
  {"I420", 321, 241, 0, 321, 241}, {"I420", 321, 241, 1, 161, 121},
  {"I420", 321, 241, 2, 161, 121}, {"NV12", 321, 241, 1, 322, 121},
  {"NV21", 1, 1, 1, 2, 1}, {"P010_10LE", 5, 7, 0, 10, 7},
  {"P010_10LE", 5, 7, 1, 12, 4}, {"YUY2", 321, 3, 0, 644, 3},
  {"UYVP", 320, 1, 0, 800, 1}, {"UYVP", 321, 1, 0, 804, 1},
  {"v210", 1, 2, 0, 16, 2}, {"v210", 6, 2, 0, 16, 2}, {"v210", 7, 2, 0, 32, 2},
  {"IYU1", 5, 1, 0, 12, 1}, {"v216", 3, 1, 0, 16, 1}, {"Y41B", 5, 5, 1, 2, 5},
  {"YUV9", 5, 5, 1, 2, 2}, {"RGB", 721, 3, 0, 2163, 3},
  {"RGB16", 3, 3, 0, 6, 3}, {"GRAY8", 721, 1, 0, 721, 1},
  {"RGB8P", 5, 3, 0, 5, 3}, {"RGB8P", 5, 3, 1, 1024, 1},
  {"NV12_10LE32", 19, 3, 0, 28, 3}, {"NV12_10LE32", 19, 3, 1, 28, 2},
  {"NV12_10LE40", 17, 3, 0, 25, 3}, {"NV12_10LE40", 17, 3, 1, 25, 2},
  {"GRAY10_LE32", 4, 2, 0, 8, 2}, {"RGB10A2_LE", 3, 2, 0, 12, 2},
  {"AV12", 3, 3, 1, 4, 2}, {"AV12", 3, 3, 2, 3, 3}, {"A420", 3, 3, 3, 3, 3},
  {"Y410", 3, 1, 0, 12, 1}, {"Y210", 3, 1, 0, 16, 1}, {"NV24", 3, 3, 1, 6, 3},
  {"ARGB64", 3, 3, 0, 24, 3}, {"GBR_12LE", 3, 3, 2, 6, 3},
};

GST_START_TEST (test_known_plane_sizes)
{
  GstVideoInfo info;
  guint i, rows;
  gsize row_bytes;

  for (i = 0; i < G_N_ELEMENTS (known); i++) {
    gst_video_info_set_format (&info,
        gst_video_format_from_string (known[i].format), known[i].width,
        known[i].height);
    fail_unless (gst_hip_video_info_get_plane_size (&info, known[i].plane,
            &row_bytes, &rows));
    fail_unless (row_bytes == known[i].row_bytes && rows == known[i].rows,
        "%s %dx%d plane %u: %u rows of %" G_GSIZE_FORMAT, known[i].format,
        known[i].width, known[i].height, known[i].plane, rows, row_bytes);
  }
  /* one field a buffer */
  gst_video_info_set_interlaced_format (&info, GST_VIDEO_FORMAT_NV12,
      GST_VIDEO_INTERLACE_MODE_ALTERNATE, 4, 10);
  gst_hip_video_info_get_plane_size (&info, 0, NULL, &rows);
  fail_unless_equals_int (rows, 5);
  gst_hip_video_info_get_plane_size (&info, 1, NULL, &rows);
  fail_unless_equals_int (rows, 3);
}

GST_END_TEST;

/* --- laying out --- */

GST_START_TEST (test_align_wastes_nothing)
{
  static const guint aligns[] = { 0, 1, 4, 32, 64, 256, 512 };
  const GstVideoFormat *formats;
  guint f, s, a, plane, n = get_n_supported (&formats);

  for (f = 0; f < n; f++) {
    for (s = 0; s < G_N_ELEMENTS (sizes); s++) {
      for (a = 0; a < G_N_ELEMENTS (aligns); a++) {
        GstVideoInfo info, by_default;
        guint rows, align = MAX (aligns[a], 1);
        gsize row_bytes, sum = 0;

        gst_video_info_set_format (&info, formats[f], sizes[s][0], sizes[s][1]);
        by_default = info;
        fail_unless (gst_hip_video_info_align (&info, aligns[a], NULL));
        assert_planes_apart (&info);
        fail_unless (hip_layout_check (&info, NULL));
        for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (&info); plane++) {
          gst_hip_video_info_get_plane_size (&info, plane, &row_bytes, &rows);
          fail_unless_equals_uint64 (info.offset[plane], sum);
          fail_unless (info.offset[plane] % align == 0
              || GST_VIDEO_INFO_HAS_ALPHA (&info));
          if (rows > 1) {
            fail_unless (info.stride[plane] % align == 0);
            /* at most one more group of pixels, and the alignment */
            fail_unless ((gsize) info.stride[plane] < row_bytes + 5 + align);
            sum += (gsize) info.stride[plane] * rows;
          } else if (GST_VIDEO_FORMAT_INFO_HAS_PALETTE (info.finfo) && plane) {
            fail_unless_equals_int (info.stride[plane], 4);
            sum += 1024;
          } else {
            sum += info.stride[plane];
          }
        }
        fail_unless_equals_uint64 (info.size, sum);
        if (align <= 4)
          fail_unless (info.size <= by_default.size + 8 * sizes[s][1]);
      }
    }
  }
}

GST_END_TEST;

/* Strides of their own: 4:2:0 takes one and a half times the luma plane. */
GST_START_TEST (test_chroma_has_own_stride)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 1024, 512);
  fail_unless (gst_hip_video_info_align (&info, 512, NULL));
  fail_unless_equals_int (info.stride[0], 1024);
  fail_unless_equals_int (info.stride[1], 512);
  fail_unless_equals_uint64 (info.size, 1024 * 512 * 3 / 2);
}

GST_END_TEST;

GST_START_TEST (test_padding_keeps_edges_apart)
{
  const GstVideoFormat *formats;
  guint round, plane, n = get_n_supported (&formats);

  for (round = 0; round < 4000; round++) {
    GstVideoAlignment padding;
    GstVideoInfo info, left, top;
    guint align = 1u << g_random_int_range (0, 9);

    gst_video_alignment_reset (&padding);
    padding.padding_left = g_random_int_range (0, 20);
    padding.padding_right = g_random_int_range (0, 20);
    padding.padding_top = g_random_int_range (0, 20);
    padding.padding_bottom = g_random_int_range (0, 20);
    gst_video_info_set_format (&info, formats[g_random_int_range (0, n)],
        g_random_int_range (1, 70), g_random_int_range (1, 40));
    left = top = info;
    left.width = padding.padding_left;
    top.height = padding.padding_top;

    fail_unless (hip_layout_set (&info, &padding, align, NULL));
    assert_planes_apart (&info);
    for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (&info); plane++) {
      gsize start, row_bytes, room;
      guint rows;

      if (GST_VIDEO_FORMAT_INFO_HAS_PALETTE (info.finfo) && plane > 0)
        continue;
      start = plane == 0 ? 0 : get_end (&info, plane - 1);
      room = info.offset[plane] - start;
      fail_unless (info.stride[plane] % align == 0);
      /* what is to the left and above lies in this plane's part */
      if (top.height > 0) {
        gst_hip_video_info_get_plane_size (&top, plane, NULL, &rows);
        fail_unless (room >= (gsize) rows * info.stride[plane]);
      }
      if (left.width > 0) {
        gst_hip_video_info_get_plane_size (&left, plane, &row_bytes, NULL);
        fail_unless (room >= row_bytes);
      }
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_interlaced_has_rows_for_both_fields)
{
  GstVideoInfo info, by_default;

  gst_video_info_set_interlaced_format (&info, GST_VIDEO_FORMAT_I420,
      GST_VIDEO_INTERLACE_MODE_INTERLEAVED, 16, 10);
  by_default = info;
  fail_unless (gst_hip_video_info_align (&info, 16, NULL));
  /* five lines a field: three of chroma each */
  fail_unless_equals_uint64 (info.offset[2] - info.offset[1], 6 * 16);
  fail_unless_equals_uint64 (by_default.offset[2] - by_default.offset[1],
      6 * by_default.stride[1]);
  fail_unless_equals_uint64 (info.size, 10 * 16 + 2 * 6 * 16);
}

GST_END_TEST;

/* --- what cannot be --- */

static void
assert_refused (GstVideoInfo * info, gint code)
{
  GstVideoInfo before = *info;
  g_autoptr (GError) error = NULL;

  fail_if (gst_hip_video_info_align (info, 64, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, code), "%s",
      error->message);
  fail_unless (memcmp (&before, info, sizeof (before)) == 0);
}

GST_START_TEST (test_impossible_sizes)
{
  GstVideoInfo info;
  GstVideoAlignment padding;
  guint tiled = 0, f;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 16, 16);
  info.width = 0;
  assert_refused (&info, GST_HIP_ERROR_INVALID);
  fail_if (gst_hip_video_info_get_plane_size (&info, 0, NULL, NULL));
  info.width = 16;
  info.height = 0;
  assert_refused (&info, GST_HIP_ERROR_INVALID);
  info.height = -5;
  assert_refused (&info, GST_HIP_ERROR_INVALID);
  info.width = info.height = G_MAXINT;
  assert_refused (&info, GST_HIP_ERROR_INVALID);

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_ARGB64, 16, 16);
  info.width = G_MAXINT / 8 + 1;
  assert_refused (&info, GST_HIP_ERROR_INVALID);
  info.width = 16;
  gst_video_alignment_reset (&padding);
  padding.padding_top = padding.padding_bottom = G_MAXUINT;
  fail_if (hip_layout_set (&info, &padding, 64, NULL));
  padding.padding_top = padding.padding_bottom = 0;
  padding.padding_left = G_MAXUINT;
  fail_if (hip_layout_set (&info, &padding, 64, NULL));
  padding.padding_left = 0;
  padding.stride_align[0] = G_MAXUINT;
  fail_if (hip_layout_set (&info, &padding, 64, NULL));

  gst_video_info_init (&info);
  assert_refused (&info, GST_HIP_ERROR_UNSUPPORTED);
  for (f = GST_VIDEO_FORMAT_I420; f <= GST_VIDEO_FORMAT_NV12_10BE_8L128; f++) {
    const GstVideoFormatInfo *finfo = gst_video_format_get_info (f);

    if (!GST_VIDEO_FORMAT_INFO_IS_TILED (finfo))
      continue;
    gst_video_info_set_format (&info, f, 64, 64);
    assert_refused (&info, GST_HIP_ERROR_UNSUPPORTED);
    tiled++;
  }
  fail_unless (tiled >= 4);
}

GST_END_TEST;

GST_START_TEST (test_wrong_layouts_are_found)
{
  GstVideoInfo good, info;

  gst_video_info_set_format (&good, GST_VIDEO_FORMAT_NV12, 321, 241);
  fail_unless (hip_layout_check (&good, NULL));
  info = good;
  info.stride[1] = 321;
  fail_if (hip_layout_check (&info, NULL));
  info = good;
  info.stride[0] = -324;
  fail_if (hip_layout_check (&info, NULL));
  info = good;
  info.offset[1] = G_MAXSIZE - 5;
  fail_if (hip_layout_check (&info, NULL));
  info = good;
  info.size = info.offset[1] + 120 * info.stride[1] + 322;
  fail_unless (hip_layout_check (&info, NULL));
  info.size--;
  fail_if (hip_layout_check (&info, NULL));
}

GST_END_TEST;

GST_START_TEST (test_supported_caps)
{
  g_autoptr (GstCaps) caps = gst_hip_get_supported_formats_caps (NULL);
  g_autoptr (GstCaps) hip =
      gst_hip_get_supported_formats_caps (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  const GstVideoFormat *formats;
  guint i, n = get_n_supported (&formats);
  GstVideoInfo info;

  fail_unless_equals_int (gst_value_list_get_size (gst_structure_get_value
          (gst_caps_get_structure (caps, 0), "format")), n);
  for (i = 0; i < n; i++) {
    g_autoptr (GstCaps) one = NULL;

    gst_video_info_set_format (&info, formats[i], 1919, 1079);
    info.fps_n = 30;
    one = gst_video_info_to_caps (&info);
    fail_unless (gst_caps_can_intersect (caps, one));
    fail_if (gst_caps_can_intersect (hip, one));
    gst_caps_set_features_simple (one,
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, NULL));
    fail_unless (gst_caps_can_intersect (hip, one));
  }
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12_4L4, 16, 16);
  {
    g_autoptr (GstCaps) one = gst_video_info_to_caps (&info);
    fail_if (gst_caps_can_intersect (caps, one));
  }
}

GST_END_TEST;

static Suite *
layout_suite (void)
{
  Suite *suite = suite_create ("layout");
  TCase *tcase = tcase_create ("layout");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_inside_default_layout);
  tcase_add_test (tcase, test_copy_keeps_picture);
  tcase_add_test (tcase, test_known_plane_sizes);
  tcase_add_test (tcase, test_align_wastes_nothing);
  tcase_add_test (tcase, test_chroma_has_own_stride);
  tcase_add_test (tcase, test_padding_keeps_edges_apart);
  tcase_add_test (tcase, test_interlaced_has_rows_for_both_fields);
  tcase_add_test (tcase, test_impossible_sizes);
  tcase_add_test (tcase, test_wrong_layouts_are_found);
  tcase_add_test (tcase, test_supported_caps);
  return suite;
}

GST_CHECK_MAIN (layout);
