/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a pipeline run in a process of its own, and what does it leave? Must
 * not know pipelines, nor what is done to the driver. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gio/gio.h>

#include "driver-run.h"
#include "fake-control.h"
#include "robust.h"

/* The main thread's; of others until they have one of their own */
#define OWN_NAME "driver-run"
#define HANG_US (20 * G_TIME_SPAN_SECOND)

static GObject *tracer;
static guint n_cases, n_failed_cases;

/* --- the driver --- */

const gchar *
driver_run_vendor (void)
{
  return g_getenv ("GST_HIP_TEST_VENDOR");
}

gchar *
driver_run_variable (const gchar * name)
{
  return g_strconcat (g_str_equal (driver_run_vendor (), "nvidia") ?
      "FAKE_CUDA_" : "FAKE_HIP_", name, NULL);
}

/* i: 0 the driver, 1 its compiler, NULL where that is in the driver */
static const FakeControl *
control (guint i)
{
  static const gchar *const names[2][2] = {
    {"GST_HIP_CUDA_LIBNAME", "GST_HIP_NVRTC_LIBNAME"},
    {"GST_HIP_AMDHIP_LIBNAME", "GST_HIP_HIPRTC_LIBNAME"},
  };
  const gchar *path =
      g_getenv (names[!g_str_equal (driver_run_vendor (), "nvidia")][i]);
  gpointer handle = path ? dlopen (path, RTLD_NOW | RTLD_LOCAL) : NULL;

  return handle ? dlsym (handle, "fake_control") : NULL;
}

void
driver_run_lose (gint device)
{
  control (0)->lose (device);
}

/* --- what is left --- */

static void
add_left (Outcome * outcome, const gchar * format, ...)
{
  gsize at = strlen (outcome->left);
  va_list args;

  va_start (args, format);
  g_vsnprintf (outcome->left + at, sizeof (outcome->left) - at, format, args);
  va_end (args);
}

/* Of types that live no longer than a pipeline */
static gboolean
should_go (const gchar * type)
{
  static const gchar *const types[] = { "GstBuffer", "GstMemory", "GstEvent",
    "GstQuery", "GstPipeline", "GstMessage", "GstFakeSink", NULL
  };

  return g_str_has_prefix (type, "GstHip") || g_strv_contains (types, type);
}

static void
look_for_objects (Outcome * outcome)
{
  GstStructure *live = NULL;
  const GValue *list;

  g_signal_emit_by_name (tracer, "get-live-objects", &live);
  list = gst_structure_get_value (live, "live-objects-list");
  for (guint i = 0; i < gst_value_list_get_size (list); i++) {
    const GstStructure *object =
        gst_value_get_structure (gst_value_list_get_value (list, i));
    const gchar *type =
        G_VALUE_TYPE_NAME (gst_structure_get_value (object, "object"));

    if (should_go (type))
      add_left (outcome, "%s; ", type);
  }
  gst_structure_free (live);
}

/* How many are open, but for what simulated memory consists of: what of that is
 * not freed is counted by its driver. outcome: nullable, gets the names: which of
 * them is too many is seen by who reads it. */
static guint
look_for_files (Outcome * outcome)
{
  GDir *folder = g_dir_open ("/proc/self/fd", 0, NULL);
  const gchar *name;
  guint n = 0;

  while ((name = g_dir_read_name (folder))) {
    g_autofree gchar *path = g_build_filename ("/proc/self/fd", name, NULL);
    g_autofree gchar *target = g_file_read_link (path, NULL);

    if (target && g_str_has_prefix (target, "/memfd:device"))
      continue;
    n++;
    if (outcome)
      add_left (outcome, "%s ", target ? target : "?");
  }
  g_dir_close (folder);
  return n;
}

/* Streams are threads of the simulated driver, which keeps those that it could
 * not free. */
static void
look_for_leftovers (Outcome * outcome, guint fds)
{
  outcome->left[0] = '\0';
  if (count_named_threads ("hip-worker") || count_named_threads ("hipkernel")
      || count_named_threads (OWN_NAME) > 1)
    add_left (outcome, "threads; ");
  if (look_for_files (NULL) > fds) {
    add_left (outcome, "more than %u files: ", fds);
    look_for_files (outcome);
    add_left (outcome, "; ");
  }
  for (guint i = 0; i < 2; i++) {
    const FakeControl *it = control (i);
    g_autofree gchar *what = NULL;

    if (it && it->live (&what) > 0)
      add_left (outcome, "the driver's %s; ", what);
  }
  /* The tracer must not look while a worker gives something up. */
  if (!outcome->left[0])
    look_for_objects (outcome);
}

static void
wait_for_leftovers (Outcome * outcome, guint fds)
{
  gint64 end = g_get_monotonic_time () + HANG_US / 2;
  guint n_final = 0;

  look_for_leftovers (outcome, fds);
  while (outcome->left[0] && n_final < 100 && g_get_monotonic_time () < end) {
    g_usleep (1000);
    look_for_leftovers (outcome, fds);
    /* Without a thread that would give it back */
    n_final = strstr (outcome->left, "threads") ? 0 : n_final + 1;
  }
  for (guint i = 0; i < 2; i++) {
    const FakeControl *it = control (i);

    outcome->injected += it ? it->failed () : 0;
  }
}

/* --- processes --- */

