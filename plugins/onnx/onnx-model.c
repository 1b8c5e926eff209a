/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What goes into a model beside the picture, and how is it run? Must not know
 * elements. Invariant: everything that does not fit is refused when the model
 * is made, with the name of the input.
 */
#include "config.h"

#include <string.h>

#include "onnx-model.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_onnx_debug);
#define GST_CAT_DEFAULT gst_hip_onnx_debug

/* --- which input is the picture --- */

static gboolean
is_extra (const HipOnnxModelConfig * config, const gchar * name)
{
  return config->extra_inputs
      && gst_structure_has_field (config->extra_inputs, name);
}

static gchar *
list_inputs (const HipOrtSession * session)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < session->n_inputs; i++) {
    g_autofree gchar *what = hip_ort_describe_tensor (&session->inputs[i]);

    g_string_append_printf (text, "%s\"%s\" (%s)", i ? ", " : "",
        session->inputs[i].name, what);
  }
  return g_string_free (text, FALSE);
}

static gboolean
find_image (HipOnnxModel * self, const HipOnnxModelConfig * config,
    GError ** error)
{
  HipOrtSession *session = self->session;
  g_autofree gchar *all = list_inputs (session);
  guint candidates = 0;

  for (gsize i = 0; i < session->n_inputs; i++) {
    const gchar *name = session->inputs[i].name;

    if (config->image_input ? strcmp (name, config->image_input) == 0 :
        !is_extra (config, name)) {
      self->image_index = i;
      candidates++;
    }
  }
  if (candidates == 1)
    return TRUE;
  if (session->n_inputs == 0)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "the model has no input, so it cannot see pictures");
  else if (config->image_input && candidates == 0)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the model has no input \"%s\" (image-input); it has %s",
        config->image_input, all);
  else if (candidates == 0)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "extra-inputs gives every input of the model, and none is left for "
        "the picture: %s", all);
  else
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the model has more than one input: %s. Give those that are not the "
        "picture a value with extra-inputs", all);
  return FALSE;
}

static gboolean
plan_image (HipOnnxModel * self, const HipOnnxModelConfig * config,
    GError ** error)
{
  const HipOrtTensor *tensor = &self->session->inputs[self->image_index];
  const HipModelInfoTensor *said = NULL;
  GError *why = NULL;

  if (self->info) {
    said = hip_model_info_find (self->info, tensor, TRUE, self->image_index,
        &why);
    if (why) {
      g_propagate_error (error, why);
      return FALSE;
    }
  }
  return hip_onnx_image_plan (&self->image, tensor, self->info != NULL, said,
      &config->image, error);
}

/* --- the other inputs --- */

static gboolean
refuse_extra (const HipOrtTensor * tensor, GError ** error, const gchar * why)
{
  g_autofree gchar *what = hip_ort_describe_tensor (tensor);

  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the model's input \"%s\" (%s) %s", tensor->name, what, why);
  return FALSE;
}

static gboolean
get_number (const GValue * value, gdouble * number)
{
  GValue as_double = G_VALUE_INIT;
  gboolean ok;

  g_value_init (&as_double, G_TYPE_DOUBLE);
  ok = g_value_transform (value, &as_double);
  *number = ok ? g_value_get_double (&as_double) : 0;
  g_value_unset (&as_double);
  return ok;
}

static GArray *
get_numbers (const GValue * value)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gboolean is_array = GST_VALUE_HOLDS_ARRAY (value);
  guint n = is_array ? gst_value_array_get_size (value) : 1;

  for (guint i = 0; i < n; i++) {
    gdouble number;

    if (!get_number (is_array ? gst_value_array_get_value (value, i) : value,
            &number))
      return NULL;
    g_array_append_val (numbers, number);
  }
  return g_steal_pointer (&numbers);
}

static gboolean
store (ONNXTensorElementDataType type, gpointer to, guint i, gdouble number)
{
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT:
      ((gfloat *) to)[i] = (gfloat) number;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE:
      ((gdouble *) to)[i] = number;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64:
      ((gint64 *) to)[i] = (gint64) number;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32:
      ((gint32 *) to)[i] = (gint32) number;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8:
      ((guint8 *) to)[i] = (guint8) number;
      return TRUE;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL:
      ((guint8 *) to)[i] = number != 0;
      return TRUE;
    default:
      return FALSE;
  }
}

