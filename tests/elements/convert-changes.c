/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What becomes of a running hipconvert when caps change under it, and when what
 * comes is not what it should be? Every frame is right or one clear error.
 */
#include "convert-common.h"

#define N_FRAMES 1000

/* --- caps that change --- */

/* All that this GStreamer and the converter know */
static GPtrArray *
convertible_formats (void)
{
  GPtrArray *names = g_ptr_array_new ();
  guint n;
  const GstVideoFormat *formats = gst_video_formats_raw (&n);

  for (guint i = 0; i < n; i++) {
    if (gst_hip_converter_is_supported_format (formats[i]))
      g_ptr_array_add (names,
          (gpointer) gst_video_format_to_string (formats[i]));
  }
  fail_unless (names->len >= 60, "%u formats", names->len);
  return names;
}

static const gchar *
draw_format (GPtrArray * formats, GRand * rand)
{
  return g_ptr_array_index (formats, g_rand_int_range (rand, 0, formats->len));
}

/* Each format was there on both sides, or this test is none. */
static void
assert_all_seen (GPtrArray * formats, GHashTable * seen)
{
  for (guint i = 0; i < formats->len; i++)
    fail_unless (g_hash_table_contains (seen, g_ptr_array_index (formats, i)),
        "%s was never drawn", (gchar *) g_ptr_array_index (formats, i));
}

/* Light is told apart on both sides and has to be converted: so one kernel, that
 * for everything, makes all of them, and this is not a test of a compiler. */
GST_START_TEST (test_caps_change_among_all_formats)
{
  g_autoptr (GPtrArray) formats = convertible_formats ();
  g_autoptr (GHashTable) in_seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) out_seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  RefModes modes = convert_test_defaults;
  GstHarness *h = convert_test_harness ("gamma-mode=remap", NULL, "");
  GstVideoInfo info;

  modes.gamma_mode = GST_VIDEO_GAMMA_MODE_REMAP;
  for (guint i = 0; i < N_FRAMES; i++) {
    const gchar *in = draw_format (formats, rand);
    const gchar *out = draw_format (formats, rand);
    g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=%d,"
        "height=%d,framerate=30/1,colorimetry=2:0:4:1", in,
        g_rand_int_range (rand, 1, 40), g_rand_int_range (rand, 1, 20));
    g_autofree gchar *out_caps = g_strdup_printf (",format=%s,colorimetry="
        "2:0:7:1", out);
    g_autofree gchar *what = g_strdup_printf ("frame %u, %s to %s", i, in, out);

    g_hash_table_add (in_seen, (gpointer) in);
    g_hash_table_add (out_seen, (gpointer) out);
    /* Sometimes only one side changes, before or after the other */
    if (i == 0 || g_rand_int_range (rand, 0, 3) > 0)
      convert_test_set_out (h, out_caps);
    if (i == 0 || g_rand_int_range (rand, 0, 3) > 0) {
      gst_harness_set_src_caps_str (h, caps);
      info = convert_test_info (caps);
    }
    convert_test_one (h, &info, &modes, rand, what);
  }
  assert_all_seen (formats, in_seen);
  assert_all_seen (formats, out_seen);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- bad input --- */

typedef struct
{
  GstHarness *h;
  GstBus *bus;
  GstBufferPool *pool;
} Bare;

/* hipconvert alone, with buffers that the test makes */
static void
bare_start (Bare * bare, const gchar * out)
{
  g_autofree gchar *text = g_strdup_printf ("hipconvert name=convert vendor=%s "
      "! capsfilter caps=\"" HIP_VIDEO "%s\"", test_vendor (), out);

  memset (bare, 0, sizeof (*bare));
  bare->h = gst_harness_new_parse (text);
  bare->bus = gst_bus_new ();
  gst_element_set_bus (bare->h->element, bare->bus);
}

static void
bare_stop (Bare * bare)
{
  gst_element_set_bus (bare->h->element, NULL);
  gst_object_unref (bare->bus);
  if (bare->pool) {
    gst_buffer_pool_set_active (bare->pool, FALSE);
    gst_object_unref (bare->pool);
  }
  gst_harness_teardown (bare->h);
}

