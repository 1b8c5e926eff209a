/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Shared by the files of the NVIDIA backend only. */
#pragma once

#include "../../hip-backend.h"
#include "../../hip-lock.h"
#include "../../hip-heap.h"
#include "../../hip-scratch.h"
#include "../../hip-registrations.h"
#include "../../gsthiperror.h"
#include "nvidia-symbols.h"

G_BEGIN_DECLS

/* --- nvidia-loader.c: the libraries --- */
/* Valid once nvidia_load_cuda () has succeeded: all later slots of the table may use it. */
extern NvidiaCuda nvidia_cuda;

gboolean nvidia_load_cuda (GError ** error);
/* Where libcuda was found, links resolved */
const gchar *nvidia_cuda_path (void);
/* Loads NVRTC at the first call; NULL with UNAVAILABLE and what was tried. Another call tries again only if the
 * environment's wish has changed. */
const NvidiaNvrtc *nvidia_get_nvrtc (GError ** error);
const gchar *nvidia_nvrtc_path (void);

/* --- nvidia-error.c --- */
/* Each driver call goes through one of these: FALSE with *error set if it failed. call: what was called. */
gboolean nvidia_check (CuResult result, const gchar * call, GError ** error);
/* The same with another code than FAILED for what says nothing of the device; hint: what to do, or NULL */
gboolean nvidia_check_as (CuResult result, const gchar * call, GstHipError code, const gchar * hint, GError ** error);
/* For a wait whose caller has no other work to be told of: whatever it says, the device has failed. */
gboolean nvidia_check_wait (CuResult result, const gchar * call, GError ** error);
/* For calls whose failure changes nothing: logged */
void nvidia_note (CuResult result, const gchar * call);
/* "CUDA_ERROR_NAME (its text)"; free with g_free () */
gchar *nvidia_result_text (CuResult result);

/* --- nvidia-device.c --- */
typedef struct _NvidiaSleeper NvidiaSleeper;

typedef struct
{
  CuContext handle;
  CuDevice device;
  gboolean retained;            /* the primary context: released when closed */
  gint major, minor;            /* compute capability */
  gint priority_least, priority_greatest;
  guint host_type;              /* CU_MEMORY_* that pinned addresses are copied as */
  gsize max_pitch;
  CuStream allocator;           /* of allocations alone; NULL: the driver has none in streams */
  HipRegistrations registrations;
  HipHeap *heap;                /* pinned memory, and what waits for an idle device; per CUcontext */

  HipMutex lock;
  NvidiaSleeper *sleepers;      /* that nobody uses */
} NvidiaContext;

/* --- nvidia-memory.c --- */
extern const HipPagesDriver nvidia_pages_driver;
extern const HipHeapDriver nvidia_heap_driver;

gboolean nvidia_memory_alloc (HipNativeContext context, HipSpace space, gsize size, guintptr * address,
    GError ** error);
void nvidia_memory_free (HipNativeContext context, HipSpace space, guintptr address);
gboolean nvidia_memory_register (HipNativeContext context, gpointer data, gsize size, guintptr * device_address,
    GError ** error);
void nvidia_memory_unregister (HipNativeContext context, gpointer data);
gboolean nvidia_export_alloc (HipNativeContext context, gsize size, guintptr * address, gint * fd, GError ** error);
void nvidia_export_free (HipNativeContext context, gsize size, guintptr address, gint fd);
gboolean nvidia_memory_device_address (HipNativeContext context, gpointer data, guintptr * device_address,
    GError ** error);

/* --- nvidia-stream.c --- */
/* What a HipNativeStream of this backend is */
typedef struct
{
  CuStream handle;
  CuEvent idle;                 /* for waiting asleep: cuStreamSynchronize () spins in most contexts */
  HipScratch scratch;
} NvidiaStream;

HipNativeStream nvidia_stream_new (HipNativeContext context, gint priority, GError ** error);
void nvidia_stream_free (HipNativeContext context, HipNativeStream stream, gboolean abandon);
guintptr nvidia_stream_native (HipNativeStream stream);
GstHipEventState nvidia_stream_query (HipNativeContext context, HipNativeStream stream, GError ** error);
gboolean nvidia_stream_synchronize (HipNativeContext context, HipNativeStream stream, GError ** error);
gboolean nvidia_stream_wait_event (HipNativeContext context, HipNativeStream stream, HipNativeEvent event,
    GError ** error);
