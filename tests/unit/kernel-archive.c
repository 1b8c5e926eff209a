/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Files of precompiled kernels: what was written comes back, and whatever else
 * lies in such a file is refused without a read outside of it. And which
 * sources share a key. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>

#include "gsthiperror.h"
#include "hip-backend.h"
#include "hip-kernel-archive.h"
#include "hip-kernel.h"

#define TARGET "host.x86-64-v3"
#define HEADER_BYTES 120
#define INDEX_BYTES 176

static const gchar *const contents[] = { "first", "the second one", "3" };

static gchar *folder, *path;
static gchar *keys[G_N_ELEMENTS (contents)];

static void
set_up (void)
{
  folder = g_dir_make_tmp ("gst-hip-archive-XXXXXX", NULL);
  path = g_build_filename (folder, TARGET ".test.kernels", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    keys[i] = g_compute_checksum_for_string (G_CHECKSUM_SHA256, contents[i],
        -1);
}

static void
tear_down (void)
{
  g_remove (path);
  g_remove (folder);
  g_free (path);
  g_free (folder);
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    g_free (keys[i]);
}

static void
write_archive (guint n)
{
  g_autoptr (GArray) entries =
      g_array_new (FALSE, TRUE, sizeof (HipKernelArchiveEntry));

  g_array_set_clear_func (entries,
      (GDestroyNotify) hip_kernel_archive_entry_clear);
  for (guint i = 0; i < n; i++) {
    HipKernelArchiveEntry entry = { g_strdup (keys[i]), g_strdup (keys[n - 1]),
      g_bytes_new_static (contents[i], strlen (contents[i]))
    };

    g_array_append_val (entries, entry);
  }
  fail_unless (hip_kernel_archive_write (path, TARGET, entries, NULL));
}

static GByteArray *
read_archive (void)
{
  gchar *data;
  gsize size;

  fail_unless (g_file_get_contents (path, &data, &size, NULL));
  return g_byte_array_new_take ((guint8 *) data, size);
}

/* Without the pains that keep a file through a crash: there are hundreds */
static void
store (GByteArray * content)
{
  g_remove (path);
  fail_unless (g_file_set_contents_full (path, (gchar *) content->data,
          content->len, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* As one who wants to be believed would do it */
static void
sign (GByteArray * content)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint32 n;
  gsize length = 32;

  memcpy (&n, content->data + 12, 4);
  n = MIN (GUINT32_FROM_LE (n), (content->len - HEADER_BYTES) / INDEX_BYTES);
  g_checksum_update (sum, content->data, 88);
  g_checksum_update (sum, content->data + HEADER_BYTES, n * INDEX_BYTES);
  g_checksum_get_digest (sum, content->data + 88, &length);
}

static HipKernelArchive *
open_archive (void)
{
  g_autoptr (GError) error = NULL;
  HipKernelArchive *archive = hip_kernel_archive_open (path, TARGET, &error);

  fail_unless (archive != NULL || error != NULL);
  if (error) {
    fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID));
    fail_unless (strstr (error->message, path) != NULL);
  }
  return archive;
}

static void
assert_refused (GByteArray * content)
{
  store (content);
  fail_unless (open_archive () == NULL);
}

GST_START_TEST (test_round_trip)
{
  for (guint n = 1; n <= G_N_ELEMENTS (contents); n++) {
    HipKernelArchive *archive;

    write_archive (n);
    archive = open_archive ();
    fail_unless_equals_int (hip_kernel_archive_get_n_entries (archive), n);
    for (guint i = 0; i < G_N_ELEMENTS (contents); i++) {
      GError *error = NULL;
      GBytes *binary = hip_kernel_archive_find (archive, keys[i], NULL, &error);

      fail_unless (error == NULL);
      fail_unless_equals_int (binary != NULL, i < n);
      if (binary) {
        fail_unless_equals_int (g_bytes_get_size (binary),
            strlen (contents[i]));
        fail_unless (memcmp (g_bytes_get_data (binary, NULL), contents[i],
                strlen (contents[i])) == 0);
        g_bytes_unref (binary);
      }
    }
    hip_kernel_archive_free (archive);
  }
}

GST_END_TEST;

GST_START_TEST (test_origin)
{
  HipKernelArchive *archive;
  GBytes *binary;

  write_archive (3);
  archive = open_archive ();
  binary = hip_kernel_archive_find (archive, keys[0], keys[2], NULL);
  fail_unless (binary != NULL);
  g_bytes_unref (binary);
  fail_unless (hip_kernel_archive_find (archive, keys[0], keys[1],
          NULL) == NULL);
  hip_kernel_archive_free (archive);
}

GST_END_TEST;

/* A binary stays usable when the archive has gone */
GST_START_TEST (test_outlives)
{
  HipKernelArchive *archive;
  GBytes *binary;

  write_archive (2);
  archive = open_archive ();
  binary = hip_kernel_archive_find (archive, keys[1], NULL, NULL);
  hip_kernel_archive_free (archive);
  g_remove (path);
  fail_unless (memcmp (g_bytes_get_data (binary, NULL), contents[1],
          strlen (contents[1])) == 0);
  g_bytes_unref (binary);
}

GST_END_TEST;

/* A build that changes nothing touches nothing */
GST_START_TEST (test_same_content)
{
  GStatBuf before, after;

  write_archive (2);
  fail_unless_equals_int (g_stat (path, &before), 0);
  write_archive (2);
  fail_unless_equals_int (g_stat (path, &after), 0);
  fail_unless (before.st_ino == after.st_ino);
  write_archive (3);
  fail_unless_equals_int (g_stat (path, &after), 0);
  fail_unless (before.st_ino != after.st_ino);
}

GST_END_TEST;

GST_START_TEST (test_truncated)
{
  g_autoptr (GByteArray) content = NULL;

  write_archive (3);
  content = read_archive ();
  while (content->len > 0) {
    g_byte_array_set_size (content, content->len - 1);
    assert_refused (content);
  }
}

GST_END_TEST;

GST_START_TEST (test_appended)
{
  g_autoptr (GByteArray) content = NULL;

  write_archive (3);
  content = read_archive ();
  g_byte_array_append (content, (guint8 *) "x", 1);
  assert_refused (content);
}

GST_END_TEST;

/* Each single bit of it: an archive that is refused, or entries that are, or
 * padding */
GST_START_TEST (test_flipped)
{
  g_autoptr (GByteArray) content = NULL;

  write_archive (3);
  content = read_archive ();
  for (gsize i = 0; i < content->len; i++) {
    HipKernelArchive *archive;
    guint n_right = 0;

    content->data[i] ^= 1 << (i % 8);
    store (content);
    content->data[i] ^= 1 << (i % 8);
    archive = open_archive ();
    fail_unless_equals_int (archive == NULL,
        i < HEADER_BYTES + 3 * INDEX_BYTES);
    if (!archive)
      continue;
    for (guint j = 0; j < G_N_ELEMENTS (contents); j++) {
      g_autoptr (GError) error = NULL;
      GBytes *binary = hip_kernel_archive_find (archive, keys[j], NULL, &error);

      fail_unless_equals_int (binary == NULL, error != NULL);
      if (!binary)
        continue;
      n_right++;
      fail_unless (memcmp (g_bytes_get_data (binary, NULL), contents[j],
              strlen (contents[j])) == 0);
      g_bytes_unref (binary);
    }
    fail_unless (n_right >= G_N_ELEMENTS (contents) - 1);
    hip_kernel_archive_free (archive);
  }
}

GST_END_TEST;

GST_START_TEST (test_foreign)
{
  static const gchar *const targets[] = { "host.x86-64-v2", "host.x86-64-v33",
    "host.x86-64-v", "nvidia.sm_90", ""
  };
  g_autoptr (GByteArray) content = g_byte_array_new ();

  write_archive (1);
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++) {
    g_autoptr (GError) error = NULL;

    fail_unless (hip_kernel_archive_open (path, targets[i], &error) == NULL);
    fail_unless (strstr (error->message, "another architecture") != NULL);
  }
  g_remove (path);
  fail_unless (open_archive () == NULL);
  assert_refused (content);
  g_byte_array_set_size (content, 4096);
  memset (content->data, 0, 4096);
  assert_refused (content);
}

