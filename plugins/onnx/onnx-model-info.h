/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Model-info files: what a model does not say of its tensors. A key file:
 *
 *   [modelinfo]
 *   version=1.0
 *   group-id=faces
 *
 *   [input]                       the tensor's name
 *   id=picture
 *   type=float32
 *   dims=1,3,-1,-1                negative: any
 *   dir=input
 *   ranges=0,255                  of a channel or of all: min,max;min,max;...
 *
 * Who may include this: the plugin's own files and its tests.
 */
#pragma once

#include <gst/analytics/analytics.h>

#include "ort-session.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name;
  gchar *id;                    /* nullable */
  gchar *type;                  /* nullable: not said */
  gboolean is_input;
  gint64 *dims;                 /* negative: any */
  gsize n_dims;
  gboolean has_dims;
  gdouble *ranges;              /* min, max, min, max... */
  gsize n_ranges;               /* pairs */
  GstTensorDimOrder dims_order;
} HipModelInfoTensor;

typedef struct
{
  gchar *file;
  gchar *group_id;              /* nullable */
  GPtrArray *tensors;           /* HipModelInfoTensor */
} HipModelInfo;

/* file: (nullable): NULL: MODEL.modelinfo, then MODEL without its extension .modelinfo, if there. TRUE with *info NULL if
 * there is none. FALSE with GST_HIP_ERROR_INVALID if it cannot be understood, or named and not there. */
gboolean hip_model_info_load (const gchar * file, const gchar * model_file, HipModelInfo ** info, GError ** error);
void hip_model_info_free (HipModelInfo * info);

/* What the file says of the model's tensor, which is its index-th input or output: by name, else by index, else by type and
 * dimensions. NULL with *error set if the file contradicts the model; NULL without if it says nothing of it. */
const HipModelInfoTensor * hip_model_info_find (const HipModelInfo * info, const HipOrtTensor * tensor,
                                                gboolean is_input, gsize index, GError ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipModelInfo, hip_model_info_free)

G_END_DECLS
