/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Converts frames from one format, colour description and size to another, on a
 * device:
 *
 *   converter = gst_hip_converter_new (device, &in_info, &out_info, NULL, &error);
 *   for each frame:
 *     gst_hip_converter_convert_buffer (converter, stream, in, out, NULL, &error);
 *
 * or to and from tensors: gsthiptensor.h.
 */
#pragma once

#include <gst/hip/gsthipframemap.h>
#include <gst/hip/gsthiptensor.h>

G_BEGIN_DECLS

/**
 * GST_HIP_CONVERTER_OPT_METHOD:
 *
 * #GstHipScaleMethod, how frames are scaled. It comes before
 * #GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD. Default: auto, for tensors bilinear.
 *
 * Since: 1.30
 */
#define GST_HIP_CONVERTER_OPT_METHOD "GstHipConverter.method"
/**
 * GST_HIP_CONVERTER_OPT_DIRECTION:
 *
 * #GstVideoOrientationMethod, how the source rectangle is turned or mirrored: any of the eight but `auto` and `custom`.
 *
 * Since: 1.30
 */
#define GST_HIP_CONVERTER_OPT_DIRECTION "GstHipConverter.direction"
/**
 * GST_HIP_CONVERTER_OPT_RESIZE_MODE:
 *
 * #GstHipResizeMode, how a frame of another shape becomes a tensor. Default: stretch.
 *
 * Since: 1.30
 */
#define GST_HIP_CONVERTER_OPT_RESIZE_MODE "GstHipConverter.resize-mode"
/**
 * GST_HIP_CONVERTER_OPT_PAD_PLACEMENT:
 *
 * #GstHipPadPlacement, where a letterboxed picture is in its tensor. Default: centre.
 *
 * Since: 1.30
 */
#define GST_HIP_CONVERTER_OPT_PAD_PLACEMENT "GstHipConverter.pad-placement"
/**
 * GST_HIP_CONVERTER_OPT_PAD_VALUE:
 *
 * #gdouble, or #GstValueArray of one for each channel of the tensor: what its padding is, as a code of 0 to 255 that
 * scale, mean and std turn into elements as any other. Default: 114, alpha 255.
 *
 * Since: 1.30
 */
#define GST_HIP_CONVERTER_OPT_PAD_VALUE "GstHipConverter.pad-value"

#define GST_TYPE_HIP_CONVERTER (gst_hip_converter_get_type ())
#define GST_HIP_CONVERTER(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_HIP_CONVERTER, GstHipConverter))
#define GST_IS_HIP_CONVERTER(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_HIP_CONVERTER))

GST_HIP_API
GType gst_hip_converter_get_type (void);

GST_HIP_API
GstHipConverter * gst_hip_converter_new (GstHipDevice * device, const GstVideoInfo * in_info,
                                         const GstVideoInfo * out_info, const GstStructure * config, GError ** error);

GST_HIP_API
gboolean gst_hip_converter_convert_frame (GstHipConverter * converter, GstHipStream * stream,
                                          const GstVideoFrame * src_frame, const GstVideoFrame * dst_frame,
                                          GError ** error);

GST_HIP_API
gboolean gst_hip_converter_convert_buffer (GstHipConverter * converter, GstHipStream * stream, GstBuffer * src,
                                           GstBuffer * dst, GstHipEvent ** event, GError ** error);

/* Tensors */
GST_HIP_API
GstHipConverter * gst_hip_converter_new_to_tensor (GstHipDevice * device, const GstVideoInfo * in_info,
                                                   const GstHipTensorDesc * out_desc, const GstStructure * config,
                                                   GError ** error);

GST_HIP_API
GstHipConverter * gst_hip_converter_new_from_tensor (GstHipDevice * device, const GstHipTensorDesc * in_desc,
                                                     const GstVideoInfo * out_info, const GstStructure * config,
                                                     GError ** error);

GST_HIP_API
gboolean gst_hip_converter_convert_to_tensor (GstHipConverter * converter, GstHipStream * stream, GstBuffer * src,
                                              GstMemory * dst, gsize offset, guint batch_index, GstHipEvent ** event,
                                              GError ** error);

GST_HIP_API
gboolean gst_hip_converter_convert_from_tensor (GstHipConverter * converter, GstHipStream * stream, GstMemory * src,
                                                gsize offset, guint batch_index, GstBuffer * dst,
                                                GstHipEvent ** event, GError ** error);

GST_HIP_API
void gst_hip_converter_get_frame_map (GstHipConverter * converter, GstHipFrameMap * map);

GST_HIP_API
gboolean gst_hip_converter_is_supported_format (GstVideoFormat format);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipConverter, gst_object_unref)

G_END_DECLS
