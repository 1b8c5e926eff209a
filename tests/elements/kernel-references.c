/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The example kernels in plain C, by components and for the whole picture, so
 * that they have nothing in common with a kernel's view of one thread. Results
 * are the same to the last bit. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "kernel-common.h"

/* Depth and range of a YUV or grey picture; RGB counts as full range. */
typedef struct
{
  gint most, black, span, neutral, chroma_span;
  gint64 kr, kb;                /* in 1/65536 */
} Levels;

static Levels
levels_of (const GstVideoFrame * frame)
{
  const GstVideoColorimetry *c = &frame->info.colorimetry;
  gint unit = 1 << (GST_VIDEO_FRAME_COMP_DEPTH (frame, 0) - 8);
  gboolean full = c->range == GST_VIDEO_COLOR_RANGE_0_255
      || GST_VIDEO_INFO_IS_RGB (&frame->info);
  Levels l;

  l.most = 256 * unit - 1;
  l.black = full ? 0 : 16 * unit;
  l.span = full ? l.most : 219 * unit;
  l.neutral = 128 * unit;
  l.chroma_span = full ? l.most : 224 * unit;
  l.kr = 19595;
  l.kb = 7471;
  if (c->matrix == GST_VIDEO_COLOR_MATRIX_BT709) {
    l.kr = 13933;
    l.kb = 4732;
  } else if (c->matrix == GST_VIDEO_COLOR_MATRIX_BT2020) {
    l.kr = 17216;
    l.kb = 3886;
  }
  return l;
}

static void
put (GstVideoFrame * frame, guint component, gint x, gint y, gint value)
{
  guint8 *at = kernel_test_at (frame, component, x, y);

  if (GST_VIDEO_FRAME_COMP_DEPTH (frame, component) == 8)
    *at = (guint8) value;
  else
    GST_WRITE_UINT16_LE (at, value << 6);
}

static gboolean
is_yuv (const GstVideoFrame * frame)
{
  return GST_VIDEO_INFO_IS_YUV (&frame->info);
}

static gint
grey_at (const GstVideoFrame * in, gint x, gint y)
{
  x = CLAMP (x, 0, GST_VIDEO_FRAME_WIDTH (in) - 1);
  y = CLAMP (y, 0, GST_VIDEO_FRAME_HEIGHT (in) - 1);
  if (!GST_VIDEO_INFO_IS_RGB (&in->info))
    return (gint) kernel_test_get (in, 0, x, y);
  return (gint) (54 * kernel_test_get (in, 0, x, y)
      + 183 * kernel_test_get (in, 1, x, y)
      + 19 * kernel_test_get (in, 2, x, y) + 128) / 256;
}

void
kernel_reference_edges (const GstVideoFrame * in, const GstVideoFrame * prev,
    GstVideoFrame * out)
{
  static const gint weight[3] = { 1, 2, 1 };
  Levels l = levels_of (out);

  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (out); y++)
    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (out); x++) {
      gint dx = 0, dy = 0, value;

      for (gint i = -1; i <= 1; i++) {
        dx += weight[i + 1] * (grey_at (in, x + 1, y + i)
            - grey_at (in, x - 1, y + i));
        dy += weight[i + 1] * (grey_at (in, x + i, y + 1)
            - grey_at (in, x + i, y - 1));
      }
      value = l.black + MIN ((ABS (dx) + ABS (dy)) / 4, l.span);
      put (out, 0, x, y, value);
      if (GST_VIDEO_INFO_IS_RGB (&out->info)) {
        put (out, 1, x, y, value);
        put (out, 2, x, y, value);
        put (out, 3, x, y, (gint) kernel_test_get (in, 3, x, y));
      } else if (is_yuv (out)) {
        put (out, 1, x, y, l.neutral);
        put (out, 2, x, y, l.neutral);
      }
    }
}

void
kernel_reference_difference (const GstVideoFrame * in,
    const GstVideoFrame * prev, GstVideoFrame * out)
{
  gint gain = 4;
  Levels l = levels_of (out);

  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (out); y++)
    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (out); x++)
      for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (out); c++) {
        gint now = (gint) kernel_test_get (in, c, x, y);
        gint before = (gint) kernel_test_get (prev, c, x, y);
        gint most = 112 * (l.most + 1) / 256;

        if (c == 3)
          put (out, c, x, y, now);
        else if (is_yuv (out) && c > 0)
          put (out, c, x, y, l.neutral + CLAMP (gain * (now - before), -most,
                  most));
        else
          put (out, c, x, y, l.black + MIN (gain * ABS (now - before), l.span));
      }
}

