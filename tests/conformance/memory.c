/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory, allocators and buffer pools through the public API: layouts, bytes
 * that travel, kinds, limits, lifetimes. GST_HIP_TEST_VENDOR says of which
 * device (default: host).
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>
#include <string.h>

#define PATIENCE_US (60 * G_TIME_SPAN_SECOND)

/* Until condition holds; what is waited for happens on a worker. */
#define wait_for(condition) G_STMT_START {                              \
  gint64 wait_end = g_get_monotonic_time () + PATIENCE_US;              \
  while (!(condition) && g_get_monotonic_time () < wait_end)            \
    g_usleep (500);                                                     \
  fail_unless (condition, "never came: %s", #condition);                \
} G_STMT_END

#define assert_no_error(error) \
    fail_unless (error == NULL, "%s", error ? error->message : "")

#define assert_hip_error(error, wanted) G_STMT_START {                  \
  fail_unless (g_error_matches (error, GST_HIP_ERROR, wanted), "%s",    \
      error ? error->message : "no error");                             \
  g_clear_error (&error);                                               \
} G_STMT_END

static GstHipVendor vendor;
static GstHipDevice *device;

static void
setup (void)
{
  GError *error = NULL;

  device = gst_hip_device_new_full (vendor, -1, &error);
  assert_no_error (error);
}

static void
teardown (void)
{
  gst_clear_object (&device);
}

static GstHipStream *
new_stream (void)
{
  GError *error = NULL;
  GstHipStream *stream = gst_hip_stream_new_full (device, 0, &error);

  assert_no_error (error);
  return stream;
}

/* --- bytes --- */

static guint8
pattern (guint seed, gsize i)
{
  return (i * 7 + (i >> 8) * 13 + seed * 31) & 0xff;
}

static void
write_pattern (GstMemory * memory, guint seed)
{
  GstMapInfo map;
  gsize i;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (i = 0; i < map.size; i++)
    map.data[i] = pattern (seed, i);
  gst_memory_unmap (memory, &map);
}

static void
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

static void
assert_pattern (GstMemory * memory, guint seed)
{
  assert_pattern_from (memory, seed, 0);
}

/* On the device, in order, not waited for */
static void
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

static GstMemory *
alloc_linear (gsize size)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, size,
      &error);

  assert_no_error (error);
  fail_unless (gst_is_hip_memory (memory));
  return memory;
}

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

static Suite *
memory_suite (void)
{
  Suite *suite = suite_create ("memory");
  TCase *tcase = tcase_create ("memory");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_linear);
  return suite;
}

/* 77, a skip, where there is no such device, unless it is required */
static gboolean
find_device (void)
{
  const gchar *name = g_getenv ("GST_HIP_TEST_VENDOR");
  const gchar *required = g_getenv ("GST_HIP_TEST_REQUIRE");
  GEnumClass *klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  GEnumValue *value = g_enum_get_value_by_nick (klass, name ? name : "host");
  g_autoptr (GstHipDevice) found = NULL;
  g_autoptr (GError) error = NULL;

  if (!value)
    g_error ("GST_HIP_TEST_VENDOR: no vendor is called %s", name);
  vendor = value->value;
  g_type_class_unref (klass);
  found = gst_hip_device_new_full (vendor, -1, &error);
  if (found || g_strcmp0 (required, value->value_nick) == 0)
    return TRUE;
  g_print ("no %s device: %s\n", value->value_nick, error->message);
  return FALSE;
}

int
main (int argc, char **argv)
{
  gst_check_init (&argc, &argv);
  if (!find_device ())
    return 77;
  return gst_check_run_suite (memory_suite (), "memory", __FILE__);
}
