/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does an NVIDIA driver itself reach, with one and with two pipelines that
 * bring frames up, through a kernel, and down again? The calls of the elements
 * and nothing else, in some variants: how many streams, how many buffers on the
 * device, who waits for frames and how, one context or two. Printed are
 * microseconds a frame and how many times one pipeline two are; then the CPU
 * time of single calls, alone and with another thread at the same.
 *
 * Nothing of GstHip, GStreamer or GLib is in here but the driver's
 * declarations. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bare-driver.h"

#define ROUNDS 3

static const Variant variants[] = {
  {"3 streams, 1 buffer, worker for the oldest", 3, 1, OLDEST, 0, 0},
  {"3 streams, 4 buffers, worker for the oldest", 3, 4, OLDEST, 0, 0},
  {"3 streams, 4 buffers, worker for the middle", 3, 4, MIDDLE, 0, 0},
  {"3 streams, 4 buffers, worker for the newest", 3, 4, NEWEST, 0, 0},
  {"3 streams, 4 buffers, heavy events", 3, 4, HEAVY, 0, 0},
  {"3 streams, 1 buffer, thread sleeps", 3, 1, BLOCK, 0, 0},
  {"3 streams, 4 buffers, thread sleeps", 3, 4, BLOCK, 0, 0},
  {"3 streams, 1 buffer, thread asks", 3, 1, SPIN, 0, 0},
  {"3 streams, 4 buffers, thread asks", 3, 4, SPIN, 0, 0},
  {"1 stream, 4 buffers, thread asks", 1, 4, SPIN, 0, 0},
  {"... context each, 4 buffers, oldest", 3, 4, OLDEST, 1, 0},
  {"... context each, 4 buffers, asks", 3, 4, SPIN, 1, 0},
  {"... process each, 4 buffers, oldest", 3, 4, OLDEST, 0, 1},
  {"... process each, 4 buffers, middle", 3, 4, MIDDLE, 0, 1},
  {"... process each, 4 buffers, asks", 3, 4, SPIN, 0, 1},
};

/* Microseconds a frame of n pipelines together, the best of some rounds */
static double
measure_threads (const Variant * variant, size_t bytes, int n, double *cpu)
{
  static Pipeline pipelines[MOST_PIPELINES];
  pthread_t threads[MOST_PIPELINES];
  double best = 1e9;

  for (int i = 0; i < n; i++)
    bare_open_pipeline (&pipelines[i], variant, bytes);
  for (int round = 0; round < ROUNDS; round++) {
    double begin = 1e18, end = 0;
    pthread_barrier_t barrier;

    pthread_barrier_init (&barrier, NULL, n);
    for (int i = 0; i < n; i++) {
      pipelines[i].barrier = &barrier;
      pthread_create (&threads[i], NULL, bare_pipeline_main, &pipelines[i]);
    }
    for (int i = 0; i < n; i++)
      pthread_join (threads[i], NULL);
    pthread_barrier_destroy (&barrier);
    for (int i = 0; i < n; i++) {
      begin = pipelines[i].begin < begin ? pipelines[i].begin : begin;
      end = pipelines[i].end > end ? pipelines[i].end : end;
    }
    if ((end - begin) / bare_frames / n < best) {
      best = (end - begin) / bare_frames / n;
      *cpu = pipelines[0].cpu / bare_frames;
    }
  }
  for (int i = 0; i < n; i++)
    bare_close_pipeline (&pipelines[i]);
  return best;
}

typedef struct
{
  atomic_int ready[ROUNDS];
  double begin[ROUNDS][MOST_PIPELINES], end[ROUNDS][MOST_PIPELINES];
  double cpu[ROUNDS];
} Shared;

static void
process_main (const Variant * variant, size_t bytes, int n, int self,
    Shared * shared)
{
  static Pipeline pipeline;

  bare_open_driver ();
  bare_open_pipeline (&pipeline, variant, bytes);
  bare_pipeline_main (&pipeline);
  for (int round = 0; round < ROUNDS; round++) {
    atomic_fetch_add (&shared->ready[round], 1);
    while (atomic_load (&shared->ready[round]) < n);
    bare_pipeline_main (&pipeline);
    shared->begin[round][self] = pipeline.begin;
    shared->end[round][self] = pipeline.end;
    shared->cpu[round] = pipeline.cpu / bare_frames;
  }
  bare_close_pipeline (&pipeline);
  exit (0);
}

/* Before this process has opened the driver */
static double
measure_processes (const Variant * variant, size_t bytes, int n, double *cpu)
{
  Shared *shared = mmap (NULL, sizeof (*shared), PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  double best = 1e9;
  int status;

  fflush (stdout);
  for (int i = 0; i < n; i++) {
    if (fork () == 0)
      process_main (variant, bytes, n, i, shared);
  }
  for (int i = 0; i < n; i++) {
    if (wait (&status) < 0 || status != 0)
      exit (WIFEXITED (status) ? WEXITSTATUS (status) : 1);
  }
  for (int round = 0; round < ROUNDS; round++) {
    double begin = 1e18, end = 0;

    for (int i = 0; i < n; i++) {
      begin = shared->begin[round][i] < begin ? shared->begin[round][i] : begin;
      end = shared->end[round][i] > end ? shared->end[round][i] : end;
    }
    if ((end - begin) / bare_frames / n < best) {
      best = (end - begin) / bare_frames / n;
      *cpu = shared->cpu[round];
    }
  }
  munmap (shared, sizeof (*shared));
  return best;
}

static void
compare (const Variant * variant, size_t bytes)
{
  double (*measure) (const Variant *, size_t, int, double *) =
      variant->processes ? measure_processes : measure_threads;
  double cpu[3], one, two, four;

  one = measure (variant, bytes, 1, &cpu[0]);
  two = measure (variant, bytes, 2, &cpu[1]);
  four = measure (variant, bytes, 4, &cpu[2]);
  printf ("%8zu  %-46s %7.2f %7.2f %6.2f %7.2f %6.2f   %6.2f %6.2f %6.2f\n",
      bytes, variant->name, one, two, one / two, four, one / four, cpu[0],
      cpu[1], cpu[2]);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  static const size_t sizes[] = { 320 * 240, 640 * 480, 1280 * 720,
    1920 * 1080
  };
  const int n_variants = sizeof (variants) / sizeof (*variants);
  unsigned n_sizes = sizeof (sizes) / sizeof (*sizes);

  /* Shows that it works, measures nothing */
  if (argc > 1 && strcmp (argv[1], "--quick") == 0) {
    bare_frames = 20;
    n_sizes = 1;
  }
  printf ("   bytes  %-46s %7s %7s %6s %7s %6s   %s\n", "us/frame", "one",
      "two", "ratio", "four", "ratio", "CPU of one thread, of 1, 2, 4");
  /* Children first: none may be made of a process that has the driver open. */
  for (int processes = 1; processes >= 0; processes--) {
    if (!processes)
      bare_open_driver ();
    for (unsigned size = 0; size < n_sizes; size++) {
      for (int i = 0; i < n_variants; i++) {
        if (variants[i].processes == processes)
          compare (&variants[i], sizes[size]);
      }
    }
  }
  bare_compare_calls ();
  return 0;
}
