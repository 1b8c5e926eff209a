/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are frames in DMA-BUFs read after their producer, and kept from it until they
 * are read, while it or the element's stream stands still? The test's thread is
 * the streaming thread.
 */
#include "late-fence.h"

#include <gst/allocators/gstdmabuf.h>

#include "elements.h"

#define DMABUF_CAPS "video/x-raw(memory:DMABuf)," CAPS
#define DMABUF_CHAIN "hipupload name=up vendor=host assume-linear=true ! " KERNEL \
    "! hipdownload name=down vendor=host"

static GstBuffer *
wrap_dmabuf (gint fd)
{
  g_autoptr (GstAllocator) allocator = gst_dmabuf_allocator_new ();
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer, gst_dmabuf_allocator_alloc (allocator, fd,
          SIZE));
  return buffer;
}

/* The producer queued its work before it pushed the frame, and no more. */
GST_START_TEST (test_i2_kernel_comes_after_late_producer)
{
  gint fd = new_dmabuf (SIZE, OLD);
  GstHipStream *kernel;
  GstBuffer *out;

  start (DMABUF_CHAIN, DMABUF_CAPS);
  kernel = stream_of ("kernel");
  late_begin (fd);
  /* The streaming thread is this one: waiting for the producer it would hang. */
  out = push_and_pull (wrap_dmabuf (fd));
  assert_stays_pending (record (kernel));
  fill_dmabuf (fd, 0, SIZE, NEW);
  late_end ();
  assert_frame (out, NEW);
  gst_hip_stream_unref (kernel);
  stop ();
}

GST_END_TEST;

static void
note_released (gpointer released, GstMiniObject * object)
{
  g_atomic_int_set ((gint *) released, TRUE);
}

/* A slow consumer: the producer must not have its buffer back before. */
GST_START_TEST (test_i3_dmabuf_is_held)
{
  gint fd = new_dmabuf (SIZE, NEW), released = FALSE;
  GstBuffer *in = wrap_dmabuf (fd), *out;
  GstHipStream *kernel;

  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (in), note_released,
      &released);
  start (DMABUF_CHAIN, DMABUF_CAPS);
  kernel = stream_of ("kernel");
  block (kernel);
  out = push_and_pull (in);
  for (guint i = 0; i < 60; i++) {
    fail_if (g_atomic_int_get (&released));
    g_usleep (500);
  }
  unblock (kernel);
  wait_for (g_atomic_int_get (&released));
  assert_frame (out, NEW);
  gst_hip_stream_unref (kernel);
  stop ();
}

GST_END_TEST;

static Suite *
dmabuf_suite (void)
{
  Suite *suite = suite_create ("dmabuf");
  TCase *tcase = tcase_create ("dmabuf");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, NULL);
  tcase_add_test (tcase, test_i2_kernel_comes_after_late_producer);
  tcase_add_test (tcase, test_i3_dmabuf_is_held);
  return suite;
}

GST_CHECK_MAIN (dmabuf);
