/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the example `lut` is compared with: its own functions, block of 2x2
 * pixels by block, in a loop. No source of the build's: bench-loops compiles it
 * with the compiler that compiles the kernel. The keywords that the prelude
 * gives a kernel are none here. */
#define __global__ inline
#define __device__
#define __constant__ static const

#include "../../gst-libs/gst/hip/gsthip-kernel-abi.h"

/* Nobody calls the kernel itself here. */
static const struct { int x, y; } blockIdx = { 0, 0 }, blockDim = { 0, 0 }, threadIdx = { 0, 0 };

#include "../../examples/kernels/lut.hip"

extern "C" void
plain_lut (const unsigned char *in, unsigned char *out, int stride, int w, int h, int begin, int end)
{
  GstHipFrame from = { { (unsigned char *) in, (unsigned char *) in + (long) stride * h }, { stride, stride }, w, h,
    GST_HIP_FORMAT_NV12, 2, GST_HIP_MATRIX_BT709, GST_HIP_RANGE_LIMITED };
  GstHipFrame to = from;

  to.data[0] = out;
  to.data[1] = out + (long) stride * h;
  for (int y = begin; y < end; y += 2) {
    for (int x = 0; x < w; x += 2)
      yuv_block (from, to, x, y, 256);
  }
}
