/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do hipscale and hipconvertscale make the frames that the reference makes, pass
 * those that stay as they are, and take along what lies on them? Which sizes they
 * choose: scale-caps.c.
 */
#include "convert-common.h"

#include <gst/video/gstvideometa.h>

static GstHarness *
start (const gchar * element, const gchar * properties, const gchar * in,
    const gchar * out)
{
  const gchar *vendor = test_vendor ();
  g_autofree gchar *text = g_strdup_printf ("hipupload vendor=%s ! %s "
      "name=convert vendor=%s %s ! capsfilter name=filter caps=\"" HIP_VIDEO
      "%s\" ! hipdownload vendor=%s", vendor, element, vendor, properties, out,
      vendor);
  GstHarness *h = gst_harness_new_parse (text);

  fail_unless (h != NULL, "%s", text);
  gst_harness_set_src_caps_str (h, in);
  return h;
}

static void
init_modes (RefModes * modes, RefScale * scale, GstHipScaleMethod method,
    const GstVideoInfo * in, const GstVideoInfo * out,
    GstVideoOrientationMethod direction)
{
  *modes = convert_test_defaults;
  ref_scale_init (scale, method, in->width, in->height, out->width,
      out->height, direction);
  modes->scale = scale;
}

/* A frame through, against the reference. change: of what the reference does */
static void
check (const gchar * element, const gchar * properties, const gchar * in,
    const gchar * out, GstHipScaleMethod method,
    GstVideoOrientationMethod direction, const gint * rectangle)
{
  GstHarness *h = start (element, properties, in, out);
  GstVideoInfo in_info = convert_test_info (in), out_info;
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (GstBuffer) frame = convert_test_frame (&in_info, rand);
  g_autoptr (GstBuffer) got = convert_test_through (h, frame, out);
  gboolean interlaced = GST_VIDEO_INFO_IS_INTERLACED (&in_info);
  RefScale scale;
  RefModes modes;

  out_info = convert_test_out_info (h);
  init_modes (&modes, &scale, method, &in_info, &out_info, direction);
  for (guint i = 0; rectangle && i < 2; i++) {
    scale.dst[i] = rectangle[i];
    scale.dst_size[i] = rectangle[2 + i];
  }
  scale.border_argb = strstr (properties, "border-color") ? 0xff30c040 :
      0xff000000;
  convert_test_compare (frame, &in_info, got, &out_info, &modes, interlaced,
      out);
  gst_harness_teardown (h);
}

#define RATE ",framerate=30/1"

GST_START_TEST (test_scaled)
{
  check ("hipscale", "", "video/x-raw,format=NV12,width=64,height=48" RATE,
      ",width=32,height=24", GST_HIP_SCALE_METHOD_AUTO, 0, NULL);
  check ("hipscale", "method=lanczos", "video/x-raw,format=RGBA,width=33,"
      "height=18" RATE, ",width=50,height=27,pixel-aspect-ratio=99/100",
      GST_HIP_SCALE_METHOD_LANCZOS, 0, NULL);
  check ("hipscale", "method=nearest-neighbour add-borders=false",
      "video/x-raw,format=I420,width=61,height=17" RATE, ",width=20,height=31",
      GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR, 0, NULL);
  check ("hipconvertscale", "add-borders=false method=4-tap",
      "video/x-raw,format=YUY2,width=40,height=30,colorimetry=bt709" RATE,
      ",format=BGRA,width=61,height=17", GST_HIP_SCALE_METHOD_4_TAP, 0, NULL);
  check ("hipconvertscale", "add-borders=false method=mitchell",
      "video/x-raw,format=P010_10LE,width=40,height=32,"
      "interlace-mode=interleaved" RATE, ",format=NV12,width=30,height=60",
      GST_HIP_SCALE_METHOD_MITCHELL, 0, NULL);
}

GST_END_TEST;

GST_START_TEST (test_borders)
{
  static const gint above[4] = { 0, 8, 64, 48 }, beside[4] = { 21, 0, 21, 16 };

  check ("hipscale", "", "video/x-raw,format=NV12,width=32,height=24" RATE,
      ",width=64,height=64,pixel-aspect-ratio=1/1", GST_HIP_SCALE_METHOD_AUTO,
      0, above);
  check ("hipconvertscale", "border-color=0xffff3030c0c04040",
      "video/x-raw,format=RGBA,width=32,height=24" RATE,
      ",format=I420,width=64,height=16,pixel-aspect-ratio=1/1",
      GST_HIP_SCALE_METHOD_AUTO, 0, beside);
}

