/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is every object of GStreamer's that a pipeline made gone after it? The leak
 * tracer of GStreamer counts; workers may take a moment.
 */
#include "robust.h"

static GObject *tracer;

static guint
count_live (gchar ** names)
{
  GstStructure *live = NULL;
  const GValue *list;
  guint n;

  g_signal_emit_by_name (tracer, "get-live-objects", &live);
  fail_unless (live != NULL);
  list = gst_structure_get_value (live, "live-objects-list");
  n = gst_value_list_get_size (list);
  if (names)
    *names = gst_structure_to_string (live);
  gst_structure_free (live);
  return n;
}

/* The tracer must not look while a worker gives something up. One that begins has
 * no name of its own yet, so that it may come after all were thought to have
 * ended: then there is another look. */
static gboolean
has_at_most (guint most)
{
  return is_at_rest () && count_live (NULL) <= most && is_at_rest ();
}

/* The first run makes what stays for the process: classes, caps, registries. */
static void
check_no_leak (GstElement * (*make) (void), void (*run) (GstElement * pipeline))
{
  guint before = 0;

  for (guint i = 0; i < 4; i++) {
    GstElement *pipeline = make ();
    g_autofree gchar *names = NULL;
    gint64 end;

    run (pipeline);
    to_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
    end = g_get_monotonic_time () + PATIENCE_US;
    while (!has_at_most (i > 0 ? before : G_MAXUINT)) {
      if (g_get_monotonic_time () > end) {
        guint now = count_live (&names);

        fail ("%u objects, were %u: %s", now, before, names);
      }
      g_usleep (500);
    }
    before = count_live (NULL);
  }
}

static GstElement *
make_plain (void)
{
  return new_pipeline ("videotestsrc num-buffers=20", "fakesink sync=false");
}

static GstElement *
make_queued (void)
{
  return new_pipeline ("videotestsrc num-buffers=20 ! queue",
      "tee name=t ! queue ! fakesink sync=false async=false t. ! queue ! "
      "fakesink sync=false async=false");
}

static GstElement *
make_endless (void)
{
  return new_pipeline ("videotestsrc", "fakesink sync=false");
}

static GstElement *
make_refused (void)
{
  GstElement *pipeline = new_pipeline ("videotestsrc", "fakesink");
  GstElement *kernel = gst_bin_get_by_name (GST_BIN (pipeline), "kernel");

  g_object_set (kernel, "source", "no kernel", NULL);
  gst_object_unref (kernel);
  return pipeline;
}

static void
flush_and_stop (GstElement * pipeline)
{
  to_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 5; i++) {
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, i * GST_SECOND));
    g_usleep (2000);
  }
}

static void
fail_to_start (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
}

GST_START_TEST (test_to_the_end)
{
  check_no_leak (make_plain, run_to_end);
}

GST_END_TEST;

GST_START_TEST (test_queues_and_tee)
{
  check_no_leak (make_queued, run_to_end);
}

GST_END_TEST;

GST_START_TEST (test_stopped_after_flushes)
{
  check_no_leak (make_endless, flush_and_stop);
}

GST_END_TEST;

GST_START_TEST (test_kernel_that_does_not_compile)
{
  check_no_leak (make_refused, fail_to_start);
}

GST_END_TEST;

static void
setup (void)
{
  GList *tracers = gst_tracing_get_active_tracers (), *l;

  for (l = tracers; l; l = l->next) {
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), "GstLeaksTracer"))
      tracer = g_object_ref (l->data);
  }
  g_list_free_full (tracers, gst_object_unref);
  fail_unless (tracer != NULL, "GST_TRACERS=leaks is not in the environment");
}

static void
teardown (void)
{
  g_clear_object (&tracer);
}

static Suite *
leaks_suite (void)
{
  Suite *suite = suite_create ("leaks");
  TCase *tcase = tcase_create ("leaks");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_to_the_end);
  tcase_add_test (tcase, test_queues_and_tee);
  tcase_add_test (tcase, test_stopped_after_flushes);
  tcase_add_test (tcase, test_kernel_that_does_not_compile);
  return suite;
}

GST_CHECK_MAIN (leaks);
