/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Do frames allocate nothing once a stream runs? This program counts every call
 * of the allocator, on all threads, but for those of a GPU's driver.
 */
#define _GNU_SOURCE
#include "../common/count-allocations.h"
#include <sys/mman.h>
#include <unistd.h>

#include <gst/allocators/gstdmabuf.h>

#include "io-gate.h"

#define MAX_IN_FLIGHT 4
#define IN_FLIGHT "max-in-flight=" G_STRINGIFY (MAX_IN_FLIGHT)

typedef struct
{
  GstElement *bin;
  GstPad *src, *sink;
  GstBufferPool *pool;
  guint n_received;
} Chain;

/* --- a producer of DMA-BUFs, memfds here --- */

static gint n_out;              /* atomic */

typedef GstBufferPool Producer;
typedef GstBufferPoolClass ProducerClass;
GType producer_get_type (void);
G_DEFINE_TYPE (Producer, producer, GST_TYPE_BUFFER_POOL);

static GstFlowReturn
producer_alloc (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  g_autoptr (GstAllocator) allocator = gst_dmabuf_allocator_new ();
  gint fd = memfd_create ("frame", MFD_CLOEXEC);

  if (ftruncate (fd, 64 * 48 * 3 / 2) != 0)
    return GST_FLOW_ERROR;
  *buffer = gst_buffer_new ();
  gst_buffer_append_memory (*buffer, gst_dmabuf_allocator_alloc (allocator, fd,
          64 * 48 * 3 / 2));
  return GST_FLOW_OK;
}

/* As a producer with so many buffers, but this element knows of no limit. */
static GstFlowReturn
producer_acquire (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  while (g_atomic_int_get (&n_out) >= 8)
    g_usleep (50);
  g_atomic_int_inc (&n_out);
  return GST_BUFFER_POOL_CLASS (producer_parent_class)->acquire_buffer (pool,
      buffer, params);
}

static void
producer_release (GstBufferPool * pool, GstBuffer * buffer)
{
  g_atomic_int_add (&n_out, -1);
  GST_BUFFER_POOL_CLASS (producer_parent_class)->release_buffer (pool, buffer);
}

static void
producer_class_init (ProducerClass * klass)
{
  klass->alloc_buffer = producer_alloc;
  klass->acquire_buffer = producer_acquire;
  klass->release_buffer = producer_release;
}

static void
producer_init (Producer * self)
{
}

/* --- a chain --- */

typedef enum
{
  POOL_PLAIN,
  POOL_OFFERED,
  POOL_DMABUFS,
} Pool;

