/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do frames of NVIDIA's decoders get through the elements uncopied, right, and
 * at the decoder's rate, however slow their neighbours are?
 *
 * gpu-cuda-frames CLIP.h264. Every frame is compared with what cudadownload
 * gives of the same clip, all visible bytes of it. Ends with 0 if everything was
 * right, 77 if there is no decoder here. Times are printed and judge nothing.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "../../plugins/hip/hip-gstcuda.h"

#define LIMIT_S 60
#define N_DECODERS 8

static const gchar *clip;
static gint n_wrong;

/* --- one run of a pipeline --- */

typedef struct
{
  GPtrArray *digests;           /* of frames, in their order */
  GPtrArray *held;              /* buffers and caps of all frames, looked at in the end; or NULL */
  GstObject *given;             /* the pipeline's GstCudaContext; or NULL */
  guint frames;
  guint64 zero_copy, device_copy, cpu_copy;     /* of the element "up" */
  gdouble seconds;
  gchar *failure;
} Run;

static gchar *
digest_of (GstBuffer * buffer, GstCaps * caps)
{
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA1);
  GstVideoFrame frame;
  GstVideoInfo info;
  gchar *text;

  if (!gst_video_info_from_caps (&info, caps)
      || !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ)) {
    g_checksum_free (sum);
    return g_strdup ("unreadable");
  }
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (&frame); i++) {
    gsize row_bytes = 0;
    guint rows = 0;

    gst_hip_video_info_get_plane_size (&info, i, &row_bytes, &rows);
    for (guint row = 0; row < rows; row++)
      g_checksum_update (sum, (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, i)
          + row * (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i),
          (gssize) row_bytes);
  }
  gst_video_frame_unmap (&frame);
  text = g_strdup (g_checksum_get_string (sum));
  g_checksum_free (sum);
  return text;
}

static void
frame_came (GstElement * sink, GstBuffer * buffer, GstPad * pad, Run * run)
{
  g_autoptr (GstCaps) caps = NULL;

  run->frames++;
  if (run->held) {
    g_ptr_array_add (run->held, gst_buffer_ref (buffer));
    return;
  }
  if (!run->digests)
    return;
  caps = gst_pad_get_current_caps (pad);
  g_ptr_array_add (run->digests, digest_of (buffer, caps));
}

static HipGstCuda cuda;

static void
read_stats (Run * run, GstElement * pipeline)
{
  g_autoptr (GstElement) up = gst_bin_get_by_name (GST_BIN (pipeline), "up");
  GstStructure *stats = NULL;

  if (!up)
    return;
  g_object_get (up, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "zero-copy", &run->zero_copy);
  gst_structure_get_uint64 (stats, "device-copy", &run->device_copy);
  gst_structure_get_uint64 (stats, "cpu-copy", &run->cpu_copy);
  gst_structure_free (stats);
}

static void
look_at_held (Run * run, GstElement * sink)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  for (guint i = 0; i < run->held->len; i++)
    g_ptr_array_add (run->digests,
        digest_of (g_ptr_array_index (run->held, i), caps));
  g_ptr_array_set_size (run->held, 0);
}

static void
play (Run * run, const gchar * text)
{
  g_autoptr (GstElement) pipeline = NULL, sink = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBus) bus = NULL;
  gint64 begin;

  pipeline = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      &error);
  if (!pipeline) {
    run->failure = g_strdup (error->message);
    return;
  }
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (frame_came), run);
  bus = gst_element_get_bus (pipeline);
  if (run->given) {
    g_autoptr (GstContext) context = cuda.context_to_gst (run->given);

    gst_element_set_context (pipeline, context);
  }
  begin = g_get_monotonic_time ();
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, LIMIT_S * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  run->seconds = (gdouble) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  if (!message) {
    run->failure = g_strdup_printf ("no end in %d s", LIMIT_S);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    run->failure = g_strdup (error->message);
  }
  read_stats (run, pipeline);
  if (run->held && !run->failure)
    look_at_held (run, sink);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
run_init (Run * run)
{
  memset (run, 0, sizeof (*run));
  run->digests = g_ptr_array_new_with_free_func (g_free);
}

static void
run_clear (Run * run)
{
  g_clear_pointer (&run->digests, g_ptr_array_unref);
  g_clear_pointer (&run->held, g_ptr_array_unref);
  g_clear_pointer (&run->failure, g_free);
}

/* --- the checks --- */

static void
say (const gchar * what, gboolean good, const gchar * format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  printf ("%-6s %s: %s\n", good ? "ok" : "WRONG", what, text);
  fflush (stdout);
  n_wrong += !good;
}

