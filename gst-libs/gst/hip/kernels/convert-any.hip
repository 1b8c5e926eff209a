/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Any format to any other, sample by sample: one binary for all pairs.
 *
 * It does what kernels made for pairs of layouts leave out (curves, alpha that
 * is multiplied in), and what none is made for. A thread makes one cell
 * of the output: the pixels of one chroma sample, or of one group of bytes.
 * All addresses are of bytes, so that no stride and no offset is wrong. */
#include "convert-any-read.h"
#include "convert-any-write.h"

/* Sample (x, y) of a grid that the two axes make from component c's */
static __device__ float
resample (const HipConvertParams & p, const Planes & planes, const HipConvertAxis axes[2], int c, int x, int y)
{
  const float *wx = axes[0].weight[x & ((1 << axes[0].up) - 1)], *wy = axes[1].weight[y & ((1 << axes[1].up) - 1)];
  int x0 = ((x >> axes[0].up) << axes[0].down) - 2, y0 = ((y >> axes[1].up) << axes[1].down) - 2;
  float sum = 0.0f;

  for (int j = axes[1].first; j <= axes[1].last; j++) {
    float line = 0.0f;

    if (wy[j] == 0.0f)
      continue;
    for (int i = axes[0].first; i <= axes[0].last; i++) {
      if (wx[i] != 0.0f)
        line += wx[i] * read_sample (p, planes, c, x0 + i, y0 + j);
    }
    sum += wy[j] * line;
  }
  return sum;
}

/* Output codes, not yet rounded, at a pixel */
static __device__ void
convert_pixel (const HipConvertParams & p, const Planes & planes, int x, int y, float out[4])
{
  float v[4], rgb[4];

  for (int c = 0; c < 4; c++)
    v[c] = p.in[c].max == 0 ? 0.0f : (in_is_sub (p, c) ? resample (p, planes, p.to_pixels, c, x, y) :
        read_sample (p, planes, c, x, y)) - p.zero[c];
  if (!(p.flags & (HIP_CONVERT_CURVES | HIP_CONVERT_DIVIDE | HIP_CONVERT_MULTIPLY))) {
    cv_affine (p.matrix, p.offset, v, out);
    return;
  }
  cv_affine (p.matrix, p.offset, v, rgb);
  cv_colour_stage (p, rgb);
  cv_affine (p.from_rgb, p.from_rgb_offset, rgb, out);
}

/* The colour stage is no linear map: pixels are converted, then averaged */
static __device__ void
convert_chroma_of_pixels (const HipConvertParams & p, const Planes & planes, int x, int y, float out[4])
{
  const HipConvertAxis & ax = p.from_pixels[0], & ay = p.from_pixels[1];
  float pixel[4];

  out[1] = out[2] = 0.0f;
  for (int j = ay.first; j <= ay.last; j++) {
    for (int i = ax.first; i <= ax.last; i++) {
      float w = ay.weight[0][j] * ax.weight[0][i];

      if (w == 0.0f)
        continue;
      convert_pixel (p, planes, cv_bound ((x << ax.down) - 2 + i, p.width),
          cv_bound ((y << ay.down) - 2 + j, planes.height), pixel);
      out[1] += w * pixel[1];
      out[2] += w * pixel[2];
    }
  }
}

/* Chroma codes, not yet rounded, at a sample of the output's grid */
static __device__ void
convert_chroma (const HipConvertParams & p, const Planes & planes, int x, int y, float out[4])
{
  float v[4];

  if (p.flags & (HIP_CONVERT_CURVES | HIP_CONVERT_DIVIDE | HIP_CONVERT_MULTIPLY)) {
    convert_chroma_of_pixels (p, planes, x, y, out);
    return;
  }
  for (int c = 0; c < 4; c++) {
    bool used = p.in[c].max && (p.matrix[1][c] != 0.0f || p.matrix[2][c] != 0.0f);

    v[c] = !used ? 0.0f : resample (p, planes, in_is_sub (p, c) ? p.from_chroma : p.from_pixels, c, x, y) - p.zero[c];
  }
  cv_affine (p.matrix, p.offset, v, out);
}

struct SameSize
{
  const HipConvertParams & p;
  const Planes & planes;

  __device__ __forceinline__ void pixel (int x, int y, float v[4]) const { convert_pixel (p, planes, x, y, v); }
  __device__ __forceinline__ void chroma (int x, int y, float v[4]) const { convert_chroma (p, planes, x, y, v); }
  __device__ __forceinline__ bool has_pixel (int, int) const { return true; }
  __device__ __forceinline__ bool has_chroma (int, int) const { return true; }
  __device__ __forceinline__ bool is_whole () const { return true; }
};

extern "C" __global__ void
convert_any (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2, const unsigned char *in3,
    unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3, HipConvertParams p)
{
  const int cx = (int) (blockIdx.x * blockDim.x + threadIdx.x), cy = (int) (blockIdx.y * blockDim.y + threadIdx.y);
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

  take_field (p, (int) blockIdx.z, planes);
  if (cx * p.cell_width >= p.width || cy * p.cell_height >= planes.height)
    return;
  const SameSize source = { p, planes };

  write_cell (source, p, planes, cx, cy);
}
