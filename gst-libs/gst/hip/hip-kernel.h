/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is between a kernel's source and its launch, for every vendor:
 * scanning the source for kernels and their parameters, making the complete
 * text that is compiled, the metadata that every binary carries, and the cache
 * of compiled modules. Who may include this: the library's own .c files and
 * tests. */
#pragma once

#include <gst/hip/gsthipmodule.h>
#include "hip-context.h"
#include "hip-kernel-meta.h"

G_BEGIN_DECLS

/* --- hip-kernel-scan.c: facts about a source; offsets are bytes --- */
typedef struct
{
  gchar *type_name;             /* as written, white space made single */
  gchar *name;                  /* "" if there is none */
  gboolean is_pointer;
  gboolean is_const;            /* pointer to const */
} HipScanParam;

typedef struct
{
  gsize begin, end;             /* the condition, without parentheses */
  gboolean leaves;              /* true for those that are kept out; else for those that go on */
} HipScanGuard;

typedef struct
{
  gchar *name;
  GArray *params;               /* of HipScanParam */
  GArray *guards;               /* of HipScanGuard: if one thread passes, so do those before it in x */
  gchar *inside;                /* parameters and body of a function: does a thread pass all of them? NULL: no guard */
  guint line;                   /* from 1, of the name */
  gboolean is_entry;            /* extern "C", no template */
  gboolean has_body;
  gboolean has_barrier;         /* names one in its own body */
  gsize params_begin;           /* just after the ( */
  gsize params_end;             /* at the ) */
  gsize body_end;               /* just after the } */
} HipScanKernel;

typedef struct
{
  gsize begin, end;             /* from extern to after the ; */
  gchar *type_name, *name;
  gchar *dimensions;            /* those after the first, "[4][2]" or "" */
  gboolean at_file_scope;
} HipScanShared;

typedef enum
{
  HIP_SCAN_SPAN_KNOWN_HEADER,   /* an #include of what the prelude replaces */
  HIP_SCAN_SPAN_COOPERATIVE_GROUPS,     /* an #include of those */
  HIP_SCAN_SPAN_CONSTANT_STATIC,        /* the static of static __constant__ */
  HIP_SCAN_SPAN_LAUNCH,         /* <<< */
} HipScanSpanKind;

typedef struct
{
  gsize begin, end;
  HipScanSpanKind kind;
} HipScanSpan;

typedef struct
{
  GArray *kernels;              /* of HipScanKernel, in order */
  GArray *shared;               /* of HipScanShared: dynamic shared memory */
  GArray *spans;                /* of HipScanSpan */
  gboolean includes;            /* includes a file of the user's */
  gboolean barrier_elsewhere;   /* a barrier outside kernels' bodies: functions, macros, included files */
  gboolean uses_shared;         /* may have shared memory, dynamic or not */
  gboolean indices_elsewhere;   /* threadIdx and its like outside kernels' bodies */
} HipKernelScan;

/* Never fails, whatever the bytes. */
HipKernelScan *hip_kernel_scan (const gchar * source, gsize length);
void hip_kernel_scan_free (HipKernelScan * scan);

/* --- hip-kernel-source.c: the complete text --- */
extern const gchar hip_prelude_text[];  /* kernels/hip-prelude.h and its parts, embedded by the build */

/* Takes -D and -U out of a backend's options: lines of #define and #undef instead. */
gchar *hip_kernel_source_take_definitions (gchar ** options);

/* host: make threads' indices locals of the kernels. name: what errors call the source. definitions: of the function
 * above; NULL: none. */
gchar *hip_kernel_source_compose (const gchar * source, const gchar * name, const gchar * definitions,
    const HipKernelScan * scan, gboolean host);

/* --- hip-kernel-recipe.c: from a source to what a compiler gets --- */
typedef struct
{
  gchar *name;                  /* what errors call the source */
  gchar *text;                  /* complete */
  gchar **options;              /* in the backend's spelling, without -D and -U */
  gchar *archive_key;           /* of what is compiled, whatever name the source has; NULL: it includes files */
} HipKernelRecipe;

