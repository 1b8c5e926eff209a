/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* From samples to samples: colour by an affine map, and chroma from one grid to
 * another. Knows no bytes; what it lacks of a tile it has read for it. */
#pragma once

#include "convert-tile-dither.h"
#include "convert-tile-read.h"
#include "convert-tile-write.h"

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

/* Colour depends on colour, alpha on alpha */
GST_HIP_INLINE void
map_pixels (const HipConvertParams & p, int n, const float in[4][SPAN], float out[4][SPAN])
{
  const bool has_alpha = In::alpha && p.in[3].max != 0;
  const float m33 = p.matrix[3][3], a = p.out[3].max ? p.offset[3] : 255.0f;

  CV_UNROLL
  for (int c = 0; c < (Out::sub ? 1 : 3); c++) {
    const float m0 = p.matrix[c][0], m1 = p.matrix[c][1], m2 = p.matrix[c][2], o = p.offset[c];

    if (Out::sub && In::sub && !(p.flags & HIP_CONVERT_LUMA_FROM_CHROMA)) {
      CV_FOR (i, W, n) out[c][i + AT] = o + m0 * in[0][i + AT];
    } else {
      CV_FOR (i, W, n) out[c][i + AT] = o + m0 * in[0][i + AT] + m1 * in[1][i + AT] + m2 * in[2][i + AT];
    }
  }
  if (has_alpha && p.out[3].max) {
    CV_FOR (i, W, n) out[3][i + AT] = a + m33 * in[3][i + AT];
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
  if (In::alpha && p.in[3].max && p.out[3].max && p.matrix[3][3] != 0.0f) {
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

      out[c - 1][j] = o + m0 * a + m1 * b + m2 * d;
    }
  }
  dither_chroma (p, planes, x / 2, Out::v_sub ? y / 2 : y, nj, out);
  write_chroma (p, planes, x / 2, Out::v_sub ? y / 2 : y, nj, out, luma);
}

/* Both grids are the same: chroma depends on chroma */
template <typename T> GST_HIP_INLINE void
map_chroma (const HipConvertParams & p, const T in[2][W / 2], int n, T out[2][W / 2])
{
  CV_UNROLL
  for (int c = 0; c < 2; c++) {
    const float m1 = p.matrix[c + 1][1], m2 = p.matrix[c + 1][2], o = p.offset[c + 1];

    CV_FOR (j, W / 2, n) out[c][j] = o + m1 * in[0][j] + m2 * in[1][j];
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

/* Chroma of the input where the output's grid, another one, has samples from x of its row y */
GST_HIP_INLINE void
resample_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, float out[2][W / 2])
{
  const HipConvertAxis & ax = p.from_chroma[0], & ay = p.from_chroma[1];
  const float *wx = ax.weight[0], *wy = ay.weight[y & ((1 << ay.up) - 1)];
  const int row = (y >> ay.up) << ay.down;
  const float x0 = wx[1], x1 = wx[2], x2 = wx[3];
  float mean[2][HALF] CV_ALIGNED;

  CV_UNROLL
  for (int c = 0; c < 2; c++) {
    CV_FOR (j, W / 2 + 2, n + 2) mean[c][j + AT - 1] = 0.0f;
  }
  CV_UNROLL
  for (int k = -1; k < 2; k++) {
    const float share = wy[k + 2];
    float line[2][HALF] CV_ALIGNED;

    if (share != 0.0f) {
      read_chroma (p, planes, x, row + k, n, x0 != 0.0f, x2 != 0.0f, line);
      CV_UNROLL
      for (int c = 0; c < 2; c++) {
        CV_FOR (j, W / 2 + 2, n + 2) mean[c][j + AT - 1] += share * line[c][j + AT - 1];
      }
    }
  }
  CV_UNROLL
  for (int c = 0; c < 2; c++) {
    const float *before = mean[c] + AT - 1, *at = cv_other (mean[c] + AT), *after = cv_other (mean[c] + AT + 1);

    CV_FOR (j, W / 2, n) out[c][j] = x0 * before[j] + x1 * at[j] + x2 * after[j];
  }
}

/* Codes as they are stay on their grid */
GST_HIP_INLINE void
resample_chroma (const HipConvertParams &, const Planes &, int, int, int, unsigned short[2][W / 2])
{
}