GST_END_TEST;

GST_START_TEST (test_directions)
{
  GEnumClass *klass = g_type_class_ref (GST_TYPE_VIDEO_ORIENTATION_METHOD);

  for (gint i = 0; i <= GST_VIDEO_ORIENTATION_UR_LL; i++) {
    g_autofree gchar *properties = g_strdup_printf ("video-direction=%s",
        g_enum_get_value (klass, i)->value_nick);

    /* The other side chooses the size that turned frames have */
    check ("hipscale", properties,
        "video/x-raw,format=NV12,width=36,height=20" RATE, "",
        GST_HIP_SCALE_METHOD_AUTO, i, NULL);
  }
  g_type_class_unref (klass);
}

GST_END_TEST;

/* --- nothing to do --- */

static gboolean
is_passthrough (GstHarness * h)
{
  g_autoptr (GstElement) element = convert_test_element (h, "convert");

  return gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (element));
}

GST_START_TEST (test_passthrough)
{
  static const struct
  {
    const gchar *properties, *out;
    gboolean passes;
  } cases[] = {
    {"", "", TRUE},
    {"method=spline", "", TRUE},
    {"", ",width=64,height=48", TRUE},
    {"", ",width=64,height=50", FALSE},
    {"video-direction=180", "", FALSE},
    {"add-borders=false", ",width=64,height=48,pixel-aspect-ratio=2/1", TRUE},
    {"add-borders=true", ",width=64,height=48,pixel-aspect-ratio=2/1", FALSE},
  };
  const gchar *in = "video/x-raw,format=NV12,width=64,height=48,"
      "pixel-aspect-ratio=1/1" RATE;
  GstVideoInfo info = convert_test_info (in);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (GstBuffer) frame = convert_test_frame (&info, rand);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *h = start (i % 2 ? "hipconvertscale" : "hipscale",
        cases[i].properties, in, cases[i].out);
    GstBuffer *got = convert_test_through (h, frame, cases[i].out);

    fail_unless (is_passthrough (h) == cases[i].passes, "%s%s",
        cases[i].properties, cases[i].out);
    gst_buffer_unref (got);
    gst_harness_teardown (h);
  }
}

GST_END_TEST;

/* Sizes and properties from frame to frame */
GST_START_TEST (test_changes)
{
  const gchar *in = "video/x-raw,format=NV12,width=40,height=30" RATE;
  GstHarness *h = start ("hipconvertscale", "add-borders=false", in, "");
  GstVideoInfo in_info = convert_test_info (in);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (GstElement) element = convert_test_element (h, "convert");

  for (guint i = 0; i < 40; i++) {
    g_autofree gchar *out = g_strdup_printf (",format=%s,width=%d,height=%d",
        i % 3 ? "NV12" : "RGBA", 20 + (gint) (i * 7) % 41,
        16 + (gint) (i * 5) % 31);
    g_autoptr (GstBuffer) frame = convert_test_frame (&in_info, rand);
    g_autoptr (GstBuffer) got = NULL;
    GstHipScaleMethod method = i % (GST_HIP_SCALE_METHOD_AUTO + 1);
    GstVideoInfo out_info;
    RefScale scale;
    RefModes modes;

    g_object_set (element, "method", method, NULL);
    convert_test_set_out (h, out);
    got = convert_test_through (h, frame, out);
    out_info = convert_test_out_info (h);
    if (out_info.width == in_info.width && out_info.height == in_info.height)
      method = GST_HIP_SCALE_METHOD_AUTO;
    init_modes (&modes, &scale, method, &in_info, &out_info, 0);
    convert_test_compare (frame, &in_info, got, &out_info, &modes, FALSE, out);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

static gsize
count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  gsize n = 0;

  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

/* Another size and format with every frame: nothing stalls, no file stays open */
GST_START_TEST (test_thousand_changes)
{
  GstHarness *h = start ("hipconvertscale", "add-borders=false",
      "video/x-raw,format=NV12,width=24,height=16" RATE, "");
  GstVideoInfo in_info = convert_test_info ("video/x-raw,format=NV12,width=24,"
      "height=16" RATE);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GstBuffer) frame = convert_test_frame (&in_info, rand);
  gsize before = 0;

  for (guint i = 0; i < 1000; i++) {
    gint width = 1 + (gint) (i * 7) % 23, height = 1 + (gint) (i * 5) % 31;
    g_autofree gchar *out = g_strdup_printf (",format=%s,width=%d,height=%d",
        i % 2 ? "I420" : "RGBA", width, height);
    g_autoptr (GstBuffer) got = NULL;
    GstVideoInfo out_info;

    convert_test_set_out (h, out);
    got = convert_test_through (h, frame, out);
    out_info = convert_test_out_info (h);
    fail_unless_equals_int (out_info.width, width);
    fail_unless_equals_int (out_info.height, height);
    fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&out_info),
        i % 2 ? GST_VIDEO_FORMAT_I420 : GST_VIDEO_FORMAT_RGBA);
    if (i == 20)
      before = count_descriptors ();
  }
  fail_unless_equals_uint64 (count_descriptors (), before);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- the picture's orientation --- */

