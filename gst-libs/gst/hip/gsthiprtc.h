/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Compiling for programs that load modules themselves, by gst/hip/hip-gst.h or their vendor's interface. Others use
 * #GstHipKernelModule, which needs no native call and gives errors with the compiler's text. */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

GST_HIP_API
gboolean gst_hip_rtc_load_library (GstHipVendor vendor);

GST_HIP_API
gchar * gst_hip_rtc_compile (GstHipDevice * device, const gchar * source, const gchar ** options, guint num_options);

G_END_DECLS
