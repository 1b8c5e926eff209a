/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does whoever uses a memory next come after what is pending on it (I2), and
 * does an allocation live as long as the work that uses it (I4)?
 *
 * One stream is stopped by hand; what must come after its work is queued on
 * another and given time to overtake, which it would if a wait were missing;
 * the bytes tell. Run with and without GST_HIP_HOST_STAGING.
 */
#include "core-common.h"
#include "hip-memory.h"

#define SIZE 10000
#define OLD 0x11
#define NEW 0x22

static GstHipDevice *device, *device2;
static GstHipStream *a, *b;     /* b: of the other device object */

static void
setup (void)
{
  device = open_host ();
  device2 = open_host ();
  fail_unless (device != device2);
  a = new_stream (device);
  b = new_stream (device2);
}

static void
teardown (void)
{
  gst_clear_hip_stream (&a);
  gst_clear_hip_stream (&b);
  gst_clear_object (&device);
  gst_clear_object (&device2);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

static void
begin (GstMemory * memory, GstHipStream * stream, GstMapFlags flags)
{
  GError *error = NULL;

  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory),
          stream, flags, &error), "%s", error ? error->message : "");
}

static void
end (GstMemory * memory, GstHipStream * stream, GstMapFlags flags)
{
  GError *error = NULL;

  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (memory),
          stream, flags, &error), "%s", error ? error->message : "");
}

static void
fill (GstHipStream * stream, GstMemory * memory, guint8 value)
{
  begin (memory, stream, GST_MAP_WRITE);
  fail_unless (gst_hip_stream_fill (stream, memory, 0, memory->size, value,
          NULL));
  end (memory, stream, GST_MAP_WRITE);
}

static void
copy (GstHipStream * stream, GstMemory * dst, GstMemory * src)
{
  GstHipCopyEnd to = { dst, NULL, 0, 0 }, from = { src, NULL, 0, 0 };

  begin (src, stream, GST_MAP_READ);
  begin (dst, stream, GST_MAP_WRITE);
  fail_unless (gst_hip_stream_copy_2d (stream, &to, &from, src->size, 1, NULL));
  end (src, stream, GST_MAP_READ);
  end (dst, stream, GST_MAP_WRITE);
}

static GstMemory *
new_memory (guint8 value)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, SIZE,
      &error);
  GstHipStream *stream = new_stream (device);

  fail_unless (memory != NULL, "%s", error ? error->message : "");
  fill (stream, memory, value);
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  gst_hip_stream_unref (stream);
  return memory;
}

static void
assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;
  gsize i;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (i = 0; i < map.size && map.data[i] == value; i++);
  fail_unless (i == map.size, "byte %" G_GSIZE_FORMAT " is 0x%02x, not 0x%02x",
      i, map.data[MIN (i, map.size - 1)], value);
  gst_memory_unmap (memory, &map);
}

/* Were a wait missing, stream's work would be done within this time. */
static void
assert_does_not_overtake (GstHipStream * stream)
{
  GstHipEvent *event = record (stream);
  guint i;

  for (i = 0; i < 60; i++) {
    fail_unless_equals_int (gst_hip_event_query_state (event),
        GST_HIP_EVENT_STATE_PENDING);
    g_usleep (500);
  }
  gst_hip_event_unref (event);
}

/* --- the three hazards --- */

GST_START_TEST (test_read_after_write)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);

  block (a);
  fill (a, memory, NEW);
  copy (b, out, memory);
  assert_does_not_overtake (b);
  unblock (a);
  assert_bytes (out, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_write_after_read)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);

  block (a);
  copy (a, out, memory);
  fill (b, memory, NEW);
  assert_does_not_overtake (b);
  unblock (a);
  assert_bytes (out, OLD);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_write_after_write)
{
  GstMemory *memory = new_memory (0);

  block (a);
  fill (a, memory, OLD);
  fill (b, memory, NEW);
  assert_does_not_overtake (b);
  unblock (a);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Readers do not wait for each other. */
GST_START_TEST (test_readers_overlap)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstMemory *out2 = new_memory (0);

  block (a);
  copy (a, out, memory);
  copy (b, out2, memory);
  fail_unless (gst_hip_stream_synchronize (b));
  assert_bytes (out2, OLD);
  unblock (a);
  assert_bytes (out, OLD);
  gst_memory_unref (memory);
  gst_memory_unref (out);
  gst_memory_unref (out2);
}

