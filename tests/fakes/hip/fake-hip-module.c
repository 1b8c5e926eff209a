/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Modules and launches, as HIP has them. */
#include "fake-hip.h"

AmdResult
hipModuleLoadData (AmdHipModule * module, const void *image)
{
  FakeModule *made = NULL;
  FakeResult result;

  FAKE_CALL ();
  result = fake_module_load (&made, image, AMD_CODE_MACHINE, G_STRFUNC);
  *module = (AmdHipModule) made;
  RETURN (result);
}

AmdResult
hipModuleUnload (AmdHipModule module)
{
  FAKE_CALL_FREES (module);
  RETURN (fake_module_unload (MODULE (module), G_STRFUNC));
}

AmdResult
hipModuleGetFunction (AmdHipFunction * function, AmdHipModule module,
    const char *name)
{
  FakeFunction *found = NULL;
  FakeResult result;

  FAKE_CALL ();
  result = fake_module_function (MODULE (module), name, &found, G_STRFUNC);
  *function = (AmdHipFunction) found;
  RETURN (result);
}

AmdResult
hipModuleGetGlobal (void **address, size_t *bytes, AmdHipModule module,
    const char *name)
{
  guintptr data = 0;
  FakeResult result;

  FAKE_CALL ();
  result = fake_module_global (MODULE (module), name, &data, bytes, G_STRFUNC);
  *address = (gpointer) data;
  RETURN (result);
}

/* A direction has fewer than 2^32 threads. */
static gboolean
fits (unsigned int grid, unsigned int block)
{
  return (guint64) grid *block <= G_MAXUINT32;
}

AmdResult
hipModuleLaunchKernel (AmdHipFunction function, unsigned int grid_x,
    unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
    unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
    AmdHipStream stream, void **params, void **extra)
{
  HipLaunch launch = { {grid_x, grid_y, grid_z}, {block_x, block_y, block_z},
  shared_bytes, params, 0
  };

  FAKE_CALL ();
  fake_rule (extra == NULL, "parameters are given once", G_STRFUNC);
  if (!fits (grid_x, block_x) || !fits (grid_y, block_y)
      || !fits (grid_z, block_z))
    return AMD_INVALID_CONFIGURATION;
  RETURN (fake_launch (FUNCTION (function), STREAM (stream), &launch,
          G_STRFUNC));
}
