/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do frames of GStreamer's CUDA library get to the device and back uncopied,
 * in order and right, and is what they promise looked at?
 *
 * The real library, on a GPU or on the simulated driver; skipped where it is
 * not installed. What the plugin itself uses of it comes from its header.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <glib/gstdio.h>

#include "../../plugins/hip/hip-gstcuda.h"
#include "io-gate.h"

#define CHAIN "hipupload name=up vendor=%s ! hipdownload name=down vendor=%s"
#define UP "hipupload name=up vendor=%s"
#define ANY_TO_CUDA CHAIN " ! capsfilter caps=video/x-raw(memory:CUDAMemory)"

#define MEMBER(need, member, result, name, parameters) result (*member) parameters;
static struct
{
  HIP_GSTCUDA_SYMBOLS (MEMBER)
  GstObject *(*context_new) (guint device_id);
  gpointer alloc;               /* with a stream since 1.24 */
} cuda;

static GstObject *shared, *own; /* contexts: what the elements answer, another one */
static GstHipDevice *device;

/* FALSE: it is not installed, or there is no device for it. */
static gboolean
load (void)
{
  gpointer library = dlopen ("libgstcuda-1.0.so.0", RTLD_NOW);

  if (!library)
    return FALSE;
#define LOAD(need, member, result, name, parameters) \
  *(gpointer *) & cuda.member = dlsym (library, #name);
  HIP_GSTCUDA_SYMBOLS (LOAD)
      * (gpointer *) & cuda.context_new =
      dlsym (library, "gst_cuda_context_new");
  cuda.alloc = dlsym (library, "gst_cuda_allocator_alloc");
  return cuda.load_library ();
}

/* Its field is of GstCuda's own type. */
static GstObject *
context_in (GstContext * context)
{
  const GstStructure *structure = gst_context_get_structure (context);

  for (gint i = 0; i < gst_structure_n_fields (structure); i++) {
    const GValue *value = gst_structure_get_value (structure,
        gst_structure_nth_field_name (structure, (guint) i));

    if (G_VALUE_HOLDS_OBJECT (value))
      return g_value_dup_object (value);
  }
  return NULL;
}

static GstObject *
ask_for_context (GstHarness * h)
{
  GstQuery *query = gst_query_new_context (HIP_CUDA_CONTEXT_TYPE);
  GstObject *context = NULL;
  GstContext *answer = NULL;

  if (gst_pad_peer_query (h->srcpad, query)) {
    gst_query_parse_context (query, &answer);
    context = context_in (answer);
    fail_unless (context != NULL);
  }
  gst_query_unref (query);
  return context;
}

static void
setup (void)
{
  GstHarness *h;

  device = test_device_new ();
  h = gst_harness_new_parse ("hipupload vendor=nvidia");
  shared = ask_for_context (h);
  fail_unless (shared != NULL);
  gst_harness_teardown (h);
  own = cuda.context_new (0);
  fail_unless (own != NULL);
}

static void
teardown (void)
{
  gst_clear_object (&shared);
  gst_clear_object (&own);
  gst_clear_object (&device);
}

/* --- frames --- */

static GstMemory *
alloc_cuda (GstObject * context, gpointer stream, const GstVideoInfo * info)
{
  g_autoptr (GstAllocator) allocator =
      gst_allocator_find (HIP_CUDA_MEMORY_TYPE);

  if (cuda.memory_get_stream)
    return ((GstMemory * (*)(gpointer, GstObject *, gpointer,
                const GstVideoInfo *)) cuda.alloc) (allocator, context, stream,
        info);
  return ((GstMemory * (*)(gpointer, GstObject *, const GstVideoInfo *))
      cuda.alloc) (allocator, context, info);
}

static GstBuffer *
in_cuda (const Picture * picture, GstObject * context, gpointer stream)
{
  GstMemory *memory = alloc_cuda (context, stream, &picture->info);
  GstVideoInfo *layout;
  GstBuffer *buffer = gst_buffer_new ();
  GstMapInfo map;

  fail_unless (memory != NULL);
  layout = &((HipCudaMemory *) memory)->info;
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, GUARD_BYTE, map.size);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (layout); i++) {
    for (guint row = 0; row < picture->rows[i]; row++)
      memcpy (map.data + layout->offset[i] + (gsize) layout->stride[i] * row,
          picture->planes[i] + row * picture->row_bytes[i],
          picture->row_bytes[i]);
  }
  gst_memory_unmap (memory, &map);
  gst_buffer_append_memory (buffer, memory);
  gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_INFO_FORMAT (layout),
      GST_VIDEO_INFO_WIDTH (layout), GST_VIDEO_INFO_HEIGHT (layout),
      GST_VIDEO_INFO_N_PLANES (layout), layout->offset, layout->stride);
  return buffer;
}