GST_END_TEST;

#define N_READERS (HIP_PENDING_READERS * 2 + 3)

GST_START_TEST (test_many_readers)
{
  GstMemory *memory = new_memory (OLD), *outs[N_READERS];
  GstHipMemoryPrivate *priv = GST_HIP_MEMORY_CAST (memory)->priv;
  GstHipStream *streams[N_READERS];
  guint i, round;

  for (i = 0; i < N_READERS; i++) {
    streams[i] = new_stream (device);
    outs[i] = new_memory (0);
    block (streams[i]);
  }
  for (round = 0; round < 20; round++) {
    for (i = 0; i < N_READERS; i++)
      copy (streams[i], outs[i], memory);
  }
  /* one a stream, not one a read */
  fail_unless_equals_int (priv->n_readers + priv->more_readers->len, N_READERS);
  fill (b, memory, NEW);
  fail_unless_equals_int (priv->n_readers + priv->more_readers->len, 0);

  for (i = 0; i < N_READERS; i++) {
    fail_if (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (memory),
            GST_MAP_READ));
    assert_does_not_overtake (b);
    unblock (streams[i]);
  }
  for (i = 0; i < N_READERS; i++) {
    assert_bytes (outs[i], OLD);
    gst_memory_unref (outs[i]);
    gst_hip_stream_unref (streams[i]);
  }
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* Streams come and go: readers that are known to be done make room. */
GST_START_TEST (test_readers_do_not_pile_up)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstHipMemoryPrivate *priv = GST_HIP_MEMORY_CAST (memory)->priv;
  guint i;

  for (i = 0; i < 200; i++) {
    GstHipStream *stream = new_stream (device);

    copy (stream, out, memory);
    gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
    gst_hip_stream_unref (stream);
  }
  fail_unless (priv->n_readers <= HIP_PENDING_READERS);
  fail_unless (priv->more_readers == NULL);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

/* A wait would consume the failure. */
GST_START_TEST (test_no_needless_waits)
{
  HipNativeContext native = hip_device_get_context (device)->native;
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GError *error = NULL;

  /* same stream */
  block (a);
  fill (a, memory, NEW);
  host_inject_failure (native, HOST_FAULT_WAIT, 1);
  copy (a, out, memory);
  fill (a, memory, OLD);
  unblock (a);
  /* done */
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (out));
  copy (b, out, memory);
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (out));
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));

  /* and one that is needed */
  block (a);
  fill (a, memory, NEW);
  fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), b,
          GST_MAP_READ, &error));
  fail_unless (error != NULL);
  g_clear_error (&error);
  unblock (a);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

/* --- other ways in --- */

GST_START_TEST (test_one_event_for_several)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstHipCopyEnd to = { out, NULL, 0, 0 }, from = { memory, NULL, 0, 0 };
  GstHipEvent *event;

  block (a);
  begin (memory, a, GST_MAP_READ);
  begin (out, a, GST_MAP_WRITE);
  fail_unless (gst_hip_stream_copy_2d (a, &to, &from, SIZE, 1, NULL));
  event = record (a);
  gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (memory), event,
      GST_MAP_READ);
  gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (out), event,
      GST_MAP_WRITE);
  gst_hip_event_unref (event);

  fill (b, memory, NEW);
  assert_does_not_overtake (b);
  fail_if (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (out), GST_MAP_READ));
  unblock (a);
  assert_bytes (out, OLD);
  fail_unless (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (out),
          GST_MAP_READ));
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

/* As programs for GstHip 1.28 do it: map, launch on the memory's stream, unmap. */
GST_START_TEST (test_device_map_orders_own_stream)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstHipStream *own = new_stream (device);
  GstMapInfo map;

  gst_hip_memory_set_stream (GST_HIP_MEMORY_CAST (memory), own);
  fail_unless (gst_hip_memory_get_stream (GST_HIP_MEMORY_CAST (memory)) == own);

  /* after what is pending */
  block (a);
  copy (a, out, memory);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE_HIP));
  fail_unless_equals_uint64 ((guintptr) map.data,
      gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memory)));
  fail_unless (gst_hip_stream_fill (own, memory, 0, SIZE, NEW, NULL));
  gst_memory_unmap (memory, &map);
  assert_does_not_overtake (own);
  unblock (a);
  assert_bytes (out, OLD);

  /* before what comes next */
  assert_bytes (memory, NEW);
  block (own);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE_HIP));
  fail_unless (gst_hip_stream_fill (own, memory, 0, SIZE, 0x33, NULL));
  gst_memory_unmap (memory, &map);
  copy (b, out, memory);
  assert_does_not_overtake (b);
  unblock (own);
  assert_bytes (out, 0x33);

  gst_memory_unref (memory);
  gst_memory_unref (out);
  gst_hip_stream_unref (own);
}

