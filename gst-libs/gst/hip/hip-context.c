/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which native context is behind an object, is it still good, and when is it
 * closed?
 *
 * The registry holds contexts weakly. A reference count falls to 0 only with
 * the registry locked, so whoever finds a context there can take it. Closing
 * happens on a worker (I4). Once the device failed every enter fails (I6); once
 * exit () has begun no driver is called any more, since its own exit handlers
 * may have run, and everything is left to the kernel.
 *
 * Must not know: vendors, or what uses a context.
 */
#include <stdlib.h>

#include "hip-context.h"
#include "hip-dmabuf.h"
#include "hip-stream.h"
#include "hip-worker.h"
#include "gsthiperror.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_device_debug, "hipdevice", "HIP devices")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_device_debug ()

static HipMutex registry_lock;
static GSList *registry;        /* HipContext, weak */
static gint exiting;

static void
note_exit (void)
{
  g_atomic_int_set (&exiting, TRUE);
  hip_worker_wait_tasks ();
}

gboolean
hip_is_exiting (void)
{
  return g_atomic_int_get (&exiting);
}

/* Exit handlers run in reverse order: ours has to be registered after the
 * driver's, which is there once a context of it was opened. */
static void
watch_exit (const HipBackend * backend)
{
  static gint watched;          /* one bit per vendor */
  guint bit = 1u << backend->vendor;

  if (!(g_atomic_int_or (&watched, bit) & bit))
    atexit (note_exit);
}

/* On a worker */
static void
context_close (gpointer data)
{
  HipContext *context = data;
  gboolean entered = hip_context_enter_for_free (context);
  guint i;

  if (hip_is_exiting ())
    return;
  /* A driver that cannot even be entered frees nothing: leaked on purpose. */
  if (entered) {
    hip_dmabuf_cache_free (context);
    if (context->module_cache_free)
      context->module_cache_free (context->module_cache);
    for (i = 0; i < G_N_ELEMENTS (context->event_caches); i++)
      hip_event_cache_free (context, context->event_caches[i]);
    hip_context_leave (context);
  }

  GST_INFO ("closing %s device %u", context->backend->name,
      context->info.device_id);
  context->backend->context_close (context->native);
  if (context->disown)
    context->disown (context->owner);
  hip_mutex_clear (&context->lock);
  g_free (context->lost_cause);
  g_free (context);
  hip_worker_context_closed ();
}

static HipContext *
context_new (const HipBackend * backend, HipNativeContext native,
    gboolean primary)
{
  HipContext *context = g_new0 (HipContext, 1);
  guint i;

  context->ref_count = 1;
  context->backend = backend;
  context->native = native;
  context->native_handle = backend->context_native (native);
  context->primary = primary;
  hip_mutex_init (&context->lock);
  for (i = 0; i < G_N_ELEMENTS (context->event_caches); i++)
    context->event_caches[i] = hip_event_cache_new ();
  hip_worker_context_opened ();
  watch_exit (backend);

  return context;
}

/* With the registry locked */
static HipContext *
registry_find_primary (const HipBackend * backend, guint device_id)
{
  GSList *l;

  for (l = registry; l; l = l->next) {
    HipContext *context = l->data;

    /* A lost one is not given out again: a driver that recovered gets a
     * fresh chance. */
    if (context->backend == backend && context->primary
        && context->info.device_id == device_id
        && !hip_context_is_lost (context))
      return hip_context_ref (context);
  }

  return NULL;
}

/* Takes context; gives back it, or the one that is there already. */
static HipContext *
registry_add (HipContext * context)
{
  HipContext *there = NULL;
  GSList *l;

  hip_mutex_lock (&registry_lock);
  for (l = registry; l && !there; l = l->next) {
    HipContext *other = l->data;

    if (other->backend == context->backend
        && other->native_handle == context->native_handle
        && !hip_context_is_lost (other))
      there = hip_context_ref (other);
  }
  if (!there) {
    registry = g_slist_prepend (registry, context);
  } else if (!there->primary && !there->disown) {
    /* Whoever wrapped it first promised less. */
    there->owner = context->owner;
    there->disown = g_steal_pointer (&context->disown);
  }
  hip_mutex_unlock (&registry_lock);

  if (there) {
    hip_context_unref (context);
    return there;
  }

  return context;
}

