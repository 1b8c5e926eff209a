/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What becomes of a pipeline when a call of the driver fails?
 *
 * failing-calls PIPELINE: each function that a good run calls, as the simulated
 * driver's log has it, is made to fail at its first, second, middle and last
 * call (at each with GST_HIP_TEST_FULL), for want of memory and because the
 * device fails. Either everything comes and is right, or there is one error of
 * one element, of the right kind, that names call and device. Nothing is left,
 * nothing hangs.
 *
 * failing-calls PIPELINE NAME:N:CODE: that one alone, and what became of it.
 */
#include <stdio.h>
#include <string.h>

#include "driver-run.h"

/* Both drivers have the same numbers for these. */
#define NO_MEMORY 2
#define LAUNCH_FAILED 719       /* the device with it */

#define SLOW "DELAY_US=5000"

/* What a failing call may lead to */
enum
{
  SURVIVES = 1 << 0,            /* nobody sees it */
  NO_SPACE = 1 << 1,            /* GST_RESOURCE_ERROR_NO_SPACE_LEFT */
  LOST = 1 << 2,                /* GST_RESOURCE_ERROR_FAILED */
  NOT_FOUND = 1 << 3,           /* GST_RESOURCE_ERROR_NOT_FOUND */
  COMPILE = 1 << 4,             /* GST_LIBRARY_ERROR_SETTINGS */
  NO_DEVICE = 1 << 5,           /* the text names none, as there is none yet */
  BY_ANOTHER = 1 << 6,          /* the text has the name of the next call that failed with the device */
  MAPPED = 1 << 7,              /* an application's map: GStreamer tries again with a copy */
  LATER = SURVIVES | LOST | BY_ANOTHER, /* nobody sees it but that the device is gone */
};

/* The first whose name begins so; what is said of no memory, of a failed device */
typedef struct
{
  const gchar *name;
  guint no_memory, lost;
} Rule;

#define OF_BOTH(name, no_memory, lost)          \
  {"cu" name, no_memory, lost},                 \
  {"hip" name, no_memory, lost}

static const Rule rules[] = {
  OF_BOTH ("Init", NOT_FOUND | NO_DEVICE, NOT_FOUND | NO_DEVICE),
  {"cuDeviceGetCount", NOT_FOUND | NO_DEVICE, NOT_FOUND | NO_DEVICE},
  {"hipGetDeviceCount", NOT_FOUND | NO_DEVICE, NOT_FOUND | NO_DEVICE},
  /* Without an answer there is a usual one, if not for what kernels are
   * compiled for. */
  {"cuDeviceGetAttribute", SURVIVES | NO_SPACE, LATER},
  {"hipDeviceGetAttribute", SURVIVES, LATER},
  OF_BOTH ("DriverGetVersion", SURVIVES, LATER),
  {"hipRuntimeGetVersion", SURVIVES, LATER},
  OF_BOTH ("DeviceGetUuid", SURVIVES, LATER),
  OF_BOTH ("EventElapsedTime", SURVIVES, LATER),
  /* NVRTC and HIPRTC have results of their own. */
  {"nvrtcVersion", SURVIVES, SURVIVES},
  {"hiprtcVersion", SURVIVES, SURVIVES},
  {"nvrtcGetNumSupportedArchs", SURVIVES, SURVIVES},
  {"nvrtcGetSupportedArchs", SURVIVES, SURVIVES},
  {"nvrtcGetProgramLog", SURVIVES, SURVIVES},
  {"hiprtcGetProgramLog", SURVIVES, SURVIVES},
  {"nvrtcDestroy", SURVIVES, SURVIVES},
  {"hiprtcDestroy", SURVIVES, SURVIVES},
  {"nvrtc", COMPILE, COMPILE},
  {"hiprtc", COMPILE, COMPILE},
  /* What is given back */
  OF_BOTH ("EventDestroy", SURVIVES, LATER),
  OF_BOTH ("StreamDestroy", SURVIVES, LATER),
  OF_BOTH ("ModuleUnload", SURVIVES, LATER),
  {"cuMemFree", SURVIVES, LATER},
  {"hipFree", SURVIVES, LATER},
  {"hipHostFree", SURVIVES, LATER},
  {"cuDevicePrimaryCtxRelease", SURVIVES, LATER},
  {"cuCtxPopCurrent", SURVIVES, LATER},
  /* Only a device that failed cannot be made current, asked, or waited for. */
  {"cuCtxPushCurrent", NO_SPACE | LATER, LATER},
  {"hipSetDevice", NO_SPACE | LATER, LATER},
  {"hipGetDevice", SURVIVES | NO_SPACE | LOST, LATER},
  OF_BOTH ("EventQuery", NO_SPACE | LATER, LATER),
  OF_BOTH ("EventSynchronize", NO_SPACE | LATER, LATER),
  OF_BOTH ("StreamQuery", NO_SPACE | LATER, LATER),
  OF_BOTH ("StreamSynchronize", NO_SPACE | LATER, LATER),
  /* A worker that cannot wait asleep waits awake. */
  OF_BOTH ("StreamCreate", SURVIVES | NO_SPACE, LATER),
  OF_BOTH ("EventCreate", SURVIVES | NO_SPACE, LATER),
  OF_BOTH ("StreamWaitEvent", SURVIVES | NO_SPACE, LATER),
  OF_BOTH ("EventRecord", SURVIVES | NO_SPACE, LATER),
  /* What the cache has, but does not load, is compiled. */
  OF_BOTH ("Module", SURVIVES | NO_SPACE, LATER),
  {"cuFunc", SURVIVES | NO_SPACE, LATER},
  {"cuMemcpyDtoH_v2", SURVIVES | NO_SPACE, LATER},
  {"hipMemcpyDtoH", SURVIVES | NO_SPACE, LATER},
  /* The pool tries to have one more than it needs. */
  {"cuMemAlloc", SURVIVES | NO_SPACE, LOST},
  {"hipMalloc", SURVIVES | NO_SPACE, LOST},
  {"cuMemcpy2D", NO_SPACE | MAPPED, LOST},
  {"hipMemcpy2D", NO_SPACE | MAPPED, LOST},
  {"", NO_SPACE, LOST},
};

