/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* HIP's C interface as far as gst/hip/hip-gst.h offers it, declared without HIP's headers: types, numbers, structs and
 * functions. tests/headers/hip-headers.c compares all of it with each set of HIP headers that is at hand.
 *
 * HIP changed two things in 6.0 that programs see: the struct of device properties, and the numbers of memory types.
 * "R0000" is what 5.x has, "R0600" what 6.0 and later have; a program says by its headers which it means, a driver's
 * library by its symbols which it takes.
 *
 * Who may include this: the library's own .c files, backends, and tests.
 */
#pragma once

#include <stddef.h>

#include "hip-backend.h"

G_BEGIN_DECLS

/* --- types; tags are HIP's --- */
typedef unsigned int HipResult;
typedef struct ihipStream_t *HipStreamHandle;
typedef struct ihipEvent_t *HipEventHandle;
typedef struct ihipModule_t *HipModuleHandle;
typedef struct ihipModuleSymbol_t *HipFunctionHandle;
typedef struct __hip_texture *HipTextureHandle;
typedef struct _hipGraphicsResource *HipGraphicsHandle;
typedef void *HipAddress;
struct hip_Memcpy2D;
struct HIP_RESOURCE_DESC_st;
struct HIP_TEXTURE_DESC_st;
struct HIP_RESOURCE_VIEW_DESC_st;

