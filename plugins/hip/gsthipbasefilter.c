/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What happens to a frame before and after an element's own work is queued, and
 * what is common to elements? Must not know what a subclass does with pixels.
 * Invariant: I1, the only wait on a streaming thread is
 * hip_in_flight_wait_room (), which flush and state change end.
 */
#include "config.h"

#include "gsthipbasefilter-private.h"
#include "hip-bridge.h"
#include "hip-cuda.h"
#include "hip-element-error.h"
#include "hip-filter-pools.h"
#include "hip-tensor-meta.h"

GST_DEBUG_CATEGORY (gst_hip_base_filter_debug);
#define GST_CAT_DEFAULT gst_hip_base_filter_debug

#define DEFAULT_VENDOR GST_HIP_VENDOR_UNKNOWN
#define DEFAULT_DEVICE_ID -1
#define DEFAULT_MAX_IN_FLIGHT 8
/* Made at start; who wants more frames under way waits for memory anyway. */
#define MOST_FENCES 64

enum
{
  PROP_0,
  PROP_VENDOR,
  PROP_DEVICE_ID,
  PROP_MAX_IN_FLIGHT,
  PROP_STATS,
  PROP_PATH,
};

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstHipBaseFilter, gst_hip_base_filter,
    GST_TYPE_BASE_TRANSFORM, G_ADD_PRIVATE (GstHipBaseFilter);
    GST_DEBUG_CATEGORY_INIT (gst_hip_base_filter_debug, "hipbasefilter", 0,
        "What HIP elements share"));

GstHipBaseFilterPrivate *
gst_hip_base_filter_get_private (GstHipBaseFilter * filter)
{
  return gst_hip_base_filter_get_instance_private (filter);
}

/* --- for subclasses --- */

GstHipDevice *
gst_hip_base_filter_get_device (GstHipBaseFilter * filter)
{
  return PRIV (filter)->device;
}

GstHipStream *
gst_hip_base_filter_get_stream (GstHipBaseFilter * filter)
{
  return PRIV (filter)->stream;
}

const GstVideoInfo *
gst_hip_base_filter_get_in_info (GstHipBaseFilter * filter)
{
  return &PRIV (filter)->in_info;
}

const GstVideoInfo *
gst_hip_base_filter_get_out_info (GstHipBaseFilter * filter)
{
  return &PRIV (filter)->out_info;
}

gboolean
gst_hip_base_filter_is_hip_in (GstHipBaseFilter * filter)
{
  return PRIV (filter)->hip_in;
}

gboolean
gst_hip_base_filter_is_hip_out (GstHipBaseFilter * filter)
{
  return PRIV (filter)->hip_out;
}

HipInFlight *
gst_hip_base_filter_get_in_flight (GstHipBaseFilter * filter)
{
  return PRIV (filter)->in_flight;
}

GstHipFenceData *
gst_hip_base_filter_acquire_fence (GstHipBaseFilter * filter)
{
  return gst_hip_fence_data_pool_acquire (PRIV (filter)->fences);
}

guint64
gst_hip_base_filter_submit_buffers (GstHipBaseFilter * filter,
    GstHipEvent * event, GstBuffer * in, GstBuffer * out)
{
  GstBuffer *buffers[2] = { in, out == in ? NULL : out };
  GstHipFenceData *fence = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++) {
    if (!buffers[i] || !hip_frame_is_cpu_memory (buffers[i]))
      continue;
    if (!fence)
      fence = gst_hip_base_filter_acquire_fence (filter);
    gst_hip_fence_data_push_mini_object (fence,
        GST_MINI_OBJECT_CAST (gst_buffer_ref (buffers[i])));
  }
  return gst_hip_base_filter_submit_frame (filter, event, fence);
}

guint64
gst_hip_base_filter_submit_frame (GstHipBaseFilter * filter,
    GstHipEvent * event, GstHipFenceData * fence)
{
  return hip_in_flight_submit (PRIV (filter)->in_flight, fence, event);
}

GstHipEvent *
gst_hip_base_filter_record (GstHipBaseFilter * filter, GError ** error)
{
  return gst_hip_stream_record (PRIV (filter)->stream, FALSE, error);
}

void
gst_hip_base_filter_count_path (GstHipBaseFilter * filter, HipPath path)
{
  if (hip_in_flight_count_path (PRIV (filter)->in_flight, path))
    GST_INFO_OBJECT (filter, "frames now go by %s", hip_path_name (path));
}

/* --- start, stop, contexts --- */

/* As many as can be out at once, so that none is made while frames run: those of
 * max-in-flight frames, and one of a frame that counts as finished while the
 * worker still holds it. */
