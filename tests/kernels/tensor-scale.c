/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are frames of one size what they should be as tensors of another, stretched,
 * letterboxed, cropped, turned; and do points find back?
 *
 * What is drawn at random comes from a seed that is printed and can be set:
 * GST_HIP_TEST_SEED. GST_HIP_TEST_FORMATS=FORMAT,FORMAT draws from those alone.
 */
#include <math.h>
#include <string.h>

#include <gst/check/gstcheck.h>

#include "tensor-case.h"

#define MAX_COMPLAINTS 20

static GstHipDevice *device;
static guint32 seed;

static const gchar *const names[] = { "NV12", "I420", "P010_10LE", "RGBA",
  "BGR", "YUY2", "GRAY8", "v210", "AYUV", "RGB10A2_LE", "Y41B"
};

/* Of the frame, of the tensor */
static const gint sizes[][4] = {
  {64, 36, 32, 32}, {36, 64, 32, 32}, {33, 17, 40, 40}, {20, 20, 40, 20},
  {7, 5, 50, 31}, {100, 3, 16, 16}, {16, 16, 16, 16}, {1, 1, 9, 5}
};

static guint
draw (GRand * rand, guint n)
{
  return g_rand_int_range (rand, 0, n);
}

static GstVideoFormat
draw_format (GRand * rand)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_FORMATS");
  gchar **wanted = g_strsplit (wish ? wish : "", ",", 0);
  guint n = g_strv_length (wanted);
  const gchar *name = n ? wanted[draw (rand, n)] :
      names[draw (rand, G_N_ELEMENTS (names))];
  GstVideoFormat format = gst_video_format_from_string (name);

  g_strfreev (wanted);
  return format;
}

/* Where the documentation says that it goes */
static void
place (RefScale * scale, const gint size[4], GstHipResizeMode mode,
    gboolean top_left)
{
  const gint frame[2] = { size[scale->transpose ? 1 : 0],
    size[scale->transpose ? 0 : 1]
  };
  const gint *tensor = size + 2;
  gboolean wide = frame[0] * tensor[1] >= frame[1] * tensor[0];
  guint along = wide ? 0 : 1, across = 1 - along;       /* the direction that decides */
  guint d = scale->transpose ? 1 - along : along;

  if (mode == GST_HIP_RESIZE_MODE_LETTERBOX) {
    gint n = (2 * frame[across] * tensor[along] + frame[along]) /
        (2 * frame[along]);

    n = MAX (n, 1);
    scale->dst_size[across] = n;
    scale->dst[across] = top_left ? 0 : (tensor[across] - n) / 2;
  } else if (mode == GST_HIP_RESIZE_MODE_CROP) {
    gdouble n = (gdouble) frame[across] * tensor[along] / tensor[across];

    scale->src_size[d] = n;
    scale->src[d] = (frame[along] - n) / 2;
  }
}

static void
draw_case (guint i, GRand * rand, TensorCase * c, RefScale * scale,
    gdouble pad[4], gchar ** fields)
{
  static const gchar *const modes[] = { "stretch", "letterbox", "crop" };
  const gint *size = sizes[i % G_N_ELEMENTS (sizes)];
  GstHipResizeMode mode = i / G_N_ELEMENTS (sizes) % 3;
  gboolean top_left = draw (rand, 2);

  memset (c, 0, sizeof (*c));
  c->seed = g_rand_int (rand);
  c->desc.layout = draw (rand, 2);
  c->desc.data_type = draw (rand, 5);
  c->desc.format = draw (rand, 5);
  c->desc.width = size[2];
  c->desc.height = size[3];
  c->desc.batch = 2;
  c->index = draw (rand, 2);
  c->offset = GUARD;
  c->desc.mean[1] = 0.25;
  gst_video_info_set_format (&c->frame, draw_format (rand), size[0], size[1]);
  c->data = draw (rand, N_DATA);
  c->modes.alpha_value = 1;
  ref_scale_init (scale, draw (rand, GST_HIP_SCALE_METHOD_AUTO + 1), size[0],
      size[1], size[2], size[3], draw (rand, 8));
  if (size[0] == size[2] && size[1] == size[3])
    scale->method = GST_HIP_SCALE_METHOD_AUTO;  /* no other one does anything */
  place (scale, size, mode, top_left);
  for (guint k = 0; k < 4; k++)
    pad[k] = 10 + 60 * k;
  *fields = g_strdup_printf ("c, GstHipConverter.resize-mode="
      "(GstHipResizeMode)%s, GstHipConverter.pad-placement="
      "(GstHipPadPlacement)%s, GstHipConverter.pad-value="
      "(double)<10.0, 70.0, 130.0, 190.0>", modes[mode],
      top_left ? "top-left" : "centre");
  /* By channel there, by component here */
  if (c->desc.format == GST_HIP_TENSOR_FORMAT_BGR
      || c->desc.format == GST_HIP_TENSOR_FORMAT_BGRA) {
    pad[0] = 130;
    pad[2] = 10;
  }
  scale->pad = pad;
  scale->resize = *fields;
  c->modes.scale = scale;
}

