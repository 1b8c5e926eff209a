/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does the real compiler of AMD GPUs take what we give it?
 *
 * No GPU is needed: every .hip file of the source tree and the sources below
 * are compiled for some architectures, and what comes out is looked at. Skipped
 * where there is no HIPRTC, unless GST_HIP_TEST_REQUIRE names hiprtc.
 */
#include "rtc-common.h"
#include "../common/amd-code.h"
#include "backends/amd/amd-internal.h"

#define MACHINE AMD_CODE_MACHINE

/* A data-centre GPU with its features named, one without textures, desktops of
 * three generations; those that this compiler does not know are left out. */
static const gchar *const all_archs[] = { "gfx90a:sramecc+:xnack-", "gfx942",
  "gfx1030", "gfx1100", "gfx1201"
};

static const gchar *archs[G_N_ELEMENTS (all_archs)];
static guint n_archs;

static GBytes *
compile (const gchar * arch, const gchar * source, const gchar * name,
    const gchar * const *options, gchar ** log, GError ** error)
{
  g_autofree gchar *text = rtc_compose (source, name);
  g_auto (GStrv) translated = amd_translate_options (NULL, options, error);
  HipCompileRequest request = { text, name,
    (const gchar * const *) translated
  };

  return translated ? amd_compile_for (arch, &request, log, error) : NULL;
}

static GBytes *
compile_well (const gchar * arch, const gchar * source, const gchar * name,
    const gchar * const *options)
{
  g_autofree gchar *log = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *module = compile (arch, source, name, options, &log, &error);

  fail_unless (module != NULL, "%s for %s: %s", name, arch,
      error ? error->message : "no error either");
  for (guint i = 0; log && options && options[i]; i++)
    g_printerr ("%s ", options[i]);
  fail_unless (log == NULL, "%s for %s: %s", name, arch, log);
  return module;
}

GST_START_TEST (test_tree)
{
  const gchar *path = g_ptr_array_index (rtc_files, __i__);
  g_autofree gchar *folder = g_path_get_dirname (path);
  g_autofree gchar *include = g_strconcat ("-I", folder, NULL);
  guint pairs = rtc_n_pairs (path);
  g_autofree gchar *source = NULL;

  fail_unless (g_file_get_contents (path, &source, NULL, NULL));
  for (guint i = 0; i < pairs * n_archs; i++) {
    const gchar *const *pair = rtc_pairs[i % pairs];
    const gchar *options[] = { include, pairs > 1 ? pair[0] : NULL, pair[1],
      NULL
    };
    g_autoptr (GBytes) module = NULL;

    if (i % pairs >= RTC_N_PAIRS_EVERYWHERE && i / pairs > 0)
      continue;
    module = compile_well (archs[i / pairs], source, path, options);

    fail_unless (rtc_symbol_size (module, MACHINE, "gst_hip_entries") > 1,
        "%s has no kernel", path);
  }
}

GST_END_TEST;

GST_START_TEST (test_subset)
{
  static const gchar *const standards[] = { NULL, "-std=gnu++17",
    "--std=c++14", "--std=c++20"
  };

  /* The language is the same for all of them. */
  for (guint i = 0; i < (__i__ ? 1 : n_archs); i++) {
    const gchar *options[] = { "-O2", standards[__i__], NULL };
    g_autoptr (GBytes) module = compile_well (archs[i], rtc_subset,
        "subset.hip", options);

    rtc_check_subset (module, MACHINE);
  }
}

GST_END_TEST;

GST_START_TEST (test_options)
{
  const gchar *options[] = { "-D", "ONE=1", "--define-macro=TWO=2", "-g", "-O3",
    "--gpu-architecture=sm_999", "-ffast-math", NULL
  };
  const gchar *lacking[] = { "-D", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) module = compile_well (archs[0],
      "#if ONE + TWO != 3\n#error\n#endif\n"
      "extern \"C\" __global__ void f (float *p) { *p = sinf (*p); }\n",
      "options.hip", options);
  g_auto (GStrv) none = amd_translate_options (NULL, lacking, &error);

  fail_unless (none == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
}

GST_END_TEST;

GST_START_TEST (test_error_has_the_users_line)
{
  g_autofree gchar *log = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) module = compile (archs[0],
      "\n\nextern \"C\" __global__ void f (int *p) { *p = missing; }\n",
      "dir/mine.hip", NULL, &log, &error);

  fail_unless (module == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE));
  fail_unless (strstr (error->message, "dir/mine.hip:3:") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "error: ") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "missing") != NULL, "%s",
      error->message);
}

