/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which elements the plugin has. Opens no device and no runtime. Registers
 * nothing where another library or plugin has registered types with these
 * names.
 */

#include "config.h"

#include <gst/hip/gsthip.h>

#include "gsthiponnxinference.h"

static const gchar *const type_names[] = { "GstHipOnnxInference", NULL };

static gboolean
plugin_init (GstPlugin * plugin)
{
  g_autoptr (GError) error = NULL;

  if (!gst_hip_check_types (type_names, &error)) {
    GST_ERROR ("%s", error->message);
    gst_plugin_add_status_error (plugin, error->message);
    return FALSE;
  }
  return GST_ELEMENT_REGISTER (hiponnxinference, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, hiponnx,
    "Inference by ONNX Runtime on frames in HIP memory",
    plugin_init, VERSION, GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
