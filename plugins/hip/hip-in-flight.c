/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How many frames are with the device, and what they keep.
 *
 * A frame that keeps nothing costs no worker: whoever has to know looks at its
 * event, oldest first, and only who has to wait asks a worker to tell. A frame
 * with fence data is finished when a worker has released that.
 *
 * Must not know elements or caps. Invariant: every submitted frame is counted
 * as finished exactly once, also when the device failed, so that waits always
 * end. No driver call and no last reference under the lock.
 */
#include "config.h"

#include <gst/base/gstqueuearray.h>

#include "hip-in-flight.h"

/* Room for so many frames is there from the start */
#define N_FRAMES 16

typedef struct
{
  GstHipEvent *event;           /* NULL: a worker tells */
  gboolean awaited;             /* a worker wakes who waits, too */
} Frame;

struct _HipFrameHold
{
  HipInFlight *owner;
  HipFrameHold *next;           /* in the list of idle ones */

  GstBuffer *buffer;
  gboolean lent;
  GstMapInfo whole;
  gboolean whole_mapped;
  GstMapInfo maps[GST_VIDEO_MAX_PLANES];
  guint n_maps;
};

struct _HipInFlight
{
  gatomicrefcount ref_count;

  GMutex lock;
  GCond finished_cond;
  gboolean flushing;
  guint n_waiting;
  guint64 submitted;
  guint64 finished;             /* as far as was looked */
  GstQueueArray *frames;        /* of Frame, those in between */
  guint n_told;                 /* frames without event that have finished, of those */
  guint news;                   /* how often a worker told: looking gives up the lock */
  gboolean ahead;               /* the device was far when last looked */
  guint peak;
  gint n_lent;                  /* atomic */
  HipPath path;
  guint64 paths[HIP_N_PATHS];
  guint64 page_locks;
  HipFrameHold *idle_holds;
};

static const gchar *const path_names[HIP_N_PATHS] = {
  "none", "zero-copy", "device-copy", "pinned-transfer", "cpu-copy"
};

HipInFlight *
hip_in_flight_new (void)
{
  HipInFlight *self = g_new0 (HipInFlight, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  g_cond_init (&self->finished_cond);
  self->frames = gst_queue_array_new_for_struct (sizeof (Frame), N_FRAMES);
  return self;
}

HipInFlight *
hip_in_flight_ref (HipInFlight * self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
hip_in_flight_unref (HipInFlight * self)
{
  HipFrameHold *hold;
  Frame *frame;

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  while ((frame = gst_queue_array_pop_head_struct (self->frames)))
    gst_clear_hip_event (&frame->event);
  gst_queue_array_free (self->frames);

  while ((hold = self->idle_holds)) {
    self->idle_holds = hold->next;
    g_free (hold);
  }
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->finished_cond);
  g_free (self);
}

void
hip_in_flight_set_flushing (HipInFlight * self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing;
  g_cond_broadcast (&self->finished_cond);
  g_mutex_unlock (&self->lock);
}

/* --- looking: with the lock held, which is given up meanwhile --- */

static gboolean
is_finished (HipInFlight * self, GstHipEvent * event)
{
  GstHipEventState state;

  gst_hip_event_ref (event);
  g_mutex_unlock (&self->lock);
  state = gst_hip_event_query_state (event);
  gst_hip_event_unref (event);
  g_mutex_lock (&self->lock);
  return state != GST_HIP_EVENT_STATE_PENDING;
}

/* The oldest frame is over. */
static void
pop_frame (HipInFlight * self)
{
  Frame frame = *(Frame *) gst_queue_array_pop_head_struct (self->frames);

  self->finished++;
  if (!frame.event) {
    self->n_told--;
    return;
  }
  g_mutex_unlock (&self->lock);
  gst_hip_event_unref (frame.event);
  g_mutex_lock (&self->lock);
}

/* Counts what has finished. Others may do the same at the same time. */
static void
look (HipInFlight * self)
{
  Frame *frame;

  while ((frame = gst_queue_array_peek_head_struct (self->frames))) {
    guint64 before = self->finished;
    gboolean over = frame->event ? is_finished (self, frame->event) :
        self->n_told > 0;

    if (!over)
      return;
    if (self->finished == before)
      pop_frame (self);
  }
}

/* As long as the device is far ahead, one question answers for several frames:
 * the library knows that what came before on a stream is done, too. */
static void
look_ahead (HipInFlight * self)
{
  guint n = gst_queue_array_get_length (self->frames);
  Frame *frame = NULL;

  if (self->ahead && n > 1)
    frame = gst_queue_array_peek_nth_struct (self->frames, n / 2);
  if (frame && frame->event)
    is_finished (self, frame->event);
  look (self);
  self->ahead = gst_queue_array_get_length (self->frames) <= n / 2;
}

/* --- waiting --- */

/* On a worker. */
static void
wake (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  HipInFlight *self = data;

  g_mutex_lock (&self->lock);
  self->news++;
  g_cond_broadcast (&self->finished_cond);
  g_mutex_unlock (&self->lock);
}

/* Has a worker tell when the frame is over; with the lock, given up meanwhile.
 * FALSE: it will already. */
static gboolean
await (HipInFlight * self, Frame * frame)
{
  GstHipEvent *event;

  if (!frame->event || frame->awaited)
    return FALSE;
  frame->awaited = TRUE;
  event = gst_hip_event_ref (frame->event);
  g_mutex_unlock (&self->lock);
  gst_hip_event_notify (event, wake, hip_in_flight_ref (self),
      (GDestroyNotify) hip_in_flight_unref);
  gst_hip_event_unref (event);
  g_mutex_lock (&self->lock);
  return TRUE;
}

/* Called with the lock held; returns with it held. What a worker told while it
 * was given up to look is not waited for. */
static gboolean
wait_finished_locked (HipInFlight * self, guint64 count)
{
  guint seen = self->news - 1;

  while (!self->flushing && self->finished < count) {
    Frame *frame = gst_queue_array_peek_nth_struct (self->frames,
        (guint) (count - self->finished - 1));

    if (!await (self, frame) && self->news == seen) {
      self->n_waiting++;
      g_cond_wait (&self->finished_cond, &self->lock);
      self->n_waiting--;
    }
    seen = self->news;
    look (self);
  }
  return !self->flushing;
}

gboolean
hip_in_flight_wait_room (HipInFlight * self, guint max)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  if (self->submitted - self->finished >= (max ? max : N_FRAMES))
    look_ahead (self);
  if (max == 0 || self->submitted < max)
    ok = !self->flushing;
  else
    ok = wait_finished_locked (self, self->submitted - max + 1);
  g_mutex_unlock (&self->lock);
  return ok;
}

