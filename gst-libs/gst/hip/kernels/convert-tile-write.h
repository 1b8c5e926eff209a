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
#endif
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
      raw.u32 (i, cv_byte (luma[2 * i + AT]) << y_at | cv_byte (luma[2 * i + AT + 1]) << (y_at + 16) |
          cv_byte (from[0][i]) << u_at | cv_byte (from[1][i]) << v_at);
    raw.flush (to, 4 * n);
  } else if (Out::pairs) {
    RawOut<2 * Out::word * (W / 2)> raw;
    unsigned char *to = out_row (planes, 1, y) + 2ll * Out::word * x;
    const int shift = p.out[1].shift;
    const int u_at = 8 * p.out[1].offset + shift, v_at = 8 * p.out[2].offset + shift;
    const float max = (float) p.out[1].max;

    raw.begin (to);
    if (Out::word == 1) {
      CV_FOR (i, W / 2, n) raw.u16 (i, cv_byte (from[0][i]) << u_at | cv_byte (from[1][i]) << v_at);
    } else {
      CV_FOR (i, W / 2, n) raw.u32 (i, cv_code (from[0][i], max) << u_at | cv_code (from[1][i], max) << v_at);
    }
    raw.flush (to, 2 * Out::word * n);
  } else {
    write_plane<Out::word, W / 2> (p.out[1], out_row (planes, 1, y) + (long long) Out::word * x, n, from[0]);
    write_plane<Out::word, W / 2> (p.out[2], out_row (planes, 2, y) + (long long) Out::word * x, n, from[1]);
  }
}
