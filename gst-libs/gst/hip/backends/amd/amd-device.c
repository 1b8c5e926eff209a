/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which AMD GPUs are there, how is one used beside others, and the table by
 * which the library uses them.
 *
 * HIP has one context a device, which every library of the process shares, and
 * one current device a thread. It has no stack of them, so one is kept here:
 * what was current is current again after every call of ours.
 */
#include <string.h>

#include "amd-internal.h"

#define DEVICE_FILE "/dev/kfd"
/* What the hardware's images want of their rows; two lines of its cache */
#define STRIDE_ALIGN 256
#define PLAIN_SHARED_BYTES (64 * 1024)
#define MAX_DEPTH 16

static guint n_devices;
static gint driver_version, runtime_version;

static _Thread_local AmdDevice saved_devices[MAX_DEPTH];
static _Thread_local guint depth;

/* --- the current device --- */

static gboolean
push_device (AmdDevice device, GError ** error)
{
  AmdDevice before = 0;

  g_assert (depth < MAX_DEPTH);
  if (!AMD_CALL (error, hipGetDevice, &before))
    return FALSE;
  if (before != device && !AMD_CALL (error, hipSetDevice, device))
    return FALSE;
  saved_devices[depth++] = before;
  return TRUE;
}

static void
pop_device (AmdDevice device)
{
  AmdDevice before;

  g_assert (depth > 0);
  before = saved_devices[--depth];
  if (before != device)
    AMD_CALL_NOTED (hipSetDevice, before);
}

/* --- libraries and devices --- */

static gchar *
version_text (gint version)
{
  return g_strdup_printf ("HIP %d.%d.%d", version / 10000000,
      version / 100000 % 100, version % 100000);
}

static gboolean
amd_probe (GError ** error)
{
  g_autofree gchar *text = NULL, *version = NULL, *why = NULL;
  const gchar *call = "hipInit";
  AmdResult result;
  gint count = 0;

  if (!amd_load_hip (error))
    return FALSE;

  result = amd_hip.hipInit (0);
  if (amd_hip.hipRuntimeGetVersion (&runtime_version) != AMD_OK)
    runtime_version = 0;
  if (amd_hip.hipDriverGetVersion (&driver_version) != AMD_OK)
    driver_version = 0;
  /* Some runtimes start without a device, some say so in one way, some in
   * another. */
  if (result == AMD_OK || result == AMD_INVALID_DEVICE) {
    call = "hipGetDeviceCount";
    result = amd_hip.hipGetDeviceCount (&count);
  }
  if (result == AMD_OK && count > 0) {
    n_devices = count;
    return TRUE;
  }
  if (result == AMD_OK)
    result = AMD_NO_DEVICE;
  if (result == AMD_NO_DEVICE || result == AMD_INVALID_DEVICE)
    why = amd_explain_no_device (DEVICE_FILE);
  text = amd_result_text (result);
  version = version_text (runtime_version);
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "the runtime %s of %s finds no AMD GPU: %s: %s%s%s", amd_hip_path (),
      version, call, text, why ? "; " : "", why ? why : "");
  return FALSE;
}

static guint
amd_device_count (void)
{
  return n_devices;
}

static gint
attribute (AmdDevice device, guint which, gint otherwise)
{
  gint value;

  return amd_hip.hipDeviceGetAttribute (&value, which, device) == AMD_OK ?
      value : otherwise;
}

/* Through the struct that this library fills. The spare bytes are for one that
 * is larger than what we know. */
