/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device for programs that call HIP's functions themselves.
 *
 * Handles are the backend's own: a hipStream_t is what a GstHipStream's native
 * handle is, and both may be used on either side. HIP's stream 0 waits for all
 * streams that were made here and they for it: its work is done when the call
 * returns. What frees memory waits for the whole device, as HIP has it.
 * Textures and graphics are not supported.
 */
#include <elf.h>
#include <link.h>
#include <string.h>

#include "host-internal.h"
#include "../../gsthiperror.h"
#include "../../hip-native.h"
#include "../../hip-native-properties.h"

#define MAX_GRID_X G_MAXINT32
#define MAX_GRID_YZ 65535
#define MAX_BLOCK_Z 64

static HipMutex lock;
static HostContext *context;    /* stays once it is there, unless the device failed */
static HipNativeStream stream_0;
static GHashTable *streams;     /* made here; stream_0 is not among them */

/* --- the device --- */

static HostContext *
get_context (void)
{
  HostContext *result;

  hip_mutex_lock (&lock);
  if (!context) {
    context = host_context_open ();
    streams = g_hash_table_new (NULL, NULL);
  }
  result = context;
  hip_mutex_unlock (&lock);
  return result;
}

static HipResult
result_of (gboolean ok, GError * error)
{
  HipResult result = ok ? HIP_OK : hip_native_result (error);

  g_clear_error (&error);
  return result;
}

static HipResult
host_hip_init (guint flags)
{
  return flags ? HIP_INVALID_VALUE : HIP_OK;
}

/* There is neither driver nor runtime: 1.30 as HIP would write it. */
static HipResult
host_hip_version (int *version)
{
  if (!version)
    return HIP_INVALID_VALUE;
  *version = 1 * 10000000 + 30 * 100000;
  return HIP_OK;
}

static HipResult
host_hip_device_count (int *count)
{
  if (!count)
    return HIP_INVALID_VALUE;
  *count = 1;
  return HIP_OK;
}

static HipResult
host_hip_set_device (int device)
{
  return device == 0 ? HIP_OK : HIP_INVALID_DEVICE;
}

static HipResult
host_hip_attribute (int *value, guint attribute, int device)
{
  static GstHipDeviceInfo info;
  static gsize once;

  if (device != 0)
    return HIP_INVALID_DEVICE;
  if (!value)
    return HIP_INVALID_VALUE;
  if (g_once_init_enter (&once)) {
    hip_backend_host.device_info (0, &info, NULL);
    g_once_init_leave (&once, 1);
  }
  switch (attribute) {
    case HIP_ATTRIBUTE_BLOCK_X:
    case HIP_ATTRIBUTE_BLOCK_Y:
    case HIP_ATTRIBUTE_THREADS_PER_BLOCK:
    case HIP_ATTRIBUTE_THREADS_PER_UNIT:
      *value = info.max_threads_per_block;
      break;
    case HIP_ATTRIBUTE_BLOCK_Z:
      *value = MAX_BLOCK_Z;
      break;
    case HIP_ATTRIBUTE_GRID_X:
      *value = MAX_GRID_X;
      break;
    case HIP_ATTRIBUTE_GRID_Y:
    case HIP_ATTRIBUTE_GRID_Z:
      *value = MAX_GRID_YZ;
      break;
    case HIP_ATTRIBUTE_SHARED_BYTES:
    case HIP_ATTRIBUTE_SHARED_OPTIN:
    case HIP_ATTRIBUTE_SHARED_PER_UNIT:
    case HIP_ATTRIBUTE_CONSTANT_BYTES:
      *value = info.max_shared_bytes;
      break;
    case HIP_ATTRIBUTE_UNITS:
      *value = info.compute_units;
      break;
    case HIP_ATTRIBUTE_TEXTURE_ALIGN:
    case HIP_ATTRIBUTE_TEXTURE_PITCH_ALIGN:
      *value = info.stride_align;
      break;
    case HIP_ATTRIBUTE_PITCH:
      *value = G_MAXINT;
      break;
    case HIP_ATTRIBUTE_WARP:
    case HIP_ATTRIBUTE_INTEGRATED:
    case HIP_ATTRIBUTE_CONCURRENT_KERNELS:
    case HIP_ATTRIBUTE_ASYNC_ENGINES:
    case HIP_ATTRIBUTE_MAP_HOST_MEMORY:
    case HIP_ATTRIBUTE_HOST_POINTER_FOR_REGISTERED:
    case HIP_ATTRIBUTE_UNIFIED_ADDRESSING:
    case HIP_ATTRIBUTE_PAGEABLE:
    case HIP_ATTRIBUTE_PAGEABLE_TABLES:
      *value = 1;
      break;
    default:
      *value = 0;
  }
  return HIP_OK;
}

