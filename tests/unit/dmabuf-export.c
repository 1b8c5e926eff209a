/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is a memory that was allocated to be exported the DMA-BUF that others get, and
 * is nothing left of it? On the CPU, and on simulated drivers that export (HIP 7,
 * CUDA) and that do not (HIP 6). An AMD GPU's can be mapped here, NVIDIA's not.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <gst/allocators/gstdmabuf.h>
#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

static GstHipDevice *device;
static gchar *log_path;

static const gchar *
vendor_name (void)
{
  const gchar *vendor = g_getenv ("GST_HIP_TEST_VENDOR");

  return vendor ? vendor : "host";
}

static gboolean
is (const gchar * vendor)
{
  return strcmp (vendor_name (), vendor) == 0;
}

static void
open_device (void)
{
  GError *error = NULL;

  device = gst_hip_device_new_full (is ("amd") ? GST_HIP_VENDOR_AMD :
      is ("nvidia") ? GST_HIP_VENDOR_NVIDIA : GST_HIP_VENDOR_HOST, -1, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "");
}

static gboolean
exports (void)
{
  return (gst_hip_device_get_info (device)->caps
      & GST_HIP_DEVICE_CAP_DMABUF_EXPORT) != 0;
}

static void
setup (void)
{
  gint fd = g_file_open_tmp ("gst-hip-log-XXXXXX", &log_path, NULL);

  fail_unless (fd >= 0);
  close (fd);
  g_setenv ("FAKE_HIP_LOG", log_path, TRUE);
  g_setenv ("FAKE_CUDA_LOG", log_path, TRUE);
}

static void
teardown (void)
{
  gst_clear_object (&device);
  unlink (log_path);
  g_free (log_path);
}

static guint
count_fds (void)
{
  DIR *dir = opendir ("/proc/self/fd");
  guint n = 0;

  while (readdir (dir))
    n++;
  closedir (dir);
  return n;
}

/* Memory is given back by workers. */
static void
wait_for_fds (guint n)
{
  for (guint i = 0; i < 20000 && count_fds () > n; i++)
    g_usleep (500);
  fail_unless (count_fds () <= n, "%u descriptors, %u before", count_fds (), n);
}

static gboolean
names_a_call (const gchar * line, const gchar * const *calls)
{
  for (; *calls; calls++) {
    if (strcmp (line, *calls) == 0)
      return TRUE;
  }
  return FALSE;
}

/* Of these, in their order */
static gchar *
get_calls (const gchar * const *calls)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  GString *result = g_string_new (NULL);

  fail_unless (g_file_get_contents (log_path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    if (names_a_call (lines[i], calls))
      g_string_append_printf (result, "%s ", lines[i]);
  }
  return g_string_free (result, FALSE);
}

static const gchar *const amd_calls[] = {
  "hipMalloc", "hipMemGetHandleForAddressRange", "hipFree", NULL
};

static const gchar *const nvidia_calls[] = {
  "cuMemAlloc_v2", "cuMemGetHandleForAddressRange", "cuMemFree_v2", NULL
};

static GstMemory *
try_alloc (GError ** error)
{
  GstVideoInfo info;

  fail_unless (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 64,
          48));
  return gst_hip_allocator_alloc_video (NULL, device,
      GST_HIP_MEMORY_KIND_EXPORTED, &info, error);
}

static GstMemory *
alloc (void)
{
  GError *error = NULL;
  GstMemory *memory = try_alloc (&error);

  fail_unless (memory != NULL, "%s", error ? error->message : "");
  fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
          (memory)), GST_HIP_MEMORY_KIND_EXPORTED);
  return memory;
}

static GstMemory *
export (GstMemory * memory)
{
  GError *error = NULL;
  GstMemory *dmabuf =
      gst_hip_memory_export_dmabuf (GST_HIP_MEMORY_CAST (memory), &error);

  fail_unless (dmabuf != NULL, "%s", error ? error->message : "");
  fail_unless (gst_is_dmabuf_memory (dmabuf));
  fail_unless_equals_int (dmabuf->size, memory->size);
  fail_unless (fcntl (gst_dmabuf_memory_get_fd (dmabuf), F_GETFD) & FD_CLOEXEC);
  return dmabuf;
}

/* The device writes value to all of it, and has done so. */
static void
fill (GstMemory * memory, guint8 value)
{
  g_autoptr (GstHipStream) stream = gst_hip_stream_new_full (device, 0, NULL);
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  fail_unless (gst_hip_memory_begin_access (mem, stream, GST_MAP_WRITE, NULL));
  fail_unless (gst_hip_stream_fill (stream, memory, 0, memory->size, value,
          NULL));
  fail_unless (gst_hip_memory_end_access (mem, stream, GST_MAP_WRITE, NULL));
  fail_unless (gst_hip_stream_synchronize (stream));
}

static void
assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    fail_unless (map.data[i] == value, "byte %" G_GSIZE_FORMAT " is %u", i,
        map.data[i]);
  gst_memory_unmap (memory, &map);
}

GST_START_TEST (test_who_exports)
{
  GError *error = NULL;

  open_device ();
  if (is ("host") || is ("nvidia")) {
    fail_unless (exports ());
  } else {
    const gchar *library = g_getenv ("GST_HIP_AMDHIP_LIBNAME");

    fail_unless_equals_int (exports (), strstr (library, "amdhip7") != NULL);
  }
  if (!exports ()) {
    fail_unless (try_alloc (&error) == NULL);
    fail_unless (g_error_matches (error, GST_HIP_ERROR,
            GST_HIP_ERROR_UNSUPPORTED));
    g_clear_error (&error);
  }
}

GST_END_TEST;

