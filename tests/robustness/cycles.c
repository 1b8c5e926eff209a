/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a pipeline that goes up and down for ever leave anything behind: memory,
 * files, threads? And do contexts that do not suit leave it in order?
 */
#include "robust.h"

#define N_CYCLES (SANITIZED ? 50 : 1000)
#define N_PIPELINES (SANITIZED ? 20 : 400)
/* A lost object would be more; what hash tables and queues grow by is less. */
#define BYTES_PER_CYCLE 200
/* Caches of events and of threads' allocators fill up to what the busiest moment
 * needed: seen to end at 100 to 270 kB, after 150 cycles as after 600. */
#define BYTES_OF_CACHES 400000

/* The application's device stays, and its default stream perhaps. */
static void
settle (void)
{
  for (guint i = 0; i < 1000 && !is_at_rest (); i++)
    g_usleep (1000);
}

static void
check_flat (void (*cycle) (gpointer data), gpointer data, guint n)
{
  guint i, fds, threads, warm = n / 4;
  gint64 bytes, growth;

  for (i = 0; i < warm; i++)
    cycle (data);
  settle ();
  threads = count_threads ();
  fds = count_fds ();
  bytes = bytes_in_use ();
  for (; i < n; i++)
    cycle (data);
  settle ();
  wait_for (count_threads () <= threads);
  fail_unless (count_fds () <= fds, "%u files, were %u", count_fds (), fds);
  growth = bytes_in_use () - bytes;
  if (!SANITIZED)
    fail_unless (growth <
        (gint64) (n - warm) * BYTES_PER_CYCLE + BYTES_OF_CACHES,
        "%" G_GINT64_FORMAT " bytes more after %u cycles", growth, n - warm);
}

static void
up_and_down (gpointer pipeline)
{
  to_state (pipeline, GST_STATE_PLAYING);
  to_state (pipeline, GST_STATE_NULL);
}

GST_START_TEST (test_null_playing_null)
{
  GstElement *pipeline = new_pipeline ("videotestsrc", "fakesink");

  check_flat (up_and_down, pipeline, N_CYCLES);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static void
whole_life (gpointer unused)
{
  GstElement *pipeline = new_pipeline ("videotestsrc num-buffers=3",
      "fakesink sync=false");

  run_to_end (pipeline);
  to_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_new_pipelines)
{
  check_flat (whole_life, NULL, N_PIPELINES);
}

GST_END_TEST;

/* The application's device, in one pipeline after the other */
static void
session (gpointer context)
{
  GstElement *pipeline = new_pipeline ("videotestsrc num-buffers=3",
      "fakesink sync=false");

  gst_element_set_context (pipeline, context);
  run_to_end (pipeline);
  to_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_sessions_with_a_device_of_the_application)
{
  GstHipDevice *device = gst_hip_device_new (GST_HIP_VENDOR_HOST, 0);
  GstContext *context = gst_context_new_hip_device (device);
  gint refs = GST_OBJECT_REFCOUNT_VALUE (device);

  check_flat (session, context, N_PIPELINES);
  wait_for (GST_OBJECT_REFCOUNT_VALUE (device) == refs);
  gst_context_unref (context);
  gst_object_unref (device);
}

GST_END_TEST;

/* --- contexts that children object to --- */

static GstContext *
context_without_device (void)
{
  GstContext *context = gst_context_new (GST_HIP_DEVICE_CONTEXT_TYPE, TRUE);

  gst_structure_set (gst_context_writable_structure (context), "device",
      G_TYPE_STRING, "none", NULL);
  return context;
}

GST_START_TEST (test_children_object_to_a_context)
{
  static const GstState states[] = { GST_STATE_NULL, GST_STATE_READY,
    GST_STATE_PAUSED, GST_STATE_PLAYING
  };
  GstElement *pipeline = new_pipeline ("videotestsrc", "fakesink"), *kernel;
  GstElement *objector = gst_element_factory_make ("hipupload", "objector");
  GstHipDevice *device = gst_hip_device_new (GST_HIP_VENDOR_HOST, 0), *used;
  g_autoptr (GstContext) none = context_without_device ();
  g_autoptr (GstContext) empty =
      gst_context_new (GST_HIP_DEVICE_CONTEXT_TYPE, FALSE);
  g_autoptr (GstContext) good = gst_context_new_hip_device (device);
  GstContext *contexts[] = { none, empty, good };
  guint i, k;

  /* One child takes no other device than one that is not the context's. */
  gst_util_set_object_arg (G_OBJECT (objector), "vendor", "amd");
  gst_element_set_locked_state (objector, TRUE);
  gst_bin_add (GST_BIN (pipeline), objector);
  for (i = 0; i < G_N_ELEMENTS (states); i++) {
    to_state (pipeline, states[i]);
    for (k = 0; k < G_N_ELEMENTS (contexts); k++)
      gst_element_set_context (pipeline, contexts[k]);
  }
  to_state (pipeline, GST_STATE_NULL);
  /* The last one was good, for those that do not object. */
  to_state (pipeline, GST_STATE_PAUSED);
  kernel = gst_bin_get_by_name (GST_BIN (pipeline), "kernel");
  {
    g_autoptr (GstContext) context =
        gst_element_get_context (kernel, GST_HIP_DEVICE_CONTEXT_TYPE);

    fail_unless (context != NULL);
    fail_unless (gst_structure_get (gst_context_get_structure (context),
            "device", GST_TYPE_HIP_DEVICE, &used, NULL));
    fail_unless (used == device);
    gst_object_unref (used);
  }
  gst_object_unref (kernel);
  to_state (pipeline, GST_STATE_NULL);

  /* Without its device the objector does not start, whatever it is given. */
  if (!gst_hip_load_library (GST_HIP_VENDOR_AMD)) {
    gst_element_set_locked_state (objector, FALSE);
    fail_unless_equals_int (gst_element_set_state (pipeline,
            GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    to_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (pipeline);
  gst_object_unref (device);
}

GST_END_TEST;

static Suite *
cycles_suite (void)
{
  Suite *suite = suite_create ("cycles");
  TCase *tcase = tcase_create ("cycles");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, test_null_playing_null);
  tcase_add_test (tcase, test_new_pipelines);
  tcase_add_test (tcase, test_sessions_with_a_device_of_the_application);
  tcase_add_test (tcase, test_children_object_to_a_context);
  return suite;
}

GST_CHECK_MAIN (cycles);
