/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a kernel's text become code for an AMD GPU?
 *
 * HIPRTC makes one code object for the GPU's own architecture, its features
 * included. It is always told the architecture: without, it asks the device. Of
 * one that it does not know it must not be told: releases were seen to abort
 * the process. Knows nothing of kernels: the text is complete.
 */
#include <string.h>
#include <sys/stat.h>

#include "amd-internal.h"
#include "../../hip-compiler-options.h"
#include "../../hip-library.h"

#define ISA_PREFIX "amdgcn-amd-amdhsa--"
/* There are two, sramecc and xnack; more are taken as one. */
#define MAX_FEATURES 3

/* --- which compiler --- */

gboolean
amd_have_compiler (void)
{
  return amd_get_hiprtc (NULL) != NULL;
}

/* "libamd_comgr.so.2.6.0": HIPRTC's compiler is a library of its own, with a
 * version of its own; NULL if it hides */
static gchar *
comgr_path (const AmdHiprtc * hiprtc)
{
  return hiprtc->amd_comgr_get_version ? hip_library_path_of ((gpointer)
      hiprtc->amd_comgr_get_version, "libamd_comgr") : NULL;
}

void
amd_compiler_describe (GstStructure * structure)
{
  g_autoptr (GError) error = NULL;
  const AmdHiprtc *hiprtc = amd_get_hiprtc (&error);
  g_autofree gchar *comgr = NULL, *version = NULL;
  gsize major = 0, minor = 0;

  if (!hiprtc) {
    gst_structure_set (structure, "compiler-missing", G_TYPE_STRING,
        error->message, NULL);
    return;
  }
  gst_structure_set (structure, "compiler", G_TYPE_STRING, amd_hiprtc_path (),
      NULL);
  comgr = comgr_path (hiprtc);
  if (!comgr)
    return;
  hiprtc->amd_comgr_get_version (&major, &minor);
  version = g_strdup_printf ("comgr %" G_GSIZE_FORMAT ".%" G_GSIZE_FORMAT
      " (%s)", major, minor, comgr);
  gst_structure_set (structure, "compiler-version", G_TYPE_STRING, version,
      NULL);
}

/* HIPRTC's own version is the same in all releases: name and size of the file
 * say more. */
static void
append_file (GString * id, const gchar * what, const gchar * path)
{
  g_autofree gchar *name = path ? g_path_get_basename (path) : NULL;
  struct stat st;

  if (name)
    g_string_append_printf (id, "%s%s %s %" G_GINT64_FORMAT,
        id->len ? " | " : "", what, name,
        stat (path, &st) == 0 ? (gint64) st.st_size : -1);
}

gchar *
amd_compiler_id (HipNativeContext native, GError ** error)
{
  AmdContext *context = native;
  const AmdHiprtc *hiprtc = amd_get_hiprtc (error);
  g_autoptr (GString) id = g_string_new (NULL);
  g_autofree gchar *comgr = NULL;
  gint driver = 0;

  if (!hiprtc)
    return NULL;
  comgr = comgr_path (hiprtc);
  append_file (id, "HIPRTC", amd_hiprtc_path ());
  append_file (id, "comgr", comgr);
  if (context) {
    if (!AMD_CALL (error, hipDriverGetVersion, &driver))
      return NULL;
    g_string_append_printf (id, " | driver %d | %s", driver, context->arch);
  }
  return g_string_free (g_steal_pointer (&id), FALSE);
}

/* --- options --- */

/* HIPRTC is clang: it knows them all. */
static gchar *
translate_option (const gchar * option)
{
  return g_strdup (option);
}

gchar **
amd_translate_options (HipNativeContext context, const gchar * const *options,
    GError ** error)
{
  return hip_compiler_options_translate (options, translate_option, error);
}

/* --- architectures --- */