GST_START_TEST (test_same_bytes)
{
  GstMemory *memory, *dmabuf;
  GstMapInfo map;

  open_device ();
  if (!exports ())
    return;
  memory = alloc ();
  dmabuf = export (memory);
  fill (memory, 0x5a);
  if (is ("nvidia")) {
    /* Other devices reach it. */
    fail_if (gst_memory_map (dmabuf, &map, GST_MAP_READ));
    assert_bytes (memory, 0x5a);
  } else {
    assert_bytes (dmabuf, 0x5a);
    fail_unless (gst_memory_map (dmabuf, &map, GST_MAP_WRITE));
    memset (map.data, 0x33, map.size);
    gst_memory_unmap (dmabuf, &map);
    if (is ("host"))
      assert_bytes (memory, 0x33);
  }
  gst_memory_unref (dmabuf);
  gst_memory_unref (memory);
}

GST_END_TEST;

GST_START_TEST (test_lives_as_long_as_the_dmabuf)
{
  static const gchar *const none[] = { NULL };
  GstMemory *memory, *dmabuf;
  g_autofree gchar *calls = NULL;
  guint before;

  open_device ();
  if (!exports ())
    return;
  before = count_fds ();
  memory = alloc ();
  /* Ours, and the simulated drivers have one of their own. */
  fail_unless_equals_int (count_fds (), before + (is ("host") ? 1 : 2));
  dmabuf = export (memory);
  fill (memory, 0x77);
  gst_memory_unref (memory);
  g_usleep (20000);
  fail_unless (fcntl (gst_dmabuf_memory_get_fd (dmabuf), F_GETFD) >= 0);
  if (!is ("nvidia"))
    assert_bytes (dmabuf, 0x77);
  gst_memory_unref (dmabuf);
  wait_for_fds (before);
  gst_clear_object (&device);

  calls = get_calls (is ("amd") ? amd_calls : is ("nvidia") ? nvidia_calls :
      none);
  for (guint i = 0; i < 2000 && !is ("host") && !strstr (calls, "Free"); i++) {
    g_usleep (1000);
    g_free (calls);
    calls = get_calls (is ("amd") ? amd_calls : nvidia_calls);
  }
  if (is ("amd"))
    fail_unless_equals_string (calls,
        "hipMalloc hipMemGetHandleForAddressRange hipFree ");
  if (is ("nvidia"))
    fail_unless_equals_string (calls,
        "cuMemAlloc_v2 cuMemGetHandleForAddressRange cuMemFree_v2 ");
}

GST_END_TEST;

GST_START_TEST (test_nothing_is_left)
{
  guint before;

  open_device ();
  if (!exports ())
    return;
  before = count_fds ();
  for (guint i = 0; i < 1000; i++) {
    GstMemory *memory = alloc ();

    gst_memory_unref (export (memory));
    gst_memory_unref (memory);
  }
  wait_for_fds (before);
}

GST_END_TEST;

GST_START_TEST (test_other_memory_is_refused)
{
  GError *error = NULL;
  GstMemory *memory, *part;

  open_device ();
  memory = gst_hip_allocator_alloc_linear (NULL, device, 4096, NULL);
  fail_unless (gst_hip_memory_export_dmabuf (GST_HIP_MEMORY_CAST (memory),
          &error) == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  g_clear_error (&error);
  part = gst_memory_share (memory, 0, 16);
  fail_unless (gst_hip_memory_export_dmabuf (GST_HIP_MEMORY_CAST (part),
          NULL) == NULL);
  gst_memory_unref (part);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Refused by the driver; a part of something larger, nobody knows which */
GST_START_TEST (test_failures_unwind)
{
  GError *error = NULL;
  g_autofree gchar *calls = NULL;
  guint before;

  if (is ("host") || (__i__ == 1 && !is ("amd")))
    return;
  if (__i__ == 1) {
    g_setenv ("FAKE_HIP_EXPORTS_BLOCK", "1", TRUE);
  } else {
    g_setenv ("FAKE_HIP_FAIL", "hipMemGetHandleForAddressRange:1:801", TRUE);
    g_setenv ("FAKE_CUDA_FAIL", "cuMemGetHandleForAddressRange:1:801", TRUE);
  }
  open_device ();
  if (!exports ())
    return;
  before = count_fds ();
  fail_unless (try_alloc (&error) == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED), "%s", error->message);
  g_clear_error (&error);
  fail_unless_equals_int (count_fds (), before);
  calls = get_calls (is ("amd") ? amd_calls : nvidia_calls);
  fail_unless_equals_string (calls, is ("amd") ?
      "hipMalloc hipMemGetHandleForAddressRange hipFree " :
      "cuMemAlloc_v2 cuMemGetHandleForAddressRange cuMemFree_v2 ");
}

GST_END_TEST;

GST_START_TEST (test_device_that_exports_none)
{
  GError *error = NULL;

  if (!is ("nvidia"))
    return;
  g_setenv ("FAKE_CUDA_NO_DMABUF", "1", TRUE);
  open_device ();
  fail_if (exports ());
  fail_unless (try_alloc (&error) == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED));
  g_clear_error (&error);
}

GST_END_TEST;

static Suite *
dmabuf_export_suite (void)
{
  Suite *suite = suite_create ("dmabuf-export");
  TCase *tcase = tcase_create ("dmabuf-export");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_who_exports);
  tcase_add_test (tcase, test_same_bytes);
  tcase_add_test (tcase, test_lives_as_long_as_the_dmabuf);
  tcase_add_test (tcase, test_nothing_is_left);
  tcase_add_test (tcase, test_other_memory_is_refused);
  tcase_add_loop_test (tcase, test_failures_unwind, 0, 2);
  tcase_add_test (tcase, test_device_that_exports_none);
  return suite;
}

GST_CHECK_MAIN (dmabuf_export);