/* Y, Cb, Cr from red, green and blue of any scale */
static void
rgb_to_yuv (const Levels * l, const gint * rgb, gint64 * yuv)
{
  gint64 luma = l->kr * rgb[0] + (65536 - l->kr - l->kb) * rgb[1]
      + l->kb * rgb[2];

  yuv[0] = luma / 65536;
  yuv[1] = (65536 * (gint64) rgb[2] - luma) / (2 * (65536 - l->kb));
  yuv[2] = (65536 * (gint64) rgb[0] - luma) / (2 * (65536 - l->kr));
}

/* value of scale, moved to zero .. zero + span, to the nearest */
static gint
to_level (const Levels * l, gint64 value, gint scale, gint zero, gint span)
{
  gint64 level = (value * span + (gint64) zero * scale + scale / 2) / scale;

  return (gint) CLAMP (level, 0, l->most);
}

/* Pixel by pixel for luma, by the mean of each 2x2 block for chroma */
static void
put_yuv (GstVideoFrame * out, const gint * pixels, gint scale)
{
  gint width = GST_VIDEO_FRAME_WIDTH (out);
  gint height = GST_VIDEO_FRAME_HEIGHT (out);
  Levels l = levels_of (out);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint64 yuv[3], sum[2] = { 0, 0 };
      gint n = 0;

      rgb_to_yuv (&l, pixels + 3 * (y * width + x), yuv);
      put (out, 0, x, y, to_level (&l, yuv[0], scale, l.black, l.span));
      if (x % 2 || y % 2)
        continue;
      for (gint i = 0; i < 4; i++)
        if (x + i % 2 < width && y + i / 2 < height) {
          rgb_to_yuv (&l, pixels + 3 * ((y + i / 2) * width + x + i % 2), yuv);
          sum[0] += yuv[1];
          sum[1] += yuv[2];
          n++;
        }
      for (guint c = 0; c < 2; c++)
        put (out, 1 + c, x, y, to_level (&l, sum[c] / n, scale, l.neutral,
                l.chroma_span));
    }
}

void
kernel_reference_false_colour (const GstVideoFrame * in,
    const GstVideoFrame * prev, GstVideoFrame * out)
{
  static const gint palette[9][3] = {
    {0, 0, 0}, {32, 0, 96}, {96, 0, 160}, {176, 16, 144}, {224, 48, 64},
    {248, 112, 16}, {255, 176, 16}, {255, 232, 96}, {255, 255, 255}
  };
  gint width = GST_VIDEO_FRAME_WIDTH (in), height = GST_VIDEO_FRAME_HEIGHT (in);
  g_autofree gint *pixels = g_new (gint, 3 * width * height);
  Levels l = levels_of (in);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint bright, step, part;

      if (GST_VIDEO_INFO_IS_RGB (&in->info))
        bright = (gint) (13933 * kernel_test_get (in, 0, x, y)
            + 46871 * kernel_test_get (in, 1, x, y)
            + 4732 * kernel_test_get (in, 2, x, y)) / 4080;
      else
        bright = CLAMP ((gint) kernel_test_get (in, 0, x, y) - l.black, 0,
            l.span) * 4096 / l.span;
      bright = MIN (bright / 2, 2048);
      step = MIN (bright / 256, 7);
      part = bright - 256 * step;
      for (guint c = 0; c < 3; c++)
        pixels[3 * (y * width + x) + (gint) c] =
            palette[step][c] * (256 - part) + palette[step + 1][c] * part;
    }
  if (!GST_VIDEO_INFO_IS_RGB (&out->info)) {
    put_yuv (out, pixels, 255 * 256);
    return;
  }
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      for (guint c = 0; c < 3; c++)
        put (out, c, x, y, (pixels[3 * (y * width + x) + (gint) c] + 128)
            / 256);
      put (out, 3, x, y, GST_VIDEO_INFO_IS_RGB (&in->info) ?
          (gint) kernel_test_get (in, 3, x, y) : 255);
    }
}

