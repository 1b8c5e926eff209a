/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* When is a changed kernel compiled, and by whom? By a thread that looks at the
 * file a few times a second, so that the streaming thread makes no system call
 * for it and never waits for a compiler: it takes what is ready between frames.
 * The thread owns its state; the element only lets go of it.
 */
#include "config.h"

#include <sys/stat.h>

#include "hip-kernel-reload.h"

#define INTERVAL_US (G_TIME_SPAN_SECOND / 10)

struct _HipKernelReload
{
  gatomicrefcount ref_count;
  HipKernelSettings settings;
  GstHipDevice *device;
  GWeakRef element;
  guint64 stamp, seen;          /* the thread's own: of what runs, of the last look */

  GMutex lock;
  GCond cond;
  gboolean stopped;
  HipKernelProgram *ready;      /* read without the lock, changed with it */
};

static void
reload_unref (HipKernelReload * self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  hip_kernel_settings_clear (&self->settings);
  g_clear_pointer (&self->ready, hip_kernel_program_unref);
  gst_object_unref (self->device);
  g_weak_ref_clear (&self->element);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
  g_free (self);
}

guint64
hip_kernel_reload_stamp (const gchar * filename)
{
  struct stat s;
  guint64 stamp;

  if (stat (filename, &s) != 0)
    return 0;
  stamp = (guint64) s.st_mtim.tv_sec * G_GUINT64_CONSTANT (1000000000)
      + (guint64) s.st_mtim.tv_nsec;
  /* An editor that saves by renaming makes another inode. */
  stamp ^= (guint64) s.st_ino << 20 ^ (guint64) s.st_size << 44;
  return stamp ? stamp : 1;
}

void
hip_kernel_reload_warn (GstElement * element, GError * error)
{
  GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
      ("The changed kernel cannot be used, the old one keeps running: %s",
          error->message), ("%s", error->message));
  g_error_free (error);
}

static void
post_progress (GstElement * element, GstProgressType type,
    const HipKernelSettings * settings, const gchar * text)
{
  g_autofree gchar *full = g_strdup_printf ("%s: %s", settings->location, text);

  gst_element_post_message (element,
      gst_message_new_progress (GST_OBJECT (element), type, "reload", full));
}

static gboolean
is_stopped (HipKernelReload * self)
{
  gboolean stopped;

  g_mutex_lock (&self->lock);
  stopped = self->stopped;
  g_mutex_unlock (&self->lock);
  return stopped;
}

static void
compile (HipKernelReload * self)
{
  GstElement *element = g_weak_ref_get (&self->element);
  HipKernelProgram *program;
  GError *error = NULL;

  if (!element)
    return;
  post_progress (element, GST_PROGRESS_TYPE_START, &self->settings,
      "compiling the changed kernel");
  program = hip_kernel_program_new (&self->settings, self->device, &error);
  if (!program) {
    post_progress (element, GST_PROGRESS_TYPE_ERROR, &self->settings,
        "the changed kernel cannot be used");
    if (is_stopped (self))
      g_error_free (error);
    else
      hip_kernel_reload_warn (element, error);
  } else {
    g_mutex_lock (&self->lock);
    if (self->ready)
      hip_kernel_program_unref (self->ready);
    g_atomic_pointer_set (&self->ready, program);
    g_mutex_unlock (&self->lock);
    post_progress (element, GST_PROGRESS_TYPE_COMPLETE, &self->settings,
        "the changed kernel is ready");
  }
  gst_object_unref (element);
}

static gpointer
watch (gpointer data)
{
  HipKernelReload *self = data;

  g_mutex_lock (&self->lock);
  while (!self->stopped) {
    guint64 stamp;

    g_cond_wait_until (&self->cond, &self->lock,
        g_get_monotonic_time () + INTERVAL_US);
    if (self->stopped)
      break;
    g_mutex_unlock (&self->lock);
    stamp = hip_kernel_reload_stamp (self->settings.location);
    /* A file that is gone is about to be replaced; one that has changed since
     * the last look may be half written, and may change again without another
     * stamp, since clocks of files are coarse. */
    if (stamp && stamp != self->stamp && stamp == self->seen) {
      self->stamp = stamp;
      compile (self);
    }
    self->seen = stamp;
    g_mutex_lock (&self->lock);
  }
  g_mutex_unlock (&self->lock);
  reload_unref (self);
  return NULL;
}

HipKernelReload *
hip_kernel_reload_new (GstElement * element, const HipKernelSettings * settings,
    GstHipDevice * device, guint64 stamp)
{
  HipKernelReload *self = g_new0 (HipKernelReload, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_atomic_ref_count_inc (&self->ref_count);
  hip_kernel_settings_copy (&self->settings, settings);
  self->device = gst_object_ref (device);
  g_weak_ref_init (&self->element, element);
  self->stamp = stamp;
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  g_thread_unref (g_thread_new ("hipkernel-reload", watch, self));
  return self;
}

void
hip_kernel_reload_free (HipKernelReload * self)
{
  g_mutex_lock (&self->lock);
  self->stopped = TRUE;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->lock);
  reload_unref (self);
}

HipKernelProgram *
hip_kernel_reload_take (HipKernelReload * self)
{
  HipKernelProgram *program;

  if (!g_atomic_pointer_get (&self->ready))
    return NULL;
  g_mutex_lock (&self->lock);
  program = self->ready;
  g_atomic_pointer_set (&self->ready, NULL);
  g_mutex_unlock (&self->lock);
  return program;
}
