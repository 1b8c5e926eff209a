/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does hipconvert negotiate as videoconvert does? Both are asked the same, here
 * and now, with the memory feature on one side only; so it is the videoconvert
 * of this GStreamer that counts.
 */
#include "io-frames.h"

#include <gst/base/gstbasetransform.h>

#define HIP GST_CAPS_FEATURE_MEMORY_HIP_MEMORY

static GstElement *ours, *theirs;

static void
setup (void)
{
  ours = gst_element_factory_make ("hipconvert", NULL);
  theirs = gst_element_factory_make ("videoconvert", NULL);
  fail_unless (ours != NULL && theirs != NULL);
  gst_object_ref_sink (ours);
  gst_object_ref_sink (theirs);
}

static void
teardown (void)
{
  gst_clear_object (&ours);
  gst_clear_object (&theirs);
}

static guint32
test_seed (void)
{
  const gchar *wish = g_getenv ("GST_HIP_TEST_SEED");
  guint32 seed = wish ? strtoul (wish, NULL, 0) : 1;

  g_print ("seed: GST_HIP_TEST_SEED=%u\n", seed);
  return seed;
}

/* --- the same caps in HIP memory and back --- */

static GstCaps *
change_memory (GstCaps * caps, gboolean to_hip)
{
  GstCaps *result = gst_caps_copy (caps);

  for (guint i = 0; i < gst_caps_get_size (result); i++) {
    GstCapsFeatures *features =
        gst_caps_features_copy (gst_caps_get_features (result, i));

    fail_unless (to_hip || gst_caps_features_contains (features, HIP));
    gst_caps_features_remove (features, to_hip ?
        GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY : HIP);
    if (to_hip)
      gst_caps_features_add (features, HIP);
    gst_caps_set_features (result, i, features);
  }
  return result;
}

static GstCaps *
with_hip (GstCaps * caps)
{
  return change_memory (caps, TRUE);
}

static GstCaps *
without_hip (GstCaps * caps)
{
  return change_memory (caps, FALSE);
}

/* Since it also scales, videoconvert writes down square pixels now and then,
 * which are those of caps that do not say. */
static void
leave_square_pixels_out (GstCaps * caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure = gst_caps_get_structure (caps, i);
    gint n, d;

    if (gst_structure_get_fraction (structure, "pixel-aspect-ratio", &n, &d)
        && n == d)
      gst_structure_remove_field (structure, "pixel-aspect-ratio");
  }
}

/* What hipconvert takes of CUDA elements beside HIP memory, which it says of
 * inputs only. Takes caps. */
static GstCaps *
without_cuda (GstCaps * caps)
{
  GstCaps *result = gst_caps_make_writable (caps);

  for (guint i = gst_caps_get_size (result); i > 0; i--) {
    if (gst_caps_features_contains (gst_caps_get_features (result, i - 1),
            "memory:CUDAMemory"))
      gst_caps_remove_structure (result, i - 1);
  }
  return result;
}

/* Order counts, too. Takes all. */
static void
assert_same (GstCaps * hip, GstCaps * wanted, const gchar * what)
{
  g_autoptr (GstCaps) got = without_hip (hip);
  g_autofree gchar *is = NULL, *should = NULL;

  wanted = gst_caps_make_writable (wanted);
  leave_square_pixels_out (got);
  leave_square_pixels_out (wanted);
  is = gst_caps_to_string (got);
  should = gst_caps_to_string (wanted);

  fail_unless (gst_caps_is_strictly_equal (got, wanted), "%s: hipconvert says "
      "%s, videoconvert %s", what, is, should);
  gst_caps_unref (hip);
  gst_caps_unref (wanted);
}

/* --- transform_caps --- */

static GstCaps *
transform (GstElement * element, GstPadDirection direction, GstCaps * caps,
    GstCaps * filter)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);

  return GST_BASE_TRANSFORM_GET_CLASS (trans)->transform_caps (trans, direction,
      caps, filter);
}

