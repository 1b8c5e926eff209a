/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which device is chosen, who shares it, and does all of it go away again? */
#include <stdlib.h>
#include <unistd.h>

#include "core-common.h"

#define CHILD_VARIABLE "GST_HIP_TEST_CHILD"

GST_START_TEST (test_enumerate)
{
  GPtrArray *devices = gst_hip_enumerate_devices (GST_HIP_VENDOR_HOST);
  const GstHipDeviceInfo *info;
  GstStructure *structure;
  GError *error = NULL;
  guint count = 0;

  fail_unless_equals_int (devices->len, 1);
  info = g_ptr_array_index (devices, 0);
  fail_unless_equals_int (info->vendor, GST_HIP_VENDOR_HOST);
  fail_unless_equals_int (info->device_id, 0);
  fail_unless (info->name[0] && info->arch[0]);
  fail_unless (info->compute_units > 0 && info->memory_bytes > 0);
  g_ptr_array_unref (devices);

  structure = gst_hip_get_backend_info (GST_HIP_VENDOR_HOST, &error);
  fail_unless (structure != NULL);
  fail_unless_equals_string (gst_structure_get_string (structure, "name"),
      "host");
  fail_unless (gst_structure_get_uint (structure, "devices", &count));
  fail_unless_equals_int (count, 1);
  gst_structure_free (structure);

  fail_unless (gst_hip_load_library (GST_HIP_VENDOR_HOST));
  /* Nothing was opened. */
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_properties)
{
  GstHipDevice *device = open_host ();
  GstHipVendor vendor;
  guint device_id;
  gboolean texture;

  g_object_get (device, "vendor", &vendor, "device-id", &device_id,
      "texture2d-support", &texture, NULL);
  fail_unless_equals_int (vendor, GST_HIP_VENDOR_HOST);
  fail_unless_equals_int (device_id, 0);
  fail_if (texture);
  fail_unless_equals_int (gst_hip_device_get_vendor (device), vendor);
  fail_unless_equals_int (gst_hip_device_get_device_id (device), 0);
  fail_unless_equals_int (gst_hip_device_get_info (device)->vendor, vendor);
  fail_unless (gst_hip_device_get_native_context (device) != 0);
  fail_unless (gst_hip_device_set_current (device));
  fail_if (gst_hip_device_is_lost (device));
  ASSERT_OBJECT_REFCOUNT (device, "device", 1);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_objects_share_the_context)
{
  GstHipDevice *one = open_host (), *two = open_host ();
  GstHipStream *stream, *own;
  guint64 serial;

  fail_unless (one != two);
  fail_unless (gst_hip_device_is_equal (one, two));
  fail_unless (gst_hip_device_get_native_context (one)
      == gst_hip_device_get_native_context (two));
  stream = gst_hip_device_get_stream (one);
  fail_unless (stream != NULL);
  fail_unless (gst_hip_device_get_stream (one) == stream);
  fail_unless (gst_hip_device_get_stream (two) == stream);
  serial = hip_stream_get_serial (stream);
  own = gst_hip_stream_new (GST_HIP_VENDOR_HOST, 0);
  fail_unless (gst_hip_stream_is_for_device (own, two));
  fail_unless_equals_int (gst_hip_stream_get_vendor (own), GST_HIP_VENDOR_HOST);
  fail_unless_equals_int (gst_hip_stream_get_device_id (own), 0);
  fail_unless (gst_hip_stream_get_native_handle (own)
      != gst_hip_stream_get_native_handle (stream));
  fail_unless (hip_stream_get_serial (own) != serial);

  gst_object_unref (one);
  fail_unless (gst_hip_device_get_stream (two) == stream);
  gst_object_unref (two);
  gst_hip_stream_unref (own);
  assert_no_threads ();
}

GST_END_TEST;

static void
check_refused (GstHipVendor vendor, gint device_id, const gchar * word)
{
  GError *error = NULL;

  fail_if (gst_hip_device_new_full (vendor, device_id, &error));
  fail_unless (error != NULL);
  fail_unless (strstr (error->message, word) != NULL, "\"%s\" says nothing of "
      "\"%s\"", error->message, word);
  assert_error (error, GST_HIP_ERROR_UNAVAILABLE);
  /* And without a place for the reason */
  fail_if (gst_hip_device_new_full (vendor, device_id, NULL));
}

