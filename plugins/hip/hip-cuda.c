/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a frame in CUDA memory become one in HIP memory, and back, without a
 * copy?
 *
 * Each side's memory becomes a view of the other's bytes and holds its buffer.
 * The streams of both are ordered by events on the device: readers come after
 * what the memory's own stream had queued, and the next writer after its
 * readers (I2, I3). A frame in another context than the element's is a view in
 * that context, from where the device copies it. Must not know elements. Keeps:
 * views of another's frames are read-only.
 */
#include "config.h"

#include "hip-bridge.h"
#include "hip-cuda.h"
#include "hip-frame-copy.h"
#include "hip-gstcuda.h"

/* --- caps --- */

gboolean
hip_caps_are_cuda (GstCaps * caps, guint index)
{
  GstCapsFeatures *features = gst_caps_get_features (caps, index);

  return features && !gst_caps_features_is_any (features)
      && gst_caps_features_contains (features, HIP_CAPS_FEATURE_MEMORY_CUDA);
}

void
hip_cuda_caps_append_template (GstCaps * caps)
{
  g_autoptr (GstCaps) plain =
      gst_hip_get_supported_formats_caps (HIP_CAPS_FEATURE_MEMORY_CUDA);

  hip_bridge_append_variants (caps, gst_caps_get_structure (plain, 0),
      HIP_CAPS_FEATURE_MEMORY_CUDA);
}

void
hip_cuda_caps_append_from_hip (GstCaps * result, GstCaps * caps, guint index)
{
  GstCapsFeatures *features = gst_caps_get_features (caps, index);
  GstCapsFeatures *cuda;

  if (gst_caps_features_is_any (features)) {
    cuda = gst_caps_features_new (HIP_CAPS_FEATURE_MEMORY_CUDA, NULL);
  } else if (gst_caps_features_contains (features,
          GST_CAPS_FEATURE_MEMORY_HIP_MEMORY)) {
    cuda = gst_caps_features_copy (features);
    gst_caps_features_remove (cuda, GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
    gst_caps_features_add (cuda, HIP_CAPS_FEATURE_MEMORY_CUDA);
  } else {
    return;
  }
  gst_caps_append_structure_full (result,
      gst_structure_copy (gst_caps_get_structure (caps, index)), cuda);
}

GstCaps *
hip_cuda_caps_to_hip (GstCaps * caps)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstCapsFeatures *features =
        gst_caps_features_copy (gst_caps_get_features (caps, i));

    if (hip_caps_are_cuda (caps, i)) {
      gst_caps_features_remove (features, HIP_CAPS_FEATURE_MEMORY_CUDA);
      gst_caps_features_add (features, GST_CAPS_FEATURE_MEMORY_HIP_MEMORY);
    }
    gst_caps_append_structure_full (result,
        gst_structure_copy (gst_caps_get_structure (caps, i)), features);
  }
  return result;
}

GstCaps *
hip_cuda_caps_with_inputs (GstCaps * caps)
{
  GstCaps *result = gst_caps_copy (caps);

  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    hip_cuda_caps_append_from_hip (result, caps, i);
  return result;
}

GstCaps *
hip_cuda_caps_add_inputs (GstHipBaseFilter * filter, GstCaps * inputs)
{
  GstHipDevice *device;
  gboolean takes = TRUE;
  GstCaps *result;

  GST_OBJECT_LOCK (filter);
  device = gst_hip_base_filter_get_device (filter);
  if (device)
    takes = gst_hip_device_get_vendor (device) == GST_HIP_VENDOR_NVIDIA;
  GST_OBJECT_UNLOCK (filter);
  if (!takes)
    return inputs;
  result = hip_cuda_caps_with_inputs (inputs);
  gst_caps_unref (inputs);
  return result;
}

gboolean
hip_cuda_is_wanted (GstPad * pad)
{
  g_autoptr (GstPad) peer = gst_pad_get_peer (pad);
  g_autoptr (GstCaps) caps = NULL;

  if (!peer)
    return TRUE;
  caps = gst_pad_query_caps (peer, NULL);
  if (gst_caps_is_any (caps))
    return FALSE;
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    if (hip_caps_are_cuda (caps, i))
      return TRUE;
  }
  return FALSE;
}

/* --- in --- */

gboolean
hip_frame_is_in_cuda (GstBuffer * buffer)
{
  guint n = gst_buffer_n_memory (buffer);

  for (guint i = 0; i < n; i++) {
    if (!gst_memory_is_type (gst_buffer_peek_memory (buffer, i),
            HIP_CUDA_MEMORY_TYPE))
      return FALSE;
  }
  return n > 0;
}

