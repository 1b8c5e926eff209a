/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a file become a model that can run, and what are its tensors like?
 * Must not know frames. Invariant: what the runtime cannot do is an error here,
 * before the first frame.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "ort-session.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_onnx_debug);
#define GST_CAT_DEFAULT gst_hip_onnx_debug

/* --- tensors --- */

static gboolean
read_shape (const OrtApi * api, OrtTypeInfo * info, HipOrtTensor * tensor,
    OrtStatus ** status)
{
  const OrtTensorTypeAndShapeInfo *shape = NULL;
  enum ONNXType kind;
  size_t n = 0;

  tensor->type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  if ((*status = api->GetOnnxTypeFromTypeInfo (info, &kind)))
    return FALSE;
  if (kind != ONNX_TYPE_TENSOR)
    return TRUE;
  if ((*status = api->CastTypeInfoToTensorInfo (info, &shape))
      || (*status = api->GetTensorElementType (shape, &tensor->type))
      || (*status = api->GetDimensionsCount (shape, &n)))
    return FALSE;
  tensor->n_dims = n;
  tensor->dims = g_new0 (gint64, n);
  return !(*status = api->GetDimensions (shape, tensor->dims, n));
}

typedef OrtStatus *(*GetCount) (const OrtSession * session, size_t *count);
typedef OrtStatus *(*GetName) (const OrtSession * session, size_t index,
    OrtAllocator * allocator, char **name);
typedef OrtStatus *(*GetType) (const OrtSession * session, size_t index,
    OrtTypeInfo ** info);

static HipOrtTensor *
read_tensors (HipOrtSession * self, GetCount get_count, GetName get_name,
    GetType get_type, gsize * count, OrtStatus ** status)
{
  const OrtApi *api = self->ort->api;
  OrtAllocator *allocator;
  HipOrtTensor *tensors;
  size_t n = 0;

  if ((*status = api->GetAllocatorWithDefaultOptions (&allocator))
      || (*status = get_count (self->session, &n)))
    return NULL;
  tensors = g_new0 (HipOrtTensor, n);
  *count = n;
  for (size_t i = 0; i < n; i++) {
    OrtTypeInfo *info = NULL;
    char *name = NULL;

    if ((*status = get_name (self->session, i, allocator, &name)))
      break;
    tensors[i].name = g_strdup (name);
    allocator->Free (allocator, name);
    if ((*status = get_type (self->session, i, &info)))
      break;
    read_shape (api, info, &tensors[i], status);
    api->ReleaseTypeInfo (info);
    if (*status)
      break;
  }
  return tensors;
}

static void
tensors_free (HipOrtTensor * tensors, gsize n)
{
  for (gsize i = 0; tensors && i < n; i++) {
    g_free (tensors[i].name);
    g_free (tensors[i].dims);
  }
  g_free (tensors);
}

/* --- session --- */

static gboolean
check_file (const gchar * file, GError ** error)
{
  GStatBuf info;

  if (!file || !*file) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "no model: set model-file");
    return FALSE;
  }
  if (g_stat (file, &info) != 0 || !S_ISREG (info.st_mode)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "there is no model file \"%s\"", file);
    return FALSE;
  }
  if (info.st_size == 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the model file \"%s\" is empty", file);
    return FALSE;
  }
  return TRUE;
}

static OrtSessionOptions *
make_options (const HipOrtRuntime * ort, const HipOrtSessionConfig * config,
    HipOrtProvider provider, GError ** error)
{
  const OrtApi *api = ort->api;
  OrtSessionOptions *options = NULL;
  OrtStatus *status = api->CreateSessionOptions (&options);

  if (!status)
    status = api->SetSessionGraphOptimizationLevel (options,
        config->optimization);
  if (!status && config->threads)
    status = api->SetIntraOpNumThreads (options, (int) config->threads);
  /* Threads that spin between frames take the CPU from everybody else. */
  if (!status)
    status = api->AddSessionConfigEntry (options,
        "session.intra_op.allow_spinning", "0");
  /* Says which nodes are placed where while the session is made. */
  if (!status)
    status = api->SetSessionLogSeverityLevel (options,
        ORT_LOGGING_LEVEL_VERBOSE);
  if (!status && config->require_all && provider != HIP_ORT_PROVIDER_CPU)
    status = api->AddSessionConfigEntry (options,
        "session.disable_cpu_ep_fallback", "1");
  if (!hip_ort_check (ort, status, GST_HIP_ERROR_FAILED,
          "no options for a session", error)
      || !hip_ort_append_provider (ort, options, config, provider, error)) {
    if (options)
      api->ReleaseSessionOptions (options);
    return NULL;
  }
  return options;
}

static GstHipError
code_of (const OrtApi * api, OrtStatus * status)
{
  if (!status)
    return GST_HIP_ERROR_FAILED;
  switch (api->GetErrorCode (status)) {
    case ORT_NOT_IMPLEMENTED:
      return GST_HIP_ERROR_UNSUPPORTED;
    case ORT_EP_FAIL:
    case ORT_FAIL:
    case ORT_ENGINE_ERROR:
    case ORT_RUNTIME_EXCEPTION:
      return GST_HIP_ERROR_FAILED;
    default:
      return GST_HIP_ERROR_INVALID;
  }
}

