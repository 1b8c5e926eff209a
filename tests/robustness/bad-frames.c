/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a whole pipeline make of sizes that are odd, absurd or none, and of
 * buffers that are not what their caps say? The parts are tests/unit/layout.c's
 * and tests/conformance/memory.c's.
 */
#include <sys/resource.h>
#include <unistd.h>

#include "bad-input.h"

static void
test_size_one (void)
{
  assert_right (GREY (1, 1), INVERT, "", inverted);
  assert_right (GREY (1, 48), INVERT, "", inverted);
  assert_right (GREY (64, 1), INVERT, "", inverted);
}

static void
test_size_odd (void)
{
  assert_right (GREY (321, 241), INVERT, "", inverted);
  assert_right (GREY (1919, 1079), INVERT, "", inverted);
  assert_right (GREY (17, 9), INVERT, "block-size=7x3", inverted);
}

static void
test_size_zero (void)
{
  assert_wrong (GREY (0, 0), INVERT, "", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FAILED, NULL);
  assert_wrong (GREY (64, 0), INVERT, "", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FAILED, NULL);
  assert_wrong (SMALL, INVERT, "block-size=0x4", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "block-size");
}

#define ANY_SIZE HEAD "any_size (" FRAMES ") {" PIXEL "*o = i; }"

/* A size that no GStreamer has a frame for is refused when caps are negotiated. */
static void
test_size_overflowing (void)
{
  assert_wrong (SMALL, ANY_SIZE, "! video/x-raw(memory:HIPMemory),"
      "format=RGBA,width=8000000,height=8000000", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FAILED, NULL);
  assert_wrong (SMALL, ANY_SIZE, "! video/x-raw(memory:HIPMemory),"
      "format=ARGB64,width=2147483647,height=2147483647", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FAILED, NULL);
  assert_wrong (GREY (2147483647, 1), INVERT, "", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FAILED, NULL);
}

/* More than the process may have */
static void
test_size_absurd (void)
{
  g_autofree gchar *text = NULL;
  struct rlimit limit;
  guint fds;

  if (!in_own_process ())
    return;
  fds = warm_up ();
  /* sanitizers have terabytes of addresses */
  if (!SANITIZED) {
    g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
    limit.rlim_cur = limit.rlim_max = (g_ascii_strtoull (text, NULL, 10)
        * sysconf (_SC_PAGESIZE)) + (G_GUINT64_CONSTANT (3) << 29);
    g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
    assert_says (play_once (SMALL, ANY_SIZE, "! video/x-raw(memory:HIPMemory),"
            "width=46000,height=46000"), GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NO_SPACE_LEFT, NULL);
    assert_nothing_left (fds);
    assert_right (SMALL, INVERT, "", inverted);
  }
}

/* --- buffers --- */

/* One that is as it should be, then one that is a byte too small */
static void
check_too_small (const gchar * caps)
{
  guint fds = warm_up ();
  GError *error;
  Play play;

  play_new (&play, caps, INVERT, "");
  play.right = inverted;
  push (&play, new_frame (&play));
  {
    GstBuffer *buffer = new_frame (&play);

    gst_buffer_resize (buffer, 0, (gsize) play.info.stride[0] *
        (play.info.height - 1) + play.info.width - 1);
    push (&play, buffer);
  }
  error = play_through (&play, 0);
  g_assert_cmpint (play.n_right, ==, 1);
  g_assert_cmpint (play.n_wrong, ==, 0);
  play_free (&play);
  assert_says (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "too small");
  assert_nothing_left (fds);
}

static void
test_buffer_too_small (void)
{
  check_too_small (SMALL);
  check_too_small (GREY (321, 241));
}

static void
test_buffer_empty (void)
{
  guint fds = warm_up ();
  Play play;

  play_new (&play, SMALL, INVERT, "");
  push (&play, gst_buffer_new ());
  assert_says (play_through (&play, N_FRAMES), GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, NULL);
  play_free (&play);
  assert_nothing_left (fds);
}

/* Then caps alone say where the rows are. */
static void
test_buffer_without_video_meta (void)
{
  guint fds = warm_up ();
  GError *error;
  Play play;

  play_new (&play, GREY (321, 241), INVERT, "");
  play.right = inverted;
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *buffer = new_frame (&play);

    g_assert_null (gst_buffer_get_video_meta (buffer));
    push (&play, buffer);
  }
  error = play_through (&play, 0);
  g_assert_no_error (error);
  g_assert_cmpint (play.n_wrong, ==, 0);
  g_assert_cmpint (play.n_right, ==, N_FRAMES);
  play_free (&play);
  assert_nothing_left (fds);
}

int
main (int argc, char **argv)
{
  bad_input_init (&argc, &argv);
  ADD ("size-one", test_size_one);
  ADD ("size-odd", test_size_odd);
  ADD ("size-zero", test_size_zero);
  ADD ("size-absurd", test_size_absurd);
  ADD ("size-overflowing", test_size_overflowing);
  ADD ("buffer-too-small", test_buffer_too_small);
  ADD ("buffer-empty", test_buffer_empty);
  ADD ("buffer-without-video-meta", test_buffer_without_video_meta);
  return g_test_run ();
}
