/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Allocation queries of the elements of this plugin. Who may include this:
 * they.
 */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

GST_DEBUG_CATEGORY_EXTERN (gst_hip_base_filter_debug);

/* Adds what the element offers upstream to a query that is not passed through. */
gboolean hip_filter_propose_allocation (GstHipBaseFilter * filter, GstQuery * query);
/* Sets the query's first pool to one of HIP memory: downstream's if it fits, else our own. */
gboolean hip_filter_decide_allocation (GstHipBaseFilter * filter, GstQuery * query);

G_END_DECLS
