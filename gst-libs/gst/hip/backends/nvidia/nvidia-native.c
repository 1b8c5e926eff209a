/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* NVIDIA GPUs for programs that call HIP's functions themselves.
 *
 * Calls go to the CUDA driver, whose handles and structs are HIP's in all but
 * name; so are most results. The context is the one that is current on the
 * thread; where there is none, the primary context of the device that
 * HipSetDevice () named, else of device 0. Primary contexts that were needed
 * here stay open until the process ends, as the CUDA runtime keeps them.
 */
#include <string.h>

#include "nvidia-internal.h"
#include "../../hip-native.h"
#include "../../hip-native-properties.h"
#include "../../hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_nvidia_debug, "hipnvidia", "HIP NVIDIA backend")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_nvidia_debug ()

/* HIP's flags that CUDA has with the same numbers; the others are AMD's. */
#define HOST_MALLOC_FLAGS 0x7
#define EVENT_FLAGS 0x7

static HipMutex lock;
static CuContext *primaries;    /* by ordinal */
static guint n_primaries;

/* --- results --- */

static HipResult
translate (CuResult result, const gchar * call)
{
  g_autofree gchar *text = NULL;

  if (G_LIKELY (result == CU_OK || result == CU_NOT_READY))
    return result;
  text = nvidia_result_text (result);
  GST_DEBUG ("%s: %s", call, text);
  switch (result) {
    case CU_HARDWARE_STACK_ERROR:
    case CU_ILLEGAL_INSTRUCTION:
    case CU_MISALIGNED_ADDRESS:
    case CU_INVALID_ADDRESS_SPACE:
    case CU_INVALID_PC:
      return HIP_LAUNCH_FAILURE;
    case CU_CALL_REQUIRES_NEWER_DRIVER:
    case CU_STUB_LIBRARY:
    case CU_UNSUPPORTED_PTX_VERSION:
      return HIP_INSUFFICIENT_DRIVER;
    case CU_TIMEOUT:
      return HIP_UNKNOWN;
    default:
      break;
  }
  return hip_native_result_name (result) ? result : HIP_UNKNOWN;
}

#define CALL(name, ...) translate (nvidia_cuda.name (__VA_ARGS__), #name)
/* For functions that not every driver has */
#define CALL_OPTIONAL(name, ...) \
  (nvidia_cuda.name ? CALL (name, __VA_ARGS__) : HIP_NOT_SUPPORTED)

/* --- the device of this thread --- */

static HipResult
make_current (int ordinal)
{
  g_autoptr (HipMutexLocker) locker = NULL;
  CuDevice device;
  HipResult result;
  guint n_devices = hip_backend_nvidia.device_count ();

  if (ordinal < 0 || (guint) ordinal >= n_devices)
    return HIP_INVALID_DEVICE;
  locker = hip_mutex_locker_new (&lock);
  if (!primaries) {
    primaries = g_new0 (CuContext, n_devices);
    n_primaries = n_devices;
  }
  if ((guint) ordinal >= n_primaries)
    return HIP_INVALID_DEVICE;
  if (!primaries[ordinal]) {
    result = CALL (cuDeviceGet, &device, ordinal);
    if (result == HIP_OK)
      result = CALL (cuDevicePrimaryCtxRetain, &primaries[ordinal], device);
    if (result != HIP_OK)
      return result;
  }
  return CALL (cuCtxSetCurrent, primaries[ordinal]);
}

static HipResult
need_context (void)
{
  CuContext context = NULL;
  HipResult result = CALL (cuCtxGetCurrent, &context);

  return result == HIP_OK && !context ? make_current (0) : result;
}

#define NEED_CONTEXT()                          \
  G_STMT_START {                                \
    HipResult context_result = need_context (); \
    if (context_result != HIP_OK)               \
      return context_result;                    \
  } G_STMT_END

static HipResult
nvidia_hip_init (guint flags)
{
  return CALL (cuInit, flags);
}

static HipResult
nvidia_hip_version (int *version)
{
  return version ? CALL (cuDriverGetVersion, version) : HIP_INVALID_VALUE;
}

static HipResult
nvidia_hip_device_count (int *count)
{
  return count ? CALL (cuDeviceGetCount, count) : HIP_INVALID_VALUE;
}

