/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The pipelines of the documentation run to their end: every example kernel in
 * every format that its source names, at a pixel, an odd size and a large one. */
#include "config.h"

#include <string.h>

#include "kernel-common.h"

static const gchar *const kernels[] = {
  "edges", "false-colour", "difference", "lut"
};

static const gchar *const formats[] = {
  "I420", "NV12", "RGBA", "GRAY8", "P010_10LE"
};

static const struct
{
  gint width, height;
} sizes[] = {
  {1, 1}, {321, 241}, {1919, 1079}
};

static void
run (const gchar * text, guint n_frames)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (text, &error);
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstStructure) stats = NULL;
  guint64 rendered = 0;

  fail_unless (pipeline && !error, "%s: %s", text, error ? error->message : "");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    fail ("%s: %s", text, error->message);
  }
  g_object_get (sink, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "rendered", &rendered));
  fail_unless_equals_uint64 (rendered, n_frames);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static gboolean
names_format (const gchar * kernel, const gchar * format)
{
  g_autofree gchar *path = g_strdup_printf ("examples/kernels/%s.hip", kernel);
  g_autofree gchar *name = kernel_test_file (path), *text = NULL;
  const gchar *line;
  g_auto (GStrv) words = NULL;

  fail_unless (g_file_get_contents (name, &text, NULL, NULL));
  line = strstr (text, "gst-hip: formats ");
  fail_unless (line != NULL);
  words = g_strsplit_set (line, " \n", 12);
  return g_strv_contains ((const gchar * const *) words, format);
}

GST_START_TEST (every_example_kernel)
{
  guint n = 0;

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      g_autofree gchar *location = kernel_test_example (kernels[__i__]);
      g_autofree gchar *text = NULL;

      if (!names_format (kernels[__i__], formats[f]))
        continue;
      text = g_strdup_printf ("videotestsrc num-buffers=5 ! video/x-raw,"
          "format=%s,width=%d,height=%d ! hipupload ! hipkernel %s ! "
          "hipdownload ! fakesink name=sink", formats[f], sizes[s].width,
          sizes[s].height, location);
      run (text, 5);
      n++;
    }
  fail_unless (n >= 4 * G_N_ELEMENTS (sizes));
}

GST_END_TEST;

/* As people type it: the formats are negotiated. */
GST_START_TEST (every_example_kernel_without_caps)
{
  g_autofree gchar *location = kernel_test_example (kernels[__i__]);
  g_autofree gchar *text = g_strdup_printf ("videotestsrc num-buffers=100 ! "
      "hipupload ! hipkernel %s ! hipdownload ! fakesink name=sink", location);

  run (text, 100);
}

GST_END_TEST;

GST_START_TEST (two_kernels_in_a_row)
{
  g_autofree gchar *edges = kernel_test_example ("edges");
  g_autofree gchar *colour = kernel_test_example ("false-colour");
  g_autofree gchar *text = g_strdup_printf ("videotestsrc num-buffers=20 ! "
      "video/x-raw,format=GRAY8 ! hipupload ! hipkernel %s "
      "parameters=\"p,strength=2\" ! hipkernel %s ! "
      "video/x-raw(memory:HIPMemory),format=NV12 ! hipdownload ! "
      "fakesink name=sink", edges, colour);

  run (text, 20);
}

GST_END_TEST;

static Suite *
kernel_pipelines_suite (void)
{
  Suite *s = suite_create ("kernel-pipelines");
  TCase *tc = tcase_create ("pipelines");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, every_example_kernel, 0, G_N_ELEMENTS (kernels));
  tcase_add_loop_test (tc, every_example_kernel_without_caps, 0,
      G_N_ELEMENTS (kernels));
  tcase_add_test (tc, two_kernels_in_a_row);
  return s;
}

GST_CHECK_MAIN (kernel_pipelines);
