/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do the compilers of GPUs take every source of the conformance programs?
 *
 * Linked with one of those programs, which runs on the host device: what it
 * compiles well there is compiled by HIPRTC, too, for two architectures, and
 * must leave code there without a word. Skipped where there is no HIPRTC.
 */
#include "rtc-common.h"
#include "backends/amd/amd-internal.h"

#include <gst/hip/gsthip.h>

#define MACHINE 224

/* The build calls the program's main () so. */
#undef main
int conformance_main (int argc, char **argv);

/* The linker gives calls of the first what the second is. */
GstHipKernelModule *__wrap_gst_hip_kernel_module_new_from_source (GstHipDevice
    * device, const gchar * source, const gchar * const *options,
    GError ** error);
GstHipKernelModule *__real_gst_hip_kernel_module_new_from_source (GstHipDevice
    * device, const gchar * source, const gchar * const *options,
    GError ** error);

static void
compile_too (const gchar * arch, const gchar * source,
    const gchar * const *options)
{
  g_autofree gchar *log = NULL, *text = rtc_compose (source, "source.hip");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) translated = amd_translate_options (NULL, options, &error);
  HipCompileRequest request = { text, "source.hip",
    (const gchar * const *) translated
  };
  g_autoptr (GBytes) module = NULL;

  fail_unless (translated != NULL);
  module = amd_compile_for (arch, &request, &log, &error);
  fail_unless (module != NULL, "for %s: %s in\n%s", arch,
      error ? error->message : "no error either", source);
  fail_unless (log == NULL, "for %s: %s in\n%s", arch, log, source);
  fail_unless (rtc_symbol_size (module, MACHINE, "gst_hip_entries") > 1);
}

GstHipKernelModule *
__wrap_gst_hip_kernel_module_new_from_source (GstHipDevice * device,
    const gchar * source, const gchar * const *options, GError ** error)
{
  GstHipKernelModule *module = __real_gst_hip_kernel_module_new_from_source
      (device, source, options, error);

  if (module) {
    compile_too ("gfx90a:sramecc+:xnack-", source, options);
    compile_too ("gfx1030", source, options);
  }
  return module;
}

int
main (int argc, char **argv)
{
  const gchar *required = g_getenv ("GST_HIP_TEST_REQUIRE");
  g_autoptr (GError) error = NULL;

  gst_init (NULL, NULL);
  if (!amd_get_hiprtc (&error)) {
    g_printerr ("%s\n", error->message);
    return required && strstr (required, "hiprtc") ? 1 : 77;
  }
  return conformance_main (argc, argv);
}
