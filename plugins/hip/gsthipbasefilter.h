/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What all elements with one input and one output share: the choice of the
 * device and its contexts, a stream of the element's own, back-pressure, pools
 * of HIP memory, metas, errors, statistics.
 *
 * What a subclass does: transform () queues work on filter->stream, records
 * one event, notes it on the memories, and calls
 * gst_hip_base_filter_submit_frame () with it. Waiting for room, following the
 * input's device and (re)negotiation have happened before.
 *
 * Order of the virtual functions: open (start, or a new device) -> set_info
 * (each negotiation) -> transform ... -> close (stop, or before a new device).
 *
 * Who may include this: the elements of this plugin.
 */
#pragma once

#include <gst/base/gstbasetransform.h>
#include "hip-in-flight.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_BASE_FILTER (gst_hip_base_filter_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstHipBaseFilter, gst_hip_base_filter, GST, HIP_BASE_FILTER, GstBaseTransform)

struct _GstHipBaseFilterClass
{
  GstBaseTransformClass parent_class;

  /* Its caps have CUDA memory in, and frames of it are to be in HIP memory before the subclass sees them. */
  gboolean imports_cuda;

  /* filter's device and stream are new. FALSE with *error set: the element does not start. */
  gboolean (*open) (GstHipBaseFilter * filter, GError ** error);
  /* Let go of everything that belongs to the device; work may still be queued. */
  void (*close) (GstHipBaseFilter * filter);
  /* The caps are in in_info, out_info (see below). FALSE with *error set, or without: not negotiated, nothing posted. */
  gboolean (*set_info) (GstHipBaseFilter * filter, GstCaps * in_caps, const GstVideoInfo * in_info,
                        GstCaps * out_caps, const GstVideoInfo * out_info, GError ** error);
};

/* Streaming thread only; valid between open and close. */
GstHipDevice * gst_hip_base_filter_get_device (GstHipBaseFilter * filter);
GstHipStream * gst_hip_base_filter_get_stream (GstHipBaseFilter * filter);
const GstVideoInfo * gst_hip_base_filter_get_in_info (GstHipBaseFilter * filter);
const GstVideoInfo * gst_hip_base_filter_get_out_info (GstHipBaseFilter * filter);
gboolean gst_hip_base_filter_is_hip_in (GstHipBaseFilter * filter);
gboolean gst_hip_base_filter_is_hip_out (GstHipBaseFilter * filter);
HipInFlight * gst_hip_base_filter_get_in_flight (GstHipBaseFilter * filter);

/* The device of a native context that is not the filter's, which owner keeps: new reference. Kept for the next frame. */
GstHipDevice * gst_hip_base_filter_ref_foreign_device (GstHipBaseFilter * filter, guintptr native, GstObject * owner,
                                                       GError ** error);

/* A buffer without memory, with a video meta that says nothing yet; comes back by itself. NULL with *error set */
GstBuffer * gst_hip_base_filter_acquire_shell (GstHipBaseFilter * filter, GError ** error);

/* From a pool; push into it what must outlive the frame. */
GstHipFenceData * gst_hip_base_filter_acquire_fence (GstHipBaseFilter * filter);

/* The frame's queued work ends with event. fence: (transfer full) (nullable). Never waits. A frame without costs no
 * worker. */
guint64 gst_hip_base_filter_submit_frame (GstHipBaseFilter * filter, GstHipEvent * event, GstHipFenceData * fence);
/* The same for work that uses in and out (may be the same), which are kept where they have to be (I3) */
guint64 gst_hip_base_filter_submit_buffers (GstHipBaseFilter * filter, GstHipEvent * event, GstBuffer * in,
    GstBuffer * out);

/* Records the one event of a frame whose work was queued on the filter's stream without getting one. */
GstHipEvent * gst_hip_base_filter_record (GstHipBaseFilter * filter, GError ** error);

/* Counts how this frame went; says so at INFO when that changed. */
void gst_hip_base_filter_count_path (GstHipBaseFilter * filter, HipPath path);

/* Posts error (transfer full) once, with its category; what is the user's view of what was tried. */
void gst_hip_base_filter_post_error (GstHipBaseFilter * filter, const gchar * what, GError * error);

/* A configured, inactive pool without a maximum: device memory, or pinned. size_out: of its buffers. with_meta: buffers
 * carry GstVideoMeta and strides for the device; else the exact layout of caps. */
GstBufferPool * gst_hip_base_filter_new_pool (GstHipBaseFilter * filter, GstHipMemoryKind kind, GstCaps * caps,
                                              guint min, gboolean with_meta, guint * size_out);

G_END_DECLS
