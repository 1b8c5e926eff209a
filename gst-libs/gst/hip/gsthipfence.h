/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_FENCE_DATA (gst_hip_fence_data_get_type ())
#define GST_TYPE_HIP_FENCE_DATA_POOL (gst_hip_fence_data_pool_get_type ())
#define GST_HIP_FENCE_DATA_POOL(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_HIP_FENCE_DATA_POOL, GstHipFenceDataPool))
#define GST_IS_HIP_FENCE_DATA_POOL(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_HIP_FENCE_DATA_POOL))

GST_HIP_API
GType gst_hip_fence_data_get_type (void);

GST_HIP_API
GType gst_hip_fence_data_pool_get_type (void);

GST_HIP_API
GstHipFenceData * gst_hip_fence_data_new (void);

GST_HIP_API
GstHipFenceData * gst_hip_fence_data_ref (GstHipFenceData * fence);

GST_HIP_API
void gst_hip_fence_data_unref (GstHipFenceData * fence);

GST_HIP_API
void gst_hip_fence_data_push (GstHipFenceData * fence, gpointer data, GDestroyNotify destroy);

GST_HIP_API
void gst_hip_fence_data_push_object (GstHipFenceData * fence, GObject * object);

GST_HIP_API
void gst_hip_fence_data_push_mini_object (GstHipFenceData * fence, GstMiniObject * object);

GST_HIP_API
void gst_hip_fence_data_attach (GstHipFenceData * fence, GstHipEvent * event);

GST_HIP_API
GstHipFenceDataPool * gst_hip_fence_data_pool_new (void);

GST_HIP_API
GstHipFenceData * gst_hip_fence_data_pool_acquire (GstHipFenceDataPool * pool);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipFenceData, gst_hip_fence_data_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipFenceDataPool, gst_object_unref)

G_END_DECLS
