/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The definition of a conversion.
 *
 * 1. Each component has a value at each pixel: its sample, or between samples
 *    of chroma by straight lines in x and y. Beyond the edges the last sample
 *    goes on.
 * 2. These values become the output's, by textbook formulas.
 * 3. A chroma sample of the output is the mean of what it stands for: of the
 *    pixels in a rectangle around its position, as wide and high as samples are
 *    apart. If step 2 is linear, components whose samples are as far apart as
 *    the output's, or farther, are not averaged but taken at that position, so
 *    that chroma of the same grid is copied.
 *
 * Where frames are scaled, step 1 takes values at the pixels of the output, from
 * the samples of each component as scale-reference.c says; and so does step 3
 * where step 2 is linear, at chroma samples of the output.
 */
#include <math.h>
#include <string.h>

#include "convert-reference.h"

typedef struct
{
  const RefFrame *in;
  const GstVideoInfo *out;
  const RefModes *modes;
  GstVideoColorMatrix in_matrix, out_matrix;
  gboolean curves, primaries, divide, multiply;
  gdouble primaries_matrix[9];
} Job;

/* --- positions --- */

typedef RefLine Line;

static gboolean
is_chroma (const GstVideoInfo * info, guint component)
{
  return !GST_VIDEO_INFO_IS_RGB (info) && (component == 1 || component == 2);
}

static Line
get_line (const GstVideoInfo * info, guint component, gboolean vertical,
    GstVideoChromaSite site)
{
  Line line = { 1, 0 };
  gboolean cosited = (site & (vertical ? GST_VIDEO_CHROMA_SITE_V_COSITED :
          GST_VIDEO_CHROMA_SITE_H_COSITED)) != 0;

  if (is_chroma (info, component)) {
    const GstVideoFormatInfo *finfo = info->finfo;

    line.step = 1 << (vertical ? GST_VIDEO_FORMAT_INFO_H_SUB (finfo, 1) :
        GST_VIDEO_FORMAT_INFO_W_SUB (finfo, 1));
    line.site = cosited ? 0 : (line.step - 1) / 2;
  }
  return line;
}

static GstVideoChromaSite
get_site (const GstVideoInfo * info, const GstVideoInfo * other)
{
  if (info->chroma_site != GST_VIDEO_CHROMA_SITE_UNKNOWN)
    return info->chroma_site;
  if (other->chroma_site != GST_VIDEO_CHROMA_SITE_UNKNOWN)
    return other->chroma_site;
  return GST_VIDEO_CHROMA_SITE_MPEG2;
}

#define MOST 16

/* Which samples of in make sample n of out, and how much of each */
static guint
get_shares (Line in, Line out, guint n, gboolean filter, gint index[MOST],
    gdouble share[MOST])
{
  gdouble centre = out.site + out.step * n;
  gint first = floor ((centre - in.site) / in.step) - 5;
  guint found = 0;

  if (!filter) {
    index[0] = floor (out.step * n / in.step);
    share[0] = 1;
    return 1;
  }
  for (gint i = first; i < first + 11; i++) {
    gdouble at = in.site + in.step * i, weight;

    if (out.step <= in.step)
      weight = 1 - fabs (at - centre) / in.step;
    else
      weight = (MIN (at + in.step / 2, centre + out.step / 2) -
          MAX (at - in.step / 2, centre - out.step / 2)) / out.step;
    if (weight > 0) {
      index[found] = i;
      share[found++] = weight;
    }
  }
  return found;
}

static gdouble
read_value (const RefFrame * frame, guint component, guint column, guint row,
    guint columns)
{
  return frame->values[component] ?
      frame->values[component][row * columns + column] :
      ref_read (frame, component, column, row);
}