static gboolean
read_properties (AmdDevice device, gchar name[256], gchar arch[256],
    guint64 * memory_bytes, GError ** error)
{
  union
  {
    AmdProperties old;
    AmdPropertiesR0600 new;
    gchar spare[8192];
  } *properties = g_malloc0 (sizeof (*properties));
  gboolean ok;

  if (amd_hip.hipGetDevicePropertiesR0600) {
    ok = AMD_CALL (error, hipGetDevicePropertiesR0600,
        (struct hipDeviceProp_tR0600 *) properties, device);
    g_strlcpy (name, properties->new.name, 256);
    g_strlcpy (arch, properties->new.arch, 256);
    *memory_bytes = properties->new.memory_bytes;
  } else {
    ok = AMD_CALL (error, hipGetDeviceProperties,
        (struct hipDeviceProp_t *) properties, device);
    g_strlcpy (name, properties->old.name, 256);
    g_strlcpy (arch, properties->old.arch, 256);
    *memory_bytes = properties->old.memory_bytes;
  }
  g_free (properties);
  if (ok && !g_str_has_prefix (arch, "gfx")) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "device %d has no architecture that is known (\"%s\")", device, arch);
    return FALSE;
  }
  return ok;
}

static void
read_uuid (AmdDevice device, guint8 uuid[16])
{
  AmdUuid value = { {0} };

  if (amd_hip.hipDeviceGetUuid)
    AMD_CALL_NOTED (hipDeviceGetUuid, (struct hipUUID_t *) &value, device);
  memcpy (uuid, value.bytes, sizeof (value.bytes));
}

static gboolean
amd_device_info (guint device_id, GstHipDeviceInfo * info, GError ** error)
{
  AmdDevice device = device_id;
  gchar name[256], arch[256];

  memset (info, 0, sizeof (*info));
  if (!read_properties (device, name, arch, &info->memory_bytes, error))
    return FALSE;

  info->vendor = GST_HIP_VENDOR_AMD;
  info->device_id = device_id;
  g_strlcpy (info->name, *name ? name : arch, sizeof (info->name));
  g_strlcpy (info->arch, arch, sizeof (info->arch));
  g_snprintf (info->pci_address, sizeof (info->pci_address),
      "%04x:%02x:%02x.0", attribute (device, AMD_ATTRIBUTE_PCI_DOMAIN, 0),
      attribute (device, AMD_ATTRIBUTE_PCI_BUS, 0),
      attribute (device, AMD_ATTRIBUTE_PCI_DEVICE, 0));
  read_uuid (device, info->uuid);
  info->driver_version = driver_version;
  info->runtime_version = runtime_version;
  if (amd_have_compiler ())
    info->caps |= GST_HIP_DEVICE_CAP_COMPILER;
  /* Instinct MI300 has sizes of textures, and no textures. */
  if (attribute (device, AMD_ATTRIBUTE_IMAGE_SUPPORT, 0)
      && attribute (device, AMD_ATTRIBUTE_TEXTURE2D_WIDTH, 0) > 0)
    info->caps |= GST_HIP_DEVICE_CAP_TEXTURE2D;
  if (amd_have_dmabuf ())
    info->caps |= GST_HIP_DEVICE_CAP_DMABUF_IMPORT;
  if (amd_have_export ())
    info->caps |= GST_HIP_DEVICE_CAP_DMABUF_EXPORT;
  info->compute_units = attribute (device, AMD_ATTRIBUTE_MULTIPROCESSORS, 1);
  info->stride_align = STRIDE_ALIGN;
  info->max_threads_per_block =
      attribute (device, AMD_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024);
  info->max_shared_bytes =
      attribute (device, AMD_ATTRIBUTE_MAX_SHARED, PLAIN_SHARED_BYTES);

  return TRUE;
}

static void
amd_describe (GstStructure * structure)
{
  g_autofree gchar *runtime = version_text (runtime_version);
  g_autofree gchar *driver = version_text (driver_version);

  gst_structure_set (structure, "library-path", G_TYPE_STRING,
      amd_hip_path (), "runtime-version", G_TYPE_STRING, runtime,
      "driver-version", G_TYPE_STRING, driver, NULL);
  amd_compiler_describe (structure);
}

/* --- contexts --- */

static void
amd_context_close (HipNativeContext native)
{
  AmdContext *context = native;
  gboolean current = push_device (context->device, NULL);

  hip_heap_release (context->heap, current);
  if (current)
    pop_device (context->device);
  hip_registrations_clear (&context->registrations);
  g_free (context);
}

