/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a chain of elements take for a frame? A program of its own, without
 * our library, so that another GStreamer can run it with its own elements:
 *   gst-hip-bench-chain CAPS PREPARE CHAIN SECONDS [read]
 * Frames of CAPS in CPU memory pass PREPARE once ("": they stay where they are)
 * and are then pushed into CHAIN again and again, by one thread. The last one
 * that comes out is mapped before the clock stops, so that the device is
 * drained; what a map of a finished frame takes is subtracted. With "read" every
 * frame is mapped and summed. Prints microseconds a frame, and CPU of the
 * pushing thread and of all threads. Status 3: these elements are not there, or refuse these
 * caps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <gst/gst.h>
#include <gst/video/video.h>

#define N_FRAMES 4
#define N_ROUNDS 5
#define NOT_HERE 3

typedef struct
{
  GstElement *pipeline;
  GPtrArray *frames;            /* what CHAIN gets */
  GstCaps *caps;                /* of those */
  GstPad *src, *sink;
  GstBuffer *last[2];           /* that came out: the latest, and the one before */
  gboolean read_all;
  guint64 sum;
} Chain;

static void
give_up (const gchar * why)
{
  fprintf (stderr, "%s\n", why);
  exit (NOT_HERE);
}

static gint64
cpu_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static gint64
read_buffer (Chain * self, GstBuffer * buffer)
{
  gint64 begin = g_get_monotonic_time ();
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    give_up ("a frame does not map");
  for (gsize i = 0; i + 8 <= map.size; i += self->read_all ? 8 : map.size) {
    guint64 word;

    memcpy (&word, map.data + i, 8);
    self->sum += word;
  }
  gst_buffer_unmap (buffer, &map);
  return g_get_monotonic_time () - begin;
}

/* --- pads --- */

static GstFlowReturn
take_frame (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Chain *self = gst_pad_get_element_private (pad);

  if (self->read_all)
    read_buffer (self, buffer);
  gst_clear_buffer (&self->last[1]);
  self->last[1] = self->last[0];
  self->last[0] = buffer;
  return GST_FLOW_OK;
}

static GstFlowReturn
keep_frame (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Chain *self = gst_pad_get_element_private (pad);

  g_ptr_array_add (self->frames, buffer);
  return GST_FLOW_OK;
}

static GstPad *
make_pad (Chain * self, GstPadDirection direction, GstPadChainFunction chain)
{
  GstPad *pad = gst_object_ref_sink (gst_pad_new (NULL, direction));

  gst_pad_set_element_private (pad, self);
  if (chain)
    gst_pad_set_chain_function (pad, chain);
  gst_pad_set_active (pad, TRUE);
  return pad;
}

/* description between two pads of ours, in the pipeline, so that elements of
 * both chains share a device */
static void
add_chain (Chain * self, const gchar * description, GstPadChainFunction chain)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstPad) sink = NULL;
  g_autoptr (GstPad) src = NULL;
  GstElement *bin = gst_parse_bin_from_description_full (description, TRUE,
      NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (!bin)
    give_up (error->message);
  gst_bin_add (GST_BIN (self->pipeline), bin);
  self->src = make_pad (self, GST_PAD_SRC, NULL);
  self->sink = make_pad (self, GST_PAD_SINK, chain);
  sink = gst_element_get_static_pad (bin, "sink");
  src = gst_element_get_static_pad (bin, "src");
  if (gst_pad_link (self->src, sink) != GST_PAD_LINK_OK ||
      gst_pad_link (src, self->sink) != GST_PAD_LINK_OK)
    give_up ("pads do not link");
  if (gst_element_set_state (self->pipeline,
          GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    give_up ("the chain does not start");
}

static void
send_caps (Chain * self)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->src, gst_event_new_stream_start ("chain"));
  if (!gst_pad_push_event (self->src, gst_event_new_caps (self->caps)))
    give_up ("these caps are refused");
  gst_pad_push_event (self->src, gst_event_new_segment (&segment));
}

/* --- frames --- */

/* From the pool that the chain offers, as a source would */
static GstBufferPool *
get_pool (Chain * self, const GstVideoInfo * info)
{
  g_autoptr (GstQuery) query = gst_query_new_allocation (self->caps, TRUE);
  GstBufferPool *pool = NULL;
  guint size = info->size, min = N_FRAMES, max = 0;
  GstStructure *config;

  if (gst_pad_peer_query (self->src, query)
      && gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  if (!pool)
    pool = gst_video_buffer_pool_new ();
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, self->caps,
      MAX (size, info->size), MAX (min, N_FRAMES), 0);
  if (!gst_buffer_pool_set_config (pool, config)) {
    config = gst_buffer_pool_get_config (pool);
    if (!gst_buffer_pool_set_config (pool, config))
      give_up ("the pool refuses its configuration");
  }
  if (!gst_buffer_pool_set_active (pool, TRUE))
    give_up ("the pool does not start");
  return pool;
}

