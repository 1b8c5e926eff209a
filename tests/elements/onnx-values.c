/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a model see what the frame shows, and is what it says attached? Each
 * model gives its input back in another shape or type, so the numbers are known.
 */
#include <math.h>
#include <string.h>

#include <gst/hip/gsthip.h>

#include "onnx-common.h"

/* Of a frame of 4x4 RGB whose bytes count from 0 */
static gdouble
expected_byte (guint i)
{
  return i;
}

static guint
planar_index (guint i, guint pixels)
{
  return i % pixels * 3 + i / pixels;
}

static GstBuffer *
run_once (GstHarness * h, gsize size)
{
  GstBuffer *out = gst_harness_push_and_pull (h, counting_frame (size, 0));

  fail_unless (out != NULL);
  return out;
}

static void
check_floats (const GstTensor * tensor, guint n, gboolean planar, guint pixels,
    const gdouble scale[3], const gdouble offset[3])
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (tensor->data, &map, GST_MAP_READ));
  fail_unless_equals_uint64 (map.size, n * sizeof (gfloat));
  for (guint i = 0; i < n; i++) {
    guint channel = planar ? i / pixels : i % 3;
    gdouble byte = expected_byte (planar ? planar_index (i, pixels) : i);
    gdouble wanted = byte * scale[channel] + offset[channel];
    gfloat got = ((gfloat *) map.data)[i];

    fail_unless (fabs (got - wanted) <= 1e-5 * MAX (1, fabs (wanted)),
        "element %u is %.7g, should be %.7g", i, got, wanted);
  }
  gst_buffer_unmap (tensor->data, &map);
}

static const gdouble ones[3] = { 1, 1, 1 }, zeros[3];

/* --- what GStreamer's own element is tested for --- */

