/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The CPU as a device: what it is, and the table by which the library uses it.
 *
 * There is exactly one, with number 0. It is a real device and the reference
 * for the others: asynchronous, in order, with kernels compiled for it.
 */
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <gst/hip/gsthiperror.h>

#include "host-internal.h"

/* As GPUs have it, so that a block that runs here runs there. */
#define MAX_THREADS_PER_BLOCK 1024
/* What an AMD compute unit has; NVIDIA's have 48 KiB or more. It also stays in
 * a CPU's second-level cache, which is what shared memory is for. */
#define MAX_SHARED_BYTES (64 * 1024)
/* Rows start at a cache line, the widest vector load there is. */
#define STRIDE_ALIGN 64

static gboolean
host_probe (GError ** error)
{
  return TRUE;
}

static guint
host_device_count (void)
{
  return 1;
}

/* "model name" of the first CPU in /proc/cpuinfo, or NULL */
static gchar *
read_model_name (void)
{
  g_autofree gchar *text = NULL;
  gchar *line, *colon, *end;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    return NULL;

  line = strstr (text, "model name");
  if (line == NULL)
    return NULL;
  end = strchr (line, '\n');
  if (end)
    *end = '\0';
  colon = strchr (line, ':');

  return colon ? g_strdup (g_strstrip (colon + 1)) : NULL;
}

static gboolean
check_device_id (guint device_id, GError ** error)
{
  if (device_id == 0)
    return TRUE;

  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "No host device %u: the CPUs together are device 0", device_id);
  return FALSE;
}

/* GST_HIP_HOST_STAGING=1: the device does as if the CPU could not reach its
 * memory, nor it the CPU's, so that everything above takes the ways that a GPU
 * needs. An aid to testing and debugging. */
static gboolean
is_staging_forced (void)
{
  return g_strcmp0 (g_getenv ("GST_HIP_HOST_STAGING"), "1") == 0;
}

static gboolean
host_device_info (guint device_id, GstHipDeviceInfo * info, GError ** error)
{
  g_autofree gchar *name = read_model_name ();
  struct utsname machine;
  glong pages = sysconf (_SC_PHYS_PAGES);
  glong page_bytes = sysconf (_SC_PAGESIZE);

  if (!check_device_id (device_id, error))
    return FALSE;
  if (uname (&machine) != 0)
    g_strlcpy (machine.machine, "unknown", sizeof (machine.machine));

  memset (info, 0, sizeof (*info));
  info->vendor = GST_HIP_VENDOR_HOST;
  g_strlcpy (info->name, name ? name : machine.machine, sizeof (info->name));
  if (!host_arch_name (info->arch, sizeof (info->arch), machine.machine, error))
    return FALSE;
  if (pages > 0 && page_bytes > 0)
    info->memory_bytes = (guint64) pages *(guint64) page_bytes;
  if (!is_staging_forced ())
    info->caps |= GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE;
  info->caps |= GST_HIP_DEVICE_CAP_DMABUF_IMPORT
      | GST_HIP_DEVICE_CAP_DMABUF_EXPORT;
  if (host_compiler_available ())
    info->caps |= GST_HIP_DEVICE_CAP_COMPILER;
  info->compute_units = host_workers_count ();
  info->stride_align = STRIDE_ALIGN;
  info->max_threads_per_block = MAX_THREADS_PER_BLOCK;
  info->max_shared_bytes = MAX_SHARED_BYTES;

  return TRUE;
}

static void
host_describe (GstStructure * structure)
{
  gst_structure_set (structure, "threads", G_TYPE_UINT, host_workers_count (),
      NULL);
  host_compiler_describe (structure);
}

static HipNativeContext
host_device_open (guint device_id, GError ** error)
{
  return check_device_id (device_id, error) ? host_context_open () : NULL;
}

static void
host_device_close (HipNativeContext context)
{
  host_context_unref (context);
}

static guintptr
host_device_native (HipNativeContext context)
{
  return (guintptr) context;
}

/* Nothing of the CPU is bound to a thread. Succeeds on a lost device too, so
 * that its objects can be freed. */
static gboolean
host_device_enter (HipNativeContext context, GError ** error)
{
  return TRUE;
}

static void
host_device_leave (HipNativeContext context)
{
}

/* *INDENT-OFF* */
const HipBackend hip_backend_host = {
  .name = "host",
  .vendor = GST_HIP_VENDOR_HOST,

  .probe = host_probe,
  .device_count = host_device_count,
  .device_info = host_device_info,
  .describe = host_describe,

  .context_open = host_device_open,
  .context_wrap = NULL,         /* optional: there are no foreign contexts of a CPU */
  .context_close = host_device_close,
  .context_native = host_device_native,
  .context_enter = host_device_enter,
  .context_leave = host_device_leave,
  .context_set_current = host_device_enter,

  .memory_alloc = host_memory_alloc,
  .memory_free = host_memory_free,
  .host_register = host_memory_register,
  .host_unregister = host_memory_unregister,
  .host_device_address = host_memory_device_address,

  .dmabuf_import = host_dmabuf_import,
  .dmabuf_release = host_dmabuf_release,
  .dmabuf_begin = host_dmabuf_begin,
  .dmabuf_end = host_dmabuf_end,
  .export_alloc = host_export_alloc,
  .export_free = host_export_free,
  .gate_new = host_gate_new,
  .stream_wait_gate = host_stream_wait_gate,
  .gate_open = host_gate_open,
  .gate_free = host_gate_free,

  .stream_new = host_stream_new,
  .stream_free = host_stream_free,
  .stream_native = host_stream_native,
  .stream_query = host_stream_query,
  .stream_synchronize = host_stream_synchronize,
  .stream_wait_event = host_stream_wait_event,
  .stream_copy_2d = host_stream_copy_2d,
  .stream_fill = host_stream_fill,

  .event_new = host_event_new,
  .event_free = host_event_free,
  .event_record = host_stream_record,
  .event_query = host_event_query,
  .event_synchronize = host_event_synchronize,
  .event_elapsed = host_event_elapsed,

  .compiler_id = host_compiler_id,
  .translate_options = host_translate_options,
  .compile = host_compile,
  .precompiled_archs = host_precompiled_archs,
  .compile_for = host_compile_for,
  .module_load = host_module_load,
  .module_unload = host_module_unload,
  .module_get_function = host_module_get_function,
  .module_read_global = host_module_read_global,
  .launch = host_stream_launch,

  .native = host_native,
  .native_wait_event = host_native_wait_event,
};
/* *INDENT-ON* */
