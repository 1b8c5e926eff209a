/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One pair of layouts, fast: HIP_IN and HIP_OUT are values of HIP_CONVERT_*.
 *
 * A tile is one row high, or two where chroma is halved in y. A thread reads
 * samples into arrays by component, maps them, writes them. Chroma in
 * between is filtered with two taps on the way up and three on the way down.
 * Component order, depth, matrix and siting are numbers of the launch. What
 * mixes differently sited chroma, and all that is no affine map, is
 * convert-any.hip's. */
#include "../hip-convert-abi.h"
static_assert (sizeof (HipConvertParams) == HIP_CONVERT_PARAMS_SIZE, "C and kernels agree");
#include "convert-raw.h"

#ifdef GST_HIP_HOST
#define W HIP_CONVERT_HOST_TILE_WIDTH
#define COUNT HIP_CONVERT_HOST_TILE_COUNT
#else
#define W HIP_CONVERT_GPU_TILE_WIDTH
#define COUNT HIP_CONVERT_GPU_TILE_COUNT
#endif
/* Where the first sample of a row stands in an array, after its neighbour: on
 * the host at a cache line, which vectors would straddle otherwise */
#ifdef GST_HIP_HOST
#define AT 16
#define CV_ALIGNED __attribute__ ((aligned (64)))
#else
#define AT 1
#define CV_ALIGNED
#endif
#define SPAN (W + 2 * AT)
#define HALF (W / 2 + 2 * AT)
static_assert (W % 2 == 0, "whole chroma samples");

/* What a layout is to this code */
template <int layout> struct Layout
{
  static constexpr bool planar = layout == HIP_CONVERT_PLANAR || layout == HIP_CONVERT_PLANAR_420 ||
      layout == HIP_CONVERT_PLANAR_16 || layout == HIP_CONVERT_PLANAR_420_16;
  static constexpr bool pairs = layout == HIP_CONVERT_BIPLANAR_420 || layout == HIP_CONVERT_BIPLANAR_420_16;
  static constexpr bool packed_422 = layout == HIP_CONVERT_PACKED_422;
  /* Chroma is halved in y; in x, too, or in x alone */
  static constexpr bool v_sub = layout == HIP_CONVERT_PLANAR_420 || layout == HIP_CONVERT_PLANAR_420_16 || pairs;
  static constexpr bool sub = v_sub || packed_422;
  static constexpr int word = layout == HIP_CONVERT_PLANAR_16 || layout == HIP_CONVERT_PLANAR_420_16 ||
      layout == HIP_CONVERT_BIPLANAR_420_16 ? 2 : 1;
  static constexpr int packed = layout == HIP_CONVERT_PACKED_4 ? 4 : layout == HIP_CONVERT_PACKED_3 ? 3 : 0;
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
};

/* T is float, or unsigned short where codes are passed on as they are */
GST_HIP_INLINE void cv_set (float & to, unsigned code, float zero) { to = cv_from_code (code, zero); }
GST_HIP_INLINE void cv_set (unsigned short & to, unsigned code, float) { to = (unsigned short) code; }
GST_HIP_INLINE unsigned cv_code (float value, float max) { return cv_to_code (value, max); }
GST_HIP_INLINE unsigned cv_code (unsigned short value, float) { return value; }

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
#ifdef GST_HIP_HOST
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
#ifdef GST_HIP_HOST
  __asm__ ("" : "+r" (p));
#endif
  return p;
}

/* Elements 2 j and 2 j + 1: as one of 8 bytes, which the host's compilers make vectors of */
GST_HIP_INLINE void
cv_set_pair (float *to, cv_index j, float even, float odd)
{
#ifdef GST_HIP_HOST
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
#ifdef GST_HIP_HOST
  to[AT + n] = to[AT + n - 1];
#else
  _Pragma ("unroll")
  for (int i = 1; i < size; i++)
    to[i] = i == AT + n ? to[i - 1] : to[i];
#endif
}

/* --- reading --- */

