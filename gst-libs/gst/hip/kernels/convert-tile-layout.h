/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the parts of convert-tile.hip share: the size of a tile, what a layout is,
 * where rows are, and how arrays of samples are treated, which are registers on
 * a GPU and pieces of rows on the CPU. */
#pragma once

#include "../hip-convert-abi.h"
#include "convert-raw.h"

#ifdef CV_LONG_ROWS
#define W HIP_CONVERT_HOST_TILE_WIDTH
#define COUNT HIP_CONVERT_HOST_TILE_COUNT
#else
#define W HIP_CONVERT_GPU_TILE_WIDTH
#define COUNT HIP_CONVERT_GPU_TILE_COUNT
#endif
/* Where the first sample of a row stands in an array, after its neighbour: on
 * the host at a cache line, which vectors would straddle otherwise */
#ifdef CV_LONG_ROWS
#define AT 16
#define CV_ALIGNED __attribute__ ((aligned (64)))
#else
#define AT 1
#define CV_ALIGNED
#endif
#define SPAN (W + 2 * AT)
#define HALF (W / 2 + 2 * AT)
static_assert (W % 2 == 0, "whole chroma samples");
/* 1: pixels of a tile may be a border's, whose alpha is another one */
#ifndef CV_BORDERS
#define CV_BORDERS 0
#endif

/* What a layout is to this code */
template <int layout> struct Layout
{
  static constexpr bool planar = layout == HIP_CONVERT_PLANAR || layout == HIP_CONVERT_PLANAR_420 ||
      layout == HIP_CONVERT_PLANAR_422 || layout == HIP_CONVERT_PLANAR_16 || layout == HIP_CONVERT_PLANAR_420_16 ||
      layout == HIP_CONVERT_PLANAR_422_16;
  static constexpr bool pairs = layout == HIP_CONVERT_BIPLANAR_420 || layout == HIP_CONVERT_BIPLANAR_420_16 ||
      layout == HIP_CONVERT_BIPLANAR_422 || layout == HIP_CONVERT_BIPLANAR_444;
  static constexpr bool packed_422 = layout == HIP_CONVERT_PACKED_422 || layout == HIP_CONVERT_PACKED_422_16;
  static constexpr bool tensor = HIP_CONVERT_IS_TENSOR (layout);
  /* Chroma is halved in y; in x, too, or in x alone */
  static constexpr bool v_sub = layout == HIP_CONVERT_PLANAR_420 || layout == HIP_CONVERT_PLANAR_420_16 ||
      layout == HIP_CONVERT_BIPLANAR_420 || layout == HIP_CONVERT_BIPLANAR_420_16;
  static constexpr bool sub = v_sub || packed_422 || layout == HIP_CONVERT_PLANAR_422 ||
      layout == HIP_CONVERT_PLANAR_422_16 || layout == HIP_CONVERT_BIPLANAR_422;
  static constexpr int word = layout == HIP_CONVERT_PLANAR_16 || layout == HIP_CONVERT_PLANAR_420_16 ||
      layout == HIP_CONVERT_PLANAR_422_16 || layout == HIP_CONVERT_BIPLANAR_420_16 ||
      layout == HIP_CONVERT_PACKED_422_16 || layout == HIP_CONVERT_FIELDS_16 ? 2 :
      layout == HIP_CONVERT_FIELDS_32 ? 4 : 1;
  /* Bytes of a pixel */
  static constexpr int packed = layout == HIP_CONVERT_PACKED_4 ? 4 : layout == HIP_CONVERT_PACKED_3 ? 3 :
      layout == HIP_CONVERT_PACKED_4_16 ? 8 : 0;
  /* Components are bit fields of one word */
  static constexpr bool fields = layout == HIP_CONVERT_FIELDS_32 || layout == HIP_CONVERT_FIELDS_16;
  /* What has alpha in some formats */
  static constexpr bool alpha = planar || tensor || packed == 4 || packed == 8 ||
      layout == HIP_CONVERT_FIELDS_32;
};

typedef Layout<HIP_IN> In;
typedef Layout<HIP_OUT> Out;
#define ROWS (In::v_sub || Out::v_sub ? 2 : 1)

struct Planes
{
  const unsigned char *in[4];
  unsigned char *out[4];
  int in_stride[4], out_stride[4];
  int in_rows[4], out_rows[4];
  int height;
  bool dither;                  /* known when GPUs' kernels are compiled: it costs them registers */
};

