/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do frames in DMA-BUFs get to kernels uncopied where the device imports them,
 * right in any case, and is what they promise looked at?
 *
 * memfds that GStreamer's DMA-BUF allocator wraps stand for DMA-BUFs.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

#if GST_CHECK_VERSION (1, 24, 0)
#include <gst/video/video-info-dma.h>
#endif

#include "io-gate.h"

#define CHAIN "hipupload name=up vendor=%s assume-linear=true ! hipdownload " \
    "name=down vendor=%s"
#define UP "hipupload name=up vendor=%s assume-linear=true"
#define SAME_PLACE "hipkernel vendor=%s source=\"// gst-hip: inplace\nextern " \
    "\\\"C\\\" __global__ void invert_inplace (GstHipFrame in, GstHipFrame out, " \
    "GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) " \
    "out.data[0][y * out.stride[0] + x] = 255 - in.data[0][y * in.stride[0] + x]; }\""
#define INVERT "hipkernel vendor=%s source=\"extern \\\"C\\\" __global__ " \
    "void invert (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) " \
    "out.data[0][y * out.stride[0] + x] = 255 - in.data[0][y * in.stride[0] + x]; }\""

static GstAllocator *allocator;

static void
setup (void)
{
  allocator = gst_dmabuf_allocator_new ();
}

static void
teardown (void)
{
  gst_clear_object (&allocator);
}

static gboolean
imports (void)
{
  return strcmp (test_vendor (), "nvidia") != 0;
}

/* --- frames --- */

static gint
new_file (GstMemory * memory)
{
  gint fd = memfd_create ("frame", MFD_CLOEXEC);
  GstMapInfo map;

  fail_unless (fd >= 0);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  /* Something before the frame, so that offsets count */
  fail_unless (pwrite (fd, map.data, map.size, 64) == (gssize) map.size);
  gst_memory_unmap (memory, &map);
  return fd;
}

/* The same buffer in DMA-BUFs, a descriptor for each memory */
static GstBuffer *
in_dmabufs (GstBuffer * buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *plain = gst_buffer_peek_memory (buffer, i), *memory;
    gsize size = plain->size;

    memory = gst_dmabuf_allocator_alloc (allocator, new_file (plain),
        size + 64);
    gst_memory_resize (memory, 64, size);
    gst_buffer_replace_memory (buffer, i, memory);
  }
  return buffer;
}

static gint
fd_of (GstBuffer * buffer, guint index)
{
  return gst_dmabuf_memory_get_fd (gst_buffer_peek_memory (buffer, index));
}

static GstCaps *
dmabuf_caps (const GstVideoInfo * info)
{
  GstVideoInfo copy = *info;
  GstCaps *caps = gst_video_info_to_caps (&copy);

  gst_caps_set_features_simple (caps,
      gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_DMABUF, NULL));
#if GST_CHECK_VERSION (1, 24, 0)
  {
    guint32 fourcc =
        gst_video_dma_drm_fourcc_from_format (GST_VIDEO_INFO_FORMAT (info));
    /* Some formats share a fourcc, which names one of them. */
    g_autofree gchar *text = fourcc
        && gst_video_dma_drm_fourcc_to_format (fourcc) ==
        GST_VIDEO_INFO_FORMAT (info) ?
        gst_video_dma_drm_fourcc_to_string (fourcc, 0) : NULL;

    if (text)
      gst_caps_set_simple (caps, "format", G_TYPE_STRING, "DMA_DRM",
          "drm-format", G_TYPE_STRING, text, NULL);
  }
#endif
  return caps;
}

static GstHarness *
start (const gchar * chain, const GstVideoInfo * info)
{
  GstHarness *h = harness_new (chain, NULL);

  gst_harness_set_src_caps (h, dmabuf_caps (info));
  return h;
}

static guint64
count_path (GstHarness * h, const gchar * path)
{
  g_autoptr (GstElement) up = gst_harness_find_element (h, "hipupload");

  return stat_uint64 (up, path);
}

