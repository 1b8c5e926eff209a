/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Samples of another size as a GPU makes them: a thread reads all that its own
 * few need, and neighbours share it in the cache. Knows no colour. */
#pragma once

/* The widest load of a sample or of a pixel */
#define SAMPLE_BYTES (In::packed == 4 || In::packed_422 || (In::pairs && In::word == 2) ? 4 : \
    In::pairs || In::word == 2 ? 2 : 1)

/* Frames that somebody else laid out may lie anywhere. It is the same for all threads. */
GST_HIP_INLINE bool
is_aligned (const Planes & planes)
{
  size_t bits = 0;

  CV_UNROLL
  for (int c = 0; c < 4; c++)
    bits |= (size_t) planes.in[c] | (size_t) (long long) planes.in_stride[c];
  return SAMPLE_BYTES == 1 || (bits & (SAMPLE_BYTES - 1)) == 0;
}

template <int bytes, bool aligned> GST_HIP_INLINE unsigned
load_sample (const unsigned char *from)
{
  if (bytes == 1)
    return from[0];
  if (bytes == 2)
    return aligned ? *(const unsigned short *) from : from[0] | (unsigned) from[1] << 8;
  return aligned ? *(const unsigned *) from : from[0] | (unsigned) from[1] << 8 | (unsigned) from[2] << 16 |
      (unsigned) from[3] << 24;
}

/* The planes' rows that a sample is read from */
struct Rows
{
  const unsigned char *plane[4];
};

template <bool chroma> GST_HIP_INLINE void
find_rows (const Planes & planes, int y, Rows & rows)
{
  CV_UNROLL
  for (int c = 0; c < 4; c++)
    rows.plane[c] = planes.in[c] + (long long) y * planes.in_stride[c];
}

template <int word, bool aligned> GST_HIP_INLINE float
read_one (const HipConvertSamples & s, const unsigned char *row, int x, float zero)
{
  const unsigned code = load_sample<word, aligned> (row + (long long) x * word);

  return cv_from_code (word == 1 ? code : code >> s.shift & (unsigned) s.max, zero);
}

/* Sample x of the chroma grid, or pixel x: components that there are */
template <bool chroma, bool aligned> GST_HIP_INLINE void
read_sample (const HipConvertParams & p, const Rows & rows, int x, float v[4])
{
  if (chroma && In::packed_422) {
    const unsigned word = load_sample<4, aligned> (rows.plane[1] + 4ll * x);

    v[1] = cv_from_byte (word, p.in[1].offset, p.zero[1]);
    v[2] = cv_from_byte (word, p.in[2].offset, p.zero[2]);
  } else if (chroma && In::pairs && In::word == 1) {
    const unsigned pair = load_sample<2, aligned> (rows.plane[1] + 2ll * x);

    v[1] = cv_from_byte (pair, p.in[1].offset, p.zero[1]);
    v[2] = cv_from_byte (pair, p.in[2].offset, p.zero[2]);
  } else if (chroma && In::pairs) {
    const unsigned pair = load_sample<4, aligned> (rows.plane[1] + 4ll * x), max = (unsigned) p.in[1].max;

    v[1] = cv_from_code ((pair >> (8 * p.in[1].offset) & 0xffffu) >> p.in[1].shift & max, p.zero[1]);
    v[2] = cv_from_code ((pair >> (8 * p.in[2].offset) & 0xffffu) >> p.in[2].shift & max, p.zero[2]);
  } else if (chroma) {
    v[1] = read_one<In::word, aligned> (p.in[1], rows.plane[1], x, p.zero[1]);
    v[2] = read_one<In::word, aligned> (p.in[2], rows.plane[2], x, p.zero[2]);
  } else if (In::packed == 4) {
    const unsigned pixel = load_sample<4, aligned> (rows.plane[0] + 4ll * x);

    CV_UNROLL
    for (int c = 0; c < 4; c++)
      v[c] = cv_from_byte (pixel, p.in[c].offset, p.zero[c]);
  } else if (In::packed == 3) {
    const unsigned char *at = rows.plane[0] + 3ll * x;
    const unsigned first = at[0], last = at[2];
    const bool swap = p.in[0].offset == 2;

    v[0] = cv_from_code (swap ? last : first, p.zero[0]);
    v[1] = cv_from_code (at[1], p.zero[1]);
    v[2] = cv_from_code (swap ? first : last, p.zero[2]);
  } else if (In::packed_422) {
    v[0] = cv_from_code (rows.plane[0][2ll * x + p.in[0].offset], p.zero[0]);
  } else {
    v[0] = read_one<In::word, aligned> (p.in[0], rows.plane[0], x, p.zero[0]);
    if (!In::sub && p.in[1].max) {
      v[1] = read_one<In::word, aligned> (p.in[1], rows.plane[1], x, p.zero[1]);
      v[2] = read_one<In::word, aligned> (p.in[2], rows.plane[2], x, p.zero[2]);
    }
    if (In::planar && p.in[3].max)
      v[3] = read_one<In::word, aligned> (p.in[3], rows.plane[3], x, p.zero[3]);
  }
}

