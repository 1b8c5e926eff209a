/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is a tensor to the planner of conversions?
 *
 * A frame of full range whose codes of 8 bit are not rounded, so that colour,
 * alpha and chroma are planned as for any frame; and numbers that make elements
 * of codes, or codes of elements. Knows no device.
 */
#include <string.h>

#include "gsthiperror.h"
#include "hip-convert-plan.h"
#include "hip-tensor.h"

G_STATIC_ASSERT ((guint) GST_HIP_TENSOR_DATA_TYPE_FLOAT32 ==
    HIP_CONVERT_FLOAT32);
G_STATIC_ASSERT ((guint) GST_HIP_TENSOR_DATA_TYPE_FLOAT16 ==
    HIP_CONVERT_FLOAT16);
G_STATIC_ASSERT ((guint) GST_HIP_TENSOR_DATA_TYPE_BFLOAT16 ==
    HIP_CONVERT_BFLOAT16);
G_STATIC_ASSERT ((guint) GST_HIP_TENSOR_DATA_TYPE_UINT8 == HIP_CONVERT_UINT8);
G_STATIC_ASSERT ((guint) GST_HIP_TENSOR_DATA_TYPE_INT8 == HIP_CONVERT_INT8);

void
hip_convert_tensor_samples (const GstHipTensorDesc * desc,
    HipConvertSamples samples[4], int row_bytes[4], guint8 planes[4])
{
  gboolean packed = desc->layout == GST_HIP_TENSOR_LAYOUT_NHWC;
  guint element = hip_tensor_get_element_size (desc);

  for (guint i = 0; i < 4; i++) {
    gint channel = hip_tensor_get_channel (desc, i);
    HipConvertSamples *s = &samples[i];

    row_bytes[i] = hip_tensor_get_row_size (desc);
    planes[i] = packed ? 0 : MAX (channel, 0);
    if (channel < 0)
      continue;
    s->offset = packed ? channel * element : 0;
    s->step = packed ? gst_hip_tensor_desc_get_n_channels (desc) * element :
        element;
    s->max = 255;
    s->columns = desc->width;
    s->rows = desc->height;
  }
}

void
hip_convert_tensor_numbers (const GstHipTensorDesc * desc, gboolean to_tensor,
    HipConvertTensor * tensor)
{
  tensor->type = desc->data_type;
  for (guint i = 0; i < 4; i++) {
    gint channel = MAX (hip_tensor_get_channel (desc, i), 0);
    double scale = desc->scale[channel], mean = desc->mean[channel];
    double std = desc->std[channel];

    tensor->scale[i] = to_tensor ? scale / std : std / scale;
    tensor->offset[i] = to_tensor ? -mean / std : mean / scale;
  }
}

/* What a frame would be that has the same samples */
static void
describe (const GstHipTensorDesc * desc, const GstVideoInfo * frame,
    HipFormat * format, GstVideoInfo * info)
{
  guint n = gst_hip_tensor_desc_get_n_channels (desc);
  memset (format, 0, sizeof (*format));
  format->name = "tensor";
  format->model = n == 1 ? HIP_MODEL_GRAY : HIP_MODEL_RGB;
  format->layout = n > 1 && desc->layout == GST_HIP_TENSOR_LAYOUT_NHWC ?
      HIP_LAYOUT_TENSOR_PACKED : HIP_LAYOUT_TENSOR_PLANAR;
  format->word_bytes = hip_tensor_get_element_size (desc);
  for (guint i = 0; i < 4; i++)
    format->comp[i].depth = hip_tensor_get_channel (desc, i) < 0 ? 0 : 8;

  gst_video_info_init (info);
  GST_VIDEO_INFO_WIDTH (info) = desc->width;
  GST_VIDEO_INFO_HEIGHT (info) = desc->height;
  GST_VIDEO_INFO_INTERLACE_MODE (info) = GST_VIDEO_INFO_INTERLACE_MODE (frame);
  /* A buffer has one of the fields */
  if (GST_VIDEO_INFO_INTERLACE_MODE (frame) ==
      GST_VIDEO_INTERLACE_MODE_ALTERNATE)
    GST_VIDEO_INFO_HEIGHT (info) *= 2;
  info->colorimetry = desc->colorimetry;
  info->colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255;
  info->chroma_site = GST_VIDEO_CHROMA_SITE_UNKNOWN;
}

gboolean
hip_convert_plan_to_tensor (const GstVideoInfo * in,
    const GstHipTensorDesc * out, const HipConvertConfig * config,
    HipConvertPlan * plan, GError ** error)
{
  HipFormat format;
  GstVideoInfo info;
  HipConvertEnd from = { in, hip_convert_find_format (in, error), NULL };
  HipConvertEnd to = { &info, &format, out };

  if (!from.format)
    return FALSE;
  describe (out, in, &format, &info);
  return hip_convert_plan_ends (&from, &to, config, plan, error);
}

gboolean
hip_convert_plan_from_tensor (const GstHipTensorDesc * in,
    const GstVideoInfo * out, const HipConvertConfig * config,
    HipConvertPlan * plan, GError ** error)
{
  HipFormat format;
  GstVideoInfo info;
  HipConvertEnd from = { &info, &format, in };
  HipConvertEnd to = { out, hip_convert_find_format (out, error), NULL };

  if (!to.format)
    return FALSE;
  describe (in, out, &format, &info);
  return hip_convert_plan_ends (&from, &to, config, plan, error);
}
