/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The plain side of bench-loops: loops without GstHip, on threads that stay.
 * Who may include this: bench-loops*.c and bench-plain.c. */
#pragma once

#include <gmodule.h>

#include "bench.h"

G_BEGIN_DECLS

/* in and out are of the same size; rows [begin, end) are this call's */
typedef void (*BenchPlainFunc) (const guint8 * in, guint8 * out, int stride, int width, int height, int begin, int end);

typedef struct _BenchTeam BenchTeam;

BenchTeam *bench_team_new (guint n_threads);
void bench_team_free (BenchTeam * team);
/* One frame, a band of rows for each thread */
void bench_team_run (BenchTeam * team, BenchPlainFunc func, const guint8 * in, guint8 * out, int width, int height);

/* language: "c" or "c++", with the host device's compiler, -O3, for this CPU */
GModule *bench_compile_plain (Bench * bench, const gchar * text, const gchar * language, GError ** error);

/* --- bench-loops.c --- */
#define BENCH_OWN_LIMIT 1.2     /* kernels of the library, or written like them */

/* Of a frame */
typedef struct
{
  gint64 us, cpu_ns;
} BenchTimes;

#define BENCH_TIMES_NONE { G_MAXINT64, G_MAXINT64 }

BenchTimes bench_times_now (void);
/* n frames since begin; keeps the better of each */
void bench_times_note (BenchTimes * best, const BenchTimes * begin, guint n);
/* The lines of one comparison */
void bench_times_add (Bench * bench, const gchar * name, gdouble limit, const BenchTimes * ours,
    const BenchTimes * plain);

/* --- bench-loops-convert.c --- */
void bench_loops_convert (Bench * bench, BenchTeam * team);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchTeam, bench_team_free)

G_END_DECLS
