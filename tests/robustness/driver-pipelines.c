/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which pipelines are run on simulated drivers, and what is seen of them? Must
 * not know what is done to the driver.
 *
 * Every frame knows its place: its bytes are computed from its time stamp, by
 * the source that fills it and by the sink that looks at it.
 */
#include <string.h>

#include <gst/hip/gsthip.h>
#include <gst/video/video.h>

#include "driver-run.h"

#define FRAMES_PER_SECOND 30

typedef struct
{
  Target *target;
  GstElement *pipeline;
  gboolean inverted;
  gboolean source_ended, failed_to_start;
  gboolean sought;
  GMutex lock;
  GCond cond;
  guint seen;                   /* since the last flush */
} Line;

/* --- frames --- */

static guint8
byte_of (guint frame, guint plane, guint x, guint y)
{
  return (guint8) (frame * 37 + plane * 11 + x * 3 + y * 5);
}

static guint
frame_of (GstBuffer * buffer)
{
  return (guint) gst_util_uint64_scale_round (GST_BUFFER_PTS (buffer),
      FRAMES_PER_SECOND, GST_SECOND);
}

static gboolean
plane_size (const GstVideoFrame * frame, guint plane, guint * row_bytes,
    guint * rows)
{
  gsize bytes;
  GstVideoInfo info = frame->info;

  if (!gst_hip_video_info_get_plane_size (&info, plane, &bytes, rows))
    return FALSE;
  *row_bytes = (guint) bytes;
  return TRUE;
}

/* Fills the frame, or tells whether it is what it would be filled with */
static gboolean
go_over (GstVideoFrame * frame, guint number, gboolean fill, guint8 mask)
{
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES (frame); p++) {
    guint row_bytes, rows;

    if (!plane_size (frame, p, &row_bytes, &rows))
      return FALSE;
    for (guint y = 0; y < rows; y++) {
      guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, p)
          + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);

      for (guint x = 0; x < row_bytes; x++) {
        if (fill)
          row[x] = byte_of (number, p, x, y);
        else if (row[x] != (byte_of (number, p, x, y) ^ mask))
          return FALSE;
      }
    }
  }
  return TRUE;
}

static GstPadProbeReturn
fill (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo info;

  if (gst_video_info_from_caps (&info, caps)
      && gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE)) {
    go_over (&frame, frame_of (buffer), TRUE, 0);
    gst_video_frame_unmap (&frame);
  }
  return GST_PAD_PROBE_OK;
}

static void
look (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  Line *line = data;
  Target *target = line->target;
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    g_autoptr (GError) error = gst_hip_take_error ();

    /* Another thread may post an error meanwhile. */
    g_mutex_lock (&line->lock);
    if (target->unmapped++ == 0 && target->errors == 0)
      g_strlcpy (target->text, error ? error->message : "",
          sizeof (target->text));
    g_mutex_unlock (&line->lock);
  } else {
    gboolean right = go_over (&frame, frame_of (buffer), FALSE,
        line->inverted ? 0xff : 0);

    gst_video_frame_unmap (&frame);
    /* Nothing comes after one that did not. */
    if (right && target->unmapped == 0)
      target->right++;
    else
      target->wrong++;
  }
  g_mutex_lock (&line->lock);
  line->seen++;
  g_cond_broadcast (&line->cond);
  g_mutex_unlock (&line->lock);
}

/* --- messages --- */

static gboolean
is_ours (GstObject * object)
{
  return g_str_has_prefix (G_OBJECT_TYPE_NAME (object), "GstHip");
}

static void
note_error (Line * line, GstMessage * message)
{
  Target *target = line->target;
  g_autoptr (GError) error = NULL;

  if (!is_ours (GST_MESSAGE_SRC (message))) {
    target->other_errors++;
    line->source_ended = TRUE;
    return;
  }
  gst_message_parse_error (message, &error, NULL);
  if (target->errors++ == 0) {
    g_strlcpy (target->domain, g_quark_to_string (error->domain),
        sizeof (target->domain));
    target->code = error->code;
    g_snprintf (target->text, sizeof (target->text), "%s: %s",
        GST_MESSAGE_SRC_NAME (message), error->message);
  } else {
    g_snprintf (target->more, sizeof (target->more), "%s: %s",
        GST_MESSAGE_SRC_NAME (message), error->message);
  }
}

