/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Rows of tensors between memory and a tile's samples: the end of
 * convert-tile-layout.h where there are tensors.
 *
 * A tensor's type is known when a kernel is launched. It is asked once for a
 * row, so that no loop over elements has a branch. */
#pragma once

#include "convert-tensor.h"

/* Elements of a type in a row of bytes */
struct TensorFloat32
{
  static constexpr int bytes = 4;
  template <typename R> static __device__ __forceinline__ void
  put (R & raw, cv_index i, float v) { raw.u32 (i, (unsigned) __float_as_int (v)); }
  template <typename R> static __device__ __forceinline__ float
  get (const R & raw, cv_index i) { return __int_as_float ((int) raw.u32 (i)); }
};

struct TensorFloat16
{
  static constexpr int bytes = 2;
  template <typename R> static __device__ __forceinline__ void
  put (R & raw, cv_index i, float v) { raw.u16 (i, gst_hip_f16_from_float (v)); }
  template <typename R> static __device__ __forceinline__ float
  get (const R & raw, cv_index i) { return gst_hip_f16_to_float ((unsigned short) raw.u16 (i)); }
};

struct TensorBfloat16
{
  static constexpr int bytes = 2;
  template <typename R> static __device__ __forceinline__ void
  put (R & raw, cv_index i, float v) { raw.u16 (i, gst_hip_bf16_from_float (v)); }
  template <typename R> static __device__ __forceinline__ float
  get (const R & raw, cv_index i) { return gst_hip_bf16_to_float ((unsigned short) raw.u16 (i)); }
};

template <bool is_signed> struct TensorInteger
{
  static constexpr int bytes = 1;
  template <typename R> static __device__ __forceinline__ void
  put (R & raw, cv_index i, float v) { raw.u8 (i, cv_tensor_integer (v, is_signed)); }
  template <typename R> static __device__ __forceinline__ float
  get (const R & raw, cv_index i)
  {
    return is_signed ? (float) (int) (signed char) raw.u8 (i) : (float) (int) raw.u8 (i);
  }
};

/* f<Type, ...> (...) for the type of the launch */
#define CV_TENSOR_CALL(type, f, arguments)                                      \
  do {                                                                          \
    switch (type) {                                                             \
      case HIP_CONVERT_FLOAT32: f (TensorFloat32) arguments; break;             \
      case HIP_CONVERT_FLOAT16: f (TensorFloat16) arguments; break;             \
      case HIP_CONVERT_BFLOAT16: f (TensorBfloat16) arguments; break;           \
      case HIP_CONVERT_UINT8: f (TensorInteger<false>) arguments; break;        \
      default: f (TensorInteger<true>) arguments; break;                        \
    }                                                                           \
  } while (0)

/* --- writing --- */

template <typename E> GST_HIP_INLINE void
write_channel (const HipConvertTensor & t, int c, unsigned char *to, int n, const float *from)
{
  const float scale = t.scale[c], offset = t.offset[c];
  RawOut<E::bytes * W> raw;

  raw.begin (to);
  CV_FOR (i, W, n) E::put (raw, i, cv_to_element (from[i], scale, offset));
  raw.flush (to, E::bytes * n);
}

/* swap: blue comes first */
template <typename E, int channels> GST_HIP_INLINE void
write_together (const HipConvertTensor & t, bool swap, unsigned char *to, int n, const float from[4][SPAN])
{
  const float first_scale = t.scale[swap ? 2 : 0], first_offset = t.offset[swap ? 2 : 0];
  const float last_scale = t.scale[swap ? 0 : 2], last_offset = t.offset[swap ? 0 : 2];
  const float scale = t.scale[1], offset = t.offset[1], alpha_scale = t.scale[3], alpha_offset = t.offset[3];
  RawOut<channels * E::bytes * W> raw;

  raw.begin (to);
  CV_FOR (i, W, n) {
    float r = from[0][i + AT], b = from[2][i + AT];

    E::put (raw, channels * i, cv_to_element (swap ? b : r, first_scale, first_offset));
    E::put (raw, channels * i + 1, cv_to_element (from[1][i + AT], scale, offset));
    E::put (raw, channels * i + 2, cv_to_element (swap ? r : b, last_scale, last_offset));
    if (channels == 4)
      E::put (raw, channels * i + 3, cv_to_element (from[3][i + AT], alpha_scale, alpha_offset));
  }
  raw.flush (to, channels * E::bytes * n);
}

#define CV_WRITE_CHANNEL(E) write_channel<E>
#define CV_WRITE_THREE(E) write_together<E, 3>
#define CV_WRITE_FOUR(E) write_together<E, 4>

