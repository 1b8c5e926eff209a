/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Kernel modules, arguments and launches through the public API, on the device
 * that GST_HIP_TEST_VENDOR names. What kernels compute is the business of
 * kernel-functions.c.
 */
#include <string.h>

#include <glib/gstdio.h>

#include "vendor.h"

#define assert_ok(call) \
  G_STMT_START { \
    GError *error = NULL; \
    gboolean ok = (call); \
    fail_unless (ok, "%s: %s", #call, error ? error->message : "no error set"); \
    fail_if (error); \
  } G_STMT_END

/* message: part of the error's */
#define assert_fails(call, wanted, part) \
  G_STMT_START { \
    GError *error = NULL; \
    gboolean ok = !!(call); \
    fail_if (ok, "%s succeeded", #call); \
    fail_unless (g_error_matches (error, GST_HIP_ERROR, wanted), "%s: %s", \
        #call, error ? error->message : "no error set"); \
    fail_unless (strstr (error->message, part), "no \"%s\" in: %s", part, \
        error->message); \
    g_clear_error (&error); \
  } G_STMT_END

static GstHipDevice *device;
static GstHipStream *stream;

static const gchar source[] =
    "struct Pair { float scale; int shift; };\n"
    "extern \"C\" __global__ void\n"
    "scale (const int *in, int *out, Pair pair, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    out[i] = (int) (in[i] * pair.scale) + pair.shift;\n"
    "}\n"
    "extern \"C\" __global__ void\n"
    "add_one (int *data, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    data[i] += 1;\n"
    "}\n"
    "extern \"C\" __global__ void\n"
    "paint (unsigned char *plane, int stride, int width, int height, unsigned char value)\n"
    "{\n"
    "  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  if (x < width && y < height)\n"
    "    plane[y * stride + x] = value;\n"
    "}\n"
    "extern \"C\" __global__ void\n"
    "reverse (int *data)\n"
    "{\n"
    "  extern __shared__ int tile[];\n"
    "  tile[threadIdx.x] = data[threadIdx.x];\n"
    "  __syncthreads ();\n"
    "  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];\n"
    "}\n"
    "struct Indirect { int *target; };\n"
    "extern \"C\" __global__ void\n"
    "through (Indirect indirect, int value)\n"
    "{\n"
    "  indirect.target[threadIdx.x] = value;\n"
    "}\n"
    "#ifdef NEVER\n"
    "extern \"C\" __global__ void never (int nothing) {}\n" "#endif\n";

static void
setup (void)
{
  device = conformance_open ();
  assert_ok ((stream = gst_hip_stream_new_full (device, 0, &error)) != NULL);
}

static void
teardown (void)
{
  gst_clear_hip_stream (&stream);
  gst_clear_object (&device);
}

static GstHipKernelModule *
compile (const gchar * text)
{
  GstHipKernelModule *module;

  assert_ok ((module = gst_hip_kernel_module_new_from_source (device, text,
              NULL, &error)) != NULL);
  return module;
}

static GstMemory *
alloc (gsize size)
{
  GstMemory *memory;

  assert_ok ((memory = gst_hip_allocator_alloc_linear (NULL, device, size,
              &error)) != NULL);
  return memory;
}

/* first, first + 1, ... */
static GstMemory *
alloc_ints (guint n, gint first)
{
  GstMemory *memory = alloc (n * sizeof (gint));
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (guint i = 0; i < n; i++)
    ((gint *) map.data)[i] = first + (gint) i;
  gst_memory_unmap (memory, &map);
  return memory;
}

/* value (i) = start + step * i for all of memory */
static void
assert_ints (GstMemory * memory, gint start, gint step)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  for (guint i = 0; i < map.size / sizeof (gint); i++)
    fail_unless_equals_int (((gint *) map.data)[i], start + step * (gint) i);
  gst_memory_unmap (memory, &map);
}

static void
launch (GstHipKernelModule * module, const gchar * entry, GstHipStream * on,
    guint n, GstHipKernelArgs * args)
{
  const guint grid[3] = { (n + 255) / 256, 1, 1 }, block[3] = { 256, 1, 1 };

  assert_ok (gst_hip_kernel_module_launch (module, entry, on, grid, block,
          args, &error));
}

static void
add_one (GstHipKernelModule * module, GstHipStream * on, GstMemory * memory)
{
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  guint n = gst_memory_get_sizes (memory, NULL, NULL) / sizeof (gint);

  assert_ok (gst_hip_kernel_args_add_memory (args, memory, 0, &error));
  gst_hip_kernel_args_add_int32 (args, n);
  launch (module, "add_one", on, n, args);
}

/* --- what a module tells --- */

GST_START_TEST (test_entries)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_auto (GStrv) names = gst_hip_kernel_module_list_entries (module);
  g_autofree gchar *list = g_strjoinv (" ", names);
  g_autofree gchar *signature = NULL;
  const GstHipKernelParameter *params;
  guint n;

  fail_unless_equals_string (list, "scale add_one paint reverse through");
  fail_unless (gst_hip_kernel_module_has_entry (module, "paint"));
  fail_if (gst_hip_kernel_module_has_entry (module, "never"));
  fail_if (gst_hip_kernel_module_has_entry (module, ""));

  params = gst_hip_kernel_module_get_parameters (module, "scale", &n);
  fail_unless_equals_int (n, 4);
  fail_unless_equals_string (params[0].name, "in");
  fail_unless_equals_string (params[0].type_name, "const int *");
  fail_unless_equals_int (params[0].kind, GST_HIP_PARAMETER_KIND_POINTER);
  fail_unless (params[0].is_const && !params[1].is_const);
  fail_unless_equals_int (params[2].kind, GST_HIP_PARAMETER_KIND_STRUCT);
  fail_unless_equals_int (params[2].size, 8);
  fail_unless_equals_int (params[2].align, 4);
  fail_unless_equals_int (params[3].kind, GST_HIP_PARAMETER_KIND_INT);
  params = gst_hip_kernel_module_get_parameters (module, "paint", &n);
  fail_unless_equals_int (n, 5);
  fail_unless_equals_int (params[4].kind, GST_HIP_PARAMETER_KIND_UINT);
  fail_unless_equals_int (params[4].size, 1);
  fail_unless (gst_hip_kernel_module_get_parameters (module, "none",
          &n) == NULL && n == 0);

  signature = gst_hip_kernel_module_get_signature (module, "scale");
  fail_unless_equals_string (signature,
      "scale (const int *in, int *out, Pair pair, int n)");
  fail_unless (gst_hip_kernel_module_get_signature (module, "none") == NULL);
}

GST_END_TEST;

GST_START_TEST (test_binary)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_autoptr (GBytes) binary = gst_hip_kernel_module_get_binary (module);
  g_autoptr (GBytes) text = g_bytes_new_static (source, sizeof (source));
  g_autoptr (GstHipKernelModule) other = NULL;
  g_autofree gchar *signature = NULL;
  GstMemory *memory = alloc_ints (100, 5);

  assert_ok ((other = gst_hip_kernel_module_new_from_binary (device, binary,
              &error)) != NULL);
  fail_if (other == module);
  signature = gst_hip_kernel_module_get_signature (other, "scale");
  fail_unless_equals_string (signature,
      "scale (const int *in, int *out, Pair pair, int n)");
  add_one (other, stream, memory);
  assert_ints (memory, 6, 1);
  assert_fails (gst_hip_kernel_module_new_from_binary (device, text, &error),
      GST_HIP_ERROR_INVALID, "");
  gst_memory_unref (memory);
}

