/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* An NVIDIA driver's calls and nothing else: what the parts of
 * gst-hip-bench-driver share. */
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include "../../gst-libs/gst/hip/backends/nvidia/nvidia-symbols.h"

#define IN_FLIGHT 8
#define RING 64                 /* events of a stage, more than can be unfinished */
#define MOST_PIPELINES 4

#define CHECK(name, ...) bare_check (bare_cu.name (__VA_ARGS__), #name)

typedef enum
{
  SPIN,                         /* the streaming thread asks, awake */
  BLOCK,                        /* the streaming thread sleeps in the driver */
  OLDEST, MIDDLE, NEWEST,       /* a worker for each stream sleeps for that one of its frames */
  HEAVY,                        /* as OLDEST, with events that it can sleep for themselves */
} Wait;

typedef struct
{
  const char *name;
  int streams;                  /* 1 or 3 */
  int depth;                    /* buffers on the device for each stage */
  Wait wait;
  int own_contexts;
  int processes;
} Variant;

typedef struct
{
  pthread_mutex_t lock;
  pthread_cond_t pushed, finished;
  int worker_waits, thread_waits, quit;
  CuEvent queue[RING];
  unsigned first, n;
  unsigned long submitted, done;
} Lane;

typedef struct
{
  const Variant *variant;
  size_t bytes;
  CuContext context;
  CuStream streams[3];
  CuEvent events[3][RING];
  CuDevicePtr up[16], out[16];
  char *from[IN_FLIGHT], *to[IN_FLIGHT];
  CuFunction function;
  CuModule module;
  Lane lanes[3];
  pthread_t workers[3];
  CuStream sleep_streams[3];
  CuEvent sleep_events[3];
  pthread_barrier_t *barrier;
  double begin, end, cpu;
} Pipeline;

extern NvidiaCuda bare_cu;
extern int bare_frames;         /* a round */

/* Ends the process with 77 where there is no driver or device */
void bare_open_driver (void);
/* Ends the process with a message where result is an error */
void bare_check (CuResult result, const char *what);
double bare_now_us (clockid_t clock);

void bare_push (Pipeline * p);
void bare_pop (void);
void bare_open_pipeline (Pipeline * p, const Variant * variant, size_t bytes);
/* A thread's: one round of frames, which it drains */
void *bare_pipeline_main (void *pipeline);
/* Looks whether the last frames came back as they went */
void bare_close_pipeline (Pipeline * p);

/* Prints the CPU time of single calls, alone and beside other threads. */
void bare_compare_calls (void);
