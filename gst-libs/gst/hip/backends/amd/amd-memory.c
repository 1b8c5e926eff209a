/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does memory of an AMD GPU, and CPU memory that it reaches, come from?
 *
 * From plain allocations: ROCm's stream-ordered ones were reported to hand out
 * memory that loses what is written to it (ROCm 7.2, gfx1030). Both kinds of
 * memory go back to the runtime when the device is idle, since hipFree () and
 * hipHostFree () wait for all that it has to do: the heap sees to that. Pinned
 * memory is portable and mapped, so every device of the process can use it.
 */
#include "amd-internal.h"

/* --- what the heap asks for --- */

static gboolean
alloc_pinned (gsize size, guintptr * address, GError ** error)
{
  gpointer data = NULL;

  if (!amd_check_as (amd_hip.hipHostMalloc (&data, size,
              AMD_FLAG_HOST_PORTABLE | AMD_FLAG_HOST_MAPPED), "hipHostMalloc",
          GST_HIP_ERROR_OUT_OF_MEMORY, "no pinned memory of that size", error))
    return FALSE;
  *address = (guintptr) data;
  return TRUE;
}

static void
free_pinned (guintptr address)
{
  AMD_CALL_NOTED (hipHostFree, (gpointer) address);
}

static gboolean
alloc_device (gsize size, guintptr * address, GError ** error)
{
  gpointer data = NULL;

  if (!AMD_CALL (error, hipMalloc, &data, size))
    return FALSE;
  *address = (guintptr) data;
  return TRUE;
}

static void
free_device (guintptr address)
{
  AMD_CALL_NOTED (hipFree, (gpointer) address);
}

static gboolean
stream_is_idle (gpointer stream)
{
  return amd_hip.hipStreamQuery (stream) == AMD_OK;
}

static void
unload_module (gpointer module)
{
  AMD_CALL_NOTED (hipModuleUnload, module);
}

const HipHeapDriver amd_heap_driver = {
  .alloc_pinned = alloc_pinned,
  .free_pinned = free_pinned,
  .alloc_device = alloc_device,
  .free_device = free_device,
  .stream_is_idle = stream_is_idle,
  .unload_module = unload_module,
};

/* --- memory --- */

gboolean
amd_memory_alloc (HipNativeContext context, HipSpace space, gsize size,
    guintptr * address, GError ** error)
{
  return hip_heap_alloc (((AmdContext *) context)->heap, space, size, address,
      error);
}

void
amd_memory_free (HipNativeContext context, HipSpace space, guintptr address)
{
  hip_heap_free (((AmdContext *) context)->heap, space, address);
}

/* --- the application's memory --- */

static gboolean
device_address (gpointer data, guintptr * out, GError ** error)
{
  gpointer address = NULL;

  if (!AMD_CALL (error, hipHostGetDevicePointer, &address, data, 0))
    return FALSE;
  *out = (guintptr) address;
  return TRUE;
}

static HipPages
lock_pages (gpointer data, gsize size, GError ** error)
{
  AmdResult result = amd_hip.hipHostRegister (data, size,
      AMD_FLAG_REGISTER_PORTABLE | AMD_FLAG_REGISTER_MAPPED);

  if (result == AMD_HOST_MEMORY_ALREADY_REGISTERED)
    return HIP_PAGES_LOCKED_BEFORE;
  return amd_check_as (result, "hipHostRegister", GST_HIP_ERROR_UNSUPPORTED,
      "this memory cannot be page-locked: copy it", error) ?
      HIP_PAGES_LOCKED : HIP_PAGES_FAILED;
}

static void
unlock_pages (gpointer data)
{
  AMD_CALL_NOTED (hipHostUnregister, data);
}

const HipPagesDriver amd_pages_driver = {
  .lock_pages = lock_pages,
  .unlock_pages = unlock_pages,
  .device_address = device_address,
};

gboolean
amd_memory_device_address (HipNativeContext context, gpointer data,
    guintptr * out, GError ** error)
{
  return device_address (data, out, error);
}

gboolean
amd_memory_register (HipNativeContext context, gpointer data, gsize size,
    guintptr * out, GError ** error)
{
  return hip_registrations_add (&((AmdContext *) context)->registrations,
      data, size, out, error);
}

void
amd_memory_unregister (HipNativeContext context, gpointer data)
{
  hip_registrations_remove (&((AmdContext *) context)->registrations, data);
}
