/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_DEVICE (gst_hip_device_get_type ())
#define GST_HIP_DEVICE(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_HIP_DEVICE, GstHipDevice))
#define GST_HIP_DEVICE_CAST(obj) ((GstHipDevice *) (obj))
#define GST_HIP_DEVICE_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_HIP_DEVICE, GstHipDeviceClass))
#define GST_HIP_DEVICE_GET_CLASS(obj) (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_HIP_DEVICE, GstHipDeviceClass))
#define GST_IS_HIP_DEVICE(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_HIP_DEVICE))
#define GST_IS_HIP_DEVICE_CLASS(klass) (G_TYPE_CHECK_CLASS_TYPE ((klass), GST_TYPE_HIP_DEVICE))
#define GST_TYPE_HIP_DEVICE_INFO (gst_hip_device_info_get_type ())

/**
 * GST_HIP_DEVICE_CONTEXT_TYPE:
 *
 * Type of the #GstContext that carries a #GstHipDevice. Its structure has
 * "device" (#GstHipDevice), "vendor" (#GstHipVendor) and "device-id" (uint).
 *
 * Since: 1.30
 */
#define GST_HIP_DEVICE_CONTEXT_TYPE "gst.hip.device"

/**
 * GstHipDeviceInfo:
 * @vendor: backend
 * @device_id: ordinal within the backend
 * @name: the device's name
 * @arch: what the compiler calls the architecture (gfx1100, sm_90, x86-64-v3)
 * @pci_address: "domain:bus:device.function" in hexadecimal, or empty
 * @uuid: 16 bytes, all zero where the device has none
 * @memory_bytes: size of the device's memory
 * @caps: what it can do
 * @driver_version: version of the driver, 0 if unknown
 * @runtime_version: version of the run-time or compiler library, 0 if unknown
 * @compute_units: multiprocessors, compute units or CPUs
 * @stride_align: rows of frames start at multiples of this many bytes
 * @max_threads_per_block: largest product of the three block sizes
 * @max_shared_bytes: largest shared memory of a block
 *
 * What is known of a device without opening it.
 *
 * Since: 1.30
 */
struct _GstHipDeviceInfo
{
  GstHipVendor vendor;
  guint device_id;
  gchar name[128];
  gchar arch[64];
  gchar pci_address[16];
  guint8 uuid[16];
  guint64 memory_bytes;
  GstHipDeviceCaps caps;
  guint driver_version;
  guint runtime_version;
  guint compute_units;
  guint stride_align;
  guint max_threads_per_block;
  guint max_shared_bytes;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

GST_HIP_API
GType gst_hip_device_get_type (void);

GST_HIP_API
GType gst_hip_device_info_get_type (void);

GST_HIP_API
GstHipDeviceInfo * gst_hip_device_info_copy (const GstHipDeviceInfo * info);

GST_HIP_API
void gst_hip_device_info_free (GstHipDeviceInfo * info);

/* Finding */
GST_HIP_API
gboolean gst_hip_load_library (GstHipVendor vendor);

GST_HIP_API
GstStructure * gst_hip_get_backend_info (GstHipVendor vendor, GError ** error);

GST_HIP_API
GPtrArray * gst_hip_enumerate_devices (GstHipVendor vendor);

GST_HIP_API
GstHipDevice * gst_hip_device_new_for_pci_address (const gchar * pci_address, GError ** error);

/* Opening */
GST_HIP_API
GstHipDevice * gst_hip_device_new (GstHipVendor vendor, guint device_id);

GST_HIP_API
GstHipDevice * gst_hip_device_new_full (GstHipVendor vendor, gint device_id, GError ** error);

GST_HIP_API
GstHipDevice * gst_hip_device_new_for_native_context (GstHipVendor vendor, guintptr native_context, GError ** error);

GST_HIP_API
GstHipDevice * gst_hip_device_new_for_native_context_full (GstHipVendor vendor, guintptr native_context, gpointer owner,
                                                           GDestroyNotify destroy, GError ** error);

/* Asking */
GST_HIP_API
GstHipVendor gst_hip_device_get_vendor (GstHipDevice * device);

GST_HIP_API
guint gst_hip_device_get_device_id (GstHipDevice * device);

GST_HIP_API
const GstHipDeviceInfo * gst_hip_device_get_info (GstHipDevice * device);

GST_HIP_API
guintptr gst_hip_device_get_native_context (GstHipDevice * device);

GST_HIP_API
gboolean gst_hip_device_is_equal (GstHipDevice * device1, GstHipDevice * device2);

GST_HIP_API
gboolean gst_hip_device_is_lost (GstHipDevice * device);

GST_HIP_API
gboolean gst_hip_device_set_current (GstHipDevice * device);

GST_HIP_API
GstHipStream * gst_hip_device_get_stream (GstHipDevice * device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipDevice, gst_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipDeviceInfo, gst_hip_device_info_free)

G_END_DECLS
