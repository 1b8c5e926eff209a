/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Shared by the files of the AMD backend only. */
#pragma once

#include "../../hip-backend.h"
#include "../../hip-heap.h"
#include "../../hip-registrations.h"
#include "../../hip-scratch.h"
#include "../../gsthiperror.h"
#include "amd-symbols.h"

G_BEGIN_DECLS

/* --- amd-loader.c: the libraries --- */
/* Valid once amd_load_hip () has succeeded: all later slots of the table may use it. */
extern AmdHip amd_hip;

gboolean amd_load_hip (GError ** error);
/* Where libamdhip64 was found, links resolved */
const gchar *amd_hip_path (void);
/* What the library itself offers to programs */
const HipNativeFunctions *amd_native (void);
/* Loads HIPRTC at the first call; NULL with UNAVAILABLE and what was tried. Another call tries again only if the
 * environment's wish has changed. Needs neither a device nor amd_load_hip (). */
const AmdHiprtc *amd_get_hiprtc (GError ** error);
const gchar *amd_hiprtc_path (void);

/* --- amd-error.c --- */
/* Each driver call goes through one of these: FALSE with *error set if it failed. call: what was called. */
gboolean amd_check (AmdResult result, const gchar * call, GError ** error);
/* The same with another code than FAILED for what says nothing of the device; hint: what to do, or NULL */
gboolean amd_check_as (AmdResult result, const gchar * call, GstHipError code, const gchar * hint, GError ** error);
/* For calls that wait for queued work: what says nothing of itself means that the device failed. */
gboolean amd_check_wait (AmdResult result, const gchar * call, GError ** error);
/* For calls whose failure changes nothing: logged */
void amd_note (AmdResult result, const gchar * call);
/* "hipErrorName (its text)"; free with g_free () */
gchar *amd_result_text (AmdResult result);
/* What a query's result means; a failed one sets *error */
GstHipEventState amd_state (AmdResult result, const gchar * call, GError ** error);

/* --- amd-access.c --- */
/* Why this process sees no AMD GPU, and what to do, from its access to the kernel's device file; free with g_free () */
gchar *amd_explain_no_device (const gchar * device_file);

/* --- amd-device.c --- */
typedef struct
{
  AmdDevice device;
  gchar arch[64];               /* with its features: gfx90a:sramecc+:xnack- */
  gint priority_least, priority_greatest;
  gsize max_pitch;
  gboolean waits_for_values;    /* hipStreamWaitValue32 () works */
  HipRegistrations registrations;
  HipHeap *heap;                /* memory, and modules that nobody uses */
} AmdContext;

/* --- amd-memory.c --- */
extern const HipPagesDriver amd_pages_driver;
extern const HipHeapDriver amd_heap_driver;

gboolean amd_memory_alloc (HipNativeContext context, HipSpace space, gsize size, guintptr * address, GError ** error);
void amd_memory_free (HipNativeContext context, HipSpace space, guintptr address);
gboolean amd_memory_register (HipNativeContext context, gpointer data, gsize size, guintptr * device_address,
    GError ** error);
void amd_memory_unregister (HipNativeContext context, gpointer data);
gboolean amd_memory_device_address (HipNativeContext context, gpointer data, guintptr * device_address,
    GError ** error);

/* --- amd-dmabuf.c --- */
/* For tests, since no driver does so yet: an import takes the descriptor over. */
extern gboolean amd_import_consumes_fd;

gboolean amd_have_dmabuf (void);
gboolean amd_have_export (void);
gboolean amd_export_alloc (HipNativeContext context, gsize size, guintptr * address, gint * fd, GError ** error);
void amd_export_free (HipNativeContext context, gsize size, guintptr address, gint fd);
HipNativeDmabuf amd_dmabuf_import (HipNativeContext context, gint fd, gsize size, guintptr * address, GError ** error);
void amd_dmabuf_release (HipNativeContext context, HipNativeDmabuf dmabuf);
HipNativeGate amd_gate_new (HipNativeContext context, GError ** error);
gboolean amd_stream_wait_gate (HipNativeContext context, HipNativeStream stream, HipNativeGate gate,
    GError ** error);
