/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How do the elements of a pipeline come to use the same device?
 *
 * In this order: what the element's own properties say bounds everything; then
 * a context that the application or a neighbour has; then what
 * gst_hip_device_new_full() chooses. A context that does not fit the properties
 * is passed over; properties that cannot be met are an error.
 *
 * The device location (the "slot") owns exactly one reference whenever it is
 * not NULL, on every path. It may be filled by a synchronous re-entry (an
 * application answers need-context from its sync handler) or by another thread,
 * so it is read and written under one lock, never held while anything else is
 * called.
 *
 * Must not know: what elements do with the device.
 */
#include "gsthiputils.h"
#include "gsthipdevice.h"
#include "gsthiperror.h"
#include "gsthip-enumtypes.h"
#include "hip-context.h"
#include "hip-lock.h"
#include "hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_utils_debug, "hiputils", "HIP context sharing")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_utils_debug ()

/* Not a lock of frames: devices change with states and contexts. */
static HipMutex slot_lock;

typedef struct
{
  GstHipVendor vendor;
  gint device_id;
} Wish;

/* A device that failed fits nobody: what comes after it gets a fresh one. */
static gboolean
device_fits (GstHipDevice * device, const Wish * wish)
{
  return !gst_hip_device_is_lost (device)
      && (wish->vendor == GST_HIP_VENDOR_UNKNOWN
      || gst_hip_device_get_vendor (device) == wish->vendor)
      && (wish->device_id < 0
      || gst_hip_device_get_device_id (device) == (guint) wish->device_id);
}

/* TRUE if the slot holds a device that fits. One that does not is dropped. */
static gboolean
slot_check (GstHipDevice ** slot, const Wish * wish)
{
  GstHipDevice *unfit = NULL;
  gboolean fits = FALSE;

  hip_mutex_lock (&slot_lock);
  if (*slot) {
    fits = device_fits (*slot, wish);
    if (!fits)
      unfit = g_steal_pointer (slot);
  }
  hip_mutex_unlock (&slot_lock);
  gst_clear_object (&unfit);

  return fits;
}

/* Puts a new reference on device into the slot unless one that fits is there. */
static void
slot_fill (GstHipDevice ** slot, GstHipDevice * device, const Wish * wish)
{
  GstHipDevice *unfit = NULL;

  hip_mutex_lock (&slot_lock);
  if (!*slot || !device_fits (*slot, wish)) {
    unfit = *slot;
    *slot = gst_object_ref (device);
  }
  hip_mutex_unlock (&slot_lock);
  gst_clear_object (&unfit);
}

/* New reference, or NULL for a context that is not ours or does not fit */
static GstHipDevice *
context_get_device (GstElement * element, GstContext * context,
    const Wish * wish)
{
  GstHipDevice *device = NULL;

  if (!context || !gst_context_has_context_type (context,
          GST_HIP_DEVICE_CONTEXT_TYPE))
    return NULL;
  if (!gst_structure_get (gst_context_get_structure (context), "device",
          GST_TYPE_HIP_DEVICE, &device, NULL) || !device)
    return NULL;
  if (!device_fits (device, wish)) {
    GST_DEBUG_OBJECT (element, "%" GST_PTR_FORMAT " is not what was asked for",
        device);
    gst_clear_object (&device);
  }

  return device;
}

typedef struct
{
  GstQuery *query;
  const Wish *wish;
  GstContext *found;
} Search;

static gboolean
query_peer (GstElement * element, GstPad * pad, gpointer data)
{
  Search *search = data;
  GstContext *context = NULL;
  GstHipDevice *device;

  if (!gst_pad_peer_query (pad, search->query))
    return TRUE;
  gst_query_parse_context (search->query, &context);
  device = context_get_device (element, context, search->wish);
  if (!device)
    return TRUE;
  gst_object_unref (device);
  search->found = gst_context_ref (context);

  return FALSE;
}

/* Asks the neighbours, downstream first. */
static GstContext *
query_neighbours (GstElement * element, const Wish * wish)
{
  Search search = { NULL, wish, NULL };

  search.query = gst_query_new_context (GST_HIP_DEVICE_CONTEXT_TYPE);
  gst_element_foreach_src_pad (element, query_peer, &search);
  if (!search.found)
    gst_element_foreach_sink_pad (element, query_peer, &search);
  gst_query_unref (search.query);

  return search.found;
}

