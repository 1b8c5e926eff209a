/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the backend uses of the CUDA driver API and of NVRTC: our own
 * declarations, so that building needs no toolkit. Names of functions are the
 * symbols in the libraries, versions included. Types of ours begin with Cu or
 * Nvrtc and are compatible with NVIDIA's; tests/headers/nvidia-headers.c proves
 * that where the toolkit is installed.
 *
 * X (required or optional, symbol, parameters): one row per symbol; structs,
 * loading and messages come from it. An optional symbol may be NULL.
 *
 * Who may include this: files of this folder, and tests. */
#pragma once

#include <stddef.h>

/* Enumerations of the C API are unsigned int for the compiler. */
typedef unsigned int CuResult;
typedef int CuDevice;
typedef unsigned long long CuDevicePtr;
typedef struct CUctx_st *CuContext;
typedef struct CUmod_st *CuModule;
typedef struct CUfunc_st *CuFunction;
typedef struct CUstream_st *CuStream;
typedef struct CUevent_st *CuEvent;

/* Prototypes name NVIDIA's structs; these three are the same, member by member. */
struct CUuuid_st;
struct CUDA_MEMCPY2D_st;
struct CUDA_MEMCPY3D_PEER_st;
struct CUDA_RESOURCE_DESC_st;
struct CUDA_TEXTURE_DESC_st;
struct CUDA_RESOURCE_VIEW_DESC_st;
struct CUgraphicsResource_st;

typedef struct
{
  char bytes[16];
} CuUuid;

typedef struct
{
  size_t src_x_bytes, src_y;
  unsigned int src_type;        /* CU_MEMORY_* */
  const void *src_host;
  CuDevicePtr src_device;
  void *src_array;
  size_t src_pitch;

  size_t dst_x_bytes, dst_y;
  unsigned int dst_type;
  void *dst_host;
  CuDevicePtr dst_device;
  void *dst_array;
  size_t dst_pitch;

  size_t width_bytes, height;
} CuMemcpy2D;

typedef struct
{
  size_t src_x_bytes, src_y, src_z, src_level;
  unsigned int src_type;        /* CU_MEMORY_* */
  const void *src_host;
  CuDevicePtr src_device;
  void *src_array;
  CuContext src_context;
  size_t src_pitch, src_height;

  size_t dst_x_bytes, dst_y, dst_z, dst_level;
  unsigned int dst_type;
  void *dst_host;
  CuDevicePtr dst_device;
  void *dst_array;
  CuContext dst_context;
  size_t dst_pitch, dst_height;

  size_t width_bytes, height, depth;
} CuMemcpy3DPeer;

