/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When does a bound model read and write, and whose is the memory? Must not know
 * how a session was made.
 *
 * A run learns the shapes of its outputs by running at once, whatever is in its
 * inputs then; what it leaves in memory of the device is what a second run
 * writes, which the stream comes to in its own time.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

#define FRESH 0xa5              /* in memory that nothing was written to */

/* A tensor in memory that its maker has given */
typedef struct
{
  gint refs;                    /* atomic: the value's and those of runs */
  gpointer data;
  gsize size;
  gint64 *dims;
  gsize n_dims;
  ONNXTensorElementDataType type;
  gpointer stream;              /* of an output, in the provider's memory; else NULL */
  gint pending;                 /* atomic: runs that write it */
} Tensor;

typedef struct
{
  gchar *name;
  OrtValue *value;              /* NULL: an output without a buffer */
} Bound;

/* What the API calls OrtIoBinding */
typedef struct
{
  OrtSession *session;
  OrtIoBinding *real;           /* for a session on the CPU */
  GArray *inputs, *outputs;     /* Bound */
  GPtrArray *results;           /* OrtValue, of the last run */
} Binding;

typedef struct
{
  OrtSession *session;
  OrtValue **inputs, **outputs; /* views; inputs that the runtime has allocated: the caller's */
  gboolean *is_view;            /* of inputs */
  gchar **input_names, **output_names;
  gsize n_inputs, n_outputs;
  Tensor **written;
} Job;

static GMutex lock;
static GCond cond;
static GHashTable *tensors;     /* by OrtValue */
static GHashTable *unfinished;  /* by session: how many */
static GHashTable *graphs;      /* "session id": addresses */
static OrtMemoryInfo *memory;

/* --- values --- */

static void
tensor_unref (gpointer data)
{
  Tensor *tensor = data;

  if (!g_atomic_int_dec_and_test (&tensor->refs))
    return;
  g_free (tensor->dims);
  g_free (tensor);
}

static Tensor *
find_tensor (const OrtValue * value)
{
  Tensor *tensor;

  g_mutex_lock (&lock);
  tensor = tensors ? g_hash_table_lookup (tensors, value) : NULL;
  g_mutex_unlock (&lock);
  return tensor;
}

static OrtStatus *
create_tensor (const OrtMemoryInfo * info, void *data, size_t size,
    const int64_t * dims, size_t n_dims, ONNXTensorElementDataType type,
    OrtValue ** out)
{
  OrtStatus *status = fake_real->CreateTensorWithDataAsOrtValue (info, data,
      size, dims, n_dims, type, out);
  Tensor *tensor;

  if (status)
    return status;
  tensor = g_new0 (Tensor, 1);
  tensor->refs = 1;
  tensor->data = data;
  tensor->size = size;
  tensor->dims = g_memdup2 (dims, n_dims * sizeof (*dims));
  tensor->n_dims = n_dims;
  tensor->type = type;
  g_mutex_lock (&lock);
  if (!tensors)
    tensors = g_hash_table_new_full (NULL, NULL, NULL, tensor_unref);
  g_hash_table_insert (tensors, *out, tensor);
  g_mutex_unlock (&lock);
  return NULL;
}

static void
release_value (OrtValue * value)
{
  Tensor *tensor = find_tensor (value);

  fake_real->ReleaseValue (value);
  if (!tensor)
    return;
  if (tensor->stream) {
    /* After a failure of the device nobody waits, and nothing is written. */
    while (g_atomic_int_get (&tensor->pending)
        && fake_driver ()->is_lost (tensor->stream))
      g_usleep (200);
    fake_ort_rule (tensor->size == 0
        || g_atomic_int_get (&tensor->pending) == 0,
        "an output is released when it is written");
    fake_driver ()->take_back (tensor->data);
    free (tensor->data);
  }
  g_mutex_lock (&lock);
  g_hash_table_remove (tensors, value);
  g_mutex_unlock (&lock);
}

