/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Is ONNX Runtime found, is what it says of a model read, and is everything
 * that does not go refused with its reason?
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include <gst/check/gstcheck.h>

#include "onnx-model-info.h"
#include "ort-find.h"
#include "ort-session.h"

GST_DEBUG_CATEGORY (gst_hip_onnx_debug);

static gchar *
model_path (const gchar * name)
{
  return g_strconcat (g_getenv ("GST_HIP_TEST_MODELS"), "/", name, ".onnx",
      NULL);
}

static HipOrtSession *
try_session (const gchar * name, HipOrtProvider provider, GError ** error)
{
  g_autofree gchar *path = model_path (name);
  HipOrtSessionConfig config = {.model_file = path,.provider = provider };

  return hip_ort_session_new (&config, error);
}

static HipOrtSession *
new_session (const gchar * name)
{
  g_autoptr (GError) error = NULL;
  HipOrtSession *session = try_session (name, HIP_ORT_PROVIDER_CPU, &error);

  fail_unless (session != NULL, "%s: %s", name, error ? error->message : "");
  return session;
}

/* words: all of them are in the message; NULL-terminated */
static void
check_error (GError * error, GstHipError code, ...)
{
  const gchar *word;
  va_list words;

  fail_unless (error != NULL);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, code), "%d: %s",
      error->code, error->message);
  va_start (words, code);
  while ((word = va_arg (words, const gchar *)))
      fail_unless (strstr (error->message, word) != NULL, "no \"%s\" in: %s",
        word, error->message);
  va_end (words);
  g_error_free (error);
}

/* --- the runtime --- */