/* n samples of a plane's row */
template <int word, int width, typename T> GST_HIP_INLINE void
read_plane (const HipConvertSamples & s, const unsigned char *from, int n, float zero, T *to)
{
  RawIn<word * width> raw;
  const int shift = s.shift;

  raw.fetch (from, word * n);
  if (word == 1) {
    CV_FOR (i, width, n) cv_set (to[i], raw.u8 (i), zero);
  } else {
    const unsigned max = (unsigned) s.max;

    CV_FOR (i, width, n) cv_set (to[i], raw.u16 (i) >> shift & max, zero);
  }
}

/* n pairs of two components */
template <int word, int width, typename T> GST_HIP_INLINE void
read_pairs (const HipConvertParams & p, const unsigned char *from, int n, T *u, T *v)
{
  RawIn<2 * word * width> raw;
  const int shift = p.in[1].shift, u_at = 8 * p.in[1].offset, v_at = 8 * p.in[2].offset;
  const unsigned max = (unsigned) p.in[1].max;
  const float zero = p.zero[1];

  raw.fetch (from, 2 * word * n);
  if (word == 1) {
    CV_FOR (i, width, n) {
      unsigned pair = raw.u16 (i);

      cv_set (u[i], pair >> u_at & 0xffu, zero);
      cv_set (v[i], pair >> v_at & 0xffu, zero);
    }
  } else {
    CV_FOR (i, width, n) {
      unsigned pair = raw.u32 (i);

      cv_set (u[i], (pair >> u_at & 0xffffu) >> shift & max, zero);
      cv_set (v[i], (pair >> v_at & 0xffffu) >> shift & max, zero);
    }
  }
}

/* Components that are there for each pixel: all, or luma and alpha */
template <int width, typename T> GST_HIP_INLINE void
read_pixels (const HipConvertParams & p, const Planes & planes, int x, int y, int n, T to[4][SPAN], int at)
{
  if (In::packed == 4) {
    RawIn<4 * width> raw;
    const int s0 = 8 * p.in[0].offset, s1 = 8 * p.in[1].offset, s2 = 8 * p.in[2].offset, s3 = 8 * p.in[3].offset;

    raw.fetch (in_row (planes, 0, y) + 4ll * x, 4 * n);
    CV_FOR (i, width, n) {
      unsigned pixel = raw.u32 (i);

      cv_set (to[0][at + i], pixel >> s0 & 0xffu, p.zero[0]);
      cv_set (to[1][at + i], pixel >> s1 & 0xffu, p.zero[1]);
      cv_set (to[2][at + i], pixel >> s2 & 0xffu, p.zero[2]);
      cv_set (to[3][at + i], pixel >> s3 & 0xffu, p.zero[3]);
    }
  } else if (In::packed == 3) {
    RawIn<3 * width> raw;
    const bool swap = p.in[0].offset == 2;

    raw.fetch (in_row (planes, 0, y) + 3ll * x, 3 * n);
    CV_FOR (i, width, n) {
      unsigned first = raw.u8 (3 * i), last = raw.u8 (3 * i + 2);

      cv_set (to[0][at + i], swap ? last : first, p.zero[0]);
      cv_set (to[1][at + i], raw.u8 (3 * i + 1), p.zero[1]);
      cv_set (to[2][at + i], swap ? first : last, p.zero[2]);
    }
  } else if (In::packed_422) {
    RawIn<2 * width> raw;
    const int s0 = 8 * p.in[0].offset;

    raw.fetch (in_row (planes, 0, y) + 2ll * x, 2 * n);
    CV_FOR (i, width, n) cv_set (to[0][at + i], raw.u16 (i) >> s0 & 0xffu, p.zero[0]);
  } else {
    const long long skip = (long long) x * In::word;

    read_plane<In::word, width> (p.in[0], in_row (planes, 0, y) + skip, n, p.zero[0], to[0] + at);
    if (!In::sub && p.in[1].max) {
      read_plane<In::word, width> (p.in[1], in_row (planes, 1, y) + skip, n, p.zero[1], to[1] + at);
      read_plane<In::word, width> (p.in[2], in_row (planes, 2, y) + skip, n, p.zero[2], to[2] + at);
    }
    if (In::planar && p.in[3].max)
      read_plane<In::word, width> (p.in[3], in_row (planes, 3, y) + skip, n, p.zero[3], to[3] + at);
    if (!In::sub && !p.in[1].max) {
      CV_FOR (i, width, n) to[1][at + i] = to[2][at + i] = 0;
    }
  }
}

