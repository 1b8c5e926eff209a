/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a model run on a device without a copy? The runtime is given the
 * address that the kernel wrote, and its results stay where it put them, or are
 * copied to page-locked memory behind the run. Everything is on one stream that
 * the provider works on, too, so nobody waits (I1, I2). Must not know elements
 * and pictures.
 */
#include "config.h"

#include "onnx-graph.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_onnx_debug);
#define GST_CAT_DEFAULT gst_hip_onnx_debug

struct _HipOnnxBinding
{
  HipOrtSession *session;
  GstHipDevice *device;
  GstHipStream *stream;
  gboolean waits;               /* the provider does not work on stream */
  OrtMemoryInfo *memory;
  OrtIoBinding *binding;
  OrtRunOptions *options;
  HipOnnxGraphs *graphs;        /* NULL: runs are no graphs */
};

/* --- values --- */

typedef struct
{
  const OrtApi *api;
  OrtValue *value;
} Owner;

static void
owner_free (gpointer data)
{
  Owner *owner = data;

  owner->api->ReleaseValue (owner->value);
  g_free (owner);
}

gboolean
hip_onnx_value_init (HipOnnxValue * self, const HipOrtRuntime * ort,
    OrtValue * value, GError ** error)
{
  const OrtApi *api = ort->api;
  OrtTensorTypeAndShapeInfo *info = NULL;
  size_t n = 0, count = 0;
  OrtStatus *status;

  self->value = value;
  status = api->GetTensorTypeAndShape (value, &info);
  if (!status)
    status = api->GetDimensionsCount (info, &n);
  if (!status) {
    self->dims = g_new0 (int64_t, n + 1);
    status = api->GetDimensions (info, self->dims, n);
  }
  if (!status)
    status = api->GetTensorShapeElementCount (info, &count);
  if (!status)
    status = api->GetTensorMutableData (value, (void **) &self->data);
  if (info)
    api->ReleaseTensorTypeAndShapeInfo (info);
  self->n_dims = n;
  self->count = count;
  return hip_ort_check (ort, status, GST_HIP_ERROR_FAILED,
      "an output cannot be read", error);
}

void
hip_onnx_value_clear (HipOnnxValue * self, const HipOrtRuntime * ort)
{
  if (self->value)
    ort->api->ReleaseValue (self->value);
  self->value = NULL;
  g_clear_pointer (&self->dims, g_free);
}

GstMemory *
hip_onnx_value_wrap (HipOnnxValue * self, const HipOrtRuntime * ort,
    gsize size, GstHipDevice * device, GError ** error)
{
  Owner *owner = g_new0 (Owner, 1);
  GstMemory *memory;

  owner->api = ort->api;
  owner->value = self->value;
  if (device)
    memory = gst_hip_allocator_alloc_wrapped (NULL, device,
        GST_HIP_MEMORY_KIND_WRAPPED_DEVICE, self->data, size, owner,
        owner_free, error);
  else
    memory = gst_memory_new_wrapped (0, self->data, size, 0, size, owner,
        owner_free);
  if (memory)
    self->value = NULL;
  else
    g_free (owner);
  return memory;
}

/* --- binding --- */

/* What the runtime calls memory of the provider's device; NULL: none that we
 * can give. */
static const gchar *
name_memory (HipOrtSession * session, gboolean * waits)
{
  const gchar *forced = g_getenv ("GST_HIP_ONNX_BIND");

  *waits = FALSE;
  switch (session->provider) {
    case HIP_ORT_PROVIDER_CUDA:
    case HIP_ORT_PROVIDER_TENSORRT:
      return "Cuda";
    case HIP_ORT_PROVIDER_ROCM:
      return "Hip";
    case HIP_ORT_PROVIDER_CPU:
      /* For tests: the CPU as a device */
      *waits = TRUE;
      return forced && *forced == '1' ? "Cpu" : NULL;
    case HIP_ORT_PROVIDER_MIGRAPHX:
    case HIP_ORT_PROVIDER_AUTO:
    default:
      return NULL;
  }
}

