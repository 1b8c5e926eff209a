/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_DOWNLOAD (gst_hip_download_get_type ())
G_DECLARE_FINAL_TYPE (GstHipDownload, gst_hip_download, GST, HIP_DOWNLOAD, GstHipBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (hipdownload);

G_END_DECLS
