/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What does a single call of an NVIDIA driver cost a thread, alone and with
 * other threads at the same? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bare-driver.h"

#define CALLS 150               /* at once: far from what a queue holds */
#define BURSTS 40

typedef enum
{ PUSH_POP, RECORD_LIGHT, RECORD_HEAVY, STREAM_WAIT, QUERY_DONE, QUERY_PENDING,
  UP, UP_2D, DOWN, LAUNCH, N_CALLS
} Call;

static const char *const call_names[] = { "push and pop",
  "cuEventRecord, light", "cuEventRecord, blocking", "cuStreamWaitEvent",
  "cuEventQuery, done", "cuEventQuery, pending", "cuMemcpyHtoDAsync",
  "cuMemcpy2DAsync up", "cuMemcpyDtoHAsync", "cuLaunchKernel"
};

typedef struct
{
  Pipeline pipeline;
  Call call;
  size_t bytes;
  pthread_barrier_t *barrier;
  double ns;
} Calls;

static void
make_call (Calls * calls, int i)
{
  Pipeline *p = &calls->pipeline;
  unsigned n = 64;
  void *params[] = { &p->up[0], &p->out[0], &n };
  CuMemcpy2D copy = {.src_type = CU_MEMORY_HOST,.src_host = p->from[0],
    .src_pitch = 64,.dst_type = CU_MEMORY_DEVICE,.dst_device = p->up[0],
    .dst_pitch = 512,.width_bytes = 64,.height = calls->bytes / 512
  };

  switch (calls->call) {
    case PUSH_POP:
      bare_push (p);
      bare_pop ();
      break;
    case RECORD_LIGHT:
      CHECK (cuEventRecord, p->events[0][i % RING], p->streams[0]);
      break;
    case RECORD_HEAVY:
      CHECK (cuEventRecord, p->sleep_events[i % 3], p->streams[0]);
      break;
    case STREAM_WAIT:
      CHECK (cuStreamWaitEvent, p->streams[0], p->events[1][0], 0);
      break;
    case QUERY_DONE:
      CHECK (cuEventQuery, p->events[2][0]);
      break;
    case QUERY_PENDING:
      bare_cu.cuEventQuery (p->events[1][0]);
      break;
    case UP:
      CHECK (cuMemcpyHtoDAsync_v2, p->up[0], p->from[0], calls->bytes,
          p->streams[0]);
      break;
    case UP_2D:
      CHECK (cuMemcpy2DAsync_v2, (const struct CUDA_MEMCPY2D_st *) &copy,
          p->streams[0]);
      break;
    case DOWN:
      CHECK (cuMemcpyDtoHAsync_v2, p->to[0], p->out[0], calls->bytes,
          p->streams[0]);
      break;
    default:
      CHECK (cuLaunchKernel, p->function, 1, 1, 1, 64, 1, 1, 0, p->streams[0],
          params, NULL);
  }
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void *
calls_main (void *data)
{
  Calls *calls = data;
  Pipeline *p = &calls->pipeline;
  double bursts[BURSTS];

  bare_push (p);
  CHECK (cuEventRecord, p->events[2][0], p->streams[0]);
  CHECK (cuStreamSynchronize, p->streams[0]);
  for (int burst = 0; burst < BURSTS; burst++) {
    double begin;

    /* Long enough for the burst: what comes is put behind it. */
    for (int i = 0; i < 20; i++)
      CHECK (cuMemcpyHtoDAsync_v2, p->up[1], p->from[1], p->bytes,
          p->streams[1]);
    CHECK (cuEventRecord, p->events[1][0], p->streams[1]);
    CHECK (cuStreamWaitEvent, p->streams[0], p->events[1][0], 0);
    pthread_barrier_wait (calls->barrier);
    begin = bare_now_us (CLOCK_MONOTONIC);
    for (int i = 0; i < CALLS; i++)
      make_call (calls, i);
    bursts[burst] = (bare_now_us (CLOCK_MONOTONIC) - begin) * 1000 / CALLS;
    CHECK (cuStreamSynchronize, p->streams[0]);
    CHECK (cuStreamSynchronize, p->streams[1]);
  }
  bare_pop ();
  qsort (bursts, BURSTS, sizeof (*bursts), compare_doubles);
  calls->ns = bursts[BURSTS / 2];
  return NULL;
}

static double
measure_calls (Call call, size_t bytes, int n, int own_contexts)
{
  Variant variant = { "calls", 3, 2, SPIN, own_contexts, 0 };
  static Calls calls[MOST_PIPELINES];
  pthread_t threads[MOST_PIPELINES];
  pthread_barrier_t barrier;
  double ns = 0;

  pthread_barrier_init (&barrier, NULL, n);
  for (int i = 0; i < n; i++) {
    bare_open_pipeline (&calls[i].pipeline, &variant, 4 << 20);
    calls[i].call = call;
    calls[i].bytes = bytes;
    calls[i].barrier = &barrier;
    pthread_create (&threads[i], NULL, calls_main, &calls[i]);
  }
  for (int i = 0; i < n; i++) {
    pthread_join (threads[i], NULL);
    ns += calls[i].ns / n;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < IN_FLIGHT; k++)
      memcpy (calls[i].pipeline.to[k], calls[i].pipeline.from[k], 4 << 20);
    bare_close_pipeline (&calls[i].pipeline);
  }
  pthread_barrier_destroy (&barrier);
  return ns;
}

void
bare_compare_calls (void)
{
  printf ("\n%-40s %8s %8s %8s %8s  ns/call\n", "behind a busy stream",
      "1 thread", "2", "4", "2, own context");
  for (int call = 0; call < N_CALLS; call++) {
    for (size_t bytes = 4096; bytes <= (1 << 20); bytes *= 16) {
      char name[64];

      if (bytes > 4096 && (call < UP || call == LAUNCH))
        break;
      snprintf (name, sizeof (name), call < UP || call == LAUNCH ? "%s" :
          "%s, %zu bytes", call_names[call], call == UP_2D ? bytes / 8 : bytes);
      printf ("%-40s %8.0f %8.0f %8.0f %8.0f\n", name,
          measure_calls (call, bytes, 1, 0), measure_calls (call, bytes, 2, 0),
          measure_calls (call, bytes, 4, 0), measure_calls (call, bytes, 2, 1));
      fflush (stdout);
    }
  }
}