static GstBuffer *
push_and_pull (GstHarness * h, GstBuffer * buffer)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);
  GstFlowReturn ret = gst_harness_push (h, buffer);

  fail_unless (ret == GST_FLOW_OK, "%s: %s", gst_flow_get_name (ret),
      gst_structure_get_string (gst_caps_get_structure (caps, 0),
          "drm-format"));
  return gst_harness_pull (h);
}

static guint
count_fds (void)
{
  DIR *dir = opendir ("/proc/self/fd");
  guint n = 0;

  fail_unless (dir != NULL);
  while (readdir (dir))
    n++;
  closedir (dir);
  return n;
}

/* --- right, and by the best way --- */

static void
round_trip (GstVideoFormat format, guint width, guint height, Layout layout)
{
  g_autofree gchar *what = g_strdup_printf ("layout %d", layout);
  gboolean whole = layout != LAYOUT_CUT && layout != LAYOUT_BOTTOM_UP;
  Picture picture;
  GstHarness *h;
  GstBuffer *out;

  picture_init (&picture, format, width, height, width + height);
  h = start (CHAIN, &picture.info);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  for (guint i = 0; i < 2; i++) {
    out = push_and_pull (h, in_dmabufs (picture_to_buffer (&picture, layout)));
    picture_compare (&picture, out, what);
    gst_buffer_unref (out);
  }
  /* A plane that is cut is only so where it does not fit before the cut. */
  if (layout != LAYOUT_CUT)
    fail_unless_equals_uint64 (count_path (h, "zero-copy"),
        whole && imports ()? 2 : 0);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_START_TEST (test_every_format_every_layout)
{
  g_autoptr (GArray) formats = listed_formats ();

  for (guint i = 0; i < formats->len; i++) {
    round_trip (g_array_index (formats, GstVideoFormat, i), 33, 17, __i__);
  }
  round_trip (GST_VIDEO_FORMAT_NV12, 214, 172, __i__);
}

GST_END_TEST;

/* The decoder's frame: 1080 rows shown of 1088, chroma behind them */
GST_START_TEST (test_tall_surface)
{
  round_trip (GST_VIDEO_FORMAT_NV12, 1920, 1080, LAYOUT_TALL);
}

GST_END_TEST;

static void
invert (Picture * picture)
{
  for (gsize i = 0; i < picture->row_bytes[0] * picture->rows[0]; i++)
    picture->planes[0][i] = 255 - picture->planes[0][i];
}

/* What is written through the descriptor afterwards is what kernels read. */
static void
check_not_copied (const gchar * kernel)
{
  Picture old, new, inverted;
  GstHarness *up, *rest;
  GstBuffer *in, *out;
  GstMapInfo map;
  gint fd;

  picture_init (&old, GST_VIDEO_FORMAT_GRAY8, 64, 48, 1);
  picture_init (&new, GST_VIDEO_FORMAT_GRAY8, 64, 48, 2);
  up = start (UP, &old.info);
  rest = harness_new (kernel, NULL);
  in = in_dmabufs (picture_to_buffer (&old, LAYOUT_CAPS));
  fd = fd_of (in, 0);
  out = push_and_pull (up, gst_buffer_ref (in));
  fail_unless_equals_int (gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST
          (gst_buffer_peek_memory (out, 0))), GST_HIP_MEMORY_KIND_DMABUF);

  gst_buffer_unref (in);
  in = picture_to_buffer (&new, LAYOUT_CAPS);
  fail_unless (gst_buffer_map (in, &map, GST_MAP_READ));
  fail_unless (pwrite (fd, map.data, map.size, 64) == (gssize) map.size);
  gst_buffer_unmap (in, &map);
  gst_buffer_unref (in);

  gst_harness_set_src_caps (rest, gst_pad_get_current_caps (up->sinkpad));
  out = push_and_pull (rest, out);
  inverted = new;
  if (strstr (kernel, "invert"))
    invert (&inverted);
  picture_compare (&inverted, out, kernel);
  gst_buffer_unref (out);
  gst_harness_teardown (up);
  gst_harness_teardown (rest);
  picture_clear (&old);
  picture_clear (&new);
}

