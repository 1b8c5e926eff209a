/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Frames become tensors: on a device, in one kernel each.
 *
 * Who may include this: the plugin's own files.
 */
#pragma once

#include "hip-in-flight.h"
#include "onnx-image.h"

G_BEGIN_DECLS

typedef struct _HipOnnxFrames HipOnnxFrames;

/* tensors: where the model reads them: GST_HIP_MEMORY_KIND_PINNED for the CPU, _DEVICE for the device. */
HipOnnxFrames * hip_onnx_frames_new (GstHipDevice * device, GstHipMemoryKind tensors, GError ** error);
/* Never waits; what is queued keeps what it needs. */
void hip_onnx_frames_free (HipOnnxFrames * frames);
GstHipDevice * hip_onnx_frames_get_device (HipOnnxFrames * frames);

/* What frames and tensors are like from now on. batch: pictures of a tensor. config: the converter's.
 * Blocking: until the kernel is compiled or loaded. */
gboolean hip_onnx_frames_set_info (HipOnnxFrames * frames, const GstVideoInfo * info, const HipOnnxImage * image,
                                   guint batch, const GstStructure * config, GError ** error);

/* A tensor to convert to, from a pool without a maximum; zeros, or what was in it before. dims: of the image's n_dims. */
GstMemory * hip_onnx_frames_acquire (HipOnnxFrames * frames, gint64 * dims, gsize * size_bytes, GError ** error);

/* Queues the conversion of a frame, in whatever memory, to picture index of a tensor. Never waits for the device. */
gboolean hip_onnx_frames_convert (HipOnnxFrames * frames, GstBuffer * frame, GstMemory * tensor, guint index,
                                  HipPath * path, GError ** error);

/* Where the tensors' pixels are in frames as they are now */
void hip_onnx_frames_get_map (HipOnnxFrames * frames, GstHipFrameMap * map);

/* A configured pool for upstream, of device or page-locked memory; size of its buffers */
GstBufferPool * hip_onnx_frames_new_pool (HipOnnxFrames * frames, GstHipMemoryKind kind, GstCaps * caps, guint * size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipOnnxFrames, hip_onnx_frames_free)

G_END_DECLS
