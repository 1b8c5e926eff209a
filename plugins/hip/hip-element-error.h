/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Failures of elements, as messages.
 *
 * Who may include this: elements' own files.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* Posts "what: error's text", unless the element has posted an error since hip_element_forget_errors (), or another one of its
 * pipeline has said that a device is lost, and this error says no more. posted: (inout): atomic, the element's own.
 * error: (transfer full). Threads: any. */
void hip_element_post_error (GstElement * element, gint * posted, const gchar * what, GError * error);
/* When the element starts */
void hip_element_forget_errors (GstElement * element, gint * posted);

G_END_DECLS
