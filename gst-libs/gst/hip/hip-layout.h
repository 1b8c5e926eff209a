/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Private face of hip-layout.c. Who may include this: the library's own .c
 * files and tests linked statically.
 */
#pragma once

#include <gst/hip/gsthipmemory.h>

G_BEGIN_DECLS

/* TRUE: frames of this format lie in planes of rows, which can be copied */
gboolean hip_layout_is_supported (const GstVideoFormatInfo * finfo);

/* Sets strides, offsets and size. padding may be NULL; of it the edges and stride_align are honoured. INVALID,
 * UNSUPPORTED; info is untouched then. */
gboolean hip_layout_set (GstVideoInfo * info, const GstVideoAlignment * padding, guint stride_align, GError ** error);

/* Do the planes lie inside info->size, with strides that hold a row? INVALID or UNSUPPORTED if not. */
gboolean hip_layout_check (const GstVideoInfo * info, GError ** error);

G_END_DECLS
