/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does hipdownload give frames as DMA-BUFs to who names them, complete when they
 * are pushed, and only where a device exports some that can be mapped: the CPU
 * and HIP 7, not HIP 6, and not NVIDIA's?
 */
#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

#if GST_CHECK_VERSION (1, 24, 0)
#include <gst/video/video-info-dma.h>
#endif

#include "io-frames.h"
#include "io-gate.h"

#define CHAIN "hipupload vendor=%s ! hipdownload name=down vendor=%s"

static gboolean
gives (void)
{
  const gchar *library = g_getenv ("GST_HIP_AMDHIP_LIBNAME");

  return strcmp (test_vendor (), "host") == 0
      || (strcmp (test_vendor (), "amd") == 0 && strstr (library, "amdhip7"));
}

static GstCaps *
dmabuf_caps (const GstVideoInfo * info, gboolean drm)
{
  GstVideoInfo copy = *info;
  GstCaps *caps = gst_video_info_to_caps (&copy);

  gst_caps_set_features_simple (caps,
      gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_DMABUF, NULL));
#if GST_CHECK_VERSION (1, 24, 0)
  if (drm) {
    g_autofree gchar *text = gst_video_dma_drm_fourcc_to_string
        (gst_video_dma_drm_fourcc_from_format (GST_VIDEO_INFO_FORMAT (info)),
        0);

    gst_caps_set_simple (caps, "format", G_TYPE_STRING, "DMA_DRM",
        "drm-format", G_TYPE_STRING, text, NULL);
  }
#endif
  return caps;
}

static GstHarness *
start (const Picture * picture, gboolean drm)
{
  GstHarness *h = harness_new (CHAIN, NULL);
  GstVideoInfo info = picture->info;

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps (h, dmabuf_caps (&info, drm));
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&info));
  return h;
}

static guint64
count_path (GstHarness * h, const gchar * path)
{
  g_autoptr (GstElement) down = gst_harness_find_element (h, "hipdownload");

  return stat_uint64 (down, path);
}

static void
round_trip (GstVideoFormat format, guint width, guint height, gboolean drm)
{
  Picture pictures[3];
  GstHarness *h;

  for (guint i = 0; i < 3; i++)
    picture_init (&pictures[i], format, width, height, i);
  h = start (&pictures[0], drm);
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&pictures
                [i], LAYOUT_ODD)), GST_FLOW_OK);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless_equals_int (gst_harness_buffers_received (h), 3);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *out = gst_harness_pull (h);

    fail_unless_equals_int (gst_buffer_n_memory (out), 1);
    fail_unless (gst_is_dmabuf_memory (gst_buffer_peek_memory (out, 0)));
    picture_compare (&pictures[i], out, "in a DMA-BUF");
    gst_buffer_unref (out);
    picture_clear (&pictures[i]);
  }
  fail_unless_equals_uint64 (count_path (h, "device-copy"), 3);
  gst_harness_teardown (h);
}

GST_START_TEST (test_right)
{
  if (!gives ())
    return;
  round_trip (GST_VIDEO_FORMAT_NV12, 64, 48, __i__);
  round_trip (GST_VIDEO_FORMAT_NV12, 321, 241, __i__);
  round_trip (GST_VIDEO_FORMAT_I420, 33, 17, __i__);
  round_trip (GST_VIDEO_FORMAT_RGBA, 721, 3, __i__);
  round_trip (GST_VIDEO_FORMAT_P010_10LE, 66, 18, __i__);
  round_trip (GST_VIDEO_FORMAT_YUY2, 1, 1, __i__);
}

GST_END_TEST;

/* Nobody downstream could wait for it. */
GST_START_TEST (test_complete_when_pushed)
{
  g_autoptr (GstBuffer) bytes = NULL;
  GstBuffer *gated, *out;
  Picture pictures[2];
  GstHarness *h;
  Gate *gate;

  if (!gives ())
    return;
  for (guint i = 0; i < 2; i++)
    picture_init (&pictures[i], GST_VIDEO_FORMAT_GRAY8, 64, 48, i);
  h = start (&pictures[0], FALSE);
  gate = gate_new ();
  bytes = picture_to_buffer (&pictures[0], LAYOUT_CAPS);
  gated = gst_buffer_new ();
  gst_buffer_append_memory (gated, gate_new_memory (gate, bytes));
  fail_unless_equals_int (gst_harness_push (h, gated), GST_FLOW_OK);
  g_usleep (50000);
  fail_unless_equals_int (gst_harness_buffers_received (h), 0);
  gate_open (gate);
  fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&pictures[1],
              LAYOUT_CAPS)), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (h), 1);
  out = gst_harness_pull (h);
  picture_compare (&pictures[0], out, "complete");
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  gate_free (gate);
  picture_clear (&pictures[0]);
  picture_clear (&pictures[1]);
}

