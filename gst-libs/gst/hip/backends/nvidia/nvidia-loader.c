/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which libraries of NVIDIA are there, and which functions do they have?
 *
 * Versioned names, as drivers and toolkits install them without development
 * packages; the run-time library (cudart) is not needed. A name in the
 * environment is the only one tried. Libraries stay loaded: the driver starts
 * threads of its own and has exit handlers.
 *
 * Must not know: what the functions are for.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* dladdr */
#endif
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "nvidia-internal.h"
#include "../../hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_nvidia_debug, "hipnvidia", "HIP NVIDIA backend")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_nvidia_debug ()

#define ENV_CUDA "GST_HIP_CUDA_LIBNAME"
#define ENV_NVRTC "GST_HIP_NVRTC_LIBNAME"

static const gchar *const cuda_names[] = { "libcuda.so.1", NULL };

static const gchar *const nvrtc_names[] = { "libnvrtc.so.13", "libnvrtc.so.12",
  "libnvrtc.so.11.2", "libnvrtc.so", NULL
};

/* Where toolkits lie that are not on the loader's path */
static const gchar *const nvrtc_folders[] = { "/usr/local/cuda/lib64",
  "/opt/cuda/lib64", NULL
};

typedef struct
{
  const gchar *name;
  gsize offset;                 /* of the pointer in its struct */
  gboolean optional;
} Symbol;

#define required FALSE
#define optional TRUE
#define SYMBOL(need, symbol, params) \
  { #symbol, G_STRUCT_OFFSET (NvidiaCuda, symbol), need },
/* *INDENT-OFF* */
static const Symbol cuda_symbols[] = {
  NVIDIA_CUDA_SYMBOLS (SYMBOL)
};
/* *INDENT-ON* */
#undef SYMBOL
#define SYMBOL(need, symbol, params) \
  { #symbol, G_STRUCT_OFFSET (NvidiaNvrtc, symbol), need },
/* *INDENT-OFF* */
static const Symbol nvrtc_symbols[] = {
  NVIDIA_NVRTC_SYMBOLS (SYMBOL)
  {"nvrtcGetErrorString", G_STRUCT_OFFSET (NvidiaNvrtc, nvrtcGetErrorString),
      required},
};
/* *INDENT-ON* */
#undef SYMBOL
#undef required
#undef optional

NvidiaCuda nvidia_cuda;

static gchar *cuda_path;        /* written once, before nvidia_cuda is used */

static HipMutex nvrtc_lock;
static struct
{
  gboolean tried;
  gchar *wish;                  /* of the environment, at that time */
  NvidiaNvrtc functions;
  gchar *path;                  /* NULL: not loaded */
  GError *error;
} nvrtc;

/* --- finding --- */

static gpointer
open_one (const gchar * name, GString * tried)
{
  gpointer handle = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  const gchar *reason;

  if (handle) {
    GST_DEBUG ("opened %s", name);
    return handle;
  }
  reason = dlerror ();
  GST_DEBUG ("%s", reason ? reason : name);
  g_string_append_printf (tried, "%s%s", tried->len ? ", " : "", name);
  /* "No such file" for one of several names is no news; anything else is */
  if (reason && !strstr (reason, "No such file"))
    g_string_append_printf (tried, " (%s)", reason);
  return NULL;
}

static gpointer
open_library (const gchar * wish, const gchar * const *names,
    const gchar * const *folders, GString * tried)
{
  gpointer handle = NULL;

  if (wish && *wish)
    return open_one (wish, tried);
  for (guint i = 0; names[i] && !handle; i++)
    handle = open_one (names[i], tried);
  for (guint f = 0; folders && folders[f] && !handle; f++) {
    for (guint i = 0; names[i] && !handle; i++) {
      g_autofree gchar *path = g_build_filename (folders[f], names[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        handle = open_one (path, tried);
    }
  }
  return handle;
}

static gchar *
path_of (gpointer function, const gchar * otherwise)
{
  Dl_info info;
  gchar *path = NULL, *real;

  if (function && dladdr (function, &info) && info.dli_fname)
    path = g_strdup (info.dli_fname);
  real = path ? realpath (path, NULL) : NULL;
  if (real) {
    g_free (path);
    path = g_strdup (real);
    free (real);
  }
  return path ? path : g_strdup (otherwise);
}

static gboolean
find_symbols (gpointer handle, const Symbol * symbols, guint n, gpointer out,
    const gchar * library, GError ** error)
{
  for (guint i = 0; i < n; i++) {
    gpointer address = dlsym (handle, symbols[i].name);

    if (!address && !symbols[i].optional) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
          "%s has no function %s: it is too old, or no library of NVIDIA's",
          library, symbols[i].name);
      return FALSE;
    }
    if (!address)
      GST_DEBUG ("%s has no %s, which is optional", library, symbols[i].name);
    memcpy ((guint8 *) out + symbols[i].offset, &address, sizeof (address));
  }
  return TRUE;
}

/* --- the driver --- */

/* Called once per process, with the probe's lock held */
gboolean
nvidia_load_cuda (GError ** error)
{
  const gchar *wish = g_getenv (ENV_CUDA);
  g_autoptr (GString) tried = g_string_new (NULL);
  gpointer handle = open_library (wish, cuda_names, NULL, tried);

  if (!handle) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "no NVIDIA driver: tried %s%s", tried->str,
        wish && *wish ? ", which " ENV_CUDA " names" : "");
    return FALSE;
  }
  if (!find_symbols (handle, cuda_symbols, G_N_ELEMENTS (cuda_symbols),
          &nvidia_cuda, wish && *wish ? wish : cuda_names[0], error)) {
    memset (&nvidia_cuda, 0, sizeof (nvidia_cuda));
    dlclose (handle);
    return FALSE;
  }
  cuda_path = path_of ((gpointer) nvidia_cuda.cuInit, cuda_names[0]);
  GST_INFO ("driver: %s", cuda_path);
  return TRUE;
}