/* Components that a sample of the grid has in this layout */
#define HAS_COMPONENT(chroma, c) ((chroma) ? (c) == 1 || (c) == 2 : !In::sub || (c) == 0 || (c) == 3)

GST_HIP_INLINE float
between_two (float a, float b, float share)
{
  return a + share * (b - a);
}

/* Two taps in each direction, of pixels: the second one's weight is its share */
template <bool chroma, int width, bool aligned> GST_HIP_INLINE void
take_pairs (const Scaling & t, const HipScaleAxis & columns, const HipScaleAxis & row_axis, int x, int y,
    float v[4][width])
{
  const int2 down = *(const int2 *) (t.table + row_axis.pairs + 2 * y);
  const float lower_share = __int_as_float (down.y);
  int2 pairs[width];
  Rows upper, lower;

  if (width % 2 == 0) {
    CV_UNROLL
    for (int i = 0; i < width; i += 2) {
      const int4 both = *(const int4 *) (t.table + columns.pairs + 2 * (x + i));

      pairs[i] = make_int2 (both.x, both.y);
      pairs[i + (width > 1)] = make_int2 (both.z, both.w);
    }
  } else {
    CV_UNROLL
    for (int i = 0; i < width; i++)
      pairs[i] = *(const int2 *) (t.table + columns.pairs + 2 * (x + i));
  }
  find_rows<chroma> (t.planes, down.x, upper);
  find_rows<chroma> (t.planes, down.x + 1, lower);
  CV_UNROLL
  for (int i = 0; i < width; i++) {
    const float share = __int_as_float (pairs[i].y);
    float a[4] = { 0.0f, }, b[4] = { 0.0f, }, d[4] = { 0.0f, }, e[4] = { 0.0f, };

    read_sample<chroma, aligned> (t.p, upper, pairs[i].x, a);
    read_sample<chroma, aligned> (t.p, upper, pairs[i].x + 1, b);
    read_sample<chroma, aligned> (t.p, lower, pairs[i].x, d);
    read_sample<chroma, aligned> (t.p, lower, pairs[i].x + 1, e);
    CV_UNROLL
    for (int c = 0; c < 4; c++) {
      if (HAS_COMPONENT (chroma, c))
        v[c][i] = between_two (between_two (a[c], b[c], share), between_two (d[c], e[c], share), lower_share);
    }
  }
}

