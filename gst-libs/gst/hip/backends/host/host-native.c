/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device for programs that call HIP's functions themselves.
 *
 * Handles are the backend's own: a hipStream_t is what a GstHipStream's native
 * handle is, and both may be used on either side. HIP's stream 0 waits for all
 * streams that were made here and they for it: its work is done when the call
 * returns. Textures and graphics are not supported. Functions for memory and for
 * kernels are in files of their own.
 */
#include "host-native.h"
#include "../../gsthiperror.h"
#include "../../hip-native-properties.h"

static HipMutex lock;
static HostContext *context;    /* stays once it is there, unless the device failed */
static HipNativeStream stream_0;
static GHashTable *streams;     /* made here; stream_0 is not among them */

/* --- the device --- */

HostContext *
host_native_context (void)
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

HipResult
host_native_result (gboolean ok, GError * error)
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

HipResult
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
      *value = HOST_NATIVE_MAX_BLOCK_Z;
      break;
    case HIP_ATTRIBUTE_GRID_X:
      *value = HOST_NATIVE_MAX_GRID_X;
      break;
    case HIP_ATTRIBUTE_GRID_Y:
    case HIP_ATTRIBUTE_GRID_Z:
      *value = HOST_NATIVE_MAX_GRID_YZ;
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
  HostContext *native = host_native_context ();
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  HipResult result = HIP_OK;

  hip_mutex_lock (&lock);
  g_hash_table_find (streams, is_ours, all);
  hip_mutex_unlock (&lock);
  for (guint i = 0; i < all->len && result == HIP_OK; i++) {
    GError *error = NULL;

    result = host_native_result (host_stream_synchronize (native, all->pdata[i],
            &error), error);
  }
  return result;
}

/* What stands for stream; for 0 after all others. */
HipResult
host_native_begin (HipStreamHandle stream, HipNativeStream * native)
{
  HostContext *device = host_native_context ();
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
  return host_native_result (*native != NULL, error);
}

/* After something was queued, or not */
HipResult
host_native_end (HipStreamHandle stream, HipNativeStream native, gboolean ok,
    GError * error)
{
  if (!ok || stream)
    return host_native_result (ok, error);
  return host_native_result (host_stream_synchronize (host_native_context (),
          native, &error), error);
}

static HipResult
host_hip_stream_create (HipStreamHandle * stream)
{
  HostContext *device = host_native_context ();
  GError *error = NULL;

  if (!stream)
    return HIP_INVALID_VALUE;
  *stream = host_stream_new (device, 0, &error);
  if (*stream) {
    hip_mutex_lock (&lock);
    g_hash_table_add (streams, *stream);
    hip_mutex_unlock (&lock);
  }
  return host_native_result (*stream != NULL, error);
}

/* Only what was made here may be destroyed here. */
static HipResult
host_hip_stream_destroy (HipStreamHandle stream)
{
  HostContext *device = host_native_context ();
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
  return host_native_result (host_stream_synchronize (host_native_context (),
          (HipNativeStream) stream, &error), error);
}

/* Everything that is queued on the device now, whoever made the streams */
HipResult
host_native_synchronize (void)
{
  HostContext *device = host_native_context ();
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

/* --- events --- */

static HipResult
host_hip_event_create (HipEventHandle * event, guint flags)
{
  GError *error = NULL;

  if (!event)
    return HIP_INVALID_VALUE;
  *event = host_event_new (host_native_context (), TRUE, &error);
  return host_native_result (*event != NULL, error);
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
  result = host_native_begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_record (host_native_context (), (HipNativeEvent) event,
      native, &error);
  return host_native_end (stream, native, ok, error);
}

static HipResult
host_hip_event_destroy (HipEventHandle event)
{
  if (!event)
    return HIP_INVALID_HANDLE;
  host_event_free (host_native_context (), (HipNativeEvent) event);
  return HIP_OK;
}

static HipResult
host_hip_event_synchronize (HipEventHandle event)
{
  GError *error = NULL;

  if (!event)
    return HIP_INVALID_HANDLE;
  return host_native_result (host_event_synchronize (host_native_context (),
          (HipNativeEvent) event, &error), error);
}

static HipResult
host_hip_event_query (HipEventHandle event)
{
  g_autoptr (GError) error = NULL;

  if (!event)
    return HIP_INVALID_HANDLE;
  switch (host_event_query (host_native_context (), (HipNativeEvent) event,
          &error)) {
    case GST_HIP_EVENT_STATE_DONE:
      return HIP_OK;
    case GST_HIP_EVENT_STATE_PENDING:
      return HIP_NOT_READY;
    default:
      return hip_native_result (error);
  }
}

/* --- all of them --- */

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
