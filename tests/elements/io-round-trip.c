/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do frames come back from the device as they went there, whatever their
 * format, size and layout, and with all that is attached to them?
 */
#include "io-frames.h"

#define CHAIN "hipupload name=up vendor=%s ! hipdownload name=down vendor=%s"

static void
round_trip (GstVideoFormat format, guint width, guint height, Layout layout,
    gboolean with_meta)
{
  g_autofree gchar *what = g_strdup_printf ("layout %d, downstream %s meta",
      layout, with_meta ? "with" : "without");
  Picture picture;
  GstHarness *h;
  GstBuffer *in, *out;
  guint i;

  picture_init (&picture, format, width, height, width * 7919 + height);
  h = harness_new (CHAIN, &picture.info);
  if (with_meta)
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);

  /* twice, so that recycled buffers are seen too */
  for (i = 0; i < 2; i++) {
    in = picture_to_buffer (&picture, layout);
    GST_BUFFER_PTS (in) = i * GST_SECOND;
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    out = gst_harness_pull (h);
    fail_unless (out != NULL);
    if (!with_meta) {
      /* A reader that knows no video meta goes by caps alone. */
      GstVideoMeta *meta = gst_buffer_get_video_meta (out);

      fail_unless_equals_int (gst_buffer_get_size (out), picture.info.size);
      if (meta) {
        out = gst_buffer_make_writable (out);
        meta = gst_buffer_get_video_meta (out);
        GST_META_FLAG_UNSET (&meta->meta, GST_META_FLAG_LOCKED);
        fail_unless (gst_buffer_remove_meta (out, (GstMeta *) meta));
      }
    }
    picture_compare (&picture, out, what);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), i * GST_SECOND);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

static void
all_formats (Layout layout, gboolean with_meta)
{
  static const guint sizes[][2] = { {1, 1}, {3, 3}, {321, 241} };
  g_autoptr (GArray) formats = listed_formats ();
  guint i, k;

  for (i = 0; i < formats->len; i++) {
    for (k = 0; k < G_N_ELEMENTS (sizes); k++)
      round_trip (g_array_index (formats, GstVideoFormat, i), sizes[k][0],
          sizes[k][1], layout, with_meta);
  }
}

GST_START_TEST (test_every_format_every_layout)
{
  all_formats ((Layout) __i__, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_every_format_without_video_meta)
{
  all_formats (LAYOUT_CAPS, FALSE);
}

GST_END_TEST;

GST_START_TEST (test_staging)
{
  fail_unless (g_setenv ("GST_HIP_HOST_STAGING", "1", TRUE));
  all_formats ((Layout) __i__, TRUE);
  g_unsetenv ("GST_HIP_HOST_STAGING");
}

GST_END_TEST;

GST_START_TEST (test_big_frames)
{
  static const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGBA,
    GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_RGB
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (formats); i++) {
    round_trip (formats[i], 1919, 1079, LAYOUT_CAPS, TRUE);
    round_trip (formats[i], 1919, 1079, LAYOUT_ODD, FALSE);
    round_trip (formats[i], 1920, 1080, LAYOUT_TALL, TRUE);
  }
}

GST_END_TEST;

/* --- what is attached --- */

GST_START_TEST (test_everything_attached_survives)
{
  static const gchar *no_tags[] = { NULL };
  GstVideoRegionOfInterestMeta *roi;
  GstVideoTimeCodeMeta *timecode;
  GstVideoCropMeta *crop;
  GstCustomMeta *custom;
  GstBuffer *in, *out;
  Picture picture;
  GstHarness *h;
  gint value = 0;

  if (!gst_meta_get_info ("hip-test-custom"))
    gst_meta_register_custom ("hip-test-custom", no_tags, NULL, NULL, NULL);
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = harness_new (CHAIN, &picture.info);

  in = picture_to_buffer (&picture, LAYOUT_ODD);
  GST_BUFFER_PTS (in) = 5;
  GST_BUFFER_DTS (in) = 4;
  GST_BUFFER_DURATION (in) = 3;
  GST_BUFFER_OFFSET (in) = 2;
  GST_BUFFER_OFFSET_END (in) = 9;
  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_MARKER | GST_BUFFER_FLAG_CORRUPTED |
      GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF);
  gst_buffer_add_video_region_of_interest_meta (in, "face", 1, 2, 3, 4);
  gst_buffer_add_video_time_code_meta_full (in, 30, 1, NULL,
      GST_VIDEO_TIME_CODE_FLAGS_NONE, 1, 2, 3, 4, 0);
  crop = gst_buffer_add_video_crop_meta (in);
  crop->x = 2;
  crop->y = 4;
  crop->width = 32;
  crop->height = 16;
  custom = gst_buffer_add_custom_meta (in, "hip-test-custom");
  gst_structure_set (gst_custom_meta_get_structure (custom), "n", G_TYPE_INT,
      42, NULL);

  fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
  out = gst_harness_pull (h);
  picture_compare (&picture, out, "frame with metas");

  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 5);
  fail_unless_equals_uint64 (GST_BUFFER_DTS (out), 4);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (out), 3);
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (out), 2);
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET_END (out), 9);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_CORRUPTED));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_INTERLACED));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_TFF));

  roi = gst_buffer_get_video_region_of_interest_meta_id (out, -1);
  if (!roi)
    roi = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (out,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  fail_unless (roi != NULL);
  fail_unless (roi->x == 1 && roi->y == 2 && roi->w == 3 && roi->h == 4);
  timecode = gst_buffer_get_video_time_code_meta (out);
  fail_unless (timecode != NULL);
  fail_unless_equals_int (timecode->tc.frames, 4);
  crop = gst_buffer_get_video_crop_meta (out);
  fail_unless (crop != NULL);
  fail_unless (crop->x == 2 && crop->y == 4 && crop->width == 32
      && crop->height == 16);
  custom = gst_buffer_get_custom_meta (out, "hip-test-custom");
  fail_unless (custom != NULL);
  fail_unless (gst_structure_get_int (gst_custom_meta_get_structure (custom),
          "n", &value) && value == 42);

  gst_buffer_unref (out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* --- buffers that are not what caps say --- */

static gchar *
error_of (GstHarness * h, GstBuffer * buffer, GstFlowReturn expected)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (h->element, bus);
  fail_unless_equals_int (gst_harness_push (h, buffer), expected);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "no error on the bus");
  gst_message_parse_error (message, &error, NULL);
  gst_element_set_bus (h->element, NULL);
  return g_strdup (error->message);
}

