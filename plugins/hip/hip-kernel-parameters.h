/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* From the names and values of a GstStructure to the bytes of a kernel's own
 * parameters. Who may include this: hipkernel's files.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

typedef struct _HipKernelValues HipKernelValues;

/* Every parameter takes the value of its name in given, else in defaults; given may name nothing else. The numbers are
 * converted to the declared types; what does not fit, is unknown or missing is INVALID, and the message shows signature.
 * given and defaults may be NULL. */
HipKernelValues *hip_kernel_values_new (const GstHipKernelParameter * parameters, guint n_parameters,
                                        const GstStructure * given, const GstStructure * defaults,
                                        const gchar * signature, GError ** error);
void hip_kernel_values_free (HipKernelValues * values);

/* In the order of the parameters. */
gboolean hip_kernel_values_add (const HipKernelValues * values, GstHipKernelArgs * args, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipKernelValues, hip_kernel_values_free)

G_END_DECLS
