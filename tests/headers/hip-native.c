/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a program that uses GstHip 1.28's native functions work? Compiled with
 * each set of HIP headers, run on each device that is there (and on simulated
 * drivers); GST_HIP_TEST_VENDOR says which. Every function of hip-gst.h is
 * called. Prints TAP. */
#include <string.h>
#include <gst/hip/hip-gst.h>

#define WIDTH 64
#define HEIGHT 16

static GstHipVendor vendor;

#define CHECK(call) g_assert_cmpint (call, ==, hipSuccess)

static const gchar source[] =
    "extern \"C\" __global__ void add (unsigned char *data, int n, int what) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) data[i] += what;\n" "}\n";

static GstHipDevice *
open_device (void)
{
  GstHipDevice *device = gst_hip_device_new (vendor, 0);

  g_assert_nonnull (device);
  g_assert_true (gst_hip_device_set_current (device));
  return device;
}

/* Rows of WIDTH bytes from the device to the CPU */
static void
read_back (guint8 * to, void *from, hipStream_t stream)
{
  hip_Memcpy2D copy;

  memset (&copy, 0, sizeof (copy));
  copy.srcMemoryType = hipMemoryTypeDevice;
  copy.srcDevice = from;
  copy.srcPitch = WIDTH;
  copy.dstMemoryType = hipMemoryTypeHost;
  copy.dstHost = to;
  copy.dstPitch = WIDTH;
  copy.WidthInBytes = WIDTH;
  copy.Height = HEIGHT;
  CHECK (HipMemcpyParam2DAsync (vendor, &copy, stream));
  CHECK (HipStreamSynchronize (vendor, stream));
}

static void
ask_driver (void)
{
  int version = 0, count = 0;

  CHECK (HipInit (vendor, 0));
  CHECK (HipDriverGetVersion (vendor, &version));
  g_assert_cmpint (version, >, 0);
  version = 0;
  CHECK (HipRuntimeGetVersion (vendor, &version));
  g_assert_cmpint (version, >, 0);
  CHECK (HipGetDeviceCount (vendor, &count));
  g_assert_cmpint (count, >, 0);
  g_assert_cmpint (HipSetDevice (vendor, count), ==, hipErrorInvalidDevice);
  CHECK (HipSetDevice (vendor, 0));
  g_assert_cmpstr (HipGetErrorName (vendor, hipErrorInvalidValue), ==,
      "hipErrorInvalidValue");
  g_assert_true (*HipGetErrorString (vendor, hipErrorInvalidValue));
}

static void
ask_properties (void)
{
  g_autoptr (GstHipDevice) device = open_device ();
  const GstHipDeviceInfo *info = gst_hip_device_get_info (device);
  /* Writing behind the program's struct would be seen. */
  struct
  {
    hipDeviceProp_t prop;
    guint8 guard[64];
  } room;
  int value = 0;

  memset (&room, 0x5a, sizeof (room));
  CHECK (HipGetDeviceProperties (vendor, &room.prop, 0));
  g_assert_cmpstr (room.prop.name, ==, info->name);
  g_assert_cmpuint (room.prop.totalGlobalMem, ==, info->memory_bytes);
  g_assert_cmpint (room.prop.maxThreadsPerBlock, ==,
      info->max_threads_per_block);
  g_assert_cmpint (room.prop.multiProcessorCount, ==, info->compute_units);
  g_assert_cmpint (room.prop.warpSize, >, 0);
  for (guint i = 0; i < sizeof (room.guard); i++)
    g_assert_cmphex (room.guard[i], ==, 0x5a);

  CHECK (HipDeviceGetAttribute (vendor, &value,
          hipDeviceAttributeMaxThreadsPerBlock, 0));
  g_assert_cmpint (value, ==, info->max_threads_per_block);
  value = 0;
  CHECK (gst_hip_device_get_attribute (device,
          hipDeviceAttributeMultiprocessorCount, &value));
  g_assert_cmpint (value, ==, info->compute_units);
  g_assert_cmpint (HipGetDeviceProperties (vendor, &room.prop, 99), ==,
      hipErrorInvalidDevice);
}

