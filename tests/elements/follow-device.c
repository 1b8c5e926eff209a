/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does an element make of frames in another device's memory? Without a
 * choice of its own it goes where they are, with one it says that it may not. On
 * two GPUs of the simulated driver and on the CPU, which is a device, too.
 */
#include "config.h"

#include <string.h>

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/hip/gsthip.h>

#define CAPS "video/x-raw(memory:HIPMemory),format=GRAY8,width=64,height=4," \
    "framerate=30/1"
#define SIZE 256
#define INVERT "hipkernel name=%s source=\"// gst-hip: formats GRAY8\n" \
    "extern \\\"C\\\" __global__ void invert (GstHipFrame in, " \
    "GstHipFrame out, GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) out.data[0][y * out.stride[0] + x] " \
    "= 255 - in.data[0][y * in.stride[0] + x]; }\" "

enum
{
  FIRST,
  SECOND,
  CPU,
  N_DEVICES,
};

static GstHipDevice *devices[N_DEVICES];
static GstBufferPool *pools[N_DEVICES];

static void
setup (void)
{
  g_setenv ("FAKE_CUDA_DEVICES", "2", TRUE);
  for (guint i = 0; i < N_DEVICES; i++) {
    g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);
    GstStructure *config;
    GError *error = NULL;

    devices[i] = gst_hip_device_new_full (i == CPU ? GST_HIP_VENDOR_HOST :
        GST_HIP_VENDOR_NVIDIA, i == SECOND ? 1 : 0, &error);
    fail_unless (devices[i] != NULL, "%s", error ? error->message : "");
    pools[i] = gst_hip_buffer_pool_new (devices[i]);
    config = gst_buffer_pool_get_config (pools[i]);
    gst_buffer_pool_config_set_params (config, caps, SIZE, 0, 0);
    fail_unless (gst_buffer_pool_set_config (pools[i], config));
    fail_unless (gst_buffer_pool_set_active (pools[i], TRUE));
  }
}

/* Nobody has kept a device. */
static void
teardown (void)
{
  for (guint i = 0; i < N_DEVICES; i++) {
    gst_buffer_pool_set_active (pools[i], FALSE);
    gst_object_unref (pools[i]);
    while (GST_OBJECT_REFCOUNT_VALUE (devices[i]) > 1)
      g_usleep (500);
    gst_object_unref (devices[i]);
  }
}

static GstBuffer *
frame_on (guint device, guint8 value)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  GstBuffer *buffer = NULL;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 64, 4);
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pools[device],
          &buffer, NULL), GST_FLOW_OK);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  for (guint y = 0; y < 4; y++)
    memset ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), value, 64);
  gst_video_frame_unmap (&frame);
  return buffer;
}

static void
assert_frame (GstBuffer * buffer, guint8 value)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 64, 4);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint y = 0; y < 4; y++)
    for (guint x = 0; x < 64; x++)
      fail_unless_equals_int (((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame,
                  0))[y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + x], value);
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
}

static GstHipDevice *
device_of (GstHarness * h, const gchar * name)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (h->element), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstQuery) query =
      gst_query_new_context (GST_HIP_DEVICE_CONTEXT_TYPE);
  GstHipDevice *device = NULL;
  GstContext *context;

  fail_unless (gst_pad_query (pad, query));
  gst_query_parse_context (query, &context);
  fail_unless (gst_structure_get (gst_context_get_structure (context),
          "device", GST_TYPE_HIP_DEVICE, &device, NULL));
  return device;
}

static void
assert_is_on (GstHarness * h, const gchar * name, guint device)
{
  g_autoptr (GstHipDevice) used = device_of (h, name);

  fail_unless (gst_hip_device_is_equal (used, devices[device]));
}

static GstHarness *
start (const gchar * chain)
{
  GstHarness *h = gst_harness_new_parse (chain);

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps_str (h, CAPS);
  return h;
}

static const struct
{
  const gchar *text;
  gboolean inverts, two;
} chains[] = {
  {"hipdownload name=%s", FALSE, FALSE},
  {INVERT "! hipdownload", TRUE, FALSE},
  {INVERT "! hipdownload name=%s", TRUE, TRUE},
};

GST_START_TEST (test_without_a_choice_it_follows)
{
  static const guint order[] = { FIRST, SECOND, CPU, SECOND, FIRST, CPU };
  g_autofree gchar *text = g_strdup_printf (chains[__i__].text, "one", "two");
  GstHarness *h = start (text);

  for (guint i = 0; i < G_N_ELEMENTS (order); i++) {
    /* Those of the device before are still under way. */
    for (guint k = 0; k < 3; k++)
      fail_unless_equals_int (gst_harness_push (h, frame_on (order[i],
                  10 * i + k)), GST_FLOW_OK);
    assert_is_on (h, "one", order[i]);
    if (chains[__i__].two)
      assert_is_on (h, "two", order[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    for (guint k = 0; k < 3; k++)
      assert_frame (gst_harness_pull (h), chains[__i__].inverts ?
          255 - (10 * i + k) : 10 * i + k);
  gst_harness_teardown (h);
}

GST_END_TEST;

static const gchar *const choices[] = { "vendor=nvidia device-id=0",
  "vendor=nvidia", "device-id=0"
};

GST_START_TEST (test_with_a_choice_it_is_an_error)
{
  g_autofree gchar *kernel = g_strdup_printf (INVERT "%s ! hipdownload", "one",
      choices[__i__ / 2]);
  g_autofree gchar *download = g_strdup_printf ("hipdownload name=one %s ! "
      "identity", choices[__i__ / 2]);
  GstHarness *h = start (__i__ % 2 ? kernel : download);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (h->element, bus);
  fail_unless_equals_int (gst_harness_push (h, frame_on (FIRST, 7)),
      GST_FLOW_OK);
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (gst_harness_push (h, frame_on (SECOND, 8)),
        GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_STREAM_ERROR,
          GST_STREAM_ERROR_FORMAT), "%s", error->message);
  fail_unless (strstr (error->message, "vendor and device-id chose"), "%s",
      error->message);
  fail_if (gst_bus_have_pending (bus)
      && gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  assert_is_on (h, "one", FIRST);
  assert_frame (gst_harness_pull (h), __i__ % 2 ? 248 : 7);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
follow_device_suite (void)
{
  Suite *suite = suite_create ("follow-device");
  TCase *tcase = tcase_create ("follow-device");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_loop_test (tcase, test_without_a_choice_it_follows, 0,
      G_N_ELEMENTS (chains));
  tcase_add_loop_test (tcase, test_with_a_choice_it_is_an_error, 0,
      2 * G_N_ELEMENTS (choices));
  return suite;
}

GST_CHECK_MAIN (follow_device);
