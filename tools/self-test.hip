// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// What gst-hip-info runs to see whether a device works. Barrier, shared memory
// and integer arithmetic: every block turns round.

extern "C" __global__ void
self_test (const unsigned *in, unsigned *out, unsigned factor)
{
  __shared__ unsigned block[256];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  block[threadIdx.x] = in[i] * factor;
  __syncthreads ();
  out[i] = block[blockDim.x - 1 - threadIdx.x];
}
