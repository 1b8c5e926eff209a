/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What GStreamer's CUDA library asks of the driver beside what this library
 * does, so that the real one works on the simulated driver: contexts of its own,
 * frames with the driver's pitch, copies that wait. The rest of what it looks
 * for is there and cannot be done.
 */
/* Names of the toolkit's header stand for other symbols. */
#undef FAKE_HAVE_CUDA_H
#include "fake-cuda.h"

#define PITCH_ALIGN 512
#define NOT_SUPPORTED CU_NOT_SUPPORTED

FAKE_API CuResult cuMemAllocPitch_v2 (CuDevicePtr * address, size_t *pitch,
    size_t width_bytes, size_t height, unsigned int element_bytes);
FAKE_API CuResult cuMemAllocHost_v2 (void **address, size_t bytes);
FAKE_API CuResult cuMemcpy2D_v2 (const struct CUDA_MEMCPY2D_st *copy);
FAKE_API CuResult cuDeviceCanAccessPeer (int *can, CuDevice device,
    CuDevice peer);
FAKE_API CuResult cuCtxEnablePeerAccess (CuContext peer, unsigned int flags);
FAKE_API CuResult cuCtxDisablePeerAccess (CuContext peer);
FAKE_API CuResult cuCtxSynchronize (void);
FAKE_API CuResult cuStreamDestroy (CuStream stream);

CuResult
cuMemAllocPitch_v2 (CuDevicePtr * address, size_t *pitch, size_t width_bytes,
    size_t height, unsigned int element_bytes)
{
  *pitch = (width_bytes + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
  return cuMemAlloc_v2 (address, *pitch * height);
}

CuResult
cuMemAllocHost_v2 (void **address, size_t bytes)
{
  return cuMemHostAlloc (address, bytes, CU_FLAG_HOST_PORTABLE);
}

CuResult
cuMemcpy2D_v2 (const struct CUDA_MEMCPY2D_st *copy)
{
  CuResult result = cuMemcpy2DAsync_v2 (copy, NULL);

  return result == CU_OK ? cuStreamSynchronize (NULL) : result;
}

CuResult
cuDeviceCanAccessPeer (int *can, CuDevice device, CuDevice peer)
{
  *can = 0;
  return CU_OK;
}

CuResult
cuCtxEnablePeerAccess (CuContext peer, unsigned int flags)
{
  return NOT_SUPPORTED;
}

CuResult
cuCtxDisablePeerAccess (CuContext peer)
{
  return NOT_SUPPORTED;
}

CuResult
cuCtxSynchronize (void)
{
  fake_wait_for_device (fake_current (G_STRFUNC));
  return CU_OK;
}

CuResult
cuStreamDestroy (CuStream stream)
{
  return cuStreamDestroy_v2 (stream);
}

#define CANNOT(name)                            \
  FAKE_API CuResult name (void);                \
  CuResult name (void)                          \
  {                                             \
    return NOT_SUPPORTED;                       \
  }

/* *INDENT-OFF* */
CANNOT (cuCtxGetLimit)
CANNOT (cuCtxSetLimit)
CANNOT (cuGraphicsGLRegisterBuffer)
CANNOT (cuGraphicsGLRegisterImage)
CANNOT (cuGraphicsResourceSetMapFlags_v2)
CANNOT (cuGraphicsSubResourceGetMappedArray)
CANNOT (cuGLGetDevices_v2)
CANNOT (cuIpcCloseMemHandle)
CANNOT (cuIpcGetEventHandle)
CANNOT (cuIpcGetMemHandle)
CANNOT (cuIpcOpenEventHandle)
CANNOT (cuIpcOpenMemHandle)
CANNOT (cuMemcpyDtoD_v2)
CANNOT (cuMemcpyHtoD_v2)
CANNOT (cuMemsetD2D8_v2)
CANNOT (cuMemsetD2D8Async)
CANNOT (cuMemsetD2D16_v2)
CANNOT (cuMemsetD2D16Async)
CANNOT (cuMemsetD2D32_v2)
CANNOT (cuMemsetD2D32Async)
CANNOT (cuModuleLoadData)
/* *INDENT-ON* */