/* native: NULL when kernels are precompiled. NULL with an error: an option makes no sense. */
HipKernelRecipe *hip_kernel_recipe_new (const HipBackend * backend, HipNativeContext native, const gchar * source,
    const gchar * name, const gchar * const *options, GError ** error);
void hip_kernel_recipe_free (HipKernelRecipe * recipe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HipKernelRecipe, hip_kernel_recipe_free)

/* --- hip-module-make.c: a module of a source --- */
typedef enum
{
  HIP_MODULE_ARCHIVED,          /* precompiled, installed with the library */
  HIP_MODULE_CACHED,            /* compiled by an earlier process */
  HIP_MODULE_COMPILED,          /* went through a compiler, with or without success */
  HIP_MODULE_N_ORIGINS
} HipModuleOrigin;

GstHipKernelModule *hip_module_make (HipContext * context, const gchar * source, const gchar * name,
    const gchar * const *options, GError ** error);
/* How often in this process. Modules that the process had already are not counted. */
guint hip_module_count (GstHipVendor vendor, HipModuleOrigin origin);

/* --- hip-module-cache.c: modules of a context, one compile for each --- */
typedef struct _HipModuleCache HipModuleCache;
typedef GstHipKernelModule *(*HipModuleMake) (gpointer data, GError ** error);

/* The module under key: an existing one, else what make returns. Threads that ask for a key being made wait for it and
 * share its error. make runs with no lock held. New reference. */
GstHipKernelModule *hip_module_cache_get (HipContext * context, const gchar * key, HipModuleMake make, gpointer data,
    GError ** error);
/* Called by a module's last unref: forgets it */
void hip_module_cache_remove (HipContext * context, const gchar * key, GstHipKernelModule * module);

/* --- gsthipmodule.c, gsthipmodulelaunch.c --- */
typedef struct
{
  gchar *name;
  HipNativeFunction function;
  GstHipKernelParameter *params;
  guint n_params;
  gchar *text;                  /* what the strings of params point into */
} HipModuleEntry;

typedef struct
{
  guint64 stream;               /* serial */
  GstHipEvent *event;           /* behind the newest launch on it */
} HipModuleLaunch;

struct _GstHipKernelModule
{
  gint ref_count;               /* atomic */
  HipContext *context;
  HipNativeModule native;
  GBytes *binary;
  gchar *key;                   /* in the context's cache, or NULL */
  GArray *entries;              /* of HipModuleEntry */

  HipMutex lock;                /* guards the last launch on each stream: unloading waits for them */
  GArray *launches;             /* of HipModuleLaunch */
};

/* A reference, or FALSE if the last one has gone */
gboolean hip_module_try_ref (GstHipKernelModule * module);
/* NULL: no such kernel */
const HipModuleEntry *hip_module_find_entry (GstHipKernelModule * module, const gchar * name);
/* Loads the binary and reads what is in it */
GstHipKernelModule *hip_module_load_binary (HipContext * context, GBytes * binary, GError ** error);

/* --- gsthipkernelargs.c --- */
typedef struct
{
  GstMemory *memory;            /* NULL: plain bytes */
  gsize offset;                 /* of memory; or of the bytes in the arguments' own store */
  gsize size, align;
  GstHipParameterKind kind;     /* STRUCT: bytes, for any parameter of that size */
} HipKernelArg;

typedef struct
{
  GstMemory *memory;            /* referenced */
  GstMapFlags flags;            /* 0: as the kernel's signature says */
  gint arg;                     /* -1: a dependency */
} HipKernelUse;

/* A plain value, copied, aligned as it wants to be */
void hip_kernel_args_add_value (GstHipKernelArgs * args, gconstpointer value, gsize size, gsize align,
    GstHipParameterKind kind);
const HipKernelArg *hip_kernel_args_get (GstHipKernelArgs * args, guint * n_args);
const HipKernelUse *hip_kernel_args_get_uses (GstHipKernelArgs * args, guint * n_uses);
gpointer hip_kernel_args_get_bytes (GstHipKernelArgs * args, const HipKernelArg * arg);

G_END_DECLS