GST_END_TEST;

GST_START_TEST (test_other_version)
{
  g_autoptr (GByteArray) content = NULL;

  write_archive (1);
  content = read_archive ();
  content->data[8]++;
  sign (content);
  assert_refused (content);
}

GST_END_TEST;

/* Signed as if it were right: numbers that lead outside of the file */
GST_START_TEST (test_outside)
{
  static const guint64 numbers[] = { 0xffffffffffffffffu, 0x8000000000000000u,
    0xffffffffffffff00u, 0x100000000u, 2000
  };
  static const guint32 counts[] = { 0xffffffffu, 0x80000000u, 24403224u, 100u };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    for (guint field = 0; field < 2; field++) {
      const guint64 number = GUINT64_TO_LE (numbers[i]);
      g_autoptr (GByteArray) content = NULL;
      g_autoptr (GError) error = NULL;
      HipKernelArchive *archive;

      write_archive (1);
      content = read_archive ();
      memcpy (content->data + HEADER_BYTES + 128 + 8 * field, &number, 8);
      sign (content);
      store (content);
      archive = open_archive ();
      fail_unless (archive != NULL);
      fail_unless (hip_kernel_archive_find (archive, keys[0], NULL,
              &error) == NULL);
      fail_unless (error != NULL);
      hip_kernel_archive_free (archive);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    const guint32 number = GUINT32_TO_LE (counts[i]);
    g_autoptr (GByteArray) content = NULL;

    write_archive (1);
    content = read_archive ();
    memcpy (content->data + 12, &number, 4);
    sign (content);
    assert_refused (content);
  }
}

