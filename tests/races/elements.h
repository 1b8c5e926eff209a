/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The elements in a test program, where their own streams can be stopped. */
#pragma once

#include <gst/check/gstharness.h>

#include "races.h"
#include "gsthipbasefilter.h"

/* One plane, no padding on any device */
#define CAPS "format=GRAY8,width=256,height=4,framerate=30/1"
#define SYSTEM_CAPS "video/x-raw," CAPS
#define HIP_CAPS "video/x-raw(memory:HIPMemory)," CAPS
#define SIZE 1024
#define KERNEL "hipkernel name=kernel vendor=host " \
    "source=\"extern \\\"C\\\" __global__ void same (GstHipFrame in, " \
    "GstHipFrame out, GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) " \
    "out.data[0][y * out.stride[0] + x] = in.data[0][y * in.stride[0] + x]; }\" "
#define CHAIN_WITH_KERNEL "hipupload name=up vendor=host ! " KERNEL "! " \
    "hipdownload name=down vendor=host"
/* As many bytes, all of them the same, whatever their order is */
#define RGBA_CAPS "format=RGBA,width=64,height=4,framerate=30/1"
#define CONVERT "hipconvert name=convert vendor=host "
#define TO_BGRA "! video/x-raw(memory:HIPMemory),format=BGRA "
#define CHAIN_WITH_CONVERT "hipupload name=up vendor=host ! " CONVERT TO_BGRA \
    "! hipdownload name=down vendor=host"
#define CHAIN "hipupload name=up vendor=host ! hipdownload name=down vendor=host"

GST_PLUGIN_STATIC_DECLARE (hip);

G_GNUC_UNUSED static GstHarness *h;

G_GNUC_UNUSED static void
setup (void)
{
  GST_PLUGIN_STATIC_REGISTER (hip);
}

G_GNUC_UNUSED static void
start (const gchar * chain, const gchar * caps)
{
  h = gst_harness_new_parse (chain);
  gst_harness_set_src_caps_str (h, caps);
}

G_GNUC_UNUSED static void
stop (void)
{
  gst_harness_teardown (h);
  wait_for (hip_memory_live_count () == 0);
  assert_no_threads ();
}

G_GNUC_UNUSED static GstHipStream *
stream_of (const gchar * name)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (h->element), name);
  GstHipStream *stream =
      gst_hip_base_filter_get_stream (GST_HIP_BASE_FILTER (element));

  fail_unless (stream != NULL);
  return gst_hip_stream_ref (stream);
}

G_GNUC_UNUSED static GstHipDevice *
device_of (const gchar * name)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (h->element), name);

  return gst_hip_base_filter_get_device (GST_HIP_BASE_FILTER (element));
}

G_GNUC_UNUSED static GstBuffer *
new_frame (guint8 value)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, SIZE, NULL);

  gst_buffer_memset (buffer, 0, value, SIZE);
  return buffer;
}

G_GNUC_UNUSED static GstBuffer *
push_and_pull (GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  return gst_harness_pull (h);
}

G_GNUC_UNUSED static void
assert_frame (GstBuffer * buffer, guint8 value)
{
  assert_bytes (gst_buffer_peek_memory (buffer, 0), value);
  gst_buffer_unref (buffer);
}
