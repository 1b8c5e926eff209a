/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Kernels on the host backend, below the public API: compiled, loaded and run
 * at once. Registered once for each way to switch fibers and each compiler.
 */
#include <glib/gstdio.h>

#include "backends/host/host-kernel.h"
#include "hip-kernel.h"
#include "host-common.h"

static HipNativeContext context;

static void
setup (void)
{
  context = open_host ();
}

static void
teardown (void)
{
  host->context_close (context);
}

static GBytes *
compile (const gchar * source, const gchar * const *options, GError ** error)
{
  HipKernelScan *scan = hip_kernel_scan (source, strlen (source));
  g_autofree gchar *text =
      hip_kernel_source_compose (source, "user.hip", NULL, scan,
      TRUE);
  g_autofree gchar *log = NULL;
  g_auto (GStrv) translated = host_translate_options (context, options, error);
  HipCompileRequest request = { text, "user.hip",
    (const gchar * const *) translated
  };
  GBytes *binary = translated ? host_compile (context, &request, &log, error)
      : NULL;

  hip_kernel_scan_free (scan);
  if (binary)
    fail_unless (log == NULL, "the compiler said: %s", log);
  return binary;
}

static HipNativeModule
load (const gchar * source)
{
  g_autoptr (GBytes) binary = NULL;
  HipNativeModule module;

  assert_ok ((binary = compile (source, NULL, &error)) != NULL);
  assert_ok ((module = host_module_load (context, binary, &error)) != NULL);
  return module;
}

static void
run (HipNativeModule module, const gchar * name, guint blocks, guint x, guint y,
    gsize shared, void **params)
{
  const guint grid[3] = { blocks, 1, 1 }, block[3] = { x, y, 1 };
  HipNativeFunction function;
  guint8 packed[256] __attribute__((aligned (64)));

  assert_ok ((function = host_module_get_function (context, module, name,
              &error)) != NULL);
  fail_unless (host_function_params_size (function) <= sizeof (packed));
  host_function_pack_params (function, params, packed);
  host_function_run (function, grid, block, shared, packed);
}

/* --- barriers --- */

static const gchar barrier_source[] =
    "extern \"C\" __global__ void\n"
    "reduce (const int *in, int *out)\n"
    "{\n"
    "  extern __shared__ int sums[];\n"
    "  unsigned t = threadIdx.x, base = blockIdx.x * blockDim.x;\n"
    "  sums[t] = in[base + t];\n"
    "  __syncthreads ();\n"
    "  for (unsigned n = blockDim.x / 2; n > 0; n >>= 1) {\n"
    "    if (t < n)\n"
    "      sums[t] += sums[t + n];\n"
    "    __syncthreads ();\n"
    "  }\n"
    "  if (t == 0)\n"
    "    out[blockIdx.x] = sums[0];\n"
    "}\n"
    "extern \"C\" __global__ void\n"
    "leave_early (int *out, int n)\n"
    "{\n"
    "  __shared__ int arrived;\n"
    "  int t = threadIdx.x;\n"
    "  if (t == n - 1)\n"
    "    arrived = 0;\n"
    "  if (t >= n)\n"
    "    return;\n"
    "  __syncthreads ();\n"
    "  atomicAdd (&arrived, 1);\n"
    "  __syncthreads ();\n"
    "  out[blockIdx.x * n + t] = arrived;\n"
    "}\n"
    "__device__ void wait_here () { __syncthreads (); }\n"
    "__device__ int who () { return threadIdx.y * blockDim.x + threadIdx.x; }\n"
    "extern \"C\" __global__ void\n"
    "rotate (int *out, int rounds)\n"
    "{\n"
    "  __shared__ int ring[64];\n"
    "  int n = blockDim.x * blockDim.y, me = who ();\n"
    "  ring[me] = me;\n"
    "  for (int i = 0; i < rounds; i++) {\n"
    "    wait_here ();\n"
    "    int next = ring[(who () + 1) % n];\n"
    "    wait_here ();\n"
    "    ring[who ()] = next;\n"
    "  }\n" "  out[blockIdx.x * n + who ()] = ring[me];\n" "}\n";

GST_START_TEST (test_reduce)
{
  HipNativeModule module = load (barrier_source);
  gint in[64 * 256], out[64], *p = in, *q = out;
  void *params[] = { &p, &q };
  gint sum;

  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    in[i] = (gint) (i * 2654435761u >> 8) - 8000000;
  memset (out, 0xee, sizeof (out));
  run (module, "reduce", 64, 256, 1, 256 * sizeof (gint), params);
  for (guint b = 0; b < 64; b++) {
    sum = 0;
    for (guint i = 0; i < 256; i++)
      sum += in[b * 256 + i];
    fail_unless_equals_int (out[b], sum);
  }
  host_module_unload (context, module);
}

