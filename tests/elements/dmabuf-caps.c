/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which DMA-BUFs does hipupload negotiate, before there is a device, too, and
 * does it say why it refuses others?
 */
#include "io-frames.h"

#define UP "hipupload name=up vendor=%s assume-linear=true"

static gboolean
links (const gchar * caps)
{
  g_autofree gchar *text = g_strdup_printf ("fakesrc ! capsfilter caps=\"%s\" "
      "! hipupload vendor=%s assume-linear=true ! "
      "video/x-raw(memory:HIPMemory) ! fakesink", caps, test_vendor ());
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch_full (text, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (pipeline)
    gst_object_unref (pipeline);
  return pipeline != NULL;
}

/* In NULL, where there is no device yet */
GST_START_TEST (test_links)
{
  fail_unless (links ("video/x-raw(memory:DMABuf)"));
  fail_unless (links ("video/x-raw(memory:DMABuf),format=NV12"));
  fail_if (links ("video/x-raw(memory:GLMemory),format=NV12"));
#if GST_CHECK_VERSION (1, 24, 0)
  fail_unless (links ("video/x-raw(memory:DMABuf),format=DMA_DRM"));
  fail_unless (links ("video/x-raw(memory:DMABuf),format=DMA_DRM,"
          "drm-format=NV12"));
  fail_unless (links ("video/x-raw(memory:DMABuf),format=DMA_DRM,"
          "drm-format=NV12:0x0"));
  fail_unless (links ("video/x-raw(memory:DMABuf),format=DMA_DRM,"
          "drm-format=AR24"));
  fail_if (links ("video/x-raw(memory:DMABuf),format=DMA_DRM,"
          "drm-format=NV12:0x0200000018601b04"));
#endif
}

GST_END_TEST;

static gchar *
refusal_of (const gchar * chain, const gchar * caps)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GError) error = NULL;
  GstHarness *h = harness_new (chain, NULL);
  GstMessage *message;

  gst_element_set_bus (h->element, bus);
  gst_harness_set_sink_caps_str (h, "video/x-raw(memory:HIPMemory)");
  gst_harness_set_src_caps_str (h, caps);
  fail_unless (gst_harness_push (h, gst_buffer_new ()) != GST_FLOW_OK);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL, "no warning on the bus");
  gst_message_parse_warning (message, &error, NULL);
  gst_message_unref (message);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
  return g_strdup (error->message);
}

GST_START_TEST (test_refused_with_the_reason)
{
  g_autofree gchar *text = NULL;

#if GST_CHECK_VERSION (1, 24, 0)
  text = refusal_of (UP, "video/x-raw(memory:DMABuf),format=DMA_DRM,"
      "drm-format=NV12:0x0200000018601b04,width=64,height=48,framerate=30/1");
  fail_unless (strstr (text, "tiled") && strstr (text, "drm-format=NV12"),
      "%s", text);
#else
  text = refusal_of ("hipupload vendor=%s", "video/x-raw(memory:DMABuf),"
      "format=NV12,width=64,height=48,framerate=30/1");
  fail_unless (strstr (text, "assume-linear=true") != NULL, "%s", text);
#endif
}

GST_END_TEST;

/* Byte orders: what is named is what is in memory. */
GST_START_TEST (test_frames_of_drm_caps)
{
#if GST_CHECK_VERSION (1, 24, 0)
  static const struct
  {
    const gchar *drm;
    GstVideoFormat format;
  } pairs[] = {
    {"AR24", GST_VIDEO_FORMAT_BGRA}, {"XR24", GST_VIDEO_FORMAT_BGRx},
    {"AB24", GST_VIDEO_FORMAT_RGBA}, {"NV12:0x0", GST_VIDEO_FORMAT_NV12},
    {"YU12:0x0000000000000000", GST_VIDEO_FORMAT_I420},
    {"P010", GST_VIDEO_FORMAT_P010_10LE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_autofree gchar *text = g_strdup_printf ("video/x-raw(memory:DMABuf),"
        "format=DMA_DRM,drm-format=%s,width=64,height=48,framerate=30/1",
        pairs[i].drm);
    GstHarness *h = harness_new (UP, NULL);
    g_autoptr (GstCaps) caps = NULL;
    GstVideoInfo info;

    gst_harness_set_sink_caps_str (h, "video/x-raw(memory:HIPMemory)");
    gst_harness_set_src_caps_str (h, text);
    caps = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (caps != NULL, "%s", text);
    fail_unless (gst_video_info_from_caps (&info, caps));
    fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&info), pairs[i].format);
    gst_harness_teardown (h);
  }
#endif
}

GST_END_TEST;

static Suite *
dmabuf_caps_suite (void)
{
  Suite *suite = suite_create ("dmabuf-caps");
  TCase *tcase = tcase_create ("dmabuf-caps");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_links);
  tcase_add_test (tcase, test_refused_with_the_reason);
  tcase_add_test (tcase, test_frames_of_drm_caps);
  return suite;
}

GST_CHECK_MAIN (dmabuf_caps);
