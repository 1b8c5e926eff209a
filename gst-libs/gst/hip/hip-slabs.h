/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Memory in parts of few large blocks. Who may include this: backends' files,
 * and tests. */
#pragma once

#include "hip-lock.h"

G_BEGIN_DECLS

/* Parts begin and end at multiples of this. */
#define HIP_SLAB_ALIGN 4096

/* Where blocks come from: a driver. Called without a lock. */
typedef gboolean (*HipSlabAlloc) (gsize size, guintptr * address, GError ** error);

typedef struct
{
  HipMutex lock;                /* guards what follows */
  GPtrArray *slabs;
  GHashTable *parts;            /* address -> bytes */
  gsize total_bytes, used_bytes;
} HipSlabs;

void hip_slabs_init (HipSlabs * slabs);
/* Every block was taken. */
void hip_slabs_clear (HipSlabs * slabs);
gboolean hip_slabs_alloc (HipSlabs * slabs, gsize size, HipSlabAlloc alloc, guintptr * address, GError ** error);
void hip_slabs_free (HipSlabs * slabs, guintptr address);
/* Is more than keep_bytes unused, and a whole block among it? */
gboolean hip_slabs_has_surplus (HipSlabs * slabs, gsize keep_bytes);
/* Takes such a block out, for the driver to free; 0: there is none. */
guintptr hip_slabs_take_surplus (HipSlabs * slabs, gsize keep_bytes);
/* Takes any block out, in use or not; 0: none is left. */
guintptr hip_slabs_take_any (HipSlabs * slabs);

G_END_DECLS
