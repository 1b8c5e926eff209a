/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Caps of hipdownload. Who may include this: that element.
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

/* What the source pad gives for caps at the sink. dmabufs, under the object lock: whether those that the device exports can
 * be mapped, -1 for unknown, which is found out here */
GstCaps *hip_download_caps_get_outputs (GstHipBaseFilter * filter, gint * dmabufs, GstCaps * caps);
GstCaps *hip_download_caps_get_inputs (GstCaps * caps);

G_END_DECLS
