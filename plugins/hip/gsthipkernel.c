/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hipkernel
 * @title: hipkernel
 *
 * Runs a kernel of the user's over frames in device memory. The kernel is
 * compiled for the device when the element starts, from a file (#location) or a
 * text (#source), and is called with one thread for each pixel of the output's
 * first plane:
 *
 * |[
 * extern "C" __global__ void
 * name (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info, float strength)
 * ]|
 *
 * Parameters after these three are the user's own: the property #parameters gives
 * them values by name. Lines `// gst-hip: ...` in the source say what the kernel
 * can and wants; docs/hipkernel.md has them all.
 *
 * On NVIDIA's devices it takes frames of GStreamer's CUDA elements as well, as
 * #hipupload does.
 *
 * The output has the input's format and size, unless a caps filter behind the
 * element asks for another.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! hipupload ! hipkernel location=examples/kernels/edges.hip parameters="p,strength=2.0" ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* When is which kernel run with which values? The compiler never runs under a
 * lock nor per frame; a new kernel or new parameters take effect between frames
 * and never within one. Must not know vendors, nor what kernels compute.
 */
#include "config.h"

#include "gsthipkernel-private.h"
#include "hip-cuda.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_kernel_debug);
#define GST_CAT_DEFAULT gst_hip_kernel_debug

G_DEFINE_FINAL_TYPE_WITH_CODE (GstHipKernel, gst_hip_kernel,
    GST_TYPE_HIP_BASE_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_hip_kernel_debug, "hipkernel", 0,
        "HIP kernels of the user"));
GST_ELEMENT_REGISTER_DEFINE (hipkernel, "hipkernel", GST_RANK_NONE,
    GST_TYPE_HIP_KERNEL);

/* --- loading --- */

static gboolean
parse_block_size (const gchar * text, const GstHipDeviceInfo * info,
    guint block[2], GError ** error)
{
  g_auto (GStrv) parts = g_strsplit (text ? text : "", "x", -1);
  guint64 width, height;

  if (g_strv_length (parts) == 2
      && g_ascii_string_to_unsigned (parts[0], 10, 1, 1024, &width, NULL)
      && g_ascii_string_to_unsigned (parts[1], 10, 1, 1024, &height, NULL)
      && width * height <= info->max_threads_per_block) {
    block[0] = (guint) width;
    block[1] = (guint) height;
    return TRUE;
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "block-size is '%s': WIDTHxHEIGHT is meant, as "
      GST_HIP_KERNEL_DEFAULT_BLOCK_SIZE ", with at most %u threads on %s",
      text ? text : "", info->max_threads_per_block, info->name);
  return FALSE;
}

static void
post_progress (GstHipKernel * self, GstProgressType type, const gchar * text)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_progress (GST_OBJECT (self), type, "compile", text));
}

static HipKernelValues *
make_values (HipKernelProgram * program, const GstStructure * given,
    GError ** error)
{
  return hip_kernel_values_new (program->parameters, program->n_parameters,
      given, program->directives.defaults, program->signature, error);
}

static void
set_program (GstHipKernel * self, HipKernelProgram * program)
{
  HipKernelProgram *old;

  GST_OBJECT_LOCK (self);
  old = self->program;
  self->program = program;
  GST_OBJECT_UNLOCK (self);
  self->launch.program = program;
  if (old)
    hip_kernel_program_unref (old);
}

/* Takes new parameters over if there are any, or if the program is new. */
static gboolean
update_values (GstHipKernel * self, HipKernelProgram * program,
    gboolean always, GError ** error)
{
  g_autoptr (GstStructure) given = NULL;
  HipKernelValues *values;
  guint serial;
  gboolean current;

  GST_OBJECT_LOCK (self);
  serial = self->parameters_serial;
  current = self->values && serial == self->values_serial && !always;
  if (!current && self->parameters)
    given = gst_structure_copy (self->parameters);
  GST_OBJECT_UNLOCK (self);
  if (current)
    return TRUE;

  values = make_values (program, given, error);
  if (!values)
    return FALSE;
  g_clear_pointer (&self->values, hip_kernel_values_free);
  self->launch.values = self->values = values;
  self->values_serial = serial;
  return TRUE;
}

