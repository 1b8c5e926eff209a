/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do frames get through inference in order, without waiting for it, as batches,
 * over flushes, ends and new caps; and is what cannot go refused with a reason?
 */
#include <string.h>

#include <gst/hip/gsthip.h>

#include "onnx-common.h"

static guint64
get_stat (GstElement * element, const gchar * name)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 value = 0;
  guint small;

  g_object_get (element, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, name, &value)
      && gst_structure_get_uint (stats, name, &small))
    value = small;
  return value;
}

static GstBuffer *
numbered_frame (guint size, guint number)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (buffer, 0, (guint8) number, size);
  GST_BUFFER_PTS (buffer) = number * 40 * GST_MSECOND;
  return buffer;
}

/* The model has seen this very frame: its first number is the frame's. */
static void
check_number (GstBuffer * buffer, guint number, gdouble scale)
{
  gfloat first = -1;

  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer),
      number * 40 * GST_MSECOND);
  gst_buffer_extract (get_tensor (buffer, 0)->data, 0, &first, sizeof (first));
  fail_unless (ABS (first - (number & 255) * scale) < 1e-3,
      "frame %u: %g in place of %g", number, first, (number & 255) * scale);
  gst_buffer_unref (buffer);
}

/* --- not waiting --- */

/* What happens first cannot be forced, so it has to happen once in ten times. */
GST_START_TEST (test_returns_before_the_model)
{
  GstHarness *h = harness_for (make_inference ("slow", "async-depth", "4",
          NULL), "RGB", 4, 4);
  gboolean seen = FALSE;
  guint n = 0;

  for (guint round = 0; round < 10 && !seen; round++) {
    for (guint i = 0; i < 3; i++)
      gst_harness_push (h, numbered_frame (48, n + i));
    seen = gst_harness_buffers_in_queue (h) < 3;
    for (guint i = 0; i < 3; i++)
      check_number (gst_harness_pull (h), n++, 1. / 255);
  }
  fail_unless (seen, "every push came back after its result");
  gst_harness_teardown (h);
}

GST_END_TEST;

static gpointer
push_ten (gpointer data)
{
  for (guint i = 0; i < 10; i++)
    fail_unless_equals_int (gst_harness_push (data, numbered_frame (48, i)),
        GST_FLOW_OK);
  return NULL;
}

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

static void
wait_in_flight (GstElement * element, guint n)
{
  while (get_stat (element, "in-flight") < n)
    g_usleep (1000);
}

/* With downstream blocked as many frames get in as may, and no more. */
GST_START_TEST (test_depth)
{
  GstHarness *h = harness_for (make_inference ("planar", "async-depth", "3",
          "scale", "<1>", NULL), "RGB", 4, 4);
  GstPad *pad = gst_element_get_static_pad (h->element, "src");
  gulong probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK |
      GST_PAD_PROBE_TYPE_BUFFER, block, NULL, NULL);
  GThread *thread = g_thread_new ("push", push_ten, h);

  wait_in_flight (h->element, 3);
  fail_unless_equals_int (gst_harness_buffers_in_queue (h), 0);
  gst_pad_remove_probe (pad, probe);
  for (guint i = 0; i < 10; i++)
    check_number (gst_harness_pull (h), i, 1);
  g_thread_join (thread);
  fail_unless_equals_uint64 (get_stat (h->element, "in-flight-peak"), 3);
  gst_object_unref (pad);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_ten_thousand)
{
  const guint n = 10000;
  GstHarness *h = harness_for (make_inference ("planar", "async-depth", "8",
          "scale", "<1>", NULL), "RGB", 4, 4);
  guint pulled = 0;

  for (guint i = 0; i < n; i++) {
    fail_unless_equals_int (gst_harness_push (h, numbered_frame (48, i)),
        GST_FLOW_OK);
    while (gst_harness_buffers_in_queue (h) > 0)
      check_number (gst_harness_pull (h), pulled++, 1);
  }
  while (pulled < n)
    check_number (gst_harness_pull (h), pulled++, 1);
  fail_unless_equals_uint64 (get_stat (h->element, "frames"), n);
  fail_unless (gst_harness_try_pull (h) == NULL);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- ends --- */

GST_START_TEST (test_flush)
{
  GstHarness *h = harness_for (make_inference ("slow", "async-depth", "4",
          NULL), "RGB", 4, 4);
  GstSegment segment;
  GstBuffer *buffer;

  for (guint i = 0; i < 4; i++)
    gst_harness_push (h, numbered_frame (48, i));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  while ((buffer = gst_harness_try_pull (h)))
    gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (get_stat (h->element, "in-flight"), 0);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  for (guint i = 10; i < 13; i++)
    gst_harness_push (h, numbered_frame (48, i));
  for (guint i = 10; i < 13; i++)
    check_number (gst_harness_pull (h), i, 1. / 255);
  gst_harness_teardown (h);
}

GST_END_TEST;

static gpointer
push_until_flush (gpointer data)
{
  GstFlowReturn flow;
  guint i = 0;

  do
    flow = gst_harness_push (data, numbered_frame (48, i++));
  while (flow == GST_FLOW_OK);
  return GINT_TO_POINTER (flow);
}

/* A push that waits for room ends with the flush. */
GST_START_TEST (test_flush_wakes)
{
  GstHarness *h = harness_for (make_inference ("planar", "async-depth", "2",
          NULL), "RGB", 4, 4);
  GstPad *pad = gst_element_get_static_pad (h->element, "src");
  GThread *thread;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
      block, NULL, NULL);
  thread = g_thread_new ("push", push_until_flush, h);
  wait_in_flight (h->element, 2);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  gst_object_unref (pad);
  gst_harness_teardown (h);
}

