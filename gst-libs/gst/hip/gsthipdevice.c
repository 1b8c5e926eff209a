/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is a device opened, shared and compared?
 *
 * A device object is a handle on a context (hip-context.h); all device objects
 * of one native context share it, its caches and its default stream, and are
 * equal. Must not know: vendors. */
#include "hip-stream.h"
#include "gsthiperror.h"
#include "gsthip-enumtypes.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_device_debug, "hipdevice", "HIP devices")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_device_debug ()

struct _GstHipDevice
{
  GstObject parent;

  HipContext *context;
};

struct _GstHipDeviceClass
{
  GstObjectClass parent_class;
};

enum
{
  PROP_0,
  PROP_DEVICE_ID,
  PROP_VENDOR,
  PROP_TEXTURE2D_SUPPORT,
};

/* *INDENT-OFF* */
G_DEFINE_FINAL_TYPE (GstHipDevice, gst_hip_device, GST_TYPE_OBJECT);
/* *INDENT-ON* */

static void
gst_hip_device_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  const GstHipDeviceInfo *info = &GST_HIP_DEVICE (object)->context->info;

  switch (id) {
    case PROP_DEVICE_ID:
      g_value_set_uint (value, info->device_id);
      break;
    case PROP_VENDOR:
      g_value_set_enum (value, info->vendor);
      break;
    case PROP_TEXTURE2D_SUPPORT:
      g_value_set_boolean (value, info->caps & GST_HIP_DEVICE_CAP_TEXTURE2D);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
gst_hip_device_finalize (GObject * object)
{
  GstHipDevice *self = GST_HIP_DEVICE (object);

  if (self->context) {
    hip_context_remove_device (self->context);
    hip_context_unref (self->context);
  }
  G_OBJECT_CLASS (gst_hip_device_parent_class)->finalize (object);
}

static void
gst_hip_device_class_init (GstHipDeviceClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = gst_hip_device_get_property;
  object_class->finalize = gst_hip_device_finalize;

  g_object_class_install_property (object_class, PROP_DEVICE_ID,
      g_param_spec_uint ("device-id", "Device id",
          "Ordinal of the device within its vendor", 0, G_MAXUINT, 0, flags));
  g_object_class_install_property (object_class, PROP_VENDOR,
      g_param_spec_enum ("vendor", "Vendor", "Which backend drives it",
          GST_TYPE_HIP_VENDOR, GST_HIP_VENDOR_UNKNOWN, flags));
  g_object_class_install_property (object_class, PROP_TEXTURE2D_SUPPORT,
      g_param_spec_boolean ("texture2d-support", "Texture support",
          "Whether the device has two-dimensional textures", FALSE, flags));
}

static void
gst_hip_device_init (GstHipDevice * self)
{
}

HipContext *
hip_device_get_context (GstHipDevice * device)
{
  return device->context;
}

/* Takes the reference on context. */
static GstHipDevice *
device_new_take (HipContext * context)
{
  GstHipDevice *self = g_object_new (GST_TYPE_HIP_DEVICE, NULL);

  self->context = context;
  hip_context_add_device (context);

  return gst_object_ref_sink (self);
}

GstHipDevice *
hip_device_new_for_context (HipContext * context)
{
  return device_new_take (hip_context_ref (context));
}

/**
 * gst_hip_device_new_full:
 * @vendor: which backend, or %GST_HIP_VENDOR_UNKNOWN
 * @device_id: ordinal of the device within it, or -1 for any
 * @error: return location for an error
 *
 * Opens a device. What is left open is taken from the environment variables
 * GST_HIP_VENDOR and GST_HIP_DEVICE, else chosen: the first usable AMD GPU,
 * NVIDIA GPU, the CPU. What was asked for, here or there, is met or an error.
 *
 * Errors: UNAVAILABLE with the reason, OUT_OF_MEMORY, DEVICE_LOST, FAILED.
 *
 * Blocking: while a device is opened for the first time.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new device
 *
 * Since: 1.30
 */
GstHipDevice *
gst_hip_device_new_full (GstHipVendor vendor, gint device_id, GError ** error)
{
  HipContext *context = hip_context_acquire (vendor, device_id, error);

  return context ? device_new_take (context) : NULL;
}

/**
 * gst_hip_device_new:
 * @vendor: which backend, or %GST_HIP_VENDOR_UNKNOWN
 * @device_id: ordinal of the device within it
 *
 * gst_hip_device_new_full() with its error logged.
 *
 * Blocking: while a device is opened for the first time.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new device
 *
 * Since: 1.30
 */
GstHipDevice *
gst_hip_device_new (GstHipVendor vendor, guint device_id)
{
  g_autoptr (GError) error = NULL;
  GstHipDevice *device;

  g_return_val_if_fail (device_id <= G_MAXINT, NULL);

  device = gst_hip_device_new_full (vendor, device_id, &error);
  if (!device)
    GST_ERROR ("no device: %s", error->message);

  return device;
}

/**
 * gst_hip_device_new_for_native_context:
 * @vendor: which backend
 * @native_context: the driver's context (a CUcontext), which has to outlive
 *   the device and everything made from it
 * @error: return location for an error
 *
 * Wraps a context that the application made. The device is equal only to
 * others of the same native context.
 *
 * Errors: UNSUPPORTED where the backend knows no such contexts, UNAVAILABLE,
 * INVALID.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new device
 *
 * Since: 1.30
 */
GstHipDevice *
gst_hip_device_new_for_native_context (GstHipVendor vendor,
    guintptr native_context, GError ** error)
{
  HipContext *context =
      hip_context_acquire_native (vendor, native_context, NULL, NULL, error);

  return context ? device_new_take (context) : NULL;
}

/**
 * gst_hip_device_new_for_native_context_full:
 * @vendor: which backend
 * @native_context: the driver's context (a CUcontext)
 * @owner: (nullable): what @destroy is called with
 * @destroy: (nullable) (scope async): called once, on a worker thread, when
 *   @native_context is not used any more
 * @error: return location for an error
 *
 * gst_hip_device_new_for_native_context() for a context that something owns:
 * let go of it in @destroy, and it lives as long as the device and everything
 * made from it. @destroy is not called where this fails.
 *
 * Errors: UNSUPPORTED where the backend knows no such contexts, UNAVAILABLE,
 * INVALID.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new device
 *
 * Since: 1.30
 */
GstHipDevice *
gst_hip_device_new_for_native_context_full (GstHipVendor vendor,
    guintptr native_context, gpointer owner, GDestroyNotify destroy,
    GError ** error)
{
  HipContext *context = hip_context_acquire_native (vendor, native_context,
      owner, destroy, error);

  return context ? device_new_take (context) : NULL;
}

/**
 * gst_hip_device_get_vendor:
 * @device: a #GstHipDevice
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: which backend drives @device, never %GST_HIP_VENDOR_UNKNOWN
 *
 * Since: 1.30
 */
GstHipVendor
gst_hip_device_get_vendor (GstHipDevice * device)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), GST_HIP_VENDOR_UNKNOWN);

  return device->context->info.vendor;
}

