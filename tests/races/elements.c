/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do the elements keep the invariants while their own streams stand still, or
 * have failed? They are linked into this program, so that their streams can be
 * reached; the test's thread is the streaming thread.
 */
#include "elements.h"

/* --- I2 --- */

GST_START_TEST (test_i2_download_comes_after_upload)
{
  GstHipStream *up, *down;
  GstBuffer *out;
  Reader reader;

  start (CHAIN, SYSTEM_CAPS);
  up = stream_of ("up");
  down = stream_of ("down");
  block (up);
  out = push_and_pull (new_frame (NEW));
  assert_stays_pending (record (down));
  /* the other exception of I1: a CPU asks for what is not there yet */
  reader_start (&reader, gst_buffer_peek_memory (out, 0));
  unblock (up);
  reader_join (&reader);
  gst_buffer_unref (out);
  gst_hip_stream_unref (up);
  gst_hip_stream_unref (down);
  stop ();
}

GST_END_TEST;

/* Of two streams the later one stands behind the earlier, and the bytes come
 * through once that goes on. */
static void
check_order (const gchar * chain, const gchar * caps, const gchar * earlier,
    const gchar * later)
{
  GstHipStream *first, *second;
  GstBuffer *out;

  start (chain, caps);
  first = stream_of (earlier);
  second = stream_of (later);
  block (first);
  out = push_and_pull (new_frame (NEW));
  assert_stays_pending (record (second));
  unblock (first);
  assert_frame (out, NEW);
  gst_hip_stream_unref (first);
  gst_hip_stream_unref (second);
  stop ();
}

GST_START_TEST (test_i2_kernel_comes_after_upload)
{
  check_order (CHAIN_WITH_KERNEL, SYSTEM_CAPS, "up", "kernel");
}

GST_END_TEST;

GST_START_TEST (test_i2_download_comes_after_kernel)
{
  check_order (CHAIN_WITH_KERNEL, SYSTEM_CAPS, "kernel", "down");
}

GST_END_TEST;

GST_START_TEST (test_i2_convert_comes_after_upload)
{
  check_order (CHAIN_WITH_CONVERT, "video/x-raw," RGBA_CAPS, "up", "convert");
}

GST_END_TEST;

GST_START_TEST (test_i2_download_comes_after_convert)
{
  check_order (CHAIN_WITH_CONVERT, "video/x-raw," RGBA_CAPS, "convert", "down");
}

GST_END_TEST;

/* More than there are buffers that take turns in a pool */
#define N_TURNS 6

/* reader still reads what a later frame is uploaded to: the device buffer is
 * free again while it is being read. */
static void
check_upload_comes_after (const gchar * chain, const gchar * caps,
    const gchar * reader)
{
  GstHipStream *up, *stream;
  GstBuffer *out[N_TURNS];

  start (chain, caps);
  up = stream_of ("up");
  stream = stream_of (reader);
  gst_buffer_unref (push_and_pull (new_frame (0)));
  block (stream);
  for (guint i = 0; i < N_TURNS; i++)
    out[i] = push_and_pull (new_frame (OLD + i));
  assert_stays_pending (record (up));
  unblock (stream);
  for (guint i = 0; i < N_TURNS; i++)
    assert_frame (out[i], OLD + i);
  gst_hip_stream_unref (up);
  gst_hip_stream_unref (stream);
  stop ();
}

GST_START_TEST (test_i2_upload_comes_after_kernel_of_the_frame_before)
{
  check_upload_comes_after (CHAIN_WITH_KERNEL, SYSTEM_CAPS, "kernel");
}

GST_END_TEST;

GST_START_TEST (test_i2_upload_comes_after_convert_of_the_frame_before)
{
  check_upload_comes_after (CHAIN_WITH_CONVERT, "video/x-raw," RGBA_CAPS,
      "convert");
}

GST_END_TEST;

GST_START_TEST (test_i2_upload_comes_after_download_of_the_frame_before)
{
  check_upload_comes_after (CHAIN, SYSTEM_CAPS, "down");
}

GST_END_TEST;

/* --- I3 --- */

static GstBufferPool *
start_pool (GstBufferPool * pool, const gchar * of)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = gst_caps_from_string (of);

  gst_buffer_pool_config_set_params (config, caps, SIZE, 0, 0);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

