/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Any format from codes that are not yet rounded, a cell at a time: the pixels
 * of one chroma sample, or of one group of bytes.
 *
 * Where codes come from is a struct of the kernel's with these functions:
 *   pixel (x, y, v): those of a pixel
 *   chroma (x, y, v): those of a sample of the chroma grid, in v[1] and v[2]
 *   has_pixel (x, y), has_chroma (x, y): whether it is written at all
 *   is_whole (): whether all are */
#pragma once

#include "convert-any-planes.h"
#include "convert-colour.h"
#include "convert-dither.h"
#include "convert-tensor.h"

static __noinline__ __device__ unsigned
element_from_code (const HipConvertTensor & t, int c, float code)
{
  return cv_element_bits (t.type, cv_to_element (code, t.scale[c], t.offset[c]));
}

GST_HIP_INLINE unsigned
round_code (const HipConvertParams & p, int c, float value, int x, int y)
{
  if (p.flags & HIP_CONVERT_DITHER) {
    const float amount = p.dither_mask >> c & 1 ? cv_dither_offset (cv_dither_of_x (x) ^ cv_dither_of_y (y)) : 0.0f;

    value = cv_clamp (value / p.quantum[c] + amount, 0.0f, p.most_quanta[c]);
    return (unsigned) __float2int_rn (value) * (unsigned) p.quantum[c];
  }
  return (unsigned) __float2int_rn (cv_clamp (value, 0.0f, (float) p.out[c].max));
}

GST_HIP_INLINE unsigned char *
out_row (const Planes & planes, int c, int y)
{
  return planes.out[c] + (long long) y * planes.out_stride[c];
}

/* Samples past the picture in a group of bytes that the picture began repeat the last; those without bytes are left out */
static __device__ void
write_sample (const HipConvertParams & p, const Planes & planes, int c, int x, int y, unsigned code)
{
  const HipConvertSamples & s = p.out[c];
  int at = s.offset + s.step * x;

  if (at + p.out_word <= p.out_row_bytes[c])
    store_word (out_row (planes, c, y) + at, code << s.shift, p.out_word);
}

GST_HIP_INLINE bool
out_is_sub (const HipConvertParams & p, int c)
{
  return p.out[c].w_sub || p.out[c].h_sub;
}

/* A pixel whose samples share one word */
static __device__ void
write_fields (const HipConvertParams & p, const Planes & planes, int x, int y, const float v[4])
{
  unsigned word = 0;

  for (int c = 0; c < 4; c++) {
    if (p.out[c].max)
      word |= round_code (p, c, v[c], x, y) << p.out[c].shift;
  }
  store_word (out_row (planes, 0, y) + (long long) p.out[0].step * x, word, p.out_word);
}

static __device__ void
write_pixel (const HipConvertParams & p, const Planes & planes, int x, int y, const float v[4])
{
  if (p.out_layout == HIP_CONVERT_FIELDS_32 || p.out_layout == HIP_CONVERT_FIELDS_16) {
    write_fields (p, planes, x, y, v);
    return;
  }
  if (HIP_CONVERT_IS_TENSOR (p.out_layout)) {
    for (int c = 0; c < 4; c++) {
      if (p.out[c].max)
        write_sample (p, planes, c, x, y, element_from_code (p.tensor, c, v[c]));
    }
    return;
  }
  for (int c = 0; c < 4; c++) {
    if (p.out[c].max && !out_is_sub (p, c))
      write_sample (p, planes, c, x, y, round_code (p, c, v[c], x, y));
  }
  /* The unused byte of a pixel */
  if (p.out_layout == HIP_CONVERT_PACKED_4 && p.out[3].max == 0)
    out_row (planes, 0, y)[4ll * x + 6 - p.out[0].offset - p.out[1].offset - p.out[2].offset] = 255;
}

/* One of the three samples of a word */
GST_HIP_INLINE void
put_v210 (unsigned words[4], int i, unsigned code)
{
  const int shift = 10 * (i % 3);

  words[i / 3] = (words[i / 3] & ~(1023u << shift)) | code << shift;
}

/* Codes are asked for in one place each for pixels and for chroma: what makes them is compiled into it */
template <typename Source> CV_BODY void
write_cell (const Source & source, const HipConvertParams & p, const Planes & planes, int cx, int cy)
{
  const int x0 = cx * p.cell_width, y0 = cy * p.cell_height;
  const bool v210 = p.out_layout == HIP_CONVERT_V210;
  const bool whole = v210 || p.out_layout == HIP_CONVERT_PACKED_422 || p.out_layout == HIP_CONVERT_PACKED_422_16;
  const int n_chroma = v210 ? 3 : 1;
  unsigned char *group = out_row (planes, 0, y0) + 16ll * cx;
  unsigned words[4] = { 0, 0, 0, 0 };
  float v[4];

  for (int k = 0; k < 4 && v210 && !source.is_whole (); k++)
    words[k] = load_word (group + 4 * k, 4);
  for (int y = y0; y < y0 + p.cell_height && y < planes.height; y++) {
    for (int x = x0; x < x0 + p.cell_width && (whole || x < p.width); x++) {
      const int px = cv_bound (x, p.width);

      if (!source.has_pixel (px, y))
        continue;
      source.pixel (px, y, v);
      if (v210)
        put_v210 (words, v210_index (0, x - x0), round_code (p, 0, v[0], px, y));
      else
        write_pixel (p, planes, x, y, v);
    }
  }
  for (int k = 0; k < n_chroma && out_is_sub (p, 1) && p.out[1].max; k++) {
    const int x = v210 ? cv_bound (3 * cx + k, p.out[1].columns) : cx;

    if (!source.has_chroma (x, cy))
      continue;
    source.chroma (x, cy, v);
    for (int c = 1; c < 3; c++) {
      if (v210)
        put_v210 (words, v210_index (c, k), round_code (p, c, v[c], x, cy));
      else if (x < p.out[c].columns && cy < planes.out_rows[c])
        write_sample (p, planes, c, x, cy, round_code (p, c, v[c], x, cy));
    }
  }
  for (int k = 0; k < 4 && v210; k++)
    store_word (group + 4 * k, words[k], 4);
}
