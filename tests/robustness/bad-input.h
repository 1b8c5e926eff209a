/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A whole pipeline for input that is not as it should be: it shows pictures that
 * are right, every byte of them, or ends with one error that says what is wrong,
 * and then nothing is left of it. The elements are in the program, so that what
 * they leave can be counted. */
#pragma once

#include <string.h>

#include <glib/gstdio.h>

#include "robust.h"
#include "../common/self.h"
#include "hip-memory.h"
#include "hip-worker.h"

#define N_FRAMES 5
#define GREY(w, h) "video/x-raw,format=GRAY8,framerate=30/1,width=" #w ",height=" #h
#define SMALL GREY (64, 48)
#define HEAD "extern \"C\" __global__ void "
#define FRAMES "GstHipFrame in, GstHipFrame out, GstHipFrameInfo info"
#define PIXEL "int x = blockIdx.x * blockDim.x + threadIdx.x, " \
    "y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x >= out.width || y >= out.height) return; " \
    "unsigned char i = in.data[0][(long long) y * in.stride[0] + x]; " \
    "unsigned char *o = out.data[0] + (long long) y * out.stride[0] + x; "
#define INVERT "// gst-hip: formats GRAY8\n" HEAD "invert (" FRAMES ") {" \
    PIXEL "*o = 255 - i; }"
#define HALVE "// gst-hip: formats GRAY8\n// gst-hip: default factor 0.5\n" \
    HEAD "halve (" FRAMES ", float factor) {" PIXEL "*o = i * factor; }"

GST_PLUGIN_STATIC_DECLARE (hip);

/* --- a pipeline, its pictures, its end --- */

static inline guint8
inverted (guint8 value)
{
  return 255 - value;
}

static inline guint8
halved (guint8 value)
{
  return value / 2;
}

typedef struct
{
  GstElement *pipeline, *source, *kernel;
  GstBus *bus;
  GstVideoInfo info;
    guint8 (*right) (guint8 value), (*right_too) (guint8 value);
  guint n_pushed;
  gint n_right, n_wrong;        /* atomic */
} Play;

static inline guint8
pixel (guint n, gint x, gint y)
{
  return n * 31 + x * 7 + y * 13;
}

static inline gboolean
is_picture (Play * play, GstBuffer * buffer, guint n,
    guint8 (*right) (guint8 value))
{
  GstVideoFrame frame;
  gboolean same = TRUE;

  if (!right || !gst_video_frame_map (&frame, &play->info, buffer,
          GST_MAP_READ))
    return FALSE;
  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (&frame); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    for (gint x = 0; same && x < GST_VIDEO_FRAME_WIDTH (&frame); x++)
      same = row[x] == right (pixel (n, x, y));
  }
  gst_video_frame_unmap (&frame);
  return same;
}

static inline void
look_at (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  Play *play = data;
  guint n = g_atomic_int_get (&play->n_right);

  if (GST_BUFFER_PTS (buffer) == n * GST_MSECOND
      && (is_picture (play, buffer, n, play->right)
          || is_picture (play, buffer, n, play->right_too)))
    g_atomic_int_inc (&play->n_right);
  else
    g_atomic_int_inc (&play->n_wrong);
}

/* The caps' own layout; bytes that are no pixel are the frame's number */
static inline GstBuffer *
new_frame (Play * play)
{
  guint n = play->n_pushed++;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, play->info.size, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, n, map.size);
  for (gint y = 0; y < play->info.height; y++)
    for (gint x = 0; x < play->info.width; x++)
      map.data[(gsize) y * play->info.stride[0] + x] = pixel (n, x, y);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = n * GST_MSECOND;
  return buffer;
}

static inline void
push (Play * play, GstBuffer * buffer)
{
  GstFlowReturn ret;

  g_signal_emit_by_name (play->source, "push-buffer", buffer, &ret);
  gst_buffer_unref (buffer);
}

static inline GstElement *
find (Play * play, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (play->pipeline), name);

  g_assert_nonnull (element);
  /* the pipeline keeps it */
  gst_object_unref (element);
  return element;
}

/* source: the kernel's text, or NULL; properties: what else hipkernel gets, and
 * what comes behind it, before hipdownload */
static inline void
play_new (Play * play, const gchar * caps, const gchar * source,
    const gchar * properties)
{
  g_autofree gchar *text = g_strdup_printf ("appsrc name=source format=time "
      "caps=\"%s\" ! hipupload name=up ! hipkernel name=kernel %s ! "
      "hipdownload name=down ! fakesink name=sink signal-handoffs=true "
      "sync=false", caps, properties);
  g_autoptr (GstCaps) parsed = gst_caps_from_string (caps);
  GError *error = NULL;

  memset (play, 0, sizeof (*play));
  /* what no frame can be made for is refused before one is looked at */
  if (!gst_video_info_from_caps (&play->info, parsed)
      || play->info.size == 0 || play->info.width > G_MAXINT16)
    gst_video_info_set_format (&play->info, GST_VIDEO_FORMAT_GRAY8, 64, 48);
  play->pipeline = gst_parse_launch (text, &error);
  g_assert_no_error (error);
  play->bus = gst_element_get_bus (play->pipeline);
  play->source = find (play, "source");
  play->kernel = find (play, "kernel");
  if (source)
    g_object_set (play->kernel, "source", source, NULL);
  g_signal_connect (find (play, "sink"), "handoff", G_CALLBACK (look_at), play);
}

