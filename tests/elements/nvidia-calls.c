/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which driver calls does a frame cost the streaming thread? To the call, in
 * order, for each element, on the simulated driver, whose log says which thread
 * made it. The device stands still meanwhile, so that everything is pending and
 * every wait that is needed is there. What is not in a list below is a fault:
 * each call costs a GPU's streaming thread 0.1 to 4 us.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "io-frames.h"
#include "io-gate.h"

#define ENTERED(calls) "cuCtxPushCurrent_v2 " calls "cuCtxPopCurrent_v2 "

#define KERNEL "hipkernel source=\"extern \\\"C\\\" __global__ void " \
    "copy (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "if (x < out.width) out.data[0][x] = in.data[0][x]; }\""

static gchar *
log_path (void)
{
  return g_build_filename (g_get_tmp_dir (), "nvidia-calls.log", NULL);
}

/* What this thread called since the log was begun, and begins it anew */
static gchar *
calls_of_this_thread (void)
{
  g_autofree gchar *path = log_path ();
  g_autofree gchar *text = NULL;
  g_autofree gchar *mine = g_strdup_printf ("%d ", (gint) syscall (SYS_gettid));
  g_auto (GStrv) lines = NULL;
  GString *calls = g_string_new (NULL);

  fail_unless (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    if (g_str_has_prefix (lines[i], mine))
      g_string_append_printf (calls, "%s ", lines[i] + strlen (mine));
  }
  fail_unless (g_file_set_contents (path, "", 0, NULL));
  return g_string_free (calls, FALSE);
}

static void
set_up (void)
{
  g_autofree gchar *path = log_path ();

  g_setenv ("FAKE_CUDA_LOG_THREADS", "1", TRUE);
  g_setenv ("FAKE_CUDA_LOG", path, TRUE);
}

static void
tear_down (void)
{
  g_autofree gchar *path = log_path ();

  g_unsetenv ("FAKE_CUDA_LOG");
  unlink (path);
}

static GstBuffer *
pinned_buffer (Gate * gate, const Picture * picture)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMemory *memory = gst_hip_allocator_alloc_pinned (NULL, gate->device,
      GST_VIDEO_INFO_SIZE (&picture->info), NULL);

  fail_unless (memory != NULL);
  gst_buffer_append_memory (buffer, memory);
  return buffer;
}

/* A frame whose event is still pending cannot lend it to the next: here all are. */
static void
fill_event_cache (Gate * gate)
{
  GstHipStream *stream = gst_hip_stream_new_full (gate->device, 0, NULL);
  GstHipEvent *events[40];

  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    fail_unless (gst_hip_stream_record_event (stream, &events[i]));
  for (guint i = 0; i < G_N_ELEMENTS (events); i++) {
    fail_unless (gst_hip_event_wait (events[i], NULL));
    gst_hip_event_unref (events[i]);
  }
  gst_hip_stream_unref (stream);
}

/* The sixth frame and those after cost the same; what they cost */
static void
check_frames (const gchar * chain, GstVideoFormat format, guint width,
    guint height, const gchar * expected)
{
  GstBuffer *frames[8];
  Picture picture;
  GstHarness *h;
  Gate *gate;

  set_up ();
  picture_init (&picture, format, width, height, 1);
  h = harness_new (chain, &picture.info);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  /* After the kernel was loaded, which waits for the device */
  gate = gate_new ();
  fill_event_cache (gate);
  /* The first one waits for the gate, and all others behind it. */
  frames[0] = gst_buffer_new ();
  {
    g_autoptr (GstBuffer) plain = picture_to_buffer (&picture, LAYOUT_CAPS);

    gst_buffer_append_memory (frames[0], gate_new_memory (gate, plain));
  }
  for (guint i = 1; i < G_N_ELEMENTS (frames); i++)
    frames[i] = pinned_buffer (gate, &picture);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autofree gchar *before = calls_of_this_thread ();
    g_autofree gchar *calls = NULL;

    fail_unless_equals_int (gst_harness_push (h, frames[i]), GST_FLOW_OK);
    calls = calls_of_this_thread ();
    /* Until then pools grow. */
    if (i >= 5)
      fail_unless (strcmp (calls, expected) == 0, "frame %u of %s: %s, not %s",
          i, chain, calls, expected);
    gst_buffer_unref (gst_harness_pull (h));
  }
  gate_open (gate);
  gst_harness_teardown (h);
  picture_clear (&picture);
  gate_free (gate);
  tear_down ();
}

