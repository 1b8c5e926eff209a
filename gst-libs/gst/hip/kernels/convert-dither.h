/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Ordered dither: what is added to a value before it is rounded, by place. */
#pragma once

/* One of 64 steps, each once in a square of 8 by 8 (Bayer): of x alone XOR of y alone */
GST_HIP_INLINE unsigned
cv_dither_of_x (int x)
{
  return (unsigned) ((x & 1) << 5 | (x & 2) << 2 | (x & 4) >> 1);
}

GST_HIP_INLINE unsigned
cv_dither_of_y (int y)
{
  return (unsigned) (3 * ((y & 1) << 4 | (y & 2) << 1 | (y & 4) >> 2));
}

/* Between -0.5 and 0.5, never one of them: whole values stay what they are */
GST_HIP_INLINE float
cv_dither_offset (unsigned step)
{
  return __int_as_float ((int) (0x3f800000u | step << 17)) - (1.5f - 1.0f / 128.0f);
}
