/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does the AMD backend say and do where there is no AMD GPU?
 *
 * Where it looks for libraries, what is wrong with them, and why the kernel's
 * device file does not serve. No ROCm is needed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* setgroups */
#endif
#include <grp.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>

#include "backends/amd/amd-internal.h"

#define NOBODY 65534

static gchar *folder;

static void
setup (void)
{
  folder = g_dir_make_tmp ("gst-hip-amd-XXXXXX", NULL);
  fail_unless (folder != NULL);
  g_unsetenv ("GST_HIP_AMDHIP_LIBNAME");
  g_unsetenv ("GST_HIP_HIPRTC_LIBNAME");
  g_unsetenv ("ROCM_PATH");
}

static void
remove_all (const gchar * path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree gchar *inside = g_build_filename (path, name, NULL);

    remove_all (inside);
  }
  g_remove (path);
}

static void
teardown (void)
{
  remove_all (folder);
  g_free (folder);
}

static gchar *
make_file (const gchar * name, const gchar * text)
{
  gchar *path = g_build_filename (folder, name, NULL);
  g_autofree gchar *parent = g_path_get_dirname (path);

  fail_unless (g_mkdir_with_parents (parent, 0755) == 0);
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  return path;
}

#define assert_says(text, what) \
  fail_unless (strstr (text, what) != NULL, "\"%s\" lacks \"%s\"", text, what)

/* --- the device file --- */

GST_START_TEST (test_no_device_file)
{
  g_autofree gchar *path = g_build_filename (folder, "kfd", NULL);
  g_autofree gchar *why = amd_explain_no_device (path);

  assert_says (why, path);
  assert_says (why, "amdgpu");
  assert_says (why, "--device=/dev/kfd");
}

GST_END_TEST;

GST_START_TEST (test_device_file_permitted)
{
  g_autofree gchar *path = make_file ("kfd", "");
  g_autofree gchar *why = amd_explain_no_device (path);

  assert_says (why, "HIP_VISIBLE_DEVICES");
  fail_unless (strstr (why, "permission") == NULL, "%s", why);
}

GST_END_TEST;

/* As somebody who may not open it: in a child where we are root, since root may
 * open everything. */
static gchar *
explain_as_nobody (const gchar * path)
{
  gint pipe_fds[2], status;
  gchar text[4096] = "";
  gssize n;
  pid_t child;

  fail_unless (pipe (pipe_fds) == 0);
  child = fork ();
  fail_unless (child >= 0);
  if (child == 0) {
    g_autofree gchar *why = NULL;

    if (getuid () == 0 && (setgroups (0, NULL) != 0
            || setresgid (NOBODY, NOBODY, NOBODY) != 0
            || setresuid (NOBODY, NOBODY, NOBODY) != 0))
      _exit (2);
    why = amd_explain_no_device (path);
    _exit (write (pipe_fds[1], why, strlen (why)) < 0);
  }
  close (pipe_fds[1]);
  n = read (pipe_fds[0], text, sizeof (text) - 1);
  close (pipe_fds[0]);
  fail_unless (waitpid (child, &status, 0) == child);
  fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 0 && n > 0);
  return g_strdup (text);
}

GST_START_TEST (test_device_file_not_permitted)
{
  g_autofree gchar *path = make_file ("kfd", ""), *why = NULL, *group = NULL;
  struct stat st;
  struct group *owner;

  fail_unless (chmod (folder, 0755) == 0);
  /* One that has a name everywhere, if we may give the file away */
  if (getuid () == 0)
    fail_unless (chown (path, 0, 44) == 0);     /* video */
  fail_unless (chmod (path, getuid () == 0 ? 0660 : 0) == 0);
  fail_unless (stat (path, &st) == 0);
  owner = getgrgid (st.st_gid);
  group = owner ? g_strdup_printf ("join group %s ", owner->gr_name) :
      g_strdup_printf ("join group %u ", (guint) st.st_gid);

  why = explain_as_nobody (path);
  assert_says (why, path);
  assert_says (why, "permission denied");
  assert_says (why, group);
}

GST_END_TEST;

/* --- libraries --- */

/* With a file that is no library first on the way, the message says so. */
GST_START_TEST (test_rocm_path)
{
  g_autofree gchar *library = make_file ("lib/libamdhip64.so.6", "no ELF");
  g_autoptr (GError) error = NULL;

  g_setenv ("ROCM_PATH", folder, TRUE);
  if (amd_load_hip (&error)) {
    /* This machine has one: it was taken after the bad one. */
    fail_unless (strstr (amd_hip_path (), folder) == NULL);
    return;
  }
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNAVAILABLE));
  assert_says (error->message, library);
  assert_says (error->message, "libamdhip64.so.7");
  assert_says (error->message, "/opt/rocm*/lib");
}

