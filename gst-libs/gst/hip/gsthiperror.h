/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_HIP_ERROR (gst_hip_error_quark ())

GST_HIP_API
GQuark gst_hip_error_quark (void);

GST_HIP_API
GError * gst_hip_take_error (void);

G_END_DECLS