static const gchar *const possible[] = {
  "video/x-raw",
  "video/x-raw,format=NV12,width=64,height=48",
  "video/x-raw,format=NV12,width=64,height=48,framerate=30/1,"
      "colorimetry=bt709,chroma-site=mpeg2,interlace-mode=progressive,"
      "pixel-aspect-ratio=4/3,multiview-mode=mono",
  "video/x-raw,format={I420,RGBA},width=[1,100],height=[1,100],"
      "colorimetry={bt709,bt601}",
  /* one after the other: the second says nothing new, the third does */
  "video/x-raw,format=RGBA,width=64,height=48;"
      "video/x-raw,format=I420,width=64,height=48;"
      "video/x-raw,format=I420,width=66,height=48",
  "video/x-raw(meta:GstVideoOverlayComposition),format=RGBA;"
      "video/x-raw,format=RGBA",
  "video/x-raw(format:Interlaced),format=I420,interlace-mode=alternate",
};

GST_START_TEST (test_transform_caps)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (possible[__i__]);
  g_autoptr (GstCaps) hip = with_hip (caps);

  /* An element without HIP memory knows no such features; the rule for what it
   * knows is the same for them here. */
  if (strstr (possible[__i__], "meta:")) {
    g_autoptr (GstCaps) result = transform (ours, GST_PAD_SINK, hip, NULL);

    fail_unless_equals_int (gst_caps_get_size (result), 2);
    for (guint i = 0; i < 2; i++) {
      fail_unless (gst_caps_features_is_equal (gst_caps_get_features (result,
                  i), gst_caps_get_features (hip, i)));
      fail_if (gst_structure_has_field (gst_caps_get_structure (result, i),
              "format"));
    }
    return;
  }
  for (guint d = GST_PAD_SRC; d <= GST_PAD_SINK; d++) {
    assert_same (without_cuda (transform (ours, d, hip, NULL)),
        transform (theirs, d, caps, NULL), possible[__i__]);
    for (guint i = 0; i < G_N_ELEMENTS (possible); i++) {
      g_autoptr (GstCaps) filter = gst_caps_from_string (possible[i]);
      g_autoptr (GstCaps) hip_filter = with_hip (filter);

      assert_same (transform (ours, d, hip, hip_filter), transform (theirs, d,
              caps, filter), possible[__i__]);
    }
  }
}

GST_END_TEST;

/* What is not ours is left as it is. */
GST_START_TEST (test_other_memory_is_left_alone)
{
  g_autoptr (GstCaps) caps =
      gst_caps_from_string ("video/x-raw,format=I420;video/x-raw"
      "(memory:DMABuf),format=NV12;video/x-raw(ANY),format=RGB");
  g_autoptr (GstCaps) result = transform (ours, GST_PAD_SINK, caps, NULL);

  fail_unless (gst_caps_is_strictly_equal (caps, result), "%" GST_PTR_FORMAT,
      result);
}

GST_END_TEST;

/* --- fixation --- */

static GstCaps *
fixate (GstElement * element, GstPadDirection direction, GstCaps * caps,
    GstCaps * others)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);

  return GST_BASE_TRANSFORM_GET_CLASS (trans)->fixate_caps (trans, direction,
      caps, gst_caps_ref (others));
}

static void
assert_fixates_same (GstPadDirection direction, GstCaps * caps,
    GstCaps * others)
{
  g_autoptr (GstCaps) hip = with_hip (caps);
  g_autoptr (GstCaps) hip_others = with_hip (others);
  g_autofree gchar *from = gst_caps_to_string (caps);
  g_autofree gchar *to = gst_caps_to_string (others);
  g_autofree gchar *what = g_strdup_printf ("%s to one of %s", from, to);

  assert_same (fixate (ours, direction, hip, hip_others), fixate (theirs,
          direction, caps, others), what);
}