/* n pixels at x of row y */
template <int layout> GST_HIP_INLINE void
write_tensor (const HipConvertParams & p, const Planes & planes, int x, int y, int n, const float from[4][SPAN])
{
  const HipConvertTensor & t = p.tensor;

  if (layout == HIP_CONVERT_TENSOR_PACKED) {
    unsigned char *to = out_row (planes, 0, y) + (long long) p.out[0].step * x;
    const bool swap = p.out[0].offset != 0;

    if (p.out[3].max)
      CV_TENSOR_CALL (t.type, CV_WRITE_FOUR, (t, swap, to, n, from));
    else
      CV_TENSOR_CALL (t.type, CV_WRITE_THREE, (t, swap, to, n, from));
  } else {
    CV_UNROLL
    for (int c = 0; c < 4; c++) {
      if (p.out[c].max) {
        unsigned char *to = out_row (planes, c, y) + (long long) p.out[c].step * x;

        CV_TENSOR_CALL (t.type, CV_WRITE_CHANNEL, (t, c, to, n, from[c] + AT));
      }
    }
  }
}

/* Codes are never passed on as they are */
template <int layout> GST_HIP_INLINE void
write_tensor (const HipConvertParams &, const Planes &, int, int, int, const unsigned short[4][SPAN])
{
}

/* --- reading --- */

template <typename E, int width> GST_HIP_INLINE void
read_channel (const HipConvertTensor & t, int c, const unsigned char *from, int n, float *to)
{
  const float scale = t.scale[c], offset = t.offset[c];
  RawIn<E::bytes * width> raw;

  raw.fetch (from, E::bytes * n);
  CV_FOR (i, width, n) to[i] = cv_from_element (E::get (raw, i), scale, offset);
}

template <typename E, int width, int channels> GST_HIP_INLINE void
read_together (const HipConvertTensor & t, bool swap, const unsigned char *from, int n, float to[4][SPAN], int at)
{
  const float r_scale = t.scale[0], r_offset = t.offset[0], b_scale = t.scale[2], b_offset = t.offset[2];
  const float scale = t.scale[1], offset = t.offset[1], alpha_scale = t.scale[3], alpha_offset = t.offset[3];
  RawIn<channels * E::bytes * width> raw;

  raw.fetch (from, channels * E::bytes * n);
  CV_FOR (i, width, n) {
    float first = E::get (raw, channels * i), last = E::get (raw, channels * i + 2);

    to[0][at + i] = cv_from_element (swap ? last : first, r_scale, r_offset);
    to[1][at + i] = cv_from_element (E::get (raw, channels * i + 1), scale, offset);
    to[2][at + i] = cv_from_element (swap ? first : last, b_scale, b_offset);
    if (channels == 4)
      to[3][at + i] = cv_from_element (E::get (raw, channels * i + 3), alpha_scale, alpha_offset);
  }
}

#define CV_READ_CHANNEL(E) read_channel<E, width>
#define CV_READ_THREE(E) read_together<E, width, 3>
#define CV_READ_FOUR(E) read_together<E, width, 4>

/* Components that a tensor of gray lacks are 0 */
template <int layout, int width> GST_HIP_INLINE void
read_tensor (const HipConvertParams & p, const Planes & planes, int x, int y, int n, float to[4][SPAN], int at)
{
  const HipConvertTensor & t = p.tensor;

  if (layout == HIP_CONVERT_TENSOR_PACKED) {
    const unsigned char *from = in_row (planes, 0, y) + (long long) p.in[0].step * x;
    const bool swap = p.in[0].offset != 0;

    if (p.in[3].max)
      CV_TENSOR_CALL (t.type, CV_READ_FOUR, (t, swap, from, n, to, at));
    else
      CV_TENSOR_CALL (t.type, CV_READ_THREE, (t, swap, from, n, to, at));
  } else {
    CV_UNROLL
    for (int c = 0; c < 4; c++) {
      if (p.in[c].max) {
        const unsigned char *from = in_row (planes, c, y) + (long long) p.in[c].step * x;

        CV_TENSOR_CALL (t.type, CV_READ_CHANNEL, (t, c, from, n, to[c] + at));
      } else {
        CV_FOR (i, width, n) to[c][at + i] = 0.0f;
      }
    }
  }
}

template <int layout, int width> GST_HIP_INLINE void
read_tensor (const HipConvertParams &, const Planes &, int, int, int, unsigned short[4][SPAN], int)
{
}
