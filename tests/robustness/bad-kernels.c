/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a whole pipeline make of kernels that cannot be run, that change or
 * that do not end, of a machine without a compiler, of a locale with a comma?
 * GLib's test program: some of this needs a process of its own.
 */
#include <locale.h>
#include <stdio.h>

#include "bad-input.h"

static void
test_syntax_error (void)
{
  assert_wrong (SMALL, "\n" HEAD "k (" FRAMES ")\n{\n  nonsense here;\n}\n", "",
      GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, ":4:");
}

static void
test_unknown_entry (void)
{
  assert_wrong (SMALL, INVERT, "entry=revert", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "no kernel revert; it has: invert");
}

static void
test_wrong_arguments (void)
{
  assert_wrong (SMALL, HEAD "k (int a, float *b) {}", "", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "GstHipFrame in");
  assert_wrong (SMALL, HALVE, "parameters=\"p,fcator=0.5\"",
      GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "no parameter fcator");
  assert_wrong (SMALL, HALVE, "parameters=\"p,factor=x\"",
      GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "no number");
}

static void
test_missing_file (void)
{
  assert_wrong (SMALL, NULL, "location=/no/such/kernel.hip",
      GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND, "/no/such/kernel.hip");
  /* there, and no file */
  assert_wrong (SMALL, NULL, "location=/", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, NULL);
}

/* Until the changed file was compiled, or could not be */
static void
wait_for_reload (Play * play)
{
  for (gboolean seen = FALSE; !seen;) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (play->bus,
        GST_CLOCK_TIME_NONE, GST_MESSAGE_PROGRESS | GST_MESSAGE_ERROR);
    g_autofree gchar *code = NULL;
    GstProgressType type;

    g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_PROGRESS);
    gst_message_parse_progress (message, &type, &code, NULL);
    seen = g_str_equal (code, "reload") && type != GST_PROGRESS_TYPE_START;
  }
}

static void
write_in_place (const gchar * file, const gchar * text)
{
  FILE *stream = g_fopen (file, "w");

  g_assert_nonnull (stream);
  g_assert_cmpint (fputs (text, stream), >=, 0);
  g_assert_cmpint (fclose (stream), ==, 0);
}

/* Good ones, wrong ones, half a one, none: each frame is as one of the good ones
 * makes it, and none is lost. */
static void
test_changing_file (void)
{
  static const gchar *const texts[] = { HALVE, "nonsense", INVERT, NULL,
    "// gst-hip: formats GRAY8\n" HEAD "inv", HALVE, ""
  };
  g_autofree gchar *folder = g_dir_make_tmp ("gst-hip-bad-XXXXXX", NULL);
  g_autofree gchar *file = g_build_filename (folder, "changing.hip", NULL);
  g_autofree gchar *properties = g_strdup_printf ("auto-reload=true "
      "location=%s", file);
  guint fds = warm_up ();
  GstFlowReturn ret;
  GError *error;
  Play play;

  g_assert_true (g_file_set_contents (file, INVERT, -1, NULL));
  play_new (&play, SMALL, NULL, properties);
  play.right = inverted;
  play.right_too = halved;
  push (&play, new_frame (&play));
  set_state (&play, GST_STATE_PLAYING);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (texts); i++) {
    const gchar *text = texts[i % G_N_ELEMENTS (texts)];

    if (!text) {
      g_assert_cmpint (g_unlink (file), ==, 0);
    } else {
      /* the second time in place: it may be read while it is written */
      if (i < G_N_ELEMENTS (texts))
        g_assert_true (g_file_set_contents (file, text, -1, NULL));
      else
        write_in_place (file, text);
      wait_for_reload (&play);
    }
    for (guint k = 0; k < 3; k++)
      push (&play, new_frame (&play));
  }
  g_signal_emit_by_name (play.source, "end-of-stream", &ret);
  error = wait_for_end (&play);
  g_assert_no_error (error);
  set_state (&play, GST_STATE_NULL);
  g_assert_cmpint (play.n_wrong, ==, 0);
  g_assert_cmpint (play.n_right, ==, play.n_pushed);
  play_free (&play);
  g_unlink (file);
  g_rmdir (folder);
  assert_nothing_left (fds);
}

static gint n_timeouts, n_errors;

