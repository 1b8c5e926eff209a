/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which properties does scaling have, and what does the converter make of them?
 * Names, types and defaults are videoscale's, but for the method's default; the
 * direction is videoflip's. Knows no element and takes no lock.
 */
#include "config.h"

#include "hip-scale-settings.h"

enum
{
  METHOD,
  ADD_BORDERS,
  BORDER_COLOR,
  VIDEO_DIRECTION,
  SHARPNESS,
  SHARPEN,
  ENVELOPE,
  N_SETTINGS
};

#define BLACK G_GUINT64_CONSTANT (0xffff000000000000)

void
hip_scale_settings_init (HipScaleSettings * settings)
{
  settings->method = GST_HIP_SCALE_METHOD_AUTO;
  settings->add_borders = TRUE;
  settings->border_color = BLACK;
  settings->direction = settings->tagged = GST_VIDEO_ORIENTATION_IDENTITY;
  settings->sharpness = 1;
  settings->sharpen = 0;
  settings->envelope = 2;
}

/* --- properties --- */

#define AT_ANY_TIME (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

static void
install_unused (GObjectClass * klass, guint id, const gchar * name,
    const gchar * nick, gdouble least, gdouble most, gdouble value)
{
  g_object_class_install_property (klass, id, g_param_spec_double (name, nick,
          "Has no effect here: each method has one shape", least, most, value,
          AT_ANY_TIME));
}

guint
hip_scale_settings_install (GObjectClass * klass, guint first)
{
  g_object_class_install_property (klass, first + METHOD,
      g_param_spec_enum ("method", "Method", "How frames are scaled; auto is "
          "area when shrinking and bilinear when growing",
          GST_TYPE_HIP_SCALE_METHOD, GST_HIP_SCALE_METHOD_AUTO, AT_ANY_TIME));
  g_object_class_install_property (klass, first + ADD_BORDERS,
      g_param_spec_boolean ("add-borders", "Add borders",
          "Put borders around the picture where it would lose its shape on the "
          "display", TRUE, AT_ANY_TIME));
  g_object_class_install_property (klass, first + BORDER_COLOR,
      g_param_spec_uint64 ("border-color", "Border colour",
          "Of borders: alpha, red, green, blue of full range, 16 bit each, alpha "
          "highest", 0, G_MAXUINT64, BLACK, AT_ANY_TIME));
  g_object_class_override_property (klass, first + VIDEO_DIRECTION,
      "video-direction");
  install_unused (klass, first + SHARPNESS, "sharpness", "Sharpness", 0.5, 1.5,
      1);
  install_unused (klass, first + SHARPEN, "sharpen", "Sharpen", 0, 1, 0);
  install_unused (klass, first + ENVELOPE, "envelope", "Envelope", 1, 5, 2);
  return first + N_SETTINGS;
}

