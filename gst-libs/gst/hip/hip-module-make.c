/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Who has the module of a source: this process, the archive that is installed,
 * this user's disk, or nobody, so that it is compiled? In this order. Knows no
 * vendor.
 *
 * Invariant: what cannot be loaded is as good as absent, and a machine without
 * a compiler has everything that the archive has.
 */
#include "gsthiperror.h"
#include "hip-debug.h"
#include "hip-disk-cache.h"
#include "hip-kernel-archive.h"
#include "hip-kernel.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_module_debug, "hipmodule", "HIP kernel modules")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_module_debug ()

static gint counts[GST_HIP_VENDOR_HOST + 1][HIP_MODULE_N_ORIGINS];

typedef struct
{
  HipContext *context;
  const HipKernelRecipe *recipe;
  const gchar *key;             /* NULL: neither for the process nor for the disk */
} Make;

guint
hip_module_count (GstHipVendor vendor, HipModuleOrigin origin)
{
  return g_atomic_int_get (&counts[vendor][origin]);
}

static void
count (Make * make, HipModuleOrigin origin)
{
  g_atomic_int_inc (&counts[make->context->info.vendor][origin]);
}

static GBytes *
compile (Make * make, GError ** error)
{
  HipContext *context = make->context;
  const gchar *name = make->recipe->name;
  HipCompileRequest request = { make->recipe->text, name,
    (const gchar * const *) make->recipe->options
  };
  g_autofree gchar *log = NULL;
  g_autoptr (GError) cause = NULL;
  gint64 begin = g_get_monotonic_time ();
  GBytes *binary;

  count (make, HIP_MODULE_COMPILED);
  if (!hip_context_enter (context, error))
    return NULL;
  binary = context->backend->compile (context->native, &request, &log, &cause);
  hip_context_leave (context);
  if (!binary) {
    if (g_error_matches (cause, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE))
      g_prefix_error (&cause, "%s does not compile for %s:\n", name,
          context->info.name);
    hip_context_failed_with (context, error, g_steal_pointer (&cause));
    return NULL;
  }
  GST_INFO ("%s compiled for %s in %" G_GINT64_FORMAT " ms", name,
      context->info.name, (g_get_monotonic_time () - begin) / 1000);
  if (log && *log)
    GST_WARNING ("%s: %s", name, log);
  return binary;
}

static GstHipKernelModule *
load_kept (Make * make, GBytes * binary, HipModuleOrigin origin,
    const gchar * where)
{
  g_autoptr (GError) cause = NULL;
  GstHipKernelModule *module =
      hip_module_load_binary (make->context, binary, &cause);

  if (module) {
    count (make, origin);
    GST_INFO ("%s taken from %s", make->recipe->name, where);
  } else {
    GST_WARNING ("%s: what %s has cannot be loaded: %s", make->recipe->name,
        where, cause->message);
  }
  return module;
}

static GstHipKernelModule *
load_archived (Make * make)
{
  HipContext *context = make->context;
  const HipBackend *backend = context->backend;
  const gchar *key = make->recipe->archive_key;
  GstHipKernelModule *module = NULL;
  g_auto (GStrv) archs = NULL;

  if (!key || !backend->precompiled_archs)
    return NULL;
  archs = backend->precompiled_archs (&context->info);
  for (guint i = 0; archs[i] && !module; i++) {
    g_autoptr (GBytes) binary =
        hip_kernel_archive_load (backend->name, archs[i], key);

    if (binary) {
      g_autofree gchar *where =
          g_strdup_printf ("the archive for %s", archs[i]);

      module = load_kept (make, binary, HIP_MODULE_ARCHIVED, where);
    }
  }
  return module;
}

static GstHipKernelModule *
load_cached (Make * make)
{
  g_autoptr (GBytes) binary =
      make->key ? hip_disk_cache_load (make->key) : NULL;

  return binary ? load_kept (make, binary, HIP_MODULE_CACHED, "the cache")
      : NULL;
}

static GstHipKernelModule *
make_module (gpointer data, GError ** error)
{
  Make *make = data;
  GstHipKernelModule *module = load_archived (make);

  if (!module)
    module = load_cached (make);
  if (!module) {
    g_autoptr (GBytes) binary = compile (make, error);

    if (!binary)
      return NULL;
    module = hip_module_load_binary (make->context, binary, error);
    if (!module)
      return NULL;
    if (make->key)
      hip_disk_cache_store (make->key, binary);
  }
  if (module->entries->len == 0) {
    gst_hip_kernel_module_unref (module);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE,
        "%s has no kernel: one begins with extern \"C\" __global__ void",
        make->recipe->name);
    return NULL;
  }
  module->key = g_strdup (make->key);
  return module;
}

/* The archive key stands for text, definitions and options. Without a compiler
 * there is still what is installed: compiling says what is missing. */
static gchar *
make_key (Make * make)
{
  HipContext *context = make->context;
  const HipKernelRecipe *recipe = make->recipe;
  g_autoptr (GError) cause = NULL;
  g_autofree gchar *compiler =
      context->backend->compiler_id (context->native, &cause);
  const HipDiskCacheParts parts = { recipe->name, recipe->archive_key,
    (const gchar * const *) recipe->options, context->info.arch, compiler
  };

  return hip_disk_cache_make_key (&parts);
}

GstHipKernelModule *
hip_module_make (HipContext * context, const gchar * source,
    const gchar * name, const gchar * const *options, GError ** error)
{
  Make make = { context, NULL, NULL };
  g_autoptr (HipKernelRecipe) recipe = NULL;
  g_autofree gchar *key = NULL;
  g_autoptr (GError) cause = NULL;

  if (!hip_context_enter (context, error))
    return NULL;
  make.recipe = recipe = hip_kernel_recipe_new (context->backend,
      context->native, source, name, options, &cause);
  if (recipe && recipe->archive_key)
    make.key = key = make_key (&make);
  hip_context_leave (context);
  if (!recipe) {
    hip_context_failed_with (context, error, g_steal_pointer (&cause));
    return NULL;
  }
  /* What included files say is not part of the key */
  if (!key)
    return make_module (&make, error);
  return hip_module_cache_get (context, key, make_module, &make, error);
}
