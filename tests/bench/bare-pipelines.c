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
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../gst-libs/gst/hip/backends/nvidia/nvidia-symbols.h"

#define IN_FLIGHT 8
#define RING 64                 /* events of a stage, more than can be unfinished */
#define ROUNDS 3
#define MOST_PIPELINES 4

static NvidiaCuda cu;
static CuResult (*cuCtxCreate_v2) (CuContext * context, unsigned int flags,
    CuDevice device);
static CuDevice device;
static int frames = 2000;       /* a round */

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

#define CHECK(name, ...) check (cu.name (__VA_ARGS__), #name)

static void
check (CuResult result, const char *what)
{
  if (result == CU_OK)
    return;
  fprintf (stderr, "%s gives %u\n", what, result);
  exit (1);
}

static double
now_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

/* --- variants --- */

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

/* --- one pipeline --- */

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

typedef struct
{
  Pipeline *pipeline;
  int lane;
} Worker;

static void
push (Pipeline * p)
{
  CHECK (cuCtxPushCurrent_v2, p->context);
}

static void
pop (void)
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

  push (p);
  result = cu.cuEventQuery (event);
  pop ();
  if (result == CU_OK)
    return;
  push (p);
  if (p->variant->wait == HEAVY) {
    CHECK (cuEventSynchronize, event);
  } else {
    CHECK (cuStreamWaitEvent, p->sleep_streams[lane], event, 0);
    CHECK (cuEventRecord, p->sleep_events[lane], p->sleep_streams[lane]);
    CHECK (cuEventSynchronize, p->sleep_events[lane]);
  }
  pop ();
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

  push (p);
  if (p->variant->wait == BLOCK) {
    CHECK (cuEventSynchronize, event);
  } else {
    while ((result = cu.cuEventQuery (event)) == CU_NOT_READY);
    check (result, "cuEventQuery");
  }
  pop ();
}

static void
stream_wait (Pipeline * p, int stage, CuEvent event)
{
  if (p->variant->streams == 1)
    return;
  push (p);
  CHECK (cuStreamWaitEvent, p->streams[stage], event, 0);
  pop ();
}

static void
record (Pipeline * p, int stage, unsigned frame)
{
  CuEvent event = p->events[stage][frame % RING];

  if (p->variant->streams == 1 && stage < 2)
    return;
  push (p);
  CHECK (cuEventRecord, event, p->streams[stage]);
  pop ();
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
  push (p);
  CHECK (cuMemcpyHtoDAsync_v2, up, p->from[i % IN_FLIGHT], p->bytes,
      p->streams[0]);
  pop ();
  record (p, 0, i);
  stream_wait (p, 1, p->events[0][i % RING]);
  if (i >= depth)
    stream_wait (p, 1, p->events[2][(i - depth) % RING]);
  push (p);
  CHECK (cuLaunchKernel, p->function, (n + 255) / 256, 1, 1, 256, 1, 1, 0,
      p->streams[1], params, NULL);
  pop ();
  record (p, 1, i);
  stream_wait (p, 2, p->events[1][i % RING]);
  push (p);
  CHECK (cuMemcpyDtoHAsync_v2, p->to[i % IN_FLIGHT], out, p->bytes,
      p->streams[2]);
  pop ();
  record (p, 2, i);
}

static void
drain (Pipeline * p)
{
  for (int stage = 0; has_workers (p->variant) && stage < 3; stage++)
    wait_room (p, stage, 0);
  push (p);
  for (int stage = 0; stage < 3; stage++)
    while (cu.cuStreamQuery (p->streams[stage]) != CU_OK);
  pop ();
}

static void *
pipeline_main (void *data)
{
  Pipeline *p = data;
  double cpu;

  if (p->barrier)
    pthread_barrier_wait (p->barrier);
  p->begin = now_us (CLOCK_MONOTONIC);
  cpu = now_us (CLOCK_THREAD_CPUTIME_ID);
  for (unsigned i = 0; i < (unsigned) frames; i++)
    one_frame (p, i);
  p->cpu = now_us (CLOCK_THREAD_CPUTIME_ID) - cpu;
  drain (p);
  p->end = now_us (CLOCK_MONOTONIC);
  return NULL;
}

static void
open_pipeline (Pipeline * p, const Variant * variant, size_t bytes)
{
  int least, greatest;
  unsigned flags = CU_FLAG_EVENT_NO_TIMING;

  memset (p, 0, sizeof (*p));
  p->variant = variant;
  p->bytes = bytes;
  if (variant->own_contexts) {
    check (cuCtxCreate_v2 (&p->context, 0, device), "cuCtxCreate_v2");
    pop ();
  } else {
    CHECK (cuDevicePrimaryCtxRetain, &p->context, device);
  }
  if (variant->wait == HEAVY || variant->wait == BLOCK)
    flags |= CU_FLAG_EVENT_BLOCKING;
  push (p);
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
  pop ();
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

static void
close_pipeline (Pipeline * p)
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
  push (p);
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
  pop ();
}