void
driver_run_init (int *argc, char ***argv)
{
  GList *tracers;

  g_setenv ("GST_TRACERS", "leaks", TRUE);
  /* No other device will do. */
  g_setenv ("GST_HIP_VENDOR", driver_run_vendor (), TRUE);
  gst_init (argc, argv);
  tracers = gst_tracing_get_active_tracers ();
  for (GList * l = tracers; l; l = l->next) {
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), "GstLeaksTracer"))
      tracer = g_object_ref (l->data);
  }
  g_list_free_full (tracers, gst_object_unref);
  if (!tracer)
    g_error ("GStreamer has no leak tracer");
}

/* What GLib opens once for each process that starts another one, as the drivers'
 * compilers do where nothing is cached, and keeps: it is nobody's leftover. */
static void
let_glib_open_its_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "true", NULL);

  if (process)
    g_subprocess_communicate (process, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void __attribute__((noreturn))
    child_main (DriverRunFunc func, gconstpointer data,
    const gchar * const *variables, int out)
{
  const struct rlimit no_core = { 0, 0 };
  Outcome outcome;
  guint fds;

  prctl (PR_SET_NAME, OWN_NAME);
  setrlimit (RLIMIT_CORE, &no_core);
  alarm (2 * HANG_US / G_USEC_PER_SEC);
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  for (; *variables; variables++) {
    g_auto (GStrv) parts = g_strsplit (*variables, "=", 2);
    g_autofree gchar *name = g_str_has_prefix (parts[0], "GST_") ?
        g_strdup (parts[0]) : driver_run_variable (parts[0]);

    g_setenv (name, parts[1], TRUE);
  }
  memset (&outcome, 0, sizeof (outcome));
  let_glib_open_its_files ();
  fds = look_for_files (NULL);
  func (&outcome, data);
  /* The tracer must not look while a streaming thread gives its task up. */
  gst_task_cleanup_all ();
  wait_for_leftovers (&outcome, fds);
  if (write (out, &outcome, sizeof (outcome)) != sizeof (outcome))
    _exit (3);
  /* With exit handlers, which may crash */
  exit (0);
}

static gchar *
wait_for_child (pid_t pid, FILE * said)
{
  gint64 end = g_get_monotonic_time () + HANG_US;
  g_autofree gchar *text = g_malloc0 (2000);
  gboolean hangs = FALSE;
  int status;

  while (waitpid (pid, &status, WNOHANG) == 0) {
    hangs = g_get_monotonic_time () > end;
    if (hangs) {
      kill (pid, SIGKILL);
      waitpid (pid, &status, 0);
      break;
    }
    g_usleep (1000);
  }
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return NULL;
  rewind (said);
  text[fread (text, 1, 1999, said)] = '\0';
  if (hangs)
    return g_strdup_printf ("hangs: %s", text);
  return WIFSIGNALED (status) ? g_strdup_printf ("ends by signal %d: %s",
      WTERMSIG (status), text) : g_strdup_printf ("ends with status %d: %s",
      WEXITSTATUS (status), text);
}

gchar *
driver_run_child (DriverRunFunc func, gconstpointer data,
    const gchar * const *variables, Outcome * outcome)
{
  FILE *said = tmpfile ();
  gchar *problem;
  int out[2];
  pid_t pid;

  fflush (stdout);
  if (!said || pipe (out) != 0 || (pid = fork ()) < 0)
    g_error ("no child process");
  if (pid == 0) {
    dup2 (fileno (said), STDERR_FILENO);
    close (out[0]);
    child_main (func, data, variables, out[1]);
  }
  close (out[1]);
  problem = wait_for_child (pid, said);
  if (!problem && read (out[0], outcome, sizeof (*outcome)) !=
      sizeof (*outcome))
    problem = g_strdup ("says nothing");
  close (out[0]);
  fclose (said);
  return problem;
}

/* --- judging --- */

gchar *
driver_run_describe (const Outcome * outcome)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < outcome->n_targets; i++) {
    const Target *target = &outcome->targets[i];

    g_string_append_printf (text, "[%u right, %u wrong, %u unmapped of %u%s, "
        "%u errors, %u of others: %s, code %d: %s; %s] ", target->right,
        target->wrong, target->unmapped, target->frames,
        target->eos ? " to the end" : "", target->errors, target->other_errors,
        target->errors ? target->domain : "none",
        target->code, target->text, target->more);
  }
  if (outcome->left[0])
    g_string_append_printf (text, "left: %s", outcome->left);
  return g_string_free (text, FALSE);
}

gboolean
driver_run_is_good (const Outcome * outcome)
{
  for (guint i = 0; i < outcome->n_targets; i++) {
    const Target *target = &outcome->targets[i];

    if (target->right != target->frames || target->wrong || target->unmapped
        || target->errors || target->other_errors || !target->eos)
      return FALSE;
  }
  return outcome->left[0] == '\0';
}

void
driver_run_case (const gchar * name, const gchar * problem)
{
  g_auto (GStrv) lines = problem ? g_strsplit (problem, "\n", -1) : NULL;

  n_cases++;
  n_failed_cases += problem != NULL;
  g_print ("%s %u - %s\n", problem ? "not ok" : "ok", n_cases, name);
  for (guint i = 0; lines && lines[i]; i++)
    g_print ("# %s\n", lines[i]);
}

int
driver_run_done (void)
{
  g_print ("1..%u\n", n_cases);
  return n_failed_cases > 0 || n_cases == 0;
}
