/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Where do small objects wait between two frames?
 *
 * In a list through their first words. A frame that is imported, and not
 * allocated, has objects of its own for a few milliseconds; the allocator would
 * be called for each. Must not know what they are. Under the address sanitizer
 * they are freed, so that it sees who still uses one.
 */
#include <string.h>

#include "hip-recycler.h"

gpointer
hip_recycler_take (HipRecycler * self, gsize size)
{
  gpointer object;

  hip_mutex_lock (&self->lock);
  object = self->first;
  if (object) {
    self->first = *(gpointer *) object;
    self->n--;
  }
  hip_mutex_unlock (&self->lock);
  if (!object)
    return g_malloc0 (size);
  memset (object, 0, size);
  return object;
}

void
hip_recycler_give (HipRecycler * self, gpointer object)
{
  gboolean kept = FALSE;

#ifndef __SANITIZE_ADDRESS__
  hip_mutex_lock (&self->lock);
  kept = self->n < HIP_RECYCLER_MOST;
  if (kept) {
    *(gpointer *) object = self->first;
    self->first = object;
    self->n++;
  }
  hip_mutex_unlock (&self->lock);
#endif
  if (!kept)
    g_free (object);
}
