/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory, as the CUDA driver API has it. */
#include <fcntl.h>
#include <unistd.h>

#include "fake-cuda.h"

static CuResult
allocate (FakeMemoryKind kind, guintptr * address, gsize size,
    const gchar * call)
{
  RETURN (fake_memory_alloc (kind, size, address, call));
}

CuResult
cuMemAlloc_v2 (CuDevicePtr * address, size_t bytes)
{
  guintptr data = 0;
  CuResult result;

  FAKE_CUDA_CALL ();
  result = allocate (FAKE_DEVICE_MEMORY, &data, bytes, G_STRFUNC);
  *address = data;
  return result;
}

/* These wait when it is known that nothing uses the memory, as we promise. */
static CuResult
free_waiting (FakeMemoryKind kind, guintptr address, const gchar * call)
{
  FakeResult result = fake_memory_free (kind, address, call);

  fake_wait_for_device (fake_current (call));
  RETURN (result);
}

CuResult
cuMemFree_v2 (CuDevicePtr address)
{
  FAKE_CUDA_CALL_FREES_MEMORY (FAKE_DEVICE_MEMORY, address);
  return free_waiting (FAKE_DEVICE_MEMORY, address, G_STRFUNC);
}

/* Other devices reach what is exported, the CPU does not map it. */
CuResult
cuMemGetHandleForAddressRange (void *handle, CuDevicePtr address, size_t bytes,
    unsigned int type, unsigned long long flags)
{
  gint *fd = handle, own = -1;
  FakeResult result;

  FAKE_CUDA_CALL ();
  fake_rule (type == CU_RANGE_DMABUF_FD && flags == 0,
      "a descriptor is asked for, without flags", G_STRFUNC);
  result = fake_memory_export (address, bytes, &own, G_STRFUNC);
  if (result == FAKE_OK) {
    close (own);
    *fd = open ("/dev/null", O_RDONLY);
  }
  RETURN (result);
}

/* Pieces of memory of streams are not told apart: their only user waits. */
CuResult
cuMemAllocAsync (CuDevicePtr * address, size_t bytes, CuStream stream)
{
  guintptr data = 0;
  CuResult result;

  FAKE_CUDA_CALL ();
  fake_handle_check (stream, FAKE_STREAM, G_STRFUNC);
  result = allocate (FAKE_DEVICE_MEMORY, &data, bytes, G_STRFUNC);
  *address = data;
  return result;
}

CuResult
cuMemFreeAsync (CuDevicePtr address, CuStream stream)
{
  FAKE_CUDA_CALL_FREES_MEMORY (FAKE_DEVICE_MEMORY, address);
  fake_handle_check (stream, FAKE_STREAM, G_STRFUNC);
  RETURN (fake_memory_free (FAKE_DEVICE_MEMORY, address, G_STRFUNC));
}

CuResult
cuMemHostAlloc (void **address, size_t bytes, unsigned int flags)
{
  guintptr data = 0;
  CuResult result;

  FAKE_CUDA_CALL ();
  fake_rule (flags & CU_FLAG_HOST_PORTABLE, "pinned memory is portable",
      G_STRFUNC);
  result = allocate (FAKE_PINNED_MEMORY, &data, bytes, G_STRFUNC);
  *address = (gpointer) data;
  return result;
}

CuResult
cuMemFreeHost (void *address)
{
  FAKE_CUDA_CALL_FREES_MEMORY (FAKE_PINNED_MEMORY, (guintptr) address);
  return free_waiting (FAKE_PINNED_MEMORY, (guintptr) address, G_STRFUNC);
}

CuResult
cuMemHostRegister_v2 (void *address, size_t bytes, unsigned int flags)
{
  FAKE_CUDA_CALL ();
  RETURN (fake_memory_register (address, bytes, G_STRFUNC));
}

CuResult
cuMemHostUnregister (void *address)
{
  FAKE_CUDA_CALL_FREES_MEMORY (FAKE_REGISTERED_MEMORY, (guintptr) address);
  return free_waiting (FAKE_REGISTERED_MEMORY, (guintptr) address, G_STRFUNC);
}

CuResult
cuMemHostGetDevicePointer_v2 (CuDevicePtr * address, void *host,
    unsigned int flags)
{
  guintptr data = 0;
  FakeResult result;

  FAKE_CUDA_CALL ();
  result = fake_memory_host_address (host, &data, G_STRFUNC);
  *address = data;
  RETURN (result);
}
