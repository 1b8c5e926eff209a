/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which NVIDIA GPUs are there, how is a context of one opened, and the table
 * by which the library uses them.
 *
 * The context is the device's primary one, which ONNX Runtime, PyTorch and
 * CuPy use too, or one that the application made. Its flags are left as they
 * are: waiting asleep is a matter of events here. Once used, a primary context
 * stays until the process ends, as those libraries have it too: to make one
 * takes a quarter of a second. One whose device failed does not stay, so that
 * the next is a new one.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "nvidia-internal.h"

#define CONTROL_FILE "/dev/nvidiactl"
/* A line of the second-level cache: rows that start there are read whole. */
#define STRIDE_ALIGN 128
/* What every GPU gives without asking, and what it is without a better answer */
#define PLAIN_SHARED_BYTES (48 * 1024)

static guint n_devices;
static gint driver_version;

static HipMutex kept_lock;
static GHashTable *kept;        /* devices whose primary context stays */

/* --- libraries and devices --- */

/* The driver says no more than that there is no device. */
static const gchar *
why_no_device (void)
{
  if (access (CONTROL_FILE, R_OK | W_OK) == 0)
    return "the driver sees no GPU (is CUDA_VISIBLE_DEVICES set?)";
  if (errno == EACCES)
    return CONTROL_FILE ": permission denied; join the group that owns it";
  return CONTROL_FILE " is not there: the kernel's driver is not loaded, or "
      "this container was started without GPUs";
}

static gboolean
nvidia_probe (GError ** error)
{
  const gchar *call = "cuInit";
  CuResult result;
  gint count = 0;

  if (!nvidia_load_cuda (error))
    return FALSE;

  result = nvidia_cuda.cuInit (0);
  if (result == CU_OK) {
    call = "cuDeviceGetCount";
    result = nvidia_cuda.cuDeviceGetCount (&count);
  }
  if (nvidia_cuda.cuDriverGetVersion (&driver_version) != CU_OK)
    driver_version = 0;
  if (result != CU_OK) {
    g_autoptr (GError) cause = NULL;

    /* Whatever it is, no device was lost: there is none. */
    nvidia_check_as (result, call, GST_HIP_ERROR_UNAVAILABLE, NULL, &cause);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "the NVIDIA driver %s for CUDA %d.%d does not start: %s%s%s",
        nvidia_cuda_path (), driver_version / 1000, driver_version % 1000 / 10,
        cause->message, result == CU_NO_DEVICE ? "; " : "",
        result == CU_NO_DEVICE ? why_no_device () : "");
    return FALSE;
  }
  n_devices = MAX (count, 0);
  return TRUE;
}

static guint
nvidia_device_count (void)
{
  return n_devices;
}

static gint
attribute (CuDevice device, guint which, gint otherwise)
{
  gint value;

  return nvidia_cuda.cuDeviceGetAttribute (&value, which, device) == CU_OK ?
      value : otherwise;
}

static gboolean
get_device (guint device_id, CuDevice * device, GError ** error)
{
  return nvidia_check_as (nvidia_cuda.cuDeviceGet (device, device_id),
      "cuDeviceGet", GST_HIP_ERROR_UNAVAILABLE, NULL, error);
}

/* Kernels are compiled for it: there is no usual one. */
static gboolean
read_capability (CuDevice device, gint * major, gint * minor, GError ** error)
{
  return NVIDIA_CALL (error, cuDeviceGetAttribute, major,
      CU_ATTRIBUTE_CC_MAJOR, device)
      && NVIDIA_CALL (error, cuDeviceGetAttribute, minor,
      CU_ATTRIBUTE_CC_MINOR, device);
}

static void
read_uuid (CuDevice device, guint8 uuid[16])
{
  CuUuid value = { {0} };
  struct CUuuid_st *native = (struct CUuuid_st *) &value;

  if (nvidia_cuda.cuDeviceGetUuid_v2)
    nvidia_note (nvidia_cuda.cuDeviceGetUuid_v2 (native, device),
        "cuDeviceGetUuid_v2");
  else if (nvidia_cuda.cuDeviceGetUuid)
    nvidia_note (nvidia_cuda.cuDeviceGetUuid (native, device),
        "cuDeviceGetUuid");
  memcpy (uuid, value.bytes, sizeof (value.bytes));
}

