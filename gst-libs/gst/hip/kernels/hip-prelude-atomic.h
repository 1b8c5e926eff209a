/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Atomics on the host: real ones, relaxed as on the devices. Each returns the
 * old value. */
#pragma once

template <typename T, typename F> GST_HIP_INLINE T
gst_hip_atomic_update (T *p, F f)
{
  T old, now;

  __atomic_load (p, &old, __ATOMIC_RELAXED);
  do {
    now = f (old);
  } while (!__atomic_compare_exchange (p, &old, &now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

#define GST_HIP_ATOMIC(T) \
  GST_HIP_INLINE T atomicAdd (T *p, T v) { return __atomic_fetch_add (p, v, __ATOMIC_RELAXED); } \
  GST_HIP_INLINE T atomicSub (T *p, T v) { return __atomic_fetch_sub (p, v, __ATOMIC_RELAXED); } \
  GST_HIP_INLINE T atomicAnd (T *p, T v) { return __atomic_fetch_and (p, v, __ATOMIC_RELAXED); } \
  GST_HIP_INLINE T atomicOr (T *p, T v) { return __atomic_fetch_or (p, v, __ATOMIC_RELAXED); } \
  GST_HIP_INLINE T atomicXor (T *p, T v) { return __atomic_fetch_xor (p, v, __ATOMIC_RELAXED); } \
  GST_HIP_INLINE T atomicExch (T *p, T v) { return __atomic_exchange_n (p, v, __ATOMIC_RELAXED); } \
  GST_HIP_INLINE T atomicMin (T *p, T v) { return gst_hip_atomic_update (p, [v] (T old) { return old < v ? old : v; }); } \
  GST_HIP_INLINE T atomicMax (T *p, T v) { return gst_hip_atomic_update (p, [v] (T old) { return old > v ? old : v; }); } \
  GST_HIP_INLINE T atomicCAS (T *p, T expected, T v) \
  { \
    __atomic_compare_exchange_n (p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected; \
  }

GST_HIP_ATOMIC (int)
GST_HIP_ATOMIC (unsigned int)
GST_HIP_ATOMIC (unsigned long long)
GST_HIP_ATOMIC (long long)

#undef GST_HIP_ATOMIC

GST_HIP_INLINE float atomicAdd (float *p, float v) { return gst_hip_atomic_update (p, [v] (float old) { return old + v; }); }
GST_HIP_INLINE double atomicAdd (double *p, double v) { return gst_hip_atomic_update (p, [v] (double old) { return old + v; }); }
GST_HIP_INLINE float atomicExch (float *p, float v) { return gst_hip_atomic_update (p, [v] (float) { return v; }); }
GST_HIP_INLINE unsigned atomicInc (unsigned *p, unsigned limit) { return gst_hip_atomic_update (p, [limit] (unsigned old) { return old >= limit ? 0 : old + 1; }); }
GST_HIP_INLINE unsigned atomicDec (unsigned *p, unsigned limit) { return gst_hip_atomic_update (p, [limit] (unsigned old) { return old == 0 || old > limit ? limit : old - 1; }); }
