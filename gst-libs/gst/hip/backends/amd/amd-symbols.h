/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the backend uses of the HIP runtime, of HIPRTC and of comgr: our own
 * declarations, so that building needs no ROCm. Names of functions are the
 * symbols in the libraries. Types of ours begin with Amd; for HIP 5.2, 5.7 and
 * 6.4 tests/headers/amd-headers.c proves that they are HIP's. HIP 7 is by these
 * declarations alone: its headers were not there to compare with.
 *
 * X (required or optional, symbol, parameters): one row per symbol; structs,
 * loading and messages come from it. An optional symbol may be NULL.
 *
 * Who may include this: files of this folder, and tests. */
#pragma once

#include <stddef.h>

/* Enumerations of the C API are unsigned int for the compiler. */
typedef unsigned int AmdResult;
typedef int AmdDevice;
typedef struct ihipStream_t *AmdHipStream;
typedef struct ihipEvent_t *AmdHipEvent;
typedef struct ihipModule_t *AmdHipModule;
typedef struct ihipModuleSymbol_t *AmdHipFunction;

/* Prototypes name HIP's structs; those below are the same, as far as they go. */
struct hipUUID_t;
struct hipDeviceProp_t;
struct hipDeviceProp_tR0600;
struct hipExternalMemoryHandleDesc_st;
struct hipExternalMemoryBufferDesc_st;

typedef struct
{
  char bytes[16];
} AmdUuid;

/* HIP has two structs of properties. A library older than 6 fills the first by
 * hipGetDeviceProperties (), one since 6 the second by
 * hipGetDevicePropertiesR0600 (); the plain name there may fill either. What is
 * an attribute is asked for as one. */
typedef struct
{
  char name[256];
  size_t memory_bytes;
  char unused_1[132];
  char arch[256];               /* with its features: gfx90a:sramecc+:xnack- */
  char unused_2[140];
} AmdProperties;

typedef struct
{
  char name[256];
  char unused_1[32];
  size_t memory_bytes;
  char unused_2[864];
  char arch[256];
  char unused_3[56];
} AmdPropertiesR0600;

/* What an external memory is, and which part of it is mapped. The structs of HIP 5 end before reserved. */
typedef void *AmdExternalMemory;
typedef struct
{
  unsigned int type;
  union
  {
    int fd;
    void *pointers[2];
  } handle;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} AmdExternalMemoryDesc;

typedef struct
{
  unsigned long long offset;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} AmdExternalBufferDesc;

typedef void (*AmdHostFunction) (void *data);

