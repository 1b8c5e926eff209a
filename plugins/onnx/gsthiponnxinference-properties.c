/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What can be set? Names and values only: what they mean to a model is known in
 * onnx-image.c, ort-session.c and onnx-model.c.
 */
#include "config.h"

#include "gsthiponnxinference-private.h"

enum
{
  PROP_0,
  PROP_VENDOR,
  PROP_DEVICE_ID,
  PROP_MODEL_FILE,
  PROP_MODEL_INFO,
  PROP_ONNXRUNTIME,
  PROP_OPTIMIZATION_LEVEL,
  PROP_EXECUTION_PROVIDER,
  PROP_REQUIRE_PROVIDER,
  PROP_PROVIDER_OPTIONS,
  PROP_THREADS,
  PROP_IMAGE_INPUT,
  PROP_EXTRA_INPUTS,
  PROP_INPUT_LAYOUT,
  PROP_INPUT_FORMAT,
  PROP_SCALE,
  PROP_MEAN,
  PROP_STD,
  PROP_RESIZE_MODE,
  PROP_METHOD,
  PROP_PAD_PLACEMENT,
  PROP_PAD_VALUE,
  PROP_TENSOR_MEMORY,
  PROP_ASYNC_DEPTH,
  PROP_BATCH_SIZE,
  PROP_BATCH_TIMEOUT,
  PROP_USED_PROVIDER,
  PROP_PLACEMENT,
  PROP_STATS,
};

#define DEFAULT_OPTIMIZATION ORT_ENABLE_EXTENDED
#define DEFAULT_METHOD GST_HIP_SCALE_METHOD_BILINEAR
#define DEFAULT_ASYNC_DEPTH 2
#define MAX_ASYNC_DEPTH 64
#define DEFAULT_BATCH_TIMEOUT (100 * GST_MSECOND)

/* --- enumerations --- */

/* *INDENT-OFF* */
static const GEnumValue optimization_values[] = {
  { ORT_DISABLE_ALL, "The model as it is", "disable-all" },
  { ORT_ENABLE_BASIC, "Without nodes that do nothing", "enable-basic" },
  { ORT_ENABLE_EXTENDED, "With nodes made one", "enable-extended" },
  { ORT_ENABLE_ALL, "With other layouts in memory, too", "enable-all" },
  { 0, NULL, NULL }
};
static const GEnumValue provider_values[] = {
  { HIP_ORT_PROVIDER_AUTO, "As the frames' device is", "auto" },
  { HIP_ORT_PROVIDER_CPU, "The CPU", "cpu" },
  { HIP_ORT_PROVIDER_CUDA, "NVIDIA GPU", "cuda" },
  { HIP_ORT_PROVIDER_TENSORRT, "NVIDIA GPU by TensorRT", "tensorrt" },
  { HIP_ORT_PROVIDER_MIGRAPHX, "AMD GPU by MIGraphX", "migraphx" },
  { HIP_ORT_PROVIDER_ROCM, "AMD GPU", "rocm" },
  { 0, NULL, NULL }
};
static const GEnumValue require_values[] = {
  { HIP_ONNX_REQUIRE_NONE, "Nodes may run on the CPU", "none" },
  { HIP_ONNX_REQUIRE_ALL, "Every node has to run on the provider", "all" },
  { 0, NULL, NULL }
};
static const GEnumValue layout_values[] = {
  { HIP_ONNX_LAYOUT_AUTO, "As the model's shape says", "auto" },
  { HIP_ONNX_LAYOUT_NCHW, "Planar", "nchw" },
  { HIP_ONNX_LAYOUT_NHWC, "Interleaved", "nhwc" },
  { 0, NULL, NULL }
};
static const GEnumValue format_values[] = {
  { HIP_ONNX_FORMAT_AUTO, "Gray, RGB or RGBA by the number of channels", "auto" },
  { HIP_ONNX_FORMAT_RGB, "Red, green, blue", "rgb" },
  { HIP_ONNX_FORMAT_BGR, "Blue, green, red", "bgr" },
  { HIP_ONNX_FORMAT_RGBA, "Red, green, blue, alpha", "rgba" },
  { HIP_ONNX_FORMAT_BGRA, "Blue, green, red, alpha", "bgra" },
  { HIP_ONNX_FORMAT_GRAY, "Luma", "gray" },
  { 0, NULL, NULL }
};
static const GEnumValue memory_values[] = {
  { HIP_ONNX_MEMORY_AUTO, "HIP memory where downstream says that it takes it", "auto" },
  { HIP_ONNX_MEMORY_HIP, "HIP memory", "hip" },
  { HIP_ONNX_MEMORY_SYSTEM, "CPU memory", "system" },
  { 0, NULL, NULL }
};
/* *INDENT-ON* */

