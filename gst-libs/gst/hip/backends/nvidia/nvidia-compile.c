/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a kernel's text become code for an NVIDIA GPU?
 *
 * NVRTC makes machine code (a CUBIN) for the GPU's own architecture, so that
 * the driver needs no compiler and may be older than NVRTC. Only for a GPU that
 * is newer than NVRTC it makes PTX, which the driver compiles. Knows nothing of
 * kernels: the text is complete.
 */
#include <string.h>

#include "nvidia-internal.h"
#include "../../hip-compiler-options.h"

/* --- which compiler --- */

guint
nvidia_compiler_version (void)
{
  const NvidiaNvrtc *nvrtc = nvidia_get_nvrtc (NULL);
  gint major, minor;

  if (!nvrtc || nvrtc->nvrtcVersion (&major, &minor) != NVRTC_OK)
    return 0;
  return major * 1000 + minor * 10;
}

void
nvidia_compiler_describe (GstStructure * structure)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *version = NULL;
  guint number;

  if (!nvidia_get_nvrtc (&error)) {
    gst_structure_set (structure, "compiler-missing", G_TYPE_STRING,
        error->message, NULL);
    return;
  }
  number = nvidia_compiler_version ();
  version = g_strdup_printf ("NVRTC %u.%u", number / 1000, number % 1000 / 10);
  gst_structure_set (structure, "compiler", G_TYPE_STRING, nvidia_nvrtc_path (),
      "compiler-version", G_TYPE_STRING, version, NULL);
}

gchar *
nvidia_compiler_id (HipNativeContext native, GError ** error)
{
  NvidiaContext *context = native;
  gint driver = 0;

  if (!nvidia_get_nvrtc (error))
    return NULL;
  if (!context)
    return g_strdup_printf ("NVRTC %u", nvidia_compiler_version ());
  if (!NVIDIA_CALL (error, cuDriverGetVersion, &driver))
    return NULL;
  return g_strdup_printf ("NVRTC %u | driver %d | sm_%d%d",
      nvidia_compiler_version (), driver, context->major, context->minor);
}

/* --- options --- */

/* gnu++17 is c++17 here; NVRTC optimises always and knows no -O; -g adds lines
 * to the code and keeps it fast, -G is its slow debugging form. */
static gchar *
translate_option (const gchar * option)
{
  if (g_str_has_prefix (option, "-O"))
    return NULL;
  if (g_str_has_prefix (option, "--std=gnu++"))
    return g_strconcat ("--std=c++", option + strlen ("--std=gnu++"), NULL);
  if (strcmp (option, "-g") == 0)
    return g_strdup ("--generate-line-info");
  if (strcmp (option, "-ffast-math") == 0)
    return g_strdup ("--use_fast_math");
  return g_strdup (option);
}

gchar **
nvidia_translate_options (HipNativeContext context,
    const gchar * const *options, GError ** error)
{
  return hip_compiler_options_translate (options, translate_option, error);
}

/* --- architectures --- */

/* Machine code for a GPU runs on those of the same generation that are not
 * older. 0: NVRTC has none of that generation that serves; *ptx: the newest one
 * that the GPU is newer than, or 0. */
static guint
choose_architecture (const NvidiaNvrtc * nvrtc, guint capability, guint * ptx)
{
  g_autofree gint *archs = NULL;
  gint n = 0;
  guint best = 0;

  *ptx = 0;
  /* Before 11.2 it cannot be asked. */
  if (!nvrtc->nvrtcGetNumSupportedArchs || !nvrtc->nvrtcGetSupportedArchs
      || nvrtc->nvrtcGetNumSupportedArchs (&n) != NVRTC_OK || n <= 0)
    return capability;
  archs = g_new0 (gint, n);
  if (nvrtc->nvrtcGetSupportedArchs (archs) != NVRTC_OK)
    return capability;

  for (gint i = 0; i < n; i++) {
    guint arch = archs[i];

    if (arch > capability)
      continue;
    *ptx = MAX (*ptx, arch);
    if (arch / 10 == capability / 10)
      best = MAX (best, arch);
  }
  return best;
}

