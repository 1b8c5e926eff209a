/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How long kernels took on the device, by pairs of timed events. Who may
 * include this: hipkernel's files.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

typedef struct _HipKernelTiming HipKernelTiming;

HipKernelTiming *hip_kernel_timing_new (void);
/* Frames that are still measured keep it alive. */
void hip_kernel_timing_unref (HipKernelTiming * timing);

/* Around a launch; never waits. A failure loses one measurement, not the frame. */
GstHipEvent *hip_kernel_timing_begin (GstHipStream * stream);
void hip_kernel_timing_end (HipKernelTiming * timing, GstHipEvent * start, GstHipStream * stream);

/* Frames that were measured, and the mean, least and most of them in ns */
GstStructure *hip_kernel_timing_get (HipKernelTiming * timing);

G_END_DECLS
