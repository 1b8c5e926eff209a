/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is what the converter plans right, before any device is asked? Passes and
 * binaries are counted over all pairs of formats, colour is compared with values
 * from the standards, chroma filters with what they have to be.
 */
#include <math.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "gsthiperror.h"
#include "hip-convert-kernels.h"

/* Per architecture, however many pairs there are */
#define MOST_BINARIES 300

static void
make_info (GstVideoInfo * info, const gchar * format, gint width, gint height,
    const gchar * colorimetry)
{
  gst_video_info_set_format (info, gst_video_format_from_string (format), width,
      height);
  fail_unless (gst_video_colorimetry_from_string (&info->colorimetry,
          colorimetry));
}

/* --- passes and binaries --- */

static void
count_binaries (const HipConvertPlan * plan, GHashTable * binaries)
{
  for (guint i = 0; i < plan->n_passes; i++) {
    gchar **options = hip_convert_get_options (&plan->passes[i]);
    gchar *joined = g_strjoinv (" ", options);

    g_hash_table_add (binaries, g_strdup_printf ("%p %s",
            hip_convert_get_source (&plan->passes[i]), joined));
    g_strfreev (options);
    g_free (joined);
  }
}

static void
count_pair (GstVideoFormat in_format, GstVideoFormat out_format,
    GHashTable * binaries)
{
  GstVideoInfo in, out;
  HipConvertConfig config;
  HipConvertPlan plan;
  GError *error = NULL;

  gst_video_info_set_format (&in, in_format, 321, 241);
  gst_video_info_set_format (&out, out_format, 321, 241);
  hip_convert_config_parse (NULL, &config);
  fail_unless (hip_convert_plan (&in, &out, &config, &plan, &error), "%s to "
      "%s: %s", in.finfo->name, out.finfo->name, error ? error->message : "");
  fail_unless_equals_int (plan.n_passes, 1);
  count_binaries (&plan, binaries);
}

static void
count_tensors (GstVideoFormat format, GHashTable * binaries)
{
  GstVideoInfo info;
  HipConvertConfig config;
  HipConvertPlan plan;

  gst_video_info_set_format (&info, format, 321, 241);
  hip_convert_config_parse (NULL, &config);
  for (guint i = 0; i < 50; i++) {
    GstHipTensorDesc desc = { i % 5, i / 5 % 2, i / 10, 1, 321, 241 };

    fail_unless (gst_hip_tensor_desc_complete (&desc, &desc, NULL));
    fail_unless (hip_convert_plan_to_tensor (&info, &desc, &config, &plan,
            NULL));
    fail_unless_equals_int (plan.n_passes, 1);
    count_binaries (&plan, binaries);
    fail_unless (hip_convert_plan_from_tensor (&desc, &info, &config, &plan,
            NULL));
    fail_unless_equals_int (plan.n_passes, 1);
    count_binaries (&plan, binaries);
  }
}

GST_START_TEST (test_all_pairs)
{
  GHashTable *binaries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      NULL);
  guint n, pairs = 0;
  const HipFormat *formats = hip_format_list (&n);

  for (guint i = 0; i < n * n; i++) {
    GstVideoFormat in = hip_format_get_video_format (&formats[i / n]);
    GstVideoFormat out = hip_format_get_video_format (&formats[i % n]);

    if (in == GST_VIDEO_FORMAT_UNKNOWN || out == GST_VIDEO_FORMAT_UNKNOWN)
      continue;
    count_pair (in, out, binaries);
    pairs++;
  }
  for (guint i = 0; i < n; i++) {
    GstVideoFormat format = hip_format_get_video_format (&formats[i]);

    if (format != GST_VIDEO_FORMAT_UNKNOWN)
      count_tensors (format, binaries);
  }
  g_print ("%u pairs and tensors, one pass each, %u binaries\n", pairs,
      g_hash_table_size (binaries));
  fail_unless (pairs >= 61 * 61);
  fail_unless (g_hash_table_size (binaries) <= MOST_BINARIES);
  g_hash_table_unref (binaries);
}

GST_END_TEST;

/* --- what cannot be --- */

static void
assert_refused (const GstVideoInfo * in, const GstVideoInfo * out, gint code)
{
  HipConvertConfig config;
  HipConvertPlan plan;
  GError *error = NULL;

  hip_convert_config_parse (NULL, &config);
  fail_if (hip_convert_plan (in, out, &config, &plan, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, code), "%s",
      error->message);
  g_clear_error (&error);
}