static void
fill_and_copy (void)
{
  g_autoptr (GstHipDevice) device = open_device ();
  hipStream_t stream;
  void *memory = NULL, *pinned = NULL;
  guint8 *bytes;

  CHECK (HipStreamCreate (vendor, &stream));
  CHECK (HipMalloc (vendor, &memory, WIDTH * HEIGHT));
  CHECK (HipHostMalloc (vendor, &pinned, WIDTH * HEIGHT, 0));
  bytes = pinned;

  CHECK (HipMemsetD8Async (vendor, memory, 7, WIDTH * HEIGHT, stream));
  read_back (bytes, memory, stream);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpint (bytes[i], ==, 7);
  CHECK (HipMemsetD16Async (vendor, memory, 0x0102, WIDTH, stream));
  CHECK (HipMemsetD32Async (vendor, (guint8 *) memory + 2 * WIDTH, 0x03040506,
          WIDTH / 4, stream));
  read_back (bytes, memory, stream);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    guint16 pair = 0x0102;
    guint32 four = 0x03040506;
    guint8 expected = i < 2 * WIDTH ? ((guint8 *) & pair)[i % 2] :
        i < 3 * WIDTH ? ((guint8 *) & four)[i % 4] : 7;

    g_assert_cmpint (bytes[i], ==, expected);
  }

  CHECK (HipFree (vendor, memory));
  CHECK (HipFree (vendor, NULL));
  CHECK (HipHostFree (vendor, pinned));
  CHECK (HipStreamDestroy (vendor, stream));
}

/* A part of a picture, with all offsets and another pitch at each end */
static void
copy_part (void)
{
  g_autoptr (GstHipDevice) device = open_device ();
  hipStream_t stream;
  void *memory = NULL;
  guint8 from[10 * 6], to[WIDTH * HEIGHT];
  hip_Memcpy2D copy;

  for (guint i = 0; i < sizeof (from); i++)
    from[i] = i + 1;
  CHECK (HipStreamCreate (vendor, &stream));
  CHECK (HipMalloc (vendor, &memory, WIDTH * HEIGHT));
  CHECK (HipMemsetD8Async (vendor, memory, 0, WIDTH * HEIGHT, stream));
  memset (&copy, 0, sizeof (copy));
  copy.srcMemoryType = hipMemoryTypeHost;
  copy.srcHost = from;
  copy.srcPitch = 10;
  copy.srcXInBytes = 2;
  copy.srcY = 1;
  copy.dstMemoryType = hipMemoryTypeDevice;
  copy.dstDevice = memory;
  copy.dstPitch = WIDTH;
  copy.dstXInBytes = 5;
  copy.dstY = 3;
  copy.WidthInBytes = 4;
  copy.Height = 3;
  CHECK (HipMemcpyParam2DAsync (vendor, &copy, stream));
  CHECK (HipStreamSynchronize (vendor, stream));
  read_back (to, memory, stream);
  for (guint y = 0; y < HEIGHT; y++) {
    for (guint x = 0; x < WIDTH; x++) {
      gboolean inside = x >= 5 && x < 9 && y >= 3 && y < 6;

      g_assert_cmpint (to[y * WIDTH + x], ==,
          inside ? from[(y - 3 + 1) * 10 + x - 5 + 2] : 0);
    }
  }
  copy.dstMemoryType = hipMemoryTypeArray;
  g_assert_cmpint (HipMemcpyParam2DAsync (vendor, &copy, stream), !=,
      hipSuccess);
  CHECK (HipFree (vendor, memory));
  CHECK (HipStreamDestroy (vendor, stream));
}

static void
use_events (void)
{
  g_autoptr (GstHipDevice) device = open_device ();
  g_autoptr (GstHipStream) ours = gst_hip_stream_new_full (device, 0, NULL);
  g_autoptr (GstHipEventPool) pool = gst_hip_event_pool_new (vendor, 0);
  g_autoptr (GstHipEvent) event = NULL;
  hipStream_t stream;
  hipEvent_t native;

  CHECK (HipStreamCreate (vendor, &stream));
  CHECK (HipEventCreateWithFlags (vendor, &native, hipEventDisableTiming));
  CHECK (HipEventRecord (vendor, native, stream));
  CHECK (HipEventSynchronize (vendor, native));
  CHECK (HipEventQuery (vendor, native));
  /* Handles of both kinds on both sides */
  CHECK (HipEventRecord (vendor, native, gst_hip_stream_get_handle (ours)));
  CHECK (HipStreamSynchronize (vendor, gst_hip_stream_get_handle (ours)));
  CHECK (HipEventQuery (vendor, native));
  CHECK (HipEventDestroy (vendor, native));

  g_assert_true (gst_hip_event_pool_acquire (pool, &event));
  CHECK (gst_hip_event_record (event, stream));
  CHECK (gst_hip_event_synchronize (event));
  CHECK (gst_hip_event_query (event));
  g_assert_cmpint (gst_hip_event_query_state (event), ==,
      GST_HIP_EVENT_STATE_DONE);
  CHECK (gst_hip_event_record (event, gst_hip_stream_get_handle (ours)));
  g_assert_true (gst_hip_stream_wait_event (ours, event, NULL));
  CHECK (gst_hip_event_synchronize (event));
  CHECK (HipStreamDestroy (vendor, stream));
}

