/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does every pair of formats convert as the reference says?
 *
 * Every pair once; everything else (size, layout, colorimetry, chroma site,
 * modes, data) is drawn at random for each, from a seed that is printed and can
 * be set: GST_HIP_TEST_SEED. A full run takes another one each time. Where time is
 * short, GST_HIP_TEST_PART=N takes one pair of N.
 * GST_HIP_TEST_PAIR=NV12,RGBA does one pair many times.
 */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "convert-case.h"

#define MAX_COMPLAINTS 20

static GstHipDevice *device;
static guint32 seed;

static const gint sizes[][2] = {
  {1, 1}, {2, 2}, {3, 3}, {5, 7}, {17, 9}, {34, 21}, {67, 6}, {130, 5},
  {321, 4}, {8, 64}, {48, 13}
};

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

/* --- drawing a case --- */

static guint
draw (GRand * rand, guint n)
{
  return g_rand_int_range (rand, 0, n);
}

static void
draw_colour (GstVideoInfo * info, GRand * rand)
{
  static const GstVideoColorMatrix matrices[] = { GST_VIDEO_COLOR_MATRIX_BT601,
    GST_VIDEO_COLOR_MATRIX_BT709, GST_VIDEO_COLOR_MATRIX_BT2020,
    GST_VIDEO_COLOR_MATRIX_SMPTE240M, GST_VIDEO_COLOR_MATRIX_FCC,
    GST_VIDEO_COLOR_MATRIX_UNKNOWN
  };
  static const GstVideoChromaSite sites[] = { GST_VIDEO_CHROMA_SITE_UNKNOWN,
    GST_VIDEO_CHROMA_SITE_JPEG, GST_VIDEO_CHROMA_SITE_MPEG2,
    GST_VIDEO_CHROMA_SITE_COSITED, GST_VIDEO_CHROMA_SITE_V_COSITED
  };
  static const GstVideoTransferFunction transfers[] = {
    GST_VIDEO_TRANSFER_BT709, GST_VIDEO_TRANSFER_SRGB,
    GST_VIDEO_TRANSFER_GAMMA22, GST_VIDEO_TRANSFER_SMPTE240M,
    GST_VIDEO_TRANSFER_GAMMA10, GST_VIDEO_TRANSFER_ARIB_STD_B67,
    GST_VIDEO_TRANSFER_UNKNOWN
  };
  static const GstVideoColorPrimaries primaries[] = {
    GST_VIDEO_COLOR_PRIMARIES_BT709, GST_VIDEO_COLOR_PRIMARIES_BT2020,
    GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
  };

  info->colorimetry.range = draw (rand, 3);
  info->colorimetry.matrix = GST_VIDEO_INFO_IS_RGB (info) ?
      GST_VIDEO_COLOR_MATRIX_RGB : matrices[draw (rand, 6)];
  info->colorimetry.transfer = transfers[draw (rand, 7)];
  info->colorimetry.primaries = primaries[draw (rand, 3)];
  info->chroma_site = GST_VIDEO_INFO_IS_RGB (info) ?
      GST_VIDEO_CHROMA_SITE_UNKNOWN : sites[draw (rand, 5)];
  if (GST_VIDEO_FORMAT_INFO_HAS_ALPHA (info->finfo) && draw (rand, 6) == 0)
    GST_VIDEO_INFO_FLAG_SET (info, GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA);
}

static void
draw_case (GstVideoFormat in, GstVideoFormat out, guint32 case_seed, Case * c)
{
  GRand *rand = g_rand_new_with_seed (case_seed);
  const gint *size = sizes[draw (rand, G_N_ELEMENTS (sizes))];

  memset (c, 0, sizeof (*c));
  c->seed = case_seed;
  gst_video_info_set_format (&c->in, in, size[0], size[1]);
  gst_video_info_set_format (&c->out, out, size[0], size[1]);
  draw_colour (&c->in, rand);
  draw_colour (&c->out, rand);
  if (draw (rand, 3) == 0) {
    c->out.colorimetry = c->in.colorimetry;
    if (GST_VIDEO_INFO_IS_RGB (&c->in) != GST_VIDEO_INFO_IS_RGB (&c->out))
      c->out.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT709;
  }
  /* Of 6 rows the second field has one chroma row too few */
  if (size[1] > 2 && size[1] % 4 != 2 && draw (rand, 4) == 0)
    c->in.interlace_mode = c->out.interlace_mode =
        GST_VIDEO_INTERLACE_MODE_INTERLEAVED;
  c->data = draw (rand, N_DATA);
  c->modes.alpha_value = 1;
  if (draw (rand, 3) == 0) {
    c->modes.matrix_mode = draw (rand, 4);
    c->modes.chroma_mode = draw (rand, 4);
    c->modes.primaries_mode = draw (rand, 3);
    c->modes.gamma_mode = draw (rand, 2);
    c->modes.alpha_mode = draw (rand, 3);
    c->modes.alpha_value = draw (rand, 5) / 4.0;
    c->dither = draw (rand, 3) == 0 ? GST_VIDEO_DITHER_BAYER : 0;
    c->quantization = draw (rand, 3) == 0 ? 2 + draw (rand, 15) : 0;
  }
  g_rand_free (rand);
}

