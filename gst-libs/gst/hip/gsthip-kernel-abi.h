/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What a kernel of the hipkernel element is called with. One text for two
 * readers: C and C++ programs include it as <gst/hip/gsthip-kernel-abi.h>; the
 * build puts the same text into the prelude that precedes every kernel. So it
 * includes nothing and uses only what the compilers of all devices know.
 *
 * A kernel of the hipkernel element looks like this:
 *
 *   extern "C" __global__ void
 *   name (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info, ...)
 *
 * docs/hipkernel.md tells the rest.
 */
#pragma once

/**
 * GstHipFrame:
 * @data: address of each plane's first byte, for the device; null for planes that the format lacks
 * @stride: bytes from one row of a plane to the next
 * @width: pixels in a row
 * @height: rows
 * @format: GST_HIP_FORMAT_*: the value of the #GstVideoFormat
 * @n_planes: planes that the format has
 * @matrix: GST_HIP_MATRIX_*: the value of the #GstVideoColorMatrix of the caps
 * @range: GST_HIP_RANGE_*: the value of the #GstVideoColorRange of the caps
 *
 * A frame as a kernel gets it, by value.
 *
 * Since: 1.30
 */
typedef struct _GstHipFrame
{
  unsigned char *data[4];
  int stride[4];
  int width;
  int height;
  int format;
  int n_planes;
  int matrix;
  int range;
} GstHipFrame;

/**
 * GstHipFrameInfo:
 * @frame_number: frames since the stream started, from 0
 * @pts_ns: presentation time in nanoseconds, -1 if the buffer has none
 * @duration_ns: duration in nanoseconds, -1 if the buffer has none
 * @running_time_ns: running time in nanoseconds, -1 if unknown
 *
 * Which frame it is, by value.
 *
 * Since: 1.30
 */
typedef struct _GstHipFrameInfo
{
  unsigned long long frame_number;
  long long pts_ns;
  long long duration_ns;
  long long running_time_ns;
} GstHipFrameInfo;

/* Bytes of the two, asserted where C and where kernels are compiled */
#define GST_HIP_FRAME_SIZE 72
#define GST_HIP_FRAME_INFO_SIZE 32

/* Values of GstVideoColorMatrix and GstVideoColorRange */
#define GST_HIP_MATRIX_UNKNOWN 0
#define GST_HIP_MATRIX_RGB 1
#define GST_HIP_MATRIX_FCC 2
#define GST_HIP_MATRIX_BT709 3
#define GST_HIP_MATRIX_BT601 4
#define GST_HIP_MATRIX_SMPTE240M 5
#define GST_HIP_MATRIX_BT2020 6
#define GST_HIP_RANGE_UNKNOWN 0
#define GST_HIP_RANGE_FULL 1
#define GST_HIP_RANGE_LIMITED 2