static void
check_ranges (const gchar * model, const gdouble min[3], const gdouble max[3])
{
  GstHarness *h = harness_for (make_inference (model, NULL), "RGB", 4, 4);
  GstBuffer *out = run_once (h, 48);
  gdouble scale[3];

  for (guint i = 0; i < 3; i++)
    scale[i] = (max[i] - min[i]) / 255;
  check_floats (get_tensor (out, 0), 48, TRUE, 16, scale, min);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_START_TEST (test_ranges)
{
  const gdouble bytes[] = { 255, 255, 255 }, minus[] = { -1, -1, -1 };
  const gdouble three_min[] = { 0, 0, -1 }, three_max[] = { 255, 1, 1 };

  check_ranges ("planar", zeros, bytes);
  check_ranges ("info-one-range", minus, ones);
  check_ranges ("info-three-ranges", three_min, three_max);
  check_ranges ("info-no-ranges", zeros, bytes);
}

GST_END_TEST;

typedef struct
{
  const gchar *model, *format;
  GstTensorDataType type;
  guint n_dims, dims[4];
  gboolean planar;
} Flat;

/* *INDENT-OFF* */
static const Flat flats[] = {
  { "flatten-float32", "RGB", GST_TENSOR_DATA_TYPE_FLOAT32, 2, {1, 48}, FALSE },
  { "flatten-uint8", "RGB", GST_TENSOR_DATA_TYPE_FLOAT32, 2, {1, 48}, FALSE },
  { "flatten-3d", "RGB", GST_TENSOR_DATA_TYPE_FLOAT32, 2, {3, 16}, TRUE },
  { "planar", "RGB", GST_TENSOR_DATA_TYPE_FLOAT32, 4, {1, 3, 4, 4}, TRUE },
  { "dynamic-batch", "RGB", GST_TENSOR_DATA_TYPE_FLOAT32, 2, {1, 48}, FALSE },
  { "int32-out", "RGB", GST_TENSOR_DATA_TYPE_INT32, 4, {1, 4, 4, 3}, FALSE },
  { "uint8-out", "RGB", GST_TENSOR_DATA_TYPE_UINT8, 4, {1, 4, 4, 3}, FALSE },
  { "float64-out", "RGB", GST_TENSOR_DATA_TYPE_FLOAT64, 4, {1, 4, 4, 3}, FALSE },
};
/* *INDENT-ON* */

static gdouble
element_at (const GstTensor * tensor, const guint8 * data, guint i)
{
  switch (tensor->data_type) {
    case GST_TENSOR_DATA_TYPE_FLOAT32:
      return ((const gfloat *) data)[i];
    case GST_TENSOR_DATA_TYPE_FLOAT64:
      return ((const gdouble *) data)[i];
    case GST_TENSOR_DATA_TYPE_INT32:
      return ((const gint32 *) data)[i];
    case GST_TENSOR_DATA_TYPE_INT64:
      return ((const gint64 *) data)[i];
    case GST_TENSOR_DATA_TYPE_UINT8:
      return data[i];
    case GST_TENSOR_DATA_TYPE_INT8:
      return ((const gint8 *) data)[i];
    default:
      fail ("type %d", tensor->data_type);
      return 0;
  }
}

GST_START_TEST (test_shapes)
{
  const Flat *flat = &flats[__i__];
  GstHarness *h = harness_for (make_inference (flat->model, NULL),
      flat->format, 4, 4);
  GstBuffer *out = run_once (h, 48);
  const GstTensor *tensor = get_tensor (out, 0);
  GstMapInfo map;

  fail_unless_equals_int (tensor->data_type, flat->type);
  fail_unless_equals_string (g_quark_to_string (tensor->id), "output-0");
  fail_unless_equals_int (tensor->num_dims, flat->n_dims);
  for (guint i = 0; i < flat->n_dims; i++)
    fail_unless_equals_uint64 (tensor->dims[i], flat->dims[i]);
  fail_unless_equals_int (tensor->dims_order, GST_TENSOR_DIM_ORDER_ROW_MAJOR);
  gst_buffer_map (tensor->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 48; i++)
    fail_unless_equals_float (element_at (tensor, map.data, i),
        expected_byte (flat->planar ? planar_index (i, 16) : i));
  gst_buffer_unmap (tensor->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_two_outputs)
{
  GstHarness *h = harness_for (make_inference ("two-outputs", NULL), "RGB", 4,
      4);
  GstBuffer *out = run_once (h, 48);
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (out);

  fail_unless_equals_int (meta->num_tensors, 2);
  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "output-0",
      2, 1, 48);
  check_tensor (get_tensor (out, 1), GST_TENSOR_DATA_TYPE_FLOAT32, "output-1",
      3, 1, 3, 16);
  fail_unless_equals_int (get_tensor (out, 1)->dims_order,
      GST_TENSOR_DIM_ORDER_COL_MAJOR);
  check_floats (get_tensor (out, 0), 48, FALSE, 16, ones, zeros);
  check_floats (get_tensor (out, 1), 48, TRUE, 16, ones, zeros);
  fail_unless_equals_int (gst_tensor_meta_get_index_from_id (meta,
          g_quark_from_string ("output-1")), 1);
  fail_unless (gst_tensor_meta_get_index_from_id (meta,
          g_quark_from_string ("unknown")) < 0);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_gray)
{
  GstHarness *h = harness_for (make_inference ("flatten-gray", NULL), "GRAY8",
      4, 4);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 16, NULL), *out;
  GstMapInfo map;

  gst_buffer_memset (in, 0, 42, 16);
  out = gst_harness_push_and_pull (h, in);
  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "output-0",
      2, 1, 16);
  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 16; i++)
    fail_unless_equals_float (((gfloat *) map.data)[i], 42);
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_timestamps_and_flags)
{
  GstHarness *h = harness_for (make_inference ("planar", NULL), "RGB", 4, 4);
  GstBuffer *in = counting_frame (48, 0), *out;

  GST_BUFFER_PTS (in) = 5 * GST_SECOND;
  GST_BUFFER_DTS (in) = 4 * GST_SECOND;
  GST_BUFFER_DURATION (in) = 40 * GST_MSECOND;
  GST_BUFFER_OFFSET (in) = 7;
  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_DISCONT);
  gst_buffer_add_video_region_of_interest_meta (in, "face", 1, 1, 2, 2);
  out = gst_harness_push_and_pull (h, in);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 5 * GST_SECOND);
  fail_unless_equals_uint64 (GST_BUFFER_DTS (out), 4 * GST_SECOND);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (out), 40 * GST_MSECOND);
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (out), 7);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT));
  fail_unless (gst_buffer_get_video_region_of_interest_meta_id (out, 0) !=
      NULL);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* The picture goes on as it came, in the same memory. */
