/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Allocators and buffer pools through the public API: layouts, limits,
 * lifetimes, configurations that cannot be.
 */
#include "memory-common.h"

/* --- allocators --- */

GST_START_TEST (test_default_allocator)
{
  GstMemory *memory = alloc_linear (1);
  GstAllocator *allocator = gst_allocator_find (GST_HIP_MEMORY_NAME);

  fail_unless (allocator != NULL);
  fail_unless (memory->allocator == allocator);
  fail_unless (gst_memory_is_type (memory, GST_HIP_MEMORY_NAME));
  fail_if (gst_allocator_alloc (allocator, 100, NULL));
  fail_unless (gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (allocator),
          FALSE));
  gst_memory_unref (memory);
  memory = alloc_linear (1);
  gst_memory_unref (memory);
  gst_object_unref (allocator);
  fail_if (gst_is_hip_memory (NULL));
  memory = gst_allocator_alloc (NULL, 10, NULL);
  fail_if (gst_is_hip_memory (memory));
  gst_memory_unref (memory);
}

GST_END_TEST;

static void
count_up (gpointer data, GObject * where)
{
  g_atomic_int_inc ((gint *) data);
}

GST_START_TEST (test_free_active_allocator)
{
  GstHipPoolAllocator *allocator;
  GstVideoInfo info;
  GstMemory *memory = NULL;
  gint finalized = 0;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 320, 240);
  allocator = gst_hip_pool_allocator_new (device, &info);
  fail_unless (allocator != NULL);
  g_object_weak_ref (G_OBJECT (allocator), count_up, &finalized);
  fail_unless (allocator->device == device);
  fail_unless_equals_int (gst_hip_pool_allocator_acquire_memory (allocator,
          &memory), GST_FLOW_FLUSHING);
  fail_unless (memory == NULL);
  fail_unless (gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (allocator),
          TRUE));
  fail_unless_equals_int (gst_hip_pool_allocator_acquire_memory (allocator,
          &memory), GST_FLOW_OK);
  fail_unless (gst_is_hip_memory (memory));
  fail_unless (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory),
          &info));
  fail_unless_equals_uint64 (info.size, allocator->info.size);

  gst_object_unref (allocator);
  fail_unless_equals_int (finalized, 0);
  fail_unless_equals_int (GST_OBJECT_REFCOUNT_VALUE (allocator), 1);
  gst_memory_unref (memory);
  fail_unless_equals_int (finalized, 1);
}

GST_END_TEST;

typedef struct
{
  GstHipPoolAllocator *allocator;
  GstBufferPool *pool;
  gint started;
} Blocked;

static gpointer
acquire_blocked_memory (gpointer data)
{
  Blocked *blocked = data;
  GstMemory *memory = NULL;
  GstFlowReturn flow;

  g_atomic_int_set (&blocked->started, 1);
  flow = gst_hip_pool_allocator_acquire_memory (blocked->allocator, &memory);
  if (memory)
    gst_memory_unref (memory);
  return GINT_TO_POINTER (flow);
}

GST_START_TEST (test_maximum_of_allocator)
{
  Blocked blocked = { gst_hip_pool_allocator_new_full (device,
        GST_HIP_MEMORY_KIND_PINNED, NULL, 100, 1), NULL, 0
  };
  GstMemory *memory;
  GThread *thread;

  gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (blocked.allocator), TRUE);
  gst_hip_pool_allocator_acquire_memory (blocked.allocator, &memory);
  fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
          (memory)), GST_HIP_MEMORY_KIND_PINNED);
  /* woken by what comes back */
  thread = g_thread_new ("acquire", acquire_blocked_memory, &blocked);
  wait_for (g_atomic_int_get (&blocked.started));
  gst_memory_unref (memory);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_OK);
  /* and by the end */
  gst_hip_pool_allocator_acquire_memory (blocked.allocator, &memory);
  blocked.started = 0;
  thread = g_thread_new ("acquire", acquire_blocked_memory, &blocked);
  wait_for (g_atomic_int_get (&blocked.started));
  gst_hip_allocator_set_active (GST_HIP_ALLOCATOR (blocked.allocator), FALSE);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  gst_memory_unref (memory);
  gst_object_unref (blocked.allocator);
}

GST_END_TEST;

/* --- buffer pools --- */

#define NV12_CAPS "video/x-raw(memory:HIPMemory),format=NV12,width=322,height=241"

