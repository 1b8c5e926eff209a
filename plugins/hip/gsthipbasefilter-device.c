/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* On which device does an element work: who chooses it, when does that change?
 * Must not know frames, caps and properties. Invariant: an explicit choice of a
 * device is kept or is an error.
 */
#include "config.h"

#include "gsthipbasefilter-private.h"
#include "hip-gstcuda.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_base_filter_debug);
#define GST_CAT_DEFAULT gst_hip_base_filter_debug

gboolean
hip_filter_is_explicit (GstHipBaseFilter * filter, GstHipVendor * vendor,
    gint * id)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);

  GST_OBJECT_LOCK (filter);
  *vendor = priv->vendor;
  *id = priv->device_id;
  GST_OBJECT_UNLOCK (filter);
  return *vendor != GST_HIP_VENDOR_UNKNOWN || *id >= 0;
}

static void
publish_device (GstHipBaseFilter * filter, GstHipDevice * device)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstHipDevice *old;

  GST_OBJECT_LOCK (filter);
  old = priv->device;
  priv->device = device ? gst_object_ref (device) : NULL;
  GST_OBJECT_UNLOCK (filter);
  if (old)
    gst_object_unref (old);
}

void
hip_filter_close_device (GstHipBaseFilter * filter)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstHipBaseFilterClass *klass = GST_HIP_BASE_FILTER_GET_CLASS (filter);

  if (priv->is_open && klass->close)
    klass->close (filter);
  priv->is_open = FALSE;
  hip_in_flight_let_go (priv->in_flight);
  hip_filter_drop_import_pool (filter);
  gst_clear_object (&priv->foreign);
  gst_clear_hip_stream (&priv->stream);
  publish_device (filter, NULL);
}

gboolean
hip_filter_open_device (GstHipBaseFilter * filter, GstHipDevice * device,
    GError ** error)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstHipBaseFilterClass *klass = GST_HIP_BASE_FILTER_GET_CLASS (filter);
  const GstHipDeviceInfo *info = gst_hip_device_get_info (device);

  priv->stream = gst_hip_stream_new_full (device, 0, error);
  if (!priv->stream)
    return FALSE;
  publish_device (filter, device);
  GST_INFO_OBJECT (filter, "working on %s (vendor %d, device %u)", info->name,
      info->vendor, info->device_id);
  priv->is_open = TRUE;
  if (klass->open && !klass->open (filter, error)) {
    hip_filter_close_device (filter);
    return FALSE;
  }
  return TRUE;
}

GstHipDevice *
hip_filter_choose_device (GstHipBaseFilter * filter, GError ** error)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstElement *element = GST_ELEMENT (filter);
  g_autoptr (GstContext) context = NULL;
  GstHipDevice *device = NULL;
  GstHipVendor vendor;
  gint id;

  hip_filter_is_explicit (filter, &vendor, &id);
  g_rec_mutex_lock (&priv->context_lock);
  context = gst_element_get_context (element, GST_HIP_DEVICE_CONTEXT_TYPE);
  if (context)
    gst_hip_handle_set_context (element, context, vendor, id,
        &priv->context_device);
  if (gst_hip_ensure_element_data_full (element, vendor, id,
          &priv->context_device, error))
    device = gst_object_ref (priv->context_device);
  g_rec_mutex_unlock (&priv->context_lock);
  return device;
}

void
hip_filter_forget_device (GstHipBaseFilter * filter)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstObject *cuda;

  g_rec_mutex_lock (&priv->context_lock);
  gst_clear_object (&priv->context_device);
  g_rec_mutex_unlock (&priv->context_lock);
  GST_OBJECT_LOCK (filter);
  cuda = g_steal_pointer (&priv->cuda_context);
  GST_OBJECT_UNLOCK (filter);
  gst_clear_object (&cuda);
}

/* --- CUDA elements --- */

/* Never waits for the lock: two elements that ask each other would lock each
 * other out. */
GstHipDevice *
hip_filter_ref_device_early (GstHipBaseFilter * filter)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstHipDevice *device = NULL;
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (filter);
  if (priv->device)
    device = gst_object_ref (priv->device);
  GST_OBJECT_UNLOCK (filter);
  if (device || !g_rec_mutex_trylock (&priv->context_lock))
    return device;
  device = hip_filter_choose_device (filter, &error);
  g_rec_mutex_unlock (&priv->context_lock);
  if (!device)
    GST_INFO_OBJECT (filter, "asked early, and no device: %s", error->message);
  return device;
}

/* New reference; kept, so that the next one who asks gets the same */
static GstObject *
ref_cuda_context (GstHipBaseFilter * filter, GstHipDevice * device)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstObject *context = hip_gstcuda_ref_context (device, FALSE), *old;

  if (!context)
    return NULL;
  GST_OBJECT_LOCK (filter);
  old = priv->cuda_context;
  priv->cuda_context = gst_object_ref (context);
  GST_OBJECT_UNLOCK (filter);
  gst_clear_object (&old);
  return context;
}

