/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where do the planes of a frame lie, and how do they get from one buffer to
 * another? Must not know elements or caps. Invariant: only visible bytes are
 * read or written, and none outside the buffer's memories, whatever its
 * metadata says.
 */
#include "config.h"

#include <string.h>

#include "hip-frame-copy.h"

/* The layout that counts for buffer. */
static gboolean
choose_layout (GstBuffer * buffer, const GstVideoInfo * info,
    gsize offset[GST_VIDEO_MAX_PLANES], gint stride[GST_VIDEO_MAX_PLANES],
    GError ** error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo own;
  GstMemory *memory;
  const gchar *whose;
  guint i, n = GST_VIDEO_INFO_N_PLANES (info);

  if (meta) {
    gst_video_info_init (&own);
    own.finfo = gst_video_format_get_info (meta->format);
    own.width = meta->width;
    own.height = meta->height;
    for (i = 0; i < MIN (n, meta->n_planes); i++) {
      own.offset[i] = meta->offset[i];
      own.stride[i] = meta->stride[i];
    }
    whose = "video meta";
  } else if (gst_buffer_n_memory (buffer) == 1
      && (memory = gst_buffer_peek_memory (buffer, 0))
      && gst_is_hip_memory (memory)
      && gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory), &own)) {
    whose = "memory";
  } else {
    own = *info;
    whose = "caps";
  }

  if (GST_VIDEO_INFO_FORMAT (&own) != GST_VIDEO_INFO_FORMAT (info)
      || GST_VIDEO_INFO_WIDTH (&own) < GST_VIDEO_INFO_WIDTH (info)
      || GST_VIDEO_INFO_HEIGHT (&own) < (meta ?
          GST_VIDEO_INFO_FIELD_HEIGHT (info) : GST_VIDEO_INFO_HEIGHT (info))
      || (meta && meta->n_planes < n)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the buffer's %s says %s %dx%d, its caps say %s %dx%d", whose,
        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&own)),
        GST_VIDEO_INFO_WIDTH (&own), GST_VIDEO_INFO_HEIGHT (&own),
        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (info)),
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
    return FALSE;
  }

  for (i = 0; i < n; i++) {
    offset[i] = own.offset[i];
    stride[i] = own.stride[i];
  }
  return TRUE;
}

static void
add_memory (HipFrame * frame, GstMemory * memory)
{
  guint i;

  for (i = 0; i < frame->n_memories; i++) {
    if (frame->memories[i] == memory)
      return;
  }
  frame->memories[frame->n_memories++] = memory;
}

static gboolean
locate_plane (HipFrame * frame, guint index, GstBuffer * buffer, gsize size,
    gsize offset, gint stride, GError ** error)
{
  HipPlane *plane = &frame->planes[index];
  gsize before = 0, extent, start, end, skip;
  guint memory_index, n_spanned, step = ABS (stride);

  if (plane->rows > 1 && step < plane->row_bytes) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "plane %u: a stride of %d bytes is less than a row of %"
        G_GSIZE_FORMAT, index, stride, plane->row_bytes);
    return FALSE;
  }
  if (!g_size_checked_mul (&extent, step, plane->rows - 1)
      || (stride < 0 && extent > offset))
    goto outside;
  if (stride < 0)
    before = extent;
  start = offset - before;
  if (!g_size_checked_add (&extent, extent, plane->row_bytes)
      || !g_size_checked_add (&end, start, extent) || end > size)
    goto outside;
  if (!gst_buffer_find_memory (buffer, start, extent, &memory_index,
          &n_spanned, &skip))
    goto outside;

  plane->stride = plane->rows > 1 ? stride : (gssize) plane->row_bytes;
  plane->host = NULL;
  plane->whole_offset = offset;
  if (n_spanned == 1) {
    plane->memory = gst_buffer_peek_memory (buffer, memory_index);
    plane->offset = skip + before;
    add_memory (frame, plane->memory);
  } else {
    plane->memory = NULL;
    frame->spans = TRUE;
  }
  frame->bottom_up |= plane->stride < 0;
  return TRUE;

outside:
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the buffer is too small: %" G_GSIZE_FORMAT " bytes, but plane %u has "
      "%u rows of %" G_GSIZE_FORMAT " bytes from %" G_GSIZE_FORMAT
      " with a stride of %d", size, index, plane->rows, plane->row_bytes,
      offset, stride);
  return FALSE;
}

