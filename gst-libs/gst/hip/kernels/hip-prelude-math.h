/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Single- and double-precision mathematics on the host, under CUDA's names:
 * libm where a function is worth a call, inline code where it should become
 * part of a vector loop. */
#pragma once

/* --- from libm, under the names it has: NAME (double), NAMEf (float), and the overload NAME (float) --- */
#define GST_HIP_MATH1(name) \
  extern "C" double name (double) noexcept; extern "C" float name##f (float) noexcept; \
  GST_HIP_INLINE float name (float x) { return name##f (x); }
#define GST_HIP_MATH2(name) \
  extern "C" double name (double, double) noexcept; extern "C" float name##f (float, float) noexcept; \
  GST_HIP_INLINE float name (float x, float y) { return name##f (x, y); }

GST_HIP_MATH1 (acos) GST_HIP_MATH1 (acosh) GST_HIP_MATH1 (asin) GST_HIP_MATH1 (asinh) GST_HIP_MATH1 (atan)
GST_HIP_MATH1 (atanh) GST_HIP_MATH1 (cbrt) GST_HIP_MATH1 (ceil) GST_HIP_MATH1 (cos) GST_HIP_MATH1 (cosh)
GST_HIP_MATH1 (erf) GST_HIP_MATH1 (erfc) GST_HIP_MATH1 (exp) GST_HIP_MATH1 (exp2) GST_HIP_MATH1 (expm1)
GST_HIP_MATH1 (fabs) GST_HIP_MATH1 (floor) GST_HIP_MATH1 (lgamma) GST_HIP_MATH1 (log) GST_HIP_MATH1 (log10)
GST_HIP_MATH1 (log1p) GST_HIP_MATH1 (log2) GST_HIP_MATH1 (logb) GST_HIP_MATH1 (nearbyint) GST_HIP_MATH1 (rint)
GST_HIP_MATH1 (round) GST_HIP_MATH1 (sin) GST_HIP_MATH1 (sinh) GST_HIP_MATH1 (sqrt) GST_HIP_MATH1 (tan)
GST_HIP_MATH1 (tanh) GST_HIP_MATH1 (tgamma) GST_HIP_MATH1 (trunc)
GST_HIP_MATH2 (atan2) GST_HIP_MATH2 (copysign) GST_HIP_MATH2 (fdim) GST_HIP_MATH2 (fmod) GST_HIP_MATH2 (hypot)
GST_HIP_MATH2 (nextafter) GST_HIP_MATH2 (pow) GST_HIP_MATH2 (remainder)

#undef GST_HIP_MATH1
#undef GST_HIP_MATH2

extern "C" {
double fma (double, double, double) noexcept;
float fmaf (float, float, float) noexcept;
double frexp (double, int *) noexcept;
float frexpf (float, int *) noexcept;
double ldexp (double, int) noexcept;
float ldexpf (float, int) noexcept;
double modf (double, double *) noexcept;
float modff (float, float *) noexcept;
int ilogb (double) noexcept;
int ilogbf (float) noexcept;
long lrint (double) noexcept;
long lrintf (float) noexcept;
long lround (double) noexcept;
long lroundf (float) noexcept;
long long llrint (double) noexcept;
long long llrintf (float) noexcept;
long long llround (double) noexcept;
long long llroundf (float) noexcept;
}

GST_HIP_INLINE float fma (float x, float y, float z) { return fmaf (x, y, z); }
GST_HIP_INLINE float frexp (float x, int *e) { return frexpf (x, e); }
GST_HIP_INLINE float ldexp (float x, int e) { return ldexpf (x, e); }
GST_HIP_INLINE float modf (float x, float *i) { return modff (x, i); }
GST_HIP_INLINE int ilogb (float x) { return ilogbf (x); }
GST_HIP_INLINE float pow (float x, int n) { return powf (x, (float) n); }
GST_HIP_INLINE double pow (double x, int n) { return pow (x, (double) n); }

/* --- classification --- */
template <typename T> GST_HIP_INLINE bool isnan (T x) { return __builtin_isnan (x); }
template <typename T> GST_HIP_INLINE bool isinf (T x) { return __builtin_isinf (x); }
template <typename T> GST_HIP_INLINE bool isfinite (T x) { return __builtin_isfinite (x); }
GST_HIP_INLINE bool signbit (float x) { return __builtin_signbitf (x); }
GST_HIP_INLINE bool signbit (double x) { return __builtin_signbit (x); }

/* --- smaller and larger; a NaN loses, as IEEE's minNum has it --- */
GST_HIP_INLINE float gst_hip_fmin (float a, float b) { return a < b || b != b ? a : b; }
GST_HIP_INLINE float gst_hip_fmax (float a, float b) { return a > b || b != b ? a : b; }
GST_HIP_INLINE double gst_hip_fmin (double a, double b) { return a < b || b != b ? a : b; }
GST_HIP_INLINE double gst_hip_fmax (double a, double b) { return a > b || b != b ? a : b; }
/* Macros, because compilers take functions of these names for libm's and call them */
#define fminf(a, b) gst_hip_fmin ((float) (a), (float) (b))
#define fmaxf(a, b) gst_hip_fmax ((float) (a), (float) (b))
GST_HIP_INLINE float fmin (float a, float b) { return gst_hip_fmin (a, b); }
GST_HIP_INLINE float fmax (float a, float b) { return gst_hip_fmax (a, b); }
GST_HIP_INLINE double fmin (double a, double b) { return gst_hip_fmin (a, b); }
GST_HIP_INLINE double fmax (double a, double b) { return gst_hip_fmax (a, b); }

#define GST_HIP_MINMAX(T, A, B) \
  GST_HIP_INLINE constexpr T min (A a, B b) { return (T) a < (T) b ? (T) a : (T) b; } \
  GST_HIP_INLINE constexpr T max (A a, B b) { return (T) a > (T) b ? (T) a : (T) b; }

GST_HIP_MINMAX (int, int, int)
GST_HIP_MINMAX (unsigned int, unsigned int, unsigned int)
GST_HIP_MINMAX (unsigned int, int, unsigned int)
GST_HIP_MINMAX (unsigned int, unsigned int, int)
GST_HIP_MINMAX (long, long, long)
GST_HIP_MINMAX (unsigned long, unsigned long, unsigned long)
GST_HIP_MINMAX (unsigned long, long, unsigned long)
GST_HIP_MINMAX (unsigned long, unsigned long, long)
GST_HIP_MINMAX (long long, long long, long long)
GST_HIP_MINMAX (unsigned long long, unsigned long long, unsigned long long)
GST_HIP_MINMAX (unsigned long long, long long, unsigned long long)
GST_HIP_MINMAX (unsigned long long, unsigned long long, long long)

#undef GST_HIP_MINMAX

GST_HIP_INLINE float min (float a, float b) { return gst_hip_fmin (a, b); }
GST_HIP_INLINE float max (float a, float b) { return gst_hip_fmax (a, b); }
GST_HIP_INLINE double min (double a, double b) { return gst_hip_fmin (a, b); }
GST_HIP_INLINE double max (double a, double b) { return gst_hip_fmax (a, b); }
GST_HIP_INLINE double min (float a, double b) { return gst_hip_fmin ((double) a, b); }
GST_HIP_INLINE double max (float a, double b) { return gst_hip_fmax ((double) a, b); }
GST_HIP_INLINE double min (double a, float b) { return gst_hip_fmin (a, (double) b); }
GST_HIP_INLINE double max (double a, float b) { return gst_hip_fmax (a, (double) b); }

GST_HIP_INLINE constexpr int abs (int x) { return x < 0 ? -x : x; }
GST_HIP_INLINE constexpr long abs (long x) { return x < 0 ? -x : x; }
GST_HIP_INLINE constexpr long long abs (long long x) { return x < 0 ? -x : x; }
GST_HIP_INLINE constexpr long labs (long x) { return x < 0 ? -x : x; }
GST_HIP_INLINE constexpr long long llabs (long long x) { return x < 0 ? -x : x; }
GST_HIP_INLINE float abs (float x) { return __builtin_fabsf (x); }
GST_HIP_INLINE double abs (double x) { return __builtin_fabs (x); }

/* --- what libm lacks --- */
GST_HIP_INLINE float rsqrtf (float x) { return 1.0f / __builtin_sqrtf (x); }
GST_HIP_INLINE double rsqrt (double x) { return 1.0 / __builtin_sqrt (x); }
GST_HIP_INLINE float rsqrt (float x) { return rsqrtf (x); }
GST_HIP_INLINE float rcbrtf (float x) { return 1.0f / cbrtf (x); }
GST_HIP_INLINE double rcbrt (double x) { return 1.0 / cbrt (x); }
GST_HIP_INLINE float exp10f (float x) { return (float) pow (10.0, (double) x); }
GST_HIP_INLINE double exp10 (double x) { return pow (10.0, x); }
GST_HIP_INLINE void sincosf (float x, float *s, float *c) { *s = sinf (x); *c = cosf (x); }
GST_HIP_INLINE void sincos (double x, double *s, double *c) { *s = sin (x); *c = cos (x); }
GST_HIP_INLINE double sinpi (double x) { return sin (3.14159265358979323846 * remainder (x, 2.0)); }
GST_HIP_INLINE double cospi (double x) { return cos (3.14159265358979323846 * remainder (x, 2.0)); }
GST_HIP_INLINE float sinpif (float x) { return (float) sinpi ((double) x); }
GST_HIP_INLINE float cospif (float x) { return (float) cospi ((double) x); }
GST_HIP_INLINE float rhypotf (float x, float y) { return 1.0f / hypotf (x, y); }
GST_HIP_INLINE double rhypot (double x, double y) { return 1.0 / hypot (x, y); }
GST_HIP_INLINE float fdividef (float x, float y) { return x / y; }
GST_HIP_INLINE float norm3df (float x, float y, float z) { return (float) sqrt ((double) x * x + (double) y * y + (double) z * z); }
GST_HIP_INLINE double norm3d (double x, double y, double z) { return hypot (hypot (x, y), z); }

/* --- fast forms: as exact as the others here --- */
GST_HIP_INLINE float __sinf (float x) { return sinf (x); }
GST_HIP_INLINE float __cosf (float x) { return cosf (x); }
GST_HIP_INLINE float __tanf (float x) { return tanf (x); }
GST_HIP_INLINE float __expf (float x) { return expf (x); }
GST_HIP_INLINE float __exp10f (float x) { return exp10f (x); }
GST_HIP_INLINE float __logf (float x) { return logf (x); }
GST_HIP_INLINE float __log2f (float x) { return log2f (x); }
GST_HIP_INLINE float __log10f (float x) { return log10f (x); }
GST_HIP_INLINE float __powf (float x, float y) { return powf (x, y); }
GST_HIP_INLINE float __fdividef (float x, float y) { return x / y; }
GST_HIP_INLINE void __sincosf (float x, float *s, float *c) { sincosf (x, s, c); }
/* a NaN becomes 0 */
GST_HIP_INLINE float __saturatef (float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

/* --- one operation, rounded once: never made part of a fused one --- */
#ifdef __clang__
#define GST_HIP_ROUNDED _Pragma ("clang fp contract(off)")
#define GST_HIP_ONCE(x) (x)
#else
#define GST_HIP_ROUNDED
#define GST_HIP_ONCE(x) __builtin_assoc_barrier (x)
#endif
GST_HIP_INLINE float __fadd_rn (float x, float y) { GST_HIP_ROUNDED return GST_HIP_ONCE (x + y); }
GST_HIP_INLINE float __fsub_rn (float x, float y) { GST_HIP_ROUNDED return GST_HIP_ONCE (x - y); }
GST_HIP_INLINE float __fmul_rn (float x, float y) { GST_HIP_ROUNDED return GST_HIP_ONCE (x * y); }
GST_HIP_INLINE float __fdiv_rn (float x, float y) { return x / y; }
GST_HIP_INLINE float __frcp_rn (float x) { return 1.0f / x; }
GST_HIP_INLINE float __fsqrt_rn (float x) { return __builtin_sqrtf (x); }
GST_HIP_INLINE float __frsqrt_rn (float x) { return (float) (1.0 / __builtin_sqrt ((double) x)); }
GST_HIP_INLINE float __fmaf_rn (float x, float y, float z) { return __builtin_fmaf (x, y, z); }
GST_HIP_INLINE double __dadd_rn (double x, double y) { GST_HIP_ROUNDED return GST_HIP_ONCE (x + y); }
GST_HIP_INLINE double __dsub_rn (double x, double y) { GST_HIP_ROUNDED return GST_HIP_ONCE (x - y); }
GST_HIP_INLINE double __dmul_rn (double x, double y) { GST_HIP_ROUNDED return GST_HIP_ONCE (x * y); }
GST_HIP_INLINE double __ddiv_rn (double x, double y) { return x / y; }
GST_HIP_INLINE double __dsqrt_rn (double x) { return __builtin_sqrt (x); }
GST_HIP_INLINE double __fma_rn (double x, double y, double z) { return __builtin_fma (x, y, z); }