/* Values that the code names: N (ours, HIP's, value) */
#define AMD_VALUES(N) \
  N (AMD_OK, hipSuccess, 0) \
  N (AMD_INVALID_VALUE, hipErrorInvalidValue, 1) \
  N (AMD_OUT_OF_MEMORY, hipErrorOutOfMemory, 2) \
  N (AMD_NOT_INITIALIZED, hipErrorNotInitialized, 3) \
  N (AMD_DEINITIALIZED, hipErrorDeinitialized, 4) \
  N (AMD_INVALID_CONFIGURATION, hipErrorInvalidConfiguration, 9) \
  N (AMD_INVALID_PITCH, hipErrorInvalidPitchValue, 12) \
  N (AMD_INSUFFICIENT_DRIVER, hipErrorInsufficientDriver, 35) \
  N (AMD_NO_DEVICE, hipErrorNoDevice, 100) \
  N (AMD_INVALID_DEVICE, hipErrorInvalidDevice, 101) \
  N (AMD_INVALID_IMAGE, hipErrorInvalidImage, 200) \
  N (AMD_INVALID_CONTEXT, hipErrorInvalidContext, 201) \
  N (AMD_NO_BINARY_FOR_GPU, hipErrorNoBinaryForGpu, 209) \
  N (AMD_ECC_UNCORRECTABLE, hipErrorECCNotCorrectable, 214) \
  N (AMD_INVALID_KERNEL_FILE, hipErrorInvalidKernelFile, 218) \
  N (AMD_INVALID_SOURCE, hipErrorInvalidSource, 300) \
  N (AMD_SHARED_OBJECT_INIT_FAILED, hipErrorSharedObjectInitFailed, 303) \
  N (AMD_OPERATING_SYSTEM, hipErrorOperatingSystem, 304) \
  N (AMD_INVALID_HANDLE, hipErrorInvalidHandle, 400) \
  N (AMD_NOT_FOUND, hipErrorNotFound, 500) \
  N (AMD_NOT_READY, hipErrorNotReady, 600) \
  N (AMD_ILLEGAL_ADDRESS, hipErrorIllegalAddress, 700) \
  N (AMD_LAUNCH_OUT_OF_RESOURCES, hipErrorLaunchOutOfResources, 701) \
  N (AMD_LAUNCH_TIMEOUT, hipErrorLaunchTimeOut, 702) \
  N (AMD_CONTEXT_IS_DESTROYED, hipErrorContextIsDestroyed, 709) \
  N (AMD_ASSERT, hipErrorAssert, 710) \
  N (AMD_HOST_MEMORY_ALREADY_REGISTERED, hipErrorHostMemoryAlreadyRegistered, 712) \
  N (AMD_LAUNCH_FAILURE, hipErrorLaunchFailure, 719) \
  N (AMD_NOT_SUPPORTED, hipErrorNotSupported, 801) \
  N (AMD_UNKNOWN, hipErrorUnknown, 999) \
  N (AMD_RUNTIME_MEMORY, hipErrorRuntimeMemory, 1052) \
  N (AMD_RUNTIME_OTHER, hipErrorRuntimeOther, 1053) \
  N (AMD_ATTRIBUTE_TEXTURE2D_WIDTH, hipDeviceAttributeMaxTexture2DWidth, 43) \
  N (AMD_ATTRIBUTE_MAX_THREADS_PER_BLOCK, hipDeviceAttributeMaxThreadsPerBlock, 56) \
  N (AMD_ATTRIBUTE_MAX_PITCH, hipDeviceAttributeMaxPitch, 58) \
  N (AMD_ATTRIBUTE_MULTIPROCESSORS, hipDeviceAttributeMultiprocessorCount, 63) \
  N (AMD_ATTRIBUTE_PCI_BUS, hipDeviceAttributePciBusId, 67) \
  N (AMD_ATTRIBUTE_PCI_DEVICE, hipDeviceAttributePciDeviceId, 68) \
  N (AMD_ATTRIBUTE_PCI_DOMAIN, hipDeviceAttributePciDomainID, 69) \
  N (AMD_ATTRIBUTE_MAX_SHARED, hipDeviceAttributeMaxSharedMemoryPerBlock, 74) \
  N (AMD_ATTRIBUTE_STREAM_WAIT_VALUE, hipDeviceAttributeCanUseStreamWaitValue, 10013) \
  N (AMD_ATTRIBUTE_IMAGE_SUPPORT, hipDeviceAttributeImageSupport, 10014) \
  N (AMD_COPY_DEFAULT, hipMemcpyDefault, 4) \
  N (AMD_FLAG_HOST_PORTABLE, hipHostMallocPortable, 1) \
  N (AMD_FLAG_HOST_MAPPED, hipHostMallocMapped, 2) \
  N (AMD_FLAG_REGISTER_PORTABLE, hipHostRegisterPortable, 1) \
  N (AMD_FLAG_REGISTER_MAPPED, hipHostRegisterMapped, 2) \
  N (AMD_EXTERNAL_MEMORY_FD, hipExternalMemoryHandleTypeOpaqueFd, 1) \
  N (AMD_WAIT_VALUE_GREATER_EQUAL, hipStreamWaitValueGte, 0) \
  N (AMD_FLAG_STREAM_NON_BLOCKING, hipStreamNonBlocking, 1) \
  N (AMD_FLAG_EVENT_BLOCKING, hipEventBlockingSync, 1) \
  N (AMD_FLAG_EVENT_NO_TIMING, hipEventDisableTiming, 2)

