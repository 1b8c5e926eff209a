/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Does a stream wait for that already?
 *
 * It does where it waits for something behind it on the same other stream. So a
 * driver's call is spared for each frame that comes by two ways, or again.
 */
#include "hip-stream.h"

void
hip_waits_init (HipWaits * self)
{
  memset (self, 0, sizeof (*self));
  hip_mutex_init (&self->lock);
}

void
hip_waits_clear (HipWaits * self)
{
  hip_mutex_clear (&self->lock);
}

gboolean
hip_waits_have (HipWaits * self, const HipRecord * record)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&self->lock);

  for (guint i = 0; i < HIP_N_WAITED; i++) {
    const HipWaited *waited = &self->waited[i];

    if (waited->serial == record->serial)
      return record->end <= waited->covered || record->end == waited->last;
  }
  return FALSE;
}

void
hip_waits_note (HipWaits * self, const HipRecord * record)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&self->lock);
  HipWaited *waited = NULL;

  for (guint i = 0; i < HIP_N_WAITED && !waited; i++) {
    if (self->waited[i].serial == record->serial)
      waited = &self->waited[i];
  }
  if (!waited) {
    waited = &self->waited[self->next_waited];
    self->next_waited = (self->next_waited + 1) % HIP_N_WAITED;
    waited->serial = record->serial;
    waited->covered = waited->last = 0;
  }
  waited->covered = MAX (waited->covered, record->begin);
  waited->last = MAX (waited->last, record->end);
}
