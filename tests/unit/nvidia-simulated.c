/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The NVIDIA backend where things are not as they should be: no driver, no
 * compiler, an old driver, a broken device among good ones, every call failing
 * in turn. On the simulated driver; each test is a process of its own, since a
 * backend is probed once in a process.
 */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>

#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

#include "backends/nvidia/nvidia-symbols.h"

/* As many as work () makes, and some; test_no_call_is_left_out () sees it. */
#define N_CALLS 115

static void
assert_unavailable (GError * error, const gchar * text)
{
  fail_unless (error != NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNAVAILABLE), "%s", error->message);
  fail_unless (strstr (error->message, text) != NULL, "%s", error->message);
}

static void
assert_backend_missing (const gchar * text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstHipDevice) device = NULL;
  GstStructure *info = gst_hip_get_backend_info (GST_HIP_VENDOR_NVIDIA, &error);

  fail_unless (info == NULL);
  assert_unavailable (error, text);
  g_clear_error (&error);
  /* Asked for by name it is an error, ... */
  device = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, -1, &error);
  fail_unless (device == NULL);
  assert_unavailable (error, text);
  g_clear_error (&error);
  /* ... and where nobody asked for it the CPU serves. */
  device = gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "no error");
  fail_unless_equals_int (gst_hip_device_get_vendor (device),
      GST_HIP_VENDOR_HOST);
}

GST_START_TEST (test_no_library)
{
  g_setenv ("GST_HIP_CUDA_LIBNAME", "libno-such-driver.so.1", TRUE);
  assert_backend_missing ("libno-such-driver.so.1");
}

GST_END_TEST;

GST_START_TEST (test_no_device)
{
  g_setenv ("FAKE_CUDA_DEVICES", "0", TRUE);
  assert_backend_missing ("CUDA_ERROR_NO_DEVICE");
}

GST_END_TEST;

GST_START_TEST (test_no_function)
{
  g_setenv ("GST_HIP_CUDA_LIBNAME", g_getenv ("FAKE_CUDA_INCOMPLETE"), TRUE);
  assert_backend_missing ("cuLaunchKernel");
}

GST_END_TEST;

/* --- work --- */

static const gchar source[] =
    "extern \"C\" __global__ void\n"
    "add (unsigned char *data, int n, int value)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) data[i] += value;\n" "}\n";

static gboolean
add_on_device (GstHipDevice * device, GstHipStream * stream,
    GstMemory * memory, gsize size, GError ** error)
{
  const guint grid[] = { (size + 63) / 64, 1, 1 }, block[] = { 64, 1, 1 };
  g_autoptr (GstHipKernelModule) module = NULL;
  GstHipKernelArgs *args;
  gboolean ok;

  module = gst_hip_kernel_module_new_from_source (device, source, NULL, error);
  if (!module)
    return FALSE;
  args = gst_hip_kernel_args_new ();
  ok = gst_hip_kernel_args_add_memory (args, memory, 0, error);
  gst_hip_kernel_args_add_int32 (args, size);
  gst_hip_kernel_args_add_int32 (args, 3);
  ok = ok
      && gst_hip_kernel_module_launch (module, "add", stream, grid, block, args,
      error);
  gst_hip_kernel_args_unref (args);
  return ok;
}

/* Fills, computes, downloads and looks at it. FALSE with an error: some call
 * failed. */
static gboolean
work (gint device_id, gboolean with_kernel, GError ** error)
{
  const gsize size = 1000;
  g_autoptr (GstHipDevice) device = NULL;
  g_autoptr (GstHipStream) stream = NULL;
  GstMemory *memory;
  GstMapInfo map;
  gboolean ok;

  device = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, device_id, error);
  if (!device)
    return FALSE;
  stream = gst_hip_stream_new_full (device, 0, error);
  if (!stream)
    return FALSE;
  memory = gst_hip_allocator_alloc_linear (NULL, device, size, error);
  if (!memory)
    return FALSE;
  ok = gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), stream,
      GST_MAP_WRITE, error);
  if (ok) {
    ok = gst_hip_stream_fill (stream, memory, 0, size, 40, error);
    ok = gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (memory), stream,
        GST_MAP_WRITE, ok ? error : NULL) && ok;
  }
  if (ok && with_kernel)
    ok = add_on_device (device, stream, memory, size, error);
  if (ok && gst_hip_stream_synchronize (stream)
      && gst_memory_map (memory, &map, GST_MAP_READ)) {
    for (gsize i = 0; i < size; i++)
      fail_unless_equals_int (map.data[i], with_kernel ? 43 : 40);
    gst_memory_unmap (memory, &map);
  } else if (ok) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "no wait or no map");
    ok = FALSE;
  }
  gst_memory_unref (memory);
  return ok;
}