/* What the element itself offers its upstream */
static GstBuffer *
bare_buffer (Bare * bare, GstCaps * caps)
{
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  GstBuffer *buffer = NULL;
  GstStructure *config;
  guint size, min, max;

  if (!bare->pool) {
    fail_unless (gst_pad_peer_query (bare->h->srcpad, query));
    gst_query_parse_nth_allocation_pool (query, 0, &bare->pool, &size, &min,
        &max);
    fail_unless (bare->pool != NULL);
    config = gst_buffer_pool_get_config (bare->pool);
    gst_buffer_pool_config_set_params (config, caps, size, 0, 0);
    gst_buffer_pool_config_add_option (config,
        GST_BUFFER_POOL_OPTION_VIDEO_META);
    fail_unless (gst_buffer_pool_set_config (bare->pool, config));
    fail_unless (gst_buffer_pool_set_active (bare->pool, TRUE));
  }
  fail_unless_equals_int (gst_buffer_pool_acquire_buffer (bare->pool, &buffer,
          NULL), GST_FLOW_OK);
  return buffer;
}

/* One error, with these words, and no more for the same. */
static void
assert_one_error (Bare * bare, const gchar * words)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bare->bus, GST_MESSAGE_ERROR))) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_error (message, &error, NULL);
    fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
    gst_message_unref (message);
    n++;
  }
  fail_unless_equals_int (n, 1);
}

#define NV12 HIP_VIDEO ",format=NV12,width=64,height=48,framerate=30/1"

typedef GstBuffer *(*Spoil) (Bare * bare, GstBuffer * buffer);

static GstBuffer *
spoil_nothing (Bare * bare, GstBuffer * buffer)
{
  return buffer;
}

static GstBuffer *
spoil_empty (Bare * bare, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return gst_buffer_new ();
}

/* One byte less than the last row has */
static GstBuffer *
spoil_size (Bare * bare, GstBuffer * buffer)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  gst_buffer_resize (buffer, 0, meta->offset[1] + meta->stride[1] * 23 + 63);
  return buffer;
}

static GstBuffer *
spoil_memory (Bare * bare, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return gst_buffer_new_allocate (NULL, 64 * 48 * 2, NULL);
}

static GstBuffer *
spoil_format (Bare * bare, GstBuffer * buffer)
{
  /* not the pool's own */
  GstBuffer *other = gst_buffer_copy (buffer);

  gst_buffer_unref (buffer);
  gst_buffer_get_video_meta (other)->format = GST_VIDEO_FORMAT_NV21;
  return other;
}

static GstBuffer *
spoil_width (Bare * bare, GstBuffer * buffer)
{
  gst_buffer_get_video_meta (buffer)->width = 63;
  return buffer;
}

static GstBuffer *
spoil_stride (Bare * bare, GstBuffer * buffer)
{
  gst_buffer_get_video_meta (buffer)->stride[0] = 63;
  return buffer;
}

static GstBuffer *
spoil_negative_stride (Bare * bare, GstBuffer * buffer)
{
  gst_buffer_get_video_meta (buffer)->stride[1] = -64;
  return buffer;
}

static GstBuffer *
spoil_offset (Bare * bare, GstBuffer * buffer)
{
  gst_buffer_get_video_meta (buffer)->offset[1] = G_MAXSIZE - 10;
  return buffer;
}

static const struct
{
  Spoil spoil;
  const gchar *words;
} spoils[] = {
  /* *INDENT-OFF* */
  {spoil_nothing, NULL},
  {spoil_empty, "outside its buffer"},
  {spoil_size, "does not lie in its memory"},
  {spoil_memory, "HIP memory"},
  {spoil_format, "NV21"},
  {spoil_width, "63x48"},
  {spoil_stride, "stride 63"},
  {spoil_negative_stride, "stride -64"},
  {spoil_offset, "outside its buffer"},
  /* *INDENT-ON* */
};