static GArray *
template_formats (void)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (ours, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_pad_template_caps (pad);
  const GValue *list = gst_structure_get_value (gst_caps_get_structure (caps,
          0), "format");
  GArray *formats = g_array_new (FALSE, FALSE, sizeof (gchar *));

  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    const gchar *name =
        g_intern_string (g_value_get_string (gst_value_list_get_value (list,
                i)));

    g_array_append_val (formats, name);
  }
  fail_unless (formats->len >= 60, "%u formats", formats->len);
  return formats;
}

static void
shuffle (GArray * formats, GRand * rand)
{
  for (guint i = formats->len - 1; i > 0; i--) {
    guint k = g_rand_int_range (rand, 0, i + 1);
    const gchar *name = g_array_index (formats, const gchar *, i);

    g_array_index (formats, const gchar *, i) =
        g_array_index (formats, const gchar *, k);
    g_array_index (formats, const gchar *, k) = name;
  }
}

static GstCaps *
caps_of_formats (GArray * formats)
{
  GValue list = G_VALUE_INIT;
  GstStructure *structure = gst_structure_new ("video/x-raw", "width",
      G_TYPE_INT, 64, "height", G_TYPE_INT, 48, "framerate", GST_TYPE_FRACTION,
      30, 1, NULL);

  g_value_init (&list, GST_TYPE_LIST);
  for (guint i = 0; i < formats->len; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_STRING);
    g_value_set_string (&value, g_array_index (formats, const gchar *, i));
    gst_value_list_append_and_take_value (&list, &value);
  }
  gst_structure_take_value (structure, "format", &list);
  return gst_caps_new_full (structure, NULL);
}

/* The best of all, the best of the others, and so on: the whole order of all
 * formats for each, ties included, as they stand in random order. */
static void
check_ranking (const gchar * from, GPtrArray * all, GRand * rand)
{
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (gchar *));
  g_autoptr (GstCaps) caps = gst_caps_new_simple ("video/x-raw", "format",
      G_TYPE_STRING, from, "width", G_TYPE_INT, 64, "height", G_TYPE_INT, 48,
      "framerate", GST_TYPE_FRACTION, 30, 1, NULL);
  g_autoptr (GstCaps) hip = with_hip (caps);

  g_array_append_vals (left, all->pdata, all->len);
  shuffle (left, rand);
  while (left->len > 0) {
    g_autoptr (GstCaps) others = caps_of_formats (left);
    g_autoptr (GstCaps) hip_others = with_hip (others);
    g_autoptr (GstCaps) a = fixate (ours, GST_PAD_SINK, hip, hip_others);
    g_autoptr (GstCaps) b = fixate (theirs, GST_PAD_SINK, caps, others);
    const gchar *got = gst_structure_get_string (gst_caps_get_structure (a, 0),
        "format");
    const gchar *wanted =
        gst_structure_get_string (gst_caps_get_structure (b, 0), "format");
    guint at;

    fail_unless (g_str_equal (got, wanted), "of %s hipconvert makes %s, "
        "videoconvert %s", from, got, wanted);
    for (at = 0; g_array_index (left, const gchar *, at) !=
        g_intern_string (wanted); at++);
    g_array_remove_index (left, at);
  }
}

GST_START_TEST (test_best_of_all_formats)
{
  g_autoptr (GArray) formats = template_formats ();
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (test_seed ());

  for (guint i = 0; i < formats->len; i++)
    g_ptr_array_add (all, (gpointer) g_array_index (formats, gchar *, i));
  for (guint i = 0; i < all->len; i++)
    check_ranking (g_ptr_array_index (all, i), all, rand);
}

GST_END_TEST;

static const gchar *
pick (GRand * rand, const gchar * const *texts)
{
  return texts[g_rand_int_range (rand, 0, g_strv_length ((gchar **) texts))];
}

static const gchar *const some_formats[] = { "I420", "NV12", "Y42B", "Y444",
  "RGBA", "RGB", "GRAY8", "AYUV", "P010_10LE", "GBR_10LE", "A420", "UYVY", NULL
};

