/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The plain side of bench-loops: loops without GstHip, on threads that stay.
 * Who may include this: bench-loops.c and bench-plain.c. */
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchTeam, bench_team_free)

G_END_DECLS
