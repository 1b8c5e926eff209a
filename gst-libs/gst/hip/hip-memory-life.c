/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a memory begin, and how does it end?
 *
 * Keeps I4: what was allocated or wrapped is given back by a worker, after all
 * pending work on it has ended; the caller of the last unref never waits.
 * Sizes are checked here, backends trust them. Must not know: pooling, and
 * what accesses do.
 */
#include "gsthiperror.h"
#include "hip-kept.h"
#include "hip-memory.h"
#include "hip-recycler.h"
#include "hip-stream.h"

static gint n_live;

/* A frame that is imported has one of each for itself. */
static HipRecycler privates, memories;

/* --- death --- */

guint
hip_memory_live_count (void)
{
  return g_atomic_int_get (&n_live);
}

static void
free_native (GstHipMemoryPrivate * priv)
{
  HipContext *context = priv->context;
  const HipBackend *backend = context->backend;

  /* The device may still use it, and nobody can tell: kept for good (I6). */
  if (g_atomic_int_get (&priv->use_unknown)) {
    HIP_KEPT_FOR_GOOD (priv->address);
    HIP_KEPT_FOR_GOOD (priv->staging);
    return;
  }
  if (!hip_context_enter_for_free (context))
    return;
  hip_memory_free_textures (priv);
  if (priv->staging)
    backend->memory_free (context->native, HIP_SPACE_PINNED, priv->staging);
  switch (priv->kind) {
    case GST_HIP_MEMORY_KIND_DEVICE:
      backend->memory_free (context->native, HIP_SPACE_DEVICE, priv->address);
      break;
    case GST_HIP_MEMORY_KIND_PINNED:
      backend->memory_free (context->native, HIP_SPACE_PINNED, priv->address);
      break;
    case GST_HIP_MEMORY_KIND_WRAPPED_HOST:
      backend->host_unregister (context->native, (gpointer) priv->address);
      break;
    case GST_HIP_MEMORY_KIND_WRAPPED_DEVICE:
      break;
    case GST_HIP_MEMORY_KIND_EXPORTED:
      backend->export_free (context->native, priv->size, priv->address,
          priv->exported_fd);
      break;
    case GST_HIP_MEMORY_KIND_DMABUF:
      if (backend->dmabuf_end)
        backend->dmabuf_end (priv->dmabuf->native, priv->dmabuf->fd);
      hip_dmabuf_unref (priv->dmabuf);
      g_clear_pointer (&priv->gate, hip_gate_unref);
      break;
  }
  hip_context_leave (context);
}

static void
clear_access (HipAccess * access)
{
  gst_clear_hip_event (&access->event);
}

/* On a worker, with nothing pending. Nobody else knows priv any more. */
static void
finish (gpointer data)
{
  GstHipMemoryPrivate *priv = data;
  guint i;

  free_native (priv);
  /* Before its buffer: pools take only those that nobody else has. */
  g_clear_pointer (&priv->source, gst_memory_unref);
  if (priv->destroy)
    priv->destroy (priv->user_data);

  clear_access (&priv->writer);
  for (i = 0; i < priv->n_readers; i++)
    clear_access (&priv->readers[i]);
  for (i = 0; priv->more_readers && i < priv->more_readers->len; i++)
    clear_access (&g_array_index (priv->more_readers, HipAccess, i));
  g_clear_pointer (&priv->more_readers, g_array_unref);
  gst_clear_hip_event (&priv->staging_reader);
  gst_object_unref (priv->device);
  hip_mutex_clear (&priv->lock);
  hip_cond_clear (&priv->cond);
  hip_recycler_give (&privates, priv);
  g_atomic_int_add (&n_live, -1);
}

static void
event_ended (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  GstHipMemoryPrivate *priv = data;

  if (state == GST_HIP_EVENT_STATE_FAILED)
    g_atomic_int_set (&priv->use_unknown, TRUE);
  if (!g_atomic_int_dec_and_test (&priv->n_unfinished))
    return;
  /* Drivers wait for all running kernels to unlock pages or to free what has no
   * heap: not on the worker that tells of this stream's frames. */
  if (priv->kind == GST_HIP_MEMORY_KIND_WRAPPED_HOST
      || priv->kind == GST_HIP_MEMORY_KIND_EXPORTED)
    hip_worker_run (finish, priv);
  else
    finish (priv);
}

