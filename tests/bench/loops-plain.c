/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The plain C loops that kernels on the host device are compared with: what
 * one would write without GstHip. No source of the build's: bench-loops
 * compiles it with the compiler that compiles the kernels. */
#define FN static inline

#include "loops.h"

void
plain_edge (const unsigned char *restrict in, unsigned char *restrict out,
    int stride, int w, int h, int begin, int end)
{
  for (int y = begin; y < end; y++) {
    for (int x = 0; x < w; x++)
      out[(long) y * stride + x] = loop_edge (in, stride, w, h, x, y);
  }
}

void
plain_contrast (const unsigned char *restrict in, unsigned char *restrict out,
    int stride, int w, int h, int begin, int end)
{
  for (int y = begin; y < end; y++) {
    for (int x = 0; x < w; x++)
      out[(long) y * stride + x] = loop_contrast (in[(long) y * stride + x]);
  }
}
