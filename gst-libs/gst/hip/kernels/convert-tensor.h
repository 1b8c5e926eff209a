/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Elements of tensors and the codes that they stand for: of 8 bit, full range,
 * not rounded. */
#pragma once

/* What is not a number is 0 */
GST_HIP_INLINE float
cv_tensor_bound (float code)
{
  code = code > 0.0f ? code : 0.0f;
  return code < 255.0f ? code : 255.0f;
}

GST_HIP_INLINE float
cv_to_element (float code, float scale, float offset)
{
  return cv_tensor_bound (code) * scale + offset;
}

GST_HIP_INLINE float
cv_from_element (float element, float scale, float offset)
{
  return cv_tensor_bound (element * scale + offset);
}

/* To nearest, halves to even; the lowest bits of a two's complement */
GST_HIP_INLINE unsigned
cv_tensor_integer (float element, bool is_signed)
{
  const float low = is_signed ? -128.0f : 0.0f, high = is_signed ? 127.0f : 255.0f;

  element = element > low ? element : low;
  element = element < high ? element : high;
  return (unsigned) __float_as_int (element + 12582912.0f) & 0xffu;
}

GST_HIP_INLINE unsigned
cv_element_bits (int type, float element)
{
  switch (type) {
    case HIP_CONVERT_FLOAT32:
      return (unsigned) __float_as_int (element);
    case HIP_CONVERT_FLOAT16:
      return gst_hip_f16_from_float (element);
    case HIP_CONVERT_BFLOAT16:
      return gst_hip_bf16_from_float (element);
    default:
      return cv_tensor_integer (element, type == HIP_CONVERT_INT8);
  }
}

GST_HIP_INLINE float
cv_element_from_bits (int type, unsigned bits)
{
  switch (type) {
    case HIP_CONVERT_FLOAT32:
      return __int_as_float ((int) bits);
    case HIP_CONVERT_FLOAT16:
      return gst_hip_f16_to_float ((unsigned short) bits);
    case HIP_CONVERT_BFLOAT16:
      return gst_hip_bf16_to_float ((unsigned short) bits);
    case HIP_CONVERT_UINT8:
      return (float) (int) bits;
    default:
      return (float) (int) (signed char) bits;
  }
}
