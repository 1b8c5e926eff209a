/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* DMA-BUFs of other drivers, as a context sees them. Who may include this: the
 * library's own .c files and tests linked statically. */
#pragma once

#include <sys/types.h>

#include "hip-context.h"

G_BEGIN_DECLS

/* --- hip-dmabuf.c --- */

/* So many are kept for their next frame; a decoder's or camera's pool is smaller. */
#define HIP_DMABUF_MOST_CACHED 64

/* What a DMA-BUF is, whatever its descriptors are called */
typedef struct
{
  dev_t device;
  ino_t inode;
} HipDmabufIdentity;

typedef struct
{
  gint refs;                    /* atomic */
  HipContext *context;          /* borrowed: who uses it has the context */
  HipDmabufIdentity identity;
  gint fd;                      /* a duplicate, ours */
  gsize size;
  HipNativeDmabuf native;
  guintptr address;             /* the device's */
} HipDmabuf;

/* The whole DMA-BUF behind fd, of which the first end bytes have to be there: new reference. INVALID: fd is closed, or
 * the DMA-BUF smaller; UNSUPPORTED and others: it cannot be imported. */
HipDmabuf *hip_dmabuf_acquire (HipContext * context, gint fd, gsize end, GError ** error);
HipDmabuf *hip_dmabuf_ref (HipDmabuf * dmabuf);
/* Any thread. What was imported is released on a worker. */
void hip_dmabuf_unref (HipDmabuf * dmabuf);
/* FALSE with INVALID: fd is closed */
gboolean hip_dmabuf_identify (gint fd, HipDmabufIdentity * identity, GError ** error);
/* Nobody is going to use it any more: no cache keeps it. */
void hip_dmabuf_forget (const HipDmabufIdentity * identity);
/* When a context closes: on a worker, entered */
void hip_dmabuf_cache_free (HipContext * context);
/* Tests: imported and not released */
guint hip_dmabuf_live_count (void);

/* --- hip-fence-wait.c --- */

/* Has the producer not finished? Never waits. */
gboolean hip_fence_is_pending (gint fd);
/* Calls func (data) on a thread of its own once fd's fence has ended, the device is lost or the process is exiting. fd
 * stays open until then. */
void hip_fence_wait (gint fd, HipContext * context, void (*func) (gpointer data), gpointer data);
/* Tests: is that thread gone? */
gboolean hip_fence_wait_is_idle (void);

G_END_DECLS
