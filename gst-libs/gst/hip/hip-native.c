/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which function of which driver does a call like HipMalloc () reach?
 *
 * Each vendor's backend gives one struct of functions that look like HIP's: the
 * driver's own on AMD, its own elsewhere. What a backend has not got is
 * hipErrorNotSupported. Calls go straight through; nothing of what the library
 * knows about order, lifetime and lost devices applies to them.
 *
 * Must not know: what the functions do. Keeps: no driver is loaded before the
 * first call.
 */
#include <dlfcn.h>
#include <string.h>

#include "gsthiperror.h"
#include "hip-context.h"
#include "hip-native.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_native_debug, "hipnative", "HIP native calls")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_native_debug ()

typedef struct
{
  HipResult number;
  const char *name, *text;
} ResultRow;

/* *INDENT-OFF* */
#define ROW(ours, theirs, number, text) { number, #theirs, text },
static const ResultRow result_rows[] = {
  HIP_NATIVE_RESULTS (ROW)
};
#undef ROW
/* *INDENT-ON* */

static const ResultRow *
find_result (HipResult result)
{
  for (guint i = 0; i < G_N_ELEMENTS (result_rows); i++) {
    if (result_rows[i].number == result)
      return &result_rows[i];
  }
  return NULL;
}

const char *
hip_native_result_name (HipResult result)
{
  const ResultRow *row = find_result (result);

  return row ? row->name : NULL;
}

const char *
hip_native_result_text (HipResult result)
{
  const ResultRow *row = find_result (result);

  return row ? row->text : NULL;
}

HipResult
hip_native_result (const GError * error)
{
  if (!error || error->domain != GST_HIP_ERROR)
    return HIP_UNKNOWN;
  switch ((GstHipError) error->code) {
    case GST_HIP_ERROR_UNAVAILABLE:
      return HIP_NO_DEVICE;
    case GST_HIP_ERROR_OUT_OF_MEMORY:
      return HIP_OUT_OF_MEMORY;
    case GST_HIP_ERROR_DEVICE_LOST:
      return HIP_LAUNCH_FAILURE;
    case GST_HIP_ERROR_COMPILE:
      return HIP_INVALID_SOURCE;
    case GST_HIP_ERROR_LAUNCH:
      return HIP_INVALID_CONFIGURATION;
    case GST_HIP_ERROR_UNSUPPORTED:
      return HIP_NOT_SUPPORTED;
    case GST_HIP_ERROR_INVALID:
      return HIP_INVALID_VALUE;
    case GST_HIP_ERROR_TIMEOUT:
      return HIP_LAUNCH_TIME_OUT;
    case GST_HIP_ERROR_FAILED:
      break;
  }
  return HIP_UNKNOWN;
}

/* --- loading --- */

static void
load_one (gpointer library, const gchar * name, gpointer member)
{
  gpointer address = dlsym (library, name);

  memcpy (member, &address, sizeof (address));
}