GST_START_TEST (test_refused)
{
  GstVideoInfo in, out, none;

  make_info (&in, "NV12", 64, 48, "bt709");
  make_info (&out, "RGBA", 64, 48, "sRGB");
  out.interlace_mode = GST_VIDEO_INTERLACE_MODE_INTERLEAVED;
  assert_refused (&in, &out, GST_HIP_ERROR_UNSUPPORTED);

  /* Known to GStreamer, not to the converter */
  make_info (&out, "NV12_64Z32", 64, 48, "bt709");
  assert_refused (&in, &out, GST_HIP_ERROR_UNSUPPORTED);

  gst_video_info_init (&none);
  assert_refused (&in, &none, GST_HIP_ERROR_UNSUPPORTED);

  make_info (&in, "NV12", 64, 48, "1:1:0:0");   /* Y'CbCr of the matrix of RGB */
  make_info (&out, "RGBA", 64, 48, "sRGB");
  assert_refused (&in, &out, GST_HIP_ERROR_UNSUPPORTED);

  make_info (&in, "NV12", 64, 48, "bt709");
  in.width = out.width = 0;
  assert_refused (&in, &out, GST_HIP_ERROR_INVALID);
}

GST_END_TEST;

/* --- colour --- */

static void
assert_maps (const gchar * in_format, const gchar * in_colour,
    const gchar * out_format, const gchar * out_colour, const gdouble from[4],
    const gdouble to[4])
{
  GstVideoInfo in, out;
  HipConvertConfig config;
  HipConvertPlan plan;
  const HipConvertParams *p = &plan.passes[0].params;

  make_info (&in, in_format, 8, 8, in_colour);
  make_info (&out, out_format, 8, 8, out_colour);
  hip_convert_config_parse (NULL, &config);
  fail_unless (hip_convert_plan (&in, &out, &config, &plan, NULL));
  for (guint i = 0; i < 4; i++) {
    gdouble value = p->offset[i];

    if (!p->out[i].max)
      continue;
    for (guint j = 0; j < 4; j++)
      value += p->matrix[i][j] * (from[j] - p->zero[j]);
    fail_unless (fabs (value - to[i]) < 0.01, "%s %s to %s %s: component %u is "
        "%f instead of %f", in_format, in_colour, out_format, out_colour, i,
        value, to[i]);
  }
}

/* Values worked out by hand from the standards' Kr and Kb */
GST_START_TEST (test_matrices)
{
  const gdouble black[4] = { 16, 128, 128, 0 }, white[4] = { 235, 128, 128, 0 };
  const gdouble rgb_black[4] = { 0, 0, 0, 255 };
  const gdouble rgb_white[4] = { 255, 255, 255, 255 };
  const gdouble red[4] = { 255, 0, 0, 255 };
  const gdouble red_709[4] = { 62.5594, 102.3357, 240, 255 };
  const gdouble red_601[4] = { 81.481, 90.2032, 240, 255 };
  const gdouble red_601_full[4] = { 76.245, 84.9723, 255.5, 255 };
  const gdouble ten[4] = { 64, 512, 512, 0 }, twelve[4] =
      { 256, 2048, 2048, 0 };

  assert_maps ("NV12", "bt709", "RGBA", "sRGB", black, rgb_black);
  assert_maps ("NV12", "bt709", "RGBA", "sRGB", white, rgb_white);
  assert_maps ("RGBA", "sRGB", "AYUV", "bt709", red, red_709);
  assert_maps ("RGBA", "sRGB", "AYUV", "bt601", red, red_601);
  assert_maps ("RGBA", "sRGB", "AYUV", "1:4:0:0", red, red_601_full);
  assert_maps ("AYUV", "bt601", "AYUV", "bt709", red_601, red_709);
  assert_maps ("AYUV", "bt709", "RGBA", "sRGB", red_709, red);
  assert_maps ("NV12", "bt709", "I420_10LE", "bt709", black, ten);
  assert_maps ("P010_10LE", "bt709", "I420_12LE", "bt709", ten, twelve);
}

GST_END_TEST;

/* What is neutral stays so to the last bit, whatever the matrices */
GST_START_TEST (test_neutral)
{
  static const gchar *const colours[] = { "bt601", "bt709", "smpte240m",
    "bt2020", "1:2:0:0", "2:4:5:2"
  };
  GstVideoInfo in, out;
  HipConvertConfig config;
  HipConvertPlan plan;
  const HipConvertParams *p = &plan.passes[0].params;

  hip_convert_config_parse (NULL, &config);
  for (guint i = 0; i < 36; i++) {
    make_info (&in, "NV12", 8, 8, colours[i / 6]);
    make_info (&out, "I420", 8, 8, colours[i % 6]);
    fail_unless (hip_convert_plan (&in, &out, &config, &plan, NULL));
    fail_unless (p->matrix[1][0] == 0 && p->matrix[2][0] == 0);
    fail_unless (p->offset[1] == 128 && p->offset[2] == 128);
    fail_if (p->flags & HIP_CONVERT_CHROMA_FROM_LUMA);
    if (i / 6 == i % 6) {
      fail_unless (p->matrix[0][0] == 1 && p->matrix[1][1] == 1
          && p->matrix[2][2] == 1);
      fail_if (p->flags & HIP_CONVERT_LUMA_FROM_CHROMA);
      fail_unless (p->flags & HIP_CONVERT_CHROMA_AS_IS);
    }
  }
}

