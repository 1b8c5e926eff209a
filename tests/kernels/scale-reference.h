/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What scaling is, in double precision and one direction: meant to be read as
 * the definition. It shares nothing with the library but the methods' names. */
#pragma once

#include <gst/hip/gsthip.h>

/* A rectangle of the input, in pixels and parts of them, becomes one of the output. Indices are x and y of the input;
 * dst's of the output. */
typedef struct
{
  GstHipScaleMethod method;
  gdouble src[2], src_size[2];
  gint dst[2], dst_size[2];
  gboolean transpose, mirrored[2];
  guint fields, field;          /* 2: rows are those of a frame that begin with field */
  gboolean fill;                /* what is outside of dst becomes border, else it stays */
  guint32 border_argb;
  const gdouble *pad;           /* border as codes by component instead */
  const gchar *resize;          /* fields of a configuration that choose the rectangles, instead of these */
  gboolean unsaid;              /* the configuration does not say the method */
} RefScale;

/* Samples in one direction: the first at site pixels behind the first pixel's centre, then each step pixels */
typedef struct
{
  gdouble step, site;
} RefLine;

void ref_scale_init (RefScale * scale, GstHipScaleMethod method, gint in_width, gint in_height, gint out_width,
    gint out_height, GstVideoOrientationMethod direction);
/* Which of the n samples of in make sample j of out, and how much of each: gint and gdouble, the same number. d: of the
 * input, 0 for x. nearest: whatever the method is. */
void ref_scale_shares (const RefScale * scale, guint d, RefLine in, guint n, RefLine out, guint j, gboolean nearest,
    GArray * index, GArray * share);
/* Whether a sample of the output belongs to dst */
gboolean ref_scale_is_inside (const RefScale * scale, RefLine x_line, RefLine y_line, guint x, guint y, gint width,
    gint height);
