/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What do programs of GstHip 1.28 get that compile kernels at run time?
 *
 * The same as those that use modules: one way to compile, with the prelude and
 * the caches. Only the form differs: logged errors, and bytes without a length.
 */
#include <string.h>

#include "gsthip.h"
#include "hip-context.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_rtc_debug, "hiprtc", "HIP run-time compilation")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_rtc_debug ()

static gboolean
has_compiler (const HipBackend * backend)
{
  g_autoptr (GstStructure) about = NULL;
  g_autoptr (GError) error = NULL;

  if (!hip_backend_probe (backend, &error)) {
    GST_INFO ("%s", error->message);
    return FALSE;
  }
  about = gst_structure_new_empty ("backend");
  backend->describe (about);
  if (gst_structure_has_field (about, "compiler"))
    return TRUE;
  GST_INFO ("%s: %s", backend->name,
      gst_structure_has_field (about, "compiler-missing") ?
      gst_structure_get_string (about, "compiler-missing") : "no compiler");
  return FALSE;
}

/**
 * gst_hip_rtc_load_library:
 * @vendor: a vendor; %GST_HIP_VENDOR_UNKNOWN: any
 *
 * Loads the library that compiles kernels for @vendor, or finds the program on
 * the host. Nothing has to call it: compiling does the same.
 *
 * Blocking: while libraries are loaded the first time.
 *
 * Threads: any.
 *
 * Returns: whether kernels can be compiled
 *
 * Since: 1.30
 */
gboolean
gst_hip_rtc_load_library (GstHipVendor vendor)
{
  const HipBackend *const *list = hip_backend_list ();

  for (guint i = 0; list[i]; i++) {
    if (vendor != GST_HIP_VENDOR_UNKNOWN && list[i]->vendor != vendor)
      continue;
    if (has_compiler (list[i]))
      return TRUE;
  }
  return FALSE;
}

/**
 * gst_hip_rtc_compile: (skip)
 * @device: what to compile for
 * @source: kernels in the common subset of HIP and CUDA C++
 * @options: (nullable) (array length=num_options): options for the compiler
 * @num_options: how many
 *
 * Compiles kernels to what HipModuleLoadData () and cuModuleLoadData () take.
 * How long that is its own headers say; gst_hip_kernel_module_get_binary() says
 * it, too.
 *
 * Blocking: waits for the compiler.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): the module's bytes, free with g_free();
 *   %NULL: not compiled, the compiler's text is logged
 *
 * Since: 1.30
 */
gchar *
gst_hip_rtc_compile (GstHipDevice * device, const gchar * source,
    const gchar ** options, guint num_options)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GstHipKernelModule) module = NULL;
  g_autoptr (GBytes) binary = NULL;
  g_autoptr (GError) error = NULL;
  gconstpointer data;
  gchar *result;
  gsize size;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (source != NULL, NULL);
  g_return_val_if_fail (options != NULL || num_options == 0, NULL);

  for (guint i = 0; i < num_options; i++)
    g_ptr_array_add (all, (gpointer) options[i]);
  g_ptr_array_add (all, NULL);
  module = gst_hip_kernel_module_new_from_source (device, source,
      (const gchar * const *) all->pdata, &error);
  if (!module) {
    GST_ERROR ("%s", error->message);
    return NULL;
  }
  binary = gst_hip_kernel_module_get_binary (module);
  data = g_bytes_get_data (binary, &size);
  /* PTX is text and ends with a zero. */
  result = g_malloc (size + 1);
  memcpy (result, data, size);
  result[size] = '\0';

  return result;
}