GST_START_TEST (test_choice_is_met_or_an_error)
{
  GstHipDevice *device;

  g_unsetenv ("GST_HIP_VENDOR");
  g_unsetenv ("GST_HIP_DEVICE");
  check_refused (GST_HIP_VENDOR_HOST, 1, "host");
  device = gst_hip_device_new (GST_HIP_VENDOR_UNKNOWN, 0);
  fail_unless (device != NULL);
  gst_object_unref (device);

  g_setenv ("GST_HIP_VENDOR", "nonsense", TRUE);
  check_refused (GST_HIP_VENDOR_UNKNOWN, -1, "nonsense");
  /* The environment is not asked where everything is said. */
  device = open_host ();
  gst_object_unref (device);

  g_setenv ("GST_HIP_VENDOR", "host", TRUE);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, NULL);
  fail_unless_equals_int (gst_hip_device_get_vendor (device),
      GST_HIP_VENDOR_HOST);
  gst_object_unref (device);
  g_setenv ("GST_HIP_DEVICE", "7", TRUE);
  check_refused (GST_HIP_VENDOR_UNKNOWN, -1, "7");
  check_refused (GST_HIP_VENDOR_HOST, -1, "7");
  g_setenv ("GST_HIP_DEVICE", "first", TRUE);
  check_refused (GST_HIP_VENDOR_HOST, -1, "first");
  /* A number that was written for another vendor */
  g_setenv ("GST_HIP_VENDOR", "amd", TRUE);
  g_setenv ("GST_HIP_DEVICE", "7", TRUE);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_HOST, -1, NULL);
  fail_unless (device != NULL);
  gst_object_unref (device);
  g_unsetenv ("GST_HIP_VENDOR");
  g_unsetenv ("GST_HIP_DEVICE");
  assert_no_threads ();
}

GST_END_TEST;

static gint host_warnings;

static void
count_host_warnings (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (level == GST_LEVEL_WARNING
      && strstr (gst_debug_message_get (message), "the CPU is the device"))
    g_atomic_int_inc (&host_warnings);
}

GST_START_TEST (test_fall_to_host_is_said_once)
{
  GPtrArray *all = gst_hip_enumerate_devices (GST_HIP_VENDOR_UNKNOWN);
  gboolean only_host = all->len == 1;
  guint i;

  g_ptr_array_unref (all);
  g_unsetenv ("GST_HIP_VENDOR");
  g_unsetenv ("GST_HIP_DEVICE");
  gst_debug_set_default_threshold (GST_LEVEL_WARNING);
  gst_debug_add_log_function (count_host_warnings, NULL, NULL);
  gst_object_unref (open_host ());
  fail_unless_equals_int (host_warnings, 0);
  for (i = 0; i < 3; i++)
    gst_object_unref (gst_hip_device_new (GST_HIP_VENDOR_UNKNOWN, 0));
  fail_unless_equals_int (host_warnings, only_host ? 1 : 0);
  gst_debug_remove_log_function (count_host_warnings);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_pci_address_and_native_context)
{
  GError *error = NULL;

  fail_if (gst_hip_device_new_for_pci_address ("nowhere", &error));
  assert_error (error, GST_HIP_ERROR_INVALID);
  fail_if (gst_hip_device_new_for_pci_address ("0000:01:00.0z", &error));
  assert_error (error, GST_HIP_ERROR_INVALID);
  /* Reserved by the kernel for nobody */
  fail_if (gst_hip_device_new_for_pci_address ("ffff:ff:1f.7", &error));
  assert_error (error, GST_HIP_ERROR_UNAVAILABLE);
  fail_if (gst_hip_device_new_for_native_context (GST_HIP_VENDOR_HOST, 1,
          &error));
  assert_error (error, GST_HIP_ERROR_UNSUPPORTED);
}

GST_END_TEST;

static guint
count_entries (const gchar * path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);

  return n;
}

