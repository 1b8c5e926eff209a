/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a frame become a tensor? The device reads it where it is: in its own
 * memory, or page-locked; what is in other memory the CPU copies to a
 * page-locked buffer first, while the device works on the frames before. Must
 * not know models' files, runtimes and pads. Invariants: I1, I3.
 */
#include "config.h"

#include "hip-frame-copy.h"
#include "onnx-frames.h"

struct _HipOnnxFrames
{
  GstHipDevice *device;
  GstHipStream *stream;
  GstHipMemoryKind kind;
  HipInFlight *in_flight;       /* for holds */
  GstHipFenceDataPool *fences;

  /* since set_info () */
  GstVideoInfo info;
  GstHipConverter *converter;
  GstHipPoolAllocator *tensors;
  GstBufferPool *staging;       /* made when first needed */
  gint64 dims[4];
  guint n_dims;
  gsize size;
};

static void
drop_pools (HipOnnxFrames * self)
{
  if (self->tensors)
    gst_hip_allocator_set_active (GST_HIP_ALLOCATOR_CAST (self->tensors),
        FALSE);
  gst_clear_object (&self->tensors);
  if (self->staging)
    gst_buffer_pool_set_active (self->staging, FALSE);
  gst_clear_object (&self->staging);
  gst_clear_object (&self->converter);
}

HipOnnxFrames *
hip_onnx_frames_new (GstHipDevice * device, GstHipMemoryKind tensors,
    GError ** error)
{
  HipOnnxFrames *self;
  GstHipStream *stream = gst_hip_stream_new_full (device, 0, error);

  if (!stream)
    return NULL;
  self = g_new0 (HipOnnxFrames, 1);
  self->device = gst_object_ref (device);
  self->stream = stream;
  self->kind = tensors;
  self->in_flight = hip_in_flight_new ();
  self->fences = gst_hip_fence_data_pool_new ();
  return self;
}

void
hip_onnx_frames_free (HipOnnxFrames * self)
{
  drop_pools (self);
  gst_clear_hip_stream (&self->stream);
  gst_object_unref (self->fences);
  hip_in_flight_unref (self->in_flight);
  gst_object_unref (self->device);
  g_free (self);
}

GstHipDevice *
hip_onnx_frames_get_device (HipOnnxFrames * self)
{
  return self->device;
}

gboolean
hip_onnx_frames_set_info (HipOnnxFrames * self, const GstVideoInfo * info,
    const HipOnnxImage * image, guint batch, const GstStructure * config,
    GError ** error)
{
  guint height = GST_VIDEO_INFO_FIELD_HEIGHT (info);
  GstHipTensorDesc desc;

  drop_pools (self);
  if (!hip_onnx_image_size (image, GST_VIDEO_INFO_WIDTH (info), height, batch,
          &desc, self->dims, &self->size, error))
    return FALSE;
  self->info = *info;
  self->n_dims = image->n_dims;
  self->converter = gst_hip_converter_new_to_tensor (self->device, info, &desc,
      config, error);
  if (!self->converter)
    return FALSE;
  self->tensors = gst_hip_pool_allocator_new_full (self->device, self->kind,
      NULL, self->size, 0);
  gst_hip_allocator_set_active (GST_HIP_ALLOCATOR_CAST (self->tensors), TRUE);
  return TRUE;
}

static GQuark
defined_quark (void)
{
  return g_quark_from_static_string ("hip-onnx-defined");
}

/* Once for each memory that the pool makes: what no frame has been written to is
 * black, and no numbers that slow a model down. */
static gboolean
clear (HipOnnxFrames * self, GstMemory * memory, GError ** error)
{
  GstHipMemory *hip = GST_HIP_MEMORY_CAST (memory);
  GstHipEvent *event;

  if (gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory),
          defined_quark ()))
    return TRUE;
  if (!gst_hip_memory_begin_access (hip, self->stream, GST_MAP_WRITE, error)
      || !gst_hip_stream_fill (self->stream, memory, 0, self->size, 0, error))
    return FALSE;
  event = gst_hip_stream_record (self->stream, FALSE, error);
  if (!event)
    return FALSE;
  gst_hip_memory_end_access_with_event (hip, event, GST_MAP_WRITE);
  gst_hip_event_unref (event);
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory), defined_quark (),
      GINT_TO_POINTER (TRUE), NULL);
  return TRUE;
}