static void
make_fences (GstHipBaseFilter * filter)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  g_autoptr (GPtrArray) fences =
      g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_hip_fence_data_unref);
  guint n;

  GST_OBJECT_LOCK (filter);
  n = MIN (priv->max_in_flight ? priv->max_in_flight : DEFAULT_MAX_IN_FLIGHT,
      MOST_FENCES) + 1;
  GST_OBJECT_UNLOCK (filter);
  while (fences->len < n)
    g_ptr_array_add (fences, gst_hip_base_filter_acquire_fence (filter));
}

void
gst_hip_base_filter_post_error (GstHipBaseFilter * filter, const gchar * what,
    GError * error)
{
  hip_element_post_error (GST_ELEMENT (filter), &PRIV (filter)->error_posted,
      what, error);
}

static gboolean
gst_hip_base_filter_start (GstBaseTransform * trans)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  g_autoptr (GstHipDevice) device = NULL;
  GError *error = NULL;

  hip_element_forget_errors (GST_ELEMENT (filter),
      &PRIV (filter)->error_posted);
  device = hip_filter_choose_device (filter, &error);
  if (!device || !hip_filter_open_device (filter, device, &error)) {
    gst_hip_base_filter_post_error (filter, device ?
        "The device could not be prepared" : "No device", error);
    return FALSE;
  }
  make_fences (filter);
  hip_filter_announce_cuda (filter);
  return TRUE;
}

static gboolean
gst_hip_base_filter_stop (GstBaseTransform * trans)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  GstHipBaseFilterPrivate *priv = PRIV (filter);

  hip_filter_close_device (filter);
  hip_filter_forget_device (filter);
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  return TRUE;
}

static void
gst_hip_base_filter_set_context (GstElement * element, GstContext * context)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (element);
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstHipVendor vendor;
  gint id;

  hip_filter_is_explicit (filter, &vendor, &id);
  g_rec_mutex_lock (&priv->context_lock);
  gst_hip_handle_set_context (element, context, vendor, id,
      &priv->context_device);
  g_rec_mutex_unlock (&priv->context_lock);

  GST_ELEMENT_CLASS (gst_hip_base_filter_parent_class)->set_context (element,
      context);
}

static gboolean
gst_hip_base_filter_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  g_autoptr (GstHipDevice) device = NULL;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT) {
    GST_OBJECT_LOCK (filter);
    if (PRIV (filter)->device)
      device = gst_object_ref (PRIV (filter)->device);
    GST_OBJECT_UNLOCK (filter);
    if ((device
            && gst_hip_handle_context_query (GST_ELEMENT (filter), query,
                device)) || hip_filter_answer_cuda_query (filter, query))
      return TRUE;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_hip_base_filter_parent_class)->query
      (trans, direction, query);
}

/* --- frames --- */

static GstFlowReturn
gst_hip_base_filter_submit_input_buffer (GstBaseTransform * trans,
    gboolean is_discont, GstBuffer * input)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstFlowReturn ret;
  guint max;

  if (!hip_filter_import_input (filter, &input))
    return GST_FLOW_ERROR;
  if (!hip_filter_follow_input (filter, input)) {
    gst_buffer_unref (input);
    return GST_FLOW_ERROR;
  }

  GST_OBJECT_LOCK (filter);
  max = priv->max_in_flight;
  GST_OBJECT_UNLOCK (filter);
  if (!hip_in_flight_wait_room (priv->in_flight, max)) {
    gst_buffer_unref (input);
    return GST_FLOW_FLUSHING;
  }

  ret = GST_BASE_TRANSFORM_CLASS
      (gst_hip_base_filter_parent_class)->submit_input_buffer (trans,
      is_discont, input);
  if (ret == GST_FLOW_OK && gst_base_transform_is_passthrough (trans))
    gst_hip_base_filter_count_path (filter, HIP_PATH_ZERO_COPY);
  return ret;
}

/* The base class says nothing when a pool has no buffer. */
static GstFlowReturn
gst_hip_base_filter_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * input, GstBuffer ** output)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  GstHipDevice *device = PRIV (filter)->device;
  g_autoptr (GError) before = gst_hip_take_error ();
  GError *error;
  GstFlowReturn ret;

  ret = GST_BASE_TRANSFORM_CLASS
      (gst_hip_base_filter_parent_class)->prepare_output_buffer (trans, input,
      output);
  if (ret != GST_FLOW_ERROR)
    return ret;
  error = gst_hip_take_error ();
  if (!error && gst_hip_device_is_lost (device))
    error = g_error_new (GST_HIP_ERROR, GST_HIP_ERROR_DEVICE_LOST,
        "%s has failed: set the element to NULL and start again",
        gst_hip_device_get_info (device)->name);
  else if (!error)
    error = g_error_new (GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no memory for it on %s", gst_hip_device_get_info (device)->name);
  gst_hip_base_filter_post_error (filter, "No buffer for the frame", error);
  return ret;
}