/* As many as there are numbers; a dynamic dimension takes what is left. */
static gboolean
fill_dims (const HipOrtTensor * tensor, guint n, int64_t * dims)
{
  guint64 fixed = 1;
  gint free_dim = -1;

  for (guint i = 0; i < tensor->n_dims; i++) {
    dims[i] = tensor->dims[i];
    if (dims[i] < 0) {
      if (free_dim >= 0)
        dims[free_dim] = 1;
      free_dim = i;
    } else {
      fixed *= dims[i];
    }
  }
  if (free_dim >= 0) {
    dims[free_dim] = fixed ? n / fixed : 0;
    fixed *= dims[free_dim];
  }
  return fixed == n;
}

static gboolean
make_extra (HipOnnxModel * self, gsize index, const GValue * value,
    GError ** error)
{
  const HipOrtTensor *tensor = &self->session->inputs[index];
  const OrtApi *api = self->session->ort->api;
  g_autoptr (GArray) numbers = get_numbers (value);
  g_autofree int64_t *dims = g_new0 (int64_t, tensor->n_dims + 1);
  OrtAllocator *allocator;
  OrtStatus *status;
  void *data;

  if (!numbers || !fill_dims (tensor, numbers->len, dims))
    return refuse_extra (tensor, error,
        "is not what extra-inputs gives it: numbers, as many as it has "
        "elements");
  status = api->GetAllocatorWithDefaultOptions (&allocator);
  if (!status)
    status = api->CreateTensorAsOrtValue (allocator, dims, tensor->n_dims,
        tensor->type, &self->inputs[index]);
  if (!status)
    status = api->GetTensorMutableData (self->inputs[index], &data);
  if (!hip_ort_check (self->session->ort, status, GST_HIP_ERROR_FAILED,
          tensor->name, error))
    return FALSE;
  for (guint i = 0; i < numbers->len; i++) {
    if (!store (tensor->type, data, i, g_array_index (numbers, gdouble, i)))
      return refuse_extra (tensor, error,
          "cannot be given by extra-inputs: float32, float64, int64, int32, "
          "uint8 and bool can");
  }
  return TRUE;
}

