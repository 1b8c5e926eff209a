/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* DMA-BUFs for tests: memfds, of which one at a time can be made to have an
 * implicit fence that ends when the test says so. The program is linked with
 * -Wl,--wrap=poll,--wrap=ioctl; the code under test polls and synchronises as
 * ever. */
#pragma once

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gst/check/gstcheck.h>

int __real_poll (struct pollfd *fds, nfds_t n, int timeout);
int __wrap_poll (struct pollfd *fds, nfds_t n, int timeout);
int __real_ioctl (int fd, unsigned long request, ...);
int __wrap_ioctl (int fd, unsigned long request, ...);

static struct
{
  gint active;                  /* atomic */
  struct stat file;
  gint fence;                   /* eventfd: readable once the fence has ended */
  gint starts, ends;            /* atomic: of DMA_BUF_IOCTL_SYNC */
  GThread *starter;
} late;

int
__wrap_poll (struct pollfd *fds, nfds_t n, int timeout)
{
  struct pollfd asked[256];
  struct stat status;
  int result;

  g_assert (n <= G_N_ELEMENTS (asked));
  for (nfds_t i = 0; i < n; i++) {
    asked[i] = fds[i];
    if (g_atomic_int_get (&late.active) && fds[i].fd >= 0 && fstat (fds[i].fd, &status) == 0
        && status.st_dev == late.file.st_dev && status.st_ino == late.file.st_ino)
      asked[i].fd = late.fence;
  }
  result = __real_poll (asked, n, timeout);
  for (nfds_t i = 0; i < n; i++)
    fds[i].revents = asked[i].revents;
  return result;
}

/* As a DMA-BUF would answer; of others a memfd's: no such call */
int
__wrap_ioctl (int fd, unsigned long request, ...)
{
  va_list args;
  void *data;

  va_start (args, request);
  data = va_arg (args, void *);
  va_end (args);
  if (request == DMA_BUF_IOCTL_SYNC) {
    const struct dma_buf_sync *sync = data;

    g_assert (sync->flags & DMA_BUF_SYNC_READ);
    if (sync->flags & DMA_BUF_SYNC_END) {
      g_atomic_int_inc (&late.ends);
    } else {
      late.starter = g_thread_self ();
      g_atomic_int_inc (&late.starts);
    }
    errno = ENOTTY;
    return -1;
  }
  return __real_ioctl (fd, request, data);
}

/* The producer of fd's file has not finished ... */
G_GNUC_UNUSED static void
late_begin (gint fd)
{
  fail_unless (fstat (fd, &late.file) == 0);
  late.fence = eventfd (0, EFD_CLOEXEC);
  g_atomic_int_set (&late.active, TRUE);
}

/* ... now it has */
G_GNUC_UNUSED static void
late_end (void)
{
  const uint64_t one = 1;

  fail_unless (write (late.fence, &one, sizeof (one)) == sizeof (one));
}

G_GNUC_UNUSED static gint
new_dmabuf (gsize size, guint8 value)
{
  gint fd = memfd_create ("dmabuf", MFD_CLOEXEC);
  g_autofree guint8 *data = g_malloc (size);

  fail_unless (fd >= 0);
  memset (data, value, size);
  fail_unless (pwrite (fd, data, size, 0) == (gssize) size);
  return fd;
}

G_GNUC_UNUSED static void
fill_dmabuf (gint fd, gsize offset, gsize size, guint8 value)
{
  g_autofree guint8 *data = g_malloc (size);

  memset (data, value, size);
  fail_unless (pwrite (fd, data, size, (off_t) offset) == (gssize) size);
}

G_GNUC_UNUSED static guint
count_fds (void)
{
  DIR *dir = opendir ("/proc/self/fd");
  guint n = 0;

  fail_unless (dir != NULL);
  while (readdir (dir))
    n++;
  closedir (dir);
  return n;
}