typedef struct
{
  gchar *name;
  guint n;                      /* calls in a good run */
} Function;

static const gchar *pipeline;
static gboolean full;

static const Rule *
find_rule (const gchar * name)
{
  const Rule *rule = rules;

  while (!g_str_has_prefix (name, rule->name))
    rule++;
  return rule;
}

/* --- what is called --- */

static void
free_function (gpointer data)
{
  g_free (((Function *) data)->name);
  g_free (data);
}

static Function *
find_function (GPtrArray * functions, const gchar * name)
{
  Function *function;

  for (guint i = 0; i < functions->len; i++) {
    function = g_ptr_array_index (functions, i);
    if (g_str_equal (function->name, name))
      return function;
  }
  function = g_new0 (Function, 1);
  function->name = g_strdup (name);
  g_ptr_array_add (functions, function);
  return function;
}

/* NULL: the run was not good */
static GPtrArray *
list_functions (void)
{
  g_autoptr (GPtrArray) functions =
      g_ptr_array_new_with_free_func (free_function);
  g_autofree gchar *folder = g_dir_make_tmp ("failing-calls-XXXXXX", NULL);
  g_autofree gchar *log = g_build_filename (folder, "log", NULL);
  g_autofree gchar *variable = g_strconcat ("LOG=", log, NULL);
  const gchar *variables[] = { variable, NULL };
  g_autofree gchar *text = NULL, *problem = NULL;
  g_auto (GStrv) lines = NULL;
  Outcome outcome;

  /* The first one fills the cache of compiled kernels. */
  for (guint i = 0; i < 2 && !problem; i++) {
    remove (log);
    problem = driver_run_child (driver_run_pipeline, pipeline, variables,
        &outcome);
  }
  if (!problem && !driver_run_is_good (&outcome))
    problem = driver_run_describe (&outcome);
  driver_run_case ("a good run", problem);
  if (g_file_get_contents (log, &text, NULL, NULL))
    lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines && lines[i]; i++) {
    if (lines[i][0] && !g_str_equal (lines[i], "load"))
      find_function (functions, lines[i])->n++;
  }
  remove (log);
  remove (folder);
  return problem ? NULL : g_steal_pointer (&functions);
}

/* --- judging --- */

