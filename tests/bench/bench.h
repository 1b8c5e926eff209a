/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the parts of gst-hip-bench share: the table, the clock, the counter of
 * allocations, and the rig that drives one element. Who may include this:
 * files of tests/bench. */
#pragma once

#include <math.h>

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

typedef struct
{
  GstHipDevice *device;
  const gchar *self;            /* this program, to be started again */
  gboolean quick;               /* a few rounds: shows that it works, measures nothing */
  GPtrArray *rows;
} Bench;

/* --- bench.c --- */
#define BENCH_NO_LIMIT NAN
/* A line of the table; limit: the largest value that passes --check */
void bench_add (Bench * bench, const gchar * group, const gchar * what, gdouble value, const gchar * unit,
    gdouble limit);
/* The same where more is better; least: the smallest value that passes */
void bench_add_least (Bench * bench, const gchar * group, const gchar * what, gdouble value, const gchar * unit,
    gdouble least);
/* limit where the device is a GPU of NVIDIA's: what it was set for; elsewhere none */
gdouble bench_nvidia_limit (Bench * bench, gdouble limit);
/* A line that could not be measured fails --check too. Takes error. */
void bench_fail (Bench * bench, const gchar * group, const gchar * what, GError * error);
gint64 bench_thread_cpu_ns (void);
/* CPU of all threads of this process so far, user and system */
gint64 bench_process_cpu_ns (void);
/* Sorts values */
gdouble bench_median (gdouble * values, guint n);

/* --- bench-malloc.c --- */
/* Calls of malloc, calloc, realloc and their like by this thread so far */
guint64 bench_thread_allocations (void);

/* --- bench-blocker.c: keeps a stream busy for as long as wanted --- */
typedef struct _BenchBlocker BenchBlocker;

/* stream NULL: one of its own */
BenchBlocker *bench_blocker_new (Bench * bench, GstHipStream * stream, GError ** error);
void bench_blocker_free (BenchBlocker * blocker);
gboolean bench_blocker_start (BenchBlocker * blocker, GError ** error);
/* What is queued on the stream now, and uses of memory joined to it, wait until release */
gboolean bench_blocker_join (BenchBlocker * blocker, GstMemory * memory, GstMapFlags flags, GError ** error);
void bench_blocker_release (BenchBlocker * blocker);

/* --- bench-rig.c: one element between two pads of ours --- */
typedef struct
{
  GstElement *element;
  GstPad *src, *sink;
  GstBufferPool *input;         /* where frames for the element come from */
  GPtrArray *outputs;           /* what came out since the last clear */
} BenchRig;

/* element: one, or a chain of them; pinned: of caps in CPU memory */
BenchRig *bench_rig_new (Bench * bench, const gchar * element, GstCaps * in_caps, GstCaps * out_caps, gboolean pinned,
    GError ** error);
void bench_rig_free (BenchRig * rig);
GstBuffer *bench_rig_acquire (BenchRig * rig, GError ** error);
gboolean bench_rig_push (BenchRig * rig, GstBuffer * buffer, GError ** error);
/* Waits until what came out is finished */
void bench_rig_wait (BenchRig * rig);
GstCaps *bench_caps (const gchar * format, gint width, gint height, gboolean hip);

/* --- the groups --- */
void bench_elements (Bench * bench);
void bench_copies (Bench * bench);
void bench_launches (Bench * bench);
void bench_starts (Bench * bench);
void bench_loops (Bench * bench);
void bench_pipelines (Bench * bench);
void bench_frames (Bench * bench);
void bench_peers (Bench * bench);
void bench_convert (Bench * bench);
void bench_scale (Bench * bench);
/* Kernels of bench_convert () alone, for one shape of launches after the other (hip-convert-kernels.c) */
void bench_shapes (Bench * bench);
/* The other side of bench_starts: loads the module once, prints milliseconds */
int bench_start_child (Bench * bench);
/* The other side of bench_frames: one frame through a pipeline, prints when it came out, in microseconds of the
 * monotonic clock */
int bench_frame_child (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchBlocker, bench_blocker_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchRig, bench_rig_free)

G_END_DECLS
