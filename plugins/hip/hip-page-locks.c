/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which system memory of others is page-locked, when, and until when?
 *
 * A pool's memories come again and again. From the third time on a GPU reads
 * such a memory by itself, and no CPU copies it to a pinned one. What is known of
 * a memory hangs at it as its qdata, never at its address alone: an address is
 * another memory's soon. Drivers take their time to lock pages and wait for
 * kernels to unlock them, so both happen on threads that nobody waits for: the
 * last reference of a locked memory is taken over from whoever drops it, and
 * dropped by a worker when the pages are unlocked.
 *
 * System memory only: that of other allocators may have another address each
 * time it is mapped. Must not know caps. Keeps: a memory is freed when its
 * pages are unlocked, not before; no driver call and no last reference under
 * the lock.
 */
#include "config.h"

#include "hip-page-locks.h"

GST_DEBUG_CATEGORY_STATIC (hip_page_locks_debug);
#define GST_CAT_DEFAULT hip_page_locks_debug

typedef enum
{
  STATE_SEEN,                   /* or unlocked again */
  STATE_LOCKING,                /* a thread is at it */
  STATE_LOCKED,
  STATE_UNLOCKING,              /* a worker is, or is going to be, at it */
  STATE_REFUSED,                /* by the driver */
} State;

/* What is known of a memory: its qdata */
typedef struct
{
  gint refs;                    /* atomic */
  HipPageLocks *owner;          /* a reference */
  State state;
  guint sightings;
  gsize size;
  GstMemory *wrapped;           /* locked: its bytes, as HIP memory */
  GstMemory *last;              /* the memory, which nobody else has any more */
} Seen;

struct _HipPageLocks
{
  gint refs;                    /* atomic */
  GstHipDevice *device;         /* NULL once closed: memories that live on keep no device open */
  GPtrArray *locked;            /* of Seen, borrowed: those with a wrapped */
  guint n_busy;                 /* that are not only seen */
  gsize bytes;                  /* of those */
  HipInFlight *statistics;      /* a reference */
};

/* Guards all of the above, of all elements: held for a few lines each. */
static GMutex lock;
static GCond released_cond;

static GQuark
seen_quark (void)
{
  static GQuark quark;

  if (!quark)
    quark = g_quark_from_static_string ("GstHipPageLock");
  return quark;
}

HipPageLocks *
hip_page_locks_new (GstHipDevice * device, HipInFlight * statistics)
{
  static gsize once;
  HipPageLocks *self = g_new0 (HipPageLocks, 1);

  if (g_once_init_enter (&once)) {
    GST_DEBUG_CATEGORY_INIT (hip_page_locks_debug, "hippagelocks", 0,
        "System memory that hipupload page-locks");
    g_once_init_leave (&once, 1);
  }
  self->refs = 1;
  self->device = gst_object_ref (device);
  self->locked = g_ptr_array_new ();
  self->statistics = hip_in_flight_ref (statistics);
  return self;
}

static HipPageLocks *
ref (HipPageLocks * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
hip_page_locks_unref (HipPageLocks * self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  gst_clear_object (&self->device);
  g_ptr_array_unref (self->locked);
  hip_in_flight_unref (self->statistics);
  g_free (self);
}

static void
seen_unref (gpointer data)
{
  Seen *seen = data;

  if (!g_atomic_int_dec_and_test (&seen->refs))
    return;
  hip_page_locks_unref (seen->owner);
  g_free (seen);
}

/* --- unlocking --- */

/* With the lock: it is locked no more, as far as its owner counts. */
static void
settle (Seen * seen, State state)
{
  seen->state = state;
  seen->owner->n_busy--;
  seen->owner->bytes -= seen->size;
  g_cond_broadcast (&released_cond);
}

/* On a worker: the pages are unlocked. */
static void
unlocked (gpointer data)
{
  Seen *seen = data;
  GstMemory *last;

  g_mutex_lock (&lock);
  settle (seen, STATE_SEEN);
  seen->sightings = 0;
  last = g_steal_pointer (&seen->last);
  g_mutex_unlock (&lock);
  if (last)
    gst_memory_unref (last);
  seen_unref (seen);
}

/* With the lock: what the caller is to drop without it, or NULL */
static GstMemory *
begin_unlocking (Seen * seen)
{
  if (seen->state != STATE_LOCKED)
    return NULL;
  seen->state = STATE_UNLOCKING;
  g_ptr_array_remove_fast (seen->owner->locked, seen);
  return g_steal_pointer (&seen->wrapped);
}

/* The memory's last reference is dropped, on any thread. FALSE: it lives on. */
static gboolean
take_over_last (GstMiniObject * memory)
{
  Seen *seen = gst_mini_object_get_qdata (memory, seen_quark ());
  GstMemory *wrapped;

  g_mutex_lock (&lock);
  wrapped = begin_unlocking (seen);
  if (seen->state != STATE_UNLOCKING) {
    g_mutex_unlock (&lock);
    return TRUE;
  }
  seen->last = gst_memory_ref (GST_MEMORY_CAST (memory));
  g_mutex_unlock (&lock);
  if (wrapped)
    gst_memory_unref (wrapped);
  return FALSE;
}

void
hip_page_locks_close (HipPageLocks * self)
{
  g_autoptr (GPtrArray) wrapped =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_memory_unref);
  g_autoptr (GstHipDevice) device = NULL;

  g_mutex_lock (&lock);
  device = g_steal_pointer (&self->device);
  while (self->locked->len > 0)
    g_ptr_array_add (wrapped, begin_unlocking (g_ptr_array_index (self->locked,
                0)));
  g_mutex_unlock (&lock);
}