const gchar *
nvidia_cuda_path (void)
{
  return cuda_path;
}

/* --- the compiler --- */

/* NVRTC opens a companion by its bare name when it compiles, and finds none
 * where its own folder is not on the loader's path. One that is in the process
 * already is found by that name. */
static void
open_builtins (void)
{
  g_autofree gchar *folder = g_path_get_dirname (nvrtc.path);
  g_autofree gchar *path = NULL;
  int major = 0, minor = 0;

  if (!g_path_is_absolute (nvrtc.path)
      || nvrtc.functions.nvrtcVersion (&major, &minor) != 0)
    return;
  path = g_strdup_printf ("%s/libnvrtc-builtins.so.%d.%d", folder, major,
      minor);
  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && !dlopen (path, RTLD_NOW | RTLD_LOCAL))
    GST_WARNING ("%s", dlerror ());
}

static void
load_nvrtc (const gchar * wish)
{
  g_autoptr (GString) tried = g_string_new (NULL);
  gpointer handle = open_library (wish, nvrtc_names, nvrtc_folders, tried);

  if (!handle) {
    g_set_error (&nvrtc.error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "No compiler for NVIDIA GPUs (NVRTC): tried %s%s; install the CUDA "
        "toolkit's libnvrtc (libnvrtc12 in Debian and Ubuntu), or set "
        ENV_NVRTC " to one", tried->str, wish
        && *wish ? ", which " ENV_NVRTC " names" : "");
    GST_INFO ("%s", nvrtc.error->message);
    return;
  }
  if (!find_symbols (handle, nvrtc_symbols, G_N_ELEMENTS (nvrtc_symbols),
          &nvrtc.functions, wish && *wish ? wish : "libnvrtc", &nvrtc.error)) {
    dlclose (handle);
    return;
  }
  nvrtc.path = path_of ((gpointer) nvrtc.functions.nvrtcVersion, "libnvrtc");
  GST_INFO ("compiler: %s", nvrtc.path);
  open_builtins ();
}

const NvidiaNvrtc *
nvidia_get_nvrtc (GError ** error)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&nvrtc_lock);
  const gchar *wish = g_getenv (ENV_NVRTC);

  if (!nvrtc.path && (!nvrtc.tried || g_strcmp0 (wish, nvrtc.wish) != 0)) {
    g_clear_error (&nvrtc.error);
    g_free (nvrtc.wish);
    nvrtc.wish = g_strdup (wish);
    nvrtc.tried = TRUE;
    load_nvrtc (wish);
  }
  if (nvrtc.path)
    return &nvrtc.functions;
  if (error)
    *error = g_error_copy (nvrtc.error);
  return NULL;
}

const gchar *
nvidia_nvrtc_path (void)
{
  return nvrtc.path;
}