static gboolean
load (GstHipKernel * self, GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GstHipDevice *device = gst_hip_base_filter_get_device (filter);
  const GstHipDeviceInfo *info = gst_hip_device_get_info (device);
  HipKernelSettings settings;
  g_autofree gchar *block_size = NULL, *text = NULL;
  HipKernelProgram *program = NULL;
  gboolean auto_reload;
  guint64 stamp;

  GST_OBJECT_LOCK (self);
  hip_kernel_settings_copy (&settings, &self->settings);
  block_size = g_strdup (self->block_size);
  auto_reload = self->auto_reload && settings.location;
  GST_OBJECT_UNLOCK (self);

  text = g_strdup_printf ("compiling %s for %s", settings.location ?
      settings.location : "the kernel", info->name);
  post_progress (self, GST_PROGRESS_TYPE_START, text);
  /* Before the file is read: a change while it compiles is seen. */
  stamp = auto_reload ? hip_kernel_reload_stamp (settings.location) : 0;
  if (parse_block_size (block_size, info, self->launch.block, error))
    program = hip_kernel_program_new (&settings, device, error);
  if (program && update_values (self, program, TRUE, error)) {
    set_program (self, program);
    GST_INFO_OBJECT (self, "running %s on %s", program->signature, info->name);
    if (auto_reload)
      self->reload = hip_kernel_reload_new (GST_ELEMENT (self), &settings,
          device, stamp);
    post_progress (self, GST_PROGRESS_TYPE_COMPLETE, "kernel ready");
  } else {
    g_clear_pointer (&program, hip_kernel_program_unref);
    post_progress (self, GST_PROGRESS_TYPE_ERROR, "no kernel");
  }
  hip_kernel_settings_clear (&settings);
  return program != NULL;
}

static gboolean
gst_hip_kernel_open (GstHipBaseFilter * filter, GError ** error)
{
  GstHipKernel *self = GST_HIP_KERNEL (filter);
  GError *own = NULL;

  if (!load (self, &own)) {
    gst_hip_base_filter_post_error (filter, "The kernel cannot be used",
        g_error_copy (own));
    g_propagate_error (error, own);
    return FALSE;
  }
  self->launch.device = gst_hip_base_filter_get_device (filter);
  self->launch.stream = gst_hip_base_filter_get_stream (filter);
  self->launch.args = gst_hip_kernel_args_new ();
  return TRUE;
}

static void
gst_hip_kernel_close (GstHipBaseFilter * filter)
{
  GstHipKernel *self = GST_HIP_KERNEL (filter);

  g_clear_pointer (&self->reload, hip_kernel_reload_free);
  g_clear_pointer (&self->launch.args, gst_hip_kernel_args_unref);
  g_clear_pointer (&self->values, hip_kernel_values_free);
  gst_clear_buffer (&self->prev);
  set_program (self, NULL);
  self->launch.device = NULL;
  self->launch.stream = NULL;
}

/* A reloaded kernel replaces the old one if it can do what is going on. */
static gboolean
can_replace (GstHipKernel * self, HipKernelProgram * program, GError ** error)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  g_autoptr (GstCaps) in = gst_pad_get_current_caps (trans->sinkpad);
  g_autoptr (GstCaps) out = gst_pad_get_current_caps (trans->srcpad);
  g_autoptr (GstCaps) possible = NULL, hip = NULL;

  if (!in || !out)
    return TRUE;
  hip = hip_cuda_caps_to_hip (in);
  possible = hip_kernel_directives_transform_caps (&program->directives, TRUE,
      hip);
  if (gst_caps_can_intersect (possible, out))
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "it says that it cannot make the current output of the current input");
  return FALSE;
}

static void
adopt_reloaded (GstHipKernel * self)
{
  HipKernelProgram *program = hip_kernel_reload_take (self->reload);
  GError *error = NULL;

  if (!program)
    return;
  if (!can_replace (self, program, &error)
      || !update_values (self, program, TRUE, &error)) {
    hip_kernel_program_unref (program);
    hip_kernel_reload_warn (GST_ELEMENT (self), error);
    return;
  }
  set_program (self, program);
  GST_INFO_OBJECT (self, "now running the changed %s", program->signature);
}