/* n samples of both chroma components, from sample x of row y */
template <int width, typename T> GST_HIP_INLINE void
read_chroma_run (const HipConvertParams & p, const Planes & planes, int x, int y, int n, T *u, T *v)
{
  if (In::packed_422) {
    RawIn<4 * width> raw;
    const int u_at = 8 * p.in[1].offset, v_at = 8 * p.in[2].offset;

    raw.fetch (in_row (planes, 1, y) + 4ll * x, 4 * n);
    CV_FOR (i, width, n) {
      cv_set (u[i], raw.u32 (i) >> u_at & 0xffu, p.zero[1]);
      cv_set (v[i], raw.u32 (i) >> v_at & 0xffu, p.zero[2]);
    }
  } else if (In::pairs) {
    read_pairs<In::word, width> (p, in_row (planes, 1, y) + 2ll * In::word * x, n, u, v);
  } else {
    read_plane<In::word, width> (p.in[1], in_row (planes, 1, y) + (long long) In::word * x, n, p.zero[1], u);
    read_plane<In::word, width> (p.in[2], in_row (planes, 2, y) + (long long) In::word * x, n, p.zero[2], v);
  }
}

/* ... with a neighbour on either side: samples x - 1 to x + n at AT - 1 to AT + n */
GST_HIP_INLINE void
read_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, float to[2][HALF])
{
  const int columns = p.in[1].columns;
  float u, v;

  read_chroma_run<W / 2> (p, planes, x, y, n, to[0] + AT, to[1] + AT);
  read_chroma_run<1> (p, planes, cv_bound (x - 1, columns), y, 1, &u, &v);
  to[0][AT - 1] = u;
  to[1][AT - 1] = v;
  read_chroma_run<1> (p, planes, cv_bound (x + n, columns), y, 1, &u, &v);
  cv_put<HALF> (to[0], AT + n, u);
  cv_put<HALF> (to[1], AT + n, v);
}

/* Chroma at the pixels of row y of the picture, which is row r of the tile */
GST_HIP_INLINE void
raise_chroma (const HipConvertParams & p, const float near[2][HALF], const float far[2][HALF], int r, int n,
    float pixels[4][SPAN])
{
  const float *wy = p.to_pixels[1].weight[r];
  const float near_share = wy[2], far_share = r == 0 ? wy[1] : wy[3];
  const float e0 = p.to_pixels[0].weight[0][1], e1 = p.to_pixels[0].weight[0][2];
  const float o0 = p.to_pixels[0].weight[1][2], o1 = p.to_pixels[0].weight[1][3];

  CV_UNROLL
  for (int c = 0; c < 2; c++) {
    float line[HALF] CV_ALIGNED;
    float *to = pixels[c + 1] + AT;
    const float *before = line + AT - 1, *at = cv_other (line + AT), *after = cv_other (line + AT + 1);

    CV_FOR (j, W / 2 + 2, n + 2) line[j + AT - 1] = near_share * near[c][j + AT - 1] + far_share * far[c][j + AT - 1];
    CV_FOR (j, W / 2, n) cv_set_pair (to, j, e0 * before[j] + e1 * at[j], o0 * at[j] + o1 * after[j]);
  }
}

/* --- writing --- */

template <int word, int width, typename T> GST_HIP_INLINE void
write_plane (const HipConvertSamples & s, unsigned char *to, int n, const T *from)
{
  RawOut<word * width> raw;
  const int shift = s.shift;
  const float max = (float) s.max;

  raw.begin (to);
  if (word == 1) {
    CV_FOR (i, width, n) raw.u8 (i, cv_code (from[i], max));
  } else {
    CV_FOR (i, width, n) raw.u16 (i, cv_code (from[i], max) << shift);
  }
  raw.flush (to, word * n);
}

