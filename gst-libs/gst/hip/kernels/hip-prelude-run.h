/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How the host runs a kernel: a function for each that unpacks the parameters
 * once and then goes over blocks and threads.
 *
 * Without barriers the threads of a block are a loop, in which threads of one
 * row stand side by side: the kernel is inlined and the loop vectorised. No
 * order among threads is promised, so the compiler may assume that rounds of
 * the loop do not depend on each other. Where blocks have no memory of their
 * own either, narrow blocks that are neighbours share that loop, since a row of
 * 16 threads is less than a vector of bytes. With barriers, threads are handed
 * to the library's fibers. */
#pragma once

template <typename F, F f, typename G, G inside, bool barrier, bool sync, bool shared> struct GstHipRun;

/* Without masked stores of bytes, clang's vectors of guarded pixels are slower
 * than none: it is not asked for them there (clang 14, x86-64-v3, 2026-12). */
#if defined (__clang__) && defined (__x86_64__) && !defined (__AVX512BW__)
#define GST_HIP_INDEPENDENT
#define GST_HIP_MERGED_CHUNK 16
#elif defined (__clang__)
#define GST_HIP_INDEPENDENT _Pragma ("clang loop vectorize(assume_safety) unroll(disable)")
#define GST_HIP_MERGED_CHUNK 16
#else
#define GST_HIP_MERGED_CHUNK 64
#define GST_HIP_INDEPENDENT _Pragma ("GCC ivdep")
#endif

/* Without guards they pay. What clang makes of a pixel's neighbours is 1.6 times as fast where it knows that x is not
 * negative; g++ does worse then (clang 14, g++ 12, 2026-12). */
#ifdef __clang__
#define GST_HIP_INDEPENDENT_INSIDE _Pragma ("clang loop vectorize(assume_safety) unroll(disable)")
#define GST_HIP_NOT_NEGATIVE(x) do { if ((x) < 0) __builtin_unreachable (); } while (0)
#else
#define GST_HIP_INDEPENDENT_INSIDE _Pragma ("GCC ivdep")
#define GST_HIP_NOT_NEGATIVE(x) do { } while (0)
#endif

GST_HIP_INLINE void
gst_hip_first_block (GstHipContext & c, const GstHipHostLaunch & l, unsigned long long begin)
{
  c.grid_dim = dim3 (l.grid[0], l.grid[1], l.grid[2]);
  c.block_dim = dim3 (l.block[0], l.block[1], l.block[2]);
  c.thread_idx = { 0, 0, 0 };
  c.block_idx.x = (unsigned) (begin % l.grid[0]);
  c.block_idx.y = (unsigned) (begin / l.grid[0] % l.grid[1]);
  c.block_idx.z = (unsigned) (begin / l.grid[0] / l.grid[1]);
  c.shared = l.shared;
  c.launch = &l;
}

GST_HIP_INLINE void
gst_hip_next_block (GstHipContext & c)
{
  if (++c.block_idx.x < c.grid_dim.x)
    return;
  c.block_idx.x = 0;
  if (++c.block_idx.y < c.grid_dim.y)
    return;
  c.block_idx.y = 0;
  ++c.block_idx.z;
}

/* Threads as a loop */
template <typename... A, void (*f) (GstHipContext, A...), bool (*inside) (GstHipContext, A...), bool sync, bool shared>
struct GstHipRun<void (*) (GstHipContext, A...), f, bool (*) (GstHipContext, A...), inside, false, sync, shared>
{
  GST_HIP_INLINE void
  thread (GstHipContext c, unsigned x, A... a)
  {
    c.thread_idx.x = x;
    if (sync)
      ::gst_hip_ctx = c;
    f (c, a...);
  }

  /* In all that follows, a row is one of one block, or (width > 0) one of blocks that are neighbours, each width threads
   * wide. The context is copied once on the way to a thread: g++ sees through no more. */

  template <unsigned width> GST_HIP_INLINE constexpr unsigned
  divisor ()
  {
    return width ? width : 1;
  }

  template <unsigned width> GST_HIP_INLINE bool
  is_inside (GstHipContext c, unsigned x, A... a)
  {
    if (width)
      c.block_idx.x = x / divisor<width> ();
    c.thread_idx.x = width ? x % divisor<width> () : x;
    return inside (c, a...);
  }