static gchar *
pull_orientation (GstHarness * h)
{
  g_autoptr (GstEvent) event =
      gst_pad_get_sticky_event (h->sinkpad, GST_EVENT_TAG, 0);
  gchar *text = NULL;
  GstTagList *tags;

  if (!event)
    return NULL;
  gst_event_parse_tag (event, &tags);
  gst_tag_list_get_string (tags, GST_TAG_IMAGE_ORIENTATION, &text);
  return text;
}

/* Applied, it is said to be applied; else it is passed on. */
GST_START_TEST (test_orientation_tag)
{
  const gchar *in = "video/x-raw,format=NV12,width=36,height=20" RATE;
  GstVideoInfo in_info = convert_test_info (in), out_info;
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (GstBuffer) frame = convert_test_frame (&in_info, rand);
  g_autoptr (GstBuffer) got = NULL;
  g_autofree gchar *orientation = NULL;
  GstHarness *h = start ("hipscale", __i__ ? "video-direction=auto" : "", in,
      "");
  RefScale scale;
  RefModes modes;

  gst_harness_push_event (h,
      gst_event_new_tag (gst_tag_list_new (GST_TAG_IMAGE_ORIENTATION,
              "rotate-90", NULL)));
  got = convert_test_through (h, frame, "tagged");
  out_info = convert_test_out_info (h);
  orientation = pull_orientation (h);
  fail_unless_equals_string (orientation, __i__ ? "rotate-0" : "rotate-90");
  fail_unless_equals_int (out_info.width, __i__ ? 20 : 36);
  init_modes (&modes, &scale, GST_HIP_SCALE_METHOD_AUTO, &in_info, &out_info,
      __i__ ? GST_VIDEO_ORIENTATION_90R : 0);
  convert_test_compare (frame, &in_info, got, &out_info, &modes, FALSE, "tag");
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- what lies on the picture --- */

static GstVideoOverlayComposition *
new_composition (void)
{
  g_autoptr (GstBuffer) pixels = gst_buffer_new_allocate (NULL, 64, NULL);
  GstVideoOverlayRectangle *rectangle;
  GstVideoOverlayComposition *composition;

  gst_buffer_memset (pixels, 0, 0x80, 64);
  gst_buffer_add_video_meta (pixels, 0,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 4, 4);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, 10, 12, 4, 4, 0);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_video_overlay_rectangle_unref (rectangle);
  return composition;
}