static gboolean
nvidia_device_info (guint device_id, GstHipDeviceInfo * info, GError ** error)
{
  CuDevice device;
  gsize memory_bytes = 0;
  gint shared, major, minor;

  memset (info, 0, sizeof (*info));
  if (!get_device (device_id, &device, error)
      || !NVIDIA_CALL (error, cuDeviceGetName, info->name,
          sizeof (info->name) - 1, device)
      || !NVIDIA_CALL (error, cuDeviceTotalMem_v2, &memory_bytes, device)
      || !read_capability (device, &major, &minor, error))
    return FALSE;

  info->vendor = GST_HIP_VENDOR_NVIDIA;
  info->device_id = device_id;
  g_snprintf (info->arch, sizeof (info->arch), "sm_%d%d", major, minor);
  g_snprintf (info->pci_address, sizeof (info->pci_address),
      "%04x:%02x:%02x.0", attribute (device, CU_ATTRIBUTE_PCI_DOMAIN, 0),
      attribute (device, CU_ATTRIBUTE_PCI_BUS, 0),
      attribute (device, CU_ATTRIBUTE_PCI_DEVICE, 0));
  read_uuid (device, info->uuid);
  info->memory_bytes = memory_bytes;
  info->driver_version = driver_version;
  info->runtime_version = nvidia_compiler_version ();
  if (info->runtime_version)
    info->caps |= GST_HIP_DEVICE_CAP_COMPILER;
  if (attribute (device, CU_ATTRIBUTE_TEXTURE2D_WIDTH, 0) > 0)
    info->caps |= GST_HIP_DEVICE_CAP_TEXTURE2D;
  if (nvidia_cuda.cuMemGetHandleForAddressRange
      && attribute (device, CU_ATTRIBUTE_DMA_BUF, 0))
    info->caps |= GST_HIP_DEVICE_CAP_DMABUF_EXPORT;
  info->compute_units = attribute (device, CU_ATTRIBUTE_MULTIPROCESSORS, 1);
  info->stride_align = STRIDE_ALIGN;
  info->max_threads_per_block =
      attribute (device, CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024);
  shared = attribute (device, CU_ATTRIBUTE_MAX_SHARED, PLAIN_SHARED_BYTES);
  info->max_shared_bytes =
      MAX (shared, attribute (device, CU_ATTRIBUTE_MAX_SHARED_OPTIN, 0));

  return TRUE;
}

static void
nvidia_describe (GstStructure * structure)
{
  g_autofree gchar *version = g_strdup_printf ("CUDA %d.%d",
      driver_version / 1000, driver_version % 1000 / 10);

  gst_structure_set (structure, "library-path", G_TYPE_STRING,
      nvidia_cuda_path (), "driver-version", G_TYPE_STRING, version, NULL);
  nvidia_compiler_describe (structure);
  if (nvidia_compiler_version () > (guint) driver_version)
    gst_structure_set (structure, "compiler-note", G_TYPE_STRING,
        "the compiler is newer than the driver: kernels run on GPUs that the "
        "compiler knows, for which it makes binaries; newer GPUs need a newer "
        "driver", NULL);
}

/* --- contexts --- */

/* Takes handle over; with it current */
static gboolean
context_learn (NvidiaContext * context, GError ** error)
{
  if (!NVIDIA_CALL (error, cuCtxGetStreamPriorityRange,
          &context->priority_least, &context->priority_greatest)
      || !read_capability (context->device, &context->major, &context->minor,
          error))
    return FALSE;

  context->max_pitch =
      attribute (context->device, CU_ATTRIBUTE_MAX_PITCH, G_MAXINT);
  /* Elsewhere registered memory has another address for the device */
  context->host_type = attribute (context->device,
      CU_ATTRIBUTE_HOST_POINTER_FOR_REGISTERED, 1) ?
      CU_MEMORY_HOST : CU_MEMORY_UNIFIED;
  if (nvidia_cuda.cuMemAllocAsync && nvidia_cuda.cuMemFreeAsync
      && attribute (context->device, CU_ATTRIBUTE_MEMORY_POOLS, 0))
    return NVIDIA_CALL (error, cuStreamCreateWithPriority, &context->allocator,
        CU_FLAG_STREAM_NON_BLOCKING, context->priority_least);
  return TRUE;
}

