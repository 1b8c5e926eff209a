/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* In which forms may options for a run-time compiler be given?
 *
 * Those of NVRTC, nvcc, clang and g++ that mean the same become one form. Must
 * not know: which compiler gets them.
 */
#include <string.h>

#include "hip-compiler-options.h"
#include "gsthiperror.h"

/* ours: what the value is appended to, or NULL to leave it out */
/* *INDENT-OFF* */
static const struct
{
  const gchar *name, *ours;
} long_options[] = {
  {"--define-macro", "-D"},
  {"--undefine-macro", "-U"},
  {"--include-path", "-I"},
  {"--include-directory", "-I"},
  {"--std", "--std="},
  {"-std", "--std="},
  {"--gpu-architecture", NULL},
  {"-arch", NULL},
  {"--offload-arch", NULL},
}, short_options[] = {
  {"-D", "-D"},
  {"-U", "-U"},
  {"-I", "-I"},
};
/* *INDENT-ON* */

/* TRUE if options[*i] is name or name=value; *i moves to what was used last */
static gboolean
take_value (const gchar * const *options, guint * i, const gchar * name,
    const gchar ** value)
{
  gsize n = strlen (name);
  const gchar *option = options[*i];

  if (strncmp (option, name, n) != 0 || (option[n] && option[n] != '='))
    return FALSE;
  *value = option[n] ? option + n + 1 : options[*i + 1];
  if (!option[n] && *value)
    (*i)++;
  return TRUE;
}

/* Sets *joined to options[*i] with its value, or to NULL if it is left out */
static gboolean
join_value (const gchar * const *options, guint * i, gchar ** joined,
    GError ** error)
{
  const gchar *option = options[*i], *ours = NULL, *value = NULL;
  gboolean taken = FALSE;

  for (guint j = 0; j < G_N_ELEMENTS (long_options) && !taken; j++) {
    taken = take_value (options, i, long_options[j].name, &value);
    ours = long_options[j].ours;
  }
  for (guint j = 0; j < G_N_ELEMENTS (short_options) && !taken; j++) {
    if (strcmp (option, short_options[j].name) != 0)
      continue;
    taken = take_value (options, i, short_options[j].name, &value);
    ours = short_options[j].ours;
  }
  if (taken && !value) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Compiler option \"%s\" needs a value", option);
    return FALSE;
  }
  if (taken)
    *joined = ours ? g_strconcat (ours, value, NULL) : NULL;
  else
    *joined = g_strdup (option);
  return TRUE;
}

gchar **
hip_compiler_options_translate (const gchar * const *options,
    gchar * (*translate) (const gchar * option), GError ** error)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; options && options[i]; i++) {
    g_autofree gchar *joined = NULL;
    gchar *translated;

    if (!join_value (options, &i, &joined, error))
      return NULL;
    translated = joined ? translate (joined) : NULL;
    if (translated)
      g_ptr_array_add (out, translated);
  }
  g_ptr_array_add (out, NULL);
  return (gchar **) g_ptr_array_free (g_steal_pointer (&out), FALSE);
}

gboolean
hip_compiler_options_have_standard (const gchar * const *options)
{
  for (guint i = 0; options && options[i]; i++) {
    if (g_str_has_prefix (options[i], "--std="))
      return TRUE;
  }
  return FALSE;
}
