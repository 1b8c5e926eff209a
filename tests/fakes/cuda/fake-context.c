/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Devices and contexts of the simulated driver. Each device is a host context
 * of its own; their memory is told apart. */
#include <string.h>

#include "fake.h"

#define MAX_DEVICES 64

static HipMutex lock;
static CuContext primaries[MAX_DEVICES];

static __thread CuContext stack[FAKE_MAX_STACK];
static __thread guint depth;

static gint
count_devices (void)
{
  return CLAMP (fake_number ("FAKE_CUDA_DEVICES", 1), 0, MAX_DEVICES);
}

CuContext
fake_current (const gchar * call)
{
  fake_rule (depth > 0 && stack[depth - 1], "a context is current", call);
  fake_handle_check (stack[depth - 1], FAKE_CONTEXT, call);
  return stack[depth - 1];
}

CuResult
cuInit (unsigned int flags)
{
  FAKE_CALL (TRUE);
  fake_rule (flags == 0, "cuInit takes 0", "cuInit");
  if (count_devices () == 0)
    return CU_NO_DEVICE;
  fake_set_initialised ();
  return CU_OK;
}

CuResult
cuDriverGetVersion (int *version)
{
  FAKE_CALL (TRUE);
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
  FAKE_CALL (FALSE);
  *count = count_devices ();
  return CU_OK;
}

CuResult
cuDeviceGet (CuDevice * device, int ordinal)
{
  FAKE_CALL (FALSE);
  if (ordinal < 0 || ordinal >= count_devices ())
    return CU_INVALID_DEVICE;
  *device = ordinal;
  return CU_OK;
}

CuResult
cuDeviceGetName (char *name, int length, CuDevice device)
{
  FAKE_CALL (FALSE);
  g_snprintf (name, length, "Simulated GPU %d", device);
  return CU_OK;
}

static CuResult
get_uuid (struct CUuuid_st *uuid, CuDevice device)
{
  CuUuid value = { {0} };

  value.bytes[0] = 0x5a;
  value.bytes[15] = (char) device;
  memcpy (uuid, &value, sizeof (value));
  return CU_OK;
}

CuResult
cuDeviceGetUuid (struct CUuuid_st *uuid, CuDevice device)
{
  FAKE_CALL (FALSE);
  return get_uuid (uuid, device);
}

CuResult
cuDeviceGetUuid_v2 (struct CUuuid_st *uuid, CuDevice device)
{
  FAKE_CALL (FALSE);
  return get_uuid (uuid, device);
}

CuResult
cuDeviceTotalMem_v2 (size_t *bytes, CuDevice device)
{
  FAKE_CALL (FALSE);
  *bytes = (size_t) 8 << 30;
  return CU_OK;
}

CuResult
cuDeviceGetAttribute (int *value, unsigned int which, CuDevice device)
{
  FAKE_CALL (FALSE);
  switch (which) {
    case CU_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = 1024;
      break;
    case CU_ATTRIBUTE_MAX_SHARED:
      *value = FAKE_PLAIN_SHARED;
      break;
    case CU_ATTRIBUTE_MAX_SHARED_OPTIN:
      *value = FAKE_MAX_SHARED;
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
  FAKE_CALL (FALSE);
  if (device < 0 || device >= count_devices ())
    return CU_INVALID_DEVICE;
  if (device == fake_number ("FAKE_CUDA_BROKEN", -1))
    return CU_DEVICE_UNAVAILABLE;

  hip_mutex_lock (&lock);
  if (!primaries[device]) {
    primaries[device] = g_new0 (struct CUctx_st, 1);
    primaries[device]->device = device;
    primaries[device]->host = host_context_open ();
    fake_handle_add (primaries[device], FAKE_CONTEXT);
  }
  primaries[device]->retains++;
  *context = primaries[device];
  hip_mutex_unlock (&lock);
  return CU_OK;
}

CuResult
cuDevicePrimaryCtxRelease_v2 (CuDevice device)
{
  CuContext context;

  FAKE_CALL (FALSE);
  hip_mutex_lock (&lock);
  context = primaries[device];
  fake_rule (context && context->retains > 0,
      "a primary context is released as often as it was retained", G_STRFUNC);
  if (--context->retains == 0) {
    fake_handle_remove (context);
    host_context_unref (context->host);
    g_free (context);
    primaries[device] = NULL;
  }
  hip_mutex_unlock (&lock);
  return CU_OK;
}

CuResult
cuDevicePrimaryCtxGetState (CuDevice device, unsigned int *flags, int *active)
{
  FAKE_CALL (FALSE);
  hip_mutex_lock (&lock);
  *flags = 0;
  *active = primaries[device] != NULL;
  hip_mutex_unlock (&lock);
  return CU_OK;
}

CuResult
cuCtxPushCurrent_v2 (CuContext context)
{
  FAKE_CALL (FALSE);
  fake_handle_check (context, FAKE_CONTEXT, G_STRFUNC);
  fake_rule (depth < FAKE_MAX_STACK, "contexts that are pushed are popped",
      G_STRFUNC);
  stack[depth++] = context;
  return CU_OK;
}

CuResult
cuCtxPopCurrent_v2 (CuContext * context)
{
  FAKE_CALL (FALSE);
  fake_rule (depth > 0, "only pushed contexts are popped", G_STRFUNC);
  *context = stack[--depth];
  return CU_OK;
}

CuResult
cuCtxSetCurrent (CuContext context)
{
  FAKE_CALL (FALSE);
  if (context)
    fake_handle_check (context, FAKE_CONTEXT, G_STRFUNC);
  if (depth == 0)
    depth = 1;
  stack[depth - 1] = context;
  return CU_OK;
}

CuResult
cuCtxGetDevice (CuDevice * device)
{
  FAKE_CALL (FALSE);
  *device = fake_current (G_STRFUNC)->device;
  return CU_OK;
}

CuResult
cuCtxGetStreamPriorityRange (int *least, int *greatest)
{
  FAKE_CALL (FALSE);
  fake_current (G_STRFUNC);
  *least = 0;
  *greatest = -5;
  return CU_OK;
}
