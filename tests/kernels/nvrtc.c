/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does the real compiler of NVIDIA GPUs take what we give it?
 *
 * No GPU is needed: every .hip file of the source tree and the sources below
 * are compiled for some architectures, and what comes out is looked at. Skipped
 * where there is no NVRTC.
 */
#include "rtc-common.h"
#include "backends/nvidia/nvidia-internal.h"

#define MACHINE 190

static const guint archs[] = { 75, 80, 90 };

static GBytes *
compile (guint arch, const gchar * source, const gchar * name,
    const gchar * const *options, gchar ** log, GError ** error)
{
  g_autofree gchar *text = rtc_compose (source, name);
  g_auto (GStrv) translated = nvidia_translate_options (NULL, options, error);
  HipCompileRequest request = { text, name,
    (const gchar * const *) translated
  };

  return translated ? nvidia_compile_capability (arch, &request, log,
      error) : NULL;
}

static GBytes *
compile_well (guint arch, const gchar * source, const gchar * name,
    const gchar * const *options)
{
  g_autofree gchar *log = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *cubin = compile (arch, source, name, options, &log, &error);

  fail_unless (cubin != NULL, "%s for sm_%u: %s", name, arch,
      error ? error->message : "no error either");
  fail_unless (log == NULL, "%s for sm_%u: %s", name, arch, log);
  return cubin;
}

GST_START_TEST (test_tree)
{
  const gchar *path = g_ptr_array_index (rtc_files, __i__);
  g_autofree gchar *folder = g_path_get_dirname (path);
  g_autofree gchar *include = g_strconcat ("-I", folder, NULL);
  guint pairs = rtc_n_pairs (path);
  g_autofree gchar *source = NULL;

  fail_unless (g_file_get_contents (path, &source, NULL, NULL));
  for (guint i = 0; i < pairs * G_N_ELEMENTS (archs); i++) {
    const gchar *const *pair = rtc_pairs[i % pairs];
    const gchar *options[] = { include, pairs > 1 ? pair[0] : NULL, pair[1],
      NULL
    };
    g_autoptr (GBytes) cubin = NULL;

    if (i % pairs >= RTC_N_PAIRS_EVERYWHERE && i / pairs > 0)
      continue;
    cubin = compile_well (archs[i / pairs], source, path, options);

    fail_unless (rtc_symbol_size (cubin, MACHINE, "gst_hip_entries") > 1,
        "%s has no kernel", path);
  }
}

GST_END_TEST;

GST_START_TEST (test_subset)
{
  static const gchar *const standards[] = { NULL, "-std=gnu++17",
    "--std=c++14", "--std=c++20"
  };

  for (guint i = 0; i < G_N_ELEMENTS (archs); i++) {
    const gchar *options[] = { "-O2", standards[__i__], NULL };
    g_autoptr (GBytes) cubin = compile_well (archs[i], rtc_subset,
        "subset.hip", options);

    rtc_check_subset (cubin, MACHINE);
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
  g_autoptr (GBytes) cubin = compile_well (80,
      "#if ONE + TWO != 3\n#error\n#endif\n"
      "extern \"C\" __global__ void f (float *p) { *p = sinf (*p); }\n",
      "options.hip", options);
  g_auto (GStrv) none = nvidia_translate_options (NULL, lacking, &error);

  fail_unless (none == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
}

GST_END_TEST;

GST_START_TEST (test_error_has_the_users_line)
{
  g_autofree gchar *log = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) cubin = compile (80,
      "\n\nextern \"C\" __global__ void f (int *p) { *p = missing; }\n",
      "dir/mine.hip", NULL, &log, &error);

  fail_unless (cubin == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE));
  fail_unless (strstr (error->message, "dir/mine.hip:3: error") != NULL, "%s",
      error->message);
  fail_unless (strstr (error->message, "missing") != NULL, "%s",
      error->message);
}

GST_END_TEST;

/* PTX for what NVRTC does not know yet, an error for what it knows no more */
GST_START_TEST (test_other_architectures)
{
  static const gchar source[] =
      "extern \"C\" __global__ void f (int *p) { *p = 1; }\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) ptx = compile_well (999, source, "new.hip", NULL);
  g_autoptr (GBytes) old = NULL;
  gsize size;
  const gchar *text = g_bytes_get_data (ptx, &size);

  fail_unless (size > 0 && text[size - 1] == '\0');
  fail_unless (strstr (text, ".version") != NULL);
  fail_unless (strstr (text, "gst_hip_meta_f") != NULL);

  old = compile (20, source, "old.hip", NULL, NULL, &error);
  fail_unless (old == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNSUPPORTED));
  fail_unless (strstr (error->message, "sm_20") != NULL, "%s", error->message);
}

GST_END_TEST;

static Suite *
nvrtc_suite (void)
{
  Suite *s = suite_create ("nvrtc");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  /* All architectures of a file are one case */
  tcase_set_timeout (tc, 280);
  tcase_add_loop_test (tc, test_tree, 0, rtc_files->len);
  tcase_add_loop_test (tc, test_subset, 0, 4);
  tcase_add_test (tc, test_options);
  tcase_add_test (tc, test_error_has_the_users_line);
  tcase_add_test (tc, test_other_architectures);
  return s;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  gst_check_init (&argc, &argv);
  if (!nvidia_get_nvrtc (&error)) {
    g_printerr ("%s\n", error->message);
    return 77;
  }
  rtc_list_files ();
  status = gst_check_run_suite (nvrtc_suite (), "nvrtc", __FILE__);
  g_ptr_array_unref (rtc_files);
  return status;
}