GST_END_TEST;

static GstPadProbeReturn
note (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GString *text = data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    g_string_append_c (text, 'b');
  else if (GST_EVENT_TYPE (info->data) == GST_EVENT_EOS)
    g_string_append_c (text, 'E');
  else if (GST_EVENT_TYPE (info->data) == GST_EVENT_TAG)
    g_string_append_c (text, 't');
  else if (GST_EVENT_TYPE (info->data) == GST_EVENT_GAP)
    g_string_append_c (text, 'g');
  return GST_PAD_PROBE_OK;
}

static GString *
watch (GstHarness * h)
{
  GstPad *pad = gst_element_get_static_pad (h->element, "src");
  GString *text = g_string_new (NULL);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER |
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, text, NULL);
  gst_object_unref (pad);
  return text;
}

static void
wait_eos (GstHarness * h)
{
  GstEvent *event;
  gboolean is_eos = FALSE;

  while (!is_eos) {
    event = gst_harness_pull_event (h);
    fail_unless (event != NULL);
    is_eos = GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
}

/* Frames and what goes between them keep their places, and the end comes last. */
GST_START_TEST (test_events_in_order)
{
  GstHarness *h = harness_for (make_inference ("slow", "async-depth", "4",
          NULL), "RGB", 4, 4);
  GString *seen = watch (h);

  gst_harness_push (h, numbered_frame (48, 0));
  gst_harness_push (h, numbered_frame (48, 1));
  gst_harness_push_event (h, gst_event_new_tag (gst_tag_list_new_empty ()));
  gst_harness_push (h, numbered_frame (48, 2));
  gst_harness_push_event (h, gst_event_new_gap (0, GST_SECOND));
  gst_harness_push_event (h, gst_event_new_eos ());
  wait_eos (h);
  fail_unless_equals_string (seen->str, "bbtbgE");
  g_string_free (seen, TRUE);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- batches --- */

GST_START_TEST (test_batch)
{
  GstHarness *h = harness_for (make_inference ("batch-any", "batch-size", "4",
          "scale", "<1>", "batch-timeout", "1000000000000", NULL), "RGB", 4, 4);

  for (guint i = 0; i < 8; i++)
    gst_harness_push (h, numbered_frame (48, i));
  for (guint i = 0; i < 8; i++) {
    GstBuffer *out = gst_harness_pull (h);

    check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "means",
        2, 1, 3);
    fail_unless_equals_int (gst_buffer_get_size (get_tensor (out, 0)->data),
        12);
    check_number (out, i, 1);
  }
  fail_unless_equals_uint64 (get_stat (h->element, "runs"), 2);

  /* A short one at the end */
  for (guint i = 8; i < 11; i++)
    gst_harness_push (h, numbered_frame (48, i));
  gst_harness_push_event (h, gst_event_new_eos ());
  for (guint i = 8; i < 11; i++)
    check_number (gst_harness_pull (h), i, 1);
  fail_unless_equals_uint64 (get_stat (h->element, "runs"), 3);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* The model says how many, and the last ones are fewer. */
GST_START_TEST (test_fixed_batch)
{
  GstHarness *h = harness_for (make_inference ("batch-of-4", "scale", "<1>",
          "batch-timeout", "1000000000000", NULL), "RGB", 4, 4);

  for (guint i = 0; i < 6; i++)
    gst_harness_push (h, numbered_frame (48, i));
  gst_harness_push_event (h, gst_event_new_eos ());
  for (guint i = 0; i < 6; i++) {
    GstBuffer *out = gst_harness_pull (h);

    check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "y", 1, 1);
    check_number (out, i, 1);
  }
  fail_unless_equals_uint64 (get_stat (h->element, "runs"), 2);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A frame does not wait for ever. */
/* Pictures without a frame are black, and not what was in the memory before. */
GST_START_TEST (test_padding_is_black)
{
  GstHarness *h =
      harness_for (make_inference ("batch-mixed", NULL), "RGB", 8, 8);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 192, NULL), *out;
  gfloat mean;

  gst_buffer_memset (frame, 0, 200, 192);
  gst_harness_push (h, frame);
  gst_harness_push_event (h, gst_event_new_eos ());
  out = gst_harness_pull (h);
  gst_buffer_extract (get_tensor (out, 0)->data, 0, &mean, sizeof (mean));
  fail_unless (ABS (mean - 50) < 1e-3, "%g", mean);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_batch_timeout)
{
  GstHarness *h = harness_for (make_inference ("batch-any", "batch-size", "4",
          "scale", "<1>", "batch-timeout", "1000000", NULL), "RGB", 4, 4);

  for (guint i = 0; i < 3; i++) {
    gst_harness_push (h, numbered_frame (48, i));
    check_number (gst_harness_pull (h), i, 1);
  }
  fail_unless_equals_uint64 (get_stat (h->element, "runs"), 3);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- queries --- */

GST_START_TEST (test_latency)
{
  GstHarness *h = harness_for (make_inference ("planar", "async-depth", "3",
          NULL), "RGB", 4, 4);

  gst_harness_set_upstream_latency (h, 100 * GST_MSECOND);
  fail_unless_equals_uint64 (gst_harness_query_latency (h), 220 * GST_MSECOND);
  gst_harness_teardown (h);
}

GST_END_TEST;

static GstBuffer *
run_with_downstream (GstHarness * h)
{
  return gst_harness_push_and_pull (h, numbered_frame (48, 1));
}

/* Bound to a device, results come to the CPU by its own copy to page-locked
 * memory, and stay where they are otherwise; of a graph they are copied. */
static void
check_memory (GstMemory * memory, gboolean hip)
{
  gboolean bound = g_strcmp0 (g_getenv ("GST_HIP_ONNX_BIND"), "1") == 0
      || g_getenv ("GST_HIP_TEST_PROVIDER");
  GstHipMemoryKind there = g_getenv ("GST_HIP_TEST_GRAPHS") ?
      GST_HIP_MEMORY_KIND_DEVICE : GST_HIP_MEMORY_KIND_WRAPPED_DEVICE;

  fail_unless_equals_int (gst_is_hip_memory (memory), hip || bound);
  if (bound)
    fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
            (memory)), hip ? there : GST_HIP_MEMORY_KIND_PINNED);
}

