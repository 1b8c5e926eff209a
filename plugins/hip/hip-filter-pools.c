/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* From which pools do frames of these elements come? Must not know what is done
 * with them. Invariants: pools that we offer have no maximum (I1: a tee and
 * queues must not run dry), and allocate nothing before they are used.
 */
#include "config.h"

#include "hip-bridge.h"
#include "hip-cuda.h"
#include "hip-dmabuf-caps.h"
#include "hip-filter-pools.h"

#define GST_CAT_DEFAULT gst_hip_base_filter_debug

GstBufferPool *
gst_hip_base_filter_new_pool (GstHipBaseFilter * filter, GstHipMemoryKind kind,
    GstCaps * caps, guint min, gboolean with_meta, guint * size_out)
{
  GstHipStream *stream = gst_hip_base_filter_get_stream (filter);
  g_autoptr (GstBufferPool) pool = NULL;
  GstStructure *config;
  GstVideoInfo info;
  guint size;

  if (!gst_video_info_from_caps (&info, caps))
    return NULL;

  pool = gst_hip_buffer_pool_new_full (gst_hip_base_filter_get_device (filter),
      kind);
  size = (guint) GST_VIDEO_INFO_SIZE (&info);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, min, 0);
  if (with_meta)
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
  /* Not for pinned memory: fence data holds that while the stream works, and
   * it would hold the stream, which could never be abandoned then (I6). */
  if (stream && kind == GST_HIP_MEMORY_KIND_DEVICE)
    gst_buffer_pool_config_set_hip_stream (config, stream);
  if (!gst_buffer_pool_set_config (pool, config)) {
    GST_WARNING_OBJECT (filter, "no pool for %" GST_PTR_FORMAT, caps);
    return NULL;
  }

  /* The pool knows the size with its padding. */
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
  gst_structure_free (config);
  *size_out = size;
  return g_steal_pointer (&pool);
}

/* Upstream, whose frame it was to be, is told by GStreamer that something
 * failed, and no more. */
static void
upstream_got_no_buffer (GstHipBufferPool * pool, const GError * error,
    gpointer data)
{
  g_autoptr (GstHipBaseFilter) filter = g_weak_ref_get (data);

  if (filter)
    gst_hip_base_filter_post_error (filter, "No buffer for upstream's frame",
        g_error_copy (error));
}

static void
free_weak_ref (gpointer data, GClosure * closure)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* g_signal_connect_object () is for objects of one thread: it crashes where the
 * pool and the element go on two at the same time. */
static void
listen_to_pool (GstHipBaseFilter * filter, GstBufferPool * pool)
{
  GWeakRef *weak = g_new (GWeakRef, 1);

  g_weak_ref_init (weak, filter);
  g_signal_connect_data (pool, "allocation-failed",
      G_CALLBACK (upstream_got_no_buffer), weak, free_weak_ref, 0);
}

gboolean
hip_filter_propose_allocation (GstHipBaseFilter * filter, GstQuery * query)
{
  g_autoptr (GstBufferPool) pool = NULL;
  GstCaps *caps;
  gboolean need_pool, hip;
  guint size;

  gst_query_parse_allocation (query, &caps, &need_pool);
  if (!caps || !gst_hip_base_filter_get_device (filter))
    return FALSE;

  /* DMA-BUFs and CUDA memory are the producer's own. */
  if (need_pool && !hip_caps_are_dmabuf (caps, 0)
      && !hip_caps_are_cuda (caps, 0)) {
    /* CPU memory is offered in the exact layout of caps, which a producer
     * that knows no video meta needs; one that does asks the pool for more. */
    hip = hip_caps_are_hip (caps);
    pool = gst_hip_base_filter_new_pool (filter, hip ?
        GST_HIP_MEMORY_KIND_DEVICE : GST_HIP_MEMORY_KIND_PINNED, caps, 0, hip,
        &size);
    if (!pool)
      return FALSE;
    listen_to_pool (filter, pool);
    gst_query_add_allocation_pool (query, pool, size, 0, 0);
  }
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return TRUE;
}

static gboolean
gives_memory_of (GstBufferPool * pool, GstHipDevice * device)
{
  GstHipBufferPool *hip_pool;

  if (!pool || !GST_IS_HIP_BUFFER_POOL (pool))
    return FALSE;
  hip_pool = GST_HIP_BUFFER_POOL_CAST (pool);
  return gst_hip_device_is_equal (hip_pool->device, device)
      && gst_hip_buffer_pool_get_kind (hip_pool) == GST_HIP_MEMORY_KIND_DEVICE;
}

/* Downstream's pool, set up for caps, if it gives memory of our device. */
static GstBufferPool *
take_downstream_pool (GstHipBaseFilter * filter, GstQuery * query,
    GstCaps * caps, guint * size, guint * min, guint * max)
{
  const GstVideoInfo *info = gst_hip_base_filter_get_out_info (filter);
  g_autoptr (GstBufferPool) pool = NULL;
  GstStructure *config;

  gst_query_parse_nth_allocation_pool (query, 0, &pool, size, min, max);
  if (!gives_memory_of (pool, gst_hip_base_filter_get_device (filter)))
    return NULL;

  *size = MAX (*size, (guint) GST_VIDEO_INFO_SIZE (info));
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, *size, *min, *max);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)) {
    /* It may have changed the configuration to one that it can do. */
    config = gst_buffer_pool_get_config (pool);
    if (!gst_buffer_pool_config_validate_params (config, caps, *size, *min,
            *max)) {
      gst_structure_free (config);
      return NULL;
    }
    if (!gst_buffer_pool_set_config (pool, config))
      return NULL;
  }
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, size, NULL, NULL);
  gst_structure_free (config);
  /* This element says it itself. */
  g_signal_handlers_disconnect_matched (pool, G_SIGNAL_MATCH_FUNC, 0, 0, NULL,
      (gpointer) upstream_got_no_buffer, NULL);
  return g_steal_pointer (&pool);
}

gboolean
hip_filter_decide_allocation (GstHipBaseFilter * filter, GstQuery * query)
{
  gboolean has_pool = gst_query_get_n_allocation_pools (query) > 0;
  g_autoptr (GstBufferPool) pool = NULL;
  guint size = 0, min = 0, max = 0;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (!caps || !gst_hip_base_filter_get_device (filter))
    return FALSE;

  if (has_pool)
    pool = take_downstream_pool (filter, query, caps, &size, &min, &max);
  if (!pool) {
    min = max = 0;
    pool = gst_hip_base_filter_new_pool (filter, GST_HIP_MEMORY_KIND_DEVICE,
        caps, 0, TRUE, &size);
  }
  if (!pool)
    return FALSE;
  if (has_pool)
    gst_query_set_nth_allocation_pool (query, 0, pool, size, min, max);
  else
    gst_query_add_allocation_pool (query, pool, size, min, max);
  return TRUE;
}
