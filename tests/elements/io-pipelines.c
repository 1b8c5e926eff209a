/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do whole pipelines negotiate, share one device, and end as they should? And
 * do the elements say why when they cannot work?
 */
#include "io-frames.h"

static GstElement *
pipeline_new (const gchar * format, ...)
{
  g_autofree gchar *text = NULL;
  GError *error = NULL;
  GstElement *pipeline;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  pipeline = gst_parse_launch (text, &error);
  fail_unless (pipeline != NULL && error == NULL, "%s: %s", text,
      error ? error->message : "no pipeline");
  return pipeline;
}

/* Plays to the end; what an error says, or NULL. */
static gchar *
play (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  gchar *text = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    text = g_strdup (error->message);
  }
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  return text;
}

static void
play_well (GstElement * pipeline)
{
  g_autofree gchar *text = play (pipeline);

  fail_unless (text == NULL, "%s", text);
}

static void
keep_sample (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer data)
{
  GPtrArray *samples = data;
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  g_ptr_array_add (samples, gst_sample_new (buffer, caps, NULL, NULL));
}

/* Pixel for pixel as this GStreamer unpacks them, which knows nothing of how
 * we copy planes. */
static void
compare_pixels (GstSample * one, GstSample * other)
{
  GstVideoInfo info, other_info;
  GstVideoFrame a, b;
  gsize line_size;
  g_autofree guint8 *line_a = NULL;
  g_autofree guint8 *line_b = NULL;
  GstVideoFormat unpacked;
  gint y, n_lines;
  guint i;

  fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (one)));
  fail_unless (gst_video_info_from_caps (&other_info,
          gst_sample_get_caps (other)));
  fail_unless (gst_video_info_is_equal (&info, &other_info));
  unpacked = info.finfo->unpack_format;
  line_size = (gsize) (info.width + 16) *
      gst_video_format_get_info (unpacked)->pixel_stride[0];
  line_a = g_malloc0 (line_size);
  line_b = g_malloc0 (line_size);
  fail_unless (gst_video_frame_map (&a, &info, gst_sample_get_buffer (one),
          GST_MAP_READ));
  fail_unless (gst_video_frame_map (&b, &info, gst_sample_get_buffer (other),
          GST_MAP_READ));
  /* GStreamer's layouts of formats whose pixels share words have rows that
   * are too short for odd widths: unpacking reads into the next row, and
   * behind the last. */
  n_lines = info.height;
  for (i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++) {
    if (GST_VIDEO_INFO_COMP_PSTRIDE (&info, i) == 0)
      n_lines = info.height - 2;
  }
  for (y = 0; y < n_lines; y++) {
    info.finfo->unpack_func (info.finfo, GST_VIDEO_PACK_FLAG_NONE, line_a,
        a.data, a.info.stride, 0, y, info.width);
    info.finfo->unpack_func (info.finfo, GST_VIDEO_PACK_FLAG_NONE, line_b,
        b.data, b.info.stride, 0, y, info.width);
    fail_unless (memcmp (line_a, line_b, (gsize) info.width *
            gst_video_format_get_info (unpacked)->pixel_stride[0]) == 0,
        "%s %dx%d: line %d differs", GST_VIDEO_INFO_NAME (&info), info.width,
        info.height, y);
  }
  gst_video_frame_unmap (&a);
  gst_video_frame_unmap (&b);
}

static void
tee_round_trip (const gchar * format, guint width, guint height)
{
  g_autoptr (GPtrArray) direct = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_sample_unref);
  g_autoptr (GPtrArray) through = g_ptr_array_new_with_free_func (
      (GDestroyNotify) gst_sample_unref);
  GstElement *pipeline, *sink;
  guint i;

  pipeline = pipeline_new ("videotestsrc num-buffers=3 pattern=snow ! "
      "video/x-raw,format=%s,width=%u,height=%u ! tee name=t  t. ! queue ! "
      "fakesink name=direct signal-handoffs=true  t. ! queue ! "
      "hipupload vendor=%s ! hipdownload ! "
      "fakesink name=through signal-handoffs=true", format, width, height,
      test_vendor ());
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "direct");
  g_signal_connect (sink, "handoff", G_CALLBACK (keep_sample), direct);
  gst_object_unref (sink);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "through");
  g_signal_connect (sink, "handoff", G_CALLBACK (keep_sample), through);
  gst_object_unref (sink);

  play_well (pipeline);
  fail_unless_equals_int (direct->len, 3);
  fail_unless_equals_int (through->len, 3);
  for (i = 0; i < 3; i++)
    compare_pixels (g_ptr_array_index (direct, i),
        g_ptr_array_index (through, i));
  gst_object_unref (pipeline);
}

