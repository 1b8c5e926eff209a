/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is system memory that comes again and again page-locked once, read by the
 * device from then on, and unlocked before it is freed? By the simulated drivers'
 * log; in any layout, by any thread that drops it, and when the element stops.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gst/allocators/gstfdmemory.h>
#include <gst/video/video.h>

#include "io-frames.h"

#define UP "hipupload name=up vendor=%s max-in-flight=4 ! hipdownload vendor=%s"
#define MOST 64                 /* what one element locks */

static gchar *log_path;

static gboolean
is_amd (void)
{
  return strcmp (test_vendor (), "amd") == 0;
}

static const gchar *
lock_call (void)
{
  return is_amd ()? "hipHostRegister" : "cuMemHostRegister_v2";
}

static const gchar *
unlock_call (void)
{
  return is_amd ()? "hipHostUnregister" : "cuMemHostUnregister";
}

static void
set_fake (const gchar * name, const gchar * value)
{
  g_autofree gchar *variable =
      g_strconcat (is_amd ()? "FAKE_HIP_" : "FAKE_CUDA_", name, NULL);

  g_setenv (variable, value, TRUE);
}

static void
setup (void)
{
  gint fd = g_file_open_tmp ("gst-hip-log-XXXXXX", &log_path, NULL);

  fail_unless (fd >= 0);
  close (fd);
  set_fake ("LOG", log_path);
  set_fake ("LOG_THREADS", "1");
}

static void
teardown (void)
{
  unlink (log_path);
  g_free (log_path);
}

/* How often; here: by this thread */
static guint
count_calls (const gchar * name, gboolean here)
{
  g_autofree gchar *mine = g_strdup_printf ("%d ", (gint) syscall (SYS_gettid));
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  fail_unless (g_file_get_contents (log_path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    const gchar *call = strchr (lines[i], ' ');

    n += call && strcmp (call + 1, name) == 0
        && (!here || g_str_has_prefix (lines[i], mine));
  }
  return n;
}

/* --- memory that tells when it is freed --- */

static gint n_freed;            /* atomic */
static gint n_freed_here;       /* atomic; by the thread that pushes */
static GThread *pusher;

typedef struct
{
  gpointer data;
  gboolean was_locked;
} Bytes;

/* Its pages are not locked any more, whatever others are. */
static void
free_bytes (gpointer data)
{
  Bytes *bytes = data;

  if (bytes->was_locked && n_freed == 0)
    fail_unless_equals_int (count_calls (unlock_call (), FALSE), 1);
  g_atomic_int_add (&n_freed_here, g_thread_self () == pusher);
  g_free (bytes->data);
  g_free (bytes);
  g_atomic_int_inc (&n_freed);
}

static GstMemory *
new_memory (gsize size, gboolean will_be_locked)
{
  Bytes *bytes = g_new (Bytes, 1);

  pusher = g_thread_self ();
  bytes->data = g_malloc (size);
  bytes->was_locked = will_be_locked;
  return gst_memory_new_wrapped (0, bytes->data, size, 0, size, bytes,
      free_bytes);
}

static void
wait_until_freed (gint n)
{
  for (guint i = 0; i < 10000 && g_atomic_int_get (&n_freed) < n; i++)
    g_usleep (1000);
  fail_unless_equals_int (g_atomic_int_get (&n_freed), n);
}

/* --- frames --- */

static guint64
stat_of (GstHarness * h, const gchar * field)
{
  g_autoptr (GstElement) up = gst_harness_find_element (h, "hipupload");

  return stat_uint64 (up, field);
}

static void
wait_until_locked (GstHarness * h, guint64 n)
{
  for (guint i = 0; i < 10000 && stat_of (h, "page-locked") < n; i++)
    g_usleep (1000);
  fail_unless_equals_uint64 (stat_of (h, "page-locked"), n);
}

/* Until nobody but the caller has it, as its pool would */
static void
wait_until_back (GstBuffer * buffer)
{
  for (guint i = 0; i < 10000 && !gst_buffer_is_writable (buffer); i++)
    g_usleep (1000);
  fail_unless (gst_buffer_is_writable (buffer));
  fail_unless (gst_buffer_is_all_memory_writable (buffer));
}

static void
write_picture (GstBuffer * buffer, const Picture * picture)
{
  g_autoptr (GstBuffer) fresh = picture_to_buffer (picture, LAYOUT_CAPS);
  GstVideoInfo info = picture->info;
  GstVideoFrame from, to;

  fail_unless (gst_video_frame_map (&from, &info, fresh, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&to, &info, buffer, GST_MAP_WRITE));
  fail_unless (gst_video_frame_copy (&to, &from));
  gst_video_frame_unmap (&to);
  gst_video_frame_unmap (&from);
}

/* Writes another picture to buffer, and it gets through. */
static void
push_again (GstHarness * h, GstBuffer * buffer, Picture * picture, guint seed)
{
  GstVideoInfo info = picture->info;
  GstBuffer *out;

  picture_clear (picture);
  picture_init (picture, GST_VIDEO_INFO_FORMAT (&info),
      GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info), seed);
  wait_until_back (buffer);
  write_picture (buffer, picture);
  fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (buffer)),
      GST_FLOW_OK);
  out = gst_harness_pull (h);
  picture_compare (picture, out, "again");
  gst_buffer_unref (out);
}