gboolean
hip_in_flight_wait_finished (HipInFlight * self, guint64 count)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  look (self);
  ok = wait_finished_locked (self, count);
  g_mutex_unlock (&self->lock);
  return ok;
}

/* On a worker: the fence data of a frame is released. Frames of one stream come
 * in their order. */
static void
frame_finished (gpointer data)
{
  HipInFlight *self = data;

  g_mutex_lock (&self->lock);
  self->n_told++;
  self->news++;
  if (self->n_waiting > 0)
    g_cond_broadcast (&self->finished_cond);
  g_mutex_unlock (&self->lock);

  hip_in_flight_unref (self);
}

static void
frame_ended (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  frame_finished (data);
}

guint64
hip_in_flight_submit (HipInFlight * self, GstHipFenceData * fence,
    GstHipEvent * event)
{
  Frame frame = { NULL, FALSE };
  guint64 count;
  guint now;

  if (!fence)
    frame.event = gst_hip_event_ref (event);
  g_mutex_lock (&self->lock);
  count = ++self->submitted;
  gst_queue_array_push_tail_struct (self->frames, &frame);
  now = (guint) (self->submitted - self->finished);
  if (now > self->peak)
    self->peak = now;
  g_mutex_unlock (&self->lock);
  if (!fence)
    return count;

  /* Pushed last: what the frame keeps is let go before the frame counts as
   * finished. */
  gst_hip_fence_data_push (fence, hip_in_flight_ref (self), frame_finished);
  gst_hip_fence_data_attach (fence, event);
  gst_hip_fence_data_unref (fence);
  return count;
}

static Frame *
first_with_event (HipInFlight * self)
{
  guint n = gst_queue_array_get_length (self->frames);

  for (guint i = 0; i < n; i++) {
    Frame *frame = gst_queue_array_peek_nth_struct (self->frames, i);

    if (frame->event)
      return frame;
  }
  return NULL;
}

void
hip_in_flight_let_go (HipInFlight * self)
{
  Frame *frame;

  g_mutex_lock (&self->lock);
  look (self);
  while ((frame = first_with_event (self))) {
    GstHipEvent *event = g_steal_pointer (&frame->event);

    g_mutex_unlock (&self->lock);
    gst_hip_event_notify (event, frame_ended, hip_in_flight_ref (self), NULL);
    gst_hip_event_unref (event);
    g_mutex_lock (&self->lock);
  }
  g_mutex_unlock (&self->lock);
}

gboolean
hip_frame_is_cpu_memory (GstBuffer * buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (!gst_is_hip_memory (memory)
        || gst_hip_memory_get_kind (GST_HIP_MEMORY_CAST (memory)) !=
        GST_HIP_MEMORY_KIND_DEVICE)
      return TRUE;
  }
  return FALSE;
}