static void
launch_kernel (void)
{
  g_autoptr (GstHipDevice) device = open_device ();
  const gchar *options[] = { "-DUNUSED=1" };
  g_autofree gchar *image = NULL;
  hipStream_t stream;
  hipModule_t module;
  hipFunction_t function;
  void *memory = NULL;
  guint8 bytes[WIDTH * HEIGHT];
  int n = WIDTH * HEIGHT - 3, what = 5;
  void *params[] = { &memory, &n, &what };

  if (!gst_hip_rtc_load_library (vendor)) {
    g_test_skip ("no compiler");
    return;
  }
  image = gst_hip_rtc_compile (device, source, options, 1);
  g_assert_nonnull (image);
  CHECK (HipModuleLoadData (vendor, &module, image));
  CHECK (HipModuleGetFunction (vendor, &function, module, "add"));
  {
    hipFunction_t nothing;

    g_assert_cmpint (HipModuleGetFunction (vendor, &nothing, module, "sub"),
        ==, hipErrorNotFound);
  }
  CHECK (HipStreamCreate (vendor, &stream));
  CHECK (HipMalloc (vendor, &memory, sizeof (bytes)));
  CHECK (HipMemsetD8Async (vendor, memory, 1, sizeof (bytes), stream));
  CHECK (HipModuleLaunchKernel (vendor, function, (n + 63) / 64, 1, 1, 64, 1,
          1, 0, stream, params, NULL));
  read_back (bytes, memory, stream);
  for (gint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpint (bytes[i], ==, i < n ? 6 : 1);
  g_assert_cmpint (HipModuleLaunchKernel (vendor, function, 1, 1, 1, 4096, 1,
          1, 0, stream, params, NULL), !=, hipSuccess);

  CHECK (HipFree (vendor, memory));
  CHECK (HipStreamDestroy (vendor, stream));
  CHECK (HipModuleUnload (vendor, module));
}

/* What is queued on stream 0 comes after all streams, and before them. */
static void
use_stream_0 (void)
{
  g_autoptr (GstHipDevice) device = open_device ();
  hipStream_t stream;
  void *memory = NULL;
  guint8 bytes[WIDTH * HEIGHT];

  if (vendor != GST_HIP_VENDOR_HOST) {
    g_test_skip ("simulated drivers have no stream 0");
    return;
  }
  CHECK (HipStreamCreate (vendor, &stream));
  CHECK (HipMalloc (vendor, &memory, sizeof (bytes)));
  for (guint i = 0; i < 100; i++) {
    CHECK (HipMemsetD8Async (vendor, memory, 1, sizeof (bytes), stream));
    CHECK (HipMemsetD8Async (vendor, memory, 2, sizeof (bytes), NULL));
    read_back (bytes, memory, i % 2 ? stream : NULL);
    g_assert_cmpint (bytes[0], ==, 2);
    g_assert_cmpint (bytes[sizeof (bytes) - 1], ==, 2);
  }
  CHECK (HipFree (vendor, memory));
  CHECK (HipStreamDestroy (vendor, stream));
}

static GstMemory *
make_frame (GstHipDevice * device, GstVideoFormat format)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, 320, 240);
  return gst_hip_allocator_alloc (NULL, device, &info);
}