GST_START_TEST (test_tensor_memory)
{
  static const gchar *const values[] = { "system", "hip", "auto", "auto" };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    GstElement *element = make_inference ("planar", "tensor-memory", values[i],
        "scale", "<1>", NULL);
    GstHarness *h = gst_harness_new_with_element (element, "sink", "src");
    gboolean wants = i == 3, hip = i == 1 || i == 3;
    GstBuffer *out;

    gst_object_unref (element);
    if (wants) {
      g_autoptr (GstStructure) wish = gst_structure_new ("tensors",
          "hip-memory", G_TYPE_BOOLEAN, TRUE, NULL);

      gst_harness_add_propose_allocation_meta (h, GST_TENSOR_META_API_TYPE,
          wish);
    }
    gst_harness_set_src_caps_str (h,
        "video/x-raw,format=RGB,width=4,height=4,framerate=25/1");
    out = run_with_downstream (h);
    check_memory (gst_buffer_peek_memory (get_tensor (out, 0)->data, 0), hip);
    check_number (out, 1, 1);
    gst_harness_teardown (h);
  }
}

GST_END_TEST;

GST_START_TEST (test_new_caps)
{
  GstHarness *h = harness_for (make_inference ("any-float32-nchw", "scale",
          "<1>", "async-depth", "4", NULL), "RGB", 4, 4);

  for (guint i = 0; i < 200; i++) {
    gboolean wide = i & 1;
    GstBuffer *out;

    gst_harness_set_src_caps_str (h, wide ?
        "video/x-raw,format=RGB,width=8,height=2,framerate=25/1" :
        "video/x-raw,format=RGBA,width=4,height=5,framerate=25/1");
    gst_harness_push (h, numbered_frame (wide ? 48 : 80, i));
    out = gst_harness_pull (h);
    check_tensor (get_tensor (out, 0), GST_TENSOR_DATA_TYPE_FLOAT32, "y", 4, 1,
        3, wide ? 2 : 5, wide ? 8 : 4);
    check_number (out, i, 1);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- refusals --- */

typedef struct
{
  const gchar *model, *property, *value;
  const gchar *words[3];
} Refusal;

/* *INDENT-OFF* */
static const Refusal refusals[] = {
  { "not-there", NULL, NULL, {"there is no model file", "not-there"} },
  { "empty", NULL, NULL, {"is empty"} },
  { "corrupt", NULL, NULL, {"corrupt.onnx"} },
  { "no-input", NULL, NULL, {"has no input"} },
  { "huge", NULL, NULL, {"too large", "1x3x1000000x1000000"} },
  { "too-wide", NULL, NULL, {"no picture"} },
  { "string-in", NULL, NULL, {"string 1x3x4x4"} },
  { "float64-in", NULL, NULL, {"float64 1x3x4x4"} },
  { "string-out", NULL, NULL, {"output \"y\"", "string"} },
  { "bool-out", NULL, NULL, {"output \"y\"", "bool"} },
  { "sequence-out", NULL, NULL, {"output \"y\""} },
  { "unknown-operator", NULL, NULL, {"Dream"} },
  { "two-inputs", NULL, NULL, {"\"a\"", "\"b\"", "extra-inputs"} },
  { "bad-1d", NULL, NULL, {"1 dimensions"} },
  { "bad-5d", NULL, NULL, {"5 dimensions"} },
  { "bad-channels", NULL, NULL, {"input-layout"} },
  { "info-dims", NULL, NULL, {"contradicts"} },
  { "info-type", NULL, NULL, {"contradicts"} },
  { "info-direction", NULL, NULL, {"contradicts"} },
  { "info-other", NULL, NULL, {"contradicts"} },
  { "info-version", NULL, NULL, {"version=2.0"} },
  { "info-ranges", NULL, NULL, {"ranges=0,1;0"} },
  { "info-channels", NULL, NULL, {"2 ranges"} },
  { "planar", "mean", "<1,2>", {"mean has 2 numbers"} },
  { "planar", "std", "<0>", {"std 0"} },
  { "planar", "pad-value", "<1,2>", {"pad-value has 2 numbers"} },
  { "planar", "input-format", "gray", {"input-format"} },
  { "planar", "image-input", "nothing", {"\"nothing\"", "\"x\""} },
  { "planar", "batch-size", "2", {"batch-size is 2"} },
  { "planar", "model-info", "/no/such/file", {"/no/such/file"} },
  { "planar", "onnxruntime", "/no/such/runtime.so", {"/no/such/runtime.so", "GST_HIP_ONNXRUNTIME"} },
  { "planar", "execution-provider", "migraphx", {"MIGraphXExecutionProvider"} },
  { "scaled", "extra-inputs", "inputs,factor=<1.0,2.0>", {"\"factor\""} },
  { "scaled", "extra-inputs", "inputs,factor=<1.0>,more=<1.0>", {"\"more\""} },
};
/* *INDENT-ON* */

GST_START_TEST (test_refusal)
{
  const Refusal *refusal = &refusals[__i__];
  GstElement *element = make_inference (refusal->model, refusal->property,
      refusal->value, NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (element, bus);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  for (guint i = 0; i < 3 && refusal->words[i]; i++)
    fail_unless (strstr (error->message, refusal->words[i]) != NULL,
        "no \"%s\" in: %s", refusal->words[i], error->message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
}

GST_END_TEST;

/* After a failure it can be set right. */
GST_START_TEST (test_missing_model_and_states)
{
  GstElement *element = make_inference ("not-there", NULL);
  g_autofree gchar *path = model_path ("planar");

  for (guint i = 0; i < 10; i++) {
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_READY),
        GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
  }
  g_object_set (element, "model-file", path, NULL);
  for (guint i = 0; i < 10; i++) {
    fail_unless (gst_element_set_state (element, GST_STATE_PLAYING) !=
        GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (element, GST_STATE_NULL);
  }
  gst_object_unref (element);
}

GST_END_TEST;

/* --- pipelines --- */

static void
count_tensors (GstElement * sink, GstBuffer * buffer, GstPad * pad,
    gpointer data)
{
  if (gst_buffer_get_tensor_meta (buffer))
    ++ * (guint *) data;
}

static GstMessage *
run_pipeline (const gchar * text, guint * n_tensors)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (text, &error);
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstBus) bus = NULL;
  GstMessage *message;

  fail_unless (error == NULL, "%s", error ? error->message : "");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  bus = gst_element_get_bus (pipeline);
  *n_tensors = 0;
  g_object_set (sink, "signal-handoffs", TRUE, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (count_tensors), n_tensors);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless (message != NULL);
  return message;
}

/* Upstream's own sizes and memory, HIP memory both ways, an end in the middle */
GST_START_TEST (test_pipelines)
{
  static const gchar *const pipelines[] = {
    "videotestsrc num-buffers=7 ! hiponnxinference model-file=%s/wide.onnx"
        " ! fakesink name=sink",
    "videotestsrc num-buffers=7 ! hipupload ! hiponnxinference"
        " model-file=%s/wide.onnx ! hipdownload ! fakesink name=sink",
    "videotestsrc num-buffers=7 ! hipupload ! hipconvert ! "
        "video/x-raw(memory:HIPMemory),format=I420 ! hiponnxinference"
        " model-file=%s/any-float16-nchw.onnx ! queue ! fakesink name=sink",
    "videotestsrc num-buffers=7 ! video/x-raw,format=NV12,width=641,height=359"
        " ! hipupload ! hiponnxinference model-file=%s/wide.onnx"
        " resize-mode=letterbox ! hipdownload ! fakesink name=sink",
    "videotestsrc ! hiponnxinference model-file=%s/wide.onnx"
        " ! identity eos-after=8 ! fakesink name=sink",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_auto (GStrv) parts = g_strsplit (pipelines[i], "%s", 2);
    g_autofree gchar *text =
        g_strjoinv (g_getenv ("GST_HIP_TEST_MODELS"), parts);
    g_autoptr (GstMessage) message = NULL;
    guint n;

    message = run_pipeline (text, &n);
    fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
    fail_unless (n == 7, "%s: tensors on %u of 7 frames", text, n);
  }
}

GST_END_TEST;

static Suite *
onnx_flow_suite (void)
{
  Suite *suite = suite_create ("onnx-flow");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_returns_before_the_model);
  tcase_add_test (tc, test_depth);
  tcase_add_test (tc, test_ten_thousand);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_flush_wakes);
  tcase_add_test (tc, test_events_in_order);
  tcase_add_test (tc, test_batch);
  tcase_add_test (tc, test_fixed_batch);
  tcase_add_test (tc, test_padding_is_black);
  tcase_add_test (tc, test_batch_timeout);
  tcase_add_test (tc, test_latency);
  tcase_add_test (tc, test_tensor_memory);
  tcase_add_test (tc, test_new_caps);
  tcase_add_loop_test (tc, test_refusal, 0, G_N_ELEMENTS (refusals));
  tcase_add_test (tc, test_missing_model_and_states);
  tcase_add_test (tc, test_pipelines);
  return suite;
}

GST_CHECK_MAIN (onnx_flow);
