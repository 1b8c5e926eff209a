/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do devices, streams, events, copies and notifications of a backend keep
 * their promises? Public API only; sizes are such that work is often still
 * pending when it is asked about, and nothing depends on whether it is. */
#include "vendor.h"

#define PATIENCE_US (60 * G_TIME_SPAN_SECOND)
#define BIG (4 * 1024 * 1024)

#define wait_for(condition) G_STMT_START {                              \
  gint64 wait_end = g_get_monotonic_time () + PATIENCE_US;              \
  gboolean came;                                                        \
  while (!(came = (condition)) && g_get_monotonic_time () < wait_end)   \
    g_usleep (500);                                                     \
  fail_unless (came, "never came: %s", #condition);                     \
} G_STMT_END

#define check(call, error) \
  fail_unless ((call), "%s", (error) ? (error)->message : "no error")

#define assert_invalid(call, error) G_STMT_START {                      \
  fail_if (call);                                                       \
  fail_unless (g_error_matches (error, GST_HIP_ERROR,                   \
          GST_HIP_ERROR_INVALID), "%s",                                 \
      (error) ? (error)->message : "no error");                         \
  g_clear_error (&(error));                                             \
} G_STMT_END

static GstMemory *
device_memory (GstHipDevice * device, gsize size)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, device, size,
      &error);

  check (memory != NULL, error);

  return memory;
}

/* *bytes: its address for the CPU */
static GstMemory *
pinned_memory (GstHipDevice * device, gsize size, guint8 ** bytes)
{
  GError *error = NULL;
  GstMemory *memory = gst_hip_allocator_alloc_pinned (NULL, device, size,
      &error);
  GstMapInfo map;

  check (memory != NULL, error);
  /* Page-locked memory stays where it is. */
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READWRITE));
  *bytes = map.data;
  gst_memory_unmap (memory, &map);

  return memory;
}

static GstHipStream *
new_stream (GstHipDevice * device, gint priority)
{
  GError *error = NULL;
  GstHipStream *stream = gst_hip_stream_new_full (device, priority, &error);

  check (stream != NULL, error);

  return stream;
}

GST_START_TEST (test_device_is_described)
{
  GstHipDevice *device = conformance_open (), *again = conformance_open ();
  const GstHipDeviceInfo *info = gst_hip_device_get_info (device);
  GError *error = NULL;
  GstStructure *backend;

  fail_unless_equals_int (info->vendor, conformance_vendor ());
  fail_unless_equals_int (gst_hip_device_get_device_id (device),
      info->device_id);
  fail_unless (info->name[0] != '\0' && info->arch[0] != '\0');
  fail_unless (info->memory_bytes > 0 && info->compute_units > 0);
  fail_unless (info->stride_align > 0
      && (info->stride_align & (info->stride_align - 1)) == 0);
  fail_unless (info->max_threads_per_block >= 256);
  fail_unless (info->max_shared_bytes >= 16384);
  fail_unless (gst_hip_device_is_equal (device, again));
  fail_unless (gst_hip_device_set_current (device));
  fail_unless (gst_hip_device_get_native_context (device) != 0);

  if (info->pci_address[0] != '\0') {
    GstHipDevice *there =
        gst_hip_device_new_for_pci_address (info->pci_address, &error);

    check (there != NULL, error);
    fail_unless (gst_hip_device_is_equal (device, there));
    gst_object_unref (there);
  }

  backend = gst_hip_get_backend_info (conformance_vendor (), &error);
  check (backend != NULL, error);
  fail_unless (gst_structure_has_field (backend, "devices"));
  gst_structure_free (backend);
  gst_object_unref (again);
  gst_object_unref (device);
}

GST_END_TEST;

GST_START_TEST (test_a_stream_is_in_order)
{
  GstHipDevice *device = conformance_open ();
  GstHipStream *stream = new_stream (device, 0);
  GstMemory *memory = device_memory (device, BIG), *pinned;
  GstHipCopyEnd dst = { NULL }, src = { NULL };
  GError *error = NULL;
  guint8 *bytes;
  guint i;

  pinned = pinned_memory (device, BIG, &bytes);
  for (i = 0; i < 64; i++)
    check (gst_hip_stream_fill (stream, memory, 0, BIG, i, &error), error);
  check (gst_hip_stream_fill (stream, memory, 100, 1, 200, &error), error);
  check (gst_hip_stream_fill (stream, memory, BIG - 3, 3, 201, &error), error);
  dst.memory = pinned;
  src.memory = memory;
  check (gst_hip_stream_copy_2d (stream, &dst, &src, BIG, 1, &error), error);
  check (gst_hip_stream_synchronize_full (stream, &error), error);
  for (i = 0; i < BIG; i++) {
    guint8 expected = i == 100 ? 200 : i >= BIG - 3 ? 201 : 63;

    if (bytes[i] != expected)
      fail ("byte %u is %u, not %u", i, bytes[i], expected);
  }

  gst_memory_unref (memory);
  gst_memory_unref (pinned);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
}

