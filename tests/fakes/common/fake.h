/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What simulated drivers of both families have in common: a driver without a
 * GPU, whose work runs on the host backend. A family's own files give it the
 * names, types and numbers of its API and nothing else.
 *
 * It is stricter than a real driver: what breaks a rule of the API's
 * documentation, or a promise of ours, ends the process with the rule's name.
 *
 * Environment, PREFIX being FAKE_CUDA or FAKE_HIP:
 *   PREFIX_LOG=FILE        every call's name is appended, one a line; the first is "load"
 *   PREFIX_LOG_THREADS=1   each of those lines begins with the number of the thread
 *   PREFIX_FAIL=[NAME:]N[:CODE]  the Nth call (of NAME) fails with CODE
 *   PREFIX_DELAY_US=N      every piece of work takes so much longer
 *   PREFIX_REORDER=SEED    every piece of work takes longer by a random time, so
 *                          that streams that do not wait for each other change places
 *   PREFIX_MEMORY_MB=N     what a device has (default 8192)
 *   PREFIX_DEVICES=N       default 1; 0: there is none
 *   PREFIX_BROKEN=ID       that device does nothing, or gives no context
 *   FAKE_HIP_EXPORTS_BLOCK=1  what is exported is a part of a larger DMA-BUF
 *   FAKE_CUDA_NO_DMABUF=1  devices export no memory
 *   PREFIX_RTC_CACHE=DIR   what was compiled is kept there
 *
 * Who may include this: files of simulated drivers. */
#pragma once

#include <glib.h>

#include "backends/host/host-internal.h"
#include "fake-control.h"

#define FAKE_API __attribute__ ((visibility ("default"))) extern

#define FAKE_MAX_DEVICES 64
#define FAKE_MAX_SHARED (64 * 1024)     /* what the host backend has */

/* --- a family --- */

typedef enum
{
  FAKE_OK,
  FAKE_NOT_READY,
  FAKE_BAD_VALUE,
  FAKE_BAD_DEVICE,
  FAKE_BAD_HANDLE,
  FAKE_NO_MEMORY,
  FAKE_BROKEN_DEVICE,
  FAKE_BAD_IMAGE,
  FAKE_OTHER_GPU,
  FAKE_NOT_FOUND,
  FAKE_LOCKED_ALREADY,
  FAKE_FAILED,                  /* work did, with its device */
  FAKE_N_RESULTS
} FakeResult;

typedef struct
{
  gint device;
  guint retains;
  HipNativeContext host;
  gint lost;                    /* atomic: what every call gives since the device failed, or 0 */
  struct _FakeStream *stream;   /* the default one; NULL until somebody uses it */
} FakeContext;

typedef struct
{
  const gchar *prefix;          /* of the variables */
  gint results[FAKE_N_RESULTS];
  gint failure;                 /* of a call that is to fail, unless told */
  gint plain_shared;            /* dynamic shared memory that a kernel gets without asking */
  /* NULL-ended; names that begin so work where a device failed */
  const gchar *const *stateless;
  /* Does a call that fails so mean that the device failed? */
  gboolean (*loses_device) (const gchar * name, gint result);
  /* Of this thread, or NULL; NULL: no call has one */
  FakeContext *(*current) (void);
  void (*lose) (gint device);   /* NULL: there are no devices */
  /* Does code with these flags in its header run here? NULL: all does */
  gboolean (*runs) (guint32 flags);
} FakeFamily;

extern const FakeFamily fake_family;

/* --- fake-rules.c: what was called, what is to fail, which rule was broken --- */
/* Logs, counts, and says with which result this call is to fail (0: it is not). Every function begins with it. */
gint fake_enter (const gchar * name);
/* The same where the call is about a context that need not be current */
gint fake_enter_on (const gchar * name, FakeContext * context);
/* While it is closed every call waits at its beginning. */
void fake_close_door (gboolean close);
/* Ends the process unless kept */
void fake_rule (gboolean kept, const gchar * rule, const gchar * call);
/* A line of the log that is no call: begins with two spaces */
void fake_note (const gchar * line);
/* PREFIX_name */
const gchar *fake_variable (const gchar * name);
gint fake_number (const gchar * name, gint otherwise);
gboolean fake_name_begins (const gchar * name, const gchar * const * beginnings);
guint fake_n_failed (void);

#define FAKE_CALL()                             \
  G_STMT_START {                                \
    gint fake_failed = fake_enter (G_STRFUNC);  \
    if (fake_failed != 0)                       \
      return fake_failed;                       \
  } G_STMT_END

