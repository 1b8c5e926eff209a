/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Sizes in caps of elements that scale. Who may include this: the elements of
 * this plugin. */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* Any size and shape of pixels instead of those of the structure */
void hip_scale_caps_open (GstStructure * structure);

/* Chooses width, height and shape of pixels of others (one structure, writable) so that the picture of caps (fixed) keeps its
 * shape on the display, if they leave a choice. turned: columns become rows. */
void hip_scale_caps_fixate (GstCaps * caps, GstCaps * others, gboolean turned);

G_END_DECLS
