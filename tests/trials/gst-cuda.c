/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Can memory of GStreamer's CUDA elements be used where GstHip works, without a
 * copy? Two ways, by the driver and GstCuda's public functions alone:
 *
 * 1. The device's primary context is wrapped as a GstCudaContext and given to
 *    whoever needs one. Memory that comes then should be of that context, and
 *    be read in it.
 * 2. The pipeline has a GstCudaContext of its own. One copy on the device
 *    brings its memory to the primary context, ordered by an event.
 *
 * The luma of each frame is compared with that of the same pipeline on the CPU,
 * that of decoded ones with what a decoder gave that is known to be exact.
 * Ends with 0 if what could be tried was right, 77 if nothing could. Nothing of
 * GstHip is in here; GstCuda's headers need CUDA's, so its functions are
 * declared here from their documentation. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/video/video.h>

#define CONTEXT_TYPE "gst.cuda.context"
#define MAP_CUDA ((GstMapFlags) (GST_MAP_FLAG_LAST << 1))
#define POINTER_CONTEXT 1       /* CU_POINTER_ATTRIBUTE_CONTEXT */
#define WIDTH 320
#define HEIGHT 240
#define MAX_FRAMES 64

typedef guint Result;
typedef guint64 DevicePtr;

static struct
{
  Result (*cuInit) (guint flags);
  Result (*cuDevicePrimaryCtxRetain) (gpointer * context, gint device);
  Result (*cuCtxPushCurrent_v2) (gpointer context);
  Result (*cuCtxPopCurrent_v2) (gpointer * context);
  Result (*cuPointerGetAttribute) (gpointer value, guint which, DevicePtr at);
  Result (*cuMemAlloc_v2) (DevicePtr * address, gsize bytes);
  Result (*cuMemFree_v2) (DevicePtr address);
  Result (*cuMemcpyDtoH_v2) (gpointer to, DevicePtr from, gsize bytes);
  Result (*cuMemcpyDtoHAsync_v2) (gpointer to, DevicePtr from, gsize bytes,
      gpointer stream);
  Result (*cuMemcpyPeerAsync) (DevicePtr to, gpointer to_context,
      DevicePtr from, gpointer from_context, gsize bytes, gpointer stream);
  Result (*cuStreamCreate) (gpointer * stream, guint flags);
  Result (*cuStreamSynchronize) (gpointer stream);
  Result (*cuStreamWaitEvent) (gpointer stream, gpointer event, guint flags);
  Result (*cuEventCreate) (gpointer * event, guint flags);
  Result (*cuEventRecord) (gpointer event, gpointer stream);
} cu;

static struct
{
  gboolean (*gst_cuda_load_library) (void);
  GstObject *(*gst_cuda_context_new) (guint device_id);
  GstObject *(*gst_cuda_context_new_wrapped) (gpointer handle, gint device);
    gpointer (*gst_cuda_context_get_handle) (GstObject * context);
  GstContext *(*gst_context_new_cuda_context) (GstObject * context);
    gboolean (*gst_is_cuda_memory) (GstMemory * memory);
    gpointer (*gst_cuda_memory_get_stream) (GstMemory * memory);
    gpointer (*gst_cuda_stream_get_handle) (gpointer stream);
} gc;

static void
find (gpointer library, const gchar * name, gpointer * function)
{
  *function = dlsym (library, name);
  if (!*function) {
    printf ("%s is missing\n", name);
    exit (1);
  }
}

#define FIND(table, library, name) find (library, #name, (gpointer *) & table.name)
#define CHECK(call) do {                                                \
    Result result = call;                                               \
    if (result) {                                                       \
      printf ("%s gives %u\n", #call, result);                          \
      exit (1);                                                         \
    }                                                                   \
  } while (0)

static gpointer
open_library (const gchar * name)
{
  gpointer library = dlopen (name, RTLD_NOW | RTLD_GLOBAL);

  if (!library)
    printf ("%s\n", dlerror ());
  return library;
}

static gboolean
load (void)
{
  gpointer driver = open_library ("libcuda.so.1");
  gpointer cuda = open_library ("libgstcuda-1.0.so.0");

  if (!driver || !cuda)
    return FALSE;
  FIND (cu, driver, cuInit);
  FIND (cu, driver, cuDevicePrimaryCtxRetain);
  FIND (cu, driver, cuCtxPushCurrent_v2);
  FIND (cu, driver, cuCtxPopCurrent_v2);
  FIND (cu, driver, cuPointerGetAttribute);
  FIND (cu, driver, cuMemAlloc_v2);
  FIND (cu, driver, cuMemFree_v2);
  FIND (cu, driver, cuMemcpyDtoH_v2);
  FIND (cu, driver, cuMemcpyDtoHAsync_v2);
  FIND (cu, driver, cuMemcpyPeerAsync);
  FIND (cu, driver, cuStreamCreate);
  FIND (cu, driver, cuStreamSynchronize);
  FIND (cu, driver, cuStreamWaitEvent);
  FIND (cu, driver, cuEventCreate);
  FIND (cu, driver, cuEventRecord);
  FIND (gc, cuda, gst_cuda_load_library);
  FIND (gc, cuda, gst_cuda_context_new);
  FIND (gc, cuda, gst_cuda_context_new_wrapped);
  FIND (gc, cuda, gst_cuda_context_get_handle);
  FIND (gc, cuda, gst_context_new_cuda_context);
  FIND (gc, cuda, gst_is_cuda_memory);
  FIND (gc, cuda, gst_cuda_memory_get_stream);
  FIND (gc, cuda, gst_cuda_stream_get_handle);
  return cu.cuInit (0) == 0 && gc.gst_cuda_load_library ();
}