template <typename T> GST_HIP_INLINE void
write_pixels (const HipConvertParams & p, const Planes & planes, int x, int y, int n, const T from[4][SPAN])
{
  if (Out::packed == 4) {
    RawOut<4 * W> raw;
    unsigned char *to = out_row (planes, 0, y) + 4ll * x;
    const int s0 = 8 * p.out[0].offset, s1 = 8 * p.out[1].offset, s2 = 8 * p.out[2].offset;
    const int s3 = p.out[3].max ? 8 * p.out[3].offset : 48 - s0 - s1 - s2;

    raw.begin (to);
    CV_FOR (i, W, n)
      raw.u32 (i, cv_code (from[0][i + AT], 255.0f) << s0 | cv_code (from[1][i + AT], 255.0f) << s1 |
          cv_code (from[2][i + AT], 255.0f) << s2 | cv_code (from[3][i + AT], 255.0f) << s3);
    raw.flush (to, 4 * n);
  } else if (Out::packed == 3) {
    RawOut<3 * W> raw;
    unsigned char *to = out_row (planes, 0, y) + 3ll * x;
    const bool swap = p.out[0].offset == 2;

    raw.begin (to);
    CV_FOR (i, W, n) {
      unsigned r = cv_code (from[0][i + AT], 255.0f), b = cv_code (from[2][i + AT], 255.0f);

      raw.u8 (3 * i, swap ? b : r);
      raw.u8 (3 * i + 1, cv_code (from[1][i + AT], 255.0f));
      raw.u8 (3 * i + 2, swap ? r : b);
    }
    raw.flush (to, 3 * n);
  } else if (!Out::packed_422) {
    const long long skip = (long long) x * Out::word;

    write_plane<Out::word, W> (p.out[0], out_row (planes, 0, y) + skip, n, from[0] + AT);
    if (!Out::sub && p.out[1].max) {
      write_plane<Out::word, W> (p.out[1], out_row (planes, 1, y) + skip, n, from[1] + AT);
      write_plane<Out::word, W> (p.out[2], out_row (planes, 2, y) + skip, n, from[2] + AT);
    }
    if (Out::planar && p.out[3].max)
      write_plane<Out::word, W> (p.out[3], out_row (planes, 3, y) + skip, n, from[3] + AT);
  }
}

/* n samples of chroma; in packed 4:2:2 with their pixels' luma, a missing last one repeated */
template <typename T> GST_HIP_INLINE void
write_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, const T from[2][W / 2],
    const T luma[SPAN])
{
  if (y >= planes.out_rows[1])
    return;
  if (Out::packed_422) {
    RawOut<2 * W> raw;
    unsigned char *to = out_row (planes, 0, y) + 4ll * x;
    const int y_at = 8 * p.out[0].offset, u_at = 8 * p.out[1].offset, v_at = 8 * p.out[2].offset;

    raw.begin (to);
    CV_FOR (i, W / 2, n)
      raw.u32 (i, cv_code (luma[2 * i + AT], 255.0f) << y_at | cv_code (luma[2 * i + AT + 1], 255.0f) << (y_at + 16) |
          cv_code (from[0][i], 255.0f) << u_at | cv_code (from[1][i], 255.0f) << v_at);
    raw.flush (to, 4 * n);
  } else if (Out::pairs) {
    RawOut<2 * Out::word * (W / 2)> raw;
    unsigned char *to = out_row (planes, 1, y) + 2ll * Out::word * x;
    const int shift = p.out[1].shift;
    const int u_at = 8 * p.out[1].offset + shift, v_at = 8 * p.out[2].offset + shift;
    const float max = (float) p.out[1].max;

    raw.begin (to);
    if (Out::word == 1) {
      CV_FOR (i, W / 2, n) raw.u16 (i, cv_code (from[0][i], max) << u_at | cv_code (from[1][i], max) << v_at);
    } else {
      CV_FOR (i, W / 2, n) raw.u32 (i, cv_code (from[0][i], max) << u_at | cv_code (from[1][i], max) << v_at);
    }
    raw.flush (to, 2 * Out::word * n);
  } else {
    write_plane<Out::word, W / 2> (p.out[1], out_row (planes, 1, y) + (long long) Out::word * x, n, from[0]);
    write_plane<Out::word, W / 2> (p.out[2], out_row (planes, 2, y) + (long long) Out::word * x, n, from[1]);
  }
}

