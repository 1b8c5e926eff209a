/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_KERNEL (gst_hip_kernel_get_type ())
G_DECLARE_FINAL_TYPE (GstHipKernel, gst_hip_kernel, GST, HIP_KERNEL, GstHipBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (hipkernel);

G_END_DECLS