GST_END_TEST;

GST_START_TEST (test_leave_early)
{
  HipNativeModule module = load (barrier_source);
  gint out[10 * 37], n = 37, *q = out;
  void *params[] = { &q, &n };

  memset (out, 0, sizeof (out));
  run (module, "leave_early", 10, 100, 1, 0, params);
  for (guint i = 0; i < G_N_ELEMENTS (out); i++)
    fail_unless_equals_int (out[i], 37);
  host_module_unload (context, module);
}

GST_END_TEST;

/* A barrier in a function that a loop calls, indices in a function */
GST_START_TEST (test_rotate)
{
  HipNativeModule module = load (barrier_source);
  gint out[5 * 64], rounds = 10, *q = out;
  void *params[] = { &q, &rounds };

  run (module, "rotate", 5, 8, 8, 0, params);
  for (gint i = 0; i < (gint) G_N_ELEMENTS (out); i++)
    fail_unless_equals_int (out[i], (i % 64 + rounds) % 64);
  host_module_unload (context, module);
}

GST_END_TEST;

GST_START_TEST (test_fiber_method)
{
  const gchar *wanted = g_getenv ("GST_HIP_HOST_FIBERS");

#if defined (__x86_64__)
  if (!wanted)
    wanted = "switch";
#endif
  if (!wanted)
    wanted = "ucontext";
  fail_unless_equals_string (host_fibers_method (), wanted);
}

GST_END_TEST;

/* --- dynamic shared memory outside functions, of other types --- */

static const gchar shared_source[] =
    "struct __align__ (16) Cell { float a; int b; };\n"
    "extern __shared__ __align__ (16) unsigned char raw[];\n"
    "__device__ float4 *quads () { return (float4 *) raw; }\n"
    "extern \"C\" __global__ void\n"
    "cells (float *out)\n"
    "{\n"
    "  extern __shared__ Cell table[][2];\n"
    "  int t = threadIdx.x;\n"
    "  table[t][0].a = t;\n"
    "  table[t][1].b = 2 * t;\n"
    "  __syncthreads ();\n"
    "  int o = (t + 5) % blockDim.x;\n"
    "  out[t] = table[o][0].a + table[o][1].b + (sizeof (*table) == 32 ? 0 : 1000);\n"
    "}\n"
    "extern \"C\" __global__ void\n"
    "outside (float *out)\n"
    "{\n"
    "  int t = threadIdx.x;\n"
    "  quads ()[t] = make_float4 (t, 1, 2, 3);\n"
    "  __syncthreads ();\n"
    "  raw[16 * blockDim.x + t] = t;\n"
    "  float4 v = quads ()[blockDim.x - 1 - t];\n"
    "  out[t] = v.x + v.y + v.z + v.w + raw[16 * blockDim.x + t];\n" "}\n";

GST_START_TEST (test_dynamic_shared)
{
  HipNativeModule module = load (shared_source);
  gfloat out[48], *q = out;
  void *params[] = { &q };

  run (module, "cells", 1, 48, 1, 48 * 32, params);
  for (guint i = 0; i < 48; i++)
    fail_unless (out[i] == 3 * ((i + 5) % 48), "%u: %f", i, out[i]);
  run (module, "outside", 1, 48, 1, 48 * 17, params);
  for (guint i = 0; i < 48; i++)
    fail_unless (out[i] == 47 + 6, "%u: %f", i, out[i]);
  host_module_unload (context, module);
}

GST_END_TEST;

/* --- parameters --- */

static const gchar params_source[] =
    "struct Odd { char c; double d; short s; };\n"
    "enum Mode { ONE, TWO };\n"
    "extern \"C\" {\n"
    "__global__ void __launch_bounds__ (64)\n"
    "take (char a, long long b, const Odd odd, bool flag, float4 v, Mode m,\n"
    "      unsigned short us, double *out)\n"
    "{\n"
    "  out[0] = a; out[1] = b; out[2] = odd.c; out[3] = odd.d; out[4] = odd.s;\n"
    "  out[5] = flag; out[6] = v.x; out[7] = v.w; out[8] = m; out[9] = us;\n"
    "}\n" "__global__ void nothing (void) {}\n" "}\n";

