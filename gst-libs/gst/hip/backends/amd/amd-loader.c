/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which libraries of ROCm are there, and which functions do they have?
 *
 * Versioned names, as they are installed without development packages: one that
 * the process has already, then those of ROCM_PATH, of /opt/rocm and its
 * siblings, newest first, then the loader's. A name in the environment is the
 * only one tried. The compiler is the runtime's own where that has one: both
 * read each other's code. Libraries stay loaded: the runtime starts threads of
 * its own and has exit handlers.
 *
 * Must not know: what the functions are for.
 */
#include <dlfcn.h>
#include <string.h>

#include "amd-internal.h"
#include "../../hip-native.h"
#include "../../hip-library.h"
#include "../../hip-debug.h"

/* *INDENT-OFF* */
HIP_DEBUG_CATEGORY (hip_amd_debug, "hipamd", "HIP AMD backend")
/* *INDENT-ON* */
#define GST_CAT_DEFAULT hip_amd_debug ()

#define ENV_HIP "GST_HIP_AMDHIP_LIBNAME"
#define ENV_HIPRTC "GST_HIP_HIPRTC_LIBNAME"
#define ENV_ROCM "ROCM_PATH"
#define ROCM_PARENT "/opt"

static const gchar *const hip_names[] = { "libamdhip64.so.7",
  "libamdhip64.so.6", "libamdhip64.so.5", NULL
};

/* Before 6 the runtime is the compiler, too. */
static const gchar *const hiprtc_names[] = { "libhiprtc.so.7",
  "libhiprtc.so.6", "libamdhip64.so.5", NULL
};

/* What HIPRTC compiles with. Some builds open it only when they compile. */
static const gchar *const comgr_names[] = { "libamd_comgr.so.3",
  "libamd_comgr.so.2", NULL
};