HipOnnxBinding *
hip_onnx_binding_new (HipOrtSession * session, GstHipDevice * device,
    GstHipStream * stream, GError ** error)
{
  const OrtApi *api = session->ort->api;
  HipOnnxBinding *self;
  OrtStatus *status;
  gboolean waits;
  const gchar *name = name_memory (session, &waits);

  if (!name || !device || !stream)
    return NULL;
  if (session->has_graphs && session->n_inputs > 1) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "enable_cuda_graph is for models whose only input is the picture, and "
        "this one has %" G_GSIZE_FORMAT, session->n_inputs);
    return NULL;
  }
  self = g_new0 (HipOnnxBinding, 1);
  self->session = session;
  self->device = gst_object_ref (device);
  self->stream = gst_hip_stream_ref (stream);
  self->waits = waits;
  hip_ort_log_begin ();
  status = api->CreateMemoryInfo (name, OrtDeviceAllocator, waits ? 0 :
      (int) gst_hip_device_get_device_id (device), OrtMemTypeDefault,
      &self->memory);
  if (!status)
    status = api->CreateIoBinding (session->session, &self->binding);
  if (!status)
    status = api->CreateRunOptions (&self->options);
  if (!status)
    status = api->RunOptionsSetRunLogSeverityLevel (self->options,
        hip_ort_log_level ());
  if (!status && !waits)
    status = api->AddRunConfigEntry (self->options,
        "disable_synchronize_execution_providers", "1");
  /* What is run with these is no graph, whatever the provider was told. */
  if (!status && session->has_graphs)
    status = api->AddRunConfigEntry (self->options, "gpu_graph_id", "-1");
  if (!hip_ort_check (session->ort, status, GST_HIP_ERROR_FAILED,
          "the model cannot be bound to the device's memory", error)) {
    hip_onnx_binding_free (self);
    return NULL;
  }
  if (session->has_graphs)
    self->graphs = hip_onnx_graphs_new (session, device, stream, self->memory);
  GST_INFO ("tensors are bound as memory of %s", name);
  return self;
}

void
hip_onnx_binding_free (HipOnnxBinding * self)
{
  const OrtApi *api = self->session->ort->api;

  g_clear_pointer (&self->graphs, hip_onnx_graphs_free);
  if (self->options)
    api->ReleaseRunOptions (self->options);
  if (self->binding)
    api->ReleaseIoBinding (self->binding);
  if (self->memory)
    api->ReleaseMemoryInfo (self->memory);
  gst_clear_hip_stream (&self->stream);
  gst_object_unref (self->device);
  g_free (self);
}

/* --- a run --- */

/* The address that the kernel wrote to is the one that the model reads from. */
static OrtStatus *
bind (HipOnnxBinding * self, gpointer address, gsize size,
    const gint64 * dims, guint n_dims, gsize image_index, OrtValue ** inputs,
    OrtValue ** picture)
{
  HipOrtSession *session = self->session;
  const OrtApi *api = session->ort->api;
  OrtStatus *status;

  api->ClearBoundInputs (self->binding);
  api->ClearBoundOutputs (self->binding);
  status = api->CreateTensorWithDataAsOrtValue (self->memory, address, size,
      (const int64_t *) dims, n_dims, session->inputs[image_index].type,
      picture);
  for (gsize i = 0; !status && i < session->n_inputs; i++)
    status = api->BindInput (self->binding, session->inputs[i].name,
        i == image_index ? *picture : inputs[i]);
  /* No buffer: the shape may depend on the picture. */
  for (gsize i = 0; !status && i < session->n_outputs; i++)
    status = api->BindOutputToDevice (self->binding, session->outputs[i].name,
        self->memory);
  return status;
}

