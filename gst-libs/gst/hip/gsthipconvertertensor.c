/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a frame become a tensor in linear memory, and a tensor a frame?
 *
 * In one pass, which gsthipconverter.c runs: here a tensor is checked against
 * its memory and found in it. Knows no format, no colour and no kernel.
 */
#include "gsthipdevice.h"
#include "gsthiperror.h"
#include "gsthipmemory.h"
#include "hip-converter.h"
#include "hip-tensor.h"

/**
 * gst_hip_converter_new_to_tensor:
 * @device: a #GstHipDevice
 * @in_info: what frames to convert are like
 * @out_desc: what to make of them, of any size
 * @config: (nullable): options as gst_hip_converter_new() has them, and
 *     %GST_HIP_CONVERTER_OPT_RESIZE_MODE, %GST_HIP_CONVERTER_OPT_PAD_PLACEMENT
 *     and %GST_HIP_CONVERTER_OPT_PAD_VALUE; dithering is not done here
 * @error: return location for an error
 *
 * Plans a conversion to a tensor and makes its kernel ready. Elements are those
 * that #GstHipTensorDesc says, whatever the frames' format, range, chroma site
 * or matrix is.
 *
 * All of a frame, or of its source rectangle, becomes all of the tensor. To keep
 * its shape it may be letterboxed: it is made as large as fits, with
 * round (size * ratio) pixels in the direction in which there is room, and
 * floor (room / 2) pixels of padding come before it; or cropped: as much of its
 * middle is taken as has the tensor's shape. Pixels are taken to be squares.
 * gst_hip_converter_get_frame_map() says where the tensor's pixels come from:
 *
 * |[<!-- language="C" -->
 * config = gst_structure_new ("config",
 *     GST_HIP_CONVERTER_OPT_RESIZE_MODE, GST_TYPE_HIP_RESIZE_MODE,
 *     GST_HIP_RESIZE_MODE_LETTERBOX, NULL);
 * converter = gst_hip_converter_new_to_tensor (device, &info, &desc, config,
 *     &error);
 * gst_hip_converter_get_frame_map (converter, &map);
 * ...
 * gst_hip_frame_map_box (&map, x, y, w, h, &frame_x, &frame_y, &frame_w,
 *     &frame_h);
 * ]|
 *
 * Returns: (transfer full): a new converter, or %NULL with
 *     %GST_HIP_ERROR_UNSUPPORTED if there is no such conversion,
 *     %GST_HIP_ERROR_INVALID if there can be no such tensor or frame, or an
 *     error of the compiler
 *
 * Blocking: until the kernels are compiled or loaded.
 * Threads: any.
 * Since: 1.30
 */