/* The device of the context that memory is in */
static GstHipDevice *
ref_device_of (GstHipBaseFilter * filter, const HipGstCuda * cuda,
    HipCudaMemory * memory, GError ** error)
{
  GstHipDevice *own = gst_hip_base_filter_get_device (filter);
  guintptr handle = (guintptr) cuda->context_get_handle (memory->context);

  if (handle == gst_hip_device_get_native_context (own))
    return gst_object_ref (own);
  return gst_hip_base_filter_ref_foreign_device (filter, handle,
      memory->context, error);
}

static guintptr
get_stream (const HipGstCuda * cuda, HipCudaMemory * memory)
{
  gpointer stream =
      cuda->memory_get_stream ? cuda->memory_get_stream (memory) : NULL;

  return stream ? (guintptr) cuda->stream_get_handle (stream) : 0;
}

static GstMemory *
import_memory (GstHipBaseFilter * filter, const HipGstCuda * cuda,
    GstBuffer * buffer, guint index, GError ** error)
{
  HipInFlight *in_flight = gst_hip_base_filter_get_in_flight (filter);
  GstMemory *source = gst_buffer_peek_memory (buffer, index), *memory;
  g_autoptr (GstHipDevice) device = ref_device_of (filter, cuda,
      (HipCudaMemory *) source, error);
  HipFrameHold *hold;
  gpointer data;

  if (!device)
    return NULL;
  hold = hip_frame_hold_acquire (in_flight);
  hip_frame_hold_set_buffer (hold, buffer);
  if (index == 0)
    hip_frame_hold_set_lent (hold);
  data = hip_frame_hold_map_memory (hold, source, HIP_MAP_READ_CUDA);
  if (!data) {
    hip_frame_hold_release (hold);
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "the frame's CUDA memory does not map for the device");
    return NULL;
  }
  memory = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_DEVICE, data,
      gst_memory_get_sizes (source, NULL, NULL), hold, hip_frame_hold_release,
      error);
  if (!memory) {
    hip_frame_hold_release (hold);
    return NULL;
  }
  if (!gst_hip_memory_end_native_access (GST_HIP_MEMORY_CAST (memory),
          get_stream (cuda, (HipCudaMemory *) source), GST_MAP_WRITE, error)) {
    gst_memory_unref (memory);
    return NULL;
  }
  GST_MINI_OBJECT_FLAG_SET (memory, GST_MEMORY_FLAG_READONLY);
  return memory;
}

/* CUDA memory knows its layout, where the buffer does not say it. */
static gboolean
locate (HipFrame * frame, GstBuffer * buffer, const GstVideoInfo * info,
    GError ** error)
{
  const HipCudaMemory *memory =
      (const HipCudaMemory *) gst_buffer_peek_memory (buffer, 0);
  GstVideoInfo own;

  if (gst_buffer_get_video_meta (buffer) || gst_buffer_n_memory (buffer) != 1)
    return hip_frame_locate (frame, buffer, info, error);
  own = *info;
  if (GST_VIDEO_INFO_FORMAT (&memory->info) != GST_VIDEO_INFO_FORMAT (info)
      || GST_VIDEO_INFO_WIDTH (&memory->info) < GST_VIDEO_INFO_WIDTH (info)
      || GST_VIDEO_INFO_HEIGHT (&memory->info) < GST_VIDEO_INFO_HEIGHT (info)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the buffer's CUDA memory is a frame of %s %dx%d, its caps say %s "
        "%dx%d", gst_video_format_to_string (GST_VIDEO_INFO_FORMAT
            (&memory->info)), GST_VIDEO_INFO_WIDTH (&memory->info),
        GST_VIDEO_INFO_HEIGHT (&memory->info),
        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (info)),
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
    return FALSE;
  }
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    own.offset[i] = memory->info.offset[i];
    own.stride[i] = memory->info.stride[i];
  }
  return hip_frame_locate (frame, buffer, &own, error);
}

GstBuffer *
hip_frame_import_cuda (GstHipBaseFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  const GstVideoInfo *info = gst_hip_base_filter_get_in_info (filter);
  const HipGstCuda *cuda = hip_gstcuda_get (FALSE);
  GstBuffer *result;
  HipFrame frame;

  if (!cuda || gst_hip_device_get_vendor (gst_hip_base_filter_get_device
          (filter)) != GST_HIP_VENDOR_NVIDIA) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "this device does not read CUDA memory");
    return NULL;
  }
  if (!locate (&frame, buffer, info, error))
    return NULL;
  if (frame.spans || frame.bottom_up) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "kernels read no plane that spans several memories or stands bottom "
        "up");
    return NULL;
  }
  result = gst_hip_base_filter_acquire_shell (filter, error);
  if (!result)
    return NULL;
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = import_memory (filter, cuda, buffer, i, error);

    if (!memory) {
      gst_buffer_unref (result);
      return NULL;
    }
    gst_buffer_append_memory (result, memory);
  }
  hip_frame_add_layout (&frame, result, info);
  return result;
}