/* As a source does: takes a buffer and writes to it. */
static GstBuffer *
next_frame (GstBufferPool * pool, guint8 value)
{
  GstBuffer *buffer = NULL;

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  gst_buffer_memset (buffer, 0, value, SIZE);
  return buffer;
}

static void
check_input_is_held (gboolean pinned)
{
  GstHipStream *up;
  GstBufferPool *pool;
  GstBuffer *out, *next;

  start (CHAIN, SYSTEM_CAPS);
  up = stream_of ("up");
  pool = start_pool (pinned ?
      gst_hip_buffer_pool_new_full (device_of ("up"),
          GST_HIP_MEMORY_KIND_PINNED) : gst_buffer_pool_new (), SYSTEM_CAPS);
  block (up);
  out = push_and_pull (next_frame (pool, NEW));
  /* Never waits, and never for what the device still reads. */
  next = next_frame (pool, 0xff);
  unblock (up);
  assert_frame (out, NEW);
  gst_buffer_unref (next);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_hip_stream_unref (up);
  stop ();
}

GST_START_TEST (test_i3_system_input_is_held)
{
  check_input_is_held (FALSE);
}

GST_END_TEST;

GST_START_TEST (test_i3_pinned_input_is_held)
{
  check_input_is_held (TRUE);
}

GST_END_TEST;

/* Pinned memory goes into kernels as it is. */
GST_START_TEST (test_i3_pinned_input_of_convert_is_held)
{
  GstHipStream *stream;
  GstBufferPool *pool;
  GstBuffer *out, *next;

  start (CONVERT TO_BGRA "! hipdownload vendor=host",
      "video/x-raw(memory:HIPMemory)," RGBA_CAPS);
  stream = stream_of ("convert");
  pool = start_pool (gst_hip_buffer_pool_new_full (device_of ("convert"),
          GST_HIP_MEMORY_KIND_PINNED), "video/x-raw," RGBA_CAPS);
  block (stream);
  out = push_and_pull (next_frame (pool, NEW));
  next = next_frame (pool, 0xff);
  unblock (stream);
  assert_frame (out, NEW);
  gst_buffer_unref (next);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_hip_stream_unref (stream);
  stop ();
}

GST_END_TEST;

/* What the element itself copies to first is as much its upstream's. */
GST_START_TEST (test_i3_staging_is_held)
{
  GstHipStream *up;
  GstBuffer *first, *second;

  g_setenv ("GST_HIP_HOST_STAGING", "1", TRUE);
  start (CHAIN, SYSTEM_CAPS);
  up = stream_of ("up");
  block (up);
  first = push_and_pull (new_frame (OLD));
  second = push_and_pull (new_frame (NEW));
  unblock (up);
  assert_frame (first, OLD);
  assert_frame (second, NEW);
  gst_hip_stream_unref (up);
  stop ();
}

GST_END_TEST;

/* --- I4 --- */

typedef struct
{
  guint8 *data;
  GstElement *element;          /* asked when released: its locks are free */
  GThread *thread;
  gint released;
} Input;

static void
input_release (gpointer user_data)
{
  Input *input = user_data;
  GstStructure *stats = NULL;

  input->thread = g_thread_self ();
  if (input->element)
    g_object_get (input->element, "stats", &stats, NULL);
  g_clear_pointer (&stats, gst_structure_free);
  memset (input->data, 0xff, SIZE);
  g_free (input->data);
  g_atomic_int_inc (&input->released);
}

static GstBuffer *
wrap_input (Input * input)
{
  input->data = g_malloc (SIZE);
  memset (input->data, NEW, SIZE);
  return gst_buffer_new_wrapped_full (0, input->data, SIZE, 0, SIZE, input,
      input_release);
}

GST_START_TEST (test_i4_input_is_released_on_a_worker)
{
  Input input = { 0 };
  GstHipStream *up;
  GstBuffer *out;

  start (CHAIN, SYSTEM_CAPS);
  up = stream_of ("up");
  input.element = gst_bin_get_by_name (GST_BIN (h->element), "up");
  block (up);
  out = push_and_pull (wrap_input (&input));
  assert_stays_pending (record (up));
  fail_if (g_atomic_int_get (&input.released));
  unblock (up);
  wait_for (g_atomic_int_get (&input.released));
  fail_if (input.thread == g_thread_self ());
  assert_frame (out, NEW);
  gst_object_unref (input.element);
  gst_hip_stream_unref (up);
  stop ();
}

