/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a map give, and when do bytes travel between device and CPU?
 *
 * GST_MAP_HIP gives the device address and never waits. A CPU map gives the
 * memory itself where the CPU can touch it (pinned, wrapped host memory, and
 * all memory of a HOST_ADDRESSABLE device), else a pinned copy of the same
 * layout ("staging") that is kept.
 *
 * Keeps I5: writing reads nothing back, and a failed transfer leaves its mark.
 * Marks are set when the writer is done (unmap, end of access) and are those
 * of the whole memory, never of a part. Only visible bytes of rows travel.
 */
#include <string.h>

#include "hip-error.h"
#include "hip-memory.h"
#include "hip-stream.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

#define NEED_UPLOAD GST_HIP_MEMORY_TRANSFER_NEED_UPLOAD
#define NEED_DOWNLOAD GST_HIP_MEMORY_TRANSFER_NEED_DOWNLOAD

/* --- marks; GStreamer reads the same word without our lock --- */

static void
set_mark (GstHipMemory * root, guint mark)
{
  g_atomic_int_or ((guint *) & GST_MINI_OBJECT_FLAGS (root), mark);
}

static void
clear_mark (GstHipMemory * root, guint mark)
{
  g_atomic_int_and ((guint *) & GST_MINI_OBJECT_FLAGS (root), ~mark);
}

static gboolean
has_mark (GstHipMemory * root, guint mark)
{
  return (g_atomic_int_get ((gint *) & GST_MINI_OBJECT_FLAGS (root)) & mark)
      != 0;
}

void
hip_memory_device_wrote (GstHipMemory * root)
{
  GstHipMemoryPrivate *priv = root->priv;

  if (!priv->is_staged)
    return;
  hip_mutex_lock (&priv->lock);
  set_mark (root, NEED_DOWNLOAD);
  hip_mutex_unlock (&priv->lock);
}

static void
cpu_wrote (GstHipMemory * root)
{
  GstHipMemoryPrivate *priv = root->priv;

  hip_mutex_lock (&priv->lock);
  set_mark (root, NEED_UPLOAD);
  clear_mark (root, NEED_DOWNLOAD);
  priv->staging_valid = TRUE;
  hip_mutex_unlock (&priv->lock);
}

void
hip_memory_discard (GstHipMemory * mem)
{
  GstHipMemory *root = hip_memory_get_root (mem);

  hip_mutex_lock (&root->priv->lock);
  clear_mark (root, NEED_UPLOAD | NEED_DOWNLOAD);
  root->priv->staging_valid = FALSE;
  hip_mutex_unlock (&root->priv->lock);
}

/* --- transfers --- */

/* Where there are two threads, one makes the transfer and the other goes on
 * when it is queued. Lock held. */
static void
wait_for_transfer (GstHipMemoryPrivate * priv)
{
  while (priv->transferring)
    hip_cond_wait (&priv->cond, &priv->lock);
}

gboolean
hip_memory_queue_planes (GstHipMemoryPrivate * priv, GstHipStream * stream,
    HipSpace dst_space, guintptr dst, HipSpace src_space, guintptr src,
    GError ** error)
{
  HipContext *context = priv->context;
  guint plane, n = priv->is_video ? GST_VIDEO_INFO_N_PLANES (&priv->info) : 1;
  GError *failure = NULL;

  if (!hip_context_enter (context, error))
    return FALSE;
  for (plane = 0; plane < n && !failure; plane++) {
    HipCopy2D copy = { dst_space, src_space, dst, src, priv->size, priv->size,
      priv->size, 1
    };

    if (priv->is_video) {
      guint rows;

      gst_hip_video_info_get_plane_size (&priv->info, plane, &copy.row_bytes,
          &rows);
      copy.rows = rows;
      copy.dst += priv->info.offset[plane];
      copy.src += priv->info.offset[plane];
      copy.dst_stride = copy.src_stride =
          rows > 1 ? (gsize) priv->info.stride[plane] : copy.row_bytes;
    }
    context->backend->stream_copy_2d (context->native,
        hip_stream_get_native (stream), &copy, &failure);
  }
  hip_context_leave (context);
  if (!failure)
    return TRUE;

  /* Nothing stands for the planes that are on their way. */
  hip_context_failed_with (context, error, failure);
  if (plane > 1)
    gst_hip_stream_synchronize (stream);
  return FALSE;
}

