/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How far are kernels on the host device from plain C loops? Both do the same
 * arithmetic (loops.h; the functions of an example; the converter has
 * bench-loops-convert.c), compiled by the same
 * compiler for this CPU with -O3, over the same frame, with the same number of
 * threads, in turns. The best of all turns counts, since whatever else runs only
 * adds. Ratios are of CPU time, user and system, of all threads: others that
 * want the CPUs have little to do with it. */
#include <string.h>

#include "bench-plain.h"

/* Embedded by the build: loops-plain.c, loops.hip, loops-lut.cc, and
 * examples/kernels/lut.hip */
extern const char bench_loops_plain[];
extern const char bench_loops_kernels[];
extern const char bench_loops_lut_plain[];
extern const char bench_loops_lut[];

#define WIDTH 1920
#define HEIGHT 1080
#define SIZE (WIDTH * HEIGHT * 3 / 2)
#define USER_LIMIT 2.0

typedef struct
{
  const gchar *name, *entry, *plain;
  gboolean nv12;                /* frames, as hipkernel hands them out; else GRAY8 */
  guint per_thread;             /* pixels in a row */
  guint per_turn;               /* frames between two looks at the clock */
  guint n_turns;
  gdouble limit;
} Loop;

static const Loop plain_loops[] = {
  {"edge, GRAY8 1080p", "edge", "plain_edge", FALSE, 1, 16, 40, USER_LIMIT},
  {"contrast, GRAY8 1080p", "contrast", "plain_contrast", FALSE, 1, 16, 40,
      USER_LIMIT},
  {"contrast_wide, GRAY8 1080p", "contrast_wide", "plain_contrast", FALSE, 64,
      16, 40, BENCH_OWN_LIMIT},
};

/* The example as it is shipped, and its functions in a loop */
static const Loop lut_loops[] = {
  {"lut, NV12 1080p", "lut", "plain_lut", TRUE, 1, 1, 10, USER_LIMIT},
};

BenchTimes
bench_times_now (void)
{
  BenchTimes times = { g_get_monotonic_time (), bench_process_cpu_ns () };

  return times;
}

void
bench_times_note (BenchTimes * best, const BenchTimes * begin, guint n)
{
  BenchTimes end = bench_times_now ();

  best->us = MIN (best->us, (end.us - begin->us) / n);
  best->cpu_ns = MIN (best->cpu_ns, (end.cpu_ns - begin->cpu_ns) / n);
}

void
bench_times_add (Bench * bench, const gchar * name, gdouble limit,
    const BenchTimes * ours, const BenchTimes * plain)
{
  g_autofree gchar *kernel = g_strconcat (name, ": kernel", NULL);
  g_autofree gchar *other = g_strconcat (name, ": plain C", NULL);
  g_autofree gchar *ratio = g_strconcat (name, ": ratio", NULL);

  bench_add (bench, "loops", kernel, ours->us / 1000.0, "ms", BENCH_NO_LIMIT);
  bench_add (bench, "loops", other, plain->us / 1000.0, "ms", BENCH_NO_LIMIT);
  bench_add (bench, "loops", ratio, (gdouble) ours->cpu_ns / plain->cpu_ns,
      "times", limit);
}

typedef struct
{
  Bench *bench;
  BenchTeam *team;
  GstHipStream *stream;
  GstMemory *in, *out;
  guint8 *plain_in, *plain_out;
} Rig;

static GstHipFrame
frame_of (GstMemory * memory)
{
  guint8 *data =
      (guint8 *) gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memory));
  GstHipFrame frame = { {data, data + WIDTH * HEIGHT}, {WIDTH, WIDTH}, WIDTH,
  HEIGHT, GST_HIP_FORMAT_NV12, 2, GST_HIP_MATRIX_BT709,
  GST_HIP_RANGE_LIMITED
  };

  return frame;
}

static GstHipKernelArgs *
make_args (Rig * rig, const Loop * loop, GError ** error)
{
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  GstHipFrame in = frame_of (rig->in), out = frame_of (rig->out);
  GstHipFrameInfo info = { 0, };

  if (!loop->nv12) {
    if (!gst_hip_kernel_args_add_memory (args, rig->in, 0, error) ||
        !gst_hip_kernel_args_add_memory (args, rig->out, 0, error))
      return NULL;
    gst_hip_kernel_args_add_int32 (args, WIDTH);
    gst_hip_kernel_args_add_int32 (args, WIDTH);
    gst_hip_kernel_args_add_int32 (args, HEIGHT);
    return g_steal_pointer (&args);
  }
  if (!gst_hip_kernel_args_add_dependency (args, rig->in, GST_MAP_READ, error)
      || !gst_hip_kernel_args_add_dependency (args, rig->out, GST_MAP_WRITE,
          error)
      || !gst_hip_kernel_args_add_bytes (args, &in, sizeof in,
          G_ALIGNOF (GstHipFrame), error)
      || !gst_hip_kernel_args_add_bytes (args, &out, sizeof out,
          G_ALIGNOF (GstHipFrame), error)
      || !gst_hip_kernel_args_add_bytes (args, &info, sizeof info,
          G_ALIGNOF (GstHipFrameInfo), error))
    return NULL;
  gst_hip_kernel_args_add_float (args, 1.0f);
  return g_steal_pointer (&args);
}

static void
time_plain (Rig * rig, const Loop * loop, BenchPlainFunc func,
    BenchTimes * best)
{
  BenchTimes begin = bench_times_now ();

  for (guint i = 0; i < loop->per_turn; i++)
    bench_team_run (rig->team, func, rig->plain_in, rig->plain_out, WIDTH,
        HEIGHT);
  bench_times_note (best, &begin, loop->per_turn);
}

