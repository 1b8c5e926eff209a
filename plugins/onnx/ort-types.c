/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What are elements of tensors called, and how large are they?
 */
#include "config.h"

#include "ort-session.h"

typedef struct
{
  ONNXTensorElementDataType type;
  guint bits;
  const gchar *name;
} TypeRow;

/* *INDENT-OFF* */
static const TypeRow types[] = {
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 32, "float32" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, 16, "float16" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, 16, "bfloat16" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, 64, "float64" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, 8, "uint8" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, 8, "int8" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, 16, "uint16" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, 16, "int16" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, 32, "uint32" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, 32, "int32" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, 64, "uint64" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, 64, "int64" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4, 4, "uint4" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4, 4, "int4" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, 8, "bool" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, 0, "string" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64, 64, "complex64" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128, 128, "complex128" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN, 8, "float8e4m3fn" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ, 8, "float8e4m3fnuz" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2, 8, "float8e5m2" },
  { ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ, 8, "float8e5m2fnuz" },
};
/* *INDENT-ON* */

static const TypeRow *
find (ONNXTensorElementDataType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    if (types[i].type == type)
      return &types[i];
  }
  return NULL;
}

const gchar *
hip_ort_type_get_name (ONNXTensorElementDataType type)
{
  const TypeRow *row = find (type);

  return row ? row->name : "something that is no tensor";
}

guint
hip_ort_type_get_bits (ONNXTensorElementDataType type)
{
  const TypeRow *row = find (type);

  return row ? row->bits : 0;
}

gchar *
hip_ort_describe_tensor (const HipOrtTensor * tensor)
{
  GString *text = g_string_new (hip_ort_type_get_name (tensor->type));

  g_string_append_c (text, ' ');
  for (guint i = 0; i < tensor->n_dims; i++) {
    if (i)
      g_string_append_c (text, 'x');
    if (tensor->dims[i] < 0)
      g_string_append_c (text, '?');
    else
      g_string_append_printf (text, "%" G_GINT64_FORMAT, tensor->dims[i]);
  }
  if (tensor->n_dims == 0)
    g_string_append (text, "without dimensions");
  return g_string_free (text, FALSE);
}