static gboolean
queue_upload (GstHipMemoryPrivate * priv, GstHipStream * stream,
    GstHipEvent ** event, GError ** error)
{
  if (!hip_memory_order (priv, stream, GST_MAP_WRITE, error))
    return FALSE;
  if (!hip_memory_queue_planes (priv, stream, priv->space,
          priv->device_address, HIP_SPACE_PINNED, priv->staging, error))
    return FALSE;
  *event = gst_hip_stream_record (stream, FALSE, error);
  return *event != NULL;
}

gboolean
hip_memory_upload (GstHipMemory * root, GstHipStream * stream, GError ** error)
{
  GstHipMemoryPrivate *priv = root->priv;
  GstHipEvent *event = NULL, *old = NULL;
  gboolean queued;

  if (!priv->is_staged)
    return TRUE;
  hip_mutex_lock (&priv->lock);
  while (has_mark (root, NEED_UPLOAD) && priv->transferring)
    hip_cond_wait (&priv->cond, &priv->lock);
  if (!has_mark (root, NEED_UPLOAD) || !priv->staging) {
    hip_mutex_unlock (&priv->lock);
    return TRUE;
  }
  priv->transferring = TRUE;
  hip_mutex_unlock (&priv->lock);

  queued = queue_upload (priv, stream, &event, error);
  if (queued)
    hip_memory_note_access (priv, event, GST_MAP_WRITE);

  hip_mutex_lock (&priv->lock);
  if (queued) {
    clear_mark (root, NEED_UPLOAD);
    old = priv->staging_reader;
    priv->staging_reader = event;
  }
  priv->transferring = FALSE;
  hip_cond_broadcast (&priv->cond);
  hip_mutex_unlock (&priv->lock);
  gst_clear_hip_event (&old);
  return queued;
}

static gboolean
needs_download (GstHipMemory * root)
{
  return !has_mark (root, NEED_UPLOAD)
      && (has_mark (root, NEED_DOWNLOAD) || !root->priv->staging_valid);
}

/* Blocking */
static gboolean
run_download (GstHipMemoryPrivate * priv, GError ** error)
{
  g_autoptr (GstHipStream) stream = hip_memory_ref_stream (priv, error);
  g_autoptr (GstHipEvent) event = NULL;

  if (!stream || !hip_memory_order (priv, stream, GST_MAP_READ, error))
    return FALSE;
  if (!hip_memory_queue_planes (priv, stream, HIP_SPACE_PINNED, priv->staging,
          priv->space, priv->device_address, error))
    return FALSE;
  event = gst_hip_stream_record (stream, FALSE, error);
  if (!event)
    return FALSE;
  hip_memory_note_access (priv, event, GST_MAP_READ);
  return gst_hip_event_wait (event, error);
}

/* Blocking */
static gboolean
download (GstHipMemory * root, GError ** error)
{
  GstHipMemoryPrivate *priv = root->priv;
  gboolean done;

  hip_mutex_lock (&priv->lock);
  wait_for_transfer (priv);
  if (!needs_download (root)) {
    hip_mutex_unlock (&priv->lock);
    return TRUE;
  }
  priv->transferring = TRUE;
  hip_mutex_unlock (&priv->lock);

  done = run_download (priv, error);

  hip_mutex_lock (&priv->lock);
  if (done) {
    clear_mark (root, NEED_DOWNLOAD);
    priv->staging_valid = TRUE;
  }
  priv->transferring = FALSE;
  hip_cond_broadcast (&priv->cond);
  hip_mutex_unlock (&priv->lock);
  return done;
}

static gboolean
ensure_staging (GstHipMemoryPrivate * priv, GError ** error)
{
  HipContext *context = priv->context;
  guintptr address = 0;
  GError *failure = NULL;
  gboolean there;

  hip_mutex_lock (&priv->lock);
  wait_for_transfer (priv);
  there = priv->staging != 0;
  priv->transferring = !there;
  hip_mutex_unlock (&priv->lock);
  if (there)
    return TRUE;

  if (hip_context_enter (context, &failure)) {
    if (!context->backend->memory_alloc (context->native, HIP_SPACE_PINNED,
            priv->size, &address, &failure))
      address = 0;
    hip_context_leave (context);
  }
  /* What is between rows never travels, and is not to show other data. */
  if (address)
    memset ((gpointer) address, 0, priv->size);

  hip_mutex_lock (&priv->lock);
  priv->staging = address;
  priv->transferring = FALSE;
  hip_cond_broadcast (&priv->cond);
  hip_mutex_unlock (&priv->lock);
  return address || hip_context_failed_with (context, error, failure);
}

