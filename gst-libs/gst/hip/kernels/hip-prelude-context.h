/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which thread is this? threadIdx and its like, barriers and dynamic shared
 * memory on the host.
 *
 * Each kernel has a hidden first parameter that shadows the thread-local
 * object of the same name. So in kernels the indices are local values that the
 * compiler sees through, and in other functions they still mean the calling
 * thread. */
#pragma once

struct GstHipContext
{
  uint3 thread_idx, block_idx;
  dim3 block_dim, grid_dim;
  unsigned char *shared;
  const GstHipHostLaunch *launch;
  bool inside;                  /* the thread is known to pass the kernel's guards */
};

static thread_local GstHipContext gst_hip_ctx __attribute__ ((unused));

#define GST_HIP_CTX const GstHipContext gst_hip_ctx __attribute__ ((unused))

#define threadIdx (gst_hip_ctx.thread_idx)
#define blockIdx (gst_hip_ctx.block_idx)
#define blockDim (gst_hip_ctx.block_dim)
#define gridDim (gst_hip_ctx.grid_dim)
#define warpSize 1

/* Round the condition of a guard. clang makes use of knowing what does not happen; g++ 12 does not vectorise then. */
GST_HIP_INLINE bool
gst_hip_stays_out (bool inside, bool out)
{
#ifdef __clang__
  if (inside && out)
    __builtin_unreachable ();
#endif
  return !inside && out;
}

#define GST_HIP_STAYS_OUT(...) gst_hip_stays_out (gst_hip_ctx.inside, (__VA_ARGS__))

/* Other threads of the block run meanwhile: the thread-local context is theirs afterwards. */
GST_HIP_INLINE void
gst_hip_barrier (const GstHipContext & here)
{
  const GstHipContext mine = here;

  __asm__ volatile ("" ::: "memory");
  mine.launch->barrier (mine.launch->fibers);
  __asm__ volatile ("" ::: "memory");
  ::gst_hip_ctx = mine;
}

#define __syncthreads() gst_hip_barrier (gst_hip_ctx)

GST_HIP_INLINE void __threadfence () { __atomic_thread_fence (__ATOMIC_SEQ_CST); }
GST_HIP_INLINE void __threadfence_block () { __atomic_thread_fence (__ATOMIC_SEQ_CST); }
GST_HIP_INLINE void __threadfence_system () { __atomic_thread_fence (__ATOMIC_SEQ_CST); }

/* `extern __shared__ T name[]dimensions;` in a function is a pointer; outside one, an object that becomes that pointer */
#define GST_HIP_DYNAMIC_SHARED(name, dimensions, ...) \
  typedef __VA_ARGS__ gst_hip_shared_##name dimensions; \
  gst_hip_shared_##name *name = (gst_hip_shared_##name *) gst_hip_ctx.shared

template <typename T> struct GstHipDynamicShared
{
  operator T * () const { return (T *) ::gst_hip_ctx.shared; }
  template <typename U> explicit operator U * () const { return (U *) ::gst_hip_ctx.shared; }
};

#define GST_HIP_DYNAMIC_SHARED_GLOBAL(name, dimensions, ...) \
  typedef __VA_ARGS__ gst_hip_shared_##name dimensions; \
  static const GstHipDynamicShared<gst_hip_shared_##name> name __attribute__ ((unused)) = {}
