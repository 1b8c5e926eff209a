/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where the commands of one stream wait: a ring of cells that a command takes
 * as many of as it needs, side by side, so that a kernel's parameters travel
 * inside it and nothing is allocated per command.
 *
 * Must not know what a command is, nor about threads: the stream's lock guards
 * it. Keeps: what peek returned stays where it is until popped, so that the
 * stream's thread can run it without the lock. That is why a full ring is not
 * moved to a larger one: the larger is linked behind it, and the old one goes
 * once it has been emptied.
 */
#include <stdlib.h>

#include "host-internal.h"

/* 64 cells: 4 KiB a stream, about 40 commands before it first grows */
#define FIRST_CELLS 64

struct _HostChunk
{
  HostChunk *next;
  gsize n_cells;                /* power of two */
  gsize begin, end;             /* count up; begin is the oldest command's cell */
  gsize reserved;               /* cells behind end that push will add */
  guint32 *lengths;             /* by cell: of the command that starts there */
  guint8 *cells;
};

/* In lengths[]: the rest of the ring is skipped, the next command is at 0. */
#define LENGTH_SKIP G_MAXUINT32

static HostChunk *
chunk_new (gsize n_cells)
{
  HostChunk *chunk = g_try_new0 (HostChunk, 1);
  gpointer cells = NULL;

  if (chunk == NULL)
    return NULL;

  chunk->n_cells = n_cells;
  chunk->lengths = g_try_new0 (guint32, n_cells);
  if (chunk->lengths == NULL
      || posix_memalign (&cells, HOST_RING_CELL, n_cells * HOST_RING_CELL)) {
    g_free (chunk->lengths);
    g_free (chunk);
    return NULL;
  }
  chunk->cells = cells;

  return chunk;
}

static void
chunk_free (HostChunk * chunk)
{
  free (chunk->cells);
  g_free (chunk->lengths);
  g_free (chunk);
}

/* Address of n free cells side by side, or NULL; sets reserved. */
static gpointer
chunk_reserve (HostChunk * chunk, gsize n)
{
  gsize index = chunk->end & (chunk->n_cells - 1);
  gsize skip = index + n > chunk->n_cells ? chunk->n_cells - index : 0;

  if (chunk->end - chunk->begin + skip + n > chunk->n_cells)
    return NULL;

  if (skip) {
    chunk->lengths[index] = LENGTH_SKIP;
    chunk->end += skip;
    index = 0;
  }
  chunk->lengths[index] = (guint32) n;
  chunk->reserved = n;

  return chunk->cells + index * HOST_RING_CELL;
}

gboolean
host_ring_init (HostRing * ring)
{
  ring->read = ring->write = chunk_new (FIRST_CELLS);
  return ring->read != NULL;
}

void
host_ring_clear (HostRing * ring)
{
  while (ring->read) {
    HostChunk *next = ring->read->next;

    chunk_free (ring->read);
    ring->read = next;
  }
  ring->write = NULL;
}

gpointer
host_ring_reserve (HostRing * ring, gsize size)
{
  gsize n = (size + HOST_RING_CELL - 1) / HOST_RING_CELL;
  gpointer place = chunk_reserve (ring->write, n);
  HostChunk *chunk;
  gsize n_cells;

  if (place)
    return place;

  n_cells = ring->write->n_cells * 2;
  while (n_cells < n * 4)
    n_cells *= 2;
  chunk = chunk_new (n_cells);
  if (chunk == NULL)
    return NULL;
  ring->write->next = chunk;
  ring->write = chunk;

  return chunk_reserve (chunk, n);
}

void
host_ring_push (HostRing * ring)
{
  ring->write->end += ring->write->reserved;
  ring->write->reserved = 0;
}

gpointer
host_ring_peek (HostRing * ring)
{
  HostChunk *chunk = ring->read;
  gsize index;

  while (chunk->begin == chunk->end && chunk->next) {
    ring->read = chunk->next;
    chunk_free (chunk);
    chunk = ring->read;
  }

  if (chunk->begin == chunk->end)
    return NULL;

  index = chunk->begin & (chunk->n_cells - 1);
  if (chunk->lengths[index] == LENGTH_SKIP) {
    chunk->begin += chunk->n_cells - index;
    return host_ring_peek (ring);
  }

  return chunk->cells + index * HOST_RING_CELL;
}

void
host_ring_pop (HostRing * ring)
{
  HostChunk *chunk = ring->read;

  chunk->begin += chunk->lengths[chunk->begin & (chunk->n_cells - 1)];
}
