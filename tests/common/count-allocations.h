/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How often was the allocator called, by any thread of this program and by this
 * one? Its malloc and its like stand in front of the C library's. Sanitizers
 * have one of their own: COUNTS_NOTHING is defined there. For one .c file of a
 * program. */
#pragma once

#include <stdlib.h>

#include <glib.h>
#include <gmodule.h>

static gint allocations;        /* atomic */
static __thread guint allocations_here;

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
  g_atomic_int_inc (&allocations);
  allocations_here++;
  return __libc_malloc (size);
}

G_MODULE_EXPORT void *
calloc (size_t n, size_t size)
{
  g_atomic_int_inc (&allocations);
  allocations_here++;
  return __libc_calloc (n, size);
}

G_MODULE_EXPORT void *
realloc (void *old, size_t size)
{
  g_atomic_int_inc (&allocations);
  allocations_here++;
  return __libc_realloc (old, size);
}
#endif
