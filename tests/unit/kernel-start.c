/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When does a program that starts compile its kernels, and when does it take
 * what an earlier one left? Each start is this program again, in a process of
 * its own; GST_HIP_CXX is a script that notes every start of the compiler. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <gst/hip/gsthip.h>

#include "hip-disk-cache.h"
#include "hip-kernel.h"

#define SOURCE \
    "extern \"C\" __global__ void set (int *out) { *out = VALUE; }\n"

typedef struct
{
  gchar *top, *cache, *script, *log;
} Fixture;

static gchar *self;

/* --- the program that is started --- */

/* SOURCE OPTION...: prints what the kernel wrote and how much was compiled */
static int
child_main (int argc, char **argv)
{
  static const guint one[3] = { 1, 1, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstHipDevice) device =
      gst_hip_device_new_full (GST_HIP_VENDOR_HOST, 0, &error);
  g_autoptr (GstHipKernelModule) module = NULL;
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  GstMemory *memory;
  GstMapInfo map;

  g_assert_no_error (error);
  module = gst_hip_kernel_module_new_from_source (device, argv[0],
      (const gchar * const *) argv + 1, &error);
  g_assert_no_error (error);
  memory = gst_hip_allocator_alloc_linear (NULL, device, sizeof (gint), &error);
  g_assert_no_error (error);
  gst_hip_kernel_args_add_memory (args, memory, 0, &error);
  g_assert_no_error (error);
  gst_hip_kernel_module_launch (module, "set", NULL, one, one, args, &error);
  g_assert_no_error (error);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  printf ("%d %u\n", *(gint *) map.data, hip_module_count (GST_HIP_VENDOR_HOST,
          HIP_MODULE_COMPILED));
  gst_memory_unmap (memory, &map);
  gst_memory_unref (memory);
  return 0;
}

/* --- the tests --- */

static void
set_up (Fixture * f, gconstpointer data)
{
  g_autoptr (GstStructure) backend = NULL;
  g_autofree gchar *text = NULL;
  GError *error = NULL;

  g_unsetenv ("GST_HIP_CXX");
  backend = gst_hip_get_backend_info (GST_HIP_VENDOR_HOST, &error);
  g_assert_no_error (error);
  f->top = g_dir_make_tmp ("gst-hip-kernel-start-XXXXXX", &error);
  g_assert_no_error (error);
  f->cache = g_build_filename (f->top, "cache", NULL);
  f->script = g_build_filename (f->top, "c++", NULL);
  f->log = g_build_filename (f->top, "log", NULL);
  text = g_strdup_printf ("#!/bin/sh\necho started >> '%s'\nexec '%s' \"$@\"\n",
      f->log, gst_structure_get_string (backend, "compiler"));
  g_file_set_contents (f->script, text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (f->script, 0700), ==, 0);
}

static void
tear_down (Fixture * f, gconstpointer data)
{
  const gchar *folders[] = { f->cache, f->top };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
    GDir *dir = g_dir_open (folders[i], 0, NULL);
    const gchar *name;

    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
      g_autofree gchar *path = g_build_filename (folders[i], name, NULL);

      g_remove (path);
    }
    if (dir != NULL)
      g_dir_close (dir);
    g_remove (folders[i]);
  }
  g_free (f->top);
  g_free (f->cache);
  g_free (f->script);
  g_free (f->log);
}

static guint
count_log (Fixture * f)
{
  g_autofree gchar *text = NULL;
  guint n = 0;

  if (g_file_get_contents (f->log, &text, NULL, NULL)) {
    for (const gchar * c = text; *c; c++)
      n += *c == '\n';
  }
  return n;
}

/* Starts the program; value is what its kernel has to write. Returns how often
 * the compiler was started, for whatever. */