GST_START_TEST (test_versions)
{
  static const gchar *const rising[] = { "1", "1.0", "1.9", "1.9.7", "1.21",
    "1.21.0", "1.21.1", "1.100", "2", "10"
  };

  for (guint i = 0; i < G_N_ELEMENTS (rising); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (rising); j++) {
      gint c = hip_ort_compare_versions (rising[i], rising[j]);

      fail_unless_equals_int ((c > 0) - (c < 0), (i > j) - (i < j));
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_newest)
{
  static const gchar *const names[][5] = {
    {"libx.so", "libx.so.1", "libx.so.1.9", "libx.so.1.10", NULL},
    {"libx.so.1.9.9", "libx.so.1.21.debug", "liby.so.1.30", "libx.so.1.10",
        NULL}
  };
  g_autofree gchar *top = g_dir_make_tmp ("gst-hip-XXXXXX", NULL);
  const gchar *folders[4] = { NULL, };
  g_autofree gchar *first = g_build_filename (top, "0", NULL);
  g_autofree gchar *second = g_build_filename (top, "1", NULL);
  g_autofree gchar *wanted = g_build_filename (first, "libx.so.1.10", NULL);
  g_autofree gchar *found = NULL, *none = NULL;

  folders[0] = "/no/such/folder";
  folders[1] = first;
  folders[2] = second;
  for (guint i = 0; i < 2; i++) {
    g_mkdir (folders[i + 1], 0700);
    for (guint j = 0; names[i][j]; j++) {
      g_autofree gchar *file =
          g_build_filename (folders[i + 1], names[i][j], NULL);

      fail_unless (g_file_set_contents (file, "", 0, NULL));
    }
  }
  found = hip_ort_find_newest (folders, "libx.so.1");
  fail_unless_equals_string (found, wanted);
  none = hip_ort_find_newest (folders, "libz.so.1");
  fail_unless (none == NULL);
  for (guint i = 0; i < 2; i++) {
    for (guint j = 0; names[i][j]; j++) {
      g_autofree gchar *file =
          g_build_filename (folders[i + 1], names[i][j], NULL);

      g_unlink (file);
    }
    g_rmdir (folders[i + 1]);
  }
  g_rmdir (top);
}

GST_END_TEST;

GST_START_TEST (test_runtime)
{
  g_autoptr (GError) error = NULL;
  const HipOrtRuntime *ort = hip_ort_runtime_get (NULL, &error);

  fail_unless (ort != NULL, "%s", error ? error->message : "");
  fail_unless (ort->api_version >= HIP_ORT_MIN_API);
  fail_unless (ort->api_version <= ORT_API_VERSION);
  fail_unless (strstr (ort->path, "libonnxruntime") != NULL);
  fail_unless (g_str_has_prefix (ort->version, "1."));
  fail_unless (g_strv_contains ((const gchar * const *) ort->providers,
          "CPUExecutionProvider"));
  /* Once in a process, by whatever name */
  fail_unless (hip_ort_runtime_get (NULL, NULL) == ort);
  fail_unless (hip_ort_runtime_get (ort->path, NULL) == ort);
}

GST_END_TEST;

GST_START_TEST (test_no_runtime)
{
  GError *error = NULL;

  fail_unless (hip_ort_runtime_get ("/no/such/libonnxruntime.so", &error)
      == NULL);
  check_error (error, GST_HIP_ERROR_UNAVAILABLE, "/no/such/libonnxruntime.so",
      "GST_HIP_ONNXRUNTIME", NULL);
  error = NULL;
  fail_unless (hip_ort_runtime_get ("libc.so.6", &error) == NULL);
  check_error (error, GST_HIP_ERROR_UNAVAILABLE, "libc.so.6",
      "is not ONNX Runtime", NULL);
  /* What was chosen by the environment is not replaced either. */
  g_setenv ("GST_HIP_ONNXRUNTIME", "/no/such/place", TRUE);
  error = NULL;
  fail_unless (hip_ort_runtime_get (NULL, &error) == NULL);
  check_error (error, GST_HIP_ERROR_UNAVAILABLE, "/no/such/place", NULL);
}

GST_END_TEST;

GST_START_TEST (test_old_runtime)
{
  GError *error = NULL;

  fail_unless (hip_ort_runtime_get (g_getenv ("GST_HIP_TEST_OLD_RUNTIME"),
          &error) == NULL);
  check_error (error, GST_HIP_ERROR_UNAVAILABLE, "1.3.0", "too old", "1.16",
      NULL);
}

GST_END_TEST;

/* The first model makes Debian's runtime print hundreds of lines. */
GST_START_TEST (test_quiet)
{
  g_autofree gchar *text = NULL;
  gchar name[] = "/tmp/gst-hip-XXXXXX";
  gint file = g_mkstemp (name), before = dup (2);

  fail_unless (file >= 0 && before >= 0);
  dup2 (file, 2);
  hip_ort_session_free (new_session ("planar"));
  fputs ("after\n", stderr);
  fflush (stderr);
  dup2 (before, 2);
  fail_unless (g_file_get_contents (name, &text, NULL, NULL));
  g_unlink (name);
  close (file);
  close (before);
  fail_unless (strstr (text, "Schema error") == NULL, "%.300s", text);
  fail_unless (strstr (text, "after\n") != NULL);
}

GST_END_TEST;

/* --- models --- */

GST_START_TEST (test_tensors)
{
  g_autoptr (HipOrtSession) session = new_session ("two-outputs");
  g_autofree gchar *x = NULL, *y = NULL, *z = NULL;

  fail_unless_equals_int (session->n_inputs, 1);
  fail_unless_equals_int (session->n_outputs, 2);
  fail_unless_equals_string (session->inputs[0].name, "x");
  fail_unless_equals_string (session->outputs[0].name, "y");
  fail_unless_equals_string (session->outputs[1].name, "z");
  x = hip_ort_describe_tensor (&session->inputs[0]);
  y = hip_ort_describe_tensor (&session->outputs[0]);
  z = hip_ort_describe_tensor (&session->outputs[1]);
  fail_unless_equals_string (x, "float32 1x4x4x3");
  fail_unless_equals_string (y, "float32 1x48");
  fail_unless_equals_string (z, "float32 1x3x16");
  fail_unless_equals_int (session->provider, HIP_ORT_PROVIDER_CPU);
  fail_unless (session->fallback == NULL);
}

GST_END_TEST;

/* Every node is somewhere, and the runtime says where. */
GST_START_TEST (test_placement)
{
  g_autoptr (HipOrtSession) session = new_session ("two-outputs");

  fail_unless (g_str_has_prefix (session->placement, "CPUExecutionProvider "),
      "%s", session->placement);
}

GST_END_TEST;

GST_START_TEST (test_kinds_of_tensors)
{
  g_autoptr (HipOrtSession) dynamic = new_session ("any-float16-nhwc");
  g_autoptr (HipOrtSession) string = new_session ("string-out");
  g_autoptr (HipOrtSession) sequence = new_session ("sequence-out");
  g_autoptr (HipOrtSession) scalar = new_session ("scalar");
  g_autofree gchar *text = hip_ort_describe_tensor (&dynamic->inputs[0]);

  fail_unless_equals_string (text, "float16 ?x?x?x3");
  fail_unless_equals_int (string->outputs[0].type,
      ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING);
  fail_unless_equals_int (sequence->outputs[0].type,
      ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED);
  fail_unless_equals_int (scalar->outputs[0].n_dims, 0);
}

GST_END_TEST;

GST_START_TEST (test_metadata)
{
  g_autoptr (HipOrtSession) session = new_session ("batch-any");
  g_autofree gchar *id =
      hip_ort_session_get_metadata (session, "gst-tensor-id:y");
  g_autofree gchar *none = hip_ort_session_get_metadata (session, "nothing");

  fail_unless_equals_string (id, "means");
  fail_unless (none == NULL);
}

GST_END_TEST;

GST_START_TEST (test_run)
{
  g_autoptr (HipOrtSession) session = new_session ("planar");
  const OrtApi *api = session->ort->api;
  const int64_t dims[] = { 1, 3, 4, 4 };
  gfloat in[48], *out;
  OrtValue *x = NULL, *y = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 48; i++)
    in[i] = i * .5f;
  fail_unless (api->CreateTensorWithDataAsOrtValue (session->ort->cpu_memory,
          in, sizeof (in), dims, 4, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &x)
      == NULL);
  fail_unless (hip_ort_session_run (session, (const OrtValue * const *) &x, &y,
          &error), "%s", error ? error->message : "");
  fail_unless (api->GetTensorMutableData (y, (void **) &out) == NULL);
  for (guint i = 0; i < 48; i++)
    fail_unless_equals_float (out[i], in[i]);
  api->ReleaseValue (x);
  api->ReleaseValue (y);
}

