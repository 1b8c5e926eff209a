/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which caps do frames in DMA-BUFs have, and which the same frames in HIP
 * memory?
 *
 * Since GStreamer 1.24 such caps name DRM's fourcc and modifier, and a raw
 * format means linear. Only linear frames are spoken of here; of their three
 * spellings the canonical one, without a modifier, is first. Must not know
 * elements or devices.
 */
#include "config.h"

#include <gst/allocators/gstdmabuf.h>

#include "hip-dmabuf-caps.h"

#if GST_CHECK_VERSION (1, 24, 0)
#include <gst/video/video-info-dma.h>
#endif

gboolean
hip_caps_are_dmabuf (GstCaps * caps, guint index)
{
  GstCapsFeatures *features = gst_caps_get_features (caps, index);

  return features && !gst_caps_features_is_any (features)
      && gst_caps_features_contains (features, GST_CAPS_FEATURE_MEMORY_DMABUF);
}

gboolean
hip_dmabuf_is_wanted (GstPad * pad)
{
  g_autoptr (GstPad) peer = gst_pad_get_peer (pad);
  g_autoptr (GstCaps) caps = peer ? gst_pad_query_caps (peer, NULL) : NULL;
  gboolean wanted = FALSE;

  if (!peer)
    return TRUE;
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    if (gst_caps_features_is_any (features)
        || gst_caps_features_contains (features,
            GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY))
      return FALSE;
    wanted |= hip_caps_are_dmabuf (caps, i);
  }
  return wanted;
}

static GstCapsFeatures *
only (const gchar * memory)
{
  return gst_caps_features_new (memory, NULL);
}

#if GST_CHECK_VERSION (1, 24, 0)

/* As a structure's field has them: one string or a list of them */
static guint
n_strings (const GValue * value)
{
  if (!value)
    return 0;
  if (GST_VALUE_HOLDS_LIST (value))
    return gst_value_list_get_size (value);
  return G_VALUE_HOLDS_STRING (value) ? 1 : 0;
}

static const gchar *
nth_string (const GValue * value, guint i)
{
  if (GST_VALUE_HOLDS_LIST (value))
    value = gst_value_list_get_value (value, i);
  return G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;
}

static void
append_string (GValue * list, const gchar * text)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, text);
  gst_value_list_append_and_take_value (list, &value);
}

/* FALSE: there are none, or another format has the same fourcc. */
static gboolean
append_drm_formats (GValue * list, const gchar * name)
{
  static const gchar *const suffixes[] = { "", ":0x0", ":0x0000000000000000" };
  GstVideoFormat format = name ? gst_video_format_from_string (name) :
      GST_VIDEO_FORMAT_UNKNOWN;
  guint32 fourcc = format == GST_VIDEO_FORMAT_UNKNOWN ? 0 :
      gst_video_dma_drm_fourcc_from_format (format);
  g_autofree gchar *text = NULL;

  if (fourcc == 0 || gst_video_dma_drm_fourcc_to_format (fourcc) != format)
    return FALSE;
  text = gst_video_dma_drm_fourcc_to_string (fourcc, 0);
  for (guint i = 0; text && i < G_N_ELEMENTS (suffixes); i++) {
    g_autofree gchar *spelling = g_strconcat (text, suffixes[i], NULL);

    append_string (list, spelling);
  }
  return text != NULL;
}

/* The raw formats of structure as DRM's; NULL: none of them is one. */
static GstStructure *
to_drm (const GstStructure * structure)
{
  const GValue *formats = gst_structure_get_value (structure, "format");
  GstStructure *result;
  GValue list = G_VALUE_INIT;
  gboolean any = FALSE;

  g_value_init (&list, GST_TYPE_LIST);
  for (guint i = 0; i < n_strings (formats); i++)
    any |= append_drm_formats (&list, nth_string (formats, i));
  if (!any) {
    g_value_unset (&list);
    return NULL;
  }
  result = gst_structure_copy (structure);
  gst_structure_set (result, "format", G_TYPE_STRING, "DMA_DRM", NULL);
  gst_structure_take_value (result, "drm-format", &list);
  return result;
}

static gboolean
is_drm (const GstStructure * structure)
{
  return g_strcmp0 (gst_structure_get_string (structure, "format"),
      "DMA_DRM") == 0;
}

