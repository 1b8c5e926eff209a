/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames that an element gave to the device and that are not finished: how
 * many, what each of them keeps, and the one wait that a streaming thread may
 * do (I1). Outlives the element as long as frames with fence data are
 * unfinished, so that no element is finalized by a worker.
 *
 * Who may include this: the elements of this plugin.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

typedef struct _HipInFlight HipInFlight;
typedef struct _HipFrameHold HipFrameHold;

/* How a frame got to the other side; in the order of names in hip-in-flight.c */
typedef enum
{
  HIP_PATH_NONE,
  HIP_PATH_ZERO_COPY,           /* the same memory went on */
  HIP_PATH_DEVICE_COPY,         /* from device memory to device memory */
  HIP_PATH_PINNED_TRANSFER,     /* the device read or wrote CPU memory by itself */
  HIP_PATH_CPU_COPY,            /* the CPU copied the frame once on the way */
  HIP_N_PATHS,
} HipPath;

HipInFlight *hip_in_flight_new (void);
HipInFlight *hip_in_flight_ref (HipInFlight * self);
void hip_in_flight_unref (HipInFlight * self);

/* While flushing, waits end at once with FALSE. */
void hip_in_flight_set_flushing (HipInFlight * self, gboolean flushing);
/* Blocking: until fewer than max frames are unfinished; 0 = no limit. FALSE: flushing. */
gboolean hip_in_flight_wait_room (HipInFlight * self, guint max);
/* Blocking: until count frames have finished. FALSE: flushing. */
gboolean hip_in_flight_wait_finished (HipInFlight * self, guint64 count);

/* Counts one more frame that ends with event; fence (transfer full) (nullable) is released then, by a worker. Returns how
 * many frames will have finished when this one has, for hip_in_flight_wait_finished (), as long as all use one stream. */
guint64 hip_in_flight_submit (HipInFlight * self, GstHipFenceData * fence, GstHipEvent * event);

/* Keeps no events from now on, so that nothing here keeps a device open; what is unfinished is counted by workers. */
void hip_in_flight_let_go (HipInFlight * self);

/* May the CPU write its memory next, as soon as that is back in its pool? Then (I3) fence data keeps it meanwhile. */
gboolean hip_frame_is_cpu_memory (GstBuffer * buffer);

/* Returns TRUE if the path differs from the frame before. */
gboolean hip_in_flight_count_path (HipInFlight * self, HipPath path);
/* One more memory of others is page-locked. */
void hip_in_flight_count_page_lock (HipInFlight * self);
const gchar *hip_path_name (HipPath path);
HipPath hip_in_flight_get_path (HipInFlight * self);
GstStructure *hip_in_flight_get_stats (HipInFlight * self);

/* What one frame keeps mapped and alive until the device is done: recycled, so that a frame allocates nothing. */
HipFrameHold *hip_frame_hold_acquire (HipInFlight * self);
/* Keeps a reference of buffer. */
void hip_frame_hold_set_buffer (HipFrameHold * hold, GstBuffer * buffer);
/* Its buffer is a producer's that goes on while HIP memory is a view of it: counted until the release. */
void hip_frame_hold_set_lent (HipFrameHold * hold);
guint hip_in_flight_get_lent (HipInFlight * self);
/* Maps memory (of the buffer) for the CPU until the end; the same memory twice is mapped once. NULL: it does not map. */
gpointer hip_frame_hold_map_memory (HipFrameHold * hold, GstMemory * memory, GstMapFlags flags);
/* Maps the whole buffer as one piece; copies if it has several memories. */
gpointer hip_frame_hold_map_buffer (HipFrameHold * hold, GstMapFlags flags, gsize * size);
/* Unmaps and lets go; a GDestroyNotify for fence data. */
void hip_frame_hold_release (gpointer hold);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipInFlight, hip_in_flight_unref)

G_END_DECLS