GST_START_TEST (test_kernels_read_the_dmabuf_itself)
{
  if (!imports ())
    return;
  check_not_copied ("hipdownload vendor=%s");
  check_not_copied (INVERT " ! hipdownload vendor=%s");
  /* Its producer's memory is not written to. */
  check_not_copied (SAME_PLACE " ! hipdownload vendor=%s");
}

GST_END_TEST;

static GstBuffer *
converted (const Picture * picture, gboolean in_dmabuf, Layout layout)
{
  const gchar *chain = UP " ! hipconvert vendor=%s ! "
      "video/x-raw(memory:HIPMemory),format=RGBA ! hipdownload";
  GstBuffer *in = picture_to_buffer (picture, layout), *out;
  GstHarness *h;

  if (in_dmabuf)
    in = in_dmabufs (in);
  h = in_dmabuf ? start (chain, &picture->info) : harness_new (chain,
      &picture->info);
  out = push_and_pull (h, in);
  fail_unless_equals_uint64 (count_path (h, "zero-copy"), in_dmabuf
      && imports ());
  gst_harness_teardown (h);
  return out;
}

GST_START_TEST (test_through_the_converter)
{
  static const Layout layouts[] = { LAYOUT_CAPS, LAYOUT_ODD, LAYOUT_PER_PLANE };
  GstBuffer *should, *is;
  Picture picture;
  GstMapInfo map;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 322, 242, 5);
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    should = converted (&picture, FALSE, layouts[i]);
    is = converted (&picture, TRUE, layouts[i]);
    fail_unless (gst_buffer_map (should, &map, GST_MAP_READ));
    fail_unless (gst_buffer_memcmp (is, 0, map.data, map.size) == 0);
    gst_buffer_unmap (should, &map);
    gst_buffer_unref (should);
    gst_buffer_unref (is);
  }
  picture_clear (&picture);
}

GST_END_TEST;

/* v4l2src in mode dmabuf: caps of CPU memory, DMA-BUFs inside */
GST_START_TEST (test_caps_of_cpu_memory)
{
  Picture picture;
  GstHarness *h;
  GstBuffer *out;

  picture_init (&picture, GST_VIDEO_FORMAT_YUY2, 66, 20, 3);
  h = harness_new (CHAIN, &picture.info);
  out = push_and_pull (h, in_dmabufs (picture_to_buffer (&picture,
              LAYOUT_ODD)));
  picture_compare (&picture, out, "raw caps");
  fail_unless_equals_uint64 (count_path (h, "zero-copy"), imports ());
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

GST_START_TEST (test_everything_attached_survives)
{
  GstVideoCropMeta *crop;
  GstBuffer *in, *out;
  GstVideoMeta *meta;
  Picture picture;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = start (UP, &picture.info);
  in = in_dmabufs (picture_to_buffer (&picture, LAYOUT_ODD));
  GST_BUFFER_PTS (in) = 5;
  GST_BUFFER_DURATION (in) = 3;
  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_MARKER);
  gst_buffer_add_video_region_of_interest_meta (in, "face", 1, 2, 3, 4);
  crop = gst_buffer_add_video_crop_meta (in);
  crop->width = 32;
  crop->height = 16;
  out = push_and_pull (h, in);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 5);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (out), 3);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  fail_unless (gst_buffer_get_meta (out,
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) != NULL);
  crop = gst_buffer_get_video_crop_meta (out);
  fail_unless (crop && crop->width == 32 && crop->height == 16);
  meta = gst_buffer_get_video_meta (out);
  fail_unless (meta != NULL);
  fail_unless_equals_int (meta->format, GST_VIDEO_FORMAT_NV12);
  if (imports ())
    fail_unless_equals_int (meta->stride[1], (64 + 7) | 1);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* --- what is not kept --- */

static guint n_warnings;

static void
count_warnings (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  n_warnings += level == GST_LEVEL_WARNING
      && strcmp (gst_debug_category_get_name (category), "hipupload") == 0;
}

