/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hipconvert
 * @title: hipconvert
 *
 * Converts frames in device memory to another format or colorimetry of the same
 * size, in one pass. It takes the place of `videoconvert` between #hipupload and
 * #hipdownload: its properties have the same names, types and defaults, and it
 * chooses the same output of what its neighbours take. Those that mean nothing
 * on a device (#GstHipConvert:n-threads, #GstHipConvert:dither-quantization) are
 * accepted and say so.
 *
 * What the caps claim is what the pixels are: range, matrix, chroma siting and
 * alpha are converted, of YUV to YUV, too; primaries and transfer functions
 * where #GstHipConvert:primaries-mode and #GstHipConvert:gamma-mode ask for it.
 * Properties may change while it plays; the next frame is made with them.
 * Frames pass through untouched where nothing would change.
 *
 * On NVIDIA's devices it takes frames of GStreamer's CUDA elements as well, as
 * #hipupload does.
 *
 * In streams of interlace mode `mixed` each buffer's flag says whether it is
 * converted as two fields.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! video/x-raw,format=I420,colorimetry=bt709 ! hipupload ! hipconvert ! "video/x-raw(memory:HIPMemory),format=RGBA" ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* With which converter is a frame made, and when is there nothing to do? New
 * properties take effect between two frames; while nothing is new a frame costs
 * one comparison. Must not know formats, colours, kernels or vendors.
 */
#include "config.h"

#include "gsthipconvert.h"
#include "hip-convert-caps.h"
#include "hip-convert-settings.h"
#include "hip-cuda.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_convert_debug);
#define GST_CAT_DEFAULT gst_hip_convert_debug

enum
{
  PROP_0,
  PROP_FIRST_SETTING,
};

struct _GstHipConvert
{
  GstHipBaseFilter parent;

  /* object lock */
  HipConvertSettings settings;
  gint serial;                  /* atomic: of settings */

  /* streaming thread */
  gint used_serial;
  /* Made for the caps and for used_serial; NULL while frames pass through */
  GstHipConverter *converter;
  GstHipConverter *fields;      /* interlace mode mixed: for interlaced frames */
};

G_DEFINE_FINAL_TYPE_WITH_CODE (GstHipConvert, gst_hip_convert,
    GST_TYPE_HIP_BASE_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_hip_convert_debug, "hipconvert", 0,
        "HIP format conversion"));
GST_ELEMENT_REGISTER_DEFINE (hipconvert, "hipconvert", GST_RANK_NONE,
    GST_TYPE_HIP_CONVERT);

/* --- converters --- */

static void
drop_converters (GstHipConvert * self)
{
  gst_clear_object (&self->converter);
  gst_clear_object (&self->fields);
}

/* serial: (nullable): of what it is made of */
static GstStructure *
new_config (GstHipConvert * self, gint * serial)
{
  GstStructure *config;

  GST_OBJECT_LOCK (self);
  config = hip_convert_settings_to_config (&self->settings);
  if (serial)
    *serial = g_atomic_int_get (&self->serial);
  GST_OBJECT_UNLOCK (self);
  return config;
}

/* What one of them leaves open is as in the other, for the converter as well. */
static gboolean
agree (guint a, guint b)
{
  return a == b || a == 0 || b == 0;
}

static gboolean
colours_agree (const GstVideoInfo * in, const GstVideoInfo * out)
{
  const GstVideoColorimetry *a = &in->colorimetry, *b = &out->colorimetry;

  return agree (a->range, b->range) && agree (a->matrix, b->matrix)
      && agree (a->transfer, b->transfer) && agree (a->primaries, b->primaries)
      && agree (in->chroma_site, out->chroma_site);
}

/* Size and interlace mode are equal, or there would be no negotiation. */
static gboolean
is_nothing_to_do (const GstVideoInfo * in, const GstVideoInfo * out,
    const GstStructure * config)
{
  return GST_VIDEO_INFO_FORMAT (in) == GST_VIDEO_INFO_FORMAT (out)
      && colours_agree (in, out)
      && !((GST_VIDEO_INFO_FLAGS (in) ^ GST_VIDEO_INFO_FLAGS (out))
      & GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA)
      && !hip_convert_config_changes_alpha (config, in);
}

