/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Keywords and plain types on the host. */
#pragma once

#define GST_HIP_INLINE static inline __attribute__ ((always_inline))
#define GST_HIP_EXPORT __attribute__ ((visibility ("default")))
#define GST_HIP_GLOBAL_DATA GST_HIP_EXPORT

/* A kernel becomes part of the loop over its threads. */
#define __global__ __attribute__ ((always_inline)) inline
#define __device__
#define __host__
#define __constant__ static __attribute__ ((unused))
/* A block runs on one thread of the CPU. */
#define __shared__ thread_local
#define __forceinline__ inline __attribute__ ((always_inline))
#define __noinline__ __attribute__ ((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__ ((aligned (n)))

typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2u + 1u)
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define INFINITY (__builtin_inff ())
#define NAN (__builtin_nanf (""))

extern "C" int printf (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
extern "C" void abort (void) __attribute__ ((noreturn));

/* assert () of the subset: ends the process, as a device ends the context */
#ifdef NDEBUG
#define assert(condition) ((void) 0)
#else
#define assert(condition) ((condition) ? (void) 0 : (printf ("%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition), abort ()))
#endif