GST_END_TEST;

/* Work on another stream between map and unmap, which says so itself, as that of
 * a converter with mapped frames does, is not forgotten at unmap. */
GST_START_TEST (test_device_map_keeps_other_work)
{
  static const GstMapFlags flags[] = { GST_MAP_WRITE, GST_MAP_READWRITE };

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++) {
    GstMemory *memory = new_memory (OLD), *out = new_memory (0);
    GstMapInfo map;

    fail_unless (gst_memory_map (memory, &map, flags[i] | GST_MAP_HIP));
    block (a);
    fill (a, memory, NEW);
    gst_memory_unmap (memory, &map);
    copy (b, out, memory);
    assert_does_not_overtake (b);
    unblock (a);
    assert_bytes (out, NEW);
    gst_memory_unref (memory);
    gst_memory_unref (out);
  }
}

GST_END_TEST;

GST_START_TEST (test_set_event)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstHipStream *c = new_stream (device);
  GstHipEvent *event;

  block (a);
  copy (a, out, memory);
  /* says nothing of the reader, which must not be forgotten */
  block (b);
  event = record (b);
  gst_hip_memory_set_event (GST_HIP_MEMORY_CAST (memory), event);
  gst_hip_event_unref (event);
  gst_hip_memory_set_event (GST_HIP_MEMORY_CAST (memory), NULL);

  fill (c, memory, NEW);
  unblock (b);
  assert_does_not_overtake (c);
  unblock (a);
  assert_bytes (out, OLD);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
  gst_hip_stream_unref (c);
}

GST_END_TEST;

GST_START_TEST (test_parts_share_pending_work)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstMemory *part = gst_memory_share (memory, 100, 50);
  GstMemory *small;

  fail_unless (part != NULL && part->parent == memory);
  block (a);
  fill (a, part, NEW);
  copy (b, out, memory);
  assert_does_not_overtake (b);
  unblock (a);
  small = gst_memory_share (out, 100, 50);
  assert_bytes (small, NEW);
  gst_memory_unref (small);
  small = gst_memory_share (out, 0, 100);
  assert_bytes (small, OLD);
  gst_memory_unref (small);
  small = gst_memory_share (out, 150, -1);
  fail_unless_equals_uint64 (small->size, SIZE - 150);
  assert_bytes (small, OLD);
  gst_memory_unref (small);
  gst_memory_unref (part);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_copy_is_ordered)
{
  GstMemory *memory = new_memory (OLD), *duplicate;

  gst_hip_memory_set_stream (GST_HIP_MEMORY_CAST (memory), b);
  block (a);
  fill (a, memory, NEW);
  /* does not wait */
  duplicate = gst_memory_copy (memory, 0, -1);
  fail_unless (duplicate != NULL);
  fill (a, memory, OLD);
  assert_does_not_overtake (b);
  unblock (a);
  assert_bytes (duplicate, NEW);
  assert_bytes (memory, OLD);
  gst_memory_unref (duplicate);

  duplicate = gst_memory_copy (memory, 17, 5);
  fail_unless_equals_uint64 (duplicate->size, 5);
  assert_bytes (duplicate, OLD);
  gst_memory_unref (duplicate);
  gst_memory_unref (memory);
}

GST_END_TEST;

