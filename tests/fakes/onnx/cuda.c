/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is a session's provider told, and does its library load? Must not know
 * runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

/* The opaque struct of the API */
struct OrtCUDAProviderOptionsV2
{
  FakeProvider provider;
};

const OrtApi *fake_real;
static OrtApi api;

static GMutex lock;
static GHashTable *providers;   /* of options and sessions */
static GHashTable *entries;     /* of run options: GHashTable of strings */

static OrtLoggingFunction log_function;
static void *log_param;

/* --- rules and texts --- */

void
fake_ort_rule (gboolean kept, const gchar * rule)
{
  if (kept)
    return;
  fprintf (stderr, "simulated ONNX Runtime: broken rule: %s\n", rule);
  abort ();
}

void
fake_ort_log (const gchar * format, ...)
{
  const gchar *path = g_getenv ("FAKE_ORT_LOG");
  FILE *file = path ? fopen (path, "ae") : NULL;
  va_list args;

  if (!file)
    return;
  va_start (args, format);
  vfprintf (file, format, args);
  va_end (args);
  fputc ('\n', file);
  fclose (file);
}

OrtStatus *
fake_failure (const gchar * text)
{
  return fake_real->CreateStatus (ORT_FAIL, text);
}

const FakeNeighbour *
fake_driver (void)
{
  static const FakeNeighbour *neighbour;
  void *driver;

  if (!neighbour) {
    driver = dlopen (g_getenv ("GST_HIP_CUDA_LIBNAME"), RTLD_NOW | RTLD_LOCAL);
    neighbour = driver ? dlsym (driver, "fake_neighbour") : NULL;
    fake_ort_rule (neighbour != NULL, "the driver is the simulated one");
  }
  return neighbour;
}

/* --- tables --- */

static void
set_provider (gconstpointer key, const FakeProvider * provider)
{
  g_mutex_lock (&lock);
  if (!providers)
    providers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (provider)
    g_hash_table_insert (providers, (gpointer) key, g_memdup2 (provider,
            sizeof (*provider)));
  else
    g_hash_table_remove (providers, key);
  g_mutex_unlock (&lock);
}

const FakeProvider *
fake_provider_of (gconstpointer key)
{
  const FakeProvider *provider;

  g_mutex_lock (&lock);
  provider = providers ? g_hash_table_lookup (providers, key) : NULL;
  g_mutex_unlock (&lock);
  return provider;
}

static gchar *
get_entry (const OrtRunOptions * options, const gchar * key)
{
  GHashTable *table;
  gchar *value = NULL;

  g_mutex_lock (&lock);
  table = entries ? g_hash_table_lookup (entries, options) : NULL;
  if (table)
    value = g_strdup (g_hash_table_lookup (table, key));
  g_mutex_unlock (&lock);
  return value;
}

gboolean
fake_is_synchronous (const OrtRunOptions * options)
{
  g_autofree gchar *value = get_entry (options,
      "disable_synchronize_execution_providers");

  return g_strcmp0 (value, "1") != 0;
}

gint
fake_graph_of (const OrtRunOptions * options)
{
  g_autofree gchar *value = get_entry (options, "gpu_graph_id");

  return value ? atoi (value) : 0;
}

/* --- the environment, providers --- */

static OrtStatus *
create_env (OrtLoggingFunction function, void *param, OrtLoggingLevel level,
    const char *id, OrtEnv ** out)
{
  log_function = function;
  log_param = param;
  return fake_real->CreateEnvWithCustomLogger (function, param, level, id, out);
}

static OrtStatus *
get_providers (char ***out, int *n)
{
  static char cuda[] = "CUDAExecutionProvider", cpu[] = "CPUExecutionProvider";
  static char *names[] = { cuda, cpu };

  *out = names;
  *n = G_N_ELEMENTS (names);
  return NULL;
}

static OrtStatus *
release_providers (char **names, int n)
{
  return NULL;
}

static OrtStatus *
create_cuda (OrtCUDAProviderOptionsV2 ** out)
{
  *out = g_new0 (OrtCUDAProviderOptionsV2, 1);
  return NULL;
}

static void
release_cuda (OrtCUDAProviderOptionsV2 * options)
{
  g_free (options);
}

/* As the real one: all that was set before is forgotten, the stream with it. */
static OrtStatus *
update_cuda (OrtCUDAProviderOptionsV2 * options, const char *const *keys,
    const char *const *values, size_t n)
{
  memset (options, 0, sizeof (*options));
  for (size_t i = 0; i < n; i++) {
    fake_ort_log ("option %s=%s", keys[i], values[i]);
    if (g_str_equal (keys[i], "enable_cuda_graph"))
      options->provider.graph = g_str_equal (values[i], "1");
  }
  return NULL;
}

static OrtStatus *
update_cuda_value (OrtCUDAProviderOptionsV2 * options, const char *key,
    void *value)
{
  fake_ort_log ("option %s", key);
  fake_ort_rule (g_str_equal (key, "user_compute_stream"),
      "only the stream is set by its value");
  options->provider.stream = value;
  return NULL;
}

