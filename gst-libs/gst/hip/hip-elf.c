/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* May a driver that asks for no size be given these bytes as an ELF file?
 *
 * Looks at nothing but where parts lie. Reads no byte behind the end, whatever
 * the numbers say.
 */
#include <elf.h>
#include <string.h>

#include "hip-elf.h"

gboolean
hip_elf_is_whole (const guint8 * data, gsize size, guint machine)
{
  Elf64_Ehdr head;
  Elf64_Shdr section;

  if (size < sizeof (head))
    return FALSE;
  memcpy (&head, data, sizeof (head));
  if (memcmp (head.e_ident, ELFMAG, SELFMAG) != 0
      || head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != machine
      || head.e_shentsize != sizeof (section) || head.e_shoff > size
      || head.e_shnum > (size - head.e_shoff) / sizeof (section)
      || head.e_phoff > size || (head.e_phnum > 0
          && head.e_phnum > (size - head.e_phoff) / sizeof (Elf64_Phdr)))
    return FALSE;
  for (guint i = 0; i < head.e_shnum; i++) {
    memcpy (&section, data + head.e_shoff + i * sizeof (section),
        sizeof (section));
    if (section.sh_type != SHT_NOBITS && (section.sh_offset > size
            || section.sh_size > size - section.sh_offset))
      return FALSE;
  }
  return TRUE;
}
