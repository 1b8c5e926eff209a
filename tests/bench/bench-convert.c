/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How fast are frames converted that are on the device? For each pair: the
 * kernel by the device's own clock, beside what copying as many bytes takes in
 * the same run; frames through the library and through elements; and the same
 * job by others, where they are (bench-convert-peers.c, bench-npp.c).
 *
 * Kernels go round frames that do not fit into the device's cache together. */
#include <string.h>

#include "bench.h"
#include "bench-convert.h"

#define AROUND_BYTES (256u << 20)       /* more than any L2 has */
#define MAX_AROUND 40
#define QUEUED 40               /* launches that are timed together */

/* Part "speed" first; what its lines may take, in microseconds */
const BenchConvertJob bench_convert_jobs[] = {
  {"NV12", "RGBA", 3840, 2160, 15},
  {"RGBA", "I420", 3840, 2160, 15},
  {"NV12", "RGBA", 1920, 1080, BENCH_NO_LIMIT},
  {"I420", "RGBA", 3840, 2160, BENCH_NO_LIMIT},
  {"RGBA", "NV12", 3840, 2160, BENCH_NO_LIMIT},
  {"RGBA", "BGRA", 3840, 2160, BENCH_NO_LIMIT},
  {"RGBA", "RGBP", 3840, 2160, BENCH_NO_LIMIT},
  {"RGBP", "RGBA", 3840, 2160, BENCH_NO_LIMIT},
  {"NV12", "RGBP", 3840, 2160, BENCH_NO_LIMIT},
  {"NV12", "RGB", 3840, 2160, BENCH_NO_LIMIT},
  {"I420", "RGB", 3840, 2160, BENCH_NO_LIMIT},
  {"RGB", "I420", 3840, 2160, BENCH_NO_LIMIT},
  {"I420", "NV12", 3840, 2160, BENCH_NO_LIMIT},
  {"NV12", "I420", 3840, 2160, BENCH_NO_LIMIT},
  {"P010_10LE", "NV12", 3840, 2160, BENCH_NO_LIMIT},
  {"P010_10LE", "RGBA", 3840, 2160, BENCH_NO_LIMIT},
  {"YUY2", "RGBA", 3840, 2160, BENCH_NO_LIMIT},
  {"YUY2", "NV12", 3840, 2160, BENCH_NO_LIMIT},
  {"NV12", "YUY2", 3840, 2160, BENCH_NO_LIMIT},
  {"I422_10LE", "v210", 3840, 2160, BENCH_NO_LIMIT},
  {"v210", "RGBA", 3840, 2160, BENCH_NO_LIMIT},
};

/* On a CPU, where 4K is too much for a moment and no limit in microseconds means anything */
static const BenchConvertJob host_jobs[] = {
  {"NV12", "RGBA", 1920, 1080, BENCH_NO_LIMIT},
  {"NV12", "BGRA", 1920, 1080, BENCH_NO_LIMIT},
  {"NV12", "RGBP", 1920, 1080, BENCH_NO_LIMIT},
  {"NV12", "I420", 1920, 1080, BENCH_NO_LIMIT},
  {"I420", "RGBA", 1920, 1080, BENCH_NO_LIMIT},
  {"I420", "BGRA", 1920, 1080, BENCH_NO_LIMIT},
  {"I420", "RGBP", 1920, 1080, BENCH_NO_LIMIT},
  {"I420", "NV12", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBA", "NV12", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBA", "I420", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBA", "BGRA", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBA", "RGBP", 1920, 1080, BENCH_NO_LIMIT},
  {"BGRA", "NV12", 1920, 1080, BENCH_NO_LIMIT},
  {"BGRA", "I420", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBP", "RGBA", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBP", "BGRA", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBP", "NV12", 1920, 1080, BENCH_NO_LIMIT},
  {"RGBP", "I420", 1920, 1080, BENCH_NO_LIMIT},
};

gboolean
bench_convert_on_host (Bench * bench)
{
  return gst_hip_device_get_vendor (bench->device) == GST_HIP_VENDOR_HOST;
}

gchar *
bench_convert_label (const BenchConvertJob * job, const gchar * what)
{
  if (job->out_width)
    return g_strdup_printf ("%s %dp %s %dx%d: %s", job->in, job->height,
        job->out, job->out_width, job->out_height, what);
  return g_strdup_printf ("%s %s %dp: %s", job->in, job->out, job->height,
      what);
}

/* --- frames --- */

static gsize
count_bytes (const GstVideoInfo * info)
{
  gsize sum = 0, row_bytes;
  guint rows;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    if (gst_hip_video_info_get_plane_size (info, i, &row_bytes, &rows))
      sum += row_bytes * rows;
  }
  return sum;
}