GST_START_TEST (test_modes)
{
  GRand *rand = g_rand_new_with_seed (seed);
  guint n = g_getenv ("GST_HIP_TEST_FULL") ? 2000 : 240, failures = 0;

  for (guint i = 0; i < n; i++) {
    gdouble pad[4], worst = 0;
    gchar *complaint, *text, *fields;
    RefScale scale;
    TensorCase c;

    draw_case (i, rand, &c, &scale, pad, &fields);
    if (!tensor_case_run (device, &c, &worst, &complaint)) {
      text = tensor_case_describe (&c);
      g_print ("FAILED %s, %s, method %d: %s\n", text, fields, scale.method,
          complaint);
      g_free (text);
      g_free (complaint);
      fail_if (++failures >= MAX_COMPLAINTS, "too many failures");
    }
    g_free (fields);
  }
  g_rand_free (rand);
  fail_unless_equals_int (failures, 0);
}

GST_END_TEST;

/* A tensor of fields and one that becomes a larger frame */
GST_START_TEST (test_fields_and_back)
{
  GRand *rand = g_rand_new_with_seed (seed + 1);

  for (guint i = 0; i < 20; i++) {
    TensorCase c = { i % 2, };
    gint size[4] = { 24, 16, 11, 24 };
    gdouble worst = 0;
    gchar *complaint;
    RefScale scale;

    c.seed = g_rand_int (rand);
    c.modes.alpha_value = 1;
    c.offset = GUARD;
    c.desc.width = size[c.from_tensor ? 0 : 2];
    c.desc.height = size[c.from_tensor ? 1 : 3];
    gst_video_info_set_format (&c.frame, draw_format (rand),
        size[c.from_tensor ? 2 : 0], size[c.from_tensor ? 3 : 1]);
    if (!c.from_tensor)
      c.frame.interlace_mode = GST_VIDEO_INTERLACE_MODE_INTERLEAVED;
    ref_scale_init (&scale, draw (rand, GST_HIP_SCALE_METHOD_AUTO + 1),
        size[0], size[1], size[2], size[3], 0);
    c.modes.scale = &scale;
    fail_unless (tensor_case_run (device, &c, &worst, &complaint), "%s: %s",
        c.frame.finfo->name, complaint);
  }
  g_rand_free (rand);
}

GST_END_TEST;

/* Straight lines are the default, as models were trained */
GST_START_TEST (test_default_method)
{
  TensorCase c = { 0, };
  gdouble worst = 0;
  gchar *complaint;
  RefScale scale;

  c.seed = seed;
  c.offset = GUARD;
  c.modes.alpha_value = 1;
  c.desc.width = 10;
  c.desc.height = 12;
  gst_video_info_set_format (&c.frame, GST_VIDEO_FORMAT_RGBA, 40, 40);
  ref_scale_init (&scale, GST_HIP_SCALE_METHOD_BILINEAR, 40, 40, 10, 12, 0);
  scale.resize = "c";
  scale.unsaid = TRUE;
  c.modes.scale = &scale;
  fail_unless (tensor_case_run (device, &c, &worst, &complaint), "%s",
      complaint);
}

GST_END_TEST;

/* --- back to the frame --- */

