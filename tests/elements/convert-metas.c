/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does hipconvert keep and drop the metas that videoconvert keeps and drops?
 * Both get the same buffer, here and now.
 */
#include "convert-common.h"

static GstHarness *
start (const gchar * chain, const gchar * in, const gchar * out)
{
  GstHarness *h = gst_harness_new_parse (chain);

  fail_unless (h != NULL, "%s", chain);
  gst_harness_set_caps_str (h, in, out);
  return h;
}

#define VIDEO ",width=64,height=48,framerate=30/1"
#define OVERLAY "(meta:GstVideoOverlayComposition)"
#define HIP_OVERLAY "(memory:HIPMemory,meta:GstVideoOverlayComposition)"

static GstHarness *
start_ours (const gchar * out)
{
  g_autofree gchar *chain = g_strdup_printf ("hipupload vendor=%s ! hipconvert "
      "name=convert vendor=%s ! capsfilter caps=\"" HIP_VIDEO ",format=%s\" ! "
      "hipdownload vendor=%s", test_vendor (), test_vendor (), out,
      test_vendor ());

  return start (chain, "video/x-raw,format=NV12" VIDEO, "video/x-raw");
}

/* --- tags --- */

/* A meta that tells nothing, but for its tags */
static gboolean
test_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  return TRUE;
}

static gboolean
test_meta_copy (GstBuffer * dst, GstMeta * meta, GstBuffer * src, GQuark type,
    gpointer data)
{
  return gst_buffer_add_meta (dst, meta->info, NULL) != NULL;
}

static const gchar *const tag_sets[][4] = {
  {NULL},
  {GST_META_TAG_VIDEO_STR},
  {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR},
  {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_ORIENTATION_STR},
  {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
      GST_META_TAG_VIDEO_ORIENTATION_STR},
  {GST_META_TAG_VIDEO_COLORSPACE_STR},
  {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_COLORSPACE_STR},
  {GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_COLORSPACE_STR,
      GST_META_TAG_VIDEO_SIZE_STR},
  {GST_META_TAG_MEMORY_STR},
};

static const GstMetaInfo *
tagged_meta (guint index)
{
  g_autofree gchar *api = g_strdup_printf ("ConvertTest%uAPI", index);
  g_autofree gchar *name = g_strdup_printf ("ConvertTest%u", index);
  const gchar *tags[5] = { NULL, };

  for (guint i = 0; i < 4; i++)
    tags[i] = tag_sets[index][i];
  return gst_meta_register (gst_meta_api_type_register (api, tags), name,
      sizeof (GstMeta), test_meta_init, NULL, test_meta_copy);
}

static GstBuffer *
push_tagged (GstHarness * h, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_copy_deep (buffer)),
      GST_FLOW_OK);
  return gst_harness_pull (h);
}

GST_START_TEST (test_tags)
{
  GstVideoInfo info = convert_test_info ("video/x-raw,format=NV12" VIDEO);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GstBuffer) buffer = convert_test_frame (&info, rand);
  g_autoptr (GstBuffer) ours = NULL;
  g_autoptr (GstBuffer) theirs = NULL;
  const GstMetaInfo *metas[G_N_ELEMENTS (tag_sets)];
  GstHarness *h;
  guint n_kept = 0;

  for (guint i = 0; i < G_N_ELEMENTS (tag_sets); i++) {
    metas[i] = tagged_meta (i);
    fail_unless (gst_buffer_add_meta (buffer, metas[i], NULL) != NULL);
  }
  h = start_ours ("RGBA");
  ours = push_tagged (h, buffer);
  gst_harness_teardown (h);
  h = start ("videoconvert", "video/x-raw,format=NV12" VIDEO,
      "video/x-raw,format=RGBA" VIDEO);
  theirs = push_tagged (h, buffer);
  gst_harness_teardown (h);

  for (guint i = 0; i < G_N_ELEMENTS (tag_sets); i++) {
    gboolean is = gst_buffer_get_meta (ours, metas[i]->api) != NULL;
    gboolean should = gst_buffer_get_meta (theirs, metas[i]->api) != NULL;

    fail_unless (is == should, "set %u of tags is %s, by videoconvert %s", i,
        is ? "kept" : "dropped", should ? "kept" : "dropped");
    n_kept += is;
  }
  fail_unless (n_kept >= 3 && n_kept < G_N_ELEMENTS (tag_sets), "%u", n_kept);
}

GST_END_TEST;

/* --- those that there are --- */

static GstVideoOverlayComposition *
new_composition (void)
{
  g_autoptr (GstBuffer) pixels = gst_buffer_new_allocate (NULL, 4 * 4 * 4,
      NULL);
  GstVideoOverlayRectangle *rectangle;
  GstVideoOverlayComposition *composition;

  gst_buffer_memset (pixels, 0, 0x80, 4 * 4 * 4);
  gst_buffer_add_video_meta (pixels, 0,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 4, 4);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, 10, 11, 4, 4, 0);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_video_overlay_rectangle_unref (rectangle);
  return composition;
}