static void
assert_works (gint device_id, gboolean with_kernel)
{
  g_autoptr (GError) error = NULL;

  fail_unless (work (device_id, with_kernel, &error), "device %d: %s",
      device_id, error ? error->message : "no error either");
}

GST_START_TEST (test_several_devices)
{
  g_autoptr (GPtrArray) infos = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("FAKE_CUDA_DEVICES", "8", TRUE);
  g_setenv ("FAKE_CUDA_BROKEN", "3", TRUE);
  infos = gst_hip_enumerate_devices (GST_HIP_VENDOR_NVIDIA);
  fail_unless_equals_int (infos->len, 8);
  for (guint i = 0; i < infos->len; i++) {
    GstHipDeviceInfo *info = g_ptr_array_index (infos, i);
    g_autoptr (GstHipDevice) device = NULL;

    fail_unless_equals_int (info->device_id, i);
    fail_unless_equals_string (info->arch, "sm_90");
    if (i == 3) {
      fail_if (work (i, TRUE, &error));
      assert_unavailable (error, "CUDA_ERROR_DEVICE_UNAVAILABLE");
      continue;
    }
    assert_works (i, TRUE);
    device = gst_hip_device_new_for_pci_address (info->pci_address, NULL);
    fail_unless (device != NULL);
    fail_unless_equals_int (gst_hip_device_get_device_id (device), i);
  }
}

GST_END_TEST;

GST_START_TEST (test_devices_do_not_mix)
{
  g_autoptr (GstHipDevice) one = NULL, two = NULL, again = NULL, wrapped = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("FAKE_CUDA_DEVICES", "2", TRUE);
  one = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, 0, NULL);
  two = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, 1, NULL);
  again = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, 1, NULL);
  fail_unless (one && two && again);
  fail_if (gst_hip_device_is_equal (one, two));
  fail_unless (gst_hip_device_is_equal (two, again));
  /* A primary context that is wrapped is the device itself. */
  wrapped = gst_hip_device_new_for_native_context (GST_HIP_VENDOR_NVIDIA,
      gst_hip_device_get_native_context (two), &error);
  fail_unless (wrapped != NULL, "%s", error ? error->message : "no error");
  fail_unless (gst_hip_device_is_equal (two, wrapped));
  fail_unless_equals_int (gst_hip_device_get_device_id (wrapped), 1);
}

GST_END_TEST;

static void
owner_goes (gpointer n_gone)
{
  g_atomic_int_inc ((gint *) n_gone);
}

/* A context of another library's is let go of when nothing needs it. */
GST_START_TEST (test_owner_of_a_context)
{
  g_autoptr (GstHipDevice) primary =
      gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, 0, NULL);
  gpointer driver = dlopen (g_getenv ("GST_HIP_CUDA_LIBNAME"), RTLD_NOW);
  guint (*create) (gpointer * context, guint flags, gint id);
  guint (*destroy) (gpointer context);
  GstHipDevice *first, *second;
  GstMemory *memory;
  gpointer context = NULL;
  gint n_gone = 0;

  fail_unless (primary != NULL && driver != NULL);
  *(gpointer *) & create = dlsym (driver, "cuCtxCreate_v2");
  *(gpointer *) & destroy = dlsym (driver, "cuCtxDestroy_v2");
  fail_unless_equals_int (create (&context, 0, 0), 0);
  first = gst_hip_device_new_for_native_context_full (GST_HIP_VENDOR_NVIDIA,
      (guintptr) context, &n_gone, owner_goes, NULL);
  second = gst_hip_device_new_for_native_context_full (GST_HIP_VENDOR_NVIDIA,
      (guintptr) context, &n_gone, owner_goes, NULL);
  fail_unless (first != NULL && second != NULL);
  fail_unless (gst_hip_device_is_equal (first, second));
  fail_if (gst_hip_device_is_equal (first, primary));
  memory = gst_hip_allocator_alloc_linear (NULL, second, 100, NULL);
  fail_unless (memory != NULL);
  gst_object_unref (first);
  gst_object_unref (second);
  g_usleep (20000);
  /* The second owner was one too many; the other is needed by the memory. */
  fail_unless (g_atomic_int_get (&n_gone) <= 1);
  gst_memory_unref (memory);
  for (guint i = 0; i < 2000 && g_atomic_int_get (&n_gone) < 2; i++)
    g_usleep (1000);
  fail_unless_equals_int (g_atomic_int_get (&n_gone), 2);
  fail_unless_equals_int (destroy (context), 0);
}

