/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are tensors made of frames, and frames of tensors, as the reference says?
 *
 * Every format with every type, layout and order of channels, both ways; all
 * else (size, strides, place, batch, normalization, colorimetry, modes, data)
 * is drawn at random for each, from a seed that is printed and can be set:
 * GST_HIP_TEST_SEED. A full run takes another one each time.
 * GST_HIP_TEST_FORMATS=NV12,RGBA does only these. GST_HIP_TEST_PART=N takes one
 * case of N, other ones with each format, so that all are met with some.
 */
#include <math.h>
#include <string.h>

#include "../conformance/vendor.h"
#include "tensor-case.h"

#define MAX_COMPLAINTS 20

static GstHipDevice *device;
static guint32 seed;

static const gint sizes[][2] = {
  {1, 1}, {2, 2}, {3, 3}, {5, 7}, {8, 4}, {17, 9}, {34, 21}, {67, 6}, {130, 5},
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
draw_colour (GstVideoColorimetry * colour, gboolean rgb, GRand * rand)
{
  static const GstVideoColorMatrix matrices[] = { GST_VIDEO_COLOR_MATRIX_BT601,
    GST_VIDEO_COLOR_MATRIX_BT709, GST_VIDEO_COLOR_MATRIX_BT2020,
    GST_VIDEO_COLOR_MATRIX_UNKNOWN
  };
  static const GstVideoTransferFunction transfers[] = {
    GST_VIDEO_TRANSFER_BT709, GST_VIDEO_TRANSFER_SRGB,
    GST_VIDEO_TRANSFER_GAMMA22, GST_VIDEO_TRANSFER_UNKNOWN
  };
  static const GstVideoColorPrimaries primaries[] = {
    GST_VIDEO_COLOR_PRIMARIES_BT709, GST_VIDEO_COLOR_PRIMARIES_BT2020,
    GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
  };

  colour->range = draw (rand, 3);
  colour->matrix = rgb ? GST_VIDEO_COLOR_MATRIX_RGB : matrices[draw (rand, 4)];
  colour->transfer = transfers[draw (rand, 4)];
  colour->primaries = primaries[draw (rand, 3)];
}

static void
draw_normalization (GstHipTensorDesc * d, GRand * rand)
{
  gdouble random = 0.1 + g_rand_double (rand);
  guint kind = draw (rand, 6);

  for (guint i = 0; i < 4; i++) {
    switch (kind) {
      case 0:                  /* ImageNet */
        d->scale[i] = 1 / 255.0;
        d->mean[i] = 0.4 + 0.03 * i;
        d->std[i] = 0.229 - 0.002 * i;
        break;
      case 1:                  /* -1 to 1 */
        d->scale[i] = 1 / 127.5;
        d->mean[i] = 1;
        break;
      case 2:                  /* Signed codes, and signed codes of half the range */
        d->scale[i] = random < 0.6 ? 1 : 0.5;
        d->mean[i] = random < 0.6 ? 128 : 64;
        break;
      case 3:
        d->scale[i] = (draw (rand, 2) ? 1 : -1) * (random + i * 0.3);
        d->mean[i] = 100 * g_rand_double (rand) - 30;
        d->std[i] = draw (rand, 2) ? 0 : 0.5 + g_rand_double (rand);
        break;
      default:
        break;
    }
  }
}

/* Packed, padded, or with room for something else */
static void
draw_strides (TensorCase * c, GRand * rand)
{
  GstHipTensorDesc *d = &c->desc;
  guint n = gst_hip_tensor_desc_get_n_channels (d);
  guint element = d->data_type == GST_HIP_TENSOR_DATA_TYPE_FLOAT32 ? 4 :
      d->data_type >= GST_HIP_TENSOR_DATA_TYPE_UINT8 ? 1 : 2;
  gboolean planar = d->layout == GST_HIP_TENSOR_LAYOUT_NCHW;
  gsize row = (gsize) d->width * element * (planar ? 1 : n), plane;

  if (draw (rand, 2))
    d->row_stride = row + draw (rand, 20) * element;
  plane = (d->row_stride ? d->row_stride : row) * d->height;
  if (planar && draw (rand, 2))
    d->channel_stride = plane + draw (rand, 20) * element;
  if (planar)
    plane = (d->channel_stride ? d->channel_stride : plane) * n;
  if (draw (rand, 2))
    d->batch_stride = plane + draw (rand, 20) * element;
  d->batch = draw (rand, 4);
  c->index = draw (rand, MAX (d->batch, 1));
  c->offset = draw (rand, 2) ? GUARD : GUARD + draw (rand, 16) * element;
}

static void
draw_case (GstVideoFormat format, guint combination, guint32 case_seed,
    TensorCase * c)
{
  static const GstVideoChromaSite sites[] = { GST_VIDEO_CHROMA_SITE_UNKNOWN,
    GST_VIDEO_CHROMA_SITE_JPEG, GST_VIDEO_CHROMA_SITE_MPEG2,
    GST_VIDEO_CHROMA_SITE_COSITED
  };
  GRand *rand = g_rand_new_with_seed (case_seed);
  const gint *size = sizes[draw (rand, G_N_ELEMENTS (sizes))];

  memset (c, 0, sizeof (*c));
  c->seed = case_seed;
  c->from_tensor = combination % 2;
  c->desc.layout = combination / 2 % 2;
  c->desc.data_type = combination / 4 % 5;
  c->desc.format = combination / 20 % 5;
  c->desc.width = size[0];
  c->desc.height = size[1];
  gst_video_info_set_format (&c->frame, format, size[0], size[1]);
  draw_colour (&c->frame.colorimetry, GST_VIDEO_INFO_IS_RGB (&c->frame), rand);
  draw_colour (&c->desc.colorimetry, TRUE, rand);
  if (c->desc.format == GST_HIP_TENSOR_FORMAT_GRAY && draw (rand, 2))
    c->desc.colorimetry.matrix = GST_VIDEO_COLOR_MATRIX_BT709;
  if (!GST_VIDEO_INFO_IS_RGB (&c->frame))
    c->frame.chroma_site = sites[draw (rand, 4)];
  if (GST_VIDEO_INFO_HAS_ALPHA (&c->frame) && draw (rand, 6) == 0)
    GST_VIDEO_INFO_FLAG_SET (&c->frame, GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA);
  if (size[1] > 2 && size[1] % 4 != 2 && draw (rand, 6) == 0)
    c->frame.interlace_mode = GST_VIDEO_INTERLACE_MODE_INTERLEAVED;
  draw_strides (c, rand);
  draw_normalization (&c->desc, rand);
  c->data = draw (rand, N_DATA);
  c->modes.alpha_value = 1;
  if (draw (rand, 6) == 0) {
    c->modes.matrix_mode = draw (rand, 4);
    c->modes.chroma_mode = draw (rand, 4);
    c->modes.primaries_mode = draw (rand, 3);
    c->modes.gamma_mode = draw (rand, 2);
    c->modes.alpha_mode = draw (rand, 3);
    c->modes.alpha_value = draw (rand, 5) / 4.0;
  }
  g_rand_free (rand);
}

/* --- running --- */

static gboolean
run (const TensorCase * c, gdouble * worst)
{
  gchar *complaint, *text;

  if (tensor_case_run (device, c, worst, &complaint))
    return TRUE;
  text = tensor_case_describe (c);
  g_print ("FAILED %s: %s\n", text, complaint);
  g_free (text);
  g_free (complaint);
  return FALSE;
}

static gboolean
is_left_out (guint format, guint combination)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_PART");
  guint n = wish ? strtoul (wish, NULL, 0) : 1;

  return n > 1 && (format + combination) % n != 0;
}

