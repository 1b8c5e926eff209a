/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The mathematics of colour, in double precision, without pixels: what turns
 * sample values of one description into those of another. Who may include this:
 * the library's own .c files and tests. */
#pragma once

#include "hip-convert-formats.h"

G_BEGIN_DECLS

/* out[i] = m[i][4] + sum over j < 4 of m[i][j] * in[j] */
typedef struct
{
  double m[4][5];
} HipAffine;

/* What sample values of a frame mean */
typedef struct
{
  const HipFormat *format;
  GstVideoColorimetry colorimetry;
  gboolean premultiplied;
} HipColour;

typedef enum
{
  HIP_ALPHA_COPY,               /* kept; opaque where there is none */
  HIP_ALPHA_SET,                /* alpha_value */
  HIP_ALPHA_MULT,               /* times alpha_value */
} HipAlphaMode;

typedef struct
{
  GstVideoMatrixMode matrix_mode;
  GstVideoPrimariesMode primaries_mode;
  GstVideoGammaMode gamma_mode;
  HipAlphaMode alpha_mode;
  double alpha_value;
} HipColourModes;

/* Curves between light and its R'G'B' value; values as in HipConvertCurve of the kernels */
typedef enum
{
  HIP_CURVE_LINEAR,
  HIP_CURVE_POWER,              /* E < threshold: E / slope, else ((E + a) / (1 + a)) ^ gamma */
  HIP_CURVE_LOG,                /* 10 ^ (gamma * (E - 1)), 0 below the smallest that has a value */
  HIP_CURVE_PQ,
  HIP_CURVE_HLG,
} HipCurveKind;

typedef struct
{
  HipCurveKind kind;
  double threshold, slope, a, gamma;
} HipCurve;

/* How to get from samples to samples. Linear: all by one affine map. Else: to_rgb, then alpha divided out of colour, set or
 * scaled, the curve undone, primaries, the other curve, colour multiplied by alpha, from_rgb. */
typedef struct
{
  gboolean linear;
  double zero[4];               /* samples of the input whose value is 0 */
  HipAffine affine;             /* samples to samples */
  HipAffine to_rgb, from_rgb;
  gboolean divide, multiply;    /* colour by alpha */
  double alpha_scale, alpha_offset;     /* between the two; in to_rgb where linear */
  gboolean curves;              /* decode, primaries, encode */
  HipCurve decode, encode;
  double primaries[3][3];
} HipColourPlan;

gboolean hip_colour_plan (const HipColour * in, const HipColour * out, const HipColourModes * modes,
    HipColourPlan * plan, GError ** error);

/* Sample values to R'G'B' (0 to 1) and alpha, by the matrix given instead of the frame's own */
void hip_colour_to_rgb (const HipColour * colour, GstVideoColorMatrix matrix, HipAffine * map);
/* result = outer after inner */
void hip_affine_compose (const HipAffine * outer, const HipAffine * inner, HipAffine * result);
/* FALSE: there is none */
gboolean hip_affine_invert (const HipAffine * map, HipAffine * result);

void hip_curve_get (GstVideoTransferFunction function, HipCurve * curve);
double hip_curve_decode (const HipCurve * curve, double value);
double hip_curve_encode (const HipCurve * curve, double light);
/* Light in one set of primaries to light in another; white stays white (Bradford's adaptation) */
gboolean hip_colour_primaries (GstVideoColorPrimaries in, GstVideoColorPrimaries out, double m[3][3]);

G_END_DECLS
