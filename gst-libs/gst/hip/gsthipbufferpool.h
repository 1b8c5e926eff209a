/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipmemory.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_BUFFER_POOL (gst_hip_buffer_pool_get_type ())
#define GST_HIP_BUFFER_POOL(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_HIP_BUFFER_POOL, GstHipBufferPool))
#define GST_HIP_BUFFER_POOL_CAST(obj) ((GstHipBufferPool *) (obj))
#define GST_HIP_BUFFER_POOL_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_HIP_BUFFER_POOL, GstHipBufferPoolClass))
#define GST_HIP_BUFFER_POOL_GET_CLASS(obj) \
  (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_HIP_BUFFER_POOL, GstHipBufferPoolClass))
#define GST_IS_HIP_BUFFER_POOL(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_HIP_BUFFER_POOL))
#define GST_IS_HIP_BUFFER_POOL_CLASS(klass) (G_TYPE_CHECK_CLASS_TYPE ((klass), GST_TYPE_HIP_BUFFER_POOL))

struct _GstHipBufferPool
{
  GstBufferPool parent;

  GstHipDevice *device;

  /*< private >*/
  GstHipBufferPoolPrivate *priv;
  gpointer _gst_reserved[GST_PADDING];
};

struct _GstHipBufferPoolClass
{
  GstBufferPoolClass parent_class;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

GST_HIP_API
GType gst_hip_buffer_pool_get_type (void);

GST_HIP_API
GstBufferPool * gst_hip_buffer_pool_new (GstHipDevice * device);

GST_HIP_API
GstBufferPool * gst_hip_buffer_pool_new_full (GstHipDevice * device, GstHipMemoryKind kind);

GST_HIP_API
GstHipMemoryKind gst_hip_buffer_pool_get_kind (GstHipBufferPool * pool);

GST_HIP_API
void gst_buffer_pool_config_set_hip_stream (GstStructure * config, GstHipStream * stream);

GST_HIP_API
GstHipStream * gst_buffer_pool_config_get_hip_stream (GstStructure * config);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipBufferPool, gst_object_unref)

G_END_DECLS
