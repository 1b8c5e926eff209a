/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory through the public API: kinds, layouts, bytes that travel, parts,
 * copies, sizes that cannot be.
 */
#include "memory-common.h"

/* --- memory --- */

GST_START_TEST (test_linear)
{
  g_autoptr (GstHipStream) stream = new_stream ();
  static const gsize sizes[] = { 1, 3, 4096, 100003, 5000000 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstMemory *a = alloc_linear (sizes[i]), *b = alloc_linear (sizes[i]);
    GstVideoInfo info;

    fail_unless_equals_uint64 (gst_memory_get_sizes (a, NULL, NULL), sizes[i]);
    fail_unless_equals_uint64 (a->maxsize, sizes[i]);
    fail_unless (GST_HIP_MEMORY_CAST (a)->device == device);
    fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST (a)),
        GST_HIP_MEMORY_KIND_DEVICE);
    fail_if (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (a), &info));
    fail_unless (gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (a)) != 0);
    write_pattern (a, i);
    copy_on_stream (stream, b, a);
    gst_memory_unref (a);
    assert_pattern (b, i);
    gst_memory_unref (b);
  }
}

GST_END_TEST;

GST_START_TEST (test_sizes_that_cannot_be)
{
  static const gsize absurd[] = { G_MAXSIZE, G_MAXSSIZE, G_MAXSSIZE / 2 };
  GError *error = NULL;
  GstVideoInfo info;
  guint8 byte;
  guint i;

  fail_if (gst_hip_allocator_alloc_linear (NULL, device, 0, &error));
  assert_hip_error (error, GST_HIP_ERROR_INVALID);
  fail_if (gst_hip_allocator_alloc_pinned (NULL, device, 0, &error));
  assert_hip_error (error, GST_HIP_ERROR_INVALID);
  fail_if (gst_hip_allocator_alloc_wrapped (NULL, device,
          GST_HIP_MEMORY_KIND_WRAPPED_HOST, &byte, 0, NULL, NULL, &error));
  assert_hip_error (error, GST_HIP_ERROR_INVALID);
  fail_if (gst_hip_allocator_alloc_wrapped (NULL, device,
          GST_HIP_MEMORY_KIND_WRAPPED_HOST, NULL, 1, NULL, NULL, &error));
  assert_hip_error (error, GST_HIP_ERROR_INVALID);
  for (i = 0; i < G_N_ELEMENTS (absurd); i++) {
    fail_if (gst_hip_allocator_alloc_linear (NULL, device, absurd[i], &error));
    fail_unless (error && error->domain == GST_HIP_ERROR);
    g_clear_error (&error);
    fail_if (gst_hip_allocator_alloc_pinned (NULL, device, absurd[i], &error));
    fail_unless (error && error->domain == GST_HIP_ERROR);
    g_clear_error (&error);
  }

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 16, 16);
  info.size--;
  fail_if (gst_hip_allocator_alloc_video (NULL, device,
          GST_HIP_MEMORY_KIND_DEVICE, &info, &error));
  assert_hip_error (error, GST_HIP_ERROR_INVALID);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12_4L4, 16, 16);
  fail_if (gst_hip_allocator_alloc_video (NULL, device,
          GST_HIP_MEMORY_KIND_DEVICE, &info, &error));
  assert_hip_error (error, GST_HIP_ERROR_UNSUPPORTED);
  gst_video_info_init (&info);
  fail_if (gst_hip_allocator_alloc (NULL, device, &info));
}

GST_END_TEST;

static void
free_bytes (gpointer user_data)
{
  gpointer *wrapped = user_data;

  g_free (wrapped[0]);
  g_atomic_pointer_set (&wrapped[0], NULL);
}

GST_START_TEST (test_host_kinds)
{
  g_autoptr (GstHipStream) stream = new_stream ();
  gpointer wrapped[1] = { g_malloc (70001) };
  GError *error = NULL;
  GstMemory *memories[2], *there, *back, *part, *duplicate;
  GstMapInfo map;
  guint i;

  memories[0] = gst_hip_allocator_alloc_pinned (NULL, device, 70001, &error);
  assert_no_error (error);
  memories[1] = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_HOST, wrapped[0], 70001, wrapped, free_bytes,
      &error);
  assert_no_error (error);
  fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
          (memories[0])), GST_HIP_MEMORY_KIND_PINNED);
  fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
          (memories[1])), GST_HIP_MEMORY_KIND_WRAPPED_HOST);
  fail_unless (gst_memory_map (memories[1], &map, GST_MAP_READ));
  fail_unless (map.data == wrapped[0]);
  gst_memory_unmap (memories[1], &map);

  for (i = 0; i < 2; i++) {
    there = alloc_linear (70001);
    write_pattern (memories[i], 5 + i);
    copy_on_stream (stream, there, memories[i]);
    assert_pattern (there, 5 + i);
    write_pattern (there, 9);
    copy_on_stream (stream, memories[i], there);
    assert_pattern (memories[i], 9);

    part = gst_memory_share (memories[i], 1000, 500);
    assert_pattern_from (part, 9, 1000);
    back = alloc_linear (500);
    copy_on_stream (stream, back, part);
    assert_pattern_from (back, 9, 1000);
    duplicate = gst_memory_copy (part, 7, 13);
    fail_unless (gst_is_hip_memory (duplicate));
    assert_pattern_from (duplicate, 9, 1007);
    gst_memory_unref (duplicate);
    gst_memory_unref (part);
    gst_memory_unref (back);
    gst_memory_unref (there);
    gst_memory_unref (memories[i]);
  }
  wait_for (g_atomic_pointer_get (&wrapped[0]) == NULL);
}

