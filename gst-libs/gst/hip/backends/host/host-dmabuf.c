/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does the CPU read a DMA-BUF, what is one of its own, and how does a stream
 * of its wait for somebody else?
 *
 * By mapping it, for reading: its producer uses it again. Caches are kept right
 * by the kernel's DMA_BUF_IOCTL_SYNC around each frame's use. A gate is an
 * event of which the one record is ended by whoever opens it. What others get is
 * a memfd, sealed so that nobody makes it shorter under us: every process maps
 * it, but no driver of a device imports it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* --- for others --- */

gboolean
host_export_alloc (HipNativeContext context, gsize size, guintptr * address,
    gint * fd, GError ** error)
{
  gpointer data = MAP_FAILED;

  if (!host_context_check (context, HOST_FAULT_MEMORY, error))
    return FALSE;
  *fd = memfd_create ("gst-hip", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (*fd >= 0 && ftruncate (*fd, (off_t) size) == 0
      && fcntl (*fd, F_ADD_SEALS,
          F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    data = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  if (data != MAP_FAILED) {
    *address = (guintptr) data;
    return TRUE;
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
      "Host device: no %" G_GSIZE_FORMAT " bytes that others can map (%s)",
      size, g_strerror (errno));
  if (*fd >= 0)
    close (*fd);
  return FALSE;
}

void
host_export_free (HipNativeContext context, gsize size, guintptr address,
    gint fd)
{
  munmap ((gpointer) address, size);
  close (fd);
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