/* --- one run of a pipeline --- */

typedef struct
{
  GstObject *given;             /* for whoever needs a context; NULL: none */
  gpointer primary, stream;     /* where the frames are wanted, and a stream of that */
  DevicePtr room;               /* in primary; 0: frames are read where they are */
  gchar *luma[MAX_FRAMES];      /* digests */
  guint n_frames, n_cuda, n_in_primary, n_in_none, n_asked;
  gint64 copy_us;
} Run;

static void
push (gpointer context)
{
  CHECK (cu.cuCtxPushCurrent_v2 (context));
}

static void
pop (void)
{
  gpointer popped;

  CHECK (cu.cuCtxPopCurrent_v2 (&popped));
}

/* The stream waits, on the device, for the frame's own stream. */
static void
order (Run * run, GstMemory * memory)
{
  gpointer theirs = gc.gst_cuda_memory_get_stream (memory);
  gpointer event;

  push (gc.gst_cuda_context_get_handle (run->given));
  CHECK (cu.cuEventCreate (&event, 2));
  CHECK (cu.cuEventRecord (event,
          theirs ? gc.gst_cuda_stream_get_handle (theirs) : NULL));
  pop ();
  push (run->primary);
  CHECK (cu.cuStreamWaitEvent (run->stream, event, 0));
  pop ();
}

static void
read_cuda (Run * run, GstMemory * memory, const GstVideoMeta * meta,
    guint8 * luma)
{
  gsize bytes = (gsize) meta->stride[0] * HEIGHT;
  g_autofree guint8 *rows = g_malloc (bytes);
  gpointer owner = NULL;
  GstMapInfo map;
  DevicePtr from;

  run->n_cuda++;
  if (!gst_memory_map (memory, &map, GST_MAP_READ | MAP_CUDA)) {
    printf ("a frame does not map for CUDA\n");
    exit (1);
  }
  from = (DevicePtr) (guintptr) map.data;
  /* Memory of the driver's pools is in no context. */
  if (cu.cuPointerGetAttribute (&owner, POINTER_CONTEXT, from) != 0 || !owner)
    run->n_in_none++;
  else if (owner == run->primary)
    run->n_in_primary++;
  from += meta->offset[0];
  order (run, memory);
  push (run->primary);
  if (run->room) {
    gint64 begin = g_get_monotonic_time ();

    CHECK (cu.cuMemcpyPeerAsync (run->room, run->primary, from,
            gc.gst_cuda_context_get_handle (run->given), bytes, run->stream));
    run->copy_us += g_get_monotonic_time () - begin;
    from = run->room;
  }
  CHECK (cu.cuMemcpyDtoHAsync_v2 (rows, from, bytes, run->stream));
  CHECK (cu.cuStreamSynchronize (run->stream));
  pop ();
  gst_memory_unmap (memory, &map);
  for (guint y = 0; y < HEIGHT; y++)
    memcpy (luma + y * WIDTH, rows + y * meta->stride[0], WIDTH);
}

static void
read_cpu (GstBuffer * buffer, GstCaps * caps, guint8 * luma)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  gst_video_info_from_caps (&info, caps);
  if (!gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    exit (1);
  for (guint y = 0; y < HEIGHT; y++)
    memcpy (luma + y * WIDTH, (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), WIDTH);
  gst_video_frame_unmap (&frame);
}

static void
frame_came (GstElement * sink, GstBuffer * buffer, GstPad * pad, Run * run)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autofree guint8 *luma = g_malloc0 (WIDTH * HEIGHT);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (run->n_frames == MAX_FRAMES)
    return;
  if (run->given && gc.gst_is_cuda_memory (memory) && meta)
    read_cuda (run, memory, meta, luma);
  else
    read_cpu (buffer, caps, luma);
  run->luma[run->n_frames++] =
      g_compute_checksum_for_data (G_CHECKSUM_SHA1, luma, WIDTH * HEIGHT);
}

static GstBusSyncReply
answer (GstBus * bus, GstMessage * message, gpointer data)
{
  Run *run = data;
  const gchar *type;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_NEED_CONTEXT || !run->given
      || !gst_message_parse_context_type (message, &type)
      || strcmp (type, CONTEXT_TYPE) != 0)
    return GST_BUS_PASS;
  run->n_asked++;
  gst_element_set_context (GST_ELEMENT (GST_MESSAGE_SRC (message)),
      gc.gst_context_new_cuda_context (run->given));
  return GST_BUS_PASS;
}

