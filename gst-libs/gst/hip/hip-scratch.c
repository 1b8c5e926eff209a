/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a stream copy from CPU memory to CPU memory without its caller
 * waiting? By way of the device: drivers make such a copy themselves, when
 * everything before it is done, and let the caller wait for that.
 */
#include "hip-scratch.h"

/* Most of such a copy that is on the device at once */
#define SCRATCH_BYTES (1024 * 1024)

static gboolean
copy_part (HipScratch * scratch, HipNativeContext context,
    HipNativeStream stream, const HipCopy2D * part, HipScratchCopy copy,
    GError ** error)
{
  HipCopy2D up = *part, down = *part;

  up.dst = down.src = scratch->address;
  up.dst_space = down.src_space = HIP_SPACE_DEVICE;
  up.dst_stride = down.src_stride = part->row_bytes;
  return copy (context, stream, &up, error)
      && copy (context, stream, &down, error);
}

/* Between the two halves nobody else may use the scratch memory: the lock is
 * held for calls that do not wait. */
gboolean
hip_scratch_copy_2d (HipScratch * scratch, HipNativeContext context,
    HipNativeStream stream, const HipCopy2D * cpu_copy, HipScratchAlloc alloc,
    HipScratchCopy copy, GError ** error)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&scratch->lock);
  HipCopy2D part = *cpu_copy;

  if (!scratch->address
      && !alloc (context, HIP_SPACE_DEVICE, SCRATCH_BYTES, &scratch->address,
          error))
    return FALSE;
  part.row_bytes = MIN (cpu_copy->row_bytes, SCRATCH_BYTES);
  part.rows = SCRATCH_BYTES / part.row_bytes;
  for (gsize row = 0; row < cpu_copy->rows; row += part.rows) {
    part.rows = MIN (part.rows, cpu_copy->rows - row);
    for (gsize at = 0; at < cpu_copy->row_bytes; at += SCRATCH_BYTES) {
      part.row_bytes = MIN (cpu_copy->row_bytes - at, SCRATCH_BYTES);
      part.dst = cpu_copy->dst + row * cpu_copy->dst_stride + at;
      part.src = cpu_copy->src + row * cpu_copy->src_stride + at;
      if (!copy_part (scratch, context, stream, &part, copy, error))
        return FALSE;
    }
  }
  return TRUE;
}
