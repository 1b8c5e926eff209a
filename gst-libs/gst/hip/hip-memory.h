/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Private face of memory. Who may include this: the library's own .c files. */
#pragma once

#include <gst/hip/gsthipmemory.h>
#include <gst/hip/gsthipallocator.h>
#include "hip-context.h"

G_BEGIN_DECLS

/* Which space the address of hip_memory_get_device_address () lies in for copies */
HipSpace hip_memory_get_space (GstHipMemory * mem);
/* What a kernel uses: start of the allocation plus the memory's offset. Queues a pending upload (NEED_UPLOAD) on
 * stream first where reading; does no ordering by itself. */
guintptr hip_memory_get_device_address (GstHipMemory * mem);
HipContext *hip_memory_get_context (GstHipMemory * mem);

G_END_DECLS
