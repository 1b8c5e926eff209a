/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which pipelines are run on simulated drivers? Must not know what is done to
 * the driver. */
#include <gst/video/video.h>

#include "driver-line.h"

void
driver_run_targets (Outcome * outcome, const DriverRunTarget * targets,
    guint n, void (*during) (gpointer data), gpointer data)
{
  Line lines[N_TARGETS];

  outcome->n_targets = n;
  for (guint i = 0; i < n; i++)
    driver_line_init (&lines[i], &outcome->targets[i], &targets[i]);
  for (guint i = 0; i < n; i++)
    driver_line_start (&lines[i]);
  if (during) {
    for (guint i = 0; i < n; i++)
      driver_line_wait (&lines[i], 1);
    during (data);
  }
  for (guint i = 0; i < n; i++)
    driver_line_finish (&lines[i]);
  for (guint i = 0; i < n; i++)
    driver_line_clear (&lines[i]);
}

/* --- each of them --- */

#define SOURCE "videotestsrc name=source num-buffers=%d ! "
#define GRAY "video/x-raw,format=GRAY8,width=%u,height=50,framerate=30/1"
#define KERNEL "hipkernel name=kernel"
#define SINK "fakesink name=sink sync=false"

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

  if (driver_line_frame_of (GST_PAD_PROBE_INFO_BUFFER (probe)) != 2)
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
  driver_line_init (&line, &outcome->targets[0], &target);
  caps = gst_bin_get_by_name (GST_BIN (line.pipeline), "caps");
  driver_line_probe (&line, "source", "src", GST_PAD_PROBE_TYPE_BUFFER,
      change_width, caps);
  driver_line_probe (&line, "sink", "sink", GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      insist_on_pool, NULL);
  driver_line_start (&line);
  driver_line_finish (&line);
  driver_line_clear (&line);
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
  driver_line_init (&line, out, &target);
  driver_line_probe (&line, "sink", "sink", GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      forget, &line);
  driver_line_start (&line);
  for (guint i = 1; i <= N_SEEKS; i++) {
    driver_line_wait (&line, 2);
    if (!driver_line_may_seek (&line))
      break;
    gst_element_seek (line.pipeline, 1.0, GST_FORMAT_TIME,
        GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, GST_SEEK_TYPE_SET,
        i * GST_SECOND, GST_SEEK_TYPE_SET, i * GST_SECOND + GST_SECOND / 5);
  }
  driver_line_finish (&line);
  /* How many came before the last seek is chance. */
  if (out->errors == 0)
    out->frames = line.seen == 6 || out->unmapped ? out->right + out->wrong
        + out->unmapped : G_MAXUINT;
  driver_line_clear (&line);
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
  driver_line_init (&line, &outcome->targets[0], &target);
  driver_line_start (&line);
  driver_line_finish (&line);
  if (line.target->errors == 0 && line.target->unmapped == 0) {
    line.target->eos = FALSE;
    driver_line_start (&line);
    driver_line_finish (&line);
  } else {
    line.target->frames = 4;
  }
  driver_line_clear (&line);
}

#ifdef HAVE_ONNX
/* A model runs beside the frames, with a provider on the device where there is a
 * simulated one; its results go to the CPU, which looks at them. */
static void
run_inference (Outcome * outcome, const gchar * more)
{
  const gchar *provider = g_getenv ("GST_HIP_TEST_PROVIDER");
  g_autofree gchar *text = g_strdup_printf (SOURCE GRAY " ! hipupload ! "
      "hiponnxinference threads=1 async-depth=2 execution-provider=%s %s "
      "model-file=%s/any-uint8-gray.onnx ! hipdownload ! " SINK, 6, 66,
      provider ? provider : "cpu", more, g_getenv ("GST_HIP_TEST_MODELS"));
  DriverRunTarget target = {.description = text,.frames = 6,.tensors = TRUE };

  driver_run_targets (outcome, &target, 1, NULL, NULL);
}

static void
inference (Outcome * outcome)
{
  run_inference (outcome, "");
}

static void
inference_as_graphs (Outcome * outcome)
{
  run_inference (outcome, "provider-options=options,enable_cuda_graph=true");
}
#endif

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
#ifdef HAVE_ONNX
  {"inference", inference},
  {"inference-as-graphs", inference_as_graphs},
#endif
};

const gchar *
driver_run_name (guint i)
{
  return i < G_N_ELEMENTS (pipelines) ? pipelines[i].name : NULL;
}

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
