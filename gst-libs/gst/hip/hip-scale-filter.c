/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which samples of a line make one of a longer or shorter line, and how much of
 * each?
 *
 * Pixels are squares: pixel i reaches from i to i + 1, and a stretch of the
 * source lies edge on edge with one of the output. Positions are fractions of
 * integers, so that nearest is the same everywhere; weights are computed in
 * double precision. Knows no format and no device.
 *
 * Invariant: no tap is outside of the stretch that may be read; what would be is
 * the weight of its first or last sample.
 */
#include <math.h>
#include <string.h>

#include "hip-scale-filter.h"

/* --- filters --- */

static double
sinc (double x)
{
  return x == 0 ? 1 : sin (G_PI * x) / (G_PI * x);
}

/* The family of Mitchell and Netravali */
static double
cubic (double b, double c, double x)
{
  if (x < 1)
    return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x +
        6 - 2 * b) / 6;
  if (x < 2)
    return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x +
        (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6;
  return 0;
}

static void
get_cubic (const HipScaleFilter * filter, double *b, double *c)
{
  *b = *c = 0;                  /* hermite */
  if (filter->own_cubic) {
    *b = filter->b;
    *c = filter->c;
  } else if (filter->method == GST_HIP_SCALE_METHOD_SPLINE) {
    *b = 1;
  } else if (filter->method == GST_HIP_SCALE_METHOD_CATROM) {
    *c = 0.5;
  } else if (filter->method == GST_HIP_SCALE_METHOD_MITCHELL) {
    *b = *c = 1 / 3.0;
  }
}

static GstHipScaleMethod
get_method (const HipScaleFilter * filter, double ratio)
{
  if (filter->method != GST_HIP_SCALE_METHOD_AUTO)
    return filter->method;
  return ratio > 1 ? GST_HIP_SCALE_METHOD_AREA : GST_HIP_SCALE_METHOD_BILINEAR;
}

/* Source samples to one unit of the filter's shape */
static double
get_width (GstHipScaleMethod method, double ratio)
{
  gboolean fixed = method == GST_HIP_SCALE_METHOD_BILINEAR
      || method == GST_HIP_SCALE_METHOD_4_TAP;

  return fixed ? 1 : MAX (ratio, 1);
}

double
hip_scale_filter_radius (const HipScaleFilter * filter, double ratio)
{
  GstHipScaleMethod method = get_method (filter, ratio);
  double width = get_width (method, ratio);

  switch (method) {
    case GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR:
      return 0.5;
    case GST_HIP_SCALE_METHOD_BILINEAR:
    case GST_HIP_SCALE_METHOD_BILINEAR2:
      return width;
    case GST_HIP_SCALE_METHOD_AREA:
      return (ratio + 1) / 2;
    case GST_HIP_SCALE_METHOD_LANCZOS:
      return 3 * width;
    case GST_HIP_SCALE_METHOD_SINC:
      return 4 * width;
    default:
      return 2 * width;
  }
}

double
hip_scale_filter_weight (const HipScaleFilter * filter, double ratio,
    double distance)
{
  GstHipScaleMethod method = get_method (filter, ratio);
  double x = fabs (distance) / get_width (method, ratio), b, c;

  switch (method) {
    case GST_HIP_SCALE_METHOD_BILINEAR:
    case GST_HIP_SCALE_METHOD_BILINEAR2:
      return MAX (1 - x, 0);
    case GST_HIP_SCALE_METHOD_AREA:    /* what both squares have in common */
      return MAX (MIN (MIN (ratio, 1), (ratio + 1) / 2 - fabs (distance)), 0);
    case GST_HIP_SCALE_METHOD_LANCZOS:
      return x < 3 ? sinc (x) * sinc (x / 3) : 0;
    case GST_HIP_SCALE_METHOD_4_TAP:
      return x < 2 ? sinc (x) * sinc (x / 2) : 0;
    case GST_HIP_SCALE_METHOD_SINC:
      return x < 4 ? sinc (x) * (1 + cos (G_PI * x / 4)) / 2 : 0;
    default:
      get_cubic (filter, &b, &c);
      return cubic (b, c, x);
  }
}

/* --- positions --- */

static gint64
divide_down (gint64 a, gint64 b)
{
  gint64 q = a / b;

  return a % b < 0 ? q - 1 : q;
}

/* Sample j of the output stands at sample position / unit of the input. Both
 * grow with sizes only: below 2^52. */
