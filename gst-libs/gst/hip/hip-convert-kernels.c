/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which text, compiled with which options, is the kernel of a planned pass, and
 * how many threads does it take? Knows layouts' numbers, not what they mean.
 *
 * Invariant: passes of one kernel and one pair of layouts have one binary.
 */
#include <string.h>

#include "gsthipdevice.h"
#include "hip-convert-kernels.h"

/* kernels/convert-*.hip, embedded by the build */
extern const gchar hip_convert_any_text[];

const gchar *
hip_convert_get_source (const HipConvertPass * pass)
{
  return hip_convert_any_text;
}

gchar **
hip_convert_get_options (const HipConvertPass * pass, gboolean host)
{
  return g_new0 (gchar *, 1);
}

gboolean
hip_convert_binary_get (GstHipDevice * device, const HipConvertPass * pass,
    HipConvertBinary * binary, GError ** error)
{
  gboolean host = gst_hip_device_get_vendor (device) == GST_HIP_VENDOR_HOST;
  g_auto (GStrv) options = hip_convert_get_options (pass, host);
  static const guint block[3] = { 16, 8, 1 };

  memset (binary, 0, sizeof (*binary));
  binary->module = gst_hip_kernel_module_new_from_source (device,
      hip_convert_get_source (pass), (const gchar * const *) options, error);
  if (!binary->module)
    return FALSE;
  binary->entry = "convert_any";
  memcpy (binary->block, block, sizeof (block));
  return TRUE;
}

static guint
divide_up (guint n, guint by)
{
  return n / by + (n % by != 0);
}

void
hip_convert_binary_get_grid (const HipConvertBinary * binary,
    const HipConvertPass * pass, guint grid[3])
{
  const HipConvertParams *p = &pass->params;
  guint width = p->cell_width, height = p->cell_height;

  if (binary->thread_width) {
    width = binary->thread_width;
    height = binary->thread_height;
  }
  grid[0] = divide_up (divide_up (p->width, width), binary->block[0]);
  grid[1] = divide_up (divide_up (p->height, height), binary->block[1]);
  grid[2] = p->fields;
}
