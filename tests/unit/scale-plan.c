/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are filters, positions and rectangles of scaling right, before any device is
 * asked? Small ones are written down, all others have to be what each of them has
 * to be.
 */
#include <math.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "gsthipconverter.h"
#include "gsthip-enumtypes.h"
#include "gsthiperror.h"
#include "hip-convert-kernels.h"

#define N_METHODS (GST_HIP_SCALE_METHOD_AUTO + 1)

/* --- taps --- */

static void
make_taps (GstHipScaleMethod method, gint in, gint out, gboolean mirrored,
    HipScaleTaps * taps)
{
  HipScaleGrid from = { 1, 0, in }, to = { 1, 0, out };
  HipScaleMap map = { 0, (gint64) in * HIP_SCALE_UNIT, 0, out, mirrored, 1, 0 };
  HipScaleFilter filter = { method, };

  hip_scale_taps_make (&from, &to, &map, &filter, taps);
}

/* Weight of sample i in sample j */
static double
get_weight (const HipScaleTaps * taps, gint count, gint j, gint i)
{
  gint k = i - taps->first[j];

  return k >= 0 && k < taps->taps ? taps->weight[k * count + j] : 0;
}

static void
assert_weights (GstHipScaleMethod method, gint in, gint out, gint j,
    const double *wanted)
{
  HipScaleTaps taps;

  make_taps (method, in, out, FALSE, &taps);
  for (gint i = 0; i < in; i++)
    fail_unless (fabs (get_weight (&taps, out, j, i) - wanted[i]) < 1e-6,
        "method %d, %d to %d, sample %d: weight of %d is %g", method, in, out,
        j, i, get_weight (&taps, out, j, i));
  hip_scale_taps_clear (&taps);
}

GST_START_TEST (test_known_weights)
{
  assert_weights (GST_HIP_SCALE_METHOD_AREA, 4, 2, 1, (double[]) { 0, 0, .5,
        .5
      });
  assert_weights (GST_HIP_SCALE_METHOD_AREA, 3, 2, 0, (double[]) { 2 / 3.0,
        1 / 3.0, 0
      });
  assert_weights (GST_HIP_SCALE_METHOD_AUTO, 3, 2, 1, (double[]) { 0, 1 / 3.0,
        2 / 3.0
      });
  assert_weights (GST_HIP_SCALE_METHOD_BILINEAR, 2, 4, 0, (double[]) { 1, 0 });
  assert_weights (GST_HIP_SCALE_METHOD_BILINEAR, 2, 4, 1, (double[]) { .75,
        .25
      });
  assert_weights (GST_HIP_SCALE_METHOD_AUTO, 2, 4, 2, (double[]) { .25, .75 });
  assert_weights (GST_HIP_SCALE_METHOD_BILINEAR, 8, 2, 0, (double[]) { 0, .5,
        .5,
        0, 0, 0, 0, 0
      });
  assert_weights (GST_HIP_SCALE_METHOD_BILINEAR2, 4, 2, 0, (double[]) { 1 / 2.0,
        3 / 8.0, 1 / 8.0, 0
      });
  assert_weights (GST_HIP_SCALE_METHOD_CATROM, 4, 8, 3, (double[]) { -.0703125,
        .8671875, .2265625, -.0234375
      });
  /* Of two as near as each other, the first one */
  assert_weights (GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR, 4, 2, 0,
      (double[]) { 1,
        0, 0, 0
      });
  assert_weights (GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR, 4, 2, 1,
      (double[]) { 0,
        0, 1, 0
      });
  assert_weights (GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR, 2, 3, 1,
      (double[]) { 1,
        0
      });
}

GST_END_TEST;

