/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does memory of a device become a DMA-BUF for others?
 *
 * It was allocated for that, with its descriptor; here others get a GstMemory
 * that they know, which keeps it. Must not know: how a backend exports. Keeps:
 * the descriptor stays open as long as somebody has such a memory.
 */
#include <gst/allocators/gstdmabuf.h>

#include "gsthiperror.h"
#include "hip-memory.h"

/**
 * gst_hip_memory_export_dmabuf:
 * @mem: a #GstHipMemory of kind %GST_HIP_MEMORY_KIND_EXPORTED
 * @error: (out) (optional): return location for an error
 *
 * Makes a memory for which gst_is_dmabuf_memory() says yes of the same bytes:
 * its first is @mem's first. It keeps @mem, and its file descriptor is open as
 * long as it lives; duplicate that to keep the bytes for longer.
 *
 * Nobody orders what is done by way of the DMA-BUF: give it to others when the
 * work that writes to @mem has ended (gst_hip_memory_sync(), or its event), and
 * do not write to @mem before they are done. Whether the CPU can map it depends
 * on the driver: gst_memory_map() tells.
 *
 * Returns: (transfer full) (nullable): a new #GstMemory; %GST_HIP_ERROR_INVALID
 *     for memory of another kind or a part of one
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_memory_export_dmabuf (GstHipMemory * mem, GError ** error)
{
  g_autoptr (GstAllocator) allocator = NULL;
  GstMemory *result;

  g_return_val_if_fail (gst_is_hip_memory (GST_MEMORY_CAST (mem)), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (mem->priv->kind != GST_HIP_MEMORY_KIND_EXPORTED || mem->mem.parent) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "only a whole memory that was allocated to be exported has a DMA-BUF");
    return NULL;
  }
  allocator = gst_dmabuf_allocator_new ();
  result = gst_dmabuf_allocator_alloc_with_flags (allocator,
      mem->priv->exported_fd, mem->priv->size,
      GST_FD_MEMORY_FLAG_DONT_CLOSE | GST_FD_MEMORY_FLAG_KEEP_MAPPED);
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (result),
      g_quark_from_static_string ("GstHipExported"),
      gst_memory_ref (GST_MEMORY_CAST (mem)),
      (GDestroyNotify) gst_memory_unref);
  return result;
}