#define required FALSE
#define optional TRUE
#define SYMBOL(need, symbol, params) \
  { #symbol, G_STRUCT_OFFSET (AmdHip, symbol), need },
/* *INDENT-OFF* */
static const HipLibrarySymbol hip_symbols[] = {
  AMD_HIP_SYMBOLS (SYMBOL)
  {"hipGetErrorName", G_STRUCT_OFFSET (AmdHip, hipGetErrorName), required},
  {"hipGetErrorString", G_STRUCT_OFFSET (AmdHip, hipGetErrorString), required},
};
/* *INDENT-ON* */
#undef SYMBOL
#define SYMBOL(need, symbol, params) \
  { #symbol, G_STRUCT_OFFSET (AmdHiprtc, symbol), need },
/* *INDENT-OFF* */
static const HipLibrarySymbol hiprtc_symbols[] = {
  AMD_HIPRTC_SYMBOLS (SYMBOL)
  {"hiprtcGetErrorString", G_STRUCT_OFFSET (AmdHiprtc, hiprtcGetErrorString),
      required},
};
/* *INDENT-ON* */
#undef SYMBOL
#define SYMBOL(need, symbol, type, params) \
  { #symbol, G_STRUCT_OFFSET (AmdHiprtc, symbol), need },
/* *INDENT-OFF* */
static const HipLibrarySymbol comgr_symbols[] = {
  AMD_COMGR_SYMBOLS (SYMBOL)
};
/* *INDENT-ON* */
#undef SYMBOL
#undef required
#undef optional

AmdHip amd_hip;

static gpointer hip_handle;     /* atomic; set last when the runtime is loaded */
static gchar *hip_path;         /* written once, before amd_hip is used */

static HipMutex hiprtc_lock;
static struct
{
  gboolean tried;
  gchar *wish;                  /* of the environment, at that time */
  AmdHiprtc functions;
  gchar *path;                  /* NULL: not loaded */
  GError *error;
} hiprtc;

/* --- finding --- */

/* rocm-6.10 is newer than rocm-6.9. */
static gint
compare_versions (gconstpointer a, gconstpointer b)
{
  const gchar *x = *(const gchar * const *) a, *y = *(const gchar * const *) b;

  while (*x && *y) {
    if (g_ascii_isdigit (*x) && g_ascii_isdigit (*y)) {
      guint64 m = g_ascii_strtoull (x, (gchar **) & x, 10);
      guint64 n = g_ascii_strtoull (y, (gchar **) & y, 10);

      if (m != n)
        return m > n ? -1 : 1;
    } else if (*x++ != *y++) {
      return x[-1] > y[-1] ? -1 : 1;
    }
  }
  return *x ? -1 : *y ? 1 : 0;
}

/* Folders with ROCm's libraries, most wanted first: of chosen, or where it is
 * installed under parent. Free with g_strfreev (). */
static gchar **
list_folders (const gchar * chosen, const gchar * parent)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const gchar *name;

  if (chosen && *chosen)
    g_ptr_array_add (folders, g_build_filename (chosen, "lib", NULL));
  while (dir && (name = g_dir_read_name (dir))) {
    if (g_str_has_prefix (name, "rocm-"))
      g_ptr_array_add (names, g_strdup (name));
  }
  g_ptr_array_sort (names, compare_versions);
  g_ptr_array_add (folders, g_build_filename (parent, "rocm", "lib", NULL));
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (folders, g_build_filename (parent,
            g_ptr_array_index (names, i), "lib", NULL));
  g_ptr_array_add (folders, NULL);
  return (gchar **) g_ptr_array_free (g_steal_pointer (&folders), FALSE);
}

static gpointer
open_library (const gchar * wish, const gchar * const *names, GString * tried)
{
  const gchar *rocm = g_getenv (ENV_ROCM);
  g_auto (GStrv) folders = list_folders (rocm, ROCM_PARENT);
  gpointer handle;

  if (wish && *wish)
    return hip_library_open (wish, tried);
  handle = hip_library_find_loaded (names);
  if (!handle)
    handle = hip_library_open_in ((const gchar * const *) folders, names,
        tried);
  if (!handle)
    handle = hip_library_open_first (names, tried);
  if (!handle)
    g_string_append_printf (tried, " in %s%s" ROCM_PARENT "/rocm*/lib and the "
        "loader's path", rocm && *rocm ? folders[0] : "", rocm
        && *rocm ? ", " : "");
  return handle;
}

/* --- the runtime --- */

static gboolean
take_hip (gpointer handle, const gchar * name, GError ** error)
{
  AmdHip *hip = &amd_hip;

  if (!hip_library_get_symbols (handle, hip_symbols,
          G_N_ELEMENTS (hip_symbols), hip, name, "AMD", error))
    return FALSE;
  if (hip->hipGetDeviceProperties || hip->hipGetDevicePropertiesR0600)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "%s has neither hipGetDeviceProperties nor hipGetDevicePropertiesR0600",
      name);
  return FALSE;
}

/* Called once per process, with the probe's lock held */
gboolean
amd_load_hip (GError ** error)
{
  const gchar *wish = g_getenv (ENV_HIP);
  g_autoptr (GString) tried = g_string_new (NULL);
  gpointer handle = open_library (wish, hip_names, tried);

  if (!handle) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "no HIP runtime (ROCm): tried %s%s", tried->str,
        wish && *wish ? ", which " ENV_HIP " names" : "");
    return FALSE;
  }
  if (!take_hip (handle, wish && *wish ? wish : "libamdhip64", error)) {
    memset (&amd_hip, 0, sizeof (amd_hip));
    dlclose (handle);
    return FALSE;
  }
  hip_path = hip_library_path_of ((gpointer) amd_hip.hipInit, hip_names[0]);
  g_atomic_pointer_set (&hip_handle, handle);
  GST_INFO ("runtime: %s", hip_path);
  return TRUE;
}

const gchar *
amd_hip_path (void)
{
  return hip_path;
}

const HipNativeFunctions *
amd_native (void)
{
  static HipNativeFunctions functions;
  static gsize once;

  if (g_once_init_enter (&once)) {
    hip_native_load (&functions, g_atomic_pointer_get (&hip_handle));
    g_once_init_leave (&once, 1);
  }
  return &functions;
}

