/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What hipkernel promises besides pixels: parameters by name, errors that say
 * what is wrong, in place, the frame before, other formats and sizes. Kernels
 * are small texts in here, frames are GRAY8. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>
#include <gst/hip/gsthip.h>

#include "kernel-common.h"

#define GREY "video/x-raw,format=GRAY8,width=64,height=4,framerate=30/1"
#define HEAD "extern \\\"C\\\" __global__ void "
#define FRAMES "GstHipFrame in, GstHipFrame out, GstHipFrameInfo info"
#define PIXEL "int x = blockIdx.x * blockDim.x + threadIdx.x, " \
    "y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x >= out.width || y >= out.height) return; " \
    "unsigned char *o = out.data[0] + y * out.stride[0] + x; "
#define ADD HEAD "add (" FRAMES ", int value) {" PIXEL \
    "*o = in.data[0][y * in.stride[0] + x] + value; }"

static GstBuffer *
grey_frame (guint8 value)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 256, NULL);

  gst_buffer_memset (buffer, 0, value, 256);
  return buffer;
}

/* Every byte of it is value. */
static void
check_grey (GstBuffer * buffer, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (guint y = 0; y < 4; y++)
    for (guint x = 0; x < 64; x++)
      fail_unless_equals_int (map.data[y * (map.size / 4) + x], value);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static void
push (GstHarness * h, guint8 value)
{
  fail_unless_equals_int (gst_harness_push (h, grey_frame (value)),
      GST_FLOW_OK);
}

static void
set_parameters (GstHarness * h, const gchar * text)
{
  GstElement *kernel = gst_harness_find_element (h, "hipkernel");
  GstStructure *s = gst_structure_from_string (text, NULL);

  fail_unless (s != NULL);
  g_object_set (kernel, "parameters", s, NULL);
  gst_structure_free (s);
  gst_object_unref (kernel);
}

/* The text of the error with which a pipeline of some frames ends, or NULL. */
static gchar *
run_to_error (const gchar * properties, const gchar * caps)
{
  g_autofree gchar *text = g_strdup_printf ("videotestsrc num-buffers=3 ! "
      "%s ! hipupload ! hipkernel %s ! hipdownload ! fakesink", caps,
      properties);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (text, &error);
  g_autoptr (GstBus) bus = NULL;
  GstMessage *message;
  gchar *result = NULL;

  fail_unless (pipeline != NULL && !error, "%s: %s", text,
      error ? error->message : "");
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *e = NULL;

    gst_message_parse_error (message, &e, NULL);
    result = g_strdup (e->message);
    g_error_free (e);
  }
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return result;
}

static void
expect_error (const gchar * properties, const gchar * const *parts)
{
  g_autofree gchar *text = run_to_error (properties, GREY);

  fail_unless (text != NULL, "no error with %s", properties);
  for (; *parts; parts++)
    fail_unless (strstr (text, *parts) != NULL, "'%s' has no '%s'", text,
        *parts);
}

/* --- parameters --- */

#define TYPES HEAD "types (" FRAMES ", signed char a, unsigned char b, " \
    "short c, unsigned short d, int e, unsigned int f, long long g, " \
    "unsigned long long h, float i, double j, bool k) {" PIXEL \
    "if (x || y) return; " \
    "o[0] = a; o[1] = b; *(short *) (o + 2) = c; " \
    "*(unsigned short *) (o + 4) = d; *(int *) (o + 8) = e; " \
    "*(unsigned *) (o + 12) = f; *(long long *) (o + 16) = g; " \
    "*(unsigned long long *) (o + 24) = h; *(float *) (o + 32) = i; " \
    "*(double *) (o + 40) = j; o[48] = k; }"

