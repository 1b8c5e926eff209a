/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the programs of this folder run: all elements in a row, with a kernel of
 * a user's; and how they see that nothing is left. */
#pragma once

#include <malloc.h>
#include <string.h>

#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

/* Much longer than anything takes; only a hang gets there. */
#define PATIENCE_US (60 * G_TIME_SPAN_SECOND)

/* What held once may not hold any more when it is asked for again. */
#define wait_for(condition) G_STMT_START {                              \
  gint64 wait_end = g_get_monotonic_time () + PATIENCE_US;              \
  gboolean came;                                                        \
  while (!(came = (condition)) && g_get_monotonic_time () < wait_end)   \
    g_usleep (500);                                                     \
  fail_unless (came, "never came: %s", #condition);                     \
} G_STMT_END

/* Sanitizers keep what was freed, and slow everything down. */
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
# define SANITIZED 1
#else
# define SANITIZED 0
#endif

#define VIDEO "video/x-raw,format=GRAY8,width=64,height=48,framerate=30/1"

static const gchar invert[] =
    "// gst-hip: formats GRAY8\n"
    "// gst-hip: same-size\n"
    "extern \"C\" __global__ void\n"
    "invert (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info)\n"
    "{\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  if (x < out.width && y < out.height)\n"
    "    out.data[0][(long long) y * out.stride[0] + x] =\n"
    "        255 - in.data[0][(long long) y * in.stride[0] + x];\n"
    "}\n";

/* source: from videotestsrc on; sink: with its properties */
static inline GstElement *
new_pipeline (const gchar * source, const gchar * sink)
{
  g_autofree gchar *text = g_strdup_printf ("%s ! " VIDEO " ! hipupload name=up ! hipkernel name=kernel ! "
      "hipdownload name=down ! %s", source, sink);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (text, &error), *kernel;

  fail_unless (error == NULL, "%s: %s", text, error ? error->message : "");
  kernel = gst_bin_get_by_name (GST_BIN (pipeline), "kernel");
  g_object_set (kernel, "source", invert, NULL);
  gst_object_unref (kernel);
  return pipeline;
}

static inline void
to_state (GstElement * pipeline, GstState state)
{
  fail_if (gst_element_set_state (pipeline, state) == GST_STATE_CHANGE_FAILURE);
  fail_if (gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE) == GST_STATE_CHANGE_FAILURE);
}

static inline void
run_to_end (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  to_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
}

static inline guint
count_entries (const gchar * folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

static inline guint
count_fds (void)
{
  return count_entries ("/proc/self/fd");
}

static inline guint
count_threads (void)
{
  return count_entries ("/proc/self/task");
}

/* Threads whose names begin so */
static inline guint
count_named_threads (const gchar * beginning)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir))) {
    g_autofree gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", name);
    g_autofree gchar *comm = NULL;

    n += g_file_get_contents (path, &comm, NULL, NULL) && g_str_has_prefix (comm, beginning);
  }
  g_dir_close (dir);
  return n;
}

/* TRUE once no thread of ours is left: nobody waits for anything, and what was to be released is */
static inline gboolean
is_at_rest (void)
{
  return !count_named_threads ("hip-worker") && !count_named_threads ("hip-stream") && !count_named_threads ("hipkernel");
}

/* Bytes that malloc () has given out */
static inline gint64
bytes_in_use (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}
