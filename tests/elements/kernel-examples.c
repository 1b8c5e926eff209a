/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Every example kernel in every format it names, against a reference in plain
 * C: to the last bit, at sizes that are no multiple of anything. */
#include "config.h"

#include <string.h>

#include "kernel-common.h"

#define N_FRAMES 3

static const struct
{
  const gchar *kernel;
  KernelReference reference;
  gboolean prev;
} examples[] = {
  {"edges", kernel_reference_edges, FALSE},
  {"false-colour", kernel_reference_false_colour, FALSE},
  {"difference", kernel_reference_difference, TRUE},
  {"lut", kernel_reference_lut, FALSE},
};

/* Input and, where the kernel changes it, output */
static const struct
{
  const gchar *in, *out;
} formats[] = {
  {"I420", NULL}, {"NV12", NULL}, {"RGBA", NULL}, {"GRAY8", NULL},
  {"P010_10LE", NULL}, {"GRAY8", "I420"}, {"NV12", "RGBA"},
  {"RGBA", "P010_10LE"}
};

static const struct
{
  gint width, height;
} sizes[] = {
  {1, 1}, {2, 2}, {3, 3}, {5, 7}, {17, 9}, {321, 241}, {1919, 1079}
};

/* NULL: what GStreamer takes for the size */
static const gchar *const colorimetries[] = {
  NULL, "bt709", "1:4:0:0", "1:3:0:0", "bt2020"
};

/* Whether the source says that it can; NULL: what it makes by default. */
static gboolean
can (const gchar * kernel, const gchar * in, const gchar * out)
{
  g_autofree gchar *path = g_strdup_printf ("examples/kernels/%s.hip", kernel);
  g_autofree gchar *name = kernel_test_file (path), *text = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean reads = FALSE, writes = FALSE, has_output = FALSE;

  fail_unless (g_file_get_contents (name, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

    if (g_str_has_prefix (lines[i], "// gst-hip: formats "))
      reads = g_strv_contains ((const gchar * const *) words, in);
    if (g_str_has_prefix (lines[i], "// gst-hip: output-formats ")) {
      has_output = TRUE;
      writes = g_strv_contains ((const gchar * const *) words, out ? out : in);
    }
  }
  return reads && (has_output ? writes : out == NULL);
}

static void
check_frames (guint example, const gchar * in_caps, const gchar * out_caps)
{
  g_autofree gchar *location = kernel_test_example (examples[example].kernel);
  g_autofree gchar *what = g_strdup_printf ("%s: %s to %s",
      examples[example].kernel, in_caps, out_caps ? out_caps : "the same");
  GstHarness *h = kernel_test_harness (location, in_caps, out_caps);
  GstVideoInfo in_info = kernel_test_info (in_caps);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  GstBuffer *inputs[N_FRAMES];

  for (guint i = 0; i < N_FRAMES; i++) {
    inputs[i] = kernel_test_frame (&in_info, rand, i);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (inputs[i])),
        GST_FLOW_OK);
  }
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstBuffer) output = gst_harness_pull (h);
    g_autoptr (GstBuffer) expected = NULL;
    g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);
    GstVideoFrame in, prev, out, reference;
    GstVideoInfo out_info;

    fail_unless (output != NULL, "%s", what);
    fail_unless (gst_video_info_from_caps (&out_info, caps));
    expected = gst_buffer_new_allocate (NULL, out_info.size, NULL);
    fail_unless (gst_video_frame_map (&in, &in_info, inputs[i], GST_MAP_READ));
    fail_unless (gst_video_frame_map (&prev, &in_info, inputs[i ? i - 1 : 0],
            GST_MAP_READ));
    fail_unless (gst_video_frame_map (&out, &out_info, output, GST_MAP_READ));
    fail_unless (gst_video_frame_map (&reference, &out_info, expected,
            GST_MAP_WRITE));
    examples[example].reference (&in, &prev, &reference);
    kernel_test_compare (&reference, &out, what);
    gst_video_frame_unmap (&in);
    gst_video_frame_unmap (&prev);
    gst_video_frame_unmap (&out);
    gst_video_frame_unmap (&reference);
  }
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (inputs[i]);
  gst_harness_teardown (h);
}

static guint
check_size (guint example, gint width, gint height, const gchar * colorimetry)
{
  guint n = 0;

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    gboolean yuv = !strstr ("RGBA GRAY8", formats[f].in);
    g_autofree gchar *colour = colorimetry && yuv ?
        g_strdup_printf (",colorimetry=%s", colorimetry) : g_strdup ("");
    g_autofree gchar *in = g_strdup_printf ("video/x-raw,format=%s,width=%d,"
        "height=%d,framerate=30/1%s", formats[f].in, width, height, colour);
    g_autofree gchar *out = formats[f].out ?
        g_strdup_printf ("video/x-raw,format=%s", formats[f].out) : NULL;

    if (!can (examples[example].kernel, formats[f].in, formats[f].out))
      continue;
    check_frames (example, in, out);
    n++;
  }
  return n;
}

GST_START_TEST (every_format_and_size)
{
  guint n = 0;

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    n += check_size (__i__, sizes[s].width, sizes[s].height, NULL);
  /* Each kernel names at least these formats in its source. */
  fail_unless (n >= 4 * G_N_ELEMENTS (sizes), "only %u combinations", n);
}

GST_END_TEST;

GST_START_TEST (every_colorimetry)
{
  for (guint c = 0; c < G_N_ELEMENTS (colorimetries); c++)
    fail_unless (check_size (__i__, 18, 11, colorimetries[c]) > 0);
}

GST_END_TEST;

/* The reference itself knows what an edge and a colour is: a picture whose
 * result can be said without arithmetic. */
GST_START_TEST (a_picture_known_by_heart)
{
  g_autofree gchar *location = kernel_test_example ("edges");
  const gchar *caps =
      "video/x-raw,format=GRAY8,width=8,height=4,framerate=30/1,"
      "colorimetry=1:4:0:0";
  GstHarness *h = kernel_test_harness (location, caps, NULL);
  GstBuffer *input = gst_buffer_new_allocate (NULL, 32, NULL);
  g_autoptr (GstBuffer) output = NULL;
  GstVideoInfo info = kernel_test_info (caps);
  GstVideoFrame frame;

  for (guint y = 0; y < 4; y++)
    gst_buffer_fill (input, 8 * y, "\0\0\0\0\377\377\377\377", 8);
  output = gst_harness_push_and_pull (h, input);
  fail_unless (gst_video_frame_map (&frame, &info, output, GST_MAP_READ));
  for (gint y = 0; y < 4; y++)
    for (gint x = 0; x < 8; x++)
      fail_unless_equals_int (kernel_test_get (&frame, 0, x, y),
          x == 3 || x == 4 ? 255 : 0);
  gst_video_frame_unmap (&frame);
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
kernel_examples_suite (void)
{
  Suite *s = suite_create ("kernel-examples");
  TCase *tc = tcase_create ("examples");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, every_format_and_size, 0, G_N_ELEMENTS (examples));
  tcase_add_loop_test (tc, every_colorimetry, 0, G_N_ELEMENTS (examples));
  tcase_add_test (tc, a_picture_known_by_heart);
  return s;
}

GST_CHECK_MAIN (kernel_examples);