static guint
kind_of_error (const Target * target)
{
  gboolean resource = g_str_equal (target->domain,
      g_quark_to_string (GST_RESOURCE_ERROR));

  if (resource && target->code == GST_RESOURCE_ERROR_NO_SPACE_LEFT)
    return NO_SPACE;
  if (resource && target->code == GST_RESOURCE_ERROR_FAILED)
    return LOST;
  if (resource && target->code == GST_RESOURCE_ERROR_NOT_FOUND)
    return NOT_FOUND;
  if (g_str_equal (target->domain, g_quark_to_string (GST_LIBRARY_ERROR))
      && target->code == GST_LIBRARY_ERROR_SETTINGS)
    return COMPILE;
  return 0;
}

/* cuNamed () or hipNamed (); hipupload is no call. */
static gboolean
names_any_call (const gchar * text)
{
  for (; *text; text++) {
    gsize prefix = g_str_has_prefix (text, "cu") ? 2 :
        g_str_has_prefix (text, "hip") ? 3 : 0;

    if (prefix && g_ascii_isupper (text[prefix]))
      return TRUE;
  }
  return FALSE;
}

static gboolean
names_call (const gchar * text, const gchar * call, gboolean or_another)
{
  return strstr (text, call) || (or_another && names_any_call (text));
}

static gboolean
names_device (const gchar * text)
{
  return strstr (text, "nvidia device 0") || strstr (text, "amd device 1")
      || strstr (text, "Simulated GPU");
}

/* Why this is no error as it should be, or NULL */
static const gchar *
judge_error (const Target * target, const gchar * call, guint allowed)
{
  if (target->errors > 1)
    return "more than one error";
  if (!(kind_of_error (target) & allowed))
    return "an error of the wrong kind";
  if (!names_call (target->text, call, (allowed & BY_ANOTHER) != 0))
    return "the error does not name the call";
  if (!(allowed & NO_DEVICE) && !names_device (target->text))
    return "the error does not name the device";
  return NULL;
}

/* Where waiting failed modules are kept, as nobody knows what still runs. What
 * cannot be freed, because the device's context cannot be entered for it, stays
 * the driver's. */
static gboolean
may_be_left (const gchar * left, const gchar * call, guint allowed)
{
  if (strstr (left, "Gst") || strstr (left, "threads") || strstr (left, "file"))
    return FALSE;
  return g_str_equal (call, "hipGetDevice") || g_str_equal (call,
      "hipSetDevice") || g_str_equal (call, "cuCtxPushCurrent_v2")
      || ((allowed & LOST)
      && g_str_equal (left, "the driver's 1 modules; "));
}

/* Where streaming threads, or one and the application, use one device at once;
 * a model's results go on by a thread of their own */
static gboolean
has_two_threads (void)
{
  static const gchar *const names[] = { "camera-pool",
    "two-pipelines-one-device", "flush-and-seek", "inference",
    "inference-as-graphs", NULL
  };

  return g_strv_contains (names, pipeline);
}

static const gchar *
judge (const Outcome * outcome, const gchar * call, guint allowed)
{
  guint n_errors = 0;

  /* The other thread meets a failed device at a call of its own, and may be the
   * first to say so. */
  if (has_two_threads () && (allowed & LOST))
    allowed |= BY_ANOTHER;
  for (guint i = 0; i < outcome->n_targets; i++) {
    const Target *target = &outcome->targets[i];
    const gchar *problem = NULL;

    if (target->wrong)
      return "a wrong picture";
    if (target->errors)
      problem = judge_error (target, call, allowed);
    else if (target->right + target->unmapped != target->frames || !target->eos)
      return "neither an error nor the end";
    else if (target->unmapped && (!names_device (target->text)
            || !names_call (target->text, call, (allowed & BY_ANOTHER) != 0)))
      return "a map fails and says no reason";
    if (problem)
      return problem;
    n_errors += target->errors + (target->unmapped > 0);
  }
  if ((allowed & MAPPED) && g_str_equal (pipeline, "camera-pool"))
    allowed |= SURVIVES;
  if (n_errors == 0 && !(allowed & SURVIVES))
    return "nobody was told";
  if (outcome->left[0] && !may_be_left (outcome->left, call, allowed))
    return "something is left";
  return NULL;
}