static GstHipConverter *
new_converter (GstHipConvert * self, GstVideoInterlaceMode mode,
    const GstStructure * config, GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GstVideoInfo in = *gst_hip_base_filter_get_in_info (filter);
  GstVideoInfo out = *gst_hip_base_filter_get_out_info (filter);

  GST_VIDEO_INFO_INTERLACE_MODE (&in) = mode;
  GST_VIDEO_INFO_INTERLACE_MODE (&out) = mode;
  return gst_hip_converter_new (gst_hip_base_filter_get_device (filter), &in,
      &out, config, error);
}

/* The old ones go when the new ones are there, so that they can share kernels. */
static gboolean
make_converters (GstHipConvert * self, const GstStructure * config,
    GError ** error)
{
  const GstVideoInfo *in =
      gst_hip_base_filter_get_in_info (GST_HIP_BASE_FILTER (self));
  GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (in);
  gboolean mixed = mode == GST_VIDEO_INTERLACE_MODE_MIXED;
  g_autoptr (GstHipConverter) converter = NULL, fields = NULL;

  converter = new_converter (self, mixed ? GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
      : mode, config, error);
  if (!converter)
    return FALSE;
  if (mixed && !(fields = new_converter (self,
              GST_VIDEO_INTERLACE_MODE_INTERLEAVED, config, error)))
    return FALSE;
  drop_converters (self);
  self->converter = g_steal_pointer (&converter);
  self->fields = g_steal_pointer (&fields);
  return TRUE;
}

/* For the caps and properties of now */
static gboolean
update (GstHipConvert * self, GError ** error)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  g_autoptr (GstStructure) config = new_config (self, &self->used_serial);
  gboolean passes = is_nothing_to_do (gst_hip_base_filter_get_in_info (filter),
      gst_hip_base_filter_get_out_info (filter), config);

  if (passes)
    drop_converters (self);
  else if (!make_converters (self, config, error))
    return FALSE;
  if (passes != gst_base_transform_is_passthrough (trans)) {
    GST_INFO_OBJECT (self, passes ? "nothing to do: frames pass through" :
        "frames are converted");
    gst_base_transform_set_passthrough (trans, passes);
    /* Who passes frames through has no pool. */
    gst_base_transform_reconfigure_src (trans);
  }
  return TRUE;
}

static void
gst_hip_convert_close (GstHipBaseFilter * filter)
{
  drop_converters (GST_HIP_CONVERT (filter));
}

static gboolean
gst_hip_convert_set_info (GstHipBaseFilter * filter, GstCaps * in_caps,
    const GstVideoInfo * in_info, GstCaps * out_caps,
    const GstVideoInfo * out_info, GError ** error)
{
  return update (GST_HIP_CONVERT (filter), error);
}

/* --- caps and metas --- */

static GstCaps *
gst_hip_convert_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  g_autoptr (GstCaps) hip = hip_cuda_caps_to_hip (caps);
  g_autoptr (GstCaps) inputs = NULL;

  if (direction == GST_PAD_SINK)
    return hip_convert_caps_transform (hip, filter);
  inputs = hip_cuda_caps_add_inputs (GST_HIP_BASE_FILTER (trans),
      hip_convert_caps_transform (hip, NULL));
  return filter ? gst_caps_intersect_full (filter, inputs,
      GST_CAPS_INTERSECT_FIRST) : g_steal_pointer (&inputs);
}

static GstCaps *
gst_hip_convert_fixate_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * others)
{
  return hip_convert_caps_fixate (caps, others, direction == GST_PAD_SINK);
}

static gboolean
gst_hip_convert_transform_meta (GstBaseTransform * trans, GstBuffer * outbuf,
    GstMeta * meta, GstBuffer * inbuf)
{
  /* What tells of colours tells of the input's. */
  if (gst_meta_api_type_has_tag (meta->info->api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_COLORSPACE_STR)))
    return FALSE;
  return GST_BASE_TRANSFORM_CLASS (gst_hip_convert_parent_class)->transform_meta
      (trans, outbuf, meta, inbuf);
}

/* --- frames --- */

