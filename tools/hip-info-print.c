/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does gst-hip-info show what it found? As text for people or as one JSON
 * object for programs, both from the same structures, so that no field is
 * missing in one of them. */
#include "config.h"

#include "hip-info.h"

static gboolean
print_text_field (GQuark field, const GValue * value, gpointer indent)
{
  const gchar *name = g_quark_to_string (field);
  g_autofree gchar *text = NULL;

  if (g_str_equal (name, "memory-bytes"))
    text = g_format_size_full (g_value_get_uint64 (value),
        G_FORMAT_SIZE_IEC_UNITS);
  else if (G_VALUE_HOLDS_STRING (value))
    text = g_value_dup_string (value);
  else
    text = gst_value_serialize (value);
  g_print ("%*s%-22s %s\n", GPOINTER_TO_INT (indent), "", name, text);
  return TRUE;
}

void
hip_info_print_text (GPtrArray * backends)
{
  g_autofree gchar *gst_version = gst_version_string ();

  g_print ("GstHip " VERSION ", %s\n", gst_version);
  for (guint i = 0; i < backends->len; i++) {
    HipInfoBackend *backend = g_ptr_array_index (backends, i);

    g_print ("\n%s: %s%s\n", hip_info_vendor_nick (backend->vendor),
        backend->reason ? "not usable: " : "usable",
        backend->reason ? backend->reason : "");
    if (backend->info)
      gst_structure_foreach (backend->info, print_text_field,
          GINT_TO_POINTER (2));
    for (guint j = 0; j < backend->devices->len; j++) {
      g_print ("  device %u\n", j);
      gst_structure_foreach (g_ptr_array_index (backend->devices, j),
          print_text_field, GINT_TO_POINTER (4));
    }
  }
}

static void
append_json_string (GString * out, const gchar * text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text ? text : "", -1);

  g_string_append_c (out, '"');
  for (const gchar * p = valid; *p; p++) {
    if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else if ((guchar) * p < 0x20)
      g_string_append_printf (out, "\\u%04x", (guchar) * p);
    else
      g_string_append_c (out, *p);
  }
  g_string_append_c (out, '"');
}

static gboolean
append_json_field (GQuark field, const GValue * value, gpointer data)
{
  GString *out = data;

  if (out->str[out->len - 1] != '{')
    g_string_append (out, ", ");
  append_json_string (out, g_quark_to_string (field));
  g_string_append (out, ": ");
  if (G_VALUE_HOLDS_UINT64 (value) || G_VALUE_HOLDS_UINT (value)
      || G_VALUE_HOLDS_INT (value) || G_VALUE_HOLDS_BOOLEAN (value)) {
    g_autofree gchar *text = gst_value_serialize (value);

    g_string_append (out, text);
  } else if (G_VALUE_HOLDS_DOUBLE (value)) {
    gchar text[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append (out, g_ascii_dtostr (text, sizeof text,
            g_value_get_double (value)));
  } else {
    g_autofree gchar *text = G_VALUE_HOLDS_STRING (value) ?
        g_value_dup_string (value) : gst_value_serialize (value);

    append_json_string (out, text);
  }
  return TRUE;
}

static void
append_json_backend (GString * out, const HipInfoBackend * backend)
{
  g_string_append (out, "{\"vendor\": ");
  append_json_string (out, hip_info_vendor_nick (backend->vendor));
  g_string_append_printf (out, ", \"usable\": %s",
      backend->reason ? "false" : "true");
  if (backend->reason) {
    g_string_append (out, ", \"reason\": ");
    append_json_string (out, backend->reason);
  }
  g_string_append (out, ", \"info\": {");
  if (backend->info)
    gst_structure_foreach (backend->info, append_json_field, out);
  g_string_append (out, "}, \"devices\": [");
  for (guint i = 0; i < backend->devices->len; i++) {
    g_string_append (out, i ? ", {" : "{");
    gst_structure_foreach (g_ptr_array_index (backend->devices, i),
        append_json_field, out);
    g_string_append_c (out, '}');
  }
  g_string_append (out, "]}");
}

void
hip_info_print_json (GPtrArray * backends)
{
  g_autofree gchar *gst_version = gst_version_string ();
  GString *out = g_string_new ("{\"version\": \"" VERSION "\", ");

  g_string_append (out, "\"gstreamer\": ");
  append_json_string (out, gst_version);
  g_string_append (out, ", \"backends\": [");
  for (guint i = 0; i < backends->len; i++) {
    if (i)
      g_string_append (out, ", ");
    append_json_backend (out, g_ptr_array_index (backends, i));
  }
  g_string_append (out, "]}");
  g_print ("%s\n", out->str);
  g_string_free (out, TRUE);
}
