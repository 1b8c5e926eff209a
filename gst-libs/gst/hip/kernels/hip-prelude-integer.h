/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Integer intrinsics, conversions with a rounding mode and reinterpretation
 * on the host. */
#pragma once

GST_HIP_INLINE int __mul24 (int x, int y) { return (int) ((((unsigned) x << 8) >> 8 & 0x800000 ? x | ~0xffffff : x & 0xffffff) * (long long) ((y & 0x800000) ? y | ~0xffffff : y & 0xffffff)); }
GST_HIP_INLINE unsigned __umul24 (unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
GST_HIP_INLINE int __mulhi (int x, int y) { return (int) (((long long) x * y) >> 32); }
GST_HIP_INLINE unsigned __umulhi (unsigned x, unsigned y) { return (unsigned) (((unsigned long long) x * y) >> 32); }
GST_HIP_INLINE long long __mul64hi (long long x, long long y) { return (long long) (((__int128) x * y) >> 64); }
GST_HIP_INLINE unsigned long long __umul64hi (unsigned long long x, unsigned long long y) { return (unsigned long long) (((unsigned __int128) x * y) >> 64); }
GST_HIP_INLINE int __popc (unsigned x) { return __builtin_popcount (x); }
GST_HIP_INLINE int __popcll (unsigned long long x) { return __builtin_popcountll (x); }
GST_HIP_INLINE int __clz (int x) { return x ? __builtin_clz ((unsigned) x) : 32; }
GST_HIP_INLINE int __clzll (long long x) { return x ? __builtin_clzll ((unsigned long long) x) : 64; }
GST_HIP_INLINE int __ffs (int x) { return __builtin_ffs (x); }
GST_HIP_INLINE int __ffsll (long long x) { return __builtin_ffsll (x); }

GST_HIP_INLINE unsigned
__brev (unsigned x)
{
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32 (x);
}

GST_HIP_INLINE unsigned long long
__brevll (unsigned long long x)
{
  return (unsigned long long) __brev ((unsigned) x) << 32 | __brev ((unsigned) (x >> 32));
}

/* Each nibble of s picks a byte of y:x; its top bit spreads that byte's sign instead */
GST_HIP_INLINE unsigned
__byte_perm (unsigned x, unsigned y, unsigned s)
{
  unsigned long long bytes = (unsigned long long) y << 32 | x;
  unsigned out = 0;

  for (int i = 0; i < 4; i++) {
    unsigned pick = s >> (4 * i) & 7;

    out |= (unsigned) (bytes >> (8 * pick) & 0xff) << (8 * i);
  }
  return out;
}

GST_HIP_INLINE unsigned __sad (int x, int y, unsigned z) { return (x > y ? (unsigned) x - (unsigned) y : (unsigned) y - (unsigned) x) + z; }
GST_HIP_INLINE unsigned __usad (unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
GST_HIP_INLINE int __hadd (int x, int y) { return (int) (((long long) x + y) >> 1); }
GST_HIP_INLINE int __rhadd (int x, int y) { return (int) (((long long) x + y + 1) >> 1); }
GST_HIP_INLINE unsigned __uhadd (unsigned x, unsigned y) { return (unsigned) (((unsigned long long) x + y) >> 1); }
GST_HIP_INLINE unsigned __urhadd (unsigned x, unsigned y) { return (unsigned) (((unsigned long long) x + y + 1) >> 1); }
GST_HIP_INLINE unsigned __funnelshift_l (unsigned lo, unsigned hi, unsigned n) { return (unsigned) (((unsigned long long) hi << 32 | lo) << (n & 31) >> 32); }
GST_HIP_INLINE unsigned __funnelshift_r (unsigned lo, unsigned hi, unsigned n) { return (unsigned) (((unsigned long long) hi << 32 | lo) >> (n & 31)); }

template <typename T> GST_HIP_INLINE T __ldg (const T *p) { return *p; }

/* --- the same bits as another type --- */
template <typename To, typename From> GST_HIP_INLINE To
gst_hip_bits (From from)
{
  To to;

  static_assert (sizeof (To) == sizeof (From), "types of one size");
  __builtin_memcpy (&to, &from, sizeof (to));
  return to;
}

GST_HIP_INLINE int __float_as_int (float x) { return gst_hip_bits<int> (x); }
GST_HIP_INLINE unsigned __float_as_uint (float x) { return gst_hip_bits<unsigned> (x); }
GST_HIP_INLINE float __int_as_float (int x) { return gst_hip_bits<float> (x); }
GST_HIP_INLINE float __uint_as_float (unsigned x) { return gst_hip_bits<float> (x); }
GST_HIP_INLINE long long __double_as_longlong (double x) { return gst_hip_bits<long long> (x); }
GST_HIP_INLINE double __longlong_as_double (long long x) { return gst_hip_bits<double> (x); }
GST_HIP_INLINE int __double2hiint (double x) { return (int) (gst_hip_bits<unsigned long long> (x) >> 32); }
GST_HIP_INLINE int __double2loint (double x) { return (int) gst_hip_bits<unsigned long long> (x); }
GST_HIP_INLINE double __hiloint2double (int hi, int lo) { return gst_hip_bits<double> ((unsigned long long) (unsigned) hi << 32 | (unsigned) lo); }

/* --- to integers: saturated, NaN becomes 0, as the devices do --- */
template <typename I, typename F> GST_HIP_INLINE I
gst_hip_saturate (F x, F low, F above, I lowest, I highest)
{
  return x >= above ? highest : x > low ? (I) x : x <= low ? lowest : (I) 0;
}

#define GST_HIP_TO_INTEGER(from, F, suffix, round) \
  GST_HIP_INLINE int __##from##2int_##suffix (F x) { return gst_hip_saturate<int, F> (round (x), (F) -2147483648.0, (F) 2147483648.0, INT_MIN, INT_MAX); } \
  GST_HIP_INLINE unsigned __##from##2uint_##suffix (F x) { return gst_hip_saturate<unsigned, F> (round (x), (F) 0, (F) 4294967296.0, 0u, UINT_MAX); } \
  GST_HIP_INLINE long long __##from##2ll_##suffix (F x) { return gst_hip_saturate<long long, F> (round (x), (F) -9223372036854775808.0, (F) 9223372036854775808.0, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__); } \
  GST_HIP_INLINE unsigned long long __##from##2ull_##suffix (F x) { return gst_hip_saturate<unsigned long long, F> (round (x), (F) 0, (F) 18446744073709551616.0, 0ull, __LONG_LONG_MAX__ * 2ull + 1ull); }

GST_HIP_TO_INTEGER (float, float, rn, __builtin_rintf)
GST_HIP_TO_INTEGER (float, float, rz, __builtin_truncf)
GST_HIP_TO_INTEGER (float, float, ru, __builtin_ceilf)
GST_HIP_TO_INTEGER (float, float, rd, __builtin_floorf)
GST_HIP_TO_INTEGER (double, double, rn, __builtin_rint)
GST_HIP_TO_INTEGER (double, double, rz, __builtin_trunc)
GST_HIP_TO_INTEGER (double, double, ru, __builtin_ceil)
GST_HIP_TO_INTEGER (double, double, rd, __builtin_floor)

#undef GST_HIP_TO_INTEGER

/* --- to floating point: to nearest by the cast, the others from there --- */
GST_HIP_INLINE float __int2float_rn (int x) { return (float) x; }
GST_HIP_INLINE float __uint2float_rn (unsigned x) { return (float) x; }
GST_HIP_INLINE float __ll2float_rn (long long x) { return (float) x; }
GST_HIP_INLINE float __ull2float_rn (unsigned long long x) { return (float) x; }
GST_HIP_INLINE double __int2double_rn (int x) { return (double) x; }
GST_HIP_INLINE double __uint2double_rn (unsigned x) { return (double) x; }
GST_HIP_INLINE double __ll2double_rn (long long x) { return (double) x; }
GST_HIP_INLINE double __ull2double_rn (unsigned long long x) { return (double) x; }
GST_HIP_INLINE float __double2float_rn (double x) { return (float) x; }

/* The largest float not above x, the smallest not below it: x is exact as a double */
GST_HIP_INLINE float gst_hip_round_down (double x) { float f = (float) x; return (double) f > x ? __builtin_nextafterf (f, -INFINITY) : f; }
GST_HIP_INLINE float gst_hip_round_up (double x) { float f = (float) x; return (double) f < x ? __builtin_nextafterf (f, INFINITY) : f; }

GST_HIP_INLINE float __double2float_rd (double x) { return gst_hip_round_down (x); }
GST_HIP_INLINE float __double2float_ru (double x) { return gst_hip_round_up (x); }
GST_HIP_INLINE float __double2float_rz (double x) { return x < 0 ? gst_hip_round_up (x) : gst_hip_round_down (x); }
GST_HIP_INLINE float __int2float_rd (int x) { return __double2float_rd (x); }
GST_HIP_INLINE float __int2float_ru (int x) { return __double2float_ru (x); }
GST_HIP_INLINE float __int2float_rz (int x) { return __double2float_rz (x); }
GST_HIP_INLINE float __uint2float_rd (unsigned x) { return __double2float_rd (x); }
GST_HIP_INLINE float __uint2float_ru (unsigned x) { return __double2float_ru (x); }
GST_HIP_INLINE float __uint2float_rz (unsigned x) { return __double2float_rz (x); }
