/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which memory of the application is page-locked for a device, and by whom?
 *
 * Drivers lock pages once and refuse bytes that are locked already; here the
 * same memory may be wrapped several times, whole or in part. Must not know:
 * which driver.
 *
 * Invariant: what somebody else has page-locked already is used and not
 * unlocked by us.
 */
#include "hip-registrations.h"
#include "gsthiperror.h"

typedef struct _Registration Registration;

struct _Registration
{
  gpointer data;
  gsize size;
  guint refs;
  Registration *lender;         /* one of ours that locks these bytes too */
  gboolean owned;               /* we locked it */
};

void
hip_registrations_init (HipRegistrations * self, const HipPagesDriver * driver)
{
  self->driver = driver;
  self->table = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  hip_mutex_init (&self->lock);
}

void
hip_registrations_clear (HipRegistrations * self)
{
  g_hash_table_unref (self->table);
  hip_mutex_clear (&self->lock);
}

/* One that we locked and that holds a byte of these; with the lock */
static Registration *
find_overlap (HipRegistrations * self, gpointer data, gsize size)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    Registration *there = value;
    guintptr begin = (guintptr) there->data, ours = (guintptr) data;

    if (there->owned && begin < ours + size && ours < begin + there->size)
      return there;
  }
  return NULL;
}

/* With the lock */
static Registration *
lock_pages (HipRegistrations * self, gpointer data, gsize size, GError ** error)
{
  Registration *registration;
  HipPages pages = self->driver->lock_pages (data, size, error);

  if (pages == HIP_PAGES_FAILED)
    return NULL;

  registration = g_new0 (Registration, 1);
  registration->data = data;
  registration->size = size;
  registration->owned = pages == HIP_PAGES_LOCKED;
  if (!registration->owned) {
    registration->lender = find_overlap (self, data, size);
    if (registration->lender)
      registration->lender->refs++;
  }
  g_hash_table_insert (self->table, data, registration);
  return registration;
}

/* With the lock */
static void
drop (HipRegistrations * self, Registration * registration)
{
  Registration *lender = registration->lender;

  if (--registration->refs > 0)
    return;
  if (registration->owned)
    self->driver->unlock_pages (registration->data);
  g_hash_table_remove (self->table, registration->data);
  if (lender)
    drop (self, lender);
}

gboolean
hip_registrations_add (HipRegistrations * self, gpointer data, gsize size,
    guintptr * device_address, GError ** error)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&self->lock);
  Registration *registration = g_hash_table_lookup (self->table, data);
  guintptr last;

  if (registration && registration->size < size) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "%" G_GSIZE_FORMAT " bytes at %p are in use already as %"
        G_GSIZE_FORMAT " bytes: wrap the larger first", size, data,
        registration->size);
    return FALSE;
  }
  if (!registration)
    registration = lock_pages (self, data, size, error);
  if (!registration)
    return FALSE;
  registration->refs++;

  /* Somebody else's lock may cover a part only */
  if (self->driver->device_address (data, device_address, error)
      && (registration->owned || self->driver->device_address (
              (guint8 *) data + size - 1, &last, error)))
    return TRUE;
  drop (self, registration);
  return FALSE;
}

void
hip_registrations_remove (HipRegistrations * self, gpointer data)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&self->lock);
  Registration *registration = g_hash_table_lookup (self->table, data);

  if (registration)
    drop (self, registration);
}