/* --- results: N (ours, HIP's, number, text) --- */
#define HIP_NATIVE_RESULTS(N) \
  N (HIP_OK, hipSuccess, 0, "no error") \
  N (HIP_INVALID_VALUE, hipErrorInvalidValue, 1, "an argument is not valid") \
  N (HIP_OUT_OF_MEMORY, hipErrorOutOfMemory, 2, "no memory is left") \
  N (HIP_NOT_INITIALIZED, hipErrorNotInitialized, 3, "the driver is not initialised") \
  N (HIP_DEINITIALIZED, hipErrorDeinitialized, 4, "the driver has shut down") \
  N (HIP_PROFILER_DISABLED, hipErrorProfilerDisabled, 5, "the profiler is disabled") \
  N (HIP_PROFILER_NOT_INITIALIZED, hipErrorProfilerNotInitialized, 6, "the profiler is not initialised") \
  N (HIP_PROFILER_ALREADY_STARTED, hipErrorProfilerAlreadyStarted, 7, "the profiler runs already") \
  N (HIP_PROFILER_ALREADY_STOPPED, hipErrorProfilerAlreadyStopped, 8, "the profiler does not run") \
  N (HIP_INVALID_CONFIGURATION, hipErrorInvalidConfiguration, 9, "a launch of that shape is not possible") \
  N (HIP_INVALID_PITCH_VALUE, hipErrorInvalidPitchValue, 12, "the pitch is not valid") \
  N (HIP_INVALID_SYMBOL, hipErrorInvalidSymbol, 13, "there is no such symbol") \
  N (HIP_INVALID_DEVICE_POINTER, hipErrorInvalidDevicePointer, 17, "that is no address of the device") \
  N (HIP_INVALID_MEMCPY_DIRECTION, hipErrorInvalidMemcpyDirection, 21, "the direction of the copy is not valid") \
  N (HIP_INSUFFICIENT_DRIVER, hipErrorInsufficientDriver, 35, "the driver is too old") \
  N (HIP_MISSING_CONFIGURATION, hipErrorMissingConfiguration, 52, "the launch has no shape") \
  N (HIP_PRIOR_LAUNCH_FAILURE, hipErrorPriorLaunchFailure, 53, "a launch before has failed") \
  N (HIP_INVALID_DEVICE_FUNCTION, hipErrorInvalidDeviceFunction, 98, "that is no kernel of this device") \
  N (HIP_NO_DEVICE, hipErrorNoDevice, 100, "there is no device") \
  N (HIP_INVALID_DEVICE, hipErrorInvalidDevice, 101, "there is no device of that number") \
  N (HIP_INVALID_IMAGE, hipErrorInvalidImage, 200, "that is no module") \
  N (HIP_INVALID_CONTEXT, hipErrorInvalidContext, 201, "the context is not valid") \
  N (HIP_CONTEXT_ALREADY_CURRENT, hipErrorContextAlreadyCurrent, 202, "the context is current already") \
  N (HIP_MAP_FAILED, hipErrorMapFailed, 205, "the resource cannot be mapped") \
  N (HIP_UNMAP_FAILED, hipErrorUnmapFailed, 206, "the resource cannot be unmapped") \
  N (HIP_ARRAY_IS_MAPPED, hipErrorArrayIsMapped, 207, "the array is mapped") \
  N (HIP_ALREADY_MAPPED, hipErrorAlreadyMapped, 208, "the resource is mapped already") \
  N (HIP_NO_BINARY_FOR_GPU, hipErrorNoBinaryForGpu, 209, "the module is for another GPU") \
  N (HIP_ALREADY_ACQUIRED, hipErrorAlreadyAcquired, 210, "the resource is acquired already") \
  N (HIP_NOT_MAPPED, hipErrorNotMapped, 211, "the resource is not mapped") \
  N (HIP_NOT_MAPPED_AS_ARRAY, hipErrorNotMappedAsArray, 212, "the resource is not mapped as an array") \
  N (HIP_NOT_MAPPED_AS_POINTER, hipErrorNotMappedAsPointer, 213, "the resource is not mapped as an address") \
  N (HIP_ECC_NOT_CORRECTABLE, hipErrorECCNotCorrectable, 214, "the GPU's memory is faulty") \
  N (HIP_UNSUPPORTED_LIMIT, hipErrorUnsupportedLimit, 215, "the device has no such limit") \
  N (HIP_CONTEXT_ALREADY_IN_USE, hipErrorContextAlreadyInUse, 216, "the context is in use") \
  N (HIP_PEER_ACCESS_UNSUPPORTED, hipErrorPeerAccessUnsupported, 217, "the devices cannot reach each other") \
  N (HIP_INVALID_KERNEL_FILE, hipErrorInvalidKernelFile, 218, "the module's code is not valid") \
  N (HIP_INVALID_GRAPHICS_CONTEXT, hipErrorInvalidGraphicsContext, 219, "the graphics context is not valid") \
  N (HIP_INVALID_SOURCE, hipErrorInvalidSource, 300, "the source is not valid") \
  N (HIP_FILE_NOT_FOUND, hipErrorFileNotFound, 301, "there is no such file") \
  N (HIP_SHARED_OBJECT_SYMBOL_NOT_FOUND, hipErrorSharedObjectSymbolNotFound, 302, "a shared object lacks a symbol") \
  N (HIP_SHARED_OBJECT_INIT_FAILED, hipErrorSharedObjectInitFailed, 303, "a shared object cannot be used") \
  N (HIP_OPERATING_SYSTEM, hipErrorOperatingSystem, 304, "the operating system refused") \
  N (HIP_INVALID_HANDLE, hipErrorInvalidHandle, 400, "the handle is not valid") \
  N (HIP_ILLEGAL_STATE, hipErrorIllegalState, 401, "not possible in this state") \
  N (HIP_NOT_FOUND, hipErrorNotFound, 500, "there is nothing of that name") \
  N (HIP_NOT_READY, hipErrorNotReady, 600, "the work is not done yet") \
  N (HIP_ILLEGAL_ADDRESS, hipErrorIllegalAddress, 700, "a kernel used memory that is not there") \
  N (HIP_LAUNCH_OUT_OF_RESOURCES, hipErrorLaunchOutOfResources, 701, "the device has too few resources for the launch") \
  N (HIP_LAUNCH_TIME_OUT, hipErrorLaunchTimeOut, 702, "a kernel ran for too long") \
  N (HIP_PEER_ACCESS_ALREADY_ENABLED, hipErrorPeerAccessAlreadyEnabled, 704, "the devices reach each other already") \
  N (HIP_PEER_ACCESS_NOT_ENABLED, hipErrorPeerAccessNotEnabled, 705, "the devices do not reach each other") \
  N (HIP_SET_ON_ACTIVE_PROCESS, hipErrorSetOnActiveProcess, 708, "too late: the device is in use") \
  N (HIP_CONTEXT_IS_DESTROYED, hipErrorContextIsDestroyed, 709, "the context is destroyed") \
  N (HIP_ASSERT, hipErrorAssert, 710, "an assertion of a kernel failed") \
  N (HIP_HOST_MEMORY_ALREADY_REGISTERED, hipErrorHostMemoryAlreadyRegistered, 712, "the memory is page-locked already") \
  N (HIP_HOST_MEMORY_NOT_REGISTERED, hipErrorHostMemoryNotRegistered, 713, "the memory is not page-locked") \
  N (HIP_LAUNCH_FAILURE, hipErrorLaunchFailure, 719, "a kernel failed on the device") \
  N (HIP_COOPERATIVE_LAUNCH_TOO_LARGE, hipErrorCooperativeLaunchTooLarge, 720, "more blocks than run at once") \
  N (HIP_NOT_SUPPORTED, hipErrorNotSupported, 801, "this device or driver cannot do that") \
  N (HIP_STREAM_CAPTURE_UNSUPPORTED, hipErrorStreamCaptureUnsupported, 900, "not while the stream is captured") \
  N (HIP_STREAM_CAPTURE_INVALIDATED, hipErrorStreamCaptureInvalidated, 901, "the capture has failed before") \
  N (HIP_STREAM_CAPTURE_MERGE, hipErrorStreamCaptureMerge, 902, "two captures would become one") \
  N (HIP_STREAM_CAPTURE_UNMATCHED, hipErrorStreamCaptureUnmatched, 903, "the capture began on another stream") \
  N (HIP_STREAM_CAPTURE_UNJOINED, hipErrorStreamCaptureUnjoined, 904, "the capture has a branch that was not joined") \
  N (HIP_STREAM_CAPTURE_ISOLATION, hipErrorStreamCaptureIsolation, 905, "a dependency would leave the capture") \
  N (HIP_STREAM_CAPTURE_IMPLICIT, hipErrorStreamCaptureImplicit, 906, "the capture would depend on the default stream") \
  N (HIP_CAPTURED_EVENT, hipErrorCapturedEvent, 907, "the event was recorded in a capture") \
  N (HIP_STREAM_CAPTURE_WRONG_THREAD, hipErrorStreamCaptureWrongThread, 908, "the capture began on another thread") \
  N (HIP_GRAPH_EXEC_UPDATE_FAILURE, hipErrorGraphExecUpdateFailure, 910, "the graph cannot be updated so") \
  N (HIP_UNKNOWN, hipErrorUnknown, 999, "an unknown error") \
  N (HIP_RUNTIME_MEMORY, hipErrorRuntimeMemory, 1052, "the runtime below HIP has no memory") \
  N (HIP_RUNTIME_OTHER, hipErrorRuntimeOther, 1053, "the runtime below HIP failed")

