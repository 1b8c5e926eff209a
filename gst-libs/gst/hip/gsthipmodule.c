/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is in a module, and how long does it live?
 *
 * Where its binary comes from (hip-module-make.c) makes no difference: what
 * kernels a module has and what they take is read from the binary itself. Knows
 * no vendor.
 *
 * Invariant: nothing is loaded with a lock held, and a module is unloaded on a
 * worker.
 */
#include <string.h>

#include "gsthiperror.h"
#include "hip-kept.h"
#include "hip-kernel.h"
#include "hip-worker.h"

#define MAX_PARAMS 1024
#define MAX_TABLE_BYTES (1024 * 1024)

/* *INDENT-OFF* */
G_DEFINE_BOXED_TYPE (GstHipKernelModule, gst_hip_kernel_module,
    gst_hip_kernel_module_ref, gst_hip_kernel_module_unref);
/* *INDENT-ON* */

/* --- references --- */

static void
clear_launch (HipModuleLaunch * launch)
{
  gst_hip_event_unref (launch->event);
}

static void
clear_entry (HipModuleEntry * entry)
{
  g_free (entry->name);
  g_free (entry->params);
  g_free (entry->text);
}

/* On a worker: queued launches use the code until they are done (I4). Where
 * waiting failed, nobody can tell whether they still run, so the code is kept
 * for good (I6). */
static void
free_module (gpointer data)
{
  GstHipKernelModule *module = data;
  gboolean ended = TRUE;

  for (guint i = 0; i < module->launches->len; i++)
    ended &= gst_hip_event_wait (g_array_index (module->launches,
            HipModuleLaunch, i).event, NULL);
  if (module->native && ended && hip_context_enter_for_free (module->context)) {
    module->context->backend->module_unload (module->context->native,
        module->native);
    hip_context_leave (module->context);
  } else if (module->native) {
    HIP_KEPT_FOR_GOOD (module->native);
  }
  g_array_unref (module->entries);
  g_bytes_unref (module->binary);
  g_array_unref (module->launches);
  hip_mutex_clear (&module->lock);
  hip_context_unref (module->context);
  g_free (module->key);
  g_free (module);
}

gboolean
hip_module_try_ref (GstHipKernelModule * module)
{
  gint count = g_atomic_int_get (&module->ref_count);

  while (count > 0) {
    if (g_atomic_int_compare_and_exchange (&module->ref_count, count,
            count + 1))
      return TRUE;
    count = g_atomic_int_get (&module->ref_count);
  }
  return FALSE;
}

/**
 * gst_hip_kernel_module_ref:
 * @module: a #GstHipKernelModule
 *
 * Returns: (transfer full): @module
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
GstHipKernelModule *
gst_hip_kernel_module_ref (GstHipKernelModule * module)
{
  g_return_val_if_fail (module != NULL, NULL);

  g_atomic_int_inc (&module->ref_count);
  return module;
}

/**
 * gst_hip_kernel_module_unref:
 * @module: (transfer full): a #GstHipKernelModule
 *
 * A module is unloaded on a worker thread, after the launches that are queued.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_kernel_module_unref (GstHipKernelModule * module)
{
  g_return_if_fail (module != NULL);

  if (!g_atomic_int_dec_and_test (&module->ref_count))
    return;
  if (module->key)
    hip_module_cache_remove (module->context, module->key, module);
  hip_worker_run (free_module, module);
}

/* --- what a binary says about itself --- */

/* A global symbol's bytes, one zero byte behind them; NULL without an error: no such symbol */
static gchar *
read_global (GstHipKernelModule * module, const gchar * prefix,
    const gchar * name, gsize * size, GError ** error)
{
  const HipBackend *backend = module->context->backend;
  g_autofree gchar *symbol = g_strconcat (prefix, name, NULL);
  g_autofree gchar *data = NULL;
  g_autoptr (GError) cause = NULL;
  gsize room = 0;

  if (backend->module_read_global (module->context->native, module->native,
          symbol, NULL, &room, &cause)) {
    if (room > MAX_TABLE_BYTES) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "The binary's symbol %s of %" G_GSIZE_FORMAT " bytes is no table of "
          "kernels", symbol, room);
      return NULL;
    }
    *size = room;
    data = g_malloc0 (room + 1);
    if (backend->module_read_global (module->context->native, module->native,
            symbol, data, size, &cause)) {
      *size = room;
      return g_steal_pointer (&data);
    }
  }
  if (!g_error_matches (cause, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE)) {
    hip_context_failed (module->context, cause);
    g_propagate_error (error, g_steal_pointer (&cause));
  }
  return NULL;
}

