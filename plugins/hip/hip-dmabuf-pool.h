/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames of a device in DMA-BUFs that it exports. Who may include this:
 * hipdownload.
 */
#pragma once

#include "hip-frame-copy.h"

G_BEGIN_DECLS

/* Can a DMA-BUF of device be mapped and touched by the CPU? Makes a small one; never waits for queued work. */
gboolean hip_dmabuf_pool_works (GstHipDevice * device);
/* Inactive, of frames of info (with_meta: in the layout that device likes, else exactly as it is), without a maximum.
 * size: of its buffers. NULL: there is no such layout. */
GstBufferPool *hip_dmabuf_pool_new (GstHipDevice * device, GstCaps * caps, const GstVideoInfo * info, gboolean with_meta,
    guint * size);
/* frame lies in a buffer of such a pool: makes it one in the HIP memory behind that. FALSE: it is another's. */
gboolean hip_dmabuf_pool_to_hip (HipFrame * frame);

G_END_DECLS
