// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Difference with the previous frame: what moves is bright, what stays is
// black. The first frame has itself as the previous one.
//
// gain  what differences are multiplied by; larger shows smaller movements
//
// gst-hip: prev
// gst-hip: formats I420 NV12 RGBA GRAY8 P010_10LE
// gst-hip: same-size
// gst-hip: default gain 4.0

static __device__ int
scale (int difference, float gain, int limit)
{
  float scaled = gain * (float) difference;
  return scaled < (float) limit ? (int) scaled : limit;
}

static __device__ int
distance (int a, int b)
{
  return a < b ? b - a : a - b;
}

// A change of colour, round the neutral value: where is the number of the
// sample in its row.
static __device__ void
write_chroma (const GstHipFrame &in, const GstHipFrame &prev,
    const GstHipFrame &out, int plane, int where, int y, float gain)
{
  const unsigned char *a = in.data[plane] + (long long) y * in.stride[plane];
  const unsigned char *b = prev.data[plane] + (long long) y * prev.stride[plane];
  unsigned char *o = out.data[plane] + (long long) y * out.stride[plane];
  if (out.format == GST_HIP_FORMAT_P010_10LE) {
    int now = ((const unsigned short *) a)[where] >> 6;
    int before = ((const unsigned short *) b)[where] >> 6;
    int change = scale (distance (now, before), gain, 448);
    int value = 512 + (now < before ? -change : change);
    ((unsigned short *) o)[where] = (unsigned short) (value << 6);
  } else {
    int change = scale (distance (a[where], b[where]), gain, 112);
    o[where] = (unsigned char) (128 + (a[where] < b[where] ? -change : change));
  }
}

extern "C" __global__ void
difference (GstHipFrame in, GstHipFrame prev, GstHipFrame out,
    GstHipFrameInfo info, float gain)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.width || y >= out.height)
    return;

  const unsigned char *a = in.data[0] + (long long) y * in.stride[0];
  const unsigned char *b = prev.data[0] + (long long) y * prev.stride[0];
  unsigned char *o = out.data[0] + (long long) y * out.stride[0];
  int full = out.range == GST_HIP_RANGE_FULL;

  if (out.format == GST_HIP_FORMAT_RGBA) {
    for (int c = 4 * x; c < 4 * x + 3; c++)
      o[c] = (unsigned char) scale (distance (a[c], b[c]), gain, 255);
    o[4 * x + 3] = a[4 * x + 3];
  } else if (out.format == GST_HIP_FORMAT_P010_10LE) {
    int now = ((const unsigned short *) a)[x] >> 6;
    int before = ((const unsigned short *) b)[x] >> 6;
    int value = (full ? 0 : 64)
        + scale (distance (now, before), gain, full ? 1023 : 876);
    ((unsigned short *) o)[x] = (unsigned short) (value << 6);
  } else {
    o[x] = (unsigned char) ((full ? 0 : 16)
        + scale (distance (a[x], b[x]), gain, full ? 255 : 219));
  }

  // Chroma: by the thread that owns the 2x2 block.
  if (out.n_planes < 2 || (x & 1) || (y & 1))
    return;
  if (out.format == GST_HIP_FORMAT_I420) {
    write_chroma (in, prev, out, 1, x / 2, y / 2, gain);
    write_chroma (in, prev, out, 2, x / 2, y / 2, gain);
  } else {
    write_chroma (in, prev, out, 1, x / 2 * 2, y / 2, gain);
    write_chroma (in, prev, out, 1, x / 2 * 2 + 1, y / 2, gain);
  }
}