static GstCaps *
cuda_caps (const GstVideoInfo * info)
{
  GstVideoInfo copy = *info;
  GstCaps *caps = gst_video_info_to_caps (&copy);

  gst_caps_set_features_simple (caps,
      gst_caps_features_new (HIP_CAPS_FEATURE_MEMORY_CUDA, NULL));
  return caps;
}

static GstHarness *
cuda_harness (const gchar * chain, const Picture * picture)
{
  GstHarness *h = harness_new (chain, NULL);

  gst_harness_set_src_caps (h, cuda_caps (&picture->info));
  return h;
}

static guintptr
cuda_address (GstBuffer * buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstMapInfo map;
  guintptr address;

  fail_unless (gst_memory_map (memory, &map, HIP_MAP_READ_CUDA));
  address = (guintptr) map.data;
  gst_memory_unmap (memory, &map);
  return address;
}

static guint64
count (GstHarness * h, const gchar * element, const gchar * field)
{
  g_autoptr (GstElement) found = gst_harness_find_element (h, element);

  fail_unless (found != NULL);
  return stat_uint64 (found, field);
}

static void
note_gone (gpointer gone, GstMiniObject * object)
{
  g_atomic_int_set ((gint *) gone, 1);
}

static void
wait_until_gone (gint * gone)
{
  gint64 end = g_get_monotonic_time () + 20 * G_TIME_SPAN_SECOND;

  while (!g_atomic_int_get (gone)) {
    fail_unless (g_get_monotonic_time () < end, "the frame is still held");
    g_usleep (500);
  }
}

/* --- contexts --- */

GST_START_TEST (test_one_context)
{
  GstHarness *h = gst_harness_new_parse ("hipupload vendor=nvidia");
  g_autoptr (GstObject) again = ask_for_context (h);

  fail_unless (again == shared);
  fail_unless_equals_uint64 ((guintptr) cuda.context_get_handle (shared),
      gst_hip_device_get_native_context (device));
  fail_unless (cuda.context_get_handle (own) !=
      cuda.context_get_handle (shared));
  gst_harness_teardown (h);

  h = gst_harness_new_parse ("hipupload vendor=host");
  fail_unless (ask_for_context (h) == NULL);
  gst_harness_teardown (h);
}

GST_END_TEST;

/* Nobody asked: a decoder that comes later finds it in the pipeline. */
GST_START_TEST (test_context_is_announced)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("fakesrc ! hipupload vendor=nvidia ! fakesink", NULL);
  g_autoptr (GstContext) context = NULL;
  g_autoptr (GstObject) found = NULL;

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  context = gst_element_get_context (pipeline, HIP_CUDA_CONTEXT_TYPE);
  fail_unless (context != NULL);
  found = context_in (context);
  fail_unless (found == shared);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* --- in --- */