static void
finish_after (GstHipMemoryPrivate * priv, GstHipEvent * event)
{
  if (!event || hip_event_is_known_done (event))
    return;
  g_atomic_int_inc (&priv->n_unfinished);
  gst_hip_event_notify (event, event_ended, priv, NULL);
}

void
hip_memory_finish_when_idle (GstHipMemoryPrivate * priv)
{
  guint i;

  /* At once: what waits for a stream that stands still must not keep it, or
   * nobody would ever see that it has to be abandoned (I6). */
  gst_clear_hip_stream (&priv->stream);
  g_atomic_int_set (&priv->n_unfinished, 1);
  finish_after (priv, priv->writer.event);
  for (i = 0; i < priv->n_readers; i++)
    finish_after (priv, priv->readers[i].event);
  for (i = 0; priv->more_readers && i < priv->more_readers->len; i++)
    finish_after (priv, g_array_index (priv->more_readers, HipAccess, i).event);
  finish_after (priv, priv->staging_reader);
  if (g_atomic_int_dec_and_test (&priv->n_unfinished))
    hip_worker_run (finish, priv);
}

/* --- birth --- */

static GstHipMemoryPrivate *
private_new (GstHipDevice * device, GstHipMemoryKind kind,
    const GstVideoInfo * info, gsize size)
{
  GstHipMemoryPrivate *priv =
      hip_recycler_take (&privates, sizeof (GstHipMemoryPrivate));

  hip_mutex_init (&priv->lock);
  hip_cond_init (&priv->cond);
  priv->kind = kind;
  priv->exported_fd = -1;
  priv->device = gst_object_ref (device);
  priv->context = hip_device_get_context (device);
  priv->size = size;
  if (info) {
    priv->is_video = TRUE;
    priv->info = *info;
  }
  priv->is_staged = !hip_memory_kind_is_host (kind)
      && !(priv->context->info.caps & GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE);
  return priv;
}

static void
private_free_unborn (GstHipMemoryPrivate * priv)
{
  hip_mutex_clear (&priv->lock);
  hip_cond_clear (&priv->cond);
  gst_object_unref (priv->device);
  hip_recycler_give (&privates, priv);
}

typedef struct
{
  HipDmabuf *dmabuf;
  gsize offset;
} DmabufPart;

/* With the context entered: sets the addresses. */
static gboolean
get_native (GstHipMemoryPrivate * priv, gpointer data, GError ** error)
{
  const DmabufPart *part;
  const HipBackend *backend = priv->context->backend;
  HipNativeContext native = priv->context->native;

  priv->space = HIP_SPACE_DEVICE;
  switch (priv->kind) {
    case GST_HIP_MEMORY_KIND_DEVICE:
      if (!backend->memory_alloc (native, HIP_SPACE_DEVICE, priv->size,
              &priv->address, error))
        return FALSE;
      priv->device_address = priv->address;
      return TRUE;
    case GST_HIP_MEMORY_KIND_WRAPPED_DEVICE:
      priv->address = priv->device_address = (guintptr) data;
      return TRUE;
    case GST_HIP_MEMORY_KIND_EXPORTED:
      if (!backend->export_alloc (native, priv->size, &priv->address,
              &priv->exported_fd, error))
        return FALSE;
      priv->device_address = priv->address;
      return TRUE;
    case GST_HIP_MEMORY_KIND_DMABUF:
      part = data;
      priv->dmabuf = part->dmabuf;
      priv->address = priv->device_address =
          part->dmabuf->address + part->offset;
      return TRUE;
    case GST_HIP_MEMORY_KIND_PINNED:
      if (!backend->memory_alloc (native, HIP_SPACE_PINNED, priv->size,
              &priv->address, error))
        return FALSE;
      if (!backend->host_device_address (native, (gpointer) priv->address,
              &priv->device_address, error)) {
        backend->memory_free (native, HIP_SPACE_PINNED, priv->address);
        return FALSE;
      }
      break;
    case GST_HIP_MEMORY_KIND_WRAPPED_HOST:
      if (!backend->host_register (native, data, priv->size,
              &priv->device_address, error))
        return FALSE;
      priv->address = (guintptr) data;
      break;
  }
  /* Where the device has another address for it, that is one of the device. */
  if (priv->device_address == priv->address)
    priv->space = HIP_SPACE_PINNED;
  return TRUE;
}

