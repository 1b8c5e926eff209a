/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What turns sample values of one frame into those of another?
 *
 * Range, depth, matrix, alpha and, where asked for without curves, primaries
 * are one affine map of four values, made here in double precision. Knows
 * nothing of pixels' positions, memory or devices.
 *
 * Invariants: alpha never becomes part of colour unless a frame is
 * premultiplied; what is neutral stays exactly neutral (no rounding error of
 * ours in the coefficients from luma to chroma); what is not described is not
 * guessed, but taken to be as on the other side.
 */
#include <math.h>
#include <string.h>

#include "gsthiperror.h"
#include "hip-convert-colour.h"

/* Coefficients that would be 0 if doubles were exact */
#define TINY 1e-9

void
hip_affine_compose (const HipAffine * outer, const HipAffine * inner,
    HipAffine * result)
{
  HipAffine r;

  for (guint i = 0; i < 4; i++) {
    for (guint j = 0; j < 5; j++) {
      r.m[i][j] = j == 4 ? outer->m[i][4] : 0;
      for (guint k = 0; k < 4; k++)
        r.m[i][j] += outer->m[i][k] * inner->m[k][j];
    }
  }
  *result = r;
}

static double
minor (double m[3][3], guint i, guint j)
{
  guint i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;

  return m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
}

static gboolean
invert3 (double m[3][3], double result[3][3])
{
  double det = m[0][0] * minor (m, 0, 0) + m[0][1] * minor (m, 0, 1) +
      m[0][2] * minor (m, 0, 2);

  if (fabs (det) < 1e-12)
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    for (guint j = 0; j < 3; j++)
      result[j][i] = minor (m, i, j) / det;
  }
  return TRUE;
}

/* Of maps whose alpha is on its own */
gboolean
hip_affine_invert (const HipAffine * map, HipAffine * result)
{
  double m[3][3], inverse[3][3];

  for (guint i = 0; i < 3; i++)
    memcpy (m[i], map->m[i], sizeof (m[i]));
  if (!invert3 (m, inverse) || map->m[3][3] == 0)
    return FALSE;
  memset (result, 0, sizeof (*result));
  for (guint i = 0; i < 3; i++) {
    for (guint j = 0; j < 3; j++) {
      result->m[i][j] = inverse[i][j];
      result->m[i][4] -= inverse[i][j] * map->m[j][4];
    }
  }
  result->m[3][3] = 1 / map->m[3][3];
  result->m[3][4] = -map->m[3][4] / map->m[3][3];
  return TRUE;
}

/* --- samples and R'G'B' --- */