static GType
register_once (gsize * once, const gchar * name, const GEnumValue * values)
{
  if (g_once_init_enter (once)) {
    GType type = g_enum_register_static (name, values);

    gst_type_mark_as_plugin_api (type, 0);
    g_once_init_leave (once, type);
  }
  return *once;
}

#define DEFINE_ENUM(name, type_name, values) \
static GType \
name (void) \
{ \
  static gsize once = 0; \
  return register_once (&once, type_name, values); \
}

/* *INDENT-OFF* */
DEFINE_ENUM (optimization_get_type, "GstHipOnnxOptimizationLevel", optimization_values)
DEFINE_ENUM (provider_get_type, "GstHipOnnxExecutionProvider", provider_values)
DEFINE_ENUM (require_get_type, "GstHipOnnxRequireProvider", require_values)
DEFINE_ENUM (layout_get_type, "GstHipOnnxInputLayout", layout_values)
DEFINE_ENUM (format_get_type, "GstHipOnnxInputFormat", format_values)
DEFINE_ENUM (memory_get_type, "GstHipOnnxTensorMemory", memory_values)
/* *INDENT-ON* */

/* --- values --- */

void
hip_onnx_settings_init (HipOnnxSettings * self)
{
  self->device_id = -1;
  self->optimization = DEFAULT_OPTIMIZATION;
  self->method = DEFAULT_METHOD;
  self->async_depth = DEFAULT_ASYNC_DEPTH;
  self->batch_timeout = DEFAULT_BATCH_TIMEOUT;
}

void
hip_onnx_settings_clear (HipOnnxSettings * self)
{
  g_free (self->model_file);
  g_free (self->info_file);
  g_free (self->library);
  g_free (self->image_input);
  g_clear_pointer (&self->provider_options, gst_structure_free);
  g_clear_pointer (&self->extra_inputs, gst_structure_free);
}

static void
take_numbers (HipOnnxNumbers * numbers, const GValue * value)
{
  guint n = gst_value_array_get_size (value);

  numbers->n = MIN (n, G_N_ELEMENTS (numbers->values));
  for (guint i = 0; i < numbers->n; i++)
    numbers->values[i] =
        g_value_get_double (gst_value_array_get_value (value, i));
}

void
hip_onnx_give_numbers (const HipOnnxNumbers * numbers, GValue * value)
{
  for (guint i = 0; i < numbers->n; i++) {
    GValue number = G_VALUE_INIT;

    g_value_init (&number, G_TYPE_DOUBLE);
    g_value_set_double (&number, numbers->values[i]);
    gst_value_array_append_and_take_value (value, &number);
  }
}

static void
take_string (gchar ** string, const GValue * value)
{
  g_free (*string);
  *string = g_value_dup_string (value);
  if (*string && !**string)
    g_clear_pointer (string, g_free);
}