gboolean
hip_frame_locate (HipFrame * frame, GstBuffer * buffer,
    const GstVideoInfo * info, GError ** error)
{
  gsize offset[GST_VIDEO_MAX_PLANES], size = gst_buffer_get_size (buffer);
  gint stride[GST_VIDEO_MAX_PLANES];
  guint i;

  frame->n_planes = GST_VIDEO_INFO_N_PLANES (info);
  frame->n_memories = 0;
  frame->spans = FALSE;
  frame->bottom_up = FALSE;
  if (!choose_layout (buffer, info, offset, stride, error))
    return FALSE;

  for (i = 0; i < frame->n_planes; i++) {
    if (!gst_hip_video_info_get_plane_size (info, i,
            &frame->planes[i].row_bytes, &frame->planes[i].rows)) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
          "%s frames cannot be copied by plane",
          gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (info)));
      return FALSE;
    }
    if (!locate_plane (frame, i, buffer, size, offset[i], stride[i], error))
      return FALSE;
  }
  return TRUE;
}

void
hip_frame_add_layout (const HipFrame * frame, GstBuffer * buffer,
    const GstVideoInfo * info)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0, };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0, };
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  for (guint i = 0; i < frame->n_planes; i++) {
    offset[i] = frame->planes[i].whole_offset;
    stride[i] = (gint) frame->planes[i].stride;
  }
  if (meta) {
    meta->flags = GST_VIDEO_FRAME_FLAG_NONE;
    meta->format = GST_VIDEO_INFO_FORMAT (info);
    meta->width = GST_VIDEO_INFO_WIDTH (info);
    meta->height = GST_VIDEO_INFO_FIELD_HEIGHT (info);
    meta->n_planes = frame->n_planes;
    memcpy (meta->offset, offset, sizeof (offset));
    memcpy (meta->stride, stride, sizeof (stride));
    return;
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_FIELD_HEIGHT (info), frame->n_planes, offset, stride);
}

gboolean
hip_frame_is_on_device (const HipFrame * frame, GstHipDevice * device,
    gboolean host_side)
{
  guint i;

  if (frame->spans || frame->bottom_up)
    return FALSE;
  for (i = 0; i < frame->n_memories; i++) {
    GstHipMemory *memory = GST_HIP_MEMORY_CAST (frame->memories[i]);
    GstHipMemoryKind kind;

    if (!gst_is_hip_memory (frame->memories[i])
        || !gst_hip_device_is_equal (memory->device, device))
      return FALSE;
    kind = gst_hip_memory_get_kind (memory);
    if (host_side != (kind == GST_HIP_MEMORY_KIND_PINNED
            || kind == GST_HIP_MEMORY_KIND_WRAPPED_HOST))
      return FALSE;
  }
  return TRUE;
}

void
hip_propagate_reason (GError ** error, GstHipError code,
    const gchar * otherwise)
{
  GError *reason = gst_hip_take_error ();

  if (!reason)
    reason = g_error_new_literal (GST_HIP_ERROR, code, otherwise);
  g_propagate_error (error, reason);
}

gboolean
hip_frame_map (HipFrame * frame, HipFrameHold * hold, GstMapFlags flags,
    GError ** error)
{
  g_autoptr (GError) before = gst_hip_take_error ();
  guint8 *data;
  gsize size;
  guint i;

  if (frame->spans) {
    data = hip_frame_hold_map_buffer (hold, flags, &size);
    if (!data)
      goto failed;
    for (i = 0; i < frame->n_planes; i++)
      frame->planes[i].host = data + frame->planes[i].whole_offset;
    return TRUE;
  }
  for (i = 0; i < frame->n_planes; i++) {
    HipPlane *plane = &frame->planes[i];

    data = hip_frame_hold_map_memory (hold, plane->memory, flags);
    if (!data)
      goto failed;
    plane->host = data + plane->offset;
  }
  return TRUE;

failed:
  hip_propagate_reason (error, GST_HIP_ERROR_FAILED,
      "the buffer's memory could not be mapped for the CPU");
  return FALSE;
}

static gboolean
begin_access (HipFrame * frame, GstHipStream * stream, GstMapFlags flags,
    GError ** error)
{
  guint i;

  for (i = 0; i < frame->n_memories; i++) {
    /* What is mapped for the CPU is not for the device to order. */
    if (!frame->planes[0].host
        && !gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST
            (frame->memories[i]), stream, flags, error))
      return FALSE;
  }
  return TRUE;
}