/* --- streams --- */

static gboolean
is_ours (gpointer key, gpointer value, gpointer array)
{
  g_ptr_array_add (array, key);
  return FALSE;
}

/* Waits for every stream that was made here. */
static HipResult
synchronize_all (void)
{
  HostContext *native = get_context ();
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  HipResult result = HIP_OK;

  hip_mutex_lock (&lock);
  g_hash_table_find (streams, is_ours, all);
  hip_mutex_unlock (&lock);
  for (guint i = 0; i < all->len && result == HIP_OK; i++) {
    GError *error = NULL;

    result = result_of (host_stream_synchronize (native, all->pdata[i],
            &error), error);
  }
  return result;
}

/* What stands for stream; for 0 after all others. */
static HipResult
begin (HipStreamHandle stream, HipNativeStream * native)
{
  HostContext *device = get_context ();
  GError *error = NULL;
  HipResult result;

  *native = stream;
  if (stream)
    return HIP_OK;
  result = synchronize_all ();
  if (result != HIP_OK)
    return result;
  hip_mutex_lock (&lock);
  if (!stream_0)
    stream_0 = host_stream_new (device, 0, &error);
  *native = stream_0;
  hip_mutex_unlock (&lock);
  return result_of (*native != NULL, error);
}

/* After something was queued, or not */
static HipResult
end (HipStreamHandle stream, HipNativeStream native, gboolean ok,
    GError * error)
{
  if (!ok || stream)
    return result_of (ok, error);
  return result_of (host_stream_synchronize (get_context (), native, &error),
      error);
}

static HipResult
host_hip_stream_create (HipStreamHandle * stream)
{
  HostContext *device = get_context ();
  GError *error = NULL;

  if (!stream)
    return HIP_INVALID_VALUE;
  *stream = host_stream_new (device, 0, &error);
  if (*stream) {
    hip_mutex_lock (&lock);
    g_hash_table_add (streams, *stream);
    hip_mutex_unlock (&lock);
  }
  return result_of (*stream != NULL, error);
}

/* Only what was made here may be destroyed here. */
static HipResult
host_hip_stream_destroy (HipStreamHandle stream)
{
  HostContext *device = get_context ();
  GError *error = NULL;
  gboolean ours;

  hip_mutex_lock (&lock);
  ours = g_hash_table_remove (streams, stream);
  hip_mutex_unlock (&lock);
  if (!ours)
    return HIP_INVALID_HANDLE;
  host_stream_synchronize (device, (HipNativeStream) stream, &error);
  g_clear_error (&error);
  host_stream_free (device, (HipNativeStream) stream, FALSE);
  return HIP_OK;
}

static HipResult
host_hip_stream_synchronize (HipStreamHandle stream)
{
  GError *error = NULL;

  if (!stream)
    return synchronize_all ();
  return result_of (host_stream_synchronize (get_context (),
          (HipNativeStream) stream, &error), error);
}

