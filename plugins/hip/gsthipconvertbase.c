/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* With which converter is a frame made, and when is there nothing to do? New
 * properties take effect between two frames; while nothing is new a frame costs
 * one comparison. What lies on the picture moves with it. Must not know formats,
 * colours, kernels or vendors.
 */
#include "config.h"

#include "gsthipconvertbase.h"
#include "hip-convert-caps.h"
#include "hip-convert-settings.h"
#include "hip-cuda.h"
#include "hip-scale-metas.h"
#include "hip-scale-settings.h"

GST_DEBUG_CATEGORY_STATIC (gst_hip_convert_base_debug);
#define GST_CAT_DEFAULT gst_hip_convert_base_debug

enum
{
  PROP_0,
  PROP_FIRST_SETTING,           /* of conversion, if the class converts, then those of scaling */
};

/* A part of frames that are larger than the caps say */
typedef struct
{
  guint width, height;          /* of the frame in memory */
  guint rectangle[4];
  gboolean fields;
  gint serial;                  /* of converters; 0: there is none */
  GstHipConverter *converter;
} Crop;

typedef struct
{
  /* object lock */
  HipConvertSettings settings;
  HipScaleSettings scale;
  gint serial;                  /* atomic: of both */

  /* streaming thread */
  gint used_serial;
  /* Made for the caps and for used_serial; NULL while frames pass through */
  GstHipConverter *converter;
  GstHipConverter *fields;      /* interlace mode mixed: for interlaced frames */
  gint converter_serial;        /* how often they were made */
  Crop crop;
  GstHipFrameMap map;           /* from output to input */
  gboolean moves;               /* it is not the identity */
  gboolean plain;               /* nothing is turned, and there are no borders */
} GstHipConvertBasePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstHipConvertBase, gst_hip_convert_base,
    GST_TYPE_HIP_BASE_FILTER, G_ADD_PRIVATE (GstHipConvertBase)
    GST_DEBUG_CATEGORY_INIT (gst_hip_convert_base_debug, "hipconvert", 0,
        "HIP format conversion and scaling"));

#define PRIV(self) ((GstHipConvertBasePrivate *) \
    gst_hip_convert_base_get_instance_private (GST_HIP_CONVERT_BASE (self)))
#define CLASS(self) GST_HIP_CONVERT_BASE_GET_CLASS (self)

/* --- converters --- */

static void
drop_converters (GstHipConvertBase * self)
{
  gst_clear_object (&PRIV (self)->converter);
  gst_clear_object (&PRIV (self)->fields);
  gst_clear_object (&PRIV (self)->crop.converter);
}

/* serial: (nullable): of what it is made of */
static GstStructure *
new_config (GstHipConvertBase * self, gint * serial)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GstStructure *config;

  GST_OBJECT_LOCK (self);
  config = hip_convert_settings_to_config (&PRIV (self)->settings);
  if (CLASS (self)->scales)
    hip_scale_settings_add_to_config (&PRIV (self)->scale,
        gst_hip_base_filter_get_in_info (filter),
        gst_hip_base_filter_get_out_info (filter), config);
  if (serial)
    *serial = g_atomic_int_get (&PRIV (self)->serial);
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

/* Interlace modes are equal, or there would be no negotiation. */
static gboolean
is_nothing_to_do (const GstVideoInfo * in, const GstVideoInfo * out,
    const GstStructure * config)
{
  return !hip_scale_config_changes (config, in, out)
      && GST_VIDEO_INFO_FORMAT (in) == GST_VIDEO_INFO_FORMAT (out)
      && colours_agree (in, out)
      && !((GST_VIDEO_INFO_FLAGS (in) ^ GST_VIDEO_INFO_FLAGS (out))
      & GST_VIDEO_FLAG_PREMULTIPLIED_ALPHA)
      && !hip_convert_config_changes_alpha (config, in);
}

/* The same of another size, with strides of its own */
static gboolean
enlarge (GstVideoInfo * info, guint width, guint height)
{
  GstVideoInfo old = *info;

  if (!gst_video_info_set_interlaced_format (info,
          GST_VIDEO_INFO_FORMAT (&old), GST_VIDEO_INFO_INTERLACE_MODE (&old),
          width, height))
    return FALSE;
  info->flags = old.flags;
  info->colorimetry = old.colorimetry;
  info->chroma_site = old.chroma_site;
  return TRUE;
}

