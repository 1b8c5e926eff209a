/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames in DMA-BUFs as frames in HIP memory. Who may include this: the
 * elements of this plugin.
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

/* Is all of it in DMA-BUFs? */
gboolean hip_frame_is_in_dmabufs (GstBuffer * buffer);
/* A new buffer with the same frame, and no metas but its layout, in HIP memory that holds buffer until the device is done
 * with it. INVALID: buffer is not what it says; other errors: the frame has to be copied. */
GstBuffer * hip_frame_import (GstHipBaseFilter * filter, GstBuffer * buffer, GError ** error);
/* Is its producer left with too few buffers, if it cannot have this one, which was imported, for long? */
gboolean hip_frame_is_wanted_back (GstHipBaseFilter * filter, GstBuffer * buffer);

G_END_DECLS