void
bench_convert_frames_clear (BenchConvertFrames * frames)
{
  for (guint i = 0; i < frames->n; i++) {
    gst_clear_buffer (&frames->in[i]);
    gst_clear_buffer (&frames->out[i]);
  }
  g_free (frames->in);
  g_free (frames->out);
  gst_clear_hip_stream (&frames->stream);
}

static GstBuffer *
new_frame (Bench * bench, GstHipStream * stream, const GstVideoInfo * info,
    guint8 value, GError ** error)
{
  GstMemory *memory = gst_hip_allocator_alloc (NULL, bench->device, info);
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();

  if (!memory) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no memory for a frame");
    return NULL;
  }
  gst_buffer_append_memory (buffer, memory);
  if (!gst_hip_stream_fill (stream, memory, 0, gst_memory_get_sizes (memory,
              NULL, NULL), value, error))
    return NULL;
  return g_steal_pointer (&buffer);
}

gboolean
bench_convert_frames_init (BenchConvertFrames * frames, Bench * bench,
    const BenchConvertJob * job, GError ** error)
{
  memset (frames, 0, sizeof (*frames));
  gst_video_info_set_format (&frames->in_info,
      gst_video_format_from_string (job->in), job->width, job->height);
  gst_video_info_set_format (&frames->out_info,
      gst_video_format_from_string (job->out),
      job->out_width ? job->out_width : job->width,
      job->out_width ? job->out_height : job->height);
  frames->bytes = count_bytes (&frames->in_info) +
      count_bytes (&frames->out_info);
  frames->stream = gst_hip_stream_new_full (bench->device, 0, error);
  if (!frames->stream)
    return FALSE;
  frames->n = bench_convert_on_host (bench) || bench->quick ? 2 :
      CLAMP (AROUND_BYTES / frames->bytes + 1, 2, MAX_AROUND);
  frames->in = g_new0 (GstBuffer *, frames->n);
  frames->out = g_new0 (GstBuffer *, frames->n);
  for (guint i = 0; i < frames->n; i++) {
    frames->in[i] = new_frame (bench, frames->stream, &frames->in_info,
        60 + 7 * i, error);
    frames->out[i] = new_frame (bench, frames->stream, &frames->out_info, 0,
        error);
    if (!frames->in[i] || !frames->out[i])
      return FALSE;
  }
  return gst_hip_stream_synchronize_full (frames->stream, error);
}

/* --- what the device's clock says --- */

gboolean
bench_convert_time (Bench * bench, const BenchConvertFrames * frames,
    BenchConvertCall call, gpointer data, gdouble * us, GError ** error)
{
  g_autoptr (BenchBlocker) blocker = bench_convert_on_host (bench) ? NULL :
      bench_blocker_new (bench, frames->stream, error);
  guint n = bench->quick ? 2 : bench_convert_on_host (bench) ? 10 : QUEUED;
  guint n_rounds = bench->quick ? 1 : 7;

  *us = G_MAXDOUBLE;
  if (!blocker && !bench_convert_on_host (bench))
    return FALSE;
  for (guint round = 0; round <= n_rounds; round++) {
    g_autoptr (GstHipEvent) start = NULL;
    g_autoptr (GstHipEvent) stop = NULL;
    gdouble ns;

    /* All are queued before the first one starts, so that it is the device's
     * time and not that of queueing */
    if (blocker && !bench_blocker_start (blocker, error))
      return FALSE;
    if (!(start = gst_hip_stream_record (frames->stream, TRUE, error)))
      return FALSE;
    for (guint i = 0; i < n; i++) {
      if (!call (frames, i % frames->n, data, error))
        return FALSE;
    }
    if (!(stop = gst_hip_stream_record (frames->stream, TRUE, error)))
      return FALSE;
    if (blocker)
      bench_blocker_release (blocker);
    if (!gst_hip_stream_synchronize_full (frames->stream, error)
        || !gst_hip_event_get_elapsed (start, stop, &ns, error))
      return FALSE;
    if (round > 0)
      *us = MIN (*us, ns / 1000 / n);
  }
  return TRUE;
}

