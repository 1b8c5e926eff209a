/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the tests of hipkernel share: paths, frames of random data, references
 * of the example kernels in plain C. */
#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

/* GST_HIP_SOURCE_DIR/name */
gchar *kernel_test_file (const gchar * name);
/* The example's source as a property of hipkernel */
gchar *kernel_test_example (const gchar * name);

GstVideoInfo kernel_test_info (const gchar * caps);
/* Plane data: noise, near-black, near-white or a gradient, by kind % 4. Padding in strides is filled too. */
GstBuffer *kernel_test_frame (const GstVideoInfo * info, GRand * rand, guint kind);

/* hipupload ! hipkernel properties ! hipdownload, with system memory on both sides. out_caps may be NULL. */
GstHarness *kernel_test_harness (const gchar * properties, const gchar * caps, const gchar * out_caps);

/* Where one component of one pixel lies; what it is, in the format's own depth */
guint8 *kernel_test_at (const GstVideoFrame * frame, guint component, gint x, gint y);
guint kernel_test_get (const GstVideoFrame * frame, guint component, gint x, gint y);
/* Fails with what, component and place at the first difference */
void kernel_test_compare (const GstVideoFrame * expected, const GstVideoFrame * got, const gchar * what);

typedef void (*KernelReference) (const GstVideoFrame * in, const GstVideoFrame * prev, GstVideoFrame * out);

void kernel_reference_edges (const GstVideoFrame * in, const GstVideoFrame * prev, GstVideoFrame * out);
void kernel_reference_false_colour (const GstVideoFrame * in, const GstVideoFrame * prev, GstVideoFrame * out);
void kernel_reference_difference (const GstVideoFrame * in, const GstVideoFrame * prev, GstVideoFrame * out);
void kernel_reference_lut (const GstVideoFrame * in, const GstVideoFrame * prev, GstVideoFrame * out);

G_END_DECLS