static GstHarness *
start (Picture * picture)
{
  GstHarness *h;

  picture_init (picture, GST_VIDEO_FORMAT_NV12, 640, 480, 1);
  h = harness_new (UP, &picture->info);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  return h;
}

static void
push_until_locked (GstHarness * h, GstBuffer * buffer, Picture * picture,
    guint n_memories)
{
  guint64 before = stat_of (h, "page-locked");

  for (guint i = 0; i < 3; i++)
    push_again (h, buffer, picture, i);
  wait_until_locked (h, before + n_memories);
}

/* --- what is to hold --- */

GST_START_TEST (test_locked_once_read_from_then_on)
{
  Picture picture;
  GstHarness *h = start (&picture);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer,
      new_memory (GST_VIDEO_INFO_SIZE (&picture.info), TRUE));
  for (guint i = 0; i < 2; i++)
    push_again (h, buffer, &picture, i);
  fail_unless_equals_int (count_calls (lock_call (), FALSE), 0);
  push_again (h, buffer, &picture, 2);
  wait_until_locked (h, 1);
  for (guint i = 0; i < 20; i++)
    push_again (h, buffer, &picture, 100 + i);
  fail_unless_equals_uint64 (stat_of (h, "cpu-copy"), 3);
  fail_unless_equals_uint64 (stat_of (h, "pinned-transfer"), 20);
  fail_unless_equals_int (count_calls (lock_call (), FALSE), 1);
  fail_unless_equals_int (count_calls (unlock_call (), FALSE), 0);

  wait_until_back (buffer);
  gst_buffer_unref (buffer);
  wait_until_freed (1);
  fail_unless_equals_int (count_calls (unlock_call (), FALSE), 1);
  /* Neither was done, nor waited for, by the thread of the frames. */
  fail_unless_equals_int (count_calls (lock_call (), TRUE), 0);
  fail_unless_equals_int (count_calls (unlock_call (), TRUE), 0);
  fail_unless_equals_int (n_freed_here, 0);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* Dropped while the device reads it */
