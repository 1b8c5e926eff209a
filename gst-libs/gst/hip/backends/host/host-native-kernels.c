/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* HIP's functions for kernels on the host device: modules, launches.
 *
 * Streams and their rules are host-native.c. */
#include <elf.h>
#include <link.h>
#include <string.h>

#include "host-native.h"
#include "../../hip-native-properties.h"

/* A module comes without its size. It is a shared object, whose compiler and
 * linker put the table of sections last. */
static gsize
size_of_image (const void *image)
{
  ElfW (Ehdr) header;

  memcpy (&header, image, SELFMAG);
  if (memcmp (header.e_ident, ELFMAG, SELFMAG) != 0)
    return 0;
  memcpy (&header, image, sizeof (header));
  return header.e_shoff + (gsize) header.e_shnum * header.e_shentsize;
}

HipResult
host_hip_module_load (HipModuleHandle * module, const void *image)
{
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;
  gsize size;

  if (!module || !image)
    return HIP_INVALID_VALUE;
  size = size_of_image (image);
  if (size == 0)
    return HIP_INVALID_IMAGE;
  bytes = g_bytes_new_static (image, size);
  *module = host_module_load (host_native_context (), bytes, &error);
  if (*module)
    return HIP_OK;
  g_clear_error (&error);
  return HIP_INVALID_IMAGE;
}

HipResult
host_hip_module_unload (HipModuleHandle module)
{
  if (!module)
    return HIP_INVALID_HANDLE;
  host_module_unload (host_native_context (), (HipNativeModule) module);
  return HIP_OK;
}

HipResult
host_hip_module_function (HipFunctionHandle * function,
    HipModuleHandle module, const char *name)
{
  GError *error = NULL;

  if (!function || !name)
    return HIP_INVALID_VALUE;
  if (!module)
    return HIP_INVALID_HANDLE;
  *function = host_module_get_function (host_native_context (),
      (HipNativeModule) module, name, &error);
  if (*function)
    return HIP_OK;
  g_clear_error (&error);
  return HIP_NOT_FOUND;
}

static gboolean
is_shape_possible (const HipLaunch * launch)
{
  int shared = 0, threads = 0;
  guint64 block = (guint64) launch->block[0] * launch->block[1];

  host_hip_attribute (&shared, HIP_ATTRIBUTE_SHARED_BYTES, 0);
  host_hip_attribute (&threads, HIP_ATTRIBUTE_THREADS_PER_BLOCK, 0);
  return launch->grid[0] > 0 && launch->grid[0] <= HOST_NATIVE_MAX_GRID_X
      && launch->grid[1] > 0 && launch->grid[1] <= HOST_NATIVE_MAX_GRID_YZ
      && launch->grid[2] > 0 && launch->grid[2] <= HOST_NATIVE_MAX_GRID_YZ
      && launch->block[0] > 0 && launch->block[1] > 0
      && launch->block[2] > 0 && launch->block[2] <= HOST_NATIVE_MAX_BLOCK_Z
      && block <= (guint64) threads
      && block * launch->block[2] <= (guint64) threads
      && launch->shared_bytes <= (gsize) shared;
}

HipResult
host_hip_launch (HipFunctionHandle function, guint grid_x, guint grid_y,
    guint grid_z, guint block_x, guint block_y, guint block_z,
    guint shared_bytes, HipStreamHandle stream, void **params, void **extra)
{
  HipLaunch launch = {
    .grid = {grid_x, grid_y, grid_z},
    .block = {block_x, block_y, block_z},
    .shared_bytes = shared_bytes,
    .params = params,
  };
  GError *error = NULL;
  HipNativeStream native;
  HipResult result;
  gboolean ok;

  if (!function)
    return HIP_INVALID_HANDLE;
  if (extra)
    return params ? HIP_INVALID_VALUE : HIP_NOT_SUPPORTED;
  if (!params && host_function_params_size ((HipNativeFunction) function) > 0)
    return HIP_INVALID_VALUE;
  if (!is_shape_possible (&launch))
    return HIP_INVALID_CONFIGURATION;
  result = host_native_begin (stream, &native);
  if (result != HIP_OK)
    return result;
  ok = host_stream_launch (host_native_context (), native,
      (HipNativeFunction) function, &launch, &error);
  return host_native_end (stream, native, ok, error);
}
