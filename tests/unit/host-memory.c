/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device itself, its memory, and work spread over the CPUs: sizes that
 * must fail, bytes that must not be touched, ranges that must come once.
 */
#include "host-common.h"

GST_START_TEST (test_device)
{
  GstHipDeviceInfo info;
  GstStructure *structure = gst_structure_new_empty ("backend");
  HipNativeContext one, two;
  guint threads = 0;

  fail_unless_equals_int (host->device_count (), 1);
  assert_ok (host->probe (&error));
  assert_ok (host->device_info (0, &info, &error));
  fail_unless_equals_int (info.vendor, GST_HIP_VENDOR_HOST);
  fail_unless (info.name[0] && info.arch[0]);
  fail_unless (info.memory_bytes > 1024 * 1024);
  fail_unless (info.caps & GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE);
  fail_unless_equals_int (!!(info.caps & GST_HIP_DEVICE_CAP_COMPILER),
      host_compiler_available ());
  fail_unless_equals_int (info.compute_units, host_workers_count ());
  fail_unless_equals_int (info.stride_align, 64);

  host->describe (structure);
  fail_unless (gst_structure_get_uint (structure, "threads", &threads));
  fail_unless_equals_int (threads, host_workers_count ());
  gst_structure_free (structure);

  assert_fails (host->device_info (1, &info, &error),
      GST_HIP_ERROR_UNAVAILABLE);
  assert_fails (host->context_open (1, &error), GST_HIP_ERROR_UNAVAILABLE);

  /* The primary context is one, as long as anybody has it. */
  one = open_host ();
  two = open_host ();
  fail_unless (host->context_native (one) == host->context_native (two));
  host->context_close (one);
  host->context_close (two);
}

GST_END_TEST;

GST_START_TEST (test_alloc)
{
  static const gsize absurd[] = { G_MAXSIZE, G_MAXSIZE - 63, G_MAXSSIZE,
    G_MAXSIZE / 4
  };
  HipNativeContext context = open_host ();
  guintptr address = 0;
  gsize size;
  guint i;

  for (size = 1; size < 5000; size = size * 3 + 1) {
    assert_ok (host->memory_alloc (context, HIP_SPACE_DEVICE, size, &address,
            &error));
    fail_unless_equals_int (address % 64, 0);
    memset ((gpointer) address, 1, size);
    host->memory_free (context, HIP_SPACE_DEVICE, address);
  }

  for (i = 0; i < G_N_ELEMENTS (absurd); i++) {
    GError *error = NULL;
    gchar *text = g_strdup_printf ("%" G_GSIZE_FORMAT, absurd[i]);

    fail_if (host->memory_alloc (context, HIP_SPACE_PINNED, absurd[i], &address,
            &error));
    fail_unless (g_error_matches (error, GST_HIP_ERROR,
            GST_HIP_ERROR_OUT_OF_MEMORY));
    fail_unless (strstr (error->message, text) != NULL);
    g_clear_error (&error);
    g_free (text);
  }

  assert_ok (host->host_register (context, &size, sizeof (size), &address,
          &error));
  fail_unless (address == (guintptr) & size);
  address = 0;
  assert_ok (host->host_device_address (context, &size, &address, &error));
  fail_unless (address == (guintptr) & size);
  host->host_unregister (context, &size);

  host->context_close (context);
}

GST_END_TEST;

/* Compares all of dst with what a copy of rows at these strides makes of a
 * buffer full of 0xee: whatever else changed is a byte that was not ours. */
static void
check_copy (HipNativeContext context, HipNativeStream stream, gsize row_bytes,
    gsize rows, gsize dst_stride, gsize src_stride, gsize offset)
{
  gsize dst_size = offset + dst_stride * rows + 67;
  gsize src_size = offset + src_stride * rows + 67;
  guint8 *dst = g_malloc (dst_size), *src = g_malloc (src_size);
  guint8 *wanted = g_malloc (dst_size);
  HipCopy2D copy = { HIP_SPACE_DEVICE, HIP_SPACE_PINNED,
    (guintptr) dst + offset, (guintptr) src + offset, dst_stride, src_stride,
    row_bytes, rows
  };
  gsize i;

  for (i = 0; i < src_size; i++)
    src[i] = (guint8) (i * 131 + (i >> 8) * 17);
  memset (dst, 0xee, dst_size);
  memset (wanted, 0xee, dst_size);
  for (i = 0; i < rows; i++)
    memcpy (wanted + offset + i * dst_stride, src + offset + i * src_stride,
        row_bytes);

  assert_ok (host->stream_copy_2d (context, stream, &copy, &error));
  /* The description is the caller's again. */
  memset (&copy, 0, sizeof (copy));
  synchronize (context, stream);
  fail_unless (memcmp (dst, wanted, dst_size) == 0,
      "%" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT ", strides %" G_GSIZE_FORMAT
      " <- %" G_GSIZE_FORMAT ", offset %" G_GSIZE_FORMAT, row_bytes, rows,
      dst_stride, src_stride, offset);

  g_free (dst);
  g_free (src);
  g_free (wanted);
}

