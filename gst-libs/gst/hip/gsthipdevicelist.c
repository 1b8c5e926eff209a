/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which backends and devices are there, and which device is at an address?
 *
 * Looking opens none. Must not know: vendors. */
#include <stdio.h>
#include <string.h>

#include "gsthipdevice.h"
#include "gsthiperror.h"
#include "gsthip-enumtypes.h"
#include "hip-backend.h"
#include "hip-debug.h"
#include "hip-kernel-archive.h"
#include "hip-kernel.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_device_debug, "hipdevice", "HIP devices")
#define GST_CAT_DEFAULT hip_device_debug ()

G_DEFINE_BOXED_TYPE (GstHipDeviceInfo, gst_hip_device_info,
    gst_hip_device_info_copy, gst_hip_device_info_free);
/* *INDENT-ON* */

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
 * versions of the libraries that it loaded; "no-dmabuf-import" (string, absent
 * where there is no reason): why devices without
 * %GST_HIP_DEVICE_CAP_DMABUF_IMPORT lack it. Of its kernels: "kernel-archive"
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
  if (backend->no_dmabuf)
    gst_structure_set (structure, "no-dmabuf-import", G_TYPE_STRING,
        backend->no_dmabuf, NULL);
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
