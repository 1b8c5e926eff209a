/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does an element cost the streaming thread per frame, over `identity`,
 * while its stream is kept busy: CPU time and heap allocations?
 *
 * Frames go in bursts of no more than max-in-flight, so that back-pressure has
 * no part in it. While a burst is pushed, a kernel on another stream holds the
 * frames that come in and the memory that the last burst's output goes back
 * to; so the element's stream always has work that is not finished. */
#include "bench.h"

#define BURST 6
/* Before allocations are counted: pools get deeper than they have to be then,
 * so that it does not matter which thread comes first. */
#define BURST_AT_FIRST 8
#define CPU_LIMIT_US 6.0

typedef struct
{
  gdouble cpu_us;               /* median of a frame */
  gdouble allocations;          /* mean of a frame in the second half */
} Cost;

typedef struct
{
  BenchRig *rig;
  BenchBlocker *blocker;
  GPtrArray *held;              /* the last burst's output */
  gdouble *cpu_ns;
  guint n_frames, done;
  gdouble *allocations;         /* of each frame */
} Run;

static gboolean
join_all (Run * run, GPtrArray * buffers, GstMapFlags flags, GError ** error)
{
  for (guint i = 0; i < buffers->len; i++) {
    GstBuffer *buffer = g_ptr_array_index (buffers, i);

    for (guint j = 0; j < gst_buffer_n_memory (buffer); j++) {
      if (!bench_blocker_join (run->blocker, gst_buffer_peek_memory (buffer,
                  j), flags, error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
push_measured (Run * run, GstBuffer * buffer, GError ** error)
{
  guint64 allocations = bench_thread_allocations ();
  gint64 begin = bench_thread_cpu_ns ();
  gboolean ok = bench_rig_push (run->rig, buffer, error);

  run->cpu_ns[run->done] = bench_thread_cpu_ns () - begin;
  run->allocations[run->done] = bench_thread_allocations () - allocations;
  run->done++;
  return ok;
}

static gboolean
run_burst (Run * run, GError ** error)
{
  g_autoptr (GPtrArray) inputs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  guint n = MIN (run->done < run->n_frames / 2 ? BURST_AT_FIRST : BURST,
      run->n_frames - run->done);
  gboolean ok = TRUE;

  bench_rig_wait (run->rig);
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = bench_rig_acquire (run->rig, error);

    if (buffer == NULL)
      return FALSE;
    g_ptr_array_add (inputs, buffer);
  }
  if (!bench_blocker_start (run->blocker, error) ||
      !join_all (run, run->rig->outputs, GST_MAP_READ, error) ||
      !join_all (run, inputs, GST_MAP_WRITE, error))
    return FALSE;
  g_ptr_array_set_size (run->rig->outputs, 0);
  for (guint i = 0; i < n && ok; i++) {
    ok = push_measured (run, g_ptr_array_index (inputs, i), error);
    inputs->pdata[i] = NULL;
  }
  g_ptr_array_set_free_func (inputs, NULL);
  bench_blocker_release (run->blocker);
  return ok;
}

static gdouble
mean (const gdouble * values, guint n)
{
  gdouble sum = 0;

  for (guint i = 0; i < n; i++)
    sum += values[i];
  return sum / n;
}

static gboolean
measure (Bench * bench, const gchar * element, GstCaps * in_caps,
    GstCaps * out_caps, Cost * cost, GError ** error)
{
  g_autofree gdouble *cpu_ns = NULL;
  g_autofree gdouble *allocations = NULL;
  g_autoptr (BenchBlocker) blocker = NULL;
  g_autoptr (BenchRig) rig = NULL;
  Run run = { NULL, };
  gboolean ok = TRUE;

  rig = bench_rig_new (bench, element, in_caps, out_caps, TRUE, error);
  if (rig == NULL)
    return FALSE;
  blocker = bench_blocker_new (bench, NULL, error);
  if (blocker == NULL)
    return FALSE;
  run.rig = rig;
  run.blocker = blocker;
  run.n_frames = bench->quick ? 60 : 10000;
  run.cpu_ns = cpu_ns = g_new0 (gdouble, run.n_frames);
  run.allocations = allocations = g_new0 (gdouble, run.n_frames);
  while (ok && run.done < run.n_frames)
    ok = run_burst (&run, error);
  bench_blocker_release (blocker);
  bench_rig_wait (rig);
  if (!ok)
    return FALSE;
  cost->cpu_us = bench_median (cpu_ns, run.n_frames) / 1000;
  cost->allocations = mean (allocations + run.n_frames / 2,
      run.n_frames - run.n_frames / 2);
  return TRUE;
}

static void
compare (Bench * bench, const gchar * label, const gchar * element,
    GstCaps * in_caps, GstCaps * out_caps)
{
  g_autofree gchar *cpu = g_strdup_printf ("%s: CPU over identity", label);
  g_autofree gchar *heap = g_strdup_printf ("%s: heap allocations", label);
  GError *error = NULL;
  Cost ours, plain;

  if (!measure (bench, "identity", in_caps, in_caps, &plain, &error) ||
      !measure (bench, element, in_caps, out_caps, &ours, &error)) {
    bench_fail (bench, "elements", label, error);
    return;
  }
  bench_add (bench, "elements", cpu, ours.cpu_us - plain.cpu_us, "us/frame",
      CPU_LIMIT_US);
  bench_add (bench, "elements", heap, ours.allocations - plain.allocations,
      "/frame", 0);
}

static const gchar copy_kernel[] =
    "hipkernel entry=copy source=\"extern \\\"C\\\" __global__ void "
    "copy (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info) { "
    "int x = blockIdx.x * blockDim.x + threadIdx.x; "
    "int y = blockIdx.y * blockDim.y + threadIdx.y; "
    "if (x < out.width && y < out.height) "
    "out.data[0][y * out.stride[0] + x] = in.data[0][y * in.stride[0] + x]; "
    "}\"";

void
bench_elements (Bench * bench)
{
  static const gint sizes[][2] = { {64, 48}, {1920, 1080} };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gint w = sizes[i][0], h = sizes[i][1];
    g_autoptr (GstCaps) cpu = bench_caps ("NV12", w, h, FALSE);
    g_autoptr (GstCaps) hip = bench_caps ("NV12", w, h, TRUE);
    g_autoptr (GstCaps) gray = bench_caps ("GRAY8", w, h, TRUE);
    g_autoptr (GstCaps) rgba = bench_caps ("RGBA", w, h, TRUE);
    g_autofree gchar *convert = g_strdup_printf ("hipconvert %dx%d", w, h);
    g_autofree gchar *upload = g_strdup_printf ("hipupload %dx%d", w, h);
    g_autofree gchar *download = g_strdup_printf ("hipdownload %dx%d", w, h);
    g_autofree gchar *kernel = g_strdup_printf ("hipkernel %dx%d", w, h);

    compare (bench, upload, "hipupload", cpu, hip);
    compare (bench, download, "hipdownload", hip, cpu);
    compare (bench, kernel, copy_kernel, gray, gray);
    /* Room for two bursts: what was done may not have been told yet, and would
     * be told behind what the blocker holds. */
    compare (bench, convert, "hipconvert max-in-flight=32", hip, rgba);
  }
}
