/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does the plugin refuse a process in which another library has its names, and
 * say which? Built twice: linked with the library, which is there before the
 * other then, and not. Every case has a process of its own. */
#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gst/check/gstcheck.h>
#ifdef LINKED
#include <gst/hip/gsthip.h>
#endif

typedef void (*Register) (const gchar * name);

static GString *logged;

static void
keep_errors (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (level == GST_LEVEL_ERROR)
    g_string_append (logged, gst_debug_message_get (message));
}

static GstPlugin *
load_plugin (void)
{
  g_autoptr (GError) error = NULL;
  GstPlugin *plugin;

  logged = g_string_new (NULL);
  gst_debug_add_log_function (keep_errors, NULL, NULL);
  gst_debug_set_default_threshold (GST_LEVEL_ERROR);
  plugin = gst_plugin_load_file (g_getenv ("GST_HIP_TEST_PLUGIN"), &error);
  fail_unless (plugin || error);
  return plugin;
}

static gpointer
open_other (const gchar * variable, int flags)
{
  gpointer handle = dlopen (g_getenv (variable), RTLD_NOW | flags);

  fail_unless (handle, "%s", dlerror ());
  return handle;
}

static void
other_registers (const gchar * how, const gchar * name)
{
  gpointer handle = open_other ("GST_HIP_TEST_OTHER", RTLD_LOCAL);
  Register function = (Register) dlsym (handle, how);

  fail_unless (function != NULL);
  function (name);
  fail_unless (g_type_from_name (name) != 0);
}

static void
expect_refusal (const gchar * name, const gchar * other)
{
  g_autofree gchar *other_file = g_path_get_basename (other);

  fail_unless (load_plugin () == NULL);
  fail_unless (strstr (logged->str, name), "%s", logged->str);
  fail_unless (strstr (logged->str, other_file), "%s", logged->str);
  fail_unless (strstr (logged->str, "libgsthip-1.0.so.1"), "%s", logged->str);
  /* Nothing was registered, which would break the other one. */
  fail_unless (g_type_from_name ("GstHipFenceData") == 0);
  fail_unless (g_type_from_name ("GstHipBaseFilter") == 0);
}

GST_START_TEST (object_of_another)
{
  other_registers ("other_register_object", "GstHipDevice");
  expect_refusal ("GstHipDevice", g_getenv ("GST_HIP_TEST_OTHER"));
}

GST_END_TEST;

GST_START_TEST (enum_of_another)
{
  other_registers ("other_register_enum", "GstHipVendor");
  expect_refusal ("GstHipVendor", g_getenv ("GST_HIP_TEST_OTHER"));
}

GST_END_TEST;

#ifndef LINKED
GST_START_TEST (function_of_another)
{
  open_other ("GST_HIP_TEST_OTHER_FUNCTIONS", RTLD_GLOBAL);
  expect_refusal ("gst_hip_device_new",
      g_getenv ("GST_HIP_TEST_OTHER_FUNCTIONS"));
}

GST_END_TEST;

/* Owns no code: known only where it came first */
GST_START_TEST (boxed_of_another)
{
  other_registers ("other_register_boxed", "GstHipStream");
  expect_refusal ("GstHipStream", "another library");
}

GST_END_TEST;
#endif

/* --- nobody else --- */

GST_START_TEST (alone)
{
  g_autoptr (GstPlugin) plugin = load_plugin ();
  g_autoptr (GstElement) element = NULL;

  fail_unless (plugin != NULL, "%s", logged->str);
  fail_unless_equals_string (logged->str, "");
  element = gst_element_factory_make ("hipupload", NULL);
  fail_unless (element != NULL);
}

GST_END_TEST;