static gboolean
testsrc_makes (const gchar * format)
{
  static GstCaps *caps;

  if (!caps) {
    GstElementFactory *factory = gst_element_factory_find ("videotestsrc");
    const GList *templates =
        gst_element_factory_get_static_pad_templates (factory);

    caps = gst_static_caps_get (&((GstStaticPadTemplate *)
            templates->data)->static_caps);
    gst_object_unref (factory);
  }
  {
    g_autoptr (GstCaps) wanted = gst_caps_new_simple ("video/x-raw", "format",
        G_TYPE_STRING, format, NULL);

    return gst_caps_can_intersect (caps, wanted);
  }
}

GST_START_TEST (test_tee_with_and_without)
{
  static const guint sizes[][2] = { {1, 1}, {3, 3}, {321, 241} };
  g_autoptr (GArray) formats = listed_formats ();
  guint i, n = 0;

  for (i = 0; i < formats->len; i++) {
    const gchar *name =
        gst_video_format_to_string (g_array_index (formats, GstVideoFormat, i));

    if (testsrc_makes (name)) {
      tee_round_trip (name, sizes[__i__][0], sizes[__i__][1]);
      n++;
    }
  }
  fail_unless (n >= 20, "only %u formats", n);
}

GST_END_TEST;

GST_START_TEST (test_tee_with_and_without_big)
{
  tee_round_trip ("I420", 1919, 1079);
  tee_round_trip ("NV12", 1919, 1079);
  tee_round_trip ("RGBA", 1919, 1079);
}

GST_END_TEST;

GST_START_TEST (test_tee_and_queues_do_not_deadlock)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=200 ! "
      "video/x-raw,width=64,height=48 ! hipupload vendor=%s ! tee name=t  "
      "t. ! queue max-size-buffers=0 max-size-time=0 max-size-bytes=0 ! "
      "hipdownload ! fakesink sync=false  "
      "t. ! queue max-size-buffers=1 ! hipdownload ! queue ! fakesink  "
      "t. ! queue max-size-buffers=50 leaky=downstream ! fakesink",
      test_vendor ());

  play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* --- negotiation and contexts --- */

GST_START_TEST (test_links_before_any_device)
{
  /* A vendor that no machine has must not matter for linking. */
  GstElement *pipeline = pipeline_new ("videotestsrc ! hipupload vendor=amd "
      "device-id=4711 ! video/x-raw(memory:HIPMemory),format=NV12,width=64,"
      "height=48 ! hipdownload ! video/x-raw,format=NV12 ! fakesink");
  GError *error = NULL;
  GstElement *wrong;

  gst_object_unref (pipeline);
  wrong = gst_parse_launch ("videotestsrc ! hipupload ! "
      "video/x-raw(memory:HIPMemory),format=I420 ! hipdownload ! "
      "video/x-raw,format=RGBA ! fakesink", &error);
  fail_unless (error != NULL);
  g_clear_error (&error);
  gst_clear_object (&wrong);
}

GST_END_TEST;

static GstHipDevice *
device_of (GstElement * element)
{
  g_autoptr (GstQuery) query =
      gst_query_new_context (GST_HIP_DEVICE_CONTEXT_TYPE);
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstHipDevice *device = NULL;
  GstContext *context;

  fail_unless (gst_pad_query (pad, query));
  gst_query_parse_context (query, &context);
  fail_unless (gst_structure_get (gst_context_get_structure (context),
          "device", GST_TYPE_HIP_DEVICE, &device, NULL));
  gst_object_unref (pad);
  return device;
}

