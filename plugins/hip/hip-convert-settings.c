/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which properties does a conversion have, and what does the converter make of
 * them? Names, types and defaults are videoconvert's; what means nothing on a
 * device says so in its blurb and is accepted, so that pipelines keep working.
 * Knows no element and takes no lock.
 */
#include "config.h"

#include "hip-convert-settings.h"

enum
{
  DITHER,
  DITHER_QUANTIZATION,
  CHROMA_RESAMPLER,
  CHROMA_MODE,
  MATRIX_MODE,
  GAMMA_MODE,
  PRIMARIES_MODE,
  ALPHA_MODE,
  ALPHA_VALUE,
  N_THREADS,
  CONVERTER_CONFIG,
  N_SETTINGS
};

void
hip_convert_settings_init (HipConvertSettings * settings)
{
  settings->dither = GST_VIDEO_DITHER_BAYER;
  settings->dither_quantization = 1;
  settings->chroma_resampler = GST_VIDEO_RESAMPLER_METHOD_LINEAR;
  settings->chroma_mode = GST_VIDEO_CHROMA_MODE_FULL;
  settings->matrix_mode = GST_VIDEO_MATRIX_MODE_FULL;
  settings->gamma_mode = GST_VIDEO_GAMMA_MODE_NONE;
  settings->primaries_mode = GST_VIDEO_PRIMARIES_MODE_NONE;
  settings->alpha_mode = GST_VIDEO_ALPHA_MODE_COPY;
  settings->alpha_value = 1;
  settings->n_threads = 1;
  settings->converter_config = NULL;
}

void
hip_convert_settings_clear (HipConvertSettings * settings)
{
  g_clear_pointer (&settings->converter_config, gst_structure_free);
}

/* --- properties --- */

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define AT_ANY_TIME (FLAGS | GST_PARAM_MUTABLE_PLAYING)

static void
install_enum (GObjectClass * klass, guint id, const gchar * name,
    const gchar * nick, const gchar * blurb, GType type, gint value)
{
  g_object_class_install_property (klass, id,
      g_param_spec_enum (name, nick, blurb, type, value, AT_ANY_TIME));
}

static void
install_dither (GObjectClass * klass, guint first)
{
  install_enum (klass, first + DITHER, "dither", "Dither",
      "Dither where samples lose bits: every method but none is an ordered "
      "one here, which needs no other pixel", GST_TYPE_VIDEO_DITHER_METHOD,
      GST_VIDEO_DITHER_BAYER);
  g_object_class_install_property (klass, first + DITHER_QUANTIZATION,
      g_param_spec_uint ("dither-quantization", "Dither quantization",
          "Samples become multiples of this, dithered between them, where "
          "frames are converted and dither is not none", 0, G_MAXUINT, 1,
          AT_ANY_TIME));
}

static void
install_chroma (GObjectClass * klass, guint first)
{
  install_enum (klass, first + CHROMA_RESAMPLER, "chroma-resampler",
      "Chroma resampler", "How chroma is resampled: nearest repeats and drops "
      "samples, as chroma-mode=none does; all others are linear between "
      "samples on the way up and the mean on the way down",
      GST_TYPE_VIDEO_RESAMPLER_METHOD, GST_VIDEO_RESAMPLER_METHOD_LINEAR);
  install_enum (klass, first + CHROMA_MODE, "chroma-mode", "Chroma mode",
      "In which directions chroma is resampled by position; where not, "
      "samples are repeated or dropped", GST_TYPE_VIDEO_CHROMA_MODE,
      GST_VIDEO_CHROMA_MODE_FULL);
}

static void
install_colour (GObjectClass * klass, guint first)
{
  install_enum (klass, first + MATRIX_MODE, "matrix-mode", "Matrix mode",
      "Whose matrix between RGB and YUV is used", GST_TYPE_VIDEO_MATRIX_MODE,
      GST_VIDEO_MATRIX_MODE_FULL);
  install_enum (klass, first + GAMMA_MODE, "gamma-mode", "Gamma mode",
      "Whether colours go from one transfer function to the other",
      GST_TYPE_VIDEO_GAMMA_MODE, GST_VIDEO_GAMMA_MODE_NONE);
  install_enum (klass, first + PRIMARIES_MODE, "primaries-mode",
      "Primaries mode", "Whether colours go from one set of primaries to the "
      "other", GST_TYPE_VIDEO_PRIMARIES_MODE, GST_VIDEO_PRIMARIES_MODE_NONE);
}