static GstBufferPool *
configure (GstBufferPool * pool, const gchar * caps_string, guint size,
    guint min, guint max, const gchar * option, GstVideoAlignment * align)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps =
      caps_string ? gst_caps_from_string (caps_string) : NULL;

  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  if (option)
    gst_buffer_pool_config_add_option (config, option);
  if (align) {
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
    gst_buffer_pool_config_set_video_alignment (config, align);
  }
  fail_unless (gst_buffer_pool_set_config (pool, config));
  return pool;
}

static guint
get_config_size (GstBufferPool * pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  guint size;

  gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
  gst_structure_free (config);
  return size;
}

static GstBuffer *
acquire (GstBufferPool * pool)
{
  GstBuffer *buffer = NULL;

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  return buffer;
}

static void
stop_pool (GstBufferPool * pool)
{
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
  gst_object_unref (pool);
}

/* What the meta says is the memory's layout, and is the device's. */
static void
check_layout (GstBuffer * buffer, GstVideoInfo * info)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  guint i;

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_buffer_n_memory (buffer), 1);
  fail_unless (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory),
          info));
  fail_unless_equals_int (meta->n_planes, GST_VIDEO_INFO_N_PLANES (info));
  fail_unless_equals_int (meta->width, info->width);
  fail_unless_equals_int (meta->height, info->height);
  for (i = 0; i < meta->n_planes; i++) {
    fail_unless_equals_uint64 (meta->offset[i], info->offset[i]);
    fail_unless_equals_int (meta->stride[i], info->stride[i]);
  }
  fail_unless_equals_uint64 (gst_buffer_get_size (buffer), info->size);
}

GST_START_TEST (test_video_pool)
{
  guint stride_align = gst_hip_device_get_info (device)->stride_align;
  GstBufferPool *pool = configure (gst_hip_buffer_pool_new (device), NV12_CAPS,
      0, 1, 0, GST_BUFFER_POOL_OPTION_VIDEO_META, NULL);
  g_autoptr (GstHipStream) stream = new_stream ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoMeta *meta;
  GstVideoFrame frame;
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_buffer_pool_config_set_hip_stream (config, stream);
  {
    g_autoptr (GstHipStream) same = gst_buffer_pool_config_get_hip_stream
        (config);
    fail_unless (same == stream);
  }
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless_equals_int (gst_hip_buffer_pool_get_kind (GST_HIP_BUFFER_POOL
          (pool)), GST_HIP_MEMORY_KIND_DEVICE);
  fail_unless (GST_HIP_BUFFER_POOL (pool)->device == device);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  /* the same configuration, stream and all, is no change */
  fail_unless (gst_buffer_pool_set_config (pool,
          gst_buffer_pool_get_config (pool)));
  buffer = acquire (pool);
  check_layout (buffer, &info);
  fail_unless_equals_uint64 (get_config_size (pool), info.size);
  fail_unless (info.stride[0] % stride_align == 0
      && info.stride[1] % stride_align == 0);
  fail_unless (gst_hip_memory_get_stream (GST_HIP_MEMORY_CAST
          (gst_buffer_peek_memory (buffer, 0))) == stream);

  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  memset (GST_VIDEO_FRAME_PLANE_DATA (&frame, 1), 1, 322);
  gst_video_frame_unmap (&frame);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ |
          GST_MAP_HIP));
  fail_unless_equals_uint64 ((guintptr) GST_VIDEO_FRAME_PLANE_DATA (&frame, 1),
      gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (gst_buffer_peek_memory
              (buffer, 0))) + info.offset[1]);
  gst_video_frame_unmap (&frame);

  /* what a user did to it is undone */
  meta = gst_buffer_get_video_meta (buffer);
  meta->width = 2;
  meta->offset[0] = 4;
  gst_hip_memory_set_stream (GST_HIP_MEMORY_CAST (gst_buffer_peek_memory
          (buffer, 0)), NULL);
  gst_buffer_unref (buffer);
  buffer = acquire (pool);
  check_layout (buffer, &info);
  fail_unless (gst_hip_memory_get_stream (GST_HIP_MEMORY_CAST
          (gst_buffer_peek_memory (buffer, 0))) == stream);
  gst_buffer_unref (buffer);

  /* and once more with other caps */
  fail_unless (gst_buffer_pool_set_active (pool, FALSE));
  configure (pool, "video/x-raw,format=RGB,width=7,height=3", 0, 0, 0, NULL,
      NULL);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  buffer = acquire (pool);
  check_layout (buffer, &info);
  fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&info), GST_VIDEO_FORMAT_RGB);
  gst_buffer_unref (buffer);
  stop_pool (pool);
}

