/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What kernels compute: every group of functions of the common subset against
 * the C library or arithmetic on the CPU, on the device that
 * GST_HIP_TEST_VENDOR names. The source is made from the same rows that are
 * checked, so that a function cannot be in one and not in the other.
 */
#include <math.h>
#include <string.h>

#include "vendor.h"

#define N 4096

#define assert_ok(call) \
  G_STMT_START { \
    GError *error = NULL; \
    gboolean ok = (call); \
    fail_unless (ok, "%s: %s", #call, error ? error->message : "no error set"); \
    fail_if (error); \
  } G_STMT_END

static GstHipDevice *device;

static void
setup (void)
{
  device = conformance_open ();
}

static void
teardown (void)
{
  gst_clear_object (&device);
}

/* Runs kernel "k (const IN *in, OUT *out, int n)" of source over n inputs */
static void
run (const gchar * source, gconstpointer in, gsize in_size, gpointer out,
    gsize out_size, guint n)
{
  g_autoptr (GstHipKernelModule) module = NULL;
  g_autoptr (GstHipKernelArgs) args = gst_hip_kernel_args_new ();
  const guint grid[3] = { (n + 127) / 128, 1, 1 }, block[3] = { 128, 1, 1 };
  GstMemory *a, *b;

  assert_ok ((module = gst_hip_kernel_module_new_from_source (device, source,
              NULL, &error)) != NULL);
  assert_ok ((a = gst_hip_allocator_alloc_linear (NULL, device, in_size,
              &error)) != NULL);
  assert_ok ((b = gst_hip_allocator_alloc_linear (NULL, device, out_size,
              &error)) != NULL);
  {
    GstMapInfo map;

    fail_unless (gst_memory_map (a, &map, GST_MAP_WRITE));
    memcpy (map.data, in, in_size);
    gst_memory_unmap (a, &map);
    fail_unless (gst_memory_map (b, &map, GST_MAP_WRITE));
    memset (map.data, 0x77, out_size);
    gst_memory_unmap (b, &map);
    assert_ok (gst_hip_kernel_args_add_memory (args, a, 0, &error));
    assert_ok (gst_hip_kernel_args_add_memory (args, b, 0, &error));
    gst_hip_kernel_args_add_int32 (args, n);
    assert_ok (gst_hip_kernel_module_launch (module, "k", NULL, grid, block,
            args, &error));
    fail_unless (gst_memory_map (b, &map, GST_MAP_READ));
    memcpy (out, map.data, out_size);
    gst_memory_unmap (b, &map);
  }
  gst_memory_unref (a);
  gst_memory_unref (b);
}

/* --- functions of one or two floating-point numbers --- */

typedef struct
{
  const gchar *expression;      /* of x, and y = 3.7 - x / 2 */
  gdouble low, high;            /* of x */
    gdouble (*wanted) (gdouble x, gdouble y);
} Row;

#define REF(name, expression) \
static gdouble \
ref_##name (gdouble x, gdouble y) \
{ \
  return expression; \
}

/* *INDENT-OFF* */
REF (sqrt, sqrt (x)) REF (rsqrt, 1 / sqrt (x)) REF (cbrt, cbrt (x))
REF (sin, sin (x)) REF (cos, cos (x)) REF (tan, tan (x))
REF (asin, asin (x)) REF (acos, acos (x)) REF (atan, atan (x))
REF (sinh, sinh (x)) REF (cosh, cosh (x)) REF (tanh, tanh (x))
REF (asinh, asinh (x)) REF (acosh, acosh (x)) REF (atanh, atanh (x))
REF (exp, exp (x)) REF (exp2, exp2 (x)) REF (exp10, pow (10, x))
REF (expm1, expm1 (x)) REF (log, log (x)) REF (log2, log2 (x))
REF (log10, log10 (x)) REF (log1p, log1p (x)) REF (erf, erf (x))
REF (erfc, erfc (x)) REF (tgamma, tgamma (x)) REF (lgamma, lgamma (x))
REF (floor, floor (x)) REF (ceil, ceil (x)) REF (trunc, trunc (x))
REF (round, round (x)) REF (rint, rint (x)) REF (fabs, fabs (x))
REF (fmin, fmin (x, y)) REF (fmax, fmax (x, y)) REF (fmod, fmod (x, y))
REF (pow, pow (x, y)) REF (atan2, atan2 (x, y)) REF (hypot, hypot (x, y))
REF (copysign, copysign (x, y)) REF (fdim, fdim (x, y))
REF (fma, x * y + 1.25) REF (remainder, remainder (x, y)) REF (div, x / y)
REF (sinpi, sin (G_PI * x)) REF (cospi, cos (G_PI * x))
REF (saturate, x < 0 ? 0 : x > 1 ? 1 : x) REF (half, x / 2)
REF (recip, 1 / x) REF (ldexp, x * 8) REF (sum, x + y)

static const Row float_rows[] = {
  {"sqrtf (x)", 0, 50, ref_sqrt}, {"sqrt (x)", 0, 50, ref_sqrt},
  {"rsqrtf (x)", 0.1, 50, ref_rsqrt}, {"cbrtf (x)", -9, 50, ref_cbrt},
  {"sinf (x)", -9, 9, ref_sin}, {"sin (x)", -9, 9, ref_sin},
  {"cosf (x)", -9, 9, ref_cos}, {"tanf (x)", -1.4, 1.4, ref_tan},
  {"asinf (x)", -1, 1, ref_asin}, {"acosf (x)", -1, 0.9, ref_acos},
  {"atanf (x)", -9, 9, ref_atan}, {"sinhf (x)", -3, 3, ref_sinh},
  {"coshf (x)", -3, 3, ref_cosh}, {"tanhf (x)", -3, 3, ref_tanh},
  {"asinhf (x)", -9, 9, ref_asinh}, {"acoshf (x)", 1.1, 9, ref_acosh},
  {"atanhf (x)", -0.9, 0.9, ref_atanh}, {"expf (x)", -9, 9, ref_exp},
  {"exp2f (x)", -9, 9, ref_exp2}, {"exp10f (x)", -5, 5, ref_exp10},
  {"expm1f (x)", -3, 3, ref_expm1}, {"logf (x)", 0.01, 50, ref_log},
  {"log (x)", 0.01, 50, ref_log}, {"log2f (x)", 0.01, 50, ref_log2},
  {"log10f (x)", 0.01, 50, ref_log10}, {"log1pf (x)", -0.5, 9, ref_log1p},
  {"erff (x)", -3, 3, ref_erf}, {"erfcf (x)", -2, 2, ref_erfc},
  {"tgammaf (x)", 0.5, 9, ref_tgamma}, {"lgammaf (x)", 2.5, 9, ref_lgamma},
  {"floorf (x)", -9, 9, ref_floor}, {"ceilf (x)", -9, 9, ref_ceil},
  {"truncf (x)", -9, 9, ref_trunc}, {"roundf (x)", -8, 8, ref_round},
  {"rintf (x)", -8, 8, ref_rint}, {"nearbyintf (x)", -8, 8, ref_rint},
  {"fabsf (x)", -9, 9, ref_fabs}, {"abs (x)", -9, 9, ref_fabs},
  {"fminf (x, y)", -9, 9, ref_fmin}, {"fmaxf (x, y)", -9, 9, ref_fmax},
  {"min (x, y)", -9, 9, ref_fmin}, {"max (x, y)", -9, 9, ref_fmax},
  {"fmodf (x, y)", -9, 2, ref_fmod}, {"powf (x, y)", 0.1, 9, ref_pow},
  {"atan2f (x, y)", -9, 9, ref_atan2}, {"hypotf (x, y)", -9, 9, ref_hypot},
  {"copysignf (x, y)", -9, 20, ref_copysign}, {"fdimf (x, y)", -9, 9, ref_fdim},
  {"fmaf (x, y, 1.25f)", -9, 2, ref_fma}, {"x / y", -9, 7, ref_div},
  {"__fdividef (x, y)", -9, 7, ref_div}, {"__fdiv_rn (x, y)", -9, 7, ref_div},
  {"sinpif (x)", -9, 9, ref_sinpi}, {"cospif (x)", -9, 9, ref_cospi},
  {"__saturatef (x)", -2, 2, ref_saturate}, {"__fmul_rn (x, 0.5f)", -9, 9, ref_half},
  {"__frcp_rn (x)", 0.1, 9, ref_recip}, {"ldexpf (x, 3)", -9, 9, ref_ldexp},
  {"__fadd_rn (x, y)", -9, 9, ref_sum}, {"__fsqrt_rn (x)", 0, 9, ref_sqrt},
  {"__fmaf_rn (x, y, 1.25f)", -9, 2, ref_fma},
};

static const Row double_rows[] = {
  {"sqrt (x)", 0, 50, ref_sqrt}, {"rsqrt (x)", 0.1, 50, ref_rsqrt},
  {"cbrt (x)", -9, 50, ref_cbrt}, {"sin (x)", -9, 9, ref_sin},
  {"cos (x)", -9, 9, ref_cos}, {"tan (x)", -1.4, 1.4, ref_tan},
  {"asin (x)", -1, 1, ref_asin}, {"acos (x)", -1, 0.9, ref_acos},
  {"atan (x)", -9, 9, ref_atan}, {"sinh (x)", -3, 3, ref_sinh},
  {"cosh (x)", -3, 3, ref_cosh}, {"tanh (x)", -3, 3, ref_tanh},
  {"exp (x)", -9, 9, ref_exp}, {"exp2 (x)", -9, 9, ref_exp2},
  {"exp10 (x)", -5, 5, ref_exp10}, {"log (x)", 0.01, 50, ref_log},
  {"log2 (x)", 0.01, 50, ref_log2}, {"log10 (x)", 0.01, 50, ref_log10},
  {"erf (x)", -3, 3, ref_erf}, {"floor (x)", -9, 9, ref_floor},
  {"ceil (x)", -9, 9, ref_ceil}, {"trunc (x)", -9, 9, ref_trunc},
  {"round (x)", -8, 8, ref_round}, {"rint (x)", -8, 8, ref_rint},
  {"fabs (x)", -9, 9, ref_fabs}, {"abs (x)", -9, 9, ref_fabs},
  {"fmin (x, y)", -9, 9, ref_fmin}, {"fmax (x, y)", -9, 9, ref_fmax},
  {"min (x, y)", -9, 9, ref_fmin}, {"max (x, y)", -9, 9, ref_fmax},
  {"pow (x, y)", 0.1, 9, ref_pow}, {"atan2 (x, y)", -9, 9, ref_atan2},
  {"hypot (x, y)", -9, 9, ref_hypot}, {"fma (x, y, 1.25)", -9, 2, ref_fma},
  {"fmod (x, y)", -9, 2, ref_fmod}, {"remainder (x, y)", -9, 2, ref_remainder},
};
/* *INDENT-ON* */

static gdouble
row_input (const Row * row, guint i)
{
  return row->low + (row->high - row->low) * i / (N - 1);
}

static void
check_rows (const Row * rows, guint n_rows, gboolean is_double)
{
  const gchar *type = is_double ? "double" : "float";
  gsize size = is_double ? sizeof (gdouble) : sizeof (gfloat);
  g_autoptr (GString) source = g_string_new (NULL);
  g_autofree gdouble *x = g_new0 (gdouble, n_rows * N);
  g_autofree gfloat *in = g_new0 (gfloat, n_rows * N);
  g_autofree guint8 *out = g_malloc (n_rows * N * size);
  gdouble tolerance = is_double ? 1e-13 : 4e-6;

  g_string_printf (source, "extern \"C\" __global__ void\n"
      "k (const %s *in, %s *out, int n)\n{\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n)\n    return;\n"
      "  %s x = in[i], y = (%s) 3.7 - x / 2, z = 0;\n"
      "  switch (i / %d) {\n", type, type, type, type, N);
  for (guint r = 0; r < n_rows; r++) {
    g_string_append_printf (source, "    case %u: z = %s; break;\n", r,
        rows[r].expression);
    for (guint i = 0; i < N; i++) {
      in[r * N + i] = row_input (&rows[r], i);
      x[r * N + i] = is_double ? row_input (&rows[r], i) : in[r * N + i];
    }
  }
  g_string_append (source, "  }\n  out[i] = z;\n}\n");
  run (source->str, is_double ? (gpointer) x : (gpointer) in,
      n_rows * N * size, out, n_rows * N * size, n_rows * N);

  for (guint i = 0; i < n_rows * N; i++) {
    const Row *row = &rows[i / N];
    gdouble y = is_double ? 3.7 - x[i] / 2 : 3.7f - (gfloat) x[i] / 2;
    gdouble wanted = row->wanted (x[i], y);
    gdouble got = is_double ? ((gdouble *) out)[i] : ((gfloat *) out)[i];
    gdouble scale = MAX (fabs (wanted), 1);

    fail_unless (fabs (got - wanted) <= tolerance * scale,
        "%s with x = %.9g, y = %.9g is %.17g, not %.17g", row->expression,
        x[i], y, got, wanted);
  }
}

GST_START_TEST (test_float)
{
  check_rows (float_rows, G_N_ELEMENTS (float_rows), FALSE);
}

GST_END_TEST;

GST_START_TEST (test_double)
{
  check_rows (double_rows, G_N_ELEMENTS (double_rows), TRUE);
}

GST_END_TEST;

/* --- integers --- */

#define INTEGER_ROWS 26

static const gchar integer_source[] = "extern \"C\" __global__ void\n"
    "k (const unsigned *in, unsigned *out, int n)\n{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n)\n    return;\n"
    "  unsigned x = in[i], y = in[(i + 1) % n], *o = out + i * 26;\n"
    "  unsigned long long w = (unsigned long long) x << 32 | y;\n"
    "  int s = (int) x, t = (int) y;\n"
    "  o[0] = __popc (x); o[1] = __popcll (w); o[2] = __clz (s);\n"
    "  o[3] = __clzll ((long long) w); o[4] = __ffs (s); o[5] = __brev (x);\n"
    "  o[6] = __umulhi (x, y); o[7] = (unsigned) __mulhi (s, t);\n"
    "  o[8] = __umul24 (x, y); o[9] = (unsigned) __mul24 (s, t);\n"
    "  o[10] = __byte_perm (x, y, 0x3715); o[11] = __usad (x, y, 5u);\n"
    "  o[12] = __uhadd (x, y); o[13] = (unsigned) __hadd (s, t);\n"
    "  o[14] = min (x, y); o[15] = max (x, y);\n"
    "  o[16] = (unsigned) min (s, t); o[17] = (unsigned) max (s, t);\n"
    "  o[18] = (unsigned) abs (s); o[19] = __urhadd (x, y);\n"
    "  unsigned long long h = __umul64hi (w, w);\n"
    "  o[20] = (unsigned) (h >> 32); o[21] = (unsigned) h;\n"
    "  unsigned long long b = __brevll (w);\n"
    "  o[22] = (unsigned) (b >> 32); o[23] = (unsigned) b;\n"
    "  o[24] = __ffsll ((long long) w); o[25] = __float_as_int (__int_as_float (s & 0x3fffffff));\n"
    "}\n";

static guint
reverse_bits (guint x)
{
  guint out = 0;

  for (guint i = 0; i < 32; i++)
    out |= (x >> i & 1) << (31 - i);
  return out;
}

static gint
sign_24 (guint x)
{
  return (gint) (x << 8) >> 8;
}

/* Bits from the lowest one: 0 if there is none */
static guint
first_set (guint64 x)
{
  guint n = 0;

  if (x == 0)
    return 0;
  while (!(x >> n & 1))
    n++;
  return n + 1;
}

static guint
count_set (guint64 x)
{
  guint n = 0;

  for (; x; x &= x - 1)
    n++;
  return n;
}

static guint
leading_zeros (guint64 x, guint bits)
{
  guint n = 0;

  while (n < bits && !(x >> (bits - 1 - n) & 1))
    n++;
  return n;
}

static void
integer_wanted (guint x, guint y, guint * o)
{
  guint64 w = (guint64) x << 32 | y, b;
  guint64 low = w & 0xffffffffu, high = w >> 32;
  gint s = x, t = y;
  guint8 bytes[8];

  for (guint i = 0; i < 8; i++)
    bytes[i] = ((guint64) y << 32 | x) >> (8 * i);
  o[0] = count_set (x);
  o[1] = count_set (w);
  o[2] = leading_zeros (x, 32);
  o[3] = leading_zeros (w, 64);
  o[4] = first_set (x);
  o[5] = reverse_bits (x);
  o[6] = (guint64) x *y >> 32;
  o[7] = (gint64) s *t >> 32;
  o[8] = (x & 0xffffff) * (y & 0xffffff);
  o[9] = (guint) ((gint64) sign_24 (x) * sign_24 (y));
  o[10] = bytes[5] | bytes[1] << 8 | bytes[7] << 16 | (guint) bytes[3] << 24;
  o[11] = (x > y ? x - y : y - x) + 5;
  o[12] = ((guint64) x + y) >> 1;
  o[13] = ((gint64) s + t) >> 1;
  o[14] = MIN (x, y);
  o[15] = MAX (x, y);
  o[16] = MIN (s, t);
  o[17] = MAX (s, t);
  o[18] = s < 0 ? 0u - x : x;
  o[19] = ((guint64) x + y + 1) >> 1;
  /* schoolbook, 32 bits at a time */
  b = high * low + (low * low >> 32);
  b = high * high + (b >> 32) + ((high * low + (b & 0xffffffffu)) >> 32);
  o[20] = b >> 32;
  o[21] = b;
  o[22] = reverse_bits (y);
  o[23] = reverse_bits (x);
  o[24] = first_set (w);
  o[25] = x & 0x3fffffff;
}

GST_START_TEST (test_integer)
{
  static const guint corners[] = { 0, 1, 2, 0x7fffffff, 0x80000001, 0xffffffff,
    0x800000, 0xffffff, 0x55555555
  };
  g_autofree guint *in = g_new (guint, N);
  g_autofree guint *out = g_new (guint, N * INTEGER_ROWS);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20240611);
  guint wanted[INTEGER_ROWS];

  for (guint i = 0; i < N; i++)
    in[i] = i < G_N_ELEMENTS (corners) ? corners[i] :
        g_rand_int (rand) >> g_rand_int_range (rand, 0, 32);
  run (integer_source, in, N * sizeof (guint), out,
      N * INTEGER_ROWS * sizeof (guint), N);
  for (guint i = 0; i < N; i++) {
    integer_wanted (in[i], in[(i + 1) % N], wanted);
    for (guint r = 0; r < INTEGER_ROWS; r++)
      fail_unless (out[i * INTEGER_ROWS + r] == wanted[r],
          "o[%u] of 0x%x, 0x%x is 0x%x, not 0x%x", r, in[i], in[(i + 1) % N],
          out[i * INTEGER_ROWS + r], wanted[r]);
  }
}