/* --- running --- */

static gboolean
has_alpha (GstVideoFormat format)
{
  return format != GST_VIDEO_FORMAT_UNKNOWN
      && GST_VIDEO_FORMAT_INFO_HAS_ALPHA (gst_video_format_get_info (format));
}

static gboolean
run (const Case * c)
{
  gchar *complaint, *text;

  if (case_run (device, c, &complaint))
    return TRUE;
  text = case_describe (c);
  g_print ("FAILED %s: %s\n", text, complaint);
  g_free (text);
  g_free (complaint);
  return FALSE;
}

static void
run_pair (GstVideoFormat in, GstVideoFormat out, guint n, guint * failures)
{
  for (guint i = 0; i < n; i++) {
    Case c;

    draw_case (in, out, seed + 7919 * i + 104729 * in + 1299709 * out, &c);
    *failures += !run (&c);
    fail_if (*failures >= MAX_COMPLAINTS, "too many failures");
  }
}

/* Pairs that this run leaves out: GST_HIP_TEST_PART=N takes one of N, each
 * format on both sides. */
static gboolean
is_left_out (guint in, guint out)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_PART");
  guint n = wish ? strtoul (wish, NULL, 0) : 1;

  return n > 1 && (in + out) % n != 0;
}

GST_START_TEST (test_pairs)
{
  GstVideoFormat in = gst_video_format_from_string (names[__i__]);
  guint n = g_getenv ("GST_HIP_TEST_FULL") ? 8 : 1, failures = 0;

  if (in == GST_VIDEO_FORMAT_UNKNOWN)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstVideoFormat out = gst_video_format_from_string (names[i]);

    if (is_left_out (__i__, i))
      continue;
    if (out != GST_VIDEO_FORMAT_UNKNOWN)
      run_pair (in, out, n, &failures);
  }
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

/* Alpha that is kept, set and multiplied, where all else is equal or moved and
 * where colour changes */
GST_START_TEST (test_alpha_pairs)
{
  GstVideoFormat in = gst_video_format_from_string (names[__i__]);
  guint failures = 0;

  if (!has_alpha (in))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstVideoFormat out = gst_video_format_from_string (names[i]);

    if (is_left_out (__i__, i))
      continue;
    for (guint n = 0; has_alpha (out) && n < 18; n++) {
      Case c;

      draw_case (in, out, seed + n, &c);
      c.modes.alpha_mode = n % 9 / 3;
      c.modes.alpha_value = n % 3 / 2.0;
      if (n >= 9) {             /* much of it with more colour than alpha */
        c.data = DATA_LOW;
        GST_VIDEO_INFO_FLAG_SET (&c.in, GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA);
      }
      failures += !run (&c);
      fail_if (failures >= MAX_COMPLAINTS, "too many failures");
    }
  }
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

GST_START_TEST (test_one_pair)
{
  gchar **pair = g_strsplit (g_getenv ("GST_HIP_TEST_PAIR"), ",", 2);
  guint failures = 0;

  run_pair (gst_video_format_from_string (pair[0]),
      gst_video_format_from_string (pair[1]), 200, &failures);
  fail_unless_equals_int (failures, 0);
  g_strfreev (pair);
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
convert_suite (void)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_SEED");
  Suite *s = suite_create ("convert");
  TCase *tc = tcase_create ("pairs");

  seed = wish ? strtoul (wish, NULL, 0) :
      g_getenv ("GST_HIP_TEST_FULL") ? g_random_int () : 1;
  g_print ("seed: GST_HIP_TEST_SEED=%u\n", seed);
  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 600);
  tcase_add_checked_fixture (tc, setup, teardown);
  if (g_getenv ("GST_HIP_TEST_PAIR"))
    tcase_add_test (tc, test_one_pair);
  else {
    tcase_add_loop_test (tc, test_pairs, 0, G_N_ELEMENTS (names));
    tcase_add_loop_test (tc, test_alpha_pairs, 0, G_N_ELEMENTS (names));
  }
  return s;
}

GST_CHECK_MAIN (convert);
