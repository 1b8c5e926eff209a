/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How do loops without GstHip run beside kernels: compiled by the same compiler
 * with the same options, on as many threads? Threads stay, since starting them
 * is no part of a loop's time, and sleep between frames: CPU time that they take
 * is the loop's. */
#include <unistd.h>

#include <glib/gstdio.h>

#include "bench-plain.h"

typedef struct
{
  BenchPlainFunc func;
  const guint8 *in;
  guint8 *out;
  int width, height;
} Frame;

typedef struct
{
  BenchTeam *team;
  guint band;
} Member;

struct _BenchTeam
{
  GMutex lock;
  GCond cond;
  guint turn, left;
  gboolean quit;
  Frame frame;
  guint n_threads;
  Member *members;              /* the first is the caller */
  GThread **threads;
};

static void
run_band (BenchTeam * team, guint band)
{
  const Frame *frame = &team->frame;
  guint n = team->n_threads;
  /* Formats that halve chroma want pairs of rows. */
  int begin = (int) (frame->height / 2 * band / n * 2);
  int end = band + 1 == n ? frame->height
      : (int) (frame->height / 2 * (band + 1) / n * 2);

  frame->func (frame->in, frame->out, frame->width, frame->width,
      frame->height, begin, end);
}

static gpointer
member_main (gpointer data)
{
  Member *member = data;
  BenchTeam *team = member->team;
  guint seen = 0;

  for (;;) {
    gboolean quit;

    g_mutex_lock (&team->lock);
    while (team->turn == seen && !team->quit)
      g_cond_wait (&team->cond, &team->lock);
    seen = team->turn;
    quit = team->quit;
    g_mutex_unlock (&team->lock);
    if (quit)
      return NULL;
    run_band (team, member->band);
    g_mutex_lock (&team->lock);
    if (--team->left == 0)
      g_cond_broadcast (&team->cond);
    g_mutex_unlock (&team->lock);
  }
}

BenchTeam *
bench_team_new (guint n_threads)
{
  BenchTeam *team = g_new0 (BenchTeam, 1);

  g_mutex_init (&team->lock);
  g_cond_init (&team->cond);
  team->n_threads = n_threads;
  team->members = g_new0 (Member, n_threads);
  team->threads = g_new0 (GThread *, n_threads);
  for (guint i = 1; i < n_threads; i++) {
    team->members[i].team = team;
    team->members[i].band = i;
    team->threads[i] = g_thread_new ("plain", member_main, &team->members[i]);
  }
  return team;
}

void
bench_team_free (BenchTeam * team)
{
  g_mutex_lock (&team->lock);
  team->quit = TRUE;
  g_cond_broadcast (&team->cond);
  g_mutex_unlock (&team->lock);
  for (guint i = 1; i < team->n_threads; i++)
    g_thread_join (team->threads[i]);
  g_mutex_clear (&team->lock);
  g_cond_clear (&team->cond);
  g_free (team->members);
  g_free (team->threads);
  g_free (team);
}

void
bench_team_run (BenchTeam * team, BenchPlainFunc func, const guint8 * in,
    guint8 * out, int width, int height)
{
  Frame frame = { func, in, out, width, height };

  g_mutex_lock (&team->lock);
  team->frame = frame;
  team->turn++;
  team->left = team->n_threads - 1;
  g_cond_broadcast (&team->cond);
  g_mutex_unlock (&team->lock);
  run_band (team, 0);
  g_mutex_lock (&team->lock);
  while (team->left > 0)
    g_cond_wait (&team->cond, &team->lock);
  g_mutex_unlock (&team->lock);
}

GModule *
bench_compile_plain (Bench * bench, const gchar * text, const gchar * language,
    GError ** error)
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
  source = g_build_filename (folder, "loops.txt", NULL);
  object = g_build_filename (folder, "loops.so", NULL);
  if (compiler == NULL) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "the host device has no compiler");
  } else if (g_file_set_contents (source, text, -1, error)) {
    gchar *argv[] = { (gchar *) compiler, (gchar *) "-x", (gchar *) language,
      (gchar *) "-O3", march,
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