gboolean
hip_filter_answer_cuda_query (GstHipBaseFilter * filter, GstQuery * query)
{
  g_autoptr (GstHipDevice) device = NULL;
  g_autoptr (GstObject) context = NULL;
  const gchar *type;
  GstHipVendor vendor;
  gint id;

  if (!gst_query_parse_context_type (query, &type)
      || g_strcmp0 (type, HIP_CUDA_CONTEXT_TYPE) != 0)
    return FALSE;
  hip_filter_is_explicit (filter, &vendor, &id);
  if (vendor != GST_HIP_VENDOR_UNKNOWN && vendor != GST_HIP_VENDOR_NVIDIA)
    return FALSE;
  device = hip_filter_ref_device_early (filter);
  context = device ? ref_cuda_context (filter, device) : NULL;
  return context && hip_gstcuda_get (FALSE)->answer_query (GST_ELEMENT (filter),
      query, context);
}

void
hip_filter_announce_cuda (GstHipBaseFilter * filter)
{
  GstElement *element = GST_ELEMENT (filter);
  g_autoptr (GstContext) known =
      gst_element_get_context (element, HIP_CUDA_CONTEXT_TYPE);
  g_autoptr (GstObject) context = NULL;
  GstContext *announced;

  if (known)
    return;
  context = ref_cuda_context (filter, PRIV (filter)->device);
  if (!context)
    return;
  announced = hip_gstcuda_get (FALSE)->context_to_gst (context);
  gst_element_set_context (element, announced);
  gst_element_post_message (element,
      gst_message_new_have_context (GST_OBJECT (element), announced));
}

static void
disown (gpointer owner)
{
  gst_object_unref (owner);
}

GstHipDevice *
gst_hip_base_filter_ref_foreign_device (GstHipBaseFilter * filter,
    guintptr native, GstObject * owner, GError ** error)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstHipDevice *device;

  if (priv->foreign
      && gst_hip_device_get_native_context (priv->foreign) == native
      && !gst_hip_device_is_lost (priv->foreign))
    return gst_object_ref (priv->foreign);
  gst_object_ref (owner);
  device = gst_hip_device_new_for_native_context_full (GST_HIP_VENDOR_NVIDIA,
      native, owner, disown, error);
  if (!device) {
    gst_object_unref (owner);
    return NULL;
  }
  GST_INFO_OBJECT (filter, "frames come in a CUDA context of others (%p)",
      (gpointer) native);
  gst_object_replace ((GstObject **) & priv->foreign, GST_OBJECT (device));
  return device;
}

/* --- the input's device --- */

/* The device of the input's memory, if it is another one. */
static GstHipDevice *
foreign_device (GstHipBaseFilter * filter, GstBuffer * buffer)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstMemory *memory;
  GstHipDevice *device;

  if (!priv->hip_in || gst_buffer_n_memory (buffer) == 0)
    return NULL;
  memory = gst_buffer_peek_memory (buffer, 0);
  if (!gst_is_hip_memory (memory))
    return NULL;
  device = GST_HIP_MEMORY_CAST (memory)->device;
  if (device == priv->device || gst_hip_device_is_equal (device, priv->device))
    return NULL;
  return device;
}

static gboolean
follow_device (GstHipBaseFilter * filter, GstHipDevice * device)
{
  g_autoptr (GstHipDevice) kept = gst_object_ref (device);
  const GstHipDeviceInfo *theirs = gst_hip_device_get_info (device);
  GstHipVendor vendor;
  GError *error = NULL;
  gint id;

  if (hip_filter_is_explicit (filter, &vendor, &id)) {
    g_set_error (&error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the input's memory is on %s (device %u), not on the device that "
        "vendor and device-id chose; leave them unset, or go through "
        "hipdownload ! hipupload", theirs->name, theirs->device_id);
    gst_hip_base_filter_post_error (filter, "Frame of another device", error);
    return FALSE;
  }

  GST_INFO_OBJECT (filter, "following the input to its device");
  hip_filter_close_device (filter);
  if (!hip_filter_open_device (filter, kept, &error)) {
    gst_hip_base_filter_post_error (filter,
        "The input's device could not be prepared", error);
    return FALSE;
  }
  /* Pools and whatever set_info makes belong to a device. */
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (filter));
  return TRUE;
}

gboolean
hip_filter_follow_input (GstHipBaseFilter * filter, GstBuffer * buffer)
{
  GstHipDevice *device = foreign_device (filter, buffer);

  return !device || follow_device (filter, device);
}