/* Everything that is queued on the device now, whoever made the streams */
static HipResult
synchronize_device (void)
{
  HostContext *device = get_context ();
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  HipResult result = HIP_OK;

  hip_mutex_lock (&device->streams_lock);
  for (GList * l = device->streams.head; l; l = l->next) {
    HipNativeEvent event = host_event_new (device, FALSE, NULL);

    if (event && !host_stream_record (device, event, l->data, NULL))
      result = HIP_LAUNCH_FAILURE;
    if (event)
      g_ptr_array_add (events, event);
  }
  hip_mutex_unlock (&device->streams_lock);
  for (guint i = 0; i < events->len; i++) {
    if (result == HIP_OK
        && !host_event_synchronize (device, events->pdata[i], NULL))
      result = HIP_LAUNCH_FAILURE;
    host_event_free (device, events->pdata[i]);
  }
  return result;
}

/* --- memory --- */

static HipResult
allocate (HipSpace space, void **address, gsize bytes)
{
  guintptr data = 0;
  GError *error = NULL;
  gboolean ok = TRUE;

  if (!address)
    return HIP_INVALID_VALUE;
  if (bytes > 0)
    ok = host_memory_alloc (get_context (), space, bytes, &data, &error);
  *address = (void *) data;
  return result_of (ok, error);
}

static HipResult
host_hip_malloc (void **address, size_t bytes)
{
  return allocate (HIP_SPACE_DEVICE, address, bytes);
}

static HipResult
host_hip_host_malloc (void **address, size_t bytes, guint flags)
{
  return allocate (HIP_SPACE_PINNED, address, bytes);
}

static HipResult
host_hip_free (void *address)
{
  HostContext *device = get_context ();
  HipResult result;

  if (!address)
    return HIP_OK;
  result = synchronize_device ();
  host_memory_free (device, HIP_SPACE_DEVICE, (guintptr) address);
  return result;
}

static HipResult
fill (HipAddress address, guint32 value, guint unit_bytes, gsize count,
    HipStreamHandle stream)
{
  GError *error = NULL;
  HipNativeStream native;
  HipResult result;
  gboolean ok;

  if (count == 0)
    return HIP_OK;
  if (!address || (guintptr) address % unit_bytes
      || count > G_MAXSIZE / unit_bytes)
    return HIP_INVALID_VALUE;
  result = begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_fill_units (get_context (), native, (guintptr) address,
      count, unit_bytes, value, &error);
  return end (stream, native, ok, error);
}

static HipResult
host_hip_fill_8 (HipAddress address, guchar value, size_t count,
    HipStreamHandle stream)
{
  return fill (address, value, 1, count, stream);
}

static HipResult
host_hip_fill_16 (HipAddress address, gushort value, size_t count,
    HipStreamHandle stream)
{
  return fill (address, value, 2, count, stream);
}

static HipResult
host_hip_fill_32 (HipAddress address, int value, size_t count,
    HipStreamHandle stream)
{
  return fill (address, (guint32) value, 4, count, stream);
}

/* One end of a copy: where its first row begins */
static gboolean
locate (guint type, const void *host, HipAddress device, gsize x_bytes,
    gsize y, gsize pitch, guintptr * address)
{
  switch (type) {
    case HIP_MEMORY_HOST_R0600:
      *address = (guintptr) host;
      break;
    case HIP_MEMORY_DEVICE_R0600:
    case HIP_MEMORY_UNIFIED_R0600:
    case HIP_MEMORY_MANAGED_R0600:
      *address = (guintptr) device;
      break;
    default:
      return FALSE;
  }
  if (!*address)
    return FALSE;
  *address += y * pitch + x_bytes;
  return TRUE;
}

