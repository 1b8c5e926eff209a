/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which devices are there, and how is one opened and shared?
 *
 * A device object is a handle on a context (hip-context.h); all device objects
 * of one native context share it, its caches and its default stream, and are
 * equal. Enumeration opens nothing. Must not know: vendors. */
#include <stdio.h>

#include "hip-stream.h"
#include "gsthiperror.h"
#include "gsthip-enumtypes.h"
#include "hip-debug.h"
#include "hip-kernel-archive.h"
#include "hip-kernel.h"

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
G_DEFINE_BOXED_TYPE (GstHipDeviceInfo, gst_hip_device_info,
    gst_hip_device_info_copy, gst_hip_device_info_free);
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
 * gst_hip_device_info_copy:
 * @info: a #GstHipDeviceInfo
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): a copy of @info
 *
 * Since: 1.30
 */
GstHipDeviceInfo *
gst_hip_device_info_copy (const GstHipDeviceInfo * info)
{
  g_return_val_if_fail (info != NULL, NULL);

  return g_memdup2 (info, sizeof (*info));
}

/**
 * gst_hip_device_info_free:
 * @info: (transfer full) (nullable): a #GstHipDeviceInfo
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Since: 1.30
 */
void
gst_hip_device_info_free (GstHipDeviceInfo * info)
{
  g_free (info);
}

/**
 * gst_hip_load_library:
 * @vendor: which backend; %GST_HIP_VENDOR_UNKNOWN: the one that would be chosen
 *
 * Loads the driver's libraries, which every other function does by itself when
 * needed.
 *
 * Blocking: while libraries are loaded for the first time.
 *
 * Threads: any.
 *
 * Returns: whether the backend is usable; the reason why not is logged
 *
 * Since: 1.30
 */
gboolean
gst_hip_load_library (GstHipVendor vendor)
{
  g_autoptr (GError) error = NULL;

  if (hip_backend_find (vendor, &error))
    return TRUE;
  GST_INFO ("%s", error->message);

  return FALSE;
}

static void
describe_kernels (const HipBackend * backend, GstStructure * structure)
{
  g_autofree gchar *folder = hip_kernel_archive_folder ();

  if (folder)
    gst_structure_set (structure, "kernel-archive", G_TYPE_STRING, folder,
        NULL);
  gst_structure_set (structure,
      "modules-archived", G_TYPE_UINT,
      hip_module_count (backend->vendor, HIP_MODULE_ARCHIVED),
      "modules-cached", G_TYPE_UINT,
      hip_module_count (backend->vendor, HIP_MODULE_CACHED),
      "modules-compiled", G_TYPE_UINT,
      hip_module_count (backend->vendor, HIP_MODULE_COMPILED), NULL);
}

/**
 * gst_hip_get_backend_info:
 * @vendor: which backend
 * @error: return location for an error: why it is not usable
 *
 * Describes a backend: "name" (string), "vendor" (#GstHipVendor), "devices"
 * (uint, how many there are), and what the backend says of itself: paths and
 * versions of the libraries that it loaded. Of its kernels: "kernel-archive"
 * (string, the folder of precompiled ones, absent where none is used), and how
 * many modules of this process came from there, from the cache on disk and from
 * a compiler: "modules-archived", "modules-cached", "modules-compiled" (uint).
 *
 * Errors: UNAVAILABLE with the reason.
 *
 * Blocking: while libraries are loaded for the first time.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a structure of that description
 *
 * Since: 1.30
 */
GstStructure *
gst_hip_get_backend_info (GstHipVendor vendor, GError ** error)
{
  const HipBackend *backend = hip_backend_find (vendor, error);
  GstStructure *structure;

  if (!backend)
    return NULL;

  structure = gst_structure_new ("gst-hip-backend",
      "name", G_TYPE_STRING, backend->name,
      "vendor", GST_TYPE_HIP_VENDOR, backend->vendor,
      "devices", G_TYPE_UINT, backend->device_count (), NULL);
  backend->describe (structure);
  describe_kernels (backend, structure);

  return structure;
}

static void
append_devices (GPtrArray * devices, const HipBackend * backend)
{
  guint count, id;

  if (!hip_backend_probe (backend, NULL))
    return;
  count = backend->device_count ();
  for (id = 0; id < count; id++) {
    GstHipDeviceInfo info = { 0 };
    g_autoptr (GError) error = NULL;

    if (backend->device_info (id, &info, &error))
      g_ptr_array_add (devices, gst_hip_device_info_copy (&info));
    else
      GST_WARNING ("%s device %u: %s", backend->name, id, error->message);
  }
}

/**
 * gst_hip_enumerate_devices:
 * @vendor: which backend; %GST_HIP_VENDOR_UNKNOWN: all
 *
 * Lists the devices that there are, in order of preference, without opening
 * one. A backend that is not usable has none; gst_hip_get_backend_info() says
 * why.
 *
 * Blocking: while libraries are loaded for the first time.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (element-type GstHipDeviceInfo): the devices,
 *   perhaps none
 *
 * Since: 1.30
 */
GPtrArray *
gst_hip_enumerate_devices (GstHipVendor vendor)
{
  const HipBackend *const *backends = hip_backend_list ();
  GPtrArray *devices;
  guint i;

  devices = g_ptr_array_new_with_free_func
      ((GDestroyNotify) gst_hip_device_info_free);
  for (i = 0; backends[i]; i++) {
    if (vendor == GST_HIP_VENDOR_UNKNOWN || vendor == backends[i]->vendor)
      append_devices (devices, backends[i]);
  }

  return devices;
}

/* "[domain:]bus:device[.function]", hexadecimal */
static gboolean
parse_pci_address (const gchar * text, guint parts[4])
{
  guint function = 0;
  gint length = 0;

  parts[0] = 0;
  if (sscanf (text, "%x:%x:%x%n", &parts[0], &parts[1], &parts[2],
          &length) != 3) {
    parts[0] = 0;
    if (sscanf (text, "%x:%x%n", &parts[1], &parts[2], &length) != 2)
      return FALSE;
  }
  text += length;
  if (*text == '.') {
    if (sscanf (text, ".%x%n", &function, &length) != 1)
      return FALSE;
    text += length;
  }
  parts[3] = function;

  return *text == '\0';
}

/**
 * gst_hip_device_new_for_pci_address:
 * @pci_address: "domain:bus:device.function" in hexadecimal; domain and
 *   function may be left out
 * @error: return location for an error
 *
 * Opens the device of any vendor that sits there: the way from a DRM, Vulkan
 * or VA device to the same GPU here.
 *
 * Errors: INVALID for what is no address, UNAVAILABLE if no device is there.
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
gst_hip_device_new_for_pci_address (const gchar * pci_address, GError ** error)
{
  g_autoptr (GPtrArray) devices = NULL;
  guint wanted[4], there[4], i;

  g_return_val_if_fail (pci_address != NULL, NULL);

  if (!parse_pci_address (pci_address, wanted)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "\"%s\" is no PCI address: 0000:01:00.0 is what one looks like",
        pci_address);
    return NULL;
  }

  devices = gst_hip_enumerate_devices (GST_HIP_VENDOR_UNKNOWN);
  for (i = 0; i < devices->len; i++) {
    const GstHipDeviceInfo *info = g_ptr_array_index (devices, i);

    if (parse_pci_address (info->pci_address, there)
        && memcmp (wanted, there, sizeof (wanted)) == 0)
      return gst_hip_device_new_full (info->vendor, info->device_id, error);
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "none of the %u usable devices is at PCI address %s", devices->len,
      pci_address);

  return NULL;
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
