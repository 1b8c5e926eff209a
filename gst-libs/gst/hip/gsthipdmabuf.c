/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does another driver's frame become a HIP memory, without a copy?
 *
 * The DMA-BUF is imported, or was before; the memory is a view of it for one
 * frame. Producers rely on the DMA-BUF's implicit fence, of which HIP knows
 * nothing: a frame that is not finished gets a gate on the device that is
 * opened once the fence has ended, and what waits there is noted as the
 * memory's writer. So all readers come after the producer as after any other
 * writer (I2), and no streaming thread waits (I1).
 *
 * Must not know: elements, and how a backend imports. Keeps: what failed leaves
 * nothing behind; a gate that a stream waits at is opened, whatever fails.
 */
#include <gst/allocators/gstdmabuf.h>

#include "gsthiperror.h"
#include "hip-dmabuf.h"
#include "hip-memory.h"
#include "hip-stream.h"
#include "hip-worker.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

/* --- the producer's fence --- */

typedef struct _HipGate
{
  gint refs;                    /* atomic: the memory's, and that of who opens it */
  HipContext *context;          /* a reference */
  HipDmabuf *dmabuf;            /* a reference */
  HipNativeGate native;
} Gate;

/* On a worker, as what frees memory of a driver may wait for the device */
static void
gate_free (gpointer data)
{
  Gate *gate = data;
  HipContext *context = gate->context;

  if (hip_context_enter_for_free (context)) {
    context->backend->gate_free (context->native, gate->native);
    hip_context_leave (context);
  }
  hip_dmabuf_unref (gate->dmabuf);
  hip_context_unref (context);
  g_free (gate);
}

void
hip_gate_unref (struct _HipGate *gate)
{
  if (g_atomic_int_dec_and_test (&gate->refs))
    hip_worker_run (gate_free, gate);
}

static Gate *
gate_new (HipDmabuf * dmabuf, GError ** error)
{
  HipContext *context = dmabuf->context;
  HipNativeGate native = NULL;
  GError *failure = NULL;
  Gate *gate;

  if (hip_context_enter (context, &failure)) {
    native = context->backend->gate_new (context->native, &failure);
    hip_context_leave (context);
  }
  if (!native) {
    hip_context_failed_with (context, error, failure);
    return NULL;
  }
  gate = g_new0 (Gate, 1);
  gate->refs = 1;
  gate->context = hip_context_ref (context);
  gate->dmabuf = hip_dmabuf_ref (dmabuf);
  gate->native = native;
  return gate;
}

static gboolean
queue_wait (Gate * gate, GstHipStream * stream, GError ** error)
{
  HipContext *context = gate->context;
  GError *failure = NULL;
  gboolean queued = FALSE;

  if (hip_context_enter (context, &failure)) {
    queued = context->backend->stream_wait_gate (context->native,
        hip_stream_get_native (stream), gate->native, &failure);
    hip_context_leave (context);
  }
  return queued || hip_context_failed_with (context, error, failure);
}

static void
begin_reading (HipDmabuf * dmabuf)
{
  if (dmabuf->context->backend->dmabuf_begin)
    dmabuf->context->backend->dmabuf_begin (dmabuf->native, dmabuf->fd);
}

/* On the thread that waits for fences */
static void
producer_has_finished (gpointer data)
{
  Gate *gate = data;

  begin_reading (gate->dmabuf);
  gate->context->backend->gate_open (gate->native);
  hip_gate_unref (gate);
}

static gboolean
come_after_producer (GstHipMemoryPrivate * priv, GstHipStream * stream,
    GError ** error)
{
  HipDmabuf *dmabuf = priv->dmabuf;
  g_autoptr (GstHipEvent) event = NULL;
  Gate *gate = gate_new (dmabuf, error);

  if (!gate)
    return FALSE;
  if (!queue_wait (gate, stream, error)) {
    hip_gate_unref (gate);
    return FALSE;
  }
  /* From now on it is opened, whatever happens here: recording may have to wait
   * for the stream. */
  g_atomic_int_inc (&gate->refs);
  hip_fence_wait (dmabuf->fd, gate->context, producer_has_finished, gate);
  event = gst_hip_stream_record (stream, FALSE, error);
  if (!event) {
    hip_gate_unref (gate);
    return FALSE;
  }
  hip_memory_note_access (priv, event, GST_MAP_WRITE);
  priv->gate = gate;
  return TRUE;
}

static gboolean
order_after_producer (GstHipMemoryPrivate * priv, GstHipStream * stream,
    GError ** error)
{
  g_autoptr (GstHipStream) own = NULL;

  if (!hip_fence_is_pending (priv->dmabuf->fd)) {
    begin_reading (priv->dmabuf);
    return TRUE;
  }
  if (!stream)
    stream = own = hip_memory_ref_stream (priv, error);
  return stream && come_after_producer (priv, stream, error);
}

/* --- imports --- */

static GstMemory *
import (GstHipAllocator * allocator, GstHipDevice * device,
    GstHipStream * stream, gint fd, gsize offset, gsize size, GError ** error)
{
  HipContext *context = hip_device_get_context (device);
  GstMemory *memory;
  HipDmabuf *dmabuf;
  gsize end;

  if (size == 0 || !g_size_checked_add (&end, offset, size)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "%" G_GSIZE_FORMAT " bytes from %" G_GSIZE_FORMAT " of a DMA-BUF are "
        "no memory", size, offset);
    return NULL;
  }
  if (stream && hip_stream_get_context (stream) != context) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "the stream is another device's");
    return NULL;
  }
  dmabuf = hip_dmabuf_acquire (context, fd, end, error);
  if (!dmabuf)
    return NULL;
  memory = hip_allocator_wrap_dmabuf (allocator, device, dmabuf, offset, size,
      error);
  if (!memory) {
    hip_dmabuf_unref (dmabuf);
    return NULL;
  }
  if (!order_after_producer (GST_HIP_MEMORY_CAST (memory)->priv, stream, error)) {
    gst_memory_unref (memory);
    return NULL;
  }
  return memory;
}