static void
check_same_memory (GstVideoFormat format, guint width, guint height,
    gboolean with_meta)
{
  g_autoptr (GstBuffer) in = NULL, out = NULL;
  Picture picture;
  GstHarness *h;
  guintptr address;
  gint gone = 0;

  picture_init (&picture, format, width, height, 3);
  h = cuda_harness (UP, &picture);
  in = in_cuda (&picture, shared, NULL);
  if (!with_meta)
    gst_buffer_remove_meta (in, (GstMeta *) gst_buffer_get_video_meta (in));
  GST_BUFFER_PTS (in) = 7;
  address = cuda_address (in);
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (in), note_gone, &gone);
  fail_unless_equals_int (gst_harness_push (h, g_steal_pointer (&in)),
      GST_FLOW_OK);
  out = gst_harness_pull (h);
  fail_unless (gst_is_hip_memory (gst_buffer_peek_memory (out, 0)));
  fail_unless_equals_uint64 (gst_hip_memory_get_address (GST_HIP_MEMORY_CAST
          (gst_buffer_peek_memory (out, 0))), address);
  fail_unless (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (out, 0)));
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 7);
  fail_unless_equals_uint64 (count (h, "hipupload", "zero-copy"), 1);
  picture_compare (&picture, out, "the same memory");
  fail_if (g_atomic_int_get (&gone), "the frame is not held");
  gst_clear_buffer (&out);
  wait_until_gone (&gone);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_START_TEST (test_same_memory)
{
  check_same_memory (GST_VIDEO_FORMAT_NV12, 320, 240, TRUE);
  check_same_memory (GST_VIDEO_FORMAT_NV12, 322, 242, FALSE);
  check_same_memory (GST_VIDEO_FORMAT_I420, 64, 48, TRUE);
  check_same_memory (GST_VIDEO_FORMAT_P010_10LE, 130, 34, FALSE);
  check_same_memory (GST_VIDEO_FORMAT_RGBA, 33, 17, TRUE);
}

GST_END_TEST;

/* The bytes of a frame come from a stream that stands still, on which the
 * memory's own stream waits. */
GST_START_TEST (test_comes_after_its_stream)
{
  Gate *gate = gate_new ();
  g_autoptr (GstBuffer) in = NULL, plain = NULL, out = NULL;
  GstMiniObject *stream = NULL;
  GstMemory *written, *view;
  GstHipCopyEnd from = { 0 }, to = { 0 };
  guintptr handle = 0;
  Picture picture;
  GstHarness *h;
  gsize size;

  picture_init (&picture, GST_VIDEO_FORMAT_RGBA, 128, 8, 5);
  h = cuda_harness (CHAIN, &picture);
  if (cuda.stream_new) {
    stream = cuda.stream_new (shared);
    handle = (guintptr) cuda.stream_get_handle (stream);
  }
  in = in_cuda (&picture, shared, stream);
  size = picture.row_bytes[0] * picture.rows[0];
  plain = picture_to_buffer (&picture, LAYOUT_CAPS);
  written = gate_new_memory (gate, plain);
  view = gst_hip_allocator_alloc_wrapped (NULL, gate->device,
      GST_HIP_MEMORY_KIND_WRAPPED_DEVICE, (gpointer) cuda_address (in), size,
      NULL, NULL, NULL);
  fail_unless (view != NULL);
  fail_unless (gst_hip_stream_fill (gst_hip_device_get_stream (gate->device),
          view, 0, size, GUARD_BYTE, NULL));
  fail_unless (gst_hip_stream_synchronize (gst_hip_device_get_stream
          (gate->device)));
  from.memory = written;
  to.memory = view;
  from.stride = to.stride = size;
  fail_unless (gst_hip_stream_copy_2d (gate->stream, &to, &from, size, 1,
          NULL));
  fail_unless (gst_hip_memory_end_access (GST_HIP_MEMORY_CAST (view),
          gate->stream, GST_MAP_WRITE, NULL));
  fail_unless (gst_hip_memory_begin_native_access (GST_HIP_MEMORY_CAST (view),
          handle, GST_MAP_READ, NULL));

  fail_unless_equals_int (gst_harness_push (h, g_steal_pointer (&in)),
      GST_FLOW_OK);
  out = gst_harness_pull (h);
  gate_open (gate);
  picture_compare (&picture, out, "after its stream");
  fail_unless_equals_uint64 (count (h, "hipupload", "zero-copy"), 1);
  gst_memory_unref (written);
  gst_memory_unref (view);
  gst_clear_buffer (&out);
  gst_harness_teardown (h);
  if (stream)
    gst_mini_object_unref (stream);
  picture_clear (&picture);
  gate_free (gate);
}

