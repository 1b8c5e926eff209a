/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where is what lies on a picture once the picture is scaled, turned or has got
 * borders? Knows buffers and a map, no element and no converter.
 */
#include "config.h"

#include <math.h>

#include "hip-scale-metas.h"

/* map is of the other direction, and each of its lines has one coefficient */
static void
map_point (const GstHipFrameMap * map, gdouble x, gdouble y, gdouble out[2])
{
  if (map->xx != 0) {
    out[0] = (x - map->x0) / map->xx;
    out[1] = (y - map->y0) / map->yy;
  } else {
    out[0] = (y - map->y0) / map->yx;
    out[1] = (x - map->x0) / map->xy;
  }
}

void
hip_scale_map_rectangle (const GstHipFrameMap * map, const gdouble in[4],
    gdouble out[4])
{
  gdouble a[2], b[2];

  map_point (map, in[0], in[1], a);
  map_point (map, in[0] + in[2], in[1] + in[3], b);
  for (guint i = 0; i < 2; i++) {
    out[i] = MIN (a[i], b[i]);
    out[i + 2] = ABS (a[i] - b[i]);
  }
}

/* Whole pixels: edges are rounded */
static void
map_pixels (const GstHipFrameMap * map, gint x, gint y, guint w, guint h,
    gint out[4])
{
  const gdouble in[4] = { x, y, w, h };
  gdouble exact[4];

  hip_scale_map_rectangle (map, in, exact);
  for (guint i = 0; i < 2; i++) {
    out[i] = (gint) floor (exact[i] + 0.5);
    out[i + 2] = (gint) floor (exact[i] + exact[i + 2] + 0.5) - out[i];
  }
}

static void
copy_region_parameters (GstVideoRegionOfInterestMeta * from,
    GstVideoRegionOfInterestMeta * to)
{
  for (GList * l = from->params; l; l = l->next)
    gst_video_region_of_interest_meta_add_param (to,
        gst_structure_copy (l->data));
}

static void
transform_region (GstBuffer * output, GstVideoRegionOfInterestMeta * meta,
    const GstHipFrameMap * map, const GstVideoInfo * out_info)
{
  gint r[4], width = GST_VIDEO_INFO_WIDTH (out_info);
  gint height = GST_VIDEO_INFO_HEIGHT (out_info), x, y;
  GstVideoRegionOfInterestMeta *region;

  map_pixels (map, meta->x, meta->y, meta->w, meta->h, r);
  x = CLAMP (r[0], 0, width);
  y = CLAMP (r[1], 0, height);
  r[2] = CLAMP (r[0] + r[2], x, width) - x;
  r[3] = CLAMP (r[1] + r[3], y, height) - y;
  region = gst_buffer_add_video_region_of_interest_meta_id (output,
      meta->roi_type, x, y, r[2], r[3]);
  region->id = meta->id;
  region->parent_id = meta->parent_id;
  copy_region_parameters (meta, region);
}

static void
transform_overlay (GstBuffer * output, GstVideoOverlayCompositionMeta * meta,
    const GstHipFrameMap * map)
{
  GstVideoOverlayComposition *from = meta->overlay, *to = NULL;

  for (guint i = 0; i < gst_video_overlay_composition_n_rectangles (from); i++) {
    GstVideoOverlayRectangle *rectangle =
        gst_video_overlay_rectangle_copy
        (gst_video_overlay_composition_get_rectangle (from, i));
    gint x, y, r[4];
    guint w, h;

    gst_video_overlay_rectangle_get_render_rectangle (rectangle, &x, &y, &w,
        &h);
    map_pixels (map, x, y, w, h, r);
    gst_video_overlay_rectangle_set_render_rectangle (rectangle, r[0], r[1],
        MAX (r[2], 1), MAX (r[3], 1));
    if (to)
      gst_video_overlay_composition_add_rectangle (to, rectangle);
    else
      to = gst_video_overlay_composition_new (rectangle);
    gst_video_overlay_rectangle_unref (rectangle);
  }
  if (to) {
    gst_buffer_add_video_overlay_composition_meta (output, to);
    gst_video_overlay_composition_unref (to);
  }
}

static gboolean
has_tag (GstMeta * meta, const gchar * tag)
{
  return gst_meta_api_type_has_tag (meta->info->api,
      g_quark_from_static_string (tag));
}

gboolean
hip_scale_transform_meta (GstBuffer * output, GstMeta * meta, GstBuffer * input,
    const GstHipFrameMap * map, gboolean plain, GstVideoInfo * in_info,
    GstVideoInfo * out_info)
{
  GType api = meta->info->api;

  if (api == GST_VIDEO_CROP_META_API_TYPE)
    return TRUE;                /* what was cut off is no longer there */
  if (api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) {
    transform_region (output, (GstVideoRegionOfInterestMeta *) meta, map,
        out_info);
    return TRUE;
  }
  if (api == GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE) {
    transform_overlay (output, (GstVideoOverlayCompositionMeta *) meta, map);
    return TRUE;
  }
  if (!has_tag (meta, GST_META_TAG_VIDEO_SIZE_STR) && (plain
          || !has_tag (meta, GST_META_TAG_VIDEO_ORIENTATION_STR)))
    return FALSE;
  /* Others say themselves what becomes of them, if they can say it of this */
  if (plain && meta->info->transform_func) {
    GstVideoMetaTransform scale = { in_info, out_info };

    meta->info->transform_func (output, meta, input,
        gst_video_meta_transform_scale_get_quark (), &scale);
  }
  return TRUE;
}

GstEvent *
hip_scale_transform_navigation (GstEvent * event, const GstHipFrameMap * map)
{
  gdouble x, y;

  if (!gst_navigation_event_get_coordinates (event, &x, &y))
    return event;
  event = gst_event_make_writable (event);
  gst_navigation_event_set_coordinates (event, map->xx * x + map->xy * y +
      map->x0, map->yx * x + map->yy * y + map->y0);
  return event;
}