#define HIP_NATIVE_VALUE(ours, theirs, number, text) ours = number,
enum
{
  HIP_NATIVE_RESULTS (HIP_NATIVE_VALUE)
};
#undef HIP_NATIVE_VALUE

/* --- other numbers --- */
enum
{
  HIP_MEMORY_HOST_R0000 = 0,
  HIP_MEMORY_DEVICE_R0000 = 1,
  HIP_MEMORY_ARRAY_R0000 = 2,
  HIP_MEMORY_UNIFIED_R0000 = 3,
  HIP_MEMORY_MANAGED_R0000 = 4,

  HIP_MEMORY_UNREGISTERED_R0600 = 0,
  HIP_MEMORY_HOST_R0600 = 1,
  HIP_MEMORY_DEVICE_R0600 = 2,
  HIP_MEMORY_MANAGED_R0600 = 3,
  HIP_MEMORY_ARRAY_R0600 = 10,
  HIP_MEMORY_UNIFIED_R0600 = 11,

  HIP_RESOURCE_PITCH2D = 3,
  HIP_FORMAT_UINT8 = 1,
  HIP_FORMAT_UINT16 = 2,
  HIP_TEXTURE_NORMALIZED = 2,   /* coordinates from 0 to 1 */

  HIP_LAUNCH_BUFFER_POINTER = 1,
  HIP_LAUNCH_BUFFER_SIZE = 2,
  HIP_LAUNCH_END = 3,
};

