/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What kernels that scale are called with, besides HipConvertParams and the
 * planes' addresses. One text for the C that plans and for the kernels: includes
 * nothing. Everything is 4 bytes wide.
 *
 * Filters are a table in device memory, made once. Samples of the input are
 * those with chroma's grid or those with the pixels' (index sub: 1 or 0), and so
 * are those of the output. */
#pragma once

/* How samples of one grid are made from those of another, in one direction of the
 * source: sample j = sum over k < taps of weight[k * count + j] * source[first[j] + k].
 * No tap lies outside of what may be read. Both are places in the table, in words. */
typedef struct
{
  int count, taps;
  int first, weight;
  int pairs;                    /* where HipScaleParams has pairs: place of { first, weight of the next one }, by sample */
} HipScaleAxis;

/* What a thread of convert-scale-tile.hip makes on a GPU, in x; pairs are there for as many samples past an axis's end,
 * and begin at a multiple of 16 bytes */
#ifndef HIP_SCALE_GPU_TILE_WIDTH
#define HIP_SCALE_GPU_TILE_WIDTH 2
#endif
#define HIP_SCALE_MOST_TILE_WIDTH 16
/* Taps of an axis that it is made for */
#define HIP_SCALE_TILE_TAPS 1024

/* In *_at: the plane is not there */
#define HIP_SCALE_NONE (-1)

typedef struct
{
  int transpose;                /* rows of the output are columns of the input */
  int begin[2], end[2];         /* the pixels that are made, x and y: of a frame, where there are fields */
  int fill;                     /* all others become border, else they stay as they are */
  float border[4];              /* codes */
  int pairs[2][2];              /* [of the input][of the output]: two taps in each direction at most, both readable */
  int site[2];                  /* the pixel in which a chroma sample of the output stands, of the first one's */
  HipScaleAxis columns[2][2];   /* of the source: [of the input][of the output] */
  HipScaleAxis rows[2][2][2];   /* [field] */

  /* Two passes: floats between them, in words: [of the output][component] */
  int between_at[2][4];
  int between_stride[2];
} HipScaleParams;

#define HIP_SCALE_PARAMS_SIZE 344