static gboolean
load (HipOrtSession * self, const HipOrtSessionConfig * config,
    HipOrtProvider provider, GError ** error)
{
  const OrtApi *api = self->ort->api;
  g_autofree gchar *what = NULL;
  OrtSessionOptions *options;
  OrtStatus *status;

  options = make_options (self->ort, config, provider, error);
  if (!options)
    return FALSE;
  hip_ort_log_begin ();
  status = api->CreateSession (self->ort->env, config->model_file, options,
      &self->session);
  api->ReleaseSessionOptions (options);
  what = g_strdup_printf ("model \"%s\" does not load with provider %s",
      config->model_file, hip_ort_provider_get_name (provider));
  self->placement = hip_ort_log_take_placement ();
  if (!self->placement)
    self->placement = g_strdup ("unknown");
  if (!hip_ort_check (self->ort, status, code_of (api, status), what, error)) {
    g_clear_pointer (&self->placement, g_free);
    return FALSE;
  }
  self->provider = provider;
  self->has_graphs = hip_ort_wants_graphs (config, provider);
  return TRUE;
}

static gboolean
load_any (HipOrtSession * self, const HipOrtSessionConfig * config,
    GError ** error)
{
  HipOrtProvider candidates[3];
  g_autoptr (GError) why = NULL;

  if (config->provider != HIP_ORT_PROVIDER_AUTO)
    return load (self, config, config->provider, error);

  hip_ort_get_candidates (config->device, candidates);
  for (guint i = 0; candidates[i] != HIP_ORT_PROVIDER_AUTO; i++) {
    g_clear_error (&why);
    if (load (self, config, candidates[i], &why))
      return TRUE;
  }
  if (why && config->require_all) {
    g_propagate_error (error, g_steal_pointer (&why));
    return FALSE;
  }
  if (why)
    self->fallback = g_strdup (why->message);
  return load (self, config, HIP_ORT_PROVIDER_CPU, error);
}

static gboolean
read_model (HipOrtSession * self, GError ** error)
{
  const OrtApi *api = self->ort->api;
  OrtStatus *status = NULL;

  hip_ort_log_begin ();
  self->inputs = read_tensors (self, api->SessionGetInputCount,
      api->SessionGetInputName, api->SessionGetInputTypeInfo, &self->n_inputs,
      &status);
  if (!status)
    self->outputs = read_tensors (self, api->SessionGetOutputCount,
        api->SessionGetOutputName, api->SessionGetOutputTypeInfo,
        &self->n_outputs, &status);
  if (!status)
    status = api->SessionGetModelMetadata (self->session, &self->metadata);
  if (!status)
    status = api->CreateRunOptions (&self->run_options);
  if (!status)
    status = api->RunOptionsSetRunLogSeverityLevel (self->run_options,
        hip_ort_log_level ());
  return hip_ort_check (self->ort, status, GST_HIP_ERROR_FAILED,
      "the model's inputs and outputs cannot be read", error);
}

HipOrtSession *
hip_ort_session_new (const HipOrtSessionConfig * config, GError ** error)
{
  g_autoptr (HipOrtSession) self = NULL;
  const HipOrtRuntime *ort;

  if (!check_file (config->model_file, error))
    return NULL;
  ort = hip_ort_runtime_get (config->library, error);
  if (!ort)
    return NULL;

  self = g_new0 (HipOrtSession, 1);
  self->ort = ort;
  if (!load_any (self, config, error) || !read_model (self, error))
    return NULL;
  GST_INFO ("%s: provider %s, nodes: %s", config->model_file,
      hip_ort_provider_get_name (self->provider), self->placement);
  for (gsize i = 0; i < self->n_inputs + self->n_outputs; i++) {
    gboolean in = i < self->n_inputs;
    HipOrtTensor *tensor = in ? &self->inputs[i] :
        &self->outputs[i - self->n_inputs];
    g_autofree gchar *text = hip_ort_describe_tensor (tensor);

    GST_INFO ("  %s %s: %s", in ? "input" : "output", tensor->name, text);
  }
  return g_steal_pointer (&self);
}

void
hip_ort_session_free (HipOrtSession * self)
{
  const OrtApi *api = self->ort->api;

  if (self->run_options)
    api->ReleaseRunOptions (self->run_options);
  if (self->metadata)
    api->ReleaseModelMetadata (self->metadata);
  if (self->session)
    api->ReleaseSession (self->session);
  tensors_free (self->inputs, self->n_inputs);
  tensors_free (self->outputs, self->n_outputs);
  g_free (self->placement);
  g_free (self->fallback);
  g_free (self);
}

gboolean
hip_ort_session_run (HipOrtSession * self, const OrtValue * const *inputs,
    OrtValue ** outputs, GError ** error)
{
  g_autofree const char **in_names = g_new (const char *, self->n_inputs + 1);
  g_autofree const char **out_names = g_new (const char *, self->n_outputs + 1);
  OrtStatus *status;

  for (gsize i = 0; i < self->n_inputs; i++)
    in_names[i] = self->inputs[i].name;
  for (gsize i = 0; i < self->n_outputs; i++) {
    out_names[i] = self->outputs[i].name;
    outputs[i] = NULL;
  }
  hip_ort_log_begin ();
  status = self->ort->api->Run (self->session, self->run_options, in_names,
      inputs, self->n_inputs, out_names, self->n_outputs, outputs);
  return hip_ort_check (self->ort, status, GST_HIP_ERROR_FAILED,
      "the model does not run", error);
}

gchar *
hip_ort_session_get_metadata (HipOrtSession * self, const gchar * key)
{
  const OrtApi *api = self->ort->api;
  OrtAllocator *allocator;
  OrtStatus *status;
  char *value = NULL;
  gchar *copy = NULL;

  status = api->GetAllocatorWithDefaultOptions (&allocator);
  if (!status)
    status = api->ModelMetadataLookupCustomMetadataMap (self->metadata,
        allocator, key, &value);
  if (status)
    api->ReleaseStatus (status);
  if (value) {
    copy = g_strdup (value);
    allocator->Free (allocator, value);
  }
  return copy;
}
