/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a kernel's text become code for this CPU?
 *
 * The machine's C++ compiler is started directly, with the text on its
 * standard input and a private folder for its output; what comes back is the
 * shared object's bytes. Knows nothing of kernels: the text is complete.
 *
 * Invariant: no shell, no message in another language, no file that outlives
 * the call.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <gio/gio.h>
#include <glib/gstdio.h>

#include "host-internal.h"
#include "../../gsthiperror.h"

/* Contraction as GPUs do it. Traps and errno are no part of kernels; the aliasing rules of C++ are broken
 * by every kernel that loads four bytes at once. */
static const gchar *const base_options[] = { "-x", "c++", "-std=gnu++17", "-O3",
  "-fPIC", "-shared", "-fvisibility=hidden",
  "-fno-exceptions", "-fno-rtti", "-fno-math-errno", "-fno-trapping-math",
  "-ffp-contract=fast", "-fno-strict-aliasing", "-fno-semantic-interposition",
  "-fno-stack-protector", "-nostdinc", "-nostdinc++",
  "-fdiagnostics-color=never", NULL
};

/* No C++ library; what is missing is an error now, not at load. */
static const gchar *const link_options[] = { "-nodefaultlibs", "-Wl,-z,defs",
  "-Wl,--as-needed", "-lm", "-lc", "-lgcc", NULL
};

/* --- which compiler --- */

typedef struct
{
  gchar *program;               /* absolute path */
  gchar *version;               /* first line of --version */
} Compiler;

static gchar *
find_program (GError ** error)
{
  const gchar *wish = g_getenv ("GST_HIP_CXX");
  static const gchar *const names[] = { "clang++", "g++", NULL };
  gchar *path;

  if (wish && *wish) {
    path = g_find_program_in_path (wish);
    if (!path)
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
          "GST_HIP_CXX names \"%s\", which is no program on this machine",
          wish);
    return path;
  }
  for (guint i = 0; names[i]; i++) {
    path = g_find_program_in_path (names[i]);
    if (path)
      return path;
  }
  g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
      "No C++ compiler to compile kernels for the host device with: install "
      "the package g++ or clang (Debian, Ubuntu), gcc-c++ or clang (Fedora), "
      "gcc or clang (Arch), or set GST_HIP_CXX to one");
  return NULL;
}

static GSubprocessLauncher *
new_launcher (GSubprocessFlags flags)
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (flags);

  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C", TRUE);
  g_subprocess_launcher_unsetenv (launcher, "LANGUAGE");
  /* These would add options and folders that nobody asked for here */
  g_subprocess_launcher_unsetenv (launcher, "CPATH");
  g_subprocess_launcher_unsetenv (launcher, "CPLUS_INCLUDE_PATH");
  g_subprocess_launcher_unsetenv (launcher, "DEPENDENCIES_OUTPUT");
  return launcher;
}

static gchar *
ask_version (const gchar * program, GError ** error)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autofree gchar *out = NULL;
  gchar *end;

  launcher = new_launcher (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
      G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  process = g_subprocess_launcher_spawn (launcher, error, program, "--version",
      NULL);
  if (!process || !g_subprocess_communicate_utf8 (process, NULL, NULL, &out,
          NULL, error))
    return NULL;
  if (!out || !*out)
    return g_strdup ("unknown");
  end = strchr (out, '\n');
  return g_strndup (out, end ? (gsize) (end - out) : strlen (out));
}

/* Looks once for each wish; a compiler that is installed later is found later. */
static gboolean
get_compiler (gchar ** program, gchar ** version, GError ** error)
{
  static HipMutex lock = HIP_MUTEX_INIT;
  static Compiler known;
  g_autofree gchar *path = find_program (error);
  g_autofree gchar *line = NULL;

  if (!path)
    return FALSE;
  hip_mutex_lock (&lock);
  if (known.program && strcmp (known.program, path) == 0)
    line = g_strdup (known.version);
  hip_mutex_unlock (&lock);

  if (!line) {
    g_autoptr (GError) cause = NULL;

    line = ask_version (path, &cause);
    if (!line) {
      g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
          "Cannot start the C++ compiler %s: %s", path, cause->message);
      return FALSE;
    }
    hip_mutex_lock (&lock);
    g_free (known.program);
    g_free (known.version);
    known.program = g_strdup (path);
    known.version = g_strdup (line);
    hip_mutex_unlock (&lock);
  }
  if (program)
    *program = g_steal_pointer (&path);
  if (version)
    *version = g_steal_pointer (&line);
  return TRUE;
}

