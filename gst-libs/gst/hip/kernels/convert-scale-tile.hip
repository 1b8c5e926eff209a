/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One pair of layouts of any two sizes, fast: HIP_IN and HIP_OUT are values of
 * HIP_CONVERT_*.
 *
 * A thread makes a tile of the output: samples of the input are weighed by the
 * tables of hip-scale-abi.h (convert-scale-taps.h as a GPU does it,
 * convert-scale-lines.h as a CPU does), then colour is mapped and bytes are
 * written as convert-tile.hip does. Mirrored frames, rectangles and fields are in
 * the tables. Turned frames, and those that must not be written as a whole, are
 * convert-scale.hip's, and so is what is no affine map. */
#include "../hip-scale-abi.h"

/* On a GPU: two pixels, and two rows where chroma is halved in y. A frame of
 * 640x640 is 205,000 threads then, where an H200 holds 150,000 of 56 registers at
 * a time, so that every unit is full and waits for as much memory as it can; four
 * pixels would be half of them, each waiting for twice as many loads, eight would
 * leave units without work. Neighbouring
 * threads read bytes that lie 2 * ratio apart, so that a load of a warp touches
 * one or two lines at ratios up to 3, and what they write is side by side. Samples'
 * places and weights come in one load of 16 bytes for both pixels. */
#ifndef HIP_CONVERT_GPU_TILE_WIDTH
#define HIP_CONVERT_GPU_TILE_WIDTH HIP_SCALE_GPU_TILE_WIDTH
#endif
#define CV_BORDERS 1
#include "convert-tile-map.h"
static_assert (sizeof (HipConvertParams) == HIP_CONVERT_PARAMS_SIZE, "C and kernels agree");
static_assert (sizeof (HipScaleParams) == HIP_SCALE_PARAMS_SIZE, "C and kernels agree");

/* What a launch is called with */
struct Scaling
{
  const HipConvertParams & p;
  const HipScaleParams & s;
  const Planes & planes;
  const int *table;
  int field;
};

GST_HIP_INLINE float
weight_at (const int *table, int at)
{
  return __int_as_float (table[at]);
}

#ifdef CV_LONG_ROWS
#include "convert-scale-lines.h"
#else
#include "convert-scale-taps.h"
#endif

/* The field's rows that are made */
GST_HIP_INLINE bool
is_row_made (const Scaling & t, int y)
{
  const int fields = t.p.fields, at = y * fields + t.field;

  return at >= t.s.begin[1] && at < t.s.end[1];
}

/* Borders of n pixels from x of row y */
GST_HIP_INLINE void
frame_pixels (const Scaling & t, int x, int y, int n, float v[4][SPAN])
{
  const bool row = is_row_made (t, y);
  const int begin = row ? t.s.begin[0] - x : n, end = row ? t.s.end[0] - x : n;

  if (begin <= 0 && end >= n)
    return;
  CV_UNROLL
  for (int c = 0; c < 4; c++) {
    const float border = t.s.border[c];

    if (c == 3 && !t.p.out[3].max)
      break;
    CV_FOR (i, W, n) v[c][i + AT] = i >= begin && i < end ? v[c][i + AT] : border;
  }
}

/* Chroma belongs to the pixel in which it stands */
GST_HIP_INLINE void
frame_chroma (const Scaling & t, int x, int y, int n, float v[2][W / 2])
{
  const int last = t.p.width - 1, bottom = t.planes.height - 1;
  const int row = Out::v_sub ? 2 * y + t.s.site[1] : y;
  const bool made = is_row_made (t, row < bottom ? row : bottom);
  const int begin = t.s.begin[0], end = t.s.end[0], site = t.s.site[0];

  if (made && begin <= 0 && end > last)
    return;
  CV_UNROLL
  for (int c = 0; c < 2; c++) {
    const float border = t.s.border[c + 1];

    CV_FOR (j, W / 2, n) {
      const int at = 2 * (x + (int) j) + site, px = at < last ? at : last;

      v[c][j] = made && px >= begin && px < end ? v[c][j] : border;
    }
  }
}

/* Row y of chroma, where pixels from x belong to it; luma: those pixels, in packed 4:2:2 */
template <bool aligned> GST_HIP_INLINE void
make_chroma (const Scaling & t, int x, int y, int n, float luma[SPAN])
{
  const HipConvertParams & p = t.p;
  const int nj = (n + 1) / 2;
  float out[2][W / 2];

  if (y >= t.planes.out_rows[1])
    return;
  take_chroma<aligned> (t, x / 2, y, nj, out);
  frame_chroma (t, x / 2, y, nj, out);
  dither_chroma (p, t.planes, x / 2, y, nj, out);
  if (Out::packed_422)
    cv_repeat_last<SPAN> (luma, n);
  write_chroma (p, t.planes, x / 2, y, nj, out, luma);
}

template <bool aligned> CV_BODY void
make_tile (const Scaling & t, int x, int y)
{
  const HipConvertParams & p = t.p;
  const int n = p.width - x < W ? p.width - x : W;
  float in[4][SPAN] CV_ALIGNED, out[4][SPAN] CV_ALIGNED;

  CV_UNROLL
  for (int r = 0; r < (Out::v_sub ? 2 : 1); r++) {
    if (y + r < t.planes.height) {
      if (is_row_made (t, y + r))
        take_pixels<aligned> (t, x, y + r, n, in);
      else
        clear_pixels (n, in);
      map_pixels (p, n, in, out);
      frame_pixels (t, x, y + r, n, out);
      dither_pixels (p, t.planes, x, y + r, n, out);
      write_pixels (p, t.planes, x, y + r, n, out);
    }
  }
  if (Out::sub)
    make_chroma<aligned> (t, x, Out::v_sub ? y / 2 : y, n, out[0]);
}

GST_HIP_INLINE void
run_thread (const HipConvertParams & p, const HipScaleParams & s, Planes & planes, const int *table)
{
  const int x = (int) (blockIdx.x * blockDim.x + threadIdx.x) * W;
  const int y = (int) (blockIdx.y * blockDim.y + threadIdx.y) * (Out::v_sub ? 2 : 1);
  const int field = (int) blockIdx.z;

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
  const Scaling t = { p, s, planes, table, field };

  if (is_aligned (planes))
    make_tile<true> (t, x, y);
  else
    make_tile<false> (t, x, y);
}

/* What does not dither, on a GPU; all that there is, on the host */
extern "C" __global__ void
convert_scale_tile (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2,
    const unsigned char *in3, unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3,
    const int *table, HipConvertParams p, HipScaleParams s)
{
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

#ifdef CV_LONG_ROWS
  planes.dither = p.flags & HIP_CONVERT_DITHER;
#else
  planes.dither = false;
#endif
  run_thread (p, s, planes, table);
}

#if !defined (CV_LONG_ROWS) && !HIP_CONVERT_IS_TENSOR (HIP_OUT)
extern "C" __global__ void
convert_scale_tile_dither (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2,
    const unsigned char *in3, unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3,
    const int *table, HipConvertParams p, HipScaleParams s)
{
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

  planes.dither = true;
  run_thread (p, s, planes, table);
}
#endif
