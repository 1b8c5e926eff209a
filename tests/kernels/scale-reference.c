/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The definition of scaling.
 *
 * 1. Pixel i of a line is the stretch from i to i + 1. A sample of the output
 *    stands somewhere in dst; the point of src that divides it likewise is where
 *    it is taken from.
 * 2. Its value is a mean of the samples around that point, which weigh what the
 *    filter is at their distance. Distances are counted in samples of the input,
 *    or in samples of the output where those are farther apart and the method
 *    is not one of a fixed number of samples.
 * 3. Samples outside of src are its first or last one.
 * 4. Of two fields each is a line of its own, whose samples stand where they are
 *    in the frame.
 */
#include <math.h>
#include <string.h>

#include "scale-reference.h"

void
ref_scale_init (RefScale * scale, GstHipScaleMethod method, gint in_width,
    gint in_height, gint out_width, gint out_height,
    GstVideoOrientationMethod direction)
{
  memset (scale, 0, sizeof (*scale));
  scale->method = method;
  scale->src_size[0] = in_width;
  scale->src_size[1] = in_height;
  scale->dst_size[0] = out_width;
  scale->dst_size[1] = out_height;
  scale->fields = 1;
  scale->fill = TRUE;
  scale->border_argb = 0xff000000;
  /* Where the first pixel of the input's first row goes */
  switch (direction) {
    case GST_VIDEO_ORIENTATION_90R:    /* to the right, top */
      scale->transpose = scale->mirrored[1] = TRUE;
      break;
    case GST_VIDEO_ORIENTATION_90L:    /* to the left, bottom */
      scale->transpose = scale->mirrored[0] = TRUE;
      break;
    case GST_VIDEO_ORIENTATION_180:
      scale->mirrored[0] = scale->mirrored[1] = TRUE;
      break;
    case GST_VIDEO_ORIENTATION_HORIZ:
      scale->mirrored[0] = TRUE;
      break;
    case GST_VIDEO_ORIENTATION_VERT:
      scale->mirrored[1] = TRUE;
      break;
    case GST_VIDEO_ORIENTATION_UL_LR:
      scale->transpose = TRUE;
      break;
    case GST_VIDEO_ORIENTATION_UR_LL:
      scale->transpose = scale->mirrored[0] = scale->mirrored[1] = TRUE;
      break;
    default:
      break;
  }
}

/* --- filters --- */

static gdouble
lobe (gdouble x)
{
  return fabs (x) < 1e-9 ? 1 : sin (G_PI * x) / (G_PI * x);
}

/* Mitchell and Netravali, 1988 */
static gdouble
cubic (gdouble b, gdouble c, gdouble x)
{
  gdouble x2 = x * x, x3 = x2 * x;

  if (x >= 2)
    return 0;
  if (x >= 1)
    return (-b / 6 - c) * x3 + (b + 5 * c) * x2 - (2 * b + 8 * c) * x +
        4 * b / 3 + 4 * c;
  return (2 - 1.5 * b - c) * x3 + (-3 + 2 * b + c) * x2 + 1 - b / 3;
}

/* Length that a sample's stretch and the output's have in common */
static gdouble
overlap (gdouble distance, gdouble ratio)
{
  gdouble begin = MAX (distance - 0.5, -ratio / 2);
  gdouble end = MIN (distance + 0.5, ratio / 2);

  return MAX (end - begin, 0);
}

static gdouble
get_weight (GstHipScaleMethod method, gdouble ratio, gdouble distance)
{
  gdouble near = fabs (distance), wide = near / MAX (ratio, 1);

  switch (method) {
    case GST_HIP_SCALE_METHOD_BILINEAR:
      return MAX (1 - near, 0);
    case GST_HIP_SCALE_METHOD_4_TAP:
      return near < 2 ? lobe (near) * lobe (near / 2) : 0;
    case GST_HIP_SCALE_METHOD_LANCZOS:
      return wide < 3 ? lobe (wide) * lobe (wide / 3) : 0;
    case GST_HIP_SCALE_METHOD_BILINEAR2:
      return MAX (1 - wide, 0);
    case GST_HIP_SCALE_METHOD_SINC:
      return wide < 4 ? lobe (wide) * pow (cos (G_PI * wide / 8), 2) : 0;
    case GST_HIP_SCALE_METHOD_HERMITE:
      return wide < 1 ? 1 - wide * wide * (3 - 2 * wide) : 0;
    case GST_HIP_SCALE_METHOD_SPLINE:
      return cubic (1, 0, wide);
    case GST_HIP_SCALE_METHOD_CATROM:
      return cubic (0, 0.5, wide);
    case GST_HIP_SCALE_METHOD_MITCHELL:
      return cubic (1 / 3.0, 1 / 3.0, wide);
    case GST_HIP_SCALE_METHOD_AREA:
      return overlap (distance, ratio);
    default:                   /* auto */
      return ratio > 1 ? overlap (distance, ratio) : MAX (1 - near, 0);
  }
}