/* The next string of text, or "" at its end */
static const gchar *
next_string (const gchar ** text, const gchar * end)
{
  const gchar *string = *text < end ? *text : "";

  if (*text < end)
    *text += strlen (*text) + 1;
  return string;
}

/* FALSE: the metadata makes no sense */
static gboolean
parse_entry (HipModuleEntry * entry, const gchar * meta, gsize meta_size,
    gsize text_size)
{
  const gchar *text = entry->text, *end = entry->text + text_size;
  GstHipMetaHead head;

  if (meta_size < sizeof (head))
    return FALSE;
  memcpy (&head, meta, sizeof (head));
  if (head.magic != GST_HIP_META_MAGIC || head.n_params > MAX_PARAMS ||
      meta_size < sizeof (head) + head.n_params * sizeof (GstHipMetaParam))
    return FALSE;
  entry->n_params = head.n_params;
  entry->params = g_new0 (GstHipKernelParameter, MAX (head.n_params, 1));
  for (guint i = 0; i < head.n_params; i++) {
    GstHipKernelParameter *out = &entry->params[i];
    GstHipMetaParam in;

    memcpy (&in, meta + sizeof (head) + i * sizeof (in), sizeof (in));
    if (in.kind > GST_HIP_PARAMETER_KIND_STRUCT || in.size == 0 ||
        in.align == 0)
      return FALSE;
    out->kind = in.kind;
    out->size = in.size;
    out->align = in.align;
    out->is_const = (in.flags & GST_HIP_META_CONST) != 0;
    out->type_name = next_string (&text, end);
    out->name = next_string (&text, end);
  }
  return TRUE;
}

static gboolean
read_entry (GstHipKernelModule * module, const gchar * name, GError ** error)
{
  HipContext *context = module->context;
  HipModuleEntry entry = { NULL, };
  g_autofree gchar *meta = NULL;
  g_autoptr (GError) cause = NULL;
  gsize meta_size = 0, text_size = 0;

  meta = read_global (module, "gst_hip_meta_", name, &meta_size, &cause);
  if (!meta && !cause)
    return TRUE;                /* its #if was not taken */
  if (meta)
    entry.text = read_global (module, "gst_hip_text_", name, &text_size,
        &cause);
  if (!cause) {
    if (!entry.text)
      entry.text = g_strdup ("");
    if (parse_entry (&entry, meta, meta_size, text_size))
      entry.function = context->backend->module_get_function (context->native,
          module->native, name, &cause);
    else
      g_set_error (&cause, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "The binary's description of kernel \"%s\" makes no sense", name);
  }
  if (cause) {
    clear_entry (&entry);
    g_propagate_error (error, g_steal_pointer (&cause));
    return FALSE;
  }
  entry.name = g_strdup (name);
  g_array_append_val (module->entries, entry);
  return TRUE;
}

static gboolean
read_entries (GstHipKernelModule * module, GError ** error)
{
  g_autofree gchar *names = NULL;
  g_autoptr (GError) cause = NULL;
  const gchar *name, *next, *end;
  gsize size = 0;

  names = read_global (module, "gst_hip_entries", "", &size, &cause);
  if (!names) {
    if (cause)
      g_propagate_error (error, g_steal_pointer (&cause));
    else
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "The binary has no table of kernels: it was not made by "
          "gst_hip_kernel_module_get_binary()");
    return FALSE;
  }
  next = names;
  end = names + size;
  while (*(name = next_string (&next, end))) {
    if (!hip_module_find_entry (module, name) &&
        !read_entry (module, name, error))
      return FALSE;
  }
  return TRUE;
}

