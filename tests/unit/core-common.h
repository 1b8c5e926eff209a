/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the tests of devices, streams and events share. They run on the host
 * device, whose streams can be stopped and whose device can be failed at will. */
#pragma once

#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

#include "hip-context.h"
#include "hip-stream.h"
#include "hip-worker.h"
#include "backends/host/host-internal.h"

/* Much longer than anything takes; only a hang gets there. */
#define PATIENCE_US (60 * G_TIME_SPAN_SECOND)

/* Until condition holds; what is waited for happens on other threads. */
#define wait_for(condition) G_STMT_START {                              \
  gint64 wait_end = g_get_monotonic_time () + PATIENCE_US;              \
  gboolean came;                                                        \
  while (!(came = (condition)) && g_get_monotonic_time () < wait_end)   \
    g_usleep (500);                                                     \
  fail_unless (came, "never came: %s", #condition);                     \
} G_STMT_END

static inline GstHipDevice *
open_host (void)
{
  GError *error = NULL;
  GstHipDevice *device = gst_hip_device_new_full (GST_HIP_VENDOR_HOST, 0, &error);

  fail_unless (device != NULL, "%s", error ? error->message : "no error either");

  return device;
}

static inline GstHipStream *
new_stream (GstHipDevice * device)
{
  GError *error = NULL;
  GstHipStream *stream = gst_hip_stream_new_full (device, 0, &error);

  fail_unless (stream != NULL, "%s", error ? error->message : "no error either");

  return stream;
}

static inline GstHipEvent *
record (GstHipStream * stream)
{
  GError *error = NULL;
  GstHipEvent *event = gst_hip_stream_record (stream, FALSE, &error);

  fail_unless (event != NULL, "%s", error ? error->message : "no error either");

  return event;
}

/* The stream stands still until unblock () */
static inline void
block (GstHipStream * stream)
{
  host_inject_block (hip_stream_get_native (stream));
}

static inline void
unblock (GstHipStream * stream)
{
  host_inject_unblock (hip_stream_get_native (stream));
}

static inline void
fail_device (GstHipDevice * device)
{
  host_inject_failure (hip_device_get_context (device)->native, HOST_FAULT_DEVICE, 0);
}

#define assert_error(error, wanted) G_STMT_START {                      \
  fail_unless (g_error_matches (error, GST_HIP_ERROR, wanted),          \
      "wanted %s, got %s", #wanted, (error) ? (error)->message : "none"); \
  g_clear_error (&(error));                                             \
} G_STMT_END

#define assert_no_threads() wait_for (hip_worker_thread_count () == 0)