gboolean
host_compiler_available (void)
{
  g_autofree gchar *path = find_program (NULL);

  return path != NULL;
}

void
host_compiler_describe (GstStructure * structure)
{
  g_autofree gchar *program = NULL, *version = NULL;

  if (get_compiler (&program, &version, NULL))
    gst_structure_set (structure, "compiler", G_TYPE_STRING, program,
        "compiler-version", G_TYPE_STRING, version, NULL);
}

/* Which file the compiler is tells its version, and asking it would cost every
 * start of every program 20 to 80 ms (clang 14, 2026-12). Our own options count
 * too: another version of this file makes other code. Without a context the
 * architecture is the caller's. */
gchar *
host_compiler_id (HipNativeContext context, GError ** error)
{
  g_autofree gchar *program = find_program (error);
  g_autofree gchar *real = NULL, *cpu = NULL;
  g_autofree gchar *arch = host_arch_option (host_arch_forced ());
  g_autofree gchar *options = g_strjoinv (" ", (gchar **) base_options);
  struct stat st = { 0, };

  if (!program)
    return NULL;
  real = realpath (program, NULL);
  if (stat (program, &st) != 0)
    memset (&st, 0, sizeof (st));
  cpu = context ? host_arch_cpu_id () : NULL;
  return g_strdup_printf ("%s | %" G_GINT64_FORMAT " bytes | %" G_GINT64_FORMAT
      ".%09ld | %" G_GUINT64_FORMAT " | %s | %s %s | " PACKAGE_VERSION,
      real ? real : program, (gint64) st.st_size, (gint64) st.st_mtim.tv_sec,
      (glong) st.st_mtim.tv_nsec, (guint64) st.st_ino, cpu ? cpu : "any CPU",
      context && arch ? arch : "", options);
}

/* --- options --- */

/* -D, -I, -O, -g mean the same to this compiler already. NVRTC's spellings of
 * these and of the standard are taken too. */
gchar **
host_translate_options (HipNativeContext context, const gchar * const *options,
    GError ** error)
{
  static const gchar *const long_forms[][2] = {
    {"--define-macro", "-D"}, {"--undefine-macro", "-U"},
    {"--include-path", "-I"}, {"--std", "-std="}, {"-std", "-std="},
    {"--gpu-architecture", NULL}, {"-arch", NULL}, {"--offload-arch", NULL},
  };
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; options && options[i]; i++) {
    const gchar *option = options[i];
    gboolean done = FALSE;

    for (guint j = 0; j < G_N_ELEMENTS (long_forms) && !done; j++) {
      const gchar *name = long_forms[j][0], *ours = long_forms[j][1];
      gsize n = strlen (name);
      const gchar *value;

      if (strncmp (option, name, n) != 0 || (option[n] && option[n] != '='))
        continue;
      value = option[n] ? option + n + 1 : options[i + 1];
      if (!value) {
        g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
            "Compiler option \"%s\" needs a value", option);
        return NULL;
      }
      i += !option[n];
      if (ours)                 /* architectures of GPUs say nothing here */
        g_ptr_array_add (out, g_strconcat (ours, value, NULL));
      done = TRUE;
    }
    if (!done)
      g_ptr_array_add (out, g_strdup (strcmp (option, "--device-debug") == 0
              || strcmp (option, "-G") == 0 ? "-g" : option));
  }
  g_ptr_array_add (out, NULL);
  return (gchar **) g_ptr_array_free (g_steal_pointer (&out), FALSE);
}