gboolean
hip_in_flight_count_path (HipInFlight * self, HipPath path)
{
  gboolean changed;

  g_mutex_lock (&self->lock);
  changed = self->path != path;
  self->path = path;
  self->paths[path]++;
  g_mutex_unlock (&self->lock);
  return changed;
}

void
hip_in_flight_count_page_lock (HipInFlight * self)
{
  g_mutex_lock (&self->lock);
  self->page_locks++;
  g_mutex_unlock (&self->lock);
}

const gchar *
hip_path_name (HipPath path)
{
  return path_names[path];
}

HipPath
hip_in_flight_get_path (HipInFlight * self)
{
  HipPath path;

  g_mutex_lock (&self->lock);
  path = self->path;
  g_mutex_unlock (&self->lock);
  return path;
}

GstStructure *
hip_in_flight_get_stats (HipInFlight * self)
{
  GstStructure *stats;
  guint64 frames = 0;
  guint i;

  stats = gst_structure_new_empty ("application/x-hip-stats");
  g_mutex_lock (&self->lock);
  look (self);
  for (i = HIP_PATH_NONE; i < HIP_N_PATHS; i++)
    frames += self->paths[i];
  gst_structure_set (stats, "frames", G_TYPE_UINT64, frames, NULL);
  for (i = HIP_PATH_NONE + 1; i < HIP_N_PATHS; i++) {
    gst_structure_set (stats, path_names[i], G_TYPE_UINT64, self->paths[i],
        NULL);
  }
  gst_structure_set (stats, "page-locked", G_TYPE_UINT64, self->page_locks,
      "submitted", G_TYPE_UINT64, self->submitted,
      "finished", G_TYPE_UINT64, self->finished,
      "in-flight", G_TYPE_UINT, (guint) (self->submitted - self->finished),
      "in-flight-peak", G_TYPE_UINT, self->peak, NULL);
  g_mutex_unlock (&self->lock);
  return stats;
}

HipFrameHold *
hip_frame_hold_acquire (HipInFlight * self)
{
  HipFrameHold *hold;

  g_mutex_lock (&self->lock);
  hold = self->idle_holds;
  if (hold)
    self->idle_holds = hold->next;
  g_mutex_unlock (&self->lock);

  if (!hold)
    hold = g_new0 (HipFrameHold, 1);
  hold->next = NULL;
  hold->owner = hip_in_flight_ref (self);
  return hold;
}

void
hip_frame_hold_set_buffer (HipFrameHold * hold, GstBuffer * buffer)
{
  g_assert (!hold->buffer);
  hold->buffer = gst_buffer_ref (buffer);
}

void
hip_frame_hold_set_lent (HipFrameHold * hold)
{
  hold->lent = TRUE;
  g_atomic_int_inc (&hold->owner->n_lent);
}

guint
hip_in_flight_get_lent (HipInFlight * self)
{
  return (guint) g_atomic_int_get (&self->n_lent);
}

gpointer
hip_frame_hold_map_memory (HipFrameHold * hold, GstMemory * memory,
    GstMapFlags flags)
{
  guint i;

  for (i = 0; i < hold->n_maps; i++) {
    if (hold->maps[i].memory == memory)
      return hold->maps[i].data;
  }
  g_assert (hold->n_maps < G_N_ELEMENTS (hold->maps));
  if (!gst_memory_map (memory, &hold->maps[hold->n_maps], flags))
    return NULL;
  return hold->maps[hold->n_maps++].data;
}

gpointer
hip_frame_hold_map_buffer (HipFrameHold * hold, GstMapFlags flags, gsize * size)
{
  g_assert (!hold->whole_mapped);
  if (!gst_buffer_map (hold->buffer, &hold->whole, flags))
    return NULL;
  hold->whole_mapped = TRUE;
  *size = hold->whole.size;
  return hold->whole.data;
}

void
hip_frame_hold_release (gpointer data)
{
  HipFrameHold *hold = data;
  HipInFlight *owner = hold->owner;
  guint i;

  for (i = 0; i < hold->n_maps; i++)
    gst_memory_unmap (hold->maps[i].memory, &hold->maps[i]);
  hold->n_maps = 0;
  if (hold->whole_mapped)
    gst_buffer_unmap (hold->buffer, &hold->whole);
  hold->whole_mapped = FALSE;
  gst_clear_buffer (&hold->buffer);
  if (hold->lent)
    g_atomic_int_add (&owner->n_lent, -1);
  hold->lent = FALSE;

  hold->owner = NULL;
  g_mutex_lock (&owner->lock);
  hold->next = owner->idle_holds;
  owner->idle_holds = hold;
  g_mutex_unlock (&owner->lock);
  hip_in_flight_unref (owner);
}
