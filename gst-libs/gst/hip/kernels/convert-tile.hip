/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One pair of layouts, fast: HIP_IN and HIP_OUT are values of HIP_CONVERT_*.
 *
 * A tile is one row high, or two where chroma is halved in y. A thread reads
 * samples into arrays by component, maps them, writes them. Chroma in
 * between is filtered with two taps on the way up and three on the way down.
 * Where it is only on the way up, tiles begin at odd rows (the first one at -1):
 * both rows of one then lie between the same two rows of chroma.
 * Component order, depth, matrix and siting are numbers of the launch; chroma
 * of one grid is resampled to another where they differ. What is no affine map
 * is convert-any.hip's. */
#include "convert-tile-short.h"
static_assert (sizeof (HipConvertParams) == HIP_CONVERT_PARAMS_SIZE, "C and kernels agree");

GST_HIP_INLINE void
raise_row (const HipConvertParams & p, const float chroma[3][2][HALF], int r, int nj, float pixels[4][SPAN])
{
  raise_chroma (p, chroma[1], !In::v_sub ? chroma[1] : r == 0 ? chroma[0] : chroma[2], In::v_sub ? r : 0, nj, pixels);
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

/* Row y of the output's chroma, where pixels from x belong to it */
template <typename T> GST_HIP_INLINE void
make_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, int n, T rows[2][4][SPAN], T luma[SPAN])
{
  const int nj = (n + 1) / 2;
  T from[2][W / 2], to[2][W / 2];

  if (Out::packed_422)
    cv_repeat_last<SPAN> (luma, n);
  if (!In::sub) {
    lower_tile (p, planes, x, Out::v_sub ? 2 * y : y, n, rows, luma);
    return;
  }
  if (sizeof (T) == 2 || p.flags & HIP_CONVERT_CHROMA_AS_IS)
    read_chroma_run<W / 2> (p, planes, x / 2, y, nj, from[0], from[1]);
  else
    resample_chroma (p, planes, x / 2, y, nj, from);
  map_chroma (p, from, nj, to);
  dither_chroma (p, planes, x / 2, y, nj, to);
  write_chroma (p, planes, x / 2, y, nj, to, luma);
}

template <typename T> GST_HIP_INLINE void
make_tile (const HipConvertParams & p, const Planes & planes, int x, int y)
{
  const int n = p.width - x < W ? p.width - x : W, nj = (n + 1) / 2;
  T in[2][4][SPAN] CV_ALIGNED, out[4][SPAN] CV_ALIGNED;
  float chroma[3][2][HALF] CV_ALIGNED;
  const bool raise = In::sub && sizeof (T) == 4 && (!Out::sub || p.flags & HIP_CONVERT_LUMA_FROM_CHROMA);

  if (raise && In::v_sub) {
    CV_UNROLL
    for (int k = 0; k < 3; k++)
      read_chroma (p, planes, x / 2, y / 2 + k - 1, nj, chroma[k]);
  }
  CV_UNROLL
  for (int r = 0; r < ROWS; r++) {
    const int row = y + r < planes.height ? y + r : planes.height - 1;

#ifdef CV_LONG_ROWS
    if (sizeof (T) == 2 && In::v_sub && Out::v_sub && In::word == 1 && Out::word == 1 && !p.out[3].max) {
      if (y + r < planes.height)
        __builtin_memcpy (out_row (planes, 0, row) + x, in_row (planes, 0, row) + x, (size_t) n);
      continue;
    }
#endif
    read_pixels<W> (p, planes, x, row, n, in[r], AT);
    if (raise) {
      if (!In::v_sub)
        read_chroma (p, planes, x / 2, row, nj, chroma[1]);
      raise_row (p, chroma, r, nj, in[r]);
    }
    if (y + r < planes.height) {
      map_pixels (p, n, in[r], out);
      dither_pixels (p, planes, x, y + r, n, out);
      write_pixels (p, planes, x, y + r, n, out);
      if (Out::sub && !Out::v_sub)
        make_chroma (p, planes, x, y + r, n, in, out[0]);
    }
  }
  if (Out::v_sub)
    make_chroma (p, planes, x, y / 2, n, in, out[0]);
}