/* For a call that is to free a handle. A failed one took it, too: nobody may use it again, and it leaks by no fault of
 * the caller. */
#define FAKE_CALL_FREES(handle)                 \
  G_STMT_START {                                \
    gint fake_failed = fake_enter (G_STRFUNC);  \
    if (fake_failed != 0) {                     \
      fake_handle_remove (handle);              \
      return fake_failed;                       \
    }                                           \
  } G_STMT_END
#define FAKE_CALL_FREES_MEMORY(kind, address)                   \
  G_STMT_START {                                                \
    gint fake_failed = fake_enter (G_STRFUNC);                  \
    if (fake_failed != 0) {                                     \
      fake_memory_give_up (kind, address, G_STRFUNC);           \
      return fake_failed;                                       \
    }                                                           \
  } G_STMT_END

/* --- fake-handles.c: what lives --- */
typedef enum
{
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_MODULE,
  FAKE_MEMORY,
  FAKE_PROGRAM,
  FAKE_TEXTURE,
  FAKE_EXTERNAL,                /* another driver's memory, imported */
  FAKE_FUNCTION,                /* from here on: not asked to be freed */
  FAKE_CONTEXT,
  FAKE_N_KINDS
} FakeKind;

void fake_handle_add (gpointer handle, FakeKind kind);
void fake_handle_remove (gpointer handle);
/* All that was made with it current went with it. */
void fake_handles_forget_context (FakeContext * context);
void fake_handle_check (gpointer handle, FakeKind kind, const gchar * call);
guint fake_live (gchar ** what);

/* --- fake-device.c: each is a host context of its own, so that memory of two is told apart --- */
gint fake_device_count (void);
gboolean fake_device_is_broken (gint device);
FakeResult fake_device_retain (gint device, FakeContext ** context);
/* One more context of a device, which is no primary one */
FakeContext *fake_context_new (gint device);
void fake_context_free (FakeContext * context);
void fake_device_release (gint device, const gchar * call);
gboolean fake_device_is_active (gint device);
void fake_device_lose (gint device);
/* Fills bytes that tell the device apart */
void fake_device_uuid (gint device, gpointer uuid);
gsize fake_device_memory (void);
/* The current context; ends the process if there is none */
FakeContext *fake_current (const gchar * call);

/* --- fake-work.c: streams, events, copies --- */
typedef struct _FakeStream
{
  FakeContext *context;
  HipNativeStream host;
  gboolean ends_late;           /* may be destroyed with work queued, as drivers allow; this library does not do that */
} FakeStream;

typedef struct
{
  FakeContext *context;
  HipNativeEvent host;
  gboolean timed;
  gboolean spins;               /* who waits for it does not sleep */
  gint recorded;                /* atomic */
} FakeEvent;

/* What real drivers do in some calls that free or load something (seen on an H200): until every kernel of the context
 * has ended they wait, and all other calls with them. */
void fake_wait_for_device (FakeContext * context);
/* Of the current context, for programs that give no stream; this library does not */
FakeStream *fake_stream_default (const gchar * call);
/* With its context */
void fake_stream_free_default (FakeContext * context);
FakeResult fake_stream_new (FakeStream ** stream, gint priority, const gchar * call);
FakeResult fake_stream_free (FakeStream * stream, const gchar * call);
FakeResult fake_stream_query (FakeStream * stream, const gchar * call);
FakeResult fake_stream_synchronize (FakeStream * stream, const gchar * call);
FakeResult fake_stream_wait_event (FakeStream * stream, FakeEvent * event, const gchar * call);
/* A piece of work that a function does, called by a thread of its own; ran: FALSE where the device has failed meanwhile.
 * FALSE: it has failed. */
gboolean fake_stream_call (FakeStream * stream, void (*func) (gpointer data, gboolean ran), gpointer data);
/* Before every piece of work: the rules for its stream, and delays */
void fake_stream_begin (FakeStream * stream, const gchar * call);

FakeResult fake_event_new (FakeEvent ** event, gboolean timed, const gchar * call);
FakeResult fake_event_free (FakeEvent * event, const gchar * call);
FakeResult fake_event_record (FakeEvent * event, FakeStream * stream, const gchar * call);
FakeResult fake_event_query (FakeEvent * event, const gchar * call);
FakeResult fake_event_synchronize (FakeEvent * event, const gchar * call);
FakeResult fake_event_elapsed (gfloat * ms, FakeEvent * start, FakeEvent * stop, const gchar * call);

