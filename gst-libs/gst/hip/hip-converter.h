/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the files of GstHipConverter share: gsthipconverter.c for frames,
 * gsthipconvertertensor.c for tensors. Nobody else includes this. */
#pragma once

#include "gsthipconverter.h"
#include "hip-convert-kernels.h"
#include "hip-convert-plan.h"

G_BEGIN_DECLS

typedef enum
{
  HIP_CONVERTER_FRAMES,
  HIP_CONVERTER_TO_TENSOR,
  HIP_CONVERTER_FROM_TENSOR,
} HipConverterKind;

struct _GstHipConverter
{
  GstObject parent;

  GstHipDevice *device;
  HipConverterKind kind;
  GstVideoInfo in_info, out_info;       /* of sides that are frames */
  GstHipTensorDesc tensor;              /* complete */
  HipConvertPlan plan;
  HipConvertBinary binaries[G_N_ELEMENTS (((HipConvertPlan *) 0)->passes)];
  GstMemory *table, *between;           /* of a plan that scales: filters, what one pass leaves for the next */
  GstHipKernelArgs *args;               /* kept for its room */
};

/* Where one side of a conversion is: the planes of a frame, layout's offsets being in buffer, or channels of a tensor */
typedef struct
{
  GstBuffer *buffer;
  GstVideoInfo layout;

  GstMemory *memory;            /* NULL: a frame */
  gsize offset;
} HipConverterEnd;

GstHipConverter *hip_converter_new (GstHipDevice * device, HipConverterKind kind);
/* After the plan; FALSE with error set */
gboolean hip_converter_make_kernels (GstHipConverter * self, GError ** error);

gboolean hip_converter_check_kind (GstHipConverter * self, HipConverterKind kind, GError ** error);
gboolean hip_converter_get_frame (GstBuffer * buffer, const GstVideoInfo * info, const gchar * what,
    HipConverterEnd * end, GError ** error);
gboolean hip_converter_run (GstHipConverter * self, GstHipStream * stream, const HipConverterEnd * in,
    const HipConverterEnd * out, GstHipEvent ** event, GError ** error);

G_END_DECLS
