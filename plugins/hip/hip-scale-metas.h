/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What lies on a picture, when the picture becomes larger or smaller or is
 * turned. Who may include this: the elements of this plugin that scale. */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* From input to output, by the converter's map of the other direction. Both rectangles in pixels. */
void hip_scale_map_rectangle (const GstHipFrameMap * map, const gdouble in[4], gdouble out[4]);

/* Adds to output what meta of input becomes, if it tells of places. FALSE: it does not, and is to be copied as it is.
 * plain: all of a frame becomes all of another, and nothing is turned. */
gboolean hip_scale_transform_meta (GstBuffer * output, GstMeta * meta, GstBuffer * input, const GstHipFrameMap * map,
    gboolean plain, GstVideoInfo * in_info, GstVideoInfo * out_info);

/* The same navigation event for who made the input; transfer full for both */
GstEvent *hip_scale_transform_navigation (GstEvent * event, const GstHipFrameMap * map);

G_END_DECLS
