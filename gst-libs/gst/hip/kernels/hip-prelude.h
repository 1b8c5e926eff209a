/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What precedes every kernel: makes the common subset of HIP and CUDA C++ mean
 * the same on AMD (HIPRTC), NVIDIA (NVRTC) and the host (clang++ or g++).
 *
 * C++14 and the compilers' builtins only: no header of an SDK, none of the
 * standard library. The only place with a vendor's #ifdef. The build embeds
 * this text and its parts into the library.
 */
#pragma once

#if defined (__cplusplus) && __cplusplus < 201402L
#error kernels need C++14 or newer: choose another --std
#endif

#if defined (__HIPCC_RTC__) || defined (__HIP_DEVICE_COMPILE__) || defined (__HIP__)
#define GST_HIP_AMD 1
#elif defined (__CUDACC_RTC__) || defined (__CUDACC__)
#define GST_HIP_NVIDIA 1
#else
#define GST_HIP_HOST 1
#endif

#include "../hip-kernel-meta.h"

#ifdef GST_HIP_HOST
#include "hip-prelude-host.h"
#include "hip-prelude-vectors.h"
#include "hip-prelude-context.h"
#include "hip-prelude-math.h"
#include "hip-prelude-integer.h"
#include "hip-prelude-atomic.h"
#include "hip-prelude-missing.h"
#else
#include "hip-prelude-device.h"
#endif

#include "hip-prelude-half.h"
#include "../gsthip-kernel-abi.h"
#include "hip-prelude-meta.h"

#ifdef GST_HIP_HOST
#include "hip-prelude-run.h"
#endif
