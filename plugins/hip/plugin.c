/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which elements the plugin has. Opens no device and loads no driver: an
 * element that finds none says so when it is started. Registers nothing where
 * another library or plugin has registered types with these names.
 */

#include "config.h"

#include "gsthipconvert.h"
#include "gsthipconvertscale.h"
#include "gsthipdownload.h"
#include "gsthipkernel.h"
#include "gsthipscale.h"
#include "gsthipupload.h"

/* What the elements below register */
static const gchar *const type_names[] = {
  "GstHipBaseFilter", "GstHipConvert", "GstHipConvertBase",
  "GstHipConvertScale", "GstHipDownload", "GstHipKernel", "GstHipScale",
  "GstHipUpload", NULL
};

static gboolean
plugin_init (GstPlugin * plugin)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = TRUE;

  if (!gst_hip_check_types (type_names, &error)) {
    GST_ERROR ("%s", error->message);
#if GST_CHECK_VERSION (1, 24, 0)
    gst_plugin_add_status_error (plugin, error->message);
#endif
    return FALSE;
  }

  ok &= GST_ELEMENT_REGISTER (hipupload, plugin);
  ok &= GST_ELEMENT_REGISTER (hipdownload, plugin);
  ok &= GST_ELEMENT_REGISTER (hipkernel, plugin);
  ok &= GST_ELEMENT_REGISTER (hipconvert, plugin);
  ok &= GST_ELEMENT_REGISTER (hipscale, plugin);
  ok &= GST_ELEMENT_REGISTER (hipconvertscale, plugin);

  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, hip,
    "Video on AMD and NVIDIA GPUs and on the CPU as a device",
    plugin_init, VERSION, GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