static gdouble
get_scaled_value (const Job * job, guint component, Line in_x, Line in_y,
    Line out_x, Line out_y, guint x, guint y, gboolean up, gboolean down)
{
  const RefScale *scale = job->modes->scale;
  GArray *ix = g_array_new (FALSE, FALSE, sizeof (gint));
  GArray *iy = g_array_new (FALSE, FALSE, sizeof (gint));
  GArray *sx = g_array_new (FALSE, FALSE, sizeof (gdouble));
  GArray *sy = g_array_new (FALSE, FALSE, sizeof (gdouble));
  Line x_line = scale->transpose ? out_y : out_x;
  Line y_line = scale->transpose ? out_x : out_y;
  guint columns, rows;
  gdouble sum = 0;

  ref_samples (&job->in->info, component, &columns, &rows);
  ref_scale_shares (scale, 0, in_x, columns, x_line, scale->transpose ? y : x,
      (in_x.step > x_line.step && !up) || (in_x.step < x_line.step && !down),
      ix, sx);
  ref_scale_shares (scale, 1, in_y, rows, y_line, scale->transpose ? x : y,
      (in_y.step > y_line.step && !up) || (in_y.step < y_line.step && !down),
      iy, sy);
  for (guint j = 0; j < iy->len; j++) {
    for (guint i = 0; i < ix->len; i++)
      sum += g_array_index (sx, gdouble, i) * g_array_index (sy, gdouble, j) *
          read_value (job->in, component, g_array_index (ix, gint, i),
          g_array_index (iy, gint, j), columns);
  }
  g_array_unref (ix);
  g_array_unref (iy);
  g_array_unref (sx);
  g_array_unref (sy);
  return sum;
}

/* Value of a component of the input where the output's lines have sample (x, y) */
static gdouble
get_value (const Job * job, guint component, Line out_x, Line out_y, guint x,
    guint y)
{
  const GstVideoInfo *info = &job->in->info;
  GstVideoChromaSite site = get_site (info, job->out);
  Line in_x = get_line (info, component, FALSE, site);
  Line in_y = get_line (info, component, TRUE, site);
  GstVideoChromaMode mode = job->modes->chroma_mode;
  gboolean up = mode == GST_VIDEO_CHROMA_MODE_FULL ||
      mode == GST_VIDEO_CHROMA_MODE_UPSAMPLE_ONLY;
  gboolean down = mode == GST_VIDEO_CHROMA_MODE_FULL ||
      mode == GST_VIDEO_CHROMA_MODE_DOWNSAMPLE_ONLY;
  gint ix[MOST], iy[MOST];
  gdouble sx[MOST], sy[MOST], sum = 0;
  guint columns, rows, nx, ny;

  if (job->modes->scale)
    return get_scaled_value (job, component, in_x, in_y, out_x, out_y, x, y, up,
        down);
  ref_samples (info, component, &columns, &rows);
  nx = get_shares (in_x, out_x, x, in_x.step > out_x.step ? up : down, ix, sx);
  ny = get_shares (in_y, out_y, y, in_y.step > out_y.step ? up : down, iy, sy);
  for (guint j = 0; j < ny; j++) {
    for (guint i = 0; i < nx; i++)
      sum += sx[i] * sy[j] * read_value (job->in, component,
          CLAMP (ix[i], 0, (gint) columns - 1), CLAMP (iy[j], 0,
              (gint) rows - 1), columns);
  }
  return sum;
}

/* --- colour --- */

static gboolean
is_full (const GstVideoInfo * info)
{
  GstVideoColorRange range = info->colorimetry.range;

  return range == GST_VIDEO_COLOR_RANGE_UNKNOWN ? GST_VIDEO_INFO_IS_RGB (info) :
      range == GST_VIDEO_COLOR_RANGE_0_255;
}

static void
get_range (const GstVideoInfo * info, guint component, gdouble * zero,
    gdouble * one)
{
  guint depth = ref_depth (info, component);
  gdouble unit = pow (2, (gdouble) depth - 8);

  if (component == 3 || is_full (info)) {
    *zero = is_chroma (info, component) ? pow (2, depth - 1.0) : 0;
    *one = pow (2, depth) - 1;
  } else {
    *zero = (is_chroma (info, component) ? 128 : 16) * unit;
    *one = (is_chroma (info, component) ? 224 : 219) * unit;
  }
}