/* --- out --- */

gboolean
hip_cuda_can_export (GstHipDevice * device, gboolean load)
{
  const HipGstCuda *cuda;

  if (gst_hip_device_get_vendor (device) != GST_HIP_VENDOR_NVIDIA)
    return FALSE;
  cuda = hip_gstcuda_get (load);
  return cuda && cuda->alloc_wrapped;
}

typedef struct
{
  GstBuffer *buffer;            /* in HIP memory */
  GstMiniObject *stream;        /* GstCuda's */
  guintptr handle;
} Loan;

/* Somebody may still have work queued there that reads it. */
static void
loan_ends (gpointer data)
{
  Loan *loan = data;
  GstMemory *memory = gst_buffer_peek_memory (loan->buffer, 0);

  gst_hip_memory_end_native_access (GST_HIP_MEMORY_CAST (memory), loan->handle,
      GST_MAP_READ, NULL);
  gst_buffer_unref (loan->buffer);
  gst_mini_object_unref (loan->stream);
  g_free (loan);
}

static gboolean
ensure_stream (const HipGstCuda * cuda, GstObject * context,
    GstMiniObject ** stream, GError ** error)
{
  if (!*stream)
    *stream = cuda->stream_new (context);
  if (!*stream)
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "GStreamer's CUDA library makes no stream");
  return *stream != NULL;
}

static GstMemory *
lend (const HipGstCuda * cuda, GstObject * context, GstMiniObject * stream,
    GstBuffer * buffer, const GstVideoInfo * layout, GError ** error)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0), *lent;
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);
  g_autoptr (GstAllocator) allocator =
      gst_allocator_find (HIP_CUDA_MEMORY_TYPE);
  guintptr handle = (guintptr) cuda->stream_get_handle (stream);
  Loan *loan;

  if (!gst_hip_memory_begin_native_access (mem, handle, GST_MAP_READ, error))
    return NULL;
  loan = g_new (Loan, 1);
  loan->buffer = gst_buffer_ref (buffer);
  loan->stream = gst_mini_object_ref (stream);
  loan->handle = handle;
  lent = cuda->alloc_wrapped (allocator, context, stream, layout,
      gst_hip_memory_get_address (mem), loan, loan_ends);
  if (!lent) {
    loan_ends (loan);
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "GStreamer's CUDA library does not wrap the frame's memory");
    return NULL;
  }
  /* Others share these bytes; and they are there when the stream is so far. */
  GST_MINI_OBJECT_FLAG_SET (lent, GST_MEMORY_FLAG_READONLY
      | HIP_CUDA_MEMORY_NEED_SYNC);
  return lent;
}

GstBuffer *
hip_frame_export_cuda (GstHipBaseFilter * filter, GstBuffer * buffer,
    GstMiniObject ** stream, GError ** error)
{
  GstHipDevice *device = gst_hip_base_filter_get_device (filter);
  GstVideoInfo layout = *gst_hip_base_filter_get_in_info (filter);
  g_autoptr (GstObject) context = hip_gstcuda_ref_context (device, TRUE);
  const HipGstCuda *cuda = hip_gstcuda_get (TRUE);
  GstMemory *memory;
  GstBuffer *result;
  HipFrame frame;

  if (!hip_frame_locate (&frame, buffer, &layout, error))
    return NULL;
  if (!context || !cuda || !cuda->alloc_wrapped
      || gst_buffer_n_memory (buffer) != 1
      || !hip_frame_is_on_device (&frame, device, FALSE)) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "the frame is not in one device memory");
    return NULL;
  }
  for (guint i = 0; i < frame.n_planes; i++) {
    layout.offset[i] = frame.planes[i].whole_offset;
    layout.stride[i] = (gint) frame.planes[i].stride;
  }
  layout.size = gst_buffer_get_size (buffer);
  if (!ensure_stream (cuda, context, stream, error))
    return NULL;
  memory = lend (cuda, context, *stream, buffer, &layout, error);
  if (!memory)
    return NULL;
  result = gst_buffer_new ();
  gst_buffer_append_memory (result, memory);
  hip_frame_add_layout (&frame, result, &layout);
  return result;
}
