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

/* caps with everything that a converter may change left open; transfer full */
GstCaps *hip_convert_caps_transform (GstCaps * caps, GstCaps * filter);

/* The best of others (transfer full) for caps, fixed. towards_output: caps are the input's, what the output leaves open of
 * colour is taken from there. Empty if others are. */
GstCaps *hip_convert_caps_fixate (GstCaps * caps, GstCaps * others, gboolean towards_output);

G_END_DECLS