/* Which device it was, once, where the text is the driver's. A compiler's is
 * the user's own file. */
static void
name_device (const HipBackend * backend, guint id, GError * failure)
{
  g_autofree gchar *name = g_strdup_printf ("%s device %u", backend->name, id);

  if (!g_str_has_prefix (failure->message, name)
      && !g_error_matches (failure, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE))
    g_prefix_error (&failure, "%s: ", name);
}

static HipContext *
context_open (const HipBackend * backend, guint id, GError ** error)
{
  HipNativeContext native = NULL;
  HipContext *context;
  GstHipDeviceInfo info = { 0 };
  GError *failure = NULL;

  hip_mutex_lock (&registry_lock);
  context = registry_find_primary (backend, id);
  hip_mutex_unlock (&registry_lock);
  if (context)
    return context;

  if (backend->device_info (id, &info, &failure))
    native = backend->context_open (id, &failure);
  if (!native) {
    name_device (backend, id, failure);
    g_propagate_error (error, failure);
    return NULL;
  }

  context = context_new (backend, native, TRUE);
  context->info = info;
  GST_INFO ("opened %s device %u: %s (%s)", backend->name, id, info.name,
      info.arch);

  return registry_add (context);
}

/* A device that does not open is passed over where nobody chose it. */
HipContext *
hip_context_acquire (GstHipVendor vendor, gint device_id, GError ** error)
{
  const HipBackend *backend;
  HipContext *context = NULL;
  GError *first = NULL;
  guint id;

  backend = hip_backend_choose (vendor, device_id, &id, error);
  if (!backend)
    return NULL;

  while (backend) {
    const HipBackend *failed = backend;
    GError *failure = NULL;
    guint failed_id = id;

    context = context_open (backend, id, &failure);
    if (context)
      break;
    backend = hip_backend_choose_next (vendor, device_id, backend, &id);
    if (backend)
      GST_WARNING ("passing over %s device %u: %s", failed->name, failed_id,
          failure->message);
    if (first)
      g_error_free (failure);
    else
      first = failure;
  }
  if (context)
    g_clear_error (&first);
  else
    g_propagate_error (error, first);

  return context;
}

HipContext *
hip_context_acquire_native (GstHipVendor vendor, guintptr native_handle,
    gpointer owner, GDestroyNotify disown, GError ** error)
{
  const HipBackend *backend = hip_backend_find (vendor, error);
  HipNativeContext native;
  HipContext *context;
  GstHipDeviceInfo info = { 0 };
  GError *failure = NULL;
  guint device_id;

  if (!backend)
    return NULL;
  if (!backend->context_wrap) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "the %s backend cannot wrap a context of the application",
        backend->name);
    return NULL;
  }

  native = backend->context_wrap (native_handle, &device_id, &failure);
  if (!native) {
    g_propagate_error (error, failure);
    return NULL;
  }
  context = context_new (backend, native, FALSE);
  if (!backend->device_info (device_id, &info, &failure)) {
    g_propagate_error (error, failure);
    hip_context_unref (context);
    return NULL;
  }
  context->info = info;
  context->owner = owner;
  context->disown = disown;

  return registry_add (context);
}

HipContext *
hip_context_ref (HipContext * context)
{
  g_atomic_int_inc (&context->ref_count);
  return context;
}

void
hip_context_foreach (void (*func) (HipContext * context, gpointer data),
    gpointer data)
{
  g_autoptr (GPtrArray) contexts =
      g_ptr_array_new_with_free_func ((GDestroyNotify) hip_context_unref);

  /* Those in the registry have references. */
  hip_mutex_lock (&registry_lock);
  for (GSList * l = registry; l; l = l->next)
    g_ptr_array_add (contexts, hip_context_ref (l->data));
  hip_mutex_unlock (&registry_lock);
  for (guint i = 0; i < contexts->len; i++)
    func (g_ptr_array_index (contexts, i), data);
}

