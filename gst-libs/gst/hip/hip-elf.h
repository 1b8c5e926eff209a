/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is this a whole ELF file? Who may include this: backends. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of 64 bits, for that machine (EM_*), with all sections within size bytes */
gboolean hip_elf_is_whole (const guint8 * data, gsize size, guint machine);

G_END_DECLS
