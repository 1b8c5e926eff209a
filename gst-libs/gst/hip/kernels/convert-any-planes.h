/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where the rows of both sides are, for kernels that know any format: addresses
 * are of bytes, so that no stride and no offset is wrong. */
#pragma once

#include "../hip-convert-abi.h"
static_assert (sizeof (HipConvertParams) == HIP_CONVERT_PARAMS_SIZE, "C and kernels agree");

/* The host compiles a kernel into several loops: its body once is enough */
#ifdef GST_HIP_HOST
#define CV_BODY static __noinline__ __device__
#else
#define CV_BODY static __forceinline__ __device__
#endif

struct Planes
{
  const unsigned char *in[4];
  unsigned char *out[4];
  int in_stride[4], out_stride[4];
  int in_rows[4], out_rows[4];
  int height;
};

GST_HIP_INLINE int
cv_bound (int x, int n)
{
  return x < 0 ? 0 : x >= n ? n - 1 : x;
}

GST_HIP_INLINE unsigned
load_word (const unsigned char *p, int bytes)
{
  unsigned v = p[0];

  if (bytes > 1)
    v |= (unsigned) p[1] << 8;
  if (bytes > 2)
    v |= (unsigned) p[2] << 16 | (unsigned) p[3] << 24;
  return v;
}

GST_HIP_INLINE void
store_word (unsigned char *p, unsigned v, int bytes)
{
  p[0] = (unsigned char) v;
  if (bytes > 1)
    p[1] = (unsigned char) (v >> 8);
  if (bytes > 2) {
    p[2] = (unsigned char) (v >> 16);
    p[3] = (unsigned char) (v >> 24);
  }
}

/* Which of the 12 samples of a group of 6 pixels: U Y V Y U Y V Y U Y V Y */
GST_HIP_INLINE int
v210_index (int component, int x)
{
  return component == 0 ? 2 * (x % 6) + 1 : 4 * (x % 3) + (component == 1 ? 0 : 2);
}

/* Of one field, where there are two: its first row, and every other one from there */
GST_HIP_INLINE void
take_field (const HipConvertParams & p, int field, Planes & planes)
{
  planes.height = p.fields == 2 && field == 1 ? p.height - p.odd_row : p.height;
  for (int c = 0; c < 4; c++) {
    planes.in[c] += (long long) field * p.in_stride[c];
    planes.out[c] += (long long) field * p.out_stride[c];
    planes.in_stride[c] = p.in_stride[c] * p.fields;
    planes.out_stride[c] = p.out_stride[c] * p.fields;
    planes.in_rows[c] = (p.in[c].rows - field + p.fields - 1) >> (p.fields - 1);
    planes.out_rows[c] = (p.out[c].rows - field + p.fields - 1) >> (p.fields - 1);
  }
}