GST_START_TEST (test_frame_is_untouched)
{
  GstHarness *h = harness_for (make_inference ("planar", NULL), "RGB", 4, 4);
  GstBuffer *in = counting_frame (48, 100), *out;
  GstMemory *memory = gst_buffer_peek_memory (in, 0);
  guint8 bytes[48];

  out = gst_harness_push_and_pull (h, in);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  gst_buffer_extract (out, 0, bytes, 48);
  for (guint i = 0; i < 48; i++)
    fail_unless_equals_int (bytes[i], 100 + i);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- what is ours --- */

/* scale, mean and std by channel */
GST_START_TEST (test_numbers)
{
  GstHarness *h = harness_for (make_inference ("any-float32-nchw",
          "mean", "<0.485,0.456,0.406>", "std", "<0.229,0.224,0.225>", NULL),
      "RGB", 5, 3);
  const gdouble mean[] = { 0.485, 0.456, 0.406 };
  const gdouble std[] = { 0.229, 0.224, 0.225 };
  /* Rows of 15 bytes are padded to 16. */
  GstBuffer *in = counting_frame (48, 0), *out;
  GstMapInfo map;

  out = gst_harness_push_and_pull (h, in);
  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "y", 4, 1,
      3, 3, 5);
  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 45; i++) {
    guint c = i / 15, row = i % 15 / 5, column = i % 5;
    gdouble byte = row * 16 + column * 3 + c;

    fail_unless (fabs (((gfloat *) map.data)[i] - (byte / 255 -
                mean[c]) / std[c]) < 1e-5, "element %u", i);
  }
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Both orders of channels, interleaved, of integers */
GST_START_TEST (test_bgr)
{
  GstHarness *h = harness_for (make_inference ("any-uint8-nhwc",
          "input-format", "bgr", NULL), "RGB", 4, 4);
  GstBuffer *out = run_once (h, 48);
  GstMapInfo map;

  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_UINT8, "y", 4, 1, 4,
      4, 3);
  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 48; i++)
    fail_unless_equals_int (map.data[i], i / 3 * 3 + 2 - i % 3);
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Signed ones, 0 in the middle, clamped */
GST_START_TEST (test_int8)
{
  GstHarness *h = harness_for (make_inference ("any-int8-nhwc", "mean",
          "<128>", "scale", "<2.0>", NULL), "RGB", 8, 8);
  GstBuffer *out = run_once (h, 192);
  GstMapInfo map;

  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (gint i = 0; i < 192; i++)
    fail_unless_equals_int (((gint8 *) map.data)[i], CLAMP (2 * i - 128, -128,
            127));
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

static gdouble
half_to_double (guint16 half)
{
  gint exponent = half >> 10 & 31;
  gdouble fraction = half & 1023, value;

  value = exponent ? ldexp (1024 + fraction, exponent - 25) :
      ldexp (fraction, -24);
  return half & 0x8000 ? -value : value;
}

/* Within one unit of the last place */
GST_START_TEST (test_float16)
{
  GstHarness *h = harness_for (make_inference ("any-float16-nchw", "mean",
          "<0.5>", "std", "<0.25>", NULL), "RGB", 4, 4);
  GstBuffer *out = run_once (h, 48);
  GstMapInfo map;

  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT16, "y", 4, 1,
      3, 4, 4);
  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 48; i++) {
    gdouble wanted = (planar_index (i, 16) / 255. - 0.5) / 0.25;
    gdouble got = half_to_double (((guint16 *) map.data)[i]);

    fail_unless (fabs (got - wanted) <= ldexp (1, -10), "element %u: %g, %g",
        i, got, wanted);
  }
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_bfloat16)
{
  GstHarness *h = harness_for (make_inference ("any-bfloat16-nchw", NULL),
      "RGB", 4, 4);
  GstBuffer *out = run_once (h, 48);
  GstMapInfo map;

  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 48; i++) {
    gdouble wanted = planar_index (i, 16) / 255.;

    fail_unless (fabs (((gfloat *) map.data)[i] - wanted) <= wanted / 256);
  }
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Two dimensions are luma. */
GST_START_TEST (test_two_dimensions)
{
  GstHarness *h = harness_for (make_inference ("flat", NULL), "GRAY8", 8, 2);
  GstBuffer *out = run_once (h, 16);
  GstMapInfo map;

  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "y", 2, 2,
      8);
  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 16; i++)
    fail_unless (fabs (((gfloat *) map.data)[i] - i / 255.) < 1e-6);
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Formats whose colours are known: white, black, gray of video range */
GST_START_TEST (test_yuv)
{
  GstHarness *h = harness_for (make_inference ("any-uint8-nhwc", NULL), "NV12",
      8, 4);
  static const guint8 luma[] = { 16, 235, 126 };
  static const guint8 gray[] = { 0, 255, 128 };

  for (guint k = 0; k < G_N_ELEMENTS (luma); k++) {
    GstBuffer *in = gst_buffer_new_allocate (NULL, 48, NULL), *out;
    GstMapInfo map;

    gst_buffer_memset (in, 0, luma[k], 32);
    gst_buffer_memset (in, 32, 128, 16);
    out = gst_harness_push_and_pull (h, in);
    check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_UINT8, "y", 4, 1,
        4, 8, 3);
    gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
    for (guint i = 0; i < 96; i++)
      fail_unless_equals_int (map.data[i], gray[k]);
    gst_buffer_unmap (get_tensor (out, 0)->data, &map);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_extra_input)
{
  GstHarness *h = harness_for (make_inference ("scaled", "extra-inputs",
          "inputs,factor=(double)3.5", "scale", "<1>", NULL), "RGB", 4, 4);
  const gdouble scale[] = { 3.5, 3.5, 3.5 };
  GstBuffer *out = run_once (h, 48);

  check_floats (get_tensor (out, 0), 48, TRUE, 16, scale, zeros);
  gst_buffer_unref (out);
  gst_harness_teardown (h);

  h = harness_for (make_inference ("image-size", "extra-inputs",
          "inputs,size=<4,2>", NULL), "RGB", 4, 4);
  out = run_once (h, 48);
  {
    const GstTensor *tensor = get_tensor (out, 1);
    gint64 sizes[2];

    check_tensor (tensor, GST_TENSOR_DATA_TYPE_INT64, "z", 2, 1, 2);
    gst_buffer_extract (tensor->data, 0, sizes, sizeof (sizes));
    fail_unless (sizes[0] == 4 && sizes[1] == 2);
  }
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_scalar_output)
{
  GstHarness *h = harness_for (make_inference ("scalar", "scale", "<1>", NULL),
      "RGB", 4, 4);
  GstBuffer *out = run_once (h, 48);
  gfloat mean;

  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "y", 0);
  fail_unless_equals_int (gst_buffer_extract (get_tensor (out, 0)->data, 0,
          &mean, sizeof (mean)), sizeof (mean));
  fail_unless (fabs (mean - 23.5) < 1e-5);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* As long as the frame says, and nothing at all for a black one */