static GstHipConverter *
new_converter (GstHipConvertBase * self, GstVideoInterlaceMode mode,
    const Crop * crop, const GstStructure * config, GError ** error)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  GstVideoInfo in = *gst_hip_base_filter_get_in_info (filter);
  GstVideoInfo out = *gst_hip_base_filter_get_out_info (filter);

  GST_VIDEO_INFO_INTERLACE_MODE (&in) = mode;
  GST_VIDEO_INFO_INTERLACE_MODE (&out) = mode;
  if (crop && !enlarge (&in, crop->width, crop->height)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "A frame of %ux%u " "is none", crop->width, crop->height);
    return NULL;
  }
  return gst_hip_converter_new (gst_hip_base_filter_get_device (filter), &in,
      &out, config, error);
}

/* The old ones go when the new ones are there, so that they can share kernels. */
static gboolean
make_converters (GstHipConvertBase * self, const GstStructure * config,
    GError ** error)
{
  const GstVideoInfo *in =
      gst_hip_base_filter_get_in_info (GST_HIP_BASE_FILTER (self));
  GstVideoInterlaceMode mode = GST_VIDEO_INFO_INTERLACE_MODE (in);
  gboolean mixed = mode == GST_VIDEO_INTERLACE_MODE_MIXED;
  g_autoptr (GstHipConverter) converter = NULL, fields = NULL;

  converter = new_converter (self, mixed ? GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
      : mode, NULL, config, error);
  if (!converter)
    return FALSE;
  if (mixed && !(fields = new_converter (self,
              GST_VIDEO_INTERLACE_MODE_INTERLEAVED, NULL, config, error)))
    return FALSE;
  drop_converters (self);
  PRIV (self)->converter = g_steal_pointer (&converter);
  PRIV (self)->fields = g_steal_pointer (&fields);
  PRIV (self)->converter_serial++;
  gst_hip_converter_get_frame_map (PRIV (self)->converter, &PRIV (self)->map);
  return TRUE;
}

/* What becomes of what lies on the picture? */
static void
look_at_geometry (GstHipConvertBase * self, const GstStructure * config)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  gint direction = GST_VIDEO_ORIENTATION_IDENTITY;

  gst_structure_get_enum (config, GST_HIP_CONVERTER_OPT_DIRECTION,
      GST_TYPE_VIDEO_ORIENTATION_METHOD, &direction);
  PRIV (self)->moves = hip_scale_config_changes (config,
      gst_hip_base_filter_get_in_info (filter),
      gst_hip_base_filter_get_out_info (filter));
  PRIV (self)->plain = direction == GST_VIDEO_ORIENTATION_IDENTITY
      && !gst_structure_has_field (config, GST_VIDEO_CONVERTER_OPT_DEST_WIDTH);
}

/* For the caps and properties of now */
static gboolean
update (GstHipConvertBase * self, GError ** error)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (self);
  g_autoptr (GstStructure) config =
      new_config (self, &PRIV (self)->used_serial);
  gboolean passes = is_nothing_to_do (gst_hip_base_filter_get_in_info (filter),
      gst_hip_base_filter_get_out_info (filter), config);

  look_at_geometry (self, config);
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
gst_hip_convert_base_close (GstHipBaseFilter * filter)
{
  drop_converters (GST_HIP_CONVERT_BASE (filter));
}

static gboolean
gst_hip_convert_base_set_info (GstHipBaseFilter * filter, GstCaps * in_caps,
    const GstVideoInfo * in_info, GstCaps * out_caps,
    const GstVideoInfo * out_info, GError ** error)
{
  return update (GST_HIP_CONVERT_BASE (filter), error);
}

/* --- caps and metas --- */

static GstCaps *
gst_hip_convert_base_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  gboolean converts = CLASS (trans)->converts, scales = CLASS (trans)->scales;
  g_autoptr (GstCaps) hip = hip_cuda_caps_to_hip (caps);
  g_autoptr (GstCaps) inputs = NULL;

  if (direction == GST_PAD_SINK)
    return hip_convert_caps_transform (hip, filter, converts, scales);
  inputs = hip_cuda_caps_add_inputs (GST_HIP_BASE_FILTER (trans),
      hip_convert_caps_transform (hip, NULL, converts, scales));
  return filter ? gst_caps_intersect_full (filter, inputs,
      GST_CAPS_INTERSECT_FIRST) : g_steal_pointer (&inputs);
}

static gboolean
is_turned (GstHipConvertBase * self)
{
  gboolean turned;

  GST_OBJECT_LOCK (self);
  turned = hip_scale_direction_is_turned (hip_scale_settings_get_direction
      (&PRIV (self)->scale));
  GST_OBJECT_UNLOCK (self);
  return turned;
}