/* Values that the code names: N (ours, NVIDIA's, value) */
#define NVIDIA_VALUES(N) \
  N (CU_OK, CUDA_SUCCESS, 0) \
  N (CU_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE, 1) \
  N (CU_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, 2) \
  N (CU_DEINITIALIZED, CUDA_ERROR_DEINITIALIZED, 4) \
  N (CU_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY, 34) \
  N (CU_CALL_REQUIRES_NEWER_DRIVER, CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36) \
  N (CU_DEVICE_UNAVAILABLE, CUDA_ERROR_DEVICE_UNAVAILABLE, 46) \
  N (CU_NO_DEVICE, CUDA_ERROR_NO_DEVICE, 100) \
  N (CU_INVALID_DEVICE, CUDA_ERROR_INVALID_DEVICE, 101) \
  N (CU_DEVICE_NOT_LICENSED, CUDA_ERROR_DEVICE_NOT_LICENSED, 102) \
  N (CU_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE, 200) \
  N (CU_INVALID_CONTEXT, CUDA_ERROR_INVALID_CONTEXT, 201) \
  N (CU_NO_BINARY_FOR_GPU, CUDA_ERROR_NO_BINARY_FOR_GPU, 209) \
  N (CU_ECC_UNCORRECTABLE, CUDA_ERROR_ECC_UNCORRECTABLE, 214) \
  N (CU_INVALID_PTX, CUDA_ERROR_INVALID_PTX, 218) \
  N (CU_NVLINK_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE, 220) \
  N (CU_JIT_COMPILER_NOT_FOUND, CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221) \
  N (CU_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222) \
  N (CU_INVALID_SOURCE, CUDA_ERROR_INVALID_SOURCE, 300) \
  N (CU_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE, 400) \
  N (CU_NOT_FOUND, CUDA_ERROR_NOT_FOUND, 500) \
  N (CU_NOT_READY, CUDA_ERROR_NOT_READY, 600) \
  N (CU_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS, 700) \
  N (CU_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
  N (CU_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_TIMEOUT, 702) \
  N (CU_CONTEXT_IS_DESTROYED, CUDA_ERROR_CONTEXT_IS_DESTROYED, 709) \
  N (CU_ASSERT, CUDA_ERROR_ASSERT, 710) \
  N (CU_HOST_MEMORY_ALREADY_REGISTERED, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712) \
  N (CU_HARDWARE_STACK_ERROR, CUDA_ERROR_HARDWARE_STACK_ERROR, 714) \
  N (CU_ILLEGAL_INSTRUCTION, CUDA_ERROR_ILLEGAL_INSTRUCTION, 715) \
  N (CU_MISALIGNED_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS, 716) \
  N (CU_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_ADDRESS_SPACE, 717) \
  N (CU_INVALID_PC, CUDA_ERROR_INVALID_PC, 718) \
  N (CU_LAUNCH_FAILED, CUDA_ERROR_LAUNCH_FAILED, 719) \
  N (CU_NOT_PERMITTED, CUDA_ERROR_NOT_PERMITTED, 800) \
  N (CU_NOT_SUPPORTED, CUDA_ERROR_NOT_SUPPORTED, 801) \
  N (CU_SYSTEM_NOT_READY, CUDA_ERROR_SYSTEM_NOT_READY, 802) \
  N (CU_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803) \
  N (CU_COMPAT_NOT_SUPPORTED, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804) \
  N (CU_MPS_CONNECTION_FAILED, CUDA_ERROR_MPS_CONNECTION_FAILED, 805) \
  N (CU_MPS_RPC_FAILURE, CUDA_ERROR_MPS_RPC_FAILURE, 806) \
  N (CU_TIMEOUT, CUDA_ERROR_TIMEOUT, 909) \
  N (CU_UNKNOWN, CUDA_ERROR_UNKNOWN, 999) \
  N (CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1) \
  N (CU_ATTRIBUTE_MAX_SHARED, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8) \
  N (CU_ATTRIBUTE_WARP, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10) \
  N (CU_ATTRIBUTE_MAX_PITCH, CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11) \
  N (CU_ATTRIBUTE_MULTIPROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16) \
  N (CU_ATTRIBUTE_TEXTURE2D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 22) \
  N (CU_ATTRIBUTE_PCI_BUS, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 33) \
  N (CU_ATTRIBUTE_PCI_DEVICE, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 34) \
  N (CU_ATTRIBUTE_PCI_DOMAIN, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 50) \
  N (CU_ATTRIBUTE_CC_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75) \
  N (CU_ATTRIBUTE_CC_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76) \
  N (CU_ATTRIBUTE_HOST_POINTER_FOR_REGISTERED, CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91) \
  N (CU_ATTRIBUTE_MAX_SHARED_OPTIN, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97) \
  N (CU_ATTRIBUTE_MEMORY_POOLS, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 115) \
  N (CU_ATTRIBUTE_DMA_BUF, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 124) \
  N (CU_RANGE_DMABUF_FD, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 1) \
  N (CU_MEMORY_HOST, CU_MEMORYTYPE_HOST, 1) \
  N (CU_MEMORY_DEVICE, CU_MEMORYTYPE_DEVICE, 2) \
  N (CU_MEMORY_UNIFIED, CU_MEMORYTYPE_UNIFIED, 4) \
  N (CU_FLAG_HOST_PORTABLE, CU_MEMHOSTALLOC_PORTABLE, 1) \
  N (CU_FLAG_HOST_DEVICEMAP, CU_MEMHOSTALLOC_DEVICEMAP, 2) \
  N (CU_FLAG_REGISTER_PORTABLE, CU_MEMHOSTREGISTER_PORTABLE, 1) \
  N (CU_FLAG_REGISTER_DEVICEMAP, CU_MEMHOSTREGISTER_DEVICEMAP, 2) \
  N (CU_FLAG_STREAM_NON_BLOCKING, CU_STREAM_NON_BLOCKING, 1) \
  N (CU_FLAG_EVENT_BLOCKING, CU_EVENT_BLOCKING_SYNC, 1) \
  N (CU_FLAG_EVENT_NO_TIMING, CU_EVENT_DISABLE_TIMING, 2) \
  N (CU_FUNCTION_SHARED_BYTES, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1) \
  N (CU_FUNCTION_MAX_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8) \
  N (CU_OPTION_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER, 5) \
  N (CU_OPTION_ERROR_LOG_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)

#define NVIDIA_NVRTC_VALUES(N) \
  N (NVRTC_OK, NVRTC_SUCCESS, 0) \
  N (NVRTC_NO_MEMORY, NVRTC_ERROR_OUT_OF_MEMORY, 1) \
  N (NVRTC_BAD_OPTION, NVRTC_ERROR_INVALID_OPTION, 5) \
  N (NVRTC_NOT_COMPILED, NVRTC_ERROR_COMPILATION, 6)

#define NVIDIA_VALUE(ours, theirs, value) ours = value,
enum
{
  NVIDIA_VALUES (NVIDIA_VALUE)
};
enum
{
  NVIDIA_NVRTC_VALUES (NVIDIA_VALUE)
};
#undef NVIDIA_VALUE

/* Attributes of devices: A (NVIDIA's, HIP's in hip-native-properties.h, NVIDIA's number) */
#define NVIDIA_HIP_ATTRIBUTES(A) \
  A (CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, HIP_ATTRIBUTE_THREADS_PER_BLOCK, 1) \
  A (CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, HIP_ATTRIBUTE_BLOCK_X, 2) \
  A (CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, HIP_ATTRIBUTE_BLOCK_Y, 3) \
  A (CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, HIP_ATTRIBUTE_BLOCK_Z, 4) \
  A (CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, HIP_ATTRIBUTE_GRID_X, 5) \
  A (CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, HIP_ATTRIBUTE_GRID_Y, 6) \
  A (CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, HIP_ATTRIBUTE_GRID_Z, 7) \
  A (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, HIP_ATTRIBUTE_SHARED_BYTES, 8) \
  A (CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, HIP_ATTRIBUTE_CONSTANT_BYTES, 9) \
  A (CU_DEVICE_ATTRIBUTE_WARP_SIZE, HIP_ATTRIBUTE_WARP, 10) \
  A (CU_DEVICE_ATTRIBUTE_MAX_PITCH, HIP_ATTRIBUTE_PITCH, 11) \
  A (CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, HIP_ATTRIBUTE_REGISTERS, 12) \
  A (CU_DEVICE_ATTRIBUTE_CLOCK_RATE, HIP_ATTRIBUTE_CLOCK_RATE, 13) \
  A (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, HIP_ATTRIBUTE_TEXTURE_ALIGN, 14) \
  A (CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, HIP_ATTRIBUTE_UNITS, 16) \
  A (CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, HIP_ATTRIBUTE_EXEC_TIMEOUT, 17) \
  A (CU_DEVICE_ATTRIBUTE_INTEGRATED, HIP_ATTRIBUTE_INTEGRATED, 18) \
  A (CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, HIP_ATTRIBUTE_MAP_HOST_MEMORY, 19) \
  A (CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, HIP_ATTRIBUTE_COMPUTE_MODE, 20) \
  A (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, HIP_ATTRIBUTE_TEXTURE_1D, 21) \
  A (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, HIP_ATTRIBUTE_TEXTURE_2D_WIDTH, 22) \
  A (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, HIP_ATTRIBUTE_TEXTURE_2D_HEIGHT, 23) \
  A (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, HIP_ATTRIBUTE_TEXTURE_3D_WIDTH, 24) \
  A (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, HIP_ATTRIBUTE_TEXTURE_3D_HEIGHT, 25) \
  A (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, HIP_ATTRIBUTE_TEXTURE_3D_DEPTH, 26) \
  A (CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, HIP_ATTRIBUTE_CONCURRENT_KERNELS, 31) \
  A (CU_DEVICE_ATTRIBUTE_ECC_ENABLED, HIP_ATTRIBUTE_ECC, 32) \
  A (CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, HIP_ATTRIBUTE_PCI_BUS, 33) \
  A (CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, HIP_ATTRIBUTE_PCI_DEVICE, 34) \
  A (CU_DEVICE_ATTRIBUTE_TCC_DRIVER, HIP_ATTRIBUTE_TCC, 35) \
  A (CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, HIP_ATTRIBUTE_MEMORY_CLOCK, 36) \
  A (CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, HIP_ATTRIBUTE_BUS_WIDTH, 37) \
  A (CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, HIP_ATTRIBUTE_L2_BYTES, 38) \
  A (CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, HIP_ATTRIBUTE_THREADS_PER_UNIT, 39) \
  A (CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, HIP_ATTRIBUTE_ASYNC_ENGINES, 40) \
  A (CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, HIP_ATTRIBUTE_UNIFIED_ADDRESSING, 41) \
  A (CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, HIP_ATTRIBUTE_PCI_DOMAIN, 50) \
  A (CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, HIP_ATTRIBUTE_TEXTURE_PITCH_ALIGN, 51) \
  A (CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, HIP_ATTRIBUTE_TEXTURE_1D_LINEAR, 69) \
  A (CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, HIP_ATTRIBUTE_MAJOR, 75) \
  A (CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, HIP_ATTRIBUTE_MINOR, 76) \
  A (CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, HIP_ATTRIBUTE_PRIORITIES, 78) \
  A (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, HIP_ATTRIBUTE_SHARED_PER_UNIT, 81) \
  A (CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, HIP_ATTRIBUTE_MANAGED, 83) \
  A (CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD, HIP_ATTRIBUTE_MULTI_GPU_BOARD, 84) \
  A (CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, HIP_ATTRIBUTE_PAGEABLE, 88) \
  A (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, HIP_ATTRIBUTE_CONCURRENT_MANAGED, 89) \
  A (CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, HIP_ATTRIBUTE_HOST_POINTER_FOR_REGISTERED, 91) \
  A (CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, HIP_ATTRIBUTE_COOPERATIVE_LAUNCH, 95) \
  A (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, HIP_ATTRIBUTE_SHARED_OPTIN, 97) \
  A (CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, HIP_ATTRIBUTE_PAGEABLE_TABLES, 100) \
  A (CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, HIP_ATTRIBUTE_DIRECT_MANAGED, 101) \
  A (CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, HIP_ATTRIBUTE_MEMORY_POOLS, 115)

/* libcuda.so.1: since CUDA 11 but for the optional ones */
#define NVIDIA_CUDA_SYMBOLS(X) \
  X (required, cuInit, (unsigned int flags)) \
  X (required, cuDriverGetVersion, (int *version)) \
  X (required, cuGetErrorName, (CuResult result, const char **name)) \
  X (required, cuGetErrorString, (CuResult result, const char **text)) \
  X (required, cuDeviceGetCount, (int *count)) \
  X (required, cuDeviceGet, (CuDevice *device, int ordinal)) \
  X (required, cuDeviceGetName, (char *name, int length, CuDevice device)) \
  X (optional, cuDeviceGetUuid, (struct CUuuid_st *uuid, CuDevice device)) \
  X (optional, cuDeviceGetUuid_v2, (struct CUuuid_st *uuid, CuDevice device)) \
  X (required, cuDeviceTotalMem_v2, (size_t *bytes, CuDevice device)) \
  X (required, cuDeviceGetAttribute, (int *value, unsigned int attribute, CuDevice device)) \
  X (required, cuDevicePrimaryCtxRetain, (CuContext *context, CuDevice device)) \
  X (required, cuDevicePrimaryCtxRelease_v2, (CuDevice device)) \
  X (required, cuDevicePrimaryCtxGetState, (CuDevice device, unsigned int *flags, int *active)) \
  X (required, cuCtxPushCurrent_v2, (CuContext context)) \
  X (required, cuCtxPopCurrent_v2, (CuContext *context)) \
  X (required, cuCtxSetCurrent, (CuContext context)) \
  X (required, cuCtxGetCurrent, (CuContext *context)) \
  X (required, cuCtxGetDevice, (CuDevice *device)) \
  X (required, cuCtxGetStreamPriorityRange, (int *least, int *greatest)) \
  X (required, cuMemAlloc_v2, (CuDevicePtr *address, size_t bytes)) \
  X (required, cuMemFree_v2, (CuDevicePtr address)) \
  X (optional, cuMemGetHandleForAddressRange, (void *handle, CuDevicePtr address, size_t bytes, unsigned int type, unsigned long long flags)) \
  X (optional, cuMemAllocAsync, (CuDevicePtr *address, size_t bytes, CuStream stream)) \
  X (optional, cuMemFreeAsync, (CuDevicePtr address, CuStream stream)) \
  X (required, cuMemHostAlloc, (void **address, size_t bytes, unsigned int flags)) \
  X (required, cuMemFreeHost, (void *address)) \
  X (required, cuMemHostRegister_v2, (void *address, size_t bytes, unsigned int flags)) \
  X (required, cuMemHostUnregister, (void *address)) \
  X (required, cuMemHostGetDevicePointer_v2, (CuDevicePtr *address, void *host, unsigned int flags)) \
  X (required, cuMemcpyAsync, (CuDevicePtr dst, CuDevicePtr src, size_t bytes, CuStream stream)) \
  X (required, cuMemcpyHtoDAsync_v2, (CuDevicePtr dst, const void *src, size_t bytes, CuStream stream)) \
  X (required, cuMemcpyDtoHAsync_v2, (void *dst, CuDevicePtr src, size_t bytes, CuStream stream)) \
  X (required, cuMemcpyDtoDAsync_v2, (CuDevicePtr dst, CuDevicePtr src, size_t bytes, CuStream stream)) \
  X (required, cuMemcpy2DAsync_v2, (const struct CUDA_MEMCPY2D_st *copy, CuStream stream)) \
  X (optional, cuMemcpy3DPeerAsync, (const struct CUDA_MEMCPY3D_PEER_st *copy, CuStream stream)) \
  X (required, cuMemcpyDtoH_v2, (void *dst, CuDevicePtr src, size_t bytes)) \
  X (required, cuMemsetD8Async, (CuDevicePtr dst, unsigned char value, size_t bytes, CuStream stream)) \
  X (required, cuMemsetD16Async, (CuDevicePtr dst, unsigned short value, size_t count, CuStream stream)) \
  X (required, cuMemsetD32Async, (CuDevicePtr dst, unsigned int value, size_t count, CuStream stream)) \
  X (required, cuStreamCreateWithPriority, (CuStream *stream, unsigned int flags, int priority)) \
  X (required, cuStreamDestroy_v2, (CuStream stream)) \
  X (required, cuStreamQuery, (CuStream stream)) \
  X (required, cuStreamCreate, (CuStream *stream, unsigned int flags)) \
  X (required, cuStreamSynchronize, (CuStream stream)) \
  X (required, cuStreamWaitEvent, (CuStream stream, CuEvent event, unsigned int flags)) \
  X (required, cuEventCreate, (CuEvent *event, unsigned int flags)) \
  X (required, cuEventDestroy_v2, (CuEvent event)) \
  X (required, cuEventRecord, (CuEvent event, CuStream stream)) \
  X (required, cuEventQuery, (CuEvent event)) \
  X (required, cuEventSynchronize, (CuEvent event)) \
  X (required, cuEventElapsedTime, (float *ms, CuEvent start, CuEvent stop)) \
  X (optional, cuEventElapsedTime_v2, (float *ms, CuEvent start, CuEvent stop)) \
  X (required, cuModuleLoadDataEx, (CuModule *module, const void *image, unsigned int n_options, unsigned int *options, void **values)) \
  X (required, cuModuleUnload, (CuModule module)) \
  X (required, cuModuleGetFunction, (CuFunction *function, CuModule module, const char *name)) \
  X (required, cuModuleGetGlobal_v2, (CuDevicePtr *address, size_t *bytes, CuModule module, const char *name)) \
  X (required, cuFuncGetAttribute, (int *value, unsigned int attribute, CuFunction function)) \
  X (required, cuFuncSetAttribute, (CuFunction function, unsigned int attribute, int value)) \
  X (optional, cuFuncLoad, (CuFunction function)) \
  X (optional, cuTexObjectCreate, (unsigned long long *texture, const struct CUDA_RESOURCE_DESC_st *resource, const struct CUDA_TEXTURE_DESC_st *desc, const struct CUDA_RESOURCE_VIEW_DESC_st *view)) \
  X (optional, cuTexObjectDestroy, (unsigned long long texture)) \
  X (optional, cuGraphicsMapResources, (unsigned int count, struct CUgraphicsResource_st **resources, CuStream stream)) \
  X (optional, cuGraphicsResourceGetMappedPointer_v2, (CuDevicePtr *address, size_t *bytes, struct CUgraphicsResource_st *resource)) \
  X (optional, cuGraphicsUnmapResources, (unsigned int count, struct CUgraphicsResource_st **resources, CuStream stream)) \
  X (optional, cuGraphicsUnregisterResource, (struct CUgraphicsResource_st *resource)) \
  X (required, cuLaunchKernel, (CuFunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CuStream stream, void **params, void **extra))

typedef unsigned int NvrtcResult;
typedef struct _nvrtcProgram *NvrtcProgram;

/* libnvrtc: the optional ones came with 11.1 and 11.2 */
#define NVIDIA_NVRTC_SYMBOLS(X) \
  X (required, nvrtcVersion, (int *major, int *minor)) \
  X (required, nvrtcCreateProgram, (NvrtcProgram *program, const char *source, const char *name, int n_headers, const char *const *headers, const char *const *names)) \
  X (required, nvrtcDestroyProgram, (NvrtcProgram *program)) \
  X (required, nvrtcCompileProgram, (NvrtcProgram program, int n_options, const char *const *options)) \
  X (required, nvrtcGetProgramLogSize, (NvrtcProgram program, size_t *bytes)) \
  X (required, nvrtcGetProgramLog, (NvrtcProgram program, char *log)) \
  X (required, nvrtcGetPTXSize, (NvrtcProgram program, size_t *bytes)) \
  X (required, nvrtcGetPTX, (NvrtcProgram program, char *ptx)) \
  X (optional, nvrtcGetCUBINSize, (NvrtcProgram program, size_t *bytes)) \
  X (optional, nvrtcGetCUBIN, (NvrtcProgram program, char *cubin)) \
  X (optional, nvrtcGetNumSupportedArchs, (int *count)) \
  X (optional, nvrtcGetSupportedArchs, (int *archs))

/* Not in the list: it returns a string, and there always is one. */
typedef const char *(*NvrtcGetErrorString) (NvrtcResult result);

#define NVIDIA_MEMBER(need, name, params) CuResult (*name) params;
typedef struct
{
  NVIDIA_CUDA_SYMBOLS (NVIDIA_MEMBER)
} NvidiaCuda;
#undef NVIDIA_MEMBER

#define NVIDIA_MEMBER(need, name, params) NvrtcResult (*name) params;
typedef struct
{
  NVIDIA_NVRTC_SYMBOLS (NVIDIA_MEMBER)
  NvrtcGetErrorString nvrtcGetErrorString;
} NvidiaNvrtc;
#undef NVIDIA_MEMBER
