/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are our declarations of the CUDA driver API and NVRTC the toolkit's?
 *
 * Compiled against both; what differs does not compile. Where there is no
 * toolkit it says so and is skipped.
 */
#include <stddef.h>
#include <stdio.h>

#include "backends/nvidia/nvidia-symbols.h"

#ifdef HAVE_CUDA_H
#include <cuda.h>
#include <nvrtc.h>

/* Names without versions stand for the newest here; ours are the symbols'. */
#undef cuEventElapsedTime
#undef cuDeviceGetUuid
CUresult CUDAAPI cuEventElapsedTime (float *, CUevent, CUevent);
CUresult CUDAAPI cuDeviceGetUuid (CUuuid *, CUdevice);

#define SAME_TYPE(a, b) _Static_assert (__builtin_types_compatible_p (a, b), #a " is not " #b);

#define SAME_FUNCTION(need, name, params) \
  _Static_assert (__builtin_types_compatible_p (__typeof__ (&name), CuResult (*) params), \
      #name " has another prototype in the toolkit");
/* *INDENT-OFF* */
NVIDIA_CUDA_SYMBOLS (SAME_FUNCTION)
NVIDIA_NVRTC_SYMBOLS (SAME_FUNCTION)
_Static_assert (__builtin_types_compatible_p (__typeof__ (&nvrtcGetErrorString),
        NvrtcGetErrorString), "nvrtcGetErrorString has another prototype");

SAME_TYPE (CuContext, CUcontext)
SAME_TYPE (CuModule, CUmodule)
SAME_TYPE (CuFunction, CUfunction)
SAME_TYPE (CuStream, CUstream)
SAME_TYPE (CuEvent, CUevent)
SAME_TYPE (CuDevicePtr, CUdeviceptr)
SAME_TYPE (CuDevice, CUdevice)
SAME_TYPE (NvrtcProgram, nvrtcProgram)

#define SAME_VALUE(ours, theirs, value) \
  _Static_assert ((int) ours == (int) theirs && (int) theirs == value, #theirs " has another value");
NVIDIA_VALUES (SAME_VALUE)
NVIDIA_NVRTC_VALUES (SAME_VALUE)

#define SAME_MEMBER(ours, theirs) \
  _Static_assert (offsetof (CuMemcpy2D, ours) == offsetof (CUDA_MEMCPY2D, theirs) \
      && sizeof (((CuMemcpy2D *) 0)->ours) == sizeof (((CUDA_MEMCPY2D *) 0)->theirs), #theirs " lies elsewhere");
SAME_MEMBER (src_x_bytes, srcXInBytes)
SAME_MEMBER (src_y, srcY)
SAME_MEMBER (src_type, srcMemoryType)
SAME_MEMBER (src_host, srcHost)
SAME_MEMBER (src_device, srcDevice)
SAME_MEMBER (src_array, srcArray)
SAME_MEMBER (src_pitch, srcPitch)
SAME_MEMBER (dst_x_bytes, dstXInBytes)
SAME_MEMBER (dst_y, dstY)
SAME_MEMBER (dst_type, dstMemoryType)
SAME_MEMBER (dst_host, dstHost)
SAME_MEMBER (dst_device, dstDevice)
SAME_MEMBER (dst_array, dstArray)
SAME_MEMBER (dst_pitch, dstPitch)
SAME_MEMBER (width_bytes, WidthInBytes)
SAME_MEMBER (height, Height)
_Static_assert (sizeof (CuMemcpy2D) == sizeof (CUDA_MEMCPY2D), "CUDA_MEMCPY2D has another size");
#define SAME_PEER_MEMBER(ours, theirs) \
  _Static_assert (offsetof (CuMemcpy3DPeer, ours) == offsetof (CUDA_MEMCPY3D_PEER, theirs) \
      && sizeof (((CuMemcpy3DPeer *) 0)->ours) == sizeof (((CUDA_MEMCPY3D_PEER *) 0)->theirs), #theirs " lies elsewhere");
SAME_PEER_MEMBER (src_x_bytes, srcXInBytes)
SAME_PEER_MEMBER (src_y, srcY)
SAME_PEER_MEMBER (src_z, srcZ)
SAME_PEER_MEMBER (src_level, srcLOD)
SAME_PEER_MEMBER (src_type, srcMemoryType)
SAME_PEER_MEMBER (src_host, srcHost)
SAME_PEER_MEMBER (src_device, srcDevice)
SAME_PEER_MEMBER (src_array, srcArray)
SAME_PEER_MEMBER (src_context, srcContext)
SAME_PEER_MEMBER (src_pitch, srcPitch)
SAME_PEER_MEMBER (src_height, srcHeight)
SAME_PEER_MEMBER (dst_x_bytes, dstXInBytes)
SAME_PEER_MEMBER (dst_y, dstY)
SAME_PEER_MEMBER (dst_z, dstZ)
SAME_PEER_MEMBER (dst_level, dstLOD)
SAME_PEER_MEMBER (dst_type, dstMemoryType)
SAME_PEER_MEMBER (dst_host, dstHost)
SAME_PEER_MEMBER (dst_device, dstDevice)
SAME_PEER_MEMBER (dst_array, dstArray)
SAME_PEER_MEMBER (dst_context, dstContext)
SAME_PEER_MEMBER (dst_pitch, dstPitch)
SAME_PEER_MEMBER (dst_height, dstHeight)
SAME_PEER_MEMBER (width_bytes, WidthInBytes)
SAME_PEER_MEMBER (height, Height)
SAME_PEER_MEMBER (depth, Depth)
_Static_assert (sizeof (CuMemcpy3DPeer) == sizeof (CUDA_MEMCPY3D_PEER), "CUDA_MEMCPY3D_PEER has another size");
_Static_assert (sizeof (CuUuid) == sizeof (CUuuid), "CUuuid has another size");
/* *INDENT-ON* */
#endif

int
main (void)
{
#ifdef HAVE_CUDA_H
  printf ("1..1\nok 1 - declarations are those of CUDA %d.%d\n",
      CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
#else
  printf ("1..1\nok 1 - declarations # SKIP no CUDA toolkit here\n");
#endif
  return 0;
}