GST_END_TEST;

/* --- launches --- */

GST_START_TEST (test_struct_and_flags)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  struct
  {
    gfloat scale;
    gint shift;
  } pair = { 2.0f, 7 };
  GstMemory *in = alloc_ints (1000, 0), *out = alloc_ints (1000, 0);

  assert_ok (gst_hip_kernel_args_add_memory (args, in, 0, &error));
  assert_ok (gst_hip_kernel_args_add_memory_full (args, out, 0, GST_MAP_WRITE,
          &error));
  assert_ok (gst_hip_kernel_args_add_bytes (args, &pair, sizeof (pair), 4,
          &error));
  gst_hip_kernel_args_add_int32 (args, 1000);
  fail_unless_equals_int (gst_hip_kernel_args_get_n_args (args), 4);
  launch (module, "scale", stream, 1000, args);
  /* once more on the device's own stream, with the same arguments */
  launch (module, "scale", NULL, 1000, args);
  assert_ints (out, 7, 2);
  assert_ints (in, 0, 1);

  gst_hip_kernel_args_clear (args);
  fail_unless_equals_int (gst_hip_kernel_args_get_n_args (args), 0);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (in), 1);
  gst_memory_unref (in);
  gst_memory_unref (out);
}

GST_END_TEST;

/* Streams take turns: each must see what the other did (I2) */
GST_START_TEST (test_order)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_autoptr (GstHipStream) other = NULL;
  GstMemory *memory = alloc_ints (100000, 0);

  assert_ok ((other = gst_hip_stream_new_full (device, 0, &error)) != NULL);
  for (guint i = 0; i < 100; i++)
    add_one (module, i % 3 ? stream : other, memory);
  assert_ints (memory, 100, 1);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* One parent, two halves and the whole at once; a view that is shifted */