GST_END_TEST;

GST_START_TEST (test_other_context)
{
  Picture picture;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 322, 242, 9);
  h = cuda_harness (CHAIN, &picture);
  for (guint i = 0; i < 20; i++) {
    g_autoptr (GstBuffer) out = NULL;
    GstBuffer *in = in_cuda (&picture, own, NULL);
    gint gone = 0;

    gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (in), note_gone, &gone);
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    out = gst_harness_pull (h);
    picture_compare (&picture, out, "from another context");
    wait_until_gone (&gone);
  }
  fail_unless_equals_uint64 (count (h, "hipupload", "device-copy"), 20);
  fail_unless_equals_uint64 (count (h, "hipupload", "frames"), 20);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

#define COPY "hipkernel name=kernel vendor=%s source=\"extern \\\"C\\\" __global__ " \
    "void copy (GstHipFrame in, GstHipFrame out, GstHipFrameInfo info) { " \
    "int x = blockIdx.x * blockDim.x + threadIdx.x; " \
    "int y = blockIdx.y * blockDim.y + threadIdx.y; " \
    "if (x < out.width && y < out.height) " \
    "for (int i = 0; i < 4; i++) out.data[0][y * out.stride[0] + 4 * x + i] = " \
    "in.data[0][y * in.stride[0] + 4 * x + i]; }\""

/* Without hipupload, in both contexts */
static void
check_straight (const gchar * chain, GstVideoFormat format)
{
  Picture picture;
  GstHarness *h;

  picture_init (&picture, format, 66, 34, 9);
  h = cuda_harness (chain, &picture);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *in = in_cuda (&picture, i % 2 ? own : shared, NULL);
    g_autoptr (GstBuffer) out = NULL;
    gint gone = 0;

    GST_BUFFER_PTS (in) = i;
    gst_buffer_add_video_region_of_interest_meta (in, "face", i, 1, 2, 3);
    gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (in), note_gone, &gone);
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    out = gst_harness_pull (h);
    picture_compare (&picture, out, chain);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), i);
    fail_unless_equals_int (gst_buffer_get_n_meta (out,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 1);
    fail_unless_equals_int (gst_buffer_get_n_meta (out,
            GST_VIDEO_META_API_TYPE), 1);
    wait_until_gone (&gone);
  }
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_START_TEST (test_straight)
{
  check_straight (COPY " ! hipdownload", GST_VIDEO_FORMAT_RGBA);
  /* Where it has nothing to do, and there and back */
  check_straight ("hipconvert vendor=%s ! hipdownload", GST_VIDEO_FORMAT_NV12);
  check_straight ("hipconvertscale vendor=%s ! hipdownload",
      GST_VIDEO_FORMAT_NV12);
  check_straight ("hipscale vendor=%s ! hipdownload", GST_VIDEO_FORMAT_I420);
  check_straight ("hipconvert vendor=%s ! video/x-raw(memory:HIPMemory),"
      "format=BGRA ! hipconvert ! video/x-raw(memory:HIPMemory),format=RGBA ! "
      "hipdownload", GST_VIDEO_FORMAT_RGBA);
}

GST_END_TEST;

