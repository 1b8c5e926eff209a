/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How long does an NVIDIA driver take by itself? Opens it, retains the first
 * device's primary context, and prints when that was done, in microseconds of
 * the monotonic clock. Nothing of GstHip, GStreamer or GLib is in here. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned int (*Init) (unsigned int flags);
typedef unsigned int (*Get) (int *device, int ordinal);
typedef unsigned int (*Retain) (void **context, int device);

static void *
find (void *library, const char *name)
{
  void *function = dlsym (library, name);

  if (!function) {
    fprintf (stderr, "%s is missing\n", name);
    exit (1);
  }
  return function;
}

int
main (void)
{
  const char *name = getenv ("GST_HIP_CUDA_LIBNAME");
  void *library = dlopen (name ? name : "libcuda.so.1", RTLD_NOW);
  void *context;
  struct timespec now;
  int device;

  if (!library) {
    fprintf (stderr, "%s\n", dlerror ());
    return 1;
  }
  if (((Init) find (library, "cuInit")) (0) != 0
      || ((Get) find (library, "cuDeviceGet")) (&device, 0) != 0
      || ((Retain) find (library, "cuDevicePrimaryCtxRetain")) (&context,
          device) != 0) {
    fprintf (stderr, "the driver does not start\n");
    return 1;
  }
  clock_gettime (CLOCK_MONOTONIC, &now);
  printf ("%lld\n", (long long) now.tv_sec * 1000000 + now.tv_nsec / 1000);
  return 0;
}