static HipNativeContext
amd_context_open (guint device_id, GError ** error)
{
  AmdContext *context = g_new0 (AmdContext, 1);
  gchar name[256], arch[256];
  guint64 memory_bytes;
  gboolean ok = FALSE;

  context->device = device_id;
  hip_registrations_init (&context->registrations, &amd_pages_driver);
  context->heap = hip_heap_acquire (&amd_heap_driver, context->device);
  if (read_properties (context->device, name, arch, &memory_bytes, error)
      && push_device (context->device, error)) {
    g_strlcpy (context->arch, arch, sizeof (context->arch));
    context->max_pitch =
        attribute (context->device, AMD_ATTRIBUTE_MAX_PITCH, G_MAXINT);
    context->waits_for_values = amd_hip.hipStreamWaitValue32
        && attribute (context->device, AMD_ATTRIBUTE_STREAM_WAIT_VALUE, 0);
    ok = AMD_CALL (error, hipDeviceGetStreamPriorityRange,
        &context->priority_least, &context->priority_greatest);
    pop_device (context->device);
  }
  if (ok)
    return context;

  amd_context_close (context);
  return NULL;
}

/* There is one a device; 0 would be none. */
static guintptr
amd_context_native (HipNativeContext context)
{
  return (guintptr) ((AmdContext *) context)->device + 1;
}

static gboolean
amd_context_enter (HipNativeContext context, GError ** error)
{
  return push_device (((AmdContext *) context)->device, error);
}

static void
amd_context_leave (HipNativeContext context)
{
  pop_device (((AmdContext *) context)->device);
}

static gboolean
amd_context_set_current (HipNativeContext context, GError ** error)
{
  return AMD_CALL (error, hipSetDevice, ((AmdContext *) context)->device);
}

/* *INDENT-OFF* */
const HipBackend hip_backend_amd = {
  .name = "amd",
  .vendor = GST_HIP_VENDOR_AMD,

  .probe = amd_probe,
  .device_count = amd_device_count,
  .device_info = amd_device_info,
  .describe = amd_describe,

  .context_open = amd_context_open,
  .context_close = amd_context_close,
  .context_native = amd_context_native,
  .context_enter = amd_context_enter,
  .context_leave = amd_context_leave,
  .context_set_current = amd_context_set_current,

  .memory_alloc = amd_memory_alloc,
  .memory_free = amd_memory_free,
  .host_register = amd_memory_register,
  .host_unregister = amd_memory_unregister,
  .host_device_address = amd_memory_device_address,

  .no_dmabuf = "this HIP runtime has no hipImportExternalMemory ()",
  .dmabuf_import = amd_dmabuf_import,
  .dmabuf_release = amd_dmabuf_release,
  .export_alloc = amd_export_alloc,
  .export_free = amd_export_free,
  .gate_new = amd_gate_new,
  .stream_wait_gate = amd_stream_wait_gate,
  .gate_open = amd_gate_open,
  .gate_free = amd_gate_free,

  .stream_new = amd_stream_new,
  .stream_free = amd_stream_free,
  .stream_native = amd_stream_native,
  .stream_query = amd_stream_query,
  .stream_synchronize = amd_stream_synchronize,
  .stream_wait_event = amd_stream_wait_event,
  .stream_copy_2d = amd_stream_copy_2d,
  .stream_fill = amd_stream_fill,

  .event_new = amd_event_new,
  .event_free = amd_event_free,
  .event_record = amd_event_record,
  .event_query = amd_event_query,
  .event_synchronize = amd_event_synchronize,
  .event_elapsed = amd_event_elapsed,

  .compiler_id = amd_compiler_id,
  .translate_options = amd_translate_options,
  .compile = amd_compile,
  .precompiled_archs = amd_precompiled_archs,
  .compile_for = amd_compile_for,
  .module_load = amd_module_load,
  .module_unload = amd_module_unload,
  .module_get_function = amd_module_get_function,
  .module_read_global = amd_module_read_global,
  .launch = amd_launch,

  .native = amd_native,
  .native_wait_event = amd_native_wait_event,
};
/* *INDENT-ON* */
