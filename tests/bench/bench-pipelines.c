/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How fast do frames go up, down, and through two pipelines at once, with the
 * device drained before the clock stops? The best of some rounds. */
#include <string.h>

#include "bench.h"

#define UP_LIMIT_US 75.0
#define UP_CPU_LIMIT_US 10.0
#define DOWN_LIMIT_US 180.0
#define LEAST_RATIO 1.8
#define MAX_READERS 8
#define MAX_UNREAD 16

static gboolean
fail (GError ** error, const gchar * what)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED, "%s", what);
  return FALSE;
}

static void
drop_outputs (BenchRig * rig)
{
  g_ptr_array_set_size (rig->outputs, 0);
}

/* --- up --- */

/* cpu_ns: of this thread, all frames */
static gboolean
push_round (BenchRig * rig, guint n_frames, gdouble * seconds, gint64 * cpu_ns,
    GError ** error)
{
  gint64 begin = g_get_monotonic_time ();

  *cpu_ns = 0;
  for (guint i = 0; i < n_frames; i++) {
    GstBuffer *buffer = bench_rig_acquire (rig, error);
    gint64 cpu = bench_thread_cpu_ns ();

    if (buffer == NULL || !bench_rig_push (rig, buffer, error))
      return FALSE;
    *cpu_ns += bench_thread_cpu_ns () - cpu;
    if (i + 1 < n_frames)
      drop_outputs (rig);
  }
  bench_rig_wait (rig);
  *seconds = (g_get_monotonic_time () - begin) / 1e6;
  drop_outputs (rig);
  return TRUE;
}

static void
bench_up (Bench * bench)
{
  guint n_frames = bench->quick ? 10 : 500, n_rounds = bench->quick ? 1 : 10;
  g_autoptr (GstCaps) cpu = bench_caps ("NV12", 1920, 1080, FALSE);
  g_autoptr (GstCaps) hip = bench_caps ("NV12", 1920, 1080, TRUE);
  gdouble best = G_MAXDOUBLE, best_cpu = G_MAXDOUBLE;
  GError *error = NULL;
  g_autoptr (BenchRig) rig = bench_rig_new (bench, "hipupload", cpu, hip, TRUE,
      &error);

  for (guint i = 0; rig != NULL && i <= n_rounds; i++) {
    gdouble seconds;
    gint64 cpu_ns;

    if (!push_round (rig, n_frames, &seconds, &cpu_ns, &error))
      break;
    if (i == 0)                 /* fills pools */
      continue;
    best = MIN (best, seconds * 1e6 / n_frames);
    best_cpu = MIN (best_cpu, cpu_ns / 1e3 / n_frames);
  }
  if (error != NULL) {
    bench_fail (bench, "pipelines", "up, NV12 1080p", error);
    return;
  }
  bench_add (bench, "pipelines", "up, NV12 1080p, pinned pool", best,
      "us/frame", bench_nvidia_limit (bench, UP_LIMIT_US));
  bench_add (bench, "pipelines", "... of that CPU of the streaming thread",
      best_cpu, "us/frame", bench_nvidia_limit (bench, UP_CPU_LIMIT_US));
}

/* --- down, with every byte read --- */

typedef struct
{
  GThreadPool *threads;
  guint64 expected;
  gint n_unread, n_wrong;       /* atomic */
} Readers;

static guint64
sum_bytes (const guint8 * data, gsize size)
{
  guint64 sum[4] = { 0 }, word[4];
  gsize i;

  for (i = 0; i + sizeof (word) <= size; i += sizeof (word)) {
    memcpy (word, data + i, sizeof (word));
    for (guint k = 0; k < G_N_ELEMENTS (sum); k++)
      sum[k] += word[k];
  }
  for (; i < size; i++)
    sum[0] += data[i];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

static void
read_frame (gpointer data, gpointer user_data)
{
  GstBuffer *buffer = data;
  Readers *readers = user_data;
  GstMapInfo map;
  gboolean right = FALSE;

  if (gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    right = sum_bytes (map.data, map.size) == readers->expected;
    gst_buffer_unmap (buffer, &map);
  }
  if (!right)
    g_atomic_int_inc (&readers->n_wrong);
  gst_buffer_unref (buffer);
  g_atomic_int_add (&readers->n_unread, -1);
}

static gboolean
down_round (BenchRig * rig, Readers * readers, GstBuffer ** frames,
    guint n_kinds, guint n_frames, gdouble * seconds, GError ** error)
{
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++) {
    while (g_atomic_int_get (&readers->n_unread) >= MAX_UNREAD)
      g_usleep (10);
    if (!bench_rig_push (rig, gst_buffer_ref (frames[i % n_kinds]), error))
      return FALSE;
    for (guint k = 0; k < rig->outputs->len; k++) {
      g_atomic_int_inc (&readers->n_unread);
      g_thread_pool_push (readers->threads,
          gst_buffer_ref (g_ptr_array_index (rig->outputs, k)), NULL);
    }
    drop_outputs (rig);
  }
  while (g_atomic_int_get (&readers->n_unread) > 0)
    g_usleep (10);
  *seconds = (g_get_monotonic_time () - begin) / 1e6;
  return g_atomic_int_get (&readers->n_wrong) == 0
      || fail (error, "the bytes are not those of the frame");
}

/* The sum does not depend on which of them it is. */
static gboolean
fill_frame (GstBuffer * buffer, Readers * readers, GError ** error)
{
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_WRITE))
    return fail (error, "a frame does not map");
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) (i * 7 + (i >> 11));
  readers->expected = sum_bytes (map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return TRUE;
}