/* TRUE if the slot is filled now. Lets the element know of context, too. */
static gboolean
adopt_context (GstElement * element, GstContext * context,
    GstHipDevice ** slot, const Wish * wish)
{
  GstHipDevice *device = context_get_device (element, context, wish);

  if (!device)
    return FALSE;
  slot_fill (slot, device, wish);
  gst_object_unref (device);

  return slot_check (slot, wish);
}

static gboolean
find_context (GstElement * element, GstHipDevice ** slot, const Wish * wish)
{
  GstContext *context;
  gboolean adopted;

  /* What the element was given before its properties were set */
  context = gst_element_get_context (element, GST_HIP_DEVICE_CONTEXT_TYPE);
  adopted = adopt_context (element, context, slot, wish);
  g_clear_pointer (&context, gst_context_unref);
  if (adopted)
    return TRUE;

  context = query_neighbours (element, wish);
  if (context) {
    adopted = adopt_context (element, context, slot, wish);
    /* For those who ask the element; its set_context finds the slot filled. */
    gst_element_set_context (element, context);
    gst_context_unref (context);
    if (adopted)
      return TRUE;
  }

  gst_element_post_message (element,
      gst_message_new_need_context (GST_OBJECT (element),
          GST_HIP_DEVICE_CONTEXT_TYPE));
  if (slot_check (slot, wish))
    return TRUE;
  /* The answer of an element whose set_context does not know us */
  context = gst_element_get_context (element, GST_HIP_DEVICE_CONTEXT_TYPE);
  adopted = adopt_context (element, context, slot, wish);
  g_clear_pointer (&context, gst_context_unref);

  return adopted;
}

/**
 * gst_hip_ensure_element_data_full:
 * @element: a #GstElement
 * @vendor: which backend, or %GST_HIP_VENDOR_UNKNOWN for any
 * @device_id: ordinal of the device within it, or -1 for any
 * @device: (inout) (nullable) (transfer full): location of the element's device
 * @error: return location for an error
 *
 * Sees to it that @device holds a device that fits @vendor and @device_id. One
 * that fits already stays. Else, in this order: contexts that the element was
 * given, those of neighbours (downstream, then upstream), the application's
 * (need-context message), the environment variables GST_HIP_VENDOR and
 * GST_HIP_DEVICE, an automatic choice; a device opened here is announced with a
 * have-context message.
 *
 * On success the location owns one reference, whichever way it was filled; the
 * element drops it with gst_clear_object(). Nothing is posted for a failure.
 *
 * Errors: those of gst_hip_device_new_full(); DEVICE_LOST.
 *
 * Blocking: while a device is opened for the first time; queries and messages
 * run application code.
 *
 * Threads: any, without locks that the element's set_context takes.
 *
 * Returns: whether @device holds a device that fits
 *
 * Since: 1.30
 */
gboolean
gst_hip_ensure_element_data_full (GstElement * element, GstHipVendor vendor,
    gint device_id, GstHipDevice ** device, GError ** error)
{
  const Wish wish = { vendor, device_id };
  GstHipDevice *opened;
  GstContext *context;
  gboolean filled;

  g_return_val_if_fail (GST_IS_ELEMENT (element), FALSE);
  g_return_val_if_fail (device_id >= -1, FALSE);
  g_return_val_if_fail (device != NULL, FALSE);

  if (slot_check (device, &wish) || find_context (element, device, &wish))
    return TRUE;

  opened = gst_hip_device_new_full (vendor, device_id, error);
  if (!opened)
    return FALSE;
  slot_fill (device, opened, &wish);

  context = gst_context_new_hip_device (opened);
  gst_element_set_context (element, context);
  gst_element_post_message (element,
      gst_message_new_have_context (GST_OBJECT (element), context));
  filled = slot_check (device, &wish);
  /* Another user of the device may have met its failure meanwhile. */
  if (!filled)
    hip_context_set_lost_error (hip_device_get_context (opened), error);
  gst_object_unref (opened);

  return filled;
}