static void
take_structure (GstStructure ** structure, const GValue * value)
{
  g_clear_pointer (structure, gst_structure_free);
  *structure = g_value_dup_boxed (value);
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  HipOnnxSettings *s = &GST_HIP_ONNX_INFERENCE (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_VENDOR:
      s->vendor = g_value_get_enum (value);
      break;
    case PROP_DEVICE_ID:
      s->device_id = g_value_get_int (value);
      break;
    case PROP_MODEL_FILE:
      take_string (&s->model_file, value);
      break;
    case PROP_MODEL_INFO:
      take_string (&s->info_file, value);
      break;
    case PROP_ONNXRUNTIME:
      take_string (&s->library, value);
      break;
    case PROP_OPTIMIZATION_LEVEL:
      s->optimization = g_value_get_enum (value);
      break;
    case PROP_EXECUTION_PROVIDER:
      s->provider = g_value_get_enum (value);
      break;
    case PROP_REQUIRE_PROVIDER:
      s->require = g_value_get_enum (value);
      break;
    case PROP_PROVIDER_OPTIONS:
      take_structure (&s->provider_options, value);
      break;
    case PROP_THREADS:
      s->threads = g_value_get_uint (value);
      break;
    case PROP_IMAGE_INPUT:
      take_string (&s->image_input, value);
      break;
    case PROP_EXTRA_INPUTS:
      take_structure (&s->extra_inputs, value);
      break;
    case PROP_INPUT_LAYOUT:
      s->image.layout = g_value_get_enum (value);
      break;
    case PROP_INPUT_FORMAT:
      s->image.format = g_value_get_enum (value);
      break;
    case PROP_SCALE:
      take_numbers (&s->image.scale, value);
      break;
    case PROP_MEAN:
      take_numbers (&s->image.mean, value);
      break;
    case PROP_STD:
      take_numbers (&s->image.std, value);
      break;
    case PROP_RESIZE_MODE:
      s->resize_mode = g_value_get_enum (value);
      break;
    case PROP_METHOD:
      s->method = g_value_get_enum (value);
      break;
    case PROP_PAD_PLACEMENT:
      s->pad_placement = g_value_get_enum (value);
      break;
    case PROP_PAD_VALUE:
      take_numbers (&s->pad_value, value);
      break;
    case PROP_TENSOR_MEMORY:
      s->memory = g_value_get_enum (value);
      break;
    case PROP_ASYNC_DEPTH:
      s->async_depth = g_value_get_uint (value);
      break;
    case PROP_BATCH_SIZE:
      s->batch_size = g_value_get_uint (value);
      break;
    case PROP_BATCH_TIMEOUT:
      s->batch_timeout = g_value_get_uint64 (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static GstStructure *
get_stats (GstHipOnnxInference * self)
{
  GstStructure *stats;

  g_mutex_lock (&self->lock);
  stats = gst_structure_new ("application/x-hip-onnx-stats",
      "frames", G_TYPE_UINT64, self->n_frames,
      "runs", G_TYPE_UINT64, self->n_runs,
      "in-flight", G_TYPE_UINT, self->n_in_flight,
      "in-flight-peak", G_TYPE_UINT, self->peak, NULL);
  g_mutex_unlock (&self->lock);
  return stats;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstHipOnnxInference *self = GST_HIP_ONNX_INFERENCE (object);
  HipOnnxSettings *s = &self->settings;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, get_stats (self));
    return;
  }
  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_VENDOR:
      g_value_set_enum (value, s->vendor);
      break;
    case PROP_DEVICE_ID:
      g_value_set_int (value, s->device_id);
      break;
    case PROP_MODEL_FILE:
      g_value_set_string (value, s->model_file);
      break;
    case PROP_MODEL_INFO:
      g_value_set_string (value, s->info_file);
      break;
    case PROP_ONNXRUNTIME:
      g_value_set_string (value, s->library);
      break;
    case PROP_OPTIMIZATION_LEVEL:
      g_value_set_enum (value, s->optimization);
      break;
    case PROP_EXECUTION_PROVIDER:
      g_value_set_enum (value, s->provider);
      break;
    case PROP_REQUIRE_PROVIDER:
      g_value_set_enum (value, s->require);
      break;
    case PROP_PROVIDER_OPTIONS:
      g_value_set_boxed (value, s->provider_options);
      break;
    case PROP_THREADS:
      g_value_set_uint (value, s->threads);
      break;
    case PROP_IMAGE_INPUT:
      g_value_set_string (value, s->image_input);
      break;
    case PROP_EXTRA_INPUTS:
      g_value_set_boxed (value, s->extra_inputs);
      break;
    case PROP_INPUT_LAYOUT:
      g_value_set_enum (value, s->image.layout);
      break;
    case PROP_INPUT_FORMAT:
      g_value_set_enum (value, s->image.format);
      break;
    case PROP_SCALE:
      hip_onnx_give_numbers (&s->image.scale, value);
      break;
    case PROP_MEAN:
      hip_onnx_give_numbers (&s->image.mean, value);
      break;
    case PROP_STD:
      hip_onnx_give_numbers (&s->image.std, value);
      break;
    case PROP_RESIZE_MODE:
      g_value_set_enum (value, s->resize_mode);
      break;
    case PROP_METHOD:
      g_value_set_enum (value, s->method);
      break;
    case PROP_PAD_PLACEMENT:
      g_value_set_enum (value, s->pad_placement);
      break;
    case PROP_PAD_VALUE:
      hip_onnx_give_numbers (&s->pad_value, value);
      break;
    case PROP_TENSOR_MEMORY:
      g_value_set_enum (value, s->memory);
      break;
    case PROP_ASYNC_DEPTH:
      g_value_set_uint (value, s->async_depth);
      break;
    case PROP_BATCH_SIZE:
      g_value_set_uint (value, s->batch_size);
      break;
    case PROP_BATCH_TIMEOUT:
      g_value_set_uint64 (value, s->batch_timeout);
      break;
    case PROP_USED_PROVIDER:
      g_value_set_static_string (value, self->placement ?
          hip_ort_provider_get_name (self->used_provider) : NULL);
      break;
    case PROP_PLACEMENT:
      g_value_set_string (value, self->placement);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

/* --- properties --- */

#define READY (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define READ_ONLY (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

static void
install_numbers (GObjectClass * klass, guint id, const gchar * name,
    const gchar * nick, const gchar * blurb)
{
  GParamSpec *number = g_param_spec_double (name, nick, blurb, -G_MAXDOUBLE,
      G_MAXDOUBLE, 0, READY);

  g_object_class_install_property (klass, id,
      gst_param_spec_array (name, nick, blurb, number, READY));
}

static void
install_model_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_MODEL_FILE,
      g_param_spec_string ("model-file", "Model file", "ONNX file", NULL,
          READY));
  g_object_class_install_property (klass, PROP_MODEL_INFO,
      g_param_spec_string ("model-info", "Model-info file",
          "What the model does not say of its tensors (default: the model's "
          "file with .modelinfo behind it or in place of its extension, if "
          "there is one)", NULL, READY));
  g_object_class_install_property (klass, PROP_ONNXRUNTIME,
      g_param_spec_string ("onnxruntime", "ONNX Runtime",
          "File or name of the runtime's library (default: what "
          "GST_HIP_ONNXRUNTIME names, else the newest that there is)", NULL,
          READY));
  g_object_class_install_property (klass, PROP_OPTIMIZATION_LEVEL,
      g_param_spec_enum ("optimization-level", "Optimization level",
          "What the runtime may do to the model", optimization_get_type (),
          DEFAULT_OPTIMIZATION, READY));
  g_object_class_install_property (klass, PROP_EXECUTION_PROVIDER,
      g_param_spec_enum ("execution-provider", "Execution provider",
          "What the model runs on; any but auto is taken or is an error",
          provider_get_type (), HIP_ORT_PROVIDER_AUTO, READY));
  g_object_class_install_property (klass, PROP_REQUIRE_PROVIDER,
      g_param_spec_enum ("require-provider", "Require provider",
          "Whether parts of the model may run on the CPU in place of the "
          "execution provider", require_get_type (), HIP_ONNX_REQUIRE_NONE,
          READY));
  g_object_class_install_property (klass, PROP_PROVIDER_OPTIONS,
      g_param_spec_boxed ("provider-options", "Provider options",
          "Options of the execution provider, under its own names",
          GST_TYPE_STRUCTURE, READY));
  g_object_class_install_property (klass, PROP_THREADS,
      g_param_spec_uint ("threads", "Threads",
          "CPU threads of an operator (0: the runtime's choice)", 0, 1024, 0,
          READY));
  g_object_class_install_property (klass, PROP_USED_PROVIDER,
      g_param_spec_string ("used-provider", "Used provider",
          "What the model runs on", NULL, READ_ONLY));
  g_object_class_install_property (klass, PROP_PLACEMENT,
      g_param_spec_string ("placement", "Placement",
          "How many of the model's nodes run on which provider, or unknown",
          NULL, READ_ONLY));
}