GST_START_TEST (test_neighbours_share_one_device)
{
  GstElement *pipeline = pipeline_new ("videotestsrc ! hipupload name=up "
      "! queue ! hipdownload name=down vendor=%s ! fakesink", test_vendor ());
  GstElement *up = gst_bin_get_by_name (GST_BIN (pipeline), "up");
  GstElement *down = gst_bin_get_by_name (GST_BIN (pipeline), "down");
  GstHipDevice *one, *other;

  fail_unless (gst_element_set_state (pipeline, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), GST_STATE_CHANGE_SUCCESS);
  one = device_of (up);
  other = device_of (down);
  fail_unless (one == other);
  gst_object_unref (one);
  gst_object_unref (other);
  gst_object_unref (up);
  gst_object_unref (down);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_device_of_the_application)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=2 ! "
      "hipupload name=up ! hipdownload ! fakesink");
  GstElement *up = gst_bin_get_by_name (GST_BIN (pipeline), "up");
  GEnumClass *klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  GstHipDevice *device, *used;
  GstContext *context;
  guint i;

  device = gst_hip_device_new_full ((GstHipVendor)
      g_enum_get_value_by_nick (klass, test_vendor ())->value, -1, NULL);
  fail_unless (device != NULL);
  context = gst_context_new_hip_device (device);
  gst_element_set_context (pipeline, context);
  gst_context_unref (context);
  /* Again and again, with the one context */
  for (i = 0; i < 3; i++) {
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
    used = device_of (up);
    fail_unless (used == device);
    gst_object_unref (used);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (up);
  gst_object_unref (pipeline);
  /* Workers let go of what was queued (I4). */
  while (G_OBJECT (device)->ref_count > 1)
    g_usleep (1000);
  gst_object_unref (device);
  g_type_class_unref (klass);
}

GST_END_TEST;

GST_START_TEST (test_allocation_answer)
{
  GstHarness *h;
  GstQuery *query;
  GstBufferPool *pool = NULL;
  GstStructure *config;
  GstCaps *caps;
  GstBuffer *buffer;
  GstElement *up;
  Picture picture;
  GstMapInfo map;
  guint size, min, max;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 321, 241, 1);
  h = harness_new ("hipupload name=up vendor=%s", &picture.info);
  caps = gst_video_info_to_caps (&picture.info);
  fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (&picture,
              LAYOUT_CAPS)), GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (h));

  query = gst_query_new_allocation (caps, TRUE);
  fail_unless (gst_pad_peer_query (h->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
          NULL));
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  fail_unless (GST_IS_HIP_BUFFER_POOL (pool));
  fail_unless_equals_int (gst_hip_buffer_pool_get_kind (GST_HIP_BUFFER_POOL
          (pool)), GST_HIP_MEMORY_KIND_PINNED);
  fail_unless (size >= picture.info.size);
  fail_unless_equals_int (max, 0);
  fail_unless (gst_buffer_pool_has_option (pool,
          GST_BUFFER_POOL_OPTION_VIDEO_META));
  fail_unless (gst_buffer_pool_has_option (pool,
          GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT));

  /* A buffer of it is transferred as it is. */
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, 0, 0);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
      GST_FLOW_OK);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 7, map.size);
  gst_buffer_unmap (buffer, &map);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (h));
  up = gst_bin_get_by_name (GST_BIN (h->element), "up");
  /* The first one was the application's memory, which a GPU does not reach. */
  fail_unless_equals_uint64 (stat_uint64 (up, "pinned-transfer"),
      strcmp (test_vendor (), "host") == 0 ? 2 : 1);
  fail_unless_equals_uint64 (stat_uint64 (up, "frames"), 2);
  gst_object_unref (up);

  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_query_unref (query);
  gst_caps_unref (caps);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* --- what downstream may insist on --- */

typedef struct
{
  GstBufferPool *pool;
  guint min, max;
  guint n_from_pool;
  guint n_buffers;
} Insistent;

static GstPadProbeReturn
answer_allocation (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Insistent *insistent = data;
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  GstCaps *caps;
  GstVideoInfo video;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_parse_allocation (query, &caps, NULL);
  fail_unless (gst_video_info_from_caps (&video, caps));
  gst_query_add_allocation_pool (query, insistent->pool,
      (guint) GST_VIDEO_INFO_SIZE (&video), insistent->min, insistent->max);
  return GST_PAD_PROBE_HANDLED;
}