GST_END_TEST;

/* Primaries: white to white, also between whites; curves: there and back */
GST_START_TEST (test_primaries_and_curves)
{
  static const gdouble values[] = { 0, 0.02, 0.08, 0.3, 0.5, 0.77, 1 };
  gdouble m[3][3];

  for (gint a = GST_VIDEO_COLOR_PRIMARIES_BT709;
      a <= GST_VIDEO_COLOR_PRIMARIES_EBU3213; a++) {
    for (gint b = GST_VIDEO_COLOR_PRIMARIES_BT709;
        b <= GST_VIDEO_COLOR_PRIMARIES_EBU3213; b++) {
      fail_unless (hip_colour_primaries (a, b, m));
      for (guint i = 0; i < 3; i++)
        fail_unless (fabs (m[i][0] + m[i][1] + m[i][2] - 1) < 1e-6,
            "primaries %d to %d: white becomes %f", a, b,
            m[i][0] + m[i][1] + m[i][2]);
    }
  }
  /* BT.2087 */
  fail_unless (hip_colour_primaries (GST_VIDEO_COLOR_PRIMARIES_BT709,
          GST_VIDEO_COLOR_PRIMARIES_BT2020, m));
  fail_unless (fabs (m[0][0] - 0.6274) < 1e-3 && fabs (m[0][1] - 0.3293) < 1e-3
      && fabs (m[1][1] - 0.9195) < 1e-3 && fabs (m[2][2] - 0.8956) < 1e-3);

  for (gint f = GST_VIDEO_TRANSFER_GAMMA10; f <= GST_VIDEO_TRANSFER_BT601; f++) {
    HipCurve curve;

    hip_curve_get (f, &curve);
    for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
      gdouble back = hip_curve_encode (&curve, hip_curve_decode (&curve,
              values[i]));

      /* Log curves have no light below 1/100 */
      fail_unless (fabs (back - values[i]) < 1e-3
          || (curve.kind == HIP_CURVE_LOG && values[i] == 0),
          "function %d: %f comes back as %f", f, values[i], back);
    }
  }
}

GST_END_TEST;

/* --- chroma --- */

static void
assert_weights (const HipConvertAxis * axis, guint phase, const gdouble w[6])
{
  for (guint i = 0; i < HIP_CONVERT_TAPS; i++)
    fail_unless (fabs (axis->weight[phase][i] - w[i]) < 1e-6, "phase %u, tap "
        "%d: %f instead of %f", phase, (gint) i - 2, axis->weight[phase][i],
        w[i]);
}

GST_START_TEST (test_axes)
{
  const gdouble one[6] = { 0, 0, 1 }, half[6] = { 0, 0, 0.5, 0.5 };
  const gdouble before[6] = { 0, 0.25, 0.75 }, after[6] = { 0, 0, 0.75, 0.25 };
  const gdouble triangle[6] = { 0, 0.25, 0.5, 0.25 };
  const gdouble four[6] = { 0, 0, 0.25, 0.25, 0.25, 0.25 };
  const gdouble five[6] = { 0.125, 0.25, 0.25, 0.25, 0.125 };
  HipConvertAxis axis;

  hip_convert_axis (1, FALSE, 0, FALSE, FALSE, &axis);  /* cosited, up */
  assert_weights (&axis, 0, one);
  assert_weights (&axis, 1, half);
  hip_convert_axis (1, TRUE, 0, FALSE, FALSE, &axis);
  assert_weights (&axis, 0, before);
  assert_weights (&axis, 1, after);
  hip_convert_axis (0, FALSE, 1, FALSE, FALSE, &axis);  /* down */
  assert_weights (&axis, 0, triangle);
  hip_convert_axis (0, FALSE, 1, TRUE, FALSE, &axis);
  assert_weights (&axis, 0, half);
  hip_convert_axis (0, FALSE, 2, TRUE, FALSE, &axis);
  assert_weights (&axis, 0, four);
  hip_convert_axis (0, FALSE, 2, FALSE, FALSE, &axis);
  assert_weights (&axis, 0, five);
  hip_convert_axis (1, TRUE, 1, TRUE, FALSE, &axis);    /* the same grid */
  assert_weights (&axis, 0, one);
  hip_convert_axis (1, FALSE, 1, TRUE, FALSE, &axis);   /* a quarter away */
  assert_weights (&axis, 0, after);
  hip_convert_axis (1, TRUE, 0, FALSE, TRUE, &axis);    /* no filter */
  assert_weights (&axis, 0, one);
  assert_weights (&axis, 1, one);

  /* Whatever the grids, weights of a sample sum up to 1 */
  for (guint i = 0; i < 72; i++) {
    hip_convert_axis (i % 3, i / 3 % 2, i / 6 % 3, i / 18 % 2, i / 36, &axis);
    for (gint phase = 0; phase < 1 << axis.up; phase++) {
      gdouble sum = 0;

      for (guint k = 0; k < HIP_CONVERT_TAPS; k++)
        sum += axis.weight[phase][k];
      fail_unless (fabs (sum - 1) < 1e-6);
    }
  }
}

