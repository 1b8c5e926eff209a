/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which device a conformance program runs on: GST_HIP_TEST_VENDOR (amd,
 * nvidia, host; default host). Without such a device it ends as skipped (77),
 * unless GST_HIP_TEST_REQUIRE names the vendor, which makes that a failure.
 * Programs use CONFORMANCE_MAIN and know nothing of vendors. */
#pragma once

#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

#define CONFORMANCE_SKIPPED 77

static inline GstHipVendor
conformance_vendor (void)
{
  const gchar *nick = g_getenv ("GST_HIP_TEST_VENDOR");
  GEnumClass *klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  GEnumValue *value = g_enum_get_value_by_nick (klass, nick ? nick : "host");
  GstHipVendor vendor;

  if (value == NULL || value->value == GST_HIP_VENDOR_UNKNOWN)
    g_error ("GST_HIP_TEST_VENDOR is \"%s\": amd, nvidia or host is meant", nick);
  vendor = value->value;
  g_type_class_unref (klass);

  return vendor;
}

/* For main (): 0, or the status to end with */
static inline int
conformance_check_device (void)
{
  const gchar *nick = g_getenv ("GST_HIP_TEST_VENDOR");
  const gchar *required = g_getenv ("GST_HIP_TEST_REQUIRE");
  GPtrArray *devices = gst_hip_enumerate_devices (conformance_vendor ());
  guint count = devices->len;
  GError *error = NULL;
  GstStructure *info;

  g_ptr_array_unref (devices);
  if (count > 0)
    return 0;

  info = gst_hip_get_backend_info (conformance_vendor (), &error);
  if (info)
    gst_structure_free (info);
  g_printerr ("no %s device: %s\n", nick ? nick : "host", error ? error->message : "the driver has none");
  g_clear_error (&error);

  if (required && strstr (required, nick ? nick : "host"))
    return 1;

  return CONFORMANCE_SKIPPED;
}

static inline GstHipDevice *
conformance_open (void)
{
  GError *error = NULL;
  GstHipDevice *device = gst_hip_device_new_full (conformance_vendor (), -1, &error);

  fail_unless (device != NULL, "%s", error ? error->message : "no error either");

  return device;
}

#define CONFORMANCE_MAIN(name)                                          \
int                                                                     \
main (int argc, char **argv)                                            \
{                                                                       \
  int status;                                                           \
                                                                        \
  /* Drivers of GPUs do not live on in a child. */                      \
  if (conformance_vendor () != GST_HIP_VENDOR_HOST)                     \
    g_setenv ("CK_FORK", "no", FALSE);                                  \
  gst_check_init (&argc, &argv);                                        \
  status = conformance_check_device ();                                 \
  if (status != 0)                                                      \
    return status;                                                      \
  return gst_check_run_suite (name ## _suite (), # name, __FILE__);     \
}