static GstBusSyncReply
note_message (GstBus * bus, GstMessage * message, gpointer data)
{
  Line *line = data;

  g_mutex_lock (&line->lock);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    note_error (line, message);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    line->target->eos = TRUE;
  g_cond_broadcast (&line->cond);
  g_mutex_unlock (&line->lock);
  gst_message_unref (message);
  return GST_BUS_DROP;
}

/* An error while a seek takes the pipeline from PLAYING through PAUSED leaves it
 * there, as GStreamer's bins have it: neither the end nor the source's error
 * comes then. */
static gboolean
has_ended (Line * line)
{
  return line->target->eos || line->source_ended || line->failed_to_start
      || (line->sought && line->target->errors > 0);
}

/* FALSE where an element of ours has failed before */
static gboolean
may_seek (Line * line)
{
  gboolean may;

  g_mutex_lock (&line->lock);
  may = line->target->errors == 0;
  line->sought |= may;
  g_mutex_unlock (&line->lock);
  return may;
}

/* Only a hang waits longer, and that ends the process. */
static void
wait_until_seen (Line * line, guint frames)
{
  g_mutex_lock (&line->lock);
  while (line->seen < frames && !has_ended (line))
    g_cond_wait (&line->cond, &line->lock);
  g_mutex_unlock (&line->lock);
}

/* --- one pipeline --- */

static void
on_pad (Line * line, const gchar * element, const gchar * pad,
    GstPadProbeType type, GstPadProbeCallback callback, gpointer data)
{
  g_autoptr (GstElement) found =
      gst_bin_get_by_name (GST_BIN (line->pipeline), element);
  g_autoptr (GstPad) at = found ? gst_element_get_static_pad (found, pad) :
      NULL;

  if (at)
    gst_pad_add_probe (at, type, callback, data, NULL);
}

static void
line_init (Line * line, Target * target, const DriverRunTarget * what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstElement) sink = NULL;

  memset (line, 0, sizeof (*line));
  line->target = target;
  line->inverted = what->inverted;
  target->frames = what->frames;
  g_mutex_init (&line->lock);
  g_cond_init (&line->cond);
  line->pipeline = gst_parse_launch (what->description, &error);
  g_assert_no_error (error);
  sink = gst_bin_get_by_name (GST_BIN (line->pipeline), "sink");
  g_object_set (sink, "signal-handoffs", TRUE, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (look), line);
  on_pad (line, "source", "src", GST_PAD_PROBE_TYPE_BUFFER, fill, NULL);
  bus = gst_element_get_bus (line->pipeline);
  gst_bus_set_sync_handler (bus, note_message, line, NULL);
}

static void
line_start (Line * line)
{
  gboolean failed = gst_element_set_state (line->pipeline,
      GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE;

  g_mutex_lock (&line->lock);
  line->failed_to_start = failed;
  g_mutex_unlock (&line->lock);
}

static void
line_finish (Line * line)
{
  wait_until_seen (line, G_MAXUINT);
  if (gst_element_set_state (line->pipeline, GST_STATE_NULL)
      != GST_STATE_CHANGE_SUCCESS)
    g_error ("NULL was not reached");
}

static void
line_clear (Line * line)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (line->pipeline);

  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  gst_object_unref (line->pipeline);
  g_mutex_clear (&line->lock);
  g_cond_clear (&line->cond);
}

void
driver_run_targets (Outcome * outcome, const DriverRunTarget * targets,
    guint n, void (*during) (gpointer data), gpointer data)
{
  Line lines[N_TARGETS];

  outcome->n_targets = n;
  for (guint i = 0; i < n; i++)
    line_init (&lines[i], &outcome->targets[i], &targets[i]);
  for (guint i = 0; i < n; i++)
    line_start (&lines[i]);
  if (during) {
    for (guint i = 0; i < n; i++)
      wait_until_seen (&lines[i], 1);
    during (data);
  }
  for (guint i = 0; i < n; i++)
    line_finish (&lines[i]);
  for (guint i = 0; i < n; i++)
    line_clear (&lines[i]);
}

