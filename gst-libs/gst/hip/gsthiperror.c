/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The error domain, and nothing else. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

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
/* *INDENT-OFF* */
G_DEFINE_QUARK (gst-hip-error-quark, gst_hip_error);
/* *INDENT-ON* */