static GstCaps *
gst_hip_convert_base_fixate_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * others)
{
  return hip_convert_caps_fixate (caps, others, direction == GST_PAD_SINK,
      CLASS (trans)->scales, is_turned (GST_HIP_CONVERT_BASE (trans)));
}

static gboolean
gst_hip_convert_base_transform_meta (GstBaseTransform * trans,
    GstBuffer * outbuf, GstMeta * meta, GstBuffer * inbuf)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  GstHipConvertBasePrivate *priv = PRIV (trans);

  /* What tells of colours tells of the input's. */
  if (CLASS (trans)->converts && gst_meta_api_type_has_tag (meta->info->api,
          g_quark_from_static_string (GST_META_TAG_VIDEO_COLORSPACE_STR)))
    return FALSE;
  if (!GST_BASE_TRANSFORM_CLASS
      (gst_hip_convert_base_parent_class)->transform_meta (trans, outbuf, meta,
          inbuf))
    return FALSE;
  if (priv->moves) {
    GstVideoInfo in = *gst_hip_base_filter_get_in_info (filter);
    GstVideoInfo out = *gst_hip_base_filter_get_out_info (filter);

    return !hip_scale_transform_meta (outbuf, meta, inbuf, &priv->map,
        priv->plain, &in, &out);
  }
  return meta->info->api != GST_VIDEO_CROP_META_API_TYPE;
}

/* --- events --- */

static void
change_direction (GstHipConvertBase * self, GstVideoOrientationMethod tagged)
{
  GstHipConvertBasePrivate *priv = PRIV (self);
  gboolean changes;

  GST_OBJECT_LOCK (self);
  changes = priv->scale.tagged != tagged
      && priv->scale.direction == GST_VIDEO_ORIENTATION_AUTO;
  priv->scale.tagged = tagged;
  if (changes)
    g_atomic_int_inc (&priv->serial);
  GST_OBJECT_UNLOCK (self);
  if (changes)
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
}

static gboolean
is_direction_auto (GstHipConvertBase * self)
{
  gboolean result;

  GST_OBJECT_LOCK (self);
  result = PRIV (self)->scale.direction == GST_VIDEO_ORIENTATION_AUTO;
  GST_OBJECT_UNLOCK (self);
  return result;
}

/* Downstream is told that the picture stands upright: it is turned here. */
static GstEvent *
consume_orientation (GstHipConvertBase * self, GstEvent * event)
{
  GstVideoOrientationMethod method = GST_VIDEO_ORIENTATION_IDENTITY;
  GstTagList *tags;
  GstEvent *upright;

  gst_event_parse_tag (event, &tags);
  if (!gst_video_orientation_from_tag (tags, &method))
    return event;
  change_direction (self, method);
  if (!is_direction_auto (self))
    return event;
  tags = gst_tag_list_copy (tags);
  gst_tag_list_add (tags, GST_TAG_MERGE_REPLACE, GST_TAG_IMAGE_ORIENTATION,
      "rotate-0", NULL);
  upright = gst_event_new_tag (tags);
  gst_event_set_seqnum (upright, gst_event_get_seqnum (event));
  gst_event_unref (event);
  return upright;
}

static gboolean
gst_hip_convert_base_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstHipConvertBase *self = GST_HIP_CONVERT_BASE (trans);

  if (CLASS (self)->scales && GST_EVENT_TYPE (event) == GST_EVENT_TAG)
    event = consume_orientation (self, event);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    change_direction (self, GST_VIDEO_ORIENTATION_IDENTITY);
  return
      GST_BASE_TRANSFORM_CLASS (gst_hip_convert_base_parent_class)->sink_event
      (trans, event);
}

static gboolean
gst_hip_convert_base_src_event (GstBaseTransform * trans, GstEvent * event)
{
  GstHipConvertBasePrivate *priv = PRIV (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION && priv->moves)
    event = hip_scale_transform_navigation (event, &priv->map);
  return GST_BASE_TRANSFORM_CLASS (gst_hip_convert_base_parent_class)->src_event
      (trans, event);
}

/* --- frames --- */

static GstFlowReturn
fail (GstHipConvertBase * self, GError * error)
{
  gst_hip_base_filter_post_error (GST_HIP_BASE_FILTER (self),
      "The frame was not converted", error);
  return GST_FLOW_ERROR;
}