static gboolean
convert_frame (const BenchConvertFrames * frames, guint i, gpointer data,
    GError ** error)
{
  return gst_hip_converter_convert_buffer (data, frames->stream, frames->in[i],
      frames->out[i], NULL, error);
}

static gboolean
copy_frame (const BenchConvertFrames * frames, guint i, gpointer data,
    GError ** error)
{
  gsize bytes = frames->bytes / 2;
  GstHipCopyEnd from = { gst_buffer_peek_memory (frames->in[i], 0), };
  GstHipCopyEnd to = { gst_buffer_peek_memory (frames->out[i], 0), };

  from.stride = to.stride = bytes;
  return gst_hip_stream_copy_2d (frames->stream, &to, &from, bytes, 1, error);
}

/* Bytes read and written in a microsecond by the driver's copy */
static gdouble
copy_rate (Bench * bench, const BenchConvertJob * job, GError ** error)
{
  BenchConvertFrames frames;
  gdouble us = 0;
  gboolean ok;

  ok = bench_convert_frames_init (&frames, bench, job, error)
      && bench_convert_time (bench, &frames, copy_frame, NULL, &us, error);
  bench_convert_frames_clear (&frames);
  return ok ? frames.bytes / us : 0;
}

/* --- through the library, as an element would --- */

static GstBufferPool *
new_pool (Bench * bench, const GstVideoInfo * info)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  GstBufferPool *pool = gst_hip_buffer_pool_new (bench->device);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_caps_set_features_simple (caps,
      gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, NULL));
  gst_buffer_pool_config_set_params (config, caps, info->size, 0, 0);
  gst_buffer_pool_set_config (pool, config);
  gst_buffer_pool_set_active (pool, TRUE);
  return pool;
}

static gboolean
run_frames (const BenchConvertFrames * frames, GstHipConverter * converter,
    GstBufferPool * pool, guint n, gdouble us[3], GError ** error)
{
  gint64 begin = g_get_monotonic_time (), cpu = bench_thread_cpu_ns ();
  gint64 all = bench_process_cpu_ns ();

  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) out = NULL;

    if (gst_buffer_pool_acquire_buffer (pool, &out, NULL) != GST_FLOW_OK)
      return FALSE;
    if (!gst_hip_converter_convert_buffer (converter, frames->stream,
            frames->in[i % 2], out, NULL, error))
      return FALSE;
  }
  cpu = bench_thread_cpu_ns () - cpu;
  if (!gst_hip_stream_synchronize_full (frames->stream, error))
    return FALSE;
  us[0] = (gdouble) (g_get_monotonic_time () - begin) / n;
  us[1] = cpu / 1000.0 / n;
  us[2] = (bench_process_cpu_ns () - all) / 1000.0 / n;
  return TRUE;
}