/* A device that cannot read it: the CPU does. */
GST_START_TEST (test_other_device)
{
  g_autoptr (GstBuffer) out = NULL;
  Picture picture;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 2);
  h = gst_harness_new_parse ("hipupload name=up vendor=host ! hipdownload");
  gst_harness_set_src_caps (h, cuda_caps (&picture.info));
  fail_unless_equals_int (gst_harness_push (h, in_cuda (&picture, shared,
              NULL)), GST_FLOW_OK);
  out = gst_harness_pull (h);
  picture_compare (&picture, out, "by the CPU");
  fail_unless_equals_uint64 (count (h, "hipupload", "zero-copy"), 0);
  gst_clear_buffer (&out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* A producer with few buffers gets them back at once. */
GST_START_TEST (test_few_buffers)
{
  GstBufferPool *pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = NULL;
  GQueue held = G_QUEUE_INIT;
  Picture picture;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 2);
  caps = cuda_caps (&picture.info);
  gst_buffer_pool_config_set_params (config, caps, 1, 0, 4);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  h = cuda_harness (UP, &picture);
  for (guint i = 0; i < 12; i++) {
    GstBuffer *in = in_cuda (&picture, shared, NULL), *out;

    /* What the element looks at; nobody else may lose it. */
    in->pool = gst_object_ref (pool);
    fail_unless_equals_int (gst_harness_push (h, gst_buffer_ref (in)),
        GST_FLOW_OK);
    out = gst_harness_pull (h);
    picture_compare (&picture, out, "of few buffers");
    g_queue_push_tail (&held, out);
    in->pool = NULL;
    gst_object_unref (pool);
    gst_buffer_unref (in);
  }
  fail_unless (count (h, "hipupload", "zero-copy") >= 1);
  fail_unless (count (h, "hipupload", "zero-copy") <= 3);
  fail_unless_equals_uint64 (count (h, "hipupload", "zero-copy")
      + count (h, "hipupload", "device-copy"), 12);
  g_queue_clear_full (&held, (GDestroyNotify) gst_buffer_unref);
  gst_harness_teardown (h);
  gst_object_unref (pool);
  picture_clear (&picture);
}

GST_END_TEST;

/* --- what caps and metas promise, and what is there --- */

GST_START_TEST (test_wrong_promises)
{
  g_autoptr (GstBuffer) out = NULL;
  Picture picture, small;
  GstBuffer *in;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 64, 48, 2);
  picture_init (&small, GST_VIDEO_FORMAT_NV12, 32, 24, 2);
  h = cuda_harness (CHAIN, &picture);
  /* System memory where the caps say CUDA memory, between frames of that */
  for (guint i = 0; i < 4; i++) {
    in = i % 2 ? picture_to_buffer (&picture, LAYOUT_CAPS) :
        in_cuda (&picture, i ? own : shared, NULL);
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    out = gst_harness_pull (h);
    picture_compare (&picture, out, "another kind of memory");
    gst_clear_buffer (&out);
  }
  fail_unless_equals_uint64 (count (h, "hipupload", "zero-copy"), 1);
  fail_unless_equals_uint64 (count (h, "hipupload", "device-copy"), 1);

  /* A frame smaller than the caps say: by its meta, then by its memory alone */
  fail_unless_equals_int (gst_harness_push (h, in_cuda (&small, shared,
              NULL)), GST_FLOW_ERROR);
  gst_harness_teardown (h);
  h = cuda_harness (CHAIN, &picture);
  in = in_cuda (&small, shared, NULL);
  gst_buffer_remove_meta (in, (GstMeta *) gst_buffer_get_video_meta (in));
  fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_ERROR);
  gst_harness_teardown (h);

  /* CUDA memory where the caps say system memory */
  h = harness_new (CHAIN, &picture.info);
  fail_unless_equals_int (gst_harness_push (h, in_cuda (&picture, shared,
              NULL)), GST_FLOW_OK);
  out = gst_harness_pull (h);
  picture_compare (&picture, out, "CUDA memory under other caps");
  gst_clear_buffer (&out);
  gst_harness_teardown (h);
  picture_clear (&picture);
  picture_clear (&small);
}

GST_END_TEST;

/* --- out --- */

static GstBuffer *
push_and_pull (GstHarness * h, const Picture * picture)
{
  fail_unless_equals_int (gst_harness_push (h, picture_to_buffer (picture,
              LAYOUT_CAPS)), GST_FLOW_OK);
  return gst_harness_pull (h);
}