gboolean nvidia_native_wait_event (HipNativeContext context, guintptr stream, HipNativeEvent event, GError ** error);
gboolean nvidia_stream_copy_peer (HipNativeContext context, HipNativeStream stream, HipNativeContext from,
    const HipCopy2D * copy, GError ** error);
gboolean nvidia_stream_copy_2d (HipNativeContext context, HipNativeStream stream, const HipCopy2D * copy,
    GError ** error);
gboolean nvidia_stream_fill (HipNativeContext context, HipNativeStream stream, HipSpace space, guintptr address,
    gsize size, guint8 value, GError ** error);

/* --- nvidia-event.c --- */
/* What a HipNativeEvent of this backend is */
typedef struct
{
  CuEvent handle;
  gboolean light;               /* cheap to record; waiting for it asleep takes a NvidiaSleeper */
} NvidiaEvent;

/* With the context current and nobody waiting */
void nvidia_sleepers_free (NvidiaContext * context);
HipNativeEvent nvidia_event_new (HipNativeContext context, gboolean timed, GError ** error);
void nvidia_event_free (HipNativeContext context, HipNativeEvent event);
guintptr nvidia_event_native (HipNativeEvent event);
gboolean nvidia_event_record (HipNativeContext context, HipNativeEvent event, HipNativeStream stream, GError ** error);
GstHipEventState nvidia_event_query (HipNativeContext context, HipNativeEvent event, GError ** error);
gboolean nvidia_event_synchronize (HipNativeContext context, HipNativeEvent event, GError ** error);
gboolean nvidia_event_elapsed (HipNativeContext context, HipNativeEvent start, HipNativeEvent stop, gdouble * ns,
    GError ** error);
/* What a query's result means; a failed one sets *error */
GstHipEventState nvidia_state (CuResult result, const gchar * call, GError ** error);

/* --- nvidia-compile.c --- */
/* Version of NVRTC as the driver counts (12040 is 12.4), 0 if there is none */
guint nvidia_compiler_version (void);
void nvidia_compiler_describe (GstStructure * structure);
gchar *nvidia_compiler_id (HipNativeContext context, GError ** error);
gchar **nvidia_translate_options (HipNativeContext context, const gchar * const * options, GError ** error);
GBytes *nvidia_compile (HipNativeContext context, const HipCompileRequest * request, gchar ** log, GError ** error);
/* What nvidia_compile () does for any compute capability (major * 10 + minor): no device needed */
GBytes *nvidia_compile_capability (guint capability, const HipCompileRequest * request, gchar ** log, GError ** error);
/* For "sm_NN", a CUBIN, or "compute_NN", PTX */
GBytes *nvidia_compile_for (const gchar * arch, const HipCompileRequest * request, gchar ** log, GError ** error);
gchar **nvidia_precompiled_archs (const GstHipDeviceInfo * info);

/* --- nvidia-module.c --- */
HipNativeModule nvidia_module_load (HipNativeContext context, GBytes * binary, GError ** error);
void nvidia_module_unload (HipNativeContext context, HipNativeModule module);
HipNativeFunction nvidia_module_get_function (HipNativeContext context, HipNativeModule module, const gchar * name,
    GError ** error);
gboolean nvidia_module_read_global (HipNativeContext context, HipNativeModule module, const gchar * name, gpointer data,
    gsize * size, GError ** error);
gboolean nvidia_launch (HipNativeContext context, HipNativeStream stream, HipNativeFunction function,
    const HipLaunch * launch, GError ** error);

/* --- nvidia-native.c: HIP's functions, on the CUDA driver --- */
const HipNativeFunctions *nvidia_native (void);

/* Calls a function of the driver and checks the result: NVIDIA_CALL (error, cuInit, 0) */
#define NVIDIA_CALL(error, name, ...) nvidia_check (nvidia_cuda.name (__VA_ARGS__), #name, error)
#define NVIDIA_CALL_NOTED(name, ...) nvidia_note (nvidia_cuda.name (__VA_ARGS__), #name)

G_END_DECLS
