/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Any format to any other, sample by sample: one binary for all pairs.
 *
 * It does what kernels made for pairs of layouts leave out (curves, alpha that
 * is multiplied in, dither), and what none is made for. A thread makes one cell
 * of the output: the pixels of one chroma sample, or of one group of bytes.
 * All addresses are of bytes, so that no stride and no offset is wrong. */
#include "../hip-convert-abi.h"
static_assert (sizeof (HipConvertParams) == HIP_CONVERT_PARAMS_SIZE, "C and kernels agree");
#include "convert-colour.h"
#include "convert-tensor.h"

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

/* Samples are read in many places of the compiled kernel: these are there once */
static __noinline__ __device__ float
code_from_element (const HipConvertTensor & t, int c, unsigned bits)
{
  return cv_from_element (cv_element_from_bits (t.type, bits), t.scale[c], t.offset[c]);
}

static __noinline__ __device__ unsigned
element_from_code (const HipConvertTensor & t, int c, float code)
{
  return cv_element_bits (t.type, cv_to_element (code, t.scale[c], t.offset[c]));
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

GST_HIP_INLINE bool
in_is_sub (const HipConvertParams & p, int c)
{
  return p.in[c].w_sub || p.in[c].h_sub;
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

/* --- the other side --- */

/* Of 64 thresholds between 0 and 1, each once in a square of 8 by 8 (Bayer) */
GST_HIP_INLINE float
dither_threshold (int x, int y)
{
  int m = 0;

  for (int i = 0; i < 3; i++)
    m |= (((x ^ y) >> i & 1) << 1 | (y >> i & 1)) << (2 * (2 - i));
  return ((float) m + 0.5f) / 64.0f;
}

GST_HIP_INLINE unsigned
round_code (const HipConvertParams & p, int c, float value, int x, int y)
{
  value = cv_clamp (value, 0.0f, (float) p.out[c].max);
  if (p.dither_mask >> c & 1) {
    int code = (int) (value + dither_threshold (x, y));

    return (unsigned) min (code, p.out[c].max);
  }
  return (unsigned) __float2int_rn (value);
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

static __device__ void
write_v210 (const HipConvertParams & p, const Planes & planes, int x, int y)
{
  unsigned words[4] = { 0, 0, 0, 0 };
  float v[4];

  for (int k = 0; k < 6; k++) {
    int px = cv_bound (x + k, p.width), i = v210_index (0, k);

    convert_pixel (p, planes, px, y, v);
    words[i / 3] |= round_code (p, 0, v[0], px, y) << (10 * (i % 3));
  }
  for (int k = 0; k < 3; k++) {
    int cx = cv_bound (x / 2 + k, p.out[1].columns);

    convert_chroma (p, planes, cx, y, v);
    for (int c = 1; c < 3; c++) {
      int i = v210_index (c, k);

      words[i / 3] |= round_code (p, c, v[c], cx, y) << (10 * (i % 3));
    }
  }
  for (int k = 0; k < 4; k++)
    store_word (out_row (planes, 0, y) + 16ll * (x / 6) + 4 * k, words[k], 4);
}

CV_BODY void
convert_cell (const HipConvertParams & p, const Planes & planes, int cx, int cy)
{
  const int x0 = cx * p.cell_width, y0 = cy * p.cell_height;
  const bool whole = p.out_layout == HIP_CONVERT_PACKED_422 || p.out_layout == HIP_CONVERT_PACKED_422_16;
  float v[4];

  if (p.out_layout == HIP_CONVERT_V210) {
    write_v210 (p, planes, x0, y0);
    return;
  }
  for (int y = y0; y < y0 + p.cell_height && y < planes.height; y++) {
    for (int x = x0; x < x0 + p.cell_width && (whole || x < p.width); x++) {
      convert_pixel (p, planes, cv_bound (x, p.width), y, v);
      write_pixel (p, planes, x, y, v);
    }
  }
  if (!out_is_sub (p, 1) || !p.out[1].max)
    return;
  convert_chroma (p, planes, cx, cy, v);
  for (int c = 1; c < 3; c++) {
    if (cx < p.out[c].columns && cy < planes.out_rows[c])
      write_sample (p, planes, c, cx, cy, round_code (p, c, v[c], cx, cy));
  }
}

extern "C" __global__ void
convert_any (const unsigned char *in0, const unsigned char *in1, const unsigned char *in2, const unsigned char *in3,
    unsigned char *out0, unsigned char *out1, unsigned char *out2, unsigned char *out3, HipConvertParams p)
{
  const int cx = (int) (blockIdx.x * blockDim.x + threadIdx.x), cy = (int) (blockIdx.y * blockDim.y + threadIdx.y);
  const int field = (int) blockIdx.z;
  Planes planes = { { in0, in1, in2, in3 }, { out0, out1, out2, out3 } };

  planes.height = p.fields == 2 && field == 1 ? p.height - p.odd_row : p.height;
  if (cx * p.cell_width >= p.width || cy * p.cell_height >= planes.height)
    return;
  for (int c = 0; c < 4; c++) {
    planes.in[c] += (long long) field * p.in_stride[c];
    planes.out[c] += (long long) field * p.out_stride[c];
    planes.in_stride[c] = p.in_stride[c] * p.fields;
    planes.out_stride[c] = p.out_stride[c] * p.fields;
    planes.in_rows[c] = (p.in[c].rows - field + p.fields - 1) >> (p.fields - 1);
    planes.out_rows[c] = (p.out[c].rows - field + p.fields - 1) >> (p.fields - 1);
  }
  convert_cell (p, planes, cx, cy);
}
