/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do kernels, pools and releases keep the invariants while the device is slow?
 * Copies, maps and parts of memories are tests/unit/memory-order.c's, marks of
 * transfers tests/unit/memory-map.c's; tests/races/mutants.py has them all
 * fail once.
 */
#include "races.h"

#define SIZE 4096

static const gchar source[] =
    "extern \"C\" __global__ void copy (const unsigned char *in,\n"
    "    unsigned char *out)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }\n"
    "extern \"C\" __global__ void set (unsigned char *out, int value)\n"
    "{ out[blockIdx.x * blockDim.x + threadIdx.x] = value; }\n"
    "extern \"C\" __global__ void spin (const volatile int *flag)\n"
    "{ while (*flag == 0); }\n";

static GstHipDevice *device, *device2;
static GstHipKernelModule *module;
static GstHipStream *a, *b;     /* b: of the other device object */

static void
setup (void)
{
  GError *error = NULL;

  device = open_host ();
  device2 = open_host ();
  a = new_stream (device);
  b = new_stream (device2);
  module = gst_hip_kernel_module_new_from_source (device, source, NULL, &error);
  fail_unless (module != NULL, "%s", error ? error->message : "");
}

static void
teardown (void)
{
  g_clear_pointer (&module, gst_hip_kernel_module_unref);
  gst_clear_hip_stream (&a);
  gst_clear_hip_stream (&b);
  gst_clear_object (&device);
  gst_clear_object (&device2);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

/* --- work; each call is one use of its memories, in order --- */

static GstHipEvent *
launch (GstHipStream * stream, const gchar * entry, GstHipKernelArgs * args)
{
  static const guint grid[3] = { SIZE / 256, 1, 1 };
  static const guint block_size[3] = { 256, 1, 1 };
  GstHipEvent *event = NULL;
  GError *error = NULL;

  fail_unless (gst_hip_kernel_module_launch_full (module, entry, stream, grid,
          block_size, 0, args, &event, &error), "%s",
      error ? error->message : "");
  gst_hip_kernel_args_unref (args);
  return event;
}

static GstHipEvent *
kernel_set (GstHipStream * stream, GstMemory * out, guint8 value)
{
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();

  fail_unless (gst_hip_kernel_args_add_memory (args, out, 0, NULL));
  gst_hip_kernel_args_add_int32 (args, value);
  return launch (stream, "set", args);
}

static GstHipEvent *
kernel_copy (GstHipStream * stream, GstMemory * out, GstMemory * in)
{
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();

  fail_unless (gst_hip_kernel_args_add_memory (args, in, 0, NULL));
  fail_unless (gst_hip_kernel_args_add_memory (args, out, 0, NULL));
  return launch (stream, "copy", args);
}

static GstMemory *
new_memory (guint8 value)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, SIZE,
      &error);
  GstMapInfo map;

  fail_unless (memory != NULL, "%s", error ? error->message : "");
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, value, map.size);
  gst_memory_unmap (memory, &map);
  return memory;
}

/* --- I2 --- */

