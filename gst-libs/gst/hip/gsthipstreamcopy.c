/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is a copy or a fill inside its memory, and which addresses is it of?
 *
 * Everything is checked here with arithmetic that cannot overflow; backends
 * trust it. Must not know: ordering (begin and end access of the memory). */
#include "hip-stream.h"
#include "hip-memory.h"
#include "gsthiperror.h"

/* Offset behind the last byte of rows of row_bytes, from the first one's */
static gboolean
area_size (gsize stride, gsize row_bytes, gsize rows, gsize * size)
{
  return g_size_checked_mul (size, stride, rows - 1)
      && g_size_checked_add (size, *size, row_bytes);
}

static gboolean
check_memory (GstHipStream * stream, GstMemory * memory, gsize offset,
    gsize area, gboolean write, GError ** error)
{
  gsize end;

  if (!gst_is_hip_memory (memory)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "not HIP memory: give its CPU address as host");
    return FALSE;
  }
  if (hip_memory_get_context ((GstHipMemory *) memory)
      != hip_stream_get_context (stream)
      && (write || !hip_memory_is_peer (GST_HIP_MEMORY_CAST (memory),
              hip_stream_get_context (stream)))) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the memory belongs to another device than the stream");
    return FALSE;
  }
  if (write && GST_MEMORY_IS_READONLY (memory)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the memory is read-only");
    return FALSE;
  }
  if (!g_size_checked_add (&end, offset, area) || end > memory->size) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "%" G_GSIZE_FORMAT " bytes from offset %" G_GSIZE_FORMAT " are not "
        "inside a memory of %" G_GSIZE_FORMAT " bytes", area, offset,
        memory->size);
    return FALSE;
  }

  return TRUE;
}

static gboolean
resolve_end (GstHipStream * stream, const GstHipCopyEnd * end,
    gsize row_bytes, gsize rows, gboolean write, HipSpace * space,
    guintptr * address, GError ** error)
{
  gsize area;

  if ((end->memory == NULL) == (end->host == NULL)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "one side of a copy is either a memory or a host address");
    return FALSE;
  }
  if (rows > 1 && end->stride < row_bytes) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "rows of %" G_GSIZE_FORMAT " bytes overlap at a stride of %"
        G_GSIZE_FORMAT, row_bytes, end->stride);
    return FALSE;
  }
  if (!area_size (end->stride, row_bytes, rows, &area)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a copy of %" G_GSIZE_FORMAT " rows of %" G_GSIZE_FORMAT
        " bytes is larger than any memory", rows, row_bytes);
    return FALSE;
  }

  if (end->host) {
    gsize last = 0;

    if (!g_size_checked_add (&last, end->offset, area)
        || !g_size_checked_add (&last, last, (gsize) end->host)) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "a copy beyond the end of the address space");
      return FALSE;
    }
    *space = HIP_SPACE_PINNED;
    *address = (guintptr) end->host + end->offset;
    return TRUE;
  }

  if (!check_memory (stream, end->memory, end->offset, area, write, error))
    return FALSE;
  *space = hip_memory_get_space ((GstHipMemory *) end->memory);
  *address =
      hip_memory_get_device_address ((GstHipMemory *) end->memory) +
      end->offset;

  return TRUE;
}

/* The context that src is in, where it is not the stream's */
static HipContext *
get_peer (GstHipStream * stream, const GstHipCopyEnd * src)
{
  HipContext *context = src->memory ?
      hip_memory_get_context (GST_HIP_MEMORY_CAST (src->memory)) : NULL;

  return context == hip_stream_get_context (stream) ? NULL : context;
}

/**
 * gst_hip_stream_copy_2d:
 * @stream: a #GstHipStream
 * @dst: where to
 * @src: where from
 * @row_bytes: bytes of a row, > 0
 * @rows: number of rows, > 0
 * @error: return location for an error
 *
 * Queues a copy of @rows rows. Where @rows is 1 strides do not matter. Nothing
 * is ordered but by @stream. @src may be memory of another context of @stream's
 * vendor where the driver copies between contexts, as NVIDIA's does. Use gst_hip_memory_begin_access() and
 * gst_hip_memory_end_access() around, and keep both sides alive until it is
 * done (#GstHipFenceData).
 *
 * Errors: INVALID for an empty copy, one that is not inside its memory, rows
 * that overlap, or memory of another device; DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether the copy was queued
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_copy_2d (GstHipStream * stream, const GstHipCopyEnd * dst,
    const GstHipCopyEnd * src, gsize row_bytes, gsize rows, GError ** error)
{
  HipContext *context;
  HipContext *peer;
  HipCopy2D copy = { 0 };
  GError *failure = NULL;
  gboolean queued;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (dst != NULL && src != NULL, FALSE);

  if (row_bytes == 0 || rows == 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a copy of nothing: %" G_GSIZE_FORMAT " rows of %" G_GSIZE_FORMAT
        " bytes", rows, row_bytes);
    return FALSE;
  }
  if (!resolve_end (stream, dst, row_bytes, rows, TRUE, &copy.dst_space,
          &copy.dst, error)
      || !resolve_end (stream, src, row_bytes, rows, FALSE, &copy.src_space,
          &copy.src, error))
    return FALSE;

  copy.dst_stride = rows > 1 ? dst->stride : row_bytes;
  copy.src_stride = rows > 1 ? src->stride : row_bytes;
  copy.row_bytes = row_bytes;
  copy.rows = rows;

  context = hip_stream_get_context (stream);
  peer = get_peer (stream, src);
  if (!hip_context_enter (context, error))
    return FALSE;
  if (peer)
    queued = context->backend->stream_copy_peer (context->native,
        hip_stream_get_native (stream), peer->native, &copy, &failure);
  else
    queued = context->backend->stream_copy_2d (context->native,
        hip_stream_get_native (stream), &copy, &failure);
  hip_context_leave (context);

  return queued || hip_context_failed_with (context, error, failure);
}

/**
 * gst_hip_stream_fill:
 * @stream: a #GstHipStream
 * @memory: HIP memory of the stream's device
 * @offset: first byte, from the start of the memory's current view
 * @size: number of bytes, > 0
 * @value: what each byte becomes
 * @error: return location for an error
 *
 * Queues a fill. As with gst_hip_stream_copy_2d() nothing is ordered but by
 * @stream, and nothing is kept alive.
 *
 * Errors: INVALID for an empty fill, one that is not inside @memory, or memory
 * of another device; DEVICE_LOST, FAILED.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether the fill was queued
 *
 * Since: 1.30
 */
gboolean
gst_hip_stream_fill (GstHipStream * stream, GstMemory * memory, gsize offset,
    gsize size, guint8 value, GError ** error)
{
  HipContext *context;
  GstHipMemory *mem;
  GError *failure = NULL;
  gboolean queued;

  g_return_val_if_fail (GST_IS_HIP_STREAM (stream), FALSE);
  g_return_val_if_fail (memory != NULL, FALSE);

  if (size == 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a fill of nothing");
    return FALSE;
  }
  if (!check_memory (stream, memory, offset, size, TRUE, error))
    return FALSE;
  mem = (GstHipMemory *) memory;

  context = hip_stream_get_context (stream);
  if (!hip_context_enter (context, error))
    return FALSE;
  queued = context->backend->stream_fill (context->native,
      hip_stream_get_native (stream), hip_memory_get_space (mem),
      hip_memory_get_device_address (mem) + offset, size, value, &failure);
  hip_context_leave (context);

  return queued || hip_context_failed_with (context, error, failure);
}
