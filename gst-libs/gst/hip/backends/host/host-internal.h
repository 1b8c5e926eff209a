/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Shared by the files of the host backend only. */
#pragma once

#include "../../hip-backend.h"
#include "../../hip-lock.h"

G_BEGIN_DECLS

/* --- host-context.c: the device's state, and its failures --- */
typedef struct _HostContext HostContext;
typedef struct _HostStream HostStream;
typedef struct _HostEvent HostEvent;
typedef struct _HostRecord HostRecord;

/* Operations that tests may let fail; the last is the device itself. */
typedef enum
{
  HOST_FAULT_MEMORY,            /* memory_alloc: OUT_OF_MEMORY; the others: FAILED */
  HOST_FAULT_STREAM,            /* stream_new */
  HOST_FAULT_EVENT,             /* event_new */
  HOST_FAULT_COPY,
  HOST_FAULT_FILL,
  HOST_FAULT_RECORD,
  HOST_FAULT_WAIT,              /* stream_wait_event */
  HOST_FAULT_LAUNCH,
  HOST_FAULT_IMPORT,            /* dmabuf_import */
  HOST_FAULT_DEVICE,            /* from now on everything: DEVICE_LOST */
} HostFault;

/* For tests. The nth (1: the next) such operation fails, once; nth is ignored for HOST_FAULT_DEVICE, after which
 * all slots that can fail report DEVICE_LOST, pending events are FAILED, all waits return, and queued work is
 * dropped except what is running. A device opened after that is a new, healthy one. */
void host_inject_failure (HipNativeContext context, HostFault fault, guint nth);
/* For tests: queues a failure of the device, as a faulting kernel would cause it. */
void host_inject_failure_in_stream (HipNativeStream stream);
/* For tests: queues a sleep; ends early if the device fails. */
void host_inject_delay (HipNativeStream stream, guint64 ns);
/* For tests: queues a stop. The stream goes on once host_inject_unblock () was called as often (before or after)
 * or the device fails. */
void host_inject_block (HipNativeStream stream);
void host_inject_unblock (HipNativeStream stream);

struct _HostContext
{
  gint refs;                    /* atomic: opens, streams, events, records in use */
  gint lost;                    /* atomic */
  gint trouble;                 /* atomic: lost, or a fault is armed */
  gint faults[HOST_FAULT_DEVICE];       /* atomic: fails when it falls to 0 */

  HipMutex streams_lock;        /* taken before a stream's lock */
  GQueue streams;               /* HostStream.link; abandoned ones stay */

  HipMutex records_lock;        /* taken before a record's lock, after any other */
  HostRecord *records;          /* all of them, for waking their waiters */
  HostRecord *records_free;
  guint n_records, n_events;
};

HostContext *host_context_open (void);
HostContext *host_context_new (void);   /* a device of its own, for simulated drivers */
HostContext *host_context_ref (HostContext * context);
void host_context_unref (HostContext * context);
gboolean host_context_is_lost (HostContext * context);
/* FALSE with *error: the device is lost, or fault was injected */
gboolean host_context_check (HostContext * context, HostFault fault, GError ** error);
gboolean host_context_lost_error (GError ** error);     /* sets DEVICE_LOST, returns FALSE */

/* --- host-memory.c --- */
gboolean host_memory_alloc (HipNativeContext context, HipSpace space, gsize size, guintptr * address, GError ** error);
void host_memory_free (HipNativeContext context, HipSpace space, guintptr address);
gboolean host_memory_register (HipNativeContext context, gpointer data, gsize size, guintptr * device_address,
    GError ** error);
void host_memory_unregister (HipNativeContext context, gpointer data);
gboolean host_memory_device_address (HipNativeContext context, gpointer data, guintptr * device_address,
    GError ** error);
/* What streams run: on this thread and, where it is much, on the workers. */
void host_memory_copy_2d (const HipCopy2D * copy);
/* unit_bytes: 1, 2 or 4, to which dst is aligned */
void host_memory_fill (gpointer dst, gsize count, guint unit_bytes, guint32 value);

