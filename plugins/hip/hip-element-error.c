/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which message does an element's failure become, and was it said before?
 * Must not know what failed. Invariant: I6, one error per start of an element,
 * and one per pipeline for a lost device.
 */
#include "config.h"

#include "hip-element-error.h"

/* The category of a library error, as applications sort bus messages. */
static void
error_category (const GError * error, GQuark * domain, gint * code)
{
  *domain = GST_LIBRARY_ERROR;
  *code = GST_LIBRARY_ERROR_FAILED;
  if (error->domain != GST_HIP_ERROR)
    return;

  switch ((GstHipError) error->code) {
    case GST_HIP_ERROR_UNAVAILABLE:
      *domain = GST_RESOURCE_ERROR;
      *code = GST_RESOURCE_ERROR_NOT_FOUND;
      break;
    case GST_HIP_ERROR_OUT_OF_MEMORY:
      *domain = GST_RESOURCE_ERROR;
      *code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
      break;
    case GST_HIP_ERROR_DEVICE_LOST:
    case GST_HIP_ERROR_TIMEOUT:
      *domain = GST_RESOURCE_ERROR;
      *code = GST_RESOURCE_ERROR_FAILED;
      break;
    case GST_HIP_ERROR_COMPILE:
      *code = GST_LIBRARY_ERROR_SETTINGS;
      break;
    case GST_HIP_ERROR_INVALID:
    case GST_HIP_ERROR_UNSUPPORTED:
      *domain = GST_STREAM_ERROR;
      *code = GST_STREAM_ERROR_FORMAT;
      break;
    case GST_HIP_ERROR_LAUNCH:
    case GST_HIP_ERROR_FAILED:
    default:
      break;
  }
}

/* The whole pipeline's, so that elements on several threads that meet the same
 * failed device are one error. */
static GstObject *
ref_top (GstElement * element)
{
  GstObject *top = gst_object_ref (GST_OBJECT (element)), *parent;

  while ((parent = gst_object_get_parent (top))) {
    gst_object_unref (top);
    top = parent;
  }
  return top;
}

static gboolean
swap_lost_reported (GstElement * element, gboolean reported)
{
  static const gchar key[] = "gst-hip-lost-reported";
  g_autoptr (GstObject) top = ref_top (element);
  gboolean before;

  GST_OBJECT_LOCK (top);
  before = g_object_get_data (G_OBJECT (top), key) != NULL;
  g_object_set_data (G_OBJECT (top), key, GINT_TO_POINTER (reported));
  GST_OBJECT_UNLOCK (top);
  return before;
}

static gboolean
is_said_already (GstElement * element, gint * posted, const GError * error)
{
  return !g_atomic_int_compare_and_exchange (posted, FALSE, TRUE)
      || (g_error_matches (error, GST_HIP_ERROR, GST_HIP_ERROR_DEVICE_LOST)
      && swap_lost_reported (element, TRUE));
}

void
hip_element_post_error (GstElement * element, gint * posted,
    const gchar * what, GError * error)
{
  GQuark domain;
  gint code;

  if (is_said_already (element, posted, error)) {
    GST_DEBUG_OBJECT (element, "%s: %s (an error was posted before)", what,
        error->message);
  } else {
    error_category (error, &domain, &code);
    gst_element_message_full (element, GST_MESSAGE_ERROR, domain, code,
        g_strdup_printf ("%s: %s", what, error->message),
        g_strdup_printf ("%s, code %d: %s", g_quark_to_string (error->domain),
            error->code, error->message), __FILE__, GST_FUNCTION, __LINE__);
  }
  g_error_free (error);
}

void
hip_element_forget_errors (GstElement * element, gint * posted)
{
  g_atomic_int_set (posted, FALSE);
  swap_lost_reported (element, FALSE);
}
