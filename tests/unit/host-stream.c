/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device's streams and events: order within a stream and between
 * streams, and that nothing but a wait waits. Order is proved by holding a
 * stream with host_inject_block (), never by time.
 */
#include "host-common.h"

GST_START_TEST (test_order_in_a_stream)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  guint32 cells[2000] = { 0, };
  guint i;

  /* Each copies what the one before it wrote. Held, so that all are queued
   * and the ring has to grow several times. */
  host_inject_block (stream);
  fill_bytes (context, stream, &cells[0], sizeof (cells[0]), 0x5a);
  for (i = 1; i < G_N_ELEMENTS (cells); i++)
    copy_bytes (context, stream, &cells[i], &cells[i - 1], sizeof (cells[0]));
  fail_unless_equals_int (host->stream_query (context, stream, NULL),
      GST_HIP_EVENT_STATE_PENDING);
  fail_unless_equals_int (cells[0], 0);

  host_inject_unblock (stream);
  synchronize (context, stream);
  fail_unless_equals_int (host->stream_query (context, stream, NULL),
      GST_HIP_EVENT_STATE_DONE);
  for (i = 0; i < G_N_ELEMENTS (cells); i++)
    fail_unless_equals_int (cells[i], 0x5a5a5a5a);

  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

GST_START_TEST (test_event_states)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  HipNativeEvent event = new_event (context);
  guint i;

  /* Never recorded: done, and waits pass */
  assert_state (context, event, GST_HIP_EVENT_STATE_DONE);
  assert_ok (host->event_synchronize (context, event, &error));
  wait_event (context, stream, event);
  synchronize (context, stream);

  /* Again and again with the same event */
  for (i = 0; i < 100; i++) {
    host_inject_block (stream);
    record (context, event, stream);
    assert_state (context, event, GST_HIP_EVENT_STATE_PENDING);
    host_inject_unblock (stream);
    assert_ok (host->event_synchronize (context, event, &error));
    assert_state (context, event, GST_HIP_EVENT_STATE_DONE);
    /* What is behind the last event of a stream is nothing. */
    fail_unless_equals_int (host->stream_query (context, stream, NULL),
        GST_HIP_EVENT_STATE_DONE);
  }

  host->event_free (context, event);
  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

GST_START_TEST (test_wait_between_streams)
{
  HipNativeContext context = open_host ();
  HipNativeStream producer = new_stream (context);
  HipNativeStream consumer = new_stream (context);
  HipNativeStream other = new_stream (context);
  HipNativeEvent produced = new_event (context);
  HipNativeEvent consumed = new_event (context);
  guint8 src = 0, dst = 0xff, third = 0;

  host_inject_block (producer);
  fill_bytes (context, producer, &src, 1, 7);
  record (context, produced, producer);

  wait_event (context, consumer, produced);
  copy_bytes (context, consumer, &dst, &src, 1);
  record (context, consumed, consumer);

  /* A stream that waits for nobody is not held up. */
  fill_bytes (context, other, &third, 1, 9);
  synchronize (context, other);
  fail_unless_equals_int (third, 9);
  assert_state (context, consumed, GST_HIP_EVENT_STATE_PENDING);
  fail_unless_equals_int (dst, 0xff);

  host_inject_unblock (producer);
  assert_ok (host->event_synchronize (context, consumed, &error));
  fail_unless_equals_int (dst, 7);

  host->event_free (context, produced);
  host->event_free (context, consumed);
  host->stream_free (context, producer, FALSE);
  host->stream_free (context, consumer, FALSE);
  host->stream_free (context, other, FALSE);
  host->context_close (context);
}

GST_END_TEST;

/* A wait is for the record that was the last when it was queued. */
GST_START_TEST (test_wait_and_record_again)
{
  HipNativeContext context = open_host ();
  HipNativeStream first = new_stream (context);
  HipNativeStream second = new_stream (context);
  HipNativeStream early = new_stream (context);
  HipNativeStream late = new_stream (context);
  HipNativeEvent event = new_event (context);

  host_inject_block (first);
  record (context, event, first);
  wait_event (context, early, event);

  host_inject_block (second);
  record (context, event, second);
  wait_event (context, late, event);

  /* Only the later record ends: only the later wait passes. */
  host_inject_unblock (second);
  synchronize (context, late);
  assert_state (context, event, GST_HIP_EVENT_STATE_DONE);
  fail_unless_equals_int (host->stream_query (context, early, NULL),
      GST_HIP_EVENT_STATE_PENDING);
  host_inject_unblock (first);
  synchronize (context, early);

  /* The other way round: the earlier ends, the event stays pending. */
  host_inject_block (first);
  record (context, event, first);
  wait_event (context, early, event);
  host_inject_block (second);
  record (context, event, second);
  wait_event (context, late, event);
  host_inject_unblock (first);
  synchronize (context, early);
  assert_state (context, event, GST_HIP_EVENT_STATE_PENDING);
  fail_unless_equals_int (host->stream_query (context, late, NULL),
      GST_HIP_EVENT_STATE_PENDING);

  /* Freed while a wait for it is queued */
  host->event_free (context, event);
  host_inject_unblock (second);
  synchronize (context, late);

  host->stream_free (context, first, FALSE);
  host->stream_free (context, second, FALSE);
  host->stream_free (context, early, FALSE);
  host->stream_free (context, late, FALSE);
  host->context_close (context);
}