/**
 * gst_hip_device_get_device_id:
 * @device: a #GstHipDevice
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: ordinal of @device within its vendor
 *
 * Since: 1.30
 */
guint
gst_hip_device_get_device_id (GstHipDevice * device)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), 0);

  return device->context->info.device_id;
}

/**
 * gst_hip_device_get_info:
 * @device: a #GstHipDevice
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer none): what is known of @device, as long as it lives
 *
 * Since: 1.30
 */
const GstHipDeviceInfo *
gst_hip_device_get_info (GstHipDevice * device)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);

  return &device->context->info;
}

/**
 * gst_hip_device_get_native_context:
 * @device: a #GstHipDevice
 *
 * For native calls of the driver: a CUcontext; elsewhere a number that means
 * nothing outside.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: the driver's context, as long as @device lives
 *
 * Since: 1.30
 */
guintptr
gst_hip_device_get_native_context (GstHipDevice * device)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), 0);

  return device->context->native_handle;
}

/**
 * gst_hip_device_is_equal:
 * @device1: a #GstHipDevice
 * @device2: a #GstHipDevice
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether both stand for the same native context, so that memory,
 *   streams and events of one can be used with the other
 *
 * Since: 1.30
 */
gboolean
gst_hip_device_is_equal (GstHipDevice * device1, GstHipDevice * device2)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device1), FALSE);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device2), FALSE);

  return device1->context == device2->context;
}

/**
 * gst_hip_device_is_lost:
 * @device: a #GstHipDevice
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether the device failed; every call on it fails at once then
 *   (%GST_HIP_ERROR_DEVICE_LOST)
 *
 * Since: 1.30
 */
gboolean
gst_hip_device_is_lost (GstHipDevice * device)
{
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), TRUE);

  return hip_context_is_lost (device->context);
}

/**
 * gst_hip_device_set_current:
 * @device: a #GstHipDevice
 *
 * Makes the driver's context current on this thread and leaves it so, for
 * native calls of the driver. This library does not need it.
 *
 * Blocking: never.
 *
 * Threads: any; concerns the calling one.
 *
 * Returns: whether it is current; a failure is logged
 *
 * Since: 1.30
 */
gboolean
gst_hip_device_set_current (GstHipDevice * device)
{
  g_autoptr (GError) error = NULL;
  HipContext *context;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), FALSE);

  context = device->context;
  if (!hip_context_enter (context, &error)) {
    GST_ERROR_OBJECT (device, "%s", error->message);
    return FALSE;
  }
  hip_context_leave (context);
  if (context->backend->context_set_current (context->native, &error))
    return TRUE;
  hip_context_failed (context, error);
  GST_ERROR_OBJECT (device, "%s", error->message);

  return FALSE;
}

/**
 * gst_hip_device_get_stream:
 * @device: a #GstHipDevice
 *
 * The default stream, made when it is first asked for and shared by all equal
 * device objects. What wants to overlap with others makes its own
 * (gst_hip_stream_new_full()).
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer none) (nullable): the default stream, as long as @device
 *   lives, or %NULL if there is none (the reason is logged)
 *
 * Since: 1.30
 */
GstHipStream *
gst_hip_device_get_stream (GstHipDevice * device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstHipStream) stream = NULL;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);

  stream = hip_context_get_default_stream (device->context, &error);
  if (!stream)
    GST_ERROR_OBJECT (device, "no default stream: %s", error->message);

  /* The context holds it while there are device objects. */
  return stream;
}
