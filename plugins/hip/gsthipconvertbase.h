/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What hipconvert, hipscale and hipconvertscale are: a converter between two
 * frames. They differ in what of the caps they may change and in which properties
 * they have. Who may include this: those elements. */
#pragma once

#include "gsthipbasefilter.h"

G_BEGIN_DECLS

#define GST_TYPE_HIP_CONVERT_BASE (gst_hip_convert_base_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstHipConvertBase, gst_hip_convert_base, GST, HIP_CONVERT_BASE, GstHipBaseFilter)

struct _GstHipConvertBaseClass
{
  GstHipBaseFilterClass parent_class;

  gboolean converts;            /* formats and colours */
  gboolean scales;              /* sizes, and turns */
  guint first_scale_setting;    /* id of a property */
};

/* For class_init: properties and what the element may do */
void gst_hip_convert_base_class_setup (GstHipConvertBaseClass * klass, gboolean converts, gboolean scales);

G_END_DECLS
