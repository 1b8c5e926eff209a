/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Did the build precompile our kernels for AMD GPUs, so that a device finds
 * them?
 *
 * The real compiler made the files; what is in them is looked at, since no GPU
 * is needed for that. Skipped where there is no HIPRTC, a failure where there is
 * one and no file.
 */
#include "rtc-common.h"
#include "backends/amd/amd-internal.h"
#include "hip-kernel-archive.h"
#include "../common/amd-code.h"

static gchar **archs, **kernels;

/* Of the files that ninja made */
static HipKernelArchive *
open_file (const gchar * arch, const gchar * kernel)
{
  g_autofree gchar *target = g_strconcat ("amd.", arch, NULL);
  g_autofree gchar *name =
      g_strconcat (target, ".", kernel, HIP_KERNEL_ARCHIVE_SUFFIX, NULL);
  g_autofree gchar *folder = hip_kernel_archive_folder ();
  g_autofree gchar *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  HipKernelArchive *archive = hip_kernel_archive_open (path, target, &error);

  fail_unless (archive != NULL, "%s", error ? error->message : path);
  return archive;
}

GST_START_TEST (test_files)
{
  for (guint i = 0; kernels[i]; i++) {
    guint n_first = 0;

    for (guint j = 0; archs[j]; j++) {
      HipKernelArchive *archive = open_file (archs[j], kernels[i]);
      guint n = hip_kernel_archive_get_n_entries (archive);

      if (j == 0)
        n_first = n;
      fail_unless (n > 0, "nothing of %s for %s", kernels[i], archs[j]);
      fail_unless_equals_int (n, n_first);
      hip_kernel_archive_free (archive);
    }
    if (strcmp (kernels[i], "convert-tile") == 0)
      fail_unless (n_first > 10, "%u pairs of layouts", n_first);
  }
}

GST_END_TEST;

/* As loading goes about it */
static void
check_found (const gchar * device, const gchar * source, const gchar * name)
{
  GstHipDeviceInfo info = { 0 };
  g_autoptr (HipKernelRecipe) recipe = hip_kernel_recipe_new (&hip_backend_amd,
      NULL, source, name, NULL, NULL);
  g_autoptr (GBytes) binary = NULL;
  g_auto (GStrv) names = NULL;

  fail_unless (recipe != NULL && recipe->archive_key != NULL);
  g_strlcpy (info.arch, device, sizeof (info.arch));
  names = amd_precompiled_archs (&info);
  for (guint i = 0; names[i] && !binary; i++)
    binary = hip_kernel_archive_load ("amd", names[i], recipe->archive_key);
  fail_unless (binary != NULL, "nothing of %s for %s", name, device);
  fail_unless (rtc_symbol_size (binary, AMD_CODE_MACHINE,
          "gst_hip_entries") > 1);
  fail_unless (amd_code_runs_on (rtc_elf_flags (binary),
          amd_code_flags (device)), "%s for %s: flags %x", name, device,
      rtc_elf_flags (binary));
}

GST_START_TEST (test_examples_are_found)
{
  guint n = 0;

  for (guint i = 0; i < rtc_files->len; i++) {
    const gchar *path = g_ptr_array_index (rtc_files, i);
    g_autofree gchar *name = g_path_get_basename (path);
    g_autofree gchar *source = NULL;

    if (!strstr (path, "/examples/kernels/"))
      continue;
    fail_unless (g_file_get_contents (path, &source, NULL, NULL));
    for (guint j = 0; archs[j]; j++) {
      gboolean featured = amd_code_flags (archs[j]) & 1 << AMD_CODE_SRAMECC;

      n++;
      if (strchr (archs[j], ':'))       /* not what the build makes by itself */
        continue;
      if (!featured) {
        check_found (archs[j], source, name);
        continue;
      }
      for (guint k = 0; k < 4; k++) {
        g_autofree gchar *device = g_strdup_printf ("%s:sramecc%c:xnack%c",
            archs[j], k & 1 ? '+' : '-', k & 2 ? '+' : '-');

        check_found (device, source, name);
      }
    }
  }
  fail_unless (n >= 4 * g_strv_length (archs), "%u", n);
}

GST_END_TEST;

static Suite *
amd_archive_suite (void)
{
  Suite *s = suite_create ("amd-archive");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_files);
  tcase_add_test (tc, test_examples_are_found);
  return s;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  gst_check_init (&argc, &argv);
  archs = g_strsplit (g_getenv ("GST_HIP_TEST_ARCHS"), " ", -1);
  kernels = g_strsplit (g_getenv ("GST_HIP_TEST_KERNELS"), " ", -1);
  if (!archs[0] && !amd_get_hiprtc (&error)) {
    g_printerr ("%s\n", error->message);
    return 77;
  }
  if (!archs[0]) {
    g_printerr ("HIPRTC is there (%s) and nothing was precompiled\n",
        amd_hiprtc_path ());
    return 1;
  }
  rtc_list_files ();
  status = gst_check_run_suite (amd_archive_suite (), "amd-archive", __FILE__);
  g_ptr_array_unref (rtc_files);
  g_strfreev (archs);
  g_strfreev (kernels);
  return status;
}
