/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which DMA-BUF is behind a descriptor, and was it imported before?
 *
 * Importing one for each frame costs more than the frame, and the same buffers
 * come again and again, mostly under the same descriptors. Imports are kept by
 * what a descriptor is of, device and inode: numbers of descriptors are used
 * again for something else. An import has a duplicate of the descriptor, so the
 * inode stays the DMA-BUF's as long as it is kept. Foreign descriptors are
 * never closed.
 *
 * The cache is bounded, and who knows that a DMA-BUF is gone tells it: kept
 * imports would keep its memory. Must not know frames. Keeps: what was imported
 * is released on a worker, once nobody uses it; nothing is left of an import
 * that failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "gsthiperror.h"
#include "hip-dmabuf.h"
#include "hip-worker.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

/* Of Linux before 5.3, where all DMA-BUFs shared one inode */
#define ANONYMOUS_INODES 0x09041934

struct _HipDmabufCache
{
  HipMutex lock;
  GQueue entries;               /* of HipDmabuf, references; used last comes first */
};
typedef struct _HipDmabufCache Cache;

static gint n_live;

guint
hip_dmabuf_live_count (void)
{
  return g_atomic_int_get (&n_live);
}

/* --- what a descriptor is of --- */

static gboolean
get_status (gint fd, struct stat *status, GError ** error)
{
  if (fd >= 0 && fstat (fd, status) == 0)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
      "file descriptor %d is not open (%s): it has to stay so as long as its "
      "memory lives", fd, g_strerror (fd >= 0 ? errno : EBADF));
  return FALSE;
}

gboolean
hip_dmabuf_identify (gint fd, HipDmabufIdentity * identity, GError ** error)
{
  struct stat status;

  if (!get_status (fd, &status, error))
    return FALSE;
  identity->device = status.st_dev;
  identity->inode = status.st_ino;
  return TRUE;
}

static gboolean
is_same (const HipDmabufIdentity * a, const HipDmabufIdentity * b)
{
  return a->device == b->device && a->inode == b->inode;
}

static gboolean
tells_files_apart (gint fd)
{
  struct statfs status;

  return fstatfs (fd, &status) == 0 && status.f_type != ANONYMOUS_INODES;
}

/* By seeking, if it must be, as the kernel documents it for DMA-BUFs */
static gsize
get_size (gint fd, const struct stat *status)
{
  off_t size = status->st_size;

  if (size <= 0) {
    size = lseek (fd, 0, SEEK_END);
    lseek (fd, 0, SEEK_SET);
  }
  return size > 0 ? (gsize) size : 0;
}

static gboolean
check_size (gint fd, gsize size, gsize end, GError ** error)
{
  if (size == 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "file descriptor %d is of something that has no size: no DMA-BUF", fd);
    return FALSE;
  }
  if (end > size) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "%" G_GSIZE_FORMAT " bytes are said to be in a DMA-BUF of %"
        G_GSIZE_FORMAT, end, size);
    return FALSE;
  }
  return TRUE;
}

/* --- one import --- */

/* With the context entered, or not at all where that fails */
static void
release_entered (HipDmabuf * dmabuf)
{
  dmabuf->context->backend->dmabuf_release (dmabuf->context->native,
      dmabuf->native);
  close (dmabuf->fd);
  g_free (dmabuf);
  g_atomic_int_add (&n_live, -1);
}

/* On a worker */
static void
release (gpointer data)
{
  HipDmabuf *dmabuf = data;
  HipContext *context = dmabuf->context;

  if (hip_context_enter_for_free (context)) {
    release_entered (dmabuf);
    hip_context_leave (context);
  }
  hip_context_unref (context);
}

HipDmabuf *
hip_dmabuf_ref (HipDmabuf * dmabuf)
{
  g_atomic_int_inc (&dmabuf->refs);
  return dmabuf;
}

void
hip_dmabuf_unref (HipDmabuf * dmabuf)
{
  if (!g_atomic_int_dec_and_test (&dmabuf->refs))
    return;
  hip_context_ref (dmabuf->context);
  hip_worker_run (release, dmabuf);
}

static HipDmabuf *
import (HipContext * context, gint fd, gsize size, GError ** error)
{
  const HipBackend *backend = context->backend;
  GError *failure = NULL;
  HipDmabuf *dmabuf = g_new0 (HipDmabuf, 1);

  dmabuf->refs = 1;
  dmabuf->context = context;
  dmabuf->size = size;
  dmabuf->fd = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (dmabuf->fd < 0) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "duplicating file descriptor %d: %s", fd, g_strerror (errno));
    g_free (dmabuf);
    return NULL;
  }
  if (hip_context_enter (context, &failure)) {
    dmabuf->native = backend->dmabuf_import (context->native, dmabuf->fd, size,
        &dmabuf->address, &failure);
    hip_context_leave (context);
  }
  if (!dmabuf->native) {
    hip_context_failed_with (context, error, failure);
    close (dmabuf->fd);
    g_free (dmabuf);
    return NULL;
  }
  g_atomic_int_inc (&n_live);
  GST_DEBUG ("imported %" G_GSIZE_FORMAT " bytes of file descriptor %d", size,
      fd);
  return dmabuf;
}