/* --- caps --- */

static gboolean
gst_hip_kernel_set_info (GstHipBaseFilter * filter, GstCaps * in_caps,
    const GstVideoInfo * in_info, GstCaps * out_caps,
    const GstVideoInfo * out_info, GError ** error)
{
  GstHipKernel *self = GST_HIP_KERNEL (filter);

  gst_clear_buffer (&self->prev);
  self->launch.in_info = in_info;
  self->launch.out_info = out_info;
  return TRUE;
}

static GstCaps *
gst_hip_kernel_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  static const HipKernelDirectives anything;
  GstHipKernel *self = GST_HIP_KERNEL (trans);
  g_autoptr (HipKernelProgram) program = NULL;
  g_autoptr (GstCaps) hip = hip_cuda_caps_to_hip (caps);
  GstCaps *result, *both;

  GST_OBJECT_LOCK (self);
  if (self->program)
    program = hip_kernel_program_ref (self->program);
  GST_OBJECT_UNLOCK (self);
  result = hip_kernel_directives_transform_caps (program ?
      &program->directives : &anything, direction == GST_PAD_SINK, hip);
  if (direction == GST_PAD_SRC)
    result = hip_cuda_caps_add_inputs (GST_HIP_BASE_FILTER (trans), result);
  if (filter) {
    both = gst_caps_intersect_full (filter, result, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (result);
    result = both;
  }
  return result;
}

static GstCaps *
gst_hip_kernel_fixate_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * others)
{
  return hip_kernel_directives_fixate_caps (caps, others);
}

static gboolean
gst_hip_kernel_transform_meta (GstBaseTransform * trans, GstBuffer * outbuf,
    GstMeta * meta, GstBuffer * inbuf)
{
  const HipKernelLaunch *launch = &GST_HIP_KERNEL (trans)->launch;
  GType api = meta->info->api;

  if ((GST_VIDEO_INFO_WIDTH (launch->in_info) !=
          GST_VIDEO_INFO_WIDTH (launch->out_info)
          || GST_VIDEO_INFO_HEIGHT (launch->in_info) !=
          GST_VIDEO_INFO_HEIGHT (launch->out_info))
      && gst_meta_api_type_has_tag (api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_SIZE_STR)))
    return FALSE;
  if (!gst_video_colorimetry_is_equal (&launch->in_info->colorimetry,
          &launch->out_info->colorimetry)
      && gst_meta_api_type_has_tag (api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_COLORSPACE_STR)))
    return FALSE;
  return GST_BASE_TRANSFORM_CLASS (gst_hip_kernel_parent_class)->transform_meta
      (trans, outbuf, meta, inbuf);
}

/* --- frames --- */

/* Between two frames: what was changed takes effect here. */
/* GStreamer counts users only; another driver's frames are to be read. */
static gboolean
may_write (GstBuffer * buffer)
{
  if (!gst_buffer_is_writable (buffer)
      || !gst_buffer_is_all_memory_writable (buffer))
    return FALSE;
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  }
  return TRUE;
}

static GstFlowReturn
gst_hip_kernel_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstHipKernel *self = GST_HIP_KERNEL (trans);
  GError *error = NULL;

  if (self->reload)
    adopt_reloaded (self);
  if (!update_values (self, self->program, FALSE, &error)) {
    gst_hip_base_filter_post_error (GST_HIP_BASE_FILTER (self),
        "The parameters cannot be used", error);
    return GST_FLOW_ERROR;
  }
  if (self->program->directives.inplace && may_write (in)) {
    *out = in;
    return GST_FLOW_OK;
  }
  return
      GST_BASE_TRANSFORM_CLASS
      (gst_hip_kernel_parent_class)->prepare_output_buffer (trans, in, out);
}

