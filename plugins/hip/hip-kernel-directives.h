/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The lines "// gst-hip: ..." by which a kernel's source says how the element
 * is to call it. Who may include this: hipkernel's files.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

typedef struct
{
  gboolean inplace;             /* in and out may be the same memory */
  gboolean prev;                /* takes the frame before, too */
  gboolean same_size;           /* does not scale */
  GPtrArray *formats;           /* names it reads; NULL: any */
  GPtrArray *output_formats;    /* names it writes; NULL: see hip_kernel_directives_transform_caps () */
  GstStructure *defaults;       /* values of parameters that the user may leave out */
} HipKernelDirectives;

/* name: for messages, "FILE:LINE: ..." */
gboolean hip_kernel_directives_parse (HipKernelDirectives * directives, const gchar * source, const gchar * name,
                                      GError ** error);
void hip_kernel_directives_clear (HipKernelDirectives * directives);

/* What the other pad can have if this one has caps, best first. sink: caps are the sink's. */
GstCaps *hip_kernel_directives_transform_caps (const HipKernelDirectives * directives, gboolean sink, GstCaps * caps);
/* caps with their formats cut down to what the kernel can read (sink) or write. */
GstCaps *hip_kernel_directives_restrict_caps (const HipKernelDirectives * directives, gboolean sink, GstCaps * caps);
/* One of others (transfer full): no change of caps where that is possible, else the same format, else the same size. */
GstCaps *hip_kernel_directives_fixate_caps (GstCaps * caps, GstCaps * others);

G_END_DECLS
