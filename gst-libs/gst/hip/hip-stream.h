/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Private face of streams and events. Who may include this: the library's own .c files. */
#pragma once

#include <gst/hip/gsthipstream.h>
#include <gst/hip/gsthipevent.h>
#include "hip-context.h"
#include "hip-native.h"
#include "hip-worker.h"

G_BEGIN_DECLS

/* Borrowed. An event's context and its stream's are the same. */
HipContext *hip_stream_get_context (GstHipStream * stream);
HipNativeStream hip_stream_get_native (GstHipStream * stream);
HipLane *hip_stream_get_lane (GstHipStream * stream);
/* Never repeats in the process; what "same stream" is decided by (I2). */
guint64 hip_stream_get_serial (GstHipStream * stream);
/* For a stream that is none of ours */
guint64 hip_stream_next_serial (void);

/* Which record of an event this is: on which stream (0: never recorded), and how many records of that stream had ended
 * when this one began and when it had ended, itself included. So one comes after another, on the device, for certain
 * if it began when that had ended; of two threads' at the same time nobody can tell. */
typedef struct
{
  guint64 serial, begin, end;
} HipRecord;

/* --- hip-waits.c: how far a stream waits for others already --- */

/* Streams that one waits for again and again: before and behind it, a tee's others */
#define HIP_N_WAITED 4

typedef struct
{
  guint64 serial;
  guint64 covered;              /* what had ended when the last one waited for began */
  guint64 last;                 /* that one itself */
} HipWaited;

typedef struct
{
  HipMutex lock;                /* guards what follows */
  HipWaited waited[HIP_N_WAITED];
  guint next_waited;            /* whose place the next stream gets */
} HipWaits;

void hip_waits_init (HipWaits * self);
void hip_waits_clear (HipWaits * self);
/* Because it waits for that, or for something behind it on the same stream */
gboolean hip_waits_have (HipWaits * self, const HipRecord * record);
/* Once the wait is queued: what comes after it comes after record. */
void hip_waits_note (HipWaits * self, const HipRecord * record);

/* --- streams --- */
GstHipStream *hip_stream_new (HipContext * context, gint priority, GError ** error);
HipWaits *hip_stream_get_waits (GstHipStream * stream);
/* Around the driver's call that records an event */
guint64 hip_stream_record_begin (GstHipStream * stream);
guint64 hip_stream_record_end (GstHipStream * stream);

/* --- events --- */
typedef struct _HipEventCache HipEventCache;

HipEventCache *hip_event_cache_new (void);
/* On a worker, with context entered; no event of the context is alive. */
void hip_event_cache_free (HipContext * context, HipEventCache * cache);
/* An event that was never recorded, from the context's cache where it has one that is done */
GstHipEvent *hip_event_acquire (HipContext * context, gboolean timed, GError ** error);
/* For the workers of hip-worker.c: waits. PENDING: the process is exiting. */
GstHipEventState hip_event_wait_ended (GstHipEvent * event);
/* Native events made so far in this process (tests: flat in steady state) */
guint hip_event_native_count (void);
/* gst_hip_event_record_on_stream () on a stream of which only the driver's handle is known */
HipResult hip_event_record_native (GstHipEvent * event, guintptr stream);
/* For device-side waits */
HipNativeEvent hip_event_get_native (GstHipEvent * event);
HipContext *hip_event_get_context (GstHipEvent * event);
/* Serial of the stream that it was recorded on last, 0 if never. */
guint64 hip_event_get_stream_serial (GstHipEvent * event);
HipRecord hip_event_get_record (GstHipEvent * event);
/* Done without asking the driver (known from an earlier query) */
gboolean hip_event_is_known_done (GstHipEvent * event);

/* Device objects come and go: while there is one, the default stream stays. */
void hip_context_add_device (HipContext * context);
void hip_context_remove_device (HipContext * context);
/* The stream of a memory that has none of its own: the device's default; new reference. */
GstHipStream *hip_context_get_default_stream (HipContext * context, GError ** error);

G_END_DECLS
