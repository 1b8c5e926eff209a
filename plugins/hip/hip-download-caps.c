/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which caps can hipdownload make of others, and of which can it make some?
 *
 * CPU memory for everybody; memory of GstCuda's elements and DMA-BUFs only for
 * who names them, and where the device has such. Must not know: how frames get
 * there.
 */
#include "config.h"

#include "hip-bridge.h"
#include "hip-cuda.h"
#include "hip-dmabuf-caps.h"
#include "hip-dmabuf-pool.h"
#include "hip-download-caps.h"

/* NULL: unknown as yet */
static GstHipDevice *
ref_device (GstHipBaseFilter * self)
{
  GstHipDevice *device;

  GST_OBJECT_LOCK (self);
  device = gst_hip_base_filter_get_device (self);
  if (device)
    gst_object_ref (device);
  GST_OBJECT_UNLOCK (self);
  return device;
}

/* Frames become CUDA memory only for those who name it. */
static gboolean
gives_cuda (GstHipBaseFilter * self)
{
  g_autoptr (GstHipDevice) device = ref_device (self);

  if (device && gst_hip_device_get_vendor (device) != GST_HIP_VENDOR_NVIDIA)
    return FALSE;
  return hip_cuda_is_wanted (GST_BASE_TRANSFORM_SRC_PAD (self))
      && (!device || hip_cuda_can_export (device, TRUE));
}

/* Into them only for those who name them and take no CPU memory. */
static gboolean
gives_dmabufs (GstHipBaseFilter * self, gint * works)
{
  g_autoptr (GstHipDevice) device = ref_device (self);
  gint known;

  if (!hip_dmabuf_is_wanted (GST_BASE_TRANSFORM_SRC_PAD (self)))
    return FALSE;
  if (!device)
    return TRUE;
  GST_OBJECT_LOCK (self);
  known = *works;
  GST_OBJECT_UNLOCK (self);
  if (known < 0) {
    known = hip_dmabuf_pool_works (device);
    GST_OBJECT_LOCK (self);
    *works = known;
    GST_OBJECT_UNLOCK (self);
  }
  return known;
}

static GstCaps *
add_dmabufs (GstCaps * result, GstCaps * caps)
{
  GstCaps *dmabufs = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    hip_dmabuf_caps_append_from_hip (dmabufs, caps, i, TRUE);
  return gst_caps_merge (result, dmabufs);
}

static GstCaps *
add_cuda (GstCaps * caps, GstCaps * others)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    hip_cuda_caps_append_from_hip (result, caps, i);
  return gst_caps_merge (result, others);
}

GstCaps *
hip_download_caps_get_outputs (GstHipBaseFilter * self, gint * dmabufs,
    GstCaps * caps)
{
  GstCaps *result = hip_bridge_caps_or_same (GST_BASE_TRANSFORM_SRC_PAD (self),
      caps, caps, NULL, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY);

  if (gives_dmabufs (self, dmabufs))
    result = add_dmabufs (result, caps);
  return gives_cuda (self) ? add_cuda (caps, result) : result;
}

/* CUDA memory and DMA-BUFs are made of HIP memory only. */
GstCaps *
hip_download_caps_get_inputs (GstCaps * caps)
{
  static const gchar *const hip[] = {
    GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, NULL
  };
  static const gchar *const both[] = {
    GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY,
    NULL
  };
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    g_autoptr (GstCaps) one = gst_caps_copy_nth (caps, i);

    if (hip_caps_are_dmabuf (one, 0)) {
      result = gst_caps_merge (result, hip_dmabuf_caps_to_hip (one, TRUE));
      continue;
    }
    result = gst_caps_merge (result, hip_bridge_caps (one, NULL, hip,
            hip_caps_are_cuda (one, 0) ? hip : both));
  }
  return result;
}