/* --- mapping --- */

/* Colour depends on colour, alpha on alpha */
GST_HIP_INLINE void
map_pixels (const HipConvertParams & p, int n, const float in[4][SPAN], float out[4][SPAN])
{
  const bool has_alpha = p.in[3].max != 0;
  const float m33 = p.matrix[3][3], a = p.out[3].max ? p.offset[3] : 255.0f;

  CV_UNROLL
  for (int c = 0; c < (Out::sub ? 1 : 3); c++) {
    const float m0 = p.matrix[c][0], m1 = p.matrix[c][1], m2 = p.matrix[c][2], o = p.offset[c];

    if (Out::sub && In::sub && !(p.flags & HIP_CONVERT_LUMA_FROM_CHROMA)) {
      CV_FOR (i, W, n) out[c][i + AT] = m0 * in[0][i + AT] + o;
    } else {
      CV_FOR (i, W, n) out[c][i + AT] = m0 * in[0][i + AT] + m1 * in[1][i + AT] + m2 * in[2][i + AT] + o;
    }
  }
  if (has_alpha && p.out[3].max) {
    CV_FOR (i, W, n) out[3][i + AT] = m33 * in[3][i + AT] + a;
  } else {
    CV_FOR (i, W, n) out[3][i + AT] = a;
  }
}

GST_HIP_INLINE void
map_pixels (const HipConvertParams & p, int n, const unsigned short in[4][SPAN], unsigned short out[4][SPAN])
{
  const unsigned short a = (unsigned short) (p.out[3].max ? (int) p.offset[3] : 255);

  CV_UNROLL
  for (int c = 0; c < (Out::sub ? 1 : 3); c++) {
    CV_FOR (i, W, n) out[c][i + AT] = in[c][i + AT];
  }
  if (p.in[3].max && p.out[3].max && p.matrix[3][3] != 0.0f) {
    CV_FOR (i, W, n) out[3][i + AT] = in[3][i + AT];
  } else {
    CV_FOR (i, W, n) out[3][i + AT] = a;
  }
}

/* Chroma of the output from pixels: means of 3 columns and, of 3 rows, of those with a weight */
GST_HIP_INLINE void
lower_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, float rows[2][4][SPAN],
    const float luma[SPAN])
{
  const float *wx = p.from_pixels[0].weight[0], *wy = p.from_pixels[1].weight[0];
  const float x0 = wx[1], x1 = wx[2], x2 = wx[3], y0 = wy[1], y1 = wy[2], y2 = wy[3];
  const int nj = (n + 1) / 2;
  float mean[3][SPAN] CV_ALIGNED, out[2][W / 2];

  CV_UNROLL
  for (int c = 0; c < 3; c++) {
    CV_FOR (i, W + 2, n + 2) mean[c][i + AT - 1] = y1 * rows[0][c][i + AT - 1] + (ROWS == 2 ? y2 * rows[ROWS - 1][c][i + AT - 1] : 0.0f);
  }
  if (y0 != 0.0f) {
    float above[4][SPAN];

    read_pixels<W> (p, planes, x, y - 1, n, above, AT);
    read_pixels<1> (p, planes, x > 0 ? x - 1 : 0, y - 1, 1, above, AT - 1);
    CV_UNROLL
    for (int c = 0; c < 3; c++) {
      cv_repeat_last<SPAN> (above[c], n);
      CV_FOR (i, W + 2, n + 2) mean[c][i + AT - 1] += y0 * above[c][i + AT - 1];
    }
  }
  CV_UNROLL
  for (int c = 1; c < 3; c++) {
    const float m0 = p.matrix[c][0], m1 = p.matrix[c][1], m2 = p.matrix[c][2], o = p.offset[c];

    CV_FOR (j, W / 2, nj) {
      float a = x0 * mean[0][2 * j + AT - 1] + x1 * mean[0][2 * j + AT] + x2 * mean[0][2 * j + AT + 1];
      float b = x0 * mean[1][2 * j + AT - 1] + x1 * mean[1][2 * j + AT] + x2 * mean[1][2 * j + AT + 1];
      float d = x0 * mean[2][2 * j + AT - 1] + x1 * mean[2][2 * j + AT] + x2 * mean[2][2 * j + AT + 1];

      out[c - 1][j] = m0 * a + m1 * b + m2 * d + o;
    }
  }
  write_chroma (p, planes, x / 2, Out::v_sub ? y / 2 : y, nj, out, luma);
}

