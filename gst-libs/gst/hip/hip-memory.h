/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Private face of memory. Who may include this: the library's own .c files and
 * tests linked statically.
 *
 * The first part is for everybody. The second is what the files of memory
 * share: gsthipmemory.c (what it is), hip-memory-access.c (pending work),
 * hip-memory-map.c (addresses and transfers), hip-memory-copy.c (copies and
 * parts), hip-memory-life.c (birth and death).
 */
#pragma once

#include <gst/hip/gsthipmemory.h>
#include <gst/hip/gsthipallocator.h>
#include "hip-context.h"
#include "hip-dmabuf.h"
#include "hip-native.h"
#include "hip-lock.h"

G_BEGIN_DECLS

/* --- for everybody --- */

/* What a kernel or a copy uses: start of the allocation plus the memory's offset. Does no ordering and no transfer:
 * gst_hip_memory_begin_access () does both. */
guintptr hip_memory_get_device_address (GstHipMemory * mem);
/* Which space that address lies in for copies */
HipSpace hip_memory_get_space (GstHipMemory * mem);
HipContext *hip_memory_get_context (GstHipMemory * mem);

/* The one that NULL stands for; registered with GStreamer on first use; new reference. */
GstHipAllocator *hip_allocator_get_default (void);
/* gst_hip_memory_get_video_info () without a copy; NULL for linear. Borrowed. */
const GstVideoInfo *hip_memory_peek_video_info (GstHipMemory * mem);
/* Its bytes do not matter any more (a pool's memory between two users): pending transfers are forgotten. */
void hip_memory_discard (GstHipMemory * mem);

/* Tests: memories whose allocation was not given back yet */
guint hip_memory_live_count (void);
/* Tests: handed out and not come back; the maximum that waits is counted with these and the idle ones. */
guint hip_pool_allocator_outstanding (GstHipPoolAllocator * allocator);

/* --- between the files of memory --- */

/* As many streams may read at once without a heap allocation. */
#define HIP_PENDING_READERS 4

typedef struct
{
  GstHipEvent *event;
  guint64 serial;               /* of the stream that the access was on */
} HipAccess;

/* A set of references on events, taken with the lock held and used without. */
typedef struct
{
  GstHipEvent *events[HIP_PENDING_READERS + 4];
  guint n_events;
  GPtrArray *more;              /* NULL while they fit */
} HipEventSet;

struct _GstHipMemoryPrivate
{
  /* fixed at birth */
  GstHipMemoryKind kind;
  GstHipDevice *device;
  HipContext *context;          /* the device's */
  HipSpace space;
  guintptr address;             /* host kinds: the CPU's, else the device's */
  guintptr device_address;      /* what kernels and copies use */
  gsize size;
  gboolean is_video;
  GstVideoInfo info;
  gboolean is_staged;           /* the CPU cannot touch address itself */
  gpointer user_data;           /* wrapped, imported */
  GDestroyNotify destroy;
  HipDmabuf *dmabuf;            /* imported; a reference */
  gint exported_fd;             /* exported: its DMA-BUF, else -1 */
  GstMemory *source;            /* what it was imported from, where that is known; a reference */
  struct _HipGate *gate;        /* where readers wait for its producer; a reference, or NULL */

  /* death: events that are still to end */
  gint n_unfinished;            /* atomic */
  gint use_unknown;             /* atomic; the device failed before pending work was known to end */

  HipMutex lock;                /* guards what follows and the transfer marks; held for no driver call */
  HipCond cond;
  GstHipStream *stream;         /* NULL until asked for */
  HipAccess writer;
  HipAccess readers[HIP_PENDING_READERS];
  guint n_readers;
  GArray *more_readers;         /* of HipAccess; NULL until needed */

  gboolean transferring;        /* a thread has taken on a transfer; cond */
  guintptr staging;             /* 0 until needed; of the same layout */
  gboolean staging_valid;       /* it has the memory's bytes */
  GstHipEvent *staging_reader;  /* the last upload from it */

  GArray *textures;             /* of HipMemoryTexture; NULL until needed */
};

/* The memory that has the marks: itself, or what it is a part of */
static inline GstHipMemory *
hip_memory_get_root (GstHipMemory * mem)
{
  return mem->mem.parent ? GST_HIP_MEMORY_CAST (mem->mem.parent) : mem;
}