static void
bench_down (Bench * bench)
{
  guint n_frames = bench->quick ? 10 : 500, n_rounds = bench->quick ? 1 : 10;
  g_autoptr (GstCaps) cpu = bench_caps ("RGBA", 1920, 1080, FALSE);
  g_autoptr (GstCaps) hip = bench_caps ("RGBA", 1920, 1080, TRUE);
  GstBuffer *frames[4] = { NULL, };
  gdouble best = G_MAXDOUBLE, seconds;
  Readers readers = { NULL, };
  GError *error = NULL;
  g_autoptr (BenchRig) rig = bench_rig_new (bench, "hipdownload", hip, cpu,
      FALSE, &error);
  gboolean ok = rig != NULL;

  readers.threads = g_thread_pool_new (read_frame, &readers,
      CLAMP (g_get_num_processors () / 2, 1, MAX_READERS), FALSE, NULL);
  for (guint i = 0; ok && i < G_N_ELEMENTS (frames); i++)
    ok = (frames[i] = bench_rig_acquire (rig, &error)) != NULL
        && fill_frame (frames[i], &readers, &error);
  for (guint i = 0; ok && i <= n_rounds; i++) {
    ok = down_round (rig, &readers, frames, G_N_ELEMENTS (frames), n_frames,
        &seconds, &error);
    if (ok && i > 0)
      best = MIN (best, seconds * 1e6 / n_frames);
  }
  g_thread_pool_free (readers.threads, FALSE, TRUE);
  if (ok)
    bench_add (bench, "pipelines", "down, RGBA 1080p, every byte read", best,
        "us/frame", bench_nvidia_limit (bench, DOWN_LIMIT_US));
  else
    bench_fail (bench, "pipelines", "down, RGBA 1080p", error);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    gst_clear_buffer (&frames[i]);
}

/* --- two at once --- */

#define CHAIN "hipupload ! hipkernel entry=copy source=\"extern \\\"C\\\" " \
    "__global__ void copy (GstHipFrame in, GstHipFrame out, " \
    "GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) out.data[0][y * out.stride[0] + x] " \
    "= in.data[0][y * in.stride[0] + x]; }\" ! hipdownload"

typedef struct
{
  BenchRig *rig;
  guint n_frames;
  GError *error;
} Pipeline;

static gpointer
run_pipeline (gpointer data)
{
  Pipeline *pipeline = data;
  gdouble seconds;
  gint64 cpu_ns;

  push_round (pipeline->rig, pipeline->n_frames, &seconds, &cpu_ns,
      &pipeline->error);
  return NULL;
}

/* Frames a second of n pipelines together */
static gboolean
measure_rate (Pipeline * pipelines, guint n, guint n_rounds, gdouble * rate,
    GError ** error)
{
  GThread *threads[2];

  *rate = 0;
  for (guint round = 0; round <= n_rounds; round++) {
    gint64 begin = g_get_monotonic_time ();
    gint64 us;

    for (guint i = 0; i < n; i++)
      threads[i] = g_thread_new ("pipeline", run_pipeline, &pipelines[i]);
    for (guint i = 0; i < n; i++)
      g_thread_join (threads[i]);
    us = g_get_monotonic_time () - begin;
    for (guint i = 0; i < n; i++) {
      if (pipelines[i].error != NULL) {
        g_propagate_error (error, g_steal_pointer (&pipelines[i].error));
        return FALSE;
      }
    }
    if (round > 0)
      *rate = MAX (*rate, n * pipelines[0].n_frames * 1e6 / us);
  }
  return TRUE;
}

static void
bench_two (Bench * bench, gint width, gint height, gdouble least)
{
  g_autoptr (GstCaps) cpu = bench_caps ("GRAY8", width, height, FALSE);
  g_autofree gchar *one_label =
      g_strdup_printf ("up, kernel, down, %dx%d: one", width, height);
  g_autofree gchar *two_label =
      g_strdup_printf ("up, kernel, down, %dx%d: two to one", width, height);
  guint n_rounds = bench->quick ? 1 : 7;
  Pipeline pipelines[2] = { {NULL,}, };
  gdouble one = 0, two = 0;
  GError *error = NULL;
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < 2; i++) {
    pipelines[i].n_frames = bench->quick ? 10 : 2000;
    pipelines[i].rig = bench_rig_new (bench, CHAIN, cpu, cpu, TRUE, &error);
    ok = pipelines[i].rig != NULL;
  }
  if (ok && measure_rate (pipelines, 1, n_rounds, &one, &error) &&
      measure_rate (pipelines, 2, n_rounds, &two, &error)) {
    bench_add (bench, "pipelines", one_label, 1e6 / one, "us/frame",
        BENCH_NO_LIMIT);
    bench_add_least (bench, "pipelines", two_label, two / one, "", least);
  } else {
    bench_fail (bench, "pipelines", two_label, error);
  }
  for (guint i = 0; i < 2; i++)
    bench_rig_free (pipelines[i].rig);
}

void
bench_pipelines (Bench * bench)
{
  bench_up (bench);
  bench_down (bench);
  bench_two (bench, 320, 240, bench_nvidia_limit (bench, LEAST_RATIO));
  bench_two (bench, 640, 480, bench_nvidia_limit (bench, LEAST_RATIO));
  /* These fill PCIe. */
  bench_two (bench, 1280, 720, BENCH_NO_LIMIT);
  bench_two (bench, 1920, 1080, BENCH_NO_LIMIT);
}