static void
use_textures (void)
{
  g_autoptr (GstHipDevice) device = open_device ();
  g_autoptr (GstMemory) frame = make_frame (device, GST_VIDEO_FORMAT_NV12);
  g_autoptr (GstMemory) odd = make_frame (device, GST_VIDEO_FORMAT_RGB);
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (frame);
  hipTextureObject_t texture = NULL, again = NULL, chroma = NULL;
  gboolean made;

  made = gst_hip_memory_get_texture (mem, 0, HIP_TR_FILTER_MODE_LINEAR,
      HIP_TR_ADDRESS_MODE_CLAMP, &texture);
  if (vendor == GST_HIP_VENDOR_HOST) {
    g_autoptr (GError) error = NULL;

    g_assert_false (made);
    g_assert_null (texture);
    g_assert_cmpuint (gst_hip_memory_get_texture_object (mem, 0,
            GST_HIP_TEXTURE_FILTER_POINT, GST_HIP_TEXTURE_ADDRESS_CLAMP,
            &error), ==, 0);
    g_assert_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED);
    g_assert_cmpint (HipTexObjectDestroy (vendor, NULL), ==,
        hipErrorNotSupported);
    return;
  }
  g_assert_true (made);
  g_assert_true (gst_hip_memory_get_texture (mem, 0,
          HIP_TR_FILTER_MODE_LINEAR, HIP_TR_ADDRESS_MODE_CLAMP, &again));
  g_assert_true (again == texture);
  g_assert_true (gst_hip_memory_get_texture (mem, 1, HIP_TR_FILTER_MODE_POINT,
          HIP_TR_ADDRESS_MODE_CLAMP, &chroma));
  g_assert_true (chroma != texture);
  /* Three bytes a pixel, and a plane too many */
  g_assert_false (gst_hip_memory_get_texture (GST_HIP_MEMORY_CAST (odd), 0,
          HIP_TR_FILTER_MODE_POINT, HIP_TR_ADDRESS_MODE_CLAMP, &again));
  g_assert_false (gst_hip_memory_get_texture (mem, 2, HIP_TR_FILTER_MODE_POINT,
          HIP_TR_ADDRESS_MODE_CLAMP, &again));
}

/* Nothing can be mapped without a graphics library: these say so. */
static void
use_graphics (void)
{
  hipGraphicsResource_t nothing = NULL;
  void *address = NULL;
  size_t size = 0;

  g_assert_cmpint (HipGraphicsMapResources (vendor, 1, &nothing, NULL), !=,
      hipSuccess);
  g_assert_cmpint (HipGraphicsResourceGetMappedPointer (vendor, &address,
          &size, nothing), !=, hipSuccess);
  g_assert_cmpint (HipGraphicsUnmapResources (vendor, 1, &nothing, NULL), !=,
      hipSuccess);
  g_assert_cmpint (HipGraphicsUnregisterResource (vendor, nothing), !=,
      hipSuccess);
}

static void
log_results (void)
{
  GstDebugCategory *GST_CAT_DEFAULT = NULL;

  g_assert_true (gst_hip_result (hipSuccess, vendor));
  g_assert_false (gst_hip_result (hipErrorOutOfMemory, vendor));
  (void) GST_CAT_DEFAULT;
  /* Nobody's vendor */
  g_assert_cmpint (HipInit ((GstHipVendor) 77, 0), ==, hipErrorInvalidValue);
  g_assert_cmpint (HipInit (GST_HIP_VENDOR_UNKNOWN, 0), ==,
      hipErrorInvalidValue);
}

int
main (int argc, char **argv)
{
  const gchar *nick = g_getenv ("GST_HIP_TEST_VENDOR");
  g_autoptr (GEnumClass) klass = NULL;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  /* Failures that are asked for are logged. */
  gst_debug_set_default_threshold (GST_LEVEL_NONE);
  klass = g_type_class_ref (GST_TYPE_HIP_VENDOR);
  vendor = g_enum_get_value_by_nick (klass, nick ? nick : "host")->value;
  g_test_add_func ("/hip-native/driver", ask_driver);
  g_test_add_func ("/hip-native/properties", ask_properties);
  g_test_add_func ("/hip-native/fill-and-copy", fill_and_copy);
  g_test_add_func ("/hip-native/copy-part", copy_part);
  g_test_add_func ("/hip-native/events", use_events);
  g_test_add_func ("/hip-native/launch", launch_kernel);
  g_test_add_func ("/hip-native/stream-0", use_stream_0);
  g_test_add_func ("/hip-native/textures", use_textures);
  g_test_add_func ("/hip-native/graphics", use_graphics);
  g_test_add_func ("/hip-native/results", log_results);
  return g_test_run ();
}
