/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How do tensors get from a frame to its copy in other memory? GStreamer 1.26
 * has the meta and no way to copy it. Knows no elements.
 */
#include "config.h"

#include "hip-tensor-meta.h"

#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>

gboolean
hip_tensor_meta_copy (GstBuffer * buffer, GstMeta * meta)
{
  GstTensorMeta *from = (GstTensorMeta *) meta, *to;
  GstTensor **tensors;

  if (meta->info->api != GST_TENSOR_META_API_TYPE || meta->info->transform_func)
    return FALSE;
  /* The numbers themselves are shared. */
  tensors = g_new (GstTensor *, from->num_tensors);
  for (gsize i = 0; i < from->num_tensors; i++)
    tensors[i] = gst_tensor_copy (from->tensors[i]);
  to = gst_buffer_add_tensor_meta (buffer);
  gst_tensor_meta_set (to, (guint) from->num_tensors, tensors);
  return TRUE;
}
#else
gboolean
hip_tensor_meta_copy (GstBuffer * buffer, GstMeta * meta)
{
  return FALSE;
}
#endif
