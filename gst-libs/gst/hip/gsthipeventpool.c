/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does a program get an event that it records itself?
 *
 * The pool is a handle on its device's own cache of events; several pools of
 * one device share it. Must not know: how events are recycled. */
#include "hip-stream.h"
#include "gsthiperror.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_event_debug, "hipevent", "HIP events")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_event_debug ()

struct _GstHipEventPool
{
  GstObject parent;

  HipContext *context;
};

struct _GstHipEventPoolClass
{
  GstObjectClass parent_class;
};

G_DEFINE_FINAL_TYPE (GstHipEventPool, gst_hip_event_pool, GST_TYPE_OBJECT);

static void
gst_hip_event_pool_finalize (GObject * object)
{
  GstHipEventPool *self = GST_HIP_EVENT_POOL (object);

  g_clear_pointer (&self->context, hip_context_unref);
  G_OBJECT_CLASS (gst_hip_event_pool_parent_class)->finalize (object);
}

static void
gst_hip_event_pool_class_init (GstHipEventPoolClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_hip_event_pool_finalize;
}

static void
gst_hip_event_pool_init (GstHipEventPool * self)
{
}

/**
 * gst_hip_event_pool_new:
 * @vendor: which backend
 * @device_id: ordinal of the device within it
 *
 * Blocking: while a device is opened for the first time.
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): a new pool, or %NULL if the device
 *   cannot be opened (the reason is logged)
 *
 * Since: 1.30
 */
GstHipEventPool *
gst_hip_event_pool_new (GstHipVendor vendor, guint device_id)
{
  g_autoptr (GError) error = NULL;
  GstHipEventPool *self;
  HipContext *context;

  context = hip_context_acquire (vendor, device_id, &error);
  if (!context) {
    GST_ERROR ("no event pool: %s", error->message);
    return NULL;
  }
  self = g_object_new (GST_TYPE_HIP_EVENT_POOL, NULL);
  self->context = context;

  return gst_object_ref_sink (self);
}

/**
 * gst_hip_event_pool_acquire:
 * @pool: a #GstHipEventPool
 * @event: (out) (nullable) (transfer full): an event that was never recorded
 *
 * The event goes back by its last gst_hip_event_unref(), also while pending.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether there is an event; a failure is logged
 *
 * Since: 1.30
 */
gboolean
gst_hip_event_pool_acquire (GstHipEventPool * pool, GstHipEvent ** event)
{
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (GST_IS_HIP_EVENT_POOL (pool), FALSE);
  g_return_val_if_fail (event != NULL, FALSE);

  *event = hip_event_acquire (pool->context, FALSE, &error);
  if (!*event)
    GST_ERROR_OBJECT (pool, "no event: %s", error->message);

  return *event != NULL;
}
