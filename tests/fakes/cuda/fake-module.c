/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Modules and launches, as the CUDA driver API has them. */
#include <elf.h>
#include <string.h>

#include "fake-cuda.h"

CuResult
cuModuleLoadDataEx (CuModule * module, const void *image,
    unsigned int n_options, unsigned int *options, void **values)
{
  FakeModule *made = NULL;
  FakeResult result;

  FAKE_CUDA_CALL ();
  fake_wait_for_device (fake_current (G_STRFUNC));
  if (memcmp (image, ELFMAG, SELFMAG) != 0)
    return CU_INVALID_PTX;
  result = fake_module_load (&made, image, FAKE_EM_CUDA, G_STRFUNC);
  *module = (CuModule) made;
  RETURN (result);
}

CuResult
cuModuleUnload (CuModule module)
{
  FAKE_CUDA_CALL_FREES (module);
  fake_wait_for_device (fake_current (G_STRFUNC));
  RETURN (fake_module_unload (MODULE (module), G_STRFUNC));
}

CuResult
cuModuleGetFunction (CuFunction * function, CuModule module, const char *name)
{
  FakeFunction *found = NULL;
  FakeResult result;

  FAKE_CUDA_CALL ();
  result = fake_module_function (MODULE (module), name, &found, G_STRFUNC);
  *function = (CuFunction) found;
  RETURN (result);
}

CuResult
cuModuleGetGlobal_v2 (CuDevicePtr * address, size_t *bytes, CuModule module,
    const char *name)
{
  guintptr data = 0;
  FakeResult result;

  FAKE_CUDA_CALL ();
  result = fake_module_global (MODULE (module), name, &data, bytes, G_STRFUNC);
  *address = data;
  RETURN (result);
}

CuResult
cuFuncLoad (CuFunction function)
{
  FAKE_CUDA_CALL ();
  fake_handle_check (function, FAKE_FUNCTION, G_STRFUNC);
  return CU_OK;
}

CuResult
cuFuncGetAttribute (int *value, unsigned int attribute, CuFunction function)
{
  FAKE_CUDA_CALL ();
  switch (attribute) {
    case CU_FUNCTION_SHARED_BYTES:
      fake_handle_check (function, FAKE_FUNCTION, G_STRFUNC);
      *value = 0;
      return CU_OK;
    case CU_FUNCTION_MAX_DYNAMIC_SHARED:
      *value = fake_function_max_dynamic (FUNCTION (function), G_STRFUNC);
      return CU_OK;
    default:
      return CU_INVALID_VALUE;
  }
}

CuResult
cuFuncSetAttribute (CuFunction function, unsigned int attribute, int value)
{
  FAKE_CUDA_CALL ();
  if (attribute != CU_FUNCTION_MAX_DYNAMIC_SHARED)
    return CU_INVALID_VALUE;
  RETURN (fake_function_set_max_dynamic (FUNCTION (function), value,
          G_STRFUNC));
}

CuResult
cuLaunchKernel (CuFunction function, unsigned int grid_x, unsigned int grid_y,
    unsigned int grid_z, unsigned int block_x, unsigned int block_y,
    unsigned int block_z, unsigned int shared_bytes, CuStream stream,
    void **params, void **extra)
{
  HipLaunch launch = { {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
  shared_bytes, params, 0
  };

  FAKE_CUDA_CALL ();
  fake_rule (extra == NULL, "parameters are given once", G_STRFUNC);
  RETURN (fake_launch (FUNCTION (function), STREAM (stream), &launch,
          G_STRFUNC));
}