GST_START_TEST (parameters_of_every_type)
{
  GstHarness *h = kernel_test_harness ("source=\"" TYPES "\" parameters=\"p,"
      "k=true,j=0.1,i=1/4,h=(guint64)18446744073709551615,"
      "g=(gint64)-9223372036854775808,f=4294967295.0,e=-2147483648,d=65535,"
      "c=-32768,b=255,a=-128\"", GREY, NULL);
  g_autoptr (GstBuffer) buffer = NULL;
  GstMapInfo map;

  push (h, 0);
  buffer = gst_harness_pull (h);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless_equals_int ((gint8) map.data[0], -128);
  fail_unless_equals_int (map.data[1], 255);
  fail_unless_equals_int (*(gint16 *) (map.data + 2), -32768);
  fail_unless_equals_int (*(guint16 *) (map.data + 4), 65535);
  fail_unless_equals_int (*(gint32 *) (map.data + 8), G_MININT32);
  fail_unless (*(guint32 *) (map.data + 12) == G_MAXUINT32);
  fail_unless (*(gint64 *) (map.data + 16) == G_MININT64);
  fail_unless (*(guint64 *) (map.data + 24) == G_MAXUINT64);
  fail_unless (*(gfloat *) (map.data + 32) == 0.25f);
  fail_unless (*(gdouble *) (map.data + 40) == 0.1);
  fail_unless_equals_int (map.data[48], 1);
  gst_buffer_unmap (buffer, &map);
  gst_harness_teardown (h);
}

GST_END_TEST;

static const struct
{
  const gchar *declared, *given, *part;
} bad_parameters[] = {
  {"int value", "p,valeu=1", "no parameter valeu"},
  {"int value", "p", "value has no value"},
  {"int value, int other", "p,value=1", "other has no value"},
  {"int value", "p,value=1,more=2", "no parameter more"},
  {"int value", "p,value=2147483648.0", "not in -2147483648 to 2147483647"},
  {"int value", "p,value=1.5", "not an integer"},
  {"int value", "p,value=hello", "is no number"},
  {"unsigned value", "p,value=-1", "not in 0 to 4294967295"},
  {"unsigned char value", "p,value=256", "not in 0 to 255"},
  {"signed char value", "p,value=128", "not in -128 to 127"},
  {"short value", "p,value=32768", "not in -32768 to 32767"},
  {"unsigned long long value", "p,value=18446744073709551616.0", "not in 0 to"},
  {"bool value", "p,value=2", "not in 0 to 1"},
  {"float value", "p,value=1e39", "out of its range"},
  {"float *value", "p,value=1", "only numbers"},
  {"float4 value", "p,value=1", "only numbers"},
};

GST_START_TEST (bad_parameter_lists_signature)
{
  g_autofree gchar *properties = g_strdup_printf ("source=\"" HEAD "sign ("
      FRAMES ", %s) {}\" parameters=\"%s\"", bad_parameters[__i__].declared,
      bad_parameters[__i__].given);
  const gchar *const parts[] = {
    bad_parameters[__i__].part, "sign", "GstHipFrameInfo",
    bad_parameters[__i__].declared, NULL
  };

  expect_error (properties, parts);
}

GST_END_TEST;

