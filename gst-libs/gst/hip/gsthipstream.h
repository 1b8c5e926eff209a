/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_STREAM (gst_hip_stream_get_type ())
#define GST_HIP_STREAM(obj) ((GstHipStream *) (obj))
#define GST_IS_HIP_STREAM(obj) (GST_IS_MINI_OBJECT_TYPE ((obj), GST_TYPE_HIP_STREAM))

/**
 * GstHipCopyEnd:
 * @memory: (nullable): HIP memory of the stream's device, or %NULL to use @host
 * @host: (nullable): CPU address: page-locked, or any where the device has %GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE
 * @offset: first byte, from the start of the memory's current view (gst_memory_get_sizes() offset applied) or of @host
 * @stride: bytes from one row to the next
 *
 * One side of gst_hip_stream_copy_2d().
 *
 * Since: 1.30
 */
struct _GstHipCopyEnd
{
  GstMemory *memory;
  gpointer host;
  gsize offset;
  gsize stride;
};

GST_HIP_API
GType gst_hip_stream_get_type (void);

GST_HIP_API
GstHipStream * gst_hip_stream_new (GstHipVendor vendor, guint device_id);

GST_HIP_API
GstHipStream * gst_hip_stream_new_full (GstHipDevice * device, gint priority, GError ** error);

GST_HIP_API
GstHipVendor gst_hip_stream_get_vendor (GstHipStream * stream);

GST_HIP_API
guint gst_hip_stream_get_device_id (GstHipStream * stream);

GST_HIP_API
gboolean gst_hip_stream_is_for_device (GstHipStream * stream, GstHipDevice * device);

GST_HIP_API
guintptr gst_hip_stream_get_native_handle (GstHipStream * stream);

/* Queueing */
GST_HIP_API
gboolean gst_hip_stream_record_event (GstHipStream * stream, GstHipEvent ** event);

GST_HIP_API
GstHipEvent * gst_hip_stream_record (GstHipStream * stream, gboolean timed, GError ** error);

GST_HIP_API
gboolean gst_hip_stream_wait_event (GstHipStream * stream, GstHipEvent * event, GError ** error);

GST_HIP_API
gboolean gst_hip_stream_copy_2d (GstHipStream * stream, const GstHipCopyEnd * dst, const GstHipCopyEnd * src,
                                 gsize row_bytes, gsize rows, GError ** error);

GST_HIP_API
gboolean gst_hip_stream_fill (GstHipStream * stream, GstMemory * memory, gsize offset, gsize size, guint8 value,
                              GError ** error);

/* Waiting */
GST_HIP_API
gboolean gst_hip_stream_synchronize (GstHipStream * stream);

GST_HIP_API
gboolean gst_hip_stream_synchronize_full (GstHipStream * stream, GError ** error);

/* References */
GST_HIP_API
GstHipStream * gst_hip_stream_ref (GstHipStream * stream);

GST_HIP_API
void gst_hip_stream_unref (GstHipStream * stream);

GST_HIP_API
void gst_clear_hip_stream (GstHipStream ** stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipStream, gst_hip_stream_unref)

G_END_DECLS
