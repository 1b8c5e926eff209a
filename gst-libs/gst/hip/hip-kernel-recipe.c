/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What exactly is compiled for a source and its options, and under which key
 * is the result in an archive? The one way from a source to a compiler, when
 * kernels are precompiled as much as at run time.
 *
 * Invariant: one archive key, one meaning. Where text comes from files that the
 * key does not see, there is none.
 */
#include <string.h>

#include "hip-disk-cache.h"
#include "hip-kernel.h"

/* Options by which a file becomes part of the source */
static gboolean
options_include (gchar ** options)
{
  static const gchar *const names[] = { "-include", "--include", "-pre-include",
    "--pre-include", "-imacros", "--imacros", "-fplugin", "-options-file",
    "--options-file", "@"
  };

  for (; *options; options++) {
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      if (g_str_has_prefix (*options, names[i]) &&
          !g_str_has_prefix (*options, "--include-path"))
        return TRUE;
    }
  }
  return FALSE;
}

/* Folders say nothing where nothing is included. The source's name is left out
 * too: it is where somebody installed it. */
static gchar *
make_archive_key (const HipBackend * backend, const gchar * text,
    gchar ** options)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  HipDiskCacheParts parts = { NULL, text, NULL, NULL, backend->name };

  for (; *options; options++) {
    if (strcmp (*options, "-I") == 0 && options[1])
      options++;
    else if (!g_str_has_prefix (*options, "-I"))
      g_ptr_array_add (kept, *options);
  }
  g_ptr_array_add (kept, NULL);
  parts.options = (const gchar * const *) kept->pdata;
  return hip_disk_cache_make_key (&parts);
}

HipKernelRecipe *
hip_kernel_recipe_new (const HipBackend * backend, HipNativeContext native,
    const gchar * source, const gchar * name, const gchar * const *options,
    GError ** error)
{
  gchar **translated = backend->translate_options (native, options, error);
  gboolean host = backend->vendor == GST_HIP_VENDOR_HOST;
  g_autofree gchar *definitions = NULL;
  HipKernelRecipe *recipe;
  HipKernelScan *scan;

  if (!translated)
    return NULL;
  scan = hip_kernel_scan (source, strlen (source));
  recipe = g_new0 (HipKernelRecipe, 1);
  recipe->name = g_strdup (name);
  recipe->options = translated;
  definitions = hip_kernel_source_take_definitions (translated);
  recipe->text = hip_kernel_source_compose (source, name, definitions, scan,
      host);
  if (!scan->includes && !options_include (translated)) {
    g_autofree gchar *nameless = hip_kernel_source_compose (source, "",
        definitions, scan, host);

    recipe->archive_key = make_archive_key (backend, nameless, translated);
  }
  hip_kernel_scan_free (scan);
  return recipe;
}

void
hip_kernel_recipe_free (HipKernelRecipe * recipe)
{
  g_free (recipe->name);
  g_free (recipe->text);
  g_strfreev (recipe->options);
  g_free (recipe->archive_key);
  g_free (recipe);
}
