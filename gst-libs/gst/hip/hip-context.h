/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The private context: one per native context of a driver, shared by all
 * device objects that stand for it. Holds the backend's state, the module
 * cache, the native events that are ready for reuse, and whether the device
 * failed. Everything above the backend table reaches the driver through it.
 *
 * Reference chain, without cycles: memory, stream, event, module -> context.
 * The context holds none of them (its module table holds weak entries). When
 * the last reference goes, the context is closed on a worker of hip-worker.h,
 * never on the caller's thread.
 *
 * Who may include this: the library's own .c files.
 */
#pragma once

#include "hip-backend.h"
#include "hip-lock.h"

G_BEGIN_DECLS

typedef struct _HipContext HipContext;

struct _HipContext
{
  gint ref_count;               /* atomic; reaches 0 only with the registry locked */
  const HipBackend *backend;
  HipNativeContext native;
  guintptr native_handle;       /* what the registry compares */
  GstHipDeviceInfo info;
  gboolean primary;             /* else a wrapped foreign one */
  gpointer owner;               /* with the registry locked: whose native context it is, let go of when it is closed */
  GDestroyNotify disown;
  gchar *lost_cause;            /* atomic; the error's text, or NULL: the device has not failed */

  struct _HipEventCache *event_caches[2];       /* [timed]: owned by gsthipevent.c, has a lock of its own */

  HipMutex lock;                /* guards what follows */
  struct _HipModuleCache *module_cache; /* owned by hip-module-cache.c */
  GDestroyNotify module_cache_free;     /* set with it; runs on a worker with the context entered */
  struct _HipDmabufCache *dmabuf_cache; /* owned by hip-dmabuf.c, which has a lock of its own; NULL until needed */
  GstHipStream *default_stream; /* held while a device object of this context exists: no cycle stays */
  guint n_devices;
};

/* --- hip-backend.c: which backend --- */
const gchar *hip_vendor_nick (GstHipVendor vendor);
/* All of this build in order of preference, usable or not; NULL-ended */
const HipBackend *const *hip_backend_list (void);
/* Loads backend's libraries, once per process; FALSE: UNAVAILABLE with the reason */
gboolean hip_backend_probe (const HipBackend * backend, GError ** error);
/* Loaded and usable, else UNAVAILABLE with the reason. UNKNOWN: what hip_backend_choose () takes. */
const HipBackend *hip_backend_find (GstHipVendor vendor, GError ** error);
/* The choice of spec: what is given, else environment, else automatic. device_id -1: any. */
const HipBackend *hip_backend_choose (GstHipVendor vendor, gint device_id, guint * chosen_id, GError ** error);
/* What to try when that backend's device *id, which choose or this gave for the same wish, could not be opened: the
 * next one that the wish leaves open. NULL: none is left. */
const HipBackend *hip_backend_choose_next (GstHipVendor vendor, gint device_id, const HipBackend * backend,
    guint * id);

/* Registry: one context per (vendor, native context) in the process. The
 * result of acquire is a new reference. device_id -1: the first. */
HipContext *hip_context_acquire (GstHipVendor vendor, gint device_id, GError ** error);
/* owner is let go of by disown (NULL: nobody) when native is not used any more; not where this fails. */
HipContext *hip_context_acquire_native (GstHipVendor vendor, guintptr native, gpointer owner, GDestroyNotify disown,
    GError ** error);
HipContext *hip_context_ref (HipContext * context);
/* Calls func for every open context, with a reference and without a lock. */
void hip_context_foreach (void (*func) (HipContext * context, gpointer data), gpointer data);
void hip_context_unref (HipContext * context);

/* TRUE between enter and leave the driver's context is current on this thread.
 * FALSE: the device is lost (DEVICE_LOST) or the process is exiting. Nests. */
gboolean hip_context_enter (HipContext * context, GError ** error);
void hip_context_leave (HipContext * context);
/* The same for freeing, which goes on after the device was lost. FALSE: the process is exiting; leak it. */
gboolean hip_context_enter_for_free (HipContext * context);

/* Called by whoever got an error from a backend slot: remembers DEVICE_LOST. Returns FALSE, so that calls chain. */
gboolean hip_context_failed (HipContext * context, const GError * error);
/* The same, and gives failure to the caller, with the device's name in its text (error may be NULL, which a backend's slot
 * is never given). */
gboolean hip_context_failed_with (HipContext * context, GError ** error, GError * failure);
/* hip_context_failed () for a wait or a query that failed: whatever its code, nobody can tell any more what the device has finished,
 * so it counts as lost. */
gboolean hip_context_wait_failed (HipContext * context, const GError * error);
/* The same, and the caller gets DEVICE_LOST */
gboolean hip_context_wait_failed_with (HipContext * context, GError ** error, GError * failure);
/* DEVICE_LOST with what happened; for a context that is lost */
void hip_context_set_lost_error (HipContext * context, GError ** error);
gboolean hip_context_is_lost (HipContext * context);

/* The context behind a public device; borrowed. */
HipContext *hip_device_get_context (GstHipDevice * device);
/* A device object for a context (used where a stream or memory must give one): new reference. */
GstHipDevice *hip_device_new_for_context (HipContext * context);

/* TRUE once exit () has begun: no driver call any more (things are leaked on purpose). */
gboolean hip_is_exiting (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipContext, hip_context_unref)

G_END_DECLS