GST_END_TEST;

/* --- keys --- */

static gchar *
key_of (const gchar * source, const gchar * name, const gchar * option)
{
  const gchar *options[] = { option, NULL };
  HipKernelRecipe *recipe = hip_kernel_recipe_new (&hip_backend_host, NULL,
      source, name, options, NULL);
  gchar *key;

  fail_unless (recipe != NULL);
  key = g_strdup (recipe->archive_key);
  hip_kernel_recipe_free (recipe);
  return key;
}

GST_START_TEST (test_keys)
{
  static const gchar source[] =
      "extern \"C\" __global__ void set (int *out) { *out = VALUE; }\n";
  g_autofree gchar *key = key_of (source, "set.hip", "-DVALUE=1");
  g_autofree gchar *moved = key_of (source, "/usr/share/set.hip", "-DVALUE=1");
  g_autofree gchar *option = key_of (source, "set.hip", "-DVALUE=2");
  g_autofree gchar *other = key_of (source + 1, "set.hip", "-DVALUE=1");
  g_autofree gchar *plain = key_of (source, "set.hip", NULL);
  g_autofree gchar *folder = key_of (source, "set.hip", "-I/tmp");
  g_autofree gchar *debug = key_of (source, "set.hip", "-g");
  g_autofree gchar *included = key_of (source, "set.hip", "-include/tmp/x.h");
  g_autofree gchar *includes =
      key_of ("#include \"x.h\"\n", "set.hip", "-DVALUE=1");

  fail_unless_equals_string (key, moved);
  fail_unless_equals_string (plain, folder);
  fail_if (g_str_equal (key, option));
  fail_if (g_str_equal (key, other));
  fail_if (g_str_equal (key, plain));
  fail_if (g_str_equal (plain, debug));
  fail_unless (included == NULL);
  fail_unless (includes == NULL);
}

GST_END_TEST;

static Suite *
kernel_archive_suite (void)
{
  Suite *suite = suite_create ("kernel-archive");
  TCase *file = tcase_create ("file"), *key = tcase_create ("key");

  tcase_add_checked_fixture (file, set_up, tear_down);
  tcase_add_test (file, test_round_trip);
  tcase_add_test (file, test_origin);
  tcase_add_test (file, test_outlives);
  tcase_add_test (file, test_same_content);
  tcase_add_test (file, test_truncated);
  tcase_add_test (file, test_appended);
  tcase_add_test (file, test_flipped);
  tcase_add_test (file, test_foreign);
  tcase_add_test (file, test_other_version);
  tcase_add_test (file, test_outside);
  suite_add_tcase (suite, file);
  tcase_add_test (key, test_keys);
  suite_add_tcase (suite, key);
  return suite;
}

GST_CHECK_MAIN (kernel_archive);