static void
check_metas (const gchar * properties, const gchar * out, const gint region[4],
    const gint overlay[4])
{
  const gchar *in = "video/x-raw,format=NV12,width=64,height=48" RATE;
  GstVideoInfo info = convert_test_info (in);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GstBuffer) frame = convert_test_frame (&info, rand);
  g_autoptr (GstBuffer) got = NULL;
  GstHarness *h = start ("hipscale", properties, in, out);
  GstVideoOverlayComposition *composition = new_composition ();
  GstVideoOverlayCompositionMeta *drawn;
  GstVideoRegionOfInterestMeta *roi;
  guint w, h_;
  gint x, y;

  roi = gst_buffer_add_video_region_of_interest_meta (frame, "car", 4, 8, 20,
      16);
  roi->id = 7;
  roi->parent_id = 3;
  gst_video_region_of_interest_meta_add_param (roi, gst_structure_new ("p",
          "confidence", G_TYPE_DOUBLE, 0.5, NULL));
  gst_buffer_add_video_overlay_composition_meta (frame, composition);
  gst_video_overlay_composition_unref (composition);
  gst_buffer_add_video_caption_meta (frame, GST_VIDEO_CAPTION_TYPE_CEA708_RAW,
      (const guint8 *) "abc", 3);
  got = convert_test_through (h, frame, out);

  roi = gst_buffer_get_video_region_of_interest_meta_id (got, 7);
  fail_unless (roi && roi->x == (guint) region[0] && roi->y ==
      (guint) region[1] && roi->w == (guint) region[2]
      && roi->h == (guint) region[3], "%s%s: %u %u %u %u", properties, out,
      roi ? roi->x : 0, roi ? roi->y : 0, roi ? roi->w : 0, roi ? roi->h : 0);
  fail_unless_equals_int (roi->parent_id, 3);
  fail_unless (gst_video_region_of_interest_meta_get_param (roi, "p") != NULL);
  drawn = gst_buffer_get_video_overlay_composition_meta (got);
  fail_unless (drawn != NULL);
  fail_unless (gst_video_overlay_rectangle_get_render_rectangle
      (gst_video_overlay_composition_get_rectangle (drawn->overlay, 0), &x, &y,
          &w, &h_));
  fail_unless (x == overlay[0] && y == overlay[1] && w == (guint) overlay[2]
      && h_ == (guint) overlay[3], "%s%s: %d %d %u %u", properties, out, x, y,
      w, h_);
  fail_unless (gst_buffer_get_video_caption_meta (got) != NULL);
  gst_harness_teardown (h);
}

GST_START_TEST (test_metas)
{
  check_metas ("", ",width=128,height=96", (gint[]) {
      8, 16, 40, 32}, (gint[]) {
      20, 24, 8, 8});
  check_metas ("", ",width=128,height=128,pixel-aspect-ratio=1/1", (gint[]) {
      8, 32, 40, 32}, (gint[]) {
      20, 40, 8, 8});
  check_metas ("video-direction=90r", ",width=48,height=64", (gint[]) {
      24, 4, 16, 20}, (gint[]) {
      32, 10, 4, 4});
  check_metas ("video-direction=horiz", "", (gint[]) {
      40, 8, 20, 16}, (gint[]) {
      50, 12, 4, 4});
}

GST_END_TEST;

static gboolean
meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  return TRUE;
}

static gboolean
meta_copy (GstBuffer * dst, GstMeta * meta, GstBuffer * src, GQuark type,
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
  {GST_META_TAG_MEMORY_STR},
  {GST_META_TAG_MEMORY_REFERENCE_STR},
};

/* Those that know what scaling is are asked, all others are kept, as far as
 * they do not tell of memory. */
GST_START_TEST (test_tagged_metas)
{
  const gchar *in = "video/x-raw,format=NV12,width=64,height=48" RATE;
  GstVideoInfo info = convert_test_info (in);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GstBuffer) frame = convert_test_frame (&info, rand);
  g_autoptr (GstBuffer) got = NULL;
  GstHarness *h = start ("hipscale", "", in, ",width=32,height=24");
  const GstMetaInfo *metas[G_N_ELEMENTS (tag_sets)];

  for (guint i = 0; i < G_N_ELEMENTS (tag_sets); i++) {
    g_autofree gchar *api = g_strdup_printf ("ScaleTest%uAPI", i);
    g_autofree gchar *name = g_strdup_printf ("ScaleTest%u", i);
    const gchar *tags[5] = { NULL, };

    memcpy (tags, tag_sets[i], sizeof (tag_sets[i]));
    metas[i] = gst_meta_register (gst_meta_api_type_register (api, tags), name,
        sizeof (GstMeta), meta_init, NULL, meta_copy);
    fail_unless (gst_buffer_add_meta (frame, metas[i], NULL) != NULL);
  }
  got = convert_test_through (h, frame, "tags");
  for (guint i = 0; i + 2 < G_N_ELEMENTS (tag_sets); i++)
    fail_unless (gst_buffer_get_meta (got, metas[i]->api) != NULL, "set %u", i);
  fail_unless (gst_buffer_get_meta (got, metas[6]->api) == NULL);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Where the pointer is is said to whoever made the input */
