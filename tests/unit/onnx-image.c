/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is a model's input read as the picture that it is, and refused where it is
 * none or could be two?
 */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "onnx-image.h"

GST_DEBUG_CATEGORY (gst_hip_onnx_debug);

#define FLOAT32 ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT
#define UINT8 ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8

typedef struct
{
  guint n_dims;
  gint64 dims[5];
  HipOnnxLayout layout;
  HipOnnxFormat format;
  /* what is expected; -1: refused */
  gint planar;
  GstHipTensorFormat channels;
  gint64 width, height, batch;
} Shape;

/* *INDENT-OFF* */
static const Shape shapes[] = {
  { 4, {1, 3, 480, 640}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_RGB, 640, 480, 1 },
  { 4, {1, 480, 640, 3}, 0, 0, 0, GST_HIP_TENSOR_FORMAT_RGB, 640, 480, 1 },
  { 4, {1, 4, 4, 3}, 0, 0, 0, GST_HIP_TENSOR_FORMAT_RGB, 4, 4, 1 },
  { 4, {1, 3, 4, 4}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_RGB, 4, 4, 1 },
  { 4, {1, 1, 4, 4}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_GRAY, 4, 4, 1 },
  { 4, {1, 28, 28, 1}, 0, 0, 0, GST_HIP_TENSOR_FORMAT_GRAY, 28, 28, 1 },
  { 4, {-1, 3, -1, -1}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_RGB, -1, -1, -1 },
  { 4, {8, -1, -1, 4}, 0, 0, 0, GST_HIP_TENSOR_FORMAT_RGBA, -1, -1, 8 },
  { 4, {1, 4, 64, 64}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_RGBA, 64, 64, 1 },
  { 4, {1, 3, 3, 3}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_RGB, 3, 3, 1 },
  { 4, {1, 3, 3, 3}, HIP_ONNX_LAYOUT_NHWC, 0, 0, GST_HIP_TENSOR_FORMAT_RGB, 3, 3, 1 },
  { 4, {1, 3, 9, 9}, 0, HIP_ONNX_FORMAT_BGR, 1, GST_HIP_TENSOR_FORMAT_BGR, 9, 9, 1 },
  { 4, {1, 4, 9, 9}, 0, HIP_ONNX_FORMAT_BGRA, 1, GST_HIP_TENSOR_FORMAT_BGRA, 9, 9, 1 },
  { 4, {-1, -1, -1, -1}, HIP_ONNX_LAYOUT_NCHW, HIP_ONNX_FORMAT_GRAY, 1, GST_HIP_TENSOR_FORMAT_GRAY, -1, -1, -1 },
  { 3, {3, 5, 7}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_RGB, 7, 5, 1 },
  { 3, {5, 7, 3}, 0, 0, 0, GST_HIP_TENSOR_FORMAT_RGB, 7, 5, 1 },
  { 2, {5, 7}, 0, 0, 1, GST_HIP_TENSOR_FORMAT_GRAY, 7, 5, 1 },
  /* could be two */
  { 4, {1, 4, 4, 2}, 0, 0, -1 },
  { 4, {1, 4, 4, 4}, 0, 0, -1 },
  { 4, {-1, -1, -1, -1}, 0, 0, -1 },
  /* no pictures */
  { 0, {0}, 0, 0, -1 },
  { 1, {48}, 0, 0, -1 },
  { 5, {1, 2, 2, 2, 3}, 0, 0, -1 },
  { 4, {1, 2, 8, 8}, 0, 0, -1 },
  { 4, {1, 0, 0, 3}, 0, 0, -1 },
  { 4, {0, 3, 8, 8}, 0, 0, -1 },
  { 4, {1, 3, 8, G_GINT64_CONSTANT (1) << 40}, 0, 0, -1 },
  { 4, {1, 3, 1000000, 1000000}, 0, 0, -1 },
  { 4, {1, 8, 8, 3}, HIP_ONNX_LAYOUT_NCHW, 0, -1 },
  { 4, {1, 3, 8, 8}, 0, HIP_ONNX_FORMAT_GRAY, -1 },
  { 4, {1, 3, 8, 8}, 0, HIP_ONNX_FORMAT_RGBA, -1 },
};
/* *INDENT-ON* */