static inline gboolean
hip_memory_kind_is_host (GstHipMemoryKind kind)
{
  return kind == GST_HIP_MEMORY_KIND_PINNED || kind == GST_HIP_MEMORY_KIND_WRAPPED_HOST;
}

/* --- hip-memory-life.c --- */
/* Of size bytes; info: their layout, or NULL; data: what is wrapped. Takes nothing over from the caller where it
 * fails. */
GstMemory *hip_memory_make (GstHipAllocator * allocator, GstHipDevice * device, GstHipMemoryKind kind,
    const GstVideoInfo * info, gsize size, gpointer data, GError ** error);
/* The last of what GStreamer saw of a memory */
void hip_memory_free (GstHipMemory * mem);
/* What GStreamer sees of priv: all of it, or a part with its parent */
GstMemory *hip_memory_new (GstAllocator * allocator, GstHipMemoryPrivate * priv, GstMemory * parent, gsize maxsize,
    gsize offset, gsize size);
/* Gives priv back to the device and frees it when nothing is pending on it; never waits. */
void hip_memory_finish_when_idle (GstHipMemoryPrivate * priv);
/* size bytes of dmabuf, which it takes over where it does not fail */
GstMemory *hip_allocator_wrap_dmabuf (GstHipAllocator * allocator, GstHipDevice * device, HipDmabuf * dmabuf,
    gsize offset, gsize size, GError ** error);

/* --- gsthipdmabuf.c --- */
void hip_gate_unref (struct _HipGate * gate);

/* --- hip-memory-access.c --- */
void hip_event_set_clear (HipEventSet * set);
void hip_event_set_add (HipEventSet * set, GstHipEvent * event);
guint hip_event_set_length (const HipEventSet * set);
/* Borrowed */
GstHipEvent *hip_event_set_get (const HipEventSet * set, guint i);
/* Sleeps until all have ended. */
gboolean hip_event_set_wait (HipEventSet * set, GError ** error);
/* What an access with flags has to come after; READ: writers, WRITE: readers too. Accesses on stream itself are left
 * out where stream is not NULL. Call with set zeroed. */
void hip_memory_get_pending (GstHipMemoryPrivate * priv, GstHipStream * stream, GstMapFlags flags, HipEventSet * set);
/* Makes stream wait on the device for those. */
gboolean hip_memory_order (GstHipMemoryPrivate * priv, GstHipStream * stream, GstMapFlags flags, GError ** error);
/* Device memory of another context than this, from which the driver copies there? */
gboolean hip_memory_is_peer (GstHipMemory * mem, HipContext * context);
/* Where the CPU's bytes are newer */
gboolean hip_memory_upload_on_own_stream (GstHipMemory * mem, GError ** error);
/* event stands for an access that was made in order. */
void hip_memory_note_access (GstHipMemoryPrivate * priv, GstHipEvent * event, GstMapFlags flags);
/* New reference */
GstHipStream *hip_memory_ref_stream (GstHipMemoryPrivate * priv, GError ** error);

/* --- gsthiptexture.c --- */
typedef struct
{
  guint plane;
  GstHipTextureFilter filter;
  GstHipTextureAddress address;
  HipTextureHandle handle;
} HipMemoryTexture;

/* With the context entered and nothing pending */
void hip_memory_free_textures (GstHipMemoryPrivate * priv);

/* --- hip-memory-copy.c --- */
GstMemory *hip_memory_copy (GstMemory * memory, gssize offset, gssize size);
GstMemory *hip_memory_share (GstMemory * memory, gssize offset, gssize size);
gboolean hip_memory_is_span (GstMemory * first, GstMemory * second, gsize * offset);

/* --- hip-memory-map.c --- */
gpointer hip_memory_map_full (GstMemory * memory, GstMapInfo * info, gsize maxsize);
void hip_memory_unmap_full (GstMemory * memory, GstMapInfo * info);
/* If the CPU's bytes are newer, queues their transfer on stream, in order. */
gboolean hip_memory_upload (GstHipMemory * root, GstHipStream * stream, GError ** error);
/* The device's bytes became newer (lock not held). */
void hip_memory_device_wrote (GstHipMemory * root);
/* Queues the visible bytes of a whole memory on stream; both addresses in the layout of priv. */
gboolean hip_memory_queue_planes (GstHipMemoryPrivate * priv, GstHipStream * stream, HipSpace dst_space, guintptr dst,
    HipSpace src_space, guintptr src, GError ** error);

G_END_DECLS