static guint
count_right (const Run * run, const Run * reference)
{
  guint n = 0;

  for (guint i = 0; i < MIN (run->digests->len, reference->digests->len); i++)
    n += strcmp (g_ptr_array_index (run->digests, i),
        g_ptr_array_index (reference->digests, i)) == 0;
  return n;
}

typedef enum
{
  ZERO_COPY,                    /* each frame */
  DEVICE_COPY,                  /* each frame */
  ON_DEVICE,                    /* each frame one or the other */
  UNCOUNTED,                    /* there is no element "up" */
} Expected;

static void
judge (const gchar * what, Run * run, const Run * reference, Expected expected)
{
  guint right = count_right (run, reference), n = reference->digests->len;
  gboolean paths = run->cpu_copy == 0 && (expected == ZERO_COPY ?
      run->zero_copy == n : expected == UNCOUNTED ? TRUE : expected ==
      DEVICE_COPY ? run->device_copy == n : run->zero_copy + run->device_copy ==
      n);

  say (what, !run->failure && right == n && run->digests->len == n && n > 0
      && paths, "%u of %u frames, %u right; zero-copy %" G_GUINT64_FORMAT
      ", device-copy %" G_GUINT64_FORMAT ", cpu-copy %" G_GUINT64_FORMAT
      "; %.2f s%s%s", run->digests->len, n, right, run->zero_copy,
      run->device_copy, run->cpu_copy, run->seconds, run->failure ? "; " : "",
      run->failure ? run->failure : "");
}

/* parts: before and behind the decoder; hold: all frames until the end */
static void
check (const gchar * what, const gchar * before, const gchar * behind,
    gboolean hold, GstObject * given, const Run * reference, Expected expected)
{
  g_autofree gchar *text = g_strdup_printf ("filesrc location=%s ! h264parse ! "
      "%s nvh264dec ! %s ! fakesink name=sink signal-handoffs=true sync=false",
      clip, before, behind);
  Run run;

  run_init (&run);
  run.given = given;
  if (hold)
    run.held = g_ptr_array_new_with_free_func ((GDestroyNotify)
        gst_buffer_unref);
  play (&run, text);
  judge (what, &run, reference, expected);
  run_clear (&run);
}

/* --- rates --- */

typedef struct
{
  Run run;
  gchar *text;
} Decoder;

static gpointer
decode (gpointer data)
{
  Decoder *decoder = data;

  play (&decoder->run, decoder->text);
  return NULL;
}

/* Frames of all decoders in a second */
static gdouble
rate_of (const gchar * what, guint n, const gchar * behind)
{
  Decoder decoders[N_DECODERS];
  GThread *threads[N_DECODERS];
  gint64 begin = g_get_monotonic_time ();
  gdouble seconds;
  guint frames = 0;
  guint64 copied = 0;
  gboolean good = TRUE;

  for (guint i = 0; i < n; i++) {
    memset (&decoders[i], 0, sizeof (Decoder));
    decoders[i].text = g_strdup_printf ("multifilesrc location=%s loop=true "
        "num-buffers=20 ! h264parse ! nvh264dec ! %s ! fakesink name=sink "
        "signal-handoffs=true sync=false", clip, behind);
    threads[i] = g_thread_new ("decoder", decode, &decoders[i]);
  }
  for (guint i = 0; i < n; i++) {
    g_thread_join (threads[i]);
    good &= !decoders[i].run.failure;
    if (decoders[i].run.failure)
      printf ("       %s\n", decoders[i].run.failure);
    frames += decoders[i].run.frames;
    copied += decoders[i].run.device_copy + decoders[i].run.cpu_copy;
    run_clear (&decoders[i].run);
    g_free (decoders[i].text);
  }
  seconds = (gdouble) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  say (what, good && frames > 0, "%u decoders, %u frames in %.2f s: %.0f a "
      "second; copied %" G_GUINT64_FORMAT, n, frames, seconds,
      frames / seconds, copied);
  return frames / seconds;
}

static void
check_rates (guint n)
{
  gdouble alone = rate_of ("the decoder alone", n, "identity");
  gdouble with = rate_of ("hipupload ! hipconvert", n, "hipupload name=up ! "
      "hipconvert ! video/x-raw(memory:HIPMemory),format=RGBA");

  printf ("       ratio %.3f\n", with / alone);
  with = rate_of ("hipconvertscale alone", n, "hipconvertscale ! "
      "video/x-raw(memory:HIPMemory),format=RGBA,width=640,height=360");
  printf ("       ratio %.3f\n", with / alone);
}

/* --- CUDA memory out --- */

