/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which caps does an element have that brings video from one memory to
 * another? Must not know elements or devices. Invariant: only the memory
 * changes; format, size, other features and their order stay, and nothing is
 * simplified, so that results remain subsets of the filter.
 */
#include "config.h"

#include "hip-bridge.h"

gboolean
hip_caps_are_hip (GstCaps * caps)
{
  GstCapsFeatures *features = gst_caps_get_features (caps, 0);

  return features && gst_caps_features_contains (features,
      GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
}

static gboolean
is_memory_feature (const gchar * feature)
{
  return g_str_has_prefix (feature, "memory:");
}

/* features without its memory, and with memory instead. */
static GstCapsFeatures *
replace_memory (const GstCapsFeatures * features, const gchar * memory)
{
  GstCapsFeatures *result = gst_caps_features_new_empty ();
  guint i;

  for (i = 0; features && i < gst_caps_features_get_size (features); i++) {
    const gchar *name = gst_caps_features_get_nth (features, i);

    if (!is_memory_feature (name))
      gst_caps_features_add (result, name);
  }
  if (g_strcmp0 (memory, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY) != 0
      || gst_caps_features_get_size (result) > 0)
    gst_caps_features_add (result, memory);
  return result;
}

/* CPU memory beside other features is written with and without its name. */
static GstCaps *
append_unnamed (GstCaps * result, const GstStructure * structure,
    const GstCapsFeatures * features)
{
  GstCapsFeatures *unnamed;

  if (gst_caps_features_get_size (features) < 2
      || !gst_caps_features_contains (features,
          GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY))
    return result;
  unnamed = gst_caps_features_copy (features);
  gst_caps_features_remove (unnamed, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);
  return gst_caps_merge_structure_full (result, gst_structure_copy (structure),
      unnamed);
}

static GstCaps *
append_bridged (GstCaps * result, GstCaps * caps, guint index,
    const gchar * const *memories)
{
  const GstStructure *structure = gst_caps_get_structure (caps, index);
  GstCapsFeatures *old = gst_caps_get_features (caps, index);

  for (; *memories; memories++) {
    GstCapsFeatures *features =
        replace_memory (gst_caps_features_is_any (old) ? NULL : old, *memories);
    g_autoptr (GstCapsFeatures) kept = gst_caps_features_copy (features);

    result = gst_caps_merge_structure_full (result,
        gst_structure_copy (structure), features);
    result = append_unnamed (result, structure, kept);
  }
  return result;
}

GstCaps *
hip_bridge_caps (GstCaps * caps, GstCaps * filter,
    const gchar * const *hip_to, const gchar * const *system_to)
{
  GstCaps *result = gst_caps_new_empty ();
  guint i;

  for (i = 0; i < gst_caps_get_size (caps); i++) {
    GstCapsFeatures *features = gst_caps_get_features (caps, i);
    gboolean any = gst_caps_features_is_any (features);
    gboolean hip = !any && gst_caps_features_contains (features,
        GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);

    if (any || hip)
      result = append_bridged (result, caps, i, hip_to);
    if (any || !hip)
      result = append_bridged (result, caps, i, system_to);
  }
  if (filter) {
    GstCaps *both = gst_caps_intersect_full (filter, result,
        GST_CAPS_INTERSECT_FIRST);

    gst_caps_unref (result);
    result = both;
  }
  return result;
}

static gboolean
peer_refuses (GstPad * pad, GstCaps * caps)
{
  g_autoptr (GstCaps) both = gst_pad_peer_query_caps (pad, caps);

  return gst_caps_is_empty (both);
}

GstCaps *
hip_bridge_caps_or_same (GstPad * pad, GstCaps * caps, GstCaps * bridged,
    GstCaps * filter, const gchar * memory)
{
  const gchar *to[] = { memory, NULL };
  GstCaps *result = hip_bridge_caps (bridged, NULL, to, to);

  /* GstBaseTransform takes what is the same wherever it may, so it may only
   * where nothing else is possible. */
  if (!gst_caps_is_fixed (caps) || peer_refuses (pad, result))
    result = gst_caps_merge (result, gst_caps_ref (caps));
  if (filter) {
    GstCaps *both = gst_caps_intersect_full (filter, result,
        GST_CAPS_INTERSECT_FIRST);

    gst_caps_unref (result);
    result = both;
  }
  return result;
}

void
hip_bridge_append_variants (GstCaps * result, const GstStructure * plain,
    const gchar * memory)
{
  for (guint i = 0; i < 4; i++) {
    GstStructure *structure = gst_structure_copy (plain);
    GstCapsFeatures *features = gst_caps_features_new (memory, NULL);

    if (i & 1)
      gst_caps_features_add (features,
          GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION);
    if (i & 2) {
      gst_caps_features_add (features, GST_CAPS_FEATURE_FORMAT_INTERLACED);
      gst_structure_set (structure, "interlace-mode", G_TYPE_STRING,
          "alternate", NULL);
    }
    gst_caps_append_structure_full (result, structure, features);
    append_unnamed (result, structure, features);
  }
}

GstCaps *
hip_bridge_template_caps (const gchar * first, const gchar * second)
{
  const gchar *memories[] = { first, second };
  GstCaps *result = gst_caps_new_empty ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (memories) && memories[i]; i++) {
    g_autoptr (GstCaps) plain =
        gst_hip_get_supported_formats_caps (memories[i]);

    hip_bridge_append_variants (result, gst_caps_get_structure (plain, 0),
        memories[i]);
  }
  return result;
}

GstPadTemplate *
hip_bridge_template (GstPadDirection direction, GstCaps * caps)
{
  GstPadTemplate *templ =
      gst_pad_template_new (direction == GST_PAD_SINK ? "sink" : "src",
      direction, GST_PAD_ALWAYS, caps);

  gst_caps_unref (caps);
  return templ;
}
