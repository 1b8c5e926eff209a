/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which files of precompiled kernels are installed, and which one has this
 * kernel? Must not know what is inside of the files.
 *
 * They lie beside the library, wherever it was loaded from, so that a moved
 * installation and a build folder need no settings. Names are
 * VENDOR.ARCHITECTURE.KERNEL.kernels: any package may add files. Each is opened
 * once in a process, when its architecture is first asked for.
 */
#include "config.h"

#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* dladdr */
#endif
#include <dlfcn.h>
#include <string.h>

#include "hip-debug.h"
#include "hip-kernel-archive.h"
#include "hip-lock.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_archive_debug, "hiparchive", "precompiled HIP kernels")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_archive_debug ()

/* Below the folder that the library is in: installed; in the build folder */
static const gchar *const places[] = { "gst-hip-1.0/kernels", "kernels", NULL };

static HipMutex lock = HIP_MUTEX_INIT;
static GHashTable *folders;     /* path: GPtrArray of files' names; for the life of the process, as below */
static GHashTable *archives;    /* "path/VENDOR.ARCHITECTURE": GPtrArray of HipKernelArchive */

/* --- where --- */

static gboolean
is_off (void)
{
  const gchar *value = g_getenv ("GST_HIP_ARCHIVE");

  if (value == NULL || *value == '\0' || g_str_equal (value, "on"))
    return FALSE;
  if (!g_str_equal (value, "off"))
    GST_WARNING ("GST_HIP_ARCHIVE is '%s': on or off is meant; taken as off",
        value);
  return TRUE;
}

gchar *
hip_kernel_archive_folder (void)
{
  const gchar *wish = g_getenv ("GST_HIP_ARCHIVE_DIR");
  g_autofree gchar *beside = NULL;
  Dl_info info;

  if (is_off ())
    return NULL;
  if (wish && *wish)
    return g_strdup (wish);
  if (dladdr ((gpointer) hip_kernel_archive_folder, &info) && info.dli_fname)
    beside = g_path_get_dirname (info.dli_fname);
  for (guint i = 0; beside && places[i]; i++) {
    g_autofree gchar *path = g_build_filename (beside, places[i], NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      return g_steal_pointer (&path);
  }
  return g_build_filename (GST_HIP_LIBDIR, places[0], NULL);
}

/* --- which files --- */

static GPtrArray *
list_names (const gchar * folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    if (g_str_has_suffix (name, HIP_KERNEL_ARCHIVE_SUFFIX))
      g_ptr_array_add (names, g_strdup (name));
  }
  if (dir)
    g_dir_close (dir);
  GST_INFO ("%u files of precompiled kernels in %s", names->len, folder);
  return names;
}

static GPtrArray *
open_archives (const gchar * folder, GPtrArray * names, const gchar * target)
{
  GPtrArray *out =
      g_ptr_array_new_with_free_func ((GDestroyNotify) hip_kernel_archive_free);
  g_autofree gchar *prefix = g_strconcat (target, ".", NULL);

  for (guint i = 0; i < names->len; i++) {
    const gchar *name = g_ptr_array_index (names, i);
    g_autofree gchar *path = NULL;
    g_autoptr (GError) error = NULL;
    HipKernelArchive *archive;

    if (!g_str_has_prefix (name, prefix))
      continue;
    path = g_build_filename (folder, name, NULL);
    archive = hip_kernel_archive_open (path, target, &error);
    if (archive)
      g_ptr_array_add (out, archive);
    else
      GST_WARNING ("%s", error->message);
  }
  return out;
}

/* What is in the tables stays, so it is used without the lock. */
static GPtrArray *
get_archives (const gchar * folder, const gchar * target)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&lock);
  g_autofree gchar *id = g_build_filename (folder, target, NULL);
  GPtrArray *names, *found;

  if (!folders) {
    folders = g_hash_table_new (g_str_hash, g_str_equal);
    archives = g_hash_table_new (g_str_hash, g_str_equal);
  }
  found = g_hash_table_lookup (archives, id);
  if (found)
    return found;
  names = g_hash_table_lookup (folders, folder);
  if (!names) {
    names = list_names (folder);
    g_hash_table_insert (folders, g_strdup (folder), names);
  }
  found = open_archives (folder, names, target);
  g_hash_table_insert (archives, g_steal_pointer (&id), found);
  return found;
}

GBytes *
hip_kernel_archive_load (const gchar * vendor, const gchar * arch,
    const gchar * key)
{
  g_autofree gchar *folder = hip_kernel_archive_folder ();
  g_autofree gchar *target = NULL;
  GPtrArray *found;

  if (!folder)
    return NULL;
  target = g_strdup_printf ("%s.%s", vendor, arch);
  found = get_archives (folder, target);
  for (guint i = 0; i < found->len; i++) {
    g_autoptr (GError) error = NULL;
    GBytes *binary = hip_kernel_archive_find (g_ptr_array_index (found, i), key,
        NULL, &error);

    if (binary)
      return binary;
    if (error)
      GST_WARNING ("%s.*" HIP_KERNEL_ARCHIVE_SUFFIX " in %s: %s", target,
          folder, error->message);
  }
  return NULL;
}