static GstPadProbeReturn
look_at_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Insistent *insistent = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  insistent->n_buffers++;
  if (buffer->pool == insistent->pool)
    insistent->n_from_pool++;
  return GST_PAD_PROBE_OK;
}

static void
run_insistent (Insistent * insistent, guint depth)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=20 "
      "pattern=ball ! video/x-raw,format=NV12,width=66,height=50 ! "
      "hipupload vendor=%s ! hipdownload name=down async-depth=%u ! "
      "fakesink name=sink", test_vendor (), depth);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstElement *down = gst_bin_get_by_name (GST_BIN (pipeline), "down");
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      answer_allocation, insistent, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, look_at_buffer, insistent,
      NULL);
  play_well (pipeline);
  fail_unless_equals_int (insistent->n_buffers, 20);
  fail_unless_equals_uint64 (stat_uint64 (down, insistent->min ? "cpu-copy" :
          "pinned-transfer"), 20);
  gst_object_unref (pad);
  gst_object_unref (down);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_plain_pool_is_replaced)
{
  Insistent insistent = { gst_video_buffer_pool_new (), 0, 4, };

  run_insistent (&insistent, 1);
  fail_unless_equals_int (insistent.n_from_pool, 0);
  gst_object_unref (insistent.pool);
}

GST_END_TEST;

GST_START_TEST (test_pool_with_minimum_is_used)
{
  Insistent insistent = { gst_video_buffer_pool_new (), 2, 4, };

  run_insistent (&insistent, __i__);
  fail_unless_equals_int (insistent.n_from_pool, 20);
  gst_object_unref (insistent.pool);
}

GST_END_TEST;

GST_START_TEST (test_copied_frames_keep_order_and_metas)
{
  Insistent insistent = { gst_video_buffer_pool_new (), 2, 0, };
  Picture pictures[6];
  GstHarness *h;
  GstBuffer *buffer;
  GstClockTime latency;
  guint i;

  for (i = 0; i < 6; i++)
    picture_init (&pictures[i], GST_VIDEO_FORMAT_I420, 33, 17, i);
  h = harness_new ("hipupload vendor=%s ! hipdownload name=down vendor=%s "
      "async-depth=2", NULL);
  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      answer_allocation, &insistent, NULL);
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&pictures[0].info));
  for (i = 0; i < 6; i++) {
    buffer = picture_to_buffer (&pictures[i], LAYOUT_ODD);
    GST_BUFFER_PTS (buffer) = i;
    gst_buffer_add_video_region_of_interest_meta (buffer, "n", i, 0, 1, 1);
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
    /* two stay behind */
    fail_unless_equals_int (gst_harness_buffers_received (h),
        i < 2 ? 0 : i - 1);
  }
  latency = gst_harness_query_latency (h);
  fail_unless_equals_uint64 (latency,
      gst_util_uint64_scale_int (2 * GST_SECOND, 1, 30));
  /* the end of stream comes after all of them */
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  fail_unless_equals_int (gst_harness_buffers_received (h), 6);
  for (i = 0; i < 6; i++) {
    GstVideoRegionOfInterestMeta *roi;

    buffer = gst_harness_pull (h);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), i);
    roi = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (buffer,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless (roi && roi->x == i);
    picture_compare (&pictures[i], buffer, "copied to downstream's pool");
    gst_buffer_unref (buffer);
    picture_clear (&pictures[i]);
  }
  gst_harness_teardown (h);
  gst_object_unref (insistent.pool);
}

GST_END_TEST;

/* --- errors that say why --- */

