/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include "gsthipconvertbase.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_SCALE (gst_hip_scale_get_type ())
G_DECLARE_FINAL_TYPE (GstHipScale, gst_hip_scale, GST, HIP_SCALE, GstHipConvertBase)

GST_ELEMENT_REGISTER_DECLARE (hipscale);

G_END_DECLS