/* Another value over the same memory, for who outlives the first */
static OrtValue *
view (const Tensor * tensor)
{
  OrtValue *value = NULL;
  OrtStatus *status = fake_real->CreateTensorWithDataAsOrtValue (memory,
      tensor->data, tensor->size, tensor->dims, tensor->n_dims, tensor->type,
      &value);

  fake_ort_rule (status == NULL, "a tensor can be bound twice");
  return value;
}

static gsize
bytes_of (ONNXTensorElementDataType type)
{
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL:
      return 1;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16:
      return 2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32:
      return 4;
    default:
      return 8;
  }
}

/* Device memory for what a run has shown, with nothing in it yet */
static OrtStatus *
make_output (OrtValue * shown, gpointer stream, OrtValue ** out)
{
  static gint n_allocations;
  const gchar *fails = g_getenv ("FAKE_ORT_FAIL");
  OrtTensorTypeAndShapeInfo *info = NULL;
  ONNXTensorElementDataType type;
  gint64 dims[16];
  size_t n_dims, size;
  OrtStatus *status;
  gpointer data;

  if (g_atomic_int_add (&n_allocations, 1) + 1 == (fails ? atoi (fails) : 0))
    return fake_failure ("Failed to allocate memory for requested buffer");
  status = fake_real->GetTensorTypeAndShape (shown, &info);
  fake_ort_rule (!status, "an output is a tensor");
  status = fake_real->GetTensorElementType (info, &type);
  if (!status)
    status = fake_real->GetDimensionsCount (info, &n_dims);
  fake_ort_rule (!status && n_dims <= G_N_ELEMENTS (dims), "it has a shape");
  status = fake_real->GetDimensions (info, (int64_t *) dims, n_dims);
  if (!status)
    status = fake_real->GetTensorShapeElementCount (info, &size);
  fake_real->ReleaseTensorTypeAndShapeInfo (info);
  size *= bytes_of (type);
  if (status)
    return status;
  data = aligned_alloc (256, (size + 511) / 256 * 256);
  memset (data, FRESH, size);
  fake_driver ()->lend (stream, data, MAX (size, 1));
  status = create_tensor (memory, data, size, (int64_t *) dims, n_dims, type,
      out);
  if (!status)
    find_tensor (*out)->stream = stream;
  return status;
}

/* --- bindings --- */

static void
bound_clear (gpointer data)
{
  g_free (((Bound *) data)->name);
}

static OrtStatus *
create_binding (OrtSession * session, OrtIoBinding ** out)
{
  Binding *self = g_new0 (Binding, 1);
  OrtStatus *status = NULL;

  if (!memory)
    status = fake_real->CreateCpuMemoryInfo (OrtDeviceAllocator,
        OrtMemTypeDefault, &memory);
  if (!status)
    status = fake_real->CreateIoBinding (session, &self->real);
  self->session = session;
  self->inputs = g_array_new (FALSE, TRUE, sizeof (Bound));
  self->outputs = g_array_new (FALSE, TRUE, sizeof (Bound));
  g_array_set_clear_func (self->inputs, bound_clear);
  g_array_set_clear_func (self->outputs, bound_clear);
  self->results = g_ptr_array_new ();
  *out = (OrtIoBinding *) self;
  return status;
}

static void
clear_inputs (OrtIoBinding * binding)
{
  g_array_set_size (((Binding *) binding)->inputs, 0);
  fake_real->ClearBoundInputs (((Binding *) binding)->real);
}

static void
clear_outputs (OrtIoBinding * binding)
{
  Binding *self = (Binding *) binding;

  for (guint i = 0; i < self->results->len; i++)
    release_value (g_ptr_array_index (self->results, i));
  g_ptr_array_set_size (self->results, 0);
  g_array_set_size (self->outputs, 0);
  fake_real->ClearBoundOutputs (self->real);
}

static void
release_binding (OrtIoBinding * binding)
{
  Binding *self = (Binding *) binding;

  clear_inputs (binding);
  clear_outputs (binding);
  fake_real->ReleaseIoBinding (self->real);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_ptr_array_unref (self->results);
  g_free (self);
}

static void
add (GArray * list, const char *name, const OrtValue * value)
{
  Bound bound = { g_strdup (name), (OrtValue *) value };

  g_array_append_val (list, bound);
}

