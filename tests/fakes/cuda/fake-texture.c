/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Textures, as the CUDA driver API has them: made, counted and destroyed, with
 * their rules. No kernel of the host device can read one. There is no graphics
 * interface to share with. */
#include "fake-cuda.h"
#include "hip-native.h"

/* A GPU has 512, to which it aligns its memory, too. */
#define TEXTURE_ALIGN 64
#define PITCH_ALIGN 32

CuResult
cuTexObjectCreate (unsigned long long *texture,
    const struct CUDA_RESOURCE_DESC_st *resource,
    const struct CUDA_TEXTURE_DESC_st *desc,
    const struct CUDA_RESOURCE_VIEW_DESC_st *view)
{
  const HipResourceDesc *what = (const HipResourceDesc *) resource;
  gpointer made;

  FAKE_CUDA_CALL ();
  fake_current (G_STRFUNC);
  fake_rule (what->type == HIP_RESOURCE_PITCH2D && !view && what->flags == 0,
      "the simulated driver has textures over plain rows", G_STRFUNC);
  fake_rule (what->of.pitch2d.channels == 1 || what->of.pitch2d.channels == 2
      || what->of.pitch2d.channels == 4, "textures have 1, 2 or 4 channels",
      G_STRFUNC);
  if ((guintptr) what->of.pitch2d.address % TEXTURE_ALIGN
      || what->of.pitch2d.pitch_bytes % PITCH_ALIGN)
    return CU_INVALID_VALUE;
  made = g_malloc0 (1);
  fake_handle_add (made, FAKE_TEXTURE);
  *texture = (guintptr) made;
  return CU_OK;
}

CuResult
cuTexObjectDestroy (unsigned long long texture)
{
  gpointer made = (gpointer) (guintptr) texture;

  FAKE_CUDA_CALL ();
  fake_handle_check (made, FAKE_TEXTURE, G_STRFUNC);
  fake_handle_remove (made);
  g_free (made);
  return CU_OK;
}

CuResult
cuGraphicsMapResources (unsigned int count,
    struct CUgraphicsResource_st **resources, CuStream stream)
{
  FAKE_CUDA_CALL ();
  return CU_INVALID_HANDLE;
}

CuResult
cuGraphicsResourceGetMappedPointer_v2 (CuDevicePtr * address, size_t *bytes,
    struct CUgraphicsResource_st *resource)
{
  FAKE_CUDA_CALL ();
  return CU_INVALID_HANDLE;
}

CuResult
cuGraphicsUnmapResources (unsigned int count,
    struct CUgraphicsResource_st **resources, CuStream stream)
{
  FAKE_CUDA_CALL ();
  return CU_INVALID_HANDLE;
}

CuResult
cuGraphicsUnregisterResource (struct CUgraphicsResource_st *resource)
{
  FAKE_CUDA_CALL ();
  return CU_INVALID_HANDLE;
}
