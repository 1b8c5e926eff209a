/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* With which provider does a model run, and how is that told which device and
 * which stream to use? Must not know models. Invariant: a provider that was
 * asked for by name is used or is an error with what is missing.
 */
#include "config.h"

#include "ort-session.h"

typedef struct
{
  HipOrtProvider provider;
  const gchar *name;            /* the property's value */
  const gchar *ort_name;
} ProviderRow;

/* *INDENT-OFF* */
static const ProviderRow rows[] = {
  { HIP_ORT_PROVIDER_AUTO, "auto", NULL },
  { HIP_ORT_PROVIDER_CPU, "cpu", "CPUExecutionProvider" },
  { HIP_ORT_PROVIDER_CUDA, "cuda", "CUDAExecutionProvider" },
  { HIP_ORT_PROVIDER_TENSORRT, "tensorrt", "TensorrtExecutionProvider" },
  { HIP_ORT_PROVIDER_MIGRAPHX, "migraphx", "MIGraphXExecutionProvider" },
  { HIP_ORT_PROVIDER_ROCM, "rocm", "ROCMExecutionProvider" },
};
/* *INDENT-ON* */

const gchar *
hip_ort_provider_get_name (HipOrtProvider provider)
{
  return rows[provider].name;
}

void
hip_ort_get_candidates (GstHipDevice * device, HipOrtProvider candidates[3])
{
  guint n = 0;

  switch (device ? gst_hip_device_get_vendor (device) : GST_HIP_VENDOR_HOST) {
    case GST_HIP_VENDOR_NVIDIA:
      candidates[n++] = HIP_ORT_PROVIDER_CUDA;
      break;
    case GST_HIP_VENDOR_AMD:
      candidates[n++] = HIP_ORT_PROVIDER_MIGRAPHX;
      candidates[n++] = HIP_ORT_PROVIDER_ROCM;
      break;
    case GST_HIP_VENDOR_HOST:
    case GST_HIP_VENDOR_UNKNOWN:
    default:
      break;
  }
  candidates[n] = HIP_ORT_PROVIDER_AUTO;
}

/* --- options as strings --- */

typedef struct
{
  GPtrArray *keys, *values;
} Options;

static void
options_add (Options * self, const gchar * key, const gchar * value)
{
  g_ptr_array_add (self->keys, g_strdup (key));
  g_ptr_array_add (self->values, g_strdup (value));
}

static gboolean
options_add_field (GQuark field, const GValue * value, gpointer data)
{
  GValue text = G_VALUE_INIT;

  g_value_init (&text, G_TYPE_STRING);
  if (G_VALUE_HOLDS_BOOLEAN (value))
    options_add (data, g_quark_to_string (field),
        g_value_get_boolean (value) ? "1" : "0");
  else if (g_value_transform (value, &text))
    options_add (data, g_quark_to_string (field), g_value_get_string (&text));
  g_value_unset (&text);
  return TRUE;
}

static void
options_init (Options * self, const HipOrtSessionConfig * config)
{
  g_autofree gchar *id = NULL;

  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func (g_free);
  id = g_strdup_printf ("%u", gst_hip_device_get_device_id (config->device));
  if (!config->provider_options
      || !gst_structure_has_field (config->provider_options, "device_id"))
    options_add (self, "device_id", id);
  if (config->provider_options)
    gst_structure_foreach (config->provider_options, options_add_field, self);
}

static void
options_clear (Options * self)
{
  g_ptr_array_unref (self->keys);
  g_ptr_array_unref (self->values);
}

#define KEYS(o) ((const char *const *) (o)->keys->pdata)
#define VALUES(o) ((const char *const *) (o)->values->pdata)

gboolean
hip_ort_wants_graphs (const HipOrtSessionConfig * config,
    HipOrtProvider provider)
{
  gboolean wants = FALSE;
  Options strings;

  if (provider != HIP_ORT_PROVIDER_CUDA || !config->provider_options)
    return FALSE;
  options_init (&strings, config);
  for (guint i = 0; i < strings.keys->len; i++) {
    if (g_str_equal (g_ptr_array_index (strings.keys, i), "enable_cuda_graph"))
      wants = g_str_equal (g_ptr_array_index (strings.values, i), "1");
  }
  options_clear (&strings);
  return wants;
}

/* --- each provider --- */

static gpointer
native_stream (const HipOrtSessionConfig * config)
{
  return config->stream ? (gpointer)
      gst_hip_stream_get_native_handle (config->stream) : NULL;
}

/* The stream comes after the strings, which make all options new. */
static OrtStatus *
append_cuda (const OrtApi * api, OrtSessionOptions * options,
    const HipOrtSessionConfig * config, const Options * strings)
{
  OrtCUDAProviderOptionsV2 *cuda = NULL;
  OrtStatus *status = api->CreateCUDAProviderOptions (&cuda);

  if (!status)
    status = api->UpdateCUDAProviderOptions (cuda, KEYS (strings),
        VALUES (strings), strings->keys->len);
  if (!status && native_stream (config))
    status = api->UpdateCUDAProviderOptionsWithValue (cuda,
        "user_compute_stream", native_stream (config));
  if (!status)
    status = api->SessionOptionsAppendExecutionProvider_CUDA_V2 (options, cuda);
  if (cuda)
    api->ReleaseCUDAProviderOptions (cuda);
  return status;
}