static gboolean
check_size (GstHipDevice * device, GstHipMemoryKind kind, gsize size,
    GError ** error)
{
  guint64 most = hip_device_get_context (device)->info.memory_bytes;

  if (size == 0 || size > G_MAXSSIZE) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "a memory of %" G_GSIZE_FORMAT " bytes cannot be", size);
    return FALSE;
  }
  if (kind == GST_HIP_MEMORY_KIND_EXPORTED
      && !(hip_device_get_context (device)->info.caps
          & GST_HIP_DEVICE_CAP_DMABUF_EXPORT)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "%s device %u exports no DMA-BUFs",
        hip_device_get_context (device)->backend->name,
        hip_device_get_context (device)->info.device_id);
    return FALSE;
  }
  if ((kind == GST_HIP_MEMORY_KIND_DEVICE
          || kind == GST_HIP_MEMORY_KIND_EXPORTED) && most > 0 && size > most) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "%" G_GSIZE_FORMAT " bytes were asked for, all memory of the device "
        "is %" G_GUINT64_FORMAT, size, most);
    return FALSE;
  }
  return TRUE;
}

void
hip_memory_free (GstHipMemory * mem)
{
  hip_recycler_give (&memories, mem);
}

GstMemory *
hip_memory_new (GstAllocator * allocator, GstHipMemoryPrivate * priv,
    GstMemory * parent, gsize maxsize, gsize offset, gsize size)
{
  GstHipMemory *mem = hip_recycler_take (&memories, sizeof (GstHipMemory));
  GstMemoryFlags flags = 0;

  /* Half a frame's rows are no frame: buffers copy such parts. */
  if (priv->is_video && !hip_memory_kind_is_host (priv->kind))
    flags |= GST_MEMORY_FLAG_NO_SHARE;
  /* Its producer uses it again, and may have mapped it for reading only. */
  if (priv->kind == GST_HIP_MEMORY_KIND_DMABUF)
    flags |= GST_MEMORY_FLAG_READONLY;
  gst_memory_init (GST_MEMORY_CAST (mem), flags, allocator, parent, maxsize, 0,
      offset, size);
  mem->priv = priv;
  mem->device = priv->device;
  return GST_MEMORY_CAST (mem);
}

GstMemory *
hip_memory_make (GstHipAllocator * allocator, GstHipDevice * device,
    GstHipMemoryKind kind, const GstVideoInfo * info, gsize size, gpointer data,
    GError ** error)
{
  g_autoptr (GstHipAllocator) by_default = NULL;
  GstHipMemoryPrivate *priv;
  HipContext *context;
  GError *failure = NULL;
  gboolean made = FALSE;

  if (!check_size (device, kind, size, error))
    return NULL;
  if (!allocator)
    allocator = by_default = hip_allocator_get_default ();

  priv = private_new (device, kind, info, size);
  context = priv->context;
  if (hip_context_enter (context, &failure)) {
    made = get_native (priv, data, &failure);
    hip_context_leave (context);
  }
  if (!made) {
    hip_context_failed_with (context, error, failure);
    private_free_unborn (priv);
    return NULL;
  }
  g_atomic_int_inc (&n_live);
  return hip_memory_new (GST_ALLOCATOR_CAST (allocator), priv, NULL, size, 0,
      size);
}

GstMemory *
hip_allocator_wrap_dmabuf (GstHipAllocator * allocator, GstHipDevice * device,
    HipDmabuf * dmabuf, gsize offset, gsize size, GError ** error)
{
  DmabufPart part = { dmabuf, offset };

  return hip_memory_make (allocator, device, GST_HIP_MEMORY_KIND_DMABUF, NULL,
      size, &part, error);
}