static void
use_once (void)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipEvent *event = record (stream);

  fail_unless (gst_hip_device_get_stream (device) != NULL);
  gst_hip_event_unref (event);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
}

GST_START_TEST (test_cycles_are_flat)
{
  guint threads, files, i;

  use_once ();
  assert_no_threads ();
  /* Perhaps one that is just ending: there are 200 that could stay */
  threads = count_entries ("/proc/self/task");
  files = count_entries ("/proc/self/fd");
  for (i = 0; i < 200; i++)
    use_once ();
  assert_no_threads ();
  wait_for (count_entries ("/proc/self/task") <= threads);
  fail_unless_equals_int (count_entries ("/proc/self/fd"), files);
}

GST_END_TEST;

static gpointer
open_and_close (gpointer data)
{
  guint i;

  for (i = 0; i < 200; i++)
    use_once ();

  return NULL;
}

GST_START_TEST (test_last_reference_races_with_opening)
{
  GThread *threads[4];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("cycle", open_and_close, NULL);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  assert_no_threads ();
}

GST_END_TEST;

static void
never_told (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  /* Nothing is called once exit () has begun. */
  _exit (3);
}

static GstHipStream *late_stream;
static GstHipDevice *late_device;

/* Handlers run in reverse order: this one is registered before the device is
 * opened, so the library knows already. The event ends now. */
static void
finish_late (void)
{
  if (!hip_is_exiting ())
    _exit (4);
  unblock (late_stream);
  g_usleep (50000);
}

/* Exit status of this program run anew, which does what main () says */
static int
run_in_child (const gchar * what)
{
  /* In a bundle the process's own file is the dynamic linker. */
  const gchar *self = g_getenv ("GST_HIP_TEST_SELF");
  gchar *argv[] = { (gchar *) (self ? self : "/proc/self/exe"), NULL };
  g_auto (GStrv) environment = g_get_environ ();
  GError *error = NULL;
  int status = -1;

  environment = g_environ_setenv (environment, CHILD_VARIABLE, what, TRUE);
  fail_unless (g_spawn_sync (NULL, argv, environment,
          G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status,
          &error), "%s", error ? error->message : "");
  if (!g_spawn_check_wait_status (status, &error))
    return g_error_matches (error, G_SPAWN_EXIT_ERROR, error->code) ?
        error->code : -1;

  return 0;
}

/* Check's own ways of failing do not work in a child. */
static GstHipStream *
open_late (GstHipDevice ** device)
{
  GstHipStream *stream;

  *device = gst_hip_device_new (GST_HIP_VENDOR_HOST, 0);
  stream = *device ? gst_hip_stream_new_full (*device, 0, NULL) : NULL;
  if (!stream)
    _exit (7);

  return stream;
}

static void
exit_while_pending (void)
{
  GstHipEvent *event;
  GstHipStream *busy;

  atexit (finish_late);
  late_stream = open_late (&late_device);
  block (late_stream);
  event = gst_hip_stream_record (late_stream, FALSE, NULL);
  gst_hip_event_notify (event, never_told, NULL, NULL);
  gst_hip_event_unref (event);
  /* A worker waits for this one to become idle. */
  busy = gst_hip_stream_new_full (late_device, 0, NULL);
  block (busy);
  gst_hip_stream_unref (busy);
}

GST_START_TEST (test_exit_while_work_is_pending)
{
  fail_unless_equals_int (run_in_child ("exit-while-pending"), 0);
}

GST_END_TEST;

static void
use_after_exit (void)
{
  GError *error = NULL;

  if (!hip_is_exiting ())
    _exit (4);
  if (gst_hip_stream_record (late_stream, FALSE, &error))
    _exit (5);
  if (gst_hip_stream_synchronize (late_stream))
    _exit (6);
  gst_hip_stream_unref (late_stream);
  gst_object_unref (late_device);
}

static void
exit_then_use (void)
{
  atexit (use_after_exit);
  late_stream = open_late (&late_device);
}

GST_START_TEST (test_no_driver_call_after_exit)
{
  fail_unless_equals_int (run_in_child ("exit-then-use"), 0);
}

GST_END_TEST;

