/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What do elements take to convert a frame: ours, videoconvert, and another
 * GStreamer's GPU elements (GST_HIP_BENCH_PEER, as in bench-peers.c)? Each is
 * driven by gst-hip-bench-chain in a process of its own, all in the same way.
 * Who is not there, or cannot do a job, is left out and named. */
#include <stdio.h>
#include <string.h>

#include "bench-convert.h"

#define SECONDS "0.25"
#define NOT_HERE 3

typedef struct
{
  const gchar *name;
  gboolean peer;                /* by the other GStreamer */
  const gchar *feature;         /* of caps; NULL: CPU memory */
  const gchar *up, *convert, *down;
  const gchar *scale_name, *scale;      /* where sizes differ */
} Contender;

static const Contender contenders[] = {
  {"hipconvert", FALSE, "(memory:HIPMemory)", "hipupload", "hipconvert",
      "hipdownload", "hipconvertscale", "hipconvertscale"},
  {"1.28 hipconvert", TRUE, "(memory:HIPMemory)", "hipupload", "hipconvert",
      "hipdownload", "1.28 hipconvertscale", "hipconvertscale"},
  {"1.28 cudaconvert", TRUE, "(memory:CUDAMemory)", "cudaupload",
        "cudaconvert", "cudadownload", "1.28 cudaconvertscale",
      "cudaconvertscale"},
  {"videoconvert", FALSE, NULL, NULL, "videoconvert", NULL,
      "videoconvertscale", "videoconvertscale"},
};

/* The program beside this one: in a bundle ours is started by a script that
 * ends in .run, another GStreamer's loader takes the program itself */
static gchar *
chain_program (const gchar * self, gboolean peer)
{
  g_autofree gchar *stem = g_strdup (self);
  gboolean bundled = g_str_has_suffix (stem, ".run");

  if (bundled)
    stem[strlen (stem) - strlen (".run")] = '\0';
  return g_strconcat (stem, "-chain", bundled && !peer ? ".run" : NULL, NULL);
}

static gboolean
run_chain (Bench * bench, const Contender * who, const gchar * caps,
    const gchar * prepare, const gchar * chain, gboolean read, gdouble us[3],
    GError ** error)
{
  g_autofree gchar *program = chain_program (bench->self, who->peer);
  g_autofree gchar *out = NULL;
  g_autofree gchar *err = NULL;
  g_autofree gchar *launcher = NULL;
  const gchar *argv[8], **next = argv;
  gint status;

  if (who->peer) {
    launcher = g_build_filename (g_getenv ("GST_HIP_BENCH_PEER"), "glx", NULL);
    *next++ = launcher;
  }
  *next++ = program;
  *next++ = caps;
  *next++ = prepare;
  *next++ = chain;
  *next++ = bench->quick ? "0" : SECONDS;
  *next++ = read ? "read" : NULL;
  *next++ = NULL;
  if (!g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL,
          &out, &err, &status, error))
    return FALSE;
  if (!g_spawn_check_wait_status (status, error)) {
    g_prefix_error (error, "%.300s ", err);
    return FALSE;
  }
  if (sscanf (out, "%lf %lf %lf", &us[0], &us[1], &us[2]) == 3)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED, "it printed %.100s",
      out);
  return FALSE;
}

static void
measure (Bench * bench, const Contender * who, const gchar * group,
    const gchar * label, const gchar * caps, const gchar * prepare,
    const gchar * chain, gboolean read, gdouble limit)
{
  g_autofree gchar *cpu_label = g_strconcat (label, ", CPU", NULL);
  g_autofree gchar *all_label = g_strconcat (label, ", all CPU", NULL);
  GError *error = NULL;
  gdouble us[3];

  if (run_chain (bench, who, caps, prepare, chain, read, us, &error)) {
    bench_add (bench, group, label, us[0], "us/frame", limit);
    bench_add (bench, group, cpu_label, us[1], "us/frame", BENCH_NO_LIMIT);
    if (bench_convert_on_host (bench))
      bench_add (bench, group, all_label, us[2], "us/frame", BENCH_NO_LIMIT);
  } else if (who->peer || g_error_matches (error, G_SPAWN_EXIT_ERROR, NOT_HERE)) {
    g_strdelimit (error->message, "\n", ' ');
    printf ("%-10s%-44s not there: %.90s\n", group, label, error->message);
    g_clear_error (&error);
  } else {
    bench_fail (bench, group, label, error);
  }
}

static gboolean
is_wanted (const Contender * who)
{
  return !who->peer || g_getenv ("GST_HIP_BENCH_PEER") != NULL;
}

static gchar *
caps_text (const gchar * feature, const gchar * format, gint width, gint height)
{
  return g_strdup_printf ("video/x-raw%s,format=%s,width=%d,height=%d,"
      "framerate=30/1", feature ? feature : "", format, width, height);
}

void
bench_convert_elements (Bench * bench, const BenchConvertJob * job)
{
  for (guint i = 0; i < G_N_ELEMENTS (contenders); i++) {
    const Contender *who = &contenders[i];
    gboolean scale = job->out_width != 0;
    const gchar *convert = scale ? who->scale : who->convert;
    g_autofree gchar *label = bench_convert_label (job,
        scale ? who->scale_name : who->name);
    g_autofree gchar *in = caps_text (NULL, job->in, job->width, job->height);
    g_autofree gchar *out = caps_text (who->feature, job->out,
        scale ? job->out_width : job->width,
        scale ? job->out_height : job->height);
    g_autofree gchar *chain = who->up ?
        g_strdup_printf ("%s ! capsfilter caps=\"%s\"", convert, out) :
        g_strdup_printf ("%s n-threads=%u ! capsfilter caps=\"%s\"", convert,
        g_get_num_processors (), out);

    if (is_wanted (who))
      measure (bench, who, scale ? "scale" : "convert", label, in,
          who->up ? who->up : "", chain, FALSE, who->peer
          || !who->up ? BENCH_NO_LIMIT : bench_nvidia_limit (bench,
              job->limit));
  }
}

void
bench_convert_transfers (Bench * bench)
{
  for (guint i = 0; i < G_N_ELEMENTS (contenders); i++) {
    const Contender *who = &contenders[i];
    g_autofree gchar *in = caps_text (NULL, "NV12", 1920, 1080);
    g_autofree gchar *out = caps_text (who->feature, "RGBA", 1920, 1080);
    g_autofree gchar *up = g_strdup_printf ("%s ! %s ! "
        "capsfilter caps=\"%s\"", who->up, who->convert, out);
    g_autofree gchar *down = g_strdup_printf ("%s ! "
        "capsfilter caps=\"%s\" ! %s", who->convert, out, who->down);
    g_autofree gchar *up_label = g_strdup_printf ("NV12 RGBA 1080p, up: %s",
        who->name);
    g_autofree gchar *down_label = g_strdup_printf ("NV12 RGBA 1080p, down: %s",
        who->name);

    if (!who->up || !is_wanted (who))
      continue;
    measure (bench, who, "convert", up_label, in, "", up, FALSE, who->peer ?
        BENCH_NO_LIMIT : bench_nvidia_limit (bench, 75));
    measure (bench, who, "convert", down_label, in, who->up, down, TRUE,
        who->peer ? BENCH_NO_LIMIT : bench_nvidia_limit (bench, 180));
  }
}
