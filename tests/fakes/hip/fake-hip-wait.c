/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Streams that wait for the CPU, as HIP has it: for a value in memory, or for a
 * function. A thread for each stands for the device and for the runtime. */
#include "fake-hip.h"

typedef struct
{
  FakeContext *context;
  HipNativeEvent end;           /* the stream waits for this, which the thread ends */
  HostRecord *record;

  gint *word;
  guint value, mask;

  HipNativeEvent begin;         /* or the stream has come to the function */
  AmdHostFunction function;
  gpointer data;
} Wait;

static gboolean
is_lost (Wait * wait)
{
  return g_atomic_int_get (&wait->context->lost) != 0;
}

static gpointer
wait_main (gpointer data)
{
  Wait *wait = data;
  HipNativeContext host = wait->context->host;

  if (wait->word) {
    while (!is_lost (wait)
        && ((guint) g_atomic_int_get (wait->word) & wait->mask) < wait->value)
      g_usleep (100);
  } else {
    if (host_event_synchronize (host, wait->begin, NULL))
      wait->function (wait->data);
    host_event_free (host, wait->begin);
  }
  host_record_end (wait->record, GST_HIP_EVENT_STATE_DONE);
  host_record_unref (wait->record);
  host_event_free (host, wait->end);
  g_free (wait);
  return NULL;
}

static AmdResult
queue (FakeStream * stream, Wait * wait, const gchar * call)
{
  g_autoptr (GError) error = NULL;
  HipNativeContext host = stream->context->host;

  fake_stream_begin (stream, call);
  wait->context = stream->context;
  wait->end = host_event_new (host, FALSE, &error);
  if (!wait->end)
    return AMD_LAUNCH_FAILURE;
  wait->record = host_event_begin_record (wait->end);
  if (wait->function) {
    wait->begin = host_event_new (host, FALSE, &error);
    host_stream_record (host, wait->begin, stream->host, &error);
  }
  host_stream_wait_event (host, stream->host, wait->end, &error);
  g_thread_unref (g_thread_new ("fake-wait", wait_main, wait));
  return AMD_OK;
}

AmdResult
hipStreamWaitValue32 (AmdHipStream stream, void *address, unsigned int value,
    unsigned int flags, unsigned int mask)
{
  AmdResult result;
  Wait *wait;

  FAKE_CALL ();
  fake_rule (fake_number ("WAIT_VALUE", 1) == 1,
      "only devices that say so wait for values", G_STRFUNC);
  fake_rule (flags == AMD_WAIT_VALUE_GREATER_EQUAL
      && (guintptr) address % 4 == 0, "a value is waited for in a word",
      G_STRFUNC);
  fake_memory_check (STREAM (stream), (guintptr) address, 4, G_STRFUNC);
  wait = g_new0 (Wait, 1);
  wait->word = address;
  wait->value = value;
  wait->mask = mask;
  result = queue (STREAM (stream), wait, G_STRFUNC);
  fake_memory_use (STREAM (stream), (guintptr) address);
  return result;
}

AmdResult
hipLaunchHostFunc (AmdHipStream stream, AmdHostFunction function, void *data)
{
  Wait *wait;

  FAKE_CALL ();
  wait = g_new0 (Wait, 1);
  wait->function = function;
  wait->data = data;
  return queue (STREAM (stream), wait, G_STRFUNC);
}
