/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* gst-hip-demo: the main job on a real clip. Decodes a video, brings it to the
 * device, runs kernels over every frame, brings it back, and leaves contact
 * sheets and video files to look at; says what ran where and how fast. At the end
 * a model reads a clock off the frames.
 */
#include "config.h"

#include <locale.h>
#include <string.h>

#include "demo.h"

#define CLIP "tests/data/cars_320x240.h264"
#define KERNELS "examples/kernels"

static const gchar *const all_kernels[] = {
  "edges", "false-colour", "difference", "lut"
};

static gchar *opt_kernel, *opt_out;
static gint opt_frames = 300;
static gchar **opt_files;

static const GOptionEntry options[] = {
  {"kernel", 'k', 0, G_OPTION_ARG_STRING, &opt_kernel,
        "Run only this kernel: edges, false-colour, difference, lut or a file",
      "NAME"},
  {"out", 'o', 0, G_OPTION_ARG_FILENAME, &opt_out,
      "Where pictures and videos go (default: out)", "FOLDER"},
  {"frames", 'n', 0, G_OPTION_ARG_INT, &opt_frames,
      "Stop after so many frames (default: 300; 0: all)", "COUNT"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &opt_files, NULL,
      "[VIDEO]"},
  {NULL}
};

/* When frames came out of the pipeline that is timed */
typedef struct
{
  guint64 frames;
  gint64 first_us, last_us;
  GstHipDevice *device;
} Timing;

typedef struct
{
  const gchar *name;
  gchar *kernel;                /* file */
  DemoFrames *before, *after;
} Job;

static gchar *
source_file (const gchar * name)
{
  const gchar *folder = g_getenv ("GST_HIP_SOURCE_DIR");

  return g_build_filename (folder ? folder : DEMO_SOURCE_DIR, name, NULL);
}

static void
set_string (GstElement * pipeline, const gchar * element, const gchar * name,
    const gchar * value)
{
  g_autoptr (GstElement) e = gst_bin_get_by_name (GST_BIN (pipeline), element);

  g_object_set (e, name, value, NULL);
}

/* Frames beyond the wanted ones end the stream, those that a decoder still
 * brings after that, too. */
static GstPadProbeReturn
limit_frames (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  gint *passed = data;

  if (opt_frames <= 0 || (*passed)++ < opt_frames)
    return GST_PAD_PROBE_OK;
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

static void
set_input (GstElement * pipeline, const gchar * video)
{
  g_autoptr (GstElement) limit =
      gst_bin_get_by_name (GST_BIN (pipeline), "limit");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (limit, "src");

  set_string (pipeline, "video", "location", video);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, limit_frames,
      g_new0 (gint, 1), g_free);
}

static void
handoff (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer frames)
{
  demo_frames_add (frames, buffer, pad);
}

static void
collect (GstElement * pipeline, const gchar * sink, DemoFrames * frames)
{
  g_autoptr (GstElement) e = gst_bin_get_by_name (GST_BIN (pipeline), sink);

  g_object_set (e, "signal-handoffs", TRUE, NULL);
  g_signal_connect (e, "handoff", G_CALLBACK (handoff), frames);
}

/* Everything that is there to look at: both contact sheet rows and the video. */
static gboolean
make_pictures (Job * job, const gchar * video, const gchar * encoder,
    const gchar * filename, GError ** error)
{
  const gchar *to_rgb = "queue ! videoconvert ! videoscale ! "
      "video/x-raw,format=RGB,width=" G_STRINGIFY (DEMO_PICTURE_WIDTH)
      ",pixel-aspect-ratio=1/1 ! fakesink";
  g_autoptr (GstElement) pipeline = NULL;
  g_autofree gchar *text = NULL, *file_branch = NULL;
  gboolean ok;

  if (encoder)
    file_branch = g_strdup_printf ("out. ! queue ! videoconvert ! videoscale ! "
        "video/x-raw,width=[2,16384,2],height=[2,16384,2] ! videoconvert ! %s "
        "! filesink name=file", encoder);
  text = g_strdup_printf ("filesrc name=video ! decodebin ! videoconvert ! "
      "identity name=limit ! tee name=in "
      "in. ! queue ! hipupload ! hipkernel name=kernel ! hipdownload ! "
      "tee name=out in. ! %s name=before out. ! %s name=after %s",
      to_rgb, to_rgb, file_branch ? file_branch : "");
  pipeline = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      error);
  if (!pipeline)
    return FALSE;
  set_input (pipeline, video);
  set_string (pipeline, "kernel", "location", job->kernel);
  if (encoder)
    set_string (pipeline, "file", "location", filename);
  collect (pipeline, "before", job->before);
  collect (pipeline, "after", job->after);
  ok = demo_run (pipeline, error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}