static HipResult
host_hip_copy_2d (const struct hip_Memcpy2D *given, HipStreamHandle stream)
{
  const HipMemcpy2D *copy = (const HipMemcpy2D *) given;
  HipCopy2D work = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, };
  GError *error = NULL;
  HipNativeStream native;
  HipResult result;
  gboolean ok;

  if (!copy)
    return HIP_INVALID_VALUE;
  if (copy->width_bytes == 0 || copy->height == 0)
    return HIP_OK;
  work.src_stride = copy->src_pitch ? copy->src_pitch : copy->width_bytes;
  work.dst_stride = copy->dst_pitch ? copy->dst_pitch : copy->width_bytes;
  work.row_bytes = copy->width_bytes;
  work.rows = copy->height;
  if (copy->src_x_bytes + copy->width_bytes > work.src_stride
      || copy->dst_x_bytes + copy->width_bytes > work.dst_stride)
    return HIP_INVALID_PITCH_VALUE;
  if (!locate (copy->src_type, copy->src_host, copy->src_device,
          copy->src_x_bytes, copy->src_y, work.src_stride, &work.src)
      || !locate (copy->dst_type, copy->dst_host, copy->dst_device,
          copy->dst_x_bytes, copy->dst_y, work.dst_stride, &work.dst))
    return HIP_INVALID_VALUE;

  result = begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_copy_2d (get_context (), native, &work, &error);
  return end (stream, native, ok, error);
}

/* --- events --- */

static HipResult
host_hip_event_create (HipEventHandle * event, guint flags)
{
  GError *error = NULL;

  if (!event)
    return HIP_INVALID_VALUE;
  *event = host_event_new (get_context (), TRUE, &error);
  return result_of (*event != NULL, error);
}

static HipResult
host_hip_event_record (HipEventHandle event, HipStreamHandle stream)
{
  GError *error = NULL;
  HipNativeStream native;
  HipResult result;
  gboolean ok;

  if (!event)
    return HIP_INVALID_HANDLE;
  result = begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_record (get_context (), (HipNativeEvent) event, native,
      &error);
  return end (stream, native, ok, error);
}

static HipResult
host_hip_event_destroy (HipEventHandle event)
{
  if (!event)
    return HIP_INVALID_HANDLE;
  host_event_free (get_context (), (HipNativeEvent) event);
  return HIP_OK;
}

static HipResult
host_hip_event_synchronize (HipEventHandle event)
{
  GError *error = NULL;

  if (!event)
    return HIP_INVALID_HANDLE;
  return result_of (host_event_synchronize (get_context (),
          (HipNativeEvent) event, &error), error);
}

static HipResult
host_hip_event_query (HipEventHandle event)
{
  g_autoptr (GError) error = NULL;

  if (!event)
    return HIP_INVALID_HANDLE;
  switch (host_event_query (get_context (), (HipNativeEvent) event, &error)) {
    case GST_HIP_EVENT_STATE_DONE:
      return HIP_OK;
    case GST_HIP_EVENT_STATE_PENDING:
      return HIP_NOT_READY;
    default:
      return hip_native_result (error);
  }
}

/* --- kernels --- */

/* A module comes without its size. It is a shared object, whose compiler and
 * linker put the table of sections last. */
static gsize
size_of_image (const void *image)
{
  ElfW (Ehdr) header;

  memcpy (&header, image, SELFMAG);
  if (memcmp (header.e_ident, ELFMAG, SELFMAG) != 0)
    return 0;
  memcpy (&header, image, sizeof (header));
  return header.e_shoff + (gsize) header.e_shnum * header.e_shentsize;
}

static HipResult
host_hip_module_load (HipModuleHandle * module, const void *image)
{
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;
  gsize size;

  if (!module || !image)
    return HIP_INVALID_VALUE;
  size = size_of_image (image);
  if (size == 0)
    return HIP_INVALID_IMAGE;
  bytes = g_bytes_new_static (image, size);
  *module = host_module_load (get_context (), bytes, &error);
  if (*module)
    return HIP_OK;
  g_clear_error (&error);
  return HIP_INVALID_IMAGE;
}

static HipResult
host_hip_module_unload (HipModuleHandle module)
{
  if (!module)
    return HIP_INVALID_HANDLE;
  host_module_unload (get_context (), (HipNativeModule) module);
  return HIP_OK;
}