GST_START_TEST (test_shared_memory)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  g_autoptr (GstHipStream) other = NULL;
  struct
  {
    gfloat scale;
    gint shift;
  } pair = { 1.0f, 0 };
  GstMemory *whole = alloc_ints (2000, 0);
  GstMemory *low = gst_memory_share (whole, 0, 4000);
  GstMemory *high = gst_memory_share (whole, 4000, 4000);

  fail_unless (low && high);
  assert_ok ((other = gst_hip_stream_new_full (device, 0, &error)) != NULL);
  add_one (module, other, low);
  assert_ok (gst_hip_kernel_args_add_memory (args, low, 0, &error));
  assert_ok (gst_hip_kernel_args_add_memory (args, high, 0, &error));
  assert_ok (gst_hip_kernel_args_add_bytes (args, &pair, sizeof (pair), 4,
          &error));
  gst_hip_kernel_args_add_int32 (args, 1000);
  launch (module, "scale", stream, 1000, args);
  add_one (module, other, high);
  assert_ints (low, 1, 1);
  assert_ints (high, 2, 1);

  /* the same one for reading and writing */
  gst_hip_kernel_args_clear (args);
  assert_ok (gst_hip_kernel_args_add_memory (args, whole, 4000, &error));
  assert_ok (gst_hip_kernel_args_add_memory (args, whole, 0, &error));
  assert_ok (gst_hip_kernel_args_add_bytes (args, &pair, sizeof (pair), 4,
          &error));
  gst_hip_kernel_args_add_int32 (args, 1000);
  launch (module, "scale", stream, 1000, args);
  assert_ints (low, 2, 1);

  gst_memory_unref (low);
  gst_memory_unref (high);
  gst_memory_unref (whole);
}

GST_END_TEST;

/* Nothing but the queued work holds module and memory */
GST_START_TEST (test_lifetime)
{
  for (guint i = 0; i < 20; i++) {
    GstHipKernelModule *module = compile (source);
    GstMemory *memory = alloc_ints (50000, 0);
    GstMemory *result = alloc_ints (50000, 0);
    g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
    struct
    {
      gfloat scale;
      gint shift;
    } pair = { 1.0f, 3 };

    add_one (module, stream, memory);
    assert_ok (gst_hip_kernel_args_add_memory (args, memory, 0, &error));
    assert_ok (gst_hip_kernel_args_add_memory (args, result, 0, &error));
    assert_ok (gst_hip_kernel_args_add_bytes (args, &pair, sizeof (pair), 4,
            &error));
    gst_hip_kernel_args_add_int32 (args, 50000);
    launch (module, "scale", stream, 50000, args);
    gst_hip_kernel_module_unref (module);
    gst_hip_kernel_args_clear (args);
    gst_memory_unref (memory);
    assert_ints (result, 4, 1);
    gst_memory_unref (result);
  }
}

GST_END_TEST;

