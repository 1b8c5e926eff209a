/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How long does a program wait for a kernel when it starts: the first time on
 * this machine, and after that? Each start is a process of its own; the cache
 * is a folder that is empty at first. */
#include <stdio.h>
#include <stdlib.h>

#include <glib/gstdio.h>

#include "bench.h"

#define WARM_LIMIT_MS 10.0

static const gchar start_source[] =
    "extern \"C\" __global__ void\n"
    "scale (const float *in, float *out, int n, float factor)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n" "    out[i] = in[i] * factor;\n" "}\n";

int
bench_start_child (Bench * bench)
{
  GError *error = NULL;
  gint64 begin = g_get_monotonic_time ();
  GstHipKernelModule *module =
      gst_hip_kernel_module_new_from_source (bench->device, start_source, NULL,
      &error);
  gint64 end = g_get_monotonic_time ();
  g_autoptr (GstStructure) info =
      gst_hip_get_backend_info (gst_hip_device_get_vendor (bench->device),
      NULL);
  guint compiled = 0;

  if (module == NULL) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  gst_structure_get (info, "modules-compiled", G_TYPE_UINT, &compiled, NULL);
  /* microseconds: no decimal point in any locale */
  printf ("%" G_GINT64_FORMAT " %u\n", end - begin, compiled);
  gst_hip_kernel_module_unref (module);
  return 0;
}

static gboolean
start_once (Bench * bench, const gchar * folder, gdouble * ms,
    guint * compiled, GError ** error)
{
  g_auto (GStrv) env = g_environ_setenv (g_get_environ (), "GST_HIP_CACHE_DIR",
      folder, TRUE);
  g_autofree gchar *out = NULL;
  g_autofree gchar *err = NULL;
  const gchar *vendor = NULL;
  g_autofree gchar *id = g_strdup_printf ("%u",
      gst_hip_device_get_device_id (bench->device));
  gchar *argv[] = { (gchar *) bench->self, (gchar *) "--start-child", NULL };
  gint status;
  gchar *end;

  vendor = gst_hip_device_get_vendor (bench->device) == GST_HIP_VENDOR_HOST ?
      "host" : gst_hip_device_get_vendor (bench->device) == GST_HIP_VENDOR_AMD ?
      "amd" : "nvidia";
  env = g_environ_unsetenv (env, "GST_HIP_CACHE");
  env = g_environ_setenv (env, "GST_HIP_VENDOR", vendor, TRUE);
  env = g_environ_setenv (env, "GST_HIP_DEVICE", id, TRUE);
  if (!g_spawn_sync (NULL, argv, env, 0, NULL, NULL, &out, &err, &status,
          error))
    return FALSE;
  if (!g_spawn_check_wait_status (status, error)) {
    g_prefix_error (error, "%s", err);
    return FALSE;
  }
  *ms = g_ascii_strtoull (out, &end, 10) / 1000.0;
  *compiled += g_ascii_strtoull (end, NULL, 10);
  return TRUE;
}

static void
remove_folder (const gchar * folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    g_remove (path);
  }
  if (dir != NULL)
    g_dir_close (dir);
  g_rmdir (folder);
}

void
bench_starts (Bench * bench)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gst-hip-bench-XXXXXX", NULL);
  gdouble cold, warm = G_MAXDOUBLE, ms;
  GError *error = NULL;
  guint n = bench->quick ? 1 : 9;
  guint first = 0, later = 0;
  gboolean ok = start_once (bench, folder, &cold, &first, &error);

  /* The best: other processes only add. */
  for (guint i = 0; ok && i < n; i++) {
    ok = start_once (bench, folder, &ms, &later, &error);
    warm = MIN (warm, ms);
  }
  if (ok) {
    bench_add (bench, "starts", "kernel module, first start", cold, "ms",
        BENCH_NO_LIMIT);
    bench_add (bench, "starts", "kernel module, later starts", warm, "ms",
        WARM_LIMIT_MS);
    bench_add (bench, "starts", "compiled at the first start", first, "modules",
        1);
    bench_add (bench, "starts", "compiled at later starts", later, "modules",
        0);
  } else {
    bench_fail (bench, "starts", "kernel module", error);
  }
  remove_folder (folder);
}