GST_END_TEST;

GST_START_TEST (test_wish_is_the_only_one)
{
  g_autofree gchar *library = make_file ("mine.so", "no ELF");
  g_autoptr (GError) error = NULL;

  g_setenv ("GST_HIP_AMDHIP_LIBNAME", library, TRUE);
  fail_if (amd_load_hip (&error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNAVAILABLE));
  assert_says (error->message, library);
  assert_says (error->message, "GST_HIP_AMDHIP_LIBNAME");
  fail_unless (strstr (error->message, "libamdhip64") == NULL, "%s",
      error->message);
  g_clear_error (&error);

  g_setenv ("GST_HIP_HIPRTC_LIBNAME", library, TRUE);
  fail_unless (amd_get_hiprtc (&error) == NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNAVAILABLE));
  assert_says (error->message, library);
  assert_says (error->message, "GST_HIP_HIPRTC_LIBNAME");
}

GST_END_TEST;

GST_START_TEST (test_some_other_library)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("GST_HIP_AMDHIP_LIBNAME", "libc.so.6", TRUE);
  fail_if (amd_load_hip (&error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNAVAILABLE));
  assert_says (error->message, "libc.so.6");
  assert_says (error->message, "hipInit");
}

GST_END_TEST;

/* --- modules --- */

/* Before the runtime sees them: it is not even loaded. */
GST_START_TEST (test_bytes_that_are_no_module)
{
  guint8 bundle[24 + 8 + 24 + 4] = "__CLANG_OFFLOAD_BUNDLE__";
  guint64 entry[] = { 1, 8, 1000, 4 };
  const struct
  {
    gconstpointer data;
    gsize size;
  } rows[] = {
    {"", 0},
    {"\177ELF and no more", 15},
    {bundle, 24},
    {bundle, sizeof (bundle)},
  };

  /* Its only entry ends behind it. */
  memcpy (bundle + 24, entry, sizeof (entry));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GBytes) bytes = g_bytes_new_static (rows[i].data, rows[i].size);
    g_autoptr (GError) error = NULL;

    fail_unless (amd_module_load (NULL, bytes, &error) == NULL);
    fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
  }
}

GST_END_TEST;

/* Never one that names the other setting of a feature, or another GPU */
GST_START_TEST (test_precompiled_archs)
{
  static const struct
  {
    const gchar *device;
    const gchar *archs[9];
  } rows[] = {
    {"gfx1100", {"gfx1100"}},
    {"gfx1010:xnack-", {"gfx1010:xnack-", "gfx1010"}},
    {"gfx90a:sramecc+:xnack-", {"gfx90a:sramecc+:xnack-", "gfx90a:xnack-",
            "gfx90a:sramecc+", "gfx90a"}},
    {"gfx1:a+:b-:c+:d-", {"gfx1:a+:b-:c+:d-", "gfx1:b-:c+:d-", "gfx1:a+:c+:d-",
            "gfx1:c+:d-", "gfx1:a+:b-", "gfx1:b-", "gfx1:a+", "gfx1"}},
    {"", {""}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstHipDeviceInfo info = { 0 };
    g_auto (GStrv) archs = NULL;

    g_strlcpy (info.arch, rows[i].device, sizeof (info.arch));
    archs = amd_precompiled_archs (&info);
    for (guint j = 0; rows[i].archs[j]; j++)
      fail_unless_equals_string (archs[j], rows[i].archs[j]);
    fail_unless (g_strv_equal ((const gchar * const *) archs,
            rows[i].archs), "%s", rows[i].device);
  }
}

GST_END_TEST;

static Suite *
amd_alone_suite (void)
{
  Suite *s = suite_create ("amd-alone");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_no_device_file);
  tcase_add_test (tc, test_device_file_permitted);
  tcase_add_test (tc, test_device_file_not_permitted);
  tcase_add_test (tc, test_rocm_path);
  tcase_add_test (tc, test_wish_is_the_only_one);
  tcase_add_test (tc, test_some_other_library);
  tcase_add_test (tc, test_bytes_that_are_no_module);
  tcase_add_test (tc, test_precompiled_archs);
  return s;
}

GST_CHECK_MAIN (amd_alone);