static guint
start (Fixture * f, const gchar * source, const gchar * option, gint value,
    guint n_compiled)
{
  const gchar *argv[] = { self, "--child", source, option, NULL };
  g_auto (GStrv) env = g_get_environ ();
  g_autofree gchar *out = NULL;
  g_autofree gchar *expected = g_strdup_printf ("%d %u\n", value, n_compiled);
  guint before = count_log (f);
  GError *error = NULL;
  gint status;

  env = g_environ_setenv (env, "GST_HIP_CXX", f->script, TRUE);
  env = g_environ_setenv (env, "GST_HIP_CACHE_DIR", f->cache, TRUE);
  g_spawn_sync (NULL, (gchar **) argv, env, G_SPAWN_DEFAULT, NULL, NULL, &out,
      NULL, &status, &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (out, ==, expected);
  return count_log (f) - before;
}

static gchar *
only_file (Fixture * f)
{
  GDir *dir = g_dir_open (f->cache, 0, NULL);
  gchar *path;

  g_assert_nonnull (dir);
  path = g_build_filename (f->cache, g_dir_read_name (dir), NULL);
  g_assert_null (g_dir_read_name (dir));
  g_dir_close (dir);
  return path;
}

/* Not even `c++ --version` */
static void
test_second_start (Fixture * f, gconstpointer data)
{
  g_assert_cmpuint (start (f, SOURCE, "-DVALUE=1", 1, 1), >, 0);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (start (f, SOURCE, "-DVALUE=1", 1, 0), ==, 0);
}

static void
test_what_matters (Fixture * f, gconstpointer data)
{
  g_autofree gchar *script = NULL;

  start (f, SOURCE, "-DVALUE=1", 1, 1);
  start (f, SOURCE, "-DVALUE=2", 2, 1);
  start (f, "#define VALUE 3\n" SOURCE, NULL, 3, 1);
  start (f, SOURCE, "-DVALUE=1", 1, 0);
  start (f, SOURCE, "-DVALUE=2", 2, 0);

  /* another compiler under the same name */
  g_file_get_contents (f->script, &script, NULL, NULL);
  g_assert_true (g_file_set_contents_full (f->script, script, -1,
          G_FILE_SET_CONTENTS_CONSISTENT, 0700, NULL));
  start (f, SOURCE, "-DVALUE=1", 1, 1);
}

static void
test_off (Fixture * f, gconstpointer data)
{
  g_setenv ("GST_HIP_CACHE", "off", TRUE);
  start (f, SOURCE, "-DVALUE=1", 1, 1);
  start (f, SOURCE, "-DVALUE=1", 1, 1);
  g_unsetenv ("GST_HIP_CACHE");
  g_assert_false (g_file_test (f->cache, G_FILE_TEST_EXISTS));
}

static void
test_damaged (Fixture * f, gconstpointer data)
{
  g_autofree gchar *path = NULL;

  start (f, SOURCE, "-DVALUE=1", 1, 1);
  path = only_file (f);
  g_assert_cmpint (truncate (path, 1000), ==, 0);
  start (f, SOURCE, "-DVALUE=1", 1, 1);
  start (f, SOURCE, "-DVALUE=1", 1, 0);
}

/* Whole by every check of the cache, and still nothing that can be loaded */
static void
test_not_loadable (Fixture * f, gconstpointer data)
{
  g_autofree gchar *path = NULL;
  g_autofree gchar *key = NULL;
  g_autoptr (GBytes) garbage = g_bytes_new_static ("no object", 9);

  start (f, SOURCE, "-DVALUE=1", 1, 1);
  path = only_file (f);
  key = g_path_get_basename (path);
  *strchr (key, '.') = '\0';
  g_setenv ("GST_HIP_CACHE_DIR", f->cache, TRUE);
  hip_disk_cache_store (key, garbage);
  start (f, SOURCE, "-DVALUE=1", 1, 1);
  start (f, SOURCE, "-DVALUE=1", 1, 0);
}

/* A file that the source includes may change without the source */
static void
test_include (Fixture * f, gconstpointer data)
{
  g_autofree gchar *header = g_build_filename (f->top, "value.h", NULL);
  g_autofree gchar *option = g_strconcat ("-I", f->top, NULL);

  g_file_set_contents (header, "#define VALUE 1\n", -1, NULL);
  start (f, "#include \"value.h\"\n" SOURCE, option, 1, 1);
  g_file_set_contents (header, "#define VALUE 2\n", -1, NULL);
  start (f, "#include \"value.h\"\n" SOURCE, option, 2, 1);
}

static void
test_include_option (Fixture * f, gconstpointer data)
{
  g_autofree gchar *header = g_build_filename (f->top, "value.h", NULL);
  g_autofree gchar *option = g_strconcat ("-include", header, NULL);

  g_file_set_contents (header, "#define VALUE 1\n", -1, NULL);
  start (f, SOURCE, option, 1, 1);
  g_file_set_contents (header, "#define VALUE 2\n", -1, NULL);
  start (f, SOURCE, option, 2, 1);
}

/* Two at once: both work, whoever compiled */
static void
test_together (Fixture * f, gconstpointer data)
{
  const gchar *argv[] = { self, "--child", SOURCE, "-DVALUE=5", NULL };
  GSubprocess *processes[4];

  g_setenv ("GST_HIP_CACHE_DIR", f->cache, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++) {
    processes[i] = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE,
        NULL);
    g_assert_nonnull (processes[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++) {
    g_autofree gchar *out = NULL;

    g_assert_true (g_subprocess_communicate_utf8 (processes[i], NULL, NULL,
            &out, NULL, NULL));
    g_assert_true (g_subprocess_get_successful (processes[i]));
    g_assert_true (g_str_has_prefix (out, "5 "));
    g_object_unref (processes[i]);
  }
  start (f, SOURCE, "-DVALUE=6", 6, 1);
}

#define ADD(name, func) \
    g_test_add ("/kernel-start/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (&argc, &argv);
  if (argc > 2 && g_str_equal (argv[1], "--child"))
    return child_main (argc - 2, argv + 2);
  g_unsetenv ("GST_HIP_CACHE");
  /* In a bundle the process's own file is the dynamic linker. */
  self = g_strdup (g_getenv ("GST_HIP_TEST_SELF"));
  if (!self)
    self = g_file_read_link ("/proc/self/exe", NULL);
  g_test_init (&argc, &argv, NULL);
  ADD ("second-start", test_second_start);
  ADD ("what-matters", test_what_matters);
  ADD ("off", test_off);
  ADD ("damaged", test_damaged);
  ADD ("not-loadable", test_not_loadable);
  ADD ("include", test_include);
  ADD ("include-option", test_include_option);
  ADD ("together", test_together);
  return g_test_run ();
}
