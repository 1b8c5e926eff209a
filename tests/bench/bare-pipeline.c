/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a program with nothing but an NVIDIA driver bring frames up, through a
 * kernel, and down again? In variants that bare-driver.h names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bare-driver.h"

NvidiaCuda bare_cu;
int bare_frames = 2000;

static CuResult (*bare_ctx_create) (CuContext * context, unsigned int flags,
    CuDevice device);
static CuDevice device;

/* What NVRTC 13 makes of a loop body that copies words, for compute_75 */
static const char ptx[] =
    ".version 6.4\n.target sm_75\n.address_size 64\n"
    ".visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 n)\n"
    "{ .reg .pred %p<2>; .reg .b32 %r<7>; .reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r2, [n];\n"
    "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;\n"
    "mad.lo.s32 %r1, %r3, %r4, %r5; setp.ge.u32 %p1, %r1, %r2;\n"
    "@%p1 bra DONE;\n"
    "cvta.to.global.u64 %rd3, %rd1; mul.wide.u32 %rd4, %r1, 4;\n"
    "add.s64 %rd5, %rd3, %rd4; ld.global.u32 %r6, [%rd5];\n"
    "cvta.to.global.u64 %rd6, %rd2; add.s64 %rd7, %rd6, %rd4;\n"
    "st.global.u32 [%rd7], %r6;\nDONE: ret; }\n";

void
bare_check (CuResult result, const char *what)
{
  if (result == CU_OK)
    return;
  fprintf (stderr, "%s gives %u\n", what, result);
  exit (1);
}

double
bare_now_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