GST_START_TEST (test_copy_2d)
{
  static const gsize widths[] = { 1, 3, 64, 321, 1919 };
  static const gsize heights[] = { 1, 2, 17, 241 };
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  guint w, h, extra;

  for (w = 0; w < G_N_ELEMENTS (widths); w++) {
    for (h = 0; h < G_N_ELEMENTS (heights); h++) {
      for (extra = 0; extra < 4; extra++) {
        check_copy (context, stream, widths[w], heights[h],
            widths[w] + (extra & 1) * 13, widths[w] + (extra >> 1) * 7, extra);
      }
    }
  }
  /* Large enough to be spread, in rows, in one piece, and as few long rows */
  check_copy (context, stream, 7681, 541, 7713, 7687, 1);
  check_copy (context, stream, 5000001, 1, 5000001, 5000001, 3);
  check_copy (context, stream, 5003, 1001, 5003, 5003, 5);
  check_copy (context, stream, 1500001, 3, 1500013, 1500007, 1);
  /* No row of the destination may be wider than its stride says */
  check_copy (context, stream, 1, 3000001, 2, 1, 0);

  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

GST_START_TEST (test_fill)
{
  static const gsize sizes[] = { 1, 2, 63, 4097, 6000001 };
  HipNativeContext context = open_host ();
  HipNativeStream stream = new_stream (context);
  gsize j;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++) {
    guint8 *data = g_malloc (sizes[i] + 4);

    memset (data, 0xee, sizes[i] + 4);
    fill_bytes (context, stream, data + 2, sizes[i], (guint8) (i + 1));
    synchronize (context, stream);
    for (j = 0; j < sizes[i] + 4; j++) {
      gboolean ours = j >= 2 && j < sizes[i] + 2;

      if (data[j] != (ours ? i + 1 : 0xee))
        fail ("byte %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " is %u", j,
            sizes[i], data[j]);
    }
    g_free (data);
  }

  host->stream_free (context, stream, FALSE);
  host->context_close (context);
}

GST_END_TEST;

typedef struct
{
  guint8 *seen;
  guint64 n, grain;
  gint calls;
} Cover;

static void
cover (guint64 begin, guint64 end, gpointer data)
{
  Cover *c = data;

  g_atomic_int_inc (&c->calls);
  if (begin >= end || end > c->n)
    fail ("a range outside");
  for (; begin < end; begin++)
    c->seen[begin]++;
}

static gpointer
cover_many (gpointer data)
{
  static const guint64 sizes[] = { 0, 1, 2, 7, 64, 1000, 4099 };
  static const guint64 grains[] = { 0, 1, 3, 64, 5000 };
  guint round, s, g;

  for (round = 0; round < 10; round++) {
    for (s = 0; s < G_N_ELEMENTS (sizes); s++) {
      for (g = 0; g < G_N_ELEMENTS (grains); g++) {
        Cover c = { g_new0 (guint8, sizes[s] + 1), sizes[s], grains[g], 0 };
        guint64 i;

        host_workers_run (c.n, c.grain, cover, &c);
        for (i = 0; i < c.n; i++) {
          if (c.seen[i] != 1)
            fail ("%u times", c.seen[i]);
        }
        fail_unless ((c.calls > 0) == (c.n > 0));
        g_free (c.seen);
      }
    }
  }
  return NULL;
}

static void
nothing (guint64 begin, guint64 end, gpointer data)
{
  if (end > begin)
    g_atomic_int_inc ((gint *) data);
}

GST_START_TEST (test_workers_cover)
{
  GThread *threads[6];
  gint ranges = 0;
  guint i;

  cover_many (NULL);
  /* Several callers at once */
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("caller", cover_many, NULL);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  /* More indices than there could be ranges: the grain grows. */
  host_workers_run (G_MAXUINT64, 1, nothing, &ranges);
  fail_unless (ranges > 0 && ranges <= 1 << 20);

  fail_unless (count_threads ("hip-host") < host_workers_count ());
}

GST_END_TEST;

static void
nest (guint64 begin, guint64 end, gpointer data)
{
  for (; begin < end; begin++)
    host_workers_run (100, 1, nothing, data);
}

/* A range that spreads work itself does not wait for itself. */
GST_START_TEST (test_workers_nest)
{
  gint ranges = 0;

  host_workers_run (20, 1, nest, &ranges);
  fail_unless_equals_int (ranges, host_workers_count () == 1 ? 20 : 2000);
}

GST_END_TEST;

typedef struct
{
  HipMutex lock;
  HipCond cond;
  guint inside, wanted;
} Meeting;

static void
meet (guint64 begin, guint64 end, gpointer data)
{
  Meeting *meeting = data;

  hip_mutex_lock (&meeting->lock);
  meeting->inside++;
  hip_cond_broadcast (&meeting->cond);
  while (meeting->inside < meeting->wanted)
    hip_cond_wait (&meeting->cond, &meeting->lock);
  hip_mutex_unlock (&meeting->lock);
}

/* As many ranges run at the same time as there are CPUs: each stays inside
 * until all are. */
GST_START_TEST (test_workers_at_once)
{
  Meeting meeting = { HIP_MUTEX_INIT, HIP_COND_INIT, 0, host_workers_count () };

  host_workers_run (meeting.wanted, 1, meet, &meeting);
  fail_unless_equals_int (meeting.inside, meeting.wanted);
}

GST_END_TEST;

static Suite *
host_memory_suite (void)
{
  Suite *s = suite_create ("host-memory");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_device);
  tcase_add_test (tc, test_alloc);
  tcase_add_test (tc, test_copy_2d);
  tcase_add_test (tc, test_fill);
  tcase_add_test (tc, test_workers_cover);
  tcase_add_test (tc, test_workers_nest);
  tcase_add_test (tc, test_workers_at_once);

  return s;
}

GST_CHECK_MAIN (host_memory);