/* --- compiling --- */

/* "file(4): error: ..." becomes "file:4: error: ...", as all other compilers
 * say it. */
static gchar *
common_form (const gchar * text)
{
  g_autoptr (GRegex) regex = g_regex_new
      ("^(.+)\\((\\d+)\\): (?=(catastrophic )?error|warning|remark|note)",
      G_REGEX_MULTILINE, 0, NULL);

  return g_regex_replace (regex, text, -1, 0, "\\1:\\2: ", 0, NULL);
}

static gchar *
read_log (const NvidiaNvrtc * nvrtc, NvrtcProgram program)
{
  g_autofree gchar *text = NULL, *valid = NULL;
  gsize size = 0;

  if (nvrtc->nvrtcGetProgramLogSize (program, &size) != NVRTC_OK || size <= 1)
    return NULL;
  text = g_malloc0 (size + 1);
  if (nvrtc->nvrtcGetProgramLog (program, text) != NVRTC_OK)
    return NULL;
  valid = g_utf8_make_valid (g_strchomp (text), -1);
  return *valid ? common_form (valid) : NULL;
}

static GBytes *
read_output (const NvidiaNvrtc * nvrtc, NvrtcProgram program, gboolean cubin,
    GError ** error)
{
  const gchar *call = cubin ? "nvrtcGetCUBINSize" : "nvrtcGetPTXSize";
  g_autofree gchar *data = NULL;
  gsize size = 0;
  NvrtcResult result = cubin ? nvrtc->nvrtcGetCUBINSize (program, &size) :
      nvrtc->nvrtcGetPTXSize (program, &size);

  if (result == NVRTC_OK && size > 0) {
    call = cubin ? "nvrtcGetCUBIN" : "nvrtcGetPTX";
    data = g_malloc (size);
    result = cubin ? nvrtc->nvrtcGetCUBIN (program, data) :
        nvrtc->nvrtcGetPTX (program, data);
    if (result == NVRTC_OK)
      return g_bytes_new_take (g_steal_pointer (&data), size);
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE,
      "%s: NVRTC left no output: %s", call,
      nvrtc->nvrtcGetErrorString (result));
  return NULL;
}

static NvrtcResult
run_compiler (const NvidiaNvrtc * nvrtc, NvrtcProgram program,
    const gchar * architecture, const gchar * const *options)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  g_ptr_array_add (all, (gpointer) architecture);
  /* Functions without a mark are for the device, as on the host. */
  g_ptr_array_add (all, (gpointer) "--device-as-default-execution-space");
  if (!hip_compiler_options_have_standard (options))
    g_ptr_array_add (all, (gpointer) "--std=c++17");
  for (guint i = 0; options && options[i]; i++)
    g_ptr_array_add (all, (gpointer) options[i]);
  return nvrtc->nvrtcCompileProgram (program, all->len,
      (const char *const *) all->pdata);
}

/* architecture: sm_NN makes a CUBIN, compute_NN makes PTX */
static GBytes *
compile_as (const NvidiaNvrtc * nvrtc, const gchar * architecture,
    const HipCompileRequest * request, gchar ** log, GError ** error)
{
  g_autofree gchar *said = NULL;
  g_autofree gchar *option =
      g_strconcat ("--gpu-architecture=", architecture, NULL);
  const gchar *call = "nvrtcCreateProgram";
  NvrtcProgram program = NULL;
  NvrtcResult result;
  GBytes *output = NULL;

  result = nvrtc->nvrtcCreateProgram (&program, request->source, request->name,
      0, NULL, NULL);
  if (result == NVRTC_OK) {
    call = "nvrtcCompileProgram";
    result = run_compiler (nvrtc, program, option, request->options);
  }
  if (program)
    said = read_log (nvrtc, program);
  if (result == NVRTC_OK)
    output = read_output (nvrtc, program, g_str_has_prefix (architecture,
            "sm_"), error);
  else
    g_set_error (error, GST_HIP_ERROR, result == NVRTC_NO_MEMORY ?
        GST_HIP_ERROR_OUT_OF_MEMORY : GST_HIP_ERROR_COMPILE, "%s%s%s",
        said ? "" : call, said ? "" : ": ",
        said ? said : nvrtc->nvrtcGetErrorString (result));
  if (program)
    nvrtc->nvrtcDestroyProgram (&program);
  if (log)
    *log = g_steal_pointer (&said);
  return output;
}

