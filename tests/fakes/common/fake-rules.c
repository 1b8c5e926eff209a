/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which calls were made, which one is to fail, and which rule was broken?
 *
 * Must not know: what a call does.
 */
#define _GNU_SOURCE             /* syscall () */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake.h"

static HipMutex door;           /* closed while a call waits for the device */
static HipMutex lock;
static guint n_calls;
static guint n_failed;

const gchar *
fake_variable (const gchar * name)
{
  gchar variable[64];
  const gchar *text;

  g_snprintf (variable, sizeof (variable), "%s_%s", fake_family.prefix, name);
  text = g_getenv (variable);
  return text && *text ? text : NULL;
}

gint
fake_number (const gchar * name, gint otherwise)
{
  const gchar *text = fake_variable (name);

  return text ? atoi (text) : otherwise;
}

static void
write_log (const gchar * name)
{
  const gchar *path = fake_variable ("LOG");
  gchar line[256];
  int fd;

  if (!path)
    return;
  if (fake_variable ("LOG_THREADS"))
    g_snprintf (line, sizeof (line), "%d %s\n", (gint) syscall (SYS_gettid),
        name);
  else
    g_snprintf (line, sizeof (line), "%s\n", name);
  fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0 || write (fd, line, strlen (line)) != (gssize) strlen (line))
    g_error ("simulated driver: cannot write %s: %s", path, g_strerror (errno));
  close (fd);
}

void
fake_note (const gchar * line)
{
  hip_mutex_lock (&lock);
  write_log (line);
  hip_mutex_unlock (&lock);
}

static void __attribute__((constructor))
    note_load (void)
{
  write_log ("load");
}

/* [NAME:]N[:CODE] */
static gint
wanted_failure (const gchar * name)
{
  const gchar *wish = fake_variable ("FAIL");
  g_auto (GStrv) parts = NULL;
  guint i = 0;

  if (!wish)
    return 0;
  parts = g_strsplit (wish, ":", 3);
  if (parts[0] && !g_ascii_isdigit (parts[0][0])) {
    if (strcmp (parts[0], name) != 0)
      return 0;
    i++;
  }
  if (!parts[i] || (guint) atoi (parts[i]) != ++n_calls)
    return 0;
  return parts[i + 1] ? atoi (parts[i + 1]) : fake_family.failure;
}

gboolean
fake_name_begins (const gchar * name, const gchar * const *beginnings)
{
  for (; *beginnings; beginnings++) {
    if (g_str_has_prefix (name, *beginnings))
      return TRUE;
  }
  return FALSE;
}

gint
fake_enter_on (const gchar * name, FakeContext * context)
{
  gint result;

  hip_mutex_lock (&door);
  hip_mutex_unlock (&door);
  hip_mutex_lock (&lock);
  write_log (name);
  result = wanted_failure (name);
  if (result) {
    write_log ("  fails");
    n_failed++;
  }
  hip_mutex_unlock (&lock);

  if (!context)
    return result;
  if (result) {
    /* Later calls do not say what this one says. */
    if (fake_family.loses_device (name, result))
      g_atomic_int_set (&context->lost, result ==
          fake_family.results[FAKE_NO_MEMORY] ?
          fake_family.results[FAKE_FAILED] : result);
    return result;
  }
  if (g_atomic_int_get (&context->lost)
      && !fake_name_begins (name, fake_family.stateless))
    result = g_atomic_int_get (&context->lost);
  return result;
}

gint
fake_enter (const gchar * name)
{
  return fake_enter_on (name,
      fake_family.current ? fake_family.current () : NULL);
}

void
fake_close_door (gboolean close)
{
  if (close)
    hip_mutex_lock (&door);
  else
    hip_mutex_unlock (&door);
}

guint
fake_n_failed (void)
{
  guint n;

  hip_mutex_lock (&lock);
  n = n_failed;
  hip_mutex_unlock (&lock);
  return n;
}

void
fake_rule (gboolean kept, const gchar * rule, const gchar * call)
{
  if (G_LIKELY (kept))
    return;
  write_log (rule);
  g_printerr ("simulated driver: %s breaks the rule: %s\n", call, rule);
  abort ();
}
