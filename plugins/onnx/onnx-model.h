/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A model as the element uses it: a tensor of pictures goes in, each picture's
 * results come out as GstTensor.
 *
 * Who may include this: the plugin's own files and its tests.
 */
#pragma once

#include "onnx-binding.h"
#include "onnx-image.h"

G_BEGIN_DECLS

typedef struct
{
  HipOrtSessionConfig session;
  const gchar *info_file;       /* nullable */
  const gchar *image_input;     /* nullable: the only input that extra_inputs does not name */
  const GstStructure *extra_inputs;     /* nullable: by name of the input: a number or an array of numbers */
  HipOnnxImageSettings image;
} HipOnnxModelConfig;

/* What is known of an output before it is there */
typedef struct
{
  const gchar *name;
  GQuark id;
  GstTensorDataType type;
  GstTensorDimOrder order;
  guint bits;
} HipOnnxOutput;

typedef struct
{
  HipOrtSession *session;
  HipModelInfo *info;           /* nullable */
  HipOnnxImage image;
  gsize image_index;
  OrtValue **inputs;            /* by input; NULL where the picture is */
  HipOnnxOutput *outputs;
  GQuark group;                 /* 0: none */
  HipOnnxBinding *binding;      /* NULL: tensors are the CPU's */
} HipOnnxModel;

/* What the tensors of results are to be in */
typedef enum
{
  HIP_ONNX_RESULT_SYSTEM,
  HIP_ONNX_RESULT_HIP,          /* memory that a map with GST_MAP_HIP gives the device's address of */
} HipOnnxResult;

HipOnnxModel * hip_onnx_model_new (const HipOnnxModelConfig * config, GError ** error);
void hip_onnx_model_free (HipOnnxModel * model);

/* Runs the model on n of the pictures in tensor, whose shape is dims. results: n arrays of one GstTensor for each output, to
 * be freed by the caller. device: for results in HIP memory.
 * Blocking: until the model has run. Threads: one at a time. */
gboolean hip_onnx_model_run (HipOnnxModel * model, GstMemory * tensor, gsize offset, gsize size, const gint64 * dims,
                             guint n, HipOnnxResult kind, GstHipDevice * device, GstTensor *** results,
                             GError ** error);
void hip_onnx_results_free (GstTensor *** results, guint n, gsize n_outputs);

/* --- onnx-output.c --- */
/* Plans the outputs; FALSE with the tensor that cannot be said and why. */
gboolean hip_onnx_model_plan_outputs (HipOnnxModel * model, GError ** error);
/* The memory of all of an output that is in CPU memory; NULL with TRUE: it is empty */
gboolean hip_onnx_output_get_memory (HipOnnxModel * model, gsize index, HipOnnxValue * value, HipOnnxResult kind,
                                     GstHipDevice * device, GstMemory ** whole, GError ** error);
/* Makes GstTensors of one output of a run over batch pictures, for the first n of them. */
gboolean hip_onnx_output_split (HipOnnxModel * model, gsize index, const HipOnnxValue * value, GstMemory * whole,
                                guint batch, guint n, GstTensor *** results, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipOnnxModel, hip_onnx_model_free)

G_END_DECLS