GST_START_TEST (test_i2_kernel_reads_after_kernel_wrote)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);

  block (a);
  gst_hip_event_unref (kernel_set (a, memory, NEW));
  assert_stays_pending (kernel_copy (b, out, memory));
  unblock (a);
  assert_bytes (out, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_i2_kernel_writes_after_kernel_read)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);

  block (a);
  gst_hip_event_unref (kernel_copy (a, out, memory));
  assert_stays_pending (kernel_set (b, memory, NEW));
  unblock (a);
  assert_bytes (out, OLD);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_i2_kernel_writes_after_kernel_wrote)
{
  GstMemory *memory = new_memory (0);

  block (a);
  gst_hip_event_unref (kernel_set (a, memory, OLD));
  assert_stays_pending (kernel_set (b, memory, NEW));
  unblock (a);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* A dependency is a use as an argument is. */
GST_START_TEST (test_i2_dependency_is_waited_for)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();

  block (a);
  gst_hip_event_unref (kernel_set (a, memory, NEW));
  fail_unless (gst_hip_kernel_args_add_memory (args, out, 0, NULL));
  gst_hip_kernel_args_add_int32 (args, NEW);
  fail_unless (gst_hip_kernel_args_add_dependency (args, memory, GST_MAP_READ,
          NULL));
  assert_stays_pending (launch (b, "set", args));
  unblock (a);
  assert_bytes (out, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_i2_cpu_reads_after_kernel_wrote)
{
  GstMemory *memory = new_memory (OLD);
  Reader reader;

  block (a);
  assert_stays_pending (kernel_set (a, memory, NEW));
  reader_start (&reader, memory);
  unblock (a);
  reader_join (&reader);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* --- I2 and I3: recycling --- */

/* With more than one a pool gives others before one that is still in use. */
static GstBufferPool *
new_pool (GstHipMemoryKind kind, guint max)
{
  GstBufferPool *pool = gst_hip_buffer_pool_new_full (device, kind);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, NULL, SIZE, 0, max);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

static GstBuffer *
acquire (GstBufferPool * pool)
{
  GstBuffer *buffer = NULL;

  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  return buffer;
}

/* The stopped stream still reads what the pool gives to the next user. */
GST_START_TEST (test_i3_next_user_comes_after_reader)
{
  GstBufferPool *pool = new_pool (GST_HIP_MEMORY_KIND_DEVICE, 1);
  GstMemory *out = new_memory (0), *first;
  GstBuffer *buffer = acquire (pool);

  first = gst_buffer_peek_memory (buffer, 0);
  gst_hip_event_unref (kernel_set (a, first, OLD));
  block (a);
  gst_hip_event_unref (kernel_copy (a, out, first));
  gst_buffer_unref (buffer);

  /* at once, and the same: nobody waited, nobody held it */
  buffer = acquire (pool);
  fail_unless (gst_buffer_peek_memory (buffer, 0) == first);
  assert_stays_pending (kernel_set (b, first, NEW));
  unblock (a);
  assert_bytes (out, OLD);
  assert_bytes (first, NEW);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_i3_next_user_comes_after_writer)
{
  GstBufferPool *pool = new_pool (GST_HIP_MEMORY_KIND_DEVICE, 1);
  GstBuffer *buffer = acquire (pool);
  GstMemory *first = gst_buffer_peek_memory (buffer, 0);

  block (a);
  gst_hip_event_unref (kernel_set (a, first, OLD));
  gst_buffer_unref (buffer);
  buffer = acquire (pool);
  fail_unless (gst_buffer_peek_memory (buffer, 0) == first);
  assert_stays_pending (kernel_set (b, first, NEW));
  unblock (a);
  assert_bytes (first, NEW);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

GST_END_TEST;

/* --- I4 --- */

typedef struct
{
  guint8 *data;
  GThread *thread;              /* that released it */
  gint released;
} Used;

static void
used_release (gpointer user_data)
{
  Used *used = user_data;

  used->thread = g_thread_self ();
  /* Whatever still used it would see that. */
  memset (used->data, 0xff, SIZE);
  g_free (used->data);
  g_atomic_int_inc (&used->released);
}

GST_START_TEST (test_i4_kernel_keeps_what_it_uses)
{
  Used used = { g_malloc (SIZE) };
  GstMemory *out = new_memory (0), *in;
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();
  GstHipEvent *event;

  memset (used.data, NEW, SIZE);
  in = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_HOST, used.data, SIZE, &used, used_release,
      NULL);
  fail_unless (in != NULL);
  block (a);
  fail_unless (gst_hip_kernel_args_add_memory (args, in, 0, NULL));
  fail_unless (gst_hip_kernel_args_add_memory (args, out, 0, NULL));
  event = launch (a, "copy", args);
  /* Everything that the launch was made of goes. */
  gst_memory_unref (in);
  g_clear_pointer (&module, gst_hip_kernel_module_unref);
  assert_stays_pending (gst_hip_event_ref (event));
  fail_if (g_atomic_int_get (&used.released));

  unblock (a);
  fail_unless (gst_hip_event_wait (event, NULL));
  wait_for (g_atomic_int_get (&used.released));
  fail_if (used.thread == g_thread_self ());
  assert_bytes (out, NEW);
  gst_hip_event_unref (event);
  gst_memory_unref (out);
}

GST_END_TEST;

/* Nothing to wait for is no reason to do it here. */
GST_START_TEST (test_i4_idle_memory_is_released_on_a_worker)
{
  Used used = { g_malloc (SIZE) };
  GstMemory *memory = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_HOST, used.data, SIZE, &used, used_release,
      NULL);

  gst_memory_unref (memory);
  wait_for (g_atomic_int_get (&used.released));
  fail_if (used.thread == g_thread_self ());
}

GST_END_TEST;

typedef struct
{
  GstHipFenceData *fence;
  GstHipFenceDataPool *fences;
  GstBufferPool *pool;
  GstBuffer *buffer;
  GThread *thread;
  gint released;
} Nested;

static void
mark_released (gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

/* Uses all that a lock could be held of: a lock that is held hangs here. */
static void
release_with_calls (gpointer data)
{
  Nested *nested = data;
  GstHipFenceData *other = gst_hip_fence_data_pool_acquire (nested->fences);
  GstHipEvent *event = record (a);
  GstBuffer *buffer = acquire (nested->pool);

  nested->thread = g_thread_self ();
  gst_hip_event_unref (kernel_set (a, gst_buffer_peek_memory (buffer, 0), NEW));
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (gst_buffer_peek_memory (buffer,
              0)));
  gst_hip_fence_data_push (nested->fence, &nested->released, mark_released);
  gst_hip_fence_data_push (other, &nested->released, mark_released);
  gst_hip_fence_data_attach (other, event);
  gst_hip_fence_data_unref (other);
  gst_hip_event_unref (event);
  gst_buffer_unref (buffer);

  /* and the last references */
  gst_buffer_unref (nested->buffer);
  gst_buffer_pool_set_active (nested->pool, FALSE);
  gst_object_unref (nested->pool);
  gst_object_unref (nested->fences);
  gst_hip_fence_data_unref (nested->fence);
  g_atomic_int_inc (&nested->released);
}

GST_START_TEST (test_i4_released_on_a_worker_without_locks)
{
  Nested nested = { gst_hip_fence_data_new (), gst_hip_fence_data_pool_new (),
    new_pool (GST_HIP_MEMORY_KIND_PINNED, 0), NULL, NULL, 0
  };
  GstHipEvent *event;

  nested.buffer = acquire (nested.pool);
  block (a);
  event = record (a);
  gst_hip_fence_data_push (nested.fence, &nested, release_with_calls);
  gst_hip_fence_data_attach (nested.fence, event);
  assert_stays_pending (event);
  fail_if (g_atomic_int_get (&nested.released));
  unblock (a);
  wait_for (g_atomic_int_get (&nested.released) == 3);
  fail_if (nested.thread == g_thread_self ());
}

GST_END_TEST;

/* --- I6 --- */

/* By the front door: the driver was not asked once more. */
static void
assert_refused (GError ** error)
{
  fail_unless (*error && strstr ((*error)->message, "open it again"), "%s",
      *error ? (*error)->message : "no error");
  assert_error (*error, GST_HIP_ERROR_DEVICE_LOST);
}

static gint n_entered;          /* atomic */

static gboolean
count_enter (HipNativeContext context, GError ** error)
{
  g_atomic_int_inc (&n_entered);
  return hip_backend_host.context_enter (context, error);
}

/* From now on the driver is seen being asked. Before there is a worker; it stays. */
static void
watch_driver (void)
{
  static HipBackend watched;
  HipContext *context = hip_device_get_context (device);

  watched = hip_backend_host;
  watched.context_enter = count_enter;
  context->backend = &watched;
}

GST_START_TEST (test_i6_every_call_fails_fast)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  static const guint one[3] = { 1, 1, 1 };
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();
  GstHipCopyEnd to = { out, NULL, 0, 0 }, from = { memory, NULL, 0, 0 };
  GstHipEvent *event;
  GError *error = NULL;
  GstMapInfo map;
  gint before;

  watch_driver ();
  block (a);
  event = kernel_copy (a, out, memory);
  fail_device (device);

  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_FAILED);
  before = g_atomic_int_get (&n_entered);
  fail_unless (before > 0);
  fail_if (gst_hip_event_wait (event, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), b,
          GST_MAP_READ, &error)
      && gst_hip_stream_copy_2d (b, &to, &from, SIZE, 1, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  fail_if (gst_hip_stream_fill (b, memory, 0, SIZE, 0, &error));
  assert_refused (&error);
  fail_unless (gst_hip_kernel_args_add_memory (args, memory, 0, NULL));
  gst_hip_kernel_args_add_int32 (args, NEW);
  fail_if (gst_hip_kernel_module_launch (module, "set", b, one, one, args,
          &error));
  assert_refused (&error);
  gst_hip_kernel_args_unref (args);
  fail_if (gst_hip_stream_synchronize_full (a, &error));
  assert_refused (&error);
  fail_if (gst_hip_allocator_alloc_linear (NULL, device, 1, &error));
  assert_refused (&error);
  fail_if (gst_memory_map (out, &map, GST_MAP_READ));
  fail_unless_equals_int (g_atomic_int_get (&n_entered), before);

  gst_hip_event_unref (event);
  gst_memory_unref (memory);
  gst_memory_unref (out);
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

/* A kernel that never ends: its stream is given up, what it uses is not. */
GST_START_TEST (test_i6_endless_kernel_is_abandoned)
{
  static const guint one[3] = { 1, 1, 1 };
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();
  Used used = { g_malloc0 (SIZE) };
  volatile gint *flag = (gint *) used.data;
  GstMemory *memory;

  g_setenv ("GST_HIP_SHUTDOWN_TIMEOUT", "0", TRUE);
  gst_debug_set_default_threshold (GST_LEVEL_ERROR);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_timeouts, NULL, NULL);
  memory = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_HOST, used.data, SIZE, &used, used_release,
      NULL);
  fail_unless (gst_hip_kernel_args_add_memory_full (args, memory, 0,
          GST_MAP_READ, NULL));
  fail_unless (gst_hip_kernel_module_launch (module, "spin", a, one, one, args,
          NULL));
  gst_hip_kernel_args_unref (args);
  gst_memory_unref (memory);
  gst_clear_hip_stream (&a);
  wait_for (g_atomic_int_get (&n_timeouts) == 1);
  fail_if (g_atomic_int_get (&used.released));

  /* Only so that the process has nothing left of this test. */
  *flag = 1;
  wait_for (g_atomic_int_get (&used.released));
  fail_unless_equals_int (g_atomic_int_get (&n_timeouts), 1);
  gst_debug_remove_log_function (count_timeouts);
}

