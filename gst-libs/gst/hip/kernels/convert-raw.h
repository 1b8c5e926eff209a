/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Bytes of a row between memory and a tile's samples.
 *
 * On a GPU they pass through registers in the widest pieces that alignment
 * allows, byte by byte where a tile is cut off. On the host, loops over memory
 * itself are what becomes vectors; they end where the picture ends. */
#pragma once

/* Tests compile what GPUs run for the host, too: HIP_CONVERT_AS_GPU */
#if defined (GST_HIP_HOST) && !defined (HIP_CONVERT_AS_GPU)
#define CV_LONG_ROWS
#endif

#ifdef CV_LONG_ROWS
#define CV_BODY static __noinline__ __device__
/* long: of an int, clang 14 does not see that 4 * i is as regular as i, and scatters */
typedef long cv_index;
#define CV_UNROLL
#ifdef __clang__
#define CV_FOR(i, width, n) _Pragma ("clang loop vectorize(assume_safety)") for (long i = 0; i < (long) (n); i++)
#else
#define CV_FOR(i, width, n) _Pragma ("GCC ivdep") for (long i = 0; i < (long) (n); i++)
#endif
#else
#define CV_BODY static __forceinline__ __device__
typedef int cv_index;
/* Arrays that are indexed by anything else than constants are no registers */
#define CV_UNROLL _Pragma ("unroll")
#define CV_FOR(i, width, n) _Pragma ("unroll") for (int i = 0; i < (width); i++)
#endif

/* Codes as floats: a GPU converts by adding, since it has few units that convert. Codes have at most 16 bits. */
#define CV_MAGIC 8388608.0f

GST_HIP_INLINE float
cv_from_code (unsigned code, float zero)
{
#ifdef CV_LONG_ROWS
  return (float) (int) code - zero;
#else
  return __int_as_float ((int) (0x4b000000u | code)) - (CV_MAGIC + zero);
#endif
}

/* To nearest, halves to even */
GST_HIP_INLINE unsigned
cv_to_code (float value, float max)
{
  value = value > 0.0f ? value : 0.0f;
  value = value < max ? value : max;
  return (unsigned) __float_as_int (value + CV_MAGIC) & 0xffffu;
}

/* Codes of 8 bit. NVIDIA's conversion rounds and cuts off by itself. */
GST_HIP_INLINE unsigned
cv_to_byte (float value)
{
#if defined (__CUDA_ARCH__)
  unsigned code;

  asm ("cvt.rni.u8.f32 %0, %1;" : "=r" (code) : "f" (value));
  return code;
#else
  return cv_to_code (value, 255.0f);
#endif
}

/* One byte of a word as a float: on a GPU a permutation puts it where its value is added to CV_MAGIC */
GST_HIP_INLINE float
cv_from_byte (unsigned word, int byte, float zero)
{
#ifdef CV_LONG_ROWS
  return cv_from_code (word >> (8 * byte) & 0xffu, zero);
#else
  return __int_as_float ((int) __byte_perm (word, 0x4b000000u, 0x7540u | (unsigned) byte)) - (CV_MAGIC + zero);
#endif
}

#ifdef CV_LONG_ROWS
template <int bytes> struct RawIn
{
  const unsigned char *p;

  __forceinline__ void fetch (const unsigned char *from, int) { p = from; }
  __forceinline__ unsigned u8 (cv_index i) const { return p[i]; }
  __forceinline__ unsigned u16 (cv_index i) const { unsigned short v; __builtin_memcpy (&v, p + 2 * i, 2); return v; }
  __forceinline__ unsigned u32 (cv_index i) const { unsigned v; __builtin_memcpy (&v, p + 4 * i, 4); return v; }
};