/* Both grids are the same: chroma depends on chroma */
template <typename T> GST_HIP_INLINE void
map_chroma (const HipConvertParams & p, const T in[2][W / 2], int n, T out[2][W / 2])
{
  CV_UNROLL
  for (int c = 0; c < 2; c++) {
    const float m1 = p.matrix[c + 1][1], m2 = p.matrix[c + 1][2], o = p.offset[c + 1];

    CV_FOR (j, W / 2, n) out[c][j] = m1 * in[0][j] + m2 * in[1][j] + o;
  }
}

GST_HIP_INLINE void
map_chroma (const HipConvertParams &, const unsigned short in[2][W / 2], int n, unsigned short out[2][W / 2])
{
  CV_UNROLL
  for (int c = 0; c < 2; c++) {
    CV_FOR (j, W / 2, n) out[c][j] = in[c][j];
  }
}

/* --- a tile --- */

GST_HIP_INLINE void
raise_row (const HipConvertParams & p, const float chroma[3][2][HALF], int r, int nj, float pixels[4][SPAN])
{
  raise_chroma (p, chroma[1], !In::v_sub ? chroma[1] : r == 0 ? chroma[0] : chroma[2], r, nj, pixels);
}

GST_HIP_INLINE void
raise_row (const HipConvertParams &, const float[3][2][HALF], int, int, unsigned short[4][SPAN])
{
}

GST_HIP_INLINE void
lower_tile (const HipConvertParams & p, const Planes & planes, int x, int y, int n, float rows[2][4][SPAN],
    const float luma[SPAN])
{
  CV_UNROLL
  for (int r = 0; r < ROWS; r++) {
    read_pixels<1> (p, planes, x > 0 ? x - 1 : 0, y + r < planes.height ? y + r : planes.height - 1, 1, rows[r], AT - 1);
    CV_UNROLL
    for (int c = 0; c < 3; c++)
      cv_repeat_last<SPAN> (rows[r][c], n);
  }
  lower_chroma (p, planes, x, y, n, rows, luma);
}

GST_HIP_INLINE void
lower_tile (const HipConvertParams &, const Planes &, int, int, int, unsigned short[2][4][SPAN],
    const unsigned short[SPAN])
{
}

/* Bytes that change places in a pixel of 4 */
GST_HIP_INLINE void
move_bytes (const HipConvertParams & p, const Planes & planes, int x, int y, int n)
{
  const int i0 = 8 * p.in[0].offset, i1 = 8 * p.in[1].offset, i2 = 8 * p.in[2].offset, i3 = 8 * p.in[3].offset;
  const int o0 = 8 * p.out[0].offset, o1 = 8 * p.out[1].offset, o2 = 8 * p.out[2].offset, o3 = 48 - o0 - o1 - o2;
  const bool keep = p.in[3].max && p.out[3].max && p.matrix[3][3] != 0.0f;
  const unsigned mask = keep ? 255u : 0u, fill = keep ? 0u : (p.out[3].max ? (unsigned) p.offset[3] : 255u) << o3;
  unsigned char *to = out_row (planes, 0, y) + 4ll * x;
  RawIn<4 * W> in;
  RawOut<4 * W> out;

  in.fetch (in_row (planes, 0, y) + 4ll * x, 4 * n);
  out.begin (to);
  CV_FOR (i, W, n) {
    unsigned pixel = in.u32 (i);

    out.u32 (i, (pixel >> i0 & 255u) << o0 | (pixel >> i1 & 255u) << o1 | (pixel >> i2 & 255u) << o2 |
        (pixel >> i3 & mask) << o3 | fill);
  }
  out.flush (to, 4 * n);
}