GstHipKernelModule *
hip_module_load_binary (HipContext * context, GBytes * binary, GError ** error)
{
  GstHipKernelModule *module;
  g_autoptr (GError) cause = NULL;

  if (!hip_context_enter (context, error))
    return NULL;
  module = g_new0 (GstHipKernelModule, 1);
  module->ref_count = 1;
  module->context = hip_context_ref (context);
  module->binary = g_bytes_ref (binary);
  module->entries = g_array_new (FALSE, TRUE, sizeof (HipModuleEntry));
  g_array_set_clear_func (module->entries, (GDestroyNotify) clear_entry);
  hip_mutex_init (&module->lock);
  module->launches = g_array_new (FALSE, FALSE, sizeof (HipModuleLaunch));
  g_array_set_clear_func (module->launches, (GDestroyNotify) clear_launch);
  module->native =
      context->backend->module_load (context->native, binary, &cause);
  if (!module->native || !read_entries (module, &cause)) {
    hip_context_leave (context);
    hip_context_failed_with (context, error, g_steal_pointer (&cause));
    gst_hip_kernel_module_unref (module);
    return NULL;
  }
  hip_context_leave (context);
  return module;
}

/* --- making --- */

/**
 * gst_hip_kernel_module_new_from_source:
 * @device: a #GstHipDevice
 * @source: kernels in the common subset of HIP and CUDA C++
 * @options: (nullable) (array zero-terminated=1): options for the compiler: -D,
 *   -I, -O, --std and -g mean the same on all devices, others are passed on
 * @error: return location for an error
 *
 * Compiles @source for @device, unless this process, the installed archive or
 * the cache on disk has the result. Threads that ask for the same at once share one compile. A source
 * that includes files of its own is compiled each time.
 *
 * Returns: (transfer full): a module, or %NULL with %GST_HIP_ERROR_COMPILE and
 *   the compiler's text, %GST_HIP_ERROR_UNAVAILABLE if there is no compiler
 *
 * Blocking: waits for the compiler, up to seconds.
 *
 * Threads: any; not one that must not stall.
 *
 * Since: 1.30
 */
GstHipKernelModule *
gst_hip_kernel_module_new_from_source (GstHipDevice * device,
    const gchar * source, const gchar * const *options, GError ** error)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (source != NULL, NULL);

  return hip_module_make (hip_device_get_context (device), source, "<source>",
      options, error);
}

/**
 * gst_hip_kernel_module_new_from_file:
 * @device: a #GstHipDevice
 * @filename: (type filename): file with the source
 * @options: (nullable) (array zero-terminated=1): options for the compiler
 * @error: return location for an error
 *
 * Like gst_hip_kernel_module_new_from_source(). Errors name the file and its
 * lines; files beside it can be included.
 *
 * Returns: (transfer full): a module, or %NULL with %GST_HIP_ERROR_INVALID if
 *   the file cannot be read, else as for a source
 *
 * Blocking: waits for the file and the compiler.
 *
 * Threads: any; not one that must not stall.
 *
 * Since: 1.30
 */
GstHipKernelModule *
gst_hip_kernel_module_new_from_file (GstHipDevice * device,
    const gchar * filename, const gchar * const *options, GError ** error)
{
  g_autofree gchar *source = NULL, *folder = NULL, *include = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GError) cause = NULL;
  gsize length;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (filename != NULL, NULL);

  if (!g_file_get_contents (filename, &source, &length, &cause)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Cannot read the kernel's source: %s", cause->message);
    return NULL;
  }
  if (strlen (source) != length) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "%s is no source of a kernel: it has a zero byte at %" G_GSIZE_FORMAT,
        filename, strlen (source));
    return NULL;
  }
  all = g_ptr_array_new ();
  for (guint i = 0; options && options[i]; i++)
    g_ptr_array_add (all, (gpointer) options[i]);
  folder = g_path_get_dirname (filename);
  include = g_strconcat ("-I", folder, NULL);
  g_ptr_array_add (all, include);
  g_ptr_array_add (all, NULL);
  return hip_module_make (hip_device_get_context (device), source, filename,
      (const gchar * const *) all->pdata, error);
}

/**
 * gst_hip_kernel_module_new_from_binary:
 * @device: a #GstHipDevice
 * @binary: what gst_hip_kernel_module_get_binary() gave for such a device
 * @error: return location for an error
 *
 * Loads code: @binary has to come from where programs may come from.
 *
 * Returns: (transfer full): a module, or %NULL with %GST_HIP_ERROR_INVALID if
 *   @binary is none, or none for this device
 *
 * Blocking: waits for the driver's loader.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
GstHipKernelModule *
gst_hip_kernel_module_new_from_binary (GstHipDevice * device, GBytes * binary,
    GError ** error)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (binary != NULL, NULL);

  return hip_module_load_binary (hip_device_get_context (device), binary,
      error);
}

/* --- asking --- */