static OrtStatus *
bind_input (OrtIoBinding * binding, const char *name, const OrtValue * value)
{
  add (((Binding *) binding)->inputs, name, value);
  return fake_real->BindInput (((Binding *) binding)->real, name, value);
}

static OrtStatus *
bind_output (OrtIoBinding * binding, const char *name, const OrtValue * value)
{
  add (((Binding *) binding)->outputs, name, value);
  return fake_real->BindOutput (((Binding *) binding)->real, name, value);
}

static OrtStatus *
bind_output_to_device (OrtIoBinding * binding, const char *name,
    const OrtMemoryInfo * info)
{
  add (((Binding *) binding)->outputs, name, NULL);
  return fake_real->BindOutputToDevice (((Binding *) binding)->real, name,
      info);
}

static OrtStatus *
get_outputs (const OrtIoBinding * binding, OrtAllocator * allocator,
    OrtValue *** out, size_t *n)
{
  const Binding *self = (const Binding *) binding;

  if (!fake_provider_of (self->session))
    return fake_real->GetBoundOutputValues (self->real, allocator, out, n);
  *n = self->results->len;
  *out = allocator->Alloc (allocator, (*n + 1) * sizeof (OrtValue *));
  memcpy (*out, self->results->pdata, *n * sizeof (OrtValue *));
  /* They are the caller's now. */
  g_ptr_array_set_size (self->results, 0);
  return NULL;
}

/* --- runs --- */

static void
count (gconstpointer session, gint add_to)
{
  g_mutex_lock (&lock);
  if (!unfinished)
    unfinished = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (unfinished, (gpointer) session, GINT_TO_POINTER
      (GPOINTER_TO_INT (g_hash_table_lookup (unfinished, session)) + add_to));
  g_cond_broadcast (&cond);
  g_mutex_unlock (&lock);
}

void
fake_run_wait (gconstpointer session)
{
  g_mutex_lock (&lock);
  while (unfinished && g_hash_table_lookup (unfinished, session))
    g_cond_wait (&cond, &lock);
  g_mutex_unlock (&lock);
}

static gboolean
is_of_session (gpointer key, gpointer value, gpointer session)
{
  g_autofree gchar *prefix = g_strdup_printf ("%p ", session);

  return g_str_has_prefix (key, prefix);
}

void
fake_run_forget (gconstpointer session)
{
  fake_run_wait (session);
  g_mutex_lock (&lock);
  if (unfinished)
    g_hash_table_remove (unfinished, session);
  if (graphs)
    g_hash_table_foreach_remove (graphs, is_of_session, (gpointer) session);
  g_mutex_unlock (&lock);
}

static void
job_free (Job * job)
{
  for (gsize i = 0; i < job->n_inputs; i++) {
    if (job->is_view[i])
      fake_real->ReleaseValue (job->inputs[i]);
  }
  for (gsize i = 0; i < job->n_outputs; i++) {
    if (job->outputs[i])
      fake_real->ReleaseValue (job->outputs[i]);
    if (job->written[i])
      tensor_unref (job->written[i]);
  }
  g_strfreev (job->input_names);
  g_strfreev (job->output_names);
  g_free (job->is_view);
  g_free (job->inputs);
  g_free (job->outputs);
  g_free (job->written);
  g_free (job);
}

static void
job_run (gpointer data, gboolean ran)
{
  Job *job = data;
  OrtStatus *status = NULL;

  if (ran)
    status = fake_real->Run (job->session, NULL,
        (const char *const *) job->input_names,
        (const OrtValue * const *) job->inputs, job->n_inputs,
        (const char *const *) job->output_names, job->n_outputs, job->outputs);
  /* Its size depends on what is in the picture: it should have been known. */
  if (status)
    fake_real->ReleaseStatus (status);
  for (gsize i = 0; i < job->n_outputs; i++)
    g_atomic_int_add (&job->written[i]->pending, -1);
  count (job->session, -1);
  job_free (job);
}

