/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are kernels on disk believed only when they are whole and ours, and is no
 * trouble with the disk ever an error? Each case works in a folder of its own.
 * GLib's test program instead of GstCheck, because what needs root or a file
 * system of its own skips case by case. */
#include "../common/small-disk.h"
#include "../common/self.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <gst/gst.h>

#include "hip-disk-cache.h"

#define HEADER_SIZE 120

typedef struct
{
  gchar *top;
  gchar *dir;                   /* the cache, not made yet */
  gchar *key, *file;
  GBytes *binary;
} Fixture;

static gint warnings;

static void
count_warnings (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer user_data)
{
  if (level <= GST_LEVEL_WARNING &&
      g_str_equal (gst_debug_category_get_name (category), "hipdiskcache"))
    g_atomic_int_inc (&warnings);
}

static gchar *
key_of (const gchar * source)
{
  HipDiskCacheParts parts = {.source = source };

  return hip_disk_cache_make_key (&parts);
}

static GBytes *
make_binary (gsize size, guint32 seed)
{
  guint8 *data = g_malloc (size);

  for (gsize i = 0; i < size; i++) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = seed >> 24;
  }
  return g_bytes_new_take (data, size);
}

static gchar *
file_of (Fixture * f, const gchar * key)
{
  g_autofree gchar *name = g_strconcat (key, HIP_DISK_CACHE_SUFFIX, NULL);

  return g_build_filename (f->dir, name, NULL);
}

static void
set_up (Fixture * f, gconstpointer data)
{
  GError *error = NULL;

  f->top = g_dir_make_tmp ("gst-hip-disk-cache-XXXXXX", &error);
  g_assert_no_error (error);
  f->dir = g_build_filename (f->top, "a", "cache", NULL);
  f->key = key_of ("one");
  f->file = file_of (f, f->key);
  f->binary = make_binary (100000, 1);
  g_setenv ("GST_HIP_CACHE_DIR", f->dir, TRUE);
  g_unsetenv ("GST_HIP_CACHE");
  g_unsetenv ("GST_HIP_CACHE_SIZE");
}

static void
remove_tree (const gchar * path)
{
  GDir *dir = NULL;
  const gchar *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *child = g_build_filename (path, name, NULL);

    remove_tree (child);
  }
  if (dir != NULL)
    g_dir_close (dir);
  g_remove (path);
}

static void
tear_down (Fixture * f, gconstpointer data)
{
  remove_tree (f->top);
  g_free (f->top);
  g_free (f->dir);
  g_free (f->key);
  g_free (f->file);
  g_bytes_unref (f->binary);
}

static void
assert_hit (const gchar * key, GBytes * expected)
{
  g_autoptr (GBytes) binary = hip_disk_cache_load (key);

  g_assert_nonnull (binary);
  g_assert_true (g_bytes_equal (binary, expected));
}

static void
assert_miss (const gchar * key)
{
  g_assert_null (hip_disk_cache_load (key));
}

static gboolean
exists (const gchar * path)
{
  struct stat st;

  return lstat (path, &st) == 0;
}

static guint
count_files (const gchar * path, const gchar * prefix)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  const gchar *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, prefix);
  if (dir != NULL)
    g_dir_close (dir);
  return n;
}

/* Spoils the stored file and says what must follow: never believed, replaced
 * by the next store. */
static void
assert_ignored_then_rebuilt (Fixture * f, gboolean removed)
{
  assert_miss (f->key);
  g_assert_true (exists (f->file) == !removed);
  hip_disk_cache_store (f->key, f->binary);
  assert_hit (f->key, f->binary);
}

static void
poke (const gchar * path, goffset offset, guint8 flip)
{
  gint fd = open (path, O_RDWR);
  guint8 byte;

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pread (fd, &byte, 1, offset), ==, 1);
  byte ^= flip;
  g_assert_cmpint (pwrite (fd, &byte, 1, offset), ==, 1);
  close (fd);
}

/* --- keys --- */