static HipResult
nvidia_hip_attribute (int *value, guint attribute, int ordinal)
{
  static const struct
  {
    guint hip, cuda;
  } rows[] = {
#define ROW(cuda, hip, number) { hip, number },
    /* *INDENT-OFF* */
    NVIDIA_HIP_ATTRIBUTES (ROW)
    /* *INDENT-ON* */
#undef ROW
  };
  CuDevice device;
  HipResult result;

  if (!value)
    return HIP_INVALID_VALUE;
  if (attribute == HIP_ATTRIBUTE_IMAGE_SUPPORT) {
    *value = 1;
    return HIP_OK;
  }
  result = CALL (cuDeviceGet, &device, ordinal);
  if (result != HIP_OK)
    return result;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (rows[i].hip == attribute)
      return CALL (cuDeviceGetAttribute, value, rows[i].cuda, device);
  }
  return HIP_INVALID_VALUE;
}

/* --- memory --- */

static HipResult
nvidia_hip_malloc (void **address, size_t bytes)
{
  CuDevicePtr device = 0;
  HipResult result;

  if (!address)
    return HIP_INVALID_VALUE;
  *address = NULL;
  if (bytes == 0)
    return HIP_OK;
  NEED_CONTEXT ();
  result = CALL (cuMemAlloc_v2, &device, bytes);
  *address = (void *) (guintptr) device;
  return result;
}

static HipResult
nvidia_hip_free (void *address)
{
  if (!address)
    return HIP_OK;
  NEED_CONTEXT ();
  return CALL (cuMemFree_v2, (guintptr) address);
}

static HipResult
nvidia_hip_host_malloc (void **address, size_t bytes, guint flags)
{
  if (!address)
    return HIP_INVALID_VALUE;
  *address = NULL;
  if (bytes == 0)
    return HIP_OK;
  NEED_CONTEXT ();
  /* For all devices, and with an address on them, as HIP has it on AMD */
  return CALL (cuMemHostAlloc, address, bytes, (flags & HOST_MALLOC_FLAGS) |
      CU_FLAG_HOST_PORTABLE | CU_FLAG_HOST_DEVICEMAP);
}

static HipResult
nvidia_hip_host_free (void *address)
{
  if (!address)
    return HIP_OK;
  NEED_CONTEXT ();
  return CALL (cuMemFreeHost, address);
}

static gboolean
translate_memory_type (guint * type)
{
  switch (*type) {
    case HIP_MEMORY_HOST_R0600:
      *type = CU_MEMORY_HOST;
      return TRUE;
    case HIP_MEMORY_DEVICE_R0600:
      *type = CU_MEMORY_DEVICE;
      return TRUE;
    case HIP_MEMORY_UNIFIED_R0600:
    case HIP_MEMORY_MANAGED_R0600:
      *type = CU_MEMORY_UNIFIED;
      return TRUE;
    default:                   /* HIP's arrays are none of CUDA's. */
      return FALSE;
  }
}

static HipResult
nvidia_hip_copy_2d (const struct hip_Memcpy2D *given, HipStreamHandle stream)
{
  HipMemcpy2D copy;

  if (!given)
    return HIP_INVALID_VALUE;
  memcpy (&copy, given, sizeof (copy));
  if (!translate_memory_type (&copy.src_type)
      || !translate_memory_type (&copy.dst_type))
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  return CALL (cuMemcpy2DAsync_v2, (const struct CUDA_MEMCPY2D_st *) &copy,
      (CuStream) stream);
}

static HipResult
nvidia_hip_fill_8 (HipAddress address, guchar value, size_t count,
    HipStreamHandle stream)
{
  NEED_CONTEXT ();
  return CALL (cuMemsetD8Async, (guintptr) address, value, count,
      (CuStream) stream);
}

static HipResult
nvidia_hip_fill_16 (HipAddress address, gushort value, size_t count,
    HipStreamHandle stream)
{
  NEED_CONTEXT ();
  return CALL (cuMemsetD16Async, (guintptr) address, value, count,
      (CuStream) stream);
}

static HipResult
nvidia_hip_fill_32 (HipAddress address, int value, size_t count,
    HipStreamHandle stream)
{
  NEED_CONTEXT ();
  return CALL (cuMemsetD32Async, (guintptr) address, (guint) value, count,
      (CuStream) stream);
}

/* --- streams and events --- */