GST_START_TEST (test_out)
{
  GstBuffer *first;
  Picture picture;
  GstHarness *h;

  if (!cuda.alloc_wrapped)
    return;
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 322, 242, 4);
  h = harness_new (ANY_TO_CUDA, &picture.info);
  first = push_and_pull (h, &picture);
  fail_unless (cuda.is_memory (gst_buffer_peek_memory (first, 0)));
  fail_unless (((HipCudaMemory *) gst_buffer_peek_memory (first, 0))->context
      == shared);
  fail_unless_equals_uint64 (count (h, "hipdownload", "zero-copy"), 1);
  picture_compare (&picture, first, "as CUDA memory");
  gst_buffer_unref (first);
  for (guint i = 0; i < 20; i++) {
    g_autoptr (GstBuffer) out = push_and_pull (h, &picture);

    picture_compare (&picture, out, "as CUDA memory, again");
  }
  fail_unless_equals_uint64 (count (h, "hipdownload", "zero-copy"), 21);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* What a CUDA element has queued when it lets go of a frame is waited for by
 * who writes to its memory next. */
GST_START_TEST (test_out_is_read_to_the_end)
{
  GstMemory *memory, *flag_copy;
  GstBuffer *out;
  Picture picture;
  GstHarness *h;
  GstHipMemory *mem;
  guintptr handle;
  Gate *gate;

  if (!cuda.alloc_wrapped)
    return;
  picture_init (&picture, GST_VIDEO_FORMAT_GRAY8, 64, 16, 4);
  h = harness_new ("capsfilter ! hipdownload name=down vendor=%s ! capsfilter "
      "caps=video/x-raw(memory:CUDAMemory)", NULL);
  {
    GstCaps *caps = gst_video_info_to_caps (&picture.info);

    gst_caps_set_features_simple (caps,
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_HIP_MEMORY, NULL));
    gst_harness_set_src_caps (h, caps);
  }
  gate = gate_new ();
  memory = gst_hip_allocator_alloc_video (NULL, device,
      GST_HIP_MEMORY_KIND_DEVICE, &picture.info, NULL);
  mem = GST_HIP_MEMORY_CAST (memory);
  out = gst_buffer_new ();
  gst_buffer_append_memory (out, gst_memory_ref (memory));
  fail_unless_equals_int (gst_harness_push (h, out), GST_FLOW_OK);
  out = gst_harness_pull (h);
  fail_unless_equals_uint64 (cuda_address (out),
      gst_hip_memory_get_address (mem));
  handle = (guintptr) cuda.stream_get_handle (cuda.memory_get_stream
      ((HipCudaMemory *) gst_buffer_peek_memory (out, 0)));
  /* The stream of the frame stands still. */
  {
    g_autoptr (GstBuffer) plain = picture_to_buffer (&picture, LAYOUT_CAPS);

    flag_copy = gate_new_memory (gate, plain);
  }
  fail_unless (gst_hip_memory_begin_native_access (GST_HIP_MEMORY_CAST
          (flag_copy), handle, GST_MAP_READ, NULL));
  /* As by those who work on this stream themselves; GstCuda would wait. */
  GST_MINI_OBJECT_FLAG_UNSET (gst_buffer_peek_memory (out, 0),
      HIP_CUDA_MEMORY_NEED_SYNC);
  gst_buffer_unref (out);
  fail_if (gst_hip_memory_is_idle (mem, GST_MAP_WRITE));
  fail_unless (gst_hip_memory_is_idle (mem, GST_MAP_READ));
  gate_open (gate);
  gst_hip_memory_sync (mem);
  fail_unless (gst_hip_memory_is_idle (mem, GST_MAP_WRITE));
  gst_memory_unref (flag_copy);
  gst_memory_unref (memory);
  gst_harness_teardown (h);
  picture_clear (&picture);
  gate_free (gate);
}

GST_END_TEST;

