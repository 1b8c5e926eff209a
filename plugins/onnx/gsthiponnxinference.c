/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hiponnxinference
 * @title: hiponnxinference
 *
 * Shows frames to an ONNX model, and passes them on with what the model makes of
 * them attached as #GstTensorMeta. It works as `onnxinference` does, and takes
 * frames of every format, in HIP memory or in any other: one kernel makes the
 * model's input of a frame.
 *
 * An element of the input is `(x * scale - mean) / std`, with x of 0 to 255. A
 * network trained on ImageNet, for instance, is given
 * `mean="<0.485,0.456,0.406>" std="<0.229,0.224,0.225>"`, and red of 255
 * becomes (255 / 255 - 0.485) / 0.229 = 2.2489.
 *
 * The model runs in a thread of its own: up to
 * #GstHipOnnxInference:async-depth frames are on their way, and come out in
 * order. The latency that this can be is reported.
 *
 * On a GPU the first run with a shape takes up to seconds, so the model runs once
 * on nothing when frames are known, beside the streaming thread, between two
 * progress messages with the code `warm-up`. Batches have one shape there: one that
 * is not full is filled up with pictures whose results are dropped.
 *
 * `provider-options="options,enable_cuda_graph=true"` has the CUDA provider run the
 * model as CUDA graphs, one for each tensor that frames take turns in, which saves
 * the CPU most of a run. It takes a model whose only input is the picture and whose
 * outputs have the same shape for every picture of a size. Results are copied, as a
 * graph writes to the same memory each time. It has not run on a GPU yet.
 *
 * ONNX Runtime is opened when the element starts: what
 * #GstHipOnnxInference:onnxruntime or `GST_HIP_ONNXRUNTIME` names, else the
 * newest that there is.
 *
 * Frames of another size than the model's picture are scaled by the same kernel:
 * stretched, letterboxed or cropped (#GstHipOnnxInference:resize-mode).
 *
 * ## Example
 *
 * `videotestsrc ! hipupload ! hiponnxinference model-file=detector.onnx
 * resize-mode=letterbox ! hipdownload ! fakesink`
 *
 * Since: 1.30
 */
/* What is an element of inference made of, when does it have a device and a
 * model? Must not know frames and caps. Invariant: an explicit choice of a
 * device, provider or runtime is kept or is an error.
 */
#include "config.h"

#include <string.h>

#include "gsthiponnxinference-private.h"
#include "hip-element-error.h"

GST_DEBUG_CATEGORY (gst_hip_onnx_inference_debug);
GST_DEBUG_CATEGORY (gst_hip_onnx_debug);
#define GST_CAT_DEFAULT gst_hip_onnx_inference_debug

/* *INDENT-OFF* */
G_DEFINE_FINAL_TYPE_WITH_CODE (GstHipOnnxInference, gst_hip_onnx_inference, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_hip_onnx_inference_debug, "hiponnxinference", 0, "HIP inference");
    GST_DEBUG_CATEGORY_INIT (gst_hip_onnx_debug, "hiponnx", 0, "ONNX Runtime and models"));
/* *INDENT-ON* */
GST_ELEMENT_REGISTER_DEFINE (hiponnxinference, "hiponnxinference",
    GST_RANK_NONE, GST_TYPE_HIP_ONNX_INFERENCE);

/* --- errors --- */

void
hip_onnx_post_error (GstHipOnnxInference * self, const gchar * what,
    GError * error)
{
  hip_element_post_error (GST_ELEMENT (self), &self->error_posted, what, error);
}

/* --- device --- */

gboolean
hip_onnx_is_explicit (GstHipOnnxInference * self)
{
  gboolean is;

  GST_OBJECT_LOCK (self);
  is = self->settings.vendor != GST_HIP_VENDOR_UNKNOWN
      || self->settings.device_id >= 0;
  GST_OBJECT_UNLOCK (self);
  return is;
}

