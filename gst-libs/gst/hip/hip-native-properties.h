/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The two structs of device properties that HIP has had, as programs lay them out. Members have HIP's names, so that
 * tests/headers/hip-headers.c can compare each. Who may include this: hip-native-properties.c and tests.
 */
#pragma once

#include <stddef.h>

/* M (type, name, what follows the name): what both have, in R0000's order where that matters to nobody else */
#define HIP_PROPERTIES_COMMON(M) \
  M (size_t, totalGlobalMem, ) \
  M (size_t, sharedMemPerBlock, ) \
  M (int, regsPerBlock, ) \
  M (int, warpSize, ) \
  M (int, maxThreadsPerBlock, ) \
  M (int, maxThreadsDim, [3]) \
  M (int, maxGridSize, [3]) \
  M (int, clockRate, ) \
  M (int, memoryClockRate, ) \
  M (int, memoryBusWidth, ) \
  M (size_t, totalConstMem, ) \
  M (int, major, ) \
  M (int, minor, ) \
  M (int, multiProcessorCount, ) \
  M (int, l2CacheSize, ) \
  M (int, maxThreadsPerMultiProcessor, ) \
  M (int, computeMode, ) \
  M (int, clockInstructionRate, ) \
  M (unsigned int, arch, ) \
  M (int, concurrentKernels, ) \
  M (int, pciDomainID, ) \
  M (int, pciBusID, ) \
  M (int, pciDeviceID, ) \
  M (size_t, maxSharedMemoryPerMultiProcessor, ) \
  M (int, isMultiGpuBoard, ) \
  M (int, canMapHostMemory, ) \
  M (int, integrated, ) \
  M (int, cooperativeLaunch, ) \
  M (int, cooperativeMultiDeviceLaunch, ) \
  M (int, maxTexture1DLinear, ) \
  M (int, maxTexture1D, ) \
  M (int, maxTexture2D, [2]) \
  M (int, maxTexture3D, [3]) \
  M (unsigned int *, hdpMemFlushCntl, ) \
  M (unsigned int *, hdpRegFlushCntl, ) \
  M (size_t, memPitch, ) \
  M (size_t, textureAlignment, ) \
  M (size_t, texturePitchAlignment, ) \
  M (int, kernelExecTimeoutEnabled, ) \
  M (int, ECCEnabled, ) \
  M (int, tccDriver, ) \
  M (int, cooperativeMultiDeviceUnmatchedFunc, ) \
  M (int, cooperativeMultiDeviceUnmatchedGridDim, ) \
  M (int, cooperativeMultiDeviceUnmatchedBlockDim, ) \
  M (int, cooperativeMultiDeviceUnmatchedSharedMem, ) \
  M (int, isLargeBar, ) \
  M (int, asicRevision, ) \
  M (int, managedMemory, ) \
  M (int, directManagedMemAccessFromHost, ) \
  M (int, concurrentManagedAccess, ) \
  M (int, pageableMemoryAccess, ) \
  M (int, pageableMemoryAccessUsesHostPageTables, )

/* HIP 5, and what HIP 6 and later call ...R0000 */
typedef struct
{
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;                /* kHz */
  int memoryClockRate;          /* kHz */
  int memoryBusWidth;           /* bits */
  size_t totalConstMem;
  int major;
  int minor;
  int multiProcessorCount;
  int l2CacheSize;
  int maxThreadsPerMultiProcessor;
  int computeMode;
  int clockInstructionRate;
  unsigned int arch;            /* bits */
  int concurrentKernels;
  int pciDomainID;
  int pciBusID;
  int pciDeviceID;
  size_t maxSharedMemoryPerMultiProcessor;
  int isMultiGpuBoard;
  int canMapHostMemory;
  int gcnArch;
  char gcnArchName[256];
  int integrated;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  int maxTexture1DLinear;
  int maxTexture1D;
  int maxTexture2D[2];
  int maxTexture3D[3];
  unsigned int *hdpMemFlushCntl;
  unsigned int *hdpRegFlushCntl;
  size_t memPitch;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int kernelExecTimeoutEnabled;
  int ECCEnabled;
  int tccDriver;
  int cooperativeMultiDeviceUnmatchedFunc;
  int cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim;
  int cooperativeMultiDeviceUnmatchedSharedMem;
  int isLargeBar;
  int asicRevision;
  int managedMemory;
  int directManagedMemAccessFromHost;
  int concurrentManagedAccess;
  int pageableMemoryAccess;
  int pageableMemoryAccessUsesHostPageTables;
} HipPropertiesR0000;

/* HIP 6 and later */
typedef struct
{
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  int sparseHipArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned int memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int reserved[63];
  int hipReserved[32];
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  unsigned int arch;
  unsigned int *hdpMemFlushCntl;
  unsigned int *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatchedFunc;
  int cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim;
  int cooperativeMultiDeviceUnmatchedSharedMem;
  int isLargeBar;
  int asicRevision;
} HipPropertiesR0600;

/* Attributes of which a property is made, and some that programs ask for: A (ours, HIP's name behind
 * hipDeviceAttribute, number). The numbers are the same in all versions. */
