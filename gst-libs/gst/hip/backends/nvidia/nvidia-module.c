/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does compiled code become kernels on an NVIDIA GPU, and how is one
 * started?
 *
 * The driver is given bytes without their number: what it gets is checked to
 * hold together first. Functions are loaded at once, since a launch that loads
 * may wait for the device.
 */
#include <elf.h>
#include <string.h>

#include "nvidia-internal.h"
#include "../../hip-elf.h"

#ifndef EM_CUDA
#define EM_CUDA 190
#endif

#define LOG_BYTES 8192
/* A block gets so much dynamic shared memory without asking, less what its
 * kernel has of its own. */
#define PLAIN_SHARED_BYTES (48 * 1024)

typedef struct
{
  CuModule handle;
  HipMutex lock;
  GPtrArray *functions;         /* of NvidiaFunction, owned */
} NvidiaModule;

typedef struct
{
  NvidiaModule *module;
  CuFunction handle;
  gint max_dynamic_shared;      /* atomic; grows with the module locked */
} NvidiaFunction;

/* --- loading --- */

/* Text that ends with its only zero byte and has PTX's first directive */
static gboolean
check_ptx (const guint8 * data, gsize size)
{
  return size > 0 && strnlen ((const gchar *) data, size) == size - 1
      && strstr ((const gchar *) data, ".version") != NULL;
}

HipNativeModule
nvidia_module_load (HipNativeContext context, GBytes * binary, GError ** error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (binary, &size);
  g_autofree gchar *log = g_malloc0 (LOG_BYTES);
  guint options[] = { CU_OPTION_ERROR_LOG, CU_OPTION_ERROR_LOG_BYTES };
  gpointer values[] = { log, GUINT_TO_POINTER (LOG_BYTES - 1) };
  CuModule handle = NULL;
  CuResult result;
  NvidiaModule *module;

  if (!hip_elf_is_whole (data, size, EM_CUDA) && !check_ptx (data, size)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "The binary of %" G_GSIZE_FORMAT " bytes is no module of an NVIDIA GPU",
        size);
    return NULL;
  }
  result = nvidia_cuda.cuModuleLoadDataEx (&handle, data,
      G_N_ELEMENTS (options), options, values);
  if (result == CU_NO_BINARY_FOR_GPU || result == CU_INVALID_IMAGE
      || result == CU_INVALID_PTX || result == CU_INVALID_SOURCE) {
    nvidia_check_as (result, "cuModuleLoadDataEx", GST_HIP_ERROR_INVALID,
        *log ? log : "it was compiled for another GPU or is damaged", error);
    return NULL;
  }
  if (!nvidia_check (result, "cuModuleLoadDataEx", error))
    return NULL;

  module = g_new0 (NvidiaModule, 1);
  module->handle = handle;
  module->functions = g_ptr_array_new_with_free_func (g_free);
  hip_mutex_init (&module->lock);
  return module;
}

void
nvidia_module_unload (HipNativeContext context, HipNativeModule native)
{
  NvidiaModule *module = native;

  hip_heap_retire_module (((NvidiaContext *) context)->heap, module->handle);
  g_ptr_array_unref (module->functions);
  hip_mutex_clear (&module->lock);
  g_free (module);
}

HipNativeFunction
nvidia_module_get_function (HipNativeContext context, HipNativeModule native,
    const gchar * name, GError ** error)
{
  NvidiaModule *module = native;
  NvidiaFunction *function;
  CuFunction handle = NULL;
  gint static_shared = 0;
  CuResult result = nvidia_cuda.cuModuleGetFunction (&handle, module->handle,
      name);

  if (result == CU_NOT_FOUND) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "The module has no kernel \"%s\"", name);
    return NULL;
  }
  if (!nvidia_check (result, "cuModuleGetFunction", error))
    return NULL;
  if (nvidia_cuda.cuFuncLoad && !NVIDIA_CALL (error, cuFuncLoad, handle))
    return NULL;
  /* Asking loads too, where there is no other way */
  if (!NVIDIA_CALL (error, cuFuncGetAttribute, &static_shared,
          CU_FUNCTION_SHARED_BYTES, handle))
    return NULL;

  function = g_new0 (NvidiaFunction, 1);
  function->module = module;
  function->handle = handle;
  function->max_dynamic_shared = MAX (PLAIN_SHARED_BYTES - static_shared, 0);
  hip_mutex_lock (&module->lock);
  g_ptr_array_add (module->functions, function);
  hip_mutex_unlock (&module->lock);
  return function;
}

/* Copies on the default stream, which no stream of ours waits for */
gboolean
nvidia_module_read_global (HipNativeContext context, HipNativeModule native,
    const gchar * name, gpointer data, gsize * size, GError ** error)
{
  NvidiaModule *module = native;
  gsize capacity = *size, have = 0;
  CuDevicePtr address = 0;
  CuResult result = nvidia_cuda.cuModuleGetGlobal_v2 (&address, &have,
      module->handle, name);

  if (result == CU_NOT_FOUND) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "The module has no symbol \"%s\"", name);
    return FALSE;
  }
  if (!nvidia_check (result, "cuModuleGetGlobal_v2", error))
    return FALSE;
  *size = have;
  capacity = MIN (capacity, have);
  return !data || capacity == 0
      || NVIDIA_CALL (error, cuMemcpyDtoH_v2, data, address, capacity);
}

/* --- starting --- */

/* More dynamic shared memory than usual has to be asked for, once. */
static gboolean
allow_shared (NvidiaFunction * function, gsize shared_bytes, GError ** error)
{
  gboolean allowed = TRUE;

  if (G_LIKELY (shared_bytes <=
          (gsize) g_atomic_int_get (&function->max_dynamic_shared)))
    return TRUE;

  hip_mutex_lock (&function->module->lock);
  if (shared_bytes > (gsize) function->max_dynamic_shared) {
    gint wanted = MIN (shared_bytes, G_MAXINT);

    allowed = nvidia_check_as (nvidia_cuda.cuFuncSetAttribute
        (function->handle, CU_FUNCTION_MAX_DYNAMIC_SHARED, wanted),
        "cuFuncSetAttribute", GST_HIP_ERROR_LAUNCH,
        "a block of this kernel gets no so large shared memory", error);
    if (allowed)
      g_atomic_int_set (&function->max_dynamic_shared, wanted);
  }
  hip_mutex_unlock (&function->module->lock);
  return allowed;
}

gboolean
nvidia_launch (HipNativeContext context, HipNativeStream stream,
    HipNativeFunction native, const HipLaunch * launch, GError ** error)
{
  NvidiaFunction *function = native;

  if (!allow_shared (function, launch->shared_bytes, error))
    return FALSE;
  return nvidia_check_as (nvidia_cuda.cuLaunchKernel (function->handle,
          launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
          launch->block[1], launch->block[2], launch->shared_bytes,
          ((NvidiaStream *) stream)->handle, launch->params, NULL),
      "cuLaunchKernel", GST_HIP_ERROR_LAUNCH,
      "use smaller blocks, a smaller grid or less shared memory", error);
}
