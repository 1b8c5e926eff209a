/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does memory of an AMD GPU, and CPU memory that it reaches, come from?
 *
 * Plain allocations: ROCm's stream-ordered ones were reported to hand out
 * memory that loses what is written to it (ROCm 7.2, gfx1030). Memory above is
 * pooled, and freed on workers, since a free may wait for all that the device
 * has to do. Pinned memory is portable and mapped, so every device of the
 * process can use it.
 */
#include "amd-internal.h"

gboolean
amd_memory_alloc (HipNativeContext context, HipSpace space, gsize size,
    guintptr * address, GError ** error)
{
  gpointer data = NULL;
  gboolean ok;

  if (space == HIP_SPACE_PINNED)
    ok = amd_check_as (amd_hip.hipHostMalloc (&data, size,
            AMD_FLAG_HOST_PORTABLE | AMD_FLAG_HOST_MAPPED), "hipHostMalloc",
        GST_HIP_ERROR_OUT_OF_MEMORY, "no pinned memory of that size", error);
  else
    ok = AMD_CALL (error, hipMalloc, &data, size);
  if (ok)
    *address = (guintptr) data;
  return ok;
}

void
amd_memory_free (HipNativeContext context, HipSpace space, guintptr address)
{
  if (space == HIP_SPACE_PINNED)
    AMD_CALL_NOTED (hipHostFree, (gpointer) address);
  else
    AMD_CALL_NOTED (hipFree, (gpointer) address);
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