/**
 * gst_hip_kernel_module_get_binary:
 * @module: a #GstHipKernelModule
 *
 * Returns: (transfer full): the compiled module, for
 *   gst_hip_kernel_module_new_from_binary() on a device of the same kind
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
GBytes *
gst_hip_kernel_module_get_binary (GstHipKernelModule * module)
{
  g_return_val_if_fail (module != NULL, NULL);

  return g_bytes_ref (module->binary);
}

const HipModuleEntry *
hip_module_find_entry (GstHipKernelModule * module, const gchar * name)
{
  for (guint i = 0; i < module->entries->len; i++) {
    HipModuleEntry *entry = &g_array_index (module->entries, HipModuleEntry, i);

    if (strcmp (entry->name, name) == 0)
      return entry;
  }
  return NULL;
}

/**
 * gst_hip_kernel_module_has_entry:
 * @module: a #GstHipKernelModule
 * @entry: name of a kernel
 *
 * Returns: whether @module has it
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
gboolean
gst_hip_kernel_module_has_entry (GstHipKernelModule * module,
    const gchar * entry)
{
  g_return_val_if_fail (module != NULL, FALSE);
  g_return_val_if_fail (entry != NULL, FALSE);

  return hip_module_find_entry (module, entry) != NULL;
}

/**
 * gst_hip_kernel_module_list_entries:
 * @module: a #GstHipKernelModule
 *
 * Returns: (transfer full) (array zero-terminated=1): names of the kernels in
 *   the order of the source
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
gchar **
gst_hip_kernel_module_list_entries (GstHipKernelModule * module)
{
  gchar **names;

  g_return_val_if_fail (module != NULL, NULL);

  names = g_new0 (gchar *, module->entries->len + 1);
  for (guint i = 0; i < module->entries->len; i++)
    names[i] =
        g_strdup (g_array_index (module->entries, HipModuleEntry, i).name);
  return names;
}

/**
 * gst_hip_kernel_module_get_parameters:
 * @module: a #GstHipKernelModule
 * @entry: name of a kernel
 * @n_parameters: (out): how many there are
 *
 * Returns: (transfer none) (nullable) (array length=n_parameters): the kernel's
 *   parameters, valid as long as @module; %NULL if there is no such kernel
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
const GstHipKernelParameter *
gst_hip_kernel_module_get_parameters (GstHipKernelModule * module,
    const gchar * entry, guint * n_parameters)
{
  const HipModuleEntry *found;

  g_return_val_if_fail (module != NULL, NULL);
  g_return_val_if_fail (entry != NULL, NULL);
  g_return_val_if_fail (n_parameters != NULL, NULL);

  found = hip_module_find_entry (module, entry);
  *n_parameters = found ? found->n_params : 0;
  return found ? found->params : NULL;
}

/* For a type without a spelling: what is known of it */
static void
append_type (GString * out, const GstHipKernelParameter * param)
{
  static const gchar *const kinds[] = { "pointer", "int", "uint", "float",
    "struct"
  };

  if (*param->type_name)
    g_string_append (out, param->type_name);
  else
    g_string_append_printf (out, "%s%" G_GSIZE_FORMAT, kinds[param->kind],
        param->size * 8);
}

/**
 * gst_hip_kernel_module_get_signature:
 * @module: a #GstHipKernelModule
 * @entry: name of a kernel
 *
 * Returns: (transfer full) (nullable): the kernel's name and parameters as a
 *   line for people, %NULL if there is no such kernel
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
gchar *
gst_hip_kernel_module_get_signature (GstHipKernelModule * module,
    const gchar * entry)
{
  const HipModuleEntry *found;
  GString *out;

  g_return_val_if_fail (module != NULL, NULL);
  g_return_val_if_fail (entry != NULL, NULL);

  found = hip_module_find_entry (module, entry);
  if (!found)
    return NULL;
  out = g_string_new (entry);
  g_string_append (out, " (");
  for (guint i = 0; i < found->n_params; i++) {
    const gchar *name = found->params[i].name;

    if (i > 0)
      g_string_append (out, ", ");
    append_type (out, &found->params[i]);
    if (*name)
      g_string_append_printf (out, "%s%s",
          out->str[out->len - 1] == '*' ? "" : " ", name);
  }
  g_string_append (out, ")");
  return g_string_free (out, FALSE);
}
