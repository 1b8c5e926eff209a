/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What sample does a frame have where? Each format is written down as its
 * documentation draws it. */
#include <string.h>

#include <gst/hip/gsthip.h>

#include "convert-reference.h"

typedef enum
{
  PLANES,                       /* one plane for each letter */
  PAIRS,                        /* a plane of Y, one of the two letters in turn */
  PIXELS,                       /* a pixel is a word for each letter; x: nothing */
  TWO_PIXELS,                   /* two pixels are a word for each letter */
  BITS,                         /* a pixel is one word, fields from its lowest bit */
  V210,
} Kind;

typedef struct
{
  const gchar *name;
  Kind kind;
  const gchar *letters;
  guint depth, word_bits, shift;        /* of a sample in its word */
  guint w, h;                   /* pixels to a chroma sample */
  guint bits[4];                /* BITS: of each letter */
} RefFormat;

static const RefFormat formats[] = {
  {"I420", PLANES, "YUV", 8, 8, 0, 2, 2},
  {"YV12", PLANES, "YVU", 8, 8, 0, 2, 2},
  {"A420", PLANES, "YUVA", 8, 8, 0, 2, 2},
  {"Y42B", PLANES, "YUV", 8, 8, 0, 2, 1},
  {"Y41B", PLANES, "YUV", 8, 8, 0, 4, 1},
  {"Y444", PLANES, "YUV", 8, 8, 0, 1, 1},
  {"GRAY8", PLANES, "Y", 8, 8, 0, 1, 1},
  {"GRAY16_LE", PLANES, "Y", 16, 16, 0, 1, 1},
  {"RGBP", PLANES, "RGB", 8, 8, 0, 1, 1},
  {"BGRP", PLANES, "BGR", 8, 8, 0, 1, 1},
  {"GBR", PLANES, "GBR", 8, 8, 0, 1, 1},
  {"GBRA", PLANES, "GBRA", 8, 8, 0, 1, 1},
  {"I420_10LE", PLANES, "YUV", 10, 16, 0, 2, 2},
  {"I420_12LE", PLANES, "YUV", 12, 16, 0, 2, 2},
  {"A420_10LE", PLANES, "YUVA", 10, 16, 0, 2, 2},
  {"I422_10LE", PLANES, "YUV", 10, 16, 0, 2, 1},
  {"I422_12LE", PLANES, "YUV", 12, 16, 0, 2, 1},
  {"Y444_10LE", PLANES, "YUV", 10, 16, 0, 1, 1},
  {"Y444_12LE", PLANES, "YUV", 12, 16, 0, 1, 1},
  {"Y444_16LE", PLANES, "YUV", 16, 16, 0, 1, 1},
  {"GBR_10LE", PLANES, "GBR", 10, 16, 0, 1, 1},
  {"GBR_12LE", PLANES, "GBR", 12, 16, 0, 1, 1},
  {"GBR_16LE", PLANES, "GBR", 16, 16, 0, 1, 1},
  {"GBRA_10LE", PLANES, "GBRA", 10, 16, 0, 1, 1},
  {"GBRA_12LE", PLANES, "GBRA", 12, 16, 0, 1, 1},
  {"NV12", PAIRS, "UV", 8, 8, 0, 2, 2},
  {"NV21", PAIRS, "VU", 8, 8, 0, 2, 2},
  {"NV16", PAIRS, "UV", 8, 8, 0, 2, 1},
  {"NV61", PAIRS, "VU", 8, 8, 0, 2, 1},
  {"NV24", PAIRS, "UV", 8, 8, 0, 1, 1},
  {"P010_10LE", PAIRS, "UV", 10, 16, 6, 2, 2},
  {"P012_LE", PAIRS, "UV", 12, 16, 4, 2, 2},
  {"P016_LE", PAIRS, "UV", 16, 16, 0, 2, 2},
  {"YUY2", TWO_PIXELS, "YUYV", 8, 8, 0, 2, 1},
  {"UYVY", TWO_PIXELS, "UYVY", 8, 8, 0, 2, 1},
  {"YVYU", TWO_PIXELS, "YVYU", 8, 8, 0, 2, 1},
  {"VYUY", TWO_PIXELS, "VYUY", 8, 8, 0, 2, 1},
  {"Y210", TWO_PIXELS, "YUYV", 10, 16, 6, 2, 1},
  {"Y212_LE", TWO_PIXELS, "YUYV", 12, 16, 4, 2, 1},
  {"AYUV", PIXELS, "AYUV", 8, 8, 0, 1, 1},
  {"VUYA", PIXELS, "VUYA", 8, 8, 0, 1, 1},
  {"RGB", PIXELS, "RGB", 8, 8, 0, 1, 1},
  {"BGR", PIXELS, "BGR", 8, 8, 0, 1, 1},
  {"RGBx", PIXELS, "RGBx", 8, 8, 0, 1, 1},
  {"BGRx", PIXELS, "BGRx", 8, 8, 0, 1, 1},
  {"xRGB", PIXELS, "xRGB", 8, 8, 0, 1, 1},
  {"xBGR", PIXELS, "xBGR", 8, 8, 0, 1, 1},
  {"RGBA", PIXELS, "RGBA", 8, 8, 0, 1, 1},
  {"BGRA", PIXELS, "BGRA", 8, 8, 0, 1, 1},
  {"ARGB", PIXELS, "ARGB", 8, 8, 0, 1, 1},
  {"ABGR", PIXELS, "ABGR", 8, 8, 0, 1, 1},
  {"Y412_LE", PIXELS, "UYVA", 12, 16, 4, 1, 1},
  {"RGBA64_LE", PIXELS, "RGBA", 16, 16, 0, 1, 1},
  {"BGRA64_LE", PIXELS, "BGRA", 16, 16, 0, 1, 1},
  {"ARGB64_LE", PIXELS, "ARGB", 16, 16, 0, 1, 1},
  {"ABGR64_LE", PIXELS, "ABGR", 16, 16, 0, 1, 1},
  {"RGB16", BITS, "BGR", 0, 16, 0, 1, 1, {5, 6, 5}},
  {"BGR16", BITS, "RGB", 0, 16, 0, 1, 1, {5, 6, 5}},
  {"Y410", BITS, "UYVA", 0, 32, 0, 1, 1, {10, 10, 10, 2}},
  {"RGB10A2_LE", BITS, "RGBA", 0, 32, 0, 1, 1, {10, 10, 10, 2}},
  {"BGR10A2_LE", BITS, "BGRA", 0, 32, 0, 1, 1, {10, 10, 10, 2}},
  {"v210", V210, "YUV", 10, 32, 0, 2, 1},
};

