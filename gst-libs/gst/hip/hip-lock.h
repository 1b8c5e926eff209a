/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The library's locks and conditions. GLib's normally; pthread's where
 * HIP_LOCK_PTHREAD is defined (builds with -Db_sanitize), because the thread
 * sanitizer sees the latter and not GLib's futexes and would report races that
 * are none. All locks of our own go through here; GObject and GStreamer locks
 * (GST_OBJECT_LOCK) stay what they are.
 *
 * A zeroed HipMutex or HipCond is ready for use in both forms (Linux).
 * Who may include this: the library's own files and tests linked statically.
 */
#pragma once

#include <glib.h>
#include <pthread.h>

G_BEGIN_DECLS

/* Runs func once in the process; callers return after it has. */
typedef pthread_once_t HipOnce;
#define HIP_ONCE_INIT PTHREAD_ONCE_INIT

static inline void
hip_once (HipOnce * once, void (*func) (void))
{
  pthread_once (once, func);
}

#ifndef HIP_LOCK_PTHREAD

typedef GMutex HipMutex;
typedef GCond HipCond;
#define HIP_MUTEX_INIT { NULL }
#define HIP_COND_INIT { NULL, { 0, 0 } }

static inline void hip_mutex_init (HipMutex * mutex) { g_mutex_init (mutex); }
static inline void hip_mutex_clear (HipMutex * mutex) { g_mutex_clear (mutex); }
static inline void hip_mutex_lock (HipMutex * mutex) { g_mutex_lock (mutex); }
static inline gboolean hip_mutex_trylock (HipMutex * mutex) { return g_mutex_trylock (mutex); }
static inline void hip_mutex_unlock (HipMutex * mutex) { g_mutex_unlock (mutex); }

static inline void hip_cond_init (HipCond * cond) { g_cond_init (cond); }
static inline void hip_cond_clear (HipCond * cond) { g_cond_clear (cond); }
static inline void hip_cond_signal (HipCond * cond) { g_cond_signal (cond); }
static inline void hip_cond_broadcast (HipCond * cond) { g_cond_broadcast (cond); }
static inline void hip_cond_wait (HipCond * cond, HipMutex * mutex) { g_cond_wait (cond, mutex); }

/* FALSE: it is end_us (g_get_monotonic_time ()) and nobody signalled */
static inline gboolean
hip_cond_wait_until (HipCond * cond, HipMutex * mutex, gint64 end_us)
{
  return g_cond_wait_until (cond, mutex, end_us);
}

#else

/* pthread.h hides it without _GNU_SOURCE */
extern int pthread_cond_clockwait (pthread_cond_t * cond, pthread_mutex_t * mutex, clockid_t clock,
    const struct timespec * end);

typedef pthread_mutex_t HipMutex;
typedef pthread_cond_t HipCond;
#define HIP_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER
#define HIP_COND_INIT PTHREAD_COND_INITIALIZER

static inline void hip_mutex_init (HipMutex * mutex) { pthread_mutex_init (mutex, NULL); }
static inline void hip_mutex_clear (HipMutex * mutex) { pthread_mutex_destroy (mutex); }
static inline void hip_mutex_lock (HipMutex * mutex) { pthread_mutex_lock (mutex); }
static inline gboolean hip_mutex_trylock (HipMutex * mutex) { return pthread_mutex_trylock (mutex) == 0; }
static inline void hip_mutex_unlock (HipMutex * mutex) { pthread_mutex_unlock (mutex); }

static inline void hip_cond_init (HipCond * cond) { pthread_cond_init (cond, NULL); }
static inline void hip_cond_clear (HipCond * cond) { pthread_cond_destroy (cond); }
static inline void hip_cond_signal (HipCond * cond) { pthread_cond_signal (cond); }
static inline void hip_cond_broadcast (HipCond * cond) { pthread_cond_broadcast (cond); }
static inline void hip_cond_wait (HipCond * cond, HipMutex * mutex) { pthread_cond_wait (cond, mutex); }

static inline gboolean
hip_cond_wait_until (HipCond * cond, HipMutex * mutex, gint64 end_us)
{
  struct timespec end = {
    .tv_sec = end_us / G_USEC_PER_SEC,
    .tv_nsec = (end_us % G_USEC_PER_SEC) * 1000,
  };

  return pthread_cond_clockwait (cond, mutex, CLOCK_MONOTONIC, &end) == 0;
}

#endif

/* The reference counts of GObject and GstMiniObject are atomic inside GLib and
 * GStreamer, where the thread sanitizer does not look: says to it what they
 * order. DROPPED before a reference is given up, LAST once it is known to have
 * been the last. The queue of a GstBufferPool is such a thing, too. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined (__SANITIZE_THREAD__) || __has_feature (thread_sanitizer)
extern void __tsan_acquire (void *address);
extern void __tsan_release (void *address);
#define HIP_REFERENCE_DROPPED(object) __tsan_release (object)
#define HIP_REFERENCE_LAST(object) __tsan_acquire (object)
#else
#define HIP_REFERENCE_DROPPED(object) G_STMT_START { } G_STMT_END
#define HIP_REFERENCE_LAST(object) G_STMT_START { } G_STMT_END
#endif

typedef HipMutex HipMutexLocker;

/* g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&lock); */
static inline HipMutexLocker *
hip_mutex_locker_new (HipMutex * mutex)
{
  hip_mutex_lock (mutex);
  return mutex;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipMutexLocker, hip_mutex_unlock)

G_END_DECLS