/* --- the six --- */

#define SOURCE "videotestsrc name=source num-buffers=%d ! "
#define GRAY "video/x-raw,format=GRAY8,width=%u,height=50,framerate=30/1"
#define KERNEL_SOURCE                                                         \
    "// gst-hip: formats GRAY8\n// gst-hip: same-size\n"                      \
    "extern \\\"C\\\" __global__ void invert (GstHipFrame in, "               \
    "GstHipFrame out, GstHipFrameInfo info) { "                               \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; "                         \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; "                         \
    "if (x < out.width && y < out.height) "                                   \
    "out.data[0][(long long) y * out.stride[0] + x] = "                       \
    "255 - in.data[0][(long long) y * in.stride[0] + x]; }"
#define KERNEL "hipkernel name=kernel source=\"" KERNEL_SOURCE "\""
#define SINK "fakesink name=sink sync=false"

const gchar *
driver_run_kernel (void)
{
  return KERNEL;
}

/* Frames of a stranger's memory, which the CPU copies to pinned memory */
static void
upload_kernel_download (Outcome * outcome)
{
  g_autofree gchar *text = g_strdup_printf (SOURCE GRAY
      " ! identity drop-allocation=true ! hipupload ! " KERNEL
      " ! hipdownload ! " SINK, 6, 66);
  DriverRunTarget target = { text, 6, TRUE };

  driver_run_targets (outcome, &target, 1, NULL, NULL);
}

/* A source writes to our pool, as cameras do; the application maps device memory. */
static void
camera_pool (Outcome * outcome)
{
  g_autofree gchar *text = g_strdup_printf (SOURCE
      "video/x-raw,format=NV12,width=322,height=240,framerate=30/1 ! "
      "hipupload ! queue ! capsfilter caps=\"video/x-raw(memory:HIPMemory)\" "
      "! " SINK, 6);
  DriverRunTarget target = { text, 6, FALSE };

  driver_run_targets (outcome, &target, 1, NULL, NULL);
}

static void
two_pipelines (Outcome * outcome)
{
  g_autofree gchar *text = g_strdup_printf (SOURCE GRAY " ! hipupload ! "
      KERNEL " ! hipdownload ! " SINK, 5, 64);
  DriverRunTarget targets[] = { {text, 5, TRUE}, {text, 5, TRUE} };

  driver_run_targets (outcome, targets, 2, NULL, NULL);
}

static GstPadProbeReturn
change_width (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  g_autoptr (GstCaps) caps = NULL;

  if (frame_of (GST_PAD_PROBE_INFO_BUFFER (probe)) != 2)
    return GST_PAD_PROBE_OK;
  caps = gst_caps_from_string
      ("video/x-raw,format=GRAY8,width=130,height=50,framerate=30/1");
  g_object_set (data, "caps", caps, NULL);
  return GST_PAD_PROBE_REMOVE;
}

/* As a sink that takes no other memory than its own */
static GstPadProbeReturn
insist_on_pool (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (probe);
  g_autoptr (GstBufferPool) pool = NULL;
  GstStructure *config;
  GstVideoInfo info;
  GstCaps *caps;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_parse_allocation (query, &caps, NULL);
  if (!caps || !gst_video_info_from_caps (&info, caps))
    return GST_PAD_PROBE_OK;
  pool = gst_video_buffer_pool_new ();
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, (guint) info.size, 2, 0);
  gst_buffer_pool_set_config (pool, config);
  gst_query_add_allocation_pool (query, pool, (guint) info.size, 2, 0);
  return GST_PAD_PROBE_HANDLED;
}

