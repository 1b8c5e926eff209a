/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory, as HIP has it. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "fake-hip.h"

static AmdResult
allocate (FakeMemoryKind kind, void **address, gsize size, const gchar * call)
{
  guintptr data = 0;
  FakeResult result = fake_memory_alloc (kind, size, &data, call);

  *address = (gpointer) data;
  RETURN (result);
}

AmdResult
hipMalloc (void **address, size_t bytes)
{
  FAKE_CALL ();
  return allocate (FAKE_DEVICE_MEMORY, address, bytes, G_STRFUNC);
}

AmdResult
hipFree (void *address)
{
  if (fake_external_is_mapped (address))
    return fake_external_free (address, G_STRFUNC);
  FAKE_CALL_FREES_MEMORY (FAKE_DEVICE_MEMORY, (guintptr) address);
  RETURN (fake_memory_free (FAKE_DEVICE_MEMORY, (guintptr) address, G_STRFUNC));
}

#if FAKE_HIP_MAJOR >= 7
/* The memory as a part of a larger block, as it may be */
static gint
in_block (gint fd, gsize bytes)
{
  close (fd);
  fd = memfd_create ("block", 0);
  fake_rule (ftruncate (fd, (off_t) bytes * 2) == 0, "there is room", "export");
  return fd;
}

AmdResult
hipMemGetHandleForAddressRange (void *handle, void *address, size_t bytes,
    unsigned int type, unsigned long long flags)
{
  gint *fd = handle;
  FakeResult result;

  FAKE_CALL ();
  fake_rule (type == AMD_RANGE_DMABUF_FD && flags == 0,
      "a descriptor is asked for, without flags", G_STRFUNC);
  result = fake_memory_export ((guintptr) address, bytes, fd, G_STRFUNC);
  if (result == FAKE_OK && fake_number ("EXPORTS_BLOCK", 0))
    *fd = in_block (*fd, bytes);
  RETURN (result);
}
#endif

AmdResult
hipHostMalloc (void **address, size_t bytes, unsigned int flags)
{
  FAKE_CALL ();
  fake_rule (flags & AMD_FLAG_HOST_PORTABLE, "pinned memory is portable",
      G_STRFUNC);
  return allocate (FAKE_PINNED_MEMORY, address, bytes, G_STRFUNC);
}

AmdResult
hipHostFree (void *address)
{
  FAKE_CALL_FREES_MEMORY (FAKE_PINNED_MEMORY, (guintptr) address);
  RETURN (fake_memory_free (FAKE_PINNED_MEMORY, (guintptr) address, G_STRFUNC));
}

AmdResult
hipHostRegister (void *address, size_t bytes, unsigned int flags)
{
  FAKE_CALL ();
  RETURN (fake_memory_register (address, bytes, G_STRFUNC));
}

AmdResult
hipHostUnregister (void *address)
{
  FAKE_CALL_FREES_MEMORY (FAKE_REGISTERED_MEMORY, (guintptr) address);
  RETURN (fake_memory_free (FAKE_REGISTERED_MEMORY, (guintptr) address,
          G_STRFUNC));
}

AmdResult
hipHostGetDevicePointer (void **address, void *host, unsigned int flags)
{
  guintptr data = 0;
  FakeResult result;

  FAKE_CALL ();
  result = fake_memory_host_address (host, &data, G_STRFUNC);
  *address = (gpointer) data;
  RETURN (result);
}