static const RefFormat *
get_format (const GstVideoInfo * info)
{
  static const GstVideoFormatInfo *last_finfo;
  static const RefFormat *last;

  if (last_finfo == info->finfo)
    return last;
  last_finfo = info->finfo;
  for (last = formats; !g_str_equal (last->name, info->finfo->name); last++)
    g_assert (last < formats + G_N_ELEMENTS (formats) - 1);
  return last;
}

static gchar
get_letter (const GstVideoInfo * info, guint component)
{
  if (component == 3)
    return 'A';
  return GST_VIDEO_INFO_IS_RGB (info) ? "RGB"[component] : "YUV"[component];
}

/* Which letter of the format it is, or -1 */
static gint
find_letter (const RefFormat * f, gchar letter)
{
  const gchar *at = strchr (f->letters, letter);

  return at ? at - f->letters : -1;
}

guint
ref_depth (const GstVideoInfo * info, guint component)
{
  const RefFormat *f = get_format (info);
  gint i = find_letter (f, get_letter (info, component));

  if (f->kind == PAIRS)
    return component < 3 ? f->depth : 0;
  if (i < 0)
    return 0;
  return f->kind == BITS ? f->bits[i] : f->depth;
}

/* The byte where a sample's word begins; the word for 2: of the two samples of one kind the second */
static gsize
get_byte (const GstVideoInfo * info, guint component, guint column)
{
  const RefFormat *f = get_format (info);
  gint i = find_letter (f, get_letter (info, component));
  guint bytes = f->word_bits / 8;

  switch (f->kind) {
    case PAIRS:
      return component == 0 ? column * bytes : (2 * column + i) * bytes;
    case PIXELS:
      return (strlen (f->letters) * column + i) * bytes;
    case TWO_PIXELS:
      return component == 0 ? (2 * column + i) * bytes :
          (4 * column + i) * bytes;
    default:                   /* PLANES, BITS */
      return column * bytes;
  }
}

void
ref_samples (const GstVideoInfo * info, guint component, guint * columns,
    guint * rows)
{
  const RefFormat *f = get_format (info);
  gboolean chroma = !GST_VIDEO_INFO_IS_RGB (info)
      && (component == 1 || component == 2);
  guint w = chroma ? f->w : 1, h = chroma ? f->h : 1;
  gsize row_bytes;

  *columns = (GST_VIDEO_INFO_WIDTH (info) + w - 1) / w;
  *rows = (GST_VIDEO_INFO_HEIGHT (info) + h - 1) / h;
  /* GStreamer's own rows of Y210 end with the last pixel's U */
  gst_hip_video_info_get_plane_size (info, 0, &row_bytes, NULL);
  if (f->kind == TWO_PIXELS
      && get_byte (info, component,
          *columns - 1) + f->word_bits / 8 > row_bytes)
    (*columns)--;
}

static guint
read_v210 (const guint8 * row, guint component, guint column)
{
  static const gchar order[] = "UYVYUYVYUYVY";
  guint n = component == 0 ? 6 : 3, skip = column % n, i;

  for (i = 0; order[i] != "YUV"[component] || skip-- > 0; i++);
  return GST_READ_UINT32_LE (row + 16 * (column / n) + 4 * (i / 3)) >>
      (10 * (i % 3)) & 0x3ff;
}

guint
ref_read (const RefFrame * frame, guint component, guint column, guint row)
{
  const GstVideoInfo *info = &frame->info;
  const RefFormat *f = get_format (info);
  gint i = find_letter (f, get_letter (info, component));
  guint plane = f->kind == PLANES ? i : f->kind == PAIRS ? component > 0 : 0;
  const guint8 *start = frame->data + info->offset[plane] +
      (gsize) info->stride[plane] * row;
  const guint8 *p = start + get_byte (info, component, column);
  guint word, shift = f->shift;

  if (f->kind == V210)
    return read_v210 (start, component, column);
  word = f->word_bits == 8 ? *p : f->word_bits == 16 ?
      GST_READ_UINT16_LE (p) : GST_READ_UINT32_LE (p);
  if (f->kind == BITS) {
    for (gint j = 0; j < i; j++)
      shift += f->bits[j];
  }
  return word >> shift & ((1u << ref_depth (info, component)) - 1);
}
