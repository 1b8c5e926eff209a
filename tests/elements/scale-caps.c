/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do hipscale and hipconvertscale choose the sizes that videoscale and
 * videoconvertscale choose? Both are asked the same, here and now, with the
 * memory feature on one side only.
 */
#include "io-frames.h"

#include <gst/base/gstbasetransform.h>

#define HIP GST_CAPS_FEATURE_MEMORY_HIP_MEMORY

static const gchar *const names[][2] = {
  {"hipscale", "videoscale"}, {"hipconvertscale", "videoconvertscale"}
};

/* The same caps in HIP memory, or back */
static GstCaps *
change_memory (const GstCaps * caps, gboolean to_hip)
{
  GstCaps *result = gst_caps_copy (caps);

  for (guint i = 0; i < gst_caps_get_size (result); i++)
    gst_caps_set_features (result, i, to_hip ? gst_caps_features_new (HIP,
            NULL) : NULL);
  return result;
}

/* Square pixels are those of caps that do not say */
static void
leave_square_pixels_out (GstCaps * caps)
{
  GstStructure *structure = gst_caps_get_structure (caps, 0);
  gint n, d;

  if (gst_structure_get_fraction (structure, "pixel-aspect-ratio", &n, &d)
      && n == d)
    gst_structure_remove_field (structure, "pixel-aspect-ratio");
}

static GstCaps *
fixate (const gchar * name, GstPadDirection direction, const gchar * from,
    const gchar * to, gboolean hip)
{
  g_autoptr (GstElement) element =
      gst_object_ref_sink (gst_element_factory_make (name, NULL));
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);
  g_autoptr (GstCaps) caps = gst_caps_from_string (from);
  g_autoptr (GstCaps) others = gst_caps_from_string (to);
  g_autoptr (GstCaps) result = NULL;
  GstCaps *plain;

  fail_unless (caps != NULL && others != NULL);
  if (hip) {
    gst_caps_take (&caps, change_memory (caps, TRUE));
    gst_caps_take (&others, change_memory (others, TRUE));
  }
  result = GST_BASE_TRANSFORM_GET_CLASS (trans)->fixate_caps (trans, direction,
      caps, g_steal_pointer (&others));
  plain = change_memory (result, FALSE);
  leave_square_pixels_out (plain);
  return plain;
}

static void
assert_same (guint element, GstPadDirection direction, const gchar * from,
    const gchar * to)
{
  g_autoptr (GstCaps) got = fixate (names[element][0], direction, from, to,
      TRUE);
  g_autoptr (GstCaps) wanted = fixate (names[element][1], direction, from, to,
      FALSE);
  g_autofree gchar *is = gst_caps_to_string (got);
  g_autofree gchar *should = gst_caps_to_string (wanted);

  fail_unless (gst_caps_is_strictly_equal (got, wanted), "%s to one of %s: %s "
      "says %s, %s %s", from, to, names[element][0], is, names[element][1],
      should);
}

#define ANY_PAR "pixel-aspect-ratio=[1/2147483647,2147483647/1]"

static const gchar *const from[] = {
  "width=640,height=480",
  "width=720,height=576,pixel-aspect-ratio=16/15",
  "width=1920,height=1080,pixel-aspect-ratio=1/1",
  "width=1440,height=1080,pixel-aspect-ratio=4/3",
  "width=321,height=241",
};

static const gchar *const to[] = {
  "width=[1,2147483647],height=[1,2147483647]",
  "width=[1,2147483647],height=[1,2147483647]," ANY_PAR,
  "width=[1,2147483647],height=[1,2147483647],pixel-aspect-ratio=1/1",
  "width=320,height=[1,2147483647]",
  "width=[1,2147483647],height=360",
  "width=[1,2147483647],height=360,pixel-aspect-ratio=1/1",
  "width=352,height=[1,2147483647],pixel-aspect-ratio=1/1",
  "width=320,height=320",
  "width=320,height=320," ANY_PAR,
  "width=320,height=320,pixel-aspect-ratio=1/1",
  "width=320,height=[1,2147483647]," ANY_PAR,
  "width=[1,2147483647],height=360," ANY_PAR,
  "width=[1,400],height=[1,400],pixel-aspect-ratio=1/1",
  "width=[1,400],height=[1,400]",
  "width={160,320,640},height={120,240,480}",
};

GST_START_TEST (test_sizes)
{
  for (guint i = 0; i < G_N_ELEMENTS (from); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (to); j++) {
      g_autofree gchar *a = g_strdup_printf ("video/x-raw,format=I420,%s,"
          "framerate=30/1,colorimetry=bt709,chroma-site=mpeg2", from[i]);
      g_autofree gchar *b = g_strdup_printf ("video/x-raw,format=%s,%s,"
          "framerate=30/1", __i__ ? "{RGBA,NV12}" : "I420", to[j]);

      assert_same (__i__, GST_PAD_SINK, a, b);
    }
  }
}

