/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are a model's outputs what ONNX Runtime makes of the same tensor when it is
 * asked directly? The model shows the tensor that it was given among its
 * outputs; the program's own session is given that one.
 */
#include <dlfcn.h>
#include <string.h>

#include <onnxruntime_c_api.h>

#include "onnx-common.h"

#define WIDTH 32
#define HEIGHT 24
#define N_OUTPUTS 3             /* what it has seen, a map, classes */

static const OrtApi *ort;
static OrtEnv *env;
static OrtSession *session;

static void
check (OrtStatus * status)
{
  fail_unless (status == NULL, "%s", status ? ort->GetErrorMessage (status) :
      "");
}

static void
setup (void)
{
  g_autofree gchar *path = model_path ("network");
  const OrtApiBase *(*get_base) (void) = NULL;
  OrtSessionOptions *options;
  const gchar *file = g_getenv ("GST_HIP_ONNXRUNTIME");
  void *library = dlopen (file ? file : ORT_LIBRARY, RTLD_NOW | RTLD_LOCAL);

  fail_unless (library != NULL, "%s", dlerror ());
  *(void **) &get_base = dlsym (library, "OrtGetApiBase");
  ort = get_base ()->GetApi (ORT_API_VERSION);
  check (ort->CreateEnv (ORT_LOGGING_LEVEL_ERROR, "test", &env));
  check (ort->CreateSessionOptions (&options));
  check (ort->SetIntraOpNumThreads (options, 1));
  /* The element's default: other levels add in another order. */
  check (ort->SetSessionGraphOptimizationLevel (options, ORT_ENABLE_EXTENDED));
  check (ort->CreateSession (env, path, options, &session));
  ort->ReleaseSessionOptions (options);
}

static void
teardown (void)
{
  ort->ReleaseSession (session);
  ort->ReleaseEnv (env);
}

static void
run_directly (gpointer seen, gsize size, OrtValue * outputs[N_OUTPUTS])
{
  static const char *const in_names[] = { "x" };
  static const char *const out_names[] = { "seen", "map", "classes" };
  const int64_t dims[] = { 1, 3, HEIGHT, WIDTH };
  const OrtValue *input;
  OrtMemoryInfo *memory;
  OrtValue *value;

  check (ort->CreateCpuMemoryInfo (OrtDeviceAllocator, OrtMemTypeDefault,
          &memory));
  check (ort->CreateTensorWithDataAsOrtValue (memory, seen, size, dims, 4,
          ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value));
  input = value;
  check (ort->Run (session, NULL, in_names, &input, 1, out_names, N_OUTPUTS,
          outputs));
  ort->ReleaseValue (value);
  ort->ReleaseMemoryInfo (memory);
}

static void
compare (GstBuffer * buffer)
{
  const gsize floats[N_OUTPUTS] = { 3 * HEIGHT * WIDTH,
    6 * HEIGHT / 2 * WIDTH / 2, 5
  };
  OrtValue *outputs[N_OUTPUTS] = { NULL, };
  GstMapInfo maps[N_OUTPUTS];
  /* A GPU adds in another order. */
  gdouble tolerance = g_getenv ("GST_HIP_TEST_ON_GPU") ? 1e-3 : 0;

  for (guint i = 0; i < N_OUTPUTS; i++) {
    fail_unless (gst_buffer_map (get_tensor (buffer, i)->data, &maps[i],
            GST_MAP_READ));
    fail_unless_equals_uint64 (maps[i].size, floats[i] * sizeof (gfloat));
  }
  run_directly (maps[0].data, maps[0].size, outputs);
  for (guint i = 0; i < N_OUTPUTS; i++) {
    void *data;

    check (ort->GetTensorMutableData (outputs[i], &data));
    for (gsize j = 0; j < floats[i]; j++) {
      gfloat ours = ((gfloat *) maps[i].data)[j], theirs = ((gfloat *) data)[j];

      fail_unless (ABS (ours - theirs) <= tolerance * (1 + ABS (theirs)),
          "output %u, number %" G_GSIZE_FORMAT ": %.9g, directly %.9g", i, j,
          ours, theirs);
    }
    ort->ReleaseValue (outputs[i]);
    gst_buffer_unmap (get_tensor (buffer, i)->data, &maps[i]);
  }
}

/* Of pictures in three formats and sizes, alone and in batches, and what the
 * network says of them is not the same. */
GST_START_TEST (test_network)
{
  static const struct
  {
    const gchar *format, *batch;
    guint width, height;
  } cases[] = {
    {"RGB", "1", WIDTH, HEIGHT},
    {"BGRx", "1", 61, 47},
    {"NV12", "4", 64, 48},
  };
  gfloat classes[4][5] = { {0,} };
  GstHarness *h = harness_for (make_inference ("network", "batch-size",
          cases[__i__].batch, NULL), cases[__i__].format, cases[__i__].width,
      cases[__i__].height);
  GstVideoInfo info;

  gst_video_info_set_format (&info,
      gst_video_format_from_string (cases[__i__].format), cases[__i__].width,
      cases[__i__].height);
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_int (gst_harness_push (h, counting_frame (info.size,
                (guint8) (i * 61))), GST_FLOW_OK);
  for (guint i = 0; i < 4; i++) {
    GstBuffer *out = gst_harness_pull (h);

    compare (out);
    gst_buffer_extract (get_tensor (out, 2)->data, 0, classes[i],
        sizeof (classes[i]));
    gst_buffer_unref (out);
    fail_unless (i == 0 || memcmp (classes[i], classes[i - 1],
            sizeof (classes[i])) != 0);
  }
  gst_harness_teardown (h);
}

GST_END_TEST;

static Suite *
onnx_direct_suite (void)
{
  Suite *suite = suite_create ("onnx-direct");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_loop_test (tc, test_network, 0, 3);
  return suite;
}

GST_CHECK_MAIN (onnx_direct);
