/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Declarations of gst/hip/hip-gst.h for the file that has these functions, gsthipnative.c, which has no HIP headers. */
#pragma once

#include "hip-native.h"

G_BEGIN_DECLS

GST_HIP_API
gboolean _gst_hip_result (HipResult result, GstHipVendor vendor, GstDebugCategory * category, const gchar * file,
                          const gchar * function, gint line);

GST_HIP_API
HipResult gst_hip_device_get_attribute (GstHipDevice * device, guint attribute, gint * value);

GST_HIP_API
HipStreamHandle gst_hip_stream_get_handle (GstHipStream * stream);

GST_HIP_API
HipResult gst_hip_event_record (GstHipEvent * event, HipStreamHandle stream);

GST_HIP_API
HipResult gst_hip_event_query (GstHipEvent * event);

GST_HIP_API
HipResult gst_hip_event_synchronize (GstHipEvent * event);

GST_HIP_API
gboolean gst_hip_memory_get_texture (GstHipMemory * mem, guint plane, guint filter_mode, guint address_mode,
                                     HipTextureHandle * texture);

G_END_DECLS
