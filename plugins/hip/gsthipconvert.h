/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include "gsthipconvertbase.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_CONVERT (gst_hip_convert_get_type ())
G_DECLARE_FINAL_TYPE (GstHipConvert, gst_hip_convert, GST, HIP_CONVERT, GstHipConvertBase)

GST_ELEMENT_REGISTER_DECLARE (hipconvert);

G_END_DECLS
