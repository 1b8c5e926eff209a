/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A kernel of your own, without a pipeline: compile, allocate, upload, launch,
 * read back, check. See README.md beside this file. */
#include <gst/hip/gsthip.h>

#define COUNT 1000000u
#define BLOCK_SIZE 256u

static const gchar source[] =
    "extern \"C\" __global__ void\n"
    "transform (const float *in, float *out, unsigned count)\n"
    "{\n"
    "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < count)\n" "    out[i] = 2.0f * in[i] + 1.0f;\n" "}\n";

static gboolean
run (GError ** error)
{
  const guint grid[3] = { (COUNT + BLOCK_SIZE - 1) / BLOCK_SIZE, 1, 1 };
  const guint block[3] = { BLOCK_SIZE, 1, 1 };
  const gsize size = COUNT * sizeof (gfloat);
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  g_autoptr (GstHipKernelModule) module = NULL;
  g_autoptr (GstHipDevice) device = NULL;
  g_autoptr (GstHipStream) stream = NULL;
  g_autoptr (GstMemory) input = NULL, output = NULL;
  GstMapInfo map;

  if (!(device = gst_hip_device_new_full (GST_HIP_VENDOR_UNKNOWN, -1, error))
      || !(stream = gst_hip_stream_new_full (device, 0, error))
      || !(module = gst_hip_kernel_module_new_from_source (device, source,
              NULL, error))
      || !(input = gst_hip_allocator_alloc_linear (NULL, device, size, error))
      || !(output = gst_hip_allocator_alloc_linear (NULL, device, size, error)))
    return FALSE;

  /* A CPU map writes to staging memory; the upload is queued by the launch. */
  g_assert_true (gst_memory_map (input, &map, GST_MAP_WRITE));
  for (guint i = 0; i < COUNT; i++)
    ((gfloat *) map.data)[i] = i;
  gst_memory_unmap (input, &map);

  if (!gst_hip_kernel_args_add_memory (args, input, 0, error)
      || !gst_hip_kernel_args_add_memory (args, output, 0, error))
    return FALSE;
  gst_hip_kernel_args_add_uint32 (args, COUNT);
  if (!gst_hip_kernel_module_launch (module, "transform", stream, grid, block,
          args, error))
    return FALSE;

  /* Waits for the kernel: the CPU asks for bytes that are not there yet. */
  g_assert_true (gst_memory_map (output, &map, GST_MAP_READ));
  for (guint i = 0; i < COUNT; i++)
    g_assert_cmpfloat (((gfloat *) map.data)[i], ==, 2.0f * i + 1.0f);
  gst_memory_unmap (output, &map);
  g_print ("%u values right on %s\n", COUNT,
      gst_hip_device_get_info (device)->name);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  if (run (&error))
    return 0;
  g_printerr ("%s\n", error->message);
  return 1;
}