/* FALSE: it cannot be had here; the reason was printed */
static gboolean
play (Run * run, const gchar * text)
{
  g_autofree gchar *full =
      g_strdup_printf ("%s ! fakesink name=sink signal-handoffs=true "
      "sync=false", text);
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBus) bus = NULL;
  gboolean ok;

  pipeline = gst_parse_launch_full (full, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      &error);
  if (!pipeline) {
    printf ("%s: %s\n", text, error->message);
    return FALSE;
  }
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (frame_came), run);
  bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, answer, run, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ok = message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (message && !ok)
    gst_message_parse_error (message, &error, NULL);
  if (!ok)
    printf ("%s: %s\n", text, error ? error->message : "no end in 30 s");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}

/* --- the trial --- */

static guint
count_right (const Run * run, const Run * reference)
{
  guint n = 0;

  for (guint i = 0; i < MIN (run->n_frames, reference->n_frames); i++)
    n += strcmp (run->luma[i], reference->luma[i]) == 0;
  return n;
}

/* Digests in a file, one a line */
static gboolean
read_reference (Run * reference, const gchar * path)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error)) {
    printf ("%s\n", error->message);
    return FALSE;
  }
  lines = g_strsplit (g_strstrip (text), "\n", MAX_FRAMES);
  while (lines[reference->n_frames]) {
    reference->luma[reference->n_frames] =
        g_strdup (lines[reference->n_frames]);
    reference->n_frames++;
  }
  return TRUE;
}

/* expected: a pipeline on the CPU, or a file of digests */
static gboolean
try_way (guint way, GstObject * given, gpointer primary, gpointer stream,
    const gchar * expected, const gchar * on_gpu, gint * n_tried)
{
  Run reference = { NULL, }, run = { given, primary, stream, };
  gboolean right;
  guint n_right;

  if (g_str_has_suffix (expected, ".sha1") ?
      !read_reference (&reference, expected) : !play (&reference, expected))
    return TRUE;
  if (way == 2) {
    push (primary);
    CHECK (cu.cuMemAlloc_v2 (&run.room, 4096 * HEIGHT));
    pop ();
  }
  if (!play (&run, on_gpu))
    return TRUE;
  ++*n_tried;
  n_right = count_right (&run, &reference);
  right = n_right == reference.n_frames && run.n_frames == reference.n_frames
      && run.n_cuda == run.n_frames && run.n_frames > 0;
  printf ("way %u, %s: asked for a context %u times; %u of %u frames in CUDA "
      "memory, %u in the primary context, %u in none; %u right", way, on_gpu,
      run.n_asked, run.n_cuda, run.n_frames, run.n_in_primary, run.n_in_none,
      n_right);
  if (way == 2 && run.n_cuda)
    printf ("; queueing the copy took %.1f us",
        (gdouble) run.copy_us / run.n_cuda);
  printf (": %s\n", right ? "good" : "BAD");
  return right;
}

int
main (int argc, char **argv)
{
  const gchar *folder = g_getenv ("GST_HIP_TEST_DATA");
  const gchar *data = folder ? folder : "tests/data";
  g_autofree gchar *decode = NULL;
  g_autofree gchar *decode_gpu = NULL;
  const gchar *up = "videotestsrc num-buffers=20 ! "
      "video/x-raw,format=NV12,width=320,height=240";
  g_autofree gchar *up_gpu = g_strconcat (up, " ! cudaupload ! "
      "video/x-raw(memory:CUDAMemory)", NULL);
  gpointer primary, stream;
  GstObject *contexts[2];
  gboolean right = TRUE;
  gint n_tried = 0;

  gst_init (&argc, &argv);
  if (!load ())
    return 77;
  decode = g_strdup_printf ("%s/cars_320x240.luma.sha1", data);
  decode_gpu = g_strdup_printf ("filesrc location=%s/cars_320x240.h264 ! "
      "h264parse ! nvh264dec ! video/x-raw(memory:CUDAMemory)", data);
  CHECK (cu.cuDevicePrimaryCtxRetain (&primary, 0));
  push (primary);
  CHECK (cu.cuStreamCreate (&stream, 1));
  pop ();
  contexts[0] = gc.gst_cuda_context_new_wrapped (primary, 0);
  contexts[1] = gc.gst_cuda_context_new (0);
  if (!contexts[0] || !contexts[1]) {
    printf ("no GstCudaContext\n");
    return 1;
  }
  printf ("wrapped context is the primary one: %s; GstCuda's own is it: %s\n",
      gc.gst_cuda_context_get_handle (contexts[0]) == primary ? "yes" : "NO",
      gc.gst_cuda_context_get_handle (contexts[1]) == primary ? "yes" : "no");
  for (guint i = 0; i < 2; i++) {
    right &= try_way (i + 1, contexts[i], primary, stream, up, up_gpu,
        &n_tried);
    right &= try_way (i + 1, contexts[i], primary, stream, decode, decode_gpu,
        &n_tried);
  }
  printf ("%d tried\n", n_tried);
  return !right ? 1 : n_tried ? 0 : 77;
}
