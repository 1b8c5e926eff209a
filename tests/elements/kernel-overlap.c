/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames overlap: a kernel that does not end until the test lets it, so that
 * order and counters prove what runs beside what, not clocks. Only a device
 * that reads CPU memory while it runs can do this, so the host. */
#include "config.h"

#include <gst/hip/gsthip.h>

#include "kernel-common.h"

#define N_BUFFERS 10
#define MAX_IN_FLIGHT 3

/* Waits at the gate, then writes frame number + value of the input. */
#define GATED "extern \\\"C\\\" __global__ void gated (GstHipFrame in, " \
    "GstHipFrame out, GstHipFrameInfo info, unsigned long long gate) {" \
    "int x = blockIdx.x * blockDim.x + threadIdx.x, " \
    "y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "while (!*(volatile int *) gate) {} " \
    "if (x < out.width && y < out.height) " \
    "out.data[0][y * out.stride[0] + x] = " \
    "in.data[0][y * in.stride[0] + x] + (unsigned char) info.frame_number; }"
#define DOUBLE "extern \\\"C\\\" __global__ void twice (GstHipFrame in, " \
    "GstHipFrame out, GstHipFrameInfo info) {" \
    "int x = blockIdx.x * blockDim.x + threadIdx.x, " \
    "y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) " \
    "out.data[0][y * out.stride[0] + x] = " \
    "2 * in.data[0][y * in.stride[0] + x]; }"

static int gate;

typedef struct
{
  GMutex lock;
  GCond cond;
  guint entered;                /* buffers that reached the kernel's sink pad */
  guint left;                   /* buffers that left its source pad */
  GPtrArray *outputs;
} Counters;

static void
count (Counters * counters, guint * counter)
{
  g_mutex_lock (&counters->lock);
  ++*counter;
  g_cond_broadcast (&counters->cond);
  g_mutex_unlock (&counters->lock);
}

static GstPadProbeReturn
on_enter (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  count (data, &((Counters *) data)->entered);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_leave (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  count (data, &((Counters *) data)->left);
  return GST_PAD_PROBE_OK;
}

static void
on_output (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  Counters *counters = data;

  /* Not mapped here: that would wait for the device. */
  g_mutex_lock (&counters->lock);
  g_ptr_array_add (counters->outputs, gst_buffer_ref (buffer));
  g_mutex_unlock (&counters->lock);
}

static void
add_probe (GstElement * element, const gchar * pad, GstPadProbeCallback func,
    gpointer data)
{
  g_autoptr (GstPad) p = gst_element_get_static_pad (element, pad);

  gst_pad_add_probe (p, GST_PAD_PROBE_TYPE_BUFFER, func, data, NULL);
}

static guint64
get_stat (GstElement * element, const gchar * name)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 big = 0;
  guint small = 0;

  g_object_get (element, "stats", &stats, NULL);
  if (gst_structure_get_uint64 (stats, name, &big))
    return big;
  fail_unless (gst_structure_get_uint (stats, name, &small), "%s", name);
  return small;
}

static GstElement *
make_pipeline (const gchar * after, Counters * counters)
{
  g_autofree gchar *text = g_strdup_printf ("videotestsrc pattern=black "
      "num-buffers=%d ! video/x-raw,format=GRAY8,width=40,height=30 ! "
      "hipupload ! hipkernel name=kernel max-in-flight=%d source=\"" GATED "\" "
      "parameters=\"p,gate=(guint64)%" G_GUINT64_FORMAT "\" ! %s hipdownload "
      "max-in-flight=0 ! fakesink name=sink signal-handoffs=true", N_BUFFERS,
      MAX_IN_FLIGHT, (guint64) (guintptr) & gate, after);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (text, &error);
  g_autoptr (GstElement) kernel = NULL, sink = NULL;

  fail_unless (pipeline && !error, "%s", error ? error->message : "");
  kernel = gst_bin_get_by_name (GST_BIN (pipeline), "kernel");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (kernel, "vendor", GST_HIP_VENDOR_HOST, NULL);
  add_probe (kernel, "sink", on_enter, counters);
  add_probe (kernel, "src", on_leave, counters);
  g_signal_connect (sink, "handoff", G_CALLBACK (on_output), counters);
  return pipeline;
}

/* Ends when the source stands at the kernel with one frame more than fits. */
static void
wait_until_full (Counters * counters)
{
  g_mutex_lock (&counters->lock);
  while (counters->entered < MAX_IN_FLIGHT + 1)
    g_cond_wait (&counters->cond, &counters->lock);
  g_mutex_unlock (&counters->lock);
}

