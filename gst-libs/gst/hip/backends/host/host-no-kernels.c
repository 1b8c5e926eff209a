/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device before it has kernels: says so. meson.build takes this file
 * only where host-module.c is not there; it goes when that one comes.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <gst/hip/gsthiperror.h>

#include "host-internal.h"

static gpointer
unsupported (GError ** error)
{
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
      "This build's host device has no kernels");
  return NULL;
}

gchar *
host_compiler_id (HipNativeContext context, GError ** error)
{
  return unsupported (error);
}

gboolean
host_compiler_available (void)
{
  return FALSE;
}

void
host_compiler_describe (GstStructure * structure)
{
}

gchar **
host_translate_options (HipNativeContext context, const gchar * const *options,
    GError ** error)
{
  return unsupported (error);
}

GBytes *
host_compile (HipNativeContext context, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  return unsupported (error);
}

HipNativeModule
host_module_load (HipNativeContext context, GBytes * binary, GError ** error)
{
  return unsupported (error);
}

void
host_module_unload (HipNativeContext context, HipNativeModule module)
{
}

HipNativeFunction
host_module_get_function (HipNativeContext context, HipNativeModule module,
    const gchar * name, GError ** error)
{
  return unsupported (error);
}

gboolean
host_module_read_global (HipNativeContext context, HipNativeModule module,
    const gchar * name, gpointer data, gsize * size, GError ** error)
{
  unsupported (error);
  return FALSE;
}

gsize
host_function_params_size (HipNativeFunction function)
{
  return 0;
}

void
host_function_pack_params (HipNativeFunction function, void **params,
    gpointer packed)
{
}

void
host_function_run (HipNativeFunction function, const guint grid[3],
    const guint block[3], gsize shared_bytes, gpointer packed)
{
}

void
host_function_ref (HipNativeFunction function)
{
}

void
host_function_unref (HipNativeFunction function)
{
}