static GPtrArray *
make_frames (Chain * self)
{
  GPtrArray *frames = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_buffer_unref);
  GstBufferPool *pool;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, self->caps))
    give_up ("this GStreamer does not know these caps");
  pool = get_pool (self, &info);
  for (guint k = 0; k < N_FRAMES; k++) {
    GstBuffer *buffer = NULL;
    GstMapInfo map;

    if (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) != GST_FLOW_OK
        || !gst_buffer_map (buffer, &map, GST_MAP_WRITE))
      give_up ("no frame to write");
    for (gsize i = 0; i < map.size; i++)
      map.data[i] = (guint8) (i * 7 + (i >> 11) + k);
    gst_buffer_unmap (buffer, &map);
    g_ptr_array_add (frames, buffer);
  }
  gst_object_unref (pool);      /* buffers keep it */
  return frames;
}

/* Once through description; the caps are then those that came out */
static void
prepare (Chain * self, const gchar * description)
{
  g_autoptr (GPtrArray) frames = NULL;
  GstCaps *caps;

  add_chain (self, description, keep_frame);
  send_caps (self);
  frames = make_frames (self);
  self->frames = g_ptr_array_new ();
  for (guint i = 0; i < frames->len; i++) {
    GstBuffer *buffer = gst_buffer_ref (g_ptr_array_index (frames, i));

    if (gst_pad_push (self->src, buffer) != GST_FLOW_OK)
      give_up ("a frame cannot be prepared");
  }
  if (self->frames->len != N_FRAMES)
    give_up ("frames were prepared that did not come out");
  caps = gst_pad_get_current_caps (self->sink);
  gst_caps_replace (&self->caps, caps);
  gst_caps_unref (caps);
}

/* --- rounds --- */

static void
push_frames (Chain * self, guint n, gdouble us[3])
{
  gint64 begin = g_get_monotonic_time (), end, finished;
  gint64 cpu = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
  gint64 all = cpu_ns (CLOCK_PROCESS_CPUTIME_ID);

  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer =
        gst_buffer_ref (g_ptr_array_index (self->frames, i % N_FRAMES));

    if (gst_pad_push (self->src, buffer) != GST_FLOW_OK)
      give_up ("a frame is refused");
  }
  cpu = cpu_ns (CLOCK_THREAD_CPUTIME_ID) - cpu;
  if (!self->last[1])
    give_up ("nothing comes out");
  read_buffer (self, self->last[0]);
  end = g_get_monotonic_time ();
  finished = read_buffer (self, self->last[1]);
  us[0] = (gdouble) (end - begin - finished) / n;
  us[1] = cpu / 1000.0 / n;
  us[2] = (cpu_ns (CLOCK_PROCESS_CPUTIME_ID) - all) / 1000.0 / n;
}

static void
measure (Chain * self, gdouble seconds)
{
  gdouble us[3], best[3] = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };
  guint n;

  push_frames (self, 10, us);
  push_frames (self, 20, us);
  n = CLAMP (seconds * 1e6 / N_ROUNDS / MAX (us[0], 1), 4, 20000);
  for (guint i = 0; i < N_ROUNDS; i++) {
    push_frames (self, n, us);
    for (guint k = 0; k < 3; k++)
      best[k] = MIN (best[k], us[k]);
  }
  printf ("%.3f %.3f %.3f\n", best[0], best[1], best[2]);
}

int
main (int argc, char **argv)
{
  Chain self = { NULL, };

  gst_init (&argc, &argv);
  if (argc < 5) {
    fprintf (stderr, "usage: %s CAPS PREPARE CHAIN SECONDS [read]\n", argv[0]);
    return 2;
  }
  self.pipeline = gst_pipeline_new (NULL);
  self.caps = gst_caps_from_string (argv[1]);
  if (argv[2][0])
    prepare (&self, argv[2]);
  add_chain (&self, argv[3], take_frame);
  send_caps (&self);
  if (!self.frames)
    self.frames = make_frames (&self);
  self.read_all = argc > 5 && strcmp (argv[5], "read") == 0;
  measure (&self, g_ascii_strtod (argv[4], NULL));
  fflush (stdout);
  /* What elements leave behind is not what is measured here */
  _exit (0);
}
