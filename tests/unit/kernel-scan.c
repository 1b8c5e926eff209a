/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the scan finds in a kernel's source, and what the complete text does
 * with it: line numbers above all. That any bytes are survived is shown by the
 * fuzz target of the same name.
 */
#include "config.h"

#include <string.h>

#include <gst/check/gstcheck.h>
#include "hip-kernel.h"

static HipKernelScan *
scan_text (const gchar * source)
{
  return hip_kernel_scan (source, strlen (source));
}

/* "name(type|name, type|name)[*]" for each entry, * for one with a barrier,
 * one after the other */
static gchar *
describe (const gchar * source)
{
  HipKernelScan *scan = scan_text (source);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < scan->kernels->len; i++) {
    HipScanKernel *kernel = &g_array_index (scan->kernels, HipScanKernel, i);

    if (!kernel->is_entry || !kernel->has_body)
      continue;
    g_string_append_printf (out, "%s%s(", out->len ? " " : "", kernel->name);
    for (guint p = 0; p < kernel->params->len; p++) {
      HipScanParam *param = &g_array_index (kernel->params, HipScanParam, p);

      g_string_append_printf (out, "%s%s|%s", p ? ", " : "", param->type_name,
          param->name);
      fail_unless_equals_int (param->is_pointer, param->type_name[strlen
              (param->type_name) - 1] == '*');
    }
    g_string_append_printf (out, ")%s", kernel->has_barrier ? "*" : "");
  }
  hip_kernel_scan_free (scan);
  return g_string_free (out, FALSE);
}

static void
check (const gchar * source, const gchar * wanted)
{
  g_autofree gchar *found = describe (source);

  fail_unless (strcmp (found, wanted) == 0, "found %s, not %s, in:\n%s", found,
      wanted, source);
}

#define K "extern \"C\" __global__ void "

GST_START_TEST (test_kernels)
{
  check (K "a () {}", "a()");
  check (K "a (void) {}", "a()");
  check (K "__launch_bounds__ (256, 2) a (int x) { }", "a(int|x)");
  check ("extern \"C\" __launch_bounds__ (256) __global__ void a (int x) {}",
      "a(int|x)");
  check ("extern \"C\" {\nstatic int f () { return 1; }\n"
      "__global__ void a (int x) {}\n}\n__global__ void b (int x) {}\n",
      "a(int|x)");
  check ("namespace n { " K "a (int x) {} } " K "b () {}", "a(int|x) b()");
  check ("template <typename T> __global__ void a (T x) {} " K "b () {}",
      "b()");
  check (K "a (int x); " K "b () {}", "b()");
  check (K "a () { __syncthreads (); } " K "b () {}", "a()* b()");
  check ("struct S { int x; }; " K "a (S s) { if (s.x) { } }", "a(S|s)");
  check (K "a () [[maybe_unused]] {}", "a()");
  check ("[[maybe_unused]] " K "a () {}", "a()");
}

GST_END_TEST;

GST_START_TEST (test_params)
{
  check (K "a (const unsigned char *in, float* __restrict__ out) {}",
      "a(const unsigned char *|in, float *|out)");
  check (K "a (int, const float *, unsigned long long, struct S) {}",
      "a(int|, const float *|, unsigned long long|, struct S|)");
  check (K "a (float m[3][3], int n = 4, Pair<int, float> p) {}",
      "a(float *|m, int|n, Pair<int,float>|p)");
  check (K "a (n::Type t, n::Type) {}", "a(n::Type|t, n::Type|)");
  check (K "a (int /* , not two */ x, // nor here )\n int y) {}",
      "a(int|x, int|y)");
  check (K "a (T **p, const T *const *q) {}", "a(T **|p, const T *const *|q)");
}

GST_END_TEST;