/* --- positions --- */

/* The samples that lie in src */
static void
get_range (const RefScale * scale, guint d, RefLine in, guint n, gint * first,
    gint * last)
{
  gdouble begin = floor (scale->src[d]);
  gdouble end = ceil (scale->src[d] + scale->src_size[d]) - 1;

  if (d == 1 && scale->fields == 2) {
    begin = ceil ((begin - scale->field) / 2);
    end = MAX (floor ((end - scale->field) / 2), begin);
  }
  *first = CLAMP (floor (begin / in.step), 0, (gint) n - 1);
  *last = CLAMP (floor (end / in.step), *first, (gint) n - 1);
}

/* Of sample j, from the edge of the frame */
static gdouble
get_pixel (const RefScale * scale, gboolean vertical, RefLine line, guint j)
{
  gdouble at = line.site + line.step * j;

  return (vertical && scale->fields == 2 ? 2 * at + scale->field : at) + 0.5;
}

void
ref_scale_shares (const RefScale * scale, guint d, RefLine in, guint n,
    RefLine out, guint j, gboolean nearest, GArray * index, GArray * share)
{
  guint o = scale->transpose ? 1 - d : d;
  gdouble stretch = scale->src_size[d] / scale->dst_size[o];
  gdouble from_edge = get_pixel (scale, o == 1, out, j) - scale->dst[o];
  gdouble ratio = out.step * stretch / in.step, sum = 0, at;
  gint first, last, reach = 5 * ceil (MAX (ratio, 1)), centre;

  g_array_set_size (index, 0);
  g_array_set_size (share, 0);
  get_range (scale, d, in, n, &first, &last);
  if (scale->mirrored[d])
    from_edge = scale->dst_size[o] - from_edge;
  at = scale->src[d] + from_edge * stretch - 0.5;
  if (d == 1 && scale->fields == 2)
    at = (at - scale->field) / 2;
  at = (at - in.site) / in.step;

  if (nearest || scale->method == GST_HIP_SCALE_METHOD_NEAREST_NEIGHBOUR) {
    gint i = ceil (at - 0.5 - 1e-9);    /* of two the first one */
    gdouble one = 1;

    i = CLAMP (i, first, last);
    g_array_append_val (index, i);
    g_array_append_val (share, one);
    return;
  }
  centre = floor (at);
  for (gint i = centre - reach; i <= centre + reach + 1; i++) {
    gdouble weight = get_weight (scale->method, ratio, i - at);
    gint sample = CLAMP (i, first, last);

    if (weight == 0)
      continue;
    sum += weight;
    g_array_append_val (index, sample);
    g_array_append_val (share, weight);
  }
  for (guint i = 0; i < share->len; i++)
    g_array_index (share, gdouble, i) /= sum;
}

gboolean
ref_scale_is_inside (const RefScale * scale, RefLine x_line, RefLine y_line,
    guint x, guint y, gint width, gint height)
{
  const RefLine lines[2] = { x_line, y_line };
  const guint at[2] = { x, y };
  const gint size[2] = { width, height };

  for (guint o = 0; o < 2; o++) {
    gint pixel = floor (lines[o].site + lines[o].step * at[o]);

    pixel = MIN (pixel, size[o] - 1);
    if (o == 1 && scale->fields == 2)
      pixel = 2 * pixel + scale->field;
    if (pixel < scale->dst[o] || pixel >= scale->dst[o] + scale->dst_size[o])
      return FALSE;
  }
  return TRUE;
}