GST_END_TEST;

/* --- conversions --- */

static const gchar convert_source[] = "extern \"C\" __global__ void\n"
    "k (const float *in, long long *out, int n)\n{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n)\n    return;\n"
    "  float x = in[i];\n  long long *o = out + 9 * i;\n"
    "  o[0] = __float2int_rn (x); o[1] = __float2int_rz (x);\n"
    "  o[2] = __float2int_ru (x); o[3] = __float2int_rd (x);\n"
    "  o[4] = __float2uint_rn (x); o[5] = __float2uint_rz (x);\n"
    "  o[6] = __float2ll_rn (x); o[7] = __double2int_rn ((double) x);\n"
    "  o[8] = __float_as_int (__int2float_rn (__float2int_rd (x)));\n" "}\n";

static gint64
clamp_to (gdouble x, gdouble low, gdouble high)
{
  return x != x ? 0 : x <= low ? (gint64) low : x >= high ? (gint64) high :
      (gint64) x;
}

GST_START_TEST (test_convert)
{
  static const gfloat corners[] = { 0, -0.5f, 0.5f, 1.5f, 2.5f, -1.5f, 1e9f,
    3e9f, -3e9f, 5e9f, 2147483648.0f, -2147483648.0f, 4294967296.0f, 1e30f,
    -1e30f, 0.49999997f, INFINITY, -INFINITY, NAN
  };
  const guint n = 1024;
  g_autofree gfloat *in = g_new (gfloat, n);
  g_autofree gint64 *out = g_new (gint64, n * 9);

  for (guint i = 0; i < n; i++)
    in[i] = i < G_N_ELEMENTS (corners) ? corners[i] :
        ((gint) i - 500) * 12.3456f;
  run (convert_source, in, n * sizeof (gfloat), out, n * 9 * sizeof (gint64),
      n);
  for (guint i = 0; i < n; i++) {
    gdouble x = in[i];
    gfloat back = (gfloat) (gint) clamp_to (floor (x), G_MININT32, G_MAXINT32);
    gint bits;
    gint64 wanted[9] = {
      clamp_to (rint (x), G_MININT32, G_MAXINT32),
      clamp_to (trunc (x), G_MININT32, G_MAXINT32),
      clamp_to (ceil (x), G_MININT32, G_MAXINT32),
      clamp_to (floor (x), G_MININT32, G_MAXINT32),
      clamp_to (rint (x), 0, G_MAXUINT32),
      clamp_to (trunc (x), 0, G_MAXUINT32),
      x >= 9.2e18 ? G_MAXINT64 : x <= -9.2e18 ? G_MININT64 :
          clamp_to (rint (x), -9.3e18, 9.3e18),
      clamp_to (rint (x), G_MININT32, G_MAXINT32),
    };

    memcpy (&bits, &back, sizeof (bits));
    wanted[8] = bits;
    for (guint r = 0; r < 9; r++) {
      /* What conversions to or from 64 bits make of a NaN differs among
       * devices: 0 here, the smallest integer on sm_90. */
      if ((r == 6 || r == 7) && x != x)
        continue;
      fail_unless (out[i * 9 + r] == wanted[r],
          "o[%u] of %g is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, r, x,
          out[i * 9 + r], wanted[r]);
    }
  }
}

