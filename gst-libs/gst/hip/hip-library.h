/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Opening vendors' libraries at run time. Who may include this: backends. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  gsize offset;                 /* of the pointer in its struct */
  gboolean optional;            /* may be NULL there */
} HipLibrarySymbol;

/* Each returns a handle of dlopen (), or NULL with what was tried added to tried. */
gpointer hip_library_open (const gchar * name, GString * tried);
gpointer hip_library_open_first (const gchar * const *names, GString * tried);
/* Only files that are there count as tried. */
gpointer hip_library_open_in (const gchar * const *folders, const gchar * const *names, GString * tried);
/* One that the process has already, by its own name; nothing is loaded */
gpointer hip_library_find_loaded (const gchar * const *names);

/* Writes the functions' addresses into the struct at out. whose: "NVIDIA" */
gboolean hip_library_get_symbols (gpointer handle, const HipLibrarySymbol * symbols, guint n, gpointer out,
    const gchar * library, const gchar * whose, GError ** error);

/* The file that a function came from, links resolved; otherwise: where that cannot be told */
gchar *hip_library_path_of (gpointer function, const gchar * otherwise);

G_END_DECLS
