/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Colour of one pixel on the device, as hip-convert-colour.c plans it. */
#pragma once

GST_HIP_INLINE float
cv_clamp (float x, float low, float high)
{
  x = x > low ? x : low;
  return x < high ? x : high;
}

/* R'G'B' value of 0 to 1 to light */
GST_HIP_INLINE float
cv_decode (const HipConvertCurve & c, float v)
{
  v = cv_clamp (v, 0.0f, 1.0f);
  switch (c.kind) {
    case 1:                    /* HIP_CURVE_POWER */
      return v < c.threshold ? v / c.slope : powf ((v + c.a) / (1.0f + c.a), c.gamma);
    case 2:                    /* HIP_CURVE_LOG */
      return v <= 0.0f ? 0.0f : powf (10.0f, c.gamma * (v - 1.0f));
    case 3: {                  /* HIP_CURVE_PQ */
      float p = powf (v, 1.0f / 78.84375f), n = p - 0.8359375f;

      return powf ((n > 0.0f ? n : 0.0f) / (18.8515625f - 18.6875f * p), 1.0f / 0.1593017578125f);
    }
    case 4:                    /* HIP_CURVE_HLG */
      return v <= 0.5f ? v * v / 3.0f : (expf ((v - 0.55991073f) / 0.17883277f) + 0.28466892f) / 12.0f;
    default:
      return v;
  }
}

GST_HIP_INLINE float
cv_encode (const HipConvertCurve & c, float l)
{
  l = cv_clamp (l, 0.0f, 1.0f);
  switch (c.kind) {
    case 1:
      return l * c.slope < c.threshold ? l * c.slope : (1.0f + c.a) * powf (l, 1.0f / c.gamma) - c.a;
    case 2:
      return l <= powf (10.0f, -c.gamma) ? 0.0f : 1.0f + log10f (l) / c.gamma;
    case 3: {
      float p = powf (l, 0.1593017578125f);

      return powf ((0.8359375f + 18.8515625f * p) / (1.0f + 18.6875f * p), 78.84375f);
    }
    case 4:
      return l <= 1.0f / 12.0f ? sqrtf (3.0f * l) : 0.17883277f * logf (12.0f * l - 0.28466892f) + 0.55991073f;
    default:
      return l;
  }
}

GST_HIP_INLINE void
cv_affine (const float m[4][4], const float offset[4], const float in[4], float out[4])
{
  for (int i = 0; i < 4; i++)
    out[i] = m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2] + m[i][3] * in[3] + offset[i];
}

/* R'G'B'A to R'G'B'A. Colour that is more than its alpha is none; it is kept
 * within what limited range can be, else floats of any size would be mixed. */
GST_HIP_INLINE void
cv_colour_stage (const HipConvertParams & p, float v[4])
{
  if (p.flags & HIP_CONVERT_DIVIDE) {
    for (int i = 0; i < 3; i++)
      v[i] = v[3] > 0.0f ? cv_clamp (v[i] / v[3], -1.0f, 2.0f) : 0.0f;
  }
  v[3] = v[3] * p.alpha_scale + p.alpha_offset;
  if (p.flags & HIP_CONVERT_CURVES) {
    float light[3];

    for (int i = 0; i < 3; i++)
      light[i] = cv_decode (p.decode, v[i]);
    for (int i = 0; i < 3; i++)
      v[i] = cv_encode (p.encode, p.primaries[i][0] * light[0] + p.primaries[i][1] * light[1] +
          p.primaries[i][2] * light[2]);
  }
  if (p.flags & HIP_CONVERT_MULTIPLY) {
    for (int i = 0; i < 3; i++)
      v[i] *= v[3];
  }
}