GST_END_TEST;

/* --- half precision: all values, and everything around their borders --- */

static const gchar half_source[] = "extern \"C\" __global__ void\n"
    "k (const float *in, unsigned short *out, int n)\n{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n)\n    return;\n"
    "  __half h = __float2half (in[i]);\n"
    "  out[3 * i] = __half_as_ushort (h);\n"
    "  out[3 * i + 1] = __half_as_ushort (__float2half_rn (__half2float (h)));\n"
    "  out[3 * i + 2] = gst_hip_bf16_from_float (in[i]);\n" "}\n";

/* The value of the bits, by the definition of the format */
static gdouble
half_value (guint bits, gint fraction_bits, gint exponent_bits)
{
  gint exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  gint bias = (1 << (exponent_bits - 1)) - 1;
  gdouble fraction = (bits & ((1 << fraction_bits) - 1)) /
      (gdouble) (1 << fraction_bits);

  return exponent ? ldexp (1 + fraction, exponent - bias) :
      ldexp (fraction, 1 - bias);
}

/* x to nearest even among the finite values, which grow with their bits */
static guint
half_wanted (gdouble x, gint fraction_bits, gint exponent_bits)
{
  guint sign = signbit (x) ? 0x8000 : 0, low = 0;
  guint high = ((1u << exponent_bits) - 1) << fraction_bits;    /* infinity */
  gdouble a = fabs (x), middle;

  while (high - low > 1) {
    guint half = (low + high) / 2;

    if (half_value (half, fraction_bits, exponent_bits) <= a)
      low = half;
    else
      high = half;
  }
  middle = (half_value (low, fraction_bits, exponent_bits) +
      half_value (high, fraction_bits, exponent_bits)) / 2;
  return sign | (a > middle || (a == middle && low & 1) ? high : low);
}