/* The table stands in the kernel's source and nowhere else. */
static const guint *
read_table (void)
{
  static guint table[125];
  g_autofree gchar *name = kernel_test_file ("examples/kernels/lut.hip");
  g_autofree gchar *text = NULL;
  const gchar *at;

  if (table[124])
    return table;
  fail_unless (g_file_get_contents (name, &text, NULL, NULL));
  at = strstr (text, "table[125]");
  for (guint i = 0; i < 125; i++) {
    at = strstr (at, "0x");
    fail_unless (at != NULL);
    table[i] = (guint) strtoul (at, NULL, 16);
    at += 2;
  }
  return table;
}

static gint
lerp (gint a, gint b, gint part)
{
  /* As a shift: rounded down below zero, too. */
  gint product = (b - a) * part + 2048;

  return a + (product >= 0 ? product / 4096 : -((-product + 4095) / 4096));
}

static gint
entry_at (const guint * table, const gint * at, guint corner, guint c)
{
  gint r = at[0] + (corner & 1 ? 1 : 0), g = at[1] + (corner & 2 ? 1 : 0);
  gint b = at[2] + (corner & 4 ? 1 : 0);

  return 257 * (gint) (table[25 * b + 5 * g + r] >> (16 - 8 * c) & 255);
}

/* Red, green, blue in 16 bits */
static void
look_up (gint * rgb)
{
  const guint *table = read_table ();
  gint at[3], part[3], result[3];

  for (guint c = 0; c < 3; c++) {
    at[c] = MIN (4 * rgb[c] / 65535, 3);
    part[c] = (4 * rgb[c] - 65535 * at[c]) / 16;
  }
  for (guint c = 0; c < 3; c++) {
    gint edge[4], face[2];

    for (guint i = 0; i < 4; i++)
      edge[i] = lerp (entry_at (table, at, 2 * i, c),
          entry_at (table, at, 2 * i + 1, c), part[0]);
    for (guint i = 0; i < 2; i++)
      face[i] = lerp (edge[2 * i], edge[2 * i + 1], part[1]);
    result[c] = CLAMP (lerp (face[0], face[1], part[2]), 0, 65535);
  }
  memcpy (rgb, result, sizeof result);
}

static gint64
shifted (gint64 value)
{
  return value >= 0 ? value / 65536 : -((-value + 65535) / 65536);
}

void
kernel_reference_lut (const GstVideoFrame * in, const GstVideoFrame * prev,
    GstVideoFrame * out)
{
  gint width = GST_VIDEO_FRAME_WIDTH (in), height = GST_VIDEO_FRAME_HEIGHT (in);
  g_autofree gint *pixels = g_new (gint, 3 * width * height);
  Levels l = levels_of (in);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint *rgb = pixels + 3 * (y * width + x);
      gint64 a = kernel_test_get (in, 0, x, y);
      gint64 b = kernel_test_get (in, 1, x, y);
      gint64 c = kernel_test_get (in, 2, x, y);

      if (GST_VIDEO_INFO_IS_RGB (&in->info)) {
        rgb[0] = 257 * (gint) a;
        rgb[1] = 257 * (gint) b;
        rgb[2] = 257 * (gint) c;
      } else {
        gint64 luma = (a - l.black) * 65535 / l.span;
        gint64 cb = (b - l.neutral) * 65535 / l.chroma_span;
        gint64 cr = (c - l.neutral) * 65535 / l.chroma_span;
        gint64 red = luma + shifted (2 * (65536 - l.kr) * cr);
        gint64 blue = luma + shifted (2 * (65536 - l.kb) * cb);
        gint64 green = (65536 * luma - l.kr * red - l.kb * blue)
            / (65536 - l.kr - l.kb);

        rgb[0] = (gint) CLAMP (red, 0, 65535);
        rgb[1] = (gint) CLAMP (green, 0, 65535);
        rgb[2] = (gint) CLAMP (blue, 0, 65535);
      }
      look_up (rgb);
    }
  if (!GST_VIDEO_INFO_IS_RGB (&out->info)) {
    put_yuv (out, pixels, 65535);
    return;
  }
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      for (guint c = 0; c < 3; c++)
        put (out, c, x, y, (pixels[3 * (y * width + x) + (gint) c] + 128)
            / 257);
      put (out, 3, x, y, (gint) kernel_test_get (in, 3, x, y));
    }
}