static gdouble
decode (GstVideoTransferFunction f, gdouble e)
{
  e = CLAMP (e, 0, 1);
  switch (f) {
    case GST_VIDEO_TRANSFER_GAMMA22:
      return pow (e, 2.2);
    case GST_VIDEO_TRANSFER_GAMMA28:
      return pow (e, 2.8);
    case GST_VIDEO_TRANSFER_SRGB:
      return e < 0.04045 ? e / 12.92 : pow ((e + 0.055) / 1.055, 2.4);
    case GST_VIDEO_TRANSFER_SMPTE240M:
      return e < 0.0912 ? e / 4 : pow ((e + 0.1115) / 1.1115, 1 / 0.45);
    case GST_VIDEO_TRANSFER_LOG100:
      return e <= 0 ? 0 : pow (10, 2 * (e - 1));
    case GST_VIDEO_TRANSFER_SMPTE2084:{
      gdouble p = pow (e, 32.0 / 2523);

      return pow (MAX (p - 107.0 / 128, 0) / (2413.0 / 128 - 2392.0 / 128 * p),
          8192.0 / 1305);
    }
    case GST_VIDEO_TRANSFER_ARIB_STD_B67:
      return e <= 0.5 ? e * e / 3 : (exp ((e - 0.55991073) / 0.17883277) +
          0.28466892) / 12;
    case GST_VIDEO_TRANSFER_BT2020_12:
      return e < 0.08145 ? e / 4.5 : pow ((e + 0.0993) / 1.0993, 1 / 0.45);
    case GST_VIDEO_TRANSFER_BT709:
    case GST_VIDEO_TRANSFER_BT601:
    case GST_VIDEO_TRANSFER_BT2020_10:
      return e < 0.081 ? e / 4.5 : pow ((e + 0.099) / 1.099, 1 / 0.45);
    default:
      g_assert (f == GST_VIDEO_TRANSFER_GAMMA10);
      return e;
  }
}

static gdouble
encode (GstVideoTransferFunction f, gdouble l)
{
  l = CLAMP (l, 0, 1);
  switch (f) {
    case GST_VIDEO_TRANSFER_GAMMA22:
      return pow (l, 1 / 2.2);
    case GST_VIDEO_TRANSFER_GAMMA28:
      return pow (l, 1 / 2.8);
    case GST_VIDEO_TRANSFER_SRGB:
      return 12.92 * l < 0.04045 ? 12.92 * l : 1.055 * pow (l, 1 / 2.4) - 0.055;
    case GST_VIDEO_TRANSFER_SMPTE240M:
      return 4 * l < 0.0912 ? 4 * l : 1.1115 * pow (l, 0.45) - 0.1115;
    case GST_VIDEO_TRANSFER_LOG100:
      return l <= 0.01 ? 0 : 1 + log10 (l) / 2;
    case GST_VIDEO_TRANSFER_SMPTE2084:{
      gdouble p = pow (l, 1305.0 / 8192);

      return pow ((107.0 / 128 + 2413.0 / 128 * p) / (1 + 2392.0 / 128 * p),
          2523.0 / 32);
    }
    case GST_VIDEO_TRANSFER_ARIB_STD_B67:
      return l <= 1.0 / 12 ? sqrt (3 * l) :
          0.17883277 * log (12 * l - 0.28466892) + 0.55991073;
    case GST_VIDEO_TRANSFER_BT2020_12:
      return 4.5 * l < 0.08145 ? 4.5 * l : 1.0993 * pow (l, 0.45) - 0.0993;
    case GST_VIDEO_TRANSFER_BT709:
    case GST_VIDEO_TRANSFER_BT601:
    case GST_VIDEO_TRANSFER_BT2020_10:
      return 4.5 * l < 0.081 ? 4.5 * l : 1.099 * pow (l, 0.45) - 0.099;
    default:
      return l;
  }
}

static void
to_rgb (GstVideoColorMatrix matrix, gdouble v[3])
{
  gdouble kr, kb, y = v[0], u = v[1], w = v[2];

  if (!gst_video_color_matrix_get_Kr_Kb (matrix, &kr, &kb))
    return;
  v[0] = y + 2 * (1 - kr) * w;
  v[2] = y + 2 * (1 - kb) * u;
  v[1] = (y - kr * v[0] - kb * v[2]) / (1 - kr - kb);
}

static void
from_rgb (GstVideoColorMatrix matrix, gdouble v[3])
{
  gdouble kr, kb, r = v[0], g = v[1], b = v[2];

  if (!gst_video_color_matrix_get_Kr_Kb (matrix, &kr, &kb))
    return;
  v[0] = kr * r + (1 - kr - kb) * g + kb * b;
  v[1] = (b - v[0]) / (2 * (1 - kb));
  v[2] = (r - v[0]) / (2 * (1 - kr));
}

static void
apply_primaries (const gdouble m[9], gdouble v[3])
{
  gdouble a = v[0], b = v[1], c = v[2];

  for (guint i = 0; i < 3; i++)
    v[i] = m[3 * i] * a + m[3 * i + 1] * b + m[3 * i + 2] * c;
}

