/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* ONNX Runtime in this process: found, opened, its API table. A runtime that
 * was opened stays until the process ends, as its threads and those of its
 * providers may run code of it.
 *
 * Who may include this: the plugin's own files and its tests.
 */
#pragma once

#include <gst/hip/gsthip.h>
#include <onnxruntime_c_api.h>

G_BEGIN_DECLS

/* The oldest API that has all we call; ONNX Runtime 1.16 */
#define HIP_ORT_MIN_API 16

typedef struct
{
  const OrtApi *api;
  guint api_version;            /* HIP_ORT_MIN_API to ORT_API_VERSION */
  gchar *version;               /* the runtime's, "1.21.0" */
  gchar *path;                  /* of its file */
  gchar **providers;            /* compiled in; whether they load is another question */
  OrtEnv *env;
  OrtMemoryInfo *cpu_memory;
} HipOrtRuntime;

/* library: (nullable): a file or a name for dlopen(); NULL: what GST_HIP_ONNXRUNTIME names, else what is found. NULL with
 * GST_HIP_ERROR_UNAVAILABLE and a text that says what was tried. Blocking: while the library is loaded. Threads: any. */
const HipOrtRuntime * hip_ort_runtime_get (const gchar * library, GError ** error);

/* The newer version is greater, number by number; "1.9" < "1.21", "1" < "1.0". */
gint hip_ort_compare_versions (const gchar * a, const gchar * b);

/* Takes status (nullable), which is ORT's answer. FALSE if it is an error: *error is what, ": " and its text, then what
 * the runtime has logged in this thread since hip_ort_log_begin (). */
gboolean hip_ort_check (const HipOrtRuntime * ort, OrtStatus * status, GstHipError code, const gchar * what,
                        GError ** error);

/* --- ort-log.c --- */
/* Errors that the runtime logs in this thread are kept from now on for hip_ort_check (). */
void hip_ort_log_begin (void);
/* What was logged since, one line, or NULL */
gchar * hip_ort_log_end (void);
/* "CPUExecutionProvider 3; CUDAExecutionProvider 20": where nodes of a session made since hip_ort_log_begin () are, if
 * the runtime has said so, at its most verbose level; else NULL */
gchar * hip_ort_log_take_placement (void);
/* The least severe level that the GStreamer log wants to see */
OrtLoggingLevel hip_ort_log_level (void);
void hip_ort_log (void * param, OrtLoggingLevel severity, const char * category, const char * logid,
                  const char * code_location, const char * message);
/* While muted, what C++ code of library prints with std::cerr is not printed. Returns what to unmute with. */
gpointer hip_ort_mute_cerr (gpointer library);
void hip_ort_unmute_cerr (gpointer library, gpointer muted);

G_END_DECLS
