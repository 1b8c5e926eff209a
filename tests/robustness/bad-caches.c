/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a whole pipeline make of a cache of kernels that it cannot write to,
 * that is somebody else's, broken, or full? The same pictures, in each case. The
 * parts are tests/unit/disk-cache.c's. GLib's test program, because what needs
 * root skips case by case.
 */
#include "../common/small-disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bad-input.h"

static void
assert_both_right (void)
{
  assert_right (SMALL, INVERT, "", inverted);
  assert_right (SMALL, HALVE, "", halved);
}

/* Fills it with two kernels; their files */
static GPtrArray *
cache_fill (Cache * cache)
{
  GPtrArray *files;

  assert_both_right ();
  files = cache_files (cache);
  g_assert_cmpuint (files->len, ==, 2);
  return files;
}

static GStatBuf
stat_of (const gchar * file)
{
  GStatBuf s;

  g_assert_cmpint (g_stat (file, &s), ==, 0);
  return s;
}

/* So that the tests below are about files that are used */
static void
test_cache_is_used (Cache * cache, gconstpointer unused)
{
  g_autoptr (GPtrArray) files = cache_fill (cache);
  GStatBuf before = stat_of (g_ptr_array_index (files, 0)), after;

  assert_both_right ();
  after = stat_of (g_ptr_array_index (files, 0));
  g_assert_true (before.st_ino == after.st_ino);
}

static void
test_cache_unwritable (Cache * cache, gconstpointer unused)
{
  /* stops root too: it is a file */
  g_assert_true (g_file_set_contents (cache->folder, "", 0, NULL));
  assert_both_right ();
}

static void
test_cache_foreign (Cache * cache, gconstpointer unused)
{
  g_autoptr (GPtrArray) files = cache_fill (cache);

  if (chown (g_ptr_array_index (files, 0), 12345, -1) < 0) {
    g_test_skip ("only root can give files away");
    return;
  }
  assert_both_right ();
  g_assert_cmpint (chown (cache->folder, 12345, -1), ==, 0);
  assert_both_right ();
}

static void
test_cache_group_writable (Cache * cache, gconstpointer unused)
{
  g_autoptr (GPtrArray) files = cache_fill (cache);

  g_assert_cmpint (g_chmod (g_ptr_array_index (files, 0), 0660), ==, 0);
  assert_both_right ();
  g_assert_cmpint (g_chmod (cache->folder, 0770), ==, 0);
  assert_both_right ();
}

/* Writes other bytes to it, with the size that it had or a smaller one */
static void
spoil (const gchar * file, gboolean cut, gsize at)
{
  g_autofree gchar *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (file, &bytes, &size, NULL));
  at = MIN (at, size - 1);
  bytes[at] ^= 0x55;
  g_assert_true (g_file_set_contents_full (file, bytes, cut ? at : size,
          G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL));
}

static void
test_cache_corrupt (Cache * cache, gconstpointer unused)
{
  g_autoptr (GPtrArray) files = cache_fill (cache);
  static const gsize places[] = { 0, 100, G_MAXSIZE };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    spoil (g_ptr_array_index (files, i % 2), FALSE, places[i]);
    assert_both_right ();
  }
}

static void
test_cache_truncated (Cache * cache, gconstpointer unused)
{
  g_autoptr (GPtrArray) files = cache_fill (cache);
  static const gsize places[] = { 0, G_MAXSIZE };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    spoil (g_ptr_array_index (files, i % 2), TRUE, places[i]);
    assert_both_right ();
  }
}

static void
test_cache_swapped (Cache * cache, gconstpointer unused)
{
  g_autoptr (GPtrArray) files = cache_fill (cache);
  g_autofree gchar *aside = g_build_filename (cache->top, "aside", NULL);
  const gchar *one = g_ptr_array_index (files, 0);
  const gchar *two = g_ptr_array_index (files, 1);

  g_assert_cmpint (g_rename (one, aside), ==, 0);
  g_assert_cmpint (g_rename (two, one), ==, 0);
  g_assert_cmpint (g_rename (aside, two), ==, 0);
  assert_both_right ();
}

static void
fill_disk (const gchar * folder)
{
  g_autofree gchar *file = g_build_filename (folder, "full", NULL);
  gint fd = g_creat (file, 0600);
  static const guint8 page[4096];

  g_assert_cmpint (fd, >=, 0);
  while (write (fd, page, sizeof (page)) > 0);
  close (fd);
}

/* In a process of its own: it sees the disk, others do not. */
static gboolean
on_small_disk (Cache * cache, const gchar * folder)
{
  g_autofree gchar *flag = g_build_filename (cache->top, "no-mount", NULL);

  if (!g_test_subprocess ()) {
    g_setenv ("NO_MOUNT", flag, TRUE);
    g_test_trap_subprocess (NULL, 0, 0);
    g_test_trap_assert_passed ();
    if (g_unlink (flag) == 0)
      g_test_skip ("needs root, or a user namespace that may mount");
    return FALSE;
  }
  if (mount_small_disk (folder, "256k"))
    return TRUE;
  g_assert_true (g_file_set_contents (g_getenv ("NO_MOUNT"), "", 0, NULL));
  return FALSE;
}

/* No room to keep a kernel is no reason not to run it. */
static void
test_full_disk (Cache * cache, gconstpointer unused)
{
  if (!on_small_disk (cache, cache->folder))
    return;
  fill_disk (cache->folder);
  assert_both_right ();
  g_assert_cmpint (umount (cache->folder), ==, 0);
}

/* No room to compile one is, where the compiler works on files: the CPU's does. */
static void
test_full_temporary_folder (Cache * cache, gconstpointer unused)
{
  const gchar *vendor = g_getenv ("GST_HIP_TEST_VENDOR");
  guint fds;

  if (vendor && strcmp (vendor, "host") != 0) {
    g_test_skip ("this device's compiler writes no files");
    return;
  }

  /* GLib looks at it once in a process */
  if (!g_test_subprocess ())
    g_setenv ("TMPDIR", cache->top, TRUE);
  if (on_small_disk (cache, g_get_tmp_dir ())) {
    fds = warm_up ();
    fill_disk (g_get_tmp_dir ());
    assert_says (play_once (SMALL, HALVE, ""), GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_SETTINGS, "No space left");
    assert_nothing_left (fds);
    g_assert_cmpint (umount (g_get_tmp_dir ()), ==, 0);
  }
  if (!g_test_subprocess ())
    g_unsetenv ("TMPDIR");
}

int
main (int argc, char **argv)
{
  bad_input_init (&argc, &argv);
  ADD_CACHE ("cache-is-used", test_cache_is_used);
  ADD_CACHE ("cache-unwritable", test_cache_unwritable);
  ADD_CACHE ("cache-foreign", test_cache_foreign);
  ADD_CACHE ("cache-group-writable", test_cache_group_writable);
  ADD_CACHE ("cache-corrupt", test_cache_corrupt);
  ADD_CACHE ("cache-truncated", test_cache_truncated);
  ADD_CACHE ("cache-swapped", test_cache_swapped);
  ADD_CACHE ("full-disk", test_full_disk);
  ADD_CACHE ("full-temporary-folder", test_full_temporary_folder);
  return g_test_run ();
}
