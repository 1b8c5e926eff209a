/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are frames scaled as the reference says?
 *
 * Every method with every ratio; every format on both sides; the rest (formats,
 * rectangles, directions, fields, colour, layout, data) is drawn at random, from
 * a seed that is printed and can be set: GST_HIP_TEST_SEED. A full run takes
 * another one each time, and more of each. GST_HIP_TEST_PAIR=IN,OUT takes that
 * pair alone, of all that kernels made for two layouts have to do.
 */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "convert-case.h"

#define MAX_COMPLAINTS 20
#define N_METHODS (GST_HIP_SCALE_METHOD_AUTO + 1)

static GstHipDevice *device;
static guint32 seed;

static const gchar *const names[] = { "I420", "YV12", "NV12", "NV21", "NV16",
  "NV61", "NV24", "Y42B", "Y41B", "Y444", "YUY2", "UYVY", "YVYU", "VYUY",
  "AYUV", "VUYA", "A420", "GRAY8", "GRAY16_LE", "P010_10LE", "P012_LE",
  "P016_LE", "I420_10LE", "I420_12LE", "I422_10LE", "I422_12LE", "Y444_10LE",
  "Y444_12LE", "Y444_16LE", "A420_10LE", "v210", "Y210", "Y410", "Y212_LE",
  "Y412_LE", "RGB", "BGR", "RGBx", "BGRx", "xRGB", "xBGR", "RGBA", "BGRA",
  "ARGB", "ABGR", "RGB16", "BGR16", "RGBP", "BGRP", "GBR", "GBR_10LE",
  "GBR_12LE", "GBR_16LE", "GBRA", "GBRA_10LE", "GBRA_12LE", "RGB10A2_LE",
  "BGR10A2_LE", "RGBA64_LE", "BGRA64_LE", "ARGB64_LE", "ABGR64_LE"
};

/* Of the input, of the output: 1/64 to 64 in each direction, odd sizes, one pixel */
static const gint sizes[][4] = {
  {64, 64, 1, 1}, {192, 128, 3, 2}, {1, 1, 64, 64}, {3, 2, 192, 128},
  {320, 5, 5, 320}, {32, 32, 16, 16}, {33, 17, 16, 9}, {16, 9, 33, 17},
  {31, 31, 30, 32}, {17, 23, 53, 7}, {5, 7, 1, 1}, {2, 2, 3, 3},
  {48, 20, 48, 41}, {40, 24, 20, 24}, {1, 40, 1, 13}, {75, 1, 50, 1}
};

static guint
draw (GRand * rand, guint n)
{
  return g_rand_int_range (rand, 0, n);
}

static GstVideoFormat
draw_format (GRand * rand)
{
  GstVideoFormat format;

  do
    format = gst_video_format_from_string (names[draw (rand,
                G_N_ELEMENTS (names))]);
  while (format == GST_VIDEO_FORMAT_UNKNOWN);
  return format;
}

static void
draw_colour (GstVideoInfo * info, GRand * rand)
{
  static const GstVideoColorMatrix matrices[] = { GST_VIDEO_COLOR_MATRIX_BT601,
    GST_VIDEO_COLOR_MATRIX_BT709, GST_VIDEO_COLOR_MATRIX_UNKNOWN
  };
  static const GstVideoChromaSite sites[] = { GST_VIDEO_CHROMA_SITE_UNKNOWN,
    GST_VIDEO_CHROMA_SITE_JPEG, GST_VIDEO_CHROMA_SITE_MPEG2,
    GST_VIDEO_CHROMA_SITE_COSITED, GST_VIDEO_CHROMA_SITE_V_COSITED
  };

  info->colorimetry.range = draw (rand, 3);
  info->colorimetry.matrix = GST_VIDEO_INFO_IS_RGB (info) ?
      GST_VIDEO_COLOR_MATRIX_RGB : matrices[draw (rand, 3)];
  info->colorimetry.transfer = draw (rand, 2) ? GST_VIDEO_TRANSFER_BT709 :
      GST_VIDEO_TRANSFER_GAMMA22;
  info->colorimetry.primaries = GST_VIDEO_COLOR_PRIMARIES_BT709;
  info->chroma_site = GST_VIDEO_INFO_IS_RGB (info) ?
      GST_VIDEO_CHROMA_SITE_UNKNOWN : sites[draw (rand, 5)];
}

static void
init_case (Case * c, RefScale * scale, GstHipScaleMethod method,
    GstVideoFormat in, GstVideoFormat out, const gint size[4],
    GstVideoOrientationMethod direction, GRand * rand)
{
  memset (c, 0, sizeof (*c));
  c->seed = g_rand_int (rand);
  gst_video_info_set_format (&c->in, in, size[0], size[1]);
  gst_video_info_set_format (&c->out, out, size[2], size[3]);
  draw_colour (&c->in, rand);
  draw_colour (&c->out, rand);
  c->data = draw (rand, N_DATA);
  c->modes.alpha_value = 1;
  ref_scale_init (scale, method, size[0], size[1], size[2], size[3], direction);
  c->modes.scale = scale;
}

