/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How long the host device's state lives, and how it fails when a test asks.
 *
 * One context stands for the device, as the primary context of a GPU does, and
 * lives as long as anything of it: opens, streams, events. One that failed is
 * never handed out again: who opens the device then gets a fresh one.
 *
 * Must not know what streams and events are made of: it only wakes them.
 * Keeps: whoever sleeps for this device wakes once it has failed.
 */
#include <gst/hip/gsthiperror.h>

#include "host-internal.h"

static HipMutex primary_lock = HIP_MUTEX_INIT;
static HostContext *primary;    /* no reference */

/* Of a device that is not the primary one: nobody else opens it. */
HostContext *
host_context_new (void)
{
  HostContext *context = g_new0 (HostContext, 1);

  context->refs = 1;
  hip_mutex_init (&context->streams_lock);
  hip_mutex_init (&context->records_lock);
  g_queue_init (&context->streams);
  return context;
}

HostContext *
host_context_open (void)
{
  HostContext *context;

  hip_mutex_lock (&primary_lock);
  if (primary && !g_atomic_int_get (&primary->lost)) {
    context = host_context_ref (primary);
  } else {
    context = primary = host_context_new ();
  }
  hip_mutex_unlock (&primary_lock);

  return context;
}

HostContext *
host_context_ref (HostContext * context)
{
  g_atomic_int_inc (&context->refs);
  return context;
}

void
host_context_unref (HostContext * context)
{
  gint refs = g_atomic_int_get (&context->refs);
  gboolean last;

  /* The global lock is for the last reference only. */
  while (refs > 1) {
    if (g_atomic_int_compare_and_exchange (&context->refs, refs, refs - 1))
      return;
    refs = g_atomic_int_get (&context->refs);
  }

  hip_mutex_lock (&primary_lock);
  last = g_atomic_int_dec_and_test (&context->refs);
  if (last && primary == context)
    primary = NULL;
  hip_mutex_unlock (&primary_lock);
  if (!last)
    return;

  host_context_free_records (context);
  hip_mutex_clear (&context->streams_lock);
  hip_mutex_clear (&context->records_lock);
  g_free (context);
}

gboolean
host_context_is_lost (HostContext * context)
{
  return g_atomic_int_get (&context->lost);
}

gboolean
host_context_lost_error (GError ** error)
{
  g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_DEVICE_LOST,
      "The host device failed (a failure was injected); close all its objects "
      "and open it again");
  return FALSE;
}

/* Counts down to the call that is to fail. */
static gboolean
fault_is_due (HostContext * context, HostFault fault)
{
  gint left = g_atomic_int_get (&context->faults[fault]);

  while (left > 0) {
    if (g_atomic_int_compare_and_exchange (&context->faults[fault], left,
            left - 1))
      return left == 1;
    left = g_atomic_int_get (&context->faults[fault]);
  }
  return FALSE;
}

gboolean
host_context_check (HostContext * context, HostFault fault, GError ** error)
{
  static const gchar *const names[] = {
    "memory allocation", "stream creation", "event creation", "copy", "fill",
    "event record", "event wait", "kernel launch", "import of a DMA-BUF"
  };

  if (G_LIKELY (!g_atomic_int_get (&context->trouble)))
    return TRUE;
  if (g_atomic_int_get (&context->lost))
    return host_context_lost_error (error);
  if (!fault_is_due (context, fault))
    return TRUE;

  g_set_error (error, GST_HIP_ERROR, fault == HOST_FAULT_MEMORY ?
      GST_HIP_ERROR_OUT_OF_MEMORY : GST_HIP_ERROR_FAILED,
      "Host device: the %s failed (a failure was injected)", names[fault]);
  return FALSE;
}

void
host_inject_failure (HipNativeContext native, HostFault fault, guint nth)
{
  HostContext *context = native;

  if (fault != HOST_FAULT_DEVICE) {
    g_atomic_int_set (&context->faults[fault], (gint) nth);
    g_atomic_int_set (&context->trouble, TRUE);
    return;
  }

  g_atomic_int_set (&context->lost, TRUE);
  g_atomic_int_set (&context->trouble, TRUE);
  host_context_wake_streams (context);
  host_context_wake_records (context);
}
