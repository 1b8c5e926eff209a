/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a shared object of the host backend pass for a GPU's code? Its
 * header names another machine; the simulated driver changes it back. */
#include <elf.h>
#include <string.h>

#include "fake.h"

static gboolean
change_machine (guint8 * data, gsize size, guint16 from, guint16 to)
{
  Elf64_Ehdr head;

  if (size < sizeof (head))
    return FALSE;
  memcpy (&head, data, sizeof (head));
  if (memcmp (head.e_ident, ELFMAG, SELFMAG) != 0 || (from
          && head.e_machine != from))
    return FALSE;
  /* The machine's own number waits where GPUs have their architecture. */
  if (to) {
    head.e_flags = head.e_machine;
    head.e_machine = to;
  } else {
    head.e_machine = (guint16) head.e_flags;
    head.e_flags = 0;
  }
  memcpy (data, &head, sizeof (head));
  return TRUE;
}

gboolean
fake_elf_disguise (guint8 * data, gsize size, guint16 machine)
{
  return change_machine (data, size, 0, machine);
}

gboolean
fake_elf_reveal (guint8 * data, gsize size, guint16 machine)
{
  return change_machine (data, size, machine, 0);
}
