/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Precompiled kernels, as a user meets them: pipelines with
 * the example kernels in processes of their own, where there is no compiler,
 * where the archive is not what it should be, and for each kind of CPU that
 * this one can be. Each process tells a digest of its frames and where its
 * kernels came from. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>
#include <gst/hip/gsthip.h>

#define KERNEL_FILE "host.%s.%s.kernels"

static const gchar *const examples[] = { "edges", "false-colour", "lut",
  "difference"
};

static gchar *self;

/* --- the program that is started --- */

static void
add_frame (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer sum)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_checksum_update (sum, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
}

/* KERNEL-FILE: prints the counters, then the digest of the frames or the error.
 * On a simulated GPU for archive-amd.py */
static int
child_main (const gchar * location)
{
  static const gchar *const nicks[] = {
    [GST_HIP_VENDOR_AMD] = "amd",
    [GST_HIP_VENDOR_HOST] = "host",
  };
  GstHipVendor vendor = g_getenv ("FAKE_HIP_ARCH") ? GST_HIP_VENDOR_AMD
      : GST_HIP_VENDOR_HOST;
  g_autofree gchar *text = g_strdup_printf ("videotestsrc num-buffers=3 "
      "pattern=ball ! video/x-raw,format=RGBA,width=321,height=241 ! "
      "hipupload vendor=%s ! hipkernel location=%s ! hipdownload ! "
      "fakesink name=sink signal-handoffs=true",
      nicks[vendor], location);
  g_autoptr (GstElement) pipeline = gst_parse_launch (text, NULL);
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstStructure) info = NULL;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GError) error = NULL;
  guint archived = 0, cached = 0, compiled = 0;

  g_assert_nonnull (pipeline);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (add_frame), sum);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  info = gst_hip_get_backend_info (vendor, NULL);
  gst_structure_get (info, "modules-archived", G_TYPE_UINT, &archived,
      "modules-cached", G_TYPE_UINT, &cached,
      "modules-compiled", G_TYPE_UINT, &compiled, NULL);
  printf ("%u %u %u\n%s\n", archived, cached, compiled,
      error ? error->message : g_checksum_get_string (sum));
  return 0;
}

/* --- the tests --- */

typedef struct
{
  gchar *top, *cache, *archive;
  gchar **env;
} Fixture;

static void
set_env (Fixture * f, const gchar * name, const gchar * value)
{
  f->env = g_environ_setenv (f->env, name, value, TRUE);
}

/* No compiler, an empty cache */
static void
set_up (Fixture * f, gconstpointer data)
{
  f->top = g_dir_make_tmp ("gst-hip-kernel-archive-XXXXXX", NULL);
  g_assert_nonnull (f->top);
  f->cache = g_build_filename (f->top, "cache", NULL);
  f->archive = g_build_filename (f->top, "archive", NULL);
  g_assert_cmpint (g_mkdir (f->archive, 0700), ==, 0);
  f->env = g_get_environ ();
  f->env = g_environ_unsetenv (f->env, "GST_HIP_ARCHIVE");
  f->env = g_environ_unsetenv (f->env, "GST_HIP_HOST_ARCH");
  set_env (f, "GST_HIP_CXX", "/nonexistent");
  set_env (f, "PATH", "");
  set_env (f, "GST_HIP_CACHE", "off");
  set_env (f, "GST_HIP_CACHE_DIR", f->cache);
}

/* The compiler is back; the cache, too */
static void
allow_all (Fixture * f)
{
  f->env = g_environ_unsetenv (f->env, "GST_HIP_CXX");
  f->env = g_environ_unsetenv (f->env, "GST_HIP_CACHE");
  set_env (f, "PATH", g_getenv ("PATH"));
}

static void
tear_down (Fixture * f, gconstpointer data)
{
  const gchar *folders[] = { f->cache, f->archive, f->top };

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
  g_strfreev (f->env);
  g_free (f->top);
  g_free (f->cache);
  g_free (f->archive);
}

