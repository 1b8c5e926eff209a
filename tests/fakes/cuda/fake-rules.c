/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which calls were made, which one is to fail, and which rule was broken? */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

static HipMutex lock;
static GHashTable *handles;     /* handle -> FakeKind + 1 */
static guint n_calls;
static gint initialised;
static CuResult lost;           /* what every call gives since the device failed */

gint
fake_number (const gchar * variable, gint otherwise)
{
  const gchar *text = g_getenv (variable);

  return text && *text ? atoi (text) : otherwise;
}

static void
write_log (const gchar * name)
{
  const gchar *path = g_getenv ("FAKE_CUDA_LOG");
  g_autofree gchar *line = g_strconcat (name, "\n", NULL);
  int fd;

  if (!path || !*path)
    return;
  fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0 || write (fd, line, strlen (line)) != (gssize) strlen (line))
    g_error ("simulated driver: cannot write %s: %s", path, g_strerror (errno));
  close (fd);
}

static void __attribute__((constructor))
    note_load (void)
{
  write_log ("load");
}

/* [NAME:]N[:CODE] */
static CuResult
wanted_failure (const gchar * name)
{
  const gchar *wish = g_getenv ("FAKE_CUDA_FAIL");
  g_auto (GStrv) parts = NULL;
  guint i = 0;

  if (!wish || !*wish)
    return CU_OK;
  parts = g_strsplit (wish, ":", 3);
  if (parts[0] && !g_ascii_isdigit (parts[0][0])) {
    if (strcmp (parts[0], name) != 0)
      return CU_OK;
    i++;
  }
  if (!parts[i] || (guint) atoi (parts[i]) != ++n_calls)
    return CU_OK;
  return parts[i + 1] ? (CuResult) atoi (parts[i + 1]) : CU_UNKNOWN;
}

static gboolean
is_one_of (const gchar * name, const gchar * const *names)
{
  for (; *names; names++) {
    if (g_str_has_prefix (name, *names))
      return TRUE;
  }
  return FALSE;
}

/* Waits, queries and making a context current fail only where the device did;
 * other calls leave it alone but for some results. */
static gboolean
loses_device (const gchar * name, CuResult result)
{
  static const gchar *const waits[] = { "cuCtxPush", "cuEventQuery",
    "cuEventSynchronize", "cuStreamQuery", "cuStreamSynchronize", NULL
  };

  return is_one_of (name, waits) || result == CU_UNKNOWN
      || (result >= CU_ILLEGAL_ADDRESS && result <= CU_LAUNCH_FAILED
      && result != CU_LAUNCH_OUT_OF_RESOURCES
      && result != CU_HOST_MEMORY_ALREADY_REGISTERED);
}

CuResult
fake_enter (const gchar * name, gboolean before_init)
{
  static const gchar *const still[] = { "cuCtxPush", "cuCtxPop",
    "cuDevice", "cuDriver", "cuInit", "nvrtc", NULL
  };
  CuResult result;

  hip_mutex_lock (&lock);
  write_log (name);
  result = wanted_failure (name);
  if (result != CU_OK)
    write_log ("  fails");
  if (result != CU_OK && !g_str_has_prefix (name, "nvrtc")
      && loses_device (name, result))
    lost = result;
  if (lost && !is_one_of (name, still))
    result = lost;
  hip_mutex_unlock (&lock);
  fake_rule (before_init || g_atomic_int_get (&initialised),
      "cuInit comes first", name);
  return result;
}

void
fake_set_initialised (void)
{
  g_atomic_int_set (&initialised, TRUE);
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

guint64
fake_delay_ns (void)
{
  return (guint64) fake_number ("FAKE_CUDA_DELAY_US", 0) * 1000;
}

/* --- handles --- */

void
fake_handle_add (gpointer handle, FakeKind kind)
{
  hip_mutex_lock (&lock);
  if (!handles)
    handles = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (handles, handle, GUINT_TO_POINTER (kind + 1));
  hip_mutex_unlock (&lock);
}

void
fake_handle_remove (gpointer handle)
{
  hip_mutex_lock (&lock);
  g_hash_table_remove (handles, handle);
  hip_mutex_unlock (&lock);
}

void
fake_handle_check (gpointer handle, FakeKind kind, const gchar * call)
{
  gboolean good;

  hip_mutex_lock (&lock);
  good = handles && g_hash_table_lookup (handles, handle) ==
      GUINT_TO_POINTER (kind + 1);
  hip_mutex_unlock (&lock);
  fake_rule (good, "handles are of the right kind and not destroyed", call);
}
