/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What can be asked of an allocator, and which one stands for NULL?
 *
 * The front door of hip-memory-life.c: arguments are checked here. Must not
 * know: backends, pooling, and what accesses do.
 */
#include "gsthiperror.h"
#include "hip-layout.h"
#include "hip-memory.h"

GST_DEBUG_CATEGORY (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

G_DEFINE_TYPE (GstHipAllocator, gst_hip_allocator, GST_TYPE_ALLOCATOR);

static GstHipAllocator *default_allocator;

/* --- the object --- */

static GstMemory *
gst_hip_allocator_alloc_plain (GstAllocator * allocator, gsize size,
    GstAllocationParams * params)
{
  GST_WARNING_OBJECT (allocator, "HIP memory needs a device: use "
      "gst_hip_allocator_alloc_linear () or a GstHipBufferPool");
  return NULL;
}

static gboolean
gst_hip_allocator_always_active (GstHipAllocator * allocator, gboolean active)
{
  return TRUE;
}

static void
gst_hip_allocator_free (GstAllocator * allocator, GstMemory * memory)
{
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  if (!memory->parent)
    hip_memory_finish_when_idle (mem->priv);
  hip_memory_free (mem);
}

static void
gst_hip_allocator_class_init (GstHipAllocatorClass * klass)
{
  GstAllocatorClass *allocator_class = GST_ALLOCATOR_CLASS (klass);

  allocator_class->alloc = gst_hip_allocator_alloc_plain;
  allocator_class->free = gst_hip_allocator_free;
  klass->set_active = gst_hip_allocator_always_active;
  GST_DEBUG_CATEGORY_INIT (gst_hip_memory_debug, "hipmemory", 0,
      "HIP memory and its pending work");
}

static void
gst_hip_allocator_init (GstHipAllocator * self)
{
  GstAllocator *allocator = GST_ALLOCATOR_CAST (self);

  allocator->mem_type = GST_HIP_MEMORY_NAME;
  allocator->mem_map_full = hip_memory_map_full;
  allocator->mem_unmap_full = hip_memory_unmap_full;
  allocator->mem_copy = hip_memory_copy;
  allocator->mem_share = hip_memory_share;
  allocator->mem_is_span = hip_memory_is_span;
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

GstHipAllocator *
hip_allocator_get_default (void)
{
  static gsize made;

  if (g_once_init_enter (&made)) {
    default_allocator = g_object_new (GST_TYPE_HIP_ALLOCATOR, "name",
        "hipdefaultallocator", NULL);
    gst_object_ref_sink (default_allocator);
    GST_OBJECT_FLAG_SET (default_allocator, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    gst_allocator_register (GST_HIP_MEMORY_NAME,
        gst_object_ref (GST_ALLOCATOR_CAST (default_allocator)));
    g_once_init_leave (&made, 1);
  }
  return gst_object_ref (default_allocator);
}

/* --- the public doors --- */

/**
 * gst_hip_allocator_alloc:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @info: format and size of a frame
 *
 * Allocates a frame on @device, in the layout that @device likes best: that of
 * gst_hip_video_info_align() with #GstHipDeviceInfo.stride_align. Ask for it
 * with gst_hip_memory_get_video_info(). A failure is logged.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc (GstHipAllocator * allocator, GstHipDevice * device,
    const GstVideoInfo * info)
{
  g_autoptr (GError) error = NULL;
  GstMemory *memory = NULL;
  GstVideoInfo aligned;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (info != NULL, NULL);

  aligned = *info;
  if (gst_hip_video_info_align (&aligned,
          gst_hip_device_get_info (device)->stride_align, &error))
    memory = gst_hip_allocator_alloc_video (allocator, device,
        GST_HIP_MEMORY_KIND_DEVICE, &aligned, &error);
  if (!memory)
    GST_ERROR_OBJECT (device, "no frame: %s", error->message);
  return memory;
}

/**
 * gst_hip_allocator_alloc_video:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @kind: %GST_HIP_MEMORY_KIND_DEVICE, %GST_HIP_MEMORY_KIND_PINNED or
 *     %GST_HIP_MEMORY_KIND_EXPORTED
 * @info: the frame's layout, which is taken as it is: strides, offsets and size
 *     in bytes (gst_hip_video_info_align() makes one for a device)
 * @error: (out) (optional): return location for an error
 *
 * Allocates a frame of exactly @info's size.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory;
 *     %GST_HIP_ERROR_INVALID if planes do not lie in @info's size,
 *     %GST_HIP_ERROR_UNSUPPORTED for formats that do not lie in rows, and for
 *     memory that is to be exported by a device that exports none,
 *     %GST_HIP_ERROR_OUT_OF_MEMORY
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_video (GstHipAllocator * allocator,
    GstHipDevice * device, GstHipMemoryKind kind, const GstVideoInfo * info,
    GError ** error)
{
  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (kind == GST_HIP_MEMORY_KIND_DEVICE
      || kind == GST_HIP_MEMORY_KIND_PINNED
      || kind == GST_HIP_MEMORY_KIND_EXPORTED, NULL);
  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!hip_layout_check (info, error))
    return NULL;
  return hip_memory_make (allocator, device, kind, info, info->size, NULL,
      error);
}

/**
 * gst_hip_allocator_alloc_linear:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @size: bytes
 * @error: (out) (optional): return location for an error
 *
 * Allocates memory without a layout on @device: tensors, tables, scratch.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory;
 *     %GST_HIP_ERROR_INVALID for no or an absurd size,
 *     %GST_HIP_ERROR_OUT_OF_MEMORY
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_linear (GstHipAllocator * allocator,
    GstHipDevice * device, gsize size, GError ** error)
{
  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return hip_memory_make (allocator, device, GST_HIP_MEMORY_KIND_DEVICE, NULL,
      size, NULL, error);
}

/**
 * gst_hip_allocator_alloc_pinned:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @size: bytes
 * @error: (out) (optional): return location for an error
 *
 * Allocates CPU memory that @device reads and writes directly.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory;
 *     %GST_HIP_ERROR_INVALID for no or an absurd size,
 *     %GST_HIP_ERROR_OUT_OF_MEMORY
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_pinned (GstHipAllocator * allocator,
    GstHipDevice * device, gsize size, GError ** error)
{
  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return hip_memory_make (allocator, device, GST_HIP_MEMORY_KIND_PINNED, NULL,
      size, NULL, error);
}

/**
 * gst_hip_allocator_alloc_wrapped:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @kind: %GST_HIP_MEMORY_KIND_WRAPPED_HOST for CPU memory,
 *     %GST_HIP_MEMORY_KIND_WRAPPED_DEVICE for memory of @device
 * @data: address of the memory, the CPU's or the device's
 * @size: bytes
 * @user_data: (nullable): what @destroy is called with
 * @destroy: (nullable) (scope async): called once, on a worker thread, when
 *     the #GstHipMemory is gone and the device is done with @data
 * @error: (out) (optional): return location for an error
 *
 * Makes a memory of the application's bytes, without a copy. CPU memory is
 * page-locked while wrapped where the device needs that.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory, or %NULL, where
 *     @destroy is not called; %GST_HIP_ERROR_INVALID for no size or address,
 *     or what the driver says against page-locking
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_wrapped (GstHipAllocator * allocator,
    GstHipDevice * device, GstHipMemoryKind kind, gpointer data, gsize size,
    gpointer user_data, GDestroyNotify destroy, GError ** error)
{
  GstMemory *memory;

  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (kind == GST_HIP_MEMORY_KIND_WRAPPED_HOST
      || kind == GST_HIP_MEMORY_KIND_WRAPPED_DEVICE, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!data) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "there is no memory at address 0");
    return NULL;
  }
  memory = hip_memory_make (allocator, device, kind, NULL, size, data, error);
  if (memory) {
    GST_HIP_MEMORY_CAST (memory)->priv->user_data = user_data;
    GST_HIP_MEMORY_CAST (memory)->priv->destroy = destroy;
  }
  return memory;
}

/**
 * gst_hip_allocator_set_active:
 * @allocator: a #GstHipAllocator
 * @active: whether memory is to be had from it
 *
 * Pooling allocators give out memory only while active; becoming inactive
 * wakes who waits for memory and gives back what is idle. Others ignore it.
 *
 * Returns: %TRUE
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_allocator_set_active (GstHipAllocator * allocator, gboolean active)
{
  g_return_val_if_fail (GST_IS_HIP_ALLOCATOR (allocator), FALSE);

  return GST_HIP_ALLOCATOR_GET_CLASS (allocator)->set_active (allocator,
      active);
}
