/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do 1000 flushing seeks at random moments lose, double or mix up a frame, hang
 * or crash? Frames know their place: videotestsrc's counts in its picture and
 * in its time stamps.
 */
#include "robust.h"

#define N_SEEKS (SANITIZED ? 100 : 1000)
#define FRAME_NS (GST_SECOND / 30)

typedef struct
{
  GMutex lock;
  GstClockTime next;            /* NONE: any, after a flush */
  guint n_frames;               /* since the last flush */
  guint n_wrong;
} Frames;

static GstPadProbeReturn
look (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Frames *frames = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstMapInfo map;

  g_mutex_lock (&frames->lock);
  if (info->type & GST_PAD_PROBE_TYPE_EVENT_FLUSH) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
      frames->next = GST_CLOCK_TIME_NONE;
      frames->n_frames = 0;
    }
  } else {
    GstClockTime pts = GST_BUFFER_PTS (buffer);

    if (GST_CLOCK_TIME_IS_VALID (frames->next)
        && ABS (GST_CLOCK_DIFF (frames->next, pts)) > 2)
      frames->n_wrong++;
    frames->next = pts + GST_BUFFER_DURATION (buffer);
    /* inverted black, all of it */
    if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
      frames->n_wrong++;
    } else {
      for (gsize i = 0; i < map.size; i++) {
        if (map.data[i] != 255 - 16) {
          frames->n_wrong++;
          break;
        }
      }
      gst_buffer_unmap (buffer, &map);
    }
    frames->n_frames++;
  }
  g_mutex_unlock (&frames->lock);
  return GST_PAD_PROBE_OK;
}

static guint64
stat_of (GstElement * pipeline, const gchar * element, const gchar * name)
{
  GstElement *e = gst_bin_get_by_name (GST_BIN (pipeline), element);
  GstStructure *stats = NULL;
  guint64 value = 0;

  g_object_get (e, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  gst_object_unref (e);
  return value;
}

static void
assert_all_finished (GstElement * pipeline)
{
  static const gchar *const elements[] = { "up", "kernel", "down" };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    wait_for (stat_of (pipeline, elements[i], "finished")
        == stat_of (pipeline, elements[i], "submitted"));
}

static void
seek (GstElement * pipeline, GstClockTime from, GstClockTime to)
{
  fail_unless (gst_element_seek (pipeline, 1.0, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, GST_SEEK_TYPE_SET,
          from, GST_SEEK_TYPE_SET, to));
}

static void
check_seeks (const gchar * source, const gchar * sink)
{
  GstElement *pipeline = new_pipeline (source, sink);
  GstElement *down = gst_bin_get_by_name (GST_BIN (pipeline), "down");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (down, "src");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  const gchar *given = g_getenv ("GST_HIP_TEST_SEED");
  guint32 seed = given ? g_ascii_strtoull (given, NULL, 10) : g_random_int ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Frames frames = {.next = GST_CLOCK_TIME_NONE };
  GstMessage *message;

  g_print ("GST_HIP_TEST_SEED=%u\n", seed);
  gst_object_unref (down);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_FLUSH, look, &frames, NULL);
  to_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < N_SEEKS; i++) {
    seek (pipeline, g_rand_int_range (rand, 0, 1000) * FRAME_NS,
        GST_CLOCK_TIME_NONE);
    if (i % 4)
      g_usleep (g_rand_int_range (rand, 0, 3000));
  }

  /* And now a stretch whose frames can be counted. */
  seek (pipeline, 10 * GST_SECOND, 12 * GST_SECOND);
  run_to_end (pipeline);
  fail_unless_equals_int (frames.n_frames, 60);
  fail_unless (frames.next >= 12 * GST_SECOND - 2
      && frames.next <= 12 * GST_SECOND + 2);
  fail_unless_equals_int (frames.n_wrong, 0);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message == NULL);
  assert_all_finished (pipeline);
  to_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_flush_seeks)
{
  check_seeks ("videotestsrc pattern=black", "fakesink sync=false");
}

GST_END_TEST;

/* With threads between the elements there is more to catch half-way. */
GST_START_TEST (test_flush_seeks_with_queues)
{
  check_seeks ("videotestsrc pattern=black ! queue max-size-buffers=3",
      "queue max-size-buffers=3 ! fakesink sync=true");
}

GST_END_TEST;

static Suite *
seeks_suite (void)
{
  Suite *suite = suite_create ("seeks");
  TCase *tcase = tcase_create ("seeks");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 300);
  tcase_add_test (tcase, test_flush_seeks);
  tcase_add_test (tcase, test_flush_seeks_with_queues);
  return suite;
}

GST_CHECK_MAIN (seeks);
