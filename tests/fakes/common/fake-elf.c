/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* How does a shared object of the host backend pass for a GPU's code? Its
 * header names another machine; the simulated driver changes it back. */
#include <elf.h>
#include <string.h>

#include "fake.h"

/* Where its own machine's number waits: bytes of the header that mean nothing */
#define KEPT (EI_NIDENT - 2)

gboolean
fake_elf_disguise (guint8 * data, gsize size, guint16 machine, guint32 flags)
{
  Elf64_Ehdr head;

  if (size < sizeof (head) || memcmp (data, ELFMAG, SELFMAG) != 0)
    return FALSE;
  memcpy (&head, data, sizeof (head));
  memcpy (head.e_ident + KEPT, &head.e_machine, sizeof (head.e_machine));
  head.e_machine = machine;
  head.e_flags = flags;
  memcpy (data, &head, sizeof (head));
  return TRUE;
}

gboolean
fake_elf_reveal (guint8 * data, gsize size, guint16 machine, guint32 * flags)
{
  Elf64_Ehdr head;

  if (size < sizeof (head) || memcmp (data, ELFMAG, SELFMAG) != 0)
    return FALSE;
  memcpy (&head, data, sizeof (head));
  if (head.e_machine != machine)
    return FALSE;
  *flags = head.e_flags;
  memcpy (&head.e_machine, head.e_ident + KEPT, sizeof (head.e_machine));
  memset (head.e_ident + KEPT, 0, sizeof (head.e_machine));
  head.e_flags = 0;
  memcpy (data, &head, sizeof (head));
  return TRUE;
}