#define BETWEEN (In::v_sub && !Out::sub)

/* Row y, whose chroma lies between nearest and other. upper: 1 where nearest is the row above, else 0. */
GST_HIP_INLINE void
make_row_between (const HipConvertParams & p, const Planes & planes, int x, int y, int upper,
    const float nearest[2][HALF], const float other[2][HALF])
{
  const int n = p.width - x < W ? p.width - x : W, nj = (n + 1) / 2;
  float in[4][SPAN] CV_ALIGNED, out[4][SPAN] CV_ALIGNED;

  if (y < 0 || y >= planes.height)
    return;
  read_pixels<W> (p, planes, x, y, n, in, AT);
  raise_chroma (p, nearest, other, upper, nj, in);
  map_pixels (p, n, in, out);
  dither_pixels (p, planes, x, y, n, out);
  write_pixels (p, planes, x, y, n, out);
}

/* Each row of chroma is read once by a thread */
CV_BODY void
make_tiles_between (const HipConvertParams & p, const Planes & planes, int x, int y)
{
  const int n = p.width - x < W ? p.width - x : W, nj = (n + 1) / 2;
  float chroma[2][2][HALF] CV_ALIGNED;

  read_chroma (p, planes, x / 2, y / 2 - 1, nj, chroma[0]);
  CV_UNROLL
  for (int k = 0; k < COUNT; k++) {
    if (y + 2 * k > planes.height)
      break;
    read_chroma (p, planes, x / 2, y / 2 + k, nj, chroma[(k + 1) % 2]);
    // No loop: compilers leave one alone that has a tensor's types in it, and arrays are no registers then.
    make_row_between (p, planes, x, y + 2 * k - 1, 1, chroma[k % 2], chroma[(k + 1) % 2]);
    make_row_between (p, planes, x, y + 2 * k, 0, chroma[(k + 1) % 2], chroma[k % 2]);
  }
}

CV_BODY void
make_tiles (const HipConvertParams & p, const Planes & planes, int x, int y)
{
  const bool as_are = p.flags & HIP_CONVERT_CODES_AS_ARE, as_is = p.flags & HIP_CONVERT_CHROMA_AS_IS;

  for (int k = 0; k < COUNT && y < planes.height; k++, y += ROWS) {
    if (In::packed == 4 && Out::packed == 4 && as_are)
      move_bytes (p, planes, x, y, p.width - x < W ? p.width - x : W);
    else if (In::sub == Out::sub && !In::tensor && !Out::tensor && as_are && (!In::sub || as_is))
      make_tile<unsigned short> (p, planes, x, y);
    else
      make_tile<float> (p, planes, x, y);
  }
}

GST_HIP_INLINE void
run_thread (const HipConvertParams & p, Planes & planes)
{
  const int x = (int) (blockIdx.x * blockDim.x + threadIdx.x) * W;
  const int y = (int) (blockIdx.y * blockDim.y + threadIdx.y) * ROWS * COUNT;
  const int field = (int) blockIdx.z;

  planes.height = p.fields == 2 && field == 1 ? p.height - p.odd_row : p.height;
  if (x >= p.width || y >= planes.height + (BETWEEN ? 1 : 0))
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
#if HAS_SHORTS
  ShortMap shorts;

  if (short_map (p, shorts)) {
    short_tiles_between (p, shorts, planes, x, y);
    return;
  }
#endif
  if (BETWEEN)
    make_tiles_between (p, planes, x, y);
  else
    make_tiles (p, planes, x, y);
}

/* What does not dither, on a GPU; all that there is, on the host */
extern "C" __global__ void
convert_tile (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2, const unsigned char *in3,
    unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3, HipConvertParams p)
{
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

#ifdef CV_LONG_ROWS
  planes.dither = p.flags & HIP_CONVERT_DITHER;
#else
  planes.dither = false;
#endif
  run_thread (p, planes);
}

#if !defined (CV_LONG_ROWS) && !HIP_CONVERT_IS_TENSOR (HIP_OUT)
extern "C" __global__ void
convert_tile_dither (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2,
    const unsigned char *in3, unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3,
    HipConvertParams p)
{
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

  planes.dither = true;
  run_thread (p, planes);
}
#endif