gboolean
hip_page_locks_wait (HipPageLocks * self, gint64 most_us)
{
  gint64 end = g_get_monotonic_time () + most_us;
  gboolean done;

  g_mutex_lock (&lock);
  while (self->n_busy > 0 && g_cond_wait_until (&released_cond, &lock, end));
  done = self->n_busy == 0;
  g_mutex_unlock (&lock);
  return done;
}

/* --- locking --- */

typedef struct
{
  Seen *seen;
  GstMemory *memory;            /* buffer's */
  GstBuffer *buffer;            /* a memory that others have is taken back by no pool */
} Job;

static void
job_free (Job * job)
{
  gst_buffer_unref (job->buffer);
  seen_unref (job->seen);
  g_free (job);
}

/* All of its allocation, whatever is in view now */
static GstMemory *
wrap (GstHipDevice * device, GstMemory * memory, Seen * seen, GError ** error)
{
  GstMemory *wrapped;
  GstMapInfo map;

  if (!gst_memory_map (memory, &map, GST_MAP_READ)) {
    g_set_error_literal (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "the CPU cannot map it");
    return NULL;
  }
  wrapped = gst_hip_allocator_alloc_wrapped (NULL, device,
      GST_HIP_MEMORY_KIND_WRAPPED_HOST, map.data - memory->offset,
      memory->maxsize, seen, unlocked, error);
  gst_memory_unmap (memory, &map);
  return wrapped;
}

/* It is locked as wrapped. */
static void
note_locked (Seen * seen, GstMemory * memory, GstMemory * wrapped)
{
  GstMemory *drop = NULL;

  GST_INFO ("page-locked a memory of %" G_GSIZE_FORMAT
      " bytes that comes again " "and again", seen->size);
  g_mutex_lock (&lock);
  seen->state = STATE_LOCKED;
  seen->wrapped = wrapped;
  g_ptr_array_add (seen->owner->locked, seen);
  memory->mini_object.dispose = take_over_last;
  if (!seen->owner->device)
    drop = begin_unlocking (seen);
  g_mutex_unlock (&lock);
  if (drop)
    gst_memory_unref (drop);
  hip_in_flight_count_page_lock (seen->owner->statistics);
}

/* On a thread of its own */
static gpointer
run (gpointer data)
{
  Job *job = data;
  Seen *seen = job->seen;
  g_autoptr (GstHipDevice) device = NULL;
  g_autoptr (GError) error = NULL;
  GstMemory *wrapped = NULL;

  g_mutex_lock (&lock);
  if (seen->owner->device)
    device = gst_object_ref (seen->owner->device);
  g_mutex_unlock (&lock);
  g_atomic_int_inc (&seen->refs);       /* for unlocked () */
  if (device)
    wrapped = wrap (device, job->memory, seen, &error);
  if (wrapped) {
    note_locked (seen, job->memory, wrapped);
  } else {
    if (error)
      GST_INFO ("a memory of %" G_GSIZE_FORMAT " bytes is copied each time: %s",
          seen->size, error->message);
    g_mutex_lock (&lock);
    settle (seen, error ? STATE_REFUSED : STATE_SEEN);
    g_mutex_unlock (&lock);
    seen_unref (seen);
  }
  job_free (job);
  return NULL;
}