/* Sample values of the input to those of the output, not rounded */
static void
convert_colour (const Job * job, const gdouble in[4], gdouble out[4])
{
  gdouble v[4] = { 0, 0, 0, 1 }, zero, one;

  for (guint c = 0; c < 4; c++) {
    if (!ref_depth (&job->in->info, c))
      continue;
    get_range (&job->in->info, c, &zero, &one);
    v[c] = (in[c] - zero) / one;
  }
  if (!GST_VIDEO_INFO_IS_RGB (&job->in->info))
    to_rgb (job->in_matrix, v);
  for (guint c = 0; c < 3 && job->divide; c++)
    v[c] = v[3] > 0 ? CLAMP (v[c] / v[3], -1, 2) : 0;
  if (job->modes->alpha_mode == GST_VIDEO_ALPHA_MODE_SET)
    v[3] = job->modes->alpha_value;
  if (job->modes->alpha_mode == GST_VIDEO_ALPHA_MODE_MULT)
    v[3] *= job->modes->alpha_value;
  for (guint c = 0; c < 3 && job->curves; c++)
    v[c] = decode (job->in->info.colorimetry.transfer, v[c]);
  if (job->primaries)
    apply_primaries (job->primaries_matrix, v);
  for (guint c = 0; c < 3 && job->curves; c++)
    v[c] = encode (job->out->colorimetry.transfer, v[c]);
  for (guint c = 0; c < 3 && job->multiply; c++)
    v[c] *= v[3];
  if (!GST_VIDEO_INFO_IS_RGB (job->out))
    from_rgb (job->out_matrix, v);
  for (guint c = 0; c < 4; c++) {
    if (!ref_depth (job->out, c))
      continue;
    get_range (job->out, c, &zero, &one);
    out[c] = zero + one * v[c];
  }
}