static void
install_input_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_IMAGE_INPUT,
      g_param_spec_string ("image-input", "Image input",
          "Which of the model's inputs is the picture (default: the one that "
          "extra-inputs does not give)", NULL, READY));
  g_object_class_install_property (klass, PROP_EXTRA_INPUTS,
      g_param_spec_boxed ("extra-inputs", "Extra inputs",
          "Values of the other inputs by name: a number, or an array of them",
          GST_TYPE_STRUCTURE, READY));
  g_object_class_install_property (klass, PROP_INPUT_LAYOUT,
      g_param_spec_enum ("input-layout", "Input layout",
          "Where the picture's channels are among its dimensions",
          layout_get_type (), HIP_ONNX_LAYOUT_AUTO, READY));
  g_object_class_install_property (klass, PROP_INPUT_FORMAT,
      g_param_spec_enum ("input-format", "Input format",
          "What the picture's channels are", format_get_type (),
          HIP_ONNX_FORMAT_AUTO, READY));
  install_numbers (klass, PROP_SCALE, "scale", "Scale",
      "An element is (x * scale - mean) / std with x of 0 to 255; one number, "
      "or one for each channel (default: 1/255 for floating point without a "
      "model-info, else 1)");
  install_numbers (klass, PROP_MEAN, "mean", "Mean",
      "An element is (x * scale - mean) / std; one number, or one for each "
      "channel (default: 0)");
  install_numbers (klass, PROP_STD, "std", "Standard deviation",
      "An element is (x * scale - mean) / std; one number, or one for each "
      "channel (default: 1)");
}

