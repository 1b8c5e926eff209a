/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Makes a file of precompiled kernels when the library is built:
 *
 *   gst-hip-precompile VENDOR ARCHITECTURE OUTPUT SOURCE [OPTIONS...]
 *
 * Each OPTIONS is one set of compiler options, as a shell would split it; "@FILE"
 * stands for the lines of FILE. Without any, the source is compiled once with
 * none.
 *
 * It goes the library's own way from a source to a key and a binary. What OUTPUT
 * has already from the same text, options and compiler stays, so that a change
 * elsewhere in the library costs nothing; with GST_HIP_PRECOMPILE_CACHE=on in the
 * environment that is so for another build folder, too, by way of the user's
 * cache. It needs no device and no driver, and is not installed.
 */
#include "config.h"

#include <string.h>

#include "gsthiperror.h"
#include "hip-disk-cache.h"
#include "hip-kernel-archive.h"
#include "hip-kernel.h"

typedef struct
{
  const HipBackend *backend;
  const gchar *arch;
  gchar *name, *source;
  gchar *compiler;
  gboolean cached;
  HipKernelArchive *old;        /* NULL: none */
  GArray *entries;              /* of HipKernelArchiveEntry */
} Job;

static const HipBackend *
find_backend (const gchar * name)
{
  const HipBackend *const *backends = hip_backend_list ();

  for (guint i = 0; backends[i]; i++) {
    if (strcmp (backends[i]->name, name) == 0 && backends[i]->compile_for)
      return backends[i];
  }
  return NULL;
}

static gchar *
make_origin (Job * job, const HipKernelRecipe * recipe)
{
  const HipDiskCacheParts parts = { recipe->name, recipe->text,
    (const gchar * const *) recipe->options, job->arch, job->compiler
  };

  return hip_disk_cache_make_key (&parts);
}

static GBytes *
get_binary (Job * job, const HipKernelRecipe * recipe, const gchar * origin,
    GError ** error)
{
  HipCompileRequest request = { recipe->text, recipe->name,
    (const gchar * const *) recipe->options
  };
  g_autofree gchar *log = NULL;
  GBytes *binary = job->old ? hip_kernel_archive_find (job->old,
      recipe->archive_key, origin, NULL) : NULL;

  if (!binary && job->cached)
    binary = hip_disk_cache_load (origin);
  if (binary)
    return binary;
  binary = job->backend->compile_for (job->arch, &request, &log, error);
  if (binary && log && *log)
    g_printerr ("%s\n", log);
  else if (binary && job->cached)
    hip_disk_cache_store (origin, binary);
  return binary;
}

static gboolean
add_set (Job * job, const gchar * set, GError ** error)
{
  HipKernelArchiveEntry entry = { NULL, };
  g_autoptr (HipKernelRecipe) recipe = NULL;
  g_auto (GStrv) options = NULL;

  if (*set && !g_shell_parse_argv (set, NULL, &options, error))
    return FALSE;
  recipe = hip_kernel_recipe_new (job->backend, NULL, job->source, job->name,
      (const gchar * const *) options, error);
  if (!recipe)
    return FALSE;
  if (!recipe->archive_key) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a source that includes files cannot be precompiled: the build has to "
        "expand them (tools/embed.py)");
    return FALSE;
  }
  entry.origin = make_origin (job, recipe);
  entry.binary = get_binary (job, recipe, entry.origin, error);
  if (!entry.binary) {
    g_prefix_error (error, "with \"%s\": ", set);
    g_free (entry.origin);
    return FALSE;
  }
  entry.key = g_strdup (recipe->archive_key);
  g_array_append_val (job->entries, entry);
  return TRUE;
}

static gboolean
add_sets (Job * job, gchar ** sets, GError ** error)
{
  if (!*sets)
    return add_set (job, "", error);
  for (; *sets; sets++) {
    g_autofree gchar *text = NULL;
    g_auto (GStrv) lines = NULL;

    if (**sets != '@') {
      if (!add_set (job, *sets, error))
        return FALSE;
      continue;
    }
    if (!g_file_get_contents (*sets + 1, &text, NULL, error))
      return FALSE;
    lines = g_strsplit (text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
      g_strstrip (lines[i]);
      if (*lines[i] && *lines[i] != '#' && !add_set (job, lines[i], error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
run (Job * job, const gchar * output, const gchar * source, gchar ** sets,
    GError ** error)
{
  g_autofree gchar *target =
      g_strdup_printf ("%s.%s", job->backend->name, job->arch);
  g_autoptr (GError) cause = NULL;

  if (!g_file_get_contents (source, &job->source, NULL, error))
    return FALSE;
  job->name = g_path_get_basename (source);
  job->compiler = job->backend->compiler_id (NULL, error);
  if (!job->compiler)
    return FALSE;
  job->old = hip_kernel_archive_open (output, target, NULL);
  if (!add_sets (job, sets, &cause)) {
    /* An old compiler makes what it can; the rest is compiled at run time */
    if (!g_error_matches (cause, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED)) {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
    g_printerr ("%s: %s\n", job->name, cause->message);
    g_array_set_size (job->entries, 0);
  }
  return hip_kernel_archive_write (output, target, job->entries, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Job job = { NULL, };
  gboolean ok;

  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (NULL, NULL);
  if (argc < 5) {
    g_printerr ("usage: %s VENDOR ARCHITECTURE OUTPUT SOURCE [OPTIONS...]\n",
        argv[0]);
    return 2;
  }
  job.backend = find_backend (argv[1]);
  if (!job.backend) {
    g_printerr ("%s: nothing can be precompiled for \"%s\"\n", argv[0],
        argv[1]);
    return 2;
  }
  job.arch = argv[2];
  job.cached = g_strcmp0 (g_getenv ("GST_HIP_PRECOMPILE_CACHE"), "on") == 0;
  job.entries = g_array_new (FALSE, TRUE, sizeof (HipKernelArchiveEntry));
  g_array_set_clear_func (job.entries,
      (GDestroyNotify) hip_kernel_archive_entry_clear);
  ok = run (&job, argv[3], argv[4], argv + 5, &error);
  if (!ok)
    g_printerr ("%s for %s %s: %s\n", argv[4], argv[1], argv[2],
        error->message);
  g_array_unref (job.entries);
  g_clear_pointer (&job.old, hip_kernel_archive_free);
  g_free (job.compiler);
  g_free (job.name);
  g_free (job.source);
  return !ok;
}