/* What the process says behind its counters, which have to be those */
static gchar *
start (Fixture * f, const gchar * location, const gchar * counters)
{
  const gchar *argv[] = { self, "--child", location, NULL };
  g_autofree gchar *out = NULL, *err = NULL;
  g_auto (GStrv) lines = NULL;
  GError *error = NULL;
  gint status;

  g_spawn_sync (NULL, (gchar **) argv, f->env, G_SPAWN_DEFAULT, NULL, NULL,
      &out, &err, &status, &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
  lines = g_strsplit (out, "\n", 2);
  g_assert_cmpuint (g_strv_length (lines), ==, 2);
  if (g_strcmp0 (lines[0], counters) != 0)
    g_printerr ("%s%s", out, err);
  g_assert_cmpstr (lines[0], ==, counters);
  return g_strdup (lines[1]);
}

static gchar *
example_path (const gchar * name)
{
  return g_strdup_printf ("%s/examples/kernels/%s.hip",
      g_getenv ("GST_HIP_SOURCE_DIR"), name);
}

/* A digest is no error */
static void
assert_frames (const gchar * text)
{
  g_assert_cmpuint (strspn (text, "0123456789abcdef"), ==, 64);
}

static void
test_no_compiler (Fixture * f, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree gchar *path = example_path (examples[i]);
    g_autofree gchar *archived = start (f, path, "1 0 0");
    g_autofree gchar *compiled = NULL;

    assert_frames (archived);
    set_env (f, "GST_HIP_ARCHIVE", "off");
    allow_all (f);
    compiled = start (f, path, "0 0 1");
    g_assert_cmpstr (archived, ==, compiled);
    tear_down (f, NULL);
    set_up (f, NULL);
  }
}

/* Levels up to this CPU's, each with its own code and the same frames */
static void
test_levels (Fixture * f, gconstpointer data)
{
  static const gchar *const levels[] = { "x86-64-v2", "x86-64-v3", "x86-64-v4"
  };
  g_autoptr (GPtrArray) devices =
      gst_hip_enumerate_devices (GST_HIP_VENDOR_HOST);
  const GstHipDeviceInfo *info = g_ptr_array_index (devices, 0);
  const gchar *folder = g_getenv ("GST_HIP_ARCHIVE_DIR");
  gboolean below = g_str_has_prefix (info->arch, "x86-64-v");

  g_autofree gchar *edges = example_path ("edges"), *refused = NULL;

  set_env (f, "GST_HIP_HOST_ARCH", "x86-64-v9");
  refused = start (f, edges, "0 0 0");
  g_assert_nonnull (strstr (refused, "GST_HIP_HOST_ARCH"));
  f->env = g_environ_unsetenv (f->env, "GST_HIP_HOST_ARCH");
  /* CPUs of other kinds have no levels; there the rest is test_no_compiler () */
  if (!below)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree gchar *path = example_path (examples[i]);
    g_autofree gchar *first = start (f, path, "1 0 0");

    for (guint j = 0; j < G_N_ELEMENTS (levels); j++) {
      g_autofree gchar *name =
          g_strdup_printf (KERNEL_FILE, levels[j], examples[i]);
      g_autofree gchar *from = g_build_filename (folder, name, NULL);
      g_autofree gchar *to = g_build_filename (f->archive, name, NULL);
      g_autofree gchar *text = NULL, *frames = NULL;
      gsize size;

      set_env (f, "GST_HIP_HOST_ARCH", levels[j]);
      if (strcmp (levels[j], info->arch) > 0) {
        g_autofree gchar *refused = start (f, path, "0 0 0");

        g_assert_nonnull (strstr (refused, levels[j]));
        continue;
      }
      /* no other level's file is there that could be taken instead */
      g_assert_true (g_file_get_contents (from, &text, &size, NULL));
      g_assert_true (g_file_set_contents (to, text, size, NULL));
      set_env (f, "GST_HIP_ARCHIVE_DIR", f->archive);
      frames = start (f, path, "1 0 0");
      g_assert_cmpstr (frames, ==, first);
      g_remove (to);
      set_env (f, "GST_HIP_ARCHIVE_DIR", folder);
    }
    f->env = g_environ_unsetenv (f->env, "GST_HIP_HOST_ARCH");
  }
}

/* A user's change is no kernel of ours any more */
static void
test_changed_source (Fixture * f, gconstpointer data)
{
  g_autofree gchar *path = example_path ("edges");
  g_autofree gchar *copy = g_build_filename (f->top, "edges.hip", NULL);
  g_autofree gchar *text = NULL, *changed = NULL, *frames = NULL;
  g_autofree gchar *original = start (f, path, "1 0 0"), *refused = NULL;
  gchar *place;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (copy, text, -1, NULL));
  frames = start (f, copy, "1 0 0");
  g_assert_cmpstr (frames, ==, original);

  place = strstr (text, "183 * row");
  g_assert_nonnull (place);
  place[2] = '4';
  g_assert_true (g_file_set_contents (copy, text, -1, NULL));
  refused = start (f, copy, "0 0 1");
  g_assert_nonnull (strstr (refused, "/nonexistent"));
  f->env = g_environ_unsetenv (f->env, "GST_HIP_CXX");
  g_free (refused);
  refused = start (f, copy, "0 0 1");
  g_assert_nonnull (strstr (refused, "package g++"));
  allow_all (f);
  changed = start (f, copy, "0 0 1");
  assert_frames (changed);
  g_assert_cmpstr (changed, !=, original);
}

