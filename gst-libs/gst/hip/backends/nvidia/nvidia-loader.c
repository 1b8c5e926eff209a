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
#include <dlfcn.h>
#include <string.h>

#include "nvidia-internal.h"
#include "../../hip-library.h"
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

#define required FALSE
#define optional TRUE
#define SYMBOL(need, symbol, params) \
  { #symbol, G_STRUCT_OFFSET (NvidiaCuda, symbol), need },
/* *INDENT-OFF* */
static const HipLibrarySymbol cuda_symbols[] = {
  NVIDIA_CUDA_SYMBOLS (SYMBOL)
};
/* *INDENT-ON* */
#undef SYMBOL
#define SYMBOL(need, symbol, params) \
  { #symbol, G_STRUCT_OFFSET (NvidiaNvrtc, symbol), need },
/* *INDENT-OFF* */
static const HipLibrarySymbol nvrtc_symbols[] = {
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

/* --- the driver --- */

/* Called once per process, with the probe's lock held */
gboolean
nvidia_load_cuda (GError ** error)
{
  const gchar *wish = g_getenv (ENV_CUDA);
  g_autoptr (GString) tried = g_string_new (NULL);
  gpointer handle = wish && *wish ? hip_library_open (wish, tried) :
      hip_library_open_first (cuda_names, tried);

  if (!handle) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "no NVIDIA driver: tried %s%s", tried->str,
        wish && *wish ? ", which " ENV_CUDA " names" : "");
    return FALSE;
  }
  if (!hip_library_get_symbols (handle, cuda_symbols,
          G_N_ELEMENTS (cuda_symbols), &nvidia_cuda,
          wish && *wish ? wish : cuda_names[0], "NVIDIA", error)) {
    memset (&nvidia_cuda, 0, sizeof (nvidia_cuda));
    dlclose (handle);
    return FALSE;
  }
  cuda_path =
      hip_library_path_of ((gpointer) nvidia_cuda.cuInit, cuda_names[0]);
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
  gpointer handle;

  if (wish && *wish) {
    handle = hip_library_open (wish, tried);
  } else {
    handle = hip_library_open_first (nvrtc_names, tried);
    if (!handle)
      handle = hip_library_open_in (nvrtc_folders, nvrtc_names, tried);
  }

  if (!handle) {
    g_set_error (&nvrtc.error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "No compiler for NVIDIA GPUs (NVRTC): tried %s%s; install the CUDA "
        "toolkit's libnvrtc (libnvrtc12 in Debian and Ubuntu), or set "
        ENV_NVRTC " to one", tried->str, wish
        && *wish ? ", which " ENV_NVRTC " names" : "");
    GST_INFO ("%s", nvrtc.error->message);
    return;
  }
  if (!hip_library_get_symbols (handle, nvrtc_symbols,
          G_N_ELEMENTS (nvrtc_symbols), &nvrtc.functions,
          wish && *wish ? wish : "libnvrtc", "NVIDIA", &nvrtc.error)) {
    dlclose (handle);
    return;
  }
  nvrtc.path =
      hip_library_path_of ((gpointer) nvrtc.functions.nvrtcVersion, "libnvrtc");
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
