/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How is a memory made, copied and given back?
 *
 * Keeps I4: what was allocated or wrapped is given back by a worker, after all
 * pending work on it has ended; the caller of the last unref never waits.
 * Sizes are checked here, backends trust them. Must not know: pooling, and
 * what accesses do.
 */
#include <string.h>

#include "gsthiperror.h"
#include "hip-layout.h"
#include "hip-memory.h"
#include "hip-stream.h"

GST_DEBUG_CATEGORY (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

G_DEFINE_TYPE (GstHipAllocator, gst_hip_allocator, GST_TYPE_ALLOCATOR);

static GstHipAllocator *default_allocator;
static gint n_live;

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
  if (g_atomic_int_get (&priv->use_unknown))
    return;
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
  g_free (priv);
  g_atomic_int_add (&n_live, -1);
}

static void
event_ended (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  GstHipMemoryPrivate *priv = data;

  if (state == GST_HIP_EVENT_STATE_FAILED)
    g_atomic_int_set (&priv->use_unknown, TRUE);
  if (g_atomic_int_dec_and_test (&priv->n_unfinished))
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

static void
finish_when_idle (GstHipMemoryPrivate * priv)
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

static void
gst_hip_allocator_free (GstAllocator * allocator, GstMemory * memory)
{
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);

  if (!memory->parent)
    finish_when_idle (mem->priv);
  g_free (mem);
}

/* --- birth --- */

static gboolean
is_host_kind (GstHipMemoryKind kind)
{
  return kind == GST_HIP_MEMORY_KIND_PINNED
      || kind == GST_HIP_MEMORY_KIND_WRAPPED_HOST;
}

static GstHipMemoryPrivate *
private_new (GstHipDevice * device, GstHipMemoryKind kind,
    const GstVideoInfo * info, gsize size)
{
  GstHipMemoryPrivate *priv = g_new0 (GstHipMemoryPrivate, 1);

  hip_mutex_init (&priv->lock);
  hip_cond_init (&priv->cond);
  priv->kind = kind;
  priv->device = gst_object_ref (device);
  priv->context = hip_device_get_context (device);
  priv->size = size;
  if (info) {
    priv->is_video = TRUE;
    priv->info = *info;
  }
  priv->is_staged = !is_host_kind (kind)
      && !(priv->context->info.caps & GST_HIP_DEVICE_CAP_HOST_ADDRESSABLE);
  return priv;
}

static void
private_free_unborn (GstHipMemoryPrivate * priv)
{
  hip_mutex_clear (&priv->lock);
  hip_cond_clear (&priv->cond);
  gst_object_unref (priv->device);
  g_free (priv);
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
  if (kind == GST_HIP_MEMORY_KIND_DEVICE && most > 0 && size > most) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_OUT_OF_MEMORY,
        "%" G_GSIZE_FORMAT " bytes were asked for, all memory of the device "
        "is %" G_GUINT64_FORMAT, size, most);
    return FALSE;
  }
  return TRUE;
}