/**
 * gst_hip_ensure_element_data:
 * @element: a #GstElement
 * @vendor: which backend, or %GST_HIP_VENDOR_UNKNOWN for any
 * @device_id: ordinal of the device within it, or -1 for any
 * @device: (inout) (nullable) (transfer full): location of the element's device
 *
 * gst_hip_ensure_element_data_full() with its error logged.
 *
 * Blocking: while a device is opened for the first time; queries and messages
 * run application code.
 *
 * Threads: any, without locks that the element's set_context takes.
 *
 * Returns: whether @device holds a device that fits
 *
 * Since: 1.30
 */
gboolean
gst_hip_ensure_element_data (GstElement * element, GstHipVendor vendor,
    gint device_id, GstHipDevice ** device)
{
  g_autoptr (GError) error = NULL;

  if (gst_hip_ensure_element_data_full (element, vendor, device_id, device,
          &error))
    return TRUE;
  if (error)
    GST_ERROR_OBJECT (element, "no device: %s", error->message);

  return FALSE;
}

/**
 * gst_hip_handle_set_context:
 * @element: a #GstElement
 * @context: (nullable): what its set_context was given
 * @vendor: which backend, or %GST_HIP_VENDOR_UNKNOWN for any
 * @device_id: ordinal of the device within it, or -1 for any
 * @device: (inout) (nullable) (transfer full): location of the element's device
 *
 * For #GstElementClass.set_context. A context of another type, or of a device
 * that does not fit, is passed over. A device that is there and fits stays, and
 * the location owns one reference in every case.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @context is a device's that fits; @device holds a device
 *   then
 *
 * Since: 1.30
 */
gboolean
gst_hip_handle_set_context (GstElement * element, GstContext * context,
    GstHipVendor vendor, gint device_id, GstHipDevice ** device)
{
  const Wish wish = { vendor, device_id };
  GstHipDevice *offered;

  g_return_val_if_fail (GST_IS_ELEMENT (element), FALSE);
  g_return_val_if_fail (device != NULL, FALSE);

  offered = context_get_device (element, context, &wish);
  if (!offered)
    return FALSE;
  slot_fill (device, offered, &wish);
  gst_object_unref (offered);

  return TRUE;
}

static void
context_set_device (GstContext * context, GstHipDevice * device)
{
  gst_structure_set (gst_context_writable_structure (context),
      "device", GST_TYPE_HIP_DEVICE, device,
      "vendor", GST_TYPE_HIP_VENDOR, gst_hip_device_get_vendor (device),
      "device-id", G_TYPE_UINT, gst_hip_device_get_device_id (device), NULL);
}

/**
 * gst_hip_handle_context_query:
 * @element: a #GstElement
 * @query: a query that the element or one of its pads got
 * @device: (nullable): the element's device
 *
 * Answers a context query for %GST_HIP_DEVICE_CONTEXT_TYPE with @device.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: whether @query was answered
 *
 * Since: 1.30
 */
gboolean
gst_hip_handle_context_query (GstElement * element, GstQuery * query,
    GstHipDevice * device)
{
  const gchar *type;
  GstContext *context;

  g_return_val_if_fail (GST_IS_ELEMENT (element), FALSE);
  g_return_val_if_fail (GST_IS_QUERY (query), FALSE);

  if (!device || GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT)
    return FALSE;
  if (!gst_query_parse_context_type (query, &type)
      || g_strcmp0 (type, GST_HIP_DEVICE_CONTEXT_TYPE) != 0)
    return FALSE;

  context = gst_context_new_hip_device (device);
  gst_query_set_context (query, context);
  gst_context_unref (context);

  return TRUE;
}

/**
 * gst_context_new_hip_device:
 * @device: a #GstHipDevice
 *
 * A persistent context of type %GST_HIP_DEVICE_CONTEXT_TYPE, for
 * gst_element_set_context() of a pipeline or an element.
 *
 * Blocking: never.
 *
 * Threads: any.
 *
 * Returns: (transfer full): a new context that holds @device
 *
 * Since: 1.30
 */
GstContext *
gst_context_new_hip_device (GstHipDevice * device)
{
  GstContext *context;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);

  context = gst_context_new (GST_HIP_DEVICE_CONTEXT_TYPE, TRUE);
  context_set_device (context, device);

  return context;
}