GstHipConverter *
gst_hip_converter_new_to_tensor (GstHipDevice * device,
    const GstVideoInfo * in_info, const GstHipTensorDesc * out_desc,
    const GstStructure * config, GError ** error)
{
  g_autoptr (GstHipConverter) self = NULL;
  HipConvertConfig parsed;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (in_info != NULL && out_desc != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = hip_converter_new (device, HIP_CONVERTER_TO_TENSOR);
  self->in_info = *in_info;
  hip_convert_config_parse (config, &parsed);
  if (!gst_hip_tensor_desc_complete (out_desc, &self->tensor, error)
      || !hip_convert_plan_to_tensor (in_info, &self->tensor, &parsed,
          &self->plan, error)
      || !hip_converter_make_kernels (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * gst_hip_converter_new_from_tensor:
 * @device: a #GstHipDevice
 * @in_desc: what tensors to convert are like
 * @out_info: what frames to make of them are like, of any size
 * @config: (nullable): options as gst_hip_converter_new() has them
 * @error: return location for an error
 *
 * Plans a conversion from a tensor and makes its kernel ready.
 *
 * Returns: (transfer full): a new converter, or %NULL as
 *     gst_hip_converter_new_to_tensor() does
 *
 * Blocking: until the kernels are compiled or loaded.
 * Threads: any.
 * Since: 1.30
 */
GstHipConverter *
gst_hip_converter_new_from_tensor (GstHipDevice * device,
    const GstHipTensorDesc * in_desc, const GstVideoInfo * out_info,
    const GstStructure * config, GError ** error)
{
  g_autoptr (GstHipConverter) self = NULL;
  HipConvertConfig parsed;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (in_desc != NULL && out_info != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = hip_converter_new (device, HIP_CONVERTER_FROM_TENSOR);
  self->out_info = *out_info;
  hip_convert_config_parse (config, &parsed);
  if (!gst_hip_tensor_desc_complete (in_desc, &self->tensor, error)
      || !hip_convert_plan_from_tensor (&self->tensor, out_info, &parsed,
          &self->plan, error)
      || !hip_converter_make_kernels (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* --- tensors in memory --- */

static gboolean
get_tensor (GstHipConverter * self, GstMemory * memory, gsize offset,
    guint index, HipConverterEnd * end, GError ** error)
{
  const GstHipTensorDesc *desc = &self->tensor;
  gsize bytes = hip_tensor_get_picture_size (desc);
  guint element = hip_tensor_get_element_size (desc);
  gsize size, start, last;

  if (index >= desc->batch) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Picture %u of a tensor that has %u", index, desc->batch);
    return FALSE;
  }
  size = gst_memory_get_sizes (memory, &start, NULL);
  end->buffer = NULL;
  end->memory = memory;
  if (!g_size_checked_add (&end->offset, offset, index * desc->batch_stride)
      || !g_size_checked_add (&last, end->offset, bytes) || last > size) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Picture %u of a tensor, %" G_GSIZE_FORMAT " bytes of one that starts "
        "at %" G_GSIZE_FORMAT ", does not lie in its memory of %" G_GSIZE_FORMAT
        " bytes", index, bytes, offset, size);
    return FALSE;
  }
  /* Of a part of a memory, its own start counts, too */
  if ((start + offset) % element) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "A tensor with elements of %u bytes cannot start at byte %"
        G_GSIZE_FORMAT " of a memory that starts at %" G_GSIZE_FORMAT, element,
        offset, start);
    return FALSE;
  }
  return TRUE;
}

/**
 * gst_hip_converter_convert_to_tensor:
 * @converter: a #GstHipConverter of gst_hip_converter_new_to_tensor()
 * @stream: (nullable): stream to queue the work on, %NULL: the device's default
 * @src: the frame to convert, in HIP memory of the converter's device
 * @dst: where the tensor is: linear HIP memory of that device
 * @offset: bytes from the start of @dst to the first element of the tensor, a
 *     multiple of an element's size
 * @batch_index: which of the tensor's pictures to write, from 0
 * @event: (out) (optional) (transfer full): recorded behind the work
 * @error: return location for an error
 *
 * Queues the conversion of a frame to one picture of a tensor; the others are
 * not touched, nor is what strides leave between rows. The frame's layout is
 * found as by gst_hip_converter_convert_buffer().
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if the frame is not what the
 *     converter was made for, if frame or picture do not lie in their memory or
 *     elements not where they may, or as gst_hip_kernel_module_launch() does
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 * Threads: one at a time; order on @stream is the caller's business.
 * Since: 1.30
 */
gboolean
gst_hip_converter_convert_to_tensor (GstHipConverter * converter,
    GstHipStream * stream, GstBuffer * src, GstMemory * dst, gsize offset,
    guint batch_index, GstHipEvent ** event, GError ** error)
{
  HipConverterEnd in, out;

  g_return_val_if_fail (GST_IS_HIP_CONVERTER (converter), FALSE);
  g_return_val_if_fail (GST_IS_BUFFER (src) && dst != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (event)
    *event = NULL;
  return hip_converter_check_kind (converter, HIP_CONVERTER_TO_TENSOR, error)
      && hip_converter_get_frame (src, &converter->in_info, "source", &in,
      error)
      && get_tensor (converter, dst, offset, batch_index, &out, error)
      && hip_converter_run (converter, stream, &in, &out, event, error);
}

/**
 * gst_hip_converter_convert_from_tensor:
 * @converter: a #GstHipConverter of gst_hip_converter_new_from_tensor()
 * @stream: (nullable): stream to queue the work on, %NULL: the device's default
 * @src: where the tensor is: linear HIP memory of the converter's device
 * @offset: bytes from the start of @src to the first element of the tensor, a
 *     multiple of an element's size
 * @batch_index: which of the tensor's pictures to convert, from 0
 * @dst: (transfer none): the frame to write, in HIP memory of that device
 * @event: (out) (optional) (transfer full): recorded behind the work
 * @error: return location for an error
 *
 * Queues the conversion of one picture of a tensor to a frame. The frame's
 * layout is found as by gst_hip_converter_convert_buffer(), and what is outside
 * of it is not touched, either.
 *
 * Returns: %FALSE as gst_hip_converter_convert_to_tensor() does
 *
 * Blocking: only where no event can be recorded: until the stream is idle.
 * Threads: one at a time; order on @stream is the caller's business.
 * Since: 1.30
 */
gboolean
gst_hip_converter_convert_from_tensor (GstHipConverter * converter,
    GstHipStream * stream, GstMemory * src, gsize offset, guint batch_index,
    GstBuffer * dst, GstHipEvent ** event, GError ** error)
{
  HipConverterEnd in, out;

  g_return_val_if_fail (GST_IS_HIP_CONVERTER (converter), FALSE);
  g_return_val_if_fail (src != NULL && GST_IS_BUFFER (dst), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (event)
    *event = NULL;
  return hip_converter_check_kind (converter, HIP_CONVERTER_FROM_TENSOR, error)
      && hip_converter_get_frame (dst, &converter->out_info, "destination",
      &out, error)
      && get_tensor (converter, src, offset, batch_index, &in, error)
      && hip_converter_run (converter, stream, &in, &out, event, error);
}
