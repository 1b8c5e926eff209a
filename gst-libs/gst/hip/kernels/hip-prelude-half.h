/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Half precision and bfloat16: storage and conversion, to nearest even.
 *
 * gst_hip_f16_* and gst_hip_bf16_* work on bits and mean the same everywhere.
 * CUDA's names stand on top of them where the compiler does not bring its own. */
#pragma once

/* GPUs have an instruction for it; what stands for the host has no branch, so
 * that loops over it become vectors. Any NaN becomes one and the same. */
GST_HIP_INLINE unsigned short
gst_hip_f16_from_float (float value)
{
#if defined (GST_HIP_NVIDIA)
  unsigned short half;

  asm ("cvt.rn.f16.f32 %0, %1;" : "=h" (half) : "f" (value));
  return half;
#elif defined (GST_HIP_AMD)
  union { _Float16 number; unsigned short bits; } half;

  half.number = (_Float16) value;
  return value != value ? 0x7fff : half.bits;
#else
  unsigned bits = (unsigned) __float_as_int (value), x = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
  /* A carry goes into the exponent by itself */
  unsigned normal = (x - 0x38000000u + 0xfffu + (x >> 13 & 1u)) >> 13;
  /* Beside 0.5, units of a float are those of a subnormal half */
  unsigned small = (unsigned) __float_as_int (__int_as_float ((int) x) + 0.5f) - 0x3f000000u;
  unsigned half = (x < 0x38800000u ? small : normal) | sign;

  half = x >= 0x477ff000u ? sign | 0x7c00u : half;      /* rounds to infinity */
  return (unsigned short) (x > 0x7f800000u ? 0x7fffu : half);
#endif
}

GST_HIP_INLINE float
gst_hip_f16_to_float (unsigned short half)
{
#if defined (GST_HIP_NVIDIA)
  float value;

  asm ("cvt.f32.f16 %0, %1;" : "=f" (value) : "h" (half));
  return value;
#elif defined (GST_HIP_AMD)
  union { unsigned short bits; _Float16 number; } from;

  from.bits = half;
  return (float) from.number;
#else
  unsigned x = half & 0x7fffu, sign = (half & 0x8000u) << 16;
  unsigned normal = (x << 13) + (x >= 0x7c00u ? 0x70000000u : 0x38000000u);
  /* Exact: a multiple of 2^-24 */
  unsigned small = (unsigned) __float_as_int ((float) (int) x * 5.9604644775390625e-08f);

  return __int_as_float ((int) ((x < 0x400u ? small : normal) | sign));
#endif
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
