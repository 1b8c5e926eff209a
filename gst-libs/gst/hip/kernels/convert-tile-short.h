/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* 8-bit YUV 4:2:0 to 8-bit RGB in words of 16 bit, which a CPU's vectors hold
 * twice as many of as of floats. For the CPU alone; what does not fit goes on
 * in floats.
 *
 * Chroma is raised exactly, in sixteenths of a code, since its weights are
 * quarters. A coefficient is a coarse part in quarters, whose products are exact,
 * and a fine part, whose products are the upper half of 32 bits; the sum counts
 * in 1/128 of a code. A product's lower half that is dropped is 0.5 +- 0.5 of
 * that unit, and the constant has the 0.5. What may be wrong before the one
 * rounding is 0.5 for each of three products, 0.125 for each fine part that was
 * rounded, 0.5 for the constant: 2.4 units, 0.019 of a code. */
#pragma once

#include "convert-tile-map.h"

#if defined (CV_LONG_ROWS) && (HIP_IN == HIP_CONVERT_PLANAR_420 || HIP_IN == HIP_CONVERT_BIPLANAR_420) && \
    (HIP_OUT == HIP_CONVERT_PLANAR || HIP_OUT == HIP_CONVERT_PACKED_4 || HIP_OUT == HIP_CONVERT_PACKED_3)
#define HAS_SHORTS 1
#else
#define HAS_SHORTS 0
#endif

/* Two loops are written in vectors where the CPU and the compiler have what it takes, since compilers interleave badly */
#if HAS_SHORTS && defined (__AVX2__) && defined (__has_builtin)
#if __has_builtin (__builtin_shufflevector)
#define HAS_SHORT_VECTORS 1
#endif
#endif

#if HAS_SHORTS
struct ShortFactor
{
  short coarse, fine;
};

/* Red depends on luma and V, blue on luma and U, all on luma alike */
struct ShortMap
{
  ShortFactor y, red_v, green_v, green_u, blue_u;
  short zero[2];                /* of U and V, in sixteenths */
  short constant[3];
  unsigned short near[2], far[2];       /* shares of rows of chroma, by row of the tile, in quarters */
  unsigned short even[2], odd[2];       /* ... of columns */
};

GST_HIP_INLINE bool
short_factor (float m, ShortFactor & f)
{
  float coarse = rintf (4.0f * m), fine;

  coarse = coarse > 8.0f ? 8.0f : coarse < -8.0f ? -8.0f : coarse;
  fine = rintf ((m - coarse / 4.0f) * 131072.0f);
  if (!(fine >= -32767.0f && fine <= 32767.0f))
    return false;
  f.coarse = (short) coarse;
  f.fine = (short) fine;
  return true;
}

GST_HIP_INLINE bool
short_quarters (float a, float b, unsigned short & qa, unsigned short & qb)
{
  qa = (unsigned short) (4.0f * a);
  qb = (unsigned short) (4.0f * b);
  return (float) qa == 4.0f * a && (float) qb == 4.0f * b && qa + qb == 4;
}

/* What the sum of an output takes at most: the products of luma in 128ths with the fine parts of chroma, and that half
 * with the coarse ones */
GST_HIP_INLINE bool
short_constant (const HipConvertParams & p, int c, const ShortFactor & y, const ShortFactor & a, const ShortFactor & b,
    short & constant)
{
  const float m = p.matrix[c][0], reach = 16.0f * 255.0f - 16.0f * p.zero[1];
  const float far = reach > 16.0f * p.zero[1] ? reach : 16.0f * p.zero[1];
  const float n_dropped = (y.fine != 0 ? 0.5f : 0.0f) + (a.fine != 0 ? 0.5f : 0.0f) + (b.fine != 0 ? 0.5f : 0.0f);
  const float k = rintf ((p.offset[c] - m * p.zero[0] - 128.0f) * 128.0f + 64.0f + n_dropped);
  const float top = k + m * 255.0f * 128.0f, high = k > top ? k : top, low = k > top ? top : k;
  const float fine = (fabsf ((float) a.fine) + fabsf ((float) b.fine)) * far / 16384.0f + 4.0f;
  const float coarse = (fabsf ((float) a.coarse) + fabsf ((float) b.coarse)) * far;

  constant = (short) k;
  return high + fine < 32767.0f && low - fine > -32767.0f && (high + fine) / 2.0f + coarse < 32767.0f
      && (low - fine) / 2.0f - coarse > -32767.0f;
}

