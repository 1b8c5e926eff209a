/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What a test asks a simulated driver that is loaded, by dlsym ("fake_control"):
 * things that a real driver has no function for. Who may include this: tests, and
 * simulated libraries. */
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

/* What a simulated library that works beside a driver asks of it, by dlsym
 * ("fake_neighbour"): its kernels and its memory are there, too. */
typedef struct
{
  /* func is called by a thread of its own when the stream has come to it, which goes on when it returns. ran: FALSE where
   * the device has failed. FALSE: it has failed before, and func is not called. */
  gboolean (*queue) (gpointer stream, void (*func) (gpointer data, gboolean ran), gpointer data);
  /* The library's own memory is under the rules for memory of the stream's device until it is taken back: not while it is in
   * use, if the device has not failed. */
  void (*lend) (gpointer stream, gpointer data, gsize size);
  void (*take_back) (gpointer data);
  /* Has the stream's device failed? */
  gboolean (*is_lost) (gpointer stream);
} FakeNeighbour;
