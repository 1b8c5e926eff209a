/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* From a planned pass to a compiled kernel and the shape of its launch. Who may
 * include this: the library's own .c files and tests. */
#pragma once

#include <gst/hip/gsthipmodule.h>
#include "hip-convert-plan.h"

G_BEGIN_DECLS

typedef struct
{
  GstHipKernelModule *module;
  const gchar *entry;
  guint block[3];
  guint thread_width, thread_height;    /* pixels that a thread makes; 0: a cell */
  guint rows_before;            /* that the first row of threads begins before the picture */
} HipConvertBinary;

/* Compiles or finds it. The module is the caller's. Where neither goes and the archive has a slower kernel, the pass
 * becomes one of that. */
gboolean hip_convert_binary_get (GstHipDevice * device, HipConvertPass * pass, HipConvertBinary * binary,
    GError ** error);
/* scale: of the plan */
void hip_convert_binary_get_grid (const HipConvertBinary * binary, const HipConvertPass * pass,
    const HipConvertScale * scale, guint grid[3]);

/* What a pass is compiled from, the same text and options for the same binary; options are NULL-ended */
const gchar *hip_convert_get_source (const HipConvertPass * pass);
gchar **hip_convert_get_options (const HipConvertPass * pass);

G_END_DECLS
