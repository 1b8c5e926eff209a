/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the tests of hipconvert share: frames, a chain with system memory at both
 * ends, and the comparison with the reference of tests/kernels. */
#pragma once

#include "io-frames.h"
#include "../kernels/convert-case.h"

G_BEGIN_DECLS

#define HIP_VIDEO "video/x-raw(memory:HIPMemory)"

GstVideoInfo convert_test_info (const gchar * caps);
/* Random bytes in the layout of caps */
GstBuffer *convert_test_frame (const GstVideoInfo * info, GRand * rand);

/* hipupload ! hipconvert name=convert properties ! capsfilter name=filter ! hipdownload. caps: of system memory, may be NULL;
 * out: fields behind HIP_VIDEO, with their comma. */
GstHarness *convert_test_harness (const gchar * properties, const gchar * caps, const gchar * out);
GstElement *convert_test_element (GstHarness * h, const gchar * name);
/* Another output from the next frame on */
void convert_test_set_out (GstHarness * h, const gchar * out);
/* What frames of this harness are now */
GstVideoInfo convert_test_out_info (GstHarness * h);

/* videoconvert's defaults but for dither: what hipconvert does without properties */
extern const RefModes convert_test_defaults;
/* Fails with what, and where the first difference is. interlaced: both fields by themselves. */
void convert_test_compare (GstBuffer * in, const GstVideoInfo * in_info, GstBuffer * out, const GstVideoInfo * out_info,
                           const RefModes * modes, gboolean interlaced, const gchar * what);
/* Pushes a frame, which stays the caller's, and pulls what becomes of it */
GstBuffer *convert_test_through (GstHarness * h, GstBuffer * in, const gchar * what);
/* A frame so, compared */
void convert_test_one (GstHarness * h, const GstVideoInfo * in_info, const RefModes * modes, GRand * rand,
                       const gchar * what);

G_END_DECLS
