/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Compiled kernels in the host device's streams: in order with each other and
 * with copies, several streams at once, and a module that is unloaded while
 * its kernels are still queued.
 */
#include "hip-kernel.h"
#include "host-common.h"

static const gchar source[] =
    "extern \"C\" __global__ void\n"
    "step (int *dst, const int *src, int add, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    dst[i] = src[i] * 10 + add;\n"
    "}\n"
    "extern \"C\" __global__ void\n"
    "meet (int *here, int n)\n"
    "{\n"
    "  atomicAdd (here, 1);\n" "  while (atomicAdd (here, 0) < n);\n" "}\n";

static HipNativeContext context;
static HipNativeModule module;

static HipNativeFunction
get_function (const gchar * name)
{
  HipNativeFunction function;

  assert_ok ((function = host->module_get_function (context, module, name,
              &error)) != NULL);
  return function;
}

static void
setup (void)
{
  HipKernelScan *scan = hip_kernel_scan (source, strlen (source));
  g_autofree gchar *text =
      hip_kernel_source_compose (source, "queue.hip", NULL, scan,
      TRUE);
  const gchar *const options[] = { NULL };
  HipCompileRequest request = { text, "queue.hip", NULL };
  g_autofree gchar *log = NULL;
  g_auto (GStrv) translated = NULL;
  GBytes *binary;

  context = open_host ();
  assert_ok ((translated = host->translate_options (context, options, &error))
      != NULL);
  request.options = (const gchar * const *) translated;
  assert_ok ((binary = host->compile (context, &request, &log, &error))
      != NULL);
  assert_ok ((module = host->module_load (context, binary, &error)) != NULL);
  g_bytes_unref (binary);
  hip_kernel_scan_free (scan);
}

static void
teardown (void)
{
  if (module)
    host->module_unload (context, module);
  host->context_close (context);
}

static void
launch_step (HipNativeStream stream, HipNativeFunction function, gint * dst,
    const gint * src, gint add, gint n)
{
  void *params[] = { &dst, &src, &add, &n };
  HipLaunch launch =
      { {((guint) n + 63) / 64, 1, 1}, {64, 1, 1}, 0, params, 4 };

  assert_ok (host->launch (context, stream, function, &launch, &error));
}

/* Three launches, each on what the one before made, a copy in front and one
 * behind; all queued before the first begins */
GST_START_TEST (test_three_launches)
{
  enum
  { N = 10007 };
  HipNativeStream stream = new_stream (context);
  HipNativeFunction function = get_function ("step");
  gint *cells = g_new0 (gint, 6 * (N + 1));
  gint *row[6];
  gint i;

  for (i = 0; i < 6; i++)
    row[i] = cells + i * (N + 1);
  for (i = 0; i < N; i++)
    row[0][i] = i;

  host_inject_block (stream);
  copy_bytes (context, stream, row[1], row[0], N * sizeof (gint));
  for (i = 1; i <= 3; i++)
    launch_step (stream, function, row[i + 1], row[i], i, N);
  copy_bytes (context, stream, row[5], row[4], N * sizeof (gint));
  host_inject_unblock (stream);
  synchronize (context, stream);

  for (i = 0; i < N; i++) {
    if (row[5][i] != i * 1000 + 123)
      fail ("element %d is %d", i, row[5][i]);
  }
  for (i = 0; i < 6; i++)
    fail_unless_equals_int (row[i][N], 0);

  g_free (cells);
  host->stream_free (context, stream, FALSE);
}

GST_END_TEST;

/* No kernel ends before all streams' have begun. */
GST_START_TEST (test_streams_at_once)
{
  HipNativeStream streams[3];
  HipNativeFunction function = get_function ("meet");
  gint here = 0, n = G_N_ELEMENTS (streams), *address = &here;
  void *params[] = { &address, &n };
  HipLaunch launch = { {1, 1, 1}, {1, 1, 1}, 0, params, 2 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (streams); i++) {
    streams[i] = new_stream (context);
    assert_ok (host->launch (context, streams[i], function, &launch, &error));
  }
  for (i = 0; i < G_N_ELEMENTS (streams); i++) {
    synchronize (context, streams[i]);
    host->stream_free (context, streams[i], FALSE);
  }
  fail_unless_equals_int (here, n);
}

GST_END_TEST;

/* A consumer on another stream sees what the slow producer made. */
GST_START_TEST (test_wait_for_kernel)
{
  HipNativeStream producer = new_stream (context);
  HipNativeStream consumer = new_stream (context);
  HipNativeEvent event = new_event (context);
  HipNativeFunction function = get_function ("step");
  gint one = 1, made = -1, got = -1;

  host_inject_block (producer);
  launch_step (producer, function, &made, &one, 2, 1);
  record (context, event, producer);
  wait_event (context, consumer, event);
  launch_step (consumer, function, &got, &made, 3, 1);
  host_inject_unblock (producer);
  synchronize (context, consumer);
  fail_unless_equals_int (got, 123);

  host->event_free (context, event);
  host->stream_free (context, producer, FALSE);
  host->stream_free (context, consumer, FALSE);
}

GST_END_TEST;

GST_START_TEST (test_unload_while_queued)
{
  HipNativeStream stream = new_stream (context);
  HipNativeFunction function = get_function ("step");
  gint one = 1, got = 0;

  host_inject_block (stream);
  launch_step (stream, function, &got, &one, 2, 1);
  host->module_unload (context, module);
  module = NULL;
  host_inject_unblock (stream);
  synchronize (context, stream);
  fail_unless_equals_int (got, 12);

  host->stream_free (context, stream, FALSE);
}

GST_END_TEST;

static Suite *
host_queue_suite (void)
{
  Suite *s = suite_create ("host-queue");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  /* The compiler runs in each. */
  tcase_set_timeout (tc, 60);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_three_launches);
  tcase_add_test (tc, test_streams_at_once);
  tcase_add_test (tc, test_wait_for_kernel);
  tcase_add_test (tc, test_unload_while_queued);

  return s;
}

GST_CHECK_MAIN (host_queue);
