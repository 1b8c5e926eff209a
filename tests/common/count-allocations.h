/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How often was the allocator called, by any thread of this program and by this
 * one? Its malloc and its like stand in front of the C library's. Sanitizers
 * have one of their own: COUNTS_NOTHING is defined there. What a GPU's driver
 * allocates is its own business: after count_apart ("libcuda") calls that come
 * from files with that in their names are counted apart. For one .c file of a
 * program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <gmodule.h>

static gint allocations, allocations_apart;     /* atomic */
static __thread guint allocations_here;
static struct
{
  gsize begin, end;
} apart[32];                    /* code that is counted apart */
static gint n_apart;            /* atomic */

/* name: begins that of a file which is in the address space now */
G_GNUC_UNUSED static void
count_apart (const char *name)
{
  FILE *maps = fopen ("/proc/self/maps", "re");
  char line[512];
  unsigned long begin, end;

  while (maps && fgets (line, sizeof (line), maps)) {
    gint n = g_atomic_int_get (&n_apart);

    if (n < (gint) G_N_ELEMENTS (apart) && strstr (line, name)
        && strstr (line, " r-xp ")
        && sscanf (line, "%lx-%lx", &begin, &end) == 2) {
      apart[n].begin = begin;
      apart[n].end = end;
      g_atomic_int_set (&n_apart, n + 1);
    }
  }
  if (maps)
    fclose (maps);
}

G_GNUC_UNUSED static void
count_call (gconstpointer caller)
{
  gint n = g_atomic_int_get (&n_apart);

  for (gint i = 0; i < n; i++) {
    if ((gsize) caller >= apart[i].begin && (gsize) caller < apart[i].end) {
      g_atomic_int_inc (&allocations_apart);
      return;
    }
  }
  g_atomic_int_inc (&allocations);
  allocations_here++;
}

static inline gint
count_allocations (void)
{
  return g_atomic_int_get (&allocations);
}

static inline guint
count_allocations_here (void)
{
  return allocations_here;
}

#ifndef __has_feature
# define __has_feature(feature) 0
#endif
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__) \
    || __has_feature (address_sanitizer) || __has_feature (thread_sanitizer)
# define COUNTS_NOTHING
#else
extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *old, size_t size);

G_MODULE_EXPORT void *
malloc (size_t size)
{
  count_call (__builtin_return_address (0));
  return __libc_malloc (size);
}

G_MODULE_EXPORT void *
calloc (size_t n, size_t size)
{
  count_call (__builtin_return_address (0));
  return __libc_calloc (n, size);
}

G_MODULE_EXPORT void *
realloc (void *old, size_t size)
{
  count_call (__builtin_return_address (0));
  return __libc_realloc (old, size);
}
#endif
