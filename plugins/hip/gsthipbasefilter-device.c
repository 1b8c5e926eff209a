/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* On which device does an element work: who chooses it, when does that change?
 * Must not know frames, caps and properties. Invariant: an explicit choice of a
 * device is kept or is an error.
 */
#include "config.h"

#include "gsthipbasefilter-private.h"

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