/* One warning; then again the best way */
GST_START_TEST (test_failed_import_is_a_copy)
{
  static const gchar *const calls[] = { "hipImportExternalMemory:1:1",
    "hipExternalMemoryGetMappedBuffer:2:1"
  };
  guint before, fails = __i__ == 0 ? 1 : 2;
  Picture picture;
  GstHarness *h;
  GstBuffer *out;

  if (strcmp (test_vendor (), "amd") != 0)
    return;
  gst_debug_set_default_threshold (GST_LEVEL_WARNING);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_warnings, NULL, NULL);
  g_setenv ("FAKE_HIP_FAIL", calls[__i__], TRUE);
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = start (CHAIN, &picture.info);
  before = count_fds ();
  out = push_and_pull (h, in_dmabufs (picture_to_buffer (&picture,
              LAYOUT_PER_PLANE)));
  picture_compare (&picture, out, "not imported");
  gst_buffer_unref (out);
  fail_unless_equals_uint64 (count_path (h, "cpu-copy"), 1);
  fail_unless_equals_int (n_warnings, 1);
  out = push_and_pull (h, in_dmabufs (picture_to_buffer (&picture,
              LAYOUT_PER_PLANE)));
  picture_compare (&picture, out, "imported");
  gst_buffer_unref (out);
  fail_unless_equals_uint64 (count_path (h, "zero-copy"), 1);
  fail_unless_equals_int (n_warnings, 1);
  gst_harness_teardown (h);
  for (guint i = 0; i < 2000 && count_fds () > before + fails; i++)
    g_usleep (1000);
  fail_unless (count_fds () <= before + fails);
  gst_debug_remove_log_function (count_warnings);
  picture_clear (&picture);
}

GST_END_TEST;

GST_START_TEST (test_device_that_imports_none_warns_once)
{
  Picture picture;
  GstHarness *h;

  if (imports ())
    return;
  gst_debug_set_default_threshold (GST_LEVEL_WARNING);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_warnings, NULL, NULL);
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = start (CHAIN, &picture.info);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *out = push_and_pull (h,
        in_dmabufs (picture_to_buffer (&picture, LAYOUT_ODD)));

    picture_compare (&picture, out, "copied");
    gst_buffer_unref (out);
  }
  fail_unless_equals_uint64 (count_path (h, "cpu-copy"), 3);
  fail_unless_equals_int (n_warnings, 1);
  gst_harness_teardown (h);
  gst_debug_remove_log_function (count_warnings);
  picture_clear (&picture);
}

GST_END_TEST;