template <typename T> GST_HIP_INLINE void
make_tile (const HipConvertParams & p, const Planes & planes, int x, int y)
{
  const int n = p.width - x < W ? p.width - x : W, nj = (n + 1) / 2;
  T in[2][4][SPAN] CV_ALIGNED, out[4][SPAN] CV_ALIGNED;
  float chroma[3][2][HALF] CV_ALIGNED;
  const bool raise = In::sub && sizeof (T) == 4 && (!Out::sub || p.flags & HIP_CONVERT_LUMA_FROM_CHROMA);

  if (raise) {
    if (In::v_sub) {
      CV_UNROLL
      for (int k = 0; k < 3; k++)
        read_chroma (p, planes, x / 2, y / 2 + k - 1, nj, chroma[k]);
    } else {
      read_chroma (p, planes, x / 2, y, nj, chroma[1]);
    }
  }
  CV_UNROLL
  for (int r = 0; r < ROWS; r++) {
    const int row = y + r < planes.height ? y + r : planes.height - 1;

    read_pixels<W> (p, planes, x, row, n, in[r], AT);
    if (raise)
      raise_row (p, chroma, r, nj, in[r]);
    if (y + r < planes.height) {
      map_pixels (p, n, in[r], out);
      write_pixels (p, planes, x, y + r, n, out);
    }
  }
  if (!Out::sub)
    return;
  if (Out::packed_422)
    cv_repeat_last<SPAN> (out[0], n);
  if (In::sub) {
    T from[2][W / 2], to[2][W / 2];

    read_chroma_run<W / 2> (p, planes, x / 2, In::v_sub ? y / 2 : y, nj, from[0], from[1]);
    map_chroma (p, from, nj, to);
    write_chroma (p, planes, x / 2, Out::v_sub ? y / 2 : y, nj, to, out[0]);
  } else {
    lower_tile (p, planes, x, y, n, in, out[0]);
  }
}

CV_BODY void
make_tiles (const HipConvertParams & p, const Planes & planes, int x, int y)
{
  const bool as_are = p.flags & HIP_CONVERT_CODES_AS_ARE;

  for (int k = 0; k < COUNT && y < planes.height; k++, y += ROWS) {
    if (In::packed == 4 && Out::packed == 4 && as_are)
      move_bytes (p, planes, x, y, p.width - x < W ? p.width - x : W);
    else if (In::sub == Out::sub && as_are)
      make_tile<unsigned short> (p, planes, x, y);
    else
      make_tile<float> (p, planes, x, y);
  }
}

extern "C" __global__ void
convert_tile (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2, const unsigned char *in3,
    unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3, HipConvertParams p)
{
  const int x = (int) (blockIdx.x * blockDim.x + threadIdx.x) * W;
  const int y = (int) (blockIdx.y * blockDim.y + threadIdx.y) * ROWS * COUNT;
  const int field = (int) blockIdx.z;
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

  planes.height = p.fields == 2 && field == 1 ? p.height - p.odd_row : p.height;
  if (x >= p.width || y >= planes.height)
    return;
  CV_UNROLL
  for (int c = 0; c < 4; c++) {
    planes.in[c] += (long long) field * p.in_stride[c];
    planes.out[c] += (long long) field * p.out_stride[c];
    planes.in_stride[c] = p.in_stride[c] * p.fields;
    planes.out_stride[c] = p.out_stride[c] * p.fields;
    planes.in_rows[c] = (p.in[c].rows - field + p.fields - 1) >> (p.fields - 1);
    planes.out_rows[c] = (p.out[c].rows - field + p.fields - 1) >> (p.fields - 1);
  }
  make_tiles (p, planes, x, y);
}
