/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does the AMD backend import DMA-BUFs as HIP documents it? On the simulated
 * driver, whose log has what it was asked for, and which breaks off where a rule
 * is broken; with a driver that takes descriptors over and one that does not.
 */
#include "late-fence.h"

#include <dlfcn.h>
#include <string.h>

#include "backends/amd/amd-internal.h"
#include "core-common.h"
#include "fake-control.h"
#include "hip-memory.h"

#define SIZE 12288
#define OLD 0x11
#define NEW 0x22

static GstHipDevice *device;
static gchar *log_path;

static void
setup (void)
{
  gint fd = g_file_open_tmp ("gst-hip-log-XXXXXX", &log_path, NULL);

  fail_unless (fd >= 0);
  close (fd);
}

static void
open_device (void)
{
  GError *error = NULL;

  g_setenv ("FAKE_HIP_LOG", log_path, TRUE);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_AMD, 1, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "");
  fail_unless (gst_hip_device_get_info (device)->caps
      & GST_HIP_DEVICE_CAP_DMABUF_IMPORT);
}

static void
close_device (void)
{
  gst_clear_object (&device);
  wait_for (hip_memory_live_count () == 0);
  wait_for (hip_dmabuf_live_count () == 0);
  wait_for (hip_fence_wait_is_idle ());
  assert_no_threads ();
}

static void
teardown (void)
{
  unlink (log_path);
  g_free (log_path);
}

/* Calls about external memory and what they said, one a line */
static gchar *
external_calls (void)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  GString *calls = g_string_new (NULL);

  fail_unless (g_file_get_contents (log_path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    if (strstr (lines[i], "External") || g_str_has_prefix (lines[i], "  import")
        || g_str_has_prefix (lines[i], "  map")
        || (strcmp (lines[i], "hipFree") == 0 && strstr (lines[i + 1] ?
                lines[i + 1] : "", "External")))
      g_string_append_printf (calls, "%s\n", lines[i]);
  }
  return g_string_free (calls, FALSE);
}

static guint
count_calls (const gchar * name)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  fail_unless (g_file_get_contents (log_path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    n += strcmp (lines[i], name) == 0;
  return n;
}

static GstMemory *
import_at (gint fd, gsize offset, gsize size)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_import_dmabuf (NULL, device, NULL, fd,
      offset, size, NULL, NULL, &error);

  fail_unless (memory != NULL, "%s", error ? error->message : "");
  return memory;
}

static void
assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    fail_unless (map.data[i] == value, "byte %" G_GSIZE_FORMAT " is 0x%02x", i,
        map.data[i]);
  gst_memory_unmap (memory, &map);
}

static void
check_calls (gboolean consumes, const gchar * major)
{
  static const gchar wanted[] = "hipImportExternalMemory\n"
      "  import: offset 0, size 12288, flags 0\n"
      "hipExternalMemoryGetMappedBuffer\n"
      "  map: offset 0, size 12288, flags 0\n"
      "hipFree\n" "hipDestroyExternalMemory\n";
  gint fd = new_dmabuf (SIZE, OLD);
  g_autofree gchar *calls = NULL;
  GstMemory *first, *second;
  guint before, after;

  if (major) {
    g_autofree gchar *variable = g_strconcat ("FAKE_HIP_", major, NULL);

    g_setenv ("GST_HIP_AMDHIP_LIBNAME", g_getenv (variable), TRUE);
  }
  g_setenv ("FAKE_HIP_CONSUMES_FD", consumes ? "1" : "0", TRUE);
  amd_import_consumes_fd = consumes;
  open_device ();
  before = count_fds ();
  fill_dmabuf (fd, 4097, 999, NEW);
  first = import_at (fd, 0, 4096);
  second = import_at (fd, 4097, 999);
  /* Ours, which keeps the file and asks for its fence */
  fail_unless_equals_int (count_fds (), before + 1);
  assert_bytes (first, OLD);
  assert_bytes (second, NEW);
  fill_dmabuf (fd, 0, 4096, NEW);
  gst_memory_unref (first);
  first = import_at (fd, 0, 4096);
  assert_bytes (first, NEW);
  gst_memory_unref (first);
  gst_memory_unref (second);
  close_device ();
  after = count_fds ();
  fail_unless (after <= before, "%u descriptors, %u before", after, before);
  calls = external_calls ();
  fail_unless_equals_string (calls, wanted);
  fail_unless (fcntl (fd, F_GETFD) >= 0);
  close (fd);
}