/* Gives the reference of a primary context back, or keeps it if it is the
 * first and the context is good. */
static void
release_primary (CuDevice device, gboolean good)
{
  gpointer key = GINT_TO_POINTER (device);
  guint n_releases = 1;

  hip_mutex_lock (&kept_lock);
  if (!kept)
    kept = g_hash_table_new (NULL, NULL);
  if (good && g_hash_table_add (kept, key))
    n_releases = 0;
  else if (!good && g_hash_table_remove (kept, key))
    n_releases = 2;
  hip_mutex_unlock (&kept_lock);

  while (n_releases-- > 0)
    NVIDIA_CALL_NOTED (cuDevicePrimaryCtxRelease_v2, device);
}

static void
nvidia_context_close (HipNativeContext native)
{
  NvidiaContext *context = native;
  gboolean good = FALSE, current;
  CuContext popped;

  current = nvidia_cuda.cuCtxPushCurrent_v2 (context->handle) == CU_OK;
  if (current) {
    nvidia_sleepers_free (context);
    if (context->allocator) {
      good = nvidia_cuda.cuStreamQuery (context->allocator) == CU_OK;
      NVIDIA_CALL_NOTED (cuStreamDestroy_v2, context->allocator);
    } else {
      good = nvidia_cuda.cuStreamQuery (NULL) == CU_OK;
    }
  }
  hip_heap_release (context->heap, current);
  if (current)
    NVIDIA_CALL_NOTED (cuCtxPopCurrent_v2, &popped);
  if (context->retained)
    release_primary (context->device, good);
  hip_registrations_clear (&context->registrations);
  hip_mutex_clear (&context->lock);
  g_free (context);
}

static NvidiaContext *
context_new (CuContext handle, CuDevice device, gboolean retained,
    GError ** error)
{
  NvidiaContext *context = g_new0 (NvidiaContext, 1);
  CuContext popped;
  gboolean ok = FALSE;

  context->handle = handle;
  context->device = device;
  context->retained = retained;
  hip_registrations_init (&context->registrations, &nvidia_pages_driver);
  hip_mutex_init (&context->lock);
  context->heap = hip_heap_acquire (&nvidia_heap_driver, (guintptr) handle);
  if (NVIDIA_CALL (error, cuCtxPushCurrent_v2, handle)) {
    ok = context_learn (context, error);
    NVIDIA_CALL_NOTED (cuCtxPopCurrent_v2, &popped);
  }
  if (ok)
    return context;

  nvidia_context_close (context);
  return NULL;
}

static HipNativeContext
nvidia_context_open (guint device_id, GError ** error)
{
  CuContext handle = NULL;
  CuDevice device;

  if (!get_device (device_id, &device, error)
      || !NVIDIA_CALL (error, cuDevicePrimaryCtxRetain, &handle, device))
    return NULL;

  return context_new (handle, device, TRUE, error);
}

static gboolean
find_device_id (CuDevice device, guint * device_id, GError ** error)
{
  for (guint i = 0; i < n_devices; i++) {
    CuDevice other;

    if (nvidia_cuda.cuDeviceGet (&other, i) == CU_OK && other == device) {
      *device_id = i;
      return TRUE;
    }
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "the context belongs to none of the %u NVIDIA devices", n_devices);
  return FALSE;
}

/* The primary context, wrapped, is used like one that we opened: it lives
 * until we release it, whatever the application does. */
static gboolean
retain_if_primary (CuContext handle, CuDevice device)
{
  CuContext primary = NULL;
  guint flags;
  gint active = 0;

  if (nvidia_cuda.cuDevicePrimaryCtxGetState (device, &flags, &active) != CU_OK
      || !active
      || nvidia_cuda.cuDevicePrimaryCtxRetain (&primary, device) != CU_OK)
    return FALSE;
  if (primary == handle)
    return TRUE;
  NVIDIA_CALL_NOTED (cuDevicePrimaryCtxRelease_v2, device);
  return FALSE;
}

