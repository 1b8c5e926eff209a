/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Samples of any format, one at a time, as codes. */
#pragma once

#include "convert-any-planes.h"
#include "convert-tensor.h"

/* Samples are read in many places of the compiled kernel: these are there once */
static __noinline__ __device__ float
code_from_element (const HipConvertTensor & t, int c, unsigned bits)
{
  return cv_from_element (cv_element_from_bits (t.type, bits), t.scale[c], t.offset[c]);
}

static __device__ float
read_sample (const HipConvertParams & p, const Planes & planes, int c, int x, int y)
{
  const HipConvertSamples & s = p.in[c];
  const unsigned char *row;
  unsigned word;

  x = cv_bound (x, s.columns);
  y = cv_bound (y, planes.in_rows[c]);
  row = planes.in[c] + (long long) y * planes.in_stride[c];
  if (p.in_layout == HIP_CONVERT_V210) {
    int i = v210_index (c, x);

    word = load_word (row + 16ll * (x / (c == 0 ? 6 : 3)) + 4 * (i / 3), 4) >> (10 * (i % 3));
  } else {
    word = load_word (row + s.offset + (long long) s.step * x, p.in_word) >> s.shift;
    if (HIP_CONVERT_IS_TENSOR (p.in_layout))
      return code_from_element (p.tensor, c, word);
  }
  return (float) (word & (unsigned) s.max);
}

GST_HIP_INLINE bool
in_is_sub (const HipConvertParams & p, int c)
{
  return p.in[c].w_sub || p.in[c].h_sub;
}
