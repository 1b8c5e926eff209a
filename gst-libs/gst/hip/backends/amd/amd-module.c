/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does compiled code become kernels on an AMD GPU, and how is one started?
 *
 * The runtime is given bytes without their number: what it gets is checked to
 * hold together first. That is one code object, as HIPRTC makes it, or a bundle
 * of them for several architectures, as hipcc does.
 */
#include <string.h>

#include "amd-internal.h"
#include "../../hip-elf.h"

#define ELF_MACHINE_AMDGPU 224
#define BUNDLE_MAGIC "__CLANG_OFFLOAD_BUNDLE__"

/* --- loading --- */

/* Behind the magic: a number of entries, each with offset and size of its
 * object, length of its name, and name; 64-bit numbers, little-endian */
static gboolean
check_bundle (const guint8 * data, gsize size)
{
  gsize at = strlen (BUNDLE_MAGIC);
  guint64 n;

  if (size < at + sizeof (n) || memcmp (data, BUNDLE_MAGIC, at) != 0)
    return FALSE;
  memcpy (&n, data + at, sizeof (n));
  n = GUINT64_FROM_LE (n);
  at += sizeof (n);
  for (guint64 i = 0; i < n; i++) {
    guint64 entry[3];

    if (size - at < sizeof (entry))
      return FALSE;
    memcpy (entry, data + at, sizeof (entry));
    for (guint j = 0; j < 3; j++)
      entry[j] = GUINT64_FROM_LE (entry[j]);
    at += sizeof (entry);
    if (entry[0] > size || entry[1] > size - entry[0] || entry[2] > size - at)
      return FALSE;
    at += entry[2];
  }
  return n > 0;
}

HipNativeModule
amd_module_load (HipNativeContext context, GBytes * binary, GError ** error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (binary, &size);
  AmdHipModule module = NULL;
  AmdResult result;

  if (!hip_elf_is_whole (data, size, ELF_MACHINE_AMDGPU)
      && !check_bundle (data, size)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "The binary of %" G_GSIZE_FORMAT " bytes is no module of an AMD GPU",
        size);
    return NULL;
  }
  result = amd_hip.hipModuleLoadData (&module, data);
  if (result == AMD_NO_BINARY_FOR_GPU || result == AMD_INVALID_IMAGE
      || result == AMD_INVALID_KERNEL_FILE || result == AMD_INVALID_SOURCE
      || result == AMD_SHARED_OBJECT_INIT_FAILED) {
    amd_check_as (result, "hipModuleLoadData", GST_HIP_ERROR_INVALID,
        "it was compiled for another GPU or is damaged", error);
    return NULL;
  }
  return amd_check (result, "hipModuleLoadData", error) ? module : NULL;
}

void
amd_module_unload (HipNativeContext context, HipNativeModule module)
{
  hip_heap_retire_module (((AmdContext *) context)->heap, module);
}

HipNativeFunction
amd_module_get_function (HipNativeContext context, HipNativeModule module,
    const gchar * name, GError ** error)
{
  AmdHipFunction function = NULL;
  AmdResult result = amd_hip.hipModuleGetFunction (&function, module, name);

  if (result == AMD_NOT_FOUND) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "The module has no kernel \"%s\"", name);
    return NULL;
  }
  return amd_check (result, "hipModuleGetFunction", error) ? function : NULL;
}

/* Copies on the default stream, which no stream of ours waits for */
gboolean
amd_module_read_global (HipNativeContext context, HipNativeModule module,
    const gchar * name, gpointer data, gsize * size, GError ** error)
{
  gsize capacity = *size, have = 0;
  gpointer address = NULL;
  AmdResult result = amd_hip.hipModuleGetGlobal (&address, &have, module, name);

  if (result == AMD_NOT_FOUND) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "The module has no symbol \"%s\"", name);
    return FALSE;
  }
  if (!amd_check (result, "hipModuleGetGlobal", error))
    return FALSE;
  *size = have;
  capacity = MIN (capacity, have);
  return !data || capacity == 0
      || AMD_CALL (error, hipMemcpyDtoH, data, address, capacity);
}

/* --- starting --- */

/* Dynamic shared memory up to the device's limit needs no leave here. */
gboolean
amd_launch (HipNativeContext context, HipNativeStream stream,
    HipNativeFunction function, const HipLaunch * launch, GError ** error)
{
  return amd_check_as (amd_hip.hipModuleLaunchKernel (function,
          launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
          launch->block[1], launch->block[2], launch->shared_bytes,
          ((AmdStream *) stream)->handle, launch->params, NULL),
      "hipModuleLaunchKernel", GST_HIP_ERROR_LAUNCH,
      "use smaller blocks, a smaller grid or less shared memory", error);
}
