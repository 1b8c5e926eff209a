/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which files may be ONNX Runtime. Who may include this: ort-runtime.c and
 * tests. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The newest NAME.VERSION of folders (NULL-terminated), as a path, or NULL. */
gchar * hip_ort_find_newest (const gchar * const * folders, const gchar * name);
/* Where this process' loader looks; NULL-terminated */
gchar ** hip_ort_loader_folders (void);

G_END_DECLS
