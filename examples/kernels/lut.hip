// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: GstHip contributors
//
// Colour look-up: a table of 5x5x5 colours says what becomes of every colour;
// between its entries the three axes are interpolated. This table cools shadows
// and warms lights; put your own in its place.
//
// strength  0 leaves the picture, 1 is the table
//
// gst-hip: inplace
// gst-hip: formats I420 NV12 RGBA P010_10LE
// gst-hip: default strength 1.0

// 0xRRGGBB, red fastest, blue slowest
__constant__ unsigned table[125] = {
  0x000a23, 0x27081e, 0x7f0619, 0xd10414, 0xff020f,
  0x003f12, 0x2a3c0d, 0x813a08, 0xd43703, 0xff3500,
  0x008c01, 0x2d8900, 0x828600, 0xd78300, 0xff8100,
  0x00d700, 0x2fd500, 0x83d300, 0xd9d100, 0xffcf00,
  0x00ff00, 0x31ff00, 0x83ff00, 0xd9ff00, 0xffff00,
  0x000960, 0x28075a, 0x7f0554, 0xd1044d, 0xff0247,
  0x003e4b, 0x2a3c45, 0x81393f, 0xd5363a, 0xff3434,
  0x008b38, 0x2d8832, 0x82852d, 0xd78327, 0xff8022,
  0x00d625, 0x2fd420, 0x83d21b, 0xd9d017, 0xffce12,
  0x00ff15, 0x31ff10, 0x83ff0c, 0xd9ff08, 0xffff04,
  0x0009b5, 0x2807af, 0x8005a8, 0xd103a2, 0xff019c,
  0x003da0, 0x2b3b99, 0x813893, 0xd5358d, 0xff3387,
  0x008a8b, 0x2d8785, 0x82847f, 0xd78279, 0xff7f74,
  0x00d677, 0x30d472, 0x83d16c, 0xd9cf67, 0xffcd62,
  0x00ff65, 0x31ff60, 0x83ff5b, 0xd9ff56, 0xffff52,
  0x0008ff, 0x2806fd, 0x8004f7, 0xd202f1, 0xff01ec,
  0x003cef, 0x2b3aea, 0x8137e4, 0xd535de, 0xff32d9,
  0x0089dc, 0x2e86d7, 0x8283d2, 0xd881cc, 0xff7ec7,
  0x00d5cb, 0x30d3c5, 0x83d1c0, 0xd9cfbc, 0xffcdb7,
  0x00ffba, 0x32ffb5, 0x82ffb1, 0xd9ffac, 0xffffa8,
  0x0007ff, 0x2805ff, 0x8004ff, 0xd202ff, 0xff00ff,
  0x003bff, 0x2b39ff, 0x8236ff, 0xd534ff, 0xff31ff,
  0x0088ff, 0x2e85ff, 0x8383ff, 0xd880ff, 0xff7dfe,
  0x00d4ff, 0x30d2fc, 0x83d0f8, 0xd9cef5, 0xffccf1,
  0x00fff3, 0x32fff0, 0x82ffec, 0xd9ffe9, 0xffffe6,
};

// Where the values of a frame lie: depth, black, the spans of luma and chroma
struct Scale
{
  int deep, most, black, luma_span, neutral, chroma_span;
};

static __device__ Scale
scale_of (const GstHipFrame &frame)
{
  Scale s;
  int full = frame.range == GST_HIP_RANGE_FULL;
  s.deep = frame.format == GST_HIP_FORMAT_P010_10LE ? 2 : 0;
  s.most = (256 << s.deep) - 1;
  s.black = full ? 0 : 16 << s.deep;
  s.luma_span = full ? s.most : 219 << s.deep;
  s.neutral = 128 << s.deep;
  s.chroma_span = full ? s.most : 224 << s.deep;
  return s;
}

// n / span for the spans that frames have: a division by a constant is a
// multiplication
static __device__ int
divide (int n, int span)
{
  return span == 219 ? n / 219 : span == 224 ? n / 224 : span == 255 ? n / 255
      : span == 876 ? n / 876 : span == 896 ? n / 896 : n / 1023;
}

static __device__ int
clamp16 (int value)
{
  return value < 0 ? 0 : value > 65535 ? 65535 : value;
}

static __device__ int
clamp_to (int value, int most)
{
  return value < 0 ? 0 : value > most ? most : value;
}

// Between the table's entries: all of it in 16 bits a channel, 12 for places.
static __device__ void
look_up (int *rgb, int strength)
{
  int entry[3], part[3];
  for (int c = 0; c < 3; c++) {
    entry[c] = rgb[c] < 65535 ? rgb[c] * 4 / 65535 : 3;
    part[c] = (rgb[c] * 4 - entry[c] * 65535) >> 4;
  }
  for (int c = 0; c < 3; c++) {
    int value[8], shift = 16 - 8 * c;
    for (int corner = 0; corner < 8; corner++)
      value[corner] = ((table[(entry[2] + (corner >> 2)) * 25
                  + (entry[1] + (corner >> 1 & 1)) * 5
                  + entry[0] + (corner & 1)] >> shift) & 255) * 257;
    for (int n = 4, axis = 0; n > 0; n /= 2, axis++)
      for (int i = 0; i < n; i++)
        value[i] = value[2 * i]
            + (((value[2 * i + 1] - value[2 * i]) * part[axis] + 2048) >> 12);
    rgb[c] = clamp16 (rgb[c] + ((value[0] - rgb[c]) * strength >> 8));
  }
}

static __device__ int
read_sample (const unsigned char *row, long long i, int deep)
{
  return deep ? ((const unsigned short *) row)[i] >> 6 : row[i];
}

