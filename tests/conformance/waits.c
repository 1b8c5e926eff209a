/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does not wait while a stream stands still (I1), and do other streams go
 * on? A kernel runs until a word in pinned memory changes; everything that
 * promises not to wait is done meanwhile. A thread changes that word if nobody
 * else does, so that a call that waits makes the test fail instead of hang. */
#include "memory-common.h"

#define PATIENCE_S 20
#define WIDE (3 * 1024 * 1024 + 17)     /* more than goes at once anywhere */

typedef struct
{
  GstHipStream *stream;
  GstHipKernelModule *module;
  GstMemory *flag;
  volatile gint *opened;
  GThread *watch;
  gint done;                    /* atomic: the test is through */
  gint was_late;                /* atomic */
} Gate;

static const gchar source[] =
    "extern \"C\" __global__ void gate (volatile int *opened)\n"
    "{ while (*opened == 0); }\n"
    "extern \"C\" __global__ void nothing () { }\n";

static gpointer
watch_main (gpointer data)
{
  Gate *gate = data;

  for (guint i = 0; i < PATIENCE_S * 100; i++) {
    if (g_atomic_int_get (&gate->done))
      return NULL;
    g_usleep (10 * 1000);
  }
  g_atomic_int_set (&gate->was_late, TRUE);
  *gate->opened = 1;
  return NULL;
}

static void
gate_close (Gate * gate)
{
  static const guint one[3] = { 1, 1, 1 };
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();
  GError *error = NULL;
  GstMapInfo map;

  memset (gate, 0, sizeof (*gate));
  gate->stream = new_stream ();
  gate->module = gst_hip_kernel_module_new_from_source (device, source, NULL,
      &error);
  assert_no_error (error);
  gate->flag = gst_hip_allocator_alloc_pinned (NULL, device, sizeof (gint),
      &error);
  assert_no_error (error);
  fail_unless (gst_memory_map (gate->flag, &map, GST_MAP_WRITE));
  gate->opened = (volatile gint *) map.data;
  *gate->opened = 0;
  gst_memory_unmap (gate->flag, &map);
  fail_unless (gst_hip_kernel_args_add_memory (args, gate->flag, 0, &error));
  fail_unless (gst_hip_kernel_module_launch (gate->module, "gate",
          gate->stream, one, one, args, &error));
  gst_hip_kernel_args_unref (args);
  gate->watch = g_thread_new ("watch", watch_main, gate);
}

static void
gate_open (Gate * gate)
{
  g_atomic_int_set (&gate->done, TRUE);
  g_thread_join (gate->watch);
  *gate->opened = 1;
  fail_if (gate->was_late, "something waited for a stream that stands still");
  fail_unless (gst_hip_stream_synchronize (gate->stream));
}

static void
gate_clear (Gate * gate)
{
  gst_memory_unref (gate->flag);
  gst_hip_kernel_module_unref (gate->module);
  gst_hip_stream_unref (gate->stream);
}

static GstMemory *
alloc (gboolean pinned, gsize size)
{
  g_autoptr (GError) error = NULL;
  GstMemory *memory = pinned ? gst_hip_allocator_alloc_pinned (NULL, device,
      size, &error) : gst_hip_allocator_alloc_linear (NULL, device, size,
      &error);

  assert_no_error (error);
  return memory;
}

static void
copy_2d (GstHipStream * stream, GstMemory * dst, GstMemory * src, gsize stride,
    gsize row_bytes, gsize rows)
{
  GstHipCopyEnd to = { dst, NULL, 0, stride }, from = { src, NULL, 0, stride };
  GError *error = NULL;

  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (src), stream,
          GST_MAP_READ, &error));
  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (dst), stream,
          GST_MAP_WRITE, &error));
  fail_unless (gst_hip_stream_copy_2d (stream, &to, &from, row_bytes, rows,
          &error), "%s", error ? error->message : "");
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (src), stream,
          GST_MAP_READ, &error));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (dst), stream,
          GST_MAP_WRITE, &error));
}

