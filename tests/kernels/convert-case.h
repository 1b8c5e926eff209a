/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One conversion that is tested: frames with random layouts in device memory,
 * guard bytes around, and the comparison with the reference. */
#pragma once

#include <gst/hip/gsthip.h>

#include "convert-reference.h"

typedef enum
{
  DATA_ANY,
  DATA_LOW,                     /* near the smallest value */
  DATA_HIGH,
  DATA_SMOOTH,
  N_DATA
} CaseData;

typedef struct
{
  GstVideoInfo in, out;         /* colour, size and format; layouts are made */
  RefModes modes;
  GstVideoDitherMethod dither;
  guint quantization;           /* 0: not said */
  CaseData data;
  guint32 seed;
} Case;

/* FALSE: what is wrong is in complaint */
gboolean case_run (GstHipDevice * device, const Case * c, gchar ** complaint);
/* Whether got is what in becomes, for whoever has converted it; the layouts are those of the frames */
gboolean case_compare (const Case * c, const RefFrame * in, const RefFrame * got, gchar ** complaint);
gchar *case_describe (const Case * c);

/* Parts of it that tests of tensors share */
#define GUARD 64

void case_make_layout (GstVideoInfo * info, GRand * rand);
void case_fill (guint8 * data, gsize size, CaseData kind, GRand * rand);
GstBuffer *case_make_buffer (GstHipDevice * device, GstVideoInfo * info, const guint8 * data);
/* A field as a frame of its own */
void case_get_field (const RefFrame * frame, guint field, RefFrame * out);
/* Those that choose what is scaled are in modes, too */
GstStructure *case_make_config (const RefModes * modes, GstVideoDitherMethod dither);
gboolean case_check_guards (const GstVideoInfo * info, const guint8 * before, const guint8 * after,
    gchar ** complaint);
