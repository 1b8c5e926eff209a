/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How far are kernels on the host device from plain C loops? Both do the same
 * arithmetic (loops.h), compiled by the same compiler for this CPU with -O3,
 * over the same frame, with the same number of threads, in turns. The best of
 * all turns counts, since whatever else runs only adds. */
#include <gmodule.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "bench.h"

/* loops-plain.c and loops.hip, embedded by the build */
extern const char bench_loops_plain[];
extern const char bench_loops_kernels[];

#define WIDTH 1920
#define HEIGHT 1080
#define PER_TURN 16
#define USER_LIMIT 2.0
#define OWN_LIMIT 1.2

typedef void (*PlainFunc) (const guint8 * in, guint8 * out, int stride, int w,
    int h, int begin, int end);

/* --- plain C: a band of rows for each thread --- */

typedef struct
{
  PlainFunc func;
  const guint8 *in;
  guint8 *out;
  guint n_threads;
} Plain;

typedef struct
{
  Plain *plain;
  guint band;
} Band;

static void
run_band (Band * band)
{
  Plain *plain = band->plain;
  guint n = plain->n_threads;

  plain->func (plain->in, plain->out, WIDTH, WIDTH, HEIGHT,
      HEIGHT * band->band / n, HEIGHT * (band->band + 1) / n);
}

typedef struct
{
  GMutex lock;
  GCond cond;
  guint turn, left;
  gboolean quit;
  Plain plain;
} Team;

typedef struct
{
  Team *team;
  guint band;
} Member;

/* Threads that stay: starting them is no part of a loop's time */
static gpointer
member_main (gpointer data)
{
  Member *member = data;
  Team *team = member->team;
  guint seen = 0;

  for (;;) {
    Band band = { &team->plain, member->band };
    gboolean quit;

    g_mutex_lock (&team->lock);
    while (team->turn == seen && !team->quit)
      g_cond_wait (&team->cond, &team->lock);
    seen = team->turn;
    quit = team->quit;
    g_mutex_unlock (&team->lock);
    if (quit)
      return NULL;
    run_band (&band);
    g_mutex_lock (&team->lock);
    if (--team->left == 0)
      g_cond_broadcast (&team->cond);
    g_mutex_unlock (&team->lock);
  }
}

static gint64
time_plain (Team * team)
{
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < PER_TURN; i++) {
    Band mine = { &team->plain, 0 };

    g_mutex_lock (&team->lock);
    team->turn++;
    team->left = team->plain.n_threads - 1;
    g_cond_broadcast (&team->cond);
    g_mutex_unlock (&team->lock);
    run_band (&mine);
    g_mutex_lock (&team->lock);
    while (team->left > 0)
      g_cond_wait (&team->cond, &team->lock);
    g_mutex_unlock (&team->lock);
  }
  return g_get_monotonic_time () - begin;
}

static GModule *
compile_plain (Bench * bench, GError ** error)
{
  g_autoptr (GstStructure) backend =
      gst_hip_get_backend_info (GST_HIP_VENDOR_HOST, error);
  g_autofree gchar *folder = g_dir_make_tmp ("gst-hip-bench-XXXXXX", error);
  const gchar *compiler =
      backend ? gst_structure_get_string (backend, "compiler") : NULL;
  g_autofree gchar *source = NULL;
  g_autofree gchar *object = NULL;
  g_autofree gchar *said = NULL;
  g_autofree gchar *march = g_strconcat ("-march=",
      g_getenv ("GST_HIP_HOST_ARCH") ? gst_hip_device_get_info (bench->device)
      ->arch : "native", NULL);
  GModule *module = NULL;
  gint status;

  if (backend == NULL || folder == NULL)
    return NULL;
  source = g_build_filename (folder, "loops.c", NULL);
  object = g_build_filename (folder, "loops.so", NULL);
  if (compiler == NULL) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "the host device has no compiler");
  } else if (g_file_set_contents (source, bench_loops_plain, -1, error)) {
    gchar *argv[] = { (gchar *) compiler, (gchar *) "-x", (gchar *) "c",
      (gchar *) "-std=c11", (gchar *) "-O3", march,
      (gchar *) "-fPIC", (gchar *) "-shared", (gchar *) "-o", object, source,
      NULL
    };

    if (g_spawn_sync (NULL, argv, NULL, 0, NULL, NULL, NULL, &said, &status,
            error) && g_spawn_check_wait_status (status, error)) {
      module = g_module_open (object, G_MODULE_BIND_LOCAL);
      if (module == NULL)
        g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED, "%s",
            g_module_error ());
    } else if (said != NULL) {
      g_prefix_error (error, "%s", said);
    }
  }
  g_remove (source);
  g_remove (object);
  g_rmdir (folder);
  return module;
}

