/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the tests of hiponnxinference share: the element with a model in a
 * harness, frames, and looks at tensors. */
#pragma once

#include <string.h>

#include <gst/analytics/analytics.h>
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

static inline gchar *
model_path (const gchar * name)
{
  return g_strconcat (g_getenv ("GST_HIP_TEST_MODELS"), "/", name, ".onnx", NULL);
}

/* GST_HIP_TEST_PROVIDER: what to run models on, where that is not the CPU; GST_HIP_TEST_GRAPHS: as CUDA graphs, where the
 * picture is the only input.
 * properties: as gst_util_set_object_arg () takes them: name, value, ..., NULL */
static inline GstElement *
make_inference (const gchar * model, ...)
{
  GstElement *element = gst_element_factory_make ("hiponnxinference", NULL);
  const gchar *provider = g_getenv ("GST_HIP_TEST_PROVIDER");
  g_autofree gchar *path = model_path (model);
  const gchar *name;
  gboolean graphs = g_getenv ("GST_HIP_TEST_GRAPHS") != NULL;
  va_list args;

  fail_unless (element != NULL, "no hiponnxinference");
  g_object_set (element, "model-file", path, "threads", 1, NULL);
  if (provider)
    gst_util_set_object_arg (G_OBJECT (element), "execution-provider", provider);
  va_start (args, model);
  while ((name = va_arg (args, const gchar *))) {
    gst_util_set_object_arg (G_OBJECT (element), name, va_arg (args, const gchar *));
    graphs = graphs && strcmp (name, "extra-inputs") != 0 && strcmp (name, "provider-options") != 0;
  }
  va_end (args);
  if (graphs)
    gst_util_set_object_arg (G_OBJECT (element), "provider-options", "options,enable_cuda_graph=true");
  return element;
}

/* Takes element */
static inline GstHarness *
harness_for (GstElement * element, const gchar * format, guint width, guint height)
{
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");
  g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=%u,height=%u,framerate=25/1", format, width,
      height);

  gst_object_unref (element);
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

/* A tightly packed frame; its bytes are from, from + 1, ... */
static inline GstBuffer *
counting_frame (gsize size, guint8 from)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < size; i++)
    map.data[i] = (guint8) (from + i);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* The only tensor meta's tensor; NULL if there are fewer */
static inline const GstTensor *
get_tensor (GstBuffer * buffer, gsize index)
{
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (buffer);

  fail_unless (meta != NULL, "no tensors");
  return index < meta->num_tensors ? gst_tensor_meta_get (meta, index) : NULL;
}

/* dims: n of them */
static inline void
check_tensor (const GstTensor * tensor, GstTensorDataType type, const gchar * id, guint n, ...)
{
  va_list dims;

  fail_unless (tensor != NULL);
  fail_unless_equals_int (tensor->data_type, type);
  fail_unless_equals_int (tensor->layout, GST_TENSOR_LAYOUT_CONTIGUOUS);
  fail_unless_equals_string (g_quark_to_string (tensor->id), id);
  fail_unless_equals_int (tensor->num_dims, n);
  va_start (dims, n);
  for (guint i = 0; i < n; i++)
    fail_unless_equals_uint64 (tensor->dims[i], va_arg (dims, guint));
  va_end (dims);
}
