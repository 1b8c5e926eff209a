/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What an event is inside. Who may include this: the .c files of events. */
#pragma once

#include "hip-stream.h"

G_BEGIN_DECLS

/* The state word: what is below, and how often the event was recorded above,
 * so that an answer about an older record cannot end a newer one. */
typedef enum
{
  HIP_EVENT_UNRECORDED,
  HIP_EVENT_PENDING,
  HIP_EVENT_DONE,
  HIP_EVENT_FAILED,
} HipEventState;

#define HIP_EVENT_WORD_STATE(word) ((HipEventState) ((word) & 3))
#define HIP_EVENT_WORD_NEXT(word, state) ((((word) | 3) + 1) | (state))
#define HIP_EVENT_WORD_WITH(word, state) (((word) & ~3u) | (state))

struct _GstHipEvent
{
  GstMiniObject mini_object;

  HipContext *context;          /* NULL while cached */
  HipNativeEvent native;
  gboolean timed;
  guint word;                   /* atomic */
  gint recording;               /* atomic: some thread is at it */

  HipMutex lock;                /* guards what follows; no other is taken under it */
  HipLane *lane;                /* of the stream that it was recorded on */
  HipRecord record;

  GstHipEvent *next;            /* in a cache */
};

/* --- hip-event.c --- */
/* What is known without asking the driver */
HipEventState hip_event_recall (GstHipEvent * event);
/* Asks the driver, never waits. context: the cached event has none. */
HipEventState hip_event_poll (GstHipEvent * event, HipContext * context);
/* Sleeps in the driver until a pending event has ended. */
gboolean hip_event_wait (GstHipEvent * event, GError ** error);
/* By one thread at a time */
gboolean hip_event_record (GstHipEvent * event, GstHipStream * stream, GError ** error);

G_END_DECLS