/* Solves m x = v for 3 unknowns: elimination with the largest pivot */
static void
solve (gdouble m[3][3], const gdouble v[3], gdouble x[3])
{
  gdouble a[3][4];

  for (guint i = 0; i < 3; i++) {
    memcpy (a[i], m[i], sizeof (m[i]));
    a[i][3] = v[i];
  }
  for (guint k = 0; k < 3; k++) {
    guint best = k;

    for (guint i = k + 1; i < 3; i++)
      best = fabs (a[i][k]) > fabs (a[best][k]) ? i : best;
    for (guint j = 0; j < 4; j++) {
      gdouble t = a[k][j];

      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    for (guint i = 0; i < 3; i++) {
      gdouble f = a[i][k] / a[k][k];

      for (guint j = 0; i != k && j < 4; j++)
        a[i][j] -= f * a[k][j];
    }
  }
  for (guint i = 0; i < 3; i++)
    x[i] = a[i][3] / a[i][i];
}

/* XYZ of each primary at the strength with which all three are white */
static void
get_xyz (GstVideoColorPrimaries primaries, gdouble m[3][3])
{
  const GstVideoColorPrimariesInfo *p =
      gst_video_color_primaries_get_info (primaries);
  gdouble x[4] = { p->Rx, p->Gx, p->Bx, p->Wx };
  gdouble y[4] = { p->Ry, p->Gy, p->By, p->Wy };
  gdouble white[3] = { x[3] / y[3], 1, (1 - x[3] - y[3]) / y[3] }, strength[3];

  for (guint i = 0; i < 3; i++) {
    m[0][i] = x[i];
    m[1][i] = y[i];
    m[2][i] = 1 - x[i] - y[i];
  }
  solve (m, white, strength);
  for (guint i = 0; i < 9; i++)
    m[i / 3][i % 3] *= strength[i % 3];
}

/* Of primaries with the same white: light that has the same XYZ */
static void
get_primaries_matrix (GstVideoColorPrimaries in, GstVideoColorPrimaries out,
    gdouble m[9])
{
  gdouble from[3][3], to[3][3], rgb[3];

  get_xyz (in, from);
  get_xyz (out, to);
  for (guint i = 0; i < 3; i++) {
    const gdouble xyz[3] = { from[0][i], from[1][i], from[2][i] };

    solve (to, xyz, rgb);
    for (guint j = 0; j < 3; j++)
      m[3 * j + i] = rgb[j];
  }
}

/* --- the job --- */

static GstVideoColorMatrix
get_matrix (const GstVideoInfo * info, const GstVideoInfo * other)
{
  const GstVideoInfo *ends[2] = { info, other };

  for (guint i = 0; i < 2; i++) {
    if (!GST_VIDEO_INFO_IS_RGB (ends[i])
        && ends[i]->colorimetry.matrix != GST_VIDEO_COLOR_MATRIX_UNKNOWN
        && ends[i]->colorimetry.matrix != GST_VIDEO_COLOR_MATRIX_RGB)
      return ends[i]->colorimetry.matrix;
  }
  return GST_VIDEO_COLOR_MATRIX_BT601;
}

static void
set_alpha (const GstVideoInfo * in, const GstVideoInfo * out, Job * job)
{
  gboolean from = ref_depth (in, 3) > 0 && (GST_VIDEO_INFO_FLAGS (in) &
      GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA);
  gboolean to = ref_depth (out, 3) > 0 && (GST_VIDEO_INFO_FLAGS (out) &
      GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA);

  job->divide = from;
  job->multiply = to;
  /* What would be undone at once is not done: colour of what is transparent stays */
  if (from && to && !job->curves && !job->primaries
      && job->modes->alpha_mode == GST_VIDEO_ALPHA_MODE_COPY && is_full (in)
      && is_full (out) && GST_VIDEO_INFO_IS_RGB (in)
      && GST_VIDEO_INFO_IS_RGB (out))
    job->divide = job->multiply = FALSE;
}

static void
set_job (Job * job, const GstVideoInfo * in, const GstVideoInfo * out,
    const RefModes * modes)
{
  GstVideoTransferFunction a = in->colorimetry.transfer;
  GstVideoTransferFunction b = out->colorimetry.transfer;
  GstVideoColorPrimaries pa = in->colorimetry.primaries;
  GstVideoColorPrimaries pb = out->colorimetry.primaries;

  memset (job, 0, sizeof (*job));
  job->out = out;
  job->modes = modes;
  job->in_matrix = get_matrix (in, out);
  job->out_matrix = get_matrix (out, in);
  if (modes->matrix_mode == GST_VIDEO_MATRIX_MODE_INPUT_ONLY)
    job->out_matrix = job->in_matrix;
  if (modes->matrix_mode == GST_VIDEO_MATRIX_MODE_OUTPUT_ONLY)
    job->in_matrix = job->out_matrix;
  if (modes->matrix_mode == GST_VIDEO_MATRIX_MODE_NONE)
    job->in_matrix = job->out_matrix = GST_VIDEO_COLOR_MATRIX_RGB;
  job->primaries = modes->primaries_mode != GST_VIDEO_PRIMARIES_MODE_NONE
      && pa != pb && pa != GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
      && pb != GST_VIDEO_COLOR_PRIMARIES_UNKNOWN;
  if (job->primaries)
    get_primaries_matrix (pa, pb, job->primaries_matrix);
  job->curves = modes->gamma_mode != GST_VIDEO_GAMMA_MODE_NONE
      && a != GST_VIDEO_TRANSFER_UNKNOWN && b != GST_VIDEO_TRANSFER_UNKNOWN
      && (a != b || job->primaries);
  set_alpha (in, out, job);
}

gboolean
ref_is_linear (const GstVideoInfo * in, const GstVideoInfo * out,
    const RefModes * modes)
{
  Job job;

  set_job (&job, in, out, modes);
  return !job.curves && !job.divide && !job.multiply;
}

/* Steps 1 and 2 where the output's lines have a sample */
static void
convert_at (const Job * job, Line x_line, Line y_line, guint x, guint y,
    gdouble out[4])
{
  gdouble in[4] = { 0, };

  for (guint c = 0; c < 4; c++) {
    if (ref_depth (&job->in->info, c))
      in[c] = get_value (job, c, x_line, y_line, x, y);
  }
  convert_colour (job, in, out);
}

/* The pixels of the output that there are, of the field */
static void
get_pixels (const Job * job, gint first[2], gint last[2])
{
  const RefScale *scale = job->modes->scale;

  first[0] = first[1] = 0;
  last[0] = GST_VIDEO_INFO_WIDTH (job->out) - 1;
  last[1] = GST_VIDEO_INFO_HEIGHT (job->out) - 1;
  for (guint o = 0; scale && o < 2; o++) {
    gdouble end = scale->dst[o] + scale->dst_size[o] - 1;

    first[o] = scale->dst[o];
    last[o] = end;
    if (o == 1 && scale->fields == 2) {
      first[o] = ceil ((scale->dst[o] - (gdouble) scale->field) / 2);
      last[o] = floor ((end - scale->field) / 2);
    }
  }
}

/* Step 3 of what is not linear */
static gdouble
convert_mean (const Job * job, guint component, Line x_line, Line y_line,
    guint x, guint y)
{
  static const Line pixels = { 1, 0 };
  GstVideoChromaMode mode = job->modes->chroma_mode;
  gboolean down = mode == GST_VIDEO_CHROMA_MODE_FULL ||
      mode == GST_VIDEO_CHROMA_MODE_DOWNSAMPLE_ONLY;
  gint ix[MOST], iy[MOST];
  gdouble sx[MOST], sy[MOST], sum = 0, out[4];
  guint nx = get_shares (pixels, x_line, x, down, ix, sx);
  guint ny = get_shares (pixels, y_line, y, down, iy, sy);

  gint first[2], last[2];

  get_pixels (job, first, last);
  for (guint j = 0; j < ny; j++) {
    for (guint i = 0; i < nx; i++) {
      convert_at (job, pixels, pixels, CLAMP (ix[i], first[0], last[0]),
          CLAMP (iy[j], first[1], last[1]), out);
      sum += sx[i] * sy[j] * out[component];
    }
  }
  return sum;
}

/* Samples outside of where a frame is scaled to */
static void
get_border (const RefScale * scale, const GstVideoInfo * in,
    const GstVideoInfo * out, gdouble border[4])
{
  static const RefModes modes = { 0, };
  RefFrame frame = { {0}, NULL, };
  GstVideoInfo one = *out;
  gdouble *values[4], codes[4] = { scale->border_argb >> 16 & 255,
    scale->border_argb >> 8 & 255, scale->border_argb & 255,
    scale->border_argb >> 24
  };

  if (scale->pad) {
    memcpy (border, scale->pad, 4 * sizeof (gdouble));
    return;
  }
  gst_video_info_set_format (&frame.info, GST_VIDEO_FORMAT_RGBA, 1, 1);
  gst_video_info_set_format (&one, GST_VIDEO_INFO_FORMAT (out), 1, 1);
  one.colorimetry = out->colorimetry;
  one.flags = out->flags;
  if (!GST_VIDEO_INFO_IS_RGB (out) && !GST_VIDEO_INFO_IS_RGB (in)
      && one.colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
    one.colorimetry.matrix = in->colorimetry.matrix;
  for (guint c = 0; c < 4; c++)
    frame.values[c] = &codes[c];
  ref_convert (&frame, &one, &modes, values);
  for (guint c = 0; c < 4; c++) {
    border[c] = scale->fill ? values[c] ? values[c][0] : 0 : NAN;
    g_free (values[c]);
  }
}

void
ref_convert (const RefFrame * in, const GstVideoInfo * out_info,
    const RefModes * modes, gdouble * out[4])
{
  Job job;
  gboolean linear;
  gdouble border[4];

  set_job (&job, &in->info, out_info, modes);
  job.in = in;
  if (modes->scale)
    get_border (modes->scale, &in->info, out_info, border);
  linear = !job.curves && !job.divide && !job.multiply;
  for (guint c = 0; c < 4; c++) {
    GstVideoChromaSite site = get_site (out_info, &in->info);
    Line x_line = get_line (out_info, c, FALSE, site);
    Line y_line = get_line (out_info, c, TRUE, site);
    guint columns, rows;
    gdouble v[4];

    out[c] = NULL;
    if (!ref_depth (out_info, c))
      continue;
    ref_samples (out_info, c, &columns, &rows);
    out[c] = g_new (gdouble, columns * rows);
    for (guint i = 0; i < columns * rows; i++) {
      if (modes->scale && !ref_scale_is_inside (modes->scale, x_line, y_line,
              i % columns, i / columns, out_info->width, out_info->height)) {
        out[c][i] = border[c];
      } else if (linear || !is_chroma (out_info, c)) {
        convert_at (&job, x_line, y_line, i % columns, i / columns, v);
        out[c][i] = v[c];
      } else {
        out[c][i] = convert_mean (&job, c, x_line, y_line, i % columns,
            i / columns);
      }
    }
  }
}