/* TRUE also where it cannot be asked */
static gboolean
knows_architecture (const AmdHiprtc * hiprtc, const gchar * arch)
{
  gsize n = 0, length = strcspn (arch, ":");

  if (!hiprtc->amd_comgr_get_isa_count || !hiprtc->amd_comgr_get_isa_name
      || hiprtc->amd_comgr_get_isa_count (&n) != 0 || n == 0)
    return TRUE;
  for (gsize i = 0; i < n; i++) {
    const char *isa = NULL;

    if (hiprtc->amd_comgr_get_isa_name (i, &isa) != 0
        || !g_str_has_prefix (isa, ISA_PREFIX))
      continue;
    isa += strlen (ISA_PREFIX);
    if (strcspn (isa, ":") == length && strncmp (isa, arch, length) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
check_architecture (const AmdHiprtc * hiprtc, const gchar * arch,
    GError ** error)
{
  g_autofree gchar *comgr = comgr_path (hiprtc);

  if (knows_architecture (hiprtc, arch))
    return TRUE;
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
      "HIPRTC (%s, %s) makes no code for %s: install a ROCm that does",
      amd_hiprtc_path (), comgr ? comgr : "no comgr", arch);
  return FALSE;
}

/* Code that names a feature runs where that is set so, code that does not runs
 * whatever it is set to. All that serve, those that say most first. */
gchar **
amd_precompiled_archs (const GstHipDeviceInfo * info)
{
  g_auto (GStrv) parts = g_strsplit (info->arch, ":", MAX_FEATURES + 1);
  guint n_features = parts[0] ? g_strv_length (parts) - 1 : 0;
  guint n = 1 << n_features;
  gchar **archs = g_new0 (gchar *, n + 1);

  for (guint i = 0; i < n; i++) {
    g_autoptr (GString) arch = g_string_new (parts[0]);

    for (guint j = 0; j < n_features; j++) {
      if (!(i & (1 << j)))
        g_string_append_printf (arch, ":%s", parts[j + 1]);
    }
    archs[i] = g_string_free (g_steal_pointer (&arch), FALSE);
  }
  return archs;
}

/* --- compiling --- */

static gchar *
read_log (const AmdHiprtc * hiprtc, HiprtcProgram program)
{
  g_autofree gchar *text = NULL, *valid = NULL;
  gsize size = 0;

  if (hiprtc->hiprtcGetProgramLogSize (program, &size) != HIPRTC_OK
      || size <= 1)
    return NULL;
  text = g_malloc0 (size + 1);
  if (hiprtc->hiprtcGetProgramLog (program, text) != HIPRTC_OK)
    return NULL;
  valid = g_utf8_make_valid (g_strchomp (text), -1);
  return *valid ? g_steal_pointer (&valid) : NULL;
}

static GBytes *
read_output (const AmdHiprtc * hiprtc, HiprtcProgram program, GError ** error)
{
  const gchar *call = "hiprtcGetCodeSize";
  g_autofree gchar *data = NULL;
  gsize size = 0;
  HiprtcResult result = hiprtc->hiprtcGetCodeSize (program, &size);

  if (result == HIPRTC_OK && size > 0) {
    call = "hiprtcGetCode";
    data = g_malloc (size);
    result = hiprtc->hiprtcGetCode (program, data);
    if (result == HIPRTC_OK)
      return g_bytes_new_take (g_steal_pointer (&data), size);
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE,
      "%s: HIPRTC left no output: %s", call,
      hiprtc->hiprtcGetErrorString (result));
  return NULL;
}

static HiprtcResult
run_compiler (const AmdHiprtc * hiprtc, HiprtcProgram program,
    const gchar * arch, const gchar * const *options)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autofree gchar *architecture = g_strconcat ("--offload-arch=", arch, NULL);

  g_ptr_array_add (all, architecture);
  if (!hip_compiler_options_have_standard (options))
    g_ptr_array_add (all, (gpointer) "--std=c++17");
  for (guint i = 0; options && options[i]; i++)
    g_ptr_array_add (all, (gpointer) options[i]);
  return hiprtc->hiprtcCompileProgram (program, all->len,
      (const char **) all->pdata);
}

GBytes *
amd_compile_for (const gchar * arch, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  const AmdHiprtc *hiprtc = amd_get_hiprtc (error);
  g_autofree gchar *said = NULL;
  const gchar *call = "hiprtcCreateProgram";
  HiprtcProgram program = NULL;
  HiprtcResult result;
  GBytes *output = NULL;

  if (!hiprtc || !check_architecture (hiprtc, arch, error))
    return NULL;

  /* The name becomes a file's somewhere; messages have the text's own. */
  result = hiprtc->hiprtcCreateProgram (&program, request->source,
      "kernel.hip", 0, NULL, NULL);
  if (result == HIPRTC_OK) {
    call = "hiprtcCompileProgram";
    result = run_compiler (hiprtc, program, arch, request->options);
  }
  if (program)
    said = read_log (hiprtc, program);
  if (result == HIPRTC_OK)
    output = read_output (hiprtc, program, error);
  else
    g_set_error (error, GST_HIP_ERROR, result == HIPRTC_NO_MEMORY ?
        GST_HIP_ERROR_OUT_OF_MEMORY : GST_HIP_ERROR_COMPILE, "%s%s%s",
        said ? "" : call, said ? "" : ": ",
        said ? said : hiprtc->hiprtcGetErrorString (result));
  if (program)
    hiprtc->hiprtcDestroyProgram (&program);
  if (log)
    *log = g_steal_pointer (&said);
  return output;
}

GBytes *
amd_compile (HipNativeContext native, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  return amd_compile_for (((AmdContext *) native)->arch, request, log, error);
}