static gboolean
take_outputs (HipOnnxBinding * self, HipOnnxValue * values, GError ** error)
{
  HipOrtSession *session = self->session;
  const OrtApi *api = session->ort->api;
  OrtAllocator *allocator = NULL;
  OrtValue **outputs = NULL;
  OrtStatus *status;
  gboolean ok;
  size_t n = 0;

  status = api->GetAllocatorWithDefaultOptions (&allocator);
  if (!status)
    status = api->GetBoundOutputValues (self->binding, allocator, &outputs, &n);
  ok = hip_ort_check (session->ort, status, GST_HIP_ERROR_FAILED,
      "no outputs", error);
  for (size_t i = 0; i < n; i++) {
    if (ok && i < session->n_outputs)
      ok = hip_onnx_value_init (&values[i], session->ort, outputs[i], error);
    else
      api->ReleaseValue (outputs[i]);
  }
  if (outputs)
    allocator->Free (allocator, outputs);
  /* The binding lets go of them, too. */
  api->ClearBoundOutputs (self->binding);
  return ok;
}

static gboolean
run (HipOnnxBinding * self, GstMemory * tensor, gsize offset, gsize size,
    const gint64 * dims, guint n_dims, gsize image_index, OrtValue ** inputs,
    HipOnnxValue * values, GError ** error)
{
  HipOrtSession *session = self->session;
  const OrtApi *api = session->ort->api;
  OrtValue *picture = NULL;
  OrtStatus *status;
  gboolean ok;
  guintptr address = gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (tensor));

  hip_ort_log_begin ();
  status = bind (self, (gpointer) (address + offset), size, dims, n_dims,
      image_index, inputs, &picture);
  GST_LOG ("the model reads at %p", (gpointer) (address + offset));
  if (!status)
    status = api->RunWithBinding (session->session, self->options,
        self->binding);
  ok = hip_ort_check (session->ort, status, GST_HIP_ERROR_FAILED,
      "the model does not run", error)
      && take_outputs (self, values, error);
  api->ClearBoundInputs (self->binding);
  if (picture)
    api->ReleaseValue (picture);
  return ok;
}

/* A copy, page-locked or on the device, queued: who maps it waits for it. */
static GstMemory *
queue_copy (HipOnnxBinding * self, GstMemory * from, gsize size,
    gboolean on_device, GError ** error)
{
  GstMemory *to = on_device ?
      gst_hip_allocator_alloc_linear (NULL, self->device, size, error) :
      gst_hip_allocator_alloc_pinned (NULL, self->device, size, error);
  GstHipCopyEnd dst = { to, NULL, 0, size }, src = { from, NULL, 0, size };

  if (to && gst_hip_stream_copy_2d (self->stream, &dst, &src, size, 1, error))
    return to;
  if (to)
    gst_memory_unref (to);
  return NULL;
}

static gsize
size_of (HipOnnxBinding * self, gsize index, const HipOnnxValue * value)
{
  guint bits = hip_ort_type_get_bits (self->session->outputs[index].type);

  return (value->count * bits + 7) / 8;
}

/* on_device: what the run writes. Before anything else may fail: from here on
 * memories keep values until it has. */
static gboolean
wrap_outputs (HipOnnxBinding * self, HipOnnxValue * values,
    GstMemory ** on_device, GError ** error)
{
  gboolean ok = TRUE;

  for (gsize i = 0; i < self->session->n_outputs && ok; i++) {
    gsize size = size_of (self, i, &values[i]);

    if (size == 0)
      continue;
    on_device[i] = hip_onnx_value_wrap (&values[i], self->session->ort, size,
        self->device, error);
    ok = on_device[i] != NULL;
  }
  /* Of a lost device the answer does not matter. */
  if (!ok)
    gst_hip_stream_synchronize_full (self->stream, NULL);
  return ok;
}