GST_END_TEST;

GST_START_TEST (test_latency)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime min;
  Picture picture;
  GstHarness *h;

  if (!gives ())
    return;
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = start (&picture, FALSE);
  fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&picture,
              LAYOUT_CAPS)), GST_FLOW_OK);
  fail_unless (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, NULL, &min, NULL);
  fail_unless_equals_uint64 (min, GST_SECOND / 30);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* A few DMA-BUFs take turns. */
GST_START_TEST (test_pooled)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Picture picture;
  GstHarness *h;

  if (!gives ())
    return;
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = start (&picture, FALSE);
  for (guint i = 0; i < 100; i++) {
    GstBuffer *out;

    fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&picture,
                LAYOUT_CAPS)), GST_FLOW_OK);
    out = gst_harness_try_pull (h);
    if (!out)
      continue;
    g_hash_table_add (seen, gst_buffer_peek_memory (out, 0));
    gst_buffer_unref (out);
  }
  fail_unless (g_hash_table_size (seen) <= 4, "%u DMA-BUFs",
      g_hash_table_size (seen));
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* And in again, where the device imports what it exports: the same memory */
GST_START_TEST (test_into_another_element)
{
  g_autofree gchar *text = NULL;
  g_autoptr (GstElement) up = NULL;
  Picture picture;
  GstHarness *h;
  GstBuffer *out;

  if (!gives ())
    return;
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  text = g_strdup_printf ("hipupload vendor=%s ! hipdownload vendor=%s "
      "async-depth=0 ! capsfilter caps=video/x-raw(memory:DMABuf) ! "
      "hipupload name=again vendor=%s assume-linear=true ! hipdownload "
      "vendor=%s", test_vendor (), test_vendor (), test_vendor (),
      test_vendor ());
  h = gst_harness_new_parse (text);
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&picture.info));
  up = gst_bin_get_by_name (GST_BIN (h->element), "again");
  for (guint i = 0; i < 10; i++) {
    fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&picture,
                LAYOUT_CAPS)), GST_FLOW_OK);
    out = gst_harness_pull (h);
    picture_compare (&picture, out, "out and in");
    gst_buffer_unref (out);
  }
  fail_unless_equals_uint64 (stat_uint64 (up, "zero-copy"), 10);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* Who takes CPU memory gets that, as ever. */
GST_START_TEST (test_cpu_memory_is_preferred)
{
  Picture picture;
  GstHarness *h;
  GstBuffer *out;
  GstCaps *caps;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = harness_new (CHAIN, NULL);
  caps = dmabuf_caps (&picture.info, FALSE);
  gst_caps_append (caps, gst_video_info_to_caps (&picture.info));
  gst_harness_set_sink_caps (h, caps);
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&picture.info));
  fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&picture,
              LAYOUT_CAPS)), GST_FLOW_OK);
  out = gst_harness_pull (h);
  fail_if (gst_is_dmabuf_memory (gst_buffer_peek_memory (out, 0)));
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

GST_START_TEST (test_refused_where_nothing_can_be_mapped)
{
  Picture picture;
  GstHarness *h;

  if (gives ())
    return;
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = start (&picture, FALSE);
  fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&picture,
              LAYOUT_CAPS)), GST_FLOW_NOT_NEGOTIATED);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

static Suite *
dmabuf_out_suite (void)
{
  Suite *suite = suite_create ("dmabuf-out");
  TCase *tcase = tcase_create ("dmabuf-out");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_right, 0, 2);
  tcase_add_test (tcase, test_complete_when_pushed);
  tcase_add_test (tcase, test_latency);
  tcase_add_test (tcase, test_pooled);
  tcase_add_test (tcase, test_into_another_element);
  tcase_add_test (tcase, test_cpu_memory_is_preferred);
  tcase_add_test (tcase, test_refused_where_nothing_can_be_mapped);
  return suite;
}

GST_CHECK_MAIN (dmabuf_out);
