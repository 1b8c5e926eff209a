/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The functions of gst/hip/hip-gst.h whose signatures hold HIP's types, and
 * which are about objects of this library. Built without HIP's headers: an enum
 * of HIP's is an unsigned int here, a handle a pointer. What they do is what
 * their twins in the other headers do, which have the documentation.
 */
#include "gsthiperror.h"
#include "hip-memory.h"
#include "hip-native-objects.h"
#include "hip-stream.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_native_debug, "hipnative", "HIP native calls")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_native_debug ()

gboolean
_gst_hip_result (HipResult result, GstHipVendor vendor,
    GstDebugCategory * category, const gchar * file, const gchar * function,
    gint line)
{
  if (result == HIP_OK)
    return TRUE;
#ifndef GST_DISABLE_GST_DEBUG
  if (!category)
    category = GST_CAT_DEFAULT;
  gst_debug_log (category, GST_LEVEL_ERROR, file, function, line, NULL,
      "HIP call failed: %s, %s", HipGetErrorName (vendor, result),
      HipGetErrorString (vendor, result));
#endif
  return FALSE;
}

HipResult
gst_hip_device_get_attribute (GstHipDevice * device, guint attribute,
    gint * value)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), HIP_INVALID_DEVICE);
  g_return_val_if_fail (value != NULL, HIP_INVALID_VALUE);

  return HipDeviceGetAttribute (gst_hip_device_get_vendor (device), value,
      attribute, gst_hip_device_get_device_id (device));
}

HipStreamHandle
gst_hip_stream_get_handle (GstHipStream * stream)
{
  /* The default stream, as HIP has it */
  if (!stream)
    return NULL;
  return (HipStreamHandle) gst_hip_stream_get_native_handle (stream);
}

HipResult
gst_hip_event_record (GstHipEvent * event, HipStreamHandle stream)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), HIP_INVALID_HANDLE);

  return hip_event_record_native (event, (guintptr) stream);
}

HipResult
gst_hip_event_query (GstHipEvent * event)
{
  g_return_val_if_fail (GST_IS_HIP_EVENT (event), HIP_INVALID_HANDLE);

  switch (gst_hip_event_query_state (event)) {
    case GST_HIP_EVENT_STATE_PENDING:
      return HIP_NOT_READY;
    case GST_HIP_EVENT_STATE_DONE:
      return HIP_OK;
    default:
      return HIP_LAUNCH_FAILURE;
  }
}

HipResult
gst_hip_event_synchronize (GstHipEvent * event)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (GST_IS_HIP_EVENT (event), HIP_INVALID_HANDLE);

  if (gst_hip_event_wait (event, &error))
    return HIP_OK;
  GST_ERROR ("cannot wait for the event: %s", error->message);
  return hip_native_result (error);
}

gboolean
gst_hip_memory_get_texture (GstHipMemory * mem, guint plane,
    guint filter_mode, guint address_mode, HipTextureHandle * texture)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (texture != NULL, FALSE);

  *texture = (HipTextureHandle) gst_hip_memory_get_texture_object (mem, plane,
      (GstHipTextureFilter) filter_mode, (GstHipTextureAddress) address_mode,
      &error);
  if (!*texture && error)
    GST_ERROR ("%s", error->message);
  return *texture != NULL;
}