GstMemory *
hip_onnx_frames_acquire (HipOnnxFrames * self, gint64 * dims,
    gsize * size_bytes, GError ** error)
{
  g_autoptr (GError) before = gst_hip_take_error ();
  GstMemory *memory = NULL;

  if (gst_hip_pool_allocator_acquire_memory (self->tensors, &memory) !=
      GST_FLOW_OK) {
    hip_propagate_reason (error, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no memory for a tensor");
    return NULL;
  }
  if (!clear (self, memory, error)) {
    gst_memory_unref (memory);
    return NULL;
  }
  for (guint i = 0; i < self->n_dims; i++)
    dims[i] = self->dims[i];
  *size_bytes = self->size;
  return memory;
}

void
hip_onnx_frames_get_map (HipOnnxFrames * self, GstHipFrameMap * map)
{
  gst_hip_converter_get_frame_map (self->converter, map);
}

GstBufferPool *
hip_onnx_frames_new_pool (HipOnnxFrames * self, GstHipMemoryKind kind,
    GstCaps * caps, guint * size)
{
  g_autoptr (GstBufferPool) pool = NULL;
  GstStructure *config;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps))
    return NULL;
  pool = gst_hip_buffer_pool_new_full (self->device, kind);
  config = gst_buffer_pool_get_config (pool);
  *size = (guint) GST_VIDEO_INFO_SIZE (&info);
  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  if (kind == GST_HIP_MEMORY_KIND_DEVICE) {
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
    gst_buffer_pool_config_set_hip_stream (config, self->stream);
  }
  if (!gst_buffer_pool_set_config (pool, config))
    return NULL;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, size, NULL, NULL);
  gst_structure_free (config);
  return g_steal_pointer (&pool);
}

/* --- frames in other memory --- */

static GstBuffer *
acquire_staging (HipOnnxFrames * self, GError ** error)
{
  g_autoptr (GError) before = gst_hip_take_error ();
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *buffer = NULL;
  guint size;

  if (!self->staging) {
    caps = gst_video_info_to_caps (&self->info);
    self->staging = hip_onnx_frames_new_pool (self, GST_HIP_MEMORY_KIND_PINNED,
        caps, &size);
    if (self->staging && !gst_buffer_pool_set_active (self->staging, TRUE))
      gst_clear_object (&self->staging);
  }
  if (!self->staging || gst_buffer_pool_acquire_buffer (self->staging, &buffer,
          NULL) != GST_FLOW_OK) {
    hip_propagate_reason (error, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no page-locked memory for staging");
    return NULL;
  }
  return buffer;
}

/* A page-locked copy, made by the CPU */
static GstBuffer *
stage (HipOnnxFrames * self, HipFrame * frame, GstBuffer * buffer,
    GError ** error)
{
  g_autoptr (GstBuffer) staged = acquire_staging (self, error);
  HipFrameHold *from, *to;
  HipFrame copy;
  gboolean ok;

  if (!staged)
    return NULL;
  from = hip_frame_hold_acquire (self->in_flight);
  to = hip_frame_hold_acquire (self->in_flight);
  hip_frame_hold_set_buffer (from, buffer);
  hip_frame_hold_set_buffer (to, staged);
  ok = hip_frame_locate (&copy, staged, &self->info, error)
      && hip_frame_map (frame, from, GST_MAP_READ, error)
      && hip_frame_map (&copy, to, GST_MAP_WRITE, error);
  if (ok)
    hip_frame_copy_cpu (&copy, frame);
  hip_frame_hold_release (from);
  hip_frame_hold_release (to);
  return ok ? g_steal_pointer (&staged) : NULL;
}

gboolean
hip_onnx_frames_convert (HipOnnxFrames * self, GstBuffer * buffer,
    GstMemory * tensor, guint index, HipPath * path, GError ** error)
{
  g_autoptr (GstHipEvent) event = NULL;
  g_autoptr (GstBuffer) source = NULL;
  GstHipFenceData *fence;
  gboolean device_memory;
  HipFrame frame;

  if (!hip_frame_locate (&frame, buffer, &self->info, error))
    return FALSE;
  device_memory = hip_frame_is_on_device (&frame, self->device, FALSE);
  *path = HIP_PATH_ZERO_COPY;
  if (device_memory || hip_frame_is_on_device (&frame, self->device, TRUE)) {
    source = gst_buffer_ref (buffer);
  } else {
    *path = HIP_PATH_CPU_COPY;
    source = stage (self, &frame, buffer, error);
    if (!source)
      return FALSE;
  }
  if (!gst_hip_converter_convert_to_tensor (self->converter, self->stream,
          source, tensor, 0, index, &event, error))
    return FALSE;
  if (!device_memory) {
    fence = gst_hip_fence_data_pool_acquire (self->fences);
    gst_hip_fence_data_push_mini_object (fence,
        GST_MINI_OBJECT_CAST (g_steal_pointer (&source)));
    gst_hip_fence_data_attach (fence, event);
    gst_hip_fence_data_unref (fence);
  }
  return TRUE;
}
