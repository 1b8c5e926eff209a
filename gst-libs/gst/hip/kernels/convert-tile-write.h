/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* From arrays of samples by component to a row of bytes, for each layout. Knows
 * nothing of colour. */
#pragma once

#include "convert-tile-layout.h"

template <int word, int width, typename T> GST_HIP_INLINE void
write_plane (const HipConvertSamples & s, unsigned char *to, int n, const T *from)
{
  RawOut<word * width> raw;
  const int shift = s.shift;
  const float max = (float) s.max;

  raw.begin (to);
  if (word == 1) {
    CV_FOR (i, width, n) raw.u8 (i, cv_byte (from[i]));
  } else {
    CV_FOR (i, width, n) raw.u16 (i, cv_code (from[i], max) << shift);
  }
  raw.flush (to, word * n);
}

/* n pairs of two components */
template <int word, int width, typename T> GST_HIP_INLINE void
write_pairs (const HipConvertParams & p, unsigned char *to, int n, const T *u, const T *v)
{
  RawOut<2 * word * width> raw;
  const int shift = p.out[1].shift;
  const int u_at = 8 * p.out[1].offset + shift, v_at = 8 * p.out[2].offset + shift;
  const float max = (float) p.out[1].max;

  raw.begin (to);
  if (word == 1) {
    CV_FOR (i, width, n) raw.u16 (i, cv_byte (u[i]) << u_at | cv_byte (v[i]) << v_at);
  } else {
    CV_FOR (i, width, n) raw.u32 (i, cv_code (u[i], max) << u_at | cv_code (v[i], max) << v_at);
  }
  raw.flush (to, 2 * word * n);
}

/* n pixels of 4 words of 16 bit */
template <typename T> GST_HIP_INLINE void
write_words_4 (const HipConvertParams & p, unsigned char *to, int n, const T from[4][SPAN])
{
  RawOut<8 * W> raw;
  const int s0 = 8 * p.out[0].offset + p.out[0].shift, s1 = 8 * p.out[1].offset + p.out[1].shift;
  const int s2 = 8 * p.out[2].offset + p.out[2].shift, s3 = 8 * p.out[3].offset + p.out[3].shift;
  const float max0 = (float) p.out[0].max, max1 = (float) p.out[1].max, max2 = (float) p.out[2].max;
  const float max3 = (float) p.out[3].max;

  raw.begin (to);
  CV_FOR (i, W, n) {
    unsigned long long pixel = (unsigned long long) cv_code (from[0][i + AT], max0) << s0 |
        (unsigned long long) cv_code (from[1][i + AT], max1) << s1 |
        (unsigned long long) cv_code (from[2][i + AT], max2) << s2 |
        (unsigned long long) cv_code (from[3][i + AT], max3) << s3;

    raw.u32 (2 * i, (unsigned) pixel);
    raw.u32 (2 * i + 1, (unsigned) (pixel >> 32));
  }
  raw.flush (to, 8 * n);
}

/* n pixels that are bit fields of a word */
template <int word, typename T> GST_HIP_INLINE void
write_fields (const HipConvertParams & p, unsigned char *to, int n, const T from[4][SPAN])
{
  RawOut<word * W> raw;
  const int s0 = p.out[0].shift, s1 = p.out[1].shift, s2 = p.out[2].shift, s3 = p.out[3].shift;
  const float max0 = (float) p.out[0].max, max1 = (float) p.out[1].max, max2 = (float) p.out[2].max;
  const float max3 = (float) p.out[3].max;

  raw.begin (to);
  CV_FOR (i, W, n) {
    unsigned pixel = cv_code (from[0][i + AT], max0) << s0 | cv_code (from[1][i + AT], max1) << s1 |
        cv_code (from[2][i + AT], max2) << s2;

    if (word == 4)
      raw.u32 (i, pixel | cv_code (from[3][i + AT], max3) << s3);
    else
      raw.u16 (i, pixel);
  }
  raw.flush (to, word * n);
}

#ifdef CV_LONG_ROWS
/* Pixels of 4 bytes from begin to n, from codes as they are: the two halves of a pixel are put together by themselves */
GST_HIP_INLINE void
write_bytes_4 (const HipConvertParams & p, unsigned char *to, int begin, int n, const unsigned short from[4][SPAN])
{
  const int a_at = p.out[3].max ? p.out[3].offset : 6 - p.out[0].offset - p.out[1].offset - p.out[2].offset;
  const unsigned short *byte[4];

  for (int c = 0; c < 3; c++)
    byte[p.out[c].offset] = from[c] + AT + begin;
  byte[a_at] = from[3] + AT + begin;
  to += 4ll * begin;
  const unsigned short *b0 = byte[0], *b1 = byte[1], *b2 = byte[2], *b3 = byte[3];

  CV_FOR (i, W, n - begin) {
    unsigned low = (unsigned short) (b0[i] | b1[i] << 8), high = (unsigned short) (b2[i] | b3[i] << 8);
    unsigned pixel = low | high << 16;

    __builtin_memcpy (to + 4 * i, &pixel, sizeof (pixel));
  }
}

GST_HIP_INLINE void write_bytes_4 (const HipConvertParams &, unsigned char *, int, int, const float[4][SPAN]) {}
#endif

