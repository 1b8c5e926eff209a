/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are descriptions of tensors completed and refused as they say, and is what
 * the converter plans with them right?
 */
#include <math.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "gsthiperror.h"
#include "hip-convert-plan.h"
#include "hip-tensor.h"

static gsize
get_size (const GstHipTensorDesc * desc)
{
  GError *error = NULL;
  gsize size = 0;

  fail_unless (gst_hip_tensor_desc_get_size (desc, &size, &error), "%s",
      error ? error->message : "");
  return size;
}

GST_START_TEST (test_sizes)
{
  static const guint bytes[] = { 4, 2, 2, 1, 1 }, n[] = { 3, 3, 4, 4, 1 };

  for (guint i = 0; i < 50; i++) {
    GstHipTensorDesc d = { i % 5, i / 5 % 2, i / 10, 0, 7, 5 };
    GstHipTensorDesc c;
    guint element = bytes[d.data_type], channels = n[d.format];

    fail_unless_equals_int (gst_hip_tensor_desc_get_n_channels (&d), channels);
    fail_unless_equals_uint64 (get_size (&d), 7 * 5 * element * channels);
    d.batch = 3;
    fail_unless_equals_uint64 (get_size (&d), 3 * 7 * 5 * element * channels);
    /* Padding between rows, not after the last one of all */
    d.row_stride = 7 * element * (d.layout ? channels : 1) + 4;
    fail_unless_equals_uint64 (get_size (&d), 3 * 7 * 5 * element * channels +
        4 * (3 * 5 * (d.layout ? 1 : channels) - 1));
    d.batch_stride = 4096;
    fail_unless (gst_hip_tensor_desc_complete (&d, &c, NULL));
    fail_unless_equals_uint64 (get_size (&d), 2 * 4096 +
        hip_tensor_get_picture_size (&c));
    fail_unless_equals_uint64 (c.channel_stride, d.layout ? element :
        5 * d.row_stride);
  }
}

GST_END_TEST;

GST_START_TEST (test_defaults)
{
  GstHipTensorDesc d = {.width = 640,.height = 480 }, c;
  g_autoptr (GstHipTensorDesc) made = NULL, copy = NULL;

  fail_unless (gst_hip_tensor_desc_complete (&d, &c, NULL));
  fail_unless_equals_int (c.data_type, GST_HIP_TENSOR_DATA_TYPE_FLOAT32);
  fail_unless_equals_int (c.layout, GST_HIP_TENSOR_LAYOUT_NCHW);
  fail_unless_equals_int (c.format, GST_HIP_TENSOR_FORMAT_RGB);
  fail_unless_equals_int (c.batch, 1);
  fail_unless_equals_uint64 (c.row_stride, 2560);
  fail_unless_equals_uint64 (c.channel_stride, 2560 * 480);
  fail_unless_equals_uint64 (c.batch_stride, 3 * 2560 * 480);
  fail_unless (c.scale[2] == 1.0 / 255 && c.mean[2] == 0 && c.std[2] == 1);

  d.data_type = GST_HIP_TENSOR_DATA_TYPE_INT8;
  d.scale[1] = 0.5;
  fail_unless (gst_hip_tensor_desc_complete (&d, &c, NULL));
  fail_unless (c.scale[0] == 1 && c.scale[1] == 0.5);

  made = gst_hip_tensor_desc_new (GST_HIP_TENSOR_DATA_TYPE_INT8,
      GST_HIP_TENSOR_LAYOUT_NCHW, GST_HIP_TENSOR_FORMAT_RGB, 640, 480);
  made->scale[1] = 0.5;
  copy = g_boxed_copy (GST_TYPE_HIP_TENSOR_DESC, made);
  fail_unless (memcmp (made, &d, sizeof (d)) == 0);
  fail_unless (memcmp (copy, &d, sizeof (d)) == 0);
}

GST_END_TEST;

