/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which AMD GPUs does a code object run on? Its ELF header's flags say so, as
 * LLVM's "User Guide for AMDGPU Backend" lists them for code object version 4
 * and later. The simulated driver goes by this, and a test compares it with what
 * the real compiler makes.
 *
 * Who may include this: tests and the simulated HIP. */
#pragma once

#include <string.h>

#include <glib.h>

#define AMD_CODE_MACHINE 224    /* EM_AMDGPU */
#define AMD_CODE_GPU 0xff
/* A feature's two bits: no such feature, either setting, off, on */
#define AMD_CODE_XNACK 8
#define AMD_CODE_SRAMECC 10
enum { AMD_CODE_LACKS, AMD_CODE_ANY, AMD_CODE_OFF, AMD_CODE_ON };

static inline guint32
amd_code_feature (const gchar * features, const gchar * name, guint shift)
{
  const gchar *found = strstr (features, name);
  guint32 value = AMD_CODE_ANY;

  if (found)
    value = found[strlen (name)] == '+' ? AMD_CODE_ON : AMD_CODE_OFF;
  return value << shift;
}

/* arch: as a device or an option of HIPRTC names it. 0: no GPU of this list */
static inline guint32
amd_code_flags (const gchar * arch)
{
  static const struct
  {
    const gchar *name;
    guint8 number;
    gboolean xnack, sramecc;
  } gpus[] = {
    {"gfx906", 0x2f, TRUE, TRUE},
    {"gfx908", 0x30, TRUE, TRUE},
    {"gfx90a", 0x3f, TRUE, TRUE},
    {"gfx942", 0x4c, TRUE, TRUE},
    {"gfx1010", 0x33, TRUE, FALSE},
    {"gfx1030", 0x36, FALSE, FALSE},
    {"gfx1100", 0x41, FALSE, FALSE},
    {"gfx1101", 0x46, FALSE, FALSE},
    {"gfx1102", 0x47, FALSE, FALSE},
    {"gfx1151", 0x4a, FALSE, FALSE},
    {"gfx1200", 0x48, FALSE, FALSE},
    {"gfx1201", 0x4e, FALSE, FALSE},
  };
  gsize length = strcspn (arch, ":");

  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++) {
    if (strlen (gpus[i].name) == length && strncmp (arch, gpus[i].name, length) == 0)
      return gpus[i].number
          | (gpus[i].xnack ? amd_code_feature (arch + length, ":xnack", AMD_CODE_XNACK) : 0)
          | (gpus[i].sramecc ? amd_code_feature (arch + length, ":sramecc", AMD_CODE_SRAMECC) : 0);
  }
  return 0;
}

static inline gboolean
amd_code_feature_fits (guint32 code, guint32 device, guint shift)
{
  guint wanted = code >> shift & 3;

  return wanted == AMD_CODE_ANY || wanted == (device >> shift & 3);
}

/* Flags of code, and amd_code_flags () of a device that names all its features */
static inline gboolean
amd_code_runs_on (guint32 code, guint32 device)
{
  return (code & AMD_CODE_GPU) == (device & AMD_CODE_GPU)
      && amd_code_feature_fits (code, device, AMD_CODE_XNACK)
      && amd_code_feature_fits (code, device, AMD_CODE_SRAMECC);
}
