/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Into which caps can frames be converted, and which of them are best? Knows
 * caps only: no element, no device, no pixels. Invariant: what is chosen is
 * what videoconvert chooses, so that a pipeline that replaces it sees the same
 * formats and colours.
 */
#include "config.h"

#include "hip-bridge.h"
#include "hip-convert-caps.h"
#include "hip-scale-caps.h"

/* --- what is possible --- */

GstCaps *
hip_convert_caps_new_template (void)
{
  GstCaps *caps = gst_caps_new_empty ();
  g_autoptr (GstStructure) structure = NULL;
  const GstVideoFormat *formats;
  GValue list = G_VALUE_INIT;
  guint n_formats;

  g_value_init (&list, GST_TYPE_LIST);
  formats = gst_video_formats_raw (&n_formats);
  for (guint i = 0; i < n_formats; i++) {
    GValue value = G_VALUE_INIT;

    if (!gst_hip_converter_is_supported_format (formats[i]))
      continue;
    g_value_init (&value, G_TYPE_STRING);
    g_value_set_string (&value, gst_video_format_to_string (formats[i]));
    gst_value_list_append_and_take_value (&list, &value);
  }

  structure = gst_structure_new ("video/x-raw",
      "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "framerate", GST_TYPE_FRACTION_RANGE, 0, 1, G_MAXINT, 1, NULL);
  gst_structure_take_value (structure, "format", &list);
  hip_bridge_append_variants (caps, structure,
      GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  return caps;
}

GstCaps *
hip_convert_caps_transform (GstCaps * caps, GstCaps * filter,
    gboolean converts, gboolean scales)
{
  GstCaps *result = gst_caps_new_empty (), *both;

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure = gst_caps_get_structure (caps, i);
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    /* Many structures that differ in format or size become one. Nothing more is
     * simplified: a filter's order is its wish. */
    if (i > 0 && gst_caps_is_subset_structure_full (result, structure,
            features))
      continue;
    structure = gst_structure_copy (structure);
    if (!gst_caps_features_is_any (features)
        && gst_caps_features_contains (features,
            GST_CAPS_FEATURE_MEMORY_HIP_MEMORY)) {
      if (converts)
        gst_structure_remove_fields (structure, "format", "colorimetry",
            "chroma-site", NULL);
      if (scales)
        hip_scale_caps_open (structure);
    }
    gst_caps_append_structure_full (result, structure,
        gst_caps_features_copy (features));
  }
  if (filter) {
    both = gst_caps_intersect_full (filter, result, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (result);
    result = both;
  }
  return result;
}

/* --- what is best --- */

/* In powers of two, so that each outweighs all that stand above it together.
 * A mere change counts one, however it looks. */
enum
{
  LOSS_MODEL = 1 << 1,          /* between RGB and YUV */
  LOSS_DEPTH = 1 << 2,
  LOSS_ALPHA = 1 << 3,
  LOSS_CHROMA_X = 1 << 4,
  LOSS_CHROMA_Y = 1 << 5,
  LOSS_COLOUR = 1 << 7,         /* to grey */
};

static guint
get_model (const GstVideoFormatInfo * finfo)
{
  return GST_VIDEO_FORMAT_INFO_FLAGS (finfo) & (GST_VIDEO_FORMAT_FLAG_YUV |
      GST_VIDEO_FORMAT_FLAG_RGB | GST_VIDEO_FORMAT_FLAG_GRAY);
}

/* One for a change, loss on top where something is lost */
static guint
weigh (guint from, guint to, guint loss)
{
  return from == to ? 0 : from < to ? 1 : 1 + loss;
}

/* What is lost when one becomes the other: 0 for the same format, more for worse */
static guint
get_loss (const GstVideoFormatInfo * from, const GstVideoFormatInfo * to)
{
  guint sum = 1;

  if (GST_VIDEO_FORMAT_INFO_FORMAT (from) == GST_VIDEO_FORMAT_INFO_FORMAT (to))
    return 0;
  if (get_model (from) != get_model (to))
    sum += GST_VIDEO_FORMAT_INFO_IS_GRAY (to) ? LOSS_COLOUR : LOSS_MODEL;
  sum += weigh (GST_VIDEO_FORMAT_INFO_HAS_ALPHA (from),
      GST_VIDEO_FORMAT_INFO_HAS_ALPHA (to), LOSS_ALPHA);
  sum += weigh (GST_VIDEO_FORMAT_INFO_BITS (from),
      GST_VIDEO_FORMAT_INFO_BITS (to), LOSS_DEPTH);
  /* more is less */
  sum += weigh (GST_VIDEO_FORMAT_INFO_H_SUB (to, 1),
      GST_VIDEO_FORMAT_INFO_H_SUB (from, 1), LOSS_CHROMA_Y);
  sum += weigh (GST_VIDEO_FORMAT_INFO_W_SUB (to, 1),
      GST_VIDEO_FORMAT_INFO_W_SUB (from, 1), LOSS_CHROMA_X);
  return sum;
}

typedef struct
{
  const GstVideoFormatInfo *from;
  guint structure, loss;
  const gchar *format;          /* NULL: none was found */
} Best;

static void
consider (Best * best, guint structure, const GValue * format)
{
  const GstVideoFormatInfo *to;
  guint loss;

  if (!G_VALUE_HOLDS_STRING (format))
    return;
  to = gst_video_format_get_info (gst_video_format_from_string
      (g_value_get_string (format)));
  if (GST_VIDEO_FORMAT_INFO_FORMAT (to) == GST_VIDEO_FORMAT_UNKNOWN)
    return;
  loss = get_loss (best->from, to);
  if (best->format && loss >= best->loss)
    return;
  best->structure = structure;
  best->loss = loss;
  best->format = GST_VIDEO_FORMAT_INFO_NAME (to);
}

/* The first of those with the least loss */
static void
find_best (Best * best, const GstCaps * caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GValue *format =
        gst_structure_get_value (gst_caps_get_structure (caps, i), "format");

    if (!format)
      continue;
    if (!GST_VALUE_HOLDS_LIST (format)) {
      consider (best, i, format);
      continue;
    }
    for (guint j = 0; j < gst_value_list_get_size (format); j++)
      consider (best, i, gst_value_list_get_value (format, j));
  }
}

static const GstVideoFormatInfo *
get_format (const GstCaps * caps)
{
  const gchar *name =
      gst_structure_get_string (gst_caps_get_structure (caps, 0), "format");
  GstVideoFormat format =
      name ? gst_video_format_from_string (name) : GST_VIDEO_FORMAT_UNKNOWN;

  return format == GST_VIDEO_FORMAT_UNKNOWN ? NULL :
      gst_video_format_get_info (format);
}

/* One structure. Others are taken. */
static GstCaps *
choose_format (GstCaps * caps, GstCaps * others)
{
  Best best = { get_format (caps), 0, 0, NULL };
  GstCaps *result;

  if (best.from)
    find_best (&best, others);
  if (!best.format)
    return gst_caps_truncate (others);
  result = gst_caps_copy_nth (others, best.structure);
  gst_caps_unref (others);
  gst_caps_set_simple (result, "format", G_TYPE_STRING, best.format, NULL);
  return result;
}

/* --- colour that the output leaves open --- */

static gboolean
have_same_chroma (const GstVideoFormatInfo * a, const GstVideoFormatInfo * b)
{
  if (GST_VIDEO_FORMAT_INFO_N_COMPONENTS (a) !=
      GST_VIDEO_FORMAT_INFO_N_COMPONENTS (b))
    return FALSE;
  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (a); i++) {
    if (GST_VIDEO_FORMAT_INFO_W_SUB (a, i) != GST_VIDEO_FORMAT_INFO_W_SUB (b, i)
        || GST_VIDEO_FORMAT_INFO_H_SUB (a, i) !=
        GST_VIDEO_FORMAT_INFO_H_SUB (b, i))
      return FALSE;
  }
  return TRUE;
}