#define HIP_ATTRIBUTES(A) \
  A (HIP_ATTRIBUTE_ECC, EccEnabled, 0) \
  A (HIP_ATTRIBUTE_ASYNC_ENGINES, AsyncEngineCount, 2) \
  A (HIP_ATTRIBUTE_MAP_HOST_MEMORY, CanMapHostMemory, 3) \
  A (HIP_ATTRIBUTE_HOST_POINTER_FOR_REGISTERED, CanUseHostPointerForRegisteredMem, 4) \
  A (HIP_ATTRIBUTE_CLOCK_RATE, ClockRate, 5) \
  A (HIP_ATTRIBUTE_COMPUTE_MODE, ComputeMode, 6) \
  A (HIP_ATTRIBUTE_CONCURRENT_KERNELS, ConcurrentKernels, 8) \
  A (HIP_ATTRIBUTE_CONCURRENT_MANAGED, ConcurrentManagedAccess, 9) \
  A (HIP_ATTRIBUTE_COOPERATIVE_LAUNCH, CooperativeLaunch, 10) \
  A (HIP_ATTRIBUTE_DIRECT_MANAGED, DirectManagedMemAccessFromHost, 13) \
  A (HIP_ATTRIBUTE_INTEGRATED, Integrated, 16) \
  A (HIP_ATTRIBUTE_MULTI_GPU_BOARD, IsMultiGpuBoard, 17) \
  A (HIP_ATTRIBUTE_EXEC_TIMEOUT, KernelExecTimeout, 18) \
  A (HIP_ATTRIBUTE_L2_BYTES, L2CacheSize, 19) \
  A (HIP_ATTRIBUTE_MAJOR, ComputeCapabilityMajor, 23) \
  A (HIP_ATTRIBUTE_MANAGED, ManagedMemory, 24) \
  A (HIP_ATTRIBUTE_BLOCK_X, MaxBlockDimX, 26) \
  A (HIP_ATTRIBUTE_BLOCK_Y, MaxBlockDimY, 27) \
  A (HIP_ATTRIBUTE_BLOCK_Z, MaxBlockDimZ, 28) \
  A (HIP_ATTRIBUTE_GRID_X, MaxGridDimX, 29) \
  A (HIP_ATTRIBUTE_GRID_Y, MaxGridDimY, 30) \
  A (HIP_ATTRIBUTE_GRID_Z, MaxGridDimZ, 31) \
  A (HIP_ATTRIBUTE_TEXTURE_1D, MaxTexture1DWidth, 39) \
  A (HIP_ATTRIBUTE_TEXTURE_1D_LINEAR, MaxTexture1DLinear, 41) \
  A (HIP_ATTRIBUTE_TEXTURE_2D_WIDTH, MaxTexture2DWidth, 43) \
  A (HIP_ATTRIBUTE_TEXTURE_2D_HEIGHT, MaxTexture2DHeight, 44) \
  A (HIP_ATTRIBUTE_TEXTURE_3D_WIDTH, MaxTexture3DWidth, 49) \
  A (HIP_ATTRIBUTE_TEXTURE_3D_HEIGHT, MaxTexture3DHeight, 50) \
  A (HIP_ATTRIBUTE_TEXTURE_3D_DEPTH, MaxTexture3DDepth, 51) \
  A (HIP_ATTRIBUTE_THREADS_PER_BLOCK, MaxThreadsPerBlock, 56) \
  A (HIP_ATTRIBUTE_THREADS_PER_UNIT, MaxThreadsPerMultiProcessor, 57) \
  A (HIP_ATTRIBUTE_PITCH, MaxPitch, 58) \
  A (HIP_ATTRIBUTE_BUS_WIDTH, MemoryBusWidth, 59) \
  A (HIP_ATTRIBUTE_MEMORY_CLOCK, MemoryClockRate, 60) \
  A (HIP_ATTRIBUTE_MINOR, ComputeCapabilityMinor, 61) \
  A (HIP_ATTRIBUTE_UNITS, MultiprocessorCount, 63) \
  A (HIP_ATTRIBUTE_PAGEABLE, PageableMemoryAccess, 65) \
  A (HIP_ATTRIBUTE_PAGEABLE_TABLES, PageableMemoryAccessUsesHostPageTables, 66) \
  A (HIP_ATTRIBUTE_PCI_BUS, PciBusId, 67) \
  A (HIP_ATTRIBUTE_PCI_DEVICE, PciDeviceId, 68) \
  A (HIP_ATTRIBUTE_PCI_DOMAIN, PciDomainID, 69) \
  A (HIP_ATTRIBUTE_REGISTERS, MaxRegistersPerBlock, 71) \
  A (HIP_ATTRIBUTE_SHARED_BYTES, MaxSharedMemoryPerBlock, 74) \
  A (HIP_ATTRIBUTE_SHARED_OPTIN, SharedMemPerBlockOptin, 75) \
  A (HIP_ATTRIBUTE_SHARED_PER_UNIT, SharedMemPerMultiprocessor, 76) \
  A (HIP_ATTRIBUTE_PRIORITIES, StreamPrioritiesSupported, 78) \
  A (HIP_ATTRIBUTE_TCC, TccDriver, 80) \
  A (HIP_ATTRIBUTE_TEXTURE_ALIGN, TextureAlignment, 81) \
  A (HIP_ATTRIBUTE_TEXTURE_PITCH_ALIGN, TexturePitchAlignment, 82) \
  A (HIP_ATTRIBUTE_CONSTANT_BYTES, TotalConstantMemory, 83) \
  A (HIP_ATTRIBUTE_UNIFIED_ADDRESSING, UnifiedAddressing, 85) \
  A (HIP_ATTRIBUTE_WARP, WarpSize, 87) \
  A (HIP_ATTRIBUTE_MEMORY_POOLS, MemoryPoolsSupported, 88) \
  A (HIP_ATTRIBUTE_IMAGE_SUPPORT, ImageSupport, 10014)

#define HIP_ATTRIBUTE(ours, theirs, number) ours = number,
enum
{
  HIP_ATTRIBUTES (HIP_ATTRIBUTE)
};
#undef HIP_ATTRIBUTE
