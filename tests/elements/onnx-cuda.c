/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a model run on the device's memory, behind what was queued before, and is
 * a provider that cannot work refused with the reason? On a simulated driver and
 * a simulated CUDA provider, whose logs say what they were asked to do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gst/hip/gsthip.h>

#include "onnx-common.h"

static gchar *driver_log, *runtime_log;

static void
setup (void)
{
  driver_log = g_strdup_printf ("%s/onnx-cuda-driver-%d", g_get_tmp_dir (),
      getpid ());
  runtime_log = g_strdup_printf ("%s/onnx-cuda-runtime-%d", g_get_tmp_dir (),
      getpid ());
  g_setenv ("FAKE_CUDA_LOG", driver_log, TRUE);
  g_setenv ("FAKE_ORT_LOG", runtime_log, TRUE);
}

static void
teardown (void)
{
  remove (driver_log);
  remove (runtime_log);
  g_clear_pointer (&driver_log, g_free);
  g_clear_pointer (&runtime_log, g_free);
}

/* Lines of a log that begin so */
static guint
count_lines (const gchar * log, const gchar * beginning)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (!g_file_get_contents (log, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    n += g_str_has_prefix (lines[i], beginning);
  return n;
}

/* --- providers that cannot work --- */

static GstMessage *
start (GstElement * element, GstMessageType type)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (element, bus);
  gst_element_set_state (element, GST_STATE_PAUSED);
  message = gst_bus_pop_filtered (bus, type);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  fail_unless (message != NULL);
  return message;
}

/* The runtime says in its log alone which library is not there. */
GST_START_TEST (test_provider_lacks_a_library)
{
  const gchar *provider = g_getenv ("GST_HIP_TEST_LACKING_PROVIDER");
  GstElement *element = make_inference ("planar", "execution-provider", "cuda",
      NULL);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("FAKE_ORT_PROVIDER", provider, TRUE);
  message = start (element, GST_MESSAGE_ERROR);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_NOT_FOUND));
  fail_unless (strstr (error->message, "cuda") != NULL, "%s", error->message);
  fail_unless (strstr (error->message, provider) != NULL, "%s", error->message);
  fail_unless (strstr (error->message, "libnowhere-at-all.so.7") != NULL, "%s",
      error->message);
  gst_object_unref (element);
}

GST_END_TEST;

/* Where nobody asked for it the CPU does, and somebody is told. */
GST_START_TEST (test_automatic_provider_lacks_a_library)
{
  GstElement *element = make_inference ("planar", "execution-provider", "auto",
      NULL);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  g_setenv ("FAKE_ORT_PROVIDER", g_getenv ("GST_HIP_TEST_LACKING_PROVIDER"),
      TRUE);
  message = start (element, GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, "libnowhere-at-all.so.7") != NULL, "%s",
      error->message);
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (test_stream_and_options)
{
  GstElement *element = make_inference ("planar", "provider-options",
      "options,use_tf32=false,cudnn_conv_algo_search=HEURISTIC", NULL);
  g_autoptr (GstMessage) message = start (element, GST_MESSAGE_ASYNC_DONE |
      GST_MESSAGE_STATE_CHANGED);

  fail_unless_equals_int (count_lines (runtime_log, "session stream"), 1);
  fail_unless_equals_int (count_lines (runtime_log, "option device_id=0"), 1);
  fail_unless_equals_int (count_lines (runtime_log, "option use_tf32=0"), 1);
  fail_unless_equals_int (count_lines (runtime_log,
          "option cudnn_conv_algo_search=HEURISTIC"), 1);
  gst_object_unref (element);
}

GST_END_TEST;

/* --- frames --- */

static GstHarness *
device_harness (GstElement * element, const gchar * format, guint width,
    guint height)
{
  GstHarness *h = gst_harness_new_with_element (element, "sink", "src");
  g_autofree gchar *caps =
      g_strdup_printf ("video/x-raw(memory:HIPMemory),format=%s,width=%u,"
      "height=%u,framerate=25/1", format, width, height);

  gst_object_unref (element);
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

/* Frames in the device's memory, whose bytes are number */
static GstBuffer *
device_frame (GstHarness * upload, guint size, guint number)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (buffer, 0, (guint8) number, size);
  GST_BUFFER_PTS (buffer) = number * 40 * GST_MSECOND;
  return gst_harness_push_and_pull (upload, buffer);
}

#define N_FRAMES 12

static void
push_device_frame (GstHarness * h, GstHarness * upload)
{
  gst_buffer_unref (gst_harness_push_and_pull (h, device_frame (upload, 512,
              0)));
}

/* --- the first run --- */

typedef struct
{
  GThread *streaming;
  guint started, completed;
  gboolean by_streaming;
} Progress;

