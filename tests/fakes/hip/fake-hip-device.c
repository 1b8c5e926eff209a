/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Devices of the simulated HIP, and what is HIP's own in the common driver:
 * numbers of results, a current device in each thread, device 0 where none was
 * chosen. Tests use another one, so that no choice that is missing goes well.
 *
 * A device is in use from its first choice to the process's end; a broken one
 * can be chosen, as HIP has it, and does nothing. */
#include <string.h>

#include "fake-hip.h"

#define VERSION(major, minor, patch) \
  ((major) * 10000000 + (minor) * 100000 + (patch))

#ifdef FAKE_HIP_ALONE
/* HIPRTC in a library of its own */
#define CURRENT NULL
#define LOSE NULL
#define RUNS NULL
#else
#define CURRENT current
#define LOSE fake_device_lose
#define RUNS runs

static __thread FakeContext *chosen;

/* Of a device that there is */
static FakeContext *
use_device (gint device)
{
  static HipMutex lock;
  static FakeContext *used[FAKE_MAX_DEVICES];
  FakeContext *context;

  hip_mutex_lock (&lock);
  if (!used[device])
    fake_device_retain (device, &used[device]);
  context = used[device];
  hip_mutex_unlock (&lock);
  return context;
}

static FakeContext *
current (void)
{
  if (!chosen && fake_device_count () > 0)
    chosen = use_device (0);
  return chosen;
}

static const gchar *
arch (void)
{
  const gchar *wish = fake_variable ("ARCH");

  return wish ? wish : "gfx90a:sramecc+:xnack-";
}

static gboolean
runs (guint32 flags)
{
  return amd_code_runs_on (flags, amd_code_flags (arch ()));
}
#endif

/* Waits, queries and choosing a device fail only where the device did; other
 * calls leave it alone but for some results. */
static gboolean
loses_device (const gchar * name, gint result)
{
  static const gchar *const waits[] = { "hipSetDevice", "hipEventQuery",
    "hipEventSynchronize", "hipStreamQuery", "hipStreamSynchronize", NULL
  };

  return fake_name_begins (name, waits) || result == AMD_UNKNOWN
      || result == AMD_ILLEGAL_ADDRESS || result == AMD_LAUNCH_FAILURE
      || result == AMD_LAUNCH_TIMEOUT || result == AMD_ASSERT
      || result == AMD_ECC_UNCORRECTABLE || result == AMD_CONTEXT_IS_DESTROYED;
}

static const gchar *const stateless[] = { "hipSetDevice", "hipGetDevice",
  "hipDeviceGetAttribute", "hipDeviceGetUuid", "hipDriver", "hipRuntime",
  "hipInit", "hiprtc", NULL
};

const FakeFamily fake_family = {
  .prefix = "FAKE_HIP",
  .results = {
        [FAKE_OK] = AMD_OK,
        [FAKE_NOT_READY] = AMD_NOT_READY,
        [FAKE_BAD_VALUE] = AMD_INVALID_VALUE,
        [FAKE_BAD_DEVICE] = AMD_INVALID_DEVICE,
        [FAKE_BAD_HANDLE] = AMD_INVALID_HANDLE,
        [FAKE_NO_MEMORY] = AMD_OUT_OF_MEMORY,
        [FAKE_BROKEN_DEVICE] = AMD_NO_DEVICE,
        [FAKE_BAD_IMAGE] = AMD_INVALID_IMAGE,
        [FAKE_OTHER_GPU] = AMD_NO_BINARY_FOR_GPU,
        [FAKE_NOT_FOUND] = AMD_NOT_FOUND,
        [FAKE_LOCKED_ALREADY] = AMD_HOST_MEMORY_ALREADY_REGISTERED,
        [FAKE_FAILED] = AMD_LAUNCH_FAILURE,
      },
  .failure = AMD_UNKNOWN,
  .plain_shared = FAKE_MAX_SHARED,
  .stateless = stateless,
  .loses_device = loses_device,
  .current = CURRENT,
  .lose = LOSE,
  .runs = RUNS,
};

#ifndef FAKE_HIP_ALONE

/* --- the library --- */

AmdResult
hipInit (unsigned int flags)
{
  FAKE_CALL ();
  fake_rule (flags == 0, "the flags are 0", G_STRFUNC);
  return fake_device_count () > 0 ? AMD_OK : AMD_NO_DEVICE;
}

static int
version (void)
{
#if FAKE_HIP_MAJOR == 5
  return VERSION (5, 7, 31921);
#elif FAKE_HIP_MAJOR == 6
  return VERSION (6, 4, 43484);
#else
  return VERSION (7, 0, 51831);
#endif
}

AmdResult
hipDriverGetVersion (int *number)
{
  FAKE_CALL ();
  *number = version ();
  return AMD_OK;
}

AmdResult
hipRuntimeGetVersion (int *number)
{
  FAKE_CALL ();
  *number = version ();
  return AMD_OK;
}

