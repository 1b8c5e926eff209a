/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How the host device queues kernel launches: in order, with the parameters
 * that the caller had when it called, several streams at once, and the module
 * held until they are done. The kernels are this file's own: the linker puts
 * them in place of compiled ones (--wrap), so that no compiler is needed.
 */
#include "host-common.h"

/* What stands for a compiled kernel */
typedef struct
{
  gsize params_size;
  void (*run) (const guint grid[3], const guint block[3], gsize shared_bytes,
      const guint8 * params);
  gint refs;                    /* atomic */
} Kernel;

gsize __wrap_host_function_params_size (HipNativeFunction function);
void __wrap_host_function_pack_params (HipNativeFunction function,
    void **params, gpointer packed);
void __wrap_host_function_run (HipNativeFunction function, const guint grid[3],
    const guint block[3], gsize shared_bytes, gpointer packed);
void __wrap_host_function_ref (HipNativeFunction function);
void __wrap_host_function_unref (HipNativeFunction function);

gsize
__wrap_host_function_params_size (HipNativeFunction function)
{
  return ((Kernel *) function)->params_size;
}

void
__wrap_host_function_pack_params (HipNativeFunction function, void **params,
    gpointer packed)
{
  fail_unless ((guintptr) packed % HOST_RING_CELL == 0);
  memcpy (packed, params[0], ((Kernel *) function)->params_size);
}

void
__wrap_host_function_run (HipNativeFunction function, const guint grid[3],
    const guint block[3], gsize shared_bytes, gpointer packed)
{
  Kernel *kernel = function;

  fail_unless (g_atomic_int_get (&kernel->refs) > 0);
  kernel->run (grid, block, shared_bytes, packed);
}

void
__wrap_host_function_ref (HipNativeFunction function)
{
  g_atomic_int_inc (&((Kernel *) function)->refs);
}

void
__wrap_host_function_unref (HipNativeFunction function)
{
  g_atomic_int_add (&((Kernel *) function)->refs, -1);
}

static void
launch (HipNativeContext context, HipNativeStream stream, Kernel * kernel,
    gpointer params)
{
  void *list[] = { params };
  HipLaunch request = { {2, 3, 4}, {5, 6, 7}, 89, list, 1 };

  assert_ok (host->launch (context, stream, kernel, &request, &error));
  /* All of it is the caller's again. */
  memset (&request, 0xff, sizeof (request));
}

/* --- order --- */

static guint8 trace[3000][3];
static guint n_traced;

static void
run_trace (const guint grid[3], const guint block[3], gsize shared_bytes,
    const guint8 * params)
{
  fail_unless (grid[0] == 2 && grid[1] == 3 && grid[2] == 4);
  fail_unless (block[0] == 5 && block[1] == 6 && block[2] == 7);
  fail_unless (shared_bytes == 89);
  memcpy (trace[n_traced++], params, 3);
}

GST_START_TEST (test_order_and_params)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  Kernel kernel = { 3, run_trace, 0 };
  guint i;

  n_traced = 0;
  host_inject_block (stream);
  for (i = 0; i < G_N_ELEMENTS (trace); i++) {
    guint8 params[3] = { (guint8) i, (guint8) (i >> 8), 0x77 };

    launch (context, stream, &kernel, params);
    memset (params, 0, sizeof (params));
  }
  fail_unless_equals_int (n_traced, 0);
  fail_unless_equals_int (g_atomic_int_get (&kernel.refs), i);

  host_inject_unblock (stream);
  synchronize (context, stream);
  fail_unless_equals_int (n_traced, G_N_ELEMENTS (trace));
  for (i = 0; i < n_traced; i++) {
    if (trace[i][0] != (i & 0xff) || trace[i][1] != i >> 8)
      fail ("launch %u came as %u", i, trace[i][0] | trace[i][1] << 8);
  }
  fail_unless_equals_int (g_atomic_int_get (&kernel.refs), 0);

  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

/* --- three in order, each reading what the last wrote; copies between --- */

typedef struct
{
  gint *dst;
  const gint *src;
  gint add;
  guint8 large[4000];           /* as much as any driver takes */
} AddParams;

static void
run_add (const guint grid[3], const guint block[3], gsize shared_bytes,
    const guint8 * bytes)
{
  const AddParams *params = (const AddParams *) bytes;
  guint i;

  for (i = 0; i < sizeof (params->large); i++) {
    if (params->large[i] != (guint8) (params->add + i))
      fail ("parameter byte %u", i);
  }
  *params->dst = *params->src * 10 + params->add;
}

GST_START_TEST (test_three_launches)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  Kernel kernel = { sizeof (AddParams), run_add, 0 };
  gint cells[5] = { 0, };
  gint i;

  host_inject_block (stream);
  for (i = 0; i < 3; i++) {
    AddParams params = { &cells[i + 1], &cells[i], i + 1, {0,}
    };
    guint j;

    for (j = 0; j < sizeof (params.large); j++)
      params.large[j] = (guint8) (params.add + j);
    launch (context, stream, &kernel, &params);
  }
  copy_bytes (context, stream, &cells[4], &cells[3], sizeof (gint));
  host_inject_unblock (stream);
  synchronize (context, stream);
  fail_unless_equals_int (cells[4], 123);

  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

/* --- at once --- */

static HipMutex meeting_lock = HIP_MUTEX_INIT;
static HipCond meeting_cond = HIP_COND_INIT;
static guint at_meeting;