/* T is float, or unsigned short where codes are passed on as they are */
GST_HIP_INLINE void cv_set (float & to, unsigned code, float zero) { to = cv_from_code (code, zero); }
GST_HIP_INLINE void cv_set (unsigned short & to, unsigned code, float) { to = (unsigned short) code; }
GST_HIP_INLINE void cv_set_byte (float & to, unsigned word, int byte, float zero) { to = cv_from_byte (word, byte, zero); }
GST_HIP_INLINE void
cv_set_byte (unsigned short & to, unsigned word, int byte, float)
{
  to = (unsigned short) (word >> (8 * byte) & 0xffu);
}
GST_HIP_INLINE unsigned cv_byte (float value) { return cv_to_byte (value); }
GST_HIP_INLINE unsigned cv_byte (unsigned short value) { return value; }
GST_HIP_INLINE unsigned cv_code (float value, float max) { return cv_to_code (value, max); }
GST_HIP_INLINE unsigned cv_code (unsigned short value, float) { return value; }

/* 16 of 64 bits: from a byte that is 0, 2, 4 or 6 */
GST_HIP_INLINE unsigned
cv_quarter (unsigned low, unsigned high, int byte)
{
  return (byte & 4 ? high : low) >> (8 * (byte & 2)) & 0xffffu;
}

GST_HIP_INLINE int
cv_bound (int x, int n)
{
  return x < 0 ? 0 : x >= n ? n - 1 : x;
}

GST_HIP_INLINE const unsigned char *
in_row (const Planes & planes, int c, int y)
{
  return planes.in[c] + (long long) cv_bound (y, planes.in_rows[c]) * planes.in_stride[c];
}

GST_HIP_INLINE unsigned char *
out_row (const Planes & planes, int c, int y)
{
  return planes.out[c] + (long long) y * planes.out_stride[c];
}

/* Sets one element where only unrolled loops may index: registers have no addresses */
template <int size, typename T> GST_HIP_INLINE void
cv_put (T *to, int at, T value)
{
#ifdef CV_LONG_ROWS
  to[at] = value;
#else
  _Pragma ("unroll")
  for (int i = 0; i < size; i++)
    to[i] = i == at ? value : to[i];
#endif
}

/* The same address, as one that the compiler knows nothing of: else it keeps
 * what a loop has loaded for the next rounds, which makes no vectors */
GST_HIP_INLINE const float *
cv_other (const float *p)
{
#ifdef CV_LONG_ROWS
  __asm__ ("" : "+r" (p));
#endif
  return p;
}

/* Elements 2 j and 2 j + 1: as one of 8 bytes, which the host's compilers make vectors of */
GST_HIP_INLINE void
cv_set_pair (float *to, cv_index j, float even, float odd)
{
#ifdef CV_LONG_ROWS
  unsigned long long both = __float_as_uint (even) | (unsigned long long) __float_as_uint (odd) << 32;

  __builtin_memcpy (to + 2 * j, &both, sizeof (both));
#else
  to[2 * j] = even;
  to[2 * j + 1] = odd;
#endif
}

template <int size, typename T> GST_HIP_INLINE void
cv_repeat_last (T *to, int n)
{
#ifdef CV_LONG_ROWS
  to[AT + n] = to[AT + n - 1];
#else
  _Pragma ("unroll")
  for (int i = 1; i < size; i++)
    to[i] = i == AT + n ? to[i - 1] : to[i];
#endif
}

/* Byte i of what was fetched, and byte `byte` of its pair i, as samples: from whole words on a GPU */
#ifdef CV_LONG_ROWS
#define CV_SET_U8(to, raw, i, zero) cv_set (to, (raw).u8 (i), zero)
#define CV_SET_U16(to, raw, i, byte, zero) cv_set (to, (raw).u16 (i) >> (8 * (byte)) & 0xffu, zero)
#else
#define CV_SET_U8(to, raw, i, zero) cv_set_byte (to, (raw).word ((i) / 4), (i) % 4, zero)
#define CV_SET_U16(to, raw, i, byte, zero) cv_set_byte (to, (raw).word ((i) / 2), 2 * ((i) % 2) + (byte), zero)
#endif

#if HIP_CONVERT_IS_TENSOR (HIP_IN) || HIP_CONVERT_IS_TENSOR (HIP_OUT)
#include "convert-tensor-rows.h"
#endif
