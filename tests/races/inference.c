/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a model on the device's memory come after what writes its picture, before
 * what writes the next one there, and does its output live until it is written?
 *
 * On a simulated driver and a simulated CUDA provider, where work can be told to
 * take long. Were a wait missing, what must come later would be done long before.
 */
#include "races.h"
#include "onnx-model.h"

GST_DEBUG_CATEGORY (gst_hip_onnx_debug);

#define SIZE 512                /* of a gray picture of 64x8 */
#define SLOW "40000"            /* us */

static GstHipDevice *device;
static GstHipStream *producer, *stream;
static HipOnnxModel *model;
static GstMemory *tensor;

/* What is queued from now on takes long, or no longer */
static void
set_slow (gboolean slow)
{
  if (slow)
    g_setenv ("FAKE_CUDA_DELAY_US", SLOW, TRUE);
  else
    g_unsetenv ("FAKE_CUDA_DELAY_US");
}

/* As a conversion does: ordered on the device, and noted */
static void
queue_write (guint8 value, gboolean slow)
{
  GError *error = NULL;
  g_autoptr (GstHipEvent) event = NULL;

  fail_unless (gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (tensor),
          producer, GST_MAP_WRITE, &error));
  set_slow (slow);
  fail_unless (gst_hip_stream_fill (producer, tensor, 0, SIZE, value, &error));
  set_slow (FALSE);
  event = record (producer);
  gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (tensor), event,
      GST_MAP_WRITE);
}

static GstTensor **
queue_run (gboolean slow, HipOnnxResult kind)
{
  const gint64 dims[] = { 1, 1, 8, 64 };
  GError *error = NULL;
  GstTensor **results = NULL;

  set_slow (slow);
  fail_unless (hip_onnx_model_run (model, tensor, 0, SIZE, dims, 1, kind,
          device, &results, &error), "%s", error ? error->message : "");
  set_slow (FALSE);
  return results;
}

/* Takes results */
static void
assert_results (GstTensor ** results, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (results[0]->data, &map, GST_MAP_READ));
  assert_all_bytes (map.data, map.size, value);
  gst_buffer_unmap (results[0]->data, &map);
  hip_onnx_results_free (&results, 1, 1);
}

static void
setup (void)
{
  HipOnnxModelConfig config = { {0}, };
  GError *error = NULL;

  GST_DEBUG_CATEGORY_INIT (gst_hip_onnx_debug, "hiponnx", 0, "models");
  g_setenv ("GST_HIP_CUDA_LIBNAME", FAKE_CUDA, TRUE);
  g_setenv ("GST_HIP_NVRTC_LIBNAME", FAKE_NVRTC, TRUE);
  device = gst_hip_device_new_full (GST_HIP_VENDOR_NVIDIA, 0, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "");
  producer = new_stream (device);
  stream = new_stream (device);
  config.session.library = FAKE_RUNTIME;
  config.session.model_file = MODELS "/any-uint8-gray.onnx";
  config.session.provider = HIP_ORT_PROVIDER_CUDA;
  config.session.threads = 1;
  config.session.device = device;
  config.session.stream = stream;
  model = hip_onnx_model_new (&config, &error);
  fail_unless (model != NULL, "%s", error ? error->message : "");
  fail_unless (model->binding != NULL);
  tensor = gst_hip_allocator_alloc_linear (NULL, device, SIZE, &error);
  fail_unless (tensor != NULL, "%s", error ? error->message : "");
  queue_write (OLD, FALSE);
  fail_unless (gst_hip_stream_synchronize_full (producer, &error));
}

static void
teardown (void)
{
  gst_memory_unref (tensor);
  hip_onnx_model_free (model);
  gst_hip_stream_unref (producer);
  gst_hip_stream_unref (stream);
  gst_object_unref (device);
}

GST_START_TEST (test_i2_model_reads_after_kernel_wrote)
{
  queue_write (NEW, TRUE);
  assert_results (queue_run (FALSE, HIP_ONNX_RESULT_SYSTEM), NEW);
}

GST_END_TEST;

GST_START_TEST (test_i2_kernel_writes_after_model_read)
{
  GstTensor **results = queue_run (TRUE, HIP_ONNX_RESULT_HIP);

  queue_write (NEW, FALSE);
  fail_unless (gst_hip_stream_synchronize_full (producer, NULL));
  assert_results (results, OLD);
}

GST_END_TEST;

/* The CPU maps a result that is not there yet. */
GST_START_TEST (test_i2_cpu_reads_after_model_wrote)
{
  assert_results (queue_run (TRUE, HIP_ONNX_RESULT_SYSTEM), OLD);
  assert_results (queue_run (TRUE, HIP_ONNX_RESULT_HIP), OLD);
}

GST_END_TEST;

/* The simulated runtime ends the process if it is given back what it writes. */
GST_START_TEST (test_i4_output_lives_until_written)
{
  GstTensor **results = queue_run (TRUE, HIP_ONNX_RESULT_HIP);

  hip_onnx_results_free (&results, 1, 1);
  assert_results (queue_run (FALSE, HIP_ONNX_RESULT_HIP), OLD);
}

GST_END_TEST;

static Suite *
races_inference_suite (void)
{
  Suite *suite = suite_create ("inference");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_i2_model_reads_after_kernel_wrote);
  tcase_add_test (tc, test_i2_kernel_writes_after_model_read);
  tcase_add_test (tc, test_i2_cpu_reads_after_model_wrote);
  tcase_add_test (tc, test_i4_output_lives_until_written);
  return suite;
}

GST_CHECK_MAIN (races_inference);