/* --- the cache --- */

static Cache *
get_cache (HipContext * context)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&context->lock);

  if (!context->dmabuf_cache) {
    context->dmabuf_cache = g_new0 (Cache, 1);
    hip_mutex_init (&context->dmabuf_cache->lock);
    g_queue_init (&context->dmabuf_cache->entries);
  }
  return context->dmabuf_cache;
}

void
hip_dmabuf_cache_free (HipContext * context)
{
  Cache *cache = g_steal_pointer (&context->dmabuf_cache);
  HipDmabuf *dmabuf;

  if (!cache)
    return;
  while ((dmabuf = g_queue_pop_head (&cache->entries))) {
    g_assert (dmabuf->refs == 1);
    release_entered (dmabuf);
  }
  hip_mutex_clear (&cache->lock);
  g_free (cache);
}

/* With the lock */
static GList *
find (Cache * cache, const HipDmabufIdentity * identity)
{
  for (GList * l = cache->entries.head; l; l = l->next) {
    if (is_same (&((HipDmabuf *) l->data)->identity, identity))
      return l;
  }
  return NULL;
}

/* NULL: not there, or of another size than it has now; drop is the caller's then. */
static HipDmabuf *
look_up (Cache * cache, const HipDmabufIdentity * identity, gsize size,
    HipDmabuf ** drop)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&cache->lock);
  GList *link = find (cache, identity);

  if (!link)
    return NULL;
  if (((HipDmabuf *) link->data)->size != size) {
    *drop = link->data;
    g_queue_delete_link (&cache->entries, link);
    return NULL;
  }
  g_queue_unlink (&cache->entries, link);
  g_queue_push_head_link (&cache->entries, link);
  return hip_dmabuf_ref (link->data);
}

/* Another thread may have been as fast: then both are good. */
static HipDmabuf *
insert (Cache * cache, HipDmabuf * dmabuf)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&cache->lock);

  if (find (cache, &dmabuf->identity))
    return NULL;
  g_queue_push_head (&cache->entries, hip_dmabuf_ref (dmabuf));
  return cache->entries.length > HIP_DMABUF_MOST_CACHED ?
      g_queue_pop_tail (&cache->entries) : NULL;
}

HipDmabuf *
hip_dmabuf_acquire (HipContext * context, gint fd, gsize end, GError ** error)
{
  Cache *cache = get_cache (context);
  HipDmabuf *dmabuf, *drop = NULL;
  HipDmabufIdentity identity;
  struct stat status;
  gsize size;

  if (!get_status (fd, &status, error))
    return NULL;
  size = get_size (fd, &status);
  if (!check_size (fd, size, end, error))
    return NULL;
  if (!(context->info.caps & GST_HIP_DEVICE_CAP_DMABUF_IMPORT)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "%s device %u imports no DMA-BUFs: %s", context->backend->name,
        context->info.device_id, context->backend->no_dmabuf);
    return NULL;
  }

  identity.device = status.st_dev;
  identity.inode = status.st_ino;
  dmabuf = look_up (cache, &identity, size, &drop);
  g_clear_pointer (&drop, hip_dmabuf_unref);
  if (dmabuf)
    return dmabuf;

  dmabuf = import (context, fd, size, error);
  if (!dmabuf)
    return NULL;
  dmabuf->identity = identity;
  if (tells_files_apart (dmabuf->fd))
    drop = insert (cache, dmabuf);
  g_clear_pointer (&drop, hip_dmabuf_unref);
  return dmabuf;
}

static void
forget_in (HipContext * context, gpointer data)
{
  Cache *cache = get_cache (context);
  HipDmabuf *dmabuf = NULL;
  GList *link;

  hip_mutex_lock (&cache->lock);
  link = find (cache, data);
  if (link) {
    dmabuf = link->data;
    g_queue_delete_link (&cache->entries, link);
  }
  hip_mutex_unlock (&cache->lock);
  g_clear_pointer (&dmabuf, hip_dmabuf_unref);
}

void
hip_dmabuf_forget (const HipDmabufIdentity * identity)
{
  hip_context_foreach (forget_in, (gpointer) identity);
}