GST_START_TEST (test_format)
{
  GstVideoFormat format = gst_video_format_from_string (names[__i__]);
  const gchar *wish = g_getenv ("GST_HIP_TEST_FORMATS");
  guint n = g_getenv ("GST_HIP_TEST_FULL") ? 800 : 100, failures = 0;
  gchar **wishes = g_strsplit (wish ? wish : names[__i__], ",", -1);
  gdouble worst = 0;

  for (guint i = 0; format != GST_VIDEO_FORMAT_UNKNOWN
      && g_strv_contains ((const gchar * const *) wishes, names[__i__])
      && i < n; i++) {
    TensorCase c;

    if (is_left_out (__i__, i))
      continue;
    draw_case (format, i, seed + 7919 * i + 1299709 * format, &c);
    failures += !run (&c, &worst);
    fail_if (failures >= MAX_COMPLAINTS, "too many failures");
  }
  g_strfreev (wishes);
  if (worst > 0)
    g_print ("%s: float32 within %.2g of its range at worst\n", names[__i__],
        worst);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

/* --- what cannot be --- */

typedef struct
{
  GstHipConverter *to, *from, *frames;
  GstBuffer *frame;
  GstMemory *tensor;            /* of two pictures and 8 bytes */
} Rig;

static GstBuffer *
make_frame (const GstVideoInfo * info)
{
  GstVideoInfo copy = *info;
  guint8 *zero = g_malloc0 (info->size);
  GstBuffer *buffer = case_make_buffer (device, &copy, zero);

  g_free (zero);
  return buffer;
}

static void
rig_init (Rig * rig)
{
  GstHipTensorDesc desc = {.batch = 2,.width = 16,.height = 8 };
  GstVideoInfo info;
  gsize size;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 16, 8);
  fail_unless (gst_hip_tensor_desc_get_size (&desc, &size, NULL));
  rig->to = gst_hip_converter_new_to_tensor (device, &info, &desc, NULL, NULL);
  rig->from = gst_hip_converter_new_from_tensor (device, &desc, &info, NULL,
      NULL);
  rig->frames = gst_hip_converter_new (device, &info, &info, NULL, NULL);
  fail_unless (rig->to && rig->from && rig->frames);
  rig->frame = make_frame (&info);
  rig->tensor = gst_hip_allocator_alloc_linear (NULL, device, size + 8, NULL);
}

