/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One launch of a program over frames. Who may include this: hipkernel's files.
 */
#pragma once

#include "hip-frame-copy.h"
#include "hip-kernel-parameters.h"
#include "hip-kernel-program.h"

G_BEGIN_DECLS

typedef struct
{
  HipKernelProgram *program;
  const HipKernelValues *values;
  GstHipDevice *device;
  GstHipStream *stream;
  GstHipKernelArgs *args;       /* reused */
  guint block[2];
  const GstVideoInfo *in_info, *out_info;
} HipKernelLaunch;

/* Queues; never waits. prev: NULL unless the program takes it; in == out: in place. *event: recorded after the kernel. */
gboolean hip_kernel_launch (HipKernelLaunch * launch, GstBuffer * in, GstBuffer * prev, GstBuffer * out,
                            const GstHipFrameInfo * info, GstHipEvent ** event, GError ** error);

G_END_DECLS