template <int bytes> struct RawOut
{
  unsigned char *p;

  __forceinline__ void begin (unsigned char *to) { p = to; }
  __forceinline__ void u8 (cv_index i, unsigned v) { p[i] = (unsigned char) v; }
  __forceinline__ void u16 (cv_index i, unsigned v) { unsigned short s = (unsigned short) v; __builtin_memcpy (p + 2 * i, &s, 2); }
  __forceinline__ void u32 (cv_index i, unsigned v) { __builtin_memcpy (p + 4 * i, &v, 4); }
  __forceinline__ void flush (unsigned char *, int) {}
};
#else
template <int bytes> struct RawIn
{
  unsigned w[(bytes + 3) / 4];

  __device__ __forceinline__ void
  fetch (const unsigned char *from, int valid)
  {
    if (valid >= bytes && bytes % 16 == 0 && ((size_t) from & 15) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 16; i++) {
        uint4 v = ((const uint4 *) from)[i];

        w[4 * i] = v.x; w[4 * i + 1] = v.y; w[4 * i + 2] = v.z; w[4 * i + 3] = v.w;
      }
    } else if (valid >= bytes && bytes % 8 == 0 && ((size_t) from & 7) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 8; i++) {
        uint2 v = ((const uint2 *) from)[i];

        w[2 * i] = v.x; w[2 * i + 1] = v.y;
      }
    } else if (valid >= bytes && bytes % 4 == 0 && ((size_t) from & 3) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 4; i++)
        w[i] = ((const unsigned *) from)[i];
    } else if (valid >= bytes && bytes % 2 == 0 && ((size_t) from & 1) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < (bytes + 3) / 4; i++)
        w[i] = 0;
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 2; i++)
        w[i / 2] |= (unsigned) ((const unsigned short *) from)[i] << (16 * (i % 2));
    } else {
      _Pragma ("unroll")
      for (int i = 0; i < (bytes + 3) / 4; i++)
        w[i] = 0;
      _Pragma ("unroll")
      for (int i = 0; i < bytes; i++) {
        if (i < valid)
          w[i / 4] |= (unsigned) from[i] << (8 * (i % 4));
      }
    }
  }
  __device__ __forceinline__ unsigned word (cv_index i) const { return w[i]; }
  __device__ __forceinline__ unsigned u8 (cv_index i) const { return w[i / 4] >> (8 * (i % 4)) & 0xffu; }
  __device__ __forceinline__ unsigned u16 (cv_index i) const { return w[i / 2] >> (16 * (i % 2)) & 0xffffu; }
  __device__ __forceinline__ unsigned u32 (cv_index i) const { return w[i]; }
};

template <int bytes> struct RawOut
{
  unsigned w[(bytes + 3) / 4];

  __device__ __forceinline__ void
  begin (unsigned char *)
  {
    _Pragma ("unroll")
    for (int i = 0; i < (bytes + 3) / 4; i++)
      w[i] = 0;
  }
  __device__ __forceinline__ void u8 (cv_index i, unsigned v) { w[i / 4] |= v << (8 * (i % 4)); }
  __device__ __forceinline__ void u16 (cv_index i, unsigned v) { w[i / 2] |= v << (16 * (i % 2)); }
  __device__ __forceinline__ void u32 (cv_index i, unsigned v) { w[i] = v; }
  __device__ __forceinline__ void
  flush (unsigned char *to, int valid)
  {
    if (valid >= bytes && bytes % 16 == 0 && ((size_t) to & 15) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 16; i++)
        ((uint4 *) to)[i] = make_uint4 (w[4 * i], w[4 * i + 1], w[4 * i + 2], w[4 * i + 3]);
    } else if (valid >= bytes && bytes % 8 == 0 && ((size_t) to & 7) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 8; i++)
        ((uint2 *) to)[i] = make_uint2 (w[2 * i], w[2 * i + 1]);
    } else if (valid >= bytes && bytes % 4 == 0 && ((size_t) to & 3) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 4; i++)
        ((unsigned *) to)[i] = w[i];
    } else if (valid >= bytes && bytes % 2 == 0 && ((size_t) to & 1) == 0) {
      _Pragma ("unroll")
      for (int i = 0; i < bytes / 2; i++)
        ((unsigned short *) to)[i] = (unsigned short) (w[i / 2] >> (16 * (i % 2)));
    } else {
      _Pragma ("unroll")
      for (int i = 0; i < bytes; i++) {
        if (i < valid)
          to[i] = (unsigned char) (w[i / 4] >> (8 * (i % 4)));
      }
    }
  }
};
#endif
