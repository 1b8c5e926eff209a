/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hipscale
 * @title: hipscale
 *
 * Scales frames in device memory, turns and mirrors them. It takes the place of
 * `videoscale` and `videoflip` between #hipupload and #hipdownload: its
 * properties have `videoscale`'s names, numbers and defaults, but for
 * #GstHipScale:method, whose default does not alias; and it chooses the same
 * size of what its neighbours take, so that the picture keeps its shape on the
 * display. Where it cannot, #GstHipScale:add-borders puts borders of
 * #GstHipScale:border-color around it.
 *
 * Chroma is scaled by position, from and to its own grid. Fields of interlaced
 * frames are scaled by themselves. A buffer's crop meta is the part of it that is
 * scaled. Regions of interest and overlays move with the picture.
 *
 * Frames pass through untouched where nothing would change.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! video/x-raw,format=NV12,width=640,height=480 ! hipupload ! hipscale video-direction=90r ! "video/x-raw(memory:HIPMemory),width=320,height=320" ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* What may hipscale do? Sizes and directions: gsthipconvertbase.c does it. */
#include "config.h"

#include "gsthipscale.h"

struct _GstHipScale
{
  GstHipConvertBase parent;
};

static void
implement_direction (GstVideoDirectionInterface * direction)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GstHipScale, gst_hip_scale,
    GST_TYPE_HIP_CONVERT_BASE,
    G_IMPLEMENT_INTERFACE (GST_TYPE_VIDEO_DIRECTION, implement_direction));
GST_ELEMENT_REGISTER_DEFINE (hipscale, "hipscale", GST_RANK_NONE,
    GST_TYPE_HIP_SCALE);

static void
gst_hip_scale_init (GstHipScale * self)
{
}

static void
gst_hip_scale_class_init (GstHipScaleClass * klass)
{
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "HIP scaler", "Filter/Converter/Video/Scaler/Effect/Hardware",
      "Scales, turns and mirrors frames in device memory",
      "GstHip contributors");
  gst_hip_convert_base_class_setup (GST_HIP_CONVERT_BASE_CLASS (klass), FALSE,
      TRUE);
}
