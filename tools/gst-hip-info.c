/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* gst-hip-info: which devices can be used here, and why not the others?
 * Collects everything into structures, which hip-info-print.c prints. Uses the
 * library's public interface only. */
#include "config.h"

#include <locale.h>
#include <string.h>

#include "hip-info.h"

static gboolean opt_self_test, opt_json, opt_version;
static gchar *opt_vendor;

static const GOptionEntry options[] = {
  {"self-test", 't', 0, G_OPTION_ARG_NONE, &opt_self_test,
      "Copy and run a kernel on every device and check the results", NULL},
  {"vendor", 'v', 0, G_OPTION_ARG_STRING, &opt_vendor,
      "Only this backend: amd, nvidia or host", "NAME"},
  {"json", 'j', 0, G_OPTION_ARG_NONE, &opt_json,
      "Print one JSON object instead of text", NULL},
  {"version", 0, 0, G_OPTION_ARG_NONE, &opt_version,
      "Print the version and exit", NULL},
  {NULL}
};

static const gchar description[] =
    "Lists the backends of GstHip with the libraries and compilers they found,\n"
    "or the reason why one cannot be used, and every device with what is known\n"
    "of it. Nothing is opened unless --self-test asks for it.\n\n"
    "Exit status:\n"
    "  0  at least one device can be used, and every self test passed\n"
    "  1  no device can be used, or a self test failed\n"
    "  2  wrong usage\n\n"
    "Environment:\n"
    "  GST_HIP_AMDHIP_LIBNAME, GST_HIP_HIPRTC_LIBNAME  libraries of the amd backend\n"
    "  GST_HIP_CUDA_LIBNAME, GST_HIP_NVRTC_LIBNAME     libraries of the nvidia backend\n"
    "  GST_HIP_CXX                                     C++ compiler of the host backend\n"
    "  GST_HIP_VENDOR, GST_HIP_DEVICE                  what elements choose by default\n"
    "  GST_HIP_CACHE_DIR, GST_HIP_CACHE=off            where compiled kernels are kept\n";

const gchar *
hip_info_vendor_nick (GstHipVendor vendor)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  GEnumValue *value = g_enum_get_value (klass, vendor);

  return value ? value->value_nick : "unknown";
}

static gchar *
format_uuid (const guint8 * uuid)
{
  static const guint8 none[16];
  GString *text;

  if (!memcmp (uuid, none, sizeof none))
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < 16; i++)
    g_string_append_printf (text, "%s%02x",
        i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
  return g_string_free (text, FALSE);
}

/* Memory of other drivers in, and this memory for others: yes, or why not */
static void
describe_sharing (GstStructure * device, GstHipDeviceCaps caps,
    const gchar * no_import)
{
  g_autofree gchar *no = g_strdup_printf ("no: %s", no_import ? no_import :
      "its runtime does not say why");

  gst_structure_set (device, "dmabuf-import", G_TYPE_STRING,
      caps & GST_HIP_DEVICE_CAP_DMABUF_IMPORT ? "yes" : no,
      "dmabuf-export", G_TYPE_STRING,
      caps & GST_HIP_DEVICE_CAP_DMABUF_EXPORT ? "yes" :
      "no: its driver exports none", NULL);
}

/* Every field of the device; what it has not is left out. */
static GstStructure *
describe_device (const GstHipDeviceInfo * info, const gchar * no_import)
{
  g_autofree gchar *uuid = format_uuid (info->uuid);
  g_autofree gchar *caps = g_flags_to_string (GST_TYPE_HIP_DEVICE_CAPS,
      info->caps);
  GstStructure *s = gst_structure_new ("device",
      "device-id", G_TYPE_UINT, info->device_id,
      "name", G_TYPE_STRING, info->name,
      "architecture", G_TYPE_STRING, info->arch,
      "memory-bytes", G_TYPE_UINT64, info->memory_bytes,
      "compute-units", G_TYPE_UINT, info->compute_units,
      "max-threads-per-block", G_TYPE_UINT, info->max_threads_per_block,
      "max-shared-bytes", G_TYPE_UINT, info->max_shared_bytes,
      "stride-align", G_TYPE_UINT, info->stride_align,
      "capabilities", G_TYPE_STRING, caps, NULL);

  describe_sharing (s, info->caps, no_import);
  if (info->pci_address[0])
    gst_structure_set (s, "pci-address", G_TYPE_STRING, info->pci_address,
        NULL);
  if (uuid)
    gst_structure_set (s, "uuid", G_TYPE_STRING, uuid, NULL);
  if (info->driver_version)
    gst_structure_set (s, "driver-version", G_TYPE_UINT, info->driver_version,
        NULL);
  if (info->runtime_version)
    gst_structure_set (s, "runtime-version", G_TYPE_UINT,
        info->runtime_version, NULL);
  return s;
}

