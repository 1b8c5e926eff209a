/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How long from a program's start to its first frame, with what was compiled
 * before at hand, beyond what the driver takes by itself? Processes of their
 * own, one after the other, best of some; the clock is the machine's, so that
 * the child's time and this process's can be subtracted. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define LIMIT_MS 150.0

#define PIPELINE "videotestsrc num-buffers=1 ! video/x-raw,format=NV12," \
    "width=1920,height=1080 ! hipupload ! hipkernel source=\"" \
    "extern \\\"C\\\" __global__ void copy (GstHipFrame in, GstHipFrame out, " \
    "GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) out.data[0][y * out.stride[0] + x] " \
    "= in.data[0][y * in.stride[0] + x]; }\" ! hipdownload ! " \
    "fakesink name=sink signal-handoffs=true sync=false"

static void
frame_came (GstElement * sink, GstBuffer * buffer, GstPad * pad, gint64 * when)
{
  GstMapInfo map;

  if (gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    *when = g_get_monotonic_time ();
    gst_buffer_unmap (buffer, &map);
  }
}

int
bench_frame_child (void)
{
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBus) bus = NULL;
  gint64 when = 0;

  pipeline = gst_parse_launch (PIPELINE, &error);
  if (pipeline == NULL) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (frame_came), &when);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
  }
  printf ("%" G_GINT64_FORMAT "\n", when);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return when == 0;
}

/* The program beside this one: in a bundle both end in .run. */
static gchar *
bare_program (const gchar * self)
{
  g_autofree gchar *stem = g_strdup (self);

  if (g_str_has_suffix (stem, ".run")) {
    stem[strlen (stem) - strlen (".run")] = '\0';
    return g_strconcat (stem, "-bare.run", NULL);
  }
  return g_strconcat (stem, "-bare", NULL);
}

static gboolean
time_start (gchar ** argv, gdouble * ms, GError ** error)
{
  g_autofree gchar *out = NULL;
  g_autofree gchar *err = NULL;
  gint64 begin = g_get_monotonic_time ();
  gint status;

  if (!g_spawn_sync (NULL, argv, NULL, 0, NULL, NULL, &out, &err, &status,
          error))
    return FALSE;
  if (!g_spawn_check_wait_status (status, error)) {
    g_prefix_error (error, "%s", err);
    return FALSE;
  }
  *ms = (g_ascii_strtoll (out, NULL, 10) - begin) / 1000.0;
  return TRUE;
}

static gboolean
best_start (gchar ** argv, guint n, gdouble * best, GError ** error)
{
  *best = G_MAXDOUBLE;
  for (guint i = 0; i <= n; i++) {
    gdouble ms;

    if (!time_start (argv, &ms, error))
      return FALSE;
    if (i > 0)                  /* the first one fills caches */
      *best = MIN (*best, ms);
  }
  return TRUE;
}

void
bench_frames (Bench * bench)
{
  g_autofree gchar *bare_file = bare_program (bench->self);
  gchar *ours[] = { (gchar *) bench->self, (gchar *) "--frame-child", NULL };
  gchar *theirs[] = { bare_file, NULL };
  GError *error = NULL;
  guint n = bench->quick ? 1 : 5;
  gdouble frame, bare = 0;
  gboolean is_nvidia =
      gst_hip_device_get_vendor (bench->device) == GST_HIP_VENDOR_NVIDIA;

  if (!best_start (ours, n, &frame, &error) ||
      (is_nvidia && !best_start (theirs, n, &bare, &error))) {
    bench_fail (bench, "frames", "first start to first frame", error);
    return;
  }
  bench_add (bench, "frames", "start to first frame, caches warm", frame, "ms",
      BENCH_NO_LIMIT);
  if (is_nvidia) {
    bench_add (bench, "frames", "the driver and its context alone", bare, "ms",
        BENCH_NO_LIMIT);
    bench_add (bench, "frames", "start to first frame beyond that",
        frame - bare, "ms", LIMIT_MS);
  }
}