/* The real one says why in its log alone. */
static OrtStatus *
append_cuda (OrtSessionOptions * options, const OrtCUDAProviderOptionsV2 * cuda)
{
  const gchar *file = g_getenv ("FAKE_ORT_PROVIDER");
  g_autofree gchar *text = NULL;

  if (file && !dlopen (file, RTLD_NOW | RTLD_LOCAL)) {
    text = g_strdup_printf ("Failed to load library %s with error: %s", file,
        dlerror ());
    if (log_function)
      log_function (log_param, ORT_LOGGING_LEVEL_ERROR, "onnxruntime", "",
          "provider_bridge", text);
    return fake_failure ("OrtSessionOptionsAppendExecutionProvider_Cuda: "
        "Failed to load shared library");
  }
  set_provider (options, &cuda->provider);
  return NULL;
}

/* --- sessions --- */

static OrtStatus *
add_config (OrtSessionOptions * options, const char *key, const char *value)
{
  /* Its nodes are the CPU's in truth. */
  if (g_str_equal (key, "session.disable_cpu_ep_fallback"))
    return NULL;
  return fake_real->AddSessionConfigEntry (options, key, value);
}

static void
release_options (OrtSessionOptions * options)
{
  set_provider (options, NULL);
  fake_real->ReleaseSessionOptions (options);
}

static OrtStatus *
create_session (const OrtEnv * env, const char *path,
    const OrtSessionOptions * options, OrtSession ** out)
{
  const FakeProvider *provider = fake_provider_of (options);
  OrtStatus *status = fake_real->CreateSession (env, path, options, out);

  if (status || !provider)
    return status;
  set_provider (*out, provider);
  fake_ort_log ("session%s%s", provider->stream ? " stream" : "",
      provider->graph ? " graph" : "");
  return NULL;
}

/* Frees the device's memory, which waits for what uses it. */
static void
release_session (OrtSession * session)
{
  if (fake_provider_of (session))
    fake_run_forget (session);
  set_provider (session, NULL);
  fake_real->ReleaseSession (session);
}

static OrtStatus *
create_memory_info (const char *name, enum OrtAllocatorType type, int id,
    enum OrtMemType kind, OrtMemoryInfo ** out)
{
  return fake_real->CreateMemoryInfo (g_str_equal (name, "Cuda") ? "Cpu" :
      name, type, g_str_equal (name, "Cuda") ? 0 : id, kind, out);
}

/* --- options of runs --- */

static OrtStatus *
add_run_config (OrtRunOptions * options, const char *key, const char *value)
{
  GHashTable *table;

  g_mutex_lock (&lock);
  if (!entries)
    entries = g_hash_table_new_full (NULL, NULL, NULL,
        (GDestroyNotify) g_hash_table_unref);
  table = g_hash_table_lookup (entries, options);
  if (!table) {
    table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_insert (entries, options, table);
  }
  g_hash_table_insert (table, g_strdup (key), g_strdup (value));
  g_mutex_unlock (&lock);
  return NULL;
}

static void
release_run_options (OrtRunOptions * options)
{
  g_mutex_lock (&lock);
  if (entries)
    g_hash_table_remove (entries, options);
  g_mutex_unlock (&lock);
  fake_real->ReleaseRunOptions (options);
}

/* --- the table --- */

static const OrtApiBase *real_base;

static const OrtApi *
get_api (uint32_t version)
{
  fake_real = real_base->GetApi (version);
  /* Nobody reads beyond what a version has. */
  if (!fake_real || version != ORT_API_VERSION)
    return NULL;
  api = *fake_real;
  api.CreateEnvWithCustomLogger = create_env;
  api.GetAvailableProviders = get_providers;
  api.ReleaseAvailableProviders = release_providers;
  api.CreateCUDAProviderOptions = create_cuda;
  api.ReleaseCUDAProviderOptions = release_cuda;
  api.UpdateCUDAProviderOptions = update_cuda;
  api.UpdateCUDAProviderOptionsWithValue = update_cuda_value;
  api.SessionOptionsAppendExecutionProvider_CUDA_V2 = append_cuda;
  api.AddSessionConfigEntry = add_config;
  api.ReleaseSessionOptions = release_options;
  api.CreateSession = create_session;
  api.ReleaseSession = release_session;
  api.CreateMemoryInfo = create_memory_info;
  api.AddRunConfigEntry = add_run_config;
  api.ReleaseRunOptions = release_run_options;
  fake_run_install (&api);
  return &api;
}

static const char *
get_version (void)
{
  return real_base->GetVersionString ();
}

static const OrtApiBase base = { get_api, get_version };

ORT_EXPORT const OrtApiBase *ORT_API_CALL OrtGetApiBase (void);

ORT_EXPORT const OrtApiBase *ORT_API_CALL
OrtGetApiBase (void)
{
  const gchar *file = g_getenv ("FAKE_ORT_RUNTIME");
  const OrtApiBase *(*get) (void) = NULL;
  void *library =
      dlopen (file ? file : FAKE_ORT_DEFAULT, RTLD_NOW | RTLD_LOCAL);

  if (library)
    *(void **) &get = dlsym (library, "OrtGetApiBase");
  fake_ort_rule (get != NULL, "there is a real runtime");
  real_base = get ();
  return &base;
}