/* Values as a function of the API takes them */
static gchar **
take_names (GArray * list, OrtValue *** values)
{
  gchar **names = g_new0 (gchar *, list->len + 1);

  *values = g_new0 (OrtValue *, list->len + 1);
  for (guint i = 0; i < list->len; i++) {
    names[i] = g_strdup (g_array_index (list, Bound, i).name);
    (*values)[i] = g_array_index (list, Bound, i).value;
  }
  return names;
}

/* A graph reads and writes the addresses with which it was captured. */
static void
check_graph (Binding * self, gint graph)
{
  g_autofree gchar *key = g_strdup_printf ("%p %d", self->session, graph);
  GString *addresses = g_string_new (NULL);
  gboolean is_new;

  for (guint i = 0; i < self->inputs->len; i++) {
    Tensor *tensor = find_tensor (g_array_index (self->inputs, Bound, i).value);

    g_string_append_printf (addresses, "%p ", tensor ? tensor->data : NULL);
  }
  for (guint i = 0; i < self->outputs->len; i++) {
    Tensor *tensor = find_tensor (g_array_index (self->outputs, Bound,
            i).value);

    fake_ort_rule (tensor != NULL, "a graph's outputs have buffers");
    g_string_append_printf (addresses, "%p ", tensor->data);
  }
  g_mutex_lock (&lock);
  if (!graphs)
    graphs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  is_new = !g_hash_table_contains (graphs, key);
  if (is_new)
    g_hash_table_insert (graphs, g_strdup (key), g_strdup (addresses->str));
  fake_ort_rule (g_str_equal (g_hash_table_lookup (graphs, key),
          addresses->str), "a graph has the addresses it was captured with");
  g_mutex_unlock (&lock);
  fake_ort_log (is_new ? "graph" : "graph again");
  g_string_free (addresses, TRUE);
}

/* --- shapes --- */

static void
note_symbols (OrtTypeInfo * info, gboolean is_input, GHashTable * known,
    gboolean * unknown)
{
  const OrtTensorTypeAndShapeInfo *shape = NULL;
  const char *names[16] = { NULL, };
  size_t n = 0;
  OrtStatus *status = fake_real->CastTypeInfoToTensorInfo (info, &shape);

  if (!status && shape)
    status = fake_real->GetDimensionsCount (shape, &n);
  if (!status && shape)
    status = fake_real->GetSymbolicDimensions (shape, names, n);
  for (size_t i = 0; !status && i < n; i++) {
    if (!names[i][0])
      continue;
    if (is_input)
      g_hash_table_add (known, g_strdup (names[i]));
    else if (!g_hash_table_contains (known, names[i]))
      *unknown = TRUE;
  }
  if (status)
    fake_real->ReleaseStatus (status);
}

/* Has an output a dimension that no input has? Then the real one waits in the
 * middle of the model. */
static gboolean
depends_on_data (OrtSession * session, gsize n_inputs, gsize n_outputs)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash,
      g_str_equal, g_free, NULL);
  gboolean unknown = FALSE;

  for (gsize i = 0; i < n_inputs + n_outputs; i++) {
    OrtTypeInfo *info = NULL;
    OrtStatus *status = i < n_inputs ?
        fake_real->SessionGetInputTypeInfo (session, i, &info) :
        fake_real->SessionGetOutputTypeInfo (session, i - n_inputs, &info);

    fake_ort_rule (status == NULL, "an input and an output have types");
    note_symbols (info, i < n_inputs, known, &unknown);
    fake_real->ReleaseTypeInfo (info);
  }
  return unknown;
}

static void
nothing (gpointer data, gboolean ran)
{
  count (data, -1);
}

static void
wait_for_stream (OrtSession * session, gpointer stream)
{
  count (session, 1);
  if (!fake_driver ()->queue (stream, nothing, session))
    count (session, -1);
  fake_run_wait (session);
}

static void
log_shape (const Tensor * tensor)
{
  GString *text = g_string_new ("shape ");

  for (gsize i = 0; i < tensor->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? "x" : "",
        tensor->dims[i]);
  fake_ort_log ("%s", text->str);
  g_string_free (text, TRUE);
}

