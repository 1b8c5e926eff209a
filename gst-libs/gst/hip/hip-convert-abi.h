/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the converter's kernels are called with, besides the planes' addresses.
 * One text for the C that plans and for the kernels: includes nothing.
 *
 * Samples are numbered by component: R G B A or Y U V A. Code values are what
 * the format stores, as floats. Everything here is 4 bytes wide, so that it has
 * one layout everywhere. */
#pragma once

/* Values of HipLayout for #if */
#define HIP_CONVERT_PLANAR_420 0
#define HIP_CONVERT_BIPLANAR_420 1
#define HIP_CONVERT_PLANAR_422 2
#define HIP_CONVERT_PLANAR 3
#define HIP_CONVERT_PACKED_422 4
#define HIP_CONVERT_PACKED_4 5
#define HIP_CONVERT_PACKED_3 6
#define HIP_CONVERT_BIPLANAR_420_16 7
#define HIP_CONVERT_PLANAR_420_16 8
#define HIP_CONVERT_PLANAR_422_16 9
#define HIP_CONVERT_PLANAR_16 10
#define HIP_CONVERT_PACKED_422_16 11
#define HIP_CONVERT_PACKED_4_16 12
#define HIP_CONVERT_FIELDS_32 13
#define HIP_CONVERT_FIELDS_16 14
#define HIP_CONVERT_V210 15
/* Tensors: elements of a channel side by side, or those of a pixel */
#define HIP_CONVERT_TENSOR_PLANAR 16
#define HIP_CONVERT_TENSOR_PACKED 17
#define HIP_CONVERT_IS_TENSOR(layout) ((layout) == HIP_CONVERT_TENSOR_PLANAR || (layout) == HIP_CONVERT_TENSOR_PACKED)
#define HIP_CONVERT_BIPLANAR_422 18
#define HIP_CONVERT_BIPLANAR_444 19
#define HIP_CONVERT_PLANAR_411 20

/* Values of GstHipTensorDataType */
#define HIP_CONVERT_FLOAT32 0
#define HIP_CONVERT_FLOAT16 1
#define HIP_CONVERT_BFLOAT16 2
#define HIP_CONVERT_UINT8 3
#define HIP_CONVERT_INT8 4

/* What a thread of convert-tile.hip makes: tiles of so many pixels in x, so many
 * of them one below the other. On a GPU neighbours have to touch neighbouring
 * bytes and a tile has to fit into registers; on the CPU long rows make long
 * vector loops, and a thread costs a copy of its parameters. */
#ifndef HIP_CONVERT_GPU_TILE_WIDTH
#define HIP_CONVERT_GPU_TILE_WIDTH 8
#endif
#ifndef HIP_CONVERT_GPU_TILE_COUNT
#define HIP_CONVERT_GPU_TILE_COUNT 1
#endif
#define HIP_CONVERT_HOST_TILE_WIDTH 512
#define HIP_CONVERT_HOST_TILE_COUNT 1

/* Taps of a chroma filter: enough for a mean of 4 samples that is centred on one */
#define HIP_CONVERT_TAPS 6
#define HIP_CONVERT_PHASES 4

/* How samples of one grid are made from those of another, in one direction:
 * sample j = sum over k of weight[j % 2^up][k] * source[((j >> up) << down) - 2 + k],
 * the source continuing beyond its ends with its last sample. Taps outside of
 * first..last weigh nothing. */
typedef struct
{
  int up, down;
  int first, last;
  float weight[HIP_CONVERT_PHASES][HIP_CONVERT_TAPS];
} HipConvertAxis;

/* Where samples of one component are, as in HipComponent. Planes' addresses and strides are given by component, too. */
typedef struct
{
  int offset, step, shift;      /* of its plane's address */
  int max;                      /* largest code; 0: there is no such component */
  int w_sub, h_sub;
  int columns, rows;            /* samples that are there, in all fields */
} HipConvertSamples;

/* Bits of flags */
#define HIP_CONVERT_IN_YUV 1            /* components 1 and 2 are chroma */
#define HIP_CONVERT_OUT_YUV 2
#define HIP_CONVERT_LUMA_FROM_CHROMA 4  /* full-size outputs use the input's chroma */
#define HIP_CONVERT_CHROMA_FROM_LUMA 8  /* chroma outputs use the input's full-size components */
#define HIP_CONVERT_CHROMA_AS_IS 16     /* both chroma grids are one and the same */
#define HIP_CONVERT_CURVES 32           /* the colour stage, else it is all in matrix and offset */
#define HIP_CONVERT_DIVIDE 64
#define HIP_CONVERT_MULTIPLY 128
#define HIP_CONVERT_DITHER 256          /* mask and quanta below count */
#define HIP_CONVERT_CODES_AS_ARE 512    /* every output code is the input's of the same component, or constant alpha */

typedef struct
{
  int kind;                     /* HipCurveKind */
  float threshold, slope, a, gamma;
} HipConvertCurve;

/* A tensor in place of a frame: codes are of 8 bit and full range, not rounded. To it: element = code * scale + offset,
 * from it: code = element * scale + offset, by component. */
typedef struct
{
  int type;
  float scale[4], offset[4];
} HipConvertTensor;

typedef struct
{
  int width, height;            /* of the picture, or of its first field, in pixels */
  int fields;                   /* 2: the second one is a picture of its own, a row below */
  int odd_row;                  /* 1: it has a row less */
  int flags;
  int cell_width, cell_height;  /* pixels that the writer's groups of bytes cover */
  int in_layout, out_layout;    /* for kernels that know any */
  int in_word, out_word;        /* bytes of a word */
  int in_row_bytes[4], out_row_bytes[4];        /* of a plane that belong to the picture */
  int in_stride[4], out_stride[4];

  HipConvertSamples in[4], out[4];
  /* In codes less zero to out codes; with a colour stage: to R'G'B'A. Small differences of large codes stay exact. */
  float zero[4], matrix[4][4], offset[4];

  /* Chroma of the input at pixels; pixels, and chroma of the input, at chroma of the output: [0] in x, [1] in y */
  HipConvertAxis to_pixels[2];
  HipConvertAxis from_pixels[2];
  HipConvertAxis from_chroma[2];

  /* The colour stage */
  HipConvertCurve decode, encode;
  float primaries[3][3];
  float from_rgb[4][4], from_rgb_offset[4];
  float alpha_scale, alpha_offset;      /* after alpha was divided out of colour, before it is multiplied in */
  /* Codes are multiples of a quantum: value / quantum, dithered where the mask has the component, is rounded and at most
   * most_quanta */
  int dither_mask;
  float quantum[4], most_quanta[4];

  HipConvertTensor tensor;      /* where a layout is a tensor's; one is at most */
} HipConvertParams;

#define HIP_CONVERT_PARAMS_SIZE 1368
