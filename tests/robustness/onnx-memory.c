/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does inference keep what it should have let go of: over 10,000 frames, 500
 * reloads of a model, 200 changes of caps? Resident memory, descriptors and
 * threads are counted by the kernel.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../elements/onnx-common.h"

/* A frame's results are 48 KiB; 50 bytes a frame are 512 KiB. */
#define FRAME_GROWTH (512 * 1024)
/* A change makes a converter, a pool and a tensor: 10 KiB each are 2 MiB. */
#define CAPS_GROWTH (2 * 1024 * 1024)
/* A session is some 100 KiB. */
#define RELOAD_GROWTH (6 * 1024 * 1024)

static gsize
resident_bytes (void)
{
  g_autofree gchar *text = NULL;
  gchar *second;

  malloc_trim (0);
  fail_unless (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  second = strchr (text, ' ');
  return g_ascii_strtoull (second, NULL, 10) * sysconf (_SC_PAGESIZE);
}

static guint
count_entries (const gchar * folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  return n;
}

static void
run_frames (GstHarness * h, guint size, guint n)
{
  guint pulled = 0;
  GstEvent *event;

  /* The harness keeps them all. */
  while ((event = gst_harness_try_pull_event (h)))
    gst_event_unref (event);
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);

    gst_buffer_memset (buffer, 0, (guint8) i, size);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
    while (gst_harness_buffers_in_queue (h) > 0) {
      gst_buffer_unref (gst_harness_pull (h));
      pulled++;
    }
  }
  while (pulled++ < n)
    gst_buffer_unref (gst_harness_pull (h));
}

static void
check_growth (const gchar * what, gsize before, gsize after, gsize limit)
{
  g_print ("# %s: %" G_GSSIZE_FORMAT " KiB more\n", what,
      (gssize) (after - before) / 1024);
  fail_unless (after < before + limit, "%s: %" G_GSIZE_FORMAT " KiB more",
      what, (after - before) / 1024);
}

GST_START_TEST (test_ten_thousand_frames)
{
  GstHarness *h = harness_for (make_inference ("any-float32-nchw", NULL),
      "RGB", 64, 64);
  gssize growth = FRAME_GROWTH;

  run_frames (h, 64 * 64 * 3, 2000);
  /* Pools and the allocator's arenas grow until they are large enough; what is
   * lost grows in every round. */
  for (guint round = 0; round < 3 && growth >= FRAME_GROWTH; round++) {
    gsize before = resident_bytes ();

    run_frames (h, 64 * 64 * 3, 10000);
    growth = resident_bytes () - before;
    g_print ("# 10,000 frames: %" G_GSSIZE_FORMAT " KiB more\n", growth / 1024);
  }
  fail_unless (growth < FRAME_GROWTH);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_new_caps)
{
  GstHarness *h = harness_for (make_inference ("any-float32-nchw", NULL),
      "RGB", 64, 64);
  gsize before = 0;

  for (guint i = 0; i < 250; i++) {
    if (i == 50)
      before = resident_bytes ();
    gst_harness_set_src_caps_str (h, i & 1 ?
        "video/x-raw,format=RGB,width=64,height=64,framerate=25/1" :
        "video/x-raw,format=RGBA,width=48,height=64,framerate=25/1");
    run_frames (h, 64 * 48 * 4, 2);
  }
  check_growth ("200 new caps", before, resident_bytes (), CAPS_GROWTH);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_reloads)
{
  GstElement *element = make_inference ("two-outputs", NULL);
  guint files = 0, threads = 0;
  gsize before = 0;

  for (guint i = 0; i < 550; i++) {
    if (i == 50) {
      before = resident_bytes ();
      files = count_entries ("/proc/self/fd");
      threads = count_entries ("/proc/self/task");
    }
    fail_unless (gst_element_set_state (element, GST_STATE_PAUSED) !=
        GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (element, GST_STATE_NULL);
  }
  check_growth ("500 reloads", before, resident_bytes (), RELOAD_GROWTH);
  fail_unless (count_entries ("/proc/self/fd") <= files);
  /* Threads of a device that is closed end when they notice. */
  for (guint i = 0; i < 100 && count_entries ("/proc/self/task") > threads; i++)
    g_usleep (20000);
  fail_unless (count_entries ("/proc/self/task") <= threads);
  gst_object_unref (element);
}

GST_END_TEST;

static Suite *
onnx_memory_suite (void)
{
  Suite *suite = suite_create ("onnx-memory");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 200);
  tcase_add_test (tc, test_ten_thousand_frames);
  tcase_add_test (tc, test_new_caps);
  tcase_add_test (tc, test_reloads);
  return suite;
}

GST_CHECK_MAIN (onnx_memory);