/* The device has become another one since the caps came. */
static gboolean
make_converters_again (GstHipConvertBase * self, GError ** error)
{
  g_autoptr (GstStructure) config = new_config (self, NULL);

  return make_converters (self, config, error);
}

/* Before the base class looks whether there are pools to be negotiated */
static GstFlowReturn
gst_hip_convert_base_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * input)
{
  GstHipConvertBase *self = GST_HIP_CONVERT_BASE (trans);
  GError *error = NULL;

  if (PRIV (self)->used_serial != g_atomic_int_get (&PRIV (self)->serial)
      && gst_pad_has_current_caps (trans->srcpad)
      && !update (self, &error)) {
    gst_buffer_unref (input);
    return fail (self, error);
  }
  return
      GST_BASE_TRANSFORM_CLASS
      (gst_hip_convert_base_parent_class)->submit_input_buffer (trans,
      is_discont, input);
}

/* The part of a buffer that is the picture; FALSE: all of it */
static gboolean
get_crop (GstHipConvertBase * self, GstBuffer * buffer, gboolean fields,
    Crop * crop)
{
  const GstVideoInfo *info =
      gst_hip_base_filter_get_in_info (GST_HIP_BASE_FILTER (self));
  GstVideoMeta *video = gst_buffer_get_video_meta (buffer);
  GstVideoCropMeta *meta = gst_buffer_get_video_crop_meta (buffer);

  if (!meta)
    return FALSE;
  crop->width = video ? video->width : (guint) GST_VIDEO_INFO_WIDTH (info);
  crop->height = video ? video->height : (guint) GST_VIDEO_INFO_HEIGHT (info);
  crop->rectangle[0] = meta->x;
  crop->rectangle[1] = meta->y;
  crop->rectangle[2] = meta->width;
  crop->rectangle[3] = meta->height;
  crop->fields = fields;
  return meta->x || meta->y || meta->width != crop->width
      || meta->height != crop->height;
}

/* As the last one was, mostly */
static GstHipConverter *
get_crop_converter (GstHipConvertBase * self, const Crop * wanted,
    GError ** error)
{
  GstHipConvertBasePrivate *priv = PRIV (self);
  GstVideoInterlaceMode mode =
      GST_VIDEO_INFO_INTERLACE_MODE (gst_hip_base_filter_get_in_info
      (GST_HIP_BASE_FILTER (self)));
  g_autoptr (GstStructure) config = NULL;
  GstHipConverter *converter;

  if (priv->crop.converter && priv->crop.serial == priv->converter_serial
      && memcmp (&priv->crop, wanted, G_STRUCT_OFFSET (Crop, serial)) == 0)
    return priv->crop.converter;
  config = new_config (self, NULL);
  gst_structure_set (config,
      GST_VIDEO_CONVERTER_OPT_SRC_X, G_TYPE_INT, (gint) wanted->rectangle[0],
      GST_VIDEO_CONVERTER_OPT_SRC_Y, G_TYPE_INT, (gint) wanted->rectangle[1],
      GST_VIDEO_CONVERTER_OPT_SRC_WIDTH, G_TYPE_INT,
      (gint) wanted->rectangle[2], GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT,
      G_TYPE_INT, (gint) wanted->rectangle[3], NULL);
  if (mode == GST_VIDEO_INTERLACE_MODE_MIXED)
    mode = wanted->fields ? GST_VIDEO_INTERLACE_MODE_INTERLEAVED :
        GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  converter = new_converter (self, mode, wanted, config, error);
  if (!converter)
    return NULL;
  gst_clear_object (&priv->crop.converter);
  priv->crop = *wanted;
  priv->crop.serial = priv->converter_serial;
  priv->crop.converter = converter;
  return converter;
}

static GstHipConverter *
get_converter (GstHipConvertBase * self, GstBuffer * in, GError ** error)
{
  GstHipConvertBasePrivate *priv = PRIV (self);
  gboolean fields = priv->fields && GST_BUFFER_FLAG_IS_SET (in,
      GST_VIDEO_BUFFER_FLAG_INTERLACED);
  Crop crop = { 0, };

  if (!priv->converter && !make_converters_again (self, error))
    return NULL;
  if (get_crop (self, in, fields, &crop))
    return get_crop_converter (self, &crop, error);
  return fields ? priv->fields : priv->converter;
}

