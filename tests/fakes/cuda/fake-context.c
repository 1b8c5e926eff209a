/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Devices and contexts of the simulated CUDA driver, and what is CUDA's own in
 * the common one: numbers of results, a stack of contexts in each thread. */
#include <string.h>

#include "fake-cuda.h"

#define TEXTURE_ALIGNMENT 14    /* an attribute that only other libraries ask for */
#define PLAIN_SHARED (48 * 1024)

static gint initialised;

static __thread CuContext stack[FAKE_MAX_STACK];
static __thread guint depth;

static FakeContext *
current (void)
{
  return depth > 0 ? CONTEXT (stack[depth - 1]) : NULL;
}

/* Waits, queries and making a context current fail only where the device did;
 * other calls leave it alone but for some results. */
static gboolean
loses_device (const gchar * name, gint result)
{
  static const gchar *const waits[] = { "cuCtxPush", "cuEventQuery",
    "cuEventSynchronize", "cuStreamQuery", "cuStreamSynchronize", NULL
  };

  return fake_name_begins (name, waits) || result == CU_UNKNOWN
      || (result >= CU_ILLEGAL_ADDRESS && result <= CU_LAUNCH_FAILED
      && result != CU_LAUNCH_OUT_OF_RESOURCES
      && result != CU_HOST_MEMORY_ALREADY_REGISTERED);
}

static const gchar *const stateless[] = { "cuCtxPush", "cuCtxPop", "cuDevice",
  "cuDriver", "cuInit", NULL
};

const FakeFamily fake_family = {
  .prefix = "FAKE_CUDA",
  .results = {
        [FAKE_OK] = CU_OK,
        [FAKE_NOT_READY] = CU_NOT_READY,
        [FAKE_BAD_VALUE] = CU_INVALID_VALUE,
        [FAKE_BAD_DEVICE] = CU_INVALID_DEVICE,
        [FAKE_BAD_HANDLE] = CU_INVALID_HANDLE,
        [FAKE_NO_MEMORY] = CU_OUT_OF_MEMORY,
        [FAKE_BROKEN_DEVICE] = CU_DEVICE_UNAVAILABLE,
        [FAKE_BAD_IMAGE] = CU_INVALID_IMAGE,
        [FAKE_OTHER_GPU] = CU_NO_BINARY_FOR_GPU,
        [FAKE_NOT_FOUND] = CU_NOT_FOUND,
        [FAKE_LOCKED_ALREADY] = CU_HOST_MEMORY_ALREADY_REGISTERED,
        [FAKE_FAILED] = CU_LAUNCH_FAILED,
      },
  .failure = CU_UNKNOWN,
  .plain_shared = PLAIN_SHARED,
  .stateless = stateless,
  .loses_device = loses_device,
  .current = current,
  .lose = fake_device_lose,
};

void
fake_check_initialised (const gchar * call)
{
  fake_rule (g_atomic_int_get (&initialised), "cuInit comes first", call);
}

CuResult
cuInit (unsigned int flags)
{
  FAKE_CALL ();
  fake_rule (flags == 0, "cuInit takes 0", "cuInit");
  if (fake_device_count () == 0)
    return CU_NO_DEVICE;
  g_atomic_int_set (&initialised, TRUE);
  return CU_OK;
}

CuResult
cuDriverGetVersion (int *version)
{
  FAKE_CALL ();
  *version = 12040;
  return CU_OK;
}

CuResult
cuGetErrorName (CuResult result, const char **name)
{
#define NAME(ours, theirs, value) {value, #theirs},
  static const struct
  {
    CuResult result;
    const gchar *name;
  } names[] = {
    NVIDIA_VALUES (NAME)
  };
#undef NAME

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (names[i].result == result && (g_str_has_prefix (names[i].name,
                "CUDA_"))) {
      *name = names[i].name;
      return CU_OK;
    }
  }
  *name = NULL;
  return CU_INVALID_VALUE;
}

CuResult
cuGetErrorString (CuResult result, const char **text)
{
  *text = "simulated";
  return CU_OK;
}

CuResult
cuDeviceGetCount (int *count)
{
  FAKE_CUDA_CALL ();
  *count = fake_device_count ();
  return CU_OK;
}

CuResult
cuDeviceGet (CuDevice * device, int ordinal)
{
  FAKE_CUDA_CALL ();
  if (ordinal < 0 || ordinal >= fake_device_count ())
    return CU_INVALID_DEVICE;
  *device = ordinal;
  return CU_OK;
}

CuResult
cuDeviceGetName (char *name, int length, CuDevice device)
{
  FAKE_CUDA_CALL ();
  g_snprintf (name, length, "Simulated GPU %d", device);
  return CU_OK;
}

CuResult
cuDeviceGetUuid (struct CUuuid_st *uuid, CuDevice device)
{
  FAKE_CUDA_CALL ();
  fake_device_uuid (device, uuid);
  return CU_OK;
}

CuResult
cuDeviceGetUuid_v2 (struct CUuuid_st *uuid, CuDevice device)
{
  FAKE_CUDA_CALL ();
  fake_device_uuid (device, uuid);
  return CU_OK;
}

CuResult
cuDeviceTotalMem_v2 (size_t *bytes, CuDevice device)
{
  FAKE_CUDA_CALL ();
  *bytes = fake_device_memory ();
  return CU_OK;
}

