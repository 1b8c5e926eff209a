/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which kernel do these settings name, and can the element call it? Reads,
 * compiles, chooses the entry and checks its parameters. Knows no element: it
 * runs on any thread, and the old program stays as it is when a new one fails.
 */
#include "config.h"

#include <string.h>

#include "hip-kernel-program.h"

void
hip_kernel_settings_copy (HipKernelSettings * to,
    const HipKernelSettings * from)
{
  to->location = g_strdup (from->location);
  to->source = g_strdup (from->source);
  to->entry = g_strdup (from->entry);
  to->options = g_strdup (from->options);
}

void
hip_kernel_settings_clear (HipKernelSettings * settings)
{
  g_clear_pointer (&settings->location, g_free);
  g_clear_pointer (&settings->source, g_free);
  g_clear_pointer (&settings->entry, g_free);
  g_clear_pointer (&settings->options, g_free);
}

/* The text, for its directives; the library reads a file by itself. Should it
 * change in between, auto-reload sees that. */
static gchar *
read_source (const HipKernelSettings * settings, GError ** error)
{
  g_autoptr (GError) file_error = NULL;
  gchar *text = NULL;

  if (settings->location && settings->source) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "location and source are both set: which one is the kernel?");
    return NULL;
  }
  if (settings->source)
    return g_strdup (settings->source);
  if (!settings->location) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "there is no kernel: set location to a file, or source to its text");
    return NULL;
  }
  if (!g_file_get_contents (settings->location, &text, NULL, &file_error))
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "the kernel's file cannot be read: %s", file_error->message);
  return text;
}

/* The user's, split as a shell does; *words stays NULL if there are none. */
static gboolean
split_options (const HipKernelSettings * settings, gchar *** words,
    GError ** error)
{
  if (!settings->options
      || !settings->options[strspn (settings->options, " \t\n")])
    return TRUE;
  if (g_shell_parse_argv (settings->options, NULL, words, error))
    return TRUE;
  g_prefix_error (error, "options: ");
  return FALSE;
}

static gboolean
choose_entry (HipKernelProgram * self, const gchar * wanted, GError ** error)
{
  g_auto (GStrv) entries = gst_hip_kernel_module_list_entries (self->module);
  g_autofree gchar *all = g_strjoinv (", ", entries);

  if (wanted && *wanted) {
    self->entry = g_strdup (wanted);
    if (gst_hip_kernel_module_has_entry (self->module, wanted))
      return TRUE;
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the source has no kernel %s; it has: %s", wanted, *all ? all : "none");
    return FALSE;
  }
  if (g_strv_length (entries) == 1) {
    self->entry = g_strdup (entries[0]);
    return TRUE;
  }
  if (!entries[0])
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID, "the source has "
        "no kernel: extern \"C\" __global__ void name (...) is one");
  else
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID, "the source has "
        "several kernels, so entry must name one of: %s", all);
  return FALSE;
}

static gboolean
is_struct (const GstHipKernelParameter * parameter, const gchar * type)
{
  gsize length = strlen (type);
  const gchar *at = strstr (parameter->type_name, type);

  return parameter->kind == GST_HIP_PARAMETER_KIND_STRUCT && at
      && !g_ascii_isalnum (at[length]);
}

/* (GstHipFrame in, [GstHipFrame prev,] GstHipFrame out, GstHipFrameInfo info,
 * the user's) */
static gboolean
check_convention (HipKernelProgram * self, GError ** error)
{
  guint n = 0, n_frames = self->directives.prev ? 3 : 2, i;
  const GstHipKernelParameter *parameters =
      gst_hip_kernel_module_get_parameters (self->module, self->entry, &n);

  self->signature =
      gst_hip_kernel_module_get_signature (self->module, self->entry);
  for (i = 0; parameters && i < MIN (n, n_frames); i++)
    if (!is_struct (&parameters[i], "GstHipFrame"))
      break;
  if (i < n_frames || n <= n_frames
      || !is_struct (&parameters[n_frames], "GstHipFrameInfo")) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the kernel is: %s; hipkernel calls (GstHipFrame in, %sGstHipFrame "
        "out, GstHipFrameInfo info, your parameters)%s", self->signature,
        self->directives.prev ? "GstHipFrame prev, " : "",
        self->directives.prev ? "" : ", with a frame more before out if the "
        "source has a line // gst-hip: prev");
    return FALSE;
  }
  self->parameters = parameters + n_frames + 1;
  self->n_parameters = n - n_frames - 1;
  return TRUE;
}

static gboolean
load (HipKernelProgram * self, const HipKernelSettings * settings,
    GstHipDevice * device, GError ** error)
{
  g_autofree gchar *source = read_source (settings, error);
  g_auto (GStrv) options = NULL;
  const gchar *const *words;

  if (!source)
    return FALSE;
  if (!hip_kernel_directives_parse (&self->directives, source,
          settings->location ? settings->location : "<source>", error))
    return FALSE;
  if (!split_options (settings, &options, error))
    return FALSE;
  words = (const gchar * const *) options;
  self->module = settings->location ?
      gst_hip_kernel_module_new_from_file (device, settings->location, words,
      error) : gst_hip_kernel_module_new_from_source (device, source, words,
      error);
  if (!self->module)
    return FALSE;
  return choose_entry (self, settings->entry, error)
      && check_convention (self, error);
}

HipKernelProgram *
hip_kernel_program_new (const HipKernelSettings * settings,
    GstHipDevice * device, GError ** error)
{
  g_autoptr (HipKernelProgram) self = g_new0 (HipKernelProgram, 1);

  g_atomic_ref_count_init (&self->ref_count);
  if (!load (self, settings, device, error))
    return NULL;
  return g_steal_pointer (&self);
}

HipKernelProgram *
hip_kernel_program_ref (HipKernelProgram * self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
hip_kernel_program_unref (HipKernelProgram * self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->module, gst_hip_kernel_module_unref);
  hip_kernel_directives_clear (&self->directives);
  g_free (self->entry);
  g_free (self->signature);
  g_free (self);
}