guint
hip_convert_settings_install (GObjectClass * klass, guint first)
{
  install_dither (klass, first);
  install_chroma (klass, first);
  install_colour (klass, first);
  install_enum (klass, first + ALPHA_MODE, "alpha-mode", "Alpha mode",
      "What becomes of alpha: kept, set to alpha-value, or multiplied by it",
      GST_TYPE_VIDEO_ALPHA_MODE, GST_VIDEO_ALPHA_MODE_COPY);
  g_object_class_install_property (klass, first + ALPHA_VALUE,
      g_param_spec_double ("alpha-value", "Alpha value",
          "For alpha-mode: 0 is transparent, 1 is opaque", 0, 1, 1,
          AT_ANY_TIME));
  g_object_class_install_property (klass, first + N_THREADS,
      g_param_spec_uint ("n-threads", "Threads",
          "Has no effect here: how a device divides its work is its own "
          "business (for the CPU as one: GST_HIP_HOST_THREADS)", 0, G_MAXUINT,
          1, AT_ANY_TIME));
  g_object_class_install_property (klass, first + CONVERTER_CONFIG,
      g_param_spec_boxed ("converter-config", "Converter configuration",
          "Options under GstVideoConverter's names; they win over the "
          "properties that say the same", GST_TYPE_STRUCTURE, AT_ANY_TIME));
  return first + N_SETTINGS;
}