/* Values of GstVideoFormat for #if and switch; the library's build asserts them */
#define GST_HIP_FORMAT_UNKNOWN 0
#define GST_HIP_FORMAT_ENCODED 1
#define GST_HIP_FORMAT_I420 2
#define GST_HIP_FORMAT_YV12 3
#define GST_HIP_FORMAT_YUY2 4
#define GST_HIP_FORMAT_UYVY 5
#define GST_HIP_FORMAT_AYUV 6
#define GST_HIP_FORMAT_RGBx 7
#define GST_HIP_FORMAT_BGRx 8
#define GST_HIP_FORMAT_xRGB 9
#define GST_HIP_FORMAT_xBGR 10
#define GST_HIP_FORMAT_RGBA 11
#define GST_HIP_FORMAT_BGRA 12
#define GST_HIP_FORMAT_ARGB 13
#define GST_HIP_FORMAT_ABGR 14
#define GST_HIP_FORMAT_RGB 15
#define GST_HIP_FORMAT_BGR 16
#define GST_HIP_FORMAT_Y41B 17
#define GST_HIP_FORMAT_Y42B 18
#define GST_HIP_FORMAT_YVYU 19
#define GST_HIP_FORMAT_Y444 20
#define GST_HIP_FORMAT_v210 21
#define GST_HIP_FORMAT_v216 22
#define GST_HIP_FORMAT_NV12 23
#define GST_HIP_FORMAT_NV21 24
#define GST_HIP_FORMAT_GRAY8 25
#define GST_HIP_FORMAT_GRAY16_BE 26
#define GST_HIP_FORMAT_GRAY16_LE 27
#define GST_HIP_FORMAT_v308 28
#define GST_HIP_FORMAT_RGB16 29
#define GST_HIP_FORMAT_BGR16 30
#define GST_HIP_FORMAT_RGB15 31
#define GST_HIP_FORMAT_BGR15 32
#define GST_HIP_FORMAT_UYVP 33
#define GST_HIP_FORMAT_A420 34
#define GST_HIP_FORMAT_RGB8P 35
#define GST_HIP_FORMAT_YUV9 36
#define GST_HIP_FORMAT_YVU9 37
#define GST_HIP_FORMAT_IYU1 38
#define GST_HIP_FORMAT_ARGB64 39
#define GST_HIP_FORMAT_AYUV64 40
#define GST_HIP_FORMAT_r210 41
#define GST_HIP_FORMAT_I420_10BE 42
#define GST_HIP_FORMAT_I420_10LE 43
#define GST_HIP_FORMAT_I422_10BE 44
#define GST_HIP_FORMAT_I422_10LE 45
#define GST_HIP_FORMAT_Y444_10BE 46
#define GST_HIP_FORMAT_Y444_10LE 47
#define GST_HIP_FORMAT_GBR 48
#define GST_HIP_FORMAT_GBR_10BE 49
#define GST_HIP_FORMAT_GBR_10LE 50
#define GST_HIP_FORMAT_NV16 51
#define GST_HIP_FORMAT_NV24 52
#define GST_HIP_FORMAT_NV12_64Z32 53
#define GST_HIP_FORMAT_A420_10BE 54
#define GST_HIP_FORMAT_A420_10LE 55
#define GST_HIP_FORMAT_A422_10BE 56
#define GST_HIP_FORMAT_A422_10LE 57
#define GST_HIP_FORMAT_A444_10BE 58
#define GST_HIP_FORMAT_A444_10LE 59
#define GST_HIP_FORMAT_NV61 60
#define GST_HIP_FORMAT_P010_10BE 61
#define GST_HIP_FORMAT_P010_10LE 62
#define GST_HIP_FORMAT_IYU2 63
#define GST_HIP_FORMAT_VYUY 64
#define GST_HIP_FORMAT_GBRA 65
#define GST_HIP_FORMAT_GBRA_10BE 66
#define GST_HIP_FORMAT_GBRA_10LE 67
#define GST_HIP_FORMAT_GBR_12BE 68
#define GST_HIP_FORMAT_GBR_12LE 69
#define GST_HIP_FORMAT_GBRA_12BE 70
#define GST_HIP_FORMAT_GBRA_12LE 71
#define GST_HIP_FORMAT_I420_12BE 72
#define GST_HIP_FORMAT_I420_12LE 73
#define GST_HIP_FORMAT_I422_12BE 74
#define GST_HIP_FORMAT_I422_12LE 75
#define GST_HIP_FORMAT_Y444_12BE 76
#define GST_HIP_FORMAT_Y444_12LE 77
#define GST_HIP_FORMAT_GRAY10_LE32 78
#define GST_HIP_FORMAT_NV12_10LE32 79
#define GST_HIP_FORMAT_NV16_10LE32 80
#define GST_HIP_FORMAT_NV12_10LE40 81
#define GST_HIP_FORMAT_Y210 82
#define GST_HIP_FORMAT_Y410 83
#define GST_HIP_FORMAT_VUYA 84
#define GST_HIP_FORMAT_BGR10A2_LE 85
#define GST_HIP_FORMAT_RGB10A2_LE 86
#define GST_HIP_FORMAT_Y444_16BE 87
#define GST_HIP_FORMAT_Y444_16LE 88
#define GST_HIP_FORMAT_P016_BE 89
#define GST_HIP_FORMAT_P016_LE 90
#define GST_HIP_FORMAT_P012_BE 91
#define GST_HIP_FORMAT_P012_LE 92
#define GST_HIP_FORMAT_Y212_BE 93
#define GST_HIP_FORMAT_Y212_LE 94
#define GST_HIP_FORMAT_Y412_BE 95
#define GST_HIP_FORMAT_Y412_LE 96
#define GST_HIP_FORMAT_NV12_4L4 97
#define GST_HIP_FORMAT_NV12_32L32 98
#define GST_HIP_FORMAT_RGBP 99
#define GST_HIP_FORMAT_BGRP 100
#define GST_HIP_FORMAT_AV12 101
#define GST_HIP_FORMAT_ARGB64_LE 102
#define GST_HIP_FORMAT_ARGB64_BE 103
#define GST_HIP_FORMAT_RGBA64_LE 104
#define GST_HIP_FORMAT_RGBA64_BE 105
#define GST_HIP_FORMAT_BGRA64_LE 106
#define GST_HIP_FORMAT_BGRA64_BE 107
#define GST_HIP_FORMAT_ABGR64_LE 108
#define GST_HIP_FORMAT_ABGR64_BE 109
#define GST_HIP_FORMAT_NV12_16L32S 110
#define GST_HIP_FORMAT_NV12_8L128 111
#define GST_HIP_FORMAT_NV12_10BE_8L128 112
