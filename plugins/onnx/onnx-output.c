/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How do a model's outputs become GstTensors of each picture? The runtime's own
 * memory is handed on, which goes back to it with the last buffer that shows a
 * part of it. Must not know elements.
 */
#include "config.h"

#include <string.h>

#include "onnx-model.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_onnx_debug);
#define GST_CAT_DEFAULT gst_hip_onnx_debug

typedef struct
{
  ONNXTensorElementDataType ort;
  GstTensorDataType gst;
} TypePair;

/* *INDENT-OFF* */
static const TypePair types[] = {
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, GST_TENSOR_DATA_TYPE_FLOAT32 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, GST_TENSOR_DATA_TYPE_FLOAT16 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, GST_TENSOR_DATA_TYPE_BFLOAT16 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, GST_TENSOR_DATA_TYPE_FLOAT64 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, GST_TENSOR_DATA_TYPE_UINT8 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, GST_TENSOR_DATA_TYPE_INT8 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, GST_TENSOR_DATA_TYPE_UINT16 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, GST_TENSOR_DATA_TYPE_INT16 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, GST_TENSOR_DATA_TYPE_UINT32 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, GST_TENSOR_DATA_TYPE_INT32 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, GST_TENSOR_DATA_TYPE_UINT64 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, GST_TENSOR_DATA_TYPE_INT64 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4, GST_TENSOR_DATA_TYPE_UINT4 },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4, GST_TENSOR_DATA_TYPE_INT4 },
};
/* *INDENT-ON* */

/* --- before the first run --- */

static gboolean
find_type (ONNXTensorElementDataType ort, GstTensorDataType * gst)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    if (types[i].ort == ort) {
      *gst = types[i].gst;
      return TRUE;
    }
  }
  return FALSE;
}

/* From the model-info, the model's metadata, the tensor's name, in that order */
static gchar *
find_id (HipOnnxModel * self, const HipOrtTensor * tensor,
    const HipModelInfoTensor * said)
{
  g_autofree gchar *key = g_strconcat ("gst-tensor-id:", tensor->name, NULL);
  gchar *id;

  if (said && said->id && *said->id)
    return g_strdup (said->id);
  id = hip_ort_session_get_metadata (self->session, key);
  return id ? id : g_strdup (tensor->name);
}

static gboolean
plan_output (HipOnnxModel * self, gsize index, GError ** error)
{
  const HipOrtTensor *tensor = &self->session->outputs[index];
  HipOnnxOutput *output = &self->outputs[index];
  const HipModelInfoTensor *said = NULL;
  g_autofree gchar *what = hip_ort_describe_tensor (tensor), *id = NULL;
  GError *why = NULL;

  if (!find_type (tensor->type, &output->type)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "the model's output \"%s\" (%s) is nothing that a GstTensor can hold",
        tensor->name, what);
    return FALSE;
  }
  if (self->info) {
    said = hip_model_info_find (self->info, tensor, FALSE, index, &why);
    if (why) {
      g_propagate_error (error, why);
      return FALSE;
    }
  }
  id = find_id (self, tensor, said);
  output->name = tensor->name;
  output->id = g_quark_from_string (id);
  output->order = said ? said->dims_order : GST_TENSOR_DIM_ORDER_ROW_MAJOR;
  output->bits = hip_ort_type_get_bits (tensor->type);
  GST_INFO ("output %s is tensor %s", tensor->name, id);
  return TRUE;
}

gboolean
hip_onnx_model_plan_outputs (HipOnnxModel * self, GError ** error)
{
  self->outputs = g_new0 (HipOnnxOutput, self->session->n_outputs + 1);
  for (gsize i = 0; i < self->session->n_outputs; i++) {
    if (!plan_output (self, i, error))
      return FALSE;
  }
  return TRUE;
}

/* --- results --- */

/* Page-locked: the device reads it where it is. */
static GstMemory *
in_hip_memory (GstHipDevice * device, const guint8 * data, gsize size,
    GError ** error)
{
  GstMemory *memory =
      gst_hip_allocator_alloc_pinned (NULL, device, size, error);
  GstMapInfo map;

  if (memory && gst_memory_map (memory, &map, GST_MAP_WRITE)) {
    memcpy (map.data, data, size);
    gst_memory_unmap (memory, &map);
  }
  return memory;
}

gboolean
hip_onnx_output_get_memory (HipOnnxModel * self, gsize index,
    HipOnnxValue * value, HipOnnxResult kind, GstHipDevice * device,
    GstMemory ** whole, GError ** error)
{
  gsize size = (value->count * self->outputs[index].bits + 7) / 8;

  /* There may be nothing, of which there is no memory. */
  *whole = NULL;
  if (size == 0)
    return TRUE;
  *whole = kind == HIP_ONNX_RESULT_HIP ?
      in_hip_memory (device, value->data, size, error) :
      hip_onnx_value_wrap (value, self->session->ort, size, NULL, error);
  return *whole != NULL;
}

/* Whether pictures have slices of their own in it */
static gboolean
check_batch (const HipOnnxOutput * output, const HipOnnxValue * value,
    guint batch, GError ** error)
{
  if (batch == 1)
    return TRUE;
  if (value->n_dims > 0 && value->dims[0] == batch
      && value->count / batch * output->bits % 8 == 0)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
      "the model's output \"%s\" does not begin with a dimension of %u "
      "pictures, so nobody knows which part is whose: set batch-size=1",
      output->name, batch);
  return FALSE;
}

static GstTensor *
make_tensor (const HipOnnxOutput * output, const HipOnnxValue * value,
    guint batch, GstMemory * part)
{
  GstTensor *tensor = gst_tensor_alloc (value->n_dims);

  tensor->id = output->id;
  tensor->layout = GST_TENSOR_LAYOUT_CONTIGUOUS;
  tensor->data_type = output->type;
  tensor->data = gst_buffer_new ();
  if (part)
    gst_buffer_append_memory (tensor->data, part);
  tensor->dims_order = output->order;
  tensor->num_dims = value->n_dims;
  for (gsize i = 0; i < value->n_dims; i++)
    tensor->dims[i] = (gsize) value->dims[i];
  if (batch > 1)
    tensor->dims[0] = 1;
  return tensor;
}

gboolean
hip_onnx_output_split (HipOnnxModel * self, gsize index,
    const HipOnnxValue * value, GstMemory * whole, guint batch, guint n,
    GstTensor *** results, GError ** error)
{
  const HipOnnxOutput *output = &self->outputs[index];
  gsize size = (value->count / batch * output->bits + 7) / 8;

  if (!check_batch (output, value, batch, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    GstMemory *part = NULL;

    if (whole)
      part = batch == 1 ? gst_memory_ref (whole) :
          gst_memory_share (whole, (gssize) (i * size), (gssize) size);
    results[i][index] = make_tensor (output, value, batch, part);
  }
  return TRUE;
}
