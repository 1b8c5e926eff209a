/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A model that reads and writes a device's memory where it is. Who may include
 * this: the plugin's own files. */
#pragma once

#include "ort-session.h"

G_BEGIN_DECLS

typedef struct _HipOnnxBinding HipOnnxBinding;

/* What a run has made, an OrtValue whose memory is the runtime's */
typedef struct
{
  OrtValue *value;
  int64_t *dims;
  gsize n_dims, count;
  guint8 *data;                 /* on the device, where the output was bound to it */
} HipOnnxValue;

/* Takes value. */
gboolean hip_onnx_value_init (HipOnnxValue * self, const HipOrtRuntime * ort, OrtValue * value, GError ** error);
/* Lets go of what it still has. */
void hip_onnx_value_clear (HipOnnxValue * self, const HipOrtRuntime * ort);
/* The value's memory, which has it from now on; NULL with *error set. device: (nullable): of data, else it is the CPU's. */
GstMemory * hip_onnx_value_wrap (HipOnnxValue * self, const HipOrtRuntime * ort, gsize size, GstHipDevice * device,
                                 GError ** error);

/* NULL without *error: the session's provider does not work on the device's memory. stream: that the provider was given. */
HipOnnxBinding * hip_onnx_binding_new (HipOrtSession * session, GstHipDevice * device, GstHipStream * stream,
                                       GError ** error);
void hip_onnx_binding_free (HipOnnxBinding * binding);

/* Queues a run behind what is pending on tensor, which is picture input image_index; inputs: the others.
 * Results: for each output a memory of all of it (NULL: it is empty), of the device or page-locked, and values that say what
 * is in it and have no memory any more.
 * Blocking: where the provider has no stream of ours: until the model has run. */
gboolean hip_onnx_binding_run (HipOnnxBinding * binding, GstMemory * tensor, gsize offset, gsize size,
                               const gint64 * dims, guint n_dims, gsize image_index, OrtValue ** inputs,
                               gboolean keep_on_device, HipOnnxValue * values, GstMemory ** wholes, GError ** error);

G_END_DECLS
