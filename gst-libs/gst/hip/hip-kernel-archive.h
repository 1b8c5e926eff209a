/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Precompiled kernels that are installed with the library. The build makes
 * files, one for each kernel source and architecture; the library reads them.
 * What cannot be read or trusted is not there. All functions: any thread,
 * blocking on the file system only.
 *
 * Environment, read at each call: GST_HIP_ARCHIVE=off, GST_HIP_ARCHIVE_DIR.
 *
 * Who may include this: the library's own .c files, the program that makes
 * archives, and tests.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define HIP_KERNEL_ARCHIVE_SUFFIX ".kernels"

/* --- hip-kernel-archive.c: one file --- */
typedef struct _HipKernelArchive HipKernelArchive;

typedef struct
{
  gchar *key;                   /* HipKernelRecipe.archive_key */
  gchar *origin;                /* digest of what made the binary, hexadecimal: the same origin, the same binary */
  GBytes *binary;
} HipKernelArchiveEntry;

void hip_kernel_archive_entry_clear (HipKernelArchiveEntry * entry);

/* target: "VENDOR.ARCHITECTURE". NULL with an error if that is no such file, or not all of one. */
HipKernelArchive *hip_kernel_archive_open (const gchar * path, const gchar * target, GError ** error);
void hip_kernel_archive_free (HipKernelArchive * archive);
guint hip_kernel_archive_get_n_entries (HipKernelArchive * archive);
/* The binary under key, checked; it keeps the file's content alive. NULL without an error: not in there.
 * origin: NULL, or the origin it must have. */
GBytes *hip_kernel_archive_find (HipKernelArchive * archive, const gchar * key, const gchar * origin, GError ** error);
/* Replaces path in one step, unless it has that content already. entries: of HipKernelArchiveEntry */
gboolean hip_kernel_archive_write (const gchar * path, const gchar * target, const GArray * entries, GError ** error);

/* --- hip-kernel-archive-dir.c: all that are installed --- */
/* The binary of key for vendor's architecture; NULL: compile it. */
GBytes *hip_kernel_archive_load (const gchar * vendor, const gchar * arch, const gchar * key);
/* Where they are looked for; NULL: nowhere. Free with g_free (). */
gchar *hip_kernel_archive_folder (void);

G_END_DECLS
