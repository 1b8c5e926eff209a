/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is the simulated HIP driver what the other tests take it for? Each version
 * has its functions, what breaks a rule ends the process with the rule's name,
 * faults come when they are asked for, devices fail alone, streams change
 * places. By the API itself, with no backend between.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gst/check/gstcheck.h>

#include "backends/amd/amd-symbols.h"
#include "fake-control.h"

#define BYTES 64

/* --- libraries --- */

static gpointer
library (const gchar * variable)
{
  const gchar *path = g_getenv (variable);
  gpointer handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);

  fail_unless (handle != NULL, "%s: %s", path, dlerror ());
  return handle;
}

static gpointer
function (const gchar * name)
{
  static gpointer handle;
  gpointer address;

  if (!handle)
    handle = library ("FAKE_HIP_6");
  address = dlsym (handle, name);
  fail_unless (address != NULL, "%s", name);
  return address;
}

#define HIP(name) ((__typeof__ (((AmdHip *) 0)->name)) function (#name))
#define OK(name, ...) \
  fail_unless_equals_int (HIP (name) (__VA_ARGS__), AMD_OK)

static const FakeControl *
control (void)
{
  return function ("fake_control");
}

static void
set (const gchar * variable, const gchar * value)
{
  g_setenv (variable, value, TRUE);
}

static void
check_properties (gpointer handle, gboolean old_form)
{
  union
  {
    AmdProperties old;
    AmdPropertiesR0600 new;
    guint8 bytes[4096];
  } properties = {.bytes = {0} };
  AmdResult (*ask) (gpointer, AmdDevice) = dlsym (handle,
      old_form ? "hipGetDeviceProperties" : "hipGetDevicePropertiesR0600");

  fail_unless (ask != NULL);
  fail_unless_equals_int (ask (&properties, 1), AMD_OK);
  fail_unless_equals_string (properties.old.name, "Simulated GPU 1");
  fail_unless_equals_string (old_form ? properties.old.arch :
      properties.new.arch, "gfx1100");
  fail_unless ((old_form ? properties.old.memory_bytes :
          properties.new.memory_bytes) == (gsize) 8 << 30);
  fail_unless_equals_int (ask (&properties, 2), AMD_INVALID_DEVICE);
}

