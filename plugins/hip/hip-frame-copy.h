/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where the planes of a frame lie in a buffer, and copying them. Who may
 * include this: the elements of this plugin.
 */
#pragma once

#include "hip-in-flight.h"

G_BEGIN_DECLS

typedef struct
{
  GstMemory *memory;            /* borrowed from the buffer; NULL: the plane spans several memories */
  gpointer host;                /* CPU address of the first row, if mapped */
  gsize offset;                 /* of the first row, in memory's current view */
  gsize whole_offset;           /* of the first row, in the whole buffer */
  gssize stride;                /* negative: rows stand bottom up */
  gsize row_bytes;              /* visible bytes */
  guint rows;
} HipPlane;

typedef struct
{
  HipPlane planes[GST_VIDEO_MAX_PLANES];
  guint n_planes;
  GstMemory *memories[GST_VIDEO_MAX_PLANES];    /* those of the planes, each once */
  guint n_memories;
  gboolean spans;               /* some plane spans several memories */
  gboolean bottom_up;           /* some stride is negative */
} HipFrame;

/* Layout: of the buffer's GstVideoMeta, else of its HIP memory, else of info. FALSE: the frame that info describes does
 * not fit into the buffer. */
gboolean hip_frame_locate (HipFrame * frame, GstBuffer * buffer, const GstVideoInfo * info, GError ** error);
/* Says in buffer, by a meta, its own where it has one, where the planes of such a frame lie. */
void hip_frame_add_layout (const HipFrame * frame, GstBuffer * buffer, const GstVideoInfo * info);
/* TRUE if the device can address every plane: each in HIP memory of device; host_side: of kinds that the CPU addresses
 * too (pinned), else of those that it does not. */
gboolean hip_frame_is_on_device (const HipFrame * frame, GstHipDevice * device, gboolean host_side);
/* After a call of GStreamer's that failed and gives no reason, where gst_hip_take_error () was called before it: the reason
 * that there is, or this text. */
void hip_propagate_reason (GError ** error, GstHipError code, const gchar * otherwise);
/* Gives every plane its host address; the maps end with hold, whose buffer is the frame's. */
gboolean hip_frame_map (HipFrame * frame, HipFrameHold * hold, GstMapFlags flags, GError ** error);

/* Queues: never waits. Planes with a host address are read there, else in their memory. Orders the stream after what is
 * pending on the memories (I2). */
gboolean hip_frame_queue_copy (GstHipStream * stream, HipFrame * dst, HipFrame * src, GError ** error);
/* Notes event as the end of the copy on the memories of both. */
void hip_frame_copy_end (HipFrame * dst, HipFrame * src, GstHipEvent * event);

/* Copies now; both are mapped. */
void hip_frame_copy_cpu (HipFrame * dst, HipFrame * src);

G_END_DECLS