GST_START_TEST (test_dropped_by_the_device)
{
  Picture picture;
  GstHarness *h = start (&picture);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer,
      new_memory (GST_VIDEO_INFO_SIZE (&picture.info), TRUE));
  push_until_locked (h, buffer, &picture, 1);
  wait_until_back (buffer);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  wait_until_freed (1);
  buffer = gst_harness_pull (h);
  picture_compare (&picture, buffer, "dropped");
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (stat_of (h, "pinned-transfer"), 1);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* A part of a larger memory, odd strides, one memory for each plane */
GST_START_TEST (test_layouts)
{
  Picture picture;
  GstHarness *h = start (&picture);
  gsize offset[4] = { 0, }, size, luma = 640 * 481;
  gint stride[4] = { 0, };
  GstMemory *whole;
  GstBuffer *buffer;

  gst_harness_teardown (h);
  picture_clear (&picture);
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 640, 960, 1);
  h = harness_new (UP, &picture.info);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);

  size = picture_layout (&picture, LAYOUT_ODD, offset, stride);
  whole = new_memory (size + 4099, FALSE);
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, gst_memory_share (whole, 4099, size));
  gst_memory_unref (whole);
  gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_FORMAT_NV12, 640, 960, 2,
      offset, stride);
  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (buffer)),
        GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (h));
  }
  wait_until_locked (h, 1);
  {
    GstMapInfo map;

    /* The view that is in the buffer has a parent, which nobody writes to. */
    picture_clear (&picture);
    picture_init (&picture, GST_VIDEO_FORMAT_NV12, 640, 960, 77);
    fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, 0), &map,
            GST_MAP_READ));
    for (guint i = 0; i < 2; i++)
      for (guint row = 0; row < picture.rows[i]; row++)
        memcpy (map.data + offset[i] + (gsize) stride[i] * row,
            picture.planes[i] + row * picture.row_bytes[i],
            picture.row_bytes[i]);
    gst_memory_unmap (gst_buffer_peek_memory (buffer, 0), &map);
  }
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  buffer = gst_harness_pull (h);
  picture_compare (&picture, buffer, "a part");
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (stat_of (h, "pinned-transfer"), 1);

  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, new_memory (640 * 960 + 640, FALSE));
  gst_buffer_append_memory (buffer, new_memory (luma + 3, FALSE));
  offset[0] = 320;
  offset[1] = 640 * 960 + 640 + 3;
  stride[0] = stride[1] = 640;
  gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_FORMAT_NV12, 640, 960, 2,
      offset, stride);
  push_until_locked (h, buffer, &picture, 2);
  push_again (h, buffer, &picture, 5);
  fail_unless_equals_uint64 (stat_of (h, "pinned-transfer"), 2);
  gst_buffer_unref (buffer);
  wait_until_freed (3);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* Stopping unlocks what its owner still has; then it is learnt anew. */
GST_START_TEST (test_stop_unlocks)
{
  Picture picture;
  GstHarness *h = start (&picture);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer,
      new_memory (GST_VIDEO_INFO_SIZE (&picture.info), FALSE));
  push_until_locked (h, buffer, &picture, 1);
  wait_until_back (buffer);
  gst_harness_teardown (h);
  fail_unless_equals_int (count_calls (unlock_call (), FALSE), 1);
  fail_unless_equals_int (n_freed, 0);

  picture_clear (&picture);
  h = start (&picture);
  push_until_locked (h, buffer, &picture, 1);
  push_again (h, buffer, &picture, 9);
  fail_unless_equals_uint64 (stat_of (h, "pinned-transfer"), 1);
  fail_unless_equals_int (count_calls (lock_call (), FALSE), 2);
  wait_until_back (buffer);
  gst_buffer_unref (buffer);
  wait_until_freed (1);
  fail_unless_equals_int (count_calls (unlock_call (), FALSE), 2);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

