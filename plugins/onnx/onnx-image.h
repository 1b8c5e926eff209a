/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What a model wants to see: which of its inputs is the picture, how its
 * dimensions are to be read, what its numbers mean. Pure: no runtime, no device.
 *
 * Who may include this: the plugin's own files and its tests.
 */
#pragma once

#include "onnx-model-info.h"

G_BEGIN_DECLS

typedef enum
{
  HIP_ONNX_LAYOUT_AUTO,
  HIP_ONNX_LAYOUT_NCHW,
  HIP_ONNX_LAYOUT_NHWC,
} HipOnnxLayout;

typedef enum
{
  HIP_ONNX_FORMAT_AUTO,
  HIP_ONNX_FORMAT_RGB,
  HIP_ONNX_FORMAT_BGR,
  HIP_ONNX_FORMAT_RGBA,
  HIP_ONNX_FORMAT_BGRA,
  HIP_ONNX_FORMAT_GRAY,
} HipOnnxFormat;

/* Numbers by channel: none, one for all, or one for each */
typedef struct
{
  gdouble values[4];
  guint n;
} HipOnnxNumbers;

typedef struct
{
  HipOnnxLayout layout;
  HipOnnxFormat format;
  HipOnnxNumbers scale, mean, std;
} HipOnnxImageSettings;

typedef struct
{
  gint batch_dim, channel_dim, height_dim, width_dim;   /* -1: there is none */
  gint64 batch, height, width;  /* of the model; -1: any */
  guint n_dims;
  GstHipTensorDesc desc;        /* all but batch and size */
  gchar *warning;               /* nullable: what in the settings is not as it seems */
} HipOnnxImage;

/* said: (nullable): of the model-info. FALSE with GST_HIP_ERROR_UNSUPPORTED (not a picture) or _INVALID (settings that do
 * not fit) and a text that names the tensor. */
gboolean hip_onnx_image_plan (HipOnnxImage * image, const HipOrtTensor * tensor, gboolean has_info,
                              const HipModelInfoTensor * said, const HipOnnxImageSettings * settings, GError ** error);
void hip_onnx_image_clear (HipOnnxImage * image);

/* What the tensor is like for frames of that size. dims: of image->n_dims. FALSE if it cannot be as large. */
gboolean hip_onnx_image_size (const HipOnnxImage * image, guint frame_width, guint frame_height, guint batch,
                              GstHipTensorDesc * desc, gint64 * dims, gsize * size_bytes, GError ** error);

G_END_DECLS
