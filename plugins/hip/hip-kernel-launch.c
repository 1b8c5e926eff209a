/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a frame become a kernel's arguments? Addresses come from the
 * buffers' memories and metas; every memory is a dependency of the launch, so
 * that the library orders it after what is pending (I2) and keeps it alive
 * until the kernel has ended (I4). Must not know the element.
 */
#include "config.h"

#include <string.h>

#include "hip-kernel-launch.h"

G_STATIC_ASSERT (sizeof (GstHipFrame) == GST_HIP_FRAME_SIZE);
G_STATIC_ASSERT (sizeof (GstHipFrameInfo) == GST_HIP_FRAME_INFO_SIZE);

static gboolean
check_memory (HipKernelLaunch * self, const HipPlane * plane, guint index,
    GError ** error)
{
  if (plane->memory && gst_is_hip_memory (plane->memory)
      && gst_hip_device_is_equal (GST_HIP_MEMORY_CAST (plane->memory)->device,
          self->device))
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "plane %u of the frame is %s", index, !plane->memory ?
      "spread over several memories" : gst_is_hip_memory (plane->memory) ?
      "on another device" : "not in HIP memory, though its caps say so");
  return FALSE;
}

/* The frame as the kernel sees it; its memories become dependencies. */
static gboolean
describe (HipKernelLaunch * self, GstBuffer * buffer, const GstVideoInfo * info,
    GstMapFlags flags, GstHipFrame * frame, GError ** error)
{
  HipFrame places;

  if (!hip_frame_locate (&places, buffer, info, error))
    return FALSE;
  memset (frame, 0, sizeof *frame);
  frame->width = GST_VIDEO_INFO_WIDTH (info);
  frame->height = GST_VIDEO_INFO_HEIGHT (info);
  frame->format = GST_VIDEO_INFO_FORMAT (info);
  frame->n_planes = (int) places.n_planes;
  frame->matrix = info->colorimetry.matrix;
  frame->range = info->colorimetry.range;
  for (guint i = 0; i < places.n_planes; i++) {
    const HipPlane *plane = &places.planes[i];

    if (!check_memory (self, plane, i, error))
      return FALSE;
    frame->data[i] = (unsigned char *)
        (gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (plane->memory))
        + plane->offset);
    frame->stride[i] = (int) plane->stride;
  }
  for (guint i = 0; flags && i < places.n_memories; i++)
    if (!gst_hip_kernel_args_add_dependency (self->args, places.memories[i],
            flags, error))
      return FALSE;
  return TRUE;
}

static gboolean
add_frame (HipKernelLaunch * self, const GstHipFrame * frame, GError ** error)
{
  return gst_hip_kernel_args_add_bytes (self->args, frame, sizeof *frame,
      G_ALIGNOF (GstHipFrame), error);
}

static gboolean
add_arguments (HipKernelLaunch * self, GstBuffer * in, GstBuffer * prev,
    GstBuffer * out, const GstHipFrameInfo * info, GError ** error)
{
  const GstMapFlags both = GST_MAP_READ | GST_MAP_WRITE;
  GstHipFrame frame;

  if (!describe (self, in, self->in_info, in == out ? both : GST_MAP_READ,
          &frame, error) || !add_frame (self, &frame, error))
    return FALSE;
  /* A memory is named once, with all that is done to it. */
  if (prev && (!describe (self, prev, self->in_info,
              prev == in ? 0 : GST_MAP_READ, &frame, error)
          || !add_frame (self, &frame, error)))
    return FALSE;
  if (!describe (self, out, self->out_info, in == out ? 0 : GST_MAP_WRITE,
          &frame, error) || !add_frame (self, &frame, error))
    return FALSE;
  return gst_hip_kernel_args_add_bytes (self->args, info, sizeof *info,
      G_ALIGNOF (GstHipFrameInfo), error)
      && hip_kernel_values_add (self->values, self->args, error);
}

gboolean
hip_kernel_launch (HipKernelLaunch * self, GstBuffer * in, GstBuffer * prev,
    GstBuffer * out, const GstHipFrameInfo * info, GstHipEvent ** event,
    GError ** error)
{
  guint block[3] = { self->block[0], self->block[1], 1 };
  guint grid[3] = { 1, 1, 1 };
  gboolean ok;

  grid[0] = (GST_VIDEO_INFO_WIDTH (self->out_info) + block[0] - 1) / block[0];
  grid[1] = (GST_VIDEO_INFO_HEIGHT (self->out_info) + block[1] - 1) / block[1];
  gst_hip_kernel_args_clear (self->args);
  ok = add_arguments (self, in, prev, out, info, error)
      && gst_hip_kernel_module_launch_full (self->program->module,
      self->program->entry, self->stream, grid, block, 0, self->args, event,
      error);
  /* The launch keeps what it needs; between frames we keep nothing. */
  gst_hip_kernel_args_clear (self->args);
  return ok;
}