GST_END_TEST;

GST_START_TEST (test_refused_models)
{
  GError *error = NULL;

  fail_unless (!try_session ("not-there", HIP_ORT_PROVIDER_CPU, &error));
  check_error (error, GST_HIP_ERROR_INVALID, "there is no model file",
      "not-there.onnx", NULL);
  error = NULL;
  fail_unless (!try_session ("empty", HIP_ORT_PROVIDER_CPU, &error));
  check_error (error, GST_HIP_ERROR_INVALID, "empty.onnx\" is empty", NULL);
  error = NULL;
  fail_unless (!try_session ("corrupt", HIP_ORT_PROVIDER_CPU, &error));
  check_error (error, GST_HIP_ERROR_INVALID, "corrupt.onnx", NULL);
  error = NULL;
  fail_unless (!try_session ("unknown-operator", HIP_ORT_PROVIDER_CPU, &error));
  fail_unless (error && strstr (error->message, "Dream"), "%s",
      error ? error->message : "no error");
  g_clear_error (&error);
}

GST_END_TEST;

/* Debian's has no provider for GPUs. */
GST_START_TEST (test_missing_provider)
{
  GError *error = NULL;
  HipOrtSession *session = try_session ("planar", HIP_ORT_PROVIDER_CUDA,
      &error);

  if (session) {
    hip_ort_session_free (session);
    return;
  }
  check_error (error, GST_HIP_ERROR_UNAVAILABLE, "CUDAExecutionProvider",
      "CPUExecutionProvider", NULL);
}

GST_END_TEST;

GST_START_TEST (test_auto_is_cpu)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HipOrtSession) session = try_session ("planar",
      HIP_ORT_PROVIDER_AUTO, &error);

  fail_unless (session != NULL, "%s", error ? error->message : "");
  fail_unless_equals_int (session->provider, HIP_ORT_PROVIDER_CPU);
}

GST_END_TEST;

/* --- model-info --- */

static HipModelInfo *
load_info (const gchar * model, GError ** error)
{
  g_autofree gchar *path = model_path (model);
  HipModelInfo *info = NULL;

  hip_model_info_load (NULL, path, &info, error);
  return info;
}

GST_START_TEST (test_info)
{
  g_autoptr (HipOrtSession) session = new_session ("two-outputs");
  g_autoptr (HipModelInfo) info = load_info ("two-outputs", NULL);
  const HipModelInfoTensor *x, *z;

  fail_unless (info != NULL);
  fail_unless_equals_string (info->group_id, "two-outputs-group");
  x = hip_model_info_find (info, &session->inputs[0], TRUE, 0, NULL);
  fail_unless_equals_string (x->id, "input-0");
  fail_unless_equals_int (x->n_ranges, 1);
  fail_unless_equals_float (x->ranges[0], 0);
  fail_unless_equals_float (x->ranges[1], 255);
  fail_unless_equals_int (x->dims_order, GST_TENSOR_DIM_ORDER_ROW_MAJOR);
  z = hip_model_info_find (info, &session->outputs[1], FALSE, 1, NULL);
  fail_unless_equals_string (z->id, "output-1");
  fail_unless_equals_int (z->dims_order, GST_TENSOR_DIM_ORDER_COL_MAJOR);
}

GST_END_TEST;

