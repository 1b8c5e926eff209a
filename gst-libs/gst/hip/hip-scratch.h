/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory on the device by way of which a stream copies from CPU memory to CPU
 * memory. Who may include this: backends. */
#pragma once

#include "hip-backend.h"
#include "hip-lock.h"

G_BEGIN_DECLS

/* One of a stream's; hip_mutex_init () and _clear () of the lock are the owner's, so is freeing the memory. */
typedef struct
{
  HipMutex lock;
  guintptr address;             /* 0 until needed */
} HipScratch;

typedef gboolean (*HipScratchAlloc) (HipNativeContext context, HipSpace space, gsize size, guintptr * address,
    GError ** error);
typedef gboolean (*HipScratchCopy) (HipNativeContext context, HipNativeStream stream, const HipCopy2D * copy,
    GError ** error);

/* Queues it, in parts up and down again by copy, and does not wait. */
gboolean hip_scratch_copy_2d (HipScratch * scratch, HipNativeContext context, HipNativeStream stream,
    const HipCopy2D * cpu_copy, HipScratchAlloc alloc, HipScratchCopy copy, GError ** error);

G_END_DECLS