/* --- host-event.c --- */
/* One recording of an event. Waits hold it, so that recording the event again does not change what they wait for. */
struct _HostRecord
{
  gint refs;                    /* atomic; the event has one while it is its latest record */
  gint state;                   /* atomic: GstHipEventState; changes under lock */
  gint64 time_ns;               /* valid once DONE */
  HostContext *context;         /* referenced while refs > 0 */
  HipMutex lock;
  HipCond cond;
  guint waiters;
  HostRecord *next, *next_free;
};

void host_record_unref (HostRecord * record);
/* Called by the stream that reaches it */
void host_record_end (HostRecord * record, GstHipEventState state);
/* Sleeps until the record ends or its device fails: never PENDING. */
GstHipEventState host_record_wait (HostRecord * record);
void host_context_wake_records (HostContext * context);
void host_context_free_records (HostContext * context);

HipNativeEvent host_event_new (HipNativeContext context, gboolean timed, GError ** error);
void host_event_free (HipNativeContext context, HipNativeEvent event);
/* A new pending record becomes the event's latest. Two references: the event's and the caller's. */
HostRecord *host_event_begin_record (HostEvent * event);
/* The latest record: new reference, NULL if never recorded */
HostRecord *host_event_get_record (HostEvent * event);
GstHipEventState host_event_query (HipNativeContext context, HipNativeEvent event, GError ** error);
gboolean host_event_synchronize (HipNativeContext context, HipNativeEvent event, GError ** error);
gboolean host_event_elapsed (HipNativeContext context, HipNativeEvent start, HipNativeEvent stop, gdouble * ns,
    GError ** error);

/* --- host-dmabuf.c --- */
HipNativeDmabuf host_dmabuf_import (HipNativeContext context, gint fd, gsize size, guintptr * address,
    GError ** error);
void host_dmabuf_release (HipNativeContext context, HipNativeDmabuf dmabuf);
void host_dmabuf_begin (HipNativeDmabuf dmabuf, gint fd);
void host_dmabuf_end (HipNativeDmabuf dmabuf, gint fd);
gboolean host_export_alloc (HipNativeContext context, gsize size, guintptr * address, gint * fd, GError ** error);
void host_export_free (HipNativeContext context, gsize size, guintptr address, gint fd);
HipNativeGate host_gate_new (HipNativeContext context, GError ** error);
gboolean host_stream_wait_gate (HipNativeContext context, HipNativeStream stream, HipNativeGate gate,
    GError ** error);
void host_gate_open (HipNativeGate gate);
void host_gate_free (HipNativeContext context, HipNativeGate gate);

/* --- host-ring.c: a queue of commands; no locks of its own --- */
typedef struct _HostChunk HostChunk;

typedef struct
{
  HostChunk *read, *write;      /* the same unless it has just grown */
} HostRing;

#define HOST_RING_CELL 64       /* commands are that aligned */

gboolean host_ring_init (HostRing * ring);
void host_ring_clear (HostRing * ring);
/* Space for a command of size bytes behind all others, which host_ring_push () puts in. NULL: out of memory */
gpointer host_ring_reserve (HostRing * ring, gsize size);
void host_ring_push (HostRing * ring);
/* The oldest command or NULL; its address stays valid until it is popped, whatever is pushed meanwhile. */
gpointer host_ring_peek (HostRing * ring);
void host_ring_pop (HostRing * ring);

/* --- host-stream.c --- */
HipNativeStream host_stream_new (HipNativeContext context, gint priority, GError ** error);
void host_stream_free (HipNativeContext context, HipNativeStream stream, gboolean abandon);
guintptr host_stream_native (HipNativeStream stream);
GstHipEventState host_stream_query (HipNativeContext context, HipNativeStream stream, GError ** error);
gboolean host_stream_synchronize (HipNativeContext context, HipNativeStream stream, GError ** error);
gboolean host_native_wait_event (HipNativeContext context, guintptr stream, HipNativeEvent event, GError ** error);
gboolean host_stream_wait_event (HipNativeContext context, HipNativeStream stream, HipNativeEvent event,
    GError ** error);
