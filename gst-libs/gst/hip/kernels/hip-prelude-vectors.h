/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Vector types with CUDA's alignments, make_* and dim3 on the host. */
#pragma once

#define GST_HIP_VECTOR(T, name, align2, align4) \
  struct name##1 { T x; }; \
  struct __attribute__ ((aligned (align2))) name##2 { T x, y; }; \
  struct name##3 { T x, y, z; }; \
  struct __attribute__ ((aligned (align4))) name##4 { T x, y, z, w; }; \
  GST_HIP_INLINE constexpr name##1 make_##name##1 (T x) { return { x }; } \
  GST_HIP_INLINE constexpr name##2 make_##name##2 (T x, T y) { return { x, y }; } \
  GST_HIP_INLINE constexpr name##3 make_##name##3 (T x, T y, T z) { return { x, y, z }; } \
  GST_HIP_INLINE constexpr name##4 make_##name##4 (T x, T y, T z, T w) { return { x, y, z, w }; }

GST_HIP_VECTOR (signed char, char, 2, 4)
GST_HIP_VECTOR (unsigned char, uchar, 2, 4)
GST_HIP_VECTOR (short, short, 4, 8)
GST_HIP_VECTOR (unsigned short, ushort, 4, 8)
GST_HIP_VECTOR (int, int, 8, 16)
GST_HIP_VECTOR (unsigned int, uint, 8, 16)
GST_HIP_VECTOR (long, long, 2 * sizeof (long), 16)
GST_HIP_VECTOR (unsigned long, ulong, 2 * sizeof (long), 16)
GST_HIP_VECTOR (long long, longlong, 16, 16)
GST_HIP_VECTOR (unsigned long long, ulonglong, 16, 16)
GST_HIP_VECTOR (float, float, 8, 16)
GST_HIP_VECTOR (double, double, 16, 16)

static_assert (alignof (uchar4) == 4 && alignof (float2) == 8 && alignof (float3) == 4 && sizeof (float3) == 12
    && alignof (float4) == 16 && alignof (double4) == 16 && alignof (longlong3) == 8, "alignments of vector types");

struct dim3
{
  unsigned int x, y, z;

  constexpr dim3 (unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x (x_), y (y_), z (z_) {}
  constexpr dim3 (uint3 v) : x (v.x), y (v.y), z (v.z) {}
  constexpr operator uint3 () const { return { x, y, z }; }
};
