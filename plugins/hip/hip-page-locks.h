/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* System memory of others that comes again and again, page-locked. Who may
 * include this: hipupload.
 */
#pragma once

#include "hip-frame-copy.h"

G_BEGIN_DECLS

typedef struct _HipPageLocks HipPageLocks;

/* Smaller ones are copied faster than locked, and share pages with what is none of ours. */
#define HIP_PAGE_LOCK_LEAST_BYTES (256 * 1024)
/* A memory is locked when it comes so often: locking takes about as long as copying it thrice. */
#define HIP_PAGE_LOCK_SIGHTINGS 3
/* What one element locks at most; locked pages are nobody else's. */
#define HIP_PAGE_LOCK_MOST 64
#define HIP_PAGE_LOCK_MOST_BYTES (512 * 1024 * 1024)

/* For frames of one element on one device */
HipPageLocks *hip_page_locks_new (GstHipDevice * device, HipInFlight * statistics);
void hip_page_locks_unref (HipPageLocks * self);

/* buffer's frame, whose planes lie in frame, is about to be read. TRUE: all of it is page-locked, and frame says so: the
 * device reads it, while whoever calls keeps buffer. FALSE: it is not, or not yet: a thread locks it where it has come often
 * enough. Never waits. */
gboolean hip_page_locks_use (HipPageLocks * self, GstBuffer * buffer, HipFrame * frame);
/* Locks nothing any more, and has unlocked what is, by workers. Never waits. */
void hip_page_locks_close (HipPageLocks * self);
/* Blocking: until all is unlocked, at most so long. After close. */
gboolean hip_page_locks_wait (HipPageLocks * self, gint64 most_us);

G_END_DECLS
