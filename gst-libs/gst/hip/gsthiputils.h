/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

GST_HIP_API
gboolean gst_hip_ensure_element_data (GstElement * element, GstHipVendor vendor, gint device_id, GstHipDevice ** device);

GST_HIP_API
gboolean gst_hip_ensure_element_data_full (GstElement * element, GstHipVendor vendor, gint device_id,
                                           GstHipDevice ** device, GError ** error);

GST_HIP_API
gboolean gst_hip_handle_set_context (GstElement * element, GstContext * context, GstHipVendor vendor, gint device_id,
                                     GstHipDevice ** device);

GST_HIP_API
gboolean gst_hip_handle_context_query (GstElement * element, GstQuery * query, GstHipDevice * device);

GST_HIP_API
GstContext * gst_context_new_hip_device (GstHipDevice * device);

GST_HIP_API
gboolean gst_hip_check_types (const gchar * const * more, GError ** error);

G_END_DECLS