static void
test_key_parts (void)
{
  static const gchar *const ab_c[] = { "ab", "c", NULL };
  static const gchar *const a_bc[] = { "a", "bc", NULL };
  static const gchar *const abc[] = { "abc", NULL };
  static const gchar *const none[] = { NULL };
  const HipDiskCacheParts all[] = {
    {"p", "s", ab_c, "arch", "cc"}, {"q", "s", ab_c, "arch", "cc"},
    {"p", "t", ab_c, "arch", "cc"}, {"ps", "", ab_c, "arch", "cc"},
    {"", "ps", ab_c, "arch", "cc"}, {"p", "s", a_bc, "arch", "cc"},
    {"p", "s", abc, "arch", "cc"}, {"p", "s", none, "arch", "cc"},
    {"p", "s", ab_c, "arch2", "cc"}, {"p", "s", ab_c, "arch", "cc2"},
    {"p", "s", ab_c, "archc", "c"}, {"p", "sab", none, "arch", "cc"},
  };
  HipDiskCacheParts null_options = { "p", "s", NULL, "arch", "cc" };
  g_autofree gchar *a = hip_disk_cache_make_key (&null_options);
  g_autofree gchar *b = hip_disk_cache_make_key (&all[7]);

  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    g_autofree gchar *x = hip_disk_cache_make_key (&all[i]);
    g_autofree gchar *again = hip_disk_cache_make_key (&all[i]);

    g_assert_cmpuint (strlen (x), ==, 64);
    g_assert_cmpstr (x, ==, again);
    for (guint j = 0; j < i; j++) {
      g_autofree gchar *y = hip_disk_cache_make_key (&all[j]);

      g_assert_cmpstr (x, !=, y);
    }
  }
  g_assert_cmpstr (a, ==, b);
}

/* --- the good case --- */

static void
test_round_trip (Fixture * f, gconstpointer data)
{
  g_autoptr (GBytes) other = make_binary (1, 2);
  struct stat st;

  assert_miss (f->key);
  g_assert_false (exists (f->dir));     /* looking makes nothing */
  hip_disk_cache_store (f->key, f->binary);
  assert_hit (f->key, f->binary);

  g_assert_cmpint (lstat (f->dir, &st), ==, 0);
  g_assert_cmpuint (st.st_mode & 0777, ==, 0700);
  g_assert_cmpint (lstat (f->file, &st), ==, 0);
  g_assert_cmpuint (st.st_mode & 0777, ==, 0600);
  g_assert_cmpuint (count_files (f->dir, ""), ==, 1);

  hip_disk_cache_store (f->key, other);
  assert_hit (f->key, other);
}