#define UPLOAD "hipupload vendor=%s"
#define RECORD ENTERED ("cuEventRecord ")
#define WAIT ENTERED ("cuStreamWaitEvent ")

/* Planes that lie behind each other on both sides go at once. */
GST_START_TEST (test_upload)
{
  check_frames (UPLOAD, GST_VIDEO_FORMAT_NV12, 1920, 1080,
      ENTERED ("cuMemcpyHtoDAsync_v2 ") RECORD);
  check_frames (UPLOAD, GST_VIDEO_FORMAT_RGBA, 64, 48,
      ENTERED ("cuMemcpyHtoDAsync_v2 ") RECORD);
  check_frames (UPLOAD, GST_VIDEO_FORMAT_NV12, 320, 240,
      ENTERED ("cuMemcpy2DAsync_v2 ") RECORD);
  check_frames (UPLOAD, GST_VIDEO_FORMAT_I420, 320, 240,
      ENTERED ("cuMemcpy2DAsync_v2 ") ENTERED ("cuMemcpy2DAsync_v2 ") RECORD);
}

GST_END_TEST;

/* Each element waits for the one before it, whose frame it reads, and for the
 * one behind it, which read what its output's memory held before. */
GST_START_TEST (test_chain)
{
  check_frames (UPLOAD " ! hipdownload", GST_VIDEO_FORMAT_NV12, 1920, 1080,
      WAIT ENTERED ("cuMemcpyHtoDAsync_v2 ") RECORD
      WAIT ENTERED ("cuMemcpyDtoHAsync_v2 ") RECORD);
  check_frames (UPLOAD " ! " KERNEL " ! hipdownload", GST_VIDEO_FORMAT_GRAY8,
      1920, 1080, WAIT ENTERED ("cuMemcpyHtoDAsync_v2 ") RECORD
      ENTERED ("cuStreamWaitEvent cuStreamWaitEvent cuLaunchKernel "
          "cuEventRecord ")
      WAIT ENTERED ("cuMemcpyDtoHAsync_v2 ") RECORD);
}

GST_END_TEST;

/* The threads that called the driver since the log was begun, but this one */
static guint
count_others (void)
{
  g_autofree gchar *path = log_path ();
  g_autofree gchar *text = NULL;
  g_autoptr (GHashTable) others =
      g_hash_table_new (g_direct_hash, g_direct_equal);
  g_auto (GStrv) lines = NULL;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] && *lines[i]; i++)
    g_hash_table_add (others, GINT_TO_POINTER (atoi (lines[i])));
  g_hash_table_remove (others, GINT_TO_POINTER ((gint) syscall (SYS_gettid)));
  return g_hash_table_size (others);
}

/* Kernels and downloads keep nothing that a worker would have to release: the
 * upload's input, in pinned memory, is all that one waits for. */
GST_START_TEST (test_only_the_upload_has_a_worker)
{
  Picture picture;
  GstHarness *h;
  Gate *gate;

  set_up ();
  picture_init (&picture, GST_VIDEO_FORMAT_GRAY8, 64, 48, 1);
  h = harness_new (UPLOAD " ! " KERNEL " ! hipdownload", &picture.info);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gate = gate_new ();
  g_free (calls_of_this_thread ());
  for (guint i = 0; i < 4; i++) {
    GstBuffer *frame = gst_buffer_new ();
    g_autoptr (GstBuffer) plain = picture_to_buffer (&picture, LAYOUT_CAPS);

    gst_buffer_append_memory (frame, gate_new_memory (gate, plain));
    fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
  }
  /* It waits soon, ... */
  while (count_others () < 1)
    g_usleep (1000);
  /* ... and nobody else does, however long they are given. */
  for (guint i = 0; i < 100; i++) {
    g_usleep (1000);
    fail_unless_equals_int (count_others (), 1);
  }
  gate_open (gate);
  for (guint i = 0; i < 4; i++)
    gst_buffer_unref (gst_harness_pull (h));
  gst_harness_teardown (h);
  picture_clear (&picture);
  gate_free (gate);
  tear_down ();
}

GST_END_TEST;

static Suite *
nvidia_calls_suite (void)
{
  Suite *s = suite_create ("nvidia-calls");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, test_upload);
  tcase_add_test (tc, test_chain);
  tcase_add_test (tc, test_only_the_upload_has_a_worker);
  return s;
}

GST_CHECK_MAIN (nvidia_calls);