GST_END_TEST;

GST_START_TEST (test_padded_pool)
{
  GstVideoAlignment align;
  GstBufferPool *pool;
  GstStructure *config;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstMemory *memory;
  guint i;

  gst_video_alignment_reset (&align);
  align.padding_left = 3;
  align.padding_right = 5;
  align.padding_top = 7;
  align.padding_bottom = 9;
  for (i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    align.stride_align[i] = 1023;
  pool = configure (gst_hip_buffer_pool_new (device), NV12_CAPS, 0, 0, 0,
      GST_BUFFER_POOL_OPTION_VIDEO_META, &align);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  buffer = acquire (pool);
  check_layout (buffer, &info);
  fail_unless_equals_int (info.stride[0], 1024);
  fail_unless_equals_int (info.stride[1], 1024);
  fail_unless_equals_uint64 (info.offset[0], 7 * 1024 + 3);
  fail_unless_equals_uint64 (info.offset[1], (7 + 241 + 9) * 1024 + 4 * 1024 +
      4);
  fail_unless_equals_uint64 (info.size, (7 + 241 + 9 + 4 + 121 + 5) * 1024);
  memory = gst_buffer_peek_memory (buffer, 0);
  write_frame (memory, &info, 8);
  assert_frame (memory, &info, 8);
  gst_buffer_unref (buffer);
  stop_pool (pool);

  /* not a power of two */
  align.stride_align[0] = 5;
  pool = gst_hip_buffer_pool_new (device);
  config = gst_buffer_pool_get_config (pool);
  {
    g_autoptr (GstCaps) caps = gst_caps_from_string (NV12_CAPS);

    gst_buffer_pool_config_set_params (config, caps, 0, 0, 0);
  }
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &align);
  fail_if (gst_buffer_pool_set_config (pool, config));
  gst_object_unref (pool);
}

GST_END_TEST;

/* Downstream that knows no meta is given what caps say. */
GST_START_TEST (test_pinned_pool)
{
  GstVideoInfo by_default, info;
  GstBufferPool *pool;
  GstBuffer *buffer;
  guint round;

  gst_video_info_set_format (&by_default, GST_VIDEO_FORMAT_I420, 322, 241);
  for (round = 0; round < 2; round++) {
    pool = configure (gst_hip_buffer_pool_new_full (device,
            GST_HIP_MEMORY_KIND_PINNED),
        "video/x-raw,format=I420,width=322,height=241", 0, 0, 0,
        round ? GST_BUFFER_POOL_OPTION_VIDEO_META : NULL, NULL);
    fail_unless (gst_buffer_pool_set_active (pool, TRUE));
    buffer = acquire (pool);
    check_layout (buffer, &info);
    fail_unless_equals_uint64 (get_config_size (pool), info.size);
    fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
            (gst_buffer_peek_memory (buffer, 0))), GST_HIP_MEMORY_KIND_PINNED);
    if (round == 0) {
      fail_unless_equals_uint64 (info.size, by_default.size);
      fail_unless (memcmp (info.stride, by_default.stride,
              sizeof (info.stride)) == 0);
      fail_unless (memcmp (info.offset, by_default.offset,
              sizeof (info.offset)) == 0);
    } else {
      fail_unless (info.stride[1] %
          gst_hip_device_get_info (device)->stride_align == 0);
    }
    gst_buffer_unref (buffer);
    stop_pool (pool);
  }
}

GST_END_TEST;

GST_START_TEST (test_linear_pool)
{
  static const gchar *caps[] = { NULL, "application/octet-stream" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (caps); i++) {
    GstBufferPool *pool = configure (gst_hip_buffer_pool_new (device), caps[i],
        12345, 1, 0, NULL, NULL);
    GstVideoInfo info;
    GstBuffer *buffer;

    fail_unless (gst_buffer_pool_set_active (pool, TRUE));
    buffer = acquire (pool);
    fail_unless_equals_uint64 (gst_buffer_get_size (buffer), 12345);
    fail_if (gst_buffer_get_video_meta (buffer));
    fail_if (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST
            (gst_buffer_peek_memory (buffer, 0)), &info));
    gst_buffer_unref (buffer);
    stop_pool (pool);
  }
}