/* --- compiling --- */

static void
add_options (GPtrArray * argv, const gchar * const *options)
{
  for (; options && *options; options++)
    g_ptr_array_add (argv, (gpointer) * options);
}

static gboolean
run_compiler (const gchar * const *argv, const gchar * folder,
    const gchar * source, gchar ** log, GError ** error)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) in = g_bytes_new_static (source, strlen (source));
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GError) cause = NULL;

  launcher = new_launcher (G_SUBPROCESS_FLAGS_STDIN_PIPE |
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_subprocess_launcher_setenv (launcher, "TMPDIR", folder, TRUE);
  process = g_subprocess_launcher_spawnv (launcher, argv, &cause);
  if (!process) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        "Cannot start the C++ compiler %s: %s", argv[0], cause->message);
    return FALSE;
  }
  if (!g_subprocess_communicate (process, in, NULL, &out, NULL, &cause)) {
    /* It may end before it has read everything; its own words tell more */
    g_subprocess_wait (process, NULL, NULL);
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE,
        "The C++ compiler %s failed: %s", argv[0], cause->message);
    return FALSE;
  }
  if (out && g_bytes_get_size (out) > 0) {
    g_autofree gchar *text = g_strndup (g_bytes_get_data (out, NULL),
        g_bytes_get_size (out));

    *log = g_utf8_make_valid (text, -1);
  }
  if (g_subprocess_get_successful (process))
    return TRUE;
  if (g_subprocess_get_if_exited (process))
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE, "%s",
        *log ? *log : "the C++ compiler failed and said nothing");
  else
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE,
        "The C++ compiler %s was ended by signal %d: %s", argv[0],
        g_subprocess_get_term_sig (process), *log ? *log : "no output");
  return FALSE;
}

/* arch: NULL for this CPU */
static GBytes *
compile (const gchar * arch, const HipCompileRequest * request, gchar ** log,
    GError ** error)
{
  g_autofree gchar *program = NULL, *version = NULL;
  g_autofree gchar *folder = NULL, *output = NULL;
  g_autofree gchar *said = NULL, *bytes = NULL;
  g_autofree gchar *march = host_arch_option (arch);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) cause = NULL;
  gboolean ok;
  gsize size;

  if (!get_compiler (&program, &version, error))
    return NULL;
  folder = g_dir_make_tmp ("gst-hip-XXXXXX", &cause);
  if (!folder) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_FAILED,
        "No folder for the compiler's output: %s", cause->message);
    return NULL;
  }
  output = g_build_filename (folder, "kernel.so", NULL);

  g_ptr_array_add (argv, program);
  add_options (argv, base_options);
  if (march)
    g_ptr_array_add (argv, march);
  /* A loop that cannot be vectorised is no news; g++ knows no such warning */
  if (strstr (version, "clang"))
    g_ptr_array_add (argv, (gpointer) "-Wno-pass-failed");
  add_options (argv, request->options);
  g_ptr_array_add (argv, (gpointer) "-o");
  g_ptr_array_add (argv, output);
  g_ptr_array_add (argv, (gpointer) "-");
  add_options (argv, link_options);
  g_ptr_array_add (argv, NULL);

  ok = run_compiler ((const gchar * const *) argv->pdata, folder,
      request->source, &said, error);
  if (ok && !g_file_get_contents (output, &bytes, &size, &cause)) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_COMPILE,
        "The C++ compiler %s left no output: %s", program, cause->message);
    ok = FALSE;
  }
  g_unlink (output);
  g_rmdir (folder);
  if (log)
    *log = g_steal_pointer (&said);
  return ok ? g_bytes_new_take (g_steal_pointer (&bytes), size) : NULL;
}

GBytes *
host_compile (HipNativeContext context, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  return compile (host_arch_forced (), request, log, error);
}

GBytes *
host_compile_for (const gchar * arch, const HipCompileRequest * request,
    gchar ** log, GError ** error)
{
  return compile (arch, request, log, error);
}