/* --- failing --- */

typedef struct
{
  guint n_failed, n_survived;
  GString *problems;
} Tally;

/* delay: nullable, how long the device takes for each piece of work */
static void
fail (const Function * function, guint nth, gint code, const gchar * delay,
    Tally * tally)
{
  const Rule *rule = find_rule (function->name);
  g_autofree gchar *variable =
      g_strdup_printf ("FAIL=%s:%u:%d", function->name, nth, code);
  const gchar *variables[] = { variable, delay, NULL };
  g_autofree gchar *crash = NULL, *said = NULL;
  const gchar *problem = NULL;
  Outcome outcome;

  crash = driver_run_child (driver_run_pipeline, pipeline, variables, &outcome);
  if (!crash && outcome.injected == 0) {
    if (!driver_run_is_good (&outcome))
      problem = "not good, though no call failed";
  } else if (!crash) {
    tally->n_failed++;
    tally->n_survived += driver_run_is_good (&outcome);
    problem = judge (&outcome, function->name, code == NO_MEMORY ?
        rule->no_memory : rule->lost);
  }
  if (!crash && !problem)
    return;
  if (!crash)
    said = driver_run_describe (&outcome);
  g_string_append_printf (tally->problems, "%s: %s %s\n", variable,
      crash ? crash : problem, said ? said : "");
}

static gboolean
is_sampled (const Function * function, guint nth)
{
  return full || nth <= 2 || nth == (function->n + 1) / 2 || nth == function->n;
}

static void
fail_function (const Function * function)
{
  Tally tally = {.problems = g_string_new (NULL) };
  g_autofree gchar *name = NULL;

  for (guint nth = 1; nth <= function->n; nth++) {
    if (!is_sampled (function, nth))
      continue;
    fail (function, nth, NO_MEMORY, NULL, &tally);
    fail (function, nth, LAUNCH_FAILED, NULL, &tally);
  }
  /* Nobody waits for what is done already, which it may have been each time. */
  if (tally.n_failed == 0) {
    fail (function, 1, NO_MEMORY, SLOW, &tally);
    fail (function, 1, LAUNCH_FAILED, SLOW, &tally);
  }
  /* Elements ask only where frames are unfinished when they look. */
  if (tally.n_failed == 0 && !g_str_has_suffix (function->name, "EventQuery"))
    g_string_append (tally.problems, "was never called again");
  name = g_strdup_printf ("%s fails, %u times in turn, %u of them for nobody "
      "to see", function->name, tally.n_failed, tally.n_survived);
  driver_run_case (name, tally.problems->len ? tally.problems->str : NULL);
  g_string_free (tally.problems, TRUE);
}

static int
show (const gchar * what)
{
  g_autofree gchar *variable = g_strconcat ("FAIL=", what, NULL);
  const gchar *variables[] = { variable, NULL };
  g_autofree gchar *crash = NULL, *said = NULL;
  Outcome outcome;

  crash = driver_run_child (driver_run_pipeline, pipeline, variables, &outcome);
  said = crash ? NULL : driver_run_describe (&outcome);
  g_print ("%s, %u calls failed\n", crash ? crash : said,
      crash ? 0 : outcome.injected);
  return 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) functions = NULL;

  driver_run_init (&argc, &argv);
  if (argc < 2)
    g_error ("usage: %s PIPELINE [NAME:N:CODE]", argv[0]);
  pipeline = argv[1];
  full = g_getenv ("GST_HIP_TEST_FULL") != NULL;
  /* Open (docs/roadmap.md): one run in five has a case that hangs or leaves a
   * memory, a few in a thousand. */
  if (g_str_has_prefix (pipeline, "inference") && !full && argc < 3) {
    g_print ("ok 1 - inference # SKIP only by ./dev test --full\n1..1\n");
    return 0;
  }
  /* The compiler's calls in one of them */
  if (g_str_equal (pipeline, driver_run_name (0)))
    g_setenv ("GST_HIP_CACHE", "off", TRUE);
  if (argc > 2)
    return show (argv[2]);
  functions = list_functions ();
  for (guint i = 0; functions && i < functions->len; i++)
    fail_function (g_ptr_array_index (functions, i));
  return driver_run_done ();
}
