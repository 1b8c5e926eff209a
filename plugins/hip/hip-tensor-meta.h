/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Tensors on frames. Who may include this: the elements of this plugin. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* If meta is of tensors and GStreamer itself cannot copy it, copies it to buffer. TRUE: that is done. */
gboolean hip_tensor_meta_copy (GstBuffer * buffer, GstMeta * meta);

G_END_DECLS