static const gchar *const fixed_fields[] = { "", "", ",colorimetry=bt601",
  ",colorimetry=bt709", ",colorimetry=bt2020", ",colorimetry=sRGB",
  ",colorimetry=1:4:0:0", ",colorimetry=bt2100-pq", ",colorimetry=2:3:0:0", NULL
};

static const gchar *const fixed_sites[] = { "", "", ",chroma-site=mpeg2",
  ",chroma-site=jpeg", ",chroma-site=dv", NULL
};

static const gchar *const fixed_modes[] = { "", ",interlace-mode=progressive",
  ",interlace-mode=interleaved,field-order=top-field-first",
  ",interlace-mode=mixed", NULL
};

static const gchar *const open_fields[] = { "", "", ",colorimetry=bt709",
  ",colorimetry={bt601,bt709}", ",colorimetry={sRGB,bt2020}", NULL
};

static const gchar *const open_sites[] = { "", "", ",chroma-site=jpeg",
  ",chroma-site={jpeg,mpeg2}", NULL
};

static const gchar *const rests[] = { "", ",pixel-aspect-ratio=16/15",
  ",multiview-mode=mono", NULL
};

/* What is fixed, and what may become of it. choice: of formats or of colours,
 * not of both at once: videoconvert (1.22 to 1.26 at least) takes the first
 * format, whatever is lost, where another field stands behind it, as it does
 * then once base classes have been through these caps. */
static void
draw_pair (GRand * rand, gboolean both, GstCaps ** caps, GstCaps ** others)
{
  gboolean formats = both || g_rand_boolean (rand);
  gboolean colours = both || !formats;
  const gchar *rest = pick (rand, rests), *mode = pick (rand, fixed_modes);
  g_autofree gchar *size = g_strdup_printf (",width=%d,height=%d,framerate=25/1"
      "%s%s", g_rand_int_range (rand, 1, 2000), g_rand_int_range (rand, 1,
          2000), mode, rest);
  g_autofree gchar *fixed = g_strdup_printf ("video/x-raw,format=%s%s%s%s",
      pick (rand, some_formats), pick (rand, fixed_fields), pick (rand,
          fixed_sites), size);
  const gchar *first = pick (rand, some_formats);
  g_autofree gchar *open = g_strdup_printf ("video/x-raw,format={%s,%s,%s}%s%s"
      "%s", first, formats ? pick (rand, some_formats) : first,
      formats ? pick (rand, some_formats) : first,
      colours ? pick (rand, open_fields) : "",
      colours ? pick (rand, open_sites) : "", size);

  *caps = gst_caps_from_string (fixed);
  *others = gst_caps_from_string (open);
  fail_unless (*caps != NULL && *others != NULL, "%s, %s", fixed, open);
}

GST_START_TEST (test_colours_are_chosen_alike)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (test_seed ());

  for (guint i = 0; i < 5000; i++) {
    g_autoptr (GstCaps) caps = NULL;
    g_autoptr (GstCaps) others = NULL;

    draw_pair (rand, TRUE, &caps, &others);
    assert_fixates_same (GST_PAD_SINK, caps, others);
    assert_fixates_same (GST_PAD_SRC, caps, others);
  }
}

GST_END_TEST;

/* Where the best format is the second structure's, it is that one's caps that
 * count. */
GST_START_TEST (test_best_of_several_structures)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw(memory:"
      "HIPMemory),format=NV12,width=64,height=48,framerate=30/1");
  g_autoptr (GstCaps) others = gst_caps_from_string ("video/x-raw(memory:"
      "HIPMemory,meta:GstVideoOverlayComposition),format={RGB,GRAY8},width=64,"
      "height=48,framerate=30/1;video/x-raw(memory:HIPMemory),format={RGBA,"
      "I420},width=64,height=48,framerate=30/1");
  g_autoptr (GstCaps) wanted = gst_caps_from_string ("video/x-raw(memory:"
      "HIPMemory),format=I420,width=64,height=48,framerate=30/1");
  g_autoptr (GstCaps) got = fixate (ours, GST_PAD_SINK, caps, others);

  fail_unless (gst_caps_is_strictly_equal (got, wanted), "%" GST_PTR_FORMAT,
      got);
}