static void
rig_clear (Rig * rig)
{
  gst_clear_object (&rig->to);
  gst_clear_object (&rig->from);
  gst_clear_object (&rig->frames);
  gst_buffer_unref (rig->frame);
  gst_memory_unref (rig->tensor);
}

/* Both ways */
static void
try (Rig * rig, GstMemory * tensor, gsize offset, guint index, gboolean works)
{
  GstHipEvent *event = NULL;
  GError *error = NULL;

  fail_unless_equals_int (gst_hip_converter_convert_to_tensor (rig->to, NULL,
          rig->frame, tensor, offset, index, &event, &error), works);
  for (guint i = 0; i < 2; i++) {
    fail_unless (works ? error == NULL : g_error_matches (error, GST_HIP_ERROR,
            GST_HIP_ERROR_INVALID));
    fail_unless ((event != NULL) == works);
    g_clear_error (&error);
    g_clear_pointer (&event, gst_hip_event_unref);
    if (i == 0)
      fail_unless_equals_int (gst_hip_converter_convert_from_tensor (rig->from,
              NULL, tensor, offset, index, rig->frame, &event, &error), works);
  }
}

GST_START_TEST (test_places)
{
  GstMemory *part, *system = gst_allocator_alloc (NULL, 65536, NULL);
  Rig rig;

  rig_init (&rig);
  try (&rig, rig.tensor, 0, 0, TRUE);
  try (&rig, rig.tensor, 8, 1, TRUE);
  try (&rig, rig.tensor, 0, 2, FALSE);
  try (&rig, rig.tensor, 2, 0, FALSE);
  try (&rig, rig.tensor, 12, 0, TRUE);  /* the first of two is all there */
  try (&rig, rig.tensor, 12, 1, FALSE);
  try (&rig, rig.tensor, G_MAXSIZE - 3, 0, FALSE);
  try (&rig, system, 0, 0, FALSE);

  /* Of a part, its own start counts */
  part = gst_memory_share (rig.tensor, 6, -1);
  try (&rig, part, 0, 0, FALSE);
  try (&rig, part, 2, 1, TRUE);
  gst_memory_unref (part);
  gst_memory_unref (system);
  rig_clear (&rig);
}

