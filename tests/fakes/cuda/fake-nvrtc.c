/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The simulated NVRTC: takes the user's source out of the complete text again
 * and compiles it for the host. What it is given beside that, the prelude's
 * other half, is for the real NVRTC to judge. */
#include <string.h>

#include "fake.h"
#include "fake-cubin.h"
#include "hip-kernel.h"

#define KERNEL_BEGIN " GST_HIP_KERNEL ("
#define KERNEL_END "\")"

struct _nvrtcProgram
{
  gchar *text, *name;
  gchar *log;
  GBytes *cubin;
};

static CuResult
enter (const gchar * name)
{
  return fake_enter (name, TRUE) == CU_OK ? NVRTC_OK : 11;
}

#define NVRTC_CALL()                            \
  G_STMT_START {                                \
    NvrtcResult fake_result = enter (G_STRFUNC);        \
    if (fake_result != NVRTC_OK)                \
      return fake_result;                       \
  } G_STMT_END

NvrtcResult
nvrtcVersion (int *major, int *minor)
{
  NVRTC_CALL ();
  *major = 13;
  *minor = 0;
  return NVRTC_OK;
}

const char *
nvrtcGetErrorString (NvrtcResult result)
{
  return result == NVRTC_OK ? "NVRTC_SUCCESS" : "NVRTC_ERROR (simulated)";
}

NvrtcResult
nvrtcGetNumSupportedArchs (int *count)
{
  NVRTC_CALL ();
  *count = 3;
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetSupportedArchs (int *archs)
{
  NVRTC_CALL ();
  archs[0] = 75;
  archs[1] = 80;
  archs[2] = 90;
  return NVRTC_OK;
}

NvrtcResult
nvrtcCreateProgram (NvrtcProgram * program, const char *source,
    const char *name, int n_headers, const char *const *headers,
    const char *const *names)
{
  NVRTC_CALL ();
  *program = g_new0 (struct _nvrtcProgram, 1);
  (*program)->text = g_strdup (source);
  (*program)->name = g_strdup (name);
  return NVRTC_OK;
}

NvrtcResult
nvrtcDestroyProgram (NvrtcProgram * program)
{
  NVRTC_CALL ();
  g_free ((*program)->text);
  g_free ((*program)->name);
  g_free ((*program)->log);
  g_clear_pointer (&(*program)->cubin, g_bytes_unref);
  g_clear_pointer (program, g_free);
  return NVRTC_OK;
}

/* What hip_kernel_source_compose () was given; NULL: that made no such text */
static gchar *
find_source (const gchar * text)
{
  const gchar *begin = g_strrstr (text, "#define GST_HIP_SYNC_CONTEXT");
  const gchar *end = g_strrstr (text, "\nGST_HIP_ENTRIES (\"");
  g_autofree gchar *source = NULL;
  gchar *kernel;

  for (guint line = 0; begin && line < 2; line++) {
    begin = strchr (begin, '\n');
    begin = begin ? begin + 1 : NULL;
  }
  if (!begin || !end || begin > end)
    return NULL;
  source = g_strndup (begin, end - begin);
  while ((kernel = strstr (source, KERNEL_BEGIN))) {
    gchar *after = strstr (kernel, KERNEL_END);

    if (!after)
      return NULL;
    after += strlen (KERNEL_END);
    memmove (kernel, after, strlen (after) + 1);
  }
  return g_steal_pointer (&source);
}

static gchar **
translate (int n_options, const char *const *options, GError ** error)
{
  g_autoptr (GPtrArray) plain = g_ptr_array_new ();

  for (int i = 0; i < n_options; i++) {
    if (strcmp (options[i], "--device-as-default-execution-space") == 0)
      continue;
    if (strcmp (options[i], "--generate-line-info") == 0)
      g_ptr_array_add (plain, (gpointer) "-g");
    else if (strcmp (options[i], "--use_fast_math") == 0)
      g_ptr_array_add (plain, (gpointer) "-ffast-math");
    else
      g_ptr_array_add (plain, (gpointer) options[i]);
  }
  g_ptr_array_add (plain, NULL);
  return host_translate_options (NULL,
      (const gchar * const *) plain->pdata, error);
}

static GBytes *
compile (NvrtcProgram program, const gchar * source, int n_options,
    const char *const *options, GError ** error)
{
  g_auto (GStrv) translated = translate (n_options, options, error);
  HipKernelScan *scan = hip_kernel_scan (source, strlen (source));
  g_autofree gchar *text =
      hip_kernel_source_compose (source, program->name, NULL,
      scan, TRUE);
  HipCompileRequest request = { text, program->name,
    (const gchar * const *) translated
  };

  hip_kernel_scan_free (scan);
  return translated ? host_compile (NULL, &request, &program->log, error) :
      NULL;
}

NvrtcResult
nvrtcCompileProgram (NvrtcProgram program, int n_options,
    const char *const *options)
{
  g_autofree gchar *source = find_source (program->text);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) binary = NULL;
  gconstpointer data;
  guint8 *copy;
  gsize size;
  gboolean architecture = FALSE;

  NVRTC_CALL ();
  for (int i = 0; i < n_options; i++)
    architecture |= g_str_has_prefix (options[i], "--gpu-architecture=sm_");
  fake_rule (architecture, "NVRTC is told the architecture", G_STRFUNC);
  fake_rule (source != NULL, "the text has its marks", G_STRFUNC);
  binary = compile (program, source, n_options, options, &error);
  if (!binary) {
    if (!program->log)
      program->log = g_strdup (error->message);
    return NVRTC_NOT_COMPILED;
  }
  data = g_bytes_get_data (binary, &size);
  copy = g_memdup2 (data, size);
  fake_cubin_from_host (copy, size);
  program->cubin = g_bytes_new_take (copy, size);
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetProgramLogSize (NvrtcProgram program, size_t *bytes)
{
  NVRTC_CALL ();
  *bytes = program->log ? strlen (program->log) + 1 : 1;
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetProgramLog (NvrtcProgram program, char *log)
{
  NVRTC_CALL ();
  strcpy (log, program->log ? program->log : "");
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetCUBINSize (NvrtcProgram program, size_t *bytes)
{
  NVRTC_CALL ();
  *bytes = program->cubin ? g_bytes_get_size (program->cubin) : 0;
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetCUBIN (NvrtcProgram program, char *cubin)
{
  NVRTC_CALL ();
  memcpy (cubin, g_bytes_get_data (program->cubin, NULL),
      g_bytes_get_size (program->cubin));
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetPTXSize (NvrtcProgram program, size_t *bytes)
{
  NVRTC_CALL ();
  *bytes = 0;
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetPTX (NvrtcProgram program, char *ptx)
{
  NVRTC_CALL ();
  return NVRTC_BAD_OPTION;
}
