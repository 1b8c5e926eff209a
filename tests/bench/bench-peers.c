/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What do other elements take for the same job? GST_HIP_BENCH_PEER names a
 * folder with another GStreamer and its own GPU elements, whose program "gl" is
 * that one's gst-launch-1.0; without it there is nothing to compare with. Both
 * sides run the same pipeline but for the elements' names; what starting costs
 * is taken out by running it with few and with many frames. */
#include "bench.h"

#define FEW 300
#define MANY 3300

typedef struct
{
  const gchar *ours, *peers[3];
} Job;

static const Job jobs[] = {
  {"hipupload", {"cudaupload", "hipupload", NULL}},
  {"hipupload ! hipdownload",
      {"cudaupload ! cudadownload", "hipupload ! hipdownload", NULL}},
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

static void
measure (Bench * bench, const gchar * launcher, const gchar * whose,
    const gchar * chain)
{
  g_autofree gchar *label = g_strdup_printf ("%s: %s", whose, chain);
  gdouble few, many, best = G_MAXDOUBLE;
  GError *error = NULL;

  for (guint i = 0; i < 2; i++) {
    if (!run (launcher, chain, FEW, &few, &error) ||
        !run (launcher, chain, MANY, &many, &error)) {
      bench_fail (bench, "peers", label, error);
      return;
    }
    best = MIN (best, (many - few) * 1e6 / (MANY - FEW));
  }
  bench_add (bench, "peers", label, best, "us/frame", BENCH_NO_LIMIT);
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
