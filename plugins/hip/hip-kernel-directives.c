/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a kernel's source say about the way it wants to be called, and
 * which caps follow from that? Knows text and caps, no device.
 *
 * Formats: without a line "formats" the kernel is trusted with any input and
 * any output. With one, input is one of these and output has the input's
 * format, unless "output-formats" names what it writes. An in-place kernel
 * changes neither format nor size.
 */
#include "config.h"

#include <string.h>

#include "hip-kernel-directives.h"

#define PREFIX "gst-hip:"

static gboolean
refuse (GError ** error, const gchar * name, guint line, const gchar * text)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID, "%s:%u: %s", name,
      line, text);
  return FALSE;
}

/* "default NAME NUMBER" */
static gboolean
parse_default (HipKernelDirectives * self, gchar ** words, GError ** error,
    const gchar * name, guint line)
{
  const gchar *text;
  gint64 integer;
  gdouble number;
  gchar *end;

  if (g_strv_length (words) != 3)
    return refuse (error, name, line,
        "a default is written: gst-hip: default NAME NUMBER");
  text = words[2];
  if (!self->defaults)
    self->defaults = gst_structure_new_empty ("defaults");
  if (g_str_equal (text, "true") || g_str_equal (text, "false")) {
    gst_structure_set (self->defaults, words[1], G_TYPE_BOOLEAN,
        *text == 't', NULL);
    return TRUE;
  }
  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &integer,
          NULL)) {
    gst_structure_set (self->defaults, words[1], G_TYPE_INT64, integer, NULL);
    return TRUE;
  }
  number = g_ascii_strtod (text, &end);
  if (end == text || *end)
    return refuse (error, name, line, "the default is not a number");
  gst_structure_set (self->defaults, words[1], G_TYPE_DOUBLE, number, NULL);
  return TRUE;
}

static gboolean
parse_formats (GPtrArray ** formats, gchar ** words, GError ** error,
    const gchar * name, guint line)
{
  if (!words[1])
    return refuse (error, name, line, "no format is named");
  if (!*formats)
    *formats = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 1; words[i]; i++) {
    GstVideoFormat format = gst_video_format_from_string (words[i]);

    /* Newer GStreamers know more formats: a kernel may name them. */
    if (format == GST_VIDEO_FORMAT_UNKNOWN)
      GST_WARNING ("%s:%u: this GStreamer has no format %s", name, line,
          words[i]);
    else
      g_ptr_array_add (*formats, g_strdup (words[i]));
  }
  if (!(*formats)->len)
    return refuse (error, name, line, "this GStreamer has none of the formats");
  return TRUE;
}

static gboolean
parse_line (HipKernelDirectives * self, const gchar * text, GError ** error,
    const gchar * name, guint line)
{
  g_auto (GStrv) all = g_strsplit_set (text, " \t\r,", -1);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  gchar **words;

  for (guint i = 0; all[i]; i++)
    if (*all[i])
      g_ptr_array_add (list, all[i]);
  g_ptr_array_add (list, NULL);
  words = (gchar **) list->pdata;
  if (!words[0])
    return refuse (error, name, line, "nothing follows gst-hip:");
  if (g_str_equal (words[0], "formats"))
    return parse_formats (&self->formats, words, error, name, line);
  if (g_str_equal (words[0], "output-formats"))
    return parse_formats (&self->output_formats, words, error, name, line);
  if (g_str_equal (words[0], "default"))
    return parse_default (self, words, error, name, line);
  if (words[1])
    return refuse (error, name, line, "this gst-hip line has too many words");
  if (g_str_equal (words[0], "inplace"))
    self->inplace = TRUE;
  else if (g_str_equal (words[0], "prev"))
    self->prev = TRUE;
  else if (g_str_equal (words[0], "same-size"))
    self->same_size = TRUE;
  else
    return refuse (error, name, line, "gst-hip: inplace, prev, same-size, "
        "formats, output-formats or default is meant");
  return TRUE;
}

gboolean
hip_kernel_directives_parse (HipKernelDirectives * self, const gchar * source,
    const gchar * name, GError ** error)
{
  g_auto (GStrv) lines = g_strsplit (source, "\n", -1);

  memset (self, 0, sizeof *self);
  for (guint i = 0; lines[i]; i++) {
    const gchar *text = lines[i];

    while (g_ascii_isspace (*text))
      text++;
    if (!g_str_has_prefix (text, "//"))
      continue;
    for (text += 2; g_ascii_isspace (*text);)
      text++;
    if (g_str_has_prefix (text, PREFIX)
        && !parse_line (self, text + strlen (PREFIX), error, name, i + 1))
      return FALSE;
  }
  if (self->inplace && self->prev)
    return refuse (error, name, 1, "gst-hip: inplace and gst-hip: prev exclude "
        "each other: the frame before would be overwritten");
  if (self->inplace && self->output_formats)
    return refuse (error, name, 1, "gst-hip: inplace and gst-hip: "
        "output-formats exclude each other: the format stays");
  return TRUE;
}

