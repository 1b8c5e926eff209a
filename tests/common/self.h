/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a test program start itself again? In a bundle it cannot be started
 * without the bundle's dynamic linker; GST_HIP_TEST_SELF is what does it then. */
#pragma once

#include <glib.h>

/* Before g_test_init (), whose g_test_trap_subprocess () starts argv[0] */
static inline void
test_set_self (char **argv)
{
  const gchar *self = g_getenv ("GST_HIP_TEST_SELF");

  if (self)
    argv[0] = g_strdup (self);  /* kept by GLib */
}