GST_END_TEST;

GST_START_TEST (test_broken_first_device)
{
  g_autoptr (GstHipDevice) device = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("FAKE_CUDA_DEVICES", "2", TRUE);
  g_setenv ("FAKE_CUDA_BROKEN", "0", TRUE);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "no error");
  fail_unless_equals_int (gst_hip_device_get_vendor (device),
      GST_HIP_VENDOR_NVIDIA);
  fail_unless_equals_int (gst_hip_device_get_device_id (device), 1);
}

GST_END_TEST;

GST_START_TEST (test_only_device_broken)
{
  g_autoptr (GstHipDevice) device = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("FAKE_CUDA_BROKEN", "0", TRUE);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "no error");
  fail_unless_equals_int (gst_hip_device_get_vendor (device),
      GST_HIP_VENDOR_HOST);
  g_clear_object (&device);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, -1, &error);
  fail_unless (device == NULL);
  assert_unavailable (error, "CUDA_ERROR_DEVICE_UNAVAILABLE");
}

GST_END_TEST;

/* The simulated driver is of CUDA 12.4, the compiler of 13.0. */
GST_START_TEST (test_describes_itself)
{
  GstStructure *info = gst_hip_get_backend_info (GST_HIP_VENDOR_NVIDIA, NULL);

  fail_unless (info != NULL);
  fail_unless_equals_string (gst_structure_get_string (info, "library-path"),
      g_getenv ("GST_HIP_CUDA_LIBNAME"));
  fail_unless_equals_string (gst_structure_get_string (info, "driver-version"),
      "CUDA 12.4");
  fail_unless_equals_string (gst_structure_get_string (info, "compiler"),
      g_getenv ("GST_HIP_NVRTC_LIBNAME"));
  fail_unless_equals_string (gst_structure_get_string (info,
          "compiler-version"), "NVRTC 13.0");
  fail_unless (strstr (gst_structure_get_string (info, "compiler-note"),
          "newer than the driver"));
  gst_structure_free (info);
}

GST_END_TEST;

GST_START_TEST (test_no_compiler)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstHipDevice) device = NULL;

  g_setenv ("GST_HIP_NVRTC_LIBNAME", "libno-such-compiler.so", TRUE);
  /* What another run has compiled would do without */
  g_setenv ("GST_HIP_CACHE", "off", TRUE);
  assert_works (0, FALSE);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, 0, NULL);
  fail_if (gst_hip_device_get_info (device)->caps &
      GST_HIP_DEVICE_CAP_COMPILER);
  fail_if (work (0, TRUE, &error));
  assert_unavailable (error, "libno-such-compiler.so");
}

GST_END_TEST;