gboolean
hip_scale_settings_set (HipScaleSettings * settings, guint id,
    const GValue * value)
{
  switch (id) {
    case METHOD:
      settings->method = g_value_get_enum (value);
      return TRUE;
    case ADD_BORDERS:
      settings->add_borders = g_value_get_boolean (value);
      return TRUE;
    case BORDER_COLOR:
      settings->border_color = g_value_get_uint64 (value);
      return TRUE;
    case VIDEO_DIRECTION:
      settings->direction = g_value_get_enum (value);
      return TRUE;
    case SHARPNESS:
      settings->sharpness = g_value_get_double (value);
      return TRUE;
    case SHARPEN:
      settings->sharpen = g_value_get_double (value);
      return TRUE;
    case ENVELOPE:
      settings->envelope = g_value_get_double (value);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
hip_scale_settings_get (const HipScaleSettings * settings, guint id,
    GValue * value)
{
  switch (id) {
    case METHOD:
      g_value_set_enum (value, settings->method);
      return TRUE;
    case ADD_BORDERS:
      g_value_set_boolean (value, settings->add_borders);
      return TRUE;
    case BORDER_COLOR:
      g_value_set_uint64 (value, settings->border_color);
      return TRUE;
    case VIDEO_DIRECTION:
      g_value_set_enum (value, settings->direction);
      return TRUE;
    case SHARPNESS:
      g_value_set_double (value, settings->sharpness);
      return TRUE;
    case SHARPEN:
      g_value_set_double (value, settings->sharpen);
      return TRUE;
    case ENVELOPE:
      g_value_set_double (value, settings->envelope);
      return TRUE;
    default:
      return FALSE;
  }
}

/* --- directions --- */

GstVideoOrientationMethod
hip_scale_settings_get_direction (const HipScaleSettings * settings)
{
  GstVideoOrientationMethod direction = settings->direction;

  if (direction == GST_VIDEO_ORIENTATION_AUTO)
    direction = settings->tagged;
  return direction <= GST_VIDEO_ORIENTATION_UR_LL ? direction :
      GST_VIDEO_ORIENTATION_IDENTITY;
}

gboolean
hip_scale_direction_is_turned (GstVideoOrientationMethod direction)
{
  return direction == GST_VIDEO_ORIENTATION_90R
      || direction == GST_VIDEO_ORIENTATION_90L
      || direction == GST_VIDEO_ORIENTATION_UL_LR
      || direction == GST_VIDEO_ORIENTATION_UR_LL;
}

/* --- for the converter --- */

/* How wide is the picture, for its height, on a display? */
static gdouble
get_shape (const GstVideoInfo * info, gboolean turned)
{
  gdouble shape = (gdouble) GST_VIDEO_INFO_WIDTH (info) /
      GST_VIDEO_INFO_HEIGHT (info) * GST_VIDEO_INFO_PAR_N (info) /
      GST_VIDEO_INFO_PAR_D (info);

  return turned ? 1 / shape : shape;
}

/* The largest rectangle of this shape in the middle of out */
static void
add_rectangle (gdouble shape, const GstVideoInfo * out, GstStructure * config)
{
  gint width = GST_VIDEO_INFO_WIDTH (out);
  gint height = GST_VIDEO_INFO_FIELD_HEIGHT (out);
  gdouble room = get_shape (out, FALSE);
  gint w = width, h = height;

  if (shape > room)
    h = CLAMP ((gint) (height * room / shape + 1e-6), 1, height);
  else
    w = CLAMP ((gint) (width * shape / room + 1e-6), 1, width);
  gst_structure_set (config,
      GST_VIDEO_CONVERTER_OPT_DEST_X, G_TYPE_INT, (width - w) / 2,
      GST_VIDEO_CONVERTER_OPT_DEST_Y, G_TYPE_INT, (height - h) / 2,
      GST_VIDEO_CONVERTER_OPT_DEST_WIDTH, G_TYPE_INT, w,
      GST_VIDEO_CONVERTER_OPT_DEST_HEIGHT, G_TYPE_INT, h, NULL);
}

static guint
get_argb (guint64 color)
{
  return (guint) (color >> 56 & 255) << 24 | (color >> 40 & 255) << 16 |
      (color >> 24 & 255) << 8 | (color >> 8 & 255);
}

void
hip_scale_settings_add_to_config (const HipScaleSettings * settings,
    const GstVideoInfo * in, const GstVideoInfo * out, GstStructure * config)
{
  GstVideoOrientationMethod direction =
      hip_scale_settings_get_direction (settings);
  gboolean turned = hip_scale_direction_is_turned (direction);

  gst_structure_set (config,
      GST_HIP_CONVERTER_OPT_METHOD, GST_TYPE_HIP_SCALE_METHOD, settings->method,
      GST_HIP_CONVERTER_OPT_DIRECTION, GST_TYPE_VIDEO_ORIENTATION_METHOD,
      direction, GST_VIDEO_CONVERTER_OPT_BORDER_ARGB, G_TYPE_UINT,
      get_argb (settings->border_color), NULL);
  if (settings->add_borders
      && ABS (get_shape (in, turned) / get_shape (out, FALSE) - 1) > 1e-9)
    add_rectangle (get_shape (in, turned), out, config);
}

gboolean
hip_scale_config_changes (const GstStructure * config, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  static const gchar *const parts[] = { GST_VIDEO_CONVERTER_OPT_SRC_X,
    GST_VIDEO_CONVERTER_OPT_SRC_Y, GST_VIDEO_CONVERTER_OPT_SRC_WIDTH,
    GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT
  };
  gint direction = GST_VIDEO_ORIENTATION_IDENTITY, width, height;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (gst_structure_has_field (config, parts[i]))
      return TRUE;
  }
  width = GST_VIDEO_INFO_WIDTH (out);
  height = GST_VIDEO_INFO_FIELD_HEIGHT (out);
  gst_structure_get_enum (config, GST_HIP_CONVERTER_OPT_DIRECTION,
      GST_TYPE_VIDEO_ORIENTATION_METHOD, &direction);
  gst_structure_get_int (config, GST_VIDEO_CONVERTER_OPT_DEST_WIDTH, &width);
  gst_structure_get_int (config, GST_VIDEO_CONVERTER_OPT_DEST_HEIGHT, &height);
  return direction != GST_VIDEO_ORIENTATION_IDENTITY
      || GST_VIDEO_INFO_WIDTH (in) != width
      || GST_VIDEO_INFO_FIELD_HEIGHT (in) != height
      || GST_VIDEO_INFO_WIDTH (out) != width
      || GST_VIDEO_INFO_FIELD_HEIGHT (out) != height;
}