GST_END_TEST;

/* --- all of it, in a running element --- */

static GstCaps *
negotiate (const gchar * element, GstCaps * in, GstCaps * out)
{
  g_autofree gchar *chain = g_strcmp0 (element, "hipconvert") == 0 ?
      g_strdup_printf ("hipconvert vendor=%s", test_vendor ()) :
      g_strdup (element);
  GstHarness *h = gst_harness_new_parse (chain);
  g_autoptr (GstPad) pad = NULL;
  GstCaps *caps;

  gst_harness_set_caps (h, gst_caps_ref (in), gst_caps_ref (out));
  pad = gst_element_get_static_pad (h->element, "src");
  caps = gst_pad_get_current_caps (pad);
  gst_harness_teardown (h);
  return caps;
}

GST_START_TEST (test_elements_negotiate_alike)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (test_seed ());

  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstCaps) caps = NULL;
    g_autoptr (GstCaps) others = NULL;
    g_autoptr (GstCaps) hip = NULL;
    g_autoptr (GstCaps) hip_others = NULL;
    GstCaps *got, *wanted;

    draw_pair (rand, FALSE, &caps, &others);
    hip = with_hip (caps);
    hip_others = with_hip (others);
    got = negotiate ("hipconvert", hip, hip_others);
    wanted = negotiate ("videoconvert", caps, others);
    fail_unless (got != NULL && wanted != NULL, "%" GST_PTR_FORMAT " to %"
        GST_PTR_FORMAT, caps, others);
    assert_same (got, wanted, "negotiated");
  }
}

GST_END_TEST;

/* --- properties --- */

/* What scales, which this element does not */
static const gchar *const scaling[] = { "method", "add-borders", "sharpness",
  "sharpen", "envelope", NULL
};

GST_START_TEST (test_properties_are_those_of_videoconvert)
{
  guint n;
  g_autofree GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (theirs), &n);

  for (guint i = 0; i < n; i++) {
    GParamSpec *wanted = specs[i], *got;

    if (g_strv_contains (scaling, wanted->name))
      continue;
    got = g_object_class_find_property (G_OBJECT_GET_CLASS (ours),
        wanted->name);
    fail_unless (got != NULL, "hipconvert has no %s", wanted->name);
    fail_unless (got->value_type == wanted->value_type, "%s is a %s",
        got->name, g_type_name (got->value_type));
    fail_unless_equals_int (got->flags & G_PARAM_READWRITE,
        wanted->flags & G_PARAM_READWRITE);
    if (!g_str_equal (got->name, "name")) {
      g_auto (GValue) a = G_VALUE_INIT;
      g_auto (GValue) b = G_VALUE_INIT;

      fail_unless_equals_int (g_param_values_cmp (got,
              g_param_spec_get_default_value (got),
              g_param_spec_get_default_value (wanted)), 0);
      g_value_init (&a, got->value_type);
      g_value_init (&b, got->value_type);
      g_object_get_property (G_OBJECT (ours), got->name, &a);
      g_object_get_property (G_OBJECT (theirs), got->name, &b);
      fail_unless (g_param_values_cmp (got, &a, &b) == 0, "%s differs",
          got->name);
    }
  }
  fail_unless (n > 10);
}

GST_END_TEST;

static Suite *
convert_caps_suite (void)
{
  Suite *s = suite_create ("convert-caps");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_loop_test (tc, test_transform_caps, 0, G_N_ELEMENTS (possible));
  tcase_add_test (tc, test_other_memory_is_left_alone);
  tcase_add_test (tc, test_best_of_all_formats);
  tcase_add_test (tc, test_colours_are_chosen_alike);
  tcase_add_test (tc, test_best_of_several_structures);
  tcase_add_test (tc, test_elements_negotiate_alike);
  tcase_add_test (tc, test_properties_are_those_of_videoconvert);
  return s;
}

GST_CHECK_MAIN (convert_caps);