/* RGB has no matrix and another range than YUV; light stays light. */
static void
carry_light_over (const GstVideoInfo * in, const GstVideoInfo * out,
    GstCaps * out_caps)
{
  GstVideoColorimetry colorimetry = out->colorimetry;
  g_autofree gchar *text = NULL;

  colorimetry.primaries = in->colorimetry.primaries;
  colorimetry.transfer = in->colorimetry.transfer;
  text = gst_video_colorimetry_to_string (&colorimetry);
  if (text)
    gst_caps_set_simple (out_caps, "colorimetry", G_TYPE_STRING, text, NULL);
}

static GstCaps *
carry_colour_over (GstCaps * in_caps, GstCaps * out_caps)
{
  const GstStructure *from = gst_caps_get_structure (in_caps, 0);
  GstStructure *to;
  const GValue *colorimetry = gst_structure_get_value (from, "colorimetry");
  const GValue *site = gst_structure_get_value (from, "chroma-site");
  GstVideoInfo in, out;

  if (!gst_video_info_from_caps (&in, in_caps)
      || !gst_video_info_from_caps (&out, out_caps))
    return out_caps;
  out_caps = gst_caps_make_writable (out_caps);
  to = gst_caps_get_structure (out_caps, 0);
  if (colorimetry && !gst_structure_has_field (to, "colorimetry")) {
    if (get_model (in.finfo) == get_model (out.finfo))
      gst_structure_set_value (to, "colorimetry", colorimetry);
    else
      carry_light_over (&in, &out, out_caps);
  }
  if (site && !gst_structure_has_field (to, "chroma-site")
      && GST_VIDEO_INFO_IS_YUV (&in) && GST_VIDEO_INFO_IS_YUV (&out)
      && have_same_chroma (in.finfo, out.finfo))
    gst_structure_set_value (to, "chroma-site", site);
  return out_caps;
}

