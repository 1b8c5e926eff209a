/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does ONNX Runtime get into the process? It is opened by name at run
 * time, so the plugin is there without it, and an element that finds none says
 * what was tried. Invariant: a file is opened once and stays.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* dlinfo () */
#endif
#include "config.h"

#include <dlfcn.h>
#include <link.h>

#include "ort-find.h"
#include "ort-runtime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_hip_onnx_debug);
#define GST_CAT_DEFAULT gst_hip_onnx_debug

#define NAME "libonnxruntime.so"
#define VARIABLE "GST_HIP_ONNXRUNTIME"

static GMutex lock;
static GPtrArray *runtimes;     /* HipOrtRuntime, for good; lock */

gboolean
hip_ort_check (const HipOrtRuntime * ort, OrtStatus * status,
    GstHipError code, const gchar * what, GError ** error)
{
  g_autofree gchar *logged = hip_ort_log_end ();

  if (!status)
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, code, "%s: %s%s%s", what,
      ort->api->GetErrorMessage (status), logged ? ": " : "",
      logged ? logged : "");
  ort->api->ReleaseStatus (status);
  return FALSE;
}

/* --- what is new in the process --- */

/* A model of one operator, Identity of one float */
static const guint8 smallest_model[] = {
  0x08, 0x07, 0x3a, 0x37, 0x0a, 0x10, 0x0a, 0x01, 0x78, 0x12, 0x01, 0x79,
  0x22, 0x08, 0x49, 0x64, 0x65, 0x6e, 0x74, 0x69, 0x74, 0x79, 0x12, 0x01,
  0x67, 0x5a, 0x0f, 0x0a, 0x01, 0x78, 0x12, 0x0a, 0x0a, 0x08, 0x08, 0x01,
  0x12, 0x04, 0x0a, 0x02, 0x08, 0x01, 0x62, 0x0f, 0x0a, 0x01, 0x79, 0x12,
  0x0a, 0x0a, 0x08, 0x08, 0x01, 0x12, 0x04, 0x0a, 0x02, 0x08, 0x01, 0x42,
  0x04, 0x0a, 0x00, 0x10, 0x0d
};

/* With its first model a runtime registers what operators are like. Debian's
 * does so twice and prints 570 errors about it, to nobody's use. */
static gboolean
register_operators (HipOrtRuntime * self, gpointer library, GError ** error)
{
  const OrtApi *api = self->api;
  OrtSessionOptions *options = NULL;
  OrtSession *session = NULL;
  OrtStatus *status;
  gpointer muted;

  status = api->CreateSessionOptions (&options);
  if (!status)
    status = api->SetIntraOpNumThreads (options, 1);
  if (!status) {
    muted = hip_ort_mute_cerr (library);
    status = api->CreateSessionFromArray (self->env, smallest_model,
        sizeof (smallest_model), options, &session);
    hip_ort_unmute_cerr (library, muted);
  }
  if (session)
    api->ReleaseSession (session);
  if (options)
    api->ReleaseSessionOptions (options);
  return hip_ort_check (self, status, GST_HIP_ERROR_UNAVAILABLE,
      "ONNX Runtime cannot load any model", error);
}

static gboolean
set_up (HipOrtRuntime * self, gpointer library, GError ** error)
{
  const OrtApi *api = self->api;
  gchar **providers = NULL;
  OrtStatus *status;
  int n = 0;

  hip_ort_log_begin ();
  status = api->CreateEnvWithCustomLogger (hip_ort_log, NULL,
      hip_ort_log_level (), "gst-hip", &self->env);
  /* Nobody asked the user whether it may report home. */
  if (!status)
    status = api->DisableTelemetryEvents (self->env);
  if (!status)
    status = api->CreateCpuMemoryInfo (OrtDeviceAllocator, OrtMemTypeDefault,
        &self->cpu_memory);
  if (!status)
    status = api->GetAvailableProviders (&providers, &n);
  if (!hip_ort_check (self, status, GST_HIP_ERROR_UNAVAILABLE,
          "ONNX Runtime does not start", error))
    return FALSE;
  self->providers = g_new0 (gchar *, n + 1);
  for (int i = 0; i < n; i++)
    self->providers[i] = g_strdup (providers[i]);
  status = api->ReleaseAvailableProviders (providers, n);
  if (status)
    api->ReleaseStatus (status);
  return register_operators (self, library, error);
}

/* --- one library --- */

/* A runtime that is asked for an API that it does not have prints an error, so
 * its version is looked at first: API 21 came with 1.21. */