  /* The first thread of [begin, end) that does not pass the guards: those behind it do not either */
  template <unsigned width> GST_HIP_INLINE int
  inside_end (const GstHipContext & c, int begin, int end, A... a)
  {
    if (begin >= end || is_inside<width> (c, end - 1, a...))
      return end;
    while (begin < end) {
      const int middle = begin + (end - begin) / 2;

      if (is_inside<width> (c, middle, a...))
        begin = middle + 1;
      else
        end = middle;
    }
    return end;
  }

  /* A kernel with guards: threads that pass them run as a loop in plain C would */
  template <unsigned width> GST_HIP_INLINE void
  guarded (GstHipContext c, int begin, int end, A... a)
  {
    const int first_out = inside_end<width> (c, begin, end, a...);

    GST_HIP_NOT_NEGATIVE (begin);
    if (width)
      c.block_dim.x = width;
    c.inside = true;
    GST_HIP_INDEPENDENT_INSIDE
    for (int x = begin; x < first_out; x++) {
      if (width)
        c.block_idx.x = (unsigned) x / divisor<width> ();
      thread (c, width ? (unsigned) x % divisor<width> () : x, a...);
    }
    c.inside = false;
    for (int x = first_out; x < end; x++) {
      if (width)
        c.block_idx.x = (unsigned) x / divisor<width> ();
      thread (c, width ? (unsigned) x % divisor<width> () : x, a...);
    }
  }

  /* Any other. A loop of constant length in the loop, because clang sees through that one only. */
  template <unsigned width, int chunk> GST_HIP_INLINE void
  plain (GstHipContext c, int begin, int end, A... a)
  {
    int x = begin;

    if (width)
      c.block_dim.x = width;
    for (; x + chunk <= end; x += chunk) {
      GST_HIP_INDEPENDENT
      for (int i = 0; i < chunk; i++) {
        if (width)
          c.block_idx.x = (unsigned) (x + i) / divisor<width> ();
        thread (c, width ? (unsigned) (x + i) % divisor<width> () : x + i, a...);
      }
    }
    for (; x < end; x++) {
      if (width)
        c.block_idx.x = (unsigned) x / divisor<width> ();
      thread (c, width ? (unsigned) x % divisor<width> () : x, a...);
    }
  }

  GST_HIP_INLINE void
  row (const GstHipContext & c, A... a)
  {
    const unsigned n = c.block_dim.x;

    if (c.block_idx.x * n > 0x7fffffffu - 1024u || n > 1024u)
      __builtin_unreachable ();
    if (inside)
      guarded<0> (c, 0, (int) n, a...);
    else
      plain<0, 16> (c, 0, (int) n, a...);
  }

  /* n blocks side by side, each width threads wide */
  template <unsigned width> GST_HIP_INLINE void
  merged (const GstHipContext & c, unsigned n, A... a)
  {
    const int begin = (int) (c.block_idx.x * width), end = (int) ((c.block_idx.x + n) * width);

    if (inside)
      guarded<width> (c, begin, end, a...);
    else
      plain<width, GST_HIP_MERGED_CHUNK> (c, begin, end, a...);
  }

  /* As many blocks as may share a loop, from the one that c is at */
  GST_HIP_INLINE unsigned
  neighbours (const GstHipContext & c, unsigned long long left)
  {
    const unsigned width = c.block_dim.x, in_row = c.grid_dim.x - c.block_idx.x;

    if (sync || shared || (width != 16 && width != 32) || c.grid_dim.x > 0x7fffffffu / 32 - 64)
      return 1;
    return left < in_row ? (unsigned) left : in_row;
  }

  static void
  blocks (const GstHipHostLaunch & l, unsigned long long begin, unsigned long long end, A... a)
  {
    GstHipContext c = {};

    gst_hip_first_block (c, l, begin);
    while (begin < end) {
      const unsigned n = neighbours (c, end - begin);

      for (unsigned z = 0; z < c.block_dim.z; z++) {
        for (unsigned y = 0; y < c.block_dim.y; y++) {
          c.thread_idx = { 0, y, z };
          if (n == 1)
            row (c, a...);
          else if (c.block_dim.x == 16)
            merged<16> (c, n, a...);
          else
            merged<32> (c, n, a...);
        }
      }
      begin += n;
      c.block_idx.x += n - 1;
      gst_hip_next_block (c);
    }
  }
};

