/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* ONNX Runtime with a CUDA provider, simulated: the API table of the machine's
 * own runtime, in which the functions that have to do with the provider are
 * ours. Models run on the CPU, on streams of the simulated driver and in their
 * order: Run returns before the model has run. What a user of the real one must
 * keep to and does not ends the process with the rule's name.
 *
 * Environment:
 *   FAKE_ORT_RUNTIME=FILE   the real one (default: what the build has found)
 *   FAKE_ORT_PROVIDER=FILE  the provider's library, which is loaded as the real one loads its
 *   FAKE_ORT_FAIL=N         the Nth allocation of the provider fails
 *   FAKE_ORT_LOG=FILE       a line for each thing that the provider was told or did
 *
 * Who may include this: its files. */
#pragma once

#include <glib.h>
#include <onnxruntime_c_api.h>

#include "fake-control.h"

/* Of options, and of the session that was made with them */
typedef struct
{
  gpointer stream;              /* the user's; NULL: none was given */
  gboolean graph;               /* enable_cuda_graph */
} FakeProvider;

extern const OrtApi *fake_real;

/* The simulated driver's; ends the process where it is not there */
const FakeNeighbour *fake_driver (void);
void fake_ort_rule (gboolean kept, const gchar * rule);
void fake_ort_log (const gchar * format, ...) G_GNUC_PRINTF (1, 2);
OrtStatus *fake_failure (const gchar * text);

/* --- cuda.c --- */
/* NULL: a session on the CPU */
const FakeProvider *fake_provider_of (gconstpointer session);
gboolean fake_is_synchronous (const OrtRunOptions * options);
/* gpu_graph_id: 0: none; -1: not captured */
gint fake_graph_of (const OrtRunOptions * options);

/* --- cuda-run.c --- */
/* Puts its functions into the table */
void fake_run_install (OrtApi * api);
/* Blocking: until none of the session's runs is unfinished */
void fake_run_wait (gconstpointer session);
/* The same before the session is no more */
void fake_run_forget (gconstpointer session);