GST_START_TEST (test_shape)
{
  const Shape *shape = &shapes[__i__];
  gint64 dims[5];
  HipOrtTensor tensor = { (gchar *) "picture", FLOAT32, shape->n_dims, dims };
  HipOnnxImageSettings settings = { shape->layout, shape->format };
  g_autoptr (GError) error = NULL;
  HipOnnxImage image;
  gboolean ok;

  memcpy (dims, shape->dims, sizeof (dims));
  ok = hip_onnx_image_plan (&image, &tensor, FALSE, NULL, &settings, &error);
  if (shape->planar < 0) {
    fail_unless (!ok, "shape %d is taken", __i__);
    fail_unless (strstr (error->message, "\"picture\"") != NULL, "%s",
        error->message);
    return;
  }
  fail_unless (ok, "shape %d: %s", __i__, error ? error->message : "");
  fail_unless_equals_int (image.desc.layout, shape->planar ?
      GST_HIP_TENSOR_LAYOUT_NCHW : GST_HIP_TENSOR_LAYOUT_NHWC);
  fail_unless_equals_int (image.desc.format, shape->channels);
  fail_unless_equals_int64 (image.width, shape->width);
  fail_unless_equals_int64 (image.height, shape->height);
  fail_unless_equals_int64 (image.batch, shape->batch);
  hip_onnx_image_clear (&image);
}

GST_END_TEST;

GST_START_TEST (test_types)
{
  static const struct
  {
    ONNXTensorElementDataType ort;
    gint type;
    gdouble scale;
  } types[] = {
    {FLOAT32, GST_HIP_TENSOR_DATA_TYPE_FLOAT32, 1. / 255},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, GST_HIP_TENSOR_DATA_TYPE_FLOAT16,
        1. / 255},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, GST_HIP_TENSOR_DATA_TYPE_BFLOAT16,
        1. / 255},
    {UINT8, GST_HIP_TENSOR_DATA_TYPE_UINT8, 1},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, GST_HIP_TENSOR_DATA_TYPE_INT8, 1},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, -1,},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, -1,},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, -1,},
    {ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED, -1,},
  };
  gint64 dims[] = { 1, 3, 8, 8 };
  HipOnnxImageSettings settings = { 0, };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    HipOrtTensor tensor = { (gchar *) "x", types[i].ort, 4, dims };
    g_autoptr (GError) error = NULL;
    HipOnnxImage image;
    gboolean ok;

    ok = hip_onnx_image_plan (&image, &tensor, FALSE, NULL, &settings, &error);
    fail_unless_equals_int (ok, types[i].type >= 0);
    if (!ok) {
      fail_unless (g_error_matches (error, GST_HIP_ERROR,
              GST_HIP_ERROR_UNSUPPORTED));
      continue;
    }
    fail_unless_equals_int (image.desc.data_type, types[i].type);
    fail_unless_equals_float (image.desc.scale[0], types[i].scale);
    fail_unless_equals_float (image.desc.std[2], 1);
  }
}

GST_END_TEST;