/* const counts where it is what the last * points to */
GST_START_TEST (test_const)
{
  HipKernelScan *scan = scan_text (K "a (const int *a, int const *b, "
      "int *const c, const int **d, int *const *e, const int f[], int g[]) {}");
  HipScanKernel *kernel = &g_array_index (scan->kernels, HipScanKernel, 0);
  const gboolean wanted[] = { 1, 1, 0, 0, 1, 1, 0 };

  fail_unless_equals_int (kernel->params->len, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    fail_unless (g_array_index (kernel->params, HipScanParam,
            i).is_const == wanted[i], "parameter %u", i);
  hip_kernel_scan_free (scan);
}

GST_END_TEST;

/* None of this is code */
GST_START_TEST (test_not_code)
{
  check ("// " K "a () {}\n/* " K "b () {} */ " K "c () {}", "c()");
  check ("// continued \\\n" K "a () {}\n" K "b () {}", "b()");
  check ("const char *s = \"extern __global__ void a () {\\\"\"; " K "b () {}",
      "b()");
  check ("const char *s = R\"x(\n" K "a () {} )\" )x\"; " K "b () {}", "b()");
  check ("#define MAKE(n) " K "n () {}\n" K "b () {}", "b()");
  check ("#define MAKE(n) \\\n " K "n () {}\n" K "b () {}", "b()");
  check ("char c = '\"', d = '\\'', e = '{'; int n = 1'000; " K "b () {}",
      "b()");
  check ("#if 0\nit's not closed\n#endif\n" K "b () {}", "b()");
}

GST_END_TEST;

GST_START_TEST (test_broken)
{
  check ("", "");
  check (K, "");
  check (K "a (", "");
  check (K "a (int x) {", "");
  check (K "a (int x) { ( } " K "b () {}", "a(int|x) b()");
  check ("} } ) ] " K "b () {}", "b()");
  check ("/* " K "a () {}", "");
  check ("R\"x( " K "a () {}", "");
}

GST_END_TEST;

GST_START_TEST (test_flags)
{
  static const struct
  {
    const gchar *source;
    gboolean includes, barrier, indices;
  } rows[] = {
    {K "a () { int i = threadIdx.x; __syncthreads (); }", 0, 0, 0},
    {"__device__ int i () { return threadIdx.x; }", 0, 0, 1},
    {"__device__ void w () { __syncthreads (); }", 0, 1, 0},
    {"#define ME blockIdx.x\n", 0, 0, 1},
    {"#define WAIT \\\n __syncthreads ()\n", 0, 1, 0},
    {"#include <hip/hip_runtime.h>\n# include <stdint.h>\n", 0, 0, 0},
    {"#include \"mine.h\"\n", 1, 1, 1},
    {"// __syncthreads threadIdx\n", 0, 0, 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    HipKernelScan *scan = scan_text (rows[i].source);

    fail_unless (scan->includes == rows[i].includes, "%s", rows[i].source);
    fail_unless (scan->barrier_elsewhere == rows[i].barrier, "%s",
        rows[i].source);
    fail_unless (scan->indices_elsewhere == rows[i].indices, "%s",
        rows[i].source);
    hip_kernel_scan_free (scan);
  }
}

GST_END_TEST;

/* The time must grow with the length, not with its square: these are 2 MB of
 * what could be the beginning of something. A square would be hours. */
GST_START_TEST (test_long)
{
  static const gchar *const pieces[] = { "extern ", "__global__ ", "(", "{",
    "[", "__constant__ ", "extern \"C\" __global__ void a (int x) {} ", "#a\n",
    "extern __shared__ ", "namespace ", "R\"(", "/*", "<<<", "static "
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    gsize size = strlen (pieces[i]), n = 2000000 / size;
    g_autofree gchar *source = g_malloc (n * size);

    for (gsize j = 0; j < n; j++)
      memcpy (source + j * size, pieces[i], size);
    hip_kernel_scan_free (hip_kernel_scan (source, n * size));
  }
}

GST_END_TEST;

/* --- the complete text --- */

static gchar *
compose (const gchar * source, gboolean host)
{
  HipKernelScan *scan = scan_text (source);
  gchar *text =
      hip_kernel_source_compose (source, "a \"b\".hip", NULL, scan, host);

  hip_kernel_scan_free (scan);
  return text;
}

/* Behind the marker, lines are those of the source up to what is inserted */
GST_START_TEST (test_lines)
{
  static const gchar source[] = "#include <math.h>\n"
      "/* one\n two */ extern \"C\" __global__ void\n"
      "k (int x,\n   int y)\n{\n  extern __shared__\n  float s[];\n"
      "  s[0] = 1; // here\n}\nint last;\n";
  g_auto (GStrv) wanted = g_strsplit (source, "\n", -1);

  for (gint host = 0; host < 2; host++) {
    g_autofree gchar *text = compose (source, host);
    const gchar *user = strstr (text, "# 1 \"a \\\"b\\\".hip\"\n");
    g_auto (GStrv) lines = NULL;

    fail_unless (user != NULL);
    fail_unless (g_str_has_prefix (text, hip_prelude_text));
    lines = g_strsplit (strchr (user, '\n') + 1, "\n", -1);
    fail_unless_equals_string (lines[0], "");
    fail_unless_equals_string (lines[1], wanted[1]);
    fail_unless_equals_string (lines[8], "  s[0] = 1; // here");
    fail_unless_equals_string (lines[10], "int last;");
    fail_unless (strstr (lines[9], "GST_HIP_KERNEL (k, 0, "));
    fail_unless_equals_int (strstr (lines[3], "GST_HIP_CTX") != NULL, host);
  }
}

GST_END_TEST;

/* The prelude does not see the user's names, the source does. */
GST_START_TEST (test_definitions)
{
  static const gchar *const given[] =
      { "-O2", "-DA", "-D", "B=1\n2", "-Ifolder",
    "-UA", "-DF(x)=(x = 1)", "-U", "B", "-D", NULL
  };
  gchar **options = g_strdupv ((gchar **) given);
  g_autofree gchar *definitions = hip_kernel_source_take_definitions (options);
  HipKernelScan *scan = scan_text ("int x;\n");
  g_autofree gchar *text =
      hip_kernel_source_compose ("int x;\n", "k", definitions, scan, TRUE);
  const gchar *at = strstr (text, definitions);

  fail_unless_equals_string (definitions, "#define A 1\n#define B 1 2\n"
      "#undef A\n#define F(x) (x = 1)\n#undef B\n");
  fail_unless_equals_int (g_strv_length (options), 3);
  fail_unless_equals_string (options[0], "-O2");
  fail_unless_equals_string (options[1], "-Ifolder");
  fail_unless_equals_string (options[2], "-D");
  fail_unless (at && g_str_has_prefix (at + strlen (definitions),
          "# 1 \"k\"\nint x;"));
  fail_unless (g_str_has_prefix (text, hip_prelude_text));
  hip_kernel_scan_free (scan);
  g_strfreev (options);
}

GST_END_TEST;

#define X "int x = blockIdx.x * blockDim.x + threadIdx.x;"
#define Y "int y = blockIdx.y * blockDim.y + threadIdx.y;"
#define P "(const int *p, int w, int h, S s) { "

static const struct
{
  const gchar *body;            /* after P */
  const gchar *wanted;          /* conditions, each in <>; "": no guard */
} guards[] = {
  {X Y "if (x >= w || y >= h) return; p[x]; }", "<x >= w || y >= h>"},
  {X Y "if (x < w && y < h) { f (x); } else g (); h (); }", "<x < w && y < h>"},
  {X "if (x > w) return; " Y "if (y >= h) { return; } if (x >= h) return; }",
      "<x > w><y >= h><x >= h>"},
  {"const unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, "
        "j = (blockIdx.z * blockDim.z + threadIdx.z); /* here */ "
        "if (i /* too */ < s.width / 2 - 1 && j <= 7) f (); }",
      "<i /* too */ < s.width / 2 - 1 && j <= 7>"},
  {"long x = (int) (blockIdx.x * blockDim.x + threadIdx.x); "
        "if (x >= (w + 1) * 2) f (); }", "<x >= (w + 1) * 2>"},
  /* not the same for all before one that passes */
  {X "if (x % 3 == 1) return; }", ""},
  {X "if (x <= w || x >= h) return; }", ""},
  {X "if (x < w) return; }", "<x < w>"},
  {X "if (x >= w && x >= h) return; }", ""},
  {X "if (x < w || x < h) f (); }", ""},
  {X "if (!(x < w)) return; }", ""},
  {X "if (x >= w - x) return; }", ""},
  {X "if (x >= w == 1) return; }", ""},
  {X "if (x << w) return; }", ""},
  {X "if (x >= w, 0) return; }", ""},
  {X "if (x >= w ? h : w) return; }", ""},
  {"int x = 100 - (blockIdx.x * blockDim.x + threadIdx.x); "
        "if (x >= w) return; }", ""},
  {"char x = blockIdx.x * blockDim.x + threadIdx.x; if (x >= w) return; }", ""},
  {"int x = blockIdx.x * blockDim.y + threadIdx.x; if (x >= w) return; }", ""},
  /* what another thread can change, or what does something */
  {X "if (x >= *p) return; }", ""},
  {X "if (x >= p[0]) return; }", ""},
  {X "if (x >= 2 * *s.p) return; }", ""},
  {X "if (x >= s.f ()) return; }", ""},
  {X "if (x >= global) return; }", ""},
  {X "if (x >= f (w)) return; }", ""},
  {X "if (x >= w++) return; }", ""},
  {X "if (x++ >= w) return; }", ""},
  {X "w = 3; if (x >= w) return; }", ""},
  {X "if (x >= (w = 3)) return; }", ""},
  /* not at the beginning, or not all of it */
  {X "f (x); if (x >= w) return; }", ""},
  {X "while (x >= w) return; }", ""},
  {X "{ if (x >= w) return; } }", ""},
  {X "if constexpr (x >= w) return; }", ""},
  {"\n#if A\n" X "\n#endif\n if (x >= w) return; }", ""},
  {X "\n#if A\n if (x >= w) return;\n#endif\n }", ""},
  {X "if (x >= w", ""},
  {X "if (x >= ) return; }", ""},
  {X "if (x >= w ||) return; }", ""},
  {X "if () return; }", ""},
  {"if (x >= w) return; }", ""},
  {"", ""},
};

GST_START_TEST (test_guards)
{
  g_autofree gchar *source = g_strconcat (K "k" P, guards[__i__].body, NULL);
  HipKernelScan *scan = scan_text (source);
  g_autoptr (GString) found = g_string_new (NULL);
  gboolean any = FALSE;

  for (guint i = 0; i < scan->kernels->len; i++) {
    HipScanKernel *kernel = &g_array_index (scan->kernels, HipScanKernel, i);

    for (guint j = 0; j < kernel->guards->len; j++) {
      HipScanGuard *guard = &g_array_index (kernel->guards, HipScanGuard, j);

      g_string_append_printf (found, "<%.*s>",
          (int) (guard->end - guard->begin), source + guard->begin);
    }
    any |= kernel->inside != NULL;
  }
  fail_unless (strcmp (found->str, guards[__i__].wanted) == 0,
      "found %s, not %s, in:\n%s", found->str, guards[__i__].wanted, source);
  fail_unless_equals_int (any, found->len > 0);
  hip_kernel_scan_free (scan);
}

GST_END_TEST;

/* Only for the host, and no line moves */
GST_START_TEST (test_guard_text)
{
  static const gchar source[] = K "k (int w, // wide\n  int h)\n{ " X
      "\n  if (x >= w) // out\n    return;\n  if (x < h)\n f ();\n}\n";

  for (gint host = 0; host < 2; host++) {
    g_autofree gchar *text = compose (source, host);
    const gchar *user = strstr (text, "# 1 \"a \\\"b\\\".hip\"\n");
    g_auto (GStrv) lines = g_strsplit (strchr (user, '\n') + 1, "\n", -1);

    fail_unless_equals_string (lines[3], host ?
        "  if (GST_HIP_STAYS_OUT (x >= w)) // out" : "  if (x >= w) // out");
    fail_unless_equals_string (lines[5], host ?
        "  if (!GST_HIP_STAYS_OUT (!(x < h)))" : "  if (x < h)");
    fail_unless_equals_int (strstr (lines[7], "bool gst_hip_inside_k "
            "(GST_HIP_CTX, int w, int h) { " X
            " return !(x >= w) && (x < h); } GST_HIP_GUARDED_KERNEL (k, 0, ")
        != NULL, host);
  }
}

GST_END_TEST;

static Suite *
kernel_scan_suite (void)
{
  Suite *s = suite_create ("kernel-scan");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_kernels);
  tcase_add_test (tc, test_params);
  tcase_add_test (tc, test_const);
  tcase_add_test (tc, test_not_code);
  tcase_add_test (tc, test_broken);
  tcase_add_test (tc, test_flags);
  tcase_add_test (tc, test_long);
  tcase_add_test (tc, test_lines);
  tcase_add_test (tc, test_definitions);
  tcase_add_loop_test (tc, test_guards, 0, G_N_ELEMENTS (guards));
  tcase_add_test (tc, test_guard_text);
  return s;
}

GST_CHECK_MAIN (kernel_scan);