static void
get_choice (GstHipOnnxInference * self, GstHipVendor * vendor, gint * id)
{
  GST_OBJECT_LOCK (self);
  *vendor = self->settings.vendor;
  *id = self->settings.device_id;
  GST_OBJECT_UNLOCK (self);
}

static GstHipDevice *
choose_device (GstHipOnnxInference * self, GError ** error)
{
  GstElement *element = GST_ELEMENT (self);
  g_autoptr (GstContext) context = NULL;
  GstHipDevice *device = NULL;
  GstHipVendor vendor;
  gint id;

  get_choice (self, &vendor, &id);
  g_rec_mutex_lock (&self->context_lock);
  context = gst_element_get_context (element, GST_HIP_DEVICE_CONTEXT_TYPE);
  if (context)
    gst_hip_handle_set_context (element, context, vendor, id,
        &self->context_device);
  if (gst_hip_ensure_element_data_full (element, vendor, id,
          &self->context_device, error))
    device = gst_object_ref (self->context_device);
  g_rec_mutex_unlock (&self->context_lock);
  return device;
}

static void
gst_hip_onnx_inference_set_context (GstElement * element, GstContext * context)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (element);
  GstHipVendor vendor;
  gint id;

  get_choice (self, &vendor, &id);
  g_rec_mutex_lock (&self->context_lock);
  gst_hip_handle_set_context (element, context, vendor, id,
      &self->context_device);
  g_rec_mutex_unlock (&self->context_lock);
  GST_ELEMENT_CLASS (gst_hip_onnx_inference_parent_class)->set_context (element,
      context);
}

/* --- model --- */

GstStructure *
hip_onnx_make_config (GstHipOnnxInference * self)
{
  GstStructure *config = gst_structure_new_empty ("config");
  GValue pad = G_VALUE_INIT;

  GST_OBJECT_LOCK (self);
  gst_structure_set (config,
      GST_HIP_CONVERTER_OPT_METHOD, GST_TYPE_HIP_SCALE_METHOD,
      self->settings.method,
      GST_HIP_CONVERTER_OPT_RESIZE_MODE, GST_TYPE_HIP_RESIZE_MODE,
      self->settings.resize_mode,
      GST_HIP_CONVERTER_OPT_PAD_PLACEMENT, GST_TYPE_HIP_PAD_PLACEMENT,
      self->settings.pad_placement, NULL);
  if (self->settings.pad_value.n == 1) {
    gst_structure_set (config, GST_HIP_CONVERTER_OPT_PAD_VALUE, G_TYPE_DOUBLE,
        self->settings.pad_value.values[0], NULL);
  } else if (self->settings.pad_value.n > 1) {
    g_value_init (&pad, GST_TYPE_ARRAY);
    hip_onnx_give_numbers (&self->settings.pad_value, &pad);
    gst_structure_take_value (config, GST_HIP_CONVERTER_OPT_PAD_VALUE, &pad);
  }
  GST_OBJECT_UNLOCK (self);
  return config;
}

static HipOnnxModel *
open_model (GstHipOnnxInference * self, GstHipDevice * device, GError ** error)
{
  HipOnnxSettings *s = &self->settings;
  g_autofree gchar *model_file = NULL, *info_file = NULL, *library = NULL;
  g_autofree gchar *image_input = NULL;
  g_autoptr (GstStructure) options = NULL, extra = NULL;
  HipOnnxModelConfig config = { {0}, };

  /* Nothing is called with the object lock held, let alone a runtime. */
  GST_OBJECT_LOCK (self);
  model_file = g_strdup (s->model_file);
  info_file = g_strdup (s->info_file);
  library = g_strdup (s->library);
  image_input = g_strdup (s->image_input);
  options = s->provider_options ? gst_structure_copy (s->provider_options) :
      NULL;
  extra = s->extra_inputs ? gst_structure_copy (s->extra_inputs) : NULL;
  config.session.optimization = s->optimization;
  config.session.provider = s->provider;
  config.session.require_all = s->require == HIP_ONNX_REQUIRE_ALL;
  config.session.threads = s->threads;
  config.image = s->image;
  GST_OBJECT_UNLOCK (self);

  config.session.library = library;
  config.session.model_file = model_file;
  config.session.provider_options = options;
  config.session.device = device;
  config.session.stream = self->stream;
  config.info_file = info_file;
  config.image_input = image_input;
  config.extra_inputs = extra;
  return hip_onnx_model_new (&config, error);
}

