/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which values can a kernel be called with, by their types?
 *
 * The list that they go into is gsthipkernelargs.c. */
#include "gsthiperror.h"
#include "hip-kernel.h"

/* Kernels of all devices take at most 4 KiB of parameters */
#define MAX_VALUE_BYTES 4096

#define DEFINE_ADD(name, type, kind) \
void \
gst_hip_kernel_args_add_##name (GstHipKernelArgs * args, type value) \
{ \
  g_return_if_fail (args != NULL); \
\
  hip_kernel_args_add_value (args, &value, sizeof (value), sizeof (value), \
      GST_HIP_PARAMETER_KIND_##kind); \
}

/**
 * gst_hip_kernel_args_add_int8:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type signed char.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
DEFINE_ADD (int8, gint8, INT)
/**
 * gst_hip_kernel_args_add_uint8:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type unsigned char or bool.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (uint8, guint8, UINT)
/**
 * gst_hip_kernel_args_add_int16:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type short.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (int16, gint16, INT)
/**
 * gst_hip_kernel_args_add_uint16:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type unsigned short.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (uint16, guint16, UINT)
/**
 * gst_hip_kernel_args_add_int32:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type int.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (int32, gint32, INT)
/**
 * gst_hip_kernel_args_add_uint32:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type unsigned int.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (uint32, guint32, UINT)
/**
 * gst_hip_kernel_args_add_int64:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type long long.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (int64, gint64, INT)
/**
 * gst_hip_kernel_args_add_uint64:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type unsigned long long.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (uint64, guint64, UINT)
/**
 * gst_hip_kernel_args_add_float:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type float.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
    DEFINE_ADD (float, gfloat, FLOAT)
/**
 * gst_hip_kernel_args_add_double:
 * @args: a #GstHipKernelArgs
 * @value: the value
 *
 * Adds an argument for a parameter of type double.
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
DEFINE_ADD (double, gdouble, FLOAT)
/**
 * gst_hip_kernel_args_add_bytes:
 * @args: a #GstHipKernelArgs
 * @data: (array length=size) (element-type guint8): a struct as the kernel
 *   declares it
 * @size: bytes of @data
 * @align: its alignment, a power of two
 * @error: return location for an error
 *
 * Adds a copy of a struct that the kernel takes by value. Addresses in it need
 * gst_hip_kernel_args_add_dependency() for each memory.
 *
 * Returns: %FALSE with %GST_HIP_ERROR_INVALID if @size is 0 or above 4096 or
 *   @align is no power of two
 *
 * Blocking: never.
 *
 * Threads: one at a time.
 *
 * Since: 1.30
 */
  gboolean
gst_hip_kernel_args_add_bytes (GstHipKernelArgs * args, gconstpointer data,
    gsize size, gsize align, GError ** error)
{
  g_return_val_if_fail (args != NULL, FALSE);
  g_return_val_if_fail (data != NULL || size == 0, FALSE);

  if (size == 0 || size > MAX_VALUE_BYTES) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Argument %u: a value of %" G_GSIZE_FORMAT " bytes; kernels take 1 to "
        "%d", gst_hip_kernel_args_get_n_args (args), size, MAX_VALUE_BYTES);
    return FALSE;
  }
  if (align == 0 || (align & (align - 1)) || align > MAX_VALUE_BYTES) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Argument %u: an alignment of %" G_GSIZE_FORMAT " is no power of two "
        "up to %d", gst_hip_kernel_args_get_n_args (args), align,
        MAX_VALUE_BYTES);
    return FALSE;
  }
  hip_kernel_args_add_value (args, data, size, align,
      GST_HIP_PARAMETER_KIND_STRUCT);
  return TRUE;
}