static OrtStatus *
append_tensorrt (const OrtApi * api, OrtSessionOptions * options,
    const HipOrtSessionConfig * config, const Options * strings)
{
  OrtTensorRTProviderOptionsV2 *rt = NULL;
  OrtStatus *status = api->CreateTensorRTProviderOptions (&rt);

  if (!status)
    status = api->UpdateTensorRTProviderOptions (rt, KEYS (strings),
        VALUES (strings), strings->keys->len);
  if (!status && native_stream (config))
    status = api->UpdateTensorRTProviderOptionsWithValue (rt,
        "user_compute_stream", native_stream (config));
  if (!status)
    status = api->SessionOptionsAppendExecutionProvider_TensorRT_V2 (options,
        rt);
  if (rt)
    api->ReleaseTensorRTProviderOptions (rt);
  return status;
}

static OrtStatus *
append_rocm (const OrtApi * api, OrtSessionOptions * options,
    const HipOrtSessionConfig * config, const Options * strings)
{
  OrtROCMProviderOptions *rocm = NULL;
  OrtStatus *status = api->CreateROCMProviderOptions (&rocm);

  if (!status)
    status = api->UpdateROCMProviderOptions (rocm, KEYS (strings),
        VALUES (strings), strings->keys->len);
  if (!status && native_stream (config)) {
    rocm->has_user_compute_stream = 1;
    rocm->user_compute_stream = native_stream (config);
  }
  if (!status)
    status = api->SessionOptionsAppendExecutionProvider_ROCM (options, rocm);
  if (rocm)
    api->ReleaseROCMProviderOptions (rocm);
  return status;
}

/* Takes no stream: results are waited for before frames go on. */
static OrtStatus *
append_migraphx (const OrtApi * api, OrtSessionOptions * options,
    const HipOrtSessionConfig * config, const Options * strings)
{
  OrtMIGraphXProviderOptions migraphx = { 0, };

  migraphx.device_id = (int) gst_hip_device_get_device_id (config->device);
  if (config->provider_options) {
    gst_structure_get_int (config->provider_options, "migraphx_fp16_enable",
        &migraphx.migraphx_fp16_enable);
    gst_structure_get_int (config->provider_options, "migraphx_int8_enable",
        &migraphx.migraphx_int8_enable);
  }
  return api->SessionOptionsAppendExecutionProvider_MIGraphX (options,
      &migraphx);
}

static GstHipVendor
vendor_of (HipOrtProvider provider)
{
  switch (provider) {
    case HIP_ORT_PROVIDER_CUDA:
    case HIP_ORT_PROVIDER_TENSORRT:
      return GST_HIP_VENDOR_NVIDIA;
    case HIP_ORT_PROVIDER_MIGRAPHX:
    case HIP_ORT_PROVIDER_ROCM:
      return GST_HIP_VENDOR_AMD;
    case HIP_ORT_PROVIDER_AUTO:
    case HIP_ORT_PROVIDER_CPU:
    default:
      return GST_HIP_VENDOR_UNKNOWN;
  }
}

static gboolean
is_possible (const HipOrtRuntime * ort, const HipOrtSessionConfig * config,
    HipOrtProvider provider, GError ** error)
{
  g_autofree gchar *all = NULL;

  if (!g_strv_contains ((const gchar * const *) ort->providers,
          rows[provider].ort_name)) {
    all = g_strjoinv (", ", ort->providers);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "ONNX Runtime %s (%s) was built without %s; it has %s", ort->version,
        ort->path, rows[provider].ort_name, all);
    return FALSE;
  }
  if (!config->device
      || gst_hip_device_get_vendor (config->device) != vendor_of (provider)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "execution provider %s does not work on %s: choose the device with "
        "vendor and device-id, or another provider", rows[provider].name,
        config->device ? gst_hip_device_get_info (config->device)->name :
        "the CPU");
    return FALSE;
  }
  return TRUE;
}

gboolean
hip_ort_append_provider (const HipOrtRuntime * ort,
    OrtSessionOptions * options, const HipOrtSessionConfig * config,
    HipOrtProvider provider, GError ** error)
{
  g_autofree gchar *what = NULL;
  OrtStatus *status = NULL;
  Options strings;

  if (provider == HIP_ORT_PROVIDER_CPU)
    return TRUE;                /* it is always there, behind the others */
  if (!is_possible (ort, config, provider, error))
    return FALSE;

  options_init (&strings, config);
  hip_ort_log_begin ();
  switch (provider) {
    case HIP_ORT_PROVIDER_CUDA:
      status = append_cuda (ort->api, options, config, &strings);
      break;
    case HIP_ORT_PROVIDER_TENSORRT:
      status = append_tensorrt (ort->api, options, config, &strings);
      break;
    case HIP_ORT_PROVIDER_MIGRAPHX:
      status = append_migraphx (ort->api, options, config, &strings);
      break;
    case HIP_ORT_PROVIDER_ROCM:
      status = append_rocm (ort->api, options, config, &strings);
      break;
    case HIP_ORT_PROVIDER_AUTO:
    case HIP_ORT_PROVIDER_CPU:
    default:
      break;
  }
  options_clear (&strings);
  what = g_strdup_printf ("execution provider %s cannot be loaded",
      rows[provider].name);
  return hip_ort_check (ort, status, GST_HIP_ERROR_UNAVAILABLE, what, error);
}