GST_START_TEST (test_data_dependent_output)
{
  GstHarness *h = harness_for (make_inference ("positions", NULL), "GRAY8", 8,
      2);
  static const guint8 row[16] = {[3] = 9,[10] = 200 };
  GstBuffer *out;
  gint64 at[8];

  out = gst_harness_push_and_pull (h, gst_buffer_new_memdup (row, 16));
  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_INT64, "y", 2, 4, 2);
  gst_buffer_extract (get_tensor (out, 0)->data, 0, at, sizeof (at));
  fail_unless (at[4] == 0 && at[5] == 1 && at[6] == 3 && at[7] == 2);
  gst_buffer_unref (out);

  out = gst_buffer_new_allocate (NULL, 16, NULL);
  gst_buffer_memset (out, 0, 0, 16);
  out = gst_harness_push_and_pull (h, out);
  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_INT64, "y", 2, 4, 0);
  fail_unless_equals_int (gst_buffer_get_size (get_tensor (out, 0)->data), 0);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Without a model-info: by the model's metadata, else by its name */
GST_START_TEST (test_ids)
{
  GstHarness *h = harness_for (make_inference ("batch-any", NULL), "RGB", 4,
      4);
  GstBuffer *out = run_once (h, 48);

  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "means", 2,
      1, 3);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- sizes --- */

