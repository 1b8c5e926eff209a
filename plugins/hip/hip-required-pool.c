/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does downstream need frames in a pool of its own? It does if that pool has an
 * allocator or a kind of its own, or counts on a number of buffers; any other
 * pool is as good as one of ours. Must not know elements or devices.
 */
#include "config.h"

#include "hip-required-pool.h"

static gboolean
is_plain_allocator (GstAllocator * allocator)
{
  return !allocator
      || g_strcmp0 (allocator->mem_type, GST_ALLOCATOR_SYSMEM) == 0;
}

GstBufferPool *
hip_required_pool_find (GstQuery * query, guint * size, guint * min,
    guint * max)
{
  g_autoptr (GstBufferPool) pool = NULL;
  g_autoptr (GstAllocator) query_allocator = NULL;
  GstAllocator *allocator = NULL;
  GstStructure *config;
  gboolean plain;

  if (gst_query_get_n_allocation_pools (query) == 0)
    return NULL;
  gst_query_parse_nth_allocation_pool (query, 0, &pool, size, min, max);
  if (!pool || GST_IS_HIP_BUFFER_POOL (pool))
    return NULL;

  plain = *min == 0 && (G_OBJECT_TYPE (pool) == GST_TYPE_BUFFER_POOL
      || G_OBJECT_TYPE (pool) == GST_TYPE_VIDEO_BUFFER_POOL);
  if (plain && gst_query_get_n_allocation_params (query) > 0) {
    gst_query_parse_nth_allocation_param (query, 0, &query_allocator, NULL);
    plain = is_plain_allocator (query_allocator);
  }
  if (plain) {
    config = gst_buffer_pool_get_config (pool);
    gst_buffer_pool_config_get_allocator (config, &allocator, NULL);
    plain = is_plain_allocator (allocator);
    gst_structure_free (config);
  }
  return plain ? NULL : g_steal_pointer (&pool);
}

gboolean
hip_required_pool_start (GstBufferPool * pool, GstQuery * query,
    GstCaps * caps, guint size, guint min, guint max)
{
  g_autoptr (GstAllocator) allocator = NULL;
  GstAllocationParams params;
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, size, min, max);
  if (gst_query_get_n_allocation_params (query) > 0) {
    gst_query_parse_nth_allocation_param (query, 0, &allocator, &params);
    gst_buffer_pool_config_set_allocator (config, allocator, &params);
  }
  if (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL)
      && gst_buffer_pool_has_option (pool, GST_BUFFER_POOL_OPTION_VIDEO_META))
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_set_config (pool, config)) {
    config = gst_buffer_pool_get_config (pool);
    if (!gst_buffer_pool_config_validate_params (config, caps, size, min, max)) {
      gst_structure_free (config);
      return FALSE;
    }
    if (!gst_buffer_pool_set_config (pool, config))
      return FALSE;
  }
  return gst_buffer_pool_set_active (pool, TRUE);
}