static gboolean
measure_frames (Bench * bench, const BenchConvertJob * job,
    const BenchConvertFrames * frames, GstHipConverter * converter,
    gdouble kernel_us, GError ** error)
{
  GstBufferPool *pool = new_pool (bench, &frames->out_info);
  static const gchar *const kinds[3] =
      { "library", "library, CPU", "library, all CPU" };
  guint n = bench->quick ? 4 : CLAMP (60e3 / MAX (kernel_us, 1), 6, 3000);
  gdouble best[3] = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < (bench->quick ? 1 : 6); i++) {
    gdouble us[3] = { 0, };

    ok = run_frames (frames, converter, pool, n, us, error);
    for (guint k = 0; k < 3; k++)
      best[k] = MIN (best[k], us[k]);
  }
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  for (guint k = 0; ok && k < (bench_convert_on_host (bench) ? 3 : 2); k++) {
    g_autofree gchar *label = bench_convert_label (job, kinds[k]);

    bench_add (bench, "convert", label, best[k], "us/frame", k > 0 ?
        BENCH_NO_LIMIT : bench_nvidia_limit (bench, job->limit));
  }
  return ok;
}

/* --- a pair --- */

static gboolean
measure_job (Bench * bench, const BenchConvertJob * job, gdouble rate,
    GError ** error)
{
  g_autofree gchar *label = bench_convert_label (job, "kernel");
  g_autofree gchar *copy = bench_convert_label (job, "copy of as many bytes");
  GstHipConverter *converter = NULL;
  BenchConvertFrames frames;
  gdouble us;
  gboolean ok;

  ok = bench_convert_frames_init (&frames, bench, job, error)
      && (converter = gst_hip_converter_new (bench->device, &frames.in_info,
          &frames.out_info, NULL, error)) != NULL
      && bench_convert_time (bench, &frames, convert_frame, converter, &us,
      error);
  if (ok) {
    bench_add (bench, "convert", copy, frames.bytes / rate, "us",
        BENCH_NO_LIMIT);
    bench_add (bench, "convert", label, us, "us", BENCH_NO_LIMIT);
    ok = measure_frames (bench, job, &frames, converter, us, error);
  }
  if (ok && !bench_convert_on_host (bench))
    bench_npp (bench, job, &frames);
  if (converter)
    gst_object_unref (converter);
  bench_convert_frames_clear (&frames);
  return ok;
}

void
bench_convert (Bench * bench)
{
  static const BenchConvertJob large = { "RGBA", "RGBA", 3840, 2160, 0 };
  const BenchConvertJob *jobs = bench_convert_on_host (bench) ? host_jobs :
      bench_convert_jobs;
  guint n_jobs = bench_convert_on_host (bench) ? G_N_ELEMENTS (host_jobs) :
      G_N_ELEMENTS (bench_convert_jobs);
  GError *error = NULL;
  gdouble rate = copy_rate (bench, &large, &error);

  if (error) {
    bench_fail (bench, "convert", "copy", error);
    return;
  }
  bench_add (bench, "convert", "the driver's copy, read and written",
      rate / 1e3, "GB/s", BENCH_NO_LIMIT);
  for (guint i = 0; i < (bench->quick ? 1 : n_jobs); i++) {
    if (!measure_job (bench, &jobs[i], rate, &error)) {
      bench_fail (bench, "convert", jobs[i].in, g_steal_pointer (&error));
      continue;
    }
    bench_convert_elements (bench, &jobs[i]);
  }
  bench_convert_transfers (bench);
}

/* --- shapes of launches --- */

void
bench_shapes (Bench * bench)
{
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bench_convert_jobs); i++) {
    const BenchConvertJob *job = &bench_convert_jobs[i];
    g_autofree gchar *label = bench_convert_label (job, "kernel");
    GstHipConverter *converter = NULL;
    BenchConvertFrames frames;
    gdouble us;

    if (bench_convert_frames_init (&frames, bench, job, &error)
        && (converter = gst_hip_converter_new (bench->device, &frames.in_info,
                &frames.out_info, NULL, &error)) != NULL
        && bench_convert_time (bench, &frames, convert_frame, converter, &us,
            &error))
      bench_add (bench, "shapes", label, us, "us", BENCH_NO_LIMIT);
    else
      bench_fail (bench, "shapes", label, g_steal_pointer (&error));
    if (converter)
      gst_object_unref (converter);
    bench_convert_frames_clear (&frames);
  }
}
