/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What videoconvert's properties ask of a conversion, under its names, types and
 * defaults: stored by whoever sets them, taken between two frames. Who may
 * include this: the elements of this plugin that convert.
 */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

typedef struct
{
  GstVideoDitherMethod dither;
  guint dither_quantization;
  GstVideoResamplerMethod chroma_resampler;
  GstVideoChromaMode chroma_mode;
  GstVideoMatrixMode matrix_mode;
  GstVideoGammaMode gamma_mode;
  GstVideoPrimariesMode primaries_mode;
  GstVideoAlphaMode alpha_mode;
  gdouble alpha_value;
  guint n_threads;
  GstStructure *converter_config;       /* nullable; its fields win */
} HipConvertSettings;

void hip_convert_settings_init (HipConvertSettings * settings);
void hip_convert_settings_clear (HipConvertSettings * settings);

/* Their ids are first and the following; returns the next free one. */
guint hip_convert_settings_install (GObjectClass * klass, guint first);
/* id counts from 0 here. FALSE: it is no property of these. The caller has whatever lock guards settings. */
gboolean hip_convert_settings_set (HipConvertSettings * settings, guint id, const GValue * value);
gboolean hip_convert_settings_get (const HipConvertSettings * settings, guint id, GValue * value);

/* For gst_hip_converter_new (); transfer full */
GstStructure *hip_convert_settings_to_config (const HipConvertSettings * settings);

/* Whether frames that differ in nothing have to be changed all the same */
gboolean hip_convert_config_changes_alpha (const GstStructure * config, const GstVideoInfo * info);

G_END_DECLS