static __device__ void
write_sample (unsigned char *row, long long i, int deep, int value)
{
  if (deep)
    ((unsigned short *) row)[i] = (unsigned short) (value << 6);
  else
    row[i] = (unsigned char) value;
}

// Between YUV, the luma 0 to 65535 and the others round 0, and red, green, blue
// in 16 bits. wr, wb: weights of red and blue in the luma, in 1/65536
template <int wr, int wb> static __device__ void
to_rgb_by (int luma, int b, int r, int *rgb)
{
  int red = luma + (int) (2LL * (65536 - wr) * r >> 16);
  int blue = luma + (int) (2LL * (65536 - wb) * b >> 16);
  rgb[0] = clamp16 (red);
  rgb[2] = clamp16 (blue);
  rgb[1] = clamp16 ((int) ((65536LL * luma - (long long) wr * red
              - (long long) wb * blue) / (65536 - wr - wb)));
}

template <int wr, int wb> static __device__ void
to_yuv_by (const int *rgb, int *yuv)
{
  unsigned luma = (unsigned) wr * rgb[0] + (65536u - wr - wb) * rgb[1]
      + (unsigned) wb * rgb[2];
  yuv[0] = (int) (luma >> 16);
  yuv[1] = (int) ((rgb[2] * 65536LL - luma) / (2 * (65536 - wb)));
  yuv[2] = (int) ((rgb[0] * 65536LL - luma) / (2 * (65536 - wr)));
}

static __device__ void
yuv_to_rgb (const GstHipFrame &frame, const Scale &s, int y, int cb, int cr,
    int *rgb)
{
  int luma = divide ((y - s.black) * 65535, s.luma_span);
  int b = divide ((cb - s.neutral) * 65535, s.chroma_span);
  int r = divide ((cr - s.neutral) * 65535, s.chroma_span);
  if (frame.matrix == GST_HIP_MATRIX_BT709)
    to_rgb_by<13933, 4732> (luma, b, r, rgb);
  else if (frame.matrix == GST_HIP_MATRIX_BT2020)
    to_rgb_by<17216, 3886> (luma, b, r, rgb);
  else
    to_rgb_by<19595, 7471> (luma, b, r, rgb);
}

static __device__ void
rgb_to_yuv (const GstHipFrame &frame, const int *rgb, int *yuv)
{
  if (frame.matrix == GST_HIP_MATRIX_BT709)
    to_yuv_by<13933, 4732> (rgb, yuv);
  else if (frame.matrix == GST_HIP_MATRIX_BT2020)
    to_yuv_by<17216, 3886> (rgb, yuv);
  else
    to_yuv_by<19595, 7471> (rgb, yuv);
}

// One 2x2 block of a YUV picture, by the thread of its first pixel: the block's
// chroma is read before it is written, and nobody else touches the block.
static __device__ void
yuv_block (const GstHipFrame &in, const GstHipFrame &out, int x, int y,
    int strength)
{
  Scale si = scale_of (in), so = scale_of (out);
  int planar = in.format == GST_HIP_FORMAT_I420;
  const unsigned char *u = in.data[1] + (long long) (y / 2) * in.stride[1];
  const unsigned char *v = planar
      ? in.data[2] + (long long) (y / 2) * in.stride[2] : u;
  int cb = read_sample (u, planar ? x / 2 : x, si.deep);
  int cr = read_sample (v, planar ? x / 2 : x + 1, si.deep);
  int sum_b = 0, sum_r = 0, n = 0;

  for (int j = y; j < y + 2 && j < out.height; j++)
    for (int i = x; i < x + 2 && i < out.width; i++, n++) {
      int rgb[3], yuv[3];
      yuv_to_rgb (in, si, read_sample (in.data[0]
              + (long long) j * in.stride[0], i, si.deep), cb, cr, rgb);
      look_up (rgb, strength);
      rgb_to_yuv (out, rgb, yuv);
      write_sample (out.data[0] + (long long) j * out.stride[0], i, so.deep,
          so.black + clamp_to ((yuv[0] * so.luma_span + 32767) / 65535,
              so.most));
      sum_b += yuv[1];
      sum_r += yuv[2];
    }

  // Rounded the same way below and above the neutral value
  cb = clamp_to ((sum_b / n * so.chroma_span + so.neutral * 65535 + 32767)
      / 65535, so.most);
  cr = clamp_to ((sum_r / n * so.chroma_span + so.neutral * 65535 + 32767)
      / 65535, so.most);
  unsigned char *ou = out.data[1] + (long long) (y / 2) * out.stride[1];
  unsigned char *ov = planar
      ? out.data[2] + (long long) (y / 2) * out.stride[2] : ou;
  write_sample (ou, planar ? x / 2 : x, so.deep, cb);
  write_sample (ov, planar ? x / 2 : x + 1, so.deep, cr);
}

extern "C" __global__ void
lut (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info, float strength)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out.width || y >= out.height)
    return;

  int s = (int) (256.0f * (strength < 0.0f ? 0.0f
          : strength > 1.0f ? 1.0f : strength));
  if (out.format != GST_HIP_FORMAT_RGBA) {
    if (!(x & 1) && !(y & 1))
      yuv_block (in, out, x, y, s);
    return;
  }
  const unsigned char *from = in.data[0] + (long long) y * in.stride[0]
      + 4 * (long long) x;
  unsigned char *to = out.data[0] + (long long) y * out.stride[0]
      + 4 * (long long) x;
  int rgb[3] = { from[0] * 257, from[1] * 257, from[2] * 257 };
  look_up (rgb, s);
  for (int c = 0; c < 3; c++)
    to[c] = (unsigned char) ((rgb[c] + 128) / 257);
  to[3] = from[3];
}