/* Any number of taps */
template <bool chroma, int width, bool aligned> GST_HIP_INLINE void
take_many (const Scaling & t, const HipScaleAxis & columns, const HipScaleAxis & row_axis, int x, int y,
    float v[4][width])
{
  const int *table = t.table;
  const int row = table[row_axis.first + y];
  int at[width], first[width];

  CV_UNROLL
  for (int i = 0; i < width; i++) {
    at[i] = x + i < columns.count ? x + i : columns.count - 1;
    first[i] = table[columns.first + at[i]];
    CV_UNROLL
    for (int c = 0; c < 4; c++)
      v[c][i] = 0.0f;
  }
  _Pragma ("unroll 1")
  for (int k = 0; k < row_axis.taps; k++) {
    const float share = weight_at (table, row_axis.weight + k * row_axis.count + y);
    float line[4][width] = { { 0.0f, }, };
    Rows rows;

    find_rows<chroma> (t.planes, row + k, rows);
    _Pragma ("unroll 2")
    for (int l = 0; l < columns.taps; l++) {
      CV_UNROLL
      for (int i = 0; i < width; i++) {
        const float w = weight_at (table, columns.weight + l * columns.count + at[i]);
        float sample[4] = { 0.0f, };

        read_sample<chroma, aligned> (t.p, rows, first[i] + l, sample);
        CV_UNROLL
        for (int c = 0; c < 4; c++) {
          if (HAS_COMPONENT (chroma, c))
            line[c][i] += w * sample[c];
        }
      }
    }
    CV_UNROLL
    for (int c = 0; c < 4; c++) {
      CV_UNROLL
      for (int i = 0; i < width; i++)
        v[c][i] += share * line[c][i];
    }
  }
}

/* Samples from x of row y of the output's pixels or, to = 1, of its chroma grid: from pixels, or from chroma */
template <bool chroma, int width, bool aligned> GST_HIP_INLINE void
take (const Scaling & t, int to, int x, int y, float v[4][width])
{
  const int from = chroma ? 1 : 0;
  const HipScaleAxis & columns = t.s.columns[from][to], & rows = t.s.rows[t.field][from][to];

  if (y >= rows.count)
    y = rows.count - 1;
  if (t.s.pairs[from][to])
    take_pairs<chroma, width, aligned> (t, columns, rows, x, y, v);
  else
    take_many<chroma, width, aligned> (t, columns, rows, x, y, v);
}

GST_HIP_INLINE void
clear_pixels (int, float in[4][SPAN])
{
  CV_UNROLL
  for (int c = 0; c < 4; c++) {
    CV_UNROLL
    for (int i = 0; i < SPAN; i++)
      in[c][i] = 0.0f;
  }
}

/* All that pixels are mapped from */
template <bool aligned> GST_HIP_INLINE void
take_pixels (const Scaling & t, int x, int y, int n, float in[4][SPAN])
{
  float v[4][W] = { { 0.0f, }, }, chroma[4][W] = { { 0.0f, }, };

  take<false, W, aligned> (t, 0, x, y, v);
  if (In::sub && t.p.flags & HIP_CONVERT_LUMA_FROM_CHROMA)
    take<true, W, aligned> (t, 0, x, y, chroma);
  CV_UNROLL
  for (int c = 0; c < 4; c++) {
    CV_UNROLL
    for (int i = 0; i < W; i++)
      in[c][i + AT] = In::sub && (c == 1 || c == 2) ? chroma[c][i] : v[c][i];
  }
}

/* Chroma of the output, from x of row y of its grid: from chroma, or from pixels where there is no other */
template <bool aligned> GST_HIP_INLINE void
take_chroma (const Scaling & t, int x, int y, int, float out[2][W / 2])
{
  const HipConvertParams & p = t.p;
  float v[4][W / 2] = { { 0.0f, }, };

  take<In::sub, W / 2, aligned> (t, 1, x, y, v);
  CV_UNROLL
  for (int c = 1; c < 3; c++) {
    const float m0 = In::sub ? 0.0f : p.matrix[c][0], m1 = p.matrix[c][1], m2 = p.matrix[c][2], o = p.offset[c];

    CV_UNROLL
    for (int j = 0; j < W / 2; j++)
      out[c - 1][j] = o + m0 * v[0][j] + m1 * v[1][j] + m2 * v[2][j];
  }
}
