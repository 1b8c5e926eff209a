/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* One conversion between a frame and a tensor that is tested. */
#pragma once

#include "convert-case.h"

typedef struct
{
  gboolean from_tensor;
  GstVideoInfo frame;           /* colour, size and format; the layout is made */
  GstHipTensorDesc desc;
  gsize offset;
  guint index;                  /* in the batch */
  RefModes modes;
  CaseData data;
  guint32 seed;
} TensorCase;

/* FALSE: what is wrong is in complaint. worst: how far elements of float32 were from exact values at most, as a part of
 * what their range is. */
gboolean tensor_case_run (GstHipDevice * device, const TensorCase * c, gdouble * worst, gchar ** complaint);
gchar *tensor_case_describe (const TensorCase * c);