static GstFlowReturn
drop_buffer (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Chain *chain = g_object_get_data (G_OBJECT (pad), "chain");

  chain->n_received++;
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static GstBufferPool *
upstream_pool (Chain * chain, GstCaps * caps, Pool which)
{
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  GstBufferPool *pool = NULL;
  GstStructure *config;
  guint size, min, max;

  fail_unless (gst_pad_peer_query (chain->src, query));
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  fail_unless (pool != NULL);
  if (which != POOL_OFFERED) {
    gst_object_unref (pool);
    pool = which == POOL_PLAIN ? gst_video_buffer_pool_new () :
        gst_object_ref_sink (g_object_new (producer_get_type (), NULL));
  }
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, 0, 0);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

static void
chain_start (Chain * chain, const gchar * description, Pool which)
{
  g_autofree gchar *text =
      g_strdup_printf (description, test_vendor (), test_vendor ());
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw,format=NV12,"
      "width=64,height=48,framerate=30/1");
  GstSegment segment;
  GstPad *pad;

  memset (chain, 0, sizeof (*chain));
  chain->bin = gst_parse_bin_from_description (text, TRUE, NULL);
  fail_unless (chain->bin != NULL);
  chain->src = gst_pad_new ("src", GST_PAD_SRC);
  chain->sink = gst_pad_new ("sink", GST_PAD_SINK);
  g_object_set_data (G_OBJECT (chain->sink), "chain", chain);
  gst_pad_set_chain_function (chain->sink, drop_buffer);
  pad = gst_element_get_static_pad (chain->bin, "sink");
  fail_unless_equals_int (gst_pad_link (chain->src, pad), GST_PAD_LINK_OK);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (chain->bin, "src");
  fail_unless_equals_int (gst_pad_link (pad, chain->sink), GST_PAD_LINK_OK);
  gst_object_unref (pad);
  gst_pad_set_active (chain->sink, TRUE);
  gst_pad_set_active (chain->src, TRUE);
  fail_unless (gst_element_set_state (chain->bin, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (chain->src, gst_event_new_stream_start ("steady"));
  gst_pad_push_event (chain->src, gst_event_new_caps (caps));
  gst_pad_push_event (chain->src, gst_event_new_segment (&segment));
  chain->pool = upstream_pool (chain, caps, which);
}

/* How often the allocator was called for them */
static gint
chain_push (Chain * chain, guint n)
{
  GstFlowReturn ret = GST_FLOW_OK;
  gint before = count_allocations (), called;
  GstBuffer *buffer;
  guint i;

  /* check's own macros allocate */
  for (i = 0; i < n && ret == GST_FLOW_OK; i++) {
    ret = gst_buffer_pool_acquire_buffer (chain->pool, &buffer, NULL);
    if (ret == GST_FLOW_OK)
      ret = gst_pad_push (chain->src, buffer);
  }
  called = count_allocations () - before;
  fail_unless_equals_int (ret, GST_FLOW_OK);
  return called;
}

/* As many frames under way as there may be, so that whatever grows with their
 * number has its size. */
static void
chain_fill (Chain * chain)
{
  Gate *gate = gate_new ();
  g_autoptr (GstBuffer) bytes = gst_buffer_new_allocate (NULL, 64 * 48 * 3 / 2,
      NULL);
  GstBuffer *gated = gst_buffer_new ();

  gst_buffer_append_memory (gated, gate_new_memory (gate, bytes));
  fail_unless_equals_int (gst_pad_push (chain->src, gated), GST_FLOW_OK);
  chain_push (chain, MAX_IN_FLIGHT - 1);
  gate_free (gate);
}

static void
chain_stop (Chain * chain)
{
  gst_element_set_state (chain->bin, GST_STATE_NULL);
  gst_pad_set_active (chain->src, FALSE);
  gst_pad_set_active (chain->sink, FALSE);
  gst_buffer_pool_set_active (chain->pool, FALSE);
  gst_object_unref (chain->pool);
  gst_object_unref (chain->src);
  gst_object_unref (chain->sink);
  gst_object_unref (chain->bin);
}

static void
check_steady (const gchar * description, Pool which)
{
  static gboolean drivers_known;
  Chain chain;
  guint runs;
  gint n = 1;

  chain_start (&chain, description, which);
  for (guint i = 0; i < 3; i++) {
    chain_fill (&chain);
    chain_push (&chain, 100);
  }
  /* NVIDIA's allocates for each wait that sleeps. */
  if (!drivers_known)
    count_apart ("/libcuda");
  drivers_known = TRUE;
  /* On a busy machine more buffers than ever may be on their way back while
   * frames run, and the pool grows. That ends; what a frame costs does not. */
  for (runs = 0; n != 0 && runs < 10; runs++)
    n = chain_push (&chain, 1000);
  fail_unless (n == 0, "%d allocations for 1000 frames through %s (%d of the "
      "driver's so far)", n, description,
      g_atomic_int_get (&allocations_apart));
  fail_unless_equals_int (chain.n_received,
      300 + 1000 * runs + 3 * MAX_IN_FLIGHT);
  chain_stop (&chain);
}

GST_START_TEST (test_allocations_are_counted)
{
  gint before = count_allocations ();

  g_free (g_malloc (100));
#ifndef COUNTS_NOTHING
  fail_unless (count_allocations () > before);
#else
  fail_unless_equals_int (count_allocations (), before);
#endif
}

GST_END_TEST;

GST_START_TEST (test_frames_allocate_nothing)
{
  check_steady ("hipupload vendor=%s " IN_FLIGHT, __i__);
  check_steady ("hipupload vendor=%s " IN_FLIGHT " ! "
      "hipdownload vendor=%s " IN_FLIGHT, __i__);
}

GST_END_TEST;

GST_START_TEST (test_staged_frames_allocate_nothing)
{
  fail_unless (g_setenv ("GST_HIP_HOST_STAGING", "1", TRUE));
  check_steady ("hipupload vendor=%s " IN_FLIGHT, POOL_PLAIN);
  g_unsetenv ("GST_HIP_HOST_STAGING");
}

GST_END_TEST;

#define KERNEL "hipupload vendor=%s " IN_FLIGHT " ! hipkernel " \
    "vendor=%s " IN_FLIGHT " parameters=\"p,value=3\" source=\""
#define HEAD "extern \\\"C\\\" __global__ void k (GstHipFrame in, "
#define BODY "GstHipFrame out, GstHipFrameInfo info, int value) {" \
    "int x = blockIdx.x * blockDim.x + threadIdx.x;" \
    "if (x < out.width) out.data[0][x] = in.data[0][x] + value; }\""

GST_START_TEST (test_kernels_allocate_nothing)
{
  check_steady (KERNEL HEAD BODY, POOL_PLAIN);
  check_steady (KERNEL "// gst-hip: inplace\n" HEAD BODY, POOL_PLAIN);
  check_steady (KERNEL "// gst-hip: prev\n" HEAD "GstHipFrame prev, " BODY,
      POOL_PLAIN);
}

GST_END_TEST;

#define CONVERT "hipupload vendor=%s " IN_FLIGHT " ! hipconvert vendor=%s " \
    IN_FLIGHT " ! video/x-raw(memory:HIPMemory),format="

/* Converted, and passed */
GST_START_TEST (test_conversions_allocate_nothing)
{
  check_steady (CONVERT "RGBA ! identity", POOL_PLAIN);
  check_steady (CONVERT "NV12 ! identity", POOL_PLAIN);
}

GST_END_TEST;

static Suite *
io_steady_suite (void)
{
  Suite *s = suite_create ("io-steady");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_allocations_are_counted);
  tcase_add_loop_test (tc, test_frames_allocate_nothing, POOL_PLAIN,
      POOL_DMABUFS + 1);
  tcase_add_test (tc, test_staged_frames_allocate_nothing);
  tcase_add_test (tc, test_kernels_allocate_nothing);
  tcase_add_test (tc, test_conversions_allocate_nothing);
  return s;
}

GST_CHECK_MAIN (io_steady);