static gboolean
is_full_range (const HipColour * colour)
{
  if (colour->colorimetry.range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    return colour->format->model == HIP_MODEL_RGB;
  return colour->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
}

/* value = (sample - offset) / scale */
static void
get_range (const HipColour * colour, guint component, double *offset,
    double *scale)
{
  guint depth = colour->format->comp[component].depth;
  gboolean chroma = colour->format->model == HIP_MODEL_YUV &&
      (component == 1 || component == 2);
  double unit = ldexp (1, (gint) depth - 8);

  if (component == 3 || is_full_range (colour)) {
    *offset = chroma ? ldexp (1, depth - 1) : 0;
    *scale = ldexp (1, depth) - 1;
  } else {
    *offset = (chroma ? 128 : 16) * unit;
    *scale = (chroma ? 224 : 219) * unit;
  }
}

/* Y'CbCr to R'G'B', values of 0 to 1 and -1/2 to 1/2 */
static void
get_matrix (GstVideoColorMatrix matrix, HipAffine * map)
{
  double kr, kb, kg;

  memset (map, 0, sizeof (*map));
  for (guint i = 0; i < 4; i++)
    map->m[i][i] = 1;
  if (!gst_video_color_matrix_get_Kr_Kb (matrix, &kr, &kb))
    return;
  kg = 1 - kr - kb;
  for (guint i = 0; i < 3; i++) {
    map->m[i][0] = 1;
    map->m[i][1] = map->m[i][2] = 0;
  }
  map->m[0][2] = 2 * (1 - kr);
  map->m[1][1] = -2 * (1 - kb) * kb / kg;
  map->m[1][2] = -2 * (1 - kr) * kr / kg;
  map->m[2][1] = 2 * (1 - kb);
}

/* What the format lacks counts as 0 where samples are read (its column stays
 * 0), alpha as opaque. */
static void
get_samples_to_values (const HipColour * colour, HipAffine * map)
{
  memset (map, 0, sizeof (*map));
  for (guint i = 0; i < 4; i++) {
    double offset, scale;

    if (colour->format->comp[i].depth == 0)
      continue;
    get_range (colour, i, &offset, &scale);
    map->m[i][i] = 1 / scale;
    map->m[i][4] = -offset / scale;
  }
  if (!HIP_FORMAT_HAS_ALPHA (colour->format))
    map->m[3][4] = 1;
}

static void
get_values_to_samples (const HipColour * colour, HipAffine * map)
{
  memset (map, 0, sizeof (*map));
  for (guint i = 0; i < 4; i++) {
    double offset, scale;

    if (colour->format->comp[i].depth == 0)
      continue;
    get_range (colour, i, &offset, &scale);
    map->m[i][i] = scale;
    map->m[i][4] = offset;
  }
}

void
hip_colour_to_rgb (const HipColour * colour, GstVideoColorMatrix matrix,
    HipAffine * map)
{
  HipAffine values, to_rgb;

  get_samples_to_values (colour, &values);
  if (colour->format->model == HIP_MODEL_RGB) {
    *map = values;
    return;
  }
  /* Gray has no chroma, its value is 0: R' = G' = B' = Y' */
  get_matrix (matrix, &to_rgb);
  hip_affine_compose (&to_rgb, &values, map);
}

static void
get_from_rgb (const HipColour * colour, GstVideoColorMatrix matrix,
    HipAffine * map)
{
  HipAffine samples, to_rgb, from_rgb;

  get_values_to_samples (colour, &samples);
  if (colour->format->model == HIP_MODEL_RGB) {
    *map = samples;
    return;
  }
  get_matrix (matrix, &to_rgb);
  hip_affine_invert (&to_rgb, &from_rgb);
  hip_affine_compose (&samples, &from_rgb, map);
}

/* --- primaries --- */

static void
multiply3 (double a[3][3], double b[3][3], double result[3][3])
{
  for (guint i = 0; i < 3; i++) {
    for (guint j = 0; j < 3; j++)
      result[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  }
}

static void
get_xyz (double x, double y, double xyz[3])
{
  xyz[0] = x / y;
  xyz[1] = 1;
  xyz[2] = (1 - x - y) / y;
}

static gboolean
get_rgb_to_xyz (const GstVideoColorPrimariesInfo * info, double m[3][3],
    double white[3])
{
  double columns[3][3], inverse[3][3];
  const double p[3][2] = { {info->Rx, info->Ry}, {info->Gx, info->Gy},
  {info->Bx, info->By}
  };

  for (guint j = 0; j < 3; j++) {
    /* Not for luminance 1: a primary may have none */
    columns[0][j] = p[j][0];
    columns[1][j] = p[j][1];
    columns[2][j] = 1 - p[j][0] - p[j][1];
  }
  if (!invert3 (columns, inverse))
    return FALSE;
  /* GStreamer gives no white for SMPTE ST 428-1, whose primaries are X, Y, Z:
   * that of equal energy */
  if (info->Wy == 0)
    get_xyz (1.0 / 3, 1.0 / 3, white);
  else
    get_xyz (info->Wx, info->Wy, white);
  for (guint j = 0; j < 3; j++) {
    double scale = inverse[j][0] * white[0] + inverse[j][1] * white[1] +
        inverse[j][2] * white[2];

    for (guint i = 0; i < 3; i++)
      m[i][j] = columns[i][j] * scale;
  }
  return TRUE;
}

gboolean
hip_colour_primaries (GstVideoColorPrimaries in, GstVideoColorPrimaries out,
    double m[3][3])
{
  double bradford[3][3] = { {0.8951, 0.2664, -0.1614},
  {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}
  };
  double from[3][3], to[3][3], inverse[3][3], cone[3][3], step[3][3];
  double white_in[3], white_out[3];

  if (!get_rgb_to_xyz (gst_video_color_primaries_get_info (in), from, white_in)
      || !get_rgb_to_xyz (gst_video_color_primaries_get_info (out), to,
          white_out) || !invert3 (to, inverse))
    return FALSE;
  /* The adaptation, in the space of cones: each scaled by the whites' ratio */
  multiply3 (bradford, from, step);
  for (guint i = 0; i < 3; i++) {
    double a = 0, b = 0;

    for (guint j = 0; j < 3; j++) {
      a += bradford[i][j] * white_in[j];
      b += bradford[i][j] * white_out[j];
    }
    for (guint j = 0; j < 3; j++)
      step[i][j] *= b / a;
  }
  invert3 (bradford, cone);
  multiply3 (cone, step, from);
  multiply3 (inverse, from, m);
  return TRUE;
}

/* --- curves --- */

static void
set_power (HipCurve * curve, double threshold, double slope, double a,
    double gamma)
{
  curve->kind = HIP_CURVE_POWER;
  curve->threshold = threshold;
  curve->slope = slope;
  curve->a = a;
  curve->gamma = gamma;
}

void
hip_curve_get (GstVideoTransferFunction function, HipCurve * curve)
{
  memset (curve, 0, sizeof (*curve));
  switch (function) {
    case GST_VIDEO_TRANSFER_GAMMA18:
      set_power (curve, 0, 1, 0, 1.8);
      break;
    case GST_VIDEO_TRANSFER_GAMMA20:
      set_power (curve, 0, 1, 0, 2.0);
      break;
    case GST_VIDEO_TRANSFER_GAMMA22:
      set_power (curve, 0, 1, 0, 2.2);
      break;
    case GST_VIDEO_TRANSFER_GAMMA28:
      set_power (curve, 0, 1, 0, 2.8);
      break;
    case GST_VIDEO_TRANSFER_ADOBERGB:
      set_power (curve, 0, 1, 0, 563.0 / 256);
      break;
    case GST_VIDEO_TRANSFER_SRGB:
      set_power (curve, 0.04045, 12.92, 0.055, 2.4);
      break;
    case GST_VIDEO_TRANSFER_SMPTE240M:
      set_power (curve, 0.0912, 4.0, 0.1115, 1 / 0.45);
      break;
    case GST_VIDEO_TRANSFER_BT709:
    case GST_VIDEO_TRANSFER_BT601:
    case GST_VIDEO_TRANSFER_BT2020_10:
      set_power (curve, 0.081, 4.5, 0.099, 1 / 0.45);
      break;
    case GST_VIDEO_TRANSFER_BT2020_12:
      set_power (curve, 0.08145, 4.5, 0.0993, 1 / 0.45);
      break;
    case GST_VIDEO_TRANSFER_LOG100:
      curve->kind = HIP_CURVE_LOG;
      curve->gamma = 2;
      break;
    case GST_VIDEO_TRANSFER_LOG316:
      curve->kind = HIP_CURVE_LOG;
      curve->gamma = 2.5;
      break;
    case GST_VIDEO_TRANSFER_SMPTE2084:
      curve->kind = HIP_CURVE_PQ;
      break;
    case GST_VIDEO_TRANSFER_ARIB_STD_B67:
      curve->kind = HIP_CURVE_HLG;
      break;
    default:                   /* GAMMA10; unknown ones are told apart by the caller */
      curve->kind = HIP_CURVE_LINEAR;
      break;
  }
}

#define PQ_M1 (2610.0 / 16384)
#define PQ_M2 (2523.0 / 4096 * 128)
#define PQ_C1 (3424.0 / 4096)
#define PQ_C2 (2413.0 / 4096 * 32)
#define PQ_C3 (2392.0 / 4096 * 32)
#define HLG_A 0.17883277
#define HLG_B 0.28466892
#define HLG_C 0.55991073

double
hip_curve_decode (const HipCurve * curve, double value)
{
  double p;

  value = CLAMP (value, 0, 1);
  switch (curve->kind) {
    case HIP_CURVE_POWER:
      return value < curve->threshold ? value / curve->slope :
          pow ((value + curve->a) / (1 + curve->a), curve->gamma);
    case HIP_CURVE_LOG:
      return value <= 0 ? 0 : pow (10, curve->gamma * (value - 1));
    case HIP_CURVE_PQ:
      p = pow (value, 1 / PQ_M2);
      return pow (MAX (p - PQ_C1, 0) / (PQ_C2 - PQ_C3 * p), 1 / PQ_M1);
    case HIP_CURVE_HLG:
      return value <= 0.5 ? value * value / 3 :
          (exp ((value - HLG_C) / HLG_A) + HLG_B) / 12;
    default:
      return value;
  }
}

double
hip_curve_encode (const HipCurve * curve, double light)
{
  double p;

  light = CLAMP (light, 0, 1);
  switch (curve->kind) {
    case HIP_CURVE_POWER:
      return light < curve->threshold / curve->slope ? light * curve->slope :
          (1 + curve->a) * pow (light, 1 / curve->gamma) - curve->a;
    case HIP_CURVE_LOG:
      return light <= pow (10, -curve->gamma) ? 0 :
          1 + log10 (light) / curve->gamma;
    case HIP_CURVE_PQ:
      p = pow (light, PQ_M1);
      return pow ((PQ_C1 + PQ_C2 * p) / (1 + PQ_C3 * p), PQ_M2);
    case HIP_CURVE_HLG:
      return light <= 1.0 / 12 ? sqrt (3 * light) :
          HLG_A * log (12 * light - HLG_B) + HLG_C;
    default:
      return light;
  }
}

/* --- the plan --- */

/* Matrices of both ends after matrix-mode and what is unknown */
static gboolean
choose_matrices (const HipColour * in, const HipColour * out,
    GstVideoMatrixMode mode, GstVideoColorMatrix * in_matrix,
    GstVideoColorMatrix * out_matrix, GError ** error)
{
  const HipColour *ends[2] = { in, out };
  GstVideoColorMatrix m[2];

  for (guint i = 0; i < 2; i++) {
    m[i] = ends[i]->format->model == HIP_MODEL_RGB ?
        GST_VIDEO_COLOR_MATRIX_UNKNOWN : ends[i]->colorimetry.matrix;
    if (m[i] == GST_VIDEO_COLOR_MATRIX_RGB) {
      /* Gray of an RGB world has no other matrix than the other side's */
      if (ends[i]->format->model == HIP_MODEL_GRAY) {
        m[i] = GST_VIDEO_COLOR_MATRIX_UNKNOWN;
        continue;
      }
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
          "%s with the matrix of RGB: such samples are R'G'B' in a format "
          "for Y'CbCr", ends[i]->format->name);
      return FALSE;
    }
  }
  for (guint i = 0; i < 2; i++) {
    if (m[i] == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
      m[i] = m[1 - i];
    if (m[i] == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
      m[i] = GST_VIDEO_COLOR_MATRIX_BT601;
  }
  switch (mode) {
    case GST_VIDEO_MATRIX_MODE_INPUT_ONLY:
      m[1] = m[0];
      break;
    case GST_VIDEO_MATRIX_MODE_OUTPUT_ONLY:
      m[0] = m[1];
      break;
    case GST_VIDEO_MATRIX_MODE_NONE:
      m[0] = m[1] = GST_VIDEO_COLOR_MATRIX_RGB; /* which changes nothing */
      break;
    default:
      break;
  }
  *in_matrix = m[0];
  *out_matrix = m[1];
  return TRUE;
}

static void
choose_alpha (const HipColourModes * modes, HipColourPlan * plan)
{
  plan->alpha_scale = modes->alpha_mode == HIP_ALPHA_SET ? 0 :
      modes->alpha_mode == HIP_ALPHA_MULT ? modes->alpha_value : 1;
  plan->alpha_offset =
      modes->alpha_mode == HIP_ALPHA_SET ? modes->alpha_value : 0;
}

/* With a colour stage that is done there, since colour is divided by the
 * alpha that it was multiplied with */
static void
apply_alpha (const HipColourPlan * plan, HipAffine * to_rgb)
{
  to_rgb->m[3][3] *= plan->alpha_scale;
  to_rgb->m[3][4] *= plan->alpha_scale;
  to_rgb->m[3][4] += plan->alpha_offset;
}

/* FALSE: they are the same, or one is unknown */
static gboolean
choose_primaries (const HipColour * in, const HipColour * out,
    const HipColourModes * modes, double m[3][3])
{
  GstVideoColorPrimaries a = in->colorimetry.primaries;
  GstVideoColorPrimaries b = out->colorimetry.primaries;

  memset (m, 0, 9 * sizeof (double));
  for (guint i = 0; i < 3; i++)
    m[i][i] = 1;
  if (modes->primaries_mode == GST_VIDEO_PRIMARIES_MODE_NONE || a == b
      || a == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
      || b == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
    return FALSE;
  return hip_colour_primaries (a, b, m);
}

static gboolean
choose_curves (const HipColour * in, const HipColour * out,
    const HipColourModes * modes, gboolean primaries, HipColourPlan * plan)
{
  GstVideoTransferFunction a = in->colorimetry.transfer;
  GstVideoTransferFunction b = out->colorimetry.transfer;

  if (modes->gamma_mode == GST_VIDEO_GAMMA_MODE_NONE
      || a == GST_VIDEO_TRANSFER_UNKNOWN || b == GST_VIDEO_TRANSFER_UNKNOWN)
    return FALSE;
  hip_curve_get (a, &plan->decode);
  hip_curve_get (b, &plan->encode);
  return primaries || memcmp (&plan->decode, &plan->encode,
      sizeof (plan->decode)) != 0;
}

/* Without curves they are one more linear map, of colour that comes out of
 * to_rgb or, once alpha was divided out of it, goes into from_rgb */
static void
apply_primaries (double m[3][3], HipAffine * map, gboolean after)
{
  HipAffine primaries, old = *map;

  memset (&primaries, 0, sizeof (primaries));
  for (guint i = 0; i < 3; i++) {
    for (guint j = 0; j < 3; j++)
      primaries.m[i][j] = m[i][j];
  }
  primaries.m[3][3] = 1;
  if (after)
    hip_affine_compose (&primaries, &old, map);
  else
    hip_affine_compose (&old, &primaries, map);
}

static void
clean (HipAffine * map)
{
  for (guint i = 0; i < 4; i++) {
    for (guint j = 0; j < 5; j++) {
      double nearest = rint (map->m[i][j]);

      /* Coefficients between full scales of 16 and 1 bit are above 1e-5 */
      if (fabs (map->m[i][j] - nearest) < TINY)
        map->m[i][j] = nearest;
    }
  }
}

gboolean
hip_colour_plan (const HipColour * in, const HipColour * out,
    const HipColourModes * modes, HipColourPlan * plan, GError ** error)
{
  GstVideoColorMatrix in_matrix, out_matrix;
  gboolean yuv, primaries, alpha;

  memset (plan, 0, sizeof (*plan));
  if (!choose_matrices (in, out, modes->matrix_mode, &in_matrix, &out_matrix,
          error))
    return FALSE;
  hip_colour_to_rgb (in, in_matrix, &plan->to_rgb);
  get_from_rgb (out, out_matrix, &plan->from_rgb);
  choose_alpha (modes, plan);

  primaries = choose_primaries (in, out, modes, plan->primaries);
  plan->curves = choose_curves (in, out, modes, primaries, plan);
  /* Premultiplied both times stays so, if neither is mixed with offsets */
  yuv = in->format->model != HIP_MODEL_RGB
      || out->format->model != HIP_MODEL_RGB || !is_full_range (in)
      || !is_full_range (out);
  alpha = modes->alpha_mode != HIP_ALPHA_COPY || primaries || plan->curves
      || yuv || !in->premultiplied || !out->premultiplied
      || HIP_FORMAT_HAS_ALPHA (in->format) !=
      HIP_FORMAT_HAS_ALPHA (out->format);
  plan->divide = alpha && in->premultiplied
      && HIP_FORMAT_HAS_ALPHA (in->format);
  plan->multiply = alpha && out->premultiplied
      && HIP_FORMAT_HAS_ALPHA (out->format);
  plan->linear = !plan->curves && !plan->divide && !plan->multiply;

  if (plan->linear)
    apply_alpha (plan, &plan->to_rgb);
  if (primaries && !plan->curves)
    apply_primaries (plan->primaries,
        plan->linear ? &plan->to_rgb : &plan->from_rgb, plan->linear);
  hip_affine_compose (&plan->from_rgb, &plan->to_rgb, &plan->affine);
  clean (&plan->affine);
  for (guint i = 0; i < 4; i++) {
    double scale;

    if (in->format->comp[i].depth)
      get_range (in, i, &plan->zero[i], &scale);
  }
  return TRUE;
}
