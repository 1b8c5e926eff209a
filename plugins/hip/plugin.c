/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which elements the plugin has. Opens no device and loads no driver: an
 * element that finds none says so when it is started.
 */

#include "config.h"

#include "gsthipdownload.h"
#include "gsthipkernel.h"
#include "gsthipupload.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = TRUE;

  ok &= GST_ELEMENT_REGISTER (hipupload, plugin);
  ok &= GST_ELEMENT_REGISTER (hipdownload, plugin);
  ok &= GST_ELEMENT_REGISTER (hipkernel, plugin);

  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, hip,
    "Video on AMD and NVIDIA GPUs and on the CPU as a device",
    plugin_init, VERSION, GST_LICENSE, GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
