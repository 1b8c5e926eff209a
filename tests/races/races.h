/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How a race is made certain: one stream is stopped by hand, what has to come
 * after its work is queued on another and given time to overtake, which it
 * would if the wait between them were missing; then the bytes tell. */
#pragma once

#include <string.h>

#include "core-common.h"
#include "hip-memory.h"

#define OLD 0x11
#define NEW 0x22

/* Were a wait missing, what event stands for would be done within this time. Takes it over. */
static inline void
assert_stays_pending (GstHipEvent * event)
{
  for (guint i = 0; i < 60; i++) {
    fail_unless_equals_int (gst_hip_event_query_state (event), GST_HIP_EVENT_STATE_PENDING);
    g_usleep (500);
  }
  gst_hip_event_unref (event);
}

static inline void
assert_all_bytes (const guint8 * data, gsize size, guint8 value)
{
  gsize i;

  for (i = 0; i < size && data[i] == value; i++);
  fail_unless (i == size, "byte %" G_GSIZE_FORMAT " is 0x%02x, not 0x%02x", i, data[MIN (i, size - 1)], value);
}

/* By the CPU, which waits for what is pending. */
static inline void
assert_bytes (GstMemory * memory, guint8 value)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  assert_all_bytes (map.data, map.size, value);
  gst_memory_unmap (memory, &map);
}

/* --- a CPU that reads what is not there yet --- */

typedef struct
{
  GstMemory *memory;
  GThread *thread;
  gint mapped;                  /* atomic */
} Reader;

static inline gpointer
reader_read (gpointer data)
{
  Reader *reader = data;
  GstMapInfo map;

  fail_unless (gst_memory_map (reader->memory, &map, GST_MAP_READ));
  g_atomic_int_set (&reader->mapped, 1);
  assert_all_bytes (map.data, map.size, NEW);
  gst_memory_unmap (reader->memory, &map);
  return NULL;
}

/* Its map waits for as long as another thread would need to come through. */
static inline void
reader_start (Reader * reader, GstMemory * memory)
{
  reader->memory = memory;
  reader->mapped = 0;
  reader->thread = g_thread_new ("reader", reader_read, reader);
  for (guint i = 0; i < 60; i++) {
    fail_if (g_atomic_int_get (&reader->mapped));
    g_usleep (500);
  }
}

static inline void
reader_join (Reader * reader)
{
  g_thread_join (reader->thread);
  fail_unless (g_atomic_int_get (&reader->mapped));
}