GST_START_TEST (test_pinned_is_ordered)
{
  GstMemory *memory = gst_hip_allocator_alloc_pinned (NULL, device, SIZE,
      NULL);
  GstMemory *out = new_memory (0);

  fill (b, memory, OLD);
  assert_bytes (memory, OLD);
  block (a);
  copy (a, out, memory);
  fill (b, memory, NEW);
  assert_does_not_overtake (b);
  unblock (a);
  /* by the CPU, which waits for b */
  assert_bytes (memory, NEW);
  assert_bytes (out, OLD);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

/* --- the CPU --- */

typedef struct
{
  GstMemory *memory;
  GstMapFlags flags;
  gint mapped;
  guint8 value;
} Mapper;

static gpointer
map_and_write (gpointer data)
{
  Mapper *mapper = data;
  GstMapInfo map;

  fail_unless (gst_memory_map (mapper->memory, &map, mapper->flags));
  g_atomic_int_set (&mapper->mapped, 1);
  if (mapper->flags & GST_MAP_WRITE)
    memset (map.data, mapper->value, map.size);
  gst_memory_unmap (mapper->memory, &map);
  return NULL;
}

/* Pinned memory is what the CPU writes to: not before the device has read it */
GST_START_TEST (test_cpu_waits_for_device)
{
  GstMemory *memory = gst_hip_allocator_alloc_pinned (NULL, device, SIZE,
      NULL);
  GstMemory *out = new_memory (0);
  Mapper mapper = { memory, GST_MAP_WRITE, 0, NEW };
  Mapper reader = { memory, GST_MAP_READ, 0, 0 };
  GThread *thread;
  guint i;

  fill (a, memory, OLD);
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  block (a);
  copy (a, out, memory);
  /* one who only reads need not wait */
  map_and_write (&reader);
  thread = g_thread_new ("mapper", map_and_write, &mapper);
  for (i = 0; i < 60; i++) {
    fail_if (g_atomic_int_get (&mapper.mapped));
    g_usleep (500);
  }
  unblock (a);
  g_thread_join (thread);
  assert_bytes (out, OLD);
  assert_bytes (memory, NEW);
  gst_memory_unref (memory);
  gst_memory_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_sync_waits)
{
  GstMemory *memory = new_memory (OLD);

  host_inject_delay (hip_stream_get_native (a), 20 * 1000 * 1000);
  fill (a, memory, NEW);
  fail_if (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (memory), GST_MAP_READ));
  gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
  fail_unless (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (memory),
          GST_MAP_READWRITE));
  gst_memory_unref (memory);
}

GST_END_TEST;

/* --- lifetime --- */

GST_START_TEST (test_allocation_outlives_work)
{
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  guint i;

  fail_unless_equals_int (hip_memory_live_count (), 2);
  block (a);
  copy (a, out, memory);
  gst_memory_unref (memory);
  for (i = 0; i < 40; i++) {
    fail_unless_equals_int (hip_memory_live_count (), 2);
    g_usleep (500);
  }
  unblock (a);
  wait_for (hip_memory_live_count () == 1);
  assert_bytes (out, OLD);
  gst_memory_unref (out);
}

GST_END_TEST;

typedef struct
{
  guint8 *data;
  GThread *thread;
  gint destroyed;
} Wrapped;

static void
wrapped_destroy (gpointer user_data)
{
  Wrapped *wrapped = user_data;

  wrapped->thread = g_thread_self ();
  memset (wrapped->data, 0xff, SIZE);
  g_free (wrapped->data);
  g_atomic_int_inc (&wrapped->destroyed);
}

static void
check_wrapped (GstHipMemoryKind kind)
{
  Wrapped wrapped = { g_malloc (SIZE) };
  GstMemory *out = new_memory (0), *out2 = new_memory (0), *memory;
  GError *error = NULL;
  guint i;

  memset (wrapped.data, OLD, SIZE);
  memory = gst_hip_allocator_alloc_wrapped (NULL, device, kind, wrapped.data,
      SIZE, &wrapped, wrapped_destroy, &error);
  fail_unless (memory != NULL);
  block (a);
  block (b);
  copy (a, out, memory);
  copy (b, out2, memory);
  gst_memory_unref (memory);
  unblock (b);
  for (i = 0; i < 40; i++) {
    fail_if (g_atomic_int_get (&wrapped.destroyed));
    g_usleep (500);
  }
  unblock (a);
  wait_for (g_atomic_int_get (&wrapped.destroyed));
  fail_if (wrapped.thread == g_thread_self ());
  assert_bytes (out, OLD);
  assert_bytes (out2, OLD);
  gst_memory_unref (out);
  gst_memory_unref (out2);
  wait_for (hip_memory_live_count () == 0);
  fail_unless_equals_int (wrapped.destroyed, 1);
}