static void
fill_frame_info (GstHipKernel * self, GstBuffer * in, GstHipFrameInfo * info)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime running = GST_CLOCK_TIME_NONE;

  if (GST_BUFFER_PTS_IS_VALID (in) && segment->format == GST_FORMAT_TIME)
    running = gst_segment_to_running_time (segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (in));
  /* GST_CLOCK_TIME_NONE is -1 as a signed number. */
  info->frame_number = self->frame_number;
  info->pts_ns = (long long) GST_BUFFER_PTS (in);
  info->duration_ns = (long long) GST_BUFFER_DURATION (in);
  info->running_time_ns = (long long) running;
}

static GstFlowReturn
gst_hip_kernel_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstHipKernel *self = GST_HIP_KERNEL (trans);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  gboolean takes_prev = self->program->directives.prev;
  g_autoptr (GstHipEvent) event = NULL, start = NULL;
  GstHipFrameInfo info;
  GError *error = NULL;

  fill_frame_info (self, in, &info);
  if (g_atomic_int_get (&self->measure))
    start = hip_kernel_timing_begin (self->launch.stream);
  if (!hip_kernel_launch (&self->launch, in, !takes_prev ? NULL :
          self->prev ? self->prev : in, out, &info, &event, &error)) {
    gst_hip_base_filter_post_error (filter, "The kernel was not run", error);
    return GST_FLOW_ERROR;
  }
  if (start)
    hip_kernel_timing_end (self->timing, start, self->launch.stream);
  gst_hip_base_filter_submit_buffers (filter, event, in, out);
  gst_hip_base_filter_count_path (filter, in == out ? HIP_PATH_ZERO_COPY :
      HIP_PATH_DEVICE_COPY);
  self->frame_number++;
  if (takes_prev)
    gst_buffer_replace (&self->prev, in);
  else
    gst_clear_buffer (&self->prev);
  return GST_FLOW_OK;
}

static gboolean
gst_hip_kernel_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstHipKernel *self = GST_HIP_KERNEL (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    gst_clear_buffer (&self->prev);     /* what comes is from elsewhere */
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START) {
    gst_clear_buffer (&self->prev);
    self->frame_number = 0;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_hip_kernel_parent_class)->sink_event
      (trans, event);
}

/* --- object --- */

static void
gst_hip_kernel_finalize (GObject * object)
{
  GstHipKernel *self = GST_HIP_KERNEL (object);

  hip_kernel_settings_clear (&self->settings);
  g_free (self->block_size);
  g_clear_pointer (&self->parameters, gst_structure_free);
  hip_kernel_timing_unref (self->timing);
  G_OBJECT_CLASS (gst_hip_kernel_parent_class)->finalize (object);
}

static void
gst_hip_kernel_init (GstHipKernel * self)
{
  self->block_size = g_strdup (GST_HIP_KERNEL_DEFAULT_BLOCK_SIZE);
  self->timing = hip_kernel_timing_new ();
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_hip_kernel_class_init (GstHipKernelClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstHipBaseFilterClass *filter_class = GST_HIP_BASE_FILTER_CLASS (klass);
  g_autoptr (GstCaps) caps =
      gst_hip_get_supported_formats_caps (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
  g_autoptr (GstCaps) inputs = hip_cuda_caps_with_inputs (caps);

  object_class->finalize = gst_hip_kernel_finalize;
  gst_hip_kernel_install_properties (object_class);

  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, inputs));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (element_class, "HIP kernel",
      "Filter/Effect/Video/Hardware",
      "Runs a kernel of the user's over frames in device memory",
      "GstHip contributors");

  trans_class->transform_caps = gst_hip_kernel_transform_caps;
  trans_class->fixate_caps = gst_hip_kernel_fixate_caps;
  trans_class->transform_meta = gst_hip_kernel_transform_meta;
  trans_class->prepare_output_buffer = gst_hip_kernel_prepare_output_buffer;
  trans_class->transform = gst_hip_kernel_transform;
  trans_class->sink_event = gst_hip_kernel_sink_event;

  filter_class->imports_cuda = TRUE;
  filter_class->open = gst_hip_kernel_open;
  filter_class->close = gst_hip_kernel_close;
  filter_class->set_info = gst_hip_kernel_set_info;
}
