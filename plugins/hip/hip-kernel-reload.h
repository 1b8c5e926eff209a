/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Watches a kernel's file and compiles it anew when it changes, on a thread of
 * its own. Who may include this: hipkernel's files.
 */
#pragma once

#include "hip-kernel-program.h"

G_BEGIN_DECLS

typedef struct _HipKernelReload HipKernelReload;

/* settings->location is the file. It counts as changed if it is no longer what it was at mtime_ns (of
 * hip_kernel_reload_stamp ()). element: for messages; not referenced for longer than a message takes. */
HipKernelReload *hip_kernel_reload_new (GstElement * element, const HipKernelSettings * settings,
                                        GstHipDevice * device, guint64 stamp);
/* Returns at once; a compile that still runs ends by itself and is dropped. */
void hip_kernel_reload_free (HipKernelReload * reload);

/* What a file is now; another value after any change. 0: not readable. */
guint64 hip_kernel_reload_stamp (const gchar * filename);

/* A program that compiled since the last call, or NULL. Never waits. */
HipKernelProgram *hip_kernel_reload_take (HipKernelReload * reload);

/* Says on the bus that a changed kernel cannot be used. error: (transfer full). */
void hip_kernel_reload_warn (GstElement * element, GError * error);

G_END_DECLS