static void
check_sums (GstHipScaleMethod method, gint in, gint out)
{
  HipScaleTaps taps;

  make_taps (method, in, out, FALSE, &taps);
  fail_unless (taps.taps <= in);
  for (gint j = 0; j < out; j++) {
    double sum = 0;

    fail_unless (taps.first[j] >= 0 && taps.first[j] + taps.taps <= in,
        "method %d, %d to %d: sample %d reads %d to %d", method, in, out, j,
        taps.first[j], taps.first[j] + taps.taps);
    for (gint k = 0; k < taps.taps; k++)
      sum += taps.weight[k * out + j];
    fail_unless (fabs (sum - 1) < 1e-5,
        "method %d, %d to %d: weights of sample " "%d are %g", method, in, out,
        j, sum);
  }
  hip_scale_taps_clear (&taps);
}

GST_START_TEST (test_sums)
{
  static const gint sizes[] = { 1, 2, 3, 7, 16, 33, 64, 100, 641 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
      check_sums (__i__, sizes[i], sizes[j]);
  }
}

GST_END_TEST;

/* Filters that keep samples where they are, and backwards is backwards */
GST_START_TEST (test_identity)
{
  gboolean blurs = __i__ == GST_HIP_SCALE_METHOD_SPLINE
      || __i__ == GST_HIP_SCALE_METHOD_MITCHELL;
  HipScaleTaps taps, mirrored;

  make_taps (__i__, 9, 9, FALSE, &taps);
  make_taps (__i__, 9, 9, TRUE, &mirrored);
  fail_unless_equals_int (taps.taps == 1, !blurs);
  for (gint j = 0; j < 9; j++) {
    fail_unless (blurs || (taps.first[j] == j && taps.weight[j] == 1));
    for (gint i = 0; i < 9; i++)
      fail_unless (get_weight (&taps, 9, j, i) ==
          get_weight (&mirrored, 9, 8 - j, i));
  }
  hip_scale_taps_clear (&taps);
  hip_scale_taps_clear (&mirrored);
}

GST_END_TEST;

/* --- rectangles --- */

static void
make_tensor_plan (gint width, gint height, GstHipResizeMode mode,
    GstHipPadPlacement placement, GstVideoOrientationMethod direction,
    HipConvertPlan * plan)
{
  GstHipTensorDesc desc = {.width = 640,.height = 640 };
  GstStructure *config = gst_structure_new ("config",
      GST_HIP_CONVERTER_OPT_RESIZE_MODE, GST_TYPE_HIP_RESIZE_MODE, mode,
      GST_HIP_CONVERTER_OPT_PAD_PLACEMENT, GST_TYPE_HIP_PAD_PLACEMENT,
      placement, GST_HIP_CONVERTER_OPT_DIRECTION,
      GST_TYPE_VIDEO_ORIENTATION_METHOD, direction, NULL);
  HipConvertConfig parsed;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, width, height);
  hip_convert_config_parse (config, &parsed);
  fail_unless (gst_hip_tensor_desc_complete (&desc, &desc, NULL));
  fail_unless (hip_convert_plan_to_tensor (&info, &desc, &parsed, plan, NULL));
  gst_structure_free (config);
}

static void
assert_letterbox (gint width, gint height, GstHipPadPlacement placement,
    GstVideoOrientationMethod direction, gint x, gint y, gint w, gint h)
{
  const HipScaleParams *s;
  HipConvertPlan plan;

  make_tensor_plan (width, height, GST_HIP_RESIZE_MODE_LETTERBOX, placement,
      direction, &plan);
  s = &plan.scale->params;
  fail_unless (s->begin[0] == x && s->begin[1] == y && s->end[0] == x + w
      && s->end[1] == y + h, "%dx%d: (%d,%d) to (%d,%d)", width, height,
      s->begin[0], s->begin[1], s->end[0], s->end[1]);
  fail_unless (s->fill && s->border[0] == 114);
  hip_convert_plan_clear (&plan);
}