static void
check_navigation (const gchar * properties, const gchar * out, gdouble x,
    gdouble y, gdouble wanted_x, gdouble wanted_y)
{
  const gchar *in = "video/x-raw,format=NV12,width=64,height=48" RATE;
  GstVideoInfo info = convert_test_info (in);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GstBuffer) frame = convert_test_frame (&info, rand);
  GstHarness *h = start ("hipscale", properties, in, out);
  g_autoptr (GstBuffer) got = convert_test_through (h, frame, out);
  g_autoptr (GstEvent) event = NULL;

  gst_harness_push_upstream_event (h,
      gst_event_new_navigation (gst_structure_new
          ("application/x-gst-navigation", "event", G_TYPE_STRING,
              "mouse-move", "pointer_x", G_TYPE_DOUBLE, x, "pointer_y",
              G_TYPE_DOUBLE, y, NULL)));
  while (!event) {
    event = gst_harness_pull_upstream_event (h);
    fail_unless (event != NULL);
    if (GST_EVENT_TYPE (event) != GST_EVENT_NAVIGATION)
      g_clear_pointer (&event, gst_event_unref);
  }
  fail_unless (gst_structure_get_double (gst_event_get_structure (event),
          "pointer_x", &x));
  fail_unless (gst_structure_get_double (gst_event_get_structure (event),
          "pointer_y", &y));
  fail_unless (ABS (x - wanted_x) < 1e-6 && ABS (y - wanted_y) < 1e-6,
      "%g, %g", x, y);
  gst_harness_teardown (h);
}

GST_START_TEST (test_navigation)
{
  check_navigation ("", ",width=128,height=96", 10, 20, 5, 10);
  check_navigation ("video-direction=90r", ",width=48,height=64", 38, 20, 20,
      10);
}

GST_END_TEST;

/* --- parts of buffers --- */

static GstHipDevice *
open_device (void)
{
  GEnumClass *klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  GEnumValue *value = g_enum_get_value_by_nick (klass, test_vendor ());
  GstHipDevice *device = gst_hip_device_new_full (value->value, -1, NULL);

  fail_unless (device != NULL);
  g_type_class_unref (klass);
  return device;
}

/* A buffer larger than the caps say, of which the meta names the picture */
GST_START_TEST (test_crop_meta)
{
  g_autofree gchar *text = g_strdup_printf ("hipconvertscale vendor=%s "
      "add-borders=false ! capsfilter caps=\"" HIP_VIDEO
      ",format=RGBA,width=30,height=40\" ! hipdownload vendor=%s",
      test_vendor (), test_vendor ());
  GstHarness *h = gst_harness_new_parse (text);
  GstVideoInfo in = convert_test_info ("video/x-raw,format=NV12,width=64,"
      "height=48" RATE), out_info;
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (GstBuffer) frame = convert_test_frame (&in, rand);
  g_autoptr (GstHipDevice) device = open_device ();

  fail_unless (h != NULL);
  gst_harness_set_src_caps_str (h, HIP_VIDEO
      ",format=NV12,width=40,height=30" RATE);
  for (guint i = 0; i < 3; i++) {
    GstVideoCropMeta *crop;
    GstBuffer *hip;
    g_autoptr (GstBuffer) got = NULL;
    RefScale scale;
    RefModes modes;
    GstMapInfo map;

    fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
    hip = case_make_buffer (device, &in, map.data);
    gst_buffer_unmap (frame, &map);
    crop = gst_buffer_add_video_crop_meta (hip);
    crop->x = 10 + i;
    crop->y = 7;
    crop->width = 40;
    crop->height = 30;
    fail_unless_equals_int (gst_harness_push (h, hip), GST_FLOW_OK);
    got = gst_harness_pull (h);
    fail_unless (gst_buffer_get_video_crop_meta (got) == NULL);
    out_info = convert_test_out_info (h);
    init_modes (&modes, &scale, GST_HIP_SCALE_METHOD_AUTO, &in, &out_info, 0);
    scale.src[0] = 10 + i;
    scale.src[1] = 7;
    scale.src_size[0] = 40;
    scale.src_size[1] = 30;
    convert_test_compare (frame, &in, got, &out_info, &modes, FALSE, "crop");
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
scale_suite (void)
{
  Suite *s = suite_create ("scale");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 300);
  tcase_add_test (tc, test_scaled);
  tcase_add_test (tc, test_borders);
  tcase_add_test (tc, test_directions);
  tcase_add_test (tc, test_passthrough);
  tcase_add_test (tc, test_changes);
  tcase_add_test (tc, test_thousand_changes);
  tcase_add_loop_test (tc, test_orientation_tag, 0, 2);
  tcase_add_test (tc, test_metas);
  tcase_add_test (tc, test_tagged_metas);
  tcase_add_test (tc, test_navigation);
  tcase_add_test (tc, test_crop_meta);
  return s;
}

GST_CHECK_MAIN (scale);