void
hip_native_load (HipNativeFunctions * functions, gpointer library)
{
  memset (functions, 0, sizeof (*functions));
#define LOAD(name, arguments, ...) \
  load_one (library, "hip" #name, &functions->name);
  /* *INDENT-OFF* */
  HIP_NATIVE_FUNCTIONS (LOAD)
  LOAD (MemcpyParam2DAsync,)
  LOAD (GetErrorName,)
  LOAD (GetErrorString,)
  LOAD (GetDeviceProperties,)
  LOAD (GetDevicePropertiesR0600,)
  /* *INDENT-ON* */
#undef LOAD
  functions->takes_r0600 = functions->GetDevicePropertiesR0600 != NULL;
}

static const HipBackend *
find_backend (GstHipVendor vendor)
{
  const HipBackend *const *list = hip_backend_list ();

  for (guint i = 0; list[i]; i++) {
    if (list[i]->vendor == vendor)
      return list[i];
  }
  return NULL;
}

const HipNativeFunctions *
hip_native_get (GstHipVendor vendor, HipResult * result)
{
  static gconstpointer cache[4];        /* atomic, by vendor */
  const HipNativeFunctions *functions = NULL;
  g_autoptr (GError) error = NULL;
  const HipBackend *backend;
  HipResult failure = HIP_NOT_SUPPORTED;

  if ((guint) vendor < G_N_ELEMENTS (cache))
    functions = g_atomic_pointer_get (&cache[vendor]);
  if (functions)
    return functions;

  backend = find_backend (vendor);
  if (!backend) {
    GST_ERROR ("there is no backend for vendor %d", (gint) vendor);
    failure = HIP_INVALID_VALUE;
  } else if (!hip_backend_probe (backend, &error)) {
    GST_ERROR ("%s", error->message);
    failure = HIP_NO_DEVICE;
  } else if (backend->native) {
    functions = backend->native ();
    g_atomic_pointer_set (&cache[vendor], (gpointer) functions);
  }
  if (!functions && result)
    *result = failure;

  return functions;
}

/* --- calls --- */

#define CALL(name, arguments, ...) \
HipResult \
Hip##name (GstHipVendor vendor, __VA_ARGS__) \
{ \
  HipResult result = HIP_NOT_SUPPORTED; \
  const HipNativeFunctions *functions = hip_native_get (vendor, &result); \
\
  return functions && functions->name ? functions->name arguments : result; \
}
/* *INDENT-OFF* */
HIP_NATIVE_FUNCTIONS (CALL)
/* *INDENT-ON* */
#undef CALL

const char *
HipGetErrorName (GstHipVendor vendor, HipResult result)
{
  const HipNativeFunctions *functions = hip_native_get (vendor, NULL);
  const char *name = hip_native_result_name (result);

  if (functions && functions->GetErrorName)
    return functions->GetErrorName (result);
  return name ? name : "hipErrorUnknown";
}

const char *
HipGetErrorString (GstHipVendor vendor, HipResult result)
{
  const HipNativeFunctions *functions = hip_native_get (vendor, NULL);
  const char *text = hip_native_result_text (result);

  if (functions && functions->GetErrorString)
    return functions->GetErrorString (result);
  return text ? text : "an error that HIP does not know";
}

HipResult
HipGetDeviceProperties (GstHipVendor vendor, void *properties, int device)
{
  return hip_native_properties (vendor, FALSE, properties, device);
}

HipResult
HipGetDevicePropertiesR0600 (GstHipVendor vendor, void *properties, int device)
{
  return hip_native_properties (vendor, TRUE, properties, device);
}

/* --- copies: the driver's numbers of memory types for the program's --- */

static const struct
{
  guint r0000, r0600;
} memory_types[] = {
  {HIP_MEMORY_HOST_R0000, HIP_MEMORY_HOST_R0600},
  {HIP_MEMORY_DEVICE_R0000, HIP_MEMORY_DEVICE_R0600},
  {HIP_MEMORY_ARRAY_R0000, HIP_MEMORY_ARRAY_R0600},
  {HIP_MEMORY_UNIFIED_R0000, HIP_MEMORY_UNIFIED_R0600},
  {HIP_MEMORY_MANAGED_R0000, HIP_MEMORY_MANAGED_R0600},
};

static gboolean
translate_type (guint * type, gboolean to_r0600)
{
  for (guint i = 0; i < G_N_ELEMENTS (memory_types); i++) {
    guint from = to_r0600 ? memory_types[i].r0000 : memory_types[i].r0600;

    if (from != *type)
      continue;
    *type = to_r0600 ? memory_types[i].r0600 : memory_types[i].r0000;
    return TRUE;
  }
  return FALSE;
}

static HipResult
copy_2d (GstHipVendor vendor, gboolean r0600, const struct hip_Memcpy2D *given,
    HipStreamHandle stream)
{
  HipResult result = HIP_NOT_SUPPORTED;
  const HipNativeFunctions *functions = hip_native_get (vendor, &result);
  HipMemcpy2D copy;

  if (!functions || !functions->MemcpyParam2DAsync)
    return result;
  if (!given)
    return HIP_INVALID_VALUE;
  if (functions->takes_r0600 == r0600)
    return functions->MemcpyParam2DAsync (given, stream);

  memcpy (&copy, given, sizeof (copy));
  if (!translate_type (&copy.src_type, !r0600)
      || !translate_type (&copy.dst_type, !r0600))
    return HIP_INVALID_VALUE;
  return functions->MemcpyParam2DAsync ((const struct hip_Memcpy2D *) &copy,
      stream);
}

HipResult
HipMemcpyParam2DAsync (GstHipVendor vendor, const struct hip_Memcpy2D *copy,
    HipStreamHandle stream)
{
  return copy_2d (vendor, FALSE, copy, stream);
}

HipResult
HipMemcpyParam2DAsyncR0600 (GstHipVendor vendor,
    const struct hip_Memcpy2D *copy, HipStreamHandle stream)
{
  return copy_2d (vendor, TRUE, copy, stream);
}
