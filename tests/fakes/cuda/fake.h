/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A CUDA driver and an NVRTC without a GPU, for tests: work runs on the host
 * backend. Where the toolkit is installed, NVIDIA's headers are included, and a
 * function that does not match them does not compile.
 *
 * The driver is stricter than the real one: what breaks a rule of the API's
 * documentation, or a promise of ours, ends the process with the rule's name.
 *
 * Environment:
 *   FAKE_CUDA_LOG=FILE        every call's name is appended, one a line; the first is "load"
 *   FAKE_CUDA_FAIL=[NAME:]N[:CODE]  the Nth call (of NAME) fails with CODE (default 999)
 *   FAKE_CUDA_DELAY_US=N      every piece of work takes so much longer
 *   FAKE_CUDA_DEVICES=N       default 1; 0: cuInit () finds none
 *   FAKE_CUDA_BROKEN=ID       that device gives no context */
#pragma once

#ifdef FAKE_HAVE_CUDA_H
/* Its names without versions mean the newest: so they are not used here */
#include <cuda.h>
#include <nvrtc.h>
#undef cuEventElapsedTime
#undef cuDeviceGetUuid
#endif

#include <glib.h>

#include "backends/host/host-internal.h"
#include "backends/nvidia/nvidia-symbols.h"

#define FAKE_API __attribute__ ((visibility ("default"))) extern

/* The prototypes, from our list: exported, and the same as NVIDIA's */
#define FAKE_PROTOTYPE(need, name, params) FAKE_API CuResult name params;
NVIDIA_CUDA_SYMBOLS (FAKE_PROTOTYPE)
NVIDIA_NVRTC_SYMBOLS (FAKE_PROTOTYPE)
#undef FAKE_PROTOTYPE
FAKE_API const char *nvrtcGetErrorString (NvrtcResult result);

#define FAKE_MAX_STACK 32
#define FAKE_PLAIN_SHARED (48 * 1024)
#define FAKE_MAX_SHARED (64 * 1024)     /* what the host backend has */

struct CUctx_st
{
  gint device;
  guint retains;
  HipNativeContext host;
};

struct CUstream_st
{
  CuContext context;
  HipNativeStream host;
};

struct CUevent_st
{
  CuContext context;
  HipNativeEvent host;
  gboolean timed;
  gint recorded;                /* atomic */
};

/* --- fake-rules.c --- */
/* Logs, counts, and says whether this call is to fail. Every function begins with it. */
CuResult fake_enter (const gchar * name, gboolean before_init);
void fake_set_initialised (void);
/* Ends the process unless kept */
void fake_rule (gboolean kept, const gchar * rule, const gchar * call);
guint64 fake_delay_ns (void);
gint fake_number (const gchar * variable, gint otherwise);

typedef enum
{
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_MODULE,
  FAKE_FUNCTION,
  FAKE_CONTEXT,
} FakeKind;

/* Which handles live */
void fake_handle_add (gpointer handle, FakeKind kind);
void fake_handle_remove (gpointer handle);
void fake_handle_check (gpointer handle, FakeKind kind, const gchar * call);

/* --- fake-context.c --- */
/* The current context; ends the process if there is none */
CuContext fake_current (const gchar * call);

/* --- fake-memory.c --- */
/* The stream was given work that uses these bytes, if they are ours */
void fake_memory_use (CuContext context, CuStream stream, guintptr address, gsize size, const gchar * call);

/* --- fake-work.c --- */
/* Before every piece of work: the rules for its stream */
void fake_stream_begin (CuStream stream, const gchar * call);

#define FAKE_CALL(before_init)                                  \
  G_STMT_START {                                                \
    CuResult fake_result = fake_enter (G_STRFUNC, before_init); \
    if (fake_result != CU_OK)                                   \
      return fake_result;                                       \
  } G_STMT_END
