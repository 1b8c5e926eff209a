/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The application's memory that a context has page-locked. Who may include
 * this: backends. */
#pragma once

#include <gst/gst.h>

#include "hip-lock.h"

G_BEGIN_DECLS

typedef enum
{
  HIP_PAGES_LOCKED,             /* by this call */
  HIP_PAGES_LOCKED_BEFORE,      /* by somebody, a part at least */
  HIP_PAGES_FAILED,             /* *error is set */
} HipPages;

/* What the driver does; called with the lock held, the context current */
typedef struct
{
  HipPages (*lock_pages) (gpointer data, gsize size, GError ** error);
  void (*unlock_pages) (gpointer data);
  /* FALSE with *error set where data is not locked */
  gboolean (*device_address) (gpointer data, guintptr * device_address, GError ** error);
} HipPagesDriver;

typedef struct
{
  const HipPagesDriver *driver;
  HipMutex lock;
  GHashTable *table;            /* CPU address -> Registration */
} HipRegistrations;

void hip_registrations_init (HipRegistrations * self, const HipPagesDriver * driver);
/* What is still locked stays so: its memory may be in use. */
void hip_registrations_clear (HipRegistrations * self);
gboolean hip_registrations_add (HipRegistrations * self, gpointer data, gsize size, guintptr * device_address,
    GError ** error);
void hip_registrations_remove (HipRegistrations * self, gpointer data);

G_END_DECLS