GBytes *
nvidia_compile_capability (guint capability, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  const NvidiaNvrtc *nvrtc = nvidia_get_nvrtc (error);
  g_autofree gchar *architecture = NULL;
  gboolean cubin;
  guint arch, ptx;

  if (!nvrtc)
    return NULL;
  arch = choose_architecture (nvrtc, capability, &ptx);
  if (!arch && !ptx) {
    guint version = nvidia_compiler_version ();

    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "NVRTC %u.%u (%s) makes no code for sm_%u any more: install an older "
        "one beside it and set GST_HIP_NVRTC_LIBNAME", version / 1000,
        version % 1000 / 10, nvidia_nvrtc_path (), capability);
    return NULL;
  }
  cubin = arch && nvrtc->nvrtcGetCUBINSize && nvrtc->nvrtcGetCUBIN;
  architecture = g_strdup_printf ("%s_%u", cubin ? "sm" : "compute",
      arch ? arch : ptx);
  return compile_as (nvrtc, architecture, request, log, error);
}

GBytes *
nvidia_compile (HipNativeContext native, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  NvidiaContext *context = native;

  return nvidia_compile_capability (context->major * 10 + context->minor,
      request, log, error);
}

/* --- precompiled kernels --- */

GBytes *
nvidia_compile_for (const gchar * arch, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  const NvidiaNvrtc *nvrtc = nvidia_get_nvrtc (error);
  gboolean cubin = g_str_has_prefix (arch, "sm_");
  guint64 wished = 0;
  guint ptx;

  if (!nvrtc)
    return NULL;
  if ((!cubin && !g_str_has_prefix (arch, "compute_"))
      || !g_ascii_string_to_unsigned (strchr (arch, '_') + 1, 10, 10, 9999,
          &wished, NULL)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "\"%s\" is no architecture of NVIDIA: sm_NN or compute_NN is meant",
        arch);
    return NULL;
  }
  if (choose_architecture (nvrtc, wished, &ptx) != wished
      || (cubin && !nvrtc->nvrtcGetCUBIN)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNSUPPORTED,
        "NVRTC %u (%s) makes no code for %s", nvidia_compiler_version (),
        nvidia_nvrtc_path (), arch);
    return NULL;
  }
  return compile_as (nvrtc, arch, request, log, error);
}

/* Machine code of its own generation that is not newer, then PTX that is not
 * newer, for the driver to compile. */
gchar **
nvidia_precompiled_archs (const GstHipDeviceInfo * info)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new ();
  guint64 arch = 0;

  if (g_str_has_prefix (info->arch, "sm_"))
    g_ascii_string_to_unsigned (info->arch + 3, 10, 10, 9999, &arch, NULL);
  for (guint i = arch; arch > 0 && i >= arch / 10 * 10; i--)
    g_ptr_array_add (out, g_strdup_printf ("sm_%u", i));
  for (guint i = arch; i >= 50; i--)
    g_ptr_array_add (out, g_strdup_printf ("compute_%u", i));
  g_ptr_array_add (out, NULL);
  return (gchar **) g_ptr_array_free (g_steal_pointer (&out), FALSE);
}