gboolean host_stream_copy_2d (HipNativeContext context, HipNativeStream stream, const HipCopy2D * copy,
    GError ** error);
gboolean host_stream_fill (HipNativeContext context, HipNativeStream stream, HipSpace space, guintptr address,
    gsize size, guint8 value, GError ** error);
gboolean host_stream_fill_units (HipNativeContext context, HipNativeStream stream, guintptr address, gsize count,
    guint unit_bytes, guint32 value, GError ** error);
gboolean host_stream_record (HipNativeContext context, HipNativeEvent event, HipNativeStream stream,
    GError ** error);
gboolean host_stream_launch (HipNativeContext context, HipNativeStream stream, HipNativeFunction function,
    const HipLaunch * launch, GError ** error);
void host_context_wake_streams (HostContext * context);

/* --- host-workers.c: the CPUs --- */
/* Calls func (begin, end, data) for ranges that cover [0, n) once, spread over the CPUs this process may use
 * (sched_getaffinity; GST_HIP_HOST_THREADS overrides, 1: no other thread); returns when all have returned. The caller's thread takes part. Several callers at
 * once share the same threads. Threads start on first use. */
typedef void (*HostRangeFunc) (guint64 begin, guint64 end, gpointer data);
void host_workers_run (guint64 n, guint64 grain, HostRangeFunc func, gpointer data);
guint host_workers_count (void);

/* --- host-native.c: HIP's functions, on this device --- */
const struct _HipNativeFunctions *host_native (void);

/* --- host-module.c, host-launch.c: kernels (the kernels part) --- */
gchar *host_compiler_id (HipNativeContext context, GError ** error);
gboolean host_compiler_available (void);
void host_compiler_describe (GstStructure * structure);
gchar **host_translate_options (HipNativeContext context, const gchar * const * options, GError ** error);
GBytes *host_compile (HipNativeContext context, const HipCompileRequest * request, gchar ** log, GError ** error);
GBytes *host_compile_for (const gchar * arch, const HipCompileRequest * request, gchar ** log, GError ** error);

/* --- host-arch.c --- */
/* What the user wants this CPU to be taken for (GST_HIP_HOST_ARCH); NULL: what it is */
const gchar *host_arch_forced (void);
/* The device's architecture; machine: what it is called where CPUs have no levels */
gboolean host_arch_name (gchar * out, gsize size, const gchar * machine, GError ** error);
/* The compiler's option; NULL: none is needed. arch NULL: this CPU */
gchar *host_arch_option (const gchar * arch);
gchar *host_arch_cpu_id (void);
gchar **host_precompiled_archs (const GstHipDeviceInfo * info);
HipNativeModule host_module_load (HipNativeContext context, GBytes * binary, GError ** error);
void host_module_unload (HipNativeContext context, HipNativeModule module);
HipNativeFunction host_module_get_function (HipNativeContext context, HipNativeModule module, const gchar * name,
    GError ** error);
gboolean host_module_read_global (HipNativeContext context, HipNativeModule module, const gchar * name, gpointer data,
    gsize * size, GError ** error);
/* Bytes that a launch of function copies from launch->params (values packed at their alignment) */
gsize host_function_params_size (HipNativeFunction function);
void host_function_pack_params (HipNativeFunction function, void **params, gpointer packed);
/* Runs a whole launch on this thread and the workers; returns when done. Called from a stream's thread. */
void host_function_run (HipNativeFunction function, const guint grid[3], const guint block[3], gsize shared_bytes,
    gpointer packed);
/* The function's module stays loaded between these (called on the launching and the stream's thread) */
void host_function_ref (HipNativeFunction function);
void host_function_unref (HipNativeFunction function);

G_END_DECLS