GST_END_TEST;

/* --- frames --- */

static void
check_frame (GstVideoFormat format, gint width, gint height)
{
  guint stride_align = gst_hip_device_get_info (device)->stride_align;
  GstVideoInfo asked, info, info2;
  GstMemory *memory, *duplicate;
  guint plane;

  gst_video_info_set_format (&asked, format, width, height);
  memory = gst_hip_allocator_alloc (NULL, device, &asked);
  fail_unless (memory != NULL);
  fail_unless (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory),
          &info));
  fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&info), format);
  fail_unless_equals_int (info.width, width);
  fail_unless_equals_int (info.height, height);
  fail_unless_equals_uint64 (gst_memory_get_sizes (memory, NULL, NULL),
      info.size);
  for (plane = 0; plane < GST_VIDEO_INFO_N_PLANES (&info); plane++) {
    if (!GST_VIDEO_FORMAT_INFO_HAS_PALETTE (info.finfo))
      fail_unless (info.stride[plane] % stride_align == 0);
  }
  write_frame (memory, &info, 3);

  /* from the device's bytes */
  duplicate = gst_memory_copy (memory, 0, -1);
  fail_unless (gst_is_hip_memory (duplicate));
  gst_memory_unref (memory);
  fail_unless (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (duplicate),
          &info2));
  fail_unless (gst_video_info_is_equal (&info, &info2));
  assert_frame (duplicate, &info2, 3);
  gst_memory_unref (duplicate);
}

GST_START_TEST (test_frames)
{
  g_autoptr (GstCaps) caps = gst_hip_get_supported_formats_caps (NULL);
  const GValue *list =
      gst_structure_get_value (gst_caps_get_structure (caps, 0), "format");
  guint i, n = gst_value_list_get_size (list);

  fail_unless (n > 80);
  for (i = 0; i < n; i++) {
    GstVideoFormat format = gst_video_format_from_string (g_value_get_string
        (gst_value_list_get_value (list, i)));

    check_frame (format, 1, 1);
    check_frame (format, 5, 7);
    check_frame (format, 321, 41);
  }
}

GST_END_TEST;

/* A part of a frame is bytes, in a memory of its own. */
GST_START_TEST (test_part_of_a_frame)
{
  GstVideoInfo info;
  GstMemory *memory;
  GstBuffer *buffer = gst_buffer_new (), *part;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 64, 4);
  memory = gst_hip_allocator_alloc (NULL, device, &info);
  write_pattern (memory, 1);
  gst_buffer_append_memory (buffer, memory);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_MEMORY, 100, 50);
  fail_unless (part != NULL);
  memory = gst_buffer_peek_memory (part, 0);
  fail_unless (gst_is_hip_memory (memory) && memory->parent == NULL);
  fail_if (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory), &info));
  assert_pattern_from (memory, 1, 100);
  gst_buffer_unref (part);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_address_of_parts)
{
  GstMemory *memory = alloc_linear (1000);
  guintptr address = gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memory));
  GstMemory *part, *smaller;
  GstMapInfo map;

  write_pattern (memory, 0);
  part = gst_memory_share (memory, 10, 100);
  smaller = gst_memory_share (part, 5, 10);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ_HIP));
  fail_unless_equals_uint64 ((guintptr) map.data, address);
  gst_memory_unmap (memory, &map);
  fail_unless (gst_memory_map (smaller, &map, GST_MAP_READ_HIP));
  fail_unless_equals_uint64 ((guintptr) map.data, address + 15);
  fail_unless_equals_uint64 (map.size, 10);
  gst_memory_unmap (smaller, &map);
  fail_unless_equals_uint64 (gst_hip_memory_get_address (GST_HIP_MEMORY_CAST
          (smaller)), address + 15);
  fail_unless (smaller->parent == memory);
  assert_pattern_from (smaller, 0, 15);
  fail_if (gst_memory_is_span (memory, part, NULL));
  gst_memory_unref (memory);
  gst_memory_unref (part);
  gst_memory_unref (smaller);
}

GST_END_TEST;

static Suite *
memory_suite (void)
{
  Suite *suite = suite_create ("memory");
  TCase *tcase = tcase_create ("memory");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_linear);
  tcase_add_test (tcase, test_sizes_that_cannot_be);
  tcase_add_test (tcase, test_host_kinds);
  tcase_add_test (tcase, test_frames);
  tcase_add_test (tcase, test_part_of_a_frame);
  tcase_add_test (tcase, test_address_of_parts);
  return suite;
}

CONFORMANCE_MAIN (memory);
