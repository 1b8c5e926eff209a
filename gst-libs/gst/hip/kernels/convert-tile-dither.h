/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Values that lose bits, dithered in place before they are written. */
#pragma once

#include "convert-tile-layout.h"
#include "convert-dither.h"

/* What is added to n values from sample x of row y */
template <int width> GST_HIP_INLINE void
dither_offsets (int x, int y, int n, float *to)
{
  const unsigned row = cv_dither_of_y (y);

#ifdef CV_LONG_ROWS
  float eight[8];

  for (int i = 0; i < 8; i++)
    eight[i] = cv_dither_offset (cv_dither_of_x (x + i) ^ row);
  for (int i = 0; i < n; i += 8)
    __builtin_memcpy (to + i, eight, sizeof (eight));
#else
  const unsigned start = cv_dither_of_x (x) ^ row;

  CV_FOR (i, width, n)
    to[i] = cv_dither_offset ((width & (width - 1)) == 0 ? start ^ cv_dither_of_x (i) : cv_dither_of_x (x + i) ^ row);
#endif
}

/* Codes are multiples of a quantum, which is 1 but where somebody asked for more */
template <int width> GST_HIP_INLINE void
dither_run (const HipConvertParams & p, int c, int n, const float *offsets, float *values)
{
  const float quantum = p.quantum[c];

  if (quantum == 1.0f) {
    if (p.dither_mask >> c & 1) {
      CV_FOR (i, width, n) values[i] += offsets[i];
    }
  } else {
    const float share = 1.0f / quantum, most = p.most_quanta[c], amount = p.dither_mask >> c & 1 ? 1.0f : 0.0f;

    CV_FOR (i, width, n)
      values[i] = quantum * (float) (int) cv_to_code (values[i] * share + amount * offsets[i], most);
  }
}

/* All components that are there for each pixel of row y */
GST_HIP_INLINE void
dither_pixels (const HipConvertParams & p, const Planes & planes, int x, int y, int n, float values[4][SPAN])
{
  float offsets[W + 8];

  if (!planes.dither)
    return;
  dither_offsets<W> (x, y, n, offsets);
  CV_UNROLL
  for (int c = 0; c < 4; c++) {
    if (p.out[c].max && (!Out::sub || c == 0 || c == 3))
      dither_run<W> (p, c, n, offsets, values[c] + AT);
  }
}

/* n samples of chroma from sample x of its row y */
GST_HIP_INLINE void
dither_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, float values[2][W / 2])
{
  float offsets[W / 2 + 8];

  if (!planes.dither)
    return;
  dither_offsets<W / 2> (x, y, n, offsets);
  CV_UNROLL
  for (int c = 0; c < 2; c++)
    dither_run<W / 2> (p, c + 1, n, offsets, values[c]);
}

/* Codes that are passed on as they are lose none */
GST_HIP_INLINE void
dither_pixels (const HipConvertParams &, const Planes &, int, int, int, unsigned short[4][SPAN])
{
}

GST_HIP_INLINE void
dither_chroma (const HipConvertParams &, const Planes &, int, int, int, unsigned short[2][W / 2])
{
}
