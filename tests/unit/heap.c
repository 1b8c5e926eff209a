/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When does the heap of a GPU backend give things back to its driver?
 *
 * The driver here counts, and has as many bytes as a test says.
 */
#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

#include "hip-heap.h"

#define MIB ((gsize) 1 << 20)

static gsize room, held;        /* bytes of the driver */
static guint n_blocks, n_waits, n_unloads;
static gboolean idle;
static GHashTable *blocks;      /* address -> size */
static HipHeap *heap;

static gboolean
driver_alloc (gsize size, guintptr * address, GError ** error)
{
  static guintptr next = 4096;  /* nobody looks there */

  if (size > room - held) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY, "full");
    return FALSE;
  }
  *address = next;
  next += size;
  g_hash_table_insert (blocks, (gpointer) * address, GSIZE_TO_POINTER (size));
  held += size;
  n_blocks++;
  return TRUE;
}

static void
driver_free (guintptr address)
{
  gpointer size = g_hash_table_lookup (blocks, (gpointer) address);

  fail_unless (size != NULL);
  held -= GPOINTER_TO_SIZE (size);
  n_blocks--;
  n_waits += !idle;
  g_hash_table_remove (blocks, (gpointer) address);
}

static gboolean
driver_stream_is_idle (gpointer stream)
{
  return idle;
}

static void
driver_unload (gpointer module)
{
  n_unloads++;
  n_waits += !idle;
}

static const HipHeapDriver driver = {
  .alloc_pinned = driver_alloc,
  .free_pinned = driver_free,
  .alloc_device = driver_alloc,
  .free_device = driver_free,
  .stream_is_idle = driver_stream_is_idle,
  .unload_module = driver_unload,
};

static void
setup (void)
{
  blocks = g_hash_table_new (NULL, NULL);
  room = 4096 * MIB;
  held = n_blocks = n_waits = n_unloads = 0;
  idle = TRUE;
  heap = hip_heap_acquire (&driver, 7);
  hip_heap_add_stream (heap, &idle);
}

/* Everything goes back in the end. */
static void
teardown (void)
{
  hip_heap_remove_stream (heap, &idle);
  hip_heap_release (heap, TRUE);
  fail_unless_equals_int (n_blocks, 0);
  fail_unless_equals_int (n_waits, 0);
  g_hash_table_unref (blocks);
}

static guintptr
alloc (HipSpace space, gsize size)
{
  g_autoptr (GError) error = NULL;
  guintptr address = 0;

  fail_unless (hip_heap_alloc (heap, space, size, &address, &error), "%s",
      error ? error->message : "");
  return address;
}

GST_START_TEST (test_one_per_context)
{
  HipHeap *same = hip_heap_acquire (&driver, 7);
  HipHeap *other = hip_heap_acquire (&driver, 8);
  guintptr address = alloc (HIP_SPACE_DEVICE, 100);

  fail_unless (same == heap);
  fail_unless (other != heap);
  hip_heap_release (same, TRUE);
  hip_heap_release (other, TRUE);
  fail_unless_equals_int (n_blocks, 1);
  hip_heap_free (heap, HIP_SPACE_DEVICE, address);
}

GST_END_TEST;

/* Little is kept for the next who asks, much goes back, but never while a
 * stream has work. */
GST_START_TEST (test_busy)
{
  HipSpace space = __i__ ? HIP_SPACE_PINNED : HIP_SPACE_DEVICE;
  guintptr large[4];

  for (guint i = 0; i < G_N_ELEMENTS (large); i++)
    large[i] = alloc (space, 128 * MIB);
  idle = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (large); i++)
    hip_heap_free (heap, space, large[i]);
  fail_unless (held >= 512 * MIB);
  idle = TRUE;
  hip_heap_free (heap, space, alloc (space, 100));
  fail_unless (held <= 256 * MIB);
  fail_unless (held > 0);
}

GST_END_TEST;

GST_START_TEST (test_modules)
{
  idle = FALSE;
  for (guint i = 1; i <= 100; i++)
    hip_heap_retire_module (heap, GUINT_TO_POINTER (i));
  fail_unless_equals_int (n_unloads, 0);
  idle = TRUE;
  hip_heap_retire_module (heap, GUINT_TO_POINTER (101));
  fail_unless (n_unloads > 50 && n_unloads < 101);
}

GST_END_TEST;

/* What is kept unused of one kind of memory makes room for the other. */
GST_START_TEST (test_out_of_memory)
{
  g_autoptr (GError) error = NULL;
  guintptr pinned, address = 0;

  room = 200 * MIB;
  pinned = alloc (HIP_SPACE_PINNED, 150 * MIB);
  fail_if (hip_heap_alloc (heap, HIP_SPACE_DEVICE, 150 * MIB, &address,
          &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_OUT_OF_MEMORY));
  g_clear_error (&error);

  idle = FALSE;
  hip_heap_free (heap, HIP_SPACE_PINNED, pinned);
  fail_if (hip_heap_alloc (heap, HIP_SPACE_DEVICE, 150 * MIB, &address,
          &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_OUT_OF_MEMORY));

  idle = TRUE;
  address = alloc (HIP_SPACE_DEVICE, 150 * MIB);
  hip_heap_free (heap, HIP_SPACE_DEVICE, address);
}

GST_END_TEST;

static Suite *
heap_suite (void)
{
  Suite *s = suite_create ("heap");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_one_per_context);
  tcase_add_loop_test (tc, test_busy, 0, 2);
  tcase_add_test (tc, test_modules);
  tcase_add_test (tc, test_out_of_memory);
  return s;
}

GST_CHECK_MAIN (heap);