GST_START_TEST (test_old_driver)
{
  g_setenv ("GST_HIP_CUDA_LIBNAME", g_getenv ("FAKE_CUDA_OLD"), TRUE);
  assert_works (0, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_slow_device)
{
  g_setenv ("FAKE_CUDA_DELAY_US", "20000", TRUE);
  assert_works (0, TRUE);
}

GST_END_TEST;

/* The Nth call fails, for want of memory or because the device is lost: an error that names it or, where it was not needed, none;
 * no crash, no hang, and the process ends. */
GST_START_TEST (test_failing_call)
{
  g_autofree gchar *nth = g_strdup_printf ("%d:%d", __i__ / 2 + 1,
      __i__ % 2 ? CU_OUT_OF_MEMORY : CU_UNKNOWN);
  g_autoptr (GError) error = NULL;

  g_setenv ("FAKE_CUDA_FAIL", nth, TRUE);
  if (work (0, TRUE, &error))
    fail_unless (error == NULL);
  else
    fail_unless (error && error->domain == GST_HIP_ERROR
        && error->message[0] != '\0');
}

GST_END_TEST;

GST_START_TEST (test_no_call_is_left_out)
{
  g_autofree gchar *beyond = g_strdup_printf ("%d:%d", N_CALLS + 1,
      CU_OUT_OF_MEMORY);

  g_setenv ("FAKE_CUDA_FAIL", beyond, TRUE);
  assert_works (0, TRUE);
}

GST_END_TEST;

/* --- the simulated driver's own rules --- */

static gpointer
driver (const gchar * name)
{
  static gpointer handle;
  gpointer function;

  if (!handle)
    handle = dlopen (g_getenv ("GST_HIP_CUDA_LIBNAME"), RTLD_NOW | RTLD_LOCAL);
  fail_unless (handle != NULL);
  function = dlsym (handle, name);
  fail_unless (function != NULL);
  return function;
}

#define DRIVER(name) ((__typeof__ (((NvidiaCuda *) 0)->name)) driver (#name))

static CuContext
open_context (void)
{
  CuContext context = NULL;

  fail_unless_equals_int (DRIVER (cuInit) (0), CU_OK);
  fail_unless_equals_int (DRIVER (cuDevicePrimaryCtxRetain) (&context, 0),
      CU_OK);
  return context;
}

GST_START_TEST (test_rule_initialise)
{
  CuDevice device;

  DRIVER (cuDeviceGet) (&device, 0);
}

GST_END_TEST;

GST_START_TEST (test_rule_current)
{
  CuDevicePtr address;

  open_context ();
  DRIVER (cuMemAlloc_v2) (&address, 64);
}

GST_END_TEST;

GST_START_TEST (test_rule_free_in_use)
{
  CuDevicePtr address;
  CuStream stream;

  DRIVER (cuCtxPushCurrent_v2) (open_context ());
  DRIVER (cuMemAlloc_v2) (&address, 64);
  DRIVER (cuStreamCreateWithPriority) (&stream, 1, 0);
  /* Longer than any machine is busy with something else; nobody waits for it. */
  g_setenv ("FAKE_CUDA_DELAY_US", "60000000", TRUE);
  DRIVER (cuMemsetD8Async) (address, 1, 64, stream);
  DRIVER (cuMemFree_v2) (address);
}

GST_END_TEST;

GST_START_TEST (test_rule_context_of_stream)
{
  CuContext other;
  CuStream stream;

  g_setenv ("FAKE_CUDA_DEVICES", "2", TRUE);
  DRIVER (cuCtxPushCurrent_v2) (open_context ());
  DRIVER (cuStreamCreateWithPriority) (&stream, 1, 0);
  DRIVER (cuDevicePrimaryCtxRetain) (&other, 1);
  DRIVER (cuCtxPushCurrent_v2) (other);
  DRIVER (cuStreamQuery) (stream);
}

GST_END_TEST;

static Suite *
nvidia_simulated_suite (void)
{
  Suite *s = suite_create ("nvidia-simulated");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_no_library);
  tcase_add_test (tc, test_no_device);
  tcase_add_test (tc, test_no_function);
  tcase_add_test (tc, test_several_devices);
  tcase_add_test (tc, test_devices_do_not_mix);
  tcase_add_test (tc, test_owner_of_a_context);
  tcase_add_test (tc, test_broken_first_device);
  tcase_add_test (tc, test_only_device_broken);
  tcase_add_test (tc, test_describes_itself);
  tcase_add_test (tc, test_no_compiler);
  tcase_add_test (tc, test_old_driver);
  tcase_add_test (tc, test_slow_device);
  tcase_add_loop_test (tc, test_failing_call, 0, 2 * N_CALLS);
  tcase_add_test (tc, test_no_call_is_left_out);
  tcase_add_test_raise_signal (tc, test_rule_initialise, SIGABRT);
  tcase_add_test_raise_signal (tc, test_rule_current, SIGABRT);
  tcase_add_test_raise_signal (tc, test_rule_free_in_use, SIGABRT);
  tcase_add_test_raise_signal (tc, test_rule_context_of_stream, SIGABRT);
  return s;
}

GST_CHECK_MAIN (nvidia_simulated);