GST_START_TEST (test_refused_by_the_driver)
{
  Picture picture;
  GstHarness *h;
  GstBuffer *buffer = gst_buffer_new ();
  g_autofree gchar *wish = g_strconcat (lock_call (), ":1:1", NULL);

  set_fake ("FAIL", wish);
  h = start (&picture);
  gst_buffer_append_memory (buffer,
      new_memory (GST_VIDEO_INFO_SIZE (&picture.info), FALSE));
  for (guint i = 0; i < 12; i++) {
    push_again (h, buffer, &picture, i);
    for (guint k = 0; i == 2 && k < 10000
        && count_calls (lock_call (), FALSE) == 0; k++)
      g_usleep (1000);
  }
  fail_unless_equals_uint64 (stat_of (h, "cpu-copy"), 12);
  fail_unless_equals_int (count_calls (lock_call (), FALSE), 1);
  wait_until_back (buffer);
  gst_buffer_unref (buffer);
  wait_until_freed (1);
  fail_unless_equals_int (count_calls (unlock_call (), FALSE), 0);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

static void
is_left_alone (GstMemory * memory, guint width, guint height)
{
  GstBuffer *buffer = gst_buffer_new ();
  Picture picture;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, width, height, 1);
  h = harness_new (UP, &picture.info);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_buffer_append_memory (buffer, memory);
  for (guint i = 0; i < 6; i++)
    push_again (h, buffer, &picture, i);
  fail_unless_equals_uint64 (stat_of (h, "cpu-copy"), 6);
  fail_unless_equals_uint64 (stat_of (h, "page-locked"), 0);
  fail_unless_equals_int (count_calls (lock_call (), FALSE), 0);
  wait_until_back (buffer);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

/* Small ones, and those that may have another address with each map */
GST_START_TEST (test_what_is_left_alone)
{
  g_autoptr (GstAllocator) files = gst_fd_allocator_new ();
  gint fd = memfd_create ("frame", MFD_CLOEXEC);
  gsize size = 640 * 480 * 3 / 2;

  fail_unless (ftruncate (fd, (off_t) size) == 0);
  is_left_alone (gst_fd_allocator_alloc (files, fd, size,
          GST_FD_MEMORY_FLAG_NONE), 640, 480);
  is_left_alone (new_memory (320 * 240 * 3 / 2, FALSE), 320, 240);
  fail_unless_equals_int (n_freed, 1);
  fail_unless_equals_int (n_freed_here, 1);
}

GST_END_TEST;

GST_START_TEST (test_limit)
{
  GstBuffer *buffers[MOST + 8];
  Picture picture;
  GstHarness *h = start (&picture);

  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++) {
    buffers[i] = gst_buffer_new ();
    gst_buffer_append_memory (buffers[i],
        new_memory (GST_VIDEO_INFO_SIZE (&picture.info), FALSE));
  }
  for (guint i = 0; i < 6 * G_N_ELEMENTS (buffers); i++) {
    fail_unless_equals_int (gst_harness_push (h,
            gst_buffer_ref (buffers[i % G_N_ELEMENTS (buffers)])), GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (h));
  }
  wait_until_locked (h, MOST);
  fail_unless_equals_int (count_calls (lock_call (), FALSE), MOST);
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    gst_buffer_unref (buffers[i]);
  gst_harness_teardown (h);
  wait_until_freed (G_N_ELEMENTS (buffers));
  fail_unless_equals_int (count_calls (unlock_call (), FALSE), MOST);
  picture_clear (&picture);
}

GST_END_TEST;

/* Some are locked while others die; the log says what is left: nothing. */
GST_START_TEST (test_10000_buffers_leave_nothing)
{
  GstBuffer *buffers[8] = { NULL, };
  Picture picture;
  GstHarness *h = start (&picture);
  guint locks;

  for (guint i = 0; i < 10000; i++) {
    GstBuffer **buffer = &buffers[i % G_N_ELEMENTS (buffers)];

    if (*buffer && i / G_N_ELEMENTS (buffers) % (4 + i % 5) == 0)
      gst_clear_buffer (buffer);
    if (!*buffer) {
      *buffer = gst_buffer_new ();
      gst_buffer_append_memory (*buffer,
          new_memory (GST_VIDEO_INFO_SIZE (&picture.info), FALSE));
      gst_buffer_memset (*buffer, 0, 1, -1);
      g_atomic_int_add (&n_freed, -1);
    }
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (*buffer)),
        GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (h));
  }
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    gst_buffer_unref (buffers[i]);
  gst_harness_teardown (h);
  wait_until_freed (0);
  locks = count_calls (lock_call (), FALSE);
  fail_unless (locks > 100, "only %u", locks);
  fail_unless_equals_int (count_calls (unlock_call (), FALSE), locks);
  picture_clear (&picture);
}

GST_END_TEST;

static Suite *
page_locks_suite (void)
{
  Suite *suite = suite_create ("page-locks");
  TCase *tcase = tcase_create ("page-locks");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_test (tcase, test_locked_once_read_from_then_on);
  tcase_add_test (tcase, test_dropped_by_the_device);
  tcase_add_test (tcase, test_layouts);
  tcase_add_test (tcase, test_stop_unlocks);
  tcase_add_test (tcase, test_refused_by_the_driver);
  tcase_add_test (tcase, test_what_is_left_alone);
  tcase_add_test (tcase, test_limit);
  tcase_add_test (tcase, test_10000_buffers_leave_nothing);
  return suite;
}

GST_CHECK_MAIN (page_locks);