static GstBusSyncReply
note_progress (GstBus * bus, GstMessage * message, gpointer data)
{
  Progress *self = data;
  g_autofree gchar *code = NULL;
  GstProgressType type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_PROGRESS) {
    gst_message_parse_progress (message, &type, &code, NULL);
    fail_unless_equals_string (code, "warm-up");
    self->started += type == GST_PROGRESS_TYPE_START;
    self->completed += type == GST_PROGRESS_TYPE_COMPLETE;
    self->by_streaming |= g_thread_self () == self->streaming;
  }
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
push_one (GstHarness * h, guint size)
{
  gst_buffer_unref (gst_harness_push_and_pull (h, counting_frame (size, 0)));
}

/* Before the first frame, once for each shape, not on upstream's thread; not on
 * the CPU. */
GST_START_TEST (test_warm_up)
{
  const gboolean has = __i__ == 0;
  GstElement *element = make_inference ("any-uint8-gray",
      "execution-provider", has ? "cuda" : "cpu", NULL);
  Progress progress = {.streaming = g_thread_self () };
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstHarness *h;

  gst_bus_set_sync_handler (bus, note_progress, &progress, NULL);
  gst_element_set_bus (element, bus);
  h = harness_for (element, "GRAY8", 64, 8);
  push_one (h, 512);
  fail_unless_equals_int (progress.started, has);
  fail_unless_equals_int (progress.completed, has);
  fail_unless_equals_int (count_lines (runtime_log, "run"), 2 * has);
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=RGB,width=64,height=8,framerate=25/1");
  push_one (h, 3 * 512);
  fail_unless_equals_int (progress.completed, has);
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=GRAY8,width=64,height=16,framerate=25/1");
  push_one (h, 1024);
  fail_unless_equals_int (progress.completed, 2 * has);
  fail_if (progress.by_streaming);
  gst_harness_teardown (h);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
}

GST_END_TEST;

/* One shape for batches of any number, as a new one would be planned anew */
GST_START_TEST (test_short_batch_has_no_shape_of_its_own)
{
  GstHarness *h = harness_for (make_inference ("batch-any", "batch-size", "4",
          "scale", "<1>", NULL), "RGB", 4, 4);
  gfloat means[3];

  for (guint i = 1; i <= 6; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (NULL, 48, NULL);

    gst_buffer_memset (frame, 0, (guint8) i, 48);
    gst_harness_push (h, frame);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
  for (guint i = 1; i <= 6; i++) {
    GstBuffer *out = gst_harness_pull (h);

    check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "means", 2,
        1, 3);
    gst_buffer_extract (get_tensor (out, 0)->data, 0, means, sizeof (means));
    fail_unless (ABS (means[0] - i) < 1e-4, "%g", means[0]);
    gst_buffer_unref (out);
  }
  fail_unless_equals_int (count_lines (runtime_log, "shape 4x3x4x4"), 3);
  fail_unless_equals_int (count_lines (runtime_log, "shape "), 3);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- graphs --- */

#define N_GRAPH_FRAMES 40

/* Each tensor that frames take turns in is captured once and replayed; results
 * that are kept are not written over by later frames. Without a limit on what
 * work takes and with one, in HIP memory and not. */
GST_START_TEST (test_graphs)
{
  GstHarness *h = harness_for (make_inference ("any-uint8-gray",
          "provider-options", "options,enable_cuda_graph=true", "async-depth",
          "4", "tensor-memory", __i__ & 1 ? "hip" : "system", NULL), "GRAY8",
      64, 8);
  GstBuffer *outs[N_GRAPH_FRAMES];
  guint captured;

  if (__i__ & 2)
    g_setenv ("FAKE_CUDA_DELAY_US", "3000", TRUE);
  for (guint i = 0; i < N_GRAPH_FRAMES; i++)
    fail_unless_equals_int (gst_harness_push (h, counting_frame (512,
                (guint8) (i * 5))), GST_FLOW_OK);
  for (guint i = 0; i < N_GRAPH_FRAMES; i++)
    outs[i] = gst_harness_pull (h);
  for (guint i = 0; i < N_GRAPH_FRAMES; i++) {
    guint8 bytes[512];

    check_tensor (get_tensor (outs[i], 0), GST_TENSOR_DATA_TYPE_UINT8, "y", 4,
        1, 1, 8, 64);
    gst_buffer_extract (get_tensor (outs[i], 0)->data, 0, bytes, 512);
    for (guint j = 0; j < 512; j++)
      fail_unless (bytes[j] == (guint8) (i * 5 + j), "frame %u, byte %u: %u", i,
          j, bytes[j]);
    gst_buffer_unref (outs[i]);
  }
  g_unsetenv ("FAKE_CUDA_DELAY_US");
  captured = count_lines (runtime_log, "graph") - count_lines (runtime_log,
      "graph again");
  fail_unless (captured >= 1 && captured <= 8, "%u graphs", captured);
  fail_unless_equals_int (count_lines (runtime_log, "graph"), N_GRAPH_FRAMES);
  /* The first run, which has shown what the outputs are like */
  fail_unless_equals_int (count_lines (runtime_log, "run"), 1);

  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=GRAY8,width=32,height=8,framerate=25/1");
  for (guint i = 0; i < 8; i++)
    push_one (h, 256);
  fail_unless_equals_int (count_lines (runtime_log, "run"), 2);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_graph_with_other_inputs)
{
  GstElement *element = make_inference ("scaled", "provider-options",
      "options,enable_cuda_graph=true", "extra-inputs", "inputs,factor=2.0",
      NULL);
  g_autoptr (GstMessage) message = start (element, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "enable_cuda_graph") != NULL, "%s",
      error->message);
  gst_object_unref (element);
}