GST_START_TEST (test_launch_full)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  g_autoptr (GstHipEvent) event = NULL;
  const guint grid[3] = { 1, 1, 1 }, block[3] = { 64, 1, 1 };
  GstMemory *memory = alloc_ints (64, 0);

  assert_ok (gst_hip_kernel_args_add_memory (args, memory, 0, &error));
  assert_ok (gst_hip_kernel_module_launch_full (module, "reverse", stream,
          grid, block, 64 * sizeof (gint), args, &event, &error));
  fail_unless (event != NULL);
  assert_ok (gst_hip_event_wait (event, &error));
  fail_unless_equals_int (gst_hip_event_query_state (event),
      GST_HIP_EVENT_STATE_DONE);
  assert_ints (memory, 63, -1);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* An address in a struct: ordered and seen only because of the dependency */
GST_START_TEST (test_dependency)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  g_autoptr (GstHipStream) other = NULL;
  const guint one[3] = { 1, 1, 1 }, block[3] = { 128, 1, 1 };
  GstMemory *memory = alloc_ints (128, 0);
  guintptr address = gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memory));

  assert_ok ((other = gst_hip_stream_new_full (device, 0, &error)) != NULL);
  for (gint i = 0; i < 50; i++) {
    gst_hip_kernel_args_clear (args);
    assert_ok (gst_hip_kernel_args_add_bytes (args, &address, sizeof (address),
            sizeof (address), &error));
    gst_hip_kernel_args_add_int32 (args, i);
    assert_ok (gst_hip_kernel_args_add_dependency (args, memory,
            GST_MAP_WRITE, &error));
    fail_unless_equals_int (gst_hip_kernel_args_get_n_args (args), 2);
    assert_ok (gst_hip_kernel_module_launch (module, "through",
            i % 2 ? stream : other, one, block, args, &error));
  }
  assert_ints (memory, 49, 0);
  gst_memory_unref (memory);
}

GST_END_TEST;

/* --- planes --- */

static void
paint (GstHipKernelModule * module, GstBuffer * buffer, guint plane,
    gint width, gint height, guint8 value)
{
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  const guint block[3] = { 16, 16, 1 };
  const guint grid[3] = { (width + 15) / 16, (height + 15) / 16, 1 };

  assert_ok (gst_hip_kernel_args_add_plane (args, buffer, plane,
          GST_MAP_WRITE, TRUE, &error));
  fail_unless_equals_int (gst_hip_kernel_args_get_n_args (args), 2);
  gst_hip_kernel_args_add_int32 (args, width);
  gst_hip_kernel_args_add_int32 (args, height);
  gst_hip_kernel_args_add_uint8 (args, value);
  assert_ok (gst_hip_kernel_module_launch (module, "paint", stream, grid,
          block, args, &error));
}

static void
check_planes (gboolean with_meta)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  GstVideoInfo info, layout;
  GstVideoFrame frame;
  GstBuffer *buffer = gst_buffer_new ();
  GstMemory *memory;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 321, 241);
  memory = gst_hip_allocator_alloc (NULL, device, &info);
  fail_unless (memory != NULL);
  fail_unless (gst_hip_memory_get_video_info (GST_HIP_MEMORY_CAST (memory),
          &layout));
  gst_buffer_append_memory (buffer, memory);
  if (with_meta)
    gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_FORMAT_I420, 321,
        241, 3, layout.offset, layout.stride);
  paint (module, buffer, 0, 321, 241, 10);
  paint (module, buffer, 1, 161, 121, 20);
  paint (module, buffer, 2, 161, 121, 30);

  fail_unless (gst_video_frame_map (&frame, &layout, buffer, GST_MAP_READ));
  for (guint p = 0; p < 3; p++) {
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, p); y++) {
      const guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, p) +
          y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p);

      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, p); x++)
        fail_unless_equals_int (row[x], 10 * (p + 1));
    }
  }
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
}

GST_START_TEST (test_planes)
{
  check_planes (TRUE);
  check_planes (FALSE);
}

GST_END_TEST;

/* --- what must be refused --- */