GST_START_TEST (test_letterbox)
{
  assert_letterbox (1920, 1080, 0, 0, 0, 140, 640, 360);
  assert_letterbox (1080, 1920, 0, 0, 140, 0, 360, 640);
  assert_letterbox (1920, 1080, GST_HIP_PAD_PLACEMENT_TOP_LEFT, 0, 0, 0, 640,
      360);
  assert_letterbox (1920, 1080, 0, GST_VIDEO_ORIENTATION_90R, 140, 0, 360, 640);
  assert_letterbox (1000, 667, 0, 0, 0, 106, 640, 427); /* 426.88; 213 / 2 */
  assert_letterbox (1279, 641, 0, 0, 0, 159, 640, 321); /* 320.75 */
  assert_letterbox (100, 5000, 0, 0, 313, 0, 13, 640);  /* 12.8 */
  assert_letterbox (5000, 1, 0, 0, 0, 319, 640, 1);
}

GST_END_TEST;

GST_START_TEST (test_crop)
{
  HipConvertPlan plan;

  make_tensor_plan (1920, 1080, GST_HIP_RESIZE_MODE_CROP, 0, 0, &plan);
  fail_unless (plan.scale->map[0].src_begin == 420ll * HIP_SCALE_UNIT);
  fail_unless (plan.scale->map[0].src_size == 1080ll * HIP_SCALE_UNIT);
  fail_unless (plan.scale->map[1].src_begin == 0);
  fail_unless (plan.scale->params.end[0] == 640);
  hip_convert_plan_clear (&plan);

  make_tensor_plan (333, 1080, GST_HIP_RESIZE_MODE_CROP, 0,
      GST_VIDEO_ORIENTATION_UR_LL, &plan);
  fail_unless (plan.scale->map[1].src_begin == 747ll * HIP_SCALE_UNIT / 2);
  fail_unless (plan.scale->map[1].src_size == 333ll * HIP_SCALE_UNIT);
  hip_convert_plan_clear (&plan);
}

GST_END_TEST;

static void
assert_refused (const gchar * text, GstVideoInterlaceMode mode, gint code)
{
  GstStructure *config = gst_structure_from_string (text, NULL);
  GstVideoInfo in, out;
  HipConvertConfig parsed;
  HipConvertPlan plan;
  GError *error = NULL;

  fail_unless (config != NULL, "%s", text);
  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_NV12, 64, 48);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGBA, 40, 40);
  in.interlace_mode = out.interlace_mode = mode;
  hip_convert_config_parse (config, &parsed);
  fail_if (hip_convert_plan (&in, &out, &parsed, &plan, &error), "%s", text);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, code), "%s: %s", text,
      error->message);
  fail_unless (plan.scale == NULL);
  g_clear_error (&error);
  gst_structure_free (config);
}

GST_START_TEST (test_refused)
{
  static const gchar *const outside[] = {
    "c, GstVideoConverter.src-x=64", "c, GstVideoConverter.src-width=65",
    "c, GstVideoConverter.src-y=1.5, GstVideoConverter.src-height=46.6",
    "c, GstVideoConverter.src-height=0", "c, GstVideoConverter.dest-width=41",
    "c, GstVideoConverter.dest-x=1, GstVideoConverter.dest-width=40",
    "c, GstVideoConverter.dest-height=0"
  };

  for (guint i = 0; i < G_N_ELEMENTS (outside); i++)
    assert_refused (outside[i], GST_VIDEO_INTERLACE_MODE_PROGRESSIVE,
        GST_HIP_ERROR_INVALID);
  assert_refused ("c, GstHipConverter.direction=(GstVideoOrientationMethod)90r",
      GST_VIDEO_INTERLACE_MODE_INTERLEAVED, GST_HIP_ERROR_UNSUPPORTED);
  assert_refused
      ("c, GstHipConverter.direction=(GstVideoOrientationMethod)auto",
      GST_VIDEO_INTERLACE_MODE_PROGRESSIVE, GST_HIP_ERROR_UNSUPPORTED);
}

GST_END_TEST;

/* --- passes --- */