/* --- flush and state: what ends the wait for room --- */

static gboolean
gst_hip_base_filter_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstHipBaseFilterPrivate *priv = PRIV (GST_HIP_BASE_FILTER (trans));

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    hip_in_flight_set_flushing (priv->in_flight, TRUE);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    hip_in_flight_set_flushing (priv->in_flight, FALSE);

  return GST_BASE_TRANSFORM_CLASS (gst_hip_base_filter_parent_class)->sink_event
      (trans, event);
}

static GstStateChangeReturn
gst_hip_base_filter_change_state (GstElement * element,
    GstStateChange transition)
{
  GstHipBaseFilterPrivate *priv = PRIV (GST_HIP_BASE_FILTER (element));
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    hip_in_flight_set_flushing (priv->in_flight, FALSE);
  else if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    hip_in_flight_set_flushing (priv->in_flight, TRUE);

  ret = GST_ELEMENT_CLASS (gst_hip_base_filter_parent_class)->change_state
      (element, transition);
  /* One that was chosen for a query, and never started */
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    hip_filter_forget_device (GST_HIP_BASE_FILTER (element));
  return ret;
}

/* --- negotiation --- */

static gboolean
gst_hip_base_filter_set_caps (GstBaseTransform * trans, GstCaps * in_caps,
    GstCaps * out_caps)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);
  GstHipBaseFilterClass *klass = GST_HIP_BASE_FILTER_GET_CLASS (filter);
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstVideoInfo in_info, out_info;
  GError *error = NULL;

  if (!gst_hip_video_info_from_caps (&in_info, in_caps, &error)
      || !gst_hip_video_info_from_caps (&out_info, out_caps, &error)) {
    GST_WARNING_OBJECT (filter, "%" GST_PTR_FORMAT " to %" GST_PTR_FORMAT
        ": %s", in_caps, out_caps, error->message);
    g_error_free (error);
    return FALSE;
  }

  priv->in_info = in_info;
  priv->out_info = out_info;
  hip_filter_drop_import_pool (filter);
  priv->cuda_in = klass->imports_cuda && hip_caps_are_cuda (in_caps, 0);
  priv->hip_in = priv->cuda_in || hip_caps_are_hip (in_caps);
  priv->hip_out = hip_caps_are_hip (out_caps);
  if (klass->set_info
      && !klass->set_info (filter, in_caps, &priv->in_info, out_caps,
          &priv->out_info, &error)) {
    if (error)
      gst_hip_base_filter_post_error (filter, "These caps cannot be handled",
          error);
    return FALSE;
  }
  return TRUE;
}

static gboolean
gst_hip_base_filter_get_unit_size (GstBaseTransform * trans, GstCaps * caps,
    gsize * size)
{
  GstVideoInfo info;

  if (!gst_hip_video_info_from_caps (&info, caps, NULL))
    return FALSE;
  *size = GST_VIDEO_INFO_SIZE (&info);
  return TRUE;
}

static gboolean
gst_hip_base_filter_transform_meta (GstBaseTransform * trans,
    GstBuffer * outbuf, GstMeta * meta, GstBuffer * inbuf)
{
  if (hip_tensor_meta_copy (outbuf, meta))
    return FALSE;
  /* The base class asks about none that describe the memory. What is tagged
   * with size, orientation or colour space stays true: subclasses that change
   * those say so themselves. Only what refers to the input's memory goes. */
  return !gst_meta_api_type_has_tag (meta->info->api,
      g_quark_from_static_string (GST_META_TAG_MEMORY_REFERENCE_STR));
}

static gboolean
gst_hip_base_filter_filter_meta (GstBaseTransform * trans, GstQuery * query,
    GType api, const GstStructure * params)
{
  return TRUE;
}

static gboolean
gst_hip_base_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  if (!GST_BASE_TRANSFORM_CLASS
      (gst_hip_base_filter_parent_class)->propose_allocation (trans,
          decide_query, query))
    return FALSE;
  /* Passthrough: downstream has answered. */
  return !decide_query
      || hip_filter_propose_allocation (GST_HIP_BASE_FILTER (trans), query);
}

static gboolean
gst_hip_base_filter_decide_allocation (GstBaseTransform * trans,
    GstQuery * query)
{
  GstHipBaseFilter *filter = GST_HIP_BASE_FILTER (trans);

  if (PRIV (filter)->hip_out && !hip_filter_decide_allocation (filter, query))
    return FALSE;
  return GST_BASE_TRANSFORM_CLASS
      (gst_hip_base_filter_parent_class)->decide_allocation (trans, query);
}

