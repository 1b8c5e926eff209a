/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What a test asks a simulated driver that is loaded, by dlsym ("fake_control"):
 * things that a real driver has no function for. Who may include this: tests. */
#pragma once

#include <glib.h>

typedef struct
{
  /* Objects that were made and that nobody tried to free, contexts and what went with one not counted. what: their
   * kinds, free with g_free (); or NULL */
  guint (*live) (gchar ** what);
  /* Calls that were made to fail */
  guint (*failed) (void);
  /* The device fails now: what is queued is dropped, all its calls fail. */
  void (*lose) (gint device);
} FakeControl;
