// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// False colour: brightness as a thermal camera shows it, from black over violet,
// red and yellow to white. Takes any of its formats and makes any that has
// colour; GRAY8 becomes RGBA unless a caps filter asks for another.
//
// low, high  brightness from 0 to 1 that is shown black and white
//
// gst-hip: formats I420 NV12 RGBA GRAY8 P010_10LE
// gst-hip: output-formats RGBA I420 NV12 P010_10LE
// gst-hip: same-size
// gst-hip: default low 0.0
// gst-hip: default high 1.0

__constant__ unsigned char palette[9][3] = {
  {0, 0, 0}, {32, 0, 96}, {96, 0, 160}, {176, 16, 144}, {224, 48, 64},
  {248, 112, 16}, {255, 176, 16}, {255, 232, 96}, {255, 255, 255}
};

// n / span for the spans that frames have: a division by a constant is a
// multiplication
static __device__ int
divide (int n, int span)
{
  return span == 219 ? n / 219 : span == 255 ? n / 255
      : span == 876 ? n / 876 : n / 1023;
}

// Brightness of a pixel, 0 to 4096
static __device__ int
brightness (const GstHipFrame &frame, int x, int y)
{
  const unsigned char *row = frame.data[0] + (long long) y * frame.stride[0];
  int full = frame.range == GST_HIP_RANGE_FULL, value, black, span;
  if (frame.format == GST_HIP_FORMAT_RGBA) {
    row += 4 * (long long) x;
    return (13933 * row[0] + 46871 * row[1] + 4732 * row[2]) / 4080;
  }
  if (frame.format == GST_HIP_FORMAT_P010_10LE) {
    value = ((const unsigned short *) row)[x] >> 6;
    black = full ? 0 : 64;
    span = full ? 1023 : 876;
  } else {
    value = row[x];
    black = full ? 0 : 16;
    span = full ? 255 : 219;
  }
  value = value < black ? 0 : value > black + span ? span : value - black;
  return divide (value * 4096, span);
}

// The colour of a brightness: red, green, blue in 0 to 255 * 256
static __device__ void
colour (int t, float low, float high, int *rgb)
{
  float f = (float) t / 4096.0f - low;
  f = high > low ? f / (high - low) : f < 0.0f ? 0.0f : 1.0f;
  t = f <= 0.0f ? 0 : f >= 1.0f ? 2048 : (int) (f * 2048.0f);
  int i = t < 2048 ? t >> 8 : 7, part = t - (i << 8);
  for (int c = 0; c < 3; c++)
    rgb[c] = palette[i][c] * (256 - part) + palette[i + 1][c] * part;
}

// Y, Cb, Cr of a colour: the luma 0 to 65280, the others round 0. red, blue: the
// weights of these in the luma, in 1/65536
template <int red, int blue> static __device__ void
to_yuv_by (const int *rgb, int *yuv)
{
  unsigned luma = (unsigned) red * rgb[0] + (65536u - red - blue) * rgb[1]
      + (unsigned) blue * rgb[2];
  yuv[0] = (int) (luma >> 16);
  yuv[1] = (int) ((rgb[2] * 65536LL - luma) / (2 * (65536 - blue)));
  yuv[2] = (int) ((rgb[0] * 65536LL - luma) / (2 * (65536 - red)));
}

static __device__ void
to_yuv (const GstHipFrame &frame, const int *rgb, int *yuv)
{
  if (frame.matrix == GST_HIP_MATRIX_BT709)
    to_yuv_by<13933, 4732> (rgb, yuv);
  else if (frame.matrix == GST_HIP_MATRIX_BT2020)
    to_yuv_by<17216, 3886> (rgb, yuv);
  else
    to_yuv_by<19595, 7471> (rgb, yuv);
}

// A luma or chroma value of to_yuv () in the frame's range and depth
static __device__ int
quantise (const GstHipFrame &frame, int value, int chroma)
{
  int shift = frame.format == GST_HIP_FORMAT_P010_10LE ? 2 : 0;
  int full = frame.range == GST_HIP_RANGE_FULL;
  int zero = chroma ? 128 << shift : full ? 0 : 16 << shift;
  int most = (256 << shift) - 1;
  int span = full ? most : (chroma ? 224 : 219) << shift;
  int result = (value * span + zero * 65280 + 32640) / 65280;
  return result < 0 ? 0 : result > most ? most : result;
}

static __device__ void
write_sample (unsigned char *row, int i, const GstHipFrame &frame, int value)
{
  if (frame.format == GST_HIP_FORMAT_P010_10LE)
    ((unsigned short *) row)[i] = (unsigned short) (value << 6);
  else
    row[i] = (unsigned char) value;
}

// The 2x2 block whose first pixel is x, y; its chroma is the mean of the pixels
// that it has.
static __device__ void
yuv_block (const GstHipFrame &in, const GstHipFrame &out, int x, int y,
    float low, float high)
{
  int cb = 0, cr = 0, n = 0;
  for (int j = y; j < y + 2 && j < out.height; j++)
    for (int i = x; i < x + 2 && i < out.width; i++, n++) {
      int rgb[3], yuv[3];
      colour (brightness (in, i, j), low, high, rgb);
      to_yuv (out, rgb, yuv);
      write_sample (out.data[0] + (long long) j * out.stride[0], i, out,
          quantise (out, yuv[0], 0));
      cb += yuv[1];
      cr += yuv[2];
    }

  int planar = out.format == GST_HIP_FORMAT_I420;
  unsigned char *u = out.data[1] + (long long) (y / 2) * out.stride[1];
  unsigned char *v = planar
      ? out.data[2] + (long long) (y / 2) * out.stride[2] : u;
  write_sample (u, planar ? x / 2 : x, out, quantise (out, cb / n, 1));
  write_sample (v, planar ? x / 2 : x + 1, out, quantise (out, cr / n, 1));
}

extern "C" __global__ void
false_colour (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info, float low,
    float high)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.width || y >= out.height)
    return;

  if (out.format != GST_HIP_FORMAT_RGBA) {
    if (!(x & 1) && !(y & 1))
      yuv_block (in, out, x, y, low, high);
    return;
  }
  int rgb[3];
  unsigned char *row = out.data[0] + (long long) y * out.stride[0]
      + 4 * (long long) x;
  colour (brightness (in, x, y), low, high, rgb);
  for (int c = 0; c < 3; c++)
    row[c] = (unsigned char) ((rgb[c] + 128) >> 8);
  row[3] = in.format != GST_HIP_FORMAT_RGBA ? 255
      : in.data[0][(long long) y * in.stride[0] + 4 * (long long) x + 3];
}