GST_START_TEST (test_params)
{
  HipNativeModule module = load (params_source);
  struct
  {
    gchar c;
    gdouble d;
    gshort s;
  } odd = { -5, 0.1, -300 };
  gfloat v[4] __attribute__((aligned (16))) = { 1.5f, 2, 3, 4.5f };
  gchar a = -7;
  gint64 b = G_GINT64_CONSTANT (1) << 40;
  guint8 flag = 1;
  gint m = 1;
  guint16 us = 65535;
  gdouble out[10], *q = out;
  void *params[] = { &a, &b, &odd, &flag, v, &m, &us, &q };
  const gdouble wanted[] = { -7, (gdouble) b, -5, 0.1, -300, 1, 1.5, 4.5, 1,
    65535
  };

  run (module, "take", 1, 1, 1, 0, params);
  for (guint i = 0; i < 10; i++)
    fail_unless (out[i] == wanted[i], "%u: %g", i, out[i]);
  run (module, "nothing", 3, 2, 1, 0, NULL);
  assert_fails (host_module_get_function (context, module, "missing", &error),
      GST_HIP_ERROR_INVALID);
  host_module_unload (context, module);
}

GST_END_TEST;

/* --- atomics --- */

static const gchar atomic_source[] =
    "extern \"C\" __global__ void\n"
    "count (const unsigned char *in, unsigned *bins, float *sum,\n"
    "       unsigned long long *wide, int *low, unsigned *high)\n"
    "{\n"
    "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  atomicAdd (&bins[in[i]], 1u);\n"
    "  atomicAdd (sum, 1.0f);\n"
    "  atomicAdd (wide, 1ull << 33);\n"
    "  atomicMin (low, -(int) i);\n" "  atomicMax (high, i);\n" "}\n";

GST_START_TEST (test_atomics)
{
  HipNativeModule module = load (atomic_source);
  const guint n = 1024 * 128;
  g_autofree guint8 *in = g_malloc (n);
  guint bins[256] = { 0, }, wanted[256] = { 0, }, high = 0;
  gfloat sum = 0;
  guint64 wide = 0;
  gint low = 0;
  gpointer p[] = { in, bins, &sum, &wide, &low, &high };
  void *params[] = { &p[0], &p[1], &p[2], &p[3], &p[4], &p[5] };

  for (guint i = 0; i < n; i++)
    wanted[in[i] = i * 40503u >> 7]++;
  run (module, "count", n / 128, 128, 1, 0, params);
  fail_unless (memcmp (bins, wanted, sizeof (bins)) == 0);
  fail_unless (sum == n, "%f", sum);
  fail_unless_equals_uint64 (wide, (guint64) n << 33);
  fail_unless_equals_int (low, -(gint) (n - 1));
  fail_unless_equals_int (high, n - 1);
  host_module_unload (context, module);
}

GST_END_TEST;

/* --- errors --- */

static void
check_error (const gchar * source, const gchar * where, const gchar * what)
{
  g_autoptr (GError) error = NULL;
  GBytes *binary = compile (source, NULL, &error);

  fail_if (binary, "compiled:\n%s", source);
  fail_unless (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE),
      "%s", error->message);
  fail_unless (strstr (error->message, where), "no \"%s\" in:\n%s", where,
      error->message);
  fail_unless (strstr (error->message, what), "no \"%s\" in:\n%s", what,
      error->message);
  /* the compiler's own files are not the user's; the linker names its object */
  fail_if (strstr (error->message, "kernel.so"), "%s", error->message);
}

#define KERNEL(body) "\n\nextern \"C\" __global__ void\nk (int *out)\n{\n" \
    body "\n}\n"

GST_START_TEST (test_errors)
{
  check_error (KERNEL ("  out[0] = oops;"), "user.hip:6:", "oops");
  check_error (KERNEL ("  out[0] = 1"), "user.hip:", "expected ';'");
  check_error ("// {\nextern \"C\" __global__ void k () { int x = ; }\n",
      "user.hip:2:", "error");
  check_error (KERNEL ("  out[0] = __shfl_sync (~0u, out[1], 0);"),
      "user.hip:6:", "warp shuffles are not available on the host device");
  check_error (KERNEL ("  out[0] = __ballot_sync (~0u, out[1]);"),
      "user.hip:6:", "warp votes are not available on the host device");
  check_error (KERNEL ("  out[0] = tex2D<int> (0, 1.0f, 2.0f);"),
      "user.hip:6:", "textures are not available on the host device");
  check_error (KERNEL
      ("  asm volatile (\"mov.u32 %0, 1;\" : \"=r\" (out[0]));"), "user.hip:6:",
      "inline assembly is not available on the host device");
  check_error ("#include <cooperative_groups.h>\n" KERNEL (""), "user.hip:1:",
      "cooperative groups are not available on the host device");
  check_error (KERNEL ("  k<<<1, 2>>> (out);"), "user.hip:6:",
      "launching_kernels_from_kernels_is_not_available");
  check_error ("#include <vector>\n" KERNEL (""), "user.hip:1:", "vector");
  check_error (KERNEL ("  extern int missing (int); out[0] = missing (1);"),
      "missing", "undefined");
  check_error ("#error Grüße, \"quoted\"\n", "user.hip:1:", "quoted");
  check_error ("extern \"C\" __global__ void k (int &x) {}\n", "user.hip:1:",
      "passed by value");
}

