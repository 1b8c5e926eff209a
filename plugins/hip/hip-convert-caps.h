/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The caps of elements that convert formats: what can become of some caps, and
 * which of that is best. Outcomes are videoconvert's. Who may include this: the
 * elements of this plugin.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* Every format that the converter knows, in HIP memory, of any size; with overlays to be drawn later and with fields in
 * buffers of their own, too. transfer full */
GstCaps *hip_convert_caps_new_template (void);

/* caps with everything left open that an element may change: format and colour, size; transfer full */
GstCaps *hip_convert_caps_transform (GstCaps * caps, GstCaps * filter, gboolean converts, gboolean scales);

/* The best of others (transfer full) for caps, fixed. towards_output: caps are the input's, what the output leaves open of
 * colour is taken from there. scales: sizes are chosen, too, by hip-scale-caps.h; turned as there. Empty if others are. */
GstCaps *hip_convert_caps_fixate (GstCaps * caps, GstCaps * others, gboolean towards_output, gboolean scales,
    gboolean turned);

G_END_DECLS