static bool
short_map (const HipConvertParams & p, ShortMap & s)
{
  const float (*m)[4] = p.matrix;
  const ShortFactor none = { 0, 0 };
  bool good = !(p.flags & HIP_CONVERT_DITHER) && p.in[3].max == 0 && p.out[1].max != 0 && p.zero[1] == p.zero[2] && rintf (p.zero[1]) == p.zero[1];

  good = good && m[1][0] == m[0][0] && m[2][0] == m[0][0] && fabsf (m[0][1]) < 1e-6f && fabsf (m[2][2]) < 1e-6f;
  good = good && short_factor (m[0][0], s.y) && short_factor (m[0][2], s.red_v) && short_factor (m[1][2], s.green_v)
      && short_factor (m[1][1], s.green_u) && short_factor (m[2][1], s.blue_u);
  good = good && short_constant (p, 0, s.y, s.red_v, none, s.constant[0])
      && short_constant (p, 1, s.y, s.green_v, s.green_u, s.constant[1])
      && short_constant (p, 2, s.y, s.blue_u, none, s.constant[2]);
  s.zero[0] = s.zero[1] = (short) (16.0f * p.zero[1]);
  for (int r = 0; good && r < 2; r++)
    good = short_quarters (p.to_pixels[1].weight[r][2], p.to_pixels[1].weight[r][r == 0 ? 1 : 3], s.near[r], s.far[r]);
  return good && short_quarters (p.to_pixels[0].weight[0][1], p.to_pixels[0].weight[0][2], s.even[0], s.even[1])
      && short_quarters (p.to_pixels[0].weight[1][2], p.to_pixels[0].weight[1][3], s.odd[0], s.odd[1]);
}

GST_HIP_INLINE const unsigned short *
short_other (const unsigned short *p)
{
  __asm__ ("" : "+r" (p));
  return p;
}

#ifdef HAS_SHORT_VECTORS
typedef short ShortVector __attribute__ ((vector_size (32)));
typedef unsigned char ShortBytes __attribute__ ((vector_size (16)));
#define SHORT_LANES 16

GST_HIP_INLINE ShortVector
short_load (const unsigned short *from)
{
  ShortVector v;

  __builtin_memcpy (&v, from, sizeof (v));
  return v;
}

GST_HIP_INLINE ShortVector
short_all (short x)
{
  return ShortVector { x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x };
}

