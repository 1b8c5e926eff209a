/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where in a frame is what was found in a tensor?
 *
 * Pure arithmetic: must not know converters, which fill maps in.
 *
 * Invariant: what comes out lies in the frame.
 */
#include "gsthipframemap.h"

/* *INDENT-OFF* */
G_DEFINE_BOXED_TYPE (GstHipFrameMap, gst_hip_frame_map,
    gst_hip_frame_map_copy, gst_hip_frame_map_free);
/* *INDENT-ON* */

/**
 * gst_hip_frame_map_copy:
 * @map: a #GstHipFrameMap
 *
 * Returns: (transfer full): a copy of @map
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipFrameMap *
gst_hip_frame_map_copy (const GstHipFrameMap * map)
{
  g_return_val_if_fail (map != NULL, NULL);

  return g_memdup2 (map, sizeof (*map));
}

/**
 * gst_hip_frame_map_free:
 * @map: (transfer full): a copy
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
void
gst_hip_frame_map_free (GstHipFrameMap * map)
{
  g_free (map);
}

static void
apply (const GstHipFrameMap * map, gdouble x, gdouble y, gdouble out[2])
{
  out[0] = map->xx * x + map->xy * y + map->x0;
  out[1] = map->yx * x + map->yy * y + map->y0;
}

/**
 * gst_hip_frame_map_point:
 * @map: a #GstHipFrameMap
 * @x: where the point is in the tensor, in pixels from its left edge
 * @y: likewise from its upper edge
 * @frame_x: (out): where it is in the frame, in pixels from its left edge
 * @frame_y: (out): likewise from its upper edge
 *
 * A point in padding is moved to the nearest one of the frame.
 *
 * Returns: whether the point is in the frame by itself
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_frame_map_point (const GstHipFrameMap * map, gdouble x, gdouble y,
    gdouble * frame_x, gdouble * frame_y)
{
  gdouble at[2];

  g_return_val_if_fail (map != NULL, FALSE);
  g_return_val_if_fail (frame_x != NULL && frame_y != NULL, FALSE);

  apply (map, x, y, at);
  *frame_x = CLAMP (at[0], 0, map->width);
  *frame_y = CLAMP (at[1], 0, map->height);
  return *frame_x == at[0] && *frame_y == at[1];
}

/**
 * gst_hip_frame_map_box:
 * @map: a #GstHipFrameMap
 * @x: left edge of the box in the tensor, in pixels
 * @y: its upper edge
 * @width: its width
 * @height: its height
 * @frame_x: (out): left edge of the box in the frame, in pixels
 * @frame_y: (out): its upper edge
 * @frame_width: (out): its width
 * @frame_height: (out): its height
 *
 * What of a box is in padding is cut off. Of a frame that was turned, width and
 * height change places.
 *
 * Returns: whether anything of the box is in the frame
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_frame_map_box (const GstHipFrameMap * map, gdouble x, gdouble y,
    gdouble width, gdouble height, gdouble * frame_x, gdouble * frame_y,
    gdouble * frame_width, gdouble * frame_height)
{
  gdouble a[2], b[2], begin[2], end[2], size[2];

  g_return_val_if_fail (map != NULL, FALSE);
  g_return_val_if_fail (frame_x != NULL && frame_y != NULL, FALSE);
  g_return_val_if_fail (frame_width != NULL && frame_height != NULL, FALSE);

  apply (map, x, y, a);
  apply (map, x + width, y + height, b);
  size[0] = map->width;
  size[1] = map->height;
  for (guint i = 0; i < 2; i++) {
    begin[i] = CLAMP (MIN (a[i], b[i]), 0, size[i]);
    end[i] = CLAMP (MAX (a[i], b[i]), 0, size[i]);
  }
  *frame_x = begin[0];
  *frame_y = begin[1];
  *frame_width = end[0] - begin[0];
  *frame_height = end[1] - begin[1];
  return *frame_width > 0 && *frame_height > 0;
}