/* hipMemRangeHandleTypeDmaBufFd, since HIP 7: the handle is a descriptor (int) */
#define AMD_RANGE_DMABUF_FD 1

#define AMD_HIPRTC_VALUES(N) \
  N (HIPRTC_OK, HIPRTC_SUCCESS, 0) \
  N (HIPRTC_NO_MEMORY, HIPRTC_ERROR_OUT_OF_MEMORY, 1) \
  N (HIPRTC_BAD_OPTION, HIPRTC_ERROR_INVALID_OPTION, 5) \
  N (HIPRTC_NOT_COMPILED, HIPRTC_ERROR_COMPILATION, 6)

#define AMD_VALUE(ours, theirs, value) ours = value,
enum
{
  AMD_VALUES (AMD_VALUE)
};
enum
{
  AMD_HIPRTC_VALUES (AMD_VALUE)
};
#undef AMD_VALUE

/* libamdhip64, since 5.2 */
#define AMD_HIP_SYMBOLS(X) \
  X (required, hipInit, (unsigned int flags)) \
  X (required, hipDriverGetVersion, (int *version)) \
  X (required, hipRuntimeGetVersion, (int *version)) \
  X (required, hipGetDeviceCount, (int *count)) \
  X (required, hipGetDevice, (AmdDevice *device)) \
  X (required, hipSetDevice, (AmdDevice device)) \
  X (optional, hipGetDeviceProperties, (struct hipDeviceProp_t *properties, AmdDevice device)) \
  X (optional, hipGetDevicePropertiesR0600, (struct hipDeviceProp_tR0600 *properties, AmdDevice device)) \
  X (optional, hipDeviceGetUuid, (struct hipUUID_t *uuid, AmdDevice device)) \
  X (required, hipDeviceGetAttribute, (int *value, unsigned int attribute, AmdDevice device)) \
  X (required, hipDeviceGetStreamPriorityRange, (int *least, int *greatest)) \
  X (required, hipMalloc, (void **address, size_t bytes)) \
  X (required, hipFree, (void *address)) \
  X (required, hipHostMalloc, (void **address, size_t bytes, unsigned int flags)) \
  X (required, hipHostFree, (void *address)) \
  X (required, hipHostRegister, (void *address, size_t bytes, unsigned int flags)) \
  X (required, hipHostUnregister, (void *address)) \
  X (required, hipHostGetDevicePointer, (void **address, void *host, unsigned int flags)) \
  X (optional, hipImportExternalMemory, (AmdExternalMemory *memory, const struct hipExternalMemoryHandleDesc_st *desc)) \
  X (optional, hipExternalMemoryGetMappedBuffer, (void **address, AmdExternalMemory memory, const struct hipExternalMemoryBufferDesc_st *desc)) \
  X (optional, hipDestroyExternalMemory, (AmdExternalMemory memory)) \
  X (optional, hipMemGetHandleForAddressRange, (void *handle, void *address, size_t bytes, unsigned int type, unsigned long long flags)) \
  X (optional, hipStreamWaitValue32, (AmdHipStream stream, void *address, unsigned int value, unsigned int flags, unsigned int mask)) \
  X (optional, hipLaunchHostFunc, (AmdHipStream stream, AmdHostFunction function, void *data)) \
  X (required, hipMemcpyAsync, (void *dst, const void *src, size_t bytes, unsigned int kind, AmdHipStream stream)) \
  X (required, hipMemcpy2DAsync, (void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width_bytes, size_t height, unsigned int kind, AmdHipStream stream)) \
  X (required, hipMemcpyDtoH, (void *dst, void *src, size_t bytes)) \
  X (required, hipMemsetAsync, (void *dst, int value, size_t bytes, AmdHipStream stream)) \
  X (required, hipStreamCreateWithPriority, (AmdHipStream *stream, unsigned int flags, int priority)) \
  X (required, hipStreamDestroy, (AmdHipStream stream)) \
  X (required, hipStreamQuery, (AmdHipStream stream)) \
  X (required, hipStreamSynchronize, (AmdHipStream stream)) \
  X (required, hipStreamWaitEvent, (AmdHipStream stream, AmdHipEvent event, unsigned int flags)) \
  X (required, hipEventCreateWithFlags, (AmdHipEvent *event, unsigned int flags)) \
  X (required, hipEventDestroy, (AmdHipEvent event)) \
  X (required, hipEventRecord, (AmdHipEvent event, AmdHipStream stream)) \
  X (required, hipEventQuery, (AmdHipEvent event)) \
  X (required, hipEventSynchronize, (AmdHipEvent event)) \
  X (required, hipEventElapsedTime, (float *ms, AmdHipEvent start, AmdHipEvent stop)) \
  X (required, hipModuleLoadData, (AmdHipModule *module, const void *image)) \
  X (required, hipModuleUnload, (AmdHipModule module)) \
  X (required, hipModuleGetFunction, (AmdHipFunction *function, AmdHipModule module, const char *name)) \
  X (required, hipModuleGetGlobal, (void **address, size_t *bytes, AmdHipModule module, const char *name)) \
  X (required, hipModuleLaunchKernel, (AmdHipFunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, AmdHipStream stream, void **params, void **extra))

