/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How fast do frames get to the device and back, through the elements that
 * users have? The best of some rounds; one memcpy () beside it, as the
 * machine's own measure. */
#include <string.h>

#include "bench.h"

#define WINDOW 4                /* frames under way, below max-in-flight */

static gboolean
run_round (Bench * bench, BenchRig * rig, guint n_frames, gdouble * seconds,
    GError ** error)
{
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++) {
    GstBuffer *buffer = bench_rig_acquire (rig, error);

    if (buffer == NULL || !bench_rig_push (rig, buffer, error))
      return FALSE;
    if (rig->outputs->len > WINDOW) {
      GstMemory *memory =
          gst_buffer_peek_memory (g_ptr_array_index (rig->outputs, 0), 0);

      if (gst_is_hip_memory (memory))
        gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));
      g_ptr_array_remove_index (rig->outputs, 0);
    }
  }
  bench_rig_wait (rig);
  *seconds = (g_get_monotonic_time () - begin) / 1e6;
  g_ptr_array_set_size (rig->outputs, 0);
  return TRUE;
}

static void
measure (Bench * bench, const gchar * label, const gchar * element,
    GstCaps * in_caps, GstCaps * out_caps, gboolean pinned)
{
  guint n_frames = bench->quick ? 4 : 60, n_rounds = bench->quick ? 1 : 7;
  GError *error = NULL;
  g_autoptr (BenchRig) rig = bench_rig_new (bench, element, in_caps, out_caps,
      pinned, &error);
  gdouble best = G_MAXDOUBLE, seconds;
  GstVideoInfo info;

  for (guint i = 0; rig != NULL && i <= n_rounds; i++) {
    if (!run_round (bench, rig, n_frames, &seconds, &error))
      break;
    if (i > 0)                  /* the first one fills pools */
      best = MIN (best, seconds);
  }
  if (error != NULL) {
    bench_fail (bench, "copies", label, error);
    return;
  }
  gst_video_info_from_caps (&info, in_caps);
  bench_add (bench, "copies", label, info.size * n_frames / best / 1e9, "GB/s",
      BENCH_NO_LIMIT);
}

static void
measure_memcpy (Bench * bench)
{
  const gsize size = 1920 * 1080 * 4;
  guint8 *from[WINDOW], *to[WINDOW];
  gint64 best = G_MAXINT64;

  for (guint i = 0; i < WINDOW; i++) {
    from[i] = g_malloc (size);
    to[i] = g_malloc (size);
    memset (from[i], i, size);
    memset (to[i], i, size);
  }
  for (guint i = 0; i < (bench->quick ? 2 : 60); i++) {
    gint64 begin = g_get_monotonic_time ();

    memcpy (to[i % WINDOW], from[i % WINDOW], size);
    best = MIN (best, MAX (g_get_monotonic_time () - begin, 1));
  }
  bench_add (bench, "copies", "memcpy, one thread, RGBA 1080p",
      size / (best * 1e3), "GB/s", BENCH_NO_LIMIT);
  for (guint i = 0; i < WINDOW; i++) {
    g_free (from[i]);
    g_free (to[i]);
  }
}

void
bench_copies (Bench * bench)
{
  static const gchar *const formats[] = { "NV12", "RGBA" };

  measure_memcpy (bench);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (GstCaps) cpu = bench_caps (formats[i], 1920, 1080, FALSE);
    g_autoptr (GstCaps) hip = bench_caps (formats[i], 1920, 1080, TRUE);
    g_autofree gchar *pinned =
        g_strdup_printf ("hipupload, pinned, %s 1080p", formats[i]);
    g_autofree gchar *pageable =
        g_strdup_printf ("hipupload, pageable, %s 1080p", formats[i]);
    g_autofree gchar *down =
        g_strdup_printf ("hipdownload, %s 1080p", formats[i]);

    measure (bench, pinned, "hipupload", cpu, hip, TRUE);
    measure (bench, pageable, "hipupload", cpu, hip, FALSE);
    measure (bench, down, "hipdownload", hip, cpu, TRUE);
  }
}
