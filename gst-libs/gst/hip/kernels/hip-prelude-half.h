/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Half precision and bfloat16: storage and conversion, to nearest even.
 *
 * gst_hip_f16_* and gst_hip_bf16_* work on bits and mean the same everywhere.
 * CUDA's names stand on top of them where the compiler does not bring its own. */
#pragma once

GST_HIP_INLINE unsigned short
gst_hip_f16_from_float (float value)
{
  unsigned bits, sign, x, shift, half, rest;

  static_assert (sizeof (bits) == sizeof (value), "float has 32 bits");
#ifdef GST_HIP_HOST
  bits = __float_as_uint (value);
#else
  bits = (unsigned) __float_as_int (value);
#endif
  sign = bits >> 16 & 0x8000u;
  x = bits & 0x7fffffffu;
  if (x > 0x7f800000u)
    return 0x7fff;              /* any NaN */
  if (x >= 0x477ff000u)
    return sign | 0x7c00u;      /* rounds to infinity */
  if (x < 0x33000001u)
    return sign;                /* rounds to 0 */
  if (x >= 0x38800000u) {       /* normal: carry goes into the exponent by itself */
    x -= 0x38000000u;
    return sign | (x + 0xfffu + (x >> 13 & 1u)) >> 13;
  }
  shift = 126u - (x >> 23);     /* subnormal: 14 to 24 */
  x = (x & 0x7fffffu) | 0x800000u;
  half = x >> shift;
  rest = x & ((1u << shift) - 1u);
  half += rest > 1u << (shift - 1) || (rest == 1u << (shift - 1) && (half & 1u));
  return sign | half;
}

GST_HIP_INLINE float
gst_hip_f16_to_float (unsigned short half)
{
  unsigned sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u, fraction = half & 0x3ffu;

  if (exponent == 31u)
    return __int_as_float ((int) (sign | 0x7f800000u | fraction << 13));
  if (exponent == 0u) {         /* exact: a multiple of 2^-24 */
    float value = (float) fraction * 5.9604644775390625e-08f;

    return sign ? -value : value;
  }
  return __int_as_float ((int) (sign | (exponent + 112u) << 23 | fraction << 13));
}

GST_HIP_INLINE unsigned short
gst_hip_bf16_from_float (float value)
{
  unsigned bits = (unsigned) __float_as_int (value);

  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short) ((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

GST_HIP_INLINE float
gst_hip_bf16_to_float (unsigned short bits)
{
  return __int_as_float ((int) ((unsigned) bits << 16));
}

#ifndef GST_HIP_AMD             /* HIPRTC brings these */
struct __attribute__ ((aligned (2))) __half { unsigned short __x; };
struct __attribute__ ((aligned (4))) __half2 { __half x, y; };
typedef __half half;
typedef __half2 half2;

GST_HIP_INLINE __half __ushort_as_half (unsigned short bits) { __half h; h.__x = bits; return h; }
GST_HIP_INLINE unsigned short __half_as_ushort (__half h) { return h.__x; }
GST_HIP_INLINE __half __float2half (float x) { return __ushort_as_half (gst_hip_f16_from_float (x)); }
GST_HIP_INLINE __half __float2half_rn (float x) { return __float2half (x); }
GST_HIP_INLINE float __half2float (__half h) { return gst_hip_f16_to_float (h.__x); }
GST_HIP_INLINE __half2 __halves2half2 (__half x, __half y) { __half2 h; h.x = x; h.y = y; return h; }
GST_HIP_INLINE __half2 __floats2half2_rn (float x, float y) { return __halves2half2 (__float2half (x), __float2half (y)); }
GST_HIP_INLINE __half2 __float22half2_rn (float2 v) { return __floats2half2_rn (v.x, v.y); }
GST_HIP_INLINE __half2 __float2half2_rn (float x) { return __floats2half2_rn (x, x); }
GST_HIP_INLINE float2 __half22float2 (__half2 h) { return make_float2 (__half2float (h.x), __half2float (h.y)); }
GST_HIP_INLINE __half __low2half (__half2 h) { return h.x; }
GST_HIP_INLINE __half __high2half (__half2 h) { return h.y; }
GST_HIP_INLINE float __low2float (__half2 h) { return __half2float (h.x); }
GST_HIP_INLINE float __high2float (__half2 h) { return __half2float (h.y); }
#endif
