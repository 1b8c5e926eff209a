/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The error domain, and nothing else. */
#include "gsthiperror.h"

/**
 * gst_hip_error_quark:
 *
 * Domain of all errors of this library; codes are #GstHipError.
 *
 * Returns: the domain
 *
 * Blocking: never
 *
 * Threads: any
 *
 * Since: 1.30
 */
/* G_DEFINE_QUARK () keeps the result in a plain variable, which the thread
 * sanitizer rightly calls a race. */
GQuark
gst_hip_error_quark (void)
{
  static gsize quark = 0;

  if (g_once_init_enter (&quark)) {
    gsize value = g_quark_from_static_string ("gst-hip-error-quark");

    g_once_init_leave (&quark, value);
  }

  return (GQuark) quark;
}