static void
add_metas (GstBuffer * buffer)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_add_video_region_of_interest_meta (buffer, "car", 3, 5, 20,
      17);
  GstVideoOverlayComposition *composition = new_composition ();
  g_autoptr (GstCaps) reference =
      gst_caps_new_empty_simple ("timestamp/x-test");

  roi->id = 7;
  gst_video_region_of_interest_meta_add_param (roi, gst_structure_new ("p",
          "confidence", G_TYPE_DOUBLE, 0.5, NULL));
  gst_buffer_add_video_time_code_meta_full (buffer, 30, 1, NULL, 0, 1, 2, 3, 4,
      0);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  gst_video_overlay_composition_unref (composition);
  gst_buffer_add_video_caption_meta (buffer, GST_VIDEO_CAPTION_TYPE_CEA708_RAW,
      (const guint8 *) "abc", 3);
  gst_buffer_add_video_afd_meta (buffer, 0, GST_VIDEO_AFD_SPEC_ATSC_A53,
      GST_VIDEO_AFD_4_3_FULL_16_9_FULL);
  gst_buffer_add_reference_timestamp_meta (buffer, reference, 5, 6);
}

static void
assert_metas (GstBuffer * buffer)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_get_video_region_of_interest_meta_id (buffer, 7);
  GstVideoTimeCodeMeta *code = gst_buffer_get_video_time_code_meta (buffer);
  GstVideoCaptionMeta *caption = gst_buffer_get_video_caption_meta (buffer);
  GstVideoOverlayCompositionMeta *overlay =
      gst_buffer_get_video_overlay_composition_meta (buffer);
  GstVideoOverlayRectangle *rectangle;
  guint w, h;
  gint x, y;

  fail_unless (roi && roi->x == 3 && roi->y == 5 && roi->w == 20
      && roi->h == 17);
  fail_unless (gst_video_region_of_interest_meta_get_param (roi, "p") != NULL);
  fail_unless (code && code->tc.hours == 1 && code->tc.frames == 4);
  fail_unless (caption && caption->size == 3
      && memcmp (caption->data, "abc", 3) == 0);
  fail_unless (overlay != NULL);
  rectangle = gst_video_overlay_composition_get_rectangle (overlay->overlay, 0);
  fail_unless (gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x,
          &y, &w, &h));
  fail_unless (x == 10 && y == 11 && w == 4 && h == 4);
  fail_unless (gst_buffer_get_meta (buffer, GST_VIDEO_AFD_META_API_TYPE));
  fail_unless (gst_buffer_get_reference_timestamp_meta (buffer, NULL));
}

/* Converted, and passed */
GST_START_TEST (test_metas_survive)
{
  GstVideoInfo info = convert_test_info ("video/x-raw,format=NV12" VIDEO);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstBuffer *buffer = convert_test_frame (&info, rand);
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h = start_ours (__i__ ? "NV12" : "RGBA");

  add_metas (buffer);
  GST_BUFFER_PTS (buffer) = 100;
  GST_BUFFER_DURATION (buffer) = 33;
  GST_BUFFER_OFFSET (buffer) = 9;
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_MARKER);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  out = gst_harness_pull (h);
  assert_metas (out);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 100);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (out), 33);
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (out), 9);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A sink that draws overlays itself gets them, not pixels. */
GST_START_TEST (test_overlay_feature_survives)
{
  g_autofree gchar *chain = g_strdup_printf ("hipupload vendor=%s ! hipconvert "
      "name=convert vendor=%s ! capsfilter caps=\"video/x-raw" HIP_OVERLAY
      ",format=RGBA\"", test_vendor (), test_vendor ());
  GstHarness *h = start (chain, "video/x-raw" OVERLAY ",format=NV12" VIDEO,
      "video/x-raw" HIP_OVERLAY);
  GstVideoInfo info = convert_test_info ("video/x-raw,format=NV12" VIDEO);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstBuffer *buffer = convert_test_frame (&info, rand);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstCaps) caps = NULL;

  add_metas (buffer);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  out = gst_harness_pull (h);
  assert_metas (out);
  caps = gst_pad_get_current_caps (h->sinkpad);
  fail_unless (gst_caps_features_contains (gst_caps_get_features (caps, 0),
          GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION));
  fail_unless_equals_string (gst_structure_get_string (gst_caps_get_structure
          (caps, 0), "format"), "RGBA");
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
convert_metas_suite (void)
{
  Suite *s = suite_create ("convert-metas");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_tags);
  tcase_add_loop_test (tc, test_metas_survive, 0, 2);
  tcase_add_test (tc, test_overlay_feature_survives);
  return s;
}

GST_CHECK_MAIN (convert_metas);