/* GStreamer's own function refuses a modifier that says linear. */
static GstVideoFormat
linear_format (const gchar * text)
{
  g_auto (GStrv) parts = g_strsplit (text ? text : "", ":", 2);

  if (!parts[0] || (parts[1] && g_ascii_strtoull (parts[1], NULL, 16) != 0))
    return GST_VIDEO_FORMAT_UNKNOWN;
  return gst_video_dma_drm_fourcc_to_format
      (gst_video_dma_drm_fourcc_from_string (parts[0], NULL));
}

/* NULL: none of its formats is linear and known. */
static GstStructure *
from_drm (const GstStructure * structure)
{
  const GValue *texts = gst_structure_get_value (structure, "drm-format");
  GstStructure *result = gst_structure_copy (structure);
  GValue list = G_VALUE_INIT;
  gboolean any = FALSE;

  g_value_init (&list, GST_TYPE_LIST);
  for (guint i = 0; i < n_strings (texts); i++) {
    GstVideoFormat format = linear_format (nth_string (texts, i));

    if (format == GST_VIDEO_FORMAT_UNKNOWN)
      continue;
    append_string (&list, gst_video_format_to_string (format));
    any = TRUE;
  }
  gst_structure_remove_field (result, "drm-format");
  if (any && gst_value_list_get_size (&list) == 1)
    gst_structure_set_value (result, "format", gst_value_list_get_value (&list,
            0));
  else if (any)
    gst_structure_set_value (result, "format", &list);
  else
    gst_structure_remove_field (result, "format");
  g_value_unset (&list);
  /* Which formats, it does not say: all */
  if (any || !texts)
    return result;
  gst_structure_free (result);
  return NULL;
}
#endif

void
hip_dmabuf_caps_append_template (GstCaps * caps)
{
  g_autoptr (GstCaps) plain =
      gst_hip_get_supported_formats_caps (GST_CAPS_FEATURE_MEMORY_DMABUF);
#if GST_CHECK_VERSION (1, 24, 0)
  GstStructure *drm = to_drm (gst_caps_get_structure (plain, 0));

  if (drm)
    gst_caps_append_structure_full (caps, drm,
        only (GST_CAPS_FEATURE_MEMORY_DMABUF));
#endif
  gst_caps_append_structure_full (caps,
      gst_structure_copy (gst_caps_get_structure (plain, 0)),
      only (GST_CAPS_FEATURE_MEMORY_DMABUF));
}

void
hip_dmabuf_caps_append_from_hip (GstCaps * result, GstCaps * caps, guint index,
    gboolean plain)
{
  const GstStructure *structure = gst_caps_get_structure (caps, index);
  GstCapsFeatures *features = gst_caps_get_features (caps, index);
  g_autoptr (GstCapsFeatures) hip = only (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);

  if (!gst_caps_features_is_any (features)
      && !gst_caps_features_is_equal (features, hip))
    return;
#if GST_CHECK_VERSION (1, 24, 0)
  {
    g_autoptr (GstCaps) all =
        gst_hip_get_supported_formats_caps (GST_CAPS_FEATURE_MEMORY_DMABUF);
    g_autoptr (GstStructure) known = gst_structure_intersect (structure,
        gst_caps_get_structure (all, 0));
    GstStructure *drm = known ? to_drm (known) : NULL;

    if (drm)
      gst_caps_append_structure_full (result, drm,
          only (GST_CAPS_FEATURE_MEMORY_DMABUF));
  }
#endif
  if (plain)
    gst_caps_append_structure_full (result, gst_structure_copy (structure),
        only (GST_CAPS_FEATURE_MEMORY_DMABUF));
}

GstCaps *
hip_dmabuf_caps_to_hip (GstCaps * caps, gboolean plain)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstStructure *structure = gst_caps_get_structure (caps, i);
    GstStructure *copy;

    if (!hip_caps_are_dmabuf (caps, i)) {
      gst_caps_append_structure_full (result, gst_structure_copy (structure),
          gst_caps_features_copy (gst_caps_get_features (caps, i)));
      continue;
    }
    copy = plain ? gst_structure_copy (structure) : NULL;
#if GST_CHECK_VERSION (1, 24, 0)
    if (is_drm (structure)) {
      g_clear_pointer (&copy, gst_structure_free);
      copy = from_drm (structure);
    }
#endif
    if (copy)
      gst_caps_append_structure_full (result, copy,
          only (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY));
  }
  return result;
}
