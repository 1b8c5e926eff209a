/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Filters and positions of scaling in one direction: pure. Who may include this:
 * the library's own .c files and tests. */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

typedef struct
{
  GstHipScaleMethod method;
  gboolean own_cubic;           /* b and c instead of the method's */
  double b, c;
} HipScaleFilter;

/* Samples in one direction: the first one stands twice_site / 2 pixels behind the first pixel, then one each step pixels.
 * count: that are there, of the field, where there are fields. */
typedef struct
{
  guint step, twice_site;
  gint count;
} HipScaleGrid;

/* HIP_SCALE_UNIT is a pixel of the source */
#define HIP_SCALE_UNIT 65536

/* A stretch of source becomes one of the output. Pixels count from the frame's first; mirrored: the other way round. Where
 * there are fields, samples of both grids are those of the rows field, field + 2, ... */
typedef struct
{
  gint64 src_begin, src_size;   /* in 1 / HIP_SCALE_UNIT pixels */
  gint dst_begin, dst_size;     /* in pixels */
  gboolean mirrored;
  guint fields, field;
} HipScaleMap;

/* What a HipScaleAxis describes */
typedef struct
{
  gint taps;
  gint *first;                  /* [out->count] */
  float *weight;                /* [taps][out->count] */
} HipScaleTaps;

void hip_scale_taps_make (const HipScaleGrid * in, const HipScaleGrid * out, const HipScaleMap * map,
    const HipScaleFilter * filter, HipScaleTaps * taps);
void hip_scale_taps_clear (HipScaleTaps * taps);

/* Samples of the input that one of the output reaches, on each side, for its size: more than 1 where it shrinks */
double hip_scale_filter_radius (const HipScaleFilter * filter, double ratio);
/* Not yet made to sum up to 1 */
double hip_scale_filter_weight (const HipScaleFilter * filter, double ratio, double distance);

G_END_DECLS