GST_END_TEST;

/* Columns become rows, and so do the shapes of pixels */
GST_START_TEST (test_turned)
{
  static const gchar *const wanted[][3] = {
    {"width=640,height=480", "width=[1,2147483647],height=[1,2147483647]",
        "width=480,height=640"},
    {"width=720,height=576,pixel-aspect-ratio=16/15",
          "width=[1,2147483647],height=[1,2147483647]," ANY_PAR,
        "width=576,height=720,pixel-aspect-ratio=15/16"},
    /* videoscale multiplies where it has to divide here, and makes 1280x480 */
    {"width=640,height=480",
          "width=[1,2147483647],height=[1,2147483647],pixel-aspect-ratio=2/1",
        "width=240,height=640,pixel-aspect-ratio=2/1"},
    {"width=1920,height=1080",
          "width=[1,2147483647],height=960,pixel-aspect-ratio=1/1",
        "width=540,height=960"},
  };
  g_autoptr (GstElement) element =
      gst_object_ref_sink (gst_element_factory_make ("hipscale", NULL));
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);

  gst_util_set_object_arg (G_OBJECT (element), "video-direction", "90l");
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    g_autofree gchar *a =
        g_strdup_printf ("video/x-raw(" HIP "),format=I420,%s",
        wanted[i][0]);
    g_autofree gchar *b =
        g_strdup_printf ("video/x-raw(" HIP "),format=I420,%s",
        wanted[i][1]);
    g_autofree gchar *c = g_strdup_printf ("video/x-raw,format=I420,%s",
        wanted[i][2]);
    g_autoptr (GstCaps) caps = gst_caps_from_string (a);
    g_autoptr (GstCaps) should = gst_caps_from_string (c);
    g_autoptr (GstCaps) result =
        GST_BASE_TRANSFORM_GET_CLASS (trans)->fixate_caps (trans, GST_PAD_SINK,
        caps, gst_caps_from_string (b));
    g_autoptr (GstCaps) got = change_memory (result, FALSE);
    g_autofree gchar *is = NULL;

    leave_square_pixels_out (got);
    is = gst_caps_to_string (got);
    fail_unless (gst_caps_is_strictly_equal (got, should), "%s becomes %s",
        wanted[i][0], is);
  }
}

GST_END_TEST;

/* What may become of caps: any size and shape, of the memory that is ours only;
 * of hipscale the same format and colour */
GST_START_TEST (test_transform_caps)
{
  g_autoptr (GstElement) ours =
      gst_object_ref_sink (gst_element_factory_make (names[__i__][0], NULL));
  g_autoptr (GstElement) theirs =
      gst_object_ref_sink (gst_element_factory_make (names[__i__][1], NULL));
  GstBaseTransform *a = GST_BASE_TRANSFORM (ours);
  GstBaseTransform *b = GST_BASE_TRANSFORM (theirs);
  g_autoptr (GstCaps) caps =
      gst_caps_from_string ("video/x-raw,format=NV12,width=64,height=48,"
      "framerate=30/1,colorimetry=bt709,chroma-site=mpeg2,"
      "pixel-aspect-ratio=4/3;video/x-raw,format=I420,width=10,height=10");
  g_autoptr (GstCaps) hip = change_memory (caps, TRUE);
  g_autoptr (GstCaps) other =
      gst_caps_from_string ("video/x-raw,format=I420,width=10,height=10");
  g_autoptr (GstCaps) kept = NULL;

  for (guint d = GST_PAD_SRC; d <= GST_PAD_SINK; d++) {
    g_autoptr (GstCaps) result =
        GST_BASE_TRANSFORM_GET_CLASS (a)->transform_caps (a, d, hip, NULL);
    g_autoptr (GstCaps) got = change_memory (result, FALSE);
    g_autoptr (GstCaps) wanted =
        GST_BASE_TRANSFORM_GET_CLASS (b)->transform_caps (b, d, caps, NULL);

    fail_unless (gst_caps_is_equal (got, wanted), "%" GST_PTR_FORMAT " and %"
        GST_PTR_FORMAT, got, wanted);
  }
  kept = GST_BASE_TRANSFORM_GET_CLASS (a)->transform_caps (a, GST_PAD_SINK,
      other, NULL);
  fail_unless (gst_caps_is_strictly_equal (kept, other));
}

GST_END_TEST;

static Suite *
scale_caps_suite (void)
{
  Suite *s = suite_create ("scale-caps");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_sizes, 0, G_N_ELEMENTS (names));
  tcase_add_test (tc, test_turned);
  tcase_add_loop_test (tc, test_transform_caps, 0, G_N_ELEMENTS (names));
  return s;
}

GST_CHECK_MAIN (scale_caps);