void
bare_open_driver (void)
{
  const char *name = getenv ("GST_HIP_CUDA_LIBNAME");
  void *library = dlopen (name ? name : "libcuda.so.1", RTLD_NOW);

  if (!library) {
    fprintf (stderr, "%s\n", dlerror ());
    exit (77);
  }
#define FIND(need, name, params)                                        \
  *(void **) &bare_cu.name = dlsym (library, #name);                         \
  if (!bare_cu.name && strcmp (#need, "required") == 0) {                    \
    fprintf (stderr, "%s is missing\n", #name);                         \
    exit (1);                                                           \
  }
  NVIDIA_CUDA_SYMBOLS (FIND)
#undef FIND
      * (void **) &bare_ctx_create = dlsym (library, "cuCtxCreate_v2");
  if (bare_cu.cuInit (0) != CU_OK || bare_cu.cuDeviceGet (&device, 0) != CU_OK)
    exit (77);
}

/* --- one pipeline --- */

typedef struct
{
  Pipeline *pipeline;
  int lane;
} Worker;

void
bare_push (Pipeline * p)
{
  CHECK (cuCtxPushCurrent_v2, p->context);
}

void
bare_pop (void)
{
  CuContext popped;

  CHECK (cuCtxPopCurrent_v2, &popped);
}

static int
has_workers (const Variant * variant)
{
  return variant->wait >= OLDEST;
}

/* As the library's workers do */
static void
sleep_for (Pipeline * p, int lane, CuEvent event)
{
  CuResult result;

  bare_push (p);
  result = bare_cu.cuEventQuery (event);
  bare_pop ();
  if (result == CU_OK)
    return;
  bare_push (p);
  if (p->variant->wait == HEAVY) {
    CHECK (cuEventSynchronize, event);
  } else {
    CHECK (cuStreamWaitEvent, p->sleep_streams[lane], event, 0);
    CHECK (cuEventRecord, p->sleep_events[lane], p->sleep_streams[lane]);
    CHECK (cuEventSynchronize, p->sleep_events[lane]);
  }
  bare_pop ();
}

static void *
worker_main (void *data)
{
  Worker *worker = data;
  Pipeline *p = worker->pipeline;
  Lane *lane = &p->lanes[worker->lane];
  int index = worker->lane;

  free (worker);
  pthread_mutex_lock (&lane->lock);
  for (;;) {
    unsigned which;
    CuEvent event;

    while (lane->n == 0 && !lane->quit) {
      lane->worker_waits = 1;
      pthread_cond_wait (&lane->pushed, &lane->lock);
      lane->worker_waits = 0;
    }
    if (lane->n == 0)
      break;
    which = p->variant->wait == MIDDLE ? (lane->n - 1) / 2
        : p->variant->wait == NEWEST ? lane->n - 1 : 0;
    event = lane->queue[(lane->first + which) % RING];
    pthread_mutex_unlock (&lane->lock);
    sleep_for (p, index, event);
    pthread_mutex_lock (&lane->lock);
    lane->first = (lane->first + which + 1) % RING;
    lane->n -= which + 1;
    lane->done += which + 1;
    if (lane->thread_waits)
      pthread_cond_signal (&lane->finished);
  }
  pthread_mutex_unlock (&lane->lock);
  return NULL;
}

static void
submit (Pipeline * p, int stage, CuEvent event)
{
  Lane *lane = &p->lanes[stage];

  if (!has_workers (p->variant))
    return;
  pthread_mutex_lock (&lane->lock);
  lane->queue[(lane->first + lane->n) % RING] = event;
  lane->n++;
  lane->submitted++;
  if (lane->worker_waits)
    pthread_cond_signal (&lane->pushed);
  pthread_mutex_unlock (&lane->lock);
}

static void
wait_room (Pipeline * p, int stage, unsigned most)
{
  Lane *lane = &p->lanes[stage];

  pthread_mutex_lock (&lane->lock);
  while (lane->submitted - lane->done > most) {
    lane->thread_waits = 1;
    pthread_cond_wait (&lane->finished, &lane->lock);
    lane->thread_waits = 0;
  }
  pthread_mutex_unlock (&lane->lock);
}

static void
wait_for (Pipeline * p, CuEvent event)
{
  CuResult result;

  bare_push (p);
  if (p->variant->wait == BLOCK) {
    CHECK (cuEventSynchronize, event);
  } else {
    while ((result = bare_cu.cuEventQuery (event)) == CU_NOT_READY);
    bare_check (result, "cuEventQuery");
  }
  bare_pop ();
}

static void
stream_wait (Pipeline * p, int stage, CuEvent event)
{
  if (p->variant->streams == 1)
    return;
  bare_push (p);
  CHECK (cuStreamWaitEvent, p->streams[stage], event, 0);
  bare_pop ();
}

static void
record (Pipeline * p, int stage, unsigned frame)
{
  CuEvent event = p->events[stage][frame % RING];

  if (p->variant->streams == 1 && stage < 2)
    return;
  bare_push (p);
  CHECK (cuEventRecord, event, p->streams[stage]);
  bare_pop ();
  submit (p, stage, event);
}

static void
one_frame (Pipeline * p, unsigned i)
{
  unsigned depth = p->variant->depth, n = p->bytes / 4;
  CuDevicePtr up = p->up[i % depth], out = p->out[i % depth];
  void *params[] = { &up, &out, &n };

  if (!has_workers (p->variant) && i >= IN_FLIGHT)
    wait_for (p, p->events[2][(i - IN_FLIGHT) % RING]);
  for (int stage = 0; has_workers (p->variant) && stage < 3; stage++)
    if (p->variant->streams == 3 || stage == 2)
      wait_room (p, stage, IN_FLIGHT - 1);
  if (i >= depth)               /* who read the buffer last */
    stream_wait (p, 0, p->events[1][(i - depth) % RING]);
  bare_push (p);
  CHECK (cuMemcpyHtoDAsync_v2, up, p->from[i % IN_FLIGHT], p->bytes,
      p->streams[0]);
  bare_pop ();
  record (p, 0, i);
  stream_wait (p, 1, p->events[0][i % RING]);
  if (i >= depth)
    stream_wait (p, 1, p->events[2][(i - depth) % RING]);
  bare_push (p);
  CHECK (cuLaunchKernel, p->function, (n + 255) / 256, 1, 1, 256, 1, 1, 0,
      p->streams[1], params, NULL);
  bare_pop ();
  record (p, 1, i);
  stream_wait (p, 2, p->events[1][i % RING]);
  bare_push (p);
  CHECK (cuMemcpyDtoHAsync_v2, p->to[i % IN_FLIGHT], out, p->bytes,
      p->streams[2]);
  bare_pop ();
  record (p, 2, i);
}

static void
drain (Pipeline * p)
{
  for (int stage = 0; has_workers (p->variant) && stage < 3; stage++)
    wait_room (p, stage, 0);
  bare_push (p);
  for (int stage = 0; stage < 3; stage++)
    while (bare_cu.cuStreamQuery (p->streams[stage]) != CU_OK);
  bare_pop ();
}

void *
bare_pipeline_main (void *data)
{
  Pipeline *p = data;
  double cpu;

  if (p->barrier)
    pthread_barrier_wait (p->barrier);
  p->begin = bare_now_us (CLOCK_MONOTONIC);
  cpu = bare_now_us (CLOCK_THREAD_CPUTIME_ID);
  for (unsigned i = 0; i < (unsigned) bare_frames; i++)
    one_frame (p, i);
  p->cpu = bare_now_us (CLOCK_THREAD_CPUTIME_ID) - cpu;
  drain (p);
  p->end = bare_now_us (CLOCK_MONOTONIC);
  return NULL;
}

void
bare_open_pipeline (Pipeline * p, const Variant * variant, size_t bytes)
{
  int least, greatest;
  unsigned flags = CU_FLAG_EVENT_NO_TIMING;

  memset (p, 0, sizeof (*p));
  p->variant = variant;
  p->bytes = bytes;
  if (variant->own_contexts) {
    bare_check (bare_ctx_create (&p->context, 0, device), "cuCtxCreate_v2");
    bare_pop ();
  } else {
    CHECK (cuDevicePrimaryCtxRetain, &p->context, device);
  }
  if (variant->wait == HEAVY || variant->wait == BLOCK)
    flags |= CU_FLAG_EVENT_BLOCKING;
  bare_push (p);
  CHECK (cuCtxGetStreamPriorityRange, &least, &greatest);
  CHECK (cuModuleLoadDataEx, &p->module, ptx, 0, NULL, NULL);
  CHECK (cuModuleGetFunction, &p->function, p->module, "copy");
  for (int i = 0; i < 3; i++) {
    if (i < variant->streams)
      CHECK (cuStreamCreateWithPriority, &p->streams[i],
          CU_FLAG_STREAM_NON_BLOCKING, 0);
    else
      p->streams[i] = p->streams[0];
    for (int k = 0; k < RING; k++)
      CHECK (cuEventCreate, &p->events[i][k], flags);
    CHECK (cuStreamCreateWithPriority, &p->sleep_streams[i],
        CU_FLAG_STREAM_NON_BLOCKING, greatest);
    CHECK (cuEventCreate, &p->sleep_events[i],
        CU_FLAG_EVENT_BLOCKING | CU_FLAG_EVENT_NO_TIMING);
  }
  for (int i = 0; i < variant->depth; i++) {
    CHECK (cuMemAlloc_v2, &p->up[i], bytes);
    CHECK (cuMemAlloc_v2, &p->out[i], bytes);
  }
  for (int i = 0; i < IN_FLIGHT; i++) {
    CHECK (cuMemHostAlloc, (void **) &p->from[i], bytes, 3);
    CHECK (cuMemHostAlloc, (void **) &p->to[i], bytes, 3);
    memset (p->from[i], 17 * i + 1, bytes);
  }
  bare_pop ();
  for (int i = 0; has_workers (variant) && i < 3; i++) {
    Worker *worker = malloc (sizeof (*worker));

    pthread_mutex_init (&p->lanes[i].lock, NULL);
    pthread_cond_init (&p->lanes[i].pushed, NULL);
    pthread_cond_init (&p->lanes[i].finished, NULL);
    *worker = (Worker) {
    p, i};
    pthread_create (&p->workers[i], NULL, worker_main, worker);
  }
}

void
bare_close_pipeline (Pipeline * p)
{
  for (int i = 0; has_workers (p->variant) && i < 3; i++) {
    pthread_mutex_lock (&p->lanes[i].lock);
    p->lanes[i].quit = 1;
    pthread_cond_signal (&p->lanes[i].pushed);
    pthread_mutex_unlock (&p->lanes[i].lock);
    pthread_join (p->workers[i], NULL);
  }
  /* The last frames are right, or the figures mean nothing. */
  for (int i = 0; i < IN_FLIGHT; i++) {
    if (memcmp (p->from[i], p->to[i], p->bytes) != 0) {
      fprintf (stderr, "%s: wrong bytes\n", p->variant->name);
      exit (1);
    }
  }
  bare_push (p);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < RING; k++)
      CHECK (cuEventDestroy_v2, p->events[i][k]);
    CHECK (cuEventDestroy_v2, p->sleep_events[i]);
    CHECK (cuStreamDestroy_v2, p->sleep_streams[i]);
    if (i < p->variant->streams)
      CHECK (cuStreamDestroy_v2, p->streams[i]);
  }
  for (int i = 0; i < p->variant->depth; i++) {
    CHECK (cuMemFree_v2, p->up[i]);
    CHECK (cuMemFree_v2, p->out[i]);
  }
  for (int i = 0; i < IN_FLIGHT; i++) {
    CHECK (cuMemFreeHost, p->from[i]);
    CHECK (cuMemFreeHost, p->to[i]);
  }
  CHECK (cuModuleUnload, p->module);
  bare_pop ();
}
