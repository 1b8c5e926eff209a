/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where is the folder of compiled kernels, may it be trusted, and how large
 * may it grow? Must not know what is inside of the files.
 *
 * Invariant: a descriptor that leaves here is of a folder that belongs to this
 * process's effective user and that neither group nor others can write. All
 * later accesses go through that descriptor, so that exchanging the path
 * afterwards changes nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <gst/gst.h>

#include "hip-disk-cache.h"

GST_DEBUG_CATEGORY_STATIC (hip_disk_cache_debug);
#define GST_CAT_DEFAULT hip_disk_cache_debug

#define DEFAULT_LIMIT_MIB 256
#define MAX_LIMIT_MIB (1024 * 1024)
/* A file being written is renamed within seconds; one this old was left behind
 * by a process that died. */
#define STALE_TEMP_SECONDS 3600

static void
init_debug (void)
{
  static gsize done = 0;

  if (g_once_init_enter (&done)) {
    GST_DEBUG_CATEGORY_INIT (hip_disk_cache_debug, "hipdiskcache", 0,
        "compiled HIP kernels on disk");
    g_once_init_leave (&done, 1);
  }
}

void
hip_disk_cache_report (HipDiskCacheProblem problem, const gchar * format, ...)
{
  static gint said[HIP_DISK_CACHE_N_PROBLEMS];
  g_autofree gchar *text = NULL;
  va_list args;

  init_debug ();
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);

  if (g_atomic_int_compare_and_exchange (&said[problem], 0, 1))
    GST_WARNING ("%s", text);
  else
    GST_DEBUG ("%s", text);
}

static gboolean
is_off (void)
{
  const gchar *value = g_getenv ("GST_HIP_CACHE");

  if (value == NULL || *value == '\0' || g_str_equal (value, "on"))
    return FALSE;
  if (g_str_equal (value, "off"))
    return TRUE;
  hip_disk_cache_report (HIP_DISK_CACHE_SETTING,
      "GST_HIP_CACHE is '%s': on or off is meant; taken as on", value);
  return FALSE;
}

guint64
hip_disk_cache_dir_limit (void)
{
  const gchar *value = g_getenv ("GST_HIP_CACHE_SIZE");
  guint64 mib = DEFAULT_LIMIT_MIB;

  if (value != NULL && *value != '\0' &&
      !g_ascii_string_to_unsigned (value, 10, 0, MAX_LIMIT_MIB, &mib, NULL)) {
    mib = DEFAULT_LIMIT_MIB;
    hip_disk_cache_report (HIP_DISK_CACHE_SETTING,
        "GST_HIP_CACHE_SIZE is '%s': a number of MiB is meant; taken as %d",
        value, DEFAULT_LIMIT_MIB);
  }
  return mib * 1024 * 1024;
}

static gchar *
make_path (void)
{
  const gchar *dir = g_getenv ("GST_HIP_CACHE_DIR");

  if (dir != NULL && *dir != '\0')
    return g_strdup (dir);
  return g_build_filename (g_get_user_cache_dir (), "gst-hip", "kernels", NULL);
}

static gboolean
is_trusted (gint fd, const gchar * path)
{
  struct stat st;

  if (fstat (fd, &st) < 0)
    return FALSE;
  if (st.st_uid != geteuid ()) {
    hip_disk_cache_report (HIP_DISK_CACHE_UNTRUSTED,
        "kernels are not cached: %s belongs to user %u, not to %u", path,
        (guint) st.st_uid, (guint) geteuid ());
    return FALSE;
  }
  if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    hip_disk_cache_report (HIP_DISK_CACHE_UNTRUSTED,
        "kernels are not cached: %s can be written by others (mode %03o); "
        "chmod go-w, or set GST_HIP_CACHE_DIR", path,
        (guint) st.st_mode & 0777);
    return FALSE;
  }
  return TRUE;
}

gint
hip_disk_cache_dir_open (gboolean create)
{
  const gint flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  g_autofree gchar *path = NULL;
  gint fd;

  if (is_off ())
    return -1;

  path = make_path ();
  fd = open (path, flags);
  if (fd < 0 && errno == ENOENT && create) {
    if (g_mkdir_with_parents (path, 0700) < 0) {
      hip_disk_cache_report (HIP_DISK_CACHE_UNWRITABLE,
          "kernels are not cached: %s cannot be made: %s", path,
          g_strerror (errno));
      return -1;
    }
    fd = open (path, flags);
  }
  if (fd < 0) {
    /* A cache that is not there yet is none of anybody's concern. */
    if (errno != ENOENT || create) {
      hip_disk_cache_report (HIP_DISK_CACHE_UNTRUSTED,
          "kernels are not cached: %s cannot be opened as a folder: %s",
          path, g_strerror (errno));
    }
    return -1;
  }
  if (!is_trusted (fd, path)) {
    close (fd);
    return -1;
  }
  return fd;
}

typedef struct
{
  gchar *name;
  struct timespec used;
  guint64 size;
} Entry;

static void
entry_clear (gpointer data)
{
  g_free (((Entry *) data)->name);
}

static gint
entry_compare (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;

  if (x->used.tv_sec != y->used.tv_sec)
    return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
  if (x->used.tv_nsec != y->used.tv_nsec)
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Only names that we make ourselves: a folder that the user shares with other
 * things loses none of them. */
static GArray *
list_entries (gint dirfd, guint64 * total)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  /* fdopendir () owns its descriptor, and dup () would share the position */
  gint fd = openat (dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd < 0 ? NULL : fdopendir (fd);
  struct dirent *item;

  g_array_set_clear_func (entries, entry_clear);
  *total = 0;
  if (dir == NULL) {
    if (fd >= 0)
      close (fd);
    return entries;
  }
  while ((item = readdir (dir)) != NULL) {
    gboolean temp = g_str_has_prefix (item->d_name, HIP_DISK_CACHE_TEMP_PREFIX);
    struct stat st;
    Entry entry;

    if (!temp && !g_str_has_suffix (item->d_name, HIP_DISK_CACHE_SUFFIX))
      continue;
    if (fstatat (dirfd, item->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISREG (st.st_mode))
      continue;
    if (temp) {
      if (st.st_mtim.tv_sec < now - STALE_TEMP_SECONDS)
        unlinkat (dirfd, item->d_name, 0);
      continue;
    }
    entry.name = g_strdup (item->d_name);
    entry.used = st.st_mtim;
    entry.size = st.st_size;
    *total += entry.size;
    g_array_append_val (entries, entry);
  }
  closedir (dir);
  return entries;
}

/* Several processes may be here at once: they all remove the same files first,
 * and one that is gone already is as good as removed. */
void
hip_disk_cache_dir_trim (gint dirfd, guint64 limit)
{
  guint64 total;
  g_autoptr (GArray) entries = list_entries (dirfd, &total);

  if (total <= limit)
    return;
  init_debug ();
  g_array_sort (entries, entry_compare);
  for (guint i = 0; i < entries->len && total > limit; i++) {
    const Entry *entry = &g_array_index (entries, Entry, i);

    if (unlinkat (dirfd, entry->name, 0) < 0 && errno != ENOENT)
      continue;
    GST_DEBUG ("removed %s, not used for longest", entry->name);
    total -= entry->size;
  }
}