/* With the lock */
static gboolean
is_time_to_lock (Seen * seen)
{
  HipPageLocks *owner = seen->owner;

  return seen->state == STATE_SEEN && owner->device
      && ++seen->sightings >= HIP_PAGE_LOCK_SIGHTINGS
      && owner->n_busy < HIP_PAGE_LOCK_MOST
      && owner->bytes + seen->size <= HIP_PAGE_LOCK_MOST_BYTES;
}

static void
start_locking (Seen * seen, GstBuffer * buffer, GstMemory * memory)
{
  Job *job = g_new (Job, 1);
  GThread *thread;

  g_atomic_int_inc (&seen->refs);
  job->seen = seen;
  job->buffer = gst_buffer_ref (buffer);
  job->memory = memory;
  thread = g_thread_try_new ("hippagelock", run, job, NULL);
  if (thread) {
    g_thread_unref (thread);
    return;
  }
  g_mutex_lock (&lock);
  settle (seen, STATE_REFUSED);
  g_mutex_unlock (&lock);
  job_free (job);
}

/* --- frames --- */

static GstMemory *
get_root (GstMemory * memory)
{
  return memory->parent ? memory->parent : memory;
}

/* With the lock: borrowed, or NULL where it is never locked */
static Seen *
look_at (HipPageLocks * self, GstMemory * memory)
{
  GstMiniObject *object = GST_MINI_OBJECT_CAST (memory);
  Seen *seen;

  if (memory->maxsize < HIP_PAGE_LOCK_LEAST_BYTES
      || !gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM))
    return NULL;
  seen = gst_mini_object_get_qdata (object, seen_quark ());
  if (!seen && !object->dispose) {
    seen = g_new0 (Seen, 1);
    seen->refs = 1;
    seen->owner = ref (self);
    seen->size = memory->maxsize;
    gst_mini_object_set_qdata (object, seen_quark (), seen, seen_unref);
  }
  return seen;
}

/* With the lock: a memory that another element had may be this one's now. */
static gboolean
is_ours (HipPageLocks * self, Seen * seen, HipPageLocks ** drop)
{
  if (seen->owner == self)
    return TRUE;
  if (seen->owner->device || (seen->state != STATE_SEEN
          && seen->state != STATE_REFUSED))
    return FALSE;
  *drop = seen->owner;
  seen->owner = ref (self);
  seen->state = STATE_SEEN;
  seen->sightings = 0;
  return TRUE;
}

/* The HIP memory that the device reads in memory's place, borrowed, or NULL */
static GstMemory *
find_locked (HipPageLocks * self, GstBuffer * buffer, GstMemory * memory)
{
  HipPageLocks *drop = NULL;
  GstMemory *locked = NULL;
  gboolean start = FALSE;
  Seen *seen;

  g_mutex_lock (&lock);
  seen = look_at (self, memory);
  if (seen && is_ours (self, seen, &drop)) {
    if (seen->state == STATE_LOCKED)
      locked = seen->wrapped;
    start = is_time_to_lock (seen);
    if (start) {
      seen->state = STATE_LOCKING;
      self->n_busy++;
      self->bytes += seen->size;
    }
  }
  g_mutex_unlock (&lock);
  g_clear_pointer (&drop, hip_page_locks_unref);
  if (start)
    start_locking (seen, buffer, memory);
  return locked;
}

gboolean
hip_page_locks_use (HipPageLocks * self, GstBuffer * buffer, HipFrame * frame)
{
  GstMemory *locked[GST_VIDEO_MAX_PLANES];
  gboolean all = TRUE;

  if (frame->spans || frame->bottom_up)
    return FALSE;
  for (guint i = 0; i < frame->n_memories; i++) {
    locked[i] = find_locked (self, buffer, get_root (frame->memories[i]));
    all &= locked[i] != NULL;
  }
  if (!all)
    return FALSE;
  for (guint i = 0; i < frame->n_planes; i++) {
    HipPlane *plane = &frame->planes[i];
    guint index = 0;

    while (frame->memories[index] != plane->memory)
      index++;
    plane->offset += plane->memory->offset;
    plane->memory = locked[index];
  }
  for (guint i = 0; i < frame->n_memories; i++)
    frame->memories[i] = locked[i];
  return TRUE;
}