/* From and to each kind of memory, bytes in a row and rows with gaps */
GST_START_TEST (test_copies)
{
  const gsize stride = 3000, row_bytes = 2999, rows = 700;
  GstMemory *src[2], *flat[4], *gaps[4];
  GstMapInfo map;
  Gate gate;

  for (guint i = 0; i < 2; i++) {
    src[i] = alloc (i, WIDE);
    write_pattern (src[i], i);
  }
  for (guint i = 0; i < 4; i++) {
    flat[i] = alloc (i & 1, WIDE);
    gaps[i] = alloc (i & 1, stride * rows);
    write_pattern (flat[i], 9);
    write_pattern (gaps[i], 9);
    /* On the device before anything stands still */
    copy_2d (gst_hip_memory_get_stream (GST_HIP_MEMORY_CAST (flat[i])),
        flat[i], src[i / 2], WIDE, 1, 1);
    gst_hip_memory_sync (GST_HIP_MEMORY_CAST (flat[i]));
    copy_2d (gst_hip_memory_get_stream (GST_HIP_MEMORY_CAST (gaps[i])),
        gaps[i], flat[i], WIDE, 1, 1);
    gst_hip_memory_sync (GST_HIP_MEMORY_CAST (gaps[i]));
  }
  gate_close (&gate);
  for (guint i = 0; i < 4; i++) {
    copy_2d (gate.stream, flat[i], src[i / 2], WIDE, WIDE, 1);
    copy_2d (gate.stream, gaps[i], src[i / 2], stride, row_bytes, rows);
  }
  gate_open (&gate);
  for (guint i = 0; i < 4; i++) {
    assert_pattern (flat[i], i / 2);
    fail_unless (gst_memory_map (gaps[i], &map, GST_MAP_READ));
    for (gsize at = 1; at < map.size; at++) {
      guint seed = at % stride < row_bytes ? i / 2 : 9;

      if (map.data[at] != pattern (seed, at))
        fail ("from %s to %s: byte %" G_GSIZE_FORMAT,
            i / 2 ? "pinned" : "device", i & 1 ? "pinned" : "device", at);
    }
    gst_memory_unmap (gaps[i], &map);
    gst_memory_unref (flat[i]);
    gst_memory_unref (gaps[i]);
  }
  gst_memory_unref (src[0]);
  gst_memory_unref (src[1]);
  gate_clear (&gate);
}

GST_END_TEST;

/* On another stream, waited for */
static void
work (GstHipStream * stream, guint seed)
{
  const gsize size = 100 * 1000;
  GstMemory *from = alloc (TRUE, size), *there = alloc (FALSE, size);
  GstMemory *to = alloc (TRUE, size);

  write_pattern (from, seed);
  copy_on_stream (stream, there, from);
  copy_on_stream (stream, to, there);
  fail_unless (gst_hip_stream_synchronize (stream));
  assert_pattern (to, seed);
  /* Freed by workers, sooner or later */
  gst_memory_unref (from);
  gst_memory_unref (there);
  gst_memory_unref (to);
}

GST_START_TEST (test_other_streams_go_on)
{
  static const guint one[3] = { 1, 1, 1 };
  g_autoptr (GError) error = NULL;
  GstHipKernelModule *module;
  GstHipStream *stream, *short_lived = new_stream ();
  Gate gate;

  module = gst_hip_kernel_module_new_from_source (device,
      "extern \"C\" __global__ void nothing () { }\n", NULL, &error);
  assert_no_error (error);
  fail_unless (gst_hip_kernel_module_launch (module, "nothing", short_lived,
          one, one, NULL, &error));
  fail_unless (gst_hip_stream_synchronize (short_lived));
  gate_close (&gate);
  stream = new_stream ();
  work (stream, 1);
  gst_hip_kernel_module_unref (module);
  gst_hip_stream_unref (short_lived);
  for (guint i = 0; i < 5; i++) {
    g_usleep (10 * 1000);       /* workers free what went before */
    work (stream, i);
  }
  gate_open (&gate);
  gst_hip_stream_unref (stream);
  gate_clear (&gate);
}

GST_END_TEST;

static Suite *
waits_suite (void)
{
  Suite *suite = suite_create ("waits");
  TCase *tcase = tcase_create ("waits");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_copies);
  tcase_add_test (tcase, test_other_streams_go_on);
  /* Twice: what the first leaves to workers is freed while the second runs. */
  tcase_add_test (tcase, test_other_streams_go_on);
  return suite;
}

CONFORMANCE_MAIN (waits);
