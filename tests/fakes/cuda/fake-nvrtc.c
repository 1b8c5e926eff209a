/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The simulated NVRTC: a library of its own, as the real one is. */
#include <string.h>

#include "fake-cuda.h"

/* Whatever a call was told to fail with: NVRTC's results are few. */
#define NVRTC_INTERNAL_ERROR 11

static const gchar *const stateless[] = { "nvrtc", NULL };

const FakeFamily fake_family = {
  .prefix = "FAKE_CUDA",
  .failure = NVRTC_INTERNAL_ERROR,
  .stateless = stateless,
};

#define NVRTC_CALL()                            \
  G_STMT_START {                                \
    if (fake_enter (G_STRFUNC) != 0)            \
      return NVRTC_INTERNAL_ERROR;              \
  } G_STMT_END

#define PROGRAM(handle) ((FakeProgram *) (handle))

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
  *program = (NvrtcProgram) fake_program_new (source, name);
  return NVRTC_OK;
}

NvrtcResult
nvrtcDestroyProgram (NvrtcProgram * program)
{
  if (fake_enter (G_STRFUNC) != 0) {
    fake_handle_remove (*program);
    return NVRTC_INTERNAL_ERROR;
  }
  fake_program_free (PROGRAM (*program), G_STRFUNC);
  *program = NULL;
  return NVRTC_OK;
}

/* In the spelling of the host's compiler; free the array alone */
static GPtrArray *
translate (int n_options, const char *const *options)
{
  GPtrArray *plain = g_ptr_array_new ();

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
  return plain;
}

NvrtcResult
nvrtcCompileProgram (NvrtcProgram program, int n_options,
    const char *const *options)
{
  g_autoptr (GPtrArray) plain = translate (n_options, options);
  gboolean architecture = FALSE;

  NVRTC_CALL ();
  for (int i = 0; i < n_options; i++)
    architecture |= g_str_has_prefix (options[i], "--gpu-architecture=sm_");
  fake_rule (architecture, "NVRTC is told the architecture", G_STRFUNC);
  return fake_program_compile (PROGRAM (program),
      (const gchar * const *) plain->pdata, FAKE_EM_CUDA, 0, G_STRFUNC) ?
      NVRTC_OK : NVRTC_NOT_COMPILED;
}

NvrtcResult
nvrtcGetProgramLogSize (NvrtcProgram program, size_t *bytes)
{
  NVRTC_CALL ();
  *bytes = strlen (fake_program_log (PROGRAM (program))) + 1;
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetProgramLog (NvrtcProgram program, char *log)
{
  NVRTC_CALL ();
  strcpy (log, fake_program_log (PROGRAM (program)));
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetCUBINSize (NvrtcProgram program, size_t *bytes)
{
  GBytes *binary = PROGRAM (program)->binary;

  NVRTC_CALL ();
  *bytes = binary ? g_bytes_get_size (binary) : 0;
  return NVRTC_OK;
}

NvrtcResult
nvrtcGetCUBIN (NvrtcProgram program, char *cubin)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (PROGRAM (program)->binary, &size);

  NVRTC_CALL ();
  memcpy (cubin, data, size);
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