/* The structure of others in which a format was chosen, with that format and
 * colour and any size */
static GstCaps *
open_sizes (GstCaps * chosen, GstCaps * others)
{
  static const gchar *const fields[] = { "format", "colorimetry", "chroma-site"
  };
  const GstStructure *from = gst_caps_get_structure (chosen, 0);
  GstCaps *result;
  guint i = 0;

  for (i = 0; i + 1 < gst_caps_get_size (others); i++) {
    g_autoptr (GstCaps) one = gst_caps_copy_nth (others, i);

    if (gst_caps_can_intersect (one, chosen))
      break;
  }
  result = gst_caps_copy_nth (others, i);
  for (guint k = 0; k < G_N_ELEMENTS (fields); k++) {
    const GValue *value = gst_structure_get_value (from, fields[k]);

    if (value)
      gst_structure_set_value (gst_caps_get_structure (result, 0), fields[k],
          value);
  }
  return result;
}

GstCaps *
hip_convert_caps_fixate (GstCaps * caps, GstCaps * others,
    gboolean towards_output, gboolean scales, gboolean turned)
{
  GstCaps *same = gst_caps_intersect (others, caps), *result;

  if (gst_caps_is_empty (same)) {
    gst_caps_unref (same);
    same = gst_caps_ref (others);
  }
  if (gst_caps_is_empty (same)) {
    gst_caps_unref (others);
    return same;
  }
  result = choose_format (caps, same);
  /* The same size is a wish like any other: the picture's shape comes first */
  if (scales) {
    GstCaps *open = open_sizes (result, others);

    hip_scale_caps_fixate (caps, open, turned);
    gst_caps_unref (result);
    result = open;
  }
  gst_caps_unref (others);
  result = gst_caps_fixate (result);
  if (!towards_output)
    return result;
  if (gst_caps_is_subset (caps, result))
    gst_caps_replace (&result, caps);
  return carry_colour_over (caps, result);
}