static GstMemory *
memory_new (GstAllocator * allocator, GstHipMemoryPrivate * priv,
    GstMemory * parent, gsize maxsize, gsize offset, gsize size)
{
  GstHipMemory *mem = g_new0 (GstHipMemory, 1);
  GstMemoryFlags flags = 0;

  /* Half a frame's rows are no frame: buffers copy such parts. */
  if (priv->is_video && !is_host_kind (priv->kind))
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

/* Takes nothing over from the caller where it fails. */
static GstMemory *
make_memory (GstHipAllocator * allocator, GstHipDevice * device,
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
  return memory_new (GST_ALLOCATOR_CAST (allocator), priv, NULL, size, 0, size);
}

GstMemory *
hip_allocator_wrap_dmabuf (GstHipAllocator * allocator, GstHipDevice * device,
    HipDmabuf * dmabuf, gsize offset, gsize size, GError ** error)
{
  DmabufPart part = { dmabuf, offset };

  return make_memory (allocator, device, GST_HIP_MEMORY_KIND_DMABUF, NULL, size,
      &part, error);
}

/* --- copies and parts --- */

static gboolean
copy_on_device (GstHipMemory * src, gsize offset, GstHipMemory * dst,
    GError ** error)
{
  g_autoptr (GstHipStream) stream = hip_memory_ref_stream (src->priv, error);
  g_autoptr (GstHipEvent) event = NULL;

  if (!stream || !gst_hip_memory_begin_access (src, stream, GST_MAP_READ, error)
      || !gst_hip_memory_begin_access (dst, stream, GST_MAP_WRITE, error)
      || !hip_memory_queue_planes (dst->priv, stream, dst->priv->space,
          dst->priv->device_address, src->priv->space,
          src->priv->device_address + offset, error)
      || !(event = gst_hip_stream_record (stream, FALSE, error)))
    return FALSE;
  gst_hip_memory_end_access_with_event (src, event, GST_MAP_READ);
  gst_hip_memory_end_access_with_event (dst, event, GST_MAP_WRITE);
  gst_hip_memory_set_stream (dst, stream);
  return TRUE;
}

static gboolean
copy_on_cpu (GstMemory * src, gsize offset, GstMemory * dst)
{
  GstMapInfo from, to;

  if (!gst_memory_map (src, &from, GST_MAP_READ))
    return FALSE;
  if (!gst_memory_map (dst, &to, GST_MAP_WRITE)) {
    gst_memory_unmap (src, &from);
    return FALSE;
  }
  memcpy (to.data, from.data + offset, to.size);
  gst_memory_unmap (dst, &to);
  gst_memory_unmap (src, &from);
  return TRUE;
}

/* Device memory is copied on its stream, without waiting; what the CPU can read
 * by the CPU, since it may be overwritten as soon as it is released. */
static GstMemory *
memory_copy (GstMemory * memory, gssize offset, gssize size)
{
  GstHipMemory *src = GST_HIP_MEMORY_CAST (memory);
  const GstVideoInfo *info = hip_memory_peek_video_info (src);
  gboolean on_cpu = is_host_kind (src->priv->kind);
  g_autoptr (GError) error = NULL;
  GstMemory *copy;

  if (offset < 0 || (gsize) offset > memory->size)
    return NULL;
  if (size == -1)
    size = memory->size - offset;
  if (memory->offset + offset != 0 || (gsize) size != src->priv->size)
    info = NULL;

  copy = make_memory (NULL, src->device, on_cpu ? GST_HIP_MEMORY_KIND_PINNED
      : GST_HIP_MEMORY_KIND_DEVICE, info, size, NULL, &error);
  if (copy && on_cpu && !copy_on_cpu (memory, offset, copy))
    gst_clear_mini_object ((GstMiniObject **) & copy);
  else if (copy && !on_cpu && !copy_on_device (src, memory->offset + offset,
          GST_HIP_MEMORY_CAST (copy), &error))
    gst_clear_mini_object ((GstMiniObject **) & copy);
  if (!copy)
    GST_ERROR ("copying %p: %s", memory,
        error ? error->message : "it cannot be mapped");
  return copy;
}

static GstMemory *
memory_share (GstMemory * memory, gssize offset, gssize size)
{
  GstHipMemory *mem = GST_HIP_MEMORY_CAST (memory);
  GstMemory *parent = memory->parent ? memory->parent : memory;
  GstMemory *part;

  if (size == -1)
    size = memory->size - offset;
  part = memory_new (memory->allocator, mem->priv, parent, memory->maxsize,
      memory->offset + offset, size);
  GST_MINI_OBJECT_FLAG_SET (part, GST_MINI_OBJECT_FLAGS (parent)
      & GST_MINI_OBJECT_FLAG_LOCK_READONLY);
  return part;
}

static gboolean
memory_is_span (GstMemory * first, GstMemory * second, gsize * offset)
{
  return FALSE;
}

/* --- the object --- */

static GstMemory *
gst_hip_allocator_alloc_plain (GstAllocator * allocator, gsize size,
    GstAllocationParams * params)
{
  GST_WARNING_OBJECT (allocator, "HIP memory needs a device: use "
      "gst_hip_allocator_alloc_linear () or a GstHipBufferPool");
  return NULL;
}

static gboolean
gst_hip_allocator_always_active (GstHipAllocator * allocator, gboolean active)
{
  return TRUE;
}

static void
gst_hip_allocator_class_init (GstHipAllocatorClass * klass)
{
  GstAllocatorClass *allocator_class = GST_ALLOCATOR_CLASS (klass);

  allocator_class->alloc = gst_hip_allocator_alloc_plain;
  allocator_class->free = gst_hip_allocator_free;
  klass->set_active = gst_hip_allocator_always_active;
  GST_DEBUG_CATEGORY_INIT (gst_hip_memory_debug, "hipmemory", 0,
      "HIP memory and its pending work");
}

static void
gst_hip_allocator_init (GstHipAllocator * self)
{
  GstAllocator *allocator = GST_ALLOCATOR_CAST (self);

  allocator->mem_type = GST_HIP_MEMORY_NAME;
  allocator->mem_map_full = hip_memory_map_full;
  allocator->mem_unmap_full = hip_memory_unmap_full;
  allocator->mem_copy = memory_copy;
  allocator->mem_share = memory_share;
  allocator->mem_is_span = memory_is_span;
  GST_OBJECT_FLAG_SET (self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

GstHipAllocator *
hip_allocator_get_default (void)
{
  static gsize made;

  if (g_once_init_enter (&made)) {
    default_allocator = g_object_new (GST_TYPE_HIP_ALLOCATOR, "name",
        "hipdefaultallocator", NULL);
    gst_object_ref_sink (default_allocator);
    GST_OBJECT_FLAG_SET (default_allocator, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    gst_allocator_register (GST_HIP_MEMORY_NAME,
        gst_object_ref (GST_ALLOCATOR_CAST (default_allocator)));
    g_once_init_leave (&made, 1);
  }
  return gst_object_ref (default_allocator);
}

/* --- the public doors --- */

/**
 * gst_hip_allocator_alloc:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @info: format and size of a frame
 *
 * Allocates a frame on @device, in the layout that @device likes best: that of
 * gst_hip_video_info_align() with #GstHipDeviceInfo.stride_align. Ask for it
 * with gst_hip_memory_get_video_info(). A failure is logged.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc (GstHipAllocator * allocator, GstHipDevice * device,
    const GstVideoInfo * info)
{
  g_autoptr (GError) error = NULL;
  GstMemory *memory = NULL;
  GstVideoInfo aligned;

  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (info != NULL, NULL);

  aligned = *info;
  if (gst_hip_video_info_align (&aligned,
          gst_hip_device_get_info (device)->stride_align, &error))
    memory = gst_hip_allocator_alloc_video (allocator, device,
        GST_HIP_MEMORY_KIND_DEVICE, &aligned, &error);
  if (!memory)
    GST_ERROR_OBJECT (device, "no frame: %s", error->message);
  return memory;
}

/**
 * gst_hip_allocator_alloc_video:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @kind: %GST_HIP_MEMORY_KIND_DEVICE or %GST_HIP_MEMORY_KIND_PINNED
 * @info: the frame's layout, which is taken as it is: strides, offsets and size
 *     in bytes (gst_hip_video_info_align() makes one for a device)
 * @error: (out) (optional): return location for an error
 *
 * Allocates a frame of exactly @info's size.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory;
 *     %GST_HIP_ERROR_INVALID if planes do not lie in @info's size,
 *     %GST_HIP_ERROR_UNSUPPORTED for formats that do not lie in rows,
 *     %GST_HIP_ERROR_OUT_OF_MEMORY
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_video (GstHipAllocator * allocator,
    GstHipDevice * device, GstHipMemoryKind kind, const GstVideoInfo * info,
    GError ** error)
{
  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (kind == GST_HIP_MEMORY_KIND_DEVICE
      || kind == GST_HIP_MEMORY_KIND_PINNED, NULL);
  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!hip_layout_check (info, error))
    return NULL;
  return make_memory (allocator, device, kind, info, info->size, NULL, error);
}

/**
 * gst_hip_allocator_alloc_linear:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @size: bytes
 * @error: (out) (optional): return location for an error
 *
 * Allocates memory without a layout on @device: tensors, tables, scratch.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory;
 *     %GST_HIP_ERROR_INVALID for no or an absurd size,
 *     %GST_HIP_ERROR_OUT_OF_MEMORY
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_linear (GstHipAllocator * allocator,
    GstHipDevice * device, gsize size, GError ** error)
{
  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return make_memory (allocator, device, GST_HIP_MEMORY_KIND_DEVICE, NULL, size,
      NULL, error);
}

/**
 * gst_hip_allocator_alloc_pinned:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @size: bytes
 * @error: (out) (optional): return location for an error
 *
 * Allocates CPU memory that @device reads and writes directly.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory;
 *     %GST_HIP_ERROR_INVALID for no or an absurd size,
 *     %GST_HIP_ERROR_OUT_OF_MEMORY
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_pinned (GstHipAllocator * allocator,
    GstHipDevice * device, gsize size, GError ** error)
{
  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return make_memory (allocator, device, GST_HIP_MEMORY_KIND_PINNED, NULL, size,
      NULL, error);
}

/**
 * gst_hip_allocator_alloc_wrapped:
 * @allocator: (nullable): a #GstHipAllocator, or %NULL for the default
 * @device: the device
 * @kind: %GST_HIP_MEMORY_KIND_WRAPPED_HOST for CPU memory,
 *     %GST_HIP_MEMORY_KIND_WRAPPED_DEVICE for memory of @device
 * @data: address of the memory, the CPU's or the device's
 * @size: bytes
 * @user_data: (nullable): what @destroy is called with
 * @destroy: (nullable) (scope async): called once, on a worker thread, when
 *     the #GstHipMemory is gone and the device is done with @data
 * @error: (out) (optional): return location for an error
 *
 * Makes a memory of the application's bytes, without a copy. CPU memory is
 * page-locked while wrapped where the device needs that.
 *
 * Returns: (transfer full) (nullable): a new #GstHipMemory, or %NULL, where
 *     @destroy is not called; %GST_HIP_ERROR_INVALID for no size or address,
 *     or what the driver says against page-locking
 *
 * Blocking: never for queued work; the driver may take its time.
 * Threads: any.
 * Since: 1.30
 */
GstMemory *
gst_hip_allocator_alloc_wrapped (GstHipAllocator * allocator,
    GstHipDevice * device, GstHipMemoryKind kind, gpointer data, gsize size,
    gpointer user_data, GDestroyNotify destroy, GError ** error)
{
  GstMemory *memory;

  g_return_val_if_fail (allocator == NULL || GST_IS_HIP_ALLOCATOR (allocator),
      NULL);
  g_return_val_if_fail (GST_IS_HIP_DEVICE (device), NULL);
  g_return_val_if_fail (kind == GST_HIP_MEMORY_KIND_WRAPPED_HOST
      || kind == GST_HIP_MEMORY_KIND_WRAPPED_DEVICE, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!data) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "there is no memory at address 0");
    return NULL;
  }
  memory = make_memory (allocator, device, kind, NULL, size, data, error);
  if (memory) {
    GST_HIP_MEMORY_CAST (memory)->priv->user_data = user_data;
    GST_HIP_MEMORY_CAST (memory)->priv->destroy = destroy;
  }
  return memory;
}

/**
 * gst_hip_allocator_set_active:
 * @allocator: a #GstHipAllocator
 * @active: whether memory is to be had from it
 *
 * Pooling allocators give out memory only while active; becoming inactive
 * wakes who waits for memory and gives back what is idle. Others ignore it.
 *
 * Returns: %TRUE
 *
 * Blocking: never.
 * Threads: any.
 * Since: 1.30
 */
gboolean
gst_hip_allocator_set_active (GstHipAllocator * allocator, gboolean active)
{
  g_return_val_if_fail (GST_IS_HIP_ALLOCATOR (allocator), FALSE);

  return GST_HIP_ALLOCATOR_GET_CLASS (allocator)->set_active (allocator,
      active);
}
