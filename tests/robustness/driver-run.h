/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Pipelines on a simulated driver, each run once in a process of its own, and
 * what became of them: pictures, errors of elements, what is left over. Programs
 * make the driver misbehave meanwhile and judge. */
#pragma once

#include <gst/gst.h>

#define N_TARGETS 8             /* pipelines that run at once, at most */

/* What one gst_parse_launch () gave */
typedef struct
{
  guint frames;                 /* that should come */
  guint right, wrong;
  guint unmapped;               /* the CPU did not get these, and none after them */
  guint errors;                 /* of our elements */
  guint other_errors;           /* of sources that were told to stop */
  gboolean eos;
  gchar domain[64];             /* of the first error of ours */
  gint code;
  gchar more[256];              /* who posted the others */
  gchar text[1024];             /* its, or why the first frame could not be mapped */
} Target;

typedef struct
{
  Target targets[N_TARGETS];
  guint n_targets;
  gchar left[1024];             /* what should be gone; empty: nothing */
  guint injected;               /* calls that were made to fail */
} Outcome;

/* Of each, by number; NULL after them */
const gchar *driver_run_name (guint i);

/* For the variables and functions of the driver that the environment chose */
gchar *driver_run_variable (const gchar * name);
const gchar *driver_run_vendor (void);
void driver_run_lose (gint device);

/* Before any child: no driver is opened, no thread started */
void driver_run_init (int *argc, char ***argv);

/* In a child: runs the named pipeline to its end */
typedef void (*DriverRunFunc) (Outcome * outcome, gconstpointer data);
void driver_run_pipeline (Outcome * outcome, gconstpointer name);

/* Several descriptions at once, each of whose sinks is named "sink", and each "kernel" of which is given one that
 * inverts; frames: how many of each should come, one after the other at 30 a second. inverted: as that leaves them;
 * tensors: each with one that shows its bytes */
typedef struct
{
  const gchar *description;
  guint frames;
  gboolean inverted, tensors;
} DriverRunTarget;

/* during: called when the first frame of each has come, or it has failed; or NULL */
void driver_run_targets (Outcome * outcome, const DriverRunTarget * targets, guint n, void (*during) (gpointer data),
    gpointer data);

/* In a child process, with the driver's variables given (NAME=VALUE, without its prefix, NULL-ended): NULL, or what went
 * wrong with the process itself: a hang, a crash, a rule that was broken */
gchar *driver_run_child (DriverRunFunc func, gconstpointer data, const gchar * const * variables, Outcome * outcome);

/* "N right of N, ...": for messages */
gchar *driver_run_describe (const Outcome * outcome);
/* Everything came, is right, and nothing was said or left */
gboolean driver_run_is_good (const Outcome * outcome);

/* --- TAP --- */
void driver_run_case (const gchar * name, const gchar * problem);
int driver_run_done (void);
