/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What videoscale's and videoflip's properties ask of scaling: stored by whoever
 * sets them, taken between two frames. Who may include this: the elements of this
 * plugin that scale. */
#pragma once

#include <gst/hip/gsthip.h>

G_BEGIN_DECLS

typedef struct
{
  GstHipScaleMethod method;
  gboolean add_borders;
  guint64 border_color;         /* A, R, G, B of 16 bit, A highest */
  GstVideoOrientationMethod direction;
  GstVideoOrientationMethod tagged;     /* what direction auto is */
  gdouble sharpness, sharpen, envelope; /* kept only */
} HipScaleSettings;

void hip_scale_settings_init (HipScaleSettings * settings);

/* As those of hip-convert-settings.h */
guint hip_scale_settings_install (GObjectClass * klass, guint first);
gboolean hip_scale_settings_set (HipScaleSettings * settings, guint id, const GValue * value);
gboolean hip_scale_settings_get (const HipScaleSettings * settings, guint id, GValue * value);

/* One of the eight */
GstVideoOrientationMethod hip_scale_settings_get_direction (const HipScaleSettings * settings);
/* Columns become rows */
gboolean hip_scale_direction_is_turned (GstVideoOrientationMethod direction);

/* Fields for gst_hip_converter_new (), with rectangles that keep the picture's shape */
void hip_scale_settings_add_to_config (const HipScaleSettings * settings, const GstVideoInfo * in,
    const GstVideoInfo * out, GstStructure * config);

/* Whether all of a frame becomes something else, of size or direction, or gets borders */
gboolean hip_scale_config_changes (const GstStructure * config, const GstVideoInfo * in, const GstVideoInfo * out);

G_END_DECLS