GST_END_TEST;

GST_START_TEST (test_copies_touch_nothing_else)
{
  /* Rows of 37 bytes, 11 of them, at odd offsets and strides, through the
   * device and back */
  const gsize row = 37, rows = 11, in_stride = 41, mid_stride = 53;
  const gsize out_stride = 47, size = 1024;
  GstHipDevice *device = conformance_open ();
  GstHipStream *stream = new_stream (device, 0);
  GstMemory *memory = device_memory (device, size), *in, *out;
  GstHipCopyEnd host = { NULL }, mid = { NULL }, whole = { NULL };
  GError *error = NULL;
  guint8 *in_bytes, *out_bytes;
  gsize x, y, i;

  in = pinned_memory (device, size, &in_bytes);
  out = pinned_memory (device, size, &out_bytes);
  for (i = 0; i < size; i++)
    in_bytes[i] = (i * 7) & 0x7f;
  memset (out_bytes, 0xee, size);

  check (gst_hip_stream_fill (stream, memory, 0, size, 0xdd, &error), error);
  host.host = in_bytes;
  host.offset = 5;
  host.stride = in_stride;
  mid.memory = memory;
  mid.offset = 13;
  mid.stride = mid_stride;
  check (gst_hip_stream_copy_2d (stream, &mid, &host, row, rows, &error),
      error);
  host.host = out_bytes;
  host.offset = 9;
  host.stride = out_stride;
  check (gst_hip_stream_copy_2d (stream, &host, &mid, row, rows, &error),
      error);
  check (gst_hip_stream_synchronize_full (stream, &error), error);
  for (i = 0; i < size; i++) {
    guint8 expected = 0xee;

    if (i >= 9) {
      y = (i - 9) / out_stride;
      x = (i - 9) % out_stride;
      if (y < rows && x < row)
        expected = in_bytes[5 + y * in_stride + x];
    }
    if (out_bytes[i] != expected)
      fail ("out byte %" G_GSIZE_FORMAT " is %u, not %u", i, out_bytes[i],
          expected);
  }

  /* What is around the rows in device memory is untouched. */
  whole.memory = memory;
  host.offset = 0;
  check (gst_hip_stream_copy_2d (stream, &host, &whole, size, 1, &error),
      error);
  check (gst_hip_stream_synchronize_full (stream, &error), error);
  for (i = 0; i < size; i++) {
    guint8 expected = 0xdd;

    if (i >= 13) {
      y = (i - 13) / mid_stride;
      x = (i - 13) % mid_stride;
      if (y < rows && x < row)
        expected = in_bytes[5 + y * in_stride + x];
    }
    if (out_bytes[i] != expected)
      fail ("device byte %" G_GSIZE_FORMAT " is %u, not %u", i, out_bytes[i],
          expected);
  }

  gst_memory_unref (memory);
  gst_memory_unref (in);
  gst_memory_unref (out);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
}

GST_END_TEST;