/* "gst_hip_fence_data_get_type": "GstHipFenceData" */
static gchar *
type_name_of (const gchar * symbol)
{
  GString *name = g_string_new (NULL);
  gboolean upper = TRUE;

  for (; !g_str_equal (symbol, "_get_type"); symbol++) {
    if (*symbol == '_')
      upper = TRUE;
    else
      g_string_append_c (name, upper ? g_ascii_toupper (*symbol) : *symbol);
    upper = *symbol == '_';
  }
  return g_string_free (name, FALSE);
}

GST_START_TEST (all_types_are_checked)
{
  g_autoptr (GstPlugin) plugin = load_plugin ();
  g_autofree gchar *path =
      g_build_filename (g_getenv ("GST_HIP_SOURCE_DIR"), "gst-libs", "gst",
      "hip", "gsthip-1.0.symbols", NULL);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  fail_unless (plugin != NULL);
  fail_unless (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    g_autofree gchar *name = NULL;

    if (!g_str_has_suffix (lines[i], "_get_type"))
      continue;
    name = type_name_of (lines[i]);
    fail_unless (g_type_from_name (name), "hip-types.c has no %s", name);
    n++;
  }
  fail_unless (n >= 20);
}

GST_END_TEST;

/* In a process of its own: the types behind the plugin's elements, a name a
 * line, on fd */
static void
write_element_types (int fd)
{
  g_autoptr (GstPlugin) plugin = load_plugin ();
  GList *features =
      gst_registry_get_feature_list_by_plugin (gst_registry_get (), "hip");

  for (GList * l = features; l; l = l->next) {
    g_autoptr (GstElement) element =
        gst_element_factory_create (GST_ELEMENT_FACTORY (l->data), NULL);
    GType type = element ? G_OBJECT_TYPE (element) : 0;

    for (; g_str_has_prefix (g_type_name (type), "GstHip");
        type = g_type_parent (type)) {
      if (write (fd, g_type_name (type), strlen (g_type_name (type))) < 0
          || write (fd, "\n", 1) < 0)
        _exit (1);
    }
  }
  gst_plugin_feature_list_free (features);
}

/* TRUE if the plugin is refused because of name; in a process of its own */
static gboolean
is_checked (const gchar * name)
{
  int status = -1;
  pid_t child = fork ();

  if (child == 0) {
    other_registers ("other_register_object", name);
    if (load_plugin () || !strstr (logged->str, name))
      _exit (1);
    _exit (0);
  }
  return waitpid (child, &status, 0) == child && status == 0;
}

GST_START_TEST (all_elements_are_checked)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) names = NULL;
  gchar buffer[256];
  int fds[2];
  gssize n;

  fail_unless (pipe (fds) == 0);
  if (fork () == 0) {
    close (fds[0]);
    write_element_types (fds[1]);
    _exit (0);
  }
  close (fds[1]);
  while ((n = read (fds[0], buffer, sizeof (buffer))) > 0)
    g_string_append_len (text, buffer, n);
  close (fds[0]);

  fail_unless (strstr (text->str, "GstHipUpload"), "%s", text->str);
  fail_unless (strstr (text->str, "GstHipBaseFilter"), "%s", text->str);
  names = g_strsplit (text->str, "\n", -1);
  for (guint i = 0; names[i]; i++)
    fail_unless (!*names[i] || is_checked (names[i]), "%s", names[i]);
}

GST_END_TEST;

static Suite *
beside_suite (void)
{
  Suite *s = suite_create ("beside");
  TCase *tc = tcase_create ("beside");

#ifdef LINKED
  /* Used, so that the linker keeps it */
  g_assert (gst_hip_error_quark () != 0);
#endif
  suite_add_tcase (s, tc);
  tcase_add_test (tc, object_of_another);
  tcase_add_test (tc, enum_of_another);
#ifndef LINKED
  tcase_add_test (tc, function_of_another);
  tcase_add_test (tc, boxed_of_another);
#endif
  tcase_add_test (tc, alone);
  tcase_add_test (tc, all_types_are_checked);
  tcase_add_test (tc, all_elements_are_checked);
  return s;
}

GST_CHECK_MAIN (beside);