static HipNativeContext
nvidia_context_wrap (guintptr native, guint * device_id, GError ** error)
{
  CuContext handle = (CuContext) native, popped;
  CuDevice device = 0;
  gboolean ok;

  if (!handle) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "no context was given");
    return NULL;
  }
  if (!nvidia_check_as (nvidia_cuda.cuCtxPushCurrent_v2 (handle),
          "cuCtxPushCurrent_v2", GST_HIP_ERROR_INVALID,
          "a CUcontext that exists is wanted", error))
    return NULL;
  ok = NVIDIA_CALL (error, cuCtxGetDevice, &device);
  NVIDIA_CALL_NOTED (cuCtxPopCurrent_v2, &popped);
  if (!ok || !find_device_id (device, device_id, error))
    return NULL;

  return context_new (handle, device, retain_if_primary (handle, device),
      error);
}

static guintptr
nvidia_context_native (HipNativeContext context)
{
  return (guintptr) ((NvidiaContext *) context)->handle;
}

static gboolean
nvidia_context_enter (HipNativeContext context, GError ** error)
{
  return NVIDIA_CALL (error, cuCtxPushCurrent_v2,
      ((NvidiaContext *) context)->handle);
}

static void
nvidia_context_leave (HipNativeContext context)
{
  CuContext popped;

  NVIDIA_CALL_NOTED (cuCtxPopCurrent_v2, &popped);
}

static gboolean
nvidia_context_set_current (HipNativeContext context, GError ** error)
{
  return NVIDIA_CALL (error, cuCtxSetCurrent,
      ((NvidiaContext *) context)->handle);
}

/* *INDENT-OFF* */
const HipBackend hip_backend_nvidia = {
  .name = "nvidia",
  .vendor = GST_HIP_VENDOR_NVIDIA,

  .probe = nvidia_probe,
  .device_count = nvidia_device_count,
  .device_info = nvidia_device_info,
  .describe = nvidia_describe,

  .context_open = nvidia_context_open,
  .context_wrap = nvidia_context_wrap,
  .context_close = nvidia_context_close,
  .context_native = nvidia_context_native,
  .context_enter = nvidia_context_enter,
  .context_leave = nvidia_context_leave,
  .context_set_current = nvidia_context_set_current,

  .memory_alloc = nvidia_memory_alloc,
  .memory_free = nvidia_memory_free,
  .host_register = nvidia_memory_register,
  .host_unregister = nvidia_memory_unregister,
  .host_device_address = nvidia_memory_device_address,

  .no_dmabuf = "NVIDIA's driver takes no foreign ones",
  .export_alloc = nvidia_export_alloc,
  .export_free = nvidia_export_free,

  .stream_new = nvidia_stream_new,
  .stream_free = nvidia_stream_free,
  .stream_native = nvidia_stream_native,
  .stream_query = nvidia_stream_query,
  .stream_synchronize = nvidia_stream_synchronize,
  .stream_wait_event = nvidia_stream_wait_event,
  .stream_copy_2d = nvidia_stream_copy_2d,
  .stream_copy_peer = nvidia_stream_copy_peer,
  .stream_fill = nvidia_stream_fill,

  .event_new = nvidia_event_new,
  .event_free = nvidia_event_free,
  .event_record = nvidia_event_record,
  .event_query = nvidia_event_query,
  .event_synchronize = nvidia_event_synchronize,
  .event_elapsed = nvidia_event_elapsed,

  .compiler_id = nvidia_compiler_id,
  .translate_options = nvidia_translate_options,
  .compile = nvidia_compile,
  .precompiled_archs = nvidia_precompiled_archs,
  .compile_for = nvidia_compile_for,
  .module_load = nvidia_module_load,
  .module_unload = nvidia_module_unload,
  .module_get_function = nvidia_module_get_function,
  .module_read_global = nvidia_module_read_global,
  .launch = nvidia_launch,

  .native = nvidia_native,
  .event_native = nvidia_event_native,
  .native_wait_event = nvidia_native_wait_event,
};
/* *INDENT-ON* */
