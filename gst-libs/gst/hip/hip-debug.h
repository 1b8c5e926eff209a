/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Debug categories of the library's files, made when they are first used:
 * nothing runs when the library is loaded. In a .c file, once:
 *   HIP_DEBUG_CATEGORY (hip_device_debug, "hipdevice", "HIP devices")
 *   #define GST_CAT_DEFAULT hip_device_debug ()
 * Several files may name the same category. Who may include this: the
 * library's own .c files. */
#pragma once

#include <gst/gst.h>

#ifdef GST_DISABLE_GST_DEBUG
#define HIP_DEBUG_CATEGORY(func, name, description) \
  static inline GstDebugCategory * func (void) { return NULL; }
#else
#define HIP_DEBUG_CATEGORY(func, name, description)                       \
  static GstDebugCategory * func (void)                                   \
  {                                                                       \
    static gsize category;                                                \
    if (g_once_init_enter (&category))                                    \
      g_once_init_leave (&category,                                       \
          (gsize) _gst_debug_category_new (name, 0, description));        \
    return (GstDebugCategory *) category;                                 \
  }
#endif
