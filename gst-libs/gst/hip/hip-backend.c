/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which backends are there, which of them work, and which one is meant?
 *
 * The registry is one list in order of preference; a backend that a build
 * leaves out is simply not in it. Each is probed once per process, on first
 * use, never when a plugin is loaded. A choice that somebody made (arguments,
 * environment) is met or is an error that says why; only where nobody chose is
 * there a preference, and falling to the CPU is said once.
 *
 * Must not know: contexts, or what a backend does.
 */
#include "hip-context.h"
#include "gsthiperror.h"
#include "gsthip-enumtypes.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_device_debug, "hipdevice", "HIP devices")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_device_debug ()

#define ENV_VENDOR "GST_HIP_VENDOR"
#define ENV_DEVICE "GST_HIP_DEVICE"

/* Preference: AMD, NVIDIA, the host last. */
static const HipBackend *const backends[] = {
  &hip_backend_amd,
  &hip_backend_nvidia,
  &hip_backend_host,
  NULL
};

typedef struct
{
  gboolean done;
  GError *error;                /* kept for the life of the process */
} ProbeResult;

static HipMutex probe_lock;
static ProbeResult probe_results[G_N_ELEMENTS (backends)];

typedef struct
{
  const gchar *name;
  gsize offset;
} RequiredSlot;

/* *INDENT-OFF* */
#define SLOT(name) { #name, G_STRUCT_OFFSET (HipBackend, name) }
static const RequiredSlot required_slots[] = {
  SLOT (name), SLOT (probe), SLOT (device_count), SLOT (device_info),
  SLOT (describe), SLOT (context_open), SLOT (context_close),
  SLOT (context_native), SLOT (context_enter), SLOT (context_leave),
  SLOT (context_set_current), SLOT (memory_alloc), SLOT (memory_free),
  SLOT (host_register), SLOT (host_unregister), SLOT (host_device_address),
  SLOT (stream_new), SLOT (stream_free), SLOT (stream_native),
  SLOT (stream_query), SLOT (stream_synchronize), SLOT (stream_wait_event),
  SLOT (stream_copy_2d), SLOT (stream_fill), SLOT (event_new),
  SLOT (event_free), SLOT (event_record), SLOT (event_query),
  SLOT (event_synchronize), SLOT (event_elapsed), SLOT (compiler_id),
  SLOT (translate_options), SLOT (compile), SLOT (module_load),
  SLOT (module_unload), SLOT (module_get_function),
  SLOT (module_read_global), SLOT (launch),
};
#undef SLOT
/* *INDENT-ON* */

const HipBackend *const *
hip_backend_list (void)
{
  return backends;
}

const gchar *
hip_vendor_nick (GstHipVendor vendor)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  const GEnumValue *value = g_enum_get_value (klass, vendor);

  return value ? value->value_nick : "invalid";
}

static gboolean
vendor_from_nick (const gchar * nick, GstHipVendor * vendor)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  const GEnumValue *value = g_enum_get_value_by_nick (klass, nick);

  if (value)
    *vendor = value->value;

  return value != NULL;
}

static gboolean
backend_check_slots (const HipBackend * backend, GError ** error)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (required_slots); i++) {
    const guint8 *slot = (const guint8 *) backend + required_slots[i].offset;

    if (*(gpointer const *) slot)
      continue;
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "the %s backend of this build is incomplete: it has no %s",
        hip_vendor_nick (backend->vendor), required_slots[i].name);
    return FALSE;
  }

  return TRUE;
}

gboolean
hip_backend_probe (const HipBackend * backend, GError ** error)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&probe_lock);
  ProbeResult *result = NULL;
  guint i;

  for (i = 0; backends[i]; i++) {
    if (backends[i] == backend)
      result = &probe_results[i];
  }
  g_assert (result != NULL);

  /* The one slot that runs with a lock held: nothing else may start before it
   * has ended, and it calls nothing of ours. */
  if (!result->done) {
    result->done = TRUE;
    if (!backend_check_slots (backend, &result->error)
        || !backend->probe (&result->error))
      GST_INFO ("%s: %s", hip_vendor_nick (backend->vendor),
          result->error->message);
    else
      GST_INFO ("%s: loaded, %u devices", backend->name,
          backend->device_count ());
  }
  if (!result->error)
    return TRUE;

  if (error)
    *error = g_error_copy (result->error);

  return FALSE;
}

/* Usable and has a device with that id (-1: any device) */
static gboolean
backend_has_device (const HipBackend * backend, gint device_id, GError ** error)
{
  guint count;

  if (!hip_backend_probe (backend, error))
    return FALSE;

  count = backend->device_count ();
  if (count == 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "the %s driver has no device", backend->name);
    return FALSE;
  }
  if (device_id >= 0 && (guint) device_id >= count) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "there is no %s device %d: the driver has %u, counted from 0",
        backend->name, device_id, count);
    return FALSE;
  }

  return TRUE;
}