/* What caps promise may change with each buffer. */
GST_START_TEST (test_other_memory_in_between)
{
  Picture picture;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_I420, 65, 33, 1);
  h = start (CHAIN, &picture.info);
  for (guint i = 0; i < 6; i++) {
    GstBuffer *buffer = picture_to_buffer (&picture, LAYOUT_PER_PLANE);
    GstMemory *memory;

    if (i % 3 == 2) {
      /* One plane in a DMA-BUF, the others not */
      memory = gst_memory_ref (gst_buffer_peek_memory (buffer, 0));
      gst_buffer_replace_memory (buffer, 0, gst_dmabuf_allocator_alloc
          (allocator, new_file (memory), memory->size + 64));
      gst_memory_resize (gst_buffer_peek_memory (buffer, 0), 64, memory->size);
      gst_memory_unref (memory);
    } else if (i % 3 == 0) {
      buffer = in_dmabufs (buffer);
    }
    buffer = push_and_pull (h, buffer);
    picture_compare (&picture, buffer, "mixed");
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_uint64 (count_path (h, "zero-copy"), imports ()? 2 : 0);
  fail_unless_equals_uint64 (count_path (h, "frames"), 6);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* The frame in HIP memory, which need not be of the element's device */
static GstBuffer *
in_hip (const Picture * picture, GstHipDevice * device, gboolean pinned)
{
  GstBuffer *buffer = picture_to_buffer (picture, LAYOUT_CAPS);
  gsize size = gst_buffer_get_size (buffer);
  GstMemory *memory = pinned ?
      gst_hip_allocator_alloc_pinned (NULL, device, size, NULL) :
      gst_hip_allocator_alloc_linear (NULL, device, size, NULL);
  GstMapInfo map;

  fail_unless (memory != NULL);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  gst_buffer_extract (buffer, 0, map.data, size);
  gst_memory_unmap (memory, &map);
  gst_buffer_replace_all_memory (buffer, memory);
  return buffer;
}

/* Caps say DMA-BUFs; each kind of memory comes once between two of those, and
 * its picture gets through. */
GST_START_TEST (test_every_kind_behind_the_caps)
{
  g_autoptr (GstHipDevice) own = test_device_new ();
  g_autoptr (GstHipDevice) other =
      gst_hip_device_new_full (GST_HIP_VENDOR_HOST, 0, NULL);
  GstHarness *h = NULL;

  for (guint i = 0; i < 12; i++) {
    GstBuffer *buffer = NULL;
    Picture picture;

    picture_init (&picture, GST_VIDEO_FORMAT_NV12, 66, 34, i);
    if (!h)
      h = start (CHAIN, &picture.info);
    switch (i) {
      case 1:
        buffer = picture_to_buffer (&picture, LAYOUT_ODD);
        break;
      case 3:
        buffer = in_hip (&picture, own, TRUE);
        break;
      case 5:
        buffer = in_hip (&picture, own, FALSE);
        break;
      case 7:
        buffer = in_hip (&picture, other, FALSE);
        break;
      case 9:
        buffer = in_hip (&picture, other, TRUE);
        break;
      default:
        buffer = in_dmabufs (picture_to_buffer (&picture, LAYOUT_ODD));
    }
    buffer = push_and_pull (h, buffer);
    picture_compare (&picture, buffer, "behind caps of DMA-BUFs");
    gst_buffer_unref (buffer);
    picture_clear (&picture);
  }
  fail_unless_equals_uint64 (count_path (h, "zero-copy"), imports ()? 7 : 0);
  gst_harness_teardown (h);
}

GST_END_TEST;

static void
is_refused (GstHarness * h, GstBuffer * buffer)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (h->element, bus);
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_element_set_bus (h->element, NULL);
}

static GstBuffer *
lying_frame (gint fd, gsize size)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer,
      gst_dmabuf_allocator_alloc_with_flags (allocator, fd, size,
          GST_FD_MEMORY_FLAG_DONT_CLOSE));
  return buffer;
}

GST_START_TEST (test_sizes_and_descriptors_that_lie)
{
  gint fd = memfd_create ("frame", MFD_CLOEXEC);
  GstBuffer *buffer;
  GstVideoInfo info;
  GstHarness *h;

  fail_unless (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 640,
          480));
  fail_unless (ftruncate (fd, 4096) == 0);
  h = start (CHAIN, &info);
  buffer = lying_frame (fd, info.size);
  if (__i__ == 1)
    close (fd);
  if (__i__ == 2)
    gst_buffer_resize (buffer, 0, 4096);
  is_refused (h, buffer);
  gst_harness_teardown (h);
  if (__i__ != 1)
    close (fd);
}

GST_END_TEST;

/* --- a producer with few buffers --- */

typedef struct
{
  GstBufferPool parent;
} FewPool;
typedef GstBufferPoolClass FewPoolClass;
GType few_pool_get_type (void);
G_DEFINE_TYPE (FewPool, few_pool, GST_TYPE_BUFFER_POOL);

static GstFlowReturn
few_pool_alloc (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  gint fd = memfd_create ("frame", MFD_CLOEXEC);

  fail_unless (ftruncate (fd, 64 * 48) == 0);
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, gst_dmabuf_allocator_alloc (allocator, fd,
          64 * 48));
  return GST_FLOW_OK;
}

static void
few_pool_class_init (FewPoolClass * klass)
{
  klass->alloc_buffer = few_pool_alloc;
}

static void
few_pool_init (FewPool * pool)
{
}

