/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The instance of hipkernel. Who may include this: gsthipkernel.c and
 * gsthipkernel-properties.c.
 */
#pragma once

#include "gsthipkernel.h"
#include "hip-kernel-launch.h"
#include "hip-kernel-reload.h"
#include "hip-kernel-timing.h"

G_BEGIN_DECLS

#define GST_HIP_KERNEL_DEFAULT_BLOCK_SIZE "16x16"

struct _GstHipKernel
{
  GstHipBaseFilter parent;

  /* object lock */
  HipKernelSettings settings;
  gchar *block_size;
  gboolean auto_reload;
  gboolean measure;
  GstStructure *parameters;
  guint parameters_serial;
  HipKernelProgram *program;    /* written by the streaming thread only */
  HipKernelTiming *timing;

  /* streaming thread */
  HipKernelLaunch launch;
  HipKernelValues *values;
  guint values_serial;
  HipKernelReload *reload;
  GstBuffer *prev;
  guint64 frame_number;
};

/* Sets the class's property functions, too. */
void gst_hip_kernel_install_properties (GObjectClass * klass);

G_END_DECLS