/* --- structs --- */
typedef struct
{
  size_t src_x_bytes, src_y;
  unsigned int src_type;        /* HIP_MEMORY_*, of the form that the caller has */
  const void *src_host;
  HipAddress src_device;
  void *src_array;
  size_t src_pitch;

  size_t dst_x_bytes, dst_y;
  unsigned int dst_type;
  void *dst_host;
  HipAddress dst_device;
  void *dst_array;
  size_t dst_pitch;

  size_t width_bytes, height;
} HipMemcpy2D;

typedef struct
{
  unsigned int type;            /* HIP_RESOURCE_PITCH2D: the one we make */
  union
  {
    struct
    {
      HipAddress address;
      unsigned int format;
      unsigned int channels;
      size_t width, height, pitch_bytes;
    } pitch2d;
    int reserved[32];
  } of;
  unsigned int flags;
} HipResourceDesc;

typedef struct
{
  unsigned int address_mode[3];
  unsigned int filter_mode;
  unsigned int flags;
  unsigned int max_anisotropy;
  unsigned int mipmap_filter_mode;
  float mipmap_level_bias, min_mipmap_level, max_mipmap_level;
  float border_color[4];
  int reserved[12];
} HipTextureDesc;

/* --- functions: X (name without its prefix, arguments, parameters); "hip" makes HIP's name of it --- */
#define HIP_NATIVE_FUNCTIONS(X) \
  X (Init, (flags), unsigned int flags) \
  X (DriverGetVersion, (version), int *version) \
  X (RuntimeGetVersion, (version), int *version) \
  X (GetDeviceCount, (count), int *count) \
  X (DeviceGetAttribute, (value, attribute, device), int *value, unsigned int attribute, int device) \
  X (SetDevice, (device), int device) \
  X (Malloc, (address, bytes), void **address, size_t bytes) \
  X (Free, (address), void *address) \
  X (HostMalloc, (address, bytes, flags), void **address, size_t bytes, unsigned int flags) \
  X (HostFree, (address), void *address) \
  X (StreamCreate, (stream), HipStreamHandle * stream) \
  X (StreamDestroy, (stream), HipStreamHandle stream) \
  X (StreamSynchronize, (stream), HipStreamHandle stream) \
  X (EventCreateWithFlags, (event, flags), HipEventHandle * event, unsigned int flags) \
  X (EventRecord, (event, stream), HipEventHandle event, HipStreamHandle stream) \
  X (EventDestroy, (event), HipEventHandle event) \
  X (EventSynchronize, (event), HipEventHandle event) \
  X (EventQuery, (event), HipEventHandle event) \
  X (ModuleLoadData, (module, image), HipModuleHandle * module, const void *image) \
  X (ModuleUnload, (module), HipModuleHandle module) \
  X (ModuleGetFunction, (function, module, name), HipFunctionHandle * function, HipModuleHandle module, \
      const char *name) \
  X (ModuleLaunchKernel, (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, params, \
          extra), HipFunctionHandle function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, \
      unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, \
      HipStreamHandle stream, void **params, void **extra) \
  X (MemsetD8Async, (address, value, count, stream), HipAddress address, unsigned char value, size_t count, \
      HipStreamHandle stream) \
  X (MemsetD16Async, (address, value, count, stream), HipAddress address, unsigned short value, size_t count, \
      HipStreamHandle stream) \
  X (MemsetD32Async, (address, value, count, stream), HipAddress address, int value, size_t count, \
      HipStreamHandle stream) \
  X (TexObjectCreate, (texture, resource, desc, view), HipTextureHandle * texture, \
      const struct HIP_RESOURCE_DESC_st *resource, const struct HIP_TEXTURE_DESC_st *desc, \
      const struct HIP_RESOURCE_VIEW_DESC_st *view) \
  X (TexObjectDestroy, (texture), HipTextureHandle texture) \
  X (GraphicsMapResources, (count, resources, stream), int count, HipGraphicsHandle * resources, \
      HipStreamHandle stream) \
  X (GraphicsResourceGetMappedPointer, (address, bytes, resource), void **address, size_t *bytes, \
      HipGraphicsHandle resource) \
  X (GraphicsUnmapResources, (count, resources, stream), int count, HipGraphicsHandle * resources, \
      HipStreamHandle stream) \
  X (GraphicsUnregisterResource, (resource), HipGraphicsHandle resource)

