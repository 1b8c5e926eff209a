/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a result of the CUDA driver mean to the library?
 *
 * Every failed call is logged with its native name and becomes one code of
 * GST_HIP_ERROR. What makes a context useless for good is DEVICE_LOST: after
 * such a result the driver answers every call with it until the process ends.
 */
#include "nvidia-internal.h"
#include "../../hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_nvidia_debug, "hipnvidia", "HIP NVIDIA backend")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_nvidia_debug ()

typedef struct
{
  CuResult result;
  GstHipError code;
  const gchar *hint;            /* what to do, or NULL */
} Meaning;

/* All others mean the caller's choice, FAILED mostly. */
/* *INDENT-OFF* */
static const Meaning meanings[] = {
  {CU_OUT_OF_MEMORY, GST_HIP_ERROR_OUT_OF_MEMORY,
      "use fewer or smaller buffers, or end what else uses the GPU"},
  {CU_DEINITIALIZED, GST_HIP_ERROR_DEVICE_LOST, "the driver has shut down"},
  {CU_STUB_LIBRARY, GST_HIP_ERROR_UNAVAILABLE,
      "the toolkit's stub was loaded in place of the driver's library"},
  {CU_CALL_REQUIRES_NEWER_DRIVER, GST_HIP_ERROR_UNSUPPORTED,
      "update the NVIDIA driver"},
  {CU_DEVICE_UNAVAILABLE, GST_HIP_ERROR_UNAVAILABLE,
      "another process has the GPU for itself"},
  {CU_NO_DEVICE, GST_HIP_ERROR_UNAVAILABLE, NULL},
  {CU_INVALID_DEVICE, GST_HIP_ERROR_UNAVAILABLE, NULL},
  {CU_DEVICE_NOT_LICENSED, GST_HIP_ERROR_UNAVAILABLE,
      "the virtual GPU has no licence"},
  {CU_ECC_UNCORRECTABLE, GST_HIP_ERROR_DEVICE_LOST,
      "the GPU's memory is faulty"},
  {CU_NVLINK_UNCORRECTABLE, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {CU_JIT_COMPILER_NOT_FOUND, GST_HIP_ERROR_UNAVAILABLE,
      "libnvidia-ptxjitcompiler.so.1 of the driver is missing"},
  {CU_UNSUPPORTED_PTX_VERSION, GST_HIP_ERROR_UNSUPPORTED,
      "the compiler (NVRTC) is newer than the driver and the GPU newer than the "
      "compiler: update either"},
  {CU_ILLEGAL_ADDRESS, GST_HIP_ERROR_DEVICE_LOST,
      "a kernel used memory that is not there"},
  {CU_LAUNCH_TIMEOUT, GST_HIP_ERROR_DEVICE_LOST,
      "a kernel ran longer than the display's watchdog allows"},
  {CU_CONTEXT_IS_DESTROYED, GST_HIP_ERROR_DEVICE_LOST,
      "whoever owned the context destroyed or reset it"},
  {CU_ASSERT, GST_HIP_ERROR_DEVICE_LOST, "an assertion of a kernel failed"},
  {CU_HARDWARE_STACK_ERROR, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {CU_ILLEGAL_INSTRUCTION, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {CU_MISALIGNED_ADDRESS, GST_HIP_ERROR_DEVICE_LOST,
      "a kernel loaded or stored at an address that its type does not allow"},
  {CU_INVALID_ADDRESS_SPACE, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {CU_INVALID_PC, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {CU_LAUNCH_FAILED, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {CU_NOT_PERMITTED, GST_HIP_ERROR_UNAVAILABLE, NULL},
  {CU_NOT_SUPPORTED, GST_HIP_ERROR_UNSUPPORTED, NULL},
  {CU_SYSTEM_NOT_READY, GST_HIP_ERROR_UNAVAILABLE,
      "the driver's services (nvidia-fabricmanager) are not running"},
  {CU_SYSTEM_DRIVER_MISMATCH, GST_HIP_ERROR_UNAVAILABLE,
      "the library and the kernel's driver have different versions: restart the "
      "machine after an update"},
  {CU_COMPAT_NOT_SUPPORTED, GST_HIP_ERROR_UNAVAILABLE,
      "the forward compatibility library does not know this GPU"},
  {CU_MPS_CONNECTION_FAILED, GST_HIP_ERROR_UNAVAILABLE, NULL},
  {CU_MPS_RPC_FAILURE, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {CU_TIMEOUT, GST_HIP_ERROR_TIMEOUT, NULL},
  {CU_UNKNOWN, GST_HIP_ERROR_DEVICE_LOST, NULL},
};
/* *INDENT-ON* */

static const Meaning *
find_meaning (CuResult result)
{
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++) {
    if (meanings[i].result == result)
      return &meanings[i];
  }
  return NULL;
}

gchar *
nvidia_result_text (CuResult result)
{
  const char *name = NULL, *text = NULL;

  /* A driver older than the result knows neither */
  if (nvidia_cuda.cuGetErrorName (result, &name) != CU_OK || !name)
    return g_strdup_printf ("CUDA error %u", result);
  if (nvidia_cuda.cuGetErrorString (result, &text) != CU_OK || !text)
    return g_strdup (name);
  return g_strdup_printf ("%s (%s)", name, text);
}

static gboolean
fail (CuResult result, const gchar * call, GstHipError code,
    const gchar * hint, GError ** error)
{
  g_autofree gchar *text = nvidia_result_text (result);
  const Meaning *meaning = find_meaning (result);

  if (meaning) {
    code = meaning->code;
    if (meaning->hint)
      hint = meaning->hint;
  }
  GST_DEBUG ("%s: %s", call, text);
  g_set_error (error, GST_HIP_ERROR, code, "%s: %s%s%s", call, text,
      hint ? "; " : "", hint ? hint : "");
  return FALSE;
}

gboolean
nvidia_check_as (CuResult result, const gchar * call, GstHipError code,
    const gchar * hint, GError ** error)
{
  return G_LIKELY (result == CU_OK) || fail (result, call, code, hint, error);
}

gboolean
nvidia_check (CuResult result, const gchar * call, GError ** error)
{
  return G_LIKELY (result == CU_OK)
      || fail (result, call, GST_HIP_ERROR_FAILED, NULL, error);
}

gboolean
nvidia_check_wait (CuResult result, const gchar * call, GError ** error)
{
  g_autofree gchar *text = NULL;

  if (G_LIKELY (result == CU_OK))
    return TRUE;
  text = nvidia_result_text (result);
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_DEVICE_LOST, "%s: %s", call,
      text);
  return FALSE;
}

void
nvidia_note (CuResult result, const gchar * call)
{
  if (G_UNLIKELY (result != CU_OK))
    fail (result, call, GST_HIP_ERROR_FAILED, NULL, NULL);
}

GstHipEventState
nvidia_state (CuResult result, const gchar * call, GError ** error)
{
  if (result == CU_OK)
    return GST_HIP_EVENT_STATE_DONE;
  if (result == CU_NOT_READY)
    return GST_HIP_EVENT_STATE_PENDING;

  fail (result, call, GST_HIP_ERROR_FAILED, NULL, error);
  return GST_HIP_EVENT_STATE_FAILED;
}