gboolean
hip_convert_settings_set (HipConvertSettings * settings, guint id,
    const GValue * value)
{
  switch (id) {
    case DITHER:
      settings->dither = g_value_get_enum (value);
      return TRUE;
    case DITHER_QUANTIZATION:
      settings->dither_quantization = g_value_get_uint (value);
      return TRUE;
    case CHROMA_RESAMPLER:
      settings->chroma_resampler = g_value_get_enum (value);
      return TRUE;
    case CHROMA_MODE:
      settings->chroma_mode = g_value_get_enum (value);
      return TRUE;
    case MATRIX_MODE:
      settings->matrix_mode = g_value_get_enum (value);
      return TRUE;
    case GAMMA_MODE:
      settings->gamma_mode = g_value_get_enum (value);
      return TRUE;
    case PRIMARIES_MODE:
      settings->primaries_mode = g_value_get_enum (value);
      return TRUE;
    case ALPHA_MODE:
      settings->alpha_mode = g_value_get_enum (value);
      return TRUE;
    case ALPHA_VALUE:
      settings->alpha_value = g_value_get_double (value);
      return TRUE;
    case N_THREADS:
      settings->n_threads = g_value_get_uint (value);
      return TRUE;
    case CONVERTER_CONFIG:
      hip_convert_settings_clear (settings);
      settings->converter_config = g_value_dup_boxed (value);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
hip_convert_settings_get (const HipConvertSettings * settings, guint id,
    GValue * value)
{
  switch (id) {
    case DITHER:
      g_value_set_enum (value, settings->dither);
      return TRUE;
    case DITHER_QUANTIZATION:
      g_value_set_uint (value, settings->dither_quantization);
      return TRUE;
    case CHROMA_RESAMPLER:
      g_value_set_enum (value, settings->chroma_resampler);
      return TRUE;
    case CHROMA_MODE:
      g_value_set_enum (value, settings->chroma_mode);
      return TRUE;
    case MATRIX_MODE:
      g_value_set_enum (value, settings->matrix_mode);
      return TRUE;
    case GAMMA_MODE:
      g_value_set_enum (value, settings->gamma_mode);
      return TRUE;
    case PRIMARIES_MODE:
      g_value_set_enum (value, settings->primaries_mode);
      return TRUE;
    case ALPHA_MODE:
      g_value_set_enum (value, settings->alpha_mode);
      return TRUE;
    case ALPHA_VALUE:
      g_value_set_double (value, settings->alpha_value);
      return TRUE;
    case N_THREADS:
      g_value_set_uint (value, settings->n_threads);
      return TRUE;
    case CONVERTER_CONFIG:
      g_value_set_boxed (value, settings->converter_config);
      return TRUE;
    default:
      return FALSE;
  }
}

/* --- for the converter --- */

static void
overrule (GstStructure * config, const GstStructure * by)
{
  for (gint i = 0; i < gst_structure_n_fields (by); i++) {
    const gchar *name = gst_structure_nth_field_name (by, i);

    gst_structure_set_value (config, name, gst_structure_get_value (by, name));
  }
}

/* The converter knows no other filter; it repeats and drops where it has none. */
static void
resolve_resampler (GstStructure * config)
{
  gint method = GST_VIDEO_RESAMPLER_METHOD_LINEAR;

  gst_structure_get_enum (config,
      GST_VIDEO_CONVERTER_OPT_CHROMA_RESAMPLER_METHOD,
      GST_TYPE_VIDEO_RESAMPLER_METHOD, &method);
  if (method == GST_VIDEO_RESAMPLER_METHOD_NEAREST)
    gst_structure_set (config, GST_VIDEO_CONVERTER_OPT_CHROMA_MODE,
        GST_TYPE_VIDEO_CHROMA_MODE, GST_VIDEO_CHROMA_MODE_NONE, NULL);
}

GstStructure *
hip_convert_settings_to_config (const HipConvertSettings * settings)
{
  GstStructure *config = gst_structure_new ("config",
      GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
      settings->dither,
      GST_VIDEO_CONVERTER_OPT_DITHER_QUANTIZATION, G_TYPE_UINT,
      settings->dither_quantization,
      GST_VIDEO_CONVERTER_OPT_CHROMA_RESAMPLER_METHOD,
      GST_TYPE_VIDEO_RESAMPLER_METHOD, settings->chroma_resampler,
      GST_VIDEO_CONVERTER_OPT_CHROMA_MODE, GST_TYPE_VIDEO_CHROMA_MODE,
      settings->chroma_mode,
      GST_VIDEO_CONVERTER_OPT_MATRIX_MODE, GST_TYPE_VIDEO_MATRIX_MODE,
      settings->matrix_mode,
      GST_VIDEO_CONVERTER_OPT_GAMMA_MODE, GST_TYPE_VIDEO_GAMMA_MODE,
      settings->gamma_mode,
      GST_VIDEO_CONVERTER_OPT_PRIMARIES_MODE, GST_TYPE_VIDEO_PRIMARIES_MODE,
      settings->primaries_mode,
      GST_VIDEO_CONVERTER_OPT_ALPHA_MODE, GST_TYPE_VIDEO_ALPHA_MODE,
      settings->alpha_mode,
      GST_VIDEO_CONVERTER_OPT_ALPHA_VALUE, G_TYPE_DOUBLE,
      settings->alpha_value, NULL);

  if (settings->converter_config)
    overrule (config, settings->converter_config);
  resolve_resampler (config);
  return config;
}

gboolean
hip_convert_config_changes_alpha (const GstStructure * config,
    const GstVideoInfo * info)
{
  gint mode = GST_VIDEO_ALPHA_MODE_COPY;
  gdouble value = 1;

  if (!GST_VIDEO_INFO_HAS_ALPHA (info))
    return FALSE;
  gst_structure_get_enum (config, GST_VIDEO_CONVERTER_OPT_ALPHA_MODE,
      GST_TYPE_VIDEO_ALPHA_MODE, &mode);
  gst_structure_get_double (config, GST_VIDEO_CONVERTER_OPT_ALPHA_VALUE,
      &value);
  return mode == GST_VIDEO_ALPHA_MODE_SET
      || (mode == GST_VIDEO_ALPHA_MODE_MULT && value < 1);
}