#define HIP_NATIVE_MEMBER(name, arguments, ...) HipResult (*name) (__VA_ARGS__);
struct _HipNativeFunctions
{
  HIP_NATIVE_FUNCTIONS (HIP_NATIVE_MEMBER)

  /* Not in the list, because their forms differ. A backend without HIP's own leaves those of strings and properties
   * NULL: what the library has is used then. */
  HipResult (*MemcpyParam2DAsync) (const struct hip_Memcpy2D * copy, HipStreamHandle stream);
  const char *(*GetErrorName) (HipResult result);
  const char *(*GetErrorString) (HipResult result);
  HipResult (*GetDeviceProperties) (void *properties, int device);      /* R0000 */
  HipResult (*GetDevicePropertiesR0600) (void *properties, int device);
  gboolean takes_r0600;         /* the numbers of memory types */
};
#undef HIP_NATIVE_MEMBER

/* --- hip-native.c --- */
/* Fills functions by their names in a library of HIP's that dlopen () gave. Those that it lacks stay NULL. */
void hip_native_load (HipNativeFunctions * functions, gpointer library);
/* Those of vendor, its driver being loaded; NULL and *result (nullable) otherwise */
const HipNativeFunctions *hip_native_get (GstHipVendor vendor, HipResult * result);
/* For backends that are not HIP: the number for an error of ours. */
HipResult hip_native_result (const GError * error);
/* NULL: HIP has no such number */
const char *hip_native_result_name (HipResult result);
const char *hip_native_result_text (HipResult result);

/* --- hip-native-properties.c --- */
HipResult hip_native_properties (GstHipVendor vendor, gboolean r0600, void *properties, int device);

/* What programs call, in gst/hip/hip-gst.h with HIP's types. A test that has that header defines the macro. */
#ifndef HIP_NATIVE_TYPES_ONLY
#define HIP_NATIVE_EXPORT(name, arguments, ...) GST_HIP_API HipResult Hip##name (GstHipVendor vendor, __VA_ARGS__);
HIP_NATIVE_FUNCTIONS (HIP_NATIVE_EXPORT)
#undef HIP_NATIVE_EXPORT
GST_HIP_API const char *HipGetErrorName (GstHipVendor vendor, HipResult result);
GST_HIP_API const char *HipGetErrorString (GstHipVendor vendor, HipResult result);
GST_HIP_API HipResult HipGetDeviceProperties (GstHipVendor vendor, void *properties, int device);
GST_HIP_API HipResult HipGetDevicePropertiesR0600 (GstHipVendor vendor, void *properties, int device);
GST_HIP_API HipResult HipMemcpyParam2DAsync (GstHipVendor vendor, const struct hip_Memcpy2D *copy,
    HipStreamHandle stream);
GST_HIP_API HipResult HipMemcpyParam2DAsyncR0600 (GstHipVendor vendor, const struct hip_Memcpy2D *copy,
    HipStreamHandle stream);
#endif

G_END_DECLS
