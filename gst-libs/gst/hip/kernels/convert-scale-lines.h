/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Samples of another size as a CPU makes them: rows of the input are weighed
 * into one line of floats, side by side in vectors, from which a row of the output
 * is picked. That order takes each byte once where frames shrink, and the picking,
 * which is no vector's work, is done once for a row of the output and not for each
 * of its taps. Knows no colour. */
#pragma once

/* Samples of the input that are weighed at a time: a line of 4 components stays in the first cache */
#define LINE 2048
#define TAPS_AT_MOST (LINE / 2)
static_assert (HIP_SCALE_TILE_TAPS <= TAPS_AT_MOST, "taps fit into a line");

struct Line
{
  float v[4][LINE] CV_ALIGNED;
};

/* No load is wider than a vector of any alignment */
GST_HIP_INLINE bool
is_aligned (const Planes &)
{
  return true;
}

GST_HIP_INLINE void
clear_pixels (int n, float in[4][SPAN])
{
  for (int c = 0; c < 4; c++) {
    CV_FOR (i, W, n) in[c][i + AT] = 0.0f;
  }
}

#define HAS_COMPONENT(chroma, c) ((chroma) ? (c) == 1 || (c) == 2 : !In::sub || (c) == 0 || ((c) == 3 && In::alpha))

template <bool chroma> GST_HIP_INLINE void
read_piece (const Scaling & t, int x, int y, int n, float to[4][SPAN])
{
  if (chroma)
    read_chroma_run<W> (t.p, t.planes, x, y, n, to[1] + AT, to[2] + AT);
  else
    read_pixels<W> (t.p, t.planes, x, y, n, to, AT);
}

/* n samples from x of the rows that make row y of the output */
template <bool chroma> static __noinline__ __device__ void
weigh_rows (const Scaling & t, const HipScaleAxis & rows, int x, int y, int n, Line & line)
{
  const int first = t.table[rows.first + y];

  for (int at = 0; at < n; at += W) {
    const int m = n - at < W ? n - at : W;
    float piece[4][SPAN] CV_ALIGNED;
    bool begun = false;

    for (int k = 0; k < rows.taps; k++) {
      const float share = weight_at (t.table, rows.weight + k * rows.count + y);

      if (share == 0.0f)
        continue;
      read_piece<chroma> (t, x + at, first + k, m, piece);
      for (int c = 0; c < 4; c++) {
        float *to = line.v[c] + at;
        const float *from = piece[c] + AT;

        if (!HAS_COMPONENT (chroma, c) || t.p.in[c].max == 0)
          continue;
        if (begun) {
          CV_FOR (i, W, m) to[i] += share * from[i];
        } else {
          CV_FOR (i, W, m) to[i] = share * from[i];
        }
      }
      begun = true;
    }
  }
}

/* n samples of the output from sample j of the axis, out of a line that begins with sample begin */
GST_HIP_INLINE void
pick_columns (const Scaling & t, const HipScaleAxis & columns, int j, int n, int begin, const float *line, float *to)
{
  const int *first = t.table + columns.first + j;
  const float *weight = (const float *) (t.table + columns.weight + j);
  const int taps = columns.taps, count = columns.count;

  line -= begin;
  if (taps == 1) {
    CV_FOR (i, W, n) to[i] = line[first[i]];
    return;
  }
  CV_FOR (i, W, n) to[i] = weight[i] * line[first[i]] + weight[count + i] * line[first[i] + 1];
  for (int k = 2; k < taps; k++) {
    const float *w = weight + (long long) k * count, *from = line + k;

    CV_FOR (i, W, n) to[i] += w[i] * from[first[i]];
  }
}

/* Samples from x of row y of the output's pixels or, to = 1, of its chroma grid */
template <bool chroma> GST_HIP_INLINE void
take (const Scaling & t, int grid, int x, int y, int n, float *const to[4])
{
  const int from = chroma ? 1 : 0;
  const HipScaleAxis & columns = t.s.columns[from][grid], & rows = t.s.rows[t.field][from][grid];
  const int *first = t.table + columns.first;
  const int wanted = n < columns.count - x ? n : columns.count - x;
  Line line;
  int done = 0;

  if (y >= rows.count)
    y = rows.count - 1;
  while (done < wanted) {
    int m = wanted - done, a, b, low, high;

    for (;; m = (m + 1) / 2) {
      a = first[x + done];
      b = first[x + done + m - 1];
      low = a < b ? a : b;
      high = (a < b ? b : a) + columns.taps;
      if (high - low <= LINE)
        break;
    }
    weigh_rows<chroma> (t, rows, low, y, high - low, line);
    for (int c = 0; c < 4; c++) {
      if (HAS_COMPONENT (chroma, c) && t.p.in[c].max)
        pick_columns (t, columns, x + done, m, low, line.v[c], to[c] + done);
    }
    done += m;
  }
  for (int c = 0; c < 4 && n > wanted; c++) {
    for (int i = wanted; i < n && HAS_COMPONENT (chroma, c); i++)
      to[c][i] = to[c][wanted - 1];
  }
}

/* All that n pixels are mapped from; those outside of the rectangle are anything */
template <bool aligned> GST_HIP_INLINE void
take_pixels (const Scaling & t, int x, int y, int n, float in[4][SPAN])
{
  const int begin = t.s.begin[0] > x ? t.s.begin[0] - x : 0, end = t.s.end[0] - x < n ? t.s.end[0] - x : n;
  float *to[4];

  if (begin > 0 || end < n || In::planar)
    clear_pixels (n, in);
  if (begin >= end)
    return;
  for (int c = 0; c < 4; c++)
    to[c] = in[c] + AT + begin;
  take<false> (t, 0, x + begin, y, end - begin, to);
  if (In::sub && t.p.flags & HIP_CONVERT_LUMA_FROM_CHROMA) {
    take<true> (t, 0, x + begin, y, end - begin, to);
  } else if (In::sub) {
    for (int c = 1; c < 3; c++) {
      CV_FOR (i, W, n) in[c][i + AT] = 0.0f;
    }
  }
}

template <bool aligned> GST_HIP_INLINE void
take_chroma (const Scaling & t, int x, int y, int n, float out[2][W / 2])
{
  const HipConvertParams & p = t.p;
  float v[4][W / 2] CV_ALIGNED, *const to[4] = { v[0], v[1], v[2], v[3] };

  if (!In::sub && !p.in[1].max) {
    CV_FOR (j, W / 2, n) v[1][j] = v[2][j] = 0.0f;
  }
  take<In::sub> (t, 1, x, y, n, to);
  for (int c = 1; c < 3; c++) {
    const float m0 = p.matrix[c][0], m1 = p.matrix[c][1], m2 = p.matrix[c][2], o = p.offset[c];

    if (In::sub) {
      CV_FOR (j, W / 2, n) out[c - 1][j] = o + m1 * v[1][j] + m2 * v[2][j];
    } else {
      CV_FOR (j, W / 2, n) out[c - 1][j] = o + m0 * v[0][j] + m1 * v[1][j] + m2 * v[2][j];
    }
  }
}
