/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/**
 * SECTION:element-hipconvert
 * @title: hipconvert
 *
 * Converts frames in device memory to another format or colorimetry of the same
 * size, in one pass. It takes the place of `videoconvert` between #hipupload and
 * #hipdownload: its properties have the same names, types and defaults, and it
 * chooses the same output of what its neighbours take. The one that means
 * nothing on a device, #GstHipConvert:n-threads, is accepted and says so.
 *
 * What the caps claim is what the pixels are: range, matrix, chroma siting and
 * alpha are converted, of YUV to YUV, too; primaries and transfer functions
 * where #GstHipConvert:primaries-mode and #GstHipConvert:gamma-mode ask for it.
 * Properties may change while it plays; the next frame is made with them.
 * Frames pass through untouched where nothing would change.
 *
 * On NVIDIA's devices it takes frames of GStreamer's CUDA elements as well, as
 * #hipupload does.
 *
 * In streams of interlace mode `mixed` each buffer's flag says whether it is
 * converted as two fields.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 ! video/x-raw,format=I420,colorimetry=bt709 ! hipupload ! hipconvert ! "video/x-raw(memory:HIPMemory),format=RGBA" ! hipdownload ! fakesink
 * ]|
 *
 * Since: 1.30
 */
/* What may hipconvert do? Formats and colours: gsthipconvertbase.c does it. */
#include "config.h"

#include "gsthipconvert.h"

struct _GstHipConvert
{
  GstHipConvertBase parent;
};

G_DEFINE_FINAL_TYPE (GstHipConvert, gst_hip_convert, GST_TYPE_HIP_CONVERT_BASE);
GST_ELEMENT_REGISTER_DEFINE (hipconvert, "hipconvert", GST_RANK_NONE,
    GST_TYPE_HIP_CONVERT);

static void
gst_hip_convert_init (GstHipConvert * self)
{
}

static void
gst_hip_convert_class_init (GstHipConvertClass * klass)
{
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "HIP converter", "Filter/Converter/Video/Colorspace/Hardware",
      "Converts frames in device memory to another format or colorimetry",
      "GstHip contributors");
  gst_hip_convert_base_class_setup (GST_HIP_CONVERT_BASE_CLASS (klass), TRUE,
      FALSE);
}
