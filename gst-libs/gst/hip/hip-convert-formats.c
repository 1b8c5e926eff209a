/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does a format keep its samples?
 *
 * GstVideoFormatInfo tells it for plain formats only: bit fields, v210 and
 * words with samples in their upper bits are described there for one reader,
 * GStreamer's own unpack functions. So this table describes all in one way, and
 * a test compares it with those functions. Knows no kernels and no colour.
 *
 * Formats are found by name when the program runs: this GStreamer may lack some.
 */
#include "hip-convert-formats.h"

/* Components: plane, offset, step, shift, depth, w_sub, h_sub */
/* *INDENT-OFF* */
static const HipFormat formats[] = {
  {"I420", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_420, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 1, 1}, {2, 0, 1, 0, 8, 1, 1}}},
  {"YV12", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_420, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {2, 0, 1, 0, 8, 1, 1}, {1, 0, 1, 0, 8, 1, 1}}},
  {"A420", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_420, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 1, 1}, {2, 0, 1, 0, 8, 1, 1}, {3, 0, 1, 0, 8, 0, 0}}},
  {"NV12", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_420, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 2, 0, 8, 1, 1}, {1, 1, 2, 0, 8, 1, 1}}},
  {"NV21", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_420, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 1, 2, 0, 8, 1, 1}, {1, 0, 2, 0, 8, 1, 1}}},
  {"NV16", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_422, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 2, 0, 8, 1, 0}, {1, 1, 2, 0, 8, 1, 0}}},
  {"NV61", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_422, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 1, 2, 0, 8, 1, 0}, {1, 0, 2, 0, 8, 1, 0}}},
  {"NV24", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_444, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 2, 0, 8, 0, 0}, {1, 1, 2, 0, 8, 0, 0}}},
  {"Y42B", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_422, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 1, 0}, {2, 0, 1, 0, 8, 1, 0}}},
  {"Y41B", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_411, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 2, 0}, {2, 0, 1, 0, 8, 2, 0}}},
  {"Y444", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 0, 0}, {2, 0, 1, 0, 8, 0, 0}}},
  {"RGBP", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR, 1,
      {{0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 0, 0}, {2, 0, 1, 0, 8, 0, 0}}},
  {"BGRP", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR, 1,
      {{2, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 0, 0}, {0, 0, 1, 0, 8, 0, 0}}},
  {"GBR", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR, 1,
      {{2, 0, 1, 0, 8, 0, 0}, {0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 0, 0}}},
  {"GBRA", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR, 1,
      {{2, 0, 1, 0, 8, 0, 0}, {0, 0, 1, 0, 8, 0, 0}, {1, 0, 1, 0, 8, 0, 0}, {3, 0, 1, 0, 8, 0, 0}}},
  {"GRAY8", HIP_MODEL_GRAY, HIP_LAYOUT_PLANAR, 1,
      {{0, 0, 1, 0, 8, 0, 0}}},
  {"YUY2", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_422, 1,
      {{0, 0, 2, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 1, 0}, {0, 3, 4, 0, 8, 1, 0}}},
  {"UYVY", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_422, 1,
      {{0, 1, 2, 0, 8, 0, 0}, {0, 0, 4, 0, 8, 1, 0}, {0, 2, 4, 0, 8, 1, 0}}},
  {"YVYU", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_422, 1,
      {{0, 0, 2, 0, 8, 0, 0}, {0, 3, 4, 0, 8, 1, 0}, {0, 1, 4, 0, 8, 1, 0}}},
  {"VYUY", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_422, 1,
      {{0, 1, 2, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 1, 0}, {0, 0, 4, 0, 8, 1, 0}}},
  {"AYUV", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_4, 1,
      {{0, 1, 4, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 0, 0}, {0, 3, 4, 0, 8, 0, 0}, {0, 0, 4, 0, 8, 0, 0}}},
  {"VUYA", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_4, 1,
      {{0, 2, 4, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 0, 0}, {0, 0, 4, 0, 8, 0, 0}, {0, 3, 4, 0, 8, 0, 0}}},
  {"RGBx", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 0, 4, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 0, 0}}},
  {"BGRx", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 2, 4, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 0, 0}, {0, 0, 4, 0, 8, 0, 0}}},
  {"xRGB", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 1, 4, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 0, 0}, {0, 3, 4, 0, 8, 0, 0}}},
  {"xBGR", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 3, 4, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 0, 0}}},
  {"RGBA", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 0, 4, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 0, 0}, {0, 3, 4, 0, 8, 0, 0}}},
  {"BGRA", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 2, 4, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 0, 0}, {0, 0, 4, 0, 8, 0, 0}, {0, 3, 4, 0, 8, 0, 0}}},
  {"ARGB", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 1, 4, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 0, 0}, {0, 3, 4, 0, 8, 0, 0}, {0, 0, 4, 0, 8, 0, 0}}},
  {"ABGR", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4, 1,
      {{0, 3, 4, 0, 8, 0, 0}, {0, 2, 4, 0, 8, 0, 0}, {0, 1, 4, 0, 8, 0, 0}, {0, 0, 4, 0, 8, 0, 0}}},
  {"RGB", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_3, 1,
      {{0, 0, 3, 0, 8, 0, 0}, {0, 1, 3, 0, 8, 0, 0}, {0, 2, 3, 0, 8, 0, 0}}},
  {"BGR", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_3, 1,
      {{0, 2, 3, 0, 8, 0, 0}, {0, 1, 3, 0, 8, 0, 0}, {0, 0, 3, 0, 8, 0, 0}}},
  {"P010_10LE", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_420_16, 2,
      {{0, 0, 2, 6, 10, 0, 0}, {1, 0, 4, 6, 10, 1, 1}, {1, 2, 4, 6, 10, 1, 1}}},
  {"P012_LE", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_420_16, 2,
      {{0, 0, 2, 4, 12, 0, 0}, {1, 0, 4, 4, 12, 1, 1}, {1, 2, 4, 4, 12, 1, 1}}},
  {"P016_LE", HIP_MODEL_YUV, HIP_LAYOUT_BIPLANAR_420_16, 2,
      {{0, 0, 2, 0, 16, 0, 0}, {1, 0, 4, 0, 16, 1, 1}, {1, 2, 4, 0, 16, 1, 1}}},
  {"I420_10LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_420_16, 2,
      {{0, 0, 2, 0, 10, 0, 0}, {1, 0, 2, 0, 10, 1, 1}, {2, 0, 2, 0, 10, 1, 1}}},
  {"I420_12LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_420_16, 2,
      {{0, 0, 2, 0, 12, 0, 0}, {1, 0, 2, 0, 12, 1, 1}, {2, 0, 2, 0, 12, 1, 1}}},
  {"A420_10LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_420_16, 2,
      {{0, 0, 2, 0, 10, 0, 0}, {1, 0, 2, 0, 10, 1, 1}, {2, 0, 2, 0, 10, 1, 1}, {3, 0, 2, 0, 10, 0, 0}}},
  {"I422_10LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_422_16, 2,
      {{0, 0, 2, 0, 10, 0, 0}, {1, 0, 2, 0, 10, 1, 0}, {2, 0, 2, 0, 10, 1, 0}}},
  {"I422_12LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_422_16, 2,
      {{0, 0, 2, 0, 12, 0, 0}, {1, 0, 2, 0, 12, 1, 0}, {2, 0, 2, 0, 12, 1, 0}}},
  {"Y444_10LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_16, 2,
      {{0, 0, 2, 0, 10, 0, 0}, {1, 0, 2, 0, 10, 0, 0}, {2, 0, 2, 0, 10, 0, 0}}},
  {"Y444_12LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_16, 2,
      {{0, 0, 2, 0, 12, 0, 0}, {1, 0, 2, 0, 12, 0, 0}, {2, 0, 2, 0, 12, 0, 0}}},
  {"Y444_16LE", HIP_MODEL_YUV, HIP_LAYOUT_PLANAR_16, 2,
      {{0, 0, 2, 0, 16, 0, 0}, {1, 0, 2, 0, 16, 0, 0}, {2, 0, 2, 0, 16, 0, 0}}},
  {"GBR_10LE", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR_16, 2,
      {{2, 0, 2, 0, 10, 0, 0}, {0, 0, 2, 0, 10, 0, 0}, {1, 0, 2, 0, 10, 0, 0}}},
  {"GBR_12LE", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR_16, 2,
      {{2, 0, 2, 0, 12, 0, 0}, {0, 0, 2, 0, 12, 0, 0}, {1, 0, 2, 0, 12, 0, 0}}},
  {"GBR_16LE", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR_16, 2,
      {{2, 0, 2, 0, 16, 0, 0}, {0, 0, 2, 0, 16, 0, 0}, {1, 0, 2, 0, 16, 0, 0}}},
  {"GBRA_10LE", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR_16, 2,
      {{2, 0, 2, 0, 10, 0, 0}, {0, 0, 2, 0, 10, 0, 0}, {1, 0, 2, 0, 10, 0, 0}, {3, 0, 2, 0, 10, 0, 0}}},
  {"GBRA_12LE", HIP_MODEL_RGB, HIP_LAYOUT_PLANAR_16, 2,
      {{2, 0, 2, 0, 12, 0, 0}, {0, 0, 2, 0, 12, 0, 0}, {1, 0, 2, 0, 12, 0, 0}, {3, 0, 2, 0, 12, 0, 0}}},
  {"GRAY16_LE", HIP_MODEL_GRAY, HIP_LAYOUT_PLANAR_16, 2,
      {{0, 0, 2, 0, 16, 0, 0}}},
  {"Y210", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_422_16, 2,
      {{0, 0, 4, 6, 10, 0, 0}, {0, 2, 8, 6, 10, 1, 0}, {0, 6, 8, 6, 10, 1, 0}}},
  {"Y212_LE", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_422_16, 2,
      {{0, 0, 4, 4, 12, 0, 0}, {0, 2, 8, 4, 12, 1, 0}, {0, 6, 8, 4, 12, 1, 0}}},
  {"Y412_LE", HIP_MODEL_YUV, HIP_LAYOUT_PACKED_4_16, 2,
      {{0, 2, 8, 4, 12, 0, 0}, {0, 0, 8, 4, 12, 0, 0}, {0, 4, 8, 4, 12, 0, 0}, {0, 6, 8, 4, 12, 0, 0}}},
  {"RGBA64_LE", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4_16, 2,
      {{0, 0, 8, 0, 16, 0, 0}, {0, 2, 8, 0, 16, 0, 0}, {0, 4, 8, 0, 16, 0, 0}, {0, 6, 8, 0, 16, 0, 0}}},
  {"BGRA64_LE", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4_16, 2,
      {{0, 4, 8, 0, 16, 0, 0}, {0, 2, 8, 0, 16, 0, 0}, {0, 0, 8, 0, 16, 0, 0}, {0, 6, 8, 0, 16, 0, 0}}},
  {"ARGB64_LE", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4_16, 2,
      {{0, 2, 8, 0, 16, 0, 0}, {0, 4, 8, 0, 16, 0, 0}, {0, 6, 8, 0, 16, 0, 0}, {0, 0, 8, 0, 16, 0, 0}}},
  {"ABGR64_LE", HIP_MODEL_RGB, HIP_LAYOUT_PACKED_4_16, 2,
      {{0, 6, 8, 0, 16, 0, 0}, {0, 4, 8, 0, 16, 0, 0}, {0, 2, 8, 0, 16, 0, 0}, {0, 0, 8, 0, 16, 0, 0}}},
  {"Y410", HIP_MODEL_YUV, HIP_LAYOUT_FIELDS_32, 4,
      {{0, 0, 4, 10, 10, 0, 0}, {0, 0, 4, 0, 10, 0, 0}, {0, 0, 4, 20, 10, 0, 0}, {0, 0, 4, 30, 2, 0, 0}}},
  {"RGB10A2_LE", HIP_MODEL_RGB, HIP_LAYOUT_FIELDS_32, 4,
      {{0, 0, 4, 0, 10, 0, 0}, {0, 0, 4, 10, 10, 0, 0}, {0, 0, 4, 20, 10, 0, 0}, {0, 0, 4, 30, 2, 0, 0}}},
  {"BGR10A2_LE", HIP_MODEL_RGB, HIP_LAYOUT_FIELDS_32, 4,
      {{0, 0, 4, 20, 10, 0, 0}, {0, 0, 4, 10, 10, 0, 0}, {0, 0, 4, 0, 10, 0, 0}, {0, 0, 4, 30, 2, 0, 0}}},
  {"RGB16", HIP_MODEL_RGB, HIP_LAYOUT_FIELDS_16, 2,
      {{0, 0, 2, 11, 5, 0, 0}, {0, 0, 2, 5, 6, 0, 0}, {0, 0, 2, 0, 5, 0, 0}}},
  {"BGR16", HIP_MODEL_RGB, HIP_LAYOUT_FIELDS_16, 2,
      {{0, 0, 2, 0, 5, 0, 0}, {0, 0, 2, 5, 6, 0, 0}, {0, 0, 2, 11, 5, 0, 0}}},
  {"v210", HIP_MODEL_YUV, HIP_LAYOUT_V210, 4,
      {{0, 0, 0, 0, 10, 0, 0}, {0, 0, 0, 0, 10, 1, 0}, {0, 0, 0, 0, 10, 1, 0}}},
};
/* *INDENT-ON* */

#define N_FORMATS G_N_ELEMENTS (formats)

/* What each is called in this process; 0 where it is unknown */
static const GstVideoFormat *
get_video_formats (void)
{
  static GstVideoFormat known[N_FORMATS];
  static gsize done;

  if (g_once_init_enter (&done)) {
    for (guint i = 0; i < N_FORMATS; i++)
      known[i] = gst_video_format_from_string (formats[i].name);
    g_once_init_leave (&done, 1);
  }
  return known;
}

const HipFormat *
hip_format_get (GstVideoFormat format)
{
  const GstVideoFormat *known = get_video_formats ();

  if (format == GST_VIDEO_FORMAT_UNKNOWN)
    return NULL;
  for (guint i = 0; i < N_FORMATS; i++) {
    if (known[i] == format)
      return &formats[i];
  }
  return NULL;
}

const HipFormat *
hip_format_list (guint * n_formats)
{
  *n_formats = N_FORMATS;
  return formats;
}

GstVideoFormat
hip_format_get_video_format (const HipFormat * format)
{
  return get_video_formats ()[format - formats];
}