static void
test_default_place (Fixture * f, gconstpointer data)
{
  if (g_test_subprocess ()) {
    g_autofree gchar *dir = NULL;

    g_unsetenv ("GST_HIP_CACHE_DIR");
    hip_disk_cache_store (f->key, f->binary);
    assert_hit (f->key, f->binary);
    dir = g_build_filename (g_getenv ("XDG_CACHE_HOME"), "gst-hip", "kernels",
        NULL);
    g_assert_cmpuint (count_files (dir, f->key), ==, 1);
    return;
  }
  g_setenv ("XDG_CACHE_HOME", f->top, TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_off (Fixture * f, gconstpointer data)
{
  g_setenv ("GST_HIP_CACHE", "off", TRUE);
  hip_disk_cache_store (f->key, f->binary);
  g_assert_false (exists (f->dir));
  g_unsetenv ("GST_HIP_CACHE");
  hip_disk_cache_store (f->key, f->binary);
  g_setenv ("GST_HIP_CACHE", "off", TRUE);
  assert_miss (f->key);
}

/* --- files that lie --- */

static void
test_corrupt (Fixture * f, gconstpointer data)
{
  static const goffset where[] = { 0, 8, 12, 16, 24, 88, 119, HEADER_SIZE,
    HEADER_SIZE + 50000, HEADER_SIZE + 99999
  };

  for (guint i = 0; i < G_N_ELEMENTS (where); i++) {
    hip_disk_cache_store (f->key, f->binary);
    poke (f->file, where[i], 1);
    assert_ignored_then_rebuilt (f, TRUE);
  }
}

static void
test_truncated (Fixture * f, gconstpointer data)
{
  static const goffset length[] = { 0, 1, HEADER_SIZE - 1, HEADER_SIZE,
    HEADER_SIZE + 1, HEADER_SIZE + 99999, HEADER_SIZE + 100001
  };

  for (guint i = 0; i < G_N_ELEMENTS (length); i++) {
    hip_disk_cache_store (f->key, f->binary);
    g_assert_cmpint (truncate (f->file, length[i]), ==, 0);
    assert_ignored_then_rebuilt (f, TRUE);
  }
}

/* A whole and valid file, under the name of another kernel */
static void
test_swapped (Fixture * f, gconstpointer data)
{
  g_autofree gchar *key2 = key_of ("two");
  g_autofree gchar *file2 = file_of (f, key2);
  g_autoptr (GBytes) binary2 = make_binary (5000, 2);

  hip_disk_cache_store (f->key, f->binary);
  hip_disk_cache_store (key2, binary2);
  g_assert_cmpint (g_rename (file2, f->file), ==, 0);
  assert_miss (key2);
  assert_ignored_then_rebuilt (f, TRUE);
}

static void
test_not_regular (Fixture * f, gconstpointer data)
{
  g_autofree gchar *real = g_build_filename (f->top, "real", NULL);

  /* a symbolic link, even to a file that would pass */
  hip_disk_cache_store (f->key, f->binary);
  g_assert_cmpint (g_rename (f->file, real), ==, 0);
  g_assert_cmpint (symlink (real, f->file), ==, 0);
  assert_ignored_then_rebuilt (f, FALSE);
  g_assert_true (exists (real));

  /* a FIFO: nobody writes, so an open that waits would never return */
  g_assert_cmpint (g_remove (f->file), ==, 0);
  g_assert_cmpint (mkfifo (f->file, 0600), ==, 0);
  assert_ignored_then_rebuilt (f, FALSE);

  /* a folder cannot be replaced: not cached, that is all */
  g_assert_cmpint (g_remove (f->file), ==, 0);
  g_assert_cmpint (g_mkdir (f->file, 0700), ==, 0);
  assert_miss (f->key);
  hip_disk_cache_store (f->key, f->binary);
  assert_miss (f->key);
  g_assert_cmpuint (count_files (f->dir, HIP_DISK_CACHE_TEMP_PREFIX), ==, 0);
}

/* --- owner and mode --- */

static void
test_writable_file (Fixture * f, gconstpointer data)
{
  static const mode_t modes[] = { 0620, 0602, 0666 };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    hip_disk_cache_store (f->key, f->binary);
    g_assert_cmpint (g_chmod (f->file, modes[i]), ==, 0);
    assert_ignored_then_rebuilt (f, TRUE);
  }
}

static void
test_writable_folder (Fixture * f, gconstpointer data)
{
  static const mode_t modes[] = { 0770, 0702, 01777 };
  g_autofree gchar *key2 = key_of ("two");

  hip_disk_cache_store (f->key, f->binary);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_assert_cmpint (g_chmod (f->dir, modes[i]), ==, 0);
    assert_miss (f->key);
    hip_disk_cache_store (key2, f->binary);
    g_assert_cmpuint (count_files (f->dir, ""), ==, 1);
  }
  /* readable by others is the user's choice */
  g_assert_cmpint (g_chmod (f->dir, 0755), ==, 0);
  assert_hit (f->key, f->binary);
}

static void
test_folder_is_link (Fixture * f, gconstpointer data)
{
  g_autofree gchar *real = g_build_filename (f->top, "real", NULL);

  hip_disk_cache_store (f->key, f->binary);
  g_assert_cmpint (g_rename (f->dir, real), ==, 0);
  g_assert_cmpint (symlink (real, f->dir), ==, 0);
  assert_miss (f->key);
  hip_disk_cache_store (f->key, f->binary);
  g_assert_cmpuint (count_files (real, ""), ==, 1);
}

static void
test_foreign_file (Fixture * f, gconstpointer data)
{
  hip_disk_cache_store (f->key, f->binary);
  if (chown (f->file, 12345, -1) < 0) {
    g_test_skip ("only root can give files away");
    return;
  }
  assert_ignored_then_rebuilt (f, FALSE);
}

static void
test_foreign_folder (Fixture * f, gconstpointer data)
{
  g_autofree gchar *key2 = key_of ("two");

  hip_disk_cache_store (f->key, f->binary);
  if (chown (f->dir, 12345, -1) < 0) {
    g_test_skip ("only root can give folders away");
    return;
  }
  assert_miss (f->key);
  hip_disk_cache_store (key2, f->binary);
  g_assert_cmpuint (count_files (f->dir, ""), ==, 1);
}