static GstFlowReturn
gst_hip_convert_base_transform (GstBaseTransform * trans, GstBuffer * in,
    GstBuffer * out)
{
  GstHipConvertBase *self = GST_HIP_CONVERT_BASE (trans);
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  g_autoptr (GstHipEvent) event = NULL;
  GstHipConverter *converter;
  GError *error = NULL;

  converter = get_converter (self, in, &error);
  if (!converter || !gst_hip_converter_convert_buffer (converter,
          gst_hip_base_filter_get_stream (filter), in, out, &event, &error))
    return fail (self, error);

  gst_hip_base_filter_submit_buffers (filter, event, in, out);
  gst_hip_base_filter_count_path (filter, HIP_PATH_DEVICE_COPY);
  return GST_FLOW_OK;
}

/* --- object --- */

/* Both kinds of settings: id counts within its own; FALSE: of conversion */
static gboolean
is_scale_setting (GstHipConvertBase * self, guint id, guint * index)
{
  guint first = CLASS (self)->first_scale_setting;
  gboolean scales = CLASS (self)->scales && id >= first;

  *index = scales ? id - first : id - PROP_FIRST_SETTING;
  return scales;
}

static void
gst_hip_convert_base_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstHipConvertBase *self = GST_HIP_CONVERT_BASE (object);
  gboolean known;
  guint index;

  GST_OBJECT_LOCK (self);
  known = is_scale_setting (self, id, &index) ?
      hip_scale_settings_set (&PRIV (self)->scale, index, value) :
      hip_convert_settings_set (&PRIV (self)->settings, index, value);
  g_atomic_int_inc (&PRIV (self)->serial);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (strcmp (pspec->name, "video-direction") == 0)
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
}

static void
gst_hip_convert_base_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstHipConvertBase *self = GST_HIP_CONVERT_BASE (object);
  gboolean known;
  guint index;

  GST_OBJECT_LOCK (self);
  known = is_scale_setting (self, id, &index) ?
      hip_scale_settings_get (&PRIV (self)->scale, index, value) :
      hip_convert_settings_get (&PRIV (self)->settings, index, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_hip_convert_base_finalize (GObject * object)
{
  GstHipConvertBase *self = GST_HIP_CONVERT_BASE (object);

  drop_converters (self);
  hip_convert_settings_clear (&PRIV (self)->settings);
  G_OBJECT_CLASS (gst_hip_convert_base_parent_class)->finalize (object);
}

static void
gst_hip_convert_base_init (GstHipConvertBase * self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);

  hip_convert_settings_init (&PRIV (self)->settings);
  hip_scale_settings_init (&PRIV (self)->scale);
  gst_base_transform_set_in_place (trans, FALSE);
  gst_base_transform_set_qos_enabled (trans, TRUE);
}

void
gst_hip_convert_base_class_setup (GstHipConvertBaseClass * klass,
    gboolean converts, gboolean scales)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  guint next = PROP_FIRST_SETTING;

  /* Of the class that has the properties, not of its parent */
  object_class->set_property = gst_hip_convert_base_set_property;
  object_class->get_property = gst_hip_convert_base_get_property;
  klass->converts = converts;
  klass->scales = scales;
  next = hip_convert_settings_install (object_class, next);
  klass->first_scale_setting = next;
  if (scales)
    hip_scale_settings_install (object_class, next);
}

static void
gst_hip_convert_base_class_init (GstHipConvertBaseClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstHipBaseFilterClass *filter_class = GST_HIP_BASE_FILTER_CLASS (klass);
  g_autoptr (GstCaps) caps = hip_convert_caps_new_template ();
  g_autoptr (GstCaps) inputs = hip_cuda_caps_with_inputs (caps);

  object_class->finalize = gst_hip_convert_base_finalize;

  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, inputs));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));

  trans_class->passthrough_on_same_caps = FALSE;
  trans_class->transform_caps = gst_hip_convert_base_transform_caps;
  trans_class->fixate_caps = gst_hip_convert_base_fixate_caps;
  trans_class->transform_meta = gst_hip_convert_base_transform_meta;
  trans_class->sink_event = gst_hip_convert_base_sink_event;
  trans_class->src_event = gst_hip_convert_base_src_event;
  trans_class->submit_input_buffer = gst_hip_convert_base_submit_input_buffer;
  trans_class->transform = gst_hip_convert_base_transform;

  filter_class->imports_cuda = TRUE;
  filter_class->close = gst_hip_convert_base_close;
  filter_class->set_info = gst_hip_convert_base_set_info;

  gst_type_mark_as_plugin_api (GST_TYPE_HIP_CONVERT_BASE, 0);
}