static void
check_out (void)
{
  const gchar *source = "videotestsrc num-buffers=30 pattern=ball ! "
      "video/x-raw,format=NV12,width=642,height=362 ! ";
  const gchar *end = " ! fakesink name=sink signal-handoffs=true sync=false";
  g_autofree gchar *plain = g_strconcat (source, "identity", end, NULL);
  g_autofree gchar *through = g_strconcat (source, "hipupload ! hipdownload "
      "name=up ! video/x-raw(memory:CUDAMemory) ! cudadownload ! "
      "video/x-raw,format=NV12", end, NULL);
  g_autofree gchar *scaled = g_strconcat (source, "hipupload ! hipdownload "
      "name=up ! video/x-raw(memory:CUDAMemory) ! cudaconvert ! "
      "video/x-raw(memory:CUDAMemory),format=RGBA ! hipupload ! hipdownload ! "
      "video/x-raw", end, NULL);
  Run reference, run;

  run_init (&reference);
  run_init (&run);
  play (&reference, plain);
  play (&run, through);
  judge ("hipdownload ! cudadownload", &run, &reference, ZERO_COPY);
  run_clear (&run);
  run_init (&run);
  play (&run, scaled);
  say ("hipdownload ! cudaconvert ! hipupload", !run.failure
      && run.frames == reference.frames
      && run.zero_copy == reference.frames, "%u frames, zero-copy %"
      G_GUINT64_FORMAT "%s%s", run.frames, run.zero_copy,
      run.failure ? "; " : "", run.failure ? run.failure : "");
  run_clear (&run);
  run_clear (&reference);
}

static GstObject *
new_own_context (void)
{
  gpointer library = dlopen ("libgstcuda-1.0.so.0", RTLD_NOW);
  GstObject *(*context_new) (guint device_id);

  if (!library)
    return NULL;
  *(gpointer *) & cuda.load_library = dlsym (library, "gst_cuda_load_library");
  *(gpointer *) & cuda.context_to_gst =
      dlsym (library, "gst_context_new_cuda_context");
  *(gpointer *) & context_new = dlsym (library, "gst_cuda_context_new");
  return cuda.load_library ()? context_new (0) : NULL;
}

int
main (int argc, char **argv)
{
  GstElement *decoder;
  GstObject *own;
  Run reference;

  gst_init (&argc, &argv);
  decoder = gst_element_factory_make ("nvh264dec", NULL);
  if (argc != 2 || !decoder) {
    printf ("a clip and the element nvh264dec are needed\n");
    return 77;
  }
  gst_object_unref (decoder);
  clip = argv[1];
  run_init (&reference);
  {
    g_autofree gchar *text = g_strdup_printf ("filesrc location=%s ! h264parse "
        "! nvh264dec ! video/x-raw(memory:CUDAMemory) ! cudadownload ! "
        "video/x-raw,format=NV12 ! fakesink name=sink signal-handoffs=true "
        "sync=false", clip);

    play (&reference, text);
  }
  say ("reference by cudadownload", !reference.failure
      && reference.digests->len > 0, "%u frames%s%s", reference.digests->len,
      reference.failure ? "; " : "", reference.failure ? reference.failure :
      "");

  check ("as it comes", "", "hipupload name=up ! hipdownload", FALSE, NULL,
      &reference, ZERO_COPY);
  check ("converted to itself", "", "hipupload name=up ! hipconvert ! "
      "video/x-raw(memory:HIPMemory),format=NV12 ! hipdownload", FALSE, NULL,
      &reference, ZERO_COPY);
  check ("without hipupload", "", "hipconvert ! "
      "video/x-raw(memory:HIPMemory),format=NV12 ! hipdownload", FALSE, NULL,
      &reference, UNCOUNTED);
  check ("straight into hipconvertscale", "", "hipconvertscale ! "
      "video/x-raw(memory:HIPMemory),format=NV12 ! hipdownload", FALSE, NULL,
      &reference, UNCOUNTED);
  check ("slow producer", "identity sleep-time=20000 !",
      "hipupload name=up ! hipdownload", FALSE, NULL, &reference, ZERO_COPY);
  check ("slow consumer behind a long queue", "", "hipupload name=up ! queue "
      "max-size-buffers=1000 max-size-bytes=0 max-size-time=0 ! identity "
      "sleep-time=20000 ! hipdownload", FALSE, NULL, &reference, ON_DEVICE);
  check ("all frames kept until the end", "", "hipupload name=up", TRUE, NULL,
      &reference, ON_DEVICE);
  own = new_own_context ();
  if (own)
    check ("another context", "", "hipupload name=up ! hipdownload", FALSE, own,
        &reference, DEVICE_COPY);
  check_out ();
  check_rates (1);
  check_rates (N_DECODERS);
  gst_clear_object (&own);
  run_clear (&reference);
  printf ("%d wrong\n", n_wrong);
  return n_wrong ? 1 : 0;
}
