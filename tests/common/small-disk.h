/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* A small disk, for this process alone: what is full can be seen there.
 * To be included before any other header; needs root, or a user namespace that
 * may mount, and a process with one thread. */
#pragma once

#ifndef _GNU_SOURCE
# define _GNU_SOURCE
#endif

#include <sched.h>
#include <sys/mount.h>

#include <glib.h>
#include <glib/gstdio.h>

/* size: as tmpfs has it, "64k" say. FALSE: this process may not */
static inline gboolean
mount_small_disk (const gchar * folder, const gchar * size)
{
  g_autofree gchar *options = g_strdup_printf ("size=%s,mode=0700", size);

  if (unshare (CLONE_NEWNS) < 0 && unshare (CLONE_NEWUSER | CLONE_NEWNS) < 0)
    return FALSE;
  return mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && g_mkdir_with_parents (folder, 0700) == 0
      && mount ("tmpfs", folder, "tmpfs", 0, options) == 0;
}
