/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What do other elements take for the same job? GST_HIP_BENCH_PEER names a
 * folder with another GStreamer and its own GPU elements, whose program "gl" is
 * that one's gst-launch-1.0; without it there is nothing to compare with. Both
 * sides run the same pipeline but for the elements' names, with caps behind, as
 * frames would not be brought up for a sink that takes any. What starting costs
 * is taken out by running it with few and with many frames: the shortest run of
 * each counts, since starts vary more than the frames take. */
#include "bench.h"

#define FEW 500
#define MANY 5500
#define ROUNDS 3
#define ON_HIP " ! 'video/x-raw(memory:HIPMemory)'"
#define ON_CUDA " ! 'video/x-raw(memory:CUDAMemory)'"

typedef struct
{
  const gchar *ours, *peers[3];
} Job;

static const Job jobs[] = {
  {"hipupload" ON_HIP, {"cudaupload" ON_CUDA, "hipupload" ON_HIP, NULL}},
  {"hipupload" ON_HIP " ! hipdownload",
        {"cudaupload" ON_CUDA " ! cudadownload",
          "hipupload" ON_HIP " ! hipdownload", NULL}},
};

static gboolean
run (const gchar * launcher, const gchar * chain, guint n, gdouble * seconds,
    GError ** error)
{
  g_autofree gchar *line = g_strdup_printf ("%s -q videotestsrc num-buffers=1 "
      "! video/x-raw,format=NV12,width=1920,height=1080 ! "
      "imagefreeze num-buffers=%u ! %s ! fakesink sync=false", launcher, n,
      chain);
  g_autofree gchar *err = NULL;
  gint64 begin = g_get_monotonic_time ();
  gint status;

  if (!g_spawn_command_line_sync (line, NULL, &err, &status, error))
    return FALSE;
  *seconds = (g_get_monotonic_time () - begin) / 1e6;
  if (g_spawn_check_wait_status (status, error))
    return TRUE;
  g_prefix_error (error, "%.200s ", err);
  return FALSE;
}

/* Without the caps */
static gchar *
label_of (const gchar * whose, const gchar * chain)
{
  g_auto (GStrv) parts = g_strsplit (chain, " ! ", -1);
  g_autoptr (GString) label = g_string_new (whose);

  for (guint i = 0; parts[i]; i++) {
    if (parts[i][0] != '\'')
      g_string_append_printf (label, "%s %s", i ? " !" : ":", parts[i]);
  }
  return g_string_free (g_steal_pointer (&label), FALSE);
}

static void
measure (Bench * bench, const gchar * launcher, const gchar * whose,
    const gchar * chain)
{
  g_autofree gchar *label = label_of (whose, chain);
  gdouble least[2] = { G_MAXDOUBLE, G_MAXDOUBLE }, seconds;
  GError *error = NULL;

  for (guint i = 0; i < 2 * ROUNDS; i++) {
    if (!run (launcher, chain, i % 2 ? MANY : FEW, &seconds, &error)) {
      bench_fail (bench, "peers", label, error);
      return;
    }
    least[i % 2] = MIN (least[i % 2], seconds);
  }
  bench_add (bench, "peers", label, (least[1] - least[0]) * 1e6 / (MANY - FEW),
      "us/frame", BENCH_NO_LIMIT);
}

void
bench_peers (Bench * bench)
{
  const gchar *folder = g_getenv ("GST_HIP_BENCH_PEER");
  g_autofree gchar *launcher = NULL;

  if (folder == NULL)
    return;
  launcher = g_build_filename (folder, "gl", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++) {
    measure (bench, "gst-launch-1.0", "ours", jobs[i].ours);
    for (guint j = 0; jobs[i].peers[j]; j++)
      measure (bench, launcher, "peer", jobs[i].peers[j]);
  }
}
