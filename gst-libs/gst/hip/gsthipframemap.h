/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where something that was found in a tensor, or in a scaled frame, is in the
 * frame that it was made of. */
#pragma once

#include <gst/hip/gsthip_fwd.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_FRAME_MAP (gst_hip_frame_map_get_type ())

/**
 * GstHipFrameMap:
 * @xx: of the frame's x for each pixel to the right
 * @xy: of the frame's x for each pixel down
 * @x0: the frame's x at the origin
 * @yx: of the frame's y for each pixel to the right
 * @yy: of the frame's y for each pixel down
 * @y0: the frame's y at the origin
 * @width: of the frame, in pixels
 * @height: of the frame, in pixels
 *
 * The affine map from a tensor or a frame that was made to the frame that it was
 * made of: `frame_x = xx * x + xy * y + x0`, `frame_y = yx * x + yy * y + y0`.
 * Coordinates are those of edges: pixel i reaches from i to i + 1, its middle
 * is i + 0.5.
 *
 * Since: 1.30
 */
struct _GstHipFrameMap
{
  gdouble xx, xy, x0;
  gdouble yx, yy, y0;
  guint width, height;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

GST_HIP_API
GType gst_hip_frame_map_get_type (void);

GST_HIP_API
GstHipFrameMap * gst_hip_frame_map_copy (const GstHipFrameMap * map);

GST_HIP_API
void gst_hip_frame_map_free (GstHipFrameMap * map);

GST_HIP_API
gboolean gst_hip_frame_map_point (const GstHipFrameMap * map, gdouble x, gdouble y, gdouble * frame_x,
                                  gdouble * frame_y);

GST_HIP_API
gboolean gst_hip_frame_map_box (const GstHipFrameMap * map, gdouble x, gdouble y, gdouble width, gdouble height,
                                gdouble * frame_x, gdouble * frame_y, gdouble * frame_width, gdouble * frame_height);

GST_HIP_API
void gst_hip_frame_map_attach (const GstHipFrameMap * map, GstBuffer * buffer, const gchar * tensor_id);

GST_HIP_API
gboolean gst_hip_frame_map_find (GstBuffer * buffer, const gchar * tensor_id, GstHipFrameMap * map);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipFrameMap, gst_hip_frame_map_free)

G_END_DECLS