void
hip_context_unref (HipContext * context)
{
  gboolean last;

  for (;;) {
    gint count = g_atomic_int_get (&context->ref_count);

    if (count == 1)
      break;
    if (g_atomic_int_compare_and_exchange (&context->ref_count, count,
            count - 1))
      return;
  }

  hip_mutex_lock (&registry_lock);
  last = g_atomic_int_dec_and_test (&context->ref_count);
  if (last)
    registry = g_slist_remove (registry, context);
  hip_mutex_unlock (&registry_lock);

  if (last)
    hip_worker_run (context_close, context);
}

/* What this thread has entered, the last one on top: entering that one again
 * asks nothing of the driver, whose two calls would cost as much as the work of
 * a short function. Between enter and leave nobody else's code runs here. */
#define MAX_ENTERED 8
static _Thread_local struct
{
  HipContext *context;
  guint times;
} on_thread[MAX_ENTERED];
static _Thread_local guint n_entered;

static gboolean
enter_native (HipContext * context, GError ** error)
{
  if (n_entered > 0 && on_thread[n_entered - 1].context == context) {
    on_thread[n_entered - 1].times++;
    return TRUE;
  }
  g_assert (n_entered < MAX_ENTERED);
  if (!context->backend->context_enter (context->native, error))
    return FALSE;
  on_thread[n_entered].context = context;
  on_thread[n_entered++].times = 1;
  return TRUE;
}

gboolean
hip_context_enter (HipContext * context, GError ** error)
{
  GError *failure = NULL;

  if (G_UNLIKELY (hip_is_exiting ())) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "the process is exiting");
    return FALSE;
  }
  if (G_UNLIKELY (hip_context_is_lost (context))) {
    hip_context_set_lost_error (context, error);
    return FALSE;
  }

  /* That takes nothing but a device that works. */
  if (!enter_native (context, &failure))
    return hip_context_wait_failed_with (context, error, failure);

  return TRUE;
}

void
hip_context_leave (HipContext * context)
{
  g_assert (n_entered > 0 && on_thread[n_entered - 1].context == context);
  if (--on_thread[n_entered - 1].times > 0)
    return;
  on_thread[--n_entered].context = NULL;
  context->backend->context_leave (context->native);
}

gboolean
hip_context_enter_for_free (HipContext * context)
{
  g_autoptr (GError) error = NULL;

  if (hip_is_exiting ())
    return FALSE;

  /* A driver whose device failed still takes frees, and answers with errors
   * that say nothing new. */
  if (!enter_native (context, &error)) {
    GST_DEBUG ("%s: %s", context->backend->name, error->message);
    return FALSE;
  }

  return TRUE;
}

/* The first one counts: what comes later is its consequence. */
static void
context_set_lost (HipContext * context, const GError * error)
{
  gchar *cause = g_strdup (error->message);

  if (g_atomic_pointer_compare_and_exchange (&context->lost_cause, NULL, cause))
    GST_ERROR ("%s device %u is lost: %s", context->backend->name,
        context->info.device_id, cause);
  else
    g_free (cause);
}

void
hip_context_set_lost_error (HipContext * context, GError ** error)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_DEVICE_LOST,
      "%s device %u has failed: open it again, or restart the process; first "
      "was %s", context->backend->name, context->info.device_id,
      (const gchar *) g_atomic_pointer_get (&context->lost_cause));
}

gboolean
hip_context_failed (HipContext * context, const GError * error)
{
  if (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_DEVICE_LOST)
      && !hip_is_exiting ())
    context_set_lost (context, error);

  return FALSE;
}

gboolean
hip_context_failed_with (HipContext * context, GError ** error,
    GError * failure)
{
  hip_context_failed (context, failure);
  name_device (context->backend, context->info.device_id, failure);
  g_propagate_error (error, failure);

  return FALSE;
}

gboolean
hip_context_wait_failed (HipContext * context, const GError * error)
{
  if (!hip_is_exiting ())
    context_set_lost (context, error);

  return FALSE;
}

gboolean
hip_context_wait_failed_with (HipContext * context, GError ** error,
    GError * failure)
{
  hip_context_wait_failed (context, failure);
  if (hip_context_is_lost (context)) {
    hip_context_set_lost_error (context, error);
    g_error_free (failure);
  } else {
    g_propagate_error (error, failure);
  }

  return FALSE;
}

gboolean
hip_context_is_lost (HipContext * context)
{
  return g_atomic_pointer_get (&context->lost_cause) != NULL;
}