void
hip_kernel_directives_clear (HipKernelDirectives * self)
{
  g_clear_pointer (&self->formats, g_ptr_array_unref);
  g_clear_pointer (&self->output_formats, g_ptr_array_unref);
  g_clear_pointer (&self->defaults, gst_structure_free);
}

static void
set_formats (GstStructure * s, GPtrArray * names)
{
  GValue list = G_VALUE_INIT, value = G_VALUE_INIT;

  g_value_init (&list, GST_TYPE_LIST);
  g_value_init (&value, G_TYPE_STRING);
  for (guint i = 0; i < names->len; i++) {
    g_value_set_string (&value, g_ptr_array_index (names, i));
    gst_value_list_append_value (&list, &value);
  }
  gst_structure_take_value (s, "format", &list);
  g_value_unset (&value);
}

/* What stays true of the picture when its format or size changes. */
static void
open_format (GstStructure * s)
{
  gst_structure_remove_fields (s, "format", "colorimetry", "chroma-site", NULL);
}

static void
open_size (GstStructure * s)
{
  gst_structure_set (s, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
  gst_structure_remove_fields (s, "pixel-aspect-ratio", NULL);
}

GstCaps *
hip_kernel_directives_restrict_caps (const HipKernelDirectives * self,
    gboolean sink, GstCaps * caps)
{
  GPtrArray *names = sink || !self->output_formats ? self->formats :
      self->output_formats;
  g_autoptr (GstCaps) allowed = NULL;

  if (!names)
    return gst_caps_ref (caps);
  allowed = gst_caps_copy (caps);
  for (guint i = 0; i < gst_caps_get_size (allowed); i++)
    set_formats (gst_caps_get_structure (allowed, i), names);
  return gst_caps_intersect_full (caps, allowed, GST_CAPS_INTERSECT_FIRST);
}

GstCaps *
hip_kernel_directives_transform_caps (const HipKernelDirectives * self,
    gboolean sink, GstCaps * caps)
{
  g_autoptr (GstCaps) own =
      hip_kernel_directives_restrict_caps (self, sink, caps);
  g_autoptr (GstCaps) other = gst_caps_new_empty ();
  gboolean keep_format = self->inplace
      || (self->formats && !self->output_formats);
  gboolean keep_size = self->inplace || self->same_size;

  /* As it is first: then the same format, then any. */
  for (guint change = 0; change < 3; change++) {
    if ((change == 1 && keep_size) || (change == 2 && keep_format))
      continue;
    for (guint i = 0; i < gst_caps_get_size (own); i++) {
      GstStructure *s = gst_structure_copy (gst_caps_get_structure (own, i));

      if (change == 2)
        open_format (s);
      if (change > 0 && !keep_size)
        open_size (s);
      gst_caps_append_structure_full (other, s,
          gst_caps_features_copy (gst_caps_get_features (own, i)));
    }
  }
  return hip_kernel_directives_restrict_caps (self, !sink, other);
}

/* No change where that is possible, then the same format, then the same size. */
GstCaps *
hip_kernel_directives_fixate_caps (GstCaps * caps, GstCaps * others)
{
  static const gchar *const dropped[3][4] = {
    {NULL}, {"width", "height", "pixel-aspect-ratio"}, {"format",
        "colorimetry", "chroma-site"}
  };
  g_autoptr (GstCaps) given = others;
  GstStructure *s;
  gint width = 0, height = 0;

  for (guint i = 0; i < G_N_ELEMENTS (dropped); i++) {
    g_autoptr (GstCaps) wanted = gst_caps_copy (caps);
    g_autoptr (GstCaps) both = NULL;

    for (guint j = 0; dropped[i][j]; j++)
      gst_structure_remove_field (gst_caps_get_structure (wanted, 0),
          dropped[i][j]);
    both = gst_caps_intersect_full (given, wanted, GST_CAPS_INTERSECT_FIRST);
    if (!gst_caps_is_empty (both)) {
      gst_caps_unref (given);
      given = g_steal_pointer (&both);
      break;
    }
  }
  given = gst_caps_make_writable (gst_caps_truncate (g_steal_pointer (&given)));
  s = gst_caps_get_structure (given, 0);
  if (gst_structure_get_int (gst_caps_get_structure (caps, 0), "width", &width))
    gst_structure_fixate_field_nearest_int (s, "width", width);
  if (gst_structure_get_int (gst_caps_get_structure (caps, 0), "height",
          &height))
    gst_structure_fixate_field_nearest_int (s, "height", height);
  return gst_caps_fixate (g_steal_pointer (&given));
}
