/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames in memory of GStreamer's CUDA elements. Who may include this: the
 * elements of this plugin.
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

/* Is structure 0 of caps, or the one of that number, of CUDA memory? */
gboolean hip_caps_are_cuda (GstCaps * caps, guint index);
/* structure's caps in CUDA memory, at the end of result; nothing where caps are neither in HIP memory nor in any */
void hip_cuda_caps_append_from_hip (GstCaps * result, GstCaps * caps, guint index);
/* What hipupload takes and hipdownload gives of it */
void hip_cuda_caps_append_template (GstCaps * caps);
/* For elements that work on HIP memory and take CUDA memory in its place where their device is NVIDIA's, or not known
 * yet: caps of inputs as their transform_caps wants them, and what that says of inputs, with CUDA memory (takes inputs
 * over). Without a filter */
GstCaps *hip_cuda_caps_to_hip (GstCaps * caps);
GstCaps *hip_cuda_caps_add_inputs (GstHipBaseFilter * filter, GstCaps * inputs);
/* The same of a template's: new caps */
GstCaps *hip_cuda_caps_with_inputs (GstCaps * caps);
/* Does what is behind pad name CUDA memory? Before it is linked: yes */
gboolean hip_cuda_is_wanted (GstPad * pad);

/* Is all of it in CUDA memory? */
gboolean hip_frame_is_in_cuda (GstBuffer * buffer);
/* A new buffer with the same frame, and no metas but its layout, in HIP memory that holds buffer until the device is done
 * with it. It is that of the filter's device, or of the context that the frame is in. INVALID: buffer is not what it
 * says; other errors: the frame has to be copied by the CPU. */
GstBuffer * hip_frame_import_cuda (GstHipBaseFilter * filter, GstBuffer * buffer, GError ** error);

/* Can frames of device become CUDA memory at all? load: it is wanted */
gboolean hip_cuda_can_export (GstHipDevice * device, gboolean load);
/* The other way, of a frame in one device memory of the filter's device; UNSUPPORTED: it is not. stream: (inout): of
 * GstCuda's, made once for an element, a mini object. */
GstBuffer * hip_frame_export_cuda (GstHipBaseFilter * filter, GstBuffer * buffer, GstMiniObject ** stream,
                                   GError ** error);

G_END_DECLS
