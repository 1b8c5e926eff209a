/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where do the buffers of imported frames come from?
 *
 * Memory is a view for one frame, the buffer around it and its video meta are
 * used again. Must not know what is put into them. Keeps: a buffer that waits
 * here has no memory, so nothing of a producer's is held.
 */
#include "config.h"

#include "hip-shells.h"

typedef GstBufferPool HipShells;
typedef GstBufferPoolClass HipShellsClass;

GType hip_shells_get_type (void);
G_DEFINE_TYPE (HipShells, hip_shells, GST_TYPE_BUFFER_POOL);

static GstFlowReturn
hip_shells_alloc_buffer (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  *buffer = gst_buffer_new ();
  gst_buffer_add_video_meta (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 1, 1);
  return GST_FLOW_OK;
}

static void
hip_shells_reset_buffer (GstBufferPool * pool, GstBuffer * buffer)
{
  GST_BUFFER_POOL_CLASS (hip_shells_parent_class)->reset_buffer (pool, buffer);
  gst_buffer_remove_all_memory (buffer);
  /* It is as it was: nobody has to throw it away. */
  GST_BUFFER_FLAG_UNSET (buffer, GST_BUFFER_FLAG_TAG_MEMORY);
}

static void
hip_shells_class_init (HipShellsClass * klass)
{
  klass->alloc_buffer = hip_shells_alloc_buffer;
  klass->reset_buffer = hip_shells_reset_buffer;
}

static void
hip_shells_init (HipShells * self)
{
}

GstBufferPool *
hip_shells_new (void)
{
  g_autoptr (GstBufferPool) pool =
      gst_object_ref_sink (g_object_new (hip_shells_get_type (), NULL));
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, NULL, 0, 0, 0);
  if (!gst_buffer_pool_set_config (pool, config)
      || !gst_buffer_pool_set_active (pool, TRUE))
    return NULL;
  return g_steal_pointer (&pool);
}
