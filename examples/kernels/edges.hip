// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Edges: the Sobel operator on the luma, bright lines on black.
//
// strength  1 makes the largest edge of the four neighbours' difference white
//
// gst-hip: formats I420 NV12 RGBA GRAY8 P010_10LE
// gst-hip: same-size
// gst-hip: default strength 1.0

// Luma with the format's own depth. Pixels outside repeat the border.
static __device__ int
luma (const GstHipFrame &frame, int x, int y)
{
  x = x < 0 ? 0 : x < frame.width ? x : frame.width - 1;
  y = y < 0 ? 0 : y < frame.height ? y : frame.height - 1;

  const unsigned char *row = frame.data[0] + (long long) y * frame.stride[0];
  if (frame.format == GST_HIP_FORMAT_P010_10LE)
    return ((const unsigned short *) row)[x] >> 6;
  if (frame.format != GST_HIP_FORMAT_RGBA)
    return row[x];
  row += 4 * (long long) x;
  return (54 * row[0] + 183 * row[1] + 19 * row[2] + 128) >> 8;
}

// No colour, by the one thread that owns the 2x2 block.
static __device__ void
write_neutral_chroma (const GstHipFrame &frame, int x, int y)
{
  if (frame.n_planes < 2 || (x & 1) || (y & 1))
    return;
  x /= 2;
  y /= 2;
  unsigned char *row = frame.data[1] + (long long) y * frame.stride[1];
  if (frame.format == GST_HIP_FORMAT_P010_10LE) {
    ((unsigned short *) row)[2 * x] = 512 << 6;
    ((unsigned short *) row)[2 * x + 1] = 512 << 6;
  } else if (frame.format == GST_HIP_FORMAT_NV12) {
    row[2 * x] = 128;
    row[2 * x + 1] = 128;
  } else {
    row[x] = 128;
    frame.data[2][(long long) y * frame.stride[2] + x] = 128;
  }
}

extern "C" __global__ void
edges (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info, float strength)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.width || y >= out.height)
    return;

  int nw = luma (in, x - 1, y - 1), n = luma (in, x, y - 1);
  int ne = luma (in, x + 1, y - 1), w = luma (in, x - 1, y);
  int e = luma (in, x + 1, y), sw = luma (in, x - 1, y + 1);
  int s = luma (in, x, y + 1), se = luma (in, x + 1, y + 1);
  int dx = ne + 2 * e + se - nw - 2 * w - sw;
  int dy = sw + 2 * s + se - nw - 2 * n - ne;
  int sum = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);

  // What is black and white: 16..235 or 0..255, times four in ten bits.
  int deep = out.format == GST_HIP_FORMAT_P010_10LE;
  int full = out.format == GST_HIP_FORMAT_RGBA
      || out.range == GST_HIP_RANGE_FULL;
  int black = full ? 0 : 16 << (deep ? 2 : 0);
  int span = full ? (deep ? 1023 : 255) : 219 << (deep ? 2 : 0);
  float scaled = 0.25f * strength * (float) sum;
  int value = black + (scaled < (float) span ? (int) scaled : span);

  unsigned char *row = out.data[0] + (long long) y * out.stride[0];
  if (deep) {
    ((unsigned short *) row)[x] = (unsigned short) (value << 6);
  } else if (out.format == GST_HIP_FORMAT_RGBA) {
    row += 4 * (long long) x;
    row[0] = row[1] = row[2] = (unsigned char) value;
    row[3] = in.data[0][(long long) y * in.stride[0] + 4 * (long long) x + 3];
  } else {
    row[x] = (unsigned char) value;
  }
  write_neutral_chroma (out, x, y);
}
