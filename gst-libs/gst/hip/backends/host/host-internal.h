/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Shared by the files of the host backend only. */
#pragma once

#include "../../hip-backend.h"

G_BEGIN_DECLS

/* --- host-workers.c: the CPUs --- */
/* Calls func (begin, end, data) for ranges that cover [0, n) once, spread over the CPUs this process may use
 * (sched_getaffinity; GST_HIP_HOST_THREADS overrides); returns when all have returned. The caller's thread takes part. Several callers at
 * once share the same threads. Threads start on first use. */
typedef void (*HostRangeFunc) (guint64 begin, guint64 end, gpointer data);
void host_workers_run (guint64 n, guint64 grain, HostRangeFunc func, gpointer data);
guint host_workers_count (void);

/* --- host-module.c, host-launch.c: kernels (the kernels part) --- */
gchar *host_compiler_id (HipNativeContext context, GError ** error);
gboolean host_compiler_available (void);
void host_compiler_describe (GstStructure * structure);
gchar **host_translate_options (HipNativeContext context, const gchar * const * options, GError ** error);
GBytes *host_compile (HipNativeContext context, const HipCompileRequest * request, gchar ** log, GError ** error);
HipNativeModule host_module_load (HipNativeContext context, GBytes * binary, GError ** error);
void host_module_unload (HipNativeContext context, HipNativeModule module);
HipNativeFunction host_module_get_function (HipNativeContext context, HipNativeModule module, const gchar * name,
    GError ** error);
gboolean host_module_read_global (HipNativeContext context, HipNativeModule module, const gchar * name, gpointer data,
    gsize * size, GError ** error);
/* Bytes that a launch of function copies from launch->params (values packed at their alignment) */
gsize host_function_params_size (HipNativeFunction function);
void host_function_pack_params (HipNativeFunction function, void **params, gpointer packed);
/* Runs a whole launch on this thread and the workers; returns when done. Called from a stream's thread. */
void host_function_run (HipNativeFunction function, const guint grid[3], const guint block[3], gsize shared_bytes,
    gpointer packed);
/* The function's module stays loaded between these (called on the launching and the stream's thread) */
void host_function_ref (HipNativeFunction function);
void host_function_unref (HipNativeFunction function);

G_END_DECLS