GST_START_TEST (test_numbers)
{
  gint64 dims[] = { 1, 3, 8, 8 };
  HipOrtTensor tensor = { (gchar *) "x", FLOAT32, 4, dims };
  gdouble ranges[] = { 0, 255, 0, 1, -1, 1 };
  HipModelInfoTensor said = {.ranges = ranges,.n_ranges = 3 };
  HipModelInfoTensor nothing = { 0, };
  HipOnnxImageSettings settings = { 0, };
  g_autoptr (GError) error = NULL;
  HipOnnxImage image;

  /* Ranges: y = x (max - min) / 255 + min */
  fail_unless (hip_onnx_image_plan (&image, &tensor, TRUE, &said, &settings,
          NULL));
  fail_unless_equals_float (image.desc.scale[0], 1);
  fail_unless_equals_float (image.desc.mean[0], 0);
  fail_unless_equals_float (image.desc.scale[1], 1. / 255);
  fail_unless_equals_float (image.desc.scale[2], 2. / 255);
  fail_unless_equals_float (image.desc.mean[2], 1);
  fail_unless (image.warning == NULL);
  /* A model-info without: as they are */
  fail_unless (hip_onnx_image_plan (&image, &tensor, TRUE, &nothing, &settings,
          NULL));
  fail_unless_equals_float (image.desc.scale[0], 1);
  /* One range for all */
  said.n_ranges = 1;
  fail_unless (hip_onnx_image_plan (&image, &tensor, TRUE, &said, &settings,
          NULL));
  fail_unless_equals_float (image.desc.scale[2], 1);
  said.n_ranges = 2;
  fail_unless (!hip_onnx_image_plan (&image, &tensor, TRUE, &said, &settings,
          &error));
  fail_unless (strstr (error->message, "2 ranges") != NULL);
  g_clear_error (&error);

  /* Properties take their place, and that is said */
  said.n_ranges = 3;
  settings.mean = (HipOnnxNumbers) {
    {
    0.485, 0.456, 0.406}
  , 3};
  settings.std = (HipOnnxNumbers) {
    {
    0.25}
  , 1};
  fail_unless (hip_onnx_image_plan (&image, &tensor, TRUE, &said, &settings,
          NULL));
  fail_unless (image.warning != NULL);
  hip_onnx_image_clear (&image);
  fail_unless_equals_float (image.desc.mean[1], 0.456);
  fail_unless_equals_float (image.desc.std[2], 0.25);
  fail_unless_equals_float (image.desc.scale[1], 1);
  fail_unless (hip_onnx_image_plan (&image, &tensor, FALSE, NULL, &settings,
          NULL));
  fail_unless_equals_float (image.desc.scale[1], 1. / 255);
  /* Two numbers for three channels, and a division by nothing */
  settings.mean.n = 2;
  fail_unless (!hip_onnx_image_plan (&image, &tensor, FALSE, NULL, &settings,
          &error));
  fail_unless (strstr (error->message, "mean has 2 numbers") != NULL);
  g_clear_error (&error);
  settings.mean.n = 3;
  settings.std.values[0] = 0;
  fail_unless (!hip_onnx_image_plan (&image, &tensor, FALSE, NULL, &settings,
          &error));
  fail_unless (strstr (error->message, "std 0") != NULL, "%s", error->message);
}

GST_END_TEST;

GST_START_TEST (test_size)
{
  gint64 dims[] = { -1, 3, -1, -1 }, real[4];
  HipOrtTensor tensor = { (gchar *) "x", FLOAT32, 4, dims };
  HipOnnxImageSettings settings = { 0, };
  g_autoptr (GError) error = NULL;
  GstHipTensorDesc desc;
  HipOnnxImage image;
  gsize size;

  fail_unless (hip_onnx_image_plan (&image, &tensor, FALSE, NULL, &settings,
          NULL));
  fail_unless (hip_onnx_image_size (&image, 32, 16, 2, &desc, real, &size,
          NULL));
  fail_unless_equals_uint64 (size, 2 * 3 * 32 * 16 * 4);
  fail_unless (real[0] == 2 && real[1] == 3 && real[2] == 16 && real[3] == 32);

  /* More than anybody has */
  fail_unless (!hip_onnx_image_size (&image, 1000000, 1000000, 1, &desc, real,
          &size, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED));
}

GST_END_TEST;

static Suite *
onnx_image_suite (void)
{
  Suite *suite = suite_create ("onnx-image");
  TCase *tc = tcase_create ("general");

  GST_DEBUG_CATEGORY_INIT (gst_hip_onnx_debug, "hiponnx", 0, "tests");
  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_shape, 0, G_N_ELEMENTS (shapes));
  tcase_add_test (tc, test_types);
  tcase_add_test (tc, test_numbers);
  tcase_add_test (tc, test_size);
  return suite;
}

GST_CHECK_MAIN (onnx_image);