/* --- object --- */

static void
gst_hip_base_filter_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstHipBaseFilterPrivate *priv = PRIV (GST_HIP_BASE_FILTER (object));

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_VENDOR:
      priv->vendor = g_value_get_enum (value);
      break;
    case PROP_DEVICE_ID:
      priv->device_id = g_value_get_int (value);
      break;
    case PROP_MAX_IN_FLIGHT:
      priv->max_in_flight = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_hip_base_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstHipBaseFilterPrivate *priv = PRIV (GST_HIP_BASE_FILTER (object));

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_VENDOR:
      g_value_set_enum (value, priv->vendor);
      break;
    case PROP_DEVICE_ID:
      g_value_set_int (value, priv->device_id);
      break;
    case PROP_MAX_IN_FLIGHT:
      g_value_set_uint (value, priv->max_in_flight);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, hip_in_flight_get_stats (priv->in_flight));
      break;
    case PROP_PATH:
      g_value_set_static_string (value,
          hip_path_name (hip_in_flight_get_path (priv->in_flight)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_hip_base_filter_finalize (GObject * object)
{
  GstHipBaseFilterPrivate *priv = PRIV (GST_HIP_BASE_FILTER (object));

  gst_clear_object (&priv->context_device);
  gst_clear_object (&priv->cuda_context);
  g_rec_mutex_clear (&priv->context_lock);
  hip_in_flight_unref (priv->in_flight);
  gst_object_unref (priv->fences);
  G_OBJECT_CLASS (gst_hip_base_filter_parent_class)->finalize (object);
}

static void
gst_hip_base_filter_init (GstHipBaseFilter * filter)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);

  priv->vendor = DEFAULT_VENDOR;
  priv->device_id = DEFAULT_DEVICE_ID;
  priv->max_in_flight = DEFAULT_MAX_IN_FLIGHT;
  g_rec_mutex_init (&priv->context_lock);
  gst_video_info_init (&priv->in_info);
  gst_video_info_init (&priv->out_info);
  priv->in_flight = hip_in_flight_new ();
  priv->fences = gst_hip_fence_data_pool_new ();
}

static void
install_properties (GObjectClass * klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  g_object_class_install_property (klass, PROP_VENDOR,
      g_param_spec_enum ("vendor", "Vendor",
          "Backend to work on (unknown: the neighbours' device, the "
          "environment's, or the first usable one)", GST_TYPE_HIP_VENDOR,
          DEFAULT_VENDOR, flags | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_DEVICE_ID,
      g_param_spec_int ("device-id", "Device ID",
          "Device to work on, counted within its vendor (-1: any)", -1,
          G_MAXINT, DEFAULT_DEVICE_ID, flags | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_MAX_IN_FLIGHT,
      g_param_spec_uint ("max-in-flight", "Max in flight",
          "Frames that may be with the device before the next input waits for "
          "the oldest (0: no limit)", 0, G_MAXUINT, DEFAULT_MAX_IN_FLIGHT,
          flags | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Frames, how many went by which path, how many are with the device "
          "and how many at most were not known to have ended",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (klass, PROP_PATH,
      g_param_spec_string ("path", "Path",
          "How the last frame went: zero-copy, device-copy, pinned-transfer, "
          "cpu-copy", NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_hip_base_filter_class_init (GstHipBaseFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_hip_base_filter_set_property;
  object_class->get_property = gst_hip_base_filter_get_property;
  object_class->finalize = gst_hip_base_filter_finalize;
  install_properties (object_class);

  element_class->set_context = gst_hip_base_filter_set_context;
  element_class->change_state = gst_hip_base_filter_change_state;

  trans_class->start = gst_hip_base_filter_start;
  trans_class->stop = gst_hip_base_filter_stop;
  trans_class->query = gst_hip_base_filter_query;
  trans_class->sink_event = gst_hip_base_filter_sink_event;
  trans_class->submit_input_buffer = gst_hip_base_filter_submit_input_buffer;
  trans_class->prepare_output_buffer =
      gst_hip_base_filter_prepare_output_buffer;
  trans_class->set_caps = gst_hip_base_filter_set_caps;
  trans_class->get_unit_size = gst_hip_base_filter_get_unit_size;
  trans_class->transform_meta = gst_hip_base_filter_transform_meta;
  trans_class->filter_meta = gst_hip_base_filter_filter_meta;
  trans_class->propose_allocation = gst_hip_base_filter_propose_allocation;
  trans_class->decide_allocation = gst_hip_base_filter_decide_allocation;

  gst_type_mark_as_plugin_api (GST_TYPE_HIP_BASE_FILTER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_HIP_VENDOR, 0);
}
