/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What a compiled module carries about its kernels, and how a module of the
 * host device is entered. One text for two readers: C files of the library
 * include it, and the build puts it into the prelude that precedes every
 * kernel. So it includes nothing.
 *
 * Symbols of every module:
 *   gst_hip_entries       names of all kernels that may be in it, each ended by a zero byte, one more at the end
 *   gst_hip_meta_NAME     GstHipMetaHead, then n_params times GstHipMetaParam; absent: no such kernel
 *   gst_hip_text_NAME     for each parameter its type and its name, each ended by a zero byte
 * and of a module of the host device:
 *   gst_hip_entry_NAME    a GstHipHostEntry
 *   gst_hip_host_isa      GST_HIP_ISA_* that the code needs
 */
#pragma once

#define GST_HIP_META_MAGIC 0x4b484731u  /* "1GHK" */

typedef struct
{
  unsigned int magic;
  unsigned int n_params;
  unsigned int barrier;         /* the kernel may reach one */
  unsigned int reserved;
} GstHipMetaHead;

#define GST_HIP_META_CONST 1u   /* pointer to const */

typedef struct
{
  unsigned int size;
  unsigned int align;
  unsigned int kind;            /* GstHipParameterKind */
  unsigned int flags;
} GstHipMetaParam;

#define GST_HIP_ISA_AVX 1u
#define GST_HIP_ISA_AVX2 2u
#define GST_HIP_ISA_FMA 4u
#define GST_HIP_ISA_BMI2 8u
#define GST_HIP_ISA_AVX512F 16u
#define GST_HIP_ISA_AVX512BW 32u
#define GST_HIP_ISA_AVX512VL 64u
#define GST_HIP_ISA_SSE42 128u

/* Where each packed parameter lies: at the next multiple of its alignment. */
typedef struct
{
  unsigned int grid[3];
  unsigned int block[3];
  const unsigned char *params;  /* packed values */
  unsigned char *shared;        /* dynamic shared memory of the calling OS thread */
  /* Runs thread (closure, i) for all i in [0, n) so that each may call barrier () */
  void (*run_threads) (void *fibers, void (*thread) (void *closure, unsigned int i), void *closure, unsigned int n);
  void (*barrier) (void *fibers);
  void *fibers;
} GstHipHostLaunch;

/* Runs the blocks [begin, end), counted x first. */
typedef void (*GstHipHostEntry) (const GstHipHostLaunch * launch, unsigned long long begin, unsigned long long end);
