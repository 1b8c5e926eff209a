/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A model, loaded: its inputs and outputs, the providers it runs on. Who may
 * include this: the plugin's own files and its tests. */
#pragma once

#include "ort-runtime.h"

G_BEGIN_DECLS

typedef enum
{
  HIP_ORT_PROVIDER_AUTO,        /* as the device is; the CPU where that does not work */
  HIP_ORT_PROVIDER_CPU,
  HIP_ORT_PROVIDER_CUDA,
  HIP_ORT_PROVIDER_TENSORRT,
  HIP_ORT_PROVIDER_MIGRAPHX,
  HIP_ORT_PROVIDER_ROCM,
} HipOrtProvider;

typedef struct
{
  gchar *name;
  ONNXTensorElementDataType type;       /* UNDEFINED: no tensor */
  guint n_dims;
  gint64 *dims;                 /* -1: dynamic */
} HipOrtTensor;

typedef struct
{
  const gchar *library;         /* nullable: search */
  const gchar *model_file;
  HipOrtProvider provider;
  const GstStructure *provider_options; /* nullable; values become strings */
  gboolean require_all;         /* no node on the CPU, where another provider was chosen */
  GraphOptimizationLevel optimization;
  guint threads;                /* 0: the runtime's choice */
  GstHipDevice *device;         /* nullable: the CPU */
  GstHipStream *stream;         /* of device, that a provider on it works on; outlives the session */
} HipOrtSessionConfig;

typedef struct
{
  const HipOrtRuntime *ort;
  OrtSession *session;
  OrtRunOptions *run_options;
  HipOrtTensor *inputs, *outputs;
  gsize n_inputs, n_outputs;
  OrtModelMetadata *metadata;
  HipOrtProvider provider;      /* never AUTO */
  gchar *placement;             /* "CPUExecutionProvider 3", or "unknown" */
  gboolean has_graphs;          /* the provider was told to make CUDA graphs */
  gchar *fallback;              /* why the CPU was taken in place of the device; NULL: it was not */
} HipOrtSession;

/* Errors: UNAVAILABLE (runtime, provider: with what is missing), INVALID (no such file, no model), UNSUPPORTED (a model
 * that needs what the runtime does not have). Blocking: until the model is loaded and compiled. Threads: any. */
HipOrtSession * hip_ort_session_new (const HipOrtSessionConfig * config, GError ** error);
void hip_ort_session_free (HipOrtSession * session);

/* inputs: one for each. outputs: one for each, to be released by the caller. Blocking: until it has run. */
gboolean hip_ort_session_run (HipOrtSession * session, const OrtValue * const * inputs, OrtValue ** outputs,
                              GError ** error);

/* The model's metadata under key, or NULL */
gchar * hip_ort_session_get_metadata (HipOrtSession * session, const gchar * key);

const gchar * hip_ort_provider_get_name (HipOrtProvider provider);

/* --- ort-types.c --- */
const gchar * hip_ort_type_get_name (ONNXTensorElementDataType type);
/* Of an element; 0: of none that can be told */
guint hip_ort_type_get_bits (ONNXTensorElementDataType type);
/* "float32 1x3x?x?" */
gchar * hip_ort_describe_tensor (const HipOrtTensor * tensor);

/* --- ort-provider.c --- */
/* Adds what config asks for to options. provider: what it has become. */
gboolean hip_ort_append_provider (const HipOrtRuntime * ort, OrtSessionOptions * options,
                                  const HipOrtSessionConfig * config, HipOrtProvider provider, GError ** error);
/* Whether config's options ask for CUDA graphs */
gboolean hip_ort_wants_graphs (const HipOrtSessionConfig * config, HipOrtProvider provider);
/* What AUTO means on a device: END is HIP_ORT_PROVIDER_AUTO */
void hip_ort_get_candidates (GstHipDevice * device, HipOrtProvider candidates[3]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipOrtSession, hip_ort_session_free)

G_END_DECLS