/* --- kernels --- */

typedef struct
{
  GstHipKernelModule *module;
  GstHipStream *stream;
  GstMemory *in, *out;
  GstHipKernelArgs *args;
} Kernels;

static gboolean
time_kernel (Kernels * kernels, const gchar * entry, guint per_thread,
    gint64 * us, GError ** error)
{
  static const guint block[3] = { 16, 16, 1 };
  const guint threads = (WIDTH + per_thread - 1) / per_thread;
  const guint grid[3] = { (threads + 15) / 16, (HEIGHT + 15) / 16, 1 };
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < PER_TURN; i++) {
    if (!gst_hip_kernel_module_launch (kernels->module, entry, kernels->stream,
            grid, block, kernels->args, error))
      return FALSE;
  }
  if (!gst_hip_stream_synchronize_full (kernels->stream, error))
    return FALSE;
  *us = g_get_monotonic_time () - begin;
  return TRUE;
}

static gboolean
make_kernels (Bench * bench, Kernels * kernels, const guint8 * picture,
    GError ** error)
{
  const gsize size = WIDTH * HEIGHT;
  GstMapInfo map;

  kernels->module = gst_hip_kernel_module_new_from_source (bench->device,
      bench_loops_kernels, NULL, error);
  if (kernels->module == NULL)
    return FALSE;
  kernels->stream = gst_hip_stream_new_full (bench->device, 0, error);
  if (kernels->stream == NULL)
    return FALSE;
  kernels->in = gst_hip_allocator_alloc_linear (NULL, bench->device, size,
      error);
  if (kernels->in == NULL)
    return FALSE;
  kernels->out = gst_hip_allocator_alloc_linear (NULL, bench->device, size,
      error);
  if (kernels->out == NULL)
    return FALSE;
  if (!gst_memory_map (kernels->in, &map, GST_MAP_WRITE))
    return FALSE;
  memcpy (map.data, picture, size);
  gst_memory_unmap (kernels->in, &map);

  kernels->args = gst_hip_kernel_args_new ();
  if (!gst_hip_kernel_args_add_memory (kernels->args, kernels->in, 0, error) ||
      !gst_hip_kernel_args_add_memory (kernels->args, kernels->out, 0, error))
    return FALSE;
  gst_hip_kernel_args_add_int32 (kernels->args, WIDTH);
  gst_hip_kernel_args_add_int32 (kernels->args, WIDTH);
  gst_hip_kernel_args_add_int32 (kernels->args, HEIGHT);
  return TRUE;
}

static void
clear_kernels (Kernels * kernels)
{
  g_clear_pointer (&kernels->args, gst_hip_kernel_args_unref);
  if (kernels->in != NULL)
    gst_memory_unref (kernels->in);
  if (kernels->out != NULL)
    gst_memory_unref (kernels->out);
  gst_clear_hip_stream (&kernels->stream);
  g_clear_pointer (&kernels->module, gst_hip_kernel_module_unref);
}

/* A comparison of two that do not compute the same would be worth nothing. */
static gboolean
same_result (Kernels * kernels, const guint8 * plain, GError ** error)
{
  GstMapInfo map;
  gboolean same;

  if (!gst_memory_map (kernels->out, &map, GST_MAP_READ))
    return FALSE;
  same = memcmp (map.data, plain, WIDTH * HEIGHT) == 0;
  gst_memory_unmap (kernels->out, &map);
  if (!same)
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "the kernel and the plain loop give different pictures");
  return same;
}

