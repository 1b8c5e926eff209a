/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the files of `gst-hip-bench convert` share. Who may include this:
 * bench-convert*.c and bench-npp.c. */
#pragma once

#include "bench.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *in, *out;
  gint width, height;
  gdouble limit;                /* microseconds in a pipeline on an H200 */
  gint out_width, out_height;   /* 0: the same */
} BenchConvertJob;

extern const BenchConvertJob bench_convert_jobs[];

/* Pairs of frames that a device's cache does not hold together */
typedef struct
{
  GstVideoInfo in_info, out_info;
  gsize bytes;                  /* of one frame in and one out, without padding */
  GstHipStream *stream;
  guint n;
  GstBuffer **in, **out;
} BenchConvertFrames;

/* Queues one conversion of frame i on frames->stream */
typedef gboolean (*BenchConvertCall) (const BenchConvertFrames * frames, guint i, gpointer data, GError ** error);

/* Microseconds of one by the device's clock */
gboolean bench_convert_time (Bench * bench, const BenchConvertFrames * frames, BenchConvertCall call, gpointer data,
    gdouble * us, GError ** error);
gboolean bench_convert_on_host (Bench * bench);
/* Frames of such sizes in memory of the device */
gboolean bench_convert_frames_init (BenchConvertFrames * frames, Bench * bench, const BenchConvertJob * job,
    GError ** error);
void bench_convert_frames_clear (BenchConvertFrames * frames);
/* "IN OUT HEIGHTp: what", or "IN HEIGHTp OUT WIDTHxHEIGHT: what" */
gchar *bench_convert_label (const BenchConvertJob * job, const gchar * what);

/* The same job by elements of ours and others, in processes of their own */
void bench_convert_elements (Bench * bench, const BenchConvertJob * job);
/* Up and converted, converted and down */
void bench_convert_transfers (Bench * bench);
/* The same job by NVIDIA's NPP, where it is and has it */
void bench_npp (Bench * bench, const BenchConvertJob * job, const BenchConvertFrames * frames);

G_END_DECLS