static GstHipCopyEnd
copy_end (const HipPlane * plane)
{
  GstHipCopyEnd end = { 0, };

  end.stride = (gsize) plane->stride;
  if (plane->host) {
    end.host = plane->host;
  } else {
    end.memory = plane->memory;
    end.offset = plane->offset;
  }
  return end;
}

/* Does next begin where bytes of first end? */
static gboolean
continues (const HipPlane * first, const HipPlane * next, gsize bytes)
{
  if (first->memory != next->memory)
    return FALSE;
  if (first->host || next->host)
    return first->host
        && next->host == (gpointer) ((guint8 *) first->host + bytes);
  return next->offset == first->offset + bytes;
}

/* Rows of one copy: planes that lie as one behind the other on both sides */
typedef struct
{
  const HipPlane *dst, *src;    /* the first plane's */
  gsize dst_stride, src_stride;
  gsize row_bytes, rows;
} Rows;

static gboolean
are_flat (const Rows * rows)
{
  return rows->rows == 1 || (rows->dst_stride == rows->row_bytes
      && rows->src_stride == rows->row_bytes);
}

static Rows
rows_of_plane (const HipFrame * dst, const HipFrame * src, guint plane)
{
  Rows rows = { &dst->planes[plane], &src->planes[plane], 0, };

  rows.dst_stride = (gsize) rows.dst->stride;
  rows.src_stride = (gsize) rows.src->stride;
  rows.row_bytes = rows.dst->row_bytes;
  rows.rows = rows.dst->rows;
  return rows;
}

/* Each copy costs the streaming thread a call of the driver. */
static gboolean
join (Rows * rows, const Rows * next)
{
  gsize bytes = rows->row_bytes * rows->rows;

  if (rows->row_bytes == next->row_bytes
      && rows->dst_stride == next->dst_stride
      && rows->src_stride == next->src_stride
      && continues (rows->dst, next->dst, rows->dst_stride * rows->rows)
      && continues (rows->src, next->src, rows->src_stride * rows->rows)) {
    rows->rows += next->rows;
    return TRUE;
  }
  if (are_flat (rows) && are_flat (next)
      && continues (rows->dst, next->dst, bytes)
      && continues (rows->src, next->src, bytes)) {
    rows->row_bytes = bytes + next->row_bytes * next->rows;
    rows->dst_stride = rows->src_stride = rows->row_bytes;
    rows->rows = 1;
    return TRUE;
  }
  return FALSE;
}

static gboolean
queue_rows (GstHipStream * stream, const Rows * rows, GError ** error)
{
  GstHipCopyEnd to = copy_end (rows->dst);
  GstHipCopyEnd from = copy_end (rows->src);

  return gst_hip_stream_copy_2d (stream, &to, &from, rows->row_bytes,
      rows->rows, error);
}

gboolean
hip_frame_queue_copy (GstHipStream * stream, HipFrame * dst, HipFrame * src,
    GError ** error)
{
  Rows rows;

  if (!begin_access (src, stream, GST_MAP_READ, error)
      || !begin_access (dst, stream, GST_MAP_WRITE, error))
    return FALSE;

  rows = rows_of_plane (dst, src, 0);
  for (guint i = 1; i < dst->n_planes; i++) {
    Rows next = rows_of_plane (dst, src, i);

    if (join (&rows, &next))
      continue;
    if (!queue_rows (stream, &rows, error))
      return FALSE;
    rows = next;
  }
  return queue_rows (stream, &rows, error);
}

void
hip_frame_copy_end (HipFrame * dst, HipFrame * src, GstHipEvent * event)
{
  guint i;

  for (i = 0; !src->planes[0].host && i < src->n_memories; i++) {
    gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST
        (src->memories[i]), event, GST_MAP_READ);
  }
  for (i = 0; !dst->planes[0].host && i < dst->n_memories; i++) {
    gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST
        (dst->memories[i]), event, GST_MAP_WRITE);
  }
}

void
hip_frame_copy_cpu (HipFrame * dst, HipFrame * src)
{
  guint i, row;

  for (i = 0; i < dst->n_planes; i++) {
    const HipPlane *from = &src->planes[i];
    const HipPlane *to = &dst->planes[i];
    const guint8 *in = from->host;
    guint8 *out = to->host;

    for (row = 0; row < to->rows; row++) {
      memcpy (out, in, to->row_bytes);
      out += to->stride;
      in += from->stride;
    }
  }
}