static const HipBackend *
backend_of_vendor (GstHipVendor vendor, GError ** error)
{
  guint i;

  for (i = 0; backends[i]; i++) {
    if (backends[i]->vendor == vendor)
      return backends[i];
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "this build has no backend for vendor %s", hip_vendor_nick (vendor));

  return NULL;
}

/* Nobody chose a vendor. */
static const HipBackend *
choose_automatically (gint device_id, GError ** error)
{
  static gint warned;
  g_autoptr (GString) reasons = g_string_new (NULL);
  guint i;

  for (i = 0; backends[i]; i++) {
    g_autoptr (GError) reason = NULL;

    if (!backend_has_device (backends[i], device_id, &reason)) {
      g_string_append_printf (reasons, "%s%s", reasons->len ? "; " : "",
          reason->message);
      continue;
    }
    if (backends[i]->vendor == GST_HIP_VENDOR_HOST
        && g_atomic_int_compare_and_exchange (&warned, 0, 1))
      GST_WARNING ("no usable GPU (%s): the CPU is the device",
          reasons->len ? reasons->str : "this build has no GPU backend");
    return backends[i];
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "no usable device: %s", reasons->str);

  return NULL;
}

/* Fills in from the environment what the caller left open. */
static gboolean
apply_environment (GstHipVendor * vendor, gint * device_id, GError ** error)
{
  const gchar *env_vendor = g_getenv (ENV_VENDOR);
  const gchar *env_device = g_getenv (ENV_DEVICE);
  GstHipVendor vendor_there = GST_HIP_VENDOR_UNKNOWN;

  if (*vendor != GST_HIP_VENDOR_UNKNOWN && *device_id >= 0)
    return TRUE;

  if (env_vendor && *env_vendor && !vendor_from_nick (env_vendor,
          &vendor_there)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "%s is \"%s\": amd, nvidia, host or unknown is meant", ENV_VENDOR,
        env_vendor);
    return FALSE;
  }
  /* A device number belongs to the vendor it was written for. */
  if (*device_id < 0 && env_device && *env_device
      && (*vendor == GST_HIP_VENDOR_UNKNOWN || *vendor == vendor_there
          || vendor_there == GST_HIP_VENDOR_UNKNOWN)) {
    guint64 value;

    if (!g_ascii_string_to_unsigned (env_device, 10, 0, G_MAXINT, &value, NULL)) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
          "%s is \"%s\": a device number from 0 is meant", ENV_DEVICE,
          env_device);
      return FALSE;
    }
    *device_id = value;
  }
  if (*vendor == GST_HIP_VENDOR_UNKNOWN)
    *vendor = vendor_there;

  return TRUE;
}

const HipBackend *
hip_backend_choose (GstHipVendor vendor, gint device_id, guint * chosen_id,
    GError ** error)
{
  const HipBackend *backend;

  if (!apply_environment (&vendor, &device_id, error))
    return NULL;

  if (vendor == GST_HIP_VENDOR_UNKNOWN) {
    backend = choose_automatically (device_id, error);
  } else {
    backend = backend_of_vendor (vendor, error);
    if (backend && !backend_has_device (backend, device_id, error))
      backend = NULL;
  }
  if (backend)
    *chosen_id = MAX (device_id, 0);

  return backend;
}

const HipBackend *
hip_backend_choose_next (GstHipVendor vendor, gint device_id,
    const HipBackend * backend, guint * id)
{
  guint i;

  if (!apply_environment (&vendor, &device_id, NULL))
    return NULL;

  if (device_id < 0 && *id + 1 < backend->device_count ()) {
    (*id)++;
    return backend;
  }
  if (vendor != GST_HIP_VENDOR_UNKNOWN)
    return NULL;

  for (i = 0; backends[i] != backend; i++);
  for (i++; backends[i]; i++) {
    if (backend_has_device (backends[i], device_id, NULL)) {
      *id = MAX (device_id, 0);
      return backends[i];
    }
  }

  return NULL;
}

const HipBackend *
hip_backend_find (GstHipVendor vendor, GError ** error)
{
  const HipBackend *backend;
  guint unused;

  if (vendor == GST_HIP_VENDOR_UNKNOWN)
    return hip_backend_choose (vendor, -1, &unused, error);

  backend = backend_of_vendor (vendor, error);
  if (backend && !hip_backend_probe (backend, error))
    backend = NULL;

  return backend;
}
