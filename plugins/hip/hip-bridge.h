/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Caps of elements that bring video from one memory to another. Who may
 * include this: the elements of this plugin.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

gboolean hip_caps_are_hip (GstCaps * caps);

/* caps with their memory replaced by each of the memory features that hip_to and system_to (NULL-ended) have for it, in
 * that order, everything else kept; then the filter. */
GstCaps * hip_bridge_caps (GstCaps * caps, GstCaps * filter, const gchar * const * hip_to,
                           const gchar * const * system_to);
/* The other direction, for the pad that the frames leave by: caps with memory, and caps as they are where they are not
 * fixed or what is behind pad has no use for the first. bridged: caps, or what counts for them where memory changes. */
GstCaps * hip_bridge_caps_or_same (GstPad * pad, GstCaps * caps, GstCaps * bridged, GstCaps * filter,
                                   const gchar * memory);
/* plain in memory: as it is, with overlays to be drawn later, with a field in each buffer, and with both. */
void hip_bridge_append_variants (GstCaps * result, const GstStructure * plain, const gchar * memory);
/* All formats in both memories (second: nullable), each in these variants. */
GstCaps * hip_bridge_template_caps (const gchar * first, const gchar * second);
/* Takes caps. */
GstPadTemplate * hip_bridge_template (GstPadDirection direction, GstCaps * caps);

G_END_DECLS