static gint in_driver;

static void
driver_ends (void)
{
  if (g_atomic_int_get (&in_driver))
    _exit (5);
}

static void
free_slowly (gpointer unused)
{
  g_atomic_int_set (&in_driver, TRUE);
  g_usleep (100 * 1000);
  g_atomic_int_set (&in_driver, FALSE);
}

static void
exit_while_freeing (void)
{
  /* Registered before the library's, as the driver's own is */
  atexit (driver_ends);
  gst_hip_stream_unref (open_late (&late_device));
  hip_worker_run (free_slowly, NULL);
  while (!g_atomic_int_get (&in_driver))
    g_usleep (100);
}

/* What workers free when main () returns is not of a driver that has ended. */
GST_START_TEST (test_exit_while_freeing)
{
  fail_unless_equals_int (run_in_child ("exit-while-freeing"), 0);
}

GST_END_TEST;

static gint timeouts;

static void
count_timeouts (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (level == GST_LEVEL_ERROR
      && g_str_has_prefix (gst_debug_message_get (message), "TIMEOUT"))
    g_atomic_int_inc (&timeouts);
}

GST_START_TEST (test_stuck_stream_is_abandoned)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);

  g_setenv ("GST_HIP_SHUTDOWN_TIMEOUT", "0", TRUE);
  gst_debug_set_default_threshold (GST_LEVEL_ERROR);
  gst_debug_add_log_function (count_timeouts, NULL, NULL);
  block (stream);
  gst_hip_event_unref (record (stream));
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  wait_for (g_atomic_int_get (&timeouts) == 1);
  assert_no_threads ();
  fail_unless_equals_int (g_atomic_int_get (&timeouts), 1);
  gst_debug_remove_log_function (count_timeouts);

  /* Others go on: the same device is still there. */
  device = open_host ();
  stream = new_stream (device);
  fail_unless (gst_hip_stream_synchronize (stream));
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
  assert_no_threads ();
}

GST_END_TEST;

GST_START_TEST (test_stream_frees_itself_after_its_work)
{
  GstHipDevice *device = open_host ();
  GstHipStream *stream = new_stream (device);
  GstHipStream *other = new_stream (device);
  GstHipEvent *event;

  block (other);
  event = record (other);
  fail_unless (gst_hip_stream_wait_event (stream, event, NULL));
  gst_hip_event_unref (event);
  gst_hip_stream_unref (stream);        /* waits for nothing */
  gst_object_unref (device);
  fail_unless (hip_worker_thread_count () > 0);
  unblock (other);
  gst_hip_stream_unref (other);
  assert_no_threads ();
}

GST_END_TEST;

static Suite *
core_device_suite (void)
{
  Suite *s = suite_create ("core-device");
  TCase *tc = tcase_create ("device");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_enumerate);
  tcase_add_test (tc, test_properties);
  tcase_add_test (tc, test_objects_share_the_context);
  tcase_add_test (tc, test_choice_is_met_or_an_error);
  tcase_add_test (tc, test_fall_to_host_is_said_once);
  tcase_add_test (tc, test_pci_address_and_native_context);
  tcase_add_test (tc, test_cycles_are_flat);
  tcase_add_test (tc, test_last_reference_races_with_opening);
  tcase_add_test (tc, test_exit_while_work_is_pending);
  tcase_add_test (tc, test_no_driver_call_after_exit);
  tcase_add_test (tc, test_exit_while_freeing);
  tcase_add_test (tc, test_stuck_stream_is_abandoned);
  tcase_add_test (tc, test_stream_frees_itself_after_its_work);

  return s;
}

int
main (int argc, char **argv)
{
  const gchar *child = g_getenv (CHILD_VARIABLE);

  if (!child) {
    gst_check_init (&argc, &argv);
    return gst_check_run_suite (core_device_suite (), "core_device", __FILE__);
  }

  gst_init (&argc, &argv);
  if (g_str_equal (child, "exit-while-pending"))
    exit_while_pending ();
  else if (g_str_equal (child, "exit-while-freeing"))
    exit_while_freeing ();
  else
    exit_then_use ();
  exit (0);
}