/* --- both --- */

static void
compare (Bench * bench, Team * team, Kernels * kernels, GModule * loops,
    const gchar * entry, const gchar * plain_name, guint per_thread,
    gdouble limit)
{
  g_autofree gchar *symbol = g_strconcat ("plain_", plain_name, NULL);
  g_autofree gchar *ours = g_strdup_printf ("%s, GRAY8 1080p: kernel", entry);
  g_autofree gchar *plain = g_strdup_printf ("%s, GRAY8 1080p: plain C", entry);
  g_autofree gchar *ratio = g_strdup_printf ("%s, GRAY8 1080p: ratio", entry);
  gint64 best_ours = G_MAXINT64, best_plain = G_MAXINT64, us;
  guint n_turns = bench->quick ? 2 : 40;
  GError *error = NULL;
  gpointer func;

  if (!g_module_symbol (loops, symbol, &func))
    g_assert_not_reached ();
  team->plain.func = (PlainFunc) func;
  for (guint i = 0; i < n_turns; i++) {
    best_plain = MIN (best_plain, time_plain (team));
    if (!time_kernel (kernels, entry, per_thread, &us, &error) ||
        !same_result (kernels, team->plain.out, &error)) {
      bench_fail (bench, "loops", entry, error);
      return;
    }
    best_ours = MIN (best_ours, us);
  }
  bench_add (bench, "loops", ours, best_ours / (1000.0 * PER_TURN), "ms",
      BENCH_NO_LIMIT);
  bench_add (bench, "loops", plain, best_plain / (1000.0 * PER_TURN), "ms",
      BENCH_NO_LIMIT);
  bench_add (bench, "loops", ratio, (gdouble) best_ours / best_plain, "times",
      limit);
}

static void
compare_all (Bench * bench, Team * team, GModule * loops)
{
  const guint n = team->plain.n_threads;
  g_autofree Member *members = g_new0 (Member, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);
  Kernels kernels = { NULL, };
  GError *error = NULL;

  for (guint i = 1; i < n; i++) {
    members[i].team = team;
    members[i].band = i;
    threads[i] = g_thread_new ("plain", member_main, &members[i]);
  }
  if (make_kernels (bench, &kernels, team->plain.in, &error)) {
    compare (bench, team, &kernels, loops, "edge", "edge", 1, USER_LIMIT);
    compare (bench, team, &kernels, loops, "contrast", "contrast", 1,
        USER_LIMIT);
    compare (bench, team, &kernels, loops, "contrast_wide", "contrast", 64,
        OWN_LIMIT);
  } else {
    bench_fail (bench, "loops", "kernels", error);
  }
  clear_kernels (&kernels);
  g_mutex_lock (&team->lock);
  team->quit = TRUE;
  g_cond_broadcast (&team->cond);
  g_mutex_unlock (&team->lock);
  for (guint i = 1; i < n; i++)
    g_thread_join (threads[i]);
}

void
bench_loops (Bench * bench)
{
  const GstHipDeviceInfo *info = gst_hip_device_get_info (bench->device);
  g_autofree guint8 *in = NULL;
  g_autofree guint8 *out = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GError *error = NULL;
  Team team = { 0, };
  GModule *loops;

  if (gst_hip_device_get_vendor (bench->device) != GST_HIP_VENDOR_HOST)
    return;
  loops = compile_plain (bench, &error);
  if (loops == NULL) {
    bench_fail (bench, "loops", "plain C", error);
    return;
  }
  in = g_malloc (WIDTH * HEIGHT);
  out = g_malloc0 (WIDTH * HEIGHT);
  for (gsize i = 0; i < WIDTH * HEIGHT; i++)
    in[i] = g_rand_int (rand);
  g_mutex_init (&team.lock);
  g_cond_init (&team.cond);
  team.plain.in = in;
  team.plain.out = out;
  team.plain.n_threads = MAX (info->compute_units, 1);
  compare_all (bench, &team, loops);
  g_mutex_clear (&team.lock);
  g_cond_clear (&team.cond);
  g_module_close (loops);
}
