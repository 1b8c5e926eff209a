/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What HIPRTC and NVRTC lack of the subset: they know keywords, indices,
 * vector types, mathematics and atomics by themselves. */
#pragma once

#define GST_HIP_GLOBAL_DATA __device__
#define GST_HIP_INLINE static __device__ __forceinline__

/* HIPRTC has some of them, as the same types: then this says nothing new. */
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
#if defined (GST_HIP_AMD)
typedef long long int64_t;
typedef unsigned long long uint64_t;
#elif defined (__INT64_TYPE__)
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
#else
typedef long int64_t;
typedef unsigned long uint64_t;
#endif
typedef decltype (sizeof (0)) size_t;
typedef unsigned long uintptr_t;
typedef long intptr_t;
typedef long ptrdiff_t;

/* Functions without a mark are for the device, as on the host; NVRTC has an
 * option for that. */
#ifdef GST_HIP_AMD
#pragma clang force_cuda_host_device begin
#endif
