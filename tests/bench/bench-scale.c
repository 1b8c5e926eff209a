/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How fast do frames on the device become larger or smaller? As in
 * bench-convert.c: each kernel by the device's own clock, then the same job by
 * elements of ours and others. Elements of both sides take two samples in each
 * direction unless told otherwise; so do kernels here, and those of `auto`, which
 * weigh all that an output pixel covers, for comparison. */
#include <string.h>

#include "gsthip-enumtypes.h"

#include "bench-convert.h"

/* Of the kernel, in microseconds on an H200; the rest of a job's are of a pipeline */
typedef struct
{
  BenchConvertJob job;
  gdouble kernel_limit;
} ScaleJob;

static const ScaleJob jobs[] = {
  {{"NV12", "RGBP", 1920, 1080, 8, 640, 640}, 4},
  {{"P010_10LE", "NV12", 3840, 2160, 8, 1920, 1080}, 8},
  {{"NV12", "NV12", 1920, 1080, BENCH_NO_LIMIT, 640, 360}, BENCH_NO_LIMIT},
  {{"NV12", "RGBA", 1920, 1080, BENCH_NO_LIMIT, 960, 540}, BENCH_NO_LIMIT},
  {{"I420", "I420", 1920, 1080, BENCH_NO_LIMIT, 960, 540}, BENCH_NO_LIMIT},
  {{"RGBA", "RGBA", 1920, 1080, BENCH_NO_LIMIT, 960, 540}, BENCH_NO_LIMIT},
  {{"NV12", "NV12", 1280, 720, BENCH_NO_LIMIT, 1920, 1080}, BENCH_NO_LIMIT},
};

static GstStructure *
new_config (const gchar * method)
{
  gchar *text = g_strdup_printf ("config, GstHipConverter.method="
      "(GstHipScaleMethod)%s, GstHipConverter.resize-mode=(GstHipResizeMode)"
      "letterbox", method);
  GstStructure *config;

  g_type_ensure (GST_TYPE_HIP_SCALE_METHOD);
  g_type_ensure (GST_TYPE_HIP_RESIZE_MODE);
  config = gst_structure_from_string (text, NULL);
  g_free (text);
  return config;
}

static gboolean
scale_frame (const BenchConvertFrames * frames, guint i, gpointer data,
    GError ** error)
{
  return gst_hip_converter_convert_buffer (data, frames->stream, frames->in[i],
      frames->out[i], NULL, error);
}

static gboolean
measure_kernel (Bench * bench, const ScaleJob * job, const gchar * method,
    gdouble limit, GError ** error)
{
  g_autofree gchar *what = g_strdup_printf ("kernel, %s", method);
  g_autofree gchar *label = bench_convert_label (&job->job, what);
  g_autoptr (GstStructure) config = new_config (method);
  g_autoptr (GstHipConverter) converter = NULL;
  BenchConvertFrames frames;
  gdouble us;
  gboolean ok;

  ok = bench_convert_frames_init (&frames, bench, &job->job, error)
      && (converter = gst_hip_converter_new (bench->device, &frames.in_info,
          &frames.out_info, config, error)) != NULL
      && bench_convert_time (bench, &frames, scale_frame, converter, &us,
      error);
  if (ok)
    bench_add (bench, "scale", label, us, "us", bench_nvidia_limit (bench,
            limit));
  bench_convert_frames_clear (&frames);
  return ok;
}

/* --- tensors --- */

typedef struct
{
  GstHipConverter *converter;
  GstMemory *tensor;
} TensorCall;

static gboolean
scale_to_tensor (const BenchConvertFrames * frames, guint i, gpointer data,
    GError ** error)
{
  TensorCall *call = data;

  return gst_hip_converter_convert_to_tensor (call->converter, frames->stream,
      frames->in[i], call->tensor, 0, 0, NULL, error);
}

/* Letterboxed, by channel, as detectors want them */
static gboolean
measure_tensor (Bench * bench, const gchar * format,
    GstHipTensorDataType type, const gchar * name, gdouble limit,
    GError ** error)
{
  const BenchConvertJob job = { format, "GRAY8", 1920, 1080, 0, 640, 640 };
  g_autofree gchar *label = g_strdup_printf ("%s 1080p tensor 640x640 %s, "
      "letterbox: kernel", format, name);
  g_autoptr (GstStructure) config = new_config ("bilinear");
  GstHipTensorDesc desc = {.data_type = type,.width = 640,.height = 640 };
  TensorCall call = { NULL, };
  BenchConvertFrames frames;
  gsize size;
  gdouble us;
  gboolean ok;

  ok = bench_convert_frames_init (&frames, bench, &job, error)
      && gst_hip_tensor_desc_complete (&desc, &desc, error)
      && gst_hip_tensor_desc_get_size (&desc, &size, error)
      && (call.tensor = gst_hip_allocator_alloc_linear (NULL, bench->device,
          size, error)) != NULL
      && (call.converter = gst_hip_converter_new_to_tensor (bench->device,
          &frames.in_info, &desc, config, error)) != NULL
      && bench_convert_time (bench, &frames, scale_to_tensor, &call, &us,
      error);
  if (ok)
    bench_add (bench, "scale", label, us, "us", bench_nvidia_limit (bench,
            limit));
  gst_clear_object (&call.converter);
  g_clear_pointer (&call.tensor, gst_memory_unref);
  bench_convert_frames_clear (&frames);
  return ok;
}

void
bench_scale (Bench * bench)
{
  GError *error = NULL;

  for (guint i = 0; i < (bench->quick ? 1 : G_N_ELEMENTS (jobs)); i++) {
    const ScaleJob *job = &jobs[i];

    if (!measure_kernel (bench, job, "bilinear", job->kernel_limit, &error)
        || !measure_kernel (bench, job, "auto", BENCH_NO_LIMIT, &error)) {
      bench_fail (bench, "scale", job->job.in, g_steal_pointer (&error));
      continue;
    }
    bench_convert_elements (bench, &job->job);
  }
  if (!measure_tensor (bench, "NV12", GST_HIP_TENSOR_DATA_TYPE_FLOAT32,
          "float32", 5, &error)
      || !measure_tensor (bench, "NV12", GST_HIP_TENSOR_DATA_TYPE_FLOAT16,
          "float16", 5, &error)
      || !measure_tensor (bench, "RGBA", GST_HIP_TENSOR_DATA_TYPE_FLOAT32,
          "float32", BENCH_NO_LIMIT, &error))
    bench_fail (bench, "scale", "tensor", error);
}