GST_START_TEST (test_bounds)
{
  GstHipDevice *device = conformance_open ();
  GstHipStream *stream = new_stream (device, 0);
  GstMemory *memory = device_memory (device, 1000), *system;
  guint8 bytes[16] = { 0 };
  GstHipCopyEnd a = { memory, NULL, 0, 10 }, b = { memory, NULL, 500, 10 };
  GstHipCopyEnd none = { NULL, NULL, 0, 10 }, both = { memory, bytes, 0, 10 };
  GstHipCopyEnd host = { NULL, bytes, 0, 10 };
  GError *error = NULL;

  check (gst_hip_stream_copy_2d (stream, &a, &b, 10, 50, &error), error);
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &b, 10, 51, &error),
      error);
  assert_invalid (gst_hip_stream_copy_2d (stream, &b, &a, 10, 51, &error),
      error);
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &b, 11, 2, &error),
      error);
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &b, 0, 5, &error), error);
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &b, 5, 0, &error), error);
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &none, 5, 1, &error),
      error);
  assert_invalid (gst_hip_stream_copy_2d (stream, &both, &b, 5, 1, &error),
      error);
  a.stride = b.stride = G_MAXSIZE / 4;
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &b, 10, 10, &error),
      error);
  a.offset = G_MAXSIZE - 4;
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &b, 10, 1, &error),
      error);
  host.offset = G_MAXSIZE - 4;
  a.offset = 0;
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &host, 10, 1, &error),
      error);

  system = gst_allocator_alloc (NULL, 100, NULL);
  a.memory = system;
  assert_invalid (gst_hip_stream_copy_2d (stream, &a, &b, 10, 1, &error),
      error);
  assert_invalid (gst_hip_stream_fill (stream, system, 0, 1, 0, &error), error);
  gst_memory_unref (system);

  check (gst_hip_stream_fill (stream, memory, 999, 1, 0, &error), error);
  assert_invalid (gst_hip_stream_fill (stream, memory, 999, 2, 0, &error),
      error);
  assert_invalid (gst_hip_stream_fill (stream, memory, 0, 0, 0, &error), error);
  assert_invalid (gst_hip_stream_fill (stream, memory, G_MAXSIZE, 2, 0,
          &error), error);
  check (gst_hip_stream_synchronize_full (stream, &error), error);

  gst_memory_unref (memory);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
}

GST_END_TEST;

GST_START_TEST (test_streams_wait_for_each_other)
{
  /* One fills, the other reads behind its event, round and round; the first
   * waits for the reads. Without either wait bytes of two rounds mix. */
  GstHipDevice *device = conformance_open ();
  GstHipStream *writer = new_stream (device, 0), *reader;
  GstMemory *memory = device_memory (device, BIG), *pinned[32];
  guint8 *bytes[32];
  GstHipEvent *written, *read = NULL;
  GError *error = NULL;
  guint round, i;

  reader = new_stream (device, -100);
  for (round = 0; round < 32; round++) {
    GstHipCopyEnd dst = { NULL }, src = { NULL };

    dst.memory = pinned[round] = pinned_memory (device, 65536, &bytes[round]);
    src.memory = memory;
    /* The end of what is written last */
    src.offset = BIG - 65536;
    if (read) {
      check (gst_hip_stream_wait_event (writer, read, &error), error);
      gst_hip_event_unref (read);
    }
    check (gst_hip_stream_fill (writer, memory, 0, BIG, round + 1, &error),
        error);
    written = gst_hip_stream_record (writer, FALSE, &error);
    check (written != NULL, error);
    check (gst_hip_stream_wait_event (reader, written, &error), error);
    gst_hip_event_unref (written);
    check (gst_hip_stream_copy_2d (reader, &dst, &src, 65536, 1, &error),
        error);
    read = gst_hip_stream_record (reader, FALSE, &error);
    check (read != NULL, error);
  }
  check (gst_hip_event_wait (read, &error), error);
  gst_hip_event_unref (read);
  for (round = 0; round < 32; round++) {
    for (i = 0; i < 65536; i++) {
      if (bytes[round][i] != round + 1)
        fail ("round %u, byte %u is %u", round, i, bytes[round][i]);
    }
    gst_memory_unref (pinned[round]);
  }

  gst_memory_unref (memory);
  gst_hip_stream_unref (writer);
  gst_hip_stream_unref (reader);
  gst_object_unref (device);
}

GST_END_TEST;

GST_START_TEST (test_timed_events)
{
  GstHipDevice *device = conformance_open ();
  GstHipStream *stream = new_stream (device, 0);
  GstMemory *memory = device_memory (device, BIG);
  GstHipEvent *events[3];
  GError *error = NULL;
  gdouble first, second, all;
  guint i;

  for (i = 0; i < 3; i++) {
    check (gst_hip_stream_fill (stream, memory, 0, BIG, i, &error), error);
    events[i] = gst_hip_stream_record (stream, TRUE, &error);
    check (events[i] != NULL, error);
  }
  check (gst_hip_event_wait (events[2], &error), error);
  /* The last one's end is the end of those before it. */
  for (i = 0; i < 3; i++)
    fail_unless_equals_int (gst_hip_event_query_state (events[i]),
        GST_HIP_EVENT_STATE_DONE);
  check (gst_hip_event_get_elapsed (events[0], events[1], &first, &error),
      error);
  check (gst_hip_event_get_elapsed (events[1], events[2], &second, &error),
      error);
  check (gst_hip_event_get_elapsed (events[0], events[2], &all, &error), error);
  fail_unless (first > 0 && second > 0, "%f, %f", first, second);
  /* Drivers count in steps of up to half a microsecond. */
  fail_unless (ABS (all - first - second) <= 2000, "%f, %f, %f", first,
      second, all);

  for (i = 0; i < 3; i++)
    gst_hip_event_unref (events[i]);
  gst_memory_unref (memory);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
}