static GstPadProbeReturn
count_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Timing *timing = data;
  GstMemory *memory =
      gst_buffer_peek_memory (GST_PAD_PROBE_INFO_BUFFER (info), 0);

  if (!timing->device && gst_is_hip_memory (memory))
    timing->device = gst_object_ref (GST_HIP_MEMORY_CAST (memory)->device);
  timing->last_us = g_get_monotonic_time ();
  if (!timing->frames++)
    timing->first_us = timing->last_us;
  return GST_PAD_PROBE_OK;
}

static void
watch (GstElement * pipeline, const gchar * element, const gchar * pad,
    Timing * timing)
{
  g_autoptr (GstElement) e = gst_bin_get_by_name (GST_BIN (pipeline), element);
  g_autoptr (GstPad) p = gst_element_get_static_pad (e, pad);

  gst_pad_add_probe (p, GST_PAD_PROBE_TYPE_BUFFER, count_frame, timing, NULL);
}

static gchar *
get_path (GstElement * pipeline, const gchar * element)
{
  g_autoptr (GstElement) e = gst_bin_get_by_name (GST_BIN (pipeline), element);
  gchar *path;

  g_object_get (e, "path", &path, NULL);
  return path;
}

static void
report (GstElement * pipeline, const Job * job, const Timing * device,
    const Timing * out)
{
  g_autoptr (GstElement) kernel =
      gst_bin_get_by_name (GST_BIN (pipeline), "kernel");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (kernel, "src");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autoptr (GstStructure) times = NULL, stats = NULL;
  g_autofree gchar *up = get_path (pipeline, "up");
  g_autofree gchar *down = get_path (pipeline, "down");
  gdouble seconds = (gdouble) (out->last_us - out->first_us) / 1e6, mean = 0;
  GstVideoInfo info;
  guint peak = 0;

  g_object_get (kernel, "times", &times, "stats", &stats, NULL);
  gst_structure_get_double (times, "mean-ns", &mean);
  gst_structure_get_uint (stats, "in-flight-peak", &peak);
  g_print ("%s\n", job->name);
  if (device->device && caps && gst_video_info_from_caps (&info, caps))
    g_print ("  ran on        %s\n  frames        %" G_GUINT64_FORMAT
        " of %dx%d %s\n", gst_hip_device_get_info (device->device)->name,
        out->frames, info.width, info.height,
        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&info)));
  g_print ("  upload        %s\n  download      %s\n", up, down);
  if (seconds > 0 && out->frames > 1)
    g_print ("  speed         %.1f frames/s, decoding included\n",
        (gdouble) (out->frames - 1) / seconds);
  g_print ("  device time   %.1f us a frame, at most %u frames at once\n",
      mean / 1e3, peak);
}

