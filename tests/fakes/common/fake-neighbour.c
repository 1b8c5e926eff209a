/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a library beside the driver need of it, that has kernels and memory
 * of its own? */
#include "fake.h"

static gboolean
queue (gpointer stream, void (*func) (gpointer data, gboolean ran),
    gpointer data)
{
  return fake_stream_call (stream, func, data);
}

static void
lend (gpointer stream, gpointer data, gsize size)
{
  fake_memory_lend (stream, (guintptr) data, size);
}

static void
take_back (gpointer data)
{
  fake_memory_free (FAKE_EXTERNAL_MEMORY, (guintptr) data, G_STRFUNC);
}

static gboolean
is_lost (gpointer stream)
{
  return g_atomic_int_get (&((FakeStream *) stream)->context->lost) != 0;
}

FAKE_API const FakeNeighbour fake_neighbour;
const FakeNeighbour fake_neighbour = {
  .queue = queue,
  .lend = lend,
  .take_back = take_back,
  .is_lost = is_lost,
};