GST_END_TEST;

typedef struct
{
  guint8 *bytes;
  guint expected;
  gint *wrong, *called, *order;
} Note;

static void
look (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  Note *note = data;

  /* The work is done, its bytes are there, and older ones came first. */
  if (state != GST_HIP_EVENT_STATE_DONE || note->bytes[0] != note->expected
      || (guint) g_atomic_int_add (note->order, 1) + 1 != note->expected)
    g_atomic_int_inc (note->wrong);
  g_atomic_int_inc (note->called);
}

GST_START_TEST (test_notifications)
{
  GstHipDevice *device = conformance_open ();
  gint wrong = 0, called = 0, order[4] = { 0 };
  GstHipStream *streams[4];
  GstMemory *pinned[4];
  guint8 *bytes[4];
  GError *error = NULL;
  guint s, i;

  for (s = 0; s < 4; s++) {
    streams[s] = new_stream (device, 0);
    pinned[s] = pinned_memory (device, 65536, &bytes[s]);
    memset (bytes[s], 0, 65536);
  }
  for (i = 1; i <= 200; i++) {
    for (s = 0; s < 4; s++) {
      Note *note = g_new (Note, 1);
      GstHipEvent *event;

      check (gst_hip_stream_fill (streams[s], pinned[s], i * 256, 256, i,
              &error), error);
      event = gst_hip_stream_record (streams[s], FALSE, &error);
      check (event != NULL, error);
      *note = (Note) {
      bytes[s] + i * 256, i, &wrong, &called, &order[s]};
      gst_hip_event_notify (event, look, note, g_free);
      gst_hip_event_unref (event);
    }
  }
  wait_for (g_atomic_int_get (&called) == 800);
  fail_unless_equals_int (wrong, 0);

  for (s = 0; s < 4; s++) {
    gst_hip_stream_unref (streams[s]);
    gst_memory_unref (pinned[s]);
  }
  gst_object_unref (device);
}

GST_END_TEST;

static gint fence_released;

static void
count_release (gpointer data)
{
  g_atomic_int_inc (&fence_released);
}

GST_START_TEST (test_everything_may_go_while_work_is_pending)
{
  GstHipDevice *device = conformance_open ();
  GError *error = NULL;
  guint i;

  for (i = 0; i < 50; i++) {
    GstHipStream *stream = new_stream (device, 0);
    GstHipFenceData *fence = gst_hip_fence_data_new ();
    GstMemory *memory = device_memory (device, BIG);
    GstHipEvent *event;

    check (gst_hip_stream_fill (stream, memory, 0, BIG, i, &error), error);
    event = gst_hip_stream_record (stream, FALSE, &error);
    check (event != NULL, error);
    gst_hip_fence_data_push (fence, NULL, count_release);
    gst_hip_fence_data_push_mini_object (fence, GST_MINI_OBJECT_CAST (memory));
    gst_hip_fence_data_push (fence, NULL, count_release);
    gst_hip_fence_data_attach (fence, event);
    gst_hip_fence_data_unref (fence);
    gst_hip_event_unref (event);
    gst_hip_stream_unref (stream);
  }
  gst_object_unref (device);
  wait_for (g_atomic_int_get (&fence_released) == 100);
}

GST_END_TEST;

static Suite *
core_suite (void)
{
  Suite *s = suite_create ("core");
  TCase *tc = tcase_create ("core");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_device_is_described);
  tcase_add_test (tc, test_a_stream_is_in_order);
  tcase_add_test (tc, test_copies_touch_nothing_else);
  tcase_add_test (tc, test_bounds);
  tcase_add_test (tc, test_streams_wait_for_each_other);
  tcase_add_test (tc, test_timed_events);
  tcase_add_test (tc, test_notifications);
  tcase_add_test (tc, test_everything_may_go_while_work_is_pending);

  return s;
}

CONFORMANCE_MAIN (core);