GST_END_TEST;

GST_START_TEST (test_i4_input_outlives_the_element)
{
  Input input = { 0 };
  GstHipStream *up;
  GstBuffer *out;

  start (CHAIN, SYSTEM_CAPS);
  up = stream_of ("up");
  block (up);
  out = push_and_pull (wrap_input (&input));
  gst_harness_teardown (h);
  assert_stays_pending (record (up));
  fail_if (g_atomic_int_get (&input.released));
  unblock (up);
  wait_for (g_atomic_int_get (&input.released));
  fail_if (input.thread == g_thread_self ());
  assert_frame (out, NEW);
  gst_hip_stream_unref (up);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

GST_END_TEST;

/* What an element offers upstream, and the element: whoever has the last
 * reference of one does not know who has that of the other. */
typedef struct
{
  GObject *object;
  gint *ready;                  /* atomic */
} Last;

static gpointer
drop_last (gpointer data)
{
  Last *last = data;

  g_atomic_int_add (last->ready, -1);
  while (g_atomic_int_get (last->ready) > 0);
  g_object_unref (last->object);
  return NULL;
}

static void
drop_at_once (GObject * first, GObject * second)
{
  gint ready = 2;
  Last lasts[] = { {first, &ready}, {second, &ready} };
  GThread *thread = g_thread_new ("other", drop_last, &lasts[0]);

  drop_last (&lasts[1]);
  g_thread_join (thread);
}

GST_START_TEST (test_i4_element_and_its_pool_go_at_once)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (SYSTEM_CAPS);

  for (guint i = 0; i < 1000; i++) {
    GstElement *element = gst_element_factory_make_full ("hipupload", "vendor",
        GST_HIP_VENDOR_HOST, NULL);
    g_autoptr (GstPad) pad = NULL;
    GstQuery *query = gst_query_new_allocation (caps, TRUE);
    GstBufferPool *pool;

    gst_object_ref_sink (element);
    pad = gst_element_get_static_pad (element, "sink");
    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_pad_send_event (pad, gst_event_new_stream_start ("it"));
    gst_pad_send_event (pad, gst_event_new_caps (caps));
    fail_unless (gst_pad_query (pad, query));
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
    fail_unless (pool != NULL);
    gst_query_unref (query);
    gst_element_set_state (element, GST_STATE_NULL);
    drop_at_once (G_OBJECT (element), G_OBJECT (pool));
  }
}

GST_END_TEST;

/* --- I6 --- */

static GstBus *
add_bus (void)
{
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (h->element, bus);
  return bus;
}

/* Gives the bus back, too. */
static void
assert_one_error (GstBus * bus, const gchar * wanted)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR))) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
            GST_RESOURCE_ERROR_FAILED), "%s", error->message);
    fail_unless_equals_string (GST_OBJECT_NAME (message->src), wanted);
    gst_message_unref (message);
    n++;
  }
  fail_unless_equals_int (n, 1);
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
}

GST_START_TEST (test_i6_upload_reports_a_lost_device_once)
{
  GstHipStream *up;
  GstBus *bus;
  Input input = { 0 };

  start (CHAIN, SYSTEM_CAPS);
  bus = add_bus ();
  up = stream_of ("up");
  block (up);
  gst_buffer_unref (push_and_pull (wrap_input (&input)));
  fail_device (device_of ("up"));
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (gst_harness_push (h, new_frame (i)),
        GST_FLOW_ERROR);
  wait_for (g_atomic_int_get (&input.released));
  assert_one_error (bus, "up");
  gst_hip_stream_unref (up);
  stop ();
}

GST_END_TEST;

GST_START_TEST (test_i6_convert_reports_a_lost_device_once)
{
  GstHipDevice *device = open_host ();
  GstBufferPool *pool = start_pool (gst_hip_buffer_pool_new (device),
      "video/x-raw," RGBA_CAPS);
  GstBus *bus;
  GstBuffer *frames[6];

  for (guint i = 0; i < 6; i++)
    frames[i] = next_frame (pool, i);
  start (CONVERT TO_BGRA "! identity",
      "video/x-raw(memory:HIPMemory)," RGBA_CAPS);
  bus = add_bus ();
  gst_buffer_unref (push_and_pull (frames[0]));
  fail_device (device);
  for (guint i = 1; i < 6; i++)
    fail_unless_equals_int (gst_harness_push (h, frames[i]), GST_FLOW_ERROR);
  assert_one_error (bus, "convert");
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_object_unref (device);
  stop ();
}