static void
count_errors (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  if (level != GST_LEVEL_ERROR)
    return;
  g_atomic_int_inc (&n_errors);
  if (g_str_has_prefix (gst_debug_message_get (message), "TIMEOUT"))
    g_atomic_int_inc (&n_timeouts);
}

/* It ends with the process only; it reads memory, as compilers for GPUs leave
 * a loop out that only tests a variable. Until then: stopping comes to its end, the
 * streams behind it are given up with a message each, and so is this process. */
static void
test_endless_loop (void)
{
  Play play;

  if (!in_own_process ())
    return;
  /* Enough for the upload, which is no part of this, to have ended */
  g_setenv ("GST_HIP_SHUTDOWN_TIMEOUT", "1", TRUE);
  gst_debug_set_default_threshold (GST_LEVEL_ERROR);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_errors, NULL, NULL);
  play_new (&play, SMALL, HEAD "forever (" FRAMES ") {"
      "volatile unsigned char *at = in.data[0]; for (;;) (void) *at; }", "");
  /* its end would wait for the pictures */
  g_object_set (find (&play, "sink"), "signal-handoffs", FALSE, NULL);
  push (&play, new_frame (&play));
  set_state (&play, GST_STATE_PLAYING);
  set_state (&play, GST_STATE_NULL);
  play_free (&play);
  /* the kernel's, and the download's that waits for it on the device */
  while (g_atomic_int_get (&n_timeouts) < 2)
    g_usleep (500);
  g_assert_cmpint (g_atomic_int_get (&n_errors), ==, 2);
  g_assert_cmpuint (hip_memory_live_count (), >, 0);
}

static void
test_no_compiler (void)
{
  GError *error;
  guint fds;

  if (!in_own_process ())
    return;
  fds = warm_up ();
  g_unsetenv ("GST_HIP_CXX");
  g_setenv ("GST_HIP_CACHE", "off", TRUE);
  assert_right (SMALL, INVERT, "", inverted);
  g_setenv ("PATH", "/nonexistent", TRUE);
  error = play_once (SMALL, HALVE, "");
  assert_says (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "install the package g++ or clang");
  g_setenv ("GST_HIP_CXX", "no-such-compiler", TRUE);
  error = play_once (SMALL, HALVE, "");
  assert_says (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      "no-such-compiler");
  assert_nothing_left (fds);
}

/* --- locale --- */

/* Everything that is a number in some text: in properties, in sources, in
 * options, in caps; and what was compiled is the same in every locale. */
static void
test_decimal_comma (Cache * cache, gconstpointer unused)
{
  static const gchar source[] = "// gst-hip: formats GRAY8\n"
      "// gst-hip: default more 0.25\n" HEAD "comma (" FRAMES
      ", float factor, double more) {" PIXEL
      "*o = i * (factor + more - QUARTER) + 0.0625f; }";
  static const gchar properties[] = "options=\"-DQUARTER=0.25\" "
      "parameters=\"p,factor=0.5\"";
  g_autoptr (GPtrArray) before = NULL, after = NULL;
  gchar text[10];

  if (!in_own_process ())
    return;
  assert_right (SMALL, source, properties, halved);
  before = cache_files (cache);

  if (!setlocale (LC_NUMERIC, "comma")) {
    g_error ("there is no locale with a comma: is there no localedef?");
  }
  g_snprintf (text, sizeof (text), "%.1f", 0.5);
  g_assert_cmpstr (text, ==, "0,5");
  assert_right (SMALL, source, properties, halved);
  after = cache_files (cache);
  g_assert_cmpuint (after->len, ==, before->len);
  /* now compiled there */
  g_setenv ("GST_HIP_CACHE", "off", TRUE);
  assert_right (SMALL, source, properties, halved);
  assert_right (SMALL, HALVE, "", halved);
  assert_wrong (SMALL, HALVE, "parameters=\"p,factor=1e39\"",
      GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "out of its range");
}

int
main (int argc, char **argv)
{
  bad_input_init (&argc, &argv);
  ADD ("syntax-error", test_syntax_error);
  ADD ("unknown-entry", test_unknown_entry);
  ADD ("wrong-arguments", test_wrong_arguments);
  ADD ("missing-file", test_missing_file);
  ADD ("changing-file", test_changing_file);
  ADD ("endless-loop", test_endless_loop);
  ADD ("no-compiler", test_no_compiler);
  ADD_CACHE ("decimal-comma", test_decimal_comma);
  return g_test_run ();
}
