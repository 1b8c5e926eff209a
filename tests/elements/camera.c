/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do cameras write straight into page-locked memory? A source that does as
 * v4l2src does with io-mode=userptr: it takes the pool that it is offered, asks
 * for what its driver wants (rows longer and more than the picture's, images
 * larger than rows need), has the buffers mapped while its driver writes, and
 * pushes them.
 */
#include "io-frames.h"

#define CHAIN "hipupload name=up vendor=%s ! hipdownload name=down vendor=%s"
#define N_QUEUED 4

typedef struct
{
  guint right, bottom, stride_align;    /* pixels, rows, bytes - 1 */
  guint more;                   /* bytes of an image behind its rows */
} Driver;

static GstBufferPool *
take_pool (GstHarness * h, const GstVideoInfo * info, const Driver * driver,
    guint * image_bytes)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstBufferPool *pool = NULL;
  GstVideoAlignment align;
  GstStructure *config;
  guint size;

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
          NULL));
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
  gst_query_unref (query);
  fail_unless (pool != NULL);

  gst_video_alignment_reset (&align);
  align.padding_right = driver->right;
  align.padding_bottom = driver->bottom;
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    align.stride_align[i] = driver->stride_align;
  *image_bytes = (guint) GST_VIDEO_INFO_SIZE (info) + driver->more;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, *image_bytes, N_QUEUED, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &align);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

/* The driver writes its rows, and what is between them. */
static GstBuffer *
capture (GstBufferPool * pool, const Picture * picture, const Driver * driver,
    guint image_bytes)
{
  const GstVideoInfo *info = &picture->info;
  GstBuffer *buffer = NULL;
  GstVideoMeta *meta;
  GstMapInfo map;

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
          (gst_buffer_peek_memory (buffer, 0))), GST_HIP_MEMORY_KIND_PINNED);
  fail_unless (gst_buffer_get_size (buffer) >= image_bytes);
  meta = gst_buffer_get_video_meta (buffer);
  fail_unless (meta != NULL);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, GUARD_BYTE, map.size);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gsize end = meta->offset[i] + (gsize) meta->stride[i] * picture->rows[i];

    fail_unless ((guint) meta->stride[i] % (driver->stride_align + 1) == 0);
    fail_unless ((guint) meta->stride[i] >= picture->row_bytes[i]
        + (i == 0 ? driver->right * GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) : 0));
    /* As many rows more as were asked for, before the next plane */
    if (i == 0 && GST_VIDEO_INFO_N_PLANES (info) > 1)
      fail_unless (meta->offset[1] >= end
          + (gsize) meta->stride[0] * driver->bottom);
    fail_unless (end <= map.size);
    for (guint row = 0; row < picture->rows[i]; row++)
      memcpy (map.data + meta->offset[i] + (gsize) meta->stride[i] * row,
          picture->planes[i] + row * picture->row_bytes[i],
          picture->row_bytes[i]);
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
record_with (GstVideoFormat format, guint width, guint height,
    const Driver * driver)
{
  guint image_bytes, n = 3 * N_QUEUED;
  GstBufferPool *pool;
  GstElement *up;
  GstHarness *h;

  {
    Picture picture;

    picture_init (&picture, format, width, height, 1);
    h = harness_new (CHAIN, &picture.info);
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
    pool = take_pool (h, &picture.info, driver, &image_bytes);
    picture_clear (&picture);
  }
  for (guint i = 0; i < n; i++) {
    Picture picture;
    GstBuffer *out;

    picture_init (&picture, format, width, height, i);
    fail_unless_equals_int (gst_harness_push (h, capture (pool, &picture,
                driver, image_bytes)), GST_FLOW_OK);
    out = gst_harness_pull (h);
    picture_compare (&picture, out, "camera");
    gst_buffer_unref (out);
    picture_clear (&picture);
  }
  up = gst_harness_find_element (h, "hipupload");
  /* No CPU has touched them on the way. */
  fail_unless_equals_uint64 (stat_uint64 (up, "pinned-transfer"), n);
  gst_object_unref (up);
  gst_harness_teardown (h);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

GST_START_TEST (test_cameras)
{
  static const Driver drivers[] = {
    {0, 0, 0, 0},
    {0, 8, 0, 0},               /* 200 rows become 208 */
    {14, 0, 63, 0},
    {6, 4, 255, 4099},          /* sizeimage says more than rows need */
    {0, 0, 0, 1},
  };

  record_with (GST_VIDEO_FORMAT_YUY2, 642, 200, &drivers[__i__]);
  record_with (GST_VIDEO_FORMAT_NV12, 322, 122, &drivers[__i__]);
  record_with (GST_VIDEO_FORMAT_I420, 320, 200, &drivers[__i__]);
  record_with (GST_VIDEO_FORMAT_GRAY8, 721, 33, &drivers[__i__]);
}

GST_END_TEST;

static Suite *
camera_suite (void)
{
  Suite *suite = suite_create ("camera");
  TCase *tcase = tcase_create ("camera");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_cameras, 0, 5);
  return suite;
}

GST_CHECK_MAIN (camera);
