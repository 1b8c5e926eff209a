/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A kernel that the element hipkernel can launch: found, compiled for a device
 * and checked against the calling convention. Immutable, so that a new one can
 * be made on another thread while the old one runs. Who may include this:
 * hipkernel's files.
 */
#pragma once

#include "hip-kernel-directives.h"

G_BEGIN_DECLS

/* What the user chose; every string may be NULL. */
typedef struct
{
  gchar *location;
  gchar *source;
  gchar *entry;
  gchar *options;
} HipKernelSettings;

typedef struct
{
  gatomicrefcount ref_count;
  GstHipKernelModule *module;
  gchar *entry;
  gchar *signature;
  HipKernelDirectives directives;
  const GstHipKernelParameter *parameters;      /* those after the convention's */
  guint n_parameters;
} HipKernelProgram;

void hip_kernel_settings_copy (HipKernelSettings * to, const HipKernelSettings * from);
void hip_kernel_settings_clear (HipKernelSettings * settings);

/* Blocking: reads the file and waits for the compiler. */
HipKernelProgram *hip_kernel_program_new (const HipKernelSettings * settings, GstHipDevice * device, GError ** error);
HipKernelProgram *hip_kernel_program_ref (HipKernelProgram * program);
void hip_kernel_program_unref (HipKernelProgram * program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipKernelProgram, hip_kernel_program_unref)

G_END_DECLS