static void
test_order (Fixture * f, gconstpointer data)
{
  g_autofree gchar *path = example_path ("edges");
  const gchar *const counters[] = { "0 0 1", "0 1 0", "1 0 0" };

  allow_all (f);
  set_env (f, "GST_HIP_ARCHIVE", "off");
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++) {
    g_autofree gchar *frames = NULL;

    if (i == 2)
      f->env = g_environ_unsetenv (f->env, "GST_HIP_ARCHIVE");
    frames = start (f, path, counters[i]);
    assert_frames (frames);
  }
}

typedef enum
{
  DAMAGE_EMPTY,
  DAMAGE_TRUNCATED,
  DAMAGE_BINARY,
  DAMAGE_INDEX,
  DAMAGE_FOREIGN,               /* of another level, under this one's name */
  DAMAGE_GARBAGE,
  N_DAMAGES
} Damage;

static void
damage_files (Fixture * f, const gchar * folder, Damage damage)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir))) {
    g_autofree gchar *from = g_build_filename (folder, name, NULL);
    g_autofree gchar *to = g_build_filename (f->archive, name, NULL);
    g_autofree gchar *text = NULL;
    gsize size;

    if (!g_str_has_prefix (name, "host.") || !strstr (name, ".edges."))
      continue;
    if (damage == DAMAGE_FOREIGN) {
      g_auto (GStrv) parts = g_strsplit (name, ".", 3);
      g_autofree gchar *other = g_strdup_printf ("host.%s.%s",
          strcmp (parts[1], "x86-64-v2") == 0 ? "x86-64-v3" : "x86-64-v2",
          parts[2]);

      g_free (from);
      from = g_build_filename (folder, other, NULL);
      if (!g_file_test (from, G_FILE_TEST_EXISTS))
        continue;
    }
    g_assert_true (g_file_get_contents (from, &text, &size, NULL));
    if (damage == DAMAGE_BINARY)
      text[size - 300] ^= 1;
    else if (damage == DAMAGE_INDEX)
      text[150] ^= 1;
    else if (damage == DAMAGE_GARBAGE)
      memset (text, 'x', size);
    else if (damage == DAMAGE_TRUNCATED)
      size /= 2;
    else if (damage == DAMAGE_EMPTY)
      size = 0;
    g_assert_true (g_file_set_contents (to, text, size, NULL));
  }
  g_dir_close (dir);
}

/* Said once, then as if it were not there */
static void
test_damaged (Fixture * f, gconstpointer data)
{
  g_autofree gchar *path = example_path ("edges");
  g_autofree gchar *right = start (f, path, "1 0 0");
  const gchar *folder = g_getenv ("GST_HIP_ARCHIVE_DIR");

  allow_all (f);
  set_env (f, "GST_HIP_CACHE", "off");
  set_env (f, "GST_HIP_ARCHIVE_DIR", f->archive);
  for (Damage damage = 0; damage < N_DAMAGES; damage++) {
    g_autofree gchar *frames = NULL;

    damage_files (f, folder, damage);
    frames = start (f, path, "0 0 1");
    g_assert_cmpstr (frames, ==, right);
  }
}

static void
test_no_folder (Fixture * f, gconstpointer data)
{
  g_autofree gchar *path = example_path ("edges"), *frames = NULL;

  allow_all (f);
  set_env (f, "GST_HIP_ARCHIVE_DIR", "/nonexistent");
  frames = start (f, path, "0 0 1");
  assert_frames (frames);
}

/* Found beside the library, as a program outside of the tests finds it */
static void
test_beside_library (Fixture * f, gconstpointer data)
{
  g_autofree gchar *path = example_path ("edges"), *frames = NULL;

  f->env = g_environ_unsetenv (f->env, "GST_HIP_ARCHIVE_DIR");
  frames = start (f, path, "1 0 0");
  assert_frames (frames);
}

#define ADD(name, func) \
    g_test_add ("/kernel-archive/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  if (argc > 2 && g_str_equal (argv[1], "--child"))
    return child_main (argv[2]);
  /* In a bundle the process's own file is the dynamic linker. */
  self = g_strdup (g_getenv ("GST_HIP_TEST_SELF"));
  if (!self)
    self = g_file_read_link ("/proc/self/exe", NULL);
  g_test_init (&argc, &argv, NULL);
  ADD ("no-compiler", test_no_compiler);
  ADD ("levels", test_levels);
  ADD ("changed-source", test_changed_source);
  ADD ("order", test_order);
  ADD ("damaged", test_damaged);
  ADD ("no-folder", test_no_folder);
  ADD ("beside-library", test_beside_library);
  return g_test_run ();
}
