/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Kernels of the host backend: what host-module.c, host-launch.c and
 * host-fiber.c share. Who may include this: those and their tests. */
#pragma once

#include "host-internal.h"
#include "../../hip-kernel-meta.h"

G_BEGIN_DECLS

typedef struct _HostFunction HostFunction;

typedef struct
{
  gatomicrefcount ref_count;
  gpointer handle;              /* of dlopen () */
  GPtrArray *functions;         /* owned, of HostFunction */
  HipMutex lock;                  /* guards functions */
} HostModule;

void host_module_ref (HostModule * module);
void host_module_unref (HostModule * module);

/* --- host-launch.c --- */
/* NULL if the metadata makes no sense */
HostFunction *host_function_new (HostModule * module, const gchar * name, GstHipHostEntry entry, gconstpointer meta,
    gsize meta_size);
void host_function_free (HostFunction * function);

/* --- host-fiber.c: threads of a block that wait for each other --- */
typedef struct _HostFibers HostFibers;

/* From a pool; used by one OS thread at a time. */
HostFibers *host_fibers_acquire (void);
void host_fibers_release (HostFibers * fibers);
/* Runs thread (closure, i) for all i in [0, n); each may call host_fibers_barrier (). A thread that has returned
 * counts as arrived. */
void host_fibers_run (void *fibers, void (*thread) (void *closure, unsigned int i), void *closure, unsigned int n);
void host_fibers_barrier (void *fibers);
/* For tests: "switch" or "ucontext" */
const gchar *host_fibers_method (void);

G_END_DECLS
