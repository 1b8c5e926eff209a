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

typedef struct
{
  const OrtApi *api;
  OrtValue *value;
} Owner;

static void
owner_clear (gpointer data)
{
  Owner *owner = data;

  owner->api->ReleaseValue (owner->value);
}

static void
owner_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, owner_clear);
}

static GstMemory *
in_system_memory (Owner * owner, guint8 * data, gsize size)
{
  return gst_memory_new_wrapped (0, data, size, 0, size,
      g_atomic_rc_box_acquire (owner), owner_unref);
}

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

typedef struct
{
  gsize n_dims, count;
  int64_t *dims;
  guint8 *data;
} Shape;

static gboolean
read_value (HipOnnxModel * self, OrtValue * value, Shape * shape,
    GError ** error)
{
  const OrtApi *api = self->session->ort->api;
  OrtTensorTypeAndShapeInfo *info = NULL;
  size_t n = 0, count = 0;
  OrtStatus *status;

  status = api->GetTensorTypeAndShape (value, &info);
  if (!status)
    status = api->GetDimensionsCount (info, &n);
  if (!status) {
    shape->dims = g_new0 (int64_t, n + 1);
    status = api->GetDimensions (info, shape->dims, n);
  }
  if (!status)
    status = api->GetTensorShapeElementCount (info, &count);
  if (!status)
    status = api->GetTensorMutableData (value, (void **) &shape->data);
  if (info)
    api->ReleaseTensorTypeAndShapeInfo (info);
  shape->n_dims = n;
  shape->count = count;
  return hip_ort_check (self->session->ort, status, GST_HIP_ERROR_FAILED,
      "an output cannot be read", error);
}

/* Whether pictures have slices of their own in it */
static gboolean
check_batch (const HipOnnxOutput * output, const Shape * shape, guint batch,
    GError ** error)
{
  if (batch == 1)
    return TRUE;
  if (shape->n_dims > 0 && shape->dims[0] == batch
      && shape->count / batch * output->bits % 8 == 0)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
      "the model's output \"%s\" does not begin with a dimension of %u "
      "pictures, so nobody knows which part is whose: set batch-size=1",
      output->name, batch);
  return FALSE;
}

static GstTensor *
make_tensor (const HipOnnxOutput * output, const Shape * shape, guint batch,
    GstBuffer * data)
{
  GstTensor *tensor = gst_tensor_alloc (shape->n_dims);

  tensor->id = output->id;
  tensor->layout = GST_TENSOR_LAYOUT_CONTIGUOUS;
  tensor->data_type = output->type;
  tensor->data = data;
  tensor->dims_order = output->order;
  tensor->num_dims = shape->n_dims;
  for (gsize i = 0; i < shape->n_dims; i++)
    tensor->dims[i] = (gsize) shape->dims[i];
  if (batch > 1)
    tensor->dims[0] = 1;
  return tensor;
}

gboolean
hip_onnx_output_split (HipOnnxModel * self, gsize index, OrtValue * value,
    guint batch, guint n, HipOnnxResult kind, GstHipDevice * device,
    GstTensor *** results, GError ** error)
{
  const HipOnnxOutput *output = &self->outputs[index];
  Owner *owner = g_atomic_rc_box_new0 (Owner);
  Shape shape = { 0, };
  gboolean ok;
  gsize size;

  owner->api = self->session->ort->api;
  owner->value = value;
  ok = read_value (self, value, &shape, error)
      && check_batch (output, &shape, batch, error);
  size = (shape.count / batch * output->bits + 7) / 8;
  for (guint i = 0; ok && i < n; i++) {
    GstBuffer *buffer = gst_buffer_new ();
    guint8 *data = shape.data + i * size;
    GstMemory *memory = NULL;

    /* There may be nothing, of which there is no memory. */
    if (size > 0) {
      memory = kind == HIP_ONNX_RESULT_HIP ?
          in_hip_memory (device, data, size, error) :
          in_system_memory (owner, data, size);
      ok = memory != NULL;
    }
    if (memory)
      gst_buffer_append_memory (buffer, memory);
    results[i][index] = make_tensor (output, &shape, batch, buffer);
  }
  g_free (shape.dims);
  owner_unref (owner);
  return ok;
}