/* The red channel of the model's 10x6 picture, of a frame of one colour */
static void
check_resized (const gchar * mode, const gchar * placement, guint width,
    guint height, guint x0, guint y0, guint x1, guint y1)
{
  GstHarness *h = harness_for (make_inference ("wide", "resize-mode", mode,
          "pad-placement", placement, "pad-value", "<7,8,9>", "scale", "<1>",
          NULL), "RGBx", width, height);
  gsize size = width * height * 4;
  GstBuffer *in = gst_buffer_new_allocate (NULL, size, NULL), *out;
  GstMapInfo map;

  gst_buffer_memset (in, 0, 200, size);
  out = gst_harness_push_and_pull (h, in);
  check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "y", 4, 1,
      3, 6, 10);
  gst_buffer_map (get_tensor (out, 0)->data, &map, GST_MAP_READ);
  for (guint i = 0; i < 180; i++) {
    guint x = i % 10, y = i / 10 % 6;
    gboolean inside = x >= x0 && x < x1 && y >= y0 && y < y1;
    gfloat wanted = inside ? 200 : 7 + i / 60;

    fail_unless (fabs (((gfloat *) map.data)[i] - wanted) < 1e-3,
        "%s %ux%u: %g at %u, %u", mode, width, height,
        ((gfloat *) map.data)[i], x, y);
  }
  gst_buffer_unmap (get_tensor (out, 0)->data, &map);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_START_TEST (test_sizes)
{
  check_resized ("stretch", "centre", 32, 32, 0, 0, 10, 6);
  check_resized ("stretch", "centre", 2, 2, 0, 0, 10, 6);
  check_resized ("crop", "centre", 32, 32, 0, 0, 10, 6);
  check_resized ("letterbox", "centre", 32, 32, 2, 0, 8, 6);
  check_resized ("letterbox", "top-left", 32, 32, 0, 0, 6, 6);
  /* 40x8 becomes 10x2: 4 rows of padding, 2 above */
  check_resized ("letterbox", "centre", 40, 8, 0, 2, 10, 4);
  check_resized ("letterbox", "top-left", 40, 8, 0, 0, 10, 2);
}

GST_END_TEST;

/* The map from the model's picture to the frame, which follows a frame that is
 * scaled and downloaded */
GST_START_TEST (test_frame_map)
{
  static const gchar *const behind[] = { "", " ! hipdownload ! videoscale",
    " ! hipscale ! hipdownload"
  };
  g_autofree gchar *model = model_path ("wide"), *text = NULL;
  gdouble x, y, scale = __i__ ? .5 : 1;
  GstHipFrameMap map;
  GstHarness *h;
  GstBuffer *out;

  text = g_strdup_printf ("hipupload ! hiponnxinference threads=1"
      " execution-provider=%s model-file=%s resize-mode=letterbox%s",
      g_getenv ("GST_HIP_TEST_PROVIDER") ? g_getenv ("GST_HIP_TEST_PROVIDER") :
      "auto", model, behind[__i__]);
  h = gst_harness_new_parse (text);
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=RGB,width=40,height=40,framerate=25/1");
  if (__i__)
    gst_harness_set_sink_caps_str (h, "video/x-raw,format=RGB,width=20,"
        "height=20,framerate=25/1");
  /* The model's 10x6 have the frame in 6x6, two columns of padding before it. */
  out = gst_harness_push_and_pull (h, counting_frame (40 * 40 * 3, 0));
  fail_unless (gst_hip_frame_map_find (out, "y", &map));
  fail_unless (gst_hip_frame_map_point (&map, 2, 0, &x, &y));
  fail_unless (x == 0 && y == 0, "%g %g", x, y);
  fail_unless (gst_hip_frame_map_point (&map, 5, 3, &x, &y));
  fail_unless (ABS (x - 20 * scale) < 1e-9 && ABS (y - 20 * scale) < 1e-9,
      "%g %g", x, y);
  fail_if (gst_hip_frame_map_point (&map, 1, 3, &x, &y));
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
onnx_values_suite (void)
{
  Suite *suite = suite_create ("onnx-values");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_ranges);
  tcase_add_loop_test (tc, test_shapes, 0, G_N_ELEMENTS (flats));
  tcase_add_test (tc, test_two_outputs);
  tcase_add_test (tc, test_gray);
  tcase_add_test (tc, test_timestamps_and_flags);
  tcase_add_test (tc, test_frame_is_untouched);
  tcase_add_test (tc, test_numbers);
  tcase_add_test (tc, test_bgr);
  tcase_add_test (tc, test_int8);
  tcase_add_test (tc, test_float16);
  tcase_add_test (tc, test_bfloat16);
  tcase_add_test (tc, test_two_dimensions);
  tcase_add_test (tc, test_yuv);
  tcase_add_test (tc, test_extra_input);
  tcase_add_test (tc, test_scalar_output);
  tcase_add_test (tc, test_data_dependent_output);
  tcase_add_test (tc, test_ids);
  tcase_add_test (tc, test_sizes);
  tcase_add_loop_test (tc, test_frame_map, 0, 3);
  return suite;
}

GST_CHECK_MAIN (onnx_values);