static void
backend_free (gpointer data)
{
  HipInfoBackend *backend = data;

  g_free (backend->reason);
  g_clear_pointer (&backend->info, gst_structure_free);
  g_ptr_array_unref (backend->devices);
  g_free (backend);
}

static HipInfoBackend *
describe_backend (GstHipVendor vendor)
{
  HipInfoBackend *backend = g_new0 (HipInfoBackend, 1);
  g_autoptr (GPtrArray) infos = NULL;
  g_autoptr (GError) error = NULL;
  gchar *no_import;

  backend->vendor = vendor;
  backend->devices =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_structure_free);
  backend->info = gst_hip_get_backend_info (vendor, &error);
  if (!backend->info) {
    backend->reason = g_strdup (error->message);
    return backend;
  }
  no_import = g_strdup (gst_structure_get_string (backend->info,
          "no-dmabuf-import"));
  infos = gst_hip_enumerate_devices (vendor);
  for (guint i = 0; i < infos->len; i++)
    g_ptr_array_add (backend->devices,
        describe_device (g_ptr_array_index (infos, i), no_import));
  /* Said of each device that it is true of */
  gst_structure_remove_field (backend->info, "no-dmabuf-import");
  g_free (no_import);
  if (!infos->len)
    backend->reason = g_strdup ("its libraries are here, but no device is");
  return backend;
}

static gboolean
test_devices (HipInfoBackend * backend)
{
  gboolean passed = TRUE;

  for (guint i = 0; i < backend->devices->len; i++) {
    GstStructure *device = g_ptr_array_index (backend->devices, i);
    guint device_id = 0;

    gst_structure_get_uint (device, "device-id", &device_id);
    passed &= hip_info_self_test (backend->vendor, device_id, device);
  }
  return passed;
}

static gboolean
parse_arguments (int *argc, char ***argv)
{
  g_autoptr (GOptionContext) context =
      g_option_context_new ("- GPU devices of GStreamer's HIP layer");
  g_autoptr (GEnumClass) klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  g_autoptr (GError) error = NULL;
  GEnumValue *value;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_set_description (context, description);
  if (!g_option_context_parse (context, argc, argv, &error)) {
    g_printerr ("gst-hip-info: %s\n", error->message);
    return FALSE;
  }
  if (*argc > 1) {
    g_printerr ("gst-hip-info: '%s' is not understood; see --help\n",
        (*argv)[1]);
    return FALSE;
  }
  if (opt_vendor) {
    value = g_enum_get_value_by_nick (klass, opt_vendor);
    if (!value || value->value == GST_HIP_VENDOR_UNKNOWN) {
      g_printerr ("gst-hip-info: there is no backend '%s': amd, nvidia or host "
          "is meant\n", opt_vendor);
      return FALSE;
    }
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  static const GstHipVendor vendors[] = {
    GST_HIP_VENDOR_AMD, GST_HIP_VENDOR_NVIDIA, GST_HIP_VENDOR_HOST
  };
  g_autoptr (GPtrArray) backends = NULL;
  gboolean passed = TRUE;
  guint n_devices = 0;

  setlocale (LC_ALL, "");
  gst_init (NULL, NULL);
  if (!parse_arguments (&argc, &argv))
    return 2;
  if (opt_version) {
    g_print ("gst-hip-info " VERSION "\n");
    return 0;
  }

  backends = g_ptr_array_new_with_free_func (backend_free);
  for (guint i = 0; i < G_N_ELEMENTS (vendors); i++) {
    HipInfoBackend *backend;

    if (opt_vendor && strcmp (opt_vendor, hip_info_vendor_nick (vendors[i])))
      continue;
    backend = describe_backend (vendors[i]);
    g_ptr_array_add (backends, backend);
    n_devices += backend->devices->len;
    if (opt_self_test)
      passed &= test_devices (backend);
  }
  if (opt_json)
    hip_info_print_json (backends);
  else
    hip_info_print_text (backends);
  g_free (opt_vendor);
  return n_devices > 0 && passed ? 0 : 1;
}