GST_END_TEST;

static Suite *
library_suite (void)
{
  Suite *suite = suite_create ("library");
  TCase *tcase = tcase_create ("library"), *last = tcase_create ("stuck");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_i2_kernel_reads_after_kernel_wrote);
  tcase_add_test (tcase, test_i2_kernel_writes_after_kernel_read);
  tcase_add_test (tcase, test_i2_kernel_writes_after_kernel_wrote);
  tcase_add_test (tcase, test_i2_dependency_is_waited_for);
  tcase_add_test (tcase, test_i2_cpu_reads_after_kernel_wrote);
  tcase_add_test (tcase, test_i3_next_user_comes_after_reader);
  tcase_add_test (tcase, test_i3_next_user_comes_after_writer);
  tcase_add_test (tcase, test_i4_kernel_keeps_what_it_uses);
  tcase_add_test (tcase, test_i4_idle_memory_is_released_on_a_worker);
  tcase_add_test (tcase, test_i4_released_on_a_worker_without_locks);
  tcase_add_test (tcase, test_i6_every_call_fails_fast);
  /* what is abandoned stays: no teardown that looks */
  suite_add_tcase (suite, last);
  tcase_add_checked_fixture (last, setup, NULL);
  tcase_add_test (last, test_i6_endless_kernel_is_abandoned);
  return suite;
}

GST_CHECK_MAIN (library);
