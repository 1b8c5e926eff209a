/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Compiled kernels on disk, shared by all processes of a user. Nothing here is
 * ever an error: what cannot be read or trusted is not there, what cannot be
 * written is not kept. All functions: any thread, no lock taken, blocking on
 * the file system only.
 *
 * Environment, read at each call: GST_HIP_CACHE=off, GST_HIP_CACHE_DIR,
 * GST_HIP_CACHE_SIZE (MiB).
 *
 * Who may include this: the module cache, hip-disk-cache*.c and their tests.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Everything that a binary depends on; NULL counts as empty. */
typedef struct
{
  const gchar *prelude;         /* what the library puts before (and after) the source */
  const gchar *source;          /* the user's */
  const gchar *const *options;  /* NULL-ended, in the compiler's spelling */
  const gchar *architecture;    /* what the binary runs on */
  const gchar *compiler;        /* HipBackend.compiler_id (): compiler and driver, with versions */
} HipDiskCacheParts;

/* 64 lower-case hexadecimal digits; free with g_free () */
gchar *hip_disk_cache_make_key (const HipDiskCacheParts * parts);

/* What was stored under key, checked; NULL: compile it. */
GBytes *hip_disk_cache_load (const gchar * key);
/* Replaces what is there in one step, then removes the files that were not used for longest until the size fits. */
void hip_disk_cache_store (const gchar * key, GBytes * binary);

/* --- between hip-disk-cache.c and hip-disk-cache-dir.c --- */

#define HIP_DISK_CACHE_SUFFIX ".kernel"
#define HIP_DISK_CACHE_TEMP_PREFIX ".tmp-"

/* A descriptor of the cache's folder, which is ours and nobody else can write; -1: there is none.
 * create: make it if it is not there. */
gint hip_disk_cache_dir_open (gboolean create);
guint64 hip_disk_cache_dir_limit (void);        /* bytes */
void hip_disk_cache_dir_trim (gint dirfd, guint64 limit);
/* One message of each kind per process, so that a cache which does not work is said once. */
typedef enum
{
  HIP_DISK_CACHE_UNTRUSTED,
  HIP_DISK_CACHE_UNWRITABLE,
  HIP_DISK_CACHE_SETTING,
  HIP_DISK_CACHE_N_PROBLEMS
} HipDiskCacheProblem;
void hip_disk_cache_report (HipDiskCacheProblem problem, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