GST_END_TEST;

GST_START_TEST (test_elapsed)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  HipNativeEvent untimed = new_event (context);
  HipNativeEvent start, stop;
  gdouble ns = -1;

  assert_ok ((start = host->event_new (context, TRUE, &error)) != NULL);
  assert_ok ((stop = host->event_new (context, TRUE, &error)) != NULL);

  assert_fails (host->event_elapsed (context, start, stop, &ns, &error),
      GST_HIP_ERROR_INVALID);

  record (context, start, stream);
  host_inject_delay (stream, 2000000);
  host_inject_block (stream);
  record (context, stop, stream);
  record (context, untimed, stream);
  assert_fails (host->event_elapsed (context, start, stop, &ns, &error),
      GST_HIP_ERROR_INVALID);
  host_inject_unblock (stream);
  synchronize (context, stream);

  assert_ok (host->event_elapsed (context, start, stop, &ns, &error));
  /* The delay is part of what is measured. */
  fail_unless (ns >= 2000000, "%f ns", ns);
  assert_fails (host->event_elapsed (context, start, untimed, &ns, &error),
      GST_HIP_ERROR_INVALID);

  host->event_free (context, start);
  host->event_free (context, stop);
  host->event_free (context, untimed);
  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

/* A ring of streams that hand a value on, all queued before it starts */
GST_START_TEST (test_many_streams)
{
  enum
  { STREAMS = 50, ROUNDS = 40 };
  HipNativeContext context = open_host ();
  HipNativeStream streams[STREAMS];
  HipNativeEvent events[STREAMS];
  guint16 cells[STREAMS * ROUNDS + 1];
  guint i;

  memset (cells, 0, sizeof (cells));
  for (i = 0; i < STREAMS; i++) {
    streams[i] = new_stream (context);
    events[i] = new_event (context);
  }

  host_inject_block (streams[0]);
  fill_bytes (context, streams[0], &cells[0], 2, 0x33);
  for (i = 0; i < STREAMS * ROUNDS; i++) {
    if (i > 0)
      wait_event (context, streams[i % STREAMS], events[(i - 1) % STREAMS]);
    copy_bytes (context, streams[i % STREAMS], &cells[i + 1], &cells[i], 2);
    record (context, events[i % STREAMS], streams[i % STREAMS]);
  }
  host_inject_unblock (streams[0]);
  assert_ok (host->event_synchronize (context, events[STREAMS - 1], &error));
  for (i = 0; i < G_N_ELEMENTS (cells); i++)
    fail_unless_equals_int (cells[i], 0x3333);

  for (i = 0; i < STREAMS; i++) {
    host->event_free (context, events[i]);
    host->stream_free (context, streams[i], FALSE);
  }
  host->context_close (context);
}

GST_END_TEST;

GST_START_TEST (test_threads_end)
{
  HipNativeContext context = open_host ();
  guint8 byte;
  guint i;

  for (i = 0; i < 3000; i++) {
    HipNativeStream stream = new_stream (context);

    /* The last are freed with work queued, which is still done. */
    byte = 0;
    fill_bytes (context, stream, &byte, 1, 1);
    if (i < 2000)
      synchronize (context, stream);
    host->stream_free (context, stream, FALSE);
    fail_unless_equals_int (byte, 1);
  }
  /* A joined thread may still be listed for a moment. */
  while (count_threads ("hip-stream") > 0)
    g_usleep (1000);

  host->context_close (context);
}

GST_END_TEST;

typedef struct
{
  HipNativeContext context;
  HipNativeStream stream;
  guint8 *cells;
} Producer;

static gpointer
produce (gpointer data)
{
  Producer *producer = data;
  guint i;

  for (i = 0; i < 1000; i++)
    fill_bytes (producer->context, producer->stream, &producer->cells[i], 1, 1);
  return NULL;
}

/* Several threads queue into one stream. */
GST_START_TEST (test_many_threads_one_stream)
{
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  guint8 cells[4][1000] = { {0,}, };
  Producer producers[4];
  GThread *threads[4];
  guint i, j;

  for (i = 0; i < 4; i++) {
    producers[i] = (Producer) {
    context, stream, cells[i]};
    threads[i] = g_thread_new ("producer", produce, &producers[i]);
  }
  for (i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  synchronize (context, stream);
  for (i = 0; i < 4; i++) {
    for (j = 0; j < 1000; j++)
      fail_unless_equals_int (cells[i][j], 1);
  }

  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

static Suite *
host_stream_suite (void)
{
  Suite *s = suite_create ("host-stream");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_order_in_a_stream);
  tcase_add_test (tc, test_event_states);
  tcase_add_test (tc, test_wait_between_streams);
  tcase_add_test (tc, test_wait_and_record_again);
  tcase_add_test (tc, test_elapsed);
  tcase_add_test (tc, test_many_streams);
  tcase_add_test (tc, test_threads_end);
  tcase_add_test (tc, test_many_threads_one_stream);

  return s;
}

GST_CHECK_MAIN (host_stream);