GST_END_TEST;

GST_START_TEST (test_options)
{
  static const gchar source[] =
      "#if WIDTH != 7 || !defined (FLAG) || defined (GONE)\n"
      "#error options\n#endif\n" KERNEL ("  out[0] = VALUE;");
  static const gchar *const options[] = { "-DWIDTH=7", "--define-macro=FLAG",
    "-D", "VALUE=3", "-O1", "--std=c++17", "-g", "--gpu-architecture=sm_90",
    "-DGONE", "-UGONE", NULL
  };
  static const gchar *const unfinished[] = { "--define-macro", NULL };
  static const gchar *const old[] = { "--std=c++11", NULL };
  g_autoptr (GBytes) binary = NULL;

  assert_ok ((binary = compile (source, options, &error)) != NULL);
  assert_fails (compile (source, unfinished, &error), GST_HIP_ERROR_INVALID);
  assert_fails (compile (KERNEL (""), old, &error), GST_HIP_ERROR_COMPILE);
}

GST_END_TEST;

GST_START_TEST (test_binaries)
{
  g_autoptr (GBytes) good = NULL;
  g_autoptr (GBytes) text = g_bytes_new_static ("text", 4);
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) cut = NULL;
  g_autofree guint8 *foreign = NULL;
  g_autoptr (GBytes) other = NULL;
  gsize size;

  assert_ok ((good = compile (KERNEL (""), NULL, &error)) != NULL);
  assert_fails (host_module_load (context, text, &error),
      GST_HIP_ERROR_INVALID);
  assert_fails (host_module_load (context, empty, &error),
      GST_HIP_ERROR_INVALID);
  cut = g_bytes_new_from_bytes (good, 0, 100);
  assert_fails (host_module_load (context, cut, &error), GST_HIP_ERROR_INVALID);
  /* the machine that it is for */
  foreign = g_memdup2 (g_bytes_get_data (good, &size), g_bytes_get_size (good));
  foreign[18] ^= 0x55;
  other = g_bytes_new (foreign, size);
  assert_fails (host_module_load (context, other, &error),
      GST_HIP_ERROR_INVALID);
}

GST_END_TEST;

/* Loaded and unloaded in turns: descriptors come again, contents do not */
GST_START_TEST (test_reload)
{
  for (gint i = 0; i < 6; i++) {
    g_autofree gchar *source =
        g_strdup_printf (KERNEL ("  out[0] = %d;"), 100 + i);
    HipNativeModule module = load (source);
    gint out = 0, *q = &out;
    void *params[] = { &q };

    run (module, "k", 1, 1, 1, 0, params);
    fail_unless_equals_int (out, 100 + i);
    if (i % 2)
      host_module_unload (context, module);
    else
      g_object_set_data_full (G_OBJECT (gst_registry_get ()),
          source, module, (GDestroyNotify) host_module_unref);
  }
}

GST_END_TEST;

GST_START_TEST (test_no_compiler)
{
  g_autofree gchar *path = g_strdup (g_getenv ("PATH"));
  g_autofree gchar *cxx = g_strdup (g_getenv ("GST_HIP_CXX"));
  g_autoptr (GError) error = NULL;

  g_setenv ("PATH", "/nowhere", TRUE);
  g_unsetenv ("GST_HIP_CXX");
  fail_if (host_compiler_available ());
  fail_if (compile (KERNEL (""), NULL, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNAVAILABLE));
  fail_unless (strstr (error->message, "g++"), "%s", error->message);
  g_clear_error (&error);

  g_setenv ("PATH", path, TRUE);
  g_setenv ("GST_HIP_CXX", "no-such-compiler", TRUE);
  fail_if (compile (KERNEL (""), NULL, &error));
  fail_unless (g_error_matches (error, GST_HIP_ERROR,
          GST_HIP_ERROR_UNAVAILABLE));
  fail_unless (strstr (error->message, "no-such-compiler"));
  if (cxx)
    g_setenv ("GST_HIP_CXX", cxx, TRUE);
  else
    g_unsetenv ("GST_HIP_CXX");
}

GST_END_TEST;

static Suite *
kernel_host_suite (void)
{
  Suite *s = suite_create ("kernel-host");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_reduce);
  tcase_add_test (tc, test_leave_early);
  tcase_add_test (tc, test_rotate);
  tcase_add_test (tc, test_fiber_method);
  tcase_add_test (tc, test_dynamic_shared);
  tcase_add_test (tc, test_params);
  tcase_add_test (tc, test_atomics);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_options);
  tcase_add_test (tc, test_binaries);
  tcase_add_test (tc, test_reload);
  tcase_add_test (tc, test_no_compiler);
  return s;
}

GST_CHECK_MAIN (kernel_host);