static gboolean
choose_batch (GstHipOnnxInference * self, GError ** error)
{
  gint64 model = self->model->image.batch;
  guint wanted, depth;

  GST_OBJECT_LOCK (self);
  wanted = self->settings.batch_size;
  depth = self->settings.async_depth;
  GST_OBJECT_UNLOCK (self);
  if (wanted > 1 && model > 0 && wanted != model) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "batch-size is %u, but the model runs on %" G_GINT64_FORMAT
        " pictures at once", wanted, model);
    return FALSE;
  }
  self->batch = wanted ? wanted : model > 0 ? (guint) model : 1;
  /* Whole batches, so that one that is being filled waits for nobody */
  self->limit = (depth + self->batch - 1) / self->batch * self->batch;
  return TRUE;
}

static gboolean
check_pad_value (GstHipOnnxInference * self, GError ** error)
{
  guint n = gst_hip_tensor_desc_get_n_channels (&self->model->image.desc), has;

  GST_OBJECT_LOCK (self);
  has = self->settings.pad_value.n;
  GST_OBJECT_UNLOCK (self);
  if (has <= 1 || has == n)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the model's picture has %u channels, pad-value has %u numbers: one for "
      "all or one for each", n, has);
  return FALSE;
}

static void
report_model (GstHipOnnxInference * self)
{
  HipOnnxModel *model = self->model;

  GST_OBJECT_LOCK (self);
  g_free (self->placement);
  self->placement = g_strdup (model->session->placement);
  self->used_provider = model->session->provider;
  GST_OBJECT_UNLOCK (self);
  GST_INFO_OBJECT (self, "ONNX Runtime %s from %s, provider %s, nodes: %s",
      model->session->ort->version, model->session->ort->path,
      hip_ort_provider_get_name (model->session->provider),
      model->session->placement);
  if (model->session->fallback)
    GST_ELEMENT_WARNING (self, LIBRARY, INIT,
        ("The model runs on the CPU: %s", model->session->fallback), (NULL));
  if (model->image.warning)
    GST_WARNING_OBJECT (self, "%s", model->image.warning);
}

gboolean
hip_onnx_open (GstHipOnnxInference * self, GstHipDevice * device)
{
  HipOnnxFrames *frames;
  GError *error = NULL;

  /* The provider's, which is given it when the session is made */
  self->stream = gst_hip_stream_new_full (device, 0, &error);
  if (self->stream)
    self->model = open_model (self, device, &error);
  if (!self->model) {
    hip_onnx_post_error (self, "The model cannot be used", error);
    return FALSE;
  }
  if (!check_pad_value (self, &error)) {
    hip_onnx_post_error (self, "The model cannot be used", error);
    return FALSE;
  }
  frames = hip_onnx_frames_new (device, self->model->binding ?
      GST_HIP_MEMORY_KIND_DEVICE : GST_HIP_MEMORY_KIND_PINNED, &error);
  GST_OBJECT_LOCK (self);
  self->frames = frames;
  GST_OBJECT_UNLOCK (self);
  if (!frames || !choose_batch (self, &error)) {
    hip_onnx_post_error (self, "The model cannot be prepared", error);
    return FALSE;
  }
  memset (self->warm_dims, 0, sizeof (self->warm_dims));
  report_model (self);
  return TRUE;
}

void
hip_onnx_close (GstHipOnnxInference * self)
{
  HipOnnxFrames *frames;

  GST_OBJECT_LOCK (self);
  frames = g_steal_pointer (&self->frames);
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&frames, hip_onnx_frames_free);
  g_clear_pointer (&self->model, hip_onnx_model_free);
  gst_clear_hip_stream (&self->stream);
}

