/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* From a row of bytes to arrays of samples by component, for each layout. Knows
 * nothing of colour. */
#pragma once

#include "convert-tile-layout.h"

/* n samples of a plane's row */
template <int word, int width, typename T> GST_HIP_INLINE void
read_plane (const HipConvertSamples & s, const unsigned char *from, int n, float zero, T *to)
{
  RawIn<word * width> raw;
  const int shift = s.shift;

  raw.fetch (from, word * n);
  if (word == 1) {
    CV_FOR (i, width, n) CV_SET_U8 (to[i], raw, i, zero);
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
  const int shift = p.in[1].shift, u_byte = p.in[1].offset, v_byte = p.in[2].offset;
  const int u_at = 8 * u_byte, v_at = 8 * v_byte;
  const unsigned max = (unsigned) p.in[1].max;
  const float zero = p.zero[1];

  raw.fetch (from, 2 * word * n);
  if (word == 1) {
    CV_FOR (i, width, n) {
      CV_SET_U16 (u[i], raw, i, u_byte, zero);
      CV_SET_U16 (v[i], raw, i, v_byte, zero);
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
#if HIP_CONVERT_IS_TENSOR (HIP_IN)
  read_tensor<HIP_IN, width> (p, planes, x, y, n, to, at);
#else
  if (In::packed == 4) {
    RawIn<4 * width> raw;
    const int s0 = p.in[0].offset, s1 = p.in[1].offset, s2 = p.in[2].offset, s3 = p.in[3].offset;

    raw.fetch (in_row (planes, 0, y) + 4ll * x, 4 * n);
    CV_FOR (i, width, n) {
      unsigned pixel = raw.u32 (i);

      cv_set_byte (to[0][at + i], pixel, s0, p.zero[0]);
      cv_set_byte (to[1][at + i], pixel, s1, p.zero[1]);
      cv_set_byte (to[2][at + i], pixel, s2, p.zero[2]);
      cv_set_byte (to[3][at + i], pixel, s3, p.zero[3]);
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
  } else if (In::packed == 8) {
    RawIn<8 * width> raw;

    raw.fetch (in_row (planes, 0, y) + 8ll * x, 8 * n);
    CV_UNROLL
    for (int c = 0; c < 4; c++) {
      const int offset = p.in[c].offset, shift = p.in[c].shift;
      const unsigned max = (unsigned) p.in[c].max;
      const float zero = p.zero[c];

      CV_FOR (i, width, n)
        cv_set (to[c][at + i], cv_quarter (raw.u32 (2 * i), raw.u32 (2 * i + 1), offset) >> shift & max, zero);
    }
  } else if (In::fields) {
    RawIn<In::word * width> raw;

    raw.fetch (in_row (planes, 0, y) + (long long) In::word * x, In::word * n);
    CV_UNROLL
    for (int c = 0; c < (In::alpha ? 4 : 3); c++) {
      const int shift = p.in[c].shift;
      const unsigned max = (unsigned) p.in[c].max;
      const float zero = p.zero[c];

      CV_FOR (i, width, n) cv_set (to[c][at + i], (In::word == 4 ? raw.u32 (i) : raw.u16 (i)) >> shift & max, zero);
    }
  } else if (In::packed_422 && In::word == 2) {
    RawIn<4 * width> raw;
    const int s0 = 8 * p.in[0].offset + p.in[0].shift;
    const unsigned max = (unsigned) p.in[0].max;

    raw.fetch (in_row (planes, 0, y) + 4ll * x, 4 * n);
    CV_FOR (i, width, n) cv_set (to[0][at + i], raw.u32 (i) >> s0 & max, p.zero[0]);
  } else if (In::packed_422) {
    RawIn<2 * width> raw;
    const int s0 = p.in[0].offset;

    raw.fetch (in_row (planes, 0, y) + 2ll * x, 2 * n);
    CV_FOR (i, width, n) CV_SET_U16 (to[0][at + i], raw, i, s0, p.zero[0]);
  } else {
    const long long skip = (long long) x * In::word;

    read_plane<In::word, width> (p.in[0], in_row (planes, 0, y) + skip, n, p.zero[0], to[0] + at);
    if (In::pairs && !In::sub) {
      read_pairs<In::word, width> (p, in_row (planes, 1, y) + 2 * skip, n, to[1] + at, to[2] + at);
    } else if (!In::sub && p.in[1].max) {
      read_plane<In::word, width> (p.in[1], in_row (planes, 1, y) + skip, n, p.zero[1], to[1] + at);
      read_plane<In::word, width> (p.in[2], in_row (planes, 2, y) + skip, n, p.zero[2], to[2] + at);
    }
    if (In::planar && p.in[3].max)
      read_plane<In::word, width> (p.in[3], in_row (planes, 3, y) + skip, n, p.zero[3], to[3] + at);
    if (!In::sub && !p.in[1].max) {
      CV_FOR (i, width, n) to[1][at + i] = to[2][at + i] = 0;
    }
  }
#endif
}

/* n samples of both chroma components, from sample x of row y */
template <int width, typename T> GST_HIP_INLINE void
read_chroma_run (const HipConvertParams & p, const Planes & planes, int x, int y, int n, T *u, T *v)
{
  if (In::packed_422 && In::word == 2) {
    RawIn<8 * width> raw;
    const int u_at = p.in[1].offset, v_at = p.in[2].offset, shift = p.in[1].shift;
    const unsigned max = (unsigned) p.in[1].max;

    raw.fetch (in_row (planes, 1, y) + 8ll * x, 8 * n);
    CV_FOR (i, width, n) {
      cv_set (u[i], cv_quarter (raw.u32 (2 * i), raw.u32 (2 * i + 1), u_at) >> shift & max, p.zero[1]);
      cv_set (v[i], cv_quarter (raw.u32 (2 * i), raw.u32 (2 * i + 1), v_at) >> shift & max, p.zero[2]);
    }
  } else if (In::packed_422) {
    RawIn<4 * width> raw;
    const int u_at = p.in[1].offset, v_at = p.in[2].offset;

    raw.fetch (in_row (planes, 1, y) + 4ll * x, 4 * n);
    CV_FOR (i, width, n) {
      cv_set_byte (u[i], raw.u32 (i), u_at, p.zero[1]);
      cv_set_byte (v[i], raw.u32 (i), v_at, p.zero[2]);
    }
  } else if (In::pairs) {
    read_pairs<In::word, width> (p, in_row (planes, 1, y) + 2ll * In::word * x, n, u, v);
  } else {
    read_plane<In::word, width> (p.in[1], in_row (planes, 1, y) + (long long) In::word * x, n, p.zero[1], u);
    read_plane<In::word, width> (p.in[2], in_row (planes, 2, y) + (long long) In::word * x, n, p.zero[2], v);
  }
}

/* ... with the neighbours that are asked for: samples x - 1 to x + n at AT - 1 to AT + n */
template <typename T> GST_HIP_INLINE void
read_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, bool before, bool after,
    T to[2][HALF])
{
  const int columns = p.in[1].columns;
  T u = 0, v = 0;

  read_chroma_run<W / 2> (p, planes, x, y, n, to[0] + AT, to[1] + AT);
  if (before)
    read_chroma_run<1> (p, planes, cv_bound (x - 1, columns), y, 1, &u, &v);
  to[0][AT - 1] = u;
  to[1][AT - 1] = v;
  if (after)
    read_chroma_run<1> (p, planes, cv_bound (x + n, columns), y, 1, &u, &v);
  cv_put<HALF> (to[0], AT + n, u);
  cv_put<HALF> (to[1], AT + n, v);
}

/* ... with those that weigh anything at pixels */
template <typename T> GST_HIP_INLINE void
read_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, T to[2][HALF])
{
  const bool before = p.to_pixels[0].weight[0][1] != 0.0f, after = p.to_pixels[0].weight[1][3] != 0.0f;

  read_chroma (p, planes, x, y, n, before, after, to);
}
