/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a frame in DMA-BUFs become one in HIP memory, and may it stay there
 * for long?
 *
 * Memory by memory, each of which holds the producer's buffer until the device
 * has read it (I3). Offsets and strides stay: they are the buffer's. Must not
 * know elements or caps. Keeps: what was imported before one that cannot be is
 * let go of again.
 */
#include "config.h"

#include <gst/allocators/gstdmabuf.h>

#include "hip-frame-copy.h"
#include "hip-import.h"

/* What a producer needs to go on: one to fill and one that is next */
#define KEPT_FOR_PRODUCER 2

gboolean
hip_frame_is_in_dmabufs (GstBuffer * buffer)
{
  guint n = gst_buffer_n_memory (buffer);

  for (guint i = 0; i < n; i++) {
    if (!gst_is_dmabuf_memory (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  }
  return n > 0;
}

static gboolean
import_memories (GstHipBaseFilter * filter, GstBuffer * buffer,
    GstBuffer * result, GError ** error)
{
  HipInFlight *in_flight = gst_hip_base_filter_get_in_flight (filter);

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    HipFrameHold *hold = hip_frame_hold_acquire (in_flight);
    GstMemory *memory;

    hip_frame_hold_set_buffer (hold, buffer);
    if (i == 0)
      hip_frame_hold_set_lent (hold);
    memory = gst_hip_allocator_import_memory (NULL,
        gst_hip_base_filter_get_device (filter),
        gst_hip_base_filter_get_stream (filter), gst_buffer_peek_memory (buffer,
            i), hold, hip_frame_hold_release, error);
    if (!memory) {
      hip_frame_hold_release (hold);
      return FALSE;
    }
    gst_buffer_append_memory (result, memory);
  }
  return TRUE;
}

GstBuffer *
hip_frame_import (GstHipBaseFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  const GstVideoInfo *info = gst_hip_base_filter_get_in_info (filter);
  GstBuffer *result;
  HipFrame frame;

  if (!hip_frame_locate (&frame, buffer, info, error))
    return NULL;
  if (frame.spans || frame.bottom_up) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "kernels read no plane %s", frame.spans ?
        "that spans several memories" : "that stands bottom up");
    return NULL;
  }
  result = gst_hip_base_filter_acquire_shell (filter, error);
  if (!result)
    return NULL;
  if (!import_memories (filter, buffer, result, error)) {
    gst_buffer_unref (result);
    return NULL;
  }
  hip_frame_add_layout (&frame, result, info);
  return result;
}

/* Of a pool that is at work; asked for once, since it is a copy of a structure. */
static guint
most_buffers (GstBufferPool * pool)
{
  GQuark quark = g_quark_from_static_string ("GstHipMostBuffers");
  guint known = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (pool), quark));
  GstStructure *config;
  guint max = 0;

  if (known > 0)
    return known - 1;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, NULL, NULL, &max);
  gst_structure_free (config);
  max = MIN (max, G_MAXINT);
  g_object_set_qdata (G_OBJECT (pool), quark, GUINT_TO_POINTER (max + 1));
  return max;
}

gboolean
hip_frame_is_wanted_back (GstHipBaseFilter * filter, GstBuffer * buffer)
{
  HipInFlight *in_flight = gst_hip_base_filter_get_in_flight (filter);
  guint max = buffer->pool ? most_buffers (buffer->pool) : 0;

  return max > 0
      && hip_in_flight_get_lent (in_flight) + KEPT_FOR_PRODUCER > max;
}
