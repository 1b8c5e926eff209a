/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The pool that downstream cannot do without. Who may include this: the elements
 * of this plugin.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* (transfer full) (nullable) */
GstBufferPool * hip_required_pool_find (GstQuery * query, guint * size, guint * min, guint * max);
/* Configures and activates it. */
gboolean hip_required_pool_start (GstBufferPool * pool, GstQuery * query, GstCaps * caps, guint size, guint min,
                                  guint max);

G_END_DECLS