static gboolean
choose_api (HipOrtRuntime * self, const OrtApiBase * base, GError ** error)
{
  guint64 major, minor;
  gchar *end;

  self->version = g_strdup (base->GetVersionString ());
  major = g_ascii_strtoull (self->version, &end, 10);
  minor = *end == '.' ? g_ascii_strtoull (end + 1, NULL, 10) : 0;
  if (major > 1)
    minor = ORT_API_VERSION;
  for (guint v = MIN (minor, ORT_API_VERSION); v >= HIP_ORT_MIN_API; v--) {
    self->api = base->GetApi (v);
    if (self->api) {
      self->api_version = v;
      return TRUE;
    }
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "%s is ONNX Runtime %s, which is too old: 1.%d or newer is needed",
      self->path, self->version, HIP_ORT_MIN_API);
  return FALSE;
}

static gchar *
path_of (gpointer library, const gchar * name)
{
  struct link_map *map = NULL;

  if (dlinfo (library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name[0])
    return g_strdup (map->l_name);
  return g_strdup (name);
}

static HipOrtRuntime *
find_known (const gchar * path)
{
  for (guint i = 0; runtimes && i < runtimes->len; i++) {
    HipOrtRuntime *known = g_ptr_array_index (runtimes, i);

    if (g_str_equal (known->path, path))
      return known;
  }
  return NULL;
}

static void
runtime_free (HipOrtRuntime * self)
{
  g_free (self->version);
  g_free (self->path);
  g_strfreev (self->providers);
  g_free (self);
}

/* lock is held. */
static HipOrtRuntime *
open_library (gpointer library, const gchar * name, GError ** error)
{
  const OrtApiBase *(*get_base) (void);
  HipOrtRuntime *self, *known;
  g_autofree gchar *path = path_of (library, name);

  known = find_known (path);
  if (known) {
    dlclose (library);
    return known;
  }
  *(void **) &get_base = dlsym (library, "OrtGetApiBase");
  if (!get_base) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "%s is not ONNX Runtime: it has no OrtGetApiBase", path);
    dlclose (library);
    return NULL;
  }
  self = g_new0 (HipOrtRuntime, 1);
  self->path = g_steal_pointer (&path);
  if (!choose_api (self, get_base (), error)) {
    runtime_free (self);
    dlclose (library);
    return NULL;
  }
  /* From here on it may have threads: it stays, usable or not. */
  if (!set_up (self, library, error))
    return NULL;

  if (!runtimes)
    runtimes = g_ptr_array_new ();
  g_ptr_array_add (runtimes, self);
  GST_INFO ("ONNX Runtime %s, API %u (built with %d), from %s", self->version,
      self->api_version, ORT_API_VERSION, self->path);
  for (guint i = 0; self->providers[i]; i++)
    GST_INFO ("  compiled in: %s", self->providers[i]);
  return self;
}

/* Another runtime may be in the process, so symbols stay among themselves. */
static gpointer
try_open (const gchar * name, GString * tried)
{
  gpointer library;
  const gchar *why;

  dlerror ();
  library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    why = dlerror ();
    g_string_append_printf (tried, "%s%s", tried->len ? "; " : "",
        why ? why : name);
  }
  return library;
}

static gpointer
search (GString * tried, gchar ** name)
{
  g_auto (GStrv) folders = NULL;
  g_autofree gchar *newest = NULL;
  gpointer library;

  *name = g_strdup (NAME ".1");
  library = try_open (*name, tried);
  if (library)
    return library;
  folders = hip_ort_loader_folders ();
  newest = hip_ort_find_newest ((const gchar * const *) folders, NAME ".1");
  if (newest) {
    g_free (*name);
    *name = g_steal_pointer (&newest);
    library = try_open (*name, tried);
    if (library)
      return library;
  }
  g_free (*name);
  *name = g_strdup (NAME);
  return try_open (*name, tried);
}

const HipOrtRuntime *
hip_ort_runtime_get (const gchar * library, GError ** error)
{
  const gchar *variable = g_getenv (VARIABLE);
  g_autoptr (GString) tried = g_string_new (NULL);
  g_autofree gchar *name = NULL;
  HipOrtRuntime *self = NULL;
  gpointer handle;

  if (!library && variable && *variable)
    library = variable;
  g_mutex_lock (&lock);
  /* What was chosen is taken or is an error. */
  if (library) {
    name = g_strdup (library);
    handle = try_open (name, tried);
  } else {
    handle = search (tried, &name);
  }
  if (handle)
    self = open_library (handle, name, error);
  else
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "no ONNX Runtime: %s. Install it (Debian: libonnxruntime1.21), or "
        "name its file by the property onnxruntime or by " VARIABLE,
        tried->str);
  g_mutex_unlock (&lock);
  return self;
}
