/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Private face of streams and events. Who may include this: the library's own .c files. */
#pragma once

#include <gst/hip/gsthipstream.h>
#include <gst/hip/gsthipevent.h>
#include "hip-context.h"
#include "hip-worker.h"

G_BEGIN_DECLS

/* Borrowed. An event's context and its stream's are the same. */
HipContext *hip_stream_get_context (GstHipStream * stream);
HipNativeStream hip_stream_get_native (GstHipStream * stream);
HipLane *hip_stream_get_lane (GstHipStream * stream);
/* Never repeats in the process; what "same stream" is decided by (I2). */
guint64 hip_stream_get_serial (GstHipStream * stream);

HipContext *hip_event_get_context (GstHipEvent * event);
/* Serial of the stream that it was recorded on last, 0 if never. */
guint64 hip_event_get_stream_serial (GstHipEvent * event);
/* Done without asking the driver (known from an earlier query) */
gboolean hip_event_is_known_done (GstHipEvent * event);

/* The stream of a memory that has none of its own: the device's default; new reference. */
GstHipStream *hip_context_get_default_stream (HipContext * context, GError ** error);

G_END_DECLS
