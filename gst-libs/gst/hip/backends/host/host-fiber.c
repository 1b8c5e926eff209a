/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How do the threads of a block wait for each other on one CPU?
 *
 * A fiber is a stack. The first one runs thread after thread as long as they
 * return; only when a thread stops at a barrier does the next fiber start, with
 * the next thread. When every thread has returned or stopped, those that
 * stopped go on, in order. So threads that never wait cost a call each, and a
 * thread that has returned needs no one to wait for it.
 *
 * Switching is a dozen instructions on x86-64; elsewhere, or with
 * GST_HIP_HOST_FIBERS=ucontext, it is swapcontext (). Sanitizers are told.
 *
 * Invariant: a fiber never leaves the OS thread that its block runs on.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "host-kernel.h"

/* Address space, not memory: only touched pages count */
#define STACK_BYTES (256 * 1024)

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined (__SANITIZE_ADDRESS__) || __has_feature (address_sanitizer)
#define WITH_ASAN 1
#include <sanitizer/common_interface_defs.h>
#else
#define WITH_ASAN 0
#endif
#if defined (__SANITIZE_THREAD__) || __has_feature (thread_sanitizer)
#define WITH_TSAN 1
#include <sanitizer/tsan_interface.h>
#else
#define WITH_TSAN 0
#endif

/* A shadow stack of the hardware would object to switching stacks by hand */
#if defined (__x86_64__) && !defined (__ILP32__) && \
    !(defined (__CET__) && (__CET__ & 2))
#define WITH_SWITCH 1
#else
#define WITH_SWITCH 0
#endif

typedef struct
{
  gpointer sp;                  /* saved by the switch */
  ucontext_t *context;          /* of ucontext, else NULL */
  guint8 *stack;                /* lowest usable address; NULL: the OS thread's own */
  gpointer asan_fake;
  gconstpointer asan_bottom;
  gsize asan_size;
  gpointer tsan;
} Fiber;

struct _HostFibers
{
  GPtrArray *fibers;            /* of Fiber; grows, never shrinks */
  Fiber main;
  guint running;                /* index of the fiber that runs */
  guint *waiting;               /* those at the barrier, in the order of arrival */
  guint n_waiting, waiting_size;

  void (*thread) (void *closure, unsigned int i);
  void *closure;
  guint next, n;                /* threads */
};

/* --- switching --- */

#if WITH_SWITCH
/* void host_fiber_switch (gpointer *save, gpointer load): keeps what the ABI
 * wants kept, control words included. */
void host_fiber_switch (gpointer * save, gpointer load)
    __attribute__((visibility ("hidden")));

__asm__ (".text\n"
    ".globl host_fiber_switch\n"
    ".hidden host_fiber_switch\n"
    ".type host_fiber_switch, @function\n"
    "host_fiber_switch:\n"
    "  endbr64\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  subq $8, %rsp\n"
    "  stmxcsr (%rsp)\n"
    "  fnstcw 4(%rsp)\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  ldmxcsr (%rsp)\n"
    "  fldcw 4(%rsp)\n"
    "  addq $8, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n" ".size host_fiber_switch, . - host_fiber_switch\n");
#endif

static gboolean
use_ucontext (void)
{
  static gsize choice;

  if (g_once_init_enter (&choice)) {
    gboolean wanted =
        g_strcmp0 (g_getenv ("GST_HIP_HOST_FIBERS"), "ucontext") == 0;

    g_once_init_leave (&choice, wanted || !WITH_SWITCH ? 2 : 1);
  }
  return choice == 2;
}

const gchar *
host_fibers_method (void)
{
  return use_ucontext ()? "ucontext" : "switch";
}

static void
switch_fiber (HostFibers * fibers, Fiber * from, Fiber * to)
{
#if WITH_ASAN
  __sanitizer_start_switch_fiber (&from->asan_fake, to->asan_bottom,
      to->asan_size);
#endif
#if WITH_TSAN
  __tsan_switch_to_fiber (to->tsan, 0);
#endif
#if WITH_SWITCH
  if (!to->context)
    host_fiber_switch (&from->sp, to->sp);
  else
#endif
    swapcontext (from->context, to->context);
#if WITH_ASAN
  /* Back: a fiber learns anew whose stack it was called from */
  __sanitizer_finish_switch_fiber (from->asan_fake,
      from == &fibers->main ? NULL : &fibers->main.asan_bottom,
      from == &fibers->main ? NULL : &fibers->main.asan_size);
#endif
}

static Fiber *
get_fiber (HostFibers * fibers, guint i)
{
  return g_ptr_array_index (fibers->fibers, i);
}

/* A fiber's whole life: threads while there are any, then back. Switched to
 * again, it goes on with the next block. */
static void
fiber_main (HostFibers * fibers)
{
  Fiber *self = get_fiber (fibers, fibers->running);

#if WITH_ASAN
  __sanitizer_finish_switch_fiber (NULL, &fibers->main.asan_bottom,
      &fibers->main.asan_size);
#endif
  for (;;) {
    while (fibers->next < fibers->n)
      fibers->thread (fibers->closure, fibers->next++);
    switch_fiber (fibers, self, &fibers->main);
  }
}

static void
fiber_main_ucontext (guint high, guint low)
{
  fiber_main ((HostFibers *) (guintptr) ((guint64) high << 32 | low));
}

#if WITH_SWITCH
/* Entered by the switch's ret: the object is in rbx, which the frame below
 * says */
void host_fiber_enter (void) __attribute__((visibility ("hidden")));
void host_fiber_start (HostFibers * fibers)
    __attribute__((visibility ("hidden"), used));

