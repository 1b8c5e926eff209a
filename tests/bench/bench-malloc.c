/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How often did this thread allocate? The program's own malloc and its like
 * stand in front of the C library's for every library in the process; each
 * counts and passes on. Must not allocate, nor use anything that may. */
#include <errno.h>
#include <stdlib.h>

#include "bench.h"

#define EXPORT __attribute__ ((visibility ("default")))

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *data, size_t size);
extern void *__libc_memalign (size_t align, size_t size);
extern void __libc_free (void *data);

static __thread guint64 allocations;

guint64
bench_thread_allocations (void)
{
  return allocations;
}

EXPORT void *
malloc (size_t size)
{
  allocations++;
  return __libc_malloc (size);
}

EXPORT void *
calloc (size_t n, size_t size)
{
  allocations++;
  return __libc_calloc (n, size);
}

EXPORT void *
realloc (void *data, size_t size)
{
  allocations++;
  return __libc_realloc (data, size);
}

EXPORT void *
aligned_alloc (size_t align, size_t size)
{
  allocations++;
  return __libc_memalign (align, size);
}

EXPORT int
posix_memalign (void **data, size_t align, size_t size)
{
  allocations++;
  *data = __libc_memalign (align, size);
  return *data != NULL ? 0 : ENOMEM;
}

EXPORT void
free (void *data)
{
  __libc_free (data);
}
