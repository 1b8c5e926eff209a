/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the converter from NV12 to RGBA is compared with: the arithmetic of
 * kernels/convert-tile-short.h for one matrix (BT.709, studio range to full) and
 * one siting of chroma (on even columns, between rows), a loop for each step, as
 * compilers like it best: one loop over pairs of pixels takes 10 times as long
 * with clang 14 and no less with g++ 12. No source of
 * the build's: bench-loops compiles it with the compiler that compiles the kernel. */

#define MAX_WIDTH 4096

/* coarse counts in quarters, fine in 1/131072 */
typedef struct
{
  short coarse, fine;
} Factor;

static int
nearest (double x)
{
  return (int) (x < 0 ? x - 0.5 : x + 0.5);
}

static Factor
factor (double m)
{
  int coarse = nearest (4 * m);
  Factor f;

  coarse = coarse > 8 ? 8 : coarse < -8 ? -8 : coarse;
  f.coarse = (short) coarse;
  f.fine = (short) nearest ((m - coarse / 4.0) * 131072);
  return f;
}

static inline short
high (short a, short b)
{
  return (short) ((a * b) >> 16);
}

static inline unsigned
code (short sum, short coarse)
{
  short c = (short) (((short) ((sum >> 1) + coarse) >> 6) + 128);

  return c < 0 ? 0 : c > 255 ? 255 : c;
}

/* A row of chroma between two, three quarters of the nearer one */
static void
mix_rows (const unsigned char *restrict near, const unsigned char *restrict far,
    int n, short *restrict cb, short *restrict cr)
{
  for (int j = 0; j < n; j++) {
    cb[j] = (short) (3 * near[2 * j] + far[2 * j]);
    cr[j] = (short) (3 * near[2 * j + 1] + far[2 * j + 1]);
  }
  cb[n] = cb[n - 1];
  cr[n] = cr[n - 1];
}

/* A sample at each pixel, in sixteenths */
static void
double_columns (const short *restrict from, int n, short *restrict to)
{
  for (int j = 0; j < n; j++) {
    to[2 * j] = (short) (4 * from[j] - 16 * 128);
    to[2 * j + 1] = (short) (2 * (from[j] + from[j + 1]) - 16 * 128);
  }
}

static void
make_pixels (const unsigned char *restrict luma, const short *restrict cb,
    const short *restrict cr, int n, unsigned *restrict out)
{
  const double full = 255.0 / 224.0, kr = 0.2126, kb = 0.0722, kg = 1 - kr - kb;
  const Factor fy = factor (255.0 / 219.0), rv = factor (2 * (1 - kr) * full);
  const Factor bu = factor (2 * (1 - kb) * full);
  const Factor gv = factor (-2 * (1 - kr) * kr / kg * full);
  const Factor gu = factor (-2 * (1 - kb) * kb / kg * full);
  /* From 128, half a code to be rounded, half a unit for each product cut off */
  const double k = (-16 * 255.0 / 219.0 - 128) * 128 + 64;
  const short k2 = (short) nearest (k + 1), k3 = (short) nearest (k + 1.5);

  for (int i = 0; i < n; i++) {
    short u = cb[i], v = cr[i], u4 = (short) (4 * u), v4 = (short) (4 * v);
    short y = (short) ((short) (luma[i] * 32 * fy.coarse) +
        high ((short) (luma[i] << 6), fy.fine));
    unsigned r = code ((short) (y + high (v4, rv.fine) + k2),
        (short) (v * rv.coarse));
    unsigned g = code ((short) (y + high (v4, gv.fine) + high (u4, gu.fine) +
            k3), (short) (v * gv.coarse + u * gu.coarse));
    unsigned b = code ((short) (y + high (u4, bu.fine) + k2),
        (short) (u * bu.coarse));

    out[i] = r | g << 8 | b << 16 | 255u << 24;
  }
}

/* out: rows of 4 * stride bytes */
void
plain_nv12_rgba (const unsigned char *in, unsigned char *out, int stride, int w,
    int h, int begin, int end)
{
  const unsigned char *chroma = in + (long) stride * h;
  short cb[MAX_WIDTH / 2 + 1], cr[MAX_WIDTH / 2 + 1];
  short u[MAX_WIDTH], v[MAX_WIDTH];

  for (int y = begin; y < end; y++) {
    int near = y / 2, far = y % 2 ? near + 1 : near - 1;

    far = far < 0 ? 0 : far >= h / 2 ? h / 2 - 1 : far;
    mix_rows (chroma + (long) near * stride, chroma + (long) far * stride,
        w / 2, cb, cr);
    double_columns (cb, w / 2, u);
    double_columns (cr, w / 2, v);
    make_pixels (in + (long) y * stride, u, v, w,
        (unsigned *) (out + 4L * y * stride));
  }
}