/* --- no room, no right --- */

static void
assert_stores_fail_quietly (Fixture * f)
{
  gint before = g_atomic_int_get (&warnings);

  for (guint i = 0; i < 3; i++) {
    hip_disk_cache_store (f->key, f->binary);
    assert_miss (f->key);
  }
  g_assert_cmpuint (count_files (f->dir, ""), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&warnings) - before, ==, 1);
}

/* Each of these in a process of its own: one message per process is promised. */

/* The first bytes do get written. SIGXFSZ keeps its default, which is to end
 * the process. */
static void
test_file_size_limit (Fixture * f, gconstpointer data)
{
  const struct rlimit limit = { 4096, 4096 };

  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (NULL, 0, 0);
    g_test_trap_assert_passed ();
    return;
  }
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  assert_stores_fail_quietly (f);
}

static void
test_full_disk (Fixture * f, gconstpointer data)
{
  g_autofree gchar *flag = g_build_filename (f->top, "no-mount", NULL);

  if (g_test_subprocess ()) {
    if (mount_small_disk (f->dir, "64k")) {
      assert_stores_fail_quietly (f);
      g_assert_cmpint (umount (f->dir), ==, 0);
    } else {
      g_file_set_contents (g_getenv ("NO_MOUNT"), "", 0, NULL);
    }
    return;
  }
  g_setenv ("NO_MOUNT", flag, TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  if (exists (flag))
    g_test_skip ("needs root, or a user namespace that may mount");
}

static void
test_unwritable (Fixture * f, gconstpointer data)
{
  g_autofree gchar *file = g_build_filename (f->top, "a", NULL);
  GError *error = NULL;

  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (NULL, 0, 0);
    g_test_trap_assert_passed ();
    return;
  }
  /* stops root too: the folder's parent is a file */
  g_assert_true (g_file_set_contents (file, "", 0, &error));
  assert_stores_fail_quietly (f);
}

/* --- size --- */