static void
run_meeting (const guint grid[3], const guint block[3], gsize shared_bytes,
    const guint8 * params)
{
  hip_mutex_lock (&meeting_lock);
  at_meeting++;
  hip_cond_broadcast (&meeting_cond);
  while (at_meeting < 2)
    hip_cond_wait (&meeting_cond, &meeting_lock);
  hip_mutex_unlock (&meeting_lock);
}

/* Each kernel ends only once the other has begun. */
GST_START_TEST (test_two_streams_at_once)
{
  HipNativeContext context = open_host ();
  HipNativeStream streams[2] = { new_stream (context), new_stream (context) };
  Kernel kernel = { 1, run_meeting, 0 };
  guint8 byte = 0;
  guint i;

  for (i = 0; i < 2; i++)
    launch (context, streams[i], &kernel, &byte);
  for (i = 0; i < 2; i++)
    synchronize (context, streams[i]);
  fail_unless_equals_int (at_meeting, 2);

  for (i = 0; i < 2; i++)
    host->stream_free (context, streams[i], FALSE);
  host->context_close (context);
}

GST_END_TEST;

/* --- failures --- */

GST_START_TEST (test_dropped_launches)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  Kernel kernel = { 3, run_trace, 0 };
  guint8 params[3] = { 0, };
  void *list[] = { params };
  HipLaunch request = { {1, 1, 1}, {1, 1, 1}, 0, list, 1 };
  guint i;

  n_traced = 0;
  host_inject_failure (context, HOST_FAULT_LAUNCH, 1);
  assert_fails (host->launch (context, stream, &kernel, &request, &error),
      GST_HIP_ERROR_FAILED);
  fail_unless_equals_int (kernel.refs, 0);

  host_inject_block (stream);
  for (i = 0; i < 10; i++)
    launch (context, stream, &kernel, params);
  host_inject_failure (context, HOST_FAULT_DEVICE, 0);
  assert_fails (host->launch (context, stream, &kernel, &request, &error),
      GST_HIP_ERROR_DEVICE_LOST);
  host->stream_free (context, stream, FALSE);
  /* Not run, but let go of */
  fail_unless_equals_int (n_traced, 0);
  fail_unless_equals_int (kernel.refs, 0);
  host->context_close (context);
}

GST_END_TEST;

/* A kernel that does not end keeps nobody asleep once the device has failed. */
static gboolean stuck = TRUE;
static gint runs_stuck;         /* atomic */

static void
run_stuck (const guint grid[3], const guint block[3], gsize shared_bytes,
    const guint8 * params)
{
  g_atomic_int_set (&runs_stuck, TRUE);
  hip_mutex_lock (&meeting_lock);
  while (stuck)
    hip_cond_wait (&meeting_cond, &meeting_lock);
  hip_mutex_unlock (&meeting_lock);
}

typedef struct
{
  HipNativeContext context;
  HipNativeStream stream;
  HipNativeEvent event;
} Sleeper;

static gpointer
sleep_for_event (gpointer data)
{
  Sleeper *sleeper = data;

  assert_fails (host->event_synchronize (sleeper->context, sleeper->event,
          &error), GST_HIP_ERROR_DEVICE_LOST);
  return NULL;
}

static gpointer
sleep_for_stream (gpointer data)
{
  Sleeper *sleeper = data;

  assert_fails (host->stream_synchronize (sleeper->context, sleeper->stream,
          &error), GST_HIP_ERROR_DEVICE_LOST);
  return NULL;
}

static void
await_sleeper (HostRecord * record)
{
  guint waiters;

  do {
    g_usleep (1000);
    hip_mutex_lock (&record->lock);
    waiters = record->waiters;
    hip_mutex_unlock (&record->lock);
  } while (waiters == 0);
}

GST_START_TEST (test_stuck_kernel)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  HipNativeEvent event = new_event (context);
  Kernel kernel = { 1, run_stuck, 0 };
  Sleeper sleeper = { context, stream, event };
  HostRecord *latest;
  GThread *threads[2];
  guint8 byte = 0;

  launch (context, stream, &kernel, &byte);
  /* One that has not begun would be passed over by a failed device. */
  while (!g_atomic_int_get (&runs_stuck))
    g_usleep (1000);
  record (context, event, stream);
  threads[0] = g_thread_new ("sleeper", sleep_for_stream, &sleeper);
  threads[1] = g_thread_new ("sleeper", sleep_for_event, &sleeper);
  latest = host_event_get_record (event);
  await_sleeper (latest);
  host_record_unref (latest);

  host_inject_failure (context, HOST_FAULT_DEVICE, 0);
  g_thread_join (threads[0]);
  g_thread_join (threads[1]);
  assert_state (context, event, GST_HIP_EVENT_STATE_FAILED);
  assert_fails (host->stream_synchronize (context, stream, &error),
      GST_HIP_ERROR_DEVICE_LOST);
  fail_unless_equals_int (g_atomic_int_get (&kernel.refs), 1);

  hip_mutex_lock (&meeting_lock);
  stuck = FALSE;
  hip_cond_broadcast (&meeting_cond);
  hip_mutex_unlock (&meeting_lock);
  host->stream_free (context, stream, FALSE);
  assert_state (context, event, GST_HIP_EVENT_STATE_FAILED);
  host->event_free (context, event);
  host->context_close (context);
}

GST_END_TEST;

static Suite *
host_launch_suite (void)
{
  Suite *s = suite_create ("host-launch");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_order_and_params);
  tcase_add_test (tc, test_three_launches);
  tcase_add_test (tc, test_two_streams_at_once);
  tcase_add_test (tc, test_dropped_launches);
  tcase_add_test (tc, test_stuck_kernel);

  return s;
}

GST_CHECK_MAIN (host_launch);
