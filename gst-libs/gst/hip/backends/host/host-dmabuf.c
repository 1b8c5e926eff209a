/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does the CPU read a DMA-BUF, and how does a stream of its wait for
 * somebody else?
 *
 * By mapping it, for reading: its producer uses it again. Caches are kept right
 * by the kernel's DMA_BUF_IOCTL_SYNC around each frame's use. A gate is an
 * event of which the one record is ended by whoever opens it.
 */
#include <errno.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <gst/hip/gsthiperror.h>

#include "host-internal.h"

typedef struct
{
  gpointer data;
  gsize size;
} HostDmabuf;

HipNativeDmabuf
host_dmabuf_import (HipNativeContext context, gint fd, gsize size,
    guintptr * address, GError ** error)
{
  HostDmabuf *dmabuf;
  gpointer data;

  if (!host_context_check (context, HOST_FAULT_IMPORT, error))
    return NULL;
  data = mmap (NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "Host device: this DMA-BUF cannot be mapped (%s)", g_strerror (errno));
    return NULL;
  }
  dmabuf = g_new (HostDmabuf, 1);
  dmabuf->data = data;
  dmabuf->size = size;
  *address = (guintptr) data;
  return dmabuf;
}

void
host_dmabuf_release (HipNativeContext context, HipNativeDmabuf native)
{
  HostDmabuf *dmabuf = native;

  munmap (dmabuf->data, dmabuf->size);
  g_free (dmabuf);
}

/* What is no DMA-BUF, as a memfd, has no such call: nothing to keep right. */
static void
sync_caches (gint fd, guint64 flags)
{
  struct dma_buf_sync sync = {.flags = flags };
  gint result;

  do
    result = ioctl (fd, DMA_BUF_IOCTL_SYNC, &sync);
  while (result < 0 && (errno == EINTR || errno == EAGAIN));
}

void
host_dmabuf_begin (HipNativeDmabuf dmabuf, gint fd)
{
  sync_caches (fd, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ);
}

void
host_dmabuf_end (HipNativeDmabuf dmabuf, gint fd)
{
  sync_caches (fd, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ);
}

/* --- gates --- */

typedef struct
{
  HostEvent *event;
  HostRecord *record;           /* NULL once open */
} HostGate;

HipNativeGate
host_gate_new (HipNativeContext context, GError ** error)
{
  HostEvent *event = host_event_new (context, FALSE, error);
  HostGate *gate;

  if (!event)
    return NULL;
  gate = g_new (HostGate, 1);
  gate->event = event;
  gate->record = host_event_begin_record (event);
  return gate;
}

gboolean
host_stream_wait_gate (HipNativeContext context, HipNativeStream stream,
    HipNativeGate gate, GError ** error)
{
  return host_stream_wait_event (context, stream, ((HostGate *) gate)->event,
      error);
}

void
host_gate_open (HipNativeGate native)
{
  HostGate *gate = native;

  host_record_end (gate->record, GST_HIP_EVENT_STATE_DONE);
  host_record_unref (g_steal_pointer (&gate->record));
}

void
host_gate_free (HipNativeContext context, HipNativeGate native)
{
  HostGate *gate = native;

  /* Nobody waited at it. */
  if (gate->record)
    host_gate_open (gate);
  host_event_free (context, gate->event);
  g_free (gate);
}
