/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which objects of the driver live?
 *
 * Must not know: what they are made of.
 */
#include "fake.h"

static HipMutex lock;
static GHashTable *handles;     /* handle -> FakeKind + 1 */
static guint n_live[FAKE_N_KINDS];

void
fake_handle_add (gpointer handle, FakeKind kind)
{
  hip_mutex_lock (&lock);
  if (!handles)
    handles = g_hash_table_new (NULL, NULL);
  if (g_hash_table_insert (handles, handle, GUINT_TO_POINTER (kind + 1)))
    n_live[kind]++;
  hip_mutex_unlock (&lock);
}

void
fake_handle_remove (gpointer handle)
{
  guint kind;

  hip_mutex_lock (&lock);
  kind = GPOINTER_TO_UINT (g_hash_table_lookup (handles, handle));
  if (kind && g_hash_table_remove (handles, handle))
    n_live[kind - 1]--;
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

guint
fake_live (gchar ** what)
{
  static const gchar *const names[] = { "streams", "events", "modules",
    "memories", "programs", "textures"
  };
  g_autoptr (GString) text = g_string_new (NULL);
  guint sum = 0;

  hip_mutex_lock (&lock);
  for (guint kind = 0; kind < FAKE_FUNCTION; kind++) {
    sum += n_live[kind];
    if (n_live[kind])
      g_string_append_printf (text, "%s%u %s", text->len ? ", " : "",
          n_live[kind], names[kind]);
  }
  hip_mutex_unlock (&lock);
  if (what)
    *what = g_string_free (g_steal_pointer (&text), FALSE);
  return sum;
}