template <typename T> GST_HIP_INLINE void
write_pixels (const HipConvertParams & p, const Planes & planes, int x, int y, int n, const T from[4][SPAN])
{
#if HIP_CONVERT_IS_TENSOR (HIP_OUT)
  write_tensor<HIP_OUT> (p, planes, x, y, n, from);
#else
  if (Out::packed == 4) {
    RawOut<4 * W> raw;
    unsigned char *to = out_row (planes, 0, y) + 4ll * x;
    const int s0 = 8 * p.out[0].offset, s1 = 8 * p.out[1].offset, s2 = 8 * p.out[2].offset;
    const int s3 = p.out[3].max ? 8 * p.out[3].offset : 48 - s0 - s1 - s2;

#ifdef CV_LONG_ROWS
    if (sizeof (T) == 2) {
      write_bytes_4 (p, to, 0, n, from);
      return;
    }
#endif
    raw.begin (to);
#ifdef CV_LONG_ROWS
    CV_FOR (i, W, n)
      raw.u32 (i, cv_byte (from[0][i + AT]) << s0 | cv_byte (from[1][i + AT]) << s1 |
          cv_byte (from[2][i + AT]) << s2 | cv_byte (from[3][i + AT]) << s3);
#else
    /* Bytes 0, 1, 4 and 5 of two words, put in order. Where alpha is made, it is one for all but borders. */
    const unsigned alpha = cv_byte (from[3][AT]);
    const unsigned order = 0u << (s0 / 2) | 1u << (s1 / 2) | 4u << (s2 / 2) | 5u << (s3 / 2);

    CV_FOR (i, W, n)
      raw.u32 (i, __byte_perm (__byte_perm (cv_byte (from[0][i + AT]), cv_byte (from[1][i + AT]), 0x5540u),
              __byte_perm (cv_byte (from[2][i + AT]), In::alpha || CV_BORDERS ? cv_byte (from[3][i + AT]) : alpha, 0x5540u), order));
#endif
    raw.flush (to, 4 * n);
  } else if (Out::packed == 3) {
    RawOut<3 * W> raw;
    unsigned char *to = out_row (planes, 0, y) + 3ll * x;
    const bool swap = p.out[0].offset == 2;

    raw.begin (to);
    CV_FOR (i, W, n) {
      unsigned r = cv_byte (from[0][i + AT]), b = cv_byte (from[2][i + AT]);

      raw.u8 (3 * i, swap ? b : r);
      raw.u8 (3 * i + 1, cv_byte (from[1][i + AT]));
      raw.u8 (3 * i + 2, swap ? r : b);
    }
    raw.flush (to, 3 * n);
  } else if (Out::packed == 8) {
    write_words_4 (p, out_row (planes, 0, y) + 8ll * x, n, from);
  } else if (Out::fields) {
    write_fields<Out::word> (p, out_row (planes, 0, y) + (long long) Out::word * x, n, from);
  } else if (!Out::packed_422) {
    const long long skip = (long long) x * Out::word;

    write_plane<Out::word, W> (p.out[0], out_row (planes, 0, y) + skip, n, from[0] + AT);
    if (Out::pairs && !Out::sub) {
      write_pairs<Out::word, W> (p, out_row (planes, 1, y) + 2 * skip, n, from[1] + AT, from[2] + AT);
    } else if (!Out::sub && p.out[1].max) {
      write_plane<Out::word, W> (p.out[1], out_row (planes, 1, y) + skip, n, from[1] + AT);
      write_plane<Out::word, W> (p.out[2], out_row (planes, 2, y) + skip, n, from[2] + AT);
    }
    if (Out::planar && p.out[3].max)
      write_plane<Out::word, W> (p.out[3], out_row (planes, 3, y) + skip, n, from[3] + AT);
  }
#endif
}

/* n samples of chroma; in packed 4:2:2 with their pixels' luma, a missing last one repeated */
template <typename T> GST_HIP_INLINE void
write_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, const T from[2][W / 2],
    const T luma[SPAN])
{
  if (y >= planes.out_rows[1])
    return;
  if (Out::packed_422 && Out::word == 2) {
    RawOut<4 * W> raw;
    unsigned char *to = out_row (planes, 0, y) + 8ll * x;
    const int y_at = 8 * p.out[0].offset + p.out[0].shift, c_at = 16 - 8 * p.out[0].offset + p.out[1].shift;
    const bool u_first = p.out[1].offset < p.out[2].offset;
    const float y_max = (float) p.out[0].max, max = (float) p.out[1].max;

    raw.begin (to);
    CV_FOR (i, W / 2, n) {
      const unsigned u = cv_code (from[0][i], max), v = cv_code (from[1][i], max);

      raw.u32 (2 * i, cv_code (luma[2 * i + AT], y_max) << y_at | (u_first ? u : v) << c_at);
      raw.u32 (2 * i + 1, cv_code (luma[2 * i + AT + 1], y_max) << y_at | (u_first ? v : u) << c_at);
    }
    raw.flush (to, 8 * n);
  } else if (Out::packed_422) {
    RawOut<2 * W> raw;
    unsigned char *to = out_row (planes, 0, y) + 4ll * x;
    const int y_at = 8 * p.out[0].offset, u_at = 8 * p.out[1].offset, v_at = 8 * p.out[2].offset;

    raw.begin (to);
    CV_FOR (i, W / 2, n)
      raw.u32 (i, cv_byte (luma[2 * i + AT]) << y_at | cv_byte (luma[2 * i + AT + 1]) << (y_at + 16) |
          cv_byte (from[0][i]) << u_at | cv_byte (from[1][i]) << v_at);
    raw.flush (to, 4 * n);
  } else if (Out::pairs) {
    write_pairs<Out::word, W / 2> (p, out_row (planes, 1, y) + 2ll * Out::word * x, n, from[0], from[1]);
  } else {
    write_plane<Out::word, W / 2> (p.out[1], out_row (planes, 1, y) + (long long) Out::word * x, n, from[0]);
    write_plane<Out::word, W / 2> (p.out[2], out_row (planes, 2, y) + (long long) Out::word * x, n, from[1]);
  }
}
