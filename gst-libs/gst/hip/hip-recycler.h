/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Small objects that each frame needs for a while, used again. Who may include
 * this: the library's own .c files. */
#pragma once

#include "hip-lock.h"

G_BEGIN_DECLS

/* So many wait for their next user; a burst of more is freed. */
#define HIP_RECYCLER_MOST 256

/* Objects of one size; static and zeroed it is ready. */
typedef struct
{
  HipMutex lock;
  gpointer first;
  guint n;
} HipRecycler;

/* Zeroed, as g_malloc0 () gives it */
gpointer hip_recycler_take (HipRecycler * self, gsize size);
/* As g_free (), any thread */
void hip_recycler_give (HipRecycler * self, gpointer object);

G_END_DECLS