/* Threads as fibers */
template <typename... A, void (*f) (GstHipContext, A...), bool (*inside) (GstHipContext, A...), bool sync, bool shared>
struct GstHipRun<void (*) (GstHipContext, A...), f, bool (*) (GstHipContext, A...), inside, true, sync, shared>
{
  static void
  blocks (const GstHipHostLaunch & l, unsigned long long begin, unsigned long long end, A... a)
  {
    GstHipContext block = {};
    auto body = [&] (unsigned i) {
      GstHipContext c = block;
      c.thread_idx = { i % c.block_dim.x, i / c.block_dim.x % c.block_dim.y, i / c.block_dim.x / c.block_dim.y };
      ::gst_hip_ctx = c;
      f (c, a...);
    };
    typedef decltype (body) Body;
    struct Call { static void thread (void *closure, unsigned i) { (*(Body *) closure) (i); } };

    gst_hip_first_block (block, l, begin);
    for (; begin < end; begin++, gst_hip_next_block (block))
      l.run_threads (l.fibers, Call::thread, &body, l.block[0] * l.block[1] * l.block[2]);
  }
};

/* Reads the packed parameters, one by one */
template <typename Run, typename... A> struct GstHipUnpack;

template <typename Run> struct GstHipUnpack<Run>
{
  template <size_t offset, typename... Done> GST_HIP_INLINE void
  go (const GstHipHostLaunch & l, unsigned long long begin, unsigned long long end, Done... done)
  {
    Run::blocks (l, begin, end, done...);
  }
};

template <typename Run, typename First, typename... More> struct GstHipUnpack<Run, First, More...>
{
  template <size_t offset, typename... Done> GST_HIP_INLINE void
  go (const GstHipHostLaunch & l, unsigned long long begin, unsigned long long end, Done... done)
  {
    constexpr size_t at = (offset + alignof (First) - 1) / alignof (First) * alignof (First);

    GstHipUnpack<Run, More...>::template go<at + sizeof (First)> (l, begin, end, done..., *(const First *) (l.params + at));
  }
};

template <typename F, F f, typename G, G inside, bool barrier, bool sync, bool shared> struct GstHipEnter;

template <typename... A, void (*f) (GstHipContext, A...), bool (*inside) (GstHipContext, A...), bool barrier, bool sync,
  bool shared>
struct GstHipEnter<void (*) (GstHipContext, A...), f, bool (*) (GstHipContext, A...), inside, barrier, sync, shared>
{
  GST_HIP_INLINE void
  run (const GstHipHostLaunch & l, unsigned long long begin, unsigned long long end)
  {
    typedef GstHipRun<void (*) (GstHipContext, A...), f, bool (*) (GstHipContext, A...), inside, barrier, sync, shared> Run;

    GstHipUnpack<Run, A...>::template go<0> (l, begin, end);
  }
};

#define GST_HIP_ENTRY(name, barrier, inside) \
  extern "C" GST_HIP_EXPORT void \
  gst_hip_entry_##name (const GstHipHostLaunch * launch, unsigned long long begin, unsigned long long end) \
  { \
    GstHipEnter<decltype (&name), &name, GstHipSignature<decltype (&name)>::Inside, inside, barrier, \
      GST_HIP_SYNC_CONTEXT, GST_HIP_USES_SHARED>::run (*launch, begin, end); \
  }

/* What the code needs of a CPU */
static constexpr unsigned gst_hip_needed_isa = 0
#ifdef __SSE4_2__
  | GST_HIP_ISA_SSE42
#endif
#ifdef __AVX__
  | GST_HIP_ISA_AVX
#endif
#ifdef __AVX2__
  | GST_HIP_ISA_AVX2
#endif
#ifdef __FMA__
  | GST_HIP_ISA_FMA
#endif
#ifdef __BMI2__
  | GST_HIP_ISA_BMI2
#endif
#ifdef __AVX512F__
  | GST_HIP_ISA_AVX512F
#endif
#ifdef __AVX512BW__
  | GST_HIP_ISA_AVX512BW
#endif
#ifdef __AVX512VL__
  | GST_HIP_ISA_AVX512VL
#endif
  ;

extern "C" {
extern GST_HIP_GLOBAL_DATA unsigned gst_hip_host_isa;
GST_HIP_GLOBAL_DATA unsigned gst_hip_host_isa = gst_hip_needed_isa;
}