/* The outputs of the run are results of it, where the caller gave no buffers. */
static OrtStatus *
make_outputs (Binding * self, const FakeProvider * provider, Job * job,
    OrtValue ** shown)
{
  for (gsize i = 0; i < job->n_outputs; i++) {
    OrtValue *value = g_array_index (self->outputs, Bound, i).value;
    OrtStatus *status = NULL;

    if (!value) {
      status = make_output (shown[i], provider->stream, &value);
      if (status)
        return status;
      g_ptr_array_add (self->results, value);
    }
    job->written[i] = find_tensor (value);
    g_atomic_int_inc (&job->written[i]->refs);
    job->outputs[i] = view (job->written[i]);
  }
  return NULL;
}

static OrtStatus *
queue (Binding * self, const FakeProvider * provider, Job * job)
{
  for (gsize i = 0; i < job->n_outputs; i++)
    g_atomic_int_inc (&job->written[i]->pending);
  count (self->session, 1);
  if (fake_driver ()->queue (provider->stream, job_run, job))
    return NULL;
  job_run (job, FALSE);
  return fake_failure ("CUDA failure 719: unspecified launch failure ; GPU=0 ;"
      " expr=cudaLaunchKernel");
}

static OrtStatus *
run (OrtSession * session, const OrtRunOptions * options,
    const OrtIoBinding * binding)
{
  Binding *self = (Binding *) binding;
  const FakeProvider *provider = fake_provider_of (session);
  g_autofree OrtValue **shown = NULL;
  OrtStatus *status;
  Job *job;

  if (!provider)
    return fake_real->RunWithBinding (session, options, self->real);
  fake_ort_rule (provider->stream != NULL, "the provider has our stream");
  if (provider->graph && fake_graph_of (options) >= 0)
    check_graph (self, fake_graph_of (options));
  else
    fake_ort_log ("run");
  job = g_new0 (Job, 1);
  job->session = session;
  job->n_inputs = self->inputs->len;
  job->n_outputs = self->outputs->len;
  job->input_names = take_names (self->inputs, &job->inputs);
  job->output_names = take_names (self->outputs, &job->outputs);
  job->is_view = g_new0 (gboolean, job->n_inputs + 1);
  job->written = g_new0 (Tensor *, job->n_outputs + 1);
  shown = g_new0 (OrtValue *, job->n_outputs + 1);
  if (depends_on_data (session, job->n_inputs, job->n_outputs))
    wait_for_stream (session, provider->stream);
  status = fake_real->Run (session, NULL,
      (const char *const *) job->input_names,
      (const OrtValue * const *) job->inputs, job->n_inputs,
      (const char *const *) job->output_names, job->n_outputs, shown);
  memset (job->outputs, 0, job->n_outputs * sizeof (OrtValue *));
  for (gsize i = 0; i < job->n_inputs; i++) {
    Tensor *tensor = find_tensor (job->inputs[i]);

    if (!tensor)
      continue;
    log_shape (tensor);
    job->inputs[i] = view (tensor);
    job->is_view[i] = TRUE;
  }
  if (!status)
    status = make_outputs (self, provider, job, shown);
  for (gsize i = 0; i < job->n_outputs; i++) {
    if (shown[i])
      fake_real->ReleaseValue (shown[i]);
  }
  if (status) {
    job_free (job);
    return status;
  }
  status = queue (self, provider, job);
  if (!status && fake_is_synchronous (options))
    fake_run_wait (session);
  return status;
}

void
fake_run_install (OrtApi * api)
{
  api->CreateTensorWithDataAsOrtValue = create_tensor;
  api->ReleaseValue = release_value;
  api->CreateIoBinding = create_binding;
  api->ReleaseIoBinding = release_binding;
  api->BindInput = bind_input;
  api->BindOutput = bind_output;
  api->BindOutputToDevice = bind_output_to_device;
  api->ClearBoundInputs = clear_inputs;
  api->ClearBoundOutputs = clear_outputs;
  api->GetBoundOutputValues = get_outputs;
  api->RunWithBinding = run;
}
