/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When has a producer finished writing to a DMA-BUF?
 *
 * The kernel says so by poll (): readable once every fence of a writer has
 * ended. One thread sleeps for all descriptors that are asked about; it starts
 * with the first and ends when there has been none for a while, so that frames
 * whose producer is through, which are most, cost one call that does not wait.
 * A file that has no fences, as a memfd, is always readable.
 *
 * Must not know what is done then. Keeps: nobody else's thread waits for a
 * fence; no callback runs with the lock held; every callback runs once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hip-dmabuf.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_memory_debug);
#define GST_CAT_DEFAULT gst_hip_memory_debug

/* How often a lost device and the process's end are looked for */
#define LOOK_MS 100
/* How long a thread with nothing to wait for stays */
#define IDLE_MS 300

typedef struct
{
  gint fd;
  HipContext *context;          /* a reference */
  void (*func) (gpointer data);
  gpointer data;
} Wait;

static struct
{
  HipMutex lock;
  GArray *waits;                /* of Wait */
  gboolean running;
  gint wake;                    /* eventfd: there is one more */
} waiter;

gboolean
hip_fence_is_pending (gint fd)
{
  struct pollfd ask = {.fd = fd,.events = POLLIN };
  gint n;

  do
    n = poll (&ask, 1, 0);
  while (n < 0 && errno == EINTR);
  return n == 0;
}

static gboolean
is_over (const Wait * wait, const struct pollfd *answer)
{
  return answer->revents != 0 || hip_context_is_lost (wait->context)
      || hip_is_exiting ();
}

/* With the lock, which it gives up meanwhile */
static void
finish (guint index)
{
  Wait wait = g_array_index (waiter.waits, Wait, index);

  g_array_remove_index (waiter.waits, index);
  hip_mutex_unlock (&waiter.lock);
  wait.func (wait.data);
  hip_context_unref (wait.context);
  hip_mutex_lock (&waiter.lock);
}

/* With the lock; others only append. */
static void
list_descriptors (GArray * list)
{
  struct pollfd ask = {.fd = waiter.wake,.events = POLLIN };

  g_array_set_size (list, 0);
  g_array_append_val (list, ask);
  for (guint i = 0; i < waiter.waits->len; i++) {
    ask.fd = g_array_index (waiter.waits, Wait, i).fd;
    g_array_append_val (list, ask);
  }
}

static gpointer
waiter_main (gpointer unused)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (struct pollfd));
  struct pollfd *answers;
  uint64_t wakes;
  gint n;

  hip_mutex_lock (&waiter.lock);
  for (;;) {
    list_descriptors (list);
    hip_mutex_unlock (&waiter.lock);
    answers = (struct pollfd *) list->data;
    n = poll (answers, list->len, list->len > 1 ? LOOK_MS : IDLE_MS);
    if (n > 0 && answers[0].revents
        && read (answers[0].fd, &wakes, sizeof (wakes)) < 0)
      GST_WARNING ("eventfd: %s", g_strerror (errno));

    hip_mutex_lock (&waiter.lock);
    /* From the end, so that those before stay where they are */
    for (guint i = list->len - 1; i > 0; i--) {
      if (is_over (&g_array_index (waiter.waits, Wait, i - 1), &answers[i]))
        finish (i - 1);
    }
    if (n == 0 && list->len == 1 && waiter.waits->len == 0)
      break;
  }
  waiter.running = FALSE;
  hip_mutex_unlock (&waiter.lock);
  return NULL;
}

/* With the lock */
static gboolean
start (void)
{
  g_autoptr (GError) error = NULL;
  GThread *thread;

  if (!waiter.waits) {
    waiter.waits = g_array_new (FALSE, FALSE, sizeof (Wait));
    waiter.wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  }
  if (waiter.running)
    return TRUE;
  thread = g_thread_try_new ("hip-fences", waiter_main, NULL, &error);
  if (!thread) {
    GST_ERROR ("cannot start a thread: %s", error->message);
    return FALSE;
  }
  g_thread_unref (thread);
  waiter.running = TRUE;
  return TRUE;
}

void
hip_fence_wait (gint fd, HipContext * context, void (*func) (gpointer data),
    gpointer data)
{
  Wait wait = { fd, hip_context_ref (context), func, data };
  const uint64_t one = 1;
  gboolean started;

  hip_mutex_lock (&waiter.lock);
  started = start ();
  if (started)
    g_array_append_val (waiter.waits, wait);
  hip_mutex_unlock (&waiter.lock);

  if (!started) {
    /* Late is better than wrong. */
    struct pollfd ask = {.fd = fd,.events = POLLIN };

    while (!is_over (&wait, &ask))
      poll (&ask, 1, LOOK_MS);
    func (data);
    hip_context_unref (context);
  } else if (write (waiter.wake, &one, sizeof (one)) < 0) {
    /* It looks every now and then by itself. */
    GST_WARNING ("eventfd: %s", g_strerror (errno));
  }
}

gboolean
hip_fence_wait_is_idle (void)
{
  gboolean idle;

  hip_mutex_lock (&waiter.lock);
  idle = !waiter.running;
  hip_mutex_unlock (&waiter.lock);
  return idle;
}
