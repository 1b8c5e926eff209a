/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does memory of an NVIDIA GPU, and CPU memory that it reaches, come
 * from?
 *
 * Device memory comes from the driver's pool, in a stream that does nothing
 * else: plain allocations may wait for all that the device has to do. Where
 * there is no pool they serve; memory above is pooled and freed on workers
 * anyway. Pinned memory is the heap's. Memory for others (DMA-BUFs, which other
 * devices reach and the CPU does not map) is a plain allocation: the driver
 * exports no other.
 */
#include <fcntl.h>
#include <unistd.h>

#include "nvidia-internal.h"

/* --- what the heap asks for --- */

/* Portable and mapped, so every context of the process can use it */
static gboolean
alloc_pinned (gsize size, guintptr * address, GError ** error)
{
  gpointer data = NULL;

  if (!nvidia_check_as (nvidia_cuda.cuMemHostAlloc (&data, size,
              CU_FLAG_HOST_PORTABLE | CU_FLAG_HOST_DEVICEMAP),
          "cuMemHostAlloc", GST_HIP_ERROR_OUT_OF_MEMORY,
          "no pinned memory of that size", error))
    return FALSE;
  *address = (guintptr) data;
  return TRUE;
}

static void
free_pinned (guintptr address)
{
  NVIDIA_CALL_NOTED (cuMemFreeHost, (gpointer) address);
}

static gboolean
stream_is_idle (gpointer stream)
{
  return nvidia_cuda.cuStreamQuery (stream) == CU_OK;
}

static void
unload_module (gpointer module)
{
  NVIDIA_CALL_NOTED (cuModuleUnload, module);
}

const HipHeapDriver nvidia_heap_driver = {
  .alloc_pinned = alloc_pinned,
  .free_pinned = free_pinned,
  .stream_is_idle = stream_is_idle,
  .unload_module = unload_module,
};

/* --- memory --- */

/* The stream has nothing to wait for; after this every stream may use it. */
static gboolean
alloc_device (NvidiaContext * context, gsize size, CuDevicePtr * data,
    GError ** error)
{
  if (!context->allocator)
    return NVIDIA_CALL (error, cuMemAlloc_v2, data, size);

  if (!NVIDIA_CALL (error, cuMemAllocAsync, data, size, context->allocator))
    return FALSE;
  if (nvidia_check_wait (nvidia_cuda.cuStreamSynchronize (context->allocator),
          "cuStreamSynchronize", error))
    return TRUE;
  NVIDIA_CALL_NOTED (cuMemFreeAsync, *data, context->allocator);
  return FALSE;
}

gboolean
nvidia_memory_alloc (HipNativeContext context, HipSpace space, gsize size,
    guintptr * address, GError ** error)
{
  NvidiaContext *nvidia = context;
  CuDevicePtr data = 0;

  if (space == HIP_SPACE_PINNED)
    return hip_heap_alloc (nvidia->heap, space, size, address, error);
  if (!alloc_device (nvidia, size, &data, error))
    return FALSE;
  *address = (guintptr) data;
  return TRUE;
}

void
nvidia_memory_free (HipNativeContext native, HipSpace space, guintptr address)
{
  NvidiaContext *context = native;

  if (space == HIP_SPACE_PINNED)
    hip_heap_free (context->heap, space, address);
  else if (context->allocator)
    NVIDIA_CALL_NOTED (cuMemFreeAsync, address, context->allocator);
  else
    NVIDIA_CALL_NOTED (cuMemFree_v2, address);
}

/* --- for others --- */

/* Whole pages of the host, as the driver wants them */
#define WHOLE_BYTES (2 * 1024 * 1024)

gboolean
nvidia_export_alloc (HipNativeContext context, gsize size, guintptr * address,
    gint * fd, GError ** error)
{
  gsize whole = (size + WHOLE_BYTES - 1) / WHOLE_BYTES * WHOLE_BYTES;
  CuDevicePtr data = 0;

  *fd = -1;
  if (!NVIDIA_CALL (error, cuMemAlloc_v2, &data, whole))
    return FALSE;
  if (nvidia_check_as (nvidia_cuda.cuMemGetHandleForAddressRange (fd, data,
              whole, CU_RANGE_DMABUF_FD, 0), "cuMemGetHandleForAddressRange",
          GST_HIP_ERROR_UNSUPPORTED, "this memory cannot be exported: copy it",
          error)) {
    fcntl (*fd, F_SETFD, FD_CLOEXEC);
    *address = (guintptr) data;
    return TRUE;
  }
  NVIDIA_CALL_NOTED (cuMemFree_v2, data);
  return FALSE;
}

void
nvidia_export_free (HipNativeContext context, gsize size, guintptr address,
    gint fd)
{
  close (fd);
  NVIDIA_CALL_NOTED (cuMemFree_v2, address);
}

/* --- the application's memory --- */

static gboolean
device_address (gpointer data, guintptr * out, GError ** error)
{
  CuDevicePtr address = 0;

  if (!NVIDIA_CALL (error, cuMemHostGetDevicePointer_v2, &address, data, 0))
    return FALSE;
  *out = (guintptr) address;
  return TRUE;
}

static HipPages
lock_pages (gpointer data, gsize size, GError ** error)
{
  CuResult result = nvidia_cuda.cuMemHostRegister_v2 (data, size,
      CU_FLAG_REGISTER_PORTABLE | CU_FLAG_REGISTER_DEVICEMAP);

  if (result == CU_HOST_MEMORY_ALREADY_REGISTERED)
    return HIP_PAGES_LOCKED_BEFORE;
  return nvidia_check_as (result, "cuMemHostRegister_v2",
      GST_HIP_ERROR_UNSUPPORTED,
      "this memory cannot be page-locked: copy it", error) ?
      HIP_PAGES_LOCKED : HIP_PAGES_FAILED;
}

static void
unlock_pages (gpointer data)
{
  NVIDIA_CALL_NOTED (cuMemHostUnregister, data);
}

const HipPagesDriver nvidia_pages_driver = {
  .lock_pages = lock_pages,
  .unlock_pages = unlock_pages,
  .device_address = device_address,
};

gboolean
nvidia_memory_device_address (HipNativeContext context, gpointer data,
    guintptr * out, GError ** error)
{
  return device_address (data, out, error);
}

gboolean
nvidia_memory_register (HipNativeContext context, gpointer data, gsize size,
    guintptr * out, GError ** error)
{
  return hip_registrations_add (&((NvidiaContext *) context)->registrations,
      data, size, out, error);
}

void
nvidia_memory_unregister (HipNativeContext context, gpointer data)
{
  hip_registrations_remove (&((NvidiaContext *) context)->registrations, data);
}