static inline void
set_state (Play * play, GstState state)
{
  g_assert_cmpint (gst_element_set_state (play->pipeline, state), !=,
      GST_STATE_CHANGE_FAILURE);
  g_assert_cmpint (gst_element_get_state (play->pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), !=, GST_STATE_CHANGE_FAILURE);
}

static inline void
play_free (Play * play)
{
  gst_object_unref (play->bus);
  gst_object_unref (play->pipeline);
}

/* The first error, or NULL at the end */
static inline GError *
wait_for_end (Play * play)
{
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (play->bus,
      GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  return error;
}

static inline gboolean
is_nothing_left (guint fds)
{
  return !hip_memory_live_count () && !hip_worker_thread_count () && is_at_rest () && count_fds () <= fds;
}

static inline void
assert_nothing_left (guint fds)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_US;
  gboolean gone;

  /* GLib lets go of a compiler that has ended when it comes to it. */
  while (!(gone = is_nothing_left (fds)) && g_get_monotonic_time () < end)
    g_usleep (500);
  g_assert_true (gone);
}

/* Starts, plays what was pushed to its end or its error, stops; NULL or the
 * error. */
static inline GError *
play_through (Play * play, guint n_frames)
{
  GstFlowReturn ret;
  GError *error;

  for (guint i = 0; i < n_frames; i++)
    push (play, new_frame (play));
  g_signal_emit_by_name (play->source, "end-of-stream", &ret);
  gst_element_set_state (play->pipeline, GST_STATE_PLAYING);
  error = wait_for_end (play);
  g_assert_cmpint (gst_element_set_state (play->pipeline, GST_STATE_NULL), ==,
      GST_STATE_CHANGE_SUCCESS);
  return error;
}

/* The file descriptors of a process that has compiled and played before */
static inline guint
warm_up (void)
{
  static guint fds;
  GError *error;
  Play play;

  if (!fds) {
    g_setenv ("GST_HIP_CACHE", "off", TRUE);
    play_new (&play, SMALL, INVERT, "");
    error = play_through (&play, 1);
    g_assert_no_error (error);
    play_free (&play);
    assert_nothing_left (G_MAXUINT);
    fds = count_fds ();
    g_unsetenv ("GST_HIP_CACHE");
  }
  return fds;
}

/* The error of a pipeline that shows nothing */
static inline GError *
play_once (const gchar * caps, const gchar * source, const gchar * properties)
{
  GError *error;
  Play play;

  play_new (&play, caps, source, properties);
  error = play_through (&play, N_FRAMES);
  g_assert_cmpint (play.n_right + play.n_wrong, ==, 0);
  play_free (&play);
  return error;
}

static inline void
assert_right (const gchar * caps, const gchar * source,
    const gchar * properties, guint8 (*right) (guint8 value))
{
  guint fds = warm_up ();
  GError *error;
  Play play;

  play_new (&play, caps, source, properties);
  play.right = right;
  error = play_through (&play, N_FRAMES);
  g_assert_no_error (error);
  g_assert_cmpint (play.n_wrong, ==, 0);
  g_assert_cmpint (play.n_right, ==, N_FRAMES);
  play_free (&play);
  assert_nothing_left (fds);
}

/* Takes error, which has to say text (NULL: anything). */
static inline void
assert_says (GError * error, GQuark domain, gint code, const gchar * text)
{
  g_assert_error (error, domain, code);
  if (text && !strstr (error->message, text))
    g_error ("\"%s\" does not say \"%s\"", error->message, text);
  g_error_free (error);
}

static inline void
assert_wrong (const gchar * caps, const gchar * source,
    const gchar * properties, GQuark domain, gint code, const gchar * text)
{
  guint fds = warm_up ();

  assert_says (play_once (caps, source, properties), domain, code, text);
  assert_nothing_left (fds);
  /* and the next one is none the worse for it */
  assert_right (SMALL, INVERT, "", inverted);
}

/* TRUE in the process where the test is to be done */
static inline gboolean
in_own_process (void)
{
  if (g_test_subprocess ())
    return TRUE;
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  return FALSE;
}

/* --- a cache of kernels on disk --- */

typedef struct
{
  gchar *top, *folder;
} Cache;

static inline void
cache_set_up (Cache * cache, gconstpointer unused)
{
  cache->top = g_dir_make_tmp ("gst-hip-bad-XXXXXX", NULL);
  cache->folder = g_build_filename (cache->top, "cache", NULL);
  g_setenv ("GST_HIP_CACHE_DIR", cache->folder, TRUE);
}

static inline GPtrArray *
cache_files (Cache * cache)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (cache->folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (files, g_build_filename (cache->folder, name, NULL));
  g_clear_pointer (&dir, g_dir_close);
  return files;
}

static inline void
cache_tear_down (Cache * cache, gconstpointer unused)
{
  g_autoptr (GPtrArray) files = cache_files (cache);

  for (guint i = 0; i < files->len; i++)
    g_unlink (g_ptr_array_index (files, i));
  g_remove (cache->folder);
  g_remove (cache->top);
  g_free (cache->folder);
  g_free (cache->top);
}

#define ADD(name, func) g_test_add_func ("/" name, func)
#define ADD_CACHE(name, func) g_test_add ("/" name, Cache, NULL, cache_set_up, func, cache_tear_down)

static inline void
bad_input_init (int *argc, char ***argv)
{
  test_set_self (*argv);
  g_test_init (argc, argv, NULL);
  gst_init (argc, argv);
  GST_PLUGIN_STATIC_REGISTER (hip);
}
