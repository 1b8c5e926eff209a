/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipmemory.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_ALLOCATOR (gst_hip_allocator_get_type ())
#define GST_HIP_ALLOCATOR(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_HIP_ALLOCATOR, GstHipAllocator))
#define GST_HIP_ALLOCATOR_CAST(obj) ((GstHipAllocator *) (obj))
#define GST_HIP_ALLOCATOR_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_HIP_ALLOCATOR, GstHipAllocatorClass))
#define GST_HIP_ALLOCATOR_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_HIP_ALLOCATOR, GstHipAllocatorClass))
#define GST_IS_HIP_ALLOCATOR(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_HIP_ALLOCATOR))
#define GST_IS_HIP_ALLOCATOR_CLASS(klass) (G_TYPE_CHECK_CLASS_TYPE ((klass), GST_TYPE_HIP_ALLOCATOR))

#define GST_TYPE_HIP_POOL_ALLOCATOR (gst_hip_pool_allocator_get_type ())
#define GST_HIP_POOL_ALLOCATOR(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_HIP_POOL_ALLOCATOR, GstHipPoolAllocator))
#define GST_HIP_POOL_ALLOCATOR_CAST(obj) ((GstHipPoolAllocator *) (obj))
#define GST_HIP_POOL_ALLOCATOR_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_HIP_POOL_ALLOCATOR, GstHipPoolAllocatorClass))
#define GST_HIP_POOL_ALLOCATOR_GET_CLASS(obj) \
  (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_HIP_POOL_ALLOCATOR, GstHipPoolAllocatorClass))
#define GST_IS_HIP_POOL_ALLOCATOR(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_HIP_POOL_ALLOCATOR))
#define GST_IS_HIP_POOL_ALLOCATOR_CLASS(klass) (G_TYPE_CHECK_CLASS_TYPE ((klass), GST_TYPE_HIP_POOL_ALLOCATOR))

struct _GstHipAllocator
{
  GstAllocator parent;

  /*< private >*/
  GstHipAllocatorPrivate *priv;
  gpointer _gst_reserved[GST_PADDING];
};

struct _GstHipAllocatorClass
{
  GstAllocatorClass parent_class;

  gboolean (*set_active) (GstHipAllocator * allocator, gboolean active);

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

struct _GstHipPoolAllocator
{
  GstHipAllocator parent;

  GstHipDevice *device;
  GstVideoInfo info;

  /*< private >*/
  GstHipPoolAllocatorPrivate *priv;
  gpointer _gst_reserved[GST_PADDING];
};

struct _GstHipPoolAllocatorClass
{
  GstHipAllocatorClass parent_class;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
};

GST_HIP_API
GType gst_hip_allocator_get_type (void);

GST_HIP_API
GstMemory * gst_hip_allocator_alloc (GstHipAllocator * allocator, GstHipDevice * device, const GstVideoInfo * info);

GST_HIP_API
GstMemory * gst_hip_allocator_alloc_video (GstHipAllocator * allocator, GstHipDevice * device, GstHipMemoryKind kind,
                                           const GstVideoInfo * info, GError ** error);

GST_HIP_API
GstMemory * gst_hip_allocator_alloc_linear (GstHipAllocator * allocator, GstHipDevice * device, gsize size,
                                            GError ** error);

GST_HIP_API
GstMemory * gst_hip_allocator_alloc_pinned (GstHipAllocator * allocator, GstHipDevice * device, gsize size,
                                            GError ** error);

GST_HIP_API
GstMemory * gst_hip_allocator_alloc_wrapped (GstHipAllocator * allocator, GstHipDevice * device, GstHipMemoryKind kind,
                                             gpointer data, gsize size, gpointer user_data, GDestroyNotify destroy,
                                             GError ** error);

GST_HIP_API
GstMemory * gst_hip_allocator_import_dmabuf (GstHipAllocator * allocator, GstHipDevice * device, GstHipStream * stream,
                                             gint fd, gsize offset, gsize size, gpointer user_data,
                                             GDestroyNotify destroy, GError ** error);

GST_HIP_API
GstMemory * gst_hip_allocator_import_memory (GstHipAllocator * allocator, GstHipDevice * device, GstHipStream * stream,
                                             GstMemory * source, gpointer user_data, GDestroyNotify destroy,
                                             GError ** error);

GST_HIP_API
gboolean gst_hip_allocator_set_active (GstHipAllocator * allocator, gboolean active);

GST_HIP_API
GType gst_hip_pool_allocator_get_type (void);

GST_HIP_API
GstHipPoolAllocator * gst_hip_pool_allocator_new (GstHipDevice * device, const GstVideoInfo * info);

GST_HIP_API
GstHipPoolAllocator * gst_hip_pool_allocator_new_full (GstHipDevice * device, GstHipMemoryKind kind,
                                                       const GstVideoInfo * info, gsize size, guint max_memories);

GST_HIP_API
GstFlowReturn gst_hip_pool_allocator_acquire_memory (GstHipPoolAllocator * allocator, GstMemory ** memory);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipAllocator, gst_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipPoolAllocator, gst_object_unref)

G_END_DECLS
