/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* GStreamer's CUDA library, libgstcuda, which this plugin neither needs nor
 * links: what is used of it, by declarations of ours. Who may include this: the
 * elements of this plugin.
 */
#pragma once

#include <gst/video/video.h>
#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

#define HIP_CUDA_CONTEXT_TYPE "gst.cuda.context"
#define HIP_CUDA_MEMORY_TYPE "gst.cuda.memory"
#define HIP_CAPS_FEATURE_MEMORY_CUDA "memory:CUDAMemory"
#define HIP_MAP_READ_CUDA ((GstMapFlags) (GST_MAP_READ | (GST_MAP_FLAG_LAST << 1)))
#define HIP_CUDA_MEMORY_NEED_SYNC (GST_MEMORY_FLAG_LAST << 2)   /* since 1.24 */

/* The beginning of its struct, the same since 1.22 */
typedef struct
{
  GstMemory mem;

  GstObject *context;
  GstVideoInfo info;
} HipCudaMemory;

/* X (need, member, result, name, parameters); "later": since 1.24, all of them or none */
#define HIP_GSTCUDA_SYMBOLS(X) \
  X (needed, load_library, gboolean, gst_cuda_load_library, (void)) \
  X (needed, memory_init_once, void, gst_cuda_memory_init_once, (void)) \
  X (needed, context_new_wrapped, GstObject *, gst_cuda_context_new_wrapped, (gpointer handle, gint device)) \
  X (needed, context_get_handle, gpointer, gst_cuda_context_get_handle, (GstObject * context)) \
  X (needed, context_to_gst, GstContext *, gst_context_new_cuda_context, (GstObject * context)) \
  X (needed, answer_query, gboolean, gst_cuda_handle_context_query, \
      (GstElement * element, GstQuery * query, GstObject * context)) \
  X (needed, is_memory, gboolean, gst_is_cuda_memory, (GstMemory * memory)) \
  X (later, memory_get_stream, gpointer, gst_cuda_memory_get_stream, (HipCudaMemory * memory)) \
  X (later, stream_new, gpointer, gst_cuda_stream_new, (GstObject * context)) \
  X (later, stream_get_handle, gpointer, gst_cuda_stream_get_handle, (gpointer stream)) \
  X (later, alloc_wrapped, GstMemory *, gst_cuda_allocator_alloc_wrapped, \
      (GstAllocator * allocator, GstObject * context, gpointer stream, const GstVideoInfo * info, guint64 address, \
          gpointer user_data, GDestroyNotify destroy))

#define HIP_GSTCUDA_MEMBER(need, member, result, name, parameters) result (*member) parameters;
typedef struct
{
  HIP_GSTCUDA_SYMBOLS (HIP_GSTCUDA_MEMBER)
} HipGstCuda;
#undef HIP_GSTCUDA_MEMBER

/* NULL: it is not in this process, or cannot be used. load: bring it in where the system has it. */
const HipGstCuda *hip_gstcuda_get (gboolean load);
/* The one GstCudaContext of this process for device's context, which it keeps open. New reference, or NULL: not
 * NVIDIA's, or without GstCuda */
GstObject *hip_gstcuda_ref_context (GstHipDevice * device, gboolean load);

G_END_DECLS