/* --- states --- */

static gboolean
start (GstHipOnnxInference * self)
{
  g_autoptr (GstHipDevice) device = NULL;
  GError *error = NULL;

  hip_element_forget_errors (GST_ELEMENT (self), &self->error_posted);
  device = choose_device (self, &error);
  if (!device) {
    hip_onnx_post_error (self, "No device", error);
    return FALSE;
  }
  if (!hip_onnx_open (self, device)) {
    hip_onnx_close (self);
    return FALSE;
  }
  g_mutex_lock (&self->lock);
  self->n_frames = self->n_runs = 0;
  self->peak = 0;
  self->frame_duration = GST_CLOCK_TIME_NONE;
  self->asked_downstream = self->results_in_hip = FALSE;
  g_mutex_unlock (&self->lock);
  self->has_info = FALSE;
  return TRUE;
}

static void
stop (GstHipOnnxInference * self)
{
  hip_onnx_close (self);
  g_rec_mutex_lock (&self->context_lock);
  gst_clear_object (&self->context_device);
  g_rec_mutex_unlock (&self->context_lock);
}

static GstStateChangeReturn
gst_hip_onnx_inference_change_state (GstElement * element,
    GstStateChange transition)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self))
    return GST_STATE_CHANGE_FAILURE;
  ret = GST_ELEMENT_CLASS (gst_hip_onnx_inference_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED
          && ret == GST_STATE_CHANGE_FAILURE))
    stop (self);
  return ret;
}

/* --- object --- */

static void
gst_hip_onnx_inference_finalize (GObject * object)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (object);

  hip_onnx_close (self);
  hip_onnx_settings_clear (&self->settings);
  g_free (self->placement);
  gst_clear_object (&self->context_device);
  g_rec_mutex_clear (&self->context_lock);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
  G_OBJECT_CLASS (gst_hip_onnx_inference_parent_class)->finalize (object);
}

static GstPad *
add_pad (GstHipOnnxInference * self, const gchar * name)
{
  GstElementClass *klass = GST_ELEMENT_GET_CLASS (self);
  GstPad *pad = gst_pad_new_from_template (gst_element_class_get_pad_template
      (klass, name), name);

  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

static void
gst_hip_onnx_inference_init (GstHipOnnxInference * self)
{
  hip_onnx_settings_init (&self->settings);
  g_rec_mutex_init (&self->context_lock);
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  g_queue_init (&self->items);
  self->flow = GST_FLOW_FLUSHING;

  self->sink_pad = add_pad (self, "sink");
  gst_pad_set_chain_function (self->sink_pad, hip_onnx_chain);
  gst_pad_set_event_function (self->sink_pad, hip_onnx_sink_event);
  gst_pad_set_query_function (self->sink_pad, hip_onnx_sink_query);
  gst_pad_set_activatemode_function (self->sink_pad, hip_onnx_sink_activate);
  self->src_pad = add_pad (self, "src");
  gst_pad_set_query_function (self->src_pad, hip_onnx_src_query);
  gst_pad_set_activatemode_function (self->src_pad, hip_onnx_src_activate);
}

static void
gst_hip_onnx_inference_class_init (GstHipOnnxInferenceClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  g_autoptr (GstCaps) caps = hip_onnx_template_caps ();

  G_OBJECT_CLASS (klass)->finalize = gst_hip_onnx_inference_finalize;
  hip_onnx_install_properties (G_OBJECT_CLASS (klass));
  element_class->change_state = gst_hip_onnx_inference_change_state;
  element_class->set_context = gst_hip_onnx_inference_set_context;
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (element_class, "HIP ONNX inference",
      "Filter/Video/Hardware", "Attaches what an ONNX model makes of frames",
      "GstHip contributors");
  gst_type_mark_as_plugin_api (GST_TYPE_HIP_VENDOR, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_HIP_RESIZE_MODE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_HIP_SCALE_METHOD, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_HIP_PAD_PLACEMENT, 0);
}
