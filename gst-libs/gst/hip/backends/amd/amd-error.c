/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a result of the HIP runtime mean to the library?
 *
 * Every failed call is logged with its native name and becomes one code of
 * GST_HIP_ERROR. HIP says little about failed devices: besides the results that
 * name a fault, those that mean nothing in particular are one where a call only
 * waits for work that was queued well.
 */
#include "amd-internal.h"
#include "../../hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_amd_debug, "hipamd", "HIP AMD backend")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_amd_debug ()

typedef struct
{
  AmdResult result;
  GstHipError code;
  const gchar *hint;            /* what to do, or NULL */
} Meaning;

/* All others mean the caller's choice, FAILED mostly. */
/* *INDENT-OFF* */
static const Meaning meanings[] = {
  {AMD_OUT_OF_MEMORY, GST_HIP_ERROR_OUT_OF_MEMORY,
      "use fewer or smaller buffers, or end what else uses the GPU"},
  {AMD_DEINITIALIZED, GST_HIP_ERROR_DEVICE_LOST, "the runtime has shut down"},
  {AMD_INSUFFICIENT_DRIVER, GST_HIP_ERROR_UNAVAILABLE,
      "the kernel's driver (amdgpu) is too old for this ROCm"},
  {AMD_NO_DEVICE, GST_HIP_ERROR_UNAVAILABLE, NULL},
  {AMD_INVALID_DEVICE, GST_HIP_ERROR_UNAVAILABLE, NULL},
  {AMD_ECC_UNCORRECTABLE, GST_HIP_ERROR_DEVICE_LOST,
      "the GPU's memory is faulty"},
  {AMD_ILLEGAL_ADDRESS, GST_HIP_ERROR_DEVICE_LOST,
      "a kernel used memory that is not there"},
  {AMD_LAUNCH_TIMEOUT, GST_HIP_ERROR_DEVICE_LOST,
      "a kernel ran longer than the driver allows"},
  {AMD_CONTEXT_IS_DESTROYED, GST_HIP_ERROR_DEVICE_LOST,
      "somebody has reset the device"},
  {AMD_ASSERT, GST_HIP_ERROR_DEVICE_LOST, "an assertion of a kernel failed"},
  {AMD_LAUNCH_FAILURE, GST_HIP_ERROR_DEVICE_LOST, NULL},
  {AMD_NOT_SUPPORTED, GST_HIP_ERROR_UNSUPPORTED, NULL},
};
/* *INDENT-ON* */

static const Meaning *
find_meaning (AmdResult result)
{
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++) {
    if (meanings[i].result == result)
      return &meanings[i];
  }
  return NULL;
}

gchar *
amd_result_text (AmdResult result)
{
  const gchar *name = amd_hip.hipGetErrorName (result);
  const gchar *text = amd_hip.hipGetErrorString (result);

  /* A library older than the result knows neither, and tells by its number */
  if (!name || !*name)
    return g_strdup_printf ("HIP error %u", result);
  if (!text || !*text || g_str_equal (text, name))
    return g_strdup_printf ("%s (%u)", name, result);
  return g_strdup_printf ("%s (%s)", name, text);
}

static gboolean
fail (AmdResult result, const gchar * call, GstHipError code,
    const gchar * hint, GError ** error)
{
  g_autofree gchar *text = amd_result_text (result);
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
amd_check_as (AmdResult result, const gchar * call, GstHipError code,
    const gchar * hint, GError ** error)
{
  return G_LIKELY (result == AMD_OK) || fail (result, call, code, hint, error);
}

gboolean
amd_check (AmdResult result, const gchar * call, GError ** error)
{
  return G_LIKELY (result == AMD_OK)
      || fail (result, call, GST_HIP_ERROR_FAILED, NULL, error);
}

gboolean
amd_check_wait (AmdResult result, const gchar * call, GError ** error)
{
  gboolean vague = result == AMD_UNKNOWN || result == AMD_RUNTIME_MEMORY
      || result == AMD_RUNTIME_OTHER;

  return amd_check_as (result, call,
      vague ? GST_HIP_ERROR_DEVICE_LOST : GST_HIP_ERROR_FAILED,
      vague ? "what was queued has failed; the kernel's log (dmesg) may say why"
      : NULL, error);
}

void
amd_note (AmdResult result, const gchar * call)
{
  if (G_UNLIKELY (result != AMD_OK))
    fail (result, call, GST_HIP_ERROR_FAILED, NULL, NULL);
}

GstHipEventState
amd_state (AmdResult result, const gchar * call, GError ** error)
{
  if (result == AMD_OK)
    return GST_HIP_EVENT_STATE_DONE;
  if (result == AMD_NOT_READY)
    return GST_HIP_EVENT_STATE_PENDING;

  amd_check_wait (result, call, error);
  return GST_HIP_EVENT_STATE_FAILED;
}
