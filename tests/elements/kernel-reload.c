/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* auto-reload: a changed file replaces the kernel between frames, a broken one
 * is a warning and the old kernel keeps running. Waits for messages of the
 * element, never for a time. */
#include "config.h"

#include <string.h>

#include <glib/gstdio.h>

#include "kernel-common.h"

#define CAPS "video/x-raw,format=GRAY8,width=8,height=2,framerate=30/1"

typedef struct
{
  gchar *folder, *file;
  GstHarness *h;
  GstBus *bus;
} Fixture;

static void
write_kernel (Fixture * f, const gchar * statement, const gchar * more)
{
  g_autofree gchar *text = g_strdup_printf ("extern \"C\" __global__ void\n"
      "k (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info%s)\n"
      "{\n"
      "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  if (x < out.width && y < out.height)\n"
      "    out.data[0][y * out.stride[0] + x] = %s;\n" "}\n", more, statement);

  fail_unless (g_file_set_contents (f->file, text, -1, NULL));
}

static void
start (Fixture * f)
{
  g_autofree gchar *properties = NULL;

  f->folder = g_dir_make_tmp ("hipkernel-XXXXXX", NULL);
  f->file = g_build_filename (f->folder, "changing.hip", NULL);
  write_kernel (f, "1", "");
  properties = g_strdup_printf ("auto-reload=true location=%s", f->file);
  f->h = kernel_test_harness (properties, CAPS, NULL);
  f->bus = gst_bus_new ();
  gst_element_set_bus (f->h->element, f->bus);
}

static void
stop (Fixture * f)
{
  gst_element_set_bus (f->h->element, NULL);
  gst_object_unref (f->bus);
  gst_harness_teardown (f->h);
  g_unlink (f->file);
  g_rmdir (f->folder);
  g_free (f->file);
  g_free (f->folder);
}

/* One frame through the kernel: the value that it wrote */
static guint8
run_frame (Fixture * f)
{
  g_autoptr (GstBuffer) output = gst_harness_push_and_pull (f->h,
      gst_buffer_new_allocate (NULL, 16, NULL));
  guint8 value = 0;

  fail_unless (output != NULL);
  fail_unless_equals_int (gst_buffer_extract (output, 0, &value, 1), 1);
  return value;
}

static void
wait_for_reload (Fixture * f)
{
  for (;;) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (f->bus,
        GST_CLOCK_TIME_NONE, GST_MESSAGE_PROGRESS | GST_MESSAGE_WARNING);
    GstProgressType type;
    gchar *code;

    fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_PROGRESS);
    gst_message_parse_progress (message, &type, &code, NULL);
    fail_unless_equals_string (code, "reload");
    g_free (code);
    if (type == GST_PROGRESS_TYPE_COMPLETE)
      return;
  }
}

static gchar *
wait_for_warning (Fixture * f)
{
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (f->bus,
      GST_CLOCK_TIME_NONE, GST_MESSAGE_WARNING);
  GError *warning = NULL;
  gchar *text;

  gst_message_parse_warning (message, &warning, NULL);
  text = g_strdup (warning->message);
  g_error_free (warning);
  return text;
}

GST_START_TEST (good_bad_good)
{
  Fixture f = { NULL, };
  g_autofree gchar *warning = NULL, *place = NULL;

  start (&f);
  fail_unless_equals_int (run_frame (&f), 1);

  write_kernel (&f, "2", "");
  wait_for_reload (&f);
  fail_unless_equals_int (run_frame (&f), 2);

  write_kernel (&f, "nonsense", "");
  warning = wait_for_warning (&f);
  place = g_strdup_printf ("%s:7:", f.file);
  fail_unless (strstr (warning, place) && strstr (warning, "nonsense"), "%s",
      warning);
  fail_unless_equals_int (run_frame (&f), 2);
  fail_unless_equals_int (run_frame (&f), 2);

  write_kernel (&f, "3", "");
  wait_for_reload (&f);
  fail_unless_equals_int (run_frame (&f), 3);
  stop (&f);
}

GST_END_TEST;

/* It compiles, but the parameters that are set are not its own. */
GST_START_TEST (other_parameters_keep_the_old_kernel)
{
  Fixture f = { NULL, };
  g_autofree gchar *warning = NULL;

  start (&f);
  write_kernel (&f, "value", ", int value");
  wait_for_reload (&f);
  fail_unless_equals_int (run_frame (&f), 1);
  warning = wait_for_warning (&f);
  fail_unless (strstr (warning, "value has no value"), "%s", warning);
  fail_unless_equals_int (run_frame (&f), 1);
  stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_file_that_is_gone_changes_nothing)
{
  Fixture f = { NULL, };

  start (&f);
  fail_unless (g_unlink (f.file) == 0);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (run_frame (&f), 1);
  write_kernel (&f, "9", "");
  wait_for_reload (&f);
  fail_unless_equals_int (run_frame (&f), 9);
  stop (&f);
}

GST_END_TEST;

static Suite *
kernel_reload_suite (void)
{
  Suite *s = suite_create ("kernel-reload");
  TCase *tc = tcase_create ("reload");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, good_bad_good);
  tcase_add_test (tc, other_parameters_keep_the_old_kernel);
  tcase_add_test (tc, a_file_that_is_gone_changes_nothing);
  return s;
}

GST_CHECK_MAIN (kernel_reload);