static void
assert_passes (const gchar * text, gint width, gint height, guint n)
{
  GstStructure *config = gst_structure_from_string (text, NULL);
  GstVideoInfo in, out;
  HipConvertConfig parsed;
  HipConvertPlan plan;

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_NV12, 1920, 1080);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGBA, width, height);
  hip_convert_config_parse (config, &parsed);
  fail_unless (hip_convert_plan (&in, &out, &parsed, &plan, NULL));
  fail_unless (plan.n_passes == n, "%s, %dx%d: %u passes", text, width, height,
      plan.n_passes);
  fail_unless ((plan.scale->between_bytes > 0) == (n == 2));
  hip_convert_plan_clear (&plan);
  gst_structure_free (config);
}

GST_START_TEST (test_passes)
{
  assert_passes ("c", 640, 640, 1);
  assert_passes ("c", 960, 540, 1);
  assert_passes ("c", 3840, 2160, 1);
  assert_passes ("c, GstHipConverter.method=(GstHipScaleMethod)lanczos", 3840,
      2160, 1);
  assert_passes ("c, GstHipConverter.method=(GstHipScaleMethod)lanczos", 640,
      360, 2);
  assert_passes ("c", 30, 17, 2);
  assert_passes ("c, GstHipConverter.method=(GstHipScaleMethod)bilinear", 30,
      17, 1);
}

GST_END_TEST;

/* Under the names that GstVideoConverter has */
GST_START_TEST (test_resampler_names)
{
  static const struct
  {
    const gchar *text;
    GstHipScaleMethod method;
  } names[] = {
    {"c", GST_HIP_SCALE_METHOD_AUTO},
    {"c, GstVideoConverter.resampler-method=(GstVideoResamplerMethod)nearest",
        GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR},
    {"c, GstVideoConverter.resampler-method=(GstVideoResamplerMethod)linear",
        GST_HIP_SCALE_METHOD_BILINEAR2},
    {"c, GstVideoConverter.resampler-method=(GstVideoResamplerMethod)linear, "
          "GstVideoConverter.resampler-taps=(uint)2",
        GST_HIP_SCALE_METHOD_BILINEAR},
    {"c, GstVideoConverter.resampler-method=(GstVideoResamplerMethod)sinc, "
          "GstVideoConverter.resampler-taps=(uint)4",
        GST_HIP_SCALE_METHOD_4_TAP},
    {"c, GstVideoConverter.resampler-method=(GstVideoResamplerMethod)lanczos",
        GST_HIP_SCALE_METHOD_LANCZOS},
    {"c, GstVideoConverter.resampler-method=(GstVideoResamplerMethod)cubic",
        GST_HIP_SCALE_METHOD_MITCHELL},
    {"c, GstVideoConverter.resampler-method=(GstVideoResamplerMethod)lanczos, "
          "GstHipConverter.method=(GstHipScaleMethod)area",
        GST_HIP_SCALE_METHOD_AREA},
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstStructure *config;
    HipConvertConfig parsed;

    g_type_ensure (GST_TYPE_VIDEO_RESAMPLER_METHOD);
    g_type_ensure (GST_TYPE_HIP_SCALE_METHOD);
    config = gst_structure_from_string (names[i].text, NULL);
    fail_unless (config != NULL);
    hip_convert_config_parse (config, &parsed);
    fail_unless_equals_int (parsed.scale.filter.method, names[i].method);
    gst_structure_free (config);
  }
}

GST_END_TEST;

static Suite *
scale_plan_suite (void)
{
  Suite *s = suite_create ("scale-plan");
  TCase *tc = tcase_create ("general");

  g_type_ensure (GST_TYPE_VIDEO_ORIENTATION_METHOD);
  g_type_ensure (GST_TYPE_HIP_SCALE_METHOD);
  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_known_weights);
  tcase_add_loop_test (tc, test_sums, 0, N_METHODS);
  tcase_add_loop_test (tc, test_identity, 0, N_METHODS);
  tcase_add_test (tc, test_letterbox);
  tcase_add_test (tc, test_crop);
  tcase_add_test (tc, test_refused);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_resampler_names);
  return s;
}

GST_CHECK_MAIN (scale_plan);
