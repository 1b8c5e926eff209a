/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does every thread of a grid run once, under its own indices, whatever the
 * shape of grid and blocks? The host runs narrow blocks together, so shapes
 * around that matter; and a block's shared memory must stay its own. */
#include "config.h"

#include <gst/check/gstcheck.h>
#include <gst/hip/gsthip.h>

/* Each thread finds its place from its indices alone; where it ran is checked
 * by what it writes there. Out of the last rows some threads do not write:
 * behind a guard that the host sees, of each kind, and behind one that it does
 * not. What stands behind a guard without a return is for all threads. */
#define BODY(name, guard, tail) \
    "extern \"C\" __global__ void " name " (unsigned *out, unsigned *all,\n" \
    "    unsigned limit, unsigned limit_y)\n" \
    "{\n" \
    "  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;\n" \
    "  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;\n" \
    guard \
    "  {\n" \
    "    unsigned z = blockIdx.z * blockDim.z + threadIdx.z;\n" \
    "    unsigned w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;\n" \
    "    unsigned i = (z * h + y) * w + x;\n" \
    "    out[3 * i] += 1;\n" \
    "    out[3 * i + 1] += threadIdx.x + 1000 * threadIdx.y + 100000 * threadIdx.z;\n" \
    "    out[3 * i + 2] += blockIdx.x + 1000 * blockIdx.y + 100000 * blockIdx.z;\n" \
    "  }\n" \
    tail \
    "}\n"

static const gchar source[] =
    BODY ("unseen", "  if (!(x < limit && y < limit_y)) return;\n", "")
    BODY ("either", "  if (x >= limit || y >= limit_y)\n    return;\n", "")
    BODY ("both", "  if (x < limit && y < limit_y)\n",
    "  all[((blockIdx.z * blockDim.z + threadIdx.z) * gridDim.y * blockDim.y\n"
    "      + y) * gridDim.x * blockDim.x + x] += 1;\n")
    BODY ("twice", "  if (x > limit - 1) { return; }\n"
    "  if (y < limit_y)\n", "");

static const gchar *const entries[] = { "unseen", "either", "both", "twice" };

/* No barrier is needed: each thread reads what it wrote itself */
static const gchar shared_source[] =
    "extern \"C\" __global__ void own (const unsigned *in, unsigned *out)\n"
    "{\n"
    "  __shared__ unsigned mine[64];\n"
    "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  mine[threadIdx.x] = in[i] * 3;\n"
    "  for (unsigned k = 0; k < 4; k++)\n"
    "    mine[threadIdx.x] += k;\n" "  out[i] = mine[threadIdx.x];\n" "}\n";

static GstHipDevice *device;

static void
fill (GstMemory * memory, guint n, guint factor)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (guint i = 0; i < n; i++)
    ((guint *) map.data)[i] = i * factor;
  gst_memory_unmap (memory, &map);
}

static void
check_shape (GstHipKernelModule * module, const gchar * entry,
    const guint grid[3], const guint block[3])
{
  guint w = grid[0] * block[0], h = grid[1] * block[1], d = grid[2] * block[2];
  guint n = w * h * d, limit = w - block[0] / 3, limit_y = h - block[1] / 3;
  gboolean for_all = g_str_equal (entry, "both");
  GstHipKernelArgs *args = gst_hip_kernel_args_new ();
  GError *error = NULL;
  GstMemory *out = gst_hip_allocator_alloc_linear (NULL, device,
      n * 3 * sizeof (guint), &error);
  GstMemory *all = gst_hip_allocator_alloc_linear (NULL, device,
      n * sizeof (guint), &error);
  GstMapInfo map;
  guint i = 0;

  g_assert_no_error (error);
  fill (out, n * 3, 0);
  fill (all, n, 0);
  gst_hip_kernel_args_add_memory (args, out, 0, &error);
  gst_hip_kernel_args_add_memory (args, all, 0, &error);
  gst_hip_kernel_args_add_uint32 (args, limit);
  gst_hip_kernel_args_add_uint32 (args, limit_y);
  gst_hip_kernel_module_launch (module, entry, NULL, grid, block, args, &error);
  g_assert_no_error (error);
  fail_unless (gst_memory_map (out, &map, GST_MAP_READ));
  for (guint z = 0; z < d; z++) {
    for (guint y = 0; y < h; y++) {
      for (guint x = 0; x < w; x++, i++) {
        const guint *got = (const guint *) map.data + 3 * i;
        gboolean runs = x < limit && y < limit_y;

        fail_unless_equals_int (got[0], runs);
        fail_unless_equals_int (got[1], runs ? x % block[0] +
            1000 * (y % block[1]) + 100000 * (z % block[2]) : 0);
        fail_unless_equals_int (got[2], runs ? x / block[0] +
            1000 * (y / block[1]) + 100000 * (z / block[2]) : 0);
      }
    }
  }
  gst_memory_unmap (out, &map);
  fail_unless (gst_memory_map (all, &map, GST_MAP_READ));
  for (i = 0; i < n; i++)
    fail_unless_equals_int (((const guint *) map.data)[i], for_all);
  gst_memory_unmap (all, &map);
  gst_memory_unref (all);
  gst_memory_unref (out);
  gst_hip_kernel_args_unref (args);
}