/* Version, its struct of properties, and where its compiler is */
static void
check_version (guint major, gpointer handle, gpointer compiler)
{
#define required TRUE
#define optional FALSE
#define THERE(need, name, params) \
  fail_unless (!need || dlsym (handle, #name) != NULL, #name);
#define COMPILER_THERE(need, name, params) \
  fail_unless (!need || dlsym (compiler, #name) != NULL, #name);
  AMD_HIP_SYMBOLS (THERE)
      AMD_HIPRTC_SYMBOLS (COMPILER_THERE)
      AmdResult (*version) (int *) = dlsym (handle, "hipRuntimeGetVersion");
  int number = 0;
#undef required
#undef optional

  fail_unless_equals_int (version (&number), AMD_OK);
  fail_unless_equals_int (number / 10000000, major);
  fail_unless_equals_int (dlsym (handle, "hiprtcVersion") != NULL, major == 5);
  fail_unless_equals_int (dlsym (handle, "hipGetDeviceProperties") != NULL,
      major <= 6);
  fail_unless_equals_int (dlsym (handle, "hipGetDevicePropertiesR0600") != NULL,
      major >= 6);
  if (major <= 6)
    check_properties (handle, TRUE);
  if (major >= 6)
    check_properties (handle, FALSE);
}

GST_START_TEST (test_versions)
{
  gpointer five = library ("FAKE_HIP_5");

  set ("FAKE_HIP_DEVICES", "2");
  set ("FAKE_HIP_ARCH", "gfx1100");
  check_version (5, five, five);
  check_version (6, library ("FAKE_HIP_6"), library ("FAKE_HIPRTC_6"));
  check_version (7, library ("FAKE_HIP_7"), library ("FAKE_HIPRTC_7"));
}

GST_END_TEST;

/* --- small helpers for work --- */

static AmdHipStream
new_stream (void)
{
  AmdHipStream stream;

  OK (hipStreamCreateWithPriority, &stream, AMD_FLAG_STREAM_NON_BLOCKING, 0);
  return stream;
}

static AmdHipEvent
new_event (void)
{
  AmdHipEvent event;

  OK (hipEventCreateWithFlags, &event,
      AMD_FLAG_EVENT_BLOCKING | AMD_FLAG_EVENT_NO_TIMING);
  return event;
}

static gpointer
new_memory (void)
{
  gpointer address;

  OK (hipMalloc, &address, BYTES);
  return address;
}

static guint8
first_byte (gpointer address)
{
  guint8 byte = 0;

  OK (hipMemcpyDtoH, &byte, address, 1);
  return byte;
}

/* Later work of this process takes long. */
static void
be_slow (void)
{
  set ("FAKE_HIP_DELAY_US", "5000000");
}

/* --- rules: each of these breaks one --- */

static void
break_current (void)
{
  set ("FAKE_HIP_DEVICES", "0");
  new_memory ();
}

static void
break_context_of_stream (void)
{
  AmdHipStream stream;

  OK (hipSetDevice, 0);
  stream = new_stream ();
  OK (hipSetDevice, 1);
  HIP (hipStreamQuery) (stream);
}

static void
break_context_of_memory (void)
{
  gpointer memory;

  OK (hipSetDevice, 0);
  memory = new_memory ();
  OK (hipSetDevice, 1);
  HIP (hipMemsetAsync) (memory, 1, BYTES, new_stream ());
}

static void
break_context_of_free (void)
{
  gpointer memory;

  OK (hipSetDevice, 0);
  memory = new_memory ();
  OK (hipSetDevice, 1);
  HIP (hipFree) (memory);
}

static void
break_context_of_event (void)
{
  AmdHipEvent event;

  OK (hipSetDevice, 0);
  event = new_event ();
  OK (hipSetDevice, 1);
  HIP (hipEventRecord) (event, new_stream ());
}

static void
break_event_destroy (void)
{
  AmdHipEvent event;

  OK (hipSetDevice, 0);
  event = new_event ();
  OK (hipSetDevice, 1);
  HIP (hipEventDestroy) (event);
}

static void
break_free_in_use (void)
{
  gpointer memory;

  OK (hipSetDevice, 0);
  memory = new_memory ();
  be_slow ();
  OK (hipMemsetAsync, memory, 1, BYTES, new_stream ());
  HIP (hipFree) (memory);
}

static void
break_unregister_in_use (void)
{
  static guint8 bytes[BYTES];

  OK (hipSetDevice, 0);
  OK (hipHostRegister, bytes, BYTES, AMD_FLAG_REGISTER_PORTABLE);
  be_slow ();
  OK (hipMemcpyAsync, bytes, new_memory (), BYTES, AMD_COPY_DEFAULT,
      new_stream ());
  HIP (hipHostUnregister) (bytes);
}

static void
break_stream_busy (void)
{
  AmdHipStream stream;

  OK (hipSetDevice, 0);
  stream = new_stream ();
  be_slow ();
  OK (hipMemsetAsync, new_memory (), 1, BYTES, stream);
  HIP (hipStreamDestroy) (stream);
}

static void
break_free_kind (void)
{
  gpointer pinned;

  OK (hipSetDevice, 0);
  OK (hipHostMalloc, &pinned, BYTES, AMD_FLAG_HOST_PORTABLE);
  HIP (hipFree) (pinned);
}

static void
break_free_twice (void)
{
  gpointer memory;

  OK (hipSetDevice, 0);
  memory = new_memory ();
  OK (hipFree, memory);
  HIP (hipFree) (memory);
}

static void
break_beyond_memory (void)
{
  OK (hipSetDevice, 0);
  HIP (hipMemsetAsync) (new_memory (), 1, BYTES + 1, new_stream ());
}

static void
break_destroyed (void)
{
  AmdHipEvent event;

  OK (hipSetDevice, 0);
  event = new_event ();
  OK (hipEventDestroy, event);
  HIP (hipEventQuery) (event);
}

static void
break_kind_of_handle (void)
{
  OK (hipSetDevice, 0);
  HIP (hipEventQuery) ((AmdHipEvent) new_stream ());
}

static void
break_default_stream (void)
{
  AmdHipStream stream;

  OK (hipSetDevice, 0);
  HIP (hipStreamCreateWithPriority) (&stream, 0, 0);
}

static void
break_busy_wait (void)
{
  AmdHipEvent event;

  OK (hipSetDevice, 0);
  HIP (hipEventCreateWithFlags) (&event, AMD_FLAG_EVENT_NO_TIMING);
}

static void
break_portable (void)
{
  gpointer pinned;

  OK (hipSetDevice, 0);
  HIP (hipHostMalloc) (&pinned, BYTES, 0);
}

static void
break_direction (void)
{
  OK (hipSetDevice, 0);
  HIP (hipMemcpyAsync) (new_memory (), new_memory (), BYTES, 1, new_stream ());
}

static const struct
{
  void (*break_it) (void);
  const gchar *rule;
} rules[] = {
  {break_current, "a context is current"},
  {break_context_of_stream, "a stream is used in its context"},
  {break_context_of_memory, "device memory is used in its context"},
  {break_context_of_free, "memory is freed in its context"},
  {break_context_of_event, "event and stream are of one context"},
  {break_event_destroy, "an event is destroyed in its context"},
  {break_free_in_use, "nothing is freed while in use"},
  {break_unregister_in_use, "nothing is freed while in use"},
  {break_stream_busy, "a stream is idle when destroyed"},
  {break_free_kind, "what is freed was allocated so"},
  {break_free_twice, "what is freed was allocated so"},
  {break_beyond_memory, "work stays inside its memory"},
  {break_destroyed, "handles are of the right kind and not destroyed"},
  {break_kind_of_handle, "handles are of the right kind and not destroyed"},
  {break_default_stream, "streams do not wait for the default stream"},
  {break_busy_wait, "events are waited for asleep"},
  {break_portable, "pinned memory is portable"},
  {break_direction, "a copy's addresses say what it is"},
};

/* In a process of its own, whose last words are read */
GST_START_TEST (test_rules)
{
  gchar said[512] = "";
  int pipes[2], status = 0;
  pid_t child;

  set ("FAKE_HIP_DEVICES", "2");
  fail_unless_equals_int (pipe (pipes), 0);
  child = fork ();
  if (child == 0) {
    dup2 (pipes[1], STDERR_FILENO);
    close (pipes[0]);
    rules[__i__].break_it ();
    _exit (0);
  }
  close (pipes[1]);
  fail_unless (read (pipes[0], said, sizeof (said) - 1) >= 0);
  close (pipes[0]);
  fail_unless_equals_int (waitpid (child, &status, 0), child);
  fail_unless (WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT,
      "no rule was broken: %s", said);
  fail_unless (strstr (said, rules[__i__].rule) != NULL, "%s", said);
}

GST_END_TEST;

/* --- faults --- */

GST_START_TEST (test_nth_call_fails)
{
  gpointer address;

  set ("FAKE_HIP_FAIL", "hipMalloc:2:2");
  OK (hipSetDevice, 0);
  OK (hipMalloc, &address, BYTES);
  fail_unless_equals_int (HIP (hipMalloc) (&address, BYTES), AMD_OUT_OF_MEMORY);
  OK (hipMalloc, &address, BYTES);
}

GST_END_TEST;

GST_START_TEST (test_no_device)
{
  int count = -1;

  set ("FAKE_HIP_DEVICES", "0");
  fail_unless_equals_int (HIP (hipInit) (0), AMD_NO_DEVICE);
  fail_unless_equals_int (HIP (hipGetDeviceCount) (&count), AMD_NO_DEVICE);
  fail_unless_equals_int (count, 0);
}

GST_END_TEST;

/* A thread begins with the first; a broken one can be chosen and does nothing. */
GST_START_TEST (test_current_device)
{
  gpointer memory;
  AmdDevice device = -1;

  set ("FAKE_HIP_DEVICES", "3");
  set ("FAKE_HIP_BROKEN", "2");
  OK (hipGetDevice, &device);
  fail_unless_equals_int (device, 0);
  new_memory ();
  OK (hipSetDevice, 2);
  OK (hipGetDevice, &device);
  fail_unless_equals_int (device, 2);
  fail_unless_equals_int (HIP (hipMalloc) (&memory, BYTES), AMD_NO_DEVICE);
  fail_unless_equals_int (HIP (hipSetDevice) (3), AMD_INVALID_DEVICE);
  OK (hipSetDevice, 1);
  new_memory ();
}

GST_END_TEST;

GST_START_TEST (test_no_memory)
{
  gpointer large, small;

  set ("FAKE_HIP_MEMORY_MB", "2");
  OK (hipSetDevice, 0);
  OK (hipMalloc, &large, 2 << 20);
  fail_unless_equals_int (HIP (hipMalloc) (&small, 1), AMD_OUT_OF_MEMORY);
  OK (hipFree, large);
  OK (hipMalloc, &small, 1);
}

GST_END_TEST;

/* What failed stays so, also for who waits; other devices work. */
GST_START_TEST (test_lost_device)
{
  AmdHipStream stream;
  AmdHipEvent event;
  gpointer memory;

  set ("FAKE_HIP_DEVICES", "2");
  OK (hipSetDevice, 0);
  stream = new_stream ();
  event = new_event ();
  memory = new_memory ();
  be_slow ();
  OK (hipMemsetAsync, memory, 1, BYTES, stream);
  OK (hipEventRecord, event, stream);
  fail_unless_equals_int (HIP (hipEventQuery) (event), AMD_NOT_READY);
  control ()->lose (0);
  fail_unless_equals_int (HIP (hipEventSynchronize) (event),
      AMD_LAUNCH_FAILURE);
  fail_unless_equals_int (HIP (hipStreamQuery) (stream), AMD_LAUNCH_FAILURE);
  fail_unless_equals_int (HIP (hipMalloc) (&memory, BYTES), AMD_LAUNCH_FAILURE);
  OK (hipSetDevice, 0);
  fail_unless_equals_int (HIP (hipMalloc) (&memory, BYTES), AMD_LAUNCH_FAILURE);

  set ("FAKE_HIP_DELAY_US", "0");
  OK (hipSetDevice, 1);
  stream = new_stream ();
  memory = new_memory ();
  OK (hipMemsetAsync, memory, 7, BYTES, stream);
  OK (hipStreamSynchronize, stream);
  fail_unless_equals_int (first_byte (memory), 7);
}

GST_END_TEST;

/* Two streams that know nothing of each other write the same byte: now one is
 * the last, now the other. */
GST_START_TEST (test_streams_change_places)
{
  AmdHipStream one, two;
  gpointer memory;
  guint last[3] = { 0 };

  set ("FAKE_HIP_REORDER", "1");
  OK (hipSetDevice, 0);
  one = new_stream ();
  two = new_stream ();
  memory = new_memory ();
  for (guint i = 0; i < 100 && (!last[1] || !last[2]); i++) {
    OK (hipMemsetAsync, memory, 1, BYTES, one);
    OK (hipMemsetAsync, memory, 2, BYTES, two);
    OK (hipStreamSynchronize, one);
    OK (hipStreamSynchronize, two);
    last[first_byte (memory)]++;
  }
  fail_unless (last[1] > 0 && last[2] > 0, "%u and %u", last[1], last[2]);
}

GST_END_TEST;

/* ... and those that do keep their order. */
GST_START_TEST (test_streams_that_wait_do_not)
{
  AmdHipStream one, two;
  AmdHipEvent event;
  gpointer memory;

  set ("FAKE_HIP_REORDER", "1");
  OK (hipSetDevice, 0);
  one = new_stream ();
  two = new_stream ();
  event = new_event ();
  memory = new_memory ();
  for (guint i = 0; i < 100; i++) {
    OK (hipMemsetAsync, memory, 1, BYTES, one);
    OK (hipEventRecord, event, one);
    OK (hipStreamWaitEvent, two, event, 0);
    OK (hipMemsetAsync, memory, 2, BYTES, two);
    OK (hipStreamSynchronize, two);
    fail_unless_equals_int (first_byte (memory), 2);
  }
}

GST_END_TEST;

GST_START_TEST (test_what_lives_is_counted)
{
  /* The last one stays: who failed to give it up cannot do so again. */
  static AmdHipEvent event;
  g_autofree gchar *what = NULL;

  OK (hipSetDevice, 0);
  fail_unless_equals_int (control ()->live (NULL), 0);
  new_stream ();
  new_memory ();
  event = new_event ();
  fail_unless_equals_int (control ()->live (&what), 3);
  fail_unless_equals_string (what, "1 streams, 1 events, 1 memories");
  OK (hipEventDestroy, event);
  fail_unless_equals_int (control ()->live (NULL), 2);
  fail_unless_equals_int (control ()->failed (), 0);
  event = new_event ();
  set ("FAKE_HIP_FAIL", "hipEventDestroy:1:1");
  fail_unless_equals_int (HIP (hipEventDestroy) (event), AMD_INVALID_VALUE);
  fail_unless_equals_int (control ()->failed (), 1);
  /* It was given back, if in vain. */
  fail_unless_equals_int (control ()->live (NULL), 2);
}

GST_END_TEST;

GST_START_TEST (test_log)
{
  g_autofree gchar *folder = g_dir_make_tmp ("fake-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "log", NULL);
  g_autofree gchar *log = NULL;

  set ("FAKE_HIP_LOG", path);
  OK (hipSetDevice, 0);
  new_memory ();
  fail_unless (g_file_get_contents (path, &log, NULL, NULL));
  fail_unless_equals_string (log, "load\nhipSetDevice\nhipMalloc\n");
  unlink (path);
  rmdir (folder);
}

GST_END_TEST;

static Suite *
simulated_hip_suite (void)
{
  Suite *s = suite_create ("simulated-hip");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_versions);
  tcase_add_loop_test (tc, test_rules, 0, G_N_ELEMENTS (rules));
  tcase_add_test (tc, test_nth_call_fails);
  tcase_add_test (tc, test_no_device);
  tcase_add_test (tc, test_current_device);
  tcase_add_test (tc, test_no_memory);
  tcase_add_test (tc, test_lost_device);
  tcase_add_test (tc, test_streams_change_places);
  tcase_add_test (tc, test_streams_that_wait_do_not);
  tcase_add_test (tc, test_what_lives_is_counted);
  tcase_add_test (tc, test_log);
  return s;
}

GST_CHECK_MAIN (simulated_hip);