GST_START_TEST (test_wrong_args)
{
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  GstMemory *memory = alloc (100), *system;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 100, NULL);
  gint8 byte = 0;

  system = gst_allocator_alloc (NULL, 100, NULL);
  assert_fails (gst_hip_kernel_args_add_memory (args, system, 0, &error),
      GST_HIP_ERROR_INVALID, "Argument 0");
  assert_fails (gst_hip_kernel_args_add_memory (args, memory, 100, &error),
      GST_HIP_ERROR_INVALID, "100");
  assert_ok (gst_hip_kernel_args_add_memory (args, memory, 99, &error));
  assert_fails (gst_hip_kernel_args_add_memory (args, memory, G_MAXSIZE,
          &error), GST_HIP_ERROR_INVALID, "Argument 1");
  assert_fails (gst_hip_kernel_args_add_memory_full (args, memory, 0,
          GST_MAP_FLAG_LAST << 5, &error), GST_HIP_ERROR_INVALID, "flags");
  assert_fails (gst_hip_kernel_args_add_plane (args, buffer, 0, 0, FALSE,
          &error), GST_HIP_ERROR_INVALID, "video meta");
  assert_fails (gst_hip_kernel_args_add_dependency (args, system,
          GST_MAP_READ, &error), GST_HIP_ERROR_INVALID, "not HIP memory");
  assert_fails (gst_hip_kernel_args_add_bytes (args, &byte, 0, 1, &error),
      GST_HIP_ERROR_INVALID, "0 bytes");
  assert_fails (gst_hip_kernel_args_add_bytes (args, &byte, 1, 3, &error),
      GST_HIP_ERROR_INVALID, "power of two");
  fail_unless_equals_int (gst_hip_kernel_args_get_n_args (args), 1);
  gst_buffer_unref (buffer);
  gst_memory_unref (system);
  gst_memory_unref (memory);
}

GST_END_TEST;