GST_START_TEST (test_every_thread_once)
{
  static const guint shapes[][6] = {
    {1, 1, 1, 16, 16, 1}, {7, 3, 1, 16, 16, 1}, {120, 5, 1, 16, 4, 1},
    {3, 2, 2, 32, 2, 2}, {61, 2, 1, 32, 8, 1}, {5, 4, 3, 16, 2, 3},
    {9, 2, 1, 1, 1, 1}, {9, 3, 1, 7, 3, 2}, {4, 2, 1, 15, 1, 1},
    {4, 2, 1, 17, 2, 1}, {5, 2, 2, 48, 1, 1}, {3, 3, 1, 64, 2, 1},
    {2, 2, 1, 256, 1, 1}, {1000, 1, 1, 16, 1, 1}, {333, 3, 1, 32, 1, 1},
  };
  GError *error = NULL;
  GstHipKernelModule *module =
      gst_hip_kernel_module_new_from_source (device, source, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    check_shape (module, entries[__i__], shapes[i], shapes[i] + 3);
  gst_hip_kernel_module_unref (module);
}

GST_END_TEST;

GST_START_TEST (test_shared_memory_is_the_blocks_own)
{
  static const guint widths[] = { 16, 32, 64, 5 };
  const guint n_blocks = 50;
  GError *error = NULL;
  GstHipKernelModule *module = gst_hip_kernel_module_new_from_source (device,
      shared_source, NULL, &error);

  g_assert_no_error (error);
  for (guint k = 0; k < G_N_ELEMENTS (widths); k++) {
    guint n = widths[k] * n_blocks;
    const guint grid[3] = { n_blocks, 1, 1 }, block[3] = { widths[k], 1, 1 };
    GstHipKernelArgs *args = gst_hip_kernel_args_new ();
    GstMemory *in = gst_hip_allocator_alloc_linear (NULL, device,
        n * sizeof (guint), &error);
    GstMemory *out = gst_hip_allocator_alloc_linear (NULL, device,
        n * sizeof (guint), &error);
    GstMapInfo map;

    fill (in, n, 1);
    gst_hip_kernel_args_add_memory (args, in, 0, &error);
    gst_hip_kernel_args_add_memory (args, out, 0, &error);
    gst_hip_kernel_module_launch (module, "own", NULL, grid, block, args,
        &error);
    g_assert_no_error (error);
    fail_unless (gst_memory_map (out, &map, GST_MAP_READ));
    for (guint i = 0; i < n; i++)
      fail_unless_equals_int (((guint *) map.data)[i], 3 * i + 6);
    gst_memory_unmap (out, &map);
    gst_memory_unref (in);
    gst_memory_unref (out);
    gst_hip_kernel_args_unref (args);
  }
  gst_hip_kernel_module_unref (module);
}

GST_END_TEST;

static void
open_device (void)
{
  GError *error = NULL;

  device = gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, &error);
  g_assert_no_error (error);
}

static void
close_device (void)
{
  gst_clear_object (&device);
}

static Suite *
threads_suite (void)
{
  Suite *suite = suite_create ("threads");
  TCase *tcase = tcase_create ("general");

  tcase_add_checked_fixture (tcase, open_device, close_device);
  tcase_add_loop_test (tcase, test_every_thread_once, 0,
      G_N_ELEMENTS (entries));
  tcase_add_test (tcase, test_shared_memory_is_the_blocks_own);
  suite_add_tcase (suite, tcase);
  return suite;
}

GST_CHECK_MAIN (threads);