/* From CPU memory to CPU memory it waits, as the real drivers' documentation says, for what is queued before. */
FakeResult fake_copy (FakeStream * stream, const HipCopy2D * copy, const gchar * call);
/* The same from memory of another context */
FakeResult fake_copy_peer (FakeStream * stream, FakeContext * from, const HipCopy2D * copy, const gchar * call);
FakeResult fake_fill (FakeStream * stream, guintptr address, guint8 value, gsize size, const gchar * call);
FakeResult fake_fill_units (FakeStream * stream, guintptr address, guint32 value, guint unit_bytes, gsize count,
    const gchar * call);

/* --- fake-memory.c --- */
typedef enum
{
  FAKE_DEVICE_MEMORY,
  FAKE_PINNED_MEMORY,
  FAKE_REGISTERED_MEMORY,
  FAKE_EXTERNAL_MEMORY,         /* mapped, of another driver */
} FakeMemoryKind;

/* A new descriptor of device memory that begins at address and is so large, of whole blocks of 2 MiB */
FakeResult fake_memory_export (guintptr address, gsize size, gint * fd, const gchar * call);
FakeResult fake_memory_alloc (FakeMemoryKind kind, gsize size, guintptr * address, const gchar * call);
/* Freed or unregistered */
FakeResult fake_memory_free (FakeMemoryKind kind, guintptr address, const gchar * call);
void fake_memory_give_up (FakeMemoryKind kind, guintptr address, const gchar * call);
/* Memory that came from elsewhere; freed by fake_memory_free () all the same */
void fake_memory_adopt (FakeMemoryKind kind, guintptr address, gsize size, const gchar * call);
/* Memory of a library that works on the stream's device, whatever is current; freed as external memory */
void fake_memory_lend (FakeStream * stream, guintptr address, gsize size);
FakeResult fake_memory_register (gpointer data, gsize size, const gchar * call);
/* Is it the CPU's, by its address? */
gboolean fake_memory_is_host (guintptr address);
/* BAD_VALUE: the CPU's address is in no memory that the device sees */
FakeResult fake_memory_host_address (gconstpointer host, guintptr * address, const gchar * call);
/* May the stream be given work that uses these bytes, if they are ours? Before it is, or they are harmed. */
void fake_memory_check (FakeStream * stream, guintptr address, gsize size, const gchar * call);
/* It was given such work. */
void fake_memory_use (FakeStream * stream, guintptr address);

/* --- fake-module.c --- */
typedef struct _FakeModule FakeModule;
typedef struct _FakeFunction FakeFunction;

/* An image says itself how long it is. */
FakeResult fake_module_load (FakeModule ** module, gconstpointer image, guint16 machine, const gchar * call);
FakeResult fake_module_unload (FakeModule * module, const gchar * call);
FakeResult fake_module_function (FakeModule * module, const gchar * name, FakeFunction ** function,
    const gchar * call);
FakeResult fake_module_global (FakeModule * module, const gchar * name, guintptr * address, gsize * size,
    const gchar * call);
gint fake_function_max_dynamic (FakeFunction * function, const gchar * call);
FakeResult fake_function_set_max_dynamic (FakeFunction * function, gint bytes, const gchar * call);
FakeResult fake_launch (FakeFunction * function, FakeStream * stream, const HipLaunch * launch, const gchar * call);

/* --- fake-compile.c: for NVRTC and HIPRTC --- */
typedef struct
{
  gchar *text, *name;
  gchar *log;                   /* NULL: none */
  GBytes *binary;               /* NULL: not compiled */
} FakeProgram;

FakeProgram *fake_program_new (const gchar * text, const gchar * name);
void fake_program_free (FakeProgram * program, const gchar * call);
/* Takes the user's source out of the complete text again and compiles it for the host. What is given beside that, the
 * prelude's other half, is for the real compiler to judge. options: in the host compiler's spelling */
gboolean fake_program_compile (FakeProgram * program, const gchar * const * options, guint16 machine, guint32 flags,
    const gchar * call);
const gchar *fake_program_log (FakeProgram * program);

/* A shared object of the host backend whose header names a GPU's machine and its family's flags, and back */
gboolean fake_elf_disguise (guint8 * data, gsize size, guint16 machine, guint32 flags);
gboolean fake_elf_reveal (guint8 * data, gsize size, guint16 machine, guint32 * flags);
