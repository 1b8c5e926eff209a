/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does one launch of a kernel cost: the thread that asks for it, and from
 * end to end when one follows the other? */
#include "bench.h"

#define BURST 32

static const gchar nothing_source[] =
    "extern \"C\" __global__ void nothing (unsigned char *data, int n) { }\n";

typedef struct
{
  GstHipKernelModule *module;
  GstHipKernelArgs *args;
  GstHipStream *stream;
  GstMemory *memory;
} Launch;

static void
launch_clear (Launch * launch)
{
  g_clear_pointer (&launch->args, gst_hip_kernel_args_unref);
  if (launch->memory != NULL)
    gst_memory_unref (launch->memory);
  g_clear_pointer (&launch->module, gst_hip_kernel_module_unref);
  gst_clear_hip_stream (&launch->stream);
}

static gboolean
launch_init (Launch * launch, Bench * bench, GError ** error)
{
  launch->stream = gst_hip_stream_new_full (bench->device, 0, error);
  if (launch->stream == NULL)
    return FALSE;
  launch->module = gst_hip_kernel_module_new_from_source (bench->device,
      nothing_source, NULL, error);
  if (launch->module == NULL)
    return FALSE;
  launch->memory = gst_hip_allocator_alloc_linear (NULL, bench->device, 4096,
      error);
  if (launch->memory == NULL)
    return FALSE;
  launch->args = gst_hip_kernel_args_new ();
  if (!gst_hip_kernel_args_add_memory_full (launch->args, launch->memory, 0,
          GST_MAP_READWRITE, error))
    return FALSE;
  gst_hip_kernel_args_add_int32 (launch->args, 7);
  return TRUE;
}

static gboolean
launch_once (Launch * launch, GError ** error)
{
  static const guint grid[3] = { 1, 1, 1 }, block[3] = { 32, 1, 1 };

  return gst_hip_kernel_module_launch (launch->module, "nothing",
      launch->stream, grid, block, launch->args, error);
}

/* The asking thread, with its stream busy */
static gboolean
measure_asking (Launch * launch, Bench * bench, gdouble * cpu_ns,
    gdouble * allocations, GError ** error)
{
  g_autoptr (BenchBlocker) blocker =
      bench_blocker_new (bench, launch->stream, error);
  guint n = bench->quick ? 2 * BURST : 10 * 1000 / BURST * BURST;
  g_autofree gdouble *times = g_new0 (gdouble, n);
  guint64 in_half = 0;
  gboolean ok = blocker != NULL;

  for (guint i = 0; ok && i < n; i++) {
    guint64 before;
    gint64 begin;

    if (i % BURST == 0 && !(ok = bench_blocker_start (blocker, error)))
      break;
    before = bench_thread_allocations ();
    begin = bench_thread_cpu_ns ();
    ok = launch_once (launch, error);
    times[i] = bench_thread_cpu_ns () - begin;
    if (i >= n / 2)
      in_half += bench_thread_allocations () - before;
    if (i % BURST == BURST - 1)
      bench_blocker_release (blocker);
  }
  if (!ok)
    return FALSE;
  *cpu_ns = bench_median (times, n);
  *allocations = (gdouble) in_half / (n - n / 2);
  return TRUE;
}

static gboolean
measure_throughput (Launch * launch, Bench * bench, gdouble * ns,
    GError ** error)
{
  guint n = bench->quick ? 50 : 1000, n_rounds = bench->quick ? 1 : 15;
  gint64 best = G_MAXINT64;

  for (guint round = 0; round < n_rounds; round++) {
    gint64 begin = g_get_monotonic_time ();

    for (guint i = 0; i < n; i++) {
      if (!launch_once (launch, error))
        return FALSE;
    }
    if (!gst_hip_stream_synchronize_full (launch->stream, error))
      return FALSE;
    best = MIN (best, g_get_monotonic_time () - begin);
  }
  *ns = best * 1000.0 / n;
  return TRUE;
}

/* What the clock itself takes, of what was measured */
static gdouble
clock_ns (void)
{
  gdouble times[1001];

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    gint64 begin = bench_thread_cpu_ns ();

    times[i] = bench_thread_cpu_ns () - begin;
  }
  return bench_median (times, G_N_ELEMENTS (times));
}

void
bench_launches (Bench * bench)
{
  gdouble cpu_ns, allocations, ns;
  Launch launch = { NULL, };
  GError *error = NULL;

  if (launch_init (&launch, bench, &error) &&
      measure_asking (&launch, bench, &cpu_ns, &allocations, &error) &&
      measure_throughput (&launch, bench, &ns, &error)) {
    bench_add (bench, "launches", "empty kernel: CPU of the asking thread",
        cpu_ns - clock_ns (), "ns", bench_nvidia_limit (bench, 6000));
    bench_add (bench, "launches", "empty kernel: heap allocations",
        allocations, "/launch", 0);
    bench_add (bench, "launches", "empty kernel: one after the other", ns,
        "ns", BENCH_NO_LIMIT);
  } else {
    bench_fail (bench, "launches", "empty kernel", error);
  }
  launch_clear (&launch);
}
