/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where does what ONNX Runtime has to say go? Its log goes to GStreamer's, and
 * errors of the call that is running to that call's GError, as the runtime
 * itself often answers "failed" and gives the reason in its log only. What it
 * prints past its log can be muted. Must not know sessions.
 */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "ort-runtime.h"

GST_DEBUG_CATEGORY_STATIC (onnxruntime_debug);

typedef struct
{
  gboolean on;
  GString *errors;              /* NULL: none */
  GString *placement;
} Capture;

static void
clear (GString ** string)
{
  if (*string)
    g_string_free (*string, TRUE);
  *string = NULL;
}

static void
capture_free (gpointer data)
{
  Capture *capture = data;

  clear (&capture->errors);
  clear (&capture->placement);
  g_free (capture);
}

static GPrivate this_thread = G_PRIVATE_INIT (capture_free);

static void
ensure_category (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (onnxruntime_debug, "onnxruntime", 0,
        "what ONNX Runtime logs");
    g_once_init_leave (&once, 1);
  }
}

void
hip_ort_log_begin (void)
{
  Capture *capture = g_private_get (&this_thread);

  if (!capture) {
    capture = g_new0 (Capture, 1);
    g_private_set (&this_thread, capture);
  }
  capture->on = TRUE;
  clear (&capture->errors);
  clear (&capture->placement);
}

static gchar *
take (GString ** string)
{
  GString *taken = g_steal_pointer (string);

  return taken ? g_string_free (taken, FALSE) : NULL;
}

gchar *
hip_ort_log_end (void)
{
  Capture *capture = g_private_get (&this_thread);

  if (!capture)
    return NULL;
  capture->on = FALSE;
  return take (&capture->errors);
}

gchar *
hip_ort_log_take_placement (void)
{
  Capture *capture = g_private_get (&this_thread);

  return capture ? take (&capture->placement) : NULL;
}

static void
append (GString ** string, const gchar * text, gssize length)
{
  if (!*string)
    *string = g_string_new (NULL);
  else
    g_string_append (*string, "; ");
  g_string_append_len (*string, text, length);
  g_strdelimit ((*string)->str, "\r\n", ' ');
}

/* "... placed on [CPUExecutionProvider]. Number of nodes: 3" becomes
 * "CPUExecutionProvider 3". */
static void
note_placement (Capture * capture, const gchar * message)
{
  const gchar *from = strstr (message, " placed on ["), *to, *number;

  if (!from)
    return;
  from = strchr (from, '[') + 1;
  to = strchr (from, ']');
  number = to ? strstr (to, "Number of nodes: ") : NULL;
  if (!number)
    return;
  number += strlen ("Number of nodes: ");
  append (&capture->placement, from, to - from);
  g_string_append_printf (capture->placement, " %" G_GUINT64_FORMAT,
      g_ascii_strtoull (number, NULL, 10));
}

static GstDebugLevel
level_of (OrtLoggingLevel severity)
{
  switch (severity) {
    case ORT_LOGGING_LEVEL_VERBOSE:
      return GST_LEVEL_LOG;
    case ORT_LOGGING_LEVEL_INFO:
      return GST_LEVEL_DEBUG;
    case ORT_LOGGING_LEVEL_WARNING:
      return GST_LEVEL_WARNING;
    case ORT_LOGGING_LEVEL_ERROR:
    case ORT_LOGGING_LEVEL_FATAL:
    default:
      return GST_LEVEL_ERROR;
  }
}

OrtLoggingLevel
hip_ort_log_level (void)
{
  GstDebugLevel level;

  ensure_category ();
  level = gst_debug_category_get_threshold (onnxruntime_debug);
  if (level >= GST_LEVEL_LOG)
    return ORT_LOGGING_LEVEL_VERBOSE;
  if (level >= GST_LEVEL_DEBUG)
    return ORT_LOGGING_LEVEL_INFO;
  return ORT_LOGGING_LEVEL_WARNING;
}

void
hip_ort_log (void *param, OrtLoggingLevel severity, const char *category,
    const char *logid, const char *code_location, const char *message)
{
  Capture *capture = g_private_get (&this_thread);

  ensure_category ();
  if (capture && capture->on) {
    note_placement (capture, message);
    if (severity >= ORT_LOGGING_LEVEL_ERROR)
      append (&capture->errors, message, -1);
  }
  GST_CAT_LEVEL_LOG (onnxruntime_debug, level_of (severity), NULL, "%s: %s",
      code_location, message);
}

/* --- std::cerr --- */

/* GCC's names, by which alone C can reach them. Where they are missing nothing
 * is muted. */
#define CERR "_ZSt4cerr"
#define RDBUF "_ZNSt9basic_iosIcSt11char_traitsIcEE5rdbufEPSt15basic_streambufIcS1_E"

/* std::cerr.rdbuf (buffer), which returns the buffer of before; without one a
 * stream prints nothing. */
static gpointer
swap_cerr_buffer (gpointer library, gpointer buffer)
{
  guint8 *cerr = dlsym (library, CERR);
  gpointer (*rdbuf) (gpointer ios, gpointer buffer);
  const ptrdiff_t *vtable;

  *(void **) &rdbuf = dlsym (library, RDBUF);
  if (!cerr || !rdbuf)
    return NULL;
  /* basic_ios is a virtual base: how far off it is stands before the table. */
  vtable = *(const ptrdiff_t **) cerr;
  return rdbuf (cerr + vtable[-3], buffer);
}

gpointer
hip_ort_mute_cerr (gpointer library)
{
  return swap_cerr_buffer (library, NULL);
}

void
hip_ort_unmute_cerr (gpointer library, gpointer muted)
{
  if (muted)
    swap_cerr_buffer (library, muted);
}