const char *
hipGetErrorName (AmdResult result)
{
#define NAME(ours, theirs, value) {value, #theirs},
  static const struct
  {
    AmdResult result;
    const gchar *name;
  } names[] = {
    AMD_VALUES (NAME)
  };
#undef NAME

  if (result == AMD_OK)
    return "hipSuccess";
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    if (names[i].result == result
        && g_str_has_prefix (names[i].name, "hipError"))
      return names[i].name;
  }
  return "hipErrorUnknown";
}

const char *
hipGetErrorString (AmdResult result)
{
  return "simulated";
}

/* --- devices --- */

AmdResult
hipGetDeviceCount (int *count)
{
  FAKE_CALL ();
  *count = fake_device_count ();
  return *count > 0 ? AMD_OK : AMD_NO_DEVICE;
}

AmdResult
hipGetDevice (AmdDevice * device)
{
  FAKE_CALL ();
  *device = current ()? current ()->device : 0;
  return AMD_OK;
}

AmdResult
hipSetDevice (AmdDevice device)
{
  FakeContext *wanted;
  gint failed;

  if (device < 0 || device >= fake_device_count ())
    return AMD_INVALID_DEVICE;
  wanted = use_device (device);
  failed = fake_enter_on (G_STRFUNC, wanted);
  if (failed)
    return failed;
  chosen = wanted;
  return AMD_OK;
}

AmdResult
hipDeviceGetUuid (struct hipUUID_t *uuid, AmdDevice device)
{
  FAKE_CALL ();
  fake_device_uuid (device, uuid);
  return AMD_OK;
}

/* A struct of either kind, by the names that its header gives its members */
#define FILL(properties, bytes_member, arch_member, device)                    \
  G_STMT_START {                                                               \
    memset (properties, 0, sizeof (*(properties)));                            \
    g_snprintf ((properties)->name, sizeof ((properties)->name),               \
        "Simulated GPU %d", device);                                           \
    (properties)->bytes_member = fake_device_memory ();                        \
    g_strlcpy ((properties)->arch_member, arch (),                             \
        sizeof ((properties)->arch_member));                                   \
  } G_STMT_END

#if FAKE_HIP_MAJOR <= 6
AmdResult
hipGetDeviceProperties (struct hipDeviceProp_t *native, AmdDevice device)
{
  FAKE_CALL ();
  if (device < 0 || device >= fake_device_count ())
    return AMD_INVALID_DEVICE;
#if defined (FAKE_HAVE_HIP_H) && FAKE_HIP_MAJOR == 5
  FILL (native, totalGlobalMem, gcnArchName, device);
#else
  FILL ((AmdProperties *) native, memory_bytes, arch, device);
#endif
  return AMD_OK;
}
#endif

#if FAKE_HIP_MAJOR >= 6
AmdResult
hipGetDevicePropertiesR0600 (struct hipDeviceProp_tR0600 *native,
    AmdDevice device)
{
  FAKE_CALL ();
  if (device < 0 || device >= fake_device_count ())
    return AMD_INVALID_DEVICE;
#if defined (FAKE_HAVE_HIP_H) && HIP_VERSION_MAJOR >= 6
  FILL (native, totalGlobalMem, gcnArchName, device);
#else
  FILL ((AmdPropertiesR0600 *) native, memory_bytes, arch, device);
#endif
  return AMD_OK;
}
#endif

AmdResult
hipDeviceGetAttribute (int *value, unsigned int which, AmdDevice device)
{
  FAKE_CALL ();
  if (device < 0 || device >= fake_device_count ())
    return AMD_INVALID_DEVICE;
  switch (which) {
    case AMD_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = 1024;
      break;
    case AMD_ATTRIBUTE_MAX_SHARED:
      *value = FAKE_MAX_SHARED;
      break;
    case AMD_ATTRIBUTE_MAX_PITCH:
      *value = G_MAXINT;
      break;
    case AMD_ATTRIBUTE_MULTIPROCESSORS:
      *value = 4;
      break;
    case AMD_ATTRIBUTE_TEXTURE2D_WIDTH:
      *value = 16384;
      break;
    case AMD_ATTRIBUTE_STREAM_WAIT_VALUE:
      *value = fake_number ("WAIT_VALUE", 1);
      break;
    case AMD_ATTRIBUTE_PCI_BUS:
      *value = 0x10 + device;
      break;
    case AMD_ATTRIBUTE_PCI_DEVICE:
    case AMD_ATTRIBUTE_PCI_DOMAIN:
    case AMD_ATTRIBUTE_IMAGE_SUPPORT:  /* as an MI200 has none */
      *value = 0;
      break;
    default:
      return AMD_INVALID_VALUE;
  }
  return AMD_OK;
}

AmdResult
hipDeviceGetStreamPriorityRange (int *least, int *greatest)
{
  FAKE_CALL ();
  fake_current (G_STRFUNC);
  *least = 1;
  *greatest = -1;
  return AMD_OK;
}

#endif
