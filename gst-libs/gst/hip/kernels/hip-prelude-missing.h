/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What GPUs have and the host has not: using it is a compile error that says
 * what is missing, at the user's line. */
#pragma once

#define GST_HIP_MISSING(name, what) \
  template <typename T, typename... More> __attribute__ ((error (what " not available on the host device"), noinline)) \
  T name (T, More...); \
  template <typename T> __attribute__ ((error (what " not available on the host device"), noinline)) T name ();

#define GST_HIP_MISSING_VOTE(name, what) \
  template <typename... More> __attribute__ ((error (what " not available on the host device"), noinline)) \
  unsigned name (More...);

#define GST_HIP_MISSING_SHUFFLE(name) GST_HIP_MISSING (name, "warp shuffles are")

GST_HIP_MISSING_SHUFFLE (__shfl) GST_HIP_MISSING_SHUFFLE (__shfl_up) GST_HIP_MISSING_SHUFFLE (__shfl_down)
GST_HIP_MISSING_SHUFFLE (__shfl_xor)

#define GST_HIP_MISSING_SYNC(name) \
  template <typename T, typename... More> \
  __attribute__ ((error ("warp shuffles are not available on the host device"), noinline)) \
  T name (unsigned, T, More...);

GST_HIP_MISSING_SYNC (__shfl_sync) GST_HIP_MISSING_SYNC (__shfl_up_sync) GST_HIP_MISSING_SYNC (__shfl_down_sync)
GST_HIP_MISSING_SYNC (__shfl_xor_sync)

GST_HIP_MISSING_VOTE (__ballot, "warp votes are") GST_HIP_MISSING_VOTE (__any, "warp votes are")
GST_HIP_MISSING_VOTE (__all, "warp votes are") GST_HIP_MISSING_VOTE (__ballot_sync, "warp votes are")
GST_HIP_MISSING_VOTE (__any_sync, "warp votes are") GST_HIP_MISSING_VOTE (__all_sync, "warp votes are")
GST_HIP_MISSING_VOTE (__activemask, "warp votes are") GST_HIP_MISSING_VOTE (__match_any_sync, "warp votes are")
GST_HIP_MISSING_VOTE (__match_all_sync, "warp votes are")
GST_HIP_MISSING_VOTE (__reduce_add_sync, "warp reductions are")
GST_HIP_MISSING_VOTE (__reduce_min_sync, "warp reductions are")
GST_HIP_MISSING_VOTE (__reduce_max_sync, "warp reductions are")
GST_HIP_MISSING_VOTE (__syncwarp, "warp barriers are")
GST_HIP_MISSING_VOTE (__syncthreads_count, "barriers that count are")
GST_HIP_MISSING_VOTE (__syncthreads_and, "barriers that vote are")
GST_HIP_MISSING_VOTE (__syncthreads_or, "barriers that vote are")
GST_HIP_MISSING_VOTE (clock, "device clocks are") GST_HIP_MISSING_VOTE (clock64, "device clocks are")

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long hipTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long hipSurfaceObject_t;

#define GST_HIP_MISSING_TEXTURE(name) \
  template <typename T, typename... More> __attribute__ ((error ("textures are not available on the host device"), noinline)) \
  T name (unsigned long long, More...);

GST_HIP_MISSING_TEXTURE (tex1D) GST_HIP_MISSING_TEXTURE (tex1Dfetch) GST_HIP_MISSING_TEXTURE (tex2D)
GST_HIP_MISSING_TEXTURE (tex2DLod) GST_HIP_MISSING_TEXTURE (tex2DLayered) GST_HIP_MISSING_TEXTURE (tex3D)
GST_HIP_MISSING_TEXTURE (surf2Dread)

#define asm static_assert (false, "inline assembly is not available on the host device")
