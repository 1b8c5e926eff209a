/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_MEMORY (gst_hip_memory_get_type ())
#define GST_HIP_MEMORY_CAST(mem) ((GstHipMemory *) (mem))

/**
 * GST_HIP_MEMORY_NAME:
 *
 * Memory type of HIP allocators; the default allocator is registered under it.
 *
 * Since: 1.30
 */
#define GST_HIP_MEMORY_NAME "HIPMemory"

/**
 * GST_CAPS_FEATURE_MEMORY_HIP_MEMORY:
 *
 * Caps feature of frames in HIP device memory.
 *
 * Since: 1.30
 */
#define GST_CAPS_FEATURE_MEMORY_HIP_MEMORY "memory:HIPMemory"

/**
 * GST_MAP_HIP: (value 131072)
 *
 * Map flag that asks for the device address.
 *
 * Since: 1.30
 */
#define GST_MAP_HIP (GST_MAP_FLAG_LAST << 1)

/**
 * GST_MAP_READ_HIP: (value 131073)
 *
 * Since: 1.30
 */
#define GST_MAP_READ_HIP ((GstMapFlags) (GST_MAP_READ | GST_MAP_HIP))

/**
 * GST_MAP_WRITE_HIP: (value 131074)
 *
 * Since: 1.30
 */
#define GST_MAP_WRITE_HIP ((GstMapFlags) (GST_MAP_WRITE | GST_MAP_HIP))

/**
 * GstHipMemory:
 * @mem: the parent structure
 * @device: the device that the memory belongs to
 *
 * Memory that a device can use: on the device, page-locked, or wrapped.
 *
 * Since: 1.30
 */
struct _GstHipMemory
{
  GstMemory mem;

  GstHipDevice *device;

  /*< private >*/
  GstHipMemoryPrivate *priv;
  gpointer _gst_reserved[GST_PADDING];
};

GST_HIP_API
GType gst_hip_memory_get_type (void);

GST_HIP_API
gboolean gst_is_hip_memory (GstMemory * mem);

GST_HIP_API
GstHipMemoryKind gst_hip_memory_get_kind (GstHipMemory * mem);

GST_HIP_API
GstMemory * gst_hip_memory_export_dmabuf (GstHipMemory * mem, GError ** error);

GST_HIP_API
gboolean gst_hip_memory_get_video_info (GstHipMemory * mem, GstVideoInfo * info);

GST_HIP_API
guintptr gst_hip_memory_get_address (GstHipMemory * mem);

/* Ordering (the invariant I2) */
GST_HIP_API
GstHipStream * gst_hip_memory_get_stream (GstHipMemory * mem);

GST_HIP_API
void gst_hip_memory_set_stream (GstHipMemory * mem, GstHipStream * stream);

GST_HIP_API
gboolean gst_hip_memory_begin_access (GstHipMemory * mem, GstHipStream * stream, GstMapFlags flags, GError ** error);

GST_HIP_API
gboolean gst_hip_memory_end_access (GstHipMemory * mem, GstHipStream * stream, GstMapFlags flags, GError ** error);

GST_HIP_API
void gst_hip_memory_end_access_with_event (GstHipMemory * mem, GstHipEvent * event, GstMapFlags flags);

GST_HIP_API
gboolean gst_hip_memory_begin_native_access (GstHipMemory * mem, guintptr stream, GstMapFlags flags, GError ** error);

GST_HIP_API
gboolean gst_hip_memory_end_native_access (GstHipMemory * mem, guintptr stream, GstMapFlags flags, GError ** error);

GST_HIP_API
void gst_hip_memory_set_event (GstHipMemory * mem, GstHipEvent * event);

GST_HIP_API
gboolean gst_hip_memory_is_idle (GstHipMemory * mem, GstMapFlags flags);

GST_HIP_API
void gst_hip_memory_sync (GstHipMemory * mem);

/* Textures */
GST_HIP_API
guintptr gst_hip_memory_get_texture_object (GstHipMemory * mem, guint plane, GstHipTextureFilter filter,
                                            GstHipTextureAddress address, GError ** error);

/* Layout */
GST_HIP_API
gboolean gst_hip_video_info_get_plane_size (const GstVideoInfo * info, guint plane, gsize * row_bytes, guint * rows);

GST_HIP_API
gboolean gst_hip_video_info_align (GstVideoInfo * info, guint stride_align, GError ** error);

GST_HIP_API
gboolean gst_hip_video_info_from_caps (GstVideoInfo * info, const GstCaps * caps, GError ** error);

GST_HIP_API
GstCaps * gst_hip_get_supported_formats_caps (const gchar * feature);

G_END_DECLS