GST_START_TEST (test_half)
{
  const guint n = 3 * 0x7c00 * 2;
  g_autofree gfloat *in = g_new (gfloat, n);
  g_autofree guint16 *out = g_new (guint16, n * 3);

  for (guint i = 0; i < n; i++) {
    guint bits = i / 6;
    gdouble here = half_value (bits, 10, 5), next = half_value (bits + 1, 10,
        5);
    gfloat middle = (here + next) / 2;

    switch (i / 2 % 3) {
      case 0:
        in[i] = here;
        break;
      case 1:
        in[i] = middle;
        break;
      default:
        in[i] = bits & 8 ? nextafterf (middle, 0) : nextafterf (middle, 1e9f);
        break;
    }
    if (i & 1)
      in[i] = -in[i];
  }
  run (half_source, in, n * sizeof (gfloat), out, n * 3 * sizeof (guint16), n);
  for (guint i = 0; i < n; i++) {
    guint half = half_wanted (in[i], 10, 5), bf16 = half_wanted (in[i], 7, 8);

    fail_unless (out[3 * i] == half, "%.9g becomes half 0x%x, not 0x%x", in[i],
        out[3 * i], half);
    fail_unless (out[3 * i + 1] == half, "half 0x%x comes back as 0x%x", half,
        out[3 * i + 1]);
    fail_unless (out[3 * i + 2] == bf16, "%.9g becomes bfloat16 0x%x, not 0x%x",
        in[i], out[3 * i + 2], bf16);
  }
}