static HipResult
nvidia_hip_stream_create (HipStreamHandle * stream)
{
  if (!stream)
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  return CALL (cuStreamCreate, (CuStream *) stream, 0);
}

static HipResult
nvidia_hip_stream_destroy (HipStreamHandle stream)
{
  NEED_CONTEXT ();
  return stream ? CALL (cuStreamDestroy_v2,
      (CuStream) stream) : HIP_INVALID_HANDLE;
}

static HipResult
nvidia_hip_stream_synchronize (HipStreamHandle stream)
{
  NEED_CONTEXT ();
  return CALL (cuStreamSynchronize, (CuStream) stream);
}

static HipResult
nvidia_hip_event_create (HipEventHandle * event, guint flags)
{
  if (!event)
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  /* Whoever waits sleeps, whatever was asked for. */
  return CALL (cuEventCreate, (CuEvent *) event, (flags & EVENT_FLAGS) |
      CU_FLAG_EVENT_BLOCKING);
}

static HipResult
nvidia_hip_event_record (HipEventHandle event, HipStreamHandle stream)
{
  NEED_CONTEXT ();
  return event ? CALL (cuEventRecord, (CuEvent) event,
      (CuStream) stream) : HIP_INVALID_HANDLE;
}

static HipResult
nvidia_hip_event_destroy (HipEventHandle event)
{
  NEED_CONTEXT ();
  return event ? CALL (cuEventDestroy_v2, (CuEvent) event) : HIP_INVALID_HANDLE;
}

static HipResult
nvidia_hip_event_synchronize (HipEventHandle event)
{
  NEED_CONTEXT ();
  return event ? CALL (cuEventSynchronize,
      (CuEvent) event) : HIP_INVALID_HANDLE;
}

static HipResult
nvidia_hip_event_query (HipEventHandle event)
{
  NEED_CONTEXT ();
  return event ? CALL (cuEventQuery, (CuEvent) event) : HIP_INVALID_HANDLE;
}

/* --- kernels --- */

static HipResult
nvidia_hip_module_load (HipModuleHandle * module, const void *image)
{
  if (!module || !image)
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  return CALL (cuModuleLoadDataEx, (CuModule *) module, image, 0, NULL, NULL);
}

static HipResult
nvidia_hip_module_unload (HipModuleHandle module)
{
  NEED_CONTEXT ();
  return module ? CALL (cuModuleUnload, (CuModule) module) : HIP_INVALID_HANDLE;
}

static HipResult
nvidia_hip_module_function (HipFunctionHandle * function,
    HipModuleHandle module, const char *name)
{
  if (!function || !name)
    return HIP_INVALID_VALUE;
  if (!module)
    return HIP_INVALID_HANDLE;
  NEED_CONTEXT ();
  return CALL (cuModuleGetFunction, (CuFunction *) function,
      (CuModule) module, name);
}

/* The list of a launch's parameters as one piece ends with another number. */
static HipResult
translate_extra (void **extra, void *translated[5])
{
  guint n = 0;

  for (; *extra != (void *) HIP_LAUNCH_END; extra += 2) {
    if (n == 4 || (*extra != (void *) HIP_LAUNCH_BUFFER_POINTER
            && *extra != (void *) HIP_LAUNCH_BUFFER_SIZE))
      return HIP_INVALID_VALUE;
    translated[n++] = extra[0];
    translated[n++] = extra[1];
  }
  translated[n] = NULL;
  return HIP_OK;
}

static HipResult
nvidia_hip_launch (HipFunctionHandle function, guint grid_x, guint grid_y,
    guint grid_z, guint block_x, guint block_y, guint block_z,
    guint shared_bytes, HipStreamHandle stream, void **params, void **extra)
{
  void *translated[5];

  if (!function)
    return HIP_INVALID_HANDLE;
  if (extra) {
    HipResult result = translate_extra (extra, translated);

    if (result != HIP_OK)
      return result;
  }
  NEED_CONTEXT ();
  return CALL (cuLaunchKernel, (CuFunction) function, grid_x, grid_y, grid_z,
      block_x, block_y, block_z, shared_bytes, (CuStream) stream, params,
      extra ? translated : NULL);
}

/* --- textures and graphics: the structs are the same --- */

