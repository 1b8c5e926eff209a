/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a map that is attached to a frame stay true when the frame is copied and
 * scaled, and is it found by the tensors that it is of?
 */
#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>
#include <gst/video/video.h>

static const GstHipFrameMap by_three = {
  .xx = 3,.yy = 3,.y0 = -420,.width = 1920,.height = 1080
};

static void
transform (GstBuffer * to, GstBuffer * from, GQuark type, gpointer data)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (from, &state)))
    meta->info->transform_func (to, meta, from, type, data);
}

static void
assert_point (GstBuffer * buffer, const gchar * id, gdouble x, gdouble y)
{
  gdouble at[2] = { -1, -1 };
  GstHipFrameMap map;

  fail_unless (gst_hip_frame_map_find (buffer, id, &map));
  gst_hip_frame_map_point (&map, 320, 320, &at[0], &at[1]);
  fail_unless (at[0] == x && at[1] == y, "%g, %g", at[0], at[1]);
}

GST_START_TEST (test_ids)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstHipFrameMap plain = {.xx = 1,.yy = 1,.width = 640,.height = 640 };
  GstHipFrameMap map = plain;

  fail_if (gst_hip_frame_map_find (buffer, NULL, &map));
  fail_unless (map.width == 640);
  gst_hip_frame_map_attach (&by_three, buffer, "boxes");
  assert_point (buffer, "boxes", 960, 540);
  assert_point (buffer, NULL, 960, 540);
  fail_if (gst_hip_frame_map_find (buffer, "nobody ever used this", &map));
  gst_hip_frame_map_attach (&plain, buffer, NULL);
  assert_point (buffer, "others", 320, 320);
  assert_point (buffer, "boxes", 960, 540);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_copy_and_scale)
{
  GstBuffer *buffer = gst_buffer_new (), *copy, *scaled = gst_buffer_new ();
  GstVideoInfo in, out;
  GstVideoMetaTransform size = { &in, &out };
  GstHipFrameMap map;

  gst_hip_frame_map_attach (&by_three, buffer, "boxes");
  copy = gst_buffer_copy (buffer);
  assert_point (copy, "boxes", 960, 540);

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_NV12, 1920, 1080);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_NV12, 960, 270);
  transform (scaled, copy, gst_video_meta_transform_scale_get_quark (), &size);
  assert_point (scaled, "boxes", 480, 135);
  fail_unless (gst_hip_frame_map_find (scaled, "boxes", &map));
  fail_unless (map.width == 960 && map.height == 270);
  /* What it does not know makes nothing of it. */
  gst_buffer_unref (scaled);
  scaled = gst_buffer_new ();
  transform (scaled, copy, g_quark_from_static_string ("turned"), NULL);
  fail_if (gst_hip_frame_map_find (scaled, NULL, &map));
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  gst_buffer_unref (scaled);
}

GST_END_TEST;

static Suite *
frame_map_suite (void)
{
  Suite *suite = suite_create ("frame-map");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_ids);
  tcase_add_test (tc, test_copy_and_scale);
  return suite;
}

GST_CHECK_MAIN (frame_map);
