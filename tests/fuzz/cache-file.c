/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Fuzz target: files of the kernel cache. Law: whatever lies under a kernel's
 * name, the cache gives back nothing or exactly what was stored for it.
 *
 * The first byte chooses: 0, the rest is the file as it is; else the rest are
 * edits (position, value) of a file that was stored, an odd first byte meaning
 * that the first edit is where the file ends. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <gst/gst.h>

#include "fuzz.h"
#include "hip-disk-cache.h"

static gchar *key, *file, *folder;
static GBytes *stored;          /* what store was given */
static GBytes *whole;           /* the file that it made */

static void
clean_up (void)
{
  g_remove (file);
  g_remove (folder);
}

static void
set_up (void)
{
  static const gchar text[] = "a binary, as far as the cache is concerned";
  HipDiskCacheParts parts = {.source = "source" };
  g_autofree gchar *name = NULL;
  GError *error = NULL;
  gchar *data;
  gsize size;

  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (NULL, NULL);
  gst_debug_set_default_threshold (GST_LEVEL_NONE);
  folder = g_dir_make_tmp ("gst-hip-fuzz-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("GST_HIP_CACHE_DIR", folder, TRUE);
  g_unsetenv ("GST_HIP_CACHE");
  key = hip_disk_cache_make_key (&parts);
  name = g_strconcat (key, HIP_DISK_CACHE_SUFFIX, NULL);
  file = g_build_filename (folder, name, NULL);
  stored = g_bytes_new_static (text, sizeof (text));
  hip_disk_cache_store (key, stored);
  g_file_get_contents (file, &data, &size, &error);
  g_assert_no_error (error);
  whole = g_bytes_new_take (data, size);
  atexit (clean_up);
}

static GByteArray *
make_file (FuzzInput * input)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 mode = fuzz_take (input, 1);

  if (mode == 0)
    return g_byte_array_append (bytes, input->data, input->size);
  g_byte_array_append (bytes, g_bytes_get_data (whole, NULL),
      g_bytes_get_size (whole));
  if (mode & 1)
    g_byte_array_set_size (bytes, MIN (bytes->len, fuzz_take (input, 1)));
  while (input->size > 0 && bytes->len > 0) {
    guint at = fuzz_take (input, 1) % bytes->len;

    bytes->data[at] ^= fuzz_take (input, 1);
  }
  return bytes;
}

static void
put_file (GByteArray * bytes)
{
  gint fd = open (file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes->data, bytes->len), ==, bytes->len);
  close (fd);
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  FuzzInput input = { data, size };
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GBytes) got = NULL;
  gboolean same;

  if (key == NULL)
    set_up ();
  bytes = make_file (&input);
  put_file (bytes);
  same = bytes->len == g_bytes_get_size (whole) &&
      memcmp (bytes->data, g_bytes_get_data (whole, NULL), bytes->len) == 0;

  got = hip_disk_cache_load (key);
  if (same) {
    FUZZ_LAW (got != NULL && g_bytes_equal (got, stored));
  } else {
    FUZZ_LAW (got == NULL);
    FUZZ_LAW (!g_file_test (file, G_FILE_TEST_EXISTS));
  }
  return 0;
}
