/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When is a run a CUDA graph, and which one? A graph has the addresses of its
 * input and outputs in it, so each tensor that frames take turns in has one, with
 * output memory of its own. What outputs are like a run without a graph has shown.
 * Must not know elements and what becomes of results.
 */
#include "config.h"

#include <string.h>

#include "onnx-graph.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_onnx_debug);
#define GST_CAT_DEFAULT gst_hip_onnx_debug

/* More tensors than that take turns in no sensible pipeline; each costs memory. */
#define MAX_GRAPHS 32

typedef struct
{
  gpointer address;             /* of the input */
  OrtValue *input;
  OrtValue **outputs;
  GstMemory **memories;         /* of outputs */
  OrtIoBinding *binding;
  OrtRunOptions *options;
} Graph;

struct _HipOnnxGraphs
{
  HipOrtSession *session;
  GstHipDevice *device;
  GstHipStream *stream;
  const OrtMemoryInfo *memory;
  guint last_id;                /* ids are not used again: graphs live as long as the session */

  /* of one shape */
  gint64 dims[4];
  guint n_dims;                 /* 0: nothing was learned */
  HipOnnxValue *outputs;        /* without values */
  GPtrArray *graphs;
};

static void
graph_free (HipOnnxGraphs * self, Graph * graph)
{
  const OrtApi *api = self->session->ort->api;

  if (graph->binding)
    api->ReleaseIoBinding (graph->binding);
  if (graph->options)
    api->ReleaseRunOptions (graph->options);
  if (graph->input)
    api->ReleaseValue (graph->input);
  for (gsize i = 0; i < self->session->n_outputs; i++) {
    if (graph->outputs[i])
      api->ReleaseValue (graph->outputs[i]);
    /* Freed when what was queued has used it */
    if (graph->memories[i])
      gst_memory_unref (graph->memories[i]);
  }
  g_free (graph->outputs);
  g_free (graph->memories);
  g_free (graph);
}

static void
forget (HipOnnxGraphs * self)
{
  for (guint i = 0; i < self->graphs->len; i++)
    graph_free (self, g_ptr_array_index (self->graphs, i));
  g_ptr_array_set_size (self->graphs, 0);
  for (gsize i = 0; i < self->session->n_outputs; i++)
    g_clear_pointer (&self->outputs[i].dims, g_free);
  self->n_dims = 0;
}

HipOnnxGraphs *
hip_onnx_graphs_new (HipOrtSession * session, GstHipDevice * device,
    GstHipStream * stream, const OrtMemoryInfo * memory)
{
  HipOnnxGraphs *self = g_new0 (HipOnnxGraphs, 1);

  self->session = session;
  self->device = gst_object_ref (device);
  self->stream = gst_hip_stream_ref (stream);
  self->memory = memory;
  self->outputs = g_new0 (HipOnnxValue, session->n_outputs + 1);
  self->graphs = g_ptr_array_new ();
  return self;
}

void
hip_onnx_graphs_free (HipOnnxGraphs * self)
{
  forget (self);
  g_ptr_array_unref (self->graphs);
  g_free (self->outputs);
  gst_clear_hip_stream (&self->stream);
  gst_object_unref (self->device);
  g_free (self);
}

static gboolean
is_shape (HipOnnxGraphs * self, const gint64 * dims, guint n_dims)
{
  return self->n_dims == n_dims
      && memcmp (self->dims, dims, n_dims * sizeof (*dims)) == 0;
}

static void
copy_value (HipOnnxValue * to, const HipOnnxValue * from)
{
  to->value = NULL;
  to->n_dims = from->n_dims;
  to->count = from->count;
  to->dims = g_memdup2 (from->dims, (from->n_dims + 1) * sizeof (int64_t));
}

void
hip_onnx_graphs_learn (HipOnnxGraphs * self, const gint64 * dims, guint n_dims,
    const HipOnnxValue * values)
{
  if (is_shape (self, dims, n_dims))
    return;
  forget (self);
  memcpy (self->dims, dims, n_dims * sizeof (*dims));
  self->n_dims = n_dims;
  for (gsize i = 0; i < self->session->n_outputs; i++)
    copy_value (&self->outputs[i], &values[i]);
}

