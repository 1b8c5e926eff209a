/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* From two descriptions of frames and a configuration to what has to be run:
 * no device, no memory. Who may include this: the library's own .c files and
 * tests. */
#pragma once

#include <gst/hip/gsthiptensor.h>
#include "hip-convert-abi.h"
#include "hip-convert-colour.h"
#include "hip-scale-abi.h"
#include "hip-scale-filter.h"

G_BEGIN_DECLS

/* Which part of the input becomes which part of the output, and how */
typedef struct
{
  HipScaleFilter filter;
  gboolean chosen;              /* filter is somebody's wish */
  gint64 src[4];                /* x, y, width, height in 1 / HIP_SCALE_UNIT pixels; -1: not said */
  gint dst[4];                  /* in pixels, likewise */
  gboolean fill;
  guint32 border_argb;
  GstVideoOrientationMethod direction;
  GstHipResizeMode resize_mode; /* tensors */
  GstHipPadPlacement pad_placement;
  double pad_value[4];          /* by channel, 0 to 255 */
} HipScaleConfig;

typedef struct
{
  HipColourModes colour;
  GstVideoChromaMode chroma_mode;
  gboolean dither;
  guint quantization;           /* codes are multiples of it where dither is on; 1: all codes */
  HipScaleConfig scale;
} HipConvertConfig;

typedef enum
{
  HIP_CONVERT_KERNEL_ANY,       /* every format, sample by sample; curves */
  HIP_CONVERT_KERNEL_TILE,      /* made for a pair of layouts */
  HIP_CONVERT_KERNEL_SCALE_TILE,        /* made for a pair of layouts, of any size */
  HIP_CONVERT_KERNEL_SCALE,     /* every format, sample by sample, of any size */
  HIP_CONVERT_KERNEL_SCALE_ROWS,        /* the first of two passes: along rows of the input, to floats */
  HIP_CONVERT_KERNEL_SCALE_COLUMNS,     /* the second one */
} HipConvertKernel;

/* One launch. Its kernel is compiled with the options, in which only layouts occur: passes of the same kernel and
 * layouts share a binary. */
typedef struct
{
  HipConvertKernel kernel;
  HipLayout in_layout, out_layout;      /* TILE, SCALE_TILE */
  guint8 in_planes[4], out_planes[4];   /* of a frame, by component */
  HipConvertParams params;      /* but strides, which frames bring */
} HipConvertPass;

/* What all passes of a plan that scales share */
typedef struct
{
  HipScaleParams params;
  guint32 *table;               /* filters, for device memory */
  gsize n_table_words;
  gsize between_bytes;          /* of device memory between two passes */
  HipScaleMap map[2];           /* of the source's x and y, without fields */
} HipConvertScale;

typedef struct
{
  guint n_passes;
  HipConvertPass passes[2];
  HipConvertScale *scale;       /* NULL: sizes are equal, and all of one frame becomes all of the other */
} HipConvertPlan;

/* A plan that was made is cleared once it is no longer used */
void hip_convert_plan_clear (HipConvertPlan * plan);

/* Fields are those of GstVideoConverter; unknown ones are ignored, NULL is the default of all */
void hip_convert_config_parse (const GstStructure * structure, HipConvertConfig * config);

gboolean hip_convert_plan (const GstVideoInfo * in, const GstVideoInfo * out, const HipConvertConfig * config,
    HipConvertPlan * plan, GError ** error);

/* One side of a conversion: a frame, or a tensor with all that a frame would say of it. desc is a complete one. */
typedef struct
{
  const GstVideoInfo *info;
  const HipFormat *format;
  const GstHipTensorDesc *tensor;       /* NULL: a frame */
} HipConvertEnd;

/* UNSUPPORTED: there is none */
const HipFormat *hip_convert_find_format (const GstVideoInfo * info, GError ** error);

gboolean hip_convert_plan_ends (const HipConvertEnd * in, const HipConvertEnd * out, const HipConvertConfig * config,
    HipConvertPlan * plan, GError ** error);

/* A grid of chroma samples: log2 of pixels to a sample, and whether they stand between the pixels of their own; x, y */
typedef struct
{
  guint sub[2];
  gboolean centred[2];
} HipChromaGrid;

void hip_convert_get_grids (const GstVideoInfo * in, const GstVideoInfo * out, const HipFormat * in_format,
    const HipFormat * out_format, HipChromaGrid * in_grid, HipChromaGrid * out_grid);
gboolean hip_convert_has_chroma_grid (const HipFormat * format);

/* hip-scale-plan.c */
void hip_scale_config_parse (const GstStructure * structure, HipScaleConfig * config);
gboolean hip_scale_is_needed (const GstVideoInfo * in, const GstVideoInfo * out, const HipScaleConfig * config);
/* After all else was planned */
gboolean hip_scale_plan (const HipConvertEnd * in, const HipConvertEnd * out, const HipConvertConfig * config,
    const HipColour * out_colour, HipConvertPlan * plan, GError ** error);

/* hip-convert-tensor.c: planes of a pass are the tensor's channels, by component */
gboolean hip_convert_plan_to_tensor (const GstVideoInfo * in, const GstHipTensorDesc * out,
    const HipConvertConfig * config, HipConvertPlan * plan, GError ** error);
gboolean hip_convert_plan_from_tensor (const GstHipTensorDesc * in, const GstVideoInfo * out,
    const HipConvertConfig * config, HipConvertPlan * plan, GError ** error);
/* For hip_convert_plan_ends () */
void hip_convert_tensor_samples (const GstHipTensorDesc * desc, HipConvertSamples samples[4], int row_bytes[4],
    guint8 planes[4]);
void hip_convert_tensor_numbers (const GstHipTensorDesc * desc, gboolean to_tensor, HipConvertTensor * tensor);

/* The weights that resample chroma in one direction. sub: log2 of pixels to a sample; centred: a sample stands between
 * the pixels of its own, else on the first. nearest: no filter. */
void hip_convert_axis (guint in_sub, gboolean in_centred, guint out_sub, gboolean out_centred, gboolean nearest,
    HipConvertAxis * axis);

G_END_DECLS