static HipResult
host_hip_module_function (HipFunctionHandle * function,
    HipModuleHandle module, const char *name)
{
  GError *error = NULL;

  if (!function || !name)
    return HIP_INVALID_VALUE;
  if (!module)
    return HIP_INVALID_HANDLE;
  *function = host_module_get_function (get_context (),
      (HipNativeModule) module, name, &error);
  if (*function)
    return HIP_OK;
  g_clear_error (&error);
  return HIP_NOT_FOUND;
}

static gboolean
is_shape_possible (const HipLaunch * launch)
{
  int shared = 0, threads = 0;
  guint64 block = (guint64) launch->block[0] * launch->block[1];

  host_hip_attribute (&shared, HIP_ATTRIBUTE_SHARED_BYTES, 0);
  host_hip_attribute (&threads, HIP_ATTRIBUTE_THREADS_PER_BLOCK, 0);
  return launch->grid[0] > 0 && launch->grid[0] <= MAX_GRID_X
      && launch->grid[1] > 0 && launch->grid[1] <= MAX_GRID_YZ
      && launch->grid[2] > 0 && launch->grid[2] <= MAX_GRID_YZ
      && launch->block[0] > 0 && launch->block[1] > 0
      && launch->block[2] > 0 && launch->block[2] <= MAX_BLOCK_Z
      && block <= (guint64) threads
      && block * launch->block[2] <= (guint64) threads
      && launch->shared_bytes <= (gsize) shared;
}

static HipResult
host_hip_launch (HipFunctionHandle function, guint grid_x, guint grid_y,
    guint grid_z, guint block_x, guint block_y, guint block_z,
    guint shared_bytes, HipStreamHandle stream, void **params, void **extra)
{
  HipLaunch launch = {
    .grid = {grid_x, grid_y, grid_z},
    .block = {block_x, block_y, block_z},
    .shared_bytes = shared_bytes,
    .params = params,
  };
  GError *error = NULL;
  HipNativeStream native;
  HipResult result;
  gboolean ok;

  if (!function)
    return HIP_INVALID_HANDLE;
  if (extra)
    return params ? HIP_INVALID_VALUE : HIP_NOT_SUPPORTED;
  if (!params && host_function_params_size ((HipNativeFunction) function) > 0)
    return HIP_INVALID_VALUE;
  if (!is_shape_possible (&launch))
    return HIP_INVALID_CONFIGURATION;
  result = begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_launch (get_context (), native,
      (HipNativeFunction) function, &launch, &error);
  return end (stream, native, ok, error);
}

const HipNativeFunctions *
host_native (void)
{
  static const HipNativeFunctions functions = {
    .Init = host_hip_init,
    .DriverGetVersion = host_hip_version,
    .RuntimeGetVersion = host_hip_version,
    .GetDeviceCount = host_hip_device_count,
    .DeviceGetAttribute = host_hip_attribute,
    .SetDevice = host_hip_set_device,
    .Malloc = host_hip_malloc,
    .Free = host_hip_free,
    .HostMalloc = host_hip_host_malloc,
    .HostFree = host_hip_free,
    .StreamCreate = host_hip_stream_create,
    .StreamDestroy = host_hip_stream_destroy,
    .StreamSynchronize = host_hip_stream_synchronize,
    .EventCreateWithFlags = host_hip_event_create,
    .EventRecord = host_hip_event_record,
    .EventDestroy = host_hip_event_destroy,
    .EventSynchronize = host_hip_event_synchronize,
    .EventQuery = host_hip_event_query,
    .ModuleLoadData = host_hip_module_load,
    .ModuleUnload = host_hip_module_unload,
    .ModuleGetFunction = host_hip_module_function,
    .ModuleLaunchKernel = host_hip_launch,
    .MemsetD8Async = host_hip_fill_8,
    .MemsetD16Async = host_hip_fill_16,
    .MemsetD32Async = host_hip_fill_32,
    .MemcpyParam2DAsync = host_hip_copy_2d,
    .takes_r0600 = TRUE,
  };

  return &functions;
}
