/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Are pictures right where streams that do not wait for each other change
 * places, and where all work is late? And with eight devices, of which one is
 * broken, or fails while all work: do the others go on?
 */
#include <string.h>

#include "driver-run.h"

#define N_DEVICES 8
#define BAD_DEVICE 3

/* --- order --- */

static void
run_out_of_order (const gchar * pipeline, const gchar * how)
{
  const gchar *variables[] = { how, NULL };
  g_autofree gchar *name = g_strdup_printf ("%s with %s", pipeline, how);
  g_autofree gchar *problem = NULL;
  Outcome outcome;

  problem = driver_run_child (driver_run_pipeline, pipeline, variables,
      &outcome);
  if (!problem && !driver_run_is_good (&outcome))
    problem = driver_run_describe (&outcome);
  driver_run_case (name, problem);
}

static void
test_order (void)
{
  guint n_seeds = g_getenv ("GST_HIP_TEST_FULL") ? 50 : 3;

  for (guint i = 0; driver_run_name (i); i++) {
    for (guint seed = 1; seed <= n_seeds; seed++) {
      g_autofree gchar *how = g_strdup_printf ("REORDER=%u", seed);

      run_out_of_order (driver_run_name (i), how);
    }
    run_out_of_order (driver_run_name (i), "DELAY_US=3000");
  }
}

/* --- devices --- */

static void
lose_one (gpointer unused)
{
  driver_run_lose (BAD_DEVICE);
}

/* All at once, each on a device of its own */
static void
run_on_all (Outcome * outcome, gconstpointer loses)
{
  DriverRunTarget targets[N_DEVICES] = { {0,}, };

  for (guint i = 0; i < N_DEVICES; i++) {
    g_autofree gchar *on = g_strdup_printf ("vendor=%s device-id=%u",
        driver_run_vendor (), i);
    guint n_frames = loses && i == BAD_DEVICE ? 100000 : 60;

    targets[i].description = g_strdup_printf ("videotestsrc name=source "
        "num-buffers=%u ! video/x-raw,format=GRAY8,width=66,height=50,"
        "framerate=30/1 ! hipupload %s ! hipkernel name=kernel %s ! "
        "hipdownload %s ! fakesink name=sink sync=false", n_frames, on, on, on);
    targets[i].frames = n_frames;
    targets[i].inverted = TRUE;
  }
  driver_run_targets (outcome, targets, N_DEVICES, loses ? lose_one : NULL,
      NULL);
  for (guint i = 0; i < N_DEVICES; i++)
    g_free ((gchar *) targets[i].description);
}

static gchar *
judge_bad_device (const Outcome * outcome, gboolean loses)
{
  const Target *bad = &outcome->targets[BAD_DEVICE];
  g_autofree gchar *said = driver_run_describe (outcome);
  g_autofree gchar *device = g_strdup_printf ("%s device %u",
      driver_run_vendor (), BAD_DEVICE);

  if (bad->errors != 1 || bad->wrong)
    return g_strdup_printf ("not one error: %s", said);
  if (!g_str_equal (bad->domain, g_quark_to_string (GST_RESOURCE_ERROR))
      || bad->code != (loses ? GST_RESOURCE_ERROR_FAILED :
          GST_RESOURCE_ERROR_NOT_FOUND) || !strstr (bad->text, device))
    return g_strdup_printf ("not the right error: %s", said);
  return NULL;
}

static void
test_one_of_many (const gchar * name, gboolean loses)
{
  g_autofree gchar *broken = g_strdup_printf ("BROKEN=%d",
      loses ? -1 : BAD_DEVICE);
  g_autofree gchar *count = g_strdup_printf ("DEVICES=%u", N_DEVICES);
  const gchar *variables[] = { count, broken, "GST_HIP_DEVICE=", NULL };
  g_autofree gchar *problem = NULL;
  Outcome outcome;

  problem = driver_run_child (run_on_all, GINT_TO_POINTER (loses), variables,
      &outcome);
  if (!problem)
    problem = judge_bad_device (&outcome, loses);
  if (!problem) {
    /* The others, and what is left: modules of the device that failed, as
     * nobody knows what still runs */
    memset (&outcome.targets[BAD_DEVICE], 0, sizeof (Target));
    outcome.targets[BAD_DEVICE].eos = TRUE;
    if (loses && g_str_equal (outcome.left, "the driver's 1 modules; "))
      outcome.left[0] = '\0';
    if (!driver_run_is_good (&outcome))
      problem = driver_run_describe (&outcome);
  }
  driver_run_case (name, problem);
}

int
main (int argc, char **argv)
{
  driver_run_init (&argc, &argv);
  test_order ();
  test_one_of_many ("one of eight devices is broken", FALSE);
  for (guint i = 0; i < 5; i++)
    test_one_of_many ("one of eight devices fails while all work", TRUE);
  return driver_run_done ();
}