GST_START_TEST (defaults_stand_in_the_source)
{
  GstHarness *h = kernel_test_harness ("source=\"// gst-hip: default value 3\n"
      "// gst-hip: default factor 2.0\n" HEAD "f (" FRAMES
      ", int value, float factor) {" PIXEL "*o = value * factor; }\"", GREY,
      NULL);

  push (h, 0);
  check_grey (gst_harness_pull (h), 6);
  set_parameters (h, "p,factor=5");
  push (h, 0);
  check_grey (gst_harness_pull (h), 15);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* A frame that is under way keeps its values; each frame has one set of them. */
GST_START_TEST (parameters_change_between_frames)
{
  GstHarness *h = kernel_test_harness ("source=\"" ADD
      "\" parameters=\"p,value=1\"", GREY, NULL);

  for (guint i = 0; i < 20; i++) {
    g_autofree gchar *text = g_strdup_printf ("p,value=%u", i);

    set_parameters (h, text);
    push (h, 100);
  }
  for (guint i = 0; i < 20; i++)
    check_grey (gst_harness_pull (h), 100 + i);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (bad_parameter_while_playing_is_an_error)
{
  GstHarness *h = kernel_test_harness ("source=\"" ADD
      "\" parameters=\"p,value=1\"", GREY, NULL);

  push (h, 1);
  check_grey (gst_harness_pull (h), 2);
  set_parameters (h, "p,value=abc");
  fail_unless_equals_int (gst_harness_push (h, grey_frame (1)), GST_FLOW_ERROR);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* --- what the kernel is --- */

static const struct
{
  const gchar *properties;
  const gchar *parts[4];
} bad_kernels[] = {
  {"", {"location", "source", NULL}},
  {"location=/nonexistent/kernel.hip", {"/nonexistent/kernel.hip", NULL}},
  {"location=/dev/null source=x", {"both set", NULL}},
  {"source=\"int f;\"", {"no kernel", "__global__", NULL}},
  {"source=\"" HEAD "one (" FRAMES ") {} " HEAD "two (" FRAMES ") {}\"",
      {"entry", "one, two", NULL}},
  {"entry=three source=\"" HEAD "one (" FRAMES ") {} " HEAD "two (" FRAMES
        ") {}\"", {"no kernel three", "one, two", NULL}},
  {"source=\"" HEAD "k (int a) {}\"", {"k", "int a", "GstHipFrame in"}},
  {"source=\"// gst-hip: prev\n" HEAD "k (" FRAMES ") {}\"",
      {"GstHipFrame prev", NULL}},
  {"source=\"\n// gst-hip: inplac\n" HEAD "k (" FRAMES ") {}\"",
      {":2:", "inplace", NULL}},
  {"source=\"// gst-hip: prev\n// gst-hip: inplace\"",
      {"exclude each other", NULL}},
  {"block-size=17 source=\"" HEAD "k (" FRAMES ") {}\"",
      {"block-size", "16x16", NULL}},
  {"block-size=0x4 source=\"" HEAD "k (" FRAMES ") {}\"",
      {"block-size", NULL}},
  {"options=\"-D'unended\" source=\"" HEAD "k (" FRAMES ") {}\"",
      {"options", NULL}},
};

GST_START_TEST (bad_kernel_is_explained)
{
  expect_error (bad_kernels[__i__].properties, bad_kernels[__i__].parts);
}

GST_END_TEST;

GST_START_TEST (syntax_error_names_file_line_and_device)
{
  g_autofree gchar *folder = g_dir_make_tmp ("hipkernel-XXXXXX", NULL);
  g_autofree gchar *file = g_build_filename (folder, "wrong.hip", NULL);
  g_autofree gchar *place = g_strdup_printf ("%s:4:", file);
  g_autofree gchar *properties = g_strdup_printf ("location=%s", file);
  g_autoptr (GstHipDevice) device =
      gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, NULL);
  const GstHipDeviceInfo *info = gst_hip_device_get_info (device);
  const gchar *const parts[] =
      { place, "undeclared_thing", "error", info->name, NULL };

  fail_unless (g_file_set_contents (file, "extern \"C\" __global__ void\n"
          "k (" FRAMES ")\n{\n  undeclared_thing = 1;\n}\n", -1, NULL));
  expect_error (properties, parts);
  g_unlink (file);
  g_rmdir (folder);
}

GST_END_TEST;

GST_START_TEST (entry_options_and_block_size_count)
{
  GstHarness *h = kernel_test_harness ("entry=two block-size=8x2 "
      "options=\"-DA=3 '-Dn=(4 + 1)' -D x_=0\" source=\"" HEAD "one (" FRAMES
      ") {" PIXEL "*o = 1; } " HEAD "two (" FRAMES ") {" PIXEL
      "*o = A * n + x_ + blockDim.x * 10 + blockDim.y; }\"", GREY, NULL);

  push (h, 0);
  check_grey (gst_harness_pull (h), 15 + 82);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (compiling_is_announced)
{
  g_autoptr (GstElement) kernel = gst_element_factory_make ("hipkernel", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  const GstProgressType expected[] =
      { GST_PROGRESS_TYPE_START, GST_PROGRESS_TYPE_COMPLETE };

  gst_element_set_bus (kernel, bus);
  g_object_set (kernel, "source", "extern \"C\" __global__ void k (" FRAMES
      ") {}", NULL);
  fail_unless_equals_int (gst_element_set_state (kernel, GST_STATE_PAUSED),
      GST_STATE_CHANGE_SUCCESS);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstMessage) message =
        gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS);
    GstProgressType type;

    fail_unless (message != NULL);
    gst_message_parse_progress (message, &type, NULL, NULL);
    fail_unless_equals_int (type, expected[i]);
  }
  gst_element_set_state (kernel, GST_STATE_NULL);
  gst_element_set_bus (kernel, NULL);
}

GST_END_TEST;

/* --- frames --- */

GST_START_TEST (frame_info_is_right)
{
  GstHarness *h = kernel_test_harness ("source=\"" HEAD "k (" FRAMES ") {" PIXEL
      "if (x || y) return; unsigned long long *p = (unsigned long long *) o;"
      "p[0] = info.frame_number; p[1] = info.pts_ns; p[2] = info.duration_ns;"
      "p[3] = info.running_time_ns; p[4] = in.width; p[5] = in.height;"
      "p[6] = in.format == GST_HIP_FORMAT_GRAY8; p[7] = in.n_planes; }\"", GREY,
      NULL);

  for (guint i = 0; i < 3; i++) {
    GstBuffer *input = grey_frame (0);
    g_autoptr (GstBuffer) output = NULL;
    GstMapInfo map;
    guint64 *p;

    if (i < 2) {
      GST_BUFFER_PTS (input) = (i + 1) * 40 * GST_MSECOND;
      GST_BUFFER_DURATION (input) = 40 * GST_MSECOND;
    }
    output = gst_harness_push_and_pull (h, input);
    fail_unless (gst_buffer_map (output, &map, GST_MAP_READ));
    p = (guint64 *) map.data;
    fail_unless (p[0] == i);
    fail_unless (p[1] == (i < 2 ? (i + 1) * 40 * GST_MSECOND : G_MAXUINT64));
    fail_unless (p[2] == (i < 2 ? 40 * GST_MSECOND : G_MAXUINT64));
    fail_unless (p[3] == p[1]);
    fail_unless (p[4] == 64 && p[5] == 4 && p[6] == 1 && p[7] == 1);
    gst_buffer_unmap (output, &map);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (first_frame_is_its_own_previous)
{
  GstHarness *h = kernel_test_harness ("source=\"// gst-hip: prev\n" HEAD
      "k (GstHipFrame in, GstHipFrame prev, GstHipFrame out, "
      "GstHipFrameInfo info) {" PIXEL
      "*o = prev.data[0][y * prev.stride[0] + x]; }\"", GREY, NULL);
  GstSegment segment;

  push (h, 7);
  push (h, 8);
  push (h, 9);
  check_grey (gst_harness_pull (h), 7);
  check_grey (gst_harness_pull (h), 7);
  check_grey (gst_harness_pull (h), 8);
  /* What comes after a flush is from elsewhere. */
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  push (h, 20);
  check_grey (gst_harness_pull (h), 20);
  gst_harness_teardown (h);
}

GST_END_TEST;

#define INVERT "source=\"// gst-hip: inplace\n" HEAD "invert (" FRAMES ") {" \
    PIXEL "*o = ~in.data[0][y * in.stride[0] + x]; }\""

static gchar *
get_path (GstElement * element)
{
  gchar *path;

  g_object_get (element, "path", &path, NULL);
  return path;
}

GST_START_TEST (in_place_keeps_the_memory)
{
  const gchar *hip = "video/x-raw(memory:HIPMemory),format=GRAY8,width=64,"
      "height=4,framerate=30/1";
  GstHarness *up = gst_harness_new ("hipupload");
  GstHarness *h = gst_harness_new_parse ("hipkernel name=kernel " INVERT);
  GstElement *kernel = gst_harness_find_element (h, "hipkernel");
  g_autofree gchar *path = NULL, *shared_path = NULL;
  GstBuffer *buffer, *result;
  GstMemory *memory;

  gst_harness_set_sink_caps_str (up, hip);
  gst_harness_set_src_caps_str (up, GREY);
  gst_harness_set_sink_caps_str (h, hip);
  gst_harness_set_src_caps_str (h, hip);

  buffer = gst_harness_push_and_pull (up, grey_frame (1));
  fail_unless (gst_is_hip_memory (gst_buffer_peek_memory (buffer, 0)));
  memory = gst_buffer_peek_memory (buffer, 0);
  result = gst_harness_push_and_pull (h, buffer);
  fail_unless (gst_buffer_peek_memory (result, 0) == memory);
  path = get_path (kernel);
  fail_unless_equals_string (path, "zero-copy");
  check_grey (result, 254);

  /* Somebody else has the frame, too: it must stay as it is. */
  buffer = gst_harness_push_and_pull (up, grey_frame (2));
  memory = gst_buffer_peek_memory (buffer, 0);
  result = gst_harness_push_and_pull (h, gst_buffer_ref (buffer));
  fail_unless (gst_buffer_peek_memory (result, 0) != memory);
  shared_path = get_path (kernel);
  fail_unless_equals_string (shared_path, "device-copy");
  check_grey (result, 253);
  check_grey (buffer, 2);

  gst_object_unref (kernel);
  gst_harness_teardown (h);
  gst_harness_teardown (up);
}

GST_END_TEST;

/* --- caps --- */

GST_START_TEST (caps_filter_chooses_size_and_format)
{
  GstHarness *h = kernel_test_harness ("source=\"" HEAD "k (" FRAMES ") {"
      "int x = blockIdx.x * blockDim.x + threadIdx.x, "
      "y = blockIdx.y * blockDim.y + threadIdx.y; "
      "if (x >= out.width || y >= out.height) return; "
      "unsigned char *o = out.data[0] + y * out.stride[0] + 4 * x; "
      "o[0] = x; o[1] = y; o[2] = in.data[0][0]; o[3] = in.width; }\"", GREY,
      "video/x-raw,format=RGBA,width=33,height=19");
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstVideoFrame frame;
  GstVideoInfo info;

  push (h, 77);
  buffer = gst_harness_pull (h);
  caps = gst_pad_get_current_caps (h->sinkpad);
  fail_unless (gst_video_info_from_caps (&info, caps));
  fail_unless_equals_int (info.width, 33);
  fail_unless_equals_int (info.height, 19);
  fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&info), GST_VIDEO_FORMAT_RGBA);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (gint y = 0; y < 19; y++)
    for (gint x = 0; x < 33; x++) {
      fail_unless_equals_int (kernel_test_get (&frame, 0, x, y), x);
      fail_unless_equals_int (kernel_test_get (&frame, 1, x, y), y);
      fail_unless_equals_int (kernel_test_get (&frame, 2, x, y), 77);
      fail_unless_equals_int (kernel_test_get (&frame, 3, x, y), 64);
    }
  gst_video_frame_unmap (&frame);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* What a kernel's source does not name is not negotiated, in or out. */
GST_START_TEST (formats_restrict_caps)
{
  g_autofree gchar *edges = kernel_test_example ("edges");
  g_autofree gchar *to_rgba = g_strdup_printf ("%s ! "
      "video/x-raw(memory:HIPMemory),format=RGBA", edges);
  g_autofree gchar *to_small = g_strdup_printf ("%s ! "
      "video/x-raw(memory:HIPMemory),width=32", edges);
  g_autofree gchar *fine = run_to_error (edges, GREY);
  g_autofree gchar *in =
      run_to_error (edges, "video/x-raw,format=YUY2,width=64,height=4");
  g_autofree gchar *out = run_to_error (to_rgba, GREY);
  g_autofree gchar *size = run_to_error (to_small, GREY);

  fail_unless (fine == NULL, "%s", fine);
  fail_unless (in != NULL);
  fail_unless (out != NULL);
  fail_unless (size != NULL);
}

GST_END_TEST;

static Suite *
kernel_suite (void)
{
  Suite *s = suite_create ("kernel");
  TCase *tc = tcase_create ("kernel");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, parameters_of_every_type);
  tcase_add_loop_test (tc, bad_parameter_lists_signature, 0,
      G_N_ELEMENTS (bad_parameters));
  tcase_add_test (tc, defaults_stand_in_the_source);
  tcase_add_test (tc, parameters_change_between_frames);
  tcase_add_test (tc, bad_parameter_while_playing_is_an_error);
  tcase_add_loop_test (tc, bad_kernel_is_explained, 0,
      G_N_ELEMENTS (bad_kernels));
  tcase_add_test (tc, syntax_error_names_file_line_and_device);
  tcase_add_test (tc, entry_options_and_block_size_count);
  tcase_add_test (tc, compiling_is_announced);
  tcase_add_test (tc, frame_info_is_right);
  tcase_add_test (tc, first_frame_is_its_own_previous);
  tcase_add_test (tc, in_place_keeps_the_memory);
  tcase_add_test (tc, caps_filter_chooses_size_and_format);
  tcase_add_test (tc, formats_restrict_caps);
  return s;
}

GST_CHECK_MAIN (kernel);