GST_START_TEST (test_wrong_launch)
{
  g_autoptr (GstHipKernelModule) module = compile (source);
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  const GstHipDeviceInfo *info = gst_hip_device_get_info (device);
  const guint one[3] = { 1, 1, 1 }, zero[3] = { 1, 0, 1 };
  const guint wide[3] = { 1025, 1, 1 }, deep[3] = { 1, 1, 65 };
  const guint many[3] = { 1024, 2, 1 }, tall[3] = { 1, 65536, 1 };
  GstMemory *memory = alloc_ints (64, 0);

#define try(entry, grid, block, shared, code, part) \
  assert_fails (gst_hip_kernel_module_launch_full (module, entry, stream, \
          grid, block, shared, args, NULL, &error), GST_HIP_ERROR_##code, part)

  try ("missing", one, one, 0, INVALID, "paint (unsigned char *plane");
  try ("add_one", one, one, 0, INVALID, "0 arguments");
  assert_ok (gst_hip_kernel_args_add_memory (args, memory, 0, &error));
  gst_hip_kernel_args_add_float (args, 1.0f);
  try ("add_one", one, one, 0, INVALID, "Argument 1");
  gst_hip_kernel_args_clear (args);
  gst_hip_kernel_args_add_int32 (args, 1);
  gst_hip_kernel_args_add_int32 (args, 1);
  try ("add_one", one, one, 0, INVALID, "Argument 0");
  gst_hip_kernel_args_clear (args);
  assert_ok (gst_hip_kernel_args_add_memory (args, memory, 0, &error));
  gst_hip_kernel_args_add_int64 (args, 1);
  try ("add_one", one, one, 0, INVALID, "add_one (int *data, int n)");
  gst_hip_kernel_args_clear (args);
  assert_ok (gst_hip_kernel_args_add_memory (args, memory, 0, &error));
  try ("reverse", zero, one, 0, LAUNCH, "y must be 1 to 65535");
  try ("reverse", one, zero, 0, LAUNCH, "y must be 1 to 1024");
  try ("reverse", one, wide, 0, LAUNCH, "x must be 1 to 1024");
  try ("reverse", one, deep, 0, LAUNCH, "z must be 1 to 64");
  try ("reverse", one, many, 0, LAUNCH, "2048");
  try ("reverse", tall, one, 0, LAUNCH, "65535");
  try ("reverse", one, one, (gsize) info->max_shared_bytes + 1, LAUNCH,
      "shared");
#undef try
  assert_ints (memory, 0, 1);
  gst_memory_unref (memory);
}

GST_END_TEST;

GST_START_TEST (test_compile_errors)
{
  static const gchar bad[] = "\nextern \"C\" __global__ void\n"
      "k (int *out)\n{\n  out[0] = unknown_name;\n}\n";
  g_autofree gchar *folder = g_dir_make_tmp ("hip-test-XXXXXX", NULL);
  g_autofree gchar *file = g_build_filename (folder, "my kernel.hip", NULL);
  g_autofree gchar *header = g_build_filename (folder, "mine.h", NULL);
  g_autoptr (GstHipKernelModule) module = NULL;

  assert_fails (gst_hip_kernel_module_new_from_source (device, bad, NULL,
          &error), GST_HIP_ERROR_COMPILE, "unknown_name");
  assert_fails (gst_hip_kernel_module_new_from_source (device, "int x;", NULL,
          &error), GST_HIP_ERROR_COMPILE, "no kernel");
  assert_fails (gst_hip_kernel_module_new_from_file (device, file, NULL,
          &error), GST_HIP_ERROR_INVALID, "my kernel.hip");

  fail_unless (g_file_set_contents (file, bad, -1, NULL));
  assert_fails (gst_hip_kernel_module_new_from_file (device, file, NULL,
          &error), GST_HIP_ERROR_COMPILE, "my kernel.hip");
  assert_fails (gst_hip_kernel_module_new_from_file (device, file, NULL,
          &error), GST_HIP_ERROR_COMPILE,
      gst_hip_device_get_info (device)->name);

  /* with a file beside it that changes: no cache may hide that */
  for (gint i = 1; i < 3; i++) {
    g_autofree gchar *text = g_strdup_printf ("#define WANTED %d\n", i);
    g_autofree gchar *use = g_strdup_printf ("#include \"mine.h\"\n"
        "#if WANTED != %d\n#error stale\n#endif\n"
        "extern \"C\" __global__ void k%d () {}\n", i, i);

    g_clear_pointer (&module, gst_hip_kernel_module_unref);
    fail_unless (g_file_set_contents (header, text, -1, NULL));
    fail_unless (g_file_set_contents (file, use, -1, NULL));
    assert_ok ((module = gst_hip_kernel_module_new_from_file (device, file,
                NULL, &error)) != NULL);
  }
  g_remove (file);
  g_remove (header);
  g_rmdir (folder);
}

GST_END_TEST;

/* --- one module for all who ask for the same --- */

static gpointer
compile_thread (gpointer data)
{
  return compile (data);
}

GST_START_TEST (test_sharing)
{
  g_autofree gchar *text = g_strdup_printf ("%s// %" G_GINT64_FORMAT "\n",
      source, g_get_real_time ());
  g_autofree gchar *other_text = g_strconcat (text, "\n", NULL);
  GstHipKernelModule *modules[6], *other;
  GThread *threads[6];

  for (guint i = 0; i < 6; i++)
    threads[i] = g_thread_new ("compile", compile_thread, text);
  for (guint i = 0; i < 6; i++)
    modules[i] = g_thread_join (threads[i]);
  other = compile (other_text);
  for (guint i = 0; i < 6; i++) {
    fail_unless (modules[i] == modules[0]);
    fail_if (modules[i] == other);
  }
  for (guint i = 0; i < 6; i++)
    gst_hip_kernel_module_unref (modules[i]);
  gst_hip_kernel_module_unref (other);
}

GST_END_TEST;

static Suite *
kernels_suite (void)
{
  Suite *s = suite_create ("kernels");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_entries);
  tcase_add_test (tc, test_binary);
  tcase_add_test (tc, test_struct_and_flags);
  tcase_add_test (tc, test_order);
  tcase_add_test (tc, test_shared_memory);
  tcase_add_test (tc, test_lifetime);
  tcase_add_test (tc, test_launch_full);
  tcase_add_test (tc, test_dependency);
  tcase_add_test (tc, test_planes);
  tcase_add_test (tc, test_wrong_args);
  tcase_add_test (tc, test_wrong_launch);
  tcase_add_test (tc, test_compile_errors);
  tcase_add_test (tc, test_sharing);
  return s;
}

CONFORMANCE_MAIN (kernels);