/**
 * gst_hip_allocator_import_dmabuf:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: a device with %GST_HIP_DEVICE_CAP_DMABUF_IMPORT
 * @stream: (nullable): the stream that waits for a producer that has not
 *     finished, one of @device, or %NULL for the default stream
 * @fd: a DMA-BUF's file descriptor, which stays the caller's
 * @offset: bytes
 * @size: bytes
 * @user_data: (nullable): what @destroy is called with
 * @destroy: (nullable) (scope async): called once, on a worker thread, when
 *     the #GstHipMemory is gone and the device is done with it
 * @error: (out) (optional): return location for an error
 *
 * Makes a memory of @size bytes of a DMA-BUF, without a copy, for reading one
 * frame: whoever uses the memory comes after what its producer had queued when
 * this was called, by the DMA-BUF's implicit fence. The producer must not write
 * to it again before @destroy.
 *
 * What was imported is kept for the next frame, whatever @fd is called then;
 * gst_hip_allocator_import_memory() knows when to let go of it.
 *
 * Returns: (transfer full) (nullable): a new, read-only #GstHipMemory, or %NULL,
 *     where @destroy is not called; %GST_HIP_ERROR_INVALID if @fd is closed or
 *     has fewer bytes, %GST_HIP_ERROR_UNSUPPORTED if this device imports none,
 *     or what the driver reported: then copy the frame
 *
 * Blocking: never for queued work or the producer, but where no event can be
 *     recorded; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_import_dmabuf (GstHipAllocator * allocator,
    GstHipDevice * device, GstHipStream * stream, gint fd, gsize offset,
    gsize size, gpointer user_data, GDestroyNotify destroy, GError ** error)
{
  GstMemory *memory;

  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (stream == NULL || GST_IS_HIP_STREAM (stream), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  memory = import (allocator, device, stream, fd, offset, size, error);
  if (memory) {
    GST_HIP_MEMORY_CAST (memory)->priv->user_data = user_data;
    GST_HIP_MEMORY_CAST (memory)->priv->destroy = destroy;
  }
  return memory;
}

/* --- of a GstMemory --- */

static void
source_is_gone (gpointer identity)
{
  hip_dmabuf_forget (identity);
  g_free (identity);
}

/* What source's descriptor is of: the same each time, or somebody closed it. */
static gboolean
check_identity (GstMemory * source, gint fd, GError ** error)
{
  static GQuark quark;
  GstMiniObject *root =
      GST_MINI_OBJECT_CAST (source->parent ? source->parent : source);
  HipDmabufIdentity identity, *before;

  if (!quark)
    quark = g_quark_from_static_string ("GstHipDmabufIdentity");
  if (!hip_dmabuf_identify (fd, &identity, error))
    return FALSE;
  before = gst_mini_object_get_qdata (root, quark);
  if (!before) {
    gst_mini_object_set_qdata (root, quark, g_memdup2 (&identity,
            sizeof (identity)), source_is_gone);
    return TRUE;
  }
  if (before->device == identity.device && before->inode == identity.inode)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "file descriptor %d was closed while its memory lives, and is another "
      "file's now", fd);
  return FALSE;
}

/**
 * gst_hip_allocator_import_memory:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: a device with %GST_HIP_DEVICE_CAP_DMABUF_IMPORT
 * @stream: (nullable): the stream that waits for a producer that has not
 *     finished, one of @device, or %NULL for the default stream
 * @source: a memory for which gst_is_dmabuf_memory() says yes
 * @user_data: (nullable): what @destroy is called with
 * @destroy: (nullable) (scope async): called once, on a worker thread, when
 *     the #GstHipMemory is gone and the device is done with it
 * @error: (out) (optional): return location for an error
 *
 * gst_hip_allocator_import_dmabuf() of what @source is a view of. The result
 * holds @source; keep its buffer by @destroy, so that no pool gives it to the
 * producer meanwhile. What was imported is let go of when @source is freed.
 *
 * Returns: (transfer full) (nullable): a new, read-only #GstHipMemory of
 *     @source's size, or %NULL, where @destroy is not called, as
 *     gst_hip_allocator_import_dmabuf() does
 *
 * Blocking: never for queued work or the producer, but where no event can be
 *     recorded; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_import_memory (GstHipAllocator * allocator,
    GstHipDevice * device, GstHipStream * stream, GstMemory * source,
    gpointer user_data, GDestroyNotify destroy, GError ** error)
{
  GstMemory *memory;
  gint fd;

  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (stream == NULL || GST_IS_HIP_STREAM (stream), NULL);
  g_return_val_if_fail (source != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!gst_is_dmabuf_memory (source)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a memory of type %s is no DMA-BUF", source->allocator ?
        source->allocator->mem_type : "unknown");
    return NULL;
  }
  fd = gst_dmabuf_memory_get_fd (source);
  if (!check_identity (source, fd, error))
    return NULL;
  memory = gst_hip_allocator_import_dmabuf (allocator, device, stream, fd,
      source->offset, source->size, user_data, destroy, error);
  if (memory)
    GST_HIP_MEMORY_CAST (memory)->priv->source = gst_memory_ref (source);
  return memory;
}
