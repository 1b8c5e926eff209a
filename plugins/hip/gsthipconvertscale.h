/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include "gsthipconvertbase.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_CONVERT_SCALE (gst_hip_convert_scale_get_type ())
G_DECLARE_FINAL_TYPE (GstHipConvertScale, gst_hip_convert_scale, GST, HIP_CONVERT_SCALE, GstHipConvertBase)

GST_ELEMENT_REGISTER_DECLARE (hipconvertscale);

G_END_DECLS