GST_START_TEST (test_buffers_that_are_not_what_caps_say)
{
  const gchar *words = spoils[__i__].words;
  g_autoptr (GstCaps) caps = gst_caps_from_string (NV12);
  Bare bare;

  bare_start (&bare, ",format=RGBA");
  gst_harness_set_src_caps (bare.h, gst_caps_ref (caps));
  fail_unless_equals_int (gst_harness_push (bare.h, bare_buffer (&bare, caps)),
      GST_FLOW_OK);
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (gst_harness_push (bare.h,
            spoils[__i__].spoil (&bare, bare_buffer (&bare, caps))),
        words ? GST_FLOW_ERROR : GST_FLOW_OK);
  if (words)
    assert_one_error (&bare, words);
  /* and what is right goes on */
  fail_unless_equals_int (gst_harness_push (bare.h, bare_buffer (&bare, caps)),
      GST_FLOW_OK);
  bare_stop (&bare);
}

GST_END_TEST;

/* Caps that are no frame, or that do not become the other: refused when they
 * come, never converted, and what is right goes on. */
static const gchar *const bad_caps[] = {
  HIP_VIDEO ",format=NV12,width=0,height=48,framerate=30/1",
  HIP_VIDEO ",format=NV12,width=64,height=0,framerate=30/1",
  HIP_VIDEO ",format=NV12,width=-64,height=48,framerate=30/1",
  HIP_VIDEO ",format=NV12,width=2147483647,height=2147483647,framerate=30/1",
  HIP_VIDEO ",format=NV12_64Z32,width=64,height=48,framerate=30/1",
  HIP_VIDEO ",format=NV12,width=64,height=48,framerate=30/1,"
      "interlace-mode=alternate",
  HIP_VIDEO ",width=64,height=48,framerate=30/1",
  "video/x-raw,format=NV12,width=64,height=48,framerate=30/1",
};

GST_START_TEST (test_caps_that_cannot_be)
{
  g_autoptr (GstCaps) bad = gst_caps_from_string (bad_caps[__i__]);
  g_autoptr (GstCaps) caps = gst_caps_from_string (NV12);
  Bare bare;

  bare_start (&bare, ",format=RGBA,interlace-mode=progressive");
  gst_harness_set_src_caps (bare.h, gst_caps_ref (caps));
  fail_unless_equals_int (gst_harness_push (bare.h, bare_buffer (&bare, caps)),
      GST_FLOW_OK);
  gst_harness_push_event (bare.h, gst_event_new_caps (bad));
  fail_unless_equals_int (gst_harness_push (bare.h, bare_buffer (&bare, caps)),
      GST_FLOW_NOT_NEGOTIATED);
  fail_unless (gst_harness_push_event (bare.h, gst_event_new_caps (caps)));
  fail_unless_equals_int (gst_harness_push (bare.h, bare_buffer (&bare, caps)),
      GST_FLOW_OK);
  bare_stop (&bare);
}

GST_END_TEST;

static const gchar *const wide[] = {
  "video/x-raw,format=NV12,width=65535,height=2,framerate=30/1",
  "video/x-raw,format=NV12,width=2,height=65535,framerate=30/1",
  "video/x-raw,format=v210,width=65535,height=1,framerate=30/1",
};

GST_START_TEST (test_65535_pixels)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GstVideoInfo info = convert_test_info (wide[__i__]);
  GstHarness *h = convert_test_harness ("", wide[__i__], ",format=RGBA");

  convert_test_one (h, &info, &convert_test_defaults, rand, wide[__i__]);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
convert_changes_suite (void)
{
  Suite *s = suite_create ("convert-changes");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 500);  /* of a busy machine */
  tcase_add_test (tc, test_caps_change_among_all_formats);
  tcase_add_loop_test (tc, test_buffers_that_are_not_what_caps_say, 0,
      G_N_ELEMENTS (spoils));
  tcase_add_loop_test (tc, test_caps_that_cannot_be, 0,
      G_N_ELEMENTS (bad_caps));
  tcase_add_loop_test (tc, test_65535_pixels, 0, G_N_ELEMENTS (wide));
  return s;
}

GST_CHECK_MAIN (convert_changes);
