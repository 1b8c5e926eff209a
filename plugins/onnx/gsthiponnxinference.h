/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_ONNX_INFERENCE (gst_hip_onnx_inference_get_type ())
G_DECLARE_FINAL_TYPE (GstHipOnnxInference, gst_hip_onnx_inference, GST, HIP_ONNX_INFERENCE, GstElement)

GST_ELEMENT_REGISTER_DECLARE (hiponnxinference)

G_END_DECLS
