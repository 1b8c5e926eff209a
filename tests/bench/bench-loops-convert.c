/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How far is a conversion by GstHipConverter on the host device from a plain C
 * loop? As bench-loops.c compares, but that the kernel is the library's, with all
 * that a call of the converter takes, and the loop is loops-convert.c. */
#include <string.h>

#include "bench-plain.h"

/* Embedded by the build: loops-convert.c */
extern const char bench_loops_convert_plain[];

#define NAME "NV12 to RGBA 1080p"
#define WIDTH 1920
#define HEIGHT 1080
#define IN_SIZE (WIDTH * HEIGHT * 3 / 2)
#define OUT_SIZE (WIDTH * HEIGHT * 4)
#define PER_TURN 8              /* frames between two looks at the clock */
#define N_TURNS 40

typedef struct
{
  Bench *bench;
  BenchTeam *team;
  GModule *plain;
  BenchPlainFunc func;
  GstHipStream *stream;
  GstHipConverter *converter;
  GstBuffer *in, *out;
  guint8 *plain_in, *plain_out;
} Rig;

/* What loops-convert.c is made for; rows without padding, as loops have them */
static gboolean
make_converter (Rig * rig, GError ** error)
{
  g_autofree gchar *archive = g_strdup (g_getenv ("GST_HIP_ARCHIVE"));
  GstVideoInfo in, out;

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  gst_video_colorimetry_from_string (&in.colorimetry,
      GST_VIDEO_COLORIMETRY_BT709);
  gst_video_colorimetry_from_string (&out.colorimetry,
      GST_VIDEO_COLORIMETRY_SRGB);
  in.chroma_site = GST_VIDEO_CHROMA_SITE_H_COSITED;
  /* Precompiled kernels are another compiler's work, for a family of CPUs. No
   * other thread looks at the environment now. */
  g_setenv ("GST_HIP_ARCHIVE", "off", TRUE);
  rig->converter = gst_hip_converter_new (rig->bench->device, &in, &out, NULL,
      error);
  if (archive != NULL)
    g_setenv ("GST_HIP_ARCHIVE", archive, TRUE);
  else
    g_unsetenv ("GST_HIP_ARCHIVE");
  return rig->converter != NULL;
}

static GstBuffer *
new_frame (Rig * rig, GstVideoFormat format, gsize size, GError ** error)
{
  GstMemory *memory = gst_hip_allocator_alloc_linear (NULL, rig->bench->device,
      size, error);
  GstBuffer *buffer;

  if (memory == NULL)
    return NULL;
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, memory);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE, format, WIDTH,
      HEIGHT);
  return buffer;
}

static gboolean
make_frames (Rig * rig, GError ** error)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  rig->plain_in = g_malloc (IN_SIZE);
  rig->plain_out = g_malloc0 (OUT_SIZE);
  for (gsize i = 0; i < IN_SIZE; i++)
    rig->plain_in[i] = g_rand_int (rand);
  rig->in = new_frame (rig, GST_VIDEO_FORMAT_NV12, IN_SIZE, error);
  if (rig->in == NULL)
    return FALSE;
  gst_buffer_fill (rig->in, 0, rig->plain_in, IN_SIZE);
  rig->out = new_frame (rig, GST_VIDEO_FORMAT_RGBA, OUT_SIZE, error);
  return rig->out != NULL;
}

static gboolean
make_rig (Rig * rig, GError ** error)
{
  gpointer func;

  rig->plain = bench_compile_plain (rig->bench, bench_loops_convert_plain, "c",
      error);
  if (rig->plain == NULL)
    return FALSE;
  if (!g_module_symbol (rig->plain, "plain_nv12_rgba", &func))
    g_assert_not_reached ();
  rig->func = (BenchPlainFunc) func;
  rig->stream = gst_hip_stream_new_full (rig->bench->device, 0, error);
  return rig->stream != NULL && make_converter (rig, error)
      && make_frames (rig, error);
}

static void
clear_rig (Rig * rig)
{
  gst_clear_buffer (&rig->in);
  gst_clear_buffer (&rig->out);
  gst_clear_object (&rig->converter);
  gst_clear_hip_stream (&rig->stream);
  g_free (rig->plain_in);
  g_free (rig->plain_out);
  if (rig->plain != NULL)
    g_module_close (rig->plain);
}

static void
time_plain (Rig * rig, BenchTimes * best)
{
  BenchTimes begin = bench_times_now ();

  for (guint i = 0; i < PER_TURN; i++)
    bench_team_run (rig->team, rig->func, rig->plain_in, rig->plain_out, WIDTH,
        HEIGHT);
  bench_times_note (best, &begin, PER_TURN);
}

static gboolean
time_converter (Rig * rig, BenchTimes * best, GError ** error)
{
  BenchTimes begin = bench_times_now ();

  for (guint i = 0; i < PER_TURN; i++) {
    if (!gst_hip_converter_convert_buffer (rig->converter, rig->stream,
            rig->in, rig->out, NULL, error))
      return FALSE;
  }
  if (!gst_hip_stream_synchronize_full (rig->stream, error))
    return FALSE;
  bench_times_note (best, &begin, PER_TURN);
  return TRUE;
}

/* A comparison of two that do not compute the same would be worth nothing. */
static gboolean
same_result (Rig * rig, GError ** error)
{
  GstMapInfo map;
  gsize at = 0;

  if (!gst_buffer_map (rig->out, &map, GST_MAP_READ)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "the converter's frame cannot be read");
    return FALSE;
  }
  while (at < OUT_SIZE && map.data[at] == rig->plain_out[at])
    at++;
  if (at < OUT_SIZE)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "byte %" G_GSIZE_FORMAT " is %u by the kernel, %u by the plain loop",
        at, map.data[at], rig->plain_out[at]);
  gst_buffer_unmap (rig->out, &map);
  return at == OUT_SIZE;
}

static gboolean
compare (Rig * rig, GError ** error)
{
  BenchTimes ours = BENCH_TIMES_NONE, plain = BENCH_TIMES_NONE;
  guint n_turns = rig->bench->quick ? 2 : N_TURNS;

  for (guint i = 0; i < n_turns; i++) {
    time_plain (rig, &plain);
    if (!time_converter (rig, &ours, error))
      return FALSE;
    if (i == 0 && !same_result (rig, error))
      return FALSE;
  }
  bench_times_add (rig->bench, NAME, BENCH_OWN_LIMIT, &ours, &plain);
  return TRUE;
}

void
bench_loops_convert (Bench * bench, BenchTeam * team)
{
  Rig rig = { bench, team, };
  GError *error = NULL;

  if (!make_rig (&rig, &error) || !compare (&rig, &error))
    bench_fail (bench, "loops", NAME, error);
  clear_rig (&rig);
}
