/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Any format and size to any other, sample by sample: one binary for all.
 *
 * Filters are a table that was made once. A thread makes one cell of the output,
 * in one pass, or in two where filters are long: rows of the input become as long
 * as those of the output first (convert_scale_rows: floats between the passes),
 * then columns do (convert_scale_columns). */
#include "convert-any-read.h"
#include "convert-any-write.h"
#include "../hip-scale-abi.h"
static_assert (sizeof (HipScaleParams) == HIP_SCALE_PARAMS_SIZE, "C and kernels agree");

/* Loops whose body is much code, which is compiled once */
#ifdef GST_HIP_HOST
#define SCALE_ONCE
#else
#define SCALE_ONCE _Pragma ("unroll 1")
#endif

GST_HIP_INLINE float
weight_at (const int *table, int at)
{
  return __int_as_float (table[at]);
}

/* Sample j of a row that the axis makes from component c's row y */
GST_HIP_INLINE float
scale_row (const HipConvertParams & p, const Planes & planes, const int *table, const HipScaleAxis & axis, int c,
    int j, int y)
{
  const int first = table[axis.first + j];
  float sum = 0.0f;

  for (int k = 0; k < axis.taps; k++)
    sum += weight_at (table, axis.weight + k * axis.count + j) * read_sample (p, planes, c, first + k, y);
  return sum;
}

/* Codes of the output from the frame itself, or from rows that are scaled already */
template <bool two_passes> struct Scaled
{
  const HipConvertParams & p;
  const HipScaleParams & s;
  const Planes & planes;
  const int *table;
  const float *between;
  int field;

  /* The field's rows that are made */
  __device__ __forceinline__ int first_row () const { return p.fields == 2 ? (s.begin[1] - field + 1) >> 1 : s.begin[1]; }
  __device__ __forceinline__ int end_row () const { return p.fields == 2 ? (s.end[1] - field + 1) >> 1 : s.end[1]; }

  __device__ __forceinline__ bool
  is_made (int x, int y) const
  {
    return x >= s.begin[0] && x < s.end[0] && y >= first_row () && y < end_row ();
  }

  /* A chroma sample belongs to the pixel in which it stands */
  __device__ __forceinline__ bool
  is_chroma_made (int x, int y) const
  {
    return is_made (min ((x << p.out[1].w_sub) + s.site[0], p.width - 1),
        min ((y << p.out[1].h_sub) + s.site[1], planes.height - 1));
  }

  __device__ __forceinline__ bool has_pixel (int x, int y) const { return s.fill || is_made (x, y); }
  __device__ __forceinline__ bool has_chroma (int x, int y) const { return s.fill || is_chroma_made (x, y); }
  __device__ __forceinline__ bool is_whole () const { return s.fill; }

  __device__ __forceinline__ void
  set_border (float v[4]) const
  {
    for (int c = 0; c < 4; c++)
      v[c] = s.border[c];
  }

  /* Component c at sample (x, y) of the output's pixels or, to = 1, of its chroma grid */
  __device__ float
  take (int c, int to, int x, int y) const
  {
    const int from = in_is_sub (c);
    const HipScaleAxis & columns = s.columns[from][to], & rows = s.rows[field][from][to];
    const int i = min (s.transpose ? y : x, columns.count - 1), j = min (s.transpose ? x : y, rows.count - 1);
    const int first = table[rows.first + j];
    float sum = 0.0f;

    for (int k = 0; k < rows.taps; k++) {
      const float w = weight_at (table, rows.weight + k * rows.count + j);
      float v;

      if (two_passes)
        v = between[s.between_at[to][c] + (long long) s.between_stride[to] * ((first + k) * p.fields + field) + i];
      else
        v = scale_row (p, planes, table, columns, c, i, first + k);
      sum += w * v;
    }
    return sum;
  }

  __device__ __forceinline__ int in_is_sub (int c) const { return p.in[c].w_sub || p.in[c].h_sub ? 1 : 0; }
  __device__ __forceinline__ bool has_stage () const
  {
    return p.flags & (HIP_CONVERT_CURVES | HIP_CONVERT_DIVIDE | HIP_CONVERT_MULTIPLY);
  }

  /* The affine map of what component c gives, added to out. In a loop that is left as it is, since reading samples of
   * any format is much code. */
  template <bool chroma> __device__ __forceinline__ void
  take_all (int x, int y, float out[4]) const
  {
    for (int i = 0; i < 4; i++)
      out[i] = p.offset[i];
    SCALE_ONCE
    for (int c = 0; c < 4; c++) {
      const bool used = p.in[c].max && (chroma ? p.matrix[1][c] != 0.0f || p.matrix[2][c] != 0.0f :
          !in_is_sub (c) || p.flags & HIP_CONVERT_LUMA_FROM_CHROMA);

      if (used) {
        const float v = take (c, chroma ? 1 : 0, x, y) - p.zero[c];

        for (int i = 0; i < 4; i++)
          out[i] += p.matrix[i][c] * v;
      }
    }
  }

  __device__ __forceinline__ void
  make_pixel (int x, int y, float out[4]) const
  {
    float rgb[4];

    take_all<false> (x, y, rgb);
    if (has_stage ()) {
      cv_colour_stage (p, rgb);
      cv_affine (p.from_rgb, p.from_rgb_offset, rgb, out);
    } else {
      for (int i = 0; i < 4; i++)
        out[i] = rgb[i];
    }
  }

  /* The colour stage is no linear map: pixels are converted, then averaged */
  __device__ void
  average_pixels (int x, int y, float out[4]) const
  {
    const HipConvertAxis & ax = p.from_pixels[0], & ay = p.from_pixels[1];
    float pixel[4];

    out[1] = out[2] = 0.0f;
    SCALE_ONCE
    for (int j = ay.first; j <= ay.last; j++) {
      SCALE_ONCE
      for (int i = ax.first; i <= ax.last; i++) {
        const float w = ay.weight[0][j] * ax.weight[0][i];
        const int px = min (max ((x << ax.down) - 2 + i, s.begin[0]), s.end[0] - 1);
        const int py = min (max ((y << ay.down) - 2 + j, first_row ()), end_row () - 1);

        if (w == 0.0f)
          continue;
        make_pixel (px, py, pixel);
        out[1] += w * pixel[1];
        out[2] += w * pixel[2];
      }
    }
  }

  __device__ void
  pixel (int x, int y, float out[4]) const
  {
    if (is_made (x, y))
      make_pixel (x, y, out);
    else
      set_border (out);
  }

  __device__ void
  chroma (int x, int y, float out[4]) const
  {
    if (!is_chroma_made (x, y)) {
      set_border (out);
      return;
    }
    if (has_stage ())
      average_pixels (x, y, out);
    else
      take_all<true> (x, y, out);
  }
};

