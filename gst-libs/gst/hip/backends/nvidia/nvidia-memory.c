/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does memory of an NVIDIA GPU, and CPU memory that it reaches, come
 * from?
 *
 * Device memory comes from the driver's pool, in a stream that does nothing
 * else: plain allocations may wait for all that the device has to do. Where
 * there is no pool they serve; memory above is pooled and freed on workers
 * anyway. Pinned memory is portable and mapped, so every context of the process
 * can use it.
 *
 * Invariant: what somebody else has page-locked already is used and not
 * unlocked by us.
 */
#include "nvidia-internal.h"

typedef struct _NvidiaRegistration NvidiaRegistration;

struct _NvidiaRegistration
{
  gpointer data;
  gsize size;
  guint refs;
  NvidiaRegistration *lender;   /* one of ours that locks these bytes too */
  gboolean owned;               /* we locked it */
};

/* The stream has nothing to wait for; after this every stream may use it. */
static gboolean
alloc_device (NvidiaContext * context, gsize size, CuDevicePtr * data,
    GError ** error)
{
  if (!context->allocator)
    return NVIDIA_CALL (error, cuMemAlloc_v2, data, size);

  if (!NVIDIA_CALL (error, cuMemAllocAsync, data, size, context->allocator))
    return FALSE;
  if (NVIDIA_CALL (error, cuStreamSynchronize, context->allocator))
    return TRUE;
  NVIDIA_CALL_NOTED (cuMemFreeAsync, *data, context->allocator);
  return FALSE;
}

gboolean
nvidia_memory_alloc (HipNativeContext context, HipSpace space, gsize size,
    guintptr * address, GError ** error)
{
  if (space == HIP_SPACE_PINNED) {
    gpointer data = NULL;

    if (!nvidia_check_as (nvidia_cuda.cuMemHostAlloc (&data, size,
                CU_FLAG_HOST_PORTABLE | CU_FLAG_HOST_DEVICEMAP),
            "cuMemHostAlloc", GST_HIP_ERROR_OUT_OF_MEMORY,
            "no pinned memory of that size", error))
      return FALSE;
    *address = (guintptr) data;
  } else {
    CuDevicePtr data = 0;

    if (!alloc_device (context, size, &data, error))
      return FALSE;
    *address = (guintptr) data;
  }
  return TRUE;
}

void
nvidia_memory_free (HipNativeContext native, HipSpace space, guintptr address)
{
  NvidiaContext *context = native;

  if (space == HIP_SPACE_PINNED)
    NVIDIA_CALL_NOTED (cuMemFreeHost, (gpointer) address);
  else if (context->allocator)
    NVIDIA_CALL_NOTED (cuMemFreeAsync, address, context->allocator);
  else
    NVIDIA_CALL_NOTED (cuMemFree_v2, address);
}

/* --- the application's memory --- */

gboolean
nvidia_memory_device_address (HipNativeContext context, gpointer data,
    guintptr * device_address, GError ** error)
{
  CuDevicePtr address = 0;

  if (!NVIDIA_CALL (error, cuMemHostGetDevicePointer_v2, &address, data, 0))
    return FALSE;
  *device_address = (guintptr) address;
  return TRUE;
}

/* One that we locked and that holds a byte of these; with the lock */
static NvidiaRegistration *
find_overlap (NvidiaContext * context, gpointer data, gsize size)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, context->registrations);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    NvidiaRegistration *there = value;
    guintptr begin = (guintptr) there->data, ours = (guintptr) data;

    if (there->owned && begin < ours + size && ours < begin + there->size)
      return there;
  }
  return NULL;
}

/* Pages are locked once: the driver refuses bytes that are already. With the
 * lock */
static NvidiaRegistration *
lock_pages (NvidiaContext * context, gpointer data, gsize size, GError ** error)
{
  NvidiaRegistration *registration;
  CuResult result = nvidia_cuda.cuMemHostRegister_v2 (data, size,
      CU_FLAG_REGISTER_PORTABLE | CU_FLAG_REGISTER_DEVICEMAP);

  if (result != CU_HOST_MEMORY_ALREADY_REGISTERED
      && !nvidia_check_as (result, "cuMemHostRegister_v2",
          GST_HIP_ERROR_UNSUPPORTED,
          "this memory cannot be page-locked: copy it", error))
    return NULL;

  registration = g_new0 (NvidiaRegistration, 1);
  registration->data = data;
  registration->size = size;
  registration->owned = result == CU_OK;
  if (!registration->owned) {
    registration->lender = find_overlap (context, data, size);
    if (registration->lender)
      registration->lender->refs++;
  }
  g_hash_table_insert (context->registrations, data, registration);
  return registration;
}

/* With the lock */
static void
drop (NvidiaContext * context, NvidiaRegistration * registration)
{
  NvidiaRegistration *lender = registration->lender;

  if (--registration->refs > 0)
    return;
  if (registration->owned)
    NVIDIA_CALL_NOTED (cuMemHostUnregister, registration->data);
  g_hash_table_remove (context->registrations, registration->data);
  if (lender)
    drop (context, lender);
}

gboolean
nvidia_memory_register (HipNativeContext native, gpointer data, gsize size,
    guintptr * device_address, GError ** error)
{
  NvidiaContext *context = native;
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&context->lock);
  NvidiaRegistration *registration =
      g_hash_table_lookup (context->registrations, data);
  guintptr last;

  if (registration && registration->size < size) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "%" G_GSIZE_FORMAT " bytes at %p are in use already as %"
        G_GSIZE_FORMAT " bytes: wrap the larger first", size, data,
        registration->size);
    return FALSE;
  }
  if (!registration)
    registration = lock_pages (context, data, size, error);
  if (!registration)
    return FALSE;
  registration->refs++;

  /* Somebody else's lock may cover a part only */
  if (nvidia_memory_device_address (context, data, device_address, error)
      && (registration->owned || nvidia_memory_device_address (context,
              (guint8 *) data + size - 1, &last, error)))
    return TRUE;
  drop (context, registration);
  return FALSE;
}

void
nvidia_memory_unregister (HipNativeContext native, gpointer data)
{
  NvidiaContext *context = native;
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&context->lock);
  NvidiaRegistration *registration =
      g_hash_table_lookup (context->registrations, data);

  if (registration)
    drop (context, registration);
}