GST_START_TEST (test_missing_device)
{
  GstElement *pipeline = pipeline_new ("videotestsrc ! hipupload vendor=%s "
      "device-id=4711 ! hipdownload ! fakesink", test_vendor ());
  g_autofree gchar *text = play (pipeline);

  fail_unless (text != NULL, "no error for a device that does not exist");
  fail_unless (strstr (text, "4711") != NULL, "%s", text);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_unknown_vendor_in_the_environment)
{
  GstElement *pipeline = pipeline_new ("videotestsrc ! hipupload ! "
      "hipdownload ! fakesink");
  g_autofree gchar *text = NULL;

  fail_unless (g_setenv ("GST_HIP_VENDOR", "voodoo", TRUE));
  text = play (pipeline);
  g_unsetenv ("GST_HIP_VENDOR");
  fail_unless (text != NULL, "no error for a vendor that does not exist");
  fail_unless (strstr (text, "voodoo") != NULL, "%s", text);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static guint
count_threads (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

/* A device of any kind has threads, of ours or of its driver. */
GST_START_TEST (test_elements_exist_without_a_device)
{
  static const gchar *const names[] = { "hipupload", "hipdownload" };
  guint i, before = count_threads ();

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);
    GstElementFactory *factory;
    GstPad *pad;
    GstCaps *caps;

    fail_unless (element != NULL, "no %s", names[i]);
    factory = gst_element_get_factory (element);
    fail_unless_equals_int (gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE
            (factory)), GST_RANK_NONE);
    fail_unless (g_str_has_prefix (gst_element_factory_get_metadata (factory,
                GST_ELEMENT_METADATA_KLASS), "Filter/Video/"));
    pad = gst_element_get_static_pad (element, "sink");
    caps = gst_pad_query_caps (pad, NULL);
    fail_unless (!gst_caps_is_empty (caps));
    gst_caps_unref (caps);
    gst_object_unref (pad);
    gst_object_unref (element);
  }
  /* Those of tests before may have ended meanwhile. */
  fail_unless (count_threads () <= before);
}

GST_END_TEST;

/* Not even a look at the environment: nothing is chosen yet. A plugin built
 * with a sanitizer does not load into the installed program. */
#if !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
GST_START_TEST (test_inspect)
{
  static const gchar *const names[] = { "hipupload", "hipdownload" };
  guint i;

  fail_unless (g_setenv ("GST_HIP_VENDOR", "voodoo", TRUE));
  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree gchar *command = g_strdup_printf ("gst-inspect-1.0 %s",
        names[i]);
    g_autofree gchar *text = NULL;
    gint status = -1;

    fail_unless (g_spawn_command_line_sync (command, &text, NULL, &status,
            NULL));
    fail_unless (g_spawn_check_wait_status (status, NULL));
    fail_unless (strstr (text, "max-in-flight") != NULL, "%s", text);
    fail_unless (strstr (text, "memory:HIPMemory") != NULL, "%s", text);
  }
  g_unsetenv ("GST_HIP_VENDOR");
}

GST_END_TEST;
#endif

GST_START_TEST (test_downstream_that_drops_the_allocation_query)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=5 ! "
      "video/x-raw,format=RGB,width=321,height=7 ! "
      "identity drop-allocation=true ! hipupload vendor=%s ! hipdownload ! "
      "identity drop-allocation=true ! videoconvert ! fakesink",
      test_vendor ());

  play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_flushing_seeks)
{
  GstElement *pipeline = pipeline_new ("videotestsrc ! "
      "video/x-raw,width=320,height=240 ! hipupload vendor=%s ! queue ! "
      "hipdownload ! fakesink sync=true", test_vendor ());
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint i;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), GST_STATE_CHANGE_SUCCESS);
  for (i = 0; i < 100; i++) {
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, g_rand_int_range (rand, 0, 1000) *
            GST_MSECOND));
    if (i % 3)
      g_usleep (g_rand_int_range (rand, 0, 3000));
  }
  {
    g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
    g_autoptr (GstMessage) message =
        gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

    fail_unless (message == NULL);
  }
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_many_cycles)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=3 ! "
      "video/x-raw,width=32,height=32 ! hipupload vendor=%s ! queue ! "
      "hipdownload ! fakesink", test_vendor ());
  guint i;

  for (i = 0; i < 30; i++)
    play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_system_memory_passes_through_download)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=5 ! "
      "video/x-raw,width=32,height=32 ! hipdownload name=down vendor=%s ! "
      "fakesink", test_vendor ());
  GstElement *down = gst_bin_get_by_name (GST_BIN (pipeline), "down");

  play_well (pipeline);
  fail_unless_equals_uint64 (stat_uint64 (down, "zero-copy"), 5);
  gst_object_unref (down);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Pipelines as users of GstHip 1.28 write them: an element that is not needed
 * lets frames pass, one that is works. */