static gboolean
time_kernel (Rig * rig, const Loop * loop, GstHipKernelModule * module,
    GstHipKernelArgs * args, BenchTimes * best, GError ** error)
{
  static const guint block[3] = { 16, 16, 1 };
  const guint threads = (WIDTH + loop->per_thread - 1) / loop->per_thread;
  const guint grid[3] = { (threads + 15) / 16, (HEIGHT + 15) / 16, 1 };
  BenchTimes begin = bench_times_now ();

  for (guint i = 0; i < loop->per_turn; i++) {
    if (!gst_hip_kernel_module_launch (module, loop->entry, rig->stream, grid,
            block, args, error))
      return FALSE;
  }
  if (!gst_hip_stream_synchronize_full (rig->stream, error))
    return FALSE;
  bench_times_note (best, &begin, loop->per_turn);
  return TRUE;
}

/* A comparison of two that do not compute the same would be worth nothing. */
static gboolean
same_result (Rig * rig, const Loop * loop, GError ** error)
{
  GstMapInfo map;
  gboolean same;

  if (!gst_memory_map (rig->out, &map, GST_MAP_READ))
    return FALSE;
  same = memcmp (map.data, rig->plain_out, loop->nv12 ? SIZE : WIDTH * HEIGHT)
      == 0;
  gst_memory_unmap (rig->out, &map);
  if (!same)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "the kernel and the plain loop give different pictures");
  return same;
}

static gboolean
compare (Rig * rig, const Loop * loop, GstHipKernelModule * module,
    BenchPlainFunc func, GError ** error)
{
  BenchTimes ours = BENCH_TIMES_NONE, plain = BENCH_TIMES_NONE;
  g_autoptr (GstHipKernelArgs) args = make_args (rig, loop, error);
  guint n_turns = rig->bench->quick ? 2 : loop->n_turns;

  if (args == NULL)
    return FALSE;
  for (guint i = 0; i < n_turns; i++) {
    time_plain (rig, loop, func, &plain);
    if (!time_kernel (rig, loop, module, args, &ours, error) ||
        !same_result (rig, loop, error))
      return FALSE;
  }
  bench_times_add (rig->bench, loop->name, loop->limit, &ours, &plain);
  return TRUE;
}

/* Kernels and loops of a pair of texts */
static void
compare_all (Rig * rig, const Loop * loops, guint n_loops,
    const gchar * kernels, const gchar * text, const gchar * language)
{
  GError *error = NULL;
  GModule *plain = bench_compile_plain (rig->bench, text, language, &error);
  g_autoptr (GstHipKernelModule) module = plain ?
      gst_hip_kernel_module_new_from_source (rig->bench->device, kernels, NULL,
      &error) : NULL;

  for (guint i = 0; i < n_loops; i++) {
    gpointer func;

    if (module == NULL) {
      bench_fail (rig->bench, "loops", loops[i].name, g_steal_pointer (&error));
      continue;
    }
    if (!g_module_symbol (plain, loops[i].plain, &func))
      g_assert_not_reached ();
    if (!compare (rig, &loops[i], module, (BenchPlainFunc) func, &error))
      bench_fail (rig->bench, "loops", loops[i].name, g_steal_pointer (&error));
  }
  if (plain != NULL)
    g_module_close (plain);
}

static gboolean
make_memories (Rig * rig, GError ** error)
{
  GstMapInfo map;

  rig->stream = gst_hip_stream_new_full (rig->bench->device, 0, error);
  if (rig->stream == NULL)
    return FALSE;
  rig->in = gst_hip_allocator_alloc_linear (NULL, rig->bench->device, SIZE,
      error);
  if (rig->in == NULL)
    return FALSE;
  rig->out = gst_hip_allocator_alloc_linear (NULL, rig->bench->device, SIZE,
      error);
  if (rig->out == NULL || !gst_memory_map (rig->in, &map, GST_MAP_WRITE))
    return FALSE;
  memcpy (map.data, rig->plain_in, SIZE);
  gst_memory_unmap (rig->in, &map);
  return TRUE;
}

void
bench_loops (Bench * bench)
{
  const GstHipDeviceInfo *info = gst_hip_device_get_info (bench->device);
  g_autofree guint8 *in = NULL;
  g_autofree guint8 *out = NULL;
  g_autoptr (BenchTeam) team = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GError *error = NULL;
  Rig rig = { bench, };

  if (gst_hip_device_get_vendor (bench->device) != GST_HIP_VENDOR_HOST)
    return;
  rig.plain_in = in = g_malloc (SIZE);
  rig.plain_out = out = g_malloc0 (SIZE);
  for (gsize i = 0; i < SIZE; i++)
    in[i] = g_rand_int (rand);
  rig.team = team = bench_team_new (MAX (info->compute_units, 1));
  if (make_memories (&rig, &error)) {
    compare_all (&rig, plain_loops, G_N_ELEMENTS (plain_loops),
        bench_loops_kernels, bench_loops_plain, "c");
    compare_all (&rig, lut_loops, G_N_ELEMENTS (lut_loops), bench_loops_lut,
        bench_loops_lut_plain, "c++");
  } else {
    bench_fail (bench, "loops", "memory", error);
  }
  bench_loops_convert (bench, team);
  if (rig.in != NULL)
    gst_memory_unref (rig.in);
  if (rig.out != NULL)
    gst_memory_unref (rig.out);
  gst_clear_hip_stream (&rig.stream);
}
