/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A model as CUDA graphs, one for each tensor that is in flight. Who may include
 * this: onnx-binding.c. */
#pragma once

#include "onnx-binding.h"

G_BEGIN_DECLS

typedef struct _HipOnnxGraphs HipOnnxGraphs;

/* memory: of the device, for the runtime; outlives it, as session does. */
HipOnnxGraphs * hip_onnx_graphs_new (HipOrtSession * session, GstHipDevice * device, GstHipStream * stream,
                                     const OrtMemoryInfo * memory);
void hip_onnx_graphs_free (HipOnnxGraphs * graphs);

/* What a run without a graph has made of a tensor of this shape */
void hip_onnx_graphs_learn (HipOnnxGraphs * graphs, const gint64 * dims, guint n_dims, const HipOnnxValue * values);

/* Queues a run as a graph; *ran FALSE with TRUE: there is none for it, and a run without one is to be. values: what its
 * outputs are like. on_device: nullable where an output is empty, where they are until the stream runs the same graph again. */
gboolean hip_onnx_graphs_run (HipOnnxGraphs * graphs, gpointer address, gsize size, const gint64 * dims, guint n_dims,
                              HipOnnxValue * values, GstMemory ** on_device, gboolean * ran, GError ** error);

G_END_DECLS
