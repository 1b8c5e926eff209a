/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What pictures are like as numbers in linear memory, for a model or from one.
 * All that is 0 has a default, so a description is short:
 *
 *   GstHipTensorDesc desc = { .width = 640, .height = 640,
 *     .mean = { 0.485, 0.456, 0.406 }, .std = { 0.229, 0.224, 0.225 } };
 *   gsize size;
 *
 *   if (gst_hip_tensor_desc_get_size (&desc, &size, &error)) {
 *     memory = gst_hip_allocator_alloc_linear (NULL, device, size, &error);
 *     converter = gst_hip_converter_new_to_tensor (device, &info, &desc, NULL, &error);
 *     for each frame:
 *       gst_hip_converter_convert_to_tensor (converter, stream, frame, memory, 0, 0, NULL, &error);
 *   }
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_TENSOR_DESC (gst_hip_tensor_desc_get_type ())

/**
 * GstHipTensorDesc:
 * @data_type: what an element is
 * @layout: the order of dimensions
 * @format: what the channels are
 * @batch: pictures in the tensor; 0: one
 * @width: elements of a row
 * @height: rows
 * @row_stride: bytes between rows; 0: they follow each other
 * @channel_stride: bytes between channels; 0: they follow each other. With %GST_HIP_TENSOR_LAYOUT_NHWC it is an
 *     element's size
 * @batch_stride: bytes between pictures; 0: they follow each other
 * @scale: by channel; 0: 1/255 for floating point, 1 for integers
 * @mean: by channel
 * @std: by channel; 0: 1
 * @colorimetry: of the colours that the numbers stand for: primaries and transfer function, and for gray the matrix.
 *     What is unknown (0) is taken to be as in the frame. The range does not matter.
 *
 * Describes a tensor of pictures in linear memory.
 *
 * An element is `y = (x * scale - mean) / std`. x is what a frame of 8 bit and full range would hold, but not rounded:
 * of R'G'B' and luma 0 for black and 255 for white, of alpha 0 for transparent and 255 for opaque, never less and
 * never more. Integers are rounded to nearest, ties to even, and clamped to what their type holds; floating point is
 * rounded likewise.
 *
 * In the other direction `x = (y * std + mean) / scale`, then clamped to 0 to 255; what is not a number is 0.
 *
 * For example, networks trained on ImageNet want the default scale with mean 0.485, 0.456, 0.406 and std 0.229, 0.224,
 * 0.225: red of 255 becomes (255 / 255 - 0.485) / 0.229 = 2.2489. Channels of int8 that are 0 in the middle have
 * mean 128.
 *
 * Since: 1.30
 */
struct _GstHipTensorDesc
{
  GstHipTensorDataType data_type;
  GstHipTensorLayout layout;
  GstHipTensorFormat format;
  guint batch;
  guint width, height;
  gsize row_stride;
  gsize channel_stride;
  gsize batch_stride;
  gdouble scale[4];
  gdouble mean[4];
  gdouble std[4];
  GstVideoColorimetry colorimetry;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_HIP_API
GType gst_hip_tensor_desc_get_type (void);

GST_HIP_API
GstHipTensorDesc * gst_hip_tensor_desc_new (GstHipTensorDataType data_type, GstHipTensorLayout layout,
                                            GstHipTensorFormat format, guint width, guint height);

GST_HIP_API
GstHipTensorDesc * gst_hip_tensor_desc_copy (const GstHipTensorDesc * desc);

GST_HIP_API
void gst_hip_tensor_desc_free (GstHipTensorDesc * desc);

GST_HIP_API
gboolean gst_hip_tensor_desc_complete (const GstHipTensorDesc * desc, GstHipTensorDesc * complete, GError ** error);

GST_HIP_API
gboolean gst_hip_tensor_desc_get_size (const GstHipTensorDesc * desc, gsize * size, GError ** error);

GST_HIP_API
guint gst_hip_tensor_desc_get_n_channels (const GstHipTensorDesc * desc);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipTensorDesc, gst_hip_tensor_desc_free)

G_END_DECLS
