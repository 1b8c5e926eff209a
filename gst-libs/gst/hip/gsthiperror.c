/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The error domain; and why did a call of GStreamer's fail that gives no
 * GError: each thread knows its last reason. */
#include "hip-error.h"

static void
free_error (gpointer error)
{
  g_error_free (error);
}

/* GPrivate, unlike a plain variable of the thread, frees at the thread's end. */
static GPrivate last_error = G_PRIVATE_INIT (free_error);

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

void
hip_error_keep (const GError * error)
{
  g_private_replace (&last_error, g_error_copy (error));
}

/**
 * gst_hip_take_error:
 *
 * Why a call of GStreamer's failed on this thread that has no place for a
 * #GError: gst_memory_map() and what maps buffers, or
 * gst_buffer_pool_acquire_buffer() of a #GstHipBufferPool. It is the last such
 * reason, which may be old where the call that failed was of other memory: take
 * it before the call, too, to know.
 *
 * Returns: (transfer full) (nullable): the reason, which is forgotten here;
 *     %NULL if there is none
 *
 * Blocking: never.
 *
 * Threads: any; each has its own.
 *
 * Since: 1.30
 */
GError *
gst_hip_take_error (void)
{
  GError *error = g_private_get (&last_error);

  if (error)
    g_private_set (&last_error, NULL);
  return error;
}