static gboolean
is_empty (HipOnnxGraphs * self)
{
  for (gsize i = 0; i < self->session->n_outputs; i++) {
    if (self->outputs[i].count == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
allocate (HipOnnxGraphs * self, Graph * graph, GError ** error)
{
  for (gsize i = 0; i < self->session->n_outputs; i++) {
    guint bits = hip_ort_type_get_bits (self->session->outputs[i].type);

    graph->memories[i] = gst_hip_allocator_alloc_linear (NULL, self->device,
        (self->outputs[i].count * bits + 7) / 8, error);
    if (!graph->memories[i])
      return FALSE;
  }
  return TRUE;
}

static OrtStatus *
bind_outputs (HipOnnxGraphs * self, Graph * graph)
{
  HipOrtSession *session = self->session;
  const OrtApi *api = session->ort->api;
  OrtStatus *status = NULL;

  for (gsize i = 0; i < session->n_outputs && !status; i++) {
    GstHipMemory *memory = GST_HIP_MEMORY_CAST (graph->memories[i]);

    status = api->CreateTensorWithDataAsOrtValue (self->memory,
        (gpointer) gst_hip_memory_get_address (memory),
        gst_memory_get_sizes (graph->memories[i], NULL, NULL),
        self->outputs[i].dims, self->outputs[i].n_dims,
        session->outputs[i].type, &graph->outputs[i]);
    if (!status)
      status = api->BindOutput (graph->binding, session->outputs[i].name,
          graph->outputs[i]);
  }
  return status;
}

static OrtStatus *
set_options (HipOnnxGraphs * self, Graph * graph)
{
  const OrtApi *api = self->session->ort->api;
  g_autofree gchar *id = g_strdup_printf ("%u", ++self->last_id);
  OrtStatus *status = api->CreateRunOptions (&graph->options);

  if (!status)
    status = api->RunOptionsSetRunLogSeverityLevel (graph->options,
        hip_ort_log_level ());
  if (!status)
    status = api->AddRunConfigEntry (graph->options,
        "disable_synchronize_execution_providers", "1");
  if (!status)
    status = api->AddRunConfigEntry (graph->options, "gpu_graph_id", id);
  return status;
}

static Graph *
make (HipOnnxGraphs * self, gpointer address, gsize size, GError ** error)
{
  HipOrtSession *session = self->session;
  const OrtApi *api = session->ort->api;
  Graph *graph = g_new0 (Graph, 1);
  OrtStatus *status = NULL;
  gboolean ok;

  graph->address = address;
  graph->outputs = g_new0 (OrtValue *, session->n_outputs + 1);
  graph->memories = g_new0 (GstMemory *, session->n_outputs + 1);
  ok = allocate (self, graph, error);
  if (ok) {
    hip_ort_log_begin ();
    status = api->CreateIoBinding (session->session, &graph->binding);
    if (!status)
      status = api->CreateTensorWithDataAsOrtValue (self->memory, address,
          size, (const int64_t *) self->dims, self->n_dims,
          session->inputs[0].type, &graph->input);
    if (!status)
      status = api->BindInput (graph->binding, session->inputs[0].name,
          graph->input);
    if (!status)
      status = bind_outputs (self, graph);
    if (!status)
      status = set_options (self, graph);
    ok = hip_ort_check (session->ort, status, GST_HIP_ERROR_FAILED,
        "no CUDA graph", error);
  }
  if (ok)
    return graph;
  graph_free (self, graph);
  return NULL;
}

static Graph *
find (HipOnnxGraphs * self, gpointer address)
{
  for (guint i = 0; i < self->graphs->len; i++) {
    Graph *graph = g_ptr_array_index (self->graphs, i);

    if (graph->address == address)
      return graph;
  }
  return NULL;
}

gboolean
hip_onnx_graphs_run (HipOnnxGraphs * self, gpointer address, gsize size,
    const gint64 * dims, guint n_dims, HipOnnxValue * values,
    GstMemory ** on_device, gboolean * ran, GError ** error)
{
  HipOrtSession *session = self->session;
  Graph *graph;

  *ran = FALSE;
  if (!is_shape (self, dims, n_dims) || is_empty (self))
    return TRUE;
  graph = find (self, address);
  if (!graph && self->graphs->len == MAX_GRAPHS)
    return TRUE;
  if (!graph) {
    graph = make (self, address, size, error);
    if (!graph)
      return FALSE;
    g_ptr_array_add (self->graphs, graph);
    GST_DEBUG ("graph %u, of the tensor at %p", self->last_id, address);
  }
  hip_ort_log_begin ();
  if (!hip_ort_check (session->ort,
          session->ort->api->RunWithBinding (session->session, graph->options,
              graph->binding), GST_HIP_ERROR_FAILED,
          "the model does not run as a CUDA graph", error))
    return FALSE;
  *ran = TRUE;
  for (gsize i = 0; i < session->n_outputs; i++) {
    copy_value (&values[i], &self->outputs[i]);
    on_device[i] = gst_memory_ref (graph->memories[i]);
  }
  return TRUE;
}