static void
get_position (const HipScaleGrid * in, const HipScaleGrid * out,
    const HipScaleMap * map, gint j, gint64 * position, gint64 * unit)
{
  /* In half pixels from the frame's edge */
  gint64 centre = 2 * (gint64) out->step * j + out->twice_site;
  gint64 at = centre * map->fields + 2 * map->field + 1 - 2 * map->dst_begin;
  gint64 pixel = 2 * (gint64) HIP_SCALE_UNIT * map->dst_size;

  if (map->mirrored)
    at = 2 * (gint64) map->dst_size - at;
  *unit = pixel * in->step * map->fields;
  *position = 2 * map->src_begin * map->dst_size + at * map->src_size -
      pixel / 2 * (1 + 2 * map->field + (gint64) in->twice_site * map->fields);
}

/* The samples of the input that may be read */
static void
get_range (const HipScaleGrid * in, const HipScaleMap * map, gint * first,
    gint * last)
{
  gint64 begin = divide_down (map->src_begin, HIP_SCALE_UNIT);
  gint64 end = divide_down (map->src_begin + map->src_size - 1, HIP_SCALE_UNIT);

  if (map->fields > 1) {
    begin = divide_down (begin - map->field + 1, 2);
    end = MAX (divide_down (end - map->field, 2), begin);
  }
  *first = CLAMP (divide_down (begin, in->step), 0, in->count - 1);
  *last = CLAMP (divide_down (end, in->step), *first, in->count - 1);
}

/* --- taps --- */

typedef struct
{
  double *weight;               /* of the samples first, first + 1, ... that may be read */
  gint first, last;
  gint from, to;                /* those that weigh anything */
} Line;

static void
add_weight (Line * line, gint sample, double weight)
{
  if (fabs (weight) < 1e-12)    /* a zero of a sine */
    return;
  sample = CLAMP (sample, line->first, line->last);
  line->weight[sample - line->first] += weight;
  line->from = MIN (line->from, sample);
  line->to = MAX (line->to, sample);
}

static void
make_line (const HipScaleFilter * filter, double ratio, gint64 position,
    gint64 unit, Line * line)
{
  gint64 before = divide_down (position, unit);
  double at = (double) (position - before * unit) / unit, sum = 0, radius;
  gint reach;

  line->from = G_MAXINT;
  line->to = -1;
  if (filter->method == GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR) {       /* of two, the lower one */
    add_weight (line, -divide_down (unit - 2 * position, 2 * unit), 1);
    return;
  }
  radius = hip_scale_filter_radius (filter, ratio);
  reach = (gint) ceil (radius) + 1;
  for (gint i = -reach; i <= reach; i++)
    sum += hip_scale_filter_weight (filter, ratio, i - at);
  for (gint i = -reach; i <= reach; i++)
    add_weight (line, before + i,
        hip_scale_filter_weight (filter, ratio, i - at) / sum);
}

static double
get_ratio (const HipScaleGrid * in, const HipScaleGrid * out,
    const HipScaleMap * map)
{
  double pixels = (double) map->src_size / HIP_SCALE_UNIT / map->dst_size;

  return pixels * out->step / in->step;
}

/* Positions have one order, so a sample's taps begin near its neighbour's: the
 * weights of all are kept first, their number being known after the last one. */
void
hip_scale_taps_make (const HipScaleGrid * in, const HipScaleGrid * out,
    const HipScaleMap * map, const HipScaleFilter * filter, HipScaleTaps * taps)
{
  double ratio = get_ratio (in, out, map);
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree gint *to = g_new (gint, out->count);
  gint64 position, unit;
  guint at = 0;
  Line line;

  get_range (in, map, &line.first, &line.last);
  line.weight = g_new0 (double, line.last - line.first + 1);
  taps->first = g_new (gint, out->count);
  taps->taps = 1;
  for (gint j = 0; j < out->count; j++) {
    gint n;

    get_position (in, out, map, j, &position, &unit);
    make_line (filter, ratio, position, unit, &line);
    n = line.to - line.from + 1;
    g_array_append_vals (kept, line.weight + line.from - line.first, n);
    memset (line.weight + line.from - line.first, 0, n * sizeof (double));
    taps->first[j] = line.from;
    to[j] = line.to;
    taps->taps = MAX (taps->taps, n);
  }
  taps->weight = g_new0 (float, (gsize) taps->taps * out->count);
  for (gint j = 0; j < out->count; j++) {
    gint from = taps->first[j];

    taps->first[j] = MIN (from, line.last - taps->taps + 1);
    for (gint k = from; k <= to[j]; k++)
      taps->weight[(gsize) (k - taps->first[j]) * out->count + j] =
          g_array_index (kept, double, at++);
  }
  g_free (line.weight);
}

void
hip_scale_taps_clear (HipScaleTaps * taps)
{
  g_clear_pointer (&taps->first, g_free);
  g_clear_pointer (&taps->weight, g_free);
}
