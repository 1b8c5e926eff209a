/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do common pairs of formats have a fast kernel when sizes differ, without a
 * compiler, and everything else the one for any format? What it makes is the
 * matter of scale.c and tensor-scale.c. */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "gsthip-enumtypes.h"
#include "gsthipconverter.h"
#include "gsthipdevice.h"
#include "gsthiptensor.h"
#include "hip-convert-kernels.h"

static GstHipDevice *device;

static const gchar *const in_names[] =
    { "NV12", "I420", "P010_10LE", "RGBA", "BGRx", "GRAY8" };
static const gchar *const out_names[] =
    { "NV12", "I420", "RGBA", "BGRx", "RGB", "RGBP" };

static void
set_info (GstVideoInfo * info, const gchar * name, gint width, gint height)
{
  GstVideoFormat format = gst_video_format_from_string (name);

  fail_unless (format != GST_VIDEO_FORMAT_UNKNOWN, "%s", name);
  gst_video_info_set_format (info, format, width, height);
}

static gboolean
is_known (const gchar * name)
{
  return gst_video_format_from_string (name) != GST_VIDEO_FORMAT_UNKNOWN;
}

/* Which function of a kernel runs first */
static void
assert_entry (HipConvertPlan * plan, const gchar * wanted, const gchar * what)
{
  HipConvertBinary binary;
  GError *error = NULL;

  fail_unless (hip_convert_binary_get (device, &plan->passes[0], &binary,
          &error), "%s: %s", what, error ? error->message : "");
  fail_unless (strcmp (binary.entry, wanted) == 0, "%s: %s and not %s", what,
      binary.entry, wanted);
  gst_hip_kernel_module_unref (binary.module);
  hip_convert_plan_clear (plan);
}

static void
assert_frames (const gchar * in_name, const gchar * out_name,
    const gchar * fields, const gchar * wanted)
{
  GstStructure *structure = gst_structure_from_string (fields, NULL);
  gchar *what = g_strdup_printf ("%s %s %s", in_name, out_name, fields);
  HipConvertConfig config;
  GstVideoInfo in, out;
  HipConvertPlan plan;

  fail_unless (structure != NULL, "%s", fields);
  set_info (&in, in_name, 192, 108);
  set_info (&out, out_name, 64, 64);
  hip_convert_config_parse (structure, &config);
  fail_unless (hip_convert_plan (&in, &out, &config, &plan, NULL));
  assert_entry (&plan, wanted, what);
  gst_structure_free (structure);
  g_free (what);
}

GST_START_TEST (test_common_pairs)
{
  static const gchar *const methods[] = { "nearest-neighbour", "bilinear",
    "area", "auto", "bilinear2"
  };

  for (guint i = 0; i < G_N_ELEMENTS (in_names); i++) {
    for (guint o = 0; o < G_N_ELEMENTS (out_names); o++) {
      if (!is_known (in_names[i]) || !is_known (out_names[o]))
        continue;
      for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
        gchar *fields = g_strdup_printf ("c, GstHipConverter.method="
            "(GstHipScaleMethod)%s", methods[m]);

        assert_frames (in_names[i], out_names[o], fields, "convert_scale_tile");
        g_free (fields);
      }
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_rectangles)
{
  assert_frames ("NV12", "RGBA", "c, GstVideoConverter.dest-x=4,"
      "GstVideoConverter.src-width=20.5, GstHipConverter.direction="
      "(GstVideoOrientationMethod)180", "convert_scale_tile");
  /* Bytes that stay as they are, rows that become columns */
  assert_frames ("NV12", "RGBA", "c, GstVideoConverter.dest-x=4,"
      "GstVideoConverter.fill-border=false", "convert_scale");
  assert_frames ("NV12", "RGBA", "c, GstHipConverter.direction="
      "(GstVideoOrientationMethod)90r", "convert_scale");
  /* Curves are no affine map; many taps go two ways */
  assert_frames ("NV12", "RGBA", "c, GstVideoConverter.primaries-mode="
      "(GstVideoPrimariesMode)fast, GstVideoConverter.gamma-mode="
      "(GstVideoGammaMode)remap", "convert_scale");
  assert_frames ("NV12", "RGBA", "c, GstHipConverter.method="
      "(GstHipScaleMethod)lanczos, GstVideoConverter.dest-width=4,"
      "GstVideoConverter.dest-height=4", "convert_scale_rows");
}

GST_END_TEST;

GST_START_TEST (test_tensors)
{
  static const GstHipTensorDataType types[] =
      { GST_HIP_TENSOR_DATA_TYPE_FLOAT32,
    GST_HIP_TENSOR_DATA_TYPE_FLOAT16
  };

  for (guint i = 0; i < 3 * 2 * G_N_ELEMENTS (in_names); i++) {
    const gchar *name = in_names[i / 6];
    GstHipTensorDesc desc = {.width = 64,.height = 64,.data_type = types[i % 2]
    };
    HipConvertConfig config;
    HipConvertPlan plan;
    GstVideoInfo info;

    if (!is_known (name))
      continue;
    set_info (&info, name, 192, 108);
    hip_convert_config_parse (NULL, &config);
    config.scale.resize_mode = i / 2 % 3;
    fail_unless (gst_hip_tensor_desc_complete (&desc, &desc, NULL));
    fail_unless (hip_convert_plan_to_tensor (&info, &desc, &config, &plan,
            NULL));
    assert_entry (&plan, "convert_scale_tile", name);
  }
}

GST_END_TEST;

/* A pair that nobody has compiled still is scaled; and by wish */
GST_START_TEST (test_general)
{
  assert_frames ("YUY2", "BGR", "c", "convert_scale");
  g_setenv ("GST_HIP_CONVERT_GENERAL", "1", TRUE);
  assert_frames ("NV12", "RGBA", "c", "convert_scale");
  g_unsetenv ("GST_HIP_CONVERT_GENERAL");
}

GST_END_TEST;

static void
setup (void)
{
  GError *error = NULL;

  device = gst_hip_device_new_full (GST_HIP_VENDOR_HOST, 0, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "");
  g_type_ensure (GST_TYPE_HIP_SCALE_METHOD);
  g_type_ensure (GST_TYPE_VIDEO_ORIENTATION_METHOD);
  g_type_ensure (GST_TYPE_VIDEO_PRIMARIES_MODE);
  g_type_ensure (GST_TYPE_VIDEO_GAMMA_MODE);
}

static void
teardown (void)
{
  gst_clear_object (&device);
}

static Suite *
scale_kernels_suite (void)
{
  Suite *s = suite_create ("scale-kernels");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_common_pairs);
  tcase_add_test (tc, test_rectangles);
  tcase_add_test (tc, test_tensors);
  tcase_add_test (tc, test_general);
  return s;
}

GST_CHECK_MAIN (scale_kernels);
