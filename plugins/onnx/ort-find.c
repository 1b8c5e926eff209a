/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where may ONNX Runtime be, and which of its files is the newest? Debian's
 * has only a soname with the minor version in it, which nobody can name in
 * advance. Opens no library.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* dlinfo () */
#endif
#include "config.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "ort-find.h"
#include "ort-runtime.h"

gint
hip_ort_compare_versions (const gchar * a, const gchar * b)
{
  while (*a || *b) {
    gchar *after_a, *after_b;
    guint64 x, y;

    if (!*a || !*b)
      return *a ? 1 : -1;
    x = g_ascii_strtoull (a, &after_a, 10);
    y = g_ascii_strtoull (b, &after_b, 10);
    if (x != y)
      return x < y ? -1 : 1;
    if (after_a == a || after_b == b)
      return strcmp (a, b);
    a = *after_a == '.' ? after_a + 1 : after_a;
    b = *after_b == '.' ? after_b + 1 : after_b;
  }
  return 0;
}

static gboolean
is_version (const gchar * text)
{
  return g_ascii_isdigit (*text)
      && strspn (text, "0123456789.") == strlen (text);
}

static gchar *
newest_in (const gchar * folder, const gchar * prefix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree gchar *best = NULL;
  gsize skip = strlen (prefix);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    if (!g_str_has_prefix (name, prefix) || !is_version (name + skip))
      continue;
    if (best && hip_ort_compare_versions (name + skip, best + skip) <= 0)
      continue;
    g_free (best);
    best = g_strdup (name);
  }
  return g_steal_pointer (&best);
}

gchar *
hip_ort_find_newest (const gchar * const *folders, const gchar * name)
{
  g_autofree gchar *prefix = g_strconcat (name, ".", NULL), *best = NULL;
  const gchar *where = NULL;
  gsize skip = strlen (prefix);

  for (; *folders; folders++) {
    g_autofree gchar *found = newest_in (*folders, prefix);

    /* Of equal ones the loader's first */
    if (!found || (best && hip_ort_compare_versions (found + skip,
                best + skip) <= 0))
      continue;
    g_free (best);
    best = g_steal_pointer (&found);
    where = *folders;
  }
  return best ? g_build_filename (where, best, NULL) : NULL;
}

static void
add_folder (GPtrArray * folders, const gchar * folder)
{
  if (*folder && !g_ptr_array_find_with_equal_func (folders, folder,
          g_str_equal, NULL))
    g_ptr_array_add (folders, g_strdup (folder));
}

gchar **
hip_ort_loader_folders (void)
{
  static const gchar *const usual[] = { "/usr/local/lib", "/usr/lib64", NULL };
  GPtrArray *folders = g_ptr_array_new ();
  gpointer self = dlopen (NULL, RTLD_LAZY);
  Dl_serinfo size;
  Dl_serinfo *info;

  if (self && dlinfo (self, RTLD_DI_SERINFOSIZE, &size) == 0) {
    info = g_malloc0 (size.dls_size);
    if (dlinfo (self, RTLD_DI_SERINFOSIZE, info) == 0
        && dlinfo (self, RTLD_DI_SERINFO, info) == 0) {
      for (guint i = 0; i < info->dls_cnt; i++)
        add_folder (folders, info->dls_serpath[i].dls_name);
    }
    g_free (info);
  }
  if (self)
    dlclose (self);
  /* Reached by the loader's cache, which cannot be listed */
  for (guint i = 0; usual[i]; i++)
    add_folder (folders, usual[i]);
  g_ptr_array_add (folders, NULL);
  return (gchar **) g_ptr_array_free (folders, FALSE);
}