GST_END_TEST;

GST_START_TEST (test_other_converters)
{
  GError *error = NULL;
  GstVideoInfo info;
  GstBuffer *other;
  Rig rig;

  rig_init (&rig);
  fail_if (gst_hip_converter_convert_to_tensor (rig.frames, NULL, rig.frame,
          rig.tensor, 0, 0, NULL, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);
  fail_if (gst_hip_converter_convert_from_tensor (rig.to, NULL, rig.tensor, 0,
          0, rig.frame, NULL, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 16, 10);
  other = make_frame (&info);
  fail_if (gst_hip_converter_convert_buffer (rig.from, NULL, other, rig.frame,
          NULL, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);
  fail_if (gst_hip_converter_convert_to_tensor (rig.to, NULL, other,
          rig.tensor, 0, 0, NULL, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);
  gst_buffer_unref (other);
  rig_clear (&rig);
}

GST_END_TEST;

GST_START_TEST (test_no_converter)
{
  GstHipTensorDesc desc = {.width = 16,.height = 8,.row_stride = 63 };
  GError *error = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 16, 8);
  fail_if (gst_hip_converter_new_to_tensor (device, &info, &desc, NULL,
          &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);
  desc.row_stride = 0;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12_4L4, 16, 8);
  fail_if (gst_hip_converter_new_from_tensor (device, &desc, &info, NULL,
          &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED));
  g_clear_error (&error);
}

GST_END_TEST;

/* The example of the documentation, to the digits it gives */
GST_START_TEST (test_example)
{
  GstHipTensorDesc desc = {.width = 1,.height = 1,
    .mean = {0.485, 0.456, 0.406},.std = {0.229, 0.224, 0.225}
  };
  static const guint8 red[] = { 255, 0, 0, 255 };
  GstHipConverter *converter;
  GstBuffer *buffer;
  GstVideoInfo info;
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, 12, NULL);
  GstMapInfo map;
  const gfloat *got;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 1, 1);
  converter = gst_hip_converter_new_to_tensor (device, &info, &desc, NULL,
      NULL);
  buffer = case_make_buffer (device, &info, red);
  fail_unless (gst_hip_converter_convert_to_tensor (converter, NULL, buffer,
          memory, 0, 0, NULL, NULL));
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  got = (const gfloat *) map.data;
  fail_unless (fabs (got[0] - 2.2489) < 5e-5);
  fail_unless (fabs (got[1] + 0.456 / 0.224) < 1e-6);
  fail_unless (fabs (got[2] + 0.406 / 0.225) < 1e-6);
  gst_memory_unmap (memory, &map);
  gst_memory_unref (memory);
  gst_buffer_unref (buffer);
  gst_object_unref (converter);
}

GST_END_TEST;

static void
setup (void)
{
  device = conformance_open ();
}

static void
teardown (void)
{
  gst_clear_object (&device);
}

static Suite *
tensor_suite (void)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_SEED");
  Suite *s = suite_create ("tensor");
  TCase *tc = tcase_create ("formats");

  seed = wish ? strtoul (wish, NULL, 0) :
      g_getenv ("GST_HIP_TEST_FULL") ? g_random_int () : 1;
  g_print ("seed: GST_HIP_TEST_SEED=%u\n", seed);
  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 600);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_places);
  tcase_add_test (tc, test_other_converters);
  tcase_add_test (tc, test_no_converter);
  tcase_add_test (tc, test_example);
  tcase_add_loop_test (tc, test_format, 0, G_N_ELEMENTS (names));
  return s;
}

CONFORMANCE_MAIN (tensor);