GST_END_TEST;

GST_START_TEST (test_i6_download_reports_a_lost_device_once)
{
  GstHipDevice *device = open_host ();
  GstBufferPool *pool =
      start_pool (gst_hip_buffer_pool_new (device), SYSTEM_CAPS);
  GstBus *bus;
  GstBuffer *frames[5];

  for (guint i = 0; i < 5; i++)
    frames[i] = next_frame (pool, i);
  start ("hipdownload name=down vendor=host ! identity", HIP_CAPS);
  bus = add_bus ();
  fail_device (device);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (gst_harness_push (h, frames[i]), GST_FLOW_ERROR);
  assert_one_error (bus, "down");
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_object_unref (device);
  stop ();
}

GST_END_TEST;

static gint n_timeouts;

static void
count_timeouts (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (level == GST_LEVEL_ERROR
      && g_str_has_prefix (gst_debug_message_get (message), "TIMEOUT"))
    g_atomic_int_inc (&n_timeouts);
}

GST_START_TEST (test_i6_shutdown_completes_with_a_stuck_stream)
{
  Input input = { 0 };
  HipNativeStream native;
  GstHipStream *up;

  g_setenv ("GST_HIP_SHUTDOWN_TIMEOUT", "0", TRUE);
  gst_debug_set_default_threshold (GST_LEVEL_ERROR);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_timeouts, NULL, NULL);
  start ("hipupload name=up vendor=host ! identity", SYSTEM_CAPS);
  up = stream_of ("up");
  native = hip_stream_get_native (up);
  block (up);
  gst_buffer_unref (push_and_pull (wrap_input (&input)));
  gst_hip_stream_unref (up);
  gst_harness_teardown (h);
  wait_for (g_atomic_int_get (&n_timeouts) == 1);
  fail_if (g_atomic_int_get (&input.released));

  /* Only so that the process has nothing left of this test. */
  host_inject_unblock (native);
  wait_for (g_atomic_int_get (&input.released));
  fail_unless_equals_int (g_atomic_int_get (&n_timeouts), 1);
  gst_debug_remove_log_function (count_timeouts);
}

GST_END_TEST;

static Suite *
elements_suite (void)
{
  Suite *suite = suite_create ("elements");
  TCase *tcase = tcase_create ("elements");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, NULL);
  tcase_add_test (tcase, test_i2_download_comes_after_upload);
  tcase_add_test (tcase, test_i2_kernel_comes_after_upload);
  tcase_add_test (tcase, test_i2_download_comes_after_kernel);
  tcase_add_test (tcase, test_i2_convert_comes_after_upload);
  tcase_add_test (tcase, test_i2_download_comes_after_convert);
  tcase_add_test (tcase, test_i2_upload_comes_after_kernel_of_the_frame_before);
  tcase_add_test (tcase,
      test_i2_upload_comes_after_convert_of_the_frame_before);
  tcase_add_test (tcase,
      test_i2_upload_comes_after_download_of_the_frame_before);
  tcase_add_test (tcase, test_i3_system_input_is_held);
  tcase_add_test (tcase, test_i3_pinned_input_is_held);
  tcase_add_test (tcase, test_i3_pinned_input_of_convert_is_held);
  tcase_add_test (tcase, test_i3_staging_is_held);
  tcase_add_test (tcase, test_i4_input_is_released_on_a_worker);
  tcase_add_test (tcase, test_i4_input_outlives_the_element);
  tcase_add_test (tcase, test_i4_element_and_its_pool_go_at_once);
  tcase_add_test (tcase, test_i6_upload_reports_a_lost_device_once);
  tcase_add_test (tcase, test_i6_convert_reports_a_lost_device_once);
  tcase_add_test (tcase, test_i6_download_reports_a_lost_device_once);
  tcase_add_test (tcase, test_i6_shutdown_completes_with_a_stuck_stream);
  return suite;
}

GST_CHECK_MAIN (elements);