/* Other sizes mid-stream, behind it a sink that insists on its own pool */
static void
renegotiation (Outcome * outcome)
{
  g_autofree gchar *text = g_strdup_printf (SOURCE
      "capsfilter name=caps caps=\"" GRAY "\" ! hipupload ! " KERNEL
      " ! hipdownload ! " SINK, 6, 66);
  DriverRunTarget target = { text, 6, TRUE };
  g_autoptr (GstElement) caps = NULL;
  Line line;

  outcome->n_targets = 1;
  line_init (&line, &outcome->targets[0], &target);
  caps = gst_bin_get_by_name (GST_BIN (line.pipeline), "caps");
  on_pad (&line, "source", "src", GST_PAD_PROBE_TYPE_BUFFER, change_width,
      caps);
  on_pad (&line, "sink", "sink", GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      insist_on_pool, NULL);
  line_start (&line);
  line_finish (&line);
  line_clear (&line);
}

static GstPadProbeReturn
forget (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  Line *line = data;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (probe)) == GST_EVENT_FLUSH_STOP) {
    g_mutex_lock (&line->lock);
    line->seen = 0;
    line->target->eos = FALSE;  /* of before */
    g_mutex_unlock (&line->lock);
  }
  return GST_PAD_PROBE_OK;
}

#define N_SEEKS 3
/* Frames of an endless source come until it is sought away, and then some. */
static void
flush_and_seek (Outcome * outcome)
{
  g_autofree gchar *text = g_strdup_printf (SOURCE GRAY " ! hipupload ! queue "
      "max-size-buffers=3 ! " KERNEL " ! hipdownload ! " SINK, -1, 66);
  DriverRunTarget target = { text, 0, TRUE };
  Target *out = &outcome->targets[0];
  Line line;

  outcome->n_targets = 1;
  line_init (&line, out, &target);
  on_pad (&line, "sink", "sink", GST_PAD_PROBE_TYPE_EVENT_FLUSH, forget, &line);
  line_start (&line);
  for (guint i = 1; i <= N_SEEKS; i++) {
    wait_until_seen (&line, 2);
    if (!may_seek (&line))
      break;
    gst_element_seek (line.pipeline, 1.0, GST_FORMAT_TIME,
        GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, GST_SEEK_TYPE_SET,
        i * GST_SECOND, GST_SEEK_TYPE_SET, i * GST_SECOND + GST_SECOND / 5);
  }
  line_finish (&line);
  /* How many came before the last seek is chance. */
  if (out->errors == 0)
    out->frames = line.seen == 6 || out->unmapped ? out->right + out->wrong
        + out->unmapped : G_MAXUINT;
  line_clear (&line);
}

/* Started again, with what is kept from frame to frame and measured */
static void
stop_and_restart (Outcome * outcome)
{
  g_autofree gchar *text = g_strdup_printf (SOURCE GRAY " ! hipupload ! "
      KERNEL " measure=true ! hipdownload ! " SINK, 4, 66);
  DriverRunTarget target = { text, 8, TRUE };
  Line line;

  outcome->n_targets = 1;
  line_init (&line, &outcome->targets[0], &target);
  line_start (&line);
  line_finish (&line);
  if (line.target->errors == 0 && line.target->unmapped == 0) {
    line.target->eos = FALSE;
    line_start (&line);
    line_finish (&line);
  } else {
    line.target->frames = 4;
  }
  line_clear (&line);
}

static const struct
{
  const gchar *name;
  void (*run) (Outcome * outcome);
} pipelines[] = {
  {"upload-kernel-download", upload_kernel_download},
  {"camera-pool", camera_pool},
  {"two-pipelines-one-device", two_pipelines},
  {"renegotiation", renegotiation},
  {"flush-and-seek", flush_and_seek},
  {"stop-and-restart", stop_and_restart},
};

const gchar *const driver_run_names[] = { "upload-kernel-download",
  "camera-pool", "two-pipelines-one-device", "renegotiation", "flush-and-seek",
  "stop-and-restart", NULL
};

void
driver_run_pipeline (Outcome * outcome, gconstpointer name)
{
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    if (g_str_equal (pipelines[i].name, name)) {
      pipelines[i].run (outcome);
      return;
    }
  }
  g_error ("there is no pipeline %s", (const gchar *) name);
}
