/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which frames do caps describe?
 *
 * Beside raw video those of DMA-BUFs, whose format is a fourcc of DRM with a
 * modifier, since GStreamer 1.24. Only linear frames can be described by
 * strides; tiled ones are refused, never misread. Must not know devices.
 */
#include "gsthiperror.h"
#include "gsthipmemory.h"

#if GST_CHECK_VERSION (1, 24, 0)
#include <gst/video/video-info-dma.h>
#endif

/* GStreamer before 1.24 forgets the chroma site where caps have no colorimetry. */
static gboolean
info_from_plain (GstVideoInfo * info, const GstCaps * caps)
{
  const gchar *site;

  if (!gst_caps_is_fixed (caps) || !gst_video_info_from_caps (info, caps))
    return FALSE;
  site = gst_structure_get_string (gst_caps_get_structure (caps, 0),
      "chroma-site");
  if (site)
    info->chroma_site = gst_video_chroma_site_from_string (site);
  return TRUE;
}

#if GST_CHECK_VERSION (1, 24, 0)
#define LINEAR 0
/* A byte for who defines it, and nothing known */
#define IMPLICIT G_GUINT64_CONSTANT (0x00ffffffffffffff)

static const gchar *
drm_format_of (const GstCaps * caps)
{
  const GstStructure *structure;

  if (!gst_video_is_dma_drm_caps (caps))
    return NULL;
  structure = gst_caps_get_structure (caps, 0);
  return gst_structure_get_string (structure, "drm-format");
}

/* GStreamer's own function refuses a modifier that says linear. */
static GstVideoFormat
format_from_drm (const gchar * text, guint64 * modifier)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);

  *modifier = parts[0] && parts[1] ?
      g_ascii_strtoull (parts[1], NULL, 16) : LINEAR;
  return parts[0] ? gst_video_dma_drm_fourcc_to_format
      (gst_video_dma_drm_fourcc_from_string (parts[0], NULL)) :
      GST_VIDEO_FORMAT_UNKNOWN;
}

static gboolean
info_from_drm (GstVideoInfo * info, const GstCaps * caps, const gchar * text,
    GError ** error)
{
  g_autoptr (GstCaps) plain = gst_caps_copy (caps);
  GstVideoFormat format;
  guint64 modifier = 0;

  format = format_from_drm (text, &modifier);
  if (format == GST_VIDEO_FORMAT_UNKNOWN) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "DMA-BUFs of drm-format %s are of a format that is not known here",
        text);
    return FALSE;
  }
  if (modifier != LINEAR) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "DMA-BUFs of drm-format %s %s: have the producer make linear frames, "
        "drm-format=%.4s", text, modifier == IMPLICIT ?
        "may be tiled, nobody says how" : "are tiled, which HIP cannot read",
        text);
    return FALSE;
  }
  gst_caps_set_simple (plain, "format", G_TYPE_STRING,
      gst_video_format_to_string (format), NULL);
  gst_structure_remove_field (gst_caps_get_structure (plain, 0), "drm-format");
  if (info_from_plain (info, plain))
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the caps describe no frame of drm-format %s", text);
  return FALSE;
}
#endif

/**
 * gst_hip_video_info_from_caps:
 * @info: (out caller-allocates): where to write format, size and layout
 * @caps: fixed caps of video
 * @error: (out) (optional): return location for an error
 *
 * gst_video_info_from_caps() that also takes caps of linear DMA-BUFs
 * (`format=DMA_DRM`, GStreamer 1.24): @info is that of their raw format, as a
 * CPU would read it.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_UNSUPPORTED if the DMA-BUFs are tiled, or
 *     of a format that GStreamer does not know, %GST_HIP_ERROR_INVALID if @caps
 *     are not of video
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_video_info_from_caps (GstVideoInfo * info, const GstCaps * caps,
    GError ** error)
{
  g_return_val_if_fail (info != NULL, FALSE);
  g_return_val_if_fail (GST_IS_CAPS (caps), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

#if GST_CHECK_VERSION (1, 24, 0)
  if (gst_caps_is_fixed (caps) && drm_format_of (caps))
    return info_from_drm (info, caps, drm_format_of (caps), error);
#endif
  if (info_from_plain (info, caps))
    return TRUE;
  g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the caps describe no raw video");
  return FALSE;
}
