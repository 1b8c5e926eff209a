/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What the simulated NVRTC and the simulated driver agree on: a CUBIN is a
 * shared object of the host backend whose header names NVIDIA's machine. */
#pragma once

#include <elf.h>
#include <glib.h>
#include <string.h>

#define FAKE_EM_CUDA 190

static inline gboolean
fake_cubin_change_machine (guint8 * data, gsize size, guint16 from, guint16 to)
{
  Elf64_Ehdr head;

  if (size < sizeof (head))
    return FALSE;
  memcpy (&head, data, sizeof (head));
  if (memcmp (head.e_ident, ELFMAG, SELFMAG) != 0 || (from && head.e_machine != from))
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

#define fake_cubin_from_host(data, size) fake_cubin_change_machine (data, size, 0, FAKE_EM_CUDA)
#define fake_cubin_to_host(data, size) fake_cubin_change_machine (data, size, FAKE_EM_CUDA, 0)
