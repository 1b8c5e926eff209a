/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a program get device properties in the struct that its headers have?
 *
 * From the driver, if it fills that struct; from the struct that it does fill,
 * member by member; or, where the driver is none of HIP's, from attributes and
 * what the library knows of its devices. What nobody knows is 0.
 *
 * Must not know vendors.
 */
#include <string.h>

#include "hip-context.h"
#include "hip-native.h"
#include "hip-native-properties.h"

static void
to_r0000 (const HipPropertiesR0600 * from, HipPropertiesR0000 * to)
{
  memset (to, 0, sizeof (*to));
#define COPY(type, member, array) \
  memcpy (&to->member, &from->member, sizeof (to->member));
  /* *INDENT-OFF* */
  HIP_PROPERTIES_COMMON (COPY)
  COPY (char, name, )
  COPY (char, gcnArchName, )
  /* *INDENT-ON* */
#undef COPY
}

static void
to_r0600 (const HipPropertiesR0000 * from, HipPropertiesR0600 * to)
{
  memset (to, 0, sizeof (*to));
#define COPY(type, member, array) \
  memcpy (&to->member, &from->member, sizeof (to->member));
  /* *INDENT-OFF* */
  HIP_PROPERTIES_COMMON (COPY)
  COPY (char, name, )
  COPY (char, gcnArchName, )
  /* *INDENT-ON* */
#undef COPY
  to->sharedMemPerMultiprocessor = from->maxSharedMemoryPerMultiProcessor;
}

/* Properties that are an attribute: P (member, attribute) */
#define PROPERTIES_OF_ATTRIBUTES(P) \
  P (sharedMemPerBlock, HIP_ATTRIBUTE_SHARED_BYTES) \
  P (regsPerBlock, HIP_ATTRIBUTE_REGISTERS) \
  P (warpSize, HIP_ATTRIBUTE_WARP) \
  P (memPitch, HIP_ATTRIBUTE_PITCH) \
  P (maxThreadsPerBlock, HIP_ATTRIBUTE_THREADS_PER_BLOCK) \
  P (maxThreadsDim[0], HIP_ATTRIBUTE_BLOCK_X) \
  P (maxThreadsDim[1], HIP_ATTRIBUTE_BLOCK_Y) \
  P (maxThreadsDim[2], HIP_ATTRIBUTE_BLOCK_Z) \
  P (maxGridSize[0], HIP_ATTRIBUTE_GRID_X) \
  P (maxGridSize[1], HIP_ATTRIBUTE_GRID_Y) \
  P (maxGridSize[2], HIP_ATTRIBUTE_GRID_Z) \
  P (clockRate, HIP_ATTRIBUTE_CLOCK_RATE) \
  P (totalConstMem, HIP_ATTRIBUTE_CONSTANT_BYTES) \
  P (major, HIP_ATTRIBUTE_MAJOR) \
  P (minor, HIP_ATTRIBUTE_MINOR) \
  P (textureAlignment, HIP_ATTRIBUTE_TEXTURE_ALIGN) \
  P (texturePitchAlignment, HIP_ATTRIBUTE_TEXTURE_PITCH_ALIGN) \
  P (multiProcessorCount, HIP_ATTRIBUTE_UNITS) \
  P (kernelExecTimeoutEnabled, HIP_ATTRIBUTE_EXEC_TIMEOUT) \
  P (integrated, HIP_ATTRIBUTE_INTEGRATED) \
  P (canMapHostMemory, HIP_ATTRIBUTE_MAP_HOST_MEMORY) \
  P (computeMode, HIP_ATTRIBUTE_COMPUTE_MODE) \
  P (maxTexture1D, HIP_ATTRIBUTE_TEXTURE_1D) \
  P (maxTexture1DLinear, HIP_ATTRIBUTE_TEXTURE_1D_LINEAR) \
  P (maxTexture2D[0], HIP_ATTRIBUTE_TEXTURE_2D_WIDTH) \
  P (maxTexture2D[1], HIP_ATTRIBUTE_TEXTURE_2D_HEIGHT) \
  P (maxTexture3D[0], HIP_ATTRIBUTE_TEXTURE_3D_WIDTH) \
  P (maxTexture3D[1], HIP_ATTRIBUTE_TEXTURE_3D_HEIGHT) \
  P (maxTexture3D[2], HIP_ATTRIBUTE_TEXTURE_3D_DEPTH) \
  P (concurrentKernels, HIP_ATTRIBUTE_CONCURRENT_KERNELS) \
  P (ECCEnabled, HIP_ATTRIBUTE_ECC) \
  P (pciBusID, HIP_ATTRIBUTE_PCI_BUS) \
  P (pciDeviceID, HIP_ATTRIBUTE_PCI_DEVICE) \
  P (pciDomainID, HIP_ATTRIBUTE_PCI_DOMAIN) \
  P (tccDriver, HIP_ATTRIBUTE_TCC) \
  P (asyncEngineCount, HIP_ATTRIBUTE_ASYNC_ENGINES) \
  P (unifiedAddressing, HIP_ATTRIBUTE_UNIFIED_ADDRESSING) \
  P (memoryClockRate, HIP_ATTRIBUTE_MEMORY_CLOCK) \
  P (memoryBusWidth, HIP_ATTRIBUTE_BUS_WIDTH) \
  P (l2CacheSize, HIP_ATTRIBUTE_L2_BYTES) \
  P (maxThreadsPerMultiProcessor, HIP_ATTRIBUTE_THREADS_PER_UNIT) \
  P (streamPrioritiesSupported, HIP_ATTRIBUTE_PRIORITIES) \
  P (sharedMemPerMultiprocessor, HIP_ATTRIBUTE_SHARED_PER_UNIT) \
  P (maxSharedMemoryPerMultiProcessor, HIP_ATTRIBUTE_SHARED_PER_UNIT) \
  P (managedMemory, HIP_ATTRIBUTE_MANAGED) \
  P (isMultiGpuBoard, HIP_ATTRIBUTE_MULTI_GPU_BOARD) \
  P (pageableMemoryAccess, HIP_ATTRIBUTE_PAGEABLE) \
  P (concurrentManagedAccess, HIP_ATTRIBUTE_CONCURRENT_MANAGED) \
  P (canUseHostPointerForRegisteredMem, \
      HIP_ATTRIBUTE_HOST_POINTER_FOR_REGISTERED) \
  P (cooperativeLaunch, HIP_ATTRIBUTE_COOPERATIVE_LAUNCH) \
  P (sharedMemPerBlockOptin, HIP_ATTRIBUTE_SHARED_OPTIN) \
  P (pageableMemoryAccessUsesHostPageTables, HIP_ATTRIBUTE_PAGEABLE_TABLES) \
  P (directManagedMemAccessFromHost, HIP_ATTRIBUTE_DIRECT_MANAGED) \
  P (memoryPoolsSupported, HIP_ATTRIBUTE_MEMORY_POOLS)