/* Blocking: an upload may still read what the CPU is going to overwrite. */
static gboolean
wait_for_staging_reader (GstHipMemoryPrivate * priv, GError ** error)
{
  HipEventSet set = { 0 };
  gboolean done;

  hip_mutex_lock (&priv->lock);
  if (priv->staging_reader)
    hip_event_set_add (&set, priv->staging_reader);
  hip_mutex_unlock (&priv->lock);
  done = hip_event_set_wait (&set, error);
  hip_event_set_clear (&set);
  return done;
}

/* --- maps --- */

static gpointer
map_staged (GstHipMemory * root, GstMapFlags flags, GError ** error)
{
  GstHipMemoryPrivate *priv = root->priv;

  if (!ensure_staging (priv, error)
      || ((flags & GST_MAP_READ) && !download (root, error))
      || ((flags & GST_MAP_WRITE) && !wait_for_staging_reader (priv, error)))
    return NULL;
  return (gpointer) priv->staging;
}

static gpointer
map_in_place (GstHipMemoryPrivate * priv, GstMapFlags flags, GError ** error)
{
  HipEventSet set = { 0 };
  gboolean done;

  hip_memory_get_pending (priv, NULL, flags, &set);
  done = hip_event_set_wait (&set, error);
  hip_event_set_clear (&set);
  return done ? (gpointer) priv->address : NULL;
}

/* Programs written for GstHip 1.28 use the memory on its own stream between map
 * and unmap and say nothing else, so that stream comes after everything. */
static gpointer
map_device (GstHipMemory * root, GstMapInfo * info, GError ** error)
{
  GstHipMemoryPrivate *priv = root->priv;
  GstHipStream *stream = hip_memory_ref_stream (priv, error);

  if (!stream)
    return NULL;
  if (!hip_memory_upload (root, stream, error)
      || !hip_memory_order (priv, stream, GST_MAP_READWRITE, error)) {
    gst_hip_stream_unref (stream);
    return NULL;
  }
  info->user_data[0] = stream;
  return (gpointer) priv->device_address;
}

static void
unmap_device (GstHipMemory * root, GstMapInfo * info)
{
  GstHipStream *stream = g_steal_pointer (&info->user_data[0]);
  GstMapFlags flags = info->flags & GST_MAP_READWRITE;
  g_autoptr (GError) error = NULL;

  /* The event of this write is to stand for all that came before it: for what
   * others noted since the map, too */
  if (((flags & GST_MAP_WRITE)
          && !hip_memory_order (root->priv, stream, GST_MAP_READWRITE, &error))
      || !gst_hip_memory_end_access (root, stream, flags ? flags : GST_MAP_READ,
          &error))
    GST_WARNING ("unmapping %p: %s", root, error->message);
  gst_hip_stream_unref (stream);
}

gpointer
hip_memory_map_full (GstMemory * memory, GstMapInfo * info, gsize maxsize)
{
  GstHipMemory *root = hip_memory_get_root (GST_HIP_MEMORY_CAST (memory));
  g_autoptr (GError) error = NULL;
  gpointer data;

  info->user_data[0] = NULL;
  if (info->flags & GST_MAP_HIP)
    data = map_device (root, info, &error);
  else if (root->priv->is_staged)
    data = map_staged (root, info->flags, &error);
  else
    data = map_in_place (root->priv, info->flags, &error);
  if (!data) {
    GST_ERROR ("mapping %p: %s", memory, error->message);
    hip_error_keep (error);
  }
  return data;
}

void
hip_memory_unmap_full (GstMemory * memory, GstMapInfo * info)
{
  GstHipMemory *root = hip_memory_get_root (GST_HIP_MEMORY_CAST (memory));

  if (info->flags & GST_MAP_HIP)
    unmap_device (root, info);
  else if (root->priv->is_staged && (info->flags & GST_MAP_WRITE))
    cpu_wrote (root);
}