/* What each is wrong in */
/* *INDENT-OFF* */
static const GstHipTensorDesc wrong[] = {
  { .width = 0, .height = 5 },
  { .width = 5, .height = 0 },
  { .width = 5, .height = 5, .data_type = 5 },
  { .width = 5, .height = 5, .data_type = -1 },
  { .width = 5, .height = 5, .layout = 2 },
  { .width = 5, .height = 5, .format = 5 },
  /* Too large */
  { .width = G_MAXUINT, .height = 1 },
  { .width = G_MAXINT / 4 + 1, .height = 1 },
  { .width = 1, .height = G_MAXUINT },
  { .width = 5, .height = 5, .row_stride = (gsize) G_MAXINT + 1 },
  { .width = G_MAXINT / 16, .height = G_MAXINT, .batch = G_MAXUINT },
  { .width = 5, .height = 5, .batch = 3, .batch_stride = G_MAXSIZE - 3 },
  { .width = 5, .height = 5, .channel_stride = G_MAXSIZE - 3 },
  { .width = 5, .height = 5, .batch = 2, .channel_stride = G_MAXSIZE / 8 * 4 },
  /* Over each other */
  { .width = 5, .height = 5, .row_stride = 16 },
  { .width = 5, .height = 5, .channel_stride = 96 },
  { .width = 5, .height = 5, .batch_stride = 296 },
  { .width = 5, .height = 5, .layout = 1, .row_stride = 56 },
  { .width = 5, .height = 5, .layout = 1, .channel_stride = 100 },
  /* Between elements */
  { .width = 5, .height = 5, .row_stride = 22 },
  { .width = 5, .height = 5, .channel_stride = 102 },
  { .width = 5, .height = 5, .batch_stride = 302 },
  { .width = 5, .height = 5, .data_type = 1, .row_stride = 11 },
  /* No numbers, or none that are back */
  { .width = 5, .height = 5, .scale = { NAN } },
  { .width = 5, .height = 5, .mean = { 0, INFINITY } },
  { .width = 5, .height = 5, .std = { 0, 0, INFINITY } },
  { .width = 5, .height = 5, .std = { 1e-50 } },
  { .width = 5, .height = 5, .scale = { 1e-50 } },
  { .width = 5, .height = 5, .data_type = 1, .scale = { 300 } },
};
/* *INDENT-ON* */

GST_START_TEST (test_refused)
{
  GstHipTensorDesc c;
  GError *error = NULL;
  gsize size;

  fail_if (gst_hip_tensor_desc_complete (&wrong[__i__], &c, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_print ("%s\n", error->message);
  g_clear_error (&error);
  fail_if (gst_hip_tensor_desc_get_size (&wrong[__i__], &size, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);
}

GST_END_TEST;

/* Of a picture alone, what is between pictures does not matter */
GST_START_TEST (test_largest)
{
  GstHipTensorDesc d = { GST_HIP_TENSOR_DATA_TYPE_FLOAT16,
    GST_HIP_TENSOR_LAYOUT_NHWC, GST_HIP_TENSOR_FORMAT_RGBA, 2, 65535, 65535
  };
  guint64 most = (guint64) 65535 * 65535 * 8 * 2;

  if (most <= G_MAXSIZE)
    fail_unless_equals_uint64 (get_size (&d), most);
}

GST_END_TEST;

/* --- plans --- */

static void
assert_unsupported (const GstVideoInfo * info, const GstHipTensorDesc * desc)
{
  HipConvertConfig config;
  HipConvertPlan plan;
  GError *error = NULL;

  hip_convert_config_parse (NULL, &config);
  fail_if (hip_convert_plan_to_tensor (info, desc, &config, &plan, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED));
  g_clear_error (&error);
  fail_if (hip_convert_plan_from_tensor (desc, info, &config, &plan, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED));
  g_clear_error (&error);
}

GST_START_TEST (test_plans)
{
  GstHipTensorDesc d = {.width = 64,.height = 48 };
  HipConvertConfig config;
  HipConvertPlan plan;
  GstVideoInfo info;

  hip_convert_config_parse (NULL, &config);
  fail_unless (gst_hip_tensor_desc_complete (&d, &d, NULL));
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12_4L4, 64, 48);
  assert_unsupported (&info, &d);
  gst_video_info_init (&info);
  assert_unsupported (&info, &d);

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 64, 48);
  fail_unless (hip_convert_plan_to_tensor (&info, &d, &config, &plan, NULL));
  fail_unless_equals_int (plan.n_passes, 1);
  fail_unless_equals_int (plan.passes[0].kernel, HIP_CONVERT_KERNEL_TILE);
  fail_unless_equals_int (plan.passes[0].out_planes[2], 2);

  /* A buffer has one field */
  gst_video_info_set_interlaced_format (&info, GST_VIDEO_FORMAT_NV12,
      GST_VIDEO_INTERLACE_MODE_ALTERNATE, 64, 95);
  fail_unless (hip_convert_plan_to_tensor (&info, &d, &config, &plan, NULL));
  fail_unless_equals_int (plan.passes[0].params.height, 48);
}

GST_END_TEST;

static Suite *
tensor_desc_suite (void)
{
  Suite *s = suite_create ("tensor-desc");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_sizes);
  tcase_add_test (tc, test_defaults);
  tcase_add_loop_test (tc, test_refused, 0, G_N_ELEMENTS (wrong));
  tcase_add_test (tc, test_largest);
  tcase_add_test (tc, test_plans);
  return s;
}

GST_CHECK_MAIN (tensor_desc);