static int
attribute (const HipNativeFunctions * functions, guint which, int device)
{
  int value = 0;

  if (!functions->DeviceGetAttribute
      || functions->DeviceGetAttribute (&value, which, device) != HIP_OK)
    return 0;
  return value;
}

static HipResult
make_r0600 (const HipNativeFunctions * functions, GstHipVendor vendor,
    HipPropertiesR0600 * to, int device)
{
  g_autoptr (GError) error = NULL;
  const HipBackend *backend = hip_backend_find (vendor, &error);
  GstHipDeviceInfo info;

  memset (to, 0, sizeof (*to));
  if (!backend)
    return hip_native_result (error);
  if (device < 0 || (guint) device >= backend->device_count ())
    return HIP_INVALID_DEVICE;
  if (!backend->device_info (device, &info, &error))
    return hip_native_result (error);

  g_strlcpy (to->name, info.name, sizeof (to->name));
  g_strlcpy (to->gcnArchName, info.arch, sizeof (to->gcnArchName));
  memcpy (to->uuid, info.uuid, sizeof (to->uuid));
  to->totalGlobalMem = info.memory_bytes;
#define FILL(member, which) to->member = attribute (functions, which, device);
  /* *INDENT-OFF* */
  PROPERTIES_OF_ATTRIBUTES (FILL)
  /* *INDENT-ON* */
#undef FILL
  to->deviceOverlap = to->asyncEngineCount > 0;
  to->hostRegisterSupported = 1;
  return HIP_OK;
}

HipResult
hip_native_properties (GstHipVendor vendor, gboolean r0600, void *properties,
    int device)
{
  HipResult result = HIP_NOT_SUPPORTED;
  const HipNativeFunctions *functions = hip_native_get (vendor, &result);
  HipPropertiesR0000 old;
  HipPropertiesR0600 new;

  if (!functions)
    return result;
  if (!properties)
    return HIP_INVALID_VALUE;
  if (r0600 && functions->GetDevicePropertiesR0600)
    return functions->GetDevicePropertiesR0600 (properties, device);
  if (!r0600 && functions->GetDeviceProperties)
    return functions->GetDeviceProperties (properties, device);

  if (r0600 && functions->GetDeviceProperties) {
    result = functions->GetDeviceProperties (&old, device);
    if (result == HIP_OK)
      to_r0600 (&old, properties);
    return result;
  }
  if (functions->GetDevicePropertiesR0600)
    result = functions->GetDevicePropertiesR0600 (&new, device);
  else
    result = make_r0600 (functions, vendor, &new, device);
  if (result != HIP_OK)
    return result;
  if (r0600)
    memcpy (properties, &new, sizeof (new));
  else
    to_r0000 (&new, properties);
  return HIP_OK;
}
