/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One module for everybody who asks, as long as somebody has it: also where it
 * comes and goes all the time, and where many wait for one that is being made.
 */
#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

#define SOURCE "extern \"C\" __global__ void kernel (int *out) { *out = 1; }"
#define BROKEN "extern \"C\" __global__ void kernel (int *out) { *out = }"

static GstHipDevice *device;

static void
setup (void)
{
  device = gst_hip_device_new (GST_HIP_VENDOR_HOST, 0);
  fail_unless (device != NULL);
}

static void
teardown (void)
{
  gst_clear_object (&device);
}

static GstHipKernelModule *
make (const gchar * source, GError ** error)
{
  return gst_hip_kernel_module_new_from_source (device, source, NULL, error);
}

/* Uses it and lets go: one of the threads has often the only reference. */
static gpointer
come_and_go (gpointer rounds)
{
  for (guint i = 0; i < GPOINTER_TO_UINT (rounds); i++) {
    GstHipKernelModule *module = make (SOURCE, NULL);

    fail_unless (module != NULL);
    fail_unless (gst_hip_kernel_module_has_entry (module, "kernel"));
    gst_hip_kernel_module_unref (module);
  }
  return NULL;
}

GST_START_TEST (test_come_and_go)
{
  GThread *threads[8];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, come_and_go, GUINT_TO_POINTER (150));
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

GST_END_TEST;

GST_START_TEST (test_one_for_all)
{
  GstHipKernelModule *one = make (SOURCE, NULL), *two = make (SOURCE, NULL);

  fail_unless (one != NULL && one == two);
  gst_hip_kernel_module_unref (one);
  fail_unless (gst_hip_kernel_module_has_entry (two, "kernel"));
  gst_hip_kernel_module_unref (two);
}

GST_END_TEST;

static gpointer
fail_together (gpointer data)
{
  GError *error = NULL;

  fail_if (make (BROKEN, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE));
  g_clear_error (&error);
  return NULL;
}

/* Those who wait share the error, those who come later try again. */
GST_START_TEST (test_failure_is_shared)
{
  GThread *threads[4];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, fail_together, NULL);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  fail_together (NULL);
}

GST_END_TEST;

static Suite *
module_cache_suite (void)
{
  Suite *s = suite_create ("module-cache");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_one_for_all);
  tcase_add_test (tc, test_come_and_go);
  tcase_add_test (tc, test_failure_is_shared);
  return s;
}

GST_CHECK_MAIN (module_cache);
