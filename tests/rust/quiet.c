/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Loaded before a program whose leaks are looked for at its end: what the
 * library's threads are still giving up then is no leak. They end when no device
 * is in use any more; one that does not, keeps what it has, and is seen. */
#define _GNU_SOURCE             /* RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __libc_start_main (int (*main) (int, char **, char **), int argc,
    char **argv, void (*init) (void), void (*fini) (void),
    void (*rtld_fini) (void), void *stack_end);

/* hip-worker and hip-stream; the host's pool of CPUs stays */
static int
is_ours (const char *task)
{
  char path[300], name[32] = "";
  FILE *file;

  snprintf (path, sizeof (path), "/proc/self/task/%s/comm", task);
  file = fopen (path, "r");
  if (file) {
    if (!fgets (name, sizeof (name), file))
      name[0] = '\0';
    fclose (file);
  }
  return strncmp (name, "hip-worker", 10) == 0
      || strncmp (name, "hip-stream", 10) == 0;
}

static int
count_threads (void)
{
  DIR *tasks = opendir ("/proc/self/task");
  struct dirent *task;
  int n = 0;

  while (tasks && (task = readdir (tasks)))
    n += is_ours (task->d_name);
  if (tasks)
    closedir (tasks);
  return n;
}

static void
wait_for_threads (void)
{
  int i;

  for (i = 0; i < 10000 && count_threads () > 0; i++)
    usleep (1000);
}

static int (*program) (int, char **, char **);

static int
run (int argc, char **argv, char **environment)
{
  int status = program (argc, argv, environment);

  wait_for_threads ();
  return status;
}

/* What a program's first instructions call. An exit handler would be too late:
 * the library has one of its own, after which it gives up nothing any more. */
int
__libc_start_main (int (*main) (int, char **, char **), int argc, char **argv,
    void (*init) (void), void (*fini) (void), void (*rtld_fini) (void),
    void *stack_end)
{
  __typeof__ (&__libc_start_main) next =
      (__typeof__ (&__libc_start_main)) dlsym (RTLD_NEXT, __func__);

  program = main;
  return next (run, argc, argv, init, fini, rtld_fini, stack_end);
}