/* even[0] odd[0] even[1] ... */
GST_HIP_INLINE void
short_store_pairs (void *to, ShortVector even, ShortVector odd)
{
  ShortVector low = __builtin_shufflevector (even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  ShortVector high = __builtin_shufflevector (even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);

  __builtin_memcpy (to, &low, sizeof (low));
  __builtin_memcpy ((unsigned char *) to + sizeof (low), &high, sizeof (high));
}
#endif

/* raise_chroma () */
GST_HIP_INLINE void
short_raise (const ShortMap & s, const unsigned short near[2][HALF], const unsigned short far[2][HALF], int r, int n,
    unsigned short pixels[3][SPAN])
{
  const unsigned short wn = s.near[r], wf = s.far[r], e0 = s.even[0], e1 = s.even[1], o0 = s.odd[0], o1 = s.odd[1];

  for (int c = 0; c < 2; c++) {
    unsigned short line[HALF] CV_ALIGNED;
    unsigned short *to = pixels[c + 1] + AT;
    const unsigned short *before = line + AT - 1, *at = short_other (line + AT), *after = short_other (line + AT + 1);

    CV_FOR (j, W / 2 + 2, n + 2)
      line[j + AT - 1] = (unsigned short) (wn * near[c][j + AT - 1] + wf * far[c][j + AT - 1]);
#ifdef HAS_SHORT_VECTORS
    const ShortVector ve0 = short_all (e0), ve1 = short_all (e1), vo0 = short_all (o0), vo1 = short_all (o1);

    /* Where chroma stands on even columns, as it does in most videos */
    for (int j = 0; e0 == 0 && o0 == o1 && j < n; j += SHORT_LANES) {
      ShortVector here = short_load (at + j);

      short_store_pairs (to + 2 * j, here << 2, (here + short_load (after + j)) << 1);
    }
    for (int j = 0; (e0 != 0 || o0 != o1) && j < n; j += SHORT_LANES) {
      ShortVector here = short_load (at + j);

      short_store_pairs (to + 2 * j, short_load (before + j) * ve0 + here * ve1,
          here * vo0 + short_load (after + j) * vo1);
    }
#else
    CV_FOR (j, W / 2, n) {
      unsigned even = (unsigned short) (e0 * before[j] + e1 * at[j]);
      unsigned both = even | (unsigned) (unsigned short) (o0 * at[j] + o1 * after[j]) << 16;

      __builtin_memcpy (to + 2 * j, &both, sizeof (both));
    }
#endif
  }
}

GST_HIP_INLINE short
short_high (short a, short b)
{
  return (short) ((a * b) >> 16);
}

/* sum: in 128ths, coarse: in 64ths of a code, from 128 */
GST_HIP_INLINE unsigned short
short_code (short sum, short coarse)
{
  short code = (short) (((short) ((sum >> 1) + coarse) >> 6) + 128);

  code = code > 0 ? code : (short) 0;
  return (unsigned short) (code < 255 ? code : (short) 255);
}

GST_HIP_INLINE void
short_pixels (const ShortMap & s, int begin, int n, const unsigned short in[3][SPAN], unsigned short out[4][SPAN])
{
  const short y_coarse = (short) (32 * s.y.coarse), y_fine = s.y.fine, zero = s.zero[0];
  const short rv = s.red_v.coarse, rv_fine = s.red_v.fine, gv = s.green_v.coarse, gv_fine = s.green_v.fine;
  const short gu = s.green_u.coarse, gu_fine = s.green_u.fine, bu = s.blue_u.coarse, bu_fine = s.blue_u.fine;
  const short k0 = s.constant[0], k1 = s.constant[1], k2 = s.constant[2];
  const unsigned short *luma = in[0] + AT + begin, *cb = in[1] + AT + begin, *cr = in[2] + AT + begin;
  unsigned short *red = out[0] + AT + begin, *green = out[1] + AT + begin, *blue = out[2] + AT + begin;

  CV_FOR (i, W, n - begin) {
    short y = (short) ((short) (luma[i] * y_coarse) + short_high ((short) (luma[i] << 6), y_fine));
    short u = (short) (cb[i] - zero), v = (short) (cr[i] - zero);
    short u4 = (short) (u * 4), v4 = (short) (v * 4);

    red[i] = short_code ((short) (y + short_high (v4, rv_fine) + k0), (short) (v * rv));
    green[i] = short_code ((short) (y + short_high (v4, gv_fine) + short_high (u4, gu_fine) + k1),
        (short) (v * gv + u * gu));
    blue[i] = short_code ((short) (y + short_high (u4, bu_fine) + k2), (short) (u * bu));
  }
}

#ifdef HAS_SHORT_VECTORS
typedef char ShortPacked __attribute__ ((vector_size (32)));

/* As short_code (), but that packing is what cuts off */
GST_HIP_INLINE ShortVector
short_codes (ShortVector sum, ShortVector coarse)
{
  return (((sum >> 1) + coarse) >> 6) + short_all (128);
}

/* Pixels of the bytes b0 to b3, each cut off to 0 to 255. Packing and interleaving happen in halves of a vector. */
GST_HIP_INLINE void
short_store_pixels (unsigned char *to, ShortVector b0, ShortVector b1, ShortVector b2, ShortVector b3)
{
  ShortPacked even = (ShortPacked) __builtin_ia32_packuswb256 (b0, b2);
  ShortPacked odd = (ShortPacked) __builtin_ia32_packuswb256 (b1, b3);
  ShortVector low = (ShortVector) __builtin_shufflevector (even, odd, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38,
      7, 39, 16, 48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55);
  ShortVector high = (ShortVector) __builtin_shufflevector (even, odd, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45,
      14, 46, 15, 47, 24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);

  short_store_pairs (to, low, high);
}

/* Pixels of 4 bytes straight to memory, as many as make whole vectors; returns how many that are. The order of bytes
 * is red to blue or blue to red, then alpha, or alpha first. */
template <bool blue_first, bool alpha_first> static int
short_pixels_4 (const ShortMap & s, int n, const unsigned char *luma, const unsigned short in[3][SPAN],
    unsigned short alpha, unsigned char *to)
{
  const ShortVector y_coarse = short_all ((short) (32 * s.y.coarse)), y_fine = short_all (s.y.fine);
  const ShortVector zero = short_all (s.zero[0]), a = short_all ((short) alpha);
  const ShortVector rv = short_all (s.red_v.coarse), rv_fine = short_all (s.red_v.fine);
  const ShortVector gv = short_all (s.green_v.coarse), gv_fine = short_all (s.green_v.fine);
  const ShortVector gu = short_all (s.green_u.coarse), gu_fine = short_all (s.green_u.fine);
  const ShortVector bu = short_all (s.blue_u.coarse), bu_fine = short_all (s.blue_u.fine);
  const ShortVector k0 = short_all (s.constant[0]), k1 = short_all (s.constant[1]), k2 = short_all (s.constant[2]);
  int i = 0;

  for (; i + SHORT_LANES <= n; i += SHORT_LANES) {
    ShortVector u = short_load (in[1] + AT + i) - zero, v = short_load (in[2] + AT + i) - zero;
    ShortVector u4 = u << 2, v4 = v << 2;
    ShortBytes bytes;

    __builtin_memcpy (&bytes, luma + i, sizeof (bytes));
    ShortVector codes = __builtin_convertvector (bytes, ShortVector);
    ShortVector y = codes * y_coarse + __builtin_ia32_pmulhw256 (codes << 6, y_fine);
    ShortVector r = short_codes (y + __builtin_ia32_pmulhw256 (v4, rv_fine) + k0, v * rv);
    ShortVector g = short_codes (y + __builtin_ia32_pmulhw256 (v4, gv_fine) + __builtin_ia32_pmulhw256 (u4, gu_fine) +
        k1, v * gv + u * gu);
    ShortVector b = short_codes (y + __builtin_ia32_pmulhw256 (u4, bu_fine) + k2, u * bu);
    ShortVector first = blue_first ? b : r, last = blue_first ? r : b;

    if (alpha_first)
      short_store_pixels (to + 4 * i, a, first, g, last);
    else
      short_store_pixels (to + 4 * i, first, g, last, a);
  }
  return i;
}

GST_HIP_INLINE int
short_pixels_4 (const HipConvertParams & p, const ShortMap & s, int n, const unsigned char *luma,
    const unsigned short in[3][SPAN], unsigned short alpha, unsigned char *to)
{
  switch (p.out[0].offset << 8 | p.out[1].offset << 4 | p.out[2].offset) {
    case 0x012:
      return short_pixels_4<false, false> (s, n, luma, in, alpha, to);
    case 0x210:
      return short_pixels_4<true, false> (s, n, luma, in, alpha, to);
    case 0x123:
      return short_pixels_4<false, true> (s, n, luma, in, alpha, to);
    case 0x321:
      return short_pixels_4<true, true> (s, n, luma, in, alpha, to);
    default:
      return 0;
  }
}
#else
GST_HIP_INLINE int
short_pixels_4 (const HipConvertParams &, const ShortMap &, int, const unsigned char *, const unsigned short[3][SPAN],
    unsigned short, unsigned char *)
{
  return 0;
}
#endif

/* make_tiles_between () */
CV_BODY void
short_tiles_between (const HipConvertParams & p, const ShortMap & s, const Planes & planes, int x, int y)
{
  const int n = p.width - x < W ? p.width - x : W, nj = (n + 1) / 2;
  const unsigned short a = (unsigned short) (p.out[3].max ? cv_to_code (p.offset[3], 255.0f) : 255u);
  unsigned short chroma[2][2][HALF] CV_ALIGNED, in[4][SPAN] CV_ALIGNED, out[4][SPAN] CV_ALIGNED;

  CV_FOR (i, W, n) out[3][i + AT] = a;
  read_chroma (p, planes, x / 2, y / 2 - 1, nj, chroma[0]);
  for (int k = 0; k < COUNT && y + 2 * k <= planes.height; k++) {
    read_chroma (p, planes, x / 2, y / 2 + k, nj, chroma[(k + 1) % 2]);
    for (int r = 0; r < 2; r++) {
      const int row = y + 2 * k - 1 + r, near = (k + r) % 2;

      if (row < 0 || row >= planes.height)
        continue;
      const unsigned char *luma = in_row (planes, 0, row) + x;
      unsigned char *to = out_row (planes, 0, row) + 4ll * x;       /* packed: 4 */
      int done = 0;

      short_raise (s, chroma[near], chroma[1 - near], 1 - r, nj, in);
      if (Out::packed == 4)
        done = short_pixels_4 (p, s, n, luma, in, a, to);
      if (done == n)
        continue;
      read_plane<1, W> (p.in[0], luma, n, 0.0f, in[0] + AT);
      short_pixels (s, done, n, in, out);
      if (Out::packed == 4)
        write_bytes_4 (p, to, done, n, out);
      else
        write_pixels (p, planes, x, row, n, out);
    }
  }
}
#endif