GST_START_TEST (test_too_small)
{
  g_autofree gchar *text = NULL;
  Picture picture;
  GstHarness *h;
  GstBuffer *in;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 321, 241, 3);
  h = harness_new (CHAIN, &picture.info);
  in = picture_to_buffer (&picture, LAYOUT_CAPS);
  /* the last visible byte is missing */
  gst_buffer_resize (in, 0, picture.info.offset[2]
      + 120 * picture.info.stride[2] + 160);
  text = error_of (h, in, GST_FLOW_ERROR);
  fail_unless (strstr (text, "too small") != NULL, "%s", text);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

GST_START_TEST (test_meta_that_lies)
{
  Picture picture;
  guint i;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 32, 32, 3);
  for (i = 0; i < 4; i++) {
    g_autofree gchar *text = NULL;
    GstHarness *h = harness_new (CHAIN, &picture.info);
    GstBuffer *in = picture_to_buffer (&picture, LAYOUT_ODD);
    GstVideoMeta *meta = gst_buffer_get_video_meta (in);

    if (i == 0)
      meta->offset[2] = G_MAXSIZE - 3;
    else if (i == 1)
      meta->stride[0] = G_MAXINT;
    else if (i == 2)
      meta->stride[1] = 3;
    else
      meta->height = 31;
    text = error_of (h, in, GST_FLOW_ERROR);
    fail_unless (strstr (text, "Frame not uploaded") != NULL, "%s", text);
    gst_harness_teardown (h);
  }
  picture_clear (&picture);
}

GST_END_TEST;

/* --- caps change --- */

GST_START_TEST (test_caps_change)
{
  static const struct
  {
    GstVideoFormat format;
    guint width, height;
  } steps[] = {
    {GST_VIDEO_FORMAT_I420, 321, 241}, {GST_VIDEO_FORMAT_RGBA, 16, 16},
    {GST_VIDEO_FORMAT_NV12, 1, 1}, {GST_VIDEO_FORMAT_P010_10LE, 642, 480},
    {GST_VIDEO_FORMAT_I420, 321, 241}
  };
  GstHarness *h = harness_new (CHAIN, NULL);
  Picture pictures[G_N_ELEMENTS (steps)];
  guint i, k;

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  /* Nothing is pulled before all is pushed: frames of old caps are still in
   * flight when new ones arrive. */
  for (i = 0; i < G_N_ELEMENTS (steps); i++) {
    picture_init (&pictures[i], steps[i].format, steps[i].width,
        steps[i].height, i);
    gst_harness_set_src_caps (h, gst_video_info_to_caps (&pictures[i].info));
    for (k = 0; k < 3; k++)
      fail_unless_equals_int (gst_harness_push (h,
              picture_to_buffer (&pictures[i], LAYOUT_ODD)), GST_FLOW_OK);
  }
  for (i = 0; i < G_N_ELEMENTS (steps); i++) {
    for (k = 0; k < 3; k++) {
      GstBuffer *out = gst_harness_pull (h);

      picture_compare (&pictures[i], out, "after a change of caps");
      gst_buffer_unref (out);
    }
    picture_clear (&pictures[i]);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
io_round_trip_suite (void)
{
  Suite *s = suite_create ("io-round-trip");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_every_format_every_layout, 0, N_LAYOUTS);
  tcase_add_test (tc, test_every_format_without_video_meta);
  tcase_add_loop_test (tc, test_staging, 0, N_LAYOUTS);
  tcase_add_test (tc, test_big_frames);
  tcase_add_test (tc, test_everything_attached_survives);
  tcase_add_test (tc, test_too_small);
  tcase_add_test (tc, test_meta_that_lies);
  tcase_add_test (tc, test_caps_change);
  return s;
}

GST_CHECK_MAIN (io_round_trip);
