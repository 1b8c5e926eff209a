// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// The kernels that bench-loops compares with plain C: written as a user would,
// one pixel a thread, and one (wide) as the library's own are, 64 a thread.
#define FN static __device__ inline

#include "loops.h"

extern "C" __global__ void
edge (const unsigned char *in, unsigned char *out, int stride, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[(long) y * stride + x] = loop_edge (in, stride, w, h, x, y);
}

extern "C" __global__ void
contrast (const unsigned char *in, unsigned char *out, int stride, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[(long) y * stride + x] = loop_contrast (in[(long) y * stride + x]);
}

extern "C" __global__ void
contrast_wide (const unsigned char *in, unsigned char *out, int stride, int w,
    int h)
{
  int x = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;

  const unsigned char *from = in + (long) y * stride + x;
  unsigned char *to = out + (long) y * stride + x;
  if (x + 64 > w) {
    for (int i = 0; i < w - x; i++)
      to[i] = loop_contrast (from[i]);
    return;
  }
  unsigned char pixels[64];
  for (int i = 0; i < 64; i++)
    pixels[i] = loop_contrast (from[i]);
  for (int i = 0; i < 64; i++)
    to[i] = pixels[i];
}