static void
wait_for_end (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus,
      GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
}

static void
check_outputs (Counters * counters, guint factor)
{
  guint8 black;
  GstMapInfo map;

  fail_unless_equals_int (counters->outputs->len, N_BUFFERS);
  for (guint i = 0; i < N_BUFFERS; i++) {
    GstBuffer *buffer = g_ptr_array_index (counters->outputs, i);

    fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
    black = i ? black : map.data[0] / factor;
    for (guint y = 0; y < 30; y++)
      for (guint x = 0; x < 40; x++)
        fail_unless_equals_int (map.data[y * (map.size / 30) + x],
            (guint8) (factor * (black + i)));
    gst_buffer_unmap (buffer, &map);
  }
}

static void
counters_init (Counters * counters)
{
  g_mutex_init (&counters->lock);
  g_cond_init (&counters->cond);
  counters->entered = counters->left = 0;
  counters->outputs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  g_atomic_int_set (&gate, 0);
}

static void
counters_clear (Counters * counters)
{
  g_ptr_array_unref (counters->outputs);
  g_mutex_clear (&counters->lock);
  g_cond_clear (&counters->cond);
}

GST_START_TEST (frames_overlap_up_to_max_in_flight)
{
  g_autoptr (GstElement) kernel = NULL;
  GstElement *pipeline;
  Counters counters;

  counters_init (&counters);
  pipeline = make_pipeline ("", &counters);
  kernel = gst_bin_get_by_name (GST_BIN (pipeline), "kernel");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_until_full (&counters);

  /* No kernel has ended, and still three frames went in and on. */
  fail_unless_equals_uint64 (get_stat (kernel, "submitted"), MAX_IN_FLIGHT);
  fail_unless_equals_uint64 (get_stat (kernel, "finished"), 0);
  fail_unless_equals_uint64 (get_stat (kernel, "in-flight"), MAX_IN_FLIGHT);
  fail_unless_equals_int (counters.left, MAX_IN_FLIGHT);

  g_atomic_int_set (&gate, 1);
  wait_for_end (pipeline);
  fail_unless_equals_int (counters.entered, N_BUFFERS);
  fail_unless_equals_uint64 (get_stat (kernel, "submitted"), N_BUFFERS);
  fail_unless_equals_uint64 (get_stat (kernel, "in-flight-peak"),
      MAX_IN_FLIGHT);
  check_outputs (&counters, 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  counters_clear (&counters);
}

GST_END_TEST;

/* A second kernel, on a stream of its own, reads what the slow one writes. */
GST_START_TEST (a_slow_producer_is_waited_for)
{
  GstElement *pipeline;
  Counters counters;

  counters_init (&counters);
  pipeline = make_pipeline ("hipkernel max-in-flight=0 source=\"" DOUBLE
      "\" ! ", &counters);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_until_full (&counters);
  g_atomic_int_set (&gate, 1);
  wait_for_end (pipeline);
  check_outputs (&counters, 2);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  counters_clear (&counters);
}

GST_END_TEST;

/* A flush ends the wait for room; what is with the device still ends well. */
GST_START_TEST (flush_ends_the_wait)
{
  g_autoptr (GstElement) kernel = NULL;
  g_autoptr (GstPad) pad = NULL;
  GstElement *pipeline;
  Counters counters;

  counters_init (&counters);
  pipeline = make_pipeline ("", &counters);
  kernel = gst_bin_get_by_name (GST_BIN (pipeline), "kernel");
  pad = gst_element_get_static_pad (kernel, "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_until_full (&counters);
  fail_unless (gst_pad_send_event (pad, gst_event_new_flush_start ()));
  /* The streaming thread holds this lock while it waits. */
  GST_PAD_STREAM_LOCK (pad);
  GST_PAD_STREAM_UNLOCK (pad);
  fail_unless_equals_uint64 (get_stat (kernel, "submitted"), MAX_IN_FLIGHT);
  fail_unless_equals_uint64 (get_stat (kernel, "finished"), 0);

  g_atomic_int_set (&gate, 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  counters_clear (&counters);
}

GST_END_TEST;

static Suite *
kernel_overlap_suite (void)
{
  Suite *s = suite_create ("kernel-overlap");
  TCase *tc = tcase_create ("overlap");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, frames_overlap_up_to_max_in_flight);
  tcase_add_test (tc, a_slow_producer_is_waited_for);
  tcase_add_test (tc, flush_ends_the_wait);
  return s;
}

GST_CHECK_MAIN (kernel_overlap);