/* Of the source in quarters of pixels */
static void
draw_rectangles (Case * c, RefScale * scale, GRand * rand)
{
  const gint in[2] = { c->in.width, c->in.height };
  const gint out[2] = { c->out.width, c->out.height };

  for (guint d = 0; d < 2; d++) {
    guint begin = draw (rand, 2 * in[d]);
    guint n = 1 + draw (rand, 4 * in[d] - begin);

    scale->src[d] = begin / 4.0;
    scale->src_size[d] = n / 4.0;
    scale->dst[d] = draw (rand, (out[d] + 1) / 2);
    scale->dst_size[d] = 1 + draw (rand, out[d] - scale->dst[d]);
  }
  scale->fill = draw (rand, 2);
  if (draw (rand, 2))
    scale->border_argb = g_rand_int (rand);
}

static void
draw_modes (Case * c, GRand * rand)
{
  c->modes.chroma_mode = draw (rand, 4);
  c->modes.gamma_mode = draw (rand, 2);
  c->modes.alpha_mode = draw (rand, 3);
  c->modes.alpha_value = draw (rand, 5) / 4.0;
  c->dither = draw (rand, 3) == 0 ? GST_VIDEO_DITHER_BAYER : 0;
}

/* Else the method does not matter */
static gboolean
is_scaled (const Case * c)
{
  const RefScale *s = c->modes.scale;

  return c->in.width != c->out.width || c->in.height != c->out.height
      || s->transpose || s->mirrored[0] || s->mirrored[1]
      || s->src_size[0] != c->in.width || s->src_size[1] != c->in.height
      || s->dst_size[0] != c->out.width || s->dst_size[1] != c->out.height;
}

static void
run (const Case * c, guint * failures)
{
  gchar *complaint, *text;

  if (!is_scaled (c) && c->modes.scale->method != GST_HIP_SCALE_METHOD_AUTO)
    return;
  if (case_run (device, c, &complaint))
    return;
  text = case_describe (c);
  g_print ("FAILED %s: %s\n", text, complaint);
  g_free (text);
  g_free (complaint);
  fail_if (++*failures >= MAX_COMPLAINTS, "too many failures");
}

static guint
get_rounds (void)
{
  return g_getenv ("GST_HIP_TEST_FULL") ? 8 : 1;
}

/* --- tests --- */

GST_START_TEST (test_methods)
{
  GRand *rand = g_rand_new_with_seed (seed + __i__);
  guint failures = 0;

  for (guint round = 0; round < get_rounds (); round++) {
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      RefScale scale;
      Case c;

      init_case (&c, &scale, __i__, draw_format (rand), draw_format (rand),
          sizes[i], GST_VIDEO_ORIENTATION_IDENTITY, rand);
      run (&c, &failures);
    }
  }
  g_rand_free (rand);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

