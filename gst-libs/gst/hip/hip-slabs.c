/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which part of which block is free?
 *
 * Drivers make page-locked memory slowly, and give it back only when the whole
 * device is idle, with everybody waiting. So it is taken from them in few
 * large blocks; each is a little larger than all before it together, up to a
 * limit. A block keeps its free ranges in order of address, neighbours joined;
 * the first that is large enough serves.
 *
 * Must not know: whose memory that is, and when a block may be given back.
 * Invariant: parts do not overlap, and none is handed out twice.
 */
#include "hip-slabs.h"

#define MIN_SLAB_BYTES ((gsize) 2 << 20)
#define MAX_SLAB_BYTES ((gsize) 32 << 20)

typedef struct
{
  gsize offset, size;
} Range;

typedef struct
{
  guintptr address;
  gsize size;
  GArray *unused;               /* of Range */
} Slab;

static void
slab_free (gpointer data)
{
  Slab *slab = data;

  g_array_unref (slab->unused);
  g_free (slab);
}

void
hip_slabs_init (HipSlabs * slabs)
{
  hip_mutex_init (&slabs->lock);
  slabs->slabs = g_ptr_array_new_with_free_func (slab_free);
  slabs->parts = g_hash_table_new (NULL, NULL);
  slabs->total_bytes = slabs->used_bytes = 0;
}

void
hip_slabs_clear (HipSlabs * slabs)
{
  g_ptr_array_unref (slabs->slabs);
  g_hash_table_unref (slabs->parts);
  hip_mutex_clear (&slabs->lock);
}

/* --- with the lock --- */

static gboolean
slab_is_unused (const Slab * slab)
{
  return slab->unused->len == 1
      && g_array_index (slab->unused, Range, 0).size == slab->size;
}

static gboolean
slab_take (Slab * slab, gsize size, guintptr * address)
{
  for (guint i = 0; i < slab->unused->len; i++) {
    Range *range = &g_array_index (slab->unused, Range, i);

    if (range->size < size)
      continue;
    *address = slab->address + range->offset;
    range->offset += size;
    range->size -= size;
    if (range->size == 0)
      g_array_remove_index (slab->unused, i);
    return TRUE;
  }
  return FALSE;
}

static void
slab_give (Slab * slab, gsize offset, gsize size)
{
  Range fresh = { offset, size };
  Range *range;
  guint i;

  for (i = 0; i < slab->unused->len; i++) {
    if (g_array_index (slab->unused, Range, i).offset > offset)
      break;
  }
  g_array_insert_val (slab->unused, i, fresh);
  range = &g_array_index (slab->unused, Range, i);
  if (i + 1 < slab->unused->len && range->offset + range->size ==
      range[1].offset) {
    range->size += range[1].size;
    g_array_remove_index (slab->unused, i + 1);
  }
  if (i > 0 && range[-1].offset + range[-1].size == range->offset) {
    range[-1].size += range->size;
    g_array_remove_index (slab->unused, i);
  }
}

static gboolean
take_part (HipSlabs * slabs, gsize size, guintptr * address)
{
  for (guint i = 0; i < slabs->slabs->len; i++) {
    if (!slab_take (g_ptr_array_index (slabs->slabs, i), size, address))
      continue;
    slabs->used_bytes += size;
    g_hash_table_insert (slabs->parts, (gpointer) * address,
        GSIZE_TO_POINTER (size));
    return TRUE;
  }
  return FALSE;
}

static Slab *
find_slab (HipSlabs * slabs, guintptr address)
{
  for (guint i = 0; i < slabs->slabs->len; i++) {
    Slab *slab = g_ptr_array_index (slabs->slabs, i);

    if (address >= slab->address && address - slab->address < slab->size)
      return slab;
  }
  return NULL;
}

static void
add_slab (HipSlabs * slabs, guintptr address, gsize size)
{
  Slab *slab = g_new0 (Slab, 1);
  Range all = { 0, size };

  slab->address = address;
  slab->size = size;
  slab->unused = g_array_new (FALSE, FALSE, sizeof (Range));
  g_array_append_val (slab->unused, all);
  g_ptr_array_add (slabs->slabs, slab);
  slabs->total_bytes += size;
}

static guintptr
remove_slab (HipSlabs * slabs, guint i)
{
  Slab *slab = g_ptr_array_index (slabs->slabs, i);
  guintptr address = slab->address;

  slabs->total_bytes -= slab->size;
  g_ptr_array_remove_index (slabs->slabs, i);
  return address;
}

static gint
find_surplus (HipSlabs * slabs, gsize keep_bytes)
{
  gsize unused = slabs->total_bytes - slabs->used_bytes;

  for (guint i = 0; unused > keep_bytes && i < slabs->slabs->len; i++) {
    if (slab_is_unused (g_ptr_array_index (slabs->slabs, i)))
      return i;
  }
  return -1;
}

/* --- for backends --- */

gboolean
hip_slabs_alloc (HipSlabs * slabs, gsize size, HipSlabAlloc alloc,
    guintptr * address, GError ** error)
{
  gsize slab_size;
  gboolean found;

  /* Larger than any memory: the driver says so. */
  if (size <= G_MAXSIZE - HIP_SLAB_ALIGN)
    size = (size + HIP_SLAB_ALIGN - 1) / HIP_SLAB_ALIGN * HIP_SLAB_ALIGN;
  hip_mutex_lock (&slabs->lock);
  found = take_part (slabs, size, address);
  slab_size = CLAMP (slabs->total_bytes, MIN_SLAB_BYTES, MAX_SLAB_BYTES);
  hip_mutex_unlock (&slabs->lock);

  while (!found) {
    guintptr block;

    slab_size = MAX (slab_size, size);
    if (!alloc (slab_size, &block, error))
      return FALSE;
    hip_mutex_lock (&slabs->lock);
    add_slab (slabs, block, slab_size);
    /* Another thread may take it first. */
    found = take_part (slabs, size, address);
    hip_mutex_unlock (&slabs->lock);
  }
  return TRUE;
}

void
hip_slabs_free (HipSlabs * slabs, guintptr address)
{
  gpointer bytes;
  Slab *slab;

  hip_mutex_lock (&slabs->lock);
  slab = find_slab (slabs, address);
  if (slab && g_hash_table_steal_extended (slabs->parts, (gpointer) address,
          NULL, &bytes)) {
    slab_give (slab, address - slab->address, GPOINTER_TO_SIZE (bytes));
    slabs->used_bytes -= GPOINTER_TO_SIZE (bytes);
  }
  hip_mutex_unlock (&slabs->lock);
}

gboolean
hip_slabs_has_surplus (HipSlabs * slabs, gsize keep_bytes)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&slabs->lock);

  return find_surplus (slabs, keep_bytes) >= 0;
}

guintptr
hip_slabs_take_surplus (HipSlabs * slabs, gsize keep_bytes)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&slabs->lock);
  gint i = find_surplus (slabs, keep_bytes);

  return i >= 0 ? remove_slab (slabs, i) : 0;
}

guintptr
hip_slabs_take_any (HipSlabs * slabs)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&slabs->lock);

  return slabs->slabs->len > 0 ? remove_slab (slabs, 0) : 0;
}
