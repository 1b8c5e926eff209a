/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The arithmetic of bench-loops, once for both sides: the plain C loops and the
 * kernels include it, so the two differ in nothing but who counts the pixels.
 * FN is how each side declares a function. C that is C++ too. */

/* Sobel on 8 bits; pixels outside repeat the border. */
FN int
loop_clamp (int x, int n)
{
  return x < 0 ? 0 : x >= n ? n - 1 : x;
}

FN unsigned char
loop_edge (const unsigned char *in, int stride, int w, int h, int x, int y)
{
  int l = loop_clamp (x - 1, w), r = loop_clamp (x + 1, w);
  const unsigned char *a = in + (long) loop_clamp (y - 1, h) * stride;
  const unsigned char *b = in + (long) y * stride;
  const unsigned char *c = in + (long) loop_clamp (y + 1, h) * stride;
  int dx = a[r] + 2 * b[r] + c[r] - a[l] - 2 * b[l] - c[l];
  int dy = c[l] + 2 * c[x] + c[r] - a[l] - 2 * a[x] - a[r];
  int sum = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);

  return (unsigned char) (sum > 255 ? 255 : sum);
}

/* Contrast round the middle, in float */
FN unsigned char
loop_contrast (unsigned char value)
{
  float v = ((float) value - 128.0f) * 1.25f + 128.0f;

  v = v < 0.0f ? 0.0f : v > 255.0f ? 255.0f : v;
  return (unsigned char) (v + 0.5f);
}