void
host_fiber_start (HostFibers * fibers)
{
  fiber_main (fibers);
}

__asm__ (".text\n"
    ".globl host_fiber_enter\n"
    ".hidden host_fiber_enter\n"
    ".type host_fiber_enter, @function\n"
    "host_fiber_enter:\n"
    "  endbr64\n"
    "  movq %rbx, %rdi\n"
    "  xorl %ebp, %ebp\n"
    "  call host_fiber_start\n"
    "  ud2\n" ".size host_fiber_enter, . - host_fiber_enter\n");

static void
prepare_switch (HostFibers * fibers, Fiber * fiber)
{
  guint64 *top = (guint64 *) (fiber->stack + STACK_BYTES);
  guint32 mxcsr = __builtin_ia32_stmxcsr ();
  guint16 fcw = 0x037f;         /* as the ABI has it at the start */

  /* as host_fiber_switch () leaves it: control words, r15 to r12, rbx, rbp,
   * return address; at the entry the stack is a multiple of 16 */
  top -= 2;
  *--top = (guint64) (guintptr) host_fiber_enter;
  *--top = 0;
  *--top = (guint64) (guintptr) fibers;
  top -= 4;
  memset (top, 0, 4 * sizeof (*top));
  top--;
  memcpy (top, &mxcsr, sizeof (mxcsr));
  memcpy ((guint8 *) top + 4, &fcw, sizeof (fcw));
  fiber->sp = top;
}
#endif

static void
prepare_ucontext (HostFibers * fibers, Fiber * fiber)
{
  guint64 address = (guintptr) fibers;

  fiber->context = g_new0 (ucontext_t, 1);
  getcontext (fiber->context);
  fiber->context->uc_stack.ss_sp = fiber->stack;
  fiber->context->uc_stack.ss_size = STACK_BYTES;
  makecontext (fiber->context, (void (*)(void)) fiber_main_ucontext, 2,
      (guint) (address >> 32), (guint) address);
}

/* --- fibers and their stacks --- */

static void
add_fiber (HostFibers * fibers)
{
  Fiber *fiber = g_new0 (Fiber, 1);
  gsize guard = sysconf (_SC_PAGESIZE);
  guint8 *area = mmap (NULL, STACK_BYTES + guard, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

  if (area == MAP_FAILED)
    g_error ("no address space for the stacks of a block with barriers");
  /* The system counts areas of different protection and has a limit: beyond
   * it, stacks go without their guard. */
  if (mprotect (area, guard, PROT_NONE) != 0)
    g_debug ("a stack without guard page");
  fiber->stack = area + guard;
  fiber->asan_bottom = fiber->stack;
  fiber->asan_size = STACK_BYTES;
#if WITH_TSAN
  fiber->tsan = __tsan_create_fiber (0);
#endif
#if WITH_SWITCH
  if (!use_ucontext ())
    prepare_switch (fibers, fiber);
  else
#endif
    prepare_ucontext (fibers, fiber);
  g_ptr_array_add (fibers->fibers, fiber);
}

static HipMutex pool_lock = HIP_MUTEX_INIT;
static GPtrArray *pool;         /* idle ones; as many as ran at once */

HostFibers *
host_fibers_acquire (void)
{
  HostFibers *fibers = NULL;

  hip_mutex_lock (&pool_lock);
  if (pool && pool->len > 0)
    fibers = g_ptr_array_steal_index_fast (pool, pool->len - 1);
  hip_mutex_unlock (&pool_lock);

  if (!fibers) {
    fibers = g_new0 (HostFibers, 1);
    fibers->fibers = g_ptr_array_new ();
    if (use_ucontext ())
      fibers->main.context = g_new0 (ucontext_t, 1);
  }
#if WITH_TSAN
  fibers->main.tsan = __tsan_get_current_fiber ();
#endif
  return fibers;
}

void
host_fibers_release (HostFibers * fibers)
{
  hip_mutex_lock (&pool_lock);
  if (!pool)
    pool = g_ptr_array_new ();
  g_ptr_array_add (pool, fibers);
  hip_mutex_unlock (&pool_lock);
}

/* --- a block --- */

static void
resume (HostFibers * fibers, guint i)
{
  fibers->running = i;
  switch_fiber (fibers, &fibers->main, get_fiber (fibers, i));
}

void
host_fibers_run (void *data, void (*thread) (void *closure, unsigned int i),
    void *closure, unsigned int n)
{
  HostFibers *fibers = data;
  guint used = 0;

  fibers->thread = thread;
  fibers->closure = closure;
  fibers->next = 0;
  fibers->n = n;
  fibers->n_waiting = 0;
  if (fibers->waiting_size < n) {
    fibers->waiting = g_renew (guint, fibers->waiting, n);
    fibers->waiting_size = n;
  }

  /* Each returns with its thread at a barrier, or with no thread left */
  while (fibers->next < n) {
    if (used == fibers->fibers->len)
      add_fiber (fibers);
    resume (fibers, used++);
  }
  while (fibers->n_waiting > 0) {
    guint arrived = fibers->n_waiting;

    fibers->n_waiting = 0;
    for (guint i = 0; i < arrived; i++)
      /* it writes at most as many entries as have been read */
      resume (fibers, fibers->waiting[i]);
  }
}

void
host_fibers_barrier (void *data)
{
  HostFibers *fibers = data;
  Fiber *self = get_fiber (fibers, fibers->running);

  fibers->waiting[fibers->n_waiting++] = fibers->running;
  switch_fiber (fibers, self, &fibers->main);
}
