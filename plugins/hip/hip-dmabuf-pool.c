/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where do frames come from that downstream gets as DMA-BUFs of the device?
 *
 * A buffer has one DMA-BUF, made once with the buffer; the HIP memory behind it
 * hangs at it as qdata. Must not know elements, or when a frame is complete: who
 * pushes one has to. Keeps: a buffer that downstream has belongs to downstream.
 */
#define _GNU_SOURCE
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "hip-dmabuf-pool.h"

typedef struct
{
  GstBufferPool parent;

  GstHipDevice *device;
  GstVideoInfo info;
} HipDmabufPool;
typedef GstBufferPoolClass HipDmabufPoolClass;

GType hip_dmabuf_pool_get_type (void);
G_DEFINE_TYPE (HipDmabufPool, hip_dmabuf_pool, GST_TYPE_BUFFER_POOL);

static GQuark
hip_quark (void)
{
  return g_quark_from_static_string ("GstHipDmabufPoolMemory");
}

static const gchar **
hip_dmabuf_pool_get_options (GstBufferPool * pool)
{
  static const gchar *options[] = { GST_BUFFER_POOL_OPTION_VIDEO_META, NULL };

  return options;
}

/* A DMA-BUF of such a frame, which keeps its HIP memory; that is borrowed */
static GstMemory *
new_dmabuf (GstHipDevice * device, const GstVideoInfo * info,
    GstMemory ** memory, GError ** error)
{
  GstMemory *hip = gst_hip_allocator_alloc_video (NULL, device,
      GST_HIP_MEMORY_KIND_EXPORTED, info, error);
  GstMemory *result;

  if (!hip)
    return NULL;
  result = gst_hip_memory_export_dmabuf (GST_HIP_MEMORY_CAST (hip), error);
  gst_memory_unref (hip);
  *memory = hip;
  return result;
}

static GstFlowReturn
hip_dmabuf_pool_alloc_buffer (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  HipDmabufPool *self = (HipDmabufPool *) pool;
  GstVideoInfo *info = &self->info;
  g_autoptr (GError) error = NULL;
  GstMemory *dmabuf, *memory;

  dmabuf = new_dmabuf (self->device, info, &memory, &error);
  if (!dmabuf) {
    GST_ERROR_OBJECT (pool, "no buffer: %s", error->message);
    return GST_FLOW_ERROR;
  }
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (dmabuf), hip_quark (),
      memory, NULL);
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, dmabuf);
  gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_FIELD_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
      info->offset, info->stride);
  return GST_FLOW_OK;
}

static void
hip_dmabuf_pool_finalize (GObject * object)
{
  gst_clear_object (&((HipDmabufPool *) object)->device);
  G_OBJECT_CLASS (hip_dmabuf_pool_parent_class)->finalize (object);
}

static void
hip_dmabuf_pool_class_init (HipDmabufPoolClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = hip_dmabuf_pool_finalize;
  klass->get_options = hip_dmabuf_pool_get_options;
  klass->alloc_buffer = hip_dmabuf_pool_alloc_buffer;
}

static void
hip_dmabuf_pool_init (HipDmabufPool * self)
{
}

GstBufferPool *
hip_dmabuf_pool_new (GstHipDevice * device, GstCaps * caps,
    const GstVideoInfo * info, gboolean with_meta, guint * size)
{
  g_autoptr (GstBufferPool) pool = NULL;
  HipDmabufPool *self;
  GstStructure *config;

  pool = gst_object_ref_sink (g_object_new (hip_dmabuf_pool_get_type (), NULL));
  self = (HipDmabufPool *) pool;
  self->device = gst_object_ref (device);
  self->info = *info;
  if (with_meta && !gst_hip_video_info_align (&self->info,
          gst_hip_device_get_info (device)->stride_align, NULL))
    return NULL;
  *size = (guint) GST_VIDEO_INFO_SIZE (&self->info);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  return gst_buffer_pool_set_config (pool, config) ?
      g_steal_pointer (&pool) : NULL;
}

gboolean
hip_dmabuf_pool_to_hip (HipFrame * frame)
{
  GstMemory *memory;

  if (frame->spans || frame->n_memories != 1)
    return FALSE;
  memory = gst_mini_object_get_qdata
      (GST_MINI_OBJECT_CAST (frame->memories[0]), hip_quark ());
  if (!memory)
    return FALSE;
  frame->memories[0] = memory;
  for (guint i = 0; i < frame->n_planes; i++)
    frame->planes[i].memory = memory;
  return TRUE;
}

/* The kernel reads it for us: where pages cannot be had a process that does so
 * itself is killed. */
static gboolean
is_there (gconstpointer data)
{
  gboolean there;
  gint ends[2];

  if (pipe2 (ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return FALSE;
  there = write (ends[1], data, 1) == 1;
  close (ends[0]);
  close (ends[1]);
  return there;
}

gboolean
hip_dmabuf_pool_works (GstHipDevice * device)
{
  g_autoptr (GstMemory) dmabuf = NULL;
  g_autoptr (GError) error = NULL;
  GstMemory *memory;
  GstVideoInfo info;
  GstMapInfo map;
  gboolean works = FALSE;

  if (!(gst_hip_device_get_info (device)->caps
          & GST_HIP_DEVICE_CAP_DMABUF_EXPORT)
      || !gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 64, 64))
    return FALSE;
  dmabuf = new_dmabuf (device, &info, &memory, &error);
  if (dmabuf && gst_memory_map (dmabuf, &map, GST_MAP_READ)) {
    works = is_there (map.data) && is_there (map.data + map.size - 1);
    gst_memory_unmap (dmabuf, &map);
  }
  GST_INFO_OBJECT (device, "DMA-BUFs that it exports %s", works ?
      "can be mapped" : error ? error->message : "cannot be mapped");
  return works;
}
