/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Options of run-time compilers. Who may include this: backends. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Each option with its value in one string (-DX=1, -Idir, -Uname, --std=c++17), those that name an architecture left
 * out, since that is the device's; then what translate makes of it (transfer full), NULL leaving it out. Free with
 * g_strfreev (). NULL with INVALID where a value is missing. */
gchar **hip_compiler_options_translate (const gchar * const * options, gchar * (*translate) (const gchar * option),
    GError ** error);
/* Is there one that names a language standard? Of translated options. */
gboolean hip_compiler_options_have_standard (const gchar * const * options);

G_END_DECLS