/* Even with nothing to wait for, frees are not the last user's business. */
GST_START_TEST (test_given_back_by_a_worker)
{
  Wrapped wrapped = { g_malloc (SIZE) };
  GstMemory *memory = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_HOST, wrapped.data, SIZE, &wrapped,
      wrapped_destroy, NULL);

  gst_memory_unref (memory);
  wait_for (g_atomic_int_get (&wrapped.destroyed));
  fail_if (wrapped.thread == g_thread_self ());
}

GST_END_TEST;

GST_START_TEST (test_wrapped_is_given_back_after_work)
{
  check_wrapped (GST_HIP_MEMORY_KIND_WRAPPED_HOST);
  /* on the host device they are the same */
  check_wrapped (GST_HIP_MEMORY_KIND_WRAPPED_DEVICE);
}

GST_END_TEST;

/* --- failures --- */

GST_START_TEST (test_refusals)
{
  GstMemory *memory = new_memory (OLD);
  GstHipDevice *other;
  GstHipStream *stream;
  GError *error = NULL;

  GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);
  fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), a,
          GST_MAP_WRITE, &error));
  assert_error (error, GST_HIP_ERROR_INVALID);
  begin (memory, a, GST_MAP_READ);
  end (memory, a, GST_MAP_READ);

  /* a device that is opened after this one failed is another */
  fail_device (device);
  fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), b,
          GST_MAP_READ, &error)
      && gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (memory), b,
          GST_MAP_READ, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  fail_if (gst_hip_allocator_alloc_linear (NULL, device, 1, &error));
  assert_error (error, GST_HIP_ERROR_DEVICE_LOST);
  other = open_host ();
  stream = new_stream (other);
  fail_if (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (memory), stream,
          GST_MAP_READ, &error));
  assert_error (error, GST_HIP_ERROR_INVALID);
  gst_hip_stream_unref (stream);
  gst_object_unref (other);
  gst_memory_unref (memory);
}

GST_END_TEST;

GST_START_TEST (test_lost_device_frees_everything)
{
  Wrapped wrapped = { g_malloc0 (SIZE) };
  GstMemory *memory = new_memory (OLD), *out = new_memory (0);
  GstMemory *foreign;
  GstMapInfo map;

  foreign = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_HOST, wrapped.data, SIZE, &wrapped,
      wrapped_destroy, NULL);
  block (a);
  copy (a, out, memory);
  copy (a, out, foreign);
  fail_device (device);
  fail_if (gst_memory_map (out, &map, GST_MAP_READ));
  fail_unless (gst_hip_memory_is_idle (GST_HIP_MEMORY_CAST (out),
          GST_MAP_READ));
  gst_memory_unref (memory);
  gst_memory_unref (out);
  gst_memory_unref (foreign);
  wait_for (hip_memory_live_count () == 0);
  fail_unless_equals_int (wrapped.destroyed, 1);
}

GST_END_TEST;

static Suite *
memory_order_suite (void)
{
  Suite *suite = suite_create ("memory-order");
  TCase *tcase = tcase_create ("memory-order");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_read_after_write);
  tcase_add_test (tcase, test_write_after_read);
  tcase_add_test (tcase, test_write_after_write);
  tcase_add_test (tcase, test_readers_overlap);
  tcase_add_test (tcase, test_many_readers);
  tcase_add_test (tcase, test_readers_do_not_pile_up);
  tcase_add_test (tcase, test_no_needless_waits);
  tcase_add_test (tcase, test_one_event_for_several);
  tcase_add_test (tcase, test_device_map_orders_own_stream);
  tcase_add_test (tcase, test_device_map_keeps_other_work);
  tcase_add_test (tcase, test_set_event);
  tcase_add_test (tcase, test_parts_share_pending_work);
  tcase_add_test (tcase, test_copy_is_ordered);
  tcase_add_test (tcase, test_pinned_is_ordered);
  tcase_add_test (tcase, test_cpu_waits_for_device);
  tcase_add_test (tcase, test_sync_waits);
  tcase_add_test (tcase, test_allocation_outlives_work);
  tcase_add_test (tcase, test_given_back_by_a_worker);
  tcase_add_test (tcase, test_wrapped_is_given_back_after_work);
  tcase_add_test (tcase, test_refusals);
  tcase_add_test (tcase, test_lost_device_frees_everything);
  return suite;
}

GST_CHECK_MAIN (memory_order);