/* The same without encoder and sheets, so that what is timed is our part. */
static gboolean
measure (Job * job, const gchar * video, GError ** error)
{
  g_autoptr (GstElement) pipeline = NULL, kernel = NULL;
  Timing device = { 0, 0, 0, NULL }, out = { 0, 0, 0, NULL };
  gboolean ok;

  pipeline = gst_parse_launch_full ("filesrc name=video ! decodebin ! "
      "videoconvert ! identity name=limit ! hipupload name=up ! hipkernel "
      "name=kernel measure=true ! hipdownload name=down ! fakesink name=sink",
      NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (!pipeline)
    return FALSE;
  set_input (pipeline, video);
  set_string (pipeline, "kernel", "location", job->kernel);
  watch (pipeline, "kernel", "src", &device);
  watch (pipeline, "sink", "sink", &out);
  ok = demo_run (pipeline, error);
  if (ok)
    report (pipeline, job, &device, &out);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_clear_object (&device.device);
  gst_clear_object (&out.device);
  return ok;
}

static gboolean
do_job (Job * job, const gchar * video, const gchar * encoder,
    const gchar * extension, GError ** error)
{
  g_autofree gchar *name = g_strdup_printf ("%s.%s", job->name, extension);
  g_autofree gchar *file = g_build_filename (opt_out, name, NULL);
  g_autofree gchar *sheet_name = g_strdup_printf ("%s.png", job->name);
  g_autofree gchar *sheet = g_build_filename (opt_out, sheet_name, NULL);
  DemoFrames *const rows[2] = { job->before, job->after };

  if (!measure (job, video, error)
      || !make_pictures (job, video, encoder, file, error)
      || !demo_sheet_write (rows, 2, sheet, error))
    return FALSE;
  g_print ("  to look at    %s", sheet);
  if (encoder)
    g_print (", %s", file);
  g_print ("\n");
  return TRUE;
}

static gboolean
run (const gchar * video, GError ** error)
{
  guint n_jobs = opt_kernel ? 1 : G_N_ELEMENTS (all_kernels), i;
  Job jobs[G_N_ELEMENTS (all_kernels)] = { 0 };
  DemoFrames *rows[1 + G_N_ELEMENTS (all_kernels)];
  const gchar *extension = "none", *encoder = demo_encoder_find (&extension);
  g_autofree gchar *colours = g_build_filename (opt_out, "colours.png", NULL);
  g_autofree gchar *scales = g_build_filename (opt_out, "scales.png", NULL);
  g_autofree gchar *clock = g_build_filename (opt_out, "clock.png", NULL);
  g_autofree gchar *overview = g_build_filename (opt_out, "overview.png", NULL);
  gboolean ok = TRUE;

  g_print ("%s, encoder: %s\n", video, encoder ? encoder : "none works here");
  for (i = 0; i < n_jobs; i++) {
    const gchar *name = opt_kernel ? opt_kernel : all_kernels[i];
    g_autofree gchar *own = g_strdup_printf (KERNELS "/%s.hip", name);
    gboolean is_file = g_file_test (name, G_FILE_TEST_IS_REGULAR);
    gchar *dot;

    jobs[i].kernel = is_file ? g_strdup (name) : source_file (own);
    jobs[i].name = dot = g_path_get_basename (name);
    if (is_file && (dot = strrchr (dot, '.')))
      *dot = 0;
    jobs[i].before = demo_frames_new ();
    jobs[i].after = demo_frames_new ();
    ok = ok && do_job (&jobs[i], video, encoder, extension, error);
    rows[1 + i] = jobs[i].after;
  }
  rows[0] = jobs[0].before;
  if (ok && n_jobs > 1) {
    ok = demo_sheet_write (rows, 1 + n_jobs, overview, error);
    if (ok)
      g_print ("all of them: %s\n", overview);
    ok = ok && demo_colours (colours, error) && demo_scales (scales, error);
  }
  ok = ok && demo_clock (video, MAX (opt_frames, 0), error)
      && demo_ocr (video, clock, error);
  for (i = 0; i < n_jobs; i++) {
    demo_frames_free (jobs[i].before);
    demo_frames_free (jobs[i].after);
    g_free (jobs[i].kernel);
    g_free ((gchar *) jobs[i].name);
  }
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context =
      g_option_context_new ("- kernels over a video");
  g_autoptr (GError) error = NULL;
  g_autofree gchar *clip = NULL;
  const gchar *video;
  gboolean ok;

  setlocale (LC_ALL, "");
  gst_init (NULL, NULL);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error)
      || (opt_files && opt_files[0] && opt_files[1])) {
    g_printerr ("gst-hip-demo: %s\n", error ? error->message :
        "one video is wanted");
    return 2;
  }
  if (!opt_out)
    opt_out = g_strdup ("out");
  if (g_mkdir_with_parents (opt_out, 0777) != 0) {
    g_printerr ("gst-hip-demo: %s cannot be made\n", opt_out);
    return 1;
  }
  clip = source_file (CLIP);
  video = opt_files ? opt_files[0] : clip;
  if (!g_file_test (video, G_FILE_TEST_IS_REGULAR)) {
    g_printerr ("gst-hip-demo: there is no file %s\n", video);
    return 1;
  }
  ok = run (video, &error);
  if (!ok)
    g_printerr ("gst-hip-demo: %s\n", error ? error->message : "failed");
  g_free (opt_kernel);
  g_free (opt_out);
  g_strfreev (opt_files);
  return ok ? 0 : 1;
}
