/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Buffers without memory, for frames that are imported. Who may include this:
 * the base class of this plugin's elements.
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Active; its buffers have a GstVideoMeta that says nothing yet. They come back when downstream lets go of them, and
 * let go of their memories then. NULL: it could not be. */
GstBufferPool *hip_shells_new (void);

G_END_DECLS
