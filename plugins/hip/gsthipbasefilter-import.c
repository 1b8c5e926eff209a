/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does an element that works on HIP memory take frames of CUDA elements? It
 * gets a view of them in their place, or a copy that the device makes where a
 * frame is in another context or its producer needs it back. Must not know what
 * a subclass does. Invariant: nothing but the memory changes.
 */
#include "config.h"

#include "gsthipbasefilter-private.h"
#include "hip-cuda.h"
#include "hip-frame-copy.h"
#include "hip-import.h"
#include "hip-shells.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_base_filter_debug);
#define GST_CAT_DEFAULT gst_hip_base_filter_debug

void
hip_filter_drop_import_pool (GstHipBaseFilter * filter)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);

  if (priv->import_pool)
    gst_buffer_pool_set_active (priv->import_pool, FALSE);
  gst_clear_object (&priv->import_pool);
  if (priv->shells)
    gst_buffer_pool_set_active (priv->shells, FALSE);
  gst_clear_object (&priv->shells);
}

GstBuffer *
gst_hip_base_filter_acquire_shell (GstHipBaseFilter * filter, GError ** error)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  GstBuffer *buffer = NULL;

  if (!priv->shells)
    priv->shells = hip_shells_new ();
  if (!priv->shells || gst_buffer_pool_acquire_buffer (priv->shells, &buffer,
          NULL) != GST_FLOW_OK)
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no buffer for an imported frame");
  return buffer;
}

static GstBuffer *
acquire (GstHipBaseFilter * filter, GError ** error)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  g_autoptr (GError) before = gst_hip_take_error ();
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *buffer = NULL;
  guint size;

  if (!priv->import_pool) {
    caps = gst_video_info_to_caps (&priv->in_info);
    priv->import_pool = gst_hip_base_filter_new_pool (filter,
        GST_HIP_MEMORY_KIND_DEVICE, caps, 0, TRUE, &size);
    if (priv->import_pool
        && !gst_buffer_pool_set_active (priv->import_pool, TRUE))
      gst_clear_object (&priv->import_pool);
  }
  if (!priv->import_pool || gst_buffer_pool_acquire_buffer (priv->import_pool,
          &buffer, NULL) != GST_FLOW_OK)
    hip_propagate_reason (error, GST_HIP_ERROR_OUT_OF_MEMORY,
        "no memory for a copy of the frame");
  return buffer;
}

/* Queued on the element's stream, as what it does with the copy */
static GstBuffer *
copy (GstHipBaseFilter * filter, GstBuffer * view, GError ** error)
{
  GstHipBaseFilterPrivate *priv = PRIV (filter);
  g_autoptr (GstBuffer) result = acquire (filter, error);
  g_autoptr (GstHipEvent) event = NULL;
  HipFrame src, dst;
  gboolean ok;

  if (!result || !hip_frame_locate (&src, view, &priv->in_info, error)
      || !hip_frame_locate (&dst, result, &priv->in_info, error))
    return NULL;
  ok = hip_frame_queue_copy (priv->stream, &dst, &src, error);
  event = gst_hip_base_filter_record (filter, ok ? error : NULL);
  if (!event)
    return NULL;
  hip_frame_copy_end (&dst, &src, event);
  return ok ? g_steal_pointer (&result) : NULL;
}

typedef struct
{
  GstBuffer *to;
} Metas;

/* The layout is the new buffer's own. */
static gboolean
copy_meta (GstBuffer * from, GstMeta ** meta, gpointer data)
{
  GstMetaTransformCopy whole = { FALSE, 0, -1 };
  const GstMetaInfo *info = (*meta)->info;

  if (info->api != GST_VIDEO_META_API_TYPE && info->transform_func
      && !GST_META_FLAG_IS_SET (*meta, GST_META_FLAG_POOLED)
      && !gst_meta_api_type_has_tag (info->api,
          g_quark_from_static_string (GST_META_TAG_MEMORY_STR))
      && !gst_meta_api_type_has_tag (info->api,
          g_quark_from_static_string (GST_META_TAG_MEMORY_REFERENCE_STR)))
    info->transform_func (((Metas *) data)->to, *meta, from,
        _gst_meta_transform_copy, &whole);
  return TRUE;
}

static GstBuffer *
import (GstHipBaseFilter * filter, GstBuffer * input, GError ** error)
{
  GstBuffer *view = hip_frame_import_cuda (filter, input, error), *copied;
  GstHipMemory *memory;

  if (!view)
    return NULL;
  memory = GST_HIP_MEMORY_CAST (gst_buffer_peek_memory (view, 0));
  if (gst_hip_device_is_equal (memory->device, PRIV (filter)->device)
      && !hip_frame_is_wanted_back (filter, input))
    return view;
  copied = copy (filter, view, error);
  gst_buffer_unref (view);
  return copied;
}

gboolean
hip_filter_import_input (GstHipBaseFilter * filter, GstBuffer ** input)
{
  GError *error = NULL;
  Metas metas;

  if (!PRIV (filter)->cuda_in || !hip_frame_is_in_cuda (*input))
    return TRUE;
  metas.to = import (filter, *input, &error);
  if (!metas.to) {
    gst_clear_buffer (input);
    gst_hip_base_filter_post_error (filter, "Frame in CUDA memory not used",
        error);
    return FALSE;
  }
  gst_buffer_copy_into (metas.to, *input,
      GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  gst_buffer_foreach_meta (*input, copy_meta, &metas);
  gst_buffer_unref (*input);
  *input = metas.to;
  return TRUE;
}
