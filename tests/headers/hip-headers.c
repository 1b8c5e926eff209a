/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is what we declare of HIP what HIP's headers say, and is gst/hip/hip-gst.h
 * the functions of HIP with a vendor in front? Compiled against each set of
 * HIP headers; what differs does not compile. Never run.
 */
#include <gst/hip/hip-gst.h>

/* Not the exported functions, which hip-gst.h has declared with HIP's types */
#define HIP_NATIVE_TYPES_ONLY
#include "hip-native.h"
#include "hip-native-properties.h"

#define SAME_VALUE(ours, theirs) \
  _Static_assert ((int) ours == (int) theirs, #theirs " has another value");
#define SAME_TYPE(a, b) \
  _Static_assert (__builtin_types_compatible_p (a, b), #a " is not " #b);

/* *INDENT-OFF* */
#define RESULT(ours, theirs, number, text) SAME_VALUE (ours, theirs)
HIP_NATIVE_RESULTS (RESULT)

#define ATTRIBUTE(ours, theirs, number) SAME_VALUE (ours, hipDeviceAttribute##theirs)
HIP_ATTRIBUTES (ATTRIBUTE)

#if HIP_VERSION >= 60000000
SAME_VALUE (HIP_MEMORY_UNREGISTERED_R0600, hipMemoryTypeUnregistered)
SAME_VALUE (HIP_MEMORY_HOST_R0600, hipMemoryTypeHost)
SAME_VALUE (HIP_MEMORY_DEVICE_R0600, hipMemoryTypeDevice)
SAME_VALUE (HIP_MEMORY_ARRAY_R0600, hipMemoryTypeArray)
SAME_VALUE (HIP_MEMORY_UNIFIED_R0600, hipMemoryTypeUnified)
SAME_VALUE (HIP_MEMORY_MANAGED_R0600, hipMemoryTypeManaged)
typedef HipPropertiesR0600 Properties;
#else
SAME_VALUE (HIP_MEMORY_HOST_R0000, hipMemoryTypeHost)
SAME_VALUE (HIP_MEMORY_DEVICE_R0000, hipMemoryTypeDevice)
SAME_VALUE (HIP_MEMORY_ARRAY_R0000, hipMemoryTypeArray)
SAME_VALUE (HIP_MEMORY_UNIFIED_R0000, hipMemoryTypeUnified)
#if HIP_VERSION >= 50300000
SAME_VALUE (HIP_MEMORY_MANAGED_R0000, hipMemoryTypeManaged)
#endif
typedef HipPropertiesR0000 Properties;
#endif

SAME_VALUE (HIP_RESOURCE_PITCH2D, HIP_RESOURCE_TYPE_PITCH2D)
SAME_VALUE (HIP_FORMAT_UINT8, HIP_AD_FORMAT_UNSIGNED_INT8)
SAME_VALUE (HIP_FORMAT_UINT16, HIP_AD_FORMAT_UNSIGNED_INT16)
SAME_VALUE (GST_HIP_TEXTURE_FILTER_POINT, HIP_TR_FILTER_MODE_POINT)
SAME_VALUE (GST_HIP_TEXTURE_FILTER_LINEAR, HIP_TR_FILTER_MODE_LINEAR)
SAME_VALUE (GST_HIP_TEXTURE_ADDRESS_WRAP, HIP_TR_ADDRESS_MODE_WRAP)
SAME_VALUE (GST_HIP_TEXTURE_ADDRESS_CLAMP, HIP_TR_ADDRESS_MODE_CLAMP)
SAME_VALUE (GST_HIP_TEXTURE_ADDRESS_MIRROR, HIP_TR_ADDRESS_MODE_MIRROR)
SAME_VALUE (GST_HIP_TEXTURE_ADDRESS_BORDER, HIP_TR_ADDRESS_MODE_BORDER)
_Static_assert ((gsize) HIP_LAUNCH_PARAM_BUFFER_POINTER == HIP_LAUNCH_BUFFER_POINTER, "launch parameters");
_Static_assert ((gsize) HIP_LAUNCH_PARAM_BUFFER_SIZE == HIP_LAUNCH_BUFFER_SIZE, "launch parameters");
_Static_assert ((gsize) HIP_LAUNCH_PARAM_END == HIP_LAUNCH_END, "launch parameters");

SAME_TYPE (HipResult, hipError_t)
SAME_TYPE (HipStreamHandle, hipStream_t)
SAME_TYPE (HipEventHandle, hipEvent_t)
SAME_TYPE (HipModuleHandle, hipModule_t)
SAME_TYPE (HipFunctionHandle, hipFunction_t)
SAME_TYPE (HipTextureHandle, hipTextureObject_t)
SAME_TYPE (HipGraphicsHandle, hipGraphicsResource_t)
SAME_TYPE (HipAddress, hipDeviceptr_t)

#define SAME_MEMBER(ours, mine, theirs, member) \
  _Static_assert (offsetof (ours, mine) == offsetof (theirs, member) \
      && sizeof (((ours *) 0)->mine) == sizeof (((theirs *) 0)->member), #member " lies elsewhere");

/* Properties: every member that we name, and the whole */
#define PROPERTY(type, member, array) SAME_MEMBER (Properties, member, hipDeviceProp_t, member)
HIP_PROPERTIES_COMMON (PROPERTY)
SAME_MEMBER (Properties, name, hipDeviceProp_t, name)
SAME_MEMBER (Properties, gcnArchName, hipDeviceProp_t, gcnArchName)
#if HIP_VERSION >= 60000000
SAME_MEMBER (Properties, uuid, hipDeviceProp_t, uuid)
SAME_MEMBER (Properties, asyncEngineCount, hipDeviceProp_t, asyncEngineCount)
SAME_MEMBER (Properties, unifiedAddressing, hipDeviceProp_t, unifiedAddressing)
SAME_MEMBER (Properties, sharedMemPerBlockOptin, hipDeviceProp_t, sharedMemPerBlockOptin)
SAME_MEMBER (Properties, memoryPoolsSupported, hipDeviceProp_t, memoryPoolsSupported)
#endif
_Static_assert (sizeof (Properties) == sizeof (hipDeviceProp_t), "properties have another size");

#define COPY(ours, theirs) SAME_MEMBER (HipMemcpy2D, ours, hip_Memcpy2D, theirs)
COPY (src_x_bytes, srcXInBytes)
COPY (src_y, srcY)
COPY (src_type, srcMemoryType)
COPY (src_host, srcHost)
COPY (src_device, srcDevice)
COPY (src_array, srcArray)
COPY (src_pitch, srcPitch)
COPY (dst_x_bytes, dstXInBytes)
COPY (dst_y, dstY)
COPY (dst_type, dstMemoryType)
COPY (dst_host, dstHost)
COPY (dst_device, dstDevice)
COPY (dst_array, dstArray)
COPY (dst_pitch, dstPitch)
COPY (width_bytes, WidthInBytes)
COPY (height, Height)
_Static_assert (sizeof (HipMemcpy2D) == sizeof (hip_Memcpy2D), "copies have another size");

#define RESOURCE(ours, theirs) SAME_MEMBER (HipResourceDesc, ours, HIP_RESOURCE_DESC, theirs)
RESOURCE (type, resType)
RESOURCE (of.pitch2d.address, res.pitch2D.devPtr)
RESOURCE (of.pitch2d.format, res.pitch2D.format)
RESOURCE (of.pitch2d.channels, res.pitch2D.numChannels)
RESOURCE (of.pitch2d.width, res.pitch2D.width)
RESOURCE (of.pitch2d.height, res.pitch2D.height)
RESOURCE (of.pitch2d.pitch_bytes, res.pitch2D.pitchInBytes)
RESOURCE (flags, flags)
_Static_assert (sizeof (HipResourceDesc) == sizeof (HIP_RESOURCE_DESC), "resources have another size");

#define TEXTURE(ours, theirs) SAME_MEMBER (HipTextureDesc, ours, HIP_TEXTURE_DESC, theirs)
TEXTURE (address_mode, addressMode)
TEXTURE (filter_mode, filterMode)
TEXTURE (flags, flags)
TEXTURE (max_anisotropy, maxAnisotropy)
TEXTURE (mipmap_filter_mode, mipmapFilterMode)
TEXTURE (border_color, borderColor)
_Static_assert (sizeof (HipTextureDesc) == sizeof (HIP_TEXTURE_DESC), "textures have another size");

/* Functions: ours below the vendor, HIP's, and what the public header says */
#define FUNCTION(name, arguments, ...) \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (&hip##name), HipResult (*) (__VA_ARGS__)), \
      "hip" #name " has another prototype"); \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (&Hip##name), \
          HipResult (*) (GstHipVendor, __VA_ARGS__)), "Hip" #name " has another prototype");
HIP_NATIVE_FUNCTIONS (FUNCTION)

#define PUBLIC(name, type, ...) \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (&hip##name), type (*) (__VA_ARGS__)), \
      "hip" #name " has another prototype"); \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (&Hip##name), type (*) (GstHipVendor, __VA_ARGS__)), \
      "Hip" #name " has another prototype");
PUBLIC (MemcpyParam2DAsync, hipError_t, const hip_Memcpy2D *, hipStream_t)
PUBLIC (GetErrorName, const char *, hipError_t)
PUBLIC (GetErrorString, const char *, hipError_t)
_Static_assert (__builtin_types_compatible_p (__typeof__ (&HipGetDeviceProperties),
        hipError_t (*) (GstHipVendor, hipDeviceProp_t *, int)), "HipGetDeviceProperties has another prototype");
/* *INDENT-ON* */
