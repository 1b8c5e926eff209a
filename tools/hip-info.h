/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the parts of gst-hip-info give each other. */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

/* One line of the report: a backend, with its devices. Structures are the one
 * form that both printers read. */
typedef struct
{
  GstHipVendor vendor;
  gchar *reason;                /* why it cannot be used, or NULL */
  GstStructure *info;           /* what the backend says of itself, or NULL */
  GPtrArray *devices;           /* of GstStructure */
} HipInfoBackend;

const gchar *hip_info_vendor_nick (GstHipVendor vendor);

/* Copy and kernel on a device, verified. Adds "self-test" (string) and, where it passed, times to result. */
gboolean hip_info_self_test (GstHipVendor vendor, guint device_id, GstStructure * result);

void hip_info_print_text (GPtrArray * backends);
void hip_info_print_json (GPtrArray * backends);

G_END_DECLS