/* By the simulated driver's own log: what the driver is called for */
GST_START_TEST (test_driver_moves_nothing)
{
  const gchar *driver = g_getenv ("GST_HIP_CUDA_LIBNAME");
  g_autofree gchar *path = NULL;
  g_autofree gchar *calls = NULL;
  Picture picture;
  GstBuffer *in[8];
  GstHarness *h;

  if (!driver || !strstr (driver, "fake"))
    return;
  path = g_build_filename (g_get_tmp_dir (), "cuda-calls.log", NULL);
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 320, 240, 4);
  h = cuda_harness (cuda.alloc_wrapped ? ANY_TO_CUDA : UP, &picture);
  for (guint i = 0; i < G_N_ELEMENTS (in); i++) {
    in[i] = in_cuda (&picture, shared, NULL);
    /* Brings the CPU's bytes to the device, which is the test's own doing */
    cuda_address (in[i]);
  }
  g_setenv ("FAKE_CUDA_LOG", path, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (in); i++) {
    fail_unless_equals_int (gst_harness_push (h, in[i]), GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (h));
  }
  g_unsetenv ("FAKE_CUDA_LOG");
  fail_unless (g_file_get_contents (path, &calls, NULL, NULL));
  fail_unless (strstr (calls, "cuEventRecord") != NULL);
  fail_if (strstr (calls, "Memcpy") || strstr (calls, "Launch"), "%s", calls);
  fail_if (g_remove (path));
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* There and back: the frame that comes is the one that went. */
GST_START_TEST (test_through)
{
  g_autoptr (GstBuffer) out = NULL;
  Picture picture;
  GstBuffer *in;
  GstHarness *h;
  guintptr address;

  if (!cuda.alloc_wrapped)
    return;
  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 320, 240, 4);
  h = cuda_harness (ANY_TO_CUDA, &picture);
  in = in_cuda (&picture, shared, NULL);
  address = cuda_address (in);
  fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
  out = gst_harness_pull (h);
  fail_unless (cuda.is_memory (gst_buffer_peek_memory (out, 0)));
  fail_unless_equals_uint64 (cuda_address (out), address);
  picture_compare (&picture, out, "there and back");
  gst_clear_buffer (&out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

/* Who does not name CUDA memory gets none. */
GST_START_TEST (test_system_memory_is_the_default)
{
  g_autoptr (GstBuffer) out = NULL;
  Picture picture;
  GstHarness *h;

  picture_init (&picture, GST_VIDEO_FORMAT_NV12, 320, 240, 4);
  h = harness_new (CHAIN, &picture.info);
  out = push_and_pull (h, &picture);
  fail_if (cuda.is_memory (gst_buffer_peek_memory (out, 0)));
  gst_clear_buffer (&out);
  gst_harness_teardown (h);
  picture_clear (&picture);
}

GST_END_TEST;

static Suite *
cuda_suite (void)
{
  Suite *s = suite_create ("cuda");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 60);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_one_context);
  tcase_add_test (tc, test_context_is_announced);
  tcase_add_test (tc, test_same_memory);
  tcase_add_test (tc, test_comes_after_its_stream);
  tcase_add_test (tc, test_other_context);
  tcase_add_test (tc, test_straight);
  tcase_add_test (tc, test_other_device);
  tcase_add_test (tc, test_few_buffers);
  tcase_add_test (tc, test_wrong_promises);
  tcase_add_test (tc, test_out);
  tcase_add_test (tc, test_out_is_read_to_the_end);
  tcase_add_test (tc, test_through);
  tcase_add_test (tc, test_driver_moves_nothing);
  tcase_add_test (tc, test_system_memory_is_the_default);
  return s;
}

int
main (int argc, char **argv)
{
  g_autoptr (GstHipDevice) driver = NULL;

  gst_check_init (&argc, &argv);
  if (strcmp (test_vendor (), "nvidia") != 0) {
    printf ("CUDA memory is NVIDIA's\n");
    return 77;
  }
  /* Its driver's library first: the other one finds it by its name. */
  driver = gst_hip_device_new (GST_HIP_VENDOR_NVIDIA, 0);
  if (!driver || !load ()) {
    printf ("GStreamer's CUDA library cannot be used here\n");
    return 77;
  }
  g_clear_object (&driver);
  return gst_check_run_suite (cuda_suite (), "cuda", __FILE__);
}