GST_END_TEST;

GST_START_TEST (test_configurations_that_cannot_be)
{
  static const gchar *bad[] = { NULL,
    "video/x-raw,format=NV12,width=0,height=2",
    "video/x-raw,format=NV12,width=2147483647,height=2147483647",
    "video/x-raw,format=NV12_4L4,width=16,height=16",
    "video/x-raw,format=NV12",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (bad); i++) {
    GstBufferPool *pool = gst_hip_buffer_pool_new (device);
    GstStructure *config = gst_buffer_pool_get_config (pool);
    g_autoptr (GstCaps) caps = bad[i] ? gst_caps_from_string (bad[i]) : NULL;

    gst_buffer_pool_config_set_params (config, caps, 0, 0, 0);
    fail_if (gst_buffer_pool_set_config (pool, config), "%s", bad[i]);
    gst_object_unref (pool);
  }
}

GST_END_TEST;

GST_START_TEST (test_pool_limits)
{
  GstBufferPool *pool = configure (gst_hip_buffer_pool_new (device), NV12_CAPS,
      0, 1, 2, NULL, NULL);
  GstBufferPoolAcquireParams params = { 0 };
  GstBuffer *one, *two, *three = NULL;

  params.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT;
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  one = acquire (pool);
  two = acquire (pool);
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &three,
          &params), GST_FLOW_EOS);
  gst_buffer_unref (two);
  two = acquire (pool);
  gst_buffer_unref (one);
  gst_buffer_unref (two);
  stop_pool (pool);
}

GST_END_TEST;

GST_START_TEST (test_free_buffer_after_deactivate)
{
  GstBufferPool *pool = configure (gst_hip_buffer_pool_new (device), NV12_CAPS,
      0, 0, 0, NULL, NULL);
  GstBuffer *one, *two;
  gint finalized = 0;

  g_object_weak_ref (G_OBJECT (pool), count_up, &finalized);
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  one = acquire (pool);
  two = acquire (pool);
  stop_pool (pool);
  fail_unless_equals_int (finalized, 0);
  gst_buffer_unref (one);
  fail_unless_equals_int (finalized, 0);
  write_pattern (gst_buffer_peek_memory (two, 0), 1);
  gst_buffer_unref (two);
  fail_unless_equals_int (finalized, 1);
}

GST_END_TEST;

static gpointer
acquire_blocked_buffer (gpointer data)
{
  Blocked *blocked = data;
  GstBuffer *buffer = NULL;

  g_atomic_int_set (&blocked->started, 1);
  return GINT_TO_POINTER (gst_buffer_pool_acquire_buffer (blocked->pool,
          &buffer, NULL));
}

GST_START_TEST (test_unblock_on_stop)
{
  Blocked blocked = { NULL, configure (gst_hip_buffer_pool_new (device),
        NV12_CAPS, 0, 0, 1, NULL, NULL), 0
  };
  GstBuffer *buffer;
  GThread *thread;

  fail_unless (gst_buffer_pool_set_active (blocked.pool, TRUE));
  buffer = acquire (blocked.pool);
  thread = g_thread_new ("acquire", acquire_blocked_buffer, &blocked);
  wait_for (g_atomic_int_get (&blocked.started));
  g_usleep (5000);
  fail_unless (gst_buffer_pool_set_active (blocked.pool, FALSE));
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  gst_buffer_unref (buffer);
  gst_object_unref (blocked.pool);
}

GST_END_TEST;

static Suite *
pool_suite (void)
{
  Suite *suite = suite_create ("pool");
  TCase *tcase = tcase_create ("pool");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_default_allocator);
  tcase_add_test (tcase, test_free_active_allocator);
  tcase_add_test (tcase, test_maximum_of_allocator);
  tcase_add_test (tcase, test_video_pool);
  tcase_add_test (tcase, test_padded_pool);
  tcase_add_test (tcase, test_pinned_pool);
  tcase_add_test (tcase, test_linear_pool);
  tcase_add_test (tcase, test_configurations_that_cannot_be);
  tcase_add_test (tcase, test_pool_limits);
  tcase_add_test (tcase, test_free_buffer_after_deactivate);
  tcase_add_test (tcase, test_unblock_on_stop);
  return suite;
}

CONFORMANCE_MAIN (pool);
