/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
#pragma once

#include <gst/hip/gsthipenums.h>

G_BEGIN_DECLS

#define GST_TYPE_HIP_EVENT (gst_hip_event_get_type ())
#define GST_HIP_EVENT(obj) ((GstHipEvent *) (obj))
#define GST_IS_HIP_EVENT(obj) (GST_IS_MINI_OBJECT_TYPE ((obj), GST_TYPE_HIP_EVENT))

#define GST_TYPE_HIP_EVENT_POOL (gst_hip_event_pool_get_type ())
#define GST_HIP_EVENT_POOL(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_HIP_EVENT_POOL, GstHipEventPool))
#define GST_HIP_EVENT_POOL_CAST(obj) ((GstHipEventPool *) (obj))
#define GST_HIP_EVENT_POOL_CLASS(klass) \
  (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_HIP_EVENT_POOL, GstHipEventPoolClass))
#define GST_HIP_EVENT_POOL_GET_CLASS(obj) \
  (G_TYPE_INSTANCE_GET_CLASS ((obj), GST_TYPE_HIP_EVENT_POOL, GstHipEventPoolClass))
#define GST_IS_HIP_EVENT_POOL(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_HIP_EVENT_POOL))
#define GST_IS_HIP_EVENT_POOL_CLASS(klass) (G_TYPE_CHECK_CLASS_TYPE ((klass), GST_TYPE_HIP_EVENT_POOL))

/**
 * GstHipEventNotify:
 * @event: the event that ended
 * @state: %GST_HIP_EVENT_STATE_DONE or %GST_HIP_EVENT_STATE_FAILED
 * @user_data: (closure): as given to gst_hip_event_notify()
 *
 * Called once, from a worker thread of the library, with no lock held.
 * Dropping the last reference of any object in here is allowed.
 *
 * Since: 1.30
 */
typedef void (*GstHipEventNotify) (GstHipEvent * event, GstHipEventState state, gpointer user_data);

GST_HIP_API
GType gst_hip_event_get_type (void);

GST_HIP_API
GType gst_hip_event_pool_get_type (void);

GST_HIP_API
GstHipEventPool * gst_hip_event_pool_new (GstHipVendor vendor, guint device_id);

GST_HIP_API
gboolean gst_hip_event_pool_acquire (GstHipEventPool * pool, GstHipEvent ** event);

GST_HIP_API
GstHipVendor gst_hip_event_get_vendor (GstHipEvent * event);

GST_HIP_API
guint gst_hip_event_get_device_id (GstHipEvent * event);

GST_HIP_API
gboolean gst_hip_event_record_on_stream (GstHipEvent * event, GstHipStream * stream, GError ** error);

GST_HIP_API
GstHipEventState gst_hip_event_query_state (GstHipEvent * event);

GST_HIP_API
gboolean gst_hip_event_wait (GstHipEvent * event, GError ** error);

GST_HIP_API
gboolean gst_hip_event_get_elapsed (GstHipEvent * start, GstHipEvent * stop, gdouble * elapsed_ns, GError ** error);

GST_HIP_API
void gst_hip_event_notify (GstHipEvent * event, GstHipEventNotify func, gpointer user_data, GDestroyNotify destroy);

GST_HIP_API
GstHipEvent * gst_hip_event_ref (GstHipEvent * event);

GST_HIP_API
void gst_hip_event_unref (GstHipEvent * event);

GST_HIP_API
void gst_clear_hip_event (GstHipEvent ** event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipEvent, gst_hip_event_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstHipEventPool, gst_object_unref)

G_END_DECLS
