/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Mistakes made on purpose, one by name: do the sanitizers still see them with
 * the options and suppressions that the tests run with?
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gst/hip/gsthip.h>

static volatile gint shared;

static gpointer
count (gpointer unused)
{
  for (gint i = 0; i < 1000; i++)
    shared = shared + 1;
  return NULL;
}

/* Below frames of GLib, which suppressions name */
static void
race (void)
{
  GThread *thread = g_thread_new ("racer", count, NULL);

  count (NULL);
  g_thread_join (thread);
}

static void
count_notified (GstHipEvent * event, GstHipEventState state, gpointer data)
{
  count (NULL);
  g_atomic_int_inc ((gint *) data);
}

/* With a worker of ours */
static void
race_in_worker (void)
{
  GstHipStream *stream = gst_hip_stream_new (GST_HIP_VENDOR_HOST, 0);
  GstHipEvent *event = gst_hip_stream_record (stream, FALSE, NULL);
  gint called = 0;

  gst_hip_event_notify (event, count_notified, &called, NULL);
  count (NULL);
  while (!g_atomic_int_get (&called))
    g_usleep (1000);
  gst_hip_event_unref (event);
  gst_hip_stream_unref (stream);
}

static void
touch_freed (void)
{
  volatile guint8 *data = g_malloc (100);

  g_free ((gpointer) data);
  data[50] = 1;
}

static void
overflow (void)
{
  volatile guint8 *data = g_malloc (100);
  volatile gint at = 100;

  data[at] = 1;
  g_free ((gpointer) data);
}

static void
undefined (void)
{
  volatile gint most = G_MAXINT;

  most = most + 1;
}

static void
leak (void)
{
  volatile gpointer block = g_malloc (100);

  block = NULL;
  (void) block;
}

/* Made by GStreamer and GLib for us */
static void
leak_caps (void)
{
  volatile gpointer caps = gst_caps_new_simple ("video/x-raw", "format",
      G_TYPE_STRING, "NV12", NULL);

  caps = NULL;
  (void) caps;
}

/* As GstCheck runs a case, with a device that was in use */
static void
leak_in_child (void)
{
  pid_t child = fork ();
  int status;

  if (child == 0) {
    GstHipStream *stream = gst_hip_stream_new (GST_HIP_VENDOR_HOST, 0);

    gst_hip_event_unref (gst_hip_stream_record (stream, FALSE, NULL));
    gst_hip_stream_unref (stream);
    leak ();
    exit (0);
  }
  if (waitpid (child, &status, 0) == child)
    _exit (WIFEXITED (status) ? WEXITSTATUS (status) : 1);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *name;
    void (*func) (void);
  } mistakes[] = {
    {"race", race},
    {"race-in-worker", race_in_worker},
    {"freed", touch_freed},
    {"overflow", overflow},
    {"undefined", undefined},
    {"leak", leak},
    {"leak-of-caps", leak_caps},
    {"leak-in-child", leak_in_child},
  };

  gst_init (&argc, &argv);
  for (guint i = 0; argc == 2 && i < G_N_ELEMENTS (mistakes); i++) {
    if (g_str_equal (argv[1], mistakes[i].name)) {
      mistakes[i].func ();
      return 0;
    }
  }
  g_printerr ("which mistake?\n");
  return 0;
}
