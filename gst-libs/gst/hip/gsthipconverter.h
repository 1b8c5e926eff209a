/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Converts frames from one format and colour description to another, on a
 * device:
 *
 *   converter = gst_hip_converter_new (device, &in_info, &out_info, NULL, &error);
 *   for each frame:
 *     gst_hip_converter_convert_buffer (converter, stream, in, out, NULL, &error);
 *
 * or to and from tensors: gsthiptensor.h.
 */
#pragma once

#include <gst/hip/gsthiptensor.h>

G_BEGIN_DECLS

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
gboolean gst_hip_converter_is_supported_format (GstVideoFormat format);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipConverter, gst_object_unref)

G_END_DECLS
