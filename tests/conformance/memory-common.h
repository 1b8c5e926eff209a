/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the conformance tests of memory and pools share */
#pragma once

#include <string.h>

#include "vendor.h"

#define PATIENCE_US (60 * G_TIME_SPAN_SECOND)

/* Until condition holds; what is waited for happens on a worker. */
#define wait_for(condition) G_STMT_START {                              \
  gint64 wait_end = g_get_monotonic_time () + PATIENCE_US;              \
  gboolean came;                                                        \
  while (!(came = (condition)) && g_get_monotonic_time () < wait_end)   \
    g_usleep (500);                                                     \
  fail_unless (came, "never came: %s", #condition);                     \
} G_STMT_END

#define assert_no_error(error) \
    fail_unless (error == NULL, "%s", error ? error->message : "")

#define assert_hip_error(error, wanted) G_STMT_START {                  \
  fail_unless (g_error_matches (error, GST_HIP_ERROR, wanted), "%s",    \
      error ? error->message : "no error");                             \
  g_clear_error (&error);                                               \
} G_STMT_END

static GstHipDevice *device;

static inline void
setup (void)
{
  device = conformance_open ();
}

static inline void
teardown (void)
{
  gst_clear_object (&device);
}

static inline GstHipStream *
new_stream (void)
{
  GError *error = NULL;
  GstHipStream *stream = gst_hip_stream_new_full (device, 0, &error);

  assert_no_error (error);
  return stream;
}

/* --- bytes --- */

static inline guint8
pattern (guint seed, gsize i)
{
  return (i * 7 + (i >> 8) * 13 + seed * 31) & 0xff;
}

static inline void
write_pattern (GstMemory * memory, guint seed)
{
  GstMapInfo map;
  gsize i;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (i = 0; i < map.size; i++)
    map.data[i] = pattern (seed, i);
  gst_memory_unmap (memory, &map);
}

static inline void
assert_pattern_from (GstMemory * memory, guint seed, gsize first)
{
  GstMapInfo map;
  gsize i;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (i = 0; i < map.size && map.data[i] == pattern (seed, first + i); i++);
  fail_unless (i == map.size, "byte %" G_GSIZE_FORMAT " is 0x%02x", i,
      i < map.size ? map.data[i] : 0);
  gst_memory_unmap (memory, &map);
}

static inline void
assert_pattern (GstMemory * memory, guint seed)
{
  assert_pattern_from (memory, seed, 0);
}

/* On the device, in order, not waited for */
static inline void
copy_on_stream (GstHipStream * stream, GstMemory * dst, GstMemory * src)
{
  GstHipCopyEnd to = { dst, NULL, 0, 0 }, from = { src, NULL, 0, 0 };
  GError *error = NULL;

  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (src), stream,
          GST_MAP_READ, &error));
  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (dst), stream,
          GST_MAP_WRITE, &error));
  fail_unless (gst_hip_stream_copy_2d (stream, &to, &from,
          gst_memory_get_sizes (src, NULL, NULL), 1, &error));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (src), stream,
          GST_MAP_READ, &error));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (dst), stream,
          GST_MAP_WRITE, &error));
}

static inline GstMemory *
alloc_linear (gsize size)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, size,
      &error);

  assert_no_error (error);
  fail_unless (gst_is_hip_memory (memory));
  return memory;
}

/* --- frames --- */

static inline void
write_frame (GstMemory * memory, const GstVideoInfo * info, guint seed)
{
  GstMapInfo map;
  guint plane, row, rows;
  gsize row_bytes, i;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    gst_hip_video_info_get_plane_size (info, plane, &row_bytes, &rows);
    for (row = 0; row < rows; row++) {
      guint8 *data = map.data + info->offset[plane] +
          (gsize) row * info->stride[plane];

      for (i = 0; i < row_bytes; i++)
        data[i] = pattern (seed + plane, row * 311 + i);
    }
  }
  gst_memory_unmap (memory, &map);
}

static inline void
assert_frame (GstMemory * memory, const GstVideoInfo * info, guint seed)
{
  GstMapInfo map;
  guint plane, row, rows;
  gsize row_bytes, i;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    gst_hip_video_info_get_plane_size (info, plane, &row_bytes, &rows);
    for (row = 0; row < rows; row++) {
      const guint8 *data = map.data + info->offset[plane] +
          (gsize) row * info->stride[plane];

      for (i = 0; i < row_bytes
          && data[i] == pattern (seed + plane, row * 311 + i); i++);
      fail_unless (i == row_bytes, "%s %dx%d: plane %u, row %u, byte %"
          G_GSIZE_FORMAT, info->finfo->name, info->width, info->height, plane,
          row, i);
    }
  }
  gst_memory_unmap (memory, &map);
}