CuResult
cuDeviceGetAttribute (int *value, unsigned int which, CuDevice device)
{
  FAKE_CUDA_CALL ();
  switch (which) {
    case CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = 1024;
      break;
    case CU_ATTRIBUTE_MAX_SHARED:
      *value = PLAIN_SHARED;
      break;
    case CU_ATTRIBUTE_MAX_SHARED_OPTIN:
      *value = FAKE_MAX_SHARED;
      break;
    case CU_ATTRIBUTE_DMA_BUF:
      *value = fake_number ("NO_DMABUF", 0) == 0;
      break;
    case CU_ATTRIBUTE_WARP:
      *value = 32;
      break;
    case CU_ATTRIBUTE_MAX_PITCH:
      *value = G_MAXINT;
      break;
    case CU_ATTRIBUTE_MULTIPROCESSORS:
      *value = 4;
      break;
    case CU_ATTRIBUTE_TEXTURE2D_WIDTH:
      *value = 131072;
      break;
    case TEXTURE_ALIGNMENT:
      *value = 512;
      break;
    case CU_ATTRIBUTE_PCI_BUS:
      *value = 0x10 + device;
      break;
    case CU_ATTRIBUTE_CC_MAJOR:
      *value = 9;
      break;
    case CU_ATTRIBUTE_HOST_POINTER_FOR_REGISTERED:
    case CU_ATTRIBUTE_MEMORY_POOLS:
      *value = 1;
      break;
    case CU_ATTRIBUTE_PCI_DEVICE:
    case CU_ATTRIBUTE_PCI_DOMAIN:
    case CU_ATTRIBUTE_CC_MINOR:
      *value = 0;
      break;
    default:
      return CU_INVALID_VALUE;
  }
  return CU_OK;
}

/* --- contexts --- */

CuResult
cuDevicePrimaryCtxRetain (CuContext * context, CuDevice device)
{
  FakeContext *primary = NULL;
  FakeResult result;

  FAKE_CUDA_CALL ();
  if (fake_device_is_broken (device))
    RETURN (FAKE_BROKEN_DEVICE);
  result = fake_device_retain (device, &primary);
  *context = (CuContext) primary;
  RETURN (result);
}

CuResult
cuDevicePrimaryCtxRelease_v2 (CuDevice device)
{
  FAKE_CUDA_CALL ();
  fake_device_release (device, G_STRFUNC);
  return CU_OK;
}

CuResult
cuDevicePrimaryCtxGetState (CuDevice device, unsigned int *flags, int *active)
{
  FAKE_CUDA_CALL ();
  *flags = 0;
  *active = fake_device_is_active (device);
  return CU_OK;
}

/* Contexts beside the primary one, as other libraries make them */
FAKE_API CuResult cuCtxCreate_v2 (CuContext * context, unsigned int flags,
    CuDevice device);
FAKE_API CuResult cuCtxDestroy_v2 (CuContext context);

CuResult
cuCtxCreate_v2 (CuContext * context, unsigned int flags, CuDevice device)
{
  FAKE_CUDA_CALL ();
  if (device < 0 || device >= fake_device_count ())
    return CU_INVALID_DEVICE;
  *context = (CuContext) fake_context_new (device);
  fake_rule (depth < FAKE_MAX_STACK, "contexts that are pushed are popped",
      G_STRFUNC);
  stack[depth++] = *context;
  return CU_OK;
}

CuResult
cuCtxDestroy_v2 (CuContext context)
{
  FAKE_CUDA_CALL ();
  fake_handle_check (context, FAKE_CONTEXT, G_STRFUNC);
  fake_wait_for_device (CONTEXT (context));
  if (depth > 0 && stack[depth - 1] == context)
    depth--;
  fake_context_free (CONTEXT (context));
  return CU_OK;
}

CuResult
cuCtxPushCurrent_v2 (CuContext context)
{
  gint failed;

  fake_check_initialised (G_STRFUNC);
  fake_handle_check (context, FAKE_CONTEXT, G_STRFUNC);
  failed = fake_enter_on (G_STRFUNC, CONTEXT (context));
  if (failed)
    return failed;
  fake_rule (depth < FAKE_MAX_STACK, "contexts that are pushed are popped",
      G_STRFUNC);
  stack[depth++] = context;
  return CU_OK;
}

CuResult
cuCtxPopCurrent_v2 (CuContext * context)
{
  FAKE_CUDA_CALL ();
  fake_rule (depth > 0, "only pushed contexts are popped", G_STRFUNC);
  depth--;
  if (context)                  /* the real one takes NULL, too */
    *context = stack[depth];
  return CU_OK;
}

CuResult
cuCtxSetCurrent (CuContext context)
{
  FAKE_CUDA_CALL ();
  if (context)
    fake_handle_check (context, FAKE_CONTEXT, G_STRFUNC);
  if (depth == 0)
    depth = 1;
  stack[depth - 1] = context;
  return CU_OK;
}

CuResult
cuCtxGetCurrent (CuContext * context)
{
  FAKE_CUDA_CALL ();
  *context = depth > 0 ? stack[depth - 1] : NULL;
  return CU_OK;
}

CuResult
cuCtxGetDevice (CuDevice * device)
{
  FAKE_CUDA_CALL ();
  *device = fake_current (G_STRFUNC)->device;
  return CU_OK;
}

CuResult
cuCtxGetStreamPriorityRange (int *least, int *greatest)
{
  FAKE_CUDA_CALL ();
  fake_current (G_STRFUNC);
  *least = 0;
  *greatest = -5;
  return CU_OK;
}