/* --- the compiler --- */

/* The compiler that came with the runtime in use */
static gpointer
open_companion (GString * tried)
{
  gpointer runtime = g_atomic_pointer_get (&hip_handle), handle;
  g_autofree gchar *name = NULL, *folder = NULL;
  gint version = 0;

  if (!runtime || amd_hip.hipRuntimeGetVersion (&version) != AMD_OK)
    return NULL;
  name = g_strdup_printf ("libhiprtc.so.%d", version / 10000000);
  folder = g_path_get_dirname (hip_path);
  {
    const gchar *const folders[] = { folder, NULL };
    const gchar *const names[] = { name, NULL };

    handle = hip_library_find_loaded (names);
    if (!handle)
      handle = hip_library_open_in (folders, names, tried);
  }
  if (!handle && dlsym (runtime, "hiprtcCompileProgram"))
    handle = runtime;
  return handle;
}

/* The one that HIPRTC needs, or that it will open */
static void
load_comgr (gpointer handle)
{
  g_autofree gchar *folder = g_path_get_dirname (hiprtc.path);
  const gchar *const folders[] = { folder, NULL };
  g_autoptr (GString) tried = g_string_new (NULL);

  if (!dlsym (handle, comgr_symbols[0].name))
    handle = hip_library_find_loaded (comgr_names);
  if (!handle)
    handle = hip_library_open_in (folders, comgr_names, tried);
  if (!handle)
    handle = hip_library_open_first (comgr_names, tried);
  if (handle)
    hip_library_get_symbols (handle, comgr_symbols,
        G_N_ELEMENTS (comgr_symbols), &hiprtc.functions, "libamd_comgr", "AMD",
        NULL);
}

static void
load_hiprtc (const gchar * wish)
{
  g_autoptr (GString) tried = g_string_new (NULL);
  gpointer handle = NULL;

  if (!wish || !*wish)
    handle = open_companion (tried);
  if (!handle)
    handle = open_library (wish, hiprtc_names, tried);
  if (!handle) {
    g_set_error (&hiprtc.error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "No compiler for AMD GPUs (HIPRTC): tried %s%s; install ROCm's "
        "libhiprtc (before ROCm 6 libamdhip64 has it), or set " ENV_HIPRTC
        " to one", tried->str, wish
        && *wish ? ", which " ENV_HIPRTC " names" : "");
    GST_INFO ("%s", hiprtc.error->message);
    return;
  }
  if (!hip_library_get_symbols (handle, hiprtc_symbols,
          G_N_ELEMENTS (hiprtc_symbols), &hiprtc.functions,
          wish && *wish ? wish : "libhiprtc", "AMD", &hiprtc.error)) {
    if (handle != g_atomic_pointer_get (&hip_handle))
      dlclose (handle);
    return;
  }
  hiprtc.path = hip_library_path_of ((gpointer)
      hiprtc.functions.hiprtcCompileProgram, "libhiprtc");
  load_comgr (handle);
  GST_INFO ("compiler: %s", hiprtc.path);
}

const AmdHiprtc *
amd_get_hiprtc (GError ** error)
{
  g_autoptr (HipMutexLocker) locker = hip_mutex_locker_new (&hiprtc_lock);
  const gchar *wish = g_getenv (ENV_HIPRTC);

  if (!hiprtc.path && (!hiprtc.tried || g_strcmp0 (wish, hiprtc.wish) != 0)) {
    g_clear_error (&hiprtc.error);
    g_free (hiprtc.wish);
    hiprtc.wish = g_strdup (wish);
    hiprtc.tried = TRUE;
    load_hiprtc (wish);
  }
  if (hiprtc.path)
    return &hiprtc.functions;
  if (error)
    *error = g_error_copy (hiprtc.error);
  return NULL;
}

const gchar *
amd_hiprtc_path (void)
{
  return hiprtc.path;
}