GST_START_TEST (test_producer_never_starves)
{
  g_autoptr (GstBufferPool) pool = g_object_new (few_pool_get_type (), NULL);
  GstBufferPoolAcquireParams params = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstStructure *config;
  GstBuffer *kept[20];
  GstVideoInfo info;
  GstHarness *h;

  if (!imports ())
    return;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, NULL, 64 * 48, 0, 5);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  fail_unless (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 64,
          48));
  h = start (UP, &info);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
    GstBuffer *buffer = NULL;
    GstFlowReturn ret;

    /* The device has read the frame before soon. */
    for (guint k = 0; k < 2000 && !buffer; k++) {
      ret = gst_buffer_pool_acquire_buffer (pool, &buffer, &params);
      if (ret != GST_FLOW_OK)
        g_usleep (1000);
    }
    fail_unless (buffer != NULL, "starved at frame %u", i);
    gst_buffer_memset (buffer, 0, (guint8) i, 64 * 48);
    kept[i] = push_and_pull (h, buffer);
  }
  fail_unless_equals_uint64 (count_path (h, "zero-copy"), 3);
  fail_unless_equals_uint64 (count_path (h, "device-copy"),
      G_N_ELEMENTS (kept) - 3);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
    GstMapInfo map;

    fail_unless (gst_buffer_map (kept[i], &map, GST_MAP_READ));
    fail_unless_equals_int (map.data[0], i);
    fail_unless_equals_int (map.data[63], i);
    gst_buffer_unmap (kept[i], &map);
    gst_buffer_unref (kept[i]);
  }
  gst_harness_teardown (h);
  gst_buffer_pool_set_active (pool, FALSE);
}

GST_END_TEST;

/* Where nothing downstream takes HIP memory */
GST_START_TEST (test_passes_through)
{
  Picture picture;
  GstHarness *h;
  GstBuffer *in, *out;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  h = harness_new (UP, NULL);
  gst_harness_set_sink_caps (h, dmabuf_caps (&picture.info));
  gst_harness_set_src_caps (h, dmabuf_caps (&picture.info));
  in = in_dmabufs (picture_to_buffer (&picture, LAYOUT_CAPS));
  out = push_and_pull (h, gst_buffer_ref (in));
  fail_unless (out == in);
  gst_buffer_unref (out);
  gst_buffer_unref (in);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

GST_START_TEST (test_no_descriptor_is_left)
{
  guint before = 0;
  Picture picture;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 1);
  for (guint round = 0; round < 3; round++) {
    GstHarness *h = start (CHAIN, &picture.info);

    for (guint i = 0; i < 100; i++)
      gst_buffer_unref (push_and_pull (h,
              in_dmabufs (picture_to_buffer (&picture, LAYOUT_PER_PLANE))));
    gst_harness_teardown (h);
    if (round == 0)
      g_usleep (200000);
    for (guint i = 0; round > 0 && i < 5000 && count_fds () > before; i++)
      g_usleep (1000);
    if (round > 0)
      fail_unless (count_fds () <= before, "%u, before %u", count_fds (),
          before);
    before = count_fds ();
  }
  picture_clear (&picture);
}

GST_END_TEST;

static Suite *
dmabuf_suite (void)
{
  Suite *suite = suite_create ("dmabuf");
  TCase *tcase = tcase_create ("dmabuf");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, setup, teardown);
  tcase_add_loop_test (tcase, test_every_format_every_layout, 0, N_LAYOUTS);
  tcase_add_test (tcase, test_tall_surface);
  tcase_add_test (tcase, test_kernels_read_the_dmabuf_itself);
  tcase_add_test (tcase, test_through_the_converter);
  tcase_add_test (tcase, test_caps_of_cpu_memory);
  tcase_add_test (tcase, test_everything_attached_survives);
  tcase_add_loop_test (tcase, test_failed_import_is_a_copy, 0, 2);
  tcase_add_test (tcase, test_device_that_imports_none_warns_once);
  tcase_add_test (tcase, test_other_memory_in_between);
  tcase_add_test (tcase, test_every_kind_behind_the_caps);
  tcase_add_loop_test (tcase, test_sizes_and_descriptors_that_lie, 0, 3);
  tcase_add_test (tcase, test_producer_never_starves);
  tcase_add_test (tcase, test_passes_through);
  tcase_add_test (tcase, test_no_descriptor_is_left);
  return suite;
}

GST_CHECK_MAIN (dmabuf);