static void
get_map (gint width, gint height, const gchar * fields, GstHipFrameMap * map)
{
  GstStructure *config = gst_structure_from_string (fields, NULL);
  GstHipTensorDesc desc = {.width = 640,.height = 640 };
  GstHipConverter *converter;
  GError *error = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, width, height);
  converter = gst_hip_converter_new_to_tensor (device, &info, &desc, config,
      &error);
  fail_unless (converter != NULL, "%s", error ? error->message : "");
  gst_hip_converter_get_frame_map (converter, map);
  gst_object_unref (converter);
  gst_structure_free (config);
}

static void
assert_point (const GstHipFrameMap * map, gdouble x, gdouble y,
    gdouble wanted_x, gdouble wanted_y, gboolean inside)
{
  gdouble got_x, got_y;

  fail_unless_equals_int (gst_hip_frame_map_point (map, x, y, &got_x, &got_y),
      inside);
  fail_unless (fabs (got_x - wanted_x) < 1e-6 && fabs (got_y - wanted_y) < 1e-6,
      "(%g, %g) is (%g, %g) and not (%g, %g)", x, y, got_x, got_y, wanted_x,
      wanted_y);
}

GST_START_TEST (test_map)
{
  gdouble x, y, w, h;
  GstHipFrameMap map, *copy;

  get_map (1920, 1080, "c, GstHipConverter.resize-mode=(GstHipResizeMode)"
      "letterbox", &map);
  assert_point (&map, 0, 140, 0, 0, TRUE);
  assert_point (&map, 320, 320, 960, 540, TRUE);
  assert_point (&map, 640, 500, 1920, 1080, TRUE);
  assert_point (&map, 320, 0, 960, 0, FALSE);
  fail_unless (gst_hip_frame_map_box (&map, 10, 100, 20, 60, &x, &y, &w, &h));
  fail_unless (x == 30 && y == 0 && w == 60 && h == 60);
  fail_if (gst_hip_frame_map_box (&map, 10, 0, 20, 60, &x, &y, &w, &h));

  get_map (1920, 1080, "c, GstHipConverter.resize-mode=(GstHipResizeMode)crop",
      &map);
  assert_point (&map, 0, 0, 420, 0, TRUE);
  assert_point (&map, 640, 640, 1500, 1080, TRUE);

  get_map (640, 640, "c", &map);
  assert_point (&map, 3, 4, 3, 4, TRUE);

  /* The frame's upper left corner is at the upper right */
  get_map (1280, 640, "c, GstHipConverter.direction="
      "(GstVideoOrientationMethod)90r", &map);
  assert_point (&map, 640, 0, 0, 0, TRUE);
  assert_point (&map, 0, 640, 1280, 640, TRUE);
  assert_point (&map, 630, 20, 40, 10, TRUE);
  copy = gst_hip_frame_map_copy (&map);
  fail_unless (gst_hip_frame_map_box (copy, 0, 0, 10, 20, &x, &y, &w, &h));
  fail_unless (x == 0 && y == 630 && w == 40 && h == 10);
  gst_hip_frame_map_free (copy);
}

GST_END_TEST;

static void
setup (void)
{
  GError *error = NULL;

  device = gst_hip_device_new_full (GST_HIP_VENDOR_HOST, 0, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "");
  g_type_ensure (GST_TYPE_HIP_RESIZE_MODE);
  g_type_ensure (GST_TYPE_HIP_PAD_PLACEMENT);
  g_type_ensure (GST_TYPE_VIDEO_ORIENTATION_METHOD);
}

static void
teardown (void)
{
  gst_clear_object (&device);
}

static Suite *
tensor_scale_suite (void)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_SEED");
  Suite *s = suite_create ("tensor-scale");
  TCase *tc = tcase_create ("general");

  seed = wish ? strtoul (wish, NULL, 0) :
      g_getenv ("GST_HIP_TEST_FULL") ? g_random_int () : 1;
  g_print ("seed: GST_HIP_TEST_SEED=%u\n", seed);
  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 600);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_modes);
  tcase_add_test (tc, test_fields_and_back);
  tcase_add_test (tc, test_default_method);
  tcase_add_test (tc, test_map);
  return s;
}

GST_CHECK_MAIN (tensor_scale);
