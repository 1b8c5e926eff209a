/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are our declarations of the HIP runtime, HIPRTC and comgr AMD's?
 *
 * Compiled against both; what differs does not compile. amd-headers.py does so
 * for every version of the headers that can be had.
 */
#include <stddef.h>
#include <stdio.h>

#include "backends/amd/amd-symbols.h"

#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#ifdef HAVE_COMGR
#include <amd_comgr/amd_comgr.h>
#endif

/* HIP 6 gives the names that 5 has to what replaced them. */
#if HIP_VERSION_MAJOR >= 6
typedef hipDeviceProp_t Properties;
typedef AmdPropertiesR0600 OurProperties;
#undef hipDeviceProp_t
#undef hipGetDeviceProperties
hipError_t hipGetDeviceProperties (struct hipDeviceProp_t *, int);
#else
typedef hipDeviceProp_t Properties;
typedef AmdProperties OurProperties;
hipError_t hipGetDevicePropertiesR0600 (struct hipDeviceProp_tR0600 *, int);
#endif

#if HIP_VERSION_MAJOR >= 7
_Static_assert (hipMemRangeHandleTypeDmaBufFd == AMD_RANGE_DMABUF_FD,
    "hipMemRangeHandleTypeDmaBufFd has another value");
#else
/* New in 7: as its reference has it */
hipError_t hipMemGetHandleForAddressRange (void *, hipDeviceptr_t, size_t,
    unsigned int, unsigned long long);
#endif

#define SAME_TYPE(a, b) _Static_assert (__builtin_types_compatible_p (a, b), #a " is not " #b);

#define SAME_FUNCTION(need, name, params) \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (&name), AmdResult (*) params), \
      #name " has another prototype in HIP");
#define SAME_COMGR(need, name, type, params) \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (&name), type (*) params), \
      #name " has another prototype in comgr");
/* *INDENT-OFF* */
AMD_HIP_SYMBOLS (SAME_FUNCTION)
AMD_HIPRTC_SYMBOLS (SAME_FUNCTION)
#ifdef HAVE_COMGR
AMD_COMGR_SYMBOLS (SAME_COMGR)
#endif
SAME_TYPE (__typeof__ (&hipGetErrorName), AmdGetErrorText)
SAME_TYPE (__typeof__ (&hipGetErrorString), AmdGetErrorText)
SAME_TYPE (__typeof__ (&hiprtcGetErrorString), HiprtcGetErrorString)

SAME_TYPE (AmdDevice, hipDevice_t)
SAME_TYPE (AmdHipStream, hipStream_t)
SAME_TYPE (AmdHipEvent, hipEvent_t)
SAME_TYPE (AmdHipModule, hipModule_t)
SAME_TYPE (AmdHipFunction, hipFunction_t)
SAME_TYPE (HiprtcProgram, hiprtcProgram)
SAME_TYPE (void *, hipDeviceptr_t)
SAME_TYPE (AmdExternalMemory, hipExternalMemory_t)
SAME_TYPE (AmdHostFunction, hipHostFn_t)

#define SAME_VALUE(ours, theirs, value) \
  _Static_assert ((int) ours == (int) theirs && (int) theirs == value, #theirs " has another value");
AMD_VALUES (SAME_VALUE)
AMD_HIPRTC_VALUES (SAME_VALUE)

#define SAME_MEMBER(ours, theirs) \
  _Static_assert (offsetof (OurProperties, ours) == offsetof (Properties, theirs) \
      && sizeof (((OurProperties *) 0)->ours) == sizeof (((Properties *) 0)->theirs), #theirs " lies elsewhere");
SAME_MEMBER (name, name)
SAME_MEMBER (memory_bytes, totalGlobalMem)
SAME_MEMBER (arch, gcnArchName)
/* HIP 6 has reserved bytes behind what 5 has. */
#define SAME_PART(ours, our_member, theirs, member) \
  _Static_assert (offsetof (ours, our_member) == offsetof (theirs, member) \
      && sizeof (((ours *) 0)->our_member) == sizeof (((theirs *) 0)->member), #member " lies elsewhere");
SAME_PART (AmdExternalMemoryDesc, type, hipExternalMemoryHandleDesc, type)
SAME_PART (AmdExternalMemoryDesc, handle, hipExternalMemoryHandleDesc, handle)
SAME_PART (AmdExternalMemoryDesc, handle.fd, hipExternalMemoryHandleDesc, handle.fd)
SAME_PART (AmdExternalMemoryDesc, size, hipExternalMemoryHandleDesc, size)
SAME_PART (AmdExternalMemoryDesc, flags, hipExternalMemoryHandleDesc, flags)
SAME_PART (AmdExternalBufferDesc, offset, hipExternalMemoryBufferDesc, offset)
SAME_PART (AmdExternalBufferDesc, size, hipExternalMemoryBufferDesc, size)
SAME_PART (AmdExternalBufferDesc, flags, hipExternalMemoryBufferDesc, flags)
_Static_assert (sizeof (AmdExternalMemoryDesc) >= sizeof (hipExternalMemoryHandleDesc)
    && sizeof (AmdExternalBufferDesc) >= sizeof (hipExternalMemoryBufferDesc), "HIP reads behind our structs");
#if HIP_VERSION_MAJOR >= 6
_Static_assert (sizeof (AmdExternalMemoryDesc) == sizeof (hipExternalMemoryHandleDesc)
    && sizeof (AmdExternalBufferDesc) == sizeof (hipExternalMemoryBufferDesc), "HIP's structs have grown");
#endif
_Static_assert (sizeof (OurProperties) == sizeof (Properties), "hipDeviceProp_t has another size");
_Static_assert (sizeof (AmdUuid) == sizeof (hipUUID), "hipUUID has another size");
/* *INDENT-ON* */

int
main (void)
{
  printf ("%d.%d.%d\n", HIP_VERSION_MAJOR, HIP_VERSION_MINOR,
      HIP_VERSION_PATCH);
  return 0;
}
