/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Loaded before a program whose leaks are looked for at its end, and at that of
 * the children it forks (GstCheck has one for each case): what the library's
 * threads are still giving up then is no leak. They end when no device is in use
 * any more; one that does not, keeps what it has, and is seen. Programs that such
 * a program runs load neither this nor the sanitizer: compilers are not slowed
 * down, and a copy of the program that ends amid its work may leave it there. */
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

static void
read_name (const char *task, char name[32])
{
  char path[300];
  FILE *file;

  name[0] = '\0';
  snprintf (path, sizeof (path), "/proc/self/task/%s/comm", task);
  file = fopen (path, "r");
  if (file) {
    if (!fgets (name, 32, file))
      name[0] = '\0';
    fclose (file);
  }
}

/* hip-worker and hip-stream, and one that has not yet given itself a name; the
 * host's pool of CPUs stays */
static int
is_ours (const char *task)
{
  char first[20], name[32], own[32];

  snprintf (first, sizeof (first), "%d", (int) getpid ());
  read_name (task, name);
  read_name (first, own);
  return strncmp (name, "hip-worker", 10) == 0
      || strncmp (name, "hip-stream", 10) == 0
      || (strcmp (task, first) != 0 && strcmp (name, own) == 0);
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

  for (i = 0; i < 3000 && count_threads () > 0; i++)
    usleep (1000);
}

static void keep_to_ourselves (void) __attribute__((constructor));

static void
keep_to_ourselves (void)
{
  unsetenv ("LD_PRELOAD");
  setenv ("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0", 1);
}

static int (*program) (int, char **, char **);

static int
run (int argc, char **argv, char **environment)
{
  int status = program (argc, argv, environment);

  wait_for_threads ();
  return status;
}

/* What children of GstCheck's end with. An exit handler would be too late: the
 * library has one of its own, after which it gives up nothing any more. */
void
exit (int status)
{
  void (*next) (int) = (__typeof__ (next)) dlsym (RTLD_NEXT, __func__);

  wait_for_threads ();
  next (status);
  abort ();
}

/* What a program's first instructions call; the C library's own exit () when it
 * returns is not the one above. */
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
