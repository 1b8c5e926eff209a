/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What do copies and parts of a memory consist of, and who copies the bytes?
 *
 * Keeps I2: a copy on the device is a use of both memories like any other.
 * Must not know: how memory is made and given back, and pooling.
 */
#include <string.h>

#include "hip-memory.h"
#include "hip-stream.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

static gboolean
copy_on_device (GstHipMemory * src, gsize offset, GstHipMemory * dst,
    GError ** error)
{
  g_autoptr (GstHipStream) stream = hip_memory_ref_stream (src->priv, error);
  g_autoptr (GstHipEvent) event = NULL;

  if (!stream || !gst_hip_memory_begin_access (src, stream, GST_MAP_READ, error)
      || !gst_hip_memory_begin_access (dst, stream, GST_MAP_WRITE, error)
      || !hip_memory_queue_planes (dst->priv, stream, dst->priv->space,
          dst->priv->device_address, src->priv->space,
          src->priv->device_address + offset, error)
      || !(event = gst_hip_stream_record (stream, FALSE, error)))
    return FALSE;
  gst_hip_memory_end_access_with_event (src, event, GST_MAP_READ);
  gst_hip_memory_end_access_with_event (dst, event, GST_MAP_WRITE);
  gst_hip_memory_set_stream (dst, stream);
  return TRUE;
}

static gboolean
copy_on_cpu (GstMemory * src, gsize offset, GstMemory * dst)
{
  GstMapInfo from, to;

  if (!gst_memory_map (src, &from, GST_MAP_READ))
    return FALSE;
  if (!gst_memory_map (dst, &to, GST_MAP_WRITE)) {
    gst_memory_unmap (src, &from);
    return FALSE;
  }
  memcpy (to.data, from.data + offset, to.size);
  gst_memory_unmap (dst, &to);
  gst_memory_unmap (src, &from);
  return TRUE;
}

/* Device memory is copied on its stream, without waiting; what the CPU can read
 * by the CPU, since it may be overwritten as soon as it is released. */
GstMemory *
hip_memory_copy (GstMemory * memory, gssize offset, gssize size)
{
  GstHipMemory *src = GST_HIP_MEMORY_CAST (memory);
  const GstVideoInfo *info = hip_memory_peek_video_info (src);
  gboolean on_cpu = hip_memory_kind_is_host (src->priv->kind);
  g_autoptr (GError) error = NULL;
  GstMemory *copy;

  if (offset < 0 || (gsize) offset > memory->size)
    return NULL;
  if (size == -1)
    size = memory->size - offset;
  if (memory->offset + offset != 0 || (gsize) size != src->priv->size)
    info = NULL;

  copy = hip_memory_make (NULL, src->device, on_cpu ? GST_HIP_MEMORY_KIND_PINNED
      : GST_HIP_MEMORY_KIND_DEVICE, info, size, NULL, &error);
  if (copy && on_cpu && !copy_on_cpu (memory, offset, copy))
    gst_clear_mini_object ((GstMiniObject **) & copy);
  else if (copy && !on_cpu && !copy_on_device (src, memory->offset + offset,
          GST_HIP_MEMORY_CAST (copy), &error))
    gst_clear_mini_object ((GstMiniObject **) & copy);
  if (!copy)
    GST_ERROR ("copying %p: %s", memory,
        error ? error->message : "it cannot be mapped");
  return copy;
}

GstMemory *
hip_memory_share (GstMemory * memory, gssize offset, gssize size)
{
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);
  GstMemory *parent = memory->parent ? memory->parent : memory;
  GstMemory *part;

  if (size == -1)
    size = memory->size - offset;
  part = hip_memory_new (memory->allocator, mem->priv, parent, memory->maxsize,
      memory->offset + offset, size);
  GST_MINI_OBJECT_FLAG_SET (part, GST_MINI_OBJECT_FLAGS (parent)
      & GST_MINI_OBJECT_FLAG_LOCK_READONLY);
  return part;
}

gboolean
hip_memory_is_span (GstMemory * first, GstMemory * second, gsize * offset)
{
  return FALSE;
}
