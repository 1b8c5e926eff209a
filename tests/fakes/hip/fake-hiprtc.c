/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The simulated HIPRTC: in a library of its own since 6, inside HIP's before. */
#include <string.h>

#include "fake-hip.h"

/* Whatever a call was told to fail with: HIPRTC's results are few. */
#define HIPRTC_INTERNAL_ERROR 11
#define ARCH_OPTION "--offload-arch="

#define HIPRTC_CALL()                           \
  G_STMT_START {                                \
    if (fake_enter (G_STRFUNC) != 0)            \
      return HIPRTC_INTERNAL_ERROR;             \
  } G_STMT_END

#define PROGRAM(handle) ((FakeProgram *) (handle))

HiprtcResult
hiprtcVersion (int *major, int *minor)
{
  HIPRTC_CALL ();
  *major = FAKE_HIP_MAJOR == 5 ? 9 : FAKE_HIP_MAJOR;
  *minor = 0;
  return HIPRTC_OK;
}

const char *
hiprtcGetErrorString (HiprtcResult result)
{
  return result == HIPRTC_OK ? "HIPRTC_SUCCESS" : "HIPRTC_ERROR (simulated)";
}

HiprtcResult
hiprtcCreateProgram (HiprtcProgram * program, const char *source,
    const char *name, int n_headers, const char **headers, const char **names)
{
  HIPRTC_CALL ();
  *program = (HiprtcProgram) fake_program_new (source, name);
  return HIPRTC_OK;
}

HiprtcResult
hiprtcDestroyProgram (HiprtcProgram * program)
{
  if (fake_enter (G_STRFUNC) != 0) {
    fake_handle_remove (*program);
    return HIPRTC_INTERNAL_ERROR;
  }
  fake_program_free (PROGRAM (*program), G_STRFUNC);
  *program = NULL;
  return HIPRTC_OK;
}

HiprtcResult
hiprtcCompileProgram (HiprtcProgram program, int n_options,
    const char **options)
{
  g_autoptr (GPtrArray) plain = g_ptr_array_new ();
  guint32 flags = 0;

  HIPRTC_CALL ();
  for (int i = 0; i < n_options; i++) {
    if (g_str_has_prefix (options[i], ARCH_OPTION))
      flags = amd_code_flags (options[i] + strlen (ARCH_OPTION));
    else
      g_ptr_array_add (plain, (gpointer) options[i]);
  }
  g_ptr_array_add (plain, NULL);
  fake_rule (flags != 0, "HIPRTC is told an architecture that it knows",
      G_STRFUNC);
  return fake_program_compile (PROGRAM (program),
      (const gchar * const *) plain->pdata, AMD_CODE_MACHINE, flags,
      G_STRFUNC) ? HIPRTC_OK : HIPRTC_NOT_COMPILED;
}

HiprtcResult
hiprtcGetProgramLogSize (HiprtcProgram program, size_t *bytes)
{
  HIPRTC_CALL ();
  *bytes = strlen (fake_program_log (PROGRAM (program))) + 1;
  return HIPRTC_OK;
}

HiprtcResult
hiprtcGetProgramLog (HiprtcProgram program, char *log)
{
  HIPRTC_CALL ();
  strcpy (log, fake_program_log (PROGRAM (program)));
  return HIPRTC_OK;
}

HiprtcResult
hiprtcGetCodeSize (HiprtcProgram program, size_t *bytes)
{
  GBytes *binary = PROGRAM (program)->binary;

  HIPRTC_CALL ();
  *bytes = binary ? g_bytes_get_size (binary) : 0;
  return HIPRTC_OK;
}

HiprtcResult
hiprtcGetCode (HiprtcProgram program, char *code)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (PROGRAM (program)->binary, &size);

  HIPRTC_CALL ();
  memcpy (code, data, size);
  return HIPRTC_OK;
}