static HipResult
nvidia_hip_texture_create (HipTextureHandle * texture,
    const struct HIP_RESOURCE_DESC_st *resource,
    const struct HIP_TEXTURE_DESC_st *desc,
    const struct HIP_RESOURCE_VIEW_DESC_st *view)
{
  unsigned long long handle = 0;
  HipResult result;

  if (!texture || !resource || !desc)
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  result = CALL_OPTIONAL (cuTexObjectCreate, &handle,
      (const struct CUDA_RESOURCE_DESC_st *) resource,
      (const struct CUDA_TEXTURE_DESC_st *) desc,
      (const struct CUDA_RESOURCE_VIEW_DESC_st *) view);
  *texture = (HipTextureHandle) (guintptr) handle;
  return result;
}

static HipResult
nvidia_hip_texture_destroy (HipTextureHandle texture)
{
  NEED_CONTEXT ();
  return CALL_OPTIONAL (cuTexObjectDestroy, (guintptr) texture);
}

static HipResult
nvidia_hip_graphics_map (int count, HipGraphicsHandle * resources,
    HipStreamHandle stream)
{
  if (count < 0)
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  return CALL_OPTIONAL (cuGraphicsMapResources, count,
      (struct CUgraphicsResource_st **) resources, (CuStream) stream);
}

static HipResult
nvidia_hip_graphics_pointer (void **address, size_t *bytes,
    HipGraphicsHandle resource)
{
  CuDevicePtr device = 0;
  HipResult result;

  if (!address || !bytes)
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  result = CALL_OPTIONAL (cuGraphicsResourceGetMappedPointer_v2, &device,
      bytes, (struct CUgraphicsResource_st *) resource);
  *address = (void *) (guintptr) device;
  return result;
}

static HipResult
nvidia_hip_graphics_unmap (int count, HipGraphicsHandle * resources,
    HipStreamHandle stream)
{
  if (count < 0)
    return HIP_INVALID_VALUE;
  NEED_CONTEXT ();
  return CALL_OPTIONAL (cuGraphicsUnmapResources, count,
      (struct CUgraphicsResource_st **) resources, (CuStream) stream);
}

static HipResult
nvidia_hip_graphics_unregister (HipGraphicsHandle resource)
{
  NEED_CONTEXT ();
  return CALL_OPTIONAL (cuGraphicsUnregisterResource,
      (struct CUgraphicsResource_st *) resource);
}

const HipNativeFunctions *
nvidia_native (void)
{
  static const HipNativeFunctions functions = {
    .Init = nvidia_hip_init,
    .DriverGetVersion = nvidia_hip_version,
    .RuntimeGetVersion = nvidia_hip_version,
    .GetDeviceCount = nvidia_hip_device_count,
    .DeviceGetAttribute = nvidia_hip_attribute,
    .SetDevice = make_current,
    .Malloc = nvidia_hip_malloc,
    .Free = nvidia_hip_free,
    .HostMalloc = nvidia_hip_host_malloc,
    .HostFree = nvidia_hip_host_free,
    .StreamCreate = nvidia_hip_stream_create,
    .StreamDestroy = nvidia_hip_stream_destroy,
    .StreamSynchronize = nvidia_hip_stream_synchronize,
    .EventCreateWithFlags = nvidia_hip_event_create,
    .EventRecord = nvidia_hip_event_record,
    .EventDestroy = nvidia_hip_event_destroy,
    .EventSynchronize = nvidia_hip_event_synchronize,
    .EventQuery = nvidia_hip_event_query,
    .ModuleLoadData = nvidia_hip_module_load,
    .ModuleUnload = nvidia_hip_module_unload,
    .ModuleGetFunction = nvidia_hip_module_function,
    .ModuleLaunchKernel = nvidia_hip_launch,
    .MemsetD8Async = nvidia_hip_fill_8,
    .MemsetD16Async = nvidia_hip_fill_16,
    .MemsetD32Async = nvidia_hip_fill_32,
    .TexObjectCreate = nvidia_hip_texture_create,
    .TexObjectDestroy = nvidia_hip_texture_destroy,
    .GraphicsMapResources = nvidia_hip_graphics_map,
    .GraphicsResourceGetMappedPointer = nvidia_hip_graphics_pointer,
    .GraphicsUnmapResources = nvidia_hip_graphics_unmap,
    .GraphicsUnregisterResource = nvidia_hip_graphics_unregister,
    .MemcpyParam2DAsync = nvidia_hip_copy_2d,
    .takes_r0600 = TRUE,
  };

  return &functions;
}