/* is_graph: the next run of the same one writes to the same memory. */
static gboolean
make_wholes (HipOnnxBinding * self, gboolean keep_on_device,
    gboolean is_graph, GstMemory ** on_device, GstMemory ** wholes,
    GError ** error)
{
  for (gsize i = 0; i < self->session->n_outputs; i++) {
    if (!on_device[i])
      continue;
    wholes[i] = keep_on_device && !is_graph ? gst_memory_ref (on_device[i]) :
        queue_copy (self, on_device[i],
        gst_memory_get_sizes (on_device[i], NULL, NULL), keep_on_device, error);
    if (!wholes[i])
      return FALSE;
  }
  return TRUE;
}

/* One event behind all that the run has queued. What was wrapped goes back to
 * the runtime only then (I4): the library waits for a memory's events. */
static gboolean
end_accesses (HipOnnxBinding * self, GstMemory * tensor,
    GstMemory ** on_device, GstMemory ** wholes, GError ** error)
{
  g_autoptr (GstHipEvent) event = gst_hip_stream_record (self->stream, FALSE,
      error);

  if (!event)
    return FALSE;
  gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (tensor), event,
      GST_MAP_READ);
  for (gsize i = 0; i < self->session->n_outputs; i++) {
    if (on_device[i])
      gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (on_device[i]),
          event, GST_MAP_WRITE);
    if (wholes[i] && wholes[i] != on_device[i])
      gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (wholes[i]),
          event, GST_MAP_WRITE);
  }
  return TRUE;
}

static gboolean
run_graph (HipOnnxBinding * self, GstMemory * tensor, gsize offset, gsize size,
    const gint64 * dims, guint n_dims, HipOnnxValue * values,
    GstMemory ** on_device, gboolean * ran, GError ** error)
{
  guintptr address = gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (tensor));

  *ran = FALSE;
  return !self->graphs || hip_onnx_graphs_run (self->graphs,
      (gpointer) (address + offset), size, dims, n_dims, values, on_device, ran,
      error);
}

gboolean
hip_onnx_binding_run (HipOnnxBinding * self, GstMemory * tensor, gsize offset,
    gsize size, const gint64 * dims, guint n_dims, gsize image_index,
    OrtValue ** inputs, gboolean keep_on_device, HipOnnxValue * values,
    GstMemory ** wholes, GError ** error)
{
  gsize n = self->session->n_outputs;
  g_autofree GstMemory **on_device = g_new0 (GstMemory *, n + 1);
  g_autoptr (GError) later = NULL;
  gboolean ok, is_graph;
  GError *why = NULL;

  if (!gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (tensor),
          self->stream, GST_MAP_READ, error)
      || (self->waits
          && !gst_hip_stream_synchronize_full (self->stream, error)))
    return FALSE;
  ok = run_graph (self, tensor, offset, size, dims, n_dims, values, on_device,
      &is_graph, &why);
  if (ok && !is_graph) {
    ok = run (self, tensor, offset, size, dims, n_dims, image_index, inputs,
        values, &why) && wrap_outputs (self, values, on_device, &why);
    if (ok && self->graphs)
      hip_onnx_graphs_learn (self->graphs, dims, n_dims, values);
  }
  ok = ok && make_wholes (self, keep_on_device, is_graph, on_device, wholes,
      &why);
  /* Also after a failure: something may be on its way. */
  if (!end_accesses (self, tensor, on_device, wholes, &later)) {
    /* Of a device that has failed the runtime's error is a consequence. */
    if (!why || g_error_matches (later, GST_HIP_ERROR,
            GST_HIP_ERROR_DEVICE_LOST)) {
      g_clear_error (&why);
      why = g_steal_pointer (&later);
    }
    ok = FALSE;
  }
  if (why)
    g_propagate_error (error, why);
  for (gsize i = 0; i < n; i++) {
    if (on_device[i])
      gst_memory_unref (on_device[i]);
    if (!ok && wholes[i]) {
      gst_memory_unref (wholes[i]);
      wholes[i] = NULL;
    }
  }
  return ok;
}
