/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What a conversion of frames is, in double precision: meant to be read as the
 * definition, not to be fast. It shares nothing with the library's converter. */
#pragma once

#include "scale-reference.h"

/* A frame in CPU memory: info's offsets and strides count from data. values: instead of data, what the samples of each
 * component would be if they were no integers. */
typedef struct
{
  GstVideoInfo info;
  guint8 *data;
  const gdouble *values[4];
} RefFrame;

typedef struct
{
  GstVideoMatrixMode matrix_mode;
  GstVideoPrimariesMode primaries_mode;
  GstVideoGammaMode gamma_mode;
  GstVideoChromaMode chroma_mode;
  GstVideoAlphaMode alpha_mode;
  gdouble alpha_value;
  const RefScale *scale;        /* NULL: frames are of one size */
} RefModes;

/* Components are R G B A or Y U V A. Samples of component in x and y that the frame has; depth 0: it has none. */
guint ref_depth (const GstVideoInfo * info, guint component);
void ref_samples (const GstVideoInfo * info, guint component, guint * columns, guint * rows);
guint ref_read (const RefFrame * frame, guint component, guint column, guint row);

/* The exact value of every sample of an output frame: out[component] has columns * rows of ref_samples (). Free with
 * g_free (). Where nothing is to be written it is not a number. */
void ref_convert (const RefFrame * in, const GstVideoInfo * out_info, const RefModes * modes, gdouble * out[4]);
/* Whether a curve or alpha is involved */
gboolean ref_is_linear (const GstVideoInfo * in, const GstVideoInfo * out, const RefModes * modes);
