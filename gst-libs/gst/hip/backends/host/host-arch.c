/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What kind of CPU is this, which option of the compiler makes code for it, and
 * which precompiled code runs on it?
 *
 * x86-64 has levels, each of which runs the code of those below. Any other CPU
 * has one kind of precompiled code, the baseline of the machine that built it.
 *
 * Invariant: nothing here is above what the CPU can do.
 */
#include <string.h>

#include "host-internal.h"
#include "../../gsthiperror.h"

#define ENV_ARCH "GST_HIP_HOST_ARCH"
#define BASELINE "baseline"

#if defined (__x86_64__)
/* As -march= calls them */
static const gchar *const levels[] = { "x86-64", "x86-64-v2", "x86-64-v3",
  "x86-64-v4", NULL
};

static guint
cpu_level (void)
{
  __builtin_cpu_init ();
#if defined (__clang__) && __clang_major__ < 19
  /* No levels there; the members that tell them apart in practice */
  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512bw")
      && __builtin_cpu_supports ("avx512cd")
      && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512vl"))
    return 3;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi")
      && __builtin_cpu_supports ("bmi2") && __builtin_cpu_supports ("fma"))
    return 2;
  if (__builtin_cpu_supports ("sse4.2") && __builtin_cpu_supports ("popcnt"))
    return 1;
#else
  if (__builtin_cpu_supports ("x86-64-v4"))
    return 3;
  if (__builtin_cpu_supports ("x86-64-v3"))
    return 2;
  if (__builtin_cpu_supports ("x86-64-v2"))
    return 1;
#endif
  return 0;
}
#else
static const gchar *const levels[] = { BASELINE, NULL };

static guint
cpu_level (void)
{
  return 0;
}
#endif

static gint
find_level (const gchar * name)
{
  for (guint i = 0; levels[i]; i++) {
    if (strcmp (levels[i], name) == 0)
      return i;
  }
  return -1;
}

const gchar *
host_arch_forced (void)
{
  const gchar *wish = g_getenv (ENV_ARCH);

  return wish && *wish ? wish : NULL;
}

gboolean
host_arch_name (gchar * out, gsize size, const gchar * machine, GError ** error)
{
  const gchar *wish = host_arch_forced ();
  guint level = cpu_level ();
  gint wished = wish ? find_level (wish) : (gint) level;

  if (wished < 0 || (guint) wished > level) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_UNAVAILABLE,
        ENV_ARCH " is \"%s\": this CPU is %s, and only that and what is below "
        "can be chosen", wish, levels[level]);
    return FALSE;
  }
  /* A baseline has no name of its own */
  g_strlcpy (out, strcmp (levels[wished], BASELINE) == 0 ? machine :
      levels[wished], size);
  return TRUE;
}

gchar *
host_arch_option (const gchar * arch)
{
  if (!arch)
    return g_strdup ("-march=native");
  return strcmp (arch, BASELINE) == 0 ? NULL : g_strconcat ("-march=", arch,
      NULL);
}

/* What -march=native depends on */
gchar *
host_arch_cpu_id (void)
{
  g_autofree gchar *info = NULL;
  const gchar *flags, *end;

  if (!g_file_get_contents ("/proc/cpuinfo", &info, NULL, NULL))
    return g_strdup ("unknown");
  flags = strstr (info, "\nflags");
  if (!flags)
    flags = strstr (info, "\nFeatures");
  if (!flags)
    return g_strdup ("plain");
  flags++;
  end = strchr (flags, '\n');
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, flags,
      end ? end - flags : -1);
}

gchar **
host_precompiled_archs (const GstHipDeviceInfo * info)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new ();
  gint level = find_level (info->arch);

  for (level = MAX (level, 0); level >= 0; level--)
    g_ptr_array_add (out, g_strdup (levels[level]));
  g_ptr_array_add (out, NULL);
  return (gchar **) g_ptr_array_free (g_steal_pointer (&out), FALSE);
}
