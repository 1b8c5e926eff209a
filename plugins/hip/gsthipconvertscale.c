/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hipconvertscale
 * @title: hipconvertscale
 *
 * Converts frames in device memory to another format, colorimetry and size at
 * once: what #hipconvert and #hipscale do, with the properties of both, in the
 * place of `videoconvertscale`.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! video/x-raw,format=I420,width=640,height=480 ! hipupload ! hipconvertscale method=lanczos ! "video/x-raw(memory:HIPMemory),format=RGBA,width=400,height=300" ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* What may hipconvertscale do? All that a converter can: gsthipconvertbase.c does it. */
#include "config.h"

#include "gsthipconvertscale.h"

struct _GstHipConvertScale
{
  GstHipConvertBase parent;
};

static void
implement_direction (GstVideoDirectionInterface * direction)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (GstHipConvertScale, gst_hip_convert_scale,
    GST_TYPE_HIP_CONVERT_BASE,
    G_IMPLEMENT_INTERFACE (GST_TYPE_VIDEO_DIRECTION, implement_direction));
GST_ELEMENT_REGISTER_DEFINE (hipconvertscale, "hipconvertscale", GST_RANK_NONE,
    GST_TYPE_HIP_CONVERT_SCALE);

static void
gst_hip_convert_scale_init (GstHipConvertScale * self)
{
}

static void
gst_hip_convert_scale_class_init (GstHipConvertScaleClass * klass)
{
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "HIP converter and scaler",
      "Filter/Converter/Video/Scaler/Colorspace/Hardware",
      "Converts frames in device memory to another format, colorimetry or size",
      "GstHip contributors");
  gst_hip_convert_base_class_setup (GST_HIP_CONVERT_BASE_CLASS (klass), TRUE,
      TRUE);
}