static void
set_age (const gchar * path, gint seconds)
{
  struct timespec times[2];

  clock_gettime (CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= seconds;
  times[1] = times[0];
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static void
test_size_bound (Fixture * f, gconstpointer data)
{
  g_autoptr (GBytes) binary = make_binary (300 * 1024, 3);
  g_autofree gchar *notes = g_build_filename (f->dir, "notes.txt", NULL);
  g_autofree gchar *stale = g_build_filename (f->dir,
      HIP_DISK_CACHE_TEMP_PREFIX "1-1", NULL);
  g_autofree gchar *fresh = g_build_filename (f->dir,
      HIP_DISK_CACHE_TEMP_PREFIX "1-2", NULL);
  gchar *key[5], *file[5];

  g_setenv ("GST_HIP_CACHE_SIZE", "1", TRUE);   /* three fit */
  for (guint i = 0; i < 5; i++) {
    g_autofree gchar *source = g_strdup_printf ("source %u", i);

    key[i] = key_of (source);
    file[i] = file_of (f, key[i]);
  }
  for (guint i = 0; i < 3; i++) {
    hip_disk_cache_store (key[i], binary);
    set_age (file[i], 1000 - 100 * i);
  }
  g_assert_true (g_file_set_contents (notes, "mine", -1, NULL));
  set_age (notes, 100000);
  g_assert_true (g_file_set_contents (stale, "left behind", -1, NULL));
  set_age (stale, 100000);
  g_assert_true (g_file_set_contents (fresh, "being written", -1, NULL));

  /* 0 is the oldest, but was used just now: 1 goes, then 2 */
  assert_hit (key[0], binary);
  hip_disk_cache_store (key[3], binary);
  g_assert_true (exists (file[0]));
  g_assert_false (exists (file[1]));
  g_assert_true (exists (file[2]));
  hip_disk_cache_store (key[4], binary);
  g_assert_true (exists (file[0]));
  g_assert_false (exists (file[2]));
  g_assert_true (exists (file[3]));
  g_assert_true (exists (file[4]));

  /* what is not ours to remove, what is */
  g_assert_true (exists (notes));
  g_assert_true (exists (fresh));
  g_assert_false (exists (stale));
  for (guint i = 0; i < 5; i++) {
    g_free (key[i]);
    g_free (file[i]);
  }
}

static void
test_larger_than_cache (Fixture * f, gconstpointer data)
{
  g_autofree gchar *key2 = key_of ("two");
  g_autoptr (GBytes) large = make_binary (1024 * 1024, 4);

  g_setenv ("GST_HIP_CACHE_SIZE", "1", TRUE);
  hip_disk_cache_store (f->key, f->binary);
  hip_disk_cache_store (key2, large);
  assert_miss (key2);
  assert_hit (f->key, f->binary);
}

static void
test_bad_size (Fixture * f, gconstpointer data)
{
  static const gchar *const values[] = { "-1", "many", "1e3", "1,5",
    "99999999999999999999"
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_setenv ("GST_HIP_CACHE_SIZE", values[i], TRUE);
    g_assert_cmpuint (hip_disk_cache_dir_limit (), ==, 256 * 1024 * 1024);
  }
  g_setenv ("GST_HIP_CACHE_SIZE", "7", TRUE);
  g_assert_cmpuint (hip_disk_cache_dir_limit (), ==, 7 * 1024 * 1024);
}

/* --- many processes --- */

#define N_PROCESSES 8
#define N_ROUNDS 40

/* All store the same key, each with a binary of its own size, and read it at
 * once: whatever comes back must be one of the eight, whole, and something
 * must come back once one has stored. */
static gint
race_child (const gchar * key, gint start, guint which)
{
  g_autoptr (GBytes) mine = make_binary (50000 + which * 3333, which);
  gchar go;

  if (read (start, &go, 1) != 0)
    return 1;
  for (guint round = 0; round < N_ROUNDS; round++) {
    g_autoptr (GBytes) got = NULL;
    gboolean known = FALSE;

    hip_disk_cache_store (key, mine);
    got = hip_disk_cache_load (key);
    if (got == NULL)
      return 2;
    for (guint i = 0; i < N_PROCESSES && !known; i++) {
      g_autoptr (GBytes) one = make_binary (50000 + i * 3333, i);

      known = g_bytes_equal (got, one);
    }
    if (!known)
      return 3;
  }
  return 0;
}

static void
test_processes (Fixture * f, gconstpointer data)
{
  pid_t pids[N_PROCESSES];
  gint start[2];

  g_assert_cmpint (pipe (start), ==, 0);
  for (guint i = 0; i < N_PROCESSES; i++) {
    pids[i] = fork ();
    g_assert_cmpint (pids[i], >=, 0);
    if (pids[i] == 0) {
      close (start[1]);
      _exit (race_child (f->key, start[0], i));
    }
  }
  close (start[0]);
  close (start[1]);             /* all of them go at once */
  for (guint i = 0; i < N_PROCESSES; i++) {
    gint status;

    g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
    g_assert_true (WIFEXITED (status));
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  }
  g_assert_cmpuint (count_files (f->dir, HIP_DISK_CACHE_TEMP_PREFIX), ==, 0);
  g_assert_cmpuint (count_files (f->dir, ""), ==, 1);
}

#define ADD(name, func) \
    g_test_add ("/disk-cache/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  /* no element is wanted, and no registry in a cache folder of ours */
  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (&argc, &argv);
  test_set_self (argv);
  g_test_init (&argc, &argv, NULL);
  gst_debug_set_threshold_for_name ("hipdiskcache", GST_LEVEL_WARNING);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_warnings, NULL, NULL);

  g_test_add_func ("/disk-cache/key-parts", test_key_parts);
  ADD ("round-trip", test_round_trip);
  ADD ("default-place", test_default_place);
  ADD ("off", test_off);
  ADD ("corrupt", test_corrupt);
  ADD ("truncated", test_truncated);
  ADD ("swapped", test_swapped);
  ADD ("not-regular", test_not_regular);
  ADD ("writable-file", test_writable_file);
  ADD ("writable-folder", test_writable_folder);
  ADD ("folder-is-link", test_folder_is_link);
  ADD ("foreign-file", test_foreign_file);
  ADD ("foreign-folder", test_foreign_folder);
  ADD ("file-size-limit", test_file_size_limit);
  ADD ("full-disk", test_full_disk);
  ADD ("unwritable", test_unwritable);
  ADD ("size-bound", test_size_bound);
  ADD ("larger-than-cache", test_larger_than_cache);
  ADD ("bad-size", test_bad_size);
  ADD ("processes", test_processes);
  return g_test_run ();
}