/* --- measuring --- */

static void
open_driver (void)
{
  const char *name = getenv ("GST_HIP_CUDA_LIBNAME");
  void *library = dlopen (name ? name : "libcuda.so.1", RTLD_NOW);

  if (!library) {
    fprintf (stderr, "%s\n", dlerror ());
    exit (77);
  }
#define FIND(need, name, params)                                        \
  *(void **) &cu.name = dlsym (library, #name);                         \
  if (!cu.name && strcmp (#need, "required") == 0) {                    \
    fprintf (stderr, "%s is missing\n", #name);                         \
    exit (1);                                                           \
  }
  NVIDIA_CUDA_SYMBOLS (FIND)
#undef FIND
      * (void **) &cuCtxCreate_v2 = dlsym (library, "cuCtxCreate_v2");
  if (cu.cuInit (0) != CU_OK || cu.cuDeviceGet (&device, 0) != CU_OK)
    exit (77);
}

/* Microseconds a frame of n pipelines together, the best of some rounds */
static double
measure_threads (const Variant * variant, size_t bytes, int n, double *cpu)
{
  static Pipeline pipelines[MOST_PIPELINES];
  pthread_t threads[MOST_PIPELINES];
  double best = 1e9;

  for (int i = 0; i < n; i++)
    open_pipeline (&pipelines[i], variant, bytes);
  for (int round = 0; round < ROUNDS; round++) {
    double begin = 1e18, end = 0;
    pthread_barrier_t barrier;

    pthread_barrier_init (&barrier, NULL, n);
    for (int i = 0; i < n; i++) {
      pipelines[i].barrier = &barrier;
      pthread_create (&threads[i], NULL, pipeline_main, &pipelines[i]);
    }
    for (int i = 0; i < n; i++)
      pthread_join (threads[i], NULL);
    pthread_barrier_destroy (&barrier);
    for (int i = 0; i < n; i++) {
      begin = pipelines[i].begin < begin ? pipelines[i].begin : begin;
      end = pipelines[i].end > end ? pipelines[i].end : end;
    }
    if ((end - begin) / frames / n < best) {
      best = (end - begin) / frames / n;
      *cpu = pipelines[0].cpu / frames;
    }
  }
  for (int i = 0; i < n; i++)
    close_pipeline (&pipelines[i]);
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

  open_driver ();
  open_pipeline (&pipeline, variant, bytes);
  pipeline_main (&pipeline);
  for (int round = 0; round < ROUNDS; round++) {
    atomic_fetch_add (&shared->ready[round], 1);
    while (atomic_load (&shared->ready[round]) < n);
    pipeline_main (&pipeline);
    shared->begin[round][self] = pipeline.begin;
    shared->end[round][self] = pipeline.end;
    shared->cpu[round] = pipeline.cpu / frames;
  }
  close_pipeline (&pipeline);
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
    if ((end - begin) / frames / n < best) {
      best = (end - begin) / frames / n;
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

/* --- single calls --- */

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
      push (p);
      pop ();
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
      cu.cuEventQuery (p->events[1][0]);
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

  push (p);
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
    begin = now_us (CLOCK_MONOTONIC);
    for (int i = 0; i < CALLS; i++)
      make_call (calls, i);
    bursts[burst] = (now_us (CLOCK_MONOTONIC) - begin) * 1000 / CALLS;
    CHECK (cuStreamSynchronize, p->streams[0]);
    CHECK (cuStreamSynchronize, p->streams[1]);
  }
  pop ();
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
    open_pipeline (&calls[i].pipeline, &variant, 4 << 20);
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
    close_pipeline (&calls[i].pipeline);
  }
  pthread_barrier_destroy (&barrier);
  return ns;
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
    frames = 20;
    n_sizes = 1;
  }
  printf ("   bytes  %-46s %7s %7s %6s %7s %6s   %s\n", "us/frame", "one",
      "two", "ratio", "four", "ratio", "CPU of one thread, of 1, 2, 4");
  /* Children first: none may be made of a process that has the driver open. */
  for (int processes = 1; processes >= 0; processes--) {
    if (!processes)
      open_driver ();
    for (unsigned size = 0; size < n_sizes; size++) {
      for (int i = 0; i < n_variants; i++) {
        if (variants[i].processes == processes)
          compare (&variants[i], sizes[size]);
      }
    }
  }
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
  return 0;
}