/* Each format is read and written, in any direction, from and to rectangles */
GST_START_TEST (test_formats)
{
  GstVideoFormat format = gst_video_format_from_string (names[__i__]);
  GRand *rand = g_rand_new_with_seed (seed + 1000 + __i__);
  guint failures = 0;

  for (guint i = 0; format && i < 12 * get_rounds (); i++) {
    GstVideoFormat other = draw_format (rand);
    gint size[4] = { 1 + draw (rand, 40), 1 + draw (rand, 40),
      1 + draw (rand, 40), 1 + draw (rand, 40)
    };
    RefScale scale;
    Case c;

    init_case (&c, &scale, draw (rand, N_METHODS), i % 2 ? format : other,
        i % 2 ? other : format, size, i % 4 < 2 ? draw (rand, 8) : 0, rand);
    if (i % 3)
      draw_rectangles (&c, &scale, rand);
    if (i % 4 == 1)
      draw_modes (&c, rand);
    run (&c, &failures);
  }
  g_rand_free (rand);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

/* Rows of both fields, of odd heights, too */
GST_START_TEST (test_fields)
{
  GRand *rand = g_rand_new_with_seed (seed + 2000);
  guint failures = 0;

  for (guint i = 0; i < 60 * get_rounds (); i++) {
    gint size[4] = { 1 + draw (rand, 20), 3 + draw (rand, 40),
      1 + draw (rand, 20), 3 + draw (rand, 40)
    };
    RefScale scale;
    Case c;

    /* Of 4 n + 2 rows the second field has one chroma row too few */
    for (guint k = 1; k < 4; k += 2)
      size[k] += size[k] % 4 == 2;
    init_case (&c, &scale, draw (rand, N_METHODS), draw_format (rand),
        draw_format (rand), size, i % 5 ? GST_VIDEO_ORIENTATION_IDENTITY :
        GST_VIDEO_ORIENTATION_180, rand);
    c.in.interlace_mode = c.out.interlace_mode =
        GST_VIDEO_INTERLACE_MODE_INTERLEAVED;
    if (i % 3 == 0)
      draw_rectangles (&c, &scale, rand);
    run (&c, &failures);
  }
  g_rand_free (rand);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

/* A pair of formats, of sizes that kernels made for two layouts take in several
 * pieces: more pixels than a tile has, more samples than a line of the input,
 * rows that are not whole tiles, one sample. */
static void
run_pair (GstVideoFormat in, GstVideoFormat out, GRand * rand, guint * failures)
{
  static const gint large[][4] = {
    {1100, 9, 531, 4}, {64, 5, 600, 12}, {4400, 3, 67, 2}, {1, 7, 515, 3},
    {7, 1, 3, 5}, {33, 18, 22, 27}, {90, 31, 45, 15}, {40, 40, 7, 9}
  };
  static const GstVideoOrientationMethod directions[] = {
    GST_VIDEO_ORIENTATION_IDENTITY, GST_VIDEO_ORIENTATION_HORIZ,
    GST_VIDEO_ORIENTATION_180
  };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (large) * get_rounds (); i++) {
    RefScale scale;
    Case c;

    init_case (&c, &scale, i / G_N_ELEMENTS (large) % 4 < 2 ?
        GST_HIP_SCALE_METHOD_BILINEAR : draw (rand, N_METHODS), in, out,
        large[i % G_N_ELEMENTS (large)], directions[draw (rand, 3)], rand);
    if (i % 3 == 1)
      draw_rectangles (&c, &scale, rand);
    if (i % 4 == 3)
      draw_modes (&c, rand);
    if (i % 5 == 4 && c.in.height > 4 && c.out.height > 4
        && c.in.height % 4 != 2 && c.out.height % 4 != 2)
      c.in.interlace_mode = c.out.interlace_mode =
          GST_VIDEO_INTERLACE_MODE_INTERLEAVED;
    run (&c, failures);
  }
}

/* What decoders, cameras, displays and models have */
static const gchar *const common[][6] = {
  {"NV12", "I420", "P010_10LE", "RGBA", "BGRx", "GRAY8"},
  {"NV12", "I420", "RGBA", "BGRx", "RGB", "RGBP"}
};

GST_START_TEST (test_pairs)
{
  GRand *rand = g_rand_new_with_seed (seed + 4000 + __i__);
  guint failures = 0;

  for (guint o = 0; o < G_N_ELEMENTS (common[1]); o++) {
    GstVideoFormat in = gst_video_format_from_string (common[0][__i__]);
    GstVideoFormat out = gst_video_format_from_string (common[1][o]);

    if (in && out)
      run_pair (in, out, rand, &failures);
  }
  g_rand_free (rand);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

GST_START_TEST (test_wanted_pair)
{
  gchar **pair = g_strsplit (g_getenv ("GST_HIP_TEST_PAIR"), ",", 2);
  GRand *rand = g_rand_new_with_seed (seed + 5000);
  guint failures = 0;

  run_pair (gst_video_format_from_string (pair[0]),
      gst_video_format_from_string (pair[1]), rand, &failures);
  g_rand_free (rand);
  g_strfreev (pair);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

/* Each direction moves pixels of equal size, and nothing else */
GST_START_TEST (test_directions)
{
  GRand *rand = g_rand_new_with_seed (seed + 3000 + __i__);
  gboolean turned = __i__ == GST_VIDEO_ORIENTATION_90R
      || __i__ == GST_VIDEO_ORIENTATION_90L
      || __i__ == GST_VIDEO_ORIENTATION_UL_LR
      || __i__ == GST_VIDEO_ORIENTATION_UR_LL;
  guint failures = 0;

  for (guint method = 0; method < N_METHODS; method++) {
    gint size[4] = { 20, 13, turned ? 13 : 20, turned ? 20 : 13 };
    RefScale scale;
    Case c;

    init_case (&c, &scale, method, draw_format (rand), draw_format (rand),
        size, __i__, rand);
    run (&c, &failures);
  }
  g_rand_free (rand);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

static void
setup (void)
{
  GError *error = NULL;

  device = gst_hip_device_new_full (GST_HIP_VENDOR_HOST, 0, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "");
}

static void
teardown (void)
{
  gst_clear_object (&device);
}

static Suite *
scale_suite (void)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_SEED");
  Suite *s = suite_create ("scale");
  TCase *tc = tcase_create ("general");

  seed = wish ? strtoul (wish, NULL, 0) :
      g_getenv ("GST_HIP_TEST_FULL") ? g_random_int () : 1;
  g_print ("seed: GST_HIP_TEST_SEED=%u\n", seed);
  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 600);
  tcase_add_checked_fixture (tc, setup, teardown);
  if (g_getenv ("GST_HIP_TEST_PAIR")) {
    tcase_add_test (tc, test_wanted_pair);
    return s;
  }
  tcase_add_loop_test (tc, test_pairs, 0, G_N_ELEMENTS (common[0]));
  tcase_add_loop_test (tc, test_methods, 0, N_METHODS);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (names));
  tcase_add_test (tc, test_fields);
  tcase_add_loop_test (tc, test_directions, 0, 8);
  return s;
}

GST_CHECK_MAIN (scale);
