/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The private table that a vendor's backend fills: the only file of the
 * library that a backend must read. Who may include this: the library's own .c
 * files and tests linked against the static library.
 *
 * Contract of every slot
 * - Arguments were validated by the caller; backends trust them.
 * - Slots that take a context are called between context_enter and
 *   context_leave on this thread (so the driver's context is current), with no
 *   GstHip lock held, from any thread, never after exit () has begun.
 * - A slot that can fail returns FALSE/NULL only with *error set (domain
 *   GST_HIP_ERROR); error is never NULL. A device that failed is reported as
 *   GST_HIP_ERROR_DEVICE_LOST: the caller makes that stick.
 * - "Never waits": returns without waiting for queued work.
 * - Every slot is required unless it says "optional: capability".
 */
#pragma once

#include <gst/hip/gsthipdevice.h>

G_BEGIN_DECLS

typedef struct _HipBackend HipBackend;
typedef struct _HipNativeFunctions HipNativeFunctions;  /* hip-native.h */
typedef gpointer HipNativeContext;      /* backend's own state of one open context */
typedef gpointer HipNativeStream;
typedef gpointer HipNativeEvent;
typedef gpointer HipNativeModule;
typedef gpointer HipNativeFunction;
typedef gpointer HipNativeDmabuf;
typedef gpointer HipNativeGate;

/* Where an address lies, from the device's point of view */
typedef enum
{
  HIP_SPACE_DEVICE,
  HIP_SPACE_PINNED,             /* page-locked (or HOST_ADDRESSABLE and any) CPU memory */
} HipSpace;

typedef struct
{
  HipSpace dst_space, src_space;
  guintptr dst, src;
  gsize dst_stride, src_stride; /* bytes; irrelevant where rows is 1 */
  gsize row_bytes, rows;        /* both > 0 */
} HipCopy2D;

typedef struct
{
  const gchar *source;          /* complete text: prelude, user's source with #line, trailer */
  const gchar *name;            /* for messages */
  const gchar *const *options;  /* the user's, NULL-ended, already in this backend's spelling */
} HipCompileRequest;

typedef struct
{
  guint grid[3], block[3];
  gsize shared_bytes;           /* dynamic shared memory */
  void **params;                /* n_params addresses of values; the backend copies the values before it returns */
  guint n_params;
} HipLaunch;

struct _HipBackend
{
  const gchar *name;            /* "host", "nvidia", "amd": the property's and environment's nick */
  GstHipVendor vendor;

  /* --- libraries and devices; no context --- */
  /* Loads the driver's libraries, initialises nothing more than the driver asks for. Called once per process, on first use. */
  gboolean (*probe) (GError ** error);
  guint (*device_count) (void);
  gboolean (*device_info) (guint device_id, GstHipDeviceInfo * info, GError ** error);
  /* Adds fields to structure: library-path, compiler, compiler-version, ... */
  void (*describe) (GstStructure * structure);

  /* --- context --- */
  HipNativeContext (*context_open) (guint device_id, GError ** error);  /* the primary context */
  /* optional: foreign contexts can be wrapped */
  HipNativeContext (*context_wrap) (guintptr native, guint * device_id, GError ** error);
  void (*context_close) (HipNativeContext context);
  guintptr (*context_native) (HipNativeContext context);
  gboolean (*context_enter) (HipNativeContext context, GError ** error);
  void (*context_leave) (HipNativeContext context);
  /* Makes it current on this thread and leaves it so (for native users) */
  gboolean (*context_set_current) (HipNativeContext context, GError ** error);

  /* --- memory --- */
  gboolean (*memory_alloc) (HipNativeContext context, HipSpace space, gsize size, guintptr * address, GError ** error);
  void (*memory_free) (HipNativeContext context, HipSpace space, guintptr address);
  /* Page-locks the application's memory; *device_address is what kernels use for it */
  gboolean (*host_register) (HipNativeContext context, gpointer data, gsize size, guintptr * device_address,
      GError ** error);
  void (*host_unregister) (HipNativeContext context, gpointer data);
  /* What kernels use as the address of pinned memory */
  gboolean (*host_device_address) (HipNativeContext context, gpointer data, guintptr * device_address, GError ** error);

  /* --- DMA-BUFs of others; optional: GST_HIP_DEVICE_CAP_DMABUF_IMPORT, which asks for all but dmabuf_begin, _end --- */
  /* Why this backend has none of them: the end of a sentence */
  const gchar *no_dmabuf;
  /* The whole of a DMA-BUF, of which size bytes were made sure of. fd stays the caller's. */
  HipNativeDmabuf (*dmabuf_import) (HipNativeContext context, gint fd, gsize size, guintptr * address,
      GError ** error);
  /* On a worker; nothing uses it any more. Waits where the driver does. */
  void (*dmabuf_release) (HipNativeContext context, HipNativeDmabuf dmabuf);
  /* optional: around what a device that is a CPU reads, from any thread; what is to be waited for has ended. */
  void (*dmabuf_begin) (HipNativeDmabuf dmabuf, gint fd);
  void (*dmabuf_end) (HipNativeDmabuf dmabuf, gint fd);
  /* --- device memory for others; optional: GST_HIP_DEVICE_CAP_DMABUF_EXPORT, which asks for both --- */
  /* At least size bytes, and a descriptor of a DMA-BUF of which they are the first: the backend's until the release */
  gboolean (*export_alloc) (HipNativeContext context, gsize size, guintptr * address, gint * fd, GError ** error);
  /* On a worker; nothing of ours uses it any more, and others keep what is behind their own descriptors. */
  void (*export_free) (HipNativeContext context, gsize size, guintptr address, gint fd);
  /* A gate is closed until the CPU opens it, once; streams wait at it. */
  HipNativeGate (*gate_new) (HipNativeContext context, GError ** error);
  /* Never waits. Once a gate */
  gboolean (*stream_wait_gate) (HipNativeContext context, HipNativeStream stream, HipNativeGate gate, GError ** error);
  /* From any thread; the context need not be current, and the device may be lost. */
  void (*gate_open) (HipNativeGate gate);
  /* It was opened, and the stream is behind it. */
  void (*gate_free) (HipNativeContext context, HipNativeGate gate);

  /* --- streams: in order, asynchronous --- */
  HipNativeStream (*stream_new) (HipNativeContext context, gint priority, GError ** error);
  /* The stream is idle or abandoned: with abandon TRUE it may still run; the backend leaks what that needs. */
  void (*stream_free) (HipNativeContext context, HipNativeStream stream, gboolean abandon);
  guintptr (*stream_native) (HipNativeStream stream);
  GstHipEventState (*stream_query) (HipNativeContext context, HipNativeStream stream, GError ** error);
  gboolean (*stream_synchronize) (HipNativeContext context, HipNativeStream stream, GError ** error);   /* waits */
  /* Device-side wait; event may be of another context of this backend. Never waits. */
  gboolean (*stream_wait_event) (HipNativeContext context, HipNativeStream stream, HipNativeEvent event,
      GError ** error);
  gboolean (*stream_copy_2d) (HipNativeContext context, HipNativeStream stream, const HipCopy2D * copy,
      GError ** error);         /* never waits */
  /* optional: the same where src is device memory of another context of this backend, and dst the stream's own */
  gboolean (*stream_copy_peer) (HipNativeContext context, HipNativeStream stream, HipNativeContext from,
      const HipCopy2D * copy, GError ** error);
  gboolean (*stream_fill) (HipNativeContext context, HipNativeStream stream, HipSpace space, guintptr address,
      gsize size, guint8 value, GError ** error);       /* never waits */

  /* --- events: may be recorded again once done; blocking-sync, so that event_synchronize sleeps --- */
  HipNativeEvent (*event_new) (HipNativeContext context, gboolean timed, GError ** error);
  void (*event_free) (HipNativeContext context, HipNativeEvent event);
  gboolean (*event_record) (HipNativeContext context, HipNativeEvent event, HipNativeStream stream, GError ** error);
  GstHipEventState (*event_query) (HipNativeContext context, HipNativeEvent event, GError ** error);
  gboolean (*event_synchronize) (HipNativeContext context, HipNativeEvent event, GError ** error);      /* waits */
  gboolean (*event_elapsed) (HipNativeContext context, HipNativeEvent start, HipNativeEvent stop, gdouble * ns,
      GError ** error);

  /* --- kernels --- */
  /* One line that changes whenever the compiler's output could: part of cache keys. With a NULL context (when kernels
   * are precompiled, where there may be no device) of the compiler alone. */
  gchar *(*compiler_id) (HipNativeContext context, GError ** error);
  /* Options in this backend's spelling; free with g_strfreev (). context may be NULL, as above. */
  gchar **(*translate_options) (HipNativeContext context, const gchar * const * options, GError ** error);
  /* Waits for the compiler. *log is set on success too where it said something. */
  GBytes *(*compile) (HipNativeContext context, const HipCompileRequest * request, gchar ** log, GError ** error);
  /* optional: precompiled kernels. Both need no context and no probe (). */
  /* Architectures whose code a device of info runs, the best first; free with g_strfreev (). Names are those of the
   * build's options and part of file names: letters, digits, "-" and "_". */
  gchar **(*precompiled_archs) (const GstHipDeviceInfo * info);
  /* As compile, for such an architecture; UNSUPPORTED if the compiler does not know it. */
  GBytes *(*compile_for) (const gchar * arch, const HipCompileRequest * request, gchar ** log, GError ** error);
  HipNativeModule (*module_load) (HipNativeContext context, GBytes * binary, GError ** error);
  void (*module_unload) (HipNativeContext context, HipNativeModule module);
  HipNativeFunction (*module_get_function) (HipNativeContext context, HipNativeModule module, const gchar * name,
      GError ** error);
  /* Reads a global symbol. *size: room in data, then the symbol's bytes, of which as many as fit were read; data may be
   * NULL. FALSE with UNAVAILABLE if there is no such symbol. Waits. */
  gboolean (*module_read_global) (HipNativeContext context, HipNativeModule module, const gchar * name, gpointer data,
      gsize * size, GError ** error);
  gboolean (*launch) (HipNativeContext context, HipNativeStream stream, HipNativeFunction function,
      const HipLaunch * launch, GError ** error);       /* never waits */

  /* --- for programs that call the driver themselves (gst/hip/hip-gst.h); no context --- */
  /* optional: functions that look like HIP's, the same each time; where it is NULL, or one of them, HIP's answer is that
   * it is not supported. Takes native handles of streams, and of events what event_native says. */
  const HipNativeFunctions *(*native) (void);
  /* optional: the driver's handle of an event; NULL: a HipNativeEvent is it */
  guintptr (*event_native) (HipNativeEvent event);
  /* optional: as stream_wait_event, for a stream of which only the driver's handle is known */
  gboolean (*native_wait_event) (HipNativeContext context, guintptr stream, HipNativeEvent event, GError ** error);
};

extern const HipBackend hip_backend_amd;
extern const HipBackend hip_backend_nvidia;
extern const HipBackend hip_backend_host;

G_END_DECLS