/* Not in the list: these return strings, and there always is one. */
typedef const char *(*AmdGetErrorText) (AmdResult result);

typedef unsigned int HiprtcResult;
typedef struct _hiprtcProgram *HiprtcProgram;

/* libhiprtc, or libamdhip64 itself before 6 */
#define AMD_HIPRTC_SYMBOLS(X) \
  X (required, hiprtcVersion, (int *major, int *minor)) \
  X (required, hiprtcCreateProgram, (HiprtcProgram *program, const char *source, const char *name, int n_headers, const char **headers, const char **names)) \
  X (required, hiprtcDestroyProgram, (HiprtcProgram *program)) \
  X (required, hiprtcCompileProgram, (HiprtcProgram program, int n_options, const char **options)) \
  X (required, hiprtcGetProgramLogSize, (HiprtcProgram program, size_t *bytes)) \
  X (required, hiprtcGetProgramLog, (HiprtcProgram program, char *log)) \
  X (required, hiprtcGetCodeSize, (HiprtcProgram program, size_t *bytes)) \
  X (required, hiprtcGetCode, (HiprtcProgram program, char *code))

typedef const char *(*HiprtcGetErrorString) (HiprtcResult result);

/* libamd_comgr, the compiler behind HIPRTC: what it makes code for */
#define AMD_COMGR_SYMBOLS(X) \
  X (optional, amd_comgr_get_version, void, (size_t *major, size_t *minor)) \
  X (optional, amd_comgr_get_isa_count, unsigned int, (size_t *count)) \
  X (optional, amd_comgr_get_isa_name, unsigned int, (size_t index, const char **name))

#define AMD_MEMBER(need, name, params) AmdResult (*name) params;
typedef struct
{
  AMD_HIP_SYMBOLS (AMD_MEMBER)
  AmdGetErrorText hipGetErrorName, hipGetErrorString;
} AmdHip;
#undef AMD_MEMBER

#define AMD_MEMBER(need, name, params) HiprtcResult (*name) params;
#define AMD_COMGR_MEMBER(need, name, type, params) type (*name) params;
typedef struct
{
  AMD_HIPRTC_SYMBOLS (AMD_MEMBER)
  HiprtcGetErrorString hiprtcGetErrorString;
  AMD_COMGR_SYMBOLS (AMD_COMGR_MEMBER)
} AmdHiprtc;
#undef AMD_MEMBER
#undef AMD_COMGR_MEMBER
