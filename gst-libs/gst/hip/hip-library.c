/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is a vendor's library opened, and does it have the functions that we
 * need?
 *
 * Every attempt is logged and told, so that a message can say where was looked.
 * Must not know: whose library, or what the functions are for.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* dladdr */
#endif
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "hip-library.h"
#include "gsthiperror.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_library_debug, "hiplibrary", "HIP vendors' libraries")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_library_debug ()

gpointer
hip_library_open (const gchar * name, GString * tried)
{
  gpointer handle = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  const gchar *reason;

  if (handle) {
    GST_DEBUG ("opened %s", name);
    return handle;
  }
  reason = dlerror ();
  GST_DEBUG ("%s", reason ? reason : name);
  g_string_append_printf (tried, "%s%s", tried->len ? ", " : "", name);
  /* "No such file" for one of several names is no news; anything else is */
  if (reason && !strstr (reason, "No such file"))
    g_string_append_printf (tried, " (%s)", reason);
  return NULL;
}

gpointer
hip_library_open_first (const gchar * const *names, GString * tried)
{
  gpointer handle = NULL;

  for (guint i = 0; names[i] && !handle; i++)
    handle = hip_library_open (names[i], tried);
  return handle;
}

gpointer
hip_library_open_in (const gchar * const *folders, const gchar * const *names,
    GString * tried)
{
  gpointer handle = NULL;

  for (guint f = 0; folders[f] && !handle; f++) {
    for (guint i = 0; names[i] && !handle; i++) {
      g_autofree gchar *path = g_build_filename (folders[f], names[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        handle = hip_library_open (path, tried);
    }
  }
  return handle;
}

gpointer
hip_library_find_loaded (const gchar * const *names)
{
  for (guint i = 0; names[i]; i++) {
    gpointer handle = dlopen (names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);

    if (handle) {
      GST_DEBUG ("%s is loaded already", names[i]);
      return handle;
    }
  }
  return NULL;
}

gboolean
hip_library_get_symbols (gpointer handle, const HipLibrarySymbol * symbols,
    guint n, gpointer out, const gchar * library, const gchar * whose,
    GError ** error)
{
  for (guint i = 0; i < n; i++) {
    gpointer address = dlsym (handle, symbols[i].name);

    if (!address && !symbols[i].optional) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
          "%s has no function %s: it is too old, or no library of %s's",
          library, symbols[i].name, whose);
      return FALSE;
    }
    if (!address)
      GST_DEBUG ("%s has no %s, which is optional", library, symbols[i].name);
    memcpy ((guint8 *) out + symbols[i].offset, &address, sizeof (address));
  }
  return TRUE;
}

gchar *
hip_library_path_of (gpointer function, const gchar * otherwise)
{
  Dl_info info;
  gchar *path = NULL, *real;

  if (function && dladdr (function, &info) && info.dli_fname)
    path = g_strdup (info.dli_fname);
  real = path ? realpath (path, NULL) : NULL;
  if (real) {
    g_free (path);
    path = g_strdup (real);
    free (real);
  }
  return path ? path : g_strdup (otherwise);
}