GST_END_TEST;

/* --- which kernel --- */

static HipConvertKernel
get_kernel (const gchar * in_format, GstVideoChromaSite in_site,
    const gchar * out_format, GstVideoChromaSite out_site,
    GstVideoDitherMethod dither)
{
  GstStructure *structure = gst_structure_new ("config",
      GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
      dither, NULL);
  GstVideoInfo in, out;
  HipConvertConfig config;
  HipConvertPlan plan;

  make_info (&in, in_format, 64, 48, "bt709");
  make_info (&out, out_format, 64, 48, "bt601");
  in.chroma_site = in_site;
  out.chroma_site = out_site;
  hip_convert_config_parse (structure, &config);
  fail_unless (hip_convert_plan (&in, &out, &config, &plan, NULL));
  gst_structure_free (structure);
  return plan.passes[0].kernel;
}

/* Neither dither nor chroma that moves needs the slow kernel */
GST_START_TEST (test_fast_kernel)
{
  static const GstVideoChromaSite sites[] = { GST_VIDEO_CHROMA_SITE_JPEG,
    GST_VIDEO_CHROMA_SITE_MPEG2, GST_VIDEO_CHROMA_SITE_COSITED
  };
  static const gchar *const formats[] = { "NV12", "YUY2", "I420", "UYVY",
    "P010_10LE", "RGBA", "I420_10LE"
  };

  for (guint i = 0; i < 9 * 49; i++)
    fail_unless_equals_int (get_kernel (formats[i / 9 % 7], sites[i % 3],
            formats[i / 63], sites[i / 3 % 3], i % 2 ?
            GST_VIDEO_DITHER_BAYER : GST_VIDEO_DITHER_NONE),
        HIP_CONVERT_KERNEL_TILE);
}

GST_END_TEST;

static HipConvertKernel
get_plain_kernel (const gchar * in, const gchar * out)
{
  return get_kernel (in, GST_VIDEO_CHROMA_SITE_MPEG2, out,
      GST_VIDEO_CHROMA_SITE_MPEG2, GST_VIDEO_DITHER_NONE);
}

/* Any format to and from what decoders, displays and models have */
GST_START_TEST (test_fast_kernel_of_rare_formats)
{
  static const gchar *const common[] = { "NV12", "I420", "RGBA", "BGRx",
    "RGBP", "P010_10LE"
  };
  const HipFormat *all;
  guint n, n_fast = 0;

  all = hip_format_list (&n);
  for (guint i = 0; i < n * G_N_ELEMENTS (common); i++) {
    const HipFormat *format = &all[i / G_N_ELEMENTS (common)];
    const gchar *other = common[i % G_N_ELEMENTS (common)];
    gboolean is_slow = g_str_equal (format->name, "v210")
        || g_str_equal (format->name, "Y41B");

    if (hip_format_get_video_format (format) == GST_VIDEO_FORMAT_UNKNOWN)
      continue;
    fail_unless_equals_int (get_plain_kernel (format->name, other),
        is_slow ? HIP_CONVERT_KERNEL_ANY : HIP_CONVERT_KERNEL_TILE);
    fail_unless_equals_int (get_plain_kernel (other, format->name),
        is_slow ? HIP_CONVERT_KERNEL_ANY : HIP_CONVERT_KERNEL_TILE);
    n_fast += !is_slow;
  }
  fail_unless (n_fast > 300, "%u", n_fast);
}

GST_END_TEST;

static Suite *
convert_plan_suite (void)
{
  Suite *s = suite_create ("convert-plan");
  TCase *tc = tcase_create ("plan");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_all_pairs);
  tcase_add_test (tc, test_refused);
  tcase_add_test (tc, test_matrices);
  tcase_add_test (tc, test_neutral);
  tcase_add_test (tc, test_primaries_and_curves);
  tcase_add_test (tc, test_axes);
  tcase_add_test (tc, test_fast_kernel);
  tcase_add_test (tc, test_fast_kernel_of_rare_formats);
  return s;
}

GST_CHECK_MAIN (convert_plan);