static void
install_size_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_RESIZE_MODE,
      g_param_spec_enum ("resize-mode", "Resize mode",
          "How frames of another shape become the model's picture",
          GST_TYPE_HIP_RESIZE_MODE, GST_HIP_RESIZE_MODE_STRETCH, READY));
  g_object_class_install_property (klass, PROP_METHOD,
      g_param_spec_enum ("method", "Method", "How frames are scaled",
          GST_TYPE_HIP_SCALE_METHOD, DEFAULT_METHOD, READY));
  g_object_class_install_property (klass, PROP_PAD_PLACEMENT,
      g_param_spec_enum ("pad-placement", "Pad placement",
          "Where a letterboxed frame is", GST_TYPE_HIP_PAD_PLACEMENT,
          GST_HIP_PAD_PLACEMENT_CENTRE, READY));
  install_numbers (klass, PROP_PAD_VALUE, "pad-value", "Pad value",
      "What is beside a letterboxed frame, as x of 0 to 255; one number, or "
      "one for each channel (default: 114, alpha 255)");
}

void
hip_onnx_install_properties (GObjectClass * klass)
{
  klass->set_property = set_property;
  klass->get_property = get_property;
  g_object_class_install_property (klass, PROP_VENDOR,
      g_param_spec_enum ("vendor", "Vendor",
          "Backend to work on (unknown: the neighbours' device, the "
          "environment's, or the first usable one)", GST_TYPE_HIP_VENDOR,
          GST_HIP_VENDOR_UNKNOWN, READY));
  g_object_class_install_property (klass, PROP_DEVICE_ID,
      g_param_spec_int ("device-id", "Device ID",
          "Device to work on, counted within its vendor (-1: any)", -1,
          G_MAXINT, -1, READY));
  install_model_properties (klass);
  install_input_properties (klass);
  install_size_properties (klass);
  g_object_class_install_property (klass, PROP_TENSOR_MEMORY,
      g_param_spec_enum ("tensor-memory", "Tensor memory",
          "Where the model's results are put", memory_get_type (),
          HIP_ONNX_MEMORY_AUTO, READY));
  g_object_class_install_property (klass, PROP_ASYNC_DEPTH,
      g_param_spec_uint ("async-depth", "Async depth",
          "Frames that may be on their way through before the next input "
          "waits", 1, MAX_ASYNC_DEPTH, DEFAULT_ASYNC_DEPTH, READY));
  g_object_class_install_property (klass, PROP_BATCH_SIZE,
      g_param_spec_uint ("batch-size", "Batch size",
          "Frames of one run, where the model has a dimension for them (0: as "
          "the model says, else 1)", 0, MAX_ASYNC_DEPTH, 0, READY));
  g_object_class_install_property (klass, PROP_BATCH_TIMEOUT,
      g_param_spec_uint64 ("batch-timeout", "Batch timeout",
          "Nanoseconds after which frames do not wait for others any more", 0,
          G_MAXINT64, DEFAULT_BATCH_TIMEOUT, READY));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Frames and runs since the start, frames on their way now and at "
          "most", GST_TYPE_STRUCTURE, READ_ONLY));
}