GST_START_TEST (test_info_by_index)
{
  g_autoptr (HipOrtSession) session = new_session ("info-index");
  g_autoptr (HipModelInfo) info = load_info ("info-index", NULL);
  const HipModelInfoTensor *said;

  said = hip_model_info_find (info, &session->inputs[0], TRUE, 0, NULL);
  fail_unless_equals_string (said->id, "by-index");
  said = hip_model_info_find (info, &session->outputs[0], FALSE, 0, NULL);
  fail_unless_equals_string (said->id, "by-index-too");
}

GST_END_TEST;

/* MODEL.modelinfo is looked for before what has the extension replaced. */
GST_START_TEST (test_info_files)
{
  g_autofree gchar *top = g_dir_make_tmp ("gst-hip-XXXXXX", NULL);
  g_autofree gchar *model = g_build_filename (top, "m.onnx", NULL);
  g_autofree gchar *stem = g_build_filename (top, "m.modelinfo", NULL);
  g_autofree gchar *whole = g_build_filename (top, "m.onnx.modelinfo", NULL);
  const gchar *text = "[modelinfo]\nversion=1.7\ngroup-id=stem\n";
  g_autoptr (HipModelInfo) info = NULL;
  GError *error = NULL;

  fail_unless (hip_model_info_load (NULL, model, &info, NULL));
  fail_unless (info == NULL);
  fail_unless (!hip_model_info_load (stem, model, &info, &error));
  check_error (error, GST_HIP_ERROR_INVALID, "m.modelinfo", NULL);

  g_file_set_contents (stem, text, -1, NULL);
  fail_unless (hip_model_info_load (NULL, model, &info, NULL));
  fail_unless_equals_string (info->group_id, "stem");
  g_clear_pointer (&info, hip_model_info_free);

  g_file_set_contents (whole, "[modelinfo]\nversion=1.0\n", -1, NULL);
  fail_unless (hip_model_info_load (NULL, model, &info, NULL));
  fail_unless (info->group_id == NULL);
  g_unlink (stem);
  g_unlink (whole);
  g_rmdir (top);
}

GST_END_TEST;

GST_START_TEST (test_info_contradicts)
{
  static const gchar *const models[] = { "info-dims", "info-type",
    "info-direction"
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autoptr (HipOrtSession) session = new_session (models[i]);
    g_autoptr (HipModelInfo) info = load_info (models[i], NULL);

    error = NULL;
    fail_unless (!hip_model_info_find (info, &session->inputs[0], TRUE, 0,
            &error));
    check_error (error, GST_HIP_ERROR_INVALID, models[i], "contradicts",
        "float32 1x3x4x4", NULL);
  }
  {
    g_autoptr (HipOrtSession) session = new_session ("info-other");
    g_autoptr (HipModelInfo) info = load_info ("info-other", NULL);

    error = NULL;
    fail_unless (!hip_model_info_find (info, &session->outputs[0], FALSE, 0,
            &error));
    check_error (error, GST_HIP_ERROR_INVALID, "[z]", "float32 1x7", NULL);
  }
}

GST_END_TEST;

GST_START_TEST (test_info_refused)
{
  GError *error = NULL;

  fail_unless (!load_info ("info-version", &error));
  check_error (error, GST_HIP_ERROR_INVALID, "version=2.0", NULL);
  error = NULL;
  fail_unless (!load_info ("info-ranges", &error));
  check_error (error, GST_HIP_ERROR_INVALID, "ranges=0,1;0", NULL);
}

GST_END_TEST;

static Suite *
onnx_model_suite (void)
{
  Suite *suite = suite_create ("onnx-model");
  TCase *tc = tcase_create ("general");

  GST_DEBUG_CATEGORY_INIT (gst_hip_onnx_debug, "hiponnx", 0, "tests");
  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_versions);
  tcase_add_test (tc, test_newest);
  tcase_add_test (tc, test_runtime);
  tcase_add_test (tc, test_no_runtime);
  tcase_add_test (tc, test_old_runtime);
  tcase_add_test (tc, test_quiet);
  tcase_add_test (tc, test_tensors);
  tcase_add_test (tc, test_placement);
  tcase_add_test (tc, test_kinds_of_tensors);
  tcase_add_test (tc, test_metadata);
  tcase_add_test (tc, test_run);
  tcase_add_test (tc, test_refused_models);
  tcase_add_test (tc, test_missing_provider);
  tcase_add_test (tc, test_auto_is_cpu);
  tcase_add_test (tc, test_info);
  tcase_add_test (tc, test_info_by_index);
  tcase_add_test (tc, test_info_files);
  tcase_add_test (tc, test_info_contradicts);
  tcase_add_test (tc, test_info_refused);
  return suite;
}

GST_CHECK_MAIN (onnx_model);