void amd_gate_open (HipNativeGate gate);
void amd_gate_free (HipNativeContext context, HipNativeGate gate);

/* --- amd-stream.c --- */
/* What a HipNativeStream of this backend is */
typedef struct
{
  AmdHipStream handle;
  AmdHipEvent idle;             /* for waiting asleep: hipStreamSynchronize () may spin */
  HipScratch scratch;
} AmdStream;

HipNativeStream amd_stream_new (HipNativeContext context, gint priority, GError ** error);
void amd_stream_free (HipNativeContext context, HipNativeStream stream, gboolean abandon);
guintptr amd_stream_native (HipNativeStream stream);
GstHipEventState amd_stream_query (HipNativeContext context, HipNativeStream stream, GError ** error);
gboolean amd_stream_synchronize (HipNativeContext context, HipNativeStream stream, GError ** error);
gboolean amd_native_wait_event (HipNativeContext context, guintptr stream, HipNativeEvent event, GError ** error);
gboolean amd_stream_wait_event (HipNativeContext context, HipNativeStream stream, HipNativeEvent event,
    GError ** error);
gboolean amd_stream_copy_2d (HipNativeContext context, HipNativeStream stream, const HipCopy2D * copy,
    GError ** error);
gboolean amd_stream_fill (HipNativeContext context, HipNativeStream stream, HipSpace space, guintptr address,
    gsize size, guint8 value, GError ** error);

/* --- amd-event.c: a HipNativeEvent is an AmdHipEvent --- */
HipNativeEvent amd_event_new (HipNativeContext context, gboolean timed, GError ** error);
void amd_event_free (HipNativeContext context, HipNativeEvent event);
gboolean amd_event_record (HipNativeContext context, HipNativeEvent event, HipNativeStream stream, GError ** error);
GstHipEventState amd_event_query (HipNativeContext context, HipNativeEvent event, GError ** error);
gboolean amd_event_synchronize (HipNativeContext context, HipNativeEvent event, GError ** error);
gboolean amd_event_elapsed (HipNativeContext context, HipNativeEvent start, HipNativeEvent stop, gdouble * ns,
    GError ** error);

/* --- amd-compile.c --- */
void amd_compiler_describe (GstStructure * structure);
gboolean amd_have_compiler (void);
gchar *amd_compiler_id (HipNativeContext context, GError ** error);
gchar **amd_translate_options (HipNativeContext context, const gchar * const * options, GError ** error);
GBytes *amd_compile (HipNativeContext context, const HipCompileRequest * request, gchar ** log, GError ** error);
gchar **amd_precompiled_archs (const GstHipDeviceInfo * info);
/* What amd_compile () does, for any architecture by its name, features included: no device needed */
GBytes *amd_compile_for (const gchar * arch, const HipCompileRequest * request, gchar ** log, GError ** error);

/* --- amd-module.c --- */
HipNativeModule amd_module_load (HipNativeContext context, GBytes * binary, GError ** error);
void amd_module_unload (HipNativeContext context, HipNativeModule module);
HipNativeFunction amd_module_get_function (HipNativeContext context, HipNativeModule module, const gchar * name,
    GError ** error);
gboolean amd_module_read_global (HipNativeContext context, HipNativeModule module, const gchar * name, gpointer data,
    gsize * size, GError ** error);
gboolean amd_launch (HipNativeContext context, HipNativeStream stream, HipNativeFunction function,
    const HipLaunch * launch, GError ** error);

/* Calls a function of the runtime and checks the result: AMD_CALL (error, hipInit, 0) */
#define AMD_CALL(error, name, ...) amd_check (amd_hip.name (__VA_ARGS__), #name, error)
#define AMD_CALL_NOTED(name, ...) amd_note (amd_hip.name (__VA_ARGS__), #name)

G_END_DECLS
