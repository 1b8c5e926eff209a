/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Worker threads that wait for the device so that nobody else has to: event
 * notifications, stream and context teardown, freeing of memory (I4).
 *
 * One serial queue ("lane") per stream: entries of a lane are served in order
 * by at most one worker at a time; a slow lane delays no other. Workers are
 * started as lanes become busy and end when idle (hip_worker_thread_count ()
 * falls to 0 once the last context is gone and nothing is queued).
 *
 * Who may include this: the library's own .c files.
 */
#pragma once

#include <gst/hip/gsthipevent.h>

G_BEGIN_DECLS

typedef struct _HipLane HipLane;

/* Runs on a worker, no lock held. */
typedef void (*HipTaskFunc) (gpointer data);

/* A task that only has to be off the caller's thread and may wait (a free, a close). Any order. */
void hip_worker_run (HipTaskFunc func, gpointer data);

HipLane *hip_lane_new (void);
HipLane *hip_lane_ref (HipLane * lane);
void hip_lane_unref (HipLane * lane);

/* Queues: once event is done or failed, func (event, state, data), then destroy (data), on a worker. Keeps a
 * reference on event until then. Entries of a lane end in the order of their calls. Never waits; takes only the lane's lock;
 * no heap allocation in steady state. */
void hip_lane_push (HipLane * lane, GstHipEvent * event, GstHipEventNotify func, gpointer data, GDestroyNotify destroy);

/* How many of its stream's records (HipRecord) are known to be done: whoever learns it says so, nobody asks the driver
 * for that. Never falls. Lock-free. */
void hip_lane_passed (HipLane * lane, guint64 n_records);
guint64 hip_lane_get_passed (HipLane * lane);

/* Its stream is gone: a worker need not stay with it when it is empty. It still serves what is pushed. */
void hip_lane_retire (HipLane * lane);

/* Workers of a process without contexts end at once when idle. */
void hip_worker_context_opened (void);
void hip_worker_context_closed (void);

/* While the process exits: a driver whose own exit handlers run now must not be in use. Waits for tasks that have begun,
 * not for ever; no other begins. */
void hip_worker_wait_tasks (void);

guint hip_worker_thread_count (void);

G_END_DECLS