static GstFlowReturn
fail (GstHipConvert * self, GError * error)
{
  gst_hip_base_filter_post_error (GST_HIP_BASE_FILTER (self),
      "The frame was not converted", error);
  return GST_FLOW_ERROR;
}

/* The device has become another one since the caps came. */
static gboolean
make_converters_again (GstHipConvert * self, GError ** error)
{
  g_autoptr (GstStructure) config = new_config (self, NULL);

  return make_converters (self, config, error);
}

/* Before the base class looks whether there are pools to be negotiated */
static GstFlowReturn
gst_hip_convert_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * input)
{
  GstHipConvert *self = GST_HIP_CONVERT (trans);
  GError *error = NULL;

  if (self->used_serial != g_atomic_int_get (&self->serial)
      && gst_pad_has_current_caps (trans->srcpad)
      && !update (self, &error)) {
    gst_buffer_unref (input);
    return fail (self, error);
  }
  return
      GST_BASE_TRANSFORM_CLASS
      (gst_hip_convert_parent_class)->submit_input_buffer (trans, is_discont,
      input);
}

static GstFlowReturn
gst_hip_convert_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstHipConvert *self = GST_HIP_CONVERT (trans);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  g_autoptr (GstHipEvent) event = NULL;
  GstHipConverter *converter;
  GError *error = NULL;

  if (!self->converter && !make_converters_again (self, &error))
    return fail (self, error);
  converter = self->fields && GST_BUFFER_FLAG_IS_SET (in,
      GST_VIDEO_BUFFER_FLAG_INTERLACED) ? self->fields : self->converter;
  if (!gst_hip_converter_convert_buffer (converter,
          gst_hip_base_filter_get_stream (filter), in, out, &event, &error))
    return fail (self, error);

  gst_hip_base_filter_submit_buffers (filter, event, in, out);
  gst_hip_base_filter_count_path (filter, HIP_PATH_DEVICE_COPY);
  return GST_FLOW_OK;
}

/* --- object --- */

static void
gst_hip_convert_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstHipConvert *self = GST_HIP_CONVERT (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = hip_convert_settings_set (&self->settings, id - PROP_FIRST_SETTING,
      value);
  g_atomic_int_inc (&self->serial);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_hip_convert_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstHipConvert *self = GST_HIP_CONVERT (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = hip_convert_settings_get (&self->settings, id - PROP_FIRST_SETTING,
      value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_hip_convert_finalize (GObject * object)
{
  GstHipConvert *self = GST_HIP_CONVERT (object);

  drop_converters (self);
  hip_convert_settings_clear (&self->settings);
  G_OBJECT_CLASS (gst_hip_convert_parent_class)->finalize (object);
}

static void
gst_hip_convert_init (GstHipConvert * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);

  hip_convert_settings_init (&self->settings);
  gst_base_transform_set_in_place (trans, FALSE);
  gst_base_transform_set_qos_enabled (trans, TRUE);
}

static void
gst_hip_convert_class_init (GstHipConvertClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstHipBaseFilterClass *filter_class = GST_HIP_BASE_FILTER_CLASS (klass);
  g_autoptr (GstCaps) caps = hip_convert_caps_new_template ();
  g_autoptr (GstCaps) inputs = hip_cuda_caps_with_inputs (caps);

  object_class->set_property = gst_hip_convert_set_property;
  object_class->get_property = gst_hip_convert_get_property;
  object_class->finalize = gst_hip_convert_finalize;
  hip_convert_settings_install (object_class, PROP_FIRST_SETTING);

  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, inputs));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (element_class, "HIP converter",
      "Filter/Converter/Video/Colorspace/Hardware",
      "Converts frames in device memory to another format or colorimetry",
      "GstHip contributors");

  trans_class->passthrough_on_same_caps = FALSE;
  trans_class->transform_caps = gst_hip_convert_transform_caps;
  trans_class->fixate_caps = gst_hip_convert_fixate_caps;
  trans_class->transform_meta = gst_hip_convert_transform_meta;
  trans_class->submit_input_buffer = gst_hip_convert_submit_input_buffer;
  trans_class->transform = gst_hip_convert_transform;

  filter_class->imports_cuda = TRUE;
  filter_class->close = gst_hip_convert_close;
  filter_class->set_info = gst_hip_convert_set_info;
}
