/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_UPLOAD (gst_hip_upload_get_type ())
G_DECLARE_FINAL_TYPE (GstHipUpload, gst_hip_upload, GST, HIP_UPLOAD, GstHipBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (hipupload);

G_END_DECLS