GST_START_TEST (test_calls)
{
  check_calls (FALSE, NULL);
}

GST_END_TEST;

GST_START_TEST (test_calls_where_descriptors_are_taken_over)
{
  check_calls (TRUE, NULL);
}

GST_END_TEST;

GST_START_TEST (test_calls_of_hip_5_and_7)
{
  check_calls (FALSE, __i__ ? "7" : "5");
}

GST_END_TEST;

static void
check_failure (const gchar * call, gboolean consumes)
{
  g_autofree gchar *wish = g_strconcat (call, ":1:1", NULL);
  gint fd = new_dmabuf (SIZE, OLD);
  GError *error = NULL;
  GstMemory *memory;
  guint before;

  g_setenv ("FAKE_HIP_CONSUMES_FD", consumes ? "1" : "0", TRUE);
  amd_import_consumes_fd = consumes;
  g_setenv ("FAKE_HIP_FAIL", wish, TRUE);
  open_device ();
  before = count_fds ();
  memory = gst_hip_allocator_import_dmabuf (NULL, device, NULL, fd, 0, SIZE,
      NULL, NULL, &error);
  fail_unless (memory == NULL);
  assert_error (error, GST_HIP_ERROR_UNSUPPORTED);
  fail_unless_equals_int (count_fds (), before);
  fail_unless_equals_int (count_calls ("hipDestroyExternalMemory"),
      strcmp (call, "hipImportExternalMemory") != 0);
  /* The device is none the worse for it. */
  memory = import_at (fd, 0, SIZE);
  assert_bytes (memory, OLD);
  gst_memory_unref (memory);
  close (fd);
  close_device ();
}

GST_START_TEST (test_failures_unwind)
{
  check_failure (__i__ & 1 ? "hipImportExternalMemory" :
      "hipExternalMemoryGetMappedBuffer", (__i__ & 2) != 0);
}

GST_END_TEST;

/* Without either way for a stream to wait there are no imports, too. */
GST_START_TEST (test_late_producer)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstHipStream *stream;
  GstMemory *memory;
  GstHipEvent *event;

  g_setenv ("FAKE_HIP_WAIT_VALUE", __i__ ? "1" : "0", TRUE);
  open_device ();
  stream = new_stream (device);
  late_begin (fd);
  memory = gst_hip_allocator_import_dmabuf (NULL, device, stream, fd, 0, SIZE,
      NULL, NULL, NULL);
  fail_unless (memory != NULL);
  event = record (stream);
  g_usleep (20000);
  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_PENDING);
  fill_dmabuf (fd, 0, SIZE, NEW);
  late_end ();
  fail_unless (gst_hip_event_wait (event, NULL));
  assert_bytes (memory, NEW);
  fail_unless_equals_int (count_calls ("hipStreamWaitValue32"), __i__);
  fail_unless_equals_int (count_calls ("hipLaunchHostFunc"), !__i__);
  gst_hip_event_unref (event);
  gst_memory_unref (memory);
  gst_hip_stream_unref (stream);
  close (fd);
  close_device ();
}

GST_END_TEST;

GST_START_TEST (test_nothing_lives_on)
{
  const FakeControl *control;
  gint fd = new_dmabuf (SIZE, OLD);
  g_autofree gchar *what = NULL;
  gpointer handle;
  GstMemory *memory;

  open_device ();
  handle = dlopen (g_getenv ("GST_HIP_AMDHIP_LIBNAME"), RTLD_NOW);
  control = dlsym (handle, "fake_control");
  late_begin (fd);
  memory = import_at (fd, 0, SIZE);
  late_end ();
  assert_bytes (memory, OLD);
  gst_memory_unref (memory);
  close (fd);
  close_device ();
  fail_unless (control->live (&what) == 0, "%s", what);
}

GST_END_TEST;

static Suite *
amd_dmabuf_suite (void)
{
  Suite *suite = suite_create ("amd-dmabuf");
  TCase *tcase = tcase_create ("amd-dmabuf");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_calls);
  tcase_add_test (tcase, test_calls_where_descriptors_are_taken_over);
  tcase_add_loop_test (tcase, test_calls_of_hip_5_and_7, 0, 2);
  tcase_add_loop_test (tcase, test_failures_unwind, 0, 4);
  tcase_add_loop_test (tcase, test_late_producer, 0, 2);
  tcase_add_test (tcase, test_nothing_lives_on);
  return suite;
}

GST_CHECK_MAIN (amd_dmabuf);
