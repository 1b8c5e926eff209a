/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is a HIP memory: which kind, of which layout, at which address?
 *
 * A GstHipMemory is a view; what it is a view of is its private part, which
 * parts made by gst_memory_share () have in common. Layout is apart from
 * memory: only whole frames have one. Must not know: how it was allocated.
 */
#include "hip-memory.h"

GST_DEFINE_MINI_OBJECT_TYPE (GstHipMemory, gst_hip_memory);

guintptr
hip_memory_get_device_address (GstHipMemory * mem)
{
  return mem->priv->device_address + mem->mem.offset;
}

HipSpace
hip_memory_get_space (GstHipMemory * mem)
{
  return mem->priv->space;
}

HipContext *
hip_memory_get_context (GstHipMemory * mem)
{
  return mem->priv->context;
}

const GstVideoInfo *
hip_memory_peek_video_info (GstHipMemory * mem)
{
  return mem->priv->is_video && !mem->mem.parent ? &mem->priv->info : NULL;
}

/**
 * gst_is_hip_memory:
 * @mem: (nullable): a #GstMemory
 *
 * Returns: %TRUE if @mem is a #GstHipMemory
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_is_hip_memory (GstMemory * mem)
{
  return mem != NULL && mem->allocator != NULL
      && GST_IS_HIP_ALLOCATOR (mem->allocator);
}

/**
 * gst_hip_memory_get_kind:
 * @mem: a #GstHipMemory
 *
 * Returns: what @mem is
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstHipMemoryKind
gst_hip_memory_get_kind (GstHipMemory * mem)
{
  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)),
      GST_HIP_MEMORY_KIND_DEVICE);

  return mem->priv->kind;
}

/**
 * gst_hip_memory_get_video_info:
 * @mem: a #GstHipMemory
 * @info: (out caller-allocates): where to write the layout
 *
 * Gives the layout of a frame: format, size, and strides (bytes) and offsets
 * (bytes from the start of @mem) of its planes. Parts of frames have none.
 *
 * Returns: %FALSE if @mem is linear; @info is not written then
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_memory_get_video_info (GstHipMemory * mem, GstVideoInfo * info)
{
  const GstVideoInfo *layout;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), FALSE);
  g_return_val_if_fail (info != NULL, FALSE);

  layout = hip_memory_peek_video_info (mem);
  if (!layout)
    return FALSE;
  *info = *layout;
  return TRUE;
}

/**
 * gst_hip_memory_get_address:
 * @mem: a #GstHipMemory
 *
 * The address that kernels and native calls use for the first byte of @mem.
 * It orders nothing and transfers nothing: gst_hip_memory_begin_access() and
 * gst_hip_memory_end_access() go around its use. On a device with
 * %GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE the CPU can use it too.
 *
 * Returns: the device address, valid as long as @mem
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
guintptr
gst_hip_memory_get_address (GstHipMemory * mem)
{
  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), 0);

  return hip_memory_get_device_address (mem);
}
