/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 *
 * A program as somebody else would write it, built by install.py against the
 * installed library, as C and as C++: lists the devices and allocates on the
 * host device. Knows nothing but the umbrella header.
 */
#include <gst/hip/gsthip.h>

static int
fail (const char *what, GError * error)
{
  g_printerr ("%s: %s\n", what, error ? error->message : "no reason given");
  g_clear_error (&error);
  return 1;
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  GPtrArray *devices;
  GstHipDevice *device;
  guint i;

  gst_init (&argc, &argv);

  devices = gst_hip_enumerate_devices (GST_HIP_VENDOR_HOST);
  if (!devices || devices->len == 0)
    return fail ("no host device", NULL);
  for (i = 0; i < devices->len; i++) {
    const GstHipDeviceInfo *info =
        (const GstHipDeviceInfo *) g_ptr_array_index (devices, i);

    g_print ("host device %u: %s\n", info->device_id, info->name);
  }
  g_ptr_array_unref (devices);

  device = gst_hip_device_new_full (GST_HIP_VENDOR_HOST, 0, &error);
  if (!device)
    return fail ("opening the host device", error);
  if (gst_hip_device_get_vendor (device) != GST_HIP_VENDOR_HOST)
    return fail ("another vendor than asked for", NULL);
  gst_object_unref (device);
  return 0;
}