GST_END_TEST;

/* --- vectors, constants, static shared memory --- */

static const gchar vector_source[] =
    "__constant__ float weights[3] = { 0.25f, 0.5f, 0.125f };\n"
    "static __constant__ int offset = 3;\n"
    "template <typename T> __device__ T twice (T x) { return x + x; }\n"
    "extern \"C\" __global__ void\n"
    "k (const uchar4 *in, float4 *out, int n)\n{\n"
    "  __shared__ uchar4 tile[128];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  tile[threadIdx.x] = i < n ? in[i] : make_uchar4 (0, 0, 0, 0);\n"
    "  __syncthreads ();\n"
    "  if (i >= n)\n    return;\n"
    "  uchar4 v = tile[threadIdx.x ^ 1];\n"
    "  dim3 d (2, 3);\n"
    "  int3 c = make_int3 (d.x, d.y, d.z);\n"
    "  out[i] = make_float4 (v.x * weights[0], twice (v.y * weights[1]),\n"
    "      v.z * weights[2] + offset, v.w + c.x * c.y * c.z);\n" "}\n";

GST_START_TEST (test_vectors)
{
  const guint n = 1000;
  g_autofree guint8 *in = g_malloc (n * 4);
  g_autofree gfloat *out = g_new (gfloat, n * 4);

  for (guint i = 0; i < n * 4; i++)
    in[i] = i * 7 + i / 256;
  run (vector_source, in, n * 4, out, n * 16, n);
  for (guint i = 0; i < n; i++) {
    const guint8 *v = in + 4 * (i ^ 1);

    fail_unless (out[4 * i] == v[0] * 0.25f && out[4 * i + 1] == v[1]
        && out[4 * i + 2] == v[2] * 0.125f + 3 && out[4 * i + 3] == v[3] + 6,
        "%u", i);
  }
}

GST_END_TEST;

static Suite *
kernel_functions_suite (void)
{
  Suite *s = suite_create ("kernel-functions");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_float);
  tcase_add_test (tc, test_double);
  tcase_add_test (tc, test_integer);
  tcase_add_test (tc, test_convert);
  tcase_add_test (tc, test_half);
  tcase_add_test (tc, test_vectors);
  return s;
}

CONFORMANCE_MAIN (kernel_functions);
