/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How long does a kernel take on the device? Timed events before and after it,
 * read by the library's workers once the second has ended. Only when asked for:
 * it costs two events and an allocation a frame.
 */
#include "config.h"

#include "hip-kernel-timing.h"

struct _HipKernelTiming
{
  gatomicrefcount ref_count;
  GMutex lock;
  guint64 frames;
  gdouble sum_ns, least_ns, most_ns;
};

typedef struct
{
  HipKernelTiming *timing;
  GstHipEvent *start;
} Measurement;

HipKernelTiming *
hip_kernel_timing_new (void)
{
  HipKernelTiming *self = g_new0 (HipKernelTiming, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  return self;
}

void
hip_kernel_timing_unref (HipKernelTiming * self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->lock);
  g_free (self);
}

GstHipEvent *
hip_kernel_timing_begin (GstHipStream * stream)
{
  return gst_hip_stream_record (stream, TRUE, NULL);
}

static void
measured (GstHipEvent * stop, GstHipEventState state, gpointer data)
{
  Measurement *measurement = data;
  HipKernelTiming *self = measurement->timing;
  gdouble ns;

  if (state != GST_HIP_EVENT_STATE_DONE
      || !gst_hip_event_get_elapsed (measurement->start, stop, &ns, NULL))
    return;
  g_mutex_lock (&self->lock);
  self->least_ns = self->frames ? MIN (self->least_ns, ns) : ns;
  self->most_ns = MAX (self->most_ns, ns);
  self->sum_ns += ns;
  self->frames++;
  g_mutex_unlock (&self->lock);
}

static void
measurement_free (gpointer data)
{
  Measurement *measurement = data;

  gst_hip_event_unref (measurement->start);
  hip_kernel_timing_unref (measurement->timing);
  g_free (measurement);
}

void
hip_kernel_timing_end (HipKernelTiming * self, GstHipEvent * start,
    GstHipStream * stream)
{
  g_autoptr (GstHipEvent) stop = gst_hip_stream_record (stream, TRUE, NULL);
  Measurement *measurement;

  if (!stop)
    return;
  measurement = g_new (Measurement, 1);
  g_atomic_ref_count_inc (&self->ref_count);
  measurement->timing = self;
  measurement->start = gst_hip_event_ref (start);
  gst_hip_event_notify (stop, measured, measurement, measurement_free);
}

GstStructure *
hip_kernel_timing_get (HipKernelTiming * self)
{
  GstStructure *result;

  g_mutex_lock (&self->lock);
  result = gst_structure_new ("application/x-hip-kernel-times",
      "frames", G_TYPE_UINT64, self->frames,
      "mean-ns", G_TYPE_DOUBLE,
      self->frames ? self->sum_ns / (gdouble) self->frames : 0.0,
      "least-ns", G_TYPE_DOUBLE, self->least_ns,
      "most-ns", G_TYPE_DOUBLE, self->most_ns, NULL);
  g_mutex_unlock (&self->lock);
  return result;
}