static const struct
{
  const gchar *description;     /* %s: the vendor, once */
  gboolean passes, to_device;
} needed_or_not[] = {
  {"hipupload name=e vendor=%s ! fakesink", FALSE, TRUE},
  {"hipupload name=e vendor=%s ! video/x-raw(memory:HIPMemory) ! fakesink",
      FALSE, TRUE},
  {"hipupload name=e vendor=%s ! videoconvert ! video/x-raw,format=RGB ! "
        "fakesink", TRUE, FALSE},
  {"hipupload name=e vendor=%s ! queue ! video/x-raw ! fakesink", TRUE, FALSE},
  {"hipupload vendor=%s ! hipupload name=e ! fakesink", TRUE, TRUE},
  {"hipupload vendor=%s ! hipdownload name=e ! fakesink", FALSE, FALSE},
  {"hipupload vendor=%s ! hipdownload name=e ! videoconvert ! fakesink",
      FALSE, FALSE},
  {"hipupload vendor=%s ! hipdownload name=e ! "
        "video/x-raw(memory:HIPMemory) ! hipdownload ! fakesink", TRUE, TRUE},
  {"hipupload name=e vendor=%s ! hipdownload ! hipdownload ! hipupload ! "
        "hipupload ! hipdownload ! fakesink", FALSE, TRUE},
  {"hipdownload name=e vendor=%s ! hipupload ! fakesink", TRUE, FALSE},
};

static GstPadProbeReturn
count_device_memory (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  GstMemory *memory = gst_buffer_peek_memory (GST_PAD_PROBE_INFO_BUFFER (info),
      0);

  if (gst_is_hip_memory (memory) && gst_hip_memory_get_kind ((GstHipMemory *)
          memory) == GST_HIP_MEMORY_KIND_DEVICE)
    g_atomic_int_inc ((gint *) count);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_frames_pass_where_an_element_is_not_needed)
{
  g_autofree gchar *text = g_strconcat ("videotestsrc num-buffers=5 ! "
      "video/x-raw,format=NV12,width=32,height=32 ! ",
      needed_or_not[__i__].description, NULL);
  GstElement *pipeline = pipeline_new (text, test_vendor ());
  GstElement *e = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (e, "src");
  gint on_device = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_device_memory,
      &on_device, NULL);
  play_well (pipeline);
  fail_unless_equals_int (on_device, needed_or_not[__i__].to_device ? 5 : 0);
  fail_unless_equals_uint64 (stat_uint64 (e, "zero-copy"),
      needed_or_not[__i__].passes ? 5 : 0);
  gst_object_unref (e);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
io_pipelines_suite (void)
{
  Suite *s = suite_create ("io-pipelines");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_tee_with_and_without, 0, 3);
  tcase_add_test (tc, test_tee_with_and_without_big);
  tcase_add_test (tc, test_tee_and_queues_do_not_deadlock);
  tcase_add_test (tc, test_links_before_any_device);
  tcase_add_test (tc, test_neighbours_share_one_device);
  tcase_add_test (tc, test_device_of_the_application);
  tcase_add_test (tc, test_allocation_answer);
  tcase_add_test (tc, test_plain_pool_is_replaced);
  tcase_add_loop_test (tc, test_pool_with_minimum_is_used, 0, 3);
  tcase_add_test (tc, test_copied_frames_keep_order_and_metas);
  tcase_add_test (tc, test_missing_device);
  tcase_add_test (tc, test_unknown_vendor_in_the_environment);
  tcase_add_test (tc, test_elements_exist_without_a_device);
#if !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
  tcase_add_test (tc, test_inspect);
#endif
  tcase_add_test (tc, test_downstream_that_drops_the_allocation_query);
  tcase_add_test (tc, test_flushing_seeks);
  tcase_add_test (tc, test_many_cycles);
  tcase_add_test (tc, test_system_memory_passes_through_download);
  tcase_add_loop_test (tc, test_frames_pass_where_an_element_is_not_needed, 0,
      G_N_ELEMENTS (needed_or_not));
  return s;
}

GST_CHECK_MAIN (io_pipelines);