static gboolean
make_inputs (HipOnnxModel * self, const HipOnnxModelConfig * config,
    GError ** error)
{
  HipOrtSession *session = self->session;

  self->inputs = g_new0 (OrtValue *, session->n_inputs);
  for (gsize i = 0; i < session->n_inputs; i++) {
    if (i == self->image_index)
      continue;
    if (!is_extra (config, session->inputs[i].name))
      return refuse_extra (&session->inputs[i], error,
          "is not the picture: give it a value with extra-inputs");
    if (!make_extra (self, i, gst_structure_get_value (config->extra_inputs,
                session->inputs[i].name), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_extra_names (HipOnnxModel * self, const HipOnnxModelConfig * config,
    GError ** error)
{
  gint n = config->extra_inputs ?
      gst_structure_n_fields (config->extra_inputs) : 0;

  for (gint i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (config->extra_inputs, i);
    gboolean found = FALSE;

    for (gsize j = 0; j < self->session->n_inputs; j++)
      found |= strcmp (self->session->inputs[j].name, name) == 0;
    if (!found) {
      g_autofree gchar *all = list_inputs (self->session);

      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
          "the model has no input \"%s\" (extra-inputs); it has %s", name, all);
      return FALSE;
    }
  }
  return TRUE;
}

/* --- all of it --- */

HipOnnxModel *
hip_onnx_model_new (const HipOnnxModelConfig * config, GError ** error)
{
  g_autoptr (HipOnnxModel) self = g_new0 (HipOnnxModel, 1);
  GError *why = NULL;

  self->session = hip_ort_session_new (&config->session, error);
  if (!self->session
      || !hip_model_info_load (config->info_file, config->session.model_file,
          &self->info, error)
      || !check_extra_names (self, config, error)
      || !find_image (self, config, error)
      || !plan_image (self, config, error)
      || !make_inputs (self, config, error)
      || !hip_onnx_model_plan_outputs (self, error))
    return NULL;
  if (self->info && self->info->group_id)
    self->group = g_quark_from_string (self->info->group_id);
  self->binding = hip_onnx_binding_new (self->session, config->session.device,
      config->session.stream, &why);
  if (why) {
    g_propagate_error (error, why);
    return NULL;
  }
  return g_steal_pointer (&self);
}

void
hip_onnx_model_free (HipOnnxModel * self)
{
  for (gsize i = 0; self->inputs && i < self->session->n_inputs; i++) {
    if (self->inputs[i])
      self->session->ort->api->ReleaseValue (self->inputs[i]);
  }
  g_free (self->inputs);
  g_free (self->outputs);
  g_clear_pointer (&self->binding, hip_onnx_binding_free);
  hip_onnx_image_clear (&self->image);
  g_clear_pointer (&self->info, hip_model_info_free);
  g_clear_pointer (&self->session, hip_ort_session_free);
  g_free (self);
}

void
hip_onnx_results_free (GstTensor *** results, guint n, gsize n_outputs)
{
  for (guint i = 0; i < n; i++) {
    for (gsize j = 0; results[i] && j < n_outputs; j++) {
      if (results[i][j])
        gst_tensor_free (results[i][j]);
    }
    g_free (results[i]);
    results[i] = NULL;
  }
}

static gboolean
run (HipOnnxModel * self, gpointer data, gsize size, const gint64 * dims,
    OrtValue ** outputs, GError ** error)
{
  HipOrtSession *session = self->session;
  const OrtApi *api = session->ort->api;
  g_autofree const OrtValue **inputs = g_new (const OrtValue *,
      session->n_inputs);
  OrtValue *picture = NULL;
  OrtStatus *status;
  gboolean ok;

  hip_ort_log_begin ();
  status = api->CreateTensorWithDataAsOrtValue (session->ort->cpu_memory, data,
      size, (const int64_t *) dims, self->image.n_dims,
      session->inputs[self->image_index].type, &picture);
  if (!hip_ort_check (session->ort, status, GST_HIP_ERROR_FAILED,
          "the picture's tensor", error))
    return FALSE;
  for (gsize i = 0; i < session->n_inputs; i++)
    inputs[i] = i == self->image_index ? picture : self->inputs[i];
  ok = hip_ort_session_run (session, inputs, outputs, error);
  api->ReleaseValue (picture);
  return ok;
}

static gboolean
run_on_cpu (HipOnnxModel * self, GstMemory * tensor, gsize offset, gsize size,
    const gint64 * dims, HipOnnxResult kind, GstHipDevice * device,
    HipOnnxValue * values, GstMemory ** wholes, GError ** error)
{
  gsize n = self->session->n_outputs;
  g_autofree OrtValue **outputs = g_new0 (OrtValue *, n + 1);
  g_autoptr (GError) before = gst_hip_take_error ();
  GstMapInfo map;
  gboolean ok;

  if (!gst_memory_map (tensor, &map, GST_MAP_READ)) {
    GError *why = gst_hip_take_error ();

    g_propagate_error (error, why ? why : g_error_new_literal (GST_HIP_ERROR,
            GST_HIP_ERROR_FAILED, "the picture's tensor cannot be mapped"));
    return FALSE;
  }
  ok = run (self, map.data + offset, size, dims, outputs, error);
  gst_memory_unmap (tensor, &map);
  for (gsize i = 0; i < n; i++) {
    if (ok)
      ok = hip_onnx_value_init (&values[i], self->session->ort, outputs[i],
          error)
          && hip_onnx_output_get_memory (self, i, &values[i], kind, device,
          &wholes[i], error);
    else if (outputs[i])
      self->session->ort->api->ReleaseValue (outputs[i]);
  }
  return ok;
}

gboolean
hip_onnx_model_run (HipOnnxModel * self, GstMemory * tensor, gsize offset,
    gsize size, const gint64 * dims, guint n, HipOnnxResult kind,
    GstHipDevice * device, GstTensor *** results, GError ** error)
{
  gsize n_outputs = self->session->n_outputs;
  guint batch = self->image.batch_dim < 0 ? 1 : (guint) dims[0];
  g_autofree HipOnnxValue *values = g_new0 (HipOnnxValue, n_outputs + 1);
  g_autofree GstMemory **wholes = g_new0 (GstMemory *, n_outputs + 1);
  gboolean ok;

  for (guint i = 0; i < n; i++)
    results[i] = g_new0 (GstTensor *, n_outputs);
  ok = self->binding ? hip_onnx_binding_run (self->binding, tensor, offset,
      size, dims, self->image.n_dims, self->image_index, self->inputs,
      kind == HIP_ONNX_RESULT_HIP, values, wholes, error) :
      run_on_cpu (self, tensor, offset, size, dims, kind, device, values,
      wholes, error);
  for (gsize i = 0; i < n_outputs; i++) {
    if (ok)
      ok = hip_onnx_output_split (self, i, &values[i], wholes[i], batch, n,
          results, error);
    if (wholes[i])
      gst_memory_unref (wholes[i]);
    hip_onnx_value_clear (&values[i], self->session->ort);
  }
  if (!ok)
    hip_onnx_results_free (results, n, n_outputs);
  return ok;
}