GST_END_TEST;

/* What the archive and the simulated driver go by: for which GPUs the code is,
 * and for which settings of their features. */
GST_START_TEST (test_flags)
{
  static const gchar *const names[] = { "gfx906:xnack+", "gfx908", "gfx90a",
    "gfx90a:xnack-", "gfx90a:sramecc-", "gfx90a:sramecc+:xnack-", "gfx942",
    "gfx1010", "gfx1010:xnack-", "gfx1030", "gfx1100", "gfx1101", "gfx1102",
    "gfx1151", "gfx1200", "gfx1201"
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) module = compile (names[i],
        "extern \"C\" __global__ void f (int *p) { *p = 1; }\n", "flags.hip",
        NULL, NULL, &error);

    if (!module && g_error_matches (error, GST_HIP_ERROR,
            GST_HIP_ERROR_UNSUPPORTED))
      continue;
    fail_unless (module != NULL, "%s", error ? error->message : names[i]);
    fail_unless_equals_int_hex (rtc_elf_flags (module),
        amd_code_flags (names[i]));
    n++;
  }
  /* HIPRTC 5.2 knows those that are older than RDNA 3 and MI300. */
  fail_unless (n >= 9, "%u", n);
}

GST_END_TEST;

/* Given to HIPRTC, these end the process. */
GST_START_TEST (test_unknown_architectures)
{
  static const gchar *const unknown[] = { "gfx9999", "gfx9", "nonsense", "",
    "gfx90", "sm_90"
  };

  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) module = compile (unknown[i],
        "extern \"C\" __global__ void f (int *p) { *p = 1; }\n", "new.hip",
        NULL, NULL, &error);

    fail_unless (module == NULL);
    fail_unless (g_error_matches (error, GST_HIP_ERROR,
            GST_HIP_ERROR_UNSUPPORTED), "\"%s\": %s", unknown[i],
        error->message);
    fail_unless (strstr (error->message, unknown[i]) != NULL, "%s",
        error->message);
  }
}

GST_END_TEST;

static void
find_archs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (all_archs); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) module = compile (all_archs[i],
        "extern \"C\" __global__ void f (void) { }\n", "probe.hip", NULL, NULL,
        &error);

    if (module || !g_error_matches (error, GST_HIP_ERROR,
            GST_HIP_ERROR_UNSUPPORTED))
      archs[n_archs++] = all_archs[i];
    g_print ("%s: %s\n", all_archs[i], module ? "yes" : error->message);
  }
}

static Suite *
hiprtc_suite (void)
{
  Suite *s = suite_create ("hiprtc");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  /* All architectures of a file are one case */
  tcase_set_timeout (tc, 280);
  tcase_add_loop_test (tc, test_tree, 0, rtc_files->len);
  tcase_add_loop_test (tc, test_subset, 0, 4);
  tcase_add_test (tc, test_options);
  tcase_add_test (tc, test_error_has_the_users_line);
  tcase_add_test (tc, test_flags);
  tcase_add_test (tc, test_unknown_architectures);
  return s;
}

int
main (int argc, char **argv)
{
  const gchar *required = g_getenv ("GST_HIP_TEST_REQUIRE");
  g_autoptr (GError) error = NULL;
  int status;

  gst_check_init (&argc, &argv);
  if (!amd_get_hiprtc (&error)) {
    g_printerr ("%s\n", error->message);
    return required && strstr (required, "hiprtc") ? 1 : 77;
  }
  g_print ("compiler: %s\n", amd_hiprtc_path ());
  find_archs ();
  rtc_list_files ();
  status = gst_check_run_suite (hiprtc_suite (), "hiprtc", __FILE__);
  g_ptr_array_unref (rtc_files);
  return status;
}
