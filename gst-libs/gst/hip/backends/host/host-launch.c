/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a kernel run on the CPUs?
 *
 * Its blocks are a range of numbers that the workers share out. Each piece of
 * the range gets dynamic shared memory and, if the kernel has barriers,
 * fibers of its own; the code that goes over blocks and threads was compiled
 * together with the kernel.
 *
 * Invariant: no allocation once a thread has run a launch as large.
 */
#include <stdlib.h>
#include <string.h>

#include "host-kernel.h"

/* A GPU gives no more without asking; static shared memory comes on top */
#define SHARED_ALIGN 128

struct _HostFunction
{
  HostModule *module;
  GstHipHostEntry entry;
  gboolean barrier;
  guint n_params;
  gsize params_size;
  GstHipMetaParam params[];
};

HostFunction *
host_function_new (HostModule * module, const gchar * name,
    GstHipHostEntry entry, gconstpointer meta, gsize meta_size)
{
  const GstHipMetaHead *head = meta;
  const GstHipMetaParam *params = (const GstHipMetaParam *) (head + 1);
  HostFunction *function;
  gsize offset = 0;

  if (meta_size < sizeof (*head) || head->magic != GST_HIP_META_MAGIC ||
      head->n_params > (meta_size - sizeof (*head)) / sizeof (*params))
    return NULL;
  for (guint i = 0; i < head->n_params; i++) {
    gsize align = params[i].align;

    if (align == 0 || (align & (align - 1)) || align > HOST_RING_CELL ||
        params[i].size > 65536)
      return NULL;
    offset = (offset + align - 1) / align * align + params[i].size;
  }

  function = g_malloc0 (sizeof (*function) + head->n_params * sizeof (*params));
  function->module = module;
  function->entry = entry;
  function->barrier = head->barrier != 0;
  function->n_params = head->n_params;
  function->params_size = offset;
  memcpy (function->params, params, head->n_params * sizeof (*params));
  return function;
}

void
host_function_free (HostFunction * function)
{
  g_free (function);
}

void
host_function_ref (HipNativeFunction native)
{
  host_module_ref (((HostFunction *) native)->module);
}

void
host_function_unref (HipNativeFunction native)
{
  host_module_unref (((HostFunction *) native)->module);
}

gsize
host_function_params_size (HipNativeFunction native)
{
  return ((HostFunction *) native)->params_size;
}

void
host_function_pack_params (HipNativeFunction native, void **params,
    gpointer packed)
{
  HostFunction *function = native;
  gsize offset = 0;

  for (guint i = 0; i < function->n_params; i++) {
    gsize align = function->params[i].align, size = function->params[i].size;

    offset = (offset + align - 1) / align * align;
    memcpy ((guint8 *) packed + offset, params[i], size);
    offset += size;
  }
}

/* --- running --- */

/* Dynamic shared memory of one OS thread, kept for the next launch */
typedef struct
{
  guint8 *data;
  gsize size;
} Shared;

static void
free_shared (gpointer data)
{
  Shared *shared = data;

  free (shared->data);
  g_free (shared);
}

static GPrivate thread_shared = G_PRIVATE_INIT (free_shared);

static guint8 *
get_shared (gsize size)
{
  Shared *shared = g_private_get (&thread_shared);

  if (!shared) {
    shared = g_new0 (Shared, 1);
    g_private_set (&thread_shared, shared);
  }
  if (shared->size < size) {
    free (shared->data);
    shared->size = (size + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;
    if (posix_memalign ((void **) &shared->data, SHARED_ALIGN,
            shared->size) != 0)
      g_error ("out of memory: %" G_GSIZE_FORMAT " bytes of shared memory",
          size);
    /* A device promises no content: make that visible */
    memset (shared->data, 0xa5, shared->size);
  }
  return shared->data;
}

typedef struct
{
  HostFunction *function;
  GstHipHostLaunch launch;      /* without what belongs to a thread */
  gsize shared_bytes;
} Run;

static void
run_range (guint64 begin, guint64 end, gpointer data)
{
  Run *run = data;
  GstHipHostLaunch launch = run->launch;

  if (run->shared_bytes > 0)
    launch.shared = get_shared (run->shared_bytes);
  if (run->function->barrier)
    launch.fibers = host_fibers_acquire ();
  run->function->entry (&launch, begin, end);
  if (launch.fibers)
    host_fibers_release (launch.fibers);
}

/* Blocks that one piece should have, so that handing it out is cheap beside
 * running it: some thousand threads. Nobody knows how much a thread does: where
 * that makes few pieces of many threads, there are more, so that every CPU has
 * work until the end. */
static guint64
choose_grain (guint64 blocks, guint threads_per_block)
{
  guint64 grain = 4096 / MAX (threads_per_block, 1);
  guint64 even = blocks / (4 * host_workers_count ());

  if (blocks * threads_per_block >= 1024)
    grain = MIN (grain, even);
  return CLAMP (grain, 1, MAX (blocks, 1));
}

void
host_function_run (HipNativeFunction native, const guint grid[3],
    const guint block[3], gsize shared_bytes, gpointer packed)
{
  guint64 blocks = (guint64) grid[0] * grid[1] * grid[2];
  Run run = { native, };

  memcpy (run.launch.grid, grid, sizeof (run.launch.grid));
  memcpy (run.launch.block, block, sizeof (run.launch.block));
  run.launch.params = packed;
  run.launch.run_threads = host_fibers_run;
  run.launch.barrier = host_fibers_barrier;
  run.shared_bytes = shared_bytes;
  host_workers_run (blocks, choose_grain (blocks,
          block[0] * block[1] * block[2]), run_range, &run);
}