GST_END_TEST;

/* --- where and when --- */

/* From a device's frame to a device's tensors no byte is copied. */
GST_START_TEST (test_no_copy)
{
  GstHarness *upload = gst_harness_new ("hipupload");
  GstHarness *h = device_harness (make_inference ("any-uint8-gray",
          "tensor-memory", "hip", NULL), "GRAY8", 64, 8);
  GstBuffer *frames[N_FRAMES], *outs[N_FRAMES];
  guint copies, runs;

  gst_harness_set_src_caps_str (upload,
      "video/x-raw,format=GRAY8,width=64,height=8,framerate=25/1");
  for (guint i = 0; i < N_FRAMES; i++)
    frames[i] = device_frame (upload, 512, i + 1);
  /* The run of before the first frame, and its tensor */
  push_device_frame (h, upload);
  copies = count_lines (driver_log, "cuMemcpy");
  runs = count_lines (runtime_log, "run");
  fail_unless (copies >= N_FRAMES);     /* the uploads: they are seen */
  for (guint i = 0; i < N_FRAMES; i++)
    gst_harness_push (h, frames[i]);
  for (guint i = 0; i < N_FRAMES; i++)
    outs[i] = gst_harness_pull (h);
  fail_unless_equals_int (count_lines (driver_log, "cuMemcpy"), copies);
  fail_unless_equals_int (count_lines (runtime_log, "run") - runs, N_FRAMES);

  for (guint i = 0; i < N_FRAMES; i++) {
    GstMemory *memory =
        gst_buffer_peek_memory (get_tensor (outs[i], 0)->data, 0);
    guint8 bytes[512];

    fail_unless (gst_is_hip_memory (memory));
    gst_buffer_extract (get_tensor (outs[i], 0)->data, 0, bytes, 512);
    for (guint j = 0; j < 512; j++)
      fail_unless_equals_int (bytes[j], i + 1);
    gst_buffer_unref (outs[i]);
  }
  gst_harness_teardown (h);
  gst_harness_teardown (upload);
}

GST_END_TEST;

/* Every piece of work takes 20 ms, the upload and the conversion among them:
 * the model sees what they have written all the same, and nobody has waited for
 * them. A model that came too early would see what memory has at first, or the
 * frame before. */
GST_START_TEST (test_slow_producer)
{
  GstHarness *upload = gst_harness_new ("hipupload");
  GstHarness *h = device_harness (make_inference ("any-uint8-gray",
          "async-depth", "4", "tensor-memory", __i__ ? "hip" : "system", NULL),
      "GRAY8", 64, 8);
  guint8 bytes[512];

  gst_harness_set_src_caps_str (upload,
      "video/x-raw,format=GRAY8,width=64,height=8,framerate=25/1");
  g_setenv ("FAKE_CUDA_DELAY_US", "20000", TRUE);
  for (guint i = 0; i < N_FRAMES; i++)
    gst_harness_push (h, device_frame (upload, 512, i + 1));
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *out = gst_harness_pull (h);

    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), (i + 1) * 40 *
        GST_MSECOND);
    gst_buffer_extract (get_tensor (out, 0)->data, 0, bytes, 512);
    for (guint j = 0; j < 512; j++)
      fail_unless (bytes[j] == i + 1, "frame %u, byte %u: %u", i + 1, j,
          bytes[j]);
    gst_buffer_unref (out);
  }
  g_unsetenv ("FAKE_CUDA_DELAY_US");
  gst_harness_teardown (h);
  gst_harness_teardown (upload);
}

GST_END_TEST;

static Suite *
onnx_cuda_suite (void)
{
  Suite *suite = suite_create ("onnx-cuda");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_provider_lacks_a_library);
  tcase_add_test (tc, test_automatic_provider_lacks_a_library);
  tcase_add_test (tc, test_stream_and_options);
  tcase_add_loop_test (tc, test_warm_up, 0, 2);
  tcase_add_test (tc, test_short_batch_has_no_shape_of_its_own);
  tcase_add_loop_test (tc, test_graphs, 0, 4);
  tcase_add_test (tc, test_graph_with_other_inputs);
  tcase_add_test (tc, test_no_copy);
  tcase_add_loop_test (tc, test_slow_producer, 0, 2);
  return suite;
}

GST_CHECK_MAIN (onnx_cuda);