template <bool two_passes> GST_HIP_INLINE void
make_cell (const HipConvertParams & p, const HipScaleParams & s, Planes & planes, const int *table,
    const float *between, int cx, int cy, int field)
{
  take_field (p, field, planes);
  if (cx * p.cell_width >= p.width || cy * p.cell_height >= planes.height)
    return;
  const Scaled<two_passes> source = { p, s, planes, table, between, field };

  write_cell (source, p, planes, cx, cy);
}

extern "C" __global__ void
convert_scale (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2, const unsigned char *in3,
    unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3, const int *table,
    HipConvertParams p, HipScaleParams s)
{
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

  make_cell<false> (p, s, planes, table, 0, (int) (blockIdx.x * blockDim.x + threadIdx.x),
      (int) (blockIdx.y * blockDim.y + threadIdx.y), (int) blockIdx.z);
}

/* A thread makes sample x of row y of all components */
extern "C" __global__ void
convert_scale_rows (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2,
    const unsigned char *in3, float *between, const int *table, HipConvertParams p, HipScaleParams s)
{
  const int x = (int) (blockIdx.x * blockDim.x + threadIdx.x), y = (int) (blockIdx.y * blockDim.y + threadIdx.y);
  Planes planes = { { in0, in1, in2, in3 } };

  for (int c = 0; c < 4; c++) {
    planes.in_stride[c] = p.in_stride[c];
    planes.in_rows[c] = p.in[c].rows;
  }
  SCALE_ONCE
  for (int to = 0; to < 2; to++) {
    SCALE_ONCE
    for (int c = 0; c < 4; c++) {
      const HipScaleAxis & axis = s.columns[p.in[c].w_sub || p.in[c].h_sub ? 1 : 0][to];
      const int at = s.between_at[to][c];

      if (at != HIP_SCALE_NONE && x < axis.count && y < p.in[c].rows)
        between[at + (long long) s.between_stride[to] * y + x] = scale_row (p, planes, table, axis, c, x, y);
    }
  }
}

extern "C" __global__ void
convert_scale_columns (const float *between, unsigned char *out0, unsigned char *out1, unsigned char *out2,
    unsigned char *out3, const int *table, HipConvertParams p, HipScaleParams s)
{
  Planes planes = { { 0, 0, 0, 0 }, { out0, out1, out2, out3 } };

  make_cell<true> (p, s, planes, table, between, (int) (blockIdx.x * blockDim.x + threadIdx.x),
      (int) (blockIdx.y * blockDim.y + threadIdx.y), (int) blockIdx.z);
}
