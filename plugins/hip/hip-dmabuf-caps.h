/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Caps of DMA-BUFs. Who may include this: the elements of this plugin.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* TRUE if structure index of caps is of DMA-BUFs */
gboolean hip_caps_are_dmabuf (GstCaps * caps, guint index);
/* Does the peer of pad, or nobody yet, name such caps, and none of CPU memory? */
gboolean hip_dmabuf_is_wanted (GstPad * pad);
/* Appends all linear frames in DMA-BUFs. */
void hip_dmabuf_caps_append_template (GstCaps * caps);
/* Appends what structure index of caps, frames in HIP memory, could be made of. plain: DMA-BUFs with a raw format, too */
void hip_dmabuf_caps_append_from_hip (GstCaps * result, GstCaps * caps, guint index, gboolean plain);
/* caps with all linear DMA-BUFs replaced by the same frames in HIP memory, and without all other ones; plain: those with
 * a raw format are linear */
GstCaps * hip_dmabuf_caps_to_hip (GstCaps * caps, gboolean plain);

G_END_DECLS
