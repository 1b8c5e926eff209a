/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Reasons that have no place in GStreamer's interfaces.
 *
 * Who may include this: files that implement such interfaces. */
#pragma once

#include "gsthiperror.h"

G_BEGIN_DECLS

/* For gst_hip_take_error () of this thread */
void hip_error_keep (const GError * error);

G_END_DECLS
