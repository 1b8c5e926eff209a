/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the tests of the host backend's table share: they call slots as the
 * library does and treat any error as a failure of the test. */
#pragma once

#include <string.h>

#include <gst/check/gstcheck.h>
#include <gst/hip/gsthiperror.h>
#include "backends/host/host-internal.h"

#define host (&hip_backend_host)

#define assert_ok(call) \
  G_STMT_START { \
    GError *error = NULL; \
    gboolean ok = (call); \
    fail_unless (ok, "%s: %s", #call, error ? error->message : "no error set"); \
    fail_if (error); \
  } G_STMT_END

#define assert_fails(call, wanted) \
  G_STMT_START { \
    GError *error = NULL; \
    gboolean ok = !!(call); \
    fail_if (ok, "%s succeeded", #call); \
    fail_unless (g_error_matches (error, GST_HIP_ERROR, wanted), "%s: %s", #call, \
        error ? error->message : "no error set"); \
    g_clear_error (&error); \
  } G_STMT_END

static inline HipNativeContext
open_host (void)
{
  HipNativeContext context;

  assert_ok ((context = host->context_open (0, &error)) != NULL);
  return context;
}

static inline HipNativeStream
new_stream (HipNativeContext context)
{
  HipNativeStream stream;

  assert_ok ((stream = host->stream_new (context, 0, &error)) != NULL);
  return stream;
}

static inline HipNativeEvent
new_event (HipNativeContext context)
{
  HipNativeEvent event;

  assert_ok ((event = host->event_new (context, FALSE, &error)) != NULL);
  return event;
}

static inline void
copy_bytes (HipNativeContext context, HipNativeStream stream, gpointer dst, gconstpointer src, gsize size)
{
  HipCopy2D copy = { HIP_SPACE_DEVICE, HIP_SPACE_DEVICE, (guintptr) dst, (guintptr) src, 0, 0, size, 1 };

  assert_ok (host->stream_copy_2d (context, stream, &copy, &error));
}

static inline void
fill_bytes (HipNativeContext context, HipNativeStream stream, gpointer dst, gsize size, guint8 value)
{
  assert_ok (host->stream_fill (context, stream, HIP_SPACE_DEVICE, (guintptr) dst, size, value, &error));
}

static inline void
record (HipNativeContext context, HipNativeEvent event, HipNativeStream stream)
{
  assert_ok (host->event_record (context, event, stream, &error));
}

static inline void
wait_event (HipNativeContext context, HipNativeStream stream, HipNativeEvent event)
{
  assert_ok (host->stream_wait_event (context, stream, event, &error));
}

static inline void
synchronize (HipNativeContext context, HipNativeStream stream)
{
  assert_ok (host->stream_synchronize (context, stream, &error));
}

static inline void
assert_state (HipNativeContext context, HipNativeEvent event, GstHipEventState wanted)
{
  GError *error = NULL;
  GstHipEventState state = host->event_query (context, event, &error);

  fail_unless_equals_int (state, wanted);
  fail_unless ((error != NULL) == (wanted == GST_HIP_EVENT_STATE_FAILED));
  g_clear_error (&error);
}

/* Threads of this process whose name starts with prefix */
static inline guint
count_threads (const gchar * prefix)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir))) {
    gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", name);
    gchar *comm = NULL;

    if (g_file_get_contents (path, &comm, NULL, NULL) && g_str_has_prefix (comm, prefix))
      n++;
    g_free (comm);
    g_free (path);
  }
  g_dir_close (dir);
  return n;
}
